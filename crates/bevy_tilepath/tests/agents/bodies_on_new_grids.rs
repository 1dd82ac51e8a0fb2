//! Bodies on a map that grows, or whose grid is replaced.

use bevy::prelude::*;
use bevy_tilepath::{Cell, NavGrid, PathStatus, tilepath::Grid};

use super::{
    bodies::{body, body_app, cell_at, heard, least_distance},
    fixtures::*,
};
use crate::harness::tick;

/// The grid of a map again, as another one, with so many more columns to the left and to the right.
fn replace(app: &mut App, map: Entity, more: i32) {
    let old = app.world().get::<NavGrid>(map).expect("the map has a grid").grid().clone();
    let origin = old.origin();
    let (width, height) = (old.bounds().width() + 2 * more as u32, old.bounds().height());
    let grid = Grid::new(width, height, 1).expect("the map is small");
    let mut grid = grid.with_origin(Cell::new(origin.x - more, origin.y)).expect("it is near");
    for cell in old.bounds().cells() {
        let class = old.terrain(cell).expect("the cell is on the map");
        grid.set_terrain(cell, class).expect("it has grown");
    }
    app.world_mut().entity_mut(map).insert(NavGrid::new(grid));
}

#[test]
fn bodies_walk_on_when_their_map_grows_or_its_grid_is_replaced() {
    for more in [0, 3] {
        let mut app = body_app();
        let map = open_map(&mut app, 40, 12);
        let all: Vec<Entity> = (0..6).map(|n| body(&mut app, 2, 2 * n, 48.0)).collect();
        for (n, &one) in (0..).zip(&all) {
            order(&mut app, one, 30, 2 * n);
        }
        let mut ticks = 0;
        while all.iter().any(|&one| is_ordered(&app, one)) && ticks < 1200 {
            if ticks % 9 == 5 && ticks < 90 {
                replace(&mut app, map, more);
            }
            let before: Vec<f32> = all.iter().map(|&one| position(&app, one).x).collect();
            tick(&mut app);
            ticks += 1;
            for (&one, x) in all.iter().zip(before) {
                assert!(position(&app, one).x >= x, "tick {ticks}: one walks backwards");
            }
        }
        assert_eq!(heard(&app).arrived.len(), all.len(), "more {more}, after {ticks} ticks");
        // 28 cells of 16 at 48 a second take 597 ticks; each new grid may cost some.
        assert!(ticks < 700, "more {more}: {ticks} ticks");
    }
}

#[test]
fn a_crowd_keeps_its_distance_while_its_grid_is_replaced() {
    let mut app = body_app();
    let map = open_map(&mut app, 20, 20);
    let all: Vec<Entity> = (0..30).map(|n| body(&mut app, n % 20, 3 * (n / 20), 64.0)).collect();
    for round in 0..300 {
        for (n, &one) in (0..).zip(&all) {
            if !is_ordered(&app, one) {
                order(&mut app, one, (n * 7 + round) % 20, (n * 3 + 2 * round) % 20);
            }
        }
        if round % 9 == 0 {
            replace(&mut app, map, 1);
        }
        tick(&mut app);
        let least = least_distance(&app, &all);
        assert!(least > 0.7, "{least} cells apart in round {round}");
    }
}

#[test]
fn one_at_rest_that_was_pushed_goes_home_although_the_map_has_grown() {
    let mut app = body_app();
    let map = map(
        &mut app,
        "
        #####.####
        ..........
        ",
    );
    let idle = body(&mut app, 5, 0, 64.0);
    tick(&mut app);
    let walker = body(&mut app, 0, 0, 64.0);
    order(&mut app, walker, 9, 0);
    for round in 0..600 {
        if round % 20 == 3 {
            replace(&mut app, map, 1);
        }
        tick(&mut app);
    }
    assert_eq!(status(&app, walker), PathStatus::Arrived);
    assert_eq!(cell_at(&app, idle), Cell::new(5, 0));
}
