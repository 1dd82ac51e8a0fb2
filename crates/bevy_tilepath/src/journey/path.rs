//! The path of an agent, and its progress.

pub(crate) mod calm;
mod driven;
mod halt_before;
pub(crate) mod in_crowd;
mod line;
pub(crate) mod of_order;
pub(crate) mod outline;
pub(crate) mod path_mut;
pub(crate) mod plan;
pub(crate) mod proof;
mod put_back;
pub(crate) mod stops_ahead;
mod sum;
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
    halt_before::HaltBefore,
    walk::{Driven, Stride, Walk},
};

use self::{calm::Calm, plan::PathPlan, proof::Proof, stops_ahead::StopsAhead, sum::sum};
use crate::{
    journey::halt::Halt,
    map::{
        map_view::MapView, nav_graph::NavGraph, place::Place, projection::NavProjection, version::Version,
    },
    order::{queue::RequestId, route::Route, state::plan_again},
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
/// Do not replicate the component to other programs. It holds the state of the plugin, with entities of
/// this world. Send the [`outline`](Self::outline) instead, once for each [`revision`](Self::revision).
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
    pub(crate) order: u64,
    pub(crate) progress: Progress,
    /// The reason why the agent could begin no step in the last tick, whatever its path. It is kept
    /// here for queries that must not read [`PathAgent`](crate::PathAgent), which games write to.
    #[entities]
    pub(crate) halt: Option<Halt>,
    /// The limit of a tick: set before the agents walk, and cleared after that.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) halt_before: Option<HaltBefore>,
    /// The state in which it needs no check: see [`Calm`].
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) calm: Option<Calm>,
    #[entities]
    pub(crate) plan: PathPlan,
    #[entities]
    pub(crate) proof: Proof,
    #[entities]
    pub(crate) stops: StopsAhead,
    /// The line along the cells of each leg.
    pub(crate) style: LineStyle,
    /// The cell where it ends before its goal, because other bodies rest at the goal, and the cost
    /// that is left.
    pub(crate) short: Option<(Cell, Cost)>,
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
        route: Route,
        placed: impl Fn(Entity) -> Option<(NavProjection, Version)>,
    ) -> Option<Self> {
        let mut path = Self {
            walk: Walk::default(),
            order: order.number,
            progress: Progress::Walking,
            halt: None,
            halt_before: None,
            calm: None,
            plan: PathPlan::new(route, placed)?,
            proof: Proof::default(),
            stops: StopsAhead::default(),
            style: LineStyle::default(),
            short: None,
        };
        path.keep_found();
        Some(path)
    }

    /// Returns the leg on which the agent walks now. After arrival, returns the last leg.
    #[must_use]
    pub fn leg(&self) -> &PathLeg {
        self.plan.leg()
    }

    /// Returns all legs, from the first to the last.
    pub fn legs(&self) -> impl Iterator<Item = &PathLeg> {
        self.route().legs.iter()
    }

    /// Returns the number of changes of the path, which grows while the entity has this component. Use
    /// it to draw or to send a path only if it has changed.
    ///
    /// The number grows if legs, costs, points or the goal of the path differ. It does not grow while
    /// the agent walks along the path. `Changed<AgentPath>` holds if the number or the
    /// [next point](Self::next_point) differs, and not for the progress between two points. So compare
    /// neither if you show [`seconds_left`](Self::seconds_left). A rollback
    /// ([`TilepathSnapshot`](crate::TilepathSnapshot)) marks nothing and may bring an earlier number back:
    /// draw all paths again after it.
    ///
    /// ```
    /// use bevy_app::{App, Update};
    /// use bevy_tilepath::{AgentPath, Cell, NavGrid, NavMap, NavProjection, PathAgent, PathRequest, TilepathPlugin, tilepath::Grid};
    /// use bevy_time::TimePlugin;
    ///
    /// let mut app = App::new();
    /// app.add_plugins((TimePlugin, TilepathPlugin::in_schedule(Update)));
    /// let map = (NavMap::default(), NavGrid::new(Grid::new(9, 9, 1)?), NavProjection::default());
    /// let map = app.world_mut().spawn(map).id();
    /// let unit = app.world_mut().spawn((PathAgent::default(), PathRequest::to_cell((8, 0)))).id();
    /// app.update();
    /// let revision = |app: &App| app.world().get::<AgentPath>(unit).unwrap().revision();
    /// let found = revision(&app);
    /// app.update();
    /// assert_eq!(revision(&app), found, "the unit walks");
    /// app.world_mut().get_mut::<NavGrid>(map).unwrap().set_terrain(Cell::new(4, 0), 0)?;
    /// app.update();
    /// assert!(revision(&app) > found, "a wall: the path leads around it");
    /// # Ok::<(), bevy_tilepath::tilepath::GridError>(())
    /// ```
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.plan.revision()
    }

    /// Returns the route that was found, with what is known of its order.
    pub(crate) fn route(&self) -> &Route {
        self.plan.route()
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
        self.plan.goal()
    }

    /// Returns the index of the chosen goal in the list of
    /// [`PathRequest::to_nearest`](crate::PathRequest::to_nearest), or 0 for any other order.
    #[must_use]
    pub fn chosen(&self) -> usize {
        self.route().chosen_of_list()
    }

    /// Returns whether the path leads only to the reachable cell nearest to the goal.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.route().partial
    }

    /// Returns the statistics of the search that found the path. If a [flow
    /// field](tilepath::field::FlowField) answered this order together with many others, the path
    /// was read from the field. The statistics then have no expanded cells, and the algorithm is
    /// Dijkstra's.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.route().statistics
    }

    /// Returns the cost of all legs, in one unit for tile maps, graphs and doors.
    ///
    /// # Units
    /// World units, see [`Door`](crate::doors::Door).
    #[must_use]
    pub fn route_cost(&self) -> f64 {
        self.route().cost()
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
        self.leg().remaining_cells(self.next_point())
    }

    /// Returns the cost of the steps ahead on the present [leg](Self::leg). The step that the agent
    /// is making is included. The cost is zero after arrival and on a waypoint graph.
    #[must_use]
    pub fn remaining_cost(&self) -> Cost {
        self.leg().remaining_cost(self.next_point())
    }

    /// Returns the ids of the waypoints ahead on the present [leg](Self::leg). The first one is the
    /// waypoint to which the agent is walking. The iterator is empty on a tile map.
    pub fn remaining_waypoints(&self) -> impl Iterator<Item = &str> {
        self.leg().waypoints_from(self.leg().index_of(self.next_point()))
    }

    /// Returns the points of all legs in world space: one for each cell, each waypoint, and the
    /// points where a route enters and leaves a graph. The point of a cell is its centre, unless
    /// the agent walks [straight](crate::agents::PathLine::Straight) or with an
    /// [offset](crate::PathAgent::spread).
    #[must_use]
    pub fn points(&self) -> &[Vec2] {
        self.plan.points()
    }

    /// Returns the index, in [`points`](Self::points), of the point to which the agent is walking.
    /// After arrival, returns the number of points.
    #[must_use]
    pub fn next_point(&self) -> usize {
        self.plan.next()
    }

    /// Returns whether the last point has been reached.
    pub(crate) fn is_at_end(&self) -> bool {
        self.plan.is_at_end()
    }

    /// Returns the place where the path ends.
    pub(crate) fn end_place(&self) -> Place {
        self.plan.last_leg().end_place(self.points())
    }

    /// Returns the map on which the path ends.
    pub(crate) fn end_map(&self) -> Entity {
        self.plan.last_leg().map()
    }

    /// Returns whether a goal of the order lies on the map on which the path ends.
    pub(crate) fn ends_on_map_of_goal(&self) -> bool {
        let end = self.end_map();
        self.route().goals.at.iter().any(|&(map, _)| map == end)
    }

    /// Returns the cell where the path ends, or `None` if it ends on a graph.
    pub(crate) fn end_cell(&self) -> Option<Cell> {
        self.plan.last_leg().path().map(Path::goal)
    }

    /// Returns the leg under way and the legs ahead.
    pub(crate) fn legs_left(&self) -> &[PathLeg] {
        self.plan.legs_left()
    }

    /// Returns whether the agent is in a [`Door`](crate::doors::Door): it walks from one end of the
    /// door to the other end. Also returns true if the agent stands at the end of a leg, and
    /// another leg follows.
    #[must_use]
    pub fn is_in_door(&self) -> bool {
        self.plan.is_in_door()
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
        self.plan.set_next(next);
        self.walk.begin_line(here, self.leg().step(next));
    }

    /// Computes the points of a leg again after its map was moved. The index counts from the leg
    /// under way.
    pub(crate) fn place(&mut self, index: usize, projection: &NavProjection, placement: Version) {
        self.plan.place(index, projection, placement);
        if index == 1 && self.is_in_door() {
            self.walk_otherwise();
        }
    }

    /// Updates what may change on the graph of the leg under way without a new search: speeds.
    pub(crate) fn update_pace(&mut self, graph: &NavGraph) {
        if self.plan.update_pace(0, graph) {
            self.walk_otherwise();
        }
    }

    /// Lays the line along the cells of a leg on this map, from the cell with this index on.
    pub(crate) fn lay(&mut self, leg: usize, style: LineStyle, from: usize, view: &MapView) {
        self.style = style;
        self.plan.lay(leg, style, from, view);
    }

    /// Returns the limit at the next door: before it, or behind it if `doors` is 1.
    pub(crate) fn halt_at_door(&self, doors: usize) -> HaltBefore {
        let entrance = self.legs_left().get(1).and_then(|leg| leg.entrance);
        HaltBefore { point: self.leg().end + doors, door: entrance.map(|entrance| entrance.door) }
    }

    /// Returns whether the next point is beyond the limit of this tick.
    fn halts_here(&self) -> bool {
        self.halt_before.is_some_and(|halt| self.next_point() >= halt.point)
    }

    /// Limits this tick to the points before a wall ahead.
    pub(crate) fn halt_before_wall(&mut self) {
        if let Some(point) = self.plan.wall()
            && self.halt_before.is_none_or(|halt| point < halt.point)
        {
            self.halt_before = Some(HaltBefore { point, door: None });
        }
    }

    /// Ends the limit of this tick. If the agent stands before it, the reason is kept: the door, or the
    /// search for a path around the closed place.
    pub(crate) fn end_limit(&mut self) {
        let is_at_limit = self.halts_here() && !self.is_at_end();
        if let Some(limit) = self.halt_before.take().filter(|_| is_at_limit) {
            self.halt = self.halt.or(Some(limit.door.map_or(Halt::Replanning, Halt::Door)));
        }
    }

    /// Returns whether a new path is searched for because this one is closed.
    pub(crate) fn is_replanned(&self) -> bool {
        self.progress == Progress::Replanning || self.plan.is_closed_ahead()
    }

    /// Returns the reason why the agent stands, if it does. `by` is the body that blocks it.
    pub(crate) fn why_halt(&self, by: Option<Entity>) -> Option<Halt> {
        let is_put_back = self.walk.is_held_by_others();
        let is_replanned = self.progress == Progress::Replanning;
        (is_put_back.then_some(Halt::PutBack))
            .or(by.map(Halt::Body))
            .or(is_replanned.then_some(Halt::Replanning))
            .or(self.is_at_end().then_some(Halt::AtGoal))
            .or(self.halt)
            .or(self.makes_no_progress().then_some(Halt::Stuck))
    }

    /// Drops what was checked, so that the next tick checks the path again.
    pub(crate) fn forget_checks(&mut self) {
        (self.calm, self.walk.line) = (None, None);
    }

    /// Sets the revision of each leg to the present one of its map.
    pub(crate) fn set_revisions(&mut self, present: impl Fn(Entity) -> Option<Revision> + Copy) {
        self.plan.set_revisions(present);
        if let Some(ahead) = &mut self.stops.ahead {
            ahead.path.set_revisions(present);
        }
    }

    /// Begins the line under way again at the position of the agent, because its pace changes.
    pub(crate) fn walk_otherwise(&mut self) {
        if let Some(here) = self.walk.position {
            self.set_leg(here, self.next_point());
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
        map::nav_grid::NavGrid,
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
            named: None,
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
            let mut path = along_strip(3);
            path.stops.waits_at_end = waits_at_end;
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
