//! Maps with walls that do not stand yet, for builders.
//!
//! Decision: `docs/decisions/23-what-if.md`.

use std::collections::BTreeSet;

use bevy_transform::components::{GlobalTransform, Transform};
use tilepath::{Cell, Edit, PathQuery, WhatIf};

use crate::{
    failure::PathFailure,
    map::{map_view::MapView, nav_grid::WALL, place::Place, world_places::on_plane},
    query::view::NavView,
    sync::obstacle::Obstacle,
};

/// A copy of a map, with walls that do not stand yet. Use it while the player chooses the place of
/// a building. The real map does not change, and units keep their paths.
///
/// After the first call, a `NavWhatIf` keeps a second finder in memory. Store the `NavWhatIf` in a
/// `Local`, or in a component of the building that the player holds. Drop it when the building is
/// placed.
///
/// If a call has another map, a new finder replaces the second finder.
///
/// ```
/// use bevy_ecs::{prelude::*, system::RunSystemOnce};
/// use bevy_math::Vec2;
/// use bevy_tilepath::{
///     queries::NavWhatIf, tilepath::format::parse_ascii, Cell, NavGrid, NavMap, NavProjection, NavQuery,
///     Obstacle,
/// };
/// use bevy_transform::components::Transform;
///
/// let mut world = World::new();
/// let grid = parse_ascii("
///     ......
///     ..##..
///     ......
/// ")?;
/// world.spawn((NavMap::default(), NavGrid::new(grid), NavProjection::square(Vec2::splat(10.0), Vec2::splat(5.0))));
/// let tower = (Obstacle { size: Vec2::new(10.0, 20.0), ..Obstacle::default() }, Transform::from_xyz(25.0, 20.0, 0.0));
///
/// world.run_system_once(move |nav: NavQuery, mut what_if: Local<NavWhatIf>| {
///     let map = nav.only_map().unwrap();
///     let (gate, castle) = (Cell::new(0, 0), Cell::new(5, 0));
///     let cells = map.cells_under(&tower.0, &tower.1);
///     assert_eq!(cells, [(2, 1), (2, 2)].map(Cell::from), "the ghost to be drawn");
///     assert!(what_if.allows(map, cells, [(gate, castle)]).unwrap(), "it may stand");
///
///     // Any other query, on the map with the tower.
///     let upper = |map: bevy_tilepath::NavView| {
///         map.find(Cell::new(0, 2), Cell::new(5, 2)).unwrap().outcome.path().unwrap().cost().get()
///     };
///     assert_eq!(upper(map), 50);
///     assert_eq!(upper(what_if.with_closed(map, [Cell::new(2, 1), Cell::new(2, 2)])), 78);
/// }).unwrap();
/// # Ok::<(), bevy_tilepath::tilepath::format::MapTextError>(())
/// ```
#[derive(Debug, Clone, Default)]
#[doc(alias = "hypothetical", alias = "tower defence", alias = "build preview")]
pub struct NavWhatIf(Option<WhatIf>);

impl NavWhatIf {
    /// Returns a view of the map in which these cells are walls, like the cells under an
    /// [`Obstacle`]. The view has all methods of [`NavView`]. Cells that are not on the map are
    /// ignored.
    ///
    /// # Complexity
    /// The first call copies the map and the data that is computed from the map. A later call
    /// undoes the walls of the previous call, copies the edits of the map since the previous call,
    /// and adds the new walls.
    ///
    /// # Memory
    /// The memory of [`WhatIf`].
    pub fn with_closed<'a>(
        &'a mut self,
        map: NavView<'a>,
        cells: impl IntoIterator<Item = Cell>,
    ) -> NavView<'a> {
        let is = map.view.grid.finder();
        let bounds = is.grid().bounds();
        let on_map = cells.into_iter().filter(|&cell| bounds.contains(cell));
        let walls: Vec<Edit> = on_map.map(|cell| Edit::terrain(cell, WALL)).collect();
        let what_if = self.0.get_or_insert_with(|| WhatIf::new(is));
        // All cells are on the map, so there is no error.
        let finder = what_if.with_edits(is, &walls).unwrap_or(is);
        NavView { view: MapView { finder, ..map.view }, ..map }
    }

    /// Returns whether a building may stand on these cells. It may if every route that exists now
    /// also exists with walls on these cells. [`cut_routes`](Self::cut_routes) returns the routes
    /// that the walls would cut.
    ///
    /// # Errors
    /// The errors of [`NavView::is_reachable`].
    ///
    /// # Complexity
    /// The complexity of [`with_closed`](Self::with_closed). No search runs.
    pub fn allows<P: Into<Place>>(
        &mut self,
        map: NavView<'_>,
        cells: impl IntoIterator<Item = Cell>,
        routes: impl IntoIterator<Item = (P, P)>,
    ) -> Result<bool, PathFailure> {
        let routes = map.queries(routes)?;
        let supposed = self.with_closed(map, cells);
        for route in routes {
            if map.loses(&route, &supposed)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the routes that these walls would cut. Use it to show the player why a building may
    /// not stand there.
    ///
    /// Routes that do not exist now are left out. If the start of a route is under the building, a
    /// unit can still leave from it. If the goal is under the building, no path leads to the goal.
    ///
    /// # Errors
    /// The errors of [`NavView::is_reachable`].
    ///
    /// # Complexity
    /// The complexity of [`with_closed`](Self::with_closed). No search runs.
    pub fn cut_routes<P: Into<Place> + Clone>(
        &mut self,
        map: NavView<'_>,
        cells: impl IntoIterator<Item = Cell>,
        routes: impl IntoIterator<Item = (P, P)>,
    ) -> Result<Vec<(P, P)>, PathFailure> {
        let mut routes: Vec<(P, P)> = routes.into_iter().collect();
        let mut is_cut = Vec::with_capacity(routes.len());
        let supposed = self.with_closed(map, cells);
        for route in map.queries(routes.iter().cloned())? {
            is_cut.push(map.loses(&route, &supposed)?);
        }
        let mut is_cut = is_cut.into_iter();
        routes.retain(|_| is_cut.next() == Some(true));
        Ok(routes)
    }
}

impl NavView<'_> {
    /// Returns the cells that an obstacle would block at this transform: the cells of the building
    /// that the player holds.
    ///
    /// `place` is a world transform.
    #[must_use]
    pub fn cells_under(&self, obstacle: &Obstacle, place: &Transform) -> Vec<Cell> {
        obstacle.cells_on(&self.view, on_plane(&GlobalTransform::from(*place)))
    }

    /// Returns the cells on which nothing may be built if all these routes must stay: a wall on any
    /// one of them cuts a route. Draw them while the player chooses a place.
    ///
    /// The goals are included, the starts are not. Routes that do not exist now add no cells. A
    /// building of several cells may cut a route although it covers no cell of this set: use
    /// [`NavWhatIf::allows`].
    ///
    /// # Errors
    /// The errors of [`is_reachable`](Self::is_reachable).
    ///
    /// # Complexity
    /// The complexity of [`PathFinder::forbidden`](tilepath::PathFinder::forbidden), once for each
    /// route.
    ///
    /// # Examples
    /// ```
    /// use bevy_ecs::{prelude::*, system::RunSystemOnce};
    /// use bevy_tilepath::{Cell, NavGrid, NavMap, NavQuery, tilepath::format::parse_ascii};
    ///
    /// let mut world = World::new();
    /// let grid = parse_ascii("
    ///     ..#..
    ///     .....
    ///     ..#..
    /// ")?;
    /// world.spawn((NavMap::default(), NavGrid::new(grid)));
    /// world.run_system_once(|nav: NavQuery| {
    ///     let gates = [Cell::new(0, 0), Cell::new(0, 2)];
    ///     let castle = Cell::new(4, 1);
    ///     let forbidden = nav.only_map().unwrap().forbidden(gates.map(|gate| (gate, castle))).unwrap();
    ///     assert_eq!(forbidden.into_iter().collect::<Vec<_>>(), [(1, 1), (2, 1), (3, 1), (4, 1)].map(Cell::from));
    /// }).unwrap();
    /// # Ok::<(), bevy_tilepath::tilepath::format::MapTextError>(())
    /// ```
    pub fn forbidden<P: Into<Place>>(
        &self,
        ways: impl IntoIterator<Item = (P, P)>,
    ) -> Result<BTreeSet<Cell>, PathFailure> {
        let mut cells = BTreeSet::new();
        for way in self.queries(ways)? {
            cells.extend(self.view.finder.forbidden(&way)?.cells());
        }
        Ok(cells)
    }

    /// Returns whether the route exists here and does not exist on the supposed map.
    fn loses(&self, route: &PathQuery, supposed: &NavView) -> Result<bool, PathFailure> {
        Ok(self.view.finder.is_reachable(route)? && !supposed.view.finder.is_reachable(route)?)
    }

    fn queries<P: Into<Place>>(
        &self,
        ways: impl IntoIterator<Item = (P, P)>,
    ) -> Result<Vec<PathQuery>, PathFailure> {
        ways.into_iter().map(|(from, to)| self.query(from, to)).collect()
    }
}
