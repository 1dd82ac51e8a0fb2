//! Random edits of tiles, layers and obstacles. After each tick, the grid equals a grid that is
//! read from the entities again.

use std::collections::{BTreeMap, BTreeSet};

use bevy::{ecs::entity_disabling::Disabled, prelude::*};
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{Cell, NavGrid, NavLayer, NavMap, Obstacle, Terrain, TextureTerrain, maps::MissingTile};
use proptest::prelude::*;

use crate::harness::*;

const SIDE: u32 = 4;
/// The number of tilemaps. Tilemaps 0 and 3 are maps. Tilemaps 1 and 2 are layers of map 0 or map
/// 3. Tilemap 4 is a backdrop.
const TILEMAPS: usize = 5;

#[derive(Debug, Clone)]
enum Edit {
    Spawn { tilemap: usize, x: u32, y: u32, class: Option<u8>, texture: u32 },
    Despawn { tile: usize },
    Move { tile: usize, x: u32, y: u32 },
    ChangeMap { tile: usize, tilemap: usize },
    SetClass { tile: usize, class: u8 },
    RemoveTerrain { tile: usize },
    SetTexture { tile: usize, texture: u32 },
    RemoveTexture { tile: usize },
    RemoveTilemapId { tile: usize },
    Disable { tile: usize },
    Enable { tile: usize },
    Join { layer: usize, map: usize, order: i32 },
    Part { layer: usize },
    SetTable { tilemap: usize, class: Option<u8> },
    Resize { tilemap: usize, width: u32, height: u32 },
    SetMissing { map: usize, class: u8 },
    RemoveNavMap { map: usize },
    InsertNavMap { map: usize },
    SpawnObstacle { x: u32, y: u32 },
    MoveObstacle { obstacle: usize, x: u32, y: u32 },
    DespawnObstacle { obstacle: usize },
    Tick,
}

fn edit() -> impl Strategy<Value = Edit> {
    let tile = || any::<usize>();
    let tilemap = || 0..TILEMAPS;
    let side = || 0..=SIDE; // one cell beyond the edge
    let class = || 0..5_u8;
    prop_oneof![
        12 => (tilemap(), side(), side(), proptest::option::of(class()), 0..3_u32)
            .prop_map(|(tilemap, x, y, class, texture)| Edit::Spawn { tilemap, x, y, class, texture }),
        4 => tile().prop_map(|tile| Edit::Despawn { tile }),
        6 => (tile(), side(), side()).prop_map(|(tile, x, y)| Edit::Move { tile, x, y }),
        4 => (tile(), tilemap()).prop_map(|(tile, tilemap)| Edit::ChangeMap { tile, tilemap }),
        6 => (tile(), class()).prop_map(|(tile, class)| Edit::SetClass { tile, class }),
        3 => tile().prop_map(|tile| Edit::RemoveTerrain { tile }),
        4 => (tile(), 0..3_u32).prop_map(|(tile, texture)| Edit::SetTexture { tile, texture }),
        2 => tile().prop_map(|tile| Edit::RemoveTexture { tile }),
        2 => tile().prop_map(|tile| Edit::RemoveTilemapId { tile }),
        2 => tile().prop_map(|tile| Edit::Disable { tile }),
        2 => tile().prop_map(|tile| Edit::Enable { tile }),
        4 => (1..3_usize, 0..2_usize, -1..3_i32)
            .prop_map(|(layer, map, order)| Edit::Join { layer, map: map * 3, order }),
        1 => (1..3_usize).prop_map(|layer| Edit::Part { layer }),
        3 => (tilemap(), proptest::option::of(class()))
            .prop_map(|(tilemap, class)| Edit::SetTable { tilemap, class }),
        2 => (tilemap(), 0..=SIDE, 0..=SIDE)
            .prop_map(|(tilemap, width, height)| Edit::Resize { tilemap, width, height }),
        1 => (0..2_usize, class()).prop_map(|(map, class)| Edit::SetMissing { map: map * 3, class }),
        1 => (0..2_usize).prop_map(|map| Edit::RemoveNavMap { map: map * 3 }),
        2 => (0..2_usize).prop_map(|map| Edit::InsertNavMap { map: map * 3 }),
        3 => (side(), side()).prop_map(|(x, y)| Edit::SpawnObstacle { x, y }),
        4 => (any::<usize>(), side(), side())
            .prop_map(|(obstacle, x, y)| Edit::MoveObstacle { obstacle, x, y }),
        2 => any::<usize>().prop_map(|obstacle| Edit::DespawnObstacle { obstacle }),
        10 => Just(Edit::Tick),
    ]
}

struct Level {
    game: Game,
    tilemaps: Vec<Entity>,
    tiles: Vec<Entity>,
    obstacles: Vec<Entity>,
    /// The layers in the order in which they joined, with their map and order.
    joined: Vec<(usize, usize, i32)>,
}

/// Returns a live entity of the list, or `None` if the list is empty.
fn pick(entities: &[Entity], index: usize) -> Option<Entity> {
    (!entities.is_empty()).then(|| entities[index % entities.len()])
}

impl Level {
    fn new() -> Self {
        let mut game = Game::new();
        let tilemaps: Vec<Entity> = (0..TILEMAPS)
            .map(|_| {
                game.world_mut()
                    .spawn((
                        TilemapSize::new(SIDE, SIDE),
                        TilemapGridSize::new(TILE, TILE),
                        TilemapAnchor::None,
                        Transform::default(),
                    ))
                    .id()
            })
            .collect();
        for map in [0, 3] {
            // The ground is open at the start, so that obstacles show.
            let missing_tile = MissingTile::Class(3);
            game.world_mut().entity_mut(tilemaps[map]).insert(NavMap { missing_tile, ..NavMap::default() });
        }
        Self { game, tilemaps, tiles: vec![], obstacles: vec![], joined: vec![] }
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each kind of edit")]
    fn apply(&mut self, edit: &Edit) {
        let tilemaps = &self.tilemaps;
        let tiles = &mut self.tiles;
        let world = self.game.world_mut();
        match *edit {
            Edit::Spawn { tilemap, x, y, class, texture } => {
                let mut tile = world.spawn((
                    TilePos::new(x, y),
                    TilemapId(tilemaps[tilemap]),
                    TileTextureIndex(texture),
                ));
                if let Some(class) = class {
                    tile.insert(Terrain(class));
                }
                tiles.push(tile.id());
            }
            Edit::Despawn { tile } => {
                if !tiles.is_empty() {
                    world.despawn(tiles.swap_remove(tile % tiles.len()));
                }
            }
            Edit::Move { tile, x, y } => {
                if let Some(tile) = pick(tiles, tile) {
                    *world.get_mut::<TilePos>(tile).unwrap() = TilePos::new(x, y);
                }
            }
            Edit::ChangeMap { tile, tilemap } => {
                if let Some(tile) = pick(tiles, tile) {
                    world.entity_mut(tile).insert(TilemapId(tilemaps[tilemap]));
                }
            }
            Edit::SetClass { tile, class } => {
                if let Some(tile) = pick(tiles, tile) {
                    match world.get_mut::<Terrain>(tile) {
                        Some(mut terrain) => terrain.0 = class,
                        None => drop(world.entity_mut(tile).insert(Terrain(class))),
                    }
                }
            }
            Edit::RemoveTerrain { tile } => {
                if let Some(tile) = pick(tiles, tile) {
                    world.entity_mut(tile).remove::<Terrain>();
                }
            }
            Edit::SetTexture { tile, texture } => {
                if let Some(tile) = pick(tiles, tile) {
                    world.entity_mut(tile).insert(TileTextureIndex(texture));
                }
            }
            Edit::RemoveTexture { tile } => {
                if let Some(tile) = pick(tiles, tile) {
                    world.entity_mut(tile).remove::<TileTextureIndex>();
                }
            }
            Edit::RemoveTilemapId { tile } => {
                if let Some(tile) = pick(tiles, tile) {
                    world.entity_mut(tile).remove::<TilemapId>();
                }
            }
            Edit::Disable { tile } => {
                if let Some(tile) = pick(tiles, tile) {
                    world.entity_mut(tile).insert(Disabled);
                }
            }
            Edit::Enable { tile } => {
                if let Some(tile) = pick(tiles, tile) {
                    world.entity_mut(tile).remove::<Disabled>();
                }
            }
            Edit::Join { layer, map, order } => {
                world.entity_mut(tilemaps[layer]).insert(NavLayer::new(tilemaps[map]).with_order(order));
                self.joined.retain(|&(joined, ..)| joined != layer);
                self.joined.push((layer, map, order));
            }
            Edit::Part { layer } => {
                world.entity_mut(tilemaps[layer]).remove::<NavLayer>();
                self.joined.retain(|&(joined, ..)| joined != layer);
            }
            Edit::SetTable { tilemap, class } => {
                let mut tilemap = world.entity_mut(tilemaps[tilemap]);
                match class {
                    Some(class) => tilemap.insert(TextureTerrain::new([(1, class)])),
                    None => tilemap.remove::<TextureTerrain>(),
                };
            }
            Edit::Resize { tilemap, width, height } => {
                world.entity_mut(tilemaps[tilemap]).insert(TilemapSize::new(width, height));
            }
            Edit::SetMissing { map, class } => {
                if let Some(mut map) = world.get_mut::<NavMap>(tilemaps[map]) {
                    map.missing_tile = MissingTile::Class(class);
                }
            }
            Edit::RemoveNavMap { map } => {
                world.entity_mut(tilemaps[map]).remove::<NavMap>();
            }
            Edit::InsertNavMap { map } => {
                world.entity_mut(tilemaps[map]).insert_if_new(NavMap::default());
            }
            Edit::SpawnObstacle { x, y } => {
                self.obstacles.push(world.spawn((Obstacle::default(), at(x, y))).id());
            }
            Edit::MoveObstacle { obstacle, x, y } => {
                if let Some(obstacle) = pick(&self.obstacles, obstacle) {
                    *world.get_mut::<Transform>(obstacle).unwrap() = at(x, y);
                }
            }
            Edit::DespawnObstacle { obstacle } => {
                if !self.obstacles.is_empty() {
                    let index = obstacle % self.obstacles.len();
                    world.despawn(self.obstacles.swap_remove(index));
                }
            }
            Edit::Tick => self.tick(),
        }
    }

    fn tick(&mut self) {
        self.game.tick();
        for map in [0, 3] {
            let entity = self.game.world().entity(self.tilemaps[map]);
            let Some(nav_map) = entity.get::<NavMap>() else { continue };
            let grid = entity.get::<NavGrid>().unwrap();
            assert!(grid.is_ready());
            let expected = self.expected(map, nav_map.missing_tile);
            assert!(expected.keys().all(|&(x, y)| grid.bounds().contains(Cell::new(x, y))), "map {map}");
            for cell in grid.bounds().cells() {
                assert_eq!(grid.terrain(cell), expected.get(&(cell.x, cell.y)).copied(), "map {map}: {cell}");
            }
        }
    }

    /// Returns the expected classes of the map's cells that a tilemap covers, from the rules in the
    /// documentation.
    fn expected(&self, map: usize, missing: MissingTile) -> BTreeMap<(i32, i32), u8> {
        let world = self.game.world();
        // The classes that the tiles of each tilemap name for each of its cells.
        let mut said: BTreeMap<(usize, u32, u32), Vec<Option<u8>>> = BTreeMap::new();
        for tile in
            self.tiles.iter().map(|&tile| world.entity(tile)).filter(|tile| !tile.contains::<Disabled>())
        {
            let (Some(position), Some(tilemap)) = (tile.get::<TilePos>(), tile.get::<TilemapId>()) else {
                continue;
            };
            let Some(index) = self.tilemaps.iter().position(|known| *known == tilemap.0) else { continue };
            let size = world.get::<TilemapSize>(tilemap.0).unwrap();
            if position.x >= size.x || position.y >= size.y {
                continue;
            }
            let from_texture =
                || world.get::<TextureTerrain>(tilemap.0)?.class_of(tile.get::<TileTextureIndex>()?.0);
            let class = tile.get::<Terrain>().map(|terrain| terrain.0).or_else(from_texture);
            said.entry((index, position.x, position.y)).or_default().push(class);
        }
        let blocked: BTreeSet<(i32, i32)> = self
            .obstacles
            .iter()
            .map(|&obstacle| world.get::<Transform>(obstacle).unwrap().translation / TILE)
            .map(|cell| (cell.x as i32, cell.y as i32))
            .collect();

        let mut layers = vec![(0, map)];
        layers.extend(self.joined.iter().filter(|joined| joined.1 == map).map(|joined| (joined.2, joined.0)));
        layers.sort_by_key(|layer| layer.0);

        let covered: BTreeSet<(u32, u32)> = layers
            .iter()
            .map(|&(_, layer)| world.get::<TilemapSize>(self.tilemaps[layer]).unwrap())
            .flat_map(|size| (0..size.x).flat_map(|x| (0..size.y).map(move |y| (x, y))))
            .collect();
        let mut classes = BTreeMap::new();
        for (x, y) in covered {
            let top = layers.iter().rev().find_map(|&(_, layer)| {
                let said = said.get(&(layer, x, y))?;
                let mut named: Vec<u8> = said.iter().copied().flatten().collect();
                named.sort_unstable();
                match (named.first(), named.last()) {
                    (Some(0), _) => Some(0),
                    (_, Some(&largest)) => Some(largest),
                    _ => None,
                }
            });
            let has_tile = layers.iter().any(|&(_, layer)| said.contains_key(&(layer, x, y)));
            let without_class = if has_tile { 1 } else { missing.class() };
            let cell = (x as i32, y as i32);
            let class = if blocked.contains(&cell) { 0 } else { top.unwrap_or(without_class) };
            classes.insert(cell, class);
        }
        classes
    }
}

fn at(x: u32, y: u32) -> Transform {
    Transform::from_xyz(x as f32 * TILE, y as f32 * TILE, 0.0)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_grid_equals_a_fresh_look_at_the_entities(edits in proptest::collection::vec(edit(), 1..200)) {
        let mut level = Level::new();
        for edit in &edits {
            level.apply(edit);
        }
        level.tick();
    }
}

#[test]
fn oracle_distinguishes_a_bridge_over_water_and_a_hole() {
    let mut level = Level::new();
    for edit in [
        Edit::SetMissing { map: 0, class: 0 },
        Edit::Resize { tilemap: 0, width: 3, height: 1 },
        Edit::Spawn { tilemap: 0, x: 0, y: 0, class: Some(0), texture: 0 },
        Edit::Spawn { tilemap: 0, x: 1, y: 0, class: None, texture: 0 },
        Edit::Spawn { tilemap: 1, x: 0, y: 0, class: Some(4), texture: 0 },
        Edit::Join { layer: 1, map: 0, order: 1 },
    ] {
        level.apply(&edit);
    }
    level.tick();
    let expected = level.expected(0, MissingTile::Wall);
    assert_eq!([0, 1, 2].map(|x| expected[&(x, 0)]), [4, 1, 0]);
    let grid = level.game.world().get::<NavGrid>(level.tilemaps[0]).unwrap();
    assert_eq!(grid.terrain(Cell::new(0, 0)), Some(4));
}
