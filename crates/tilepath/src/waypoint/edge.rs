//! The speed and the cost factor of an edge.

/// The speed and the cost factor of an edge of a waypoint graph.
///
/// `speed` sets how fast a unit walks along the edge. `cost_factor` sets the cost of the edge, and
/// so the choice of the path. [`WaypointEdge::with_speed`] sets both, so that a faster edge is also
/// a cheaper edge.
///
/// # Units
/// `speed` multiplies the speed of the unit, and `cost_factor` multiplies the length of the edge.
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct WaypointEdge {
    /// The factor by which the speed of a unit is multiplied along this edge.
    pub speed: f64,
    /// The factor by which the length of the edge is multiplied. The product is the cost of the
    /// edge.
    pub cost_factor: f64,
}

impl WaypointEdge {
    /// The smallest allowed speed, and the smallest allowed cost factor other than 0.
    pub const MIN_FACTOR: f64 = 1e-9;
    /// The largest allowed speed, and the largest allowed cost factor.
    pub const MAX_FACTOR: f64 = 1e9;

    /// Returns an edge with this speed and with the cost factor 1 ÷ speed.
    #[must_use]
    pub fn with_speed(speed: f64) -> Self {
        Self { speed, cost_factor: 1.0 / speed }
    }

    /// Returns whether the speed and the cost factor are within the limits. If all edges of a graph
    /// are valid, no sum of costs can overflow.
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
