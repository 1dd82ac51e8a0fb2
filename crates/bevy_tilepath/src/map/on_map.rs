//! The map of an agent.

use bevy_app::App;
use bevy_ecs::{
    component::Component,
    entity::{Entity, EntityHashSet},
    reflect::ReflectComponent,
    template::FromTemplate,
};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};

/// The map on which an agent walks: a tile map, or a [`NavGraph`](crate::NavGraph).
///
/// If the world has only one map, you may leave the component out: the plugin inserts it with the
/// first path. If there are several maps and an agent has no `OnMap`, its request fails with
/// [`PathFailure::AmbiguousMap`](crate::PathFailure::AmbiguousMap).
///
/// The plugin changes the component when the agent passes a [`Door`](crate::doors::Door). If you
/// insert another map while the agent walks, the order is planned again on the new map. If the map
/// is despawned, Bevy removes the component, and the agent stays.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, FromTemplate, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(Component, Debug, Clone, PartialEq)]
#[relationship(relationship_target = MapAgents)]
pub struct OnMap(#[entities] pub Entity);

/// The set of agents on a map, without a meaningful sequence. Bevy fills this component from
/// [`OnMap`].
#[derive(Component, Debug, Default, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Component, Default, Debug)]
#[relationship_target(relationship = OnMap)]
pub struct MapAgents(EntityHashSet);

pub(crate) fn plugin(app: &mut App) {
    app.register_type::<OnMap>().register_type::<MapAgents>();
}
