//! What it is like to walk along an edge of a waypoint graph.

/// How fast an edge is walked and what it costs.
///
/// The two are apart because they answer different questions: `speed` says how a walker moves, `cost_factor` which way
/// is chosen. A fast road is also a cheap one unless you say otherwise: [`WaypointEdge::with_speed`] sets both.
///
/// # Units
/// `speed` multiplies the speed of the walker, `cost_factor` the length of the edge; both are 1 by default. A cost
/// factor of 0 makes an edge free.
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
    /// Multiplies the walker's speed on this edge.
    pub speed: f64,
    /// Multiplies the length of the edge into its cost.
    pub cost_factor: f64,
}

impl WaypointEdge {
    /// The least speed and the least cost factor other than 0.
    pub const MIN_FACTOR: f64 = 1e-9;
    /// The greatest speed and the greatest cost factor.
    pub const MAX_FACTOR: f64 = 1e9;

    /// An edge that is walked this many times as fast, and is as much cheaper.
    #[must_use]
    pub fn with_speed(speed: f64) -> Self {
        Self { speed, cost_factor: 1.0 / speed }
    }

    /// Whether both numbers are within the limits, so that no cost on any graph overflows.
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
