//! Rules of turns that depend on cells: zones, shores, points by class.
//!
//! All rules are monotone: with more points left in a turn, a unit may take each step that it may
//! take with fewer, and has at least as many points left after it. So of two labels of a cell in
//! one turn, the label with more points left is as good as the other in all that follows.

use crate::{cost::Cost, dial::turn_search::LongStep, space::grid::GridNode};
use rustc_hash::{FxHashMap, FxHashSet};

/// A time in the turns of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TurnTime {
    /// The turn, from 1.
    pub(crate) turn: u32,
    /// The points with which the turn began.
    pub(crate) points: u32,
    /// The points left.
    pub(crate) left: u32,
}

impl TurnTime {
    /// Returns the begin of a turn with this number of points.
    pub(crate) const fn begin(turn: u32, points: u32) -> Self {
        Self { turn, points, left: points }
    }
}

/// The effects of the steps that leave a cell, as bit sets of directions in
/// [`ORDER`](crate::movement_map::step_order::ORDER).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct StepEffects {
    /// The steps that end the turn.
    pub(crate) ending: u8,
    /// The steps that are forbidden.
    pub(crate) forbidden: u8,
}

/// The cells on which a unit may stop, apart from its start.
#[derive(Clone, Default, Debug)]
pub(crate) struct Stops {
    pub(crate) never: FxHashSet<u32>,
    /// If given, the only cells to stop on.
    pub(crate) only: Option<FxHashSet<u32>>,
}

/// For each class left, the classes whose entry ends the turn, as bits.
pub(crate) type TurnEnds = Box<[[u64; 4]; 256]>;

/// The rules of a turn query on a map.
#[derive(Clone, Debug)]
pub(crate) struct TurnLimits {
    pub(crate) start: GridNode,
    /// The points of the first turn.
    pub(crate) first: u32,
    /// The points of each later turn, by the class on which it begins.
    pub(crate) points: Box<[u32; 256]>,
    /// The last turn, from 1.
    pub(crate) turns: u32,
    pub(crate) long_step: LongStep,
    pub(crate) turn_ends: Option<TurnEnds>,
    /// For each packed node with a zone near, the effects of zones on steps from there.
    pub(crate) zones: FxHashMap<u32, StepEffects>,
    pub(crate) stops: Stops,
}

/// A step in a search over turns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimedStep {
    pub(crate) from: GridNode,
    pub(crate) to: GridNode,
    /// The classes of both cells.
    pub(crate) classes: [u8; 2],
    pub(crate) cost: Cost,
    /// True if the step ends the turn.
    pub(crate) ends_turn: bool,
}

impl TurnLimits {
    pub(crate) fn can_stop(&self, node: GridNode) -> bool {
        let key = node.packed();
        node == self.start
            || !self.stops.never.contains(&key)
                && self.stops.only.as_ref().is_none_or(|only| only.contains(&key))
    }

    /// Returns the points of each turn after the first that begins on a class.
    pub(crate) fn points_on(&self, class: u8) -> u32 {
        self.points[usize::from(class)]
    }

    /// Returns the most points with which a turn can begin.
    pub(crate) fn most_points(&self) -> u32 {
        self.points.iter().copied().fold(self.first, u32::max)
    }

    /// Returns the fewest points with which a later turn can begin.
    pub(crate) fn fewest_points(&self) -> u32 {
        self.points.iter().copied().fold(u32::MAX, u32::min)
    }

    /// Returns the effects of zones on the steps from a cell.
    pub(crate) fn zone_effects(&self, node: GridNode) -> StepEffects {
        if self.zones.is_empty() {
            return StepEffects::default();
        }
        self.zones.get(&node.packed()).copied().unwrap_or_default()
    }

    /// Returns whether a step between these classes ends the turn.
    pub(crate) fn ends_turn(&self, [from, to]: [u8; 2]) -> bool {
        let is_set = |ends: &TurnEnds| ends[usize::from(from)][usize::from(to / 64)] >> (to % 64) & 1 == 1;
        self.turn_ends.as_ref().is_some_and(is_set)
    }

    /// Returns when a step can end, for a unit that entered the cell before it at this time: in this
    /// turn, in the next one after a wait, or both if it is not clear which is better.
    pub(crate) fn times(&self, time: TurnTime, step: &TimedStep) -> [Option<TurnTime>; 2] {
        let whole = self.points_on(step.classes[0]);
        let can_stop = self.can_stop(step.to);
        let now = self.time_after(time, whole, step, can_stop);
        // A unit that waits for the next turn behind the step has as many points as one that waits
        // before it and then takes it.
        let waits_behind = now.is_some()
            && can_stop
            && whole.saturating_sub(step.cost.get()) <= self.points_on(step.classes[1]);
        if waits_behind || time.turn >= self.turns || !self.can_stop(step.from) {
            return [now, None];
        }
        [now, self.time_after(TurnTime::begin(time.turn + 1, whole), whole, step, can_stop)]
    }

    /// Returns the time after a step that is taken at once. `whole` are the points of a later turn
    /// that begins on the cell before the step.
    fn time_after(&self, time: TurnTime, whole: u32, step: &TimedStep, can_stop: bool) -> Option<TurnTime> {
        let mut left = time.left.saturating_sub(step.cost.get());
        if step.cost.get() > time.left {
            let is_allowed = match self.long_step {
                LongStep::Never => false,
                LongStep::AnyPoints => time.left > 0,
                LongStep::OwnTurn => {
                    let is_whole_turn = time.left == time.points && time.points >= whole;
                    is_whole_turn && whole > 0 && step.cost.get() > whole && can_stop
                }
            };
            if !is_allowed {
                return None;
            }
        }
        if step.ends_turn {
            if !can_stop {
                return None;
            }
            left = 0;
        }
        Some(TurnTime { left, ..time })
    }

    /// Returns whether a label of a cell is as good as another one in all that may follow.
    pub(crate) fn is_as_good(&self, node: GridNode, class: u8, one: TurnTime, other: TurnTime) -> bool {
        if one.turn > other.turn {
            return false;
        }
        one.left >= other.left
            || one.turn < other.turn && self.points_on(class) >= other.left && self.can_stop(node)
    }
}
