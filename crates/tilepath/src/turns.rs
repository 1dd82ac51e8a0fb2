//! Units with a number of points a turn, as in tactics games: where they can be after which turn, and ways cut into turns.
//!
//! A [`TurnQuery`] says what the unit has, and where it may not stop. [`PathFinder::solve_turns`] answers with every cell it can
//! stop on ([`TurnRange`]), [`PathFinder::solve_turn_path`] with the way to one cell in the fewest turns ([`TurnPath`]), and
//! [`PathFinder::cut_into_turns`] cuts a path that is there already.
//!
//! For a single turn in which a unit may stop everywhere, [`PathFinder::range`] says the same and is faster.
//!
//! # Examples
//! A corridor with two friends in it. The unit could be beside the first one in one turn and a half; it does better to wait
//! there, because both must be passed in one go.
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

pub use crate::{
    dial::{
        turn_path::TurnPath,
        turn_range::{TurnCell, TurnRange},
        turn_search::LongStep,
    },
    finder::turns::query::TurnQuery,
};
