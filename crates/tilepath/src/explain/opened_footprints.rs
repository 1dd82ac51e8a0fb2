//! Openings for units of several cells, and on maps with exits.

use super::{
    barrier::{Barrier, FailureExplanation, OpeningSet},
    opened_space::{OpenedCost, OpenedEstimate},
};
use crate::{
    bounds::Bounds,
    cell::{Cell, Direction},
    cost::Cost,
    finder::{PathFinder, outcome::QueryError, query::PathQuery},
    grid::Grid,
    movement::{Leave, Movement, StepRules},
    search::{AStar, BinaryHeapQueue, DenseRecords, GoalNode, Problem, Search, SearchSpace, SearchStatus},
    space::{grid::GridNode, octile_distance::OctileDistance},
};

/// A map whose closed cells may be opened. Each step pays for the cells that the unit covers after
/// it and not before. It also pays for the side cells that the diagonal rule requires.
///
/// A cell that a path covers, leaves and covers again is paid for twice, so the set found may not
/// be the smallest.
struct OpenedFootprints<'map> {
    bounds: Bounds,
    grid: &'map Grid,
    movement: &'map Movement,
    rules: StepRules<'map>,
    start: Cell,
    opened_at: u16,
}

impl OpenedFootprints<'_> {
    /// Returns the cost of a step and the cells that it opens, if opening cells allows the step.
    fn step(&self, from: Cell, direction: Direction) -> Option<(Cost, Vec<Cell>)> {
        if !self.grid.topology().has(direction) {
            return None;
        }
        let step = self.rules.judge_as(from, direction, Leave::Opened(self.opened_at)).ok()?;
        // Closed cells under the start stay closed unless a step opens them.
        let before: Vec<Cell> =
            if from == self.start { Vec::new() } else { self.rules.cells_under(from).collect() };
        let mut opened = Vec::new();
        let mut open = |anchor: Cell| {
            for cell in self.rules.cells_under(anchor) {
                if self.is_closed(cell) && !before.contains(&cell) && !opened.contains(&cell) {
                    opened.push(cell);
                }
            }
        };
        open(from.neighbour(direction)?);
        if let Some(free) = step.sides {
            let sides = [7, 1].map(|turn| from.neighbour(direction.turned(turn)));
            let is_shut = |side: &Cell| self.rules.cells_under(*side).any(|cell| self.is_closed(cell));
            // Sides that no opening can free stay as they are. Of the others, only as many as
            // needed are opened.
            let mut left = free.into_iter().filter(|is_free| !is_free).count();
            let shut = sides.into_iter().zip(free).filter_map(|(side, is_free)| side.filter(|_| is_free));
            let shut: Vec<Cell> = shut.filter(is_shut).collect();
            left += shut.len();
            for side in shut {
                if !self.movement.diagonals().allow(left) {
                    open(side);
                    left -= 1;
                }
            }
        }
        Some((step.cost(), opened))
    }

    fn is_closed(&self, cell: Cell) -> bool {
        !self.grid.terrain(cell).is_some_and(|class| self.movement.costs().is_passable(class))
    }
}

impl SearchSpace for OpenedFootprints<'_> {
    type Node = GridNode;
    type Cost = OpenedCost;
    type Link = Direction;
    type Records = DenseRecords<OpenedCost, Direction>;

    fn key(&self, node: GridNode) -> usize {
        node.y() as usize * self.bounds.width() as usize + node.x() as usize
    }

    fn key_count(&self) -> usize {
        self.bounds.cell_count()
    }

    fn expand(
        &self,
        node: GridNode,
        _: Option<Direction>,
        mut emit: impl FnMut(GridNode, OpenedCost, Direction),
    ) {
        for direction in Direction::ALL {
            let step = self.step(node.cell(&self.bounds), direction);
            if let (Some((cost, opened)), Some(entered)) = (step, node.neighbour(direction, &self.bounds)) {
                emit(entered, (opened.len() as u32, cost), direction);
            }
        }
    }

    fn predecessor(&self, node: GridNode, link: Direction) -> GridNode {
        node.moved(link.opposite(), 1)
    }
}

/// Finds a small set of cells that would have to open. The goal cannot be reached, and both ends
/// are on the map.
pub(super) fn explain(
    finder: &PathFinder,
    query: &PathQuery,
    [start, goal]: [GridNode; 2],
    opened_at: u16,
) -> Result<FailureExplanation, QueryError> {
    let movement_map = finder.movement_map(query.movement())?;
    let (grid, movement) = (finder.grid(), movement_map.movement());
    let bounds = grid.bounds();
    let rules = StepRules::new(movement, grid, query.start());
    let space = OpenedFootprints { bounds, grid, movement, rules, start: query.start(), opened_at };
    let estimate = OpenedEstimate(OctileDistance::new(movement_map, goal));
    let problem = Problem { space: &space, strategy: &AStar(estimate), goal: &GoalNode(goal) };
    let mut search = Search::<_, _, BinaryHeapQueue<GridNode, OpenedCost>>::default();
    search.begin(&problem, &[start]);
    if search.advance(&problem, &mut (), query.limit().unwrap_or(u64::MAX)) == SearchStatus::Running {
        return Ok(FailureExplanation::LimitReached);
    }
    if search.has_overflowed() {
        return Err(QueryError::CostOverflow);
    }
    let Some((_, (_, cost))) = search.reached() else {
        return Ok(FailureExplanation::NoOpening);
    };
    let nodes = search.path_to(&space, goal).unwrap_or_default();
    let way: Vec<Cell> = nodes.iter().map(|node| node.cell(&bounds)).collect();
    let mut cells = Vec::new();
    for pair in way.windows(2) {
        let step = Direction::between(pair[0], pair[1]).and_then(|direction| space.step(pair[0], direction));
        for cell in step.into_iter().flat_map(|(_, opened)| opened) {
            if !cells.contains(&cell) {
                cells.push(cell);
            }
        }
    }
    let smallest = Some(OpeningSet { cells, cost, way });
    Ok(FailureExplanation::Sealed(Barrier { opened_at, single: Vec::new(), smallest }))
}
