//! The way of an agent that is a body: the crowd moves it, and its path follows.

use bevy_math::Vec2;
use smallvec::smallvec;
use tilepath::{Cell, Cost, crowd::Way};

use super::{AgentPath, DoorRule, Progress, Walk};
use crate::{
    map::{map_view::MapView, place::Place, version::Version},
    order::{common_goals::CommonGoals, pending_event::PendingEvent},
    route::leg::PathLeg,
};

/// Where a body stands, seen from its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Footing {
    /// It goes on with its step.
    AsBefore,
    /// It is on its way, or steps onto it.
    OnWay,
    /// It is beside it.
    Beside,
}

impl AgentPath {
    /// What lies ahead on the leg under way, from the cell that the agent stood on last. Empty on a graph.
    pub(crate) fn own_way(&self) -> Way<'_> {
        self.leg().cells().map_or_else(Way::default, |course| {
            Way::new(course.path.cells(), &course.remaining, self.passed())
        })
    }

    /// The cell at the end of the way, if that is on the leg under way.
    pub(crate) fn crowd_goal(&self) -> Option<Cell> {
        if self.legs_left().len() > 1 { None } else { self.leg().cells().map(|course| course.goal) }
    }

    /// What it has in common with others, if a field may lead its agent.
    pub(crate) fn common_goals(&self) -> Option<&CommonGoals> {
        let is_to_goal = self.progress == Progress::Walking && self.short.is_none() && !self.is_astray;
        self.route.common.as_ref().filter(|_| is_to_goal)
    }

    /// Another way to the same goals, from the cell that the agent enters or stands on.
    pub(crate) fn go_over(&mut self, mut leg: PathLeg, chosen: usize, view: &MapView, placement: Version) {
        let Some(path) = leg.path() else { return };
        let (start, end) = (path.start(), path.goal());
        self.points.clear();
        leg.add_points(view.projection, placement, &mut self.points);
        if self.route.goals.reach.is_some() {
            self.goal = Place::Cell(end);
        } else if let Some((_, goal)) = self.route.goals.at.get(chosen) {
            self.goal = goal.place(Some(view.projection));
        }
        let lost = std::mem::take(&mut self.kept.lost);
        (self.route.legs, self.route.chosen, self.route.is_proven) = (smallvec![leg], chosen, true);
        (self.route.known, self.current) = (self.kept.known, 0);
        self.keep_found();
        self.kept.lost = lost;
        (self.ahead, self.ahead_tried, self.calm) = (None, false, None);
        // One that stands there has reached the first cell, one that steps there has not.
        let stands = self.walk.step == Some((start, start));
        self.next = usize::from(stands);
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

    /// The way ends where the agent stands: others rest at its end, or it has come beside the body to which it goes. One that waits
    /// there has not arrived.
    pub(crate) fn end_short(&mut self, rest: Cost) {
        if let Some((_, cell)) = self.walk.step {
            self.short = Some((cell, rest));
            self.next = self.points.len();
            self.walk.is_still = false;
        }
    }

    /// Whether it stands at the end of its way, or where it has ended it short of that. One that has been at the end may have been
    /// pushed away since.
    pub(crate) fn stands_at_end(&self) -> bool {
        let stands_on = self.walk.step.filter(|_| self.walk.is_still).map(|(_, cell)| cell);
        self.is_at_end() && (self.short.is_some() || stands_on.is_some() && stands_on == self.crowd_goal())
    }

    /// The agent is there, on its map: it stands on a cell, or steps from one to another. Tells which points of its way are behind it
    /// now: those also that it was led past. Beside the centre of the cell at its end it is not there yet: it steps onto that, or was
    /// put there.
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
            // What lies behind the cell that it stood on last is not kept up to date.
            Some(place) => place.max(first + known + 1),
            None if from == to => self.next,
            None => place_of(from).map_or(self.next, |place| place + 1),
        };
        let is_there = from == to && !is_aside || self.is_at_end();
        let next = if is_there { next } else { next.min(self.points.len().saturating_sub(1)) };
        for point in self.next.max(1)..next {
            if let Some(place) = self.leg().place_at(point - first) {
                tell(PendingEvent::PointReached { map: self.map(), place });
            }
        }
        self.next = next;
        if !self.is_at_end() || self.short.is_some_and(|(cell, _)| (from, to) != (cell, cell)) {
            self.short = None;
        }
        self.walk = Walk {
            from: here,
            kind: self.walk.kind,
            step: Some((from, to)),
            is_still: from == to && !is_aside,
            position: Some(here),
            ..Walk::default()
        };
        if on_way.is_some() { Footing::OnWay } else { Footing::Beside }
    }
}
