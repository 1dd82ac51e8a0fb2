//! Areas of danger that move and fade.

use bevy_ecs::{entity::Entity, world::World};
use bevy_tilepath::{OnMap, maps::OverlayArea, tilepath::Grid};
use bevy_transform::components::Transform;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use crate::{
    crew::Agent,
    level::{Level, open_cell},
    places::{self, DANGER},
};

/// The most areas at a time.
const MOST_AREAS: usize = 8;
/// The number of ticks from one value of an area to the next.
const FADING_TICKS: u32 = 4;
/// The value to which an area falls from the value that closes cells.
const MOST_DANGER: u16 = 24;

/// An area whose value falls, and comes back after it is gone.
#[derive(Debug)]
pub(crate) struct Area {
    pub(crate) entity: Entity,
    /// The first value.
    full: u16,
    ticks: u32,
}

impl Level {
    /// Lets all areas fade. Now and then an area is spawned, moved or despawned.
    pub(crate) fn change_areas(&mut self, world: &mut World, crew: &[Agent], random: &mut ChaCha8Rng) {
        for area in &mut self.areas {
            area.fade(world);
        }
        if !random.random_bool(0.2) {
            return;
        }
        let kind = random.random_range(0..6);
        if self.areas.is_empty() || kind == 0 && self.areas.len() < MOST_AREAS {
            let area = self.spawn_area(world, random);
            self.areas.push(area);
            return;
        }
        let index = random.random_range(0..self.areas.len());
        let entity = self.areas[index].entity;
        if kind == 1 {
            self.areas.swap_remove(index);
            world.despawn(entity);
            return;
        }
        let follower = &crew[random.random_range(0..crew.len())];
        let place = if random.random_bool(0.6) && world.get_entity(follower.entity).is_ok() {
            places::position(world, follower.entity)
        } else {
            let map = self.maps[random.random_range(0..self.maps.len())];
            self.somewhere_on(world, map, random)
        };
        places::put(world, entity, place);
    }

    /// Spawns an area on one map, or on all maps that it reaches.
    fn spawn_area(&self, world: &mut World, random: &mut ChaCha8Rng) -> Area {
        let map = self.maps[random.random_range(0..self.maps.len())];
        let cell = open_cell(world, map, random);
        let place = places::centre(world, map, cell).unwrap_or_default();
        let closes = random.random_ratio(1, 6);
        let full = if closes { Grid::CLOSING } else { random.random_range(1..=MOST_DANGER) };
        let radius = random.random_range(0.0..if closes { 2.0 } else { 6.0 });
        let area = OverlayArea::new(DANGER, full, radius);
        let entity = world.spawn((area, Transform::from_translation(place.extend(0.0)))).id();
        if random.random_bool(0.5) {
            world.entity_mut(entity).insert(OnMap(map));
        }
        Area { entity, full, ticks: 0 }
    }
}

impl Area {
    fn fade(&mut self, world: &mut World) {
        self.ticks += 1;
        let full = self.full;
        if self.ticks.is_multiple_of(FADING_TICKS)
            && let Some(mut area) = world.get_mut::<OverlayArea>(self.entity)
        {
            area.value = match area.value {
                0 => full,
                Grid::CLOSING => MOST_DANGER,
                value => value * 3 / 4,
            };
        }
    }
}
