//! The way from the stop to which an agent is under way to the next one, known before it is there.

use super::{AgentPath, Progress, Walk};
use crate::{
    failure::PathFailure,
    journey::halt::Halt,
    map::{place::MapPlace, version::Version},
    order::{pending_event::PendingEvent, status::PathStatus, stop_cursor::StopCursor},
};

/// A way that an agent is to go by from the next stop on.
#[derive(Debug, Clone)]
pub(crate) struct Ahead {
    pub(crate) path: AgentPath,
    /// The stop to which it leads.
    pub(crate) cursor: StopCursor,
    /// How often the stops had been edited when it was asked for.
    pub(crate) edits: u64,
    /// The version of its map by which it can be walked.
    pub(crate) checked: Version,
}

/// How many points before a stop what follows is asked for. Later edits would make earlier answers worthless.
const NEAR: usize = 32;

impl AgentPath {
    /// The place on a map from which the next way begins; `None` for a position beside a graph.
    pub(crate) fn next_start(&self) -> Option<MapPlace> {
        self.last_leg().last_map_place()
    }

    /// Whether what comes after the stop is to be asked for.
    pub(crate) fn wants_next_way(&self) -> bool {
        self.ahead.is_none()
            && !self.ahead_tried
            && !self.waits_at_end
            && self.progress == Progress::Walking
            && self.legs_left().len() == 1
            && self.points.len() - self.next.min(self.points.len()) <= NEAR
    }

    /// Why an agent that can walk begins no step on it.
    pub(crate) fn way_halt(&self) -> Option<Halt> {
        if self.progress == Progress::Replanning || self.is_at_end() && self.near_way().is_some() {
            Some(Halt::Replanning)
        } else {
            self.is_at_end().then_some(Halt::AtGoal)
        }
    }

    /// What is shown of an agent that goes by it.
    pub(crate) fn status(&self, halt: Option<Halt>) -> PathStatus {
        if halt == Some(Halt::Paused) {
            PathStatus::Paused
        } else if self.waits_at_end && self.is_partial() && self.is_at_end() && self.near_way().is_none() {
            PathStatus::WaitingForWay(PathFailure::Unreachable)
        } else {
            PathStatus::Following
        }
    }

    /// The agent stands at its stop: it goes on by the way from there. `false`: none is known.
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
        // It stands at the first point.
        self.set_leg(here, 1);
        true
    }

    /// What is told at the end of the way to the stop of that index.
    pub(crate) fn stop_reached(&self, index: usize) -> PendingEvent {
        PendingEvent::StopReached {
            map: self.end_map(),
            place: self.end_place(),
            index,
            goal: self.route.asked.clone(),
            chosen: self.chosen(),
            partial: self.is_partial(),
        }
    }
}
