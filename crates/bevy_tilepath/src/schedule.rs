//! The steps of a tick.

use bevy_app::App;
use bevy_ecs::{
    intern::Interned,
    resource::Resource,
    schedule::{IntoScheduleConfigs, ScheduleLabel, SingleThreadedExecutor, SystemSet},
    world::World,
};
use thiserror::Error;

/// The steps of a tick. They run in this order, in the plugin's schedule.
///
/// Use the steps to order your own systems. A system that writes the input of a step runs before
/// this step.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TilepathSystems {
    /// Reads tiles, layers, obstacles and rules into each map's [`NavGrid`](crate::NavGrid), and
    /// the world transforms of maps and graphs.
    ///
    /// If you edit tiles, chunks, graphs and doors before this step, searches and agents use the change in
    /// the same tick.
    SyncMaps,
    /// Accepts new [`PathRequest`](crate::PathRequest)s: each request gets its map, start and
    /// goals. Queues agents with a blocked path for a new search.
    ///
    /// If you give an order before this step, its search starts in the same tick.
    AcceptRequests,
    /// Advances the searches, in fair turns, within the tick's budget of work.
    Search,
    /// Publishes answers: writes components and triggers events.
    ///
    /// After this step, [`AgentPath`](crate::AgentPath) and [`PathStatus`](crate::PathStatus) have
    /// the state of this tick.
    Publish,
    /// Moves all agents, and triggers [`PathPointReached`](crate::events::PathPointReached),
    /// [`DoorPassed`](crate::events::DoorPassed) and [`Arrived`](crate::events::Arrived).
    ///
    /// Change [`PathAgent::speed`](crate::PathAgent::speed) before this step. Read
    /// [`Motion`](crate::Motion) and the new `Transform` after this step.
    Follow,
}

/// The systems of [`TilepathSystems::SyncMaps`], in a schedule of their own. Both the tick and
/// [`sync_maps_now`] run it.
#[derive(ScheduleLabel, Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct SyncMapsSchedule;

/// The steps of [`TilepathSystems::AcceptRequests`].
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum AcceptSteps {
    /// Registers the own movements of units with maps.
    Movements,
    /// Reads the present state of doors, maps and the parents of agents.
    Look,
    /// Lets groups give orders to their members.
    Groups,
    /// Finds agents whose path is no longer right.
    CheckPaths,
    /// Accepts new requests.
    Accept,
}

/// The steps of [`TilepathSystems::Search`].
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum SearchSteps {
    /// Registers own movements, as [`AcceptSteps::Movements`] does.
    Movements,
    /// Adds edits to the recordings, before the searches that use them.
    #[cfg(feature = "recording")]
    Record,
    /// Makes landmarks, before the searches that use them.
    Landmarks,
    Advance,
}

/// The steps of [`TilepathSystems::Follow`].
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum FollowSteps {
    Walk,
    /// Changes the ends of members of groups that are far from their places.
    GroupMembers,
    /// Reports passed and reached places in the same tick. Answers are published before agents
    /// walk: hence two reports in a tick.
    Report,
    /// Ends the orders of groups, after the orders of their members.
    Groups,
}

/// Exists while maps are kept up to date with tiles: with the plugin.
#[derive(Resource)]
struct MapsAreSynced;

/// The steps of [`SyncMapsSchedule`]: first rules come from files, then tiles make grids. Rules and
/// world places are applied next, then obstacles. Own movements of units come last.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum SyncSteps {
    #[cfg(feature = "rules_asset")]
    Rules,
    Tiles,
    Maps,
    Obstacles,
    Movements,
}

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.configure_sets(
        schedule,
        (
            TilepathSystems::SyncMaps,
            TilepathSystems::AcceptRequests,
            TilepathSystems::Search,
            TilepathSystems::Publish,
            TilepathSystems::Follow,
        )
            .chain(),
    )
    .configure_sets(
        schedule,
        (
            AcceptSteps::Movements,
            AcceptSteps::Look,
            AcceptSteps::Groups,
            AcceptSteps::CheckPaths,
            AcceptSteps::Accept,
        )
            .chain()
            .in_set(TilepathSystems::AcceptRequests),
    )
    .configure_sets(
        schedule,
        (
            SearchSteps::Movements,
            #[cfg(feature = "recording")]
            SearchSteps::Record,
            SearchSteps::Landmarks,
            SearchSteps::Advance,
        )
            .chain()
            .in_set(TilepathSystems::Search),
    )
    .configure_sets(
        schedule,
        (FollowSteps::Walk, FollowSteps::GroupMembers, FollowSteps::Report, FollowSteps::Groups)
            .chain()
            .in_set(TilepathSystems::Follow),
    )
    .insert_resource(MapsAreSynced)
    .configure_sets(
        SyncMapsSchedule,
        (
            #[cfg(feature = "rules_asset")]
            SyncSteps::Rules,
            SyncSteps::Tiles,
            SyncSteps::Maps,
            SyncSteps::Obstacles,
            SyncSteps::Movements,
        )
            .chain(),
    )
    .edit_schedule(SyncMapsSchedule, |sync| {
        // Each system waits for the one before it, so nothing can run in parallel.
        sync.set_executor(SingleThreadedExecutor::new());
    })
    .add_systems(schedule, run_sync_maps.in_set(TilepathSystems::SyncMaps));
}

fn run_sync_maps(world: &mut World) {
    world.run_schedule(SyncMapsSchedule);
}

/// Reads tiles, rules, obstacles and the transforms of maps at once, as a tick does in
/// [`SyncMaps`](TilepathSystems::SyncMaps). After the call, [`NavQuery`](crate::NavQuery) and
/// [`NavGrid`](crate::NavGrid) include every edit so far.
///
/// Use it if you edit a map and query the map in the same frame, or if no ticks run: in turn-based
/// games, level editors and tests. Agents and orders do not change. Paths over edited cells are
/// planned again in the next tick, as after any edit.
///
/// Call the function with the world, or queue it with `commands.queue(sync_maps_now)`.
///
/// # Errors
/// [`SyncMapsError`] if the app has no plugin, or if an observer or a hook calls the function while
/// maps are already being read. In both cases the function does nothing.
///
/// # Complexity
/// The function does the work of the step `SyncMaps`. A scan of all tiles finds the changed tiles,
/// in about a nanosecond for each tile. Then only the changed tiles are read. Changed
/// `TilemapChunkTileData` is read whole.
///
/// ```
/// use bevy_app::App;
/// use bevy_ecs::{prelude::*, system::RunSystemOnce};
/// use bevy_math::Vec2;
/// use bevy_tilepath::{
///     Cell, NavGrid, NavMap, NavProjection, NavQuery, Obstacle, TilepathPlugin, sync_maps_now,
///     tilepath::Grid,
/// };
/// use bevy_transform::components::Transform;
///
/// let mut app = App::new();
/// app.add_plugins(TilepathPlugin::default());
/// let world = app.world_mut();
/// world.spawn((NavMap::default(), NavGrid::new(Grid::new(3, 1, 1)?), NavProjection::square(Vec2::ONE, Vec2::ZERO)));
/// let boulder = world.spawn((Obstacle::default(), Transform::from_xyz(1.0, 0.0, 0.0))).id();
///
/// let is_open = |nav: NavQuery| nav.only_map().unwrap().is_reachable(Cell::new(0, 0), Cell::new(2, 0)).unwrap();
/// sync_maps_now(world)?;
/// assert!(!world.run_system_once(is_open).unwrap());
/// world.despawn(boulder);
/// sync_maps_now(world)?;
/// assert!(world.run_system_once(is_open).unwrap());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sync_maps_now(world: &mut World) -> Result<(), SyncMapsError> {
    world.try_run_schedule(SyncMapsSchedule).map_err(|_| {
        let has_plugin = world.contains_resource::<MapsAreSynced>();
        if has_plugin { SyncMapsError::AlreadyRunning } else { SyncMapsError::NoPlugin }
    })
}

/// The reason why [`sync_maps_now`] did nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SyncMapsError {
    /// The app has no [`TilepathPlugin`](crate::TilepathPlugin).
    #[error("no plugin reads maps: add TilepathPlugin")]
    NoPlugin,
    /// An observer or a hook called the function while maps were being read.
    #[error("maps are being read already: call it outside of TilepathSystems::SyncMaps")]
    AlreadyRunning,
}
