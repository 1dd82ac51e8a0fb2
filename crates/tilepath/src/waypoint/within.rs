//! What can be reached from a waypoint.

use super::{WaypointGraph, error::WaypointError};
use crate::{
    graph::{Graph, node::NodeId},
    search::{
        BinaryHeapQueue, BreadthFirst, CostValue, DenseRecords, Dijkstra, FifoQueue, NoGoal, OpenList,
        Problem, Search, SearchSpace, Strategy, observer::Visits,
    },
};

/// A waypoint within this many steps, as [`WaypointGraph::within_steps`] lists it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct WithinSteps {
    /// The waypoint.
    pub id: String,
    /// The fewest edges that lead there.
    pub steps: u32,
}

/// A waypoint within a budget, as [`WaypointGraph::within_cost`] lists it.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct WithinCost {
    /// The waypoint.
    pub id: String,
    /// The cost of the cheapest way there.
    pub cost: f64,
}

impl WaypointGraph {
    /// Everything that can be reached over at most this many edges, whatever they cost, nearest first, and in the order of
    /// the waypoints where the steps are equal. The waypoint itself is there with 0 steps.
    ///
    /// # Errors
    /// [`WaypointError::UnknownWaypoint`].
    ///
    /// # Complexity
    /// O(what is listed, with its edges), and its logarithm to put it in order.
    pub fn within_steps(&self, id: &str, steps: u32) -> Result<Vec<WithinSteps>, WaypointError> {
        let start = self.find_node(id)?;
        let ways = Ways { graph: &self.graph, numbers: self.ids.len(), weigh: |_| 1_u32 };
        let mut reached = reached_within(&ways, &BreadthFirst, FifoQueue::default(), start, steps);
        reached.sort_unstable_by_key(|&(node, steps)| (steps, node));
        let name = |node| self.name(node).to_owned();
        Ok(reached.into_iter().map(|(node, steps)| WithinSteps { id: name(node), steps }).collect())
    }

    /// Everything that can be reached at a cost of at most the budget, cheapest first, and in the order of the waypoints
    /// where costs are equal. The waypoint itself is there at cost 0. An infinite budget lists all that can be reached.
    ///
    /// # Errors
    /// [`WaypointError::UnknownWaypoint`], [`WaypointError::InvalidBudget`] for NaN.
    ///
    /// # Complexity
    /// As Dijkstra's algorithm on what is listed.
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

/// The edges of a graph, each at a cost made of its own.
struct Ways<'graph, C> {
    graph: &'graph Graph,
    /// As many as nodes were ever numbered.
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

/// What can be reached at a cost of at most the limit, in the order of cost.
fn reached_within<C: CostValue, A: Strategy<NodeId, C>>(
    ways: &Ways<'_, C>,
    strategy: &A,
    queue: impl OpenList<NodeId, C, A::Order>,
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
