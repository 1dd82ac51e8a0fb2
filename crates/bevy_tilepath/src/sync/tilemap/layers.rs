//! Which tilemaps are read, and how they lie on their maps.

use std::fmt;

use bevy_ecs::{
    change_detection::DetectChangesMut,
    entity::{Entity, EntityHashSet},
    query::QueryData,
    system::{Commands, Query, ResMut},
};
use bevy_ecs_tilemap::{
    anchor::TilemapAnchor,
    map::{TilemapGridSize, TilemapSize, TilemapTileSize, TilemapType},
    tiles::TilePos,
};
use bevy_math::Vec2;
use tilepath::{Bounds, Cell, GridError};
use tracing::error;

use crate::{
    map::{
        layer::{NavLayer, NavLayers},
        nav_map::NavMap,
        projection::NavProjection,
        terrain::TextureTerrain,
    },
    sync::tilemap::{
        claims::LayerClaims,
        known::{MapPlan, TilemapSync},
        slots::watch_textures,
    },
};

/// Why a tilemap is not read.
enum Refusal {
    NotSquare(TilemapType),
    GridSize(Option<Vec2>),
    TooLarge(GridError),
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSquare(map_type) => {
                write!(
                    formatter,
                    "its type is {map_type:?}, and only TilemapType::Square can be searched: give it that type, or \
                     take NavMap off it"
                )
            }
            Self::GridSize(Some(size)) => write!(
                formatter,
                "its grid size is {} by {}: give it a TilemapGridSize above zero, usually that of its tiles",
                size.x, size.y
            ),
            Self::GridSize(None) => {
                write!(formatter, "it has no TilemapGridSize: give it one, usually the size of its tiles")
            }
            Self::TooLarge(error) => write!(formatter, "{error}; give it a smaller TilemapSize"),
        }
    }
}

#[derive(QueryData)]
pub(crate) struct TilemapGeometry {
    size: &'static TilemapSize,
    grid_size: Option<&'static TilemapGridSize>,
    tile_size: Option<&'static TilemapTileSize>,
    map_type: Option<&'static TilemapType>,
    anchor: Option<&'static TilemapAnchor>,
}

impl TilemapGeometryItem<'_, '_> {
    fn bounds(&self) -> Result<Bounds, Refusal> {
        let map_type = self.map_type.copied().unwrap_or_default();
        if map_type != TilemapType::Square {
            return Err(Refusal::NotSquare(map_type));
        }
        let grid_size = self.grid_size.map(Vec2::from).ok_or(Refusal::GridSize(None))?;
        if !grid_size.is_finite() || grid_size.min_element() <= 0.0 {
            return Err(Refusal::GridSize(Some(grid_size)));
        }
        Bounds::new(Cell::new(0, 0), self.size.x, self.size.y).map_err(Refusal::TooLarge)
    }

    /// The size of a cell and the centre of cell (0, 0), as the tilemap is drawn.
    fn cells(&self) -> (Vec2, Vec2) {
        let grid_size = self.grid_size.copied().unwrap_or_default();
        let tile_size = self.tile_size.copied().unwrap_or(TilemapTileSize::new(grid_size.x, grid_size.y));
        // The anchor of a map without cells is not defined: there is no last tile to measure to.
        let origin = if self.size.x == 0 || self.size.y == 0 {
            Vec2::ZERO
        } else {
            TilePos::new(0, 0).center_in_world(
                self.size,
                &grid_size,
                &tile_size,
                &TilemapType::Square,
                &self.anchor.copied().unwrap_or_default(),
            )
        };
        (grid_size.into(), origin)
    }
}

/// Lists the maps that can be read, with their layers in order, and sets their projections.
pub(crate) fn plan_maps(
    mut sync: ResMut<TilemapSync>,
    mut maps: Query<(Entity, &NavMap, TilemapGeometry, Option<&NavLayers>, &mut NavProjection)>,
    layers: Query<(&NavLayer, &TilemapSize)>,
) {
    let sync = &mut *sync;
    sync.plans.clear();
    sync.refused.retain(|&tilemap, _| maps.contains(tilemap) || layers.contains(tilemap));
    for (map, nav_map, geometry, joined, mut projection) in &mut maps {
        let bounds = match geometry.bounds() {
            Ok(bounds) => bounds,
            Err(refusal) => {
                refuse(sync, map, refusal);
                continue;
            }
        };
        sync.refused.remove(&map);

        let (cell_size, origin) = geometry.cells();
        let filled_in = projection.with_cells(cell_size, origin);
        projection.set_if_neq(filled_in);

        let mut ordered = vec![(0, map)];
        if let Some(joined) = joined {
            ordered.extend(
                joined
                    .iter()
                    .filter_map(|layer| layers.get(layer).ok().map(|(joined, _)| (joined.order, layer))),
            );
        }
        ordered.sort_by_key(|&(order, _)| order);
        let layers = ordered.into_iter().map(|(_, layer)| layer).collect();
        sync.plans.push(MapPlan { map, bounds, missing: nav_map.missing_tile.class(), layers });
    }
}

/// Tells the user why a tilemap is not read, once for each reason.
fn refuse(sync: &mut TilemapSync, tilemap: Entity, refusal: Refusal) {
    let reason = refusal.to_string();
    if sync.refused.get(&tilemap) != Some(&reason) {
        error!("tilemap {tilemap} cannot be searched: {reason}");
        sync.refused.insert(tilemap, reason);
    }
}

/// Prepares the cells of every tilemap that is read. Those of a tilemap that is new, was resized or has
/// another texture table are emptied, to be filled from all of its tiles.
pub(crate) fn follow_layers(
    mut sync: ResMut<TilemapSync>,
    tilemaps: Query<(&TilemapSize, Option<&TextureTerrain>)>,
    mut commands: Commands,
) {
    let sync = &mut *sync;
    let read: EntityHashSet = sync.plans.iter().flat_map(|plan| plan.layers.iter().copied()).collect();
    sync.claims.retain(|tilemap, _| read.contains(tilemap));
    sync.to_fill.clear();
    for tilemap in read {
        let Ok((size, table)) = tilemaps.get(tilemap) else { continue };
        if table.is_some() && !sync.watches_textures {
            sync.watches_textures = true;
            watch_textures(&mut commands);
        }
        let present = sync.claims.get(&tilemap);
        if present.is_some_and(|claims| claims.fits(size.x, size.y, table)) {
            continue;
        }
        let epoch = sync.next_epoch;
        match LayerClaims::new(size.x, size.y, table, epoch) {
            Ok(claims) => {
                let claims = claims.after(present);
                sync.claims.insert(tilemap, claims);
                sync.next_epoch = epoch.wrapping_add(1);
                sync.refused.remove(&tilemap);
                sync.to_fill.insert(tilemap);
            }
            Err(error) => {
                sync.claims.remove(&tilemap);
                refuse(sync, tilemap, Refusal::TooLarge(error));
            }
        }
    }
}
