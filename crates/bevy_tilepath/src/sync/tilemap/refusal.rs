//! Reasons not to read a tilemap.

use std::fmt;

use bevy_math::Vec2;
use tilepath::{GridError, Lattice};

use crate::sync::tilemap::geometry::TilemapKind;

/// The reason why a tilemap is not read.
#[derive(Debug)]
pub(crate) enum Refusal {
    CellSize {
        kind: TilemapKind,
        size: Option<Vec2>,
    },
    /// The data of a chunk has another number of tiles than the chunk.
    #[cfg(feature = "tilemap_chunk")]
    TileCount {
        width: u32,
        height: u32,
        held: usize,
    },
    TooLarge {
        kind: TilemapKind,
        width: u32,
        height: u32,
        error: GridError,
    },
    OtherLattice {
        kind: TilemapKind,
        own: Lattice,
        map: Lattice,
    },
    OtherCellSize {
        kind: TilemapKind,
        own: Vec2,
        map: Vec2,
    },
}

/// The words for a kind of tilemap, as its crate calls its parts.
struct Words {
    cell_size: &'static str,
    cell_size_source: &'static str,
    size: &'static str,
    lattice_advice: &'static str,
}

impl TilemapKind {
    fn words(self) -> Words {
        match self {
            #[cfg(feature = "tilemap")]
            Self::Entities => Words {
                cell_size: "grid size",
                cell_size_source: "TilemapGridSize",
                size: "TilemapSize",
                lattice_advice: "all tilemaps of a map need the same TilemapType",
            },
            #[cfg(feature = "tilemap_chunk")]
            Self::Data => Words {
                cell_size: "tile size",
                cell_size_source: "tile_display_size",
                size: "chunk_size",
                lattice_advice: "a TilemapChunk needs a map of squares",
            },
            // A grid is refused only for its size: it has the cells of its map.
            Self::Grid => Words {
                cell_size: "cell size",
                cell_size_source: "NavProjection",
                size: "NavGrid",
                lattice_advice: "a NavGrid has the lattice of its map",
            },
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CellSize { kind, size: Some(size) } => {
                let Words { cell_size, cell_size_source, .. } = kind.words();
                write!(
                    formatter,
                    "its {cell_size} is {} by {}: give it a {cell_size_source} above zero, usually the size of its tiles",
                    size.x, size.y
                )
            }
            Self::CellSize { kind, size: None } => {
                let source = kind.words().cell_size_source;
                write!(formatter, "it has no {source}: give it one, usually the size of its tiles")
            }
            #[cfg(feature = "tilemap_chunk")]
            Self::TileCount { width, height, held } => write!(
                formatter,
                "its TilemapChunkTileData has {held} entries, but its chunk_size is {width} by {height}: give it one entry for \
                 each tile, row by row from the bottom, and None where there is no tile"
            ),
            Self::TooLarge { kind, width, height, error } => write!(
                formatter,
                "with its {width} by {height} tiles {error}; give it a smaller {}, or a NavLayer offset nearer to the map's \
                 other tilemaps",
                kind.words().size
            ),
            Self::OtherLattice { kind, own, map } => write!(
                formatter,
                "its type is {own:?}, but its map has {map:?}: {}",
                kind.words().lattice_advice
            ),
            Self::OtherCellSize { kind, own, map } => {
                let Words { cell_size, cell_size_source, .. } = kind.words();
                write!(
                    formatter,
                    "its {cell_size} is {} by {}, but its map has {} by {}: all tilemaps of a map need cells of one size; correct \
                     its {cell_size_source}",
                    own.x, own.y, map.x, map.y
                )
            }
        }
    }
}
