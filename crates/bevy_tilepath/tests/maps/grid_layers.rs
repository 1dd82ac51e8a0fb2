//! Worlds of chunks without tiles: grids that are layers of a map.

use std::collections::BTreeMap;

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, NavGrid, NavLayer, NavMap, NavProjection, PathStatus,
    maps::{Lattice, MissingTile},
    tilepath::{Edit, Grid},
};
use rand::Rng;
use testkit::Seed;

use crate::harness::*;

const SIDE: u32 = 8;

fn chunked_map(game: &mut Game, lattice: Lattice) -> Entity {
    let projection = NavProjection::new(lattice, Vec2::splat(16.0), Vec2::ZERO);
    let rules = NavMap { missing_tile: MissingTile::Class(9), ..default() };
    game.world_mut().spawn((rules, projection, Transform::default())).id()
}

fn grid_of(game: &Game, map: Entity) -> &NavGrid {
    game.world().get::<NavGrid>(map).unwrap()
}

#[test]
fn grids_come_and_go_on_every_side() {
    for lattice in [Lattice::Square, Lattice::Staggered, Lattice::HexRowOdd] {
        let mut game = Game::new();
        let map = chunked_map(&mut game, lattice);
        let mut random = Seed::named("grid layers").generator();
        let mut present: BTreeMap<(i32, i32), (Entity, Grid)> = BTreeMap::new();
        for step in 0..60 {
            let place = (random.random_range(-4..4), random.random_range(-4..4));
            if let Some((layer, _)) = present.remove(&place) {
                game.world_mut().despawn(layer);
            } else {
                let mut grid = Grid::new(SIDE, SIDE, random.random_range(1..200)).unwrap();
                grid.edit(&[Edit::void(Cell::new(random.random_range(0..8), 3))]).unwrap();
                let layer = NavLayer::new(map).with_offset(IVec2::from(place) * SIDE as i32);
                let layer = game.world_mut().spawn((layer, NavGrid::new(grid.clone()))).id();
                present.insert(place, (layer, grid));
            }
            if let Some((layer, grid)) = present.values_mut().next() {
                let edits = [Edit::terrain(Cell::new(random.random_range(0..8), 5), step)];
                grid.edit(&edits).unwrap();
                game.world_mut().get_mut::<NavGrid>(*layer).unwrap().edit(&edits).unwrap();
            }
            game.tick();
            let expected: BTreeMap<Cell, u8> = present
                .iter()
                .flat_map(|(&(x, y), (_, grid))| {
                    let offset = (x * SIDE as i32, y * SIDE as i32);
                    grid.bounds().cells().map(move |cell| {
                        (Cell::new(cell.x + offset.0, cell.y + offset.1), grid.terrain(cell).unwrap_or(9))
                    })
                })
                .collect();
            let found: BTreeMap<Cell, u8> = grid_of(&game, map)
                .bounds()
                .cells()
                .filter_map(|cell| Some((cell, grid_of(&game, map).terrain(cell)?)))
                .collect();
            if !present.is_empty() {
                assert_eq!(found, expected, "{lattice:?}, step {step}");
            }
        }
    }
}

#[test]
fn grid_may_begin_at_any_cell_and_lie_over_another() {
    let mut game = Game::new();
    let map = chunked_map(&mut game, Lattice::Square);
    let ground = NavGrid::new(Grid::new(6, 2, 2).unwrap());
    game.world_mut().spawn((NavLayer::new(map), ground));
    let mut bridge = Grid::new(2, 2, 7).unwrap().with_origin(Cell::new(1, 0)).unwrap();
    bridge.edit(&[Edit::void(Cell::new(2, 1))]).unwrap();
    let layer = NavLayer::new(map).with_order(1).with_offset(IVec2::new(2, 0));
    let bridge = game.world_mut().spawn((layer, NavGrid::new(bridge))).id();
    game.tick();
    let row = |game: &Game, y| (0..6).map(|x| grid_of(game, map).terrain(Cell::new(x, y)).unwrap()).collect();
    let rows: [Vec<u8>; 2] = [row(&game, 0), row(&game, 1)];
    assert_eq!(rows, [[2, 2, 2, 7, 7, 2], [2, 2, 2, 7, 2, 2]]);
    // It is made larger.
    let larger = bevy_tilepath::tilepath::Bounds::new(Cell::new(1, 0), 3, 2).unwrap();
    game.world_mut().get_mut::<NavGrid>(bridge).unwrap().resize(larger, 7);
    game.tick();
    let upper: Vec<u8> = row(&game, 0);
    assert_eq!(upper, [2, 2, 2, 7, 7, 7]);
    game.world_mut().despawn(bridge);
    game.tick();
    let upper: Vec<u8> = row(&game, 0);
    assert_eq!(upper, [2; 6]);
}

#[test]
fn walker_crosses_to_a_grid_that_came_later_and_keeps_its_path_when_others_come() {
    let mut game = Game::new();
    let map = chunked_map(&mut game, Lattice::Square);
    let chunk = |game: &mut Game, x: i32, y: i32| {
        let layer = NavLayer::new(map).with_offset(IVec2::new(x, y) * SIDE as i32);
        game.world_mut().spawn((layer, NavGrid::new(Grid::new(SIDE, SIDE, 1).unwrap()))).id()
    };
    chunk(&mut game, 0, 0);
    chunk(&mut game, 1, 0);
    game.tick();
    let walker = game.ordered_agent((0, 0), CELL * 4.0, (15, 0));
    game.ticks(3);
    let found = game.path(walker).revision();
    chunk(&mut game, -1, 0);
    chunk(&mut game, 0, 1);
    game.ticks(3);
    assert_eq!(game.path(walker).revision(), found);
    game.run_until_quiet(400);
    assert_eq!(game.status(walker), PathStatus::Arrived);
}

#[test]
fn resize_of_a_map_that_layers_fill_is_undone_with_a_warning() {
    let mut game = Game::new();
    let map = chunked_map(&mut game, Lattice::Square);
    game.world_mut().spawn((NavLayer::new(map), NavGrid::new(Grid::new(SIDE, SIDE, 1).unwrap())));
    game.tick();
    let before = grid_of(&game, map).grid().clone();
    let logs = logs_of(|| {
        let smaller = bevy_tilepath::tilepath::Bounds::new(Cell::new(2, 2), 3, 3).unwrap();
        game.world_mut().get_mut::<NavGrid>(map).unwrap().resize(smaller, 5);
        game.tick();
    });
    assert!(logs.iter().any(|log| log.contains("NavGrid::resize changes the bounds of a map")), "{logs:?}");
    let after = grid_of(&game, map).grid();
    assert_eq!(after.bounds(), before.bounds());
    assert!(after.bounds().cells().all(|cell| after.terrain(cell) == before.terrain(cell)));
}
