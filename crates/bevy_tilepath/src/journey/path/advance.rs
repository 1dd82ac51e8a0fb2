//! Progress of an agent along its path.

use bevy_math::Vec2;

use super::{
    AgentPath,
    walk::{DoorRule, Stride},
};
use crate::{
    map::door::index::Entrance,
    order::pending_event::PendingEvent,
    route::{
        pace::{Heading, Pace},
        speed::GaitKind,
    },
};

impl AgentPath {
    /// Returns the pace to the next point.
    pub(super) fn pace(&self) -> Pace {
        if self.next < self.leg().end {
            self.leg().pace_to(self.next - self.leg().first, self.walk.kind, &self.points)
        } else {
            Pace::PLAIN
        }
    }

    /// Walks for the time of the stride. Calls `tell` for each cell, waypoint and door that the
    /// agent passes, and for the stop at the end, with its index, if the agent passes that.
    pub(crate) fn advance(&mut self, stride: &mut Stride, mut tell: impl FnMut(PendingEvent)) -> Heading {
        let Stride { seconds, gait, stop, .. } = *stride;
        self.count_by(gait.kind());
        if let Some(heading) = self.go_on_along_line(stride) {
            return heading;
        }
        // The distance at full speed.
        let mut distance = gait.stride(self.leg().straight, seconds);
        let mut heading = Heading { has_walked: distance > 0.0, ..Heading::STANDING };
        let mut position = self.walk.from;
        if stride.steps == Some(0) {
            return Heading::STANDING;
        }
        loop {
            let Some(&point) = self.points.get(self.next) else {
                if self.go_on_ahead(stop, &mut tell) {
                    continue;
                }
                break;
            };
            if self.is_in_door() && self.door_rule == DoorRule::Closed {
                break;
            }
            if self.is_in_door() && self.legs_left()[1].entrance.is_some_and(|entrance| entrance.leaps) {
                position = point;
                distance = self.reach(point, distance, stride, &mut tell);
                if stride.steps == Some(0) || self.door_rule == DoorRule::OneDoor {
                    break;
                }
                continue;
            }
            let line = point.as_dvec2() - self.walk.from.as_dvec2();
            let length = line.length();
            if length > 0.0 {
                heading.direction = line / length;
            }
            let stretch = self.pace().along(length, self.walk.slows_from);
            let left = stretch.effort() - self.walk.effort;
            if distance < left {
                self.walk.effort += distance;
                let reached = stretch.reach(self.walk.effort);
                heading.pace = stretch.speed_at(reached);
                position = (self.walk.from.as_dvec2() + heading.direction * reached).as_vec2();
                self.keep_line(heading.direction, stretch);
                break;
            }
            heading.pace = stretch.speed_at(length);
            distance -= left;
            position = point;
            let is_through = self.is_in_door() && self.door_rule == DoorRule::OneDoor;
            distance = self.reach(point, distance, stride, &mut tell);
            if stride.steps == Some(0) || is_through {
                break;
            }
        }
        self.walk.position = Some(position);
        heading
    }

    /// Returns the number of points that the agent reaches if it is to stand as soon as possible: it
    /// ends its step first. An agent that other code moves stands where it is.
    pub(crate) fn steps_to_next_halt(&self) -> u32 {
        let last = self.points.get(self.next.saturating_sub(1));
        let is_at_point = self.walk.effort <= 0.0 && last == Some(&self.walk.from);
        u32::from(self.driven.is_none() && !is_at_point)
    }

    /// Keeps what has been walked if the unit of the speed changes.
    fn count_by(&mut self, kind: GaitKind) {
        if self.walk.kind != kind {
            self.walk.kind = kind;
            if let Some(here) = self.walk.position {
                self.set_leg(here, self.next);
            }
        }
    }

    /// Handles the arrival at the next point, with this distance left. Returns the distance from
    /// there on: behind a door cells may have another size.
    pub(super) fn reach(
        &mut self,
        point: Vec2,
        mut distance: f64,
        stride: &mut Stride,
        tell: &mut impl FnMut(PendingEvent),
    ) -> f64 {
        if self.is_in_door() {
            let from = self.map();
            let gait = stride.gait;
            let before = gait.full_speed(self.leg().straight);
            self.current += 1;
            let after = gait.full_speed(self.leg().straight);
            if before > 0.0 && before.is_finite() {
                distance *= after / before;
            }
            if let Some(Entrance { door, leaps, .. }) = self.leg().entrance {
                tell(PendingEvent::DoorPassed { door, from, to: self.map(), leaps });
            }
        }
        let index = self.next - self.leg().first;
        if self.next > 0
            && let Some(place) = self.leg().place_at(index)
        {
            tell(PendingEvent::PointReached { map: self.map(), place });
            stride.steps = stride.steps.map(|steps| steps.saturating_sub(1));
        }
        self.walk.line = None;
        self.walk.from = point;
        self.walk.effort = 0.0;
        self.walk.slows_from = self.leg().slows_at(index);
        self.next += 1;
        self.walk.step = self.leg().step(self.next);
        distance
    }
}
