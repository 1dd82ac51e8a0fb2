//! Draws the messenger's path in gold, and the path to the pointer in white.

use bevy::prelude::*;
use bevy_tilepath::{AgentPath, NavQuery, PathStatus};
use tilepath_examples::canvas::{Canvas, DrawSet, Pen};

use crate::{
    edit::EditSet,
    hand::Hand,
    network::colour,
    pointing::{Pointing, Target},
    scene::{Walker, height},
};

/// Draws the path of the messenger and the preview. Needs a window.
pub(crate) struct TrailPlugin;

impl Plugin for TrailPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Preview>()
            .add_systems(Update, look_ahead.after(EditSet))
            .add_systems(PostUpdate, (draw_route, draw_preview).in_set(DrawSet));
    }
}

/// The path of the messenger to the pointer.
#[derive(Resource, Debug, Default, Clone, PartialEq)]
pub(crate) struct Preview {
    /// The points of the path in the world.
    points: Vec<Vec2>,
    /// The cost of the path, or `None` if there is no path or no target.
    pub(crate) cost: Option<f64>,
}

fn look_ahead(
    nav: NavQuery,
    pointing: Res<Pointing>,
    walker: Single<&Transform, With<Walker>>,
    mut preview: ResMut<Preview>,
) {
    let answer = nav.only_graph().ok().zip(pointing.0.as_ref()).and_then(|(view, (target, world))| {
        let from = walker.translation.truncate();
        let route = match target {
            Target::Waypoint(id) => view.route(from, id.as_str()),
            Target::Way { .. } | Target::Ground => view.route(from, *world),
        };
        let route = route.ok()?;
        Some(Preview { points: view.points(&route), cost: Some(route.cost()) })
    });
    preview.set_if_neq(answer.unwrap_or_default());
}

fn draw_route(
    time: Res<Time<Real>>,
    walker: Single<(&Transform, &PathStatus, Option<&AgentPath>), With<Walker>>,
    mut canvas: ResMut<Canvas>,
) {
    let (place, status, path) = *walker;
    let Some(path) = path.filter(|_| matches!(status, PathStatus::Following | PathStatus::Paused)) else {
        return;
    };
    let mut points = vec![place.translation.truncate()];
    points.extend(path.points().iter().skip(path.next_point()));
    canvas.route(&points, time.elapsed_secs(), height::ROUTE);
}

fn draw_preview(preview: Res<Preview>, pointing: Res<Pointing>, hand: Res<Hand>, mut canvas: ResMut<Canvas>) {
    // Around a waypoint, the steps are shown instead.
    if *hand != Hand::Idle || pointing.waypoint().is_some() {
        return;
    }
    let pen = |width, colour, height| Pen { width, colour, height };
    for ends in preview.points.windows(2) {
        canvas.line(ends[0], ends[1], pen(5.0, colour::INK.with_alpha(0.75), height::PREVIEW));
    }
    canvas.dashes(&preview.points, 4.0, 4.0, 0.0, pen(2.5, Color::WHITE, height::PREVIEW + 0.1));
}
