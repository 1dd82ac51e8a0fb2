//! Charges for map preprocessing during a search.
//!
//! Decision: `docs/decisions/04-counted-work.md`.

use std::cell::{Cell as Counter, RefCell};

/// The parts of a unit of work.
const PARTS: u64 = 32;

/// The preprocessing for which a search was charged, until other searches can see that it is paid
/// for.
///
/// # Memory
/// A bit for each block up to the last one on the bill, and four bytes for each block on the bill.
#[derive(Clone, Default, Debug)]
pub(crate) struct Bill {
    blocks: Vec<u32>,
    /// The set of the numbers in `blocks`, a bit each.
    known: Vec<u64>,
}

impl Bill {
    /// Puts a block on the bill. Returns `false` if it was there already.
    fn add(&mut self, block: usize) -> bool {
        let (word, bit) = (block / 64, 1 << (block % 64));
        if self.known.len() <= word {
            self.known.resize(word + 1, 0);
        }
        let is_new = self.known[word] & bit == 0;
        if is_new {
            self.known[word] |= bit;
            self.blocks.push(block as u32);
        }
        is_new
    }

    /// Removes everything from the bill, and calls `pay` for each block.
    pub(crate) fn settle(&mut self, mut pay: impl FnMut(usize)) {
        for block in self.blocks.drain(..).map(|block| block as usize) {
            self.known[block / 64] &= !(1 << (block % 64));
            pay(block);
        }
    }
}

/// A counter for the work of a search beside its expansions.
#[derive(Default, Debug)]
pub(crate) struct Meter<'a> {
    /// In parts of a unit.
    parts: Counter<u64>,
    /// The bill of a search that is advanced beside others. Without a bill, other searches see at
    /// once that a block is paid for.
    bill: Option<&'a RefCell<Bill>>,
}

impl<'a> Meter<'a> {
    /// Makes a meter that begins with some parts of a unit.
    pub(crate) const fn new(bill: Option<&'a RefCell<Bill>>, parts: u64) -> Self {
        Self { parts: Counter::new(parts), bill }
    }

    #[inline]
    pub(crate) fn add(&self, work: u64) {
        self.add_parts(work * PARTS);
    }

    #[inline]
    pub(crate) fn add_parts(&self, parts: u64) {
        self.parts.set(self.parts.get() + parts);
    }

    /// Returns the work counted since the last call, in whole units. The rest stays.
    #[inline]
    pub(crate) fn take(&self) -> u64 {
        let parts = self.parts.get();
        self.parts.set(parts % PARTS);
        parts / PARTS
    }

    /// Returns the parts that are not taken.
    pub(crate) const fn rest(&self) -> u64 {
        self.parts.get()
    }

    /// Returns whether the search must pay: the block is neither paid for nor on its bill. After
    /// the call it is paid for, or on the bill.
    pub(crate) fn is_charged(
        &self,
        block: usize,
        is_paid: impl FnOnce() -> bool,
        pay: impl FnOnce() -> bool,
    ) -> bool {
        match self.bill {
            None => pay(),
            Some(bill) => !is_paid() && bill.borrow_mut().add(block),
        }
    }
}
