//! On ground of many costs: which steps are worth following, by cell and direction of arrival.

mod block;
mod ring;
#[cfg(test)]
mod tests;

pub(crate) use self::block::{ROUNDS, Terrain};
use self::{
    block::{SIDE, steps_of_block},
    ring::{ALWAYS, IF_AT_MOST_ONE_OBSTACLE, NEVER, ONLY_WHEN_NO_OBSTACLES},
};
use crate::{cell::Direction, movement::Diagonals};
use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicU64, Ordering},
};

/// For each cell and each direction in which it may be entered the steps worth following: the canonical ones.
///
/// After a step from p to v a step on to n is left out where a way past v, over cells that touch it, leads from p to n for
/// less; or for the same, by a last step that comes earlier in [`ORDER`]. Then all that is left of a step may be left out
/// too: one that enters a cell from which no step leads on, unless that cell is the goal. This is done [`ROUNDS`] times over.
///
/// The steps are found block by block when a search first comes there; what depends on an edited cell is forgotten.
///
/// # Guarantee
/// A search from any start loses no cheapest cost. Of the cheapest ways to the goal take the one whose last step comes
/// first in [`ORDER`], among those the one whose last step but one does, and so on. Let v and n follow each other on it, and
/// let the search have entered v from p at the least cost. If the step to n were left out, there would be a way from p to n
/// that is cheaper, or as cheap with a last step that comes earlier: neither can be, as p lies on a cheapest way. So each
/// cell of that way leads on to the next whatever way it was entered, and no step of it is one that leads nowhere, as long
/// as the goal lies further away than [`ROUNDS`] steps.
///
/// # Memory
/// Eight bytes for each cell of the blocks that searches have come to.
///
/// # Source
/// Left out as in Carlson, Moghadam, Harabor, Stuckey and Ebtekar, "Optimal pathfinding on weighted grid maps", AAAI 2023,
/// which jumps over what is left and keeps no table of it; the order that decides between equals is our own.
#[derive(Clone, Debug)]
pub(crate) struct CanonicalSteps {
    /// The [`CellSteps`] of the cells, slot after slot; zero where they are not known. Shared with the searches that began
    /// before an edit.
    pages: Vec<OnceLock<Arc<Page>>>,
    width: usize,
    height: usize,
    rule: Diagonals,
}

/// Cells of a page. Pages are asked for when searches come there.
const PAGE: usize = 4096;

type Page = [AtomicU64; PAGE];

/// The steps worth following from a cell: for each direction of arrival, in the order of [`ORDER`], a byte with a bit for each
/// step in the same order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct CellSteps(u64);

impl CellSteps {
    /// Set where the steps are known. In its place stands the step south after an arrival from the south, which is never worth
    /// following.
    const KNOWN: u64 = 1 << PLACE[Direction::South as usize];

    const fn known(sets: [u8; 8]) -> Self {
        Self(u64::from_le_bytes(sets) | Self::KNOWN)
    }

    #[inline]
    const fn after(self, place: usize) -> u8 {
        ((self.0 & !Self::KNOWN) >> (8 * place)) as u8
    }
}

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
const PLACE: [u8; 8] = [0, 4, 1, 5, 2, 6, 3, 7];

/// Costs above this could not be compared exactly: a way past a cell has at most four steps.
pub(crate) const DEAREST_STEP: u32 = (1 << f32::MANTISSA_DIGITS) / 4;

impl CanonicalSteps {
    pub(crate) fn new(width: u32, height: u32, rule: Diagonals) -> Self {
        let (width, height) = (width as usize, height as usize);
        Self { pages: vec![OnceLock::new(); (width * height).div_ceil(PAGE)], width, height, rule }
    }

    /// The steps worth following from the cell of a slot after an arrival in the direction at a place of [`ORDER`]: bits in
    /// that order.
    ///
    /// # Complexity
    /// O(1); once for each block O(cells of it).
    #[inline]
    pub(crate) fn after(&self, slot: usize, place: usize, terrain: &Terrain<'_>) -> u8 {
        let known = self.pages[slot / PAGE].get().map_or(0, |page| page[slot % PAGE].load(Ordering::Relaxed));
        if known == 0 { self.make(slot, terrain) } else { CellSteps(known) }.after(place)
    }

    /// Finds the steps of the block of a cell, and tells the cell's. If two searches do so at once they find the same.
    #[cold]
    #[inline(never)]
    fn make(&self, slot: usize, terrain: &Terrain<'_>) -> CellSteps {
        let (x, y) = (slot % self.width, slot / self.width);
        let (left, bottom) = (x / SIDE * SIDE, y / SIDE * SIDE);
        let steps = match self.rule {
            Diagonals::Never => steps_of_block::<NEVER>,
            Diagonals::OnlyWhenNoObstacles => steps_of_block::<ONLY_WHEN_NO_OBSTACLES>,
            Diagonals::IfAtMostOneObstacle => steps_of_block::<IF_AT_MOST_ONE_OBSTACLE>,
            Diagonals::Always => steps_of_block::<ALWAYS>,
        };
        let block = steps([left, bottom], terrain);
        for (y, line) in (bottom..self.height).zip(&block) {
            for (x, &sets) in (left..self.width).zip(line) {
                let slot = y * self.width + x;
                let page = self.pages[slot / PAGE]
                    .get_or_init(|| Arc::new(std::array::from_fn(|_| AtomicU64::default())));
                page[slot % PAGE].store(CellSteps::known(sets).0, Ordering::Relaxed);
            }
        }
        CellSteps::known(block[y - bottom][x - left])
    }

    /// Forgets what depends on the cell at column x, row y. What else its block holds stays; to know the block anew is to find
    /// the same again.
    ///
    /// # Complexity
    /// O(1).
    pub(crate) fn forget(&mut self, x: u32, y: u32) {
        let near = |cell: u32, count: usize| {
            let (cell, reach) = (cell as usize, ROUNDS + 1);
            cell.saturating_sub(reach)..(cell + reach + 1).min(count)
        };
        for y in near(y, self.height) {
            for x in near(x, self.width) {
                let slot = y * self.width + x;
                let Some(page) = self.pages[slot / PAGE].get_mut() else { continue };
                if Arc::get_mut(page).is_none() {
                    // A search that began before the edit goes on with what it knows. It may still write to pages that it
                    // shares, but nothing that the edit has changed.
                    let copied = |place: usize| AtomicU64::new(page[place].load(Ordering::Relaxed));
                    *page = Arc::new(std::array::from_fn(copied));
                }
                page[slot % PAGE].store(0, Ordering::Relaxed);
            }
        }
    }

    /// What is kept of every cell; zero where it is not known.
    fn words(&self) -> impl Iterator<Item = u64> + '_ {
        self.pages.iter().flat_map(|page| {
            (0..PAGE).map(|place| page.get().map_or(0, |page| page[place].load(Ordering::Relaxed)))
        })
    }
}

/// Two of them are equal if none contradicts the other: which blocks are made says nothing of the map.
impl PartialEq for CanonicalSteps {
    fn eq(&self, other: &Self) -> bool {
        (self.width, self.height, self.rule) == (other.width, other.height, other.rule)
            && self.words().zip(other.words()).all(|(one, other)| one == 0 || other == 0 || one == other)
    }
}

impl Eq for CanonicalSteps {}
