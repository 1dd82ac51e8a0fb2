//! Agents and maps that are despawned at any moment of a tick.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentMovement, AgentPath, Algorithm, Body, Cell, CostTable, Movement, NavGraph, NavMap, Obstacle, OnMap,
    PathAgent, PathFailure, PathRequest, PathStatus, TilepathDiagnostics, TilepathSettings, TilepathSystems,
    agents::MapAgents,
    doors::{Door, DoorEnd},
    entries_kept,
    graphs::WaypointGraph,
    groups::GroupOrder,
    maps::OverlayArea,
};
use rand::seq::SliceRandom;
use testkit::Seed;

use crate::harness::*;

#[derive(Resource, Default)]
struct Doomed(Vec<Entity>);

fn despawn_doomed(mut doomed: ResMut<Doomed>, mut commands: Commands) {
    for entity in doomed.0.drain(..) {
        commands.entity(entity).despawn();
    }
}

/// The number of moments: before the first system set, and after each of them.
const MOMENTS: usize = 6;

/// Returns a game that despawns the doomed entities at this moment of a tick.
fn deadly_game(moment: usize) -> Game {
    use TilepathSystems::{AcceptRequests, Follow, Publish, Search, SyncMaps};
    let mut game = Game::new();
    game.init_resource::<Doomed>();
    match moment {
        0 => game.add_systems(FixedUpdate, despawn_doomed.before(SyncMaps)),
        1 => game.add_systems(FixedUpdate, despawn_doomed.after(SyncMaps).before(AcceptRequests)),
        2 => game.add_systems(FixedUpdate, despawn_doomed.after(AcceptRequests).before(Search)),
        3 => game.add_systems(FixedUpdate, despawn_doomed.after(Search).before(Publish)),
        4 => game.add_systems(FixedUpdate, despawn_doomed.after(Publish).before(Follow)),
        _ => game.add_systems(FixedUpdate, despawn_doomed.after(Follow)),
    };
    game
}

fn doom(game: &mut Game, entity: Entity) {
    game.world_mut().resource_mut::<Doomed>().0.push(entity);
}

#[track_caller]
fn assert_nothing_is_left(game: &Game) {
    let left = *game.world().resource::<TilepathDiagnostics>();
    assert_eq!((left.waiting_for_map, left.queued, left.searching, left.following), (0, 0, 0, 0));
}

#[test]
fn agent_despawned_at_any_moment_of_its_life() {
    for moment in 0..MOMENTS {
        // The agent walks, is searched for over many ticks, is blocked, or waits for a map.
        for life in 0..4 {
            let mut game = deadly_game(moment);
            let soldier = game.agent(0, 0, 160.0);
            let witness = game.agent(0, 1, 160.0);
            let map = (life != 3).then(|| game.open_map(20, 20));
            if life == 1 {
                game.insert_resource(TilepathSettings { work_per_tick: 1 });
            }
            for _ in 0..3 {
                game.order_to(soldier, 19, 0);
                game.order_to(witness, 19, 1);
                game.tick();
            }
            if let (Some(map), 2) = (map, life) {
                game.set_terrain(map, 15, 0, 0);
                game.set_terrain(map, 14, 1, 0);
            }
            game.told();
            doom(&mut game, soldier);
            game.ticks(3);
            assert!(game.world().get_entity(soldier).is_err());
            let told = game.told();
            if moment == 0 {
                assert!(told.iter().all(|told| told.0 != soldier), "{told:?}");
            }
            game.world_mut().despawn(witness);
            game.tick();
            assert_nothing_is_left(&game);
        }
    }
}

#[test]
fn map_despawned_at_any_moment_gives_a_typed_outcome() {
    for moment in 0..MOMENTS {
        for (named, work_per_tick) in [(false, 100_000), (true, 100_000), (false, 1), (true, 1)] {
            let mut game = deadly_game(moment);
            game.insert_resource(TilepathSettings { work_per_tick });
            let map = game.open_map(20, 20);
            let [walker, searcher, late] = [0, 1, 2].map(|y| game.agent(0, y, 160.0));
            if named {
                for soldier in [walker, searcher, late] {
                    game.world_mut().entity_mut(soldier).insert(OnMap(map));
                }
            }
            game.order_to(walker, 1, 0);
            game.ticks(6);
            game.order_to(searcher, 19, 19);
            game.tick();
            game.told();
            game.order_to(late, 19, 19);
            doom(&mut game, map);
            game.ticks(4);
            let told = game.told();
            let closing = |who: Entity| {
                let mut of_him = told.iter().rev().filter(|told| told.0 == who);
                of_him.next().map(|told| told.1)
            };
            for soldier in [walker, searcher, late] {
                assert!(game.world().get_entity(soldier).is_ok());
                match game.status(soldier) {
                    PathStatus::Failed(PathFailure::NoMap) => assert!(
                        matches!(
                            closing(soldier),
                            Some(Told::Lost(PathFailure::NoMap) | Told::Failed(PathFailure::NoMap))
                        ),
                        "{:?}",
                        closing(soldier)
                    ),
                    PathStatus::Arrived => assert_eq!(soldier, walker),
                    // The order names no map, and no map was found yet.
                    PathStatus::WaitingForMap => assert!(soldier == late && !named && moment < 2),
                    status => panic!("{status:?} after {moment}"),
                }
                assert!(game.world().get::<OnMap>(soldier).is_none());
            }
            for soldier in [walker, searcher, late] {
                game.world_mut().entity_mut(soldier).remove::<PathRequest>();
            }
            game.tick();
            assert_nothing_is_left(&game);
        }
    }
}

#[test]
fn map_that_stops_being_one_loses_its_walkers_and_is_waited_for() {
    let mut game = Game::new();
    game.insert_resource(TilepathSettings { work_per_tick: 1 });
    let map = game.open_map(20, 20);
    let (walker, searcher) = (game.agent(0, 0, 16.0), game.agent(0, 1, 16.0));
    game.order_to(walker, 1, 0);
    game.ticks(10);
    game.world_mut().entity_mut(searcher).insert(PathRequest::to_cell(Cell::new(19, 3)));
    game.tick();
    game.told();
    game.world_mut().entity_mut(map).remove::<NavMap>();
    game.tick();
    assert_eq!(game.told(), [(walker, Told::Lost(PathFailure::NoMap))]);
    game.tick();
    assert_eq!(game.status(searcher), PathStatus::WaitingForMap);
    game.world_mut().entity_mut(map).insert(NavMap::default());
    game.insert_resource(TilepathSettings::default());
    game.tick();
    assert_eq!(game.status(searcher), PathStatus::Following);
}

#[test]
fn agents_on_a_map_are_listed_and_survive_it() {
    let (mut game, map) = Game::open(8, 8);
    let agents: Vec<Entity> = (0..5).map(|y| game.agent(0, y, 16.0)).collect();
    for &soldier in &agents {
        game.order_to(soldier, 7, 7);
    }
    game.tick();
    assert_eq!(game.world().get::<MapAgents>(map).unwrap().iter().count(), 5);
    game.world_mut().despawn(agents[0]);
    assert_eq!(game.world().get::<MapAgents>(map).unwrap().iter().count(), 4);
    game.world_mut().despawn(map);
    for &soldier in &agents[1..] {
        assert!(game.world().get::<OnMap>(soldier).is_none());
    }
}

#[test]
fn agent_removed_with_all_that_it_requires_leaves_no_order_behind() {
    for is_searched_for in [false, true] {
        let (mut game, _) = Game::open(20, 20);
        if is_searched_for {
            game.insert_resource(TilepathSettings { work_per_tick: 1 });
        }
        let soldier = game.agent(0, 0, 160.0);
        let request = PathRequest::to_cell(Cell::new(19, 3)).with_algorithm(Algorithm::Dijkstra);
        game.world_mut().entity_mut(soldier).insert(request);
        game.ticks(3);
        game.told();
        game.world_mut().entity_mut(soldier).remove_with_requires::<PathAgent>();
        game.ticks(3);
        assert!(!game.is_ordered(soldier));
        assert!(game.world().get::<AgentPath>(soldier).is_none());
        let reason = PathFailure::AgentRemoved;
        let expected = if is_searched_for { Told::Failed(reason) } else { Told::Lost(reason) };
        assert_eq!(game.told_of(soldier), [expected]);
        assert_nothing_is_left(&game);
        // The entity can become an agent again.
        game.insert_resource(TilepathSettings::default());
        game.world_mut().entity_mut(soldier).insert(PathAgent { speed: f32::INFINITY.into(), ..default() });
        game.order_to(soldier, 5, 0);
        game.tick();
        assert_eq!(game.status(soldier), PathStatus::Arrived);
    }
}

#[test]
fn disabled_agent_stops_and_goes_on_when_enabled() {
    use bevy::ecs::entity_disabling::Disabled;
    let (mut game, map) = Game::drawn_as("..........\n..........");
    let soldier = game.ordered_agent((0, 0), 160.0, (9, 0));
    game.ticks(4);
    game.world_mut().entity_mut(soldier).insert(Disabled);
    let held = game.drawn(soldier);
    game.ticks(4);
    assert_eq!(game.drawn(soldier), held);
    // The agent notices edits from the time when it was disabled.
    game.set_terrain(map, 5, 0, 0);
    game.tick();
    game.world_mut().entity_mut(soldier).remove::<Disabled>();
    game.told();
    game.tick();
    assert!(matches!(game.told_of(soldier)[..], [Told::Blocked(_), Told::Replanned { .. }]));
    game.run_until_quiet(300);
    assert_eq!(game.position(soldier), centre(9, 0));

    // The order is given while the agent is disabled.
    game.world_mut().entity_mut(soldier).insert(Disabled);
    game.order_to(soldier, 0, 0);
    game.tick();
    game.world_mut().entity_mut(soldier).remove::<Disabled>();
    game.run_until_quiet(300);
    assert_eq!(game.position(soldier), centre(0, 0));
}

#[test]
fn disabled_child_is_answered_from_where_it_is() {
    use bevy::ecs::entity_disabling::Disabled;
    let (mut game, _) = Game::open(10, 1);
    let cart = game.world_mut().spawn(Transform::from_translation(centre(4, 0).extend(0.0))).id();
    let rider = game.world_mut().spawn((PathAgent::default(), ChildOf(cart))).id();
    game.order_to(rider, 9, 0);
    game.world_mut().entity_mut(cart).insert(Disabled);
    game.world_mut().entity_mut(rider).insert(Disabled);
    game.tick();
    assert_eq!(game.cell_path(rider).start(), Cell::new(4, 0));
}

#[test]
fn world_that_is_despawned_piece_by_piece_on_the_way_leaves_no_entries() {
    let mut random = Seed::named("pieces").generator();
    for round in 0..40 {
        let mut game = Game::new();
        game.insert_resource(TilepathSettings { work_per_tick: if round % 2 == 0 { 100 } else { 100_000 } });
        let map = game.open_map(20, 20);
        let mut graph = WaypointGraph::new();
        graph.add("well", (0.0, 0.0)).expect("it is a position");
        let graph = game.world_mut().spawn((NavGraph::new(graph), Transform::default())).id();
        let ends = (DoorEnd::cell(map, Cell::new(19, 19)), DoorEnd::waypoint(graph, "well"));
        let door = game.world_mut().spawn(Door::new(ends.0, ends.1)).id();
        let cart = game.world_mut().spawn(Transform::default()).id();
        let own = Movement::new().with_costs(CostTable::identity().with(1, 2));
        let units: Vec<Entity> = (0..6).map(|y| game.agent(0, y, 160.0)).collect();
        for &unit in &units {
            game.world_mut().entity_mut(unit).insert((Body::default(), OnMap(map)));
        }
        game.world_mut().entity_mut(units[0]).insert((ChildOf(cart), AgentMovement::from(own.clone())));
        game.order_to(units[0], 19, 0);
        game.world_mut().entity_mut(units[1]).insert(PathRequest::to_waypoint("well").with_movement(own));
        game.world_mut().entity_mut(units[2]).insert(PathRequest::to(units[0]).following());
        game.world_mut().entity_mut(units[3]).insert(PathRequest::to_cell((30, 0)).or_wait());
        let group = game.world_mut().spawn(GroupOrder::to(units[4..].to_vec(), Cell::new(10, 10))).id();
        let area = game.world_mut().spawn(OverlayArea::new("danger", 3, 2.0)).id();
        let obstacle = Obstacle::default().blocks_only(["boat"]);
        let obstacle = game.world_mut().spawn((obstacle, Transform::default())).id();
        game.ticks(round % 7);
        let mut pieces = vec![map, graph, door, cart, group, area, obstacle];
        pieces.extend(units);
        pieces.shuffle(&mut random);
        for piece in pieces {
            // An entity is already gone if the entity on which it depends was despawned.
            let _ = game.world_mut().try_despawn(piece);
            game.ticks(round % 3);
        }
        game.tick();
        assert_eq!(entries_kept(game.world()), 0, "round {round}");
        assert_nothing_is_left(&game);
    }
}
