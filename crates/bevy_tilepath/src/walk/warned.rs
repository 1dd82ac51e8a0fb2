//! Warnings about agents with an order that stand by a mistake.

use bevy_ecs::entity::{Entity, EntityHashSet};
use tracing::warn;

use crate::journey::{agent::PathAgent, halt::Halt, path::AgentPath};

/// The agents about which a warning was logged.
#[derive(Debug, Default)]
pub(super) struct Warned {
    /// The agents with an invalid speed, while it is invalid.
    slow: EntityHashSet,
    /// The agents that other code holds in place.
    held: EntityHashSet,
}

impl Warned {
    /// Warns of a mistake, once for each agent.
    pub(super) fn warn(&mut self, entity: Entity, agent: &PathAgent, path: &AgentPath) {
        if path.halt == Some(Halt::NoSpeed) && agent.has_bad_speed() && self.slow.insert(entity) {
            warn!(
                "{entity} has an order and stands still, because its speed is {}: PathAgent::speed is in world \
                 units, or cells, per second; to hold an agent use 0 or PathAgent::paused",
                agent.speed.rate()
            );
        }
        if path.walk.is_held_by_others() && self.held.insert(entity) {
            warn!(
                "{entity} has an order and is put back to one place again and again: another system writes its \
                 Transform, but only the plugin may write x and y; to draw an agent elsewhere, move a child of it"
            );
        }
    }

    /// Forgets the agents that are gone, and those whose speed is valid. `agent_of` returns the
    /// component of an agent with a path.
    pub(super) fn forget<'a>(&mut self, agent_of: impl Fn(Entity) -> Option<&'a PathAgent>) {
        self.slow.retain(|&entity| agent_of(entity).is_some_and(|agent| agent.has_bad_speed()));
        self.held.retain(|&entity| agent_of(entity).is_some());
    }
}
