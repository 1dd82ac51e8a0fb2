//! The input of a search.
//!
//! Decision: `docs/decisions/42-answers.md`.

use bevy_ecs::{
    component::Component,
    entity::{Entity, EntityMapper, MapEntities},
};
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

/// The input of a search: the order, the map, the start and the goals.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct SearchProblem {
    pub(crate) order: RequestId,
    pub(crate) request: PathRequest,
    pub(crate) map: Entity,
    /// The place of the entity when the search began.
    pub(crate) start: MapPlace,
    pub(crate) goals: Goals,
    /// The movement of the entity when the search began; `None` for the rules of the maps.
    pub(crate) movement: Option<AgentMovement>,
    /// True if the order was answered before: the search is for a journey under way.
    pub(crate) replan: bool,
    /// The versions of maps and doors when the search began.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) known: Known,
}

impl MapEntities for SearchProblem {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        self.order.map_entities(mapper);
        Component::map_entities(&mut self.request, mapper);
        self.map.map_entities(mapper);
        self.goals.map_entities(mapper);
    }
}

impl SearchProblem {
    /// Returns an answer.
    pub(crate) fn route(&self, legs: Legs, chosen: usize, partial: bool, statistics: Statistics) -> Route {
        let (asked, goals, movement) =
            (self.request.goal().clone(), self.goals.clone(), self.movement.clone());
        Route {
            asked,
            named: self.request.goal_map(),
            goals,
            movement,
            chosen,
            partial,
            statistics,
            is_proven: true,
            known: self.known,
            common: None,
            legs,
        }
    }
}
