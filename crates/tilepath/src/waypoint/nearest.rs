//! The nearest waypoint, and the nearest place on an edge.

use super::{Waypoint, WaypointGraph, route_end};
use crate::position::Position;

/// The place on the edges of a graph that is closest to a point, in a straight line.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct NearestOnEdge<'a> {
    /// The waypoint at which the edge begins. In a two-way join, this is the waypoint that was
    /// added first.
    pub from: &'a str,
    /// The waypoint at which the edge ends.
    pub to: &'a str,
    /// The share of the edge's length that lies before the place, from 0 to 1.
    pub share: f64,
    /// The place: the foot of the perpendicular, or an end of the edge.
    pub position: Position,
    /// The distance from the point to the place.
    pub distance: f64,
}

impl WaypointGraph {
    /// Returns the waypoint closest to a point in a straight line. If several are equally close,
    /// the first one counts.
    ///
    /// Returns `None` if the graph is empty or a coordinate is not finite.
    ///
    /// # Complexity
    /// O(waypoints).
    #[must_use]
    pub fn nearest_waypoint(&self, point: impl Into<Position>) -> Option<Waypoint<'_>> {
        let point = point.into();
        let waypoints = self.waypoints().map(|waypoint| (point.distance(waypoint.position), waypoint));
        let near = waypoints.filter(|(distance, _)| distance.is_finite());
        near.min_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, waypoint)| waypoint)
    }

    /// Returns the place on any edge that is closest to a point. If several are equally close, the
    /// first edge counts.
    ///
    /// Returns `None` if there is no edge or a coordinate is not finite.
    ///
    /// # Complexity
    /// O(edges).
    #[must_use]
    pub fn nearest_on_edge(&self, point: impl Into<Position>) -> Option<NearestOnEdge<'_>> {
        let point = point.into();
        let places = self.edges().map(|step| {
            let (from, to) = (step.from.position, step.to.position);
            let share = route_end::foot(point, from, to).unwrap_or(0.0).clamp(0.0, 1.0);
            let position = route_end::between(from, to, share);
            let distance = point.distance(position);
            NearestOnEdge { from: step.from.id, to: step.to.id, share, position, distance }
        });
        let near = places.filter(|place| place.distance.is_finite());
        near.min_by(|one, other| one.distance.total_cmp(&other.distance))
    }
}
