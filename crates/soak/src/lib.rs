//! A long test of the plugin: agents, maps and doors run for a long time. Not published.
//!
//! Two hundred agents walk over maps with all four rules for diagonals, over waypoint graphs and
//! through doors. Their parents stand, move and turn. The ground of one map has many costs, so the
//! plugin makes landmarks for it. Scouts and convoys pay two overlays: areas of danger, which move,
//! fade and come back, and smoke on single cells. Random [`Deed`]s do everything that a game can
//! do. Checks after every tick:
//!
//! - No agent has a cell in a wall that it did not start in. No agent passes a corner against the
//!   rule of its map. A void cell is a wall, and so is a cell that an overlay of its movement
//!   closes.
//! - No agent and no body steps over a closed exit: over a fence, up a ledge, or against the
//!   direction of a one-way edge.
//! - Each order has one answer, and each journey has one end. After an order is replaced, it
//!   triggers no events. A model of the order allows every event, and the status at the end of
//!   every tick.
//! - An agent that arrives stands at the goal of its order.
//! - Bodies step only where the map is open for all of their cells. No two bodies hold one cell.
//! - The order of a group has one end, which counts each member by the member's own events. No two
//!   members have places with a common cell. A member that arrived is still in its place when all
//!   have arrived.
//! - An order fails only for a reason that an independent check confirms. `Unreachable` needs a
//!   flood of the maps, through all doors, that does not reach the goal.
//! - No agent stands with an order for more than [`PATIENCE`] ticks while budget is left.
//! - `why_not` has a reason for each agent that has had an order and not moved for 64 ticks. Bodies that
//!   follow a path are left out, because they may wait for other bodies.
//!
//! At the end of each epoch all agents come to rest, everything is despawned, and the plugin's
//! tables are empty. In runs of sixteen epochs or more, a last epoch is repeated: the bytes in use
//! must be equal after each repetition.
//!
//! The modes of a run, and the options that lead from a violation to its cause, are in the crate's
//! `README.md`.

mod areas;
mod checks;
mod crew;
mod deeds;
mod events;
mod level;
mod life;
mod lines;
mod orders;
mod places;
mod reload;
mod run;
mod settings;
mod shrink;
mod squads;
mod state_hash;
#[cfg(feature = "tilemaps")]
mod tiles;
#[cfg(feature = "tilemaps")]
mod wander;

pub use checks::PATIENCE;
pub use reload::Checkpoint;
pub use run::{Report, Violation, run};
pub use settings::{Deed, Settings};
pub use shrink::{FailingRun, shrink};
#[cfg(feature = "tilemaps")]
pub use wander::{Wander, WanderReport, wander};
