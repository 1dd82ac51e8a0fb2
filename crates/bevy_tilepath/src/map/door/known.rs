//! The state of all doors in this tick.

use std::sync::Arc;

use bevy_app::App;
use bevy_ecs::{
    change_detection::{DetectChanges, Ref},
    entity::{Entity, EntityHashMap, EntityHashSet, MapEntities},
    intern::Interned,
    lifecycle::HookContext,
    resource::Resource,
    schedule::{IntoScheduleConfigs, ScheduleLabel},
    system::{Query, ResMut},
    world::DeferredWorld,
};

use crate::{
    map::{
        door::{
            Door, DoorEnd,
            index::{DoorIndex, KnownDoor},
        },
        log::Log,
        version::Version,
    },
    schedule::SyncSteps,
};

/// The state of all doors at the beginning of the tick.
#[derive(Clone, Resource, Debug, Default)]
pub(crate) struct KnownDoors {
    /// The doors that can be passed, sorted by number, so that nothing depends on how they are stored
    /// and on the numbers of their entities.
    doors: Vec<KnownDoor>,
    /// The number of each door, in the order in which they were inserted.
    numbers: EntityHashMap<u64>,
    last_number: u64,
    by_entity: EntityHashMap<usize>,
    /// All doors, also those that cannot be passed, in the sequence in which they are stored.
    seen: Vec<Entity>,
    /// Changes with every change of any door.
    pub(crate) version: Version,
    /// The doors that can be passed, by the maps on which they are.
    pub(crate) index: Arc<DoorIndex>,
    /// The ticks in which a door came, went or changed, and these doors.
    pub(crate) log: Log<DoorNews>,
}

/// A change of a door: it can be passed now, or it cannot be passed any longer.
#[derive(Clone, Debug)]
pub(crate) struct DoorNews {
    pub(crate) door: Entity,
    pub(crate) ends: [DoorEnd; 2],
    /// True if routes through it may be cheaper than before.
    pub(crate) may_help: bool,
}

impl DoorNews {
    /// Returns the change of a door, compared with its former state if there was one.
    fn of(now: &KnownDoor, before: Option<&KnownDoor>) -> Self {
        let only_costs_more = before.is_some_and(|before| {
            before.door.cost <= now.door.cost
                && before.door == Door { cost: before.door.cost, ..now.door.clone() }
        });
        Self { may_help: !only_costs_more, ..Self::closed(now) }
    }

    fn closed(known: &KnownDoor) -> Self {
        let ends = [known.door.from.clone(), known.door.to.clone()];
        Self { door: known.entity, ends, may_help: false }
    }
}

/// All doors in a [`TilepathState`](crate::TilepathState), in the order of their numbers.
#[derive(Debug, Clone, MapEntities)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct DoorsState(#[entities] Vec<Entity>);

impl KnownDoors {
    pub(crate) fn state(&self) -> DoorsState {
        let mut doors: Vec<Entity> = self.numbers.keys().copied().collect();
        doors.sort_unstable_by_key(|door| self.numbers[door]);
        DoorsState(doors)
    }

    /// Puts the numbers of a state back. Call it before the doors are looked at.
    pub(crate) fn put(&mut self, DoorsState(doors): DoorsState) {
        self.last_number = doors.len() as u64;
        self.numbers = doors.into_iter().zip(1..).collect();
        // All doors are sorted again.
        self.seen.clear();
    }

    pub(crate) fn entry_count(&self) -> usize {
        self.doors.len()
    }

    /// Returns the version of a door that can be passed.
    pub(crate) fn version_of(&self, door: Entity) -> Option<Version> {
        self.by_entity.get(&door).map(|&index| self.doors[index].version)
    }

    /// Returns whether the door is unchanged since this version.
    pub(crate) fn is_as_in(&self, door: Entity, version: Version) -> bool {
        self.version_of(door) == Some(version)
    }
}
/// Gives a new door its number.
pub(crate) fn door_inserted(mut world: DeferredWorld, context: HookContext) {
    if let Some(mut known) = world.get_resource_mut::<KnownDoors>() {
        let KnownDoors { numbers, last_number, .. } = &mut *known;
        numbers.entry(context.entity).or_insert_with(|| {
            *last_number += 1;
            *last_number
        });
    }
}

pub(crate) fn plugin(app: &mut App, sync: Interned<dyn ScheduleLabel>) {
    app.init_resource::<KnownDoors>().add_systems(sync, look_at_doors.in_set(SyncSteps::Maps));
}

fn look_at_doors(mut known: ResMut<KnownDoors>, doors: Query<(Entity, Ref<Door>)>) {
    let mut seen = known.seen.iter();
    let is_seen = |(entity, door): (Entity, Ref<Door>)| !door.is_changed() && seen.next() == Some(&entity);
    if doors.iter().all(is_seen) && seen.next().is_none() {
        return;
    }
    let passable = || doors.iter().filter(|(_, door)| door.is_passable());
    let KnownDoors { doors: list, by_entity, seen, numbers, last_number, version, index, log } = &mut *known;
    seen.clear();
    seen.extend(doors.iter().map(|(entity, _)| entity));
    let next = Version::next();
    let before = std::mem::take(list);
    let was_there = |entity: Entity, door: &Door| {
        by_entity.get(&entity).map(|&at| &before[at]).filter(|known| known.door == *door).cloned()
    };
    let mut is_new = before.len() != passable().count();
    let mut now: Vec<KnownDoor> = passable()
        .map(|(entity, door)| {
            was_there(entity, &door).unwrap_or_else(|| {
                is_new = true;
                KnownDoor { entity, door: Door::clone(&door), version: next }
            })
        })
        .collect();
    numbers.retain(|&entity, _| doors.contains(entity));
    // Doors from before the plugin was added have no number yet.
    let mut unnumbered: Vec<Entity> =
        seen.iter().copied().filter(|door| !numbers.contains_key(door)).collect();
    unnumbered.sort_unstable_by_key(|door| door.index_u32());
    for door in unnumbered {
        *last_number += 1;
        numbers.insert(door, *last_number);
    }
    now.sort_unstable_by_key(|known| numbers.get(&known.entity));
    if is_new {
        let was = |entity: Entity| by_entity.get(&entity).map(|&at| &before[at]);
        let mut news: Vec<DoorNews> = (now.iter().filter(|known| known.version == next))
            .map(|known| DoorNews::of(known, was(known.entity)))
            .collect();
        let stays: EntityHashSet = now.iter().map(|known| known.entity).collect();
        let is_gone = |known: &&KnownDoor| !stays.contains(&known.entity);
        news.extend(before.iter().filter(is_gone).map(DoorNews::closed));
        log.add(news);
    }
    *by_entity = now.iter().enumerate().map(|(at, known)| (known.entity, at)).collect();
    if is_new {
        *index = Arc::new(DoorIndex::new(&now));
        *version = next;
    }
    *list = now;
}
