//! Maps as tables of numbers: one cost per cell.

use super::{
    cell_from_top, checked_bounds, column_of,
    error::{MapTextError, MapTextFault},
    grid_from_top,
};
use crate::{
    bounds::Bounds,
    cell::Cell,
    grid::Grid,
    text::{quoted, whole_number, without_mark},
};
use std::{fmt::Write, str::FromStr};

/// Reads a map from a table of costs: whole numbers from 0 (a wall) to 255, separated by spaces or
/// tabs. Each line is a row, and the top row comes first.
///
/// Each number is the terrain class of a cell. With the default [`CostTable`](crate::CostTable), it
/// is also the cost of a step onto the cell. Blank lines before and after the table are ignored.
///
/// # Errors
/// An error names the line and the column of:
///
/// - a word that is not a whole number from 0 to 255,
/// - a row that is shorter or longer than the first row: the missing number, or the first extra
///   number,
/// - a text without rows, always at line 1, column 1.
///
/// [`MapTextFault::TooLarge`] is returned before memory for the map is allocated.
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
    let table = parse_table(text, |found| MapTextFault::NotACost { found })?;
    grid_from_top(table.first, table.bounds, table.numbers)
}

/// Reads the values of an overlay from a table as in [`parse_costs`]. The numbers go from 0 (no
/// value) to 65535. Pass the values to [`Grid::set_overlay`](crate::Grid::set_overlay).
///
/// Returns the rectangle of the table and the cells that have a value, each with its value. The
/// origin of the rectangle is (0, 0).
///
/// # Errors
/// The errors of [`parse_costs`].
///
/// # Examples
/// ```
/// use tilepath::{Cell, Grid, format};
/// let (bounds, danger) = format::parse_overlay("0 300\n7 0\n")?;
/// assert_eq!(danger, [(Cell::new(1, 1), 300), (Cell::new(0, 0), 7)]);
/// let mut grid = Grid::new(bounds.width(), bounds.height(), 1)?;
/// grid.set_overlay("danger", danger)?;
/// assert_eq!(grid.overlay("danger", Cell::new(1, 1)), 300);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse_overlay(text: &str) -> Result<(Bounds, Vec<(Cell, u16)>), MapTextError> {
    let table = parse_table(text, |found| MapTextFault::NotAnOverlayValue { found })?;
    let (bounds, width) = (table.bounds, table.bounds.width() as usize);
    let valued = |(slot, value): (usize, u16)| {
        let (column, row) = ((slot % width) as u32, (slot / width) as u32);
        cell_from_top(&bounds, column, row).filter(|_| value > 0).map(|cell| (cell, value))
    };
    Ok((bounds, table.numbers.into_iter().enumerate().filter_map(valued).collect()))
}

/// A table of numbers, row by row from the top.
struct Table<T> {
    /// The line of the first row, from 1.
    first: usize,
    bounds: Bounds,
    numbers: Vec<T>,
}

fn parse_table<T: FromStr>(
    text: &str,
    fault: impl Fn(String) -> MapTextFault,
) -> Result<Table<T>, MapTextError> {
    let lines = || without_mark(text).lines().map(str::trim_end).zip(1..);
    let mut filled = lines().filter(|(row, _)| !row.is_empty()).map(|(_, line)| line);
    let first: usize = filled.next().ok_or_else(|| MapTextError::new(1, 1, MapTextFault::Empty))?;
    let last = filled.last().unwrap_or(first);
    let rows = || lines().skip(first - 1).take(last + 1 - first);

    let width = rows().next().map_or(0, |(row, _)| row.split_whitespace().count());
    let bounds = checked_bounds(first, width as u64, (last + 1 - first) as u64)?;

    let mut numbers = Vec::with_capacity(bounds.cell_count().min(text.len()));
    for (row, line) in rows() {
        let before = numbers.len();
        let mut surplus = None;
        for word in row.split_whitespace() {
            if numbers.len() - before == width {
                surplus = surplus.or(Some(word));
            }
            numbers.push(
                whole_number(word)
                    .ok_or_else(|| MapTextError::new(line, column_of(row, word), fault(quoted(word))))?,
            );
        }
        let found = numbers.len() - before;
        if found != width {
            let column = surplus.map_or_else(|| row.chars().count() + 1, |word| column_of(row, word));
            return Err(MapTextError::new(line, column, MapTextFault::RowLength { expected: width, found }));
        }
    }
    Ok(Table { first, bounds, numbers })
}

/// Writes a map as a table of its terrain classes. The top row comes first. One space separates
/// numbers, and each row ends with a line break.
///
/// # Guarantee
/// [`parse_costs`] reads a map with equal classes from this text, unless a side of the map is 0. Its
/// lower left cell is (0, 0). Void cells, exits and overlays are not in the text.
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
