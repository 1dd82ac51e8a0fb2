//! One stretch of a journey on one map: over cells or along a graph.

use std::sync::Arc;

use bevy_ecs::entity::Entity;
use bevy_math::Vec2;
use tilepath::{Cell, Cost, Direction, Path, Revision};

use crate::{
    agent::{Pace, Track},
    nav_graph::NavGraph,
    nav_map::NavGrid,
    projection::NavProjection,
    request::{Place, Spot},
};

/// One stretch of a journey, on one map: see [`AgentPath::legs`](crate::AgentPath::legs).
///
/// On a tile map it is a [`path`](Self::path) over cells, on a waypoint graph it leads by
/// [`waypoints`](Self::waypoints).
#[derive(Debug, Clone)]
pub struct PathLeg {
    map: Entity,
    course: Course,
    entrance: Option<Entrance>,
    route_cost: f64,
    /// The index of its first point among those of the journey, and of the first one after it.
    pub(super) first: usize,
    pub(super) end: usize,
    /// The edition of the map by which the rest of the leg is known to be right.
    pub(crate) edition: Option<u64>,
    /// The place of the map by which its points were computed.
    pub(crate) placement: Option<u64>,
}

/// How a leg leads over its map.
#[derive(Debug, Clone)]
pub(crate) enum Course {
    Cells(CellCourse),
    Waypoints(Track),
}

/// A path over cells, with what is left of its cost at each of them.
#[derive(Debug, Clone)]
pub(crate) struct CellCourse {
    path: Path,
    remaining: Vec<Cost>,
    revision: Revision,
}

/// The door by which a leg is entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entrance {
    pub(crate) door: Entity,
    /// Whether one is put to the other side at once.
    pub(crate) leaps: bool,
    /// The edition of the door by which the way was planned.
    pub(crate) edition: u64,
}

/// A leg as it was found, before it lies among the points of a journey.
#[derive(Debug, Clone)]
pub(crate) struct FoundLeg {
    pub(crate) map: Entity,
    pub(crate) course: Course,
    pub(crate) entrance: Option<Entrance>,
    pub(crate) route_cost: f64,
    pub(crate) edition: Option<u64>,
    pub(crate) placement: Option<u64>,
}

impl CellCourse {
    pub(crate) fn new(path: Path, grid: &NavGrid) -> Self {
        let cells = path.cells();
        let mut remaining = vec![Cost::ZERO; cells.len()];
        for index in (1..cells.len()).rev() {
            let step = step_cost(grid, cells[index - 1], cells[index]).unwrap_or_default();
            remaining[index - 1] = remaining[index].checked_add(step).unwrap_or(Cost::MAX);
        }
        Self { path, remaining, revision: grid.revision() }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn first_fault(&self, next: usize, grid: &NavGrid) -> Option<Cell> {
        let cells = self.path.cells();
        (next.max(1)..cells.len()).find(|&index| self.is_faulty(grid, index)).map(|index| cells[index])
    }

    /// Steps are single cells, so that a change far away lets many steps be skipped at once.
    fn first_fault_near(&self, next: usize, grid: &NavGrid, changes: &[Cell]) -> Option<Cell> {
        let cells = self.path.cells();
        let mut first_fault = cells.len();
        for change in changes {
            let mut index = next.max(1);
            while index < first_fault {
                let cell = cells[index];
                let away = cell.x.abs_diff(change.x).max(cell.y.abs_diff(change.y)) as usize;
                if away <= 1 && self.is_faulty(grid, index) {
                    first_fault = index;
                } else {
                    index += away.saturating_sub(1).max(1);
                }
            }
        }
        cells.get(first_fault).copied()
    }

    fn is_faulty(&self, grid: &NavGrid, index: usize) -> bool {
        let cells = self.path.cells();
        let planned = self.remaining[index - 1].get() - self.remaining[index].get();
        step_cost(grid, cells[index - 1], cells[index]) != Some(Cost::new(planned))
    }
}

fn step_cost(grid: &NavGrid, from: Cell, to: Cell) -> Option<Cost> {
    let movement = grid.finder().movement(grid.movement())?;
    movement.step_cost(grid.grid(), from, Direction::between(from, to)?)
}

impl Course {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Cells(course) => course.path.cells().len(),
            Self::Waypoints(track) => track.stops().len(),
        }
    }

    fn world_point(&self, index: usize, projection: &NavProjection) -> Vec2 {
        match self {
            Self::Cells(course) => projection.world_position_of(course.path.cells()[index]),
            Self::Waypoints(track) => projection.world_of(track.local_point(index)),
        }
    }
}

impl PathLeg {
    /// Lays it behind the points that are there, and adds its own.
    pub(crate) fn new(found: FoundLeg, projection: &NavProjection, points: &mut Vec<Vec2>) -> Self {
        let FoundLeg { map, course, entrance, route_cost, edition, placement } = found;
        let first = points.len();
        points.extend((0..course.len()).map(|index| course.world_point(index, projection)));
        Self { map, course, entrance, route_cost, first, end: points.len(), edition, placement }
    }

    /// The map or graph it lies on.
    #[must_use]
    pub fn map(&self) -> Entity {
        self.map
    }

    /// The cells it passes; `None` on a waypoint graph.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match &self.course {
            Course::Cells(course) => Some(&course.path),
            Course::Waypoints(_) => None,
        }
    }

    /// The ids of the waypoints it passes, in order; none on a tile map.
    pub fn waypoints(&self) -> impl Iterator<Item = &str> {
        self.waypoints_from(0)
    }

    /// What it costs, the door by which it is [entered](Self::door) included.
    ///
    /// # Units
    /// World units, see [`Door`](crate::Door).
    #[must_use]
    pub fn route_cost(&self) -> f64 {
        self.route_cost
    }

    /// The [`Door`](crate::Door) by which it is entered; `None` where the journey begins.
    #[must_use]
    pub fn door(&self) -> Option<Entity> {
        self.entrance.map(|entrance| entrance.door)
    }

    /// The revision of the grid on which it was found; `None` on a waypoint graph.
    #[must_use]
    pub fn revision(&self) -> Option<Revision> {
        self.cells().map(|course| course.revision)
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

    pub(crate) fn entrance(&self) -> Option<Entrance> {
        self.entrance
    }

    pub(super) fn waypoints_from(&self, index: usize) -> impl Iterator<Item = &str> {
        self.track()
            .into_iter()
            .flat_map(move |track| track.stops().get(index..).unwrap_or_default())
            .filter_map(|stop| stop.waypoint.as_deref())
    }

    /// The index in this leg of a point of the journey that is ahead: 0 while it has not been entered.
    pub(super) fn index_of(&self, next: usize) -> usize {
        next.clamp(self.first, self.end) - self.first
    }

    pub(super) fn remaining_cells(&self, next: usize) -> &[Cell] {
        self.cells().map_or(&[], |course| &course.path.cells()[self.index_of(next)..])
    }

    pub(super) fn remaining_cost(&self, next: usize) -> Cost {
        self.cells().map_or(Cost::ZERO, |course| course.remaining[self.index_of(next).saturating_sub(1)])
    }

    /// What is told when that point of the leg is reached: `None` where a route merely bends.
    pub(super) fn place_at(&self, index: usize) -> Option<Place> {
        match &self.course {
            Course::Cells(course) => Some(Place::Cell(course.path.cells()[index])),
            Course::Waypoints(track) => track.stops()[index].waypoint.clone().map(Place::Waypoint),
        }
    }

    /// Where it ends: a cell, a waypoint, or a position in the world.
    pub(crate) fn end_place(&self, points: &[Vec2]) -> Place {
        self.place_at(self.end - self.first - 1).unwrap_or_else(|| Place::Position(points[self.end - 1]))
    }

    /// Where it begins, if that is a cell or a waypoint.
    pub(crate) fn first_place(&self) -> Option<Place> {
        self.place_at(0)
    }

    /// The cell or waypoint where it begins, if it is one.
    pub(crate) fn first_spot(&self) -> Option<Spot> {
        self.spot_at(0)
    }

    /// The cell or waypoint at its end, if it leads to one.
    pub(super) fn last_spot(&self) -> Option<Spot> {
        self.spot_at(self.end - self.first - 1)
    }

    fn spot_at(&self, index: usize) -> Option<Spot> {
        match self.place_at(index)? {
            Place::Cell(cell) => Some(Spot::Cell(cell)),
            Place::Waypoint(id) => Some(Spot::Waypoint(id)),
            Place::Position(_) => None,
        }
    }

    /// The cell that is left and the one that is entered on the way to that point of the leg.
    pub(super) fn step(&self, next: usize) -> Option<(Cell, Cell)> {
        let cells = self.cells()?.path.cells();
        let index = self.index_of(next);
        Some((cells[index.saturating_sub(1)], cells[index.min(cells.len() - 1)]))
    }

    /// How one walks towards that point of the leg.
    pub(super) fn pace_to(&self, index: usize) -> Pace {
        match &self.course {
            Course::Cells(_) => Pace::PLAIN,
            Course::Waypoints(track) => track.pace_to(index),
        }
    }

    /// Computes its points anew after the map was moved.
    pub(crate) fn place(&mut self, projection: &NavProjection, placement: u64, points: &mut [Vec2]) {
        if self.placement != Some(placement) {
            self.placement = Some(placement);
            for (index, point) in points[self.first..self.end].iter_mut().enumerate() {
                *point = self.course.world_point(index, projection);
            }
        }
    }

    /// The first cell ahead that can no longer be entered, or not at the planned cost.
    ///
    /// The step under way counts until the centre of its cell is reached.
    pub(crate) fn cell_fault(&self, next: usize, grid: &NavGrid, changes: Option<&[Cell]>) -> Option<Place> {
        let course = self.cells()?;
        let next = self.index_of(next);
        let cell = match changes {
            Some(changes) => course.first_fault_near(next, grid, changes),
            None => course.first_fault(next, grid),
        };
        cell.map(Place::Cell)
    }

    /// The end of the first stretch ahead that is no longer there, or not as planned.
    pub(crate) fn graph_fault(&self, next: usize, graph: &NavGraph) -> Option<Place> {
        let track = self.track()?;
        let index = track.first_fault(self.index_of(next), graph.graph())?;
        let waypoint = track.stops()[index..].iter().find_map(|stop| stop.waypoint.clone());
        let local = || Place::Position(track.local_point(index));
        Some(waypoint.map_or_else(local, Place::Waypoint))
    }

    /// The stretch of a graph that leads to that point, by the ids of its ends.
    pub(crate) fn edge_to(&self, next: usize) -> Option<(Arc<str>, Arc<str>)> {
        let stop = self.track()?.stops().get(next.checked_sub(self.first)?)?;
        stop.edge.clone().map(|edge| (edge.from, edge.to))
    }

    /// Takes over what may change along a graph without a new plan. Whether it did.
    pub(crate) fn update_pace(&mut self, graph: &NavGraph) -> bool {
        match &mut self.course {
            Course::Cells(_) => false,
            Course::Waypoints(track) => track.set_easing(graph.easing),
        }
    }
}
