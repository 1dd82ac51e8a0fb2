//! Every agent that stands with an order has a reason.

use std::mem;

use bevy_ecs::{entity::Entity, world::World};
use bevy_tilepath::{Body, PathAgent, PathRequest, PathStatus, queries::WhyNot};

use crate::{
    checks::{local, why_not},
    run::{Complaint, Soak},
};

/// The number of ticks without a move after which an agent needs a reason.
const STILL: u32 = 64;

impl Soak {
    /// Checks that `why_not` returns a reason for each agent that has had an order and not moved for
    /// [`STILL`] ticks. An agent whose speed or drive has just changed may need a tick to set out.
    /// Bodies that follow a path are left out: they may wait for other bodies.
    pub(super) fn check_reasons(&mut self) -> Result<(), Complaint> {
        let world = self.app.world();
        for agent in &mut self.crew {
            let walker = world.get::<PathAgent>(agent.entity).copied();
            let is_same = mem::replace(&mut agent.walker, walker) == walker;
            let is_still = world.get::<PathRequest>(agent.entity).is_some()
                && local(world, agent.entity) == agent.before.local
                && is_same
                && !waits_for_bodies(world, agent.entity);
            agent.still = if is_still { agent.still + 1 } else { 0 };
        }
        for index in 0..self.crew.len() {
            let agent = &self.crew[index];
            if agent.still < STILL {
                continue;
            }
            let (number, entity, still) = (agent.number, agent.entity, agent.still);
            let why = why_not(self.app.world_mut(), entity);
            if !why.is_some_and(is_a_reason) {
                let status = self.app.world().get::<PathStatus>(entity);
                let what = format!(
                    "has had an order and not moved for {still} ticks without a reason: {why:?}, {status:?}"
                );
                return Err((Some(number), what));
            }
            self.report.reasons += 1;
        }
        Ok(())
    }
}

/// Returns whether a body follows a path. If it stands, it may wait for other bodies.
fn waits_for_bodies(world: &World, entity: Entity) -> bool {
    world.get::<Body>(entity).is_some() && world.get::<PathStatus>(entity) == Some(&PathStatus::Following)
}

/// Returns whether this may be the reason why an agent with an order stands.
fn is_a_reason(why: WhyNot) -> bool {
    !matches!(why, WhyNot::NoUnit | WhyNot::NoOrder | WhyNot::Arrived | WhyNot::Failed(_))
}
