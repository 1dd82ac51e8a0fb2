//! Bodies that go through doors: one at a time, when the cell behind is free.

use bevy_ecs::entity::Entity;
use tilepath::Cell;

use super::{
    Bodies, BodyPartsItem, Surroundings,
    enter::described,
    map_crowd::{Crowds, MapCrowd, tiles},
};
use crate::{
    journey::{
        body::Entered,
        path::{AgentPath, DoorRule},
    },
    map::{maps::AnyMap, place::MapPlace, version::Version},
    route::speed::GaitKind,
};

/// Bodies that stand before a door of their way take the cell behind it, and leave the crowd on this side.
pub(super) fn claim_doors(crowds: &mut Crowds, around: &Surroundings, bodies: &mut Bodies) {
    let mut wanting: Vec<(u32, u64, Entity)> = Vec::new();
    for mut item in &mut *bodies {
        let is_held = item.agent.as_ref().is_none_or(|agent| agent.agent.paused);
        let since = item.place.since.unwrap_or(u32::MAX);
        let number = item.number.get();
        let is_in_door = item.place.entered.as_ref().is_some_and(|entered| entered.is_in_door);
        let entity = item.entity;
        let Some(path) = item.agent.as_mut().and_then(super::AgentPartsItem::walked_path_mut) else {
            continue;
        };
        if is_in_door {
            path.door_rule = DoorRule::OneDoor;
        } else {
            path.door_rule = DoorRule::Closed;
            if !is_held && path.is_in_door() {
                wanting.push((since, number, entity));
            }
        }
    }
    // Those that have been under way for longer go first.
    wanting.sort_unstable();
    for (_, _, entity) in wanting {
        if let Ok(mut item) = bodies.get_mut(entity) {
            item.claim_door(crowds, around);
        }
    }
}

impl BodyPartsItem<'_, '_> {
    fn claim_door(&mut self, crowds: &mut Crowds, around: &Surroundings) {
        let Some(path) = self.agent.as_ref().and_then(super::AgentPartsItem::walked_path) else { return };
        let movement = path.route.movement.clone();
        let Some((map, behind)) = behind_door(path) else { return };
        // It stands at the end of the door, and not on its way there.
        if let Some(entered) = &self.place.entered
            && let Some(crowd) = crowds.of(entered.map)
            && (crowd.step(entered.id).is_some() || entered.off != bevy_math::Vec2::ZERO)
        {
            return;
        }
        let entered = match (around.maps.ready(map), behind) {
            (Some(AnyMap::Tiles(view)), Some(cell)) => {
                let Ok(view) = view.by(movement.as_ref()) else { return };
                let tick = crowds.tick;
                let crowd = crowds.maps.entry(map).or_insert_with(|| MapCrowd::new(&view));
                let body = described(*self.body, self.number.get(), view.side(), cell);
                if tiles(&around.maps, map).is_none() || !crowd.crowd.admits(&body) {
                    return;
                }
                let Some(id) = crowd.insert(&body, self.entity, tick) else { return };
                let written = self.transform.translation.truncate();
                Some(Entered {
                    map,
                    crowd: crowd.number,
                    id,
                    body: *self.body,
                    side: view.side(),
                    movement,
                    movement_id: view.movement,
                    gait: GaitKind::default(),
                    off: bevy_math::Vec2::ZERO,
                    written,
                    placement: Version::default(),
                    is_in_door: true,
                })
            }
            // Along a graph bodies pass through each other.
            _ => None,
        };
        if let Some(old) = self.place.entered.take()
            && let Some(crowd) = crowds.maps.get_mut(&old.map)
            && crowd.number == old.crowd
        {
            crowd.remove(old.id);
        }
        self.place.entered = entered;
        self.place.detour = None;
        if let Some(path) = self.agent.as_mut().and_then(super::AgentPartsItem::walked_path_mut) {
            path.door_rule = DoorRule::OneDoor;
        }
    }
}

/// The map behind the next door, and the cell there.
fn behind_door(path: &AgentPath) -> Option<(Entity, Option<Cell>)> {
    let leg = path.legs_left().get(1)?;
    let cell = match leg.first_map_place() {
        Some(MapPlace::Cell(cell)) => Some(cell),
        _ => None,
    };
    Some((leg.map(), cell))
}
