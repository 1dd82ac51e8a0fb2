//! Estimates of the remaining cost.

use crate::cost::CostValue;

/// An estimate of the cost from a node to the goal. A [`Strategy`](crate::search::Strategy) turns
/// it into an order.
///
/// # Contract
/// - *Admissible*: never above the true cost. Needed for optimal answers.
/// - *Consistent*: never above a step's cost plus the successor's estimate. Then no node is
///   expanded twice, and [`BucketQueue`](crate::search::BucketQueue) may be used.
pub trait Heuristic<N, C: CostValue> {
    /// Returns the estimated cost from the node to the goal.
    fn estimate(&self, node: N) -> C;
}

impl<N, C: CostValue, H: Heuristic<N, C>> Heuristic<N, C> for &H {
    #[inline]
    fn estimate(&self, node: N) -> C {
        (**self).estimate(node)
    }
}
