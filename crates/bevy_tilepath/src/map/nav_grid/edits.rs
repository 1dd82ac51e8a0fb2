//! Edits of a map, also under its obstacles.

use tilepath::{Bounds, Cell, Edit, GridError};
use tracing::warn;

use crate::map::{
    movement::closed_to,
    nav_grid::{NavGrid, WALL},
};

/// A list of edits, split into edits of the searched grid and edits of cells under obstacles.
#[derive(Default)]
struct Split {
    shown: Vec<Edit>,
    /// Cells under obstacles with their own new terrain, in the sequence of the edits.
    hidden: Vec<(Cell, Option<u8>)>,
}

impl NavGrid {
    /// Makes the edits in sequence, and returns the number of changes to the map, not counting
    /// obstacles. If one edit is invalid, no edit is made. [`Grid::edit`](tilepath::Grid::edit)
    /// states how changes are counted.
    ///
    /// - A cell under an [`Obstacle`](crate::Obstacle) stays a wall. The new terrain takes effect
    ///   when the obstacle leaves the cell. If an edit makes such a cell void, the cell is void at
    ///   once.
    /// - Edits of exits, overlays and edges also take effect under obstacles. There is one exception: if
    ///   an obstacle closes a cell only to some movements, no edit opens the cell to these
    ///   movements.
    /// - The plugin writes the overlays of [`OverlayArea`](crate::maps::OverlayArea)s. Edit only
    ///   overlays of other names.
    ///
    /// Use `edit` for maps without tiles. On a map that tilemaps fill, change the
    /// [`Terrain`](crate::Terrain) of the tile instead, or put [`OneWay`](crate::maps::OneWay),
    /// [`Fence`](crate::maps::Fence), [`Ledge`](crate::maps::Ledge) or [`Edges`](crate::maps::Edges) on the tile. Change the tiles of
    /// a `TilemapChunk` in its `TilemapChunkTileData`. On a map that tilemaps fill, an edit is lost
    /// when the tile changes, or when the whole map is read again. On such a map, the first edit of
    /// terrain causes a warning.
    ///
    /// # Errors
    /// The errors of [`Grid::edit`](tilepath::Grid::edit). The map is then unchanged.
    ///
    /// # Complexity
    /// As for [`PathFinder::edit`](tilepath::PathFinder::edit). If a rectangle of terrain contains
    /// cells under obstacles, it is edited cell by cell.
    ///
    /// # Examples
    /// ```
    /// use bevy_tilepath::{Cell, NavGrid, tilepath::{Bounds, Edit, Grid}};
    ///
    /// let mut map = NavGrid::new(Grid::new(9, 9, 1)?);
    /// let house = Bounds::new(Cell::new(2, 2), 4, 3)?;
    /// let door = Edit::terrain(Cell::new(3, 2), 1);
    /// assert_eq!(map.edit(&[Edit::terrain_in(house, 0), door, Edit::void(Cell::new(8, 8))])?, 12 + 1 + 1);
    /// assert_eq!(map.terrain(Cell::new(8, 8)), None);
    /// # Ok::<(), bevy_tilepath::tilepath::GridError>(())
    /// ```
    pub fn edit(&mut self, edits: &[Edit]) -> Result<usize, GridError> {
        let changes = if self.covered.is_empty() && self.closed.is_empty() {
            self.finder.edit(edits)?
        } else {
            let Split { shown, hidden } = self.split(edits);
            let changes = self.finder.edit(&shown)?;
            changes + hidden.into_iter().filter(|&(cell, terrain)| self.hide(cell, terrain)).count()
        };
        if self.first_edit.is_none() {
            self.warn_of_first_edit(edits);
        }
        Ok(changes)
    }

    /// Sets the terrain class of a cell. Returns whether the own terrain of the cell changed. If an
    /// obstacle covers the cell, the new terrain takes effect when the obstacle leaves the cell.
    ///
    /// The call is short for [`edit`](Self::edit) with one [`Edit::terrain`].
    ///
    /// # Errors
    /// [`GridError::OutOfBounds`] if the cell is not on the map.
    pub fn set_terrain(&mut self, cell: Cell, class: u8) -> Result<bool, GridError> {
        if self.tilemaps.is_empty() && !self.covered.contains_key(&cell) {
            return self.finder.set_terrain(cell, class);
        }
        self.edit(&[Edit::terrain(cell, class)]).map(|changes| changes > 0)
    }

    /// Sets the terrain class of all cells of a rectangle. Returns the number of cells whose own
    /// terrain changed. The call is short for [`edit`](Self::edit) with one [`Edit::terrain_in`].
    ///
    /// # Errors
    /// [`GridError::OutOfBounds`] if a corner of the rectangle is not on the map. The map is then
    /// unchanged.
    pub fn set_terrain_in(&mut self, area: Bounds, class: u8) -> Result<usize, GridError> {
        self.edit(&[Edit::terrain_in(area, class)])
    }

    /// Sets the values of the overlay `name` on cells. Only units whose movement names this overlay
    /// are affected. Returns the number of cells whose value changed.
    ///
    /// The call is short for [`edit`](Self::edit) with one [`Edit::overlay`] for each cell.
    /// [`Grid::set_overlay`](tilepath::Grid::set_overlay) describes overlays. For an area around an
    /// entity, use [`OverlayArea`](crate::maps::OverlayArea).
    ///
    /// # Errors
    /// The errors of [`Grid::set_overlay`](tilepath::Grid::set_overlay). The map is then unchanged.
    pub fn set_overlay(
        &mut self,
        name: &str,
        values: impl IntoIterator<Item = (Cell, u16)>,
    ) -> Result<usize, GridError> {
        if !self.closed.is_empty() && closed_to(name).is_some() {
            let edits = values.into_iter().map(|(cell, value)| Edit::overlay(name, cell, value));
            return self.edit(&edits.collect::<Vec<Edit>>());
        }
        self.finder.set_overlay(name, values)
    }

    /// Splits edits: edits of the searched grid, and new terrain under obstacles.
    fn split(&self, edits: &[Edit]) -> Split {
        let mut split = Split { shown: Vec::with_capacity(edits.len()), hidden: Vec::new() };
        for edit in edits {
            self.split_edit(edit, &mut split);
        }
        split
    }

    fn split_edit(&self, edit: &Edit, Split { shown, hidden }: &mut Split) {
        let mut terrain = |cell, class| {
            let is_under = self.is_under_obstacle(cell);
            hidden.extend(is_under.then_some((cell, Some(class))));
            Edit::terrain(cell, if is_under { WALL } else { class })
        };
        match edit {
            Edit::Terrain { cell, class } => shown.push(terrain(*cell, *class)),
            // A rectangle that is partly off the map is passed on, to be refused.
            Edit::TerrainIn { area, class } if self.holds(area) && self.covered_in(area).next().is_some() => {
                shown.extend(area.cells().map(|cell| terrain(cell, *class)));
            }
            Edit::Void { cell } => {
                hidden.extend(self.is_under_obstacle(*cell).then_some((*cell, None)));
                shown.push(edit.clone());
            }
            Edit::VoidIn { area } => {
                hidden.extend(self.covered_in(area).map(|cell| (cell, None)));
                shown.push(edit.clone());
            }
            Edit::Overlay { name, cell, .. } if self.is_closed_by(name, *cell) => {}
            Edit::OverlayIn { name, area, value } if self.holds(area) && closed_to(name).is_some() => {
                let cells = area.cells().filter(|&cell| !self.is_closed_by(name, cell));
                shown.extend(cells.map(|cell| Edit::overlay(name, cell, *value)));
            }
            Edit::ClearOverlay { name } if closed_to(name).is_some() => {
                let before = self.grid().overlay_cells(name).map(|(cell, _)| cell);
                // Cells to which an earlier edit of the list gives a value.
                let given = shown.iter().filter_map(|edit| match edit {
                    Edit::Overlay { name: given, cell, .. } if given == name => Some(*cell),
                    _ => None,
                });
                let cells = before.chain(given).filter(|&cell| !self.is_closed_by(name, cell));
                let cleared: Vec<Edit> = cells.map(|cell| Edit::overlay(name, cell, 0)).collect();
                shown.extend(cleared);
            }
            other => shown.push(other.clone()),
        }
    }

    /// Stores the own terrain of a cell under an obstacle. Returns whether its class changed
    /// without a visible change.
    fn hide(&mut self, cell: Cell, terrain: Option<u8>) -> bool {
        let Some(covered) = self.covered.get_mut(&cell) else { return false };
        let before = std::mem::replace(&mut covered.terrain, terrain);
        before != terrain && before.is_some() && terrain.is_some()
    }

    fn warn_of_first_edit(&mut self, edits: &[Edit]) {
        let Some((tilemap, _)) = self.tilemaps.first() else { return };
        let first = edits.iter().find_map(|edit| match edit {
            Edit::Terrain { cell, .. } | Edit::Void { cell } => Some(*cell),
            Edit::TerrainIn { area, .. } | Edit::VoidIn { area } if !area.is_empty() => Some(area.origin()),
            _ => None,
        });
        if let Some(cell) = first {
            warn!(
                "NavGrid::edit changes the cell {cell} of a map that the tilemap {tilemap} fills: the edit is \
                lost when the tile there changes, or when the whole map is read again; change the Terrain of the tile, or its TilemapChunkTileData, instead"
            );
            self.first_edit = Some(cell);
        }
    }

    /// Returns whether a rectangle has cells and lies on the map.
    fn holds(&self, area: &Bounds) -> bool {
        let (width, height) = (area.width().saturating_sub(1), area.height().saturating_sub(1));
        let Cell { x, y } = area.origin();
        let last = Cell::new(x.saturating_add_unsigned(width), y.saturating_add_unsigned(height));
        !area.is_empty() && self.bounds().contains(area.origin()) && self.bounds().contains(last)
    }

    /// Sets the sides of a cell that are edges of a name. Returns whether this changed the map.
    #[cfg(feature = "tilemap")]
    pub(crate) fn write_edges(
        &mut self,
        name: &str,
        cell: Cell,
        sides: impl Iterator<Item = tilepath::Direction>,
    ) -> Result<bool, GridError> {
        let edit = Edit::edges(name, cell, sides);
        if matches!(&edit, Edit::Edges { sides, .. } if self.grid().edges(name, cell).eq(sides.iter().copied()))
        {
            return Ok(false);
        }
        self.finder.edit(&[edit]).map(|changes| changes > 0)
    }

    /// Sets the directions in which a unit may leave a cell. Returns whether this changed the map.
    #[cfg(feature = "tilemap")]
    pub(crate) fn write_exits(&mut self, cell: Cell, exits: tilepath::Exits) -> bool {
        if self.grid().exits(cell) == Some(exits) {
            return false;
        }
        let edits = if exits == tilepath::Exits::NONE {
            // An empty set of exits is refused. One-way edges from all sides have the same effect.
            let bounds = self.bounds();
            let around = self.grid().topology().directions().iter();
            let around = around.map(|direction| cell + direction.offset());
            around.filter(|&next| bounds.contains(next)).map(|next| Edit::one_way(next, cell)).collect()
        } else {
            vec![Edit::exits(cell, exits)]
        };
        self.finder.edit(&edits).is_ok_and(|changes| changes > 0)
    }

    pub(super) fn write(&mut self, cell: Cell, class: Option<u8>) {
        let edit = class.map_or(Edit::void(cell), |class| Edit::terrain(cell, class));
        self.finder.edit(&[edit]).expect("the cell was found on this map");
    }

    /// Writes cells of the map; cells without a class become void. Under obstacles the classes show
    /// when the obstacles are gone. Returns whether this changed the map.
    pub(crate) fn write_cells(&mut self, cells: &[(Cell, Option<u8>)]) -> bool {
        let mut changed = false;
        let (mut classes, mut voids) = (Vec::with_capacity(cells.len()), Vec::new());
        for &(cell, class) in cells {
            let mut shown = class;
            if let Some(covered) = self.covered.get_mut(&cell) {
                changed |= covered.terrain != class;
                covered.terrain = class;
                shown = class.map(|_| WALL);
            }
            match shown {
                Some(class) => classes.push(Edit::terrain(cell, class)),
                None => voids.push(Edit::void(cell)),
            }
        }
        // The classes are a separate list, because derived data is then updated fastest.
        for edits in [classes, voids] {
            changed |= self.finder.edit(&edits).expect("the cells lie within the map's bounds") > 0;
        }
        changed
    }
}
