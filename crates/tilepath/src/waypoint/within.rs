//! The waypoints within a number of steps or a budget.

use super::{error::WaypointError, graph::WaypointGraph};
use crate::{
    graph::{Graph, node::NodeId},
    search::{
        BinaryHeapQueue, BreadthFirst, CostValue, DenseRecords, Dijkstra, FifoQueue, NoGoal, OpenList,
        Problem, Search, SearchSpace, Strategy, observer::Visits,
    },
};

/// A waypoint that can be reached within a number of edges, as [`WaypointGraph::within_steps`]
/// lists it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct WithinSteps {
    /// The name of the waypoint.
    pub id: String,
    /// The smallest number of edges on a path to the waypoint.
    pub steps: u32,
}

/// A waypoint that can be reached within a budget of cost, as [`WaypointGraph::within_cost`] lists
/// it.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct WithinCost {
    /// The name of the waypoint.
    pub id: String,
    /// The cost of the cheapest path to the waypoint.
    pub cost: f64,
}

impl WaypointGraph {
    /// Returns the waypoints that can be reached over at most this many edges. The costs of the
    /// edges do not matter. The start is in the list, with 0 steps.
    ///
    /// The waypoints with the fewest steps come first. Waypoints with equal steps are in the order
    /// of the waypoints in the graph.
    ///
    /// # Errors
    /// [`WaypointError::UnknownWaypoint`].
    ///
    /// # Complexity
    /// O(n log n + m) for the n waypoints of the result and their m edges.
    pub fn within_steps(&self, id: &str, steps: u32) -> Result<Vec<WithinSteps>, WaypointError> {
        let start = self.find_node(id)?;
        let ways = Ways { graph: &self.graph, numbers: self.ids.len(), weigh: |_| 1_u32 };
        let mut reached = reached_within(&ways, &BreadthFirst, FifoQueue::default(), start, steps);
        reached.sort_unstable_by_key(|&(node, steps)| (steps, node));
        let name = |node| self.name(node).to_owned();
        Ok(reached.into_iter().map(|(node, steps)| WithinSteps { id: name(node), steps }).collect())
    }

    /// Returns the waypoints that can be reached at a cost of at most `budget`. The start is in the
    /// list, with cost 0. With an infinite budget, the list holds all waypoints that can be
    /// reached.
    ///
    /// The waypoints with the smallest cost come first. Waypoints of equal cost are in the order of
    /// the waypoints in the graph.
    ///
    /// # Errors
    /// [`WaypointError::UnknownWaypoint`], [`WaypointError::InvalidBudget`] for NaN.
    ///
    /// # Complexity
    /// One run of Dijkstra's algorithm, which expands the waypoints of the result.
    pub fn within_cost(&self, id: &str, budget: f64) -> Result<Vec<WithinCost>, WaypointError> {
        let start = self.find_node(id)?;
        if budget.is_nan() {
            return Err(WaypointError::InvalidBudget);
        }
        let ways = Ways { graph: &self.graph, numbers: self.ids.len(), weigh: |cost| cost };
        let mut reached = reached_within(&ways, &Dijkstra, BinaryHeapQueue::default(), start, budget);
        reached.sort_unstable_by(|(a, a_cost), (b, b_cost)| a_cost.total_cmp(b_cost).then(a.cmp(b)));
        let name = |node| self.name(node).to_owned();
        Ok(reached.into_iter().map(|(node, cost)| WithinCost { id: name(node), cost }).collect())
    }
}

/// The edges of a graph, each with a cost that is computed from its own.
struct Ways<'graph, C> {
    graph: &'graph Graph,
    /// The number of nodes that were ever numbered.
    numbers: usize,
    weigh: fn(f64) -> C,
}

impl<C: CostValue> SearchSpace for Ways<'_, C> {
    type Node = NodeId;
    type Cost = C;
    type Link = NodeId;
    type Records = DenseRecords<C, NodeId>;

    fn key(&self, node: NodeId) -> usize {
        node.index()
    }

    fn key_count(&self) -> usize {
        self.numbers
    }

    fn expand(&self, node: NodeId, _: Option<NodeId>, mut emit: impl FnMut(NodeId, C, NodeId)) {
        for (to, cost) in self.graph.edges_from(node) {
            emit(to, (self.weigh)(cost), node);
        }
    }

    fn predecessor(&self, _: NodeId, link: NodeId) -> NodeId {
        link
    }
}

/// Returns the nodes that can be reached at a cost of at most the limit, in the order of cost.
fn reached_within<C: CostValue, A: Strategy<NodeId, C>>(
    ways: &Ways<'_, C>,
    strategy: &A,
    queue: impl OpenList<NodeId, A::Priority, A::Order>,
    start: NodeId,
    limit: C,
) -> Vec<(NodeId, C)> {
    let problem = Problem { space: ways, strategy, goal: &NoGoal };
    let mut search = Search::from_parts(DenseRecords::default(), queue);
    search.begin(&problem, &[start]);
    let mut reached = Vec::new();
    loop {
        let mut settled = None;
        search.step(&problem, &mut Visits(|node, cost| settled = Some((node, cost))));
        match settled.filter(|&(_, cost)| cost <= limit) {
            Some(settled) => reached.push(settled),
            None => return reached,
        }
    }
}
