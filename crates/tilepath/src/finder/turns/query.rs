//! Queries for ranges and paths in turns.

use crate::{cell::Cell, cost::Cost, dial::turn_search::LongStep, finder::query::MovementId};

/// A query about a unit with points for each turn: its start, its points and the cells where it may
/// not stop.
///
/// # Examples
/// ```
/// use tilepath::{Cell, Cost, turns::{LongStep, TurnQuery}};
/// let friends = [Cell::new(3, 2), Cell::new(3, 3)];
/// let query = TurnQuery::new(Cell::new(2, 2), Cost::new(50)) // five straight steps on ground of cost 1
///     .with_points_left(Cost::new(20)) // it has moved already
///     .with_turns(3)
///     .with_no_stop(friends)
///     .with_long_step(LongStep::OwnTurn);
/// assert_eq!((query.points(), query.points_left(), query.turns()), (Cost::new(50), Cost::new(20), 3));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TurnQuery {
    start: Cell,
    points: Cost,
    points_left: Option<Cost>,
    turns: u32,
    no_stop: Vec<Cell>,
    long_step: LongStep,
    movement: MovementId,
}

impl TurnQuery {
    /// Creates a query for a unit with all its points and no limit on turns, for the finder's first
    /// movement. The unit may stop everywhere. It never takes a step that costs more than all
    /// points of a turn.
    ///
    /// A unit without points does not move.
    #[must_use]
    pub fn new(start: Cell, points: Cost) -> Self {
        Self {
            start,
            points,
            points_left: None,
            turns: u32::MAX,
            no_stop: Vec::new(),
            long_step: LongStep::Never,
            movement: MovementId::default(),
        }
    }

    /// Limits the number of turns. The current turn counts as 1. With 0 turns, the unit stays on
    /// its cell.
    #[must_use]
    pub const fn with_turns(mut self, turns: u32) -> Self {
        self.turns = turns;
        self
    }

    /// Sets the points left in the first turn, for a unit that has moved already. The value may
    /// also exceed the points of a turn.
    #[must_use]
    pub const fn with_points_left(mut self, points: Cost) -> Self {
        self.points_left = Some(points);
        self
    }

    /// Sets the cells that the unit may pass but not stop on, for example cells on which friends
    /// stand. The start is ignored in this list, because the unit already stands on it. Cells that
    /// are not on the map are ignored too.
    #[must_use]
    pub fn with_no_stop(mut self, cells: impl IntoIterator<Item = Cell>) -> Self {
        self.no_stop = cells.into_iter().collect();
        self
    }

    /// Sets the rule for steps that cost more than all points of a turn.
    #[must_use]
    pub const fn with_long_step(mut self, rule: LongStep) -> Self {
        self.long_step = rule;
        self
    }

    /// Sets the movement.
    #[must_use]
    pub const fn with_movement(mut self, movement: MovementId) -> Self {
        self.movement = movement;
        self
    }

    pub(crate) const fn with_start(mut self, start: Cell) -> Self {
        self.start = start;
        self
    }

    /// Returns the start.
    #[must_use]
    pub const fn start(&self) -> Cell {
        self.start
    }

    /// Returns the points of a turn.
    #[must_use]
    pub const fn points(&self) -> Cost {
        self.points
    }

    /// Returns the points left in the first turn.
    #[must_use]
    pub fn points_left(&self) -> Cost {
        self.points_left.unwrap_or(self.points)
    }

    /// Returns the maximum number of turns; `u32::MAX` for no limit.
    #[must_use]
    pub const fn turns(&self) -> u32 {
        self.turns
    }

    /// Returns the cells that the unit may pass but not stop on.
    #[must_use]
    pub fn no_stop(&self) -> &[Cell] {
        &self.no_stop
    }

    /// Returns the rule for steps that cost more than all points of a turn.
    #[must_use]
    pub const fn long_step(&self) -> LongStep {
        self.long_step
    }

    /// Returns the id of the movement whose rules apply.
    #[must_use]
    pub const fn movement(&self) -> MovementId {
        self.movement
    }
}
