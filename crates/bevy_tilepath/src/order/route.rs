//! Routes that were found for orders.

use bevy_ecs::entity::{Entity, MapEntities};
use smallvec::SmallVec;
use tilepath::{Cost, Path, Statistics};

use crate::{
    map::movement::AgentMovement,
    order::{
        common_goals::CommonGoals,
        goal::{Goals, PathGoal},
    },
    route::leg::PathLeg,
};

/// The legs of a route. Most routes have one leg, which is read every tick, so it is stored in the
/// agent's component itself.
pub(crate) type Legs = SmallVec<[PathLeg; 1]>;

/// The changes of maps and doors known at a tick, as counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Known {
    pub(crate) maps: u64,
    pub(crate) doors: u64,
}

/// A cost or a lower bound, to compare routes of any kind.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Worth {
    /// For a route of one leg over tiles: its map, and the value in the costs of that map.
    pub(crate) cells: Option<(Entity, f64)>,
    pub(crate) in_world: f64,
}

/// A route for an order.
#[derive(Debug, Clone, MapEntities)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Route {
    /// The goal as requested.
    #[entities]
    pub(crate) asked: PathGoal,
    /// The map that the order named for it.
    #[entities]
    pub(crate) named: Option<Entity>,
    #[entities]
    pub(crate) goals: Goals,
    /// The movement by which the route was found.
    pub(crate) movement: Option<AgentMovement>,
    /// The index of the goal to which the route leads, or leads as near as possible.
    pub(crate) chosen: usize,
    pub(crate) partial: bool,
    pub(crate) statistics: Statistics,
    /// True if the bounds of its paths hold for the current maps: no map was edited during the
    /// search.
    pub(crate) is_proven: bool,
    /// The state of maps and doors when the search began.
    pub(crate) known: Known,
    /// For a body: the goals that it shares with others. If many bodies share them, it may follow a
    /// field.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) common: Option<CommonGoals>,
    /// The legs, at least one.
    #[entities]
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    pub(crate) legs: Legs,
}

impl Route {
    /// Returns the index in the list, if the order was to the nearest of a list.
    pub(crate) fn chosen_of_list(&self) -> usize {
        if matches!(self.asked, PathGoal::Nearest(_)) { self.chosen } else { 0 }
    }

    /// Returns the cost of all legs, in world units.
    pub(crate) fn cost(&self) -> f64 {
        self.legs.iter().map(PathLeg::route_cost).sum()
    }

    /// Returns the cost.
    pub(crate) fn price(&self) -> Worth {
        self.of_cells(Path::cost)
    }

    /// Returns the proven lower bound of the cheapest route's cost.
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
