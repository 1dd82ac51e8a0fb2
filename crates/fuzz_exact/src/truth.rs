//! The correct answers for a unit on a map, by one of two oracles.

use testkit::Oracle;

use crate::{
    flat::{FlatOracle, NEVER},
    world::World,
};

/// The fast oracle for maps that have only classes, or the oracle that lists all edges.
pub(crate) enum Truth {
    Flat(FlatOracle),
    Listed(Box<Oracle>),
}

/// Returns the costs with [`NEVER`] for missing paths.
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

    /// Returns whether a field guarantees the cheapest path from an anchor. It does not for large
    /// units on closed ground, which have other steps.
    pub(crate) fn is_told_by_fields(&self, anchor: (i32, i32), size: i32) -> bool {
        match self {
            Self::Flat(_) => true,
            Self::Listed(oracle) => size == 1 || oracle.is_open(anchor),
        }
    }

    /// Returns whether a unit can enter an anchor.
    pub(crate) fn is_open(&self, anchor: (i32, i32)) -> bool {
        match self {
            Self::Flat(oracle) => oracle.is_open(anchor),
            Self::Listed(oracle) => oracle.is_open(anchor),
        }
    }

    /// Returns the cost of the first step of a unit, if there is such a step.
    pub(crate) fn step(&self, from: (i32, i32), to: (i32, i32)) -> Option<u64> {
        match self {
            Self::Flat(oracle) => oracle.step(from, to),
            Self::Listed(oracle) => oracle.step_cost(from, to),
        }
    }

    /// Returns the cells by which a unit deep in closed ground leaves it, with its start and the open one.
    pub(crate) fn way_out(&self, start: (i32, i32)) -> Vec<(i32, i32)> {
        match self {
            Self::Flat(oracle) => oracle.way_out(start).into_iter().map(|(_, cell)| cell).collect(),
            Self::Listed(oracle) => oracle.way_out(start),
        }
    }

    /// Returns the cost of a walk, if each of its steps is allowed.
    pub(crate) fn walk(&self, positions: &[(i32, i32)]) -> Option<u64> {
        match self {
            Self::Flat(oracle) => oracle.walk(positions.iter().copied()),
            Self::Listed(oracle) => oracle.walk_cost(positions),
        }
    }

    /// Returns the cheapest cost from a start to every slot.
    pub(crate) fn costs_from(&self, start: (i32, i32)) -> Vec<u64> {
        match self {
            Self::Flat(oracle) => oracle.costs_from(start),
            Self::Listed(oracle) => flat(oracle.costs_from(start)),
        }
    }

    /// Returns the smallest number of steps from a start to every slot.
    pub(crate) fn steps_from(&self, start: (i32, i32)) -> Vec<u64> {
        match self {
            Self::Flat(oracle) => oracle.steps_from(start),
            Self::Listed(oracle) => flat(oracle.steps_from(start)),
        }
    }

    /// Returns the cheapest cost from every slot to the nearest goal.
    pub(crate) fn costs_to(&self, goals: &[(i32, i32)]) -> Vec<u64> {
        match self {
            Self::Flat(oracle) => oracle.costs_to(goals),
            Self::Listed(oracle) => flat(oracle.costs_to(goals)),
        }
    }
}
