//! Grids as search spaces.

pub(crate) mod canonical;
pub(crate) mod grid;
pub(crate) mod octile_distance;
