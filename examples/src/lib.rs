//! What the examples share: command-line options, graphs from files, the check for a display, the window, screenshots, a camera
//! that pans and zooms, the pointer's place in the world, the walker and his goal, and the panel's widgets.
//!
//! Nothing here knows a particular example; each part is a small plugin or function of its own.

pub mod camera;
pub mod display;
pub mod figure;
pub mod goal_flag;
pub mod graph_file;
pub mod options;
pub mod panel;
pub mod pointer;
pub mod screenshot;
pub mod window;
