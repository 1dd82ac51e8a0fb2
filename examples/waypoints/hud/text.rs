//! The texts of the panel.

use std::path::Path;

use bevy::prelude::*;
use bevy_tilepath::{AgentPath, NavProjection, PathStatus, graphs::WaypointGraph};
use tilepath_examples::{panel::colour, words};

use crate::{
    hand::Hand,
    pointing::{Pointing, Target},
    report::{News, Note, Report, coordinates},
    supplies::Nearest,
};

/// A text and its colour.
type Coloured = (String, Color);

/// The number of letters that fit into a line.
const WIDE: usize = 36;

pub(crate) fn status(status: PathStatus, paused: bool, news: &News) -> Coloured {
    match (status, news) {
        (PathStatus::WaitingForMap, _) => ("waits for the graph".into(), colour::TEXT),
        (PathStatus::Queued | PathStatus::Searching, _) => ("searches a path".into(), colour::TEXT),
        (PathStatus::Paused, _) => ("paused".into(), colour::TEXT),
        (PathStatus::Following, _) if paused => ("paused".into(), colour::TEXT),
        (PathStatus::Following, News::Walking(goal)) => (format!("on the way to {goal}"), colour::GOOD),
        (PathStatus::Following, _) => ("on the way".into(), colour::GOOD),
        (PathStatus::Arrived, News::Arrived(place)) => (format!("arrived at {place}"), colour::GOOD),
        (PathStatus::Arrived, _) => ("arrived".into(), colour::GOOD),
        (PathStatus::Failed(_), News::Lost(_)) => ("lost its path".into(), colour::BAD),
        (PathStatus::Failed(_), _) => ("cannot go there".into(), colour::BAD),
        _ => ("waits for an order".into(), colour::TEXT),
    }
}

/// Returns the reason of a failure, or how often the path was planned again.
pub(crate) fn detail(report: &Report) -> String {
    match &report.news {
        News::Failed(reason) | News::Lost(reason) => reason.clone(),
        _ => words::replans(report.replans),
    }
}

pub(crate) fn figure(number: Option<f64>) -> String {
    number.map_or_else(|| "-".into(), |number| format!("{number:.1}"))
}

/// Returns the next waypoint of the messenger.
pub(crate) fn next(status: PathStatus, path: Option<&AgentPath>) -> String {
    let next = path
        .filter(|_| matches!(status, PathStatus::Following | PathStatus::Paused))
        .and_then(|path| path.remaining_waypoints().next());
    next.unwrap_or("-").to_owned()
}

/// Returns the nearest supplies, and the cost of the path to them.
pub(crate) fn nearest(nearest: &Nearest) -> String {
    match (&nearest.id, nearest.cost) {
        (Some(id), Some(cost)) => shortened(&format!("{id}, cost {cost:.1}"), 26),
        _ => "-".into(),
    }
}

pub(crate) fn graph(graph: &WaypointGraph) -> String {
    // A way in both directions counts once.
    let ways = graph
        .edges()
        .filter(|step| !step.is_two_way || graph.node(step.from.id) < graph.node(step.to.id))
        .count();
    format!("{} waypoints, {ways} ways", graph.len())
}

pub(crate) fn here(
    pointing: &Pointing,
    hand: &Hand,
    graph: &WaypointGraph,
    projection: &NavProjection,
) -> String {
    if let Hand::Dragging(held) = hand {
        let names: Vec<&str> = held.iter().map(|(id, _)| id.as_str()).collect();
        return shortened(&format!("moving {}", names.join(", ")), 26);
    }
    match &pointing.0 {
        None => "-".into(),
        Some((Target::Waypoint(id), _)) => shortened(id, 26),
        Some((Target::Ground, world)) => coordinates(*world, Some(projection)),
        Some((Target::Way { from, to }, _)) => {
            let speed = graph.edge(from, to).map_or(1.0, |step| step.edge.speed);
            let fast = if (speed - 1.0).abs() < 1e-9 { String::new() } else { format!(", {speed} x") };
            shortened(&format!("{from} - {to}{fast}"), 28)
        }
    }
}

pub(crate) fn note(note: &Note) -> Coloured {
    (note.text.clone(), if note.is_bad { colour::BAD } else { colour::GOOD })
}

/// Returns the name of a file. A long name loses its beginning.
pub(crate) fn file(file: &Path) -> String {
    const ROOM: usize = 22;
    let name = file.display().to_string();
    let letters = name.chars().count();
    if letters <= ROOM {
        name
    } else {
        format!("..{}", name.chars().skip(letters + 2 - ROOM).collect::<String>())
    }
}

fn shortened(text: &str, room: usize) -> String {
    if text.chars().count() <= room.min(WIDE) {
        text.to_owned()
    } else {
        format!("{}..", text.chars().take(room - 2).collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use bevy_tilepath::PathFailure;

    use super::*;

    #[test]
    fn a_failure_says_why() {
        let report = Report { news: News::Failed("no path leads there".into()), ..Report::default() };
        let failed = PathStatus::Failed(PathFailure::Unreachable);
        assert_eq!(status(failed, false, &report.news).0, "cannot go there");
        assert_eq!(detail(&report), "no path leads there");
        assert_eq!(figure(None), "-");
    }

    #[test]
    fn the_status_says_where_it_goes() {
        let news = News::Walking("mill".into());
        assert_eq!(status(PathStatus::Following, false, &news).0, "on the way to mill");
        assert_eq!(status(PathStatus::Following, true, &news).0, "paused");
        assert_eq!(status(PathStatus::Arrived, false, &News::Arrived("mill".into())).0, "arrived at mill");
    }

    #[test]
    fn two_way_joins_count_once() {
        let mut town = WaypointGraph::new();
        for id in ["a", "b", "c"] {
            town.add(id, (0.0, id.len() as f64)).unwrap();
        }
        town.join("a", "b").unwrap();
        town.join_one_way("c", "b").unwrap();
        assert_eq!(graph(&town), "3 waypoints, 2 ways");
    }

    #[test]
    fn long_names_are_cut_where_it_hurts_least() {
        assert_eq!(file(Path::new("town.xml")), "town.xml");
        let long = file(Path::new("somewhere/far/away/from/here/town.waypoints.xml"));
        assert!(long.ends_with("town.waypoints.xml") && long.chars().count() == 22, "{long}");
        assert_eq!(shortened("abcdef", 5), "abc..");
    }
}
