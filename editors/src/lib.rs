//! Maps drawn in Tiled and LDtk, searched with `bevy_tilepath`.
//!
//! The modules [`tiled`] and [`ldtk`] hold all the code that a game needs; the plugin's
//! documentation shows these files. The rest is for examples and tests, which run without a window.

/// The code that a game with worlds of LDtk needs.
#[path = "../../crates/bevy_tilepath/docs/ldtk.rs"]
pub mod ldtk;
/// The code that a game with maps of Tiled needs.
#[path = "../../crates/bevy_tilepath/docs/tiled.rs"]
pub mod tiled;

mod headless;
mod picture;

pub use headless::{app, files, update_until};
pub use picture::{costs, costs_with_way};
