//! Members that move up into gaps, or change places in a jam.
//!
//! Decision: `docs/decisions/54-groups.md`.

use std::collections::BTreeSet;

use bevy_ecs::world::World;
use tilepath::{Cell, SearchStatus, formation::FormationUnit};

use crate::{
    group::{
        allowance::Allowance,
        members::Group,
        places::{Newcomer, Parts, look},
    },
    journey::body::BodyPlace,
    map::{maps::AnyMap, place::Place},
    order::{goal::PathGoal, stops::PathStops},
};

/// The number of steps without progress, or of ticks at rest, after which a member is in a jam.
const JAMMED: u32 = 12;

/// The number of ticks between two tries to resolve a jam.
const CALM: u8 = 64;

impl Group {
    /// Shares the innermost free places among the members under way, as if the missing members had
    /// never been there.
    pub(super) fn close_gaps(&mut self, world: &mut World, parts: &mut Parts, allowance: &mut Allowance) {
        for stop in 0..self.stops.len() {
            let kinds: BTreeSet<usize> = self.stops[stop].slots.iter().map(|slot| slot.kind).collect();
            for kind in kinds {
                self.move_up((world, parts), stop, kind, false, allowance);
            }
        }
    }

    /// Shares places again among the members under way, if some are in each other's way. The new
    /// places depend on where the members are: in a dead end, the first goes farthest.
    pub(super) fn part_jammed(&mut self, world: &mut World, parts: &mut Parts, allowance: &mut Allowance) {
        self.calm = self.calm.saturating_sub(1);
        let is_jammed = |place: &BodyPlace| place.advance.2.max(place.stuck) >= JAMMED;
        let is_in_jam = |entity| world.get::<BodyPlace>(entity).is_some_and(is_jammed);
        let mut under_way = self.members.iter().filter(|member| member.is_under_way());
        if self.calm > 0 || !under_way.any(|member| is_in_jam(member.entity)) {
            return;
        }
        self.calm = CALM;
        let Some(stop) = self.stops.len().checked_sub(1) else { return };
        let kinds: BTreeSet<usize> = self.stops[stop].slots.iter().map(|slot| slot.kind).collect();
        for kind in kinds {
            self.move_up((world, parts), stop, kind, true, allowance);
        }
    }

    /// Shares the places of one stop among members of one kind. Without `always`, it does so only
    /// if a member has a place farther out than a free one.
    fn move_up(
        &mut self,
        (world, parts): (&mut World, &mut Parts),
        stop: usize,
        kind: usize,
        always: bool,
        allowance: &mut Allowance,
    ) {
        let slots = &self.stops[stop].slots;
        let mut moving = Vec::new();
        let mut is_held = vec![false; slots.len()];
        for (index, member) in self.members.iter().enumerate() {
            let Some(slot) = member.slots.get(stop).copied().flatten() else { continue };
            if slots[slot].kind == kind && self.may_move_up(world, stop, index) {
                moving.push(index);
            } else if !member.fate.is_out() {
                is_held[slot] = true;
            }
        }
        let mut free: Vec<usize> =
            (0..slots.len()).filter(|&slot| slots[slot].kind == kind && !is_held[slot]).collect();
        free.sort_by_key(|&slot| slots[slot].rank);
        let dropped = free.split_off(moving.len().min(free.len()));
        let is_dropped =
            |index: &usize| self.members[*index].slots[stop].is_some_and(|slot| dropped.contains(&slot));
        if !always && !moving.iter().any(is_dropped) {
            return;
        }
        let Some(taken) = self.share((world, parts), stop, &moving, &free, allowance) else { return };
        // A member that can reach no place gets a place that is left. Its own place may have
        // another owner.
        let mut left = (0..free.len()).filter(|&place| !taken.contains(&Some(place)));
        for (&index, place) in moving.iter().zip(&taken) {
            let Some(slot) = place.or_else(|| left.next()).map(|place| free[place]) else { continue };
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

    /// Assigns places to members. Returns for each member the index of its place.
    fn share(
        &self,
        (world, parts): (&mut World, &mut Parts),
        stop: usize,
        moving: &[usize],
        free: &[usize],
        allowance: &mut Allowance,
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
        let mut search = view.finder.begin_places(&units?, &cells).ok()?;
        while search.advance(view.finder, u64::MAX).ok()? == SearchStatus::Running {}
        allowance.spend(search.work());
        let Ok(answer) = search.answer() else { return Some(vec![None; moving.len()]) };
        let taken = answer.places().iter().zip(answer.ranks());
        Some(taken.map(|(place, &rank)| place.map(|_| rank)).collect())
    }

    /// Returns whether a member has not yet come to its place at a stop, and its list of stops is
    /// still as it was given.
    fn may_move_up(&self, world: &World, stop: usize, index: usize) -> bool {
        let member = &self.members[index];
        let Some(cell) = self.cell_of(member, stop).filter(|_| member.is_under_way()) else { return false };
        world.get::<PathStops>(member.entity).is_some_and(|stops| {
            let index = member.own_index(stop);
            stops.current() <= index
                && stops.stops().get(index).map(|stop| &stop.goal) == Some(&PathGoal::One(Place::Cell(cell)))
        })
    }
}
