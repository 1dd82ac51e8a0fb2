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

/// A query of a scenario.
///
/// # Units
/// Columns count from the left and rows from the **top**, both from 0, as in the scenario file.
/// [`ScenarioRow::start_cell`] and [`ScenarioRow::goal_cell`] convert them into cells. Lengths are
/// in cells, and a diagonal step has the length √2.
#[derive(Clone, PartialEq, Debug)]
pub struct ScenarioRow {
    /// The line of the scenario text, from 1.
    pub line: usize,
    /// The number of the group of queries to which this query belongs. The paths of one group have
    /// similar lengths.
    pub bucket: u32,
    /// The file path of the map, as it is in the scenario text.
    pub map: String,
    /// The number of columns of the map.
    pub width: u32,
    /// The number of rows of the map.
    pub height: u32,
    /// The column and the row of the start.
    pub start: (u32, u32),
    /// The column and the row of the goal.
    pub goal: (u32, u32),
    /// The length of the shortest path, as the scenario text states it. The number there is
    /// rounded. −1, and 0 between two cells, state that there is no path (rows of the GPPC
    /// benchmarks).
    pub optimal: f64,
    /// The number of digits after the decimal point of `optimal` in the scenario text: 3 for
    /// `813.879`, 0 for `4`.
    pub decimals: u8,
}

impl ScenarioRow {
    /// Returns the file name of the map: the part after the last slash or backslash.
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

    /// Returns the start as a cell of a map with these bounds, or `None` if it is outside the map.
    #[must_use]
    pub fn start_cell(&self, bounds: &Bounds) -> Option<Cell> {
        cell_from_top(bounds, self.start.0, self.start.1)
    }

    /// Returns the goal as a cell of a map with these bounds, or `None` if it is outside the map.
    #[must_use]
    pub fn goal_cell(&self, bounds: &Bounds) -> Option<Cell> {
        cell_from_top(bounds, self.goal.0, self.goal.1)
    }
}

/// Writes the query as a line of a scenario text. Tabs separate the fields.
impl fmt::Display for ScenarioRow {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bucket, map, width, height, start, goal, optimal, decimals, .. } = self;
        let (sx, sy) = start;
        let (gx, gy) = goal;
        let decimals = usize::from(*decimals);
        write!(formatter, "{bucket}\t{map}\t{width}\t{height}\t{sx}\t{sy}\t{gx}\t{gy}\t{optimal:.decimals$}")
    }
}

/// Reads the queries of a scenario: a line `version 1` (or `1.0`), then one query per line. Tabs or
/// spaces separate the fields.
///
/// Blank lines are ignored. An optimal length of −1 is valid and states that there is no path. If the
/// path of a map contains spaces, tabs must separate the fields.
///
/// # Errors
/// An error names the line and the column of:
///
/// - a first line that is not `version 1`,
/// - a row that does not have exactly nine fields,
/// - a field that is not a valid number,
/// - a start or goal outside the map, by the map size in the same row.
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

/// The line of which fields are read.
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
        // `f64` alone would accept signs, exponents and infinities.
        let digits = word.strip_prefix('-').unwrap_or(word);
        let is_plain = digits.bytes().all(|letter| letter.is_ascii_digit() || letter == b'.');
        let is_no_path = |length: &f64| length.total_cmp(&-1.0).is_eq();
        let is_length =
            |length: &f64| length.is_finite() && (length.is_sign_positive() || is_no_path(length));
        let length = f64::from_str(word).ok().filter(|length| is_plain && is_length(length));
        let wanted = "a number such as 12.0711, or -1 for no path";
        let length = length.ok_or_else(|| self.bad(word, "optimal length", wanted))?;
        let decimals = word.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        Ok((length, u8::try_from(decimals).unwrap_or(u8::MAX)))
    }

    fn bad(self, word: &str, field: &'static str, wanted: &'static str) -> MapTextError {
        let fault = MapTextFault::BadField { field, found: quoted(word), wanted };
        MapTextError::new(self.number, column_of(self.line, word), fault)
    }
}

/// Writes a scenario text: the line with the version, and then one line per query. Tabs separate
/// the fields of a query.
///
/// # Guarantee
/// [`parse_scenario`] reads equal queries from this text, except for two fields. `line` counts from
/// 2 in the order of the list. `optimal` is rounded to the number of `decimals`.
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
