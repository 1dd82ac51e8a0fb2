//! The surcharges of steps over the ground that they enter.
//!
//! A movement map has the costs of its *floor*: the least cost of each step onto a cell. A
//! step costs as much as the floor, and a surcharge of 0 or more.
//!
//! Decision: `docs/decisions/68-prices-of-steps.md`.

use super::{
    area::Area,
    plane,
    pruning::{MoveTable, StepRule},
    step_order::ORDER,
};
use crate::{
    bit_grid::BitGrid,
    bounds::Bounds,
    cell::{Cell, Direction},
    grid::Grid,
    movement::{AllowedStep, Crossing, Leave, Movement, StepRules},
};
use rustc_hash::FxHashMap;

/// The surcharges of the steps onto each class, straight and diagonal.
pub(crate) type ClassRow = [[u32; 2]; 256];

/// The surcharges of steps, and the open neighbours of each cell.
pub(crate) type PricedNeighbours<'map> = (&'map StepPrices, &'map [u8]);

/// The form in which a map needs surcharges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PriceForm {
    /// The classes of both cells decide.
    OfClasses,
    /// Each cell has its own.
    OfCells,
}

impl PriceForm {
    /// Returns the form for a movement on a map, if its steps may have surcharges.
    pub(super) fn of(grid: &Grid, movement: &Movement) -> Option<Self> {
        let is_of_cells = movement.meets_edges(grid, |crossing| crossing != Crossing::Closed)
            || movement.size().side() > 1 && !movement.class_steps().is_empty();
        if is_of_cells {
            return Some(Self::OfCells);
        }
        (!movement.class_steps().is_empty()).then_some(Self::OfClasses)
    }
}

/// The surcharges of a movement map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct StepPrices {
    pub(super) rows: PriceRows,
    /// The directions to follow from cells near surcharges: there a step past a cell may cost more than
    /// one over it.
    pub(super) moves: MoveTable,
    /// The cells beside which, or on which, a step with a surcharge begins.
    near: NearBits,
}

/// A bit for each cell, by slot.
#[derive(Clone, PartialEq, Eq, Debug)]
struct NearBits(Vec<u64>);

impl NearBits {
    fn new(cells: usize) -> Self {
        Self(vec![0; cells.div_ceil(64)])
    }

    #[inline]
    fn get(&self, slot: usize) -> bool {
        self.0[slot / 64] >> (slot % 64) & 1 == 1
    }

    fn set(&mut self, slot: usize, value: bool) {
        let bit = 1 << (slot % 64);
        if value { self.0[slot / 64] |= bit } else { self.0[slot / 64] &= !bit }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PriceRows {
    /// By the class left; `None` if its steps have no surcharge.
    OfClasses {
        rows: Vec<Option<Box<ClassRow>>>,
        highest: u32,
    },
    OfCells(CellPrices),
}

impl StepPrices {
    pub(super) fn new(grid: &Grid, movement: &Movement, rule: StepRule) -> Option<Self> {
        let rows = match PriceForm::of(grid, movement)? {
            PriceForm::OfClasses => of_classes(movement, movement.unit_costs(grid.topology())),
            PriceForm::OfCells => PriceRows::OfCells(CellPrices::new(grid, movement)),
        };
        let mut prices = Self { rows, moves: MoveTable::priced(rule), near: NearBits::new(0) };
        prices.find_all_near(grid);
        Some(prices)
    }

    /// Returns these surcharges with a row for each cell.
    pub(super) fn by_cells(&self, grid: &Grid, movement: &Movement) -> Self {
        match &self.rows {
            PriceRows::OfCells(_) => self.clone(),
            PriceRows::OfClasses { .. } => {
                let rows = PriceRows::OfCells(CellPrices::new(grid, movement));
                Self { rows, ..self.clone() }
            }
        }
    }

    pub(super) const fn form(&self) -> PriceForm {
        match self.rows {
            PriceRows::OfClasses { .. } => PriceForm::OfClasses,
            PriceRows::OfCells(_) => PriceForm::OfCells,
        }
    }

    /// Returns the highest surcharge of a step.
    pub(super) const fn highest(&self) -> u32 {
        match &self.rows {
            PriceRows::OfClasses { highest, .. } => *highest,
            PriceRows::OfCells(cells) => cells.highest,
        }
    }

    /// Returns whether a step ends a turn.
    pub(super) fn has_turn_ends(&self) -> bool {
        matches!(&self.rows, PriceRows::OfCells(cells) if cells.used().any(|row| row.ending != 0))
    }

    /// Finds again which cells of the map are near surcharges.
    pub(super) fn find_all_near(&mut self, grid: &Grid) {
        self.near = NearBits::new(grid.bounds().cell_count());
        self.find_near(grid, &[Area::all(grid.width(), grid.height())]);
    }

    /// Finds again which cells of some rectangles are near surcharges.
    ///
    /// # Complexity
    /// O(cells).
    pub(super) fn find_near(&mut self, grid: &Grid, areas: &[Area]) {
        let (width, height) = (grid.width(), grid.height());
        for area in areas {
            let around = area.grown(1, width, height);
            let priced: Vec<bool> = around.cells().map(|place| self.begins_at(grid, place)).collect();
            let is_priced = |x: u32, y: u32| around.place(x, y).is_some_and(|place| priced[place]);
            for (x, y) in area.cells() {
                let beside = Area::of_cell(x, y).grown(1, width, height);
                let is_near = beside.cells().any(|(x, y)| is_priced(x, y));
                self.near.set(y as usize * width as usize + x as usize, is_near);
            }
        }
    }

    /// Returns whether a step with a surcharge begins on a cell.
    fn begins_at(&self, grid: &Grid, (x, y): (u32, u32)) -> bool {
        let slot = y as usize * grid.width() as usize + x as usize;
        match &self.rows {
            PriceRows::OfCells(cells) => cells.row(slot).surcharges != [0; 8],
            PriceRows::OfClasses { rows, .. } => {
                let Some(row) = &rows[usize::from(grid.classes()[slot])] else { return false };
                grid.topology().directions().iter().any(|direction| {
                    let next = grid.bounds().global(x, y).neighbour(*direction);
                    let class = next.and_then(|next| grid.terrain(next));
                    class.is_some_and(|class| row[usize::from(class)] != [0; 2])
                })
            }
        }
    }

    /// Returns whether a step with a surcharge begins on a cell or beside it.
    #[inline]
    pub(crate) fn is_near(&self, slot: usize) -> bool {
        self.near.get(slot)
    }

    /// Returns the directions to follow from a cell near surcharges, by the place in [`ORDER`] of the
    /// arrival and the open neighbours, as bits in [`ORDER`].
    #[inline]
    pub(crate) fn places(&self, arrival: Option<usize>, open: u8) -> u8 {
        self.moves.places(arrival, open)
    }

    pub(super) fn bytes(&self) -> usize {
        let near = size_of_val(&*self.near.0);
        near + match &self.rows {
            PriceRows::OfClasses { rows, .. } => rows.iter().flatten().count() * size_of::<ClassRow>(),
            PriceRows::OfCells(cells) => {
                size_of_val(&*cells.places) + cells.rows.len() * size_of::<CellRow>()
            }
        }
    }
}

/// Returns the surcharges between all classes.
fn of_classes(movement: &Movement, units: [u32; 2]) -> PriceRows {
    let mut rows: Vec<Option<Box<ClassRow>>> = vec![None; 256];
    let mut highest = 0;
    for to in 0..=u8::MAX {
        let least = movement.least_multiplier_onto(to);
        for from in 0..=u8::MAX {
            // A step of cost 0 is closed and has no surcharge.
            let more = movement.multiplier_between(from, to).saturating_sub(least);
            if more > 0 {
                let costs = units.map(|unit| u32::from(more) * unit);
                let row = rows[usize::from(from)].get_or_insert_with(|| Box::new([[0; 2]; 256]));
                row[usize::from(to)] = costs;
                highest = costs.into_iter().fold(highest, u32::max);
            }
        }
    }
    PriceRows::OfClasses { rows, highest }
}

/// The steps out of one cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub(crate) struct CellRow {
    /// The surcharges, by place in [`ORDER`].
    pub(crate) surcharges: [u32; 8],
    /// The steps that end a turn, as bits in [`ORDER`].
    pub(crate) ending: u8,
}

/// A row for each cell. Most cells share the first one, which is empty.
#[derive(Clone, Debug)]
pub(crate) struct CellPrices {
    /// The place in `rows` of each cell's row, by slot.
    places: Vec<u32>,
    rows: Vec<CellRow>,
    /// The number of cells that have each row.
    uses: Vec<u32>,
    known: FxHashMap<CellRow, u32>,
    highest: u32,
}

/// The places of rows depend on earlier edits, so rows are compared.
impl PartialEq for CellPrices {
    fn eq(&self, other: &Self) -> bool {
        let pairs = || self.places.iter().zip(&other.places);
        self.places.len() == other.places.len()
            && pairs().all(|(&one, &two)| self.rows[one as usize] == other.rows[two as usize])
    }
}

impl Eq for CellPrices {}

impl CellPrices {
    /// # Complexity
    /// O(cells), times size² near edges and on classes whose steps have costs of their own.
    fn new(grid: &Grid, movement: &Movement) -> Self {
        let cells = grid.bounds().cell_count();
        let mut prices = Self {
            places: vec![0; cells],
            rows: vec![CellRow::default()],
            uses: vec![cells as u32],
            known: FxHashMap::from_iter([(CellRow::default(), 0)]),
            highest: 0,
        };
        prices.find(grid, movement, &[Area::all(grid.width(), grid.height())]);
        prices
    }

    /// Moves the rows to a rectangle with other bounds. New cells have empty rows.
    pub(super) fn moved(&self, from: &Bounds, to: &Bounds) -> Self {
        let mut moved = Self { places: from.moved(&self.places, to, 0), ..self.clone() };
        moved.uses.fill(0);
        for &place in &moved.places {
            moved.uses[place as usize] += 1;
        }
        moved.find_highest();
        moved
    }

    /// Returns the row of the cell at a slot.
    #[inline]
    pub(super) fn row(&self, slot: usize) -> &CellRow {
        &self.rows[self.places[slot] as usize]
    }

    /// Finds the rows of the cells in some rectangles again.
    pub(super) fn find(&mut self, grid: &Grid, movement: &Movement, areas: &[Area]) {
        let is_priced = Priced::new(grid, movement, areas);
        let bounds = grid.bounds();
        for (x, y) in areas.iter().flat_map(Area::cells) {
            let anchor = bounds.global(x, y);
            let rules = StepRules::new(movement, grid, anchor);
            let row = if is_priced.at(anchor, (x, y)) {
                row_of(&rules, anchor, Leave::Strict)
            } else {
                CellRow::default()
            };
            self.set(y as usize * bounds.width() as usize + x as usize, row);
        }
        self.find_highest();
    }

    /// Sets the row of the cell at a slot. [`find_highest`](Self::find_highest) must follow.
    pub(super) fn set(&mut self, slot: usize, row: CellRow) {
        let old = self.places[slot] as usize;
        if self.rows[old] == row {
            return;
        }
        self.uses[old] -= 1;
        let new = match self.known.get(&row) {
            Some(&known) => known as usize,
            None => self.add(row),
        };
        self.uses[new] += 1;
        self.places[slot] = new as u32;
    }

    /// Adds a row, in place of one that no cell has.
    fn add(&mut self, row: CellRow) -> usize {
        let unused = self.uses.iter().skip(1).position(|&uses| uses == 0).map(|place| place + 1);
        let place = if let Some(place) = unused {
            self.known.remove(&self.rows[place]);
            self.rows[place] = row;
            place
        } else {
            self.rows.push(row);
            self.uses.push(0);
            self.rows.len() - 1
        };
        self.known.insert(row, place as u32);
        place
    }

    /// Returns the rows that cells have.
    fn used(&self) -> impl Iterator<Item = &CellRow> {
        self.rows.iter().zip(&self.uses).filter(|(_, uses)| **uses > 0).map(|(row, _)| row)
    }

    pub(super) fn find_highest(&mut self) {
        self.highest = self.used().flat_map(|row| row.surcharges).max().unwrap_or(0);
    }
}

/// Returns the row of an anchor, by the definition of steps.
pub(super) fn row_of(rules: &StepRules<'_>, anchor: Cell, leave: Leave) -> CellRow {
    row_by(|direction| rules.judge_out_of(anchor, direction, leave).ok())
}

/// Returns the row of an anchor with these steps.
pub(super) fn row_by(step: impl Fn(Direction) -> Option<AllowedStep>) -> CellRow {
    let mut row = CellRow::default();
    for (place, direction) in ORDER.into_iter().enumerate() {
        if let Some(step) = step(direction) {
            row.surcharges[place] = step.surcharge();
            row.ending |= u8::from(step.ends_turn) << place;
        }
    }
    row
}

/// The anchors whose steps may have surcharges.
struct Priced<'a> {
    grid: &'a Grid,
    movement: &'a Movement,
    near_edges: BitGrid,
    /// For each class left, whether a step has a cost of its own.
    classes: [bool; 256],
}

impl<'a> Priced<'a> {
    /// Looks for edges around some rectangles.
    fn new(grid: &'a Grid, movement: &'a Movement, areas: &[Area]) -> Self {
        let mut classes = [false; 256];
        for to in 0..=u8::MAX {
            let least = movement.least_multiplier_onto(to);
            for from in 0..=u8::MAX {
                classes[usize::from(from)] |= movement.multiplier_between(from, to) > least;
            }
        }
        let mut near_edges = BitGrid::new(grid.width(), grid.height());
        let side = u32::from(movement.size().side());
        let mut mark = |cell: Cell| {
            if let Some((x, y)) = grid.bounds().local(cell) {
                let around = Area::of_cell(x, y).grown(1, grid.width(), grid.height());
                let anchors = plane::covering(movement, &around);
                anchors.cells().for_each(|(x, y)| near_edges.set(x, y, true));
            }
        };
        let reach: Vec<Area> =
            areas.iter().map(|area| area.grown(side + 1, grid.width(), grid.height())).collect();
        let is_far = |cell: &Cell| {
            let place = grid.bounds().local(*cell);
            !place.is_some_and(|(x, y)| reach.iter().any(|area| area.place(x, y).is_some()))
        };
        for (name, _) in movement.edges() {
            let cells = grid.edge_cells(name).map(|(cell, _)| cell);
            cells.filter(|cell| !is_far(cell)).for_each(&mut mark);
        }
        Self { grid, movement, near_edges, classes }
    }

    fn at(&self, anchor: Cell, (x, y): (u32, u32)) -> bool {
        let pays = |cell| self.classes[usize::from(self.grid.terrain(cell).unwrap_or(0))];
        self.near_edges.get(x, y) || self.movement.size().footprint(anchor).any(pays)
    }
}
