//! A map from a file, with its topology and overlays.

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

/// The topology of the map, and its overlays.
#[derive(Args, Debug)]
pub(crate) struct GroundArguments {
    /// The arrangement of the cells. `odd` and `even` name the rows that lie half a cell to the
    /// right, or the columns that lie half a cell further up. Rows count from the bottom, as in the
    /// library and in Bevy's tilemaps: the last row of the file is row 0, an even row.
    #[arg(long, value_name = "NAME", value_parser = lattices(), default_value_t = Lattice::Square)]
    pub(crate) topology: Lattice,

    /// Add the numbers of a table to the costs of the open cells. The table has a whole number from
    /// 0 to 65535 for each cell of the map, one row a line. May be given several times.
    #[arg(long, value_name = "NAME=FILE")]
    pub(crate) overlay: Vec<NamedOverlay>,
}

/// The map, and the unit that moves over it.
#[derive(Args, Debug)]
pub(crate) struct BoardArguments {
    #[command(flatten)]
    pub(crate) ground: GroundArguments,

    /// The side of the unit in cells, 1 to 8. The cell of a unit is always the leftmost and lowest
    /// cell that it covers.
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_size, allow_hyphen_values = true)]
    pub(crate) size: Size,

    /// A file of rules (RON). Its --movement sets the costs of the classes, the size, the diagonal
    /// rule, the steps and the overlays that count. `-` is standard input.
    #[arg(long, value_name = "FILE", requires = "movement", conflicts_with_all = ["size", "diagonals"])]
    pub(crate) rules: Option<PathBuf>,

    /// The movement of the unit: a name from the file of --rules.
    #[arg(long, value_name = "NAME", requires = "rules", allow_hyphen_values = true)]
    pub(crate) movement: Option<String>,
}

/// A map, and the cells of the places of its file.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    /// The map.
    pub(crate) grid: Grid,
    /// The places of the file.
    pub(crate) layout: Layout,
}

impl Board {
    /// Returns the board of a map, for a unit of a size.
    ///
    /// # Errors
    /// If the file is not a map, contradicts the topology or is too large for it, or if an overlay
    /// does not fit.
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

    /// Returns the sum of the overlays for each cell with a value.
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
    /// Returns the movement of the unit: from the rules if `--rules` is given.
    ///
    /// # Errors
    /// If the file has no rules, if the rules have no such movement, or if the movement does not
    /// name an overlay.
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

/// An overlay and the file with its values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NamedOverlay {
    /// The name of the overlay.
    pub(crate) name: String,
    /// The file with the table.
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

/// Parses the side of a unit.
pub(crate) fn parse_size(text: &str) -> Result<Size, String> {
    crate::whole_number::whole_number(text)
        .and_then(|side: u8| Size::new(side).ok())
        .ok_or_else(|| format!("write a whole number from 1 to {}: the side of the unit in cells", Size::MAX))
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
