//! A search for paths divided into turns.
//!
//! A label is a cell, the turn in which it is entered, and the points used of that turn. The points
//! of a turn are lost at its end, so labels compare by turn and then by points used.
//!
//! If a unit may stop on a cell, it can begin the next turn there with all its points. That is as
//! good as any label of a later turn, so such a cell keeps only its best label.
//!
//! If a unit may pass a cell but not stop on it, a label of a later turn is kept if it has more
//! points left. The unit may need those points to get across.
//!
//! Labels leave the open list in the order of points gone by: all points of earlier turns, used or
//! not, plus the points used in this turn. No step lowers this sum, so a label is final when it
//! leaves (label-setting).
//!
//! The estimate of the rest is the octile one. The points gone by always grow by at least as much
//! as the estimate falls.

use crate::{
    cost::Cost,
    search::Heuristic,
    space::{
        grid::{GridNode, GridSpace},
        octile_distance::OctileDistance,
    },
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::{cmp::Reverse, collections::BinaryHeap};

/// The rule for a step that costs more than all points of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum LongStep {
    /// The step is never taken.
    #[default]
    Never,
    /// The step takes a whole turn: it begins when the turn begins, uses all points of the turn,
    /// and ends the turn. The unit must be allowed to stop on the cell that the step enters. A turn
    /// in which the unit has already moved is not a whole turn.
    OwnTurn,
    /// The step is taken if any point of the turn is left, and uses all points that are left. So
    /// the last point is enough to enter a mountain, as in Civilization 5. A unit without points
    /// still does not move.
    AnyPoints,
}

/// The rules of a unit's turns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TurnRules {
    /// The points of each turn after the first.
    pub(crate) points: u32,
    /// The points of the first turn.
    pub(crate) first: u32,
    /// The last turn, from 1.
    pub(crate) turns: u32,
    pub(crate) long_step: LongStep,
}

impl TurnRules {
    /// Returns the points of a turn, from 1.
    pub(crate) const fn points_of(&self, turn: u32) -> u32 {
        if turn == 1 { self.first } else { self.points }
    }

    /// Returns the points that are left at a label.
    pub(crate) const fn points_left(&self, label: &TurnLabel) -> u32 {
        self.points_of(label.turn) - label.used
    }

    /// Returns the points of all earlier turns plus the points used in this one. It orders labels
    /// by turn, then by points used.
    const fn gone_by(&self, turn: u32, used: u32) -> u64 {
        let before = if turn == 1 { 0 } else { self.first as u64 + (turn as u64 - 2) * self.points as u64 };
        before + used as u64
    }

    /// Returns when a step can be taken from a cell that was entered in a turn with this many
    /// points used.
    pub(crate) fn times(&self, turn: u32, used: u32, step: u32, can_stop: CanStop) -> StepTimes {
        let mut times = StepTimes { now: None, later: None };
        let points = self.points_of(turn);
        if step <= points - used {
            times.now = Some((turn, used + step));
        }
        if !can_stop.here {
            return times;
        }
        let next = turn.checked_add(1).filter(|&next| next <= self.turns);
        if step <= self.points {
            // If the unit may also stop on the next cell, it can wait there for the next turn.
            if times.now.is_none() || !can_stop.there {
                times.later = next.map(|next| (next, step));
            }
        } else if self.long_step == LongStep::OwnTurn
            && times.now.is_none()
            && can_stop.there
            && self.points > 0
        {
            if used == 0 && points >= self.points {
                times.now = Some((turn, points));
            } else {
                times.later = next.map(|next| (next, self.points));
            }
        }
        times
    }
}

/// The permission of a unit to stop at the two ends of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CanStop {
    pub(crate) here: bool,
    pub(crate) there: bool,
}

/// The turns in which a step can be taken, each with the points used then: in this turn, in the
/// next one after a wait, or both if it is not clear which is better.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepTimes {
    pub(crate) now: Option<(u32, u32)>,
    pub(crate) later: Option<(u32, u32)>,
}

/// An entry into a cell: its turn, points used and predecessor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TurnLabel {
    pub(crate) node: GridNode,
    /// The previous label; [`NO_LABEL`] for the start.
    pub(crate) parent: u32,
    pub(crate) turn: u32,
    pub(crate) used: u32,
    /// The cost of the step onto the cell.
    pub(crate) step: u32,
}

pub(crate) const NO_LABEL: u32 = u32::MAX;

/// The best label of a cell.
#[derive(Clone, Copy)]
enum Known {
    /// A cell on which the unit may stop: the points gone by at its best label so far.
    Stop { gone_by: u64, label: u32 },
    /// A cell on which the unit may not stop: the most points left at a final label.
    Pass { left: u32 },
}

/// The problem of a turn search.
#[derive(Clone, Copy)]
pub(crate) struct TurnProblem<'a> {
    pub(crate) space: GridSpace<'a>,
    pub(crate) rules: TurnRules,
    /// Packed nodes on which the unit may not stop, unless it begins there.
    pub(crate) no_stop: &'a FxHashSet<u32>,
    pub(crate) start: GridNode,
    /// The estimate for a search to one cell. A step must not lower it by more than the points it
    /// uses.
    pub(crate) estimate: Option<OctileDistance>,
}

impl TurnProblem<'_> {
    pub(crate) fn can_stop(&self, node: GridNode) -> bool {
        node == self.start || !self.no_stop.contains(&node.packed())
    }
}

/// A label-setting search over turns.
pub(crate) struct TurnSearch {
    labels: Vec<TurnLabel>,
    /// The labels that wait. Of equal ones, the newest comes first.
    open: BinaryHeap<(Reverse<u64>, u32)>,
    known: FxHashMap<u32, Known>,
}

impl TurnSearch {
    pub(crate) fn new(problem: &TurnProblem<'_>) -> Self {
        let mut search = Self { labels: Vec::new(), open: BinaryHeap::new(), known: FxHashMap::default() };
        let start = TurnLabel { node: problem.start, parent: NO_LABEL, turn: 1, used: 0, step: 0 };
        search.offer(problem, start);
        search
    }

    /// Returns the best label of the next cell on which the unit may stop.
    pub(crate) fn next(&mut self, problem: &TurnProblem<'_>) -> Option<u32> {
        while let Some((_, index)) = self.open.pop() {
            let label = self.labels[index as usize];
            let key = label.node.packed();
            let is_stop = match self.known.get(&key) {
                Some(Known::Stop { label, .. }) if *label != index => continue,
                Some(Known::Stop { .. }) => true,
                known => {
                    let left = problem.rules.points_of(label.turn) - label.used;
                    if matches!(known, Some(Known::Pass { left: most }) if *most >= left) {
                        continue;
                    }
                    self.known.insert(key, Known::Pass { left });
                    false
                }
            };
            self.expand(problem, index, label);
            if is_stop {
                return Some(index);
            }
        }
        None
    }

    pub(crate) fn label(&self, index: u32) -> &TurnLabel {
        &self.labels[index as usize]
    }

    pub(crate) fn into_labels(self) -> Vec<TurnLabel> {
        self.labels
    }

    fn expand(&mut self, problem: &TurnProblem<'_>, index: u32, from: TurnLabel) {
        let here = problem.can_stop(from.node);
        // Offers all allowed steps, because a detour over a cell where the unit may stop can be
        // worth it.
        let directions = problem.space.forward(from.node, None);
        problem.space.offer(from.node, directions, |node, step, _| {
            let there = problem.can_stop(node);
            let times = problem.rules.times(from.turn, from.used, step.get(), CanStop { here, there });
            for (turn, used) in [times.now, times.later].into_iter().flatten() {
                self.offer(problem, TurnLabel { node, parent: index, turn, used, step: step.get() });
            }
        });
    }

    /// Opens a label, unless one that is as good is known.
    fn offer(&mut self, problem: &TurnProblem<'_>, label: TurnLabel) {
        let TurnLabel { node, turn, used, .. } = label;
        let gone_by = problem.rules.gone_by(turn, used);
        let index = self.labels.len() as u32;
        let known = self.known.get(&node.packed());
        if problem.can_stop(node) {
            if matches!(known, Some(Known::Stop { gone_by: least, .. }) if *least <= gone_by) {
                return;
            }
            self.known.insert(node.packed(), Known::Stop { gone_by, label: index });
        } else {
            let left = problem.rules.points_of(turn) - used;
            if matches!(known, Some(Known::Pass { left: most }) if *most >= left) {
                return;
            }
        }
        self.labels.push(label);
        let estimate = problem.estimate.map_or(Cost::ZERO, |estimate| estimate.estimate(node));
        self.open.push((Reverse(gone_by + u64::from(estimate.get())), index));
    }
}
