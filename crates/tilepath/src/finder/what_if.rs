//! Queries on a map with hypothetical edits.
//!
//! Decision: `docs/decisions/23-what-if.md`.

use crate::{
    bounds::GridError,
    cell::Cell,
    edit::Edit,
    finder::{PathFinder, scratch::ScratchPool},
    journal::Revision,
};
use std::sync::{Arc, Weak};

/// A second finder, for queries on a map with hypothetical edits. Use it to test whether a tower
/// would block the path, or what a wall would cost.
///
/// A call first undoes the edits of the previous call. It also copies the changes of the first
/// finder's map, which are listed in the change journal of that map. Then it makes the new edits.
///
/// A call does not copy the map. It costs the time of its query, and twice the time of its edits:
/// to make them and to undo them.
///
/// The first finder is only read.
///
/// # Memory
/// As much as a second [`PathFinder`] and its memory for searches. Both finders share their data
/// until one of them is edited. The first edit copies the data once.
///
/// # Examples
/// A tower of two by two cells may stand where every spawn keeps a path:
/// ```
/// use tilepath::{Cell, Edit, Movement, PathFinder, PathQuery, WhatIf, format};
/// let mut finder = PathFinder::new(format::parse_ascii("
///     ........
///     ...##...
///     ........
///     ........
/// ")?, Movement::new());
/// let castle = Cell::new(7, 1);
/// let waves = [Cell::new(0, 0), Cell::new(0, 3)].map(|spawn| PathQuery::new(spawn, castle));
///
/// const TOWER: u8 = 0;
/// let footprint = |corner: Cell| [(0, 0), (1, 0), (0, 1), (1, 1)].map(|offset| Edit::terrain(corner + offset, TOWER));
/// let mut what_if = WhatIf::new(&finder); // once, and kept
/// let mut may_stand = |finder: &PathFinder, corner| {
///     let supposed = what_if.with_edits(finder, &footprint(corner)).expect("towers are placed on the map");
///     waves.iter().all(|wave| supposed.is_reachable(wave) == Ok(true))
/// };
/// assert!(may_stand(&finder, Cell::new(3, 0)), "a path leads around it in the north");
/// assert!(!may_stand(&finder, Cell::new(6, 1)), "on the castle itself");
///
/// finder.set_terrain(Cell::new(3, 3), TOWER)?; // the tower is built; the next call includes it
/// assert!(!may_stand(&finder, Cell::new(3, 0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
/// The cost of a wall for units:
/// ```
/// # use tilepath::{Cell, Cost, Edit, Grid, Movement, PathFinder, WhatIf};
/// let finder = PathFinder::new(Grid::new(5, 3, 1)?, Movement::new());
/// let (from, to) = (Cell::new(0, 1), Cell::new(4, 1));
/// let mut what_if = WhatIf::new(&finder);
/// let walled = what_if.with_edits(&finder, &[1, 2].map(|y| Edit::terrain(Cell::new(2, y), 0)))?;
/// assert_eq!(walled.find(from, to)?.path().unwrap().cost(), Cost::new(2 * 14 + 2 * 10));
/// assert_eq!(finder.find(from, to)?.path().unwrap().cost(), Cost::new(4 * 10), "as it is");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "hypothetical")]
#[doc(alias = "tower defence")]
pub struct WhatIf {
    /// The map of the followed finder at `revision`, with the edits of the last call.
    supposed: PathFinder,
    /// The followed finder, identified by its pool of memory for searches.
    followed: Weak<ScratchPool>,
    revision: Revision,
    /// The cells that the edits of the last call changed; `None` if they are more than the journal
    /// holds.
    edited: Option<Vec<Cell>>,
}

impl WhatIf {
    /// Creates a `WhatIf` for the map of a finder.
    ///
    /// # Complexity
    /// The complexity of a clone: O(movements), and O(cells) for the regions if they are built. The
    /// first call copies the data that its edits change.
    #[must_use]
    pub fn new(finder: &PathFinder) -> Self {
        let mut supposed = finder.clone();
        supposed.drop_all_landmarks();
        Self {
            supposed,
            followed: Arc::downgrade(finder.pool()),
            revision: finder.grid().revision(),
            edited: Some(Vec::new()),
        }
    }

    /// Returns a finder whose map has these edits, made in the order of the list. It answers all
    /// queries of a [`PathFinder`].
    ///
    /// First, the edits of the previous call are undone. Then all changes of `finder` since the
    /// previous call are copied: changes of its map and of its movements. A search that began on
    /// the finder of an earlier call continues on the map of that call.
    ///
    /// # Errors
    /// The errors of [`Grid::edit`](crate::Grid::edit). After an error, none of the edits is made.
    ///
    /// # Guarantee
    /// The answers equal the answers of a clone of the finder with these edits and without
    /// [landmarks](PathFinder::make_landmarks). Exception: the [work](crate::PathSearch::work) of a
    /// sliced search may differ, because the `WhatIf` has preprocessed other parts of the map than
    /// `finder`.
    ///
    /// # Complexity
    /// Twice the complexity of [`PathFinder::edit`] for these edits: to make them, and to undo them
    /// in the next call. Each cell of `finder`'s map that changed since the previous call adds one
    /// edit.
    ///
    /// In four cases, the complexity of [`WhatIf::new`] is added:
    /// - the change journal of the map does not hold all changes since the previous call;
    /// - the edits of the previous call changed more cells than a change journal holds;
    /// - the movements of `finder` changed;
    /// - `finder` is another finder than in the previous call.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Edit, Grid, GridError, Movement, PathFinder, WhatIf};
    /// let finder = PathFinder::new(Grid::new(4, 4, 1)?, Movement::new());
    /// let mut what_if = WhatIf::new(&finder);
    /// let edits = [Edit::terrain(Cell::new(1, 2), 7), Edit::fence(Cell::new(0, 0), Cell::new(0, 1))];
    /// let supposed = what_if.with_edits(&finder, &edits)?;
    /// assert_eq!(supposed.grid().terrain(Cell::new(1, 2)), Some(7));
    /// let supposed = what_if.with_edits(&finder, &[Edit::void(Cell::new(3, 3))])?;
    /// assert_eq!(supposed.grid().terrain(Cell::new(1, 2)), Some(1), "each question has its own edits");
    /// let outside = what_if.with_edits(&finder, &[3, 4].map(|x| Edit::terrain(Cell::new(x, 0), 0)));
    /// assert!(matches!(outside, Err(GridError::OutOfBounds { .. })));
    /// assert_eq!(what_if.with_edits(&finder, &[])?.grid(), finder.grid());
    /// # Ok::<(), GridError>(())
    /// ```
    pub fn with_edits(&mut self, finder: &PathFinder, edits: &[Edit]) -> Result<&PathFinder, GridError> {
        self.catch_up(finder);
        let before = self.supposed.grid().revision();
        let made = self.supposed.edit(edits);
        self.edited = self.supposed.grid().changes_since(before).map(Iterator::collect);
        made.map(|_| &self.supposed)
    }

    /// Undoes the edits of the previous call, and copies the changes of the finder.
    fn catch_up(&mut self, finder: &PathFinder) {
        if !self.follow_cells(finder) || !self.has_movements_of(finder) {
            *self = Self::new(finder);
        }
        self.supposed.take_limit_of(finder);
        self.revision = finder.grid().revision();
    }

    /// Makes the map equal to the finder's map; returns false if that was not possible.
    fn follow_cells(&mut self, finder: &PathFinder) -> bool {
        let is_same = Weak::as_ptr(&self.followed) == Arc::as_ptr(finder.pool())
            && self.supposed.grid().topology() == finder.grid().topology();
        let changes = finder.grid().changes_since(self.revision).filter(|_| is_same);
        let Some((edited, changed)) = self.edited.take().zip(changes) else {
            return false;
        };
        let (before, after) = (self.supposed.grid().bounds(), finder.grid().bounds());
        // Most of the new cells equal this one.
        let came = after.outside(&before.shared(&after)).into_iter().find(|part| !part.is_empty());
        self.supposed.resize(after, came.and_then(|part| finder.grid().terrain(part.origin())));
        let mut edits = Vec::new();
        for cell in edited.into_iter().chain(changed).filter(|&cell| after.contains(cell)) {
            self.supposed.grid().add_differences(finder.grid(), cell, &mut edits);
        }
        let restored = self.supposed.restore(&edits);
        debug_assert!(restored.is_ok(), "both maps have the same bounds");
        true
    }

    /// Returns whether the movements equal the finder's movements.
    fn has_movements_of(&self, finder: &PathFinder) -> bool {
        let (supposed, followed) = (self.supposed.kept_movements(), finder.kept_movements());
        supposed.len() == followed.len()
            && supposed.iter().zip(followed).all(|(one, other)| one.is_same(other))
    }
}
