//! The nearest of many nodes.

use crate::{
    graph::{
        Graph, answer::GraphPath, error::GraphError, node::NodeId, search::overflow_of, space::GraphSpace,
    },
    search::{BinaryHeapQueue, DenseRecords, Dijkstra, NoGoal, Problem, Search, Step, observer::Visits},
};
use rustc_hash::FxHashMap;

/// The target that can be reached at the smallest cost, out of many targets.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct NearestTarget {
    /// The index of the target in the given list.
    pub index: usize,
    /// The cheapest path to the target.
    pub path: GraphPath,
}

impl Graph {
    /// Returns the target to which the path is cheapest, for example the nearest forest for a
    /// villager. If two targets cost the same, the first in the list is returned.
    ///
    /// Returns `None` if no target can be reached or the list is empty. The search is one run of
    /// Dijkstra's algorithm. It ends soon after it has found the nearest target.
    ///
    /// # Errors
    /// [`GraphError::UnknownNode`] for the start and for any target; [`GraphError::CostOverflow`]
    /// if no target was reached, but a path with a cost that is too large may exist.
    ///
    /// # Guarantee
    /// Optimal.
    ///
    /// # Examples
    /// ```
    /// use tilepath::graph::{Graph, GridNeighbours};
    ///
    /// let graph = Graph::grid(7, 7, 550.0, 400.0, GridNeighbours::Eight)?;
    /// let nodes: Vec<_> = graph.nodes().collect();
    /// let forests = [nodes[6], nodes[30], nodes[42]];
    /// let nearest = graph.nearest(nodes[24], &forests)?.expect("a grid is connected");
    /// assert_eq!(nearest.index, 1);
    /// assert_eq!(nearest.path.nodes.len(), 2); // a diagonal step away
    /// # Ok::<(), tilepath::graph::GraphError>(())
    /// ```
    pub fn nearest(&self, from: NodeId, targets: &[NodeId]) -> Result<Option<NearestTarget>, GraphError> {
        self.network.node(from)?;
        let mut places = FxHashMap::default();
        for (index, &target) in targets.iter().enumerate() {
            self.network.node(target)?;
            places.entry(target).or_insert(index);
        }
        let space = GraphSpace::new(&self.network);
        let problem = Problem { space: &space, strategy: &Dijkstra, goal: &NoGoal };
        let mut search = Search::<_, DenseRecords<f64, NodeId>, BinaryHeapQueue<NodeId, f64>>::default();
        search.begin(&problem, &[from]);

        let mut best: Option<(usize, NodeId, f64)> = None;
        let mut distance = 0.0;
        // Goes on until all equally near targets are seen, because the first in the list counts.
        while let Step::Expanded(node) = search.step(&problem, &mut Visits(|_, g| distance = g)) {
            if best.is_some_and(|(_, _, nearest)| distance > nearest) {
                break;
            }
            if let Some(&index) = places.get(&node)
                && best.is_none_or(|(first, _, _)| index < first)
            {
                best = Some((index, node, distance));
            }
            if best.is_some_and(|(first, _, _)| first == 0) || targets.is_empty() {
                break;
            }
        }
        let Some((index, target, cost)) = best else {
            let overflow = if search.is_done() { overflow_of(&self.network, &search) } else { None };
            return overflow.map_or(Ok(None), Err);
        };
        let path = search.path_to(&space, target).map(|nodes| GraphPath { nodes, cost });
        Ok(path.map(|path| NearestTarget { index, path }))
    }
}
