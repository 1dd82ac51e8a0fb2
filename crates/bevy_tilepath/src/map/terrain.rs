//! Terrain classes of tiles.

use std::collections::BTreeMap;

use bevy_ecs::{component::Component, reflect::ReflectComponent};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};

use crate::map::nav_grid::WALL;

/// The terrain class of a tile. By the default rules it is the cost of a step onto the tile, and 0
/// is a wall. The default is [`Terrain::OPEN`].
///
/// Put it on tile entities. Change it, insert it again or remove it at any time: the map follows in
/// the next [`SyncMaps`](crate::TilepathSystems::SyncMaps).
///
/// A tile without it has the class from its layer's [`TextureTerrain`]. Without that, it has class
/// 1 on the map's own tilemap, and does not count on a [`NavLayer`](crate::NavLayer).
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
    /// Class 0: by the default rules no agent can enter it.
    pub const WALL: Self = Self(WALL);
    /// Class 1: by the default rules a step onto it has its plain cost, 10 or 14. On the map's own
    /// tilemap, a tile without `Terrain` has this class.
    pub const OPEN: Self = Self(1);
}

impl Default for Terrain {
    /// Returns [`Terrain::OPEN`].
    fn default() -> Self {
        Self::OPEN
    }
}

/// Terrain classes by texture index, for the tiles of a tilemap without a [`Terrain`] of their own.
///
/// Put it on the tilemap entity, the map's own or a layer's. If the `TileTextureIndex` of a tile
/// changes, its class follows. Indices that are not listed have no class.
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
    /// Creates a table of texture indices and their classes. If an index occurs twice, the last
    /// class counts.
    #[must_use]
    pub fn new(classes: impl IntoIterator<Item = (u32, u8)>) -> Self {
        Self { classes: classes.into_iter().collect() }
    }

    /// Sets the class of an index.
    #[must_use]
    pub fn with(mut self, texture_index: u32, class: u8) -> Self {
        self.classes.insert(texture_index, class);
        self
    }

    /// Returns the class of a texture index, if it is listed.
    #[must_use]
    pub fn class_of(&self, texture_index: u32) -> Option<u8> {
        self.classes.get(&texture_index).copied()
    }

    /// Returns the highest texture index that is listed.
    #[cfg(feature = "rules_asset")]
    pub(crate) fn last_index(&self) -> Option<u32> {
        self.classes.keys().next_back().copied()
    }
}
