//! A log of recent changes.

use std::collections::VecDeque;

/// The most entries that are kept.
const MOST: usize = 1 << 10;

/// A log of entries, by the number of the tick.
#[derive(Clone, Debug)]
pub(crate) struct Log<T> {
    /// The number of ticks so far with entries.
    pub(crate) number: u64,
    entries: VecDeque<(u64, T)>,
    /// The last tick of which entries may be missing.
    forgotten: u64,
}

impl<T> Default for Log<T> {
    fn default() -> Self {
        Self { number: 0, entries: VecDeque::new(), forgotten: 0 }
    }
}

impl<T> Log<T> {
    /// Adds all entries of one tick.
    pub(crate) fn add(&mut self, happened: impl IntoIterator<Item = T>) {
        self.number += 1;
        let number = self.number;
        self.entries.extend(happened.into_iter().map(|what| (number, what)));
        while self.entries.len() > MOST {
            self.forgotten = self.entries.pop_front().map_or(0, |(number, _)| number);
        }
    }

    /// Forgets all entries. What happened since an earlier number is unknown from now on.
    pub(crate) fn forget(&mut self) {
        self.entries.clear();
        self.number += 1;
        self.forgotten = self.number;
    }

    /// Returns the entries after the tick with this number, the earliest first. `None` if some of
    /// them are missing.
    pub(crate) fn since(&self, number: u64) -> Option<impl Iterator<Item = &T>> {
        let first = self.entries.partition_point(|&(at, _)| at <= number);
        (number >= self.forgotten).then(|| self.entries.range(first..).map(|(_, what)| what))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partly_forgotten_changes_are_not_returned() {
        let mut log = Log::default();
        log.add([1, 2]);
        log.add([]);
        log.add([3]);
        let since = |log: &Log<i32>, number| log.since(number).map(|what| what.copied().collect::<Vec<_>>());
        assert_eq!(since(&log, 0), Some(vec![1, 2, 3]));
        assert_eq!(since(&log, 1), Some(vec![3]));
        assert_eq!(since(&log, 3), Some(Vec::new()));
        log.add(0..MOST as i32 - 2);
        assert_eq!(since(&log, 0), None);
        assert_eq!(since(&log, 1).map(|what| what.len()), Some(MOST - 1));
    }
}
