//! What can be wrong with a text.

use crate::bounds::Bounds;
use thiserror::Error;

/// Why a text is not a map or not a scenario: the place and the fault.
///
/// Its `Display` says what to write instead.
///
/// # Units
/// Lines and columns count from 1, columns in characters, as editors show them.
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
    /// The line, from 1. One past the last where something is missing at the end.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong there.
    #[source]
    pub fault: MapTextFault,
}

impl MapTextError {
    pub(super) fn new(line: usize, column: usize, fault: MapTextFault) -> Self {
        Self { line, column, fault }
    }
}

/// What is wrong at a place of a text.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum MapTextFault {
    /// The text holds no row.
    #[error("there is no map here; write at least one row")]
    Empty,
    /// A letter that stands for no terrain.
    #[error("`{found}` stands for no terrain; the letters are {known}")]
    UnknownLetter {
        /// The letter.
        found: char,
        /// The letters that would do.
        known: String,
    },
    /// A word in a table of costs that is not a cost.
    #[error("`{found}` is not a cost; write whole numbers from 0 (a wall) to 255")]
    NotACost {
        /// The word, shortened if it is long.
        found: String,
    },
    /// A word in a table of overlay values that is not one.
    #[error("`{found}` is not a value; write whole numbers from 0 (none) to 65535")]
    NotAnOverlayValue {
        /// The word, shortened if it is long.
        found: String,
    },
    /// A row that is shorter or longer than the others, or than the header says.
    #[error("this row has {found} cells, not {expected}; give every row the same number")]
    RowLength {
        /// The cells of the first row or of the header.
        expected: usize,
        /// The cells of this row.
        found: usize,
    },
    /// The header announces more or fewer rows than there are.
    #[error("the map has {found} rows, not the {expected} of its header; correct `height` or the rows")]
    RowCount {
        /// The rows of the header.
        expected: usize,
        /// The rows there are.
        found: usize,
    },
    /// A line of the header is missing.
    #[error("the header has no `{keyword}` line; a MovingAI map begins with type, height, width and map")]
    MissingHeader {
        /// How the line begins.
        keyword: &'static str,
    },
    /// A size in the header that is not a number.
    #[error("`{found}` is not a size; write {keyword} and a whole number")]
    NotASize {
        /// How the line begins.
        keyword: &'static str,
        /// What follows, shortened if it is long.
        found: String,
    },
    /// The map is over the limits. Nothing was allocated.
    #[error(
        "a map of {width} × {height} cells is too large: sides go to {max_side} and cells to {max_cells}",
        max_side = Bounds::MAX_SIDE,
        max_cells = Bounds::MAX_CELLS
    )]
    TooLarge {
        /// Columns.
        width: u64,
        /// Rows.
        height: u64,
    },
    /// A scenario that does not begin with its version.
    #[error("a scenario begins with `version 1`, not with `{found}`")]
    NotAScenario {
        /// The first line, shortened if it is long.
        found: String,
    },
    /// A row of a scenario with too few or too many fields.
    #[error(
        "this row has {found} fields, not 9; write bucket, map, width, height, start x, start y, goal x, goal y and optimal length, parted by tabs or spaces"
    )]
    FieldCount {
        /// The fields there are.
        found: usize,
    },
    /// A field of a scenario that is not a number of its kind.
    #[error("`{found}` is no {field}; write {wanted}")]
    BadField {
        /// What the field is.
        field: &'static str,
        /// What is there, shortened if it is long.
        found: String,
        /// What would do.
        wanted: &'static str,
    },
    /// A start or goal outside the size that the row itself names.
    #[error(
        "the {which} {column},{row} is outside the {width} × {height} cells of its map; columns and rows count from 0"
    )]
    OutsideMap {
        /// `start` or `goal`.
        which: &'static str,
        /// Column from the left.
        column: u32,
        /// Row from the top.
        row: u32,
        /// Columns of the map.
        width: u32,
        /// Rows of the map.
        height: u32,
    },
}
