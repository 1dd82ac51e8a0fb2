//! Further tilemaps on a map.

use bevy_ecs::{component::Component, entity::Entity, reflect::ReflectComponent, template::FromTemplate};
use bevy_math::IVec2;
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use tilepath::Lattice;

use crate::map::cells::ToCell;

/// Makes a tilemap a layer of a map: a bridge over the water of the map, trees on the grass, or a
/// chunk of a large world.
///
/// Put the component on the tilemap entity of the layer: a `bevy_ecs_tilemap` tilemap, or Bevy's
/// `TilemapChunk`. Without tiles, put it on an entity with a [`NavGrid`](crate::NavGrid) and without
/// `NavMap`: then each cell of this grid counts as a tile, and a void cell as no tile.
///
/// A tile gets its terrain class from [`Terrain`](crate::Terrain) or
/// [`TextureTerrain`](crate::TextureTerrain). On each cell, the topmost tile with a class decides.
/// If no tile on the cell has a class, the cell has class 1. A cell without a tile has the class of
/// [`NavMap::missing_tile`](crate::NavMap::missing_tile).
///
/// To change the order, the offset or the map, insert the component again. To take the layer off
/// the map, remove the component; Bevy also removes it when the map despawns. If the layer has
/// another type or grid size than the map, the layer is not read, and an error is logged.
/// `TilemapChunk`s have squares of their `tile_display_size`. They may be layers of one map together
/// with square tilemaps of this grid size.
///
/// # Worlds of chunks
/// [`NavMap`](crate::NavMap) may stand on an entity without a tilemap. In this case the map
/// consists of its layers, and layers may be added and removed on any side. Cells that no layer
/// covers are void. Paths that do not lead over a changed layer stay as they are.
///
/// - The first tilemap sets the type and the grid size. If all layers are grids, give the map a
///   [`NavProjection`](crate::NavProjection).
/// - The plugin reads only the classes of a `NavGrid`. Edit it, or [resize](crate::NavGrid::resize) it, at any
///   time. It needs no renderer and no feature.
/// - If layers of equal order overlap on a cell, the cell is a wall if one layer has a wall there.
///   Otherwise it has the largest of the classes. A warning names the map.
/// - A layer is expected where its [`offset`](Self::offset) puts it. For `TilemapChunk`s of equal size,
///   this place is the offset times `tile_display_size`. A warning names a layer that stands
///   elsewhere.
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
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, FromTemplate, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Component, Debug, Clone, PartialEq)]
#[relationship(relationship_target = NavLayers)]
pub struct NavLayer {
    /// The entity with [`NavMap`](crate::NavMap).
    #[relationship]
    pub map: Entity,
    /// The order of the layer, from low to high: a layer of a higher order lies on top. The map's
    /// own tilemap has order 0 and lies below layers of order 0. If several layers have equal
    /// order, the layer that was added last lies on top.
    pub order: i32,
    /// The cell of the map on which tile (0, 0) of the layer lies.
    ///
    /// # Units
    /// Cells. On a staircase [`Lattice`], coordinates of cells differ from coordinates of tiles:
    /// [`with_tile_offset`](Self::with_tile_offset) takes an offset in tiles.
    pub offset: IVec2,
}

impl NavLayer {
    /// Creates a layer of order 0 whose tile (0, 0) lies on cell (0, 0).
    #[must_use]
    pub const fn new(map: Entity) -> Self {
        Self { map, order: 0, offset: IVec2::ZERO }
    }

    /// Sets the [`order`](Self::order): a layer of a higher order lies on top.
    #[must_use]
    pub const fn with_order(self, order: i32) -> Self {
        Self { order, ..self }
    }

    /// Sets the [`offset`](Self::offset): the cell on which tile (0, 0) of the layer lies.
    #[must_use]
    pub const fn with_offset(self, offset: IVec2) -> Self {
        Self { offset, ..self }
    }

    /// Sets the [`offset`](Self::offset), given as a tile: tile (0, 0) of the layer lies on this
    /// tile of the map. `tile` may lie outside the map's own tilemap.
    ///
    /// If the rows of the lattice are shifted, `tile.y` should be even. If the columns are shifted,
    /// `tile.x` should be even. Otherwise odd rows of the layer lie on even rows of the map.
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

/// The layers of a map, in the sequence in which they were added. Bevy fills this component from
/// [`NavLayer`].
#[derive(Component, Debug, Default, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Component, Default, Debug, PartialEq)]
#[relationship_target(relationship = NavLayer)]
pub struct NavLayers(Vec<Entity>);

impl NavLayers {
    /// Returns the tilemap entities of the layers, in the sequence in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = Entity> + '_ {
        self.0.iter().copied()
    }
}
