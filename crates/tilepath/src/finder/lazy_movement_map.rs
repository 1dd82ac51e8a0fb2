//! A movement of a finder and its lazily made movement map.
//!
//! Decision: `docs/decisions/08-movement-maps-on-demand.md`.

use crate::{
    bounds::Bounds,
    cell::Cell,
    finder::deferred_work::DeferredWork,
    grid::{Grid, classes::CellEdit},
    movement::Movement,
    movement_map::{
        MovementMap,
        area::{Area, EditedAreas},
        plane,
    },
};
use std::sync::{Arc, OnceLock};

/// A movement and its movement map. The map is made at the first query of the movement and then
/// follows all edits.
///
/// Between edits, reading it takes no lock.
#[derive(Clone, Debug)]
pub(crate) struct LazyMovementMap {
    movement: Movement,
    made: OnceLock<Arc<MovementMap>>,
    deferred_work: DeferredWork,
}

impl LazyMovementMap {
    pub(crate) const fn new(movement: Movement, grid: &Grid) -> Self {
        Self { movement, made: OnceLock::new(), deferred_work: DeferredWork::new(&grid.bounds()) }
    }

    /// Returns the one-time preprocessing that the next searches must pay for.
    pub(crate) const fn deferred_work(&self) -> &DeferredWork {
        &self.deferred_work
    }

    pub(crate) const fn movement(&self) -> &Movement {
        &self.movement
    }

    /// Returns the movement map, if a query has made it.
    pub(crate) fn made(&self) -> Option<&Arc<MovementMap>> {
        self.made.get()
    }

    /// Returns the movement map for the map as it is now.
    ///
    /// # Complexity
    /// O(cells) the first time.
    #[inline]
    pub(crate) fn get(&self, grid: &Grid) -> &Arc<MovementMap> {
        self.made.get_or_init(|| Arc::new(MovementMap::new(grid, self.movement.clone())))
    }

    /// Returns the bytes of the movement map, if it is made.
    pub(crate) fn bytes(&self) -> usize {
        self.made.get().map_or(0, |made| made.kept_bytes())
    }

    /// Drops the movement map; the next query makes it again. The work that searches must pay for
    /// does not change.
    pub(crate) fn give_back(&mut self) {
        self.made.take();
    }

    /// Follows edits of all kinds that the grid has just made. Calls `report` with each rectangle in
    /// which anchors may have opened or closed.
    pub(crate) fn follow_edits(
        &mut self,
        grid: &Grid,
        places: &[(u32, u32)],
        edited: &EditedAreas,
        report: impl FnMut(&Area),
    ) {
        self.deferred_work.follow_edits(&self.movement, places.iter().copied());
        if let Some(movement_map) = self.made.get_mut() {
            Arc::make_mut(movement_map).follow_edits(grid, edited, report);
        } else {
            self.report_all(places.iter().copied(), report);
        }
    }

    /// Follows a change of the map's bounds.
    pub(crate) fn follow_resize(&mut self, grid: &Grid, before: &Bounds) {
        self.deferred_work.follow_resize(before, &grid.bounds());
        if let Some(movement_map) = self.made.get_mut() {
            *movement_map = Arc::new(movement_map.resized(grid, before));
        }
    }

    /// Follows the edit of one class; calls `report` as [`follow_edits`](Self::follow_edits) does.
    pub(crate) fn follow_edit(
        &mut self,
        grid: &Grid,
        cell: Cell,
        (old, new): (u8, u8),
        report: impl FnMut(&Area),
    ) {
        let costs = self.movement.costs();
        let turns = costs.is_passable(old) != costs.is_passable(new);
        if let Some(place) = grid.bounds().local(cell).filter(|_| turns) {
            self.deferred_work.follow_edit(&self.movement, place);
        }
        if let Some(movement_map) = self.made.get_mut() {
            Arc::make_mut(movement_map).follow_edit(grid, cell, (old, new), report);
        } else if turns {
            self.report_all(grid.bounds().local(cell), report);
        }
    }

    /// Calls `report` for every anchor whose footprint covers an edited cell. It is used while no
    /// movement map exists, when any of these anchors may have opened or closed.
    fn report_all(&self, places: impl IntoIterator<Item = (u32, u32)>, report: impl FnMut(&Area)) {
        let edited = EditedAreas::of(places);
        let touched: Vec<Area> =
            edited.areas().iter().map(|area| plane::covering(&self.movement, area)).collect();
        touched.iter().for_each(report);
    }

    /// Follows edits of classes, all of which lie in these rectangles; calls `report` as
    /// [`follow_edits`](Self::follow_edits) does.
    pub(crate) fn follow_terrain(
        &mut self,
        grid: &Grid,
        edits: &[CellEdit],
        edited: &EditedAreas,
        report: impl FnMut(&Area),
    ) {
        let bounds = grid.bounds();
        let turned = edits.iter().filter(|edit| edit.turns_for(self.movement.costs()));
        let places = turned.filter_map(|edit| bounds.local(edit.cell));
        self.deferred_work.follow_edits(&self.movement, places.clone());
        if let Some(movement_map) = self.made.get_mut() {
            Arc::make_mut(movement_map).follow_edits(grid, edited, report);
        } else {
            self.report_all(places, report);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layer_made_after_edits_equals_the_layer_that_followed_them() {
        let mut grid = Grid::new(70, 9, 1).unwrap();
        let mut followed = LazyMovementMap::new(Movement::new(), &grid);
        let late = followed.clone();
        followed.get(&grid);
        for step in 0..200_u32 {
            let cell = Cell::new((step * 37 % 70) as i32, (step % 9) as i32);
            let (old, new) = (grid.terrain(cell).unwrap(), (step * 7 % 4) as u8);
            if grid.set_terrain(cell, new).unwrap() {
                followed.follow_edit(&grid, cell, (old, new), |_| ());
            }
        }
        assert!(late.made.get().is_none(), "no query has needed the map");
        assert_eq!(followed.get(&grid), late.get(&grid));
    }
}
