//! Dial's algorithm over a map: ranges, nearest goals and fields.
//!
//! All of them use the one engine with the order of [`Dijkstra`](crate::search::Dijkstra) and
//! buckets of width 1. A range and the nearest goal are searched forwards from the unit. A field is
//! searched from the goals against the direction of the steps ([`reversed`]). Only its repair after
//! edits ([`repair`]) has its own loop.
//!
//! # Source
//! Dial, "Algorithm 360: shortest-path forest with topological ordering", Communications of the ACM
//! 12, 1969.

pub(crate) mod bounded;
pub(crate) mod bucket_stacks;
pub(crate) mod dial_queue;
pub(crate) mod move_range;
pub(crate) mod pareto_line;
pub(crate) mod pareto_search;
pub(crate) mod repair;
pub(crate) mod reversed;
pub(crate) mod spread;
pub(crate) mod turn_limits;
pub(crate) mod turn_path;
pub(crate) mod turn_range;
pub(crate) mod turn_search;
pub(crate) mod values;
