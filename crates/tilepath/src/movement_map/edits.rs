//! How a movement map follows the edits of its map.

use super::{
    MovementMap,
    area::{Area, EditedAreas},
    cost_range, listed_moves,
    plane::{self, DerivedPlane},
};
use crate::{cell::Cell, grid::Grid};
use std::sync::{Arc, OnceLock};

impl MovementMap {
    /// Follows one edit of a class that the grid has just taken.
    ///
    /// # Complexity
    /// O(1), or O(256) when a class appears or vanishes; for larger units O(size²); for the scan lines, where there are some, as
    /// they say.
    pub(crate) fn follow_edit(&mut self, grid: &Grid, cell: Cell, old: u8, new: u8) {
        if !self.is_plain() {
            self.follow_edits(grid, &[cell]);
            return;
        }
        if let Some((x, y)) = grid.bounds().local(cell) {
            let area = [Area::of_cell(x, y)];
            self.forget_steps(&area);
            if self.set_passable(grid, x, y, self.movement.costs().is_passable(new)) {
                self.renew_jump_stops(grid, &area);
            }
        }
        if grid.class_count(old) == 0 || grid.class_count(new) == 1 {
            (self.cheapest, self.costliest) = cost_range(grid, self.movement.costs());
        }
    }

    /// Follows all edits of these cells that the grid has taken since.
    ///
    /// # Complexity
    /// O(cells + 256), for larger units O(size²) a cell; for the scan lines, where there are some, as they say. O(cells of the map)
    /// where the map has its first exit, void cell or overlay now.
    pub(crate) fn follow_edits(&mut self, grid: &Grid, cells: &[Cell]) {
        let is_derived = DerivedPlane::is_needed(grid, &self.movement);
        if is_derived != self.derived.is_some() || grid.has_exits() != self.listed.is_some() {
            *self = Self::new(grid, self.movement.clone());
            return;
        }
        let [mut edited, mut turned] = [EditedAreas::default(), EditedAreas::default()];
        if is_derived {
            let (mut areas, mut window) = (EditedAreas::default(), Vec::new());
            for (x, y) in cells.iter().filter_map(|&cell| grid.bounds().local(cell)) {
                areas.add(x, y);
            }
            for area in areas.areas() {
                let covering = plane::covering(&self.movement, area);
                let multipliers = plane::multipliers_in(grid, &self.movement, &covering, &mut window);
                self.follow_multipliers(grid, covering.cells().zip(multipliers), &mut edited, &mut turned);
            }
        } else {
            for &cell in cells {
                let Some((x, y)) = grid.bounds().local(cell) else { continue };
                edited.add(x, y);
                let is_passable =
                    grid.terrain(cell).is_some_and(|class| self.movement.costs().is_passable(class));
                if self.set_passable(grid, x, y, is_passable) {
                    turned.add(x, y);
                }
            }
        }
        for &cell in cells {
            self.list_around(grid, cell);
        }
        self.forget_steps(edited.areas());
        self.renew_jump_stops(grid, turned.areas());
        (self.cheapest, self.costliest) = match &self.derived {
            Some(derived) => derived.range(),
            None => cost_range(grid, self.movement.costs()),
        };
    }

    /// Takes what anchors cost now.
    fn follow_multipliers(
        &mut self,
        grid: &Grid,
        multipliers: impl Iterator<Item = ((u32, u32), u16)>,
        edited: &mut EditedAreas,
        turned: &mut EditedAreas,
    ) {
        for ((x, y), multiplier) in multipliers {
            let Some(derived) = &mut self.derived else { return };
            let is_split = listed_moves::is_split(grid, &self.movement, x, y);
            let multiplier = if is_split { 0 } else { multiplier };
            let slot = y as usize * grid.width() as usize + x as usize;
            if derived.multipliers()[slot] != multiplier {
                Arc::make_mut(derived).set(slot, multiplier);
                edited.add(x, y);
                if self.set_passable(grid, x, y, multiplier > 0) {
                    turned.add(x, y);
                }
            }
        }
    }

    /// Finds the steps again that an edit of a cell may allow or forbid, where they are listed.
    fn list_around(&mut self, grid: &Grid, cell: Cell) {
        let touched = plane::touched(grid, &self.movement, cell, 1);
        if let (Some(listed), Some(area)) = (&mut self.listed, touched) {
            let (passable, masks) = (&self.passable, &self.neighbour_masks);
            Arc::make_mut(listed).follow_edit(grid, &self.movement, passable, masks, &area);
        }
    }

    /// Takes whether a cell is open, and says whether that opened or closed it.
    fn set_passable(&mut self, grid: &Grid, x: u32, y: u32, is_passable: bool) -> bool {
        let has_turned = self.passable.get(x, y) != is_passable;
        if has_turned {
            Arc::make_mut(&mut self.passable).set(x, y, is_passable);
            Arc::make_mut(&mut self.neighbour_masks).follow_edit(&self.passable, &grid.bounds(), x, y);
        }
        has_turned
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
        if !areas.is_empty()
            && let Some(mut lines) = self.jump_stops.take()
        {
            Arc::make_mut(&mut lines).follow_edits(self.scan_input(&grid.bounds()), areas);
            self.jump_stops = OnceLock::from(lines);
        }
    }
}
