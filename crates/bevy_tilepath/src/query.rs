//! Queries about maps, graphs and units, answered at once.

pub(crate) mod bodies;
pub(crate) mod fields;
pub(crate) mod graphs;
pub(crate) mod reasons;
pub(crate) mod routes;
mod sight;
pub(crate) mod turns;
pub(crate) mod view;
pub(crate) mod what_if;
pub(crate) mod why_not;
mod words;

use bevy_ecs::{
    entity::Entity,
    entity_disabling::Disabled,
    hierarchy::ChildOf,
    query::{Allow, Has, With},
    system::{Query, Res, SystemParam},
};
use bevy_math::Vec2;
use bevy_transform::components::GlobalTransform;
use tilepath::Cell;

use crate::{
    disabling::DisabledEntities,
    failure::PathFailure,
    group::{
        members::{Group, GroupMember},
        order::GroupOrder,
    },
    journey::{
        agent::PathAgent,
        body::{Body, BodyPlace},
        missing_parts::Parts,
        number::AgentNumber,
        path::AgentPath,
        standing_on::{Standing, StandingOn},
        stepwise::Stepwise,
    },
    map::{
        door::known::KnownDoors,
        map_view::MapView,
        maps::{AnyMap, Maps, only},
        movement::AgentMovement,
        on_map::OnMap,
    },
    order::{request::PathRequest, status::PathStatus},
    query::view::NavView,
    search::target_places::{TargetPlace, TargetPlaces},
    sync::obstacle::BlockedCells,
    walk::{bodies::map_crowd::Crowds, clock::Clock},
};

/// A system parameter that answers questions about maps and units at once, in any system and any
/// schedule.
///
/// Use it for a preview of the path under the cursor, for the choices of a computer player, or to
/// find the tile that was clicked. It works while time is paused.
///
/// Its methods return views:
///
/// - of a tile map: [`only_map`](Self::only_map), [`map`](Self::map) by its entity,
///   [`map_at`](Self::map_at) a position, or [`map_of`](Self::map_of) a unit, with the movement of
///   this unit;
/// - of a waypoint graph: [`only_graph`](Self::only_graph), [`graph`](Self::graph).
///
/// Two methods are about units: [`why_not`](Self::why_not) returns the reason why a unit does not
/// walk, and [`bodies_on`](Self::bodies_on) returns the bodies on a map, each with its cells.
///
/// A view of a tile map, [`NavView`], answers:
///
/// - One path: [`find`](NavView::find), [`find_closest`](NavView::find_closest),
///   [`is_reachable`](NavView::is_reachable).
/// - Many paths in one search: all cells within a [`range`](NavView::range), the
///   [`nearest`](NavView::nearest) of many places, the [`k_nearest`](NavView::k_nearest), and a
///   flow [`field`](NavView::field) that leads any number of units to the same places.
/// - The path of an order, to any goal: [`find_goal`](NavView::find_goal) on this map,
///   [`route`](NavView::route) through doors.
/// - Shots: [`sees`](NavView::sees), [`cells_in_sight`](NavView::cells_in_sight).
/// - Views: [`cells_in_view`](NavView::cells_in_view),
///   [`cells_in_view_by`](NavView::cells_in_view_by).
/// - Cells and positions: [`cell_at`](NavView::cell_at), [`world_of`](NavView::world_of).
/// - Walls that would have to open if there is no path:
///   [`explain_failure`](NavView::explain_failure).
/// - The cost of each step of a path: [`explain`](NavView::explain). The extra cost of a path,
///   compared with the cheapest path: [`compare`](NavView::compare).
/// - Reasons as a sentence for the player: [`why`](NavView::why).
/// - Turn by turn: the cells where a unit can stop, with the turn in which it gets there
///   ([`solve_turns`](NavView::solve_turns)).
/// - Building: the cells that must stay open ([`forbidden`](NavView::forbidden)), and the map with
///   a building that does not stand yet ([`NavWhatIf`](crate::queries::NavWhatIf)).
/// - Other movements: [`with_movement`](NavView::with_movement).
///
/// A start or a goal is a [`Place`](crate::Place). Methods accept cells, tiles (`TilePos`) and
/// positions in the world.
///
/// Answers are about the maps as the last [`SyncMaps`](crate::TilepathSystems::SyncMaps) read them:
/// tiles, rules and the transforms of the maps. Call [`sync_maps_now`](crate::sync_maps_now) to
/// read later edits at once. If a tilemap was spawned since the last tick, answers are
/// [`PathFailure::NotReadYet`] until the tilemap is read.
///
/// Each search runs to its end: the budget of work does not limit it. For many units at a time, use
/// [`PathRequest`](crate::PathRequest)s.
///
/// A `NavQuery` reads [`NavGrid`](crate::NavGrid), [`NavProjection`](crate::NavProjection),
/// [`NavMap`](crate::NavMap), [`NavGraph`](crate::NavGraph), [`Body`] and `GlobalTransform`. It
/// reads nothing else that other systems write. A system with a `NavQuery` may also have a
/// `Query<&mut Transform>`. If the system has a `Query<&mut NavGrid>`, `Query<&mut NavGraph>`,
/// `Query<&mut Body>` or `Query<&mut GlobalTransform>`, put both parameters into a `ParamSet`.
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
///     let map = nav.only_map().unwrap();
///     let answer = map.find(Vec2::new(5.0, 25.0), Vec2::new(45.0, 25.0)).unwrap();
///     assert_eq!(answer.outcome.path().unwrap().goal(), Cell::new(4, 2));
///     assert_eq!(map.find(Cell::new(0, 2), Cell::new(4, 2)).unwrap(), answer);
///     assert!(map.is_reachable(Vec2::new(5.0, 5.0), Cell::new(4, 0)).unwrap());
///     let (clicked, cell) = nav.map_at(Vec2::new(34.0, 28.0)).unwrap();
///     assert_eq!(clicked.entity(), map.entity());
///     assert_eq!((cell, map.world_of(cell)), (Cell::new(3, 2), Some(Vec2::new(35.0, 25.0))));
/// }).unwrap();
/// # Ok::<(), bevy_tilepath::tilepath::format::MapTextError>(())
/// ```
#[derive(SystemParam)]
pub struct NavQuery<'w, 's> {
    maps: Maps<'w, 's>,
    units: Query<'w, 's, UnitParts, Allow<Disabled>>,
    journeys: Query<'w, 's, Journey, Allow<Disabled>>,
    /// The groups, with their orders if they have one. `Group` itself is not read: games may write
    /// to it.
    groups: Query<'w, 's, Option<&'static GroupOrder>, (With<Group>, Allow<Disabled>)>,
    entities: Query<'w, 's, EntityParts, Allow<Disabled>>,
    /// Missing without the plugin.
    doors: Option<Res<'w, KnownDoors>>,
    crowds: Option<Res<'w, Crowds>>,
    /// Missing without the plugin.
    clock: Option<Res<'w, Clock>>,
    disabled: DisabledEntities<'w>,
    parts: Query<'w, 's, Parts, (With<PathAgent>, Allow<Disabled>)>,
    bodies: Query<'w, 's, (&'static Body, &'static BodyPlace)>,
}

type Journey = (
    Entity,
    &'static PathStatus,
    Option<&'static AgentPath>,
    Option<&'static BodyPlace>,
    Option<(&'static GroupMember, &'static AgentNumber)>,
    Has<PathAgent>,
    Has<Stepwise>,
);

type EntityParts = (
    Option<&'static OnMap>,
    Option<&'static StandingOn>,
    &'static GlobalTransform,
    Option<&'static AgentMovement>,
    Option<&'static BlockedCells>,
    Has<ChildOf>,
);

type UnitParts = (Option<&'static OnMap>, Option<&'static AgentMovement>, Option<&'static PathRequest>);

impl TargetPlaces for NavQuery<'_, '_> {
    fn place_of(&self, target: Entity) -> Option<TargetPlace<'_>> {
        let (on_map, last_seen, transform, movement, blocked, is_child) = self.entities.get(target).ok()?;
        // `GlobalTransform` is from the last frame. `StandingOn` has the place where the plugin put
        // an agent.
        let put = last_seen.and_then(StandingOn::local).filter(|_| !is_child);
        let here = put.unwrap_or_else(|| transform.translation().truncate());
        Some(TargetPlace { on_map, standing: Standing { here, local: here, last_seen }, movement, blocked })
    }
}

impl NavQuery<'_, '_> {
    /// Returns the tile map with this entity.
    ///
    /// # Errors
    /// - [`PathFailure::NoMap`] if the entity is not a tile map.
    /// - [`PathFailure::NotReadYet`] if the tiles of the map, or the file with its rules, have not
    ///   been read yet.
    pub fn map(&self, map: Entity) -> Result<NavView<'_>, PathFailure> {
        match self.maps.get(map) {
            Some(AnyMap::Tiles(view)) if view.grid.is_ready() => Ok(self.seen(view)),
            Some(AnyMap::Tiles(_)) => Err(PathFailure::NotReadYet { map }),
            Some(AnyMap::Graph(_)) | None => Err(PathFailure::NoMap),
        }
    }

    /// Returns the tile map of a world that has only one.
    ///
    /// # Errors
    /// - [`PathFailure::NoMap`] if there is no tile map.
    /// - [`PathFailure::NotReadYet`] if the tile map has not been read yet.
    /// - [`PathFailure::AmbiguousMap`] if there are several tile maps.
    pub fn only_map(&self) -> Result<NavView<'_>, PathFailure> {
        self.map(only(self.maps.tile_maps(), PathFailure::NoMap)?.map)
    }

    /// Returns a view of the map on which a unit is. The view has the movement of the unit's order.
    /// If the order has no movement, the view has the unit's own movement.
    ///
    /// A unit without [`OnMap`](crate::OnMap) is on the only tile map.
    ///
    /// # Errors
    /// - [`PathFailure::NoMap`] if the unit's [`OnMap`](crate::OnMap) has an entity that is not a
    ///   tile map, or if there is no tile map.
    /// - [`PathFailure::NotReadYet`] if the map of the unit has not been read yet.
    /// - [`PathFailure::AmbiguousMap`] if the unit has no [`OnMap`](crate::OnMap) and there are
    ///   several tile maps.
    /// - [`PathFailure::UnknownMovement`] if the map does not define the movement.
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
    ///     assert!(nav.map_of(walker).unwrap().is_reachable(Cell::new(0, 0), Cell::new(8, 8)).unwrap());
    ///     assert!(matches!(nav.map_of(sailor).unwrap_err(), PathFailure::UnknownMovement { .. }));
    /// }).unwrap();
    /// # Ok::<(), bevy_tilepath::tilepath::GridError>(())
    /// ```
    pub fn map_of(&self, unit: Entity) -> Result<NavView<'_>, PathFailure> {
        let (on_map, movement, request) = self.units.get(unit).unwrap_or_default();
        let view = on_map.map_or_else(|| self.only_map(), |on_map| self.map(on_map.0))?;
        view.by(request.and_then(PathRequest::movement).or(movement))
    }

    /// Returns the tile map under a position in the world, and the cell at this position. If
    /// several maps have a cell there, returns the map with the lowest entity. If no map has a cell
    /// there, returns `None`.
    #[must_use]
    pub fn map_at(&self, world: Vec2) -> Option<(NavView<'_>, Cell)> {
        let ready = self.maps.tile_maps().filter(|view| view.grid.is_ready());
        let under = ready.filter_map(|view| {
            let view = self.seen(view);
            Some((view, view.cell_at(world)?))
        });
        under.min_by_key(|(view, _)| view.entity())
    }

    /// Returns the map as a view that also has all other maps, for routes through doors.
    fn seen<'a>(&'a self, view: MapView<'a>) -> NavView<'a> {
        NavView { view, nav: self }
    }
}
