//! The price of a step besides the ground: the class that it leaves, and edges that it crosses.

use super::{
    Crossing,
    step_rules::{Ground, Leave, StepBar, StepRules},
};
use crate::{
    cell::{Cell, Direction},
    topology::Topology,
};

/// A cell and the direction of one of its sides.
type Side = (Cell, Direction);

/// The edges that one cell of a unit crosses in a step. The lesser one of two is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(crate) struct Crossed {
    pub(crate) is_closed: bool,
    pub(crate) ends_turn: bool,
    pub(crate) cost: u32,
}

impl Crossed {
    const fn and(self, other: Self) -> Self {
        Self {
            is_closed: self.is_closed || other.is_closed,
            ends_turn: self.ends_turn || other.ends_turn,
            cost: self.cost.saturating_add(other.cost),
        }
    }
}

impl StepRules<'_> {
    /// Returns the ground that sets the cost of a step, and whether the step ends the turn. `ground` is
    /// the ground of the anchor entered.
    pub(super) fn ground_after(
        &self,
        ground: Ground,
        anchor: Cell,
        direction: Direction,
        leave: Leave,
    ) -> Result<(Ground, bool), StepBar> {
        if !self.has_prices() {
            return Ok((ground, false));
        }
        let mut dearest: Option<Ground> = None;
        let mut ends_turn = false;
        for cell in self.cells_under(anchor) {
            let entered = cell.neighbour(direction).ok_or(StepBar::OffMap)?;
            let crossed = self.crossed(cell, direction);
            if crossed.is_closed && !self.is_lifted(cell, direction, leave) {
                return Err(StepBar::ClosedEdge { cell });
            }
            ends_turn |= crossed.ends_turn;
            let here = Ground { crossing: crossed.cost, ..self.cell_ground(entered, Some(cell), leave)? };
            if dearest.is_none_or(|dearest| dearest.sum() < here.sum()) {
                dearest = Some(here);
            }
        }
        Ok((dearest.unwrap_or(ground), ends_turn))
    }

    /// Returns whether steps may have prices.
    pub(crate) fn has_prices(&self) -> bool {
        !self.movement.class_steps().is_empty() || !self.movement.edges().is_empty()
    }

    /// Returns what a step out of a cell crosses.
    pub(crate) fn crossed(&self, cell: Cell, direction: Direction) -> Crossed {
        if self.movement.edges().is_empty() {
            return Crossed::default();
        }
        self.all_crossed(&self.sides_crossed(cell, direction))
    }

    /// Returns the names of the edges that a unit crosses in a step, sorted.
    pub(crate) fn edges_crossed(&self, anchor: Cell, direction: Direction) -> Vec<String> {
        let sides = self.cells_under(anchor).flat_map(|cell| self.sides_crossed(cell, direction));
        let sides: Vec<Side> = sides.flatten().collect();
        let is_crossed =
            |name: &&String| sides.iter().any(|&(cell, side)| self.grid.has_edge(name, cell, side));
        self.movement.edges().iter().map(|(name, _)| name).filter(is_crossed).cloned().collect()
    }

    /// Returns the sides of cells that a step out of a cell crosses.
    fn sides_crossed(&self, cell: Cell, direction: Direction) -> [Option<Side>; 2] {
        if !direction.is_diagonal() || self.grid.topology() == Topology::Hexagonal {
            return [Some((cell, direction)), None];
        }
        let [left, right] = [direction.turned(7), direction.turned(1)];
        let turns = [(left, right), (right, left)];
        let ways = turns.map(|(first, second)| {
            [Some((cell, first)), cell.neighbour(first).map(|beyond| (beyond, second))]
        });
        let [counts_first, counts_second] = turns.map(|(first, second)| self.is_way(cell, first, second));
        let is_first_better = self.all_crossed(&ways[0]) <= self.all_crossed(&ways[1]);
        let takes_first = match (counts_first, counts_second) {
            (true, true) => is_first_better,
            (false, false) => !is_first_better,
            (takes_first, _) => takes_first,
        };
        ways[usize::from(!takes_first)]
    }

    fn all_crossed(&self, sides: &[Option<Side>; 2]) -> Crossed {
        let crossed = sides.iter().flatten().map(|&(cell, side)| self.edge(cell, side));
        crossed.fold(Crossed::default(), Crossed::and)
    }

    /// Returns whether one cell can go round a corner by these two steps.
    fn is_way(&self, cell: Cell, first: Direction, second: Direction) -> bool {
        let has_exit = |cell, direction: Direction| self.exits_of(cell) >> direction as u8 & 1 == 1;
        cell.neighbour(first).is_some_and(|side| {
            self.cell_ground(side, None, Leave::Strict).is_ok()
                && has_exit(cell, first)
                && has_exit(side, second)
        })
    }

    /// Returns what the edges on a side of a cell mean.
    pub(super) fn edge(&self, cell: Cell, side: Direction) -> Crossed {
        let named = self.movement.edges().iter().filter(|(name, _)| self.grid.has_edge(name, cell, side));
        named.fold(Crossed::default(), |crossed, (_, crossing)| match *crossing {
            Crossing::Costs(cost) => crossed.and(Crossed { cost: cost.into(), ..Crossed::default() }),
            Crossing::Closed => Crossed { is_closed: true, ..crossed },
            Crossing::EndsTurn => Crossed { ends_turn: true, ..crossed },
        })
    }

    /// Returns the class of a cell that a step leaves.
    pub(super) fn class_left(&self, cell: Cell) -> u8 {
        self.grid.terrain(cell).unwrap_or(0)
    }

    /// Returns whether the step out of a cell is closed by its cost between classes.
    pub(super) fn closes_class_step(&self, cell: Cell, direction: Direction) -> bool {
        !self.movement.class_steps().is_empty()
            && cell.neighbour(direction).and_then(|entered| self.grid.terrain(entered)).is_some_and(
                |entered| {
                    self.movement.costs().is_passable(entered)
                        && self.movement.multiplier_between(self.class_left(cell), entered) == 0
                },
            )
    }

    /// Returns the exits of one cell that neither the map nor a cost between classes closes: bit n for
    /// the nth of [`Direction::ALL`].
    pub(crate) fn exits_of(&self, cell: Cell) -> u8 {
        let exits = self.grid.exits(cell).unwrap_or_default().bits();
        if self.movement.class_steps().is_empty() {
            return exits;
        }
        let is_open = |direction: &Direction| !self.closes_class_step(cell, *direction);
        exits & Direction::set_of(Direction::ALL.into_iter().filter(is_open))
    }
}
