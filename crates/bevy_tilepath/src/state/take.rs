//! A state is taken.

use std::collections::BTreeMap;

use bevy_ecs::{
    entity::{Entity, EntityHashSet},
    system::SystemState,
    world::World,
};
use bevy_time::Time;
use tilepath::{MovementId, crowd::BodyId};

use crate::{
    disabling::{all_entities, is_hidden},
    group::{GroupQueue, PlanUnderWay},
    journey::{number::LastAgentNumber, path::AgentPath},
    map::{
        door::known::KnownDoors, maps::Maps, movement::AgentMovement, nav_grid::NavGrid, watch::watch_maps,
    },
    order::queue::RequestQueue,
    schedule::sync_maps_now,
    search::{landmarks::LandmarkCredit, searches::Searches, shared_fields::SharedFields},
    settings::TilepathSettings,
    state::{
        content::Content, entity::EntityState, error::StateError, grid::GridState, versions::PresentVersions,
    },
    walk::bodies::map_crowd::Crowds,
};

/// Returns everything that decides the future.
pub(super) fn content(world: &mut World) -> Result<Content, StateError> {
    // Edits since the last tick are seen before, so that the next tick finds nothing of them.
    sync_maps_now(world)?;
    look_at_maps(world);
    let entities = known_of_plugin(world);
    let mut maps_of = SystemState::<Maps>::new(world);
    let crowds = world.resource::<Crowds>().state(&maps_of.get(world).map_err(|_| StateError::NoMaps)?);
    let movement_of = |map: Entity, id: MovementId| -> Option<AgentMovement> {
        world.get::<NavGrid>(map).and_then(|grid| grid.agent_movement(id))
    };
    let present = PresentVersions::of(world);
    let now = world.resource::<Time>().elapsed();
    let mut content = Content {
        work_per_tick: world.resource::<TilepathSettings>().work_per_tick,
        last_agent_number: world.resource::<LastAgentNumber>().0,
        entities: Vec::new(),
        doors: world.resource::<KnownDoors>().state(),
        queue: world.resource::<RequestQueue>().state(present.world(), now),
        searches: world.resource::<Searches>().state(),
        fields: world.resource::<SharedFields>().state(movement_of),
        landmarks: world.resource::<LandmarkCredit>().state(movement_of),
        groups: world.resource::<GroupQueue>().state(),
        plan: world.resource::<PlanUnderWay>().state(),
        crowds,
    };
    let ids = world.resource::<Crowds>().ids();
    let mut known = EntityHashSet::default();
    let mut new: Vec<Entity> = entities;
    // Entities that an entity of the state names belong to the state, too: parents, and the goals of
    // agents.
    while !new.is_empty() {
        known.extend(new.iter().copied());
        content.entities.extend(new.iter().map(|&entity| entity_state(world, entity, &ids)));
        let named = content.named().into_iter();
        let is_new = |entity: &Entity| {
            !known.contains(entity) && world.get_entity(*entity).is_ok() && !is_hidden(world, *entity)
        };
        new = named.filter(is_new).collect();
    }
    content.entities.sort_unstable_by_key(|state| state.entity);
    present.mark(&mut content);
    content.share_lists();
    Ok(content)
}

/// Sees the changes of maps, as a tick does.
pub(super) fn look_at_maps(world: &mut World) {
    // The system has no parameter that could be missing.
    let _ = world.run_system_cached(watch_maps);
}

/// Returns all entities with components of the plugin.
pub(super) fn of_plugin(world: &World) -> impl Iterator<Item = Entity> {
    all_entities(world).filter(|&entity| EntityState::is_of_plugin(world.entity(entity)))
}

/// Returns the entities that belong to a state that may go into another world. Entities that a
/// component of the game disables are left out: there, they would not be disabled.
pub(super) fn known_of_plugin(world: &World) -> Vec<Entity> {
    of_plugin(world).filter(|&entity| !is_hidden(world, entity)).collect()
}

fn entity_state(world: &World, entity: Entity, ids: &BTreeMap<Entity, (u64, Vec<BodyId>)>) -> EntityState {
    let mut state = EntityState::of(world.entity(entity));
    state.grid = world.get::<NavGrid>(entity).map(|grid| Box::new(GridState::of(grid)));
    if let Some(path) = state.path.as_deref_mut() {
        let fields = world.resource::<SharedFields>();
        state.common = path.route().common.as_ref().map(|common| fields.place_in_state(common));
        drop_derived(path);
    }
    if let Some(entered) = state.place.as_deref_mut().and_then(|place| place.entered.as_mut()) {
        let is_in_crowd = world.resource::<Crowds>().has(entity, entered);
        let bodies = ids.get(&entered.map).filter(|_| is_in_crowd);
        state.body_place = bodies.and_then(|(_, ids)| ids.binary_search(&entered.id).ok());
    }
    if let Some(home) = state.place.as_deref_mut().and_then(|place| place.home.as_mut()) {
        home.back.iter_mut().for_each(|back| back.forget_field());
    }
    state
}

/// Drops what a path has only to be fast.
fn drop_derived(path: &mut AgentPath) {
    path.plan.route_mut().common = None;
    path.forget_checks();
    if let Some(ahead) = &mut path.stops.ahead {
        drop_derived(&mut ahead.path);
    }
}
