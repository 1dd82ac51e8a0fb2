//! Links to races of the laboratory: a map, a query and the algorithms in the address of a page.
//!
//! The page, the example `path_lab` and the command `tilepath solve` open the same link.

mod runs;

use std::{fmt, num::ParseIntError, str::FromStr};

use form_urlencoded::{Serializer, parse};
use thiserror::Error;
use tilepath::{
    Algorithm, Cell, Diagonals, Direction, Edit, Exits, Grid, GridError, HeuristicKind, Lattice, Size,
    SizeError, UnknownName,
};

/// The overlay whose values a link has.
pub const DANGER: &str = "danger";

/// The number that stands for a tile without ground, above all terrain classes.
const VOID: u32 = 256;

/// A search, or a race of two, on a map.
///
/// The text of a link is the end of a web address: `?example=path_lab#map=…`. [`FromStr`] also
/// takes a whole address. The race stands after `#`, because servers refuse long requests and
/// browsers do not send that part.
///
/// # Units
/// Tiles count columns from the left and rows from the bottom. The fields have cells: a lattice
/// converts between the two.
///
/// # Examples
/// ```
/// use race_link::{RaceLink, Racer};
/// use tilepath::{Cell, Lattice};
///
/// let link: RaceLink = "?map=4x2*1x5.0.1x2&from=0.0&to=3.0&algorithm=jps&race=landmarks".parse()?;
/// assert_eq!((link.columns, link.rows, link.lattice), (4, 2, Lattice::Square));
/// assert_eq!(link.grid.terrain(Cell::new(1, 1)), Some(0));
/// assert_eq!(link.rival, Some(Racer::Landmarks));
/// assert!(link.to_string().starts_with("?example=path_lab#map=4x2*1x5.0.1x2&"));
/// # Ok::<(), race_link::RaceLinkError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RaceLink {
    /// The map with its danger and its closed edges. The lattice gives its cells.
    pub grid: Grid,
    /// The layout of the tiles.
    pub lattice: Lattice,
    /// The number of columns of tiles.
    pub columns: u32,
    /// The number of rows of tiles.
    pub rows: u32,
    /// The start.
    pub start: Cell,
    /// The goal.
    pub goal: Cell,
    /// The algorithm.
    pub racer: Racer,
    /// The algorithm that races beside it.
    pub rival: Option<Racer>,
    /// The rule for diagonal steps.
    pub diagonals: Diagonals,
    /// The estimate.
    pub heuristic: HeuristicKind,
    /// The size of the unit.
    pub size: Size,
}

/// An algorithm, or A* with landmarks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Racer {
    /// An algorithm of the library.
    Algorithm(Algorithm),
    /// A* with an estimate from the costs to landmarks.
    Landmarks,
}

/// The name of A* with landmarks, beside the names of the algorithms.
const LANDMARKS: &str = "landmarks";

impl fmt::Display for Racer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Algorithm(algorithm) => algorithm.fmt(f),
            Self::Landmarks => f.write_str(LANDMARKS),
        }
    }
}

impl FromStr for Racer {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        if text == LANDMARKS { Ok(Self::Landmarks) } else { text.parse().map(Self::Algorithm) }
    }
}

/// The reason why a text is not a link to a race.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RaceLinkError {
    /// A parameter is missing.
    #[error("the link has no `{0}=`: copy it whole, from the laboratory's `copy link`")]
    Missing(&'static str),
    /// A parameter stands twice in the link.
    #[error("the link has `{0}=` twice")]
    Twice(&'static str),
    /// The value of a parameter is wrong.
    #[error("`{parameter}=` in the link: {fault}")]
    Value {
        /// The parameter.
        parameter: &'static str,
        /// The fault of the value.
        fault: String,
    },
    /// A tile is outside the map.
    #[error("`{parameter}=` in the link: {column}.{row} is outside the map of {columns} x {rows} tiles")]
    Outside {
        /// The parameter.
        parameter: &'static str,
        /// The column of the tile.
        column: u32,
        /// The row of the tile.
        row: u32,
        /// The columns of the map.
        columns: u32,
        /// The rows of the map.
        rows: u32,
    },
}

impl RaceLink {
    /// The most tiles of a map.
    pub const MOST_TILES: u32 = 65_536;

    /// Returns true if a text has parts of a race, so that it is worth reading.
    #[must_use]
    pub fn is_in(text: &str) -> bool {
        Parameters::of(text).find("map").is_ok_and(|map| map.is_some())
    }

    /// Returns the cells of all tiles: the lowest row first, each from the left.
    fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        cells(self.lattice, self.columns, self.rows)
    }
}

fn cells(lattice: Lattice, columns: u32, rows: u32) -> impl Iterator<Item = Cell> {
    (0..rows)
        .flat_map(move |row| (0..columns).map(move |column| lattice.cell_of((column as i32, row as i32))))
}

/// Returns the neighbours of a cell on the map.
fn neighbours(grid: &Grid, cell: Cell) -> impl Iterator<Item = (Direction, Cell)> {
    let directions = grid.topology().directions().iter();
    directions.filter_map(move |&direction| {
        cell.neighbour(direction)
            .filter(|&neighbour| grid.contains(neighbour))
            .map(|neighbour| (direction, neighbour))
    })
}

/// Returns the exits of a cell. Exits without a neighbour count as open.
fn exits(grid: &Grid, cell: Cell) -> Exits {
    let open = grid.exits(cell).unwrap_or(Exits::ALL);
    let closed =
        neighbours(grid, cell).map(|(direction, _)| direction).filter(|&direction| !open.contains(direction));
    closed.fold(Exits::ALL, Exits::without)
}

impl fmt::Display for RaceLink {
    /// Writes the end of the page's address, from the question mark on.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { grid, columns, rows, .. } = self;
        let terrain = self.cells().map(|cell| grid.terrain(cell).map_or(VOID, u32::from));
        let danger = runs::written(self.cells().map(|cell| u32::from(grid.overlay(DANGER, cell))));
        let exits = runs::written(self.cells().map(|cell| u32::from(exits(grid, cell).bits())));
        let plain = |value: u8| runs::written(self.cells().map(|_| u32::from(value)));
        let tile = |cell| {
            let (column, row) = self.lattice.tile_of(cell);
            format!("{column}.{row}")
        };
        let mut query = Serializer::new(String::new());
        query.append_pair("map", &format!("{columns}x{rows}*{}", runs::written(terrain)));
        if danger != plain(0) {
            query.append_pair("danger", &danger);
        }
        if exits != plain(u8::MAX) {
            query.append_pair("exits", &exits);
        }
        query.append_pair("from", &tile(self.start)).append_pair("to", &tile(self.goal));
        query.append_pair("algorithm", &self.racer.to_string());
        if let Some(rival) = self.rival {
            query.append_pair("race", &rival.to_string());
        }
        query
            .append_pair("lattice", self.lattice.name())
            .append_pair("diagonals", &self.diagonals.to_string())
            .append_pair("heuristic", &self.heuristic.to_string())
            .append_pair("unit", &self.size.side().to_string());
        write!(f, "?example=path_lab#{}", query.finish())
    }
}

impl FromStr for RaceLink {
    type Err = RaceLinkError;

    /// Parses a whole address, or its end alone.
    fn from_str(text: &str) -> Result<Self, RaceLinkError> {
        let parameters = Parameters::of(text);
        let lattice = parameters.value_or("lattice", Lattice::Square)?;
        let (columns, rows, terrain) = parameters.map()?;
        let count = (columns * rows) as usize;
        let fault = |error: GridError| RaceLinkError::Value { parameter: "map", fault: error.to_string() };
        let tiles = cells(lattice, columns, rows).zip(terrain);
        let ground = tiles.filter_map(|(cell, class)| Some((cell, u8::try_from(class).ok()?)));
        let bounds = lattice.bounds_of(columns, rows).map_err(fault)?;
        let mut grid = Grid::from_tiles(bounds, ground).map_err(fault)?.with_topology(lattice.topology());
        let cells = || cells(lattice, columns, rows);
        if let Some(danger) = parameters.table("danger", count, u32::from(u16::MAX))? {
            let values = cells().zip(danger).filter(|&(_, value)| value > 0);
            grid.set_overlay(DANGER, values.map(|(cell, value)| (cell, value as u16))).map_err(fault)?;
        }
        if let Some(exits) = parameters.table("exits", count, u32::from(u8::MAX))? {
            let closed = cells().zip(exits).flat_map(|(cell, bits)| {
                let exits = Exits::from_bits(bits as u8);
                neighbours(&grid, cell).filter(move |&(direction, _)| !exits.contains(direction)).map(
                    move |(_, to)| {
                        // Closes only the step to the neighbour: the neighbour's own exit stands in its own number.
                        Edit::one_way(to, cell)
                    },
                )
            });
            let edits: Vec<Edit> = closed.collect();
            grid.edit(&edits).map_err(fault)?;
        }
        let side = parameters.value_or("unit", 1)?;
        let size = Size::new(side).map_err(|error: SizeError| RaceLinkError::Value {
            parameter: "unit",
            fault: error.to_string(),
        })?;
        Ok(Self {
            start: parameters.tile("from", lattice, [columns, rows])?,
            goal: parameters.tile("to", lattice, [columns, rows])?,
            racer: parameters.value_or("algorithm", Racer::Algorithm(Algorithm::AStar))?,
            rival: parameters.value("race")?,
            diagonals: parameters.value_or("diagonals", Diagonals::default())?,
            heuristic: parameters.value_or("heuristic", HeuristicKind::default())?,
            grid,
            lattice,
            columns,
            rows,
            size,
        })
    }
}

/// The parameters of an address, decoded.
struct Parameters(Vec<(String, String)>);

impl Parameters {
    fn of(text: &str) -> Self {
        let text = text.trim();
        let query = text.split_once('?').map_or(text, |(_, query)| query);
        Self(query.split('#').flat_map(|part| parse(part.as_bytes()).into_owned()).collect())
    }

    fn find(&self, parameter: &'static str) -> Result<Option<&str>, RaceLinkError> {
        let mut found = self.0.iter().filter(|(name, _)| name == parameter);
        let first = found.next().map(|(_, value)| value.as_str());
        if found.next().is_some() { Err(RaceLinkError::Twice(parameter)) } else { Ok(first) }
    }

    fn must_find(&self, parameter: &'static str) -> Result<&str, RaceLinkError> {
        self.find(parameter)?.ok_or(RaceLinkError::Missing(parameter))
    }

    fn value<T: FromStr<Err: fmt::Display>>(
        &self,
        parameter: &'static str,
    ) -> Result<Option<T>, RaceLinkError> {
        let fault = |error: T::Err| RaceLinkError::Value { parameter, fault: error.to_string() };
        self.find(parameter)?.map(|text| text.parse().map_err(fault)).transpose()
    }

    fn value_or<T: FromStr<Err: fmt::Display>>(
        &self,
        parameter: &'static str,
        absent: T,
    ) -> Result<T, RaceLinkError> {
        Ok(self.value(parameter)?.unwrap_or(absent))
    }

    /// Reads columns, rows and the terrain of all tiles.
    fn map(&self) -> Result<(u32, u32, Vec<u32>), RaceLinkError> {
        let parameter = "map";
        let fault = |fault: String| RaceLinkError::Value { parameter, fault };
        let text = self.must_find(parameter)?;
        let sides = text.split_once('*').and_then(|(size, tiles)| {
            let (columns, rows) = size.split_once('x')?;
            Some((columns.parse().ok()?, rows.parse().ok()?, tiles))
        });
        let (columns, rows, tiles): (u32, u32, &str) =
            sides.ok_or_else(|| fault("it does not begin with columns and rows, such as 16x12*".into()))?;
        let count = columns.checked_mul(rows).filter(|count| (1..=RaceLink::MOST_TILES).contains(count));
        let Some(count) = count else {
            return Err(fault(format!(
                "{columns} x {rows} is not a map of 1 to {} tiles",
                RaceLink::MOST_TILES
            )));
        };
        Ok((columns, rows, runs::read(tiles, count as usize, VOID).map_err(fault)?))
    }

    fn table(
        &self,
        parameter: &'static str,
        count: usize,
        most: u32,
    ) -> Result<Option<Vec<u32>>, RaceLinkError> {
        let fault = |fault| RaceLinkError::Value { parameter, fault };
        self.find(parameter)?.map(|text| runs::read(text, count, most).map_err(fault)).transpose()
    }

    /// Reads a tile of a map of this size, as a cell.
    fn tile(
        &self,
        parameter: &'static str,
        lattice: Lattice,
        [columns, rows]: [u32; 2],
    ) -> Result<Cell, RaceLinkError> {
        let text = self.must_find(parameter)?;
        let numbers = text.split_once('.').map(|(column, row)| -> Result<(u32, u32), ParseIntError> {
            Ok((column.parse()?, row.parse()?))
        });
        let Some(Ok((column, row))) = numbers else {
            let fault = format!("`{text}` is not a column and a row, such as 2.4");
            return Err(RaceLinkError::Value { parameter, fault });
        };
        if column >= columns || row >= rows {
            return Err(RaceLinkError::Outside { parameter, column, row, columns, rows });
        }
        Ok(lattice.cell_of((column as i32, row as i32)))
    }
}

#[cfg(test)]
mod tests;
