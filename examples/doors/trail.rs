//! Draws the town's roads, the doors, and the path over all maps.

use bevy::prelude::*;
use bevy_tilepath::{AgentPath, NavGraph, PathStatus, doors::Door};
use tilepath_examples::canvas::{Canvas, DrawSet, INK, Pen};

use crate::{
    orders::Pointed,
    pictures::height,
    scene::{Numbered, Soldier, TOWN_AT},
};

/// The colours of open and of shut doors.
pub(crate) const OPEN: Color = Color::srgb(0.78, 0.60, 1.0);
pub(crate) const SHUT: Color = Color::srgb(0.86, 0.22, 0.18);
const PAPER: Color = Color::srgb(0.98, 0.95, 0.86);

/// Draws ways, doors and path. Needs a window.
pub(crate) struct TrailPlugin;

impl Plugin for TrailPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(PostUpdate, (draw_graph, draw_doors, draw_route, draw_pointed).in_set(DrawSet));
    }
}

fn draw_graph(graph: Single<&NavGraph>, mut canvas: ResMut<Canvas>) {
    let world = |at: bevy_tilepath::tilepath::graph::Position| Vec2::new(at.x as f32, at.y as f32) + TOWN_AT;
    let pen = |width, colour, above| Pen { width, colour, height: height::WAYS + above };
    for step in graph.graph().edges() {
        let (from, to) = (world(step.from.position), world(step.to.position));
        canvas.line(from, to, pen(3.0, INK.with_alpha(0.25), 0.0));
        canvas.line(from, to, pen(1.2, PAPER.with_alpha(0.8), 0.1));
    }
    for waypoint in graph.graph().waypoints() {
        canvas.waypoint(world(waypoint.position), 11.0, PAPER, height::ROUTE + 0.5);
    }
}

fn draw_doors(doors: Query<(&Numbered, &Door)>, mut canvas: ResMut<Canvas>) {
    for (numbered, door) in &doors {
        let colour = if door.open { OPEN } else { SHUT };
        let pen = |width, colour, above| Pen { width, colour, height: height::ROUTE - 1.0 + above };
        canvas.line(numbered.ends[0], numbered.ends[1], pen(2.5, INK.with_alpha(0.5), 0.0));
        canvas.dashes(&numbered.ends, 3.0, 4.0, 0.0, pen(1.25, colour.with_alpha(0.9), 0.1));
        for end in numbered.ends {
            canvas.waypoint(end, 13.0, colour, height::ROUTE + 0.6);
            if !door.open {
                cross(&mut canvas, end);
            }
        }
    }
}

/// Crosses out the end of a shut door: its colour is not the only sign.
fn cross(canvas: &mut Canvas, end: Vec2) {
    let pen = Pen { width: 1.5, colour: PAPER, height: height::ROUTE + 0.65 };
    for corner in [Vec2::splat(4.0), Vec2::new(4.0, -4.0)] {
        canvas.line(end - corner, end + corner, pen);
    }
}

fn draw_route(
    time: Res<Time<Real>>,
    soldier: Single<(&Transform, &PathStatus, Option<&AgentPath>), With<Soldier>>,
    mut canvas: ResMut<Canvas>,
) {
    let (place, status, path) = *soldier;
    let Some(path) = path.filter(|_| matches!(status, PathStatus::Following | PathStatus::Paused)) else {
        return;
    };
    let mut points = vec![place.translation.truncate()];
    points.extend(path.points().iter().skip(path.next_point()));
    for piece in walked(&points) {
        canvas.route(piece, time.elapsed_secs(), height::ROUTE);
    }
}

/// Returns the pieces of the path that the soldier walks. The jumps through doors, from map to map,
/// are left out.
fn walked(points: &[Vec2]) -> Vec<&[Vec2]> {
    let map = |point: &Vec2| crate::pictures::areas().iter().position(|area| area.contains(*point));
    points.chunk_by(|one, other| map(one) == map(other)).collect()
}

fn draw_pointed(pointed: Res<Pointed>, mut canvas: ResMut<Canvas>) {
    let Some(spot) = &pointed.0 else { return };
    let (low, high) = (spot.area.min, spot.area.max);
    let corners = [low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y), low];
    for ends in corners.windows(2) {
        let pen = Pen { width: 1.0, colour: Color::WHITE, height: height::ROUTE + 0.7 };
        canvas.line(ends[0], ends[1], pen);
    }
}

#[cfg(test)]
mod tests {
    use tilepath_examples::colour_vision::look_alikes;

    use super::*;
    use crate::scene::{MEADOW, ROOM};

    #[test]
    fn open_and_shut_doors_differ_without_red_and_green() {
        let numbers = [("open", OPEN, "number"), ("shut", SHUT, "number"), ("ink", INK, "number")];
        assert_eq!(look_alikes(&numbers), [], "the buttons with their numbers");
    }

    #[test]
    fn a_leap_is_not_drawn_as_walked() {
        let at = |corner: Vec2, x: f32| corner + Vec2::new(x, 8.0);
        let points = [at(MEADOW, 8.0), at(MEADOW, 24.0), at(ROOM, 8.0), at(ROOM, 24.0), at(ROOM, 40.0)];
        assert_eq!(walked(&points), [&points[..2], &points[2..]]);
    }
}
