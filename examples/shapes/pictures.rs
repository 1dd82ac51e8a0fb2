//! The looks of the maps.

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use tilepath_examples::scenery::SURROUNDINGS;

use crate::level::Shape;

/// The height below the maps.
const SEA: Color = Color::srgb(0.09, 0.18, 0.185);

/// Draws the maps. Needs a window.
pub(crate) struct PicturesPlugin;

impl Plugin for PicturesPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(ClearColor(SURROUNDINGS))
            .add_systems(Startup, spawn_quarters)
            .add_systems(PostStartup, load_tiles);
    }
}

fn load_tiles(mut commands: Commands, assets: Res<AssetServer>, maps: Query<(Entity, &Shape)>) {
    for (map, shape) in &maps {
        commands.entity(map).insert(TilemapTexture::Single(assets.load(shape.sheet())));
    }
}

fn spawn_quarters(mut commands: Commands) {
    for shape in Shape::ALL {
        let quarter = shape.quarter().inflate(-2.0);
        let paper = Sprite::from_color(SEA, quarter.size());
        commands.spawn((paper, Transform::from_translation(quarter.center().extend(-5.0))));
    }
}
