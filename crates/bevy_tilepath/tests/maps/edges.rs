//! Edges that tiles close, on every type of map.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{
    Cell, NavGrid, NavMap, NavQuery, entries_kept,
    maps::{Fence, Ledge, OneWay, lattice_of},
    tilepath::Direction,
};
use rand::Rng;
use testkit::Seed;

use crate::harness::*;

fn is_reachable(app: &mut App, from: TilePos, to: TilePos) -> bool {
    app.world_mut()
        .run_system_once(move |nav: NavQuery| nav.only_map().unwrap().is_reachable(from, to).unwrap())
        .unwrap()
}

#[test]
fn a_one_way_tile_lets_nothing_back() {
    let mut app = app();
    let map = tilemap(&mut app, "...");
    let middle = tile_at(&app, map, 1, 0);
    let (left, right) = (TilePos::new(0, 0), TilePos::new(2, 0));
    let ways = |app: &mut App| {
        tick(app);
        (is_reachable(app, left, right), is_reachable(app, right, left))
    };
    app.world_mut().entity_mut(middle).insert(OneWay(Direction::East));
    assert_eq!(ways(&mut app), (true, false));
    app.world_mut().entity_mut(middle).insert(OneWay(Direction::West));
    assert_eq!(ways(&mut app), (false, true));
    app.world_mut().entity_mut(middle).insert(Fence(vec![Direction::East]));
    assert_eq!(ways(&mut app), (false, false));
    app.world_mut().entity_mut(middle).remove::<(OneWay, Fence)>();
    assert_eq!(ways(&mut app), (true, true));
    app.world_mut().entity_mut(middle).insert(OneWay(Direction::East));
    app.world_mut().get_mut::<TilePos>(middle).unwrap().x = 0;
    tile_at(&app, map, 0, 0);
    assert!(!ways(&mut app).1);
    app.world_mut().despawn(middle);
    spawn_tile(&mut app, map, TilePos::new(1, 0), Some(1));
    assert_eq!(ways(&mut app), (true, true), "it went with its edge");
}

#[test]
fn a_ledge_is_jumped_down_and_not_climbed() {
    let mut app = app();
    let map = tilemap(&mut app, "....\n....\n....");
    for x in 0..4 {
        let tile = tile_at(&app, map, x, 1);
        app.world_mut().entity_mut(tile).insert(Ledge(Direction::South));
    }
    tick(&mut app);
    for (x, to) in (0..4).flat_map(|x| (0..4).map(move |to| (x, to))) {
        assert!(is_reachable(&mut app, TilePos::new(x, 2), TilePos::new(to, 0)));
        assert!(!is_reachable(&mut app, TilePos::new(x, 0), TilePos::new(to, 2)));
    }
}

#[test]
fn a_tile_that_is_fenced_in_on_all_sides_can_be_neither_entered_nor_left() {
    for tilemap_type in TYPES {
        let mut app = app();
        let map = tilemap(&mut app, "...\n...\n...");
        app.world_mut().entity_mut(map).insert(tilemap_type);
        let tile = tile_at(&app, map, 1, 1);
        let directions = lattice_of(tilemap_type).topology().directions().to_vec();
        app.world_mut().entity_mut(tile).insert(Fence(directions));
        let logs = logs_of(|| tick(&mut app));
        assert_eq!(logs, Vec::<String>::new());
        let (inside, outside) = (TilePos::new(1, 1), TilePos::new(0, 0));
        assert!(!is_reachable(&mut app, inside, outside), "{tilemap_type:?}");
        assert!(!is_reachable(&mut app, outside, inside), "{tilemap_type:?}");
        app.world_mut().entity_mut(tile).remove::<Fence>();
        tick(&mut app);
        assert!(is_reachable(&mut app, inside, outside), "{tilemap_type:?}");
    }
}

#[test]
fn directions_that_there_are_not_are_told_once_with_the_tile() {
    let mut app = app();
    let map = tilemap(&mut app, "..\n..");
    app.world_mut().entity_mut(map).insert(TilemapType::Hexagon(HexCoordSystem::Row));
    let tile = tile_at(&app, map, 0, 0);
    app.world_mut().entity_mut(tile).insert(OneWay(Direction::NorthEast));
    let logs = logs_of(|| (0..3).for_each(|_| tick(&mut app)));
    assert_eq!(logs.len(), 1, "{logs:?}");
    assert!(logs[0].contains(&tile.to_string()) && logs[0].contains("NorthEast"), "{logs:?}");
}

#[test]
fn map_and_tiles_despawned_one_by_one_leave_no_entries() {
    for turn in 0..3 {
        let mut app = app();
        let map = tilemap(&mut app, "..\n..");
        app.world_mut().entity_mut(map).insert(TilemapType::Hexagon(HexCoordSystem::Row));
        let tiles = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, y)| tile_at(&app, map, x, y));
        app.world_mut().entity_mut(tiles[0]).insert(OneWay(Direction::NorthEast));
        app.world_mut().entity_mut(tiles[3]).insert(Fence(vec![Direction::West]));
        tick(&mut app);
        let mut pieces = vec![map, tiles[0], tiles[3]];
        pieces.rotate_left(turn);
        for piece in pieces.into_iter().chain([tiles[1], tiles[2]]) {
            app.world_mut().despawn(piece);
            tick(&mut app);
        }
        tick(&mut app);
        assert_eq!(entries_kept(app.world()), 0, "turn {turn}");
    }
}

#[test]
fn exits_after_any_edits_are_those_of_a_map_made_at_once() {
    for tilemap_type in TYPES {
        let mut random = Seed::named(&format!("edges {tilemap_type:?}")).generator();
        let build = |app: &mut App| {
            let map = tilemap(app, ".....\n.....\n.....\n.....");
            app.world_mut().entity_mut(map).insert(tilemap_type);
            map
        };
        let mut app = app();
        let map = build(&mut app);
        let exits = |app: &App, map: Entity| {
            let grid = app.world().get::<NavGrid>(map).unwrap().grid();
            let all: Vec<_> = grid.bounds().cells().map(|cell| (cell, grid.exits(cell))).collect();
            all
        };
        let directions = lattice_of(tilemap_type).topology().directions();
        let mut numbers = Seed::named("directions").generator();
        let mut direction = || directions[numbers.random_range(0..directions.len())];
        for _ in 0..30 {
            let (x, y) = (random.random_range(0..5), random.random_range(0..4));
            let tile = tile_at(&app, map, x, y);
            let mut tile = app.world_mut().entity_mut(tile);
            match random.random_range(0..6) {
                0 => tile.insert(OneWay(direction())),
                1 => tile.insert(Fence((0..random.random_range(1..5)).map(|_| direction()).collect())),
                2 => tile.insert(Ledge([Direction::North, Direction::East][random.random_range(0..2)])),
                3 => tile.remove::<OneWay>(),
                4 => tile.remove::<Fence>(),
                _ => tile.remove::<Ledge>(),
            };
            tick(&mut app);

            let mut fresh = crate::harness::app();
            let copy = build(&mut fresh);
            for (x, y) in (0..4).flat_map(|y| (0..5).map(move |x| (x, y))) {
                let (from, to) = (tile_at(&app, map, x, y), tile_at(&fresh, copy, x, y));
                let (one_way, fence, ledge) = {
                    let tile = app.world().entity(from);
                    (
                        tile.get::<OneWay>().copied(),
                        tile.get::<Fence>().cloned(),
                        tile.get::<Ledge>().copied(),
                    )
                };
                let mut tile = fresh.world_mut().entity_mut(to);
                one_way.map(|it| tile.insert(it).id());
                fence.map(|it| tile.insert(it).id());
                ledge.map(|it| tile.insert(it).id());
            }
            tick(&mut fresh);
            assert_eq!(exits(&app, map), exits(&fresh, copy), "{tilemap_type:?}");
        }
    }
}

#[test]
fn edges_survive_a_map_that_is_resized_and_its_type_changed() {
    let mut app = app();
    let map = tilemap(&mut app, "...");
    let middle = tile_at(&app, map, 1, 0);
    app.world_mut().entity_mut(middle).insert(Fence(vec![Direction::East]));
    tick(&mut app);
    let (left, right) = (TilePos::new(0, 0), TilePos::new(2, 0));
    for edit in 0..3 {
        match edit {
            0 => app.world_mut().entity_mut(map).insert(TilemapSize::new(3, 2)),
            1 => app.world_mut().entity_mut(map).insert(TilemapType::Hexagon(HexCoordSystem::Row)),
            _ => app.world_mut().entity_mut(map).insert((TilemapType::Square, NavMap::default())),
        };
        tick(&mut app);
        assert!(!is_reachable(&mut app, left, right), "edit {edit}");
        assert!(is_reachable(&mut app, left, TilePos::new(1, 0)));
    }
    assert_eq!(app.world().get::<NavGrid>(map).unwrap().terrain(Cell::new(2, 1)), Some(0));
}
