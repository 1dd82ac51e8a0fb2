//! Draws paths as dotted lines, and the outline of the pointed tile.

use bevy::prelude::*;
use bevy_tilepath::{AgentPath, PathStatus};
use tilepath_examples::canvas::{Canvas, DrawSet, INK, Pen, ROUTE};

use crate::{
    ground::{Ground, Maps},
    orders::Pointed,
    scene::{Walker, height},
};

/// The colours of the outline of a tile that a walker can reach, and of one that it cannot reach.
const OPEN: Color = Color::srgb(1.0, 0.98, 0.90);
const CLOSED: Color = Color::srgb(0.98, 0.42, 0.32);
/// The distance of two dots, in world units.
const PERIOD: f32 = 6.0;

/// Draws dots and outline. Needs a window.
pub(crate) struct TrailPlugin;

impl Plugin for TrailPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(PostUpdate, (draw_ways, draw_outline).in_set(DrawSet));
    }
}

fn draw_ways(
    walkers: Query<(&Transform, &PathStatus, Option<&AgentPath>), With<Walker>>,
    mut canvas: ResMut<Canvas>,
) {
    for (place, status, path) in &walkers {
        let Some(path) = path.filter(|_| *status == PathStatus::Following) else { continue };
        let mut points = vec![place.translation.truncate()];
        points.extend(path.points().iter().skip(path.next_point()));
        for dot in dots(&points) {
            for (side, colour, above) in [(4.0, INK.with_alpha(0.7), 0.0), (2.5, ROUTE, 0.1)] {
                let half = Vec2::X * side / 2.0;
                canvas.line(
                    dot - half,
                    dot + half,
                    Pen { width: side, colour, height: height::ROUTE + above },
                );
            }
        }
    }
}

/// Returns places at equal distances along a line.
///
/// They are counted from its end, so that they do not move while a walker goes along it. There is
/// no place at the end, where the flag is, and no place under the walker at the beginning.
fn dots(points: &[Vec2]) -> Vec<Vec2> {
    let mut dots = Vec::new();
    // The distance from the end of the rest of the line to the next dot.
    let mut ahead = PERIOD;
    for ends in points.windows(2).rev() {
        let (end, begin) = (ends[1], ends[0]);
        let length = end.distance(begin);
        while ahead < length {
            dots.push(end.lerp(begin, ahead / length));
            ahead += PERIOD;
        }
        ahead -= length;
    }
    dots.retain(|dot| points.first().is_none_or(|feet| feet.distance(*dot) > PERIOD));
    dots
}

fn draw_outline(pointed: Res<Pointed>, maps: Maps, grounds: Query<&Ground>, mut canvas: ResMut<Canvas>) {
    let Some(spot) = pointed.0 else { return };
    let is_open = grounds.get(spot.tile).is_ok_and(|ground| ground.land().cost() > 0);
    let corners = maps.corners(spot);
    for (width, colour, above) in
        [(3.0, INK.with_alpha(0.6), 0.0), (1.5, if is_open { OPEN } else { CLOSED }, 0.1)]
    {
        let pen = Pen { width, colour, height: height::OUTLINE + above };
        let next = corners.iter().cycle().skip(1);
        for (&from, &to) in corners.iter().zip(next) {
            // A little longer, so that corners close.
            let more = (to - from).normalize_or_zero() * width / 3.0;
            canvas.line(from - more, to + more, pen);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_go_on_around_corners_and_stay_while_the_line_is_walked() {
        let at = |x: f32, y: f32| Vec2::new(x, y);
        let line = [at(0.0, 0.0), at(20.0, 0.0), at(20.0, 8.0)];
        assert_eq!(dots(&line), [at(20.0, 2.0), at(16.0, 0.0), at(10.0, 0.0)]);
        assert_eq!(dots(&[at(9.0, 0.0), line[1], line[2]]), dots(&line)[..2]);
        assert!(dots(&line[..1]).is_empty());
    }
}
