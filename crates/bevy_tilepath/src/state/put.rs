//! A state is put into a world.

use bevy_ecs::{
    change_detection::{DetectChangesMut, Mut},
    entity::{Entity, EntityHashMap, EntityHashSet, EntityMapper, MapEntities},
    system::SystemState,
    world::World,
};
use bevy_time::Time;
use tilepath::MovementId;

use crate::{
    group::{GroupQueue, PlanUnderWay},
    journey::{number::LastAgentNumber, path::AgentPath},
    map::{
        door::known::KnownDoors,
        maps::Maps,
        movement::{AgentMovement, OwnMovements},
        nav_grid::NavGrid,
        watch::WatchedMaps,
    },
    order::{common_goals::CommonGoals, queue::RequestQueue, request::PathRequest},
    schedule::sync_maps_now,
    search::{
        goal_lists::GoalLists, landmarks::LandmarkCredit, searches::Searches, shared_fields::SharedFields,
    },
    settings::TilepathSettings,
    state::{
        content::Content,
        entity::ChangesSeen,
        error::StateError,
        resume::resume_searches,
        take::{known_of_plugin, look_at_maps},
        versions::PresentVersions,
    },
    walk::bodies::map_crowd::{Crowds, RestoredCrowds},
};

/// Puts a state into a world. Nothing changes if it does not fit.
pub(super) fn put(
    content: &Content,
    world: &mut World,
    entities: &mut EntityHashMap<Entity>,
) -> Result<(), StateError> {
    sync_maps_now(world)?;
    check(content, world, entities)?;
    let mut crowds = content.crowds.restore()?;
    let mut content = content.clone();
    if let Some(mut mapper) = Targets::of(&mut content, world, entities) {
        content.map_entities(&mut mapper);
        crowds.map_entities(&mut mapper);
        // Other entities have another order.
        content.entities.sort_unstable_by_key(|state| state.entity);
    }
    content.share_lists();
    put_components(&content, world);
    renew_maps(&content, world)?;
    put_kept(content, crowds, world)
}

/// Checks whether a state fits a world.
fn check(content: &Content, world: &mut World, entities: &EntityHashMap<Entity>) -> Result<(), StateError> {
    let mut targets = EntityHashSet::default();
    for state in &content.entities {
        let target = entities.get(&state.entity).copied();
        if let Some(target) = target {
            if world.get_entity(target).is_err() {
                return Err(StateError::NoEntity { entity: state.entity, target });
            }
            if !targets.insert(target) {
                return Err(StateError::SameEntity { target });
            }
        }
        if let Some(grid) = &state.grid {
            grid.check(state.entity, target, world)?;
        }
    }
    let mut present = known_of_plugin(world);
    present.sort_unstable();
    match present.into_iter().find(|entity| !targets.contains(entity)) {
        Some(entity) => Err(StateError::NotInState { entity }),
        None => Ok(()),
    }
}

/// Maps the entities of a state to entities of a world.
struct Targets<'a> {
    entities: &'a EntityHashMap<Entity>,
    /// Entities that were gone when the state was taken, each with one that is gone in this world.
    gone: EntityHashMap<Entity>,
}

impl<'a> Targets<'a> {
    /// Spawns the entities that the caller does not name. Returns `None` if all entities keep
    /// their ids.
    fn of(content: &mut Content, world: &mut World, entities: &'a mut EntityHashMap<Entity>) -> Option<Self> {
        let named = content.named();
        let all = content.entities.iter().map(|state| state.entity);
        let new: Vec<Entity> = all.filter(|entity| !entities.contains_key(entity)).collect();
        let mut spawned: Vec<Entity> = new.iter().map(|_| world.spawn_empty().id()).collect();
        // Maps are treated in the order of their entities, so this order stays.
        spawned.sort_unstable();
        entities.extend(new.into_iter().zip(spawned));
        if content.entities.iter().all(|state| entities.get(&state.entity) == Some(&state.entity)) {
            return None;
        }
        let mut named: Vec<Entity> =
            named.into_iter().filter(|named| !entities.contains_key(named)).collect();
        named.sort_unstable();
        let gone = named.into_iter().map(|named| {
            let gone = world.spawn_empty().id();
            world.despawn(gone);
            (named, gone)
        });
        let gone = gone.collect();
        Some(Self { entities, gone })
    }
}

impl EntityMapper for Targets<'_> {
    fn get_mapped(&mut self, source: Entity) -> Entity {
        let target = self.entities.get(&source).or_else(|| self.gone.get(&source));
        target.copied().unwrap_or(source)
    }

    fn set_mapped(&mut self, _: Entity, _: Entity) {}
}

/// Gives entities the components that games give.
fn put_components(content: &Content, world: &mut World) {
    // First what ends: the end of a group's order also ends the orders of its members.
    for state in &content.entities {
        state.remove_others(&mut world.entity_mut(state.entity));
        if state.grid.is_none() {
            world.entity_mut(state.entity).remove::<NavGrid>();
        }
    }
    put_in_place(content, world);
    for state in &content.entities {
        let mut entity = world.entity_mut(state.entity);
        state.give(&mut entity);
        if let Some(request) = &state.request
            && entity.get::<PathRequest>().is_some_and(|present| !present.shares_lists_with(request))
        {
            entity.insert((**request).clone());
        }
    }
    // Observers of the game may have moved entities that got their components.
    put_in_place(content, world);
    for state in &content.entities {
        if let Some(grid) = &state.grid {
            grid.put(state.entity, world);
        }
    }
}

fn put_in_place(content: &Content, world: &mut World) {
    for state in &content.entities {
        state.put_in_place(&mut world.entity_mut(state.entity));
    }
}

/// Drops what was derived from maps, and sees them as new.
fn renew_maps(content: &Content, world: &mut World) -> Result<(), StateError> {
    world.resource_mut::<KnownDoors>().put(content.doors.clone());
    world.resource_mut::<OwnMovements>().is_outdated = true;
    sync_maps_now(world)?;
    for state in content.entities.iter().filter(|state| state.grid.is_some()) {
        if let Some(mut grid) = world.get_mut::<NavGrid>(state.entity) {
            // No answer depends on this, so the grid is not marked as changed.
            grid.bypass_change_detection().renew();
        }
    }
    world.resource_mut::<WatchedMaps>().forget();
    look_at_maps(world);
    world.resource_mut::<WatchedMaps>().log.forget();
    world.resource_mut::<KnownDoors>().log.forget();
    Ok(())
}

/// Writes what the plugin keeps.
fn put_kept(mut content: Content, crowds: RestoredCrowds, world: &mut World) -> Result<(), StateError> {
    let mut maps_of = SystemState::<Maps>::new(world);
    world.resource_scope(|world, mut present: Mut<Crowds>| {
        present.put(crowds, &maps_of.get(world).map_err(|_| StateError::NoMaps)?);
        Ok::<(), StateError>(())
    })?;
    let versions = PresentVersions::of(world);
    versions.resolve(&mut content);
    let state_of_world = versions.world();
    let Content {
        work_per_tick,
        last_agent_number,
        entities,
        queue,
        searches,
        fields,
        landmarks,
        groups,
        plan,
        ..
    } = content;
    let common = world.resource_scope(|world, mut present: Mut<SharedFields>| {
        let maps = maps_of.get(world).map_err(|_| StateError::NoMaps)?;
        Ok::<_, StateError>(present.put(fields, |map, movement| id_of(world, map, movement), &maps))
    })?;
    world.resource_scope(|world, mut present: Mut<LandmarkCredit>| {
        present.put(landmarks, |map, movement| id_of(world, map, movement));
    });
    let bodies = world.resource::<Crowds>().ids();
    for mut state in entities {
        let common = state.common.and_then(|place| common.get(place)?.clone());
        if let Some(path) = state.path.as_deref_mut() {
            put_path(path, common, world);
        }
        let body_place = state.body_place;
        if let Some(entered) = state.place.as_deref_mut().and_then(|place| place.entered.as_mut()) {
            let body = bodies.get(&entered.map).zip(body_place);
            let body = body.and_then(|((crowd, ids), place)| Some((*crowd, *ids.get(place)?)));
            // No crowd has the number 0.
            (entered.crowd, entered.id) = body.unwrap_or((0, entered.id));
            entered.movement_id =
                id_of(world, entered.map, entered.movement.as_ref()).unwrap_or(MovementId::FIRST);
        }
        let entity = state.entity;
        state.write(&mut world.entity_mut(entity), ChangesSeen::Yes);
    }
    world.flush();
    let now = world.resource::<Time>().elapsed();
    world.resource_mut::<TilepathSettings>().work_per_tick = work_per_tick;
    world.resource_mut::<LastAgentNumber>().0 = last_agent_number;
    let paused = world.resource_mut::<Searches>().put(searches);
    world.resource_mut::<GroupQueue>().put(groups);
    *world.resource_mut::<GoalLists>() = GoalLists::default();
    world.resource_mut::<RequestQueue>().put(queue, state_of_world, now);
    world.resource_mut::<PlanUnderWay>().put(plan);
    // The system has no parameter that could be missing.
    let _ = world.run_system_cached_with(resume_searches, paused);
    Ok(())
}

/// Returns the id of a movement on a map, or of the map's own rules.
fn id_of(world: &World, map: Entity, movement: Option<&AgentMovement>) -> Option<MovementId> {
    let grid = world.get::<NavGrid>(map)?;
    match movement {
        Some(movement) => grid.movement_of(movement),
        None => Some(grid.movement()),
    }
}

fn put_path(path: &mut AgentPath, common: Option<CommonGoals>, world: &World) {
    path.plan.route_mut().common = common;
    path.set_revisions(|map| world.get::<NavGrid>(map).map(|grid| grid.grid().revision()));
}
