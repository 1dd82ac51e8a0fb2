//! Agents that go to each other, and which of them waits.
//!
//! Decision: `docs/decisions/44-approach-goals.md`.

use bevy_ecs::entity::{Entity, EntityHashMap, EntityHashSet};

use crate::{
    journey::{
        agent::PathAgent,
        number::AgentNumber,
        path::{AgentPath, Progress, of_order::PathUse},
        stepwise::Stepwise,
    },
    order::state::RequestState,
};

/// The steps that are left to an agent when the agent to which it goes begins to wait for it. Each
/// of the two may be in the middle of a step.
const NEAR_STEPS: usize = 2;

/// An agent that walks to an entity.
pub(super) struct Pursuit {
    agent: Entity,
    target: Entity,
    number: AgentNumber,
    /// The number of steps to the end of its path.
    steps_left: usize,
    /// The speed, in world units per second.
    speed: f64,
    /// The number of steps that it can walk in this tick.
    stride: f64,
    /// True if other code moves it.
    is_driven: bool,
    /// True if its crowd moves it. Bodies of a crowd meet by the rules of the crowd.
    is_in_crowd: bool,
}

impl Pursuit {
    /// Returns the pursuit of an agent that walks to another entity in this tick.
    pub(super) fn of(
        (agent, number, is_in_crowd): (Entity, AgentNumber, bool),
        (unit, stepwise): (&PathAgent, Option<&Stepwise>),
        (state, path): (&RequestState, &AgentPath),
        seconds: f64,
    ) -> Option<Self> {
        let target = path.route().asked.target().filter(|&target| target != agent)?;
        let is_walking = path.use_by(state) == PathUse::OfOrder
            && path.progress == Progress::Walking
            && !path.plan.is_closed_ahead()
            && unit.halt(stepwise, 0).is_none()
            && !path.is_partial()
            && path.leads_to_goal()
            && !path.is_at_end();
        let straight = path.leg().straight;
        let leaps = stepwise.is_some_and(|stepwise| !stepwise.is_animated);
        let speed = if leaps { f64::INFINITY } else { unit.gait().full_speed(straight) };
        let stride = if leaps { f64::INFINITY } else { unit.gait().stride(straight, seconds) / straight };
        is_walking.then(|| Self {
            agent,
            target,
            number,
            steps_left: path.points().len().saturating_sub(path.passed_point() + 1),
            speed,
            stride: stepwise.map_or(stride, |stepwise| stride.min(stepwise.steps.into())),
            is_driven: path.is_driven(),
            is_in_crowd,
        })
    }

    /// Returns whether an agent that goes to this agent comes near in this tick.
    fn is_near(&self, pursuer: &Self) -> bool {
        pursuer.steps_left <= NEAR_STEPS.saturating_add((self.stride + pursuer.stride) as usize)
    }
}

/// Returns the agents that wait in this tick for the agent that goes to them.
///
/// Agents that go to each other form a ring. If all of them walked on, two could pass each other
/// again and again. So one of each ring waits when its pursuer is near: an agent that other code
/// moves, or else the slowest, or else the one with the lowest number.
pub(super) fn awaited(pursuits: impl Iterator<Item = Pursuit>) -> EntityHashSet {
    let pursuits: EntityHashMap<Pursuit> = pursuits.map(|pursuit| (pursuit.agent, pursuit)).collect();
    let (mut awaited, mut seen) = (EntityHashSet::default(), EntityHashSet::default());
    for first in pursuits.values() {
        let mut chain: Vec<&Pursuit> = Vec::new();
        let mut next = Some(first);
        while let Some(pursuit) = next.filter(|pursuit| seen.insert(pursuit.agent)) {
            chain.push(pursuit);
            next = pursuits.get(&pursuit.target);
        }
        let Some(begin) = next.and_then(|next| chain.iter().position(|one| one.agent == next.agent)) else {
            continue;
        };
        let ring = &chain[begin..];
        let pursuers = ring.iter().cycle().skip(ring.len() - 1);
        let waiting =
            ring.iter().zip(pursuers).filter(|(one, _)| !one.is_in_crowd).min_by(|(a, _), (b, _)| {
                (b.is_driven.cmp(&a.is_driven))
                    .then(a.speed.total_cmp(&b.speed))
                    .then(a.number.cmp(&b.number))
            });
        awaited.extend(waiting.filter(|(one, pursuer)| one.is_near(pursuer)).map(|(one, _)| one.agent));
    }
    awaited
}
