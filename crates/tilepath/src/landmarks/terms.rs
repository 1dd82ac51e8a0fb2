//! The bounds of one search, corrected by patches.
//!
//! b(x, y) is the greatest bound that the tables in use give for the paths from x to y. R are the cells
//! of a patch, whose steps cost c or more. The rest of the path from R to the goals t costs D or more.
//! D is c + min(b(R, t), b(R, R′) + D′), where R′ is any other patch. The bound of a cell x is
//! min(b(x, t), b(x, R) + D) over all patches.
//!
//! If not all cells were connected, b(x, y) is endless for x and y in different regions: a path from one
//! to the other takes a step of a patch. So the cells of a patch are taken region by region.
//!
//! Decision: `docs/decisions/58-landmarks.md`.

use super::{
    distance::{Bound, IN_USE},
    labels::NO_LABEL,
    patch::{Ends, LABELS, Patch},
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
    /// The levels at which paths leave the cells.
    leave: Levels,
    /// The levels at which paths come to them.
    enter: Levels,
    /// The least cost from the patch to the goals.
    rest: u32,
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
        let patches: Vec<&Patch> = tables.patches().filter(breaks).collect();
        if patches.is_empty() {
            return Self::default();
        }
        let at_goals: Levels = std::array::from_fn(|number| {
            used.get(number).map_or(0, |bound| level(bound.place, bound.at_goals))
        });
        let here = label.unwrap_or(NO_LABEL);
        let groups: Vec<Vec<Group>> =
            patches.iter().map(|patch| groups_of(patch, used, label.is_some())).collect();
        let (rest, near) = rest_of(&patches, &groups, (&at_goals, here), cap);
        let groups = groups.into_iter().zip(rest);
        let groups = groups.filter(|&(_, rest)| rest < cap);
        let groups: Vec<Group> = groups
            .flat_map(|(groups, rest)| groups.into_iter().map(move |group| Group { rest, ..group }))
            .collect();
        let lists = std::array::from_fn(|number| {
            // Above the goals, a cell is as far as above the group and this more.
            let lowers = |group: &Group| group.rest < group.enter[number].saturating_sub(at_goals[number]);
            let used = if number < used.len() { &groups[..] } else { &[] };
            let listed = (0..).zip(used).filter(|(_, group)| group.label == here && lowers(group));
            listed.map(|(place, _)| place).collect()
        });
        let work = (patches.len() as u64 * (1 + near)).div_ceil(PAIRS);
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
    /// less. `levels` are the levels of the cell.
    #[inline]
    pub(super) fn least(
        &self,
        tables: &LandmarkTables,
        node: GridNode,
        (best, greatest): (usize, u32),
        levels: &Levels,
    ) -> u32 {
        let term = |group: &Group| group.rest.saturating_add(bound(levels, &group.enter));
        let label = self.label.map_or(NO_LABEL, |_| tables.label(node));
        if label == self.label.unwrap_or(NO_LABEL) {
            let groups = self.lists[best].iter().map(|&group| &self.groups[group as usize]);
            return groups.fold(greatest.min(self.cap), |least, group| least.min(term(group)));
        }
        let groups = self.groups.iter().filter(|group| group.label == label);
        groups.fold(self.cap, |least, group| least.min(term(group)))
    }
}

/// Returns the cells of a patch, region by region or all together, with the ranges of the tables in use.
fn groups_of(patch: &Patch, used: &[Bound], by_region: bool) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (label, ends) in patch.groups() {
        let levels = |of: fn(&Ends) -> u32| -> Levels {
            std::array::from_fn(|number| {
                let Some(Bound { place, .. }) = used.get(number) else { return 0 };
                let cost = of(&ends[*place]);
                if LandmarkTables::is_to_landmark(*place) { cost } else { !cost }
            })
        };
        let (leave, enter) = (levels(|ends| ends.leave), levels(|ends| ends.enter));
        if let Some(all) = groups.first_mut().filter(|_| !by_region) {
            for number in 0..IN_USE {
                all.leave[number] = all.leave[number].min(leave[number]);
                all.enter[number] = all.enter[number].max(enter[number]);
            }
        } else {
            let label = if by_region { label } else { NO_LABEL };
            groups.push(Group { label, leave, enter, rest: FAR_AWAY });
        }
    }
    groups
}

/// Returns the least cost from each patch to the goals, by Dijkstra's algorithm over the patches, and the
/// number of those from which it is below the cap. Of the others, any number from the cap on is returned.
fn rest_of(
    patches: &[&Patch],
    groups: &[Vec<Group>],
    (at_goals, label): (&Levels, u16),
    cap: u32,
) -> (Vec<u32>, u64) {
    let to_goals = |(patch, groups): (&&Patch, &Vec<Group>)| {
        let here = groups.iter().find(|group| group.label == label);
        here.map_or(FAR_AWAY, |group| patch.least().saturating_add(bound(&group.leave, at_goals)))
    };
    let mut rest: Vec<u32> = patches.iter().zip(groups).map(to_goals).collect();
    let between = |from: usize, to: usize| {
        let pairs = groups[from].iter().flat_map(|here| groups[to].iter().map(move |there| (here, there)));
        let pairs = pairs.filter(|(here, there)| here.label == there.label);
        pairs.map(|(here, there)| bound(&here.leave, &there.enter)).min()
    };
    let (mut waiting, mut near): (Vec<usize>, u64) = ((0..patches.len()).collect(), 0);
    while let Some(place) = (0..waiting.len()).min_by_key(|&place| (rest[waiting[place]], waiting[place])) {
        let next = waiting.swap_remove(place);
        if rest[next] >= cap {
            break;
        }
        near += 1;
        for &patch in &waiting {
            if let Some(bound) = between(patch, next) {
                let over = bound.saturating_add(patches[patch].least()).saturating_add(rest[next]);
                rest[patch] = rest[patch].min(over);
            }
        }
    }
    (rest, near)
}
