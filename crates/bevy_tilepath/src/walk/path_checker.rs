//! The inputs of checks of paths.

use bevy_ecs::{
    entity::Entity,
    system::{Res, SystemParam},
};
use bevy_time::Time;

use crate::{
    journey::{
        parents::ParentPlaces,
        path::{AgentPath, calm::ExamineAllPaths},
    },
    map::{door::known::KnownDoors, maps::Maps, watch::WatchedMaps},
    order::{request::PathRequest, route::Known},
    search::targets::Targets,
    walk::better_ways::Openings,
};

/// The maps and doors on which journeys depend.
#[derive(SystemParam)]
pub(crate) struct PathChecker<'w, 's> {
    pub(super) watched: Res<'w, WatchedMaps>,
    pub(super) doors: Res<'w, KnownDoors>,
    pub(super) parents: Res<'w, ParentPlaces>,
    pub(super) time: Res<'w, Time>,
    pub(super) examines_all: Option<Res<'w, ExamineAllPaths>>,
    pub(super) maps: Maps<'w, 's>,
    pub(super) targets: Targets<'w, 's>,
}

impl PathChecker<'_, '_> {
    /// Returns the numbers of the last changes of maps and doors.
    pub(super) fn known(&self) -> Known {
        Known { maps: self.watched.log.number, doors: self.doors.log.number }
    }
}

/// The inputs for the question whether there may be a better path.
pub(super) struct Watching<'a> {
    pub(super) agent: Entity,
    pub(super) request: &'a PathRequest,
    pub(super) is_living: bool,
    /// True if the place of the agent does not matter for its path, because a crowd moves it.
    pub(super) is_in_crowd: bool,
    pub(super) openings: &'a mut Openings,
    pub(super) now: u64,
}

impl Watching<'_> {
    /// Returns whether the goal depends on the place of an entity.
    pub(super) fn has_entity(&self) -> bool {
        self.is_living && self.request.has_entity()
    }

    /// Returns whether an unchanged path must be checked all the same.
    pub(super) fn has_doubts(&self, path: &AgentPath) -> bool {
        let kept = &path.proof;
        self.has_entity()
            || kept.waits()
            || path.passed_point() != kept.at && path.is_loose() && path.is_watched(self.request)
    }
}
