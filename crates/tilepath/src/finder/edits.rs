//! Edits of a finder's map and of the data derived from it.

use crate::{
    bounds::{Bounds, GridError},
    cell::Cell,
    edit::Edit,
    finder::{PathFinder, lazy_movement_map::LazyMovementMap, reachability::LazyRegions},
    grid::{Grid, classes::CellEdit},
    journal::Revision,
    movement::Movement,
    movement_map::area::{Area, EditedAreas},
};

impl PathFinder {
    /// Makes the edits of a list on the map, in the order of the list. If one edit is invalid, none
    /// is made. Returns the number of changes, as [`Grid::edit`] counts them.
    ///
    /// After all edits, the data derived from the map is updated once.
    ///
    /// # Errors
    /// The errors of [`Grid::edit`]. After an error, the map is unchanged.
    ///
    /// # Complexity
    /// O(cells × movements). All cells that the edits name count, and all cells in rectangles that
    /// the edits name.
    ///
    /// If jump points are in use, each cell whose scan now ends elsewhere adds O(1). All of these
    /// cells together add at most O(cells of the map).
    ///
    /// Three kinds of lists cost O(cells of the map) for each movement in use:
    /// - lists that change over an eighth of the map, and not only terrain classes;
    /// - lists that close the first edge of a map;
    /// - lists that open the last closed edge of a map.
    ///
    /// If a paused search holds the current state of the map, the first edit copies this state
    /// once.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Edit, Grid, Movement, PathFinder};
    /// let mut finder = PathFinder::new(Grid::new(9, 9, 1)?, Movement::new());
    /// let (from, to) = (Cell::new(0, 0), Cell::new(8, 0));
    /// let mut wall: Vec<Edit> = (0..9).map(|y| Edit::terrain(Cell::new(4, y), 0)).collect();
    /// assert_eq!(finder.edit(&wall)?, 9);
    /// assert!(finder.find(from, to)?.path().is_none());
    ///
    /// wall = vec![Edit::terrain(Cell::new(4, 4), 1), Edit::one_way(Cell::new(4, 4), Cell::new(5, 4))]; // a turnstile
    /// finder.edit(&wall)?;
    /// assert!(finder.find(from, to)?.path().is_some());
    /// assert!(finder.find(to, from)?.path().is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn edit(&mut self, edits: &[Edit]) -> Result<usize, GridError> {
        if let [Edit::Terrain { cell, class }] = *edits {
            return self.set_terrain(cell, class).map(usize::from);
        }
        self.grid.check_edits(edits)?;
        Ok(self.make_edits(edits))
    }

    /// Makes edits that restore an earlier map.
    pub(crate) fn restore(&mut self, edits: &[Edit]) -> Result<usize, GridError> {
        if let [Edit::Terrain { cell, class }] = *edits {
            return self.set_terrain(cell, class).map(usize::from);
        }
        self.grid.check_restored(edits)?;
        Ok(self.make_edits(edits))
    }

    /// Sets the terrain class of one cell, as [`Edit::terrain`] does. Returns whether the class
    /// changed.
    ///
    /// # Errors
    /// [`GridError::OutOfBounds`]. After an error, the map is unchanged.
    ///
    /// # Complexity
    /// O(movements). If jump points are in use, an edit adds O((width + height) / 64), and O(1) for
    /// each cell whose scan now ends elsewhere. If a paused search holds the current state of the
    /// map, the first edit copies this state once.
    pub fn set_terrain(&mut self, cell: Cell, class: u8) -> Result<bool, GridError> {
        let Some(old) = self.grid.terrain(cell) else {
            return self.follow(|grid| grid.set_terrain(cell, class));
        };
        let has_changed = self.grid.set_terrain(cell, class)?;
        if has_changed {
            for kept in &mut self.movements {
                let regions = &mut kept.regions;
                kept.map.follow_edit(&self.grid, cell, (old, class), |area| regions.follow_edits(area));
                if let Some((x, y)) = self.grid.bounds().local(cell) {
                    let cheaper = kept.is_cheaper(Some(old), class).then_some(cell);
                    kept.follow_with_landmarks(&self.grid, &[Area::of_cell(x, y)], cheaper);
                }
            }
            self.keep_within_limit();
        }
        Ok(has_changed)
    }

    /// Sets the terrain class of all cells of a rectangle, as [`Edit::terrain_in`] does. Returns
    /// the number of changed cells. For a house, this takes about as long as a few edits of single
    /// cells.
    ///
    /// # Errors
    /// [`GridError::OutOfBounds`] if a corner of the rectangle is not on the map. After an error,
    /// the map is unchanged. An empty rectangle may lie anywhere.
    ///
    /// # Complexity
    /// The complexity of [`PathFinder::edit`].
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Bounds, Cell, Cost, Grid, Movement, PathFinder};
    /// let mut finder = PathFinder::new(Grid::new(20, 20, 1)?, Movement::new());
    /// let house = Bounds::new(Cell::new(5, 0), 6, 5)?;
    /// assert_eq!(finder.set_terrain_in(house, 0)?, 30);
    /// let around = finder.find(Cell::new(0, 0), Cell::new(15, 0))?;
    /// assert!(around.path().is_some_and(|path| path.cost() > Cost::new(150)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_terrain_in(&mut self, area: Bounds, class: u8) -> Result<usize, GridError> {
        self.edit(&[Edit::terrain_in(area, class)])
    }

    /// Sets the values of cells in the overlay with this name, as [`Edit::overlay`] does for one
    /// cell. Returns the number of changed values. [`Grid::set_overlay`] explains overlays.
    ///
    /// # Errors
    /// The errors of [`Grid::set_overlay`]. After an error, the map is unchanged.
    ///
    /// # Complexity
    /// O(cells × movements that name the overlay). Other movements cost nothing.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Grid, Movement, PathFinder};
    /// let mut finder = PathFinder::new(Grid::new(9, 3, 1)?, Movement::new().with_overlay("danger"));
    /// let (from, to) = (Cell::new(0, 1), Cell::new(8, 1));
    /// assert_eq!(finder.find(from, to)?.path().unwrap().cost(), Cost::new(80));
    /// finder.set_overlay("danger", (0..3).map(|y| (Cell::new(4, y), 5)))?; // a tower covers a column
    /// assert_eq!(finder.find(from, to)?.path().unwrap().cost(), Cost::new(130));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_overlay(
        &mut self,
        name: &str,
        values: impl IntoIterator<Item = (Cell, u16)>,
    ) -> Result<usize, GridError> {
        let before = self.grid.revision();
        let changes = self.grid.set_overlay(name, values)?;
        self.follow_changes_since(before, true, |movement| movement.names_overlay(name));
        Ok(changes)
    }

    /// Makes edits that were already checked.
    fn make_edits(&mut self, edits: &[Edit]) -> usize {
        if !edits.iter().all(Edit::is_of_classes) {
            let before = self.grid.revision();
            let changes = self.grid.make_edits(edits);
            let keeps_classes = !edits.iter().any(Edit::is_of_classes);
            self.follow_changes_since(before, keeps_classes, |movement| {
                edits.iter().any(|edit| movement.is_concerned_by(edit))
            });
            return changes;
        }
        let written = self.grid.make_edits_of_classes(edits);
        let bounds = self.grid.bounds();
        let cells = written.iter().filter_map(|edit| bounds.local(edit.cell));
        let is_one_area = matches!(edits, [Edit::TerrainIn { .. }]);
        let edited = if is_one_area { EditedAreas::together(cells) } else { EditedAreas::of(cells) };
        self.follow_terrain(&written, &edited);
        written.len()
    }

    /// Updates the data derived from the map after edits of classes that lie in these rectangles.
    fn follow_terrain(&mut self, edits: &[CellEdit], edited: &EditedAreas) {
        if edits.is_empty() {
            return;
        }
        for kept in &mut self.movements {
            let regions = &mut kept.regions;
            kept.map.follow_terrain(&self.grid, edits, edited, |area| regions.follow_edits(area));
            let cheaper =
                edits.iter().filter(|edit| kept.is_cheaper(edit.old, edit.new)).map(|edit| edit.cell);
            let cheaper: Vec<Cell> =
                if kept.landmarks.are_requested() { cheaper.collect() } else { Vec::new() };
            kept.follow_with_landmarks(&self.grid, edited.areas(), cheaper);
        }
        self.keep_within_limit();
    }

    /// Edits the map and updates the data derived from it. A rejected edit changes nothing.
    fn follow<T>(&mut self, edit: impl FnOnce(&mut Grid) -> Result<T, GridError>) -> Result<T, GridError> {
        let before = self.grid.revision();
        let edited = edit(&mut self.grid)?;
        self.follow_changes_since(before, false, |_| true);
        Ok(edited)
    }

    /// Updates the data derived from the map after edits of any kind, for the movements that they concern.
    /// `keeps_classes` is true if no class changed.
    fn follow_changes_since(
        &mut self,
        before: Revision,
        keeps_classes: bool,
        concerns: impl Fn(&Movement) -> bool,
    ) {
        let bounds = self.grid.bounds();
        let cells = self.grid.changes_since(before);
        let places: Option<Vec<(u32, u32)>> =
            cells.map(|cells| cells.filter_map(|cell| bounds.local(cell)).collect());
        let edited = places.as_ref().map(|places| EditedAreas::of(places.iter().copied()));
        for kept in self.movements.iter_mut().filter(|kept| concerns(kept.movement())) {
            if let Some((places, edited)) = places.as_ref().zip(edited.as_ref()) {
                let regions = &mut kept.regions;
                kept.map.follow_edits(&self.grid, places, edited, |area| regions.follow_edits(area));
                if kept.landmarks.are_requested() {
                    let cheaper = kept.movement().openings_since(&self.grid, before).unwrap_or_default();
                    kept.follow_with_landmarks(&self.grid, edited.areas(), cheaper);
                }
            } else {
                let anew = LazyMovementMap::new(kept.movement().clone(), &self.grid);
                let former = std::mem::replace(&mut kept.map, anew);
                kept.regions = LazyRegions::default();
                if kept.landmarks.are_requested() {
                    let (now, former) = (kept.map.get(&self.grid), former.made().filter(|_| keeps_classes));
                    let classes = self.grid.classes();
                    let is_cheaper =
                        |slot: usize| former.is_none_or(|former| now.is_cheaper_than(former, classes, slot));
                    let cheaper = bounds.cells().zip(0..).filter(|&(_, slot)| is_cheaper(slot));
                    let cheaper: Vec<Cell> = cheaper.map(|(cell, _)| cell).collect();
                    let all = [Area::all(bounds.width(), bounds.height())];
                    kept.follow_with_landmarks(&self.grid, &all, cheaper);
                }
            }
        }
        self.keep_within_limit();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn overlay_edit_leaves_the_maps_of_movements_that_do_not_name_it_alone() {
        let grid = Grid::new(40, 40, 1).unwrap();
        let mut finder = PathFinder::new(grid, Movement::new());
        for name in ["danger", "mud"] {
            finder.add_movement(Movement::new().with_overlay(name));
        }
        let edit = |finder: &mut PathFinder, cell: Cell, kind: u8| {
            // An edit copies a movement map that is held elsewhere.
            let held: Vec<_> =
                finder.movements.iter().map(|kept| kept.map.get(&finder.grid).clone()).collect();
            match kind {
                0 => finder.set_overlay("danger", [(cell, 7)]).unwrap(),
                1 => finder
                    .edit(&[Edit::overlay("danger", cell, 9), Edit::overlay("danger", cell, 3)])
                    .unwrap(),
                _ => finder.edit(&[Edit::overlay("danger", cell, 5), Edit::terrain(cell, 2)]).unwrap(),
            };
            let maps = finder.movements.iter().map(|kept| kept.map.get(&finder.grid));
            maps.zip(&held).map(|(map, held)| !Arc::ptr_eq(map, held)).collect::<Vec<bool>>()
        };
        assert_eq!(edit(&mut finder, Cell::new(3, 3), 0), [false, true, false]);
        assert_eq!(edit(&mut finder, Cell::new(4, 3), 1), [false, true, false]);
        assert_eq!(edit(&mut finder, Cell::new(5, 3), 2), [true, true, true]);
        for kept in &finder.movements {
            let anew = crate::movement_map::MovementMap::new(&finder.grid, kept.movement().clone());
            assert_eq!(**kept.map.get(&finder.grid), anew);
        }
    }
}
