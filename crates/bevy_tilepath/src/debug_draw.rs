//! Gizmos of maps, paths, searches and bodies.

mod bodies;
mod graphs;
mod searches;

use bevy_app::{App, Plugin, PostUpdate};
use bevy_color::{Color, Mix};
use bevy_ecs::system::{Query, Res};
use bevy_gizmos::{
    AppGizmoBuilder, GizmoPlugin,
    config::{GizmoConfigGroup, GizmoConfigStore},
    gizmos::Gizmos,
};
use bevy_math::Vec2;
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use tilepath::{Bounds, Cell, CostTable, Lattice, Topology};

use crate::{
    journey::path::AgentPath,
    map::{
        lattice::LatticeShape, map_view::MapView, maps::Maps, nav_grid::NavGrid, projection::NavProjection,
    },
    search::show_search::ShowSearch,
};

/// A plugin that draws the data of pathfinding with gizmos. It needs the feature `debug_draw`. Use
/// it to see why units walk as they do.
///
/// The plugin draws walls, terrain costs, waypoint graphs, doors, the paths of agents, the searches
/// of agents with [`ShowSearch`], and the cells that bodies hold.
///
/// Add it beside [`TilepathPlugin`](crate::TilepathPlugin). To switch one part on or off, set a
/// field of the gizmo config group [`TilepathGizmos`]. To switch all parts, set
/// `GizmoConfig::enabled` of this group.
///
/// In an app without `GizmoPlugin`, the plugin does nothing.
#[derive(Debug, Default, Clone, Copy)]
pub struct TilepathDebugPlugin;

impl Plugin for TilepathDebugPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<TilepathGizmos>().register_type::<ShowSearch>();
    }

    // Whether the app has gizmos is known only after all plugins have been added.
    fn finish(&self, app: &mut App) {
        if app.is_plugin_added::<GizmoPlugin>() {
            app.init_gizmo_group::<TilepathGizmos>().add_systems(
                PostUpdate,
                (
                    draw_walls,
                    draw_costs,
                    graphs::draw_graphs,
                    graphs::draw_doors,
                    searches::draw_searches,
                    draw_paths,
                    bodies::draw_bodies,
                ),
            );
        }
    }
}

/// The gizmo config group of [`TilepathDebugPlugin`]: switches, colours and limits.
#[derive(Debug, Clone, PartialEq, Reflect, GizmoConfigGroup)]
#[type_path = "bevy_tilepath"]
#[reflect(Default, Debug, Clone, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct TilepathGizmos {
    /// Outlines of walls, obstacles and missing tiles.
    pub walls: bool,
    /// A mark on every cell that costs more than the cheapest one.
    pub costs: bool,
    /// Waypoint graphs: a circle for each waypoint, a line for each two-way edge, an arrow for each
    /// one-way edge.
    pub graphs: bool,
    /// Open doors: a line between the two ends of the door. It is an arrow if the door is one-way.
    /// If agents leap through a two-way door, a circle at each end is drawn instead.
    pub doors: bool,
    /// The rest of the path of each agent.
    pub paths: bool,
    /// The last search of each agent with [`ShowSearch`].
    pub searches: bool,
    /// Frames for each [`Body`](crate::Body): a large one around the cell that it holds, a smaller
    /// one around the cell that it leaves, and the smallest around the cell that it claims. If a
    /// body waits for another body, an arrow points to the other body. Both then have the colour
    /// [`stuck_color`](Self::stuck_color).
    pub bodies: bool,
    /// The colour of the outlines of walls, obstacles and missing tiles.
    pub wall_color: Color,
    /// The colour of marks on cells whose cost is near the lowest cost on the map.
    pub cheap_color: Color,
    /// The colour of marks on cells that have the highest cost on the map.
    pub costly_color: Color,
    /// The colour of waypoint graphs.
    pub graph_color: Color,
    /// The colour of doors.
    pub door_color: Color,
    /// The colour of paths.
    pub path_color: Color,
    /// The colour of cells that a search has expanded.
    pub closed_color: Color,
    /// The colour of cells that a search has reached and not expanded.
    pub open_color: Color,
    /// The colour of the path that a search has found.
    pub search_path_color: Color,
    /// The colour of bodies, and of the cells that they hold.
    pub body_color: Color,
    /// The colour of bodies that wait for others, and of the bodies that they wait for.
    pub stuck_color: Color,
    /// The colour of frames around claimed cells.
    pub claim_color: Color,
    /// The radius of the circle around a waypoint, in the space of its graph.
    pub waypoint_radius: f32,
    /// A limit for what is drawn. Walls and costs are drawn only on maps with at most this number
    /// of cells. A running search is drawn only on such maps. A finished search is drawn only if it
    /// has at most this number of cells.
    ///
    /// Bodies are drawn only on maps with at most this number of bodies.
    pub cell_limit: usize,
}

impl Default for TilepathGizmos {
    fn default() -> Self {
        Self {
            walls: true,
            costs: true,
            graphs: true,
            doors: true,
            paths: true,
            searches: true,
            bodies: true,
            wall_color: Color::srgb(0.95, 0.25, 0.2),
            cheap_color: Color::srgb(0.95, 0.85, 0.3),
            costly_color: Color::srgb(0.75, 0.2, 0.6),
            graph_color: Color::srgb(0.45, 0.85, 0.45),
            door_color: Color::srgb(0.95, 0.6, 0.9),
            path_color: Color::srgb(0.3, 0.75, 1.0),
            closed_color: Color::srgb(0.70, 0.65, 0.93),
            open_color: Color::srgb(0.42, 0.80, 0.58),
            search_path_color: Color::srgb(0.08, 0.09, 0.14),
            body_color: Color::srgb(0.35, 0.9, 0.85),
            stuck_color: Color::srgb(1.0, 0.45, 0.1),
            claim_color: Color::srgb(1.0, 0.9, 0.35),
            waypoint_radius: 4.0,
            cell_limit: 10_000,
        }
    }
}

impl TilepathGizmos {
    /// Returns the tile maps that are not too large to be drawn.
    fn maps_to_draw<'a>(&self, maps: &'a Maps) -> impl Iterator<Item = MapView<'a>> + use<'a> {
        let limit = self.cell_limit;
        maps.tile_maps().filter(move |view| view.grid.bounds().cell_count() <= limit)
    }
}

fn draw_walls(mut gizmos: Gizmos<TilepathGizmos>, store: Res<GizmoConfigStore>, maps: Maps) {
    let (_, style) = store.config::<TilepathGizmos>();
    if !style.walls {
        return;
    }
    for view in style.maps_to_draw(&maps) {
        let MapView { grid, projection, .. } = view;
        let is_wall = |cell| !view.is_passable(cell);
        if projection.lattice().topology() == Topology::Hexagonal {
            for (cell, [from, to]) in hexagon_outlines(grid.bounds(), is_wall) {
                let [from, to] = [from, to].map(|corner| within(projection, cell, corner));
                gizmos.line_2d(from, to, style.wall_color);
            }
            continue;
        }
        for (from, to) in wall_outlines(grid.bounds(), is_wall) {
            let [from, to] = [from, to].map(|cell| within(projection, cell, Vec2::splat(-0.5)));
            gizmos.line_2d(from, to, style.wall_color);
        }
    }
}

/// Returns the sides of open hexagons that border on a wall or on the end of the map.
fn hexagon_outlines(bounds: Bounds, is_wall: impl Fn(Cell) -> bool) -> Vec<(Cell, [Vec2; 2])> {
    let corners = Lattice::HexRow.corners();
    // Side n lies between corners n and n + 1, towards this neighbour.
    let neighbours = [(0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0)];
    let mut lines = Vec::new();
    for cell in bounds.cells().filter(|&cell| !is_wall(cell)) {
        for (side, (x, y)) in neighbours.into_iter().enumerate() {
            let neighbour = Cell::new(cell.x.saturating_add(x), cell.y.saturating_add(y));
            if !bounds.contains(neighbour) || is_wall(neighbour) {
                lines.push((cell, [corners[side], corners[(side + 1) % corners.len()]]));
            }
        }
    }
    lines
}

/// Returns the lines between open cells and walls, each as long as it is straight, between lower
/// left corners.
fn wall_outlines(bounds: Bounds, is_wall: impl Fn(Cell) -> bool) -> Vec<(Cell, Cell)> {
    let origin = bounds.origin();
    let (width, height) = (bounds.width() as i32, bounds.height() as i32);
    let at = |x: i32, y: i32| Cell::new(origin.x.saturating_add(x), origin.y.saturating_add(y));
    let differ = |a: Cell, b: Cell| {
        // Cells beyond the edge of the map are closed too.
        let blocked = |cell: Cell| !bounds.contains(cell) || is_wall(cell);
        blocked(a) != blocked(b)
    };
    let mut lines = Vec::new();
    for y in 0..=height {
        runs(width, |x| differ(at(x, y), at(x, y - 1)), |from, to| lines.push((at(from, y), at(to, y))));
    }
    for x in 0..=width {
        runs(height, |y| differ(at(x, y), at(x - 1, y)), |from, to| lines.push((at(x, from), at(x, to))));
    }
    lines
}

/// Calls `found` with each stretch `from..to` of indices that belong.
fn runs(length: i32, belongs: impl Fn(i32) -> bool, mut found: impl FnMut(i32, i32)) {
    let mut start = None;
    for index in 0..=length {
        let inside = index < length && belongs(index);
        match (start, inside) {
            (None, true) => start = Some(index),
            (Some(from), false) => {
                found(from, index);
                start = None;
            }
            _ => {}
        }
    }
}

fn draw_costs(mut gizmos: Gizmos<TilepathGizmos>, store: Res<GizmoConfigStore>, maps: Maps) {
    let (_, style) = store.config::<TilepathGizmos>();
    if !style.costs {
        return;
    }
    for MapView { grid, projection, .. } in style.maps_to_draw(&maps) {
        let costs = grid.rules().costs();
        let Some((cheapest, costliest)) = cost_range(grid, costs) else { continue };
        for cell in grid.bounds().cells() {
            let cost = grid.terrain(cell).map_or(0, |class| costs.multiplier(class));
            if cost <= cheapest {
                continue;
            }
            let share = f32::from(cost - cheapest) / f32::from(costliest - cheapest);
            frame(&mut gizmos, projection, cell, 0.15, style.cheap_color.mix(&style.costly_color, share));
        }
    }
}

/// Returns the least and the greatest cost on the map, or `None` if no cell is passable.
fn cost_range(grid: &NavGrid, costs: &CostTable) -> Option<(u16, u16)> {
    let present = || {
        (0..=u8::MAX)
            .filter(|&class| grid.grid().class_count(class) > 0)
            .map(|class| costs.multiplier(class))
            .filter(|&cost| cost > 0)
    };
    Some((present().min()?, present().max()?))
}

fn draw_paths(mut gizmos: Gizmos<TilepathGizmos>, store: Res<GizmoConfigStore>, paths: Query<&AgentPath>) {
    let (_, style) = store.config::<TilepathGizmos>();
    if !style.paths {
        return;
    }
    for path in &paths {
        let ahead = path.points().iter().skip(path.next_point().saturating_sub(1));
        gizmos.linestrip_2d(ahead.copied(), style.path_color);
    }
}

/// Draws the outline of the cells of a unit. A share of 0.5 is their own size; with a smaller share
/// it lies further inside.
fn outline(
    gizmos: &mut Gizmos<TilepathGizmos>,
    projection: &NavProjection,
    cell: Cell,
    side: u8,
    share: f32,
    color: Color,
) {
    if side == 1 {
        return frame(gizmos, projection, cell, share, color);
    }
    let centre = Vec2::splat(f32::from(side - 1) / 2.0);
    let half = f32::from(side) / 2.0 - (0.5 - share);
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let corners = corners.map(|(x, y)| within(projection, cell, centre + half * Vec2::new(x, y)));
    gizmos.lineloop_2d(corners, color);
}

/// Draws the outline of a cell. A share of 0.5 is its own size.
fn frame(
    gizmos: &mut Gizmos<TilepathGizmos>,
    projection: &NavProjection,
    cell: Cell,
    share: f32,
    color: Color,
) {
    let corners = projection.lattice().corners().iter();
    gizmos.lineloop_2d(corners.map(|&corner| within(projection, cell, 2.0 * share * corner)), color);
}

/// Returns the position in the world at an offset from the centre of a cell. The offset is in
/// cells.
fn within(projection: &NavProjection, cell: Cell, offset: Vec2) -> Vec2 {
    projection.world_of(projection.point_in(cell, offset))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outlines_run_straight_around_open_cells() {
        // Two open cells in a row: one line below, one above, one at each end.
        let bounds = Bounds::new(Cell::new(-1, 5), 3, 1).unwrap();
        let mut lines = wall_outlines(bounds, |cell| cell.x == 1);
        lines.sort_by_key(|(from, to)| (from.x, from.y, to.x, to.y));
        let line = |from: (i32, i32), to: (i32, i32)| (Cell::from(from), Cell::from(to));
        assert_eq!(
            lines,
            [line((-1, 5), (-1, 6)), line((-1, 5), (1, 5)), line((-1, 6), (1, 6)), line((1, 5), (1, 6)),]
        );
    }

    #[test]
    fn outlines_of_hexagons_lie_towards_walls() {
        // Each of two open neighbours has five sides towards other cells.
        let bounds = Bounds::new(Cell::new(0, 0), 2, 1).unwrap();
        let lines = hexagon_outlines(bounds, |_| false);
        assert_eq!(lines.len(), 10);
        for (cell, [from, to]) in lines {
            let beyond = Vec2::new(cell.x as f32, cell.y as f32) + 0.5 + (from + to) * 0.51;
            let beyond = Lattice::HexRow.cell_under(beyond);
            assert!(beyond.y != 0.0 || beyond.x < 0.0 || beyond.x > 1.0, "{cell} {from} {to}");
        }
    }

    #[test]
    fn costs_range_over_what_lies_on_the_map() {
        let grid = tilepath::Grid::from_classes(4, 1, vec![0, 3, 9, 3]).unwrap();
        assert_eq!(cost_range(&NavGrid::new(grid), &CostTable::identity()), Some((3, 9)));
        let walls = tilepath::Grid::new(2, 2, 0).unwrap();
        assert_eq!(cost_range(&NavGrid::new(walls), &CostTable::identity()), None);
    }
}
