//! The nearest waypoint, and the nearest place on an edge.

use super::{
    graph::{Waypoint, WaypointGraph},
    route_end,
};
use crate::position::Position;

/// The point on the edges of a graph with the smallest straight distance to a given point.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct NearestOnEdge<'a> {
    /// The waypoint at which the edge begins. For a two-way join, this is the waypoint that was
    /// added first.
    pub from: &'a str,
    /// The waypoint at which the edge ends.
    pub to: &'a str,
    /// The share of the edge's length that lies before the nearest point, from 0 to 1.
    pub share: f64,
    /// The position of the nearest point of the edge. It can be an end of the edge.
    pub position: Position,
    /// The distance from the given point to the nearest point of the edge.
    pub distance: f64,
}

impl WaypointGraph {
    /// Returns the waypoint with the smallest straight distance to a point. If several waypoints
    /// are equally close, the waypoint that was added first is returned.
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

    /// Returns the point on any edge with the smallest straight distance to a given point. If
    /// several edges are equally close, the first in the order of [`edges`](Self::edges) counts.
    ///
    /// Returns `None` if the graph has no edges or a coordinate is not finite.
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
