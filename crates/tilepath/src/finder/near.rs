//! The first half of a near answer: a way over portals, and the corridor that it leads through.

use crate::{
    dial::dial_queue::{DialQueue, QueueKind},
    finder::{
        scratch::{Scratch, ScratchPool},
        snapshot::MapSnapshot,
    },
    portals::{
        PortalMap,
        chunk_search::{ChunkSearch, Ends},
        corridor::Corridor,
        space::PortalSpace,
    },
    search::{GoalNode, Problem, Search, Step},
    space::{
        grid::{GridNode, GridRecords},
        octile_distance::OctileDistance,
    },
};
use std::{
    cell::{Cell as Counter, RefCell},
    mem,
    sync::Arc,
};

/// Ways inside a chunk rarely take more steps: costs that wait in a search over portals lie no further apart than these cost.
const LONG_WAY: u32 = 64;

/// The memory of searches over portals.
#[derive(Default, Debug)]
pub(crate) struct PortalScratch {
    records: GridRecords,
    queue: DialQueue<GridNode>,
    maker: ChunkSearch,
    ends: Ends,
    pub(crate) corridor: Corridor,
}

/// A search over the portals of a snapshot, with scratch from a pool, to which it goes back when this is dropped.
#[derive(Debug)]
pub(crate) struct PortalSearch {
    start: GridNode,
    goal: GridNode,
    search: Search<GridNode, GridRecords, DialQueue<GridNode>>,
    has_begun: bool,
    is_metered: bool,
    /// The parts that the search does not use.
    spare: Scratch,
    pool: Arc<ScratchPool>,
}

impl PortalSearch {
    pub(crate) fn new(map: &MapSnapshot, pool: &Arc<ScratchPool>, [start, goal]: [GridNode; 2]) -> Self {
        let mut spare = pool.take();
        let kind = QueueKind::for_few(map.movement_map.max_step_cost().saturating_mul(LONG_WAY));
        let mut queue = mem::take(&mut spare.portals.queue);
        if queue.kind() != kind {
            queue = DialQueue::new(kind);
        }
        let search = Search::from_parts(mem::take(&mut spare.portals.records), queue);
        Self { start, goal, search, has_begun: false, is_metered: true, spare, pool: Arc::clone(pool) }
    }

    /// From here on what the search finds out about the map is not counted.
    pub(crate) const fn stop_metering(&mut self) {
        self.is_metered = false;
    }

    /// Does something on the map: the one place where the problem is put together.
    fn with<T>(&mut self, map: &MapSnapshot, run: impl FnOnce(&mut Self, &PortalSpace<'_, '_>) -> T) -> (T, u64) {
        let meter = Counter::new(0);
        let meter_of = self.is_metered.then_some(&meter);
        let portals = PortalMap::new(&map.bounds, &map.classes, &map.movement_map);
        let mut ends = mem::take(&mut self.spare.portals.ends);
        let mut maker = mem::take(&mut self.spare.portals.maker);
        let mut work = 0;
        let is_first = !mem::replace(&mut self.has_begun, true);
        if is_first {
            work = ends.of(&portals, &mut maker, [self.start, self.goal], meter_of);
        }
        let maker = RefCell::new(maker);
        let space = PortalSpace {
            map: portals,
            ends: &ends,
            start: self.start,
            goal: self.goal,
            maker: &maker,
            meter: meter_of,
        };
        if is_first {
            let strategy = &OctileDistance::new(&map.movement_map, self.goal);
            let goal = &GoalNode(self.goal);
            self.search.begin(&Problem { space: &space, strategy, goal }, &[self.start]);
        }
        let done = run(self, &space);
        self.spare.portals.ends = ends;
        self.spare.portals.maker = maker.into_inner();
        (done, work + meter.get())
    }

    /// Spends so much work, but expands no more than this many portals; says what the last step was, and how much it spent.
    pub(crate) fn advance(&mut self, map: &MapSnapshot, work: u64, expansions: u64) -> (Step<GridNode>, u64) {
        /// How many expansions may pass before the work is looked at.
        const STRIDE: u64 = 16;
        let (mut last, mut spent) = (Step::Exhausted, 0);
        let mut left = expansions;
        while spent < work && left > 0 {
            let before = self.search.expanded();
            let steps = if work == u64::MAX { left } else { left.min(STRIDE).min(work - spent) };
            let (step, found) = self.with(map, |searching, space| {
                let strategy = &OctileDistance::new(&map.movement_map, searching.goal);
                let problem = Problem { space, strategy, goal: &GoalNode(searching.goal) };
                searching.search.proceed(&problem, &mut (), steps)
            });
            last = step;
            let expanded = self.search.expanded() - before;
            spent += expanded + found;
            left = left.saturating_sub(expanded);
            if self.search.is_done() {
                break;
            }
        }
        (last, spent)
    }

    pub(crate) fn is_done(&self) -> bool {
        self.has_begun && self.search.is_done()
    }

    pub(crate) fn counts(&self) -> (u64, u64) {
        if self.has_begun { (self.search.expanded(), self.search.generated()) } else { (0, 0) }
    }

    /// The chunks that the way over portals leads through; `None` where there is none that can be counted.
    pub(crate) fn into_corridor(mut self, map: &MapSnapshot) -> Option<Corridor> {
        self.search.reached()?;
        let mut corridor = mem::take(&mut self.spare.portals.corridor);
        corridor.clear(map.movement_map.portals(&map.bounds));
        self.with(map, |searching, space| {
            for node in searching.search.walk_back(space, searching.goal) {
                corridor.add(node);
                let record = searching.search.record(space, node);
                if let Some(link) = record.and_then(|record| record.link) {
                    corridor.add(space.left(node, link));
                }
            }
        });
        Some(corridor)
    }
}

impl Drop for PortalSearch {
    fn drop(&mut self) {
        let mut scratch = mem::take(&mut self.spare);
        (scratch.portals.records, scratch.portals.queue) = mem::take(&mut self.search).into_parts();
        self.pool.give_back(scratch);
    }
}
