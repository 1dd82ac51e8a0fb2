//! Arrival of bodies that cannot reach their goals.

use super::{
    BodyId, Crowd, Guide,
    body::{BodyState, NONE, Role},
    occupancy::Hold,
};
use crate::{cell::Cell, size::Size};
use std::collections::BTreeMap;

/// The data kept between calls.
#[derive(Clone, Debug, Default)]
pub(super) struct Arrivals {
    /// For each cell, the last call that visited it.
    seen: Vec<u32>,
    question: u32,
    queue: Vec<u32>,
    /// The number of bodies that rest at each goal.
    resting: BTreeMap<u32, usize>,
}

impl Arrivals {
    /// Updates the counts when a body begins or ends an activity.
    pub(super) fn count(&mut self, state: &BodyState, begins: bool) {
        if state.role != Role::Resting || state.goal == NONE {
            return;
        }
        let count = self.resting.entry(state.goal).or_default();
        if begins {
            *count += 1;
        } else {
            *count -= 1;
            if *count == 0 {
                self.resting.remove(&state.goal);
            }
        }
    }
}

impl Crowd {
    /// Returns whether a body under way cannot get nearer to its goal, because other bodies rest at
    /// the goal. Two conditions must hold:
    ///
    /// - A body that rests at the goal holds the goal cell.
    /// - Each nearer cell that the body could reach within n steps is [taken](Self::is_taken_for).
    ///   The number n is the side of a square that all bodies resting at the goal would fill.
    ///
    /// Cells held by bodies under way count as free. A body with a [target](Self::set_target) has
    /// also arrived if it stands [beside the target](Self::is_beside_target), or behind the bodies
    /// that rest there.
    ///
    /// Call this method for a body that stands. If the result is true, the body may rest. `goal` is
    /// the cell to which the guide leads the body. The result is false for a body that is not under
    /// way, that takes a step, or that has no [goal number](super::Body::goal).
    ///
    /// # Panics
    /// If the crowd has no body with this id.
    ///
    /// # Complexity
    /// O(cells within n steps).
    pub fn is_as_near_as_it_gets(&mut self, id: BodyId, goal: Cell, guide: &mut impl Guide) -> bool {
        let body = self.present(id);
        let state = &self.bodies[body];
        if state.role != Role::UnderWay || state.is_stepping() || state.goal == NONE {
            return false;
        }
        let resting = self.arrivals.resting.get(&state.goal).copied().unwrap_or(0);
        let is_held = self.bounds.slot(goal).is_some_and(|slot| {
            let others = self.occupancy.at(slot).filter(|&(_, hold)| hold == Hold::Holds);
            others.into_iter().any(|(owner, _)| {
                let other = &self.bodies[owner as usize];
                let rests = other.role == Role::Resting && other.goal == state.goal && !other.is_stepping();
                (rests || resting > 0 && owner == state.target) && state.excludes(other)
            })
        });
        if self.is_beside_target(id, guide) {
            return true;
        }
        if !is_held {
            return false;
        }
        let steps = resting.isqrt() + usize::from(resting.isqrt().pow(2) < resting);
        let mut arrivals = std::mem::take(&mut self.arrivals);
        let finds_nearer = self.finds_nearer(body, steps, &mut arrivals, guide);
        self.arrivals = arrivals;
        !finds_nearer
    }

    /// Returns whether the body could get nearer: a cell nearer to the goal lies within this many
    /// steps, and the cell is not [taken](Self::is_taken).
    fn finds_nearer(
        &self,
        body: usize,
        steps: usize,
        arrivals: &mut Arrivals,
        guide: &mut impl Guide,
    ) -> bool {
        let id = BodyId(body as u32);
        let state = &self.bodies[body];
        let rest_here = guide.rest(id, state.from as usize);
        let Arrivals { seen, question, queue, .. } = arrivals;
        if seen.len() != self.bounds.cell_count() || *question == u32::MAX {
            seen.clear();
            seen.resize(self.bounds.cell_count(), 0);
            *question = 0;
        }
        *question += 1;
        queue.clear();
        queue.push(state.from);
        seen[state.from as usize] = *question;
        let mut ring = 0..1;
        for _ in 0..steps {
            for place in ring.clone() {
                let slot = queue[place];
                let mut exits = guide.exits(id, slot as usize).bits();
                while exits != 0 {
                    let direction = exits.trailing_zeros() as u8;
                    exits &= exits - 1;
                    let next = self.beside(slot, direction);
                    if std::mem::replace(&mut seen[next as usize], *question) == *question
                        || self.is_taken(state, next)
                    {
                        continue;
                    }
                    let rest = guide.rest(id, next as usize);
                    if rest.is_some_and(|rest| rest_here.is_none_or(|here| rest < here)) {
                        return true;
                    }
                    queue.push(next);
                }
            }
            ring = ring.end..queue.len();
        }
        false
    }

    /// Returns whether another body holds a cell and does not make way for this body. The other
    /// body is fixed, has a stride of 0, rests at the same goal, or is the
    /// [target](Self::set_target) of this body. If neither body has a goal number, a resting body
    /// counts too.
    ///
    /// If this body covers several cells, `cell` is the anchor, and all cells under the footprint
    /// count.
    ///
    /// # Panics
    /// If the crowd has no body with this id.
    ///
    /// # Complexity
    /// O(cells covered).
    #[must_use]
    pub fn is_taken_for(&self, id: BodyId, cell: Cell) -> bool {
        let state = &self.bodies[self.present(id)];
        let size = Size::new(state.size).unwrap_or_default();
        self.anchor_slot(cell, size).is_ok_and(|anchor| self.is_taken(state, anchor))
    }

    /// Returns the same as [`is_taken_for`](Self::is_taken_for), by the slot of the anchor.
    fn is_taken(&self, state: &BodyState, anchor: u32) -> bool {
        self.covered(anchor, state.size).flat_map(|slot| self.occupancy.at(slot)).any(|(owner, hold)| {
            let other = &self.bodies[owner as usize];
            let stays = other.is_held() || (other.role == Role::Resting && other.goal == state.goal);
            let is_other = !std::ptr::eq(state, other);
            is_other && hold == Hold::Holds && (stays || owner == state.target) && state.excludes(other)
        })
    }
}
