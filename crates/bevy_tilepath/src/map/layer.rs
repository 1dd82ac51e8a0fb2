//! Further tilemaps that lie on a map.

use bevy_ecs::{component::Component, entity::Entity, reflect::ReflectComponent};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};

/// Makes a tilemap a layer of a map: a bridge over its water, trees on its grass.
///
/// Put it on the layer's tilemap entity. Tiles of all layers with the same `TilePos` lie on the same
/// cell; the topmost one that names a class, by [`Terrain`](crate::Terrain) or
/// [`TextureTerrain`](crate::TextureTerrain), decides. A tile that names none does not count, except
/// on the map's own tilemap, where it is class 1.
///
/// To change the order or the map insert it again; to leave the map remove it. When the map despawns
/// it goes by itself.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_tilepath::{NavLayer, NavLayers};
///
/// let mut world = World::new();
/// let ground = world.spawn_empty().id();
/// let bridges = world.spawn(NavLayer { map: ground, order: 1 }).id();
/// assert_eq!(world.get::<NavLayers>(ground).unwrap().iter().collect::<Vec<_>>(), [bridges]);
/// ```
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Component, Debug, Clone, PartialEq)]
#[relationship(relationship_target = NavLayers)]
pub struct NavLayer {
    /// The entity with [`NavMap`](crate::NavMap).
    #[relationship]
    pub map: Entity,
    /// Higher lies on top. The map's own tilemap has order 0 and lies below layers of order 0; of
    /// layers of one order the one that joined last lies on top.
    pub order: i32,
}

/// The layers that joined a map, in the order in which they joined. Kept by Bevy from [`NavLayer`].
#[derive(Component, Debug, Default, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Component, Default, Debug, PartialEq)]
#[relationship_target(relationship = NavLayer)]
pub struct NavLayers(Vec<Entity>);

impl NavLayers {
    /// The tilemaps that joined.
    pub fn iter(&self) -> impl Iterator<Item = Entity> + '_ {
        self.0.iter().copied()
    }
}
