//! Questions that are answered at once.

pub(crate) mod bodies;
pub(crate) mod fields;
pub(crate) mod graphs;
pub(crate) mod reasons;
pub(crate) mod turns;
pub(crate) mod what_if;
pub(crate) mod why_not;
mod words;

use bevy_ecs::{
    entity::Entity,
    entity_disabling::Disabled,
    query::{Allow, Has, With},
    system::{Query, Res, SystemParam},
};
use bevy_math::Vec2;
use tilepath::{Answer, Cell, MovementId, Path, PathFinder, PathQuery};

use crate::{
    failure::PathFailure,
    group::{
        members::{Group, GroupMember},
        order::GroupOrder,
    },
    journey::{
        agent::PathAgent,
        body::{Body, BodyPlace},
        number::AgentNumber,
        path::AgentPath,
    },
    map::{
        maps::{AnyMap, Maps, only},
        movement::AgentMovement,
        nav_grid::NavGrid,
        nav_view::NavView,
        on_map::OnMap,
        place::Place,
        projection::NavProjection,
    },
    order::{request::PathRequest, status::PathStatus},
    walk::{bodies::map_crowd::Crowds, clock::Clock},
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
///   ([`NavView::compare`]), and all that in a sentence for the player ([`NavView::why`]).
/// - Turn by turn: where a unit can stop after which turn ([`NavView::solve_turns`]).
/// - Building: which cells must stay open ([`NavView::forbidden`]), and the map as it would be ([`NavWhatIf`](crate::NavWhatIf)).
/// - As a unit: [`of`](Self::of) answers by a unit's own movement, and [`NavView::with_movement`] by any; everything else
///   goes by the rules of the map.
/// - Waypoint graphs: [`graph`](Self::graph) and [`only_graph`](Self::only_graph) answer for those. Everything else
///   here is about tile maps.
///
/// A way leads from one [`Place`] to another: cells, tiles (`TilePos`) and positions in the world are taken alike.
///
/// Everything is as it was in the last [`SyncMaps`](crate::TilepathSystems::SyncMaps): tiles, rules, and where the maps stand.
/// [`sync_maps_now`](crate::sync_maps_now) makes it as it is. Each search is run to its end, past every budget; for many units
/// at a time give [`PathRequest`](crate::PathRequest)s.
///
/// With one map in the world no map has to be named; otherwise ask [`NavQuery::on`]. A tilemap that was spawned since the last
/// tick answers [`PathFailure::NotReadYet`]: `sync_maps_now` reads it at once.
///
/// It reads [`NavGrid`], [`NavProjection`], [`NavMap`](crate::NavMap), [`NavGraph`](crate::NavGraph) and [`Body`], and nothing
/// else that could be written elsewhere. Use it beside `Query<&mut Transform>` as you like; beside `Query<&mut NavGrid>`,
/// `Query<&mut NavGraph>` or `Query<&mut Body>` it needs a `ParamSet`.
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
    units: Query<'w, 's, UnitParts, Allow<Disabled>>,
    journeys: Query<'w, 's, Journey, Allow<Disabled>>,
    /// With their orders, if they have one. Games write to what they know of their members.
    groups: Query<'w, 's, Option<&'static GroupOrder>, (With<Group>, Allow<Disabled>)>,
    crowds: Option<Res<'w, Crowds>>,
    /// Missing without the plugin.
    clock: Option<Res<'w, Clock>>,
    bodies: Query<'w, 's, (&'static Body, &'static BodyPlace)>,
}

type Journey = (
    Entity,
    &'static PathStatus,
    Option<&'static AgentPath>,
    Option<&'static BodyPlace>,
    Option<(&'static GroupMember, &'static AgentNumber)>,
    Has<PathAgent>,
);

type UnitParts = (Option<&'static OnMap>, Option<&'static AgentMovement>, Option<&'static PathRequest>);

impl NavQuery<'_, '_> {
    /// The map with this entity.
    ///
    /// # Errors
    /// - [`PathFailure::NoMap`] if the entity is not a map of tiles.
    /// - [`PathFailure::NotReadYet`] if its tiles, or the file of its rules, have not been read yet.
    pub fn on(&self, map: Entity) -> Result<NavView<'_>, PathFailure> {
        match self.maps.get(map) {
            Some(AnyMap::Tiles(view)) if view.grid.is_ready() => Ok(view),
            Some(AnyMap::Tiles(_)) => Err(PathFailure::NotReadYet { map }),
            Some(AnyMap::Graph(_)) | None => Err(PathFailure::NoMap),
        }
    }

    /// The only map.
    ///
    /// # Errors
    /// - [`PathFailure::NoMap`] if there is no map.
    /// - [`PathFailure::NotReadYet`] if it has not been read yet.
    /// - [`PathFailure::AmbiguousMap`] if there are several.
    pub fn only(&self) -> Result<NavView<'_>, PathFailure> {
        self.on(only(self.maps.tile_maps(), PathFailure::NoMap)?.map)
    }

    /// The map of a unit, as the unit sees it: the one it is on, or else the only one, by the movement of its order or its own.
    ///
    /// # Errors
    /// - [`PathFailure::NoMap`] if it is not on a map of tiles.
    /// - [`PathFailure::NotReadYet`] if its map has not been read yet.
    /// - [`PathFailure::AmbiguousMap`] if it is on none and there are several.
    /// - [`PathFailure::UnknownMovement`] if its map does not define its movement.
    ///
    /// # Examples
    /// ```
    /// use bevy_ecs::{prelude::*, system::RunSystemOnce};
    /// use bevy_tilepath::{Cell, NavGrid, NavMap, NavQuery, PathAgent, PathFailure, tilepath::Grid};
    ///
    /// let mut world = World::new();
    /// world.spawn((NavMap::default(), NavGrid::new(Grid::new(9, 9, 1)?)));
    /// let walker = world.spawn(PathAgent::default()).id();
    /// let sailor = world.spawn((PathAgent::default(), bevy_tilepath::AgentMovement::from("boat"))).id();
    /// world.run_system_once(move |nav: NavQuery| {
    ///     assert!(nav.of(walker).unwrap().is_reachable(Cell::new(0, 0), Cell::new(8, 8)).unwrap());
    ///     assert!(matches!(nav.of(sailor).unwrap_err(), PathFailure::UnknownMovement { .. }));
    /// }).unwrap();
    /// # Ok::<(), bevy_tilepath::tilepath::GridError>(())
    /// ```
    pub fn of(&self, unit: Entity) -> Result<NavView<'_>, PathFailure> {
        let (on_map, movement, request) = self.units.get(unit).unwrap_or_default();
        let view = on_map.map_or_else(|| self.only(), |on_map| self.on(on_map.0))?;
        view.by(request.and_then(PathRequest::movement).or(movement))
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
    /// The same map as a unit sees it that moves like this: all answers are for that.
    ///
    /// # Errors
    /// [`PathFailure::UnknownMovement`] for a name that the map does not define, and for a movement that no unit and no order
    /// has of its own.
    ///
    /// # Examples
    /// ```
    /// use bevy_app::App;
    /// use bevy_ecs::{prelude::*, system::RunSystemOnce};
    /// use bevy_tilepath::{
    ///     Cell, CostTable, Movement, NavGrid, NavMap, NavQuery, TilepathPlugin, sync_maps_now,
    ///     tilepath::format::parse_ascii,
    /// };
    ///
    /// let mut app = App::new();
    /// app.add_plugins(TilepathPlugin::default());
    /// let world = app.world_mut();
    /// let boat = Movement::new().with_costs(CostTable::impassable().with(4, 1));
    /// world.spawn((NavMap::default().with_movement("boat", boat), NavGrid::new(parse_ascii("4#4\n444")?)));
    /// sync_maps_now(world)?;
    ///
    /// world.run_system_once(|nav: NavQuery| {
    ///     let map = nav.only().unwrap();
    ///     let (from, to) = (Cell::new(0, 1), Cell::new(2, 1));
    ///     let walked = map.find(from, to).unwrap().outcome.path().unwrap().cost();
    ///     let sailed = map.with_movement("boat").unwrap().find(from, to).unwrap().outcome.path().unwrap().cost();
    ///     assert_eq!((walked.get(), sailed.get()), (160, 40));
    ///     assert!(map.with_movement("cart").unwrap_err().to_string().contains("NavMap::with_movement"));
    /// }).unwrap();
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_movement(self, movement: impl Into<AgentMovement>) -> Result<Self, PathFailure> {
        self.by(Some(&movement.into()))
    }

    /// The movement by which it answers, as queries to the [`finder`](NavGrid::finder) name it.
    #[must_use]
    pub fn movement(&self) -> MovementId {
        self.movement
    }

    /// The map's entity.
    #[must_use]
    pub fn map(&self) -> Entity {
        self.map
    }

    /// What answers: the finder of the map's grid, or of the map as it [would be](crate::NavWhatIf).
    #[must_use]
    pub fn finder(&self) -> &'a PathFinder {
        self.finder
    }

    /// The map's grid as it is.
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
        Ok(PathQuery::new(from, to).with_movement(self.movement))
    }

    /// Answers a query, by whatever rules it names.
    ///
    /// # Errors
    /// The core's [`QueryError`](tilepath::QueryError), as the plugin words it.
    pub fn solve(&self, query: &PathQuery) -> Result<Answer, PathFailure> {
        Ok(self.finder.solve(query)?)
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
        Ok(self.finder.is_reachable(&query)?)
    }

    /// The cell of this map under a position in the world. By a movement of several cells it is the cell of a unit there.
    #[must_use]
    pub fn tile_at(&self, world: Vec2) -> Option<Cell> {
        self.cell_at(world).filter(|&cell| self.grid.grid().contains(cell))
    }

    /// The centre of a cell in the world; `None` if the cell is not on the map. By a movement of several cells it is where a
    /// unit stands that has this cell.
    #[must_use]
    pub fn world_of(&self, cell: Cell) -> Option<Vec2> {
        self.grid.grid().contains(cell).then(|| self.position_of(cell))
    }

    /// The points of a path in the world, to draw it: the centres of its cells or, by a movement of several cells, where the
    /// unit stands.
    #[must_use]
    pub fn points(&self, path: &Path) -> Vec<Vec2> {
        path.cells().iter().map(|&cell| self.position_of(cell)).collect()
    }
}
