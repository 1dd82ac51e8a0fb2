//! Bodies that walk step by step.

use bevy::prelude::*;
use bevy_tilepath::{Body, Cell, OnMap, PathAgent, PathRequest, Stepwise, agents::StepAgent};

use super::bodies_at_doors::two_rows;
use crate::harness::*;

/// Spawns a pawn that takes its steps at once, with an order to a cell.
fn pawn(game: &mut Game, at: (i32, i32), to: (i32, i32), speed: f32) -> Entity {
    let pawn = game.body(at.0, at.1, speed);
    let stepwise = Stepwise { steps: 0, is_animated: false };
    game.world_mut().entity_mut(pawn).insert((stepwise, PathRequest::to_cell(Cell::from(to))));
    pawn
}

#[test]
fn steps_that_are_not_animated_are_gone_within_the_tick_whatever_the_speed() {
    for seconds in [0.0, 1.0 / 64.0] {
        for speed in [0.0, 1.0, 64.0, f32::NAN] {
            for (to, after) in [((18, 1), (8, 1)), ((18, 18), (8, 8)), ((1, 18), (1, 8))] {
                let mut game = Game::long_steps();
                game.open_map(20, 20);
                let pawn = pawn(&mut game, (1, 1), to, speed);
                game.steps(5, seconds);
                assert_eq!(game.position(pawn), centre(1, 1), "without steps, the pawn stands");
                game.world_mut().trigger(StepAgent { entity: pawn, steps: 7 });
                game.step(seconds);
                let what = format!("{seconds} s, speed {speed}, to {to:?}");
                assert_eq!(game.position(pawn), centre(after.0, after.1), "{what}");
                assert_eq!(game.world().get::<Stepwise>(pawn).unwrap().steps, 0, "{what}");
                game.step(seconds);
                assert_eq!(game.position(pawn), centre(after.0, after.1), "{what}: steps do not pile up");
            }
        }
    }
}

#[test]
fn slow_ground_takes_one_step_and_not_several() {
    let mut game = Game::long_steps();
    game.map("9999999999");
    let pawn = pawn(&mut game, (0, 0), (9, 0), 16.0);
    game.world_mut().get_mut::<PathAgent>(pawn).unwrap().terrain_speed =
        bevy_tilepath::agents::TerrainSpeed::ByCost;
    game.step(0.0);
    game.world_mut().trigger(StepAgent { entity: pawn, steps: 2 });
    game.step(0.0);
    assert_eq!(game.cell_at(pawn), Cell::new(2, 0));
}

#[test]
fn pawns_in_a_row_go_together_and_share_no_cell() {
    let mut game = Game::long_steps();
    game.map("............");
    let row: Vec<Entity> = (0..4).map(|n| pawn(&mut game, (3 - n, 0), (11 - n, 0), 0.0)).collect();
    game.step(0.0);
    for turn in 1..=4 {
        for &entity in &row {
            game.world_mut().trigger(StepAgent { entity, steps: 2 });
        }
        game.step(0.0);
        let columns: Vec<i32> = row.iter().map(|&one| game.cell_at(one).x).collect();
        assert_eq!(columns, [3, 2, 1, 0].map(|x| x + 2 * turn));
    }
}

#[test]
fn a_pawn_that_is_held_by_another_keeps_its_steps() {
    let mut game = Game::long_steps();
    game.map("......");
    let rock =
        game.world_mut().spawn((Body::default(), Transform::from_translation(centre(3, 0).extend(1.0)))).id();
    let pawn = pawn(&mut game, (0, 0), (5, 0), 0.0);
    game.step(0.0);
    game.world_mut().trigger(StepAgent { entity: pawn, steps: 5 });
    game.step(0.0);
    assert_eq!(game.cell_at(pawn), Cell::new(2, 0));
    assert_eq!(game.world().get::<Stepwise>(pawn).unwrap().steps, 3);
    game.world_mut().despawn(rock);
    game.step(0.0);
    game.step(0.0);
    assert_eq!(game.cell_at(pawn), Cell::new(5, 0));
}

#[test]
fn an_animated_pawn_of_any_speed_goes_no_farther_than_it_was_told() {
    for speed in [16.0, 640.0, f32::INFINITY] {
        let mut game = Game::long_steps();
        game.open_map(20, 20);
        let pawn = pawn(&mut game, (1, 1), (18, 18), speed);
        game.world_mut().get_mut::<Stepwise>(pawn).unwrap().is_animated = true;
        // Another body keeps the crowd busy for several steps in a tick.
        let runner = game.body(0, 19, f32::INFINITY);
        game.order_to(runner, 19, 19);
        game.step(0.25);
        game.world_mut().trigger(StepAgent { entity: pawn, steps: 2 });
        game.steps(20, 0.25);
        assert_eq!(game.position(pawn), centre(3, 3), "speed {speed}");
    }
}

#[test]
fn a_pawn_leaps_through_a_door_and_on() {
    for seconds in [0.0, 1.0 / 64.0] {
        let mut game = Game::long_steps();
        let [near, far] = two_rows(&mut game);
        let pawn = pawn(&mut game, (5, 0), (5, 0), 0.0);
        game.world_mut().entity_mut(pawn).insert((OnMap(near), PathRequest::to_cell((3, 0)).on_map(far)));
        game.steps(5, seconds);
        assert_eq!(game.position(pawn), centre(5, 0), "without steps, the pawn stands");
        let mut turns = 0;
        while game.is_ordered(pawn) && turns < 20 {
            game.world_mut().trigger(StepAgent { entity: pawn, steps: 1 });
            game.steps(3, seconds);
            turns += 1;
        }
        assert_eq!(game.world().get::<OnMap>(pawn), Some(&OnMap(far)), "{seconds} s");
        assert_eq!(game.position(pawn), centre(15, 0), "{seconds} s");
        assert_eq!(turns, 6, "two cells to the door, one through the door, three behind it");
    }
}

#[test]
fn a_pawn_leaps_on_a_parent_that_moves() {
    let mut game = Game::long_steps();
    game.open_map(20, 20);
    let cart = game.world_mut().spawn(Transform::default()).id();
    let pawn = pawn(&mut game, (1, 1), (9, 9), 0.0);
    game.world_mut().entity_mut(pawn).insert(ChildOf(cart));
    game.step(0.0);
    game.world_mut().trigger(StepAgent { entity: pawn, steps: 4 });
    game.step(0.0);
    assert_eq!(game.position(pawn), centre(5, 5));
    // The cart moves the pawn two cells to the right. The pawn goes on from there.
    game.world_mut().get_mut::<Transform>(cart).unwrap().translation.x = 2.0 * CELL;
    game.step(0.0);
    game.world_mut().trigger(StepAgent { entity: pawn, steps: 9 });
    game.steps(3, 0.0);
    assert_eq!(game.position(pawn) + Vec2::X * 2.0 * CELL, centre(9, 9));
}
