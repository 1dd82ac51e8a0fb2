//! On ground of many costs: which steps are worth following, by cell and direction of arrival.

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
    cell::Direction,
    movement::Diagonals,
    movement_map::{
        area::{Area, kept_blocks},
        meter::{Finding, Meter},
        pruning::StepRule,
    },
};
use std::{
    ops::Range,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU8, Ordering},
    },
};

/// For each cell and each direction in which it may be entered the steps worth following: the canonical ones.
///
/// After a step from p to v a step on to n is left out where a way past v, over cells that touch it, leads from p to n for
/// less; or for the same, by a last step that comes earlier in [`ORDER`]. For searches for one goal, steps are left out too that
/// enter a cell from which no step leads on, unless that cell is the goal; this is done [`ROUNDS`] times over.
///
/// The steps are found block by block when a search first comes there; what depends on an edited cell is forgotten.
///
/// # Guarantee
/// Without the second part a search from any start reaches every cell at its cheapest cost; with it the goal, from cells more
/// than [`ROUNDS`] steps away. (Nearer ones the search must follow all directions from.)
///
/// For of the cheapest ways to a cell take the one whose last step comes first in [`ORDER`], among those the one whose last
/// step but one does, and so on. Let v and n follow each other on it, and let the search have entered v from p at the least
/// cost. If the step to n were left out, there would be a way past v from p to n. If that costs less, then n has a cheaper
/// way than its cheapest. If it costs the same, then start, p, the way past and n make a cheapest way to n whose last step
/// comes earlier than the one from v (it is another, as the way past does not enter v), and the one that was taken would not
/// be the first. So no step of it is left out, whichever cheapest way each of its cells was entered by; as steps cost
/// something, each of its cells has its cheapest cost before the next one needs it. And a step of the way to the goal leads
/// to where another step of it leads on.
///
/// # Memory
/// Eight bytes for each cell of the blocks that searches have come to, and an eighth of a byte for every cell.
///
/// # Source
/// Left out as in Carlson, Moghadam, Harabor, Stuckey and Ebtekar, "Optimal pathfinding on weighted grid maps", AAAI 2023,
/// which jumps over what is left and keeps no table of it; the order that decides between equals is our own.
#[derive(Clone, Debug)]
pub(crate) struct CanonicalSteps {
    /// Shared with the searches that began before an edit.
    blocks: Vec<OnceLock<Arc<Block>>>,
    /// Those of the blocks that a metered search has paid for. Such searches look here alone, so that what others have asked
    /// before them changes nothing of what they pay.
    paid: Vec<OnceLock<Arc<Block>>>,
    /// Blocks in a row of blocks.
    columns: usize,
    width: usize,
    height: usize,
    rule: StepRule,
    /// For searches against the direction of the steps, which are for all cells: a cell's cost is paid where the search goes
    /// on from it.
    is_reversed: bool,
}

/// For each direction of arrival, in the order of [`ORDER`], and each cell of the block, row by row, the steps worth following:
/// bits in the same order, or [`UNKNOWN`]. Cells that lie side by side are mostly entered in the same direction.
type Block = [[AtomicU8; SIDE * SIDE]; 8];

/// In the place of a set. (It is never needed as a set: one of eight directions leads back.)
const UNKNOWN: u8 = u8::MAX;

/// The order in which successors are offered and in which ways of the same cost are preferred: straight directions first, each
/// kind in compass order.
///
/// Of two successors that are as good the diagonal one is then expanded first, because the last one in is the first one
/// out, and a search across open ground runs straight at its goal.
pub(crate) const ORDER: [Direction; 8] = [
    Direction::North,
    Direction::East,
    Direction::South,
    Direction::West,
    Direction::NorthEast,
    Direction::SouthEast,
    Direction::SouthWest,
    Direction::NorthWest,
];

/// The place of each direction, in compass order, in [`ORDER`].
pub(crate) const PLACE: [u8; 8] = [0, 4, 1, 5, 2, 6, 3, 7];

/// What finding the steps of a block is in units of work.
pub(crate) const BLOCK_WORK: u64 = 128;

/// Costs above this could not be compared exactly. Two steps over a cell cost no more than half of what a float can count to one
/// by one; a way past it that costs more than all of that is too expensive however it is rounded.
pub(crate) const MAX_STEP_COST: u32 = (1 << f32::MANTISSA_DIGITS) / 4;

impl CanonicalSteps {
    pub(crate) fn new(width: u32, height: u32, rule: StepRule, is_reversed: bool) -> Self {
        let (width, height) = (width as usize, height as usize);
        let columns = width.div_ceil(SIDE);
        let blocks = vec![OnceLock::new(); columns * height.div_ceil(SIDE)];
        Self { paid: blocks.clone(), blocks, columns, width, height, rule, is_reversed }
    }

    /// What a search sees. With a meter each block that it is the first to come to is put on the bill, made or not.
    pub(crate) fn seen_by<'map>(
        &'map self,
        terrain: Terrain<'map>,
        meter: Option<&'map Meter<'map>>,
    ) -> StepsSeen<'map> {
        let blocks = if meter.is_some() { &self.paid } else { &self.blocks };
        StepsSeen { steps: self, blocks, terrain, meter }
    }

    /// Notes that a block is paid for; `false`: it was before, or it is not known.
    pub(crate) fn pay(&self, block: usize) -> bool {
        self.blocks[block].get().is_some_and(|sets| self.paid[block].set(Arc::clone(sets)).is_ok())
    }

    /// The memory of the tables, without the blocks.
    pub(crate) fn table_bytes(&self) -> usize {
        size_of_val(&*self.blocks) + size_of_val(&*self.paid)
    }

    /// The memory of the blocks that searches have come to. (Those that are paid for are the same ones.)
    ///
    /// # Complexity
    /// O(blocks).
    pub(crate) fn block_bytes(&self) -> usize {
        self.blocks.iter().filter(|block| block.get().is_some()).count() * size_of::<Block>()
    }

    /// The block of a cell, and its place there.
    #[inline]
    const fn place_of(&self, x: usize, y: usize) -> (usize, usize) {
        (y / SIDE * self.columns + x / SIDE, y % SIDE * SIDE + x % SIDE)
    }

    /// Finds the steps of the block of a cell, and tells one set of the cell's. If two searches do so at once they find the same.
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

    /// Forgets what depends on the cells of a rectangle. What else its block holds stays; to know the block again is
    /// to find the same again.
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
                self.paid[block].take();
                let Some(sets) = self.blocks[block].get_mut() else { continue };
                let (columns, rows) = (inside(&near.columns, column), inside(&near.rows, row));
                if let Some(own) = Arc::get_mut(sets) {
                    forget_in(own, &columns, &rows);
                } else {
                    // A search that began before the edit goes on with what it knows. It may still write to blocks that it
                    // shares, but nothing that the edit has changed.
                    let mut copied = sets
                        .each_ref()
                        .map(|sets| sets.each_ref().map(|set| AtomicU8::new(set.load(Ordering::Relaxed))));
                    forget_in(&mut copied, &columns, &rows);
                    *sets = Arc::new(copied);
                }
            }
        }
    }

    /// The same for a map that covered other bounds before. Blocks stay that lie on blocks of the new map, with the cells on which
    /// they depend among those that are kept.
    pub(crate) fn resized(&self, before: &Bounds, after: &Bounds, kept: &Bounds) -> Self {
        let mut resized = Self::new(after.width(), after.height(), self.rule, self.is_reversed);
        for [from, to] in kept_blocks([SIDE as u32, ROUNDS as u32 + 1], before, after, kept) {
            resized.blocks[to].clone_from(&self.blocks[from]);
            resized.paid[to].clone_from(&self.paid[from]);
        }
        resized
    }

    /// The sets of each block that is known.
    #[cfg(test)]
    fn sets(&self) -> impl Iterator<Item = Option<Vec<u8>>> + '_ {
        let all =
            |block: &Arc<Block>| block.iter().flatten().map(|set| set.load(Ordering::Relaxed)).collect();
        self.blocks.iter().map(move |block| block.get().map(all))
    }
}

/// Forgets the sets of some columns and rows of a block.
fn forget_in(block: &mut Block, columns: &Range<usize>, rows: &Range<usize>) {
    for sets in block {
        for row in rows.clone() {
            sets[row * SIDE..][columns.clone()].fill_with(|| AtomicU8::new(UNKNOWN));
        }
    }
}

/// The steps of a map as one search sees them.
#[derive(Clone, Copy)]
pub(crate) struct StepsSeen<'map> {
    steps: &'map CanonicalSteps,
    blocks: &'map [OnceLock<Arc<Block>>],
    terrain: Terrain<'map>,
    meter: Option<&'map Meter<'map>>,
}

impl StepsSeen<'_> {
    /// The steps worth following from the cell at column x, row y, after an arrival in the direction at a place of [`ORDER`]:
    /// bits in that order.
    ///
    /// # Complexity
    /// O(1); once for each block O(cells of it).
    #[inline]
    pub(crate) fn after(&self, x: u32, y: u32, arrival: usize) -> u8 {
        let (block, cell) = self.steps.place_of(x as usize, y as usize);
        let sets = self.blocks[block].get();
        let known = sets.map_or(UNKNOWN, |sets| sets[arrival & 7][cell].load(Ordering::Relaxed));
        if known == UNKNOWN { self.find(x as usize, y as usize, arrival) } else { known }
    }

    #[cold]
    #[inline(never)]
    fn find(&self, x: usize, y: usize, arrival: usize) -> u8 {
        let (block, cell) = self.steps.place_of(x, y);
        let kept = &self.steps.blocks[block];
        let known = kept.get().map_or(UNKNOWN, |sets| sets[arrival][cell].load(Ordering::Relaxed));
        let set = if known == UNKNOWN { self.steps.find(x, y, arrival, &self.terrain) } else { known };
        if let Some(meter) = self.meter
            && meter.is_charged(
                (Finding::Steps, block),
                || self.blocks[block].get().is_some(),
                || self.steps.pay(block),
            )
        {
            meter.add(BLOCK_WORK);
        }
        set
    }
}

/// What is known is derived from the map: searches find it again.
impl PartialEq for CanonicalSteps {
    fn eq(&self, other: &Self) -> bool {
        (self.width, self.height, self.rule, self.is_reversed)
            == (other.width, other.height, other.rule, other.is_reversed)
    }
}

impl Eq for CanonicalSteps {}
