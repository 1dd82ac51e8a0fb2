//! Tiles that leave and enter the cells of their tilemaps.
//!
//! Decision: `docs/decisions/33-reading-tiles.md`.

use bevy_ecs::{
    change_detection::{ContiguousRef, DetectChanges, Ref, Tick},
    entity::{Entity, EntityHashSet},
    query::{Or, Without},
    system::{Query, ResMut},
};
use bevy_ecs_tilemap::{
    map::TilemapId,
    tiles::{TilePos, TileTextureIndex},
};

use crate::{
    map::terrain::Terrain,
    sync::tilemap::{
        claims::{Claim, LayerClaims},
        geometry::TilemapKind,
        known::TilemapSync,
        slots::{Entered, TileQueue, TileSlot},
    },
};

/// Removes tiles from their cells if they were despawned or disabled, or are no longer tiles.
pub(crate) fn leave_cells(
    mut sync: ResMut<TilemapSync>,
    mut queue: ResMut<TileQueue>,
    mut lost: Query<&mut TileSlot, Or<(Without<TilePos>, Without<TilemapId>)>>,
) {
    for mut slot in &mut lost {
        // The queue is emptied in this tick. If the tile is complete again, it must be queued again.
        slot.leave_queue();
        if let Some(entered) = slot.entered.take() {
            queue.left.push(entered);
        }
    }
    for entered in queue.left.drain(..) {
        sync.leave(entered);
    }
}

/// Enters changed tiles into their cells, and all tiles of tilemaps whose cells were emptied.
///
/// Tiles that had another cell enter last, so that tiles that change places never meet.
pub(crate) fn enter_cells(
    mut sync: ResMut<TilemapSync>,
    mut queue: ResMut<TileQueue>,
    mut tiles: Query<Columns>,
) {
    let sync = &mut *sync;
    let mut moved = std::mem::take(&mut sync.moved_tiles);
    find_tiles(&mut tiles, sync, &mut moved);
    for tile in queue.to_ask.drain(..) {
        if let Ok((_, position, tilemap, terrain, texture, mut slot)) = tiles.get_mut(tile) {
            slot.leave_queue();
            if sync.look_at((&position, &tilemap, terrain.as_deref(), texture.as_deref()), &mut slot) {
                moved.push(tile);
            }
        }
    }
    for tile in moved.drain(..) {
        if let Ok((_, position, tilemap, terrain, texture, mut slot)) = tiles.get_mut(tile)
            && slot.entered.is_none()
        {
            slot.entered = sync.enter((&position, &tilemap, terrain.as_deref(), texture.as_deref()));
        }
    }
    sync.moved_tiles = moved;
    for (&tilemap, claims) in &mut sync.claims {
        claims.warn_of_conflict(tilemap);
    }
}

type TileClaim<'a> = (&'a TilePos, &'a TilemapId, Option<&'a Terrain>, Option<&'a TileTextureIndex>);

impl LayerClaims {
    /// Returns the cell to which a tile of the tilemap belongs now, or `None` if it is out of
    /// bounds, or the tilemap holds its tiles in one component.
    fn place_of(&self, (position, tilemap, terrain, texture): TileClaim) -> Option<Entered> {
        if self.kind() != TilemapKind::Entities {
            return None;
        }
        let slot = self.slot(position.x, position.y)?;
        let class = terrain
            .map(|terrain| terrain.0)
            .or_else(|| texture.and_then(|texture| self.class_of_texture(texture.0)));
        Some(Entered { tilemap: tilemap.0, epoch: self.epoch(), slot, claim: Claim::of(class) })
    }
}

impl TilemapSync {
    /// Returns the cell to which a tile belongs now, or `None` if its tilemap is not read or the
    /// cell is out of bounds.
    fn place_of(&self, tile: TileClaim) -> Option<Entered> {
        self.claims.get(&tile.1.0)?.place_of(tile)
    }

    /// Enters a tile into the cell to which it belongs now, if there is one.
    fn enter(&mut self, tile: TileClaim) -> Option<Entered> {
        let claims = self.claims.get_mut(&tile.1.0)?;
        let entered = claims.place_of(tile)?;
        claims.enter(entered.slot, entered.claim);
        Some(entered)
    }

    /// Enters a tile that was not in any cell. If it was in a cell that has changed, removes it
    /// from there. Returns true if the tile has yet to enter another cell.
    fn look_at(&mut self, tile: TileClaim, slot: &mut TileSlot) -> bool {
        let Some(entered) = slot.entered else {
            slot.entered = self.enter(tile);
            return false;
        };
        let leaves = self.place_of(tile) != Some(entered);
        if leaves {
            slot.entered = None;
            self.leave(entered);
        }
        leaves
    }

    fn leave(&mut self, entered: Entered) {
        if let Some(claims) = self.claims.get_mut(&entered.tilemap)
            && claims.epoch() == entered.epoch
        {
            claims.leave(entered.slot, entered.claim);
        }
    }
}

type Columns = (
    Entity,
    Ref<'static, TilePos>,
    Ref<'static, TilemapId>,
    Option<Ref<'static, Terrain>>,
    Option<Ref<'static, TileTextureIndex>>,
    &'static mut TileSlot,
);

/// The number of tiles whose ticks are compared together: unchanged tiles are skipped at the speed
/// of memory.
const CHUNK: usize = 256;

/// Examines the tiles that changed since this system last ran, and all tiles of the tilemaps to
/// fill. It reads them in the sequence of memory: a map may have a million. Adds tiles that left a
/// cell to `moved`.
fn find_tiles(columns: &mut Query<Columns>, sync: &mut TilemapSync, moved: &mut Vec<Entity>) {
    let to_fill = std::mem::take(&mut sync.to_fill);
    let Ok(tables) = columns.contiguous_iter_mut() else {
        // Only a disabling component of the user with sparse storage leads here.
        for (tile, position, tilemap, terrain, texture, mut slot) in columns.iter_mut() {
            let is_found = position.is_changed()
                || tilemap.is_changed()
                || terrain.as_ref().is_some_and(DetectChanges::is_changed)
                || texture.as_ref().is_some_and(DetectChanges::is_changed)
                || to_fill.contains(&tilemap.0);
            let claim = (&*position, &*tilemap, terrain.as_deref(), texture.as_deref());
            if is_found && sync.look_at(claim, &mut slot) {
                moved.push(tile);
            }
        }
        sync.to_fill = to_fill;
        return;
    };
    // The last tilemap that was found not to be in `to_fill`. Tiles of one tilemap lie side by
    // side, so the set is rarely searched.
    let mut known = None;
    for (entities, positions, tilemaps, terrains, textures, mut slots) in tables {
        let (last_run, this_run) = (positions.last_run_tick(), positions.this_run_tick());
        let ticks = [
            Some(positions.changed_ticks_slice()),
            Some(tilemaps.changed_ticks_slice()),
            terrains.as_ref().map(ContiguousRef::changed_ticks_slice),
            textures.as_ref().filter(|_| sync.watches_textures).map(ContiguousRef::changed_ticks_slice),
        ];
        let slots = slots.bypass_change_detection();
        let (positions, tilemaps) = (positions.into_inner(), tilemaps.into_inner());
        let (terrains, textures) =
            (terrains.map(ContiguousRef::into_inner), textures.map(ContiguousRef::into_inner));
        // Equals `Tick::is_newer_than`, with one comparison. The engine keeps ticks from growing
        // too old.
        let span = this_run.get().wrapping_sub(last_run.get());
        let newer = |tick: &Tick| this_run.get().wrapping_sub(tick.get()) < span;
        for start in (0..entities.len()).step_by(CHUNK) {
            let chunk = start..(start + CHUNK).min(entities.len());
            let any_is_newer = ticks.iter().flatten().any(|column| {
                // There is no early exit, so that the comparison of a chunk is vectorised.
                column[chunk.clone()].iter().fold(false, |any, tick| any | newer(tick))
            });
            if !any_is_newer
                && (to_fill.is_empty() || !any_fills(&tilemaps[chunk.clone()], &to_fill, &mut known))
            {
                continue;
            }
            for row in chunk {
                let is_found = ticks.iter().flatten().any(|column| newer(&column[row]))
                    || to_fill.contains(&tilemaps[row].0);
                let claim = (
                    &positions[row],
                    &tilemaps[row],
                    terrains.map(|terrains| &terrains[row]),
                    textures.map(|textures| &textures[row]),
                );
                if is_found && sync.look_at(claim, &mut slots[row]) {
                    moved.push(entities[row]);
                }
            }
        }
    }
    sync.to_fill = to_fill;
}

/// Returns whether one of these tiles lies on a tilemap that is to be filled. `known` is a tilemap
/// that is not, and is updated.
fn any_fills(tilemaps: &[TilemapId], to_fill: &EntityHashSet, known: &mut Option<Entity>) -> bool {
    if let Some(known) = *known {
        let is_other = |tilemap: &TilemapId| tilemap.0 != known;
        // There is no early exit, as above.
        if !tilemaps.iter().fold(false, |any, tilemap| any | is_other(tilemap)) {
            return false;
        }
    }
    tilemaps.iter().any(|tilemap| {
        *known != Some(tilemap.0) && {
            let fills = to_fill.contains(&tilemap.0);
            if !fills {
                *known = Some(tilemap.0);
            }
            fills
        }
    })
}
