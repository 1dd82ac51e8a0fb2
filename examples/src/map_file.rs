//! Maps from files: a picture of letters, a table of costs, or MovingAI.
//!
//! The text itself decides which of the three it is.

use std::{
    error::Error,
    fmt, fs, io,
    path::{Path, PathBuf},
};

use bevy_tilepath::{
    Cell,
    tilepath::{
        Grid,
        format::{self, LetterClasses, MapTextError},
    },
};

/// A map, and the two places that its picture marks.
#[derive(Debug, Clone, PartialEq)]
pub struct MarkedMap {
    /// The ground.
    pub grid: Grid,
    /// The cell of an `S`.
    pub start: Option<Cell>,
    /// The cell of a `G`.
    pub goal: Option<Cell>,
}

/// Reads a map.
///
/// # Errors
/// If the file cannot be read or is not a map. The message has file, line and column.
pub fn read(file: &Path) -> Result<MarkedMap, MapFileError> {
    let fault = |fault| MapFileError { file: file.into(), fault };
    let text = fs::read_to_string(file).map_err(|error| fault(Fault::Read(error)))?;
    parse(&text).map_err(|error| fault(Fault::Text(error)))
}

/// Parses a map.
///
/// A text that begins with `type` is a MovingAI map. A text of numbers with spaces between them is
/// a table of costs. Any other text is a picture, in which `S` and `G` mark start and goal on open
/// ground.
///
/// # Errors
/// Returns line and column of a fault.
pub fn parse(text: &str) -> Result<MarkedMap, MapTextError> {
    let unmarked = |grid| MarkedMap { grid, start: None, goal: None };
    let first = text.trim_start_matches('\u{feff}').lines().map(str::trim).find(|line| !line.is_empty());
    let first = first.unwrap_or_default();
    if first.starts_with("type") {
        return format::parse_moving_ai(text, &LetterClasses::default()).map(unmarked);
    }
    if first.contains(char::is_whitespace) {
        return format::parse_costs(text).map(unmarked);
    }
    let grid = format::parse_ascii(&text.replace(['S', 'G'], "."))?;
    let (start, goal) = (mark(text, 'S', &grid), mark(text, 'G', &grid));
    Ok(MarkedMap { grid, start, goal })
}

/// Returns the first cell with this letter, in a picture that is a valid map.
fn mark(picture: &str, letter: char, grid: &Grid) -> Option<Cell> {
    let rows = picture.trim_start_matches('\u{feff}').lines().skip_while(|row| row.trim().is_empty());
    let (row, line) = rows.enumerate().find(|(_, row)| row.contains(letter))?;
    // All rows have the width of the map, after their common indentation.
    let indentation = line.trim_end().chars().count().checked_sub(grid.width() as usize)?;
    let column = line.chars().position(|found| found == letter)?.checked_sub(indentation)?;
    let cell = Cell::new(column as i32, grid.height() as i32 - 1 - row as i32);
    grid.contains(cell).then_some(cell)
}

/// The reason why a map could not be read.
#[derive(Debug)]
pub struct MapFileError {
    file: PathBuf,
    fault: Fault,
}

#[derive(Debug)]
enum Fault {
    Read(io::Error),
    Text(MapTextError),
}

impl fmt::Display for MapFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.display();
        match &self.fault {
            Fault::Read(error) => write!(f, "{file} cannot be read: {error}"),
            Fault::Text(error) => write!(f, "{file}: {error}"),
        }
    }
}

impl Error for MapFileError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_kinds_of_map_are_distinguished() {
        let picture = parse("\n  ..#\n  S2G\n").unwrap();
        assert_eq!((picture.grid.width(), picture.grid.height()), (3, 2));
        assert_eq!((picture.start, picture.goal), (Some(Cell::new(0, 0)), Some(Cell::new(2, 0))));
        let costs = parse("1 0 1\n1 12 1\n").unwrap();
        assert_eq!(costs.grid.terrain(Cell::new(1, 0)), Some(12));
        let moving_ai = parse("type octile\nheight 1\nwidth 2\nmap\n.@\n").unwrap();
        assert_eq!((moving_ai.grid.width(), moving_ai.start), (2, None));
    }

    #[test]
    fn the_projects_own_maps_of_ground_are_read() {
        let ford = read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/maps/ford.txt"))).unwrap();
        assert_eq!((ford.grid.width(), ford.grid.height()), (24, 10));
    }

    #[test]
    fn a_fault_names_file_line_and_column() {
        let missing = read(Path::new("no-such-folder/map.txt")).unwrap_err().to_string();
        assert!(missing.starts_with("no-such-folder/map.txt cannot be read"), "{missing}");
        assert_eq!(parse("...\n.x.").unwrap_err().to_string().split(':').next(), Some("line 2, column 2"));
    }
}
