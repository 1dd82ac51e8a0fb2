//! What changed on each map since the last tick.

use bevy_ecs::{
    entity::{Entity, EntityHashMap},
    query::With,
    resource::Resource,
    system::{Query, ResMut},
};
use tilepath::{Cell, Revision};

use crate::{
    nav_map::{NavGrid, NavMap},
    projection::NavProjection,
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
    generation: u64,
    revision: Revision,
    rules_edition: u64,
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
    pub(crate) fn get(&self, map: Entity) -> Option<&Watch> {
        self.maps.get(&map)
    }
}

impl Watch {
    /// Whether this is the state of the map that the watch describes.
    pub(crate) fn describes(&self, grid: &NavGrid) -> bool {
        (self.generation, self.revision, self.rules_edition)
            == (grid.generation(), grid.revision(), grid.rules_edition())
    }
}

pub(crate) fn watch_maps(
    mut watched: ResMut<WatchedMaps>,
    maps: Query<(Entity, &NavGrid, &NavProjection), With<NavMap>>,
) {
    let WatchedMaps { maps: watches, last_edition } = &mut *watched;
    watches.retain(|&map, _| maps.contains(map));
    for (map, grid, projection) in &maps {
        let watch = watches.entry(map).or_insert_with(|| {
            // A step of two: it does not follow upon any edition an agent may remember.
            *last_edition += 2;
            Watch {
                generation: grid.generation(),
                revision: grid.revision(),
                rules_edition: grid.rules_edition(),
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
        if watch.describes(grid) {
            continue;
        }
        watch.changes = changes(watch, grid);
        watch.edition += 1;
        *last_edition = (*last_edition).max(watch.edition);
        watch.generation = grid.generation();
        watch.revision = grid.revision();
        watch.rules_edition = grid.rules_edition();
    }
}

fn changes(watch: &Watch, grid: &NavGrid) -> Changes {
    if watch.generation != grid.generation() || watch.rules_edition != grid.rules_edition() {
        return Changes::All;
    }
    let Some(cells) = grid.grid().changes_since(watch.revision) else { return Changes::All };
    let mut cells: Vec<Cell> = cells.take(MANY_CHANGES + 1).collect();
    if cells.len() > MANY_CHANGES {
        return Changes::All;
    }
    cells.sort_unstable();
    cells.dedup();
    Changes::Cells(cells)
}
