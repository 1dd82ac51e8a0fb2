//! The bounds of one search, corrected by patches.
//!
//! b(x, y) is the greatest bound that the tables in use give for the paths from x to y. The steps of a patch
//! begin at cells R, end at cells S, and cost c or more. From R to the goals t, paths over such a step cost D
//! or more. D is c + min(b(S, t), b(S, R′) + D′), where R′ and D′ are those of any other patch. The bound of a
//! cell x is min(b(x, t), b(x, R) + D) over all patches.
//!
//! If not all cells were connected, b(x, y) is endless for x and y in different regions: a path from one
//! to the other takes a step of a patch. So the cells of a patch are taken region by region.
//!
//! Decision: `docs/decisions/58-landmarks.md`.

use super::{
    distance::{Bound, IN_USE},
    labels::NO_LABEL,
    patch::{LABELS, Patch},
    table::UNKNOWN,
    tables::LandmarkTables,
};
use crate::space::grid::GridNode;

/// The pairs of patches for one unit of work.
const PAIRS: u64 = 6;
/// The bound of a cell from which no path is known.
pub(super) const FAR_AWAY: u32 = u32::MAX / 2;

/// A cost in each table in use, so that the bound for the paths from x to y is the greatest difference
/// x − y. Costs from landmarks are inverted.
pub(super) type Levels = [u32; IN_USE];

/// Returns the level of a cost in a table.
#[inline]
pub(super) const fn level(place: usize, cost: u32) -> u32 {
    match cost {
        // A table that does not know the cell gives no bound.
        UNKNOWN => 0,
        _ if LandmarkTables::is_to_landmark(place) => cost,
        _ => !cost,
    }
}

/// Returns the greatest bound for the paths from cells of some levels to cells of others.
#[expect(clippy::inline_always, reason = "it runs several times for each entry of a search")]
#[inline(always)]
fn bound(from: &Levels, to: &Levels) -> u32 {
    let mut greatest = 0;
    for number in 0..IN_USE {
        greatest = from[number].saturating_sub(to[number]).max(greatest);
    }
    greatest
}

/// The cells of a patch in one region.
#[derive(Clone, Debug)]
struct Group {
    label: u16,
    /// The levels at which paths come to its steps.
    enter: Levels,
    /// The least cost from the patch to the goals.
    rest: u32,
}

/// The levels of a patch in the tables in use, each for one region or for all together.
struct Ways {
    enter: Vec<(u16, Levels)>,
    leave: Vec<(u16, Levels)>,
    /// The least cost of a step.
    least: u32,
}

/// For each patch that can lower a bound: what it makes of the bound.
#[derive(Clone, Debug, Default)]
pub(super) struct Terms {
    groups: Vec<Group>,
    /// For each table in use, the groups in the region of the goals that can lower its bound.
    lists: [Vec<u32>; IN_USE],
    /// The region of the goals, if regions count.
    label: Option<u16>,
    /// The greatest bound of any cell. Patches from which the rest costs more are left out.
    cap: u32,
    work: u64,
}

impl Terms {
    /// `cap` is the greatest bound that any cell needs.
    ///
    /// # Complexity
    /// O(patches × near patches) for the patches that break a table in use. The rest from a near patch costs
    /// less than `cap`.
    pub(super) fn of(tables: &LandmarkTables, used: &[Bound], goals: &[GridNode], cap: u32) -> Self {
        if tables.patches.is_empty() {
            return Self::default();
        }
        let label = tables.common_label(goals);
        let breaks = |patch: &&Patch| {
            label.is_some() && patch.breaks().contains(LABELS)
                || used.iter().any(|bound| patch.breaks().contains(bound.place))
        };
        let by_region = label.is_some();
        let ways: Vec<Ways> =
            tables.patches().filter(breaks).map(|patch| Ways::of(patch, used, by_region)).collect();
        if ways.is_empty() {
            return Self::default();
        }
        let at_goals: Levels = std::array::from_fn(|number| {
            used.get(number).map_or(0, |bound| level(bound.place, bound.at_goals))
        });
        let here = label.unwrap_or(NO_LABEL);
        let (rest, near) = rest_of(&ways, (&at_goals, here), cap);
        let near_ways = ways.iter().zip(rest).filter(|&(_, rest)| rest < cap);
        let groups = near_ways.flat_map(|(ways, rest)| {
            ways.enter.iter().map(move |&(label, enter)| Group { label, enter, rest })
        });
        let mut groups: Vec<Group> = groups.collect();
        groups.sort_by_key(|group| group.rest);
        let lists = std::array::from_fn(|number| {
            // Above the goals, a cell is as far as above the group and this more.
            let lowers = |group: &Group| group.rest < group.enter[number].saturating_sub(at_goals[number]);
            let used = if number < used.len() { &groups[..] } else { &[] };
            let listed = (0..).zip(used).filter(|(_, group)| group.label == here && lowers(group));
            listed.map(|(place, _)| place).collect()
        });
        let work = (ways.len() as u64 * (1 + near)).div_ceil(PAIRS);
        Self { groups, lists, label, cap, work }
    }

    #[inline]
    pub(super) const fn is_empty(&self) -> bool {
        self.work == 0
    }

    pub(super) const fn work(&self) -> u64 {
        self.work
    }

    /// Returns the bound of a cell: its least term, or the bound `greatest` of the table `best` if that is
    /// less. `levels` are the levels of the cell. A bound up to `enough` may be too high, but not above it.
    /// Also returns the number of terms.
    #[inline]
    pub(super) fn least(
        &self,
        tables: &LandmarkTables,
        node: GridNode,
        (best, greatest): (usize, u32),
        levels: &Levels,
        enough: u32,
    ) -> (u32, usize) {
        let label = self.label.map_or(NO_LABEL, |_| tables.label(node));
        let term = |group: &Group| group.rest.saturating_add(bound(levels, &group.enter));
        let mut looked = 0;
        let mut least;
        if label == self.label.unwrap_or(NO_LABEL) {
            least = greatest.min(self.cap);
            for &group in &self.lists[best] {
                let group = &self.groups[group as usize];
                // Later ones have more to go.
                if least <= enough || group.rest >= least {
                    break;
                }
                looked += 1;
                least = least.min(term(group));
            }
        } else {
            least = self.cap;
            for group in &self.groups {
                if least <= enough || group.rest >= least {
                    break;
                }
                looked += 1;
                if group.label == label {
                    least = least.min(term(group));
                }
            }
        }
        (least, looked)
    }
}

impl Ways {
    fn of(patch: &Patch, used: &[Bound], by_region: bool) -> Self {
        let all = |ranges: &[(u16, Vec<u32>)], join: fn(u32, u32) -> u32| {
            let mut all: Vec<(u16, Levels)> = Vec::new();
            for (label, range) in ranges {
                let levels = |number: usize| match used.get(number) {
                    None => 0,
                    Some(bound) if LandmarkTables::is_to_landmark(bound.place) => range[bound.place],
                    Some(bound) => !range[bound.place],
                };
                let levels: Levels = std::array::from_fn(levels);
                match all.first_mut().filter(|_| !by_region) {
                    Some((_, others)) => *others = std::array::from_fn(|n| join(others[n], levels[n])),
                    None => all.push((if by_region { *label } else { NO_LABEL }, levels)),
                }
            }
            all
        };
        let (enter, leave) = (all(patch.enter(), u32::max), all(patch.leave(), u32::min));
        Self { enter, leave, least: patch.least() }
    }

    /// Returns the least bound of the paths from this patch to some levels in a region.
    fn bound_to(&self, (label, levels): (u16, &Levels)) -> Option<u32> {
        let leave = self.leave.iter().filter(|&&(from, _)| from == label);
        leave.map(|(_, leave)| bound(leave, levels)).min()
    }
}

/// Returns the least cost from each patch to the goals, by Dijkstra's algorithm over the patches, and the
/// number of those from which it is below the cap. Of the others, any number from the cap on is returned.
fn rest_of(ways: &[Ways], (at_goals, label): (&Levels, u16), cap: u32) -> (Vec<u32>, u64) {
    let to_goals = |ways: &Ways| {
        ways.bound_to((label, at_goals)).map_or(FAR_AWAY, |bound| ways.least.saturating_add(bound))
    };
    let mut rest: Vec<u32> = ways.iter().map(to_goals).collect();
    let (mut waiting, mut near): (Vec<usize>, u64) = ((0..ways.len()).collect(), 0);
    while let Some(place) = (0..waiting.len()).min_by_key(|&place| (rest[waiting[place]], waiting[place])) {
        let next = waiting.swap_remove(place);
        if rest[next] >= cap {
            break;
        }
        near += 1;
        for &patch in &waiting {
            let to = ways[next].enter.iter().filter_map(|(label, to)| ways[patch].bound_to((*label, to)));
            if let Some(bound) = to.min() {
                let over = bound.saturating_add(ways[patch].least).saturating_add(rest[next]);
                rest[patch] = rest[patch].min(over);
            }
        }
    }
    (rest, near)
}
