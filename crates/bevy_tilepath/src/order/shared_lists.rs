//! Lists of goals, each once in memory.

use std::{collections::BTreeMap, fmt::Debug, sync::Arc};

use bevy_ecs::entity::Entity;

use crate::{
    map::place::{MapPlace, Place},
    order::goal::{Goals, PathGoal},
};

/// The lists of goals in a state. Orders with the same list in memory are answered with less work
/// than orders with equal lists, so equal lists become the same list.
#[derive(Debug, Default)]
pub(crate) struct SharedLists {
    places: Lists<Place>,
    accepted: Lists<(Entity, MapPlace)>,
}

impl SharedLists {
    /// Lets a goal share its list. Returns whether it has another list now.
    pub(crate) fn share(&mut self, goal: &mut PathGoal) -> bool {
        let PathGoal::Nearest(places) = goal else { return false };
        self.places.share(places)
    }

    pub(crate) fn share_accepted(&mut self, goals: &mut Goals) {
        self.accepted.share(&mut goals.at);
    }
}

/// Lists by a text about them. Few lists have an equal text.
#[derive(Debug)]
struct Lists<T>(BTreeMap<String, Vec<Arc<[T]>>>);

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T: PartialEq + Debug> Lists<T> {
    fn share(&mut self, list: &mut Arc<[T]>) -> bool {
        let text = format!("{} {:?} {:?}", list.len(), list.first(), list.last());
        let known = self.0.entry(text).or_default();
        let same = known.iter().find(|known| Arc::ptr_eq(known, list) || ***known == **list);
        match same {
            Some(same) if Arc::ptr_eq(same, list) => false,
            Some(same) => {
                *list = Arc::clone(same);
                true
            }
            None => {
                known.push(Arc::clone(list));
                false
            }
        }
    }
}
