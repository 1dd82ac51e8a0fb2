//! Policies for waiting bodies, by the time that they have waited.

/// A policy for a waiting body.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub enum Policy {
    /// The body stands and tries again.
    Wait,
    /// The body looks for a path around the bodies that rest.
    GoRound,
    /// The body gives up its goal.
    GiveUp,
}

/// A list of policies for waiting bodies, each for a number of ticks. After the last policy, the
/// policy is [`Policy::GiveUp`].
///
/// # Examples
/// ```
/// use tilepath::crowd::{Patience, Policy};
/// let patience = Patience::default();
/// let told: Vec<Policy> = [0, 7, 8, 9, 68, 69].map(|waited| patience.at(waited)).to_vec();
/// assert_eq!(told, [Policy::Wait, Policy::Wait, Policy::GoRound, Policy::Wait, Policy::Wait, Policy::GiveUp]);
/// assert_eq!(Patience::of([]).at(0), Policy::GiveUp);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Patience {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::stored::list"))]
    rungs: Vec<(Policy, u32)>,
}

impl Patience {
    /// Creates a list of policies that apply one after the other, each for its number of ticks.
    #[must_use]
    pub fn of(rungs: impl IntoIterator<Item = (Policy, u32)>) -> Self {
        Self { rungs: rungs.into_iter().collect() }
    }

    /// Returns the policy for a body that has waited for this many ticks.
    ///
    /// # Complexity
    /// O(number of policies).
    #[must_use]
    pub fn at(&self, waited: u32) -> Policy {
        let mut left = u64::from(waited);
        for &(policy, ticks) in &self.rungs {
            match left.checked_sub(u64::from(ticks)) {
                Some(rest) => left = rest,
                None => return policy,
            }
        }
        Policy::GiveUp
    }
}

impl Default for Patience {
    /// Eight ticks of waiting, one tick of going round, and sixty ticks of waiting.
    fn default() -> Self {
        Self::of([(Policy::Wait, 8), (Policy::GoRound, 1), (Policy::Wait, 60)])
    }
}
