//! Questions about a map as it would be.

use crate::{
    bounds::GridError,
    cell::Cell,
    edit::Edit,
    finder::{PathFinder, scratch::ScratchPool},
    journal::Revision,
};
use std::sync::{Arc, Weak};

/// Questions about a map as it would be: would this tower close the way, what would it cost if this wall stood?
///
/// It keeps a second finder. For a question that one gets in step with the first by the journal of its map, and is edited;
/// before the next question the edits are taken back. So a question costs its edits, twice, and what is asked, but no copy of
/// the map. The first finder is only read.
///
/// # Memory
/// A finder's ([`PathFinder`]), and its memory for searches. What the two have in common when it is made is shared until one
/// of them is edited: the first edit after that copies it once.
///
/// # Examples
/// A tower of two cells by two may stand where the way stays open for every spawn:
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
/// assert!(may_stand(&finder, Cell::new(3, 0)), "there is a way round by the north");
/// assert!(!may_stand(&finder, Cell::new(6, 1)), "on the castle itself");
///
/// finder.set_terrain(Cell::new(3, 3), TOWER)?; // built: it is known to the next question
/// assert!(!may_stand(&finder, Cell::new(3, 0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
/// What a wall would cost those who walk:
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
    /// The map of the finder that is followed as it was at `revision`, but for the edits of the last question.
    supposed: PathFinder,
    /// The finder that is followed: it is known by its memory for searches.
    followed: Weak<ScratchPool>,
    revision: Revision,
    /// The cells that the edits of the last question changed; `None` where they are too many to be known.
    edited: Option<Vec<Cell>>,
}

impl WhatIf {
    /// Opens questions about the map of a finder.
    ///
    /// # Complexity
    /// That of a clone: O(movements), and O(cells) of what was made of the map for its regions. The first question copies what its
    /// edits change.
    #[must_use]
    pub fn new(finder: &PathFinder) -> Self {
        Self {
            supposed: finder.clone(),
            followed: Arc::downgrade(finder.pool()),
            revision: finder.grid().revision(),
            edited: Some(Vec::new()),
        }
    }

    /// The finder as it would be with these edits, made in this order. Ask it whatever a finder is asked.
    ///
    /// The edits of the question before are taken back first, and what has changed since on the map and its movements is caught up
    /// with. A search that was begun on the last supposed map goes on on that.
    ///
    /// # Errors
    /// As [`Grid::edit`](crate::Grid::edit); then none of the edits is made.
    ///
    /// # Guarantee
    /// The answers are those of a clone of the finder with these edits made. (What a search in slices counts as its
    /// [work](crate::PathSearch::work) is not: the second finder has found out other things of the map before.)
    ///
    /// # Complexity
    /// That of [`PathFinder::edit`], twice, and of an edit for each cell that changed on the map since the question before. Where
    /// the journal does not reach back that far, where the edits of the question before changed more cells than a journal holds, or
    /// where another finder is given, that of [`WhatIf::new`].
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

    /// Gets in step with the finder: takes the edits of the question before back, and follows those of the map.
    fn catch_up(&mut self, finder: &PathFinder) {
        if !self.follow_cells(finder) || !self.has_movements_of(finder) {
            *self = Self::new(finder);
        }
        self.supposed.take_limit_of(finder);
        self.revision = finder.grid().revision();
    }

    /// Makes the map what the finder's is; says whether that could be done.
    fn follow_cells(&mut self, finder: &PathFinder) -> bool {
        let is_same = Weak::as_ptr(&self.followed) == Arc::as_ptr(finder.pool())
            && self.supposed.grid().topology() == finder.grid().topology();
        let changes = finder.grid().changes_since(self.revision).filter(|_| is_same);
        let Some((edited, changed)) = self.edited.take().zip(changes) else {
            return false;
        };
        let (before, after) = (self.supposed.grid().bounds(), finder.grid().bounds());
        // Most of the cells that came are like one of them.
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

    /// Whether the movements are those of the finder.
    fn has_movements_of(&self, finder: &PathFinder) -> bool {
        let (supposed, followed) = (self.supposed.kept_movements(), finder.kept_movements());
        supposed.len() == followed.len()
            && supposed.iter().zip(followed).all(|(one, other)| one.is_same(other))
    }
}
