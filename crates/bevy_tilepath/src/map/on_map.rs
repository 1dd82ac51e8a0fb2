//! Which map an agent is on.

use bevy_app::App;
use bevy_ecs::{
    component::Component,
    entity::{Entity, EntityHashSet},
    reflect::ReflectComponent,
};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};

/// The map an agent walks on: a tile map, or a [`NavGraph`](crate::NavGraph).
///
/// With one map in the world it may be left out: the plugin inserts it with the first path, and changes it as the
/// agent passes a [`Door`](crate::doors::Door). With several maps it is needed, or the request fails with
/// [`PathFailure::AmbiguousMap`](crate::PathFailure::AmbiguousMap). Inserting another map on the way replans there, by
/// the same order. When the map is despawned the component goes with it, the agent stays.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Component, Debug, Clone, PartialEq)]
#[relationship(relationship_target = MapAgents)]
pub struct OnMap(#[entities] pub Entity);

/// The agents on a map: the other side of [`OnMap`]. In no particular order.
#[derive(Component, Debug, Default, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Component, Default, Debug)]
#[relationship_target(relationship = OnMap)]
pub struct MapAgents(EntityHashSet);

pub(crate) fn plugin(app: &mut App) {
    app.register_type::<OnMap>().register_type::<MapAgents>();
}
