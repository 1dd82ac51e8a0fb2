//! Bodies and doors: one passes at a time, if the cell behind is free.

use bevy_ecs::entity::Entity;
use bevy_math::Vec2;
use tilepath::{
    Cell,
    crowd::{Activity, BodyId},
};

use super::{
    enter::{described, passing},
    held::FARTHEST,
    map_crowd::{Crowds, MapCrowd, tiles},
    parts::{AgentPartsItem, Bodies, BodyPartsItem, Surroundings},
};
use crate::{journey::path::AgentPath, map::place::MapPlace};

/// A body in front of a door on its path.
struct Wanting {
    since: u32,
    number: u64,
    entity: Entity,
    /// The map behind the door, and the cell there if the map has tiles.
    behind: (Entity, Option<Cell>),
    /// The body that keeps it from the cell behind.
    held_by: Option<BodyId>,
}

/// Lets bodies in front of a door on their path take the cell behind it, and leave the crowd on
/// this side. Two bodies at both ends of a door change places.
pub(super) fn claim_doors(crowds: &mut Crowds, around: &Surroundings, bodies: &mut Bodies) {
    let mut wanting: Vec<Wanting> = Vec::new();
    if !crowds.are_doors_near {
        return;
    }
    for mut item in &mut *bodies {
        wanting.extend(item.wants_door(crowds));
    }
    // The body that has been under way for longest goes first.
    wanting.sort_unstable_by_key(|wanting| (wanting.since, wanting.number, wanting.entity));
    let mut done = vec![false; wanting.len()];
    for index in 0..wanting.len() {
        let one = &wanting[index];
        let Ok(mut item) = bodies.get_mut(one.entity) else { continue };
        if done[index] || item.claim(crowds, around, one) {
            continue;
        }
        let holders = item.holders_behind(crowds, around, one);
        let held_by = holders.first().copied();
        let partner = only_one(crowds, one, &holders).and_then(|owner| {
            let later = (index + 1..wanting.len()).find(|&later| wanting[later].entity == owner)?;
            let holders = bodies.get_mut(owner).ok()?.holders_behind(crowds, around, &wanting[later]);
            (only_one(crowds, &wanting[later], &holders) == Some(one.entity)).then_some(later)
        });
        if let Some(partner) = partner.filter(|&partner| !done[partner]) {
            done[partner] = true;
            for index in [index, partner] {
                if let Ok(mut item) = bodies.get_mut(wanting[index].entity) {
                    item.leave_crowd(crowds);
                }
            }
            for index in [index, partner] {
                if let Ok(mut item) = bodies.get_mut(wanting[index].entity) {
                    item.claim(crowds, around, &wanting[index]);
                }
            }
        } else {
            send_away(crowds, one, &holders);
            wanting[index].held_by = held_by;
        }
    }
    for place in 0..wanting.len() {
        let waits_at_door = stands_because_of(crowds, &wanting, place, |owner| {
            bodies.get(owner).is_ok_and(|item| item.walks_through_door())
        });
        if let Ok(mut item) = bodies.get_mut(wanting[place].entity) {
            item.place.waits_at_door = waits_at_door;
        }
    }
}

/// Returns the body behind the door, if it stands and does not wait for one that walks. It stays
/// there, or other bodies keep it there: the last one may be the body that waits in front of the
/// door. `goes_on` returns whether a body walks through a door.
fn stands_because_of(
    crowds: &Crowds,
    wanting: &[Wanting],
    place: usize,
    goes_on: impl Fn(Entity) -> bool,
) -> Option<(Entity, Cell)> {
    let one = &wanting[place];
    let (map, cell) = (one.behind.0, one.behind.1?);
    let first = one.held_by?;
    let by = crowds.maps.get(&map)?.owner(first)?;
    let (mut map, mut last) = (map, first);
    for _ in 0..FARTHEST {
        let crowd = crowds.maps.get(&map)?;
        // It may have left through a door in this tick.
        let owner = crowd.owner(last)?;
        if crowd.crowd.is_walking(last) {
            return None;
        }
        if crowd.crowd.step(last).is_some()
            || !matches!(crowd.crowd.activity(last), Activity::UnderWay { .. })
        {
            break;
        }
        if owner == one.entity {
            break;
        }
        match wanting.iter().find(|wanting| wanting.entity == owner) {
            Some(next) => (map, last) = (next.behind.0, next.held_by?),
            None => match crowd.crowd.waiting(last)?.by {
                Some(by) => last = by,
                None if goes_on(owner) => return None,
                None => break,
            },
        }
    }
    Some((by, cell))
}

impl BodyPartsItem<'_, '_> {
    /// Returns its wish to pass a door, if it stands in front of one.
    fn wants_door(&mut self, crowds: &Crowds) -> Option<Wanting> {
        let entered = self.place.entered.as_ref();
        let is_in_door = self.place.is_passing();
        let crowd = entered.and_then(|entered| crowds.entered(entered));
        let is_on_its_way = entered
            .zip(crowd)
            .is_some_and(|(entered, crowd)| crowd.step(entered.id).is_some() || entered.off != Vec2::ZERO);
        let before = entered.zip(crowd).map(|(entered, crowd)| crowd.cell(entered.id));
        let since = self.place.since.unwrap_or(u32::MAX);
        let (number, entity) = (self.number.get(), self.entity);
        let agent = self.agent.as_mut()?;
        let is_held = agent.agent.is_held();
        let mut path = agent.walked_path_mut()?;
        path.halt_before = Some(path.halt_at_door(is_in_door.into()));
        // Other bodies may have pushed it aside.
        let is_beside = before.is_some_and(|cell| path.path().is_some_and(|path| path.goal() != cell));
        if is_in_door || is_held || is_on_its_way || is_beside || !path.is_in_door() {
            return None;
        }
        Some(Wanting { since, number, entity, behind: behind_door(&path)?, held_by: None })
    }

    /// Takes the cells behind the door, if they are free, and lets the body pass. Along a graph
    /// bodies pass through each other.
    fn claim(&mut self, crowds: &mut Crowds, around: &Surroundings, wanting: &Wanting) -> bool {
        let (map, cell) = wanting.behind;
        let mut entered = None;
        if let Some(cell) = cell {
            let Some(view) = tiles(&around.maps, map).and_then(|view| self.seen_by(view)) else {
                return false;
            };
            let tick = crowds.tick;
            let crowd = crowds.maps.entry(map).or_insert_with(|| MapCrowd::new(&view));
            let body = passing(described(*self.body, self.number.get(), view.side(), cell));
            if crowd.crowd.in_the_way_of(&body).next().is_some() {
                return false;
            }
            entered = self.enter_crowd(crowd, &view, &body, tick);
            if entered.is_none() {
                return false;
            }
        }
        self.leave_crowd(crowds);
        self.place.entered = entered;
        (self.place.behind, self.place.detour) = (Some(wanting.behind), None);
        (self.place.stuck, self.place.waits_for) = (0, None);
        if let Some(mut path) = self.agent.as_mut().and_then(AgentPartsItem::walked_path_mut) {
            path.halt_before = Some(path.halt_at_door(1));
        }
        true
    }

    fn leave_crowd(&mut self, crowds: &mut Crowds) {
        if let Some(old) = self.place.entered.take()
            && let Some(crowd) = crowds.maps.get_mut(&old.map)
            && crowd.number == old.crowd
        {
            crowd.remove(old.id);
        }
    }

    /// Returns the bodies that keep it from the cells behind the door, first the bodies that stand
    /// there.
    fn holders_behind(&self, crowds: &Crowds, around: &Surroundings, wanting: &Wanting) -> Vec<BodyId> {
        let (map, Some(cell)) = wanting.behind else { return Vec::new() };
        let view = tiles(&around.maps, map).and_then(|view| self.seen_by(view));
        let (Some(view), Some(behind)) = (view, crowds.maps.get(&map)) else { return Vec::new() };
        let body = described(*self.body, self.number.get(), view.side(), cell);
        let mut holders: Vec<BodyId> =
            (behind.crowd.in_the_way_of(&body)).filter(|&id| behind.owner(id) != Some(self.entity)).collect();
        holders.sort_unstable_by_key(|&id| (behind.crowd.step(id).is_some(), id.index()));
        holders.dedup();
        holders
    }
}

/// Returns the body that alone holds the cells behind a door, if it stands there.
fn only_one(crowds: &Crowds, wanting: &Wanting, holders: &[BodyId]) -> Option<Entity> {
    let behind = crowds.maps.get(&wanting.behind.0)?;
    let &[holder] = holders else { return None };
    behind.crowd.step(holder).is_none().then(|| behind.owner(holder))?
}

/// Sends bodies away that rest behind a door.
fn send_away(crowds: &mut Crowds, wanting: &Wanting, holders: &[BodyId]) {
    let Some(behind) = crowds.maps.get_mut(&wanting.behind.0) else { return };
    for &holder in holders {
        if matches!(behind.crowd.activity(holder), Activity::Resting | Activity::Returning) {
            behind.crowd.send_away(holder);
        }
    }
}

/// Returns the map behind the next door, and the cell there.
fn behind_door(path: &AgentPath) -> Option<(Entity, Option<Cell>)> {
    let leg = path.legs_left().get(1)?;
    let cell = match leg.first_map_place() {
        Some(MapPlace::Cell(cell)) => Some(cell),
        _ => None,
    };
    Some((leg.map(), cell))
}
