//! The state of a crowd between two ticks, as a value.

use super::{
    Activity, Body, BodyId, Crowd,
    body::{BodyState, NO_DIRECTION, NONE, Role, WHOLE},
    occupancy::Hold,
};
use crate::{
    bounds::Bounds,
    cell::{Cell, Direction},
    size::Size,
    topology::Topology,
};
use thiserror::Error;

/// The state of a crowd between two ticks: its bodies, and the cells that they hold, leave and
/// claim. Use it to save a crowd, or to take back ticks. With the feature `serde` it can be written
/// and read.
///
/// Use a self-describing format, such as RON or JSON.
///
/// # Guarantee
/// A crowd that is made from its state goes on as the crowd itself would have: with equal guides,
/// all bodies take the same steps.
///
/// # Examples
/// ```
/// use tilepath::{Cell, Grid, crowd::{Body, Crowd}};
/// let mut crowd = Crowd::new(&Grid::new(4, 4, 1)?);
/// let gone = crowd.insert(&Body::new(1, Cell::new(0, 0)))?;
/// crowd.insert(&Body::new(2, Cell::new(3, 2)))?;
/// crowd.remove(gone);
/// let state = crowd.state();
/// let again = state.restore()?;
/// let [soldier] = again.bodies().collect::<Vec<_>>()[..] else { unreachable!() };
/// assert_eq!((again.cell(soldier), soldier.index()), (Cell::new(3, 2), 0));
/// assert_eq!((state.bodies()[0].number, state.bodies()[0].id), (2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct CrowdState {
    pub(super) bounds: Bounds,
    pub(super) topology: Topology,
    /// The number of ticks that the crowd had before.
    pub(super) tick: u32,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::stored::list"))]
    pub(super) bodies: Vec<StoredBody>,
    /// The entries of each cell that is not free; the entry added last comes first.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::stored::lists"))]
    pub(super) cells: Vec<(Cell, Vec<(u32, Entry)>)>,
}

/// A body of a [`CrowdState`]: its cells, its activity, and how long it has waited.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct StoredBody {
    /// Its [`BodyId::index`].
    pub id: u32,
    /// The number that the game chose: [`Body::number`](super::Body::number).
    pub number: u32,
    /// The anchor on which the body stands, or which it leaves.
    pub from: Cell,
    /// The anchor that the body enters; equal to `from` if the body stands.
    pub to: Cell,
    /// The walked share of the step, in parts of 1,048,576.
    pub share: u32,
    /// The number of ticks that the body has waited.
    pub waited: u32,
    /// The activity of the body.
    pub activity: Activity,
    /// The number of the goal: [`Body::goal`](super::Body::goal).
    pub goal: Option<u32>,
    /// The stride: [`Body::stride`](super::Body::stride).
    pub stride: u32,
    /// The largest number of steps that the body may begin in a tick: see [`Crowd::set_steps`].
    #[cfg_attr(feature = "serde", serde(default = "steps_a_tick"))]
    pub steps: u32,
    /// The [`BodyId::index`] of the body to which this body goes: see [`Crowd::set_target`].
    #[cfg_attr(feature = "serde", serde(default))]
    pub target: Option<u32>,
    /// The size: [`Body::size`](super::Body::size).
    pub size: Size,
    /// The layers in which the body is: [`Body::layer`](super::Body::layer).
    pub layer: u32,
    /// The layers that the body blocks: [`Body::blocks`](super::Body::blocks).
    pub blocks: u32,
    /// The direction of the cell that it waits for, and the priority of the claim.
    claim: Option<(u8, u64)>,
    /// The direction that it preferred in its last decision.
    wish: Option<u8>,
    direction: u8,
    length: u32,
    spent: u32,
    follows: bool,
    is_crowded: bool,
    is_sent_away: bool,
}

#[cfg(feature = "serde")]
const fn steps_a_tick() -> u32 {
    super::MAX_STEPS_PER_TICK
}

/// The relation of a body to a cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Entry {
    Holds,
    Leaves,
    Claims,
}

/// The reason why a [`CrowdState`] is not a state that a crowd can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum CrowdStateError {
    /// A body is invalid.
    #[error("body {id} of the crowd is invalid: {what}")]
    Body {
        /// Its [`BodyId::index`].
        id: u32,
        /// The fault of the body.
        what: &'static str,
    },
    /// The bodies contradict the entries of the cells.
    #[error("the entries of cell {cell} do not match the bodies of the crowd")]
    Cells {
        /// The first cell with a contradiction.
        cell: Cell,
    },
}

impl CrowdState {
    /// The upper limit for [`StoredBody::id`]. Each id must be lower than this number.
    pub const MAX_BODIES: u32 = 1 << 20;

    /// Returns the bounds of the map of the crowd.
    #[must_use]
    pub const fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Returns whether the map of the crowd has squares or hexagons.
    #[must_use]
    pub const fn topology(&self) -> Topology {
        self.topology
    }

    /// Returns the bodies, sorted by id.
    #[must_use]
    pub fn bodies(&self) -> &[StoredBody] {
        &self.bodies
    }

    /// Makes the crowd again. From here it makes the decisions that the crowd of the state makes.
    ///
    /// The bodies get new ids, without gaps, in the order of their old ids:
    /// [`bodies`](Self::bodies) and [`Crowd::bodies`] list them in the same order.
    ///
    /// # Errors
    /// [`CrowdStateError`] if the state is not one that a crowd can have.
    ///
    /// # Complexity
    /// O(cells + bodies).
    pub fn restore(&self) -> Result<Crowd, CrowdStateError> {
        let mut crowd = Crowd::of(self.bounds, self.topology);
        crowd.tick = self.tick;
        let mut last = None;
        for body in &self.bodies {
            if last.is_some_and(|last| body.id <= last) {
                return Err(CrowdStateError::Body { id: body.id, what: "ids must rise from body to body" });
            }
            last = Some(body.id);
            crowd.add_stored(body)?;
        }
        for (place, body) in self.bodies.iter().enumerate() {
            let Some(target) = body.target else { continue };
            let target = self.place_of(target).filter(|&target| target != place);
            let what = "it goes to a body that is not there";
            let target = target.ok_or(CrowdStateError::Body { id: body.id, what })?;
            crowd.set_target(BodyId(place as u32), Some(BodyId(target as u32)));
        }
        crowd.occupancy.clear_lists();
        let mut entries = 0;
        for (cell, list) in &self.cells {
            let wrong = CrowdStateError::Cells { cell: *cell };
            let slot = self.bounds.slot(*cell).ok_or(wrong)?;
            if !crowd.occupancy.is_free(slot) {
                return Err(wrong);
            }
            for &(body, entry) in list.iter().rev() {
                let body = self.place_of(body).ok_or(wrong)? as u32;
                let node = crowd.node_of(body, entry, slot as u32).ok_or(wrong)?;
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
            return Err(CrowdStateError::Cells { cell: self.bounds.origin() });
        }
        Ok(crowd)
    }

    /// Returns the index of a body in the list, and so in the restored crowd, by its id.
    fn place_of(&self, id: u32) -> Option<usize> {
        self.bodies.binary_search_by_key(&id, |body| body.id).ok()
    }
}

impl Crowd {
    /// Returns the state of the crowd, from which [`CrowdState::restore`] makes it again.
    ///
    /// # Complexity
    /// O(cells + bodies).
    #[must_use]
    pub fn state(&self) -> CrowdState {
        let entries = (0..self.bounds.cell_count()).filter(|&slot| !self.occupancy.is_free(slot));
        let cells =
            entries.filter_map(|slot| Some((self.bounds.cell(slot)?, self.entries_at(slot)))).collect();
        CrowdState {
            bounds: self.bounds,
            topology: self.topology,
            tick: self.tick,
            bodies: self.stored_bodies(),
            cells,
        }
    }

    fn entries_at(&self, slot: usize) -> Vec<(u32, Entry)> {
        let entry = |(body, hold)| {
            let entry = match hold {
                Hold::Holds => Entry::Holds,
                Hold::Leaves => Entry::Leaves,
                Hold::Claims => Entry::Claims,
            };
            (body, entry)
        };
        self.occupancy.at(slot).map(entry).collect()
    }

    pub(super) fn stored_bodies(&self) -> Vec<StoredBody> {
        self.bodies().map(|id| self.stored_body(id)).collect()
    }

    fn stored_body(&self, id: BodyId) -> StoredBody {
        let state = &self.bodies[id.index()];
        let cell = |slot: u32| self.bounds.cell(slot as usize).unwrap_or_default();
        let direction = |direction: u8| (direction != NO_DIRECTION).then_some(direction);
        StoredBody {
            id: id.0,
            number: state.number,
            from: cell(state.from),
            to: cell(state.to),
            share: state.share,
            waited: state.waited,
            activity: state.activity(),
            goal: (state.goal != NONE).then_some(state.goal),
            stride: state.stride,
            steps: state.steps,
            target: (state.target != NONE).then_some(state.target),
            size: Size::new(state.size).unwrap_or_default(),
            layer: state.layer,
            blocks: state.blocks,
            claim: direction(state.claim).map(|claim| (claim, state.claim_key)),
            wish: direction(state.wish),
            direction: state.direction,
            length: state.length,
            spent: state.spent,
            follows: state.follows,
            is_crowded: state.is_crowded,
            is_sent_away: state.is_sent_away,
        }
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
    /// Adds a stored body after the bodies that are there. Its index is its place in the list,
    /// not its id. So ids of removed bodies take no memory.
    fn add_stored(&mut self, body: &StoredBody) -> Result<(), CrowdStateError> {
        let id = body.id;
        let wrong = |what| CrowdStateError::Body { id, what };
        if id >= CrowdState::MAX_BODIES {
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
        let has_place = |&direction: &u8| {
            let beside = body.from.neighbour(Direction::ALL[usize::from(direction)]);
            beside.is_some_and(|cell| self.anchor_slot(cell, body.size).is_ok())
        };
        if let Some((claim, _)) = &body.claim
            && (body.from != body.to || !has_place(claim))
        {
            return Err(wrong("it claims a cell that it cannot enter"));
        }
        let wish = body.wish.filter(has_place);
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
        state.wish = wish.unwrap_or(NO_DIRECTION);
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
