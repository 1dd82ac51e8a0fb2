//! Maps that grow and shrink.

use super::Grid;
use crate::{bit_grid::BitGrid, bounds::Bounds, exits::Exits, journal::Journal};
use std::sync::Arc;

impl Grid {
    /// Grows or shrinks the map at any side, until it covers these bounds; says whether that made a difference. Cells keep their
    /// coordinates, their classes, exits and overlays; new ones hold the class given, or are [void](Self::set_void) without one.
    ///
    /// The [`Revision`](crate::Revision) rises, and [`changes_since`](Self::changes_since) does not reach back past it: what was
    /// derived from the map is read again.
    ///
    /// # Complexity
    /// O(cells of the new map).
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Bounds, Cell, Grid};
    /// let mut grid = Grid::new(3, 2, 7)?;
    /// let before = grid.revision();
    /// assert!(grid.resize(Bounds::new(Cell::new(-64, 0), 3 + 64, 64)?, 1)); // to the west and to the north
    /// assert_eq!(grid.terrain(Cell::new(2, 1)), Some(7));
    /// assert_eq!(grid.terrain(Cell::new(-1, 0)), Some(1));
    /// assert!(grid.changes_since(before).is_none());
    ///
    /// let too_large = Bounds::new(Cell::new(0, 0), 70_000, 1); // refused before anything is changed
    /// assert!(too_large.is_err());
    /// # Ok::<(), tilepath::GridError>(())
    /// ```
    pub fn resize(&mut self, bounds: Bounds, class: impl Into<Option<u8>>) -> bool {
        if bounds == self.bounds {
            return false;
        }
        let class = class.into();
        let mut classes = vec![class.unwrap_or(0); bounds.cell_count()];
        let (old, new) = (self.bounds, bounds);
        let moved = |slot: usize| old.cell(slot).and_then(|cell| new.slot(cell));
        let columns = old.shared_columns(&new);
        for (from, to) in old.shared_rows(&new) {
            let from = from as usize * old.width() as usize + columns.from as usize;
            let to = to as usize * new.width() as usize + columns.to as usize;
            let count = columns.count as usize;
            classes[to..to + count].copy_from_slice(&self.classes[from..from + count]);
        }
        if let Some(exits) = self.exits.take() {
            let mut kept = vec![Exits::ALL; bounds.cell_count()];
            for (slot, exits) in exits.into_iter().enumerate().filter(|&(_, exits)| exits != Exits::ALL) {
                if let Some(slot) = moved(slot) {
                    kept[slot] = exits;
                }
            }
            self.exits = Some(kept);
        }
        for overlay in &mut self.overlays {
            overlay.move_slots(moved);
        }
        self.counts.fill(0);
        for &class in &classes {
            self.counts[usize::from(class)] += 1;
        }
        let was_void = self.void.take();
        if was_void.is_some() || class.is_none() {
            let mut void = BitGrid::new(bounds.width(), bounds.height());
            let places = (0..new.height()).flat_map(|y| (0..new.width()).map(move |x| (x, y)));
            for (x, y) in places {
                let is_void = match old.local(new.global(x, y)) {
                    Some((x, y)) => was_void.as_ref().is_some_and(|void| void.get(x, y)),
                    None => class.is_none(),
                };
                if is_void {
                    void.set(x, y, true);
                    self.counts[0] -= 1;
                }
            }
            self.void = Some(Box::new(void));
        }
        self.bounds = bounds;
        self.classes = Arc::new(classes);
        self.revision = self.revision.next();
        self.journal = Journal::for_cells(bounds.cell_count());
        true
    }
}

/// Columns that two maps have in common.
struct SharedColumns {
    from: u32,
    to: u32,
    count: u32,
}

impl Bounds {
    fn shared_columns(&self, other: &Self) -> SharedColumns {
        let (from, to, count) = shared((self.origin().x, self.width()), (other.origin().x, other.width()));
        SharedColumns { from, to, count }
    }

    /// Each row that both have, as the one and the other count it.
    fn shared_rows(&self, other: &Self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let (from, to, count) = shared((self.origin().y, self.height()), (other.origin().y, other.height()));
        (from..from + count).zip(to..to + count)
    }
}

/// What two stretches, told by their first place and their length, have in common: where it begins in either, and its length.
fn shared((first, length): (i32, u32), (other, other_length): (i32, u32)) -> (u32, u32, u32) {
    let (first, other) = (i64::from(first), i64::from(other));
    let begin = first.max(other);
    let end = (first + i64::from(length)).min(other + i64::from(other_length));
    let count = (end - begin).max(0);
    if count == 0 {
        return (0, 0, 0);
    }
    ((begin - first) as u32, (begin - other) as u32, count as u32)
}
