//! What changed on each map since the last tick.

use bevy_app::App;
use bevy_ecs::{
    change_detection::{DetectChanges, Ref},
    entity::{Entity, EntityHashMap},
    intern::Interned,
    query::{With, Without},
    resource::Resource,
    schedule::{IntoScheduleConfigs, ScheduleLabel},
    system::{Query, ResMut},
};
use tilepath::Cell;

use crate::{
    map::{
        nav_graph::NavGraph,
        nav_map::{NavGrid, NavMap},
        projection::NavProjection,
        version::Version,
    },
    schedule::AcceptSteps,
};

/// With more changes than this in a tick it is cheaper to look at whole paths.
const MANY_CHANGES: usize = 16;

/// All maps as they were in the last tick.
#[derive(Resource, Debug, Default)]
pub(crate) struct WatchedMaps {
    maps: EntityHashMap<Watch>,
    last_edition: u64,
}

/// One map as it was in the last tick.
#[derive(Debug)]
pub(crate) struct Watch {
    version: Version,
    projection: NavProjection,
    /// Moves by one in each tick in which the map or its rules changed.
    pub(crate) edition: u64,
    /// Changes whenever the map is put elsewhere in the world.
    pub(crate) placement: u64,
    /// What made this edition out of the one before.
    pub(crate) changes: Changes,
}

#[derive(Debug)]
pub(crate) enum Changes {
    Cells(Vec<Cell>),
    /// Too many to list, or the rules.
    All,
}

impl WatchedMaps {
    pub(crate) fn entry_count(&self) -> usize {
        self.maps.len()
    }

    pub(crate) fn get(&self, map: Entity) -> Option<&Watch> {
        self.maps.get(&map)
    }
}

impl Watch {
    /// Whether this is the state of the map that the watch describes.
    pub(crate) fn describes(&self, version: &Version) -> bool {
        self.version == *version
    }
}

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.init_resource::<WatchedMaps>().add_systems(schedule, watch_maps.in_set(AcceptSteps::Look));
}

fn watch_maps(
    mut watched: ResMut<WatchedMaps>,
    maps: Query<(Entity, &NavGrid, &NavProjection), With<NavMap>>,
    graphs: Query<(Entity, Ref<NavGraph>, &NavProjection), Without<NavMap>>,
) {
    watched.maps.retain(|&map, _| maps.contains(map) || graphs.contains(map));
    for (map, grid, projection) in &maps {
        let version = Version::of_grid(grid);
        let watch = watched.look_at(map, version, projection);
        if !watch.describes(&version) {
            watch.changes = changes(&watch.version, grid);
            watched.move_on(map, version);
        }
    }
    for (map, graph, projection) in &graphs {
        let version = Version::of_graph(&graph);
        let watch = watched.look_at(map, version, projection);
        // Another graph in its place may have an equal revision.
        if !watch.describes(&version) || graph.is_changed() {
            watch.changes = Changes::All;
            watched.move_on(map, version);
        }
    }
}

impl WatchedMaps {
    /// The watch over a map, which may be new, with its place as it is now.
    fn look_at(&mut self, map: Entity, version: Version, projection: &NavProjection) -> &mut Watch {
        let Self { maps, last_edition } = self;
        let watch = maps.entry(map).or_insert_with(|| {
            // A step of two: it does not follow upon any edition an agent may remember.
            *last_edition += 2;
            Watch {
                version,
                projection: *projection,
                edition: *last_edition,
                placement: *last_edition,
                changes: Changes::All,
            }
        });
        if watch.projection != *projection {
            watch.projection = *projection;
            watch.placement += 1;
        }
        watch
    }

    /// The map is another one from now on.
    fn move_on(&mut self, map: Entity, version: Version) {
        if let Some(watch) = self.maps.get_mut(&map) {
            watch.version = version;
            watch.edition += 1;
            self.last_edition = self.last_edition.max(watch.edition);
        }
    }
}

fn changes(before: &Version, grid: &NavGrid) -> Changes {
    let Version::Tiles { generation, revision, rules_edition, .. } = *before else { return Changes::All };
    if generation != grid.generation() || rules_edition != grid.rules_edition() {
        return Changes::All;
    }
    let Some(cells) = grid.grid().changes_since(revision) else { return Changes::All };
    let mut cells: Vec<Cell> = cells.take(MANY_CHANGES + 1).collect();
    if cells.len() > MANY_CHANGES {
        return Changes::All;
    }
    cells.sort_unstable();
    cells.dedup();
    Changes::Cells(cells)
}
