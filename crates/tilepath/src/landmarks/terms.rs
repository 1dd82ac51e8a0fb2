//! What patches take from the bounds of one search.
//!
//! b(x, y) is the greatest bound that the tables in use give for the paths from x to y, and R the cells
//! of a patch, whose steps cost c or more. The rest of the path from R to the goals t costs at least
//! D = c + min(b(R, t), b(R, R′) + D′), where R′ is any other patch. The bound of a cell x is
//! min(b(x, t), b(x, R) + D) over all patches.
//!
//! Decision: `docs/decisions/58-landmarks.md`.

use super::{
    distance::{Bound, IN_USE},
    patch::{Ends, Patch},
    tables::LandmarkTables,
};

/// The pairs of patches for one unit of work.
const PAIRS: u64 = 6;

/// For each patch that can lower a bound: what it makes of the bound.
#[derive(Clone, Debug, Default)]
pub(super) struct Terms {
    /// The least cost from each patch to the goals.
    rest: Vec<u32>,
    /// For each patch, the costs at which each table enters it.
    enter: Vec<[u32; IN_USE]>,
    /// For each table in use, the patches that can lower its bound.
    lists: [Vec<u32>; IN_USE],
    work: u64,
}

impl Terms {
    /// # Complexity
    /// O(patches²) for the patches that break a table in use.
    pub(super) fn of(tables: &LandmarkTables, used: &[Bound]) -> Self {
        let breaks = |patch: &&Patch| used.iter().any(|bound| patch.breaks().contains(bound.place));
        let patches: Vec<&Patch> = tables.patches.values().map(|patch| &**patch).filter(breaks).collect();
        if patches.is_empty() {
            return Self::default();
        }
        let rest = rest_of(&patches, used);
        let enter = patches.iter().map(|patch| {
            std::array::from_fn(|number| used.get(number).map_or(0, |bound| patch.ends(bound.place).enter))
        });
        let lists = std::array::from_fn(|number| {
            let Some(bound) = used.get(number) else { return Vec::new() };
            let lowers = |patch: &usize| {
                let at_goals = Ends { leave: bound.at_goals, enter: bound.at_goals };
                // Above the goals, a cell is as far as above the patch and this more.
                let there = patches[*patch].ends(bound.place);
                let is_to = LandmarkTables::is_to_landmark(bound.place);
                let more = Ends { leave: there.enter, enter: there.enter }.bound_to(at_goals, is_to);
                rest[*patch] < more
            };
            (0..patches.len()).filter(lowers).map(|patch| patch as u32).collect()
        });
        let work = (patches.len() as u64).pow(2).div_ceil(PAIRS);
        Self { enter: enter.collect(), rest, lists, work }
    }

    #[inline]
    pub(super) const fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(super) const fn work(&self) -> u64 {
        self.work
    }

    /// Returns the least term of a cell, or the bound `greatest` of the table `best` if that is less.
    /// `costs` are the costs of the cell in the tables in use, of which the first `to` hold the costs to
    /// the landmark.
    #[inline]
    pub(super) fn least(&self, best: usize, greatest: u32, (costs, to): (&[u32], usize)) -> u32 {
        self.lists[best].iter().fold(greatest, |least, &patch| {
            let (rest, enter) = (self.rest[patch as usize], &self.enter[patch as usize]);
            let mut there = 0;
            for (cost, enter) in costs[..to].iter().zip(enter) {
                there = cost.saturating_sub(*enter).max(there);
            }
            for (cost, enter) in costs[to..].iter().zip(&enter[to..]) {
                there = enter.saturating_sub(*cost).max(there);
            }
            least.min(rest.saturating_add(there))
        })
    }
}

/// Returns the least cost from each patch to the goals, by Dijkstra's algorithm over the patches.
fn rest_of(patches: &[&Patch], used: &[Bound]) -> Vec<u32> {
    let between = |from: &Patch, enter: &dyn Fn(usize, &Bound) -> u32| {
        let bounds = used.iter().enumerate().map(|(number, bound)| {
            let to = Ends { leave: 0, enter: enter(number, bound) };
            from.ends(bound.place).bound_to(to, LandmarkTables::is_to_landmark(bound.place))
        });
        bounds.max().unwrap_or(0).saturating_add(from.least())
    };
    let mut rest: Vec<u32> = patches.iter().map(|patch| between(patch, &|_, bound| bound.at_goals)).collect();
    let mut waiting: Vec<usize> = (0..patches.len()).collect();
    while let Some(place) = (0..waiting.len()).min_by_key(|&place| (rest[waiting[place]], waiting[place])) {
        let next = waiting.swap_remove(place);
        for &patch in &waiting {
            let over = between(patches[patch], &|_, bound| patches[next].ends(bound.place).enter);
            rest[patch] = rest[patch].min(over.saturating_add(rest[next]));
        }
    }
    rest
}
