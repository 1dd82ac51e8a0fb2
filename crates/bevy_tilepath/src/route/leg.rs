//! Legs: parts of a route, each on one map.
//!
//! Decision: `docs/decisions/51-legs.md`.

mod rest;

use bevy_ecs::entity::{Entity, MapEntities};
use bevy_math::Vec2;
use tilepath::{
    Cell, Cost, Path, Revision,
    waypoint::{RouteLeg, RoutePoint, WaypointRoute},
};

use crate::{
    map::{
        changes::Changes,
        door::index::Entrance,
        graph_view::NavGraphView,
        map_view::MapView,
        maps::AnyMap,
        nav_graph::NavGraph,
        place::{MapPlace, Place},
        projection::NavProjection,
        version::Version,
    },
    route::{
        course::{CellCourse, Course},
        pace::Pace,
        speed::GaitKind,
        track::Track,
        walked_line::LineStyle,
    },
};

/// The most often that a position along a graph is rounded, into the world and back.
const ROUNDINGS: f64 = 8.0;

/// One leg of the path of an agent: the part on one map. See
/// [`AgentPath::legs`](crate::AgentPath::legs).
///
/// On a tile map the leg is a [`path`](Self::path) over cells. On a waypoint graph the leg leads
/// along [`waypoints`](Self::waypoints).
#[derive(Debug, Clone, MapEntities)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PathLeg {
    #[entities]
    map: Entity,
    course: Course,
    #[entities]
    pub(crate) entrance: Option<Entrance>,
    route_cost: f64,
    /// The cost of the door.
    pub(crate) door_cost: f64,
    /// The size of a cell in the world (on a graph, of one unit of length), and the cost of that
    /// size on the map.
    side: f64,
    costs_a_side: f64,
    /// The rounding error of its cost in the world, because positions are rounded.
    pub(crate) rounding: f64,
    /// The index of its first point among the points of the journey, and of the first point after
    /// it.
    pub(crate) first: usize,
    pub(crate) end: usize,
    /// The version of the map up to which the rest of the leg is known to be valid.
    pub(crate) version: Version,
    /// The version of the map's placement for which the points of the leg were computed.
    pub(crate) placement: Version,
    /// The length of a straight step there.
    pub(crate) straight: f64,
}

impl MapView<'_> {
    /// Returns a path over cells as a leg, with the door by which the leg is entered and the cost
    /// of the door.
    pub(crate) fn leg(&self, path: Path, entrance: Option<(Entrance, f64)>) -> PathLeg {
        let cost = f64::from(path.cost().get()) * self.unit();
        PathLeg::new(AnyMap::Tiles(*self), Course::Cells(CellCourse::new(path, self)), cost, entrance)
    }
}

impl NavGraphView<'_> {
    /// Returns a route over a graph as a leg, with the door by which the leg is entered and the
    /// cost of the door.
    pub(crate) fn leg(
        &self,
        route: &WaypointRoute,
        start: Option<&MapPlace>,
        entrance: Option<(Entrance, f64)>,
    ) -> PathLeg {
        let mut track = Track::new(route, self.nav_graph);
        if let Some(MapPlace::OnEdge { here, .. }) = start {
            track = track.beginning_at(*here, self.rounding_at(*here));
        }
        let cost = route.cost() * self.projection.scale();
        let rounded = |stop: &RoutePoint| self.rounding_at(stop.position);
        let most = track.stops.iter().map(rounded).fold(0.0, f64::max);
        let rate = route.cost() / route.length().max(f64::MIN_POSITIVE);
        let leg = PathLeg::new(AnyMap::Graph(*self), Course::Waypoints(track), cost, entrance);
        PathLeg { rounding: ROUNDINGS * most * rate.max(1.0) * self.projection.scale(), ..leg }
    }
}

impl PathLeg {
    fn new(map: AnyMap, course: Course, cost: f64, entrance: Option<(Entrance, f64)>) -> Self {
        Self {
            map: map.entity(),
            first: 0,
            end: course.len(),
            side: course.side_in_world(map.projection()),
            course,
            entrance: entrance.map(|(entrance, _)| entrance),
            route_cost: cost + entrance.map_or(0.0, |(_, cost)| cost),
            door_cost: entrance.map_or(0.0, |(_, cost)| cost),
            costs_a_side: match &map {
                AnyMap::Tiles(view) => f64::from(view.rules.steps().straight().max(1)),
                AnyMap::Graph(_) => 1.0,
            },
            rounding: 0.0,
            version: map.version(),
            placement: Version::default(),
            straight: 0.0,
        }
    }

    /// Appends its points to the points of the legs before it.
    pub(crate) fn add_points(
        &mut self,
        projection: &NavProjection,
        placement: Version,
        points: &mut Vec<Vec2>,
    ) {
        let course = &self.course;
        self.first = points.len();
        points.extend((0..course.len()).map(|index| course.world_point(index, projection)));
        self.end = points.len();
        self.placement = placement;
        self.straight = projection.straight_step();
    }

    /// Lays the line along its cells. Returns whether it is on a tile map.
    pub(crate) fn lay(&mut self, style: LineStyle, from: usize, view: &MapView) -> bool {
        let Course::Cells(course) = &mut self.course else { return false };
        course.lay(style, from, view);
        true
    }

    /// Lays the line along its cells anew from the centre of this cell.
    pub(crate) fn lay_from_centre(&mut self, from: usize, view: &MapView) {
        if let Course::Cells(course) = &mut self.course {
            course.lay_from_centre(from, view);
        }
    }

    /// Takes over the line of the leg of which this is the rest. Returns whether the stretch under
    /// way stays. See [`CellCourse::go_on_from`].
    pub(crate) fn go_on_from(&mut self, old: &Self, passed: usize, next: usize, view: &MapView) -> bool {
        match (&mut self.course, &old.course) {
            (Course::Cells(course), Course::Cells(old)) => course.go_on_from(old, passed, next, view),
            _ => true,
        }
    }

    /// Returns the map or graph of the leg.
    #[must_use]
    pub fn map(&self) -> Entity {
        self.map
    }

    /// Returns the path of the leg over cells, or `None` if the leg is on a waypoint graph.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.cells().map(|course| &course.path)
    }

    /// Returns the ids of the waypoints that the leg passes, in walking order. On a tile map the
    /// iterator is empty.
    pub fn waypoints(&self) -> impl Iterator<Item = &str> {
        self.waypoints_from(0)
    }

    /// Returns the cost of the leg. The cost of the [door](Self::door) that leads into the leg is
    /// included.
    ///
    /// # Units
    /// World units, see [`Door`](crate::doors::Door).
    #[must_use]
    pub fn route_cost(&self) -> f64 {
        self.route_cost
    }

    /// Returns the entity of the [`Door`](crate::doors::Door) that leads into this leg, or `None`
    /// for the first leg.
    #[must_use]
    pub fn door(&self) -> Option<Entity> {
        self.entrance.map(|entrance| entrance.door)
    }

    /// Returns the revision of the grid on which the leg was found, or `None` if the leg is on a
    /// waypoint graph.
    #[must_use]
    pub fn revision(&self) -> Option<Revision> {
        self.cells().map(|course| course.revision)
    }

    pub(crate) fn set_revision(&mut self, revision: Revision) {
        if let Course::Cells(course) = &mut self.course {
            course.revision = revision;
        }
    }

    pub(crate) fn cells(&self) -> Option<&CellCourse> {
        match &self.course {
            Course::Cells(course) => Some(course),
            Course::Waypoints(_) => None,
        }
    }

    pub(crate) fn track(&self) -> Option<&Track> {
        match &self.course {
            Course::Cells(_) => None,
            Course::Waypoints(track) => Some(track),
        }
    }

    /// Returns the number of cells on each side of the unit; 1 on a graph.
    pub(crate) fn side(&self) -> u8 {
        self.cells().map_or(1, |course| course.side)
    }

    pub(crate) fn waypoints_from(&self, index: usize) -> impl Iterator<Item = &str> {
        self.track()
            .into_iter()
            .flat_map(move |track| track.stops.get(index..).unwrap_or_default())
            .filter_map(|stop| stop.waypoint.as_deref())
    }

    /// Returns the index in this leg of a point of the journey that is ahead. It is 0 before the
    /// leg is entered.
    pub(crate) fn index_of(&self, next: usize) -> usize {
        next.clamp(self.first, self.end) - self.first
    }

    pub(crate) fn remaining_cells(&self, next: usize) -> &[Cell] {
        self.cells().map_or(&[], |course| &course.path.cells()[self.index_of(next)..])
    }

    pub(crate) fn remaining_cost(&self, next: usize) -> Cost {
        self.cells().map_or(Cost::ZERO, |course| course.remaining[self.index_of(next).saturating_sub(1)])
    }

    /// Returns the place for the event at this point of the leg, or `None` if a route only bends
    /// there.
    pub(crate) fn place_at(&self, index: usize) -> Option<Place> {
        match &self.course {
            Course::Cells(course) => Some(Place::Cell(course.path.cells()[index])),
            Course::Waypoints(track) => track.stops[index].waypoint.as_deref().map(waypoint),
        }
    }

    /// Returns the place where it ends: a cell, a waypoint, or a position in the world.
    pub(crate) fn end_place(&self, points: &[Vec2]) -> Place {
        self.place_at(self.end - self.first - 1).unwrap_or_else(|| Place::Position(points[self.end - 1]))
    }

    /// Returns the cell or waypoint where it begins, or `None` if it begins at a position.
    pub(crate) fn first_map_place(&self) -> Option<MapPlace> {
        self.map_place_at(0)
    }

    /// Returns the cell or waypoint where it ends, or `None` if it ends at a position.
    pub(crate) fn last_map_place(&self) -> Option<MapPlace> {
        self.map_place_at(self.end - self.first - 1)
    }

    fn map_place_at(&self, index: usize) -> Option<MapPlace> {
        match self.place_at(index)? {
            Place::Cell(cell) => Some(MapPlace::Cell(cell)),
            Place::Waypoint(id) => Some(MapPlace::Waypoint(id)),
            Place::Position(_) | Place::Tile { .. } => None,
        }
    }

    /// Returns the cell that is left and the cell that is entered on the step to this point of the
    /// leg.
    pub(crate) fn step(&self, next: usize) -> Option<(Cell, Cell)> {
        let cells = self.cells()?.path.cells();
        let index = self.index_of(next);
        Some((cells[index.saturating_sub(1)], cells[index.min(cells.len() - 1)]))
    }

    /// Returns the pace towards this point of the leg. `points` are the points of the journey.
    pub(crate) fn pace_to(&self, index: usize, kind: GaitKind, points: &[Vec2]) -> Pace {
        match &self.course {
            Course::Cells(course) if kind.counts_cells && index > 0 => {
                let [from, to] = [index - 1, index].map(|index| points[self.first + index].as_dvec2());
                // The speed at which a step of this length takes its time.
                let speed = from.distance(to) / (self.straight * course.steps_to(index, kind.is_slowed));
                let is_speed = speed > 0.0 && speed.is_finite();
                if is_speed { Pace { speed, ..Pace::PLAIN } } else { Pace::PLAIN }
            }
            Course::Cells(_) => Pace::PLAIN,
            Course::Waypoints(track) => track.pace_to(index),
        }
    }

    /// Returns whether walkers may be slower at this point.
    pub(crate) fn slows_at(&self, index: usize) -> bool {
        self.track().is_some_and(|track| track.pace_to(index).slows_to)
    }

    /// Computes its points again after the map was moved. Returns whether a point or the length of a
    /// step differs.
    pub(crate) fn place(
        &mut self,
        projection: &NavProjection,
        placement: Version,
        points: &mut [Vec2],
    ) -> bool {
        if self.placement == placement && placement != Version::default() {
            return false;
        }
        self.placement = placement;
        let straight = projection.straight_step();
        let mut is_changed = straight.to_bits() != self.straight.to_bits();
        self.straight = straight;
        self.side = self.course.side_in_world(projection);
        for (index, point) in points[self.first..self.end].iter_mut().enumerate() {
            let before = std::mem::replace(point, self.course.world_point(index, projection));
            is_changed |= before != *point;
        }
        is_changed
    }

    /// Returns the first cell ahead that can no longer be entered, or not at the planned cost.
    pub(crate) fn cell_fault(&self, view: &MapView, changes: Option<&Changes>) -> Option<Cell> {
        let course = self.cells()?;
        course.first_fault(0, view, changes).or_else(|| course.closed_under(view, changes))
    }

    /// Returns the first point of the journey, from `next` on and before `end`, that an agent cannot reach
    /// any more after these changes. Returns `end` if it can reach them all, and `next` on a graph.
    pub(crate) fn first_out_of_reach(
        &self,
        next: usize,
        end: usize,
        view: &MapView,
        changes: Option<&Changes>,
    ) -> usize {
        self.cells().map_or(next, |course| {
            self.first + course.first_out_of_reach(self.index_of(next), self.index_of(end), view, changes)
        })
    }

    /// Returns the edge of a graph that leads to this point, by the ids of its ends.
    pub(crate) fn edge_to(&self, next: usize) -> Option<(&str, &str)> {
        match &self.track()?.stops.get(next.checked_sub(self.first)?)?.leg {
            RouteLeg::Edge { from, to, .. } => Some((from, to)),
            // Other points are not at the end of an edge.
            _ => None,
        }
    }

    /// Updates what may change on a graph without a new search. Returns whether anything changed.
    pub(crate) fn update_pace(&mut self, graph: &NavGraph) -> bool {
        match &mut self.course {
            Course::Cells(_) => false,
            Course::Waypoints(track) => track.set_easing(graph.easing),
        }
    }
}

fn waypoint(id: &str) -> Place {
    Place::Waypoint(id.into())
}
