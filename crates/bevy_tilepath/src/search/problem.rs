//! What a search is for.

use bevy_ecs::entity::Entity;
use tilepath::Statistics;

use crate::{
    map::{movement::AgentMovement, place::MapPlace},
    order::{
        goal::Goals,
        queue::RequestId,
        request::PathRequest,
        route::{Known, Legs, Route},
    },
};

/// What a search is for.
#[derive(Debug, Clone)]
pub(crate) struct SearchProblem {
    pub(crate) order: RequestId,
    pub(crate) request: PathRequest,
    pub(crate) map: Entity,
    /// Where the entity stood when the search began.
    pub(crate) start: MapPlace,
    pub(crate) goals: Goals,
    /// Of the entity, when the search began; none for the rules of the maps.
    pub(crate) movement: Option<AgentMovement>,
    /// The order has been answered before: this is for a journey under way.
    pub(crate) replan: bool,
    /// Maps and doors as they were when the search began.
    pub(crate) known: Known,
    /// Whether a long way may be found in parts: for one who walks it, and by itself.
    pub(crate) in_parts: bool,
}

impl SearchProblem {
    /// An answer.
    pub(crate) fn route(&self, legs: Legs, chosen: usize, partial: bool, statistics: Statistics) -> Route {
        let (asked, goals, movement) =
            (self.request.goal().clone(), self.goals.clone(), self.movement.clone());
        Route {
            asked,
            goals,
            movement,
            chosen,
            partial,
            statistics,
            is_proven: true,
            known: self.known,
            common: None,
            near: None,
            legs,
        }
    }
}
