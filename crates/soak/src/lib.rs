//! Lets a world of agents, maps and doors live for a long time, and checks after every tick that the plugin keeps its
//! promises. Not published.
//!
//! Two hundred agents walk over maps of all four rules for diagonals, over waypoint graphs and through doors, on parents
//! that stand, move and turn, while everything that a game may do is done to them by lot: see [`Deed`]. After every
//! tick it holds that
//!
//! - no agent has any of its cells in a wall that it did not start in, and none passed a corner that its map's rule forbids;
//! - each order has one answer and each journey one end, and an order that was replaced tells nothing more: a model of its life
//!   allows every event, and the status at the end of every tick;
//! - who arrives stands in its place, which is that of its order;
//! - bodies step only where the map lets all of their cells, and no cell is held by two;
//! - the order of a group has one end, which counts each member by what that was told; no cell belongs to the places of two,
//!   and who arrived is there when all have;
//! - an order fails only for a reason that an independent look at the world confirms: `Unreachable` only where a flood
//!   of the maps, through all doors, does not reach the goal either;
//! - no agent stands with an order for more than [`PATIENCE`] ticks while budget is left.
//!
//! At the end of each epoch all agents come to rest, everything is despawned, and the plugin's tables are empty. In runs of sixteen
//! epochs or more a last one is lived again and again: as many bytes are in use after it as were before.
//!
//! With `--tiles diamond`, or any other of the nine types of tilemap, the cells of all maps lie so; with `--movements` most
//! agents have one of five movements, which they change under way: infantry, a wagon of 2 × 2 cells (on hexagons a cart of
//! one), a boat, a flier, a ghost. Of a wagon all cells are looked at, wherever it stands or sweeps. With `--near` maps are
//! large and have no doors, and all orders to one place are answered near the cheapest, part by part where it is far.
//!
//! With `--wander 1000` and the feature `tilemaps` something else is done: a window of chunks wanders over an endless world
//! and back, with walkers in it. No journey that no chunk concerns may be disturbed, and memory must be given back.

mod checks;
mod crew;
mod deeds;
mod events;
mod level;
mod life;
mod orders;
mod places;
mod run;
mod settings;
mod squads;
mod state_hash;
#[cfg(feature = "tilemaps")]
mod tiles;
#[cfg(feature = "tilemaps")]
mod wander;

pub use checks::PATIENCE;
pub use run::{Report, Violation, run};
pub use settings::{Deed, Settings};
#[cfg(feature = "tilemaps")]
pub use wander::{Wander, WanderReport, wander};
