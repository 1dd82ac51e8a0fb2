//! What changed on each map since the last tick.

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
        maps::{AnyMap, Maps},
        projection::NavProjection,
        version::{Version, next_number},
    },
    schedule::AcceptSteps,
};

/// All maps as they were when this tick began, after they were synced.
#[derive(Resource, Debug, Default)]
pub(crate) struct WatchedMaps {
    maps: EntityHashMap<Watch>,
    /// The ticks so far in which any of them has come, gone or changed.
    pub(crate) changes: u64,
}

/// One map as it was then.
#[derive(Debug)]
pub(crate) struct Watch {
    pub(crate) version: Version,
    pub(crate) projection: NavProjection,
    /// Another one whenever the projection is: so that agents keep, and compare, a number.
    pub(crate) placement: Version,
    /// Another number whenever anything of it is another.
    pub(crate) state: u64,
    /// The version before.
    before: Version,
    /// The cells that are different from the one before; `None` if they are too many, or the rules are.
    changes: Option<Changes>,
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
    /// The number of a map's place, or none if it was moved since the tick began.
    pub(crate) fn placement_of(&self, projection: &NavProjection) -> Version {
        if self.projection == *projection { self.placement } else { Version::default() }
    }

    /// The cells that changed since a version, if it is known that there are no others.
    pub(crate) fn changes_since(&self, version: Version) -> Option<&Changes> {
        self.changes.as_ref().filter(|_| version == self.before)
    }
}

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.init_resource::<WatchedMaps>().add_systems(schedule, watch_maps.in_set(AcceptSteps::Look));
}

fn watch_maps(mut watched: ResMut<WatchedMaps>, maps: Maps) {
    let WatchedMaps { maps: known, changes } = &mut *watched;
    let count = known.len();
    known.retain(|&map, _| maps.get(map).is_some());
    let mut is_changed = known.len() != count;
    for map in maps.all() {
        let version = map.version();
        is_changed |= !known.contains_key(&map.entity());
        let watch = known.entry(map.entity());
        let projection = *map.projection();
        let watch = watch.or_insert_with(|| Watch {
            version,
            projection,
            placement: Version::next(),
            state: next_number(),
            before: version,
            changes: None,
        });
        if watch.projection != projection {
            watch.projection = projection;
            watch.placement = Version::next();
            watch.state = next_number();
            is_changed = true;
        }
        if watch.version != version {
            is_changed = true;
            let before = watch.version;
            let changes = changes_since(before, &map);
            *watch = Watch { version, before, changes, state: next_number(), ..*watch };
        }
    }
    *changes += u64::from(is_changed);
}

fn changes_since(before: Version, map: &AnyMap) -> Option<Changes> {
    let AnyMap::Tiles(view) = map else { return None };
    Changes::of(view.grid.grid().changes_since(before.revision_before(map.version())?)?)
}
