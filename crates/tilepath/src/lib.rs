//! Exact pathfinding for tile games on weighted grids.
//!
//! There are four rules for diagonal steps. Every answer has a type: a path, "unreachable", or the
//! limit that stopped the search.
//!
//! The crate needs no game engine, no clock and no file system. It keeps no threads of its own and
//! has no `unsafe` code.
//!
//! # In a minute
//! ```
//! use tilepath::{Cell, Cost, Movement, Outcome, PathFinder, format};
//!
//! // The first row is the top row. `#` is a wall. A digit is the cost of a step onto the cell, and
//! // `.` costs 1.
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
//! finder.set_terrain(Cell::new(2, 2), 0)?; // adds a wall
//! assert_eq!(finder.find(from, to)?, Outcome::Unreachable { closest: None });
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The types
//! - A [`Grid`] is the map: a terrain class (`u8`) for every [`Cell`]. The y axis points up.
//! - A [`Movement`] describes how a kind of unit moves: the cost of each class ([`CostTable`]), the
//!   rule for diagonal steps ([`Diagonals`]) and the costs of steps ([`StepCosts`]).
//! - A [`PathFinder`] holds the map and the movements. It answers a [`PathQuery`] at once, or in
//!   slices ([`PathSearch`]).
//! - A [`Path`] holds the cells from start to goal, the [`Cost`] of the path, and a proven lower
//!   bound: no path costs less than this bound.
//!
//! Some answers are about many cells:
//!
//! - [`MoveRange`]: all cells that a unit can reach within a budget.
//! - [`NearestGoal`]: the nearest of many goals.
//! - [`field`]: a flow field, which leads any number of units to the same goals.
//!
//! # The modules
//! | module | content |
//! |---|---|
//! | [`explain`] | the cost of each step of a path with its reasons, the difference to the cheapest path, the walls that block a goal |
//! | [`crowd`] | bodies that do not share cells: one call moves all of them by a tick |
//! | [`formation`] | places for many units around one goal, and the unit for each place |
//! | [`field`] | flow fields, and searches that spread from many entries |
//! | [`turns`] | ranges and paths of units that have a number of points in each turn |
//! | [`format`](mod@format) | maps and scenarios as text |
//! | [`graph`] | nodes (with or without a position) and directed edges with costs; both can be edited at any time |
//! | [`waypoint`] | graphs with named nodes, from code, XML or RON, and routes between any two places on or off the graph |
//! | [`state_space`] | any other problem: you give the states that follow a state |
//! | `recording` | a map, its edits, queries and answers in one file, and a replay that compares them bit for bit (feature `recording`) |
//! | `rules` | the named classes, textures and movements of a game from a file, and a check of them (feature `rules`) |
//! | [`search`] | the search engine inside the crate, for direct use on problems of your own |
//!
//! # Calls
//! All finders and graphs use the same verbs:
//!
//! | verb | effect |
//! |---|---|
//! | `find` | runs a search to its end and returns the result |
//! | `solve` | runs a search for a query with options to its end, and returns more details |
//! | `begin` | starts a search that runs in slices |
//! | `step`, `steps`, `advance` | run a part of the search |
//! | `finish` | runs the rest of the search and returns the result |
//!
//! If there is no path, the result is still `Ok`. An `Err` means that the query cannot be answered as
//! it is: for example, the start is off the map, or a cost would pass the maximum. The text of the
//! error states what to change.
//!
//! Methods for other kinds of queries have the kind after the verb:
//! [`solve_nearest`](PathFinder::solve_nearest), [`begin_nearest`](PathFinder::begin_nearest),
//! [`solve_range`](PathFinder::solve_range), [`solve_field`](PathFinder::solve_field) and
//! [`begin_field`](PathFinder::begin_field).
//!
//! [`WhatIf`] answers queries as if some edits were made, and leaves the map unchanged.
//! [`forbidden`](PathFinder::forbidden) returns the cells that must stay open.
//!
//! A query names the movement of its unit. The methods without a query use the first movement of
//! the finder: [`find`](PathFinder::find), [`nearest`](PathFinder::nearest),
//! [`range`](PathFinder::range) and [`field`](PathFinder::field).
//!
//! # Algorithms
//! An answer is optimal if no path costs less.
//!
//! | [`Algorithm`] | when to use it | guarantee |
//! |---|---|---|
//! | `Auto` | by default: it uses jump points where they apply, and A* elsewhere | optimal |
//! | `JumpPoint` | if all passable cells of the map cost the same, on squares and hexagons | optimal |
//! | `AStar` | if the map has many costs | optimal |
//! | `Dijkstra` | to compare or to teach | optimal |
//! | `WeightedAStar` | to find a path with a proven percentage; on ground of many costs, landmarks are mostly faster | cost at most percent ÷ 100 times the cheapest |
//! | `Greedy` | to find any path soon | none |
//! | `BreadthFirst` | to find the fewest steps, whatever they cost | fewest steps |
//! | `DepthFirst`, `Backtracking` | to teach | none |
//!
//! | [`GraphAlgorithm`](graph::GraphAlgorithm) | when to use it | guarantee |
//! |---|---|---|
//! | `AStar` | by default | optimal |
//! | `Dijkstra` | to compare or to teach; for all nodes at once use [a tree](graph::Graph::shortest_path_tree), for the nearest of many goals [a search](graph::Graph::nearest) | optimal |
//! | `BreadthFirst` | to find the fewest edges, whatever they cost | fewest edges |
//! | `DepthFirst` | to teach | none |
//! | `Greedy` | to find any path soon | none |
//!
//! # Examples to run
//! Run them with `cargo run -p tilepath --example NAME`:
//!
//! - `eight_puzzle`: a search over the states of a puzzle.
//! - `word_ladder`: strings as nodes, and pairs as costs.
//! - `stealth`: hashed nodes; cells in front of a guard cost much, cells behind it cost little.
//! - `roads`: a graph, with the fastest, the shortest and the cheapest path.
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
mod landmarks;
mod lattice;
mod movement;
mod movement_map;
mod path;
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
mod straight_line;
mod terrain;
mod text;
mod topology;
pub mod turns;
mod view;
pub mod waypoint;

#[cfg(feature = "serde")]
#[doc(hidden)]
pub use crate::stored::lists::list as read_list;
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
        finder_state::FinderState,
        forbidden::Forbidden,
        heuristic_kind::HeuristicKind,
        opening_bounds::OpeningBounds,
        outcome::{Answer, Limit, Outcome, QueryError, Statistics},
        path_search::{CellState, PathSearch},
        query::{Algorithm, MovementId, PathQuery},
        what_if::WhatIf,
    },
    grid::Grid,
    journal::Revision,
    landmarks::{LandmarkCount, LandmarkStatus},
    lattice::Lattice,
    movement::{Crossing, Diagonals, Movement, StepCosts, StepCostsError},
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
