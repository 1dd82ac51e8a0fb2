//! Flow fields and spread searches: whole maps from one search.
//!
//! A [`FlowField`] leads any number of units to the same goals. One search runs from the goals;
//! after that, the field returns an answer for any cell. After edits of the map,
//! [`FlowField::update`] repairs the field.
//!
//! A [`SpreadSearch`] spreads from cells that each have an entry cost, by Dijkstra's algorithm. The
//! caller enters cells at any time and stops the search at any cell.
//!
//! # Examples
//! ```
//! use tilepath::{Cell, Cost, Direction, Grid, Movement, PathFinder};
//! let finder = PathFinder::new(Grid::new(8, 8, 1)?, Movement::new());
//! let field = finder.field(&[Cell::new(7, 7), Cell::new(0, 7)])?;
//! assert_eq!(field.cost(Cell::new(6, 0)), Some(Cost::new(74)));
//! assert_eq!(field.direction(Cell::new(7, 0)), Some(Direction::North));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use crate::{
    dial::spread::Aim,
    finder::fields::{
        flow_field::{FieldState, FlowField, update::FieldUpdate},
        query::FieldQuery,
        spread::SpreadSearch,
    },
};
