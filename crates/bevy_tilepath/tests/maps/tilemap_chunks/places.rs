//! Cells of chunks lie where Bevy draws their tiles.

use bevy::{prelude::*, sprite_render::TilemapChunk};
use bevy_tilepath::{Cell, NavGrid, NavLayer, NavMap, NavProjection, PathRequest, Place, maps::NavLayers};

use super::{Chunks, bring_what_draws, parts_of, table};
use crate::harness::*;

/// Returns the world position at which Bevy draws a tile.
fn drawn_at(game: &Game, chunk: Entity, tile: UVec2, place: GlobalTransform) -> Vec2 {
    let own = game.world().get::<TilemapChunk>(chunk).unwrap().calculate_tile_transform(tile);
    place.transform_point(own.translation).truncate()
}

fn projection(game: &Game, map: Entity) -> &NavProjection {
    game.world().get(map).unwrap()
}

#[test]
fn cells_lie_where_tiles_are_drawn() {
    let turned = Quat::from_rotation_z(0.7);
    for place in [
        Transform::default(),
        Transform::from_xyz(-31.0, 7.5, 2.0),
        Transform {
            translation: Vec3::new(5.0, -90.0, 0.0),
            rotation: turned,
            scale: Vec3::new(2.0, -0.5, 1.0),
        },
    ] {
        let mut game = Game::new();
        let map = game.chunk_map("...\n..."); // odd and even sides
        let (mut chunk, tiles) = parts_of(".....\n.....\n.....\n.....");
        chunk.tile_display_size = UVec2::new(10, 24);
        let parent = game.world_mut().spawn(Transform::from_xyz(100.0, 50.0, 0.0).with_rotation(turned)).id();
        game.world_mut().entity_mut(map).insert((chunk, tiles, place, ChildOf(parent)));
        assert_eq!(game.logs_of_ticks(2), Vec::<String>::new());
        let world = *game.world().get::<Transform>(parent).unwrap() * GlobalTransform::from(place);
        for tile in [UVec2::ZERO, UVec2::new(4, 3), UVec2::new(1, 2)] {
            let (drawn, cell) =
                (drawn_at(&game, map, tile, world), Cell::from((tile.x as i32, tile.y as i32)));
            assert!(
                projection(&game, map).world_position_of(cell).distance(drawn) < 1e-3,
                "{place:?} {tile}"
            );
            assert_eq!(projection(&game, map).cell_at_world(drawn), Some(cell));
        }
    }
}

/// Spawns the chunk at an offset, where a game would put it: chunk by chunk on a grid.
fn chunk_at(game: &mut Game, map: Entity, offset: IVec2, picture: &str) -> Entity {
    bring_what_draws(game);
    let (chunk, tiles) = parts_of(picture);
    let place = (offset * chunk.tile_display_size.as_ivec2()).as_vec2();
    let layer = NavLayer::new(map).with_offset(offset);
    game.world_mut()
        .spawn((chunk, tiles, table(), layer, Transform::from_translation(place.extend(0.0))))
        .id()
}

#[test]
fn chunks_at_their_offsets_fit_the_picture() {
    let mut game = Game::new();
    let map = game.world_mut().spawn((NavMap::default(), Transform::from_xyz(40.0, -3.0, 0.0))).id();
    let offsets = [IVec2::new(3, 0), IVec2::new(-3, 2), IVec2::new(30, -40), IVec2::ZERO];
    for offset in offsets {
        chunk_at(&mut game, map, offset, "234\n567");
    }
    assert_eq!(game.logs_of_ticks(2), Vec::<String>::new());
    let chunks: Vec<Entity> = game.world().get::<NavLayers>(map).unwrap().iter().collect();
    let grid = game.world().get::<NavGrid>(map).unwrap();
    for (chunk, offset) in chunks.into_iter().zip(offsets) {
        for (tile, class) in [(UVec2::new(0, 0), 5), (UVec2::new(2, 1), 4)] {
            let place = GlobalTransform::from(*game.world().get::<Transform>(chunk).unwrap());
            let cell = projection(&game, map).cell_at_world(drawn_at(&game, chunk, tile, place)).unwrap();
            assert_eq!(cell, Cell::new(offset.x + tile.x as i32, offset.y + tile.y as i32));
            assert_eq!(grid.terrain(cell), Some(class));
        }
    }
}

#[test]
fn chunk_beside_the_place_of_its_offset_is_reported_once() {
    let mut game = Game::new();
    let map = game.world_mut().spawn((NavMap::default(), Transform::default())).id();
    chunk_at(&mut game, map, IVec2::ZERO, "...");
    let lost = chunk_at(&mut game, map, IVec2::new(3, 0), "222");
    game.world_mut().get_mut::<Transform>(lost).unwrap().translation.x += CELL / 4.0;
    let logs = game.logs_of_ticks(3);
    assert!(logs.len() == 1 && logs[0].contains(&lost.to_string()), "{logs:?}");
    assert!(logs[0].contains("0.25 by 0"), "{logs:?}");
    game.assert_map(map, "...222");
}

#[test]
fn order_to_a_tile_of_a_chunk() {
    let mut game = Game::new();
    let map = game.world_mut().spawn((NavMap::default(), Transform::default())).id();
    chunk_at(&mut game, map, IVec2::ZERO, "...");
    let east = chunk_at(&mut game, map, IVec2::new(3, 0), "...");
    // The centre of the first chunk is the origin, so its tile (0, 0) lies one tile to the west.
    let unit = game.agent_at(Vec2::new(-CELL, 0.0), 400.0);
    game.order(unit, PathRequest::to(Place::Tile { tile: UVec2::new(2, 0), tilemap: Some(east) }));
    game.run_until_quiet(100);
    assert_eq!(game.position(unit), Vec2::new(4.0 * CELL, 0.0));
}
