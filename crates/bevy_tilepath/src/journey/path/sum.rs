//! Sums of costs.

use tilepath::Cost;

/// Returns the sum, or `None` if it is larger than a cost can be.
pub(super) fn sum(mut costs: impl Iterator<Item = Cost>) -> Option<Cost> {
    costs.try_fold(Cost::ZERO, Cost::checked_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_that_cannot_be_added_are_no_cost() {
        assert_eq!(sum([20, 22].map(Cost::new).into_iter()), Some(Cost::new(42)));
        assert_eq!(sum([Cost::MAX, Cost::ZERO].into_iter()), Some(Cost::MAX));
        assert_eq!(sum([Cost::MAX, Cost::new(1)].into_iter()), None);
    }
}
