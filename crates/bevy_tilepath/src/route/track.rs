//! Tracks: legs along a waypoint graph.

use bevy_math::Vec2;
use tilepath::{
    graph::Position,
    waypoint::{RouteLeg, RoutePoint, WaypointGraph, WaypointRoute},
};

use crate::{
    map::{
        nav_graph::NavGraph,
        place::{MapPlace, local_point},
        waypoint_slowdown::WaypointSlowdown,
    },
    route::pace::Pace,
};

/// The stops of a leg along a graph, in the graph's own space.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Track {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    pub(crate) stops: Vec<RoutePoint>,
    easing: Option<WaypointSlowdown>,
    /// The cost of a unit of length off the graph.
    access_factor: f64,
    /// The cost that is left at each stop.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    pub(crate) remaining: Vec<f64>,
}

impl Track {
    pub(crate) fn new(route: &WaypointRoute, graph: &NavGraph) -> Self {
        let access_factor = graph.route_options().access_factor;
        let stops = route.points().to_vec();
        Self { stops, easing: graph.easing, access_factor, remaining: Vec::new() }.counted()
    }

    /// Adds the cost that is left at each stop.
    fn counted(mut self) -> Self {
        self.count();
        self
    }

    fn count(&mut self) {
        self.remaining.clear();
        self.remaining.resize(self.stops.len(), 0.0);
        for index in (1..self.stops.len()).rev() {
            let length = self.stops[index - 1].position.distance(self.stops[index].position);
            self.remaining[index - 1] = self.remaining[index] + length * self.rate_to(index);
        }
    }

    /// Returns the cost of a unit of length on the line to this stop.
    fn rate_to(&self, index: usize) -> f64 {
        match &self.stops[index].leg {
            RouteLeg::Edge { edge, .. } => edge.cost_factor,
            RouteLeg::Start => 0.0,
            // Any other line leads over ground.
            _ => self.access_factor,
        }
    }

    /// Returns the cost that is left at a place on the track. Returns `None` for a place that is
    /// not on it, or is before the stop `from`.
    pub(crate) fn rest_at(&self, place: Position, from: usize, rounding: f64) -> Option<f64> {
        (from + 1..self.stops.len()).find_map(|index| {
            let [begin, end] = [index - 1, index].map(|index| self.stops[index].position);
            let (done, left) = (begin.distance(place), place.distance(end));
            let is_between = done + left <= begin.distance(end) + rounding;
            is_between.then(|| self.remaining[index] + left * self.rate_to(index))
        })
    }

    /// Cuts the track down to the rest from a place on an edge, or from a waypoint. Returns false
    /// if it does not lead over the place.
    pub(crate) fn begin_at(&mut self, place: &MapPlace) -> bool {
        let (index, position) = match place {
            MapPlace::OnEdge { from, to, here, .. } => {
                let is_along = |stop: &RoutePoint| match &stop.leg {
                    RouteLeg::Edge { from: begin, to: end, .. } => **begin == **from && **end == **to,
                    // Other lines do not lead along an edge.
                    _ => false,
                };
                (self.stops.iter().position(is_along), Some(*here))
            }
            MapPlace::Waypoint(id) => {
                (self.stops.iter().position(|stop| stop.waypoint.as_deref() == Some(id)), None)
            }
            MapPlace::Cell(_) | MapPlace::Position(_) => return false,
        };
        let Some(index) = index else { return false };
        self.stops.drain(..index);
        match position {
            Some(position) => {
                self.stops.insert(0, RoutePoint { position, waypoint: None, leg: RouteLeg::Start });
            }
            None => self.stops[0].leg = RouteLeg::Start,
        }
        self.count();
        true
    }

    /// Updates the costs and speeds of the edges ahead. Returns whether anything has changed.
    pub(crate) fn reprice(&mut self, next: usize, graph: &NavGraph) -> bool {
        let access_factor = graph.route_options().access_factor;
        let before = std::mem::replace(&mut self.access_factor, access_factor);
        let mut is_new = before.to_bits() != access_factor.to_bits();
        for stop in &mut self.stops[next.max(1)..] {
            if let RouteLeg::Edge { from, to, edge, .. } = &mut stop.leg
                && let Some(now) = graph.graph().edge(from, to)
            {
                is_new |= std::mem::replace(edge, now.edge) != now.edge;
            }
        }
        if is_new {
            self.count();
        }
        is_new
    }

    /// Returns the track with a start beside its old start, because an edge was moved under an
    /// agent that walks along it. If the track begins at a waypoint, the agent walks to the
    /// waypoint first, unless it is there but for rounding.
    pub(crate) fn beginning_at(mut self, position: Position, rounding: f64) -> Self {
        match self.stops.first_mut() {
            Some(first) if first.waypoint.is_none() => first.position = position,
            Some(first) if first.position.distance(position) > rounding => {
                self.stops.insert(0, RoutePoint { position, waypoint: None, leg: RouteLeg::Start });
            }
            _ => {}
        }
        self.counted()
    }

    pub(crate) fn local_point(&self, index: usize) -> Vec2 {
        local_point(self.stops[index].position)
    }

    pub(crate) fn pace_to(&self, index: usize) -> Pace {
        let stop = &self.stops[index];
        Pace { speed: stop.speed(), easing: self.easing, slows_to: stop.waypoint.is_some() }
    }

    /// Sets the easing. Returns whether it has changed.
    pub(crate) fn set_easing(&mut self, easing: Option<WaypointSlowdown>) -> bool {
        std::mem::replace(&mut self.easing, easing) != easing
    }

    /// Returns the index of the first stop ahead that has moved, or to which no edge leads.
    ///
    /// The start of the edge under way does not matter any more, unless the agent leaves the edge
    /// before its end.
    pub(crate) fn first_fault(&self, next: usize, graph: &WaypointGraph) -> Option<usize> {
        (next..self.stops.len()).find(|&index| {
            let stop = &self.stops[index];
            let is_in_place = |id: &str, planned| graph.position(id) == Some(planned);
            match (&stop.leg, &stop.waypoint) {
                (RouteLeg::Edge { from, to, ends, .. }, waypoint) => {
                    let is_under_way = index == next && waypoint.is_some();
                    graph.edge(from, to).is_none()
                        || !is_in_place(to, ends.1)
                        || !is_under_way && !is_in_place(from, ends.0)
                }
                // Off the graph only the end can have changed.
                (_, Some(waypoint)) => !is_in_place(waypoint, stop.position),
                (_, None) => false,
            }
        })
    }
}
