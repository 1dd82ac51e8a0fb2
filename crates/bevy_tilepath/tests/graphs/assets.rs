//! Graphs from files that are loaded again while agents walk on them.

use bevy::{asset::io::memory::Dir, prelude::*};
use bevy_tilepath::{
    NavGraph, PathStatus,
    graphs::{NavGraphHandle, WaypointGraphAsset},
};

use super::fixtures::*;
use crate::harness::*;

fn spawn_file(game: &mut Game, path: &'static str) -> Entity {
    let handle = game.world().resource::<AssetServer>().load(path);
    game.world_mut().spawn(NavGraphHandle(handle)).id()
}

fn nav_graph(game: &Game, graph: Entity) -> &NavGraph {
    game.world().get::<NavGraph>(graph).expect("the handle brings it along")
}

#[test]
fn agents_wait_for_the_file_and_walk_as_soon_as_it_is_there() {
    let ron = tutorial().to_ron();
    for (name, text) in [
        ("town.waypoints.xml", TUTORIAL),
        ("town.waypoints.ron", &ron[..]),
        // The type of the handle is enough, so the file needs no special ending.
        ("town.xml", TUTORIAL),
        ("town", &ron[..]),
    ] {
        let files = Dir::default();
        write(&files, name, text);
        let mut game = Game::with_files(&files);
        let graph = spawn_file(&mut game, name);
        let walker = game.walker(25.0, 25.0, 1e6);
        game.order_to_waypoint(walker, "n5");
        assert!(!nav_graph(&game, graph).is_ready());
        game.update_until(|game| nav_graph(game, graph).is_ready());
        assert_eq!(game.status(walker), PathStatus::WaitingForMap);
        assert_eq!(*nav_graph(&game, graph).graph(), tutorial());
        game.tick();
        assert_eq!(game.named_of(walker).last(), Some(&arrived("n5")));
    }
}

#[test]
fn file_that_changes_on_the_way_replans_in_the_next_step() {
    let files = Dir::default();
    write(&files, "town.waypoints.xml", TUTORIAL);
    let mut game = Game::with_files(&files);
    let graph = spawn_file(&mut game, "town.waypoints.xml");
    let walker = game.walker(25.0, 25.0, 10.0);
    game.order_to_waypoint(walker, "n5");
    game.update_until(|game| game.status(walker) == PathStatus::Following);
    assert_eq!(game.waypoints(walker), ["n1", "n3", "n5"]);
    game.named_of(walker);

    // Loading an equal graph again changes nothing.
    game.world().resource::<AssetServer>().reload("town.waypoints.xml");
    let mut handles = game.world_mut().query::<&NavGraphHandle>();
    let handle = handles.single(game.world()).unwrap().0.clone();
    let mut edited = tutorial();
    edited.unjoin("n3", "n5").unwrap();
    for _ in 0..50 {
        game.update();
        std::thread::yield_now();
    }
    assert_eq!(game.named_of(walker), []);

    write(&files, "town.waypoints.xml", &edited.to_xml());
    game.world().resource::<AssetServer>().reload("town.waypoints.xml");
    game.update_until(|game| *nav_graph(game, graph).graph() == edited);
    game.tick();
    assert_eq!(game.named_of(walker), [blocked("n5"), replanned("n5")]);
    assert_eq!(game.waypoints(walker).last().map(String::as_str), Some("n5"));
    assert!(!game.waypoints(walker).contains(&"n3".to_owned()));

    // Edits the assets themselves.
    edited.move_to("n5", (191.0, 160.0)).unwrap();
    game.world_mut().resource_mut::<Assets<WaypointGraphAsset>>().get_mut(&handle).unwrap().0 = edited;
    game.update_until(|game| nav_graph(game, graph).graph().position("n5").is_some_and(|at| at.x > 190.5));
    game.tick();
    assert_eq!(game.named_of(walker), [blocked("n5"), replanned("n5")]);
}

#[test]
fn faulty_file_leaves_what_was_there() {
    let files = Dir::default();
    write(&files, "town.waypoints.xml", TUTORIAL);
    let mut game = Game::with_files(&files);
    let graph = spawn_file(&mut game, "town.waypoints.xml");
    game.update_until(|game| nav_graph(game, graph).is_ready());
    write(&files, "town.waypoints.xml", "<nodes>\n<node id=\"n1\" x=\"oh\" y=\"0\"/></nodes>");
    let server = game.world().resource::<AssetServer>().clone();
    server.reload("town.waypoints.xml");
    game.update_until(|game| {
        let mut states = game.world().try_query::<&NavGraphHandle>().unwrap();
        let handle = states.single(game.world()).unwrap();
        server.load_state(&handle.0).is_failed()
    });
    assert_eq!(*nav_graph(&game, graph).graph(), tutorial());
    assert!(nav_graph(&game, graph).is_ready());
}

#[test]
fn another_handle_makes_agents_wait_for_its_file() {
    let files = Dir::default();
    write(&files, "town.waypoints.xml", TUTORIAL);
    let mut game = Game::with_files(&files);
    let graph = spawn_file(&mut game, "town.waypoints.xml");
    game.update_until(|game| nav_graph(game, graph).is_ready());
    let missing = game.world().resource::<AssetServer>().load("nowhere.waypoints.xml");
    game.world_mut().entity_mut(graph).insert(NavGraphHandle(missing));
    game.update();
    assert!(!nav_graph(&game, graph).is_ready());
}
