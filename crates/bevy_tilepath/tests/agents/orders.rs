//! The life of a request.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentPath, Algorithm, Cell, PathAgent, PathFailure, PathRequest, PathStatus, TilepathPlugin,
    TilepathSettings, events::PathFound, orders::PathStops,
};

use super::fixtures::*;
use crate::harness::{start, tick};

#[test]
fn order_is_answered_and_walked_once() {
    let mut app = app();
    open_map(&mut app, 8, 8);
    let soldier = agent(&mut app, 0, 0, 160.0);
    order(&mut app, soldier, 3, 0);
    assert_eq!(status(&app, soldier), PathStatus::Queued);
    tick(&mut app);
    assert_eq!(status(&app, soldier), PathStatus::Following);
    assert!(is_ordered(&app, soldier));
    for _ in 0..60 {
        tick(&mut app);
    }
    assert_eq!(
        told_of(&mut app, soldier),
        [Told::Found { goal: Cell::new(3, 0), cost: 30, partial: false }, Told::Arrived(Cell::new(3, 0))]
    );
    assert_eq!(status(&app, soldier), PathStatus::Arrived);
    assert_eq!(position(&app, soldier), centre(3, 0));
    assert!(!is_ordered(&app, soldier));
    assert!(path(&app, soldier).remaining_cells().is_empty());
}

#[test]
fn failed_order_says_why_and_is_removed() {
    let mut app = app();
    map(&mut app, "..#.\n..#.");
    let soldier = agent(&mut app, 0, 0, 160.0);
    order(&mut app, soldier, 3, 0);
    tick(&mut app);
    assert_eq!(told_of(&mut app, soldier), [Told::Failed(PathFailure::Unreachable)]);
    assert_eq!(status(&app, soldier), PathStatus::Failed(PathFailure::Unreachable));
    assert!(!is_ordered(&app, soldier));
    assert!(app.world().get::<AgentPath>(soldier).is_none());
    for _ in 0..5 {
        tick(&mut app);
    }
    assert_eq!(told_of(&mut app, soldier), []);
}

#[test]
fn failure_takes_the_path_of_the_order_before_away() {
    let mut app = app();
    map(&mut app, "..#.");
    let soldier = agent(&mut app, 0, 0, 1e6);
    order(&mut app, soldier, 1, 0);
    tick(&mut app);
    assert!(app.world().get::<AgentPath>(soldier).is_some());
    order(&mut app, soldier, 3, 0);
    tick(&mut app);
    assert!(app.world().get::<AgentPath>(soldier).is_none());
}

#[test]
fn last_of_two_orders_before_a_tick_counts() {
    let mut app = app();
    open_map(&mut app, 8, 8);
    let soldier = agent(&mut app, 0, 0, 0.0);
    order(&mut app, soldier, 1, 0);
    order(&mut app, soldier, 2, 0);
    order(&mut app, soldier, 5, 0);
    tick(&mut app);
    assert_eq!(told_of(&mut app, soldier), [Told::Found { goal: Cell::new(5, 0), cost: 50, partial: false }]);
}

#[test]
fn new_order_on_the_way_silences_the_old_one() {
    let mut app = app();
    open_map(&mut app, 8, 8);
    let soldier = agent(&mut app, 0, 0, 160.0);
    order(&mut app, soldier, 7, 0);
    for _ in 0..5 {
        tick(&mut app);
    }
    order(&mut app, soldier, 0, 7);
    run_until_quiet(&mut app, 200);
    let told = told_of(&mut app, soldier);
    assert!(matches!(told[0], Told::Found { goal: Cell { x: 7, y: 0 }, .. }), "{told:?}");
    assert!(matches!(told[1], Told::Found { goal: Cell { x: 0, y: 7 }, .. }), "{told:?}");
    assert_eq!(told[2..], [Told::Arrived(Cell::new(0, 7))]);
}

#[test]
fn equal_order_is_the_same_order_waiting_and_on_the_way() {
    let mut app = app();
    open_map(&mut app, 8, 8);
    let soldier = agent(&mut app, 0, 0, 160.0);
    for _ in 0..5 {
        order(&mut app, soldier, 7, 0);
    }
    for _ in 0..20 {
        tick(&mut app);
        order(&mut app, soldier, 7, 0);
        assert_eq!(status(&app, soldier), PathStatus::Following);
    }
    assert!(position(&app, soldier).x > centre(2, 0).x);
    run_until_quiet(&mut app, 200);
    assert_eq!(
        told_of(&mut app, soldier),
        [Told::Found { goal: Cell::new(7, 0), cost: 70, partial: false }, Told::Arrived(Cell::new(7, 0))]
    );
    // Once it is over, an equal one is another order.
    order(&mut app, soldier, 7, 0);
    run_until_quiet(&mut app, 5);
    assert_eq!(told_of(&mut app, soldier).len(), 2);
}

#[test]
fn order_with_other_options_is_another_order() {
    let mut app = app();
    open_map(&mut app, 8, 8);
    let soldier = agent(&mut app, 0, 0, 0.0);
    order(&mut app, soldier, 7, 0);
    tick(&mut app);
    let goal = PathRequest::to_cell(Cell::new(7, 0));
    for request in
        [goal.clone().or_closest(), goal.clone().with_algorithm(Algorithm::Dijkstra), goal.with_limit(1000)]
    {
        app.world_mut().entity_mut(soldier).insert(request);
        tick(&mut app);
    }
    assert_eq!(told_of(&mut app, soldier).len(), 4);
}

#[test]
fn removed_request_is_a_cancel_without_event() {
    let mut app = app();
    open_map(&mut app, 8, 8);
    let soldier = agent(&mut app, 0, 0, 160.0);
    order(&mut app, soldier, 7, 0);
    app.world_mut().entity_mut(soldier).remove::<PathRequest>();
    assert_eq!(status(&app, soldier), PathStatus::Idle);
    tick(&mut app);
    assert_eq!(told_of(&mut app, soldier), []);

    order(&mut app, soldier, 7, 0);
    for _ in 0..7 {
        tick(&mut app);
    }
    app.world_mut().entity_mut(soldier).remove::<PathRequest>();
    assert_eq!(status(&app, soldier), PathStatus::Idle);
    assert!(app.world().get::<AgentPath>(soldier).is_none());
    let stopped = position(&app, soldier);
    for _ in 0..7 {
        tick(&mut app);
    }
    assert_eq!(position(&app, soldier), stopped);
    assert!(matches!(told_of(&mut app, soldier)[..], [Told::Found { .. }]));
}

#[test]
fn answer_of_an_entity_that_is_no_agent_goes_with_its_next_request() {
    let mut app = app();
    open_map(&mut app, 8, 8);
    let asker = app.world_mut().spawn(Transform::from_translation(centre(0, 0).extend(0.0))).id();
    app.world_mut().entity_mut(asker).insert(PathRequest::to_cell(Cell::new(5, 5)));
    tick(&mut app);
    assert!(app.world().get::<AgentPath>(asker).is_some());
    app.world_mut().entity_mut(asker).insert(PathRequest::to_cell((7, 7)));
    app.world_mut().entity_mut(asker).remove::<PathRequest>();
    assert!(app.world().get::<AgentPath>(asker).is_none());
    assert_eq!(status(&app, asker), PathStatus::Idle);
}

#[test]
fn equal_order_after_a_cancel_is_another_order() {
    let mut app = app();
    open_map(&mut app, 8, 8);
    let soldier = agent(&mut app, 0, 0, 160.0);
    order(&mut app, soldier, 7, 0);
    tick(&mut app);
    app.world_mut().entity_mut(soldier).remove::<PathRequest>().insert(PathRequest::to_cell(Cell::new(7, 0)));
    assert_eq!(status(&app, soldier), PathStatus::Queued);
    run_until_quiet(&mut app, 200);
    let found = Told::Found { goal: Cell::new(7, 0), cost: 70, partial: false };
    assert_eq!(told_of(&mut app, soldier), [found, found, Told::Arrived(Cell::new(7, 0))]);
}

#[test]
fn request_without_agent_is_answered_and_moves_nothing() {
    let mut app = app();
    open_map(&mut app, 8, 8);
    let asker = app
        .world_mut()
        .spawn((Transform::from_translation(centre(1, 1).extend(0.0)), PathRequest::to_cell(Cell::new(4, 1))))
        .id();
    for _ in 0..10 {
        tick(&mut app);
    }
    assert_eq!(told(&mut app), [(asker, Told::Found { goal: Cell::new(4, 1), cost: 30, partial: false })]);
    assert_eq!(position(&app, asker), centre(1, 1));
    assert_eq!(status(&app, asker), PathStatus::Idle);
    assert!(!is_ordered(&app, asker));
    assert_eq!(path(&app, asker).remaining_cells().len(), 4);
    assert_eq!(cost(&app, asker).get(), 30);
}

#[test]
fn closest_cell_is_found_and_said_to_be_partial() {
    let mut app = app();
    map(&mut app, "...#.");
    let soldier = agent(&mut app, 0, 0, 160.0);
    app.world_mut().entity_mut(soldier).insert(PathRequest::to_cell(Cell::new(4, 0)).or_closest());
    tick(&mut app);
    assert!(path(&app, soldier).is_partial());
    assert_eq!(path(&app, soldier).goal().cell(), Some(Cell::new(4, 0)));
    run_until_quiet(&mut app, 100);
    assert_eq!(
        told_of(&mut app, soldier),
        [Told::Found { goal: Cell::new(2, 0), cost: 20, partial: true }, Told::Arrived(Cell::new(2, 0))]
    );
}

#[test]
fn hooks_work_without_the_plugin() {
    let mut world = World::new();
    let entity = world.spawn((PathAgent::default(), PathRequest::to_cell(Cell::new(1, 1)))).id();
    world.entity_mut(entity).insert(PathRequest::to_cell(Cell::new(2, 2)));
    world.entity_mut(entity).remove::<PathRequest>();
    world.entity_mut(entity).insert(PathRequest::to_cell(Cell::new(2, 2))).remove::<PathAgent>();
    assert_eq!(world.get::<PathStatus>(entity), Some(&PathStatus::Idle));
    world.despawn(entity);
    assert_eq!(world.query::<&PathRequest>().iter(&world).count(), 0);
}

#[test]
fn order_given_before_the_plugin_was_added_is_answered() {
    let mut app = App::new();
    app.add_plugins(MinimalPlugins);
    let soldier = agent(&mut app, 0, 0, 0.0);
    order(&mut app, soldier, 3, 0);
    open_map(&mut app, 4, 4);
    app.add_plugins(TilepathPlugin::default());
    listen(&mut app);
    start(&mut app);
    tick(&mut app);
    assert_eq!(told_of(&mut app, soldier), [Told::Found { goal: Cell::new(3, 0), cost: 30, partial: false }]);
}

#[test]
fn stops_edited_before_the_plugin_was_added_are_walked() {
    let mut app = App::new();
    app.add_plugins(MinimalPlugins);
    let soldier = agent(&mut app, 0, 0, 320.0);
    order(&mut app, soldier, 3, 0);
    let mut stops = app.world_mut().get_mut::<PathStops>(soldier).expect("it has an order");
    stops.push(Cell::new(3, 3));
    stops.replace(0, Cell::new(0, 3));
    open_map(&mut app, 4, 4);
    app.add_plugins(TilepathPlugin::default());
    listen(&mut app);
    start(&mut app);
    run_until_quiet(&mut app, 100);
    let told = told_of(&mut app, soldier);
    let found = Told::Found { goal: Cell::new(0, 3), cost: 30, partial: false };
    assert_eq!(told, [found, Told::Arrived(Cell::new(3, 3))]);
}

#[test]
fn clone_of_an_ordered_agent_has_an_order_of_its_own() {
    let mut app = app();
    open_map(&mut app, 8, 8);
    let soldier = agent(&mut app, 0, 0, 160.0);
    order(&mut app, soldier, 7, 0);
    for _ in 0..3 {
        tick(&mut app);
    }
    told(&mut app);
    let twin = app.world_mut().entity_mut(soldier).clone_and_spawn();
    run_until_quiet(&mut app, 200);
    let told = told(&mut app);
    let arrivals = |who| told.iter().filter(|t| t.0 == who && matches!(t.1, Told::Arrived(_))).count();
    assert_eq!((arrivals(soldier), arrivals(twin)), (1, 1));
    assert!(told.iter().any(|t| t.0 == twin && matches!(t.1, Told::Found { .. })));
    assert_eq!(position(&app, twin), centre(7, 0));
}

#[test]
fn path_taken_away_on_the_way_is_planned_again() {
    let mut app = app();
    open_map(&mut app, 8, 8);
    let soldier = agent(&mut app, 0, 0, 160.0);
    order(&mut app, soldier, 7, 0);
    for _ in 0..3 {
        tick(&mut app);
    }
    app.world_mut().entity_mut(soldier).remove::<AgentPath>();
    run_until_quiet(&mut app, 200);
    assert_eq!(
        told_of(&mut app, soldier),
        [
            Told::Found { goal: Cell::new(7, 0), cost: 70, partial: false },
            Told::Replanned { goal: Cell::new(7, 0), cost: 70, partial: false },
            Told::Arrived(Cell::new(7, 0))
        ]
    );
}

#[test]
fn path_taken_away_while_it_is_planned_again_is_planned_once() {
    let mut app = app();
    let map = open_map(&mut app, 8, 3);
    let soldiers = [0, 1, 2].map(|y| agent(&mut app, 0, y, 160.0));
    for (soldier, y) in soldiers.into_iter().zip(0..) {
        order(&mut app, soldier, 7, y);
    }
    tick(&mut app);
    // One of them at a time: the others wait for their turn.
    app.insert_resource(TilepathSettings { work_per_tick: 1 });
    for y in 0..3 {
        set_terrain(&mut app, map, 5, y, 9);
    }
    tick(&mut app);
    for soldier in soldiers {
        app.world_mut().entity_mut(soldier).remove::<AgentPath>();
    }
    run_until_quiet(&mut app, 300);
    let told = told(&mut app);
    let replans = soldiers.map(|soldier| {
        told.iter().filter(|(who, what)| *who == soldier && matches!(what, Told::Replanned { .. })).count()
    });
    assert_eq!(replans, [1, 1, 1]);
}

#[test]
fn agent_that_stops_being_one_loses_its_way() {
    let mut app = app();
    open_map(&mut app, 8, 8);
    let soldier = agent(&mut app, 0, 0, 160.0);
    order(&mut app, soldier, 7, 0);
    for _ in 0..3 {
        tick(&mut app);
    }
    app.world_mut().entity_mut(soldier).remove::<PathAgent>();
    tick(&mut app);
    assert_eq!(told_of(&mut app, soldier)[1..], [Told::Lost(PathFailure::AgentRemoved)]);
    assert!(!is_ordered(&app, soldier));

    // Taken off and put on again between two ticks: nothing happened.
    let mut again = app.world_mut().entity_mut(soldier);
    again.insert((PathAgent::default(), PathRequest::to_cell(Cell::new(7, 0))));
    tick(&mut app);
    app.world_mut().entity_mut(soldier).remove::<PathAgent>().insert(PathAgent::default());
    run_until_quiet(&mut app, 400);
    assert!(matches!(told_of(&mut app, soldier)[..], [Told::Found { .. }, Told::Arrived(_)]));
}

#[test]
fn thousand_orders_in_one_tick_are_all_answered() {
    let mut app = app();
    map(&mut app, ".........\n.#######.\n.........");
    let agents: Vec<Entity> = (0..1000).map(|n| agent(&mut app, n % 9, 0, 0.0)).collect();
    for (n, &soldier) in agents.iter().enumerate() {
        order(&mut app, soldier, (n as i32 / 9) % 9, 2);
    }
    tick(&mut app);
    let told = told(&mut app);
    assert_eq!(told.len(), 1000);
    assert!(told.iter().all(|t| matches!(t.1, Told::Found { .. })));
    // In the order in which they were given.
    assert!(told.iter().map(|t| t.0).eq(agents.iter().copied()));
}

#[test]
fn events_are_buffered_messages_too() {
    let mut app = app();
    open_map(&mut app, 8, 8);
    let soldier = agent(&mut app, 0, 0, 1e6);
    order(&mut app, soldier, 3, 0);
    tick(&mut app);
    let found = app.world().resource::<Messages<PathFound>>();
    assert_eq!(found.get_cursor().read(found).map(|found| found.entity).collect::<Vec<_>>(), [soldier]);
    let arrived = app.world().resource::<Messages<bevy_tilepath::events::Arrived>>();
    assert_eq!(arrived.get_cursor().read(arrived).count(), 1);
}
