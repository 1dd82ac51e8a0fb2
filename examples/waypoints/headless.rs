//! The tutorial's answers, and a walk while its graph is edited.

use std::{
    io::{self, Write},
    time::Duration,
};

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_tilepath::{
    NavGraph, PathRequest, Place, TilepathPlugin,
    events::{Arrived, PathFailed, PathLost, PathPointReached, Replanned},
    graphs::WaypointGraph,
    tilepath::waypoint::{RouteLeg, RouteOptions, WaypointPath, WaypointRoute},
};
use tilepath_examples::words;

use crate::{
    edit::Edit,
    report::name_of,
    scene::{ScenePlugin, Source, Walker},
};

const TUTORIAL: &str = include_str!("../../assets/waypoints/tutorial.xml");

/// The time from one update to the next.
const STEP: Duration = Duration::from_millis(50);
/// More updates than any order of the walk needs.
const PATIENCE: usize = 2000;

/// Prints the tutorial's answers and a walk.
///
/// # Errors
/// If `out` cannot be written to.
pub(crate) fn run(out: &mut dyn Write) -> io::Result<()> {
    let graph = WaypointGraph::from_xml(TUTORIAL).expect("the tutorial's graph is part of the program");
    write_graph(out, &graph)?;
    for goal in ["n5", "n6"] {
        let path = graph.find("n1", goal).map_err(io::Error::other)?.expect("the town is connected");
        writeln!(out, "n1 to {goal}: {}", path_text(&path))?;
    }
    let within = graph.within_steps("n1", 3).map_err(io::Error::other)?;
    let listed: Vec<String> =
        within.iter().skip(1).map(|reached| format!("{} ({})", reached.id, reached.steps)).collect();
    writeln!(out, "within three steps of n1: {}", listed.join(", "))?;
    let (from, to) = ((60.0, 40.0), (215.0, 120.0));
    let route = graph.find_route(from, to, RouteOptions::default()).map_err(io::Error::other)?;
    let route = route.expect("the town is connected");
    writeln!(out, "from {from:?} to {to:?}, both off the graph: {}", route_text(&route))?;
    walk(out, &graph)
}

fn write_graph(out: &mut dyn Write, graph: &WaypointGraph) -> io::Result<()> {
    for waypoint in graph.waypoints() {
        let position = waypoint.position;
        let joined: Vec<&str> =
            graph.edges_from(waypoint.id).map_err(io::Error::other)?.map(|step| step.to.id).collect();
        writeln!(
            out,
            "{} at ({}, {}), joined with {}",
            waypoint.id,
            position.x,
            position.y,
            joined.join(", ")
        )?;
    }
    Ok(())
}

fn path_text(path: &WaypointPath) -> String {
    format!("{}; cost {:.4}, length {:.4}", path.ids().join(", "), path.cost(), path.length())
}

fn route_text(route: &WaypointRoute) -> String {
    let points: Vec<String> = route
        .points()
        .iter()
        .map(|point| match (&point.waypoint, &point.leg) {
            (Some(id), _) => id.clone(),
            (None, RouteLeg::Edge { from, to, .. }) => format!("a foot on {from}-{to}"),
            (None, _) => format!("({:.1}, {:.1})", point.position.x, point.position.y),
        })
        .collect();
    format!("{}; cost {:.4}, length {:.4}", points.join(", "), route.cost(), route.length())
}

/// The events of a walk, in order.
#[derive(Resource, Default)]
struct Diary(Vec<String>);

struct Walk {
    app: App,
    walker: Entity,
}

/// Sends the walker about while the graph is edited.
fn walk(out: &mut dyn Write, graph: &WaypointGraph) -> io::Result<()> {
    let mut walk = Walk::new(graph.clone());
    writeln!(out, "\nit begins at n1 and is sent to n5")?;
    walk.order(PathRequest::to_waypoint("n5"));
    walk.steps(20);
    writeln!(out, "n3 is removed while it walks")?;
    walk.edit(Edit::Remove("n3".into()));
    walk.finish(out)?;

    writeln!(out, "it is sent to n1, and n2 is dragged away while it walks")?;
    walk.order(PathRequest::to_waypoint("n1"));
    walk.steps(20);
    walk.edit(Edit::Move(vec![("n2".into(), bevy_tilepath::tilepath::graph::Position::new(100.0, 40.0))]));
    walk.finish(out)?;

    writeln!(out, "it is sent to a place off the graph")?;
    let place = walk.world(Vec2::new(215.0, 120.0));
    walk.order(PathRequest::to_position(place));
    walk.finish(out)?;

    writeln!(out, "all ways from n2 are parted while it walks to n1")?;
    walk.order(PathRequest::to_waypoint("n1"));
    walk.steps(20);
    for (from, to) in [("n1", "n2"), ("n2", "n4")] {
        walk.edit(Edit::Part { from: from.into(), to: to.into() });
    }
    walk.finish(out)
}

impl Walk {
    fn new(graph: WaypointGraph) -> Self {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, TilepathPlugin::default()))
            .add_plugins(ScenePlugin { source: Source::OverMeadow { graph, is_y_up: false } })
            .init_resource::<Diary>()
            .insert_resource(TimeUpdateStrategy::ManualDuration(STEP))
            .add_observer(|reached: On<PathPointReached>, mut diary: ResMut<Diary>| {
                diary.0.push(format!("passes {}", name_of(&reached.place, None)));
            })
            .add_observer(|_: On<Replanned>, mut diary: ResMut<Diary>| diary.0.push("plans again".into()))
            .add_observer(|arrived: On<Arrived>, mut diary: ResMut<Diary>| {
                diary.0.push(match &arrived.place {
                    Place::Waypoint(id) => format!("has arrived at {id}"),
                    _ => "has arrived".into(),
                });
            })
            .add_observer(|failed: On<PathFailed>, mut diary: ResMut<Diary>| {
                diary.0.push(format!("cannot go: {}", words::failure(failed.reason)));
            })
            .add_observer(|lost: On<PathLost>, mut diary: ResMut<Diary>| {
                diary.0.push(format!("has lost its path: {}", words::failure(lost.reason)));
            });
        app.update();
        app.update();
        let world = app.world_mut();
        let walker =
            world.query_filtered::<Entity, With<Walker>>().single(world).expect("the scene has one walker");
        Self { app, walker }
    }

    /// Converts a place of the graph into the world.
    fn world(&mut self, local: Vec2) -> Vec2 {
        let world = self.app.world_mut();
        let mut graphs = world.query_filtered::<&Transform, With<NavGraph>>();
        let place = graphs.single(world).expect("the scene has one graph");
        place.transform_point(local.extend(0.0)).truncate()
    }

    fn steps(&mut self, count: usize) {
        for _ in 0..count {
            self.app.update();
        }
    }

    fn order(&mut self, request: PathRequest) {
        self.app.world_mut().entity_mut(self.walker).insert(request);
    }

    fn edit(&mut self, edit: Edit) {
        self.app.world_mut().write_message(edit);
        self.steps(1);
    }

    /// Runs until the order has ended, and writes its events.
    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        for _ in 0..PATIENCE {
            if self.app.world().get::<PathRequest>(self.walker).is_none() {
                break;
            }
            self.app.update();
        }
        let diary = std::mem::take(&mut self.app.world_mut().resource_mut::<Diary>().0);
        writeln!(out, "  it {}", diary.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed() -> String {
        let mut out = Vec::new();
        run(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_tutorials_answers_are_printed() {
        let text = printed();
        for line in [
            "n1 to n5: n1, n3, n5; cost 298.4245, length 298.4245",
            "n1 to n6: n1, n2, n4, n6; cost 317.0904, length 317.0904",
            "within three steps of n1: n2 (1), n3 (1), n4 (2), n5 (2), n6 (2)",
        ] {
            assert!(text.lines().any(|printed| printed == line), "{line}\nis missing in\n{text}");
        }
    }

    #[test]
    fn the_walk_shows_every_way_an_order_can_end() {
        let text = printed();
        let diary: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("  it ")).collect();
        assert_eq!(diary.len(), 4, "{text}");
        assert!(diary[0].contains("plans again") && diary[0].ends_with("has arrived at n5"), "{text}");
        assert!(diary[1].contains("passes n2") && diary[1].ends_with("has arrived at n1"), "{text}");
        assert!(diary[2].ends_with("has arrived"), "{text}");
        assert!(diary[3].contains("has lost its path"), "{text}");
    }

    #[test]
    fn it_walks_straight_to_a_waypoint_that_is_dragged() {
        let mut walk = Walk::new(WaypointGraph::from_xml(TUTORIAL).unwrap());
        walk.order(PathRequest::to_waypoint("n2"));
        walk.steps(10);
        let elsewhere = bevy_tilepath::tilepath::graph::Position::new(60.0, 150.0);
        walk.edit(Edit::Move(vec![("n2".into(), elsewhere)]));
        walk.finish(&mut Vec::new()).unwrap();
        walk.steps(2); // it is drawn between ticks
        let there = walk.world(Vec2::new(60.0, 150.0));
        let here = walk.app.world().get::<Transform>(walk.walker).unwrap().translation.truncate();
        assert!(here.distance(there) < 0.01, "{here} is not {there}");
    }
}
