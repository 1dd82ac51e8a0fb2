//! Members that move up where others are missing.

use bevy_ecs::world::World;
use tilepath::{Cell, formation::FormationUnit};

use crate::{
    group::{
        members::{Fate, Group},
        places::{Newcomer, Parts, look},
    },
    map::{maps::AnyMap, movement::AgentMovement, place::Place},
    order::{goal::PathGoal, stops::PathStops},
};

impl Group {
    /// Those under way share the innermost of the places that nobody holds, as they would have without those who are missing.
    pub(super) fn close_gaps(&mut self, world: &mut World, parts: &mut Parts) {
        for stop in 0..self.stops.len() {
            let mut movements: Vec<Option<AgentMovement>> = Vec::new();
            for slot in &self.stops[stop].slots {
                if !movements.contains(&slot.movement) {
                    movements.push(slot.movement.clone());
                }
            }
            for movement in movements {
                self.move_up(world, parts, stop, &movement);
            }
        }
    }

    /// The same at one stop, for those of one movement.
    fn move_up(
        &mut self,
        world: &mut World,
        parts: &mut Parts,
        stop: usize,
        movement: &Option<AgentMovement>,
    ) {
        let moving: Vec<usize> = (0..self.members.len())
            .filter(|&index| self.may_move_up(world, stop, index) && self.is_of(stop, index, movement))
            .collect();
        if moving.is_empty() {
            return;
        }
        let is_held = |slot: usize| {
            self.members.iter().enumerate().any(|(index, member)| {
                member.slots.get(stop) == Some(&Some(slot))
                    && !moving.contains(&index)
                    && !matches!(member.fate, Fate::Lost | Fate::Left)
            })
        };
        let slots = &self.stops[stop].slots;
        let mut free: Vec<usize> =
            (0..slots.len()).filter(|&slot| slots[slot].movement == *movement && !is_held(slot)).collect();
        free.sort_by_key(|&slot| slots[slot].rank);
        free.truncate(moving.len());
        if moving
            .iter()
            .all(|&index| self.members[index].slots[stop].is_some_and(|slot| free.contains(&slot)))
        {
            return;
        }
        let Some(taken) = self.share(world, parts, (stop, &moving, &free)) else { return };
        for (&index, place) in moving.iter().zip(taken) {
            let Some(slot) = place.map(|place| free[place]) else { continue };
            let (member, cell) = (&mut self.members[index], self.stops[stop].slots[slot].cell);
            if member.slots[stop] == Some(slot) {
                continue;
            }
            member.slots[stop] = Some(slot);
            let own_index = member.own_index(stop);
            if let Some(mut stops) = world.get_mut::<PathStops>(member.entity) {
                stops.replace(own_index, cell);
            }
        }
    }

    /// Who takes which of some places.
    fn share(
        &self,
        world: &mut World,
        parts: &mut Parts,
        (stop, moving, free): (usize, &[usize], &[usize]),
    ) -> Option<Vec<Option<usize>>> {
        let around = look(parts, world);
        let AnyMap::Tiles(view) = around.maps.ready(self.map?)? else { return None };
        let units: Option<Vec<FormationUnit>> = moving
            .iter()
            .map(|&index| {
                let member = &self.members[index];
                let current = around.agents.get(member.entity).ok()?.stops?.current();
                let is_later = current < member.own_index(stop);
                let before = (0..stop).rev().find_map(|before| self.cell_of(member, before));
                let before = before.filter(|_| is_later);
                around.unit(view, &Newcomer { entity: member.entity, before })
            })
            .collect();
        let cells: Vec<Cell> = free.iter().map(|&slot| self.stops[stop].slots[slot].cell).collect();
        view.finder.solve_places(&units?, &cells).ok()
    }

    /// Whether a member is still to come to its place at a stop, and its list of stops is as it was given.
    fn may_move_up(&self, world: &World, stop: usize, index: usize) -> bool {
        let member = &self.members[index];
        let Some(cell) = self.cell_of(member, stop).filter(|_| member.is_under_way()) else { return false };
        world.get::<PathStops>(member.entity).is_some_and(|stops| {
            let index = member.own_index(stop);
            stops.current() <= index && stops.goals().get(index) == Some(&PathGoal::One(Place::Cell(cell)))
        })
    }

    fn is_of(&self, stop: usize, index: usize, movement: &Option<AgentMovement>) -> bool {
        let slot = self.members[index].slots.get(stop).copied().flatten();
        slot.is_some_and(|slot| self.stops[stop].slots[slot].movement == *movement)
    }
}
