//! Lists of queries in the format of the MovingAI benchmarks.

use super::{
    cell_from_top, column_of,
    error::{MapTextError, MapTextFault},
};
use crate::{
    bounds::Bounds,
    cell::Cell,
    text::{quoted, whole_number, without_mark},
};
use std::{fmt, fmt::Write, str::FromStr};

/// One query of a scenario.
///
/// # Units
/// Columns from the left and rows from the **top**, from 0, as the file has them; [`ScenarioRow::start_cell`] and
/// [`ScenarioRow::goal_cell`] convert. Lengths in cells, a diagonal step being √2.
#[derive(Clone, PartialEq, Debug)]
pub struct ScenarioRow {
    /// The line of the file, from 1.
    pub line: usize,
    /// The group of queries of similar length.
    pub bucket: u32,
    /// The map's path as the file has it.
    pub map: String,
    /// Columns of the map.
    pub width: u32,
    /// Rows of the map.
    pub height: u32,
    /// Column and row of the start.
    pub start: (u32, u32),
    /// Column and row of the goal.
    pub goal: (u32, u32),
    /// The length of the shortest path, as rounded in the file.
    pub optimal: f64,
    /// How many decimals of that length the file prints: 3 for `813.879`, 0 for `4`.
    pub decimals: u8,
}

impl ScenarioRow {
    /// The last part of the map's path, whichever slashes part it.
    ///
    /// # Examples
    /// ```
    /// use tilepath::format;
    /// let rows = format::parse_scenario("version 1\n0 maps/dao/arena.map 49 49 1 11 1 12 1\n")?;
    /// assert_eq!(rows[0].map_file_name(), "arena.map");
    /// # Ok::<(), tilepath::format::MapTextError>(())
    /// ```
    #[must_use]
    pub fn map_file_name(&self) -> &str {
        self.map.rsplit(['/', '\\']).next().unwrap_or_default()
    }

    /// The start as a cell of the map; `None` outside.
    #[must_use]
    pub fn start_cell(&self, bounds: &Bounds) -> Option<Cell> {
        cell_from_top(bounds, self.start.0, self.start.1)
    }

    /// The goal as a cell of the map; `None` outside.
    #[must_use]
    pub fn goal_cell(&self, bounds: &Bounds) -> Option<Cell> {
        cell_from_top(bounds, self.goal.0, self.goal.1)
    }
}

/// The row as it stands in a file, parted by tabs.
impl fmt::Display for ScenarioRow {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bucket, map, width, height, start, goal, optimal, decimals, .. } = self;
        let (sx, sy) = start;
        let (gx, gy) = goal;
        let decimals = usize::from(*decimals);
        write!(formatter, "{bucket}\t{map}\t{width}\t{height}\t{sx}\t{sy}\t{gx}\t{gy}\t{optimal:.decimals$}")
    }
}

/// The queries of a scenario: a line `version 1` (or `1.0`), then one query a line, its fields parted by tabs or spaces.
///
/// Blank lines are ignored. A path with spaces in it needs tabs between the fields.
///
/// # Errors
/// Names line and column of a first line that is no version 1, of a row without exactly nine fields, of a field that is
/// not a number of its kind, and of a start or goal outside the size that the row names.
///
/// # Complexity
/// O(length of the text).
///
/// # Examples
/// ```
/// use tilepath::{Bounds, Cell, format};
/// let rows = format::parse_scenario(
///     "version 1.0\n\
///      3\tmaps/dao/arena.map\t49\t49\t1\t11\t8\t14\t8.24264\n",
/// )?;
/// assert_eq!(rows[0].optimal, 8.24264);
/// assert_eq!(rows[0].decimals, 5);
/// let bounds = Bounds::new(Cell::default(), 49, 49)?;
/// assert_eq!(rows[0].start_cell(&bounds), Some(Cell::new(1, 37)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse_scenario(text: &str) -> Result<Vec<ScenarioRow>, MapTextError> {
    let mut lines = without_mark(text).lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let (header, number) = lines.next().unwrap_or(("", 1));
    let mut words = header.split_whitespace();
    if !matches!((words.next(), words.next(), words.next()), (Some("version"), Some("1" | "1.0"), None)) {
        let fault = MapTextFault::NotAScenario { found: quoted(header.trim()) };
        return Err(MapTextError::new(number, 1, fault));
    }
    lines.map(|(line, number)| parse_row(line, number)).collect()
}

fn parse_row(line: &str, number: usize) -> Result<ScenarioRow, MapTextError> {
    let tabbed: Vec<&str> = line.trim().split('\t').map(str::trim).collect();
    let fields = if tabbed.len() == 9 { tabbed } else { line.split_whitespace().collect() };
    let &[bucket, map, width, height, start_x, start_y, goal_x, goal_y, optimal] = fields.as_slice() else {
        return Err(MapTextError::new(number, 1, MapTextFault::FieldCount { found: fields.len() }));
    };
    let field = Fields { line, number };
    let (width, height) = (field.whole(width, "map width")?, field.whole(height, "map height")?);
    let start = (field.whole(start_x, "start x")?, field.whole(start_y, "start y")?);
    let goal = (field.whole(goal_x, "goal x")?, field.whole(goal_y, "goal y")?);
    for (which, place, (column, row)) in [("start", start_x, start), ("goal", goal_x, goal)] {
        if column >= width || row >= height {
            let fault = MapTextFault::OutsideMap { which, column, row, width, height };
            return Err(MapTextError::new(number, column_of(line, place), fault));
        }
    }
    let (optimal, decimals) = field.length(optimal)?;
    let bucket = field.whole(bucket, "bucket")?;
    Ok(ScenarioRow {
        line: number,
        bucket,
        map: map.to_owned(),
        width,
        height,
        start,
        goal,
        optimal,
        decimals,
    })
}

/// The line that fields are read from.
#[derive(Clone, Copy)]
struct Fields<'text> {
    line: &'text str,
    number: usize,
}

impl Fields<'_> {
    fn whole(self, word: &str, field: &'static str) -> Result<u32, MapTextError> {
        whole_number(word).ok_or_else(|| self.bad(word, field, "a whole number from 0"))
    }

    fn length(self, word: &str) -> Result<(f64, u8), MapTextError> {
        // `f64` alone would take signs, exponents and infinities.
        let digits = word.bytes().all(|letter| letter.is_ascii_digit() || letter == b'.');
        let length = f64::from_str(word).ok().filter(|length| digits && length.is_finite());
        let length = length.ok_or_else(|| self.bad(word, "optimal length", "a number such as 12.0711"))?;
        let decimals = word.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        Ok((length, u8::try_from(decimals).unwrap_or(u8::MAX)))
    }

    fn bad(self, word: &str, field: &'static str, wanted: &'static str) -> MapTextError {
        let fault = MapTextFault::BadField { field, found: quoted(word), wanted };
        MapTextError::new(self.number, column_of(self.line, word), fault)
    }
}

/// A scenario as a file has it: the version, then one row a line, parted by tabs.
///
/// # Guarantee
/// [`parse_scenario`] reads the same queries back, with the lines numbered from 2; lengths as rounded to their
/// decimals.
///
/// # Examples
/// ```
/// use tilepath::format;
/// let text = "version 1\n3\tdao/arena.map\t49\t49\t1\t11\t8\t14\t8.24264\n";
/// assert_eq!(format::to_scenario(&format::parse_scenario(text)?), text);
/// # Ok::<(), tilepath::format::MapTextError>(())
/// ```
#[must_use]
pub fn to_scenario(rows: &[ScenarioRow]) -> String {
    let mut text = String::from("version 1\n");
    for row in rows {
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "{row}");
    }
    text
}
