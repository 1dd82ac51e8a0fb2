//! Shots: each tower shoots at the nearest creep.

use bevy::prelude::*;
use bevy_tilepath::TilepathSystems;
use tilepath_examples::tiles::TILE;

use crate::{
    build::Tower,
    creeps::{Creep, Score},
};

/// The range of a tower, in world units.
pub(crate) const RANGE: f32 = 3.6 * TILE;
/// Seconds from one shot of a tower to the next.
const RELOAD: f32 = 0.8;
/// The visible time of a shot, in seconds.
const SEEN: f32 = 0.12;

/// Lets towers shoot.
pub(crate) struct ShotsPlugin;

impl Plugin for ShotsPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Shots>().add_systems(FixedUpdate, shoot.after(TilepathSystems::Follow));
    }
}

/// The visible shots.
#[derive(Resource, Debug, Default)]
pub(crate) struct Shots(pub(crate) Vec<Shot>);

/// A shot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Shot {
    pub(crate) from: Vec2,
    pub(crate) to: Vec2,
    /// The seconds until it disappears.
    pub(crate) left: f32,
}

fn shoot(
    time: Res<Time>,
    mut shots: ResMut<Shots>,
    mut score: ResMut<Score>,
    mut towers: Query<(&mut Tower, &Transform)>,
    mut creeps: Query<(Entity, &mut Creep, &Transform)>,
    mut commands: Commands,
) {
    let seconds = time.delta_secs();
    shots.0.retain_mut(|shot| {
        shot.left -= seconds;
        shot.left > 0.0
    });
    for (mut tower, place) in &mut towers {
        tower.reload -= seconds;
        if tower.reload > 0.0 {
            continue;
        }
        let from = place.translation.truncate();
        let distance = |creep: &Transform| from.distance(creep.translation.truncate());
        let alive = creeps.iter_mut().filter(|(_, creep, place)| creep.lives > 0 && distance(place) < RANGE);
        // Between equally near creeps, the older one is hit.
        let nearest = alive.min_by(|(a, _, x), (b, _, y)| distance(x).total_cmp(&distance(y)).then(a.cmp(b)));
        let Some((entity, mut creep, at)) = nearest else { continue };
        tower.reload = RELOAD;
        creep.lives -= 1;
        shots.0.push(Shot { from, to: at.translation.truncate(), left: SEEN });
        if creep.lives == 0 {
            score.shot += 1;
            commands.entity(entity).despawn();
        }
    }
}
