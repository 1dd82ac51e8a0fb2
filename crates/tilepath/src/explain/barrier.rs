//! Closed cells that must open to make a path.
//!
//! Decision: `docs/decisions/24-forbidden-cells-and-barriers.md`.

use super::{
    opened_footprints,
    opened_space::{OpenedCost, OpenedEstimate, OpenedSpace},
};
use crate::{
    bounds::Bounds,
    cell::{Cell, Direction},
    cost::Cost,
    dial::bounded::Bounded,
    finder::{
        PathFinder,
        fields::{flood::Flood, query::FieldQuery},
        outcome::QueryError,
        query::PathQuery,
    },
    movement::WayOut,
    movement_map::MovementMap,
    search::{AStar, BinaryHeapQueue, GoalNode, NoGoal, Problem, Search, SearchStatus},
    space::grid::{GridNode, GridSpace},
    space::octile_distance::OctileDistance,
};
use std::fmt::{self, Write};

/// The result of [`PathFinder::explain_failure`](crate::PathFinder::explain_failure).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FailureExplanation {
    /// There is a path: use a normal query.
    Reachable,
    /// There is no path, because of this barrier.
    Sealed(Barrier),
    /// There is no path, and opening closed cells cannot make one: closed exits or void cells block
    /// every path.
    NoOpening,
    /// There is no path, but the query's limit was reached before the barrier was found.
    LimitReached,
}

/// The closed cells between a start and a goal that must open to make a path.
///
/// The `Display` text lists these cells.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Barrier {
    /// The cost multiplier of an opened cell: the cheapest multiplier on the map for this movement.
    /// If every cell is closed, it is the cheapest multiplier of the cost table, or 1 if the table
    /// closes every class.
    pub opened_at: u16,
    /// Every closed cell that alone opens a path. The cell that opens the cheapest path is first.
    /// Cells with paths of equal cost are in the order of their slots.
    ///
    /// The list is empty in three cases: no single cell is enough, the unit covers more than one
    /// cell, or the map has exits. Cells whose paths cost more than [`Cost::MAX`] are left out if
    /// other single cells are enough.
    pub single: Vec<Opening>,
    /// The smallest set of cells that opens a path, if `single` is empty; otherwise `None`.
    pub smallest: Option<OpeningSet>,
}

/// A closed cell that opens a path if it alone becomes open.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Opening {
    /// The closed cell.
    pub cell: Cell,
    /// The cost of the cheapest path after the cell is opened.
    pub cost: Cost,
}

/// A set of closed cells that open a path if all of them become open.
///
/// # Guarantee
/// No smaller set opens a path, and no set of this size opens a cheaper path. For units of more
/// than one cell, and on maps with exits, this is not guaranteed: the set is small, but a smaller
/// set may exist.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct OpeningSet {
    /// The closed cells, in the order of the path through them.
    pub cells: Vec<Cell>,
    /// The cost of the cheapest path after these cells are opened.
    pub cost: Cost,
    /// The cells of the cheapest path after these cells are opened, start and goal included.
    pub way: Vec<Cell>,
}

impl fmt::Display for Barrier {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.to_text(|cell| cell.to_string()))
    }
}

impl Barrier {
    /// The number of single cells that are listed; the others are only counted.
    const LISTED: usize = 10;

    /// Returns the list in words. The closure `name` returns the text for a cell.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Movement, PathFinder, PathQuery, explain::FailureExplanation, format};
    /// let finder = PathFinder::new(format::parse_ascii(".#.")?, Movement::new());
    /// let query = PathQuery::new(Cell::new(0, 0), Cell::new(2, 0));
    /// let FailureExplanation::Sealed(barrier) = finder.explain_failure(&query)? else { panic!("there is no way") };
    /// assert_eq!(
    ///     barrier.to_text(|cell| format!("column {}", cell.x)),
    ///     "opening one cell makes a path (an opened cell has terrain cost 1):\n  column 1: a path of cost 20\n"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_text(&self, name: impl Fn(Cell) -> String) -> String {
        let counted = format!("(an opened cell has terrain cost {})", self.opened_at);
        if let Some(set) = &self.smallest {
            let cells: Vec<String> = set.cells.iter().map(|&cell| name(cell)).collect();
            let head = match cells.len() {
                1 => format!("opening one cell makes a path {counted}"),
                count => format!("no single cell is enough; opening {count} cells makes a path {counted}"),
            };
            return format!("{head}:\n  {}: a path of cost {}\n", cells.join(", "), set.cost);
        }
        let mut text = format!("opening one cell makes a path {counted}:\n");
        for opening in self.single.iter().take(Self::LISTED) {
            // Writing to a `String` cannot fail.
            let _ = writeln!(text, "  {}: a path of cost {}", name(opening.cell), opening.cost);
        }
        if let Some(more @ 1..) = self.single.len().checked_sub(Self::LISTED) {
            let _ = writeln!(text, "  and {more} more, each with a path of equal or higher cost");
        }
        text
    }
}

/// Finds the barrier behind the chain by which a unit leaves closed ground first.
pub(super) fn explain_behind(
    finder: &PathFinder,
    query: &PathQuery,
    chain: &WayOut,
) -> Result<FailureExplanation, QueryError> {
    let [.., exit] = chain.cells() else { return explain(finder, query) };
    let mut explained = explain(finder, &query.started_at(*exit))?;
    if let FailureExplanation::Sealed(barrier) = &mut explained {
        let walked = finder.explain(chain.cells(), query.movement()).map_err(|_| QueryError::CostOverflow)?;
        let more = |cost: &mut Cost| {
            *cost = cost.checked_add(walked.total()).ok_or(QueryError::CostOverflow)?;
            Ok(())
        };
        barrier.single.iter_mut().try_for_each(|opening| more(&mut opening.cost))?;
        if let Some(set) = &mut barrier.smallest {
            more(&mut set.cost)?;
            let closed = &chain.cells()[..chain.cells().len() - 1];
            set.way = [closed, &set.way].concat();
        }
    }
    Ok(explained)
}

/// Finds the barrier. The goal cannot be reached, and both ends are on the map.
pub(super) fn explain(finder: &PathFinder, query: &PathQuery) -> Result<FailureExplanation, QueryError> {
    let movement_map = finder.movement_map(query.movement())?;
    let [start, goal] = finder.ends(query, movement_map.movement())?;
    let bounds = finder.grid().bounds();
    let opened_at = opened_at(movement_map);
    if movement_map.is_large() || movement_map.has_listed_moves() || movement_map.has_surcharges() {
        return opened_footprints::explain(finder, query, [start, goal], opened_at);
    }
    let space = OpenedSpace { bounds: &bounds, grid: finder.grid(), movement_map, opened_at };
    let mut budget = query.limit().unwrap_or(u64::MAX);

    let Some(single) = single_openings(finder, query, &space, &mut budget)? else {
        return Ok(FailureExplanation::LimitReached);
    };
    let mut smallest = None;
    if single.openings.is_empty() {
        if single.some_cost_too_much {
            return Err(QueryError::CostOverflow);
        }
        let estimate = OpenedEstimate(OctileDistance::new(movement_map, goal));
        let problem = Problem { space: &space, strategy: &AStar(estimate), goal: &GoalNode(goal) };
        let mut search = Search::<_, _, BinaryHeapQueue<GridNode, OpenedCost>>::default();
        search.begin(&problem, &[start]);
        if search.advance(&problem, &mut (), budget) == SearchStatus::Running {
            return Ok(FailureExplanation::LimitReached);
        }
        // A smaller set may have been dropped because its cost overflowed.
        if search.has_overflowed() {
            return Err(QueryError::CostOverflow);
        }
        let Some((_, (_, cost))) = search.reached() else {
            return Ok(FailureExplanation::NoOpening);
        };
        let nodes = search.path_to(&space, goal).unwrap_or_default();
        let way: Vec<Cell> = nodes.iter().map(|node| node.cell(&bounds)).collect();
        smallest = Some(OpeningSet { cells: opened_along(&space, &nodes, &way, &bounds), cost, way });
    }
    Ok(FailureExplanation::Sealed(Barrier { opened_at, single: single.openings, smallest }))
}

/// Returns the multiplier of an opened cell.
fn opened_at(movement_map: &MovementMap) -> u16 {
    let of_the_table = || {
        let costs = movement_map.movement().costs();
        (0..=u8::MAX).map(|class| costs.multiplier(class)).filter(|&multiplier| multiplier > 0).min()
    };
    match movement_map.cheapest() {
        0 => of_the_table().unwrap_or(1),
        cheapest => cheapest,
    }
}

/// Returns the cells that are opened along a path, each once.
fn opened_along(space: &OpenedSpace<'_>, nodes: &[GridNode], way: &[Cell], bounds: &Bounds) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (&node, pair) in nodes.iter().zip(way.windows(2)) {
        let step = Direction::between(pair[0], pair[1]).and_then(|direction| space.step(node, direction));
        for opened in step.into_iter().flat_map(|(_, opened)| opened.into_iter().flatten()) {
            let cell = opened.cell(bounds);
            if !cells.contains(&cell) {
                cells.push(cell);
            }
        }
    }
    cells
}

/// The closed cells that alone open a path.
struct Single {
    openings: Vec<Opening>,
    /// True if more cells may open a path, at costs above `Cost::MAX`.
    some_cost_too_much: bool,
}

/// Finds every closed cell that alone opens a path. Returns `None` if the budget runs out; the
/// budget is reduced by the work.
fn single_openings(
    finder: &PathFinder,
    query: &PathQuery,
    space: &OpenedSpace<'_>,
    budget: &mut u64,
) -> Result<Option<Single>, QueryError> {
    let bounds = finder.grid().bounds();
    let mut field = finder.begin_field(&FieldQuery::new([query.goal()]).with_movement(query.movement()))?;
    if field.advance(*budget) == SearchStatus::Running {
        return Ok(None);
    }
    *budget = budget.saturating_sub(field.statistics().expanded);

    let movement_map = finder.movement_map(query.movement())?;
    let [start, _] = finder.ends(query, movement_map.movement())?;
    let grid = &GridSpace::new(&bounds, finder.grid().classes(), movement_map);
    let problem = Problem { space: grid, strategy: &Bounded { budget: Cost::MAX }, goal: &NoGoal };
    let mut flood = Flood::new(finder.pool(), movement_map.max_step_cost());
    flood.search.begin(&problem, &[start]);
    if flood.search.advance(&problem, &mut (), *budget) == SearchStatus::Running {
        return Ok(None);
    }
    *budget = budget.saturating_sub(flood.search.expanded());

    let from_start = |node| flood.search.record(grid, node).map(|record| record.cost.get());
    let to_goal = |node: GridNode| field.cost(node.cell(&bounds)).map(Cost::get);
    let doors = Doors { space, from_start, to_goal };
    let mut some_cost_too_much = flood.search.has_overflowed() || field.has_overflowed();
    let mut openings: Vec<Opening> = (bounds.cells())
        .filter_map(|cell| {
            let node = GridNode::of(&bounds, cell).filter(|&node| space.can_open(node))?;
            let cost = doors.through(node).into_iter().chain(doors.past(node)).min()?;
            let Ok(cost) = u32::try_from(cost) else {
                some_cost_too_much = true;
                return None;
            };
            Some(Opening { cell, cost: Cost::new(cost) })
        })
        .collect();
    // The sort is stable: ties stay in the order of slots.
    openings.sort_by_key(|opening| opening.cost);
    Ok(Some(Single { openings, some_cost_too_much }))
}

/// The costs of the paths from the start's side of a barrier to the goal's side over one closed
/// cell each.
///
/// On both sides, the path runs on the map as it is. A cheapest path that uses the opened cell
/// meets it only once, for the reason given at [`OpenedSpace`].
struct Doors<'a, F, G> {
    space: &'a OpenedSpace<'a>,
    /// The cost of the path from the start to an open cell.
    from_start: F,
    /// The cost of the path from an open or a closed cell to the goal.
    to_goal: G,
}

impl<F: Fn(GridNode) -> Option<u32>, G: Fn(GridNode) -> Option<u32>> Doors<'_, F, G> {
    /// Returns the cost of the cheapest path through the cell.
    fn through(&self, door: GridNode) -> Option<u64> {
        let entry = Direction::ALL.into_iter().filter_map(|direction| {
            let before = self.space.neighbour(door, direction.opposite())?;
            let cost = (self.from_start)(before)?;
            let entered = self.space.neighbour_if_open(before, direction, door)?;
            Some(u64::from(cost) + u64::from(self.space.entry_cost(entered, direction).get()))
        });
        let entry = entry.min()?;
        (self.to_goal)(door).map(|rest| entry + u64::from(rest))
    }

    /// Returns the costs of the paths past the cell: over a diagonal step beside it.
    fn past(&self, door: GridNode) -> impl Iterator<Item = u64> {
        let corners = STRAIGHT.into_iter().flat_map(|side| [(side, side.turned(2)), (side, side.turned(6))]);
        corners.filter_map(move |(side, other)| {
            let before = self.space.neighbour(door, side)?;
            let cost = (self.from_start)(before)?;
            // A step to the south-east leads from the cell's northern neighbour to its eastern one.
            let direction = if other == side.turned(2) { side.turned(3) } else { side.turned(5) };
            let entered = self.space.neighbour_if_open(before, direction, door)?;
            let rest = (self.to_goal)(entered)?;
            Some(
                u64::from(cost)
                    + u64::from(self.space.entry_cost(entered, direction).get())
                    + u64::from(rest),
            )
        })
    }
}

const STRAIGHT: [Direction; 4] = [Direction::North, Direction::East, Direction::South, Direction::West];
