//! Pictures of the town, or a meadow for other graphs.

use bevy::prelude::*;
use tilepath_examples::{
    scenery::{Frames, SURROUNDINGS, Things},
    town,
};

use crate::scene::{Source, height};

/// The left edge of the river's picture.
const RIVER_LEFT: f32 = 320.0;
const RIVER_SIZE: UVec2 = UVec2::new(104, 360);
/// The reach of the meadow beyond the first view.
const MEADOW: f32 = 2048.0;

/// Draws the picture below the graph. Needs a window.
pub(crate) struct SceneryPlugin;

impl Plugin for SceneryPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(ClearColor(SURROUNDINGS))
            .add_plugins(tilepath_examples::scenery::FramesPlugin)
            .add_systems(PostStartup, spawn_scenery);
    }
}

fn spawn_scenery(mut commands: Commands, source: Res<Source>, mut things: Things) {
    if matches!(*source, Source::OverMeadow { .. }) {
        spawn_meadow(&mut commands, &things.assets);
        return;
    }
    let middle = town::AREA.center();
    commands.spawn((
        Sprite::from_image(things.assets.load("town/ground.png")),
        Transform::from_translation(middle.extend(0.0)),
    ));
    let layout = things.layouts.add(TextureAtlasLayout::from_grid(RIVER_SIZE, 4, 1, None, None));
    let river =
        Sprite::from_atlas_image(things.assets.load("town/river.png"), TextureAtlas { layout, index: 0 });
    let place = Vec3::new(RIVER_LEFT + RIVER_SIZE.x as f32 / 2.0, middle.y, height::RIVER);
    commands.spawn((river, Transform::from_translation(place), Frames { first: 0, count: 4, rate: 3.0 }));
    for (kind, foot) in town::scenery() {
        let thing = things.picture(kind, foot);
        commands.spawn((kind, thing));
    }
    spawn_rim(&mut commands);
}

/// Draws four bars around the town. They hide trees that cross its rim.
fn spawn_rim(commands: &mut Commands) {
    let (middle, size, wide) = (town::AREA.center(), town::AREA.size(), 64.0);
    let bars = [
        (Vec2::new(middle.x, -wide / 2.0), Vec2::new(size.x + 2.0 * wide, wide)),
        (Vec2::new(middle.x, size.y + wide / 2.0), Vec2::new(size.x + 2.0 * wide, wide)),
        (Vec2::new(-wide / 2.0, middle.y), Vec2::new(wide, size.y)),
        (Vec2::new(size.x + wide / 2.0, middle.y), Vec2::new(wide, size.y)),
    ];
    for (place, size) in bars {
        commands.spawn((
            Sprite::from_color(SURROUNDINGS, size),
            Transform::from_translation(place.extend(height::RIM)),
        ));
    }
}

fn spawn_meadow(commands: &mut Commands, assets: &AssetServer) {
    let sprite = Sprite {
        image: assets.load("tiles/grass.png"),
        custom_size: Some(Vec2::splat(MEADOW)),
        image_mode: SpriteImageMode::Tiled { tile_x: true, tile_y: true, stretch_value: 1.0 },
        ..default()
    };
    commands.spawn((sprite, Transform::from_translation(town::AREA.center().extend(0.0))));
}
