//! The path an agent walks, and how far it has come.

mod advance;
pub(crate) mod ahead;
pub(crate) mod calm;
mod chase;
pub(crate) mod in_crowd;
pub(crate) mod kept;
mod line;
mod parts;
mod put_back;
mod sum;
mod time_left;
mod walk;

use bevy_ecs::{component::Component, entity::Entity, lifecycle::HookContext, world::DeferredWorld};
use bevy_math::Vec2;
use bevy_reflect::Reflect;
use tilepath::{Cell, Cost, NearWay, Path, Statistics};

pub(crate) use self::walk::{DoorRule, Stride, Walk};

use self::{ahead::Ahead, calm::Calm, kept::Kept, put_back::PutBack, sum::sum};
use crate::{
    journey::halt::Halt,
    map::{nav_graph::NavGraph, place::Place, projection::NavProjection, version::Version},
    order::{
        queue::RequestId, request::PathRequest, route::Route, state::plan_again, stop_cursor::StopCursor,
    },
    route::leg::PathLeg,
};

/// The path found for an entity, and its progress along it.
///
/// A journey has one [leg](PathLeg) or, where it leads through [`Door`](crate::doors::Door)s from map to map, several:
/// each is a [`path`](Self::path) over the cells of a tile map, or leads along the waypoints of a graph. The
/// [`points`](Self::points) of all of them are one line through the world.
///
/// It is there from [`PathFound`](crate::events::PathFound) on, and stays after [`Arrived`](crate::events::Arrived) until
/// the next order is answered. It goes when the order is cancelled, fails, or the way is lost. Where orders are renewed
/// faster than they can be answered it may be the path for an earlier one, without an event.
/// Written by the plugin alone. A [`Body`](crate::Body) that many follow to the same goals may get another one on its way.
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
#[derive(Component, Debug, Clone, Reflect)]
#[type_path = "bevy_tilepath"]
#[component(on_remove = path_removed)]
#[reflect(opaque)]
#[reflect(Debug, Clone)]
// What is read of every agent in every tick comes first, side by side.
#[repr(C)]
pub struct AgentPath {
    pub(crate) walk: Walk,
    next: usize,
    pub(crate) order: u64,
    /// What it was looked at by, and needs no look while that stays.
    pub(crate) calm: Option<Calm>,
    pub(crate) progress: Progress,
    /// Why the agent could begin no step in the last tick, whatever its way: for those who ask, and read no
    /// [`PathAgent`](crate::PathAgent), which games write to.
    pub(crate) halt: Option<Halt>,
    /// Whether the agent waits at the end for its order to go on: the entity that it follows is there, or has gone on.
    pub(crate) waits_at_end: bool,
    /// The way from the stop at its end on, if the order has several.
    pub(crate) ahead: Option<Box<Ahead>>,
    /// That way was asked for in vain.
    pub(crate) ahead_tried: bool,
    /// That the stop at its end was reached has been told.
    pub(crate) stop_told: bool,
    /// The stop to which it leads, if the agent has passed one in this tick.
    pub(crate) passed_stop: Option<StopCursor>,
    /// How often the stops had been edited when they were looked at last.
    pub(crate) stops_seen: u64,
    /// Whether it goes through doors.
    pub(crate) door_rule: DoorRule,
    /// The agent is beside it, and does not find back.
    pub(crate) is_astray: bool,
    /// It ends here, on this cell, although so much is left: others rest at its goal.
    pub(crate) short: Option<(Cell, Cost)>,
    /// The version of all doors by which those ahead are known to be open.
    pub(crate) doors: Version,
    /// What is proven of the rest.
    pub(crate) kept: Kept,
    /// Where other code put the agent when it had walked last.
    pub(crate) put_back: Option<PutBack>,
    /// The index of the leg under way: the last one after arrival.
    current: usize,
    /// Of all legs, in the world.
    points: Vec<Vec2>,
    pub(crate) route: Route,
    goal: Place,
}

/// What an agent with a path is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    Walking,
    /// Stands until the way is found again.
    Replanning,
    Arrived,
}

impl AgentPath {
    /// `None` if one of the maps is gone. `placed` tells where a map lies.
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
            is_astray: false,
            short: None,
            doors: Version::default(),
        };
        path.keep_found();
        Some(path)
    }

    /// The leg under way; after arrival the last one.
    #[must_use]
    pub fn leg(&self) -> &PathLeg {
        &self.route.legs[self.current]
    }

    /// All legs, from the first to the last.
    pub fn legs(&self) -> impl Iterator<Item = &PathLeg> {
        self.route.legs.iter()
    }

    /// The cells of the leg under way, as it was found; `None` on a waypoint graph.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.leg().path()
    }

    /// The map or graph of the leg under way.
    #[must_use]
    pub fn map(&self) -> Entity {
        self.leg().map()
    }

    /// What was asked for: a cell, a waypoint, or a position on a graph; of several the one chosen. A
    /// [partial](Self::is_partial) path ends elsewhere.
    #[must_use]
    pub fn goal(&self) -> &Place {
        &self.goal
    }

    pub(crate) fn set_goal(&mut self, goal: Place) {
        self.goal = goal;
    }

    /// Which of the goals of [`PathRequest::to_nearest`](crate::PathRequest::to_nearest) it leads to: the
    /// index in the list. 0 for an order to one goal.
    #[must_use]
    pub fn chosen(&self) -> usize {
        self.route.chosen_of_list()
    }

    /// Whether the path leads only to the reachable cell nearest to the goal.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.route.partial
    }

    /// What the search did. Nothing was expanded for a path that was read from a
    /// [field](tilepath::field::FlowField) which answered many orders at once; its algorithm is Dijkstra's.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.route.statistics
    }

    /// What all legs cost, by one measure for tile maps, graphs and doors.
    ///
    /// # Units
    /// World units, see [`Door`](crate::doors::Door).
    #[must_use]
    pub fn route_cost(&self) -> f64 {
        self.route.cost()
    }

    /// What the steps on tile maps cost, those of all legs together, in the units of their maps; zero on a graph. Of a way that is found
    /// [in parts](Self::near_way) those that are known.
    /// `None` if that is more than a [`Cost`] can be, which only legs on several maps can add up to.
    #[must_use]
    pub fn cost(&self) -> Option<Cost> {
        sum(self.legs().filter_map(PathLeg::path).map(Path::cost))
    }

    /// The cells ahead on the leg under way, from the one the agent is walking to. Empty after arrival and on a
    /// waypoint graph.
    #[must_use]
    pub fn remaining_cells(&self) -> &[Cell] {
        self.leg().remaining_cells(self.next)
    }

    /// What the steps ahead on the leg under way cost, the present one included. Zero after arrival and on a
    /// waypoint graph.
    #[must_use]
    pub fn remaining_cost(&self) -> Cost {
        self.leg().remaining_cost(self.next)
    }

    /// The ids of the waypoints ahead on the leg under way, from the one the agent is walking to. None on a tile
    /// map.
    pub fn remaining_waypoints(&self) -> impl Iterator<Item = &str> {
        self.leg().waypoints_from(self.leg().index_of(self.next))
    }

    /// The points of all legs in world space: centres of cells, waypoints, and where a route enters and leaves a
    /// graph.
    #[must_use]
    pub fn points(&self) -> &[Vec2] {
        &self.points
    }

    /// The index in [`points`](Self::points) of the one the agent is walking to: as many as there are
    /// points after arrival.
    #[must_use]
    pub fn next_point(&self) -> usize {
        self.next
    }

    /// The rest of the way, where that is [near](tilepath::Algorithm::Near) and long: of it only the portals between chunks of 16 × 16
    /// cells are known, and it is found cell by cell as the agent walks. `None` where the path is known up to its end.
    ///
    /// The [points](Self::points), cells and [remaining cost](Self::remaining_cost) are those of what is known; what comes after them
    /// costs roughly [`NearWay::rest`]. More of them come some thirty points before the agent has walked the last one, within the budget
    /// of work; an edit that blocks what was not known yet is told by [`PathBlocked`](crate::events::PathBlocked) then. If the budget is not
    /// enough, the agent waits at the last point. Bodies, and orders that follow an entity, have their whole way at once.
    ///
    /// ```
    /// use bevy_tilepath::{AgentPath, Cost};
    ///
    /// fn cost_to_go(path: &AgentPath) -> Option<Cost> {
    ///     let rest = path.near_way().map_or(Cost::ZERO, |way| way.rest());
    ///     path.remaining_cost().checked_add(rest)
    /// }
    /// # let _: fn(&AgentPath) -> Option<Cost> = cost_to_go;
    /// ```
    #[must_use]
    pub fn near_way(&self) -> Option<&NearWay> {
        self.route.near.as_ref().map(|near| &near.way)
    }

    /// Whether it is compared with the cheapest way as long as it is walked. A near one is not: what is proven of it is too little.
    pub(crate) fn is_watched(&self, request: &PathRequest) -> bool {
        request.is_watched() && self.route.statistics.algorithm.is_exact()
    }

    /// Whether the agent may go by it although its order has been replaced: it does so already, or the path was found for
    /// that.
    pub(crate) fn is_gone_by(&self) -> bool {
        self.order == 0 || self.walk.position.is_some()
    }

    /// Whether the last point has been reached.
    pub(crate) fn is_at_end(&self) -> bool {
        self.next >= self.points.len()
    }

    /// Where the journey ends.
    pub(crate) fn end_place(&self) -> Place {
        self.last_leg().end_place(&self.points)
    }

    /// The same of all of it, also of what is not known cell by cell.
    pub(crate) fn destination(&self) -> Place {
        self.near_way().map_or_else(|| self.end_place(), |way| Place::Cell(way.goal()))
    }

    /// The map on which it ends.
    pub(crate) fn end_map(&self) -> Entity {
        self.last_leg().map()
    }

    fn last_leg(&self) -> &PathLeg {
        &self.route.legs[self.route.legs.len() - 1]
    }

    /// The leg under way, and those ahead.
    pub(crate) fn legs_left(&self) -> &[PathLeg] {
        &self.route.legs[self.current..]
    }

    pub(crate) fn legs_left_mut(&mut self) -> &mut [PathLeg] {
        self.walk.line = None;
        &mut self.route.legs[self.current..]
    }

    /// Whether the agent is walking from one end of a [`Door`](crate::doors::Door) to the other, or about to: it stands at the
    /// end of a leg that is not the last.
    #[must_use]
    pub fn is_in_door(&self) -> bool {
        self.next == self.leg().end && self.legs_left().len() > 1
    }

    /// The indices in [`points`](Self::points) of the leg under way.
    pub(crate) fn leg_points(&self) -> std::ops::Range<usize> {
        self.leg().first..self.leg().end
    }

    /// The cell the agent is leaving and the one it is walking to: the same on the way to the centre of
    /// the first cell and after arrival. `None` on a graph, and before the first leg is chosen.
    pub(crate) fn step(&self) -> Option<(Cell, Cell)> {
        self.walk.step
    }

    /// Walks from here to the point of that index.
    pub(crate) fn set_leg(&mut self, here: Vec2, next: usize) {
        self.next = next;
        let step = self.leg().step(next);
        let kind = self.walk.kind;
        self.walk = Walk { from: here, kind, step, position: Some(here), ..Walk::default() };
    }

    /// Computes again the points of a leg that is left, after its map was moved.
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

    /// Takes over what may change along a graph without a new plan.
    pub(crate) fn update_pace(&mut self, graph: &NavGraph) {
        if self.route.legs[self.current].update_pace(graph) {
            self.walk_otherwise();
        }
    }

    /// The rest of the line under way is walked in another way than it was so far.
    pub(crate) fn walk_otherwise(&mut self) {
        if let Some(here) = self.walk.position {
            self.set_leg(here, self.next);
        }
    }
}

/// The path was removed on the way: the order stands, so the way is planned again, unless it is already.
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

    /// A path over a map by itself, the agent at its beginning.
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
            near: None,
            legs: smallvec![MapView::new(map, &grid, &projection).leg(path, None)],
        };
        let order = RequestId { entity: map, number: 1 };
        let mut path = AgentPath::new(order, route, |_| Some((projection, Version::default()))).unwrap();
        path.set_leg(path.points()[0], 0);
        path
    }

    /// A path along a strip of cells.
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
