//! The making of tables: which cells become landmarks, and the searches from them.

use super::{
    ground::{Frozen, MapGround, Pruned, Steps, pruned_steps},
    labels::{Labels, NO_LABEL},
    spread::{READ, Spread},
    table::{CELLS, Kind, Table, UNKNOWN, cells_of, tile_count},
};
use crate::{movement::Diagonals, movement_map::MovementMap, space::grid::GridNode, topology::Topology};
use std::{cmp::Reverse, sync::Arc};

/// The cells of a landmark: at most one of each region, the largest regions first.
pub(crate) type Sources = Arc<[GridNode]>;

/// The paths whose costs the tables of each landmark hold: one table, or one to the landmark and one
/// from it.
pub(super) fn kinds_on(movement_map: &MovementMap) -> &'static [Kind] {
    let (movement, steps) = (movement_map.movement(), movement_map.movement().steps());
    match movement_map.uniform_multiplier() {
        _ if movement_map.has_listed_moves() => &[Kind::ToLandmark, Kind::FromLandmark],
        _ if movement_map.topology() == Topology::Hexagonal
            || movement.diagonals() == Diagonals::Never
            || steps.straight() == steps.diagonal() =>
        {
            &[Kind::OneLength]
        }
        Some(_) => &[Kind::Even],
        None => &[Kind::ToLandmark, Kind::FromLandmark],
    }
}

/// A path costs more than a table holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct TooExpensive;

/// The next step of a table's making.
#[derive(Clone, Copy, Debug)]
enum Stage {
    /// Begins at the next cell of the landmark.
    Source(usize),
    /// Looks for the next cell that no path reaches, from a slot on.
    Scan(usize),
    /// Spreads, then goes on with the source or the slot.
    SpreadFromSource(usize),
    SpreadFromSlot(usize),
    Done,
}

/// The costs of one table.
///
/// The search begins at the first cell of the landmark, and again at each later one that is not yet
/// reached. Then each cell that is still not reached begins a search, the lowest slot first. Where all
/// steps go both ways, all of them begin at cost 0, so each region has costs of its own. Otherwise, a
/// later search begins at the highest cost so far. So no step from a cell reached before lowers the
/// table by more than its cost.
#[derive(Clone, Debug)]
struct Costs {
    spread: Spread,
    to_landmark: bool,
    sources: Sources,
    stage: Stage,
    /// The cost at which the present search began.
    begin: u32,
}

impl Costs {
    fn new(spread: Spread, to_landmark: bool, sources: Sources) -> Self {
        Self { spread, to_landmark, sources, stage: Stage::Source(0), begin: 0 }
    }

    /// Works for about `budget` units: one for each settled cell, and for each 64 slots that are read.
    /// Calls `settle` with the number of the source, the slot and the cost above the begin of each
    /// settled cell. Returns the work, and whether the costs are complete.
    fn advance(
        &mut self,
        map: MapGround<'_>,
        (steps, pruned): (&Steps<'_>, &Pruned),
        budget: u64,
        mut settle: impl FnMut(Option<usize>, usize, u32),
    ) -> (u64, bool) {
        let mut spent = 0;
        while spent < budget {
            let (source, next) = match self.stage {
                Stage::Done => return (spent, true),
                Stage::Source(number) => {
                    self.begin_at_source(map, number);
                    continue;
                }
                Stage::Scan(slot) => {
                    self.scan(map, slot);
                    spent += 1;
                    continue;
                }
                Stage::SpreadFromSource(number) => (Some(number), Stage::Source(number + 1)),
                Stage::SpreadFromSlot(slot) => (None, Stage::Scan(slot + 1)),
            };
            let begin = self.begin;
            let (work, has_ended) =
                self.spread.run((steps, pruned), self.to_landmark, budget - spent, |slot, cost| {
                    settle(source, slot, cost - begin);
                });
            spent += work;
            if self.spread.is_too_expensive() {
                self.stage = Stage::Done;
            } else if has_ended {
                self.stage = next;
            }
        }
        (spent, matches!(self.stage, Stage::Done))
    }

    fn begin_at_source(&mut self, map: MapGround<'_>, number: usize) {
        let Some(&node) = self.sources.get(number) else {
            self.stage = Stage::Scan(0);
            return;
        };
        let slot = map.slot(node);
        self.stage = if map.is_open(node) && !self.spread.is_known(slot) {
            self.begin(map, slot);
            Stage::SpreadFromSource(number)
        } else {
            Stage::Source(number + 1)
        };
    }

    fn scan(&mut self, map: MapGround<'_>, slot: usize) {
        let cells = map.bounds.cell_count();
        let end = cells.min(slot + READ);
        let found = (slot..end).find(|&slot| !self.spread.is_known(slot) && map.multiplier(slot) > 0);
        self.stage = match found {
            Some(slot) => {
                self.begin(map, slot);
                Stage::SpreadFromSlot(slot)
            }
            None if end == cells => Stage::Done,
            None => Stage::Scan(end),
        };
    }

    fn begin(&mut self, map: MapGround<'_>, slot: usize) {
        self.begin = if map.goes_both_ways() { 0 } else { self.spread.highest() };
        self.spread.seed(slot, self.begin);
    }

    /// Packs the next tile.
    fn pack(&mut self, map: MapGround<'_>, table: &mut Table) {
        let cells = cells_of(table.packed_tiles(), map.bounds);
        let costs: [u32; CELLS] =
            std::array::from_fn(|cell| cells[cell].map_or(UNKNOWN, |node| self.spread.take(map.slot(node))));
        table.pack(&costs);
    }
}

/// The making of one table.
#[derive(Clone, Debug)]
pub(super) struct TableMaking {
    pruned: Pruned,
    costs: Costs,
    table: Table,
    has_costs: bool,
}

impl TableMaking {
    pub(super) fn begin(frozen: &Frozen, kind: Kind, sources: Sources) -> Self {
        Self::with(new_spread(frozen), frozen, kind, sources)
    }

    fn with(spread: Spread, frozen: &Frozen, kind: Kind, sources: Sources) -> Self {
        let costs = Costs::new(spread, kind != Kind::FromLandmark, sources);
        let pruned = pruned_steps(frozen.ground());
        Self { pruned, costs, table: Table::new(kind, frozen), has_costs: false }
    }

    /// Works for about `budget` units, one for each tile that is packed, and the units of [`Costs`]. Returns
    /// the work, and whether the table is made.
    fn advance(
        &mut self,
        frozen: &Frozen,
        budget: u64,
        settle: impl FnMut(Option<usize>, usize, u32),
    ) -> (u64, Result<bool, TooExpensive>) {
        let map = frozen.ground();
        let mut spent = 0;
        if !self.has_costs {
            let (work, is_complete) =
                self.costs.advance(map, (&Steps::of(map), &self.pruned), budget, settle);
            (spent, self.has_costs) = (work, is_complete);
        }
        if self.costs.spread.is_too_expensive() {
            return (spent, Err(TooExpensive));
        }
        let tiles = tile_count(map.bounds);
        while self.has_costs && spent < budget && self.table.packed_tiles() < tiles {
            self.costs.pack(map, &mut self.table);
            spent += 1;
        }
        (spent, Ok(self.has_costs && self.table.packed_tiles() == tiles))
    }

    /// Works as [`Making::advance`] does. Returns the table if it is made.
    pub(super) fn finish(
        &mut self,
        frozen: &Frozen,
        budget: u64,
    ) -> (u64, Option<Result<Arc<Table>, TooExpensive>>) {
        let (spent, done) = self.advance(frozen, budget, |_, _, _| ());
        (spent, done.map(|done| done.then(|| Arc::new(self.table.clone()))).transpose())
    }

    pub(super) fn bytes(&self) -> usize {
        self.costs.spread.bytes() + self.table.bytes()
    }
}

fn new_spread(frozen: &Frozen) -> Spread {
    let (units, movement_map) = (frozen.ground().units(), &frozen.movement_map);
    let least = u32::from(movement_map.cheapest()) * units[0].min(units[1]);
    Spread::new(frozen.bounds.cell_count(), [least, movement_map.max_floor_cost()])
}

/// Connected cells.
#[derive(Clone, Copy, Debug)]
struct Region {
    cells: u32,
    /// The cell of the next landmark, if not all cells are cells of earlier ones.
    farthest: Option<Farthest>,
}

/// The settled cell with the highest cost, and of several the one with the lowest slot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Farthest {
    cost: u32,
    slot: Reverse<usize>,
}

/// Landmarks with their tables: two for each, to it and from it, which may be the same one.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub(super) sources: Vec<Sources>,
    pub(super) tables: Vec<[Arc<Table>; 2]>,
    /// The label of each cell's region, by slot, if there are several regions and all steps go both ways.
    pub(super) labels: Option<Arc<Vec<u16>>>,
}

/// The making of all landmarks of a map.
#[derive(Clone, Debug)]
pub(super) struct Making {
    count: usize,
    kinds: &'static [Kind],
    /// The least cost to a landmark, by slot.
    nearest: Vec<u32>,
    regions: Vec<Region>,
    /// By slot.
    labels: Vec<u16>,
    /// The region of each source of the present landmark.
    region_of: Vec<usize>,
    work: Work,
    made: Made,
    /// The first table of the present landmark, if it has two.
    first: Option<Arc<Table>>,
}

#[derive(Clone, Debug)]
enum Work {
    /// Finds the regions, and the farthest cell of each from its lowest cell.
    Regions(Pruned, Costs),
    Table(TableMaking),
    Done,
}

impl Making {
    pub(super) fn begin(frozen: &Frozen, count: usize) -> Self {
        let costs = Costs::new(new_spread(frozen), true, Arc::default());
        Self {
            count,
            kinds: kinds_on(&frozen.movement_map),
            nearest: vec![UNKNOWN; frozen.bounds.cell_count()],
            regions: Vec::new(),
            labels: vec![NO_LABEL; frozen.bounds.cell_count()],
            region_of: Vec::new(),
            work: Work::Regions(pruned_steps(frozen.ground()), costs),
            made: Made { sources: Vec::new(), tables: Vec::new(), labels: None },
            first: None,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let tables = self.made.tables.iter().flatten().map(|table| table.bytes());
        let work = match &self.work {
            Work::Regions(_, costs) => costs.spread.bytes(),
            Work::Table(table) => table.bytes(),
            Work::Done => 0,
        };
        size_of_val(&*self.nearest)
            + size_of_val(&*self.labels)
            + size_of_val(&*self.regions)
            + work
            + tables.sum::<usize>()
    }

    /// Works for about `budget` units: one for each settled cell, for each 64 slots that are read or
    /// empty buckets that are passed, and for each tile that is packed. Returns the work, and the
    /// landmarks if they are made.
    pub(super) fn advance(
        &mut self,
        frozen: &Frozen,
        budget: u64,
    ) -> (u64, Option<Result<Made, TooExpensive>>) {
        let mut spent = 0;
        while spent < budget {
            let (work, done) = match &self.work {
                Work::Regions(..) => self.find_regions(frozen, budget - spent),
                Work::Table(_) => self.make_table(frozen, budget - spent),
                Work::Done => return (spent, Some(Ok(self.made.clone()))),
            };
            spent += work;
            if let Err(error) = done {
                return (spent, Some(Err(error)));
            }
        }
        (spent, None)
    }

    fn find_regions(&mut self, frozen: &Frozen, budget: u64) -> (u64, Result<(), TooExpensive>) {
        let Self { regions, labels, work: Work::Regions(pruned, costs), .. } = self else {
            return (0, Ok(()));
        };
        let map = frozen.ground();
        let (spent, is_complete) = costs.advance(map, (&Steps::of(map), pruned), budget, |_, slot, cost| {
            if cost == 0 {
                regions.push(Region { cells: 0, farthest: None });
            }
            labels[slot] = Labels::of_region(regions.len() - 1);
            if let Some(region) = regions.last_mut() {
                region.cells += 1;
                region.farthest = region.farthest.max(Some(Farthest { cost, slot: Reverse(slot) }));
            }
        });
        if costs.spread.is_too_expensive() {
            return (spent, Err(TooExpensive));
        }
        if is_complete
            && let Work::Regions(_, Costs { spread, .. }) = std::mem::replace(&mut self.work, Work::Done)
        {
            let labels = std::mem::take(&mut self.labels);
            let are_wanted = self.regions.len() > 1 && map.goes_both_ways();
            self.made.labels = are_wanted.then(|| Arc::new(labels));
            self.regions.sort_by_key(|region| Reverse(region.cells));
            self.next_landmark(frozen, spread);
        }
        (spent, Ok(()))
    }

    /// Begins with the first table of the next landmark, if there is one.
    fn next_landmark(&mut self, frozen: &Frozen, spread: Spread) {
        self.work = Work::Done;
        let width = frozen.bounds.width() as usize;
        let is_first = self.made.sources.is_empty();
        let mut sources = Vec::new();
        self.region_of.clear();
        for (number, region) in self.regions.iter_mut().enumerate() {
            // All cells of a small region may be landmarks already.
            let farthest = region.farthest.take().filter(|farthest| is_first || farthest.cost > 0);
            if let Some(Farthest { slot: Reverse(slot), .. }) = farthest {
                sources.push(GridNode::new((slot % width) as u32, (slot / width) as u32));
                self.region_of.push(number);
            }
        }
        if self.made.sources.len() == self.count || sources.is_empty() {
            return;
        }
        self.made.sources.push(sources.into());
        self.next_table(frozen, spread);
    }

    /// Begins with the next table of the present landmark, in the memory of the last one.
    fn next_table(&mut self, frozen: &Frozen, mut spread: Spread) {
        let Some(sources) = self.made.sources.last() else { return };
        spread.clear();
        let kind = self.kinds[usize::from(self.first.is_some())];
        self.work = Work::Table(TableMaking::with(spread, frozen, kind, Arc::clone(sources)));
    }

    fn make_table(&mut self, frozen: &Frozen, budget: u64) -> (u64, Result<(), TooExpensive>) {
        let Self { nearest, regions, region_of, work: Work::Table(making), first, .. } = self else {
            return (0, Ok(()));
        };
        let is_second = first.is_some();
        let (spent, done) = making.advance(frozen, budget, |source, slot, cost| {
            if let Some(source) = source.filter(|_| !is_second) {
                nearest[slot] = nearest[slot].min(cost);
                let farthest = &mut regions[region_of[source]].farthest;
                *farthest = (*farthest).max(Some(Farthest { cost: nearest[slot], slot: Reverse(slot) }));
            }
        });
        match done {
            Err(error) => return (spent, Err(error)),
            Ok(false) => return (spent, Ok(())),
            Ok(true) => {}
        }
        let Work::Table(making) = std::mem::replace(&mut self.work, Work::Done) else {
            return (spent, Ok(()));
        };
        let (spread, table) = (making.costs.spread, Arc::new(making.table));
        match self.first.take() {
            None if self.kinds.len() > 1 => {
                self.first = Some(table);
                self.next_table(frozen, spread);
            }
            first => {
                self.made.tables.push([first.unwrap_or_else(|| Arc::clone(&table)), table]);
                self.next_landmark(frozen, spread);
            }
        }
        (spent, Ok(()))
    }
}
