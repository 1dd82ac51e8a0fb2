//! The bounds of one search, corrected by patches.
//!
//! b(x, y) is the greatest bound that the tables in use give for the paths from x to y. The steps of a patch
//! begin at cells R, end at cells S, and cost c or more. From R to the goals t, paths over such a step cost D
//! or more. D is c + min(b(S, t), b(S, R′) + D′), where R′ and D′ belong to any other patch. The bound of a
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

/// The patches that are read, or the pairs of them that are compared, for one unit of work.
const PAIRS: u64 = 6;
/// The pairs that one table decides, for one unit of work.
const QUICK_PAIRS: u64 = 32;
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

/// The levels of patches in the tables in use, each for one region or for all together.
#[derive(Default)]
struct Ways {
    enter: Vec<(u16, Levels)>,
    leave: Vec<(u16, Levels)>,
    patches: Vec<Way>,
}

/// One patch: the places of its levels.
struct Way {
    enter: [usize; 2],
    leave: [usize; 2],
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
        let mut ways = Ways::default();
        for patch in tables.patches().filter(breaks) {
            ways.add(patch, used, label.is_some());
        }
        if ways.patches.is_empty() {
            return Self::default();
        }
        let at_goals: Levels = std::array::from_fn(|number| {
            used.get(number).map_or(0, |bound| level(bound.place, bound.at_goals))
        });
        let here = label.unwrap_or(NO_LABEL);
        let (rest, work) = ways.rest((&at_goals, here), cap);
        let near = ways.patches.iter().zip(rest).filter(|&(_, rest)| rest < cap);
        let groups = near.flat_map(|(way, rest)| {
            ways.entries(way).iter().map(move |&(label, enter)| Group { label, enter, rest })
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
    fn add(&mut self, patch: &Patch, used: &[Bound], by_region: bool) {
        let add = |all: &mut Vec<(u16, Levels)>, ranges: &[(u16, Vec<u32>)], join: fn(u32, u32) -> u32| {
            let first = all.len();
            for (label, range) in ranges {
                let levels = |number: usize| match used.get(number) {
                    None => 0,
                    Some(bound) if LandmarkTables::is_to_landmark(bound.place) => range[bound.place],
                    Some(bound) => !range[bound.place],
                };
                let levels: Levels = std::array::from_fn(levels);
                match all.get_mut(first).filter(|_| !by_region) {
                    Some((_, others)) => *others = std::array::from_fn(|n| join(others[n], levels[n])),
                    None => all.push((if by_region { *label } else { NO_LABEL }, levels)),
                }
            }
            [first, all.len()]
        };
        let enter = add(&mut self.enter, patch.enter(), u32::max);
        let leave = add(&mut self.leave, patch.leave(), u32::min);
        self.patches.push(Way { enter, leave, least: patch.least() });
    }

    fn entries(&self, way: &Way) -> &[(u16, Levels)] {
        &self.enter[way.enter[0]..way.enter[1]]
    }

    fn exits(&self, way: &Way) -> &[(u16, Levels)] {
        &self.leave[way.leave[0]..way.leave[1]]
    }

    /// Returns the least cost from each patch to the goals, by Dijkstra's algorithm over the patches, and the
    /// work. From the cap on, any number from the cap on is returned.
    fn rest(&self, (at_goals, label): (&Levels, u16), cap: u32) -> (Vec<u32>, u64) {
        let patches = &self.patches;
        let to_goals = |way: &Way| {
            let exits = self.exits(way).iter().filter(|(from, _)| *from == label);
            let bound = exits.map(|(_, leave)| bound(leave, at_goals)).min();
            bound.map_or(FAR_AWAY, |bound| way.least.saturating_add(bound))
        };
        let mut rest: Vec<u32> = patches.iter().map(to_goals).collect();
        // The table by which the goals are farthest. It mostly shows that a path over another patch costs more.
        let farthest = |way: &Way| {
            let leave = self.exits(way).first().map(|(_, leave)| leave);
            let above = |table: &usize| leave.map(|leave| leave[*table].saturating_sub(at_goals[*table]));
            (0..IN_USE).max_by_key(above).unwrap_or(0)
        };
        let farthest: Vec<usize> = patches.iter().map(farthest).collect();
        let (mut waiting, mut quick, mut pairs): (Vec<usize>, u64, u64) =
            ((0..patches.len()).collect(), 0, 0);
        while let Some(place) = (0..waiting.len()).min_by_key(|&place| (rest[waiting[place]], waiting[place]))
        {
            let next = waiting.swap_remove(place);
            if rest[next] >= cap {
                break;
            }
            for &patch in &waiting {
                let over = patches[patch].least.saturating_add(rest[next]);
                let table = farthest[patch];
                for (label, enter) in self.entries(&patches[next]) {
                    for (_, leave) in self.exits(&patches[patch]).iter().filter(|(from, _)| from == label) {
                        quick += 1;
                        let shown = leave[table].saturating_sub(enter[table]);
                        if over.saturating_add(shown) < rest[patch].min(cap) {
                            pairs += 1;
                            rest[patch] = rest[patch].min(over.saturating_add(bound(leave, enter)));
                        }
                    }
                }
            }
        }
        (rest, quick.div_ceil(QUICK_PAIRS) + (patches.len() as u64 + pairs).div_ceil(PAIRS))
    }
}
