//! A way that was found for an order.

use tilepath::{Path, Statistics, WaypointRoute};

use crate::{
    map::{door::index::Entrance, graph_view::NavGraphView, nav_view::NavView, place::MapPlace},
    route::{
        course::{CellCourse, Course, FoundLeg},
        track::Track,
    },
};

/// A way for an order.
#[derive(Debug)]
pub(crate) struct Way {
    /// At least one.
    pub(crate) legs: Vec<FoundLeg>,
    pub(crate) partial: bool,
    /// The index of the goal it leads to, or as near to as possible.
    pub(crate) chosen: usize,
    pub(crate) statistics: Statistics,
}

impl NavView<'_> {
    /// A path over cells as a leg of a journey, and the door by which it is entered with what that costs.
    pub(crate) fn leg(&self, path: Path, entrance: Option<(Entrance, f64)>) -> FoundLeg {
        let cost = f64::from(path.cost().get()) * self.unit();
        FoundLeg {
            map: self.map,
            course: Course::Cells(CellCourse::new(path, self.grid)),
            entrance: entrance.map(|(entrance, _)| entrance),
            route_cost: cost + entrance.map_or(0.0, |(_, cost)| cost),
            edition: None,
            placement: None,
        }
    }
}

impl NavGraphView<'_> {
    /// A route as a leg of a journey, and the door by which it is entered with what that costs.
    pub(crate) fn leg(
        &self,
        route: &WaypointRoute,
        start: Option<&MapPlace>,
        entrance: Option<(Entrance, f64)>,
    ) -> FoundLeg {
        let mut track = Track::new(route, self.nav_graph.easing);
        if let Some(MapPlace::OnEdge { here, .. }) = start {
            track = track.beginning_at(*here, self.rounding_at(*here));
        }
        FoundLeg {
            map: self.map,
            course: Course::Waypoints(track),
            entrance: entrance.map(|(entrance, _)| entrance),
            route_cost: route.cost() * self.projection.scale() + entrance.map_or(0.0, |(_, cost)| cost),
            edition: None,
            placement: None,
        }
    }
}
