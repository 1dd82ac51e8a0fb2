//! The cursor.

use bevy::prelude::*;

use crate::{
    preview::{Preview, Way},
    scene::height,
};

/// Marks the ground on which the chosen unit would stand at the pointer. Needs a window.
pub(crate) struct CursorPlugin;

impl Plugin for CursorPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(PostStartup, spawn_cursor)
            .add_systems(PostUpdate, mark_hovered_cell.before(TransformSystems::Propagate));
    }
}

#[derive(Component)]
struct Cursor;

/// The pictures on the cursor's sheet.
const CURSOR_OPEN: usize = 0;
const CURSOR_CLOSED: usize = 1;
const CURSOR_NEAR: usize = 2;
/// The reach of the cursor beyond its cells, in world units.
const RIM: f32 = 2.0;

fn spawn_cursor(
    mut commands: Commands,
    assets: Res<AssetServer>,
    mut layouts: ResMut<Assets<TextureAtlasLayout>>,
) {
    let layout = layouts.add(TextureAtlasLayout::from_grid(UVec2::splat(20), 3, 1, None, None));
    let sheet =
        Sprite::from_atlas_image(assets.load("sprites/cursor.png"), TextureAtlas { layout, index: 0 });
    // Its corners keep their size, for any number of cells between them.
    let slicer = TextureSlicer { border: BorderRect::all(9.0), ..default() };
    let sheet = Sprite { image_mode: SpriteImageMode::Sliced(slicer), ..sheet };
    commands.spawn((Cursor, sheet, Visibility::Hidden));
}

fn mark_hovered_cell(
    preview: Res<Preview>,
    cursor: Single<(&mut Sprite, &mut Transform, &mut Visibility), With<Cursor>>,
) {
    let (mut sprite, mut transform, mut visibility) = cursor.into_inner();
    let Some(hover) = preview.hover() else {
        visibility.set_if_neq(Visibility::Hidden);
        return;
    };
    visibility.set_if_neq(Visibility::Inherited);
    transform.translation = hover.footprint.center().extend(height::MARKS + 0.4);
    sprite.custom_size = Some(hover.footprint.size() + 2.0 * RIM);
    if let Some(atlas) = &mut sprite.texture_atlas {
        atlas.index = match hover.way {
            Way::There(_) => CURSOR_OPEN,
            Way::Closest(_) => CURSOR_NEAR,
            Way::Nowhere => CURSOR_CLOSED,
        };
    }
}
