//! The records of jump point search.
//!
//! Decision: `docs/decisions/06-search-records.md`.

use crate::{
    bounds::Bounds,
    cell::Direction,
    cost::Cost,
    search::records::{NodeRecords, Record},
    space::grid::GridNode,
};

/// The link of a jump point: its predecessor and the direction of the last step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct JumpLink {
    pub(crate) parent: GridNode,
    pub(crate) direction: Direction,
}

/// The records of jump points: cost, predecessor, and generation with flags, twelve bytes each.
///
/// Few cells are jump points, and a plugin keeps many searches at once. So the records lie in
/// pages, one for each block of 8 × 8 cells. A page is taken when the first jump point of its block
/// is opened. It is given back when the next search begins, or it stays with its block.
///
/// # Memory
/// A sixteenth of a byte a cell, and 768 bytes for each block that the largest search so far has
/// reached. If pages stay: 768 bytes for each block that any search has reached.
#[derive(Clone, Default)]
pub(crate) struct JumpRecords {
    /// For each block, the number of its page in `entries`. Page 0 belongs to no block and never
    /// has a record.
    pages: Vec<u32>,
    /// The indices in `pages` that are taken.
    taken: Vec<u32>,
    entries: Vec<[u32; 3]>,
    generation: u16,
    keeps_pages: bool,
}

/// The side of a block, in cells.
const BLOCK: u32 = 8;
/// The number of keys in a page, which are the keys of a block.
const PAGE: usize = (BLOCK * BLOCK) as usize;
const PAGE_SHIFT: u32 = PAGE.trailing_zeros();

/// The keys of the cells of a map of squares, block by block, because jump points lie close together.
#[derive(Clone, Copy)]
pub(crate) struct BlockKeys {
    /// The number of blocks in a row, and of all blocks.
    columns: usize,
    blocks: usize,
}

impl BlockKeys {
    pub(crate) const fn new(bounds: &Bounds) -> Self {
        let columns = bounds.width().div_ceil(BLOCK) as usize;
        Self { columns, blocks: columns * bounds.height().div_ceil(BLOCK) as usize }
    }

    #[inline]
    pub(crate) const fn key(self, node: GridNode) -> usize {
        let (x, y) = (node.x(), node.y());
        let block = (y / BLOCK) as usize * self.columns + (x / BLOCK) as usize;
        block * PAGE + (y % BLOCK * BLOCK + x % BLOCK) as usize
    }

    pub(crate) const fn count(self) -> usize {
        self.blocks * PAGE
    }
}

const CLOSED: u32 = 1 << 8;
const START: u32 = 8;

impl JumpRecords {
    /// Makes records whose pages stay with their blocks from search to search, which saves 4 % to
    /// 8 % of the instructions of a search.
    pub(crate) fn keeping_pages() -> Self {
        Self { keeps_pages: true, ..Self::default() }
    }

    /// Returns the index of a key's record in `entries`.
    #[inline]
    fn place(&self, key: usize) -> usize {
        (self.pages[key >> PAGE_SHIFT] as usize) << PAGE_SHIFT | key & (PAGE - 1)
    }

    /// Takes a page for the block of a key. Records left there by earlier searches have older
    /// generations.
    #[cold]
    fn take_page(&mut self, key: usize) {
        let page = key >> PAGE_SHIFT;
        self.taken.push(page as u32);
        self.pages[page] = self.taken.len() as u32;
        let end = (self.taken.len() + 1) << PAGE_SHIFT;
        if self.entries.len() < end {
            self.entries.resize(end, [0; 3]);
        }
    }
}

impl NodeRecords for JumpRecords {
    type Key = usize;
    type Cost = Cost;
    type Link = JumpLink;

    fn begin(&mut self, key_count: usize) {
        let page_count = key_count.div_ceil(PAGE);
        if self.pages.len() != page_count {
            self.taken.clear();
            self.pages = vec![0; page_count];
        } else if !self.keeps_pages {
            for page in self.taken.drain(..) {
                self.pages[page as usize] = 0;
            }
        }
        if self.entries.is_empty() || self.generation == u16::MAX {
            let pages = if self.keeps_pages { self.taken.len() + 1 } else { 1 };
            self.entries.clear();
            self.entries.resize(pages * PAGE, [0; 3]);
            self.generation = 0;
        }
        self.generation += 1;
    }

    #[inline]
    fn get(&self, key: usize) -> Option<Record<Cost, JumpLink>> {
        let [cost, parent, state] = self.entries[self.place(key)];
        (state >> 16 == u32::from(self.generation)).then(|| Record {
            cost: Cost::new(cost),
            link: Direction::ALL
                .get((state & 15) as usize)
                .map(|&direction| JumpLink { parent: GridNode::from_packed(parent), direction }),
            is_closed: state & CLOSED != 0,
        })
    }

    #[inline]
    fn open(&mut self, key: usize, cost: Cost, link: Option<JumpLink>) {
        let (parent, direction) =
            link.map_or((0, START), |link| (link.parent.packed(), link.direction as u32));
        if self.pages[key >> PAGE_SHIFT] == 0 {
            self.take_page(key);
        }
        let place = self.place(key);
        self.entries[place] = [cost.get(), parent, u32::from(self.generation) << 16 | direction];
    }

    #[inline]
    fn close(&mut self, key: usize) {
        let place = self.place(key);
        self.entries[place][2] |= CLOSED;
    }

    #[inline]
    fn knows(&self, key: usize, cost: Cost) -> bool {
        let [known, _, state] = self.entries[self.place(key)];
        state >> 16 == u32::from(self.generation) && known <= cost.get()
    }

    #[inline]
    fn settle(&mut self, key: usize, _: Option<Cost>) -> Option<(Cost, Option<JumpLink>)> {
        let place = self.place(key);
        let [cost, parent, state] = &mut self.entries[place];
        (*state & CLOSED == 0).then(|| {
            let direction = Direction::ALL.get((*state & 15) as usize);
            let parent = GridNode::from_packed(*parent);
            *state |= CLOSED;
            (Cost::new(*cost), direction.map(|&direction| JumpLink { parent, direction }))
        })
    }
}

impl std::fmt::Debug for JumpRecords {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("JumpRecords").field("pages", &self.pages.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(key: usize) -> JumpLink {
        let parent = GridNode::from_packed(key as u32 * 7);
        JumpLink { parent, direction: Direction::ALL[key % 8] }
    }

    #[test]
    fn records_belong_to_this_search_and_to_their_own_cells() {
        let mut records = JumpRecords::default();
        // More searches than there are generations, on maps that grow and shrink.
        for search in 0..70_000_usize {
            let key_count = if search % 20_000 < 19_990 { 100 } else { 900 + search % 3 };
            records.begin(key_count);
            let opened: Vec<usize> = (0..3).map(|n| (search * 13 + n * 37) % key_count).collect();
            for &key in &opened {
                records.open(key, Cost::new(key as u32), (key % 5 > 0).then(|| link(key)));
            }
            records.close(opened[0]);
            for key in 0..key_count {
                let expected = opened.contains(&key).then(|| Record {
                    cost: Cost::new(key as u32),
                    link: (key % 5 > 0).then(|| link(key)),
                    is_closed: key == opened[0],
                });
                assert_eq!(records.get(key), expected, "search {search}, key {key}");
            }
        }
    }

    #[test]
    fn pages_that_stay_are_taken_once_for_each_block() {
        let mut records = JumpRecords::keeping_pages();
        // More searches than there are generations.
        for search in 0..70_000_usize {
            records.begin(40 * PAGE);
            let key = search * 37 % (40 * PAGE);
            assert_eq!(records.get(key), None, "search {search}");
            records.open(key, Cost::new(search as u32), None);
            let record = records.get(key).map(|record| (record.cost, record.is_closed));
            assert_eq!(record, Some((Cost::new(search as u32), false)), "search {search}");
        }
        assert_eq!((records.taken.len(), records.entries.len()), (40, 41 * PAGE));
        records.begin(3 * PAGE);
        assert_eq!((records.taken.len(), records.pages.len()), (0, 3), "another map has other blocks");
        assert_eq!(records.get(0), None);
    }

    #[test]
    fn a_short_search_on_a_large_map_takes_little_memory() {
        let mut records = JumpRecords::default();
        for search in 0..100 {
            records.begin(1 << 20);
            (0..50).for_each(|key| records.open((search % 50 + key) * 10_000, Cost::ZERO, None));
        }
        assert_eq!(records.entries.len(), 51 * PAGE);
    }
}
