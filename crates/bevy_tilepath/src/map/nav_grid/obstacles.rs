//! Cells of a map under obstacles.

use std::{collections::btree_map::Entry, sync::Arc};

use tilepath::{Bounds, Cell, Edit, Grid, GridError};

use crate::map::{
    movement::{closed_to, obstacle_overlay},
    nav_grid::{NavGrid, WALL},
};

/// A cell under obstacles.
#[derive(Clone, Debug)]
pub(super) struct Covered {
    pub(super) obstacles: u32,
    /// The own terrain; `None` if the cell is void.
    pub(super) terrain: Option<u8>,
}

impl NavGrid {
    /// Returns the terrain class that a cell has without obstacles.
    /// Returns `None` if the cell is void or outside the map.
    ///
    /// # Complexity
    /// O(log n) for n cells under obstacles.
    ///
    /// # Examples
    /// ```
    /// use bevy_app::App;
    /// use bevy_ecs::prelude::*;
    /// use bevy_tilepath::{Cell, NavGrid, NavMap, Obstacle, TilepathPlugin, sync_maps_now, tilepath::Grid};
    /// use bevy_transform::components::Transform;
    ///
    /// let mut app = App::new();
    /// app.add_plugins(TilepathPlugin::default());
    /// let map = app.world_mut().spawn((NavMap::default(), NavGrid::new(Grid::new(4, 4, 3)?))).id();
    /// app.world_mut().spawn((Obstacle::default(), Transform::from_xyz(2.0, 1.0, 0.0)));
    /// sync_maps_now(app.world_mut())?;
    /// let grid = app.world().get::<NavGrid>(map).unwrap();
    /// assert_eq!(grid.terrain(Cell::new(2, 1)), Some(0));
    /// assert_eq!(grid.own_terrain(Cell::new(2, 1)), Some(3));
    /// assert_eq!(grid.bare_grid(), Grid::new(4, 4, 3)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn own_terrain(&self, cell: Cell) -> Option<u8> {
        self.covered.get(&cell).map_or_else(|| self.terrain(cell), |covered| covered.terrain)
    }

    /// Returns a copy of the grid without the effects of entities: without
    /// [`Obstacle`](crate::Obstacle)s and [`OverlayArea`](crate::maps::OverlayArea)s. To save a
    /// map, save this grid, and not [`grid`](Self::grid): otherwise the walls of a house stay in
    /// the loaded map after the house is torn down.
    ///
    /// The copy has the map's own terrain classes, void cells and closed edges, and the overlays
    /// that edits have written.
    ///
    /// # Complexity
    /// O(cells): the grid is copied.
    #[must_use]
    pub fn bare_grid(&self) -> Grid {
        let mut grid = self.grid().clone();
        let on_map = self.covered.iter().filter(|&(&cell, _)| self.bounds().contains(cell));
        let own = on_map.map(|(&cell, covered)| {
            covered.terrain.map_or(Edit::void(cell), |class| Edit::terrain(cell, class))
        });
        let closing = self.closed.keys().map(|(_, name)| Edit::clear_overlay(obstacle_overlay(name)));
        let areas = self.area_overlays.iter().map(|name| Edit::clear_overlay(&**name));
        let edited = grid.edit(&own.chain(closing).chain(areas).collect::<Vec<Edit>>());
        debug_assert!(edited.is_ok(), "the cells are on the map");
        grid
    }

    /// Writes the overlay values that the areas of entities add to cells.
    ///
    /// # Errors
    /// The errors of [`set_overlay`](Self::set_overlay).
    pub(crate) fn write_area_overlay(
        &mut self,
        name: &Arc<str>,
        values: impl IntoIterator<Item = (Cell, u16)>,
    ) -> Result<usize, GridError> {
        let changed = self.finder.set_overlay(name, values)?;
        if changed > 0 && !self.area_overlays.contains(name) {
            self.area_overlays.insert(name.clone());
        }
        Ok(changed)
    }

    /// Returns whether the cell is on the map, and under an obstacle.
    pub(super) fn is_under_obstacle(&self, cell: Cell) -> bool {
        self.bounds().contains(cell) && self.covered.contains_key(&cell)
    }

    /// Returns the cells of a rectangle that are under obstacles.
    pub(super) fn covered_in(&self, area: &Bounds) -> impl Iterator<Item = Cell> {
        let (area, west) = (*area, area.origin().x);
        let east = west.saturating_add_unsigned(area.width());
        let columns = self.covered.range(Cell::new(west, i32::MIN)..Cell::new(east, i32::MIN));
        columns.map(|(&cell, _)| cell).filter(move |&cell| area.contains(cell))
    }

    /// Returns whether an obstacle sets this value of an overlay.
    pub(super) fn is_closed_by(&self, overlay: &str, cell: Cell) -> bool {
        self.bounds().contains(cell)
            && closed_to(overlay).is_some_and(|name| self.closed.contains_key(&(cell, Arc::from(name))))
    }

    /// Adds an obstacle to a cell of the map.
    pub(crate) fn cover(&mut self, cell: Cell) {
        if !self.bounds().contains(cell) {
            return;
        }
        let terrain = self.terrain(cell);
        let covered = self.covered.entry(cell).or_insert(Covered { obstacles: 0, terrain });
        covered.obstacles += 1;
        if covered.obstacles == 1 && terrain.is_some() {
            self.write(cell, Some(WALL));
        }
    }

    /// Removes an obstacle from a cell.
    pub(crate) fn uncover(&mut self, cell: Cell) {
        if let Entry::Occupied(mut covered) = self.covered.entry(cell) {
            covered.get_mut().obstacles -= 1;
            if covered.get().obstacles == 0 {
                let terrain = covered.remove().terrain;
                // The cell may have left the map since.
                if self.bounds().contains(cell) {
                    self.write(cell, terrain);
                }
            }
        }
    }

    /// Adds an obstacle to a cell, for one named movement only.
    pub(crate) fn close(&mut self, cell: Cell, name: &Arc<str>) {
        if !self.bounds().contains(cell) {
            return;
        }
        let obstacles = self.closed.entry((cell, name.clone())).or_insert(0);
        *obstacles += 1;
        if *obstacles == 1 {
            self.write_closed(cell, name, Grid::CLOSING);
        }
    }

    /// Removes an obstacle that [`close`](Self::close) added.
    pub(crate) fn open(&mut self, cell: Cell, name: &Arc<str>) {
        if let Entry::Occupied(mut obstacles) = self.closed.entry((cell, name.clone())) {
            *obstacles.get_mut() -= 1;
            if *obstacles.get() == 0 {
                obstacles.remove();
                self.write_closed(cell, name, 0);
            }
        }
    }

    pub(super) fn write_closed(&mut self, cell: Cell, name: &str, value: u16) {
        // Only a cell that is gone from the map is refused, and there is nothing to open there.
        let _ = self.finder.set_overlay(&obstacle_overlay(name), [(cell, value)]);
    }
}
