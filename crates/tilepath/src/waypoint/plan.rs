//! The search for a route between places that need not be on the graph.

use super::{
    WaypointGraph,
    access::{Access, Foot},
    edge::WaypointEdge,
    error::WaypointError,
    place::Anywhere,
    route::{RouteLeg, RouteOptions, RoutePoint, WaypointRoute},
};
use crate::{
    graph::{node::NodeId, space::ROUNDING},
    position::Position,
    search::{BinaryHeapQueue, DenseRecords, GoalNode, Heuristic, Problem, Search, SearchSpace},
};

/// A node of the search: a waypoint, or one of the two places that the route joins.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Stop {
    Start,
    At(NodeId),
    Goal,
}

/// A way between a place and a node, the cheapest there is: straight, or by the foot on an edge.
#[derive(Clone, Copy, Debug)]
struct Link {
    cost: f64,
    foot: Option<Foot>,
}

/// The graph with start and goal joined to it. Edges are not split: a foot is passed on the way between its place and the
/// end of the edge, so that the graph is only read.
struct RouteSpace<'graph> {
    graph: &'graph WaypointGraph,
    start: Access,
    goal: Access,
    /// By node number.
    entries: Vec<Option<Link>>,
    exits: Vec<Option<Link>>,
    /// The way from start to goal along a single edge.
    direct: Option<(f64, Foot, Foot)>,
}

pub(super) fn plan(
    graph: &WaypointGraph,
    from: Anywhere<'_>,
    to: Anywhere<'_>,
    options: RouteOptions,
) -> Result<WaypointRoute, WaypointError> {
    let RouteOptions { access_factor } = options;
    if !(0.0..=WaypointEdge::MAX_FACTOR).contains(&access_factor) {
        return Err(WaypointError::InvalidAccessFactor { factor: access_factor });
    }
    let start = Access::new(graph, from, access_factor)?;
    let goal = Access::new(graph, to, access_factor)?;
    let is_off_graph = start.rate.is_some() || goal.rate.is_some();
    if is_off_graph && start.position == goal.position {
        let mut points = Vec::new();
        for place in [from, to] {
            push(&mut points, start.position, waypoint_of(place), RouteLeg::OffGraph);
        }
        return Ok(WaypointRoute::new(points, 0.0, 0));
    }
    if graph.is_empty() {
        return Err(WaypointError::NoWaypoints);
    }
    let space = RouteSpace::new(graph, start, goal);
    let heuristic = space.estimate();
    let problem = Problem { space: &space, heuristic: &heuristic, goal: &GoalNode(Stop::Goal) };
    let mut search = Search::<_, DenseRecords<f64, Stop>, BinaryHeapQueue<Stop, f64>>::default();
    search.begin(&problem, &[Stop::Start]);
    search.run(&problem, &mut ());
    let (_, cost) = search.reached().ok_or_else(|| WaypointError::unreachable(from, to))?;
    let stops = search.path_to(&space, Stop::Goal).unwrap_or_default();
    Ok(WaypointRoute::new(space.points(from, &stops), cost, search.expanded()))
}

impl<'graph> RouteSpace<'graph> {
    fn new(graph: &'graph WaypointGraph, start: Access, goal: Access) -> Self {
        let numbers = graph.ids.len();
        let entries = links(numbers, &start, |foot| (foot.to, foot.cost_onward()));
        let exits = links(numbers, &goal, |foot| (foot.from, foot.cost_hither()));
        let direct = along_one_edge(&start.feet, &goal.feet);
        Self { graph, start, goal, entries, exits, direct }
    }

    /// The straight line to the goal × the least that a unit of length costs, on the graph or off it.
    fn estimate(&self) -> StraightLine<'graph> {
        let rate = self.graph.graph.lowest_rate().min(self.goal.rate.unwrap_or(f64::INFINITY));
        let rate = if rate.is_finite() { rate * ROUNDING } else { 0.0 };
        StraightLine { graph: self.graph, goal: self.goal.position, rate }
    }

    /// The points of the route over these stops.
    fn points(&self, from: Anywhere<'_>, stops: &[Stop]) -> Vec<RoutePoint> {
        let mut points = Vec::new();
        push(&mut points, self.start.position, waypoint_of(from), RouteLeg::Start);
        for pair in stops.windows(2) {
            match *pair {
                [Stop::Start, Stop::At(node)] => {
                    match self.entries[node.index()].and_then(|link| link.foot) {
                        None => self.push_node(&mut points, node, RouteLeg::OffGraph),
                        Some(foot) => {
                            push(&mut points, foot.position, None, RouteLeg::OffGraph);
                            self.push_node(&mut points, node, self.leg(foot.edge()));
                        }
                    }
                }
                [Stop::At(node), Stop::At(next)] => {
                    self.push_node(&mut points, next, self.leg((node, next)));
                }
                [Stop::At(node), Stop::Goal] => {
                    if let Some(foot) = self.exits[node.index()].and_then(|link| link.foot) {
                        push(&mut points, foot.position, None, self.leg(foot.edge()));
                    }
                    push(&mut points, self.goal.position, None, RouteLeg::OffGraph);
                }
                _ => {
                    if let Some((_, foot, end)) = self.direct {
                        push(&mut points, foot.position, None, RouteLeg::OffGraph);
                        push(&mut points, end.position, None, self.leg(end.edge()));
                    }
                    push(&mut points, self.goal.position, None, RouteLeg::OffGraph);
                }
            }
        }
        points
    }

    fn push_node(&self, points: &mut Vec<RoutePoint>, node: NodeId, leg: RouteLeg) {
        push(points, self.graph.place(node), Some(self.graph.name(node)), leg);
    }

    fn leg(&self, (from, to): (NodeId, NodeId)) -> RouteLeg {
        let graph = self.graph;
        RouteLeg::Edge {
            from: graph.name(from).to_owned(),
            to: graph.name(to).to_owned(),
            edge: graph.setting(from, to),
            ends: (graph.place(from), graph.place(to)),
        }
    }
}

fn waypoint_of(place: Anywhere<'_>) -> Option<&str> {
    match place {
        Anywhere::Waypoint(id) => Some(id),
        Anywhere::OnEdge { from, share, .. } if share <= 0.0 => Some(from),
        Anywhere::OnEdge { to, share, .. } if share >= 1.0 => Some(to),
        Anywhere::OnEdge { .. } | Anywhere::Position(_) => None,
    }
}

/// Adds a point, unless it is where the last one is: then the last one only learns the name of the waypoint.
fn push(points: &mut Vec<RoutePoint>, position: Position, waypoint: Option<&str>, leg: RouteLeg) {
    match points.last_mut() {
        Some(last)
            if last.position == position && (waypoint.is_none() || matches!(leg, RouteLeg::OffGraph)) =>
        {
            if last.waypoint.is_none() {
                last.waypoint = waypoint.map(str::to_owned);
            }
        }
        last => {
            let leg = if last.is_none() { RouteLeg::Start } else { leg };
            points.push(RoutePoint { position, waypoint: waypoint.map(str::to_owned), leg });
        }
    }
}

/// The cheapest way between a place and each node. Of equals the straight one, then the foot on the first edge.
fn links(numbers: usize, access: &Access, by_foot: impl Fn(&Foot) -> (NodeId, f64)) -> Vec<Option<Link>> {
    let mut links: Vec<Option<Link>> = vec![None; numbers];
    let straight = access.nodes.iter().map(|&(node, cost)| (node, Link { cost, foot: None }));
    let feet = access.feet.iter().map(|foot| {
        let (node, cost) = by_foot(foot);
        (node, Link { cost, foot: Some(*foot) })
    });
    for (node, link) in straight.chain(feet) {
        let known = &mut links[node.index()];
        if known.is_none_or(|known| link.cost < known.cost) {
            *known = Some(link);
        }
    }
    links
}

/// The cheapest way from a foot to one further along the same edge. Both lists are in the order of the edges.
fn along_one_edge(starts: &[Foot], goals: &[Foot]) -> Option<(f64, Foot, Foot)> {
    let mut best: Option<(f64, Foot, Foot)> = None;
    let mut goals = goals.iter().peekable();
    for start in starts {
        while goals.next_if(|goal| goal.edge() < start.edge()).is_some() {}
        let Some(goal) = goals.peek().filter(|goal| goal.edge() == start.edge()) else { continue };
        if let Some(cost) = start.cost_to(goal)
            && best.is_none_or(|(least, ..)| cost < least)
        {
            best = Some((cost, *start, **goal));
        }
    }
    best
}

impl SearchSpace for RouteSpace<'_> {
    type Node = Stop;
    type Cost = f64;
    type Link = Stop;
    type Records = DenseRecords<f64, Stop>;

    fn key(&self, stop: Stop) -> usize {
        match stop {
            Stop::At(node) => node.index(),
            Stop::Start => self.entries.len(),
            Stop::Goal => self.entries.len() + 1,
        }
    }

    fn key_count(&self) -> usize {
        self.entries.len() + 2
    }

    fn expand(&self, stop: Stop, _: Option<Stop>, mut emit: impl FnMut(Stop, f64, Stop)) {
        match stop {
            Stop::Start => {
                if let Some((cost, ..)) = self.direct {
                    emit(Stop::Goal, cost, stop);
                }
                for node in self.graph.graph.nodes() {
                    if let Some(link) = &self.entries[node.index()] {
                        emit(Stop::At(node), link.cost, stop);
                    }
                }
            }
            Stop::At(node) => {
                if let Some(link) = &self.exits[node.index()] {
                    emit(Stop::Goal, link.cost, stop);
                }
                for (to, cost) in self.graph.graph.edges_from(node) {
                    emit(Stop::At(to), cost, stop);
                }
            }
            Stop::Goal => {}
        }
    }

    fn predecessor(&self, _: Stop, link: Stop) -> Stop {
        link
    }
}

/// Never more than the true cost: nothing costs less for its length than the rate.
struct StraightLine<'graph> {
    graph: &'graph WaypointGraph,
    goal: Position,
    rate: f64,
}

impl Heuristic<Stop, f64> for StraightLine<'_> {
    fn estimate(&self, stop: Stop) -> f64 {
        match stop {
            Stop::At(node) => self.graph.place(node).distance(self.goal) * self.rate,
            Stop::Start | Stop::Goal => 0.0,
        }
    }
}
