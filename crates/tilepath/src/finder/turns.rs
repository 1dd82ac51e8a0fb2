//! Ranges and paths of units with points for each turn.

pub(crate) mod query;

use self::query::TurnQuery;
use crate::{
    bounds::Bounds,
    cell::Cell,
    dial::{
        turn_path::TurnPath,
        turn_range::{self, TurnRange},
        turn_search::{CanStop, LongStep, TurnProblem, TurnRules, TurnSearch},
    },
    finder::{PathFinder, outcome::QueryError, query::PathQuery},
    movement_map::MovementMap,
    path::Path,
    space::{
        grid::{GridNode, GridSpace},
        octile_distance::OctileDistance,
    },
};
use rustc_hash::FxHashSet;
use std::sync::Arc;

impl PathFinder {
    /// Finds every cell on which a unit may stop, and the turn in which it gets there. Use it for
    /// the ranges of this turn and the next, and for maps of the cells that units reach in each
    /// turn.
    ///
    /// Points left at the end of a turn are lost. A unit may wait even if it could continue. For
    /// example, it waits to have all its points before it crosses a row of cells on which it may
    /// not stop. A unit may leave a closed cell, and its own cell is always part of the range.
    ///
    /// # Errors
    /// - [`QueryError::StartOutOfBounds`]: the cell is not on the map.
    /// - [`QueryError::UnknownMovement`]: the finder has no movement with this id.
    ///
    /// # Complexity
    /// O(n log n) for n cells reached. A cell on which the unit may not stop counts once for each
    /// turn in which it may help to pass it.
    ///
    /// # Guarantee
    /// The range has all such cells. Each cell has its earliest possible turn, and the fewest
    /// points used in that turn.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Movement, PathFinder, format, turns::TurnQuery};
    /// let grid = format::parse_ascii(
    ///     "
    ///     ......
    ///     .####.
    ///     ...3..
    ///     ",
    /// )?;
    /// let finder = PathFinder::new(grid, Movement::new());
    /// let unit = TurnQuery::new(Cell::new(0, 0), Cost::new(30)).with_turns(2);
    /// let range = finder.solve_turns(&unit)?;
    /// let digit = |x, y| range.get(Cell::new(x, y)).map_or('-', |reached| (b'0' + reached.turn as u8) as char);
    /// let picture: Vec<String> = (0..3).rev().map(|y| (0..6).map(|x| digit(x, y)).collect()).collect();
    /// assert_eq!(picture, ["11222-", "1-----", "1112--"]);
    /// let ford = range.get(Cell::new(3, 0)).unwrap();
    /// assert_eq!((ford.turn, ford.used), (2, Cost::new(30)), "10 points are left of the first turn, too few for the ford");
    ///
    /// let friend = Cell::new(2, 0);
    /// let range = finder.solve_turns(&unit.with_no_stop([friend]))?;
    /// assert!(!range.contains(friend));
    /// assert!(!range.contains(Cell::new(3, 0)), "to pass the friend and the ford takes 40 points");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_turns(&self, query: &TurnQuery) -> Result<TurnRange, QueryError> {
        let map = TurnMap::new(self, query)?;
        let problem = map.problem(None);
        let mut search = TurnSearch::new(&problem);
        let mut ends = Vec::new();
        while let Some(label) = search.next(&problem) {
            ends.push(label);
        }
        Ok(TurnRange::new(map.rules, map.bounds, search.into_labels(), ends))
    }

    /// Finds the path to `goal` that takes the fewest turns. Among such paths, it takes one that
    /// uses the fewest movement points in the last turn. Returns `None` if there is no path, if the
    /// path takes more turns than the query allows, or if the unit cannot stop on `goal`.
    ///
    /// The result may differ from the cheapest path cut into turns, because the cheapest path may
    /// waste points at the end of turns.
    ///
    /// # Errors
    /// - [`QueryError::StartOutOfBounds`], [`QueryError::GoalOutOfBounds`]: the cell is not on the
    ///   map.
    /// - [`QueryError::UnknownMovement`]: the finder has no movement with this id.
    /// - [`QueryError::CostOverflow`]: the path costs more than [`Cost::MAX`](crate::Cost::MAX).
    ///
    /// # Complexity
    /// O(n log n) for n cells examined. The octile distance guides the search.
    ///
    /// # Guarantee
    /// No other path takes fewer turns. No other path of as many turns uses fewer points of the
    /// last turn.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Movement, PathFinder, format, turns::TurnQuery};
    /// let grid = format::parse_ascii(
    ///     "
    ///     ....
    ///     .##.
    ///     .33.
    ///     ",
    /// )?;
    /// let finder = PathFinder::new(grid, Movement::new());
    /// let (from, to) = (Cell::new(0, 0), Cell::new(3, 0));
    /// assert_eq!(finder.find(from, to)?.path().unwrap().cost(), Cost::new(70)); // over or through, all the same
    /// let way = finder.solve_turn_path(&TurnQuery::new(from, Cost::new(40)), to)?.unwrap();
    /// assert_eq!((way.turns(), way.used()), (2, Cost::new(30)));
    /// assert_eq!(way.path().cells()[way.stops()[0]], Cell::new(2, 2), "over: through the fords points are lost");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_turn_path(&self, query: &TurnQuery, goal: Cell) -> Result<Option<TurnPath>, QueryError> {
        let map = TurnMap::new(self, query)?;
        let plain = PathQuery::new(query.start(), goal).with_movement(query.movement());
        let ends = self.ends(&plain, map.movement_map.movement())?;
        let problem = map.problem(Some(ends[1]));
        if !problem.can_stop(ends[1]) || !self.is_reachable(&plain)? {
            return Ok(None);
        }
        let mut search = TurnSearch::new(&problem);
        while let Some(label) = search.next(&problem) {
            if search.label(label).node == ends[1] {
                let path = turn_range::trace(&search.into_labels(), label, &map.rules, &map.bounds);
                return path.map(Some).ok_or(QueryError::CostOverflow);
            }
        }
        Ok(None)
    }

    /// Cuts an existing path into turns; each turn goes as far as possible. All settings of the
    /// query apply except its start.
    ///
    /// Returns `None` if the path cannot be walked under these settings:
    /// - a step is not allowed on the map as it is now, or costs more than a turn has;
    /// - too many cells in a row are cells on which the unit may not stop;
    /// - the unit may not stop on the last cell;
    /// - the path takes more turns than the query allows.
    ///
    /// # Errors
    /// [`QueryError::UnknownMovement`]: the finder has no movement with this id.
    ///
    /// # Complexity
    /// O(cells of the path).
    ///
    /// # Guarantee
    /// No other cut takes fewer turns. No other cut into as many turns uses fewer points of the
    /// last turn.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Grid, Movement, PathFinder, turns::TurnQuery};
    /// let finder = PathFinder::new(Grid::new(9, 1, 1)?, Movement::new());
    /// let path = finder.find(Cell::new(0, 0), Cell::new(8, 0))?.into_path().unwrap();
    /// let unit = TurnQuery::new(path.start(), Cost::new(35)).with_points_left(Cost::new(10));
    /// let cut = finder.cut_into_turns(&path, &unit)?.unwrap();
    /// assert_eq!(cut.stops(), [1, 4, 7, 8]);
    /// assert_eq!(cut.path(), &path);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cut_into_turns(&self, path: &Path, query: &TurnQuery) -> Result<Option<TurnPath>, QueryError> {
        let from = query.clone().with_start(path.start());
        let map = match TurnMap::new(self, &from) {
            // The path belongs to another map.
            Err(QueryError::StartOutOfBounds { .. }) => return Ok(None),
            map => map?,
        };
        Ok(map.cut(path))
    }
}

/// A map with the settings of a turn query.
struct TurnMap<'a> {
    bounds: Bounds,
    classes: &'a [u8],
    movement_map: Arc<MovementMap>,
    rules: TurnRules,
    no_stop: FxHashSet<u32>,
    start: GridNode,
}

impl<'a> TurnMap<'a> {
    fn new(finder: &'a PathFinder, query: &TurnQuery) -> Result<Self, QueryError> {
        let movement_map = finder.movement_map_from(query.movement(), query.start())?;
        let bounds = finder.grid.bounds();
        let start = finder.start_of(query.start(), movement_map.movement())?;
        let is_still = query.turns() == 0;
        let rules = TurnRules {
            points: if is_still { 0 } else { query.points().get() },
            first: if is_still { 0 } else { query.points_left().get() },
            turns: query.turns(),
            long_step: query.long_step(),
            topology: finder.grid.topology(),
        };
        let packed = |&cell: &Cell| GridNode::of(&bounds, cell).map(GridNode::packed);
        let no_stop = query.no_stop().iter().filter_map(packed).collect();
        Ok(Self { bounds, classes: finder.grid.classes(), movement_map, rules, no_stop, start })
    }

    fn space(&self) -> GridSpace<'_> {
        GridSpace::new(&self.bounds, self.classes, &self.movement_map)
    }

    fn problem(&self, goal: Option<GridNode>) -> TurnProblem<'_> {
        let [_, diagonal] = self.movement_map.movement().unit_costs(self.movement_map.topology());
        let cheapest = self.movement_map.cheapest();
        // A step that takes a turn of its own uses fewer points of that turn than it costs.
        let never_falls_behind = self.rules.long_step == LongStep::Never
            || u64::from(diagonal) * u64::from(cheapest) <= u64::from(self.rules.points);
        let estimate =
            goal.filter(|_| never_falls_behind).map(|goal| OctileDistance::new(&self.movement_map, goal));
        let (rules, no_stop, start) = (self.rules, &self.no_stop, self.start);
        TurnProblem { space: self.space(), rules, no_stop, start, estimate }
    }

    fn cut(&self, path: &Path) -> Option<TurnPath> {
        let (problem, rules) = (self.problem(None), &self.rules);
        let cells: Vec<GridNode> =
            path.cells().iter().map(|&cell| GridNode::of(&self.bounds, cell)).collect::<Option<_>>()?;
        let steps: Vec<u32> = (cells.windows(2))
            .map(|pair| step_cost(&problem.space, pair[0], pair[1]))
            .collect::<Option<_>>()?;
        let can_stop = |index: usize| problem.can_stop(cells[index]);
        let (mut stops, mut here, mut turn, mut used) = (Vec::new(), 0, 1, 0);
        let last = cells.len() - 1;
        while here < last {
            // Go as far as the points of the turn allow, then back to the last cell where the unit
            // may stop.
            let (mut spent, mut end, mut spent_at_end) = (0_u32, here, 0);
            for (index, &step) in steps.iter().enumerate().skip(here) {
                let ends = CanStop { here: index == here, there: can_stop(index + 1) };
                let Some((now, after)) = rules.times(turn, spent, step, ends).now else { break };
                debug_assert_eq!(now, turn, "a step taken now is taken in this turn");
                spent = after;
                if ends.there {
                    (end, spent_at_end) = (index + 1, spent);
                }
            }
            used = spent_at_end;
            if end < last {
                if end == here && turn > 1 || turn == rules.turns {
                    return None;
                }
                stops.push(end);
                turn += 1;
            }
            here = end;
            if end == last {
                break;
            }
        }
        if !can_stop(last) {
            return None;
        }
        stops.push(last);
        Some(TurnPath::of(path.clone(), stops, used))
    }
}

/// Returns the cost of a step between neighbours, if the step is allowed.
fn step_cost(space: &GridSpace<'_>, from: GridNode, to: GridNode) -> Option<u32> {
    let mut cost = None;
    space.offer(from, space.forward(from, None), |node, step, _| {
        if node == to {
            cost = Some(step.get());
        }
    });
    cost
}
