//! The path recorder: searches and answers for bug reports.

mod tape;

use std::collections::BTreeMap;

use bevy_app::App;
use bevy_ecs::{
    change_detection::DetectChangesMut,
    entity::Entity,
    intern::Interned,
    query::With,
    reflect::ReflectResource,
    resource::Resource,
    schedule::{IntoScheduleConfigs, ScheduleLabel},
    system::{Query, Res, ResMut},
};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use tilepath::{
    crowd::{Crowd, Guide},
    recording::Recording,
};

use crate::{
    map::{map_view::MapView, nav_grid::NavGrid, nav_map::NavMap},
    order::grid_query::{GridQuery, GridReply},
    recorder::tape::{MapTapes, TapeNumbers},
    schedule::SearchSteps,
};

/// A resource that records the searches on tile maps, for bug reports. It needs the feature
/// `recording`.
///
/// A recording has the map, the rules of the map and every edit. It also has every search for a
/// request or a replan, with the answer.
///
/// The resource records only after [`start`](Self::start). Take a [`Recording`] out at any time and
/// write it to a file. `tilepath replay FILE`, or [`Recording::replay`], runs the searches again
/// and compares the answers bit for bit.
///
/// - Each map has its own recording. It begins at [`start`](Self::start), or in the first tick of a
///   map that is spawned later. It is dropped when the map is despawned.
/// - Edits of a map are recorded in each tick, in the set
///   [`TilepathSystems::Search`](crate::TilepathSystems::Search).
/// - Searches on waypoint graphs are not recorded. Calls of [`NavQuery`](crate::NavQuery) are not
///   recorded.
/// - While the recorder is off, it costs only the memory of the resource.
///
/// # Memory
/// If the recording of a map reaches the [limit](Self::with_limit), the oldest half of the
/// recording is dropped. The recording then begins with the map as it was at a later time.
///
/// # Examples
/// ```
/// use bevy_app::App;
/// use bevy_ecs::prelude::*;
/// use bevy_math::Vec2;
/// use bevy_time::TimePlugin;
/// use bevy_tilepath::{
///     recording::PathRecorder, tilepath::Grid, Cell, NavGrid, NavMap, NavProjection, PathAgent, PathRequest,
///     TilepathPlugin,
/// };
///
/// let mut app = App::new();
/// app.add_plugins((TimePlugin, TilepathPlugin::in_schedule(bevy_app::Update)));
/// app.world_mut().resource_mut::<PathRecorder>().start();
/// let projection = NavProjection::square(Vec2::splat(16.0), Vec2::ZERO);
/// let map = app.world_mut().spawn((NavMap::default(), NavGrid::new(Grid::new(9, 9, 1)?), projection)).id();
/// app.world_mut().spawn((PathAgent::default(), PathRequest::to_cell(Cell::new(8, 3))));
/// app.update();
///
/// let recording = app.world().resource::<PathRecorder>().recording(map).unwrap();
/// let file = recording.to_ron(); // attach it to the report
/// let replayed = bevy_tilepath::tilepath::recording::Recording::from_text(&file)?.replay(|_| ())?;
/// assert_eq!((replayed.answers, replayed.different), (1, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Resource, Debug, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Resource, Default, Debug)]
pub struct PathRecorder {
    is_recording: bool,
    limit: usize,
    #[reflect(ignore)]
    maps: BTreeMap<Entity, MapTapes>,
    /// The least name for a tape of a map that has no recording yet.
    #[reflect(ignore)]
    next_name: u64,
    /// True if the next decision of each crowd is to be recorded.
    wants_crowds: bool,
}

/// The number of a query on the tapes of its map.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RecordedQuery {
    map: Entity,
    numbers: TapeNumbers,
}

impl Default for PathRecorder {
    /// Returns a recorder that is off, with a limit of 200,000: at most a few tens of megabytes for
    /// each map.
    fn default() -> Self {
        Self { is_recording: false, limit: 200_000, maps: BTreeMap::new(), next_name: 0, wants_crowds: false }
    }
}

impl PathRecorder {
    /// Returns a recorder that is off. The recording of each map has at most the size `limit`.
    ///
    /// # Units
    /// Each edit, each change of rules and each query adds 1 to the size. Each cell of a path and
    /// each goal of a query also adds 1. If another map replaces the map, each cell of the new map
    /// adds 1. A recording may exceed the limit by the entries of one tick.
    #[must_use]
    pub fn with_limit(limit: usize) -> Self {
        Self { limit, ..Self::default() }
    }

    /// Returns this recorder, switched on. Insert the resource before the first tick.
    #[must_use]
    pub fn started(self) -> Self {
        Self { is_recording: true, ..self }
    }

    /// Begins to record all maps. The recordings begin with the maps as they are in the next tick.
    /// Earlier recordings are dropped.
    pub fn start(&mut self) {
        self.forget();
        self.is_recording = true;
    }

    /// Stops recording. The recordings stay until [`start`](Self::start) or
    /// [`forget`](Self::forget) is called.
    pub fn stop(&mut self) {
        self.is_recording = false;
    }

    /// Drops all recordings. If the recorder is on, new recordings begin with the maps as they are
    /// in the next tick.
    pub fn forget(&mut self) {
        let names = self.maps.values().map(MapTapes::next_name);
        self.next_name = names.fold(self.next_name, u64::max);
        self.maps.clear();
    }

    /// Returns whether the recorder is on.
    #[must_use]
    pub const fn is_recording(&self) -> bool {
        self.is_recording
    }

    /// Returns the recording of a map so far, or `None` if there is no recording of this map.
    #[must_use]
    pub fn recording(&self, map: Entity) -> Option<&Recording> {
        self.maps.get(&map).map(MapTapes::recording)
    }

    /// Returns all recordings, each with the entity of its map. They are sorted by this entity.
    pub fn recordings(&self) -> impl Iterator<Item = (Entity, &Recording)> + '_ {
        self.maps.iter().map(|(&map, tapes)| (map, tapes.recording()))
    }

    /// Records all decisions of [bodies](crate::Body) in the next tick, on every map. They become an [entry](tilepath::recording::RecordedEntry::Crowd) of the recording of the map. If the recorder is off,
    /// recordings begin in that tick, with this entry. Use it for a report about bodies that get stuck.
    ///
    /// To make the decisions again, use `tilepath replay FILE` or
    /// [`Recording::replay`](tilepath::recording::Recording::replay).
    ///
    /// # Complexity
    /// Time in the next tick: O(cells + bodies) for each map that has bodies.
    ///
    /// # Examples
    /// ```
    /// use bevy_app::App;
    /// use bevy_math::Vec2;
    /// use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
    /// use bevy_tilepath::{
    ///     recording::PathRecorder, tilepath::{Grid, recording::Recording}, Body, Cell, NavGrid, NavMap,
    ///     NavProjection, PathAgent, PathRequest, TilepathPlugin,
    /// };
    ///
    /// let mut app = App::new();
    /// app.add_plugins((TimePlugin, TilepathPlugin::default()))
    ///     .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    /// let projection = NavProjection::square(Vec2::splat(16.0), Vec2::ZERO);
    /// let map = app.world_mut().spawn((NavMap::default(), NavGrid::new(Grid::new(9, 9, 1)?), projection)).id();
    /// app.world_mut().spawn((PathAgent::default(), Body::default(), PathRequest::to_cell(Cell::new(8, 3))));
    /// app.update();
    /// app.update();
    ///
    /// app.world_mut().resource_mut::<PathRecorder>().record_crowds();
    /// app.update();
    /// let file = app.world().resource::<PathRecorder>().recording(map).unwrap().to_ron();
    /// let replayed = Recording::from_text(&file)?.replay(|_| ())?;
    /// assert_eq!((replayed.answers, replayed.different), (1, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn record_crowds(&mut self) {
        self.wants_crowds = true;
    }

    /// Returns whether the decisions of this tick are to be recorded.
    pub(crate) fn take_wish_for_crowds(&mut self) -> bool {
        std::mem::take(&mut self.wants_crowds)
    }

    /// Runs the decisions of the crowd of a map, and records them.
    pub(crate) fn tick_recorded(&mut self, view: &MapView, crowd: &mut Crowd, guide: &mut impl Guide) {
        let tick = crowd.tick_recorded(guide);
        let limit = self.limit;
        self.tapes(view.map, view.grid).note_crowd(view.grid.finder(), &tick, limit);
    }

    pub(crate) fn ask(&mut self, view: &MapView, query: GridQuery) -> RecordedQuery {
        let limit = self.limit;
        let numbers = self.tapes(view.map, view.grid).ask(view.grid.finder(), query, limit);
        RecordedQuery { map: view.map, numbers }
    }

    pub(crate) fn answer(&mut self, query: RecordedQuery, reply: GridReply) {
        if let Some(tapes) = self.maps.get_mut(&query.map) {
            tapes.answer(query.numbers, reply);
        }
    }

    fn tapes(&mut self, map: Entity, grid: &NavGrid) -> &mut MapTapes {
        let Self { maps, next_name, .. } = self;
        maps.entry(map).or_insert_with(|| MapTapes::new(grid.finder(), *next_name))
    }
}

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.init_resource::<PathRecorder>().register_type::<PathRecorder>().add_systems(
        schedule,
        follow_maps.run_if(|recorder: Res<PathRecorder>| recorder.is_recording).in_set(SearchSteps::Record),
    );
}

/// Begins recordings of new maps, drops recordings of maps that are gone, and records edits.
fn follow_maps(mut recorder: ResMut<PathRecorder>, maps: Query<(Entity, &NavGrid), With<NavMap>>) {
    let recorder = recorder.bypass_change_detection();
    let gone: Vec<Entity> = recorder.maps.keys().copied().filter(|&map| !maps.contains(map)).collect();
    for map in gone {
        if let Some(tapes) = recorder.maps.remove(&map) {
            recorder.next_name = recorder.next_name.max(tapes.next_name());
        }
    }
    let limit = recorder.limit;
    for (map, grid) in maps.iter().filter(|(_, grid)| grid.is_ready()) {
        recorder.tapes(map, grid).catch_up(grid.finder(), limit);
    }
}
