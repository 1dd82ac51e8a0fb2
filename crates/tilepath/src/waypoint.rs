//! Graphs of named waypoints: a town, a dungeon, a patrol.
//!
//! A [`WaypointGraph`] comes from code, XML or RON; the page of [`WaypointGraph`] has an example. A
//! [`WaypointPath`] leads from waypoint to waypoint. A [`WaypointRoute`] leads between any two
//! places on or off the graph. A [`RouteSearch`] finds a route in slices.

mod access;
pub(crate) mod edge;
mod edit;
pub(crate) mod error;
#[cfg(any(feature = "ron", feature = "xml"))]
pub(crate) mod file;
pub(crate) mod graph;
mod merge;
pub(crate) mod nearest;
pub(crate) mod path;
mod plan;
pub(crate) mod route;
pub(crate) mod route_end;
pub(crate) mod search;
pub(crate) mod within;

#[cfg(any(feature = "ron", feature = "xml"))]
pub use self::file::error::{WaypointFileError, WaypointFileFault};
pub use self::{
    edge::WaypointEdge,
    error::WaypointError,
    graph::{Waypoint, WaypointGraph, WaypointStep},
    nearest::NearestOnEdge,
    path::WaypointPath,
    route::{RouteFault, RouteLeg, RouteOptions, RoutePoint, WaypointRoute},
    route_end::RouteEnd,
    search::{RouteSearch, RouteStop},
    within::{WithinCost, WithinSteps},
};
