//! Maps in the format of the MovingAI benchmarks.

use super::{
    checked_bounds, column_of,
    error::{MapTextError, MapTextFault},
    grid_from_top,
    letters::LetterClasses,
    push_row,
};
use crate::{
    cell::Cell,
    grid::Grid,
    text::{quoted, whole_number, without_mark},
};
use std::fmt::Write;
use thiserror::Error;

/// Reads a map in the format of the MovingAI benchmarks: a header with `height` and `width`, a line
/// `map`, then the rows. The top row comes first, with one letter per cell. The line `type octile`
/// may be missing, as in maps of the MAPF benchmarks.
///
/// These parts are ignored: other lines before the line `map`, spaces at the end of a line, and
/// blank lines after the last row. A map without cells (`height 0` or `width 0`) is valid. If the
/// letters have a class for a blank, blanks fill the end of a row that is too short.
///
/// # Errors
/// An error names the line and the column of:
///
/// - a missing or invalid header line,
/// - a letter without a class,
/// - a row with a wrong length,
/// - missing or extra rows.
///
/// [`MapTextFault::TooLarge`] is returned before memory for the map is allocated, for any size in
/// the header.
///
/// # Complexity
/// O(length of the text).
///
/// # Examples
/// ```
/// use tilepath::{Cell, format::{self, LetterClasses}};
/// let text = "type octile\nheight 2\nwidth 3\nmap\n.ST\n..W\n";
/// let grid = format::parse_moving_ai(text, &LetterClasses::default())?;
/// assert_eq!(grid.terrain(Cell::new(1, 1)), Some(1));
/// let grid = format::parse_moving_ai(text, &"S=3".parse()?)?;
/// assert_eq!(grid.terrain(Cell::new(1, 1)), Some(3));
///
/// let error = format::parse_moving_ai("type octile\nheight 9\nwidth 4000000000\nmap\n", &LetterClasses::default());
/// assert_eq!(
///     error.unwrap_err().to_string(),
///     "line 3, column 1: a map of 4000000000 × 9 cells is too large: sides go to 65535 and cells to 268435456"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse_moving_ai(text: &str, letters: &LetterClasses) -> Result<Grid, MapTextError> {
    let mut lines = without_mark(text).lines().map(str::trim_end).zip(1_usize..);
    let (mut width, mut height) = (None, None);
    let mut read = 0;
    loop {
        let Some((line, number)) = lines.next() else {
            return Err(MapTextError::new(read + 1, 1, MapTextFault::MissingHeader { keyword: "map" }));
        };
        read = number;
        let mut words = line.split_whitespace();
        match (words.next(), words.next(), words.next()) {
            (Some("map"), None, None) => break,
            (Some("height"), Some(size), None) => {
                height = Some((size_of("height", line, number, size)?, number));
            }
            (Some("width"), Some(size), None) => {
                width = Some((size_of("width", line, number, size)?, number));
            }
            // Other text, such as the line `type octile`, is skipped.
            _ => {}
        }
    }
    let missing = |keyword| MapTextError::new(read, 1, MapTextFault::MissingHeader { keyword });
    let (width, width_line) = width.ok_or_else(|| missing("width"))?;
    let (height, height_line) = height.ok_or_else(|| missing("height"))?;
    let bounds = checked_bounds(width_line.max(height_line), width, height)?;
    let (columns, rows) = (bounds.width() as usize, bounds.height() as usize);

    // A cell takes at least one byte of text, unless blanks are letters. So memory is limited by
    // the text, even if the header states more cells.
    let mut classes = Vec::with_capacity(bounds.cell_count().min(text.len()));
    for row in 0..rows {
        let Some((line, number)) = lines.next() else {
            return Err(MapTextError::new(
                read + 1,
                1,
                MapTextFault::RowCount { expected: rows, found: row },
            ));
        };
        read = number;
        push_row(line, number, 0, columns, letters, &mut classes)?;
    }
    let mut surplus = lines.filter(|(line, _)| !line.is_empty());
    if let Some((_, number)) = surplus.next() {
        let found = rows + 1 + surplus.count();
        return Err(MapTextError::new(number, 1, MapTextFault::RowCount { expected: rows, found }));
    }
    grid_from_top(read, bounds, classes)
}

fn size_of(keyword: &'static str, line: &str, number: usize, size: &str) -> Result<u64, MapTextError> {
    let fault = || MapTextFault::NotASize { keyword, found: quoted(size) };
    whole_number(size).ok_or_else(|| MapTextError::new(number, column_of(line, size), fault()))
}

/// Writes a map in the format of the MovingAI benchmarks. If several letters have the same class,
/// the letter that comes first in `.` `@` `T` `S` `W` `G` `O` is written. If none of these has the
/// class, the first in ASCII order is written.
///
/// # Errors
/// [`NoLetter`] if no letter has the class of a cell.
///
/// # Guarantee
/// [`parse_moving_ai`] with these letters reads a map with equal classes from this text. Its lower
/// left cell is (0, 0). Void cells, exits and overlays are not in the text.
///
/// # Examples
/// ```
/// use tilepath::format::{self, LetterClasses};
/// let grid = format::parse_ascii("..#\n.3.")?;
/// assert_eq!(
///     format::to_moving_ai(&grid, &"S=3".parse()?)?,
///     "type octile\nheight 2\nwidth 3\nmap\n..@\n.S.\n"
/// );
/// assert!(format::to_moving_ai(&grid, &LetterClasses::default()).is_err(), "no letter has class 3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn to_moving_ai(grid: &Grid, letters: &LetterClasses) -> Result<String, NoLetter> {
    let mut text = String::new();
    // Writing to a `String` cannot fail.
    let _ = writeln!(text, "type octile\nheight {}\nwidth {}\nmap", grid.height(), grid.width());
    for (row, classes) in (0..).zip(grid.rows_from_top()) {
        for (column, &class) in (0..).zip(classes) {
            let letter = letters.letter(class).ok_or_else(|| NoLetter {
                cell: super::cell_from_top(&grid.bounds(), column, row).unwrap_or_default(),
                class,
            })?;
            text.push(letter);
        }
        text.push('\n');
    }
    Ok(text)
}

/// The error for a map with a terrain class that has no letter. The map cannot be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("no letter stands for class {class} of the cell {cell}; give one with LetterClasses::with")]
#[non_exhaustive]
pub struct NoLetter {
    /// The first cell whose class has no letter. Cells count row by row from the top row.
    pub cell: Cell,
    /// The class of this cell.
    pub class: u8,
}
