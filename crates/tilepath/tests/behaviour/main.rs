//! Tests of the core's guarantees, against an independent oracle.
//!
//! All of them are in one binary: it links once, and its tests share all cores.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

mod apart;
mod bad_input;
mod batches;
mod closed_ground;
mod corner_rules;
mod drivers;
mod edits;
mod explain;
mod explain_failures;
mod field_answers;
mod field_updates;
mod fields;
mod forbidden;
mod four_ways;
mod golden;
mod graphs;
mod graphs_random;
mod grids;
mod hexagon_costs;
mod hexagon_jumps;
mod histories;
mod journal;
mod jump_point_choice;
mod landmarks;
mod landmarks_on_planes;
mod landmarks_under_edits;
mod lattices;
mod limits;
mod memory_limit;
mod metric;
mod movements;
mod nearest;
mod openings;
mod oracle;
mod plane_errors;
mod plane_reasons;
mod plane_worlds;
mod planes;
mod ranges;
mod reachability;
mod recording;
mod recording_files;
mod recordings_of_old;
mod reopened_exits;
mod resize;
mod rivals;
mod route_searches;
#[cfg(feature = "rules")]
mod rules;
#[cfg(feature = "rules")]
mod rules_faults;
#[cfg(feature = "rules")]
mod rules_lints;
mod shapes;
mod spaces;
mod spreads;
mod teaching;
mod turn_rules;
mod turn_rules_random;
mod turn_worlds;
mod turns;
mod views;
mod waypoints;
#[cfg(all(feature = "ron", feature = "xml"))]
mod waypoints_files;
mod waypoints_merged;
mod waypoints_routes;
mod weighted;
mod what_if;
mod work;
mod worlds;
