//! Several tilemaps on one map.

use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{NavLayer, NavMap, Terrain, TextureTerrain, maps::MissingTile};

use crate::harness::*;

#[test]
fn the_topmost_tile_that_names_a_class_decides() {
    let mut game = Game::new();
    let map = game.tilemap("9999");
    game.layer(map, 2, "_#__");
    game.layer(map, 1, "_5.?");
    game.tick();
    // The four cells: water, a tree on a bridge, a bridge, and a flower on the water.
    game.assert_map(map, "9#.9");
}

#[test]
fn cell_with_classless_tiles_is_class_1_and_cell_without_tiles_is_missing() {
    let mut game = Game::new();
    let map = game.tilemap("__??");
    let layer = game.layer(map, 1, "_??_");
    game.tick();
    game.assert_map(map, "#...");
    game.world_mut().get_mut::<NavMap>(map).unwrap().missing_tile = MissingTile::Class(7);
    game.tick();
    game.assert_map(map, "7...");
    let tile = game.tile_at(layer, 1, 0);
    game.world_mut().entity_mut(tile).insert(Terrain(3));
    game.tick();
    game.assert_map(map, "73..");
    game.world_mut().entity_mut(tile).remove::<Terrain>();
    game.tick();
    game.assert_map(map, "7...");
    game.world_mut().despawn(tile);
    game.tick();
    game.assert_map(map, "77..");
}

#[test]
fn a_layer_may_bridge_a_hole() {
    let mut game = Game::new();
    let map = game.tilemap("._.");
    game.layer(map, 1, "_2_");
    game.tick();
    game.assert_map(map, ".2.");
}

#[test]
fn a_layer_may_lie_below_the_map() {
    let mut game = Game::new();
    let map = game.tilemap("3_?");
    game.layer(map, -1, "555");
    game.tick();
    game.assert_map(map, "355");
}

#[test]
fn layers_come_go_and_change_their_order() {
    let mut game = Game::new();
    let map = game.tilemap("..");
    game.tick();
    let low = game.layer(map, 1, "2_");
    game.tick();
    game.assert_map(map, "2.");
    let high = game.layer(map, 2, "33");
    game.tick();
    game.assert_map(map, "33");
    game.world_mut().entity_mut(high).insert(NavLayer::new(map).with_order(0));
    game.tick();
    game.assert_map(map, "23");
    game.world_mut().entity_mut(low).remove::<NavLayer>();
    game.tick();
    game.assert_map(map, "33");
    game.world_mut().despawn(high);
    game.tick();
    game.assert_map(map, "..");
}

#[test]
fn last_joined_layer_lies_on_top_if_orders_are_equal() {
    let mut game = Game::new();
    let map = game.tilemap(".");
    let first = game.layer(map, 0, "2");
    game.layer(map, 0, "3");
    game.tick();
    game.assert_map(map, "3");
    game.world_mut().entity_mut(first).insert(NavLayer::new(map).with_order(0));
    game.tick();
    game.assert_map(map, "2");
}

#[test]
fn tiles_of_layers_change_like_tiles_of_the_map() {
    let mut game = Game::new();
    let map = game.tilemap("....");
    let bridge = game.layer(map, 1, "2_3?");
    game.tick();
    let tiles = [0, 2, 3].map(|x| game.tile_at(bridge, x, 0));
    game.world_mut().get_mut::<TilePos>(tiles[0]).unwrap().x = 1;
    game.world_mut().entity_mut(tiles[1]).remove::<Terrain>();
    game.world_mut().entity_mut(bridge).insert(TextureTerrain::new([(6, 0)]));
    game.world_mut().get_mut::<TileTextureIndex>(tiles[2]).unwrap().0 = 6;
    game.tick();
    game.assert_map(map, ".2.#");
    for tile in tiles {
        game.world_mut().despawn(tile);
    }
    game.tick();
    game.assert_map(map, "....");
}

#[test]
fn a_layer_of_another_size_covers_what_it_covers_beyond_the_map_too() {
    let mut game = Game::new();
    let map = game.tilemap(
        "
        ...
        ...
        ",
    );
    let small = game.layer(map, 1, "5");
    game.layer(
        map,
        2,
        "
        9999
        __99
        ___9
        ",
    );
    game.tick();
    game.assert_map(
        map,
        "
        9999
        ..99
        5..9
        ",
    );
    *game.world_mut().get_mut::<TilemapSize>(small).unwrap() = TilemapSize::new(2, 2);
    game.spawn_tile(small, TilePos::new(1, 1), Some(4));
    game.tick();
    game.assert_map(
        map,
        "
        9999
        .499
        5..9
        ",
    );
}

#[test]
fn a_layer_moves_from_one_map_to_another() {
    let mut game = Game::new();
    let (first, second) = (game.tilemap(".."), game.tilemap(".."));
    let fence = game.layer(first, 1, "#_");
    game.tick();
    game.assert_map(first, "#.");
    game.world_mut().entity_mut(fence).insert(NavLayer::new(second).with_order(1));
    game.tick();
    game.assert_map(first, "..");
    game.assert_map(second, "#.");
}

#[test]
fn a_despawned_map_frees_its_layers_for_another() {
    let mut game = Game::new();
    let first = game.tilemap("..");
    let fence = game.layer(first, 1, "#_");
    game.tick();
    game.world_mut().despawn(first);
    game.tick();
    assert!(!game.world().entity(fence).contains::<NavLayer>());
    let second = game.tilemap("..");
    game.world_mut().entity_mut(fence).insert(NavLayer::new(second).with_order(1));
    game.tick();
    game.assert_map(second, "#.");
}

#[test]
fn layer_joins_when_its_tilemap_arrives() {
    let mut game = Game::new();
    let map = game.tilemap("..");
    let fence = game.world_mut().spawn(NavLayer::new(map).with_order(1)).id();
    game.spawn_tile(fence, TilePos::new(1, 0), Some(0));
    game.tick();
    game.assert_map(map, "..");
    game.world_mut().entity_mut(fence).insert(TilemapSize::new(2, 1));
    game.tick();
    game.assert_map(map, ".#");
    game.world_mut().entity_mut(fence).remove::<TilemapSize>();
    game.tick();
    game.assert_map(map, "..");
}
