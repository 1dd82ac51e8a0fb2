//! Waypoint graphs from files.

use crate::{failure::Failure, input::read_argument};
use std::path::Path;
use tilepath::waypoint::WaypointGraph;

/// Reads a graph as XML or RON. XML begins with `<`, RON never does.
///
/// # Errors
/// If the file cannot be read or is not a graph.
pub(super) fn read(file: &Path) -> Result<WaypointGraph, Failure> {
    let text = read_argument(file)?;
    let begin = text.trim_start_matches('\u{feff}').trim_start();
    let is_named_ron = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ron"));
    let is_ron = if begin.is_empty() { is_named_ron } else { !begin.starts_with('<') };
    let graph = if is_ron { WaypointGraph::from_ron(&text) } else { WaypointGraph::from_xml(&text) };
    graph.map_err(|error| Failure::Graph { file: file.to_owned(), error: Box::new(error) })
}
