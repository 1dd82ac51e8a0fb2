//! Maps of both kinds: tile maps and waypoint graphs.

use bevy_ecs::{
    entity::{Entities, Entity},
    query::{With, Without},
    system::{Query, SystemParam},
};
use bevy_math::Vec2;

use crate::{
    failure::PathFailure,
    map::{
        graph_view::NavGraphView,
        map_view::MapView,
        movement::AgentMovement,
        nav_graph::NavGraph,
        nav_grid::NavGrid,
        nav_map::NavMap,
        place::{MapPlace, Place, local_point},
        projection::NavProjection,
        version::Version,
    },
};

/// All maps.
#[derive(SystemParam)]
pub(crate) struct Maps<'w, 's> {
    tiles: Query<'w, 's, (Entity, &'static NavGrid, &'static NavProjection), With<NavMap>>,
    graphs: Query<'w, 's, (Entity, &'static NavGraph, &'static NavProjection), Without<NavMap>>,
    pub(crate) entities: &'w Entities,
}

/// A map of one of the two kinds.
#[derive(Debug, Clone, Copy)]
pub(crate) enum AnyMap<'a> {
    Tiles(MapView<'a>),
    Graph(NavGraphView<'a>),
}

/// All maps as a unit sees them: the maps that know its movement.
#[derive(Clone, Copy)]
pub(crate) struct UnitMaps<'a, 'w, 's> {
    pub(crate) all: &'a Maps<'w, 's>,
    pub(crate) movement: Option<&'a AgentMovement>,
}

impl<'a> UnitMaps<'a, '_, '_> {
    /// Returns the map by the unit's movement, or [`PathFailure::UnknownMovement`] if the map does
    /// not know it.
    pub(crate) fn see(&self, map: AnyMap<'a>) -> Result<AnyMap<'a>, PathFailure> {
        match map {
            AnyMap::Tiles(view) => view.by(self.movement).map(AnyMap::Tiles),
            AnyMap::Graph(_) => Ok(map),
        }
    }

    pub(crate) fn get(&self, map: Entity) -> Option<AnyMap<'a>> {
        self.see(self.all.get(map)?).ok()
    }

    /// Returns the map, if agents may walk on it.
    pub(crate) fn ready(&self, map: Entity) -> Option<AnyMap<'a>> {
        self.find(map).ok()
    }

    /// Returns the map, or the reason why the unit cannot walk on it.
    pub(crate) fn find(&self, map: Entity) -> Result<AnyMap<'a>, PathFailure> {
        self.see(self.all.ready(map).ok_or(PathFailure::NoMap)?)
    }
}

impl AnyMap<'_> {
    pub(crate) fn version(&self) -> Version {
        match self {
            Self::Tiles(view) => view.grid.version(),
            Self::Graph(view) => view.nav_graph.version(),
        }
    }

    pub(crate) fn entity(&self) -> Entity {
        match self {
            Self::Tiles(view) => view.map,
            Self::Graph(view) => view.map,
        }
    }

    pub(crate) fn is_ready(&self) -> bool {
        match self {
            Self::Tiles(view) => view.grid.is_ready(),
            Self::Graph(view) => view.nav_graph.is_ready(),
        }
    }

    pub(crate) fn projection(&self) -> &NavProjection {
        match self {
            Self::Tiles(view) => view.projection,
            Self::Graph(view) => view.projection,
        }
    }

    /// Returns the value of one cost unit, in world units.
    pub(crate) fn unit(&self) -> f64 {
        match self {
            Self::Tiles(view) => view.unit(),
            Self::Graph(view) => view.projection.scale(),
        }
    }

    /// Returns the value of one cost unit, in world units, if agents can walk there at all.
    pub(crate) fn usable_unit(&self) -> Option<f64> {
        let unit = self.unit();
        (self.projection().is_somewhere() && unit.is_finite() && unit > 0.0).then_some(unit)
    }

    /// Returns whether the former place of an agent still exists.
    pub(crate) fn has(&self, map_place: &MapPlace) -> bool {
        match (self, map_place) {
            (Self::Graph(view), MapPlace::Waypoint(id)) => view.graph().contains(id),
            (Self::Graph(view), MapPlace::OnEdge { from, to, .. }) => view.graph().edge(from, to).is_some(),
            (Self::Tiles(view), MapPlace::Cell(cell)) => view.grid.bounds().contains(*cell),
            _ => true,
        }
    }

    /// Returns whether a door may lead agents to this place.
    pub(crate) fn lets_in(&self, map_place: &MapPlace) -> bool {
        match (self, map_place) {
            (Self::Tiles(view), MapPlace::Cell(cell)) => view.is_passable(*cell),
            _ => true,
        }
    }

    /// Returns the world position of a door's end.
    pub(crate) fn point_of(&self, end: &MapPlace) -> Option<Vec2> {
        match (self, end) {
            (Self::Tiles(view), MapPlace::Cell(cell)) => Some(view.position_of(*cell)),
            (Self::Graph(view), MapPlace::Waypoint(id)) => {
                let position = view.graph().position(id)?;
                Some(view.projection.world_of(local_point(position)))
            }
            _ => None,
        }
    }

    /// Returns the place of this map for `place`.
    pub(crate) fn map_place_of(&self, place: &Place) -> Result<MapPlace, PathFailure> {
        match self {
            Self::Graph(view) => view.map_place_of(place),
            Self::Tiles(view) => view.cell_of(place, PathFailure::goal_off).map(MapPlace::Cell),
        }
    }
}

impl<'w, 's> Maps<'w, 's> {
    /// Returns the maps as a unit with this movement sees them.
    pub(crate) fn of<'a>(&'a self, movement: Option<&'a AgentMovement>) -> UnitMaps<'a, 'w, 's> {
        UnitMaps { all: self, movement }
    }

    pub(crate) fn get(&self, map: Entity) -> Option<AnyMap<'_>> {
        if let Ok((map, grid, projection)) = self.tiles.get(map) {
            return Some(AnyMap::Tiles(MapView::new(map, grid, projection)));
        }
        let (map, nav_graph, projection) = self.graphs.get(map).ok()?;
        Some(AnyMap::Graph(NavGraphView { map, nav_graph, projection }))
    }

    /// Returns the map, if agents may walk on it.
    pub(crate) fn ready(&self, map: Entity) -> Option<AnyMap<'_>> {
        self.get(map).filter(AnyMap::is_ready)
    }

    pub(crate) fn tile_maps(&self) -> impl Iterator<Item = MapView<'_>> {
        self.tiles.iter().map(|(map, grid, projection)| MapView::new(map, grid, projection))
    }

    pub(crate) fn graphs(&self) -> impl Iterator<Item = NavGraphView<'_>> {
        self.graphs.iter().map(|(map, nav_graph, projection)| NavGraphView { map, nav_graph, projection })
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = AnyMap<'_>> {
        self.tile_maps().map(AnyMap::Tiles).chain(self.graphs().map(AnyMap::Graph))
    }
}

/// Returns the only item. An error if there are several, or no item.
pub(crate) fn only<T, E: From<PathFailure>>(mut maps: impl Iterator<Item = T>, none: E) -> Result<T, E> {
    let only = maps.next().ok_or(none)?;
    if maps.next().is_some() { Err(PathFailure::AmbiguousMap.into()) } else { Ok(only) }
}
