//! Cells of grids that are layers of maps.

use bevy_ecs::{
    change_detection::{DetectChanges, Ref},
    entity::Entity,
    system::{Query, ResMut},
};

use crate::{
    map::nav_grid::NavGrid,
    sync::tilemap::{
        claims::Claim,
        geometry::{IsGridLayer, TilemapKind},
        known::TilemapSync,
    },
};

/// Reads the cells of grids that changed, or whose cells were emptied. Only cells that differ from what
/// was read before count as changed.
pub(crate) fn read_grids(mut sync: ResMut<TilemapSync>, grids: Query<(Entity, Ref<NavGrid>), IsGridLayer>) {
    let TilemapSync { claims, to_fill, .. } = &mut *sync;
    for (layer, grid) in &grids {
        let Some(claims) = claims.get_mut(&layer).filter(|claims| claims.kind() == TilemapKind::Grid) else {
            continue;
        };
        if to_fill.remove(&layer) || grid.is_changed() {
            let claim = |class: Option<u8>| class.map_or(Claim::NO_TILE, |class| Claim::of(Some(class)));
            claims.set_all(grid.bounds().cells().map(|cell| claim(grid.terrain(cell))));
        }
    }
}
