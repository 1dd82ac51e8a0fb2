//! Maps without tiles that grow and shrink under units, obstacles and areas.

use bevy::prelude::*;
use bevy_tilepath::{
    Body, Cell, Movement, NavGrid, NavMap, Obstacle, PathStatus,
    maps::OverlayArea,
    tilepath::{Bounds, Grid},
};
use rand::Rng;
use testkit::Seed;

use crate::harness::*;

fn bounds(x: i32, y: i32, width: u32, height: u32) -> Bounds {
    Bounds::new(Cell::new(x, y), width, height).unwrap()
}

fn resize(game: &mut Game, map: Entity, bounds: Bounds, class: Option<u8>) -> bool {
    game.world_mut().get_mut::<NavGrid>(map).unwrap().resize(bounds, class)
}

#[test]
fn map_that_grows_and_shrinks_under_200_walkers_loses_no_order_and_moves_no_unit() {
    for are_bodies in [false, true] {
        let (mut game, map) = Game::open(64, 64);
        let mut random = Seed::named("resizes").generator();
        let units: Vec<Entity> = (0..200)
            .map(|n| {
                let unit = game.agent(2 * (n % 32), 2 * (n / 32), 64.0);
                if are_bodies {
                    game.world_mut().entity_mut(unit).insert(Body::default());
                }
                unit
            })
            .collect();
        game.tick();
        for (n, &unit) in (0..).zip(&units) {
            game.order_to(unit, 2 * (n % 32), 40 + 2 * (n / 32));
        }
        game.tick();
        let mut ticks = 0;
        while units.iter().any(|&unit| game.status(unit) != PathStatus::Arrived) && ticks < 3000 {
            ticks += 1;
            let before: Vec<Vec2> = units.iter().map(|&unit| game.position(unit)).collect();
            if ticks % 7 == 0 && ticks < 400 {
                let mut side = || random.random_range(0..40_u32);
                let (west, south, east, north) = (side(), side(), side(), side());
                let grown = bounds(-(west as i32), -(south as i32), 64 + west + east, 64 + south + north);
                assert!(resize(&mut game, map, grown, Some(1)));
                for (&unit, before) in units.iter().zip(&before) {
                    assert_eq!(game.position(unit), *before);
                }
            }
            game.tick();
            for (&unit, before) in units.iter().zip(before) {
                // 64 world units a second, in 64 ticks.
                assert!(game.position(unit).distance(before) < 2.5, "tick {ticks}: {unit} jumps");
                assert!(
                    !matches!(game.status(unit), PathStatus::Failed(_) | PathStatus::Idle),
                    "tick {ticks}"
                );
            }
        }
        assert!(ticks < 3000, "all have arrived");
    }
}

#[test]
fn cells_under_obstacles_and_areas_that_leave_and_come_back_within_a_tick_stay_closed_and_dear() {
    let mut game = Game::new();
    let careful = Movement::new().with_overlay("danger");
    let rules = NavMap::default().with_movement("careful", careful).with_movement("cart", Movement::new());
    let map = game.world_mut().spawn((rules, NavGrid::new(Grid::new(8, 1, 1).unwrap()))).id();
    let house = game.world_mut().spawn((Obstacle::default(), Transform::from_xyz(6.0, 0.0, 0.0))).id();
    let gate = Obstacle::default().blocks_only(["cart"]);
    game.world_mut().spawn((gate, Transform::from_xyz(7.0, 0.0, 0.0)));
    game.world_mut().spawn((OverlayArea::new("danger", 3, 1.0), Transform::from_xyz(7.0, 0.0, 0.0)));
    game.tick();
    let before = game.world().get::<NavGrid>(map).unwrap().grid().clone();
    assert_eq!(before.overlay_cells("danger").count(), 2);
    resize(&mut game, map, bounds(0, 0, 3, 1), None);
    assert_eq!(game.world().get::<NavGrid>(map).unwrap().terrain(Cell::new(6, 0)), None);
    resize(&mut game, map, bounds(0, 0, 8, 1), Some(1));
    game.tick();
    assert_eq!(*game.world().get::<NavGrid>(map).unwrap().grid(), before);
    game.world_mut().despawn(house);
    game.tick();
    assert_eq!(game.world().get::<NavGrid>(map).unwrap().terrain(Cell::new(6, 0)), Some(1));
}

#[test]
fn lost_goal_fails_its_order_and_unit_on_lost_cell_keeps_its_place() {
    let (mut game, map) = Game::open(20, 3);
    let walker = game.ordered_agent((0, 1), CELL * 4.0, (18, 1));
    let lost = game.agent(19, 0, CELL * 4.0);
    game.ticks(5);
    let place = game.position(lost);
    resize(&mut game, map, bounds(0, 0, 10, 3), Some(1));
    game.ticks(3);
    assert!(matches!(game.status(walker), PathStatus::Failed(_)), "{:?}", game.status(walker));
    assert_eq!(game.position(lost), place);
}

#[test]
fn resize_tells_whether_the_bounds_changed() {
    let mut grid = NavGrid::new(Grid::new(4, 4, 1).unwrap());
    assert!(!grid.resize(bounds(0, 0, 4, 4), 2));
    assert!(grid.resize(bounds(-1, 0, 5, 4), 2));
    assert_eq!((grid.terrain(Cell::new(-1, 3)), grid.terrain(Cell::new(0, 3))), (Some(2), Some(1)));
    assert!(grid.resize(bounds(0, 0, 6, 4), None));
    assert_eq!(grid.terrain(Cell::new(5, 0)), None);
}
