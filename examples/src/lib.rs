//! Shared parts of the examples.
//!
//! - Start: command-line options, the check for a display, the window, screenshots.
//! - Files: maps, graphs and saved games.
//! - View: a camera that pans and zooms, the pointer's place, nodes at places of the world, lines
//!   that are drawn anew in every frame.
//! - World: walkers and their goals, tilemaps, kinds of ground with plans and pictures, the town.
//! - Interface: layout, panel, switches, legend, the label beside the pointer, words for rules and
//!   reasons.
//!
//! No part depends on a particular example. Each is a small plugin or function.

pub mod autotile;
pub mod camera;
pub mod canvas;
pub mod colour_vision;
pub mod display;
pub mod figure;
pub mod goal_flag;
pub mod graph_file;
pub mod ground;
pub mod ground_pictures;
pub mod ground_plan;
#[cfg(doctest)]
mod guide;
pub mod in_world;
pub mod label;
pub mod layout;
pub mod legend;
pub mod map_file;
pub mod options;
#[cfg(target_arch = "wasm32")]
pub mod page;
pub mod panel;
pub mod pointer;
pub mod saved_game;
pub mod scale;
pub mod scenery;
pub mod screenshot;
pub mod scrolled;
pub mod start;
pub mod switches;
pub mod tiles;
pub mod timing;
pub mod town;
pub mod window;
pub mod words;
