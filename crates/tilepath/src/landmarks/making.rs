//! The making of tables: which cells become landmarks, and the searches from them.

use super::{
    floor::{FloorGround, START},
    ground::MapGround,
    tiles::{CELLS, Directions, HIGHEST, LandmarkTables, UNREACHED},
};
use crate::{
    bounds::Bounds,
    cost::Cost,
    dial::dial_queue::{DialQueue, QueueKind},
    movement::Diagonals,
    movement_map::MovementMap,
    search::OpenList as _,
    space::grid::GridNode,
    topology::Topology,
};
use std::cmp::Reverse;

/// The slots or regions that are read, or the cells that are packed, for one unit of work.
const READ: usize = 64;

/// Connected cells.
#[derive(Clone, Copy, Debug)]
struct Region {
    lowest: GridNode,
    cells: u32,
    /// The region's cell of the present landmark. `None` if all cells are cells of earlier ones.
    source: Option<GridNode>,
    /// The cell of the next landmark.
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

/// A cell that waits, the place of the step to it in the order of canonical steps, and the index of
/// the region in which its path begins.
#[derive(Clone, Copy, Debug)]
struct Entry {
    node: GridNode,
    /// The arrival in the lowest four bits, above it the index.
    origin: u32,
}

impl Entry {
    /// The bits of the index.
    const REGION: u32 = !0xF;

    #[inline]
    const fn new(node: GridNode, region: u32, arrival: usize) -> Self {
        Self { node, origin: region << 4 | arrival as u32 }
    }

    #[inline]
    const fn arrival(self) -> usize {
        (self.origin & !Self::REGION) as usize
    }

    #[inline]
    const fn region(self) -> usize {
        (self.origin >> 4) as usize
    }

    /// Returns the entry of a neighbour, with the place of the step to it.
    #[inline]
    const fn stepped(self, node: GridNode, place: usize) -> Self {
        Self { node, origin: self.origin & Self::REGION | place as u32 }
    }
}

// Each region has a cell, so that its index fits into an entry.
const _: () = assert!(Bounds::MAX_CELLS <= 1 << 28 && START < 16, "an entry holds its region and arrival");

/// The next step of the work.
#[derive(Clone, Copy, Debug)]
enum Stage {
    /// Looks for the next region, from a slot on.
    Scan(usize),
    /// Spreads from the lowest cell of the last region, which is at this slot.
    Flood(usize),
    /// Begins the first or the second table of a landmark: adds its cells to the queue, from a
    /// region on.
    Seed {
        part: usize,
        region: usize,
    },
    /// Spreads from the cells of the last landmark, for the first or the second of its tables.
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
    /// The number of landmarks to make.
    count: usize,
    stage: Stage,
    /// The costs of the present table, by slot.
    costs: Vec<u32>,
    /// The least cost to a landmark, by slot. While regions are counted, zero for the cells of all
    /// regions found so far.
    nearest: Vec<u32>,
    queue: DialQueue<Entry>,
    regions: Vec<Region>,
    tables: LandmarkTables,
    is_too_expensive: bool,
}

/// A path costs more than a table holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct TooExpensive;

/// Returns the directions of the tables for a movement on the present ground.
pub(super) fn directions_on(movement_map: &MovementMap) -> Directions {
    let (movement, steps) = (movement_map.movement(), movement_map.movement().steps());
    match movement_map.uniform_multiplier() {
        _ if movement_map.has_listed_moves() => Directions::Both,
        _ if movement_map.topology() == Topology::Hexagonal
            || movement.diagonals() == Diagonals::Never
            || steps.straight() == steps.diagonal() =>
        {
            Directions::OneLength
        }
        Some(multiplier) => Directions::Even(multiplier),
        None => Directions::Both,
    }
}

impl Making {
    /// Begins to make tables for a floor that is equal to the map.
    pub(super) fn begin(MapGround { bounds, movement_map, .. }: MapGround<'_>, count: usize) -> Self {
        let span = movement_map.max_floor_cost();
        let mut tables =
            LandmarkTables::new(bounds, directions_on(movement_map), movement_map.has_listed_moves());
        tables.make_room(count);
        Self {
            count,
            stage: Stage::Scan(0),
            costs: vec![UNREACHED; bounds.cell_count()],
            nearest: vec![UNREACHED; bounds.cell_count()],
            queue: DialQueue::new(QueueKind::for_span(span)),
            regions: Vec::new(),
            tables,
            is_too_expensive: false,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.costs)
            + size_of_val(&*self.nearest)
            + size_of_val(&*self.regions)
            + self.tables.bytes()
    }

    /// Works for about `budget` units: one for each settled cell, for each 64 slots or regions that
    /// are read, and for each tile that is packed. Returns the work, and the tables if they are made.
    pub(super) fn advance(
        &mut self,
        ground: &FloorGround<'_>,
        budget: u64,
    ) -> (u64, Option<Result<LandmarkTables, TooExpensive>>) {
        let mut spent = 0;
        while spent < budget {
            spent += match self.stage {
                Stage::Scan(slot) => self.scan(ground, slot),
                Stage::Seed { part, region } => self.seed(ground, part, region),
                Stage::Flood(_) | Stage::Spread(_) => self.spread(ground, budget - spent),
                Stage::Pack { part, tile } => self.pack(ground, part, tile),
                Stage::Done => return (spent, Some(self.made())),
            };
        }
        (spent, None)
    }

    fn made(&mut self) -> Result<LandmarkTables, TooExpensive> {
        let none = LandmarkTables::new(&Bounds::default(), Directions::Both, false);
        let tables = std::mem::replace(&mut self.tables, none);
        if self.is_too_expensive { Err(TooExpensive) } else { Ok(tables) }
    }

    /// Reads the next slots for a cell of a new region. Returns the work.
    fn scan(&mut self, ground: &FloorGround<'_>, slot: usize) -> u64 {
        let width = ground.bounds().width().max(1) as usize;
        let end = self.costs.len().min(slot + READ);
        let found = (slot..end).find_map(|slot| {
            let node = GridNode::new((slot % width) as u32, (slot / width) as u32);
            (self.nearest[slot] == UNREACHED && ground.is_open(node)).then_some((slot, node))
        });
        if let Some((slot, lowest)) = found {
            self.queue.clear();
            self.add_source(ground, lowest, self.regions.len());
            self.regions.push(Region { lowest, cells: 0, source: None, farthest: Farthest::from(lowest) });
            self.stage = Stage::Flood(slot);
        } else if end == self.costs.len() {
            self.costs.fill(UNREACHED);
            self.nearest.fill(UNREACHED);
            self.stage = Stage::Seed { part: 0, region: 0 };
        } else {
            self.stage = Stage::Scan(end);
        }
        1
    }

    /// Adds a cell of a region as the begin of paths.
    fn add_source(&mut self, ground: &FloorGround<'_>, node: GridNode, region: usize) {
        self.costs[ground.slot(node)] = 0;
        self.queue.push(Cost::ZERO, Entry::new(node, region as u32, START));
    }

    /// Adds the cells of the present landmark to the queue, for the next regions. For the first
    /// table, the farthest cell of each region becomes the landmark's cell. Returns the work.
    fn seed(&mut self, ground: &FloorGround<'_>, part: usize, first: usize) -> u64 {
        if first == 0 {
            self.queue.clear();
        }
        let end = self.regions.len().min(first + READ);
        for index in first..end {
            let Region { lowest, farthest: Farthest { cost, node }, .. } = self.regions[index];
            let region = &mut self.regions[index];
            if part == 0 {
                // All cells of a small region may be landmarks already.
                let is_first = self.nearest[ground.slot(lowest)] == UNREACHED;
                region.source = (cost > 0 || is_first).then_some(node);
                region.farthest = Farthest::from(lowest);
            }
            if let Some(source) = region.source {
                self.add_source(ground, source, index);
            }
        }
        self.stage = if end < self.regions.len() {
            Stage::Seed { part, region: end }
        } else if part == 0 && !self.add_landmark(ground) {
            Stage::Done
        } else {
            Stage::Spread(part)
        };
        1
    }

    /// Adds the present landmark to the tables, by its cell in the largest region. Returns `false`
    /// if no region has a cell left for it.
    fn add_landmark(&mut self, ground: &FloorGround<'_>) -> bool {
        let cells = self.regions.iter().filter_map(|region| Some((region.cells, region.source?)));
        // The first one of equally large regions counts.
        let Some((_, cell)) = cells.rev().max_by_key(|&(cells, _)| cells) else { return false };
        self.tables.add(cell.cell(ground.bounds()));
        true
    }

    /// Settles at most this many cells, at least one. Returns the work.
    fn spread(&mut self, ground: &FloorGround<'_>, most: u64) -> u64 {
        let (settled, has_ended) = self.settle(ground, most.max(1));
        if has_ended {
            self.end_spread();
        }
        settled
    }

    /// Settles at most this many cells. Returns their number, and whether no cell is left.
    fn settle(&mut self, ground: &FloorGround<'_>, most: u64) -> (u64, bool) {
        let is_flood = matches!(self.stage, Stage::Flood(_));
        // The second table holds the paths from the landmark.
        let to_landmark = !matches!(self.stage, Stage::Spread(1));
        let Self { costs, nearest, queue, regions, is_too_expensive, .. } = self;
        let mut settled = 0;
        while settled < most {
            let Some((cost, entry)) = queue.pop() else { return (settled, true) };
            let (cost, node) = (cost.get(), entry.node);
            let slot = ground.slot(node);
            if costs[slot] != cost {
                continue;
            }
            settled += 1;
            if to_landmark {
                let region = &mut regions[entry.region()];
                if is_flood {
                    region.cells += 1;
                    region.farthest.follow(node, cost);
                    nearest[slot] = 0;
                } else {
                    nearest[slot] = nearest[slot].min(cost);
                    region.farthest.follow(node, nearest[slot]);
                }
            }
            *is_too_expensive |= cost > HIGHEST;
            ground.offer((node, entry.arrival()), cost, to_landmark, |node, slot, place, over| {
                // Most neighbours are settled, and need no sum. Where steps lead in one direction
                // only, a cell can reach the lowest cells of several regions.
                if costs[slot] > cost && !(is_flood && nearest[slot] == 0) {
                    let cost = over();
                    *is_too_expensive |= cost == UNREACHED;
                    if cost < costs[slot] {
                        costs[slot] = cost;
                        queue.push(Cost::new(cost), entry.stepped(node, place));
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
            Stage::Flood(slot) => Stage::Scan(slot + 1),
            stage => stage,
        };
    }

    /// Packs a tile of the present table. Returns the work.
    fn pack(&mut self, ground: &FloorGround<'_>, part: usize, tile: usize) -> u64 {
        let both = self.tables.of_landmark(self.tables.landmarks().len() - 1);
        let cells = self.tables.cells_of(tile, ground.bounds());
        let costs: [u32; CELLS] = std::array::from_fn(|cell| {
            let slot = cells[cell].map(|node| ground.slot(node));
            slot.map_or(UNREACHED, |slot| std::mem::replace(&mut self.costs[slot], UNREACHED))
        });
        self.tables.pack(tile, both[part], &costs);
        let is_last = tile + 1 == self.tables.tile_count();
        let has_second = both[0] != both[1] && part == 0;
        self.stage = if !is_last {
            Stage::Pack { part, tile: tile + 1 }
        } else if has_second || self.tables.landmarks().len() < self.count {
            Stage::Seed { part: usize::from(has_second), region: 0 }
        } else {
            Stage::Done
        };
        1
    }
}
