//! What is true of a unit on a map, by one of two oracles.

use testkit::Oracle;

use crate::{
    flat::{FlatOracle, NEVER},
    world::World,
};

/// Where there is nothing but classes the fast oracle, elsewhere the one that lists all edges.
pub(crate) enum Truth {
    Flat(FlatOracle),
    Listed(Box<Oracle>),
}

/// [`NEVER`] where there is no way.
fn flat(costs: Vec<Option<u64>>) -> Vec<u64> {
    costs.into_iter().map(|cost| cost.unwrap_or(NEVER)).collect()
}

impl Truth {
    pub(crate) fn new(world: &World, unit: usize) -> Self {
        let unit = &world.units[unit];
        if world.is_plain {
            Self::Flat(FlatOracle::new(&world.land.map, &unit.rules))
        } else {
            Self::Listed(Box::new(Oracle::of(&world.land, unit)))
        }
    }

    /// Whether a field promises the cheapest way from there: large units that stand on closed ground have ways of their own.
    pub(crate) fn is_told_by_fields(&self, anchor: (i32, i32), size: i32) -> bool {
        match self {
            Self::Flat(_) => true,
            Self::Listed(oracle) => size == 1 || oracle.is_open(anchor),
        }
    }

    /// What the first step of a unit costs, if there is such a step.
    pub(crate) fn step(&self, from: (i32, i32), to: (i32, i32)) -> Option<u64> {
        match self {
            Self::Flat(oracle) => oracle.step(from, to),
            Self::Listed(oracle) => oracle.step_cost(from, to),
        }
    }

    /// What a walk costs, if each of its steps is one.
    pub(crate) fn walk(&self, positions: &[(i32, i32)]) -> Option<u64> {
        match self {
            Self::Flat(oracle) => oracle.walk(positions.iter().copied()),
            Self::Listed(oracle) => oracle.walk_cost(positions),
        }
    }

    /// The cheapest cost from a start to every slot.
    pub(crate) fn costs_from(&self, start: (i32, i32)) -> Vec<u64> {
        match self {
            Self::Flat(oracle) => oracle.costs_from(start),
            Self::Listed(oracle) => flat(oracle.costs_from(start)),
        }
    }

    /// The smallest number of steps from a start to every slot.
    pub(crate) fn steps_from(&self, start: (i32, i32)) -> Vec<u64> {
        match self {
            Self::Flat(oracle) => oracle.steps_from(start),
            Self::Listed(oracle) => flat(oracle.steps_from(start)),
        }
    }

    /// The cheapest cost from every slot to the nearest of some goals.
    pub(crate) fn costs_to(&self, goals: &[(i32, i32)]) -> Vec<u64> {
        match self {
            Self::Flat(oracle) => oracle.costs_to(goals),
            Self::Listed(oracle) => flat(oracle.costs_to(goals)),
        }
    }
}
