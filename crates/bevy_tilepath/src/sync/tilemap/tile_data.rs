//! Tiles of Bevy's own `TilemapChunk`s, whose component holds all of them.

use bevy_ecs::{
    change_detection::{DetectChanges, Ref},
    entity::Entity,
    system::{Query, ResMut},
};
use bevy_sprite_render::{TileData, TilemapChunkTileData};

use crate::{
    map::terrain::TextureTerrain,
    sync::tilemap::{
        claims::{Claim, LayerClaims},
        geometry::TilemapKind,
        known::TilemapSync,
    },
};

/// Reads the tiles of chunks whose data changed, or whose cells were emptied. Only cells that differ
/// from what was read before count as changed.
pub(crate) fn read_data(mut sync: ResMut<TilemapSync>, chunks: Query<(Entity, Ref<TilemapChunkTileData>)>) {
    let TilemapSync { claims, to_fill, .. } = &mut *sync;
    for (chunk, tiles) in &chunks {
        let Some(claims) = claims.get_mut(&chunk).filter(|claims| claims.kind() == TilemapKind::Data) else {
            continue;
        };
        if to_fill.remove(&chunk) || tiles.is_changed() {
            claims.read(&tiles);
        }
    }
}

impl LayerClaims {
    fn read(&mut self, tiles: &[Option<TileData>]) {
        // A look-up for each tile in the table itself takes longer than all else.
        let mut by_texture: Vec<Claim> = Vec::new();
        for (texture_index, class) in self.table().into_iter().flat_map(TextureTerrain::classes) {
            let Ok(index) = u16::try_from(texture_index) else { break };
            by_texture.resize(usize::from(index), Claim::of(None));
            by_texture.push(Claim::of(Some(class)));
        }
        self.set_all(tiles.iter().map(|tile| match tile {
            None => Claim::NO_TILE,
            Some(tile) => {
                let known = by_texture.get(usize::from(tile.tileset_index));
                known.copied().unwrap_or(Claim::of(None))
            }
        }));
    }
}
