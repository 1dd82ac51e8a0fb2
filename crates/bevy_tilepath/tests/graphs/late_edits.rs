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

/// So little work a step that orders wait for one another.
fn hurried_app() -> App {
    let mut app = app();
    app.insert_resource(TilepathSettings { work_per_tick: 1 });
    app
}

#[test]
fn graph_edited_between_search_and_answer_is_searched_again() {
    let mut app = hurried_app();
    let town = spawn(&mut app, tutorial());
    let walker = agent(&mut app, 25.0, 25.0, 0.0);
    go_to(&mut app, walker, "n5");
    step(&mut app, 0.1);
    assert_eq!(status(&app, walker), PathStatus::Searching);
    edit(&mut app, town, |town| town.remove("n3").unwrap());
    for _ in 0..60 {
        step(&mut app, 0.1);
    }
    assert_eq!(waypoints(&app, walker), ["n1", "n2", "n4", "n5"]);
}

#[test]
fn way_that_was_missing_when_it_was_searched_is_found_if_it_is_there_by_then() {
    let mut app = hurried_app();
    let apart = [("a", 0.0, 0.0), ("b", 10.0, 0.0), ("c", 20.0, 0.0)];
    let town = spawn(&mut app, graph_of(&apart, &[("a", "b")]));
    let walker = agent(&mut app, 0.0, 0.0, 0.0);
    go_to(&mut app, walker, "c");
    step(&mut app, 0.1);
    edit(&mut app, town, |town| assert!(town.join("b", "c").unwrap()));
    for _ in 0..60 {
        step(&mut app, 0.1);
    }
    assert_eq!(news(&mut app, walker), [found("c")]);
}

/// From the porch to the gate by two other waypoints, in as many edits as there went into `street`.
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
        let mut app = hurried_app();
        let house = tile_map(&mut app, ".....\n.....\n.....", Vec2::ZERO);
        let street = graph_of(
            &[("porch", 60.0, 15.0), ("corner", 60.0, 100.0), ("gate", 195.0, 15.0), ("well", 195.0, 100.0)],
            &[("porch", "corner"), ("porch", "gate"), ("corner", "well"), ("well", "gate")],
        );
        let detour = detour(street.revision());
        let street = spawn(&mut app, street);
        let barn = tile_map(&mut app, "...\n...\n...", Vec2::new(200.0, 0.0));
        for door in [
            Door::new(DoorEnd::cell(house, Cell::new(4, 1)), DoorEnd::waypoint(street, "porch")),
            Door::new(DoorEnd::waypoint(street, "gate"), DoorEnd::cell(barn, Cell::new(0, 1))),
        ] {
            app.world_mut().spawn(door);
        }
        let walker = agent(&mut app, 5.0, 15.0, 0.0);
        app.world_mut().entity_mut(walker).insert(OnMap(house));
        order(&mut app, walker, PathRequest::to_cell(Cell::new(2, 1)).on_map(barn));
        for _ in 0..steps {
            step(&mut app, 0.1);
        }
        app.world_mut().entity_mut(street).insert(NavGraph::new(detour));
        for _ in 0..400 {
            step(&mut app, 0.1);
        }
        let on_street = path(&app, walker).legs().nth(1).unwrap();
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
        let mut app = hurried_app();
        let house = tile_map(&mut app, ".....\n.....\n.....", Vec2::ZERO);
        let barn = tile_map(&mut app, "...\n...\n...", Vec2::new(200.0, 0.0));
        let set = |app: &mut App, class| {
            app.world_mut().get_mut::<NavGrid>(barn).unwrap().set_terrain(Cell::new(0, 1), class).unwrap();
        };
        app.world_mut()
            .spawn(Door::new(DoorEnd::cell(house, Cell::new(4, 1)), DoorEnd::cell(barn, Cell::new(0, 1))));
        set(&mut app, 0);
        let walker = agent(&mut app, 5.0, 15.0, 0.0);
        app.world_mut().entity_mut(walker).insert(OnMap(house));
        order(&mut app, walker, PathRequest::to_cell(Cell::new(2, 1)).on_map(barn));
        for _ in 0..steps {
            step(&mut app, 0.1);
        }
        if status(&app, walker) != PathStatus::Searching {
            // By then there was no way.
            assert!(steps > 10, "over after {steps} steps");
            break;
        }
        set(&mut app, 1);
        for _ in 0..200 {
            step(&mut app, 0.1);
        }
        assert_eq!(news(&mut app, walker), [found("(2, 1)")], "the wall went after {steps} steps");
    }
}

/// Three at a, ordered to c by way of b: too many for all of them to be answered in one tick.
fn three_ordered_along_a_row() -> (App, Entity, [Entity; 3]) {
    let mut app = hurried_app();
    let row = [("a", 0.0, 0.0), ("b", 100.0, 0.0), ("c", 200.0, 0.0)];
    let town = spawn(&mut app, graph_of(&row, &[("a", "b"), ("b", "c")]));
    let walkers = [0, 1, 2].map(|_| agent(&mut app, 0.0, 0.0, 10.0));
    for walker in walkers {
        go_to(&mut app, walker, "c");
    }
    (app, town, walkers)
}

#[test]
fn edge_removed_under_somebody_who_waits_to_be_planned_again_does_not_end_his_journey() {
    let (mut app, town, walkers) = three_ordered_along_a_row();
    while walkers.iter().any(|&walker| position(&app, walker).x < 40.0) {
        step(&mut app, 0.5);
    }
    all_told(&mut app);
    edit(&mut app, town, |town| town.move_to("c", (200.0, 10.0)).unwrap());
    step(&mut app, 0.1);
    edit(&mut app, town, |town| assert!(town.unjoin("a", "b").unwrap()));
    for walker in walkers {
        run_until_quiet(&mut app, walker, 1.0, 100);
        assert_eq!(status(&app, walker), PathStatus::Arrived);
        assert_at(&app, walker, Vec2::new(200.0, 10.0));
    }
}

#[test]
fn waypoint_removed_under_somebody_who_waits_for_his_answer_does_not_fail_his_order() {
    let (mut app, town, walkers) = three_ordered_along_a_row();
    step(&mut app, 0.1);
    edit(&mut app, town, |town| town.remove("a").unwrap());
    for walker in walkers {
        run_until_quiet(&mut app, walker, 1.0, 100);
        assert_eq!(status(&app, walker), PathStatus::Arrived);
    }
}

#[test]
fn nearest_waypoint_is_looked_for_from_where_he_stands_at_the_beginning_of_an_edge() {
    let mut app = app();
    let mut graph = graph_of(
        &[("a", 0.0, 0.0), ("b", 10.0, 0.0), ("goal", 100.0, 0.0), ("beside", 90.0, 0.0)],
        &[("a", "beside")],
    );
    graph.join_one_way("a", "b").unwrap();
    graph.join_one_way("b", "goal").unwrap();
    let town = spawn(&mut app, graph);
    let walker = agent(&mut app, 0.0, 0.0, 0.0);
    order(&mut app, walker, PathRequest::to_waypoint("goal").or_closest());
    step(&mut app, 0.1);
    step(&mut app, 0.1);
    told(&mut app, walker);
    edit(&mut app, town, |town| assert!(town.unjoin("b", "goal").unwrap()));
    step(&mut app, 0.1);
    assert_eq!(news(&mut app, walker), [blocked("goal"), replanned("beside")]);
}

#[test]
fn whatever_is_edited_while_orders_wait_no_journey_ends_twice_or_for_a_reason_of_our_own() {
    const IDS: [&str; 6] = ["n1", "n2", "n3", "n4", "n5", "n6"];
    let (mut arrivals, mut losses) = (0, 0);
    for number in 0..40 {
        let mut random = Seed::named(&format!("late {number}")).generator();
        let mut app = hurried_app();
        let town = spawn(&mut app, tutorial());
        let yard = tile_map(&mut app, "....\n.#..\n....", Vec2::new(240.0, 150.0));
        let door = Door::new(DoorEnd::waypoint(town, "n6"), DoorEnd::cell(yard, Cell::new(0, 1)));
        app.world_mut().spawn(if number % 2 == 0 { door.one_way() } else { door.leaping() });
        // Every third waypoint makes an agent think of something else.
        app.add_observer(move |on: On<PathPointReached>, mut commands: Commands, mut count: Local<u32>| {
            *count += 1;
            if count.is_multiple_of(3) {
                let elsewhere = PathRequest::to_waypoint(IDS[*count as usize % IDS.len()]).on_map(town);
                commands.entity(on.entity).insert(elsewhere);
            }
        });
        let walkers = [0, 1, 2, 3].map(|_| {
            let walker = agent(&mut app, 25.0, 25.0, 40.0);
            app.world_mut().entity_mut(walker).insert(OnMap(town));
            walker
        });
        for _ in 0..150 {
            let id = IDS[random.random_range(0..IDS.len())];
            let other = IDS[random.random_range(0..IDS.len())];
            let at = (random.random_range(0.0..230.0), random.random_range(0.0..200.0));
            match random.random_range(0..8) {
                0 => edit(&mut app, town, |town| drop(town.unjoin(id, other))),
                1 | 2 => edit(&mut app, town, |town| drop(town.join(id, other))),
                3 => edit(&mut app, town, |town| drop(town.move_to(id, at))),
                4 => edit(&mut app, town, |town| drop(town.remove(id))),
                5 | 6 => edit(&mut app, town, |town| drop(town.add(id, at))),
                _ => {
                    app.world_mut().entity_mut(town).insert(NavGraph::new(tutorial()));
                }
            }
            let walker = walkers[random.random_range(0..walkers.len())];
            match random.random_range(0..4) {
                0 => order(&mut app, walker, PathRequest::to_waypoint(other).on_map(town)),
                1 => order(&mut app, walker, PathRequest::to_cell(Cell::new(3, 1)).on_map(yard)),
                _ => {}
            }
            step(&mut app, 0.2);
        }
        for _ in 0..2000 {
            step(&mut app, 0.2);
        }
        let told = all_told(&mut app);
        assert!(
            !told.iter().any(|told| matches!(
                told,
                Told::Failed(PathFailure::QueryRefused | PathFailure::StartOutOfBounds { .. })
                    | Told::Lost(PathFailure::QueryRefused | PathFailure::StartOutOfBounds { .. })
            )),
            "{number}: {told:?}"
        );
        for walker in walkers {
            assert!(position(&app, walker).is_finite());
        }
        let count = |is: fn(&Told) -> bool| told.iter().filter(|told| is(told)).count();
        let ended = count(|told| matches!(told, Told::Arrived(_) | Told::Lost(_)));
        assert!(ended <= count(|told| matches!(told, Told::Found(_))), "{number}");
        arrivals += told.iter().filter(|told| matches!(told, Told::Arrived(_))).count();
        losses += told.iter().filter(|told| matches!(told, Told::Lost(_))).count();
    }
    assert!(arrivals > 100 && losses > 10, "{arrivals} {losses}");
}
