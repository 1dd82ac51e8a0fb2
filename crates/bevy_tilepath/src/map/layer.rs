//! Further tilemaps that lie on a map.

use bevy_ecs::{component::Component, entity::Entity, reflect::ReflectComponent};
use bevy_math::IVec2;
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use tilepath::Lattice;

use crate::map::cells::ToCell;

/// Makes a tilemap a part of a map: a bridge over its water, trees on its grass, or the next chunk of its world.
///
/// Put it on the layer's tilemap entity. Of the tiles that lie on one cell the topmost one that names a class, by
/// [`Terrain`](crate::Terrain) or [`TextureTerrain`](crate::TextureTerrain), decides. A tile that names none does not
/// count, except on the map's own tilemap, where it is class 1.
///
/// To change the order, the offset or the map insert it again; to leave the map remove it. When the map despawns it goes by
/// itself. Its type and its grid size have to be those of the map, or it is not read, and an error says so.
///
/// # Worlds of chunks
/// [`NavMap`](crate::NavMap) may stand on an entity that is no tilemap. Then the map is what its layers cover; they may come
/// and go, on any side. The first one gives the type and the grid size; tiles of layers of [`order`](Self::order) 0 that
/// name no class are class 1; and where layers of one order overlap a wall wins, then the larger class, and a warning names
/// the map. Cells that no layer covers are void. Paths elsewhere stay as they are.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_math::IVec2;
/// use bevy_tilepath::{maps::NavLayers, NavLayer, NavMap};
///
/// let mut world = World::new();
/// let map = world.spawn(NavMap::default()).id();
/// // A chunk of 64 by 64 tiles, one chunk to the west of the first: its tilemap's transform has to say so, too.
/// let chunk = world.spawn(NavLayer::new(map).with_offset(IVec2::new(-64, 0))).id();
/// let trees = world.spawn(NavLayer { map, order: 1, offset: IVec2::ZERO }).id();
/// assert_eq!(world.get::<NavLayers>(map).unwrap().iter().collect::<Vec<_>>(), [chunk, trees]);
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
    /// The cell of the map on which its tile (0, 0) lies.
    ///
    /// # Units
    /// Cells. On a staircase [`Lattice`] they are not tiles: [`with_tile_offset`](Self::with_tile_offset) counts in these.
    pub offset: IVec2,
}

impl NavLayer {
    /// A layer of order 0 whose tile (0, 0) lies on cell (0, 0).
    #[must_use]
    pub const fn new(map: Entity) -> Self {
        Self { map, order: 0, offset: IVec2::ZERO }
    }

    /// The same layer, lying higher or lower.
    #[must_use]
    pub const fn with_order(self, order: i32) -> Self {
        Self { order, ..self }
    }

    /// The same layer with its tile (0, 0) on another cell.
    #[must_use]
    pub const fn with_offset(self, offset: IVec2) -> Self {
        Self { offset, ..self }
    }

    /// The same layer with its tile (0, 0) where the endless tilemap of that lattice has this tile.
    ///
    /// On a lattice whose rows are moved `tile.y` should be even, on one whose columns are moved `tile.x`: otherwise the layer's
    /// own odd rows are the other tilemap's even ones.
    ///
    /// ```
    /// use bevy_ecs::entity::Entity;
    /// use bevy_math::IVec2;
    /// use bevy_tilepath::{maps::Lattice, NavLayer};
    ///
    /// let chunk = NavLayer::new(Entity::PLACEHOLDER).with_tile_offset(Lattice::HexRowOdd, IVec2::new(64, 64));
    /// assert_eq!(chunk.offset, IVec2::new(32, 64));
    /// ```
    #[must_use]
    pub fn with_tile_offset(self, lattice: Lattice, tile: IVec2) -> Self {
        Self { offset: lattice.cell_of(tile.into()).to_ivec2(), ..self }
    }
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
