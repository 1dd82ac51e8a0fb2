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
    atomic::{AtomicU8, Ordering},
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
    /// Shared with the searches that began before an edit.
    pages: Vec<OnceLock<Arc<Page>>>,
    width: usize,
    height: usize,
    rule: Diagonals,
    /// For searches against the direction of the steps: a cell's cost is paid where the search goes on from it.
    is_reversed: bool,
}

/// Cells of a page. Pages are asked for when searches come there.
const PAGE: usize = 4096;

/// For each direction of arrival, in the order of [`ORDER`], and each cell, slot after slot, the steps worth following: bits in
/// the same order, or [`UNKNOWN`]. Cells that lie side by side are mostly entered in the same direction.
type Page = [[AtomicU8; PAGE]; 8];

/// No search follows all eight: one leads back.
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

/// Costs above this could not be compared exactly: a way past a cell has at most four steps.
pub(crate) const DEAREST_STEP: u32 = (1 << f32::MANTISSA_DIGITS) / 4;

impl CanonicalSteps {
    pub(crate) fn new(width: u32, height: u32, rule: Diagonals, is_reversed: bool) -> Self {
        let (width, height) = (width as usize, height as usize);
        Self {
            pages: vec![OnceLock::new(); (width * height).div_ceil(PAGE)],
            width,
            height,
            rule,
            is_reversed,
        }
    }

    /// The steps worth following from the cell of a slot after an arrival in the direction at a place of [`ORDER`]: bits in
    /// that order.
    ///
    /// # Complexity
    /// O(1); once for each block O(cells of it).
    #[inline]
    pub(crate) fn after(&self, slot: usize, place: usize, terrain: &Terrain<'_>) -> u8 {
        let page = self.pages[slot / PAGE].get();
        let known = page.map_or(UNKNOWN, |page| page[place & 7][slot % PAGE].load(Ordering::Relaxed));
        if known == UNKNOWN { self.make(slot, place, terrain) } else { known }
    }

    /// Finds the steps of the block of a cell, and tells one set of the cell's. If two searches do so at once they find the same.
    #[cold]
    #[inline(never)]
    fn make(&self, slot: usize, place: usize, terrain: &Terrain<'_>) -> u8 {
        let (x, y) = (slot % self.width, slot / self.width);
        let (left, bottom) = (x / SIDE * SIDE, y / SIDE * SIDE);
        let steps = match (self.rule, self.is_reversed) {
            (Diagonals::Never, false) => steps_of_block::<NEVER, false>,
            (Diagonals::Never, true) => steps_of_block::<NEVER, true>,
            (Diagonals::OnlyWhenNoObstacles, false) => steps_of_block::<ONLY_WHEN_NO_OBSTACLES, false>,
            (Diagonals::OnlyWhenNoObstacles, true) => steps_of_block::<ONLY_WHEN_NO_OBSTACLES, true>,
            (Diagonals::IfAtMostOneObstacle, false) => steps_of_block::<IF_AT_MOST_ONE_OBSTACLE, false>,
            (Diagonals::IfAtMostOneObstacle, true) => steps_of_block::<IF_AT_MOST_ONE_OBSTACLE, true>,
            (Diagonals::Always, false) => steps_of_block::<ALWAYS, false>,
            (Diagonals::Always, true) => steps_of_block::<ALWAYS, true>,
        };
        let block = steps([left, bottom], terrain);
        for (y, line) in (bottom..self.height).zip(&block) {
            for (x, sets) in (left..self.width).zip(line) {
                let slot = y * self.width + x;
                let page = self.pages[slot / PAGE].get_or_init(|| Arc::new(page_of(|_, _| UNKNOWN)));
                for (line, &set) in page.iter().zip(sets) {
                    line[slot % PAGE].store(set, Ordering::Relaxed);
                }
            }
        }
        block[y - bottom][x - left][place]
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
                    *page = Arc::new(page_of(|place, cell| page[place][cell].load(Ordering::Relaxed)));
                }
                for line in page.iter() {
                    line[slot % PAGE].store(UNKNOWN, Ordering::Relaxed);
                }
            }
        }
    }

    /// All sets there are room for, known or not.
    fn sets(&self) -> impl Iterator<Item = u8> + '_ {
        self.pages.iter().flat_map(|page| {
            (0..8 * PAGE).map(|set| {
                page.get().map_or(UNKNOWN, |page| page[set / PAGE][set % PAGE].load(Ordering::Relaxed))
            })
        })
    }
}

fn page_of(set: impl Fn(usize, usize) -> u8) -> Page {
    std::array::from_fn(|place| std::array::from_fn(|cell| AtomicU8::new(set(place, cell))))
}

/// Two of them are equal if none contradicts the other: which blocks are made says nothing of the map.
impl PartialEq for CanonicalSteps {
    fn eq(&self, other: &Self) -> bool {
        (self.width, self.height, self.rule, self.is_reversed)
            == (other.width, other.height, other.rule, other.is_reversed)
            && self
                .sets()
                .zip(other.sets())
                .all(|(one, other)| one == UNKNOWN || other == UNKNOWN || one == other)
    }
}

impl Eq for CanonicalSteps {}
