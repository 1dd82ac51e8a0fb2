//! Observers that give orders, cancel them and despawn entities inside the events.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentPath, Cell, Cost, PathFailure, PathRequest, PathStatus,
    events::{Arrived, PathFailed, PathFound, PathLost, PathPointReached, Replanned},
};

use crate::harness::*;

fn to(x: i32, y: i32) -> PathRequest {
    PathRequest::to_cell(Cell::new(x, y))
}

#[test]
fn next_order_from_inside_arrived_stands_even_an_equal_one() {
    let (mut game, _) = Game::open(4, 1);
    let soldier = game.agent(0, 0, 1e6);
    game.world_mut().entity_mut(soldier).observe(
        |on: On<Arrived>, requests: Query<&PathRequest>, mut times: Local<u32>, mut commands: Commands| {
            assert!(!requests.contains(on.entity), "the old order is still there");
            *times += 1;
            if *times < 4 {
                commands.entity(on.entity).insert(to(3, 0));
            }
        },
    );
    game.order_to(soldier, 3, 0);
    game.ticks(10);
    let told = game.told_of(soldier);
    assert_eq!(told.iter().filter(|told| **told == Told::Arrived(Cell::new(3, 0))).count(), 4);
    assert_eq!(told.len(), 8);
}

#[test]
fn next_order_from_inside_failed_and_lost_stands() {
    let (mut game, map) = Game::drawn_as("...#.");
    let soldier = game.agent(0, 0, 160.0);
    game.world_mut()
        .entity_mut(soldier)
        .observe(|on: On<PathFailed>, requests: Query<&PathRequest>, mut commands: Commands| {
            assert!(!requests.contains(on.entity));
            commands.entity(on.entity).insert(to(2, 0));
        })
        .observe(|on: On<PathLost>, mut commands: Commands| {
            commands.entity(on.entity).insert(to(0, 0));
        });
    game.order_to(soldier, 4, 0);
    game.tick();
    assert_eq!(game.status(soldier), PathStatus::Queued);
    game.tick();
    assert_eq!(game.status(soldier), PathStatus::Following);
    game.set_terrain(map, 2, 0, 0);
    game.run_until_quiet(100);
    assert_eq!(
        game.told_of(soldier),
        [
            Told::Failed(PathFailure::Unreachable),
            Told::Found { goal: Cell::new(2, 0), cost: 20, partial: false },
            Told::Blocked(Cell::new(2, 0)),
            Told::Lost(PathFailure::GoalBlocked { cell: Cell::new(2, 0) }),
            Told::Found { goal: Cell::new(0, 0), cost: 0, partial: false },
            Told::Arrived(Cell::new(0, 0)),
        ]
    );
}

#[test]
fn order_that_always_fails_is_answered_once_a_tick() {
    let (mut game, _) = Game::drawn_as("..#.");
    let soldier = game.agent(0, 0, 160.0);
    game.world_mut().entity_mut(soldier).observe(|on: On<PathFailed>, mut commands: Commands| {
        commands.entity(on.entity).insert(to(3, 0));
    });
    game.order_to(soldier, 3, 0);
    game.ticks(5);
    assert_eq!(game.told_of(soldier), [Told::Failed(PathFailure::Unreachable); 5]);
}

#[test]
fn observer_of_found_may_replace_the_order_and_despawn_others() {
    let (mut game, _) = Game::open(8, 8);
    // The event of the older agent is triggered first.
    let soldier = game.agent(0, 0, 1e6);
    let victim = game.agent(7, 7, 160.0);
    game.order_to(soldier, 1, 0);
    game.order_to(victim, 5, 5);
    game.world_mut().entity_mut(soldier).observe(move |on: On<PathFound>, mut commands: Commands| {
        if on.goal.cell().is_some_and(|cell| cell.x == 1) {
            commands.entity(victim).try_despawn();
            commands.entity(on.entity).insert(to(6, 0));
        }
    });
    game.tick();
    // The replaced journey does not begin, and no event of the despawned agent follows.
    assert_eq!(game.position(soldier), centre(0, 0));
    game.tick();
    let told = game.told();
    assert!(told.iter().all(|told| told.0 == soldier));
    let told: Vec<Told> =
        told.into_iter().map(|told| told.1).filter(|told| !matches!(told, Told::Reached(_))).collect();
    assert_eq!(
        told,
        [
            Told::Found { goal: Cell::new(1, 0), cost: 10, partial: false },
            Told::Found { goal: Cell::new(6, 0), cost: 60, partial: false },
            Told::Arrived(Cell::new(6, 0)),
        ]
    );
}

#[test]
fn observer_may_cancel_from_inside_any_event() {
    /// The number of events before the cancel. Observers of one event run in no fixed order, so
    /// this count is separate from the log.
    #[derive(Resource)]
    struct CancelAt(usize);
    fn count(entity: Entity, mut at: ResMut<CancelAt>, mut commands: Commands) {
        match at.0.checked_sub(1) {
            Some(left) => at.0 = left,
            None => {
                commands.entity(entity).remove::<PathRequest>();
            }
        }
    }
    for cancel_at in 0..8 {
        let (mut game, map) = Game::drawn_as("......\n.####.\n......");
        game.insert_resource(CancelAt(cancel_at));
        let soldier = game.agent(1, 0, 640.0);
        game.add_observer(|on: On<PathFound>, at: ResMut<CancelAt>, commands: Commands| {
            count(on.entity, at, commands);
        })
        .add_observer(|on: On<Replanned>, at: ResMut<CancelAt>, commands: Commands| {
            count(on.entity, at, commands);
        })
        .add_observer(|on: On<PathPointReached>, at: ResMut<CancelAt>, commands: Commands| {
            count(on.entity, at, commands);
        });
        game.order_to(soldier, 5, 0);
        game.tick();
        game.set_terrain(map, 4, 0, 0);
        game.run_until_quiet(200);
        game.tick();
        let events = game.told();
        let is_over = events.iter().any(|told| matches!(told.1, Told::Arrived(_)));
        let replanned = events.iter().position(|told| matches!(told.1, Told::Replanned { .. }));
        assert!(!is_over, "{events:?}");
        assert!(cancel_at < 2 || replanned.is_some());
        assert_eq!(game.status(soldier), PathStatus::Idle);
        assert!(game.world().get::<AgentPath>(soldier).is_none());
        // No event follows the cancel. `PathBlocked` is not counted, because no agent cancels in
        // it.
        assert!(events.len() <= cancel_at + 2, "{cancel_at}: {events:?}");
    }
}

#[test]
fn one_long_step_told_in_order_stops_at_a_cancel() {
    let mut game = Game::long_steps();
    game.open_map(10, 1);
    let soldier = game.agent(0, 0, 1e6);
    game.add_observer(|on: On<PathPointReached>, mut commands: Commands| {
        if on.place.cell().is_some_and(|cell| cell.x == 3) {
            commands.entity(on.entity).remove::<PathRequest>();
        }
    });
    game.order_to(soldier, 9, 0);
    game.step(1.0);
    let told: Vec<Told> = game.told().into_iter().map(|told| told.1).collect();
    assert_eq!(told[1..], [1, 2, 3].map(|x| Told::Reached(Cell::new(x, 0))));
    assert_eq!(game.status(soldier), PathStatus::Idle);
}

#[test]
fn path_taken_away_by_an_observer_of_the_last_waypoint_does_not_swallow_the_arrival() {
    let (mut game, _) = Game::open(4, 1);
    let soldier = game.agent(0, 0, 1e6);
    game.add_observer(|on: On<PathPointReached>, mut commands: Commands| {
        if on.place.cell().is_some_and(|cell| cell.x == 3) {
            commands.entity(on.entity).remove::<AgentPath>();
        }
    });
    game.order_to(soldier, 3, 0);
    game.run_until_quiet(10);
    assert_eq!(game.told_of(soldier).last(), Some(&Told::Arrived(Cell::new(3, 0))));
    assert_eq!(game.status(soldier), PathStatus::Arrived);
}

#[test]
fn order_from_an_observer_of_the_removed_request_is_kept() {
    let (mut game, _) = Game::open(4, 1);
    let soldier = game.agent(0, 0, 1e6);
    game.world_mut().entity_mut(soldier).observe(
        |on: OnRemove<PathRequest>, mut times: Local<u32>, mut commands: Commands| {
            *times += 1;
            if *times == 1 {
                commands.entity(on.entity).insert(to(0, 0));
            }
        },
    );
    game.order_to(soldier, 3, 0);
    game.run_until_quiet(10);
    let told = game.told_of(soldier);
    assert_eq!(told.last(), Some(&Told::Arrived(Cell::new(0, 0))));
    assert_eq!(told.iter().filter(|told| matches!(told, Told::Found { .. })).count(), 2);
}

#[test]
fn path_and_status_stand_when_found_is_told() {
    let (mut game, _) = Game::open(4, 1);
    let soldier = game.agent(0, 0, 16.0);
    game.add_observer(|on: On<PathFound>, agents: Query<(&AgentPath, &PathStatus)>| {
        let (path, status) = agents.get(on.entity).unwrap();
        assert_eq!(Some(path.path().unwrap().goal()), on.goal.cell());
        assert_eq!((path.cost(), path.path().unwrap().cost().get()), (Some(Cost::new(30)), 30));
        assert_eq!((path.route_cost(), on.route_cost), (48.0, 48.0), "three cells of 16 world units");
        assert_eq!(path.points().len(), 4);
        assert_eq!(*status, PathStatus::Following);
    });
    game.order_to(soldier, 3, 0);
    game.tick();
    assert_eq!(game.told_of(soldier).len(), 1);
}
