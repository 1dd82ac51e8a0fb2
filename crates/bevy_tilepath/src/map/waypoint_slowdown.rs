//! Slower speed at waypoints.

use bevy_reflect::{Reflect, std_traits::ReflectDefault};

/// A slowdown of agents at the waypoints of a graph. Agents slow down evenly before each waypoint,
/// and speed up evenly behind it. See [`NavGraph::easing`](crate::NavGraph::easing).
///
/// ```
/// use bevy_tilepath::{graphs::WaypointSlowdown, NavGraph};
///
/// // A tram: it brakes over 40 units, stops for no time at all, and gathers speed again.
/// let line = NavGraph::default().with_easing(WaypointSlowdown { distance: 40.0, slowest: 0.0 });
/// assert_eq!(line.easing.map(|easing| easing.distance), Some(40.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(Default, Debug, Clone, PartialEq)]
pub struct WaypointSlowdown {
    /// The distance before and behind a waypoint over which the speed changes. On a short edge, it
    /// is at most half the length of the edge. If the distance is 0, negative, infinite or NaN, the
    /// speed does not change.
    ///
    /// # Units
    /// World units.
    pub distance: f32,
    /// The speed at the waypoint as a fraction of the full speed, from 0 to 1.
    pub slowest: f32,
}

impl Default for WaypointSlowdown {
    /// Returns a slowdown over 16 world units to a quarter of the full speed.
    fn default() -> Self {
        Self { distance: 16.0, slowest: 0.25 }
    }
}
