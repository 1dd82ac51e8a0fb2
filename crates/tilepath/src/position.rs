//! Where something lies on the plane of a graph.

use std::fmt;

/// A place on the plane, in units of your own: pixels, metres. Whether y points up or down is up to you as well; the command
/// `tilepath` and the examples draw graphs with y down unless `--y-up` is given.
///
/// # Examples
/// ```
/// use tilepath::graph::Position;
/// assert_eq!(Position::new(25.0, 25.0).distance(Position::new(28.0, 21.0)), 5.0);
/// ```
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Position {
    /// Across.
    pub x: f64,
    /// Up or down.
    pub y: f64,
}

impl Position {
    /// The place with these coordinates.
    #[must_use]
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// The straight distance to another place.
    ///
    /// # Guarantee
    /// The same number on every machine: it is made of operations that IEEE 754 rounds exactly, and `hypot` is not.
    #[must_use]
    pub fn distance(self, other: Self) -> f64 {
        let (dx, dy) = (other.x - self.x, other.y - self.y);
        (dx * dx + dy * dy).sqrt()
    }

    /// Whether both coordinates are numbers that are not infinite.
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
