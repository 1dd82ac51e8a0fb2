//! Bodies that do not share cells: who steps where in a tick, for all of them at once.
//!
//! A [`Crowd`] holds the [`Body`]s of one map: where each stands, which cell it steps onto and how far it has come. In each
//! [tick](Crowd::tick) those that stand decide on a step, in an order of priority, and those that step come further.
//! Where they want to go and where the map lets them is asked of a [`Guide`].
//!
//! The decision is a function of the crowd's state and the guide's answers: the same on every machine, whatever led there.
//!
//! # The rules
//! - A body stands on its cells, or it steps from cells to cells. No cell is stood on or entered by two bodies that
//!   [exclude](Body::excludes) each other, and none is left by two of them.
//! - **Following**: a body may enter a cell that another leaves, if the two do not change places and the way turns by at most
//!   90°. It never comes further with its step than the other with its own. Where all cells of a ring follow each other they step
//!   together, as slowly as the slowest.
//! - No two diagonal steps cross in one block of 2 × 2 cells.
//! - **Priority**: bodies under way before others, then those that have been for longer, then the lower number. A body that
//!   wants a cell asks those who stand there to make way; they decide at once, with its priority, and may ask others in turn. Where
//!   one cannot make way, the body that asked tries its next best cell. Each body decides once.
//! - **Claims**: where the cell that a body wants is held by a step, it takes no second choice. It waits, and so do those that had
//!   asked it to make way; of those with a lower priority none is let onto the cell.
//! - **Preference**: cells nearer to the goal first, by what the way over them costs, then to stand, then all others. A
//!   hash of number, cell and tick decides among those of equal worth.
//! - **Swaps**: in a corridor that ends, bodies come into the order of their goals. A body backs out and draws those ahead along, to
//!   where they can pass, if more of them are ahead than there are cells beyond its goal, or if one of them belongs farther out.
//!   A body does not go in while another is near that belongs farther in. Bodies that are kept back make way, whatever their
//!   priority. Straight moves say what a corridor is. Everywhere else pushing is enough.
//! - **Blocks**: if nobody can make way for a body because no cell is free, four bodies in a block of 2 × 2 cells turn by one cell,
//!   where that brings it nearer to its goal. On squares only.
//! - **Targets**: a body that [goes to another](Crowd::set_target) does not ask that one to make way, and does not draw it out of a
//!   dead end.
//! - **Held steps**: a step of a body without a stride is a wall. Nobody follows it, crosses it or waits for it.
//! - Larger bodies ask smaller and equal ones to make way, all that stand on the cells to be entered; they are not asked by smaller
//!   ones.
//!
//! # Guarantee
//! The first three rules hold after every tick, whatever the map, the orders and the guide do; but bodies that were put onto each
//! other overlap until one has found a free cell.
//!
//! Where every cell lies on a ring of steps, each body that is under way arrives at some time. Tested for bodies of one cell: in
//! rooms and in rings two cells wide, on squares without any free cell, on hexagons with one. In the acute corners of a full room of
//! hexagons no ring can turn.
//!
//! Bodies whose goals are the cells of one dead end before an open room all arrive, and come to rest. Tested for bodies of one cell:
//! up to six on squares, in any order; up to four on hexagons. Idle bodies in the dead end are pushed out: up to six with diagonal
//! steps, up to three without them and on hexagons. With more, bodies that take several ticks for a step may move for ever.
//!
//! # Complexity
//! Each body that decides looks at its neighbours once. One before a dead end also looks at the cells of that, for each body within
//! two cells. Nothing is allocated once the crowd has been as large as it is.
//!
//! # Source
//! Okumura, Machida, Défago and Tamura, "Priority inheritance with backtracking for iterative multi-agent path finding",
//! Artificial Intelligence 310, 2022. Requests that stand while steps take time: Okumura, Tamura and Défago, "Time-independent
//! planning for multiple moving agents", AAAI 2021 (Causal-PIBT). Swaps: Okumura, "`LaCAM`: search-based algorithm for quick
//! multi-agent pathfinding", AAAI 2023.
//!
//! # Examples
//! Two bodies meet in a corridor with one bay, and pass.
//! ```
//! use tilepath::{Cell, Grid, Movement, MovementId, PathFinder};
//! use tilepath::crowd::{Activity, Body, Crowd, FieldGuide, Steps};
//!
//! let grid = Grid::from_classes(5, 2, vec![1, 1, 1, 1, 1, 0, 0, 1, 0, 0])?; // the bay is above the middle
//! let finder = PathFinder::new(grid, Movement::new());
//! let (west, east) = (Cell::new(0, 0), Cell::new(4, 0));
//! let fields = [finder.field(&[east])?, finder.field(&[west])?];
//! let mut guide =
//!     FieldGuide { steps: Steps::new(&finder, MovementId::FIRST)?, fields: &fields, field_of: &[0, 1] };
//!
//! let mut crowd = Crowd::new(finder.grid());
//! let under_way = Activity::UnderWay { since: 0 };
//! let first = crowd.insert(&Body { activity: under_way, ..Body::new(1, west) })?;
//! let second = crowd.insert(&Body { activity: under_way, ..Body::new(2, east) })?;
//! let mut ticks = 0;
//! while crowd.cell(first) != east || crowd.cell(second) != west {
//!     crowd.tick(&mut guide);
//!     ticks += 1;
//! }
//! assert!(ticks <= 12, "{ticks}: alone each would take four");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod advance;
mod arrival;
mod body;
mod candidates;
mod decide;
mod detour;
mod footprint;
mod guide;
mod local_field;
mod moved;
mod occupancy;
mod patience;
mod questions;
#[cfg(feature = "recording")]
mod recorded_tick;
mod ring;
mod swap;
mod target;
mod trial;
mod way;

#[cfg(feature = "recording")]
pub use self::recorded_tick::{RecordedBody, RecordedTick, RecordedTickError, TickDifference};
pub use self::{
    body::{Activity, Body, BodyId, CrowdError},
    guide::{FieldGuide, Guide, Steps, Surroundings},
    local_field::LocalField,
    patience::{Patience, Policy},
    way::{Lead, Way, WayGuide},
};

use self::{
    arrival::Arrivals,
    body::{BodyState, NO_DIRECTION, NONE, Role, WHOLE},
    decide::Frame,
    occupancy::Occupancy,
};
use crate::{
    bounds::Bounds,
    cell::{Cell, Direction},
    grid::Grid,
    size::Size,
    topology::Topology,
};

/// The effort of a straight step on ground that slows no unit down. A body's stride is the effort that it makes in a tick: a
/// quarter of this is one straight step in four ticks.
pub const EFFORT_PER_STRAIGHT_STEP: u32 = 70_000;
/// The effort of a diagonal step on such ground: √2 straight steps.
pub const EFFORT_PER_DIAGONAL_STEP: u32 = 98_995;
/// The largest number of steps that a body begins in one tick, unless [`Crowd::set_steps`] sets another. A larger stride makes a
/// body no faster.
pub const MAX_STEPS_PER_TICK: u32 = 4;

/// The bodies of one map. See the [module](self).
#[derive(Clone, Debug)]
pub struct Crowd {
    bounds: Bounds,
    topology: Topology,
    /// What each direction adds to a slot.
    offsets: [isize; 8],
    bodies: Vec<BodyState>,
    occupancy: Occupancy,
    /// Those that are there no more, by size.
    absent: [Vec<u32>; Size::MAX as usize + 1],
    tick: u32,
    round: u32,
    pass: u32,
    /// All that may decide, the highest priority first.
    order: Vec<(u64, u32)>,
    is_order_old: bool,
    /// The priority of the body that decides, or has asked those that do.
    key: u64,
    stack: Vec<Frame>,
    /// Those that were asked in vain for a body that decides; later those in whose footsteps one walks.
    chain: Vec<u32>,
    arrivals: Arrivals,
    /// How many bodies go to another one.
    targets: u32,
    decisions: u64,
}

/// A step that a body takes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step {
    /// The anchor that it leaves.
    pub from: Cell,
    /// The anchor that it enters.
    pub to: Cell,
    /// How much of the step is walked: from 0 to less than 1.
    pub share: f32,
}

/// Why a body under way stands, or comes no further with its step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Waiting {
    /// For how many ticks.
    pub ticks: u32,
    /// The anchor that it would like to enter, if it would rather not stand, or enters.
    pub cell: Option<Cell>,
    /// Another body that has to do with one of the cells to be entered, or whose diagonal step this one's would cross.
    pub by: Option<BodyId>,
    /// Whether bodies with a lower priority are kept from that cell until it has entered it.
    pub is_claimed: bool,
}

impl Crowd {
    /// No bodies, for a map of the bounds and the topology of this one. Of its terrain only the [`Guide`] tells.
    ///
    /// # Complexity
    /// O(cells).
    #[must_use]
    pub fn new(grid: &Grid) -> Self {
        Self::of(grid.bounds(), grid.topology())
    }

    fn of(bounds: Bounds, topology: Topology) -> Self {
        let offset = |direction: Direction| {
            let (dx, dy) = direction.offset();
            dy as isize * bounds.width() as isize + dx as isize
        };
        Self {
            bounds,
            topology,
            offsets: Direction::ALL.map(offset),
            bodies: Vec::new(),
            occupancy: Occupancy::new(bounds.cell_count()),
            absent: Default::default(),
            tick: 0,
            round: 0,
            pass: 0,
            order: Vec::new(),
            is_order_old: false,
            key: 0,
            stack: Vec::new(),
            chain: Vec::new(),
            arrivals: Arrivals::default(),
            targets: 0,
            decisions: 0,
        }
    }

    /// Puts a body onto its cells. If another is there, the two overlap until the new one has found a free cell beside it;
    /// [`Crowd::overlaps`] tells.
    ///
    /// # Errors
    /// [`CrowdError::OutOfBounds`] where a cell under it is not on the map.
    ///
    /// # Complexity
    /// O(cells covered).
    pub fn insert(&mut self, body: &Body) -> Result<BodyId, CrowdError> {
        let slot = self.anchor_slot(body.cell, body.size)?;
        let side = body.size.side();
        let index = self.absent[usize::from(side)].pop().unwrap_or(self.bodies.len() as u32);
        let nodes = match self.bodies.get(index as usize) {
            Some(absent) => absent.nodes,
            None => self.occupancy.add_nodes(index, side),
        };
        let mut state = BodyState {
            from: slot,
            to: slot,
            layer: body.layer,
            blocks: body.blocks,
            goal: body.goal.unwrap_or(NONE),
            stride: body.stride,
            nodes,
            number: body.number,
            size: side,
            ..BodyState::ABSENT
        };
        state.set_activity(body.activity);
        self.arrivals.count(&state, true);
        match self.bodies.get_mut(index as usize) {
            Some(place) => *place = state,
            None => self.bodies.push(state),
        }
        self.hold(index as usize);
        self.is_order_old = true;
        // Room for all of them to be asked at once, so that a tick allocates nothing.
        self.order.reserve(self.bodies.len().saturating_sub(self.order.len()));
        self.stack.reserve(self.bodies.len());
        self.chain.reserve(self.bodies.len());
        Ok(BodyId(index))
    }

    /// Takes a body out. Its cells are free at once; who follows it comes as far as it likes.
    ///
    /// # Panics
    /// If the body is not there.
    pub fn remove(&mut self, id: BodyId) {
        let body = self.present(id);
        self.release(body);
        self.arrivals.count(&self.bodies[body], false);
        let state = &mut self.bodies[body];
        state.role = Role::Absent;
        self.forget_target(id);
        self.absent[usize::from(self.bodies[body].size)].push(id.0);
        self.is_order_old = true;
    }

    /// Puts a body elsewhere. It stands there, as if it had just been inserted.
    ///
    /// # Errors
    /// As [`Crowd::insert`]; then it stays where it is.
    ///
    /// # Panics
    /// If the body is not there.
    pub fn place(&mut self, id: BodyId, cell: Cell) -> Result<(), CrowdError> {
        let body = self.present(id);
        let size = Size::new(self.bodies[body].size).unwrap_or_default();
        let slot = self.anchor_slot(cell, size)?;
        self.release(body);
        let state = &mut self.bodies[body];
        (state.from, state.to) = (slot, slot);
        (state.claim, state.follows, state.waited) = (NO_DIRECTION, false, 0);
        self.hold(body);
        Ok(())
    }

    /// What the body is about from now on, and where it goes: see [`Body::goal`]. A step that it has begun it goes to the end.
    ///
    /// # Panics
    /// If the body is not there.
    pub fn set_activity(&mut self, id: BodyId, activity: Activity, goal: Option<u32>) {
        let body = self.present(id);
        let state = &mut self.bodies[body];
        let goal = goal.unwrap_or(NONE);
        if (state.activity(), state.goal) == (activity, goal) {
            return;
        }
        self.arrivals.count(state, false);
        let before = (state.key, state.role);
        state.set_activity(activity);
        (state.goal, state.waited) = (goal, 0);
        self.arrivals.count(state, true);
        self.is_order_old |= (state.key, state.role) != before;
        self.give_up_claim(body);
    }

    /// Lets a body leave its cell for any other, as soon as it can: somebody is to come there who cannot ask it, through a door. One
    /// that is fixed stays.
    ///
    /// # Panics
    /// If the body is not there.
    pub fn send_away(&mut self, id: BodyId) {
        let body = self.present(id);
        self.bodies[body].is_sent_away = !self.bodies[body].is_stepping();
    }

    /// How far the body comes in a tick, from the next on.
    ///
    /// # Panics
    /// If the body is not there.
    pub fn set_stride(&mut self, id: BodyId, stride: u32) {
        let body = self.present(id);
        self.bodies[body].stride = stride;
    }

    /// Limits the steps that the body begins in a tick, from the next on; without a limit of its own it begins [`MAX_STEPS_PER_TICK`] at most.
    /// Nobody asks it to make way once it has begun as many.
    ///
    /// # Panics
    /// If the body is not there.
    pub fn set_steps(&mut self, id: BodyId, steps: u32) {
        let body = self.present(id);
        self.bodies[body].steps = steps;
    }

    /// Brings the crowd one tick further: those that step reach the ends of their steps, those that stand decide, as often as
    /// bodies may begin steps where they are so fast.
    ///
    /// # Complexity
    /// O(bodies), and O(bodies × log bodies) where activities have changed.
    pub fn tick(&mut self, guide: &mut impl Guide) {
        let most = self.begin_tick();
        for _ in 0..most {
            self.decide(guide);
            if !self.advance() {
                break;
            }
        }
    }

    /// The anchor that a body stands on, or enters.
    ///
    /// # Panics
    /// If the body is not there.
    #[must_use]
    pub fn cell(&self, id: BodyId) -> Cell {
        self.cell_of(self.bodies[self.present(id)].to)
    }

    /// The step that a body takes, if it does not stand.
    ///
    /// # Panics
    /// If the body is not there.
    #[must_use]
    pub fn step(&self, id: BodyId) -> Option<Step> {
        let state = &self.bodies[self.present(id)];
        state.is_stepping().then(|| Step {
            from: self.cell_of(state.from),
            to: self.cell_of(state.to),
            share: state.share as f32 / WHOLE as f32,
        })
    }

    /// Whether a [`Guide`] may be asked about the body in the next tick: it stands, or comes to the end of its step.
    ///
    /// # Panics
    /// If the body is not there.
    #[must_use]
    pub fn may_decide(&self, id: BodyId) -> bool {
        let state = &self.bodies[self.present(id)];
        !state.is_stepping() || state.spent.saturating_add(state.stride) >= state.length
    }

    /// Whether the body takes a step and came further with it in the last tick. One that is held within a step does not, nor one in
    /// its footsteps.
    ///
    /// # Panics
    /// If the body is not there.
    #[must_use]
    pub fn is_walking(&self, id: BodyId) -> bool {
        let state = &self.bodies[self.present(id)];
        state.is_stepping() && state.waited == 0
    }

    /// How many steps the body has ended in the last tick.
    ///
    /// # Panics
    /// If the body is not there.
    #[must_use]
    pub fn steps_ended(&self, id: BodyId) -> u32 {
        self.bodies[self.present(id)].ended
    }

    /// What the body is about.
    ///
    /// # Panics
    /// If the body is not there.
    #[must_use]
    pub fn activity(&self, id: BodyId) -> Activity {
        self.bodies[self.present(id)].activity()
    }

    /// The number of its goal, if it has one: see [`Body::goal`].
    ///
    /// # Panics
    /// If the body is not there.
    #[must_use]
    pub fn goal(&self, id: BodyId) -> Option<u32> {
        let goal = self.bodies[self.present(id)].goal;
        (goal != NONE).then_some(goal)
    }

    /// How many decisions were made since the crowd was made: by bodies of their own accord, and by those that were asked to make
    /// way.
    #[must_use]
    pub const fn decisions(&self) -> u64 {
        self.decisions
    }

    /// All bodies, in the order of their ids.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> + '_ {
        let present = self.bodies.iter().enumerate().filter(|(_, state)| state.role != Role::Absent);
        present.map(|(index, _)| BodyId(index as u32))
    }

    fn present(&self, id: BodyId) -> usize {
        let state = self.bodies.get(id.index());
        assert!(state.is_some_and(|state| state.role != Role::Absent), "there is no body {id:?}");
        id.index()
    }

    fn cell_of(&self, slot: u32) -> Cell {
        let width = self.bounds.width().max(1);
        self.bounds.global(slot % width, slot / width)
    }
}
