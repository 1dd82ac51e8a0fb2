//! Maps of either kind: tile maps and waypoint graphs.

use bevy_ecs::{
    entity::{Entities, Entity},
    query::{With, Without},
    system::{Query, SystemParam},
};
use bevy_math::Vec2;

use crate::{
    failure::PathFailure,
    map::{
        ground::Ground,
        nav_graph::NavGraph,
        nav_map::{NavGrid, NavMap},
        place::{MapPlace, Place, local_point},
        projection::NavProjection,
        roads::Roads,
        version::Version,
    },
};

/// All maps there are.
#[derive(SystemParam)]
pub(crate) struct Maps<'w, 's> {
    tiles: Query<'w, 's, (Entity, &'static NavGrid, &'static NavProjection), With<NavMap>>,
    graphs: Query<'w, 's, (Entity, &'static NavGraph, &'static NavProjection), Without<NavMap>>,
    pub(crate) entities: &'w Entities,
}

/// A map as an agent that stands on it sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum AnyMap<'a> {
    Tiles(Ground<'a>),
    Graph(Roads<'a>),
}

impl AnyMap<'_> {
    pub(crate) fn version(&self) -> Version {
        match self {
            Self::Tiles(ground) => Version::of_grid(ground.grid),
            Self::Graph(roads) => Version::of_graph(roads.graph),
        }
    }

    pub(crate) fn entity(&self) -> Entity {
        match self {
            Self::Tiles(ground) => ground.map,
            Self::Graph(roads) => roads.map,
        }
    }

    pub(crate) fn is_ready(&self) -> bool {
        match self {
            Self::Tiles(ground) => ground.grid.is_ready(),
            Self::Graph(roads) => roads.graph.is_ready(),
        }
    }

    pub(crate) fn projection(&self) -> &NavProjection {
        match self {
            Self::Tiles(ground) => ground.projection,
            Self::Graph(roads) => roads.projection,
        }
    }

    /// What one unit of its costs is in world units.
    pub(crate) fn unit(&self) -> f64 {
        match self {
            Self::Tiles(ground) => ground.unit(),
            Self::Graph(roads) => roads.projection.scale(),
        }
    }

    /// The same, if agents can walk there at all.
    pub(crate) fn usable_unit(&self) -> Option<f64> {
        let unit = self.unit();
        (self.projection().is_somewhere() && unit.is_finite() && unit > 0.0).then_some(unit)
    }

    /// Whether a map_place where an agent stood when it was last looked at is still there.
    pub(crate) fn has(&self, map_place: &MapPlace) -> bool {
        match (self, map_place) {
            (Self::Graph(roads), MapPlace::Waypoint(id)) => roads.graph.graph().contains(id),
            (Self::Graph(roads), MapPlace::OnEdge { from, to, .. }) => {
                roads.graph.graph().edge(from, to).is_some()
            }
            (Self::Tiles(ground), MapPlace::Cell(cell)) => ground.grid.bounds().contains(*cell),
            _ => true,
        }
    }

    /// Whether a door may let agents in there.
    pub(crate) fn lets_in(&self, map_place: &MapPlace) -> bool {
        match (self, map_place) {
            (Self::Tiles(ground), MapPlace::Cell(cell)) => ground.grid.is_passable(*cell),
            _ => true,
        }
    }

    /// Where the end of a door is in the world.
    pub(crate) fn point_of(&self, end: &MapPlace) -> Option<Vec2> {
        match (self, end) {
            (Self::Tiles(ground), MapPlace::Cell(cell)) => Some(ground.projection.world_position_of(*cell)),
            (Self::Graph(roads), MapPlace::Waypoint(id)) => {
                let position = roads.graph.graph().position(id)?;
                Some(roads.projection.world_of(local_point(position)))
            }
            _ => None,
        }
    }

    /// Where a place is on it.
    pub(crate) fn map_place_of(&self, place: &Place) -> Result<MapPlace, PathFailure> {
        match self {
            Self::Graph(roads) => roads.map_place_of(place),
            Self::Tiles(ground) => ground.cell_of(place, PathFailure::goal_off).map(MapPlace::Cell),
        }
    }
}

impl Maps<'_, '_> {
    pub(crate) fn get(&self, map: Entity) -> Option<AnyMap<'_>> {
        if let Ok((map, grid, projection)) = self.tiles.get(map) {
            return Some(AnyMap::Tiles(Ground { map, grid, projection }));
        }
        let (map, graph, projection) = self.graphs.get(map).ok()?;
        Some(AnyMap::Graph(Roads { map, graph, projection }))
    }

    /// The map, if agents may walk on it.
    pub(crate) fn ready(&self, map: Entity) -> Option<AnyMap<'_>> {
        self.get(map).filter(AnyMap::is_ready)
    }

    pub(crate) fn tile_maps(&self) -> impl Iterator<Item = AnyMap<'_>> {
        self.tiles.iter().map(|(map, grid, projection)| AnyMap::Tiles(Ground { map, grid, projection }))
    }

    pub(crate) fn graphs(&self) -> impl Iterator<Item = AnyMap<'_>> {
        self.graphs.iter().map(|(map, graph, projection)| AnyMap::Graph(Roads { map, graph, projection }))
    }

    /// Whether the entity is there, map or not.
    pub(crate) fn entity_exists(&self, map: Entity) -> bool {
        self.entities.contains(map)
    }
}
