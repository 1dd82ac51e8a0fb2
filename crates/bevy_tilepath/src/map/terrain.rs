//! Terrain classes of tiles.

use std::collections::BTreeMap;

use bevy_ecs::{component::Component, reflect::ReflectComponent};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};

use crate::map::nav_grid::WALL;

/// The terrain class of a tile. By the default rules, class n makes a step onto the tile n times as
/// expensive, and class 0 is a wall. The default is [`Terrain::OPEN`].
///
/// Put the component on tile entities. The tiles of a `TilemapChunk` are not entities: see
/// [`TextureTerrain`]. You may change, insert or remove it at any time: the change
/// takes effect in the next [`SyncMaps`](crate::TilepathSystems::SyncMaps).
///
/// A tile without `Terrain` has the class that the [`TextureTerrain`] of its tilemap gives it. If
/// this table gives no class either, the tile has no class: it counts as class 1, unless another
/// [layer](crate::NavLayer) has a tile with a class on the same cell.
///
/// ```
/// use bevy_tilepath::Terrain;
///
/// let [floor, swamp, wall] = [Terrain::OPEN, Terrain(3), Terrain::WALL];
/// assert_eq!([floor.0, swamp.0, wall.0], [1, 3, 0]);
/// assert_eq!(Terrain::default(), Terrain::OPEN);
/// ```
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Hash, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
pub struct Terrain(pub u8);

impl Terrain {
    /// Class 0, the class of walls: by the default rules, no agent can enter such a tile.
    pub const WALL: Self = Self(WALL);
    /// Class 1, open ground: by the default rules, a straight step onto such a tile costs 10, and a
    /// diagonal step costs 14. A cell whose tiles have no class has this class.
    pub const OPEN: Self = Self(1);
}

impl Default for Terrain {
    /// Returns [`Terrain::OPEN`].
    fn default() -> Self {
        Self::OPEN
    }
}

/// A table of terrain classes by texture index. It applies to the tiles of one tilemap that have no
/// [`Terrain`].
///
/// Put the component on a tilemap entity: on the map's own tilemap, or on a layer. If the
/// `TileTextureIndex` of a tile changes, the class of the tile changes, too. A texture index that
/// is not in the table has no class.
///
/// On Bevy's `TilemapChunk`, the texture index is the `tileset_index` of `TileData`, whether the tile
/// is visible or not.
///
/// ```
/// use bevy_tilepath::TextureTerrain;
///
/// let terrain = TextureTerrain::new([(0, 1), (7, 0)]).with(8, 3);
/// assert_eq!(terrain.class_of(7), Some(0));
/// assert_eq!(terrain.class_of(9), None);
/// ```
#[derive(Component, Debug, Clone, Default, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
pub struct TextureTerrain {
    classes: BTreeMap<u32, u8>,
}

impl TextureTerrain {
    /// Creates a table from texture indices and their terrain classes. If an index occurs twice,
    /// its last class counts.
    #[must_use]
    pub fn new(classes: impl IntoIterator<Item = (u32, u8)>) -> Self {
        Self { classes: classes.into_iter().collect() }
    }

    /// Sets the terrain class of a texture index.
    #[must_use]
    pub fn with(mut self, texture_index: u32, class: u8) -> Self {
        self.classes.insert(texture_index, class);
        self
    }

    /// Returns the terrain class of a texture index, or `None` if the index is not in the table.
    #[must_use]
    pub fn class_of(&self, texture_index: u32) -> Option<u8> {
        self.classes.get(&texture_index).copied()
    }

    /// Returns the listed texture indices and their classes, from the lowest index.
    #[cfg(feature = "tilemap_chunk")]
    pub(crate) fn classes(&self) -> impl Iterator<Item = (u32, u8)> + '_ {
        self.classes.iter().map(|(&texture_index, &class)| (texture_index, class))
    }

    /// Returns the highest texture index that is listed.
    #[cfg(all(feature = "rules_asset", feature = "tilemap"))]
    pub(crate) fn last_index(&self) -> Option<u32> {
        self.classes.keys().next_back().copied()
    }
}
