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

/// The number of turns that may be dealt at a time.
pub(crate) const MOST_DEALT: usize = 8;

/// The oldest gets this fraction of the work: one part in four.
const AGE_SHARE: u64 = 4;

/// Those that want to search, by what they have had so far.
///
/// An id is there once. It is known by its arrival: the lower, the older.
#[derive(Debug)]
pub(crate) struct Turns<T> {
    arrivals: u64,
    /// Those on the first level, in order of arrival. Only the first [`MOST_DEALT`] of them may have begun.
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
    /// It has its turn.
    is_dealt: bool,
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
    /// How much work, in units.
    pub(crate) slice: u64,
    /// Those on the first level have had no turn before, or only a part of one.
    pub(crate) level: u32,
    /// It was the next one by [`Rule::Level`], too.
    pub(crate) is_next_by_level: bool,
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

impl Rule {
    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Level => Self::Age,
            Self::Age => Self::Level,
        }
    }
}

/// What becomes of a search whose turn is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Retention {
    /// It goes on in its next turn.
    Kept,
    /// It gives its memory back, and begins again in its next turn.
    Evicted,
}

/// A part of a tick's work, for one queue: what is left of it, by rule.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Share {
    by_age: u64,
    by_level: u64,
}

impl Share {
    pub(crate) const fn new(work: u64) -> Self {
        let by_age = work.div_ceil(AGE_SHARE);
        Self { by_age, by_level: work - by_age }
    }

    /// All by level.
    pub(crate) const fn by_level(work: u64) -> Self {
        Self { by_age: 0, by_level: work }
    }

    pub(crate) const fn left(&self) -> u64 {
        self.by_age + self.by_level
    }

    /// What is left by level alone.
    pub(crate) const fn of_level(&self) -> u64 {
        self.by_level
    }

    /// By what the next turn goes; of those that are had side by side only the first one goes by age. `None`: nothing is left.
    pub(crate) fn next(&self, is_first: bool) -> Option<Rule> {
        match (self.by_age, self.by_level) {
            (1.., _) if is_first => Some(Rule::Age),
            (_, 1..) => Some(Rule::Level),
            _ => None,
        }
    }

    const fn of(&mut self, rule: Rule) -> &mut u64 {
        match rule {
            Rule::Age => &mut self.by_age,
            Rule::Level => &mut self.by_level,
        }
    }

    /// Takes so much, or what is left for the rule.
    pub(crate) fn take(&mut self, rule: Rule, most: u64) -> u64 {
        let left = self.of(rule);
        let taken = most.min(*left);
        *left -= taken;
        taken
    }

    /// The same for a turn, and for which rule that is: where age and level mean the same one, it has the parts of both. Of what
    /// goes by level it takes so much at most.
    pub(crate) fn take_for<T>(&mut self, turn: &Turn<T>, rule: Rule, most: u64) -> (Rule, u64) {
        let by_age = if rule == Rule::Age { self.take(rule, turn.slice) } else { 0 };
        if !turn.is_next_by_level {
            return (rule, by_age);
        }
        let most = most.min(turn.slice).saturating_sub(by_age);
        (Rule::Level, by_age + self.take(Rule::Level, most))
    }

    /// A turn for which so much was taken has cost so much. What it costs too much all others lack.
    pub(crate) fn settle(&mut self, rule: Rule, taken: u64, cost: u64) {
        let excess = cost.saturating_sub(taken);
        let from_own = self.take(rule, excess);
        self.take(rule.other(), excess - from_own);
        *self.of(rule) += taken.saturating_sub(cost);
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
        self.fresh.push_back(Entry { id, arrival: self.arrivals, level: 0, used: 0, is_dealt: false });
    }

    /// Deals the next turn: no other deal has it until it is [charged](Self::charge) or [left](Self::leave). `None`: none waits.
    ///
    /// By level it is one of the level that is asked for, if one is. No more than [`MOST_DEALT`] may be out at a time.
    pub(crate) fn deal(&mut self, rule: Rule, level: Option<u32>) -> Option<Turn<T>> {
        let next = self.highest().map(|entry| (entry.level, entry.arrival));
        let highest = next.map(|(_, arrival)| arrival);
        let is_wanted = |&(found, _): &(u32, u64)| level.is_none_or(|level| level == found);
        let entry = match rule {
            Rule::Age => self.oldest()?,
            Rule::Level => self.entry_mut(next.filter(is_wanted)?.1)?,
        };
        entry.is_dealt = true;
        Some(Turn {
            id: entry.id,
            slice: entry.slice().saturating_sub(entry.used),
            level: entry.level,
            is_next_by_level: highest == Some(entry.arrival),
            arrival: entry.arrival,
        })
    }

    fn highest(&mut self) -> Option<&mut Entry<T>> {
        let fresh = self.fresh.iter().position(|entry| !entry.is_dealt);
        if fresh.is_none() && self.kept.len() < KEPT {
            self.admit();
        }
        match fresh {
            Some(place) => self.fresh.get_mut(place),
            None => self.kept.iter_mut().find(|entry| !entry.is_dealt),
        }
    }

    fn oldest(&mut self) -> Option<&mut Entry<T>> {
        let arrival = |entry: &Entry<T>| (!entry.is_dealt).then_some(entry.arrival);
        let fresh = self.fresh.iter().find_map(arrival);
        let tried = self.tried.first_key_value().map(|(&arrival, _)| arrival);
        let kept = self.kept.iter().filter_map(arrival).min();
        let oldest = [fresh, tried, kept].into_iter().flatten().min()?;
        if tried == Some(oldest) {
            self.admit();
        }
        self.entry_mut(oldest)
    }

    /// Lets the oldest of those that were given up begin again.
    fn admit(&mut self) {
        if let Some((arrival, id)) = self.tried.pop_first() {
            self.keep(Entry { id, arrival, level: 1, used: 0, is_dealt: false });
        }
    }

    fn keep(&mut self, entry: Entry<T>) {
        let place =
            self.kept.partition_point(|other| (other.level, other.arrival) < (entry.level, entry.arrival));
        self.kept.insert(place, entry);
    }

    /// The turn has cost so much, and its search is not over.
    pub(crate) fn charge(&mut self, turn: &Turn<T>, work: u64) -> Retention {
        let Some(entry) = self.entry_mut(turn.arrival) else { return Retention::Kept };
        entry.is_dealt = false;
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
        if turn.level == 0 && self.kept.len() >= KEPT && !is_oldest() {
            self.tried.insert(moved.arrival, moved.id);
            return Retention::Evicted;
        }
        self.keep(moved);
        Retention::Kept
    }

    fn entry_mut(&mut self, arrival: u64) -> Option<&mut Entry<T>> {
        match self.fresh.binary_search_by_key(&arrival, |entry| entry.arrival) {
            Ok(place) => self.fresh.get_mut(place),
            Err(_) => self.kept.iter_mut().find(|entry| entry.arrival == arrival),
        }
    }

    /// The one whose turn it was is done.
    pub(crate) fn leave(&mut self, turn: &Turn<T>) {
        self.remove(turn.arrival);
    }

    fn remove(&mut self, arrival: u64) {
        match self.fresh.binary_search_by_key(&arrival, |entry| entry.arrival) {
            Ok(place) => _ = self.fresh.remove(place),
            Err(_) => self.kept.retain(|entry| entry.arrival != arrival),
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
        let mut begun: Vec<Entry<T>> =
            self.fresh.iter().take(MOST_DEALT).chain(&self.kept).copied().collect();
        begun.sort_unstable_by_key(|entry| entry.arrival);
        for entry in begun {
            if !has_to(entry.id) {
                continue;
            }
            if entry.level > 0 {
                self.remove(entry.arrival);
                self.tried.insert(entry.arrival, entry.id);
            } else if let Some(fresh) = self.entry_mut(entry.arrival) {
                fresh.used = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests;
