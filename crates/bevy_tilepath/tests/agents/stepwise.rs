//! Agents that walk step by step, and why agents do not walk.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_tilepath::{
    Cell, NavQuery, PathAgent, PathFailure, PathRequest, PathStatus, Stepwise, TilepathSettings,
    agents::StepAgent, queries::WhyNot,
};

use super::fixtures::*;
use crate::harness::tick;

fn pawn(app: &mut App, x: i32, y: i32, is_animated: bool) -> Entity {
    let pawn = agent(app, x, y, 160.0);
    app.world_mut().entity_mut(pawn).insert(Stepwise { is_animated, ..default() });
    pawn
}

fn step_on(app: &mut App, pawn: Entity, steps: u32) {
    app.world_mut().trigger(StepAgent { entity: pawn, steps });
}

fn why_not(app: &mut App, unit: Entity) -> Option<WhyNot> {
    app.world_mut().run_system_once(move |nav: NavQuery| nav.why_not(unit)).expect("the system runs")
}

#[test]
fn pawn_goes_as_many_cells_as_it_is_told() {
    for is_animated in [false, true] {
        let mut app = app();
        open_map(&mut app, 20, 5);
        let pawn = pawn(&mut app, 0, 2, is_animated);
        order(&mut app, pawn, 10, 2);
        for _ in 0..20 {
            tick(&mut app);
        }
        assert_eq!(position(&app, pawn), centre(0, 2));
        assert_eq!(why_not(&mut app, pawn), Some(WhyNot::NoSteps));
        let mut at = 0;
        for steps in [1, 1, 3, 0, 2] {
            step_on(&mut app, pawn, steps);
            at += steps as i32;
            tick(&mut app);
            assert_eq!(position(&app, pawn) == centre(at, 2), !is_animated || steps == 0);
            for _ in 0..40 {
                tick(&mut app);
            }
            assert_eq!(position(&app, pawn), centre(at, 2), "and not farther");
        }
        // Two at once, and more than there are left.
        step_on(&mut app, pawn, 1);
        step_on(&mut app, pawn, 99);
        run_until_quiet(&mut app, 200);
        assert_eq!((position(&app, pawn), status(&app, pawn)), (centre(10, 2), PathStatus::Arrived));
        assert_eq!(
            app.world().get::<Stepwise>(pawn).expect("it is one").steps,
            0,
            "those left are forgotten"
        );
    }
}

#[test]
fn several_step_at_once_and_a_wall_on_the_way_is_gone_round() {
    let mut app = app();
    let map = open_map(&mut app, 12, 8);
    let pawns: Vec<Entity> = (0..4).map(|y| pawn(&mut app, 0, 2 * y, y % 2 == 0)).collect();
    for (&pawn, y) in pawns.iter().zip(0..) {
        order(&mut app, pawn, 11, 2 * y);
    }
    tick(&mut app);
    for turn in 0..30 {
        for &pawn in &pawns {
            step_on(&mut app, pawn, 1);
        }
        if turn == 4 {
            (0..7).for_each(|y| set_terrain(&mut app, map, 8, y, 0));
        }
        for _ in 0..12 {
            tick(&mut app);
        }
    }
    for (&pawn, y) in pawns.iter().zip(0..) {
        assert_eq!(position(&app, pawn), centre(11, 2 * y), "pawn {y}");
    }
}

#[test]
fn agent_becomes_stepwise_by_its_first_step_and_free_again() {
    let mut app = app();
    open_map(&mut app, 20, 5);
    let unit = agent(&mut app, 0, 0, 160.0);
    order(&mut app, unit, 15, 0);
    step_on(&mut app, unit, 1);
    step_on(&mut app, unit, 1);
    for _ in 0..60 {
        tick(&mut app);
    }
    assert_eq!(position(&app, unit), centre(2, 0));
    app.world_mut().entity_mut(unit).remove::<Stepwise>();
    run_until_quiet(&mut app, 300);
    assert_eq!(position(&app, unit), centre(15, 0));
    // Of an entity that is gone nothing becomes.
    app.world_mut().despawn(unit);
    app.world_mut().commands().trigger(StepAgent { entity: unit, steps: 1 });
    tick(&mut app);
}

#[test]
fn every_halt_is_explained() {
    let mut app = app();
    let nothing = app.world_mut().spawn_empty().id();
    assert_eq!(why_not(&mut app, nothing), Some(WhyNot::NoUnit));
    let unit = agent(&mut app, 0, 0, 160.0);
    assert_eq!(why_not(&mut app, unit), Some(WhyNot::NoOrder));
    order(&mut app, unit, 5, 0);
    assert_eq!(why_not(&mut app, unit), Some(WhyNot::Queued));
    tick(&mut app);
    assert_eq!(why_not(&mut app, unit), Some(WhyNot::WaitingForMap));
    let map = open_map(&mut app, 9, 3);
    app.world_mut().resource_mut::<TilepathSettings>().work_per_tick = 1;
    tick(&mut app);
    assert_eq!(why_not(&mut app, unit), Some(WhyNot::Searching));
    app.init_resource::<TilepathSettings>();
    app.insert_resource(TilepathSettings::default());
    tick(&mut app);
    assert_eq!(why_not(&mut app, unit), None);
    let set = |app: &mut App, agent: PathAgent| {
        *app.world_mut().get_mut::<PathAgent>(unit).expect("it is one") = agent;
        tick(app);
    };
    set(&mut app, PathAgent { paused: true, ..default() });
    assert_eq!(why_not(&mut app, unit), Some(WhyNot::Paused));
    set(&mut app, PathAgent { speed: 0.0.into(), ..default() });
    assert_eq!(why_not(&mut app, unit), Some(WhyNot::NoSpeed));
    set(&mut app, PathAgent { speed: 160.0.into(), ..default() });
    assert_eq!(why_not(&mut app, unit), None);
    (0..3).for_each(|y| set_terrain(&mut app, map, 4, y, 0));
    app.world_mut().resource_mut::<TilepathSettings>().work_per_tick = 1;
    app.world_mut().entity_mut(unit).insert(PathRequest::to(Cell::new(5, 0)).or_wait());
    app.insert_resource(TilepathSettings::default());
    tick(&mut app);
    assert_eq!(why_not(&mut app, unit), Some(WhyNot::WaitingForWay(PathFailure::Unreachable)));
    app.world_mut().entity_mut(unit).insert(PathRequest::to(Cell::new(5, 0)));
    tick(&mut app);
    assert_eq!(why_not(&mut app, unit), Some(WhyNot::Failed(PathFailure::Unreachable)));
    order(&mut app, unit, 0, 2);
    run_until_quiet(&mut app, 300);
    assert_eq!(why_not(&mut app, unit), Some(WhyNot::Arrived));
    let flag = app.world_mut().spawn(Transform::from_translation(centre(1, 2).extend(0.0))).id();
    app.world_mut().entity_mut(unit).insert(PathRequest::to(flag).following());
    for _ in 0..60 {
        tick(&mut app);
    }
    assert_eq!(why_not(&mut app, unit), Some(WhyNot::AtGoal));
    for why in [WhyNot::AtGoal, WhyNot::Replanning, WhyNot::WaitingForWay(PathFailure::Unreachable)] {
        assert!(!why.to_string().is_empty());
    }
}
