//! Random edits of graphs and doors, with random orders.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, NavGraph, NavGrid, OnMap, PathAgent, PathFailure, PathRequest, PathStatus, Place,
    doors::{Door, DoorEnd},
    graphs::{WaypointEdge, WaypointSlowdown},
};
use rand::Rng;
use testkit::Seed;

use super::fixtures::*;
use crate::harness::*;

const IDS: [&str; 7] = ["a", "b", "c", "d", "e", "f", "g"];
const SPEED: f32 = 10.0;
/// The speed of the fastest edge.
const FASTEST: f64 = 3.0;

/// Returns a position somewhere around the graph.
fn anywhere(random: &mut impl Rng) -> Vec2 {
    Vec2::new(random.random_range(-20.0..120.0), random.random_range(-20.0..120.0))
}

/// Makes one random edit of the graph. Many edits change nothing.
fn random_edit(game: &mut Game, graph: Entity, random: &mut impl Rng) {
    let [a, b] = [(); 2].map(|()| IDS[random.random_range(0..IDS.len())]);
    let at = anywhere(random).as_dvec2();
    let kind = random.random_range(0..12);
    let speed = random.random_range(0.3..FASTEST);
    game.edit_graph(graph, |graph| match kind {
        0..3 => {
            let _ = graph.add(a, (at.x, at.y));
        }
        3..6 => {
            let _ = graph.join(a, b);
        }
        6 => {
            let _ = graph.join_one_way(a, b);
        }
        7 => {
            let _ = graph.unjoin(a, b);
        }
        8 => {
            let _ = graph.set_edge(a, b, WaypointEdge::with_speed(speed));
        }
        9 => {
            let _ = graph.remove(a);
        }
        _ => {
            let _ = graph.move_to(a, (at.x, at.y));
        }
    });
}

fn random_request(map: Entity, graph: Entity, random: &mut impl Rng) -> PathRequest {
    let id = IDS[random.random_range(0..IDS.len())];
    let cell = Cell::new(random.random_range(0..5), random.random_range(0..3));
    match random.random_range(0..6) {
        0 | 1 => PathRequest::to_waypoint(id),
        2 => PathRequest::to_position(anywhere(random)).on_map(graph),
        3 => PathRequest::to_cell(cell).on_map(map),
        4 => PathRequest::to_waypoint(id).or_closest(),
        _ => PathRequest::to_nearest([Place::from(id), anywhere(random).into()]).on_map(graph),
    }
}

/// Fails unless the path of the walker is valid. Tests call this after each step.
fn check(game: &Game, graph: Entity, walker: Entity, what: &str) {
    if game.status(walker) != PathStatus::Following {
        return;
    }
    let (path, on_map) = (game.path(walker), game.world().get::<OnMap>(walker).map(|on_map| on_map.0));
    assert_eq!(on_map, Some(path.map()), "{what}");
    assert!(path.next_point() <= path.points().len(), "{what}");
    if path.map() == graph {
        let graph = game.world().get::<NavGraph>(graph).expect("the graph is there").graph();
        let ahead: Vec<&str> = path.remaining_waypoints().collect();
        for pair in ahead.windows(2) {
            assert!(graph.edge(pair[0], pair[1]).is_some(), "{what}: {ahead:?}");
        }
        assert!(ahead.iter().all(|id| graph.contains(id)), "{what}: {ahead:?}");
    }
}

#[test]
fn whatever_is_edited_and_ordered_every_journey_leads_along_what_is_there() {
    let (mut arrivals, mut crossings, mut replans) = (0, 0, 0);
    for number in 0..60 {
        let mut random = Seed::named(&format!("lives {number}")).generator();
        let mut game = Game::long_steps();
        let map = game.tile_map(".....\n.....\n.....", Vec2::new(200.0, 0.0));
        let easing = (number % 3 == 0).then_some(WaypointSlowdown { distance: 8.0, slowest: 0.2 });
        let graph = game.graph(tutorial());
        game.world_mut().get_mut::<NavGraph>(graph).unwrap().easing = easing;
        let doors = [("a", 0), ("c", 2)].map(|(id, y)| {
            let door = Door::new(DoorEnd::waypoint(graph, id), DoorEnd::cell(map, Cell::new(0, y)));
            game.world_mut().spawn(if y == 0 { door } else { door.leaping() }).id()
        });
        for _ in 0..25 {
            random_edit(&mut game, graph, &mut random);
        }
        let walkers = [(); 3].map(|()| {
            let at = anywhere(&mut random);
            let walker = game.walker(at.x, at.y, SPEED);
            game.world_mut().entity_mut(walker).insert(OnMap(graph));
            walker
        });
        for n in 0..200 {
            let what = format!("{number}, step {n}");
            for _ in 0..random.random_range(0..2) {
                random_edit(&mut game, graph, &mut random);
            }
            let mut may_jump = [false; 3];
            match random.random_range(0..10) {
                0 => {
                    let cell = Cell::new(random.random_range(0..5), random.random_range(0..3));
                    let class = random.random_range(0..3);
                    game.world_mut().get_mut::<NavGrid>(map).unwrap().set_terrain(cell, class).unwrap();
                }
                1 => {
                    let door = doors[random.random_range(0..2)];
                    game.world_mut().get_mut::<Door>(door).unwrap().open ^= true;
                }
                2 => {
                    let at = random.random_range(0..3);
                    let walker = walkers[at];
                    if game.world().get::<OnMap>(walker) == Some(&OnMap(graph)) {
                        let to = anywhere(&mut random).extend(3.0);
                        game.world_mut().get_mut::<Transform>(walker).unwrap().translation = to;
                        may_jump[at] = true;
                    }
                }
                3 => {
                    let walker = walkers[random.random_range(0..3)];
                    game.world_mut().get_mut::<PathAgent>(walker).unwrap().paused ^= true;
                }
                4 => {
                    game.world_mut().entity_mut(walkers[random.random_range(0..3)]).remove::<PathRequest>();
                }
                _ => {
                    let request = random_request(map, graph, &mut random);
                    game.order(walkers[random.random_range(0..3)], request);
                }
            }
            let before = walkers.map(|walker| game.position(walker));
            game.step(0.5);
            for (at, walker) in walkers.into_iter().enumerate() {
                check(&game, graph, walker, &what);
                let walked = before[at].distance(game.position(walker));
                // Only the leaping door moves an agent farther than it can walk.
                let leapt = game.world().get::<OnMap>(walker) != Some(&OnMap(graph)) || before[at].x >= 200.0;
                let farthest = SPEED * 0.5 * FASTEST as f32 + 1e-2;
                assert!(walked <= farthest || leapt || may_jump[at], "{what}: {walked}");
            }
        }
        for walker in walkers {
            game.world_mut().get_mut::<PathAgent>(walker).unwrap().paused = false;
        }
        // If nothing changes, each agent arrives.
        game.steps(2000, 0.5);
        for walker in walkers {
            let status = game.status(walker);
            assert!(!game.is_ordered(walker), "{number}: {status:?}");
            assert!(
                !matches!(status, PathStatus::Failed(PathFailure::QueryRefused | PathFailure::AmbiguousMap)),
                "{number}"
            );
        }
        for walker in walkers {
            arrivals += usize::from(game.status(walker) == PathStatus::Arrived);
        }
        let told = game.all_named();
        crossings += told.iter().filter(|told| matches!(told, Told::Passed { .. })).count();
        replans += told.iter().filter(|told| matches!(told, Told::Replanned { .. })).count();
        let closed = told.iter().filter(|told| matches!(told, Told::Arrived(_) | Told::Lost(_))).count();
        assert!(closed <= told.iter().filter(|told| matches!(told, Told::Found { .. })).count());
    }
    assert!(arrivals > 60 && crossings > 20 && replans > 300, "{arrivals} {crossings} {replans}");
}
