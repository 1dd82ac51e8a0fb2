//! Paths of agents that other code moves, such as a physics engine.
//!
//! Decision: `docs/decisions/62-drive.md`.

use bevy_math::Vec2;
use tilepath::{Cell, Cost};

use super::{AgentPath, Driven, Stride};
use crate::{
    journey::halt::Halt,
    map::{map_view::ROUNDING, place::Place},
    order::pending_event::PendingEvent,
};

/// The distance to the end of a leg, in straight steps, at which the end counts as reached.
const ARRIVAL: f64 = 0.1;

/// The distance to any other point, in straight steps, at which it is reached: more than rounding. A
/// large unit may need all the room that there is.
const AT_POINT: f64 = 0.001;

/// The distance to a point, in straight steps, at which the agent goes on to the point after it, if
/// it can. Two agents that come from opposite sides would hold each other at the point itself.
const BESIDE: f64 = 0.5;

/// The progress, in straight steps, that an agent must make so that it is not stuck.
const PROGRESS: f64 = 0.05;

/// The seconds without progress after which an agent is stuck. Each further time takes twice as
/// long, while the agent stays within a straight step of the place where it was stuck first.
const STUCK: f64 = 1.0;

/// The longest such time is two to this power, in seconds.
const MAX_STUCK_LOG2_SECONDS: u8 = 6;

/// The longest step in a tick, in straight steps, with which an agent may run past a point.
const MOST_STEP: f64 = 0.25;

/// The cosine of the smallest angle that counts as a turn.
const STRAIGHT: f32 = 0.999;

/// The number of ticks for which an agent may be beside the cells of its path before it is
/// replanned. Otherwise each push would replan it.
const OFF_PATH_TICKS: u8 = 8;

impl AgentPath {
    /// Returns whether other code moves the agent.
    pub(crate) fn is_driven(&self) -> bool {
        self.walk.driven.is_some()
    }

    /// Records whether the agent could go on along its path from where it is. Returns whether it is
    /// to be replanned.
    pub(crate) fn is_off_for_long(&mut self, is_off: bool) -> bool {
        let Some(driven) = &mut self.walk.driven else { return is_off };
        driven.ticks_off_path = if is_off { driven.ticks_off_path.saturating_add(1) } else { 0 };
        driven.ticks_off_path > OFF_PATH_TICKS
    }

    /// Ends the path on the goal cell on which the agent stands, wherever its last point is. If its
    /// order goes on, the agent only waits there. Returns whether the path has ended.
    pub(crate) fn end_in_region(&mut self, cell: Cell) -> bool {
        let stuck = self.walk.driven.and_then(|driven| driven.stuck);
        self.walk.driven = Some(Driven { stuck, ..Driven::default() });
        if self.stops.waits_at_end {
            self.halt = Some(Halt::AtGoal);
            return false;
        }
        self.short = Some((cell, Cost::ZERO));
        self.plan.set_goal(Place::Cell(cell));
        self.plan.end();
        true
    }

    /// Returns whether other code moves the agent, and it has made no progress for a second.
    pub(crate) fn makes_no_progress(&self) -> bool {
        self.walk.driven.is_some_and(|driven| driven.is_stuck)
    }

    /// Passes the points that the agent has reached here, and returns the velocity that it wants.
    /// `may_go` returns whether it can go straight to the point with an index.
    pub(crate) fn advance_driven(
        &mut self,
        here: Vec2,
        stride: &mut Stride,
        may_go: impl Fn(&Self, usize) -> bool,
        mut tell: impl FnMut(PendingEvent),
    ) -> Vec2 {
        let Stride { seconds, gait, stop, .. } = *stride;
        self.walk.kind = gait.kind();
        // It has been pushed out of its goal region, if it was there.
        self.short = None;
        let line = loop {
            let Some(&point) = self.points().get(self.next_point()) else {
                if self.go_on_ahead(stop, &mut tell) {
                    continue;
                }
                break Vec2::ZERO;
            };
            if stride.steps == Some(0) || self.halts_here() {
                break Vec2::ZERO;
            }
            if !self.has_reached(point, here, stride.steps.is_some(), &may_go) {
                break point - here;
            }
            self.reach(point, 0.0, stride, &mut tell);
        };
        // Beside its path it is not where it is expected, so the next tick looks for it again.
        if self.walk.driven.is_none_or(|driven| driven.ticks_off_path == 0) {
            self.walk.position = Some(here);
        }
        let length = line.as_dvec2().length();
        let full = gait.full_speed(self.leg().straight) * self.pace().along(1.0, false).speed_at(0.0);
        // It does not run far past a point within one tick, and not at all past a turn.
        let may_pass = stride.steps.is_none()
            && full * seconds <= MOST_STEP * self.leg().straight
            && !self.turns_at_next(here);
        let most = if may_pass { f64::INFINITY } else { length / seconds };
        let speed = full.min(most);
        let may_walk = length > 0.0 && speed > 0.0 && speed.is_finite();
        if self.is_stuck(here, length, if may_walk { seconds } else { 0.0 }) {
            tell(PendingEvent::Stuck);
        }
        if may_walk { (line.as_dvec2() / length * speed).as_vec2() } else { Vec2::ZERO }
    }

    /// Returns whether the agent is at the next point, or near enough to go on to the point after it.
    /// Where a leg ends, it must be there.
    fn has_reached(
        &self,
        point: Vec2,
        here: Vec2,
        is_stepwise: bool,
        may_go: impl Fn(&Self, usize) -> bool,
    ) -> bool {
        let leg = self.leg();
        if self.is_in_door() && self.legs_left()[1].entrance.is_some_and(|entrance| entrance.leaps) {
            return true;
        }
        let distance = point.as_dvec2().distance(here.as_dvec2());
        let rounding = f64::from(ROUNDING * here.abs().element_sum());
        if distance <= AT_POINT * leg.straight + rounding {
            return true;
        }
        if self.next_point() + 1 < leg.end {
            return !is_stepwise && distance <= BESIDE * leg.straight && may_go(self, self.next_point() + 1);
        }
        // At a stop it turns where it is, so it needs room there for the first line of the next path.
        let turns = self.stops.ahead.as_ref().filter(|ahead| ahead.path.points().len() > 1);
        distance <= ARRIVAL * leg.straight && turns.is_none_or(|ahead| may_go(&ahead.path, 1))
    }

    /// Returns whether the path turns or ends at the next point, for an agent that comes from here.
    fn turns_at_next(&self, here: Vec2) -> bool {
        let next = self.next_point();
        let ahead = self.points().get(next..self.leg().end.min(next + 2));
        let Some(&[point, after]) = ahead else { return true };
        (point - here).normalize_or_zero().dot((after - point).normalize_or_zero()) < STRAIGHT
    }

    /// Records the place, and the distance to the next point. Returns whether the agent has been
    /// without progress for so long that it is stuck, or stuck once more.
    fn is_stuck(&mut self, here: Vec2, distance: f64, seconds: f64) -> bool {
        let (next, straight) = (self.next_point(), self.leg().straight);
        let Some(driven) = &mut self.walk.driven else { return false };
        driven.stuck = driven.stuck.filter(|(at, _)| f64::from(at.distance(here)) <= straight);
        if driven.nearest.0 != next || distance < driven.nearest.1 - PROGRESS * straight {
            (driven.nearest, driven.seconds_without_progress) = ((next, distance), 0.0);
            driven.is_stuck = false;
            return false;
        }
        driven.seconds_without_progress += seconds;
        let (at, times) = driven.stuck.unwrap_or((here, 0));
        let is_stuck = driven.seconds_without_progress >= STUCK * f64::from(1_u32 << times);
        if is_stuck {
            (driven.seconds_without_progress, driven.is_stuck) = (0.0, true);
            driven.stuck = Some((at, (times + 1).min(MAX_STUCK_LOG2_SECONDS)));
        }
        is_stuck
    }
}
