//! Gizmos of waypoint graphs and doors.

use bevy_ecs::{
    query::Without,
    system::{Query, Res},
};
use bevy_gizmos::{config::GizmoConfigStore, gizmos::Gizmos};
use bevy_math::Vec2;

use crate::{
    debug_draw::TilepathGizmos,
    map::{
        door::{Door, DoorEnd, Passage},
        maps::Maps,
        nav_graph::NavGraph,
        nav_map::NavMap,
        place::local_point,
        projection::NavProjection,
    },
};

/// The number of lines around a waypoint.
const SIDES: u32 = 12;

pub(super) fn draw_graphs(
    mut gizmos: Gizmos<TilepathGizmos>,
    store: Res<GizmoConfigStore>,
    graphs: Query<(&NavGraph, &NavProjection), Without<NavMap>>,
) {
    let (_, style) = store.config::<TilepathGizmos>();
    if !style.graphs {
        return;
    }
    for (graph, projection) in &graphs {
        let graph = graph.graph();
        let radius = style.waypoint_radius;
        for waypoint in graph.waypoints() {
            let centre = local_point(waypoint.position);
            // The circle is in the space of the graph: a transform that stretches the graph makes
            // an ellipse of it.
            let corners = (0..SIDES).map(|n| {
                let angle = std::f32::consts::TAU * n as f32 / SIDES as f32;
                projection.world_of(centre + Vec2::from_angle(angle) * radius)
            });
            gizmos.lineloop_2d(corners, style.graph_color);
        }
        for step in graph.edges() {
            let ends = [step.from.position, step.to.position].map(local_point);
            let Some((from, to)) = between_circles(ends[0], ends[1], radius) else { continue };
            let (from, to) = (projection.world_of(from), projection.world_of(to));
            if !step.is_two_way {
                gizmos.arrow_2d(from, to, style.graph_color);
            } else if step.from.id < step.to.id {
                gizmos.line_2d(from, to, style.graph_color);
            }
        }
    }
}

/// Returns the part of a line that lies outside the circles around its ends.
fn between_circles(from: Vec2, to: Vec2, radius: f32) -> Option<(Vec2, Vec2)> {
    let length = from.distance(to);
    let inset = (to - from) * (radius / length);
    (length > 2.0 * radius).then(|| (from + inset, to - inset))
}

pub(super) fn draw_doors(
    mut gizmos: Gizmos<TilepathGizmos>,
    store: Res<GizmoConfigStore>,
    doors: Query<&Door>,
    maps: Maps,
) {
    let (_, style) = store.config::<TilepathGizmos>();
    if !style.doors {
        return;
    }
    for door in doors.iter().filter(|door| door.open) {
        let (Some(from), Some(to)) = (world_of(&door.from, &maps), world_of(&door.to, &maps)) else {
            continue;
        };
        match (door.one_way, door.passage) {
            (true, _) => {
                gizmos.arrow_2d(from, to, style.door_color);
            }
            (false, Passage::Walk) => gizmos.line_2d(from, to, style.door_color),
            // No agent walks along a leaping door: only its ends are drawn.
            (false, Passage::Leap) => {
                for end in [from, to] {
                    gizmos.circle_2d(end, style.waypoint_radius, style.door_color);
                }
            }
        }
    }
}

fn world_of(end: &DoorEnd, maps: &Maps) -> Option<Vec2> {
    maps.ready(end.map())?.point_of(&end.map_place())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_at_the_circles_around_waypoints() {
        let line = |length| between_circles(Vec2::ZERO, Vec2::new(length, 0.0), 4.0);
        assert_eq!(line(20.0), Some((Vec2::new(4.0, 0.0), Vec2::new(16.0, 0.0))));
        assert_eq!((line(8.0), line(0.0)), (None, None));
    }
}
