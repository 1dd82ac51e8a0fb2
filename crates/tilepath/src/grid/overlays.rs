//! Named values that are added to the costs of cells.

use super::Grid;
use crate::{bounds::GridError, cell::Cell, journal::Change};
use std::{cmp::Ordering, collections::BTreeMap};

/// The overlay values of some cells under a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Overlay {
    name: String,
    /// The value of each slot; never 0.
    values: BTreeMap<u32, u16>,
    /// The number of cells with each value.
    counts: BTreeMap<u16, u32>,
}

impl Overlay {
    /// Sets a value (0 removes it), and returns the change.
    fn set(&mut self, slot: u32, value: u16) -> Option<Change> {
        let old = if value == 0 { self.values.remove(&slot) } else { self.values.insert(slot, value) };
        let change = match value.cmp(&old.unwrap_or(0)) {
            Ordering::Less => Change::OverlayFell,
            Ordering::Equal => return None,
            Ordering::Greater => Change::OverlayRose,
        };
        if let Some(count) = old.and_then(|old| self.counts.get_mut(&old)) {
            *count -= 1;
        }
        if let Some(old) = old
            && self.counts.get(&old) == Some(&0)
        {
            self.counts.remove(&old);
        }
        if value > 0 {
            *self.counts.entry(value).or_default() += 1;
        }
        Some(change)
    }

    /// Moves the values to their slots on another map. Drops values whose cells are not on that
    /// map.
    pub(super) fn move_slots(&mut self, moved: impl Fn(usize) -> Option<usize>) {
        self.counts.clear();
        for (slot, value) in std::mem::take(&mut self.values) {
            if let Some(slot) = moved(slot as usize) {
                self.set(slot as u32, value);
            }
        }
    }
}

impl Grid {
    /// The overlay value that closes a cell for movements that use the overlay. Other movements
    /// ignore it. Use this value for obstacles that stop only some units.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Grid, Movement, MovementId, PathFinder, PathQuery};
    /// let mut finder = PathFinder::new(Grid::new(3, 1, 1)?, Movement::new());
    /// let boat = finder.add_movement(Movement::new().with_overlay("boom"));
    /// finder.set_overlay("boom", [(Cell::new(1, 0), Grid::CLOSING)])?;
    /// let query = PathQuery::new(Cell::new(0, 0), Cell::new(2, 0));
    /// assert!(finder.is_reachable(&query)?);
    /// assert!(!finder.is_reachable(&query.with_movement(boat))?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const CLOSING: u16 = u16::MAX;

    /// Sets the values of cells in the overlay of this name, such as "danger". Returns the number
    /// of changed cells.
    ///
    /// Movements that use the overlay ([`Movement::with_overlay`](crate::Movement::with_overlay))
    /// add the value of a cell to the cost multiplier of the cell. Other movements ignore the
    /// overlay. Values are never negative, so an overlay only makes ground more expensive. The
    /// value 0 removes a cell from the overlay.
    ///
    /// Closed cells stay closed, and [`CLOSING`](Self::CLOSING) closes open cells. Cells that are
    /// not in `values` keep their value.
    ///
    /// # Units
    /// Multipliers, as in a [`CostTable`](crate::CostTable).
    ///
    /// # Errors
    /// [`GridError::OutOfBounds`] names the first cell outside the map's rectangle. The map is
    /// unchanged.
    ///
    /// # Complexity
    /// O(n log m) for n given cells and m cells of the overlay.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Grid, Movement, PathFinder};
    /// let mut grid = Grid::new(5, 2, 1)?;
    /// grid.set_overlay("danger", (1..4).map(|x| (Cell::new(x, 0), 10)))?;
    /// let (from, to) = (Cell::new(0, 0), Cell::new(4, 0));
    /// let bold = PathFinder::new(grid.clone(), Movement::new());
    /// assert_eq!(bold.find(from, to)?.path().unwrap().cost(), Cost::new(40));
    /// let careful = PathFinder::new(grid, Movement::new().with_overlay("danger"));
    /// assert_eq!(careful.find(from, to)?.path().unwrap().cost(), Cost::new(48));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "influence map")]
    pub fn set_overlay(
        &mut self,
        name: &str,
        values: impl IntoIterator<Item = (Cell, u16)>,
    ) -> Result<usize, GridError> {
        let bounds = self.bounds;
        let slot = |cell| bounds.slot(cell).ok_or(GridError::OutOfBounds { cell, bounds });
        let slots = values.into_iter().map(|(cell, value)| Ok((slot(cell)?, value)));
        let slots: Vec<(usize, u16)> = slots.collect::<Result<_, GridError>>()?;
        Ok(self.write_overlay(name, slots))
    }

    /// Sets overlay values by slots, which are on the map. Returns the number of changes.
    pub(super) fn write_overlay(
        &mut self,
        name: &str,
        values: impl IntoIterator<Item = (usize, u16)>,
    ) -> usize {
        let place = match self.overlay_place(name) {
            Ok(place) => place,
            Err(place) => {
                let overlay =
                    Overlay { name: name.to_owned(), values: BTreeMap::new(), counts: BTreeMap::new() };
                self.overlays.insert(place, overlay);
                place
            }
        };
        let mut changed = 0;
        for (slot, value) in values {
            if let Some(change) = self.overlays[place].set(slot as u32, value) {
                self.note_edit(slot, change);
                changed += 1;
            }
        }
        changed
    }

    /// Removes all values of an overlay.
    pub(super) fn empty_overlay(&mut self, name: &str) {
        let Ok(place) = self.overlay_place(name) else { return };
        let overlay = &mut self.overlays[place];
        let slots: Vec<u32> = std::mem::take(&mut overlay.values).into_keys().collect();
        overlay.counts.clear();
        for &slot in &slots {
            self.note_edit(slot as usize, Change::OverlayFell);
        }
    }

    /// Returns the value of a cell in an overlay, or 0 if the cell has no value there.
    #[must_use]
    pub fn overlay(&self, name: &str, cell: Cell) -> u16 {
        let value = |slot: usize| {
            let place = self.overlay_place(name).ok()?;
            self.overlays[place].values.get(&(slot as u32)).copied()
        };
        self.bounds.slot(cell).and_then(value).unwrap_or(0)
    }

    /// Returns the names of all overlays, sorted. Overlays whose values were removed are included.
    pub fn overlay_names(&self) -> impl Iterator<Item = &str> + '_ {
        self.overlays.iter().map(|overlay| overlay.name.as_str())
    }

    /// Returns the cells of an overlay with their values: row by row from the lowest row, each row
    /// from west to east.
    pub fn overlay_cells(&self, name: &str) -> impl Iterator<Item = (Cell, u16)> + '_ {
        let overlay = self.overlay_place(name).ok().map(|place| &self.overlays[place]);
        let values = overlay.into_iter().flat_map(|overlay| &overlay.values);
        values.filter_map(|(&slot, &value)| Some((self.bounds.cell(slot as usize)?, value)))
    }

    /// Returns the highest value of an overlay, without [`CLOSING`](Self::CLOSING).
    pub(crate) fn highest_overlay(&self, name: &str) -> u16 {
        let overlay = self.overlay_place(name).ok().map(|place| &self.overlays[place]);
        let highest = overlay.and_then(|overlay| overlay.counts.range(..Self::CLOSING).next_back());
        highest.map_or(0, |(&value, _)| value)
    }

    /// Returns whether any cell has a value in the overlay.
    pub(crate) fn has_overlay(&self, name: &str) -> bool {
        self.overlay_place(name).is_ok_and(|place| !self.overlays[place].values.is_empty())
    }

    /// Returns all values with their names and slots.
    pub(super) fn overlay_values(&self) -> impl Iterator<Item = (&str, u32, u16)> + '_ {
        self.overlays.iter().flat_map(|overlay| {
            overlay.values.iter().map(|(&slot, &value)| (overlay.name.as_str(), slot, value))
        })
    }

    /// Returns the index of an overlay in the list, or the index at which to insert it.
    fn overlay_place(&self, name: &str) -> Result<usize, usize> {
        self.overlays.binary_search_by(|overlay| overlay.name.as_str().cmp(name))
    }
}
