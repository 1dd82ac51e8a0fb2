//! Removed ways: grass and crosses over the painted road.

use bevy::prelude::*;
use bevy_tilepath::{NavQuery, graphs::WaypointGraph, tilepath::Revision};
use tilepath_examples::{
    canvas::{Canvas, DrawSet, Pen},
    town,
};

use crate::{
    network::colour,
    scene::{Source, height},
};

/// Draws grass and crosses on removed ways. Needs a window.
pub(crate) struct RemovedPlugin;

impl Plugin for RemovedPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Painted>()
            .init_resource::<Removed>()
            .add_systems(PostUpdate, (look, draw).chain().in_set(DrawSet))
            .add_systems(Update, grow.run_if(resource_changed::<Removed>))
            .add_systems(Startup, forget_the_town);
    }
}

/// A straight stretch, by its ends.
type Stretch = (Vec2, Vec2);

/// The ways on the town's picture.
#[derive(Resource)]
struct Painted(Vec<Stretch>);

impl Default for Painted {
    fn default() -> Self {
        Self(stretches(&town::graph()))
    }
}

/// The stretches of painted ways without a way of the graph.
#[derive(Resource, Debug, Default, Clone, PartialEq)]
pub(crate) struct Removed(pub(crate) Vec<Stretch>);

/// A meadow has no painted ways.
fn forget_the_town(source: Res<Source>, mut painted: ResMut<Painted>) {
    if matches!(*source, Source::OverMeadow { .. }) {
        painted.0.clear();
    }
}

fn stretches(graph: &WaypointGraph) -> Vec<Stretch> {
    let place = |at: bevy_tilepath::tilepath::graph::Position| Vec2::new(at.x as f32, at.y as f32);
    graph.edges().map(|step| (place(step.from.position), place(step.to.position))).collect()
}

fn look(
    nav: NavQuery,
    painted: Res<Painted>,
    mut removed: ResMut<Removed>,
    mut seen: Local<Option<Revision>>,
) {
    let Ok(view) = nav.only_graph() else { return };
    let revision = view.graph().revision();
    if *seen == Some(revision) {
        return;
    }
    *seen = Some(revision);
    let ways = stretches(view.graph());
    let mut gone: Vec<Stretch> = Vec::new();
    for stretch in painted.0.iter().flat_map(|&way| uncovered(way, &ways)) {
        // Both directions of a way are one road.
        if !gone.contains(&(stretch.1, stretch.0)) {
            gone.push(stretch);
        }
    }
    removed.set_if_neq(Removed(gone));
}

/// Returns the stretches of a painted way that no way of the graph covers. The two halves of a
/// split way still cover all of it.
fn uncovered(painted: Stretch, ways: &[Stretch]) -> Vec<Stretch> {
    /// The greatest distance of a way from the painted one, in pixels.
    const NEAR: f32 = 3.0;

    let (begin, along) = (painted.0, painted.1 - painted.0);
    let length = along.length();
    let Some(direction) = along.try_normalize() else { return Vec::new() };
    // Returns the length of the painted way before a place, if the place is on the way.
    let place = |at: Vec2| {
        let (on, beside) = ((at - begin).dot(direction), (at - begin).perp_dot(direction).abs());
        (beside <= NEAR).then_some(on)
    };
    let mut covered: Vec<(f32, f32)> = ways
        .iter()
        .filter_map(|&(from, to)| Some((place(from)?, place(to)?)))
        .map(|(from, to)| (from.min(to), from.max(to)))
        .collect();
    covered.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut gaps = Vec::new();
    let mut at = 0.0;
    for (from, to) in covered.into_iter().chain([(length, length)]) {
        if from.min(length) - at > NEAR {
            gaps.push((begin + direction * at, begin + direction * from.min(length)));
        }
        at = at.max(to);
    }
    gaps
}

/// Draws a strip of meadow over a painted road.
#[derive(Component)]
struct Turf;

/// Returns the part of a stretch between the junctions at its ends, where other roads meet.
fn between_junctions((from, to): Stretch) -> Option<Stretch> {
    const JUNCTION: f32 = 8.0;

    let off = (to - from).normalize_or_zero() * JUNCTION;
    (from.distance(to) > 2.0 * JUNCTION).then_some((from + off, to - off))
}

fn grow(
    mut commands: Commands,
    removed: Res<Removed>,
    assets: Res<AssetServer>,
    old: Query<Entity, With<Turf>>,
) {
    /// The width of the widest painted road, with its edges.
    const ROAD: f32 = 18.0;

    for turf in &old {
        commands.entity(turf).despawn();
    }
    for (begin, end) in removed.0.iter().copied().filter_map(between_junctions) {
        let place = Transform::from_translation(begin.midpoint(end).extend(height::TURF));
        commands.spawn((
            Turf,
            Sprite {
                image: assets.load("tiles/grass.png"),
                custom_size: Some(Vec2::new(begin.distance(end), ROAD)),
                image_mode: SpriteImageMode::Tiled { tile_x: true, tile_y: true, stretch_value: 1.0 },
                ..default()
            },
            place.with_rotation(Quat::from_rotation_z((end - begin).to_angle())),
        ));
    }
}

fn draw(removed: Res<Removed>, mut canvas: ResMut<Canvas>) {
    /// The distance of two crosses.
    const CROSSES: f32 = 22.0;
    const ARM: f32 = 3.0;

    for (begin, end) in removed.0.iter().copied().filter_map(between_junctions) {
        let crosses = (begin.distance(end) / CROSSES).ceil().max(1.0);
        for number in 0..crosses as u32 {
            let at = begin.lerp(end, (number as f32 + 0.5) / crosses);
            for arm in [Vec2::splat(ARM), Vec2::new(ARM, -ARM)] {
                let pen = |width, colour, above| Pen { width, colour, height: height::CROSSES + above };
                canvas.line(at - arm * 1.15, at + arm * 1.15, pen(3.5, colour::INK.with_alpha(0.8), 0.0));
                canvas.line(at - arm, at + arm, pen(1.75, colour::REMOVED, 0.1));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f32) -> Vec2 {
        Vec2::new(x, 10.0)
    }

    const OTHER: Stretch = (Vec2::new(0.0, 10.0), Vec2::new(0.0, 90.0));

    #[test]
    fn a_way_that_is_there_is_not_removed_even_when_it_was_divided() {
        let painted = (at(0.0), at(100.0));
        assert!(uncovered(painted, &[(at(100.0), at(0.0)), OTHER]).is_empty(), "in either direction");
        let halves = [(at(40.0), at(100.0)), (at(0.0), at(40.0)), OTHER];
        assert!(uncovered(painted, &halves).is_empty());
    }

    #[test]
    fn waypoint_without_edges_is_removed() {
        let painted = (at(0.0), at(100.0));
        assert_eq!(uncovered(painted, &[OTHER]), [painted]);
        assert_eq!(uncovered(painted, &[(at(0.0), at(40.0))]), [(at(40.0), at(100.0))]);
        let dragged = (Vec2::new(0.0, 10.0), Vec2::new(100.0, 60.0));
        assert_eq!(uncovered(painted, &[dragged]), [painted], "it leads elsewhere now");
    }
}
