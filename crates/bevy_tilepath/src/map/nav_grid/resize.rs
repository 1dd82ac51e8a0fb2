//! Maps that grow and shrink.

use tilepath::{Bounds, Cell, Grid};
use tracing::warn;

use crate::map::nav_grid::{NavGrid, WALL};

impl NavGrid {
    /// Grows or shrinks the map at any side until it covers these bounds, and returns whether the bounds
    /// changed. Cells keep their coordinates, classes, exits and overlay values. New cells get the class
    /// `class`; if it is `None`, they are [void](crate::Edit::void).
    ///
    /// Units keep their orders and their places. Paths that do not lead over lost cells stay as they
    /// are. [`Obstacle`](crate::Obstacle)s and [`OverlayArea`](crate::maps::OverlayArea)s reach onto new
    /// cells in the next [`SyncMaps`](crate::TilepathSystems::SyncMaps).
    ///
    /// Use `resize` for maps without tiles. On a map that tilemaps fill, it causes a warning, and the
    /// whole map is read again in the next `SyncMaps`.
    ///
    /// [`Bounds::new`](tilepath::Bounds::new) rejects bounds that are too large, so this function cannot
    /// fail.
    ///
    /// # Complexity
    /// As for [`PathFinder::resize`](tilepath::PathFinder::resize).
    ///
    /// # Examples
    /// ```
    /// use bevy_tilepath::{Cell, NavGrid, tilepath::{Bounds, Grid}};
    ///
    /// let mut map = NavGrid::new(Grid::new(64, 64, 1)?);
    /// let with_new_land_in_the_west = Bounds::new(Cell::new(-64, 0), 128, 64)?;
    /// assert!(map.resize(with_new_land_in_the_west, 2));
    /// assert_eq!([-1, 0].map(|x| map.terrain(Cell::new(x, 5))), [Some(2), Some(1)]);
    /// # Ok::<(), bevy_tilepath::tilepath::GridError>(())
    /// ```
    pub fn resize(&mut self, bounds: Bounds, class: impl Into<Option<u8>>) -> bool {
        if let Some((tilemap, _)) = self.tilemaps.first()
            && bounds != self.bounds()
        {
            warn!(
                "NavGrid::resize changes the bounds of a map that the tilemap {tilemap} fills, which is read again now: resize \
                 the tilemap, or add a NavLayer"
            );
        }
        self.set_bounds(bounds, class.into())
    }

    /// Grows or shrinks the map. Returns whether the bounds changed.
    pub(crate) fn set_bounds(&mut self, bounds: Bounds, class: Option<u8>) -> bool {
        let before = self.bounds();
        if !self.finder.resize(bounds, class) {
            return false;
        }
        self.resizes += 1;
        // Obstacles may still cover cells that were lost and come back in one tick.
        let back: Vec<Cell> = self.covered_in(&bounds).filter(|&cell| !before.contains(cell)).collect();
        for cell in back {
            if let Some(covered) = self.covered.get_mut(&cell) {
                covered.terrain = class;
            }
            if class.is_some() {
                self.write(cell, Some(WALL));
            }
        }
        let closed = self.closed.keys().filter(|(cell, _)| bounds.contains(*cell) && !before.contains(*cell));
        for (cell, name) in closed.cloned().collect::<Vec<_>>() {
            self.write_closed(cell, &name, Grid::CLOSING);
        }
        true
    }

    /// Returns the number of changes of the bounds.
    pub(crate) fn resizes(&self) -> u64 {
        self.resizes
    }
}
