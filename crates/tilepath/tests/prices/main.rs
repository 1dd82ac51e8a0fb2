//! Tests of prices of steps: costs between classes, and named edges.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

mod edges;
mod random;
mod step_costs;
mod stories;
mod work;
mod worlds;
