//! The tilemaps that are read, and their places on maps.

#[cfg(feature = "tilemap")]
use bevy_ecs::system::Commands;
use bevy_ecs::{
    change_detection::DetectChangesMut,
    entity::{Entity, EntityHashSet},
    system::{Query, ResMut},
};
use bevy_math::{IVec2, Vec2};
use tilepath::Lattice;
use tracing::{error, warn};

#[cfg(feature = "tilemap")]
use crate::sync::tilemap::slots::watch_textures;
use crate::{
    map::{
        cells::ToCell,
        lattice::LatticeShape,
        layer::{NavLayer, NavLayers},
        nav_grid::NavGrid,
        nav_map::{MissingTile, NavMap},
        projection::NavProjection,
        terrain::TextureTerrain,
        world_places::WorldPlaces,
    },
    sync::tilemap::{
        claims::LayerClaims,
        geometry::{TilemapGeometry, TilemapKind, Tilemaps},
        known::{MapPlan, PlannedLayer, TilemapSync},
        rectangle::Rectangle,
        refusal::Refusal,
    },
};

/// The distance of a layer from its place, in cells, above which a warning is given.
const OFF_PLACE: f32 = 0.01;

/// Lists the maps that can be read, with their layers in order, and sets their projections.
pub(crate) fn plan_maps(
    mut sync: ResMut<TilemapSync>,
    mut maps: Query<(Entity, &NavMap, &NavGrid, Option<&NavLayers>, &mut NavProjection)>,
    tilemaps: Tilemaps,
    layers: Query<&NavLayer>,
    places: WorldPlaces,
) {
    let sync = &mut *sync;
    sync.plans.clear();
    sync.refused.retain(|&tilemap, _| maps.contains(tilemap) || layers.contains(tilemap));
    sync.warned.retain(|&tilemap| maps.contains(tilemap) || layers.contains(tilemap));
    for (map, nav_map, grid, joined, mut projection) in &mut maps {
        let own = tilemaps.get(map);
        let mut parts: Vec<Part> = own
            .map(|geometry| Part { tilemap: map, order: 0, offset: IVec2::ZERO, geometry })
            .into_iter()
            .collect();
        let is_chunked = parts.is_empty();
        parts.extend(joined.into_iter().flat_map(NavLayers::iter).filter_map(|tilemap| {
            let NavLayer { order, offset, .. } = *layers.get(tilemap).ok()?;
            let geometry = tilemaps.get(tilemap)?;
            Some(Part { tilemap, order, offset: offset.saturating_add(geometry.first_cell), geometry })
        }));
        let Some((lattice, cell_size)) = first_cells(sync, &parts, is_chunked, &projection) else { continue };

        parts.retain(|part| match part.geometry.refusal_as_part_of(lattice, cell_size) {
            Some(refusal) => {
                refuse(sync, part.tilemap, &refusal);
                false
            }
            None => true,
        });
        // The map's own place is updated after the tiles.
        let map_place = places.of(map);
        let placed = projection.placed(map_place);
        if let Some(first) = parts.iter().find(|part| !part.is_grid()) {
            let mut origin = first.geometry.first_centre;
            if is_chunked && placed.is_somewhere() {
                let in_world = places.of(first.tilemap).transform_point2(origin);
                origin = placed.local_of(in_world) - lattice.shape() * first.offset.as_vec2() * cell_size;
            }
            let filled_in = projection.with_cells(lattice, cell_size, origin);
            // The origins computed from different chunks differ by rounding.
            if !(is_chunked && projection.is_nearly(&filled_in, OFF_PLACE)) {
                projection.set_if_neq(filled_in);
            }
        }

        let placed = projection.placed(map_place);

        parts.sort_by_key(|part| part.order);
        let mut needed: Option<Rectangle> = None;
        let mut own_only = None;
        let mut planned = Vec::with_capacity(parts.len());
        for part in &parts {
            let TilemapGeometry { kind, width, height, .. } = part.geometry;
            let lattice = if part.is_grid() { Lattice::Square } else { lattice };
            let rectangle =
                lattice.bounds_of(width, height).map(|bounds| Rectangle::of(&bounds).moved(part.offset));
            let fitting = rectangle.and_then(|rectangle| {
                let around = needed.map_or(rectangle, |needed| needed.around(&rectangle));
                around.bounds()?;
                Ok((rectangle.bounds()?, around))
            });
            match fitting {
                Ok((bounds, around)) => {
                    sync.refused.remove(&part.tilemap);
                    needed = Some(around);
                    if part.tilemap == map {
                        own_only = Some(Rectangle::of(&bounds));
                    }
                    planned.push(PlannedLayer {
                        tilemap: part.tilemap,
                        order: part.order,
                        offset: part.offset,
                        bounds,
                        lattice,
                        is_chunk: is_chunked,
                    });
                }
                Err(error) => refuse(sync, part.tilemap, &Refusal::TooLarge { kind, width, height, error }),
            }
            if part.tilemap != map && part.geometry.cells().is_ok() {
                warn_of_place(sync, map, part, &placed, &places);
            }
        }
        let Some(needed) = needed.filter(|_| is_chunked || own_only.is_some()) else { continue };
        let present = sync.written.get(&map).filter(|written| written.generation == grid.generation());
        let rectangle = match present {
            Some(written) if own_only != Some(needed) => needed.grown_from(&Rectangle::of(&written.bounds)),
            _ => needed,
        };
        let Ok(bounds) = rectangle.bounds() else { continue };
        let missing = nav_map.missing_tile.class();
        let is_missing_default = nav_map.missing_tile == MissingTile::default();
        sync.plans.push(MapPlan { map, lattice, bounds, missing, is_missing_default, layers: planned });
    }
}

/// A tilemap that belongs to a map.
struct Part {
    tilemap: Entity,
    order: i32,
    offset: IVec2,
    geometry: TilemapGeometry,
}

impl Part {
    fn is_grid(&self) -> bool {
        self.geometry.kind == TilemapKind::Grid
    }
}

/// Returns the cells of a map: from its own tilemap, or from the first layer that can be read. Grids have
/// the cells of the map's projection.
fn first_cells(
    sync: &mut TilemapSync,
    parts: &[Part],
    is_chunked: bool,
    projection: &NavProjection,
) -> Option<(Lattice, Vec2)> {
    let Some(first) = parts.iter().find(|part| !part.is_grid()) else {
        return (!parts.is_empty()).then(|| (projection.lattice(), projection.cell_size()));
    };
    let told = if is_chunked { parts } else { &parts[..1] };
    if let Some(cells) = told.iter().find_map(|part| part.geometry.cells().ok()) {
        return Some(cells);
    }
    if let Err(refusal) = first.geometry.cells() {
        refuse(sync, first.tilemap, &refusal);
    }
    None
}

/// Logs why a tilemap is not read, once for each reason.
fn refuse(sync: &mut TilemapSync, tilemap: Entity, refusal: &Refusal) {
    let reason = refusal.to_string();
    if sync.refused.get(&tilemap) != Some(&reason) {
        error!("tilemap {tilemap} cannot be searched: {reason}");
        sync.refused.insert(tilemap, reason);
    }
}

/// Warns, once for each layer, if it is not drawn at the place of its offset.
fn warn_of_place(
    sync: &mut TilemapSync,
    map: Entity,
    layer: &Part,
    projection: &NavProjection,
    places: &WorldPlaces,
) {
    let stands = projection.local_of(places.of(layer.tilemap).transform_point2(layer.geometry.first_centre));
    let belongs = projection.position_of(layer.offset.to_cell());
    let off = (stands - belongs) / projection.cell_size();
    // No warning if the map has no place in the world.
    if off.length() > OFF_PLACE && sync.warned.insert(layer.tilemap) {
        warn!(
            "tilemap {} is a layer of map {map} with the offset {}, and stands {} by {} cell sizes off: move its Transform, or \
             correct the offset of its NavLayer",
            layer.tilemap, layer.offset, off.x, off.y
        );
    }
}

/// Prepares the cells of every tilemap that is read. If a tilemap is new, was resized or has
/// another texture table, its cells are emptied, to be filled from all of its tiles.
pub(crate) fn follow_layers(
    mut sync: ResMut<TilemapSync>,
    tilemaps: Tilemaps,
    tables: Query<&TextureTerrain>,
    #[cfg(feature = "tilemap")] mut commands: Commands,
) {
    let sync = &mut *sync;
    let read: EntityHashSet =
        sync.plans.iter().flat_map(|plan| plan.layers.iter().map(|layer| layer.tilemap)).collect();
    sync.claims.retain(|tilemap, _| read.contains(tilemap));
    sync.to_fill.clear();
    for tilemap in read {
        let Some(geometry) = tilemaps.get(tilemap) else { continue };
        let table = tables.get(tilemap).ok();
        #[cfg(feature = "tilemap")]
        if geometry.kind == TilemapKind::Entities && table.is_some() && !sync.watches_textures {
            sync.watches_textures = true;
            watch_textures(&mut commands);
        }
        let present = sync.claims.get(&tilemap);
        if present.is_some_and(|claims| claims.fits(&geometry, table)) {
            continue;
        }
        let epoch = sync.next_epoch;
        match LayerClaims::new(&geometry, table, epoch) {
            Ok(claims) => {
                #[cfg(feature = "tilemap")]
                let claims = claims.after(present);
                sync.claims.insert(tilemap, claims);
                sync.next_epoch = epoch.wrapping_add(1);
                sync.refused.remove(&tilemap);
                sync.to_fill.insert(tilemap);
            }
            Err(error) => {
                sync.claims.remove(&tilemap);
                let TilemapGeometry { kind, width, height, .. } = geometry;
                refuse(sync, tilemap, &Refusal::TooLarge { kind, width, height, error });
            }
        }
    }
}
