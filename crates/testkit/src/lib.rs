//! Maps and an oracle for tilepath's own tests and benchmarks. Not published.
//!
//! This crate does not depend on the crate `tilepath`. Its maps are plain structs. Its [`Oracle`]
//! finds cheapest paths on an explicit list of edges, which is made from the rules in words. Only
//! an error in both crates could stay hidden.
//!
//! ```
//! use testkit::{DiagonalRule, Oracle, Rules, Scene};
//!
//! let scene = Scene::from_picture("
//!     S.#.
//!     ..#.
//!     ...G
//! ");
//! let oracle = Oracle::new(&scene.map, &Rules::classic(DiagonalRule::OnlyWhenNoObstacles));
//! let costs = oracle.costs_from(scene.start());
//! assert_eq!(costs[scene.map.slot(scene.goal())], Some(44)); // three straight steps and one diagonal
//! ```

pub mod assignment;
mod crowd_watch;
mod edge_list;
mod generate;
mod land;
mod land_edit;
mod larger_bodies;
mod map;
mod oracle;
mod picture;
mod seed;
mod steps;
mod tiles;
mod wire;

pub use crowd_watch::{Walker, crowd_faults};
pub use edge_list::EdgeList;
pub use generate::{caves, cluttered, maze, noise, open, rooms, terrain};
pub use land::{DIRECTIONS, HEXAGON_DIRECTIONS, Land, direction};
pub use land_edit::{LandArea, LandEdit};
pub use larger_bodies::{CROWDED_ROOM, PLACES, Place};
pub use map::TileMap;
pub use oracle::{DiagonalRule, Oracle, Rules, Unit};
pub use picture::Scene;
pub use seed::Seed;
pub use tiles::{LATTICES, tile_middle, tiles_touch};
pub use wire::{Wire, assert_damage_is_borne, assert_read_back, public_serde_types_in};
