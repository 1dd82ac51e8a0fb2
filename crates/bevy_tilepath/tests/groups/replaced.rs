//! Group orders whose members get other orders.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, PathAgent, PathRequest,
    groups::{Group, GroupFailure, GroupMember, GroupOrder},
};

use crate::harness::*;

/// Spawns agents, with or without bodies.
fn units(game: &mut Game, are_bodies: bool) -> Vec<Entity> {
    (0..4).map(|x| if are_bodies { game.body(x, 0, 96.0) } else { game.agent(x, 0, 96.0) }).collect()
}

#[test]
fn the_later_of_two_orders_in_one_tick_holds() {
    for are_bodies in [false, true] {
        for is_first_tick in [false, true] {
            for is_group_later in [false, true] {
                let (mut game, _) = Game::open(40, 20);
                let units = units(&mut game, are_bodies);
                if !is_first_tick {
                    game.ticks(2);
                }
                if is_group_later {
                    game.order_to(units[0], 3, 15);
                }
                let group = game.order_group(GroupOrder::to(units.iter().copied(), Cell::new(30, 10)));
                if !is_group_later {
                    game.order_to(units[0], 3, 15);
                }
                game.run_to_end(group, 900);
                assert_eq!(game.only_end(), if is_group_later { [4, 0, 0, 0] } else { [3, 0, 0, 1] });
                game.run_until_quiet(300);
                assert_eq!(game.cell_at(units[0]) == Cell::new(3, 15), !is_group_later);
            }
        }
    }
}

#[test]
fn order_of_a_member_that_a_scene_adds_after_its_group_does_not_count() {
    let (mut game, _) = Game::open(40, 20);
    let member = game.world_mut().spawn_empty().id();
    let group = game.order_group(GroupOrder::to([member], Cell::new(30, 10)));
    let place = Transform::from_translation(centre(2, 2).extend(0.0));
    let agent = PathAgent { speed: 96.0.into(), ..default() };
    game.world_mut().entity_mut(member).insert((agent, place, PathRequest::to_cell((3, 15))));
    game.run_to_end(group, 900);
    assert_eq!(game.only_end(), [1, 0, 0, 0]);
}

#[test]
fn group_order_that_others_replace_ends_without_an_event() {
    for are_bodies in [false, true] {
        for own in [0, 1, 4] {
            for ticks in [0, 1, 60] {
                let (mut game, _) = Game::open(40, 20);
                let units = units(&mut game, are_bodies);
                let first = game.order_group(GroupOrder::to(units.iter().copied(), Cell::new(30, 10)));
                game.ticks(ticks);
                for (&unit, y) in units[..own].iter().zip(0..) {
                    game.order_to(unit, 3, 15 + y);
                }
                game.order_group(GroupOrder::to(units[own..].iter().copied(), Cell::new(5, 15)));
                game.run_to_end(first, 5);
                assert!(game.world().get::<Group>(first).is_some_and(|group| *group == Group::default()));
                game.run_until_quiet(900);
                let news = game.group_news();
                assert!(news.arrived.iter().all(|end| end.entity != first), "{news:?}");
                assert!(news.failed.iter().all(|end| end.entity != first), "{news:?}");
                assert!(units.iter().all(|&unit| game.world().get::<GroupMember>(unit).is_none()));
            }
        }
    }
}

#[test]
fn group_fails_if_the_order_of_a_member_was_cancelled_and_others_took_the_rest() {
    let (mut game, _) = Game::open(40, 20);
    let units = units(&mut game, true);
    let first = game.order_group(GroupOrder::to(units.iter().copied(), Cell::new(30, 10)));
    game.ticks(20);
    game.cancel(units[0]);
    game.tick();
    game.order_group(GroupOrder::to(units[1..].iter().copied(), Cell::new(5, 15)));
    game.run_to_end(first, 5);
    let failed: Vec<_> = game.group_news().failed.iter().map(|end| (end.entity, end.reason)).collect();
    assert_eq!(failed, [(first, GroupFailure::AllLeft)]);
}
