//! The map: a terrain class for every cell.

pub(crate) mod classes;
pub(crate) mod edges;
mod edits;
mod exits;
mod overlays;
mod resize;

use self::{edges::NamedEdges, overlays::Overlay};
use crate::{
    bit_grid::BitGrid,
    bounds::{Bounds, GridError},
    cell::Cell,
    exits::Exits,
    journal::{Change, Edits, Journal, Revision},
    topology::Topology,
};
use std::sync::Arc;

/// A map: one terrain class (`u8`) for every cell of a rectangle.
///
/// A map does not hold costs. A [`CostTable`](crate::CostTable) sets the cost of each terrain class
/// for one kind of unit. For example, infantry, vehicles and boats use three cost tables with one
/// map. In the default table, class n costs n, and class 0 is a wall.
///
/// Every edit that changes a cell raises the [`Revision`]. A journal of limited length records the
/// edit. With [`changes_since`](Self::changes_since), data derived from the map can be updated cell
/// by cell.
///
/// A map can also have these parts. Each takes memory only if it is used:
/// - a [`Topology`] of hexagons,
/// - [void](crate::Edit::void) cells, which are not on the map,
/// - closed [exits](crate::Edit::one_way),
/// - named [overlays](Self::set_overlay) of costs,
/// - named [edges](crate::Edit::edges) between cells.
///
/// [`edit`](Self::edit) makes all edits of a list of [`Edit`](crate::Edit)s.
/// [`set_terrain`](Self::set_terrain), [`set_terrain_in`](Self::set_terrain_in) and
/// [`set_overlay`](Self::set_overlay) are short forms of the most frequent edits.
///
/// # Units
/// Coordinates count cells, and y points up. [Slots](crate::Slot) count row by row from the lowest
/// row.
///
/// # Examples
/// ```
/// use tilepath::{Cell, Grid};
/// let mut grid = Grid::new(20, 10, 1)?;
/// let before = grid.revision();
/// assert!(grid.set_terrain(Cell::new(3, 4), 0)?);
/// assert!(!grid.set_terrain(Cell::new(3, 4), 0)?, "nothing changed");
/// assert_eq!(grid.terrain(Cell::new(3, 4)), Some(0));
/// let changed: Vec<Cell> = grid.changes_since(before).unwrap().collect();
/// assert_eq!(changed, [Cell::new(3, 4)]);
/// # Ok::<(), tilepath::GridError>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "crate::stored::grid::StoredGrid", into = "crate::stored::grid::StoredGrid")
)]
pub struct Grid {
    bounds: Bounds,
    topology: Topology,
    // Shared with paused searches, which continue with the classes they began with.
    classes: Arc<Vec<u8>>,
    counts: Box<[u32; 256]>,
    /// The void cells; `None` if no cell is void. Their class is stored as 0.
    void: Option<Box<BitGrid>>,
    /// The exits of each cell by slot; `None` if all exits are open.
    exits: Option<Vec<Exits>>,
    /// The number of cells with a closed exit.
    fenced_cells: usize,
    /// Sorted by name.
    overlays: Vec<Overlay>,
    /// Sorted by name.
    edges: Vec<NamedEdges>,
    revision: Revision,
    journal: Journal,
}

/// Two maps are equal if they have the same bounds, topology, classes, void cells, exits, overlays
/// and edges. Their revisions and earlier edits do not count.
impl PartialEq for Grid {
    fn eq(&self, other: &Self) -> bool {
        self.bounds == other.bounds
            && self.topology == other.topology
            && self.classes == other.classes
            && self.void == other.void
            && self.exits == other.exits
            && self.overlay_values().eq(other.overlay_values())
            && self.all_edges().eq(other.all_edges())
    }
}

impl Eq for Grid {}

impl Grid {
    /// Creates a map of `width` × `height` cells that all have the same terrain class. If a side is
    /// 0, the map has no cells.
    ///
    /// # Errors
    /// [`GridError::MapTooLarge`], before anything is allocated.
    pub fn new(width: u32, height: u32, class: u8) -> Result<Self, GridError> {
        let bounds = Bounds::new(Cell::default(), width, height)?;
        Ok(Self::with_classes(bounds, vec![class; bounds.cell_count()]))
    }

    /// Creates a map from the terrain classes of its cells: row by row from the lowest row, each
    /// row from west to east.
    ///
    /// # Errors
    /// [`GridError::MapTooLarge`], or [`GridError::WrongCellCount`] if the number of classes is not
    /// width × height.
    pub fn from_classes(width: u32, height: u32, classes: Vec<u8>) -> Result<Self, GridError> {
        let bounds = Bounds::new(Cell::default(), width, height)?;
        if classes.len() != bounds.cell_count() {
            return Err(GridError::WrongCellCount { expected: bounds.cell_count(), found: classes.len() });
        }
        Ok(Self::with_classes(bounds, classes))
    }

    /// Creates a map from its cells: row by row from the lowest row, each row from west to east.
    /// Each value is a terrain class, or `None` for a [void](crate::Edit::void) cell.
    ///
    /// # Errors
    /// [`GridError::WrongCellCount`] if the length of `cells` is not the number of cells of
    /// `bounds`.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Bounds, Cell, Grid};
    /// let bounds = Bounds::new(Cell::new(-1, 0), 3, 1)?;
    /// let grid = Grid::from_cells(bounds, &[Some(1), None, Some(2)])?;
    /// assert_eq!([-1, 0, 1].map(|x| grid.terrain(Cell::new(x, 0))), [Some(1), None, Some(2)]);
    /// # Ok::<(), tilepath::GridError>(())
    /// ```
    pub fn from_cells(bounds: Bounds, cells: &[Option<u8>]) -> Result<Self, GridError> {
        if cells.len() != bounds.cell_count() {
            return Err(GridError::WrongCellCount { expected: bounds.cell_count(), found: cells.len() });
        }
        let mut counts = Box::new([0; 256]);
        let mut classes = vec![0; cells.len()];
        for (class, &cell) in classes.iter_mut().zip(cells) {
            if let Some(known) = cell {
                *class = known;
                counts[usize::from(known)] += 1;
            }
        }
        let is_void = Option::is_none;
        let void = cells
            .iter()
            .any(is_void)
            .then(|| Box::new(BitGrid::from_rows(bounds.width(), bounds.height(), cells, is_void)));
        Ok(Self { void, ..Self::with_counts(bounds, classes, counts) })
    }

    /// Creates a map from a list of cells, each with its terrain class. All other cells of the
    /// bounds are [void](crate::Edit::void). If the list has a cell twice, the last class counts.
    ///
    /// Use this for maps that fill only a small part of the rectangle around them, such as
    /// staggered maps.
    ///
    /// # Complexity
    /// Time: O(tiles), and one bit is set for each cell of the bounds. Memory: one byte for each
    /// cell of the bounds, and one bit for each cell if some cells are void.
    ///
    /// # Errors
    /// [`GridError::OutOfBounds`] if a cell is not within the bounds.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Bounds, Cell, Grid};
    /// let bounds = Bounds::new(Cell::new(-1, 0), 3, 1)?;
    /// let grid = Grid::from_tiles(bounds, [(Cell::new(-1, 0), 1), (Cell::new(1, 0), 2)])?;
    /// assert_eq!([-1, 0, 1].map(|x| grid.terrain(Cell::new(x, 0))), [Some(1), None, Some(2)]);
    /// assert!(Grid::from_tiles(bounds, [(Cell::new(2, 0), 1)]).is_err());
    /// # Ok::<(), tilepath::GridError>(())
    /// ```
    pub fn from_tiles(
        bounds: Bounds,
        tiles: impl IntoIterator<Item = (Cell, u8)>,
    ) -> Result<Self, GridError> {
        let mut counts = Box::new([0; 256]);
        let mut classes = vec![0; bounds.cell_count()];
        let mut void = BitGrid::filled(bounds.width(), bounds.height());
        let mut present = 0;
        for (cell, class) in tiles {
            let (column, row) = bounds.local(cell).ok_or(GridError::OutOfBounds { cell, bounds })?;
            let slot = row as usize * bounds.width() as usize + column as usize;
            if void.get(column, row) {
                void.set(column, row, false);
                present += 1;
            } else {
                counts[usize::from(classes[slot])] -= 1;
            }
            classes[slot] = class;
            counts[usize::from(class)] += 1;
        }
        let void = (present < bounds.cell_count()).then(|| Box::new(void));
        Ok(Self { void, ..Self::with_counts(bounds, classes, counts) })
    }

    fn with_classes(bounds: Bounds, classes: Vec<u8>) -> Self {
        let mut counts = Box::new([0; 256]);
        for &class in &classes {
            counts[usize::from(class)] += 1;
        }
        Self::with_counts(bounds, classes, counts)
    }

    fn with_counts(bounds: Bounds, classes: Vec<u8>, counts: Box<[u32; 256]>) -> Self {
        let journal = Journal::for_cells(bounds.cell_count());
        Self {
            bounds,
            topology: Topology::Square,
            classes: Arc::new(classes),
            counts,
            void: None,
            exits: None,
            fenced_cells: 0,
            overlays: Vec::new(),
            edges: Vec::new(),
            revision: Revision::default(),
            journal,
        }
    }

    /// Sets the shape of the cells.
    #[must_use]
    pub fn with_topology(mut self, topology: Topology) -> Self {
        self.topology = topology;
        self
    }

    /// Returns the shape of the cells.
    #[must_use]
    pub const fn topology(&self) -> Topology {
        self.topology
    }

    /// Sets the lowest column and the lowest row of the map. Both may be negative.
    ///
    /// # Errors
    /// [`GridError::OriginOutOfRange`] if the far corner would pass the range of `i32`.
    pub fn with_origin(mut self, origin: Cell) -> Result<Self, GridError> {
        self.bounds = Bounds::new(origin, self.bounds.width(), self.bounds.height())?;
        Ok(self)
    }

    /// Returns the rectangle of cells that the map covers.
    #[must_use]
    pub const fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Returns the number of columns.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.bounds.width()
    }

    /// Returns the number of rows.
    #[must_use]
    pub const fn height(&self) -> u32 {
        self.bounds.height()
    }

    /// Returns the cell at the lowest column and the lowest row.
    #[must_use]
    pub const fn origin(&self) -> Cell {
        self.bounds.origin()
    }

    /// Returns whether the cell is on the map: inside its rectangle, and not void.
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        self.bounds.local(cell).is_some_and(|(x, y)| !self.is_void_at(x, y))
    }

    /// Returns the terrain class of a cell, or `None` if the cell is void or outside the map.
    #[must_use]
    pub fn terrain(&self, cell: Cell) -> Option<u8> {
        let (x, y) = self.bounds.local(cell)?;
        let slot = y as usize * self.width() as usize + x as usize;
        (!self.is_void_at(x, y)).then(|| self.classes[slot])
    }

    /// Returns whether the cell at column x, row y is void.
    #[inline]
    pub(crate) fn is_void_at(&self, x: u32, y: u32) -> bool {
        self.void.as_ref().is_some_and(|void| void.get(x, y))
    }

    /// Returns whether any cell is void.
    pub(crate) const fn has_void(&self) -> bool {
        self.void.is_some()
    }

    /// Returns the terrain classes of all cells, row by row from the lowest row, each row from west
    /// to east. Void cells have class 0.
    #[must_use]
    pub fn classes(&self) -> &[u8] {
        &self.classes
    }

    /// Resets the revision and the journal: edits count from here.
    #[cfg(feature = "serde")]
    pub(crate) fn with_edits_forgotten(self) -> Self {
        let journal = Journal::for_cells(self.bounds.cell_count());
        Self { revision: Revision::default(), journal, ..self }
    }

    /// Raises the revision and records a change at a slot.
    fn note_edit(&mut self, slot: usize, change: Change) {
        self.revision = self.revision.next();
        self.journal.record(slot, change);
    }

    /// Returns the number of cells that have this terrain class. Void cells do not count.
    #[must_use]
    pub fn class_count(&self, class: u8) -> usize {
        self.counts[usize::from(class)] as usize
    }

    /// Returns the revision: the number of the current state of the map.
    #[must_use]
    pub const fn revision(&self) -> Revision {
        self.revision
    }

    /// Returns the cells whose class, exits, overlays or edges were edited since an earlier revision. The
    /// oldest edit comes first. A cell that was edited twice is in the list twice.
    ///
    /// If the map was [resized](Self::resize) after that revision, the added and the removed cells
    /// are included. So some cells of the list may be outside the map now.
    ///
    /// Returns `None` if the journal of the map no longer holds all edits after that revision. The
    /// journal holds at most one edit for every eight cells of the map. Also returns `None` if the
    /// revision is later than the current one, as it may be if it comes from another map. If the
    /// result is `None`, read the whole map again.
    #[must_use]
    pub fn changes_since(&self, revision: Revision) -> Option<impl Iterator<Item = Cell> + '_> {
        Some(self.edits_since(revision)?.map(|(cell, _)| cell))
    }

    /// Returns the edited cells since an earlier revision, each with its change.
    pub(crate) fn edits_since(&self, revision: Revision) -> Option<Edits<'_>> {
        let edits = self.revision.edits_since(revision)?;
        self.journal.last(edits, self.bounds)
    }

    /// Returns the classes row by row from the top.
    pub(crate) fn rows_from_top(&self) -> impl Iterator<Item = &[u8]> {
        let columns = self.width() as usize;
        (0..self.height() as usize).rev().map(move |row| &self.classes[row * columns..(row + 1) * columns])
    }

    /// Returns the classes for a search to keep. Later edits do not reach it.
    pub(crate) fn shared_classes(&self) -> Arc<Vec<u8>> {
        Arc::clone(&self.classes)
    }
}
