//! What a leg of a route leads over: cells, or waypoints.

use bevy_math::Vec2;
use tilepath::{Cell, Cost, Direction, Grid, Movement, Path, Revision};

use crate::{
    map::{changes::Changes, map_view::MapView, projection::NavProjection},
    route::track::Track,
};

/// How a leg leads over its map.
#[derive(Debug, Clone)]
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

    /// How large a cell is in the world, or what is 1 on a graph.
    pub(crate) fn side_in_world(&self, projection: &NavProjection) -> f64 {
        match self {
            Self::Cells(_) => projection.cell_side(),
            Self::Waypoints(_) => projection.scale(),
        }
    }

    pub(crate) fn world_point(&self, index: usize, projection: &NavProjection) -> Vec2 {
        match self {
            Self::Cells(course) => projection.centre_of_unit(course.path.cells()[index], course.side),
            Self::Waypoints(track) => projection.world_of(track.local_point(index)),
        }
    }
}

/// What lies ahead on a path over cells after edits.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ahead {
    AsPlanned,
    /// Every step can be taken; this is what is left of the cost at each cell that is still ahead.
    Repriced(Vec<Cost>),
    /// This is the first cell that cannot be entered.
    Blocked(Cell),
}

/// A path over cells, with what is left of its cost at each of them.
#[derive(Debug, Clone)]
pub(crate) struct CellCourse {
    pub(crate) path: Path,
    /// Its last cell, which is asked for in every tick.
    pub(crate) goal: Cell,
    /// Cells on a side of the unit.
    pub(crate) side: u8,
    pub(crate) remaining: Vec<Cost>,
    pub(crate) revision: Revision,
    /// The lowest and the highest column and row: most changes lie farther away.
    around: [Cell; 2],
    /// What a straight step costs on ground of cost 1, and a diagonal one.
    units: [u32; 2],
    /// The least multiplier of the movement's table.
    base: u16,
    /// What each step costs without overlays, for movements that name some.
    plain: Option<Vec<Cost>>,
}

impl CellCourse {
    pub(crate) fn new(path: Path, view: &MapView) -> Self {
        let (rules, grid) = (view.rules, view.grid.grid());
        let mut remaining = vec![Cost::ZERO; path.cells().len()];
        for index in (1..remaining.len()).rev() {
            let step = step_cost(&path, index, rules, grid).unwrap_or_default();
            remaining[index - 1] = remaining[index].checked_add(step).unwrap_or(Cost::MAX);
        }
        let plain = Self::plain_costs(&path, view);
        let unit = |x, y| rules.distance(grid.topology(), Cell::new(0, 0), Cell::new(x, y)).get();
        Self {
            side: view.side(),
            remaining,
            revision: view.grid.grid().revision(),
            // South-east is a straight step on hexagons.
            units: [unit(1, 0), unit(1, -1)],
            around: around(path.cells()),
            base: rules.costs().least(),
            plain,
            goal: path.goal(),
            path,
        }
    }

    /// What each step costs without overlays, where the movement names one that the map has.
    fn plain_costs(path: &Path, view: &MapView) -> Option<Vec<Cost>> {
        let (rules, grid) = (view.rules, view.grid.grid());
        let adds = |name: &String| grid.overlay_names().any(|known| known == name);
        rules.overlays().iter().any(adds).then(|| {
            let plain = rules.clone().without_overlays();
            (0..path.cells().len()).map(|to| plain_cost(path, to, &plain, grid)).collect()
        })
    }

    /// Lengthens it by a path that begins where it ends; `false` where that begins elsewhere.
    pub(super) fn extend(&mut self, part: &Path, view: &MapView) -> bool {
        if self.path.join(part, view.rules).is_err() {
            return false;
        }
        let more = Self::new(part.clone(), view);
        let rest = more.remaining[0];
        for remaining in &mut self.remaining {
            *remaining = remaining.checked_add(rest).unwrap_or(Cost::MAX);
        }
        self.remaining.extend(&more.remaining[1..]);
        match (&mut self.plain, more.plain) {
            (Some(plain), Some(more)) => plain.extend(&more[1..]),
            (None, None) => {}
            // An overlay came or went between.
            (plain, _) => *plain = Self::plain_costs(&self.path, view),
        }
        (self.goal, self.revision) = (more.goal, more.revision);
        self.around = around(self.path.cells());
        true
    }

    /// How many straight steps the one to the cell of that index is worth: on ground of cost 1, or as the ground is, where
    /// the cheapest counts one.
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

    /// What lies ahead after edits; `changes` are those, if they are known.
    pub(crate) fn ahead(&self, next: usize, view: &MapView, changes: Option<&Changes>) -> Ahead {
        if self.first_fault(next, view, changes).is_none() {
            return Ahead::AsPlanned;
        }
        let next = next.max(1);
        let mut remaining = self.remaining.clone();
        let mut rest = Cost::ZERO;
        // What came to the most that a cost can be says nothing about its steps.
        let knows_steps = self.remaining[next - 1] < Cost::MAX;
        for index in (next..remaining.len()).rev() {
            let step = if knows_steps && !self.may_differ(index, changes) {
                Some(self.planned(index))
            } else {
                step_cost(&self.path, index, view.rules, view.grid.grid())
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

    /// The first cell ahead that cannot be entered, or else the last one.
    fn first_closed(&self, next: usize, view: &MapView) -> Cell {
        let is_closed = |&index: &usize| step_cost(&self.path, index, view.rules, view.grid.grid()).is_none();
        let index = (next..self.remaining.len()).find(is_closed).unwrap_or(self.remaining.len() - 1);
        self.path.cells()[index]
    }

    /// The first cell ahead that can no longer be entered, or not at the planned cost; `changes` are the cells that changed, if they
    /// are known.
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

    /// Steps are single cells, so that a change far away lets many steps be skipped at once.
    fn first_fault_near(&self, next: usize, view: &MapView, changes: &[Cell]) -> Option<Cell> {
        let cells = self.path.cells();
        let mut first_fault = cells.len();
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

    /// Whether a step beside that cell may belong to the path.
    fn is_near(&self, change: Cell) -> bool {
        let ([low, high], reach) = (self.around, i64::from(self.side));
        let is_within = |low: i32, high: i32, at: i32| {
            (i64::from(low) - 1..=i64::from(high) + reach).contains(&i64::from(at))
        };
        is_within(low.x, high.x, change.x) && is_within(low.y, high.y, change.y)
    }

    fn is_faulty(&self, view: &MapView, index: usize) -> bool {
        step_cost(&self.path, index, view.rules, view.grid.grid()) != Some(self.planned(index))
    }

    /// What the step to the cell of that index was to cost.
    fn planned(&self, index: usize) -> Cost {
        Cost::new(self.remaining[index - 1].get() - self.remaining[index].get())
    }

    /// Whether that step may be another than planned after these changes.
    fn may_differ(&self, index: usize, changes: Option<&Changes>) -> bool {
        let cell = self.path.cells()[index];
        match changes {
            Some(Changes::Few(changes)) => changes.iter().any(|&change| self.away(cell, change) <= 1),
            Some(Changes::Many(squares)) => squares.may_touch(cell, self.side),
            None => true,
        }
    }

    /// How far a change is from the cells under the unit.
    fn away(&self, cell: Cell, change: Cell) -> u32 {
        let beyond = u32::from(self.side) - 1;
        let off = |cell: i32, change: i32| {
            let away = cell.abs_diff(change);
            if change > cell { away.saturating_sub(beyond) } else { away }
        };
        off(cell.x, change.x).max(off(cell.y, change.y))
    }
}

/// The corners of the rectangle around cells.
fn around(cells: &[Cell]) -> [Cell; 2] {
    let wider = |[low, high]: [Cell; 2], cell: &Cell| {
        let low = Cell::new(low.x.min(cell.x), low.y.min(cell.y));
        [low, Cell::new(high.x.max(cell.x), high.y.max(cell.y))]
    };
    cells.iter().fold([cells[0]; 2], wider)
}

/// What the step to the cell of that index costs now, for a unit that set out where the path begins.
fn step_cost(path: &Path, index: usize, rules: &Movement, grid: &Grid) -> Option<Cost> {
    let [from, to] = [index - 1, index].map(|index| path.cells()[index]);
    let direction = Direction::between(from, to)?;
    rules.step_cost_since(grid, path.start(), from, direction)
}

fn plain_cost(path: &Path, to: usize, rules: &Movement, grid: &Grid) -> Cost {
    if to == 0 { Cost::ZERO } else { step_cost(path, to, rules, grid).unwrap_or_default() }
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
        fn way_after_known_changes_is_the_one_that_a_look_at_all_steps_tells(
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

            // An agent that is pushed back is before a cell again that it has passed.
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
