//! Pictures of the level, towers, shots, and the lives of creeps.

use bevy::{prelude::*, sprite::Anchor};
use tilepath_examples::{
    canvas::{Canvas, DrawSet, Pen},
    figure::standing_height,
    ground_pictures::dress_ground,
    scenery::{FramesPlugin, SURROUNDINGS, Things},
    tiles::centre_of,
    town::Kind,
};

use crate::{
    build::Tower,
    creeps::Creep,
    level::Level,
    scene::{GroundMap, height},
    shots::Shots,
};

/// Gives the level its pictures. Needs a window.
pub(crate) struct DressPlugin;

impl Plugin for DressPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(ClearColor(SURROUNDINGS))
            .add_plugins(FramesPlugin)
            .add_systems(PostStartup, (dress_meadow, dress_scenery))
            .add_systems(Update, dress_towers)
            .add_systems(PostUpdate, (draw_shots, draw_lives).in_set(DrawSet));
    }
}

/// The height above the foot of a tower from which shots come, in world units.
const TOP: f32 = 15.0;
/// The distance from the middle of a cell down to the foot of its tower, in world units.
const FOOT: f32 = 6.0;

fn dress_meadow(
    mut commands: Commands,
    assets: Res<AssetServer>,
    ground: Single<Entity, With<GroundMap>>,
    level: Res<Level>,
) {
    dress_ground(&mut commands, &assets, (*ground, &level.plan), height::GROUND);
}

fn dress_scenery(mut commands: Commands, mut things: Things, level: Res<Level>) {
    for &(cell, kind) in &level.scenery {
        commands.spawn(things.on_cell(kind, cell));
    }
    let keep = centre_of(level.keep);
    commands.spawn(things.picture(Kind::Watchtower, keep + Vec2::new(0.0, 10.0)));
}

/// Towers are low, so that a gap behind a tower and the creeps in it are visible.
fn dress_towers(
    mut commands: Commands,
    assets: Res<AssetServer>,
    new: Query<(Entity, &Transform), Added<Tower>>,
) {
    for (tower, place) in &new {
        let height = standing_height(place.translation.y - FOOT);
        commands.entity(tower).insert(Visibility::default()).with_child((
            Sprite::from_image(assets.load("sprites/tower.png")),
            // The ground line is 4 pixels above the lower edge of the picture, which is 24 pixels high.
            Anchor(Vec2::new(0.0, -0.5 + 4.0 / 24.0)),
            Transform::from_xyz(0.0, -FOOT, height),
        ));
    }
}

fn draw_shots(shots: Res<Shots>, mut canvas: ResMut<Canvas>) {
    for shot in &shots.0 {
        let from = shot.from + Vec2::Y * (TOP - FOOT);
        let to = shot.to + Vec2::Y * 8.0;
        let pen = Pen { width: 2.0, colour: Color::srgba(1.0, 0.93, 0.55, 0.95), height: height::SHOTS };
        canvas.line(from, to, pen);
    }
}

fn draw_lives(creeps: Query<(&Creep, &Transform)>, mut canvas: ResMut<Canvas>) {
    const LONG: f32 = 12.0;
    for (creep, place) in creeps.iter().filter(|(creep, _)| creep.lives < creep.of) {
        let left = place.translation.truncate() + Vec2::new(-LONG / 2.0, 22.0);
        let share = creep.lives as f32 / creep.of.max(1) as f32;
        let dark = Pen { width: 4.0, colour: Color::srgba(0.09, 0.08, 0.12, 0.8), height: height::SHOTS };
        canvas.line(left - Vec2::X, left + Vec2::X * (LONG + 1.0), dark);
        let colour = if share > 0.5 { Color::srgb(0.55, 0.85, 0.35) } else { Color::srgb(0.95, 0.62, 0.25) };
        canvas.line(
            left,
            left + Vec2::X * LONG * share,
            Pen { width: 2.0, colour, height: height::SHOTS + 0.1 },
        );
    }
}
