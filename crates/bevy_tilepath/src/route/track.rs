//! A way along a waypoint graph, as it is walked.

use bevy_math::Vec2;
use tilepath::{
    graph::Position,
    waypoint::{RouteLeg, RoutePoint, WaypointGraph, WaypointRoute},
};

use crate::{
    map::{place::local_point, waypoint_slowdown::WaypointSlowdown},
    route::pace::Pace,
};

/// The stops of a way along a graph, in the graph's own space.
#[derive(Debug, Clone)]
pub(crate) struct Track {
    pub(crate) stops: Vec<RoutePoint>,
    easing: Option<WaypointSlowdown>,
}

impl Track {
    pub(crate) fn new(route: &WaypointRoute, easing: Option<WaypointSlowdown>) -> Self {
        Self { stops: route.points().to_vec(), easing }
    }

    /// The same way from a place beside its beginning: an edge was moved under an agent that walks along it. To a
    /// waypoint at its beginning the agent has to walk first, unless it is there but for rounding.
    pub(crate) fn beginning_at(mut self, position: Position, rounding: f64) -> Self {
        match self.stops.first_mut() {
            Some(first) if first.waypoint.is_none() => first.position = position,
            Some(first) if first.position.distance(position) > rounding => {
                self.stops.insert(0, RoutePoint { position, waypoint: None, leg: RouteLeg::Start });
            }
            _ => {}
        }
        self
    }

    pub(crate) fn local_point(&self, index: usize) -> Vec2 {
        local_point(self.stops[index].position)
    }

    pub(crate) fn pace_to(&self, index: usize) -> Pace {
        let stop = &self.stops[index];
        Pace { speed: stop.speed(), easing: self.easing, slows_to: stop.waypoint.is_some() }
    }

    /// Whether that was something new.
    pub(crate) fn set_easing(&mut self, easing: Option<WaypointSlowdown>) -> bool {
        std::mem::replace(&mut self.easing, easing) != easing
    }

    /// The first stop ahead that is not where it was, or to which no edge leads as planned.
    ///
    /// Where the edge under way begins is of no importance any more, unless the agent leaves it before its end.
    pub(crate) fn first_fault(&self, next: usize, graph: &WaypointGraph) -> Option<usize> {
        (next..self.stops.len()).find(|&index| {
            let stop = &self.stops[index];
            let is_in_place = |id: &str, planned| graph.position(id) == Some(planned);
            match (&stop.leg, &stop.waypoint) {
                (RouteLeg::Edge { from, to, edge, ends }, waypoint) => {
                    let is_under_way = index == next && waypoint.is_some();
                    graph.edge(from, to).is_none_or(|now| now.edge != *edge)
                        || !is_in_place(to, ends.1)
                        || !is_under_way && !is_in_place(from, ends.0)
                }
                (RouteLeg::Start | RouteLeg::OffGraph, Some(waypoint)) => {
                    !is_in_place(waypoint, stop.position)
                }
                (RouteLeg::Start | RouteLeg::OffGraph, None) => false,
            }
        })
    }
}
