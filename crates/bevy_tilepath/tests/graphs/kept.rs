//! Paths through doors and along graphs: they are kept while they are good enough, and dropped when
//! a better one appears.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, NavGraph, NavGrid, OnMap, PathFailure, PathRequest, PathStatus, TilepathDiagnostics,
    TilepathSettings,
    agents::PathLeg,
    doors::{Door, DoorEnd},
    graphs::{WaypointEdge, WaypointGraph},
};

use super::fixtures::*;
use crate::harness::*;

const WALLED: &str = "
    ......#.....
    ......#.....
    ......#.....
    ......#.....
    ......#.....
    ............
";

const OPEN: &str = "
    ............
    ............
    ............
    ............
    ............
    ............
";

/// Two yards of 12 by 6 cells. A wall with one gate at its lower end divides the left yard. A door
/// leads from the right side of the left yard into the right yard.
struct Yards {
    game: Game,
    left: Entity,
    right: Entity,
    door: Entity,
}

fn yards(left: &str, right: &str, door_row: i32) -> Yards {
    let mut game = Game::long_steps();
    let left = game.tile_map(left, Vec2::ZERO);
    let right = game.tile_map(right, Vec2::new(130.0, 0.0));
    let door =
        Door::new(DoorEnd::cell(left, Cell::new(11, door_row)), DoorEnd::cell(right, Cell::new(0, door_row)));
    let door = game.world_mut().spawn(door).id();
    Yards { game, left, right, door }
}

impl Yards {
    /// Spawns a standing agent in the left yard. Its order leads to the right yard and has
    /// tolerance 0.
    fn visitor(&mut self, from: Cell, to: Cell) -> Entity {
        self.walker(from, PathRequest::to_cell(to).on_map(self.right).with_tolerance(0.0), 0.0)
    }

    fn walker(&mut self, from: Cell, request: PathRequest, speed: f32) -> Entity {
        let at = (Vec2::new(from.x as f32, from.y as f32) + 0.5) * TILE_SIDE;
        let walker = self.game.walker(at.x, at.y, speed);
        self.game.world_mut().entity_mut(walker).insert((OnMap(self.left), request));
        self.game.step(0.1);
        assert!(matches!(self.game.news_of(walker)[..], [Told::Found { .. }]));
        walker
    }

    fn set(&mut self, map: Entity, (x, y): (i32, i32), class: u8) {
        let mut grid = self.game.world_mut().get_mut::<NavGrid>(map).expect("a map");
        grid.set_terrain(Cell::new(x, y), class).expect("on the map");
    }

    /// Returns the number of searches in one tick.
    fn searches(&mut self) -> usize {
        searches(&mut self.game)
    }
}

fn searches(game: &mut Game) -> usize {
    game.step(0.1);
    game.world().resource::<TilepathDiagnostics>().searches
}

#[test]
fn wall_that_falls_before_a_door_or_behind_it_is_walked_through() {
    let mut yards = yards(WALLED, WALLED, 5);
    let visitor = yards.visitor(Cell::new(0, 5), Cell::new(11, 5));
    let around = yards.game.path(visitor).route_cost();
    for map in [yards.left, yards.right] {
        yards.set(map, (6, 5), 1);
        assert_eq!(yards.searches(), 1);
        assert_eq!(yards.game.news_of(visitor), [replanned("(11, 5)")]);
        assert_eq!(yards.searches(), 0);
    }
    // The path follows the top row, with eleven steps in each yard.
    assert_eq!((around, yards.game.path(visitor).route_cost()), (2.0 * (9.0 * 14.0 + 3.0 * 10.0), 220.0));
}

#[test]
fn openings_that_could_not_matter_and_closings_cost_nothing() {
    let mut yards = yards(WALLED, WALLED, 0);
    let visitor = yards.visitor(Cell::new(0, 0), Cell::new(11, 0));
    let spare = yards.game.world_mut().spawn(Door::new(
        DoorEnd::cell(yards.left, Cell::new(11, 5)),
        DoorEnd::cell(yards.right, Cell::new(0, 5)),
    ));
    let spare = spare.id();
    assert_eq!(yards.searches(), 0, "the door is too far away to shorten the path");
    yards.game.world_mut().get_mut::<Door>(spare).unwrap().cost = 5.0;
    assert_eq!(yards.searches(), 0);
    for y in (2..6).rev() {
        for map in [yards.left, yards.right] {
            yards.set(map, (6, y), 1);
            assert_eq!(yards.searches(), 0, "row {y}");
        }
    }
    yards.game.world_mut().despawn(spare);
    assert_eq!(yards.searches(), 0);
    let canal =
        Door::new(DoorEnd::cell(yards.left, Cell::new(1, 0)), DoorEnd::cell(yards.right, Cell::new(10, 0)));
    let canal = yards.game.world_mut().spawn(canal.opens_for(["boat"])).id();
    assert_eq!(yards.searches(), 0, "the door is for other movements");
    yards.game.world_mut().despawn(canal);
    let shed = yards.game.tile_map(OPEN, Vec2::new(0.0, 500.0));
    assert_eq!(yards.searches(), 0, "no door leads to this map");
    yards.set(shed, (3, 3), 0);
    assert_eq!(yards.searches(), 0);
    yards.set(shed, (3, 3), 1);
    assert_eq!(yards.searches(), 0);
    assert_eq!(yards.game.news_of(visitor), []);
}

#[test]
fn door_that_opens_is_taken_if_it_saves_more_than_is_tolerated() {
    for (tolerance, is_taken) in [(0.0, true), (0.2, true), (3.0, false)] {
        let mut yards = yards(WALLED, OPEN, 5);
        let to = PathRequest::to_cell(Cell::new(0, 5)).on_map(yards.right).with_tolerance(tolerance);
        let walker = yards.walker(Cell::new(0, 5), to, 0.0);
        // The kept path leads around the wall. The new door stands before the wall.
        let near = Door::new(
            DoorEnd::cell(yards.left, Cell::new(3, 5)),
            DoorEnd::cell(yards.right, Cell::new(0, 4)),
        );
        let near = yards.game.world_mut().spawn(near).id();
        assert_eq!(yards.searches(), usize::from(is_taken));
        let told = if is_taken { vec![replanned("(0, 5)")] } else { Vec::new() };
        assert_eq!(yards.game.news_of(walker), told, "{tolerance}");
        if is_taken {
            let route = yards.game.path(walker);
            assert_eq!((route.legs().count(), route.route_cost()), (2, 40.0));
            assert_eq!(route.legs().nth(1).and_then(PathLeg::door), Some(near));
        }
    }
}

#[test]
fn way_on_one_map_is_given_up_for_one_through_doors_that_open() {
    let mut yards = yards(WALLED, OPEN, 5);
    let across = PathRequest::to_cell(Cell::new(11, 5)).with_tolerance(0.0);
    let walker = yards.walker(Cell::new(0, 5), across, 0.0);
    assert_eq!(yards.game.path(walker).legs().count(), 1);
    // The exit of this door is as far from the other door as the kept path is long.
    let far =
        Door::new(DoorEnd::cell(yards.left, Cell::new(2, 5)), DoorEnd::cell(yards.right, Cell::new(11, 0)));
    let far = yards.game.world_mut().spawn(far.with_cost(90.0)).id();
    assert_eq!(yards.searches(), 0);
    yards.game.world_mut().get_mut::<Door>(far).unwrap().to = DoorEnd::cell(yards.right, Cell::new(1, 5));
    assert_eq!(yards.searches(), 1, "the door could shorten the path");
    assert_eq!(yards.game.news_of(walker), [replanned("(11, 5)")]);
    let route = yards.game.path(walker);
    assert_eq!((route.legs().count(), route.route_cost()), (3, 20.0 + 90.0 + 10.0));
    yards.game.world_mut().get_mut::<Door>(far).unwrap().cost = 40.0;
    assert_eq!(yards.searches(), 0, "the kept path has become cheaper by the same amount");
    yards.game.world_mut().get_mut::<Door>(far).unwrap().cost = 140.0;
    assert_eq!((yards.searches(), yards.game.news_of(walker)), (1, vec![replanned("(11, 5)")]));
    assert_eq!(yards.game.path(walker).legs().count(), 1);
}

#[test]
fn ground_that_costs_more_behind_a_door_is_no_wall() {
    let mut yards = yards(OPEN, OPEN, 3);
    let visitor = yards.visitor(Cell::new(0, 3), Cell::new(11, 3));
    for y in 0..6 {
        yards.set(yards.right, (5, y), 9);
    }
    assert_eq!(yards.searches(), 1, "a better path had to be searched");
    assert_eq!(yards.searches(), 0);
    assert_eq!(yards.game.news_of(visitor), []);
    yards.game.world_mut().get_mut::<Door>(yards.door).unwrap().cost = 77.0;
    assert_eq!(yards.searches(), 1);
    assert_eq!((yards.searches(), yards.game.news_of(visitor)), (0, Vec::new()));
    yards.set(yards.right, (5, 3), 1);
    assert_eq!(yards.searches(), 0, "except for the door, the kept path is the cheapest possible");
}

/// Spawns a square with sides of 100 units. A waypoint of the detour lies far away.
fn square(game: &mut Game) -> Entity {
    let graph = graph_of(
        &[("a", 0.0, 0.0), ("b", 100.0, 0.0), ("c", 100.0, 100.0), ("d", 0.0, 100.0), ("far", 0.0, 400.0)],
        &[("a", "b"), ("b", "c"), ("a", "d"), ("d", "far")],
    );
    game.graph(graph)
}

fn on_square() -> (Game, Entity, Entity) {
    let mut game = Game::long_steps();
    let graph = square(&mut game);
    let walker = game.walker(0.0, 0.0, 0.0);
    game.order(walker, PathRequest::to_waypoint("c").with_tolerance(0.0));
    game.step(0.1);
    assert_eq!(game.news_of(walker), [found("c")]);
    (game, graph, walker)
}

#[test]
fn edge_that_opens_and_shortens_the_way_is_taken() {
    let (mut game, graph, walker) = on_square();
    game.edit_graph(graph, |graph| assert!(graph.join("a", "c").unwrap()));
    assert_eq!(searches(&mut game), 1);
    assert_eq!(game.news_of(walker), [replanned("c")]);
    assert_eq!(game.waypoints(walker), ["a", "c"]);
    let road = WaypointEdge { cost_factor: 0.5, ..WaypointEdge::default() };
    game.edit_graph(graph, |graph| graph.set_edge("a", "b", road).unwrap());
    assert_eq!((searches(&mut game), game.news_of(walker)), (1, Vec::new()), "141 against 150");
    game.edit_graph(graph, |graph| graph.set_edge("b", "c", road).unwrap());
    assert_eq!((searches(&mut game), game.news_of(walker)), (1, vec![replanned("c")]));
    assert_eq!(searches(&mut game), 0);
}

#[test]
fn edge_that_cannot_matter_makes_no_search() {
    let (mut game, graph, walker) = on_square();
    let guarded = WaypointEdge { cost_factor: 7.0, ..WaypointEdge::default() };
    let edits: [&dyn Fn(&mut WaypointGraph); 7] = [
        &|graph| _ = graph.join("far", "c").unwrap(),
        &|graph| _ = graph.unjoin("d", "far").unwrap(),
        &|graph| graph.set_edge("a", "d", guarded).unwrap(),
        &|graph| graph.move_to("far", (0.0, 300.0)).unwrap(),
        &|graph| graph.remove("far").unwrap(),
        &|graph| graph.add("well", (500.0, 500.0)).unwrap(),
        &|_| (),
    ];
    for edit_of in edits {
        game.edit_graph(graph, edit_of);
        assert_eq!(searches(&mut game), 0);
    }
    // A new side that is as long as the other path is no improvement.
    game.edit_graph(graph, |graph| assert!(graph.join("d", "c").unwrap()));
    assert_eq!(searches(&mut game), 0);
    assert_eq!(game.news_of(walker), []);
}

#[test]
fn better_way_along_a_graph_is_taken_in_full_stride_however_long_its_search_takes() {
    let mut game = Game::long_steps();
    game.insert_resource(TilepathSettings { work_per_tick: 1 });
    let graph = graph_of(
        &[("a", 0.0, 0.0), ("b", 100.0, 0.0), ("x", 100.0, 200.0), ("c", 200.0, 0.0), ("d", 0.0, 10.0)],
        &[("a", "b"), ("b", "x"), ("x", "c"), ("a", "d")],
    );
    let graph = game.graph(graph);
    let walker = game.walker(0.0, 0.0, 10.0);
    game.order(walker, PathRequest::to_waypoint("c").with_tolerance(0.0));
    while game.position(walker).x < 20.0 {
        game.step(0.5);
    }
    game.edit_graph(graph, |graph| assert!(graph.join("b", "c").unwrap()));
    for _ in 0..20 {
        let before = game.position(walker);
        game.step(0.5);
        assert!(
            (game.position(walker).distance(before) - 5.0).abs() < 1e-3,
            "the walker does not stand still"
        );
    }
    assert_eq!(game.news_of(walker)[1..], [replanned("c")]);
    game.step_until_quiet(walker, 1.0, 40);
    assert_eq!(game.named_of(walker).last(), Some(&arrived("c")));
}

#[test]
fn edge_is_walked_in_part_to_a_place_beside_the_graph() {
    let mut game = Game::long_steps();
    let graph = graph_of(
        &[("a", 0.0, 0.0), ("b", 100.0, 0.0), ("c", 100.0, 100.0), ("d", 0.0, 100.0), ("e", 50.0, 400.0)],
        &[("a", "b"), ("b", "c"), ("a", "d"), ("a", "e")],
    );
    let graph = game.graph(graph);
    let walker = game.walker(0.0, 0.0, 0.0);
    game.order(walker, PathRequest::to_position(Vec2::new(50.0, 104.0)).with_tolerance(0.0));
    game.step(0.1);
    game.named_of(walker);
    let before = game.path(walker).route_cost();
    game.edit_graph(graph, |graph| assert!(graph.join("c", "d").unwrap()));
    assert_eq!((searches(&mut game), game.news_of(walker)), (1, vec![replanned("@50,104")]));
    let cost = game.path(walker).route_cost();
    assert!((cost - (150.0 + 4.0 * 4.0)).abs() < 1e-3 && cost < before, "{cost} after {before}");
    assert_eq!(searches(&mut game), 0);
    game.edit_graph(graph, |graph| _ = graph.unjoin("a", "e").unwrap());
    assert_eq!(searches(&mut game), 0);
}

#[test]
fn edge_on_the_way_that_costs_more_or_is_faster_is_walked_as_it_is_by_now() {
    let (mut game, graph, walker) = on_square();
    let guarded = WaypointEdge { cost_factor: 5.0, ..WaypointEdge::default() };
    game.edit_graph(graph, |graph| graph.set_edge("b", "c", guarded).unwrap());
    assert_eq!((searches(&mut game), game.news_of(walker)), (1, Vec::new()), "no other path exists");
    assert_eq!(searches(&mut game), 0);
    game.world_mut().get_mut::<bevy_tilepath::PathAgent>(walker).unwrap().speed = 10.0.into();
    let fast = WaypointEdge { speed: 4.0, cost_factor: 1.0 };
    game.edit_graph(graph, |graph| graph.set_edge("a", "b", fast).unwrap());
    game.step(1.0);
    assert_eq!(game.named_of(walker), []);
    game.assert_at(walker, Vec2::new(40.0, 0.0));
}

#[test]
fn closest_waypoint_is_given_up_when_the_goal_can_be_reached() {
    let mut game = Game::long_steps();
    let graph = graph_of(&[("a", 0.0, 0.0), ("b", 100.0, 0.0), ("c", 110.0, 0.0)], &[("a", "b")]);
    let graph = game.graph(graph);
    let walker = game.walker(0.0, 0.0, 0.0);
    game.order(walker, PathRequest::to_waypoint("c").or_closest());
    game.step(0.1);
    assert_eq!(game.waypoints(walker), ["a", "b"]);
    game.edit_graph(graph, |graph| graph.add("d", (0.0, 50.0)).unwrap());
    game.step(0.1);
    game.named_of(walker);
    game.edit_graph(graph, |graph| assert!(graph.join("b", "c").unwrap()));
    assert_eq!((searches(&mut game), game.news_of(walker)), (1, vec![replanned("c")]));
}

#[test]
fn door_and_edge_that_open_and_close_for_ever_do_not_make_an_agent_dance() {
    let mut yards = yards(WALLED, OPEN, 5);
    let shortcut =
        Door::new(DoorEnd::cell(yards.left, Cell::new(4, 5)), DoorEnd::cell(yards.right, Cell::new(0, 3)));
    let shortcut = yards.game.world_mut().spawn(shortcut).id();
    let to = PathRequest::to_cell(Cell::new(11, 5)).on_map(yards.right);
    let walker = yards.walker(Cell::new(0, 0), to, 2.0);
    let (mut turns, mut searched) = (0, 0);
    for t in 0..3000 {
        if t % 12 == 0 {
            yards.game.world_mut().get_mut::<Door>(shortcut).unwrap().open = t / 12 % 2 == 1;
        }
        searched += yards.searches();
        turns +=
            yards.game.news_of(walker).iter().filter(|told| matches!(told, Told::Replanned { .. })).count();
        if !yards.game.is_ordered(walker) {
            break;
        }
    }
    assert_eq!(yards.game.status(walker), PathStatus::Arrived);
    assert!(turns <= 6 && searched <= 12, "{turns} {searched}");

    let (mut game, graph, walker) = on_square();
    game.world_mut().get_mut::<bevy_tilepath::PathAgent>(walker).unwrap().speed = 1.0.into();
    let (mut turns, mut searched) = (0, 0);
    for t in 0..3000 {
        if t % 12 == 0 {
            game.edit_graph(graph, |graph| {
                _ = if t / 12 % 2 == 0 { graph.join("a", "c") } else { graph.unjoin("a", "c") }.unwrap();
            });
        }
        searched += searches(&mut game);
        turns += game.news_of(walker).iter().filter(|told| matches!(told, Told::Replanned { .. })).count();
    }
    assert!(game.position(walker) != Vec2::ZERO && turns <= 6 && searched <= 12, "{turns} {searched}");
}

#[test]
fn edits_in_every_tick_elsewhere_do_not_stop_searches_from_being_of_use() {
    let mut yards = yards(WALLED, WALLED, 5);
    yards.game.insert_resource(TilepathSettings { work_per_tick: 8 });
    let shed = yards.game.tile_map(OPEN, Vec2::new(0.0, 500.0));
    let to = PathRequest::to_cell(Cell::new(11, 5)).on_map(yards.right).with_tolerance(0.0);
    let at = (Vec2::new(0.0, 5.0) + 0.5) * TILE_SIDE;
    let walker = yards.game.walker(at.x, at.y, 1.0);
    yards.game.world_mut().entity_mut(walker).insert((OnMap(yards.left), to));
    let mut searched = 0;
    for t in 0..400 {
        yards.set(shed, (3, 3), (t % 2) as u8);
        // This edit is on the path's own map, but it cannot matter.
        yards.set(yards.right, (0, 0), (t % 2) as u8);
        if t == 100 {
            yards.set(yards.left, (6, 5), 1);
        }
        searched += yards.searches();
    }
    let told = yards.game.news_of(walker);
    assert_eq!(told.iter().filter(|told| matches!(told, Told::Replanned { .. })).count(), 1, "{told:?}");
    assert!(searched <= 10, "{searched}");
}

#[test]
fn despawn_of_a_graph_under_way_ends_the_journey_once() {
    for what in 0..3 {
        let mut yards = yards(OPEN, OPEN, 3);
        let to = PathRequest::to_cell(Cell::new(11, 3)).on_map(yards.right);
        let walker = yards.walker(Cell::new(0, 3), to, 10.0);
        yards.game.step(3.0);
        let gone = [yards.door, yards.right, yards.left][what];
        yards.game.world_mut().despawn(gone);
        yards.game.steps(30, 1.0);
        let told = yards.game.news_of(walker);
        assert!(
            matches!(told.last(), Some(Told::Lost(PathFailure::Unreachable | PathFailure::NoMap))),
            "{told:?}"
        );
        assert_eq!(told.iter().filter(|told| matches!(told, Told::Lost(_))).count(), 1);
    }
}

#[test]
fn target_that_goes_through_a_door_is_followed_through_it() {
    let mut yards = yards(OPEN, OPEN, 3);
    let to = PathRequest::to_cell(Cell::new(11, 3)).on_map(yards.right);
    let hare = yards.walker(Cell::new(9, 3), to, 10.0);
    let hound = yards.game.walker(5.0, 35.0, 10.0);
    yards.game.world_mut().entity_mut(hound).insert((OnMap(yards.left), PathRequest::to(hare).following()));
    let mut told = Vec::new();
    for _ in 0..100 {
        yards.game.step(0.5);
        told.extend(yards.game.news_of(hound));
    }
    assert!(!told.iter().any(|told| matches!(told, Told::Lost(_) | Told::Failed(_))), "{told:?}");
    assert_eq!(yards.game.position(hound), yards.game.position(hare));
    assert_eq!(yards.game.world().get::<OnMap>(hound), Some(&OnMap(yards.right)));
}

#[test]
fn graph_on_a_turning_raft_and_growing_graph_keep_paths() {
    let mut game = Game::long_steps();
    let graph = square(&mut game);
    game.world_mut().entity_mut(graph).insert(Transform::default());
    let walker = game.walker(0.0, 0.0, 0.0);
    game.world_mut().entity_mut(walker).insert((ChildOf(graph), OnMap(graph)));
    game.order(walker, PathRequest::to_waypoint("c").with_tolerance(0.0));
    game.step(0.1);
    game.named_of(walker);
    for _ in 0..40 {
        let mut raft = game.world_mut().get_mut::<Transform>(graph).unwrap();
        raft.translation += Vec3::new(3.0, -2.0, 0.0);
        raft.rotate_z(0.3);
        assert_eq!(searches(&mut game), 0, "the graph has the same scale as before");
    }
    assert!(game.world().get::<NavGraph>(graph).is_some());
    assert_eq!(game.news_of(walker), []);
}
