//! The map of an agent.

use bevy_app::App;
use bevy_ecs::{
    component::Component,
    entity::{Entity, EntityHashSet},
    reflect::ReflectComponent,
};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};

/// The map on which an agent walks: a tile map, or a [`NavGraph`](crate::NavGraph).
///
/// With one map in the world you may leave it out: the plugin inserts it with the first path. With
/// several maps it is needed, or the request fails with
/// [`PathFailure::AmbiguousMap`](crate::PathFailure::AmbiguousMap).
///
/// The plugin changes it when the agent passes a [`Door`](crate::doors::Door). If you insert
/// another map while the agent walks, the order is planned again there. If the map is despawned,
/// the component is removed and the agent stays.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Component, Debug, Clone, PartialEq)]
#[relationship(relationship_target = MapAgents)]
pub struct OnMap(#[entities] pub Entity);

/// The agents on a map: the other side of [`OnMap`]. Their sequence has no meaning.
#[derive(Component, Debug, Default, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Component, Default, Debug)]
#[relationship_target(relationship = OnMap)]
pub struct MapAgents(EntityHashSet);

pub(crate) fn plugin(app: &mut App) {
    app.register_type::<OnMap>().register_type::<MapAgents>();
}
