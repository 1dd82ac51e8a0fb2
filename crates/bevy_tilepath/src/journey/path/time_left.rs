//! The time that the rest of a path takes.

use super::{AgentPath, Walk};
use crate::{
    journey::agent::PathAgent,
    route::{pace::Pace, speed::Gait},
};

impl AgentPath {
    /// Returns the time that an agent needs for the rest of its path. The time depends on its
    /// [`speed`](PathAgent::speed), on the speeds of graph edges, and on the ground if the ground
    /// slows the agent down.
    ///
    /// The time does not include delays, such as pauses or edits. It is infinite if the speed of
    /// the agent is not above 0. It is 0 after arrival. Before the agent sets out, the time is
    /// counted from the start of the path.
    ///
    /// # Units
    /// Seconds.
    ///
    /// # Complexity
    /// O(points ahead).
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_tilepath::{AgentPath, PathAgent};
    ///
    /// fn tell(agents: Query<(Entity, &PathAgent, &AgentPath)>) {
    ///     for (entity, agent, path) in &agents {
    ///         println!("{entity} arrives in {:.0} s", path.seconds_left(agent));
    ///     }
    /// }
    /// # let _ = IntoSystem::into_system(tell);
    /// ```
    #[must_use]
    pub fn seconds_left(&self, agent: &PathAgent) -> f64 {
        self.seconds_left_at(agent.gait())
    }

    /// Returns the seconds that are left at this gait.
    pub(crate) fn seconds_left_at(&self, gait: Gait) -> f64 {
        let kind = gait.kind();
        let mut legs = self.legs_left();
        let Walk { from, effort, slows_from, position, .. } = self.walk;
        let first = self.points().get(self.next_point());
        let (mut from, mut effort, mut slows_from) = match position {
            // Before the agent sets out, the time is counted from the start of the path.
            None => (first.copied().unwrap_or_default(), 0.0, false),
            Some(here) if self.walk.kind != kind => (here, 0.0, false),
            Some(_) => (from, effort, slows_from),
        };
        let mut seconds = 0.0;
        for (next, &point) in self.points().iter().enumerate().skip(self.next_point()) {
            let leg = &legs[0];
            let is_in_door = next == leg.end;
            let leaps = is_in_door && legs[1].entrance.is_some_and(|entrance| entrance.leaps);
            if !leaps {
                let pace =
                    if is_in_door { Pace::PLAIN } else { leg.pace_to(next - leg.first, kind, self.points()) };
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
