//! Agent numbers, which set the order of everything.
//!
//! Decision: `docs/decisions/32-order-and-agent-numbers.md`.

use bevy_app::App;
use bevy_ecs::{
    component::Component,
    entity::Entity,
    lifecycle::HookContext,
    reflect::{ReflectComponent, ReflectResource},
    resource::Resource,
    world::{DeferredWorld, World},
};
use bevy_math::Vec2;
use bevy_reflect::{Reflect, std_traits::ReflectDefault};

use crate::order::queue::RequestId;

/// The number of an agent, or of a [`Body`](crate::Body) without an agent. The first number in a
/// game is 1, the next number is 2.
///
/// If the plugin handles several agents in the same tick, the agent with the smallest number comes
/// first: when requests enter the queue, in replanning, and when events are triggered. Entity
/// ids, and the order in which Bevy stores entities, do not matter. So the same game has the same
/// result on every machine.
///
/// The plugin sets the number once, when [`PathAgent`](crate::PathAgent) or
/// [`Body`](crate::Body) is first inserted, and never changes it. A clone of an entity gets a new
/// number. A number from a scene stays, and later agents get larger ones.
///
/// Two agents can have the same number only if a scene gives this number to
/// both. The order of these two agents is then undefined.
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[component(on_insert = number_inserted, clone_behavior = Ignore)]
#[reflect(Component, Default, Debug, Clone, PartialEq, Hash)]
pub struct AgentNumber(u64);

impl AgentNumber {
    /// Returns the number. It is 0 in an app without [`TilepathPlugin`](crate::TilepathPlugin).
    #[must_use]
    pub fn get(self) -> u64 {
        self.0
    }

    /// Returns a place in the square from (-1, -1) to (1, 1) that follows from the number. The
    /// places of successive numbers are far apart.
    pub(crate) fn scattered(self) -> Vec2 {
        // Steps by the plastic number cover a square evenly.
        let part = |step: u64| (self.0.wrapping_mul(step) >> 40) as f32 / (1 << 23) as f32 - 1.0;
        Vec2::new(part(0xC13F_A9A9_02A6_328F), part(0x91E1_0DA5_C79E_7B1D))
    }
}

/// The largest number so far.
#[derive(Resource, Debug, Clone, Default, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Resource, Default, Debug)]
pub(crate) struct LastAgentNumber(pub(crate) u64);

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

/// Returns the sort key of an order among the orders of a tick: agents by their numbers, then other
/// entities by the order of their requests.
pub(crate) fn precedence(number: Option<&AgentNumber>, order: RequestId) -> (bool, u64) {
    number.map_or((true, order.number), |number| (false, number.0))
}

pub(crate) fn plugin(app: &mut App) {
    app.register_type::<AgentNumber>().register_type::<LastAgentNumber>().init_resource::<LastAgentNumber>();
    // Agents that were spawned before the plugin was added have no number yet. They get it in the
    // order of their entity indices.
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
