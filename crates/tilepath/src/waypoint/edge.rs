//! The speed and the cost factor of an edge.

/// The speed and the cost factor of an edge of a waypoint graph.
///
/// `speed` sets how fast a walker moves, `cost_factor` sets which path is chosen. By default a fast
/// road is also a cheap one: [`WaypointEdge::with_speed`] sets both.
///
/// # Units
/// `speed` multiplies the speed of the walker, `cost_factor` multiplies the length of the edge.
/// Both are 1 by default. A cost factor of 0 makes an edge free.
///
/// # Examples
/// ```
/// use tilepath::waypoint::WaypointEdge;
/// let road = WaypointEdge::with_speed(2.0);
/// assert_eq!(road.cost_factor, 0.5);
/// let guarded = WaypointEdge { cost_factor: 10.0, ..WaypointEdge::default() };
/// assert_eq!(guarded.speed, 1.0);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WaypointEdge {
    /// The factor on the walker's speed along this edge.
    pub speed: f64,
    /// The factor on the length of the edge; the product is its cost.
    pub cost_factor: f64,
}

impl WaypointEdge {
    /// The smallest speed, and the smallest cost factor other than 0.
    pub const MIN_FACTOR: f64 = 1e-9;
    /// The largest speed and the largest cost factor.
    pub const MAX_FACTOR: f64 = 1e9;

    /// Returns an edge with this speed and with 1 ÷ speed as its cost factor.
    #[must_use]
    pub fn with_speed(speed: f64) -> Self {
        Self { speed, cost_factor: 1.0 / speed }
    }

    /// Returns whether both numbers are within the limits. If they are, no cost on any graph
    /// overflows.
    #[must_use]
    pub fn is_valid(self) -> bool {
        let range = Self::MIN_FACTOR..=Self::MAX_FACTOR;
        range.contains(&self.speed) && (self.cost_factor == 0.0 || range.contains(&self.cost_factor))
    }
}

impl Default for WaypointEdge {
    fn default() -> Self {
        Self { speed: 1.0, cost_factor: 1.0 }
    }
}
