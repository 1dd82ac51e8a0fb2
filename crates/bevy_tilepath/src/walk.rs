//! Journeys under way: checks, replans, and walking.

pub(crate) mod better_ways;
pub(crate) mod bodies;
mod calm_paths;
pub(crate) mod changed_movements;
pub(crate) mod clock;
mod driven;
pub(crate) mod follow;
mod near;
mod next_stop;
mod opened_cells;
mod path_checker;
mod pursuits;
pub(crate) mod replan;
mod surroundings;
mod warned;
mod wide_ways;
