//! Graphs from files, loaded again while agents walk them.

use std::path::Path;

use bevy::{
    asset::io::{
        AssetSourceBuilder, AssetSourceId,
        memory::{Dir, MemoryAssetReader},
    },
    prelude::*,
};
use bevy_tilepath::{
    NavGraph, PathStatus,
    graphs::{NavGraphHandle, WaypointGraphAsset},
};

use super::fixtures::*;
use crate::harness;

/// An app in fixed steps whose files are in that folder in memory.
fn app_with(files: &Dir) -> App {
    let mut app = App::new();
    let root = files.clone();
    app.register_asset_source(
        AssetSourceId::Default,
        AssetSourceBuilder::new(move || Box::new(MemoryAssetReader { root: root.clone() })),
    )
    .add_plugins((MinimalPlugins, AssetPlugin::default(), bevy_tilepath::TilepathPlugin::default()));
    harness::start(&mut app);
    listen(&mut app);
    app
}

fn write(files: &Dir, path: &str, text: &str) {
    files.insert_asset_text(Path::new(path), text);
}

/// Updates until that is so.
#[track_caller]
fn update_until(app: &mut App, is_so: impl Fn(&App) -> bool) {
    for _ in 0..100_000 {
        if is_so(app) {
            return;
        }
        app.update();
        std::thread::yield_now();
    }
    panic!("it has not come about");
}

fn spawn_file(app: &mut App, path: &'static str) -> Entity {
    let handle = app.world().resource::<AssetServer>().load(path);
    app.world_mut().spawn(NavGraphHandle(handle)).id()
}

fn nav_graph(app: &App, graph: Entity) -> &NavGraph {
    app.world().get::<NavGraph>(graph).expect("the handle brings it along")
}

#[test]
fn agents_wait_for_the_file_and_walk_as_soon_as_it_is_there() {
    let ron = tutorial().to_ron();
    for (name, text) in [
        ("town.waypoints.xml", TUTORIAL),
        ("town.waypoints.ron", &ron[..]),
        // The type of the handle says enough.
        ("town.xml", TUTORIAL),
        ("town", &ron[..]),
    ] {
        let files = Dir::default();
        write(&files, name, text);
        let mut app = app_with(&files);
        let graph = spawn_file(&mut app, name);
        let walker = agent(&mut app, 25.0, 25.0, 1e6);
        go_to(&mut app, walker, "n5");
        assert!(!nav_graph(&app, graph).is_ready());
        update_until(&mut app, |app| nav_graph(app, graph).is_ready());
        assert_eq!(status(&app, walker), PathStatus::WaitingForMap);
        assert_eq!(*nav_graph(&app, graph).graph(), tutorial());
        harness::tick(&mut app);
        assert_eq!(told(&mut app, walker).last(), Some(&arrived("n5")));
    }
}

#[test]
fn file_that_changes_on_the_way_replans_in_the_next_step() {
    let files = Dir::default();
    write(&files, "town.waypoints.xml", TUTORIAL);
    let mut app = app_with(&files);
    let graph = spawn_file(&mut app, "town.waypoints.xml");
    let walker = agent(&mut app, 25.0, 25.0, 10.0);
    go_to(&mut app, walker, "n5");
    update_until(&mut app, |app| status(app, walker) == PathStatus::Following);
    assert_eq!(waypoints(&app, walker), ["n1", "n3", "n5"]);
    told(&mut app, walker);

    // The same graph again is none of its business.
    app.world().resource::<AssetServer>().reload("town.waypoints.xml");
    let mut handles = app.world_mut().query::<&NavGraphHandle>();
    let handle = handles.single(app.world()).unwrap().0.clone();
    let mut edited = tutorial();
    edited.unjoin("n3", "n5").unwrap();
    for _ in 0..50 {
        app.update();
        std::thread::yield_now();
    }
    assert_eq!(told(&mut app, walker), []);

    write(&files, "town.waypoints.xml", &edited.to_xml());
    app.world().resource::<AssetServer>().reload("town.waypoints.xml");
    update_until(&mut app, |app| *nav_graph(app, graph).graph() == edited);
    harness::tick(&mut app);
    assert_eq!(told(&mut app, walker), [blocked("n5"), replanned("n5")]);
    assert_eq!(waypoints(&app, walker).last().map(String::as_str), Some("n5"));
    assert!(!waypoints(&app, walker).contains(&"n3".to_owned()));

    // Through the assets themselves.
    edited.move_to("n5", (191.0, 160.0)).unwrap();
    app.world_mut().resource_mut::<Assets<WaypointGraphAsset>>().get_mut(&handle).unwrap().0 = edited;
    update_until(&mut app, |app| nav_graph(app, graph).graph().position("n5").is_some_and(|at| at.x > 190.5));
    harness::tick(&mut app);
    assert_eq!(told(&mut app, walker), [blocked("n5"), replanned("n5")]);
}

#[test]
fn faulty_file_leaves_what_was_there() {
    let files = Dir::default();
    write(&files, "town.waypoints.xml", TUTORIAL);
    let mut app = app_with(&files);
    let graph = spawn_file(&mut app, "town.waypoints.xml");
    update_until(&mut app, |app| nav_graph(app, graph).is_ready());
    write(&files, "town.waypoints.xml", "<nodes>\n<node id=\"n1\" x=\"oh\" y=\"0\"/></nodes>");
    let server = app.world().resource::<AssetServer>().clone();
    server.reload("town.waypoints.xml");
    update_until(&mut app, |app| {
        let mut states = app.world().try_query::<&NavGraphHandle>().unwrap();
        let handle = states.single(app.world()).unwrap();
        server.load_state(&handle.0).is_failed()
    });
    assert_eq!(*nav_graph(&app, graph).graph(), tutorial());
    assert!(nav_graph(&app, graph).is_ready());
}

#[test]
fn another_handle_makes_agents_wait_for_its_file() {
    let files = Dir::default();
    write(&files, "town.waypoints.xml", TUTORIAL);
    let mut app = app_with(&files);
    let graph = spawn_file(&mut app, "town.waypoints.xml");
    update_until(&mut app, |app| nav_graph(app, graph).is_ready());
    let missing = app.world().resource::<AssetServer>().load("nowhere.waypoints.xml");
    app.world_mut().entity_mut(graph).insert(NavGraphHandle(missing));
    app.update();
    assert!(!nav_graph(&app, graph).is_ready());
}
