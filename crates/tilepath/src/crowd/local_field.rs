//! What the way to some cells costs, near to a cell.

use super::guide::Steps;
use crate::{bounds::Slot, cell::Direction, cost::Cost};
use std::{cmp::Reverse, collections::BinaryHeap};

/// What the way to some goals costs from every cell within a square of the map.
///
/// For a [`Guide`](super::Guide): where many bodies have the same goal the surroundings of that are what they contend for, and a body
/// that was pushed off its way has to find back to it. A [`FlowField`](crate::field::FlowField) knows the whole map, and costs as much.
///
/// # Guarantee
/// Costs are those of the cheapest way within the square: ways that leave it are not seen.
///
/// # Examples
/// ```
/// use tilepath::{Cell, Cost, Grid, Movement, MovementId, PathFinder, crowd::{LocalField, Steps}};
/// let finder = PathFinder::new(Grid::new(50, 50, 1)?, Movement::new());
/// let steps = Steps::new(&finder, MovementId::FIRST)?;
/// let slot = |x, y| finder.grid().bounds().slot(Cell::new(x, y)).unwrap();
/// let field = LocalField::around(&steps, slot(20, 20), 5, [(slot(20, 20), Cost::ZERO)]);
/// assert_eq!(field.rest(slot(23, 20)), Some(Cost::new(30)));
/// assert_eq!(field.rest(slot(26, 20)), None, "that lies outside");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct LocalField {
    /// Columns of the map.
    width: usize,
    /// The lowest column and row of the square, and how many there are.
    origin: [usize; 2],
    sides: [usize; 2],
    /// By cell of the square, row by row; [`Cost::MAX`] where no way leads to a goal.
    costs: Vec<Cost>,
    /// What the directions add to a slot.
    offsets: [isize; 8],
    queue: BinaryHeap<Reverse<(Cost, u32)>>,
}

impl LocalField {
    /// The field of these goals, each with what it costs to go on from there, within this many cells of a slot along each axis.
    ///
    /// Slots are those of the map's [`Bounds`](crate::Bounds). Goals outside the square do not count.
    ///
    /// # Complexity
    /// O(cells of the square × log of that).
    #[must_use]
    pub fn around(
        steps: &Steps,
        centre: Slot,
        reach: u32,
        goals: impl IntoIterator<Item = (Slot, Cost)>,
    ) -> Self {
        let mut field = Self::default();
        field.spread(steps, centre, reach, goals);
        field
    }

    /// The same in the memory of an older field.
    pub fn spread(
        &mut self,
        steps: &Steps,
        centre: Slot,
        reach: u32,
        goals: impl IntoIterator<Item = (Slot, Cost)>,
    ) {
        self.begin(steps, centre, reach, goals);
        while let Some(Reverse((cost, slot))) = self.queue.pop() {
            self.expand(steps, slot as usize, cost);
        }
    }

    /// The same, of which nothing but the goals is known yet.
    pub(super) fn begin(
        &mut self,
        steps: &Steps,
        centre: Slot,
        reach: u32,
        goals: impl IntoIterator<Item = (Slot, Cost)>,
    ) {
        let bounds = steps.bounds();
        self.width = bounds.width() as usize;
        self.offsets = Direction::ALL.map(|direction| {
            let (dx, dy) = direction.offset();
            dy as isize * self.width as isize + dx as isize
        });
        let lengths = [self.width, bounds.height() as usize];
        let at = [centre % self.width.max(1), centre / self.width.max(1)];
        for axis in 0..2 {
            self.origin[axis] = at[axis].saturating_sub(reach as usize);
            let end = (at[axis] + reach as usize + 1).min(lengths[axis]);
            self.sides[axis] = end.saturating_sub(self.origin[axis]);
        }
        self.costs.clear();
        self.costs.resize(self.sides[0] * self.sides[1], Cost::MAX);
        self.queue.clear();
        for (slot, cost) in goals {
            self.reach(slot, cost);
        }
    }

    /// The same as [`rest`](Self::rest) of a field that was begun only. It spreads as far as it has to.
    pub(super) fn rest_by(&mut self, steps: &Steps, slot: Slot) -> Option<Cost> {
        let place = self.place(slot)?;
        while let Some(&Reverse((cost, next))) = self.queue.peek()
            && cost < self.costs[place]
        {
            self.queue.pop();
            self.expand(steps, next as usize, cost);
        }
        Some(self.costs[place]).filter(|&cost| cost != Cost::MAX)
    }

    /// What the way from a cell to a goal costs, and on from there; `None` outside the square, and where no way leads to one.
    #[inline]
    #[must_use]
    pub fn rest(&self, slot: Slot) -> Option<Cost> {
        self.place(slot).map(|place| self.costs[place]).filter(|&cost| cost != Cost::MAX)
    }

    #[inline]
    fn place(&self, slot: Slot) -> Option<usize> {
        let x = (slot % self.width.max(1)).wrapping_sub(self.origin[0]);
        let y = (slot / self.width.max(1)).wrapping_sub(self.origin[1]);
        (x < self.sides[0] && y < self.sides[1]).then(|| y * self.sides[0] + x)
    }

    fn reach(&mut self, slot: Slot, cost: Cost) {
        if let Some(place) = self.place(slot)
            && cost < self.costs[place]
        {
            self.costs[place] = cost;
            self.queue.push(Reverse((cost, slot as u32)));
        }
    }

    /// From all neighbours from which a step leads to the cell. Nothing, if a cheaper way from there was found since it was queued.
    fn expand(&mut self, steps: &Steps, slot: Slot, cost: Cost) {
        if self.rest(slot) != Some(cost) {
            return;
        }
        for direction in Direction::ALL {
            // Beyond a border lies a cell of another row, from which no such step leads.
            let before = slot.wrapping_add_signed(-self.offsets[direction as usize]);
            if self.place(before).is_some()
                && steps.exits(before).contains(direction)
                && let Some(sum) = cost.checked_add(steps.cost(slot, direction))
            {
                self.reach(before, sum);
            }
        }
    }
}
