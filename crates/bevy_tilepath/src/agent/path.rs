//! The path an agent walks, and how far it has come.

use bevy_ecs::{
    component::Component, entity::Entity, lifecycle::HookContext, reflect::ReflectComponent,
    world::DeferredWorld,
};
use bevy_math::{DVec2, Vec2};
use bevy_reflect::Reflect;
use tilepath::{Cell, Cost, Direction, Path, Revision, Statistics};

use crate::{
    nav_map::NavGrid,
    projection::NavProjection,
    request::{self, GoalCells, Order, Way},
};

/// The path found for an entity, and its progress along it.
///
/// It is there from [`PathFound`](crate::PathFound) on, and stays after [`Arrived`](crate::Arrived) until
/// the next order is answered. It goes when the order is cancelled, fails, or the way is lost.
/// Written by the plugin alone.
///
/// ```
/// use bevy_tilepath::AgentPath;
///
/// fn describe(path: &AgentPath) -> String {
///     format!("{} cells to go, cost {}", path.remaining_cells().len(), path.remaining_cost())
/// }
/// # let _: fn(&AgentPath) -> String = describe;
/// ```
#[derive(Component, Debug, Clone, Reflect)]
#[component(on_remove = path_removed)]
#[reflect(opaque)]
#[reflect(Component, Debug, Clone)]
pub struct AgentPath {
    path: Path,
    map: Entity,
    goals: GoalCells,
    chosen: usize,
    partial: bool,
    statistics: Statistics,
    revision: Revision,
    /// Centres of the cells in the world.
    points: Vec<Vec2>,
    /// The cost from each cell to the end.
    remaining: Vec<Cost>,
    next: usize,
    pub(crate) order: u64,
    pub(crate) progress: Progress,
    pub(crate) walk: Walk,
    /// The edition of the map by which the rest of the path is known to be right.
    pub(crate) edition: Option<u64>,
    /// The place of the map by which `points` were computed.
    pub(crate) placement: Option<u64>,
}

/// What an agent with a path is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    Walking,
    /// Stands until the way is found anew.
    Replanning,
    Arrived,
}

/// The straight line an agent is walking, from where it began to the next point.
///
/// The distance is kept apart from the position: adding many small steps to a position would round each
/// of them, and none of the distance may be lost.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Walk {
    pub(crate) from: Vec2,
    pub(crate) distance: f64,
    /// Where the agent was put, `None` until its first leg is chosen. If it is elsewhere, somebody else
    /// has moved it.
    pub(crate) position: Option<Vec2>,
}

/// An answer on its way to the entity.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) map: Entity,
    pub(crate) goals: GoalCells,
    pub(crate) way: Way,
    pub(crate) revision: Revision,
    /// The edition of the map by which it was found right.
    pub(crate) edition: Option<u64>,
    pub(crate) placement: Option<u64>,
    pub(crate) replan: bool,
}

impl AgentPath {
    pub(crate) fn new(order: Order, found: Found, grid: &NavGrid, projection: &NavProjection) -> Self {
        let Way { path, partial, chosen, statistics } = found.way;
        let cells = path.cells();
        let points = cells.iter().map(|&cell| projection.world_position_of(cell)).collect();
        let mut remaining = vec![Cost::ZERO; cells.len()];
        for index in (1..cells.len()).rev() {
            let step = step_cost(grid, cells[index - 1], cells[index]).unwrap_or_default();
            remaining[index - 1] = remaining[index].checked_add(step).unwrap_or(Cost::MAX);
        }
        Self {
            path,
            map: found.map,
            goals: found.goals,
            chosen,
            partial,
            statistics,
            revision: found.revision,
            points,
            remaining,
            next: 0,
            order: order.number,
            progress: Progress::Walking,
            walk: Walk::default(),
            edition: found.edition,
            placement: found.placement,
        }
    }

    /// The whole path, as it was found.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The map it lies on.
    #[must_use]
    pub fn map(&self) -> Entity {
        self.map
    }

    /// The cell that was asked for; of several the one chosen. A [partial](Self::is_partial) path ends
    /// elsewhere.
    #[must_use]
    pub fn goal(&self) -> Cell {
        self.goals.cell(self.chosen)
    }

    /// Which of the goals of [`PathRequest::to_nearest`](crate::PathRequest::to_nearest) it leads to: the
    /// index in the list. 0 for an order to one goal.
    #[must_use]
    pub fn chosen(&self) -> usize {
        self.chosen
    }

    /// Everything that was asked for, to be asked again.
    pub(crate) fn goals(&self) -> &GoalCells {
        &self.goals
    }

    /// Whether the path leads only to the reachable cell nearest to the goal.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.partial
    }

    /// What the search did.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// The revision of the map on which the path was found.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// The cells ahead, from the one the agent is walking to. Empty after arrival.
    #[must_use]
    pub fn remaining_cells(&self) -> &[Cell] {
        &self.path.cells()[self.next..]
    }

    /// What the steps ahead cost, the present one included. Zero after arrival.
    #[must_use]
    pub fn remaining_cost(&self) -> Cost {
        self.remaining[self.next.saturating_sub(1)]
    }

    /// The centres of all cells in world space, in the order of [`path`](Self::path).
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

    /// The cell the agent is leaving and the one it is walking to: the same on the way to the centre of
    /// the first cell and after arrival.
    pub(crate) fn leg(&self) -> (Cell, Cell) {
        let cells = self.path.cells();
        (cells[self.next.saturating_sub(1)], cells[self.next.min(cells.len() - 1)])
    }

    /// Walks from here to the point of that index.
    pub(crate) fn set_leg(&mut self, here: Vec2, next: usize) {
        self.next = next;
        self.walk = Walk { from: here, distance: 0.0, position: Some(here) };
    }

    /// Computes the points anew after the map was moved.
    pub(crate) fn place(&mut self, projection: &NavProjection, placement: u64) {
        if self.placement != Some(placement) {
            self.placement = Some(placement);
            for (point, &cell) in self.points.iter_mut().zip(self.path.cells()) {
                *point = projection.world_position_of(cell);
            }
        }
    }

    /// Walks that far. Returns the direction of the last leg walked; `reached` is called for each
    /// cell whose centre was passed.
    pub(crate) fn advance(&mut self, mut distance: f64, mut reached: impl FnMut(Cell)) -> DVec2 {
        let mut direction = DVec2::ZERO;
        let mut position = self.walk.from;
        while let Some(&point) = self.points.get(self.next) {
            let line = point.as_dvec2() - self.walk.from.as_dvec2();
            let length = line.length();
            if length > 0.0 {
                direction = line / length;
            }
            let left = length - self.walk.distance;
            if distance < left {
                self.walk.distance += distance;
                position = (self.walk.from.as_dvec2() + direction * self.walk.distance).as_vec2();
                break;
            }
            distance -= left;
            position = point;
            self.walk.from = point;
            self.walk.distance = 0.0;
            if self.next > 0 {
                reached(self.path.cells()[self.next]);
            }
            self.next += 1;
        }
        self.walk.position = Some(position);
        direction
    }

    /// The first cell ahead that can no longer be entered, or not at the planned cost.
    ///
    /// The step under way counts until the centre of its cell is reached.
    pub(crate) fn first_fault(&self, grid: &NavGrid) -> Option<Cell> {
        let first = self.next.max(1);
        (first..self.path.cells().len())
            .find(|&index| self.is_faulty(grid, index))
            .map(|index| self.path.cells()[index])
    }

    /// The same where only these cells have changed.
    ///
    /// Steps are single cells, so that a change far away lets many steps be skipped at once.
    pub(crate) fn first_fault_near(&self, grid: &NavGrid, changes: &[Cell]) -> Option<Cell> {
        let cells = self.path.cells();
        let mut first_fault = cells.len();
        for change in changes {
            let mut index = self.next.max(1);
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

/// Somebody took the path away on the way: the order stands, so it is planned anew, unless it is already.
fn path_removed(mut world: DeferredWorld, context: HookContext) {
    if let Some(path) = world.get::<AgentPath>(context.entity)
        && path.progress == Progress::Walking
    {
        let order = Order { entity: context.entity, number: path.order };
        request::plan_again(&mut world, order);
    }
}
