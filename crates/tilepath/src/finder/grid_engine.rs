//! The search behind a query, for any algorithm.

mod profile;
mod task;

pub(crate) use self::profile::SearchProfile;
use self::task::{Metering, Task, run};
use crate::{
    cell::Cell,
    cost::Cost,
    finder::{
        backtracking::Backtracking,
        closest::Closest,
        heuristic_kind::{ChosenDistance, HeuristicKind},
        query::{Algorithm, Order},
        scratch::{PooledScratch, Scratch, ScratchPool},
        snapshot::MapSnapshot,
    },
    jump_point::{self, JumpKind, goals::RectangleOctile, records::JumpRecords},
    landmarks::distance::{LandmarkDistance, Lead},
    movement_map::{
        canonical_steps::CanonicalSteps,
        meter::{Bill, Meter},
        plane::Ground,
    },
    regions::ClosestCells,
    search::{
        AStar, BinaryHeapQueue, BreadthFirst, BucketQueue, DepthFirst, Dijkstra, FifoQueue, GoalNode, Greedy,
        LifoQueue, Problem, Search, SearchSpace, Step, Weighted, holding_queue::HoldingQueue,
    },
    space::{
        canonical::CanonicalGrid,
        grid::{GridNode, GridRecords, GridSpace},
        octile_distance::OctileDistance,
    },
};
use std::{cell::RefCell, mem, sync::Arc};

/// The widest range of priorities for which jump points use a bucket queue: 4 MiB at four bytes a
/// bucket. It is wider than the range for single steps, because a jump can be as long as the map.
const WIDEST_JUMPS: u64 = 1 << 20;

/// A search with the records and the open list of its algorithm.
#[derive(Clone, Debug)]
enum Engine {
    Buckets(Search<GridNode, GridRecords, BucketQueue<GridNode>>),
    /// A* on even ground.
    Holding(Search<GridNode, GridRecords, HoldingQueue<GridNode>>),
    Heap(Search<GridNode, GridRecords, BinaryHeapQueue<GridNode, Cost>>),
    /// Weighted A*, with its weight in percent.
    Weighted {
        search: Search<GridNode, GridRecords, BinaryHeapQueue<GridNode, u64>>,
        percent: u16,
    },
    Fifo(Search<GridNode, GridRecords, FifoQueue<GridNode, Cost>>),
    Lifo(Search<GridNode, GridRecords, LifoQueue<GridNode, Cost>>),
    Jump(Search<GridNode, JumpRecords, BucketQueue<GridNode>>),
    JumpHeap(Search<GridNode, JumpRecords, BinaryHeapQueue<GridNode, Cost>>),
}

/// Evaluates an expression for the search inside an engine.
macro_rules! with_search {
    ($engine:expr, $search:ident => $result:expr) => {
        with_search!($engine, $search => $result, $search => $result)
    };
    ($engine:expr, $search:ident => $result:expr, $jumping:ident => $other:expr) => {
        match $engine {
            Engine::Buckets($search) => $result,
            Engine::Holding($search) => $result,
            Engine::Heap($search) => $result,
            Engine::Weighted { search: $search, .. } => $result,
            Engine::Fifo($search) => $result,
            Engine::Lifo($search) => $result,
            Engine::Jump($jumping) => $other,
            Engine::JumpHeap($jumping) => $other,
        }
    };
}

/// The record of one cell.
pub(crate) struct CellRecord {
    pub(crate) cost: Cost,
    /// The cell or jump point from which the search reached it.
    pub(crate) came_from: Option<GridNode>,
    pub(crate) is_closed: bool,
}

/// A search for one goal on a snapshot. It takes scratch memory from a pool and returns it when
/// dropped.
///
/// Each call takes the snapshot as an argument. It must be the one with which the engine was
/// opened.
#[derive(Clone, Debug)]
pub(crate) struct GridEngine {
    profile: SearchProfile,
    goal: GridNode,
    /// The landmarks that lead the search.
    lead: Option<Lead>,
    /// The parts of a unit of work that are not yet counted.
    parts: u64,
    engine: Engine,
    /// The parts of the scratch memory that the engine does not use. They return to the pool with
    /// the rest.
    spare: PooledScratch,
}

impl GridEngine {
    pub(crate) fn open(
        map: &MapSnapshot,
        pool: &Arc<ScratchPool>,
        profile: SearchProfile,
        start: GridNode,
        goal: GridNode,
    ) -> Self {
        let mut pooled = pool.take();
        let spare = &mut *pooled;
        // The priorities of neighbours differ by at most twice the step cost: the cost itself and
        // the change of the estimate.
        let fits_buckets =
            2 * u64::from(map.movement_map.max_step_cost()) < u64::from(BucketQueue::<GridNode>::WIDEST);
        let Scratch { records, jump_records, .. } = spare;
        let lead = lead(map, &profile, start, goal);
        // Where steps lead in one direction only, the bound may rise by the whole path back.
        let fits_buckets = fits_buckets && !(lead.is_some() && map.movement_map.has_listed_moves());
        let is_narrow = jump_point::span(&map.movement_map, &map.bounds) < WIDEST_JUMPS;
        let engine = match (profile.algorithm, profile.algorithm.order()) {
            (Algorithm::JumpPoint, _) if is_narrow => {
                Engine::Jump(Search::from_parts(mem::take(jump_records), mem::take(&mut spare.jump_queue)))
            }
            (Algorithm::JumpPoint, _) => {
                Engine::JumpHeap(Search::from_parts(mem::take(jump_records), mem::take(&mut spare.heap)))
            }
            (_, Order::FirstIn) => {
                Engine::Fifo(Search::from_parts(mem::take(records), mem::take(&mut spare.fifo)))
            }
            (_, Order::LastIn | Order::LastInByEstimate) => {
                Engine::Lifo(Search::from_parts(mem::take(records), mem::take(&mut spare.lifo)))
            }
            (_, Order::CostAndEstimate { percent }) if percent > 100 => Engine::Weighted {
                search: Search::from_parts(mem::take(records), mem::take(&mut spare.weighted)),
                percent,
            },
            (Algorithm::AStar, _)
                if fits_buckets && profile.prunes() && map.movement_map.is_prunable() && lead.is_none() =>
            {
                Engine::Holding(Search::from_parts(mem::take(records), mem::take(&mut spare.holding)))
            }
            _ if fits_buckets && profile.orders_by_cost() => {
                Engine::Buckets(Search::from_parts(mem::take(records), mem::take(&mut spare.buckets)))
            }
            _ => Engine::Heap(Search::from_parts(mem::take(records), mem::take(&mut spare.heap))),
        };
        let mut opened = Self { profile, goal, lead, parts: 0, engine, spare: pooled };
        opened.run(map, Task::Begin(start));
        opened
    }

    /// Stops counting the work that is spent on examining the map.
    pub(crate) const fn stop_metering(&mut self) {
        self.profile.is_metered = false;
    }

    /// Spends this much work, but expands at most this many nodes. Returns the last step, and the
    /// work spent. A bill is passed if the search runs beside others.
    pub(crate) fn advance(
        &mut self,
        map: &MapSnapshot,
        observer: &mut Closest,
        work: u64,
        expansions: u64,
        bill: Option<&RefCell<Bill>>,
    ) -> (Option<Step<GridNode>>, u64) {
        self.run(map, Task::Advance { observer, work, expansions, bill })
    }

    /// Takes one step; returns it with the work spent.
    pub(crate) fn step(&mut self, map: &MapSnapshot, observer: &mut Closest) -> (Step<GridNode>, u64) {
        let (step, work) =
            self.run(map, Task::Advance { observer, work: u64::MAX, expansions: 1, bill: None });
        (step.unwrap_or(Step::Exhausted), work)
    }

    /// Returns the steps that a search for the goal alone follows. They may skip other cells.
    fn canonical_steps<'map>(&self, map: &'map MapSnapshot) -> Option<&'map CanonicalSteps> {
        let is_for_one = self.profile.algorithm == Algorithm::AStar;
        let is_wanted = is_for_one && self.profile.prunes() && self.profile.ties.is_none();
        is_wanted.then(|| map.movement_map.canonical_steps(&map.bounds)).flatten()
    }

    /// Returns the landmarks that lead the search.
    pub(crate) const fn lead(&self) -> Option<&Lead> {
        self.lead.as_ref()
    }

    /// Returns whether the search scans for jump points.
    pub(crate) const fn takes_jump_points(&self) -> bool {
        matches!(self.engine, Engine::Jump(_) | Engine::JumpHeap(_))
    }

    /// Returns whether the recorded cost of a cell other than the goal may be higher than its
    /// cheapest cost.
    pub(crate) fn leaves_out_cells(&self, map: &MapSnapshot) -> bool {
        self.takes_jump_points() || self.canonical_steps(map).is_some()
    }

    /// Returns the expansions between two readings of the meter.
    fn stride(&self, has_canonical_steps: bool) -> u64 {
        match has_canonical_steps {
            _ if self.takes_jump_points() => 1,
            true => 16,
            false if self.lead.as_ref().is_some_and(Lead::has_terms) => 16,
            false => u64::MAX,
        }
    }

    /// Runs a task with the types of the profile's algorithm. Only here the name of an algorithm
    /// becomes types.
    fn run(&mut self, map: &MapSnapshot, task: Task<'_>) -> (Option<Step<GridNode>>, u64) {
        match map.class_space() {
            Some(space) => self.run_on(space, map, task),
            None => match map.derived_space() {
                Some(space) => self.run_on(space, map, task),
                None => self.run_on(map.space(), map, task),
            },
        }
    }

    fn run_on<G: Ground>(
        &mut self,
        space: GridSpace<'_, G>,
        map: &MapSnapshot,
        task: Task<'_>,
    ) -> (Option<Step<GridNode>>, u64) {
        let pruned = space;
        let space = if self.profile.prunes() { &pruned } else { &pruned.unpruned() };
        let goal = &GoalNode(self.goal);
        let octile = OctileDistance::new(&map.movement_map, self.goal);
        let is_octile = self.profile.estimate == HeuristicKind::Octile;
        let chosen = || ChosenDistance::new(&map.movement_map, self.profile.estimate, self.goal);
        let meter = Meter::new(task.bill(), self.parts);
        let counted = self.profile.is_metered.then_some(&meter);
        let canonical =
            self.canonical_steps(map).map(|steps| CanonicalGrid::new(pruned, steps, self.goal, counted));
        let metering = Metering { meter: &meter, stride: self.stride(canonical.is_some()) };
        macro_rules! run {
            ($search:expr, $space:expr, $strategy:expr) => {
                run($search, &Problem { space: $space, strategy: &$strategy, goal }, task, metering)
            };
        }
        macro_rules! exact {
            ($search:expr, $strategy:expr) => {
                match &canonical {
                    Some(space) => run!($search, space, $strategy),
                    None => run!($search, space, $strategy),
                }
            };
        }
        let metered = Some(&meter);
        macro_rules! jump {
            ($search:expr) => {
                match (JumpKind::of(&map.movement_map), self.profile.tied) {
                    (JumpKind::Hexagons, _) => run!($search, &map.hexagon_jumps(self.goal, metered), octile),
                    (JumpKind::FourWays, None) => {
                        run!($search, &map.four_way_jumps(self.goal, metered), octile)
                    }
                    (JumpKind::EightWays, None) => {
                        run!($search, &map.jump_points(self.goal, metered), octile)
                    }
                    (JumpKind::FourWays, Some(goals)) => {
                        let rectangle = RectangleOctile { goals, metric: octile.metric() };
                        run!($search, &map.four_way_jumps(goals, metered), rectangle)
                    }
                    (JumpKind::EightWays, Some(goals)) => {
                        let rectangle = RectangleOctile { goals, metric: octile.metric() };
                        run!($search, &map.jump_points(goals, metered), rectangle)
                    }
                }
            };
        }
        let led = LandmarkDistance::of(self.lead.as_ref(), map.landmarks.as_deref(), octile, map.ground());
        let led = led.map(|led| led.counted_by(counted));
        let ran = match (&mut self.engine, self.profile.algorithm.order()) {
            (Engine::Buckets(search), _) if let Some(led) = led => exact!(search, led),
            (Engine::Buckets(search), Order::Cost) => run!(search, space, Dijkstra),
            (Engine::Buckets(search), _) => exact!(search, octile),
            (Engine::Holding(search), _) => run!(search, space, octile),
            (Engine::Heap(search), Order::Cost) => run!(search, space, Dijkstra),
            (Engine::Heap(search), Order::Estimate) if let Some(led) = led => {
                run!(search, space, Greedy(led))
            }
            (Engine::Heap(search), Order::Estimate) if is_octile => run!(search, space, Greedy(octile)),
            (Engine::Heap(search), Order::Estimate) => run!(search, space, Greedy(chosen())),
            (Engine::Heap(search), _) if let Some(led) = led => exact!(search, led),
            (Engine::Heap(search), _) if is_octile => exact!(search, octile),
            (Engine::Heap(search), _) => run!(search, space, AStar(chosen())),
            (&mut Engine::Weighted { ref mut search, percent }, _) if let Some(led) = led => {
                run!(search, space, Weighted { heuristic: led, percent })
            }
            (&mut Engine::Weighted { ref mut search, percent }, _) if is_octile => {
                run!(search, space, Weighted { heuristic: octile, percent })
            }
            (&mut Engine::Weighted { ref mut search, percent }, _) => {
                run!(search, space, Weighted { heuristic: chosen(), percent })
            }
            (Engine::Fifo(search), _) => run!(search, space, BreadthFirst),
            (Engine::Lifo(search), Order::LastInByEstimate) => {
                run!(search, &Backtracking { space, distance: chosen() }, DepthFirst)
            }
            (Engine::Lifo(search), _) => run!(search, space, DepthFirst),
            (Engine::Jump(search), _) => jump!(search),
            (Engine::JumpHeap(search), _) => jump!(search),
        };
        self.parts = meter.rest();
        ran
    }

    pub(crate) fn is_done(&self) -> bool {
        with_search!(&self.engine, search => search.is_done())
    }

    pub(crate) fn has_overflowed(&self) -> bool {
        with_search!(&self.engine, search => search.has_overflowed())
    }

    pub(crate) fn reached(&self) -> Option<(GridNode, Cost)> {
        with_search!(&self.engine, search => search.reached())
    }

    pub(crate) fn expanded(&self) -> u64 {
        with_search!(&self.engine, search => search.expanded())
    }

    pub(crate) fn generated(&self) -> u64 {
        with_search!(&self.engine, search => search.generated())
    }

    pub(crate) fn record(&self, map: &MapSnapshot, node: GridNode) -> Option<CellRecord> {
        fn record<S: SearchSpace<Node = GridNode, Cost = Cost>, Q>(
            search: &Search<GridNode, S::Records, Q>,
            space: &S,
            node: GridNode,
        ) -> Option<CellRecord> {
            let record = search.record(space, node)?;
            let came_from = record.link.map(|link| space.predecessor(node, link));
            Some(CellRecord { cost: record.cost, came_from, is_closed: record.is_closed })
        }
        with_search!(
            &self.engine,
            search => record(search, &map.space(), node),
            jumping => match JumpKind::of(&map.movement_map) {
                JumpKind::EightWays => record(jumping, &map.jump_points(self.goal, None), node),
                JumpKind::FourWays => record(jumping, &map.four_way_jumps(self.goal, None), node),
                JumpKind::Hexagons => record(jumping, &map.hexagon_jumps(self.goal, None), node),
            }
        )
    }

    /// Puts the cells from the start to a node into the list. The search must have reached the
    /// node.
    ///
    /// The cells are counted first, so that a list that is too small grows only once.
    pub(crate) fn path_to(&self, map: &MapSnapshot, node: GridNode, cells: &mut Vec<Cell>) {
        cells.clear();
        with_search!(
            &self.engine,
            search => {
                let space = &map.space();
                cells.reserve_exact(search.walk_back(space, node).count());
                cells.extend(search.walk_back(space, node).map(|node| node.cell(&map.bounds)));
            },
            jumping => match JumpKind::of(&map.movement_map) {
                JumpKind::EightWays => {
                    take_jumps(jumping, &map.jump_points(self.goal, None), map, node, cells);
                }
                JumpKind::FourWays => {
                    take_jumps(jumping, &map.four_way_jumps(self.goal, None), map, node, cells);
                }
                JumpKind::Hexagons => {
                    take_jumps(jumping, &map.hexagon_jumps(self.goal, None), map, node, cells);
                }
            }
        );
        cells.reverse();
    }
}

/// Returns the landmarks for a search, if they may lead it and help.
fn lead(map: &MapSnapshot, profile: &SearchProfile, start: GridNode, goal: GridNode) -> Option<Lead> {
    let tables = map.landmarks.as_ref()?;
    let octile = OctileDistance::new(&map.movement_map, goal);
    let one = [goal];
    // Closest cells that are not listed are too many for a bound.
    let goals = profile.ties.as_ref().map_or(Some(&one[..]), ClosestCells::listed)?;
    Lead::choose(tables, map.ground(), start, goals, (octile, profile.guidance))
}

/// Puts the cells from a node back to the start into the list, including the cells inside jumps.
fn take_jumps<S: SearchSpace<Node = GridNode, Cost = Cost>, Q>(
    search: &Search<GridNode, S::Records, Q>,
    space: &S,
    map: &MapSnapshot,
    node: GridNode,
    cells: &mut Vec<Cell>,
) {
    let topology = map.movement_map.topology();
    let jumps = || {
        let mut here = node;
        search.walk_back(space, node).skip(1).map(move |parent| (mem::replace(&mut here, parent), parent))
    };
    let steps: u32 = jumps().map(|(node, parent)| jump_point::steps(topology, node, parent)).sum();
    cells.reserve_exact(steps as usize + 1);
    cells.push(node.cell(&map.bounds));
    for (node, parent) in jumps() {
        jump_point::walk_back(topology, node, parent, |node| cells.push(node.cell(&map.bounds)));
    }
}

impl Drop for GridEngine {
    fn drop(&mut self) {
        let scratch = &mut *self.spare;
        match mem::replace(&mut self.engine, Engine::Fifo(Search::default())) {
            Engine::Buckets(search) => (scratch.records, scratch.buckets) = search.into_parts(),
            Engine::Holding(search) => (scratch.records, scratch.holding) = search.into_parts(),
            Engine::Heap(search) => (scratch.records, scratch.heap) = search.into_parts(),
            Engine::Weighted { search, .. } => (scratch.records, scratch.weighted) = search.into_parts(),
            Engine::Fifo(search) => (scratch.records, scratch.fifo) = search.into_parts(),
            Engine::Lifo(search) => (scratch.records, scratch.lifo) = search.into_parts(),
            Engine::Jump(search) => (scratch.jump_records, scratch.jump_queue) = search.into_parts(),
            Engine::JumpHeap(search) => (scratch.jump_records, scratch.heap) = search.into_parts(),
        }
    }
}
