//! All nine types of tilemap: the places of tiles, and the cells that are read from them.

use std::collections::HashMap;

use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::{TilemapAnchor as Anchor, *};
use bevy_tilepath::{
    Cell, Cost, Diagonals, Movement, NavGrid, NavLayer, NavMap, NavProjection, NavQuery, Obstacle, Terrain,
    maps::{Lattice, lattice_of},
    tilepath::{PathFinder, RangeQuery},
};
use rand::{Rng, seq::IndexedRandom};
use testkit::{Seed, tile_middle, tiles_touch};

use crate::harness::*;

const SIZE: TilemapSize = TilemapSize { x: 6, y: 5 };
const GRID_SIZE: TilemapGridSize = TilemapGridSize { x: 20.0, y: 14.0 };
const TILE_SIZE: TilemapTileSize = TilemapTileSize { x: 20.0, y: 18.0 };

fn places() -> impl Iterator<Item = TilePos> {
    (0..SIZE.y).flat_map(|y| (0..SIZE.x).map(move |x| TilePos::new(x, y)))
}

/// Spawns a tilemap. The class of its tile (x, y) is 1 + x + 6 y.
fn numbered(game: &mut Game, tilemap_type: TilemapType, anchor: Anchor) -> Entity {
    let map = game
        .world_mut()
        .spawn((NavMap::default(), SIZE, GRID_SIZE, TILE_SIZE, tilemap_type, anchor, Transform::default()))
        .id();
    for place in places() {
        game.spawn_tile(map, place, Some(class_of(place)));
    }
    map
}

fn class_of(place: TilePos) -> u8 {
    (1 + place.x + SIZE.x * place.y) as u8
}

fn cell_of(tilemap_type: TilemapType, place: TilePos) -> Cell {
    lattice_of(tilemap_type).cell_of((place.x as i32, place.y as i32))
}

#[test]
fn tiles_lie_where_they_are_drawn_by_any_type_anchor_and_parent() {
    let anchors = [
        Anchor::None,
        Anchor::Center,
        Anchor::BottomLeft,
        Anchor::BottomCenter,
        Anchor::BottomRight,
        Anchor::CenterLeft,
        Anchor::CenterRight,
        Anchor::TopLeft,
        Anchor::TopCenter,
        Anchor::TopRight,
        Anchor::Custom(Vec2::new(0.1, -0.2)),
    ];
    let parents = [
        Transform::IDENTITY,
        Transform::from_xyz(7.0, 5.0, 0.0)
            .with_rotation(Quat::from_rotation_z(0.6))
            .with_scale(Vec3::new(2.0, 0.5, 1.0)),
        Transform::from_xyz(-300.0, 80.0, 0.0).with_scale(Vec3::new(-1.5, 1.5, 1.0)),
    ];
    let mut random = Seed::named("lattices").generator();
    let mut compared = 0;
    for (tilemap_type, anchor) in TYPES.into_iter().flat_map(|t| anchors.map(|anchor| (t, anchor))) {
        let mut game = Game::new();
        let map = numbered(&mut game, tilemap_type, anchor);
        let parent = game.world_mut().spawn(Transform::default()).id();
        game.world_mut().entity_mut(map).insert((ChildOf(parent), Transform::from_xyz(3.0, -4.0, 1.0)));
        for parent_place in parents {
            game.world_mut().entity_mut(parent).insert(parent_place);
            game.tick();
            let projection = *game.world().get::<NavProjection>(map).unwrap();
            let world_of = |local: Vec2| {
                parent_place.transform_point((local + Vec2::new(3.0, -4.0)).extend(0.0)).truncate()
            };
            for place in places() {
                let cell = cell_of(tilemap_type, place);
                let local = place.center_in_world(&SIZE, &GRID_SIZE, &TILE_SIZE, &tilemap_type, &anchor);
                assert!(projection.position_of(cell).distance(local) < 1e-3, "{tilemap_type:?} {anchor:?}");
                assert!(projection.world_position_of(cell).distance(world_of(local)) < 2e-3);
                assert_eq!(projection.cell_at_world(world_of(local)), Some(cell));
                assert!(projection.corners_of(cell).count() > 3);
            }
            // Positions anywhere on the map, but not on borders, where rounding decides.
            for _ in 0..60 {
                let place = places().collect::<Vec<_>>().choose(&mut random).copied().unwrap();
                let centre = place.center_in_world(&SIZE, &GRID_SIZE, &TILE_SIZE, &tilemap_type, &anchor);
                let local = centre
                    + Vec2::new(random.random_range(-1.0..1.0), random.random_range(-1.0..1.0))
                        * Vec2::from(GRID_SIZE);
                let by_tilemap = |local: Vec2| {
                    TilePos::from_world_pos(&local, &SIZE, &GRID_SIZE, &TILE_SIZE, &tilemap_type, &anchor)
                };
                let around = [(0.01, 0.0), (-0.01, 0.0), (0.0, 0.01), (0.0, -0.01)];
                let there = by_tilemap(local);
                if around.iter().any(|&(x, y)| by_tilemap(local + Vec2::new(x, y)) != there) {
                    continue;
                }
                let cell = projection.cell_at_world(world_of(local)).unwrap();
                let (x, y) = projection.lattice().tile_of(cell);
                let on_map = TilePos::from_i32_pair(x, y, &SIZE);
                assert_eq!(on_map, there, "{tilemap_type:?} {anchor:?} {local}");
                compared += 1;
            }
        }
    }
    assert!(compared > 5000, "{compared} points");
}

/// Returns the grid size at which one unit of [`tile_middle`] is one world unit.
fn grid_size_of_oracle(lattice: Lattice) -> TilemapGridSize {
    let narrow = 2.0 / 0.75;
    match lattice.name() {
        name if name.starts_with("hex-row") => TilemapGridSize::new(2.0, narrow),
        name if name.starts_with("hex-column") => TilemapGridSize::new(narrow, 2.0),
        _ => TilemapGridSize::new(2.0, 2.0),
    }
}

#[test]
fn one_step_leads_to_the_tiles_that_touch() {
    for (tilemap_type, (columns, rows)) in
        TYPES.into_iter().flat_map(|t| [(4, 5), (5, 4), (6, 6), (5, 5)].map(|size| (t, size)))
    {
        let lattice = lattice_of(tilemap_type);
        let (size, grid_size) = (TilemapSize::new(columns, rows), grid_size_of_oracle(lattice));
        let tile_size = TilemapTileSize::new(grid_size.x, grid_size.y);
        let mut game = Game::new();
        let components = (NavMap::default(), size, grid_size, tile_size, tilemap_type, Transform::default());
        let map = game.world_mut().spawn(components).id();
        let tiles: Vec<(i32, i32)> =
            (0..rows as i32).flat_map(|y| (0..columns as i32).map(move |x| (x, y))).collect();
        let place_of = |(x, y): (i32, i32)| TilePos::new(x as u32, y as u32);
        for &tile in &tiles {
            game.spawn_tile(map, place_of(tile), Some(1));
        }
        game.tick();

        let drawn = |tile| {
            place_of(tile).center_in_world(&size, &grid_size, &tile_size, &tilemap_type, &Anchor::None)
        };
        let middle = |tile| {
            let (right, up) = tile_middle(lattice.name(), tile);
            Vec2::new(right as f32, up as f32)
        };
        for &tile in &tiles {
            let [by_crate, by_oracle] = [drawn(tile) - drawn((0, 0)), middle(tile) - middle((0, 0))];
            assert!(by_crate.distance(by_oracle) < 1e-4, "{lattice}: {tile:?} {by_crate} {by_oracle}");
        }

        let projection = game.world().get::<NavProjection>(map).unwrap();
        assert_eq!(projection.lattice(), lattice);
        let grid = game.world().get::<NavGrid>(map).unwrap().grid().clone();
        let finder = PathFinder::new(grid, Movement::new().with_diagonals(Diagonals::Always));
        for &tile in &tiles {
            let start = projection.cell_at(drawn(tile)).unwrap();
            let range = finder.solve_range(&RangeQuery::new(start, Cost::new(14))).unwrap();
            let cells = range.cells().iter().map(|reached| reached.cell).filter(|&cell| cell != start);
            let mut found: Vec<(i32, i32)> = cells.map(|cell| lattice.tile_of(cell)).collect();
            found.sort_unstable_by_key(|&(x, y)| (y, x));
            let touch = |other: &&(i32, i32)| tiles_touch(lattice.name(), tile, **other);
            let touching: Vec<(i32, i32)> = tiles.iter().filter(touch).copied().collect();
            assert_eq!(found, touching, "{lattice}, {columns} by {rows}: from {tile:?}");
        }
    }
}

#[test]
fn every_tile_is_read_and_the_rest_of_the_rectangle_is_void() {
    for tilemap_type in TYPES {
        let mut game = Game::new();
        let map = numbered(&mut game, tilemap_type, Anchor::None);
        game.tick();
        let classes: HashMap<Cell, u8> =
            places().map(|place| (cell_of(tilemap_type, place), class_of(place))).collect();
        let grid = game.world().get::<NavGrid>(map).unwrap();
        assert_eq!(grid.grid().topology(), lattice_of(tilemap_type).topology());
        for cell in grid.bounds().cells() {
            assert_eq!(grid.terrain(cell), classes.get(&cell).copied(), "{tilemap_type:?} {cell}");
        }

        // Tiles change, move and disappear, one by one.
        let generation = grid.generation();
        let tile = game.world_mut().query::<(Entity, &TilePos)>().iter(game.world()).next().unwrap().0;
        let place = *game.world().get::<TilePos>(tile).unwrap();
        game.world_mut().get_mut::<Terrain>(tile).unwrap().0 = 99;
        game.tick();
        let terrain = |game: &Game, place| {
            game.world().get::<NavGrid>(map).unwrap().terrain(cell_of(tilemap_type, place))
        };
        assert_eq!(terrain(&game, place), Some(99));
        let other = TilePos::new(4, 3);
        *game.world_mut().get_mut::<TilePos>(tile).unwrap() = other;
        game.tick();
        assert_eq!((terrain(&game, place), terrain(&game, other)), (Some(0), Some(99)));
        game.world_mut().despawn(tile);
        game.tick();
        assert_eq!((terrain(&game, place), terrain(&game, other)), (Some(0), Some(class_of(other))));
        assert_eq!(game.world().get::<NavGrid>(map).unwrap().generation(), generation);
    }
}

#[test]
fn a_type_that_changes_is_read_again() {
    let mut game = Game::new();
    let map = numbered(&mut game, TilemapType::Square, Anchor::None);
    for tilemap_type in TYPES.into_iter().chain([TilemapType::Square]) {
        game.world_mut().entity_mut(map).insert(tilemap_type);
        let logs = logs_of(|| game.tick());
        assert_eq!(logs, Vec::<String>::new());
        let grid = game.world().get::<NavGrid>(map).unwrap();
        for place in places() {
            assert_eq!(grid.terrain(cell_of(tilemap_type, place)), Some(class_of(place)), "{tilemap_type:?}");
        }
        let count = grid.bounds().cells().filter(|&cell| grid.terrain(cell).is_some()).count();
        assert_eq!(count, (SIZE.x * SIZE.y) as usize);
    }
}

#[test]
fn questions_take_tiles_of_any_type() {
    for tilemap_type in TYPES {
        let mut game = Game::new();
        let map = numbered(&mut game, tilemap_type, Anchor::Center);
        game.tick();
        let (from, to) = (TilePos::new(0, 4), TilePos::new(5, 0));
        game.world_mut()
            .run_system_once(move |nav: NavQuery| {
                let path = nav.only_map().unwrap().find(from, to).unwrap().outcome.into_path().unwrap();
                assert_eq!(path.start(), cell_of(tilemap_type, from));
                assert_eq!(path.goal(), cell_of(tilemap_type, to));
                let middle = nav.map(map).unwrap().world_of(path.goal()).unwrap();
                assert_eq!(
                    nav.map_at(middle).map(|(under, cell)| (under.entity(), cell)),
                    Some((map, path.goal()))
                );
            })
            .unwrap();
    }
}

#[test]
fn point_beside_the_tiles_of_a_staircase_has_no_tile() {
    let mut game = Game::new();
    let map = numbered(&mut game, TYPES[2], Anchor::None);
    game.tick();
    game.world_mut()
        .run_system_once(move |nav: NavQuery| {
            let view = nav.map(map).unwrap();
            let bounds = view.grid().bounds();
            let places = |cell: Cell| view.projection().world_position_of(cell);
            let is_there = |cell: Cell| {
                nav.map_at(places(cell)).is_some_and(|(under, at)| (under.entity(), at) == (map, cell))
            };
            let tiles = bounds.cells().filter(|&cell| is_there(cell)).count();
            assert_eq!(tiles, (SIZE.x * SIZE.y) as usize);
            assert!(bounds.cell_count() > tiles, "the bounds are larger than the staircase");
            assert!(
                bounds
                    .cells()
                    .all(|cell| view.world_of(cell).is_some() == (view.cell_at(places(cell)) == Some(cell)))
            );
        })
        .unwrap();
}

/// Returns whether a point lies in a placed rectangle whose half sides are shorter by `by`.
fn is_within(point: Vec2, place: &Transform, half: Vec2, by: f32) -> bool {
    let off = (place.rotation.inverse() * (point.extend(0.0) - place.translation)).truncate().abs();
    off.x < half.x - by && off.y < half.y - by
}

#[test]
fn obstacles_block_the_cells_that_they_cover() {
    let mut random = Seed::named("obstacles").generator();
    for tilemap_type in TYPES {
        let mut game = Game::new();
        let map = game
            .world_mut()
            .spawn((NavMap::default(), SIZE, GRID_SIZE, TILE_SIZE, tilemap_type, Transform::default()))
            .id();
        for place in places() {
            game.spawn_tile(map, place, Some(1));
        }
        let building = game.world_mut().spawn((Obstacle::default(), Transform::default())).id();
        let mut blocked = 0;
        for _ in 0..40 {
            let half = Vec2::new(random.random_range(1.0..30.0), random.random_range(1.0..30.0));
            let place =
                Transform::from_xyz(random.random_range(0.0..120.0), random.random_range(-40.0..60.0), 0.0)
                    .with_rotation(Quat::from_rotation_z(random.random_range(0.0..3.0)));
            game.world_mut().entity_mut(building).insert((Obstacle { size: half * 2.0, ..default() }, place));
            game.tick();
            let projection = *game.world().get::<NavProjection>(map).unwrap();
            let grid = game.world().get::<NavGrid>(map).unwrap();
            for tile in places() {
                let cell = cell_of(tilemap_type, tile);
                let corners: Vec<Vec2> = projection.corners_of(cell).collect();
                let centre = projection.position_of(cell);
                // Points all over the cell, computed from its corners.
                let points = (0..corners.len()).flat_map(|n| {
                    let (one, other) = (corners[n], corners[(n + 1) % corners.len()]);
                    (0..=20).flat_map(move |a| {
                        (0..=20 - a).map(move |b| {
                            centre + (one - centre) * (a as f32 / 20.0) + (other - centre) * (b as f32 / 20.0)
                        })
                    })
                });
                let is_wall = grid.terrain(cell) == Some(0);
                let points: Vec<Vec2> = points.collect();
                if points.iter().any(|&point| is_within(point, &place, half, 0.6)) {
                    assert!(is_wall, "{tilemap_type:?} {cell} {place:?} {half}");
                    blocked += 1;
                } else if !points.iter().any(|&point| is_within(point, &place, half, -1.2)) {
                    assert!(!is_wall, "{tilemap_type:?} {cell} {place:?} {half}");
                }
            }
        }
        assert!(blocked > 50, "{tilemap_type:?}: {blocked}");
    }
}

#[test]
fn layers_of_another_type_or_grid_size_are_left_out_by_name() {
    let mut game = Game::new();
    let map = numbered(&mut game, TYPES[4], Anchor::None);
    let before = {
        game.tick();
        game.drawing(map)
    };
    let one = TilemapSize::new(1, 1);
    let other_type =
        game.world_mut().spawn((NavLayer::new(map), one, GRID_SIZE, TYPES[5], Transform::default())).id();
    let other_size = game
        .world_mut()
        .spawn((NavLayer::new(map), one, TilemapGridSize::new(20.0, 15.0), TYPES[4], Transform::default()))
        .id();
    for layer in [other_type, other_size] {
        game.spawn_tile(layer, TilePos::new(0, 0), Some(0));
    }
    let logs = logs_of(|| (0..3).for_each(|_| game.tick()));
    assert_eq!(logs.len(), 2, "{logs:?}");
    assert!(logs[0].contains(&other_type.to_string()) && logs[0].contains("HexRowOdd"), "{logs:?}");
    assert!(logs[1].contains(&other_size.to_string()) && logs[1].contains("20 by 15"), "{logs:?}");
    assert_eq!(game.drawing(map), before);
}
