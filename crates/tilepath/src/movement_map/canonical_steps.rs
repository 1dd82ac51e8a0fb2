//! Steps worth following on ground of many costs.
//!
//! Decision: `docs/decisions/15-canonical-steps.md`.

mod block;
mod ring;
#[cfg(test)]
mod tests;

pub(crate) use self::block::{ROUNDS, Terrain};
use self::{
    block::{SIDE, steps_of_block},
    ring::{ALWAYS, HEXAGONAL, IF_AT_MOST_ONE_OBSTACLE, NEVER, ONLY_WHEN_NO_OBSTACLES},
};
use crate::{
    bounds::Bounds,
    movement::Diagonals,
    movement_map::{
        area::{Area, kept_blocks},
        meter::Meter,
        pruning::StepRule,
    },
};
use std::{
    ops::Range,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicU8, Ordering},
    },
};

/// The canonical steps: for each cell and each direction in which it may be entered, the steps
/// worth following.
///
/// After a step from p to v, a step on to n is left out if a better path leads past v: from p to n,
/// over cells that touch v. A path is better if it costs less, or if it costs the same and its last
/// step comes earlier in [`ORDER`](super::step_order::ORDER).
///
/// For searches for one goal, a step into a dead end is left out too: a cell from which no step
/// leads on, unless it is the goal. This is repeated [`ROUNDS`] times.
///
/// The steps of a block are found when a search first visits it. An edit drops the steps that
/// depend on the edited cell.
///
/// # Guarantee
/// If dead ends are not left out, a search from any start reaches every cell at its cheapest cost.
/// If they are left out, a search reaches the goal at its cheapest cost, from cells more than
/// [`ROUNDS`] steps away. (From nearer cells, the search must follow all directions.)
///
/// Proof. Of the cheapest paths to a cell, choose the path whose last step comes first in
/// [`ORDER`]. Of several, choose the path whose second last step comes first, and so on.
///
/// Let v and n follow each other on the chosen path, and let the search have entered v from p at
/// the least cost. Suppose that the step to n was left out. Then a path past v leads from p to n.
///
/// If it costs less, n has a path that is cheaper than its cheapest one: a contradiction. If it
/// costs the same, then start, p, the path past v and n form a cheapest path to n. Its last step
/// comes earlier than the step from v. (It is another step, because the path past v does not enter
/// v.) Then the chosen path was not the first: a contradiction.
///
/// Therefore no step of the chosen path is left out, whichever cheapest path entered its cells.
/// Every step has a cost above 0, so each cell has its cheapest cost before the next one needs it.
/// No step of the path to the goal enters a dead end, because another step of the path leads on.
///
/// # Memory
/// Eight bytes for each cell of the blocks that searches have visited, and an eighth of a byte for
/// every cell.
///
/// # Source
/// Steps are left out as in Carlson, Moghadam, Harabor, Stuckey and Ebtekar, "Optimal pathfinding
/// on weighted grid maps", AAAI 2023. That algorithm jumps over the remaining steps and stores no
/// table. The order that decides between paths of equal cost is our own.
#[derive(Debug)]
pub(crate) struct CanonicalSteps {
    /// Shared with searches that began before an edit.
    blocks: Vec<OnceLock<Arc<Block>>>,
    /// For each block, whether a metered search has paid for it. Metered searches read only these, so
    /// other searches do not change what they pay.
    paid: Vec<AtomicBool>,
    /// The number of blocks in a row of blocks.
    columns: usize,
    width: usize,
    height: usize,
    rule: StepRule,
    /// True for searches against the direction of the steps. These cover all cells, and pay a
    /// cell's cost when they go on from the cell.
    is_reversed: bool,
}

/// The steps worth following, for each direction of arrival in the order of [`ORDER`] and each cell
/// of the block, row by row. A set has its bits in [`ORDER`], or is [`UNKNOWN`]. Most cells that
/// lie side by side are entered in the same direction.
type Block = [[AtomicU8; SIDE * SIDE]; 8];

/// The value of a set that was not found yet. (No set has this value: one of eight directions leads
/// back.)
const UNKNOWN: u8 = u8::MAX;

/// The cost of finding the steps of a block, in units of work.
pub(crate) const BLOCK_WORK: u64 = 128;

/// The largest step cost for which path costs are compared exactly. Two steps over a cell then cost
/// at most half of the range in which a float has every integer. A path past the cell that costs
/// more than this range is too expensive, however it is rounded.
pub(crate) const MAX_STEP_COST: u32 = (1 << f32::MANTISSA_DIGITS) / 4;

impl Clone for CanonicalSteps {
    fn clone(&self) -> Self {
        let paid = self.paid().into_iter().map(AtomicBool::new).collect();
        let Self { blocks, columns, width, height, rule, is_reversed, .. } = self;
        let (columns, width, height) = (*columns, *width, *height);
        Self { blocks: blocks.clone(), paid, columns, width, height, rule: *rule, is_reversed: *is_reversed }
    }
}

impl CanonicalSteps {
    pub(crate) fn new(width: u32, height: u32, rule: StepRule, is_reversed: bool) -> Self {
        let (width, height) = (width as usize, height as usize);
        let columns = width.div_ceil(SIDE);
        let count = columns * height.div_ceil(SIDE);
        let paid = (0..count).map(|_| AtomicBool::new(false)).collect();
        Self { blocks: vec![OnceLock::new(); count], paid, columns, width, height, rule, is_reversed }
    }

    /// Returns the steps for one search. With a meter, a block that no metered search has visited
    /// is put on the bill, whether it exists already or not.
    pub(crate) fn seen_by<'map>(
        &'map self,
        terrain: Terrain<'map>,
        meter: Option<&'map Meter<'map>>,
    ) -> StepsSeen<'map> {
        StepsSeen { steps: self, terrain, meter }
    }

    /// Marks a block as paid for. Returns `false` if it was paid for before, or if it was not found
    /// yet.
    pub(crate) fn pay(&self, block: usize) -> bool {
        self.blocks[block].get().is_some() && !self.paid[block].swap(true, Ordering::Relaxed)
    }

    /// Returns, for each block, whether it is paid for.
    pub(crate) fn paid(&self) -> Vec<bool> {
        self.paid.iter().map(|paid| paid.load(Ordering::Relaxed)).collect()
    }

    /// Sets which blocks are paid for. Blocks without a value are not.
    pub(crate) fn set_paid(&self, paid: &[bool]) {
        for (block, is_paid) in self.paid.iter().enumerate() {
            is_paid.store(paid.get(block) == Some(&true), Ordering::Relaxed);
        }
    }

    /// Returns the bytes of the tables, without the blocks.
    pub(crate) fn table_bytes(&self) -> usize {
        size_of_val(&*self.blocks) + size_of_val(&*self.paid)
    }

    /// Returns the bytes of the blocks that searches have visited.
    ///
    /// # Complexity
    /// O(blocks).
    pub(crate) fn block_bytes(&self) -> usize {
        self.blocks.iter().filter(|block| block.get().is_some()).count() * size_of::<Block>()
    }

    /// Returns the index of the block of a cell, and the index of the cell in it.
    #[inline]
    const fn place_of(&self, x: usize, y: usize) -> (usize, usize) {
        (y / SIDE * self.columns + x / SIDE, y % SIDE * SIDE + x % SIDE)
    }

    /// Finds the steps of the block of a cell, and returns one set of this cell. If two searches do
    /// so at once, both find the same.
    fn find(&self, x: usize, y: usize, arrival: usize, terrain: &Terrain<'_>) -> u8 {
        let StepRule::Square(diagonals) = self.rule else {
            return self.keep(
                x,
                y,
                arrival,
                if self.is_reversed {
                    steps_of_block::<HEXAGONAL, true>
                } else {
                    steps_of_block::<HEXAGONAL, false>
                },
                terrain,
            );
        };
        let steps = match (diagonals, self.is_reversed) {
            (Diagonals::Never, false) => steps_of_block::<NEVER, false>,
            (Diagonals::Never, true) => steps_of_block::<NEVER, true>,
            (Diagonals::OnlyWhenNoObstacles, false) => steps_of_block::<ONLY_WHEN_NO_OBSTACLES, false>,
            (Diagonals::OnlyWhenNoObstacles, true) => steps_of_block::<ONLY_WHEN_NO_OBSTACLES, true>,
            (Diagonals::IfAtMostOneObstacle, false) => steps_of_block::<IF_AT_MOST_ONE_OBSTACLE, false>,
            (Diagonals::IfAtMostOneObstacle, true) => steps_of_block::<IF_AT_MOST_ONE_OBSTACLE, true>,
            (Diagonals::Always, false) => steps_of_block::<ALWAYS, false>,
            (Diagonals::Always, true) => steps_of_block::<ALWAYS, true>,
        };
        self.keep(x, y, arrival, steps, terrain)
    }

    fn keep(
        &self,
        x: usize,
        y: usize,
        arrival: usize,
        steps: impl Fn([usize; 2], &Terrain<'_>) -> [[u8; SIDE * SIDE]; 8],
        terrain: &Terrain<'_>,
    ) -> u8 {
        let found = steps([x / SIDE * SIDE, y / SIDE * SIDE], terrain);
        let (block, cell) = self.place_of(x, y);
        let known = self.blocks[block].get_or_init(|| Arc::new(found.map(|sets| sets.map(AtomicU8::new))));
        if known[arrival][cell].load(Ordering::Relaxed) == UNKNOWN {
            for (known, &set) in known.iter().flatten().zip(found.iter().flatten()) {
                known.store(set, Ordering::Relaxed);
            }
        }
        found[arrival][cell]
    }

    /// Drops the sets that depend on the cells of a rectangle. The other sets of a block stay.
    /// Finding the block again gives the same sets.
    ///
    /// # Complexity
    /// O(cells of the rectangle).
    pub(crate) fn forget(&mut self, area: &Area) {
        let near = area.grown(ROUNDS as u32 + 1, self.width as u32, self.height as u32);
        let blocks = |places: &Range<u32>| places.start as usize / SIDE..(places.end as usize).div_ceil(SIDE);
        // The places of a line of blocks that lie in one of them.
        let inside = |places: &Range<u32>, block: usize| {
            let first = block * SIDE;
            (places.start as usize).saturating_sub(first)..(places.end as usize - first).min(SIDE)
        };
        for row in blocks(&near.rows) {
            for column in blocks(&near.columns) {
                let block = row * self.columns + column;
                *self.paid[block].get_mut() = false;
                let Some(sets) = self.blocks[block].get_mut() else { continue };
                let (columns, rows) = (inside(&near.columns, column), inside(&near.rows, row));
                if let Some(own) = Arc::get_mut(sets) {
                    forget_in(own, &columns, &rows);
                } else {
                    // A search that began before the edit continues with the old sets. It may still
                    // write to blocks that it shares, but only sets that the edit has not changed.
                    let mut copied = sets
                        .each_ref()
                        .map(|sets| sets.each_ref().map(|set| AtomicU8::new(set.load(Ordering::Relaxed))));
                    forget_in(&mut copied, &columns, &rows);
                    *sets = Arc::new(copied);
                }
            }
        }
    }

    /// Returns the steps after a resize of the map. A block is kept if it lies exactly on a block
    /// of the new map, and if all cells on which it depends are kept.
    pub(crate) fn resized(&self, before: &Bounds, after: &Bounds, kept: &Bounds) -> Self {
        let mut resized = Self::new(after.width(), after.height(), self.rule, self.is_reversed);
        for [from, to] in kept_blocks([SIDE as u32, ROUNDS as u32 + 1], before, after, kept) {
            resized.blocks[to].clone_from(&self.blocks[from]);
            *resized.paid[to].get_mut() = self.paid[from].load(Ordering::Relaxed);
        }
        resized
    }

    /// Returns the sets of each block, or `None` for a block that was not found yet.
    #[cfg(test)]
    fn sets(&self) -> impl Iterator<Item = Option<Vec<u8>>> + '_ {
        let all =
            |block: &Arc<Block>| block.iter().flatten().map(|set| set.load(Ordering::Relaxed)).collect();
        self.blocks.iter().map(move |block| block.get().map(all))
    }
}

/// Drops the sets of some columns and rows of a block.
fn forget_in(block: &mut Block, columns: &Range<usize>, rows: &Range<usize>) {
    for sets in block {
        for row in rows.clone() {
            sets[row * SIDE..][columns.clone()].fill_with(|| AtomicU8::new(UNKNOWN));
        }
    }
}

/// The steps of a map for one search.
#[derive(Clone, Copy)]
pub(crate) struct StepsSeen<'map> {
    steps: &'map CanonicalSteps,
    terrain: Terrain<'map>,
    meter: Option<&'map Meter<'map>>,
}

impl StepsSeen<'_> {
    /// Returns the steps worth following from the cell at column x, row y, after an arrival in the
    /// direction at a place of [`ORDER`]. The bits are in that order.
    ///
    /// # Complexity
    /// O(1); O(cells of the block) once for each block.
    #[inline]
    pub(crate) fn after(&self, x: u32, y: u32, arrival: usize) -> u8 {
        let (block, cell) = self.steps.place_of(x as usize, y as usize);
        let is_hidden = self.meter.is_some() && !self.is_paid(block);
        let sets = self.steps.blocks[block].get().filter(|_| !is_hidden);
        let known = sets.map_or(UNKNOWN, |sets| sets[arrival & 7][cell].load(Ordering::Relaxed));
        if known == UNKNOWN { self.find(x as usize, y as usize, arrival) } else { known }
    }

    #[inline]
    fn is_paid(&self, block: usize) -> bool {
        self.steps.paid[block].load(Ordering::Relaxed)
    }

    #[cold]
    #[inline(never)]
    fn find(&self, x: usize, y: usize, arrival: usize) -> u8 {
        let (block, cell) = self.steps.place_of(x, y);
        let kept = &self.steps.blocks[block];
        let known = kept.get().map_or(UNKNOWN, |sets| sets[arrival][cell].load(Ordering::Relaxed));
        let set = if known == UNKNOWN { self.steps.find(x, y, arrival, &self.terrain) } else { known };
        if let Some(meter) = self.meter
            && meter.is_charged(block, || self.is_paid(block), || self.steps.pay(block))
        {
            meter.add(BLOCK_WORK);
        }
        set
    }
}

/// The sets are derived from the map, so they are not compared: searches find them again.
impl PartialEq for CanonicalSteps {
    fn eq(&self, other: &Self) -> bool {
        (self.width, self.height, self.rule, self.is_reversed)
            == (other.width, other.height, other.rule, other.is_reversed)
    }
}

impl Eq for CanonicalSteps {}
