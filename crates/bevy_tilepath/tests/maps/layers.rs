//! Several tilemaps on one map.

use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{NavLayer, NavMap, Terrain, TextureTerrain, maps::MissingTile};

use crate::harness::*;

#[test]
fn the_topmost_tile_that_names_a_class_decides() {
    let mut app = app();
    let map = tilemap(&mut app, "9999");
    layer(&mut app, map, 2, "_#__");
    layer(&mut app, map, 1, "_5.?");
    tick(&mut app);
    // Water; a tree on a bridge; a bridge; a flower on the water.
    assert_map(&app, map, "9#.9");
}

#[test]
fn a_layer_tile_without_class_does_not_even_fill_a_hole() {
    let mut app = app();
    let map = tilemap(&mut app, "_?");
    layer(&mut app, map, 1, "??");
    tick(&mut app);
    assert_map(&app, map, "#.");
    app.world_mut().get_mut::<NavMap>(map).unwrap().missing_tile = MissingTile::Class(7);
    tick(&mut app);
    assert_map(&app, map, "7.");
}

#[test]
fn a_layer_may_bridge_a_hole() {
    let mut app = app();
    let map = tilemap(&mut app, "._.");
    layer(&mut app, map, 1, "_2_");
    tick(&mut app);
    assert_map(&app, map, ".2.");
}

#[test]
fn a_layer_may_lie_below_the_map() {
    let mut app = app();
    let map = tilemap(&mut app, "3_?");
    layer(&mut app, map, -1, "555");
    tick(&mut app);
    assert_map(&app, map, "35.");
}

#[test]
fn layers_come_go_and_change_their_order() {
    let mut app = app();
    let map = tilemap(&mut app, "..");
    tick(&mut app);
    let low = layer(&mut app, map, 1, "2_");
    tick(&mut app);
    assert_map(&app, map, "2.");
    let high = layer(&mut app, map, 2, "33");
    tick(&mut app);
    assert_map(&app, map, "33");
    app.world_mut().entity_mut(high).insert(NavLayer::new(map).with_order(0));
    tick(&mut app);
    assert_map(&app, map, "23");
    app.world_mut().entity_mut(low).remove::<NavLayer>();
    tick(&mut app);
    assert_map(&app, map, "33");
    app.world_mut().despawn(high);
    tick(&mut app);
    assert_map(&app, map, "..");
}

#[test]
fn of_layers_of_one_order_the_last_to_join_lies_on_top() {
    let mut app = app();
    let map = tilemap(&mut app, ".");
    let first = layer(&mut app, map, 0, "2");
    layer(&mut app, map, 0, "3");
    tick(&mut app);
    assert_map(&app, map, "3");
    app.world_mut().entity_mut(first).insert(NavLayer::new(map).with_order(0));
    tick(&mut app);
    assert_map(&app, map, "2");
}

#[test]
fn tiles_of_layers_change_like_those_of_the_map() {
    let mut app = app();
    let map = tilemap(&mut app, "....");
    let bridge = layer(&mut app, map, 1, "2_3?");
    tick(&mut app);
    let tiles = [0, 2, 3].map(|x| tile_at(&app, bridge, x, 0));
    app.world_mut().get_mut::<TilePos>(tiles[0]).unwrap().x = 1;
    app.world_mut().entity_mut(tiles[1]).remove::<Terrain>();
    app.world_mut().entity_mut(bridge).insert(TextureTerrain::new([(6, 0)]));
    app.world_mut().get_mut::<TileTextureIndex>(tiles[2]).unwrap().0 = 6;
    tick(&mut app);
    assert_map(&app, map, ".2.#");
    for tile in tiles {
        app.world_mut().despawn(tile);
    }
    tick(&mut app);
    assert_map(&app, map, "....");
}

#[test]
fn a_layer_of_another_size_covers_what_it_covers_beyond_the_map_too() {
    let mut app = app();
    let map = tilemap(
        &mut app,
        "
        ...
        ...
        ",
    );
    let small = layer(&mut app, map, 1, "5");
    layer(
        &mut app,
        map,
        2,
        "
        9999
        __99
        ___9
        ",
    );
    tick(&mut app);
    assert_map(
        &app,
        map,
        "
        9999
        ..99
        5..9
        ",
    );
    *app.world_mut().get_mut::<TilemapSize>(small).unwrap() = TilemapSize::new(2, 2);
    spawn_tile(&mut app, small, TilePos::new(1, 1), Some(4));
    tick(&mut app);
    assert_map(
        &app,
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
    let mut app = app();
    let (first, second) = (tilemap(&mut app, ".."), tilemap(&mut app, ".."));
    let fence = layer(&mut app, first, 1, "#_");
    tick(&mut app);
    assert_map(&app, first, "#.");
    app.world_mut().entity_mut(fence).insert(NavLayer::new(second).with_order(1));
    tick(&mut app);
    assert_map(&app, first, "..");
    assert_map(&app, second, "#.");
}

#[test]
fn a_despawned_map_frees_its_layers_for_another() {
    let mut app = app();
    let first = tilemap(&mut app, "..");
    let fence = layer(&mut app, first, 1, "#_");
    tick(&mut app);
    app.world_mut().despawn(first);
    tick(&mut app);
    assert!(!app.world().entity(fence).contains::<NavLayer>());
    let second = tilemap(&mut app, "..");
    app.world_mut().entity_mut(fence).insert(NavLayer::new(second).with_order(1));
    tick(&mut app);
    assert_map(&app, second, "#.");
}

#[test]
fn a_layer_whose_tilemap_comes_later_joins_then() {
    let mut app = app();
    let map = tilemap(&mut app, "..");
    let fence = app.world_mut().spawn(NavLayer::new(map).with_order(1)).id();
    spawn_tile(&mut app, fence, TilePos::new(1, 0), Some(0));
    tick(&mut app);
    assert_map(&app, map, "..");
    app.world_mut().entity_mut(fence).insert(TilemapSize::new(2, 1));
    tick(&mut app);
    assert_map(&app, map, ".#");
    app.world_mut().entity_mut(fence).remove::<TilemapSize>();
    tick(&mut app);
    assert_map(&app, map, "..");
}
