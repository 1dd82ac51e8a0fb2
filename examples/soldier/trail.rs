//! Paths as rows of small marks: paths in gold, the preview in white.

use bevy::prelude::*;
use bevy_tilepath::{AgentPath, PathStatus};

use crate::{chosen::Chosen, preview::Preview, scene::height, units::Unit};

/// The colours of the marks, for the legend: paths, and the preview.
pub(crate) const GOLD: Color = Color::srgb(0.90, 0.69, 0.23);
pub(crate) const WHITE: Color = Color::srgb(0.98, 0.97, 0.92);

/// Draws the paths of all units, and the preview. The paths of units that are not chosen are faint.
/// Needs a window.
pub(crate) struct TrailPlugin;

impl Plugin for TrailPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(PostStartup, load_marks)
            .add_systems(PostUpdate, draw_trails.before(TransformSystems::Propagate));
    }
}

/// The row to which a mark belongs.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Path(Unit),
    Preview,
}

impl Mark {
    /// Returns the picture of a mark on the sheet.
    const fn picture(self) -> usize {
        match self {
            Self::Path(_) => 0,
            Self::Preview => 1,
        }
    }
}

/// The index of a mark in its row.
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
    units: Query<(&Unit, &Transform, &PathStatus, Option<&AgentPath>, Has<Chosen>), Without<Mark>>,
    mut marks: Query<(&Mark, &Place, &mut Sprite, &mut Transform, &mut Visibility), Without<Unit>>,
) {
    let mut rows: Vec<Row> = Vec::with_capacity(1 + Unit::ALL.len());
    for (&unit, place, status, path, is_chosen) in &units {
        let here = place.translation.truncate();
        if let Some(path) = path.filter(|_| matches!(status, PathStatus::Following | PathStatus::Paused)) {
            let ahead = &path.points()[path.next_point().min(path.points().len())..];
            let places = places_along(unit, here, ahead);
            rows.push(Row { mark: Mark::Path(unit), places, is_faint: !is_chosen });
        }
        if let Some(hover) = preview.hover().filter(|_| is_chosen) {
            let places = places_along(unit, here, hover.points.get(1..).unwrap_or_default());
            rows.push(Row { mark: Mark::Preview, places, is_faint: false });
        }
    }
    let mut existing = vec![0; rows.len()];
    for (&mark, place, mut sprite, mut transform, mut visibility) in &mut marks {
        let row = rows.iter().position(|row| row.mark == mark);
        if let Some(row) = row {
            existing[row] += 1;
        }
        // The marks are counted from the goal, so that they do not move while the unit walks.
        let point = row.and_then(|row| Some((&rows[row], *rows[row].places.iter().rev().nth(place.0)?)));
        let Some((row, point)) = point else {
            visibility.set_if_neq(Visibility::Hidden);
            continue;
        };
        visibility.set_if_neq(Visibility::Inherited);
        let (depth, glow) = match mark {
            Mark::Path(_) if row.is_faint => (0.0, 0.45),
            Mark::Path(_) => (0.2, 0.78 + 0.22 * (time.elapsed_secs() * 5.0 + place.0 as f32 * 0.7).sin()),
            Mark::Preview => (0.1, 0.75),
        };
        transform.translation = point.round().extend(height::MARKS + depth);
        sprite.color.set_alpha(glow);
    }
    for (row, existing) in rows.iter().zip(existing) {
        for place in existing..row.places.len() {
            let atlas = TextureAtlas { layout: sheet.layout.clone(), index: row.mark.picture() };
            commands.spawn((
                row.mark,
                Place(place),
                Sprite::from_atlas_image(sheet.image.clone(), atlas),
                Transform::default(),
                Visibility::Hidden,
            ));
        }
    }
}

/// Returns the places of a row of marks, the goal last.
struct Row {
    mark: Mark,
    places: Vec<Vec2>,
    is_faint: bool,
}

/// Returns a place at each point and one half-way before it, but none under the unit.
fn places_along(unit: Unit, here: Vec2, points: &[Vec2]) -> Vec<Vec2> {
    let near = 10.0 * f32::from(unit.side());
    let mut places = Vec::with_capacity(2 * points.len());
    for (index, &point) in points.iter().enumerate() {
        if index > 0 {
            places.push(points[index - 1].midpoint(point));
        }
        places.push(point);
    }
    // Only points ahead of the unit get a mark. The last one gets none, because the flag is there.
    places.pop();
    let first = places.iter().position(|place| place.distance(here) > near).unwrap_or(places.len());
    places.drain(..first);
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stand_on_cells_and_between_them_up_to_the_goal() {
        let at = |x: f32| Vec2::new(x, 8.0);
        let places = places_along(Unit::Boat, at(8.0), &[at(24.0), at(40.0)]);
        assert_eq!(places, [at(24.0), at(32.0)]);
        assert_eq!(places_along(Unit::Boat, at(20.0), &[at(24.0), at(40.0)]), [at(32.0)]);
        assert!(places_along(Unit::Boat, at(8.0), &[]).is_empty());
    }
}
