//! Tests that play the example with mouse and keys, without a window.

use std::time::Duration;

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_tilepath::{
    NavGraph, NavProjection, PathRequest, PathStatus, TilepathPlugin, graphs::WaypointGraph,
};
use tilepath_examples::{graph_file, pointer::MapPointer, town};

use crate::{
    around::{Around, AroundPlugin},
    keys::KeysPlugin,
    mouse::MousePlugin,
    pointing::PointingPlugin,
    report::Note,
    save::{SaveFile, SavePlugin},
    scene::{ScenePlugin, Source, Walker},
    settings::{Settings, Shown},
    supplies::{Nearest, SuppliesPlugin},
};

struct Play {
    app: App,
}

impl Play {
    fn new() -> Self {
        Self::with("town", Source::OverTown(town::graph()))
    }

    fn with(name: &str, source: Source) -> Self {
        let mut app = App::new();
        let save = std::env::temp_dir().join(format!("tilepath-{}-{name}.xml", std::process::id()));
        app.add_plugins((MinimalPlugins, TransformPlugin, TilepathPlugin::default()))
            .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(50)))
            .init_resource::<MapPointer>()
            .init_resource::<ButtonInput<MouseButton>>()
            .init_resource::<ButtonInput<KeyCode>>()
            .insert_resource(SaveFile(save))
            .add_plugins(ScenePlugin { source })
            .add_plugins((PointingPlugin, MousePlugin, KeysPlugin, SavePlugin, AroundPlugin, SuppliesPlugin));
        let mut play = Self { app };
        play.frames(2);
        play
    }

    fn frames(&mut self, count: usize) {
        for _ in 0..count {
            self.app.update();
            let world = self.app.world_mut();
            world.resource_mut::<ButtonInput<MouseButton>>().clear();
            world.resource_mut::<ButtonInput<KeyCode>>().clear();
        }
    }

    fn point(&mut self, x: f32, y: f32) {
        self.app.world_mut().resource_mut::<MapPointer>().world = Some(Vec2::new(x, y));
        self.frames(1);
    }

    fn press(&mut self, button: MouseButton) {
        self.app.world_mut().resource_mut::<ButtonInput<MouseButton>>().press(button);
        self.frames(1);
    }

    fn release(&mut self, button: MouseButton) {
        self.app.world_mut().resource_mut::<ButtonInput<MouseButton>>().release(button);
        self.frames(1);
    }

    fn drag(&mut self, button: MouseButton, from: (f32, f32), to: (f32, f32)) {
        self.point(from.0, from.1);
        self.press(button);
        let middle = Vec2::from(from).midpoint(Vec2::from(to));
        self.point(middle.x, middle.y);
        self.point(to.0, to.1);
        self.release(button);
    }

    fn key(&mut self, key: KeyCode) {
        self.app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(key);
        self.frames(1);
        self.app.world_mut().resource_mut::<ButtonInput<KeyCode>>().release(key);
        self.frames(1);
    }

    fn graph(&mut self) -> WaypointGraph {
        let world = self.app.world_mut();
        world.query::<&NavGraph>().single(world).unwrap().graph().clone()
    }

    fn world_of(&mut self, id: &str) -> Vec2 {
        let at = self.graph().position(id).unwrap();
        let world = self.app.world_mut();
        let projection = world.query::<&NavProjection>().single(world).unwrap();
        projection.world_of(Vec2::new(at.x as f32, at.y as f32))
    }

    fn walker(&mut self) -> (PathStatus, Vec2) {
        let world = self.app.world_mut();
        let mut walkers = world.query_filtered::<(&PathStatus, &Transform), With<Walker>>();
        let (status, place) = walkers.single(world).unwrap();
        (*status, place.translation.truncate())
    }

    fn arrive(&mut self) -> Vec2 {
        for _ in 0..2000 {
            let world = self.app.world_mut();
            if world.query_filtered::<(), With<PathRequest>>().iter(world).next().is_none() {
                break;
            }
            self.frames(1);
        }
        self.frames(2); // it is drawn between ticks
        let (status, place) = self.walker();
        assert_eq!(status, PathStatus::Arrived);
        place
    }
}

#[test]
fn a_click_sends_it_also_beside_the_ways() {
    let mut play = Play::new();
    assert!(play.walker().1.distance(Vec2::new(34.0, 186.0)) < 0.1, "it begins at the first waypoint");
    for (x, y) in [(290.0, 104.0), (158.0, 152.0)] {
        play.point(x, y);
        play.press(MouseButton::Left);
        play.release(MouseButton::Left);
        play.frames(3);
        assert_eq!(play.walker().0, PathStatus::Following);
        assert!(play.arrive().distance(Vec2::new(x, y)) < 0.1);
    }
}

#[test]
fn it_goes_where_a_waypoint_is_dragged_to() {
    let mut play = Play::new();
    play.point(206.0, 186.0);
    play.press(MouseButton::Left);
    play.release(MouseButton::Left);
    play.frames(10);
    play.drag(MouseButton::Left, (206.0, 186.0), (230.0, 140.0));
    assert_eq!(play.walker().0, PathStatus::Following, "a drag is no order, and does not stop the messenger");
    let market = play.graph().position("market").unwrap();
    assert_eq!((market.x, market.y), (230.0, 140.0));
    assert!(play.arrive().distance(Vec2::new(230.0, 140.0)) < 0.1);
}

#[test]
fn a_dragged_way_takes_both_ends_along() {
    let mut play = Play::new();
    let before = play.graph();
    play.drag(MouseButton::Left, (256.0, 38.0), (256.0, 50.0));
    let after = play.graph();
    for id in ["south gate", "harbour"] {
        let rise = after.position(id).unwrap().y - before.position(id).unwrap().y;
        assert!((rise - 12.0).abs() < 0.11, "{id} rose by {rise}");
    }
}

#[test]
fn right_drags_join_part_and_add() {
    let mut play = Play::new();
    let (inn, bakery) = ((128.0, 96.0), (290.0, 104.0));
    play.drag(MouseButton::Right, inn, bakery);
    assert!(play.graph().edge("bakery", "inn").is_some());
    play.drag(MouseButton::Right, bakery, inn);
    assert!(play.graph().edge("bakery", "inn").is_none());
    play.drag(MouseButton::Right, inn, (150.0, 140.0));
    assert!(play.graph().edge("inn", "place 1").is_some());
}

#[test]
fn keys_add_split_remove_and_restore() {
    let mut play = Play::new();
    let original = play.graph();
    play.point(158.0, 152.0);
    play.key(KeyCode::KeyN);
    assert!(play.graph().contains("place 1"));
    play.point(374.0, 187.0);
    play.key(KeyCode::KeyN);
    let bridge = play.graph();
    assert!(bridge.edge("west bank", "east bank").is_none());
    let half = bridge.edge("west bank", "place 2").unwrap();
    assert_eq!(half.edge.speed.to_bits(), 1.5_f64.to_bits());
    play.point(48.0, 272.0);
    play.key(KeyCode::KeyX);
    assert!(!play.graph().contains("graveyard"));
    play.key(KeyCode::KeyR);
    assert_eq!(play.graph(), original);
}

#[test]
fn a_click_beside_the_town_lets_the_walk_go_on() {
    let mut play = Play::new();
    for (x, y, status) in [(290.0, 104.0, PathStatus::Following), (-40.0, 100.0, PathStatus::Following)] {
        play.point(x, y);
        play.press(MouseButton::Left);
        play.release(MouseButton::Left);
        play.frames(3);
        assert_eq!(play.walker().0, status);
    }
    assert!(play.arrive().distance(Vec2::new(290.0, 104.0)) < 0.1, "where it was sent first");
}

#[test]
fn the_nearest_supplies_are_found_and_walked_to() {
    let mut play = Play::new();
    play.point(198.0, 32.0); // the south gate
    assert_eq!(play.app.world().resource::<Nearest>().id, None, "not asked for");
    play.key(KeyCode::KeyV);
    let nearest = play.app.world().resource::<Nearest>().clone();
    let graph = play.graph();
    let cost_to = |id: &str| graph.find("south gate", id).unwrap().unwrap().cost();
    let least = ["well", "mill", "orchard"].map(cost_to).into_iter().fold(f64::INFINITY, f64::min);
    assert_eq!(nearest.id.as_deref(), Some("orchard"));
    assert!((nearest.cost.unwrap() - least).abs() < 1e-9);

    play.key(KeyCode::KeyG);
    assert_eq!(
        play.app.world().resource::<Nearest>().id.as_deref(),
        Some("south gate"),
        "supplies are here now"
    );
    play.key(KeyCode::KeyG);
    play.point(44.0, 40.0); // the orchard
    play.key(KeyCode::KeyG); // removes the supplies
    assert_eq!(play.app.world().resource::<Nearest>().id.as_deref(), Some("well"));
    play.key(KeyCode::KeyQ);
    play.frames(2);
    assert!(play.arrive().distance(Vec2::new(296.0, 236.0)) < 0.1, "the messenger stands at the well");
    assert_eq!(play.app.world().resource::<Settings>().shown, Shown::Supplies);
}

#[test]
fn removed_waypoints_with_supplies_are_passed_over_by_the_order_to_the_nearest() {
    let mut play = Play::new();
    for (x, y) in [(44.0, 40.0), (296.0, 236.0)] {
        play.point(x, y); // the orchard, then the well
        play.key(KeyCode::KeyX);
    }
    play.key(KeyCode::KeyQ);
    play.frames(2);
    assert_eq!(play.walker().0, PathStatus::Following);
    assert!(play.arrive().distance(Vec2::new(424.0, 238.0)) < 0.1, "the messenger stands at the mill");

    play.point(424.0, 238.0);
    play.key(KeyCode::KeyX);
    play.key(KeyCode::KeyQ);
    let note = play.app.world().resource::<Note>().clone();
    assert!(note.is_bad && note.text.starts_with("no waypoint has supplies"), "{note:?}");
}

#[test]
fn three_steps_around_the_hovered_waypoint_are_known() {
    let mut play = Play::new();
    play.point(128.0, 96.0);
    let around = play.app.world().resource::<Around>().clone();
    assert_eq!(around.centre.as_deref(), Some("inn"));
    let within = play.graph().within_steps("inn", 3).unwrap();
    assert_eq!(around.steps.len(), within.len());
    assert!(within.iter().all(|reached| around.steps[&reached.id] == reached.steps));
    play.key(KeyCode::KeyT);
    play.key(KeyCode::KeyT);
    assert_eq!(play.app.world().resource::<Settings>().steps, 1);
    assert_eq!(play.app.world().resource::<Around>().steps.len(), 4, "the inn and its three neighbours");
}

#[test]
fn a_file_whose_y_points_down_keeps_it_when_it_is_edited_walked_and_saved() {
    let mut graph = WaypointGraph::new();
    for (id, place) in [("north", (10.0, 20.0)), ("south", (10.0, 200.0)), ("east", (300.0, 200.0))] {
        graph.add(id, place).unwrap();
    }
    graph.join("north", "south").unwrap();
    graph.join("south", "east").unwrap();
    let mut play = Play::with("down", Source::OverMeadow { graph, is_y_up: false });
    let [north, south, east] = ["north", "south", "east"].map(|id| play.world_of(id));
    assert!(north.y > south.y && east.x > south.x, "as on a screen");

    let lower = (east.x, east.y - 10.0);
    play.drag(MouseButton::Left, (east.x, east.y), lower);
    let moved = play.graph().position("east").unwrap();
    assert!(moved.y > 200.0, "farther down is more: {moved:?}");
    play.point(lower.0, lower.1);
    play.press(MouseButton::Left);
    play.release(MouseButton::Left);
    play.frames(3);
    assert!(play.arrive().distance(Vec2::from(lower)) < 0.5);

    play.key(KeyCode::KeyS);
    let path = play.app.world().resource::<SaveFile>().0.clone();
    let saved = graph_file::read(&path);
    std::fs::remove_file(&path).ok();
    assert_eq!(saved.unwrap(), play.graph());
}

#[test]
fn the_graph_is_saved_as_it_is() {
    let mut play = Play::new();
    play.drag(MouseButton::Left, (206.0, 186.0), (230.3, 140.7));
    play.key(KeyCode::KeyS);
    let path = play.app.world().resource::<SaveFile>().0.clone();
    let saved = graph_file::read(&path);
    std::fs::remove_file(&path).ok();
    assert_eq!(saved.unwrap(), play.graph());
    assert!(!play.app.world().resource::<Note>().is_bad);

    play.app.world_mut().resource_mut::<SaveFile>().0 = "no-such-folder/town.xml".into();
    play.key(KeyCode::KeyS);
    let note = play.app.world().resource::<Note>().clone();
    assert!(note.is_bad && note.text.starts_with("no-such-folder/town.xml cannot be written"), "{note:?}");
}
