//! A unit on the current map, with the oracle's answers.

use std::cell::OnceCell;

use rand::Rng;
use testkit::{DiagonalRule, Rules, Unit};
use tilepath::{Cell, Grid, Movement, Path, PathQuery, QueryError};

use crate::{
    draw,
    flat::NEVER,
    truth::Truth,
    world::{World, movement},
};

/// The result of a check: `Ok`, or the fault of the answer.
pub(crate) type Verdict = Result<(), String>;

/// Returns with a fault if a condition does not hold.
macro_rules! ensure {
    ($condition:expr, $($complaint:tt)+) => {
        if !$condition {
            return Err(format!($($complaint)+));
        }
    };
}
pub(crate) use ensure;

/// The largest cost that the library can state.
pub(crate) const LARGEST: u64 = u32::MAX as u64;

/// One kind of unit on the current map.
pub(crate) struct View<'world> {
    pub(crate) world: &'world World,
    pub(crate) unit: &'world Unit,
    pub(crate) rules: &'world Rules,
    pub(crate) oracle: Truth,
    pub(crate) movement: Movement,
}

/// The costs of the paths from one start.
pub(crate) struct Ways {
    pub(crate) start: (i32, i32),
    pub(crate) costs: Vec<u64>,
    steps: OnceCell<Vec<u64>>,
}

impl<'world> View<'world> {
    pub(crate) fn new(world: &'world World, unit: usize) -> Self {
        let oracle = Truth::new(world, unit);
        let unit = &world.units[unit];
        Self { world, unit, rules: &unit.rules, oracle, movement: movement(unit) }
    }

    pub(crate) fn ways_from(&self, start: (i32, i32)) -> Ways {
        Ways { start, costs: self.oracle.costs_from(start), steps: OnceCell::new() }
    }

    /// Draws a position: mostly one where the unit can stand, at times a wall.
    pub(crate) fn draw_position(&self, generator: &mut impl Rng) -> (i32, i32) {
        if generator.random_ratio(1, 6) {
            draw::anchor(generator, &self.world.land.map, self.unit.size)
        } else {
            draw::open_anchor(generator, &self.world.land.map, self.unit)
        }
    }

    /// Returns the error for a position that is an invalid goal.
    pub(crate) fn goal_error(&self, grid: &Grid, (x, y): (i32, i32)) -> Option<QueryError> {
        let (cell, bounds, land) = (self.world.cell((x, y)), grid.bounds(), &self.world.land);
        let last = (x + self.unit.size - 1, y + self.unit.size - 1);
        if !land.map.contains((x, y)) {
            Some(QueryError::GoalOutOfBounds { cell, bounds })
        } else if !land.map.contains(last) {
            Some(QueryError::FootprintOutOfBounds { cell, side: self.unit.size as u8, bounds })
        } else if land.void[land.map.slot((x, y))] {
            Some(QueryError::GoalOutOfBounds { cell, bounds })
        } else {
            None
        }
    }

    /// Returns whether a field guarantees the cheapest path from a position. It does not for
    /// anchors past the border, and for large units that leave closed ground.
    pub(crate) fn is_told_by_fields(&self, (x, y): (i32, i32)) -> bool {
        let last = (x + self.unit.size - 1, y + self.unit.size - 1);
        self.world.land.map.contains(last) && self.oracle.is_told_by_fields((x, y), self.unit.size)
    }

    /// Returns the cost of the costliest step under the unit's rules.
    pub(crate) fn max_step_cost(&self) -> u64 {
        let overlays = self.unit.overlays.iter().filter_map(|name| self.world.land.overlays.get(name));
        let highest: u64 = overlays.filter_map(|values| values.iter().max()).sum();
        (self.rules.multipliers.iter().max().copied().unwrap_or(0) + highest) * self.rules.diagonal
    }

    /// Returns whether an exact search may drop a cell because its cost or estimate is too large to
    /// state.
    pub(crate) fn may_overflow(&self, ways: &Ways) -> bool {
        let costliest = ways.costs.iter().filter(|&&cost| cost != NEVER).max().copied().unwrap_or(0);
        let sides = u64::from(self.world.land.map.width + self.world.land.map.height);
        costliest + self.max_step_cost() * (sides + 1) > LARGEST
    }

    /// Returns whether the cost of any path without repeated cells may be too large to state.
    pub(crate) fn may_any_way_overflow(&self) -> bool {
        let sides = u64::from(self.world.land.map.width + self.world.land.map.height);
        self.max_step_cost() * (self.world.land.map.classes.len() as u64 + sides) > LARGEST
    }

    /// Returns the distance of two positions on a map without walls, where every cell costs 1.
    pub(crate) fn distance(&self, from: (i32, i32), to: (i32, i32)) -> u64 {
        let (dx, dy) = (u64::from(from.0.abs_diff(to.0)), u64::from(from.1.abs_diff(to.1)));
        if self.world.land.is_hexagonal {
            let is_one_way = (from.0 < to.0) == (from.1 < to.1);
            return if is_one_way { dx + dy } else { dx.max(dy) } * self.rules.straight;
        }
        match self.rules.diagonals {
            DiagonalRule::Never => (dx + dy) * self.rules.straight,
            _ => dx.min(dy) * self.rules.diagonal + dx.abs_diff(dy) * self.rules.straight,
        }
    }

    /// Returns the cheapest cost to the goal of a query. A unit on closed ground that wants the closest
    /// cell does not want a closed goal.
    pub(crate) fn cheapest(&self, ways: &Ways, query: &PathQuery) -> u64 {
        let (goal, slot) = (self.world.position(query.goal()), self.world.slot(query.goal()));
        let is_refused = query.wants_closest()
            && ways.costs[slot] != NEVER
            && !self.oracle.is_open(goal)
            && self.closest(ways, goal).2 != slot;
        if is_refused { NEVER } else { ways.costs[slot] }
    }

    /// Returns the closest reachable cell: its distance to the goal, its cost and its slot. From closed
    /// ground, it is an open cell, or else the start.
    pub(crate) fn closest(&self, ways: &Ways, goal: (i32, i32)) -> (u64, u64, usize) {
        let is_wanted = |slot: usize| {
            self.oracle.is_open(ways.start) || self.oracle.is_open(self.world.land.map.position(slot))
        };
        let reachable =
            (ways.costs.iter().enumerate()).filter(|&(slot, &cost)| cost != NEVER && is_wanted(slot));
        reachable
            .map(|(slot, &cost)| (self.distance(self.world.land.map.position(slot), goal), cost, slot))
            .min()
            .unwrap_or((self.distance(ways.start, goal), 0, self.world.land.map.slot(ways.start)))
    }

    /// Returns whether every condition for jump points holds. A large unit on closed ground has
    /// other steps.
    pub(crate) fn is_fit_for_jump_points(&self, start: (i32, i32)) -> bool {
        let Rules { diagonals, straight, diagonal, multipliers } = self.rules;
        let land = &self.world.land;
        let named = self.unit.overlays.iter().filter_map(|name| land.overlays.get(name));
        if !land.is_open_everywhere()
            || named.flatten().any(|&value| value != 0)
            || !self.oracle.is_told_by_fields(start, self.unit.size)
        {
            return false;
        }
        let on_map = || land.map.classes.iter().zip(&land.void).filter(|(_, is_void)| !**is_void);
        let prices = || on_map().map(|(&class, _)| multipliers[usize::from(class)]);
        let lowest = prices().filter(|&price| price != 0).min();
        let Some(price) = lowest.filter(|_| lowest == prices().max()) else { return false };
        let longest = u64::from(self.world.land.map.width + self.world.land.map.height);
        if land.is_hexagonal {
            return price * straight * longest <= LARGEST;
        }
        let is_strict = straight < diagonal && *diagonal < 2 * straight;
        (is_strict || *diagonals == DiagonalRule::Never) && price * diagonal * longest <= LARGEST
    }

    /// Checks a path from a start: its steps, its cost and its lower bound.
    pub(crate) fn check_path(&self, ways: &Ways, grid: &Grid, path: &Path) -> Verdict {
        ensure!(self.world.position(path.start()) == ways.start, "the path starts at {}", path.start());
        if let Err(fault) = path.verify(grid, &self.movement) {
            return Err(format!("verify: {fault}"));
        }
        let cost = u64::from(path.cost().get());
        let positions: Vec<_> = path.cells().iter().map(|&cell| self.world.position(cell)).collect();
        let walked = self.oracle.walk(&positions);
        ensure!(walked == Some(cost), "the path states {cost}, walking it costs {walked:?}");
        let cheapest = ways.costs[self.world.slot(path.goal())];
        let bound = u64::from(path.lower_bound().get());
        ensure!(bound <= cheapest && cheapest <= cost, "bound {bound}, cheapest {cheapest}, cost {cost}");
        ensure!(path.is_optimal() == (bound == cost), "bound {bound}, cost {cost}, optimal or not?");
        Ok(())
    }

    /// Checks that a path is a cheapest path to a goal.
    pub(crate) fn check_cheapest(&self, ways: &Ways, grid: &Grid, path: &Path, goal: Cell) -> Verdict {
        self.check_path(ways, grid, path)?;
        ensure!(path.goal() == goal, "the path ends at {}, not at {goal}", path.goal());
        let cheapest = ways.costs[self.world.slot(goal)];
        let cost = u64::from(path.cost().get());
        ensure!(cost == cheapest, "the path costs {cost}, the cheapest path {cheapest}");
        ensure!(path.is_optimal(), "a cheapest path of {cost} is not called optimal");
        Ok(())
    }
}

impl Ways {
    /// Returns the fewest steps to a slot.
    pub(crate) fn steps(&self, view: &View<'_>, slot: usize) -> u64 {
        self.steps.get_or_init(|| view.oracle.steps_from(self.start))[slot]
    }
}
