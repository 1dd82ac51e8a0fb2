//! Cheapest paths on an explicit list of edges, by repeated passes over all edges.

/// Directed edges with costs, to compare graph searches with.
///
/// [`costs_from`](Self::costs_from) is the Bellman–Ford algorithm in its plainest form. It has no
/// queue, no order and no estimate, so it has nothing in common with a best-first search.
///
/// ```
/// use testkit::EdgeList;
///
/// let edges = EdgeList { node_count: 4, edges: vec![(0, 1, 2.0), (1, 2, 2.0), (0, 2, 5.0)] };
/// assert_eq!(edges.costs_from(0), [Some(0.0), Some(2.0), Some(4.0), None]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct EdgeList {
    /// The number of nodes; nodes are numbered from 0.
    pub node_count: usize,
    /// The edges: from, to, cost.
    pub edges: Vec<(usize, usize, f64)>,
}

impl EdgeList {
    /// Returns the cost of the cheapest path to each node, or `None` if there is no path.
    #[must_use]
    pub fn costs_from(&self, start: usize) -> Vec<Option<f64>> {
        let mut costs = vec![None; self.node_count];
        costs[start] = Some(0.0);
        for _ in 0..self.node_count {
            for &(from, to, cost) in &self.edges {
                if let Some(before) = costs[from] {
                    let candidate: f64 = before + cost;
                    if costs[to].is_none_or(|known| candidate < known) {
                        costs[to] = Some(candidate);
                    }
                }
            }
        }
        costs
    }

    /// Returns the sum of the edges along these nodes, or `None` if an edge is missing.
    #[must_use]
    pub fn cost_along(&self, nodes: &[usize]) -> Option<f64> {
        let mut sum = 0.0;
        for pair in nodes.windows(2) {
            sum += self.edges.iter().find(|edge| (edge.0, edge.1) == (pair[0], pair[1]))?.2;
        }
        Some(sum)
    }
}
