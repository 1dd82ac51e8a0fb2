//! Maps as they would be: for builders.

use std::collections::BTreeSet;

use bevy_transform::components::{GlobalTransform, Transform};
use tilepath::{Cell, Edit, PathQuery, WhatIf};

use crate::{
    failure::PathFailure,
    map::{map_view::MapView, nav_grid::WALL, place::Place, world_places::on_plane},
    query::view::NavView,
    sync::obstacle::Obstacle,
};

/// Questions about a map as it would be, while the player holds a building: nothing is built for them, and no unit sees it.
///
/// It keeps a second finder from the first question on: keep it, in a `Local` or in a component of what the player holds, and drop
/// it when the building is put down. For another map it makes another one.
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
///     // Any other question, on the map with the tower.
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
    /// The map as it would be if these cells were walls, as those under an [`Obstacle`] are: ask it whatever a map is asked. Cells
    /// that are not on it do no harm.
    ///
    /// # Complexity
    /// The first question copies what is known of the map. Later ones cost the edits of the map since, and the cells, twice.
    ///
    /// # Memory
    /// As [`WhatIf`].
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
        // The cells are on the map, and so there is no error.
        let finder = what_if.with_edits(is, &walls).unwrap_or(is);
        NavView { view: MapView { finder, ..map.view }, ..map }
    }

    /// Whether a building may stand on these cells: all of some routes would still be there if the cells were walls.
    /// [`cut_routes`](Self::cut_routes) returns which would not.
    ///
    /// # Errors
    /// Those of [`NavView::is_reachable`].
    ///
    /// # Complexity
    /// As [`with_closed`](Self::with_closed), and no search for a way.
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

    /// Returns those of some routes that would be there no longer if these cells were walls: to say why a building may not stand there.
    ///
    /// A route that is not there as it is does not count. From a start under the building a unit may leave; nothing leads to
    /// a goal under it.
    ///
    /// # Errors
    /// Those of [`NavView::is_reachable`].
    ///
    /// # Complexity
    /// As [`with_closed`](Self::with_closed), and no search for a way.
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
    /// The cells that an obstacle would block with its centre there, turned like that: those of the building that the player holds.
    ///
    /// The transform is that in the world.
    #[must_use]
    pub fn cells_under(&self, obstacle: &Obstacle, place: &Transform) -> Vec<Cell> {
        obstacle.cells_on(&self.view, on_plane(&GlobalTransform::from(*place)))
    }

    /// The cells on which nothing may be built if all of some ways are to stay: each alone would cut one of them off. To be drawn
    /// while the player chooses a place.
    ///
    /// Goals are among them, starts are not. Ways that there are not add none. A building of several cells that covers none of
    /// these may cut a way all the same: [`NavWhatIf::allows`].
    ///
    /// # Errors
    /// Those of [`is_reachable`](Self::is_reachable).
    ///
    /// # Complexity
    /// As [`PathFinder::forbidden`](tilepath::PathFinder::forbidden) for each way.
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

    /// Whether there is a route here, and none on the map as it is supposed to be.
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
