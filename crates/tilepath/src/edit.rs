//! Every edit of a map as a value.

use crate::{
    bounds::{Bounds, GridError},
    cell::{Cell, Direction},
    exits::Exits,
    topology::Topology,
};

/// One edit of a map: a value that can be kept, sent, recorded, and made on any map.
///
/// [`Grid::edit`](crate::Grid::edit) and [`PathFinder::edit`](crate::PathFinder::edit) make a list of edits, all or none.
/// [`WhatIf`](crate::WhatIf) asks about a map as it would be with them.
///
/// # Examples
/// ```
/// use tilepath::{Bounds, Cell, Direction, Edit, Grid, GridError};
/// let mut grid = Grid::new(20, 10, 1)?;
/// let house = Bounds::new(Cell::new(3, 3), 6, 4)?;
/// let door = Cell::new(5, 3);
/// let edits = [
///     Edit::terrain_in(house, 0),
///     Edit::terrain(door, 2),
///     Edit::one_way(Cell::new(5, 2), door),
///     Edit::overlay("smoke", Cell::new(6, 8), 5),
/// ];
/// assert_eq!(grid.edit(&edits)?, 24 + 1 + 1 + 1, "the cell of the door changes three times");
/// assert_eq!(grid.terrain(door), Some(2));
/// assert!(grid.exits(door).is_some_and(|exits| !exits.contains(Direction::South)));
///
/// let before = grid.clone();
/// let outside = [Edit::void(door), Edit::void(Cell::new(20, 0))];
/// assert!(matches!(grid.edit(&outside), Err(GridError::OutOfBounds { .. })));
/// assert_eq!(grid, before, "all or none");
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub enum Edit {
    /// Gives a cell a terrain class; see [`Edit::terrain`].
    Terrain {
        /// The cell.
        cell: Cell,
        /// Its class from then on.
        class: u8,
    },
    /// Gives all cells of a rectangle a terrain class; see [`Edit::terrain_in`].
    TerrainIn {
        /// The rectangle.
        area: Bounds,
        /// The class of its cells from then on.
        class: u8,
    },
    /// Takes a cell out of the map; see [`Edit::void`].
    Void {
        /// The cell.
        cell: Cell,
    },
    /// Takes all cells of a rectangle out of the map; see [`Edit::void_in`].
    VoidIn {
        /// The rectangle.
        area: Bounds,
    },
    /// Says in which directions a cell may be left; see [`Edit::exits`].
    Exits {
        /// The cell.
        cell: Cell,
        /// Its exits from then on.
        exits: Exits,
    },
    /// Closes a step in one direction; see [`Edit::one_way`].
    OneWay {
        /// The cell that may still be left towards the other.
        from: Cell,
        /// The cell from which no step leads back.
        to: Cell,
    },
    /// Closes an edge in both directions; see [`Edit::fence`].
    Fence {
        /// The cell on one side.
        one: Cell,
        /// The cell on the other side.
        other: Cell,
    },
    /// Opens an edge in both directions; see [`Edit::open_edge`].
    OpenEdge {
        /// The cell on one side.
        one: Cell,
        /// The cell on the other side.
        other: Cell,
    },
    /// Makes an edge of a cell a ledge; see [`Edit::ledge`].
    Ledge {
        /// The cell above the edge.
        cell: Cell,
        /// The direction in which a unit may step off it.
        down: Direction,
    },
    /// Gives a cell a value of an overlay; see [`Edit::overlay`].
    Overlay {
        /// The name of the overlay.
        name: String,
        /// The cell.
        cell: Cell,
        /// Its value from then on, 0 for none.
        value: u16,
    },
    /// Gives all cells of a rectangle a value of an overlay; see [`Edit::overlay_in`].
    OverlayIn {
        /// The name of the overlay.
        name: String,
        /// The rectangle.
        area: Bounds,
        /// The value of its cells from then on, 0 for none.
        value: u16,
    },
    /// Takes all values of an overlay away; see [`Edit::clear_overlay`].
    ClearOverlay {
        /// The name of the overlay.
        name: String,
    },
}

impl Edit {
    /// Gives a cell a terrain class. A void cell becomes one of the map.
    #[must_use]
    pub const fn terrain(cell: Cell, class: u8) -> Self {
        Self::Terrain { cell, class }
    }

    /// Gives all cells of a rectangle a terrain class. A rectangle without cells may lie anywhere, and changes nothing.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Bounds, Cell, Edit, Grid};
    /// let mut grid = Grid::new(20, 20, 1)?;
    /// let house = Bounds::new(Cell::new(3, 4), 6, 5)?;
    /// assert_eq!(grid.edit(&[Edit::terrain_in(house, 0)])?, 30);
    /// assert_eq!(grid.class_count(0), 30);
    /// # Ok::<(), tilepath::GridError>(())
    /// ```
    #[must_use]
    pub const fn terrain_in(area: Bounds, class: u8) -> Self {
        Self::TerrainIn { area, class }
    }

    /// Takes a cell out of the map: it has no class, no unit may enter it by any movement, and it is no goal.
    /// [`terrain`](Self::terrain) brings it back.
    ///
    /// Use it for worlds that do not fill a rectangle.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Edit, Grid};
    /// let mut grid = Grid::new(4, 4, 1)?;
    /// grid.edit(&[Edit::void(Cell::new(3, 3))])?;
    /// assert!(!grid.contains(Cell::new(3, 3)));
    /// assert_eq!((grid.terrain(Cell::new(3, 3)), grid.class_count(1)), (None, 15));
    /// # Ok::<(), tilepath::GridError>(())
    /// ```
    #[must_use]
    pub const fn void(cell: Cell) -> Self {
        Self::Void { cell }
    }

    /// Takes all cells of a rectangle out of the map, as [`void`](Self::void) takes one. Use it for parts of a world that go while
    /// the rectangle of the map stays.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Bounds, Cell, Edit, Grid};
    /// let mut grid = Grid::new(128, 64, 1)?;
    /// assert_eq!(grid.edit(&[Edit::void_in(Bounds::new(Cell::new(64, 0), 64, 64)?)])?, 64 * 64);
    /// assert!(!grid.contains(Cell::new(64, 0)) && grid.contains(Cell::new(63, 0)));
    /// # Ok::<(), tilepath::GridError>(())
    /// ```
    #[must_use]
    pub const fn void_in(area: Bounds) -> Self {
        Self::VoidIn { area }
    }

    /// Says in which directions a cell may be left. The set must not be empty.
    ///
    /// A diagonal step needs its own exit, and a cell beside it counts as free only if both straight steps by way of that cell
    /// have their exits.
    #[must_use]
    pub const fn exits(cell: Cell, exits: Exits) -> Self {
        Self::Exits { cell, exits }
    }

    /// Closes the step from `to` back to `from`: between the two it goes one way only.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Edit, Grid, Movement, Outcome, PathFinder};
    /// let mut grid = Grid::new(3, 1, 1)?;
    /// grid.edit(&[Edit::one_way(Cell::new(0, 0), Cell::new(1, 0))])?;
    /// let finder = PathFinder::new(grid, Movement::new());
    /// assert!(finder.find(Cell::new(0, 0), Cell::new(2, 0))?.path().is_some());
    /// assert_eq!(finder.find(Cell::new(2, 0), Cell::new(0, 0))?, Outcome::Unreachable { closest: None });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn one_way(from: Cell, to: Cell) -> Self {
        Self::OneWay { from, to }
    }

    /// Closes the edge between two cells in both directions. A diagonal step past its end has one side less; under
    /// [`Diagonals::Always`](crate::Diagonals::Always), which looks at no side, no diagonal step crosses its end either.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Edit, Grid, Movement, PathFinder};
    /// let mut grid = Grid::new(2, 2, 1)?;
    /// grid.edit(&[Edit::fence(Cell::new(0, 0), Cell::new(1, 0))])?;
    /// let finder = PathFinder::new(grid, Movement::new());
    /// let path = finder.find(Cell::new(0, 0), Cell::new(1, 0))?.into_path().unwrap();
    /// assert_eq!(path.cost(), Cost::new(30), "around the end of the fence");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn fence(one: Cell, other: Cell) -> Self {
        Self::Fence { one, other }
    }

    /// Opens the edge between two cells in both directions. When no exit of the map is closed any longer, the map takes no
    /// memory for exits, and finders answer as on a map that never had any.
    #[must_use]
    pub const fn open_edge(one: Cell, other: Cell) -> Self {
        Self::OpenEdge { one, other }
    }

    /// Makes the edge of a cell in a straight direction a ledge: a unit may step off it in that direction and not come back up,
    /// also not by a diagonal step past its end. A cell whose neighbour lies outside the map is passed over.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Direction, Edit, Grid, Movement, PathFinder, PathQuery};
    /// let mut grid = Grid::new(3, 2, 1)?;
    /// grid.edit(&[0, 1, 2].map(|x| Edit::ledge(Cell::new(x, 1), Direction::South)))?;
    /// let finder = PathFinder::new(grid, Movement::new());
    /// let down = PathQuery::new(Cell::new(1, 1), Cell::new(1, 0));
    /// assert!(finder.is_reachable(&down)?);
    /// assert!(!finder.is_reachable(&PathQuery::new(down.goal(), down.start()))?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn ledge(cell: Cell, down: Direction) -> Self {
        Self::Ledge { cell, down }
    }

    /// Gives a cell a value of an overlay, 0 for none. [`Grid::set_overlay`](crate::Grid::set_overlay) says what overlays are.
    #[must_use]
    pub fn overlay(name: impl Into<String>, cell: Cell, value: u16) -> Self {
        Self::Overlay { name: name.into(), cell, value }
    }

    /// Gives all cells of a rectangle a value of an overlay, 0 for none.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Bounds, Cell, Edit, Grid};
    /// let mut grid = Grid::new(9, 9, 1)?;
    /// let swamp = Bounds::new(Cell::new(2, 2), 3, 2)?;
    /// assert_eq!(grid.edit(&[Edit::overlay_in("mud", swamp, 4)])?, 6);
    /// assert_eq!(grid.overlay("mud", Cell::new(4, 3)), 4);
    /// # Ok::<(), tilepath::GridError>(())
    /// ```
    #[must_use]
    pub fn overlay_in(name: impl Into<String>, area: Bounds, value: u16) -> Self {
        Self::OverlayIn { name: name.into(), area, value }
    }

    /// Takes all values of an overlay away.
    #[must_use]
    pub fn clear_overlay(name: impl Into<String>) -> Self {
        Self::ClearOverlay { name: name.into() }
    }

    /// Whether it gives cells classes and does nothing else.
    pub(crate) const fn is_of_classes(&self) -> bool {
        matches!(self, Self::Terrain { .. } | Self::TerrainIn { .. })
    }

    /// The cells of its rectangle; 0 where it has none.
    #[cfg(feature = "recording")]
    pub(crate) const fn area_cells(&self) -> u64 {
        match self {
            Self::TerrainIn { area, .. } | Self::VoidIn { area } | Self::OverlayIn { area, .. } => {
                area.cell_count() as u64
            }
            _ => 0,
        }
    }

    /// Whether it can be made on a map of these bounds and this shape.
    pub(crate) fn check(&self, bounds: &Bounds, topology: Topology) -> Result<(), GridError> {
        match *self {
            Self::Exits { cell, exits: Exits::NONE } if bounds.contains(cell) => {
                Err(GridError::NoExit { cell })
            }
            _ => self.check_restored(bounds, topology),
        }
    }

    /// The same for what led to a map that there was: on one, edges that closed one by one may have left a cell without exits.
    pub(crate) fn check_restored(&self, bounds: &Bounds, topology: Topology) -> Result<(), GridError> {
        let is_inside = |cell| {
            let out = GridError::OutOfBounds { cell, bounds: *bounds };
            bounds.contains(cell).then_some(()).ok_or(out)
        };
        match *self {
            Self::Terrain { cell, .. }
            | Self::Void { cell }
            | Self::Exits { cell, .. }
            | Self::Overlay { cell, .. } => is_inside(cell),
            Self::TerrainIn { area, .. } | Self::VoidIn { area } | Self::OverlayIn { area, .. } => {
                corners(&area).into_iter().flatten().try_for_each(is_inside)
            }
            Self::OneWay { from, to }
            | Self::Fence { one: from, other: to }
            | Self::OpenEdge { one: from, other: to } => {
                is_inside(from)?;
                is_inside(to)?;
                let direction = Direction::between(from, to).filter(|&direction| topology.has(direction));
                direction.map(|_| ()).ok_or(GridError::NotNeighbours { from, to })
            }
            Self::Ledge { cell, down } => {
                is_inside(cell)?;
                let to = cell + down.offset();
                let shares_edge =
                    topology.has(down) && (topology == Topology::Hexagonal || !down.is_diagonal());
                if shares_edge { Ok(()) } else { Err(GridError::NotNeighbours { from: cell, to }) }
            }
            Self::ClearOverlay { .. } => Ok(()),
        }
    }
}

/// The corners of a rectangle that has cells.
fn corners(area: &Bounds) -> Option<[Cell; 4]> {
    let (right, top) = (area.width().checked_sub(1)?, area.height().checked_sub(1)?);
    Some([(0, 0), (right, 0), (0, top), (right, top)].map(|(x, y)| area.global(x, y)))
}
