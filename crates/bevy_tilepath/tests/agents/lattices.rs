//! Agents on all nine types of tilemap, and in worlds of chunks.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{
    AgentPath, Cell, Diagonals, NavGrid, NavLayer, NavMap, NavProjection, Path, PathFailure, PathRequest,
    PathStatus, Terrain, maps::lattice_of,
};
use rand::Rng;
use testkit::Seed;

use crate::harness::*;

const SIZE: TilemapSize = TilemapSize { x: 12, y: 9 };
const GRID_SIZE: TilemapGridSize = TilemapGridSize { x: 20.0, y: 16.0 };

fn centre(tilemap_type: TilemapType, tile: TilePos) -> Vec2 {
    let tile_size = TilemapTileSize::from(Vec2::from(GRID_SIZE));
    tile.center_in_world(&SIZE, &GRID_SIZE, &tile_size, &tilemap_type, &TilemapAnchor::None)
}

/// Returns whether two tiles share a side, from the places of their middles alone. `is` compares
/// the distances along x and y, in parts of the grid size.
fn touch(tilemap_type: TilemapType, one: TilePos, other: TilePos) -> bool {
    let apart = (centre(tilemap_type, one) - centre(tilemap_type, other)).abs() / Vec2::from(GRID_SIZE);
    let is = |x: f32, y: f32| (apart - Vec2::new(x, y)).length() < 0.01;
    match tilemap_type {
        TilemapType::Square => is(1.0, 0.0) || is(0.0, 1.0),
        TilemapType::Isometric(_) => is(0.5, 0.5),
        TilemapType::Hexagon(HexCoordSystem::Row | HexCoordSystem::RowOdd | HexCoordSystem::RowEven) => {
            is(1.0, 0.0) || is(0.5, 0.75)
        }
        TilemapType::Hexagon(_) => is(0.0, 1.0) || is(0.75, 0.5),
    }
}

/// Returns the costs of the cheapest paths from a tile, from the places of the tiles alone. Each
/// step over a side costs ten times the class of the tile that it enters.
fn costs_from(
    tilemap_type: TilemapType,
    classes: &HashMap<TilePos, u8>,
    from: TilePos,
) -> HashMap<TilePos, u32> {
    let mut costs = HashMap::from([(from, 0)]);
    loop {
        let mut better = Vec::new();
        for (&here, &cost) in &costs {
            for (&next, &class) in
                classes.iter().filter(|(next, class)| **class > 0 && touch(tilemap_type, here, **next))
            {
                let cost: u32 = cost + 10 * u32::from(class);
                if costs.get(&next).is_none_or(|&known| cost < known) {
                    better.push((next, cost));
                }
            }
        }
        if better.is_empty() {
            return costs;
        }
        for (next, cost) in better {
            let known = costs.entry(next).or_insert(cost);
            *known = cost.min(*known);
        }
    }
}

#[test]
fn agents_walk_the_cheapest_way_from_tile_to_tile_on_every_type() {
    for tilemap_type in TYPES {
        let mut random = Seed::named(&format!("lattice {tilemap_type:?}")).generator();
        let mut game = Game::new();
        let map = game
            .world_mut()
            .spawn((
                NavMap { diagonals: Diagonals::Never, ..default() },
                SIZE,
                GRID_SIZE,
                tilemap_type,
                Transform::default(),
            ))
            .id();
        let mut classes = HashMap::new();
        let mut tiles = HashMap::new();
        for place in (0..SIZE.y).flat_map(|y| (0..SIZE.x).map(move |x| TilePos::new(x, y))) {
            let class = if random.random_bool(0.25) { 0 } else { random.random_range(1..4) };
            classes.insert(place, class);
            tiles.insert(place, game.spawn_tile(map, place, Some(class)));
        }
        let open: Vec<TilePos> = {
            let mut open: Vec<_> =
                classes.iter().filter(|(_, class)| **class > 0).map(|(place, _)| *place).collect();
            open.sort_by_key(|place| (place.y, place.x));
            open
        };
        let reach = |&place: &TilePos| costs_from(tilemap_type, &classes, place).len();
        let mut start = open.iter().copied().max_by_key(reach).unwrap();
        let soldier = game.agent_at(centre(tilemap_type, start), 400.0);
        let (mut arrived, mut failed) = (0, 0);
        for _ in 0..20 {
            let goal = open[random.random_range(0..open.len())];
            let costs = costs_from(tilemap_type, &classes, start);
            game.world_mut().entity_mut(soldier).insert(PathRequest::to_tile(goal));
            game.tick();
            if let Some(&cost) = costs.get(&goal) {
                if start != goal {
                    let path = game.world().get::<AgentPath>(soldier).unwrap();
                    assert_eq!(path.cost().unwrap().get(), cost, "{tilemap_type:?} {start:?} {goal:?}");
                    let points = path.points();
                    assert!(points.windows(2).all(|step| step[0].distance(step[1]) < 21.0));
                }
                game.run_until_quiet(400);
                assert_eq!(game.status(soldier), PathStatus::Arrived);
                assert!(game.position(soldier).distance(centre(tilemap_type, goal)) < 1e-3);
                start = goal;
                arrived += 1;
            } else {
                assert_eq!(game.told_of(soldier), [Told::Failed(PathFailure::Unreachable)]);
                failed += 1;
            }
            game.told();
        }
        assert!(arrived > 5, "{tilemap_type:?}: {arrived} {failed}");
    }
}

#[test]
fn walls_that_go_up_are_noticed_on_every_type() {
    for tilemap_type in TYPES {
        let mut game = Game::new();
        let map = game
            .world_mut()
            .spawn((NavMap::default(), SIZE, GRID_SIZE, tilemap_type, Transform::default()))
            .id();
        let mut tiles = HashMap::new();
        for place in (0..SIZE.y).flat_map(|y| (0..SIZE.x).map(move |x| TilePos::new(x, y))) {
            tiles.insert(place, game.spawn_tile(map, place, None));
        }
        let mut random = Seed::named(&format!("walls {tilemap_type:?}")).generator();
        let (from, to) = (TilePos::new(0, 4), TilePos::new(11, 4));
        let soldier = game.agent_at(centre(tilemap_type, from), 100.0);
        game.world_mut().entity_mut(soldier).insert(PathRequest::to_tile(to));
        let (mut walls, mut built) = (Vec::new(), 0);
        for step in 0..4000 {
            game.tick();
            match game.status(soldier) {
                PathStatus::Arrived => break,
                // The agent or its goal is walled in. All walls are removed, and the order is given
                // again.
                PathStatus::Failed(PathFailure::Unreachable) => {
                    for place in walls.drain(..) {
                        game.world_mut().entity_mut(tiles[&place]).insert(Terrain::OPEN);
                    }
                    game.world_mut().entity_mut(soldier).insert(PathRequest::to_tile(to));
                }
                _ => {}
            }
            // A wall is built ahead of the agent, and the oldest wall is removed.
            if step % 7 == 0
                && let Some(path) = game.world().get::<AgentPath>(soldier)
                && let Some(&cell) =
                    path.path().map(Path::cells).and_then(|cells| cells.get(path.next_point() + 1))
            {
                let (x, y) = lattice_of(tilemap_type).tile_of(cell);
                let place = TilePos::new(x as u32, y as u32);
                if place != to && random.random_bool(0.5) {
                    game.world_mut().entity_mut(tiles[&place]).insert(Terrain::WALL);
                    walls.push(place);
                    built += 1;
                }
                if walls.len() > 8 {
                    let place = walls.remove(0);
                    game.world_mut().entity_mut(tiles[&place]).insert(Terrain::OPEN);
                }
            }
            let here = game.position(soldier);
            let projection = game.world().get::<NavProjection>(map).unwrap();
            let cell = projection.cell_at_world(here).unwrap();
            assert!(
                game.world().get::<NavGrid>(map).unwrap().terrain(cell).is_some(),
                "{tilemap_type:?} {here}"
            );
        }
        assert_eq!(game.status(soldier), PathStatus::Arrived, "{tilemap_type:?}");
        assert!(built > 0);
    }
}

fn chunk(game: &mut Game, map: Entity, tile: IVec2) -> Entity {
    let place = tile.as_vec2() * CELL;
    let size = TilemapSize::new(8, 8);
    let tilemap = game
        .world_mut()
        .spawn((
            NavLayer::new(map).with_offset(tile),
            size,
            TilemapGridSize::new(CELL, CELL),
            Transform::from_translation(place.extend(0.0)),
        ))
        .id();
    for (x, y) in (0..8).flat_map(|y| (0..8).map(move |x| (x, y))) {
        let tile = game.spawn_tile(tilemap, TilePos::new(x, y), None);
        game.world_mut().entity_mut(tile).insert(ChildOf(tilemap));
    }
    tilemap
}

#[test]
fn journeys_go_on_while_the_world_grows_and_shrinks_elsewhere() {
    let mut game = Game::new();
    let map = game.world_mut().spawn((NavMap::default(), Transform::default())).id();
    let chunks: Vec<Entity> = (0..3).map(|x| chunk(&mut game, map, IVec2::new(8 * x, 0))).collect();
    let soldier = game.agent_at(Vec2::ZERO, 30.0);
    game.world_mut().entity_mut(soldier).insert(PathRequest::to_tile_of(chunks[2], TilePos::new(7, 3)));
    game.tick();
    assert!(matches!(game.told_of(soldier)[..], [Told::Found { .. }]));
    let mut others = Vec::new();
    for step in 0..60 {
        let x = [-1, 1][step % 2] * (step as i32 / 2 + 5);
        others.push(chunk(&mut game, map, IVec2::new(8 * x, -8)));
        if others.len() > 3 {
            let other = others.remove(0);
            game.world_mut().despawn(other);
        }
        game.tick();
        assert_eq!(game.told_of(soldier), [], "step {step}");
    }
    game.run_until_quiet(3000);
    assert_eq!(game.told_of(soldier), [Told::Arrived(Cell::new(23, 3))]);
    // Despawns the chunk under the agent.
    game.world_mut().despawn(chunks[2]);
    game.world_mut().entity_mut(soldier).insert(PathRequest::to_cell((0, 0)));
    game.tick();
    assert_eq!(
        game.told_of(soldier),
        [Told::Failed(PathFailure::Unreachable)],
        "all cells around the agent are void"
    );
    // A tile of a tilemap that does not belong to the map.
    let stray = game.world_mut().spawn_empty().id();
    game.world_mut().entity_mut(soldier).insert(PathRequest::to_tile_of(stray, TilePos::new(0, 0)));
    game.tick();
    assert_eq!(game.told_of(soldier), [Told::Failed(PathFailure::NotALayer)]);
}
