//! Creeps: they enter through gates and go to the keep.

use bevy::prelude::*;
use bevy_tilepath::{
    Body, PathAgent, PathRequest, TilepathSystems,
    events::{Arrived, PathFailed, PathLost},
};
use tilepath_examples::{
    figure::Looks,
    tiles::{TILE, centre_of},
};

use crate::level::Level;

/// Ticks from one creep at a gate to the next.
const PAUSE: u32 = 64;
/// Ticks after which creeps have one more life.
const HARDENING: u32 = 1200;
const FIRST_LIVES: u32 = 8;
/// The speed, in world units per second. One creep in four is faster.
const SPEED: f32 = 2.2 * TILE;
const FAST: f32 = 3.4 * TILE;

/// Spawns creeps.
pub(crate) struct CreepsPlugin;

impl Plugin for CreepsPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Mode>()
            .init_resource::<Score>()
            .add_systems(FixedUpdate, (spawn_creeps, change_mode).before(TilepathSystems::SyncMaps))
            .add_systems(FixedPostUpdate, count_collisions)
            .add_observer(pass)
            .add_observer(|_: On<PathFailed>, mut score: ResMut<Score>| score.failed += 1)
            .add_observer(|_: On<PathLost>, mut score: ResMut<Score>| score.failed += 1);
    }
}

/// Whether creeps share their cells.
#[derive(Resource, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Mode {
    #[default]
    Bodies,
    Ghosts,
}

impl Mode {
    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Bodies => Self::Ghosts,
            Self::Ghosts => Self::Bodies,
        }
    }
}

/// A creep, which goes to the keep.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Creep {
    pub(crate) lives: u32,
    pub(crate) of: u32,
}

/// The counts of creeps.
#[derive(Resource, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Score {
    pub(crate) ticks: u32,
    pub(crate) come: u32,
    pub(crate) shot: u32,
    /// Creeps that arrived at the keep.
    pub(crate) through: u32,
    /// Creeps whose order failed. This stays 0 as long as no tower closes a path.
    pub(crate) failed: u32,
    /// Pairs nearer to each other than 0.7 cells in this tick, and the sum over all ticks.
    pub(crate) collisions: u32,
    pub(crate) all_collisions: u32,
}

fn spawn_creeps(
    mut commands: Commands,
    level: Res<Level>,
    mode: Res<Mode>,
    mut score: ResMut<Score>,
    creeps: Query<&Transform, With<Creep>>,
) {
    score.ticks += 1;
    for (gate, at) in level.gates.into_iter().enumerate() {
        if !(score.ticks + PAUSE / 2 * gate as u32).is_multiple_of(PAUSE) {
            continue;
        }
        let place = centre_of(at);
        // If a jam reaches the gate, new creeps wait outside.
        if creeps.iter().any(|creep| creep.translation.truncate().distance(place) < TILE) {
            continue;
        }
        let is_fast = score.come % 4 == 3;
        let lives = FIRST_LIVES + score.ticks / HARDENING;
        let mut creep = commands.spawn((
            Creep { lives, of: lives },
            PathAgent { speed: if is_fast { FAST } else { SPEED }.into(), ..default() },
            PathRequest::to_cell(level.keep),
            Looks::person(if is_fast { "sprites/traveller.png" } else { "sprites/soldier.png" }),
            Transform::from_translation(place.extend(0.0)),
            Visibility::default(),
        ));
        if *mode == Mode::Bodies {
            creep.insert(Body::default());
        }
        score.come += 1;
    }
}

fn change_mode(mode: Res<Mode>, creeps: Query<Entity, With<Creep>>, mut commands: Commands) {
    if !mode.is_changed() {
        return;
    }
    for creep in &creeps {
        match *mode {
            Mode::Bodies => commands.entity(creep).insert(Body::default()),
            Mode::Ghosts => commands.entity(creep).remove::<Body>(),
        };
    }
}

fn pass(
    arrived: On<Arrived>,
    creeps: Query<(), With<Creep>>,
    mut score: ResMut<Score>,
    mut commands: Commands,
) {
    if creeps.contains(arrived.entity) {
        score.through += 1;
        commands.entity(arrived.entity).despawn();
    }
}

fn count_collisions(mut score: ResMut<Score>, creeps: Query<&Transform, With<Creep>>) {
    let is_near =
        |[a, b]: [&Transform; 2]| a.translation.truncate().distance(b.translation.truncate()) < 0.7 * TILE;
    score.collisions = creeps.iter_combinations().filter(|&pair| is_near(pair)).count() as u32;
    score.all_collisions += score.collisions;
}
