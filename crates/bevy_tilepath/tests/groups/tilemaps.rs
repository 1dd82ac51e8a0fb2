//! Groups on tilemaps of all types, in worlds of chunks.

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{
    Body, NavGrid, NavLayer, NavMap, NavProjection, PathAgent,
    groups::{Formation, GroupOrder},
    maps::lattice_of,
};

use crate::harness::*;

const SIDE: u32 = 8;
const GRID_SIZE: TilemapGridSize = TilemapGridSize { x: 20.0, y: 16.0 };

fn chunk(game: &mut Game, map: Entity, tilemap_type: TilemapType, tile: IVec2) -> Entity {
    let lattice = lattice_of(tilemap_type);
    let layer = NavLayer::new(map).with_tile_offset(lattice, tile);
    let projection = NavProjection::new(lattice, GRID_SIZE.into(), Vec2::ZERO);
    let place = projection.position_of((layer.offset.x, layer.offset.y).into());
    let transform = Transform::from_translation(place.extend(0.0));
    let size = TilemapSize::new(SIDE, SIDE);
    let tilemap = game.world_mut().spawn((layer, size, GRID_SIZE, tilemap_type, transform)).id();
    for (x, y) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y))) {
        let tile = game.spawn_tile(tilemap, TilePos::new(x, y), Some(1));
        game.world_mut().entity_mut(tile).insert(ChildOf(tilemap));
    }
    tilemap
}

#[test]
fn groups_stand_in_formation_on_all_map_types_with_changing_chunks() {
    for (number, tilemap_type) in TYPES.into_iter().enumerate() {
        let mut game = Game::new();
        let map = game.world_mut().spawn((NavMap::default(), Transform::default())).id();
        let behind = chunk(&mut game, map, tilemap_type, IVec2::new(-8, 0));
        let first = chunk(&mut game, map, tilemap_type, IVec2::ZERO);
        let second = chunk(&mut game, map, tilemap_type, IVec2::new(8, 0));
        game.ticks(2);
        let projection = *game.world().get::<NavProjection>(map).expect("it is a map");
        let lattice = lattice_of(tilemap_type);
        let at = |x, y| projection.world_position_of(lattice.cell_of((x, y)));
        let units: Vec<Entity> = (0..6)
            .map(|n| {
                let place = Transform::from_translation(at(1 + n / 3, 2 + n % 3).extend(0.0));
                let agent = PathAgent { speed: 120.0.into(), ..default() };
                game.world_mut().spawn((agent, Body::default(), place)).id()
            })
            .collect();
        game.tick();
        let formation = Formation::ALL[number % Formation::ALL.len()];
        // The goal is a tile of the next chunk, given as a position.
        let group_order = GroupOrder::to(units.iter().copied(), at(12, 4)).in_formation(formation);
        let group = game.order_group(group_order);
        game.ticks(5);
        // Despawns the chunk behind the units. The bounds of the map shrink, too.
        game.world_mut().despawn(behind);
        game.run_to_end(group, 2000);
        let told = game.only_end();
        assert_eq!(told, [6, 0, 0, 0], "{tilemap_type:?} as a {formation}");
        game.ticks(120);
        let mut cells: Vec<_> =
            units.iter().filter_map(|&unit| projection.cell_at_world(game.position(unit))).collect();
        let goal = lattice.cell_of((12, 4));
        assert!(cells.contains(&goal), "{tilemap_type:?}: {cells:?}");
        let grid = game.world().get::<NavGrid>(map).expect("it is a map").grid();
        assert!(cells.iter().all(|&cell| grid.terrain(cell) == Some(1)));
        cells.sort_unstable();
        cells.dedup();
        assert_eq!(cells.len(), 6, "{tilemap_type:?}");
        assert!([first, second].iter().all(|&chunk| game.world().get_entity(chunk).is_ok()));
    }
}
