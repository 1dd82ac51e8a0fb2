//! A running search on a graph.

use crate::{
    graph::{
        answer::{GraphAnswer, GraphPath, ShortestPathTree},
        error::GraphError,
        network::Network,
        node::NodeId,
        space::{GraphSpace, StraightLine},
    },
    search::{
        AStar, BinaryHeapQueue, BreadthFirst, DenseRecords, DepthFirst, Dijkstra, FifoQueue, GoalNode,
        Greedy, LifoQueue, Observer, OpenList, Problem, Search, SearchStatus, Step, Strategy, step::steps,
    },
};
use std::sync::Arc;

/// The algorithm of a graph search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[non_exhaustive]
pub enum GraphAlgorithm {
    /// Finds the cheapest path, with A*. The estimate of a node is the straight distance to the
    /// goal × a rate. The rate is the smallest value of cost ÷ length among all edges.
    ///
    /// The rate is 0 if a node with an edge has no position, or if an edge between two different
    /// positions costs nothing. Then the search is Dijkstra's algorithm.
    #[default]
    #[doc(alias = "A*")]
    #[doc(alias = "astar")]
    AStar,
    /// Finds the cheapest path. It expands nodes in the order of their cost from the start.
    Dijkstra,
    /// Finds the path with the fewest edges, whatever they cost.
    #[doc(alias = "BFS")]
    BreadthFirst,
    /// Finds some path. It follows the first edge of each node as far as possible.
    #[doc(alias = "DFS")]
    DepthFirst,
    /// Finds some path, often soon. It always expands the node that lies closest to the goal.
    Greedy,
}

/// A search on a graph that runs step by step or in slices.
///
/// The search uses the graph as it was when the search began; later edits have no effect. It does
/// not borrow the graph. [`Graph::begin`](crate::graph::Graph::begin) starts it.
///
/// # Examples
/// ```
/// use tilepath::{graph::{Graph, GraphAlgorithm}, search::Step};
///
/// let mut graph = Graph::new();
/// let [a, b, c] = [(0.0, 0.0), (3.0, 4.0), (3.0, 0.0)].map(|(x, y)| graph.add_node_at(x, y).unwrap());
/// graph.add_edge_by_distance(a, b)?;
/// graph.add_edge_by_distance(a, c)?;
/// graph.add_edge_by_distance(c, b)?;
///
/// let mut search = graph.begin(a, b, GraphAlgorithm::Dijkstra)?;
/// assert_eq!(search.step(), Step::Expanded(a));
/// assert_eq!(search.edges_of_last_step(), [(a, b), (a, c)]);
/// assert_eq!(search.steps().collect::<Vec<_>>(), [Step::Expanded(c), Step::Reached(b)]);
/// assert_eq!(search.finish()?.path.unwrap().nodes, [a, b]);
/// # Ok::<(), tilepath::graph::GraphError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GraphSearch {
    network: Arc<Network>,
    start: NodeId,
    goal: NodeId,
    algorithm: GraphAlgorithm,
    engine: Search<NodeId, DenseRecords<f64, NodeId>, GraphQueue>,
    visited_edges: Vec<(NodeId, NodeId)>,
    visited_before_last_step: usize,
}

impl GraphSearch {
    pub(crate) fn new(
        network: &Arc<Network>,
        start: NodeId,
        goal: NodeId,
        algorithm: GraphAlgorithm,
    ) -> Result<Self, GraphError> {
        network.node(start)?;
        network.node(goal)?;
        let mut search = Self {
            network: Arc::clone(network),
            start,
            goal,
            algorithm,
            engine: Search::from_parts(DenseRecords::default(), GraphQueue::of(algorithm)),
            visited_edges: Vec::new(),
            visited_before_last_step: 0,
        };
        search.run(Task::Begin);
        Ok(search)
    }

    /// Runs a task. Only this method maps the algorithm to types.
    fn run(&mut self, task: Task) -> Option<Step<NodeId>> {
        let network = &*Arc::clone(&self.network);
        let (forward, goal) = (GraphSpace::new(network), self.goal);
        match self.algorithm {
            GraphAlgorithm::AStar => {
                self.run_with(task, &forward, &AStar(StraightLine::admissible(network, goal)))
            }
            GraphAlgorithm::Dijkstra => self.run_with(task, &forward, &Dijkstra),
            GraphAlgorithm::BreadthFirst => self.run_with(task, &forward, &BreadthFirst),
            GraphAlgorithm::DepthFirst => self.run_with(task, &GraphSpace::backward(network), &DepthFirst),
            GraphAlgorithm::Greedy => {
                self.run_with(task, &forward, &Greedy(StraightLine::length(network, goal)))
            }
        }
    }

    /// Runs a task and returns its last step.
    fn run_with(
        &mut self,
        task: Task,
        space: &GraphSpace<'_>,
        strategy: &impl Strategy<NodeId, f64, Priority = f64>,
    ) -> Option<Step<NodeId>> {
        let problem = Problem { space, strategy, goal: &GoalNode(self.goal) };
        match task {
            Task::Begin => {
                self.engine.begin(&problem, &[self.start]);
                None
            }
            Task::Advance(0) => None,
            Task::Advance(budget) => {
                Some(self.engine.proceed(&problem, &mut VisitedEdges(&mut self.visited_edges), budget))
            }
        }
    }

    /// Expands one node, or ends the search. After the end of the search, it returns the last step
    /// again.
    pub fn step(&mut self) -> Step<NodeId> {
        self.visited_before_last_step = self.visited_edges.len();
        self.run(Task::Advance(1)).unwrap_or(Step::Exhausted)
    }

    /// Returns an iterator over the steps. Its last item is the step that ends the search.
    pub fn steps(&mut self) -> impl Iterator<Item = Step<NodeId>> {
        steps(|| self.step())
    }

    /// Runs until the end, or until `budget` nodes are expanded.
    pub fn advance(&mut self, budget: u64) -> SearchStatus {
        self.visited_before_last_step = self.visited_edges.len();
        self.run(Task::Advance(budget));
        if self.engine.is_done() { SearchStatus::Done } else { SearchStatus::Running }
    }

    /// Returns whether the search has ended.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.engine.is_done()
    }

    /// Returns the number of expanded nodes.
    #[must_use]
    pub fn expanded(&self) -> u64 {
        self.engine.expanded()
    }

    /// Returns every edge that the search has examined so far, in the order in which it examined
    /// them.
    #[must_use]
    pub fn visited_edges(&self) -> &[(NodeId, NodeId)] {
        &self.visited_edges
    }

    /// Returns the edges that the last call of [`step`](Self::step) or [`advance`](Self::advance)
    /// examined.
    #[must_use]
    pub fn edges_of_last_step(&self) -> &[(NodeId, NodeId)] {
        &self.visited_edges[self.visited_before_last_step..]
    }

    /// Returns the cost of the known path to a node; `None` if no path is known yet.
    #[must_use]
    pub fn distance(&self, node: NodeId) -> Option<f64> {
        self.engine.record(&GraphSpace::new(&self.network), node).map(|record| record.cost)
    }

    /// Returns the predecessor and the distance of each node that the search has reached so far.
    ///
    /// # Complexity
    /// O(nodes).
    #[must_use]
    pub fn tree(&self) -> ShortestPathTree {
        ShortestPathTree::new(self.start, &self.network, &self.engine)
    }

    /// Runs the rest of the search and returns the answer.
    ///
    /// # Errors
    /// [`GraphError::CostOverflow`] if the goal was not reached and a sum of costs was too large.
    pub fn finish(mut self) -> Result<GraphAnswer, GraphError> {
        self.run(Task::Advance(u64::MAX));
        let path = self.path()?;
        let tree = self.tree();
        Ok(GraphAnswer { path, tree, expanded: self.engine.expanded(), visited_edges: self.visited_edges })
    }

    fn path(&self) -> Result<Option<GraphPath>, GraphError> {
        let Some((node, cost)) = self.engine.reached() else {
            return overflow_of(&self.network, &self.engine).map_or(Ok(None), Err);
        };
        let nodes = self.engine.path_to(&GraphSpace::new(&self.network), node);
        Ok(nodes.map(|nodes| GraphPath { nodes, cost }))
    }
}

/// Returns the error of a finished search if it did not reach a node because costs were too large.
pub(crate) fn overflow_of<Q>(
    network: &Network,
    engine: &Search<NodeId, DenseRecords<f64, NodeId>, Q>,
) -> Option<GraphError> {
    if !engine.has_overflowed() {
        return None;
    }
    let space = GraphSpace::new(network);
    let is_reached = |node| engine.record(&space, node).is_some();
    // A dropped path does not matter if its node was reached by another path.
    (network.nodes().filter(|&(from, _)| is_reached(from)))
        .flat_map(|(from, node)| node.edges.iter().map(move |edge| (from, edge.to)))
        .find(|&(_, to)| !is_reached(to))
        .map(|(from, to)| GraphError::CostOverflow { from, to })
}

/// A task for a search.
#[derive(Clone, Copy)]
enum Task {
    Begin,
    /// Expands at most this many nodes.
    Advance(u64),
}

struct VisitedEdges<'a>(&'a mut Vec<(NodeId, NodeId)>);

impl Observer<NodeId, f64> for VisitedEdges<'_> {
    fn examined(&mut self, from: NodeId, to: NodeId, _: f64) {
        self.0.push((from, to));
    }
}

/// The open list of a graph search, in the order of its algorithm.
#[derive(Clone, Debug)]
enum GraphQueue {
    Cheapest(BinaryHeapQueue<NodeId, f64>),
    Oldest(FifoQueue<NodeId, f64>),
    Newest(LifoQueue<NodeId, f64>),
}

impl GraphQueue {
    fn of(algorithm: GraphAlgorithm) -> Self {
        match algorithm {
            GraphAlgorithm::AStar | GraphAlgorithm::Dijkstra | GraphAlgorithm::Greedy => {
                Self::Cheapest(BinaryHeapQueue::default())
            }
            GraphAlgorithm::BreadthFirst => Self::Oldest(FifoQueue::default()),
            GraphAlgorithm::DepthFirst => Self::Newest(LifoQueue::default()),
        }
    }
}

impl<O> OpenList<NodeId, f64, O> for GraphQueue {
    fn push(&mut self, priority: f64, node: NodeId) {
        match self {
            Self::Cheapest(queue) => queue.push(priority, node),
            Self::Oldest(queue) => queue.push(priority, node),
            Self::Newest(queue) => queue.push(priority, node),
        }
    }

    fn pop(&mut self) -> Option<(f64, NodeId)> {
        match self {
            Self::Cheapest(queue) => queue.pop(),
            Self::Oldest(queue) => queue.pop(),
            Self::Newest(queue) => queue.pop(),
        }
    }

    fn clear(&mut self) {
        match self {
            Self::Cheapest(queue) => queue.clear(),
            Self::Oldest(queue) => queue.clear(),
            Self::Newest(queue) => queue.clear(),
        }
    }
}
