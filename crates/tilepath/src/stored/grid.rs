//! Maps as they are stored.
//!
//! A map has a row of text for each row of cells, the top row first. A row is a picture or a list
//! of runs:
//!
//! - Picture: `.` is class 1, `#` is class 0, a digit is the class of that number, `_` is a void
//!   cell.
//! - Runs: class `*` count, such as `1*200 0*3 17*1 _*5`. They are used if classes are above 9 or
//!   the row is long.

use crate::{
    bounds::{Bounds, GridError},
    cell::{Cell, Direction},
    edit::Edit,
    exits::Exits,
    grid::Grid,
    topology::Topology,
};
use serde::{Deserialize, Serialize};
use std::{
    fmt::{self, Write},
    str::FromStr,
};
use thiserror::Error;

/// A map as it is stored.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Grid", deny_unknown_fields)]
pub(crate) struct StoredGrid {
    #[serde(default)]
    pub(crate) origin: Cell,
    pub(crate) width: u32,
    pub(crate) height: u32,
    #[serde(deserialize_with = "crate::stored::list")]
    pub(crate) rows: Vec<StoredRow>,
    #[serde(default)]
    pub(crate) topology: Topology,
    /// The cells of which not all exits are open, with their [bits](Exits::bits), in slot order.
    #[serde(default)]
    #[serde(deserialize_with = "crate::stored::list")]
    pub(crate) exits: Vec<(Cell, u8)>,
    #[serde(default)]
    #[serde(deserialize_with = "crate::stored::list")]
    pub(crate) overlays: Vec<StoredOverlay>,
    #[serde(default)]
    #[serde(deserialize_with = "crate::stored::list")]
    pub(crate) edges: Vec<StoredEdges>,
}

/// An overlay as it is stored.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename = "Overlay", deny_unknown_fields)]
pub(crate) struct StoredOverlay {
    name: String,
    /// The cells that have a value, in slot order.
    #[serde(deserialize_with = "crate::stored::list")]
    cells: Vec<(Cell, u16)>,
}

/// The edges of a name as they are stored.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename = "Edges", deny_unknown_fields)]
pub(crate) struct StoredEdges {
    name: String,
    /// The cells that have sides, with the bits of the sides, in slot order.
    #[serde(deserialize_with = "crate::stored::list")]
    cells: Vec<(Cell, u8)>,
}

/// One row of a map as its runs, whether they are written as runs or as a picture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct StoredRow {
    /// Class and count. A run without a class is void.
    runs: Vec<(Option<u8>, u32)>,
}

/// A reason why a stored row or map is invalid.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum GridTextFault {
    #[error(
        "`{letter}` stands for no terrain; a row is a picture of `.`, `#`, `_` and digits, or runs such as `17*3`"
    )]
    Letter { letter: char },
    #[error("`{run}` is an invalid run of cells; write class, `*` and count, such as `17*3`")]
    Run { run: String },
    #[error("row {row} has {found} cells, not {expected}; a map has rows of one length")]
    RowLength { row: usize, found: u64, expected: u32 },
    #[error("there are {found} rows, not {expected}; write one a row of cells")]
    RowCount { found: usize, expected: u32 },
    #[error(transparent)]
    Bounds(#[from] GridError),
}

/// The largest number of cells in a row that is written as a picture.
const LONGEST_PICTURE: u64 = 120;

impl StoredRow {
    fn of(classes: impl Iterator<Item = Option<u8>>) -> Self {
        let mut row = Self { runs: Vec::new() };
        for class in classes {
            row.push(class, 1);
        }
        row
    }

    fn cells(&self) -> u64 {
        self.runs.iter().map(|&(_, count)| u64::from(count)).sum()
    }

    fn push(&mut self, class: Option<u8>, count: u32) {
        match self.runs.last_mut() {
            Some((last, before)) if *last == class && before.checked_add(count).is_some() => *before += count,
            _ => self.runs.push((class, count)),
        }
    }
}

impl fmt::Display for StoredRow {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_picture = self.cells() <= LONGEST_PICTURE
            && self.runs.iter().all(|&(class, _)| class.is_none_or(|class| class <= 9));
        for (index, &(class, count)) in self.runs.iter().enumerate() {
            if is_picture {
                let letter = match class {
                    None => '_',
                    Some(0) => '#',
                    Some(1) => '.',
                    Some(digit) => char::from(b'0' + digit),
                };
                (0..count).try_for_each(|_| formatter.write_char(letter))?;
            } else {
                let gap = if index == 0 { "" } else { " " };
                match class {
                    Some(class) => write!(formatter, "{gap}{class}*{count}")?,
                    None => write!(formatter, "{gap}_*{count}")?,
                }
            }
        }
        Ok(())
    }
}

impl FromStr for StoredRow {
    type Err = GridTextFault;

    fn from_str(text: &str) -> Result<Self, GridTextFault> {
        let mut row = Self { runs: Vec::new() };
        if text.contains('*') {
            for run in text.split_ascii_whitespace() {
                let fault = || GridTextFault::Run { run: run.chars().take(40).collect() };
                let (class, count) = run.split_once('*').ok_or_else(fault)?;
                let class = if class == "_" { None } else { Some(class.parse().map_err(|_| fault())?) };
                row.push(class, count.parse().map_err(|_| fault())?);
            }
        } else {
            for letter in text.chars() {
                let class = match letter {
                    '.' => Some(1),
                    '#' => Some(0),
                    '_' => None,
                    digit => Some(digit.to_digit(10).ok_or(GridTextFault::Letter { letter })? as u8),
                };
                row.push(class, 1);
            }
        }
        Ok(row)
    }
}

impl From<Grid> for StoredGrid {
    fn from(grid: Grid) -> Self {
        Self::of(&grid)
    }
}

impl StoredGrid {
    pub(crate) fn of(grid: &Grid) -> Self {
        let (width, height, bounds) = (grid.width(), grid.height(), grid.bounds());
        let row = |y| StoredRow::of((0..width).map(|x| grid.terrain(bounds.global(x, y))));
        let rows = (0..height).rev().map(row).collect();
        let exits = bounds.cells().filter_map(|cell| Some((cell, grid.exits(cell)?)));
        let exits = if grid.has_exits() {
            exits
                .filter(|&(_, exits)| exits != Exits::ALL)
                .map(|(cell, exits)| (cell, exits.bits()))
                .collect()
        } else {
            Vec::new()
        };
        let overlay =
            |name: &str| StoredOverlay { name: name.to_owned(), cells: grid.overlay_cells(name).collect() };
        let overlays =
            grid.overlay_names().map(overlay).filter(|overlay| !overlay.cells.is_empty()).collect();
        let edges =
            |name: &str| StoredEdges { name: name.to_owned(), cells: grid.edge_cells(name).collect() };
        let edges = grid.edge_names().map(edges).filter(|edges| !edges.cells.is_empty()).collect();
        Self { origin: grid.origin(), width, height, rows, topology: grid.topology(), exits, overlays, edges }
    }
}

impl TryFrom<StoredGrid> for Grid {
    type Error = GridTextFault;

    /// Checks everything before it allocates memory for the map.
    fn try_from(stored: StoredGrid) -> Result<Self, GridTextFault> {
        let StoredGrid { origin, width, height, rows, topology, exits, overlays, edges } = stored;
        let bounds = Bounds::new(origin, width, height)?;
        if rows.len() != height as usize {
            return Err(GridTextFault::RowCount { found: rows.len(), expected: height });
        }
        for (number, row) in (1..).zip(&rows) {
            if row.cells() != u64::from(width) {
                return Err(GridTextFault::RowLength { row: number, found: row.cells(), expected: width });
            }
        }
        let mut classes = Vec::with_capacity(bounds.cell_count());
        for (class, count) in rows.iter().rev().flat_map(|row| &row.runs).copied() {
            classes.extend(std::iter::repeat_n(class.unwrap_or(0), count as usize));
        }
        let mut grid =
            Self::from_classes(width, height, classes)?.with_origin(origin)?.with_topology(topology);
        let mut slot = 0;
        for (class, count) in rows.iter().rev().flat_map(|row| &row.runs).copied() {
            let end = slot + count as usize;
            if class.is_none() {
                grid.leave((slot..end).filter_map(|slot| Some((bounds.cell(slot)?, slot))));
            }
            slot = end;
        }
        let exits = exits.into_iter().map(|(cell, bits)| Edit::exits(cell, Exits::from_bits(bits)));
        grid.restore(&exits.collect::<Vec<Edit>>())?;
        for StoredOverlay { name, cells } in overlays {
            grid.set_overlay(&name, cells)?;
        }
        for StoredEdges { name, cells } in edges {
            let edits =
                cells.into_iter().map(|(cell, sides)| Edit::edges(&name, cell, Direction::in_set(sides)));
            grid.restore(&edits.collect::<Vec<Edit>>())?;
        }
        Ok(grid.with_edits_forgotten())
    }
}
