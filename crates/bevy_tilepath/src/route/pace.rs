//! The pace on a straight stretch.
//!
//! Decision: `docs/decisions/48-walking.md`.

use bevy_math::DVec2;

use crate::map::waypoint_slowdown::WaypointSlowdown;

/// The pace on a straight stretch.
///
/// Walking is counted in effort: the distance that would have been walked at full speed in the same
/// time. So many small steps come as far as one long step, whatever the speed does in between.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pace {
    /// The speed, as a part of the walker's speed.
    pub(crate) speed: f64,
    pub(crate) easing: Option<WaypointSlowdown>,
    /// True if the walker slows down towards the end.
    pub(crate) slows_to: bool,
}

impl Pace {
    pub(crate) const PLAIN: Self = Self { speed: 1.0, easing: None, slows_to: false };

    /// Returns the stretch of this length at this pace. `slows_from` is true if it begins at a
    /// waypoint.
    pub(crate) fn along(self, length: f64, slows_from: bool) -> Stretch {
        let easing = self.easing.filter(|easing| easing.distance > 0.0 && easing.distance.is_finite());
        let Some(easing) = easing.filter(|_| length > 0.0 && (slows_from || self.slows_to)) else {
            return Stretch { length, speed: self.speed, profile: None };
        };
        let slowest = f64::from(easing.slowest).clamp(0.0, 1.0);
        let room = if slows_from && self.slows_to { length / 2.0 } else { length };
        let acceleration = Acceleration { over: f64::from(easing.distance), slowest };
        let reach = acceleration.over.min(room);
        let profile = SpeedProfile {
            acceleration,
            from: if slows_from { reach } else { 0.0 },
            to: if self.slows_to { length - reach } else { length },
        };
        // NaN and 1 change nothing.
        Stretch { length, speed: self.speed, profile: (slowest < 1.0).then_some(profile) }
    }
}

/// The motion of an agent at the end of a tick.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Heading {
    /// The direction of the last line walked; zero if the agent did not walk.
    pub(crate) direction: DVec2,
    /// The part of the walker's speed.
    pub(crate) pace: f64,
    /// True if there was time, and speed, to walk at all.
    pub(crate) has_walked: bool,
    /// True if the agent is still between the same two points.
    pub(crate) is_on_line: bool,
}

impl Heading {
    pub(crate) const STANDING: Self =
        Self { direction: DVec2::ZERO, pace: 1.0, has_walked: false, is_on_line: false };
}

/// A straight stretch, which computes the effort to walk it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stretch {
    length: f64,
    speed: f64,
    profile: Option<SpeedProfile>,
}

/// The places where the speed rises and falls.
#[derive(Debug, Clone, Copy)]
struct SpeedProfile {
    acceleration: Acceleration,
    /// The distance at which the walker reaches full speed, or as much of it as there is room for.
    from: f64,
    /// The distance at which the walker begins to slow down.
    to: f64,
}

/// Even acceleration: the square of the speed grows with the distance.
#[derive(Debug, Clone, Copy)]
struct Acceleration {
    over: f64,
    slowest: f64,
}

impl Acceleration {
    fn gain(self) -> f64 {
        1.0 - self.slowest * self.slowest
    }

    /// Returns the part of the speed at this distance from the waypoint.
    fn speed_at(self, distance: f64) -> f64 {
        (self.slowest * self.slowest + self.gain() * distance / self.over).sqrt()
    }

    /// Returns the effort to come this far from the waypoint.
    fn effort(self, distance: f64) -> f64 {
        2.0 * self.over / self.gain() * (self.speed_at(distance) - self.slowest)
    }

    /// Returns the distance for this effort.
    fn reach(self, effort: f64) -> f64 {
        let speed = self.slowest + effort * self.gain() / (2.0 * self.over);
        self.over * (speed * speed - self.slowest * self.slowest) / self.gain()
    }
}

impl Stretch {
    /// Returns the part of the walker's speed, if it is constant along the stretch.
    pub(crate) fn even_speed(&self) -> Option<f64> {
        self.profile.is_none().then_some(self.speed)
    }

    /// Returns the effort for the whole stretch.
    pub(crate) fn effort(&self) -> f64 {
        let Some(SpeedProfile { acceleration, from, to }) = self.profile else {
            return self.length / self.speed;
        };
        (acceleration.effort(from) + (to - from) + acceleration.effort(self.length - to)) / self.speed
    }

    /// Returns the distance for this effort.
    pub(crate) fn reach(&self, effort: f64) -> f64 {
        let Some(SpeedProfile { acceleration, from, to }) = self.profile else { return effort * self.speed };
        let effort = effort * self.speed;
        let begun = acceleration.effort(from);
        let left = begun + (to - from) + acceleration.effort(self.length - to) - effort;
        if effort < begun {
            acceleration.reach(effort)
        } else if left > acceleration.effort(self.length - to) {
            from + (effort - begun)
        } else {
            self.length - acceleration.reach(left.max(0.0))
        }
    }

    /// Returns the part of the walker's speed at this distance along the stretch.
    pub(crate) fn speed_at(&self, distance: f64) -> f64 {
        let Some(SpeedProfile { acceleration, from, to }) = self.profile else { return self.speed };
        let part = if distance < from {
            acceleration.speed_at(distance)
        } else if distance > to {
            acceleration.speed_at((self.length - distance).max(0.0))
        } else {
            1.0
        };
        self.speed * part.min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eased(distance: f32, slowest: f32, slows_to: bool) -> Pace {
        Pace { speed: 2.0, easing: Some(WaypointSlowdown { distance, slowest }), slows_to }
    }

    #[test]
    fn effort_and_reach_are_inverse_wherever_the_ramps_lie() {
        for (distance, length) in [(10.0, 100.0), (10.0, 12.0), (50.0, 30.0)] {
            for (slowest, slows_from, slows_to) in [(0.0, true, true), (0.3, true, false), (0.3, false, true)]
            {
                let stretch = eased(distance, slowest, slows_to).along(length, slows_from);
                let whole = stretch.effort();
                assert!(whole > length / 2.0, "easing takes time");
                assert!((stretch.reach(whole) - length).abs() < 1e-9);
                let mut before = 0.0;
                for n in 1..=1000 {
                    let at = stretch.reach(whole * f64::from(n) / 1000.0);
                    // The distance in a short time is the speed at that place.
                    let speed = (at - before) / (whole / 1000.0);
                    let expected = stretch.speed_at(f64::midpoint(at, before));
                    assert!((speed - expected).abs() < 0.05, "{speed} {expected} at {at} of {length}");
                    before = at;
                }
            }
        }
    }

    #[test]
    fn no_easing_is_plain_walking_to_the_last_bit() {
        let stretch = Pace::PLAIN.along(0.1, true);
        assert_eq!((stretch.effort(), stretch.reach(0.07)), (0.1, 0.07));
        for easing in [
            WaypointSlowdown { distance: 0.0, slowest: 0.1 },
            WaypointSlowdown { distance: f32::NAN, slowest: 0.1 },
            WaypointSlowdown { distance: 5.0, slowest: 1.0 },
            WaypointSlowdown { distance: 5.0, slowest: f32::NAN },
        ] {
            let pace = Pace { speed: 1.0, easing: Some(easing), slows_to: true };
            assert_eq!(pace.along(3.0, true).effort().to_bits(), 3.0_f64.to_bits(), "{easing:?}");
        }
    }
}
