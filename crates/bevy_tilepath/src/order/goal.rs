//! Where an order leads: as the user says it, and as map_places of maps.

use std::sync::Arc;

use bevy_ecs::entity::Entity;
use bevy_math::Vec2;
use bevy_reflect::Reflect;
use tilepath::{Cell, Path};

use crate::{
    failure::PathFailure,
    map::{
        place::{MapPlace, Place, local_point},
        projection::NavProjection,
    },
};

/// Where a request leads.
#[derive(Debug, Clone, PartialEq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
pub enum PathGoal {
    /// A cell of the map.
    Cell(Cell),
    /// This position in the world, at the time when the request is accepted: on a tile map the cell under it.
    Position(Vec2),
    /// The waypoint of this id.
    Waypoint(Arc<str>),
    /// Whichever of these places is cheapest to reach.
    Nearest(Arc<[Place]>),
    /// The last cell of this path, along it.
    Along(Arc<Path>),
}

impl From<Place> for PathGoal {
    fn from(place: Place) -> Self {
        match place {
            Place::Cell(cell) => Self::Cell(cell),
            Place::Position(position) => Self::Position(position),
            Place::Waypoint(id) => Self::Waypoint(id),
        }
    }
}

impl PathGoal {
    /// What is wrong with it on every map.
    pub(crate) fn fault(&self) -> Option<PathFailure> {
        match self {
            Self::Nearest(places) if places.is_empty() => Some(PathFailure::NoGoals),
            Self::Nearest(places) if !places.iter().all(Place::is_finite) => {
                Some(PathFailure::PositionNotFinite)
            }
            Self::Position(position) if !position.is_finite() => Some(PathFailure::PositionNotFinite),
            _ => None,
        }
    }

    /// The place it names, unless it names several.
    pub(crate) fn single(&self) -> Option<Place> {
        match self {
            Self::Cell(cell) => Some(Place::Cell(*cell)),
            Self::Position(position) => Some(Place::Position(*position)),
            Self::Waypoint(id) => Some(Place::Waypoint(id.clone())),
            Self::Along(path) => Some(Place::Cell(path.goal())),
            Self::Nearest(_) => None,
        }
    }
}

/// The goals of an order, as they were when it was accepted.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Goals {
    Cell {
        map: Entity,
        cell: Cell,
    },
    /// At least one, all on one tile map.
    Cells {
        map: Entity,
        cells: Arc<[Cell]>,
    },
    /// At least one, on maps of either kind.
    MapPlaces(Arc<[(Entity, MapPlace)]>),
}

impl Goals {
    /// Cells of one map are known as such, wherever they were asked for: once the agent is there, that map is searched
    /// by itself.
    pub(crate) fn from_map_places(map_places: Vec<(Entity, MapPlace)>, is_single: bool) -> Self {
        let map = map_places.first().map(|&(map, _)| map);
        let cells: Option<Arc<[Cell]>> = (map_places.iter())
            .map(|(on, map_place)| match map_place {
                MapPlace::Cell(cell) if Some(*on) == map => Some(*cell),
                _ => None,
            })
            .collect();
        match (map, cells) {
            (Some(map), Some(cells)) if is_single => Self::Cell { map, cell: cells[0] },
            (Some(map), Some(cells)) => Self::Cells { map, cells },
            _ => Self::MapPlaces(map_places.into()),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Cell { .. } => 1,
            Self::Cells { cells, .. } => cells.len(),
            Self::MapPlaces(map_places) => map_places.len(),
        }
    }

    /// The goal of that index.
    pub(crate) fn map_place(&self, index: usize) -> (Entity, MapPlace) {
        match self {
            Self::Cell { map, cell } => (*map, MapPlace::Cell(*cell)),
            Self::Cells { map, cells } => (*map, MapPlace::Cell(cells[index])),
            Self::MapPlaces(map_places) => map_places[index].clone(),
        }
    }

    /// Whether all lie on that map.
    pub(crate) fn are_on(&self, map: Entity) -> bool {
        match self {
            Self::Cell { map: on, .. } | Self::Cells { map: on, .. } => *on == map,
            Self::MapPlaces(map_places) => map_places.iter().all(|&(on, _)| on == map),
        }
    }

    /// The goal of that index, as it is told.
    pub(crate) fn place<'a>(
        &self,
        index: usize,
        place_of: impl Fn(Entity) -> Option<&'a NavProjection>,
    ) -> Place {
        match self.map_place(index) {
            (_, MapPlace::Cell(cell)) => Place::Cell(cell),
            (_, MapPlace::Waypoint(id)) => Place::Waypoint(id),
            (map, MapPlace::Position(position) | MapPlace::OnEdge { here: position, .. }) => {
                let local = local_point(position);
                Place::Position(place_of(map).map_or(local, |projection| projection.world_of(local)))
            }
        }
    }
}
