//! Why an agent stands that has a way: the same reasons for agents that walk alone and for bodies.

/// Why an agent begins no step. Its way tells whether there is one to begin, its [`PathAgent`](crate::PathAgent) whether it can.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Halt {
    /// [`PathAgent::paused`](crate::PathAgent::paused) is set.
    Paused,
    /// Its way is planned again, or how it goes on is not known yet.
    Replanning,
    /// It is at the end of its way, and its order goes on.
    AtGoal,
    /// It is [`Stepwise`](crate::Stepwise), and has begun all its steps.
    NoSteps,
    NoSpeed,
}
