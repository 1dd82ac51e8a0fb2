//! Agents that walk otherwise than from centre to centre, or are moved by their velocity.

use bevy_app::{App, Update};
use bevy_ecs::{
    entity::Entity, observer::On, query::Without, schedule::IntoScheduleConfigs, system::Commands,
    world::World,
};
use bevy_math::Vec2;
use bevy_tilepath::{
    AgentPath, Body, Motion, PathAgent, TilepathSystems,
    agents::{Drive, PathLine},
    events::DoorPassed,
};
use bevy_time::Time;

use crate::places;

/// The distance from its goal, in cells, at which an agent that is moved by its velocity arrives.
/// Cells may be skewed and stretched.
const ARRIVAL: f32 = 0.25;

/// The distance from the middle of its cell, in cells, at which such an agent arrives if its order
/// leads to a region: anywhere on the cell.
const ON_CELL: f32 = 0.75;

/// The distance, in world units, of an agent from the end of a door that it has leapt.
const FAR: f32 = 16.0;

/// Returns an agent with the line and the drive that follow from its number.
pub(crate) fn styled(agent: PathAgent, number: u32) -> PathAgent {
    let line = if number % 4 < 2 { PathLine::Straight } else { PathLine::Cells };
    let spread = if number % 4 == 1 || number % 4 == 2 { 0.35 } else { 0.0 };
    let drive = if number % 8 < 4 { Drive::Transform } else { Drive::Velocity };
    PathAgent { line, spread, drive, ..agent }
}

/// Returns the distance from its goal, in cells, at which an agent may arrive. `may_lead_to_region`
/// is true if its order may lead near a target, or away from targets.
pub(crate) fn arrival(world: &World, entity: Entity, may_lead_to_region: bool) -> f32 {
    let is_driven = world.get::<PathAgent>(entity).is_some_and(|agent| agent.drive == Drive::Velocity);
    match (is_driven, may_lead_to_region) {
        (true, true) => ON_CELL,
        (true, false) => ARRIVAL,
        (false, _) => 0.0,
    }
}

/// Moves agents by their velocity at the end of each tick.
pub(crate) fn move_driven_agents(app: &mut App) {
    app.add_systems(Update, apply_velocities.after(TilepathSystems::Follow)).add_observer(leap);
}

/// Puts an agent behind the leaping door that it has passed. At any other door it is there already.
fn leap(passed: On<DoorPassed>, mut commands: Commands) {
    let entity = passed.entity;
    commands.queue(move |world: &mut World| {
        let is_driven = world.get::<PathAgent>(entity).is_some_and(|agent| agent.drive == Drive::Velocity);
        let path = world.get::<AgentPath>(entity).filter(|_| is_driven);
        let behind = path.and_then(|path| path.points().get(path.next_point().checked_sub(1)?).copied());
        if let Some(behind) = behind.filter(|behind| behind.distance(places::position(world, entity)) > FAR) {
            places::put(world, entity, behind);
        }
    });
}

fn apply_velocities(world: &mut World) {
    let seconds = world.resource::<Time>().delta_secs();
    let mut agents = world.query_filtered::<(Entity, &PathAgent, &Motion), Without<Body>>();
    let driven = agents.iter(world).filter(|(_, agent, motion)| {
        agent.drive == Drive::Velocity && motion.velocity != Vec2::ZERO && motion.velocity.is_finite()
    });
    let driven: Vec<_> = driven.map(|(entity, _, motion)| (entity, motion.velocity)).collect();
    for (entity, velocity) in driven {
        let here = places::position(world, entity);
        places::put(world, entity, here + velocity * seconds);
    }
}
