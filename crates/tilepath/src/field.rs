//! Whole maps answered by one search: a field that leads any number of units to the same goals, and searches that spread
//! from entries at costs of their own.
//!
//! A [`FlowField`] is searched from its goals and then asked for any cell; [`FlowField::update`] repairs it after edits. A
//! [`SpreadSearch`] is Dijkstra's algorithm in the hands of the caller: enter it where and as often as you like, and stop
//! it at any cell.
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
        near_field::NearField,
        query::FieldQuery,
        spread::SpreadSearch,
    },
};
