//! The rules of steps, written to be read.

use super::Movement;
use crate::{
    cell::{Cell, Direction},
    cost::Cost,
    grid::Grid,
    topology::Topology,
};

/// Which steps a unit may take on a map, and what they cost: the definition, from which searches make their tables.
///
/// A unit that stands on closed cells may walk off them, so the rules know where it set out.
///
/// # The rules
/// - An anchor is **open** where every cell under its footprint is on the map, no void and passable, and no edge between two
///   of them is closed in both directions. Its multiplier is the highest under the footprint, overlays included.
/// - A step in a direction needs an open anchor at its end and that exit of each cell under the footprint.
/// - A **side** of a diagonal step, one of the two anchors that it passes between, is free if it is open and the two straight
///   steps by way of it have their exits. The diagonal rule says how many sides may not be free.
///   [`Always`](super::Diagonals::Always) looks at no side: there the step must not cross the end of an edge that is closed in
///   both directions.
/// - **Leaving closed ground**: for anchors whose footprints overlap the one set out from, closed cells under that footprint
///   count as passable at the least multiplier of the table, and edges between two of its cells as open. An anchor open only by
///   this is borrowed. It is entered only from where the unit set out or from a borrowed anchor, and is never a free side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepRules<'a> {
    movement: &'a Movement,
    grid: &'a Grid,
    start: Cell,
}

/// Whether cells and edges under the footprint set out from count as open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Leave {
    /// As the map is.
    Strict,
    /// For a unit that walks off closed cells.
    Borrowed,
}

impl<'a> StepRules<'a> {
    /// For a unit that set out from a cell.
    pub(crate) const fn new(movement: &'a Movement, grid: &'a Grid, start: Cell) -> Self {
        Self { movement, grid, start }
    }

    /// What the step costs, or `None` where it is not allowed. A cost that cannot be stated is [`Cost::MAX`].
    pub(crate) fn step_cost(&self, from: Cell, direction: Direction) -> Option<Cost> {
        if !self.grid.bounds().contains(from) || !self.grid.topology().has(direction) {
            return None;
        }
        let leave =
            if from == self.start || self.is_borrowed(from) { Leave::Borrowed } else { Leave::Strict };
        let to = from.neighbour(direction)?;
        let multiplier = self.multiplier(to, leave)?;
        if !self.has_exit(from, direction, leave) || !self.passes_sides(from, direction, leave) {
            return None;
        }
        let [straight, diagonal] = self.movement.unit_costs(self.grid.topology());
        let unit = if direction.is_diagonal() { diagonal } else { straight };
        Some(Cost::new(multiplier.saturating_mul(unit)))
    }

    /// Whether the anchor is open.
    pub(crate) fn is_open(&self, anchor: Cell) -> bool {
        self.multiplier(anchor, Leave::Strict).is_some()
    }

    /// Whether the anchor is open only for a unit that walks off the closed cells it set out from.
    pub(crate) fn is_borrowed(&self, anchor: Cell) -> bool {
        !self.is_open(anchor) && self.multiplier(anchor, Leave::Borrowed).is_some()
    }

    /// The multiplier of an anchor for a unit that walks off closed cells.
    pub(crate) fn borrowed_multiplier(&self, anchor: Cell) -> Option<u32> {
        self.multiplier(anchor, Leave::Borrowed)
    }

    /// The directions in which the unit may leave an anchor: bit n for the nth of [`Direction::ALL`].
    pub(crate) fn moves(&self, anchor: Cell) -> u8 {
        let allowed =
            Direction::ALL.into_iter().filter(|&direction| self.step_cost(anchor, direction).is_some());
        allowed.fold(0, |set, direction| set | 1 << direction as u8)
    }

    fn cells_under(&self, anchor: Cell) -> impl Iterator<Item = Cell> + Clone {
        self.movement.size().footprint(anchor)
    }

    /// Whether the cell lies under the footprint set out from.
    fn is_under_start(&self, cell: Cell) -> bool {
        let side = i64::from(self.movement.size().side());
        let within = |place: i32, first: i32| (0..side).contains(&(i64::from(place) - i64::from(first)));
        within(cell.x, self.start.x) && within(cell.y, self.start.y)
    }

    /// The multiplier of an anchor, or `None` where it is closed.
    fn multiplier(&self, anchor: Cell, leave: Leave) -> Option<u32> {
        if !self.grid.bounds().contains(anchor.neighbour_by(self.movement.size().side())?) {
            return None;
        }
        let mut highest = 0;
        for cell in self.cells_under(anchor) {
            highest = highest.max(self.cell_multiplier(cell, leave)?);
            let is_split = [Direction::North, Direction::East].into_iter().any(|direction| {
                cell.neighbour(direction).is_some_and(|other| {
                    self.cells_under(anchor).any(|under| under == other)
                        && self.is_fence(cell, direction, leave)
                })
            });
            if is_split {
                return None;
            }
        }
        Some(highest)
    }

    fn cell_multiplier(&self, cell: Cell, leave: Leave) -> Option<u32> {
        if !self.grid.bounds().contains(cell) {
            return None;
        }
        let costs = self.movement.costs();
        match self.grid.terrain(cell).map(|class| costs.multiplier(class)) {
            Some(multiplier) if multiplier > 0 => {
                let names = self.movement.overlays().iter();
                let overlays: u32 = names.map(|name| u32::from(self.grid.overlay(name, cell))).sum();
                Some(u32::from(multiplier) + overlays)
            }
            _ if leave == Leave::Borrowed && self.is_under_start(cell) => Some(costs.least().into()),
            _ => None,
        }
    }

    /// Whether an edge is closed in both directions.
    fn is_fence(&self, cell: Cell, direction: Direction, leave: Leave) -> bool {
        let Some(other) = cell.neighbour(direction) else { return false };
        if leave == Leave::Borrowed && self.is_under_start(cell) && self.is_under_start(other) {
            return false;
        }
        let is_closed =
            |cell, direction| self.grid.exits(cell).is_some_and(|exits| !exits.contains(direction));
        is_closed(cell, direction) && is_closed(other, direction.opposite())
    }

    /// Whether each cell under the footprint has the exit.
    fn has_exit(&self, anchor: Cell, direction: Direction, leave: Leave) -> bool {
        self.cells_under(anchor).all(|cell| {
            let is_open = self.grid.exits(cell).is_none_or(|exits| exits.contains(direction));
            let is_under_start = leave == Leave::Borrowed
                && self.is_under_start(cell)
                && cell.neighbour(direction).is_some_and(|other| self.is_under_start(other));
            // A fence under the unit does not hold it.
            let is_lifted =
                is_under_start && !direction.is_diagonal() && self.is_fence(cell, direction, Leave::Strict);
            is_open || is_lifted
        })
    }

    /// Whether the diagonal rule allows the step.
    fn passes_sides(&self, from: Cell, direction: Direction, leave: Leave) -> bool {
        use super::Diagonals::Always;
        if !direction.is_diagonal() || self.grid.topology() == Topology::Hexagonal {
            return true;
        }
        let sides = [direction.turned(7), direction.turned(1)];
        if self.movement.diagonals() == Always {
            return self.cells_under(from).all(|cell| !self.crosses_fence_end(cell, sides, leave));
        }
        let is_free = |first: Direction, second: Direction| {
            from.neighbour(first).is_some_and(|side| {
                self.is_open(side)
                    && self.has_exit(from, first, leave)
                    && self.has_exit(side, second, Leave::Strict)
            })
        };
        let [left, right] = sides;
        let obstacles = usize::from(!is_free(left, right)) + usize::from(!is_free(right, left));
        self.movement.diagonals().allow(obstacles)
    }

    /// Whether one of the four edges at the corner between a cell and its diagonal neighbour is closed in both directions.
    fn crosses_fence_end(&self, cell: Cell, sides: [Direction; 2], leave: Leave) -> bool {
        let [left, right] = sides;
        let beyond =
            |first, second| cell.neighbour(first).is_some_and(|side| self.is_fence(side, second, leave));
        self.is_fence(cell, left, leave)
            || self.is_fence(cell, right, leave)
            || beyond(left, right)
            || beyond(right, left)
    }
}

impl Cell {
    /// The highest cell of a footprint of this side.
    fn neighbour_by(self, side: u8) -> Option<Self> {
        let ahead = i32::from(side) - 1;
        Some(Self { x: self.x.checked_add(ahead)?, y: self.y.checked_add(ahead)? })
    }
}
