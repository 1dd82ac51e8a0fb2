//! Estimates of the remaining cost.

use crate::cost::CostValue;

/// An estimate of the cost from a node to the goal. A [`Strategy`](crate::search::Strategy) turns
/// the estimate into an order of expansion.
///
/// # Contract
/// - *Admissible*: the estimate is never above the true cost. Optimal answers need this.
/// - *Consistent*: the estimate of a node is never above the cost of a step to a successor plus the
///   estimate of this successor. With a consistent heuristic, no node is expanded twice, and
///   [`BucketQueue`](crate::search::BucketQueue) may be used.
pub trait Heuristic<N, C: CostValue> {
    /// True if the estimate is consistent. Then [`Weighted`](crate::search::Weighted) A* expands no
    /// node twice. If it is true but the estimate is not consistent, `Weighted` has no bound.
    const IS_CONSISTENT: bool = false;

    /// Returns the estimated cost from the node to the goal.
    fn estimate(&self, node: N) -> C;
}

impl<N, C: CostValue, H: Heuristic<N, C>> Heuristic<N, C> for &H {
    const IS_CONSISTENT: bool = H::IS_CONSISTENT;

    #[inline]
    fn estimate(&self, node: N) -> C {
        (**self).estimate(node)
    }
}
