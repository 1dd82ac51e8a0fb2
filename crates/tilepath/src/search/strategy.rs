//! Algorithms: which node is expanded next, and which way to it is kept.

use crate::{
    cost::{Cost, CostValue},
    search::{heuristic::Heuristic, open_list::ByPriority},
};

/// What happens when a node that is already known is reached again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Relaxation {
    /// A cheaper way replaces the old one, even where the node was expanded before. Keeps answers optimal with any
    /// admissible heuristic, consistent or not.
    Reopen,
    /// A cheaper way replaces the old one until the node is expanded.
    UntilClosed,
    /// The latest way replaces the old one until the node is expanded, whatever it costs.
    Latest,
    /// The first way stays.
    Never,
}

/// An algorithm: the order in which nodes are expanded, and which way to a node is kept.
pub trait Strategy<N, C: CostValue> {
    /// The order that the open list must have: [`ByPriority`], [`BreadthFirst`] or [`DepthFirst`]. A search whose
    /// [`OpenList`](crate::search::OpenList) has another does not compile.
    type Order;

    /// What happens when a known node is reached again.
    const RELAXATION: Relaxation = Relaxation::Reopen;

    /// What the priority takes for the cost that is left. One that is no cost ends the search.
    #[inline]
    fn estimate(&self, _: N) -> C {
        C::ZERO
    }

    /// The place in the open list of a node reached at cost `g`, smallest first; `None` where it cannot be stated, and
    /// then the node is dropped and the search remembers an overflow.
    fn priority(&self, g: C, node: N) -> Option<C>;
}

/// Expands nodes in the order of the cost so far and the estimate of what is left.
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

    #[inline]
    fn estimate(&self, node: N) -> C {
        self.0.estimate(node)
    }

    #[inline]
    fn priority(&self, g: C, node: N) -> Option<C> {
        g.checked_add(self.0.estimate(node))
    }
}

/// Expands nodes in the order of their costs: A* without an estimate.
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

    #[inline]
    fn priority(&self, g: C, _: N) -> Option<C> {
        Some(g)
    }
}

/// Greedy best-first search: goes where the estimate is smallest and ignores the cost so far.
///
/// # Guarantee
/// None: it finds a way if there is one, often fast, at any cost.
#[derive(Clone, Copy, Default, Debug)]
pub struct Greedy<H>(pub H);

impl<N, C: CostValue, H: Heuristic<N, C>> Strategy<N, C> for Greedy<H> {
    type Order = ByPriority;
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

/// Weighted A*: counts the estimate `percent` ÷ 100 times.
///
/// # Guarantee
/// Bounded: with an admissible heuristic the answer costs at most `percent` ÷ 100 times the cheapest.
///
/// # Source
/// Pohl, "Heuristic search viewed as path finding in a graph", Artificial Intelligence 1, 1970.
#[derive(Clone, Copy, Debug)]
pub struct Weighted<H> {
    /// The admissible heuristic.
    pub heuristic: H,
    /// The weight in percent, 100 or more.
    pub percent: u16,
}

impl<N, H: Heuristic<N, Cost>> Strategy<N, Cost> for Weighted<H> {
    type Order = ByPriority;

    #[inline]
    fn priority(&self, g: Cost, node: N) -> Option<Cost> {
        let estimate = u64::from(self.heuristic.estimate(node).get());
        let priority = u64::from(g.get()) + estimate * u64::from(self.percent) / 100;
        // An inflated estimate over the range says nothing about the true cost, so the node is kept, at the end.
        Some(Cost::new(u32::try_from(priority).unwrap_or(u32::MAX)))
    }
}

/// Breadth-first search: the node that was reached first is expanded first, and the first way to a node stays.
///
/// # Guarantee
/// Fewest steps; costs play no part.
#[derive(Clone, Copy, Default, Debug)]
#[doc(alias = "BFS")]
pub struct BreadthFirst;

impl<N, C: CostValue> Strategy<N, C> for BreadthFirst {
    type Order = Self;
    const RELAXATION: Relaxation = Relaxation::Never;

    #[inline]
    fn priority(&self, _: C, _: N) -> Option<C> {
        Some(C::ZERO)
    }
}

/// Depth-first search: the node that was reached last is expanded first, and the latest way to a node stays.
///
/// # Guarantee
/// None: it finds a way if there is one, often a long one.
#[derive(Clone, Copy, Default, Debug)]
#[doc(alias = "DFS")]
pub struct DepthFirst;

impl<N, C: CostValue> Strategy<N, C> for DepthFirst {
    type Order = Self;
    const RELAXATION: Relaxation = Relaxation::Latest;

    #[inline]
    fn priority(&self, _: C, _: N) -> Option<C> {
        Some(C::ZERO)
    }
}
