//! Routes: legs over cells and along graphs.

pub(crate) mod course;
pub(crate) mod leg;
pub(crate) mod pace;
pub(crate) mod speed;
pub(crate) mod track;
pub(crate) mod walked_line;
mod wall;
