//! What happened of late.

use std::collections::VecDeque;

/// The largest number of things that are remembered.
const MOST: usize = 1 << 10;

/// What happened, by the ticks in which something did.
#[derive(Debug)]
pub(crate) struct Log<T> {
    /// The ticks so far in which something happened.
    pub(crate) number: u64,
    entries: VecDeque<(u64, T)>,
    /// Of the ticks up to this one not all is remembered.
    forgotten: u64,
}

impl<T> Default for Log<T> {
    fn default() -> Self {
        Self { number: 0, entries: VecDeque::new(), forgotten: 0 }
    }
}

impl<T> Log<T> {
    /// All that happened in one tick.
    pub(crate) fn add(&mut self, happened: impl IntoIterator<Item = T>) {
        self.number += 1;
        let number = self.number;
        self.entries.extend(happened.into_iter().map(|what| (number, what)));
        while self.entries.len() > MOST {
            self.forgotten = self.entries.pop_front().map_or(0, |(number, _)| number);
        }
    }

    /// What happened after the tick of that number, the earliest first; `None` if not all of it is remembered.
    pub(crate) fn since(&self, number: u64) -> Option<impl Iterator<Item = &T>> {
        let first = self.entries.partition_point(|&(at, _)| at <= number);
        (number >= self.forgotten).then(|| self.entries.range(first..).map(|(_, what)| what))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_forgotten_in_part_is_not_told() {
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
