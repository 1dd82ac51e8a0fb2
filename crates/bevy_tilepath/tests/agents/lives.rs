//! Despawning agents and maps at every moment of a tick.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentMovement, AgentPath, Algorithm, Body, Cell, CostTable, Door, DoorEnd, GroupOrder, MapAgents,
    Movement, NavGraph, NavMap, Obstacle, OnMap, OverlayArea, PathAgent, PathFailure, PathRequest,
    PathStatus, TilepathDiagnostics, TilepathSettings, TilepathSystems, WaypointGraph, entries_kept,
};
use rand::seq::SliceRandom;
use testkit::Seed;

use super::fixtures::*;
use crate::harness::tick;

#[derive(Resource, Default)]
struct Doomed(Vec<Entity>);

fn despawn_doomed(mut doomed: ResMut<Doomed>, mut commands: Commands) {
    for entity in doomed.0.drain(..) {
        commands.entity(entity).despawn();
    }
}

/// Before the first set, and after each of them.
const MOMENTS: usize = 6;

/// An app that despawns the doomed at that moment of a tick.
fn deadly_app(moment: usize) -> App {
    use TilepathSystems::{AcceptRequests, Follow, Publish, Search, SyncMaps};
    let mut app = app();
    app.init_resource::<Doomed>();
    match moment {
        0 => app.add_systems(FixedUpdate, despawn_doomed.before(SyncMaps)),
        1 => app.add_systems(FixedUpdate, despawn_doomed.after(SyncMaps).before(AcceptRequests)),
        2 => app.add_systems(FixedUpdate, despawn_doomed.after(AcceptRequests).before(Search)),
        3 => app.add_systems(FixedUpdate, despawn_doomed.after(Search).before(Publish)),
        4 => app.add_systems(FixedUpdate, despawn_doomed.after(Publish).before(Follow)),
        _ => app.add_systems(FixedUpdate, despawn_doomed.after(Follow)),
    };
    app
}

fn doom(app: &mut App, entity: Entity) {
    app.world_mut().resource_mut::<Doomed>().0.push(entity);
}

#[track_caller]
fn assert_nothing_is_left(app: &App) {
    let left = *app.world().resource::<TilepathDiagnostics>();
    assert_eq!((left.waiting_for_map, left.queued, left.searching, left.following), (0, 0, 0, 0));
}

#[test]
fn agent_despawned_at_any_moment_of_its_life() {
    for moment in 0..MOMENTS {
        // On the way, searched for in many ticks, blocked, waiting for a map.
        for life in 0..4 {
            let mut app = deadly_app(moment);
            let soldier = agent(&mut app, 0, 0, 160.0);
            let witness = agent(&mut app, 0, 1, 160.0);
            let map = (life != 3).then(|| open_map(&mut app, 20, 20));
            if life == 1 {
                app.insert_resource(TilepathSettings { work_per_tick: 1 });
            }
            for _ in 0..3 {
                order(&mut app, soldier, 19, 0);
                order(&mut app, witness, 19, 1);
                tick(&mut app);
            }
            if let (Some(map), 2) = (map, life) {
                set_terrain(&mut app, map, 15, 0, 0);
                set_terrain(&mut app, map, 14, 1, 0);
            }
            told(&mut app);
            doom(&mut app, soldier);
            for _ in 0..3 {
                tick(&mut app);
            }
            assert!(app.world().get_entity(soldier).is_err());
            let told = told(&mut app);
            if moment == 0 {
                assert!(told.iter().all(|told| told.0 != soldier), "{told:?}");
            }
            app.world_mut().despawn(witness);
            tick(&mut app);
            assert_nothing_is_left(&app);
        }
    }
}

#[test]
fn map_despawned_at_any_moment_gives_a_typed_outcome() {
    for moment in 0..MOMENTS {
        for (named, work_per_tick) in [(false, 100_000), (true, 100_000), (false, 1), (true, 1)] {
            let mut app = deadly_app(moment);
            app.insert_resource(TilepathSettings { work_per_tick });
            let map = open_map(&mut app, 20, 20);
            let [walker, searcher, late] = [0, 1, 2].map(|y| agent(&mut app, 0, y, 160.0));
            if named {
                for soldier in [walker, searcher, late] {
                    app.world_mut().entity_mut(soldier).insert(OnMap(map));
                }
            }
            order(&mut app, walker, 1, 0);
            for _ in 0..6 {
                tick(&mut app);
            }
            order(&mut app, searcher, 19, 19);
            tick(&mut app);
            told(&mut app);
            order(&mut app, late, 19, 19);
            doom(&mut app, map);
            for _ in 0..4 {
                tick(&mut app);
            }
            let told = told(&mut app);
            let closing = |who: Entity| {
                let mut of_him = told.iter().rev().filter(|told| told.0 == who);
                of_him.next().map(|told| told.1)
            };
            for soldier in [walker, searcher, late] {
                assert!(app.world().get_entity(soldier).is_ok());
                match status(&app, soldier) {
                    PathStatus::Failed(PathFailure::NoMap) => assert!(
                        matches!(
                            closing(soldier),
                            Some(Told::Lost(PathFailure::NoMap) | Told::Failed(PathFailure::NoMap))
                        ),
                        "{:?}",
                        closing(soldier)
                    ),
                    PathStatus::Arrived => assert_eq!(soldier, walker),
                    // No map was named and none was ever found.
                    PathStatus::WaitingForMap => assert!(soldier == late && !named && moment < 2),
                    status => panic!("{status:?} after {moment}"),
                }
                assert!(app.world().get::<OnMap>(soldier).is_none());
            }
            for soldier in [walker, searcher, late] {
                app.world_mut().entity_mut(soldier).remove::<PathRequest>();
            }
            tick(&mut app);
            assert_nothing_is_left(&app);
        }
    }
}

#[test]
fn map_that_stops_being_one_loses_its_walkers_and_is_waited_for() {
    let mut app = app();
    app.insert_resource(TilepathSettings { work_per_tick: 1 });
    let map = open_map(&mut app, 20, 20);
    let (walker, searcher) = (agent(&mut app, 0, 0, 16.0), agent(&mut app, 0, 1, 16.0));
    order(&mut app, walker, 1, 0);
    for _ in 0..10 {
        tick(&mut app);
    }
    app.world_mut().entity_mut(searcher).insert(PathRequest::to_cell(Cell::new(19, 3)));
    tick(&mut app);
    told(&mut app);
    app.world_mut().entity_mut(map).remove::<NavMap>();
    tick(&mut app);
    assert_eq!(told(&mut app), [(walker, Told::Lost(PathFailure::NoMap))]);
    tick(&mut app);
    assert_eq!(status(&app, searcher), PathStatus::WaitingForMap);
    app.world_mut().entity_mut(map).insert(NavMap::default());
    app.insert_resource(TilepathSettings::default());
    tick(&mut app);
    assert_eq!(status(&app, searcher), PathStatus::Following);
}

#[test]
fn agents_on_a_map_are_listed_and_survive_it() {
    let mut app = app();
    let map = open_map(&mut app, 8, 8);
    let agents: Vec<Entity> = (0..5).map(|y| agent(&mut app, 0, y, 16.0)).collect();
    for &soldier in &agents {
        order(&mut app, soldier, 7, 7);
    }
    tick(&mut app);
    assert_eq!(app.world().get::<MapAgents>(map).unwrap().iter().count(), 5);
    app.world_mut().despawn(agents[0]);
    assert_eq!(app.world().get::<MapAgents>(map).unwrap().iter().count(), 4);
    app.world_mut().despawn(map);
    for &soldier in &agents[1..] {
        assert!(app.world().get::<OnMap>(soldier).is_none());
    }
}

#[test]
fn agent_removed_with_all_that_it_requires_leaves_no_order_behind() {
    for is_searched_for in [false, true] {
        let mut app = app();
        open_map(&mut app, 20, 20);
        if is_searched_for {
            app.insert_resource(TilepathSettings { work_per_tick: 1 });
        }
        let soldier = agent(&mut app, 0, 0, 160.0);
        let request = PathRequest::to_cell(Cell::new(19, 3)).with_algorithm(Algorithm::Dijkstra);
        app.world_mut().entity_mut(soldier).insert(request);
        for _ in 0..3 {
            tick(&mut app);
        }
        told(&mut app);
        app.world_mut().entity_mut(soldier).remove_with_requires::<PathAgent>();
        for _ in 0..3 {
            tick(&mut app);
        }
        assert!(!is_ordered(&app, soldier));
        assert!(app.world().get::<AgentPath>(soldier).is_none());
        let reason = PathFailure::AgentRemoved;
        let expected = if is_searched_for { Told::Failed(reason) } else { Told::Lost(reason) };
        assert_eq!(told_of(&mut app, soldier), [expected]);
        assert_nothing_is_left(&app);
        // And it may become one again.
        app.insert_resource(TilepathSettings::default());
        app.world_mut().entity_mut(soldier).insert(PathAgent { speed: f32::INFINITY.into(), ..default() });
        order(&mut app, soldier, 5, 0);
        tick(&mut app);
        assert_eq!(status(&app, soldier), PathStatus::Arrived);
    }
}

#[test]
fn disabled_agent_stops_and_goes_on_when_enabled() {
    use bevy::ecs::entity_disabling::Disabled;
    let mut app = app();
    let map = map(&mut app, "..........\n..........");
    let soldier = agent(&mut app, 0, 0, 160.0);
    order(&mut app, soldier, 9, 0);
    for _ in 0..4 {
        tick(&mut app);
    }
    app.world_mut().entity_mut(soldier).insert(Disabled);
    let held = drawn(&app, soldier);
    for _ in 0..4 {
        tick(&mut app);
    }
    assert_eq!(drawn(&app, soldier), held);
    // Edits that it has slept through are seen when it wakes.
    set_terrain(&mut app, map, 5, 0, 0);
    tick(&mut app);
    app.world_mut().entity_mut(soldier).remove::<Disabled>();
    told(&mut app);
    tick(&mut app);
    assert!(matches!(told_of(&mut app, soldier)[..], [Told::Blocked(_), Told::Replanned { .. }]));
    run_until_quiet(&mut app, 300);
    assert_eq!(position(&app, soldier), centre(9, 0));

    // Ordered while asleep.
    app.world_mut().entity_mut(soldier).insert(Disabled);
    order(&mut app, soldier, 0, 0);
    tick(&mut app);
    app.world_mut().entity_mut(soldier).remove::<Disabled>();
    run_until_quiet(&mut app, 300);
    assert_eq!(position(&app, soldier), centre(0, 0));
}

#[test]
fn disabled_child_is_answered_from_where_it_is() {
    use bevy::ecs::entity_disabling::Disabled;
    let mut app = app();
    open_map(&mut app, 10, 1);
    let cart = app.world_mut().spawn(Transform::from_translation(centre(4, 0).extend(0.0))).id();
    let rider = app.world_mut().spawn((PathAgent::default(), ChildOf(cart))).id();
    order(&mut app, rider, 9, 0);
    app.world_mut().entity_mut(cart).insert(Disabled);
    app.world_mut().entity_mut(rider).insert(Disabled);
    tick(&mut app);
    assert_eq!(cell_path(&app, rider).start(), Cell::new(4, 0));
}

#[test]
fn world_that_is_despawned_piece_by_piece_on_the_way_leaves_no_entries() {
    let mut random = Seed::named("pieces").generator();
    for round in 0..40 {
        let mut app = crate::harness::app();
        app.insert_resource(TilepathSettings { work_per_tick: if round % 2 == 0 { 100 } else { 100_000 } });
        let map = open_map(&mut app, 20, 20);
        let mut graph = WaypointGraph::new();
        graph.add("well", (0.0, 0.0)).expect("it is a position");
        let graph = app.world_mut().spawn((NavGraph::new(graph), Transform::default())).id();
        let ends = (DoorEnd::cell(map, Cell::new(19, 19)), DoorEnd::waypoint(graph, "well"));
        let door = app.world_mut().spawn(Door::new(ends.0, ends.1)).id();
        let cart = app.world_mut().spawn(Transform::default()).id();
        let own = Movement::new().with_costs(CostTable::identity().with(1, 2));
        let units: Vec<Entity> = (0..6).map(|y| agent(&mut app, 0, y, 160.0)).collect();
        for &unit in &units {
            app.world_mut().entity_mut(unit).insert((Body::default(), OnMap(map)));
        }
        app.world_mut().entity_mut(units[0]).insert((ChildOf(cart), AgentMovement::from(own.clone())));
        order(&mut app, units[0], 19, 0);
        app.world_mut().entity_mut(units[1]).insert(PathRequest::to_waypoint("well").with_movement(own));
        app.world_mut().entity_mut(units[2]).insert(PathRequest::to(units[0]).following());
        app.world_mut().entity_mut(units[3]).insert(PathRequest::to_cell((30, 0)).or_wait());
        let group = app.world_mut().spawn(GroupOrder::to(units[4..].to_vec(), Cell::new(10, 10))).id();
        let area = app.world_mut().spawn(OverlayArea::new("danger", 3, 2.0)).id();
        let obstacle = Obstacle::default().only_for(["boat"]);
        let obstacle = app.world_mut().spawn((obstacle, Transform::default())).id();
        for _ in 0..round % 7 {
            tick(&mut app);
        }
        let mut pieces = vec![map, graph, door, cart, group, area, obstacle];
        pieces.extend(units);
        pieces.shuffle(&mut random);
        for piece in pieces {
            // What hangs on another is gone with that.
            let _ = app.world_mut().try_despawn(piece);
            for _ in 0..round % 3 {
                tick(&mut app);
            }
        }
        tick(&mut app);
        assert_eq!(entries_kept(app.world()), 0, "round {round}");
        assert_nothing_is_left(&app);
    }
}
