//! Algorithms: the order of expansion, and the choice between paths.
//!
//! Decision: `docs/decisions/01-one-engine.md`.

use crate::{
    cost::{Cost, CostValue},
    search::{heuristic::Heuristic, open_list::ByPriority},
};

/// The rule for a node that is reached again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Relaxation {
    /// A cheaper path replaces the old one, even if the node was expanded before. Answers stay
    /// optimal with any admissible heuristic, consistent or not.
    Reopen,
    /// A cheaper path replaces the old one until the node is expanded.
    UntilClosed,
    /// The latest path replaces the old one until the node is expanded, whatever it costs.
    Latest,
    /// The first path to a node stays, whatever later paths cost.
    Never,
}

/// An algorithm: the order in which nodes are expanded, and the rule which path to a node is kept.
pub trait Strategy<N, C: CostValue> {
    /// The order that the open list must have: [`ByPriority`], [`BreadthFirst`] or [`DepthFirst`].
    /// A search with another [`OpenList`](crate::search::OpenList) does not compile.
    type Order;

    /// The type of priorities: for most strategies the type of costs. Its values have a total order.
    type Priority: Copy + PartialOrd;

    /// The rule for a node that is reached again.
    const RELAXATION: Relaxation = Relaxation::Reopen;

    /// Returns the estimate of the remaining cost, which is a part of the priority. An invalid
    /// estimate ends the search.
    #[inline]
    fn estimate(&self, _: N) -> C {
        C::ZERO
    }

    /// Returns the priority of a node reached at cost `g`. The node with the smallest priority is
    /// expanded first. If the priority is too large, returns `None`; the search drops the node and
    /// records an overflow.
    fn priority(&self, g: C, node: N) -> Option<Self::Priority>;

    /// Returns the cost of a node with this priority. Returns `None` if the priority alone does not
    /// determine the cost.
    ///
    /// Only [`NodeRecords::settle`](crate::search::NodeRecords::settle) uses it.
    #[must_use]
    #[inline]
    fn cost_of(_: Self::Priority) -> Option<C> {
        None
    }
}

/// A*: expands nodes in the order of the cost so far plus the estimate of the remaining cost.
///
/// # Guarantee
/// Optimal with an admissible heuristic.
///
/// # Source
/// Hart, Nilsson and Raphael, "A formal basis for the heuristic determination of minimum cost paths", IEEE Transactions on
/// Systems Science and Cybernetics 4, 1968.
#[derive(Clone, Copy, Default, Debug)]
#[doc(alias = "A*")]
pub struct AStar<H>(pub H);

impl<N, C: CostValue, H: Heuristic<N, C>> Strategy<N, C> for AStar<H> {
    type Order = ByPriority;
    type Priority = C;

    #[inline]
    fn estimate(&self, node: N) -> C {
        self.0.estimate(node)
    }

    #[inline]
    fn priority(&self, g: C, node: N) -> Option<C> {
        g.checked_add(self.0.estimate(node))
    }
}

/// Dijkstra's algorithm: expands nodes in the order of their costs so far. It is A* without an
/// estimate.
///
/// # Guarantee
/// Optimal.
///
/// # Source
/// Dijkstra, "A note on two problems in connexion with graphs", Numerische Mathematik 1, 1959.
#[derive(Clone, Copy, Default, Debug)]
pub struct Dijkstra;

impl<N, C: CostValue> Strategy<N, C> for Dijkstra {
    type Order = ByPriority;
    type Priority = C;

    #[inline]
    fn priority(&self, g: C, _: N) -> Option<C> {
        Some(g)
    }

    #[inline]
    fn cost_of(priority: C) -> Option<C> {
        Some(priority)
    }
}

/// Greedy best-first search: expands the node with the smallest estimate and ignores the cost so
/// far.
///
/// # Guarantee
/// None. If there is a path, it finds one, often fast, at any cost.
#[derive(Clone, Copy, Default, Debug)]
pub struct Greedy<H>(pub H);

impl<N, C: CostValue, H: Heuristic<N, C>> Strategy<N, C> for Greedy<H> {
    type Order = ByPriority;
    type Priority = C;
    const RELAXATION: Relaxation = Relaxation::UntilClosed;

    #[inline]
    fn estimate(&self, node: N) -> C {
        self.0.estimate(node)
    }

    #[inline]
    fn priority(&self, _: C, node: N) -> Option<C> {
        Some(self.0.estimate(node))
    }
}

/// Weighted A*: multiplies the estimate by `percent` ÷ 100.
///
/// # Guarantee
/// With an admissible heuristic the answer costs at most `percent` ÷ 100 times the cheapest. If the
/// heuristic [is consistent](Heuristic::IS_CONSISTENT), no node is expanded twice. Otherwise closed
/// nodes are opened again.
///
/// If the search [has overflowed](crate::search::Search::has_overflowed), it may end without an
/// answer.
///
/// # Source
/// Pohl, "Heuristic search viewed as path finding in a graph", Artificial Intelligence 1, 1970.
/// Likhachev, Gordon and Thrun, "ARA*: Anytime A* with provable bounds on sub-optimality", NIPS 16,
/// 2003, on closed nodes that stay closed.
#[derive(Clone, Copy, Debug)]
pub struct Weighted<H> {
    /// The admissible heuristic.
    pub heuristic: H,
    /// The weight in percent, 100 or more.
    pub percent: u16,
}

/// The order is exact: 100 × cost + `percent` × estimate, below 2⁴⁹. A rounded order would lose the
/// bound where closed nodes stay closed.
///
/// Proof of the bound there, for a weight w of 1 or more. Let n be the first node expanded at a cost
/// g(n) above w × g*(n), where g* is the cheapest cost. Let m be the first node on a cheapest path
/// to n that is not expanded yet. The node before m was expanded within the bound, so g(m) ≤ w ×
/// g*(m), and m is not n. As the heuristic is consistent, h(m) ≤ g*(n) - g*(m) + h(n). So g(m) + w ×
/// h(m) ≤ w × (g*(n) + h(n)) < g(n) + w × h(n): m is expanded before n, a contradiction.
impl<N, H: Heuristic<N, Cost>> Strategy<N, Cost> for Weighted<H> {
    type Order = ByPriority;
    type Priority = u64;
    const RELAXATION: Relaxation =
        if H::IS_CONSISTENT { Relaxation::UntilClosed } else { Relaxation::Reopen };

    #[inline]
    fn priority(&self, g: Cost, node: N) -> Option<u64> {
        let [g, estimate] = [g, self.heuristic.estimate(node)].map(|cost| u64::from(cost.get()));
        Some(100 * g + u64::from(self.percent) * estimate)
    }
}

/// Breadth-first search: expands the node that was reached first, and keeps the first path to a
/// node.
///
/// # Guarantee
/// Fewest steps; costs have no effect.
#[derive(Clone, Copy, Default, Debug)]
#[doc(alias = "BFS")]
pub struct BreadthFirst;

impl<N, C: CostValue> Strategy<N, C> for BreadthFirst {
    type Order = Self;
    type Priority = C;
    const RELAXATION: Relaxation = Relaxation::Never;

    #[inline]
    fn priority(&self, _: C, _: N) -> Option<C> {
        Some(C::ZERO)
    }
}

/// Depth-first search: expands the node that was reached last, and keeps the latest path to a node.
///
/// # Guarantee
/// None. If there is a path, it finds one, often a long one.
#[derive(Clone, Copy, Default, Debug)]
#[doc(alias = "DFS")]
pub struct DepthFirst;

impl<N, C: CostValue> Strategy<N, C> for DepthFirst {
    type Order = Self;
    type Priority = C;
    const RELAXATION: Relaxation = Relaxation::Latest;

    #[inline]
    fn priority(&self, _: C, _: N) -> Option<C> {
        Some(C::ZERO)
    }
}
