//! The limit of an agent on its path.

use bevy_ecs::entity::Entity;

/// The first point that an agent may not reach in this tick.
///
/// It holds for agents that walk along their path, and for agents that other code moves. A crowd does
/// not read the points of paths, so for a body in a crowd it has no effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HaltBefore {
    pub(crate) point: usize,
    /// The door that the point is behind, or `None` if the place of the point is closed.
    pub(crate) door: Option<Entity>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        journey::{
            halt::Halt,
            path::{Driven, Stride, tests::along_strip},
        },
        route::speed::{Gait, Speed, TerrainSpeed},
    };

    const GAIT: Gait = Gait { speed: Speed::World(9.0), terrain: TerrainSpeed::Constant };

    #[test]
    fn agent_on_its_path_stops_before_the_limit_and_goes_on_without_it() {
        let mut path = along_strip(6);
        let walk = |path: &mut crate::AgentPath| {
            path.advance(&mut Stride { seconds: 9.0, gait: GAIT, steps: None, stop: None }, |_| ());
            (path.next_point(), path.walk.position)
        };
        path.halt_before = Some(HaltBefore { point: 3, door: None });
        let before = (3, Some(path.points()[2]));
        assert_eq!((walk(&mut path), walk(&mut path)), (before, before));
        path.end_limit();
        assert_eq!(walk(&mut path), (6, Some(path.points()[5])));
    }

    #[test]
    fn agent_that_other_code_moves_wants_no_velocity_at_the_limit() {
        let mut path = along_strip(6);
        path.walk.driven = Some(Driven::default());
        let mut here = path.points()[0];
        path.halt_before = Some(HaltBefore { point: 3, door: None });
        let mut ticks = |path: &mut crate::AgentPath| {
            for _ in 0..900 {
                let mut stride = Stride { seconds: 1.0 / 64.0, gait: GAIT, steps: None, stop: None };
                here += path.advance_driven(here, &mut stride, |_, _| true, |_| ()) / 64.0;
            }
            (path.next_point(), here.x)
        };
        let (next, x) = ticks(&mut path);
        assert!(next == 3 && x < path.points()[2].x + 0.01, "{next}, {x}");
        path.end_limit();
        let (next, x) = ticks(&mut path);
        assert!(next == 6 && x > path.points()[5].x - 0.11, "{next}, {x}");
        assert_eq!(path.halt, Some(Halt::Replanning), "the limit has no door");
    }
}
