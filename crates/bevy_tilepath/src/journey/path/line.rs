//! Walking along the lines between the points of a path.
//!
//! Most ticks begin and end between the same two points, so that such a tick can be computed
//! quickly.

use bevy_math::{DVec2, Vec2};

use super::{
    AgentPath,
    walk::{Line, Stride},
};
use crate::{
    map::door::index::Entrance,
    order::pending_event::PendingEvent,
    route::{
        pace::{Heading, Pace, Stretch},
        speed::GaitKind,
    },
};

impl AgentPath {
    /// Returns the pace to the next point.
    pub(super) fn pace(&self) -> Pace {
        let next = self.next_point();
        if next < self.leg().end {
            self.leg().pace_to(next - self.leg().first, self.walk.kind, self.points())
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
            let Some(&point) = self.points().get(self.next_point()) else {
                if self.go_on_ahead(stop, &mut tell) {
                    continue;
                }
                break;
            };
            if self.halts_here() {
                break;
            }
            if self.is_in_door() && self.legs_left()[1].entrance.is_some_and(|entrance| entrance.leaps) {
                position = point;
                distance = self.reach(point, distance, stride, &mut tell);
                if stride.steps == Some(0) {
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
            distance = self.reach(point, distance, stride, &mut tell);
            if stride.steps == Some(0) {
                break;
            }
        }
        self.walk.position = Some(position);
        heading
    }

    /// Returns the number of points that the agent reaches if it is to stand as soon as possible: it
    /// ends its step first. An agent that other code moves stands where it is.
    pub(crate) fn steps_to_next_halt(&self) -> u32 {
        let last = self.points().get(self.next_point().saturating_sub(1));
        let is_at_point = self.walk.effort <= 0.0 && last == Some(&self.walk.from);
        u32::from(!self.is_driven() && !is_at_point)
    }

    /// Keeps what has been walked if the unit of the speed changes.
    fn count_by(&mut self, kind: GaitKind) {
        if self.walk.kind != kind {
            self.walk.kind = kind;
            if let Some(here) = self.walk.position {
                self.set_leg(here, self.next_point());
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
            self.plan.enter_next_leg();
            let after = gait.full_speed(self.leg().straight);
            if before > 0.0 && before.is_finite() {
                distance *= after / before;
            }
            if let Some(Entrance { door, leaps, .. }) = self.leg().entrance {
                tell(PendingEvent::DoorPassed { door, from, to: self.map(), leaps });
            }
        }
        let next = self.next_point();
        let index = next - self.leg().first;
        if next > 0
            && let Some(place) = self.leg().place_at(index)
        {
            tell(PendingEvent::PointReached { map: self.map(), place });
            stride.steps = stride.steps.map(|steps| steps.saturating_sub(1));
        }
        self.walk.line = None;
        self.walk.from = point;
        self.walk.effort = 0.0;
        self.walk.slows_from = self.leg().slows_at(index);
        self.plan.set_next(next + 1);
        self.walk.step = self.leg().step(next + 1);
        distance
    }

    /// Keeps the line to the next point, if only the arrival at that point can change the pace.
    pub(super) fn keep_line(&mut self, direction: DVec2, stretch: Stretch) {
        let (straight, revision) = (self.leg().straight, self.plan.revision());
        // Before its first point an agent may still be on the step of another path.
        self.walk.line = (self.next_point() > 0 && !self.is_in_door())
            .then(|| stretch.even_speed())
            .flatten()
            .map(|speed| Line { revision, direction, effort: stretch.effort(), speed, straight });
    }

    /// Walks on without reaching the next point. Returns `None` if no line is kept, or the agent
    /// reaches the point.
    pub(super) fn go_on_along_line(&mut self, stride: &Stride) -> Option<Heading> {
        let line = self.walk.line.filter(|line| line.revision == self.plan.revision())?;
        let Line { direction, effort, speed, straight, .. } = line;
        let distance = stride.gait.stride(straight, stride.seconds);
        let comes_there = distance >= effort - self.walk.effort || distance.is_nan();
        if stride.steps == Some(0) || comes_there {
            return None;
        }
        self.walk.effort += distance;
        let reached = self.walk.effort * speed;
        self.walk.position = Some((self.walk.from.as_dvec2() + direction * reached).as_vec2());
        Some(Heading { direction, pace: speed, has_walked: distance > 0.0, is_on_line: true })
    }
}

#[cfg(test)]
mod tests {
    use bevy_math::Vec2;
    use proptest::prelude::*;
    use testkit::Seed;
    use tilepath::{Cell, Grid};

    use super::*;
    use crate::{
        journey::path::{Stride, tests::walked},
        map::projection::NavProjection,
        route::speed::{Gait, Speed, TerrainSpeed},
    };

    /// Returns a path over hills, with the agent at the start.
    fn over_hills() -> AgentPath {
        let map = testkit::terrain(24, 24, 4, 10, &Seed::named("line"));
        let grid = Grid::from_classes(map.width, map.height, map.classes.clone()).unwrap();
        let corners = map.queries(40, &Seed::named("line"));
        walked(grid, NavProjection::square(Vec2::splat(7.3), Vec2::splat(0.1)), |grid| {
            let paths = corners.into_iter().filter_map(|(from, to)| {
                grid.finder().find(Cell::from(from), Cell::from(to)).unwrap().into_path()
            });
            paths.max_by_key(|path| path.cells().len()).unwrap()
        })
    }

    fn gaits() -> impl Strategy<Value = Gait> {
        (any::<bool>(), any::<bool>(), 0.0_f32..40.0).prop_map(|(counts_cells, is_slowed, rate)| Gait {
            speed: if counts_cells { Speed::Cells(rate / 8.0) } else { Speed::World(rate) },
            terrain: if is_slowed { TerrainSpeed::ByCost } else { TerrainSpeed::Constant },
        })
    }

    proptest! {
        #[test]
        fn ticks_along_a_kept_line_are_those_without_one(
            ticks in prop::collection::vec((gaits(), 1..12_usize, 0.0_f64..0.3), 1..40),
        ) {
            let mut keeping = over_hills();
            let mut forgetting = keeping.clone();
            let mut kept = 0;
            for (gait, times, seconds) in ticks {
                for _ in 0..times {
                    let walk = |path: &mut AgentPath| {
                        let mut told = Vec::new();
                        let mut stride = Stride { seconds, gait, steps: None, stop: None };
                        let heading = path.advance(&mut stride, |event| told.push(format!("{event:?}")));
                        (heading, told)
                    };
                    let (heading, told) = walk(&mut keeping);
                    forgetting.walk.line = None;
                    let (other, others_told) = walk(&mut forgetting);
                    kept += usize::from(heading.is_on_line);
                    prop_assert!(!other.is_on_line);
                    prop_assert_eq!(told, others_told);
                    prop_assert_eq!(keeping.walk.position, forgetting.walk.position);
                    prop_assert_eq!(keeping.walk.effort.to_bits(), forgetting.walk.effort.to_bits());
                    prop_assert_eq!(
                        (heading.direction, heading.pace.to_bits(), heading.has_walked),
                        (other.direction, other.pace.to_bits(), other.has_walked)
                    );
                }
            }
            prop_assume!(kept > 0);
        }
    }
}
