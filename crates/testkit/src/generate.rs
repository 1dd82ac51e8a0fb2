//! Seeded maps, each a question of its own to a search: what happens in the open, in clutter, behind doors, in
//! corridors, on ground of many costs.

mod built;
mod grown;
mod scattered;

pub use built::{maze, open, rooms};
pub use grown::{caves, terrain};
pub use scattered::{cluttered, noise};
