//! Charges for map preprocessing during a search.
//!
//! Decision: `docs/decisions/04-counted-work.md`.

use std::cell::{Cell as Counter, RefCell};

/// A kind of map preprocessing, done once and charged once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Finding {
    /// The canonical steps of a block.
    Steps,
    /// The portals of a chunk.
    Portals,
    /// The approximate costs of crossing a chunk.
    Paces,
}

impl Finding {
    const ALL: [Self; 3] = [Self::Steps, Self::Portals, Self::Paces];
}

/// The preprocessing for which a search was charged, until other searches can see that it is paid
/// for.
///
/// # Memory
/// Three bits for each block up to the last one on the bill, and four bytes for each block on the
/// bill.
#[derive(Default, Debug)]
pub(crate) struct Bill {
    numbers: Vec<u32>,
    /// The set of the numbers in `numbers`, a bit each.
    known: Vec<u64>,
}

impl Bill {
    /// Puts a finding on the bill. Returns `false` if it was there already.
    fn add(&mut self, finding: Finding, block: usize) -> bool {
        let number = block * Finding::ALL.len() + finding as usize;
        let (word, bit) = (number / 64, 1 << (number % 64));
        if self.known.len() <= word {
            self.known.resize(word + 1, 0);
        }
        let is_new = self.known[word] & bit == 0;
        if is_new {
            self.known[word] |= bit;
            self.numbers.push(number as u32);
        }
        is_new
    }

    /// Removes everything from the bill, and calls `pay` for each entry.
    pub(crate) fn settle(&mut self, mut pay: impl FnMut(Finding, usize)) {
        for number in self.numbers.drain(..).map(|number| number as usize) {
            self.known[number / 64] &= !(1 << (number % 64));
            pay(Finding::ALL[number % Finding::ALL.len()], number / Finding::ALL.len());
        }
    }
}

/// A counter for the work of a search beside its expansions.
#[derive(Default, Debug)]
pub(crate) struct Meter<'a> {
    work: Counter<u64>,
    /// The bill of a search that is advanced beside others. Without a bill, other searches see at
    /// once that a finding is paid for.
    bill: Option<&'a RefCell<Bill>>,
}

impl<'a> Meter<'a> {
    pub(crate) const fn new(bill: Option<&'a RefCell<Bill>>) -> Self {
        Self { work: Counter::new(0), bill }
    }

    #[inline]
    pub(crate) fn add(&self, work: u64) {
        self.work.set(self.work.get() + work);
    }

    /// Returns the work counted since the last call.
    #[inline]
    pub(crate) fn take(&self) -> u64 {
        self.work.take()
    }

    /// Returns whether the search must pay: the finding is neither paid for nor on its bill. After
    /// the call it is paid for, or on the bill.
    pub(crate) fn is_charged(
        &self,
        (finding, block): (Finding, usize),
        is_paid: impl FnOnce() -> bool,
        pay: impl FnOnce() -> bool,
    ) -> bool {
        match self.bill {
            None => pay(),
            Some(bill) => !is_paid() && bill.borrow_mut().add(finding, block),
        }
    }
}
