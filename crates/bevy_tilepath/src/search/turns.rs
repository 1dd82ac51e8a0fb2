//! Whose turn it is: a multilevel feedback queue.
//!
//! How much work a search will be is known only when it is over. So each one gets a short first turn, in which short
//! ones end; the others move down, level by level, to turns twice as long, and on the last level they are run to their
//! end, one after the other. A part of all work goes to the oldest, whatever its level, so that none waits for ever.

use std::collections::{BTreeMap, VecDeque};

/// The work of a turn on the first level.
const FIRST_SLICE: u64 = 512;

/// The level on which a search is run to its end.
const LAST_LEVEL: u32 = 7;

/// The number of searches below the first level that are kept in memory. The oldest of all may be one more.
pub(crate) const KEPT: usize = 64;

/// The oldest gets this fraction of the work: one part in four.
const AGE_SHARE: u64 = 4;

/// Those that want to search, by what they have had so far.
///
/// An id is there once. It is known by its arrival: the lower, the older.
#[derive(Debug)]
pub(crate) struct Turns<T> {
    arrivals: u64,
    /// Those on the first level, in order of arrival. Only the first of them may have begun.
    fresh: VecDeque<Entry<T>>,
    /// Those that had a first turn and were given up, because too many are kept. They begin again.
    tried: BTreeMap<u64, T>,
    /// Those on lower levels, ordered by level, then by arrival.
    kept: Vec<Entry<T>>,
}

#[derive(Debug, Clone, Copy)]
struct Entry<T> {
    id: T,
    arrival: u64,
    level: u32,
    /// The work done on this level.
    used: u64,
}

impl<T> Entry<T> {
    fn slice(&self) -> u64 {
        if self.level == LAST_LEVEL { u64::MAX } else { FIRST_SLICE << self.level }
    }
}

/// The right to do some work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Turn<T> {
    pub(crate) id: T,
    /// So much of it.
    pub(crate) slice: u64,
    arrival: u64,
}

/// By what the next one is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    /// The highest level first, on it the oldest.
    Level,
    /// The oldest of all.
    Age,
}

/// What becomes of a search whose turn is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Retention {
    /// It goes on in its next turn.
    Kept,
    /// It gives its memory back, and begins again in its next turn.
    Evicted,
}

/// A part of a tick's work, for one queue.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Share {
    by_age: u64,
    end: u64,
}

impl Share {
    /// From what has been spent up to an end.
    pub(crate) fn new(spent: u64, end: u64) -> Self {
        Self { by_age: spent + end.saturating_sub(spent).div_ceil(AGE_SHARE), end }
    }

    /// By what the next turn goes, and where it has to end; `None` when the share is spent.
    pub(crate) fn next(&self, spent: u64) -> Option<(Rule, u64)> {
        if spent < self.by_age {
            Some((Rule::Age, self.by_age))
        } else {
            (spent < self.end).then_some((Rule::Level, self.end))
        }
    }
}

impl<T> Default for Turns<T> {
    fn default() -> Self {
        Self { arrivals: 0, fresh: VecDeque::new(), tried: BTreeMap::new(), kept: Vec::new() }
    }
}

impl<T: Copy> Turns<T> {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.fresh.len() + self.tried.len() + self.kept.len()
    }

    /// Lets one in that is not there, as the youngest.
    pub(crate) fn enter(&mut self, id: T) {
        self.arrivals += 1;
        self.fresh.push_back(Entry { id, arrival: self.arrivals, level: 0, used: 0 });
    }

    /// Whose turn it is, until it is [charged](Self::charge) or [leaves](Self::leave). `None`: the queue is empty.
    pub(crate) fn next(&mut self, rule: Rule) -> Option<Turn<T>> {
        let entry = match rule {
            Rule::Age => self.oldest()?,
            Rule::Level => self.highest()?,
        };
        Some(Turn { id: entry.id, slice: entry.slice().saturating_sub(entry.used), arrival: entry.arrival })
    }

    fn highest(&mut self) -> Option<&Entry<T>> {
        if self.fresh.is_empty() && self.kept.len() < KEPT {
            self.admit();
        }
        self.fresh.front().or(self.kept.first())
    }

    fn oldest(&mut self) -> Option<&Entry<T>> {
        let fresh = self.fresh.front().map(|entry| entry.arrival);
        let tried = self.tried.first_key_value().map(|(&arrival, _)| arrival);
        let kept = self.kept.iter().map(|entry| entry.arrival).min();
        let oldest = [fresh, tried, kept].into_iter().flatten().min();
        if oldest.is_some() && oldest == tried {
            self.admit();
        }
        if oldest == fresh {
            return self.fresh.front();
        }
        self.kept.iter().find(|entry| Some(entry.arrival) == oldest)
    }

    /// Lets the oldest of those that were given up begin again.
    fn admit(&mut self) {
        if let Some((arrival, id)) = self.tried.pop_first() {
            self.keep(Entry { id, arrival, level: 1, used: 0 });
        }
    }

    fn keep(&mut self, entry: Entry<T>) {
        let place =
            self.kept.partition_point(|other| (other.level, other.arrival) < (entry.level, entry.arrival));
        self.kept.insert(place, entry);
    }

    /// The turn has cost so much, and its search is not over.
    pub(crate) fn charge(&mut self, turn: &Turn<T>, work: u64) -> Retention {
        let is_fresh = self.fresh.front().is_some_and(|entry| entry.arrival == turn.arrival);
        let Some(entry) = self.entry_mut(turn.arrival) else { return Retention::Kept };
        entry.used = entry.used.saturating_add(work);
        if entry.used < entry.slice() {
            return Retention::Kept;
        }
        let moved = Entry { level: entry.level + 1, used: 0, ..*entry };
        self.remove(turn.arrival);
        let is_oldest = || {
            self.tried.first_key_value().is_none_or(|(&arrival, _)| turn.arrival < arrival)
                && self.kept.iter().all(|other| turn.arrival < other.arrival)
        };
        if is_fresh && self.kept.len() >= KEPT && !is_oldest() {
            self.tried.insert(moved.arrival, moved.id);
            return Retention::Evicted;
        }
        self.keep(moved);
        Retention::Kept
    }

    fn entry_mut(&mut self, arrival: u64) -> Option<&mut Entry<T>> {
        self.fresh.iter_mut().take(1).chain(&mut self.kept).find(|entry| entry.arrival == arrival)
    }

    /// The one whose turn it was is done.
    pub(crate) fn leave(&mut self, turn: &Turn<T>) {
        self.remove(turn.arrival);
    }

    fn remove(&mut self, arrival: u64) {
        if self.fresh.front().is_some_and(|entry| entry.arrival == arrival) {
            self.fresh.pop_front();
        } else {
            self.kept.retain(|entry| entry.arrival != arrival);
        }
    }

    /// Lets all others go.
    pub(crate) fn retain(&mut self, mut stays: impl FnMut(T) -> bool) {
        self.fresh.retain(|entry| stays(entry.id));
        self.tried.retain(|_, id| stays(*id));
        self.kept.retain(|entry| stays(entry.id));
    }

    /// Asks all that may have begun, from the oldest, whether they have to begin again.
    pub(crate) fn evict(&mut self, mut has_to: impl FnMut(T) -> bool) {
        let mut begun: Vec<Entry<T>> = self.fresh.iter().take(1).chain(&self.kept).copied().collect();
        begun.sort_unstable_by_key(|entry| entry.arrival);
        for entry in begun {
            if !has_to(entry.id) {
                continue;
            }
            if entry.level == 0 {
                self.fresh[0].used = 0;
            } else {
                self.remove(entry.arrival);
                self.tried.insert(entry.arrival, entry.id);
            }
        }
    }
}

#[cfg(test)]
mod tests;
