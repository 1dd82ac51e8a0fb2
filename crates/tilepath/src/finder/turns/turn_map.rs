//! A map with the settings of a turn query, and the searches that keep one label for each cell.

use super::query::TurnQuery;
use crate::{
    bounds::Bounds,
    cell::Cell,
    cost::Cost,
    dial::{
        turn_limits::TurnLimits,
        turn_path::{Tracing, TurnPath},
        turn_range::{self, TurnRange},
        turn_search::{CanStop, LongStep, TurnLabel, TurnProblem, TurnRules, TurnSearch},
    },
    finder::{PathFinder, outcome::QueryError},
    movement::StepRules,
    movement_map::MovementMap,
    path::Path,
    space::{
        grid::{GridNode, GridSpace},
        octile_distance::{Metric, OctileDistance},
    },
    topology::Topology,
};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// A map with the settings of a turn query.
pub(super) struct TurnMap<'a> {
    pub(super) bounds: Bounds,
    pub(super) classes: &'a [u8],
    pub(super) topology: Topology,
    pub(super) movement_map: Arc<MovementMap>,
    rules: TurnRules,
    no_stop: FxHashSet<u32>,
    pub(super) start: GridNode,
    /// The multiplier of a step back onto the start, if the start is closed and the unit may still
    /// enter it. The movement map has none, because no cheapest path goes back.
    pub(super) return_multiplier: Option<u32>,
    /// The rules that may need several labels for each cell, if the query or the movement has any.
    pub(super) limits: Option<TurnLimits>,
}

impl<'a> TurnMap<'a> {
    pub(super) fn new(finder: &'a PathFinder, query: &TurnQuery) -> Result<Self, QueryError> {
        let movement_map = finder.movement_map_from(query.movement(), query.start())?;
        let bounds = finder.grid.bounds();
        let start = finder.start_of(query.start(), movement_map.movement())?;
        let is_still = query.turns() == 0;
        let rules = TurnRules {
            points: if is_still { 0 } else { query.points().get() },
            first: if is_still { 0 } else { query.points_left().get() },
            turns: query.turns(),
            long_step: query.long_step(),
        };
        let packed = |&cell: &Cell| GridNode::of(&bounds, cell).map(GridNode::packed);
        let no_stop = query.no_stop().iter().filter_map(packed).collect();
        let (classes, topology) = (finder.grid.classes(), finder.grid.topology());
        let return_multiplier = (!movement_map.is_passable(start.x(), start.y())).then(|| {
            let rules = StepRules::new(movement_map.movement(), &finder.grid, query.start());
            rules.borrowed_multiplier(query.start()).unwrap_or_default()
        });
        let limits = None;
        let mut map = Self {
            bounds,
            classes,
            topology,
            movement_map,
            rules,
            no_stop,
            start,
            return_multiplier,
            limits,
        };
        map.limits = map.limits_of(query);
        Ok(map)
    }

    pub(super) fn can_stop(&self, node: GridNode) -> bool {
        match &self.limits {
            Some(limits) => limits.can_stop(node),
            None => self.problem(None).can_stop(node),
        }
    }

    pub(super) fn space(&self) -> GridSpace<'_> {
        GridSpace::new(&self.bounds, self.classes, &self.movement_map)
    }

    /// Returns the costs of a straight and of a diagonal step back onto a closed start.
    pub(super) fn return_costs(&self) -> [Cost; 2] {
        let units = self.movement_map.movement().unit_costs(self.topology);
        units.map(|unit| Cost::new(unit.saturating_mul(self.return_multiplier.unwrap_or_default())))
    }

    /// Returns the nodes of a path, if all of its cells are on the map.
    pub(super) fn nodes(&self, path: &Path) -> Option<Vec<GridNode>> {
        path.cells().iter().map(|&cell| GridNode::of(&self.bounds, cell)).collect()
    }

    /// Returns the facts that turn labels into paths. `cheapest_to` is the cost up to which all
    /// paths are cheapest.
    pub(super) fn tracing(&self, cheapest_to: u32) -> Tracing {
        let metric = Metric::new(self.movement_map.movement(), self.topology, 1);
        let (bounds, topology) = (self.bounds, self.topology);
        Tracing { bounds, topology, metric, cheapest_to: Cost::new(cheapest_to) }
    }

    /// Returns the most that a step on the cheapest ground can cost.
    pub(super) fn largest_cheap_step(&self) -> u64 {
        let [_, diagonal] = self.movement_map.movement().unit_costs(self.movement_map.topology());
        u64::from(diagonal) * u64::from(self.movement_map.cheapest())
    }

    fn problem(&self, goal: Option<GridNode>) -> TurnProblem<'_> {
        // A step that takes a turn of its own uses fewer points of that turn than it costs.
        let never_falls_behind = self.rules.long_step == LongStep::Never
            || self.largest_cheap_step() <= u64::from(self.rules.points);
        let estimate =
            goal.filter(|_| never_falls_behind).map(|goal| OctileDistance::new(&self.movement_map, goal));
        let (rules, no_stop, start) = (self.rules, &self.no_stop, self.start);
        TurnProblem { space: self.space(), rules, no_stop, start, estimate }
    }

    pub(super) fn range(&self) -> TurnRange {
        let problem = self.problem(None);
        let mut search = TurnSearch::new(&problem);
        let mut ends = Vec::new();
        while let Some(label) = search.next(&problem) {
            ends.push(label);
        }
        let left = |_, label: &TurnLabel| self.rules.points_left(label);
        // A path that costs at most the points of the first turn takes that turn only.
        TurnRange::new(self.tracing(self.rules.first), search.into_labels(), ends, left)
    }

    pub(super) fn path(&self, goal: GridNode) -> Result<Option<TurnPath>, QueryError> {
        let problem = self.problem(Some(goal));
        let mut search = TurnSearch::new(&problem);
        while let Some(label) = search.next(&problem) {
            if search.label(label).node == goal {
                let left = self.rules.points_left(search.label(label));
                let tracing = self.tracing(self.rules.first);
                let path = turn_range::trace(&search.into_labels(), label, left, &tracing);
                return path.map(Some).ok_or(QueryError::CostOverflow);
            }
        }
        Ok(None)
    }

    pub(super) fn cut(&self, path: &Path) -> Option<TurnPath> {
        let (problem, rules) = (self.problem(None), &self.rules);
        let cells = self.nodes(path)?;
        let steps: Vec<u32> = (cells.windows(2))
            .map(|pair| step_cost(&problem.space, pair[0], pair[1], self.return_costs()))
            .collect::<Option<_>>()?;
        let can_stop = |index: usize| problem.can_stop(cells[index]);
        let (mut stops, mut here, mut turn, mut used) = (Vec::new(), 0, 1, 0);
        let last = cells.len() - 1;
        while here < last {
            // Go as far as the points of the turn allow, then back to the last cell where the unit
            // may stop.
            let (mut spent, mut end, mut spent_at_end) = (0_u32, here, 0);
            for (index, &step) in steps.iter().enumerate().skip(here) {
                let ends = CanStop { here: index == here, there: can_stop(index + 1) };
                let Some((now, after)) = rules.times(turn, spent, step, ends).now else { break };
                debug_assert_eq!(now, turn, "a step taken now is taken in this turn");
                spent = after;
                if ends.there {
                    (end, spent_at_end) = (index + 1, spent);
                }
            }
            used = spent_at_end;
            if end < last {
                if end == here && turn > 1 || turn == rules.turns {
                    return None;
                }
                stops.push(end);
                turn += 1;
            }
            here = end;
            if end == last {
                break;
            }
        }
        if !can_stop(last) {
            return None;
        }
        stops.push(last);
        let left = rules.points_of(turn) - used;
        let costs = costs_at(&stops, &steps)?;
        Some(TurnPath::of(path.clone(), stops, costs, [used, left]))
    }
}

/// Returns the cost of the steps up to each stop, or `None` if it is too large for a [`Cost`].
pub(super) fn costs_at(stops: &[usize], steps: &[u32]) -> Option<Vec<Cost>> {
    let mut begin = 0;
    let mut cost = Cost::ZERO;
    let cost_to = |&stop: &usize| {
        for &step in &steps[begin..stop] {
            cost = cost.checked_add(Cost::new(step))?;
        }
        begin = stop;
        Some(cost)
    };
    stops.iter().map(cost_to).collect()
}

/// Returns the cost of a step between neighbours, if the step is allowed.
fn step_cost(space: &GridSpace<'_>, from: GridNode, to: GridNode, return_costs: [Cost; 2]) -> Option<u32> {
    let mut found = None;
    space.offer(from, space.forward(from, None), |node, cost, link| {
        if node == to {
            // A step costs 0 only onto a closed start.
            let back = || return_costs[link.place() / 4].get().saturating_add(space.surcharge(from, link));
            found = Some(if cost == Cost::ZERO { back() } else { cost.get() });
        }
    });
    found
}
