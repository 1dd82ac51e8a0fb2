//! Searches for orders that stay on a waypoint graph.

use bevy_ecs::entity::Entity;
use smallvec::smallvec;
use tilepath::{
    Algorithm, SearchStatus, Statistics,
    waypoint::{RouteEnd, RouteSearch, WaypointGraph},
};

use crate::{
    failure::PathFailure,
    map::{
        graph_view::NavGraphView,
        maps::{AnyMap, UnitMaps},
        place::MapPlace,
    },
    order::route::Route,
    search::problem::SearchProblem,
};

/// The number of waypoints and edges, looked at to join a place off the graph, that count one unit
/// of work.
const LOOKED_AT_A_UNIT: usize = 16;

/// A search along a graph that runs in slices.
#[derive(Clone, Debug)]
pub(crate) struct GraphOrder {
    pub(crate) map: Entity,
    start: MapPlace,
    /// The first goal: the closest waypoint is closest to this one.
    first_goal: MapPlace,
    search: Option<RouteSearch>,
    /// The indices of the order's goals that are on the graph.
    goals: Vec<usize>,
    wants_closest: bool,
    /// True if no goal can be reached: the search is for the closest waypoint.
    is_partial: bool,
    limit: u64,
    expanded_before: u64,
    work_before: u64,
}

impl GraphOrder {
    pub(crate) fn begin(problem: &SearchProblem, view: &NavGraphView) -> Result<Self, PathFailure> {
        let at = problem.goals.at.iter().map(|(_, place)| place).enumerate();
        let (goals, places) = goals_on(view.graph(), at);
        if places.is_empty() {
            return Err(PathFailure::UnknownWaypoint);
        }
        let start = view.start_on_graph(&problem.start).ok_or(PathFailure::QueryRefused)?;
        let options = view.nav_graph.route_options();
        let search = view.nav_graph.shared().begin_route(start, &places, options)?;
        Ok(Self {
            map: view.map,
            start: problem.start.clone(),
            first_goal: problem.goals.at[0].1.clone(),
            search: Some(search),
            goals,
            wants_closest: problem.request.wants_closest(),
            is_partial: false,
            limit: problem.request.limit().unwrap_or(u64::MAX),
            expanded_before: 0,
            work_before: joining_work(view.graph(), start, &places),
        })
    }

    pub(crate) fn advance(&mut self, slice: u64, maps: &UnitMaps) -> SearchStatus {
        let limit = self.limit;
        let before = self.expanded_before;
        let Some(search) = &mut self.search else { return SearchStatus::Done };
        let allowance = limit.saturating_sub(before + search.expanded()).saturating_add(1);
        let status = search.advance(slice.min(allowance));
        if before + search.expanded() > limit {
            return SearchStatus::Done;
        }
        if status == SearchStatus::Done
            && search.route().is_none()
            && self.wants_closest
            && !self.is_partial
            && let Some(AnyMap::Graph(view)) = maps.get(self.map)
        {
            self.turn_to_closest(&view);
            return SearchStatus::Running;
        }
        status
    }

    fn turn_to_closest(&mut self, view: &NavGraphView) {
        self.is_partial = true;
        self.expanded_before += self.search.as_ref().map_or(0, RouteSearch::expanded);
        // The search for the closest waypoint visits all that can be reached.
        self.work_before += view.graph().len() as u64;
        let closest = view.closest(&self.start, &self.first_goal);
        self.search = closest.zip(view.start_on_graph(&self.start)).and_then(|(closest, start)| {
            let (graph, options) = (view.nav_graph.shared(), view.nav_graph.route_options());
            graph.begin_route(start, &[RouteEnd::Waypoint(&closest)], options).ok()
        });
    }

    pub(crate) fn expanded(&self) -> u64 {
        self.expanded_before + self.search.as_ref().map_or(0, RouteSearch::expanded)
    }

    pub(crate) fn work(&self) -> u64 {
        self.work_before + self.expanded()
    }

    pub(crate) fn statistics(&self) -> Statistics {
        graph_statistics(self.expanded())
    }

    pub(crate) fn finish(self, problem: &SearchProblem, maps: &UnitMaps) -> Result<Route, PathFailure> {
        if self.expanded() > self.limit {
            return Err(PathFailure::LimitReached);
        }
        let statistics = self.statistics();
        let found = self.search.as_ref().and_then(RouteSearch::route);
        let (goal, route) = found.ok_or(PathFailure::Unreachable)?;
        let Some(AnyMap::Graph(view)) = maps.get(self.map) else { return Err(PathFailure::NoMap) };
        let chosen = if self.is_partial { 0 } else { self.goals[goal] };
        let legs = smallvec![view.leg(&route, Some(&self.start), None)];
        Ok(problem.route(legs, chosen, self.is_partial, statistics))
    }
}

/// Returns the goals that are on a graph now, and their indices among the goals of the order.
pub(crate) fn goals_on<'a>(
    graph: &WaypointGraph,
    goals: impl Iterator<Item = (usize, &'a MapPlace)>,
) -> (Vec<usize>, Vec<RouteEnd<'a>>) {
    let is_there = |place: &MapPlace| !matches!(place, MapPlace::Waypoint(id) if !graph.contains(id));
    let goals = goals.filter(|(_, place)| is_there(place));
    goals.filter_map(|(index, place)| Some((index, place.on_graph()?))).unzip()
}

/// Returns the work of joining the ends of a route to a graph: for each place off the graph all
/// waypoints and edges are looked at.
fn joining_work(graph: &WaypointGraph, start: RouteEnd<'_>, goals: &[RouteEnd<'_>]) -> u64 {
    let is_off_graph = |end: &&RouteEnd<'_>| matches!(end, RouteEnd::Position(_));
    let off_graph = goals.iter().chain([&start]).filter(is_off_graph).count();
    (off_graph * (graph.len() + graph.edge_count()) / LOOKED_AT_A_UNIT) as u64
}

/// Returns the statistics of a search over waypoints, or over several maps.
pub(crate) fn graph_statistics(expanded: u64) -> Statistics {
    Statistics::of(Algorithm::AStar, expanded)
}
