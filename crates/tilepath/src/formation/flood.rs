//! Cells around a goal, by the length of the walk.

use super::{
    kinds::Kind,
    outline::Outline,
    places::Asked,
    slice::{Slice, Stop},
};
use crate::{
    bounds::Bounds,
    cell::{Cell, Direction},
    crowd::{EFFORT_PER_DIAGONAL_STEP, EFFORT_PER_STRAIGHT_STEP, Steps},
    finder::{PathFinder, outcome::QueryError},
    movement::Movement,
    topology::Topology,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::{cmp::Reverse, collections::BinaryHeap};

/// The work of settling one cell of a flood.
const SETTLED_WORK: u64 = 4;

/// Cells ordered by the length of the walk from a kind's anchor, without regard to ground costs.
pub(super) struct Flood<'map> {
    steps: Steps<'map>,
    rules: &'map Movement,
    finder: &'map PathFinder,
    bounds: Bounds,
    topology: Topology,
    anchor: Cell,
    /// The cell that breaks ties: of equally long walks, the cell nearer to it comes first.
    goal: Cell,
    side: u8,
    /// The direction that breaks further ties: cells behind the goal come first.
    heading: (i32, i32),
    /// The cells that the walk may pass; `None` if it may pass all.
    outline: Option<Outline>,
    pub(super) known: KnownFlood,
    next: usize,
}

/// The cells that a flood has reached.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownFlood {
    queue: BinaryHeap<Reverse<(u64, u64, i64, usize)>>,
    efforts: FxHashMap<usize, u64>,
    /// The cells settled so far, in order.
    settled: Vec<Cell>,
}

impl<'map> Flood<'map> {
    pub(super) fn new(
        asked: &Asked<'map>,
        kind: &Kind,
        (anchor, goal): (Cell, Cell),
        known: Option<KnownFlood>,
    ) -> Result<Self, QueryError> {
        let Asked { finder, heading, .. } = *asked;
        let steps = Steps::new(finder, kind.movement)?;
        let rules = finder.movement(kind.movement).ok_or(QueryError::UnknownMovement(kind.movement))?;
        let mut flood = Self {
            steps,
            rules,
            finder,
            bounds: finder.grid().bounds(),
            topology: finder.grid().topology(),
            anchor,
            goal,
            side: kind.side,
            heading,
            outline: None,
            known: KnownFlood::default(),
            next: 0,
        };
        if let Some(known) = known {
            flood.known = known;
        } else if let Some(slot) = flood.bounds.slot(anchor) {
            flood.offer(slot, 0);
        }
        Ok(flood)
    }

    /// Keeps the walk from its anchor inside the outline of a shape. Call it before the first cell is
    /// taken.
    pub(super) fn keep_inside(&mut self, points: &FxHashSet<Cell>) {
        let ends = (self.anchor, self.goal);
        let is_open = |cell| self.rules.is_open(self.finder.grid(), cell);
        self.outline = Some(Outline::new(self.topology, ends, self.side, points, is_open));
    }

    fn offer(&mut self, slot: usize, effort: u64) {
        let Some(cell) = self.bounds.cell(slot) else { return };
        if self.known.efforts.get(&slot).is_some_and(|&known| known <= effort)
            || self.outline.as_ref().is_some_and(|outline| !outline.contains(cell))
        {
            return;
        }
        self.known.efforts.insert(slot, effort);
        self.known.queue.push(Reverse((effort, self.roundness(cell), self.ahead(cell), slot)));
    }

    /// Returns the squared distance from the middle of a unit to the goal, without obstacles, times
    /// four.
    fn roundness(&self, cell: Cell) -> u64 {
        let off = |to: i32, from: i32| 2 * (i64::from(to) - i64::from(from)) + i64::from(self.side) - 1;
        let (x, y) = (off(cell.x, self.goal.x), off(cell.y, self.goal.y));
        let squared = match self.topology {
            Topology::Square => x * x + y * y,
            Topology::Hexagonal => x * x + y * y + x * y,
        };
        squared.unsigned_abs()
    }

    /// Returns how far a cell lies in front of the goal, along the heading.
    fn ahead(&self, cell: Cell) -> i64 {
        let (x, y) = (i64::from(cell.x) - i64::from(self.goal.x), i64::from(cell.y) - i64::from(self.goal.y));
        let (along, across) = (i64::from(self.heading.0), i64::from(self.heading.1));
        match self.topology {
            Topology::Square => x * along + y * across,
            Topology::Hexagonal => 2 * (x * along + y * across) + x * across + y * along,
        }
    }

    /// Settles one more cell; returns false if none is left.
    fn advance(&mut self, slice: &mut Slice) -> Result<bool, Stop> {
        slice.check()?;
        while let Some(Reverse((effort, .., slot))) = self.known.queue.pop() {
            if self.known.efforts.get(&slot) != Some(&effort) {
                continue;
            }
            let Some(cell) = self.bounds.cell(slot) else { continue };
            let exits = self.steps.exits(slot);
            for direction in Direction::ALL.into_iter().filter(|&direction| exits.contains(direction)) {
                let next = cell.neighbour(direction).and_then(|next| self.bounds.slot(next));
                if let Some(next) = next {
                    self.offer(next, effort + u64::from(self.steps.effort(direction)));
                }
            }
            self.known.settled.push(cell);
            slice.spend(SETTLED_WORK);
            return Ok(true);
        }
        Ok(false)
    }

    pub(super) fn rewind(&mut self) {
        self.next = 0;
    }

    /// Returns the next cell on which a unit may stand.
    pub(super) fn next_cell(&mut self, slice: &mut Slice) -> Result<Option<Cell>, Stop> {
        loop {
            if self.next == self.known.settled.len() && !self.advance(slice)? {
                return Ok(None);
            }
            let cell = self.known.settled[self.next];
            self.next += 1;
            // A kind may gather around closed ground on which a unit stands. A unit of several
            // cells starts with some of it.
            if self.rules.is_open(self.finder.grid(), cell) {
                return Ok(Some(cell));
            }
        }
    }

    /// Returns whether a unit may stand on a cell and the walk to it has no long detour. The walk
    /// may be two straight steps longer than the distance, and its effort may be at most
    /// `farthest`. So it may lead around a pillar, but not around a wall. It stays inside the
    /// outline, if there is one, so it does not lead through a gate beside the shape.
    pub(super) fn is_near(&mut self, cell: Cell, farthest: u64, slice: &mut Slice) -> Result<bool, Stop> {
        let Some(slot) = self.bounds.slot(cell) else { return Ok(false) };
        if !self.rules.is_open(self.finder.grid(), cell) {
            return Ok(false);
        }
        let most =
            (self.effort_as_the_crow_flies(cell) + 2 * u64::from(EFFORT_PER_STRAIGHT_STEP)).min(farthest);
        while self.known.queue.peek().is_some_and(|Reverse((effort, ..))| {
            *effort <= most && self.known.efforts.get(&slot).is_none_or(|known| known > effort)
        }) && self.advance(slice)?
        {}
        Ok(self.known.efforts.get(&slot).is_some_and(|&effort| effort <= most))
    }

    pub(super) fn effort_as_the_crow_flies(&self, cell: Cell) -> u64 {
        let straight = u64::from(EFFORT_PER_STRAIGHT_STEP);
        match self.topology {
            Topology::Hexagonal => self.topology.steps(self.anchor, cell) * straight,
            Topology::Square => {
                let (x, y) = (self.anchor.x.abs_diff(cell.x), self.anchor.y.abs_diff(cell.y));
                let (short, long) = (u64::from(x.min(y)), u64::from(x.max(y)));
                short * u64::from(EFFORT_PER_DIAGONAL_STEP) + (long - short) * straight
            }
        }
    }
}
