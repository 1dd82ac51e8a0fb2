//! Graphs that are edited between an order and its answer.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, NavGraph, NavGrid, OnMap, PathFailure, PathRequest, PathStatus, TilepathSettings,
    doors::{Door, DoorEnd},
    events::PathPointReached,
    graphs::{WaypointEdge, WaypointGraph},
    tilepath::Revision,
};
use rand::Rng;
use testkit::Seed;

use super::fixtures::*;
use crate::harness::*;

/// Starts a game with so little work in a step that orders wait for one another.
fn hurried_game() -> Game {
    let mut game = Game::long_steps();
    game.insert_resource(TilepathSettings { work_per_tick: 1 });
    game
}

#[test]
fn graph_edited_between_search_and_answer_is_searched_again() {
    let mut game = hurried_game();
    let town = game.graph(tutorial());
    let walker = game.walker(25.0, 25.0, 0.0);
    game.order_to_waypoint(walker, "n5");
    game.step(0.1);
    assert_eq!(game.status(walker), PathStatus::Searching);
    game.edit_graph(town, |town| town.remove("n3").unwrap());
    game.steps(60, 0.1);
    assert_eq!(game.waypoints(walker), ["n1", "n2", "n4", "n5"]);
}

#[test]
fn way_that_was_missing_when_it_was_searched_is_found_if_it_is_there_by_then() {
    let mut game = hurried_game();
    let apart = [("a", 0.0, 0.0), ("b", 10.0, 0.0), ("c", 20.0, 0.0)];
    let town = game.graph(graph_of(&apart, &[("a", "b")]));
    let walker = game.walker(0.0, 0.0, 0.0);
    game.order_to_waypoint(walker, "c");
    game.step(0.1);
    game.edit_graph(town, |town| assert!(town.join("b", "c").unwrap()));
    game.steps(60, 0.1);
    assert_eq!(game.news_of(walker), [found("c")]);
}

/// Returns a graph with this revision. It leads from the porch to the gate by two other waypoints.
fn detour(revision: Revision) -> WaypointGraph {
    let mut street = graph_of(
        &[("porch", 60.0, 15.0), ("corner", 60.0, 100.0), ("gate", 195.0, 15.0), ("well", 195.0, 100.0)],
        &[("porch", "corner"), ("corner", "well"), ("well", "gate")],
    );
    let mut speed = 2.0;
    while street.revision() != revision {
        street.set_edge("porch", "corner", WaypointEdge::with_speed(speed)).expect("they are joined");
        speed += 1.0;
    }
    street
}

#[test]
fn graph_replaced_during_a_search_over_maps_is_searched_again_even_at_an_equal_revision() {
    for steps in 1..80 {
        let mut game = hurried_game();
        let house = game.tile_map(".....\n.....\n.....", Vec2::ZERO);
        let street = graph_of(
            &[("porch", 60.0, 15.0), ("corner", 60.0, 100.0), ("gate", 195.0, 15.0), ("well", 195.0, 100.0)],
            &[("porch", "corner"), ("porch", "gate"), ("corner", "well"), ("well", "gate")],
        );
        let detour = detour(street.revision());
        let street = game.graph(street);
        let barn = game.tile_map("...\n...\n...", Vec2::new(200.0, 0.0));
        for door in [
            Door::new(DoorEnd::cell(house, Cell::new(4, 1)), DoorEnd::waypoint(street, "porch")),
            Door::new(DoorEnd::waypoint(street, "gate"), DoorEnd::cell(barn, Cell::new(0, 1))),
        ] {
            game.world_mut().spawn(door);
        }
        let walker = game.walker(5.0, 15.0, 0.0);
        game.world_mut().entity_mut(walker).insert(OnMap(house));
        game.order(walker, PathRequest::to_cell(Cell::new(2, 1)).on_map(barn));
        game.steps(steps, 0.1);
        game.world_mut().entity_mut(street).insert(NavGraph::new(detour));
        game.steps(400, 0.1);
        let on_street = game.path(walker).legs().nth(1).unwrap();
        assert_eq!(
            on_street.waypoints().collect::<Vec<_>>(),
            ["porch", "corner", "well", "gate"],
            "replaced after {steps} steps"
        );
    }
}

#[test]
fn wall_behind_a_door_that_goes_during_a_search_is_no_wall_in_the_answer() {
    for steps in 1..60 {
        let mut game = hurried_game();
        let house = game.tile_map(".....\n.....\n.....", Vec2::ZERO);
        let barn = game.tile_map("...\n...\n...", Vec2::new(200.0, 0.0));
        let set = |game: &mut Game, class| {
            game.world_mut().get_mut::<NavGrid>(barn).unwrap().set_terrain(Cell::new(0, 1), class).unwrap();
        };
        game.world_mut()
            .spawn(Door::new(DoorEnd::cell(house, Cell::new(4, 1)), DoorEnd::cell(barn, Cell::new(0, 1))));
        set(&mut game, 0);
        let walker = game.walker(5.0, 15.0, 0.0);
        game.world_mut().entity_mut(walker).insert(OnMap(house));
        game.order(walker, PathRequest::to_cell(Cell::new(2, 1)).on_map(barn));
        game.steps(steps, 0.1);
        if game.status(walker) != PathStatus::Searching {
            // The search has ended without a path before the edit.
            assert!(steps > 10, "the search ended too soon, after {steps} steps");
            break;
        }
        set(&mut game, 1);
        game.steps(200, 0.1);
        assert_eq!(game.news_of(walker), [found("(2, 1)")], "the wall was removed after {steps} steps");
    }
}

/// Spawns three agents at `a` with orders to `c` through `b`. One tick cannot answer all of them.
fn three_ordered_along_a_row() -> (Game, Entity, [Entity; 3]) {
    let mut game = hurried_game();
    let row = [("a", 0.0, 0.0), ("b", 100.0, 0.0), ("c", 200.0, 0.0)];
    let town = game.graph(graph_of(&row, &[("a", "b"), ("b", "c")]));
    let walkers = [0, 1, 2].map(|_| game.walker(0.0, 0.0, 10.0));
    for walker in walkers {
        game.order_to_waypoint(walker, "c");
    }
    (game, town, walkers)
}

#[test]
fn edge_removed_under_agent_that_waits_for_replan_keeps_the_journey() {
    let (mut game, town, walkers) = three_ordered_along_a_row();
    while walkers.iter().any(|&walker| game.position(walker).x < 40.0) {
        game.step(0.5);
    }
    game.all_named();
    game.edit_graph(town, |town| town.move_to("c", (200.0, 10.0)).unwrap());
    game.step(0.1);
    game.edit_graph(town, |town| assert!(town.unjoin("a", "b").unwrap()));
    for walker in walkers {
        game.step_until_quiet(walker, 1.0, 100);
        assert_eq!(game.status(walker), PathStatus::Arrived);
        game.assert_at(walker, Vec2::new(200.0, 10.0));
    }
}

#[test]
fn waypoint_removed_under_agent_that_waits_for_answer_keeps_the_order() {
    let (mut game, town, walkers) = three_ordered_along_a_row();
    game.step(0.1);
    game.edit_graph(town, |town| town.remove("a").unwrap());
    for walker in walkers {
        game.step_until_quiet(walker, 1.0, 100);
        assert_eq!(game.status(walker), PathStatus::Arrived);
    }
}

#[test]
fn nearest_waypoint_is_searched_from_the_place_on_the_edge() {
    let mut game = Game::long_steps();
    let mut graph = graph_of(
        &[("a", 0.0, 0.0), ("b", 10.0, 0.0), ("goal", 100.0, 0.0), ("beside", 90.0, 0.0)],
        &[("a", "beside")],
    );
    graph.join_one_way("a", "b").unwrap();
    graph.join_one_way("b", "goal").unwrap();
    let town = game.graph(graph);
    let walker = game.walker(0.0, 0.0, 0.0);
    game.order(walker, PathRequest::to_waypoint("goal").or_closest());
    game.step(0.1);
    game.step(0.1);
    game.named_of(walker);
    game.edit_graph(town, |town| assert!(town.unjoin("b", "goal").unwrap()));
    game.step(0.1);
    let replanned = Told::Replanned { goal: "beside".to_owned(), cost: (), partial: true };
    assert_eq!(game.news_of(walker), [blocked("goal"), replanned]);
}

#[test]
fn whatever_is_edited_while_orders_wait_no_journey_ends_twice_or_for_a_reason_of_our_own() {
    const IDS: [&str; 6] = ["n1", "n2", "n3", "n4", "n5", "n6"];
    let (mut arrivals, mut losses) = (0, 0);
    for number in 0..40 {
        let mut random = Seed::named(&format!("late {number}")).generator();
        let mut game = hurried_game();
        let town = game.graph(tutorial());
        let yard = game.tile_map("....\n.#..\n....", Vec2::new(240.0, 150.0));
        let door = Door::new(DoorEnd::waypoint(town, "n6"), DoorEnd::cell(yard, Cell::new(0, 1)));
        game.world_mut().spawn(if number % 2 == 0 { door.one_way() } else { door.leaping() });
        // At every third waypoint, the agent gets another order.
        game.add_observer(move |on: On<PathPointReached>, mut commands: Commands, mut count: Local<u32>| {
            *count += 1;
            if count.is_multiple_of(3) {
                let elsewhere = PathRequest::to_waypoint(IDS[*count as usize % IDS.len()]).on_map(town);
                commands.entity(on.entity).insert(elsewhere);
            }
        });
        let walkers = [0, 1, 2, 3].map(|_| {
            let walker = game.walker(25.0, 25.0, 40.0);
            game.world_mut().entity_mut(walker).insert(OnMap(town));
            walker
        });
        for _ in 0..150 {
            let id = IDS[random.random_range(0..IDS.len())];
            let other = IDS[random.random_range(0..IDS.len())];
            let at = (random.random_range(0.0..230.0), random.random_range(0.0..200.0));
            match random.random_range(0..8) {
                0 => game.edit_graph(town, |town| drop(town.unjoin(id, other))),
                1 | 2 => game.edit_graph(town, |town| drop(town.join(id, other))),
                3 => game.edit_graph(town, |town| drop(town.move_to(id, at))),
                4 => game.edit_graph(town, |town| drop(town.remove(id))),
                5 | 6 => game.edit_graph(town, |town| drop(town.add(id, at))),
                _ => {
                    game.world_mut().entity_mut(town).insert(NavGraph::new(tutorial()));
                }
            }
            let walker = walkers[random.random_range(0..walkers.len())];
            match random.random_range(0..4) {
                0 => game.order(walker, PathRequest::to_waypoint(other).on_map(town)),
                1 => game.order(walker, PathRequest::to_cell(Cell::new(3, 1)).on_map(yard)),
                _ => {}
            }
            game.step(0.2);
        }
        game.steps(2000, 0.2);
        let told = game.all_named();
        assert!(
            !told.iter().any(|told| matches!(
                told,
                Told::Failed(PathFailure::QueryRefused | PathFailure::StartOutOfBounds { .. })
                    | Told::Lost(PathFailure::QueryRefused | PathFailure::StartOutOfBounds { .. })
            )),
            "{number}: {told:?}"
        );
        for walker in walkers {
            assert!(game.position(walker).is_finite());
        }
        let count = |is: fn(&Named) -> bool| told.iter().filter(|told| is(told)).count();
        let ended = count(|told| matches!(told, Told::Arrived(_) | Told::Lost(_)));
        assert!(ended <= count(|told| matches!(told, Told::Found { .. })), "{number}");
        arrivals += told.iter().filter(|told| matches!(told, Told::Arrived(_))).count();
        losses += told.iter().filter(|told| matches!(told, Told::Lost(_))).count();
    }
    assert!(arrivals > 100 && losses > 10, "{arrivals} {losses}");
}
