//! The places of the entities that agents walk to.

use std::sync::Arc;

use bevy_ecs::{
    entity::Entity,
    query::With,
    system::{Query, Res, SystemParam},
};
use bevy_transform::components::Transform;

use crate::{
    journey::standing_on::{Standing, StandingOn},
    map::{
        maps::{AnyMap, UnitMaps},
        movement::AgentMovement,
        on_map::OnMap,
        place::Place,
        world_places::WorldPlaces,
    },
    order::{
        goal::{Accepted, Goals},
        queue::NotYet,
        request::PathRequest,
    },
    search::{
        goal_lists::{GoalLists, SHORT_LIST, SharedList},
        target_places::{TargetPlace, TargetPlaces},
    },
    settings::TilepathSettings,
    sync::obstacle::BlockedCells,
};

type TargetParts = (
    Option<&'static OnMap>,
    Option<&'static StandingOn>,
    &'static Transform,
    Option<&'static AgentMovement>,
    Option<&'static BlockedCells>,
);

/// All entities to which agents may be sent.
#[derive(SystemParam)]
pub(crate) struct Targets<'w, 's> {
    entities: Query<'w, 's, TargetParts, With<Transform>>,
    places: WorldPlaces<'w, 's>,
    lists: Res<'w, GoalLists>,
    settings: Res<'w, TilepathSettings>,
}

impl TargetPlaces for Targets<'_, '_> {
    fn place_of(&self, target: Entity) -> Option<TargetPlace<'_>> {
        let (on_map, last_seen, transform, movement, blocked) = self.entities.get(target).ok()?;
        let here = self.places.of(target).translation;
        let standing = Standing { here, local: transform.translation.truncate(), last_seen };
        Some(TargetPlace { on_map, standing, movement, blocked })
    }

    /// Returns the goals of a list, which orders with this list share.
    fn listed(
        &self,
        places: &Arc<[Place]>,
        request: &PathRequest,
        unit: &UnitMaps,
        map: &AnyMap,
        accepted: Option<&Accepted>,
    ) -> Result<Goals, NotYet> {
        let list = SharedList {
            places: places.clone(),
            accepted: accepted.map(|accepted| accepted.goals.at.clone()),
            map: map.entity(),
            named: request.goal_map(),
        };
        let movements = [unit.movement, accepted.and_then(|accepted| accepted.movement)];
        if let Some(goals) = self.lists.find(&list, movements) {
            return Ok(goals);
        }
        // Half of a tick's work is for searches.
        if places.len() > SHORT_LIST && self.lists.have_used(self.settings.work_per_tick / 2) {
            return Err(NotYet::NextTick);
        }
        let goals = unit.goals(request, map, accepted)?;
        self.lists.add(list, movements, goals.clone());
        Ok(goals)
    }
}

impl Targets<'_, '_> {
    /// Returns what lists and groups leave of the budget. It is at least half.
    pub(crate) fn rest_of(&self, budget: u64) -> u64 {
        self.lists.rest_of(budget)
    }

    /// Returns the work of lists and groups, and drops what orders share in this tick.
    pub(crate) fn take_work(&self) -> u64 {
        self.lists.take_work()
    }
}
