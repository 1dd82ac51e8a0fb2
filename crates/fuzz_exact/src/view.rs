//! What is true: one kind of unit on the map as it is now, by the oracle.

use std::cell::OnceCell;

use rand::Rng;
use testkit::{DiagonalRule, Rules};
use tilepath::{Cell, Grid, Movement, Path};

use crate::{
    draw,
    flat::{FlatOracle, NEVER},
    world::{World, movement},
};

/// The answer was right, or what is wrong with it.
pub(crate) type Verdict = Result<(), String>;

/// Leaves with what is wrong where a condition does not hold.
macro_rules! ensure {
    ($condition:expr, $($complaint:tt)+) => {
        if !$condition {
            return Err(format!($($complaint)+));
        }
    };
}
pub(crate) use ensure;

/// The largest cost that the core can state.
pub(crate) const LARGEST: u64 = u32::MAX as u64;

/// One kind of unit on the map as it is now.
pub(crate) struct View<'world> {
    pub(crate) world: &'world World,
    pub(crate) rules: &'world Rules,
    pub(crate) oracle: FlatOracle,
    pub(crate) movement: Movement,
}

/// What there is to know about the ways from one start.
pub(crate) struct Ways {
    pub(crate) start: (i32, i32),
    pub(crate) costs: Vec<u64>,
    steps: OnceCell<Vec<u64>>,
}

impl<'world> View<'world> {
    pub(crate) fn new(world: &'world World, unit: usize) -> Self {
        let rules = &world.units[unit];
        Self { world, rules, oracle: FlatOracle::new(&world.map, rules), movement: movement(rules) }
    }

    pub(crate) fn ways_from(&self, start: (i32, i32)) -> Ways {
        Ways { start, costs: self.oracle.costs_from(start), steps: OnceCell::new() }
    }

    /// Mostly a place where the unit may stand, at times a wall.
    pub(crate) fn draw_position(&self, generator: &mut impl Rng) -> (i32, i32) {
        if generator.random_ratio(1, 6) {
            draw::position(generator, &self.world.map)
        } else {
            draw::open_position(generator, &self.world.map, self.rules)
        }
    }

    /// The costliest step that the unit's rules know.
    pub(crate) fn max_step_cost(&self) -> u64 {
        self.rules.multipliers.iter().max().copied().unwrap_or(0) * self.rules.diagonal
    }

    /// Whether an exact search may have dropped something whose cost, or estimate, is too large to state.
    pub(crate) fn may_overflow(&self, ways: &Ways) -> bool {
        let costliest = ways.costs.iter().filter(|&&cost| cost != NEVER).max().copied().unwrap_or(0);
        let sides = u64::from(self.world.map.width + self.world.map.height);
        costliest + self.max_step_cost() * (sides + 1) > LARGEST
    }

    /// Whether some way without a cell twice may cost too much to state, cheapest or not.
    pub(crate) fn may_any_way_overflow(&self) -> bool {
        let sides = u64::from(self.world.map.width + self.world.map.height);
        self.max_step_cost() * (self.world.map.classes.len() as u64 + sides) > LARGEST
    }

    /// How far two positions are apart where there are no walls and every cell costs 1.
    pub(crate) fn distance(&self, from: (i32, i32), to: (i32, i32)) -> u64 {
        let (dx, dy) = (u64::from(from.0.abs_diff(to.0)), u64::from(from.1.abs_diff(to.1)));
        match self.rules.diagonals {
            DiagonalRule::Never => (dx + dy) * self.rules.straight,
            _ => dx.min(dy) * self.rules.diagonal + dx.abs_diff(dy) * self.rules.straight,
        }
    }

    /// The closest reachable cell: distance to the goal, cost, slot.
    pub(crate) fn closest(&self, ways: &Ways, goal: (i32, i32)) -> (u64, u64, usize) {
        let reachable = ways.costs.iter().enumerate().filter(|&(_, &cost)| cost != NEVER);
        reachable
            .map(|(slot, &cost)| (self.distance(self.world.map.position(slot), goal), cost, slot))
            .min()
            .unwrap_or((0, 0, self.world.map.slot(ways.start)))
    }

    /// Whether every condition for jump points holds.
    pub(crate) fn is_fit_for_jump_points(&self) -> bool {
        let Rules { diagonals, straight, diagonal, multipliers } = self.rules;
        let prices = || self.world.map.classes.iter().map(|&class| multipliers[usize::from(class)]);
        let lowest = prices().filter(|&price| price != 0).min();
        let Some(price) = lowest.filter(|_| lowest == prices().max()) else { return false };
        let longest = u64::from(self.world.map.width + self.world.map.height);
        *diagonals != DiagonalRule::Never
            && straight < diagonal
            && *diagonal < 2 * straight
            && price * diagonal * longest <= LARGEST
    }

    /// A way from a start must be one, cost what it states, and be bounded by what it states.
    pub(crate) fn check_path(&self, ways: &Ways, grid: &Grid, path: &Path) -> Verdict {
        ensure!(self.world.position(path.start()) == ways.start, "the path starts at {}", path.start());
        if let Err(fault) = path.verify(grid, &self.movement) {
            return Err(format!("verify: {fault}"));
        }
        let cost = u64::from(path.cost().get());
        let walked = self.oracle.walk(path.cells().iter().map(|&cell| self.world.position(cell)));
        ensure!(walked == Some(cost), "the path states {cost}, walking it costs {walked:?}");
        let cheapest = ways.costs[self.world.slot(path.goal())];
        let bound = u64::from(path.lower_bound().get());
        ensure!(bound <= cheapest && cheapest <= cost, "bound {bound}, cheapest {cheapest}, cost {cost}");
        ensure!(path.is_optimal() == (bound == cost), "bound {bound}, cost {cost}, optimal or not?");
        Ok(())
    }

    /// A way that must be a cheapest one to a certain cell.
    pub(crate) fn check_cheapest(&self, ways: &Ways, grid: &Grid, path: &Path, goal: Cell) -> Verdict {
        self.check_path(ways, grid, path)?;
        ensure!(path.goal() == goal, "the path ends at {}, not at {goal}", path.goal());
        let cheapest = ways.costs[self.world.slot(goal)];
        let cost = u64::from(path.cost().get());
        ensure!(cost == cheapest, "the path costs {cost}, the cheapest one {cheapest}");
        ensure!(path.is_optimal(), "a cheapest path of {cost} is not called optimal");
        Ok(())
    }
}

impl Ways {
    /// The fewest steps to a slot.
    pub(crate) fn steps(&self, view: &View<'_>, slot: usize) -> u64 {
        self.steps.get_or_init(|| view.oracle.steps_from(self.start))[slot]
    }
}
