//! Look-ahead: the path from the next stop on.
//!
//! Decision: `docs/decisions/46-stops.md`.

use bevy_ecs::entity::{EntityMapper, MapEntities};

use super::{AgentPath, Progress, Walk};
use crate::{
    failure::PathFailure,
    journey::halt::Halt,
    map::{
        place::{MapPlace, Place},
        version::Version,
    },
    order::{pending_event::PendingEvent, status::PathStatus, stop_cursor::StopCursor},
};

/// The path that an agent is to walk from the next stop on.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Ahead {
    pub(crate) path: AgentPath,
    /// The stop to which it leads.
    pub(crate) cursor: StopCursor,
    /// The number of edits of the stops when its search began.
    pub(crate) edits: u64,
    /// The version of its map in which it can be walked.
    pub(crate) checked: Version,
}

impl MapEntities for Box<Ahead> {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        self.path.map_entities(mapper);
    }
}

/// The number of points before a stop at which the search for the path after it begins. An earlier
/// answer would more often be outdated by edits.
const NEAR: usize = 32;

impl AgentPath {
    /// Returns the place on a map where the next path begins, or `None` for a position beside a
    /// graph.
    pub(crate) fn next_start(&self) -> Option<MapPlace> {
        self.last_leg().last_map_place()
    }

    /// Returns whether the search for the path after the stop is to begin.
    pub(crate) fn wants_next_way(&self) -> bool {
        self.ahead.is_none()
            && !self.ahead_tried
            && !self.waits_at_end
            && self.progress == Progress::Walking
            && self.legs_left().len() == 1
            && self.points.len() - self.next.min(self.points.len()) <= NEAR
    }

    /// Returns the reason, if there is one in the path, why an agent that can walk begins no step.
    pub(crate) fn way_halt(&self) -> Option<Halt> {
        if self.progress == Progress::Replanning {
            Some(Halt::Replanning)
        } else {
            self.is_at_end().then_some(Halt::AtGoal)
        }
    }

    /// Returns the status to show for an agent with this path.
    pub(crate) fn status(&self, halt: Option<Halt>) -> PathStatus {
        if halt == Some(Halt::Paused) {
            PathStatus::Paused
        } else if self.waits_at_end && self.is_partial() && self.is_at_end() {
            PathStatus::WaitingForWay(PathFailure::Unreachable)
        } else {
            PathStatus::Following
        }
    }

    /// Lets an agent that stands at its stop go on along the path from there. Returns false if no
    /// such path is known.
    pub(crate) fn go_on_ahead(&mut self, stop: usize, tell: &mut impl FnMut(PendingEvent)) -> bool {
        if self.waits_at_end {
            return false;
        }
        let Some(ahead) = self.ahead.take() else { return false };
        if !self.stop_told {
            tell(self.stop_reached(stop));
        }
        let Some(&here) = self.points.last() else { return false };
        let (kind, order, lost) = (self.walk.kind, self.order, std::mem::take(&mut self.kept.lost));
        *self = ahead.path;
        (self.order, self.stops_seen, self.kept.lost) = (order, ahead.edits, lost);
        self.walk = Walk { kind, ..Walk::default() };
        self.passed_stop = Some(ahead.cursor);
        // The agent stands at the first point.
        self.set_leg(here, 1);
        true
    }

    /// Returns the place where the agent has come to the end of its path. A driven agent ends on any
    /// cell of its goal region.
    fn rest_place(&self) -> Place {
        let cell = self.short.filter(|_| self.driven.is_some()).map(|(cell, _)| Place::Cell(cell));
        cell.unwrap_or_else(|| self.end_place())
    }

    /// Returns the event for the stop at the end of the path, which has this index.
    pub(crate) fn stop_reached(&self, index: usize) -> PendingEvent {
        PendingEvent::StopReached {
            map: self.end_map(),
            place: self.rest_place(),
            index,
            goal: self.route.asked.clone(),
            chosen: self.chosen(),
            partial: self.is_partial(),
        }
    }
}
