//! The versions in a state: each is the present one, or an earlier one.

use bevy_ecs::world::World;

use crate::{
    map::{door::known::KnownDoors, version::Version, watch::WatchedMaps},
    order::{queue::WorldState, route::Known},
    state::content::{self, Content, Versioned},
};

/// The present versions of a world.
pub(crate) struct PresentVersions<'w> {
    watched: &'w WatchedMaps,
    doors: &'w KnownDoors,
}

/// Stands for the number of the last change.
const LAST: u64 = u64::MAX;

impl<'w> PresentVersions<'w> {
    pub(crate) fn of(world: &'w World) -> Self {
        Self { watched: world.resource(), doors: world.resource() }
    }

    fn get(&self, of: Versioned) -> Option<Version> {
        match of {
            Versioned::Map(map) => self.watched.get(map).map(|watch| watch.version),
            Versioned::Placement(map) => self.watched.get(map).map(|watch| watch.placement),
            Versioned::Door(door) => self.doors.version_of(door),
            Versioned::Doors => Some(self.doors.version),
        }
    }

    pub(crate) fn world(&self) -> WorldState {
        WorldState { changes: self.watched.log.number, doors: self.doors.version }
    }

    /// Replaces each version by whether it is the present one.
    pub(crate) fn mark(&self, content: &mut Content) {
        let mark = |of: Versioned, version: &mut Version| {
            let is_present = self.get(of) == Some(*version);
            *version = if is_present { Version::PRESENT } else { Version::default() };
        };
        let mark_known = |known: &mut Known| {
            let marked = |number: u64, last: u64| if number == last { LAST } else { 0 };
            known.maps = marked(known.maps, self.watched.log.number);
            known.doors = marked(known.doors, self.doors.log.number);
        };
        each_version(content, mark, mark_known);
    }

    /// Replaces each mark by the present version.
    pub(crate) fn resolve(&self, content: &mut Content) {
        let resolve = |of: Versioned, version: &mut Version| {
            let is_present = *version == Version::PRESENT;
            *version = self.get(of).filter(|_| is_present).unwrap_or_default();
        };
        let resolve_known = |known: &mut Known| {
            let resolved = |number: u64, last: u64| if number == LAST { last } else { 0 };
            known.maps = resolved(known.maps, self.watched.log.number);
            known.doors = resolved(known.doors, self.doors.log.number);
        };
        each_version(content, resolve, resolve_known);
    }
}

/// Calls the functions with all versions, and all numbers of known changes, that a content holds.
fn each_version(
    content: &mut Content,
    mut version: impl FnMut(Versioned, &mut Version),
    mut known: impl FnMut(&mut Known),
) {
    for entity in &mut content.entities {
        if let Some(path) = entity.path.as_deref_mut() {
            content::each_version(path, &mut version);
            content::each_known(path, &mut known);
        }
        if let Some(entered) = entity.place.as_deref_mut().and_then(|place| place.entered.as_mut()) {
            version(Versioned::Placement(entered.map), &mut entered.placement);
        }
    }
}
