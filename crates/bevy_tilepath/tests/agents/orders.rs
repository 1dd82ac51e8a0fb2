//! The life of a request.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentPath, Algorithm, Cell, PathAgent, PathFailure, PathRequest, PathStatus, TilepathPlugin,
    TilepathSettings, events::PathFound, orders::PathStops,
};

use crate::harness::*;

#[test]
fn order_is_answered_and_walked_once() {
    let (mut game, _) = Game::open(8, 8);
    let soldier = game.ordered_agent((0, 0), 160.0, (3, 0));
    assert_eq!(game.status(soldier), PathStatus::Queued);
    game.tick();
    assert_eq!(game.status(soldier), PathStatus::Following);
    assert!(game.is_ordered(soldier));
    game.ticks(60);
    assert_eq!(
        game.told_of(soldier),
        [Told::Found { goal: Cell::new(3, 0), cost: 30, partial: false }, Told::Arrived(Cell::new(3, 0))]
    );
    assert_eq!(game.status(soldier), PathStatus::Arrived);
    assert_eq!(game.position(soldier), centre(3, 0));
    assert!(!game.is_ordered(soldier));
    assert!(game.path(soldier).remaining_cells().is_empty());
}

#[test]
fn orders_are_told_from_the_first_answer_to_the_end() {
    type Deed = fn(&mut Game, Entity);
    const OPEN: &str = "........\n........\n........\n........\n........\n........\n........\n........";
    let cases: [(&str, &str, Deed, &str); 6] = [
        (
            "the last of three orders before a tick counts",
            OPEN,
            |game, soldier| [1, 2, 5].into_iter().for_each(|x| game.order_to(soldier, x, 0)),
            "found (5, 0) for 50, arrived at (5, 0)",
        ),
        (
            "a new order on the way replaces the old one, which triggers no more events",
            OPEN,
            |game, soldier| {
                game.order_to(soldier, 7, 0);
                game.ticks(5);
                game.order_to(soldier, 0, 7);
            },
            "found (7, 0) for 70, found (0, 7) for 74, arrived at (0, 7)",
        ),
        (
            "an equal order after a cancel is a new order",
            OPEN,
            |game, soldier| {
                game.order_to(soldier, 7, 0);
                game.tick();
                game.cancel(soldier);
                game.order_to(soldier, 7, 0);
                assert_eq!(game.status(soldier), PathStatus::Queued);
            },
            "found (7, 0) for 70, found (7, 0) for 70, arrived at (7, 0)",
        ),
        (
            "a path that is removed on the way is planned again",
            OPEN,
            |game, soldier| {
                game.order_to(soldier, 7, 0);
                game.ticks(3);
                game.world_mut().entity_mut(soldier).remove::<AgentPath>();
            },
            "found (7, 0) for 70, replanned to (7, 0) for 70, arrived at (7, 0)",
        ),
        (
            "a path to the closest cell is partial",
            "...#.",
            |game, soldier| {
                game.order(soldier, PathRequest::to_cell(Cell::new(4, 0)).or_closest());
                game.tick();
                assert!(game.path(soldier).is_partial());
                assert_eq!(game.path(soldier).goal().cell(), Some(Cell::new(4, 0)));
            },
            "found (2, 0) for 20 in part, arrived at (2, 0)",
        ),
        (
            "a failed order has a reason and is removed",
            "..#.\n..#.",
            |game, soldier| {
                game.order_to(soldier, 3, 0);
                game.tick();
                assert_eq!(game.status(soldier), PathStatus::Failed(PathFailure::Unreachable));
                assert!(!game.is_ordered(soldier));
                assert!(game.world().get::<AgentPath>(soldier).is_none());
            },
            "failed: Unreachable",
        ),
    ];
    for (name, picture, deed, told) in cases {
        let (mut game, _) = Game::drawn_as(picture);
        let soldier = game.agent(0, 0, 160.0);
        deed(&mut game, soldier);
        game.run_until_quiet(200);
        assert_eq!(game.words_of(soldier), told, "{name}");
        game.ticks(5);
        assert_eq!(game.words_of(soldier), "", "{name}");
    }
}

#[test]
fn failure_takes_the_path_of_the_order_before_away() {
    let (mut game, _) = Game::drawn_as("..#.");
    let soldier = game.ordered_agent((0, 0), 1e6, (1, 0));
    game.tick();
    assert!(game.world().get::<AgentPath>(soldier).is_some());
    game.order_to(soldier, 3, 0);
    game.tick();
    assert!(game.world().get::<AgentPath>(soldier).is_none());
}

#[test]
fn equal_order_is_the_same_order_waiting_and_on_the_way() {
    let (mut game, _) = Game::open(8, 8);
    let soldier = game.agent(0, 0, 160.0);
    for _ in 0..5 {
        game.order_to(soldier, 7, 0);
    }
    for _ in 0..20 {
        game.tick();
        game.order_to(soldier, 7, 0);
        assert_eq!(game.status(soldier), PathStatus::Following);
    }
    assert!(game.position(soldier).x > centre(2, 0).x);
    game.run_until_quiet(200);
    assert_eq!(
        game.told_of(soldier),
        [Told::Found { goal: Cell::new(7, 0), cost: 70, partial: false }, Told::Arrived(Cell::new(7, 0))]
    );
    // After the order is over, an equal order is a new one.
    game.order_to(soldier, 7, 0);
    game.run_until_quiet(5);
    assert_eq!(game.told_of(soldier).len(), 2);
}

#[test]
fn order_with_other_options_is_another_order() {
    let (mut game, _) = Game::open(8, 8);
    let soldier = game.ordered_agent((0, 0), 0.0, (7, 0));
    game.tick();
    let goal = PathRequest::to_cell(Cell::new(7, 0));
    for request in
        [goal.clone().or_closest(), goal.clone().with_algorithm(Algorithm::Dijkstra), goal.with_limit(1000)]
    {
        game.world_mut().entity_mut(soldier).insert(request);
        game.tick();
    }
    assert_eq!(game.told_of(soldier).len(), 4);
}

#[test]
fn removed_request_is_a_cancel_without_event() {
    let (mut game, _) = Game::open(8, 8);
    let soldier = game.ordered_agent((0, 0), 160.0, (7, 0));
    game.world_mut().entity_mut(soldier).remove::<PathRequest>();
    assert_eq!(game.status(soldier), PathStatus::Idle);
    game.tick();
    assert_eq!(game.told_of(soldier), []);

    game.order_to(soldier, 7, 0);
    game.ticks(7);
    game.world_mut().entity_mut(soldier).remove::<PathRequest>();
    assert_eq!(game.status(soldier), PathStatus::Idle);
    assert!(game.world().get::<AgentPath>(soldier).is_none());
    let stopped = game.position(soldier);
    game.ticks(7);
    assert_eq!(game.position(soldier), stopped);
    assert!(matches!(game.told_of(soldier)[..], [Told::Found { .. }]));
}

#[test]
fn answer_of_an_entity_that_is_no_agent_goes_with_its_next_request() {
    let (mut game, _) = Game::open(8, 8);
    let asker = game.world_mut().spawn(Transform::from_translation(centre(0, 0).extend(0.0))).id();
    game.world_mut().entity_mut(asker).insert(PathRequest::to_cell(Cell::new(5, 5)));
    game.tick();
    assert!(game.world().get::<AgentPath>(asker).is_some());
    game.world_mut().entity_mut(asker).insert(PathRequest::to_cell((7, 7)));
    game.world_mut().entity_mut(asker).remove::<PathRequest>();
    assert!(game.world().get::<AgentPath>(asker).is_none());
    assert_eq!(game.status(asker), PathStatus::Idle);
}

#[test]
fn request_without_agent_is_answered_and_moves_nothing() {
    let (mut game, _) = Game::open(8, 8);
    let asker = game
        .world_mut()
        .spawn((Transform::from_translation(centre(1, 1).extend(0.0)), PathRequest::to_cell(Cell::new(4, 1))))
        .id();
    game.ticks(10);
    assert_eq!(game.told(), [(asker, Told::Found { goal: Cell::new(4, 1), cost: 30, partial: false })]);
    assert_eq!(game.position(asker), centre(1, 1));
    assert_eq!(game.status(asker), PathStatus::Idle);
    assert!(!game.is_ordered(asker));
    assert_eq!(game.path(asker).remaining_cells().len(), 4);
    assert_eq!(game.cost(asker).get(), 30);
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
    type Deed = fn(&mut Game, Entity);
    let cases: [(&str, Deed, &str); 2] = [
        ("an order", |_, _| (), "found (3, 0) for 30, arrived at (3, 0)"),
        (
            "stops, edited",
            |game, soldier| {
                let mut stops = game.world_mut().get_mut::<PathStops>(soldier).expect("it has an order");
                stops.push(Cell::new(3, 3));
                stops.replace(0, Cell::new(0, 3));
            },
            "found (0, 3) for 30, arrived at (3, 3)",
        ),
    ];
    for (name, deed, answer) in cases {
        let mut game = Game(App::new());
        game.add_plugins(MinimalPlugins);
        let soldier = game.ordered_agent((0, 0), 320.0, (3, 0));
        deed(&mut game, soldier);
        game.open_map(4, 4);
        game.add_plugins(TilepathPlugin::default());
        game.start();
        game.run_until_quiet(100);
        assert_eq!(game.words_of(soldier), answer, "{name}");
    }
}

#[test]
fn clone_of_an_ordered_agent_has_an_order_of_its_own() {
    let (mut game, _) = Game::open(8, 8);
    let soldier = game.ordered_agent((0, 0), 160.0, (7, 0));
    game.ticks(3);
    game.told();
    let twin = game.world_mut().entity_mut(soldier).clone_and_spawn();
    game.run_until_quiet(200);
    let told = game.told();
    let arrivals = |who| told.iter().filter(|t| t.0 == who && matches!(t.1, Told::Arrived(_))).count();
    assert_eq!((arrivals(soldier), arrivals(twin)), (1, 1));
    assert!(told.iter().any(|t| t.0 == twin && matches!(t.1, Told::Found { .. })));
    assert_eq!(game.position(twin), centre(7, 0));
}

#[test]
fn path_taken_away_while_it_is_planned_again_is_planned_once() {
    let (mut game, map) = Game::open(8, 3);
    let soldiers = [0, 1, 2].map(|y| game.agent(0, y, 160.0));
    for (soldier, y) in soldiers.into_iter().zip(0..) {
        game.order_to(soldier, 7, y);
    }
    game.tick();
    // Only one path is planned at a time, and the others wait for their turn.
    game.insert_resource(TilepathSettings { work_per_tick: 1 });
    for y in 0..3 {
        game.set_terrain(map, 5, y, 9);
    }
    game.tick();
    for soldier in soldiers {
        game.world_mut().entity_mut(soldier).remove::<AgentPath>();
    }
    game.run_until_quiet(300);
    let told = game.told();
    let replans = soldiers.map(|soldier| {
        told.iter().filter(|(who, what)| *who == soldier && matches!(what, Told::Replanned { .. })).count()
    });
    assert_eq!(replans, [1, 1, 1]);
}

#[test]
fn agent_that_stops_being_one_loses_its_way() {
    let (mut game, _) = Game::open(8, 8);
    let soldier = game.ordered_agent((0, 0), 160.0, (7, 0));
    game.ticks(3);
    game.world_mut().entity_mut(soldier).remove::<PathAgent>();
    game.tick();
    assert_eq!(game.told_of(soldier)[1..], [Told::Lost(PathFailure::AgentRemoved)]);
    assert!(!game.is_ordered(soldier));

    // Removes the component and inserts it again between two ticks. The agent is as before.
    let mut again = game.world_mut().entity_mut(soldier);
    again.insert((PathAgent::default(), PathRequest::to_cell(Cell::new(7, 0))));
    game.tick();
    game.world_mut().entity_mut(soldier).remove::<PathAgent>().insert(PathAgent::default());
    game.run_until_quiet(400);
    assert!(matches!(game.told_of(soldier)[..], [Told::Found { .. }, Told::Arrived(_)]));
}

#[test]
fn thousand_orders_in_one_tick_are_all_answered() {
    let (mut game, _) = Game::drawn_as(".........\n.#######.\n.........");
    let agents: Vec<Entity> = (0..1000).map(|n| game.agent(n % 9, 0, 0.0)).collect();
    for (n, &soldier) in agents.iter().enumerate() {
        game.order_to(soldier, (n as i32 / 9) % 9, 2);
    }
    game.tick();
    let told = game.told();
    assert_eq!(told.len(), 1000);
    assert!(told.iter().all(|t| matches!(t.1, Told::Found { .. })));
    // The answers come in the sequence in which the orders were given.
    assert!(told.iter().map(|t| t.0).eq(agents.iter().copied()));
}

#[test]
fn events_are_buffered_messages_too() {
    let (mut game, _) = Game::open(8, 8);
    let soldier = game.ordered_agent((0, 0), 1e6, (3, 0));
    game.tick();
    let found = game.world().resource::<Messages<PathFound>>();
    assert_eq!(found.get_cursor().read(found).map(|found| found.entity).collect::<Vec<_>>(), [soldier]);
    let arrived = game.world().resource::<Messages<bevy_tilepath::events::Arrived>>();
    assert_eq!(arrived.get_cursor().read(arrived).count(), 1);
}
