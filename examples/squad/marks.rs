//! Marks: selected units, places of groups, paths, flags at goals.

use bevy::{prelude::*, sprite::Anchor};
use bevy_tilepath::{AgentPath, NavQuery, PathStatus, groups::Group};
use tilepath_examples::{
    canvas::{Canvas, DrawSet, Pen},
    figure::standing_height,
};

use crate::{orders::Goals, scene::height, select::Selected, units::Unit};

/// Draws the marks. Needs a window.
pub(crate) struct MarksPlugin;

impl Plugin for MarksPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, ((spawn_rings, ring_selected).chain(), plant_flags))
            .add_systems(PostUpdate, (draw_places, draw_ways).in_set(DrawSet));
    }
}

/// Draws a ring around the feet of a unit while it is selected.
#[derive(Component)]
struct Ring;

fn spawn_rings(
    mut commands: Commands,
    assets: Res<AssetServer>,
    mut layouts: ResMut<Assets<TextureAtlasLayout>>,
    mut sheet: Local<Option<Handle<TextureAtlasLayout>>>,
    new: Query<(Entity, &Unit), Added<Unit>>,
) {
    for (entity, unit) in &new {
        let layout = sheet.get_or_insert_with(|| {
            layouts.add(TextureAtlasLayout::from_grid(UVec2::new(56, 40), 2, 1, None, None))
        });
        let atlas = TextureAtlas { layout: layout.clone(), index: usize::from(unit.side() > 1) };
        commands.entity(entity).with_child((
            Ring,
            Sprite::from_atlas_image(assets.load("sprites/chosen.png"), atlas),
            Transform::from_xyz(0.0, -2.0, height::SELECTED),
            Visibility::Hidden,
        ));
    }
}

fn ring_selected(
    selected: Query<(), With<Selected>>,
    mut rings: Query<(&ChildOf, &mut Visibility), With<Ring>>,
) {
    for (unit, mut visibility) in &mut rings {
        let is_selected = selected.contains(unit.parent());
        visibility.set_if_neq(if is_selected { Visibility::Inherited } else { Visibility::Hidden });
    }
}

/// The flag at the goal of a group.
#[derive(Component)]
struct Flag;

fn plant_flags(
    mut commands: Commands,
    assets: Res<AssetServer>,
    mut layouts: ResMut<Assets<TextureAtlasLayout>>,
    time: Res<Time<Real>>,
    changed: Query<(Entity, &Goals, Option<&Children>), Changed<Goals>>,
    mut flags: Query<&mut Sprite, With<Flag>>,
) {
    for (group, goals, planted) in &changed {
        commands.entity(group).insert_if_new((Transform::default(), Visibility::default()));
        for goal in &goals.0[planted.map_or(0, RelationshipTarget::len)..] {
            let layout = layouts.add(TextureAtlasLayout::from_grid(UVec2::new(24, 28), 4, 1, None, None));
            commands.entity(group).with_child((
                Flag,
                Sprite::from_atlas_image(assets.load("sprites/flag.png"), TextureAtlas { layout, index: 0 }),
                // The foot of the pole, 8 pixels from the left and 4 from below.
                Anchor(Vec2::new(-0.5 + 8.0 / 24.0, -0.5 + 4.0 / 28.0)),
                Transform::from_translation(goal.extend(standing_height(goal.y))),
            ));
        }
    }
    for mut sprite in &mut flags {
        if let Some(atlas) = &mut sprite.texture_atlas {
            atlas.index = (time.elapsed_secs() * 7.0) as usize % 4;
        }
    }
}

const PLACE: Color = Color::srgb(0.98, 0.84, 0.36);

fn draw_places(
    nav: NavQuery,
    groups: Query<&Group>,
    units: Query<(&Unit, &PathStatus)>,
    mut canvas: ResMut<Canvas>,
) {
    for (entity, cell) in groups.iter().flat_map(Group::places) {
        let (Ok((unit, status)), Ok(map)) = (units.get(entity), nav.map_of(entity)) else { continue };
        let Some(middle) = map.world_of(cell) else { continue };
        let is_taken = matches!(status, PathStatus::Arrived);
        let colour = PLACE.with_alpha(if is_taken { 0.35 } else { 0.95 });
        draw_corners(&mut canvas, middle, f32::from(unit.side()) * 8.0 - 2.0, colour);
    }
}

/// Draws the corners of a square, with a dark rim below them.
fn draw_corners(canvas: &mut Canvas, middle: Vec2, reach: f32, colour: Color) {
    const ARM: f32 = 3.0;
    let rim = Color::srgba(0.09, 0.08, 0.12, 0.6);
    for (colour, width, lift) in [(rim, 3.0, 0.0), (colour, 1.0, 0.1)] {
        let pen = Pen { width, colour, height: height::MARKS + lift };
        for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
            let corner = middle + Vec2::new(x, y) * reach;
            canvas.line(corner, corner - Vec2::new(x * ARM, 0.0), pen);
            canvas.line(corner, corner - Vec2::new(0.0, y * ARM), pen);
        }
    }
}

fn draw_ways(
    time: Res<Time<Real>>,
    units: Query<(&AgentPath, &PathStatus, &Transform), (With<Unit>, With<Selected>)>,
    mut canvas: ResMut<Canvas>,
) {
    for (path, status, place) in &units {
        if !matches!(status, PathStatus::Following | PathStatus::Paused) {
            continue;
        }
        let left = path.points().iter().skip(path.next_point()).copied();
        let points: Vec<Vec2> = std::iter::once(place.translation.truncate()).chain(left).collect();
        let pen = Pen { width: 1.0, colour: Color::srgba(1.0, 0.97, 0.72, 0.4), height: height::MARKS - 0.2 };
        canvas.dashes(&points, 3.0, 6.0, time.elapsed_secs() * 10.0 % 9.0, pen);
    }
}
