//! Maps as they are stored: a row of text for each row of cells, the top row first.
//!
//! A row is a picture (`.` is class 1, `#` class 0, a digit the class of that number) or, where classes are higher or the
//! row is long, a list of runs, each as class `*` count: `1*200 0*3 17*1`.

use crate::{
    bounds::{Bounds, GridError},
    cell::Cell,
    grid::Grid,
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
    pub(crate) rows: Vec<StoredRow>,
}

/// One row of a map: its runs, whichever way they are written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct StoredRow {
    /// Class and count.
    runs: Vec<(u8, u32)>,
}

/// Why a stored row or map is none.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum GridTextFault {
    #[error(
        "`{letter}` stands for no terrain; a row is a picture of `.`, `#` and digits, or runs such as `17*3`"
    )]
    Letter { letter: char },
    #[error("`{run}` is no run of cells; write class, `*` and count, such as `17*3`")]
    Run { run: String },
    #[error("row {row} has {found} cells, not {expected}; a map has rows of one length")]
    RowLength { row: usize, found: u64, expected: u32 },
    #[error("there are {found} rows, not {expected}; write one a row of cells")]
    RowCount { found: usize, expected: u32 },
    #[error(transparent)]
    Bounds(#[from] GridError),
}

/// The longest row that is written as a picture.
const LONGEST_PICTURE: u64 = 120;

impl StoredRow {
    fn of(classes: &[u8]) -> Self {
        let runs = classes.chunk_by(|one, other| one == other);
        Self { runs: runs.map(|run| (run[0], run.len() as u32)).collect() }
    }

    fn cells(&self) -> u64 {
        self.runs.iter().map(|&(_, count)| u64::from(count)).sum()
    }

    fn push(&mut self, class: u8, count: u32) {
        match self.runs.last_mut() {
            Some((last, before)) if *last == class && before.checked_add(count).is_some() => *before += count,
            _ => self.runs.push((class, count)),
        }
    }
}

impl fmt::Display for StoredRow {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_picture = self.cells() <= LONGEST_PICTURE && self.runs.iter().all(|&(class, _)| class <= 9);
        for (index, &(class, count)) in self.runs.iter().enumerate() {
            if is_picture {
                let letter = match class {
                    0 => '#',
                    1 => '.',
                    digit => char::from(b'0' + digit),
                };
                (0..count).try_for_each(|_| formatter.write_char(letter))?;
            } else {
                let gap = if index == 0 { "" } else { " " };
                write!(formatter, "{gap}{class}*{count}")?;
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
                row.push(class.parse().map_err(|_| fault())?, count.parse().map_err(|_| fault())?);
            }
        } else {
            for letter in text.chars() {
                let class = match letter {
                    '.' => 1,
                    '#' => 0,
                    digit => digit.to_digit(10).ok_or(GridTextFault::Letter { letter })? as u8,
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
        let (width, height) = (grid.width(), grid.height());
        let rows = grid.rows_from_top().map(StoredRow::of).collect();
        Self { origin: grid.origin(), width, height, rows }
    }
}

impl TryFrom<StoredGrid> for Grid {
    type Error = GridTextFault;

    /// Nothing of the map's size is allocated before all of it was checked.
    fn try_from(StoredGrid { origin, width, height, rows }: StoredGrid) -> Result<Self, GridTextFault> {
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
            classes.extend(std::iter::repeat_n(class, count as usize));
        }
        Ok(Self::from_classes(width, height, classes)?.with_origin(origin)?)
    }
}
