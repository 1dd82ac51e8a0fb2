//! Seeded maps, each hard for a search in its own way.
//!
//! There are open maps, clutter, doors, corridors, and ground of many costs.

mod built;
mod grown;
mod scattered;

pub use built::{maze, open, rooms};
pub use grown::{caves, terrain};
pub use scattered::{cluttered, noise};
