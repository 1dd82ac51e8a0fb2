//! A common pace: members as fast as the slowest.

use bevy_ecs::world::World;

use crate::{
    group::members::Group, journey::agent::PathAgent, map::projection::NavProjection, route::speed::Speed,
};

impl Group {
    /// Lets no member walk faster than the slowest member under way.
    pub(super) fn keep_pace(&mut self, world: &mut World) {
        let projection = self.map.and_then(|map| world.get::<NavProjection>(map));
        let Some(straight) = projection.map(NavProjection::straight_step) else { return };
        // If other code has changed a speed, that speed is the member's own.
        for member in &mut self.members {
            let speed = world.get::<PathAgent>(member.entity).map(|agent| agent.speed);
            if member.pace.is_some_and(|(_, written)| speed != Some(written)) {
                member.pace = None;
            }
        }
        let own = |member: &super::members::Member, world: &World| {
            let agent = world.get::<PathAgent>(member.entity)?;
            let speed = member.pace.map_or(agent.speed, |(own, _)| own);
            let full = PathAgent { speed, ..*agent }.gait().full_speed(straight);
            // A member that does not walk does not slow the others down.
            (full > 0.0 && !agent.is_held()).then_some((speed, full))
        };
        let walking = self.members.iter().filter(|member| member.is_under_way());
        let slowest = walking.filter_map(|member| Some(own(member, world)?.1)).min_by(f64::total_cmp);
        let Some(slowest) = slowest else { return };
        for index in 0..self.members.len() {
            let member = &self.members[index];
            let Some((speed, full)) = own(member, world).filter(|_| member.is_under_way()) else { continue };
            let wanted = match speed {
                _ if full <= slowest => speed,
                Speed::World(_) => Speed::World(slowest as f32),
                Speed::Cells(_) => Speed::Cells((slowest / straight) as f32),
            };
            if let Some(mut agent) = world.get_mut::<PathAgent>(member.entity)
                && agent.speed != wanted
            {
                agent.speed = wanted;
            }
            self.members[index].pace = (wanted != speed).then_some((speed, wanted));
        }
    }
}
