//! Agents on waypoint graphs: their place, and joining a path.

use bevy_math::Vec2;
use tilepath::graph::Position;

use crate::{
    failure::PathFailure,
    journey::{
        path::AgentPath,
        standing_on::{Standing, is_on_line},
    },
    map::{
        graph_view::NavGraphView,
        place::{MapPlace, position_of},
    },
};

/// The distance from a line that still counts as on it, as a part of the line's length: more than
/// rounding, less than can be seen.
const ON_LINE: f32 = 1e-3;

impl NavGraphView<'_> {
    /// Returns the place of an agent. If it walks along an edge and other code has not teleported it,
    /// it is on that edge. Otherwise the position decides.
    pub(crate) fn standing_place(
        &self,
        standing: &Standing,
        path: Option<&AgentPath>,
    ) -> Result<MapPlace, PathFailure> {
        let position = self.position_at(standing.here)?;
        let path =
            path.filter(|path| path.map() == self.map && (standing.is_driven() || standing.is_unmoved()));
        if let Some(map_place) = path.and_then(|path| self.spot_under_way(path, position)) {
            return Ok(map_place);
        }
        Ok(self.nav_graph.map_place_at(position, self.rounding_at(position)))
    }

    fn spot_under_way(&self, path: &AgentPath, here: Position) -> Option<MapPlace> {
        let graph = self.graph();
        let (from, to) = path.leg().edge_to(path.next_point())?;
        let edge = graph.edge(from, to)?;
        let (begins, ends) = (edge.from.position, edge.to.position);
        let (dx, dy) = (ends.x - begins.x, ends.y - begins.y);
        let along = (here.x - begins.x) * dx + (here.y - begins.y) * dy;
        let share = (along / (dx * dx + dy * dy)).clamp(0.0, 1.0);
        let share = if share.is_nan() { 0.0 } else { share };
        Some(MapPlace::OnEdge { from: from.into(), to: to.into(), share, here })
    }

    /// Sets the line from here onto the path, or along it if the agent is on the path.
    ///
    /// Returns false if there is no such line: the path must be replanned.
    pub(crate) fn join(&self, path: &mut AgentPath, standing: &Standing) -> bool {
        // If the transform of a graph is not usable, the graph has no positions.
        if !self.projection.is_somewhere() {
            return false;
        }
        let next = if self.is_at_beginning(path, standing.here) {
            Some(path.next_point())
        } else {
            leg_from(path, standing)
        };
        let Some(next) = next else { return false };
        path.set_leg(standing.here, next);
        true
    }

    /// Returns whether an agent that has not set out yet stands at the start of the leg, as
    /// [`standing_place`](Self::standing_place) finds it.
    fn is_at_beginning(&self, path: &AgentPath, here: Vec2) -> bool {
        let position = position_of(self.projection.local_of(here));
        let first = path.leg().track().and_then(|track| track.stops.first());
        path.next_point() == path.leg_points().start
            && first
                .is_some_and(|stop| stop.position.distance(position) <= 2.0 * self.rounding_at(stop.position))
    }
}

/// Returns the index of the point that an agent at this place has to walk to.
fn leg_from(path: &AgentPath, standing: &Standing) -> Option<usize> {
    let next = path.next_point();
    // At most the graph has moved under the agent.
    if path.walk.position.is_some() && (standing.is_driven() || standing.is_unmoved()) {
        return Some(next);
    }
    let points = path.points();
    let indices = path.leg_points();
    // The line under way is first: where lines cross, the agent stays on its own line.
    (next.max(indices.start + 1)..indices.end)
        .find(|&to| is_on_world_line(standing.here, points[to - 1], points[to]))
}

fn is_on_world_line(point: Vec2, from: Vec2, to: Vec2) -> bool {
    let reach = ON_LINE * from.distance(to) + f32::EPSILON * 16.0 * (from.abs() + to.abs()).max_element();
    is_on_line(point, from, to, reach)
}
