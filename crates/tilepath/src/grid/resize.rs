//! Maps that grow and shrink.

use super::Grid;
use crate::{bit_grid::BitGrid, bounds::Bounds, exits::Exits};
use std::sync::Arc;

impl Grid {
    /// Sets the bounds of the map. Each side of the map may grow or shrink. Returns whether the
    /// bounds changed.
    ///
    /// Cells keep their coordinates, classes, exits, overlays and edges. New cells get the given terrain
    /// class. If `class` is `None`, new cells are [void](crate::Edit::void).
    ///
    /// The [`Revision`](crate::Revision) rises by one. The added and the removed cells are included
    /// in [`changes_since`](Self::changes_since).
    ///
    /// # Complexity
    /// O(cells of the new map), at the speed of a memory copy.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Bounds, Cell, Grid};
    /// let mut grid = Grid::new(3, 2, 7)?;
    /// let before = grid.revision();
    /// assert!(grid.resize(Bounds::new(Cell::new(-64, 0), 3 + 64, 64)?, 1)); // to the west and to the north
    /// assert_eq!(grid.terrain(Cell::new(2, 1)), Some(7));
    /// assert_eq!(grid.terrain(Cell::new(-1, 0)), Some(1));
    /// assert_eq!(grid.changes_since(before).unwrap().count(), 67 * 64 - 3 * 2);
    /// grid.resize(Bounds::new(Cell::new(-64, 0), 100, 64)?, None); // the new cells are void
    /// assert!(!grid.contains(Cell::new(20, 20)));
    ///
    /// let too_large = Bounds::new(Cell::new(0, 0), 70_000, 1); // rejected before any change
    /// assert!(too_large.is_err());
    /// # Ok::<(), tilepath::GridError>(())
    /// ```
    pub fn resize(&mut self, bounds: Bounds, class: impl Into<Option<u8>>) -> bool {
        let (before, after, class) = (self.bounds, bounds, class.into());
        if after == before {
            return false;
        }
        let shared = before.shared(&after);
        for cell in before.outside(&shared).iter().flat_map(Bounds::cells) {
            if let Some(class) = self.terrain(cell) {
                self.counts[usize::from(class)] -= 1;
            }
        }
        let came = after.outside(&shared);
        if let Some(class) = class {
            self.counts[usize::from(class)] += (after.cell_count() - shared.cell_count()) as u32;
        }
        self.classes = Arc::new(before.moved(&self.classes, &after, class.unwrap_or(0)));
        if let Some(exits) = &mut self.exits {
            *exits = before.moved(exits, &after, Exits::ALL);
            self.fenced_cells = exits.iter().filter(|&&exits| exits != Exits::ALL).count();
            if self.fenced_cells == 0 {
                self.exits = None;
            }
        }
        for overlay in &mut self.overlays {
            overlay.move_slots(|slot| before.cell(slot).and_then(|cell| after.slot(cell)));
        }
        for edges in &mut self.edges {
            edges.move_to(&before, &after);
        }
        if let Some(void) = &mut self.void {
            let [columns, rows] = before.shift(&after);
            **void = void.moved(after.width(), after.height(), columns, rows);
        }
        if class.is_none() && shared.cell_count() < after.cell_count() {
            let void = self.void.get_or_insert_with(|| Box::new(BitGrid::new(after.width(), after.height())));
            for area in &came {
                let Some((x, y)) = after.local(area.origin()) else { continue };
                for row in y..y + area.height() {
                    void.turn_run(x..x + area.width(), row);
                }
            }
        }
        self.bounds = after;
        self.drop_void_without_cells();
        self.revision = self.revision.next();
        self.journal.record_resize(before, after.cell_count());
        true
    }
}
