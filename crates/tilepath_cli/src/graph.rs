//! `tilepath graph`: paths and ranges on a waypoint graph.

mod file;
mod report;

use crate::{
    Verdict,
    arguments::GraphArguments,
    failure::Failure,
    picture::{self, network::GraphScene},
};
use std::io::Write;
use tilepath::waypoint::{WaypointError, WaypointGraph, WaypointPath};

/// Finds the path or the waypoints within reach, draws them if `--png` is given, and prints the
/// answer.
pub(crate) fn run(arguments: &GraphArguments, output: &mut impl Write) -> Result<Verdict, Failure> {
    let graph = file::read(&arguments.graph)?;
    let from = arguments.from.as_str();
    let verdict = match (&arguments.to, arguments.within) {
        (Some(to), _) => {
            let path = find(arguments, &graph, from, to)?;
            if let Some(file) = &arguments.png {
                let scene = GraphScene::with_path(&graph, from, to, path.as_ref());
                picture::write_graph(&scene.with_y_up(arguments.y_up), file)?;
            }
            if arguments.json {
                report::print_path_json(path.as_ref(), output)?;
            } else {
                report::print_path(from, to, path.as_ref(), output)?;
            }
            if path.is_some() { Verdict::Good } else { Verdict::Bad }
        }
        (None, steps) => {
            let steps = steps.unwrap_or_default();
            let within = graph.within_steps(from, steps).map_err(|error| refused(arguments, error))?;
            if let Some(file) = &arguments.png {
                let scene = GraphScene::with_range(&graph, from, &within);
                picture::write_graph(&scene.with_y_up(arguments.y_up), file)?;
            }
            if arguments.json {
                report::print_range_json(&graph, &within, output)?;
            } else {
                report::print_range(&within, output)?;
            }
            Verdict::Good
        }
    };
    output.flush()?;
    Ok(verdict)
}

/// Returns the path, or `None` if there is no path.
fn find(
    arguments: &GraphArguments,
    graph: &WaypointGraph,
    from: &str,
    to: &str,
) -> Result<Option<WaypointPath>, Failure> {
    graph.find(from, to).map_err(|error| refused(arguments, error))
}

fn refused(arguments: &GraphArguments, error: WaypointError) -> Failure {
    Failure::Waypoint { file: arguments.graph.clone(), error }
}
