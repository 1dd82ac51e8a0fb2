//! Explanations of paths and of failures.

use tilepath::{
    Cell, PathQuery,
    explain::{ExplainError, FailureExplanation, Receipt, RouteComparison},
};

use crate::{failure::PathFailure, map::place::Place, query::view::NavView};

impl NavView<'_> {
    /// Returns the cost of each step of a path by the map's rules, and the reason why the step is
    /// allowed. The cells may come from anywhere: a [`Path`](tilepath::Path) of this map, a save
    /// file, or the mouse pointer of the player.
    ///
    /// # Errors
    /// [`ExplainError`] with the first step that is not allowed, and the reason.
    ///
    /// # Complexity
    /// O(cells of the path).
    ///
    /// # Examples
    /// ```
    /// use bevy_ecs::{prelude::*, system::RunSystemOnce};
    /// use bevy_math::Vec2;
    /// use bevy_tilepath::{
    ///     Cell, Cost, NavGrid, NavMap, NavProjection, NavQuery, tilepath::format::parse_ascii,
    /// };
    ///
    /// let mut world = World::new();
    /// let grid = parse_ascii("
    ///     ..3
    ///     .#.
    /// ")?;
    /// world.spawn((NavMap::default(), NavGrid::new(grid), NavProjection::square(Vec2::splat(10.0), Vec2::splat(5.0))));
    ///
    /// world.run_system_once(|nav: NavQuery| {
    ///     let map = nav.only_map().unwrap();
    ///     let answer = map.find(Vec2::new(5.0, 5.0), Vec2::new(25.0, 5.0)).unwrap();
    ///     let receipt = map.explain(answer.outcome.path().unwrap().cells()).unwrap();
    ///     let costliest = receipt.steps().iter().max_by_key(|step| step.cost).unwrap();
    ///     assert_eq!((costliest.to, costliest.terrain, costliest.cost), (Cell::new(2, 1), Some(3), Cost::new(30)));
    ///     println!("{receipt}"); // a table that a player can read
    ///
    ///     let through_the_wall = [Cell::new(0, 0), Cell::new(1, 0)];
    ///     let why = map.explain(&through_the_wall).unwrap_err();
    ///     assert!(why.to_string().starts_with("step 1 from (0, 0) to (1, 0) is not allowed"));
    /// }).unwrap();
    /// # Ok::<(), bevy_tilepath::tilepath::format::MapTextError>(())
    /// ```
    pub fn explain(&self, cells: &[Cell]) -> Result<Receipt, ExplainError> {
        self.view.finder.explain(cells, self.view.movement)
    }

    /// Compares a proposed path with the cheapest path from its first cell to its last cell. The
    /// result has the extra cost of the proposed path, the cell where the two paths part, and the
    /// steps that make the difference.
    ///
    /// # Errors
    /// [`ExplainError`] with the first step of the proposal that is not allowed, and the reason.
    ///
    /// # Examples
    /// ```
    /// use bevy_ecs::{prelude::*, system::RunSystemOnce};
    /// use bevy_tilepath::{Cell, Cost, NavGrid, NavMap, NavQuery, tilepath::format::parse_ascii};
    ///
    /// let mut world = World::new();
    /// world.spawn((NavMap::default(), NavGrid::new(parse_ascii("....\n.99.")?)));
    ///
    /// world.run_system_once(|nav: NavQuery| {
    ///     let straight: Vec<Cell> = (0..4).map(|x| Cell::new(x, 0)).collect();
    ///     let comparison = nav.only_map().unwrap().compare(&straight).unwrap();
    ///     assert_eq!(comparison.excess(), Cost::new(190 - 38));
    ///     assert_eq!(comparison.parts_at(), Some(Cell::new(0, 0)));
    /// }).unwrap();
    /// # Ok::<(), bevy_tilepath::tilepath::format::MapTextError>(())
    /// ```
    pub fn compare(&self, proposal: &[Cell]) -> Result<RouteComparison, ExplainError> {
        let (Some(&from), Some(&to)) = (proposal.first(), proposal.last()) else {
            return Err(ExplainError::NoCells);
        };
        let query = PathQuery::new(from, to).with_movement(self.view.movement);
        self.view.finder.compare(proposal, &query)
    }

    /// Explains why there is no path from one place to another. Returns every closed cell that
    /// makes a path possible if only this cell opens. The cells are sorted by the cost of this
    /// path, from the lowest. If no single cell is enough, returns the smallest set of cells that
    /// makes a path possible.
    ///
    /// # Errors
    /// The errors of [`find`](Self::find).
    ///
    /// # Complexity
    /// O(cells × log cells): call it once for the player or the map maker, not for every unit in
    /// every tick. [`explain_query_failure`](Self::explain_query_failure) has the limit of its
    /// query.
    ///
    /// # Examples
    /// ```
    /// use bevy_ecs::{prelude::*, system::RunSystemOnce};
    /// use bevy_math::Vec2;
    /// use bevy_tilepath::{
    ///     tilepath::{explain::FailureExplanation, format::parse_ascii}, Cell, NavGrid, NavMap,
    ///     NavProjection, NavQuery,
    /// };
    ///
    /// let mut world = World::new();
    /// let grid = parse_ascii("
    ///     ..##
    ///     ..#.
    /// ")?;
    /// world.spawn((NavMap::default(), NavGrid::new(grid), NavProjection::square(Vec2::splat(10.0), Vec2::splat(5.0))));
    ///
    /// world.run_system_once(|nav: NavQuery| {
    ///     let map = nav.only_map().unwrap();
    ///     let why = map.explain_failure(Vec2::new(5.0, 5.0), Vec2::new(35.0, 5.0)).unwrap();
    ///     let FailureExplanation::Sealed(barrier) = why else { panic!("a wall is between") };
    ///     assert_eq!(barrier.single[0].cell, Cell::new(2, 0));
    /// }).unwrap();
    /// # Ok::<(), bevy_tilepath::tilepath::format::MapTextError>(())
    /// ```
    pub fn explain_failure(
        &self,
        start: impl Into<Place>,
        goal: impl Into<Place>,
    ) -> Result<FailureExplanation, PathFailure> {
        self.explain_query_failure(&self.query(start, goal)?)
    }

    /// Explains why a query finds no path, with the movement and within the limit of the query. See
    /// [`explain_failure`](Self::explain_failure).
    ///
    /// # Errors
    /// A [`QueryError`](tilepath::QueryError) of `tilepath`, as a [`PathFailure`].
    pub fn explain_query_failure(&self, query: &PathQuery) -> Result<FailureExplanation, PathFailure> {
        Ok(self.view.finder.explain_failure(query)?)
    }
}
