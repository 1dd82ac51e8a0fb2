//! Answers of a field to units, in slices of work.

use super::{FieldState, FlowField, space};
use crate::{
    cell::Cell,
    cost::Cost,
    finder::{
        fields::nearest::{NearestAnswer, NearestGoal},
        outcome::{QueryError, Statistics},
        query::Algorithm,
    },
    path::Path,
    space::grid::GridNode,
};
use std::mem;

/// Small enough to stop soon, large enough to make the test of a cell cheap.
const SLICE: u64 = 64;

/// For each cell, the first goal in the list of goals among its cheapest goals.
#[derive(Clone, Debug, Default)]
pub(super) struct FirstGoals {
    /// By slot, the index of the goal plus one; 0 if it is not known yet. Empty before the first
    /// query.
    known: Vec<u32>,
    /// A stack of cells that wait for the cells pushed after them.
    waiting: Vec<GridNode>,
}

impl FirstGoals {
    /// Drops all entries. The map or the costs have changed.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }
}

impl FlowField {
    /// Returns the answer of [`PathFinder::solve_nearest`](crate::PathFinder::solve_nearest) for a
    /// unit on `start` and the goals of this field. The field advances as far as needed, by at most
    /// `budget` of [work](Self::work). Returns `None` if the budget was too small; then call this
    /// function again.
    ///
    /// # Errors
    /// - [`QueryError::StartOutOfBounds`]: the cell is not on the map.
    /// - [`QueryError::CostOverflow`]: there is a path, but its cost is too large for a [`Cost`].
    ///
    /// # Complexity
    /// O(length of the path) if the cost of `start` is settled. With several goals, the cells on
    /// the cheapest paths from `start` are examined too, each once for all units.
    ///
    /// # Guarantee
    /// Cost and goal are as in `solve_nearest`: if goals have equal costs, the first in the list
    /// wins.
    ///
    /// If several paths are equally cheap, the path whose first step comes first in compass order
    /// wins; then the second steps are compared, and so on. The path does not depend on slices or
    /// edits, but `solve_nearest` may return another of the equally cheap paths. [`Statistics`]
    /// reports 0 expansions for this unit.
    ///
    /// The guarantee does not cover units of several cells that stand on closed ground: only a
    /// search computes which closed cells they may use to leave this ground.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Grid, Movement, PathFinder, field::FieldQuery};
    /// let finder = PathFinder::new(Grid::new(60, 60, 1)?, Movement::new());
    /// let mut field = finder.begin_field(&FieldQuery::new([Cell::new(0, 9), Cell::new(40, 9)]))?;
    /// let unit = Cell::new(20, 9); // as far from the one as from the other
    /// let mut slices = 0;
    /// let answer = loop {
    ///     slices += 1;
    ///     if let Some(answer) = field.nearest_from(unit, 100) {
    ///         break answer?;
    ///     }
    /// };
    /// assert!(slices > 1);
    /// assert_eq!((answer.goals[0].index, answer.goals[0].path.cost()), (0, Cost::new(200)));
    /// assert_eq!(answer.statistics.expanded, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn nearest_from(&mut self, start: Cell, budget: u64) -> Option<Result<NearestAnswer, QueryError>> {
        let bounds = self.map.bounds;
        let Some(node) = GridNode::of(&bounds, start) else {
            return Some(Err(QueryError::StartOutOfBounds { cell: start, bounds }));
        };
        let until = self.work().saturating_add(budget);
        let cost = loop {
            match self.state_of(node) {
                FieldState::Settled(cost) => break Some(cost),
                FieldState::Pending if self.work() < until => {
                    self.advance(SLICE.min(until - self.work()));
                }
                FieldState::Pending => return None,
                FieldState::CostOverflow => return Some(Err(QueryError::CostOverflow)),
                FieldState::Unreachable | FieldState::OutOfBounds => break None,
            }
        };
        let goals = match cost {
            Some(cost) => vec![self.read(node, cost, until)?],
            None => Vec::new(),
        };
        let statistics = Statistics { expanded: 0, generated: 0, algorithm: Algorithm::Dijkstra };
        Some(Ok(NearestAnswer { goals, statistics }))
    }

    /// Returns the work done so far, in the unit of [`PathSearch::work`](crate::PathSearch::work).
    /// The work includes all settled, repaired and read cells, also those from before a restart.
    ///
    /// # Units
    /// One for each cell that is settled, repaired, or read as a part of a path.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.looked_at + self.statistics().expanded
    }

    /// Returns the path from a cell whose cost is settled; `None` if `until` was reached first.
    fn read(&mut self, start: GridNode, cost: Cost, until: u64) -> Option<NearestGoal> {
        let (nodes, index): (Vec<GridNode>, _) = if self.goals.len() == 1 {
            (self.walk(start), self.goals[0].1 as usize)
        } else {
            let mut first_goals = mem::take(&mut self.first_goals);
            let first = self.first_goal(&mut first_goals, start, until);
            let way = first.map(|first| {
                let leads_there = |entered| first_goals.known[self.slot_of(entered)] == first;
                (self.walk_by(start, leads_there), first as usize - 1)
            });
            self.first_goals = first_goals;
            way?
        };
        self.looked_at += nodes.len() as u64;
        let cells = nodes.iter().map(|node| node.cell(&self.map.bounds)).collect();
        let path = Path::new(cells, cost, cost, self.map.movement_map.topology());
        Some(NearestGoal { index, path })
    }

    /// Returns the index plus one of the first goal in the list to which cheapest paths lead.
    /// Returns `None` if `until` was reached first.
    fn first_goal(&mut self, first_goals: &mut FirstGoals, start: GridNode, until: u64) -> Option<u32> {
        let FirstGoals { known, waiting } = first_goals;
        let slot = |node| self.slot_of(node);
        let space = space(&self.map);
        known.resize(self.map.bounds.cell_count(), 0);
        let mut looked_at = 0;
        let spent = self.work();
        let found = loop {
            if known[slot(start)] != 0 {
                break Some(known[slot(start)]);
            }
            if spent + looked_at >= until {
                break None;
            }
            // Finishes the cells that an earlier query left, so that repeated queries progress.
            if waiting.is_empty() {
                waiting.push(start);
            }
            let node = waiting[waiting.len() - 1];
            looked_at += 1;
            let behind = waiting.len();
            let mut first = self.goal_index(node).map_or(u32::MAX, |index| index as u32 + 1);
            if first == u32::MAX && known[slot(node)] == 0 {
                let FieldState::Settled(cost) = self.state_of(node) else { break None };
                for (_, entered, _) in self.cheapest_steps(&space, node, cost) {
                    match known[slot(entered)] {
                        0 => waiting.push(entered),
                        index => first = first.min(index),
                    }
                }
            }
            if waiting.len() == behind {
                if known[slot(node)] == 0 {
                    known[slot(node)] = first;
                }
                waiting.pop();
            }
        };
        self.looked_at += looked_at;
        found
    }

    fn slot_of(&self, node: GridNode) -> usize {
        node.y() as usize * self.map.bounds.width() as usize + node.x() as usize
    }
}
