//! All doors as they are in this tick.

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
            Door,
            index::{DoorIndex, KnownDoor},
        },
        version::Version,
    },
    schedule::AcceptSteps,
};

/// All doors as they were at the beginning of the tick.
#[derive(Resource, Debug, Default)]
pub(crate) struct KnownDoors {
    /// In the order of their entities, so that nothing depends on how they are stored.
    doors: Vec<KnownDoor>,
    by_entity: EntityHashMap<usize>,
    /// All doors, also those that cannot be passed, in the order in which they are stored.
    seen: Vec<Entity>,
    /// Moves with every change of any door.
    pub(crate) version: Version,
    /// Those that can be passed, by the maps they are on.
    pub(crate) index: Arc<DoorIndex>,
}

impl KnownDoors {
    pub(crate) fn entry_count(&self) -> usize {
        self.doors.len()
    }

    /// Whether the door is as it was in that version.
    pub(crate) fn is_as_in(&self, door: Entity, version: Version) -> bool {
        self.by_entity.get(&door).is_some_and(|&index| self.doors[index].version == version)
    }
}

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.init_resource::<KnownDoors>().add_systems(schedule, look_at_doors.in_set(AcceptSteps::Look));
}

fn look_at_doors(mut known: ResMut<KnownDoors>, doors: Query<(Entity, Ref<Door>)>) {
    let mut seen = known.seen.iter();
    let is_seen = |(entity, door): (Entity, Ref<Door>)| !door.is_changed() && seen.next() == Some(&entity);
    if doors.iter().all(is_seen) && seen.next().is_none() {
        return;
    }
    let passable = || doors.iter().filter(|(_, door)| door.is_passable());
    let KnownDoors { doors: list, by_entity, seen, version, index } = &mut *known;
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
    *by_entity = now.iter().enumerate().map(|(at, known)| (known.entity, at)).collect();
    if is_new {
        *index = Arc::new(DoorIndex::new(&now));
        *version = next;
    }
    *list = now;
}
