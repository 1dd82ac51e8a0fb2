//! Paths of bodies: the crowd moves the agent.

use bevy_math::Vec2;
use tilepath::{Cell, Cost, crowd::Way};

use super::{AgentPath, Progress};
use crate::{
    map::{map_view::MapView, version::Version},
    order::{common_goals::CommonGoals, pending_event::PendingEvent, request::PathRequest},
    route::leg::PathLeg,
};

/// The place of a body, relative to its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Footing {
    /// It goes on with its step.
    AsBefore,
    /// It is on its path, or steps onto it.
    OnWay,
    /// It is beside its path.
    Beside,
}

impl AgentPath {
    /// Returns the cells ahead on the leg under way, from the cell on which the agent stood last, and up
    /// to a wall. It is empty on a graph.
    pub(crate) fn own_way(&self) -> Way<'_> {
        self.leg().cells().map_or_else(Way::default, |course| {
            let is_stepping = self.walk.step.is_some_and(|(from, to)| from != to);
            let open = self.plan.open_cells(is_stepping);
            Way::new(open, &course.remaining, self.passed())
        })
    }

    /// Returns the cell at the end of the path, if it is on the leg under way.
    pub(crate) fn crowd_goal(&self) -> Option<Cell> {
        if self.legs_left().len() > 1 { None } else { self.leg().cells().map(|course| course.goal) }
    }

    /// Returns the goals that the agent shares with others, if a field may lead it.
    pub(crate) fn common_goals(&self) -> Option<&CommonGoals> {
        let is_to_goal = self.progress == Progress::Walking
            && self.short.is_none()
            && !self.walk.is_astray
            && !self.plan.is_closed_ahead();
        self.route().common.as_ref().filter(|_| is_to_goal)
    }

    /// Replaces the path by another one to the same goals, from the cell that the agent enters or
    /// stands on.
    pub(crate) fn go_over(&mut self, leg: PathLeg, chosen: usize, view: &MapView, placement: Version) {
        let Some(start) = leg.path().map(tilepath::Path::start) else { return };
        // An agent that steps there has not reached the first cell.
        let stands = self.walk.step == Some((start, start));
        self.plan.go_over(leg, chosen, view, placement, stands);
        let (known, lost) = (self.proof.known, std::mem::take(&mut self.proof.lost));
        self.plan.route_mut().known = known;
        self.keep_found();
        self.proof.lost = lost;
        self.stops.forget_ahead();
    }

    /// Returns whether a body with this order waits for other bodies without end.
    pub(crate) fn never_gives_up(&self, request: Option<&PathRequest>) -> bool {
        request.is_some_and(|request| request.waits() || request.follows() && self.route().asked.has_entity())
    }

    /// Prepares the path for an agent that is not a body any more. If it was in a crowd, it may be
    /// beside its path, in the middle of a step, and has to get back by itself.
    pub(crate) fn leave_crowd(&mut self, was_in_crowd: bool) {
        if was_in_crowd {
            self.walk.position = None;
        }
        self.calm = None;
    }

    /// Marks the path as too far away, or not reachable for an agent that is beside it: it must be
    /// replanned.
    pub(crate) fn set_astray(&mut self) {
        (self.walk.is_astray, self.calm) = (true, None);
    }

    /// Ends the path where the agent stands: other bodies rest at its end, or the agent is beside
    /// the body to which it walks. An agent whose order goes on waits there and has not arrived.
    pub(crate) fn end_short(&mut self, rest: Cost) {
        if let Some((_, cell)) = self.walk.step {
            self.short = Some((cell, rest));
            self.plan.end();
            self.walk.is_still = false;
        }
    }

    /// Returns whether the agent stands at the end of its path, or where the path was ended before
    /// that. An agent that was at the end may have been pushed away.
    pub(crate) fn stands_at_end(&self) -> bool {
        let stands_on = self.walk.step.filter(|_| self.walk.is_still).map(|(_, cell)| cell);
        self.is_at_end() && (self.short.is_some() || stands_on.is_some() && stands_on == self.crowd_goal())
    }

    /// Sets the place of the agent on its map: it stands on a cell, or steps from one cell to
    /// another. Passes to `tell` the points that are now behind it, also the points past which it
    /// was led.
    ///
    /// An agent beside the centre of the last cell is not at the end yet: it steps onto the cell,
    /// or was put there by other code.
    pub(crate) fn stand_in_crowd(
        &mut self,
        here: Vec2,
        (from, to): (Cell, Cell),
        is_aside: bool,
        mut tell: impl FnMut(PendingEvent),
    ) -> Footing {
        if self.walk.step == Some((from, to)) && (from != to || self.walk.is_still && !is_aside) {
            (self.walk.from, self.walk.position) = (here, Some(here));
            return Footing::AsBefore;
        }
        let (first, known) = (self.leg().first, self.passed());
        let way = self.own_way();
        let place_of = |cell: Cell| way.place_of(cell).map(|place| first + known + place);
        let on_way = place_of(to);
        let next = match on_way {
            Some(place) if from == to => place + 1,
            // The cells behind the one on which it stood last are not kept up to date.
            Some(place) => place.max(first + known + 1),
            None if from == to => self.next_point(),
            None => place_of(from).map_or(self.next_point(), |place| place + 1),
        };
        let is_there = from == to && !is_aside || self.is_at_end();
        let next = if is_there { next } else { next.min(self.points().len().saturating_sub(1)) };
        for point in self.next_point().max(1)..next {
            if let Some(place) = self.leg().place_at(point - first) {
                tell(PendingEvent::PointReached { map: self.map(), place });
            }
        }
        self.plan.set_next(next);
        if !self.is_at_end() || self.short.is_some_and(|(cell, _)| (from, to) != (cell, cell)) {
            self.short = None;
        }
        self.walk.begin_line(here, Some((from, to)));
        self.walk.is_still = from == to && !is_aside;
        if on_way.is_some() { Footing::OnWay } else { Footing::Beside }
    }
}
