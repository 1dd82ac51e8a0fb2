//! Bodies that walk step by step.

use bevy::prelude::*;
use bevy_tilepath::{Body, Cell, OnMap, PathAgent, PathRequest, Stepwise, agents::StepAgent};

use super::{
    bodies::{body, cell_at},
    bodies_at_doors::two_rows,
    fixtures::*,
};

/// A pawn that goes its steps at once, with an order to a cell.
fn pawn(app: &mut App, at: (i32, i32), to: (i32, i32), speed: f32) -> Entity {
    let pawn = body(app, at.0, at.1, speed);
    let stepwise = Stepwise { steps: 0, is_animated: false };
    app.world_mut().entity_mut(pawn).insert((stepwise, PathRequest::to_cell(Cell::from(to))));
    pawn
}

#[test]
fn steps_that_are_not_animated_are_gone_within_the_tick_whatever_the_speed() {
    for seconds in [0.0, 1.0 / 64.0] {
        for speed in [0.0, 1.0, 64.0, f32::NAN] {
            for (to, after) in [((18, 1), (8, 1)), ((18, 18), (8, 8)), ((1, 18), (1, 8))] {
                let mut app = long_step_app();
                open_map(&mut app, 20, 20);
                let pawn = pawn(&mut app, (1, 1), to, speed);
                for _ in 0..5 {
                    step(&mut app, seconds);
                }
                assert_eq!(position(&app, pawn), centre(1, 1), "without steps it stands");
                app.world_mut().trigger(StepAgent { entity: pawn, steps: 7 });
                step(&mut app, seconds);
                let what = format!("{seconds} s, speed {speed}, to {to:?}");
                assert_eq!(position(&app, pawn), centre(after.0, after.1), "{what}");
                assert_eq!(app.world().get::<Stepwise>(pawn).unwrap().steps, 0, "{what}");
                step(&mut app, seconds);
                assert_eq!(position(&app, pawn), centre(after.0, after.1), "{what}: steps do not pile up");
            }
        }
    }
}

#[test]
fn slow_ground_takes_one_step_and_not_several() {
    let mut app = long_step_app();
    map(&mut app, "9999999999");
    let pawn = pawn(&mut app, (0, 0), (9, 0), 16.0);
    app.world_mut().get_mut::<PathAgent>(pawn).unwrap().terrain_speed =
        bevy_tilepath::agents::TerrainSpeed::ByCost;
    step(&mut app, 0.0);
    app.world_mut().trigger(StepAgent { entity: pawn, steps: 2 });
    step(&mut app, 0.0);
    assert_eq!(cell_at(&app, pawn), Cell::new(2, 0));
}

#[test]
fn pawns_in_a_row_go_together_and_share_no_cell() {
    let mut app = long_step_app();
    map(&mut app, "............");
    let row: Vec<Entity> = (0..4).map(|n| pawn(&mut app, (3 - n, 0), (11 - n, 0), 0.0)).collect();
    step(&mut app, 0.0);
    for turn in 1..=4 {
        for &entity in &row {
            app.world_mut().trigger(StepAgent { entity, steps: 2 });
        }
        step(&mut app, 0.0);
        let columns: Vec<i32> = row.iter().map(|&one| cell_at(&app, one).x).collect();
        assert_eq!(columns, [3, 2, 1, 0].map(|x| x + 2 * turn));
    }
}

#[test]
fn a_pawn_that_is_held_by_another_keeps_its_steps() {
    let mut app = long_step_app();
    map(&mut app, "......");
    let rock =
        app.world_mut().spawn((Body::default(), Transform::from_translation(centre(3, 0).extend(1.0)))).id();
    let pawn = pawn(&mut app, (0, 0), (5, 0), 0.0);
    step(&mut app, 0.0);
    app.world_mut().trigger(StepAgent { entity: pawn, steps: 5 });
    step(&mut app, 0.0);
    assert_eq!(cell_at(&app, pawn), Cell::new(2, 0));
    assert_eq!(app.world().get::<Stepwise>(pawn).unwrap().steps, 3);
    app.world_mut().despawn(rock);
    step(&mut app, 0.0);
    step(&mut app, 0.0);
    assert_eq!(cell_at(&app, pawn), Cell::new(5, 0));
}

#[test]
fn an_animated_pawn_of_any_speed_goes_no_farther_than_it_was_told() {
    for speed in [16.0, 640.0, f32::INFINITY] {
        let mut app = long_step_app();
        open_map(&mut app, 20, 20);
        let pawn = pawn(&mut app, (1, 1), (18, 18), speed);
        app.world_mut().get_mut::<Stepwise>(pawn).unwrap().is_animated = true;
        // Another one keeps the crowd busy for several steps in a tick.
        let runner = body(&mut app, 0, 19, f32::INFINITY);
        order(&mut app, runner, 19, 19);
        step(&mut app, 0.25);
        app.world_mut().trigger(StepAgent { entity: pawn, steps: 2 });
        for _ in 0..20 {
            step(&mut app, 0.25);
        }
        assert_eq!(position(&app, pawn), centre(3, 3), "speed {speed}");
    }
}

#[test]
fn a_pawn_leaps_through_a_door_and_on() {
    for seconds in [0.0, 1.0 / 64.0] {
        let mut app = long_step_app();
        let [near, far] = two_rows(&mut app);
        let pawn = pawn(&mut app, (5, 0), (5, 0), 0.0);
        app.world_mut().entity_mut(pawn).insert((OnMap(near), PathRequest::to_cell((3, 0)).on_map(far)));
        for _ in 0..5 {
            step(&mut app, seconds);
        }
        assert_eq!(position(&app, pawn), centre(5, 0), "without steps it stands");
        let mut turns = 0;
        while is_ordered(&app, pawn) && turns < 20 {
            app.world_mut().trigger(StepAgent { entity: pawn, steps: 1 });
            for _ in 0..3 {
                step(&mut app, seconds);
            }
            turns += 1;
        }
        assert_eq!(app.world().get::<OnMap>(pawn), Some(&OnMap(far)), "{seconds} s");
        assert_eq!(position(&app, pawn), centre(15, 0), "{seconds} s");
        assert_eq!(turns, 6, "two cells to the door, the door, and three behind it");
    }
}

#[test]
fn a_pawn_leaps_on_a_parent_that_moves() {
    let mut app = long_step_app();
    open_map(&mut app, 20, 20);
    let cart = app.world_mut().spawn(Transform::default()).id();
    let pawn = pawn(&mut app, (1, 1), (9, 9), 0.0);
    app.world_mut().entity_mut(pawn).insert(ChildOf(cart));
    step(&mut app, 0.0);
    app.world_mut().trigger(StepAgent { entity: pawn, steps: 4 });
    step(&mut app, 0.0);
    assert_eq!(position(&app, pawn), centre(5, 5));
    // The cart carries it two cells to the right; from there it goes on.
    app.world_mut().get_mut::<Transform>(cart).unwrap().translation.x = 2.0 * CELL;
    step(&mut app, 0.0);
    app.world_mut().trigger(StepAgent { entity: pawn, steps: 9 });
    for _ in 0..3 {
        step(&mut app, 0.0);
    }
    assert_eq!(position(&app, pawn) + Vec2::X * 2.0 * CELL, centre(9, 9));
}
