//! The soldier's looks: a shadow, and a figure that walks as far as he walks.

use bevy::{prelude::*, sprite::Anchor};
use bevy_tilepath::Motion;

use crate::scene::{Soldier, height};

const FRAME: UVec2 = UVec2::new(24, 28);
const COLUMNS: usize = 8;
const STANDING_FRAMES: usize = 2;
const WALKING_FRAMES: usize = 6;
/// World units from one walking frame to the next.
const STRIDE: f32 = 5.5;
/// Seconds between the two standing frames.
const BREATH: f32 = 0.7;

/// Draws the soldier. Needs a window.
pub(crate) struct FigurePlugin;

impl Plugin for FigurePlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(PostStartup, dress_soldier).add_systems(Update, animate);
    }
}

#[derive(Component, Default)]
struct Figure {
    /// World units walked since he last stood.
    walked: f32,
    /// Seconds since he stands.
    stood: f32,
}

fn dress_soldier(
    mut commands: Commands,
    assets: Res<AssetServer>,
    mut layouts: ResMut<Assets<TextureAtlasLayout>>,
    soldier: Single<Entity, With<Soldier>>,
) {
    let layout = layouts.add(TextureAtlasLayout::from_grid(FRAME, COLUMNS as u32, 4, None, None));
    let atlas = TextureAtlas { layout, index: 0 };
    commands.entity(*soldier).with_children(|parent| {
        parent.spawn((
            Sprite::from_image(assets.load("sprites/shadow.png")),
            Transform::from_xyz(0.0, -3.0, height::SHADOW),
        ));
        parent.spawn((
            Figure::default(),
            Sprite::from_atlas_image(assets.load("sprites/soldier.png"), atlas),
            // His feet are 4 pixels above the picture's lower edge and 3 below the middle of his cell.
            Anchor(Vec2::new(0.0, -0.5 + 7.0 / FRAME.y as f32)),
        ));
    });
}

fn animate(
    time: Res<Time>,
    soldier: Single<(&Motion, &Transform), With<Soldier>>,
    figure: Single<(&mut Figure, &mut Sprite, &mut Transform), Without<Soldier>>,
) {
    let (motion, place) = *soldier;
    let (mut figure, mut sprite, mut transform) = figure.into_inner();
    transform.translation.z = height::standing(place.translation.y);

    let speed = motion.velocity.length();
    let frame = if speed > 0.0 {
        figure.stood = 0.0;
        figure.walked += speed * time.delta_secs();
        STANDING_FRAMES + (figure.walked / STRIDE) as usize % WALKING_FRAMES
    } else {
        figure.walked = 0.0;
        figure.stood += time.delta_secs();
        (figure.stood / BREATH) as usize % STANDING_FRAMES
    };
    if let Some(atlas) = &mut sprite.texture_atlas {
        atlas.index = row_of(motion.facing) * COLUMNS + frame;
    }
}

/// The row of the sheet for a direction: down, left, right, up. Diagonals are seen from the side.
fn row_of(facing: Vec2) -> usize {
    if facing.x.abs() >= facing.y.abs() * 0.9 {
        if facing.x < 0.0 { 1 } else { 2 }
    } else if facing.y < 0.0 {
        0
    } else {
        3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_direction_has_its_row() {
        assert_eq!(row_of(Vec2::NEG_Y), 0);
        assert_eq!(row_of(Vec2::NEG_X), 1);
        assert_eq!(row_of(Vec2::X), 2);
        assert_eq!(row_of(Vec2::Y), 3);
        assert_eq!(row_of(Vec2::new(-1.0, 1.0).normalize()), 1);
    }
}
