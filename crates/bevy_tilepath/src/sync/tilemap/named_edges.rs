//! Named edges of tiles.

use std::collections::BTreeMap;

use bevy_ecs::{
    change_detection::DetectChangesMut,
    entity::{Entity, EntityHashMap, EntityHashSet},
    resource::Resource,
    system::{Query, ResMut},
};
use bevy_ecs_tilemap::{map::TilemapId, tiles::TilePos};
use tilepath::{Bounds, Cell, Direction, GridError};
use tracing::warn;

use super::edges::{cell_on, layers};
use crate::map::{edges::Edges, nav_grid::NavGrid, projection::NavProjection};

/// The named edges of all tiles, as last entered.
#[derive(Resource, Default)]
pub(crate) struct NamedTileEdges {
    maps: EntityHashMap<MapEdges>,
    /// Tiles that name a side that does not exist.
    warned: EntityHashSet,
}

impl NamedTileEdges {
    pub(crate) fn entry_count(&self) -> usize {
        self.maps.values().map(|map| 1 + map.sides.len()).sum::<usize>() + self.warned.len()
    }
}

/// The sides of cells under each name, with the tile that names them last.
type Sides = BTreeMap<(String, Cell), (Vec<Direction>, Entity)>;

/// The named edges of one map.
#[derive(Default)]
struct MapEdges {
    generation: u64,
    bounds: Option<Bounds>,
    sides: Sides,
}

/// Brings the named edges of every map up to date with its tiles.
pub(crate) fn follow_named_edges(
    mut known: ResMut<NamedTileEdges>,
    tiles: Query<(Entity, &TilePos, &TilemapId, &Edges)>,
    mut maps: Query<(Entity, &mut NavGrid, &NavProjection)>,
) {
    if tiles.is_empty() && known.entry_count() == 0 {
        return;
    }
    let NamedTileEdges { maps: before, warned } = &mut *known;
    warned.retain(|&tile| tiles.contains(tile));
    let layers = layers(&maps.as_readonly());
    let mut now: EntityHashMap<Sides> = EntityHashMap::default();
    for (tile, place, tilemap, edges) in &tiles {
        for &(map, offset) in layers.get(&tilemap.0).into_iter().flatten() {
            let Ok((_, _, projection)) = maps.get(map) else { continue };
            let key = (edges.name.clone(), cell_on(projection, *place, offset));
            let sides = now.entry(map).or_default().entry(key).or_insert((Vec::new(), tile));
            sides.0.extend(&edges.sides);
        }
    }
    before.retain(|&map, _| maps.contains(map));
    for (map, mut grid, _) in &mut maps {
        let sides = now.remove(&map).unwrap_or_default();
        if sides.is_empty() && !before.contains_key(&map) {
            continue;
        }
        let known = before.entry(map).or_default();
        let (generation, bounds) = (grid.generation(), Some(grid.bounds()));
        if known.sides == sides && (known.generation, known.bounds) == (generation, bounds) {
            continue;
        }
        let changed = write(grid.bypass_change_detection(), &known.sides, &sides, |tile, error| {
            if warned.insert(tile) {
                warn!(
                    "tile {tile} names an edge that map {map} does not have: {error}; on squares give Edges straight directions, on hexagons leave out NorthEast and SouthWest"
                );
            }
        });
        if changed {
            grid.set_changed();
        }
        *known = MapEdges { generation, bounds, sides };
        if known.sides.is_empty() {
            before.remove(&map);
        }
    }
}

/// Replaces the sides of `before` by the sides of `now`. Returns whether this changed the grid.
fn write(
    grid: &mut NavGrid,
    before: &Sides,
    now: &Sides,
    mut refused: impl FnMut(Entity, GridError),
) -> bool {
    let gone = before.keys().filter(|key| !now.contains_key(*key)).map(|key| (key, &[][..], None));
    let here = now.iter().map(|(key, (sides, tile))| (key, &sides[..], Some(*tile)));
    let mut changed = false;
    for ((name, cell), sides, tile) in gone.chain(here) {
        let bounds = grid.bounds();
        // Beyond the map there is nothing to cross.
        let on_map = sides
            .iter()
            .copied()
            .filter(|side| bounds.contains(*cell) && bounds.contains(*cell + side.offset()));
        match grid.write_edges(name, *cell, on_map) {
            Ok(has_changed) => changed |= has_changed,
            Err(GridError::OutOfBounds { .. }) => {}
            Err(error) => tile.into_iter().for_each(|tile| refused(tile, error)),
        }
    }
    changed
}
