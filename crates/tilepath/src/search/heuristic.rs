//! Estimates of the cost that is left.

use crate::cost::CostValue;

/// Estimates the cost from a node to the goal. A [`Strategy`](crate::search::Strategy) makes an order of it.
///
/// # Contract
/// - *Admissible*: never more than the true cost. Needed for optimal answers.
/// - *Consistent*: never more than a step's cost above the successor's estimate. Then no node is expanded twice, and
///   [`BucketQueue`](crate::search::BucketQueue) may be used.
pub trait Heuristic<N, C: CostValue> {
    /// The estimated cost from the node to the goal.
    fn estimate(&self, node: N) -> C;
}

impl<N, C: CostValue, H: Heuristic<N, C>> Heuristic<N, C> for &H {
    #[inline]
    fn estimate(&self, node: N) -> C {
        (**self).estimate(node)
    }
}
