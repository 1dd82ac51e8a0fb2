//! The last search of an agent, as the laboratory shows it.

use bevy_color::Color;
use bevy_ecs::{
    component::Component,
    entity::Entity,
    query::With,
    reflect::ReflectComponent,
    system::{Query, Res},
};
use bevy_gizmos::{config::GizmoConfigStore, gizmos::Gizmos};
use bevy_math::Vec2;
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use tilepath::{Bounds, Cell, CellState};

use crate::{
    debug_draw::TilepathGizmos,
    nav_map::{NavGrid, NavMap},
    projection::NavProjection,
    search::Searches,
};

/// Put it on an agent, and [`TilepathDebugPlugin`](crate::TilepathDebugPlugin) draws its search while it is under way,
/// and after that its last one: which cells were expanded, which were reached, and the way. Feature `debug_draw`.
///
/// Searches on tile maps are drawn; of a journey through doors it is the stretch searched last. Where jump points are
/// searched, they are the cells that are expanded and reached. What was searched before this was inserted is not known.
///
/// Nothing is kept and nothing drawn for agents without it. With it, the cells of one search are kept, and all cells of the
/// map are looked at once when a search ends.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_tilepath::{PathAgent, ShowSearch};
///
/// fn select(mut commands: Commands, shown: Query<Entity, With<ShowSearch>>, clicked: Entity) {
///     for agent in &shown {
///         commands.entity(agent).remove::<ShowSearch>();
///     }
///     commands.entity(clicked).insert(ShowSearch::default());
/// }
/// ```
#[derive(Component, Debug, Clone, Default, Reflect)]
#[reflect(Component, Default, Debug, Clone)]
pub struct ShowSearch {
    #[reflect(ignore)]
    pub(crate) last: Option<SearchPicture>,
}

/// What a search has made of a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SearchPicture {
    pub(crate) map: Entity,
    pub(crate) closed: Vec<Cell>,
    pub(crate) open: Vec<Cell>,
    pub(crate) path: Vec<Cell>,
}

impl SearchPicture {
    pub(crate) fn new(
        map: Entity,
        bounds: Bounds,
        state: impl Fn(Cell) -> CellState,
        path: Vec<Cell>,
    ) -> Self {
        let mut picture = Self { map, closed: Vec::new(), open: Vec::new(), path };
        for cell in bounds.cells() {
            match state(cell) {
                CellState::Closed => picture.closed.push(cell),
                CellState::Open => picture.open.push(cell),
                CellState::Unseen => {}
            }
        }
        picture
    }

    fn cell_count(&self) -> usize {
        self.closed.len() + self.open.len() + self.path.len()
    }
}

pub(super) fn draw_searches(
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

/// A square around the centre of a cell; its size is a share of the cell's.
fn frame(
    gizmos: &mut Gizmos<TilepathGizmos>,
    projection: &NavProjection,
    cell: Cell,
    share: f32,
    color: Color,
) {
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    gizmos.lineloop_2d(corners.map(|(x, y)| within(projection, cell, share * Vec2::new(x, y))), color);
}

/// Diagonal lines that go on in the next cell: a shade that lets the ground through.
fn hatch(gizmos: &mut Gizmos<TilepathGizmos>, projection: &NavProjection, cell: Cell, color: Color) {
    for (from, to) in [((-0.5, 0.0), (0.0, 0.5)), ((-0.5, -0.5), (0.5, 0.5)), ((0.0, -0.5), (0.5, 0.0))] {
        let [from, to] = [from, to].map(|(x, y)| within(projection, cell, Vec2::new(x, y)));
        gizmos.line_2d(from, to, color);
    }
}

/// A place in the world, by its distance from the centre of a cell in cells.
fn within(projection: &NavProjection, cell: Cell, offset: Vec2) -> Vec2 {
    projection.world_of(projection.position_of(cell) + projection.cell_size() * offset)
}
