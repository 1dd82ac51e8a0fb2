//! Named edges of tiles.

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

/// A side of a cell under a name. The name is borrowed while tiles are read in each tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Side<N> {
    name: N,
    cell: Cell,
    /// The direction as a number: directions cannot be sorted.
    direction: u8,
    tile: Entity,
}

impl<N: AsRef<str>> Side<N> {
    fn borrowed(&self) -> Side<&str> {
        let Self { ref name, cell, direction, tile } = *self;
        Side { name: name.as_ref(), cell, direction, tile }
    }

    /// Returns the key by which sides are written together.
    fn key(&self) -> (&str, Cell) {
        (self.name.as_ref(), self.cell)
    }
}

/// The named edges of one map.
#[derive(Default)]
struct MapEdges {
    generation: u64,
    bounds: Option<Bounds>,
    /// The sides, sorted.
    sides: Vec<Side<String>>,
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
    let mut now: EntityHashMap<Vec<Side<&str>>> = EntityHashMap::default();
    for (tile, place, tilemap, edges) in &tiles {
        for &(map, offset) in layers.get(&tilemap.0).into_iter().flatten() {
            let Ok((_, _, projection)) = maps.get(map) else { continue };
            let (name, cell) = (&*edges.name, cell_on(projection, *place, offset));
            let side = |&direction: &Direction| Side { name, cell, direction: direction as u8, tile };
            now.entry(map).or_default().extend(edges.sides.iter().map(side));
        }
    }
    before.retain(|&map, _| maps.contains(map));
    for (map, mut grid, _) in &mut maps {
        let mut sides = now.remove(&map).unwrap_or_default();
        sides.sort_unstable();
        if sides.is_empty() && !before.contains_key(&map) {
            continue;
        }
        let known = before.entry(map).or_default();
        let (generation, bounds) = (grid.generation(), Some(grid.bounds()));
        if known.sides.iter().map(Side::borrowed).eq(sides.iter().copied())
            && (known.generation, known.bounds) == (generation, bounds)
        {
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
        let owned = |side: Side<&str>| {
            let Side { name, cell, direction, tile } = side;
            Side { name: name.to_owned(), cell, direction, tile }
        };
        *known = MapEdges { generation, bounds, sides: sides.into_iter().map(owned).collect() };
        if known.sides.is_empty() {
            before.remove(&map);
        }
    }
}

/// Replaces the sides of `before` by the sides of `now`. Returns whether this changed the grid.
fn write(
    grid: &mut NavGrid,
    before: &[Side<String>],
    now: &[Side<&str>],
    mut refused: impl FnMut(Entity, GridError),
) -> bool {
    let is_gone = |side: &&Side<String>| now.binary_search_by(|other| other.key().cmp(&side.key())).is_err();
    let gone = before.iter().filter(is_gone).map(|side| (side.key(), &[][..]));
    let here = now.chunk_by(|one, other| one.key() == other.key()).map(|sides| (sides[0].key(), sides));
    let mut changed = false;
    for ((name, cell), sides) in gone.chain(here) {
        let bounds = grid.bounds();
        // Beyond the map there is nothing to cross.
        let on_map = (sides.iter())
            .map(|side| Direction::ALL[usize::from(side.direction)])
            .filter(|side| bounds.contains(cell) && bounds.contains(cell + side.offset()));
        match grid.write_edges(name, cell, on_map) {
            Ok(has_changed) => changed |= has_changed,
            Err(GridError::OutOfBounds { .. }) => {}
            Err(error) => sides.iter().for_each(|side| refused(side.tile, error)),
        }
    }
    changed
}
