//! What was found for an order.

use smallvec::SmallVec;
use tilepath::Statistics;

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
}
