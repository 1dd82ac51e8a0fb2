//! Maps as tables of numbers: one cost a cell.

use super::{
    checked_bounds, column_of,
    error::{MapTextError, MapTextFault},
    grid_from_top,
};
use crate::{
    grid::Grid,
    text::{quoted, whole_number, without_mark},
};
use std::fmt::Write;

/// A map from a table of costs: whole numbers from 0 (a wall) to 255, parted by spaces or tabs, one row a line, the top
/// row first. The number is the terrain class, so that the default cost table makes it the cost.
///
/// Blank lines before and after the table are ignored.
///
/// # Errors
/// Names line and column of a word that is not such a number, of a row that is shorter or longer than the first (the
/// place of the missing or the first surplus number), and of a text without a row. [`MapTextFault::TooLarge`] before
/// anything is allocated.
///
/// # Complexity
/// O(length of the text).
///
/// # Examples
/// ```
/// use tilepath::{Cell, format};
/// let grid = format::parse_costs("1 1 0\n12 255 1\n")?;
/// assert_eq!((grid.width(), grid.height()), (3, 2));
/// assert_eq!(grid.terrain(Cell::new(0, 0)), Some(12));
///
/// let error = format::parse_costs("1 1 0\n12 255\n").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "line 2, column 7: this row has 2 cells, not 3; give every row the same number"
/// );
/// # Ok::<(), tilepath::format::MapTextError>(())
/// ```
pub fn parse_costs(text: &str) -> Result<Grid, MapTextError> {
    let lines = || without_mark(text).lines().map(str::trim_end).zip(1..);
    let mut filled = lines().filter(|(row, _)| !row.is_empty()).map(|(_, line)| line);
    let first: usize = filled.next().ok_or_else(|| MapTextError::new(1, 1, MapTextFault::Empty))?;
    let last = filled.last().unwrap_or(first);
    let rows = || lines().skip(first - 1).take(last + 1 - first);

    let width = rows().next().map_or(0, |(row, _)| row.split_whitespace().count());
    let bounds = checked_bounds(first, width as u64, (last + 1 - first) as u64)?;

    let mut classes = Vec::with_capacity(bounds.cell_count().min(text.len()));
    for (row, line) in rows() {
        let before = classes.len();
        let mut surplus = None;
        for word in row.split_whitespace() {
            if classes.len() - before == width {
                surplus = surplus.or(Some(word));
            }
            classes.push(whole_number(word).ok_or_else(|| {
                MapTextError::new(line, column_of(row, word), MapTextFault::NotACost { found: quoted(word) })
            })?);
        }
        let found = classes.len() - before;
        if found != width {
            let column = surplus.map_or_else(|| row.chars().count() + 1, |word| column_of(row, word));
            return Err(MapTextError::new(line, column, MapTextFault::RowLength { expected: width, found }));
        }
    }
    grid_from_top(first, bounds, classes)
}

/// A map as a table of its classes, the top row first, one space between numbers and a line break after each row.
///
/// # Guarantee
/// [`parse_costs`] reads the same map back, unless a side is 0.
///
/// # Examples
/// ```
/// use tilepath::format;
/// let grid = format::parse_ascii("..#\n.29")?;
/// assert_eq!(format::to_costs(&grid), "1 1 0\n1 2 9\n");
/// # Ok::<(), tilepath::format::MapTextError>(())
/// ```
#[must_use]
pub fn to_costs(grid: &Grid) -> String {
    let mut text = String::new();
    for row in grid.rows_from_top() {
        for (column, class) in row.iter().enumerate() {
            let gap = if column == 0 { "" } else { " " };
            // Writing to a `String` cannot fail.
            let _ = write!(text, "{gap}{class}");
        }
        text.push('\n');
    }
    text
}
