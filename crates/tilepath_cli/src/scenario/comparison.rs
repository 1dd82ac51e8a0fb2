//! Comparison of answers with their references.

use super::Found;
use std::{f64::consts::SQRT_2, fmt};
use tilepath::{Diagonals, Grid, Movement, format::ScenarioRow};

/// The tolerance for a length, as a share of the length in the file. With steps of 70 and 99 a
/// diagonal step is 5·10⁻⁵ too long, so the cheapest path can be longer than the shortest by this
/// share.
const SHARE: f64 = 0.0001;

/// A wrong answer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Mismatch {
    /// The length differs from the length in the file.
    Length { expected: f64, found: f64 },
    /// The cost differs from the cost by Dijkstra's search.
    Cost { expected: u32, found: u32 },
    /// A path, but Dijkstra's search finds no path.
    NotUnreachable { found: u32 },
    /// A path of this length, but the file states that there is no path.
    NoPathInFile { found: f64 },
    /// No path, but the reference has a path.
    NotFound,
    /// An overflow, but Dijkstra's search finds a cost that a `u32` holds, or the file has a path.
    NotAnOverflow,
    /// A path, but Dijkstra's search finds an overflow.
    NotOverflown,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { expected, found } => {
                write!(formatter, "length {found:.6}, but {expected} in the file")
            }
            Self::Cost { expected, found } => {
                write!(formatter, "cost {found}, but {expected} by Dijkstra's search")
            }
            Self::NotUnreachable { found } => {
                write!(formatter, "cost {found}, but Dijkstra's search finds no path")
            }
            Self::NoPathInFile { found } => write!(formatter, "length {found:.6}, but no path in the file"),
            Self::NotFound => formatter.write_str("no path, but there is one"),
            Self::NotAnOverflow => formatter.write_str("cost overflow, but there is a path that costs less"),
            Self::NotOverflown => {
                formatter.write_str("a path, but Dijkstra's search finds that its cost overflows")
            }
        }
    }
}

/// The comparison with the lengths of a file.
///
/// The tolerance for a length is a share of 0.0001 plus one unit of its last decimal: 0.001 for
/// `813.879`. Programs drop zeros at the end, so a length without decimals counts as one with the
/// most decimals in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comparison {
    decimals: u8,
}

impl Comparison {
    /// Makes the comparison for the rows of one file.
    pub(crate) fn with_decimals_of(rows: &[ScenarioRow]) -> Self {
        Self { decimals: rows.iter().map(|row| row.decimals).max().unwrap_or(0) }
    }

    /// Compares with the length in the row.
    pub(crate) fn with_file(self, row: &ScenarioRow, found: Found) -> Option<Mismatch> {
        match found {
            Found::Path { length, .. } if states_no_path(row) => {
                Some(Mismatch::NoPathInFile { found: length })
            }
            Found::Nothing | Found::Overflow if states_no_path(row) => None,
            Found::Path { length, .. } => {
                let (expected, found) = (row.optimal, length);
                ((found - expected).abs() > SHARE * expected + self.unit(row))
                    .then_some(Mismatch::Length { expected, found })
            }
            Found::Nothing => Some(Mismatch::NotFound),
            Found::Overflow => Some(Mismatch::NotAnOverflow),
        }
    }

    fn unit(self, row: &ScenarioRow) -> f64 {
        match (row.decimals, self.decimals) {
            // All lengths in the file are whole numbers.
            (0, 0) => 0.0,
            (0, decimals) | (decimals, _) => 10_f64.powi(-i32::from(decimals)),
        }
    }
}

/// Returns whether the file states that there is no path: by −1, or by 0 between two cells, as in
/// the GPPC benchmarks.
fn states_no_path(row: &ScenarioRow) -> bool {
    row.optimal < 0.0 || (row.optimal == 0.0 && row.start != row.goal)
}

/// Compares with the result of Dijkstra's search.
pub(crate) fn with_dijkstra(expected: Found, found: Found) -> Option<Mismatch> {
    match (expected, found) {
        (Found::Path { cost: expected, .. }, Found::Path { cost, .. }) => {
            (cost != expected).then_some(Mismatch::Cost { expected, found: cost })
        }
        (Found::Path { .. }, Found::Nothing) => Some(Mismatch::NotFound),
        (Found::Path { .. }, Found::Overflow) => Some(Mismatch::NotAnOverflow),
        (Found::Nothing, Found::Path { cost, .. }) => Some(Mismatch::NotUnreachable { found: cost }),
        (Found::Overflow, Found::Path { .. }) => Some(Mismatch::NotOverflown),
        // With an estimate, a search can drop a cell because its sum overflows. Dijkstra's search
        // still reaches that cell.
        (Found::Nothing | Found::Overflow, Found::Nothing | Found::Overflow) => None,
    }
}

/// Returns whether the lengths in a file can hold for this movement. They are for paths that cut no
/// corners, with diagonal steps of √2, over terrain of one cost.
pub(crate) fn lengths_hold(movement: &Movement, grid: &Grid) -> bool {
    let (straight, diagonal) =
        (f64::from(movement.steps().straight()), f64::from(movement.steps().diagonal()));
    let octile = (diagonal / straight - SQRT_2).abs() <= SHARE * SQRT_2;
    let mut multipliers = (0..=u8::MAX)
        .filter(|&class| grid.class_count(class) > 0)
        .map(|class| movement.costs().multiplier(class))
        .filter(|&multiplier| multiplier > 0);
    let first = multipliers.next();
    let uniform = multipliers.all(|multiplier| Some(multiplier) == first);
    movement.diagonals() == Diagonals::OnlyWhenNoObstacles && octile && uniform
}

/// Returns whether two readings of a map have equal open cells.
pub(crate) fn same_cells_open(one: &Grid, other: &Grid) -> bool {
    one.classes().iter().zip(other.classes()).all(|(&one, &other)| (one == 0) == (other == 0))
}

#[cfg(test)]
mod tests {
    use super::{Comparison, Mismatch, lengths_hold, same_cells_open, with_dijkstra};
    use crate::scenario::Found;
    use tilepath::{
        Diagonals, Movement, StepCosts,
        format::{self, ScenarioRow},
    };

    fn rows(lengths: &[&str]) -> Vec<ScenarioRow> {
        let rows: String = lengths.iter().flat_map(|length| ["\n0 a.map 9 9 0 0 0 0 ", length]).collect();
        format::parse_scenario(&format!("version 1{rows}")).unwrap()
    }

    fn agrees(lengths: &[&str], found: f64) -> bool {
        let rows = rows(lengths);
        let found = Found::Path { cost: 1, length: found };
        Comparison::with_decimals_of(&rows).with_file(&rows[0], found).is_none()
    }

    #[test]
    fn length_is_right_within_a_ten_thousandth_and_the_last_decimal() {
        assert!(agrees(&["100.00"], 100.0199));
        assert!(agrees(&["100.00"], 99.9801));
        assert!(!agrees(&["100.00"], 100.0201));
        assert!(!agrees(&["100.00"], 99.9799));
        assert!(agrees(&["5.41"], 5.4142));
        assert!(!agrees(&["5.41421"], 5.4150));
        assert!(agrees(&["0"], 0.0));
    }

    #[test]
    fn whole_number_has_the_decimals_of_the_other_rows() {
        assert!(!agrees(&["4", "3.41421"], 4.0005));
        assert!(!agrees(&["4", "3.41421"], 5.0));
        assert!(agrees(&["4", "3.41"], 4.0102));
        assert!(!agrees(&["4", "3"], 4.4142));
        assert!(agrees(&["4", "3"], 4.0003));
    }

    #[test]
    fn path_that_the_file_promises_must_be_found() {
        let rows = rows(&["4"]);
        let comparison = Comparison::with_decimals_of(&rows);
        assert_eq!(comparison.with_file(&rows[0], Found::Nothing), Some(Mismatch::NotFound));
        assert_eq!(comparison.with_file(&rows[0], Found::Overflow), Some(Mismatch::NotAnOverflow));
    }

    #[test]
    fn answer_that_differs_from_dijkstra_is_a_mismatch() {
        let path = |cost| Found::Path { cost, length: 9.0 };
        assert_eq!(with_dijkstra(path(7), path(7)), None);
        assert_eq!(with_dijkstra(path(7), path(8)), Some(Mismatch::Cost { expected: 7, found: 8 }));
        assert_eq!(with_dijkstra(path(7), Found::Nothing), Some(Mismatch::NotFound));
        assert_eq!(with_dijkstra(path(7), Found::Overflow), Some(Mismatch::NotAnOverflow));
        assert_eq!(with_dijkstra(Found::Nothing, Found::Nothing), None);
        assert_eq!(with_dijkstra(Found::Nothing, path(7)), Some(Mismatch::NotUnreachable { found: 7 }));
        assert_eq!(with_dijkstra(Found::Overflow, Found::Overflow), None);
        assert_eq!(with_dijkstra(Found::Overflow, path(7)), Some(Mismatch::NotOverflown));
    }

    #[test]
    fn lengths_hold_only_under_the_rules_of_their_measurement() {
        let plain = format::parse_ascii("..#").unwrap();
        let twos = format::parse_ascii("22#").unwrap();
        let mixed = format::parse_ascii(".2#").unwrap();
        let walls = format::parse_ascii("###").unwrap();
        let precise = Movement::new().with_steps(StepCosts::PRECISE);
        for (grid, expected) in [(&plain, true), (&twos, true), (&mixed, false), (&walls, true)] {
            assert_eq!(lengths_hold(&precise, grid), expected);
        }
        assert!(!lengths_hold(&Movement::new(), &plain), "a diagonal step of 1.4 is too short");
        for diagonals in [Diagonals::Never, Diagonals::IfAtMostOneObstacle, Diagonals::Always] {
            assert!(!lengths_hold(&precise.clone().with_diagonals(diagonals), &plain));
        }
        assert!(same_cells_open(&plain, &mixed));
        assert!(!same_cells_open(&plain, &walls));
    }
}
