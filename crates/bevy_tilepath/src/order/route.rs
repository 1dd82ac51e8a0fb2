//! What was found for an order.

use bevy_ecs::entity::Entity;
use smallvec::SmallVec;
use tilepath::{Cost, Path, Statistics};

use crate::{
    map::movement::AgentMovement,
    order::{
        common_goals::CommonGoals,
        goal::{Goals, PathGoal},
    },
    route::{leg::PathLeg, near_rest::NearRest},
};

/// The legs of a route. Most have one, which is read every tick: it lies in the agent's component itself.
pub(crate) type Legs = SmallVec<[PathLeg; 1]>;

/// Maps and doors up to a tick, by the numbers of what had happened to them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) maps: u64,
    pub(crate) doors: u64,
}

/// A cost, or a bound of one, as ways of any kind are compared by it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Worth {
    /// In the costs of its map, of a way of one leg over tiles.
    pub(crate) cells: Option<(Entity, f64)>,
    pub(crate) in_world: f64,
}

/// A way for an order.
#[derive(Debug, Clone)]
pub(crate) struct Route {
    /// What it was asked to lead to.
    pub(crate) asked: PathGoal,
    pub(crate) goals: Goals,
    /// By which it was found.
    pub(crate) movement: Option<AgentMovement>,
    /// The index of the goal it leads to, or as near to as possible.
    pub(crate) chosen: usize,
    pub(crate) partial: bool,
    pub(crate) statistics: Statistics,
    /// Whether what its paths prove holds for the maps as they are: they were not edited while it was searched.
    pub(crate) is_proven: bool,
    /// The maps and doors as they were when the search began.
    pub(crate) known: Known,
    /// Of a body, which may go by a field where many have the same goals.
    pub(crate) common: Option<CommonGoals>,
    /// What comes after its only leg, of a way that is found in parts.
    pub(crate) near: Option<Box<NearRest>>,
    /// At least one.
    pub(crate) legs: Legs,
}

impl Route {
    /// The index in the list, if the order was to the nearest of one.
    pub(crate) fn chosen_of_list(&self) -> usize {
        if matches!(self.asked, PathGoal::Nearest(_)) { self.chosen } else { 0 }
    }

    /// What all legs cost, in world units.
    pub(crate) fn cost(&self) -> f64 {
        let rest = self.near.as_ref().map_or(0.0, |near| near.route_cost());
        self.legs.iter().map(PathLeg::route_cost).sum::<f64>() + rest
    }

    /// What it costs.
    pub(crate) fn price(&self) -> Worth {
        self.of_cells(Path::cost)
    }

    /// What the search has proven that the cheapest way costs.
    pub(crate) fn worth(&self) -> Worth {
        self.of_cells(Path::lower_bound)
    }

    fn of_cells(&self, of: impl Fn(&Path) -> Cost) -> Worth {
        match &*self.legs {
            [leg] if leg.path().is_some() => {
                let cost = leg.path().map_or(0.0, |path| of(path).get().into());
                Worth { cells: Some((leg.map(), cost)), in_world: cost * leg.unit() }
            }
            _ => Worth { cells: None, in_world: self.cost() },
        }
    }
}
