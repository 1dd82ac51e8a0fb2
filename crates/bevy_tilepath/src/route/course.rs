//! Courses: the cells or waypoints of a leg.

use bevy_math::Vec2;
use tilepath::{Cell, Cost, Direction, Grid, Movement, Path, Revision};

use crate::{
    map::{changes::Changes, map_view::MapView, projection::NavProjection},
    route::{track::Track, walked_line::WalkedLine},
};

/// The cells or waypoints over which a leg leads.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Course {
    Cells(CellCourse),
    Waypoints(Track),
}

impl Course {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Cells(course) => course.path.cells().len(),
            Self::Waypoints(track) => track.stops.len(),
        }
    }

    /// Returns the size of a cell in the world, or on a graph the size of one unit of length.
    pub(crate) fn side_in_world(&self, projection: &NavProjection) -> f64 {
        match self {
            Self::Cells(_) => projection.cell_side(),
            Self::Waypoints(_) => projection.scale(),
        }
    }

    pub(crate) fn world_point(&self, index: usize, projection: &NavProjection) -> Vec2 {
        match self {
            Self::Cells(course) => course.world_point(index, projection),
            Self::Waypoints(track) => projection.world_of(track.local_point(index)),
        }
    }
}

/// The rest of a path over cells after edits.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ahead {
    AsPlanned,
    /// Every step is still possible, and here is the cost that is left at each cell.
    Repriced(Vec<Cost>),
    /// The first cell that cannot be entered.
    Blocked(Cell),
}

/// A path over cells, with the cost that is left at each of them.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct CellCourse {
    pub(crate) path: Path,
    /// The last cell. It is kept here because it is read in every tick.
    pub(crate) goal: Cell,
    /// The number of cells on each side of the unit.
    pub(crate) side: u8,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    pub(crate) remaining: Vec<Cost>,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) revision: Revision,
    /// The lowest and the highest column and row. Most changes of the map are outside them.
    around: [Cell; 2],
    /// The number of closed cells over which the path leaves closed ground first. A change anywhere near
    /// may have made another way out the shortest.
    closed: usize,
    /// The costs of a straight and of a diagonal step on ground of cost 1.
    units: [u32; 2],
    /// The least multiplier of the movement's cost table.
    base: u16,
    /// The cost of each step without overlays, for movements that name some.
    plain: Option<Vec<Cost>>,
    /// The line that the agent walks, if it does not walk from centre to centre.
    pub(crate) line: Option<WalkedLine>,
}

/// The most closed cells over which a unit leaves closed ground.
const MOST_CLOSED_CELLS: i32 = 16;

impl CellCourse {
    pub(crate) fn new(path: Path, view: &MapView) -> Self {
        let (rules, grid) = (view.rules, view.grid.grid());
        let is_closed = |cell: &&Cell| !view.is_passable(**cell);
        let closed = path.cells().iter().take_while(is_closed).count();
        let mut remaining = vec![Cost::ZERO; path.cells().len()];
        for index in (1..remaining.len()).rev() {
            let step = step_cost(&path, closed, index, rules, grid).unwrap_or_default();
            remaining[index - 1] = remaining[index].checked_add(step).unwrap_or(Cost::MAX);
        }
        let plain = Self::plain_costs(&path, closed, view);
        let [low, high] = around(path.cells());
        let beyond = if closed > 1 { MOST_CLOSED_CELLS } else { 0 };
        let low = Cell::new(low.x.saturating_sub(beyond), low.y.saturating_sub(beyond));
        let high = Cell::new(high.x.saturating_add(beyond), high.y.saturating_add(beyond));
        let unit = |x, y| rules.distance(grid.topology(), Cell::new(0, 0), Cell::new(x, y)).get();
        Self {
            side: view.side(),
            remaining,
            revision: view.grid.grid().revision(),
            // On hexagons south-east is a straight step.
            units: [unit(1, 0), unit(1, -1)],
            around: [low, high],
            closed,
            base: rules.costs().least(),
            plain,
            goal: path.goal(),
            path,
            line: None,
        }
    }

    fn world_point(&self, index: usize, projection: &NavProjection) -> Vec2 {
        let cell = self.path.cells()[index];
        let centre = projection.centre_of_unit(cell, self.side);
        match self.line.as_ref().map(|line| line.offset(index)).filter(|&offset| offset != Vec2::ZERO) {
            Some(offset) => {
                let beside = projection.world_of(projection.point_in(cell, offset));
                centre + (beside - projection.world_position_of(cell))
            }
            None => centre,
        }
    }

    /// Returns the cost of each step without overlays, if the movement names an overlay that the
    /// map has.
    fn plain_costs(path: &Path, closed: usize, view: &MapView) -> Option<Vec<Cost>> {
        let (rules, grid) = (view.rules, view.grid.grid());
        let adds = |name: &String| grid.overlay_names().any(|known| known == name);
        rules.overlays().iter().any(adds).then(|| {
            let plain = rules.clone().without_overlays();
            (0..path.cells().len()).map(|to| plain_cost(path, closed, to, &plain, grid)).collect()
        })
    }

    /// Returns the length of the step to the cell with this index, in straight steps. If the ground
    /// slows the unit down, it is the cost of the step in straight steps over the cheapest ground.
    pub(crate) fn steps_to(&self, index: usize, is_slowed: bool) -> f64 {
        let [from, to] = [index - 1, index].map(|index| self.path.cells()[index]);
        let [straight, diagonal] = self.units.map(f64::from);
        if is_slowed {
            let cost = self.plain.as_ref().map_or_else(|| self.planned(index), |plain| plain[index]);
            f64::from(cost.get()) / (straight * f64::from(self.base))
        } else if from.x == to.x || from.y == to.y {
            1.0
        } else {
            diagonal / straight
        }
    }

    /// Returns the rest of the path after edits. `changes` are the edited cells, if they are known.
    pub(crate) fn ahead(&self, next: usize, view: &MapView, changes: Option<&Changes>) -> Ahead {
        if self.first_fault(next, view, changes).is_none() {
            return Ahead::AsPlanned;
        }
        let next = next.max(1);
        let mut remaining = self.remaining.clone();
        let mut rest = Cost::ZERO;
        // If a sum has reached the largest cost, the costs of single steps cannot be read from it.
        let knows_steps = self.remaining[next - 1] < Cost::MAX;
        for index in (next..remaining.len()).rev() {
            let step = if knows_steps && !self.may_differ(index, changes) {
                Some(self.planned(index))
            } else {
                step_cost(&self.path, self.closed, index, view.rules, view.grid.grid())
            };
            let Some(step) = step else {
                return Ahead::Blocked(self.first_closed(next, view));
            };
            remaining[index] = rest;
            rest = rest.checked_add(step).unwrap_or(Cost::MAX);
        }
        remaining[next - 1] = rest;
        // The agent may come back to a cell that it has left.
        for index in (1..next).rev() {
            remaining[index - 1] = remaining[index].checked_add(self.planned(index)).unwrap_or(Cost::MAX);
        }
        Ahead::Repriced(remaining)
    }

    /// Returns the first cell ahead that cannot be entered, or else the last cell.
    fn first_closed(&self, next: usize, view: &MapView) -> Cell {
        let is_closed = |&index: &usize| self.is_closed_at(index, view);
        let index = (next..self.remaining.len()).find(is_closed).unwrap_or(self.remaining.len() - 1);
        self.path.cells()[index]
    }

    /// Returns the first cell ahead that can no longer be entered, or not at the planned cost.
    /// `changes` are the cells that changed, if they are known.
    pub(crate) fn first_fault(&self, next: usize, view: &MapView, changes: Option<&Changes>) -> Option<Cell> {
        let cells = self.path.cells();
        if let Some(Changes::Few(changes)) = changes {
            return self.first_fault_near(next, view, changes);
        }
        let mut index = next.max(1);
        while index < cells.len() {
            if !self.may_differ(index, changes) {
                let skipped = match changes {
                    Some(Changes::Many(squares)) => squares.untouched_steps(cells[index], self.side),
                    _ => 0,
                };
                index += 1 + skipped;
            } else if self.is_faulty(view, index) {
                return Some(cells[index]);
            } else {
                index += 1;
            }
        }
        None
    }

    /// Finds the first such cell near a few changes. Each step leads to a neighbour cell, so that
    /// many steps can be skipped if a change is far away.
    fn first_fault_near(&self, next: usize, view: &MapView, changes: &[Cell]) -> Option<Cell> {
        let cells = self.path.cells();
        let is_off = |index: &usize| self.is_faulty(view, *index);
        let is_touched = self.closed > 1 && self.is_near_any(changes);
        let last = if is_touched { self.closed.min(cells.len() - 1) } else { 0 };
        let off = (next.max(1)..=last).find(is_off);
        let mut first_fault = off.unwrap_or(cells.len());
        for change in changes.iter().filter(|change| self.is_near(**change)) {
            let mut index = next.max(1);
            while index < first_fault {
                let away = self.away(cells[index], *change) as usize;
                if away <= 1 && self.is_faulty(view, index) {
                    first_fault = index;
                } else {
                    index += away.saturating_sub(1).max(1);
                }
            }
        }
        cells.get(first_fault).copied()
    }

    /// Returns whether a step beside one of these cells may belong to the path.
    pub(crate) fn is_near_any(&self, changes: &[Cell]) -> bool {
        changes.iter().any(|&change| self.is_near(change))
    }

    /// Returns whether a step beside this cell may belong to the path.
    fn is_near(&self, change: Cell) -> bool {
        let ([low, high], reach) = (self.around, i64::from(self.side));
        let is_within = |low: i32, high: i32, at: i32| {
            (i64::from(low) - 1..=i64::from(high) + reach).contains(&i64::from(at))
        };
        is_within(low.x, high.x, change.x) && is_within(low.y, high.y, change.y)
    }

    fn is_faulty(&self, view: &MapView, index: usize) -> bool {
        step_cost(&self.path, self.closed, index, view.rules, view.grid.grid()) != Some(self.planned(index))
    }

    /// Returns whether the step to the cell with this index is not possible.
    pub(super) fn is_closed_at(&self, index: usize, view: &MapView) -> bool {
        step_cost(&self.path, self.closed, index, view.rules, view.grid.grid()).is_none()
    }

    /// Returns the planned cost of the step to the cell with this index.
    fn planned(&self, index: usize) -> Cost {
        Cost::new(self.remaining[index - 1].get() - self.remaining[index].get())
    }

    /// Returns whether the step may differ from the plan after these changes.
    pub(super) fn may_differ(&self, index: usize, changes: Option<&Changes>) -> bool {
        let cell = self.path.cells()[index];
        if self.closed > 1 && index <= self.closed {
            return true;
        }
        match changes {
            Some(Changes::Few(changes)) => changes.iter().any(|&change| self.away(cell, change) <= 1),
            Some(Changes::Many(squares)) => squares.may_touch(cell, self.side),
            None => true,
        }
    }

    /// Returns the distance of a change from the cells under the unit.
    fn away(&self, cell: Cell, change: Cell) -> u32 {
        let beyond = u32::from(self.side) - 1;
        let off = |cell: i32, change: i32| {
            let away = cell.abs_diff(change);
            if change > cell { away.saturating_sub(beyond) } else { away }
        };
        off(cell.x, change.x).max(off(cell.y, change.y))
    }
}

/// Returns the corners of the rectangle around the cells.
fn around(cells: &[Cell]) -> [Cell; 2] {
    let wider = |[low, high]: [Cell; 2], cell: &Cell| {
        let low = Cell::new(low.x.min(cell.x), low.y.min(cell.y));
        [low, Cell::new(high.x.max(cell.x), high.y.max(cell.y))]
    };
    cells.iter().fold([cells[0]; 2], wider)
}

/// Returns the present cost of the step to the cell with this index. The path leads over so many closed
/// cells first: these the unit leaves by the way that begins at the start of the path.
fn step_cost(path: &Path, closed: usize, index: usize, rules: &Movement, grid: &Grid) -> Option<Cost> {
    let [from, to] = [index - 1, index].map(|index| path.cells()[index]);
    let start = if index <= closed { path.start() } else { from };
    rules.step_cost_since(grid, start, from, Direction::between(from, to)?)
}

fn plain_cost(path: &Path, closed: usize, to: usize, rules: &Movement, grid: &Grid) -> Cost {
    if to == 0 { Cost::ZERO } else { step_cost(path, closed, to, rules, grid).unwrap_or_default() }
}

#[cfg(test)]
mod tests {
    use bevy_ecs::entity::Entity;
    use proptest::prelude::*;
    use testkit::Seed;
    use tilepath::{PathQuery, Size};

    use super::*;
    use crate::map::{
        movement::{AgentMovement, OwnMovements},
        nav_grid::NavGrid,
    };

    fn see<'a>(grid: &'a NavGrid, projection: &'a NavProjection, unit: &AgentMovement) -> MapView<'a> {
        MapView::new(Entity::PLACEHOLDER, grid, projection).by(Some(unit)).unwrap()
    }

    proptest! {
        #[test]
        fn path_after_known_changes_equals_a_check_of_all_steps(
            seed in 0..1000_u32,
            side in 1..4_u8,
            edits in prop::collection::vec((0..30_i32, 0..30_i32, 0..4_u8), 1..60),
            next in 0..20_usize,
        ) {
            let map = testkit::terrain(30, 30, 3, 4, &Seed::named(&format!("course {seed}")));
            let grid = Grid::from_classes(map.width, map.height, map.classes.clone()).unwrap();
            let mut grid = NavGrid::new(grid);
            let rules = Movement::new().with_size(Size::new(side).unwrap());
            let unit = AgentMovement::from(rules);
            let mut own = OwnMovements::default();
            own.set([&unit].into_iter());
            grid.know_own_movements(&own);
            let projection = NavProjection::square(Vec2::ONE, Vec2::ZERO);
            let view = see(&grid, &projection, &unit);
            let cells: Vec<Cell> = grid.bounds().cells().filter(|&cell| view.is_passable(cell)).collect();
            prop_assume!(!cells.is_empty());
            let query = PathQuery::new(cells[0], cells[cells.len() - 1]).with_movement(view.movement);
            let path = grid.finder().solve(&query).unwrap().outcome.into_path();
            prop_assume!(path.is_some());
            let mut course = CellCourse::new(path.unwrap(), &view);
            let next = next.min(course.path.cells().len());

            for &(x, y, class) in &edits {
                grid.set_terrain(Cell::new(x, y), class).unwrap();
            }
            let changed = edits.iter().map(|&(x, y, _)| Cell::new(x, y));
            let changes = Changes::of(changed).unwrap();
            let view = see(&grid, &projection, &unit);
            let looked_at_all = course.ahead(next, &view, None);
            prop_assert_eq!(&course.ahead(next, &view, Some(&changes)), &looked_at_all);
            let first = course.first_fault(next, &view, None);
            prop_assert_eq!(course.first_fault(next, &view, Some(&changes)), first);

            // An agent that is pushed back is again in front of a cell that it has passed.
            let from_the_start = course.ahead(1, &view, None);
            if let Ahead::Repriced(remaining) = looked_at_all {
                course.remaining = remaining;
            }
            for earlier in (1..next).rev() {
                if let Ahead::Repriced(remaining) = course.ahead(earlier, &view, Some(&changes)) {
                    course.remaining = remaining;
                }
            }
            match from_the_start {
                Ahead::Repriced(remaining) => prop_assert_eq!(course.remaining, remaining),
                Ahead::AsPlanned => prop_assert_eq!(course.first_fault(1, &view, None), None),
                Ahead::Blocked(cell) => prop_assert_eq!(course.ahead(1, &view, None), Ahead::Blocked(cell)),
            }
        }
    }
}
