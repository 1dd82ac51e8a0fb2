//! The numbers of agents, by which everything is ordered.

use bevy_app::App;
use bevy_ecs::{
    component::Component,
    entity::Entity,
    lifecycle::HookContext,
    reflect::{ReflectComponent, ReflectResource},
    resource::Resource,
    world::{DeferredWorld, World},
};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};

use crate::order::queue::RequestId;

/// The number of an agent, or of a [`Body`](crate::Body) that is none: the first of a game is 1, the next one 2.
///
/// Wherever the plugin treats several agents in the same tick, it does so in the order of their numbers: their requests
/// enter the queue so, their journeys are replanned so, and their events are told so. Neither the order in which Bevy
/// stores entities nor their ids play a part. So the same game takes the same course on every machine.
///
/// The plugin gives it once, when [`PathAgent`](crate::PathAgent) is first inserted, and never changes it. A clone of an
/// entity gets a number of its own. Loaded from a scene it stays, and later agents get larger ones. Of two agents with
/// the same number, which only a scene can make, the order is open.
///
/// ```
/// use bevy_app::App;
/// use bevy_tilepath::{agents::AgentNumber, PathAgent, TilepathPlugin};
///
/// let mut app = App::new();
/// app.add_plugins(TilepathPlugin::default());
/// let [first, second] = [(); 2].map(|()| app.world_mut().spawn(PathAgent::default()).id());
/// let number = |entity| app.world().get::<AgentNumber>(entity).unwrap().get();
/// assert_eq!([number(first), number(second)], [1, 2]);
/// ```
#[derive(Component, Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Reflect)]
#[type_path = "bevy_tilepath"]
#[component(on_insert = number_inserted, clone_behavior = Ignore)]
#[reflect(Component, Default, Debug, Clone, PartialEq, Hash)]
pub struct AgentNumber(u64);

impl AgentNumber {
    /// The number; 0 while there is no [`TilepathPlugin`](crate::TilepathPlugin).
    #[must_use]
    pub fn get(self) -> u64 {
        self.0
    }
}

/// The largest number given so far.
#[derive(Resource, Debug, Default, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Resource, Default, Debug)]
struct LastAgentNumber(u64);

fn number_inserted(mut world: DeferredWorld, context: HookContext) {
    let Some(AgentNumber(own)) = world.get::<AgentNumber>(context.entity).copied() else { return };
    let Some(mut last) = world.get_resource_mut::<LastAgentNumber>() else { return };
    if own > 0 {
        last.0 = last.0.max(own);
        return;
    }
    last.0 += 1;
    let next = last.0;
    if let Some(mut number) = world.get_mut::<AgentNumber>(context.entity) {
        number.0 = next;
    }
}

/// Where an order stands among those of the same tick: agents by their numbers, then other entities in the order in which
/// they asked.
pub(crate) fn precedence(number: Option<&AgentNumber>, order: RequestId) -> (bool, u64) {
    number.map_or((true, order.number), |number| (false, number.0))
}

pub(crate) fn plugin(app: &mut App) {
    app.register_type::<AgentNumber>().register_type::<LastAgentNumber>().init_resource::<LastAgentNumber>();
    // Agents that were spawned before the plugin was added got none. Indices are handed out in that order.
    let world = app.world_mut();
    let mut early: Vec<Entity> =
        world.query::<(Entity, &AgentNumber)>().iter(world).map(|(entity, _)| entity).collect();
    early.sort_unstable_by_key(|entity| entity.index_u32());
    for entity in early {
        number(world, entity);
    }
}

fn number(world: &mut World, entity: Entity) {
    if let Some(number) = world.get::<AgentNumber>(entity).copied() {
        world.entity_mut(entity).insert(number);
    }
}
