//! Which edits may have made ways cheaper.

use super::Movement;
use crate::{
    cell::Cell,
    grid::Grid,
    journal::{Change, Revision},
};
use rustc_hash::FxHashSet;

impl Movement {
    /// Those of the cells [edited](Grid::changes_since) since an earlier revision by which a way may have become cheaper for this
    /// movement: the class is a cheaper one or has opened, an exit was opened, a value of an overlay fell. Each comes once.
    ///
    /// For code that keeps a path and wants to know whether a better one may have come up: see
    /// [`PathFinder::least_cost_by`](crate::PathFinder::least_cost_by). A cell that was closed and opened again since then is
    /// judged by the class that it had at first.
    ///
    /// A unit on ground that closed under it is a case of its own: it may leave over closed cells, where it could not before.
    ///
    /// `None` as there: any cell may have changed.
    ///
    /// # Complexity
    /// O(edits since then).
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, CostTable, Grid, Movement};
    /// let mut grid = Grid::new(8, 8, 1)?;
    /// let (wall, mud) = (Cell::new(3, 3), Cell::new(5, 5));
    /// grid.set_terrain(wall, 0)?;
    /// let before = grid.revision();
    /// grid.set_terrain(wall, 1)?;
    /// grid.set_terrain(mud, 5)?;
    /// assert_eq!(Movement::new().openings_since(&grid, before), Some(vec![wall]));
    ///
    /// let toad = Movement::new().with_costs(CostTable::identity().with(1, 9));
    /// assert_eq!(toad.openings_since(&grid, before), Some(vec![wall, mud]));
    /// # Ok::<(), tilepath::GridError>(())
    /// ```
    #[must_use]
    pub fn openings_since(&self, grid: &Grid, revision: Revision) -> Option<Vec<Cell>> {
        let costs = self.costs();
        // A closed class is the most expensive one.
        let rank = |class: u8| costs.multiplier(class).wrapping_sub(1);
        let (mut with_class, mut seen) = (FxHashSet::default(), FxHashSet::default());
        let mut cells = Vec::new();
        for (cell, change) in grid.edits_since(revision)? {
            let may_help = match change {
                // Later changes of its class say nothing new.
                Change::Class(before) => {
                    with_class.insert(cell) && grid.terrain(cell).is_some_and(|now| rank(now) < rank(before))
                }
                Change::Opened => true,
                Change::OverlayFell => !self.overlays().is_empty(),
                Change::Closed | Change::OverlayRose => false,
            };
            if may_help && seen.insert(cell) {
                cells.push(cell);
            }
        }
        Some(cells)
    }
}
