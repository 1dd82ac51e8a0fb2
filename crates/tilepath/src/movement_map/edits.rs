//! Updates of a movement map after edits of its map.

use super::{
    MovementMap,
    area::{Area, EditedAreas},
    cost_range, listed_moves,
    near_samples::Windows,
    neighbour_masks::NeighbourMasks,
    plane,
    step_prices::PriceRows,
};
use crate::{bit_grid::BitGrid, cell::Cell, grid::Grid};
use std::sync::{Arc, OnceLock};

impl MovementMap {
    /// Updates the movement map after one edit of a class that the grid has just made. Calls `tell`
    /// with the rectangles in which cells opened or closed.
    ///
    /// # Complexity
    /// O(1), or O(256) if a class appears or vanishes; for larger units O(size²). In addition the
    /// updates of the scan lines, if there are any.
    pub(crate) fn follow_edit(
        &mut self,
        grid: &Grid,
        cell: Cell,
        (old, new): (u8, u8),
        mut tell: impl FnMut(&Area),
    ) {
        if !self.is_plain() {
            self.follow_edits(grid, &EditedAreas::of(grid.bounds().local(cell)), tell);
            return;
        }
        if let Some((x, y)) = grid.bounds().local(cell) {
            let area = [Area::of_cell(x, y)];
            self.forget_steps(&area);
            let is_open = self.movement.costs().is_passable(new);
            let (passable, masks) = (&mut self.passable, &mut self.neighbour_masks);
            if take_open(passable, masks, grid, &area[0], |_| is_open).is_some() {
                self.near_samples.forget(Windows::of(&grid.bounds()), &area);
                self.renew_jump_stops(grid, &area);
                tell(&area[0]);
            }
        }
        if grid.class_count(old) == 0 || grid.class_count(new) == 1 {
            (self.cheapest, self.costliest) = cost_range(grid, self.floor.costs());
        }
    }

    /// Updates the movement map after all edits of cells in these rectangles that the grid has made
    /// since. Calls `tell` with the rectangles in which cells opened or closed.
    ///
    /// # Complexity
    /// O(cells + 256); for larger units O(size²) a cell. In addition the updates of the scan lines,
    /// if there are any. O(cells of the map) if the map now has its first closed exit, void cell,
    /// overlay or edge, or if its last closed exit was opened.
    pub(crate) fn follow_edits(&mut self, grid: &Grid, edited: &EditedAreas, mut tell: impl FnMut(&Area)) {
        if !self.is_in_form(grid) {
            *self = Self::new(grid, self.movement.clone());
            edited
                .areas()
                .iter()
                .map(|area| plane::covering(&self.movement, area))
                .for_each(|area| tell(&area));
            return;
        }
        let repriced;
        let anchors = if self.derived.is_some() {
            repriced = self.follow_multipliers(grid, edited.areas());
            repriced.areas()
        } else {
            edited.areas()
        };
        let Self { movement, derived, passable, neighbour_masks, .. } = self;
        let derived = derived.as_deref();
        let is_open = |slot: usize| match derived {
            Some(derived) => derived.multipliers()[slot] > 0,
            // Void cells have class 0, which is closed here: otherwise the plane would be derived.
            None => movement.costs().is_passable(grid.classes()[slot]),
        };
        let turned =
            anchors.iter().filter_map(|area| take_open(passable, neighbour_masks, grid, area, is_open));
        let turned: Vec<Area> = turned.collect();
        if self.listed.is_some() {
            for area in edited.areas() {
                self.list_around(grid, area);
            }
        }
        let priced = self.price_around(grid, edited.areas());
        self.forget_steps(&priced);
        self.forget_steps(anchors);
        self.near_samples.forget(Windows::of(&grid.bounds()), &turned);
        self.renew_jump_stops(grid, &turned);
        turned.iter().for_each(tell);
        (self.cheapest, self.costliest) = match &self.derived {
            Some(derived) => derived.range(),
            None => cost_range(grid, self.floor.costs()),
        };
    }

    /// Updates the multipliers of the anchors whose footprints cover edited cells. Returns the
    /// anchors that have changed.
    fn follow_multipliers(&mut self, grid: &Grid, cells: &[Area]) -> EditedAreas {
        let (mut edited, mut window) = (EditedAreas::default(), Vec::new());
        let Some(derived) = &mut self.derived else { return edited };
        for area in cells {
            let covering = plane::covering(&self.movement, area);
            let multipliers = plane::multipliers_in(grid, &self.floor, &covering, &mut window);
            for ((x, y), multiplier) in covering.cells().zip(multipliers) {
                let is_split = listed_moves::is_split(grid, &self.movement, x, y);
                let multiplier = if is_split { 0 } else { multiplier };
                let slot = y as usize * grid.width() as usize + x as usize;
                if derived.multipliers()[slot] != multiplier {
                    Arc::make_mut(derived).set(slot, multiplier);
                    edited.add(x, y);
                }
            }
        }
        edited
    }

    /// Finds the listed steps again that edits of cells of a rectangle may allow or forbid.
    fn list_around(&mut self, grid: &Grid, area: &Area) {
        let area = plane::covering(&self.movement, area).grown(1, grid.width(), grid.height());
        if let Some(listed) = &mut self.listed {
            let (passable, masks) = (&self.passable, &self.neighbour_masks);
            Arc::make_mut(listed).follow_edit(grid, &self.movement, passable, masks, &area);
        }
    }

    /// Finds the surcharges again that edits of cells in some rectangles may change. Returns the
    /// rectangles in which they may begin.
    fn price_around(&mut self, grid: &Grid, areas: &[Area]) -> Vec<Area> {
        let around = |area: &Area| {
            let anchors = plane::covering(&self.movement, area);
            anchors.grown(1, grid.width(), grid.height())
        };
        let Some(prices) = &mut self.prices else { return Vec::new() };
        let areas: Vec<Area> = areas.iter().map(around).collect();
        let prices = Arc::make_mut(prices);
        if let PriceRows::OfCells(cells) = &mut prices.rows {
            cells.find(grid, &self.movement, &areas);
        }
        let near: Vec<Area> = areas.iter().map(|area| area.grown(1, grid.width(), grid.height())).collect();
        prices.find_near(grid, &near);
        areas
    }

    fn forget_steps(&mut self, areas: &[Area]) {
        for steps in [&mut self.canonical_steps, &mut self.reversed_steps] {
            if let Some(steps) = steps.get_mut() {
                for area in areas {
                    steps.forget(area);
                }
            }
        }
    }

    fn renew_jump_stops(&mut self, grid: &Grid, areas: &[Area]) {
        if areas.is_empty() {
            return;
        }
        if let Some(mut lines) = self.jump_stops.take() {
            Arc::make_mut(&mut lines).follow_edits(self.scan_input(&grid.bounds()), areas);
            self.jump_stops = OnceLock::from(lines);
        }
        if let Some(mut stops) = self.four_way_stops.take() {
            Arc::make_mut(&mut stops).follow_edits(self.scan_input(&grid.bounds()), areas);
            self.four_way_stops = OnceLock::from(stops);
        }
        if let Some(mut stops) = self.hexagon_stops.take() {
            Arc::make_mut(&mut stops).follow_edits(self.open_cells(&grid.bounds()), areas);
            self.hexagon_stops = OnceLock::from(stops);
        }
    }
}

/// Sets which cells of a rectangle are open, by their slots. Returns the part of it in which cells
/// opened or closed.
fn take_open(
    passable: &mut Arc<BitGrid>,
    masks: &mut Arc<NeighbourMasks>,
    grid: &Grid,
    area: &Area,
    is_open: impl Fn(usize) -> bool,
) -> Option<Area> {
    let width = grid.width() as usize;
    if area.cell_count() == 1 {
        let (x, y) = (area.columns.start, area.rows.start);
        let is_open = is_open(y as usize * width + x as usize);
        return (passable.get(x, y) != is_open).then(|| {
            Arc::make_mut(passable).set(x, y, is_open);
            Arc::make_mut(masks).follow_edit(passable, &grid.bounds(), x, y);
            area.clone()
        });
    }
    let mut turned = Vec::new();
    let (mut west, mut east) = (u32::MAX, 0);
    for y in area.rows.clone() {
        for first in area.columns.clone().step_by(64) {
            let count = (area.columns.end - first).min(64);
            let slot = y as usize * width + first as usize;
            let slots = slot..slot + count as usize;
            let open = slots.rev().fold(0, |bits, slot| bits << 1 | u64::from(is_open(slot)));
            let cells = (open ^ passable.bits(first, y)) & (u64::MAX >> (64 - count));
            if cells != 0 {
                west = west.min(first + cells.trailing_zeros());
                east = east.max(first + 64 - cells.leading_zeros());
                turned.push((first, y, cells));
            }
        }
    }
    let rows = turned.first()?.1..turned.last()?.1 + 1;
    let turned_area = Area { columns: west..east, rows };
    let turn_all =
        |rows: &mut BitGrid| turned.iter().for_each(|&(first, y, cells)| rows.turn(first, y, cells));
    Arc::make_mut(masks).follow_edits(Arc::make_mut(passable), &turned_area, turn_all);
    Some(turned_area)
}
