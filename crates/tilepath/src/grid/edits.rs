//! Edits of every kind: all or none.

use super::Grid;
use crate::{
    bounds::{Bounds, GridError},
    cell::{Cell, Direction},
    edit::Edit,
    exits::Exits,
};

impl Grid {
    /// Makes all edits of a list in its order, or none of them. Returns the number of changes. The
    /// [`revision`](Self::revision) rises by this number.
    ///
    /// An edit that changes nothing counts as 0 changes. If several edits change one cell, each of
    /// them counts. A [ledge](Edit::ledge) counts once for each exit that it closes.
    ///
    /// # Errors
    /// The error of the first edit that cannot be made. The map is unchanged.
    /// - [`GridError::OutOfBounds`] names a cell, or a corner of a rectangle, that is not in the map's rectangle.
    /// - [`GridError::NotNeighbours`]: two cells do not touch, or no edge lies in the direction of a ledge.
    /// - [`GridError::NoExit`]: a set of exits is empty.
    ///
    /// # Complexity
    /// O(n) for n cells that the edits name, or that lie in rectangles that they name. An edit of
    /// an overlay takes O(n log m) if the overlay has m cells. If a paused search uses the current
    /// state of the map, the first edit copies the terrain classes of all cells.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Edit, Grid, GridError};
    /// let mut grid = Grid::new(5, 5, 1)?;
    /// let bridge = [(1, 2), (2, 2), (3, 1)].map(|(y, class)| Edit::terrain(Cell::new(2, y), class));
    /// assert_eq!(grid.edit(&bridge)?, 2, "one cell had its class before");
    ///
    /// let too_long = [4, 5].map(|y| Edit::terrain(Cell::new(2, y), 2));
    /// assert!(matches!(grid.edit(&too_long), Err(GridError::OutOfBounds { .. })));
    /// assert_eq!(grid.terrain(Cell::new(2, 4)), Some(1), "all or none");
    /// # Ok::<(), GridError>(())
    /// ```
    pub fn edit(&mut self, edits: &[Edit]) -> Result<usize, GridError> {
        self.check_edits(edits)?;
        Ok(self.make_edits(edits))
    }

    /// Sets all cells of a rectangle to one terrain class, and returns the number of changed cells.
    /// This is a short form of [`edit`](Self::edit) with [`Edit::terrain_in`].
    ///
    /// # Errors
    /// [`GridError::OutOfBounds`] if a corner of the rectangle is not on the map. The map is
    /// unchanged. A rectangle without cells is allowed anywhere.
    ///
    /// # Complexity
    /// O(cells of the rectangle). See also [`edit`](Self::edit).
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Bounds, Cell, Grid};
    /// let mut grid = Grid::new(20, 20, 1)?;
    /// let house = Bounds::new(Cell::new(3, 4), 6, 5)?;
    /// assert_eq!(grid.set_terrain_in(house, 0)?, 30);
    /// assert_eq!(grid.class_count(0), 30);
    /// # Ok::<(), tilepath::GridError>(())
    /// ```
    pub fn set_terrain_in(&mut self, area: Bounds, class: u8) -> Result<usize, GridError> {
        self.edit(&[Edit::terrain_in(area, class)])
    }

    /// Returns the edits that make cells of this map as they are on another map: the class or the
    /// void, the exits, and the overlays and edges of all names that one of the two maps has. Use it for what
    /// a player remembers of a map, and to send a part of a map to another player.
    ///
    /// Cells that are equal on both maps need no edit. If a cell is given twice, its edits are twice
    /// in the list.
    ///
    /// # Errors
    /// - [`GridError::DifferentMaps`] if the two maps differ in bounds or topology.
    /// - [`GridError::OutOfBounds`] names the first cell outside the map's rectangle.
    ///
    /// # Complexity
    /// O(n · o · log m) for n cells, and o overlays of m cells.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Edit, Grid};
    /// let mut truth = Grid::new(9, 9, 1)?;
    /// truth.edit(&[Edit::terrain(Cell::new(4, 4), 3), Edit::overlay("smoke", Cell::new(5, 4), 2)])?;
    /// let mut memory = Grid::new(9, 9, 255)?;
    /// let seen = [Cell::new(4, 4), Cell::new(5, 4)];
    /// let edits = memory.edits_to_match(&truth, seen)?;
    /// assert_eq!(memory.edit(&edits)?, 3);
    /// assert_eq!([3, 4, 5].map(|x| memory.terrain(Cell::new(x, 4))), [Some(255), Some(3), Some(1)]);
    /// assert_eq!(memory.overlay("smoke", Cell::new(5, 4)), 2);
    /// assert_eq!(memory.edits_to_match(&truth, seen)?, []);
    /// # Ok::<(), tilepath::GridError>(())
    /// ```
    pub fn edits_to_match(
        &self,
        other: &Self,
        cells: impl IntoIterator<Item = Cell>,
    ) -> Result<Vec<Edit>, GridError> {
        let (bounds, topology) = (self.bounds, self.topology);
        if (other.bounds, other.topology) != (bounds, topology) {
            let (other_bounds, other_topology) = (other.bounds, other.topology);
            return Err(GridError::DifferentMaps { bounds, topology, other_bounds, other_topology });
        }
        let mut found = Vec::new();
        for cell in cells {
            if !bounds.contains(cell) {
                return Err(GridError::OutOfBounds { cell, bounds });
            }
            self.add_differences(other, cell, &mut found);
        }
        let mut edits = Vec::with_capacity(found.len());
        for edit in found {
            match edit {
                // An empty set of exits is refused, so the last exit is closed as an edge.
                Edit::Exits { cell, exits: Exits::NONE } => {
                    let mut beside = topology.directions().iter().map(|&to| (to, cell + to.offset()));
                    if let Some((last, beside)) = beside.find(|&(_, beside)| bounds.contains(beside)) {
                        edits
                            .extend([Edit::exits(cell, Exits::NONE.with(last)), Edit::one_way(beside, cell)]);
                    }
                }
                edit => edits.push(edit),
            }
        }
        // Edits of one kind in a row are made together.
        edits.sort_by_key(|edit| match edit {
            Edit::Terrain { .. } => 0,
            Edit::Void { .. } => 1,
            _ => 2,
        });
        Ok(edits)
    }

    /// Makes edits that led to an earlier state of a map, and returns the number of changes.
    #[cfg(feature = "serde")]
    pub(crate) fn restore(&mut self, edits: &[Edit]) -> Result<usize, GridError> {
        self.check_restored(edits)?;
        Ok(self.make_edits(edits))
    }

    /// Checks that each edit can be made.
    pub(crate) fn check_edits(&self, edits: &[Edit]) -> Result<(), GridError> {
        edits.iter().try_for_each(|edit| edit.check(&self.bounds, self.topology))
    }

    /// Checks that each edit could have led to an earlier state of a map.
    pub(crate) fn check_restored(&self, edits: &[Edit]) -> Result<(), GridError> {
        edits.iter().try_for_each(|edit| edit.check_restored(&self.bounds, self.topology))
    }

    /// Makes edits that were checked, and returns the number of changes.
    pub(crate) fn make_edits(&mut self, edits: &[Edit]) -> usize {
        let before = self.revision.number();
        for run in edits.chunk_by(are_made_together) {
            match run {
                [Edit::Terrain { .. } | Edit::TerrainIn { .. }, ..] => {
                    self.make_edits_of_classes(run);
                }
                [Edit::Void { .. }, ..] => {
                    let bounds = self.bounds;
                    self.leave(run.iter().filter_map(|edit| match *edit {
                        Edit::Void { cell } => Some((cell, bounds.slot(cell)?)),
                        _ => None,
                    }));
                }
                others => others.iter().for_each(|edit| self.make_edit(edit)),
            }
        }
        (self.revision.number() - before) as usize
    }

    /// Makes an edit that does not change classes of cells.
    fn make_edit(&mut self, edit: &Edit) {
        match *edit {
            Edit::Terrain { .. } | Edit::TerrainIn { .. } | Edit::Void { .. } => {}
            Edit::VoidIn { area } => self.leave(self.bounds.slots_in(area)),
            Edit::Exits { cell, exits } => self.change_exits(cell, |_| exits),
            Edit::OneWay { from, to } => self.close(to, from),
            Edit::Fence { one, other } => {
                self.close(one, other);
                self.close(other, one);
            }
            Edit::OpenEdge { one, other } => {
                self.open(one, other);
                self.open(other, one);
            }
            Edit::Ledge { cell, down } => self.make_ledge(cell, down),
            Edit::Overlay { ref name, cell, value } => {
                self.write_overlay(name, self.bounds.slot(cell).map(|slot| (slot, value)));
            }
            Edit::OverlayIn { ref name, area, value } => {
                self.write_overlay(name, self.bounds.slots_in(area).map(|(_, slot)| (slot, value)));
            }
            Edit::ClearOverlay { ref name } => self.empty_overlay(name),
            Edit::Edges { ref name, cell, ref sides } => {
                self.set_edges(name, cell, Direction::set_of(sides.iter().copied()));
            }
            Edit::ClearEdges { ref name } => self.empty_edges(name),
        }
    }

    /// Adds the edits that make a cell the same as on another map with the same bounds.
    pub(crate) fn add_differences(&self, other: &Self, cell: Cell, edits: &mut Vec<Edit>) {
        let terrain = other.terrain(cell);
        if terrain != self.terrain(cell) {
            edits.push(terrain.map_or(Edit::void(cell), |class| Edit::terrain(cell, class)));
        }
        let exits = |grid: &Self| grid.exits(cell).unwrap_or(Exits::ALL);
        if exits(other) != exits(self) {
            edits.push(Edit::exits(cell, exits(other)));
        }
        let unknown = |name: &&str| !other.overlay_names().any(|known| known == *name);
        for name in other.overlay_names().chain(self.overlay_names().filter(unknown)) {
            let value = other.overlay(name, cell);
            if value != self.overlay(name, cell) {
                edits.push(Edit::overlay(name, cell, value));
            }
        }
        let unknown = |name: &&str| !other.edge_names().any(|known| known == *name);
        for name in other.edge_names().chain(self.edge_names().filter(unknown)) {
            let sides = other.edge_bits(name, cell);
            if sides != self.edge_bits(name, cell) {
                edits.push(Edit::edges(name, cell, Direction::in_set(sides)));
            }
        }
    }
}

/// Returns whether two edits, one after the other, are made together to save time.
fn are_made_together(one: &Edit, other: &Edit) -> bool {
    let are_void = || matches!((one, other), (Edit::Void { .. }, Edit::Void { .. }));
    one.is_of_classes() && other.is_of_classes() || are_void()
}
