//! The way of an agent that is a body: the crowd moves it, and its path follows.

use bevy_math::Vec2;
use tilepath::{Cell, Cost, crowd::Way};

use super::{AgentPath, DoorRule, Walk};
use crate::order::pending_event::PendingEvent;

impl AgentPath {
    /// What lies ahead on the leg under way, from the cell that the agent stood on last. Empty on a graph.
    pub(crate) fn own_way(&self) -> Way<'_> {
        self.leg().cells().map_or_else(Way::default, |course| {
            Way::new(course.path.cells(), &course.remaining, self.passed())
        })
    }

    /// The cell at the end of the way, if that is on the leg under way.
    pub(crate) fn crowd_goal(&self) -> Option<Cell> {
        if self.legs_left().len() > 1 { None } else { self.path().map(tilepath::Path::goal) }
    }

    /// The agent is a body no more. If it was in a crowd it may be beside its path, half-way between two cells, and has to find back
    /// by itself.
    pub(crate) fn leave_crowd(&mut self, was_in_crowd: bool) {
        if was_in_crowd {
            self.walk.position = None;
        }
        (self.door_rule, self.calm) = (DoorRule::Open, None);
    }

    /// The way is too far away, or closed to an agent that is beside it: it has to be planned again.
    pub(crate) fn set_astray(&mut self) {
        (self.is_astray, self.calm) = (true, None);
    }

    /// The way ends where the agent stands: others rest at its end. One that waits there has not arrived, and comes nearer when it
    /// can.
    pub(crate) fn end_short(&mut self, rest: Cost) {
        if let Some((_, cell)) = self.walk.step {
            self.short = (!self.waits_at_end).then_some((cell, rest));
            self.next = self.points.len();
        }
    }

    /// The agent is there, on its map: it stands on a cell, or steps from one to another. Tells which points of its way are behind it
    /// now: those also that it was led past.
    pub(crate) fn stand_in_crowd(
        &mut self,
        here: Vec2,
        (from, to): (Cell, Cell),
        mut tell: impl FnMut(PendingEvent),
    ) {
        if self.walk.step == Some((from, to)) && from != to {
            (self.walk.from, self.walk.position) = (here, Some(here));
            return;
        }
        let (first, known) = (self.leg().first, self.passed());
        let way = self.own_way();
        let place_of = |cell: Cell| way.place_of(cell).map(|place| first + known + place);
        let next = match place_of(to) {
            Some(place) if from == to => place + 1,
            // What lies behind the cell that it stood on last is not kept up to date.
            Some(place) => place.max(first + known + 1),
            None if from == to => self.next,
            None => place_of(from).map_or(self.next, |place| place + 1),
        };
        for point in self.next.max(1)..next {
            if let Some(place) = self.leg().place_at(point - first) {
                tell(PendingEvent::PointReached { map: self.map(), place });
            }
        }
        self.next = next;
        self.walk = Walk {
            from: here,
            kind: self.walk.kind,
            step: Some((from, to)),
            position: Some(here),
            ..Walk::default()
        };
    }
}
