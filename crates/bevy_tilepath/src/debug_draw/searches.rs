//! Gizmos of the last search of an agent.

use bevy_color::Color;
use bevy_ecs::{
    entity::Entity,
    query::With,
    system::{Query, Res},
};
use bevy_gizmos::{config::GizmoConfigStore, gizmos::Gizmos};
use bevy_math::Vec2;
use tilepath::Cell;

use crate::{
    debug_draw::{TilepathGizmos, frame, within},
    map::{nav_grid::NavGrid, nav_map::NavMap, projection::NavProjection},
    search::{
        searches::Searches,
        show_search::{SearchPicture, ShowSearch},
    },
};

pub(crate) fn draw_searches(
    mut gizmos: Gizmos<TilepathGizmos>,
    store: Res<GizmoConfigStore>,
    shown: Query<(Entity, &ShowSearch)>,
    searches: Option<Res<Searches>>,
    maps: Query<(&NavGrid, &NavProjection), With<NavMap>>,
) {
    let (_, style) = store.config::<TilepathGizmos>();
    if !style.searches {
        return;
    }
    for (agent, show) in &shown {
        let live = searches.as_ref().and_then(|searches| {
            let (map, state) = searches.search_of(agent)?.cell_states()?;
            let (grid, _) = maps.get(map).ok()?;
            (grid.bounds().cell_count() <= style.cell_limit)
                .then(|| SearchPicture::new(map, grid.bounds(), state, Vec::new()))
        });
        let Some(picture) = live.as_ref().or(show.last.as_ref()) else { continue };
        let Ok((_, projection)) = maps.get(picture.map) else { continue };
        if picture.cell_count() <= style.cell_limit {
            draw_picture(&mut gizmos, picture, projection, style);
        }
    }
}

fn draw_picture(
    gizmos: &mut Gizmos<TilepathGizmos>,
    picture: &SearchPicture,
    projection: &NavProjection,
    style: &TilepathGizmos,
) {
    for &cell in &picture.closed {
        hatch(gizmos, projection, cell, style.closed_color);
    }
    for &cell in &picture.open {
        for size in [0.34, 0.42] {
            frame(gizmos, projection, cell, size, style.open_color);
        }
    }
    for &cell in &picture.path {
        for size in [0.12, 0.2, 0.28] {
            frame(gizmos, projection, cell, size, style.search_path_color);
        }
    }
    let centres = picture.path.iter().map(|&cell| projection.world_position_of(cell));
    gizmos.linestrip_2d(centres, style.search_path_color);
}

/// Draws diagonal lines that continue in the next cell: a shade that leaves the ground visible.
fn hatch(gizmos: &mut Gizmos<TilepathGizmos>, projection: &NavProjection, cell: Cell, color: Color) {
    for (from, to) in [((-0.5, 0.0), (0.0, 0.5)), ((-0.5, -0.5), (0.5, 0.5)), ((0.0, -0.5), (0.5, 0.0))] {
        let [from, to] = [from, to].map(|(x, y)| within(projection, cell, Vec2::new(x, y)));
        gizmos.line_2d(from, to, color);
    }
}
