//! What is asked of turns.

use crate::{cell::Cell, cost::Cost, dial::turn_search::LongStep, finder::query::MovementId};

/// A unit with a number of points to spend each turn, what it still has of this one, and where it may not stop.
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
    /// A unit that has all its points and as many turns as it takes, by the finder's first movement. It may stop everywhere, and
    /// never takes a step that costs more than a whole turn has.
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

    /// Within this many turns, the present one included. Within none it stays where it is.
    #[must_use]
    pub const fn with_turns(mut self, turns: u32) -> Self {
        self.turns = turns;
        self
    }

    /// In the first turn it has only this many points left, because it has moved already; more than usual will do as well.
    #[must_use]
    pub const fn with_points_left(mut self, points: Cost) -> Self {
        self.points_left = Some(points);
        self
    }

    /// Cells that it may pass and not stop on, such as those of friends. Its own cell does not count: there it stands already.
    /// Cells that are not on the map do no harm.
    #[must_use]
    pub fn with_no_stop(mut self, cells: impl IntoIterator<Item = Cell>) -> Self {
        self.no_stop = cells.into_iter().collect();
        self
    }

    /// What becomes of steps that cost more than a whole turn has points.
    #[must_use]
    pub const fn with_long_step(mut self, rule: LongStep) -> Self {
        self.long_step = rule;
        self
    }

    /// The same by another movement.
    #[must_use]
    pub const fn with_movement(mut self, movement: MovementId) -> Self {
        self.movement = movement;
        self
    }

    pub(crate) const fn with_start(mut self, start: Cell) -> Self {
        self.start = start;
        self
    }

    /// Where the unit stands.
    #[must_use]
    pub const fn start(&self) -> Cell {
        self.start
    }

    /// The points of a turn.
    #[must_use]
    pub const fn points(&self) -> Cost {
        self.points
    }

    /// The points of the first turn.
    #[must_use]
    pub fn points_left(&self) -> Cost {
        self.points_left.unwrap_or(self.points)
    }

    /// The most turns; `u32::MAX` for as many as it takes.
    #[must_use]
    pub const fn turns(&self) -> u32 {
        self.turns
    }

    /// The cells that it may pass and not stop on.
    #[must_use]
    pub fn no_stop(&self) -> &[Cell] {
        &self.no_stop
    }

    /// What becomes of steps that cost more than a whole turn has points.
    #[must_use]
    pub const fn long_step(&self) -> LongStep {
        self.long_step
    }

    /// Whose rules hold.
    #[must_use]
    pub const fn movement(&self) -> MovementId {
        self.movement
    }
}
