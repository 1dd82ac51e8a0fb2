//! The crowd of a recorded tick, restored and checked.

use super::{Answer, Entry, Question, RecordedBody, RecordedTick, RecordedTickError};
use crate::{
    cell::Direction,
    crowd::{
        Body, BodyId, Crowd,
        body::{BodyState, NO_DIRECTION, Role, WHOLE},
        occupancy::Hold,
    },
};

impl RecordedTick {
    /// Returns the crowd before the tick, if the tick is valid.
    pub(super) fn crowd(&self) -> Result<Crowd, RecordedTickError> {
        let mut crowd = Crowd::of(self.bounds, self.topology);
        crowd.tick = self.tick;
        let mut last = None;
        for body in &self.before {
            if last.is_some_and(|last| body.id <= last) {
                return Err(RecordedTickError::Body { id: body.id, what: "ids must rise from body to body" });
            }
            last = Some(body.id);
            crowd.restore(body)?;
        }
        for (place, body) in self.before.iter().enumerate() {
            let Some(target) = body.target else { continue };
            let target = self.place_of(target).filter(|&target| target != place);
            let what = "it goes to a body that is not there";
            let target = target.ok_or(RecordedTickError::Body { id: body.id, what })?;
            crowd.set_target(BodyId(place as u32), Some(BodyId(target as u32)));
        }
        crowd.occupancy.clear_lists();
        let mut entries = 0;
        for (cell, list) in &self.cells {
            let wrong = RecordedTickError::Cells { cell: *cell };
            let slot = self.bounds.slot(*cell).ok_or_else(|| wrong.clone())?;
            if !crowd.occupancy.is_free(slot) {
                return Err(wrong);
            }
            for &(body, entry) in list.iter().rev() {
                let body = self.place_of(body).ok_or_else(|| wrong.clone())? as u32;
                let node = crowd.node_of(body, entry, slot as u32).ok_or_else(|| wrong.clone())?;
                if crowd.occupancy.at(slot).any(|(other, hold)| other == body && hold == entry.hold()) {
                    return Err(wrong);
                }
                crowd.occupancy.link(slot, node);
                entries += 1;
            }
        }
        // Each entry belongs to its body. So if the numbers of entries are equal, none is missing.
        let has = (0..crowd.bodies.len()).map(|body| crowd.entry_count(body)).sum::<usize>();
        if entries != has {
            return Err(RecordedTickError::Cells { cell: self.bounds.origin() });
        }
        self.check_answers(&crowd)?;
        Ok(crowd)
    }

    /// Rejects answers that lead a body off the map.
    fn check_answers(&self, crowd: &Crowd) -> Result<(), RecordedTickError> {
        for &(question, answer) in &self.answers {
            let (Question::Exits(body, slot)
            | Question::Rest(body, slot)
            | Question::StepCost(body, slot, _)
            | Question::Around(body, slot)
            | Question::Effort(body, slot, _)) = question;
            let (Answer::Exits(exits) | Answer::Around { exits, .. }) = answer else { continue };
            let size = self.place_of(body).map(|place| self.before[place].size);
            let leads_on = |direction: Direction| {
                let to = self.bounds.cell(slot as usize)?.neighbour(direction)?;
                crowd.anchor_slot(to, size?).ok().filter(|_| self.topology.has(direction))
            };
            let mut open = Direction::ALL.into_iter().filter(|&direction| exits >> direction as u8 & 1 == 1);
            if open.any(|direction| leads_on(direction).is_none()) {
                return Err(RecordedTickError::Answer { body, slot });
            }
        }
        Ok(())
    }

    /// Returns the index of a body in the list, and so in the restored crowd, by its id.
    fn place_of(&self, id: u32) -> Option<usize> {
        self.before.binary_search_by_key(&id, |body| body.id).ok()
    }
}

impl Entry {
    const fn hold(self) -> Hold {
        match self {
            Self::Holds => Hold::Holds,
            Self::Leaves => Hold::Leaves,
            Self::Claims => Hold::Claims,
        }
    }

    /// Returns the anchor whose cells have no entry of this kind, because the body holds them.
    const fn held_beside(self, state: &BodyState) -> u32 {
        match self {
            Self::Holds | Self::Leaves => state.to,
            Self::Claims => state.from,
        }
    }
}

impl Crowd {
    /// Adds a recorded body after the bodies that are there. Its index is its place in the file,
    /// not its id. So ids of removed bodies take no memory.
    fn restore(&mut self, body: &RecordedBody) -> Result<(), RecordedTickError> {
        let id = body.id;
        let wrong = |what| RecordedTickError::Body { id, what };
        if id >= RecordedTick::MAX_BODIES {
            return Err(wrong("its id is too large"));
        }
        let Some(slots) =
            (self.anchor_slot(body.from, body.size).ok()).zip(self.anchor_slot(body.to, body.size).ok())
        else {
            return Err(wrong("it would stand off the map"));
        };
        if body.from != body.to && Direction::between(body.from, body.to).is_none() {
            return Err(wrong("it steps onto a cell that is not a neighbour"));
        }
        if body.share >= WHOLE || body.length == 0 {
            return Err(wrong("its step has no length, or its share is a whole step or more"));
        }
        let directions = [Some(body.direction), body.wish, body.claim.map(|(claim, _)| claim)];
        if directions.into_iter().flatten().any(|direction| direction >= NO_DIRECTION) {
            return Err(wrong("a direction is not 0 to 7"));
        }
        if let Some((claim, _)) = body.claim {
            let claimed = body.from.neighbour(Direction::ALL[usize::from(claim)]);
            if body.from != body.to || claimed.is_none_or(|cell| self.anchor_slot(cell, body.size).is_err()) {
                return Err(wrong("it claims a cell that it cannot enter"));
            }
        }
        let described = Body {
            number: body.number,
            cell: body.to,
            size: body.size,
            layer: body.layer,
            blocks: body.blocks,
            stride: body.stride,
            activity: body.activity,
            goal: body.goal,
        };
        let inserted = self.insert(&described).map_err(|_| wrong("it would stand off the map"))?;
        let state = &mut self.bodies[inserted.index()];
        (state.from, state.to) = slots;
        (state.share, state.spent, state.length) = (body.share, body.spent, body.length);
        (state.waited, state.direction, state.steps) = (body.waited, body.direction, body.steps);
        (state.claim, state.claim_key) = body.claim.unwrap_or((NO_DIRECTION, 0));
        state.wish = body.wish.unwrap_or(NO_DIRECTION);
        (state.follows, state.is_crowded, state.is_sent_away) =
            (body.follows, body.is_crowded, body.is_sent_away);
        Ok(())
    }

    /// Returns the node of a body's entry for a cell, if it has an entry of this kind there.
    fn node_of(&self, body: u32, entry: Entry, slot: u32) -> Option<u32> {
        let state = self.bodies.get(body as usize).filter(|state| state.role != Role::Absent)?;
        let (anchor, first) = self.anchor_of(state, entry)?;
        let is_entered =
            |other: usize| entry == Entry::Holds || !self.covers(entry.held_beside(state), state.size, other);
        let place =
            self.covered(anchor, state.size).position(|other| other == slot as usize && is_entered(other))?;
        Some(first + place as u32)
    }

    /// Returns the anchor of the cells with entries of this kind, and the first node for them.
    fn anchor_of(&self, state: &BodyState, entry: Entry) -> Option<(u32, u32)> {
        let covered = u32::from(state.size) * u32::from(state.size);
        match entry {
            Entry::Holds => Some((state.to, state.nodes)),
            Entry::Leaves => state.is_stepping().then_some((state.from, state.nodes + covered)),
            Entry::Claims => (state.claim != NO_DIRECTION)
                .then(|| (self.beside(state.from, state.claim), state.nodes + 2 * covered)),
        }
    }

    /// Returns the number of entries of a body.
    fn entry_count(&self, body: usize) -> usize {
        let state = &self.bodies[body];
        if state.role == Role::Absent {
            return 0;
        }
        let of = |entry: Entry| {
            let anchor = self.anchor_of(state, entry)?.0;
            let slots = self.covered(anchor, state.size);
            Some(slots.filter(|&slot| self.node_of(body as u32, entry, slot as u32).is_some()).count())
        };
        [Entry::Holds, Entry::Leaves, Entry::Claims].into_iter().filter_map(of).sum()
    }
}
