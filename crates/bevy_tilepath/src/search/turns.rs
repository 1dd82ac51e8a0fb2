//! Turns of searches: a multilevel feedback queue.
//!
//! The work of a search is known only when it is over. So each search gets a short first turn, in
//! which short searches end. The others move down, level by level, to turns twice as long. On the
//! last level they run to their end, one after the other.
//!
//! A part of all work goes to the oldest search, whatever its level is, so that no search waits for
//! ever.
//!
//! Decision: `docs/decisions/40-work-budget.md`.

use std::collections::{BTreeMap, VecDeque};

/// The work of a turn on the first level.
const FIRST_SLICE: u64 = 512;

/// The level on which a search runs to its end.
const LAST_LEVEL: u32 = 7;

/// The number of searches below the first level that are kept in memory. The oldest of all may be
/// one more.
pub(crate) const KEPT: usize = 64;

/// The most turns that are dealt at a time.
pub(crate) const MOST_DEALT: usize = 8;

/// The divisor of the oldest search's part of the work: one part in four.
const AGE_SHARE: u64 = 4;

/// The place of an id in its queue: the tick in which it is due, and its arrival number. A lower place is
/// older.
type Place = (u64, u64);

/// The ids that wait for turns, ordered by the work they have had.
///
/// An id is in it once. Its place identifies it.
#[derive(Clone, Debug)]
pub(crate) struct Turns<T> {
    arrivals: u64,
    /// The entries on the first level, in the order of their places. Only the first [`MOST_DEALT`] of them
    /// may have begun.
    untried: VecDeque<Entry<T>>,
    /// The ids whose searches were given up, each with the level on which it begins again. There its turn
    /// is as long as all its work so far, so that it does not begin again for ever.
    tried: BTreeMap<Place, (T, u32)>,
    /// The entries on lower levels, ordered by level, then by place.
    kept: Vec<Entry<T>>,
}

#[derive(Debug, Clone, Copy)]
struct Entry<T> {
    id: T,
    place: Place,
    level: u32,
    /// The work done on this level.
    used: u64,
    /// True if it has its turn now.
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
    /// The amount of work, in units of the budget.
    pub(crate) slice: u64,
    /// The level. An id on the first level has had no turn before, or only a part of one.
    pub(crate) level: u32,
    /// True if [`Rule::Level`] would have chosen it too.
    pub(crate) is_next_by_level: bool,
    place: Place,
}

/// The rule that chooses the next turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    /// The highest level first, and on it the oldest.
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

/// The fate of a search whose turn is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Retention {
    /// It goes on in its next turn.
    Kept,
    /// It frees its memory, and begins again in its next turn.
    Evicted,
}

/// A part of a tick's work for one queue, with what is left of it for each rule.
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

    /// Returns a share that goes by level only.
    pub(crate) const fn by_level(work: u64) -> Self {
        Self { by_age: 0, by_level: work }
    }

    pub(crate) const fn left(&self) -> u64 {
        self.by_age + self.by_level
    }

    /// Returns the work that is left for turns by level.
    pub(crate) const fn of_level(&self) -> u64 {
        self.by_level
    }

    /// Returns the rule of the next turn, or `None` if nothing is left. Of turns that run side by
    /// side only the first one goes by age.
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

    /// Takes this much work for a rule, or what is left.
    pub(crate) fn take(&mut self, rule: Rule, most: u64) -> u64 {
        let left = self.of(rule);
        let taken = most.min(*left);
        *left -= taken;
        taken
    }

    /// Takes work for a turn, and returns it with its rule. A turn that both rules choose gets the
    /// parts of both. By level it gets at most `most`.
    pub(crate) fn take_for<T>(&mut self, turn: &Turn<T>, rule: Rule, most: u64) -> (Rule, u64) {
        let by_age = if rule == Rule::Age { self.take(rule, turn.slice) } else { 0 };
        if !turn.is_next_by_level {
            return (rule, by_age);
        }
        let most = most.min(turn.slice).saturating_sub(by_age);
        (Rule::Level, by_age + self.take(Rule::Level, most))
    }

    /// Settles a turn: `taken` was taken for it, and it cost `cost`. What it costs too much is
    /// taken from all others.
    pub(crate) fn settle(&mut self, rule: Rule, taken: u64, cost: u64) {
        let excess = cost.saturating_sub(taken);
        let from_own = self.take(rule, excess);
        self.take(rule.other(), excess - from_own);
        *self.of(rule) += taken.saturating_sub(cost);
    }
}

/// The place of an id in a queue, as a [`TilepathState`](crate::TilepathState) keeps it.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct TurnState {
    level: u32,
    used: u64,
    due: u64,
    was_given_up: bool,
}

impl<T> Default for Turns<T> {
    fn default() -> Self {
        Self { arrivals: 0, untried: VecDeque::new(), tried: BTreeMap::new(), kept: Vec::new() }
    }
}

impl<T: Copy> Turns<T> {
    /// Returns the number of ids.
    pub(crate) fn len(&self) -> usize {
        self.untried.len() + self.tried.len() + self.kept.len()
    }

    /// Returns all ids with their places, from the oldest to the youngest.
    pub(crate) fn state(&self) -> Vec<(T, TurnState)> {
        let tried = self.tried.iter().map(|(&place, &(id, level))| {
            (place, id, TurnState { level, used: 0, due: place.0, was_given_up: true })
        });
        let entries =
            self.untried.iter().chain(&self.kept).map(|&Entry { id, place, level, used, .. }| {
                (place, id, TurnState { level, used, due: place.0, was_given_up: false })
            });
        let mut all: Vec<(Place, T, TurnState)> = entries.chain(tried).collect();
        all.sort_unstable_by_key(|&(place, ..)| place);
        all.into_iter().map(|(_, id, state)| (id, state)).collect()
    }

    /// Adds an id that is not there, as the youngest, at its place in a state.
    pub(crate) fn put(&mut self, id: T, state: TurnState) {
        let place = self.place(state.due);
        let (level, used) = (state.level.min(LAST_LEVEL), state.used);
        let entry = Entry { id, place, level, used, is_dealt: false };
        match level {
            _ if state.was_given_up => _ = self.tried.insert(place, (id, level)),
            0 => self.untried.push_back(entry),
            _ => self.keep(entry),
        }
    }

    /// Adds an id that is not there and is due in this tick. It comes before all ids that are due later
    /// and have not begun.
    pub(crate) fn enter(&mut self, id: T, due: u64) {
        let has_begun = |entry: &&Entry<T>| entry.is_dealt || entry.used > 0;
        let begun = self.untried.iter().take(MOST_DEALT).filter(has_begun).last();
        let place = self.place(begun.map_or(due, |begun| due.max(begun.place.0)));
        let index = self.untried.partition_point(|entry| entry.place < place);
        self.untried.insert(index, Entry { id, place, level: 0, used: 0, is_dealt: false });
    }

    /// Returns the place of an id that arrives now.
    fn place(&mut self, due: u64) -> Place {
        self.arrivals += 1;
        (due, self.arrivals)
    }

    /// Deals the next turn, or returns `None` if no id waits. The turn is not dealt again until it
    /// is [charged](Self::charge) or [left](Self::leave).
    ///
    /// By level, it is a turn of the given level, if one is given. At most [`MOST_DEALT`] turns may
    /// be out at a time.
    pub(crate) fn deal(&mut self, rule: Rule, level: Option<u32>) -> Option<Turn<T>> {
        let next = self.highest().map(|entry| (entry.level, entry.place));
        let highest = next.map(|(_, place)| place);
        let is_wanted = |&(found, _): &(u32, Place)| level.is_none_or(|level| level == found);
        let entry = match rule {
            Rule::Age => self.oldest()?,
            Rule::Level => self.entry_mut(next.filter(is_wanted)?.1)?,
        };
        entry.is_dealt = true;
        Some(Turn {
            id: entry.id,
            slice: entry.slice().saturating_sub(entry.used),
            level: entry.level,
            is_next_by_level: highest == Some(entry.place),
            place: entry.place,
        })
    }

    fn highest(&mut self) -> Option<&mut Entry<T>> {
        let fresh = self.untried.iter().position(|entry| !entry.is_dealt);
        if fresh.is_none() && self.kept.len() < KEPT {
            self.admit();
        }
        match fresh {
            Some(place) => self.untried.get_mut(place),
            None => self.kept.iter_mut().find(|entry| !entry.is_dealt),
        }
    }

    fn oldest(&mut self) -> Option<&mut Entry<T>> {
        let place = |entry: &Entry<T>| (!entry.is_dealt).then_some(entry.place);
        let fresh = self.untried.iter().find_map(place);
        let tried = self.tried.first_key_value().map(|(&place, _)| place);
        let kept = self.kept.iter().filter_map(place).min();
        let oldest = [fresh, tried, kept].into_iter().flatten().min()?;
        if tried == Some(oldest) {
            self.admit();
        }
        self.entry_mut(oldest)
    }

    /// Lets the oldest id that was given up begin again.
    fn admit(&mut self) {
        if let Some((place, (id, level))) = self.tried.pop_first() {
            self.keep(Entry { id, place, level, used: 0, is_dealt: false });
        }
    }

    fn keep(&mut self, entry: Entry<T>) {
        let place =
            self.kept.partition_point(|other| (other.level, other.place) < (entry.level, entry.place));
        self.kept.insert(place, entry);
    }

    /// Charges a turn with this much work. Its search is not over.
    pub(crate) fn charge(&mut self, turn: &Turn<T>, work: u64) -> Retention {
        let Some(entry) = self.entry_mut(turn.place) else { return Retention::Kept };
        entry.is_dealt = false;
        entry.used = entry.used.saturating_add(work);
        if entry.used < entry.slice() {
            return Retention::Kept;
        }
        let moved = Entry { level: entry.level + 1, used: 0, ..*entry };
        self.remove(turn.place);
        let is_oldest = || {
            self.tried.first_key_value().is_none_or(|(&place, _)| turn.place < place)
                && self.kept.iter().all(|other| turn.place < other.place)
        };
        if turn.level == 0 && self.kept.len() >= KEPT && !is_oldest() {
            self.tried.insert(moved.place, (moved.id, moved.level));
            return Retention::Evicted;
        }
        self.keep(moved);
        Retention::Kept
    }

    fn entry_mut(&mut self, place: Place) -> Option<&mut Entry<T>> {
        match self.untried.binary_search_by_key(&place, |entry| entry.place) {
            Ok(index) => self.untried.get_mut(index),
            Err(_) => self.kept.iter_mut().find(|entry| entry.place == place),
        }
    }

    /// Removes the id of a turn whose search is done.
    pub(crate) fn leave(&mut self, turn: &Turn<T>) {
        self.remove(turn.place);
    }

    fn remove(&mut self, place: Place) {
        match self.untried.binary_search_by_key(&place, |entry| entry.place) {
            Ok(index) => _ = self.untried.remove(index),
            Err(_) => self.kept.retain(|entry| entry.place != place),
        }
    }

    /// Removes all ids for which `stays` returns false.
    pub(crate) fn retain(&mut self, mut stays: impl FnMut(T) -> bool) {
        self.untried.retain(|entry| stays(entry.id));
        self.tried.retain(|_, (id, _)| stays(*id));
        self.kept.retain(|entry| stays(entry.id));
    }

    /// Calls `has_to` for each id that may have begun, from the oldest. If it returns true, the
    /// search begins again.
    pub(crate) fn evict(&mut self, mut has_to: impl FnMut(T) -> bool) {
        let mut begun: Vec<Entry<T>> =
            self.untried.iter().take(MOST_DEALT).chain(&self.kept).copied().collect();
        begun.sort_unstable_by_key(|entry| entry.place);
        for entry in begun {
            if !has_to(entry.id) {
                continue;
            }
            if entry.level > 0 {
                self.remove(entry.place);
                self.tried.insert(entry.place, (entry.id, entry.level));
            } else if let Some(fresh) = self.entry_mut(entry.place) {
                fresh.used = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests;
