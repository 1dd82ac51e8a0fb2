//! Bodies that do not share cells.
//!
//! The tests check the rules after each tick, and that all bodies arrive. This is a binary of its
//! own, because its scenes run for long.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

mod bodies;
mod dead_ends;
mod errands;
mod full_rooms;
mod held_and_moved;
mod larger_bodies;
mod left_paths;
mod own_ways;
mod pinned;
mod random_worlds;
mod scenes;
mod simulation;
