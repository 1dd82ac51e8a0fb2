//! `bevy_tilepath` with other packages: maps drawn in Tiled and LDtk, and units that a physics engine
//! moves.
//!
//! The modules [`tiled`] and [`ldtk`] hold all the code that a game needs; the plugin's
//! documentation shows these files. The rest is for examples and tests, which run without a window.

/// The code that a game with worlds of LDtk needs.
#[cfg_attr(not(bevy_0_20), path = "../../crates/bevy_tilepath/docs/ldtk.rs")]
#[cfg_attr(bevy_0_20, path = "../../crates/bevy_tilepath/docs/bevy_0_20/ldtk.rs")]
pub mod ldtk;
/// The code that a game with maps of Tiled needs.
#[cfg_attr(not(bevy_0_20), path = "../../crates/bevy_tilepath/docs/tiled.rs")]
#[cfg_attr(bevy_0_20, path = "../../crates/bevy_tilepath/docs/bevy_0_20/tiled.rs")]
pub mod tiled;

// Only for one version of Bevy: what it shows is the same with the next one.
#[cfg(not(bevy_0_20))]
pub mod street;

mod bevy_version;
mod headless;
mod picture;

pub use headless::{app, files, update_until};
pub use picture::{costs, costs_with_way};
