//! Every agent that stands with an order has a reason.

use bevy_ecs::{entity::Entity, system::In, world::World};
use bevy_tilepath::{Body, NavQuery, PathRequest, PathStatus, queries::WhyNot};

use crate::{
    checks::local,
    run::{Complaint, Soak},
};

/// The number of ticks without a move after which an agent needs a reason.
const STILL: u32 = 64;

impl Soak {
    /// Checks that `why_not` returns a reason for each agent that has had an order and not moved for
    /// [`STILL`] ticks. Bodies that follow a path are left out: they may wait for other bodies.
    pub(super) fn check_reasons(&mut self) -> Result<(), Complaint> {
        let world = self.app.world();
        for agent in &mut self.crew {
            let is_still = world.get::<PathRequest>(agent.entity).is_some()
                && local(world, agent.entity) == agent.before.local
                && !waits_for_bodies(world, agent.entity);
            agent.still = if is_still { agent.still + 1 } else { 0 };
        }
        for index in 0..self.crew.len() {
            let agent = &self.crew[index];
            if agent.still < STILL {
                continue;
            }
            let (number, entity, still) = (agent.number, agent.entity, agent.still);
            let ask = |unit: In<Entity>, nav: NavQuery| nav.why_not(*unit);
            let why = self.app.world_mut().run_system_cached_with(ask, entity);
            if !why.is_ok_and(|why| why.is_some_and(is_a_reason)) {
                let status = self.app.world().get::<PathStatus>(entity);
                let what =
                    format!("has had an order and not moved for {still} ticks without a reason: {status:?}");
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
