//! A crowd that moves to another grid.

use super::{
    BodyId, Crowd, Step,
    body::{NO_DIRECTION, NONE, Role},
};
use crate::{grid::Grid, size::Size};

impl Crowd {
    /// Returns whether [`Crowd::move_to`] can move the crowd to `grid`. The grid must have the
    /// topology of the crowd's present grid.
    #[must_use]
    pub fn can_move_to(&self, grid: &Grid) -> bool {
        self.topology == grid.topology()
    }

    /// Moves the crowd to another grid, or to the same grid after it has grown. All bodies keep
    /// their cells and continue their steps. Bodies whose cells are not on the new grid are
    /// removed; their ids are returned. All bodies lose their goals, because the numbers of the
    /// goals may be slots of the old grid.
    ///
    /// # Panics
    /// If the grid has another topology.
    ///
    /// # Complexity
    /// O(cells + bodies).
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Grid, crowd::{Body, Crowd}};
    /// let mut crowd = Crowd::new(&Grid::new(4, 4, 1)?);
    /// let soldier = crowd.insert(&Body::new(1, Cell::new(3, 2)))?;
    /// let gone = crowd.insert(&Body::new(2, Cell::new(0, 0)))?;
    /// let removed = crowd.move_to(&Grid::new(8, 8, 1)?.with_origin(Cell::new(2, 0))?);
    /// assert_eq!((removed, crowd.cell(soldier)), (vec![gone], Cell::new(3, 2)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn move_to(&mut self, grid: &Grid) -> Vec<BodyId> {
        assert!(self.can_move_to(grid), "the grid must have the topology of the crowd");
        let steps: Vec<(BodyId, Step)> = (self.bodies())
            .map(|id| {
                let cell = self.cell(id);
                (id, self.step(id).unwrap_or(Step { from: cell, to: cell, share: 0.0 }))
            })
            .collect();
        for state in &mut self.bodies {
            (state.claim, state.wish) = (NO_DIRECTION, NO_DIRECTION);
        }
        let empty = Self::new(grid);
        (self.bounds, self.offsets) = (empty.bounds, empty.offsets);
        let mut removed = Vec::new();
        self.occupancy.move_to(grid.bounds().cell_count());
        for (id, step) in steps {
            let size = Size::new(self.bodies[id.index()].size).unwrap_or_default();
            self.arrivals.count(&self.bodies[id.index()], false);
            let slots = self.anchor_slot(step.from, size).ok().zip(self.anchor_slot(step.to, size).ok());
            let Some((from, to)) = slots else {
                removed.push(id);
                self.bodies[id.index()].role = Role::Absent;
                self.absent[usize::from(size.side())].push(id.0);
                self.reorder(id.index());
                self.forget_target(id);
                continue;
            };
            let is_crowded = self.bodies[id.index()].is_crowded;
            let state = &mut self.bodies[id.index()];
            (state.from, state.to, state.goal) = (from, from, NONE);
            self.hold(id.index());
            if from != to {
                self.set_out(id.index(), to);
            }
            self.bodies[id.index()].is_crowded = is_crowded;
            self.arrivals.count(&self.bodies[id.index()], true);
        }
        removed
    }
}
