//! Bodies on a map that grows, or whose grid is replaced.

use bevy::prelude::*;
use bevy_tilepath::{Cell, NavGrid, PathStatus, tilepath::Grid};

use super::bodies::least_distance;
use crate::harness::*;

/// Replaces the grid of a map by a copy that has `more` extra columns on the left and on the right.
fn replace(game: &mut Game, map: Entity, more: i32) {
    let old = game.world().get::<NavGrid>(map).expect("the map has a grid").grid().clone();
    let origin = old.origin();
    let (width, height) = (old.bounds().width() + 2 * more as u32, old.bounds().height());
    let grid = Grid::new(width, height, 1).expect("the map is small");
    let mut grid = grid.with_origin(Cell::new(origin.x - more, origin.y)).expect("it is near");
    for cell in old.bounds().cells() {
        let class = old.terrain(cell).expect("the cell is on the map");
        grid.set_terrain(cell, class).expect("it has grown");
    }
    game.world_mut().entity_mut(map).insert(NavGrid::new(grid));
}

#[test]
fn bodies_walk_on_when_their_map_grows_or_its_grid_is_replaced() {
    for more in [0, 3] {
        let (mut game, map) = Game::open(40, 12);
        let all: Vec<Entity> = (0..6).map(|n| game.body(2, 2 * n, 48.0)).collect();
        for (n, &one) in (0..).zip(&all) {
            game.order_to(one, 30, 2 * n);
        }
        let mut ticks = 0;
        while all.iter().any(|&one| game.is_ordered(one)) && ticks < 1200 {
            if ticks % 9 == 5 && ticks < 90 {
                replace(&mut game, map, more);
            }
            let before: Vec<f32> = all.iter().map(|&one| game.position(one).x).collect();
            game.tick();
            ticks += 1;
            for (&one, x) in all.iter().zip(before) {
                assert!(game.position(one).x >= x, "tick {ticks}: a body walks backwards");
            }
        }
        assert_eq!(game.body_news().arrived.len(), all.len(), "{more} more columns, after {ticks} ticks");
        // 28 cells of 16 world units take 597 ticks at 48 world units a second. Each new grid may
        // cost some more ticks.
        assert!(ticks < 700, "{more} more columns: {ticks} ticks");
    }
}

#[test]
fn a_crowd_keeps_its_distance_while_its_grid_is_replaced() {
    let (mut game, map) = Game::open(20, 20);
    let all: Vec<Entity> = (0..30).map(|n| game.body(n % 20, 3 * (n / 20), 64.0)).collect();
    for round in 0..300 {
        for (n, &one) in (0..).zip(&all) {
            if !game.is_ordered(one) {
                game.order_to(one, (n * 7 + round) % 20, (n * 3 + 2 * round) % 20);
            }
        }
        if round % 9 == 0 {
            replace(&mut game, map, 1);
        }
        game.tick();
        let least = least_distance(&game, &all);
        assert!(least > 0.7, "{least} cells apart in round {round}");
    }
}

#[test]
fn one_at_rest_that_was_pushed_goes_home_although_the_map_has_grown() {
    let (mut game, map) = Game::drawn_as(
        "
        #####.####
        ..........
        ",
    );
    let idle = game.body(5, 0, 64.0);
    game.tick();
    let walker = game.body(0, 0, 64.0);
    game.order_to(walker, 9, 0);
    for round in 0..600 {
        if round % 20 == 3 {
            replace(&mut game, map, 1);
        }
        game.tick();
    }
    assert_eq!(game.status(walker), PathStatus::Arrived);
    assert_eq!(game.cell_at(idle), Cell::new(5, 0));
}
