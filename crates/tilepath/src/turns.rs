//! Units with a number of points per turn, as in tactics games.
//!
//! A [`TurnQuery`] holds the points of the unit, and the cells on which it may not stop. There are
//! three functions:
//! - [`PathFinder::solve_turns`] returns every cell on which the unit can stop ([`TurnRange`]).
//! - [`PathFinder::solve_turn_path`] returns the path to one cell in the fewest turns
//!   ([`TurnPath`]).
//! - [`PathFinder::cut_into_turns`] cuts an existing path into turns.
//!
//! Zones of control ([`Zone`]), shores ([`Movement::with_turn_end`]), other points at sea
//! ([`TurnQuery::with_points_on`]) and places to land ([`TurnQuery::with_stops_only_on`]) are rules of
//! these three functions alone. Plain searches, ranges and fields obey none of them.
//!
//! For a single turn in which a unit may stop on every cell, [`PathFinder::range`] gives the same
//! cells and is faster.
//!
//! # Examples
//! Two friends stand in a corridor. The unit must pass both of them in one turn. So it ends its
//! second turn on the cell before the first friend, although it has points left.
//! ```
//! use tilepath::{Cell, Cost, Grid, Movement, PathFinder, turns::TurnQuery};
//! let finder = PathFinder::new(Grid::new(8, 1, 1)?, Movement::new());
//! let friends = [Cell::new(5, 0), Cell::new(6, 0)];
//! let unit = TurnQuery::new(Cell::new(0, 0), Cost::new(30)).with_no_stop(friends);
//! let way = finder.solve_turn_path(&unit, Cell::new(7, 0))?.unwrap();
//! assert_eq!(way.stops(), [3, 4, 7]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`PathFinder::solve_turns`]: crate::PathFinder::solve_turns
//! [`PathFinder::solve_turn_path`]: crate::PathFinder::solve_turn_path
//! [`PathFinder::cut_into_turns`]: crate::PathFinder::cut_into_turns
//! [`PathFinder::range`]: crate::PathFinder::range
//! [`Movement::with_turn_end`]: crate::Movement::with_turn_end

pub use crate::{
    dial::{
        turn_path::TurnPath,
        turn_range::{TurnCell, TurnRange},
        turn_search::LongStep,
    },
    finder::turns::{query::TurnQuery, zone::Zone},
};
