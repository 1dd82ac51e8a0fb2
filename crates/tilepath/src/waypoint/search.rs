//! The search for a route between places on or off the graph.

use super::{
    error::WaypointError,
    graph::WaypointGraph,
    plan::{Ends, RouteSpace, Stop},
    route::{RouteOptions, WaypointRoute},
    route_end::RouteEnd,
};
use crate::{
    graph::node::NodeId,
    search::{
        AStar, BinaryHeapQueue, DenseRecords, Dijkstra, NoGoal, Problem, Search, SearchStatus,
        observer::Visits,
    },
};
use std::sync::Arc;

/// A search for a route that runs in slices. It has one goal, or finds the cheapest of several
/// goals.
///
/// The search uses the graph as it was when the search began.
///
/// # Guarantee
/// The answer does not depend on the slices. It equals the answer of [`WaypointGraph::find_route`]
/// or [`WaypointGraph::nearest_route`].
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use tilepath::{SearchStatus, waypoint::{RouteEnd, RouteOptions, WaypointGraph}};
/// let mut town = WaypointGraph::new();
/// for (id, x) in [("inn", 0.0), ("well", 30.0), ("gate", 70.0)] {
///     town.add(id, (x, 0.0))?;
/// }
/// town.join("inn", "well")?;
/// town.join("well", "gate")?;
/// let goals = [RouteEnd::Waypoint("gate"), RouteEnd::Position((31.0, 0.0).into())];
/// let mut search = Arc::new(town).begin_route("inn", &goals, RouteOptions::default())?;
/// while search.advance(1) == SearchStatus::Running {}
/// let (goal, route) = search.route().unwrap();
/// assert_eq!((goal, route.cost()), (1, 31.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RouteSearch {
    graph: Arc<WaypointGraph>,
    engine: RouteEngine,
}

/// A place that a [`RouteSearch`] has settled. Settled means that the known cost of the place is
/// final.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum RouteStop {
    /// A waypoint.
    Waypoint(NodeId),
    /// The goal of this index.
    Goal(usize),
}

/// The state of a search along a graph. Each call gets the graph as an argument; it must always be
/// the same graph.
#[derive(Clone, Debug)]
pub(super) struct RouteEngine {
    ends: Ends,
    search: Search<Stop, DenseRecords<f64, Stop>, BinaryHeapQueue<Stop, f64>>,
    /// True if waypoints must settle in the order of their costs.
    spreads: bool,
    /// The cheapest settled goal: its cost and its index. If costs are equal, the first goal in the
    /// list counts.
    nearest: Option<(f64, u32)>,
    goals_settled: u64,
}

impl RouteEngine {
    pub(super) fn begin(
        graph: &WaypointGraph,
        from: Option<RouteEnd<'_>>,
        to: &[RouteEnd<'_>],
        options: RouteOptions,
        spreads: bool,
    ) -> Result<Self, WaypointError> {
        let ends = Ends::new(graph, from, to, options)?;
        let space = RouteSpace { graph, ends: &ends };
        let mut search = Search::default();
        let starts: &[Stop] = if from.is_some() { &[Stop::Start] } else { &[] };
        search.begin(&Problem { space: &space, strategy: &AStar(space.estimate()), goal: &NoGoal }, starts);
        Ok(Self { ends, search, spreads, nearest: None, goals_settled: 0 })
    }

    /// Settles places up to a number, up to a cost, or up to the first stop or goal.
    pub(super) fn advance(
        &mut self,
        graph: &WaypointGraph,
        budget: u64,
        until: f64,
        is_stop: impl Fn(NodeId) -> bool,
    ) -> Option<(RouteStop, f64)> {
        let Self { ends, search, spreads, nearest, goals_settled } = self;
        let space = RouteSpace { graph, ends };
        let estimate = AStar(space.estimate());
        for _ in 0..budget {
            if search.next_priority(&space).is_none_or(|next| next > until) {
                return None;
            }
            let mut settled = None;
            let mut visits = Visits(|stop, cost| settled = Some((stop, cost)));
            if *spreads {
                let problem = Problem { space: &space, strategy: &Dijkstra, goal: &NoGoal };
                search.step(&problem, &mut visits);
            } else {
                let problem = Problem { space: &space, strategy: &estimate, goal: &NoGoal };
                search.step(&problem, &mut visits);
            }
            match settled? {
                (Stop::Goal(goal), cost) => {
                    *goals_settled += 1;
                    if nearest.is_none_or(|(least, first)| (cost, goal) < (least, first)) {
                        *nearest = Some((cost, goal));
                    }
                    return Some((RouteStop::Goal(goal as usize), cost));
                }
                (Stop::At(node), cost) if is_stop(node) => return Some((RouteStop::Waypoint(node), cost)),
                _ => {}
            }
        }
        None
    }

    /// Runs until the nearest goal is certain. It also settles goals that are as cheap as the one
    /// found, because the order of the list decides.
    pub(super) fn advance_to_goal(&mut self, graph: &WaypointGraph, budget: u64) -> SearchStatus {
        let before = self.search.expanded();
        while !self.is_done(graph) {
            let left = budget - (self.search.expanded() - before).min(budget);
            if left == 0 {
                return SearchStatus::Running;
            }
            let until = self.nearest.map_or(f64::INFINITY, |(cost, _)| cost);
            self.advance(graph, left, until, |_| false);
        }
        SearchStatus::Done
    }

    fn is_done(&mut self, graph: &WaypointGraph) -> bool {
        let is_settled = self.nearest.is_some() && self.ends.goal_count() == 1;
        is_settled || {
            let next = self.search.next_priority(&RouteSpace { graph, ends: &self.ends });
            next.is_none_or(|next| self.nearest.is_some_and(|(cost, _)| next > cost))
        }
    }

    /// Returns the route to the nearest goal found.
    pub(super) fn route(&self, graph: &WaypointGraph) -> Option<(usize, WaypointRoute)> {
        let (_, goal) = self.nearest?;
        Some((goal as usize, self.route_to(graph, Stop::Goal(goal))?))
    }

    fn route_to(&self, graph: &WaypointGraph, stop: Stop) -> Option<WaypointRoute> {
        let space = RouteSpace { graph, ends: &self.ends };
        let stops = self.search.path_to(&space, stop)?;
        Some(space.route(&stops, self.expanded()))
    }

    /// Returns the number of expanded waypoints; goals do not count.
    fn expanded(&self) -> u64 {
        self.search.expanded() - self.goals_settled
    }
}

impl WaypointGraph {
    /// Begins a search from a place to the goal in a list that is cheapest to reach.
    ///
    /// # Errors
    /// [`WaypointError::NoGoals`] if the list of goals is empty, and the errors of
    /// [`find_route`](Self::find_route).
    ///
    /// # Complexity
    /// O(waypoints + edges) for the start and for each goal, if they are not waypoints.
    pub fn begin_route<'a>(
        self: &Arc<Self>,
        start: impl Into<RouteEnd<'a>>,
        goals: &[RouteEnd<'_>],
        options: RouteOptions,
    ) -> Result<RouteSearch, WaypointError> {
        if goals.is_empty() {
            return Err(WaypointError::NoGoals);
        }
        let engine = RouteEngine::begin(self, Some(start.into()), goals, options, false)?;
        Ok(RouteSearch { graph: Arc::clone(self), engine })
    }

    /// Begins a search that settles places in the order of their cost. The search spreads from
    /// `start`, if there is one, and from waypoints that are [entered](RouteSearch::enter). The
    /// list of goals may be empty.
    ///
    /// [`SpreadSearch`](crate::field::SpreadSearch) does the same over cells.
    ///
    /// # Errors
    /// The errors of [`find_route`](Self::find_route).
    ///
    /// # Examples
    /// ```
    /// use std::sync::Arc;
    /// use tilepath::waypoint::{RouteOptions, RouteStop, WaypointGraph};
    /// let mut town = WaypointGraph::new();
    /// for (id, x) in [("inn", 0.0), ("well", 30.0), ("gate", 70.0)] {
    ///     town.add(id, (x, 0.0))?;
    /// }
    /// town.join("inn", "well")?;
    /// town.join("well", "gate")?;
    /// let well = town.node("well").unwrap();
    /// let mut search = Arc::new(town).begin_spread(None, &[], RouteOptions::default())?;
    /// assert!(search.enter("inn", 5.0)? && search.enter("gate", 2.0)?);
    /// let settled = search.advance_until(u64::MAX, f64::INFINITY, |node| node == well);
    /// assert_eq!(settled, Some((RouteStop::Waypoint(well), 35.0)));
    /// assert_eq!(search.entry_of(RouteStop::Waypoint(well)), Some("inn"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn begin_spread(
        self: &Arc<Self>,
        start: Option<RouteEnd<'_>>,
        goals: &[RouteEnd<'_>],
        options: RouteOptions,
    ) -> Result<RouteSearch, WaypointError> {
        let engine = RouteEngine::begin(self, start, goals, options, true)?;
        Ok(RouteSearch { graph: Arc::clone(self), engine })
    }
}

impl RouteSearch {
    /// Lets the search begin at a waypoint too, at this cost. The cost must be finite and not
    /// negative.
    ///
    /// Returns true if this cost is smaller than the known cost of the waypoint. Otherwise, or if
    /// the cost is invalid, returns false and changes nothing.
    ///
    /// # Errors
    /// [`WaypointError::UnknownWaypoint`].
    pub fn enter(&mut self, id: &str, cost: f64) -> Result<bool, WaypointError> {
        let node = self.graph.find_node(id)?;
        let RouteEngine { ends, search, .. } = &mut self.engine;
        let space = RouteSpace { graph: &self.graph, ends };
        let problem = Problem { space: &space, strategy: &Dijkstra, goal: &NoGoal };
        Ok(cost.is_finite() && cost >= 0.0 && search.enter(&problem, Stop::At(node), cost))
    }

    /// Returns a lower bound on the costs of all places that are not settled. Returns `None` if all
    /// places that can be reached are settled.
    ///
    /// If [`begin_route`](WaypointGraph::begin_route) began the search, this is only a bound on the
    /// costs of goals.
    pub fn next_cost(&mut self) -> Option<f64> {
        let RouteEngine { ends, search, .. } = &mut self.engine;
        search.next_priority(&RouteSpace { graph: &self.graph, ends })
    }

    /// Settles places until one of them is a goal, or a waypoint for which `is_stop` returns true.
    /// Returns this place and its cost.
    ///
    /// Returns `None` in three cases: `budget` places were settled, [`next_cost`](Self::next_cost)
    /// is greater than `until`, or all places that can be reached are settled.
    pub fn advance_until(
        &mut self,
        budget: u64,
        until: f64,
        is_stop: impl Fn(NodeId) -> bool,
    ) -> Option<(RouteStop, f64)> {
        self.engine.advance(&self.graph, budget, until, is_stop)
    }

    /// Runs until the cheapest goal is known, or until `budget` places are expanded.
    pub fn advance(&mut self, budget: u64) -> SearchStatus {
        self.engine.advance_to_goal(&self.graph, budget)
    }

    /// Runs the rest of the search. Returns the index of the goal that is cheapest to reach and the
    /// route to this goal, as [`WaypointGraph::nearest_route`] does.
    #[must_use]
    pub fn finish(mut self) -> Option<(usize, WaypointRoute)> {
        self.advance(u64::MAX);
        self.route()
    }

    /// Returns the index of the cheapest goal found so far and the route to this goal. Returns
    /// `None` if no goal was found yet. If two goals cost the same, the first in the list counts.
    #[must_use]
    pub fn route(&self) -> Option<(usize, WaypointRoute)> {
        self.engine.route(&self.graph)
    }

    /// Returns the route to a settled place. The route begins at the start of the search or at an
    /// [entered](Self::enter) waypoint. Its cost does not include the cost at which the waypoint
    /// was entered.
    #[must_use]
    pub fn route_to(&self, stop: RouteStop) -> Option<WaypointRoute> {
        self.engine.route_to(&self.graph, stop.into())
    }

    /// Returns the [entered](Self::enter) waypoint at which the route to a place begins. Returns
    /// `None` if the route begins at the start of the search.
    #[must_use]
    pub fn entry_of(&self, stop: RouteStop) -> Option<&str> {
        let space = RouteSpace { graph: &self.graph, ends: &self.engine.ends };
        match self.engine.search.walk_back(&space, stop.into()).last()? {
            Stop::At(node) => self.graph.id(node),
            Stop::Start | Stop::Goal(_) => None,
        }
    }

    /// Returns the number of expanded waypoints. It measures the work of the search.
    #[must_use]
    pub fn expanded(&self) -> u64 {
        self.engine.expanded()
    }

    /// Returns the graph as it was when the search began.
    #[must_use]
    pub fn graph(&self) -> &WaypointGraph {
        &self.graph
    }
}

impl From<RouteStop> for Stop {
    fn from(stop: RouteStop) -> Self {
        match stop {
            RouteStop::Waypoint(node) => Self::At(node),
            RouteStop::Goal(goal) => Self::Goal(u32::try_from(goal).unwrap_or(u32::MAX)),
        }
    }
}
