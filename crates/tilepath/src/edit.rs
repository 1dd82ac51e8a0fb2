//! Edits of a map, as values.

use crate::{
    bounds::{Bounds, GridError},
    cell::{Cell, Direction},
    exits::Exits,
    topology::Topology,
};

/// One edit of a map: a value that can be kept, sent, recorded, and made on any map.
///
/// [`Grid::edit`](crate::Grid::edit) and [`PathFinder::edit`](crate::PathFinder::edit) make all
/// edits of a list; if one is invalid, they make none. [`WhatIf`](crate::WhatIf) answers queries on
/// a map with hypothetical edits.
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
    /// Sets the terrain class of a cell; see [`Edit::terrain`].
    Terrain {
        /// The cell.
        cell: Cell,
        /// The new terrain class of the cell.
        class: u8,
    },
    /// Sets the terrain class of all cells of a rectangle; see [`Edit::terrain_in`].
    TerrainIn {
        /// The rectangle.
        area: Bounds,
        /// The new terrain class of the cells in the rectangle.
        class: u8,
    },
    /// Removes a cell from the map; see [`Edit::void`].
    Void {
        /// The cell.
        cell: Cell,
    },
    /// Removes all cells of a rectangle from the map; see [`Edit::void_in`].
    VoidIn {
        /// The rectangle.
        area: Bounds,
    },
    /// Sets the directions in which a unit may leave a cell; see [`Edit::exits`].
    Exits {
        /// The cell.
        cell: Cell,
        /// The directions in which a unit may leave the cell.
        exits: Exits,
    },
    /// Closes a step in one direction; see [`Edit::one_way`].
    OneWay {
        /// The cell from which a step to the other stays allowed.
        from: Cell,
        /// The cell from which the step back is closed.
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
    /// Turns an edge of a cell into a ledge; see [`Edit::ledge`].
    Ledge {
        /// The upper cell, from which a unit may step down.
        cell: Cell,
        /// The straight direction from `cell` to its lower neighbour. The ledge lies on this side
        /// of `cell`.
        down: Direction,
    },
    /// Sets the value of an overlay on a cell; see [`Edit::overlay`].
    Overlay {
        /// The name of the overlay.
        name: String,
        /// The cell.
        cell: Cell,
        /// The new value of the cell; 0 removes the value.
        value: u16,
    },
    /// Sets the value of an overlay on all cells of a rectangle; see [`Edit::overlay_in`].
    OverlayIn {
        /// The name of the overlay.
        name: String,
        /// The rectangle.
        area: Bounds,
        /// The new value of the cells in the rectangle; 0 removes the values.
        value: u16,
    },
    /// Removes all values of an overlay; see [`Edit::clear_overlay`].
    ClearOverlay {
        /// The name of the overlay.
        name: String,
    },
    /// Sets the sides of a cell that are edges of a name; see [`Edit::edges`].
    Edges {
        /// The name of the edges.
        name: String,
        /// The cell.
        cell: Cell,
        /// The straight directions of the sides.
        #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::stored::list"))]
        sides: Vec<Direction>,
    },
    /// Removes all edges of a name; see [`Edit::clear_edges`].
    ClearEdges {
        /// The name of the edges.
        name: String,
    },
}

impl Edit {
    /// Sets the terrain class of a cell. A void cell returns to the map.
    #[must_use]
    pub const fn terrain(cell: Cell, class: u8) -> Self {
        Self::Terrain { cell, class }
    }

    /// Sets the terrain class of all cells of a rectangle. An empty rectangle may lie anywhere, and
    /// changes nothing.
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

    /// Removes a cell from the map. A removed cell has no terrain class, no unit may enter it by
    /// any movement, and it cannot be a goal. [`terrain`](Self::terrain) brings the cell back.
    ///
    /// Remove cells if a world does not fill a rectangle.
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

    /// Removes all cells of a rectangle from the map, as [`void`](Self::void) removes one cell. Use
    /// it if a part of the world disappears but the map keeps its rectangle.
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

    /// Sets the directions in which a unit may leave a cell. The set must not be empty.
    ///
    /// A diagonal step needs its own exit. It passes between two cells. Each of them counts as free
    /// only if both straight steps over this cell have exits.
    #[must_use]
    pub const fn exits(cell: Cell, exits: Exits) -> Self {
        Self::Exits { cell, exits }
    }

    /// Closes the step from `to` back to `from`, so the edge between them is one-way.
    ///
    /// All other steps stay open, also the steps to the sides. So two lanes side by side that lead
    /// in opposite directions are one road: a unit changes to the other lane and goes back on it. To
    /// keep lanes apart, set all exits of their cells with [`exits`](Self::exits).
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
    /// Two lanes that do not mix:
    /// ```
    /// use tilepath::{Cell, Direction, Edit, Exits, Grid, Movement, Outcome, PathFinder};
    /// let lanes = (0..9).flat_map(|x| [(0, Direction::East), (1, Direction::West)].map(|(y, ahead)| {
    ///     Edit::exits(Cell::new(x, y), Exits::NONE.with(ahead))
    /// }));
    /// let mut grid = Grid::new(9, 2, 1)?;
    /// grid.edit(&lanes.collect::<Vec<_>>())?;
    /// let finder = PathFinder::new(grid, Movement::new());
    /// assert!(finder.find(Cell::new(0, 0), Cell::new(8, 0))?.path().is_some());
    /// assert_eq!(finder.find(Cell::new(0, 0), Cell::new(8, 1))?, Outcome::Unreachable { closest: None });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn one_way(from: Cell, to: Cell) -> Self {
        Self::OneWay { from, to }
    }

    /// Closes the edge between two cells in both directions. For a diagonal step past an end of the
    /// edge, one of the two cells beside the step no longer counts as free. Under
    /// [`Diagonals::Always`](crate::Diagonals::Always), where the cells beside a step have no
    /// effect, no diagonal step crosses an end of the edge.
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

    /// Opens the edge between two cells in both directions. When the last closed exit of a map
    /// opens, the map frees its memory for exits. Finders then answer as on a map where no exit was
    /// ever closed.
    #[must_use]
    pub const fn open_edge(one: Cell, other: Cell) -> Self {
        Self::OpenEdge { one, other }
    }

    /// Turns one edge of a cell into a ledge. The edge lies on the side `down` of the cell, which
    /// is a straight direction. A unit may step down over the edge, but it may not climb back. It
    /// may also not climb back by a diagonal step past an end of the edge.
    ///
    /// If the neighbour in the direction `down` lies outside the map, the edit changes nothing.
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

    /// Sets the value of an overlay on a cell; 0 removes the value.
    /// [`Grid::set_overlay`](crate::Grid::set_overlay) explains overlays.
    #[must_use]
    pub fn overlay(name: impl Into<String>, cell: Cell, value: u16) -> Self {
        Self::Overlay { name: name.into(), cell, value }
    }

    /// Sets the value of an overlay on all cells of a rectangle; 0 removes the values.
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

    /// Removes all values of an overlay.
    #[must_use]
    pub fn clear_overlay(name: impl Into<String>) -> Self {
        Self::ClearOverlay { name: name.into() }
    }

    /// Sets the sides of a cell that are edges of a name, such as a river or a cliff. Sides that are
    /// not in the list are no edges of this name any more. An edge lies between two cells, and it is
    /// enough if one of them has it as its side.
    ///
    /// Edges have no effect until a movement gives them a meaning with
    /// [`Movement::with_edges`](crate::Movement::with_edges). On squares, sides are north, east, south
    /// and west.
    ///
    /// # Errors
    /// When the edit is made: [`GridError::OutOfBounds`] if a side leaves the map, and
    /// [`GridError::NotNeighbours`] if a direction is no side of the cell.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Direction, Edit, Grid};
    /// let mut grid = Grid::new(3, 2, 1)?;
    /// let bank = |x| Edit::edges("river", Cell::new(x, 0), [Direction::North]);
    /// assert_eq!(grid.edit(&[bank(0), bank(1), bank(2)])?, 3);
    /// grid.edit(&[Edit::edges("river", Cell::new(1, 0), [])])?; // a bridge
    /// assert!(!grid.has_edge("river", Cell::new(1, 1), Direction::South));
    /// assert!(grid.edit(&[Edit::edges("river", Cell::new(0, 0), [Direction::West])]).is_err());
    /// # Ok::<(), tilepath::GridError>(())
    /// ```
    #[must_use]
    pub fn edges(name: impl Into<String>, cell: Cell, sides: impl IntoIterator<Item = Direction>) -> Self {
        let sides = Direction::in_set(Direction::set_of(sides)).collect();
        Self::Edges { name: name.into(), cell, sides }
    }

    /// Removes all edges of a name.
    #[must_use]
    pub fn clear_edges(name: impl Into<String>) -> Self {
        Self::ClearEdges { name: name.into() }
    }

    /// Returns whether the edit only sets classes.
    pub(crate) const fn is_of_classes(&self) -> bool {
        matches!(self, Self::Terrain { .. } | Self::TerrainIn { .. })
    }

    /// Returns the number of cells of its rectangle; 0 if it has no rectangle.
    #[cfg(feature = "recording")]
    pub(crate) const fn area_cells(&self) -> u64 {
        match self {
            Self::TerrainIn { area, .. } | Self::VoidIn { area } | Self::OverlayIn { area, .. } => {
                area.cell_count() as u64
            }
            _ => 0,
        }
    }

    /// Checks that the edit can be made on a map of these bounds and this topology.
    pub(crate) fn check(&self, bounds: &Bounds, topology: Topology) -> Result<(), GridError> {
        match *self {
            Self::Exits { cell, exits: Exits::NONE } if bounds.contains(cell) => {
                Err(GridError::NoExit { cell })
            }
            _ => self.check_restored(bounds, topology),
        }
    }

    /// Checks an edit that restores an earlier map. There a cell may have no exits, because its
    /// edges were closed one by one.
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
                if shares_edge(topology, down) {
                    Ok(())
                } else {
                    Err(GridError::NotNeighbours { from: cell, to })
                }
            }
            Self::Edges { cell, ref sides, .. } => {
                is_inside(cell)?;
                sides.iter().try_for_each(|&side| {
                    let to = cell + side.offset();
                    if !shares_edge(topology, side) {
                        return Err(GridError::NotNeighbours { from: cell, to });
                    }
                    is_inside(to)
                })
            }
            Self::ClearOverlay { .. } | Self::ClearEdges { .. } => Ok(()),
        }
    }
}

/// Returns whether a cell shares an edge with its neighbour in a direction.
fn shares_edge(topology: Topology, side: Direction) -> bool {
    topology.has(side) && (topology == Topology::Hexagonal || !side.is_diagonal())
}

/// Returns the corners of a rectangle, unless it is empty.
fn corners(area: &Bounds) -> Option<[Cell; 4]> {
    let (right, top) = (area.width().checked_sub(1)?, area.height().checked_sub(1)?);
    Some([(0, 0), (right, 0), (0, top), (right, top)].map(|(x, y)| area.global(x, y)))
}
