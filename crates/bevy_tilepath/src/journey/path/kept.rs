//! What is proven of how good the rest of a way is.

use smallvec::SmallVec;
use tilepath::Cell;

use super::AgentPath;
use crate::{map::place::MapPlace, order::route::Route};

/// For how many ticks a cell has to be open, where the way was lost, before it counts as a way again: so that a gate that
/// opens and closes for ever does not make agents dance. Each time the way is lost there it is twice as many.
const TRUST: u64 = 32;

/// The longest such wait.
const MOST_TRUST: u64 = 1 << 12;

/// How many cells are remembered where the way was lost: the last ones.
const LOST: usize = 4;

/// What the cheapest rest of a way over one tile map costs at least.
///
/// It is at first the bound of the search. Walking lowers it by what was walked, an edit to what a way by the changed cells
/// would cost at least. While the rest costs no more than that, and what the order tolerates, no search could find a better one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Kept {
    /// The cell of the path, by its index, from which it counts.
    pub(crate) at: usize,
    pub(crate) least: u64,
    /// What edits alone, since the search began that is under way, have lowered it to.
    opened: u64,
    /// By how much the goal has come nearer since then, at most.
    moved: u64,
    /// Of an order that leads near to a target, or away from it: the way does not end there any more.
    pub(crate) misses_goal: bool,
    /// Where the way was lost, the oldest first.
    pub(crate) lost: SmallVec<[LostCell; 1]>,
}

/// Where a way was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LostCell {
    pub(crate) cell: Cell,
    wait: u64,
    /// The tick in which it opened; `None` while it is closed, and when it counts as any other cell again.
    pub(crate) opened: Option<u64>,
}

impl LostCell {
    /// Whether it has been open for long enough.
    pub(crate) fn is_trusted(&self, now: u64) -> bool {
        self.opened.is_some_and(|opened| now.saturating_sub(opened) >= self.wait)
    }
}

impl Kept {
    pub(crate) fn new(least: u64, misses_goal: bool) -> Self {
        Self { least, misses_goal, opened: u64::MAX, ..Self::default() }
    }

    /// An edit makes ways of that cost possible.
    pub(crate) fn lower(&mut self, least: u64) {
        self.least = self.least.min(least);
        self.opened = self.opened.min(least);
    }

    /// No way costs less than that: there is none that is shorter.
    pub(crate) fn raise(&mut self, least: u64) {
        self.least = self.least.max(least);
    }

    fn walk(&mut self, cost: u64) {
        self.least = self.least.saturating_sub(cost);
        if self.opened != u64::MAX {
            self.opened = self.opened.saturating_sub(cost);
        }
    }

    /// A search has begun.
    pub(crate) fn begin_search(&mut self) {
        (self.opened, self.moved) = (u64::MAX, 0);
    }

    /// The goal has moved to where a way back to the old one costs so much.
    pub(crate) fn move_goal(&mut self, back: u64) {
        self.walk(back);
        self.moved = self.moved.saturating_add(back);
    }

    /// The way was lost at that cell.
    pub(crate) fn lose(&mut self, cell: Cell) {
        let known = self.lost.iter().position(|lost| lost.cell == cell);
        let wait = known.map_or(TRUST, |known| (2 * self.lost.remove(known).wait).min(MOST_TRUST));
        if self.lost.len() == LOST {
            self.lost.remove(0);
        }
        self.lost.push(LostCell { cell, wait, opened: None });
    }

    /// Whether a cell where the way was lost waits for being trusted.
    pub(crate) fn waits(&self) -> bool {
        self.lost.iter().any(|lost| lost.opened.is_some())
    }
}

impl AgentPath {
    /// The index, in the leg under way, of the cell that the agent left last; 0 before it has reached the first.
    pub(crate) fn passed(&self) -> usize {
        self.leg().index_of(self.next).saturating_sub(1)
    }

    /// What the way costs from the cell of that index on.
    pub(crate) fn rest_from(&self, index: usize) -> u64 {
        self.leg()
            .cells()
            .map_or(0, |course| course.remaining[index.min(course.remaining.len() - 1)].get().into())
    }

    /// Takes off the bound what has been walked since.
    pub(crate) fn walk_bound_on(&mut self) {
        let passed = self.passed();
        if passed > self.kept.at {
            self.kept.walk(self.rest_from(self.kept.at).saturating_sub(self.rest_from(passed)));
            self.kept.at = passed;
        }
    }

    /// Whether the rest may be worse than the cheapest one by more than that part of it.
    pub(crate) fn may_be_worse(&self, tolerance: f32) -> bool {
        exceeds(self.rest_from(self.kept.at), self.kept.least, tolerance)
    }

    /// Whether the rest costs more than is proven, so that walking alone may make it worse than is tolerated.
    pub(crate) fn is_loose(&self) -> bool {
        self.rest_from(self.kept.at) > self.kept.least
    }

    /// A search has shown that no way from that cell, which may be one of the path, is cheaper than this.
    pub(crate) fn prove(&mut self, from: Cell, least: u64) {
        let Some(cells) = self.leg().path().map(tilepath::Path::cells) else { return };
        let near = self.kept.at.saturating_sub(SLOW_SEARCH)..cells.len();
        let Some(begun) = cells[near.clone()].iter().position(|&cell| cell == from) else { return };
        let begun = near.start + begun;
        let walked = self.rest_from(begun).saturating_sub(self.rest_from(self.kept.at));
        if begun > self.kept.at {
            // The agent was nearer to that cell: what was known counts from there, too.
            self.kept.walk(self.rest_from(self.kept.at).saturating_sub(self.rest_from(begun)));
            self.kept.at = begun;
        }
        let least = least.saturating_sub(walked).saturating_sub(self.kept.moved);
        self.kept.least = self.kept.least.max(least.min(self.kept.opened));
    }

    /// Whether another way from where the agent is costs less by more than that part of it, or leads to the goal where this
    /// one does not.
    pub(crate) fn is_worse_than(&self, other: &Route, tolerance: f32) -> bool {
        if !self.is_partial() && !self.leads_to_goal() {
            return true;
        }
        if self.is_partial() != other.partial {
            return self.is_partial();
        }
        if !self.leads_to_goal() {
            return true;
        }
        let (Some(path), Some(start)) = (self.path(), other.legs[0].first_map_place()) else { return false };
        let near = self.passed()..path.cells().len();
        let here = near.clone().find(|&index| MapPlace::Cell(path.cells()[index]) == start);
        let rest = self.rest_from(here.unwrap_or(near.start));
        if let [leg] = &*other.legs {
            return leg.path().is_some_and(|other| exceeds(rest, other.cost().get().into(), tolerance));
        }
        // Through doors costs are told in world units.
        let unit = self.leg().route_cost() / f64::from(path.cost().get().max(1));
        rest as f64 * unit > other.cost() * (1.0 + f64::from(tolerance))
    }

    /// Whether it ends at the goal, and not where that was before it moved.
    pub(crate) fn leads_to_goal(&self) -> bool {
        if self.route.goals.reach.is_some() {
            return !self.kept.misses_goal;
        }
        let Some(path) = self.path() else { return true };
        self.route.goals.at[self.route.chosen].1 == MapPlace::Cell(path.goal())
    }

    /// No search is to be made for what is known now.
    pub(crate) fn trust(&mut self) {
        self.kept.least = self.rest_from(self.kept.at);
    }
}

/// How many cells an agent may have gone on while a search ran.
const SLOW_SEARCH: usize = 1 << 12;

/// Whether a cost is more than another one, and that part of it on top.
pub(crate) fn exceeds(cost: u64, least: u64, tolerance: f32) -> bool {
    cost as f64 > least as f64 * (1.0 + f64::from(tolerance))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journey::path::tests::along_strip;

    #[test]
    fn bound_known_before_a_search_that_began_further_on_counts_from_there() {
        let mut path = along_strip(9);
        path.kept.lower(70);
        assert_eq!((path.rest_from(0), path.rest_from(1)), (80, 70));
        path.prove(Cell::new(1, 0), 50);
        assert_eq!((path.kept.at, path.kept.least), (1, 60));
        assert!(path.is_loose());
    }

    #[test]
    fn cell_that_is_lost_again_is_trusted_half_as_fast() {
        let mut kept = Kept::new(100, false);
        let gate = Cell::new(3, 3);
        kept.lose(gate);
        kept.lost[0].opened = Some(10);
        assert!(
            kept.waits() && !kept.lost[0].is_trusted(10 + TRUST - 1) && kept.lost[0].is_trusted(10 + TRUST)
        );
        kept.lose(gate);
        assert_eq!((kept.lost.len(), kept.lost[0].wait, kept.lost[0].opened), (1, 2 * TRUST, None));
        for x in 0..10 {
            kept.lose(Cell::new(x, 0));
        }
        assert_eq!(kept.lost.len(), LOST);
    }

    #[test]
    fn edits_during_a_search_stay_when_its_answer_comes() {
        let mut kept = Kept::new(100, false);
        kept.lower(60);
        kept.begin_search();
        kept.walk(10);
        kept.lower(55);
        kept.walk(10);
        assert_eq!((kept.least, kept.opened), (40, 45));
    }
}
