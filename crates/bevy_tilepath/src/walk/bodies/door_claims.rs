//! Bodies that go through doors: one at a time, when the cell behind is free.

use bevy_ecs::entity::Entity;
use bevy_math::Vec2;
use tilepath::{
    Cell,
    crowd::{Activity, Body, BodyId},
};

use super::{
    AgentPartsItem, Bodies, BodyPartsItem, Surroundings,
    enter::described,
    map_crowd::{Crowds, MapCrowd, tiles},
};
use crate::{
    journey::{
        body::Entered,
        path::{AgentPath, DoorRule},
    },
    map::{nav_view::NavView, place::MapPlace, version::Version},
    route::speed::GaitKind,
};

/// A body before a door of its way.
struct Wanting {
    since: u32,
    number: u64,
    entity: Entity,
    /// The map behind, and the cell if it is one of tiles.
    behind: (Entity, Option<Cell>),
    /// The map and the cell before it, if its crowd has it there.
    before: Option<(Entity, Cell, u8)>,
}

/// Bodies that stand before a door of their way take the cell behind it, and leave the crowd on this side. Two that stand at both
/// ends of a door change places.
pub(super) fn claim_doors(crowds: &mut Crowds, around: &Surroundings, bodies: &mut Bodies) {
    let mut wanting: Vec<Wanting> = Vec::new();
    for mut item in &mut *bodies {
        wanting.extend(item.wants_door(crowds));
    }
    // Those that have been under way for longer go first.
    wanting.sort_unstable_by_key(|wanting| (wanting.since, wanting.number, wanting.entity));
    let mut done = vec![false; wanting.len()];
    for index in 0..wanting.len() {
        if done[index] {
            continue;
        }
        let one = &wanting[index];
        let Ok(mut item) = bodies.get_mut(one.entity) else { continue };
        if item.claim(crowds, around, one, false) {
            continue;
        }
        let meets = |other: &Wanting| {
            let side = one.before.map(|(.., side)| side);
            one.before.map(|(map, cell, _)| (map, Some(cell))) == Some(other.behind)
                && other.before.map(|(map, cell, _)| (map, Some(cell))) == Some(one.behind)
                && other.before.map(|(.., side)| side) == side
        };
        let partner = (index + 1..wanting.len()).find(|&other| !done[other] && meets(&wanting[other]));
        if let Some(partner) = partner {
            done[partner] = true;
            item.leave_crowd(crowds);
            item.claim(crowds, around, one, true);
            if let Ok(mut item) = bodies.get_mut(wanting[partner].entity) {
                item.leave_crowd(crowds);
                item.claim(crowds, around, &wanting[partner], true);
            }
        } else {
            item.wait_for_door(crowds, one);
        }
    }
}

impl BodyPartsItem<'_, '_> {
    /// Whether it stands before a door.
    fn wants_door(&mut self, crowds: &Crowds) -> Option<Wanting> {
        let entered = self.place.entered.as_ref();
        let is_in_door = self.place.is_passing;
        let crowd = entered.and_then(|entered| crowds.of(entered.map));
        let is_on_its_way = entered
            .zip(crowd)
            .is_some_and(|(entered, crowd)| crowd.step(entered.id).is_some() || entered.off != Vec2::ZERO);
        let before =
            entered.zip(crowd).map(|(entered, crowd)| (entered.map, crowd.cell(entered.id), entered.side));
        let since = self.place.since.unwrap_or(u32::MAX);
        let (number, entity) = (self.number.get(), self.entity);
        let agent = self.agent.as_mut()?;
        let is_held = agent.agent.paused;
        let path = agent.walked_path_mut()?;
        path.door_rule = if is_in_door { DoorRule::OneDoor } else { DoorRule::Closed };
        if is_in_door || is_held || is_on_its_way || !path.is_in_door() {
            return None;
        }
        Some(Wanting { since, number, entity, behind: behind_door(path)?, before })
    }

    /// Takes the cell behind the door, if it is free or has just been left, and goes on. Along a graph bodies pass through each
    /// other.
    fn claim(
        &mut self,
        crowds: &mut Crowds,
        around: &Surroundings,
        wanting: &Wanting,
        is_left: bool,
    ) -> bool {
        let (map, cell) = wanting.behind;
        let mut entered = None;
        if let Some(cell) = cell {
            let Some(view) = tiles(&around.maps, map).and_then(|view| self.seen_by(view)) else {
                return false;
            };
            let tick = crowds.tick;
            let crowd = crowds.maps.entry(map).or_insert_with(|| MapCrowd::new(&view));
            // It is on its way there, and decides nothing until it is.
            let activity = Activity::UnderWay { since: 0 };
            let body = Body { activity, ..described(*self.body, self.number.get(), view.side(), cell) };
            if !is_left && !crowd.crowd.admits(&body) {
                return false;
            }
            let Some(id) = crowd.insert(&body, self.entity, tick) else { return false };
            entered = Some(self.entered_behind(&view, crowd.number, id));
        }
        self.leave_crowd(crowds);
        self.place.entered = entered;
        (self.place.is_passing, self.place.detour) = (true, None);
        (self.place.stuck, self.place.waits_for) = (0, None);
        if let Some(path) = self.agent.as_mut().and_then(AgentPartsItem::walked_path_mut) {
            path.door_rule = DoorRule::OneDoor;
        }
        true
    }

    fn entered_behind(&self, view: &NavView, crowd: u64, id: BodyId) -> Entered {
        Entered {
            map: view.map,
            crowd,
            id,
            body: *self.body,
            side: view.side(),
            movement: self.movement_of_unit().cloned(),
            movement_id: view.movement,
            gait: GaitKind::default(),
            off: Vec2::ZERO,
            written: self.transform.translation.truncate(),
            placement: Version::default(),
            is_in_door: true,
        }
    }

    fn leave_crowd(&mut self, crowds: &mut Crowds) {
        if let Some(old) = self.place.entered.take()
            && let Some(crowd) = crowds.maps.get_mut(&old.map)
            && crowd.number == old.crowd
        {
            crowd.remove(old.id);
        }
    }

    /// It stands before the door. One that rests behind it goes elsewhere; for one that stays there it waits like for any other.
    fn wait_for_door(&mut self, crowds: &mut Crowds, wanting: &Wanting) {
        let (map, Some(cell)) = wanting.behind else { return };
        let Some(behind) = crowds.maps.get_mut(&map) else { return };
        let Some(holder) = behind.crowd.on(cell).find(|&id| behind.owner(id) != Some(self.entity)) else {
            return;
        };
        if behind.crowd.step(holder).is_some() {
            return;
        }
        if matches!(behind.crowd.activity(holder), Activity::Resting | Activity::Returning) {
            behind.crowd.send_away(holder);
        }
        if !matches!(behind.crowd.activity(holder), Activity::UnderWay { .. }) {
            self.place.waits_at_door = behind.owner(holder).map(|by| (by, cell));
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
