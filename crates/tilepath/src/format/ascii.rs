//! Maps as pictures: `.` is open, `#` a wall, a digit the class of that number.

use super::{
    checked_bounds,
    error::{MapTextError, MapTextFault},
    from_top, grid_from_top,
    letters::LetterClasses,
    push_row,
};
use crate::{grid::Grid, path::Path, text::without_mark};

/// Reads a map from a picture with one letter per cell. `.` stands for terrain class 1, `#` for
/// class 0, and a digit for the class of this number.
///
/// The first row is the top row. These parts of the text are ignored, so that a map can be an
/// indented string in a test:
///
/// - blank lines before and after the map,
/// - spaces at the end of a row,
/// - the indentation that all rows share.
///
/// For costs above 9 use [`parse_costs`](super::parse_costs), for other letters
/// [`parse_ascii_with`].
///
/// # Errors
/// An error names the line and the column of:
///
/// - a letter that stands for no terrain class,
/// - a row that is shorter or longer than the first row,
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
/// let grid = format::parse_ascii(
///     "
///     ..#
///     .29
///     ",
/// )?;
/// assert_eq!((grid.width(), grid.height()), (3, 2));
/// assert_eq!(grid.terrain(Cell::new(2, 1)), Some(0));
/// assert_eq!(grid.terrain(Cell::new(1, 0)), Some(2));
///
/// let error = format::parse_ascii("...\n.x.").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "line 2, column 2: `x` stands for no terrain; the letters are # . 0 1 2 3 4 5 6 7 8 9"
/// );
/// # Ok::<(), tilepath::format::MapTextError>(())
/// ```
pub fn parse_ascii(text: &str) -> Result<Grid, MapTextError> {
    parse_ascii_with(text, &LetterClasses::ascii())
}

/// Reads a map from a picture, with your own terrain classes for the letters. Apart from the
/// letters, it works as [`parse_ascii`]. If the letters have a class for a blank, a row that is
/// shorter than the longest row ends in blanks.
///
/// # Errors
/// The errors of [`parse_ascii`].
///
/// # Examples
/// ```
/// use tilepath::{Cell, format::{self, LetterClasses}};
/// let letters = LetterClasses::ascii().with('~', 0).with('=', 1).with('.', 2);
/// let grid = format::parse_ascii_with("..~..\n==#==\n..~..", &letters)?;
/// assert_eq!(grid.terrain(Cell::new(2, 0)), Some(0));
/// assert_eq!(grid.terrain(Cell::new(4, 0)), Some(2));
/// # Ok::<(), tilepath::format::MapTextError>(())
/// ```
pub fn parse_ascii_with(text: &str, letters: &LetterClasses) -> Result<Grid, MapTextError> {
    let lines = || without_mark(text).lines().map(str::trim_end).zip(1..);
    let mut filled = lines().filter(|(row, _)| !row.is_empty()).map(|(_, line)| line);
    let first: usize = filled.next().ok_or_else(|| MapTextError::new(1, 1, MapTextFault::Empty))?;
    let last = filled.last().unwrap_or(first);
    let rows = || lines().skip(first - 1).take(last + 1 - first);

    let indentation = rows()
        .filter(|(row, _)| !row.is_empty())
        .map(|(row, _)| row.chars().take_while(|letter| letter.is_whitespace()).count())
        .min()
        .unwrap_or(0);
    let mut widths = rows().map(|(row, _)| row.chars().skip(indentation).count());
    let width = if letters.class(' ').is_some() { widths.max() } else { widths.next() }.unwrap_or(0);
    let bounds = checked_bounds(first, width as u64, (last + 1 - first) as u64)?;

    let mut classes = Vec::with_capacity(bounds.cell_count().min(text.len()));
    for (row, line) in rows() {
        push_row(row, line, indentation, width, letters, &mut classes)?;
    }
    grid_from_top(first, bounds, classes)
}

/// Writes a map as a picture. The top row comes first, and there is no line break at the end. `.`
/// stands for terrain class 1, `#` for class 0, a digit for the class of this number, and `+` for
/// any class above 9.
///
/// If a path is given, it is drawn over the map: `S` is its start, `G` is its goal, and `*` is any
/// other cell of the path. A path of one cell is drawn as `S`.
///
/// # Guarantee
/// If no path is given, no class is above 9 and no side is 0, [`parse_ascii`] reads a map with equal
/// classes from this text. Its lower left cell is (0, 0). Void cells, exits and overlays are not in the text.
///
/// # Examples
/// ```
/// use tilepath::{Cell, Movement, PathFinder, format};
/// let finder = PathFinder::new(format::parse_ascii("...\n.#2\n...")?, Movement::default());
/// assert_eq!(format::to_ascii(finder.grid(), None), "...\n.#2\n...");
///
/// let outcome = finder.find(Cell::new(0, 0), Cell::new(1, 2))?;
/// assert_eq!(format::to_ascii(finder.grid(), outcome.path()), "*G.\n*#2\nS..");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn to_ascii(grid: &Grid, path: Option<&Path>) -> String {
    let mut rows: Vec<Vec<char>> =
        grid.rows_from_top().map(|row| row.iter().map(|&class| letter_of(class)).collect()).collect();
    let cells = path.map_or(&[][..], Path::cells);
    for (step, &cell) in cells.iter().enumerate() {
        let letter = match step {
            0 => 'S',
            _ if step + 1 == cells.len() => 'G',
            _ => '*',
        };
        if let Some((column, row)) = from_top(&grid.bounds(), cell) {
            rows[row as usize][column as usize] = letter;
        }
    }
    let rows: Vec<String> = rows.into_iter().map(String::from_iter).collect();
    rows.join("\n")
}

fn letter_of(class: u8) -> char {
    match class {
        0 => '#',
        1 => '.',
        2..=9 => char::from(b'0' + class),
        _ => '+',
    }
}
