//! Slower speed at waypoints.

use bevy_reflect::{Reflect, std_traits::ReflectDefault};

/// An even slowdown of agents towards the waypoints of a graph, and an even speed-up behind: see
/// [`NavGraph::easing`](crate::NavGraph::easing).
///
/// ```
/// use bevy_tilepath::{graphs::WaypointSlowdown, NavGraph};
///
/// // A tram: it brakes over 40 units, stops for no time at all, and gathers speed again.
/// let line = NavGraph::default().with_easing(WaypointSlowdown { distance: 40.0, slowest: 0.0 });
/// assert_eq!(line.easing.map(|easing| easing.distance), Some(40.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Default, Debug, Clone, PartialEq)]
pub struct WaypointSlowdown {
    /// The distance before and behind a waypoint on which the speed changes, at most half of the
    /// edge. 0, negative, infinite and NaN: the speed does not change.
    ///
    /// # Units
    /// World units.
    pub distance: f32,
    /// The part of the speed that is left at the waypoint, from 0 to 1.
    pub slowest: f32,
}

impl Default for WaypointSlowdown {
    /// Returns a slowdown over 16 world units, to a quarter of the speed.
    fn default() -> Self {
        Self { distance: 16.0, slowest: 0.25 }
    }
}
