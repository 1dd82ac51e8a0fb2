//! Maps drawn in Tiled and LDtk, searched with `bevy_tilepath`.
//!
//! What a game needs is in [`tiled`] and in [`ldtk`]; the plugin's documentation shows these very files. The rest is for
//! examples and tests, which run without a window.

/// What a game with worlds of LDtk needs.
#[path = "../../crates/bevy_tilepath/docs/ldtk.rs"]
pub mod ldtk;
/// What a game with maps of Tiled needs.
#[path = "../../crates/bevy_tilepath/docs/tiled.rs"]
pub mod tiled;

mod headless;
mod picture;

pub use headless::{app, files, update_until};
pub use picture::{costs, costs_with_way};
