//! Where an order leads: as the user says it, and as cells of a map.

use std::sync::Arc;

use bevy_math::Vec2;
use bevy_reflect::Reflect;
use tilepath::Cell;

use crate::{agent::Ground, failure::PathFailure};

/// A place on a map: a cell, or the cell under a position in the world.
///
/// ```
/// use bevy_math::Vec2;
/// use bevy_tilepath::{Cell, Place};
///
/// let places: [Place; 2] = [Cell::new(3, 4).into(), Vec2::new(40.0, 8.0).into()];
/// assert_eq!(places, [Place::Cell(Cell::new(3, 4)), Place::Position(Vec2::new(40.0, 8.0))]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Reflect)]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
pub enum Place {
    /// A cell of the map.
    Cell(Cell),
    /// The cell under this position in the world.
    Position(Vec2),
}

impl From<Cell> for Place {
    fn from(cell: Cell) -> Self {
        Self::Cell(cell)
    }
}

impl From<Vec2> for Place {
    fn from(position: Vec2) -> Self {
        Self::Position(position)
    }
}

#[cfg(feature = "tilemap")]
impl From<bevy_ecs_tilemap::tiles::TilePos> for Place {
    fn from(tile: bevy_ecs_tilemap::tiles::TilePos) -> Self {
        // A tilemap's tiles are at most as many as there are cells: no coordinate passes the range.
        Self::Cell(Cell::new(
            i32::try_from(tile.x).unwrap_or(i32::MAX),
            i32::try_from(tile.y).unwrap_or(i32::MAX),
        ))
    }
}

impl Place {
    /// Its cell on a map. It may be out of bounds.
    pub(crate) fn cell(self, ground: &Ground) -> Result<Cell, PathFailure> {
        match self {
            Self::Cell(cell) => Ok(cell),
            Self::Position(position) => ground.cell_under(position, PathFailure::GoalOutOfBounds),
        }
    }
}

/// Where a request leads.
#[derive(Debug, Clone, PartialEq, Reflect)]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
pub enum PathGoal {
    /// A cell of the map.
    Cell(Cell),
    /// The cell under this position in the world, at the time when the request is accepted.
    Position(Vec2),
    /// Whichever of these places is cheapest to reach.
    Nearest(Arc<[Place]>),
}

impl From<Place> for PathGoal {
    fn from(place: Place) -> Self {
        match place {
            Place::Cell(cell) => Self::Cell(cell),
            Place::Position(position) => Self::Position(position),
        }
    }
}

impl PathGoal {
    /// What is wrong with it on every map.
    pub(crate) fn fault(&self) -> Option<PathFailure> {
        let is_finite = |place: &Place| !matches!(place, Place::Position(position) if !position.is_finite());
        match self {
            Self::Nearest(places) if places.is_empty() => Some(PathFailure::NoGoals),
            Self::Nearest(places) if !places.iter().all(is_finite) => Some(PathFailure::PositionNotFinite),
            Self::Position(position) if !position.is_finite() => Some(PathFailure::PositionNotFinite),
            _ => None,
        }
    }

    /// Its cells on a map. They may be out of bounds.
    pub(crate) fn cells(&self, ground: &Ground) -> Result<GoalCells, PathFailure> {
        Ok(match self {
            Self::Cell(cell) => GoalCells::One(*cell),
            Self::Position(position) => GoalCells::One(Place::Position(*position).cell(ground)?),
            Self::Nearest(places) => {
                GoalCells::Nearest(places.iter().map(|place| place.cell(ground)).collect::<Result<_, _>>()?)
            }
        })
    }
}

/// The cells of a goal, as they were when the order was accepted.
#[derive(Debug, Clone)]
pub(crate) enum GoalCells {
    One(Cell),
    /// At least one.
    Nearest(Arc<[Cell]>),
}

impl GoalCells {
    /// The goal of that index.
    pub(crate) fn cell(&self, index: usize) -> Cell {
        match self {
            Self::One(cell) => *cell,
            Self::Nearest(cells) => cells[index],
        }
    }
}
