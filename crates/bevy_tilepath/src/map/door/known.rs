//! The state of all doors in this tick.

use std::sync::Arc;

use bevy_app::App;
use bevy_ecs::{
    change_detection::{DetectChanges, Ref},
    entity::{Entity, EntityHashMap},
    intern::Interned,
    resource::Resource,
    schedule::{IntoScheduleConfigs, ScheduleLabel},
    system::{Query, ResMut},
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
#[derive(Resource, Debug, Default)]
pub(crate) struct KnownDoors {
    /// The doors that can be passed, sorted by entity, so that nothing depends on how they are
    /// stored.
    doors: Vec<KnownDoor>,
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
#[derive(Debug)]
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

impl KnownDoors {
    pub(crate) fn entry_count(&self) -> usize {
        self.doors.len()
    }

    /// Returns whether the door is unchanged since this version.
    pub(crate) fn is_as_in(&self, door: Entity, version: Version) -> bool {
        self.by_entity.get(&door).is_some_and(|&index| self.doors[index].version == version)
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
    let KnownDoors { doors: list, by_entity, seen, version, index, log } = &mut *known;
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
    now.sort_unstable_by_key(|known| known.entity);
    if is_new {
        let was = |entity: Entity| by_entity.get(&entity).map(|&at| &before[at]);
        let mut news: Vec<DoorNews> = (now.iter().filter(|known| known.version == next))
            .map(|known| DoorNews::of(known, was(known.entity)))
            .collect();
        let is_gone = |known: &&KnownDoor| now.binary_search_by_key(&known.entity, |now| now.entity).is_err();
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
