//! Decisions on cells by their layers, written to grids.

use std::ops::Range;

use bevy_ecs::{
    change_detection::{DetectChangesMut, Mut},
    entity::EntityHashMap,
    system::{Query, ResMut},
};
use tilepath::{Bounds, Cell, Grid, GridError};
use tracing::warn;

use crate::{
    map::{lattice::LatticeShape, nav_grid::NavGrid},
    sync::tilemap::{
        claims::{Claim, LayerClaims},
        known::{MapPlan, PlannedLayer, TilemapSync, WrittenGrid},
        rectangle::Rectangle,
    },
};

/// The decision on a cell by the layers so far, from the lowest.
#[derive(Clone, Copy)]
struct Decision {
    claim: Claim,
    /// The order of the layer that decided.
    order: i32,
    is_covered: bool,
}

impl Decision {
    const VOID: Self = Self { claim: Claim::NO_TILE, order: i32::MIN, is_covered: false };

    /// Adds the claim of the next layer. Returns whether it overlaps another chunk.
    fn hear(&mut self, layer: &PlannedLayer, claim: Claim) -> bool {
        self.is_covered = true;
        if claim.class().is_none() {
            // A tile without a class counts only if no tile of the cell has one.
            self.claim = self.claim.max(claim);
            return false;
        }
        let overlaps = layer.is_chunk && self.claim.class().is_some() && self.order == layer.order;
        if !overlaps || claim > self.claim {
            (self.claim, self.order) = (claim, layer.order);
        }
        overlaps
    }

    /// Returns the class of the cell, or `None` if it is void.
    fn class(self, missing: u8) -> Option<u8> {
        let without_class = if self.claim.is_unnamed() { UNNAMED_GROUND } else { missing };
        self.is_covered.then(|| self.claim.class().unwrap_or(without_class))
    }
}

impl MapPlan {
    fn written(&self, grid: &NavGrid, claims: &EntityHashMap<LayerClaims>) -> WrittenGrid {
        let layers = self.layers.iter();
        WrittenGrid {
            generation: grid.generation(),
            lattice: self.lattice,
            bounds: self.bounds,
            missing: self.missing,
            layers: layers.filter_map(|layer| Some((*layer, claims.get(&layer.tilemap)?.epoch()))).collect(),
        }
    }

    /// Returns the layers that cover a part of an area, from the lowest.
    fn layers_in<'a>(
        &'a self,
        area: Rectangle,
        claims: &'a EntityHashMap<LayerClaims>,
    ) -> impl Iterator<Item = (&'a PlannedLayer, &'a LayerClaims)> {
        let touches = move |layer: &&PlannedLayer| Rectangle::of(&layer.bounds).shared(&area).is_some();
        self.layers.iter().filter(touches).filter_map(|layer| Some((layer, claims.get(&layer.tilemap)?)))
    }

    /// Builds the grid of the whole map.
    fn new_grid(&self, claims: &EntityHashMap<LayerClaims>, overlaps: &mut bool) -> Result<Grid, GridError> {
        let layers: Vec<_> = self.layers_in(Rectangle::of(&self.bounds), claims).collect();
        let &[(layer, claims)] = layers.as_slice() else {
            return Grid::from_cells(self.bounds, &self.cells_in(&self.bounds, claims, overlaps));
        };
        // The rectangle around a skewed map may have ten times as many cells as the map has tiles.
        let tiles = (0..claims.height()).flat_map(|y| {
            (0..).zip(claims.row(y)).map(move |(x, &claim)| {
                let mut decision = Decision::VOID;
                decision.hear(layer, claim);
                (layer.cell_of(x, y), decision.class(self.missing).unwrap_or(0))
            })
        });
        Grid::from_tiles(self.bounds, tiles)
    }

    /// Returns the classes of the cells of an area, row by row. `None` for void cells.
    fn cells_in(
        &self,
        area: &Bounds,
        claims: &EntityHashMap<LayerClaims>,
        overlaps: &mut bool,
    ) -> Vec<Option<u8>> {
        let mut decisions = vec![Decision::VOID; area.cell_count()];
        for (layer, claims) in self.layers_in(Rectangle::of(area), claims) {
            for y in 0..claims.height() {
                let row = claims.row(y);
                let first = layer.cell_of(0, y);
                if layer.lattice.keeps_rows() {
                    let Some((skipped, slots)) = row_of(area, first, row.len()) else { continue };
                    for (decision, &claim) in decisions[slots].iter_mut().zip(&row[skipped..]) {
                        *overlaps |= decision.hear(layer, claim);
                    }
                    continue;
                }
                for (x, &claim) in (0..).zip(row) {
                    if let Some(slot) = area.slot(layer.cell_of(x, y)) {
                        *overlaps |= decisions[slot].hear(layer, claim);
                    }
                }
            }
        }
        decisions.into_iter().map(|decision| decision.class(self.missing)).collect()
    }
}

impl MapPlan {
    /// Warns if at least half of the cells have no tile, and the rules do not state that such cells
    /// are walls.
    fn warn_of_missing(&self, claims: &EntityHashMap<LayerClaims>) {
        let has_most = |layer: &PlannedLayer| {
            claims
                .get(&layer.tilemap)
                .is_some_and(|layer| 2 * layer.occupied_count() > self.bounds.cell_count())
        };
        if !self.is_missing_default || self.layers.iter().any(has_most) {
            return;
        }
        let mut has_tile = vec![None; self.bounds.cell_count()];
        for (layer, claims) in self.layers_in(Rectangle::of(&self.bounds), claims) {
            for y in 0..claims.height() {
                for (x, &claim) in (0..).zip(claims.row(y)) {
                    if let Some(slot) = self.bounds.slot(layer.cell_of(x, y)) {
                        has_tile[slot] = Some(has_tile[slot] == Some(true) || claim != Claim::NO_TILE);
                    }
                }
            }
        }
        let cells = has_tile.iter().flatten().count();
        let missing = has_tile.iter().flatten().filter(|has_tile| !**has_tile).count();
        if 2 * missing >= cells {
            warn!(
                "{missing} of the {cells} cells of map {} have no tile and are walls: give them tiles, or \
                set NavMap::missing_tile; MissingTile::Class(0) keeps them walls",
                self.map
            );
        }
    }
}

impl PlannedLayer {
    /// Returns the cell of a tile that lies on the map.
    fn cell_of(&self, x: u32, y: u32) -> Cell {
        let Cell { x, y } = self.lattice.cell_of((x as i32, y as i32));
        Cell::new(x + self.offset.x, y + self.offset.y)
    }
}

/// Returns which part of a row of cells lies in an area: the number of cells before the area, and
/// the slots within it. `None` if the row does not meet the area.
fn row_of(area: &Bounds, first: Cell, length: usize) -> Option<(usize, Range<usize>)> {
    let skipped = (i64::from(area.origin().x) - i64::from(first.x)).max(0);
    let past = i64::from(first.x) + length as i64 - i64::from(area.origin().x) - i64::from(area.width());
    let count = length as i64 - skipped - past.max(0);
    let begin = area.slot(Cell::new((i64::from(first.x) + skipped) as i32, first.y))?;
    (count > 0).then(|| (skipped as usize, begin..begin + count as usize))
}

/// The class of a cell whose tiles have no class.
const UNNAMED_GROUND: u8 = 1;

/// Brings every map's grid up to date with its layers.
pub(crate) fn write_grids(mut sync: ResMut<TilemapSync>, mut grids: Query<&mut NavGrid>) {
    let TilemapSync { claims, plans, written, warned, .. } = &mut *sync;
    written.retain(|&map, _| {
        let planned = plans.iter().any(|plan| plan.map == map);
        if !planned && let Ok(mut grid) = grids.get_mut(map) {
            grid.set_ready(false);
        }
        planned
    });
    for plan in plans.iter() {
        let Ok(mut grid) = grids.get_mut(plan.map) else { continue };
        let is_bare = |layer: &PlannedLayer| claims.get(&layer.tilemap).is_none_or(LayerClaims::is_bare);
        let without_tiles = plan.layers.iter().all(is_bare);
        let mut overlaps = false;
        let now = plan.written(&grid, claims);
        let is_new = !written.contains_key(&plan.map);
        // A map that was resized by hand is written whole.
        let before = written.get(&plan.map).filter(|before| before.bounds == grid.bounds());
        let is_same = before == Some(&now);
        // New layers are written whole. For the other layers, only changes are written.
        let stay: Vec<&PlannedLayer> = {
            let known = before.filter(|before| !is_same && before.generation == now.generation);
            let known = known.map(WrittenGrid::by_tilemap).unwrap_or_default();
            let stays = |layer: &&PlannedLayer| {
                let epoch = claims.get(&layer.tilemap).map_or(0, LayerClaims::epoch);
                is_same || known.get(&layer.tilemap) == Some(&&(**layer, epoch))
            };
            plan.layers.iter().filter(stays).collect()
        };
        if !is_same {
            write_layers(plan, &mut grid, claims, before, &now, &mut overlaps);
        }
        write_changed_cells(plan, &stay, &mut grid, claims, &mut overlaps);
        if !is_same {
            let now = plan.written(&grid, claims);
            written.insert(plan.map, now);
        }
        if overlaps && warned.insert(plan.map) {
            warn!(
                "tilemaps of one order overlap on map {}: a wall wins, then the larger class; give their NavLayers offsets \
                 that do not overlap, or orders of their own",
                plan.map
            );
        }
        if !without_tiles && (is_new || grid.without_tiles) {
            plan.warn_of_missing(claims);
        }
        let grid = grid.bypass_change_detection();
        grid.without_tiles = without_tiles;
        if !grid.lies_under(&plan.layers) {
            grid.tilemaps = plan.layers.iter().map(|layer| (layer.tilemap, layer.offset)).collect();
        }
    }
    for claims in claims.values_mut() {
        claims.forget_changed_cells();
    }
}

impl NavGrid {
    fn lies_under(&self, layers: &[PlannedLayer]) -> bool {
        let known = self.tilemaps.iter().copied();
        known.eq(layers.iter().map(|layer| (layer.tilemap, layer.offset)))
    }
}

fn write_changed_cells(
    plan: &MapPlan,
    layers: &[&PlannedLayer],
    grid: &mut Mut<NavGrid>,
    claims: &EntityHashMap<LayerClaims>,
    overlaps: &mut bool,
) {
    let mut edits = Vec::new();
    for layer in layers {
        let Some(changed) = claims.get(&layer.tilemap).filter(|claims| claims.has_changed_cells()) else {
            continue;
        };
        let here: Vec<_> = plan.layers_in(Rectangle::of(&layer.bounds), claims).collect();
        for (x, y) in changed.changed_cells() {
            let cell = layer.cell_of(x, y);
            let mut decision = Decision::VOID;
            for (layer, claims) in &here {
                let tile = layer.tile_of(cell);
                if let Some(claim) = claims.claim_at(tile) {
                    *overlaps |= decision.hear(layer, claim);
                }
            }
            edits.push((cell, decision.class(plan.missing)));
        }
    }
    if grid.bypass_change_detection().write_cells(&edits) {
        grid.set_changed();
    }
}

/// Writes areas whose layers came, went or moved, or the whole map.
fn write_layers(
    plan: &MapPlan,
    grid: &mut Mut<NavGrid>,
    claims: &EntityHashMap<LayerClaims>,
    before: Option<&WrittenGrid>,
    now: &WrittenGrid,
    overlaps: &mut bool,
) {
    let is_known = before.is_some_and(|before| before.generation == now.generation);
    let keeps_shape = grid.grid().topology() == plan.lattice.topology();
    if keeps_shape && (is_known || grid.bounds() == plan.bounds) {
        // The grid is not replaced: paths on it stay valid outside of the changes.
        grid.set_bounds(plan.bounds, None);
        let areas = match before.filter(|_| is_known) {
            Some(before) => before.areas_changed_by(now),
            None => vec![Rectangle::of(&plan.bounds)],
        };
        let mut edits = Vec::new();
        for area in areas {
            let Some(Ok(area)) = area.shared(&Rectangle::of(&plan.bounds)).map(|area| area.bounds()) else {
                continue;
            };
            let cells = plan.cells_in(&area, claims, overlaps);
            let changed = area.cells().zip(cells).filter(|&(cell, class)| grid.own_terrain(cell) != class);
            edits.extend(changed);
        }
        grid.write_cells(&edits);
    } else {
        let replacement = plan.new_grid(claims, overlaps).expect("layers lie within the bounds of their map");
        grid.replace(replacement.with_topology(plan.lattice.topology()));
    }
    grid.set_ready(true);
}

impl WrittenGrid {
    /// Returns the areas in which the next state may differ.
    fn areas_changed_by(&self, next: &Self) -> Vec<Rectangle> {
        let whole = || vec![Rectangle::of(&next.bounds)];
        if self.missing != next.missing || self.lattice != next.lattice {
            return whole();
        }
        let (before, after) = (self.by_tilemap(), next.by_tilemap());
        let stays = |layer: &&(PlannedLayer, u32), others: &EntityHashMap<&(PlannedLayer, u32)>| {
            others.get(&layer.0.tilemap) == Some(layer)
        };
        let own = self.layers.iter().filter(|layer| stays(layer, &after));
        let others = next.layers.iter().filter(|layer| stays(layer, &before));
        if !own.eq(others) {
            return whole();
        }
        let gone = self.layers.iter().filter(|layer| !stays(layer, &after));
        let new = next.layers.iter().filter(|layer| !stays(layer, &before));
        gone.chain(new).map(|(layer, _)| Rectangle::of(&layer.bounds)).collect()
    }

    /// Returns the layers by tilemap, for fast lookup: a world may have many chunks.
    fn by_tilemap(&self) -> EntityHashMap<&(PlannedLayer, u32)> {
        self.layers.iter().map(|layer| (layer.0.tilemap, layer)).collect()
    }
}
