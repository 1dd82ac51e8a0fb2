//! The turns of a path, and why each of them ends where it does.

use crate::{
    cell::Cell,
    cost::Cost,
    dial::turn_path::TurnPath,
    explain::{error::ExplainError, table::table},
    finder::{
        PathFinder,
        turns::{
            query::TurnQuery,
            walk::{TurnWalk, WalkFault, WalkedStep},
        },
    },
};
use std::fmt;

/// The turns of a path with their stops, and the reason for each stop. Returned by
/// [`PathFinder::explain_turns`].
///
/// The `Display` text is a table for players.
///
/// # Examples
/// ```
/// use tilepath::{Cell, Cost, CostTable, Movement, PathFinder, format, turns::TurnQuery};
/// let walker = Movement::new().with_costs(CostTable::uniform()).with_turn_end([1], [2]);
/// let finder = PathFinder::new(format::parse_ascii("1122221")?, walker);
/// let query = TurnQuery::new(Cell::new(0, 0), Cost::new(35));
/// let path = finder.solve_turn_path(&query, Cell::new(6, 0))?.unwrap();
/// assert_eq!(
///     finder.explain_turns(&path, &query)?.to_string(),
///     "\
/// turn  stop    steps  used  left  why the turn ends
///    1  (2, 0)      2    35     0  a step from class 1 to class 2 ends the turn
///    2  (5, 0)      3    30     5  the next step costs 10
///    3  (6, 0)      1    10    25  the goal
/// "
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TurnReceipt {
    turns: Vec<ReceiptTurn>,
}

/// One turn of a [`TurnReceipt`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ReceiptTurn {
    /// The number of the turn, from 1.
    pub turn: u32,
    /// The cell on which the unit stands at the end of the turn.
    pub stop: Cell,
    /// The number of steps in this turn.
    pub steps: usize,
    /// The points used in this turn.
    pub used: Cost,
    /// The points left at the end of this turn, which are lost.
    pub left: Cost,
    /// The reason why the turn ends on this cell.
    pub reason: StopReason,
}

/// The reason why a turn ends on a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum StopReason {
    /// The cell is the goal.
    Goal,
    /// A zone of control ended the turn.
    Zone {
        /// The index of the zone among [`TurnQuery::zones`].
        zone: usize,
    },
    /// A step over an edge ended the turn:
    /// [`Crossing::EndsTurn`](crate::Crossing::EndsTurn).
    Edge,
    /// A step between two classes ended the turn:
    /// [`Movement::with_turn_end`](crate::Movement::with_turn_end).
    TurnEnd {
        /// The class that the step left.
        from: u8,
        /// The class that the step entered.
        to: u8,
    },
    /// The next step costs more points than are left.
    TooFewPoints {
        /// The cost of the next step.
        needed: Cost,
    },
    /// The unit may not stop on the next cell, and cannot get past it in this turn.
    NoStopAhead {
        /// The next cell.
        cell: Cell,
    },
    /// It is better to wait for the points of the next turn.
    Waits {
        /// The points with which the next turn begins.
        points: Cost,
    },
}

impl PathFinder {
    /// Returns the turns of a path, with the points and the reason for each stop. The path is an
    /// answer to the query, or was cut by it.
    ///
    /// # Errors
    /// [`ExplainError::OtherStart`], [`ExplainError::Query`]; [`ExplainError::IllegalTurn`] if the
    /// path does not follow the rules of the query on the map as it is now.
    ///
    /// # Complexity
    /// O(cells of the path × cells of zones).
    ///
    /// # Examples
    /// ```
    /// use tilepath::{
    ///     Cell, Cost, Grid, Movement, PathFinder, explain::StopReason, turns::{TurnQuery, Zone},
    /// };
    /// let finder = PathFinder::new(Grid::new(9, 1, 1)?, Movement::new());
    /// let query = TurnQuery::new(Cell::new(0, 0), Cost::new(50)).with_zone(Zone::new([Cell::new(3, 0)]));
    /// let path = finder.solve_turn_path(&query, Cell::new(6, 0))?.unwrap();
    /// let receipt = finder.explain_turns(&path, &query)?;
    /// assert_eq!(receipt.turns()[0].stop, Cell::new(3, 0));
    /// assert_eq!(receipt.turns()[0].reason, StopReason::Zone { zone: 0 });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain_turns(&self, path: &TurnPath, query: &TurnQuery) -> Result<TurnReceipt, ExplainError> {
        let (expected, found) = (query.start(), path.path().start());
        if expected != found {
            return Err(ExplainError::OtherStart { expected, found });
        }
        let walk = self.walk_turns(path, query).map_err(|fault| match fault {
            WalkFault::Query(error) => ExplainError::Query(error),
            WalkFault::Turn(turn) => ExplainError::IllegalTurn { turn },
        })?;
        let mut turns = Vec::with_capacity(path.stops().len());
        let mut begin = 0;
        for (index, &stop) in path.stops().iter().enumerate() {
            let steps = &walk.steps[begin..stop];
            let end = steps.last().map_or(walk.begins[index], |step| step.after);
            turns.push(ReceiptTurn {
                turn: index as u32 + 1,
                stop: path.path().cells()[stop],
                steps: steps.len(),
                used: Cost::new(end.points - end.left),
                left: Cost::new(end.left),
                reason: reason(&walk, index, stop, steps.last()),
            });
            begin = stop;
        }
        Ok(TurnReceipt { turns })
    }
}

/// Returns why the turn of an index ends at a stop, after the last step of the turn.
fn reason(walk: &TurnWalk, index: usize, stop: usize, last: Option<&WalkedStep>) -> StopReason {
    let (Some(next), Some(begin)) = (walk.steps.get(stop), walk.begins.get(index + 1)) else {
        return StopReason::Goal;
    };
    if let Some(zone) = last.and_then(|step| step.zone) {
        return StopReason::Zone { zone };
    }
    if let Some(step) = last.filter(|step| step.is_turn_end) {
        return StopReason::TurnEnd { from: step.classes[0], to: step.classes[1] };
    }
    if last.is_some_and(|step| step.is_edge_end) {
        return StopReason::Edge;
    }
    let left = last.map_or(walk.begins[index].left, |step| step.after.left);
    if next.cost > left {
        StopReason::TooFewPoints { needed: Cost::new(next.cost) }
    } else if walk.can_stop[stop + 1] {
        StopReason::Waits { points: Cost::new(begin.points) }
    } else {
        StopReason::NoStopAhead { cell: next.to }
    }
}

impl TurnReceipt {
    /// Returns the turns of the path, from the first.
    #[must_use]
    pub fn turns(&self) -> &[ReceiptTurn] {
        &self.turns
    }

    /// Returns the turns as a table. The closure `name` returns the text for a cell. Use it if a
    /// game counts rows from the top, or if places in the game have names.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Grid, Movement, PathFinder, turns::TurnQuery};
    /// let finder = PathFinder::new(Grid::new(2, 1, 1)?, Movement::new());
    /// let query = TurnQuery::new(Cell::new(0, 0), Cost::new(30));
    /// let path = finder.solve_turn_path(&query, Cell::new(1, 0))?.unwrap();
    /// let table = finder.explain_turns(&path, &query)?.to_table(|cell| ["well", "gate"][cell.x as usize].to_owned());
    /// assert!(table.ends_with("1  gate      1    10    20  the goal\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_table(&self, name: impl Fn(Cell) -> String) -> String {
        let head = [
            ("turn", true),
            ("stop", false),
            ("steps", true),
            ("used", true),
            ("left", true),
            ("why the turn ends", false),
        ];
        let row = |turn: &ReceiptTurn| {
            let ReceiptTurn { turn, stop, steps, used, left, reason } = turn;
            let reason = match *reason {
                StopReason::Goal => "the goal".to_owned(),
                StopReason::Zone { .. } => "a zone of control ends the turn".to_owned(),
                StopReason::Edge => "an edge that the step crosses ends the turn".to_owned(),
                StopReason::TurnEnd { from, to } => {
                    format!("a step from class {from} to class {to} ends the turn")
                }
                StopReason::TooFewPoints { needed } => format!("the next step costs {needed}"),
                StopReason::NoStopAhead { cell } => format!("no stop on {}", name(cell)),
                StopReason::Waits { points } => format!("waits for a turn of {points} points"),
            };
            let numbers = [steps.to_string(), used.to_string(), left.to_string()];
            [turn.to_string(), name(*stop)].into_iter().chain(numbers).chain([reason]).collect()
        };
        table(&head, self.turns.iter().map(row).collect())
    }
}

impl fmt::Display for TurnReceipt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.to_table(|cell| cell.to_string()))
    }
}
