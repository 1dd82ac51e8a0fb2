//! The making of tables: which cells become landmarks, and the searches from them.

use super::{
    LandmarkCount,
    floor::FloorGround,
    tiles::{CELLS, Directions, HIGHEST, LandmarkTables, UNREACHED},
};
use crate::{
    cost::Cost,
    dial::dial_queue::{DialQueue, QueueKind},
    movement::Diagonals,
    movement_map::MovementMap,
    search::OpenList as _,
    space::grid::GridNode,
};
use std::cmp::Reverse;

/// The smallest share of the open cells that a region with landmarks of its own has: one part of
/// this many.
const SMALLEST_REGION: u64 = 16;
/// The slots that are read, or the cells that are packed, for one unit of work.
const CELLS_READ: u64 = 64;

/// Connected cells.
#[derive(Clone, Copy, Debug)]
struct Region {
    lowest: GridNode,
    cells: u64,
    /// The next cell for a landmark.
    farthest: Farthest,
}

/// The settled cell with the highest cost, and of several the one with the lowest slot.
#[derive(Clone, Copy, Debug)]
struct Farthest {
    cost: u32,
    node: GridNode,
}

impl Farthest {
    const fn from(node: GridNode) -> Self {
        Self { cost: 0, node }
    }

    #[inline]
    fn follow(&mut self, node: GridNode, cost: u32) {
        if (cost, Reverse(node.packed())) > (self.cost, Reverse(self.node.packed())) {
            *self = Self { cost, node };
        }
    }
}

/// A cell that waits, and the place of the step to it in the order of canonical steps.
#[derive(Clone, Copy, Debug)]
struct Entry {
    node: GridNode,
    arrival: u8,
}

/// The value of a start, in place of a step.
const START: u8 = 8;

/// The next step of the work.
#[derive(Clone, Copy, Debug)]
enum Stage {
    /// Looks for the next region, from a slot on.
    Scan(usize),
    /// Spreads from the lowest cell of the last region.
    Flood,
    /// Takes the next landmark of a region.
    Choose,
    /// Spreads from the last landmark: for the first or the second of its tables.
    Spread(usize),
    /// Packs the costs of a table, from a tile on.
    Pack {
        part: usize,
        tile: usize,
    },
    Done,
}

/// Tables that are being made.
#[derive(Clone, Debug)]
pub(super) struct Making {
    count: LandmarkCount,
    stage: Stage,
    /// The costs of the present table, by slot. While regions are counted, cells of all regions
    /// found so far have costs.
    costs: Vec<u32>,
    /// The least cost to a landmark of the region, by slot.
    nearest: Vec<u32>,
    queue: DialQueue<Entry>,
    /// While regions are counted, all of them; then those that still get landmarks, each with their
    /// number.
    regions: Vec<(Region, usize)>,
    tables: LandmarkTables,
    is_too_expensive: bool,
}

/// The end of making tables.
#[derive(Debug)]
pub(super) enum Made {
    Tables(LandmarkTables),
    /// The map has too few open cells.
    TooFewCells,
    /// A path costs more than a table holds.
    TooExpensive,
}

/// Returns the directions of the tables for a movement on the present ground.
fn directions_on(movement_map: &MovementMap) -> Directions {
    let (movement, steps) = (movement_map.movement(), movement_map.movement().steps());
    match movement_map.uniform_multiplier() {
        _ if movement.diagonals() == Diagonals::Never || steps.straight() == steps.diagonal() => {
            Directions::OneLength
        }
        Some(multiplier) => Directions::Even(multiplier),
        None => Directions::Both,
    }
}

impl Making {
    /// Begins to make tables for the present map. The floor must be equal to it.
    pub(super) fn begin(ground: &FloorGround<'_>, count: LandmarkCount) -> Self {
        let (bounds, movement_map) = (ground.bounds(), ground.movement_map());
        let span = movement_map.max_step_cost();
        Self {
            count,
            stage: Stage::Scan(0),
            costs: vec![UNREACHED; bounds.cell_count()],
            nearest: vec![UNREACHED; bounds.cell_count()],
            queue: DialQueue::new(QueueKind::for_span(span)),
            regions: Vec::new(),
            tables: LandmarkTables::new(bounds, directions_on(movement_map)),
            is_too_expensive: false,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        (self.costs.len() + self.nearest.len()) * size_of::<u32>() + self.tables.bytes()
    }

    /// Works for about `budget` units: one for each settled cell, for each 64 slots that are read,
    /// and for each tile that is packed. Returns the work, and the tables if they are made.
    pub(super) fn advance(&mut self, ground: &FloorGround<'_>, budget: u64) -> (u64, Option<Made>) {
        let mut spent = 0;
        while spent < budget {
            match self.stage {
                Stage::Scan(slot) => spent += self.scan(ground, slot),
                Stage::Flood | Stage::Spread(_) => spent += self.spread(ground, budget - spent),
                Stage::Choose => self.choose(ground),
                Stage::Pack { part, tile } => {
                    self.pack(ground, part, tile);
                    spent += 1;
                }
                Stage::Done => return (spent, Some(self.made())),
            }
        }
        (spent, None)
    }

    fn made(&mut self) -> Made {
        if self.is_too_expensive {
            return Made::TooExpensive;
        }
        if self.tables.landmarks().is_empty() {
            return Made::TooFewCells;
        }
        let none = LandmarkTables::new(&crate::bounds::Bounds::default(), Directions::Both);
        Made::Tables(std::mem::replace(&mut self.tables, none))
    }

    /// Reads the next slots for a cell of a new region. Returns the work.
    fn scan(&mut self, ground: &FloorGround<'_>, slot: usize) -> u64 {
        let width = ground.bounds().width().max(1) as usize;
        let end = self.costs.len().min(slot + CELLS_READ as usize);
        let found = (slot..end).find_map(|slot| {
            let node = GridNode::new((slot % width) as u32, (slot / width) as u32);
            (self.costs[slot] == UNREACHED && ground.is_open(node)).then_some((slot, node))
        });
        if let Some((slot, lowest)) = found {
            self.regions.push((Region { lowest, cells: 0, farthest: Farthest::from(lowest) }, slot));
            self.begin_spread(ground, lowest, Stage::Flood);
        } else if end == self.costs.len() {
            self.share_out();
        } else {
            self.stage = Stage::Scan(end);
        }
        1
    }

    fn begin_spread(&mut self, ground: &FloorGround<'_>, from: GridNode, stage: Stage) {
        self.queue.clear();
        self.costs[ground.slot(from)] = 0;
        self.queue.push(Cost::ZERO, Entry { node: from, arrival: START });
        self.stage = stage;
    }

    /// Settles at most this many cells, at least one. Returns the work.
    fn spread(&mut self, ground: &FloorGround<'_>, most: u64) -> u64 {
        let (settled, has_ended) = if ground.is_map() {
            self.settle::<true>(ground, most.max(1))
        } else {
            self.settle::<false>(ground, most.max(1))
        };
        if has_ended {
            self.end_spread();
        }
        settled
    }

    /// Settles at most this many cells. Returns their number, and whether no cell is left.
    fn settle<const IS_MAP: bool>(&mut self, ground: &FloorGround<'_>, most: u64) -> (u64, bool) {
        let Some((region, _)) = self.regions.last_mut() else { return (0, true) };
        let is_flood = matches!(self.stage, Stage::Flood);
        // The second table holds the paths from the landmark.
        let to_landmark = !matches!(self.stage, Stage::Spread(1));
        let Self { costs, nearest, queue, is_too_expensive, .. } = self;
        let mut settled = 0;
        while settled < most {
            let Some((cost, entry)) = queue.pop() else { return (settled, true) };
            let (cost, node) = (cost.get(), entry.node);
            let slot = ground.slot(node);
            if costs[slot] != cost {
                continue;
            }
            settled += 1;
            if is_flood {
                region.cells += 1;
                region.farthest.follow(node, cost);
            } else if to_landmark {
                nearest[slot] = nearest[slot].min(cost);
                region.farthest.follow(node, nearest[slot]);
            }
            *is_too_expensive |= cost > HIGHEST;
            let arrival = usize::from(entry.arrival);
            let from = (node, Some(arrival).filter(|_| arrival < START.into()));
            ground.offer::<IS_MAP>(from, cost, to_landmark, |node, slot, place, over| {
                // Most neighbours are settled, and need no sum.
                if costs[slot] > cost {
                    let cost = over();
                    *is_too_expensive |= cost == UNREACHED;
                    if cost < costs[slot] {
                        costs[slot] = cost;
                        queue.push(Cost::new(cost), Entry { node, arrival: place as u8 });
                    }
                }
            });
        }
        (settled, false)
    }

    fn end_spread(&mut self) {
        self.stage = match self.stage {
            _ if self.is_too_expensive => Stage::Done,
            Stage::Spread(part) => Stage::Pack { part, tile: 0 },
            _ => Stage::Scan(self.regions.last().map_or(0, |&(_, slot)| slot + 1)),
        };
    }

    /// Decides how many landmarks each region gets.
    fn share_out(&mut self) {
        let open: u64 = self.regions.iter().map(|(region, _)| region.cells).sum();
        self.regions.retain(|(region, _)| region.cells * SMALLEST_REGION >= open);
        // The lowest comes first if regions are equally large.
        self.regions.sort_by_key(|(region, _)| Reverse(region.cells));
        self.regions.iter_mut().for_each(|(_, landmarks)| *landmarks = 0);
        for _ in 0..self.count.on(open) {
            let most = self.regions.iter_mut().enumerate();
            let share = |region: &Region, landmarks: usize| region.cells / (landmarks as u64 + 1);
            if let Some((_, (_, landmarks))) =
                most.max_by_key(|(place, (region, landmarks))| (share(region, *landmarks), Reverse(*place)))
            {
                *landmarks += 1;
            }
        }
        self.regions.retain(|&(_, landmarks)| landmarks > 0);
        self.tables.make_room(self.regions.iter().map(|(_, landmarks)| landmarks).sum());
        // The last region is handled first.
        self.regions.reverse();
        self.costs.fill(UNREACHED);
        self.stage = Stage::Choose;
    }

    /// Takes the farthest cell of the present region as the next landmark.
    fn choose(&mut self, ground: &FloorGround<'_>) {
        let Some((region, landmarks)) = self.regions.last_mut() else {
            self.stage = Stage::Done;
            return;
        };
        let Farthest { cost, node } = region.farthest;
        // All cells of a small region may be landmarks already.
        let is_first = self.nearest[ground.slot(region.lowest)] == UNREACHED;
        if *landmarks == 0 || cost == 0 && !is_first {
            self.regions.pop();
            return;
        }
        *landmarks -= 1;
        region.farthest = Farthest::from(region.lowest);
        self.tables.add(node.cell(ground.bounds()));
        self.begin_spread(ground, node, Stage::Spread(0));
    }

    /// Packs a tile of the present table.
    fn pack(&mut self, ground: &FloorGround<'_>, part: usize, tile: usize) {
        let both = self.tables.of_landmark(self.tables.landmarks().len() - 1);
        let cells = self.tables.cells_of(tile, ground.bounds());
        let costs: [u32; CELLS] = std::array::from_fn(|cell| {
            let slot = cells[cell].map(|node| ground.slot(node));
            slot.map_or(UNREACHED, |slot| std::mem::replace(&mut self.costs[slot], UNREACHED))
        });
        self.tables.pack(tile, both[part], &costs);
        let is_last = tile + 1 == self.tables.tile_count();
        let has_second = both[0] != both[1] && part == 0;
        if !is_last {
            self.stage = Stage::Pack { part, tile: tile + 1 };
        } else if has_second && let Some(&landmark) = self.tables.landmarks().last() {
            if let Some(node) = GridNode::of(ground.bounds(), landmark) {
                self.begin_spread(ground, node, Stage::Spread(1));
            }
        } else {
            self.stage = Stage::Choose;
        }
    }
}
