//! Positions on the plane of a graph.

use std::fmt;

/// A point on the plane. You choose the unit, such as pixels or metres, and whether y points up or
/// down. The command `tilepath` and the examples draw graphs with y down, unless `--y-up` is given.
///
/// # Examples
/// ```
/// use tilepath::graph::Position;
/// assert_eq!(Position::new(25.0, 25.0).distance(Position::new(28.0, 21.0)), 5.0);
/// ```
#[derive(Clone, Copy, PartialEq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Position {
    /// The horizontal coordinate.
    pub x: f64,
    /// The vertical coordinate.
    pub y: f64,
}

impl Position {
    /// Creates the position with these coordinates.
    #[must_use]
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// Returns the straight distance to another position.
    ///
    /// # Guarantee
    /// The result is equal on every machine, because the function uses only operations that IEEE
    /// 754 rounds exactly. The function `hypot` is not one of them.
    #[must_use]
    pub fn distance(self, other: Self) -> f64 {
        let (dx, dy) = (other.x - self.x, other.y - self.y);
        (dx * dx + dy * dy).sqrt()
    }

    /// Returns whether both coordinates are finite numbers.
    #[must_use]
    pub const fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }
}

impl From<(f64, f64)> for Position {
    fn from((x, y): (f64, f64)) -> Self {
        Self { x, y }
    }
}

impl From<Position> for (f64, f64) {
    fn from(position: Position) -> Self {
        (position.x, position.y)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "({}, {})", self.x, self.y)
    }
}
