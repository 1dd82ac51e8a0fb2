//! What the examples share: command-line options, maps and graphs from files, the check for a display, the window and its parts,
//! screenshots, a camera that pans and zooms, the pointer's place in the world and the label beside it, the walker and its
//! goal, the panel's widgets, the legend, and the words for rules and reasons.
//!
//! Nothing here knows a particular example; each part is a small plugin or function of its own.

pub mod camera;
pub mod display;
pub mod figure;
pub mod goal_flag;
pub mod graph_file;
pub mod label;
pub mod layout;
pub mod legend;
pub mod map_file;
pub mod options;
pub mod panel;
pub mod pointer;
pub mod screenshot;
pub mod window;
pub mod words;
