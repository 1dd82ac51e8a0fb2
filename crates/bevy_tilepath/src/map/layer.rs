//! Further tilemaps on a map.

use bevy_ecs::{component::Component, entity::Entity, reflect::ReflectComponent};
use bevy_math::IVec2;
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use tilepath::Lattice;

use crate::map::cells::ToCell;

/// Makes a tilemap a part of a map: a bridge over its water, trees on its grass, or the next chunk
/// of its world.
///
/// Put it on the layer's tilemap entity. On each cell, the topmost tile with a class from
/// [`Terrain`](crate::Terrain) or [`TextureTerrain`](crate::TextureTerrain) decides. A tile without
/// a class does not count, except on the map's own tilemap, where it has class 1.
///
/// To change the order, the offset or the map, insert it again. To leave the map, remove it; it is
/// also removed when the map despawns. If the layer's type or grid size differs from the map's, the
/// layer is not read, and an error is logged.
///
/// # Worlds of chunks
/// [`NavMap`](crate::NavMap) may stand on an entity without a tilemap. Then the map consists of its
/// layers, which may come and go, on any side. Cells that no layer covers are void, and paths
/// elsewhere stay as they are.
///
/// - The first layer sets the type and the grid size.
/// - Tiles without a class have class 1, on layers of [`order`](Self::order) 0.
/// - If layers of one order overlap, a wall wins, then the larger class, and a warning names the
///   map.
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
    /// The height of the layer: a higher order lies on top. The map's own tilemap has order 0 and
    /// lies below layers of order 0. If several layers have one order, the layer that joined last
    /// lies on top.
    pub order: i32,
    /// The cell of the map on which its tile (0, 0) lies.
    ///
    /// # Units
    /// Cells. On a staircase [`Lattice`] cells are not tiles:
    /// [`with_tile_offset`](Self::with_tile_offset) takes tiles.
    pub offset: IVec2,
}

impl NavLayer {
    /// Creates a layer of order 0 whose tile (0, 0) lies on cell (0, 0).
    #[must_use]
    pub const fn new(map: Entity) -> Self {
        Self { map, order: 0, offset: IVec2::ZERO }
    }

    /// Sets the order: a higher order lies on top.
    #[must_use]
    pub const fn with_order(self, order: i32) -> Self {
        Self { order, ..self }
    }

    /// Sets the cell on which its tile (0, 0) lies.
    #[must_use]
    pub const fn with_offset(self, offset: IVec2) -> Self {
        Self { offset, ..self }
    }

    /// Puts its tile (0, 0) onto a tile of the map, counted in an unbounded tilemap of this
    /// lattice.
    ///
    /// If the rows of the lattice are shifted, `tile.y` should be even; if its columns are shifted,
    /// `tile.x`. Otherwise odd rows of the layer lie on even rows of the map.
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

/// The layers of a map, in the sequence in which they joined. Bevy fills it from [`NavLayer`].
#[derive(Component, Debug, Default, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Component, Default, Debug, PartialEq)]
#[relationship_target(relationship = NavLayer)]
pub struct NavLayers(Vec<Entity>);

impl NavLayers {
    /// Returns the tilemaps that joined.
    pub fn iter(&self) -> impl Iterator<Item = Entity> + '_ {
        self.0.iter().copied()
    }
}
