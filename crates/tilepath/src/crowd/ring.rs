//! Blocks of four bodies that turn if no cell is free.

use super::{
    BodyId, Crowd, Guide,
    body::{NONE, Role},
    occupancy::Hold,
};
use crate::{cell::Direction, cost::Cost, topology::Topology};

/// Four bodies that stand in a block of 2 × 2 cells, and the straight step of each to the cell of
/// the next.
#[derive(Clone, Copy, Debug)]
struct Block {
    members: [u32; 4],
    directions: [u8; 4],
}

impl Crowd {
    /// Turns a block of four bodies for a body that was refused, if that brings the body nearer to
    /// its goal. The other bodies in the block were pushed for it in vain: none of them has a free
    /// cell.
    pub(super) fn turn_block<G: Guide>(&mut self, body: usize, guide: &mut G) {
        let state = &self.bodies[body];
        let has_goal = matches!(state.role, Role::UnderWay | Role::Returning);
        if !has_goal || state.size > 1 || self.topology == Topology::Hexagonal || self.chain.len() < 4 {
            return;
        }
        let (id, here) = (BodyId(body as u32), state.from);
        let rest = |guide: &mut G, slot: u32| guide.rest(id, slot as usize).unwrap_or(Cost::MAX);
        let mut best: Option<([Cost; 2], Block)> = None;
        let turns = [0, 2, 4, 6].into_iter().flat_map(|first: u8| [(first, 2), (first, 6)]);
        for (first, turn) in turns {
            let Some(block) = self.block(body, first, turn, guide) else { continue };
            let next = self.beside(here, first);
            let [at_once, then] = [next, self.beside(next, (first + turn) % 8)].map(|slot| rest(guide, slot));
            // If diagonal steps cost no more than straight ones, only the second step brings it
            // nearer.
            let nearest = at_once.min(then);
            let is_better = best.is_none_or(|(least, _)| [nearest, at_once] < least);
            if is_better && at_once <= rest(guide, here) && nearest < rest(guide, here) {
                best = Some(([nearest, at_once], block));
            }
        }
        let Some((_, block)) = best else { return };
        for (member, direction) in block.members.into_iter().zip(block.directions) {
            let member = member as usize;
            self.give_up_claim(member);
            let to = self.beside(self.bodies[member].from, direction);
            self.set_out(member, to);
            self.begin_step(member, direction, true, guide);
        }
    }

    /// Returns the block that turns if a body steps in direction `first`, and each next body's
    /// direction is `turn` eighths further.
    fn block<G: Guide>(&self, body: usize, first: u8, turn: u8, guide: &mut G) -> Option<Block> {
        let mut block = Block { members: [NONE; 4], directions: [0; 4] };
        let (mut slot, mut direction) = (self.bodies[body].from, first);
        for place in 0..4 {
            let member = self.alone_on(slot)?;
            let is_member =
                if place == 0 { member as usize == body } else { self.turns_with(body, member as usize) };
            let exits = is_member.then(|| guide.exits(BodyId(member), slot as usize))?;
            if !exits.contains(Direction::ALL[usize::from(direction)]) {
                return None;
            }
            (block.members[place], block.directions[place]) = (member, direction);
            (slot, direction) = (self.beside(slot, direction), (direction + turn) % 8);
        }
        Some(block)
    }

    /// Returns the body that stands on a cell, if no other body holds, leaves or claims the cell.
    /// Claims with a lower priority than the deciding body's do not count.
    fn alone_on(&self, slot: u32) -> Option<u32> {
        let mut alone = None;
        for (owner, hold) in self.occupancy.at(slot as usize) {
            match hold {
                Hold::Claims if self.bodies[owner as usize].claim_key < self.key => return None,
                Hold::Claims => {}
                Hold::Holds if alone.is_none() => alone = Some(owner),
                Hold::Holds | Hold::Leaves => return None,
            }
        }
        alone.filter(|&owner| !self.bodies[owner as usize].is_stepping())
    }

    /// Returns whether another body was pushed for this one in vain, and may turn with it.
    fn turns_with(&self, body: usize, other: usize) -> bool {
        let (state, there) = (&self.bodies[body], &self.bodies[other]);
        there.size == 1
            && there.key >= self.key
            && !state.is_kept_by_one_at_its_goal(there)
            && state.excludes(there)
            && self.chain.contains(&(other as u32))
    }
}
