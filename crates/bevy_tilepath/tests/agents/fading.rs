//! Overlays that fade replan only units that gain by it.

use bevy::prelude::*;
use bevy_tilepath::{AgentMovement, Cell, Movement, NavMap, PathRequest, maps::OverlayArea};

use crate::harness::*;

/// The values of an area that fades and comes back.
const FADE: [u16; 14] = [20, 16, 12, 9, 6, 4, 2, 1, 0, 20, 9, 4, 1, 0];
/// The ticks from one value to the next.
const FADING_TICKS: usize = 4;

/// Returns a game on a drawn map, for units that pay the overlay "danger".
fn careful_game(picture: &str) -> Game {
    let (mut game, map) = Game::drawn_as(picture);
    let mut rules = game.world_mut().get_mut::<NavMap>(map).expect("the map is there");
    *rules = rules.clone().with_movement("careful", Movement::new().with_overlay("danger"));
    game
}

fn careful_unit(game: &mut Game, start: (i32, i32), speed: f32, request: PathRequest) -> Entity {
    let unit = game.agent(start.0, start.1, speed);
    game.world_mut().entity_mut(unit).insert((AgentMovement::from("careful"), request));
    unit
}

fn danger(game: &mut Game, x: i32, y: i32, radius: f32) -> Entity {
    let place = Transform::from_translation(centre(x, y).extend(0.0));
    game.world_mut().spawn((OverlayArea::new("danger", FADE[0], radius), place)).id()
}

/// Lets an area fade. Returns the value, the replans and the searches of each tick.
fn fade(game: &mut Game, area: Entity) -> Vec<(u16, usize, usize)> {
    let mut seen = Vec::new();
    for value in FADE {
        game.world_mut().get_mut::<OverlayArea>(area).expect("the area is there").value = value;
        for _ in 0..FADING_TICKS {
            game.tick();
            let diagnostics = game.diagnostics();
            seen.push((value, diagnostics.replans, diagnostics.searches));
        }
    }
    seen
}

fn replans(told: &[(Entity, Told)], who: impl Fn(Entity) -> bool) -> usize {
    let is_replan = |told: &&(Entity, Told)| who(told.0) && matches!(told.1, Told::Replanned { .. });
    told.iter().filter(is_replan).count()
}

#[test]
fn danger_that_fades_far_from_all_paths_replans_and_searches_nothing() {
    let rows = vec![".".repeat(40); 24];
    let mut game = careful_game(&rows.join("\n"));
    let area = danger(&mut game, 20, 20, 3.0);
    game.tick();
    for row in 0..12 {
        for tolerance in [0.0, 0.1] {
            let request = PathRequest::to_cell(Cell::new(39, row)).with_tolerance(tolerance);
            careful_unit(&mut game, (0, row), 160.0, request);
        }
    }
    game.tick();
    assert_eq!(game.diagnostics().following, 24);
    game.told();
    let seen = fade(&mut game, area);
    assert!(seen.iter().all(|&(_, replans, searches)| replans + searches == 0), "{seen:?}");
    assert_eq!(game.diagnostics().following, 24, "all of them still walk");
    assert_eq!(replans(&game.told(), |_| true), 0);
}

#[test]
fn danger_that_fades_under_all_paths_alike_replans_nobody() {
    let rows = vec![".".repeat(40); 8];
    let mut game = careful_game(&rows.join("\n"));
    // It covers the whole map.
    let area = danger(&mut game, 20, 4, 80.0);
    game.tick();
    for row in 0..8 {
        for tolerance in [0.0, 0.1] {
            let request = PathRequest::to_cell(Cell::new(39, row)).with_tolerance(tolerance);
            careful_unit(&mut game, (0, row), 160.0, request);
        }
    }
    game.tick();
    game.told();
    let seen = fade(&mut game, area);
    assert!(seen.iter().all(|&(_, replans, _)| replans == 0), "{seen:?}");
    assert_eq!(replans(&game.told(), |_| true), 0);
}

#[test]
fn danger_that_fades_in_a_gate_replans_the_unit_that_gains_more_than_it_tolerates() {
    let mut game = careful_game(
        "
        ....................
        ..........#.........
        ..........#.........
        ..........#.........
        ..........#.........
        ....................
        ",
    );
    let area = danger(&mut game, 10, 5, 0.0);
    game.tick();
    let to_gate = |tolerance| PathRequest::to_cell(Cell::new(19, 5)).with_tolerance(tolerance);
    // The path around costs 230. The path through the gate costs 190 and 10 for each value.
    let strict = careful_unit(&mut game, (0, 5), 0.5, to_gate(0.1));
    let patient = careful_unit(&mut game, (0, 5), 0.5, to_gate(0.25));
    let below: Vec<Entity> = (0..8)
        .map(|x| {
            careful_unit(&mut game, (x, 0), 0.5, PathRequest::to_cell(Cell::new(19, 0)).with_tolerance(0.0))
        })
        .collect();
    game.tick();
    game.told();
    let mut replanned = Vec::new();
    for (value, replans, _) in fade(&mut game, area) {
        if replans > 0 {
            replanned.push((value, replans));
        }
    }
    let told = game.told();
    assert_eq!(replans(&told, |unit| below.contains(&unit)), 0);
    assert_eq!(replans(&told, |unit| unit == patient), 0);
    // It goes through the gate at value 1, around at value 20, and through the gate again.
    assert_eq!(replanned, [(1, 1), (20, 1), (1, 1)]);
    assert_eq!(replans(&told, |unit| unit == strict), 3);
}
