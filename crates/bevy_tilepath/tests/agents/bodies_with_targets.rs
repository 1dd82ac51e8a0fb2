//! Bodies that go to other bodies.

use bevy::prelude::*;
use bevy_tilepath::{Body, Cell, PathAgent, PathGoal, PathRequest, queries::WhyNot};

use super::bodies::least_distance;
use crate::harness::*;

/// Spawns a body that is not an agent.
fn thing(game: &mut Game, x: i32, y: i32) -> Entity {
    game.world_mut().spawn((Body::default(), Transform::from_translation(centre(x, y).extend(1.0)))).id()
}

/// Returns the number of steps between the cells of two entities.
fn steps_between(game: &Game, one: Entity, other: Entity) -> i32 {
    let (one, other) = (game.cell_at(one), game.cell_at(other));
    (one.x - other.x).abs().max((one.y - other.y).abs())
}

/// Spawns targets: a thing, a paused agent, an agent that never had an order, and an agent that has
/// arrived.
fn targets(game: &mut Game) -> Vec<(&'static str, Entity)> {
    let paused = game.body(20, 2, 64.0);
    game.world_mut().get_mut::<PathAgent>(paused).expect("an agent").paused = true;
    let arrived = game.body(19, 12, 64.0);
    game.order_to(arrived, 20, 12);
    game.ticks(100);
    vec![
        ("a thing", thing(game, 20, 7)),
        ("a paused agent", paused),
        ("an idle agent", game.body(20, 17, 64.0)),
        ("an arrived agent", arrived),
    ]
}

#[test]
fn who_goes_to_a_body_ends_beside_it_and_leaves_it_where_it_is() {
    type Goal = fn(Entity) -> PathRequest;
    let goals: [(&str, Goal); 3] = [
        ("to", PathRequest::to),
        ("within 0", |target| PathRequest::to(PathGoal::within(target, 0.0))),
        ("beside", |target| PathRequest::to(PathGoal::beside(target))),
    ];
    for (how, goal) in goals {
        let (mut game, _) = Game::open(30, 20);
        for (what, target) in targets(&mut game) {
            let place = game.position(target);
            let row = game.cell_at(target).y;
            let all: Vec<Entity> = (0..3).map(|n| game.body(2 + n, row, 96.0)).collect();
            for &one in &all {
                game.world_mut().entity_mut(one).insert(goal(target));
            }
            game.ticks(900);
            assert_eq!(game.position(target), place, "{how} {what}: it was pushed");
            for &one in &all {
                let ends = game.body_news().arrived.iter().filter(|(who, _)| *who == one).count();
                assert_eq!(
                    (ends, game.is_ordered(one)),
                    (1, false),
                    "{how} {what}: {:?}",
                    game.body_news().lost
                );
                assert!(steps_between(&game, one, target) <= 2, "{how} {what}: {}", game.cell_at(one));
            }
            assert_eq!(steps_between(&game, all[2], target), 1, "{how} {what}: the first is beside it");
        }
    }
}

#[test]
fn who_follows_a_body_waits_beside_it_and_goes_on_with_it() {
    let (mut game, _) = Game::open(30, 20);
    for (what, target) in targets(&mut game) {
        let row = game.cell_at(target).y;
        let dog = game.body(2, row, 96.0);
        game.world_mut().entity_mut(dog).insert(PathRequest::to(target).following());
        game.ticks(900);
        assert!(game.is_ordered(dog), "{what}: {:?}", game.body_news().lost);
        assert_eq!(steps_between(&game, dog, target), 1, "{what}");
        assert_eq!(game.why_not(dog), Some(WhyNot::AtGoal), "{what}");
        // The game moves the target.
        game.world_mut().get_mut::<Transform>(target).unwrap().translation.x -= 10.0 * CELL;
        game.ticks(400);
        assert!(game.is_ordered(dog), "{what}");
        assert_eq!(steps_between(&game, dog, target), 1, "{what}");
        game.world_mut().despawn(dog);
    }
}

#[test]
fn a_leader_comes_out_of_a_dead_end_past_its_follower() {
    type Order = fn(Entity) -> PathRequest;
    let orders: [(&str, Order); 4] = [
        ("following", |leader| PathRequest::to(leader).following()),
        ("to", PathRequest::to),
        ("within 1", |leader| PathRequest::to(PathGoal::within(leader, 1.0)).following()),
        ("beside", |leader| PathRequest::to(PathGoal::beside(leader)).following()),
    ];
    for (how, request) in orders {
        let (mut game, _) = Game::drawn_as(
            "
            ...#########
            ............
            ...#########
            ",
        );
        let (leader, dog) = (game.body(10, 1, 96.0), game.body(2, 1, 96.0));
        game.world_mut().entity_mut(dog).insert(request(leader));
        game.ticks(200);
        assert_eq!(steps_between(&game, leader, dog), 1, "{how}");
        game.order_to(leader, 0, 0);
        for _ in 0..800 {
            game.tick();
            let least = least_distance(&game, &[leader, dog]);
            assert!(least > 0.7, "{how}: {least}");
        }
        assert_eq!(game.cell_at(leader), Cell::new(0, 0), "{how}");
    }
}

#[test]
fn bodies_that_go_to_each_other_meet() {
    for count in [2, 3, 5] {
        for follows in [false, true] {
            let (mut game, _) = Game::open(20, 10);
            let all: Vec<Entity> = (0..count).map(|n: i32| game.body(n * 4, n * 2 % 10, 96.0)).collect();
            for (place, &one) in all.iter().enumerate() {
                let next = all[(place + 1) % all.len()];
                let request = if follows { PathRequest::to(next).following() } else { PathRequest::to(next) };
                game.world_mut().entity_mut(one).insert(request);
            }
            game.ticks(800);
            for (place, &one) in all.iter().enumerate() {
                assert_eq!(game.is_ordered(one), follows, "{count}: {:?}", game.body_news());
                assert!(steps_between(&game, one, all[(place + 1) % all.len()]) <= 1 || !follows);
            }
            assert_eq!(game.body_news().arrived.len(), if follows { 0 } else { all.len() });
            assert!(game.body_news().lost.is_empty());
        }
    }
}

#[test]
fn a_body_on_another_layer_goes_onto_the_cell_of_its_target() {
    let (mut game, _) = Game::open(12, 3);
    let target = thing(&mut game, 10, 1);
    let flier = game.body(1, 1, 96.0);
    game.world_mut().entity_mut(flier).insert((Body { layer: 2, blocks: 2 }, PathRequest::to(target)));
    game.ticks(300);
    assert_eq!(game.cell_at(flier), Cell::new(10, 1));
    assert_eq!(game.body_news().arrived.iter().map(|(_, short)| short.get()).collect::<Vec<_>>(), [0]);
}
