//! A movement of a finder, and the map as it sees it once a query needs that.

use crate::{
    cell::Cell,
    finder::deferred_work::DeferredWork,
    grid::{Grid, edits::CellEdit},
    movement::Movement,
    movement_map::MovementMap,
};
use std::sync::{Arc, OnceLock};

/// A movement and its movement map, which is made when the first question is asked by it and follows the edits from then on.
///
/// While there are no edits, asking takes no lock.
#[derive(Clone, Debug)]
pub(crate) struct LazyMovementMap {
    movement: Movement,
    made: OnceLock<Arc<MovementMap>>,
    deferred_work: DeferredWork,
}

impl LazyMovementMap {
    pub(crate) const fn new(movement: Movement, grid: &Grid) -> Self {
        Self { movement, made: OnceLock::new(), deferred_work: DeferredWork::new(grid.bounds().cell_count()) }
    }

    /// What searches owe for what is found out once for all of them.
    pub(crate) const fn deferred_work(&self) -> &DeferredWork {
        &self.deferred_work
    }

    pub(crate) const fn movement(&self) -> &Movement {
        &self.movement
    }

    /// The movement map of the map as it is now.
    ///
    /// # Complexity
    /// O(cells) the first time.
    #[inline]
    pub(crate) fn get(&self, grid: &Grid) -> &Arc<MovementMap> {
        self.made.get_or_init(|| Arc::new(MovementMap::new(grid, self.movement.clone())))
    }

    /// The bytes of what is made.
    pub(crate) fn bytes(&self) -> usize {
        self.made.get().map_or(0, |made| made.bytes())
    }

    /// Forgets what is made: it is made again when it is asked for. What searches owe stays as it is.
    pub(crate) fn give_back(&mut self) {
        self.made.take();
    }

    /// Follows edits of all kinds that the grid has just taken, or of more cells than are known.
    pub(crate) fn follow_edits(&mut self, grid: &Grid, cells: Option<&[Cell]>) {
        let Some(cells) = cells else {
            *self = Self::new(self.movement.clone(), grid);
            return;
        };
        self.deferred_work.follow_edits(cells.iter().filter_map(|&cell| grid.bounds().local(cell)));
        if let Some(movement_map) = self.made.get_mut() {
            Arc::make_mut(movement_map).follow_edits(grid, cells);
        }
    }

    /// Follows an edit of a class that the grid has just taken. A movement map that is not made yet has nothing to follow.
    pub(crate) fn follow_edit(&mut self, grid: &Grid, cell: Cell, old: u8, new: u8) {
        let costs = self.movement.costs();
        if costs.is_passable(old) != costs.is_passable(new) {
            self.deferred_work.follow_edit();
        }
        if let Some(movement_map) = self.made.get_mut() {
            Arc::make_mut(movement_map).follow_edit(grid, cell, old, new);
        }
    }

    /// Follows edits of classes that the grid has just taken, which opened or closed the cells at these places.
    pub(crate) fn follow_terrain(&mut self, grid: &Grid, edits: &[CellEdit], turned: &[(u32, u32)]) {
        self.deferred_work.follow_edits(turned.iter().copied());
        if let Some(movement_map) = self.made.get_mut() {
            let cells: Vec<Cell> = edits.iter().map(|edit| edit.cell).collect();
            Arc::make_mut(movement_map).follow_edits(grid, &cells);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_made_after_edits_is_the_one_that_followed_them() {
        let mut grid = Grid::new(70, 9, 1).unwrap();
        let mut followed = LazyMovementMap::new(Movement::new(), &grid);
        let late = followed.clone();
        followed.get(&grid);
        for step in 0..200_u32 {
            let cell = Cell::new((step * 37 % 70) as i32, (step % 9) as i32);
            let (old, new) = (grid.terrain(cell).unwrap(), (step * 7 % 4) as u8);
            if grid.set_terrain(cell, new).unwrap() {
                followed.follow_edit(&grid, cell, old, new);
            }
        }
        assert!(late.made.get().is_none(), "no agent has asked");
        assert_eq!(followed.get(&grid), late.get(&grid));
    }
}
