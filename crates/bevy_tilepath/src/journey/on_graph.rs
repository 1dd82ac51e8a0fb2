//! Where an agent stands on a waypoint graph, and how it gets onto a way.

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

/// How far from a line, as a part of its length, still counts as on it: more than rounding, less than can be seen.
const ON_LINE: f32 = 1e-3;

impl NavGraphView<'_> {
    /// Where an agent is: on the edge that it walks along, unless other code has put it where it is, otherwise
    /// wherever it stands.
    pub(crate) fn standing_place(
        &self,
        standing: &Standing,
        path: Option<&AgentPath>,
    ) -> Result<MapPlace, PathFailure> {
        let position = self.position_at(standing.here)?;
        let path = path.filter(|path| path.map() == self.map && standing.is_unmoved());
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

    /// Chooses the line that leads from here onto the path, or along it if the agent is on its way.
    ///
    /// `false`: there is none, the way has to be planned again.
    pub(crate) fn join(&self, path: &mut AgentPath, standing: &Standing) -> bool {
        // A graph without a usable transform has no positions.
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

    /// Whether an agent that has not set out yet stands where the leg begins, as [`standing_place`](Self::standing_place)
    /// sees it.
    fn is_at_beginning(&self, path: &AgentPath, here: Vec2) -> bool {
        let position = position_of(self.projection.local_of(here));
        let first = path.leg().track().and_then(|track| track.stops.first());
        path.next_point() == path.leg_points().start
            && first
                .is_some_and(|stop| stop.position.distance(position) <= 2.0 * self.rounding_at(stop.position))
    }
}

/// The point that an agent that stands here has to walk to.
fn leg_from(path: &AgentPath, standing: &Standing) -> Option<usize> {
    let next = path.next_point();
    // At most the graph was moved under its feet.
    if path.walk.position.is_some() && standing.is_unmoved() {
        return Some(next);
    }
    let points = path.points();
    let indices = path.leg_points();
    // On the line under way first: where lines cross it stays on its own.
    (next.max(indices.start + 1)..indices.end)
        .find(|&to| is_on_world_line(standing.here, points[to - 1], points[to]))
}

fn is_on_world_line(point: Vec2, from: Vec2, to: Vec2) -> bool {
    let reach = ON_LINE * from.distance(to) + f32::EPSILON * 16.0 * (from.abs() + to.abs()).max_element();
    is_on_line(point, from, to, reach)
}
