//! Queries for ranges, nearest goals and fields.

use crate::{cell::Cell, cost::Cost, finder::query::MovementId};

/// A query for every cell that a unit can reach within a budget.
///
/// # Examples
/// ```
/// use tilepath::{Cell, Cost, RangeQuery};
/// let query = RangeQuery::new(Cell::new(2, 2), Cost::new(50)); // five straight steps on ground of cost 1
/// assert_eq!(query.budget(), Cost::new(50));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RangeQuery {
    start: Cell,
    budget: Cost,
    movement: MovementId,
}

impl RangeQuery {
    /// Makes a query for the cells whose cheapest path costs at most `budget`, by the first
    /// movement.
    #[must_use]
    pub fn new(start: Cell, budget: Cost) -> Self {
        Self { start, budget, movement: MovementId::default() }
    }

    /// Sets the movement.
    #[must_use]
    pub const fn with_movement(mut self, movement: MovementId) -> Self {
        self.movement = movement;
        self
    }

    /// Returns the cell where the unit stands.
    #[must_use]
    pub const fn start(&self) -> Cell {
        self.start
    }

    /// Returns the budget: the highest cost that a cell of the range may have, inclusive.
    #[must_use]
    pub const fn budget(&self) -> Cost {
        self.budget
    }

    /// Returns the id of the movement.
    #[must_use]
    pub const fn movement(&self) -> MovementId {
        self.movement
    }
}

/// A query for the nearest of many goals, or for several of the nearest.
///
/// # Examples
/// ```
/// use tilepath::{Cell, NearestQuery};
/// let trees = [Cell::new(3, 4), Cell::new(9, 1), Cell::new(0, 7)];
/// let query = NearestQuery::new(Cell::new(2, 2), trees).with_count(2);
/// assert_eq!((query.goals().len(), query.count()), (3, 2));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct NearestQuery {
    #[cfg_attr(feature = "serde", serde(alias = "from"))]
    start: Cell,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::stored::list"))]
    goals: Vec<Cell>,
    #[cfg_attr(feature = "serde", serde(default = "one"))]
    count: usize,
    #[cfg_attr(feature = "serde", serde(default))]
    movement: MovementId,
}

/// Returns the default number of goals.
#[cfg(feature = "serde")]
const fn one() -> usize {
    1
}

impl NearestQuery {
    /// Makes a query for the one goal that is cheapest to reach, by the first movement.
    #[must_use]
    pub fn new(start: Cell, goals: impl Into<Vec<Cell>>) -> Self {
        Self { start, goals: goals.into(), count: 1, movement: MovementId::default() }
    }

    /// Sets the number of goals in the answer; the default is 1. The cheapest goals are chosen.
    #[must_use]
    pub const fn with_count(mut self, count: usize) -> Self {
        self.count = count;
        self
    }

    /// Sets the movement.
    #[must_use]
    pub const fn with_movement(mut self, movement: MovementId) -> Self {
        self.movement = movement;
        self
    }

    /// Returns the cell where the unit stands.
    #[must_use]
    pub const fn start(&self) -> Cell {
        self.start
    }

    /// Returns the goals. If goals have equal costs, the first in the list wins.
    #[must_use]
    pub fn goals(&self) -> &[Cell] {
        &self.goals
    }

    /// Returns the largest number of goals in the answer.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.count
    }

    /// Returns the id of the movement.
    #[must_use]
    pub const fn movement(&self) -> MovementId {
        self.movement
    }
}

/// A query for a flow field: the costs to the nearest of some goals.
///
/// # Examples
/// ```
/// use tilepath::{Cell, field::FieldQuery};
/// let query = FieldQuery::new([Cell::new(0, 0), Cell::new(9, 9)]);
/// assert_eq!(query.goals().len(), 2);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FieldQuery {
    goals: Vec<Cell>,
    movement: MovementId,
}

impl FieldQuery {
    /// Makes a query for the costs to the nearest of these goals, by the finder's first movement.
    #[must_use]
    pub fn new(goals: impl Into<Vec<Cell>>) -> Self {
        Self { goals: goals.into(), movement: MovementId::default() }
    }

    /// Sets the movement.
    #[must_use]
    pub const fn with_movement(mut self, movement: MovementId) -> Self {
        self.movement = movement;
        self
    }

    /// Returns the goals.
    #[must_use]
    pub fn goals(&self) -> &[Cell] {
        &self.goals
    }

    /// Returns the id of the movement.
    #[must_use]
    pub const fn movement(&self) -> MovementId {
        self.movement
    }
}
