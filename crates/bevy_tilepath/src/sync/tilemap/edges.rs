//! Edges that tiles close.

use std::collections::BTreeSet;

use bevy_ecs::{
    change_detection::DetectChangesMut,
    entity::{Entity, EntityHashMap, EntityHashSet},
    query::AnyOf,
    resource::Resource,
    system::{Query, ResMut},
};
use bevy_ecs_tilemap::{map::TilemapId, tiles::TilePos};
use bevy_math::{IVec2, UVec2};
use tilepath::{Bounds, Cell, Direction, Edit, Grid, GridError};
use tracing::warn;

use crate::map::{
    cells::ToCell,
    edges::{Fence, Ledge, OneWay},
    nav_grid::NavGrid,
    projection::NavProjection,
};

/// The edges of all tiles, as last entered.
#[derive(Resource, Default)]
pub(crate) struct TileEdges {
    maps: EntityHashMap<MapEdges>,
    /// Tiles that name a direction that does not exist.
    warned: EntityHashSet,
}

impl TileEdges {
    pub(crate) fn entry_count(&self) -> usize {
        self.maps.values().map(|map| 1 + map.edges.len()).sum::<usize>() + self.warned.len()
    }
}

/// The edges of one map.
#[derive(Default)]
struct MapEdges {
    generation: u64,
    bounds: Option<Bounds>,
    /// The edges, sorted.
    edges: Vec<Edge>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Edge {
    cell: Cell,
    /// The direction as a number: directions cannot be sorted.
    direction: u8,
    kind: Kind,
    tile: Entity,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    OneWay,
    Ledge,
    Fence,
}

type TileEdge<'a> = (Entity, &'a TilePos, &'a TilemapId, AnyOf<(&'a OneWay, &'a Ledge, &'a Fence)>);

/// Brings the exits of every map up to date with its tiles.
pub(crate) fn follow_edges(
    mut known: ResMut<TileEdges>,
    tiles: Query<TileEdge>,
    mut maps: Query<(Entity, &mut NavGrid, &NavProjection)>,
) {
    if tiles.is_empty() && known.entry_count() == 0 {
        return;
    }
    let TileEdges { maps: before, warned } = &mut *known;
    warned.retain(|&tile| tiles.contains(tile));
    let layers = layers(&maps.as_readonly());
    let mut now: EntityHashMap<Vec<Edge>> = EntityHashMap::default();
    for (tile, place, tilemap, (one_way, ledge, fence)) in &tiles {
        for &(map, offset) in layers.get(&tilemap.0).into_iter().flatten() {
            let Ok((_, _, projection)) = maps.get(map) else { continue };
            let cell = cell_on(projection, *place, offset);
            let edge = |kind, direction: Direction| Edge { cell, direction: direction as u8, kind, tile };
            let edges = now.entry(map).or_default();
            edges.extend(one_way.map(|&OneWay(direction)| edge(Kind::OneWay, direction)));
            edges.extend(ledge.map(|&Ledge(direction)| edge(Kind::Ledge, direction)));
            edges.extend(fence.iter().flat_map(|fence| &fence.0).map(|&side| edge(Kind::Fence, side)));
        }
    }
    before.retain(|&map, _| maps.contains(map));
    for (map, mut grid, _) in &mut maps {
        let mut edges = now.remove(&map).unwrap_or_default();
        edges.sort_unstable();
        if edges.is_empty() && !before.contains_key(&map) {
            continue;
        }
        let known = before.entry(map).or_default();
        let (generation, bounds) = (grid.generation(), Some(grid.bounds()));
        if known.edges == edges && (known.generation, known.bounds) == (generation, bounds) {
            continue;
        }
        let changed = close(grid.bypass_change_detection(), &known.edges, &edges, |tile, error| {
            if warned.insert(tile) {
                warn!(
                    "tile {tile} names an edge that map {map} does not have: {error}; on hexagons leave out NorthEast and SouthWest, and give a Ledge a straight direction"
                );
            }
        });
        if changed {
            grid.set_changed();
        }
        *known = MapEdges { generation, bounds, edges };
        if known.edges.is_empty() {
            before.remove(&map);
        }
    }
}

/// Returns for each tilemap the maps that it fills, each with the offset of its cells.
pub(super) fn layers(
    maps: &Query<(Entity, &NavGrid, &NavProjection)>,
) -> EntityHashMap<Vec<(Entity, IVec2)>> {
    let mut layers: EntityHashMap<Vec<(Entity, IVec2)>> = EntityHashMap::default();
    for (map, grid, _) in maps {
        for &(tilemap, offset) in &grid.tilemaps {
            layers.entry(tilemap).or_default().push((map, offset));
        }
    }
    layers
}

/// Returns the cell of a tile on a map, given the offset of its tilemap.
pub(super) fn cell_on(projection: &NavProjection, place: TilePos, offset: IVec2) -> Cell {
    let cell = projection.lattice().cell_of(UVec2::from(place).to_cell().into());
    Cell::new(cell.x.saturating_add(offset.x), cell.y.saturating_add(offset.y))
}

/// Opens the edges of `before` and closes the edges of `now`. Returns whether this changed the
/// grid.
fn close(
    grid: &mut NavGrid,
    before: &[Edge],
    now: &[Edge],
    mut refused: impl FnMut(Entity, GridError),
) -> bool {
    let bounds = grid.bounds();
    // The core decides which exits each kind closes.
    let closed = Grid::new(bounds.width(), bounds.height(), 1)
        .and_then(|closed| closed.with_topology(grid.grid().topology()).with_origin(bounds.origin()));
    let Ok(mut closed) = closed else { return false };
    for edge in now.iter().filter(|edge| bounds.contains(edge.cell)) {
        let direction = Direction::ALL[usize::from(edge.direction)];
        let next = edge.cell + direction.offset();
        let edit = match edge.kind {
            Kind::OneWay => Edit::one_way(edge.cell, next),
            Kind::Fence => Edit::fence(edge.cell, next),
            Kind::Ledge => Edit::ledge(edge.cell, direction),
        };
        match closed.edit(&[edit]) {
            // Beyond the map there is nothing to close.
            Ok(_) | Err(GridError::OutOfBounds { .. }) => {}
            Err(error) => refused(edge.tile, error),
        }
    }
    let around = |edge: &Edge| {
        let Cell { x, y } = edge.cell;
        (-2..=2)
            .flat_map(move |dy| (-2..=2).map(move |dx| Cell::new(x.saturating_add(dx), y.saturating_add(dy))))
    };
    let touched: BTreeSet<Cell> = before.iter().chain(now).flat_map(around).collect();
    touched.into_iter().fold(false, |changed, cell| {
        changed | closed.exits(cell).is_some_and(|exits| grid.write_exits(cell, exits))
    })
}
