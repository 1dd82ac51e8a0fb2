//! Draws ways as rows of small marks: the soldier's path in gold, the preview in white.

use bevy::prelude::*;
use bevy_tilepath::{AgentPath, PathStatus};

use crate::{
    preview::Preview,
    scene::{Soldier, height},
};

/// The colours of the marks, for the legend: the soldier's path, and the preview.
pub(crate) const GOLD: Color = Color::srgb(0.90, 0.69, 0.23);
pub(crate) const WHITE: Color = Color::srgb(0.98, 0.97, 0.92);

/// Draws the soldier's path and the preview. Needs a window.
pub(crate) struct TrailPlugin;

impl Plugin for TrailPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(PostStartup, load_marks)
            .add_systems(PostUpdate, draw_trails.before(TransformSystems::Propagate));
    }
}

/// Which row of marks one belongs to, and its picture on the sheet.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Path = 0,
    Preview = 1,
}

/// Its place in the row.
#[derive(Component)]
struct Place(usize);

#[derive(Resource)]
struct MarkSheet {
    image: Handle<Image>,
    layout: Handle<TextureAtlasLayout>,
}

fn load_marks(
    mut commands: Commands,
    assets: Res<AssetServer>,
    mut layouts: ResMut<Assets<TextureAtlasLayout>>,
) {
    commands.insert_resource(MarkSheet {
        image: assets.load("sprites/path.png"),
        layout: layouts.add(TextureAtlasLayout::from_grid(UVec2::splat(8), 2, 1, None, None)),
    });
}

fn draw_trails(
    mut commands: Commands,
    sheet: Res<MarkSheet>,
    time: Res<Time>,
    preview: Res<Preview>,
    soldier: Single<(&Transform, &PathStatus, Option<&AgentPath>), (With<Soldier>, Without<Mark>)>,
    mut marks: Query<(&Mark, &Place, &mut Sprite, &mut Transform, &mut Visibility), Without<Soldier>>,
) {
    let (transform, status, path) = *soldier;
    let here = transform.translation.truncate();
    let on_the_way = matches!(status, PathStatus::Following | PathStatus::Paused);
    let ahead = path
        .filter(|_| on_the_way)
        .map(|path| places_along(here, &path.points()[path.next_point().min(path.points().len())..]))
        .unwrap_or_default();
    let hovered = preview
        .hover()
        .map(|hover| places_along(here, hover.points.get(1..).unwrap_or_default()))
        .unwrap_or_default();

    let mut existing = [0, 0];
    for (&mark, place, mut sprite, mut transform, mut visibility) in &mut marks {
        existing[mark as usize] += 1;
        let (points, depth) = match mark {
            Mark::Path => (&ahead, height::MARKS + 0.2),
            Mark::Preview => (&hovered, height::MARKS + 0.1),
        };
        // Counted from the goal, so that marks stay where they are while it walks.
        let Some(point) = points.len().checked_sub(1 + place.0).map(|index| points[index]) else {
            visibility.set_if_neq(Visibility::Hidden);
            continue;
        };
        visibility.set_if_neq(Visibility::Inherited);
        transform.translation = point.round().extend(depth);
        let glow = match mark {
            Mark::Path => 0.78 + 0.22 * (time.elapsed_secs() * 5.0 + place.0 as f32 * 0.7).sin(),
            Mark::Preview => 0.75,
        };
        sprite.color.set_alpha(glow);
    }
    for (mark, points) in [(Mark::Path, &ahead), (Mark::Preview, &hovered)] {
        for place in existing[mark as usize]..points.len() {
            let atlas = TextureAtlas { layout: sheet.layout.clone(), index: mark as usize };
            commands.spawn((
                mark,
                Place(place),
                Sprite::from_atlas_image(sheet.image.clone(), atlas),
                Transform::default(),
                Visibility::Hidden,
            ));
        }
    }
}

/// One place at each point and one half-way before it; none under the walker's feet.
fn places_along(here: Vec2, points: &[Vec2]) -> Vec<Vec2> {
    const NEAR: f32 = 10.0;

    let mut places = Vec::with_capacity(2 * points.len());
    for (index, &point) in points.iter().enumerate() {
        if index > 0 {
            places.push(points[index - 1].midpoint(point));
        }
        places.push(point);
    }
    // Only those that it has not passed, and not the last one: there stands the flag.
    places.pop();
    let first = places.iter().position(|place| place.distance(here) > NEAR).unwrap_or(places.len());
    places.drain(..first);
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stand_on_cells_and_between_them_up_to_the_goal() {
        let at = |x: f32| Vec2::new(x, 8.0);
        let places = places_along(at(8.0), &[at(24.0), at(40.0)]);
        assert_eq!(places, [at(24.0), at(32.0)]);
        assert_eq!(places_along(at(20.0), &[at(24.0), at(40.0)]), [at(32.0)]);
        assert!(places_along(at(8.0), &[]).is_empty());
    }
}
