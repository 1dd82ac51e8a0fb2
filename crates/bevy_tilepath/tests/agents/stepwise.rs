//! Agents that walk step by step, and the reasons why agents do not walk.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, PathAgent, PathFailure, PathRequest, PathStatus, Stepwise, TilepathSettings, agents::StepAgent,
    queries::WhyNot,
};

use crate::harness::*;

fn pawn(game: &mut Game, x: i32, y: i32, is_animated: bool) -> Entity {
    let pawn = game.agent(x, y, 160.0);
    game.world_mut().entity_mut(pawn).insert(Stepwise { is_animated, ..default() });
    pawn
}

fn step_on(game: &mut Game, pawn: Entity, steps: u32) {
    game.world_mut().trigger(StepAgent { entity: pawn, steps });
}

#[test]
fn pawn_goes_as_many_cells_as_it_is_told() {
    for is_animated in [false, true] {
        let (mut game, _) = Game::open(20, 5);
        let pawn = pawn(&mut game, 0, 2, is_animated);
        game.order_to(pawn, 10, 2);
        game.ticks(20);
        assert_eq!(game.position(pawn), centre(0, 2));
        assert_eq!(game.why_not(pawn), Some(WhyNot::NoSteps));
        let mut at = 0;
        for steps in [1, 1, 3, 0, 2] {
            step_on(&mut game, pawn, steps);
            at += steps as i32;
            game.tick();
            assert_eq!(game.position(pawn) == centre(at, 2), !is_animated || steps == 0);
            game.ticks(40);
            assert_eq!(game.position(pawn), centre(at, 2), "the pawn went too far");
        }
        // Triggers two events at once, with more steps than cells are left.
        step_on(&mut game, pawn, 1);
        step_on(&mut game, pawn, 99);
        game.run_until_quiet(200);
        assert_eq!((game.position(pawn), game.status(pawn)), (centre(10, 2), PathStatus::Arrived));
        assert_eq!(
            game.world().get::<Stepwise>(pawn).expect("it is one").steps,
            0,
            "unused steps must be dropped"
        );
    }
}

#[test]
fn several_step_at_once_and_a_wall_on_the_way_is_gone_round() {
    let (mut game, map) = Game::open(12, 8);
    let pawns: Vec<Entity> = (0..4).map(|y| pawn(&mut game, 0, 2 * y, y % 2 == 0)).collect();
    for (&pawn, y) in pawns.iter().zip(0..) {
        game.order_to(pawn, 11, 2 * y);
    }
    game.tick();
    for turn in 0..30 {
        for &pawn in &pawns {
            step_on(&mut game, pawn, 1);
        }
        if turn == 4 {
            (0..7).for_each(|y| game.set_terrain(map, 8, y, 0));
        }
        game.ticks(12);
    }
    for (&pawn, y) in pawns.iter().zip(0..) {
        assert_eq!(game.position(pawn), centre(11, 2 * y), "pawn {y}");
    }
}

#[test]
fn agent_becomes_stepwise_by_its_first_step_and_free_again() {
    let (mut game, _) = Game::open(20, 5);
    let unit = game.ordered_agent((0, 0), 160.0, (15, 0));
    step_on(&mut game, unit, 1);
    step_on(&mut game, unit, 1);
    game.ticks(60);
    assert_eq!(game.position(unit), centre(2, 0));
    game.world_mut().entity_mut(unit).remove::<Stepwise>();
    game.run_until_quiet(300);
    assert_eq!(game.position(unit), centre(15, 0));
    // An event for a despawned entity has no effect.
    game.world_mut().despawn(unit);
    game.world_mut().commands().trigger(StepAgent { entity: unit, steps: 1 });
    game.tick();
}

#[test]
fn every_halt_is_explained() {
    let mut game = Game::new();
    let nothing = game.world_mut().spawn_empty().id();
    assert_eq!(game.why_not(nothing), Some(WhyNot::NoUnit));
    let unit = game.agent(0, 0, 160.0);
    assert_eq!(game.why_not(unit), Some(WhyNot::NoOrder));
    game.order_to(unit, 5, 0);
    assert_eq!(game.why_not(unit), Some(WhyNot::NoTick));
    game.tick();
    game.order_to(unit, 6, 0);
    assert_eq!(game.why_not(unit), Some(WhyNot::Queued));
    game.order_to(unit, 5, 0);
    game.tick();
    assert_eq!(game.why_not(unit), Some(WhyNot::WaitingForMap));
    let map = game.open_map(9, 3);
    game.world_mut().resource_mut::<TilepathSettings>().work_per_tick = 1;
    game.tick();
    assert_eq!(game.why_not(unit), Some(WhyNot::Searching));
    game.init_resource::<TilepathSettings>();
    game.insert_resource(TilepathSettings::default());
    game.tick();
    assert_eq!(game.why_not(unit), None);
    let set = |game: &mut Game, agent: PathAgent| {
        *game.world_mut().get_mut::<PathAgent>(unit).expect("it is one") = agent;
        game.tick();
    };
    set(&mut game, PathAgent { paused: true, ..default() });
    assert_eq!(game.why_not(unit), Some(WhyNot::Paused));
    set(&mut game, PathAgent { speed: 0.0.into(), ..default() });
    assert_eq!(game.why_not(unit), Some(WhyNot::NoSpeed));
    set(&mut game, PathAgent { speed: 160.0.into(), ..default() });
    assert_eq!(game.why_not(unit), None);
    (0..3).for_each(|y| game.set_terrain(map, 4, y, 0));
    game.world_mut().resource_mut::<TilepathSettings>().work_per_tick = 1;
    game.world_mut().entity_mut(unit).insert(PathRequest::to(Cell::new(5, 0)).or_wait());
    game.insert_resource(TilepathSettings::default());
    game.tick();
    assert_eq!(game.why_not(unit), Some(WhyNot::WaitingForWay(PathFailure::Unreachable)));
    game.world_mut().entity_mut(unit).insert(PathRequest::to(Cell::new(5, 0)));
    game.tick();
    assert_eq!(game.why_not(unit), Some(WhyNot::Failed(PathFailure::Unreachable)));
    game.order_to(unit, 0, 2);
    game.run_until_quiet(300);
    assert_eq!(game.why_not(unit), Some(WhyNot::Arrived));
    let flag = game.world_mut().spawn(Transform::from_translation(centre(1, 2).extend(0.0))).id();
    game.world_mut().entity_mut(unit).insert(PathRequest::to(flag).following());
    game.ticks(60);
    assert_eq!(game.why_not(unit), Some(WhyNot::AtGoal));
    for why in [WhyNot::AtGoal, WhyNot::Replanning, WhyNot::WaitingForWay(PathFailure::Unreachable)] {
        assert!(!why.to_string().is_empty());
    }
}
