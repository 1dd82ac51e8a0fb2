//! Questions that are answered at once.

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
        standing_on::{Standing, StandingOn},
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

/// Gives views of maps, which answer questions at once, in any system and any schedule: a preview of the path under the
/// cursor, the choices of a computer player, the tile that was clicked. Works while time is paused.
///
/// - A tile map: [`only_map`](Self::only_map), [`map`](Self::map) by its entity, [`map_at`](Self::map_at) a position, or
///   [`map_of`](Self::map_of) a unit, by the unit's own movement.
/// - A waypoint graph: [`only_graph`](Self::only_graph), [`graph`](Self::graph).
/// - A unit: [`why_not`](Self::why_not) it walks, and which [bodies](Self::bodies_on) stand where.
///
/// The view of a tile map answers:
///
/// - One path: [`find`](NavView::find), [`find_closest`](NavView::find_closest), [`is_reachable`](NavView::is_reachable).
/// - Many paths by one search: [`range`](NavView::range) a budget, the [`nearest`](NavView::nearest) of
///   many places and the [`k_nearest`](NavView::k_nearest), a flow field that leads any number of units to the same places
///   ([`field`](NavView::field)).
/// - What an order would walk, to any goal: [`find_goal`](NavView::find_goal) on the map, [`route`](NavView::route) through doors.
/// - Sight: [`sees`](NavView::sees), [`cells_in_sight`](NavView::cells_in_sight).
/// - Cells and positions: [`cell_at`](NavView::cell_at), [`world_of`](NavView::world_of).
/// - Reasons: which walls would have to open where there is no path ([`explain_failure`](NavView::explain_failure)), what
///   each step of a route costs ([`explain`](NavView::explain)), how much more a route costs than the cheapest
///   ([`compare`](NavView::compare)), and all reasons in a sentence for the player ([`why`](NavView::why)).
/// - Turn by turn: where a unit can stop after which turn ([`solve_turns`](NavView::solve_turns)).
/// - Building: which cells must stay open ([`forbidden`](NavView::forbidden)), and the map as it would be
///   ([`NavWhatIf`](crate::queries::NavWhatIf)).
/// - Other movements: [`with_movement`](NavView::with_movement).
///
/// A way leads from one [`Place`](crate::Place) to another: cells, tiles (`TilePos`) and positions in the world are taken alike.
///
/// Everything is as it was in the last [`SyncMaps`](crate::TilepathSystems::SyncMaps): tiles, rules, and where the maps stand.
/// [`sync_maps_now`](crate::sync_maps_now) makes it as it is. Each search is run to its end, past every budget; for many units
/// at a time give [`PathRequest`](crate::PathRequest)s.
///
/// A tilemap that was spawned since the last tick answers [`PathFailure::NotReadYet`]: `sync_maps_now` reads it at once.
///
/// It reads [`NavGrid`](crate::NavGrid), [`NavProjection`](crate::NavProjection), [`NavMap`](crate::NavMap), [`NavGraph`](crate::NavGraph), [`Body`] and
/// `GlobalTransform`, and nothing else that other systems write. Use it beside `Query<&mut Transform>` as you like; beside
/// `Query<&mut NavGrid>`, `Query<&mut NavGraph>`, `Query<&mut Body>` or `Query<&mut GlobalTransform>` it needs a `ParamSet`.
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
    /// With their orders, if they have one. Games write to what they know of their members.
    groups: Query<'w, 's, Option<&'static GroupOrder>, (With<Group>, Allow<Disabled>)>,
    entities: Query<'w, 's, EntityParts, Allow<Disabled>>,
    /// Missing without the plugin.
    doors: Option<Res<'w, KnownDoors>>,
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
        // A global transform is one of the last frame; where the plugin has put an agent is known.
        let put = last_seen.and_then(StandingOn::local).filter(|_| !is_child);
        let here = put.unwrap_or_else(|| transform.translation().truncate());
        Some(TargetPlace { on_map, standing: Standing { here, local: here, last_seen }, movement, blocked })
    }
}

impl NavQuery<'_, '_> {
    /// Returns the tile map with this entity.
    ///
    /// # Errors
    /// - [`PathFailure::NoMap`] if the entity is not a map of tiles.
    /// - [`PathFailure::NotReadYet`] if its tiles, or the file of its rules, have not been read yet.
    pub fn map(&self, map: Entity) -> Result<NavView<'_>, PathFailure> {
        match self.maps.get(map) {
            Some(AnyMap::Tiles(view)) if view.grid.is_ready() => Ok(self.seen(view)),
            Some(AnyMap::Tiles(_)) => Err(PathFailure::NotReadYet { map }),
            Some(AnyMap::Graph(_)) | None => Err(PathFailure::NoMap),
        }
    }

    /// Returns the tile map of a world that has one.
    ///
    /// # Errors
    /// - [`PathFailure::NoMap`] if there is no tile map.
    /// - [`PathFailure::NotReadYet`] if it has not been read yet.
    /// - [`PathFailure::AmbiguousMap`] if there are several.
    pub fn only_map(&self) -> Result<NavView<'_>, PathFailure> {
        self.map(only(self.maps.tile_maps(), PathFailure::NoMap)?.map)
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

    /// Returns the tile map under a position in the world, and the cell there; `None` where no map has a cell. Where maps
    /// overlap, the map with the lowest entity.
    #[must_use]
    pub fn map_at(&self, world: Vec2) -> Option<(NavView<'_>, Cell)> {
        let ready = self.maps.tile_maps().filter(|view| view.grid.is_ready());
        let under = ready.filter_map(|view| {
            let view = self.seen(view);
            Some((view, view.cell_at(world)?))
        });
        under.min_by_key(|(view, _)| view.entity())
    }

    /// The map with all others, for routes that lead through doors.
    fn seen<'a>(&'a self, view: MapView<'a>) -> NavView<'a> {
        NavView { view, nav: self }
    }
}
