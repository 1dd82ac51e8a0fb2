//! Random edits of chunks and their layers. After each tick, the grid equals a grid that is read
//! from the entities again.

use std::collections::{BTreeMap, BTreeSet};

use bevy::{
    ecs::entity_disabling::Disabled,
    prelude::*,
    sprite_render::{TileData, TilemapChunk, TilemapChunkTileData},
};
use bevy_tilepath::{
    Cell, NavGrid, NavLayer, NavMap, TextureTerrain,
    maps::{MissingTile, NavLayers},
    sync_maps_now,
};
use proptest::prelude::*;

use super::{SIDE, bring_what_draws};
use crate::harness::*;

/// The number of chunks. Chunk 0 is a map. The others are layers of this map, or of a map without
/// a chunk of its own.
const CHUNKS: usize = 4;

/// The side of the largest chunk.
const MOST: u32 = 4;

#[derive(Debug, Clone)]
enum Edit {
    SetTile { chunk: usize, slot: usize, texture: Option<u16> },
    SetAll { chunk: usize, textures: Vec<Option<u16>> },
    Resize { chunk: usize, width: u32, height: u32, textures: Option<Vec<Option<u16>>> },
    ChangeLength { chunk: usize, by: i8 },
    RemoveChunk { chunk: usize },
    RemoveData { chunk: usize },
    SetTable { chunk: usize, classes: Option<[u8; 2]> },
    Join { layer: usize, map: usize, order: i32, offset: (i32, i32) },
    Part { layer: usize },
    Renew { layer: usize },
    Disable { layer: usize },
    Enable { layer: usize },
    SetMissing { map: usize, class: u8 },
    RemoveNavMap { map: usize },
    InsertNavMap { map: usize },
    SyncNow,
    Tick,
}

fn texture() -> impl Strategy<Value = Option<u16>> {
    proptest::option::weighted(0.8, 0..3_u16)
}

fn textures() -> impl Strategy<Value = Vec<Option<u16>>> {
    proptest::collection::vec(texture(), (MOST * MOST) as usize)
}

fn edit() -> impl Strategy<Value = Edit> {
    let chunk = || 0..CHUNKS;
    let layer = || 1..CHUNKS;
    let map = || 0..2_usize;
    let class = || 0..5_u8;
    prop_oneof![
        16 => (chunk(), any::<usize>(), texture())
            .prop_map(|(chunk, slot, texture)| Edit::SetTile { chunk, slot, texture }),
        6 => (chunk(), textures()).prop_map(|(chunk, textures)| Edit::SetAll { chunk, textures }),
        6 => (chunk(), 1..=MOST, 1..=MOST, proptest::option::weighted(0.8, textures()))
            .prop_map(|(chunk, width, height, textures)| Edit::Resize { chunk, width, height, textures }),
        3 => (chunk(), -2..3_i8).prop_map(|(chunk, by)| Edit::ChangeLength { chunk, by }),
        1 => chunk().prop_map(|chunk| Edit::RemoveChunk { chunk }),
        1 => chunk().prop_map(|chunk| Edit::RemoveData { chunk }),
        4 => (chunk(), proptest::option::weighted(0.8, [class(), class()]))
            .prop_map(|(chunk, classes)| Edit::SetTable { chunk, classes }),
        8 => (layer(), map(), -1..2_i32, (-3..4_i32, -3..4_i32))
            .prop_map(|(layer, map, order, offset)| Edit::Join { layer, map, order, offset }),
        1 => layer().prop_map(|layer| Edit::Part { layer }),
        2 => layer().prop_map(|layer| Edit::Renew { layer }),
        2 => layer().prop_map(|layer| Edit::Disable { layer }),
        2 => layer().prop_map(|layer| Edit::Enable { layer }),
        1 => (map(), class()).prop_map(|(map, class)| Edit::SetMissing { map, class }),
        1 => map().prop_map(|map| Edit::RemoveNavMap { map }),
        2 => map().prop_map(|map| Edit::InsertNavMap { map }),
        4 => Just(Edit::SyncNow),
        10 => Just(Edit::Tick),
    ]
}

struct Level {
    game: Game,
    chunks: Vec<Entity>,
    /// The map that is chunk 0, and the map without a chunk.
    maps: [Entity; 2],
}

fn tiles_of(textures: &[Option<u16>], count: u32) -> TilemapChunkTileData {
    let tiles = textures.iter().map(|texture| texture.map(TileData::from_tileset_index));
    TilemapChunkTileData(tiles.take(count as usize).collect())
}

fn chunk_of(width: u32, height: u32) -> TilemapChunk {
    let chunk_size = UVec2::new(width, height);
    TilemapChunk { chunk_size, tile_display_size: UVec2::splat(SIDE), ..default() }
}

impl Level {
    fn new() -> Self {
        let mut game = Game::new();
        bring_what_draws(&mut game);
        let tiles = tiles_of(&[Some(1); 16], MOST * MOST);
        let chunks: Vec<Entity> = (0..CHUNKS)
            .map(|_| game.world_mut().spawn((chunk_of(MOST, MOST), tiles.clone(), Transform::default())).id())
            .collect();
        let plain = game.world_mut().spawn(Transform::default()).id();
        let maps = [chunks[0], plain];
        for map in maps {
            game.world_mut().entity_mut(map).insert(NavMap::default());
        }
        Self { game, chunks, maps }
    }

    fn apply(&mut self, edit: &Edit) {
        let (chunks, maps) = (&self.chunks, self.maps);
        let world = self.game.world_mut();
        match *edit {
            Edit::SetTile { chunk, slot, texture } => {
                if let Some(mut tiles) = world.get_mut::<TilemapChunkTileData>(chunks[chunk])
                    && !tiles.is_empty()
                {
                    let slot = slot % tiles.len();
                    tiles[slot] = texture.map(TileData::from_tileset_index);
                }
            }
            Edit::SetAll { chunk, ref textures } => {
                let count = world
                    .get::<TilemapChunk>(chunks[chunk])
                    .map_or(16, |chunk| chunk.chunk_size.element_product());
                world.entity_mut(chunks[chunk]).insert(tiles_of(textures, count));
            }
            Edit::Resize { chunk, width, height, ref textures } => {
                let mut entity = world.entity_mut(chunks[chunk]);
                if let Some(textures) = textures {
                    entity.insert(tiles_of(textures, width * height));
                }
                entity.insert(chunk_of(width, height));
            }
            Edit::ChangeLength { chunk, by } => {
                if let Some(mut tiles) = world.get_mut::<TilemapChunkTileData>(chunks[chunk]) {
                    let length = tiles.len().saturating_add_signed(by.into());
                    tiles.resize(length, Some(TileData::default()));
                }
            }
            Edit::RemoveChunk { chunk } => _ = world.entity_mut(chunks[chunk]).remove::<TilemapChunk>(),
            Edit::RemoveData { chunk } => {
                world.entity_mut(chunks[chunk]).remove::<TilemapChunkTileData>();
            }
            Edit::SetTable { chunk, classes } => {
                let mut chunk = world.entity_mut(chunks[chunk]);
                match classes {
                    Some([one, two]) => chunk.insert(TextureTerrain::new([(1, one), (2, two)])),
                    None => chunk.remove::<TextureTerrain>(),
                };
            }
            Edit::Join { layer, map, order, offset } => {
                let layer_of = NavLayer { map: maps[map], order, offset: offset.into() };
                world.entity_mut(chunks[layer]).insert(layer_of);
            }
            Edit::Part { layer } => _ = world.entity_mut(chunks[layer]).remove::<NavLayer>(),
            Edit::Renew { layer } => {
                world.despawn(chunks[layer]);
                let tiles = tiles_of(&[Some(2); 4], 4);
                self.chunks[layer] = world.spawn((chunk_of(2, 2), tiles, Transform::default())).id();
            }
            Edit::Disable { layer } => _ = world.entity_mut(chunks[layer]).insert(Disabled),
            Edit::Enable { layer } => _ = world.entity_mut(chunks[layer]).remove::<Disabled>(),
            Edit::SetMissing { map, class } => {
                if let Some(mut map) = world.get_mut::<NavMap>(maps[map]) {
                    map.missing_tile = MissingTile::Class(class);
                }
            }
            Edit::RemoveNavMap { map } => _ = world.entity_mut(maps[map]).remove::<NavMap>(),
            Edit::InsertNavMap { map } => {
                world.entity_mut(maps[map]).insert_if_new(NavMap::default());
            }
            Edit::SyncNow => {
                sync_maps_now(world).unwrap();
                self.check();
            }
            Edit::Tick => {
                self.game.tick();
                self.check();
            }
        }
    }

    fn check(&self) {
        for map in self.maps {
            let entity = self.game.world().entity(map);
            let Some(nav_map) = entity.get::<NavMap>() else { continue };
            let grid = entity.get::<NavGrid>().unwrap();
            let expected = self.expected(map, nav_map.missing_tile);
            assert_eq!(grid.is_ready(), expected.is_some(), "{map}");
            let Some(expected) = expected else { continue };
            assert!(expected.keys().all(|&(x, y)| grid.bounds().contains(Cell::new(x, y))), "{map}");
            for cell in grid.bounds().cells() {
                assert_eq!(grid.terrain(cell), expected.get(&(cell.x, cell.y)).copied(), "{map}: {cell}");
            }
        }
    }

    /// Returns the expected classes of the map's cells that a chunk covers, from the rules in the
    /// documentation. `None` if the map has nothing to read.
    fn expected(&self, map: Entity, missing: MissingTile) -> Option<BTreeMap<(i32, i32), u8>> {
        let world = self.game.world();
        // A map without a chunk of its own consists of its layers.
        let is_own = world.entity(map).get_components::<(&TilemapChunk, &TilemapChunkTileData)>().is_ok();
        let mut layers: Vec<(i32, IVec2, Entity)> = Vec::new();
        if is_own {
            layers.push((0, IVec2::ZERO, map));
        }
        for layer in world.get::<NavLayers>(map).into_iter().flat_map(NavLayers::iter) {
            let NavLayer { order, offset, .. } = *world.get::<NavLayer>(layer).unwrap();
            layers.push((order, offset, layer));
        }
        layers.retain(|&(.., chunk)| self.size_of(chunk).is_some());
        if layers.is_empty() || is_own && !layers.iter().any(|&(.., chunk)| chunk == map) {
            return None;
        }
        layers.sort_by_key(|layer| layer.0);
        // The class of a cell so far, with the order of the layer that decided.
        let mut classes: BTreeMap<(i32, i32), Option<(i32, u8)>> = BTreeMap::new();
        let mut with_tile: BTreeSet<(i32, i32)> = BTreeSet::new();
        for (order, offset, chunk) in layers {
            let size = self.size_of(chunk)?;
            let tiles = world.get::<TilemapChunkTileData>(chunk)?;
            for (x, y) in (0..size.y).flat_map(|y| (0..size.x).map(move |x| (x, y))) {
                let tile = tiles.tile_data_from_tile_pos(size, UVec2::new(x, y));
                let named = tile
                    .and_then(|tile| world.get::<TextureTerrain>(chunk)?.class_of(tile.tileset_index.into()));
                let at = (offset.x + x as i32, offset.y + y as i32);
                if tile.is_some() {
                    with_tile.insert(at);
                }
                let cell = classes.entry(at).or_default();
                *cell = match (*cell, named) {
                    (below, None) => below,
                    // Chunks beside each other overlap: a wall wins, then the larger class.
                    (Some((of, below)), Some(class)) if !is_own && of == order => {
                        let wins = if below == 0 || class == 0 { 0 } else { below.max(class) };
                        Some((order, wins))
                    }
                    (_, Some(class)) => Some((order, class)),
                };
            }
        }
        let without_class = |cell| if with_tile.contains(&cell) { 1 } else { missing.class() };
        let class = |(cell, decided): ((i32, i32), Option<(i32, u8)>)| {
            (cell, decided.map_or_else(|| without_class(cell), |(_, class)| class))
        };
        Some(classes.into_iter().map(class).collect())
    }

    /// Returns the size of a chunk that can be read.
    fn size_of(&self, chunk: Entity) -> Option<UVec2> {
        let entity = self.game.world().entity(chunk);
        let size = entity.get::<TilemapChunk>()?.chunk_size;
        let tiles = entity.get::<TilemapChunkTileData>()?;
        let fits = tiles.len() == size.element_product() as usize;
        (fits && !entity.contains::<Disabled>()).then_some(size)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_grid_equals_a_fresh_look_at_the_chunks(edits in proptest::collection::vec(edit(), 1..200)) {
        let mut level = Level::new();
        for edit in &edits {
            level.apply(edit);
        }
        level.apply(&Edit::Tick);
    }
}

#[test]
fn oracle_distinguishes_ground_layers_and_walls() {
    let mut level = Level::new();
    for edit in [
        Edit::Resize { chunk: 0, width: 3, height: 1, textures: Some(vec![Some(0), Some(1), None]) },
        Edit::Resize { chunk: 1, width: 2, height: 1, textures: Some(vec![Some(0), Some(2)]) },
        Edit::SetTable { chunk: 0, classes: Some([0, 4]) },
        Edit::SetTable { chunk: 1, classes: Some([0, 4]) },
        Edit::Join { layer: 1, map: 0, order: 1, offset: (0, 0) },
    ] {
        level.apply(&edit);
    }
    let expected = level.expected(level.maps[0], MissingTile::Wall).unwrap();
    assert_eq!([0, 1, 2].map(|x| expected[&(x, 0)]), [1, 4, 0]);
    assert_eq!(level.expected(level.maps[1], MissingTile::Wall), None);
    level.apply(&Edit::Join { layer: 1, map: 1, order: 0, offset: (-1, 0) });
    let expected = level.expected(level.maps[1], MissingTile::Wall).unwrap();
    assert_eq!(expected, BTreeMap::from([((-1, 0), 1), ((0, 0), 4)]));
    level.apply(&Edit::Tick);
}
