//! Why answers are right, and why there is none.

use tilepath::{
    Cell, PathQuery,
    explain::{ExplainError, FailureExplanation, Receipt, RouteComparison},
};

use crate::{failure::PathFailure, map::place::Place, query::view::NavView};

impl NavView<'_> {
    /// What each step of a route costs by the map's rules, and why it is allowed. The route may come from anywhere: a
    /// [`Path`](tilepath::Path) of this map, a save file, the user's pointer.
    ///
    /// # Errors
    /// [`ExplainError`] names the first step that is not allowed, and why.
    ///
    /// # Complexity
    /// O(cells of the route).
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

    /// A proposed route beside the cheapest one between its ends: how much more it costs, where they part,
    /// and which of its steps make the difference.
    ///
    /// # Errors
    /// [`ExplainError`] names the first step of the proposal that is not allowed, and why.
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

    /// Why no way leads from one place to another: every closed cell that makes a way if it alone opens,
    /// the one with the cheapest way first; where no single one does, the smallest set of cells that do.
    ///
    /// # Errors
    /// Those of [`find`](Self::find).
    ///
    /// # Complexity
    /// O(cells × log cells): ask once for the player or the map maker, not for every unit in every tick.
    /// [`explain_query_failure`](Self::explain_query_failure) has a limit.
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

    /// As [`explain_failure`](Self::explain_failure), for a query: by whatever rules it names, within its limit.
    ///
    /// # Errors
    /// The core's [`QueryError`](tilepath::QueryError), as the plugin words it.
    pub fn explain_query_failure(&self, query: &PathQuery) -> Result<FailureExplanation, PathFailure> {
        Ok(self.view.finder.explain_failure(query)?)
    }
}
