//! Look-ahead: the path from the next stop on.
//!
//! Decision: `docs/decisions/46-stops.md`.

use bevy_ecs::entity::{EntityMapper, MapEntities};

use super::{AgentPath, Progress, Walk};
use crate::{
    map::{
        place::{MapPlace, Place},
        version::Version,
    },
    order::{pending_event::PendingEvent, stop_cursor::StopCursor},
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

/// Knowledge of the stop at the end of a path, and of the path from there.
#[derive(Debug, Clone, Default, MapEntities)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct StopsAhead {
    /// The path from the stop, if the order has several stops.
    #[entities]
    pub(crate) ahead: Option<Box<Ahead>>,
    /// True if the search for that path has failed.
    pub(crate) tried: bool,
    /// True if `StopReached` was triggered for the stop.
    pub(crate) is_reported: bool,
    /// The stop to which the path leads, if the agent has passed a stop in this tick.
    pub(crate) passed: Option<StopCursor>,
    /// The number of edits of the stops at the last check.
    pub(crate) edits_seen: u64,
    /// The time in seconds that the agent has stood at the stop, in ticks after it has come there.
    pub(crate) stood: f64,
    /// True if the agent does not arrive at the end, but waits there for its order to go on. The
    /// order follows an entity, or waits until the goal can be reached. Or its target has moved.
    pub(crate) waits_at_end: bool,
}

impl StopsAhead {
    /// Drops the path from the stop, so that it is searched for again.
    pub(crate) fn forget_ahead(&mut self) {
        (self.ahead, self.tried) = (None, false);
    }
}

/// The number of points before a stop at which the search for the path after it begins. An earlier
/// answer would more often be outdated by edits.
const NEAR: usize = 32;

impl AgentPath {
    /// Returns the place on a map where the next path begins, or `None` for a position beside a
    /// graph.
    pub(crate) fn next_start(&self) -> Option<MapPlace> {
        self.plan.last_leg().last_map_place()
    }

    /// Returns whether the search for the path after the stop is to begin.
    pub(crate) fn needs_path_ahead(&self) -> bool {
        self.stops.ahead.is_none()
            && !self.stops.tried
            && !self.stops.waits_at_end
            && self.progress == Progress::Walking
            && !self.plan.is_closed_ahead()
            && self.legs_left().len() == 1
            && self.points().len() - self.next_point().min(self.points().len()) <= NEAR
    }

    /// Lets an agent that stands at its stop go on along the path from there. `stop` is the index of
    /// the stop, or `None` if the agent is to stand there. Returns false if no such path is known.
    pub(crate) fn go_on_ahead(&mut self, stop: Option<usize>, tell: &mut impl FnMut(PendingEvent)) -> bool {
        let Some(stop) = stop.filter(|_| !self.stops.waits_at_end) else { return false };
        let Some(ahead) = self.stops.ahead.take() else { return false };
        if !self.stops.is_reported {
            tell(self.stop_reached(stop));
        }
        let Some(&here) = self.points().last() else { return false };
        let Ahead { path, cursor, edits, .. } = *ahead;
        // Each field is named, so that none is kept or dropped by mistake.
        let Self { walk, order: _, progress, halt, halt_before: _, calm, plan, proof, stops, style, short } =
            path;
        let (kind, lost) = (self.walk.kind, std::mem::take(&mut self.proof.lost));
        self.plan.replace(plan);
        (self.proof, self.proof.lost) = (proof, lost);
        self.stops = StopsAhead { passed: Some(cursor), edits_seen: edits, ..stops };
        (self.progress, self.halt, self.calm, self.style, self.short) = (progress, halt, calm, style, short);
        self.walk = Walk { kind, driven: walk.driven, ..Walk::default() };
        // The agent stands at the first point.
        self.set_leg(here, 1);
        // The limit counted along the old path.
        self.halt_before = self.halt_before.map(|_| self.halt_at_door(0));
        true
    }

    /// Returns the place where the agent has come to the end of its path. A driven agent ends on any
    /// cell of its goal region.
    fn rest_place(&self) -> Place {
        let cell = self.short.filter(|_| self.is_driven()).map(|(cell, _)| Place::Cell(cell));
        cell.unwrap_or_else(|| self.end_place())
    }

    /// Returns the event for the stop at the end of the path, which has this index.
    pub(crate) fn stop_reached(&self, index: usize) -> PendingEvent {
        PendingEvent::StopReached {
            map: self.end_map(),
            place: self.rest_place(),
            index,
            goal: self.route().asked.clone(),
            chosen: self.chosen(),
            partial: self.is_partial(),
        }
    }
}
