//! Agents and their journeys.

pub(crate) mod agent;
pub(crate) mod body;
pub(crate) mod halt;
pub(crate) mod interpolate;
pub(crate) mod missing_parts;
pub(crate) mod number;
pub(crate) mod on_graph;
pub(crate) mod on_tiles;
pub(crate) mod parents;
pub(crate) mod path;
pub(crate) mod standing;
pub(crate) mod standing_on;
pub(crate) mod stepwise;
