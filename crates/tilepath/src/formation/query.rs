//! Queries for places, and their answers.

use super::table::Formation;
use crate::{
    cell::Cell,
    finder::{outcome::QueryError, query::MovementId},
};
use thiserror::Error;

/// A unit that needs a place.
///
/// # Examples
/// ```
/// use tilepath::{Cell, MovementId, formation::FormationUnit};
/// let rider = FormationUnit::new(Cell::new(2, 3), MovementId::FIRST).with_speed(2);
/// assert_eq!((rider.from(), rider.speed()), (Some(Cell::new(2, 3)), 2));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FormationUnit {
    pub(super) from: Option<Cell>,
    pub(super) movement: MovementId,
    pub(super) speed: u32,
}

impl FormationUnit {
    /// Creates a unit that stands on this cell. For a unit of several cells, `from` is its lowest
    /// and leftmost cell.
    #[must_use]
    pub const fn new(from: Cell, movement: MovementId) -> Self {
        Self { from: Some(from), movement, speed: 1 }
    }

    /// Creates a unit that comes from elsewhere, by paths unknown to the finder. All places count
    /// as equally far for it.
    #[must_use]
    pub const fn from_elsewhere(movement: MovementId) -> Self {
        Self { from: None, movement, speed: 1 }
    }

    /// Sets the speed relative to the other units, in any unit of measure. 0 counts as 1, which is
    /// the default.
    #[must_use]
    pub const fn with_speed(mut self, speed: u32) -> Self {
        self.speed = if speed == 0 { 1 } else { speed };
        self
    }

    /// Returns the cell of the unit, if it is known.
    #[must_use]
    pub const fn from(&self) -> Option<Cell> {
        self.from
    }

    /// Returns the id of the unit's movement.
    #[must_use]
    pub const fn movement(&self) -> MovementId {
        self.movement
    }

    /// Returns the unit's speed relative to the other units.
    #[must_use]
    pub const fn speed(&self) -> u32 {
        self.speed
    }
}

/// A query for places: units, a goal and a shape.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormationQuery {
    pub(super) goal: Cell,
    pub(super) units: Vec<FormationUnit>,
    pub(super) formation: Formation,
    pub(super) heading: Option<(i32, i32)>,
    pub(super) taken: Vec<Cell>,
    pub(super) limit: u64,
}

impl FormationQuery {
    /// Creates a query for a disc around the goal.
    pub fn new(goal: Cell, units: impl IntoIterator<Item = FormationUnit>) -> Self {
        Self {
            goal,
            units: units.into_iter().collect(),
            formation: Formation::Disc,
            heading: None,
            taken: Vec::new(),
            limit: 1 << 16,
        }
    }

    /// Sets the shape.
    #[must_use]
    pub const fn with_formation(mut self, formation: Formation) -> Self {
        self.formation = formation;
        self
    }

    /// Sets the direction in which the formation faces, as a vector (columns, rows) of any length.
    /// If the direction is not set, or is (0, 0), the formation faces from the middle of the units
    /// to the goal.
    #[must_use]
    pub const fn with_heading(mut self, heading: (i32, i32)) -> Self {
        self.heading = Some(heading);
        self
    }

    /// Adds cells on which no unit is placed, because other units stay there.
    #[must_use]
    pub fn with_taken(mut self, cells: impl IntoIterator<Item = Cell>) -> Self {
        self.taken.extend(cells);
        self
    }

    /// Limits the number of cells that the flow field of each kind of unit expands; the default is
    /// 65,536. For units outside the flow field, only the distance without obstacles counts.
    #[must_use]
    pub const fn with_limit(mut self, expansions: u64) -> Self {
        self.limit = expansions;
        self
    }

    /// Returns the goal.
    #[must_use]
    pub const fn goal(&self) -> Cell {
        self.goal
    }

    /// Returns the units that need places.
    #[must_use]
    pub fn units(&self) -> &[FormationUnit] {
        &self.units
    }

    /// Returns the shape.
    #[must_use]
    pub const fn formation(&self) -> Formation {
        self.formation
    }
}

/// The place of each unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormationAnswer {
    pub(super) places: Vec<Option<Cell>>,
    pub(super) ranks: Vec<usize>,
    pub(super) kinds: Vec<usize>,
    pub(super) heading: (i32, i32),
}

impl FormationAnswer {
    /// Returns the place of each unit, in the order of the units in the query. For a unit of
    /// several cells, the place is its lowest and leftmost cell. The place is `None` if other units
    /// take all ground that the unit can reach.
    #[must_use]
    pub fn places(&self) -> &[Option<Cell>] {
        &self.places
    }

    /// Returns the rank of each unit's place within its kind, in the order of the units in the
    /// query. 0 is the most important place. If a unit has no place, its rank has no meaning.
    #[must_use]
    pub fn ranks(&self) -> &[usize] {
        &self.ranks
    }

    /// Returns a number for the kind of each unit, in the order of the units in the query. Units of
    /// one kind may swap places. If a unit has no place, its number has no meaning.
    #[must_use]
    pub fn kinds(&self) -> &[usize] {
        &self.kinds
    }

    /// Returns the direction in which the formation faces, in columns and rows.
    #[must_use]
    pub const fn heading(&self) -> (i32, i32) {
        self.heading
    }

    /// Returns the number of units without a place.
    #[must_use]
    pub fn without_place(&self) -> usize {
        self.places.iter().filter(|place| place.is_none()).count()
    }
}

/// The reason why no places were found.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum FormationError {
    /// The query has no units.
    #[error("there are no units to place; pass at least one")]
    NoUnits,
    /// No unit found a place.
    #[error(
        "none of the {units} units can reach a free cell around the goal; choose another goal, or open ground around it"
    )]
    NoPlace {
        /// The number of units.
        units: usize,
    },
    /// The query itself has an error.
    #[error(transparent)]
    Query(#[from] QueryError),
}
