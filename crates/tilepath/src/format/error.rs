//! The errors of map and scenario texts.

use crate::bounds::Bounds;
use thiserror::Error;

/// An error in the text of a map or a scenario: the position and the fault.
///
/// The `Display` text of the error states what to write instead.
///
/// # Units
/// Lines and columns count from 1. Columns count characters, as in editors.
///
/// # Examples
/// ```
/// use tilepath::format::{self, MapTextFault};
/// let error = format::parse_costs("1 1 1\n1 300 1\n").unwrap_err();
/// assert_eq!((error.line, error.column), (2, 3));
/// assert_eq!(error.fault, MapTextFault::NotACost { found: "300".into() });
/// assert_eq!(
///     error.to_string(),
///     "line 2, column 3: `300` is not a cost; write whole numbers from 0 (a wall) to 255"
/// );
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}, column {column}: {fault}")]
pub struct MapTextError {
    /// The line of the text, from 1. If something is missing at the end of the text, this is the
    /// line after the last line.
    pub line: usize,
    /// The column of the line, from 1.
    pub column: usize,
    /// The fault at this position.
    #[source]
    pub fault: MapTextFault,
}

impl MapTextError {
    pub(super) fn new(line: usize, column: usize, fault: MapTextFault) -> Self {
        Self { line, column, fault }
    }
}

/// A fault in a text.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum MapTextFault {
    /// The text has no row.
    #[error("there is no map here; write at least one row")]
    Empty,
    /// A letter stands for no terrain class.
    #[error("`{found}` stands for no terrain; the letters are {known}")]
    UnknownLetter {
        /// The letter.
        found: char,
        /// The letters that are allowed.
        known: String,
    },
    /// A word in a table of costs is not a cost.
    #[error("`{found}` is not a cost; write whole numbers from 0 (a wall) to 255")]
    NotACost {
        /// The word, shortened if it is long.
        found: String,
    },
    /// A word in a table of overlay values is not a value.
    #[error("`{found}` is not a value; write whole numbers from 0 (none) to 65535")]
    NotAnOverlayValue {
        /// The word, shortened if it is long.
        found: String,
    },
    /// A row of the map is shorter or longer than the first row, or than the width in the header.
    #[error("this row has {found} cells, not {expected}; give every row the same number")]
    RowLength {
        /// The number of cells in the first row, or the width in the header.
        expected: usize,
        /// The number of cells in this row.
        found: usize,
    },
    /// The number of rows differs from the height in the header.
    #[error("the map has {found} rows, not the {expected} of its header; correct `height` or the rows")]
    RowCount {
        /// The height in the header.
        expected: usize,
        /// The number of rows in the text.
        found: usize,
    },
    /// A line of the header is missing.
    #[error("the header has no `{keyword}` line; a MovingAI map begins with type, height, width and map")]
    MissingHeader {
        /// The first word of the line.
        keyword: &'static str,
    },
    /// A size in the header is not a number.
    #[error("`{found}` is not a size; write {keyword} and a whole number")]
    NotASize {
        /// The first word of the line.
        keyword: &'static str,
        /// The text after the first word, shortened if it is long.
        found: String,
    },
    /// The map is too large. No memory was allocated.
    #[error(
        "a map of {width} × {height} cells is too large: sides go to {max_side} and cells to {max_cells}",
        max_side = Bounds::MAX_SIDE,
        max_cells = Bounds::MAX_CELLS
    )]
    TooLarge {
        /// The number of columns.
        width: u64,
        /// The number of rows.
        height: u64,
    },
    /// A scenario does not begin with the line `version 1`.
    #[error("a scenario begins with `version 1`, not with `{found}`; only rows of version 1 can be read")]
    NotAScenario {
        /// The first line, shortened if it is long.
        found: String,
    },
    /// A row of a scenario has too few or too many fields.
    #[error(
        "this row has {found} fields, not 9; write bucket, map, width, height, start x, start y, goal x, goal y and optimal length, parted by tabs or spaces"
    )]
    FieldCount {
        /// The number of fields in the row.
        found: usize,
    },
    /// A field of a scenario is not a valid number.
    #[error("`{found}` is an invalid {field}; write {wanted}")]
    BadField {
        /// The name of the field.
        field: &'static str,
        /// The text of the field, shortened if it is long.
        found: String,
        /// A description of valid values.
        wanted: &'static str,
    },
    /// A start or goal is outside the map size in the same row.
    #[error(
        "the {which} {column},{row} is outside the {width} × {height} cells of its map; columns and rows count from 0"
    )]
    OutsideMap {
        /// `start` or `goal`.
        which: &'static str,
        /// The column of the start or goal, from the left, from 0.
        column: u32,
        /// The row of the start or goal, from the top, from 0.
        row: u32,
        /// The number of columns of the map.
        width: u32,
        /// The number of rows of the map.
        height: u32,
    },
}
