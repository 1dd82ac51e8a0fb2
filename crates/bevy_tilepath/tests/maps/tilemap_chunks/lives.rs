//! Chunks that are read, change, come and go.

use bevy::{
    ecs::entity_disabling::Disabled,
    prelude::*,
    sprite_render::{TilemapChunk, TilemapChunkTileData},
};
use bevy_tilepath::{
    Cell, NavGrid, NavLayer, NavMap, NavQuery, Obstacle, PathFailure, TextureTerrain, maps::MissingTile,
    sync_maps_now,
};

use super::{Chunks, SIDE, parts_of, table};
use crate::harness::*;

fn grid(game: &Game, map: Entity) -> &NavGrid {
    game.world().get::<NavGrid>(map).unwrap()
}

fn is_reachable(game: &mut Game) -> Result<bool, PathFailure> {
    game.ask(|nav: &NavQuery| nav.only_map()?.is_reachable(Cell::new(0, 0), Cell::new(2, 0)))
}

#[test]
fn chunk_is_a_map_of_the_classes_of_its_textures() {
    let mut game = Game::new();
    let map = game.chunk_map(
        "
        .#3
        ?_9
        ",
    );
    game.tick();
    assert!(game.is_ready(map));
    game.assert_map(map, ".#3\n.#9");
    game.world_mut().get_mut::<NavMap>(map).unwrap().missing_tile = MissingTile::Class(4);
    game.tick();
    game.assert_map(map, ".#3\n.49");
}

#[test]
fn invisible_tile_is_a_tile() {
    let mut game = Game::new();
    let map = game.chunk_map("5#");
    for tile in game.tiles(map).iter_mut().flatten() {
        tile.visible = false;
    }
    game.tick();
    game.assert_map(map, "5#");
}

#[test]
fn chunk_without_a_table_is_open_ground() {
    let mut game = Game::new();
    let map = game.chunk_map("#5_");
    game.world_mut().entity_mut(map).remove::<TextureTerrain>();
    game.tick();
    game.assert_map(map, "..#");
}

#[test]
fn table_may_list_indices_that_no_chunk_can_have() {
    let mut game = Game::new();
    let map = game.chunk_map("#5");
    let table = TextureTerrain::new([(5, 7), (65_535, 2), (65_536, 3), (u32::MAX, 4)]);
    game.world_mut().entity_mut(map).insert(table);
    game.tiles(map)[0].as_mut().unwrap().tileset_index = u16::MAX;
    game.tick();
    game.assert_map(map, "27");
}

#[test]
fn chunk_asked_before_it_is_read_is_not_read_yet() {
    let mut game = Game::new();
    let map = game.chunk_map("...");
    assert_eq!(is_reachable(&mut game), Err(PathFailure::NotReadYet { map }));
    sync_maps_now(game.world_mut()).unwrap();
    assert_eq!(is_reachable(&mut game), Ok(true));
    game.set_tile(map, 1, 0, '#');
    sync_maps_now(game.world_mut()).unwrap();
    assert_eq!(is_reachable(&mut game), Ok(false));
    // The tick finds nothing to change.
    let revision = grid(&game, map).grid().revision();
    game.tick();
    assert_eq!(grid(&game, map).grid().revision(), revision);
}

#[test]
fn only_cells_that_differ_are_edited() {
    let mut game = Game::new();
    let map = game.chunk_map(&[".".repeat(100).as_str(); 100].join("\n"));
    game.tick();
    let (generation, revision) = (grid(&game, map).generation(), grid(&game, map).grid().revision());
    // The data is replaced, and one tile differs.
    let mut tiles = game.tiles(map).clone();
    tiles[100 * 7 + 3].as_mut().unwrap().tileset_index = 5;
    tiles[100 * 8 + 3].as_mut().unwrap().color = Color::BLACK;
    game.world_mut().entity_mut(map).insert(tiles);
    game.tick();
    let changed: Vec<Cell> = grid(&game, map).grid().changes_since(revision).unwrap().collect();
    assert_eq!(changed, [Cell::new(3, 7)]);
    // The data is marked as changed, and nothing differs.
    let revision = grid(&game, map).grid().revision();
    game.tiles(map).set_changed();
    game.tick();
    assert_eq!((grid(&game, map).generation(), grid(&game, map).grid().revision()), (generation, revision));
}

#[test]
fn changed_table_changes_the_classes() {
    let mut game = Game::new();
    let map = game.chunk_map("35?");
    game.tick();
    let generation = grid(&game, map).generation();
    game.world_mut().entity_mut(map).insert(table().with(3, 0).with(99, 8));
    game.tick();
    game.assert_map(map, "#58");
    game.world_mut().entity_mut(map).remove::<TextureTerrain>();
    game.tick();
    game.assert_map(map, "...");
    assert_eq!(grid(&game, map).generation(), generation, "the grid was replaced");
}

#[test]
fn resized_chunk_keeps_its_grid() {
    let mut game = Game::new();
    let map = game.chunk_map("23\n56");
    game.tick();
    let generation = grid(&game, map).generation();
    let parts = parts_of("234\n567\n#__");
    game.world_mut().entity_mut(map).insert(parts);
    game.tick();
    game.assert_map(map, "234\n567\n###");
    assert_eq!(grid(&game, map).generation(), generation, "the grid was replaced");
}

#[test]
fn map_is_not_ready_while_its_chunk_or_its_rules_are_gone() {
    let mut game = Game::new();
    let map = game.chunk_map("2#5");
    let parts = parts_of("2#5");
    game.tick();
    let removals: [fn(&mut EntityWorldMut); 3] = [
        |chunk| _ = chunk.remove::<TilemapChunk>(),
        |chunk| _ = chunk.remove::<TilemapChunkTileData>(),
        |chunk| _ = chunk.remove::<NavMap>(),
    ];
    for remove in removals {
        assert!(game.is_ready(map));
        remove(&mut game.world_mut().entity_mut(map));
        game.ticks(2);
        assert!(!game.is_ready(map));
        game.world_mut().entity_mut(map).insert_if_new((parts.clone(), NavMap::default()));
        game.set_tile(map, 0, 0, '7');
        game.tick();
        game.assert_map(map, "7#5");
    }
}

#[test]
fn layers_of_chunks_lie_above_each_other() {
    let mut game = Game::new();
    let map = game.chunk_map("999_");
    let low = game.chunk("_5.?");
    let high = game.chunk("_#__");
    game.world_mut().entity_mut(low).insert(NavLayer::new(map).with_order(1));
    game.world_mut().entity_mut(high).insert(NavLayer::new(map).with_order(2));
    game.tick();
    game.assert_map(map, "9#..");
    game.set_tile(high, 1, 0, '_');
    game.set_tile(low, 3, 0, '4');
    game.tick();
    game.assert_map(map, "95.4");
    game.world_mut().entity_mut(low).insert(Disabled);
    game.tick();
    game.assert_map(map, "999#");
    game.set_tile(low, 0, 0, '2');
    game.tick();
    game.assert_map(map, "999#");
    game.world_mut().entity_mut(low).remove::<Disabled>();
    game.tick();
    game.assert_map(map, "25.4");
    game.world_mut().despawn(low);
    game.tick();
    game.assert_map(map, "999#");
}

#[test]
fn chunk_moves_to_another_place_and_to_another_map() {
    let mut game = Game::new();
    let (first, second) = (game.chunk_map("...."), game.chunk_map("...."));
    let fence = game.chunk("##");
    game.world_mut().entity_mut(fence).insert(NavLayer::new(first).with_order(1));
    game.tick();
    game.assert_map(first, "##..");
    let moved = Transform::from_xyz(3.0 * CELL, CELL / 2.0, 0.0);
    let layer = NavLayer::new(first).with_order(1).with_offset(IVec2::new(2, 0));
    game.world_mut().entity_mut(fence).insert((layer, moved));
    game.tick();
    game.assert_map(first, "..##");
    game.world_mut().entity_mut(fence).insert(NavLayer { map: second, ..layer });
    game.tick();
    game.assert_map(first, "....");
    game.assert_map(second, "..##");
    game.world_mut().entity_mut(fence).remove::<NavLayer>();
    game.tick();
    game.assert_map(second, "....");
}

#[test]
fn obstacle_on_a_chunk_is_a_wall_until_it_leaves() {
    let mut game = Game::new();
    let map = game.chunk_map("...");
    let building = game
        .world_mut()
        .spawn((
            Obstacle { size: Vec2::ONE, ..default() },
            Transform::from_translation(centre(1, 0).extend(0.0)),
        ))
        .id();
    game.tick();
    game.assert_map(map, ".#.");
    game.set_tile(map, 1, 0, '6');
    game.tick();
    game.assert_map(map, ".#.");
    game.world_mut().despawn(building);
    game.tick();
    game.assert_map(map, ".6.");
}

#[test]
fn despawned_chunks_leave_no_entries() {
    let mut game = Game::new();
    let map = game.chunk_map("..");
    let layer = game.chunk("#_");
    game.world_mut().entity_mut(layer).insert(NavLayer::new(map).with_order(1));
    game.tick();
    assert!(bevy_tilepath::entries_kept(game.world()) > 0);
    game.world_mut().despawn(map);
    game.world_mut().despawn(layer);
    game.ticks(2);
    assert_eq!(bevy_tilepath::entries_kept(game.world()), 0);
}

#[test]
fn chunk_without_cells_is_ready_and_empty() {
    let mut game = Game::new();
    let map = game.chunk_map("_");
    game.world_mut().entity_mut(map).remove::<TilemapChunk>();
    // Without its hook: Bevy cannot draw an empty chunk.
    let chunk = TilemapChunk { tile_display_size: UVec2::splat(SIDE), ..default() };
    game.tiles(map).clear();
    game.world_mut().entity_mut(map).insert(chunk);
    assert_eq!(game.logs_of_ticks(3), Vec::<String>::new());
    assert!(game.is_ready(map));
    assert_eq!(grid(&game, map).bounds().cell_count(), 0);
}

#[cfg(feature = "rules_asset")]
#[test]
fn rules_from_a_file_give_chunks_their_classes() {
    use bevy::asset::io::memory::Dir;
    use bevy_tilepath::maps::NavRules;

    let files = Dir::default();
    let rules =
        r#"(classes: {0: "wall", 1: "mud"}, textures: {4: "mud", 7: "wall"}, movements: {"default": ()})"#;
    write(&files, "chunk.rules.ron", rules);
    let mut game = Game::with_files(&files);
    let map = game.chunk_map("74");
    let above = game.chunk("_7");
    let file = NavRules::new(game.world().resource::<AssetServer>().load("chunk.rules.ron"));
    game.world_mut().entity_mut(map).remove::<TextureTerrain>().insert(file);
    game.world_mut().entity_mut(above).remove::<TextureTerrain>().insert(NavLayer::new(map).with_order(1));
    game.update_until(|game| game.is_ready(map));
    game.assert_map(map, "##");
    game.set_tile(above, 1, 0, '_');
    game.tick();
    game.assert_map(map, "#.");
}
