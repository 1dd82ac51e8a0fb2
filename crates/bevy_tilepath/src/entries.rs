//! The number of entries in the plugin's tables.

use bevy_ecs::{resource::Resource, world::World};

use crate::{
    group::{GroupQueue, PlanUnderWay},
    journey::parents::ParentPlaces,
    map::{door::known::KnownDoors, movement::OwnMovements, watch::WatchedMaps},
    order::queue::RequestQueue,
    search::{goal_lists::GoalLists, searches::Searches, shared_fields::SharedFields},
    sync,
    walk::bodies::map_crowd::Crowds,
};

/// Returns the number of entries in the plugin's own tables, for tests that look for leaks. If all
/// entities with entries are despawned, the number is 0 after one more tick.
#[doc(hidden)]
#[must_use]
pub fn entries_kept(world: &World) -> usize {
    fn count<R: Resource>(world: &World, count: fn(&R) -> usize) -> usize {
        world.get_resource().map_or(0, count)
    }
    let tables = [
        count(world, RequestQueue::entry_count),
        count(world, Searches::entry_count),
        count(world, SharedFields::entry_count),
        count(world, GoalLists::entry_count),
        count(world, WatchedMaps::entry_count),
        count(world, KnownDoors::entry_count),
        count(world, ParentPlaces::entry_count),
        count(world, OwnMovements::entry_count),
        count(world, Crowds::entry_count),
        count(world, GroupQueue::entry_count),
        count(world, PlanUnderWay::entry_count),
        sync::obstacle::entry_count(world),
        sync::overlay_area::entry_count(world),
        sync::tilemap::entry_count(world),
    ];
    tables.iter().sum()
}
