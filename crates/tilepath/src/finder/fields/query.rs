//! What is asked of ranges, nearest goals and fields.

use crate::{cell::Cell, cost::Cost, finder::query::MovementId};

/// Everything within a budget of a cell.
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
    /// Every cell to which the cheapest way costs no more than the budget, by the finder's first movement.
    #[must_use]
    pub fn new(start: Cell, budget: Cost) -> Self {
        Self { start, budget, movement: MovementId::default() }
    }

    /// The same by another movement.
    #[must_use]
    pub const fn with_movement(mut self, movement: MovementId) -> Self {
        self.movement = movement;
        self
    }

    /// Where the unit stands.
    #[must_use]
    pub const fn start(&self) -> Cell {
        self.start
    }

    /// What it may spend, inclusive.
    #[must_use]
    pub const fn budget(&self) -> Cost {
        self.budget
    }

    /// Whose rules hold.
    #[must_use]
    pub const fn movement(&self) -> MovementId {
        self.movement
    }
}

/// The nearest of many goals, or the nearest few.
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
    goals: Vec<Cell>,
    #[cfg_attr(feature = "serde", serde(default = "one"))]
    count: usize,
    #[cfg_attr(feature = "serde", serde(default))]
    movement: MovementId,
}

/// This many goals are wanted where nothing is said.
#[cfg(feature = "serde")]
const fn one() -> usize {
    1
}

impl NearestQuery {
    /// The one goal that is cheapest to reach, by the finder's first movement.
    #[must_use]
    pub fn new(start: Cell, goals: impl Into<Vec<Cell>>) -> Self {
        Self { start, goals: goals.into(), count: 1, movement: MovementId::default() }
    }

    /// This many goals instead of one, the cheapest first.
    #[must_use]
    pub const fn with_count(mut self, count: usize) -> Self {
        self.count = count;
        self
    }

    /// The same by another movement.
    #[must_use]
    pub const fn with_movement(mut self, movement: MovementId) -> Self {
        self.movement = movement;
        self
    }

    /// Where the unit stands.
    #[must_use]
    pub const fn start(&self) -> Cell {
        self.start
    }

    /// The goals, in the order that breaks ties.
    #[must_use]
    pub fn goals(&self) -> &[Cell] {
        &self.goals
    }

    /// How many goals are wanted at most.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.count
    }

    /// Whose rules hold.
    #[must_use]
    pub const fn movement(&self) -> MovementId {
        self.movement
    }
}

/// A field of the costs to the nearest of some goals.
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
    /// The costs to the nearest of these goals, by the finder's first movement.
    #[must_use]
    pub fn new(goals: impl Into<Vec<Cell>>) -> Self {
        Self { goals: goals.into(), movement: MovementId::default() }
    }

    /// The same by another movement.
    #[must_use]
    pub const fn with_movement(mut self, movement: MovementId) -> Self {
        self.movement = movement;
        self
    }

    /// The goals.
    #[must_use]
    pub fn goals(&self) -> &[Cell] {
        &self.goals
    }

    /// Whose rules hold.
    #[must_use]
    pub const fn movement(&self) -> MovementId {
        self.movement
    }
}
