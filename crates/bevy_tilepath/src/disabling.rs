//! Disabled entities, by any component that disables.
//!
//! Queries leave out entities with a disabling component: Bevy's `Disabled`, or one that a game or
//! another crate has registered. `Allow<Disabled>` admits only `Disabled`, and access by entity admits
//! all. An entity with another disabling component may be despawned at any moment, at another one on
//! every machine (`RollbackDespawned` of `bevy_ggrs`). So nothing else may depend on it: for all others it
//! is gone.

use bevy_app::App;
use bevy_ecs::{
    archetype::{Archetype, ArchetypeEntity, Archetypes},
    component::ComponentId,
    entity::{Entities, Entity},
    entity_disabling::{DefaultQueryFilters, Disabled},
    event::EntityEvent,
    intern::Interned,
    observer::Observer,
    resource::Resource,
    schedule::{IntoScheduleConfigs, ScheduleLabel},
    system::{Commands, Res, SystemParam},
    world::World,
};

use crate::{
    bevy_version::{OnInsert, OnRemove},
    schedule::SyncSteps,
};

/// Triggered when an entity gets a disabling component.
#[derive(EntityEvent, Debug, Clone, Copy)]
pub(crate) struct WasDisabled {
    pub(crate) entity: Entity,
}

/// Triggered when an entity loses its last disabling component.
#[derive(EntityEvent, Debug, Clone, Copy)]
pub(crate) struct WasEnabled {
    pub(crate) entity: Entity,
}

/// Returns whether a component disables the entity.
pub(crate) fn is_disabled(world: &World, entity: Entity) -> bool {
    has_any(world, entity, |_| true)
}

/// Returns whether a component other than `Disabled` disables the entity.
pub(crate) fn is_hidden(world: &World, entity: Entity) -> bool {
    let disabled = world.component_id::<Disabled>();
    has_any(world, entity, |id| Some(id) != disabled)
}

fn has_any(world: &World, entity: Entity, counts: impl Fn(ComponentId) -> bool) -> bool {
    let Ok(entity) = world.get_entity(entity) else { return false };
    disabling(world).any(|id| counts(id) && entity.contains_id(id))
}

/// Returns all components that disable.
fn disabling(world: &World) -> impl Iterator<Item = ComponentId> {
    world.get_resource::<DefaultQueryFilters>().into_iter().flat_map(DefaultQueryFilters::disabling_ids)
}

/// Returns all entities, with the disabled ones.
pub(crate) fn all_entities(world: &World) -> impl Iterator<Item = Entity> {
    world.archetypes().iter().flat_map(Archetype::entities).map(ArchetypeEntity::id)
}

/// The disabled entities, for systems.
#[derive(SystemParam)]
pub(crate) struct DisabledEntities<'w> {
    filters: Option<Res<'w, DefaultQueryFilters>>,
    entities: &'w Entities,
    archetypes: &'w Archetypes,
}

impl DisabledEntities<'_> {
    pub(crate) fn contains(&self, entity: Entity) -> bool {
        let location = self.entities.get(entity).ok().flatten();
        let archetype = location.and_then(|location| self.archetypes.get(location.archetype_id));
        let mut disabling = self.filters.iter().flat_map(|filters| filters.disabling_ids());
        archetype.is_some_and(|archetype| disabling.any(|id| archetype.contains(id)))
    }
}

/// The disabling components that are observed.
#[derive(Resource, Default)]
struct Watched(Vec<ComponentId>);

pub(crate) fn plugin(app: &mut App, sync: Interned<dyn ScheduleLabel>) {
    app.init_resource::<Watched>().add_systems(sync, watch.before(SyncSteps::Tiles));
    watch(app.world_mut());
}

/// Observes disabling components that were registered since the last call.
fn watch(world: &mut World) {
    let known = &world.resource::<Watched>().0;
    let new: Vec<ComponentId> = disabling(world).filter(|id| !known.contains(id)).collect();
    if new.is_empty() {
        return;
    }
    world.resource_mut::<Watched>().0.extend(&new);
    let was_disabled = |disabled: OnInsert<()>, mut commands: Commands| {
        let entity = disabled.entity;
        commands.queue(move |world: &mut World| trigger_state(world, entity));
    };
    let was_enabled = |enabled: OnRemove<()>, mut commands: Commands| {
        let entity = enabled.entity;
        commands.queue(move |world: &mut World| trigger_state(world, entity));
    };
    world.spawn(Observer::new(was_disabled).with_components(new.clone()));
    world.spawn(Observer::new(was_enabled).with_components(new.clone()));
    let has_new = |archetype: &&Archetype| new.iter().any(|&id| archetype.contains(id));
    let early = world.archetypes().iter().filter(has_new).flat_map(Archetype::entities);
    let early: Vec<Entity> = early.map(ArchetypeEntity::id).collect();
    for entity in early {
        trigger_state(world, entity);
    }
}

/// Triggers the event for the present state of an entity, unless the entity is gone.
fn trigger_state(world: &mut World, entity: Entity) {
    if world.get_entity(entity).is_err() {
        return;
    }
    if is_disabled(world, entity) {
        world.trigger(WasDisabled { entity });
    } else {
        world.trigger(WasEnabled { entity });
    }
}
