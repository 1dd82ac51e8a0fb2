//! Ranges, nearest goals and fields: one search for many cells.

pub(crate) mod flood;
pub(crate) mod flow_field;
pub(crate) mod nearest;
pub(crate) mod query;
pub(crate) mod spread;

use self::{
    flood::Flood,
    flow_field::FlowField,
    nearest::{NearestAnswer, NearestGoal, NearestSearch},
    query::{FieldQuery, NearestQuery, RangeQuery},
};
use crate::{
    bounds::Bounds,
    cell::Cell,
    cost::Cost,
    dial::{
        bounded::Bounded,
        move_range::{MoveRange, RangeCell},
    },
    finder::{PathFinder, outcome::QueryError, query::MovementId},
    movement_map::plane::Ground,
    search::{NoGoal, Problem, observer::Visits},
    space::grid::{GridLink, GridNode, GridSpace},
};
use std::sync::Arc;

impl PathFinder {
    /// Returns every cell that a unit can reach for a cost of at most `budget`, by the first
    /// movement. These are the blue squares of a tactics game.
    ///
    /// If the unit stands on a closed cell, it may leave that cell. The start is always part of the
    /// range.
    ///
    /// # Units
    /// The budget is in cost units, inclusive. With the classic step costs, five straight steps on
    /// ground of cost 1 cost 50.
    ///
    /// # Errors
    /// See [`PathFinder::solve_range`].
    ///
    /// # Complexity
    /// O(cells reached).
    ///
    /// # Guarantee
    /// The range is complete, and each of its cells has the cost of a cheapest path.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Direction, Movement, PathFinder, format};
    /// let grid = format::parse_ascii(
    ///     "
    ///     ....#
    ///     .#.3.
    ///     ...#.
    ///     ",
    /// )?;
    /// let finder = PathFinder::new(grid, Movement::new());
    /// let range = finder.range(Cell::new(0, 0), Cost::new(40))?;
    /// let picture: Vec<String> = (0..3)
    ///     .rev()
    ///     .map(|y| (0..5).map(|x| if range.contains(Cell::new(x, y)) { 'o' } else { '-' }).collect())
    ///     .collect();
    /// assert_eq!(picture, ["ooo--", "o-o--", "ooo--"]);
    ///
    /// let beyond = range.get(Cell::new(1, 2)).unwrap();
    /// assert_eq!((beyond.cost, beyond.entered_by), (Cost::new(30), Some(Direction::East)));
    /// assert_eq!(range.path_to(Cell::new(2, 1)).unwrap().cost(), Cost::new(30));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn range(&self, start: Cell, budget: Cost) -> Result<MoveRange, QueryError> {
        self.solve_range(&RangeQuery::new(start, budget))
    }

    /// Returns the range that a query describes.
    ///
    /// # Errors
    /// - [`QueryError::StartOutOfBounds`]: the start is not on the map.
    /// - [`QueryError::UnknownMovement`]: this finder has no movement with the id.
    pub fn solve_range(&self, query: &RangeQuery) -> Result<MoveRange, QueryError> {
        let mut range = MoveRange::default();
        self.solve_range_into(query, &mut range)?;
        Ok(range)
    }

    /// Finds the range that a query describes, and writes it into an earlier range. The memory of
    /// the earlier range is reused. If the earlier range was at least as large, nothing is
    /// allocated.
    ///
    /// # Errors
    /// See [`PathFinder::solve_range`]. After an error the range is unchanged.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Grid, MoveRange, Movement, PathFinder, RangeQuery};
    /// let finder = PathFinder::new(Grid::new(20, 20, 1)?, Movement::new());
    /// let mut range = MoveRange::default();
    /// for x in 5..15 {
    ///     finder.solve_range_into(&RangeQuery::new(Cell::new(x, 10), Cost::new(20)), &mut range)?;
    ///     assert_eq!(range.cells().len(), 13); // 14 to a diagonal neighbour, 20 straight on
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_range_into(&self, query: &RangeQuery, range: &mut MoveRange) -> Result<(), QueryError> {
        let movement_map = self.movement_map_from(query.movement(), query.start())?;
        let bounds = self.grid.bounds();
        let start = self.start_of(query.start(), movement_map.movement())?;
        range.clear(query.budget(), self.grid.topology(), movement_map.movement().size());
        let mut flood = Flood::new(&self.pool, movement_map.max_step_cost());
        if let Some(ground) = movement_map.class_ground(self.grid.classes()) {
            let space = GridSpace::on(&bounds, ground, &movement_map);
            fill_range(&space, &bounds, start, &mut flood, range);
        } else if let Some(ground) = movement_map.derived_ground(self.grid.classes()) {
            let space = GridSpace::on(&bounds, ground, &movement_map);
            fill_range(&space, &bounds, start, &mut flood, range);
        } else {
            let space = GridSpace::new(&bounds, self.grid.classes(), &movement_map);
            fill_range(&space, &bounds, start, &mut flood, range);
        }
        range.index();
        Ok(())
    }

    /// Returns the goal that is cheapest to reach, by the first movement, or `None` if no goal can
    /// be reached. It runs one search, for any number of goals.
    ///
    /// If goals have equal costs, the order of the list decides. A goal on the start cell costs
    /// nothing, even if the cell is closed. Of the other closed goals, only those
    /// are reached over which the unit leaves closed ground.
    ///
    /// # Errors
    /// The errors of [`PathFinder::begin_nearest`], and [`QueryError::CostOverflow`] if no goal was
    /// found because the cost is too large for a [`Cost`].
    ///
    /// # Complexity
    /// O(n log g) for g goals and n cells that cost no more than the goal found.
    ///
    /// # Guarantee
    /// No other goal of the list is cheaper to reach. The path is optimal.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Movement, PathFinder, format};
    /// let grid = format::parse_ascii(
    ///     "
    ///     .....
    ///     .###.
    ///     ...#.
    ///     ",
    /// )?;
    /// let finder = PathFinder::new(grid, Movement::new());
    /// let wells = [Cell::new(4, 0), Cell::new(1, 2), Cell::new(2, 0)];
    /// let nearest = finder.nearest(Cell::new(0, 0), &wells)?.unwrap();
    /// assert_eq!((nearest.index, nearest.path.cost()), (2, Cost::new(20)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn nearest(&self, start: Cell, goals: &[Cell]) -> Result<Option<NearestGoal>, QueryError> {
        Ok(self.solve_nearest(&NearestQuery::new(start, goals))?.goals.pop())
    }

    /// Returns the goals that are cheapest to reach, the cheapest first. The query sets their
    /// number; if fewer goals can be reached, the answer has fewer. It runs one search.
    ///
    /// Goals of equal cost are in the order of the list. A cell that is in the list twice counts
    /// twice.
    ///
    /// # Errors
    /// The errors of [`PathFinder::begin_nearest`], and [`QueryError::CostOverflow`] if one more
    /// goal may be reachable at a cost that is too large for a [`Cost`].
    ///
    /// # Complexity
    /// O(n log g) for g goals and n cells that cost no more than the last goal found.
    ///
    /// # Guarantee
    /// No other goal of the list is cheaper to reach than the goals found. The paths are optimal.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Grid, Movement, NearestQuery, PathFinder};
    /// let finder = PathFinder::new(Grid::new(9, 1, 1)?, Movement::new());
    /// let wells = [Cell::new(8, 0), Cell::new(1, 0), Cell::new(5, 0), Cell::new(3, 0)];
    /// let answer = finder.solve_nearest(&NearestQuery::new(Cell::new(3, 0), wells).with_count(3))?;
    /// let indices: Vec<usize> = answer.goals.iter().map(|goal| goal.index).collect();
    /// assert_eq!(indices, [3, 1, 2], "the second and the third cost the same");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_nearest(&self, query: &NearestQuery) -> Result<NearestAnswer, QueryError> {
        self.unmetered_nearest(query)?.finish()
    }

    /// Begins a search for the nearest goals that runs in slices. It uses the map as it is now.
    ///
    /// # Complexity
    /// O(g log g) for g goals, and the complexity of [`PathFinder::begin`]. Both are counted as
    /// work of the search ([`NearestSearch::work`]).
    ///
    /// # Errors
    /// - [`QueryError::StartOutOfBounds`], [`QueryError::GoalOutOfBounds`]: the start or a goal is
    ///   not on the map; the error holds the cell.
    /// - [`QueryError::UnknownMovement`]: this finder has no movement with the id.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Grid, Movement, NearestQuery, PathFinder, SearchStatus};
    /// let finder = PathFinder::new(Grid::new(50, 50, 1)?, Movement::new());
    /// let corners = [Cell::new(0, 0), Cell::new(49, 49)];
    /// let mut search = finder.begin_nearest(&NearestQuery::new(Cell::new(20, 20), corners))?;
    /// while search.advance(100) == SearchStatus::Running {
    ///     // the rest of the frame goes here
    /// }
    /// assert_eq!(search.finish()?.goals[0].index, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn begin_nearest(&self, query: &NearestQuery) -> Result<NearestSearch, QueryError> {
        let mut search = self.unmetered_nearest(query)?;
        search.charge(self.take_deferred_work(query.movement())?);
        Ok(search)
    }

    /// Returns the preprocessing work that a sliced search of a movement must pay for, and clears
    /// it.
    pub(crate) fn take_deferred_work(&self, movement: MovementId) -> Result<u64, QueryError> {
        Ok(self.kept(movement)?.map.deferred_work().take(false))
    }

    /// Begins a search and charges no preprocessing work to it.
    pub(crate) fn unmetered_nearest(&self, query: &NearestQuery) -> Result<NearestSearch, QueryError> {
        let map = self.snapshot_from(query.movement(), query.start())?;
        let movement = map.movement_map.movement();
        let start = self.start_of(query.start(), movement)?;
        let mut goals = Vec::with_capacity(query.goals().len());
        for (index, &cell) in (0_u32..).zip(query.goals()) {
            let goal = self.goal_of(cell, movement, false)?;
            if self.may_reach(&map, query.movement(), [start, goal]) {
                goals.push((goal, index));
            }
        }
        Ok(NearestSearch::begin(map, query.clone(), start, goals, &self.pool))
    }

    /// Returns a complete flow field: the costs from all cells to the nearest of some goals, by the
    /// first movement. Use it for many units that go to the same place.
    ///
    /// # Errors
    /// See [`PathFinder::begin_field`].
    ///
    /// # Complexity
    /// O(cells).
    ///
    /// # Examples
    /// ```
    /// use std::sync::Arc;
    /// use tilepath::{Cell, Cost, Direction, Movement, PathFinder, format};
    /// let grid = format::parse_ascii(
    ///     "
    ///     ....
    ///     .##.
    ///     ....
    ///     ",
    /// )?;
    /// let mut finder = PathFinder::new(grid, Movement::new());
    /// let mut field = finder.field(&[Cell::new(3, 0)])?;
    /// assert_eq!(field.cost(Cell::new(0, 1)), Some(Cost::new(40)));
    /// assert_eq!(field.direction(Cell::new(0, 1)), Some(Direction::South));
    ///
    /// finder.set_terrain(Cell::new(1, 0), 0)?; // builds a wall on the path
    /// field.update(&finder)?;
    /// assert_eq!(field.cost(Cell::new(0, 1)), Some(Cost::new(60)));
    /// assert_eq!(field.direction(Cell::new(0, 1)), Some(Direction::North));
    ///
    /// let shared = Arc::new(field); // for every agent that goes there
    /// assert_eq!(shared.path_from(Cell::new(0, 0)).unwrap().steps(), 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn field(&self, goals: &[Cell]) -> Result<FlowField, QueryError> {
        self.solve_field(&FieldQuery::new(goals))
    }

    /// Returns the complete flow field that a query describes.
    ///
    /// # Errors
    /// See [`PathFinder::begin_field`].
    pub fn solve_field(&self, query: &FieldQuery) -> Result<FlowField, QueryError> {
        let mut field = self.begin_field(query)?;
        field.advance(u64::MAX);
        Ok(field)
    }

    /// Begins a flow field that runs in slices. It uses the map as it is now. It has not expanded
    /// any cell yet.
    ///
    /// # Errors
    /// - [`QueryError::GoalOutOfBounds`]: a goal is not on the map; the error holds the cell.
    /// - [`QueryError::UnknownMovement`]: this finder has no movement with the id.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Grid, Movement, PathFinder, field::{FieldQuery, FieldState}};
    /// let finder = PathFinder::new(Grid::new(100, 100, 1)?, Movement::new());
    /// let mut field = finder.begin_field(&FieldQuery::new([Cell::new(50, 50)]))?;
    /// let (near, far) = (Cell::new(52, 50), Cell::new(0, 0));
    /// assert_eq!(field.state(near), FieldState::Pending);
    /// assert_eq!(field.advance_until(near), FieldState::Settled(Cost::new(20)));
    /// assert_eq!(field.state(far), FieldState::Pending, "no agent has asked for it yet");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn begin_field(&self, query: &FieldQuery) -> Result<FlowField, QueryError> {
        let map = self.snapshot(query.movement())?;
        let goals = self.field_goals(query, map.movement_map.movement())?;
        Ok(FlowField::begin(map, query.clone(), goals, Arc::downgrade(&self.pool)))
    }
}

/// Fills a range with its cells in the order of cost. The range already contains its budget.
fn fill_range<G: Ground>(
    space: &GridSpace<'_, G>,
    bounds: &Bounds,
    start: GridNode,
    flood: &mut Flood,
    range: &mut MoveRange,
) {
    let problem = Problem { space, strategy: &Bounded { budget: range.budget() }, goal: &NoGoal };
    flood.search.begin(&problem, &[start]);
    let mut visits = Visits(|node: GridNode, cost| {
        range.cells.push(RangeCell { cell: node.cell(bounds), cost, entered_by: None });
    });
    flood.search.run(&problem, &mut visits);
    for reached in &mut range.cells {
        let node = GridNode::of(bounds, reached.cell);
        let record = node.and_then(|node| flood.search.record(space, node));
        reached.entered_by = record.and_then(|record| record.link).map(GridLink::direction);
    }
}
