//! Edits that may have made paths cheaper.

use super::Movement;
use crate::{
    cell::Cell,
    edit::Edit,
    grid::Grid,
    journal::{Change, Revision},
};
use rustc_hash::FxHashSet;

impl Movement {
    /// Returns whether an edit changes what this movement sees of a map. Named values and edges concern
    /// only movements that name them.
    pub(crate) fn is_concerned_by(&self, edit: &Edit) -> bool {
        match edit {
            Edit::Overlay { name, .. } | Edit::OverlayIn { name, .. } | Edit::ClearOverlay { name } => {
                self.names_overlay(name)
            }
            Edit::Edges { name, .. } | Edit::ClearEdges { name } => self.names_edges(name),
            _ => true,
        }
    }

    /// Returns the cells where an [edit](Grid::changes_since) since an earlier revision may have
    /// made a path of this movement cheaper. Each cell is in the list once. A cell is in the list
    /// if:
    /// - its terrain class became cheaper, or changed from closed to open,
    /// - it became a cell of the map, or a resize added or removed it,
    /// - one of its exits was opened,
    /// - its value in any overlay became lower, if this movement uses overlays,
    /// - it lost an edge of any name, if this movement obeys edges, or
    /// - its class changed to another open one, if this movement has costs of steps between classes.
    ///
    /// Use this if you keep a path and a better one may have appeared: see
    /// [`PathFinder::least_cost_by`](crate::PathFinder::least_cost_by). If the class of a cell
    /// changed several times, the class now is compared with the class at that revision.
    ///
    /// One case is not included: if ground closes under a unit of more than one cell, the unit may
    /// leave over closed cells that it could not enter before.
    ///
    /// Returns `None` if [`Grid::changes_since`] does. In this case any cell may have changed.
    ///
    /// # Complexity
    /// O(edits since that revision).
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
        // A closed class ranks as the most expensive one.
        let has_class_steps = !self.class_steps().is_empty();
        let rank = |class: u8| costs.multiplier(class).wrapping_sub(1);
        let (mut with_class, mut seen) = (FxHashSet::default(), FxHashSet::default());
        let mut cells = Vec::new();
        for (cell, change) in grid.edits_since(revision)? {
            let may_help = match change {
                // The first change holds the old class, so later changes of the class do not count.
                Change::Class(before) => {
                    with_class.insert(cell)
                        && grid.terrain(cell).is_some_and(|now| {
                            rank(now) < rank(before) || has_class_steps && costs.is_passable(now)
                        })
                }
                Change::Opened => true,
                Change::OverlayFell => !self.overlays().is_empty(),
                Change::EdgesWent => !self.edges().is_empty(),
                Change::Closed | Change::OverlayRose | Change::EdgesCame => false,
            };
            if may_help && seen.insert(cell) {
                cells.push(cell);
            }
        }
        Some(cells)
    }
}
