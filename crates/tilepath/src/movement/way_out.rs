//! The chain of closed cells by which a unit leaves closed ground.
//!
//! Decision: `docs/decisions/71-out-of-closed-ground.md`.

use super::{Leave, Movement, StepRules, step_rules::AllowedStep};
use crate::{
    cell::{Cell, Direction},
    grid::Grid,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The steps by which a unit deep in closed ground leaves it: a chain of closed anchors, and the open
/// anchor behind the last of them. The chain takes the fewest closed anchors, then the least cost with
/// the step off it, then the first directions of the compass.
///
/// The rest of a chain is the chain of each of its anchors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct WayOut {
    cells: Vec<Cell>,
}

impl WayOut {
    /// The most closed anchors of a chain, the start included.
    pub(crate) const MOST_CLOSED: usize = 16;

    /// Returns the chain of a unit that starts on a cell. Returns `None` if the start is open, if the
    /// unit walks off it onto open ground at once, or if no chain is short enough.
    ///
    /// # Complexity
    /// O(closed anchors up to the nearest open one), a thousand at most.
    pub(crate) fn find(movement: &Movement, grid: &Grid, start: Cell) -> Option<Self> {
        let rules = StepRules::new(movement, grid, start);
        if !grid.bounds().contains(start) || rules.is_open(start) || rules.leaves_at_once() {
            return None;
        }
        let ground = ClosedGround { movement, grid };
        let layers = ground.layers(start)?;
        let next = ground.next_of(&layers);
        let mut cells = vec![start];
        while let Some(&entered) = cells.last().and_then(|cell| next.get(cell)) {
            cells.push(entered);
        }
        Some(Self { cells })
    }

    /// Returns the chain: the start, the other closed anchors, and the open one.
    pub(crate) fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Returns the open anchor at the end.
    pub(crate) fn exit(&self) -> Option<Cell> {
        self.cells.last().copied()
    }
}

/// Closed ground around a start.
struct ClosedGround<'a> {
    movement: &'a Movement,
    grid: &'a Grid,
}

impl ClosedGround<'_> {
    /// Returns the steps out of a closed anchor over closed ground, in the order of the compass.
    fn steps(&self, from: Cell) -> impl Iterator<Item = (Cell, AllowedStep)> {
        let rules = StepRules::new(self.movement, self.grid, from);
        Direction::ALL.into_iter().filter_map(move |direction| {
            let step = rules.judge_out_of(from, direction, Leave::Chain).ok()?;
            Some((from.neighbour(direction)?, step))
        })
    }

    fn is_open(&self, anchor: Cell) -> bool {
        StepRules::new(self.movement, self.grid, anchor).is_open(anchor)
    }

    /// Returns the closed anchors by their number of steps from the start, up to the first ones that
    /// touch an open anchor.
    fn layers(&self, start: Cell) -> Option<Vec<Vec<Cell>>> {
        let mut layers = vec![vec![start]];
        let mut seen = FxHashSet::from_iter([start]);
        loop {
            let (mut entered, mut is_out) = (Vec::new(), false);
            for (to, _) in layers.last()?.iter().flat_map(|&from| self.steps(from)) {
                if seen.insert(to) {
                    is_out |= self.is_open(to);
                    entered.push(to);
                }
            }
            if is_out {
                return Some(layers);
            }
            if entered.is_empty() || layers.len() == WayOut::MOST_CLOSED {
                return None;
            }
            layers.push(entered);
        }
    }

    /// Returns for each closed anchor that begins a shortest chain the anchor after it.
    fn next_of(&self, layers: &[Vec<Cell>]) -> FxHashMap<Cell, Cell> {
        let mut next = FxHashMap::default();
        // The costs from the layer behind to open ground.
        let mut rests: FxHashMap<Cell, u64> = FxHashMap::default();
        for (depth, layer) in layers.iter().enumerate().rev() {
            let is_last = depth + 1 == layers.len();
            let mut costs = FxHashMap::default();
            for &from in layer {
                let cost_by = |(to, step): (Cell, AllowedStep)| {
                    let rest = if is_last { self.is_open(to).then_some(0) } else { rests.get(&to).copied() };
                    Some((u64::from(step.cost().get()) + rest?, to))
                };
                // The first one is taken if costs are equal.
                if let Some((cost, to)) = self.steps(from).filter_map(cost_by).min_by_key(|&(cost, _)| cost) {
                    costs.insert(from, cost);
                    next.insert(from, to);
                }
            }
            rests = costs;
        }
        next
    }
}
