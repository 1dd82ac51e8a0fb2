//! A hash that is equal for equal runs.

use std::hash::{Hash, Hasher};

use bevy_ecs::world::World;
use bevy_tilepath::{AgentPath, OnMap, PathStatus};
use bevy_transform::components::Transform;
use rustc_hash::FxHasher;

use crate::{crew::Agent, level::Level};

/// The hash of orders, paths and positions of all agents in all ticks so far. It leaves out
/// entities, whose numbers depend on earlier despawns.
#[derive(Default)]
pub(crate) struct StateHash(FxHasher);

impl StateHash {
    pub(crate) fn add(&mut self, world: &World, level: &Level, crew: &[Agent]) {
        let hasher = &mut self.0;
        let index_of = |map| level.maps.iter().chain(&level.graphs).position(|&known| known == map);
        for agent in crew {
            agent.number.hash(hasher);
            agent.life.stage().hash(hasher);
            world.get::<OnMap>(agent.entity).map(|on_map| index_of(on_map.0)).hash(hasher);
            if let Some(at) = world.get::<Transform>(agent.entity) {
                at.translation.to_array().map(f32::to_bits).hash(hasher);
            }
            world.get::<PathStatus>(agent.entity).map(std::mem::discriminant).hash(hasher);
            if let Some(path) = world.get::<AgentPath>(agent.entity) {
                (path.next_point(), path.chosen(), path.is_partial()).hash(hasher);
                for point in path.points() {
                    point.to_array().map(f32::to_bits).hash(hasher);
                }
            }
        }
    }

    pub(crate) fn value(&self) -> u64 {
        self.0.finish()
    }
}
