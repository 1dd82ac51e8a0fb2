//! The steps of a tick.

use bevy_app::App;
use bevy_ecs::{
    intern::Interned,
    resource::Resource,
    schedule::{IntoScheduleConfigs, ScheduleLabel, SingleThreadedExecutor, SystemSet},
    world::World,
};
use thiserror::Error;

/// The steps of a tick, chained in this order in the plugin's schedule.
///
/// Order your own systems against them: write the inputs of a step before it.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TilepathSystems {
    /// Reads tiles, layers, obstacles and rules into each map's [`NavGrid`](crate::NavGrid), and
    /// the world places of maps and graphs.
    ///
    /// Edit tiles, graphs and doors before this step: then searches and agents use the change in
    /// the same tick.
    SyncMaps,
    /// Accepts new [`PathRequest`](crate::PathRequest)s: they get their map, start and goals.
    /// Agents with a blocked path are queued for a new search.
    ///
    /// Give orders before this step: then their searches start in the same tick.
    AcceptRequests,
    /// Advances the searches, in fair turns, within the tick's budget of work.
    Search,
    /// Publishes answers: components are written, events triggered.
    ///
    /// After it, [`AgentPath`](crate::AgentPath) and [`PathStatus`](crate::PathStatus) have the
    /// state of this tick.
    Publish,
    /// Moves all agents, and triggers [`PathPointReached`](crate::events::PathPointReached),
    /// [`DoorPassed`](crate::events::DoorPassed) and [`Arrived`](crate::events::Arrived).
    ///
    /// Change [`PathAgent::speed`](crate::PathAgent::speed) before it. Read
    /// [`Motion`](crate::Motion) and the new `Transform` after it.
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
    Advance,
}

/// The steps of [`TilepathSystems::Follow`].
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum FollowSteps {
    Walk,
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
            SearchSteps::Advance,
        )
            .chain()
            .in_set(TilepathSystems::Search),
    )
    .configure_sets(
        schedule,
        (FollowSteps::Walk, FollowSteps::Report, FollowSteps::Groups).chain().in_set(TilepathSystems::Follow),
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

/// Reads tiles, rules, obstacles and the places of maps at once, as the tick does in
/// [`SyncMaps`](TilepathSystems::SyncMaps). After it, [`NavQuery`](crate::NavQuery) and
/// [`NavGrid`](crate::NavGrid) include every edit so far.
///
/// Use it to edit a map and query it in one frame, or while no tick comes: in turn-based games,
/// level editors, tests. Agents and orders do not change. Paths over edited cells are planned again
/// in the next tick, as always.
///
/// It is a plain function of the world: call it, or queue it with `commands.queue(sync_maps_now)`.
///
/// # Errors
/// [`SyncMapsError`]: without the plugin, and from within the sync itself (an observer of what it
/// writes). In both cases nothing has been done.
///
/// # Complexity
/// As for the step in the tick: a scan finds changed tiles, in about a nanosecond a tile. Only
/// these are read.
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
    #[error("there is nothing that reads maps: add TilepathPlugin first")]
    NoPlugin,
    /// It was called while maps are being read, by an observer or a hook.
    #[error("maps are being read already: call it outside of TilepathSystems::SyncMaps")]
    AlreadyRunning,
}
