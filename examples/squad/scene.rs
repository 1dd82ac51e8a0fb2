//! The level as entities: ground, scenery, units, and a gate.

use bevy::prelude::*;
use bevy_tilepath::{Obstacle, TilepathSystems};
use serde::{Deserialize, Serialize};

use crate::{level::Level, units::map_rules};

/// The tilemap of the ground: it carries the `NavMap`.
#[derive(Component)]
pub(crate) struct GroundMap;

/// The heights at which things are drawn, from the ground upwards.
pub(crate) mod height {
    use tilepath_examples::ground_pictures::GroundHeights;

    pub(crate) const GROUND: GroundHeights = GroundHeights { overlay: 1.0, growth: 5.5, rim: 9.0 };
    pub(crate) const LEAF: f32 = 6.0;
    /// Paths and places.
    pub(crate) const MARKS: f32 = 7.0;
    pub(crate) const SELECTED: f32 = 7.8;
    pub(crate) const SHADOW: f32 = 8.0;
    /// Above all things that stand.
    pub(crate) const FRAME: f32 = 60.0;
}

/// True if the gate is open.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct GateIsOpen(pub(crate) bool);

/// The gate: an obstacle while it is shut.
#[derive(Component)]
pub(crate) struct Gate;

/// Spawns the level.
pub(crate) struct ScenePlugin;

impl Plugin for ScenePlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(Level::garrison())
            .insert_resource(GateIsOpen(true))
            .add_systems(Startup, (spawn_ground, spawn_scenery, spawn_units).chain())
            .add_systems(
                FixedUpdate,
                move_gate.run_if(resource_changed::<GateIsOpen>).before(TilepathSystems::SyncMaps),
            );
    }
}

fn spawn_ground(mut commands: Commands, level: Res<Level>) {
    let map = level.plan.spawn(&mut commands);
    commands.entity(map).insert((GroundMap, map_rules()));
}

fn spawn_scenery(mut commands: Commands, level: Res<Level>) {
    for &(cell, kind) in &level.scenery {
        let area = kind.covered(cell);
        let place = Transform::from_translation(area.center().extend(0.0));
        commands.spawn((Obstacle { size: area.size(), ..default() }, place));
    }
    let place = Transform::from_translation(level.gateway().center().extend(0.0));
    commands.spawn((Gate, place, Visibility::default()));
}

fn spawn_units(mut commands: Commands, level: Res<Level>) {
    for &(unit, cell) in &level.units {
        let place = Transform::from_translation(unit.centre(cell).extend(0.0));
        commands.spawn((unit.bundle(), place));
    }
}

fn move_gate(
    is_open: Res<GateIsOpen>,
    level: Res<Level>,
    gate: Single<Entity, With<Gate>>,
    mut commands: Commands,
) {
    if is_open.0 {
        commands.entity(*gate).remove::<Obstacle>();
    } else {
        // Units that rest in the gateway go aside.
        let leaves = Obstacle { size: level.gateway().size(), ..default() }.makes_room();
        commands.entity(*gate).insert(leaves);
    }
}
