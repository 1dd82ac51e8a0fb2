//! Pictures of the level, with a gate that opens and shuts.

use bevy::prelude::*;
use tilepath_examples::{
    ground_pictures::dress_ground,
    scenery::{SURROUNDINGS, Things},
    town::Kind,
};

use crate::{
    level::Level,
    scene::{Gate, GateIsOpen, GroundMap, height},
};

/// Gives the level its pictures. Needs a window.
pub(crate) struct DressPlugin;

impl Plugin for DressPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(ClearColor(SURROUNDINGS))
            .add_systems(PostStartup, (dress_meadow, dress_scenery, dress_gate))
            .add_systems(Update, show_gate);
    }
}

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
    // Two towers stand beside the gate, on the wall.
    let gateway = level.gateway();
    for y in [gateway.min.y - 42.0, gateway.max.y + 2.0] {
        for x in [gateway.min.x + 4.0, gateway.max.x - 4.0] {
            commands.spawn(things.picture(Kind::Gate, Vec2::new(x, y)));
        }
    }
}

/// A leaf of the gate: planks that block the road while it is shut.
#[derive(Component)]
struct Leaf {
    shut: Vec2,
    open: Vec2,
}

fn dress_gate(
    mut commands: Commands,
    level: Res<Level>,
    gate: Single<Entity, With<Gate>>,
    is_open: Res<GateIsOpen>,
) {
    const WOOD: Color = Color::srgb(0.44, 0.29, 0.17);
    const DARK: Color = Color::srgb(0.17, 0.11, 0.08);
    const IRON: Color = Color::srgb(0.42, 0.44, 0.50);

    let size = level.gateway().size();
    for side in [-1.0, 1.0] {
        let leaf = Vec2::new(9.0, size.y / 2.0);
        let shut = Vec2::new(0.0, side * size.y / 4.0);
        let open = Vec2::new(0.0, side * (size.y / 2.0 + size.y / 4.0 - 4.0));
        let at = if is_open.0 { open } else { shut };
        commands.entity(*gate).with_children(|gate| {
            gate.spawn((
                Leaf { shut, open },
                Transform::from_translation(at.extend(height::LEAF)),
                Visibility::default(),
            ))
            .with_children(|planks| {
                planks.spawn((Sprite::from_color(DARK, leaf + 2.0), Transform::from_xyz(0.0, 0.0, 0.0)));
                planks.spawn((Sprite::from_color(WOOD, leaf), Transform::from_xyz(0.0, 0.0, 0.1)));
                for x in [-1.5, 1.5] {
                    let gap = Vec2::new(1.0, leaf.y);
                    planks.spawn((Sprite::from_color(DARK, gap), Transform::from_xyz(x, 0.0, 0.2)));
                }
                for y in [-5.0, 5.0] {
                    let band = Vec2::new(leaf.x, 2.0);
                    planks.spawn((Sprite::from_color(IRON, band), Transform::from_xyz(0.0, y, 0.3)));
                }
            });
        });
    }
}

/// Slides the leaves into the wall and out of it.
fn show_gate(is_open: Res<GateIsOpen>, time: Res<Time>, mut leaves: Query<(&Leaf, &mut Transform)>) {
    const SPEED: f32 = 40.0;

    for (leaf, mut place) in &mut leaves {
        let wanted = if is_open.0 { leaf.open } else { leaf.shut };
        let at = place.translation.truncate().move_towards(wanted, SPEED * time.delta_secs());
        place.set_if_neq(Transform::from_translation(at.extend(height::LEAF)));
    }
}

#[cfg(test)]
mod tests {
    use tilepath_examples::{autotile::OVERLAYS, figure::standing_height};

    use super::*;

    #[test]
    fn flat_things_are_drawn_below_standing_things() {
        let level = Level::garrison();
        assert!(standing_height(level.plan.area().max.y) > height::GROUND.rim);
        assert!(
            height::LEAF > height::GROUND.overlay + OVERLAYS.len() as f32
                && height::SHADOW > height::SELECTED
        );
    }
}
