//! The line under way.
//!
//! Most ticks begin and end between the same two points, so that such a tick can be computed
//! quickly.

use bevy_math::DVec2;

use super::{
    AgentPath,
    walk::{Line, Stride},
};
use crate::route::pace::{Heading, Stretch};

impl AgentPath {
    /// Keeps the line to the next point, if only the arrival at that point can change the pace.
    pub(super) fn keep_line(&mut self, direction: DVec2, stretch: Stretch) {
        let straight = self.leg().straight;
        // Before its first point an agent may still be on the step of another path.
        self.walk.line = (self.next > 0 && !self.is_in_door())
            .then(|| stretch.even_speed())
            .flatten()
            .map(|speed| Line { direction, effort: stretch.effort(), speed, straight });
    }

    /// Walks on without reaching the next point. Returns `None` if no line is kept, or the agent
    /// reaches the point.
    pub(super) fn go_on_along_line(&mut self, stride: &Stride) -> Option<Heading> {
        let Line { direction, effort, speed, straight } = self.walk.line?;
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
                        let mut stride = Stride { seconds, gait, steps: None, stop: 0 };
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
