//! Cheapest ways on an explicit list of edges, by going over all of them again and again.

/// Directed edges with costs, to compare graph searches with.
///
/// [`costs_from`](Self::costs_from) is the Bellman–Ford algorithm in its plainest form: no queue, no order, no estimate,
/// so that it has nothing in common with a best-first search.
///
/// ```
/// use testkit::EdgeList;
///
/// let edges = EdgeList { node_count: 4, edges: vec![(0, 1, 2.0), (1, 2, 2.0), (0, 2, 5.0)] };
/// assert_eq!(edges.costs_from(0), [Some(0.0), Some(2.0), Some(4.0), None]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct EdgeList {
    /// Nodes are numbered from 0 to this, exclusive.
    pub node_count: usize,
    /// From, to, cost.
    pub edges: Vec<(usize, usize, f64)>,
}

impl EdgeList {
    /// What the cheapest way to each node costs; `None` where there is no way.
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

    /// What the edges along these nodes cost together; `None` if one of them is missing.
    #[must_use]
    pub fn cost_along(&self, nodes: &[usize]) -> Option<f64> {
        let mut sum = 0.0;
        for pair in nodes.windows(2) {
            sum += self.edges.iter().find(|edge| (edge.0, edge.1) == (pair[0], pair[1]))?.2;
        }
        Some(sum)
    }
}
