//! Changes of each map since the last tick.

use bevy_app::App;
use bevy_ecs::{
    entity::{Entity, EntityHashMap},
    intern::Interned,
    resource::Resource,
    schedule::{IntoScheduleConfigs, ScheduleLabel},
    system::ResMut,
};

use crate::{
    map::{
        changes::Changes,
        graph_changes::{GraphChanges, least_rate},
        log::Log,
        maps::{AnyMap, Maps},
        nav_graph::NavGraph,
        projection::NavProjection,
        version::{Version, next_number},
    },
    schedule::AcceptSteps,
};

/// All maps at the beginning of this tick, after they were synced.
#[derive(Clone, Resource, Debug, Default)]
pub(crate) struct WatchedMaps {
    maps: EntityHashMap<Watch>,
    /// The ticks in which a map came, went or changed, and the changes.
    pub(crate) log: Log<MapNews>,
}

/// A change of a map by which paths over it may be cheaper.
#[derive(Clone, Debug)]
pub(crate) struct MapNews {
    pub(crate) map: Entity,
    pub(crate) change: MapChange,
}

#[derive(Clone, Debug)]
pub(crate) enum MapChange {
    /// Cells were edited since that version, or the rules changed.
    Cells(Version),
    /// Waypoints and edges changed.
    Graph(GraphChanges),
    /// The map is new, or its size in the world changed.
    Anything,
}

/// The relative change of a map's size that counts as no change: rounding changes the size of a map
/// that turns.
const AS_LARGE: f64 = 1e-5;

/// One map at the beginning of the tick.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    pub(crate) version: Version,
    pub(crate) projection: NavProjection,
    /// A new version for each change of the projection, so that agents keep and compare only a
    /// number.
    pub(crate) placement: Version,
    /// A new number for each change of the map.
    pub(crate) state: u64,
    /// The former version.
    before: Version,
    /// The cells that differ from the former version. `None` if they are too many, or if the rules
    /// differ.
    changes: Option<Changes>,
    /// The side of a cell in the world; for a graph, the side of a square of side 1.
    side: f64,
    graph: Option<WatchedGraph>,
}

/// A graph at the beginning of the tick.
#[derive(Clone, Debug)]
struct WatchedGraph {
    graph: NavGraph,
    rate: f64,
}

impl WatchedGraph {
    fn of(map: &AnyMap) -> Option<Self> {
        let AnyMap::Graph(view) = map else { return None };
        Some(Self { graph: view.nav_graph.clone(), rate: least_rate(view.nav_graph) })
    }
}

impl WatchedMaps {
    pub(crate) fn entry_count(&self) -> usize {
        self.maps.len()
    }

    /// Forgets all maps, so that the next look sees each as new.
    pub(crate) fn forget(&mut self) {
        self.maps.clear();
    }

    pub(crate) fn get(&self, map: Entity) -> Option<&Watch> {
        self.maps.get(&map)
    }
}

impl Watch {
    fn new(map: &AnyMap, side: f64) -> Self {
        let version = map.version();
        Self {
            version,
            projection: *map.projection(),
            placement: Version::next(),
            state: next_number(),
            before: version,
            changes: None,
            side,
            graph: WatchedGraph::of(map),
        }
    }

    /// Returns the version of a map's place, or the default version if the map was moved since the
    /// tick began.
    pub(crate) fn placement_of(&self, projection: &NavProjection) -> Version {
        if self.projection == *projection { self.placement } else { Version::default() }
    }

    /// Returns the cells that changed since a version, or `None` if other cells may have changed,
    /// too.
    pub(crate) fn changes_since(&self, version: Version) -> Option<&Changes> {
        self.changes.as_ref().filter(|_| version == self.before)
    }

    /// Returns the least cost of a unit of length along a graph, in its own units; 0 on a tile map.
    pub(crate) fn least_rate(&self) -> f64 {
        self.graph.as_ref().map_or(0.0, |graph| graph.rate)
    }

    /// Stores the present state of a map. Returns the change that paths over it must consider, if
    /// there is one.
    fn look_at(&mut self, map: &AnyMap, side: f64) -> Option<MapChange> {
        let mut news = None;
        if self.projection != *map.projection() {
            self.projection = *map.projection();
            self.placement = Version::next();
            self.state = next_number();
        }
        let version = map.version();
        if self.version != version {
            (self.before, self.version) = (self.version, version);
            self.changes = changes_since(self.before, map);
            self.state = next_number();
            let graph = WatchedGraph::of(map);
            news = Some(match (&self.graph, &graph) {
                (Some(before), Some(now)) => {
                    MapChange::Graph(GraphChanges::between(&before.graph, &now.graph))
                }
                (None, None) => MapChange::Cells(self.before),
                _ => MapChange::Anything,
            });
            self.graph = graph;
        }
        // NaN is not equal to itself. Only a change from NaN or to NaN counts.
        if (side - self.side).abs() > AS_LARGE * side.abs() || side.is_nan() != self.side.is_nan() {
            self.side = side;
            news = Some(MapChange::Anything);
        }
        news
    }
}

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.init_resource::<WatchedMaps>().add_systems(schedule, watch_maps.in_set(AcceptSteps::Look));
}

pub(crate) fn watch_maps(mut watched: ResMut<WatchedMaps>, maps: Maps) {
    let WatchedMaps { maps: known, log } = &mut *watched;
    let count = known.len();
    known.retain(|&map, _| maps.get(map).is_some());
    let mut is_changed = known.len() != count;
    let mut news = Vec::new();
    for map in maps.all() {
        let entity = map.entity();
        let side = match map {
            AnyMap::Tiles(view) => view.projection.cell_side(),
            AnyMap::Graph(view) => view.projection.scale(),
        };
        let change = if let Some(watch) = known.get_mut(&entity) {
            let before = watch.state;
            let change = watch.look_at(&map, side);
            is_changed |= watch.state != before;
            change
        } else {
            is_changed = true;
            known.insert(entity, Watch::new(&map, side));
            Some(MapChange::Anything)
        };
        news.extend(change.map(|change| MapNews { map: entity, change }));
    }
    if is_changed {
        news.sort_unstable_by_key(|news| news.map);
        log.add(news);
    }
}

fn changes_since(before: Version, map: &AnyMap) -> Option<Changes> {
    let AnyMap::Tiles(view) = map else { return None };
    Changes::of(view.grid.grid().changes_since(before.revision_before(map.version())?)?)
}
