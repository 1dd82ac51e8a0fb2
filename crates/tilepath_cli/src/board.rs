//! A map from a file as the core searches it: cells laid out, overlays laid on.

use crate::{
    failure::Failure,
    input::read_argument,
    layout::{Layout, lattices},
    map_file::MapFile,
    rules,
};
use clap::Args;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    str::FromStr,
};
use thiserror::Error;
use tilepath::{Cell, Diagonals, Grid, Lattice, Movement, QueryError, Size, StepCosts, Topology, format};

/// How the cells of the map lie, and what lies on them.
#[derive(Args, Debug)]
pub(crate) struct GroundArguments {
    /// How the cells of the file lie beside each other. These names count odd rows from the bottom, as the library and Bevy's
    /// tilemaps do: the last row of the file is row 0, an even one. Odd or even rows lie half a cell to the right, odd or even
    /// columns half a cell up.
    #[arg(long, value_name = "NAME", value_parser = lattices(), default_value_t = Lattice::Square)]
    pub(crate) topology: Lattice,

    /// Add the numbers of a table to the costs of the open cells: whole numbers from 0 to 65535, one for each cell of the
    /// map, one row a line. May be given several times.
    #[arg(long, value_name = "NAME=FILE")]
    pub(crate) overlay: Vec<NamedOverlay>,
}

/// The ground, and the unit that moves over it.
#[derive(Args, Debug)]
pub(crate) struct BoardArguments {
    #[command(flatten)]
    pub(crate) ground: GroundArguments,

    /// Cells a side of the unit, 1 to 8; a cell given or told is the leftmost and lowest that it covers.
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_size, allow_hyphen_values = true)]
    pub(crate) size: Size,

    /// A file of rules (RON), whose --movement says what classes cost, the size, the diagonal rule, the steps and which
    /// overlays count. `-` is standard input.
    #[arg(long, value_name = "FILE", requires = "movement", conflicts_with_all = ["size", "diagonals"])]
    pub(crate) rules: Option<PathBuf>,

    /// How the unit moves: the name of a movement of the --rules.
    #[arg(long, value_name = "NAME", requires = "rules", allow_hyphen_values = true)]
    pub(crate) movement: Option<String>,
}

/// A map and where the places of its file lie on it.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    /// The map.
    pub(crate) grid: Grid,
    /// The places of the file.
    pub(crate) layout: Layout,
}

impl Board {
    /// The board of a map, for a unit of a size.
    ///
    /// # Errors
    /// Where the file is no map, contradicts the topology or is too large for it, or where an overlay does not fit.
    pub(crate) fn new(map: &MapFile, arguments: &GroundArguments, size: Size) -> Result<Self, Failure> {
        let lattice = arguments.topology;
        if lattice.topology() == Topology::Hexagonal && map.is_octile() {
            return Err(Failure::Octile { file: map.path().to_owned(), topology: lattice });
        }
        let side = size.side();
        if lattice.topology() == Topology::Hexagonal && side > 1 {
            let error = QueryError::SizeOnHexagons { side };
            return Err(Failure::Query { file: map.path().to_owned(), error });
        }
        let rows = map.grid()?;
        let too_large = |error| Failure::TooLarge {
            file: map.path().to_owned(),
            topology: lattice,
            columns: rows.width(),
            rows: rows.height(),
            error,
        };
        let layout = Layout::new(lattice, rows.width(), rows.height()).map_err(too_large)?;
        let grid = layout.chart(rows.clone()).map_err(too_large)?;
        let mut board = Self { grid, layout };
        let mut names = BTreeSet::new();
        for overlay in &arguments.overlay {
            if !names.insert(&overlay.name) {
                return Err(Failure::OverlayTwice { name: overlay.name.clone() });
            }
            board.lay(map, overlay)?;
        }
        Ok(board)
    }

    fn lay(&mut self, map: &MapFile, overlay: &NamedOverlay) -> Result<(), Failure> {
        let text = read_argument(&overlay.file)?;
        let file = || overlay.file.clone();
        let (bounds, values) =
            format::parse_overlay(&text).map_err(|error| Failure::Text { file: file(), error })?;
        let layout = self.layout;
        if (bounds.width(), bounds.height()) != (layout.columns(), layout.rows()) {
            return Err(Failure::OverlaySize {
                file: file(),
                map: map.path().to_owned(),
                found: [bounds.width(), bounds.height()],
                expected: [layout.columns(), layout.rows()],
            });
        }
        let values = values.into_iter().map(|(cell, value)| (layout.cell_of_tile(cell.into()), value));
        self.grid
            .set_overlay(&overlay.name, values)
            .map_err(|error| Failure::Edit { file: file(), error })?;
        Ok(())
    }

    /// What the overlays add to the cells that they name.
    pub(crate) fn overlaid(grid: &Grid, names: &[String]) -> Vec<(Cell, u32)> {
        let cells = names.iter().flat_map(|name| grid.overlay_cells(name));
        let mut sums = BTreeMap::new();
        for (cell, value) in cells {
            *sums.entry((cell.y, cell.x)).or_insert(0) += u32::from(value);
        }
        sums.into_iter().map(|((y, x), value)| (Cell::new(x, y), value)).collect()
    }
}

impl BoardArguments {
    /// How the unit moves: as the rules say, where they are asked for.
    ///
    /// # Errors
    /// Where there are no such rules, or no such movement in them, or where it does not name an overlay.
    pub(crate) fn movement(&self, diagonals: Diagonals, steps: StepCosts) -> Result<Movement, Failure> {
        let overlays = self.ground.overlay.iter();
        let (Some(file), Some(name)) = (&self.rules, &self.movement) else {
            let movement = Movement::new().with_diagonals(diagonals).with_steps(steps).with_size(self.size);
            return Ok(overlays.fold(movement, |movement, overlay| movement.with_overlay(&overlay.name)));
        };
        let movement = rules::movement(file, name)?;
        match overlays.map(|overlay| &overlay.name).find(|overlay| !movement.overlays().contains(overlay)) {
            None => Ok(movement),
            Some(overlay) => Err(Failure::UncountedOverlay {
                file: file.clone(),
                movement: name.clone(),
                overlay: overlay.clone(),
            }),
        }
    }
}

/// An overlay with the file of its values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NamedOverlay {
    /// Its name.
    pub(crate) name: String,
    /// The table of its values.
    pub(crate) file: PathBuf,
}

impl FromStr for NamedOverlay {
    type Err = NotAnOverlay;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once('=') {
            Some((name, file)) if !name.trim().is_empty() && !file.is_empty() => {
                Ok(Self { name: name.trim().to_owned(), file: PathBuf::from(file) })
            }
            _ => Err(NotAnOverlay),
        }
    }
}

/// An argument that is not NAME=FILE.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("write a name and the file of its table, such as danger=danger.txt")]
pub(crate) struct NotAnOverlay;

/// Reads the side of a unit.
pub(crate) fn parse_size(text: &str) -> Result<Size, String> {
    crate::whole_number::whole_number(text)
        .and_then(|side: u8| Size::new(side).ok())
        .ok_or_else(|| format!("write a whole number from 1 to {}: the cells of a side", Size::MAX))
}

#[cfg(test)]
mod tests {
    use super::{NamedOverlay, NotAnOverlay, parse_size};
    use std::path::PathBuf;

    #[test]
    fn overlays_are_a_name_and_a_file() {
        let overlay = NamedOverlay { name: "danger".into(), file: PathBuf::from("a=b.txt") };
        assert_eq!("danger=a=b.txt".parse(), Ok(overlay));
        for wrong in ["", "danger", "danger=", "=a.txt", " =a.txt"] {
            assert_eq!(wrong.parse::<NamedOverlay>(), Err(NotAnOverlay), "{wrong:?}");
        }
    }

    #[test]
    fn sizes_go_from_1_to_8() {
        assert_eq!(["1", "8"].map(|text| parse_size(text).unwrap().side()), [1, 8]);
        for wrong in ["", "0", "9", "256", "-1", "+2", "two"] {
            assert!(parse_size(wrong).is_err(), "{wrong:?}");
        }
    }
}
