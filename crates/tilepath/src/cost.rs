//! What a path costs, and what the engine asks of any cost.

use std::fmt;

/// The cost of a path or a step, in cost units.
///
/// One straight step onto terrain of cost 1 is worth the movement's straight step cost: 10 units with
/// [`StepCosts::CLASSIC`](crate::StepCosts::CLASSIC), 70 with [`StepCosts::PRECISE`](crate::StepCosts::PRECISE).
///
/// # Units
/// Cost units, 0 to 4,294,967,295. Sums that would pass the maximum are never wrapped: a search answers
/// [`QueryError::CostOverflow`](crate::QueryError::CostOverflow) instead.
///
/// # Examples
/// ```
/// use tilepath::Cost;
/// assert_eq!(Cost::new(10).checked_add(Cost::new(14)), Some(Cost::new(24)));
/// assert_eq!(Cost::MAX.checked_add(Cost::new(1)), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Cost(u32);

impl Cost {
    /// Free: the cost of standing still.
    pub const ZERO: Self = Self(0);
    /// The largest cost that can be stated.
    pub const MAX: Self = Self(u32::MAX);

    /// A cost of so many units.
    #[must_use]
    pub const fn new(units: u32) -> Self {
        Self(units)
    }

    /// The units.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }

    /// The sum, or `None` where it would pass [`Cost::MAX`].
    #[must_use]
    pub const fn checked_add(self, other: Self) -> Option<Self> {
        match self.0.checked_add(other.0) {
            Some(sum) => Some(Self(sum)),
            None => None,
        }
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// A number that a [`Search`](crate::search::Search) can add up and compare: [`Cost`], integers, floats.
///
/// Implement it for a type of your own when costs are something else (a pair of danger and time, say). The order
/// must be total over the values that [`CostValue::checked_add`] returns.
pub trait CostValue: Copy + PartialOrd {
    /// The cost of doing nothing.
    const ZERO: Self;

    /// The sum, or `None` where it cannot be stated: integer overflow, a float that is not finite.
    #[must_use]
    fn checked_add(self, other: Self) -> Option<Self>;
}

impl CostValue for Cost {
    const ZERO: Self = Self(0);

    #[inline]
    fn checked_add(self, other: Self) -> Option<Self> {
        self.checked_add(other)
    }
}

macro_rules! integer_cost {
    ($($integer:ty),*) => {$(
        impl CostValue for $integer {
            const ZERO: Self = 0;

            #[inline]
            fn checked_add(self, other: Self) -> Option<Self> {
                self.checked_add(other)
            }
        }
    )*};
}

macro_rules! float_cost {
    ($($float:ty),*) => {$(
        impl CostValue for $float {
            const ZERO: Self = 0.0;

            #[inline]
            fn checked_add(self, other: Self) -> Option<Self> {
                let sum = self + other;
                sum.is_finite().then_some(sum)
            }
        }
    )*};
}

integer_cost!(u32, u64);
float_cost!(f32, f64);
