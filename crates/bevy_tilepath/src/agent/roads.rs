//! Where an agent stands on a waypoint graph, and how it gets onto a way.

use std::sync::Arc;

use bevy_ecs::entity::Entity;
use bevy_math::Vec2;
use tilepath::{Position, WaypointGraph};

use crate::{
    agent::{AgentPath, Standing, footing::ROUNDING, local_point, position_of},
    failure::PathFailure,
    nav_graph::NavGraph,
    projection::NavProjection,
    request::{Place, Spot},
};

/// How far from a line, as a part of its length, still counts as on it: more than rounding, less than can be seen.
const ON_LINE: f32 = 1e-3;

/// A waypoint graph as seen by somebody who stands on it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Roads<'a> {
    pub(crate) map: Entity,
    pub(crate) graph: &'a NavGraph,
    pub(crate) projection: &'a NavProjection,
}

impl Roads<'_> {
    /// A position in the world, on this graph.
    fn position_at(&self, world: Vec2) -> Result<Position, PathFailure> {
        let local = self.projection.local_of(world);
        if local.is_finite() {
            let is_in_range = f64::from(local.abs().max_element()) <= WaypointGraph::MAX_COORDINATE;
            if is_in_range { Ok(position_of(local)) } else { Err(PathFailure::PositionTooFar) }
        } else if world.is_finite() {
            Err(PathFailure::MapWithoutArea)
        } else {
            Err(PathFailure::PositionNotFinite)
        }
    }

    /// Where a place is on it.
    pub(crate) fn spot_of(&self, place: &Place) -> Result<Spot, PathFailure> {
        match place {
            Place::Position(position) => {
                let position = self.position_at(*position)?;
                Ok(self.graph.spot_at(position, self.rounding_at(position)))
            }
            Place::Waypoint(id) if self.graph.graph().contains(id) => Ok(Spot::Waypoint(id.clone())),
            Place::Waypoint(_) => Err(PathFailure::UnknownWaypoint),
            Place::Cell(_) => Err(PathFailure::WrongKindOfMap),
        }
    }

    /// Where an agent is: on the edge that it walks along, unless somebody else has put it where it is, otherwise
    /// wherever it stands.
    pub(crate) fn standing_spot(
        &self,
        standing: &Standing,
        path: Option<&AgentPath>,
    ) -> Result<Spot, PathFailure> {
        let position = self.position_at(standing.here)?;
        let path = path.filter(|path| path.map() == self.map && standing.is_unmoved());
        if let Some(spot) = path.and_then(|path| self.spot_under_way(path, position)) {
            return Ok(spot);
        }
        Ok(self.graph.spot_at(position, self.rounding_at(position)))
    }

    /// How far a position may be off for having come from the world: there it has the digits of `f32`, which far out
    /// are few.
    pub(crate) fn rounding_at(&self, position: Position) -> f64 {
        let world = self.projection.world_of(local_point(position)).abs().as_dvec2();
        let in_world = (world.x + world.y) / self.projection.scale().max(f64::MIN_POSITIVE);
        f64::from(ROUNDING) * (1.0 + position.x.abs() + position.y.abs() + in_world)
    }

    fn spot_under_way(&self, path: &AgentPath, here: Position) -> Option<Spot> {
        let graph = self.graph.graph();
        let (from, to) = path.leg().edge_to(path.next_point())?;
        let edge = graph.edge(&from, &to)?;
        let (begins, ends) = (edge.from.position, edge.to.position);
        let (dx, dy) = (ends.x - begins.x, ends.y - begins.y);
        let along = (here.x - begins.x) * dx + (here.y - begins.y) * dy;
        let share = (along / (dx * dx + dy * dy)).clamp(0.0, 1.0);
        let share = if share.is_nan() { 0.0 } else { share };
        Some(Spot::OnEdge { from, to, share, here })
    }

    /// The waypoint nearest to a goal, as the crow flies, of those that can be reached; of equals the one that is
    /// cheapest to reach.
    pub(crate) fn closest(&self, start: &Spot, goal: &Spot) -> Option<Arc<str>> {
        let graph = self.graph.graph();
        let goal = graph.position_of(goal.on_graph()?).ok()?;
        let ways_on: [Option<&str>; 2] = match start {
            Spot::Waypoint(id) => [Some(id), None],
            Spot::OnEdge { from, share, .. } if *share <= 0.0 => [Some(from), None],
            Spot::OnEdge { from, to, .. } => [Some(to), graph.edge(from, to)?.is_two_way.then_some(from)],
            Spot::Cell(_) | Spot::Position(_) => [None, None],
        };
        let mut closest: Option<(f64, f64, Arc<str>)> = None;
        for reached in ways_on
            .into_iter()
            .flatten()
            .flat_map(|id| graph.within_cost(id, f64::INFINITY).into_iter().flatten())
        {
            let distance = graph.position(&reached.id)?.distance(goal);
            let is_better = closest.as_ref().is_none_or(|(least, cost, _)| {
                distance.total_cmp(least).then(reached.cost.total_cmp(cost)).is_lt()
            });
            if is_better {
                closest = Some((distance, reached.cost, reached.id.into()));
            }
        }
        closest.map(|(_, _, id)| id)
    }

    /// Chooses the line that leads from here onto the path, or along it if the agent is on its way.
    ///
    /// `false`: there is none, the way has to be planned anew.
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

    /// Whether somebody who has not set out yet stands where the leg begins, as [`standing_spot`](Self::standing_spot)
    /// sees it.
    fn is_at_beginning(&self, path: &AgentPath, here: Vec2) -> bool {
        let position = position_of(self.projection.local_of(here));
        let first = path.leg().track().and_then(|track| track.stops().first());
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
    let line = to - from;
    let along = ((point - from).dot(line) / line.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
    let foot = from + line * along;
    let reach = ON_LINE * line.length() + f32::EPSILON * 16.0 * (from.abs() + to.abs()).max_element();
    point.distance_squared(foot) <= reach * reach
}
