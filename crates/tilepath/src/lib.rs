//! Exact pathfinding for tile games: weighted grids, four diagonal rules, typed answers. No engine, no clock, no file
//! system, no threads of its own, no `unsafe`.
//!
//! # In a minute
//! ```
//! use tilepath::{Cell, Cost, Movement, Outcome, PathFinder, format};
//!
//! // Rows from the top: `#` is a wall, a digit is what a step onto the cell costs, `.` is 1.
//! let grid = format::parse_ascii(
//!     "
//!     .....
//!     .9#9.
//!     .9#9.
//!     ",
//! )?;
//! let mut finder = PathFinder::new(grid, Movement::new());
//! let (from, to) = (Cell::new(0, 0), Cell::new(4, 0));
//! let Outcome::Found(path) = finder.find(from, to)? else { panic!("there is a way") };
//! assert_eq!(path.cost(), Cost::new(68)); // up, along the top row, down
//!
//! finder.set_terrain(Cell::new(2, 2), 0)?; // a wall goes up
//! assert_eq!(finder.find(from, to)?, Outcome::Unreachable { closest: None });
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The words
//! - A [`Grid`] is the map: a terrain class (`u8`) for every [`Cell`], y up.
//! - A [`Movement`] says how a kind of unit moves: what each class costs ([`CostTable`]), when it may step diagonally
//!   ([`Diagonals`]), what steps cost ([`StepCosts`]).
//! - A [`PathFinder`] holds both and answers [`PathQuery`]s, at once or in slices ([`PathSearch`]).
//! - It also answers for many cells at once: everything in reach ([`MoveRange`]), the nearest of many goals
//!   ([`NearestGoal`]), a field that leads any number of units to the same goals ([`field`]).
//! - A [`Path`] is the cells from start to goal, the [`Cost`], and a proven lower bound.
//!
//! The rest is in modules:
//!
//! | module | what for |
//! |---|---|
//! | [`explain`] | what each step of a route costs and why, how a route compares with the cheapest, what bars the way |
//! | [`crowd`] | bodies that do not share cells: who steps where in a tick, for all of them at once |
//! | [`formation`] | places for many units around one goal, and who takes which |
//! | [`field`] | flow fields, and searches that spread from many entries |
//! | [`turns`] | ranges and paths of units with a number of points a turn |
//! | [`format`](mod@format) | maps and scenarios as text |
//! | [`graph`] | nodes, placed or not, and directed edges with costs, edited at any time |
//! | [`waypoint`] | such a graph with names, from code, XML or RON, and routes between any two places on it or beside it |
//! | [`state_space`] | any other problem: say what follows a state |
//! | `recording` | a map, its edits, queries and answers in one file, and their replay, compared bit for bit (feature `recording`) |
//! | `rules` | classes, textures and movements of a game by name, from a file, and what is wrong with it (feature `rules`) |
//! | [`search`] | the engine below, for problems of your own with nothing in between |
//!
//! # How to ask
//! Every face has the same verbs: `find` answers at once, and so does `solve` with more to say (a query, an algorithm) and more
//! told; `begin` starts the same question as a search, which `step`, `steps` and `advance` drive and `finish` ends. An answer is
//! `Ok` even where there is no way; `Err` says that the question cannot be answered as it stands, and what to change.
//!
//! Other questions carry their names behind the verb: [`solve_nearest`](PathFinder::solve_nearest) and
//! [`begin_nearest`](PathFinder::begin_nearest), [`solve_range`](PathFinder::solve_range),
//! [`solve_field`](PathFinder::solve_field) and [`begin_field`](PathFinder::begin_field). [`WhatIf`] has the same answered for the map
//! as it would be, and [`forbidden`](PathFinder::forbidden) tells which cells must stay open. Whose rules hold is said in the query;
//! what takes no query ([`find`](PathFinder::find), [`nearest`](PathFinder::nearest),
//! [`range`](PathFinder::range), [`field`](PathFinder::field)) asks for the finder's first
//! movement.
//!
//! # Which algorithm
//! | [`Algorithm`] | when | guarantee |
//! |---|---|---|
//! | `Auto` | always, unless you know better: jump points where they apply, A* elsewhere | optimal |
//! | `JumpPoint` | one passable cost on the whole map, on squares with diagonals | optimal |
//! | `AStar` | ground of many costs | optimal |
//! | `Dijkstra` | to compare, to teach | optimal |
//! | `Near` | large maps: a nearly cheapest path, soonest; not for thin cheap roads over dear ground | none before; each path says what it is worth |
//! | `Within` | the same, with a promise | cost at most percent ÷ 100 times the cheapest |
//! | `WeightedAStar` | a good path soon | cost at most percent ÷ 100 times the cheapest |
//! | `Greedy` | any path soon | none |
//! | `BreadthFirst` | fewest steps, whatever they cost | fewest steps |
//! | `DepthFirst`, `Backtracking` | to teach | none |
//!
//! | [`GraphAlgorithm`](graph::GraphAlgorithm) | when | guarantee |
//! |---|---|---|
//! | `AStar` | always, unless you know better | optimal |
//! | `Dijkstra` | to compare, to teach; for all nodes at once [a tree](graph::Graph::shortest_path_tree), for the nearest of many [a search](graph::Graph::nearest) | optimal |
//! | `BreadthFirst` | fewest edges, whatever they cost | fewest edges |
//! | `DepthFirst` | to teach | none |
//! | `Greedy` | any path soon | none |
//!
//! # Examples to run
//! `cargo run -p tilepath --example NAME`: `eight_puzzle` (states), `word_ladder` (strings, and costs in pairs),
//! `stealth` (hashed nodes; cells in front of a guard cost much, cells behind it little), `roads` (graphs; fastest,
//! shortest, cheapest).
#![cfg_attr(docsrs, feature(doc_cfg))]

mod bit_grid;
mod bounds;
mod cell;
mod cost;
pub mod crowd;
mod dial;
mod edit;
mod exits;
pub mod explain;
pub mod field;
mod finder;
pub mod format;
pub mod formation;
pub mod graph;
mod grid;
mod journal;
mod jump_point;
mod lattice;
mod movement;
mod movement_map;
mod path;
mod portals;
mod position;
#[cfg(feature = "recording")]
pub mod recording;
mod regions;
#[cfg(feature = "rules")]
pub mod rules;
pub mod search;
mod sight;
mod size;
mod space;
pub mod state_space;
#[cfg(feature = "serde")]
mod stored;
mod terrain;
mod text;
mod topology;
pub mod turns;
pub mod waypoint;

pub use crate::{
    bounds::{Bounds, GridError, Slot},
    cell::{Cell, Direction},
    cost::Cost,
    dial::move_range::{MoveRange, RangeCell},
    edit::Edit,
    exits::Exits,
    finder::{
        PathFinder,
        fields::{
            nearest::{NearestAnswer, NearestGoal, NearestSearch},
            query::{NearestQuery, RangeQuery},
        },
        forbidden::Forbidden,
        heuristic_kind::HeuristicKind,
        near_way::{NearWay, NearWayAnswer, NearWayFault, NearWaySearch},
        outcome::{Answer, Limit, Outcome, QueryError, Statistics},
        path_search::{CellState, PathSearch},
        query::{Algorithm, MovementId, PathQuery},
        reuse::{OutcomeKind, PathSummary},
        what_if::WhatIf,
    },
    grid::Grid,
    journal::Revision,
    lattice::Lattice,
    movement::{Diagonals, Movement, StepCosts, StepCostsError},
    path::{Path, PathFault},
    search::SearchStatus,
    size::{Size, SizeError},
    terrain::CostTable,
    text::UnknownName,
    topology::Topology,
};

/// Compiles the code of this crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct CrateReadme;
