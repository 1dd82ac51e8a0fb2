//! Decides cells from the layers that lie on them, and writes them to the maps' grids.

use bevy_ecs::{
    change_detection::{DetectChangesMut, Mut},
    entity::{Entity, EntityHashMap},
    system::{Query, ResMut},
};
use tilepath::{Cell, Grid};

use crate::{
    map::nav_map::NavGrid,
    sync::tilemap::{
        claims::LayerClaims,
        known::{MapPlan, TilemapSync, WrittenGrid},
    },
};

impl MapPlan {
    fn written(&self, grid: &NavGrid, claims: &EntityHashMap<LayerClaims>) -> WrittenGrid {
        let layers = self.layers.iter();
        WrittenGrid {
            generation: grid.generation(),
            bounds: self.bounds,
            missing: self.missing,
            layers: layers
                .filter_map(|layer| claims.get(layer).map(|claims| (*layer, claims.epoch())))
                .collect(),
        }
    }

    /// The class of a cell: that of the topmost tile that names one.
    fn class_at(&self, x: u32, y: u32, claims: &EntityHashMap<LayerClaims>) -> u8 {
        for layer in self.layers.iter().rev() {
            let Some(claims) = claims.get(layer) else { continue };
            let claim = claims.winner(x, y);
            if let Some(class) = claim.class() {
                return class;
            }
            if *layer == self.map && claim.is_unnamed() {
                return UNNAMED_GROUND;
            }
        }
        self.missing
    }

    /// The classes of all cells, row by row.
    fn classes(&self, claims: &EntityHashMap<LayerClaims>) -> Vec<u8> {
        let mut classes = vec![self.missing; self.bounds.cell_count()];
        let width = self.bounds.width() as usize;
        for layer in &self.layers {
            let Some(claims) = claims.get(layer) else { continue };
            for y in 0..claims.height().min(self.bounds.height()) {
                let row = &mut classes[y as usize * width..][..width];
                for (class, claim) in row.iter_mut().zip(claims.row(y)) {
                    if let Some(named) = claim.class() {
                        *class = named;
                    } else if *layer == self.map && claim.is_unnamed() {
                        *class = UNNAMED_GROUND;
                    }
                }
            }
        }
        classes
    }
}

/// The class of a tile on the map's own tilemap that names none.
const UNNAMED_GROUND: u8 = 1;

/// Brings every map's grid up to date with its layers.
pub(crate) fn write_grids(mut sync: ResMut<TilemapSync>, mut grids: Query<&mut NavGrid>) {
    let TilemapSync { claims, plans, written, .. } = &mut *sync;
    written.retain(|&map, _| {
        let planned = plans.iter().any(|plan| plan.map == map);
        if !planned && let Ok(mut grid) = grids.get_mut(map) {
            grid.set_ready(false);
        }
        planned
    });
    for plan in plans.iter() {
        let Ok(mut grid) = grids.get_mut(plan.map) else { continue };
        let is_bare = |layer: &Entity| claims.get(layer).is_none_or(LayerClaims::is_bare);
        let without_tiles = plan.layers.iter().all(is_bare);
        if written.get(&plan.map) == Some(&plan.written(&grid, claims)) {
            write_changed_cells(plan, &mut grid, claims);
        } else {
            let written_now = write_whole_grid(plan, &mut grid, claims);
            written.insert(plan.map, written_now);
        }
        grid.bypass_change_detection().without_tiles = without_tiles;
    }
    for claims in claims.values_mut() {
        claims.forget_changed_cells();
    }
}

fn write_changed_cells(plan: &MapPlan, grid: &mut Mut<NavGrid>, claims: &EntityHashMap<LayerClaims>) {
    let mut changed = false;
    for layer in plan.layers.iter().filter_map(|layer| claims.get(layer)) {
        for (x, y) in
            layer.changed_cells().filter(|&(x, y)| x < plan.bounds.width() && y < plan.bounds.height())
        {
            changed |= write_cell(grid, Cell::new(x as i32, y as i32), plan.class_at(x, y, claims));
        }
    }
    if changed {
        grid.set_changed();
    }
}

fn write_whole_grid(
    plan: &MapPlan,
    grid: &mut Mut<NavGrid>,
    claims: &EntityHashMap<LayerClaims>,
) -> WrittenGrid {
    let classes = plan.classes(claims);
    if grid.bounds() == plan.bounds {
        // The grid stays the same one: paths on it remain valid where nothing changed.
        for (cell, class) in plan.bounds.cells().zip(classes) {
            write_cell(grid, cell, class);
        }
    } else {
        let replacement = Grid::from_classes(plan.bounds.width(), plan.bounds.height(), classes)
            .expect("the plan's bounds were checked and there is a class for each cell");
        grid.replace(replacement);
    }
    grid.set_ready(true);
    plan.written(grid, claims)
}

fn write_cell(grid: &mut Mut<NavGrid>, cell: Cell, class: u8) -> bool {
    grid.bypass_change_detection().set_terrain(cell, class).expect("the cell lies within the map's bounds")
}
