//! Groups: one order for many agents, with a place for each.
//!
//! Decision: `docs/decisions/54-groups.md`.

mod allowance;
mod disabled;
mod displaced;
pub(crate) mod events;
mod gaps;
pub(crate) mod members;
mod near;
pub(crate) mod order;
mod pace;
mod places;
mod plan;
mod planning;
mod queue;
mod room;
mod settle;

use bevy_app::App;
use bevy_ecs::{
    entity::Entity,
    entity_disabling::Disabled,
    intern::Interned,
    query::{Allow, With},
    schedule::{IntoScheduleConfigs, ScheduleLabel},
};

use self::{members::Group, order::GroupOrder};
pub(crate) use self::{
    planning::{PausedPlan, PlanUnderWay},
    queue::{GroupQueue, GroupQueueState},
};
use crate::schedule::{AcceptSteps, FollowSteps};

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.init_resource::<GroupQueue>()
        .init_resource::<PlanUnderWay>()
        .register_type::<GroupOrder>()
        .register_type::<Group>();
    events::plugin(app);
    settle::plugin(app);
    disabled::plugin(app);
    app.add_systems(
        schedule,
        (
            (plan::plan_groups, room::make_room).chain().in_set(AcceptSteps::Groups),
            near::lose_far_members.in_set(FollowSteps::GroupMembers),
            settle::settle_groups.in_set(FollowSteps::Groups),
        ),
    );
    // Orders from before the plugin was added are not in the queue.
    let world = app.world_mut();
    let mut orders = world.query_filtered::<Entity, (With<GroupOrder>, Allow<Disabled>)>();
    let early: Vec<Entity> = orders.iter(world).collect();
    for group in early {
        queue::enter(world.into(), group);
    }
}
