//! Units that walk over chunks while these change, come and go.

use std::collections::VecDeque;

use bevy::prelude::*;
use bevy_tilepath::{Cell, NavGrid, NavLayer, NavMap, PathRequest, PathStatus};

use super::{Chunks, bring_what_draws, parts_of, table};
use crate::harness::*;

/// A chunk of 20 by 5 tiles, and a unit that walks along its middle row.
fn walk() -> (Game, Entity, Entity) {
    let mut game = Game::new();
    let map = game.chunk_map(&[".".repeat(20).as_str(); 5].join("\n"));
    let unit = game.ordered_agent((0, 2), 160.0, (19, 2));
    game.tick();
    assert_eq!(game.words_of(unit), "found (19, 2) for 190");
    (game, map, unit)
}

#[test]
fn wall_on_the_path_is_walked_around_from_its_tick_on() {
    let (mut game, map, unit) = walk();
    game.set_tile(map, 10, 2, '#');
    game.tick();
    assert_eq!(game.words_of(unit), "blocked at (10, 2), replanned to (19, 2) for 198");
    assert!(!game.cell_path(unit).cells().contains(&Cell::new(10, 2)));
    game.run_until_quiet(300);
    assert_eq!(game.position(unit), centre(19, 2));
}

#[test]
fn wall_of_the_tick_of_the_order_is_known() {
    let (mut game, map, unit) = walk();
    for y in 0..5 {
        game.set_tile(map, 5, y, '#');
    }
    game.order_to(unit, 18, 2);
    game.tick();
    assert_eq!(game.status(unit), PathStatus::Failed(bevy_tilepath::PathFailure::Unreachable));
}

#[test]
fn edits_elsewhere_plan_nothing_again() {
    let (mut game, map, unit) = walk();
    for step in 0..40 {
        // A wall below the path, and expensive ground above it.
        let is_even = step % 2 == 0;
        game.set_tile(map, 10 + step / 2 % 3, 0, if is_even { '#' } else { '.' });
        game.set_tile(map, 4 + step / 2 % 5, 4, if is_even { '9' } else { '.' });
        let before = game.world().get::<NavGrid>(map).unwrap().grid().revision();
        game.tick();
        assert_ne!(game.world().get::<NavGrid>(map).unwrap().grid().revision(), before);
        assert_eq!(game.diagnostics().work, 0, "step {step}");
        if !game.is_ordered(unit) {
            break;
        }
    }
    game.run_until_quiet(300);
    assert_eq!(game.words_of(unit), "arrived at (19, 2)");
}

#[test]
fn data_written_whole_again_plans_nothing_again() {
    let (mut game, map, unit) = walk();
    while game.is_ordered(unit) {
        let (chunk, tiles) = parts_of(&[".".repeat(20).as_str(); 5].join("\n"));
        game.world_mut().entity_mut(map).insert((chunk, tiles));
        game.tick();
        assert_eq!(game.diagnostics().work, 0);
    }
    assert_eq!(game.words_of(unit), "arrived at (19, 2)");
}

#[test]
fn chunks_appear_before_a_unit_and_vanish_behind_it() {
    const LENGTH: i32 = 6;
    let mut game = Game::new();
    bring_what_draws(&mut game);
    let map = game.world_mut().spawn((NavMap::default(), Transform::default())).id();
    let spawn = |game: &mut Game, number: i32| {
        let picture = "......\n...#..\n......";
        let (chunk, tiles) = parts_of(picture);
        // The lower left corner of chunk 0 is the origin.
        let corner = Vec2::new((number * LENGTH) as f32, 0.0) * CELL;
        let place = corner + (chunk.chunk_size * chunk.tile_display_size).as_vec2() / 2.0;
        let layer = NavLayer::new(map).with_offset(IVec2::new(number * LENGTH, 0));
        game.world_mut()
            .spawn((chunk, tiles, table(), layer, Transform::from_translation(place.extend(0.0))))
            .id()
    };
    let mut chunks: VecDeque<Entity> = (0..3).map(|number| spawn(&mut game, number)).collect();
    let unit = game.agent(0, 1, 320.0);
    let goal = |number: i32| Cell::new((number + 1) * LENGTH - 1, 1);
    let (mut seen, mut generations) = (0, Vec::new());
    for number in 3..12 {
        // The order stays: only the chunks around the path change while the unit walks.
        game.order(unit, PathRequest::to_cell(goal(number - 1)));
        game.tick();
        chunks.push_back(spawn(&mut game, number));
        game.tick_until(200, |game| game.cell_at(unit).x >= (number - 2) * LENGTH);
        game.world_mut().despawn(chunks.pop_front().unwrap());
        game.run_until_quiet(300);
        assert_eq!(game.position(unit), centre(goal(number - 1).x, 1));
        let told = game.told_of(unit);
        assert!(!told.iter().any(|told| matches!(told, Told::Replanned { .. } | Told::Lost(_))), "{told:?}");
        seen += told.len();
        let grid = game.world().get::<NavGrid>(map).unwrap();
        assert_eq!(grid.terrain(Cell::new((number - 3) * LENGTH, 0)), None, "the chunk has left a void");
        generations.push(grid.generation());
    }
    assert_eq!(seen, 9 * 2, "nine orders were found and arrived");
    generations.dedup();
    assert_eq!(generations.len(), 1, "the grid was replaced");
}

#[test]
fn chunk_under_the_path_that_vanishes_ends_the_journey() {
    let mut game = Game::new();
    let map = game.world_mut().spawn((NavMap::default(), Transform::default())).id();
    let near = game.chunk("......");
    game.world_mut().entity_mut(near).insert(NavLayer::new(map));
    let far = game.chunk("......");
    let place = Transform::from_xyz(9.0 * CELL, CELL / 2.0, 0.0);
    game.world_mut().entity_mut(far).insert((NavLayer::new(map).with_offset(IVec2::new(6, 0)), place));
    let unit = game.ordered_agent((0, 0), 16.0, (11, 0));
    game.ticks(5);
    assert_eq!(game.words_of(unit), "found (11, 0) for 110");
    game.world_mut().despawn(far);
    game.tick();
    assert!(matches!(game.told_of(unit)[..], [.., Told::Lost(_)]));
    assert!(!game.is_ordered(unit));
}
