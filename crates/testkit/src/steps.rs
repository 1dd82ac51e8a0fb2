//! The steps of a unit: the rules in words, as tests on cells.

use crate::{
    Land, Unit,
    land::{DIRECTIONS, direction},
};

type Position = (i32, i32);

/// The value of an overlay that closes a cell to units for which the overlay counts.
const CLOSING: u64 = 65_535;

/// The steps of a unit with a start, or of a unit that only walks on open ground.
///
/// An anchor is the lowest leftmost cell of a footprint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steps<'a> {
    pub(crate) land: &'a Land,
    pub(crate) unit: &'a Unit,
    pub(crate) start: Option<Position>,
    /// The anchors by which the unit leaves closed ground, and the open one behind them.
    pub(crate) chain: &'a [Position],
    /// Whether the unit may enter closed cells that are not void, from its start.
    pub(crate) digs: bool,
}

fn plus(position: Position, offset: Position) -> Position {
    (position.0 + offset.0, position.1 + offset.1)
}

impl Steps<'_> {
    pub(crate) fn footprint(&self, anchor: Position) -> impl Iterator<Item = Position> + use<> {
        let size = self.unit.size;
        (0..size * size).map(move |number| plus(anchor, (number % size, number / size)))
    }

    /// Returns whether the whole footprint lies in the rectangle.
    pub(crate) fn fits(&self, anchor: Position) -> bool {
        self.footprint(anchor).all(|cell| self.land.map.contains(cell))
    }

    /// Returns whether a cell lies under the footprint of the start.
    fn is_under_start(&self, (x, y): Position) -> bool {
        let size = self.unit.size;
        self.start
            .is_some_and(|(left, low)| (left..left + size).contains(&x) && (low..low + size).contains(&y))
    }

    fn cell_multiplier(&self, cell: Position, is_leaving: bool) -> Option<u64> {
        let class = self.land.map.class(cell)?;
        let slot = self.land.map.slot(cell);
        let multipliers = &self.unit.rules.multipliers;
        let named = || self.unit.overlays.iter().filter_map(|name| self.land.overlays.get(name));
        let is_shut = self.land.void[slot] || named().any(|values| values[slot] == CLOSING);
        let from_table = if is_shut { 0 } else { multipliers[usize::from(class)] };
        if from_table == 0 {
            let least = multipliers.iter().copied().filter(|&multiplier| multiplier > 0).min().unwrap_or(1);
            let is_dug = self.digs && !self.land.void[slot];
            return (is_leaving && (self.is_under_start(cell) || is_dug)).then_some(least);
        }
        Some(from_table + named().map(|values| values[slot]).sum::<u64>())
    }

    /// Returns whether the edge between two cells counts as closed in both directions.
    fn is_fence(&self, one: Position, other: Position, is_leaving: bool) -> bool {
        let is_left = is_leaving && self.is_under_start(one) && self.is_under_start(other);
        self.land.is_fence(one, other) && !is_left
    }

    /// Returns the multiplier of an anchor, or `None` if it is closed.
    fn multiplier(&self, anchor: Position, is_leaving: bool) -> Option<u64> {
        let mut highest = 0;
        for cell in self.footprint(anchor) {
            highest = highest.max(self.cell_multiplier(cell, is_leaving)?);
        }
        for cell in self.footprint(anchor) {
            for other in [plus(cell, (1, 0)), plus(cell, (0, 1))] {
                let size = self.unit.size;
                let is_inner = other.0 < anchor.0 + size && other.1 < anchor.1 + size;
                if is_inner && self.is_fence(cell, other, is_leaving) {
                    return None;
                }
            }
        }
        Some(highest)
    }

    /// Returns whether the anchor is open to units with another start.
    pub(crate) fn is_open(&self, anchor: Position) -> bool {
        self.multiplier(anchor, false).is_some()
    }

    /// Returns whether the anchor is open only because the unit starts there or close to it.
    pub(crate) fn is_borrowed(&self, anchor: Position) -> bool {
        !self.is_open(anchor) && self.multiplier(anchor, true).is_some()
    }

    /// Returns whether each cell under the footprint has an open exit in the direction.
    fn has_exits(&self, anchor: Position, number: usize, is_leaving: bool) -> bool {
        self.footprint(anchor).all(|cell| {
            let entered = plus(cell, DIRECTIONS[number]);
            // A unit may cross an edge under its own start.
            let is_straight = self.land.is_hexagonal || number.is_multiple_of(2);
            let is_astride = self.is_under_start(cell) && self.is_under_start(entered);
            self.land.has_exit(cell, number)
                || is_leaving && is_straight && is_astride && self.land.is_fence(cell, entered)
        })
    }

    /// Returns whether the diagonal step of a cell crosses the end of an edge that is closed in
    /// both directions.
    fn cuts_fence(&self, cell: Position, (dx, dy): Position, is_leaving: bool) -> bool {
        let [beside, above, across] = [(dx, 0), (0, dy), (dx, dy)].map(|offset| plus(cell, offset));
        [(cell, beside), (cell, above), (beside, across), (above, across)]
            .into_iter()
            .any(|(one, other)| self.is_fence(one, other, is_leaving))
    }

    /// Returns the cost of a step, or `None` if there is no such step.
    pub(crate) fn cost(&self, from: Position, to: Position) -> Option<u64> {
        let number = direction(from, to).filter(|number| self.land.directions().contains(number))?;
        if !self.fits(from) {
            return None;
        }
        if let Some(pair) = self.chain.windows(2).find(|pair| pair[0] == from) {
            let steps = Steps { start: Some(from), chain: &[], digs: true, ..*self };
            return steps.cost(from, to).filter(|_| to == pair[1]);
        }
        let is_leaving = self.start == Some(from) || self.is_borrowed(from);
        let multiplier = self.multiplier(to, is_leaving)?;
        if !self.has_exits(from, number, is_leaving) {
            return None;
        }
        let rules = &self.unit.rules;
        let (dx, dy) = DIRECTIONS[number];
        if self.land.is_hexagonal || dx == 0 || dy == 0 {
            return Some(rules.straight * multiplier);
        }
        let allowed = rules.diagonals.obstacles_allowed()?;
        let is_allowed = if allowed == 2 {
            !self.footprint(from).any(|cell| self.cuts_fence(cell, (dx, dy), is_leaving))
        } else {
            let sides = [((dx, 0), (0, dy)), ((0, dy), (dx, 0))];
            let is_free = |&(first, second): &(Position, Position)| {
                let side = plus(from, first);
                let number_of = |offset| direction((0, 0), offset).expect("it is a straight step");
                self.is_open(side)
                    && self.has_exits(from, number_of(first), is_leaving)
                    && self.has_exits(side, number_of(second), is_leaving)
            };
            sides.iter().filter(|side| !is_free(side)).count() <= allowed
        };
        is_allowed.then_some(rules.diagonal * multiplier)
    }
}
