//! A way along a waypoint graph, as it is walked.

use std::sync::Arc;

use bevy_math::Vec2;
use tilepath::{
    graph::Position,
    waypoint::{RouteLeg, WaypointEdge, WaypointGraph, WaypointRoute},
};

use crate::{
    map::{place::local_point, waypoint_slowdown::WaypointSlowdown},
    route::pace::Pace,
};

/// The stops of a way along a graph, in the graph's own space.
#[derive(Debug, Clone)]
pub(crate) struct Track {
    pub(crate) stops: Vec<Stop>,
    easing: Option<WaypointSlowdown>,
}

/// A point of a track.
#[derive(Debug, Clone)]
pub(crate) struct Stop {
    pub(crate) position: Position,
    /// The waypoint there; `None` where the way only bends.
    pub(crate) waypoint: Option<Arc<str>>,
    /// The edge that leads here; `None` for the first, and over ground off the graph.
    pub(crate) edge: Option<TrackEdge>,
}

/// An edge as it was when the way was planned.
#[derive(Debug, Clone)]
pub(crate) struct TrackEdge {
    pub(crate) from: Arc<str>,
    pub(crate) to: Arc<str>,
    ends: (Position, Position),
    edge: WaypointEdge,
}

impl Track {
    pub(crate) fn new(route: &WaypointRoute, easing: Option<WaypointSlowdown>) -> Self {
        let stops = route.points().iter().map(|point| {
            let edge = match &point.leg {
                RouteLeg::Edge { from, to, edge, ends } => Some(TrackEdge {
                    from: from.as_str().into(),
                    to: to.as_str().into(),
                    ends: *ends,
                    edge: *edge,
                }),
                RouteLeg::Start | RouteLeg::OffGraph => None,
            };
            Stop { position: point.position, waypoint: point.waypoint.as_deref().map(Into::into), edge }
        });
        Self { stops: stops.collect(), easing }
    }

    /// The same way from a place beside its beginning: an edge was moved under an agent that walks along it. To a
    /// waypoint at its beginning the agent has to walk first, unless it is there but for rounding.
    pub(crate) fn beginning_at(mut self, position: Position, rounding: f64) -> Self {
        match self.stops.first_mut() {
            Some(first) if first.waypoint.is_none() => first.position = position,
            Some(first) if first.position.distance(position) > rounding => {
                self.stops.insert(0, Stop { position, waypoint: None, edge: None });
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
        let speed = stop.edge.as_ref().map_or(1.0, |edge| edge.edge.speed);
        Pace { speed, easing: self.easing, slows_to: stop.waypoint.is_some() }
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
            match (&stop.edge, &stop.waypoint) {
                (None, None) => false,
                (None, Some(waypoint)) => !is_in_place(waypoint, stop.position),
                (Some(planned), waypoint) => {
                    let is_under_way = index == next && waypoint.is_some();
                    graph.edge(&planned.from, &planned.to).is_none_or(|now| now.edge != planned.edge)
                        || !is_in_place(&planned.to, planned.ends.1)
                        || !is_under_way && !is_in_place(&planned.from, planned.ends.0)
                }
            }
        })
    }
}
