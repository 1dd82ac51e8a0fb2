//! Path costs, and the trait for cost types in searches.
//!
//! Decision: `docs/decisions/25-costs.md`.

use std::fmt;

/// The cost of a path or a step, in cost units.
///
/// A step to the north, east, south or west onto terrain of cost 1 costs the straight step cost of
/// the movement: 10 units with [`StepCosts::CLASSIC`](crate::StepCosts::CLASSIC), 70 with
/// [`StepCosts::PRECISE`](crate::StepCosts::PRECISE).
///
/// # Units
/// Cost units, 0 to 4,294,967,295. Sums never wrap: if a sum would pass the maximum, a search
/// returns [`QueryError::CostOverflow`](crate::QueryError::CostOverflow).
///
/// # Examples
/// ```
/// use tilepath::Cost;
/// assert_eq!(Cost::new(10).checked_add(Cost::new(14)), Some(Cost::new(24)));
/// assert_eq!(Cost::MAX.checked_add(Cost::new(1)), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Cost(u32);

impl Cost {
    /// Zero: the cost of standing still.
    pub const ZERO: Self = Self(0);
    /// The largest cost.
    pub const MAX: Self = Self(u32::MAX);

    /// Creates a cost of this many units.
    #[must_use]
    pub const fn new(units: u32) -> Self {
        Self(units)
    }

    /// Returns the cost in cost units.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }

    /// Returns the sum, or `None` if it would pass [`Cost::MAX`].
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

/// The reason why a number is not valid as a cost.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum CostFault {
    /// The value is not a number. It cannot be compared, so there would be no cheapest path.
    NotANumber,
    /// The value is negative. Then a path could become cheaper with every round in a circle.
    Negative,
    /// The value is infinite. Leave the step out instead.
    Infinite,
}

impl fmt::Display for CostFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NotANumber => "not a number",
            Self::Negative => "negative",
            Self::Infinite => "infinite",
        })
    }
}

/// A number that a [`Search`](crate::search::Search) can add up and compare: [`Cost`], integers, floats, pairs.
///
/// Pairs compare by the first part. If the first parts are equal, they compare by the second part.
/// With `(danger, time)`, the path with the least danger wins, and among these the path with the
/// least time. If your costs are of another kind, implement the trait for your own type.
///
/// # Contract
/// - All values for which [`fault`](Self::fault) returns `None` have a total order. A sum of two
///   such values from [`checked_add`](Self::checked_add) is such a value again.
/// - A sum of two such values is never smaller than either of them. If the same such value is added
///   to two values, the order of these two values is not reversed.
///
/// # Examples
/// ```
/// use tilepath::search::{CostFault, CostValue};
///
/// assert_eq!(CostValue::fault(-1.5), Some(CostFault::Negative));
/// assert_eq!(CostValue::fault(f32::NAN), Some(CostFault::NotANumber));
/// assert_eq!(CostValue::checked_add((1_u32, 30_u32), (0, 12)), Some((1, 42)));
/// assert!((0, 1_000) < (1, 0)); // a long time is better than a little danger
/// ```
pub trait CostValue: Copy + PartialOrd {
    /// The cost of a path without steps.
    const ZERO: Self;

    /// True if [`fault`](Self::fault) can return a fault. If `false`, searches do not call it.
    const CAN_BE_FAULTY: bool = true;

    /// Returns the sum, or `None` if it overflows: an integer out of range, or a float that is not
    /// finite.
    #[must_use]
    fn checked_add(self, other: Self) -> Option<Self>;

    /// Returns the reason why this value is not valid as the cost of a step, or `None` if it is
    /// valid. If a step has an invalid cost, the search ends with an error that names the step.
    #[must_use]
    fn fault(self) -> Option<CostFault>;
}

impl CostValue for Cost {
    const ZERO: Self = Self(0);
    const CAN_BE_FAULTY: bool = false;

    #[inline]
    fn checked_add(self, other: Self) -> Option<Self> {
        self.checked_add(other)
    }

    #[inline]
    fn fault(self) -> Option<CostFault> {
        None
    }
}

macro_rules! integer_cost {
    ($($integer:ty),*) => {$(
        impl CostValue for $integer {
            const ZERO: Self = 0;
            const CAN_BE_FAULTY: bool = Self::MIN != 0;

            #[inline]
            fn checked_add(self, other: Self) -> Option<Self> {
                self.checked_add(other)
            }

            #[inline]
            fn fault(self) -> Option<CostFault> {
                (self < Self::ZERO).then_some(CostFault::Negative)
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

            #[inline]
            fn fault(self) -> Option<CostFault> {
                if self.is_nan() {
                    Some(CostFault::NotANumber)
                } else if self < 0.0 {
                    Some(CostFault::Negative)
                } else if self.is_infinite() {
                    Some(CostFault::Infinite)
                } else {
                    None
                }
            }
        }
    )*};
}

integer_cost!(u16, u32, u64, usize, i32, i64);
float_cost!(f32, f64);

/// Pairs compare by the first part, then by the second.
impl<A: CostValue, B: CostValue> CostValue for (A, B) {
    const ZERO: Self = (A::ZERO, B::ZERO);
    const CAN_BE_FAULTY: bool = A::CAN_BE_FAULTY || B::CAN_BE_FAULTY;

    #[inline]
    fn checked_add(self, other: Self) -> Option<Self> {
        Some((self.0.checked_add(other.0)?, self.1.checked_add(other.1)?))
    }

    #[inline]
    fn fault(self) -> Option<CostFault> {
        self.0.fault().or_else(|| self.1.fault())
    }
}
