//! The order of a tick.

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
/// Order your own systems against them: what a step reads must be written before it.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TilepathSystems {
    /// Tiles, layers, obstacles and rules are read into each map's [`NavGrid`](crate::NavGrid), and where maps and
    /// graphs stand in the world.
    ///
    /// Edit tiles, graphs and doors before it and the same tick's searches and walkers see the change.
    SyncMaps,
    /// New [`PathRequest`](crate::PathRequest)s get their map, start and goals, and journeys whose way is
    /// blocked are put up for a new search.
    ///
    /// Order agents about before it and the search starts in the same tick.
    AcceptRequests,
    /// Searches advance, fairly, within the tick's budget of work.
    Search,
    /// Answers go out: components are written, events triggered.
    ///
    /// After it [`AgentPath`](crate::AgentPath) and [`PathStatus`](crate::PathStatus) are those of this tick.
    Publish,
    /// All agents walk; [`PathPointReached`](crate::events::PathPointReached), [`DoorPassed`](crate::events::DoorPassed) and
    /// [`Arrived`](crate::events::Arrived) are told.
    ///
    /// Change [`PathAgent::speed`](crate::PathAgent::speed) before it; read
    /// [`Motion`](crate::Motion) and the new `Transform` after it.
    Follow,
}

/// The systems of [`TilepathSystems::SyncMaps`], in a schedule of their own: the tick runs it, and so does
/// [`sync_maps_now`].
#[derive(ScheduleLabel, Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct SyncMapsSchedule;

/// The steps of [`TilepathSystems::AcceptRequests`].
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum AcceptSteps {
    /// Maps know the movements that units have of their own.
    Movements,
    /// Doors, maps and the parents of agents as they are now.
    Look,
    /// Groups give orders to their members.
    Groups,
    /// Journeys whose way is no longer right.
    CheckPaths,
    /// New requests.
    Accept,
}

/// The steps of [`TilepathSystems::Search`].
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum SearchSteps {
    /// As in [`AcceptSteps::Movements`].
    Movements,
    /// Edits enter the recordings before the searches that see them.
    #[cfg(feature = "recording")]
    Record,
    Advance,
}

/// The steps of [`TilepathSystems::Follow`].
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum FollowSteps {
    Walk,
    /// What was passed and reached is told in the tick in which it happens, and answers before anything walks by them:
    /// hence two reports in a tick.
    Report,
    /// The orders of groups end after those of their members.
    Groups,
}

/// Is there while maps are kept in step with tiles: with the plugin.
#[derive(Resource)]
struct MapsAreSynced;

/// The steps of [`SyncMapsSchedule`]: rules are taken over from files, tiles make grids, rules and places come next, and
/// obstacles stand on the result. What units move by of their own comes last.
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
        // Each system waits for the one before it: there is nothing to share out.
        sync.set_executor(SingleThreadedExecutor::new());
    })
    .add_systems(schedule, run_sync_maps.in_set(TilepathSystems::SyncMaps));
}

fn run_sync_maps(world: &mut World) {
    world.run_schedule(SyncMapsSchedule);
}

/// Reads tiles, rules, obstacles and the places of maps at once, as the tick does in
/// [`SyncMaps`](TilepathSystems::SyncMaps): afterwards [`NavQuery`](crate::NavQuery) and
/// [`NavGrid`](crate::NavGrid) know every edit made so far.
///
/// For those who edit a map and ask about it in one frame, or while no tick comes: turn-based games, level editors, tests.
/// Agents and orders are left alone; journeys over what was edited are planned again in the next tick, as ever. It is a
/// plain function of the world: call it, or queue it with `commands.queue(sync_maps_now)`.
///
/// # Errors
/// [`SyncMapsError`]: without the plugin, and from within the sync itself (an observer of what it writes). Nothing has
/// been done then.
///
/// # Complexity
/// That of the step in the tick: changed tiles are found by a scan, a nanosecond or so a tile, and only they are read.
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

/// Why [`sync_maps_now`] did nothing.
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
