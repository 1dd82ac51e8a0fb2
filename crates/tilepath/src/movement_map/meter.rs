//! What a search is charged for beside its expansions: what it finds out of the map that is not paid for yet.

use std::cell::{Cell as Counter, RefCell};

/// What is found out of a map once, and paid for once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Finding {
    /// The canonical steps of a block.
    Steps,
    /// The portals of a chunk.
    Portals,
    /// What crossing a chunk costs, roughly.
    Paces,
}

impl Finding {
    const ALL: [Self; 3] = [Self::Steps, Self::Portals, Self::Paces];
}

/// What a search has been charged for, of which other searches do not know yet that it is paid for.
///
/// # Memory
/// Three bits for each block up to the last one on it, and four bytes for each that is on it.
#[derive(Default, Debug)]
pub(crate) struct Bill {
    numbers: Vec<u32>,
    /// Which numbers are there, a bit each.
    known: Vec<u64>,
}

impl Bill {
    /// Puts it on the bill; `false`: it is there.
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

    /// Takes everything off.
    pub(crate) fn settle(&mut self, mut pay: impl FnMut(Finding, usize)) {
        for number in self.numbers.drain(..).map(|number| number as usize) {
            self.known[number / 64] &= !(1 << (number % 64));
            pay(Finding::ALL[number % Finding::ALL.len()], number / Finding::ALL.len());
        }
    }
}

/// Counts the work of a search beside its expansions.
#[derive(Default, Debug)]
pub(crate) struct Meter<'a> {
    work: Counter<u64>,
    /// Of a search that is advanced beside others. Without one, others know at once what is paid for.
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

    /// What was counted since the last time.
    #[inline]
    pub(crate) fn take(&self) -> u64 {
        self.work.take()
    }

    /// Whether the search has to pay: it is not paid for, and not on its bill either. Then it is paid for, or on the bill.
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
