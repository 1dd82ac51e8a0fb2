//! The level as entities, and the rules of the game.

use bevy::prelude::*;
use bevy_tilepath::{NavMap, Obstacle};
use tilepath_examples::ground::costs;

use crate::{build::BuildPlugin, creeps::CreepsPlugin, level::Level, shots::ShotsPlugin, ways::WaysPlugin};

/// The tilemap of the ground: it carries the `NavMap`.
#[derive(Component)]
pub(crate) struct GroundMap;

/// The heights at which things are drawn, from the ground upwards.
pub(crate) mod height {
    use tilepath_examples::ground_pictures::GroundHeights;

    pub(crate) const GROUND: GroundHeights = GroundHeights { overlay: 1.0, growth: 5.5, rim: 9.0 };
    /// Paths and cells.
    pub(crate) const MARKS: f32 = 7.0;
    pub(crate) const SHADOW: f32 = 8.0;
    /// The cells that must stay free, and the tower in hand. Nothing hides them.
    pub(crate) const FRAMES: f32 = 50.0;
    /// Above all things that stand.
    pub(crate) const SHOTS: f32 = 60.0;
}

/// Spawns the level, creeps and shots.
pub(crate) struct ScenePlugin;

impl Plugin for ScenePlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(Level::valley())
            .add_plugins((BuildPlugin, CreepsPlugin, ShotsPlugin, WaysPlugin))
            .add_systems(Startup, (spawn_ground, spawn_scenery));
    }
}

fn spawn_ground(mut commands: Commands, level: Res<Level>) {
    let map = level.plan.spawn(&mut commands);
    commands.entity(map).insert((GroundMap, NavMap { costs: costs(true), ..default() }));
}

fn spawn_scenery(mut commands: Commands, level: Res<Level>) {
    for &(cell, kind) in &level.scenery {
        let area = kind.covered(cell);
        let place = Transform::from_translation(area.center().extend(0.0));
        commands.spawn((Obstacle { size: area.size(), ..default() }, place));
    }
}
