//! Costs of the paths to some cells, near a cell.

use super::guide::Steps;
use crate::{bounds::Slot, cell::Direction, cost::Cost};
use std::{cmp::Reverse, collections::BinaryHeap};

/// The costs of the paths to some goals, from every cell within a square of the map.
///
/// Use it in a [`Guide`](super::Guide) in two cases: for the surroundings of a goal that many
/// bodies share, and for the path back of a body that was pushed off its path. A
/// [`FlowField`](crate::field::FlowField) covers the whole map instead, at a higher cost.
///
/// # Guarantee
/// Each cost is the cost of the cheapest path within the square. Paths that leave the square do not
/// count.
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
    /// The number of columns of the map.
    width: usize,
    /// The lowest column and row of the square, and the numbers of its columns and rows.
    origin: [usize; 2],
    sides: [usize; 2],
    /// The cost of each cell of the square, row by row; [`Cost::MAX`] if no path leads to a goal.
    costs: Vec<Cost>,
    /// One bit for each cell of the square: its cost is given and stays. Empty if no cost is.
    fixed: Vec<u64>,
    /// The offset that each direction adds to a slot.
    offsets: [isize; 8],
    /// The cost of each reached cell and its slot, in the upper and the lower half of a number.
    queue: BinaryHeap<Reverse<u64>>,
}

impl LocalField {
    /// Creates the field of these goals. It covers the cells within `reach` cells of the `centre`
    /// along each axis. Each goal has a cost: the cost of the path from the goal onwards.
    ///
    /// Slots are slots of the map's [`Bounds`](crate::Bounds). Goals outside the square do not
    /// count.
    ///
    /// # Complexity
    /// O(n log n) for the n cells of the square.
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

    /// Rebuilds the field for other goals in the same memory. The arguments are as in
    /// [`around`](Self::around).
    pub fn spread(
        &mut self,
        steps: &Steps,
        centre: Slot,
        reach: u32,
        goals: impl IntoIterator<Item = (Slot, Cost)>,
    ) {
        self.cover(steps, centre, reach);
        goals.into_iter().for_each(|(slot, cost)| self.reach(slot, cost));
        while let Some(Reverse(entry)) = self.queue.pop() {
            self.expand(steps, entry);
        }
    }

    /// Rebuilds the field with only the costs of the cells of a path; [`rest_by`](Self::rest_by) finds
    /// the others. The cells of the path keep their costs, also if a path around costs less.
    pub(super) fn begin(
        &mut self,
        steps: &Steps,
        centre: Slot,
        reach: u32,
        path: impl IntoIterator<Item = (Slot, Cost)>,
    ) {
        self.cover(steps, centre, reach);
        self.fixed.resize(self.costs.len().div_ceil(64), 0);
        for (slot, cost) in path {
            self.reach(slot, cost);
            if let Some(place) = self.place(slot) {
                self.fixed[place / 64] |= 1 << (place % 64);
            }
        }
    }

    /// Rebuilds the field without costs.
    fn cover(&mut self, steps: &Steps, centre: Slot, reach: u32) {
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
        self.fixed.clear();
        self.queue.clear();
    }

    /// Returns the cost from a cell to a goal, in a field that was only begun. It spreads the field
    /// as far as needed.
    pub(super) fn rest_by(&mut self, steps: &Steps, slot: Slot) -> Option<Cost> {
        let place = self.place(slot)?;
        while let Some(&Reverse(entry)) = self.queue.peek()
            && cost_of(entry) < self.costs[place]
        {
            self.queue.pop();
            self.expand(steps, entry);
        }
        Some(self.costs[place]).filter(|&cost| cost != Cost::MAX)
    }

    /// Returns the smallest cost of a path from a cell over a goal: the path to the goal, plus the
    /// cost of the goal. Returns `None` if the cell is outside the square, or if no path leads to a
    /// goal.
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
        if let Some(place) = self.place(slot) {
            self.reach_place(place, slot, cost);
        }
    }

    fn reach_place(&mut self, place: usize, slot: Slot, cost: Cost) {
        if cost < self.costs[place] && !self.keeps_cost(place) {
            self.costs[place] = cost;
            self.queue.push(Reverse(u64::from(cost.get()) << 32 | slot as u64));
        }
    }

    fn keeps_cost(&self, place: usize) -> bool {
        self.fixed.get(place / 64).is_some_and(|bits| bits >> (place % 64) & 1 == 1)
    }

    /// Spreads the field from a cell to all neighbours from which a step leads to it. Does nothing if a
    /// cheaper path was found since the cell was queued.
    fn expand(&mut self, steps: &Steps, entry: u64) {
        let (slot, cost) = (entry as u32 as usize, cost_of(entry));
        let Some(place) = self.place(slot).filter(|&place| self.costs[place] == cost) else { return };
        let at = [place % self.sides[0], place / self.sides[0]];
        for direction in Direction::ALL {
            let (dx, dy) = direction.offset();
            let x = at[0].wrapping_add_signed(-dx as isize);
            let y = at[1].wrapping_add_signed(-dy as isize);
            if x >= self.sides[0] || y >= self.sides[1] {
                continue;
            }
            let place = y * self.sides[0] + x;
            // No step makes the path there cheaper.
            if self.costs[place] <= cost {
                continue;
            }
            let before = slot.wrapping_add_signed(-self.offsets[direction as usize]);
            if steps.ordinary_exits(before).contains(direction)
                && let Some(sum) = cost.checked_add(steps.cost(slot, direction))
            {
                self.reach_place(place, before, sum);
            }
        }
    }
}

const fn cost_of(entry: u64) -> Cost {
    Cost::new((entry >> 32) as u32)
}
