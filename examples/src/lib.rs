//! What the examples share: their start, command-line options, maps and graphs from files, the check for a display, the window
//! and its parts, screenshots, a camera that pans and zooms, the pointer's place in the world and the label beside it, nodes
//! that stay at a place, walkers and their goals, tilemaps, kinds of ground, their plans and the pictures for them, the town,
//! lines that are drawn again in every frame, the panel's widgets and switches, the legend, and the words for rules and
//! reasons.
//!
//! Nothing here knows a particular example; each part is a small plugin or function of its own.

pub mod autotile;
pub mod camera;
pub mod canvas;
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
pub mod panel;
pub mod pointer;
pub mod scale;
pub mod scenery;
pub mod screenshot;
pub mod scrolled;
pub mod start;
pub mod switches;
pub mod tiles;
pub mod town;
pub mod window;
pub mod words;
