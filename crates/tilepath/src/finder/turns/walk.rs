//! The steps of a path in turns, each with its time.

use super::{query::TurnQuery, turn_map::TurnMap, zone::Zone};
use crate::{
    cell::{Cell, Direction},
    dial::{
        pareto_line,
        turn_limits::{TimedStep, TurnTime},
        turn_path::TurnPath,
    },
    finder::{PathFinder, outcome::QueryError},
    movement_map::step_order::PLACE,
    space::grid::GridNode,
};
use rustc_hash::FxHashMap;

/// A step with the time after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WalkedStep {
    pub(crate) to: Cell,
    /// The classes of both cells.
    pub(crate) classes: [u8; 2],
    pub(crate) cost: u32,
    pub(crate) after: TurnTime,
    /// The index of the zone that ends the turn, if one does.
    pub(crate) zone: Option<usize>,
    /// True if the classes end the turn.
    pub(crate) is_turn_end: bool,
    /// True if an edge that the step crosses ends the turn.
    pub(crate) is_edge_end: bool,
}

/// A path that was walked turn by turn.
#[derive(Clone, Debug)]
pub(crate) struct TurnWalk {
    pub(crate) steps: Vec<WalkedStep>,
    /// The time at which each turn begins.
    pub(crate) begins: Vec<TurnTime>,
    /// For each cell of the path, whether the unit may stop there.
    pub(crate) can_stop: Vec<bool>,
}

/// The reason why a path cannot be walked in its turns.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WalkFault {
    Query(QueryError),
    /// A turn breaks the rules: its number, from 1.
    Turn(u32),
}

impl PathFinder {
    /// Walks a path with the stops that it has. The path starts where the query does.
    pub(crate) fn walk_turns(&self, path: &TurnPath, query: &TurnQuery) -> Result<TurnWalk, WalkFault> {
        let mut map = TurnMap::new(self, query).map_err(WalkFault::Query)?;
        let limits = map.limits.take().unwrap_or_else(|| map.all_limits(query));
        let problem = map.limited_problem(None, &limits);
        let nodes = map.nodes(path.path()).ok_or(WalkFault::Turn(1))?;
        let cells = path.path().cells();
        let mut walk = TurnWalk {
            steps: Vec::with_capacity(path.path().steps()),
            begins: Vec::with_capacity(path.stops().len()),
            can_stop: nodes.iter().map(|&node| limits.can_stop(node)).collect(),
        };
        let (mut time, mut here) = (TurnTime::begin(1, limits.first), 0);
        for (turn, &stop) in (1..).zip(path.stops()) {
            if turn > 1 {
                time = TurnTime::begin(turn, limits.points_on(problem.class(nodes[here])));
            }
            walk.begins.push(time);
            for index in here..stop {
                let fault = WalkFault::Turn(turn);
                let step =
                    pareto_line::step_between(&problem, nodes[index], nodes[index + 1]).ok_or(fault)?;
                let after = limits.times(time, &step)[0].ok_or(fault)?;
                walk.steps.push(WalkedStep {
                    to: cells[index + 1],
                    classes: step.classes,
                    cost: step.cost.get(),
                    after,
                    zone: query.zones().iter().position(|zone| map.is_ended_by(zone, &step)),
                    is_turn_end: limits.ends_turn(step.classes),
                    is_edge_end: map.is_ended_by_edge(&step),
                });
                time = after;
            }
            if !walk.can_stop[stop] || turn > limits.turns.max(1) {
                return Err(WalkFault::Turn(turn));
            }
            here = stop;
        }
        Ok(walk)
    }
}

impl TurnMap<'_> {
    /// Returns whether an edge ends the turn with a step.
    fn is_ended_by_edge(&self, step: &TimedStep) -> bool {
        let place = self.place(step);
        place.is_some_and(|place| self.space().ending(step.from) >> place & 1 == 1)
    }

    /// Returns the place of a step in [`ORDER`](crate::movement_map::step_order::ORDER).
    fn place(&self, step: &TimedStep) -> Option<u8> {
        let cell = |node: GridNode| node.cell(&self.bounds);
        Direction::between(cell(step.from), cell(step.to)).map(|direction| PLACE[direction as usize])
    }

    /// Returns whether a zone ends the turn with a step.
    fn is_ended_by(&self, zone: &Zone, step: &TimedStep) -> bool {
        let mut effects = FxHashMap::default();
        zone.mark(&self.bounds, self.topology, self.start, &mut effects);
        let effects = effects.get(&step.from.packed()).zip(self.place(step));
        effects.is_some_and(|(effects, place)| effects.ending >> place & 1 == 1)
    }
}
