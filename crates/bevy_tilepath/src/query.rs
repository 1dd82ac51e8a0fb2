//! Questions that are answered at once.

pub(crate) mod fields;
pub(crate) mod graphs;
pub(crate) mod reasons;

use bevy_ecs::{entity::Entity, system::SystemParam};
use bevy_math::Vec2;
use tilepath::{Answer, Cell, Path, PathQuery};

use crate::{
    failure::PathFailure,
    map::{
        maps::{AnyMap, Maps, only},
        nav_map::NavGrid,
        nav_view::NavView,
        place::Place,
        projection::NavProjection,
    },
};

/// Answers questions about maps at once, in any system and any schedule: a preview of the path under the
/// cursor, the choices of a computer player, the tile that was clicked. Works while time is paused.
///
/// - One way: [`find`](Self::find), [`find_closest`](Self::find_closest), [`is_reachable`](Self::is_reachable).
/// - Many ways by one search: [`reachable_within`](Self::reachable_within) a budget, the
///   [`nearest`](Self::nearest) of many places and the [`k_nearest`](Self::k_nearest), a flow field that leads
///   any number of units to the same places ([`flow_field_to`](Self::flow_field_to)).
/// - Cells and positions: [`tile_at`](Self::tile_at), [`world_of`](Self::world_of).
/// - Reasons: which walls would have to open where there is no way ([`explain_failure`](Self::explain_failure)), what
///   each step of a route costs ([`NavView::explain`]), how much more it costs than the cheapest
///   ([`NavView::compare`]).
/// - Waypoint graphs: [`graph`](Self::graph) and [`only_graph`](Self::only_graph) answer for those. Everything else
///   here is about tile maps.
///
/// A way leads from one [`Place`] to another: cells, tiles (`TilePos`) and positions in the world are taken alike.
///
/// Everything is as it was in the last [`SyncMaps`](crate::TilepathSystems::SyncMaps): tiles, rules,
/// and where the maps stand. [`sync_maps_now`](crate::sync_maps_now) makes it as it is. Each search is run to its end, past every budget; for many units at a time
/// give [`PathRequest`](crate::PathRequest)s.
///
/// With one map in the world no map has to be named; otherwise ask [`NavQuery::on`]. A map that is not
/// ready counts as no map.
///
/// It reads [`NavGrid`], [`NavProjection`], [`NavMap`](crate::NavMap) and [`NavGraph`](crate::NavGraph) and nothing else. Use it beside
/// `Query<&mut Transform>` as you like; beside `Query<&mut NavGrid>` or `Query<&mut NavGraph>` it needs a `ParamSet`.
///
/// ```
/// use bevy_ecs::{prelude::*, system::RunSystemOnce};
/// use bevy_math::Vec2;
/// use bevy_tilepath::{Cell, NavGrid, NavMap, NavProjection, NavQuery, tilepath::format::parse_ascii};
///
/// let mut world = World::new();
/// let grid = parse_ascii("
///     ...#.
///     ...#.
///     .....
/// ")?;
/// world.spawn((NavMap::default(), NavGrid::new(grid), NavProjection::square(Vec2::splat(10.0), Vec2::splat(5.0))));
///
/// world.run_system_once(|nav: NavQuery| {
///     let answer = nav.find(Vec2::new(5.0, 25.0), Vec2::new(45.0, 25.0)).unwrap();
///     assert_eq!(answer.outcome.path().unwrap().goal(), Cell::new(4, 2));
///     assert_eq!(nav.find(Cell::new(0, 2), Cell::new(4, 2)).unwrap(), answer);
///     assert!(nav.is_reachable(Vec2::new(5.0, 5.0), Cell::new(4, 0)).unwrap());
///     let (map, cell) = nav.tile_at(Vec2::new(34.0, 28.0)).unwrap();
///     assert_eq!(cell, Cell::new(3, 2));
///     assert_eq!(nav.world_of(map, cell), Some(Vec2::new(35.0, 25.0)));
/// }).unwrap();
/// # Ok::<(), bevy_tilepath::tilepath::format::MapTextError>(())
/// ```
#[derive(SystemParam)]
pub struct NavQuery<'w, 's> {
    maps: Maps<'w, 's>,
}

impl NavQuery<'_, '_> {
    /// The map with this entity.
    ///
    /// # Errors
    /// [`PathFailure::NoMap`] if it is no map or not ready yet.
    pub fn on(&self, map: Entity) -> Result<NavView<'_>, PathFailure> {
        match self.maps.ready(map) {
            Some(AnyMap::Tiles(view)) => Ok(view),
            _ => Err(PathFailure::NoMap),
        }
    }

    /// The only map.
    ///
    /// # Errors
    /// - [`PathFailure::NoMap`] if there is none or it is not ready yet.
    /// - [`PathFailure::AmbiguousMap`] if there are several.
    pub fn only(&self) -> Result<NavView<'_>, PathFailure> {
        self.on(only(self.maps.tile_maps(), PathFailure::NoMap)?.map)
    }

    /// The cheapest path between two places, on the only map. That there is no way is
    /// an answer, not an error.
    ///
    /// # Errors
    /// Those of [`NavQuery::only`] and [`NavView::find`].
    pub fn find(&self, from: impl Into<Place>, to: impl Into<Place>) -> Result<Answer, PathFailure> {
        self.only()?.find(from, to)
    }

    /// Like [`find`](Self::find), with the path to the closest reachable cell if there is no way.
    ///
    /// # Errors
    /// Those of [`NavQuery::only`] and [`NavView::find`].
    pub fn find_closest(&self, from: impl Into<Place>, to: impl Into<Place>) -> Result<Answer, PathFailure> {
        self.only()?.find_closest(from, to)
    }

    /// Whether a way leads from one place to another, on the only map. No search is made.
    ///
    /// # Errors
    /// Those of [`NavQuery::only`] and [`NavView::is_reachable`].
    pub fn is_reachable(&self, from: impl Into<Place>, to: impl Into<Place>) -> Result<bool, PathFailure> {
        self.only()?.is_reachable(from, to)
    }

    /// The map and the cell under a position in the world, if any. Where maps overlap, the one with the
    /// lowest entity.
    #[must_use]
    pub fn tile_at(&self, world: Vec2) -> Option<(Entity, Cell)> {
        let ready = self.maps.tile_maps().filter(|view| view.grid.is_ready());
        ready.filter_map(|view| Some((view.map, view.tile_at(world)?))).min_by_key(|&(map, _)| map)
    }

    /// The centre of a cell in the world; `None` if the map is not ready or the cell not on it.
    #[must_use]
    pub fn world_of(&self, map: Entity, cell: Cell) -> Option<Vec2> {
        self.on(map).ok()?.world_of(cell)
    }
}

impl<'a> NavView<'a> {
    /// The map's entity.
    #[must_use]
    pub fn map(&self) -> Entity {
        self.map
    }

    /// The map's grid.
    #[must_use]
    pub fn grid(&self) -> &'a NavGrid {
        self.grid
    }

    /// Where the map's cells lie.
    #[must_use]
    pub fn projection(&self) -> &'a NavProjection {
        self.projection
    }

    /// A query between two places by the map's rules, to add options to.
    ///
    /// # Errors
    /// - [`PathFailure::PositionNotFinite`]
    /// - [`PathFailure::MapWithoutArea`]
    /// - [`PathFailure::WrongKindOfMap`] for a waypoint: ask [`NavQuery::graph`].
    /// - [`PathFailure::StartOutOfBounds`] and [`PathFailure::GoalOutOfBounds`] for positions beyond all
    ///   cells; those that are merely off the map are noticed by [`solve`](Self::solve).
    pub fn query(&self, from: impl Into<Place>, to: impl Into<Place>) -> Result<PathQuery, PathFailure> {
        let from = self.cell_of(&from.into(), PathFailure::start_off)?;
        let to = self.cell_of(&to.into(), PathFailure::goal_off)?;
        Ok(PathQuery::new(from, to).with_movement(self.grid.movement()))
    }

    /// Answers a query, by whatever rules it names.
    ///
    /// # Errors
    /// The core's [`QueryError`](tilepath::QueryError), as the plugin words it.
    pub fn solve(&self, query: &PathQuery) -> Result<Answer, PathFailure> {
        Ok(self.grid.finder().solve(query)?)
    }

    /// The cheapest path between two places. That there is no way is an answer, not an
    /// error.
    ///
    /// # Errors
    /// - [`PathFailure::PositionNotFinite`]
    /// - [`PathFailure::MapWithoutArea`], [`PathFailure::MapWithoutCells`]
    /// - [`PathFailure::WrongKindOfMap`] for a waypoint: ask [`NavQuery::graph`].
    /// - [`PathFailure::StartOutOfBounds`]
    /// - [`PathFailure::GoalOutOfBounds`]
    /// - [`PathFailure::CostOverflow`]
    pub fn find(&self, from: impl Into<Place>, to: impl Into<Place>) -> Result<Answer, PathFailure> {
        self.solve(&self.query(from, to)?)
    }

    /// Like [`find`](Self::find), with the path to the closest reachable cell if there is no way.
    ///
    /// # Errors
    /// Those of [`find`](Self::find).
    pub fn find_closest(&self, from: impl Into<Place>, to: impl Into<Place>) -> Result<Answer, PathFailure> {
        self.solve(&self.query(from, to)?.or_closest())
    }

    /// Whether a way leads from one place to another. Exact, and no search is made.
    ///
    /// # Errors
    /// Those of [`find`](Self::find) but for [`PathFailure::CostOverflow`]: what the way costs plays no part.
    ///
    /// # Complexity
    /// Two look-ups in the regions of the map, which every search shares. The first question after edits
    /// brings these in step, in microseconds for an edit; the first of all labels the whole map.
    pub fn is_reachable(&self, from: impl Into<Place>, to: impl Into<Place>) -> Result<bool, PathFailure> {
        let query = self.query(from, to)?;
        Ok(self.grid.finder().is_reachable(&query)?)
    }

    /// The cell of this map under a position in the world.
    #[must_use]
    pub fn tile_at(&self, world: Vec2) -> Option<Cell> {
        self.projection.cell_at_world(world).filter(|&cell| self.grid.bounds().contains(cell))
    }

    /// The centre of a cell in the world; `None` if the cell is not on the map.
    #[must_use]
    pub fn world_of(&self, cell: Cell) -> Option<Vec2> {
        self.grid.bounds().contains(cell).then(|| self.projection.world_position_of(cell))
    }

    /// The centres of a path's cells in the world, to draw it.
    #[must_use]
    pub fn points(&self, path: &Path) -> Vec<Vec2> {
        path.cells().iter().map(|&cell| self.projection.world_position_of(cell)).collect()
    }
}
