//! Changes of the graph, and their news for the panel.

use bevy::prelude::*;
use bevy_tilepath::{
    NavGraph,
    graphs::WaypointGraph,
    tilepath::{graph::Position, waypoint::WaypointError},
};

use tilepath_examples::words;

use crate::report::Note;

/// A change of the graph. Places are in the coordinates of the graph.
#[derive(Message, Debug, Clone, PartialEq)]
pub(crate) enum Edit {
    /// Moves waypoints.
    Move(Vec<(String, Position)>),
    /// Joins a waypoint with another one, or removes all ways between them if there are any.
    Toggle { from: String, to: String, one_way: bool },
    /// Adds a waypoint.
    Add { at: Position },
    /// Adds a waypoint with a way to it.
    AddFrom { from: String, at: Position, one_way: bool },
    /// Splits a way: adds a waypoint in its middle.
    Split { from: String, to: String, at: Position },
    /// Removes a waypoint and its ways.
    Remove(String),
    /// Removes the ways between two waypoints.
    Part { from: String, to: String },
    /// Resets the graph to its beginning.
    Restore,
}

/// Carries out [`Edit`] messages.
pub(crate) struct EditPlugin;

/// The graph as it was at the beginning.
#[derive(Resource, Debug, Clone)]
pub(crate) struct Original(pub(crate) WaypointGraph);

/// The system that edits the graph. Systems that read the graph run after it.
#[derive(SystemSet, Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct EditSet;

impl Plugin for EditPlugin {
    fn build(&self, app: &mut App) {
        app.add_message::<Edit>().add_systems(Update, edit_graph.in_set(EditSet));
    }
}

fn edit_graph(
    mut edits: MessageReader<Edit>,
    mut graph: Single<&mut NavGraph>,
    original: Option<Res<Original>>,
    mut note: ResMut<Note>,
) {
    let Some(original) = original else { return };
    for edit in edits.read() {
        match apply(graph.graph_mut(), edit, &original.0) {
            Ok(Some(text)) => *note = Note::good(text),
            Ok(None) => {}
            Err(error) => *note = Note::bad(words::edit(&error)),
        }
    }
}

/// Changes the graph, and returns the news for the panel.
///
/// # Errors
/// The errors of [`WaypointGraph`]. Then nothing has changed.
fn apply(
    graph: &mut WaypointGraph,
    edit: &Edit,
    original: &WaypointGraph,
) -> Result<Option<String>, WaypointError> {
    let said = match edit {
        Edit::Move(places) => {
            for (id, place) in places {
                graph.move_to(id, *place)?;
            }
            return Ok(None);
        }
        Edit::Toggle { from, to, one_way } => {
            if graph.unjoin(from, to)? {
                format!("parted {from} and {to}")
            } else {
                join(graph, from, to, *one_way)?
            }
        }
        Edit::Add { at } => format!("added {}", add(graph, *at)?),
        Edit::AddFrom { from, at, one_way } => {
            let id = add(graph, *at)?;
            join(graph, from, &id, *one_way)?
        }
        Edit::Split { from, to, at } => split(graph, from, to, *at)?,
        Edit::Remove(id) => {
            graph.remove(id)?;
            format!("removed {id}")
        }
        Edit::Part { from, to } => {
            graph.unjoin(from, to)?;
            format!("parted {from} and {to}")
        }
        Edit::Restore => {
            graph.replace(original.clone());
            "the graph is reset".into()
        }
    };
    Ok(Some(said))
}

fn join(graph: &mut WaypointGraph, from: &str, to: &str, one_way: bool) -> Result<String, WaypointError> {
    if one_way {
        graph.join_one_way(from, to)?;
        Ok(format!("one way from {from} to {to}"))
    } else {
        graph.join(from, to)?;
        Ok(format!("joined {from} and {to}"))
    }
}

/// Adds a waypoint under the first free name.
fn add(graph: &mut WaypointGraph, at: Position) -> Result<String, WaypointError> {
    let id = (0..=graph.len()).map(|number| format!("place {}", number + 1)).find(|id| !graph.contains(id));
    let id = id.expect("there is one number more than waypoints");
    graph.add(id.as_str(), at)?;
    Ok(id)
}

/// Splits a way. Both halves keep its speed and cost factor, in each direction that it had.
fn split(graph: &mut WaypointGraph, from: &str, to: &str, at: Position) -> Result<String, WaypointError> {
    let ways: Vec<_> = [(from, to), (to, from)]
        .into_iter()
        .filter_map(|(from, to)| graph.edge(from, to).map(|step| (from, to, step.edge)))
        .collect();
    let id = add(graph, at)?;
    graph.unjoin(from, to)?;
    for (from, to, edge) in ways {
        for (from, to) in [(from, id.as_str()), (id.as_str(), to)] {
            graph.join_one_way(from, to)?;
            graph.set_edge(from, to, edge)?;
        }
    }
    Ok(format!("{id} between {from} and {to}"))
}

#[cfg(test)]
mod tests {
    use bevy_tilepath::graphs::WaypointEdge;

    use super::*;

    fn graph() -> WaypointGraph {
        let mut graph = WaypointGraph::new();
        for (id, x) in [("a", 0.0), ("b", 30.0), ("c", 60.0)] {
            graph.add(id, (x, 0.0)).unwrap();
        }
        graph.join("a", "b").unwrap();
        graph
    }

    fn edited(edit: &Edit) -> (WaypointGraph, String) {
        let mut graph = graph();
        let original = graph.clone();
        let said = apply(&mut graph, edit, &original).unwrap().unwrap_or_default();
        (graph, said)
    }

    #[test]
    fn the_same_gesture_joins_and_parts() {
        let toggle =
            |from: &str, to: &str, one_way| Edit::Toggle { from: from.into(), to: to.into(), one_way };
        let (joined, said) = edited(&toggle("b", "c", false));
        assert!(joined.edge("b", "c").is_some() && joined.edge("c", "b").is_some());
        assert_eq!(said, "joined b and c");
        let (one_way, _) = edited(&toggle("c", "b", true));
        assert!(one_way.edge("b", "c").is_none() && one_way.edge("c", "b").is_some());
        let (parted, said) = edited(&toggle("b", "a", false));
        assert_eq!((parted.edge_count(), said.as_str()), (0, "parted b and a"));
    }

    #[test]
    fn a_split_way_keeps_its_speed_in_each_direction() {
        let mut graph = graph();
        graph.set_edge("a", "b", WaypointEdge::with_speed(2.0)).unwrap();
        let at = Position::new(10.0, 5.0);
        let edit = Edit::Split { from: "b".into(), to: "a".into(), at };
        apply(&mut graph, &edit, &WaypointGraph::new()).unwrap();
        assert!(graph.edge("a", "b").is_none() && graph.edge("b", "a").is_none());
        for (from, to, speed) in [("a", "place 1", 2.0), ("place 1", "b", 2.0), ("b", "place 1", 1.0)] {
            assert_eq!(graph.edge(from, to).unwrap().edge, WaypointEdge::with_speed(speed), "{from} to {to}");
        }
        assert_eq!(graph.find("b", "a").unwrap().unwrap().ids(), ["b", "place 1", "a"]);
    }

    #[test]
    fn new_waypoints_take_the_first_free_name() {
        let (mut graph, said) = edited(&Edit::Add { at: Position::new(1.0, 2.0) });
        assert_eq!(said, "added place 1");
        let edit = Edit::AddFrom { from: "c".into(), at: Position::new(3.0, 4.0), one_way: true };
        let original = graph.clone();
        let said = apply(&mut graph, &edit, &original).unwrap();
        assert_eq!(said.as_deref(), Some("one way from c to place 2"));
        apply(&mut graph, &Edit::Remove("place 1".into()), &original).unwrap();
        apply(&mut graph, &Edit::Add { at: Position::new(0.0, 9.0) }, &original).unwrap();
        assert_eq!(graph.position("place 1"), Some(Position::new(0.0, 9.0)));
    }

    #[test]
    fn all_can_be_undone_at_once() {
        let (mut graph, _) = edited(&Edit::Remove("b".into()));
        let (original, before) = (super::tests::graph(), graph.revision());
        apply(&mut graph, &Edit::Restore, &original).unwrap();
        assert_eq!(graph, original);
        assert_ne!(graph.revision(), before);
    }

    #[test]
    fn refused_edit_changes_nothing() {
        let mut graph = graph();
        let original = graph.clone();
        let edit = Edit::Toggle { from: "a".into(), to: "nowhere".into(), one_way: false };
        assert!(apply(&mut graph, &edit, &original).is_err());
        let edit = Edit::Move(vec![("a".into(), Position::new(f64::NAN, 0.0))]);
        assert!(apply(&mut graph, &edit, &original).is_err());
        assert_eq!(graph, original);
    }
}
