//! A search over turns that keeps several labels for each cell.
//!
//! The search of [`turn_search`](super::turn_search) keeps one label for each cell on which a unit
//! may stop: the earliest turn, then the most points left. This is enough while all turns have
//! equal points. If the points of a turn depend on the class where it begins, a later label can be
//! better: two points are left on the beach in turn 2, but a unit that waited at sea arrives in
//! turn 3 with four. So a cell keeps each label that no other one is as good as.
//!
//! Labels leave the open list in the order of turns, then of points left, with the octile estimate
//! of the rest. No step goes back in this order (label-setting).
//!
//! Decision: `docs/decisions/66-rules-of-turns.md`.
//!
//! # Source
//! Martins, "On a multicriteria shortest path problem", European Journal of Operational Research
//! 16, 1984. Here one of the two criteria can be waited for.

use crate::{
    cost::Cost,
    dial::{
        turn_limits::{TimedStep, TurnLimits, TurnTime},
        turn_search::NO_LABEL,
    },
    search::Heuristic,
    space::{
        grid::{GridNode, GridSpace},
        octile_distance::OctileDistance,
    },
};
use rustc_hash::FxHashMap;
use std::{cmp::Reverse, collections::BinaryHeap};

/// The problem of a search.
#[derive(Clone, Copy)]
pub(crate) struct ParetoProblem<'a> {
    pub(crate) space: GridSpace<'a>,
    pub(crate) classes: &'a [u8],
    pub(crate) width: usize,
    /// The costs of a straight and of a diagonal step back onto a closed start.
    pub(crate) return_costs: [Cost; 2],
    pub(crate) limits: &'a TurnLimits,
    /// The estimate for a search to one cell. A step must not lower it by more than the points it
    /// uses.
    pub(crate) estimate: Option<OctileDistance>,
}

impl ParetoProblem<'_> {
    pub(crate) fn class(&self, node: GridNode) -> u8 {
        self.classes[node.y() as usize * self.width + node.x() as usize]
    }

    /// Calls `emit` for each step from a cell that no zone forbids.
    pub(crate) fn steps(&self, from: GridNode, mut emit: impl FnMut(TimedStep)) {
        let effects = self.limits.zone_effects(from);
        let class = self.class(from);
        let ending = effects.ending | self.space.ending(from);
        // All steps count: a detour over a cell where the unit may stop can be worth it.
        let directions = self.space.forward(from, None) & !effects.forbidden;
        self.space.offer(from, directions, |to, cost, link| {
            let classes = [class, self.class(to)];
            // A step costs 0 only onto a closed start.
            let cost = if cost == Cost::ZERO {
                let surcharge = self.space.surcharge(from, link);
                Cost::new(self.return_costs[link.place() / 4].get().saturating_add(surcharge))
            } else {
                cost
            };
            let ends_turn = ending >> link.place() & 1 == 1 || self.limits.ends_turn(classes);
            emit(TimedStep { from, to, classes, cost, ends_turn });
        });
    }
}

/// An entry into a cell: its time and its predecessor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParetoLabel {
    pub(crate) node: GridNode,
    pub(crate) time: TurnTime,
    /// The cost of the step onto the cell.
    pub(crate) step: u32,
    /// The previous label; [`NO_LABEL`] for the start.
    pub(crate) parent: u32,
    /// The next label of this cell, or [`NO_LABEL`].
    next: u32,
    /// True if a label that came later is as good.
    pub(crate) is_beaten: bool,
}

/// The labels of a cell.
#[derive(Clone, Copy, Debug)]
struct CellLabels {
    /// The first of the labels that no other one is as good as.
    first: u32,
    is_reached: bool,
}

/// A label-setting search over turns.
pub(crate) struct ParetoSearch {
    labels: Vec<ParetoLabel>,
    /// The labels that wait. Of equal ones, the newest comes first.
    open: BinaryHeap<(Reverse<u64>, u32)>,
    cells: FxHashMap<u32, CellLabels>,
    most_points: u64,
}

impl ParetoSearch {
    pub(crate) fn new(problem: &ParetoProblem<'_>) -> Self {
        let limits = problem.limits;
        let mut search = Self {
            labels: Vec::new(),
            open: BinaryHeap::new(),
            cells: FxHashMap::default(),
            most_points: limits.most_points().into(),
        };
        search.offer(problem, limits.start, TurnTime::begin(1, limits.first), 0, NO_LABEL);
        search
    }

    /// Returns the best label of the next cell on which the unit may stop.
    pub(crate) fn next(&mut self, problem: &ParetoProblem<'_>) -> Option<u32> {
        while let Some((_, index)) = self.open.pop() {
            let label = self.labels[index as usize];
            if label.is_beaten {
                continue;
            }
            problem.steps(label.node, |step| {
                for time in problem.limits.times(label.time, &step).into_iter().flatten() {
                    self.offer(problem, step.to, time, step.cost.get(), index);
                }
            });
            let is_new = self.cells.get(&label.node.packed()).is_some_and(|cell| !cell.is_reached);
            if is_new && problem.limits.can_stop(label.node) {
                self.cells.entry(label.node.packed()).and_modify(|cell| cell.is_reached = true);
                return Some(index);
            }
        }
        None
    }

    /// Opens a label, unless another label of the cell is as good.
    fn offer(&mut self, problem: &ParetoProblem<'_>, node: GridNode, time: TurnTime, step: u32, parent: u32) {
        let (limits, class) = (problem.limits, problem.class(node));
        let index = self.labels.len() as u32;
        let cell =
            self.cells.entry(node.packed()).or_insert(CellLabels { first: NO_LABEL, is_reached: false });
        let mut known = cell.first;
        while known != NO_LABEL {
            let label = &self.labels[known as usize];
            if limits.is_as_good(node, class, label.time, time) {
                return;
            }
            known = label.next;
        }
        // Takes out the labels that are no better than the new one.
        let (mut known, mut before) = (cell.first, NO_LABEL);
        while known != NO_LABEL {
            let ParetoLabel { time: other, next, .. } = self.labels[known as usize];
            if limits.is_as_good(node, class, time, other) {
                self.labels[known as usize].is_beaten = true;
                match self.labels.get_mut(before as usize) {
                    Some(before) => before.next = next,
                    None => cell.first = next,
                }
            } else {
                before = known;
            }
            known = next;
        }
        let next = std::mem::replace(&mut cell.first, index);
        self.labels.push(ParetoLabel { node, time, step, parent, next, is_beaten: false });
        let estimate = problem.estimate.map_or(Cost::ZERO, |estimate| estimate.estimate(node));
        let points_spent = u64::from(time.turn) * self.most_points + self.most_points - u64::from(time.left);
        self.open.push((Reverse(points_spent + u64::from(estimate.get())), index));
    }

    pub(crate) fn label(&self, index: u32) -> &ParetoLabel {
        &self.labels[index as usize]
    }

    pub(crate) fn into_labels(self) -> Vec<ParetoLabel> {
        self.labels
    }
}
