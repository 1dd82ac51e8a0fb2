//! Why an agent stands that has a way: one answer for agents that walk alone and for bodies.

use crate::journey::{
    agent::PathAgent,
    path::{AgentPath, Progress},
    stepwise::Stepwise,
};

/// Why an agent begins no step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Halt {
    /// [`PathAgent::paused`] is set.
    Paused,
    /// Its way is planned again, or how it goes on is not known yet.
    Replanning,
    /// It is at the end of its way, and its order goes on.
    AtGoal,
    /// It is [`Stepwise`], and has begun all its steps.
    NoSteps,
    NoSpeed,
}

impl Halt {
    /// Why an agent can begin no step on any way, if it is within so many of its steps already.
    pub(crate) fn of_agent(agent: &PathAgent, stepwise: Option<&Stepwise>, begun: u32) -> Option<Self> {
        let has_steps = stepwise.is_none_or(|stepwise| stepwise.steps > begun);
        let has_speed = agent.speed.rate() > 0.0 || stepwise.is_some_and(|stepwise| !stepwise.is_animated);
        match (agent.paused, has_steps, has_speed) {
            (true, ..) => Some(Self::Paused),
            (_, false, _) => Some(Self::NoSteps),
            (.., false) => Some(Self::NoSpeed),
            _ => None,
        }
    }

    /// Why an agent that could begins no step on this way.
    pub(crate) fn of_path(path: &AgentPath) -> Option<Self> {
        if path.progress == Progress::Replanning || path.is_at_end() && path.near_way().is_some() {
            Some(Self::Replanning)
        } else {
            path.is_at_end().then_some(Self::AtGoal)
        }
    }
}
