//! Places: as users name them, and as places of a map.

use std::{fmt, sync::Arc};

use bevy_ecs::entity::{Entity, EntityMapper, MapEntities};
use bevy_math::{DVec2, IVec2, UVec2, Vec2};
use bevy_reflect::Reflect;
use tilepath::{Cell, graph::Position, waypoint::RouteEnd};

use crate::{
    core_types,
    map::{cells::ToCell, projection::NavProjection},
};

/// A place on a map: a cell or a tile of a tile map, a waypoint of a graph, or a position in the world.
///
/// ```
/// use bevy_math::Vec2;
/// use bevy_tilepath::{Cell, Place};
///
/// let places: [Place; 3] = [Cell::new(3, 4).into(), Vec2::new(40.0, 8.0).into(), "gate".into()];
/// assert_eq!(places[0].cell(), Some(Cell::new(3, 4)));
/// assert_eq!(places[1], Place::Position(Vec2::new(40.0, 8.0)));
/// assert_eq!(places[2].waypoint(), Some("gate"));
/// assert_eq!(places.map(|place| place.to_string()), ["(3, 4)", "[40, 8]", "gate"]);
/// ```
#[derive(Debug, Clone, PartialEq, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Place {
    /// A cell of a tile map.
    Cell(#[reflect(remote = core_types::Cell)] Cell),
    /// A tile of a tilemap. The plugin converts the tile to a cell when the map is known.
    Tile {
        /// The coordinates of the tile, as in `TilePos`. In a `TilemapChunk`, tile (0, 0) is the
        /// lower left one.
        tile: UVec2,
        /// The entity of the tilemap, if it is a [`NavLayer`](crate::NavLayer) of the map. `None`
        /// stands for the map's own tilemap. If the map has no own tilemap, tile (0, 0) lies on
        /// cell (0, 0) and the tiles have no bounds.
        tilemap: Option<Entity>,
    },
    /// A position in the world. On a tile map it stands for the cell under the position, on a graph
    /// for the position itself.
    Position(Vec2),
    /// The waypoint of a graph with this id.
    Waypoint(Arc<str>),
}

impl Place {
    /// Returns the cell, if the place is a [`Cell`](Self::Cell).
    #[must_use]
    pub fn cell(&self) -> Option<Cell> {
        match self {
            Self::Cell(cell) => Some(*cell),
            Self::Tile { .. } | Self::Position(_) | Self::Waypoint(_) => None,
        }
    }

    /// Returns the id of the waypoint, if the place is a [`Waypoint`](Self::Waypoint).
    #[must_use]
    pub fn waypoint(&self) -> Option<&str> {
        match self {
            Self::Waypoint(id) => Some(id),
            Self::Cell(_) | Self::Tile { .. } | Self::Position(_) => None,
        }
    }

    pub(crate) fn is_finite(&self) -> bool {
        !matches!(self, Self::Position(position) if !position.is_finite())
    }
}

impl MapEntities for Place {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        if let Self::Tile { tilemap, .. } = self {
            tilemap.map_entities(mapper);
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cell(cell) => cell.fmt(formatter),
            Self::Tile { tile, tilemap: None } => write!(formatter, "tile ({}, {})", tile.x, tile.y),
            Self::Tile { tile, tilemap: Some(tilemap) } => {
                write!(formatter, "tile ({}, {}) of tilemap {tilemap}", tile.x, tile.y)
            }
            Self::Position(position) => position.fmt(formatter),
            Self::Waypoint(id) => id.fmt(formatter),
        }
    }
}

macro_rules! cells_are_places {
    ($($named:ty),*) => {$(
        impl From<$named> for Place {
            fn from(cell: $named) -> Self {
                Self::Cell(cell.to_cell())
            }
        }
    )*};
}

cells_are_places!(Cell, IVec2, UVec2);

#[cfg(feature = "tilemap")]
impl From<bevy_ecs_tilemap::tiles::TilePos> for Place {
    fn from(tile: bevy_ecs_tilemap::tiles::TilePos) -> Self {
        Self::Tile { tile: tile.into(), tilemap: None }
    }
}

impl From<Vec2> for Place {
    fn from(position: Vec2) -> Self {
        Self::Position(position)
    }
}

macro_rules! ids_are_places {
    ($($id:ty),*) => {$(
        impl From<$id> for Place {
            fn from(id: $id) -> Self {
                Self::Waypoint(id.into())
            }
        }
    )*};
}

ids_are_places!(&str, String, Arc<str>);

/// A place with its map known, as accepted for an order. It moves with its map.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum MapPlace {
    Cell(Cell),
    Waypoint(Arc<str>),
    /// A position in the space of a graph's entity.
    Position(Position),
    /// A position on an edge: `share` is the part of the edge behind it, `here` the position.
    OnEdge {
        from: Arc<str>,
        to: Arc<str>,
        share: f64,
        here: Position,
    },
}

impl MapPlace {
    /// Returns the cell, if the place is a cell.
    pub(crate) fn cell(&self) -> Option<Cell> {
        match self {
            Self::Cell(cell) => Some(*cell),
            Self::Waypoint(_) | Self::Position(_) | Self::OnEdge { .. } => None,
        }
    }

    /// Returns the place as users name it. `projection` is the projection of its map. Without it, a
    /// position stays in the space of the map.
    pub(crate) fn place(&self, projection: Option<&NavProjection>) -> Place {
        match self {
            Self::Cell(cell) => Place::Cell(*cell),
            Self::Waypoint(id) => Place::Waypoint(id.clone()),
            Self::Position(position) | Self::OnEdge { here: position, .. } => {
                let local = local_point(*position);
                Place::Position(projection.map_or(local, |projection| projection.world_of(local)))
            }
        }
    }

    /// Returns the place as an end of a route, for the search core.
    pub(crate) fn on_graph(&self) -> Option<RouteEnd<'_>> {
        match self {
            Self::Cell(_) => None,
            Self::Waypoint(id) => Some(RouteEnd::Waypoint(id)),
            Self::Position(position) => Some(RouteEnd::Position(*position)),
            Self::OnEdge { from, to, share, .. } => Some(RouteEnd::OnEdge { from, to, share: *share }),
        }
    }
}

/// Converts a position of a graph to a point in the space of its entity.
pub(crate) fn local_point(position: Position) -> Vec2 {
    DVec2::new(position.x, position.y).as_vec2()
}

/// Converts a point in the space of a graph's entity to a position.
pub(crate) fn position_of(local: Vec2) -> Position {
    Position::new(f64::from(local.x), f64::from(local.y))
}
