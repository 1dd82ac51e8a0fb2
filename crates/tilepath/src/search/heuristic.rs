//! Estimates of the cost that is left, and what an algorithm makes of them.

use crate::cost::{Cost, CostValue};

/// What happens when a node that is already known is reached again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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

/// Estimates the cost from a node to the goal and turns it into the order of expansion.
///
/// # Contract
/// - *Admissible*: never more than the true cost. Needed for optimal answers.
/// - *Consistent*: never more than a step's cost above the successor's estimate. Then no node is expanded twice, and
///   [`BucketQueue`](crate::search::BucketQueue) may be used.
///
/// An algorithm that orders nodes otherwise (greedy, weighted A*) is a wrapper that overrides
/// [`priority`](Self::priority).
pub trait Heuristic<N, C: CostValue> {
    /// What happens when a known node is reached again.
    const RELAXATION: Relaxation = Relaxation::Reopen;

    /// The estimated cost from the node to the goal.
    fn estimate(&self, node: N) -> C;

    /// The place in the open list of a node reached at cost `g`, smallest first; `None` where it cannot be stated, and
    /// then the node is dropped and the search remembers an overflow.
    #[inline]
    fn priority(&self, g: C, node: N) -> Option<C> {
        g.checked_add(self.estimate(node))
    }
}

/// Knows nothing: every node is expanded in the order of its cost. This makes Dijkstra's algorithm.
///
/// # Guarantee
/// Optimal.
#[derive(Clone, Copy, Default, Debug)]
pub struct Zero;

impl<N, C: CostValue> Heuristic<N, C> for Zero {
    #[inline]
    fn estimate(&self, _: N) -> C {
        C::ZERO
    }
}

/// The first way to a node stays; with a [`FifoQueue`](crate::search::FifoQueue) this makes breadth-first search.
///
/// # Guarantee
/// Fewest steps; costs play no part.
#[derive(Clone, Copy, Default, Debug)]
pub struct Unordered;

impl<N, C: CostValue> Heuristic<N, C> for Unordered {
    const RELAXATION: Relaxation = Relaxation::Never;

    #[inline]
    fn estimate(&self, _: N) -> C {
        C::ZERO
    }

    #[inline]
    fn priority(&self, _: C, _: N) -> Option<C> {
        Some(C::ZERO)
    }
}

/// The latest way to a node stays; with a [`LifoQueue`](crate::search::LifoQueue) this makes depth-first search.
///
/// # Guarantee
/// None: it finds a way if there is one, often a long one.
#[derive(Clone, Copy, Default, Debug)]
pub struct DepthFirst;

impl<N, C: CostValue> Heuristic<N, C> for DepthFirst {
    const RELAXATION: Relaxation = Relaxation::Latest;

    #[inline]
    fn estimate(&self, _: N) -> C {
        C::ZERO
    }

    #[inline]
    fn priority(&self, _: C, _: N) -> Option<C> {
        Some(C::ZERO)
    }
}

/// Goes where the estimate is smallest and ignores the cost so far. This makes greedy best-first search.
///
/// # Guarantee
/// None: it finds a way if there is one, often fast, at any cost.
#[derive(Clone, Copy, Default, Debug)]
pub struct Greedy<H>(pub H);

impl<N, C: CostValue, H: Heuristic<N, C>> Heuristic<N, C> for Greedy<H> {
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

/// Counts the estimate `percent` ÷ 100 times. This makes weighted A*.
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

impl<N, H: Heuristic<N, Cost>> Heuristic<N, Cost> for Weighted<H> {
    #[inline]
    fn estimate(&self, node: N) -> Cost {
        self.heuristic.estimate(node)
    }

    #[inline]
    fn priority(&self, g: Cost, node: N) -> Option<Cost> {
        let estimate = u64::from(self.heuristic.estimate(node).get());
        let priority = u64::from(g.get()) + estimate * u64::from(self.percent) / 100;
        // An inflated estimate over the range says nothing about the true cost, so the node is kept, at the end.
        Some(Cost::new(u32::try_from(priority).unwrap_or(u32::MAX)))
    }
}
