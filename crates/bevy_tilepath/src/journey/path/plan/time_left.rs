//! The time that the rest of a path takes.

use super::PathPlan;
use crate::{
    journey::path::Walk,
    route::{pace::Pace, speed::Gait},
};

impl PathPlan {
    /// Returns the seconds that are left at this gait.
    pub(crate) fn seconds_left(&self, walk: &Walk, gait: Gait) -> f64 {
        let kind = gait.kind();
        let mut legs = self.legs_left();
        let Walk { from, effort, slows_from, position, .. } = *walk;
        let first = self.points.get(self.next);
        let (mut from, mut effort, mut slows_from) = match position {
            // Before the agent sets out, the time is counted from the start of the path.
            None => (first.copied().unwrap_or_default(), 0.0, false),
            Some(here) if walk.kind != kind => (here, 0.0, false),
            Some(_) => (from, effort, slows_from),
        };
        let mut seconds = 0.0;
        for (next, &point) in self.points.iter().enumerate().skip(self.next) {
            let leg = &legs[0];
            let is_in_door = next == leg.end;
            let leaps = is_in_door && legs[1].entrance.is_some_and(|entrance| entrance.leaps);
            if !leaps {
                let pace =
                    if is_in_door { Pace::PLAIN } else { leg.pace_to(next - leg.first, kind, &self.points) };
                let stretch = pace.along(point.as_dvec2().distance(from.as_dvec2()), slows_from);
                let left = stretch.effort() - effort;
                let speed = gait.full_speed(leg.straight);
                if left > 0.0 {
                    seconds += if speed > 0.0 { left / speed } else { f64::INFINITY };
                }
            }
            if is_in_door {
                legs = &legs[1..];
            }
            (from, effort, slows_from) = (point, 0.0, legs[0].slows_at(next - legs[0].first));
        }
        seconds
    }
}
