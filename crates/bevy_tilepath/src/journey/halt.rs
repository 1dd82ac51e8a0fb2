//! Reasons why an agent with a path stands.

/// A reason why an agent begins no step, for agents that walk alone and for bodies. `Replanning`
/// and `AtGoal` depend on the path, the others on the [`PathAgent`](crate::PathAgent) and
/// [`Stepwise`](crate::Stepwise).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Halt {
    /// [`PathAgent::paused`](crate::PathAgent::paused) is set.
    Paused,
    /// Its path is replanned, or the next part of its path is not known yet.
    Replanning,
    /// It is at the end of its path, and its order goes on.
    AtGoal,
    /// It is [`Stepwise`](crate::Stepwise) and has begun all its steps.
    NoSteps,
    NoSpeed,
}
