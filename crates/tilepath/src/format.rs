//! Maps and scenarios as text.
//!
//! The formats are pictures, tables of costs, and the formats of movingai.com. The functions take
//! and return strings; they do not open files.
//!
//! A text begins with the **top** row of the map, but cells count rows from the bottom.
//! Only [`cell_from_top`] and [`from_top`] convert between both.
//!
//! | text | read | print |
//! |---|---|---|
//! | pictures for tests and documentation | [`parse_ascii`], [`parse_ascii_with`] | [`to_ascii`] |
//! | a table of costs | [`parse_costs`] | [`to_costs`] |
//! | a table of overlay values | [`parse_overlay`] | |
//! | MovingAI `.map` | [`parse_moving_ai`] | [`to_moving_ai`] |
//! | MovingAI `.scen` | [`parse_scenario`] | [`to_scenario`] |
//!
//! Every function that reads a text accepts `\n` and `\r\n` at the end of a line, and a byte order
//! mark. It checks the size of the map against the limits of [`Bounds`] before it allocates memory
//! for the map. An error names the line and the column of the fault.
//!
//! No format stores the origin of a map: the lowest row and column of a map that is read are 0.
//!
//! # Examples
//! ```
//! use tilepath::{Cell, PathFinder, Movement, format};
//! let grid = format::parse_ascii(
//!     "
//!     .....
//!     .###.
//!     ...#.
//!     ",
//! )?;
//! let finder = PathFinder::new(grid, Movement::default());
//! let outcome = finder.find(Cell::new(2, 0), Cell::new(4, 0))?;
//! assert_eq!(
//!     format::to_ascii(finder.grid(), outcome.path()),
//!     "*****\n\
//!      *###*\n\
//!      **S#G"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod ascii;
mod costs;
mod error;
mod letters;
mod moving_ai;
mod scenario;
#[cfg(test)]
mod tests;

pub use ascii::{parse_ascii, parse_ascii_with, to_ascii};
pub use costs::{parse_costs, parse_overlay, to_costs};
pub use error::{MapTextError, MapTextFault};
pub use letters::{LetterClasses, LetterClassesError};
pub use moving_ai::{NoLetter, parse_moving_ai, to_moving_ai};
pub use scenario::{ScenarioRow, parse_scenario, to_scenario};

use crate::{bounds::Bounds, cell::Cell, grid::Grid};

/// Returns the cell at a column and a row of a text. The column counts from the left and the row
/// from the top, both from 0. Returns `None` outside the map.
///
/// # Examples
/// ```
/// use tilepath::{Bounds, Cell, format};
/// let bounds = Bounds::new(Cell::new(-5, 0), 10, 4)?;
/// assert_eq!(format::cell_from_top(&bounds, 0, 0), Some(Cell::new(-5, 3)));
/// assert_eq!(format::cell_from_top(&bounds, 0, 4), None);
/// # Ok::<(), tilepath::GridError>(())
/// ```
#[must_use]
pub fn cell_from_top(bounds: &Bounds, column: u32, row: u32) -> Option<Cell> {
    if column >= bounds.width() || row >= bounds.height() {
        return None;
    }
    let row_from_below = bounds.height() - 1 - row;
    bounds.cell(row_from_below as usize * bounds.width() as usize + column as usize)
}

/// Returns the column and the row at which a text has a cell. The column counts from the left and
/// the row from the top, both from 0. Returns `None` outside the map.
///
/// # Examples
/// ```
/// use tilepath::{Bounds, Cell, format};
/// let bounds = Bounds::new(Cell::new(-5, 0), 10, 4)?;
/// assert_eq!(format::from_top(&bounds, Cell::new(-5, 3)), Some((0, 0)));
/// assert_eq!(format::from_top(&bounds, Cell::new(5, 3)), None);
/// # Ok::<(), tilepath::GridError>(())
/// ```
#[must_use]
pub fn from_top(bounds: &Bounds, cell: Cell) -> Option<(u32, u32)> {
    let slot = bounds.slot(cell)?;
    let width = bounds.width() as usize;
    Some(((slot % width) as u32, bounds.height() - 1 - (slot / width) as u32))
}

/// Returns the rectangle of a map that is about to be read, or an error if it is too large.
fn checked_bounds(line: usize, width: u64, height: u64) -> Result<Bounds, MapTextError> {
    let sides = u32::try_from(width).ok().zip(u32::try_from(height).ok());
    sides
        .and_then(|(width, height)| Bounds::new(Cell::default(), width, height).ok())
        .ok_or_else(|| MapTextError::new(line, 1, MapTextFault::TooLarge { width, height }))
}

/// Reads the letters of a row. It skips `indentation` letters at the beginning. If a blank is a
/// letter, blanks fill a row that is too short, because editors remove them at the end of a line.
fn push_row(
    row: &str,
    line: usize,
    indentation: usize,
    width: usize,
    letters: &LetterClasses,
    classes: &mut Vec<u8>,
) -> Result<(), MapTextError> {
    let before = classes.len();
    for letter in row.chars().skip(indentation) {
        classes.push(letters.class(letter).ok_or_else(|| {
            let fault = MapTextFault::UnknownLetter { found: letter, known: letters.listed() };
            MapTextError::new(line, indentation + classes.len() - before + 1, fault)
        })?);
    }
    let found = classes.len() - before;
    if let Some(blank) = letters.class(' ').filter(|_| found < width) {
        classes.resize(before + width, blank);
        return Ok(());
    }
    if found == width {
        return Ok(());
    }
    let fault = MapTextFault::RowLength { expected: width, found };
    Err(MapTextError::new(line, indentation + found.min(width) + 1, fault))
}

/// Returns the map with these classes, which were read row by row from the top.
fn grid_from_top(line: usize, bounds: Bounds, mut classes: Vec<u8>) -> Result<Grid, MapTextError> {
    let (width, height) = (bounds.width(), bounds.height());
    let columns = width as usize;
    for (upper, lower) in (0..height as usize / 2).zip((0..height as usize).rev()) {
        let (above, below) = classes.split_at_mut(lower * columns);
        above[upper * columns..(upper + 1) * columns].swap_with_slice(&mut below[..columns]);
    }
    // The readers have counted the cells, so only the size limits can fail here.
    Grid::from_classes(width, height, classes).map_err(|_| {
        MapTextError::new(line, 1, MapTextFault::TooLarge { width: width.into(), height: height.into() })
    })
}

/// Returns the column, from 1, of a part of a line.
fn column_of(line: &str, part: &str) -> usize {
    let bytes = (part.as_ptr() as usize).saturating_sub(line.as_ptr() as usize);
    line.get(..bytes).map_or(1, |before| before.chars().count() + 1)
}
