//! The map: a terrain class for every cell.

pub(crate) mod edits;

use crate::{
    bounds::{Bounds, GridError},
    cell::Cell,
    journal::{Journal, Revision},
};
use std::sync::Arc;

/// A map: one terrain class (`u8`) for every cell of a rectangle.
///
/// What a class costs is not the map's business: a [`CostTable`](crate::CostTable) says that for each kind of unit, and
/// infantry, vehicles and boats are three tables over one map. With the default table class n costs n and class 0 is a
/// wall.
///
/// Every edit that changes a cell raises the [`Revision`] and is remembered in a bounded journal, so that code that
/// keeps something derived from the map can catch up.
///
/// # Units
/// Coordinates in cells, y up. Slots are row-major from the lowest row.
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
    // Shared with paused searches, which go on with the classes they began with.
    classes: Arc<Vec<u8>>,
    counts: Box<[u32; 256]>,
    revision: Revision,
    journal: Journal,
}

/// Equal maps cover the same cells with the same classes, whatever the edits that led there.
impl PartialEq for Grid {
    fn eq(&self, other: &Self) -> bool {
        self.bounds == other.bounds && self.classes == other.classes
    }
}

impl Eq for Grid {}

impl Grid {
    /// A map of `width` × `height` cells that all hold one class. A side of 0 gives a map without cells.
    ///
    /// # Errors
    /// [`GridError::MapTooLarge`] before anything is allocated.
    pub fn new(width: u32, height: u32, class: u8) -> Result<Self, GridError> {
        let bounds = Bounds::new(Cell::default(), width, height)?;
        Ok(Self::with_classes(bounds, vec![class; bounds.cell_count()]))
    }

    /// A map from its classes, row by row from the lowest, each row from the west.
    ///
    /// # Errors
    /// [`GridError::MapTooLarge`], or [`GridError::WrongCellCount`] where there are not width × height classes.
    pub fn from_classes(width: u32, height: u32, classes: Vec<u8>) -> Result<Self, GridError> {
        let bounds = Bounds::new(Cell::default(), width, height)?;
        if classes.len() != bounds.cell_count() {
            return Err(GridError::WrongCellCount { expected: bounds.cell_count(), found: classes.len() });
        }
        Ok(Self::with_classes(bounds, classes))
    }

    fn with_classes(bounds: Bounds, classes: Vec<u8>) -> Self {
        let mut counts = Box::new([0; 256]);
        for &class in &classes {
            counts[usize::from(class)] += 1;
        }
        let journal = Journal::for_cells(bounds.cell_count());
        Self { bounds, classes: Arc::new(classes), counts, revision: Revision::default(), journal }
    }

    /// The same map with its lowest column and row elsewhere, negative if need be.
    ///
    /// # Errors
    /// [`GridError::OriginOutOfRange`] where the far corner would pass the range of `i32`.
    pub fn with_origin(mut self, origin: Cell) -> Result<Self, GridError> {
        self.bounds = Bounds::new(origin, self.bounds.width(), self.bounds.height())?;
        Ok(self)
    }

    /// The rectangle of cells.
    #[must_use]
    pub const fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Columns.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.bounds.width()
    }

    /// Rows.
    #[must_use]
    pub const fn height(&self) -> u32 {
        self.bounds.height()
    }

    /// The lowest column and row.
    #[must_use]
    pub const fn origin(&self) -> Cell {
        self.bounds.origin()
    }

    /// Whether the cell is on the map.
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        self.bounds.contains(cell)
    }

    /// The class of a cell, or `None` outside the map.
    #[must_use]
    pub fn terrain(&self, cell: Cell) -> Option<u8> {
        self.bounds.slot(cell).map(|slot| self.classes[slot])
    }

    /// All classes, row by row from the lowest.
    #[must_use]
    pub fn classes(&self) -> &[u8] {
        &self.classes
    }

    /// Changes one cell; says whether that made a difference.
    ///
    /// # Errors
    /// [`GridError::OutOfBounds`]; the map is as before.
    ///
    /// # Complexity
    /// O(1). While a paused search still holds the present state, the first edit copies the classes once.
    pub fn set_terrain(&mut self, cell: Cell, class: u8) -> Result<bool, GridError> {
        let slot = self.bounds.slot(cell).ok_or(GridError::OutOfBounds { cell, bounds: self.bounds })?;
        let old = self.classes[slot];
        if old == class {
            return Ok(false);
        }
        self.put(slot, old, class);
        Ok(true)
    }

    fn put(&mut self, slot: usize, old: u8, class: u8) {
        Arc::make_mut(&mut self.classes)[slot] = class;
        self.counts[usize::from(old)] -= 1;
        self.counts[usize::from(class)] += 1;
        self.revision = self.revision.next();
        self.journal.record(slot);
    }

    /// How many cells hold the class.
    #[must_use]
    pub fn class_count(&self, class: u8) -> usize {
        self.counts[usize::from(class)] as usize
    }

    /// The number of the present state.
    #[must_use]
    pub const fn revision(&self) -> Revision {
        self.revision
    }

    /// The cells edited since an earlier revision, oldest first; a cell edited twice comes twice.
    ///
    /// `None` says that the journal does not reach back that far (it holds an eighth of the cells at most), or that
    /// the revision is not one of this map: read the whole map again.
    #[must_use]
    pub fn changes_since(&self, revision: Revision) -> Option<impl Iterator<Item = Cell> + '_> {
        let edits = self.revision.edits_since(revision)?;
        let slots = self.journal.last(edits)?;
        Some(slots.filter_map(|slot| self.bounds.cell(slot)))
    }

    /// The classes row by row from the top.
    pub(crate) fn rows_from_top(&self) -> impl Iterator<Item = &[u8]> {
        let columns = self.width() as usize;
        (0..self.height() as usize).rev().map(move |row| &self.classes[row * columns..(row + 1) * columns])
    }

    /// The classes as a searcher keeps them: later edits do not reach it.
    pub(crate) fn shared_classes(&self) -> Arc<Vec<u8>> {
        Arc::clone(&self.classes)
    }
}
