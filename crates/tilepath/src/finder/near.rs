//! First half of a near answer: path over portals, and its corridor.
//!
//! Decision: `docs/decisions/19-near-paths.md`.

use crate::{
    cost::Cost,
    dial::dial_queue::{DialQueue, QueueKind},
    finder::{
        scratch::{PooledScratch, Scratch, ScratchPool},
        snapshot::MapSnapshot,
    },
    movement_map::meter::{Bill, Meter},
    portals::{
        PortalMap,
        chunk_search::{ChunkSearch, Ends},
        coarse_queue::CoarseQueue,
        guide::{ChunkGrid, Guided, JudgedParts, Judgement, Weight},
        space::{self, PortalSpace},
    },
    search::{Dijkstra, GoalNode, Problem, Search, Step},
    space::{
        corridor::Corridor,
        grid::{GridNode, GridRecords},
    },
};
use std::{cell::RefCell, mem, sync::Arc};

/// The number of steps that a path inside a chunk rarely exceeds. It bounds the differences between
/// costs in the queue of a search over portals.
const LONG_WAY: u32 = 64;

/// The memory of searches over portals.
#[derive(Default, Debug)]
pub(crate) struct PortalScratch {
    chunks: (GridRecords, DialQueue<GridNode>),
    portals: (GridRecords, CoarseQueue),
    maker: ChunkSearch,
    ends: Ends,
    judged: JudgedParts,
    pub(crate) corridor: Corridor,
}

/// A crossing on a path over portals from one chunk into the next, or the end of the path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    /// The last cell before the crossing; at the end of the path, the end itself.
    pub(crate) left: GridNode,
    pub(crate) entered: GridNode,
    /// The cost of the path over portals from here to its end.
    pub(crate) rest: Cost,
}

/// A path over portals.
#[derive(Debug)]
pub(crate) struct PortalWay {
    pub(crate) goal: GridNode,
    pub(crate) cost: Cost,
    /// The crossings, from the goal back to the start.
    pub(crate) marks: Vec<Mark>,
    /// The width of the area beside the path to search for cheaper paths, in cells.
    pub(crate) margin: u32,
}

/// The stage of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Nothing,
    /// Chunks, from the chunk of the goal: their costs guide the search over portals.
    Chunks,
    /// Portals: first with a large weight of the guide, then with smaller weights.
    Portals,
    Done,
}

/// A search over the portals of a snapshot. Its memory comes from a pool and goes back when it is
/// dropped.
#[derive(Debug)]
pub(crate) struct PortalSearch {
    start: GridNode,
    goal: GridNode,
    stage: Stage,
    chunks: Search<GridNode, GridRecords, DialQueue<GridNode>>,
    portals: Search<GridNode, GridRecords, CoarseQueue>,
    /// The weight of the guide.
    weight: Weight,
    /// The judgement on the weight, from the last path found.
    judgement: Option<Judgement>,
    /// Portals expanded, and entries generated, by finished searches.
    before: (u64, u64),
    is_metered: bool,
    /// Scratch parts that the searches do not use.
    spare: PooledScratch,
}

impl PortalSearch {
    pub(crate) fn new(map: &MapSnapshot, pool: &Arc<ScratchPool>, [start, goal]: [GridNode; 2]) -> Self {
        let mut spare = pool.take();
        let kind = QueueKind::for_few(map.movement_map.max_step_cost().saturating_mul(LONG_WAY));
        let (records, queue) = &mut spare.portals.chunks;
        if queue.kind() != kind {
            *queue = DialQueue::new(kind);
        }
        let chunks = Search::from_parts(mem::take(records), mem::take(queue));
        let (records, queue) = &mut spare.portals.portals;
        let portals = Search::from_parts(mem::take(records), mem::take(queue));
        Self {
            start,
            goal,
            stage: Stage::Nothing,
            chunks,
            portals,
            weight: Weight::ROUGH,
            judgement: None,
            before: (0, 0),
            is_metered: true,
            spare,
        }
    }

    /// Stops counting the work of preprocessing, from this call on.
    pub(crate) const fn stop_metering(&mut self) {
        self.is_metered = false;
    }

    /// Runs for `work` units, but expands at most `expansions` portals. Returns the last step and
    /// the work done. With a bill, it runs beside other searches.
    pub(crate) fn advance(
        &mut self,
        map: &MapSnapshot,
        work: u64,
        expansions: u64,
        bill: Option<&RefCell<Bill>>,
    ) -> (Step<GridNode>, u64) {
        let (mut last, mut spent) = (Step::Expanded(self.start), 0);
        let mut left = expansions;
        while spent < work && left > 0 && !self.is_done() {
            let before = self.counts().0;
            let (step, more) = self.take_steps(map, work - spent, left, bill);
            spent += more;
            left = left.saturating_sub(self.counts().0 - before);
            last = step.unwrap_or(last);
        }
        (last, spent)
    }

    /// Runs some steps of the present stage. All problems are built only here.
    fn take_steps(
        &mut self,
        map: &MapSnapshot,
        work: u64,
        most: u64,
        bill: Option<&RefCell<Bill>>,
    ) -> (Option<Step<GridNode>>, u64) {
        /// The number of expansions between two tests of the work.
        const STRIDE: u64 = 16;
        let meter = Meter::new(bill);
        let counted = self.is_metered.then_some(&meter);
        let portal_map = PortalMap::new(&map.bounds, &map.classes, &map.movement_map);
        let stride = if work > u64::MAX / 2 { u64::MAX } else { STRIDE.min(work) };
        let chunk_grid = ChunkGrid { map: portal_map, meter: counted };
        let last_chunk = GoalNode(ChunkGrid::chunk_of(self.start));
        let to_chunks = Problem { space: &chunk_grid, strategy: &Dijkstra, goal: &last_chunk };
        if self.stage == Stage::Nothing {
            self.chunks.begin(&to_chunks, &[ChunkGrid::chunk_of(self.goal)]);
            self.stage = Stage::Chunks;
        }
        if self.stage == Stage::Chunks && !self.chunks.is_done() {
            let before = self.chunks.expanded();
            self.chunks.proceed(&to_chunks, &mut (), stride);
            return (None, self.chunks.expanded() - before + meter.take());
        }
        let Scratch { portals: PortalScratch { ends, maker, judged, .. }, .. } = &mut *self.spare;
        let is_first = self.stage == Stage::Chunks;
        let ends_work =
            if is_first { ends.of(&portal_map, maker, [self.start, self.goal], counted) } else { 0 };
        let maker = RefCell::new(maker);
        let space = PortalSpace {
            map: portal_map,
            ends,
            start: self.start,
            goal: self.goal,
            maker: &maker,
            meter: counted,
        };
        let strategy = &Guided::new(portal_map, &self.chunks, self.goal, self.weight);
        let problem = Problem { space: &space, strategy, goal: &GoalNode(self.goal) };
        if is_first {
            self.portals.begin(&problem, &[self.start]);
            self.stage = Stage::Portals;
        }
        let before = self.portals.expanded();
        let step = self.portals.proceed(&problem, &mut (), stride.min(most));
        let work = self.portals.expanded() - before + ends_work + meter.take();
        if !self.portals.is_done() {
            return (Some(step), work);
        }
        self.stage = Stage::Done;
        if self.portals.reached().is_some() {
            let way = self.portals.walk_back(&space, self.goal);
            let known = way.filter_map(|node| {
                let record = self.portals.record(&space, node)?;
                Some((node, record.cost))
            });
            let judgement = strategy.judge(known, judged);
            self.judgement = Some(judgement);
            if let Some(weight) = judgement.next(self.weight) {
                let (expanded, generated) = (self.portals.expanded(), self.portals.generated());
                self.before = (self.before.0 + expanded, self.before.1 + generated);
                self.weight = weight;
                let strategy = &Guided::new(portal_map, &self.chunks, self.goal, weight);
                let problem = Problem { space: &space, strategy, goal: &GoalNode(self.goal) };
                self.portals.begin(&problem, &[self.start]);
                self.stage = Stage::Portals;
                return (None, work);
            }
        }
        (Some(step), work)
    }

    pub(crate) const fn is_done(&self) -> bool {
        matches!(self.stage, Stage::Done)
    }

    /// Returns the numbers of expanded portals and of entries generated for them.
    pub(crate) fn counts(&self) -> (u64, u64) {
        let (expanded, generated) = match self.stage {
            Stage::Nothing | Stage::Chunks => (0, 0),
            Stage::Portals | Stage::Done => (self.portals.expanded(), self.portals.generated()),
        };
        (self.before.0 + expanded, self.before.1 + generated)
    }

    /// Returns the chunks around the path over portals, or `None` if no path with a valid cost was
    /// found.
    pub(crate) fn into_corridor(mut self, map: &MapSnapshot) -> Option<Corridor> {
        self.portals.reached().filter(|_| self.is_done())?;
        let mut corridor = mem::take(&mut self.spare.portals.corridor);
        corridor.clear(map.movement_map.portals(&map.bounds));
        corridor.set_margin(self.judgement?.margin());
        self.each_mark(map, |mark| {
            corridor.add_around(mark.entered);
            corridor.add_around(mark.left);
        });
        corridor.add_around(self.start);
        Some(corridor)
    }

    /// Returns the path that was found, or `None` if no path with a valid cost was found.
    pub(crate) fn way(&self, map: &MapSnapshot) -> Option<PortalWay> {
        let (goal, cost) = self.portals.reached().filter(|_| self.is_done())?;
        let mut marks = Vec::new();
        self.each_mark(map, |mark| marks.push(mark));
        Some(PortalWay { goal, cost, marks, margin: self.judgement?.margin() })
    }

    fn each_mark(&self, map: &MapSnapshot, mut tell: impl FnMut(Mark)) {
        let total = self.portals.reached().map_or(0, |(_, cost)| cost.get());
        let mut maker = ChunkSearch::default();
        let space = PortalSpace {
            map: PortalMap::new(&map.bounds, &map.classes, &map.movement_map),
            ends: &self.spare.portals.ends,
            start: self.start,
            goal: self.goal,
            maker: &RefCell::new(&mut maker),
            meter: None,
        };
        for node in self.portals.walk_back(&space, self.goal) {
            let Some(record) = self.portals.record(&space, node) else { continue };
            let Some(link) = record.link else { continue };
            let rest = Cost::new(total.saturating_sub(record.cost.get()));
            tell(Mark { left: space::left(node, link), entered: node, rest });
        }
    }
}

impl Drop for PortalSearch {
    fn drop(&mut self) {
        let scratch = &mut self.spare;
        scratch.portals.chunks = mem::take(&mut self.chunks).into_parts();
        scratch.portals.portals = mem::take(&mut self.portals).into_parts();
    }
}
