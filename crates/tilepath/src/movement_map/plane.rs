//! Costs of entering each cell for a movement.
//!
//! Decision: `docs/decisions/10-planes.md`.

use super::{
    area::Area,
    listed_moves::is_split,
    step_prices::{CellRow, ClassRow, PriceRows, StepPrices},
};
use crate::{bounds::Bounds, cell::Cell, grid::Grid, movement::Movement};
use std::{collections::BTreeMap, ops::Range};

/// The costs of entering cells, and the surcharges of steps.
pub(crate) trait Ground: Copy {
    /// The surcharges of the steps out of one cell.
    type Surcharges: Copy;

    /// Returns the cost of a straight (0) or a diagonal (1) step onto the cell at a slot; zero if
    /// it is closed.
    fn entry_cost(self, slot: usize, kind: usize) -> u32;

    /// Returns the surcharges of the steps out of the cell at a slot.
    fn surcharges(self, slot: usize) -> Self::Surcharges;

    /// Returns the surcharge of a step onto the cell at the slot `entered`, in the direction at a place
    /// of [`ORDER`](super::step_order::ORDER).
    fn surcharge(self, surcharges: Self::Surcharges, entered: usize, place: usize) -> u32;

    /// Returns the cost of such a step; zero if the cell is closed.
    #[expect(clippy::inline_always, reason = "it runs in the innermost loop of every search")]
    #[inline(always)]
    fn step_cost(self, surcharges: Self::Surcharges, entered: usize, place: usize) -> u32 {
        match self.entry_cost(entered, place / 4) {
            // A closed start has no cost: its paths do not lead back.
            0 => 0,
            cost => cost.saturating_add(self.surcharge(surcharges, entered, place)),
        }
    }

    /// Returns whether steps may have surcharges.
    #[inline]
    fn has_surcharges(self) -> bool {
        false
    }

    /// Returns the surcharge of one step from the cell at the slot `left`.
    #[inline]
    fn surcharge_from(self, left: usize, entered: usize, place: usize) -> u32 {
        if self.has_surcharges() { self.surcharge(self.surcharges(left), entered, place) } else { 0 }
    }

    /// Returns whether a step with a surcharge begins on the cell at a slot, or beside it.
    #[inline]
    fn is_near_surcharges(self, _: usize) -> bool {
        false
    }

    /// Returns whether a cell and its eight neighbours, all on the map, cost the same.
    fn is_even(self, width: usize, slot: usize) -> bool;

    /// Returns the number of cells of the map.
    fn len(self) -> usize;

    /// Returns the ground as a [`Plane`], whatever its type.
    fn plane<'map>(self) -> Plane<'map>
    where
        Self: 'map;
}

/// Ground whose costs depend only on the map's classes.
#[derive(Clone, Copy)]
pub(crate) struct ClassGround<'map> {
    pub(super) classes: &'map [u8],
    /// For each class, the cost of a straight and of a diagonal step onto it; zero if it is closed.
    pub(super) costs: &'map [[u32; 2]; 256],
}

impl Ground for ClassGround<'_> {
    type Surcharges = ();

    #[inline]
    fn surcharges(self, _: usize) {}

    #[expect(clippy::inline_always, reason = "it runs in the innermost loop of every search")]
    #[inline(always)]
    fn surcharge(self, (): (), _: usize, _: usize) -> u32 {
        0
    }

    #[expect(clippy::inline_always, reason = "it runs in the innermost loop of every search")]
    #[inline(always)]
    fn entry_cost(self, slot: usize, kind: usize) -> u32 {
        self.costs[usize::from(self.classes[slot])][kind]
    }

    #[expect(clippy::inline_always, reason = "half of the work of an expansion depends on known lengths")]
    #[inline(always)]
    fn is_even(self, width: usize, slot: usize) -> bool {
        is_even(self.classes, width, slot, |row, middle| {
            (row[0] ^ middle) | (row[1] ^ middle) | (row[2] ^ middle) == 0
        })
    }

    fn len(self) -> usize {
        self.classes.len()
    }

    fn plane<'map>(self) -> Plane<'map>
    where
        Self: 'map,
    {
        Plane { classes: self, derived: None, prices: None }
    }
}

/// Ground with a multiplier for each cell, and without surcharges.
#[derive(Clone, Copy)]
pub(crate) struct DerivedGround<'map> {
    pub(super) classes: ClassGround<'map>,
    pub(super) derived: &'map DerivedPlane,
}

impl Ground for DerivedGround<'_> {
    type Surcharges = ();

    #[inline]
    fn entry_cost(self, slot: usize, kind: usize) -> u32 {
        u32::from(self.derived.multipliers[slot]) * self.derived.units[kind]
    }

    #[inline]
    fn surcharges(self, _: usize) {}

    #[inline]
    fn surcharge(self, (): (), _: usize, _: usize) -> u32 {
        0
    }

    #[inline]
    fn is_even(self, width: usize, slot: usize) -> bool {
        is_even(&self.derived.multipliers, width, slot, |row, middle| {
            (row[0] ^ middle) | (row[1] ^ middle) | (row[2] ^ middle) == 0
        })
    }

    fn len(self) -> usize {
        self.classes.len()
    }

    fn plane<'map>(self) -> Plane<'map>
    where
        Self: 'map,
    {
        Plane { classes: self.classes, derived: Some(self.derived), prices: None }
    }
}

/// Ground of any kind: the map's classes or a multiplier for each cell, with or without surcharges.
/// Each call first checks which kind it is.
#[derive(Clone, Copy)]
pub(crate) struct Plane<'map> {
    pub(super) classes: ClassGround<'map>,
    pub(super) derived: Option<&'map DerivedPlane>,
    pub(super) prices: Option<&'map StepPrices>,
}

/// The surcharges of the steps out of a cell on ground of any kind.
#[derive(Clone, Copy)]
pub(crate) enum Surcharges<'map> {
    None,
    OfClasses(&'map ClassRow),
    OfCell(&'map CellRow),
}

impl<'map> Ground for Plane<'map> {
    type Surcharges = Surcharges<'map>;

    #[inline]
    fn surcharges(self, slot: usize) -> Surcharges<'map> {
        match self.prices.map(|prices| &prices.rows) {
            None => Surcharges::None,
            Some(PriceRows::OfCells(cells)) => Surcharges::OfCell(cells.row(slot)),
            Some(PriceRows::OfClasses { rows, .. }) => {
                let row = rows[usize::from(self.classes.classes[slot])].as_deref();
                row.map_or(Surcharges::None, Surcharges::OfClasses)
            }
        }
    }

    #[inline]
    fn has_surcharges(self) -> bool {
        self.prices.is_some()
    }

    #[inline]
    fn is_near_surcharges(self, slot: usize) -> bool {
        self.prices.is_some_and(|prices| prices.is_near(slot))
    }

    #[inline]
    fn surcharge(self, surcharges: Surcharges<'map>, entered: usize, place: usize) -> u32 {
        match surcharges {
            Surcharges::None => 0,
            Surcharges::OfClasses(row) => row[usize::from(self.classes.classes[entered])][place / 4],
            Surcharges::OfCell(row) => row.surcharges[place & 7],
        }
    }

    #[inline]
    fn entry_cost(self, slot: usize, kind: usize) -> u32 {
        match self.derived {
            None => self.classes.entry_cost(slot, kind),
            Some(derived) => u32::from(derived.multipliers[slot]) * derived.units[kind],
        }
    }

    #[inline]
    fn is_even(self, width: usize, slot: usize) -> bool {
        match self.derived {
            None => self.classes.is_even(width, slot),
            Some(derived) => is_even(&derived.multipliers, width, slot, |row, middle| {
                (row[0] ^ middle) | (row[1] ^ middle) | (row[2] ^ middle) == 0
            }),
        }
    }

    fn len(self) -> usize {
        self.classes.len()
    }

    fn plane<'other>(self) -> Plane<'other>
    where
        Self: 'other,
    {
        self
    }
}

impl<'map> Plane<'map> {
    /// Returns this ground if its costs depend only on the map's classes.
    #[inline]
    pub(crate) fn of_classes(self) -> Option<ClassGround<'map>> {
        (self.derived.is_none() && self.prices.is_none()).then_some(self.classes)
    }

    /// Returns the row of surcharges of the cell at a slot, if cells have their own.
    pub(crate) fn surcharge_row(self, slot: usize) -> Option<&'map CellRow> {
        match self.surcharges(slot) {
            Surcharges::OfCell(row) => Some(row),
            Surcharges::None | Surcharges::OfClasses(_) => None,
        }
    }

    /// Returns the steps out of the cell at a slot that end a turn, as bits in
    /// [`ORDER`](super::step_order::ORDER).
    pub(crate) fn ending(self, slot: usize) -> u8 {
        self.surcharge_row(slot).map_or(0, |row| row.ending)
    }

    /// Returns the costs of a straight and of a diagonal step onto the cell at a slot.
    #[inline]
    pub(crate) fn entry_costs(self, slot: usize) -> [u32; 2] {
        [self.entry_cost(slot, 0), self.entry_cost(slot, 1)]
    }

    /// Returns the entry costs of a range of slots, or `None` if it passes the last slot.
    pub(crate) fn row(self, slots: std::ops::Range<usize>) -> Option<impl Iterator<Item = [u32; 2]> + 'map> {
        (slots.end <= self.len()).then(|| slots.map(move |slot| self.entry_costs(slot)))
    }
}

#[expect(clippy::inline_always, reason = "see `Ground::is_even`")]
#[inline(always)]
fn is_even<T: Copy>(cells: &[T], width: usize, slot: usize, is_like: impl Fn(&[T; 3], T) -> bool) -> bool {
    let three = |middle: usize| cells.get(middle.wrapping_sub(1)..)?.first_chunk::<3>();
    let rows = [slot.wrapping_sub(width), slot, slot + width].map(three);
    let [Some(below), Some(beside), Some(above)] = rows else { return false };
    let middle = beside[1];
    is_like(below, middle) & is_like(beside, middle) & is_like(above, middle)
}

/// A multiplier for each anchor: the highest under its footprint, overlays included. It is 0 if one
/// of the cells is closed, or if the footprint passes the border of the map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DerivedPlane {
    multipliers: Vec<u16>,
    /// The costs of a straight and of a diagonal step at a multiplier of 1.
    units: [u32; 2],
    /// The number of anchors with each multiplier.
    counts: BTreeMap<u16, u32>,
}

/// The value of a closed cell, if multipliers are counted from 1: higher than all others in a
/// maximum.
const CLOSED: u16 = u16::MAX;

impl DerivedPlane {
    /// Returns whether the costs of a movement depend on more than the map's classes.
    pub(super) fn is_needed(grid: &Grid, movement: &Movement) -> bool {
        movement.size().side() > 1
            || grid.has_void() && movement.costs().is_passable(0)
            || movement.overlays().iter().any(|name| grid.has_overlay(name))
    }

    /// # Complexity
    /// O(cells × log(size)): up to three nanoseconds a cell.
    pub(super) fn new(grid: &Grid, movement: &Movement) -> Self {
        let mut plane = lowered_cells(grid, movement, &Area::all(grid.width(), grid.height()));
        take_highest(&mut plane, grid.width() as usize, movement.size().side().into());
        let mut highest = 0;
        for cell in &mut plane {
            *cell = cell.wrapping_add(1);
            highest = highest.max(*cell);
        }
        let counts = count(&plane, highest);
        Self { multipliers: plane, units: movement.unit_costs(grid.topology()), counts }
    }

    /// Moves the plane to a rectangle with other bounds. New anchors are closed, and
    /// [`count_again`](Self::count_again) must be called afterwards.
    pub(super) fn moved(&self, from: &Bounds, to: &Bounds) -> Self {
        let multipliers = from.moved(&self.multipliers, to, 0);
        Self { multipliers, units: self.units, counts: BTreeMap::new() }
    }

    /// Finds the multipliers of a rectangle of anchors again.
    pub(super) fn find(&mut self, grid: &Grid, movement: &Movement, anchors: &Area) {
        let mut window = lowered_cells(grid, movement, &covered(movement, anchors));
        let found = highest_in(&mut window, movement, anchors);
        for ((x, y), multiplier) in anchors.cells().zip(found) {
            let slot = y as usize * grid.width() as usize + x as usize;
            self.multipliers[slot] = if is_split(grid, movement, x, y) { 0 } else { multiplier };
        }
    }

    pub(super) fn count_again(&mut self) {
        let highest = self.multipliers.iter().copied().max().unwrap_or(0);
        self.counts = count(&self.multipliers, highest);
    }

    pub(super) fn multipliers(&self) -> &[u16] {
        &self.multipliers
    }

    /// Sets the multiplier of an anchor, and returns the old one.
    pub(super) fn set(&mut self, slot: usize, multiplier: u16) -> u16 {
        let old = std::mem::replace(&mut self.multipliers[slot], multiplier);
        if old != multiplier {
            if let Some(count) = self.counts.get_mut(&old) {
                *count -= 1;
                if *count == 0 {
                    self.counts.remove(&old);
                }
            }
            if multiplier > 0 {
                *self.counts.entry(multiplier).or_default() += 1;
            }
        }
        old
    }

    /// Returns the least and the highest multiplier of open anchors; zeros if all are closed.
    pub(super) fn range(&self) -> (u16, u16) {
        let first = self.counts.first_key_value().map_or(0, |(&multiplier, _)| multiplier);
        (first, self.counts.last_key_value().map_or(0, |(&multiplier, _)| multiplier))
    }
}

/// Returns the number of cells with each multiplier, without closed cells. No multiplier may be
/// above `highest`.
fn count(plane: &[u16], highest: u16) -> BTreeMap<u16, u32> {
    // There are four counts for each value, because a count that was just written cannot be read at
    // once.
    let mut counts = vec![[0_u32; 4]; usize::from(highest) + 1];
    let fours = plane.chunks_exact(4);
    for &cell in fours.remainder() {
        counts[usize::from(cell)][0] += 1;
    }
    for four in fours {
        for (place, &cell) in four.iter().enumerate() {
            counts[usize::from(cell)][place] += 1;
        }
    }
    let counts = (0..=highest).zip(counts).map(|(multiplier, count)| (multiplier, count.iter().sum()));
    counts.filter(|&(multiplier, count)| multiplier > 0 && count > 0).collect()
}

/// Returns the multipliers of the anchors of a rectangle, row by row, read from the map. `window`
/// is memory that is used again.
pub(super) fn multipliers_in<'a>(
    grid: &Grid,
    movement: &Movement,
    anchors: &Area,
    window: &'a mut Vec<u16>,
) -> impl Iterator<Item = u16> + use<'a> {
    window.clear();
    window.extend(covered(movement, anchors).cells().map(|(x, y)| {
        let is_on_map = x < grid.width() && y < grid.height();
        if is_on_map { lowered_cell(grid, movement, x, y) } else { CLOSED }
    }));
    highest_in(window, movement, anchors)
}

/// Returns the multipliers of the anchors of a rectangle. `window` holds the multipliers, minus 1,
/// of all cells that they cover.
fn highest_in<'a>(
    window: &'a mut [u16],
    movement: &Movement,
    anchors: &Area,
) -> impl Iterator<Item = u16> + use<'a> {
    let side = usize::from(movement.size().side());
    let (width, anchor_count) = (anchors.columns.len() + side - 1, anchors.columns.len());
    take_highest(window, width, side);
    let rows = window.chunks_exact(width).take(anchors.rows.len());
    rows.flat_map(move |row| &row[..anchor_count]).map(|lowered| lowered.wrapping_add(1))
}

/// Returns the cells that the anchors of a rectangle cover, even past the border of the map.
fn covered(movement: &Movement, anchors: &Area) -> Area {
    let ahead = u32::from(movement.size().side()) - 1;
    let to = |range: &Range<u32>| range.start..range.end + ahead;
    Area { columns: to(&anchors.columns), rows: to(&anchors.rows) }
}

/// Returns the multiplier of one cell minus 1, so that [`CLOSED`] is the highest value.
fn lowered_cell(grid: &Grid, movement: &Movement, x: u32, y: u32) -> u16 {
    let cell = grid.bounds().global(x, y);
    let multiplier = grid.terrain(cell).map_or(0, |class| movement.costs().multiplier(class));
    if multiplier == 0 {
        return CLOSED;
    }
    let mut lowered = multiplier - 1;
    for name in movement.overlays() {
        lowered = with_overlay(lowered, grid.overlay(name, cell));
    }
    lowered
}

/// Returns a multiplier minus 1 after an overlay value is applied.
fn with_overlay(lowered: u16, value: u16) -> u16 {
    if lowered == CLOSED || value == Grid::CLOSING {
        return CLOSED;
    }
    lowered.saturating_add(value).min(CLOSED - 1)
}

/// Returns the multipliers minus 1 of all cells of a rectangle, row by row. The rectangle may pass
/// the border of the map.
fn lowered_cells(grid: &Grid, movement: &Movement, area: &Area) -> Vec<u16> {
    let table: [u16; 256] =
        std::array::from_fn(|class| movement.costs().multiplier(class as u8).wrapping_sub(1));
    let mut cells = Vec::with_capacity(area.cell_count());
    let (columns, width) = (area.columns.clone(), grid.width() as usize);
    let end = columns.end.min(grid.width());
    for y in area.rows.start..area.rows.end.min(grid.height()) {
        let row = y as usize * width;
        let classes = &grid.classes()[row + columns.start as usize..row + end as usize];
        cells.extend(classes.iter().map(|&class| table[usize::from(class)]));
        cells.resize(cells.len() + (columns.end - end) as usize, CLOSED);
    }
    cells.resize(area.cell_count(), CLOSED);
    if grid.has_void() {
        for ((x, y), lowered) in area.cells().zip(&mut cells) {
            if x < grid.width() && y < grid.height() && grid.is_void_at(x, y) {
                *lowered = CLOSED;
            }
        }
    }
    for name in movement.overlays() {
        for (cell, value) in grid.overlay_cells(name) {
            let place = grid.bounds().local(cell).and_then(|(x, y)| area.place(x, y));
            if let Some(lowered) = place.and_then(|place| cells.get_mut(place)) {
                *lowered = with_overlay(*lowered, value);
            }
        }
    }
    cells
}

/// Replaces each cell with the highest value under the footprint of which it is the anchor. Anchors
/// whose footprint passes the last row or column become closed.
///
/// Columns and rows are handled one after the other. Maxima of two cells make maxima of four, and
/// so on.
fn take_highest(cells: &mut [u16], width: usize, side: usize) {
    if side == 1 || width == 0 {
        return;
    }
    let last_column = width.saturating_sub(side - 1);
    let mut copy = vec![0; width];
    for row in cells.chunks_exact_mut(width) {
        for shift in shifts(side) {
            copy.copy_from_slice(row);
            raise(row, copy.get(shift..).unwrap_or_default());
        }
        row[last_column..].fill(CLOSED);
    }
    for shift in shifts(side) {
        let shift = shift * width;
        for start in (0..cells.len().saturating_sub(shift)).step_by(width) {
            let (rows, above) = cells.split_at_mut(start + shift);
            raise(&mut rows[start..][..width], &above[..width]);
        }
    }
    let last_row = cells.len().saturating_sub((side - 1) * width);
    cells[last_row..].fill(CLOSED);
}

/// Returns the distances at which maxima are combined, one after the other, until they cover `side`
/// cells.
fn shifts(side: usize) -> impl Iterator<Item = usize> {
    let mut covered = 1;
    std::iter::from_fn(move || {
        let shift = covered.min(side - covered);
        covered += shift;
        (shift > 0).then_some(shift)
    })
}

/// Raises each cell to the higher of the two values.
fn raise(cells: &mut [u16], others: &[u16]) {
    for (cell, &other) in cells.iter_mut().zip(others) {
        *cell = (*cell).max(other);
    }
}

/// Returns the anchors that the edit of a cell may change: those whose footprints cover it, and all
/// anchors up to `margin` steps around them.
pub(super) fn touched(grid: &Grid, movement: &Movement, cell: Cell, margin: u32) -> Option<Area> {
    let (x, y) = grid.bounds().local(cell)?;
    Some(covering(movement, &Area::of_cell(x, y)).grown(margin, grid.width(), grid.height()))
}

/// Returns the anchors whose footprints cover a cell of a rectangle.
pub(crate) fn covering(movement: &Movement, cells: &Area) -> Area {
    let ahead = u32::from(movement.size().side()) - 1;
    let from = |range: &Range<u32>| range.start.saturating_sub(ahead)..range.end;
    Area { columns: from(&cells.columns), rows: from(&cells.rows) }
}
