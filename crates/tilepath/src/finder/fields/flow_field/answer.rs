//! What a field answers a unit, in slices of work.

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

/// Few enough cells to stop soon, enough to make the look at one of them cheap.
const SLICE: u64 = 64;

/// Of cells from which several goals are as cheap: which of these comes first in the list of goals.
#[derive(Debug, Default)]
pub(super) struct FirstGoals {
    /// By slot, the goal's index and one; 0 where it is not known yet. Empty before the first question.
    known: Vec<u32>,
    /// Cells that wait for those behind them; the last ones come first.
    waiting: Vec<GridNode>,
}

impl FirstGoals {
    /// The map or the costs are others.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }
}

impl FlowField {
    /// What [`PathFinder::solve_nearest`](crate::PathFinder::solve_nearest) would answer a unit on that cell that asks for the
    /// nearest of the field's goals. The field goes on as far as that takes, for at most so much [work](Self::work). `None`: it
    /// was not enough, ask again.
    ///
    /// # Errors
    /// - [`QueryError::StartOutOfBounds`]: the cell is not on the map.
    /// - [`QueryError::CostOverflow`]: there is a way, and what it costs cannot be stated.
    ///
    /// # Complexity
    /// O(path) where the field has come as far. With several goals also O(cells on the cheapest ways from there), once for all
    /// that ask.
    ///
    /// # Guarantee
    /// Cost and goal are those of the search: of goals that cost the same the one that comes first in the list. Of equally cheap
    /// paths it is the one whose first step comes first in compass order, then its second, whatever the slices and edits that led
    /// here; the search may take another. The [`Statistics`] tell that nothing was expanded for this unit alone. Not for units of
    /// several cells that stand on closed ground: which cells they may borrow on their way off is known to searches only.
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

    /// The work done so far, in the unit of [`PathSearch::work`](crate::PathSearch::work): all that was settled, repaired and looked
    /// at, also before the field began again.
    ///
    /// # Units
    /// One for each cell that is settled, repaired, or read as part of a way.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.looked_at + self.statistics().expanded
    }

    /// The way from a cell whose cost is settled; `None` if that took too long.
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

    /// The first in the list of the goals to which cheapest ways lead from a cell, counted from 1. `None`: it took too long.
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
            // What an earlier question left is finished first, so that none is begun again for ever.
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
