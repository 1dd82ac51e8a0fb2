//! The flag at the goal, the ring at its foot, and the cursor.

use bevy::{prelude::*, sprite::Anchor};
use bevy_tilepath::{AgentPath, PathStatus};

use crate::{
    preview::{Preview, Way},
    scene::{Soldier, height},
};

/// Marks the goal and the cell under the pointer. Needs a window.
pub(crate) struct MarkersPlugin;

impl Plugin for MarkersPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(PostStartup, spawn_markers)
            .add_systems(PostUpdate, (mark_goal, mark_hovered_cell).before(TransformSystems::Propagate));
    }
}

#[derive(Component)]
enum GoalMark {
    Flag,
    Ring,
}

#[derive(Component)]
struct Cursor;

/// Pictures of the cursor's sheet.
const CURSOR_OPEN: usize = 0;
const CURSOR_CLOSED: usize = 1;
const CURSOR_NEAR: usize = 2;

fn spawn_markers(
    mut commands: Commands,
    assets: Res<AssetServer>,
    mut layouts: ResMut<Assets<TextureAtlasLayout>>,
) {
    let mut sheet = |file: &'static str, size: UVec2, columns: u32| {
        let layout = layouts.add(TextureAtlasLayout::from_grid(size, columns, 1, None, None));
        Sprite::from_atlas_image(assets.load(file), TextureAtlas { layout, index: 0 })
    };
    commands.spawn((
        GoalMark::Flag,
        sheet("sprites/flag.png", UVec2::new(24, 28), 4),
        // The foot of the pole, 8 pixels from the left and 4 from below.
        Anchor(Vec2::new(-0.5 + 8.0 / 24.0, -0.5 + 4.0 / 28.0)),
        Visibility::Hidden,
    ));
    commands.spawn((GoalMark::Ring, sheet("sprites/ring.png", UVec2::new(24, 16), 4), Visibility::Hidden));
    commands.spawn((Cursor, sheet("sprites/cursor.png", UVec2::splat(20), 3), Visibility::Hidden));
}

fn mark_goal(
    time: Res<Time<Real>>,
    soldier: Single<(&PathStatus, Option<&AgentPath>), With<Soldier>>,
    mut marks: Query<(&GoalMark, &mut Sprite, &mut Transform, &mut Visibility)>,
) {
    let (status, path) = *soldier;
    let goal = path
        .filter(|_| matches!(status, PathStatus::Following | PathStatus::Paused))
        .and_then(|path| path.points().last().copied());
    for (mark, mut sprite, mut transform, mut visibility) in &mut marks {
        let Some(goal) = goal else {
            visibility.set_if_neq(Visibility::Hidden);
            continue;
        };
        visibility.set_if_neq(Visibility::Inherited);
        let (depth, frames_a_second) = match mark {
            GoalMark::Flag => (height::standing(goal.y), 7.0),
            GoalMark::Ring => (height::MARKS + 0.3, 5.0),
        };
        transform.translation = goal.extend(depth);
        if let Some(atlas) = &mut sprite.texture_atlas {
            atlas.index = (time.elapsed_secs() * frames_a_second) as usize % 4;
        }
    }
}

fn mark_hovered_cell(
    preview: Res<Preview>,
    cursor: Single<(&mut Sprite, &mut Transform, &mut Visibility), With<Cursor>>,
) {
    let (mut sprite, mut transform, mut visibility) = cursor.into_inner();
    let Some(hover) = &preview.hover else {
        visibility.set_if_neq(Visibility::Hidden);
        return;
    };
    visibility.set_if_neq(Visibility::Inherited);
    transform.translation = hover.centre.extend(height::MARKS + 0.4);
    if let Some(atlas) = &mut sprite.texture_atlas {
        atlas.index = match hover.way {
            Way::There(_) => CURSOR_OPEN,
            Way::Closest(_) => CURSOR_NEAR,
            Way::Nowhere => CURSOR_CLOSED,
        };
    }
}
