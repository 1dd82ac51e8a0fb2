//! The graph that a route search sees, with start and goals joined to it.

use super::{
    access::{Access, Foot},
    edge::WaypointEdge,
    error::WaypointError,
    graph::WaypointGraph,
    route::{RouteLeg, RouteOptions, RoutePoint, WaypointRoute},
    route_end::RouteEnd,
};
use crate::{
    graph::{node::NodeId, space::ROUNDING},
    position::Position,
    search::{DenseRecords, Heuristic, SearchSpace},
};

/// A node of the search: a waypoint, the start, or a goal.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Stop {
    Start,
    At(NodeId),
    /// The goal of this index.
    Goal(u32),
}

/// The cheapest connection between a place and a node: a straight line, or over the foot on an
/// edge.
#[derive(Clone, Copy, Debug)]
struct Link {
    cost: f64,
    foot: Option<Foot>,
}

/// A course from start to goal past all nodes: along one edge, or empty if both are the same place.
#[derive(Clone, Debug)]
struct Direct {
    goal: u32,
    cost: f64,
    course: DirectCourse,
}

#[derive(Clone, Debug)]
enum DirectCourse {
    /// Start and goal are the same place. It holds the id if the goal is a waypoint.
    Here(Option<String>),
    Along(Foot, Foot),
}

/// The start and the goals of a search, joined to the graph.
///
/// No edge is split: a connection passes the foot between its place and an end of the edge. So the
/// graph is only read.
#[derive(Clone, Debug)]
pub(super) struct Ends {
    start: Option<Access>,
    /// The id of the waypoint at which the route starts.
    start_id: Option<String>,
    goals: Vec<Access>,
    /// The connection from the start to each node, by node number. Empty if there is no start.
    entries: Vec<Option<Link>>,
    /// The connections from nodes to goals, sorted by node and then by goal.
    exits: Vec<(NodeId, u32, Link)>,
    direct: Vec<Direct>,
}

/// A graph, and the start and the goals joined to it.
#[derive(Clone, Copy)]
pub(super) struct RouteSpace<'a> {
    pub(super) graph: &'a WaypointGraph,
    pub(super) ends: &'a Ends,
}

impl Ends {
    pub(super) fn new(
        graph: &WaypointGraph,
        from: Option<RouteEnd<'_>>,
        to: &[RouteEnd<'_>],
        options: RouteOptions,
    ) -> Result<Self, WaypointError> {
        let RouteOptions { access_factor } = options;
        if !(0.0..=WaypointEdge::MAX_FACTOR).contains(&access_factor) {
            return Err(WaypointError::InvalidAccessFactor { factor: access_factor });
        }
        let access = |place| Access::new(graph, place, access_factor);
        let start = from.map(access).transpose()?;
        let goals = to.iter().copied().map(access).collect::<Result<Vec<_>, _>>()?;
        let entries =
            start.as_ref().map(|start| links(graph.ids.len(), start, |foot| (foot.to, foot.cost_onward())));
        let mut exits = Vec::new();
        let mut direct = Vec::new();
        for (goal, access) in (0..).zip(&goals) {
            if access.rate.is_none() && access.feet.is_empty() {
                let at_node = |&(node, cost)| (node, goal, Link { cost, foot: None });
                exits.extend(access.nodes.iter().map(at_node));
            } else {
                let links = links(graph.ids.len(), access, |foot| (foot.from, foot.cost_hither()));
                let numbered =
                    graph.graph.nodes().filter_map(|node| Some((node, goal, links[node.index()]?)));
                exits.extend(numbered);
            }
            let place = to[goal as usize];
            direct.extend(start.as_ref().and_then(|start| Direct::between(start, access, goal, place)));
        }
        exits.sort_unstable_by_key(|&(node, goal, _)| (node, goal));
        let start_id = from.and_then(waypoint_of).map(str::to_owned);
        if graph.is_empty() && direct.is_empty() && !goals.is_empty() {
            return Err(WaypointError::NoWaypoints);
        }
        Ok(Self { start, start_id, goals, entries: entries.unwrap_or_default(), exits, direct })
    }

    pub(super) fn goal_count(&self) -> usize {
        self.goals.len()
    }
}

impl Direct {
    fn between(start: &Access, goal: &Access, index: u32, place: RouteEnd<'_>) -> Option<Self> {
        let is_off_graph = start.rate.is_some() || goal.rate.is_some();
        if is_off_graph && start.position == goal.position {
            let id = waypoint_of(place).map(str::to_owned);
            return Some(Self { goal: index, cost: 0.0, course: DirectCourse::Here(id) });
        }
        let (cost, from, to) = along_one_edge(&start.feet, &goal.feet)?;
        Some(Self { goal: index, cost, course: DirectCourse::Along(from, to) })
    }
}

impl<'a> RouteSpace<'a> {
    /// Returns the estimate: the straight line to the goal × the smallest cost of a unit of length,
    /// on or off the graph. If there is not exactly one goal, the estimate is zero.
    pub(super) fn estimate(&self) -> StraightLine<'a> {
        let [goal] = &self.ends.goals[..] else {
            return StraightLine { graph: self.graph, goal: Position::new(0.0, 0.0), rate: 0.0 };
        };
        let rate = self.graph.graph.lowest_rate().min(goal.rate.unwrap_or(f64::INFINITY));
        let rate = if rate.is_finite() { rate * ROUNDING } else { 0.0 };
        StraightLine { graph: self.graph, goal: goal.position, rate }
    }

    /// Returns the route over these stops.
    pub(super) fn route(&self, stops: &[Stop], expanded: u64) -> WaypointRoute {
        let cost = stops.windows(2).filter_map(|pair| self.cost_of(pair[0], pair[1])).sum();
        WaypointRoute { points: self.points(stops), cost, expanded }
    }

    /// Returns the cost of the connection from one stop straight to another.
    fn cost_of(&self, from: Stop, to: Stop) -> Option<f64> {
        match (from, to) {
            (Stop::Start, Stop::At(node)) => self.entry(node).map(|link| link.cost),
            (Stop::At(from), Stop::At(to)) => self.graph.graph.edge_cost(from, to),
            (Stop::At(node), Stop::Goal(goal)) => self.exit(node, goal).map(|link| link.cost),
            (Stop::Start, Stop::Goal(goal)) => self.direct(goal).map(|direct| direct.cost),
            (Stop::Goal(_), _) | (_, Stop::Start) => None,
        }
    }

    fn entry(&self, node: NodeId) -> Option<&'a Link> {
        self.ends.entries.get(node.index())?.as_ref()
    }

    fn exits(&self, node: NodeId) -> &'a [(NodeId, u32, Link)] {
        let exits = &self.ends.exits[..];
        let first = exits.partition_point(|&(from, ..)| from < node);
        let count = exits[first..].partition_point(|&(from, ..)| from == node);
        &exits[first..first + count]
    }

    fn exit(&self, node: NodeId, goal: u32) -> Option<&'a Link> {
        self.exits(node).iter().find(|&&(_, to, _)| to == goal).map(|(_, _, link)| link)
    }

    fn direct(&self, goal: u32) -> Option<&'a Direct> {
        self.ends.direct.iter().find(|direct| direct.goal == goal)
    }

    fn points(&self, stops: &[Stop]) -> Vec<RoutePoint> {
        let mut points = Vec::new();
        match (stops.first(), &self.ends.start) {
            (Some(Stop::Start), Some(start)) => {
                push(&mut points, start.position, self.ends.start_id.as_deref(), RouteLeg::Start);
            }
            (Some(&Stop::At(node)), _) => self.push_node(&mut points, node, RouteLeg::Start),
            _ => {}
        }
        for pair in stops.windows(2) {
            match *pair {
                [Stop::Start, Stop::At(node)] => match self.entry(node).and_then(|link| link.foot) {
                    None => self.push_node(&mut points, node, RouteLeg::OffGraph),
                    Some(foot) => {
                        push(&mut points, foot.position, None, RouteLeg::OffGraph);
                        self.push_node(&mut points, node, self.leg(foot.edge()));
                    }
                },
                [Stop::At(node), Stop::At(next)] => {
                    self.push_node(&mut points, next, self.leg((node, next)));
                }
                [Stop::At(node), Stop::Goal(goal)] => {
                    if let Some(foot) = self.exit(node, goal).and_then(|link| link.foot) {
                        push(&mut points, foot.position, None, self.leg(foot.edge()));
                    }
                    push(&mut points, self.goal_position(goal), None, RouteLeg::OffGraph);
                }
                [Stop::Start, Stop::Goal(goal)] => {
                    let mut id = None;
                    match self.direct(goal).map(|direct| &direct.course) {
                        Some(DirectCourse::Along(foot, end)) => {
                            push(&mut points, foot.position, None, RouteLeg::OffGraph);
                            push(&mut points, end.position, None, self.leg(end.edge()));
                        }
                        Some(DirectCourse::Here(waypoint)) => id = waypoint.as_deref(),
                        None => {}
                    }
                    push(&mut points, self.goal_position(goal), id, RouteLeg::OffGraph);
                }
                _ => {}
            }
        }
        points
    }

    fn push_node(&self, points: &mut Vec<RoutePoint>, node: NodeId, leg: RouteLeg) {
        push(points, self.graph.place(node), Some(self.graph.name(node)), leg);
    }

    fn goal_position(&self, goal: u32) -> Position {
        self.ends.goals[goal as usize].position
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

fn waypoint_of(place: RouteEnd<'_>) -> Option<&str> {
    match place {
        RouteEnd::Waypoint(id) => Some(id),
        RouteEnd::OnEdge { from, share, .. } if share <= 0.0 => Some(from),
        RouteEnd::OnEdge { to, share, .. } if share >= 1.0 => Some(to),
        RouteEnd::OnEdge { .. } | RouteEnd::Position(_) => None,
    }
}

/// Adds a point. If the last point has the same position, no point is added: the last point takes
/// the name of the waypoint if it has none. But the end of an edge at a waypoint is always added.
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

/// Returns the cheapest connection between a place and each node. If costs are equal, the straight
/// line comes first, then the foot on the first edge.
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

/// Returns the cheapest connection from a foot to one further along the same edge. Both lists are
/// in the order of the edges.
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
        let numbers = self.graph.ids.len();
        match stop {
            Stop::At(node) => node.index(),
            Stop::Start => numbers,
            Stop::Goal(goal) => numbers + 1 + goal as usize,
        }
    }

    fn key_count(&self) -> usize {
        self.graph.ids.len() + 1 + self.ends.goals.len()
    }

    fn expand(&self, stop: Stop, _: Option<Stop>, mut emit: impl FnMut(Stop, f64, Stop)) {
        match stop {
            Stop::Start => {
                for direct in &self.ends.direct {
                    emit(Stop::Goal(direct.goal), direct.cost, stop);
                }
                for node in self.graph.graph.nodes() {
                    if let Some(link) = self.entry(node) {
                        emit(Stop::At(node), link.cost, stop);
                    }
                }
            }
            Stop::At(node) => {
                for &(_, goal, link) in self.exits(node) {
                    emit(Stop::Goal(goal), link.cost, stop);
                }
                for (to, cost) in self.graph.graph.edges_from(node) {
                    emit(Stop::At(to), cost, stop);
                }
            }
            Stop::Goal(_) => {}
        }
    }

    fn predecessor(&self, _: Stop, link: Stop) -> Stop {
        link
    }
}

/// The straight line to the goal × the rate. It is never above the true cost: no connection costs
/// less for its length.
pub(super) struct StraightLine<'graph> {
    graph: &'graph WaypointGraph,
    goal: Position,
    rate: f64,
}

impl Heuristic<Stop, f64> for StraightLine<'_> {
    fn estimate(&self, stop: Stop) -> f64 {
        match stop {
            Stop::At(node) => self.graph.place(node).distance(self.goal) * self.rate,
            Stop::Start | Stop::Goal(_) => 0.0,
        }
    }
}
