//! A snapshot: the state of the plugin as it is, for rollback.

use bevy_ecs::{
    component::Mutable,
    entity::{Entity, EntityHashSet},
    resource::Resource,
    world::World,
};

use crate::{
    disabling::is_hidden,
    group::{GroupQueue, PlanUnderWay},
    journey::number::LastAgentNumber,
    map::{
        door::known::KnownDoors,
        movement::OwnMovements,
        nav_grid::{NavGrid, snapshot::NavGridSnapshot},
        watch::WatchedMaps,
    },
    order::queue::RequestQueue,
    schedule::SyncMapsError,
    search::{
        goal_lists::GoalLists, landmarks::LandmarkCredit, order_search::OrderSearch, searches::Searches,
        shared_fields::SharedFields,
    },
    settings::TilepathSettings,
    state::{
        entity::{ChangesSeen, EntityState},
        error::StateError,
        take::of_plugin,
    },
    sync::{
        obstacle::{BlockedCells, LeftPlacements},
        overlay_area::OverlayAreas,
    },
    walk::bodies::map_crowd::Crowds,
};

macro_rules! resources {
    ($($name:ident: $Resource:ty,)*) => {
        /// The resources of the plugin.
        #[derive(Debug, Clone)]
        struct Resources {
            $($name: $Resource,)*
        }

        impl Resources {
            fn of(world: &World) -> Option<Self> {
                Some(Self { $($name: world.get_resource::<$Resource>()?.clone(),)* })
            }

            fn put(self, world: &mut World) {
                $(put(world, self.$name);)*
            }
        }
    };
}

resources! {
    settings: TilepathSettings,
    number: LastAgentNumber,
    queue: RequestQueue,
    searches: Searches,
    fields: SharedFields,
    landmarks: LandmarkCredit,
    groups: GroupQueue,
    plan: PlanUnderWay,
    crowds: Crowds,
    doors: KnownDoors,
    watched: WatchedMaps,
    movements: OwnMovements,
    areas: OverlayAreas,
    left: LeftPlacements,
}

fn put<R: Resource<Mutability = Mutable>>(world: &mut World, value: R) {
    if let Some(mut present) = world.get_resource_mut::<R>() {
        *present = value;
    }
}

/// The state of the plugin as it is between two ticks, to go back to it in the same world: for rollback
/// networking, and for games that take back moves.
///
/// Unlike [`TilepathState`](crate::TilepathState) it changes nothing in the world: searches under way go
/// on. It is not for files. It shares paths of searches, maps and fields with the world until these change.
///
/// With `bevy_ggrs`, run the plugin in `GgrsSchedule`. Take a snapshot in `SaveWorld`, and put it back in
/// `LoadWorld`, in `LoadWorldSystems::Mapping`. Despawn units with `despawn_rollback`, so that they come
/// back as the same entities.
///
/// `Disabled` is part of a snapshot. Other components that disable entities, such as `RollbackDespawned`,
/// are not: restore them before you put the snapshot back. For all others, an entity with such a component
/// is as good as despawned. It may be gone when the snapshot is put back.
///
/// # Guarantee
/// After a snapshot is put back, each tick repeats what it did, if it gets the same input and the same
/// time.
///
/// ```
/// use bevy_app::{App, FixedUpdate};
/// use bevy_ecs::prelude::*;
/// use bevy_tilepath::{AgentPath, NavGrid, NavMap, PathAgent, PathRequest, TilepathPlugin, TilepathSnapshot, tilepath::Grid};
///
/// let mut app = App::new();
/// app.add_plugins(TilepathPlugin::default());
/// let world = app.world_mut();
/// world.spawn((NavMap::default(), NavGrid::new(Grid::new(9, 9, 1)?)));
/// let unit = world.spawn(PathAgent::default()).id();
/// world.run_schedule(FixedUpdate);
/// let before = TilepathSnapshot::take(world)?;
///
/// world.entity_mut(unit).insert(PathRequest::to_cell((8, 3)));
/// world.run_schedule(FixedUpdate);
/// assert!(world.get::<AgentPath>(unit).is_some());
/// before.put(world)?;
/// assert!(world.get::<PathRequest>(unit).is_none() && world.get::<AgentPath>(unit).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[doc(alias = "rollback")]
pub struct TilepathSnapshot {
    entities: Vec<EntityState>,
    /// The entities that a component of the game disabled. Such an entity may be gone when the snapshot
    /// is put back.
    hidden: EntityHashSet,
    grids: Vec<(Entity, NavGridSnapshot)>,
    blocked: Vec<(Entity, BlockedCells)>,
    resources: Resources,
}

impl TilepathSnapshot {
    /// Takes a snapshot of a world, between two ticks.
    ///
    /// # Errors
    /// [`StateError::Maps`] if the app has no plugin.
    ///
    /// # Complexity
    /// O(entities).
    pub fn take(world: &mut World) -> Result<Self, StateError> {
        let no_plugin = StateError::Maps(SyncMapsError::NoPlugin);
        let resources = Resources::of(world).ok_or(no_plugin)?;
        let of_plugin: Vec<Entity> = of_plugin(world).collect();
        let hidden = of_plugin.iter().copied().filter(|&entity| is_hidden(world, entity)).collect();
        let searches = || resources.searches.running().filter_map(OrderSearch::path_search);
        let all = || of_plugin.iter().map(|&entity| world.entity(entity));
        let grids =
            all().filter_map(|entity| Some((entity.id(), entity.get::<NavGrid>()?.snapshot(searches()))));
        let blocked = all().filter_map(|entity| Some((entity.id(), entity.get::<BlockedCells>()?.clone())));
        let (grids, blocked) = (grids.collect(), blocked.collect());
        let state = |entity| {
            let mut state = EntityState::of(entity);
            if let Some(path) = state.path.as_deref_mut() {
                state.common = path.plan.route_mut().common.take().map(|common| common.number());
            }
            state
        };
        let entities = all().map(state).collect();
        Ok(Self { entities, hidden, grids, blocked, resources })
    }

    /// Goes back to the snapshot, in the world from which it was taken. Entities that came since lose the
    /// components of this crate.
    ///
    /// # Errors
    /// [`StateError::NoEntity`] if an entity of the snapshot is gone that no component of your game
    /// disabled. Then nothing has changed.
    ///
    /// # Complexity
    /// O(entities).
    pub fn put(&self, world: &mut World) -> Result<(), StateError> {
        self.check(world)?;
        self.clear_others(world);
        let present: Vec<&EntityState> =
            self.entities.iter().filter(|state| world.get_entity(state.entity).is_ok()).collect();
        for state in &present {
            state.remove_others(&mut world.entity_mut(state.entity));
        }
        put_in_place(&present, world);
        for state in &present {
            state.give(&mut world.entity_mut(state.entity));
        }
        put_in_place(&present, world);
        for (map, grid) in &self.grids {
            let Ok(mut map) = world.get_entity_mut(*map) else { continue };
            map.insert_if_new(NavGrid::default());
            if let Some(mut present) = map.get_mut::<NavGrid>() {
                present.put_back(grid);
            }
        }
        let mut resources = self.resources.clone();
        // The clone has goals of its own.
        let fields = std::mem::take(&mut resources.fields);
        for &state in &present {
            let mut state = state.clone();
            if let Some(path) = state.path.as_deref_mut() {
                path.plan.route_mut().common = state.common.and_then(|number| fields.numbered(number));
            }
            let entity = state.entity;
            state.write(&mut world.entity_mut(entity), ChangesSeen::No);
        }
        for (obstacle, blocked) in &self.blocked {
            if let Some(mut present) = world.get_mut::<BlockedCells>(*obstacle) {
                *present = blocked.clone();
            }
        }
        world.flush();
        resources.fields = fields;
        resources.put(world);
        put(world, GoalLists::default());
        Ok(())
    }

    fn check(&self, world: &World) -> Result<(), StateError> {
        if !world.contains_resource::<RequestQueue>() {
            return Err(StateError::Maps(SyncMapsError::NoPlugin));
        }
        let is_missing = |state: &&EntityState| {
            world.get_entity(state.entity).is_err() && !self.hidden.contains(&state.entity)
        };
        if let Some(gone) = self.entities.iter().find(is_missing) {
            return Err(StateError::NoEntity { entity: gone.entity, target: gone.entity });
        }
        Ok(())
    }

    /// Removes the components of the plugin from entities that did not have them.
    fn clear_others(&self, world: &mut World) {
        let known: EntityHashSet = self.entities.iter().map(|state| state.entity).collect();
        let others: Vec<Entity> = of_plugin(world).filter(|entity| !known.contains(entity)).collect();
        for entity in others {
            EntityState::clear(&mut world.entity_mut(entity));
        }
    }
}

fn put_in_place(present: &[&EntityState], world: &mut World) {
    for state in present {
        state.put_in_place(&mut world.entity_mut(state.entity));
    }
}
