//! Bodies that do not share cells: steps of all bodies per tick.
//!
//! A [`Crowd`] holds the [`Body`]s of one map. For each body, it holds the cell on which the body
//! stands, the cell that the body enters, and the walked share of the step.
//!
//! In each [tick](Crowd::tick), stepping bodies walk on. Standing bodies decide on their next step,
//! in the order of their priority. A [`Guide`] gives the goals of the bodies, and the steps that
//! the map allows.
//!
//! Decisions depend only on the state of the crowd and the answers of the guide. So they are the
//! same on every machine.
//!
//! # The rules
//! - A body stands on its cells, or it steps from cells to cells. Two bodies that
//!   [exclude](Body::excludes) each other never stand on or enter the same cell. They never leave
//!   the same cell at the same time.
//! - **Following**: a body may enter a cell that another body, its leader, leaves. The two must not
//!   change places, and their directions must differ by at most 90°. The walked share of the
//!   follower's step never exceeds the walked share of the leader's step. If all bodies of a ring
//!   follow each other, they step together, at the speed of the slowest body.
//! - Two diagonal steps never cross in one block of 2 × 2 cells.
//! - **Priority**: bodies under way decide before all others. Among them, the body that has been
//!   under way for the longest time decides first. If the times are equal, the body with the lower
//!   number decides first. A tick has several rounds of decisions if bodies may begin several steps.
//!   In each round, a body decides once.
//! - **Pushing**: a body that wants a cell *pushes* the bodies that stand there, so that they make
//!   way. The pushed bodies decide at once, with the priority of the pushing body, and may push
//!   others. If a pushed body cannot make way, the pushing body tries its next best cell.
//! - **Claims**: the cell that a body wants may be closed for now by a step of another body. Then
//!   the body does not try a second choice. It waits for the cell, and so do the bodies that pushed
//!   it. Bodies with a lower priority cannot enter the cell before this body.
//! - **Preference**: a body first tries the cells nearer to its goal, in the order of the cost of
//!   the path over the cell. Then it tries to stand, and then all other cells. A hash of the body's
//!   number, the cell and the tick decides between cells of equal worth.
//! - **Swaps**: in a dead end, bodies change places until they stand in the order of their goals. A
//!   body backs out to a place where bodies can pass each other, and draws the bodies ahead of it
//!   along. It does so in two cases: more bodies are ahead than there are cells beyond its goal, or
//!   the goal of a body ahead is nearer to the exit than its own goal.
//! - A body does not enter a dead end while another body is near that must go farther in. A body
//!   that is kept back makes way for others, whatever its priority. Diagonal steps do not count for
//!   the question whether cells form a corridor. Outside of dead ends, pushing is enough.
//! - **Blocks**: if no body can make way because no cell is free, four bodies in a block of 2 × 2
//!   cells turn by one cell. They do so if the turn brings the body that began to push nearer to
//!   its goal. Blocks turn only on squares.
//! - **Targets**: a body that [goes to another](Crowd::set_target) does not push its target, and
//!   does not draw the target out of a dead end.
//! - **Held steps**: if a body gets a stride of 0 within a step, the step is a wall for all other
//!   bodies. They do not follow the body, do not cross its step, and do not wait for the end of the
//!   step.
//! - A body pushes all bodies of its own size or smaller that stand on the cells to be entered. After
//!   16 ticks of waiting, it also pushes larger bodies at rest. Such a body steps towards the nearest
//!   place beside the path of the pushing body. If there is no such place, it stays.
//!
//! # Guarantee
//! The first three rules hold after every tick, for any map, any activities and any guide. There is
//! one exception: bodies that were put onto each other overlap until one of them has found a free
//! cell.
//!
//! If every cell lies on a ring of steps, each body under way arrives at some time. This is tested
//! for bodies of one cell, in rooms and in rings that are two cells wide. On squares, the tests
//! leave no cell free. On hexagons, they leave one cell free.
//!
//! In a room of hexagons without a free cell, no ring of bodies can turn in the acute corners.
//!
//! If the goals of bodies are the cells of one dead end that leads into an open room, all bodies
//! arrive and come to rest. This is tested for bodies of one cell:
//! - bodies with goals: up to six on squares, in any order; up to four on hexagons,
//! - idle bodies in the dead end, which are pushed out: up to six with diagonal steps; up to three
//!   without diagonal steps, and on hexagons.
//!
//! With more bodies, bodies that need several ticks for a step may move for ever.
//!
//! # Complexity
//! Each deciding body checks its neighbour cells once. A body before a dead end also checks the
//! cells of the dead end, once for each body within two cells. A tick allocates no memory if the
//! crowd was at least as large in an earlier tick.
//!
//! # Source
//! Okumura, Machida, Défago and Tamura, "Priority inheritance with backtracking for iterative
//! multi-agent path finding", Artificial Intelligence 310, 2022. Claims that last while steps take
//! time: Okumura, Tamura and Défago, "Time-independent planning for multiple moving agents", AAAI
//! 2021 (Causal-PIBT). Swaps: Okumura, "`LaCAM`: search-based algorithm for quick multi-agent
//! pathfinding", AAAI 2023.
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
//!
//! Decision: `docs/decisions/30-crowds.md`.

mod advance;
mod arrival;
mod aside;
mod body;
mod candidates;
mod decide;
mod detour;
mod effort;
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
mod state;
mod swap;
mod target;
mod trial;
mod waiting;
mod way;

#[cfg(feature = "recording")]
pub use self::recorded_tick::{RecordedTick, RecordedTickError, TickDifference};
pub use self::{
    body::{Activity, Body, BodyId, CrowdError},
    effort::{EFFORT_PER_DIAGONAL_STEP, EFFORT_PER_STRAIGHT_STEP, MAX_STEPS_PER_TICK},
    guide::{FieldGuide, Guide, Steps, Surroundings},
    local_field::LocalField,
    patience::{Patience, Policy},
    state::{CrowdState, CrowdStateError, StoredBody},
    waiting::Waiting,
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

/// The bodies of one map. See the [module](self).
#[derive(Clone, Debug)]
pub struct Crowd {
    bounds: Bounds,
    topology: Topology,
    /// The offset that each direction adds to a slot.
    offsets: [isize; 8],
    bodies: Vec<BodyState>,
    occupancy: Occupancy,
    /// The indices of removed bodies, by size, to be used again.
    absent: [Vec<u32>; Size::MAX as usize + 1],
    tick: u32,
    round: u32,
    pass: u32,
    /// All bodies that may decide, the highest priority first, as they were before those in `reordered`
    /// changed.
    order: Vec<(u64, u32)>,
    /// The bodies whose priority or role has changed since `order` was renewed, each once.
    reordered: Vec<(u64, u32)>,
    /// The priority of the body that decides. Bodies that it pushes decide with the same priority.
    key: u64,
    stack: Vec<Frame>,
    /// While a body decides: the bodies that were pushed in vain. While bodies walk: bodies that
    /// follow each other.
    chain: Vec<u32>,
    arrivals: Arrivals,
    /// The number of bodies that go to another body.
    targets: u32,
    decisions: u64,
}

/// A step of a body.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step {
    /// The anchor that the body leaves.
    pub from: Cell,
    /// The anchor that the body enters.
    pub to: Cell,
    /// The walked share of the step: from 0 to less than 1.
    pub share: f32,
}

impl Crowd {
    /// Creates a crowd without bodies, with the bounds and the topology of this map. The crowd does
    /// not read the terrain: only the [`Guide`] does.
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
            reordered: Vec::new(),
            key: 0,
            stack: Vec::new(),
            chain: Vec::new(),
            arrivals: Arrivals::default(),
            targets: 0,
            decisions: 0,
        }
    }

    /// Puts a body onto its cells. If another body is on one of these cells, the two bodies overlap
    /// until the new body has found a free cell: see [`Crowd::overlaps`].
    ///
    /// # Errors
    /// [`CrowdError::OutOfBounds`] if a cell under the body is not on the map.
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
            Some(place) => *place = BodyState { is_reordered: place.is_reordered, ..state },
            None => self.bodies.push(state),
        }
        self.hold(index as usize);
        // Reserves room for a push of all bodies at once, so that a tick allocates nothing.
        self.order.reserve(self.bodies.len().saturating_sub(self.order.len()));
        self.reordered.reserve(self.bodies.len().saturating_sub(self.reordered.len()));
        self.reorder(index as usize);
        self.stack.reserve(self.bodies.len());
        self.chain.reserve(self.bodies.len());
        Ok(BodyId(index))
    }

    /// Removes a body. The cells of the body are free at once. The step of the body no longer
    /// limits bodies that follow it.
    ///
    /// # Panics
    /// If the crowd has no body with this id.
    pub fn remove(&mut self, id: BodyId) {
        let body = self.present(id);
        self.release(body);
        self.arrivals.count(&self.bodies[body], false);
        let state = &mut self.bodies[body];
        state.role = Role::Absent;
        self.forget_target(id);
        self.absent[usize::from(self.bodies[body].size)].push(id.0);
        self.reorder(body);
    }

    /// Moves a body to another cell at once. The body stands there, as after [`Crowd::insert`].
    ///
    /// # Errors
    /// The errors of [`Crowd::insert`]. In this case the body stays on its cells.
    ///
    /// # Panics
    /// If the crowd has no body with this id.
    pub fn place(&mut self, id: BodyId, cell: Cell) -> Result<(), CrowdError> {
        let body = self.present(id);
        let size = Size::new(self.bodies[body].size).unwrap_or_default();
        let slot = self.anchor_slot(cell, size)?;
        self.release(body);
        let state = &mut self.bodies[body];
        (state.from, state.to) = (slot, slot);
        (state.claim, state.wish) = (NO_DIRECTION, NO_DIRECTION);
        (state.follows, state.waited) = (false, 0);
        self.hold(body);
        Ok(())
    }

    /// Sets the activity and the goal of the body: see [`Body::goal`]. A step that the body has
    /// begun continues to its end.
    ///
    /// # Panics
    /// If the crowd has no body with this id.
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
        if (state.key, state.role) != before {
            self.reorder(body);
        }
        self.give_up_claim(body);
    }

    /// Makes a body step to any other cell as soon as it can. Use this method before another body
    /// appears on the cell and has no chance to push this body away: for example, if it comes
    /// through a door.
    /// A fixed body stays.
    ///
    /// # Panics
    /// If the crowd has no body with this id.
    pub fn send_away(&mut self, id: BodyId) {
        let body = self.present(id);
        self.bodies[body].is_sent_away = !self.bodies[body].is_stepping();
    }

    /// Sets the stride of the body: the effort that the body makes in a tick. The new stride counts
    /// from the next tick on.
    ///
    /// # Panics
    /// If the crowd has no body with this id.
    pub fn set_stride(&mut self, id: BodyId, stride: u32) {
        let body = self.present(id);
        self.bodies[body].stride = stride;
    }

    /// Sets the largest number of steps that the body begins in a tick. The new number counts from
    /// the next tick on. The default is [`MAX_STEPS_PER_TICK`]. If the body has begun this many
    /// steps in a tick, no other body pushes it in that tick.
    ///
    /// # Panics
    /// If the crowd has no body with this id.
    pub fn set_steps(&mut self, id: BodyId, steps: u32) {
        let body = self.present(id);
        self.bodies[body].steps = steps;
    }

    /// Advances the crowd by one tick: stepping bodies walk on, and standing bodies decide. A fast
    /// body may decide and begin several steps in one tick.
    ///
    /// # Complexity
    /// O(bodies), and O(bodies × log bodies) if activities have changed.
    pub fn tick(&mut self, guide: &mut impl Guide) {
        let most = self.begin_tick();
        for _ in 0..most {
            self.decide(guide);
            if !self.advance() {
                break;
            }
        }
    }

    /// Returns the anchor of a body: the cell on which the body stands, or the cell that it enters.
    ///
    /// # Panics
    /// If the crowd has no body with this id.
    #[must_use]
    pub fn cell(&self, id: BodyId) -> Cell {
        self.cell_of(self.bodies[self.present(id)].to)
    }

    /// Returns the step that a body takes, or `None` if it stands.
    ///
    /// # Panics
    /// If the crowd has no body with this id.
    #[must_use]
    pub fn step(&self, id: BodyId) -> Option<Step> {
        let state = &self.bodies[self.present(id)];
        state.is_stepping().then(|| Step {
            from: self.cell_of(state.from),
            to: self.cell_of(state.to),
            share: state.share as f32 / WHOLE as f32,
        })
    }

    /// Returns whether the next tick may call the [`Guide`] for the body. This is so if the body
    /// stands, or if its stride reaches to the end of its step.
    ///
    /// # Panics
    /// If the crowd has no body with this id.
    #[must_use]
    pub fn may_decide(&self, id: BodyId) -> bool {
        let state = &self.bodies[self.present(id)];
        !state.is_stepping() || state.spent.saturating_add(state.stride) >= state.length
    }

    /// Returns whether the body takes a step and made progress with it in the last tick. A body
    /// that is held within a step makes no progress, and the bodies that follow it make none
    /// either.
    ///
    /// # Panics
    /// If the crowd has no body with this id.
    #[must_use]
    pub fn is_walking(&self, id: BodyId) -> bool {
        let state = &self.bodies[self.present(id)];
        state.is_stepping() && state.waited == 0
    }

    /// Returns the number of steps that the body ended in the last tick.
    ///
    /// # Panics
    /// If the crowd has no body with this id.
    #[must_use]
    pub fn steps_ended(&self, id: BodyId) -> u32 {
        self.bodies[self.present(id)].ended
    }

    /// Returns the activity of the body.
    ///
    /// # Panics
    /// If the crowd has no body with this id.
    #[must_use]
    pub fn activity(&self, id: BodyId) -> Activity {
        self.bodies[self.present(id)].activity()
    }

    /// Returns the number of the body's goal, or `None` if it has no goal: see [`Body::goal`].
    ///
    /// # Panics
    /// If the crowd has no body with this id.
    #[must_use]
    pub fn goal(&self, id: BodyId) -> Option<u32> {
        let goal = self.bodies[self.present(id)].goal;
        (goal != NONE).then_some(goal)
    }

    /// Returns the number of decisions since the crowd was created. A decision is the choice of a
    /// body to step or to stand. The choices of pushed bodies count too.
    #[must_use]
    pub const fn decisions(&self) -> u64 {
        self.decisions
    }

    /// Returns all bodies, in the order of their ids.
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
