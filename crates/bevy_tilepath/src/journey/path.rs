//! The path of an agent, and its progress.

mod advance;
pub(crate) mod ahead;
pub(crate) mod calm;
mod chase;
mod driven;
pub(crate) mod in_crowd;
pub(crate) mod kept;
mod lay;
mod line;
mod of_order;
mod put_back;
mod sum;
mod time_left;
mod walk;

use bevy_ecs::{
    component::Component,
    entity::{Entity, MapEntities},
    lifecycle::HookContext,
    world::DeferredWorld,
};
use bevy_math::Vec2;
use bevy_reflect::Reflect;
use tilepath::{Cell, Cost, Path, Revision, Statistics};

pub(crate) use self::{
    of_order::PathUse,
    walk::{DoorRule, Driven, Stride, Walk},
};

use self::{ahead::Ahead, calm::Calm, kept::Kept, put_back::PutBack, sum::sum};
use crate::{
    journey::halt::Halt,
    map::{nav_graph::NavGraph, place::Place, projection::NavProjection, version::Version},
    order::{queue::RequestId, route::Route, state::plan_again, stop_cursor::StopCursor},
    route::{leg::PathLeg, walked_line::LineStyle},
};

/// The path that was found for an entity, and the progress of the entity along this path. Read this
/// component to draw the path, or to show the cost and the time that are left.
///
/// The path is divided into [legs](PathLeg), each on one map. A new leg begins at each
/// [`Door`](crate::doors::Door) that the path passes. A leg leads over the cells of a tile map, or
/// along the waypoints of a graph. The [`points`](Self::points) of all legs are one line through
/// the world.
///
/// The plugin inserts the component before [`PathFound`](crate::events::PathFound) is triggered.
/// The component stays after [`Arrived`](crate::events::Arrived), until the next order is answered.
/// The plugin removes it if the order is cancelled or fails, or if the path is lost.
///
/// Only the plugin writes the component. If new orders come faster than orders are answered, the
/// path may be the path of an earlier order. No event is triggered for such a path. If many
/// [bodies](crate::Body) walk to the same goals, a body may get another path before it arrives.
///
/// ```
/// use bevy_tilepath::AgentPath;
///
/// fn describe(path: &AgentPath) -> String {
///     let waypoints: Vec<&str> = path.remaining_waypoints().collect();
///     if waypoints.is_empty() {
///         format!("{} cells to go, cost {}", path.remaining_cells().len(), path.remaining_cost())
///     } else {
///         format!("by {}", waypoints.join(", "))
///     }
/// }
/// # let _: fn(&AgentPath) -> String = describe;
/// ```
#[derive(Component, Debug, Clone, MapEntities, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[component(on_remove = path_removed)]
#[reflect(opaque)]
#[reflect(Debug, Clone)]
// The fields that are read of every agent in every tick come first, side by side.
#[repr(C)]
pub struct AgentPath {
    pub(crate) walk: Walk,
    next: usize,
    pub(crate) order: u64,
    /// The state in which it needs no check: see [`Calm`].
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) calm: Option<Calm>,
    pub(crate) progress: Progress,
    /// The reason why the agent could begin no step in the last tick, whatever its path. It is kept
    /// here for queries that must not read [`PathAgent`](crate::PathAgent), which games write to.
    pub(crate) halt: Option<Halt>,
    /// True if the agent does not arrive at the end, but waits there for its order to go on. The
    /// order follows an entity, or waits until the goal can be reached. Or its target has moved.
    pub(crate) waits_at_end: bool,
    /// The path from the stop at its end, if the order has several stops.
    #[entities]
    pub(crate) ahead: Option<Box<Ahead>>,
    /// True if the search for that path has failed.
    pub(crate) ahead_tried: bool,
    /// True if `StopReached` was triggered for the stop at its end.
    pub(crate) stop_told: bool,
    /// The stop to which it leads, if the agent has passed a stop in this tick.
    pub(crate) passed_stop: Option<StopCursor>,
    /// The number of edits of the stops at the last check.
    pub(crate) stops_seen: u64,
    /// The rule for passing doors.
    pub(crate) door_rule: DoorRule,
    /// The line along the cells of each leg.
    pub(crate) style: LineStyle,
    /// The progress of an agent that other code moves.
    pub(crate) driven: Option<Driven>,
    /// True if the agent is beside the path and cannot get back onto it.
    pub(crate) is_astray: bool,
    /// The cell where it ends before its goal, because other bodies rest at the goal, and the cost
    /// that is left.
    pub(crate) short: Option<(Cell, Cost)>,
    /// The version of all doors at which the doors ahead are known to be open.
    pub(crate) doors: Version,
    /// The lower bound of the rest of the path.
    #[entities]
    pub(crate) kept: Kept,
    /// The place where other code put the agent after its last step.
    pub(crate) put_back: Option<PutBack>,
    /// The index of the leg under way; after arrival the last one.
    current: usize,
    /// The points of all legs, in the world.
    points: Vec<Vec2>,
    #[entities]
    pub(crate) route: Route,
    #[entities]
    goal: Place,
}

/// The state of an agent that has a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Progress {
    Walking,
    /// It stands until a new path is found.
    Replanning,
    Arrived,
}

impl AgentPath {
    /// Returns a new path, or `None` if one of the maps is gone. `placed` returns the placement of
    /// a map.
    pub(crate) fn new(
        order: RequestId,
        mut route: Route,
        placed: impl Fn(Entity) -> Option<(NavProjection, Version)>,
    ) -> Option<Self> {
        let mut points = Vec::new();
        for leg in &mut route.legs {
            let (projection, placement) = placed(leg.map())?;
            leg.add_points(&projection, placement, &mut points);
        }
        let (map, goal) = &route.goals.at[route.chosen];
        let mut path = Self {
            goal: match route.legs[0].path().filter(|_| route.goals.reach.is_some()) {
                Some(path) => Place::Cell(path.goal()),
                None => goal.place(placed(*map).as_ref().map(|(projection, _)| projection)),
            },
            route,
            current: 0,
            points,
            next: 0,
            order: order.number,
            progress: Progress::Walking,
            halt: None,
            walk: Walk::default(),
            calm: None,
            kept: Kept::default(),
            put_back: None,
            waits_at_end: false,
            ahead: None,
            ahead_tried: false,
            stop_told: false,
            passed_stop: None,
            stops_seen: 0,
            door_rule: DoorRule::default(),
            style: LineStyle::default(),
            driven: None,
            is_astray: false,
            short: None,
            doors: Version::default(),
        };
        path.keep_found();
        Some(path)
    }

    /// Returns the leg on which the agent walks now. After arrival, returns the last leg.
    #[must_use]
    pub fn leg(&self) -> &PathLeg {
        &self.route.legs[self.current]
    }

    /// Returns all legs, from the first to the last.
    pub fn legs(&self) -> impl Iterator<Item = &PathLeg> {
        self.route.legs.iter()
    }

    /// Returns the path over cells of the present [leg](Self::leg), or `None` on a waypoint graph.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.leg().path()
    }

    /// Returns the map or graph of the present [leg](Self::leg).
    #[must_use]
    pub fn map(&self) -> Entity {
        self.leg().map()
    }

    /// Returns the goal of the order: a cell, a waypoint, or a position on a graph. If the order
    /// has several goals, returns the chosen goal. A [partial](Self::is_partial) path does not end
    /// at the goal.
    #[must_use]
    pub fn goal(&self) -> &Place {
        &self.goal
    }

    pub(crate) fn set_goal(&mut self, goal: Place) {
        self.goal = goal;
    }

    /// Returns the index of the chosen goal in the list of
    /// [`PathRequest::to_nearest`](crate::PathRequest::to_nearest), or 0 for any other order.
    #[must_use]
    pub fn chosen(&self) -> usize {
        self.route.chosen_of_list()
    }

    /// Returns whether the path leads only to the reachable cell nearest to the goal.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.route.partial
    }

    /// Returns the statistics of the search that found the path. If a [flow
    /// field](tilepath::field::FlowField) answered this order together with many others, the path
    /// was read from the field. The statistics then have no expanded cells, and the algorithm is
    /// Dijkstra's.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.route.statistics
    }

    /// Returns the cost of all legs, in one unit for tile maps, graphs and doors.
    ///
    /// # Units
    /// World units, see [`Door`](crate::doors::Door).
    #[must_use]
    pub fn route_cost(&self) -> f64 {
        self.route.cost()
    }

    /// Returns the sum of the costs of all legs on tile maps. The cost of each leg is in the cost
    /// units of its map. Legs on graphs do not count.
    ///
    /// Returns `None` if the sum is larger than a [`Cost`] can be. Only legs on several maps can
    /// add up to so much.
    #[must_use]
    pub fn cost(&self) -> Option<Cost> {
        sum(self.legs().filter_map(PathLeg::path).map(Path::cost))
    }

    /// Returns the cells ahead on the present [leg](Self::leg). The first one is the cell to which
    /// the agent is walking. The slice is empty after arrival and on a waypoint graph.
    #[must_use]
    pub fn remaining_cells(&self) -> &[Cell] {
        self.leg().remaining_cells(self.next)
    }

    /// Returns the cost of the steps ahead on the present [leg](Self::leg). The step that the agent
    /// is making is included. The cost is zero after arrival and on a waypoint graph.
    #[must_use]
    pub fn remaining_cost(&self) -> Cost {
        self.leg().remaining_cost(self.next)
    }

    /// Returns the ids of the waypoints ahead on the present [leg](Self::leg). The first one is the
    /// waypoint to which the agent is walking. The iterator is empty on a tile map.
    pub fn remaining_waypoints(&self) -> impl Iterator<Item = &str> {
        self.leg().waypoints_from(self.leg().index_of(self.next))
    }

    /// Returns the points of all legs in world space: one for each cell, each waypoint, and the
    /// points where a route enters and leaves a graph. The point of a cell is its centre, unless
    /// the agent walks [straight](crate::agents::PathLine::Straight) or with an
    /// [offset](crate::PathAgent::spread).
    #[must_use]
    pub fn points(&self) -> &[Vec2] {
        &self.points
    }

    /// Returns the index, in [`points`](Self::points), of the point to which the agent is walking.
    /// After arrival, returns the number of points.
    #[must_use]
    pub fn next_point(&self) -> usize {
        self.next
    }

    /// Returns whether the last point has been reached.
    pub(crate) fn is_at_end(&self) -> bool {
        self.next >= self.points.len()
    }

    /// Returns the place where the path ends.
    pub(crate) fn end_place(&self) -> Place {
        self.last_leg().end_place(&self.points)
    }

    /// Returns the map on which the path ends.
    pub(crate) fn end_map(&self) -> Entity {
        self.last_leg().map()
    }

    fn last_leg(&self) -> &PathLeg {
        &self.route.legs[self.route.legs.len() - 1]
    }

    /// Returns the leg under way and the legs ahead.
    pub(crate) fn legs_left(&self) -> &[PathLeg] {
        &self.route.legs[self.current..]
    }

    pub(crate) fn legs_left_mut(&mut self) -> &mut [PathLeg] {
        self.walk.line = None;
        &mut self.route.legs[self.current..]
    }

    /// Returns whether the agent is in a [`Door`](crate::doors::Door): it walks from one end of the
    /// door to the other end. Also returns true if the agent stands at the end of a leg, and
    /// another leg follows.
    #[must_use]
    pub fn is_in_door(&self) -> bool {
        self.next == self.leg().end && self.legs_left().len() > 1
    }

    /// Returns the indices in [`points`](Self::points) of the leg under way.
    pub(crate) fn leg_points(&self) -> std::ops::Range<usize> {
        self.leg().first..self.leg().end
    }

    /// Returns the cell that the agent leaves and the cell that it walks to. Both are the same on
    /// the line to the centre of the first cell, and after arrival. Returns `None` on a graph, and
    /// before the first line is set.
    pub(crate) fn step(&self) -> Option<(Cell, Cell)> {
        self.walk.step
    }

    /// Sets the line under way: from here to the point with this index.
    pub(crate) fn set_leg(&mut self, here: Vec2, next: usize) {
        self.next = next;
        let step = self.leg().step(next);
        let kind = self.walk.kind;
        self.walk = Walk { from: here, kind, step, position: Some(here), ..Walk::default() };
    }

    /// Computes the points of a leg again after its map was moved. The index counts from the leg
    /// under way.
    pub(crate) fn place(&mut self, index: usize, projection: &NavProjection, placement: Version) {
        self.route.legs[self.current + index].place(projection, placement, &mut self.points);
        self.walk.line = None;
        if index == 1
            && self.is_in_door()
            && let Some(here) = self.walk.position
        {
            self.set_leg(here, self.next);
        }
    }

    /// Updates what may change on a graph without a new search: speeds.
    pub(crate) fn update_pace(&mut self, graph: &NavGraph) {
        if self.route.legs[self.current].update_pace(graph) {
            self.walk_otherwise();
        }
    }

    /// Drops what was checked, so that the next tick checks the path again.
    pub(crate) fn forget_checks(&mut self) {
        (self.calm, self.walk.line) = (None, None);
    }

    /// Sets the revision of each leg to the present one of its map.
    pub(crate) fn set_revisions(&mut self, present: impl Fn(Entity) -> Option<Revision> + Copy) {
        for leg in &mut self.route.legs {
            leg.set_revision(present(leg.map()).unwrap_or_default());
        }
        if let Some(ahead) = &mut self.ahead {
            ahead.path.set_revisions(present);
        }
    }

    /// Begins the line under way again at the position of the agent, because its pace changes.
    pub(crate) fn walk_otherwise(&mut self) {
        if let Some(here) = self.walk.position {
            self.set_leg(here, self.next);
        }
    }
}

/// Replans the path if it was removed on the journey and the order is still there, unless a search
/// is already running.
fn path_removed(mut world: DeferredWorld, context: HookContext) {
    if let Some(path) = world.get::<AgentPath>(context.entity)
        && path.progress == Progress::Walking
    {
        let order = RequestId { entity: context.entity, number: path.order };
        plan_again(&mut world, order);
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use smallvec::smallvec;
    use tilepath::Grid;

    use super::*;
    use crate::{
        map::{map_view::MapView, nav_grid::NavGrid},
        order::{
            goal::{Goals, PathGoal},
            route::Known,
        },
    };

    /// Returns a path over a map of its own, with the agent at the start.
    pub(crate) fn walked(
        grid: Grid,
        projection: NavProjection,
        find: impl FnOnce(&NavGrid) -> Path,
    ) -> AgentPath {
        let (map, grid) = (Entity::PLACEHOLDER, NavGrid::new(grid));
        let path = find(&grid);
        let goal = path.goal();
        let route = Route {
            asked: PathGoal::from(goal),
            goals: Goals::one(map, goal),
            movement: None,
            chosen: 0,
            partial: false,
            statistics: Statistics::default(),
            is_proven: true,
            known: Known::default(),
            common: None,
            legs: smallvec![MapView::new(map, &grid, &projection).leg(path, None)],
        };
        let order = RequestId { entity: map, number: 1 };
        let mut path = AgentPath::new(order, route, |_| Some((projection, Version::default()))).unwrap();
        path.set_leg(path.points()[0], 0);
        path
    }

    /// Returns a path along a strip of cells.
    pub(crate) fn along_strip(cells: u32) -> AgentPath {
        let end = Cell::new(cells as i32 - 1, 0);
        walked(Grid::new(cells, 1, 1).unwrap(), NavProjection::square(Vec2::ONE, Vec2::ZERO), |grid| {
            grid.finder().find(Cell::new(0, 0), end).unwrap().into_path().unwrap()
        })
    }

    #[test]
    fn one_that_waits_at_its_end_keeps_the_cell_where_it_ended_short() {
        for waits_at_end in [false, true] {
            let mut path = AgentPath { waits_at_end, ..along_strip(3) };
            path.end_short(Cost::new(20));
            assert_eq!((path.short, path.is_at_end()), (Some((Cell::new(0, 0), Cost::new(20))), true));
        }
    }

    #[test]
    fn one_that_goes_on_from_where_it_ended_short_is_short_no_more() {
        for (from, to) in [(0, 1), (1, 1), (2, 2)] {
            let mut path = along_strip(3);
            path.end_short(Cost::new(20));
            path.stand_in_crowd(Vec2::ZERO, (Cell::new(from, 0), Cell::new(to, 0)), false, |_| ());
            assert_eq!(path.short, None);
            assert_eq!(path.stands_at_end(), from == 2);
        }
    }
}
