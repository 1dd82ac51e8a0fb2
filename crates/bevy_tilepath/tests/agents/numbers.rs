//! The order of agents: they are handled by their numbers, wherever Bevy stores them.

use bevy::{prelude::*, reflect::tuple_struct::TupleStruct};
use bevy_tilepath::{Cell, PathAgent, PathRequest, TilepathPlugin, TilepathSettings, agents::AgentNumber};

use crate::harness::*;

/// A marker that moves an entity to the end of another table.
#[derive(Component)]
struct Marked;

fn number(game: &Game, entity: Entity) -> u64 {
    game.world().get::<AgentNumber>(entity).expect("every agent has one").get()
}

/// Spawns ten agents, one in each row. Bevy does not store them in the order of their numbers.
fn shuffled(game: &mut Game) -> Vec<Entity> {
    let agents: Vec<Entity> = (0..10).map(|y| game.agent(0, y, 160.0)).collect();
    for n in [7, 0, 4, 2, 9] {
        game.world_mut().entity_mut(agents[n]).insert(Marked);
    }
    let stored: Vec<Entity> =
        game.world_mut().query_filtered::<Entity, With<PathAgent>>().iter(game.world()).collect();
    assert_ne!(stored, agents, "the storage must have another order, or the test shows nothing");
    agents
}

#[test]
fn numbers_are_given_once_in_the_order_of_spawning() {
    let mut game = Game::new();
    let agents = shuffled(&mut game);
    let numbers: Vec<u64> = agents.iter().map(|&entity| number(&game, entity)).collect();
    assert_eq!(numbers, (1..=10).collect::<Vec<_>>());
    // The number stays with the entity.
    game.world_mut().entity_mut(agents[3]).remove::<PathAgent>().insert(PathAgent::default());
    assert_eq!(number(&game, agents[3]), 4);
    game.world_mut().despawn(agents[9]);
    let next = game.agent(0, 0, 1.0);
    assert_eq!(number(&game, next), 11, "no number is used twice");
    // A clone is a new agent and gets a new number. An agent from a scene keeps its number.
    let twin = game.world_mut().entity_mut(agents[0]).clone_and_spawn();
    assert_eq!((number(&game, agents[0]), number(&game, twin)), (1, 12));
    let mut loaded = AgentNumber::default();
    *loaded.field_mut(0).unwrap().try_downcast_mut::<u64>().unwrap() = 40;
    let loaded = game.world_mut().spawn((PathAgent::default(), loaded)).id();
    assert_eq!(number(&game, loaded), 40);
    let next = game.agent(0, 0, 1.0);
    assert_eq!(number(&game, next), 41);
}

#[test]
fn agents_older_than_the_plugin_are_numbered_with_it() {
    let mut game = Game(App::new());
    game.add_plugins((MinimalPlugins, TransformPlugin));
    let early = [(); 2].map(|()| game.world_mut().spawn(PathAgent::default()).id());
    game.add_plugins(TilepathPlugin::default());
    game.start();
    let late = game.agent(0, 0, 1.0);
    assert_eq!([early[0], early[1], late].map(|entity| number(&game, entity)), [1, 2, 3]);
}

#[test]
fn orders_replans_and_events_of_a_tick_come_in_the_order_of_numbers() {
    let (mut game, map) = Game::open(20, 10);
    let agents = shuffled(&mut game);
    // The orders are given in another sequence.
    for n in [5, 8, 1, 9, 0, 3, 7, 2, 6, 4] {
        game.order_to(agents[n], 19, n as i32);
    }
    game.tick();
    let who = |told: Vec<(Entity, Told)>, fits: fn(&Told) -> bool| -> Vec<Entity> {
        told.into_iter().filter(|(_, told)| fits(told)).map(|(who, _)| who).collect()
    };
    assert_eq!(who(game.told(), |told| matches!(told, Told::Found { .. })), agents);
    // All agents are blocked at once, and replanned one by one.
    game.insert_resource(TilepathSettings { work_per_tick: 1 });
    for y in 0..10 {
        game.set_terrain(map, 10, y, u8::from(y == 5));
    }
    game.tick();
    let mut news = game.told();
    assert_eq!(
        who(news.clone(), |told| matches!(told, Told::Blocked(_))),
        [&agents[..5], &agents[6..]].concat()
    );
    for _ in 0..1000 {
        game.tick();
        news.extend(game.told());
    }
    let replanned = who(news, |told| matches!(told, Told::Replanned { .. }));
    assert_eq!(replanned, [&agents[..5], &agents[6..]].concat());
    // Several agents enter cells in one tick.
    let mut game = Game::long_steps();
    game.open_map(20, 10);
    let agents = shuffled(&mut game);
    for n in [5, 8, 1, 9, 0, 3, 7, 2, 6, 4] {
        game.order_to(agents[n], 2, n as i32);
    }
    game.step(1.0);
    let reached = who(game.told(), |told| matches!(told, Told::Arrived(_) | Told::Reached(_)));
    let expected: Vec<Entity> = agents.iter().flat_map(|&agent| [agent; 3]).collect();
    assert_eq!(reached, expected);
}

#[test]
fn requests_of_other_entities_follow_those_of_agents_in_the_order_in_which_they_asked() {
    let (mut game, _) = Game::open(20, 10);
    let asker = |game: &mut Game, y| {
        game.world_mut().spawn(Transform::from_translation(centre(0, y).extend(0.0))).id()
    };
    let askers: Vec<Entity> = (0..4).map(|y| asker(&mut game, y)).collect();
    let soldiers: Vec<Entity> = (4..6).map(|y| game.agent(0, y, 1.0)).collect();
    for n in [2, 0, 3, 1] {
        game.world_mut().entity_mut(askers[n]).insert(PathRequest::to_cell(Cell::new(5, 5)));
    }
    for n in [1, 0] {
        game.order_to(soldiers[n], 5, 5);
    }
    game.tick();
    let answered: Vec<Entity> = game.told().into_iter().map(|(who, _)| who).collect();
    assert_eq!(answered, [soldiers[0], soldiers[1], askers[2], askers[0], askers[3], askers[1]]);
}
