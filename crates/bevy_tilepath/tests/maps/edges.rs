//! Edges that tiles close, on all types of map.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{
    Cell, NavGrid, NavMap, NavQuery, entries_kept,
    maps::{Edges, Fence, Ledge, OneWay, lattice_of},
    tilepath::{Direction, Topology},
};
use rand::Rng;
use testkit::Seed;

use crate::harness::*;

fn is_reachable(game: &mut Game, from: TilePos, to: TilePos) -> bool {
    game.world_mut()
        .run_system_once(move |nav: NavQuery| nav.only_map().unwrap().is_reachable(from, to).unwrap())
        .unwrap()
}

#[test]
fn a_one_way_tile_lets_nothing_back() {
    let mut game = Game::new();
    let map = game.tilemap("...");
    let middle = game.tile_at(map, 1, 0);
    let (left, right) = (TilePos::new(0, 0), TilePos::new(2, 0));
    let ways = |game: &mut Game| {
        game.tick();
        (is_reachable(game, left, right), is_reachable(game, right, left))
    };
    game.world_mut().entity_mut(middle).insert(OneWay(Direction::East));
    assert_eq!(ways(&mut game), (true, false));
    game.world_mut().entity_mut(middle).insert(OneWay(Direction::West));
    assert_eq!(ways(&mut game), (false, true));
    game.world_mut().entity_mut(middle).insert(Fence(vec![Direction::East]));
    assert_eq!(ways(&mut game), (false, false));
    game.world_mut().entity_mut(middle).remove::<(OneWay, Fence)>();
    assert_eq!(ways(&mut game), (true, true));
    game.world_mut().entity_mut(middle).insert(OneWay(Direction::East));
    game.world_mut().get_mut::<TilePos>(middle).unwrap().x = 0;
    game.tile_at(map, 0, 0);
    assert!(!ways(&mut game).1);
    game.world_mut().despawn(middle);
    game.spawn_tile(map, TilePos::new(1, 0), Some(1));
    assert_eq!(ways(&mut game), (true, true), "the closed edge was removed with its tile");
}

#[test]
fn a_ledge_is_jumped_down_and_not_climbed() {
    let mut game = Game::new();
    let map = game.tilemap("....\n....\n....");
    for x in 0..4 {
        let tile = game.tile_at(map, x, 1);
        game.world_mut().entity_mut(tile).insert(Ledge(Direction::South));
    }
    game.tick();
    for (x, to) in (0..4).flat_map(|x| (0..4).map(move |to| (x, to))) {
        assert!(is_reachable(&mut game, TilePos::new(x, 2), TilePos::new(to, 0)));
        assert!(!is_reachable(&mut game, TilePos::new(x, 0), TilePos::new(to, 2)));
    }
}

#[test]
fn a_tile_that_is_fenced_in_on_all_sides_can_be_neither_entered_nor_left() {
    for tilemap_type in TYPES {
        let mut game = Game::new();
        let map = game.tilemap("...\n...\n...");
        game.world_mut().entity_mut(map).insert(tilemap_type);
        let tile = game.tile_at(map, 1, 1);
        let directions = lattice_of(tilemap_type).topology().directions().to_vec();
        game.world_mut().entity_mut(tile).insert(Fence(directions));
        let logs = logs_of(|| game.tick());
        assert_eq!(logs, Vec::<String>::new());
        let (inside, outside) = (TilePos::new(1, 1), TilePos::new(0, 0));
        assert!(!is_reachable(&mut game, inside, outside), "{tilemap_type:?}");
        assert!(!is_reachable(&mut game, outside, inside), "{tilemap_type:?}");
        game.world_mut().entity_mut(tile).remove::<Fence>();
        game.tick();
        assert!(is_reachable(&mut game, inside, outside), "{tilemap_type:?}");
    }
}

#[test]
fn missing_directions_are_reported_once_with_the_tile() {
    let mut game = Game::new();
    let map = game.tilemap("..\n..");
    game.world_mut().entity_mut(map).insert(TilemapType::Hexagon(HexCoordSystem::Row));
    let tile = game.tile_at(map, 0, 0);
    game.world_mut().entity_mut(tile).insert(OneWay(Direction::NorthEast));
    let logs = logs_of(|| (0..3).for_each(|_| game.tick()));
    assert_eq!(logs.len(), 1, "{logs:?}");
    assert!(logs[0].contains(&tile.to_string()) && logs[0].contains("NorthEast"), "{logs:?}");
}

#[test]
fn map_and_tiles_despawned_one_by_one_leave_no_entries() {
    for turn in 0..3 {
        let mut game = Game::new();
        let map = game.tilemap("..\n..");
        game.world_mut().entity_mut(map).insert(TilemapType::Hexagon(HexCoordSystem::Row));
        let tiles = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, y)| game.tile_at(map, x, y));
        game.world_mut().entity_mut(tiles[0]).insert(OneWay(Direction::NorthEast));
        game.world_mut().entity_mut(tiles[3]).insert(Fence(vec![Direction::West]));
        game.tick();
        let mut pieces = vec![map, tiles[0], tiles[3]];
        pieces.rotate_left(turn);
        for piece in pieces.into_iter().chain([tiles[1], tiles[2]]) {
            game.world_mut().despawn(piece);
            game.tick();
        }
        game.tick();
        assert_eq!(entries_kept(game.world()), 0, "turn {turn}");
    }
}

#[test]
fn exits_after_any_edits_equal_a_fresh_map() {
    for tilemap_type in TYPES {
        let mut random = Seed::named(&format!("edges {tilemap_type:?}")).generator();
        let build = |game: &mut Game| {
            let map = game.tilemap(".....\n.....\n.....\n.....");
            game.world_mut().entity_mut(map).insert(tilemap_type);
            map
        };
        let mut game = Game::new();
        let map = build(&mut game);
        let exits = |game: &Game, map: Entity| {
            let grid = game.world().get::<NavGrid>(map).unwrap().grid();
            let all: Vec<_> = grid.bounds().cells().map(|cell| (cell, grid.exits(cell))).collect();
            all
        };
        let directions = lattice_of(tilemap_type).topology().directions();
        let mut numbers = Seed::named("directions").generator();
        let mut direction = || directions[numbers.random_range(0..directions.len())];
        for _ in 0..30 {
            let (x, y) = (random.random_range(0..5), random.random_range(0..4));
            let tile = game.tile_at(map, x, y);
            let mut tile = game.world_mut().entity_mut(tile);
            match random.random_range(0..6) {
                0 => tile.insert(OneWay(direction())),
                1 => tile.insert(Fence((0..random.random_range(1..5)).map(|_| direction()).collect())),
                2 => tile.insert(Ledge([Direction::North, Direction::East][random.random_range(0..2)])),
                3 => tile.remove::<OneWay>(),
                4 => tile.remove::<Fence>(),
                _ => tile.remove::<Ledge>(),
            };
            game.tick();

            let mut fresh = Game::new();
            let copy = build(&mut fresh);
            for (x, y) in (0..4).flat_map(|y| (0..5).map(move |x| (x, y))) {
                let (from, to) = (game.tile_at(map, x, y), fresh.tile_at(copy, x, y));
                let (one_way, fence, ledge) = {
                    let tile = game.world().entity(from);
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
            fresh.tick();
            assert_eq!(exits(&game, map), exits(&fresh, copy), "{tilemap_type:?}");
        }
    }
}

#[test]
fn edges_survive_a_map_that_is_resized_and_its_type_changed() {
    let mut game = Game::new();
    let map = game.tilemap("...");
    let middle = game.tile_at(map, 1, 0);
    game.world_mut().entity_mut(middle).insert(Fence(vec![Direction::East]));
    game.tick();
    let (left, right) = (TilePos::new(0, 0), TilePos::new(2, 0));
    for edit in 0..3 {
        match edit {
            0 => game.world_mut().entity_mut(map).insert(TilemapSize::new(3, 2)),
            1 => game.world_mut().entity_mut(map).insert(TilemapType::Hexagon(HexCoordSystem::Row)),
            _ => game.world_mut().entity_mut(map).insert((TilemapType::Square, NavMap::default())),
        };
        game.tick();
        assert!(!is_reachable(&mut game, left, right), "edit {edit}");
        assert!(is_reachable(&mut game, left, TilePos::new(1, 0)));
    }
    assert_eq!(game.world().get::<NavGrid>(map).unwrap().terrain(Cell::new(2, 1)), Some(0));
}

#[test]
fn tile_with_edges_is_a_river_until_they_are_removed() {
    for tilemap_type in TYPES {
        let mut game = Game::new();
        let map = game.tilemap("...\n...\n...");
        game.world_mut().entity_mut(map).insert(tilemap_type);
        let topology = lattice_of(tilemap_type).topology();
        let is_side = |side: &Direction| topology == Topology::Hexagonal || !side.is_diagonal();
        let sides: Vec<Direction> = topology.directions().iter().copied().filter(is_side).collect();
        let (middle, corner) = (game.tile_at(map, 1, 1), game.tile_at(map, 0, 0));
        game.world_mut().entity_mut(middle).insert(Edges::new("river", sides.clone()));
        game.world_mut().entity_mut(corner).insert(Edges::new("river", sides.clone()));
        let logs = logs_of(|| game.tick());
        assert_eq!(logs, Vec::<String>::new(), "what leaves the map is no mistake");
        let count = |game: &Game| {
            let grid = game.world().get::<NavGrid>(map).unwrap().grid();
            grid.bounds().cells().map(|cell| grid.edges("river", cell).count()).collect::<Vec<_>>()
        };
        let counts = count(&game);
        assert!(counts.contains(&sides.len()), "{tilemap_type:?}: {counts:?}");
        let all: usize = counts.iter().sum();
        assert!(all > sides.len() && all < 2 * sides.len(), "{tilemap_type:?}: {counts:?}");
        game.world_mut().entity_mut(middle).insert(Edges::new("river", sides[..1].to_vec()));
        game.tick();
        assert_eq!(count(&game).iter().sum::<usize>(), all - sides.len() + 1);
        game.world_mut().entity_mut(middle).remove::<Edges>();
        game.world_mut().despawn(corner);
        game.tick();
        assert_eq!(count(&game).iter().sum::<usize>(), 0, "{tilemap_type:?}");
    }
}

#[test]
fn diagonal_side_of_a_square_tile_is_reported_once() {
    let mut game = Game::new();
    let map = game.tilemap("..\n..");
    let tile = game.tile_at(map, 0, 0);
    game.world_mut().entity_mut(tile).insert(Edges::new("river", [Direction::NorthEast]));
    let logs = logs_of(|| (0..3).for_each(|_| game.tick()));
    assert_eq!(logs.len(), 1, "{logs:?}");
    assert!(logs[0].contains(&tile.to_string()) && logs[0].contains("straight directions"), "{logs:?}");
}
