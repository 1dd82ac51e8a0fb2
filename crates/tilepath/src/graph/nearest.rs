//! The nearest of many nodes.

use crate::{
    graph::{
        Graph, answer::GraphPath, error::GraphError, node::NodeId, search::overflow_of, space::GraphSpace,
    },
    search::{BinaryHeapQueue, DenseRecords, Dijkstra, NoGoal, Problem, Search, Step, observer::Visits},
};
use rustc_hash::FxHashMap;

/// The target with the smallest cost, out of many.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct NearestTarget {
    /// Its index in the list of targets.
    pub index: usize,
    /// The cheapest path to it.
    pub path: GraphPath,
}

impl Graph {
    /// Returns the nearest of many nodes by the cost of the path, for example the nearest forest of
    /// a villager. If costs are equal, the first target in the list counts.
    ///
    /// Returns `None` if no target can be reached or the list is empty. It is one run of Dijkstra's
    /// algorithm, which ends soon after the nearest target is found.
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
