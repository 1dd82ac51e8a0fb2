//! Goal lists that orders share, looked up once a tick.
//!
//! Decision: `docs/decisions/47-shared-fields.md`.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use bevy_ecs::{entity::Entity, resource::Resource};

use crate::{
    map::{
        movement::AgentMovement,
        place::{MapPlace, Place},
    },
    order::goal::Goals,
};

/// The most places of a list that is looked up in any case. A longer list waits for the next tick
/// if the look-ups of this tick have used up their share.
pub(crate) const SHORT_LIST: usize = 64;

/// The lists of this tick.
#[derive(Resource, Debug, Default)]
pub(crate) struct GoalLists(Mutex<LookedUp>);

#[derive(Debug, Default)]
struct LookedUp {
    /// The lists by address. They are never iterated, so addresses do not affect results.
    lists: BTreeMap<ListKey, Vec<Entry>>,
    /// The number of places looked up since the last [`take_work`](GoalLists::take_work).
    work: u64,
    /// The work of groups since then.
    groups: u64,
}

/// The address of the list, the address of the goals as which it was accepted before, the unit's
/// own map, and the map that the order names.
type ListKey = (usize, usize, Entity, Option<Entity>);

#[derive(Debug)]
struct Entry {
    list: SharedList,
    /// The movements of the unit: the present one, and the one when the list was accepted.
    movements: [Option<AgentMovement>; 2],
    goals: Goals,
}

/// A list of an order. While a value of this type exists, the addresses in its key are not used
/// again.
#[derive(Debug, Clone)]
pub(crate) struct SharedList {
    pub(crate) places: Arc<[Place]>,
    pub(crate) accepted: Option<Arc<[(Entity, MapPlace)]>>,
    pub(crate) map: Entity,
    pub(crate) named: Option<Entity>,
}

impl SharedList {
    fn key(&self) -> ListKey {
        let accepted = self.accepted.as_ref().map_or(0, |goals| goals.as_ptr().addr());
        (self.places.as_ptr().addr(), accepted, self.map, self.named)
    }
}

impl GoalLists {
    fn lists(&self) -> MutexGuard<'_, LookedUp> {
        // Nothing panics while it is locked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the goals of the list for a unit with these movements, if they were looked up for
    /// another order in this tick.
    pub(crate) fn find(&self, list: &SharedList, movements: [Option<&AgentMovement>; 2]) -> Option<Goals> {
        let looked_up = self.lists();
        let entries = looked_up.lists.get(&list.key())?;
        let is_it = |entry: &&Entry| entry.movements.each_ref().map(Option::as_ref) == movements;
        entries.iter().find(is_it).map(|entry| entry.goals.clone())
    }

    /// Adds a list that was looked up.
    pub(crate) fn add(&self, list: SharedList, movements: [Option<&AgentMovement>; 2], goals: Goals) {
        let mut looked_up = self.lists();
        looked_up.work += list.places.len() as u64;
        let movements = movements.map(Option::<&AgentMovement>::cloned);
        looked_up.lists.entry(list.key()).or_default().push(Entry { list, movements, goals });
    }

    /// Adds the work of groups that look for places.
    pub(crate) fn add_groups(&self, work: u64) {
        self.lists().groups += work;
    }

    /// Returns whether the lists and groups of this tick have used up this share. One list is looked
    /// up in any case.
    pub(crate) fn have_used(&self, share: u64) -> bool {
        let looked_up = self.lists();
        looked_up.work > 0 && looked_up.work + looked_up.groups > share
    }

    /// Returns what the lists and groups of this tick leave of the budget. It is at least half.
    pub(crate) fn rest_of(&self, budget: u64) -> u64 {
        let looked_up = self.lists();
        budget.saturating_sub(looked_up.work + looked_up.groups).max(budget.div_ceil(2))
    }

    /// Returns the number of places looked up and the work of groups together, and drops the lists:
    /// maps may change before the next tick.
    pub(crate) fn take_work(&self) -> u64 {
        let mut looked_up = self.lists();
        looked_up.lists.clear();
        std::mem::take(&mut looked_up.work) + std::mem::take(&mut looked_up.groups)
    }

    pub(crate) fn entry_count(&self) -> usize {
        let looked_up = self.lists();
        looked_up.lists.values().flatten().map(|entry| entry.list.places.len()).sum()
    }
}
