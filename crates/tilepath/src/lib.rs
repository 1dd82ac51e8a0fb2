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
//!   ([`NearestGoal`]), a field that leads any number of units to the same goals ([`FlowField`]).
//! - A [`Path`] is the cells from start to goal, the [`Cost`], and a proven lower bound.
//! - A [`Receipt`] says what each step of a route costs and why ([`PathFinder::explain`]), a [`RouteComparison`] how a route
//!   compares with the cheapest one, a [`Barrier`] which cells would have to open where there is none.
//! - A `Recording` (feature `recording`) keeps a map, its edits, queries and answers in one file, and a replay compares the
//!   answers bit for bit.
//! - A [`Graph`] is nodes, placed or not, and directed edges with costs, edited at any time; a [`GraphSearch`] is one search
//!   on it under way, a [`ShortestPathTree`] the ways from one node to all others.
//! - A [`WaypointGraph`] is such a graph with names, from code, XML or RON; a [`WaypointPath`] leads from waypoint to
//!   waypoint, a [`WaypointRoute`] between any two places on the graph or beside it.
//! - A [`StateSpace`] is any other problem: say what follows a state, and [`cheapest_path`] or a [`StateSearch`] finds the
//!   way.
//! - The engine below, for problems of your own with nothing in between, is in [`search`].
//!
//! # Which algorithm
//! | [`Algorithm`] | when | guarantee |
//! |---|---|---|
//! | `Auto` | always, unless you know better: jump points where they apply, A* elsewhere | optimal |
//! | `JumpPoint` | one passable cost on the whole map, with diagonals | optimal |
//! | `AStar` | ground of many costs | optimal |
//! | `Dijkstra` | to compare, to teach | optimal |
//! | `WeightedAStar` | a good path soon | cost at most percent ÷ 100 times the cheapest |
//! | `Greedy` | any path soon | none |
//! | `BreadthFirst` | fewest steps, whatever they cost | fewest steps |
//! | `DepthFirst`, `Backtracking` | to teach | none |
//!
//! | [`GraphAlgorithm`] | when | guarantee |
//! |---|---|---|
//! | `AStar` | always, unless you know better | optimal |
//! | `Dijkstra` | to compare, to teach; for all nodes at once [`Graph::shortest_path_tree`], for the nearest of many [`Graph::nearest`] | optimal |
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
mod explain;
mod field;
mod finder;
pub mod format;
mod graph;
mod grid;
mod journal;
mod jump_point;
mod movement;
mod movement_map;
mod path;
mod position;
#[cfg(feature = "recording")]
mod recording;
mod regions;
pub mod search;
mod space;
mod state_space;
#[cfg(feature = "serde")]
mod stored;
mod terrain;
mod waypoint;

pub use crate::{
    bounds::{Bounds, GridError},
    cell::{Cell, Direction},
    cost::Cost,
    explain::{
        barrier::{Barrier, FailureExplanation, Opening, OpeningSet},
        comparison::RouteComparison,
        error::ExplainError,
        receipt::Receipt,
        step::{BesideCell, Corner, ReceiptStep, StepFault},
    },
    field::{
        move_range::{MoveRange, RangeCell},
        spread::Aim,
    },
    finder::{
        PathFinder,
        fields::{
            flow_field::{FieldState, FlowField, update::FieldUpdate},
            nearest::{NearestAnswer, NearestGoal, NearestSearch},
            query::{FieldQuery, NearestQuery, RangeQuery},
            spread::SpreadSearch,
        },
        heuristic_kind::{HeuristicKind, UnknownHeuristic},
        outcome::{Answer, Outcome, QueryError, Statistics},
        path_search::{CellState, PathSearch, SearchStep},
        query::{Algorithm, MovementId, PathQuery, UnknownAlgorithm},
        reuse::{OutcomeKind, PathSummary},
    },
    graph::{
        Graph,
        answer::{GraphAnswer, GraphPath, ShortestPathTree},
        error::GraphError,
        generate::GridNeighbours,
        nearest::NearestTarget,
        node::NodeId,
        search::{GraphAlgorithm, GraphSearch, GraphStep},
    },
    grid::Grid,
    journal::Revision,
    movement::{Diagonals, Movement, StepCosts, StepCostsError, UnknownDiagonals},
    path::{Path, PathFault},
    position::Position,
    search::SearchStatus,
    state_space::{
        StatePath, StateSpace, cheapest_path,
        error::StateSpaceError,
        search::{StateSearch, StateStep},
    },
    terrain::CostTable,
    waypoint::{
        Waypoint, WaypointGraph, WaypointStep,
        edge::WaypointEdge,
        error::WaypointError,
        nearest::NearestOnEdge,
        path::WaypointPath,
        route::{RouteFault, RouteLeg, RouteOptions, RoutePoint, WaypointRoute},
        route_end::RouteEnd,
        search::{RouteSearch, RouteStop},
        within::{WithinCost, WithinSteps},
    },
};

#[cfg(feature = "recording")]
pub use crate::recording::{
    EntryFault, RecordedEntry, Recording,
    difference::{AnswerField, Difference},
    error::{RecordingFault, RecordingFileError},
    recorder::{QueryNumber, Recorder, UnknownQuery},
    replay::{ReplayError, Replayed, ReplayedAnswer, ReplayedQuestion},
};

#[cfg(any(feature = "ron", feature = "xml"))]
pub use crate::waypoint::file::error::{WaypointFileError, WaypointFileFault};

/// Compiles the code of this crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct CrateReadme;
