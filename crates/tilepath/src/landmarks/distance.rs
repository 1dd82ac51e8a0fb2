//! The estimate of a search that landmarks lead.

use super::{
    ground::MapGround,
    lean::Lean,
    table::UNKNOWN,
    tables::LandmarkTables,
    terms::{FAR_AWAY, Terms, level},
};
use crate::{
    cell::Cell,
    cost::Cost,
    movement_map::meter::Meter,
    search::{ByPriority, Heuristic, Strategy},
    space::{grid::GridNode, octile_distance::OctileDistance},
};

/// The number of tables that a search uses. More cost as much time as they save.
pub(super) const IN_USE: usize = 8;
/// The fewest steps to the goal. A nearer goal is found before the choice of landmarks pays.
const FAR: u32 = 16;

/// Whether landmarks lead a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Guidance {
    Never,
    /// If the goal is far, and the bound of the start is not below its octile estimate.
    IfUseful,
    /// If they reach the start and the goal.
    Always,
}

/// A table as a bound for the paths to the goals of one search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bound {
    pub(super) place: usize,
    /// If the table holds the costs to the landmark: the highest cost from a goal. If it holds the
    /// costs from the landmark: the least cost to a goal.
    pub(super) at_goals: u32,
    leans: bool,
}

impl Bound {
    /// Makes the bound of a table, with its value at the start, which is below zero if the bound is
    /// useless there. Returns `None` if the table does not know the start and all goals.
    fn of(
        tables: &LandmarkTables,
        place: usize,
        start: GridNode,
        goals: &[GridNode],
        lean: Lean<'_>,
    ) -> Option<(i64, Self)> {
        let cost =
            |node: GridNode| Some(tables.leaning_cost(place, node, lean)).filter(|&cost| cost != UNKNOWN);
        let here = i64::from(cost(start)?);
        let mut costs = goals.iter().map(|&goal| cost(goal));
        let (at_goals, value) = if LandmarkTables::is_to_landmark(place) {
            let highest = costs.try_fold(0, |most: u32, cost| Some(most.max(cost?)))?;
            (highest, here - i64::from(highest))
        } else {
            let least = costs.try_fold(u32::MAX, |least, cost| Some(least.min(cost?)))?;
            (least, i64::from(least) - here)
        };
        Some((value, Self { place, at_goals, leans: tables.leans(place) }))
    }
}

/// Returns the bounds that all tables give for the paths from a start to some goals, each with its value
/// at the start.
fn bounds_of<'a>(
    tables: &'a LandmarkTables,
    start: GridNode,
    goals: &'a [GridNode],
    lean: Lean<'a>,
) -> impl Iterator<Item = (i64, Bound)> + 'a {
    (0..tables.places()).filter_map(move |place| Bound::of(tables, place, start, goals, lean))
}

/// Returns the greatest bound of all landmarks for the paths between two cells, or the octile estimate
/// if that is greater.
///
/// # Complexity
/// O(landmarks), and O(patches²) if the bound without patches is above the octile estimate.
pub(crate) fn bound_between(
    tables: &LandmarkTables,
    map: MapGround<'_>,
    ends: [GridNode; 2],
    octile: Cost,
) -> Cost {
    let wanted = Wanted { least: u64::from(octile.get()) + 1, is_for_start: true };
    let Some(lead) = Lead::best(tables, map, ends[0], &[ends[1]], [0; 2], wanted) else { return octile };
    Cost::new(lead.bound(tables, Lean::of(map), ends[0], || octile.get()).0).max(octile)
}

/// The bounds for which tables are chosen.
#[derive(Clone, Copy)]
struct Wanted {
    /// A lower bound of the start is of no use.
    least: u64,
    /// True if the bounds of no other cell matter.
    is_for_start: bool,
}

/// The tables that lead a search.
#[derive(Clone, Debug)]
pub(crate) struct Lead {
    /// The best bounds of the start, the greatest first.
    bounds: [Bound; IN_USE],
    /// The number of bounds.
    count: usize,
    /// Whether the lean is added for any of them.
    leans: bool,
    /// The corrections by patches.
    terms: Terms,
    /// The octile estimate at the goals, which is the same for all of them.
    at_goals: u64,
}

impl Lead {
    /// Chooses the landmarks for a search from a start to the cheapest of some goals. `octile` is
    /// the estimate that the search would use without them; all goals have the same. Returns `None`
    /// if landmarks do not lead the search.
    ///
    /// # Complexity
    /// O(landmarks × goals + patches²).
    pub(crate) fn choose(
        tables: &LandmarkTables,
        map: MapGround<'_>,
        start: GridNode,
        goals: &[GridNode],
        (octile, guidance): (OctileDistance, Guidance),
    ) -> Option<Self> {
        let is_asked = guidance == Guidance::Always;
        let nearest = goals.iter().map(|goal| goal.distance(start)).min()?;
        let is_near = nearest < FAR;
        if guidance == Guidance::Never || is_near && !is_asked || !map.is_open(start) {
            return None;
        }
        let at_goals = octile.distance(*goals.first()?);
        let there = octile.distance(start) - at_goals.min(octile.distance(start));
        let least = if is_asked { 0 } else { octile.distance(start).saturating_sub(at_goals) };
        let wanted = Wanted { least, is_for_start: false };
        let lead = Self::best(tables, map, start, goals, [at_goals, there], wanted)?;
        let (bound, _) = lead.bound(tables, Lean::of(map), start, || 0);
        let is_useful = at_goals + u64::from(bound) >= octile.distance(start);
        (is_useful || is_asked).then_some(lead)
    }

    /// Takes the tables with the greatest bounds of the start. Returns `None` if the start or a
    /// goal is in no table, or the bound of the start is too low.
    fn best(
        tables: &LandmarkTables,
        map: MapGround<'_>,
        start: GridNode,
        goals: &[GridNode],
        [at_goals, there]: [u64; 2],
        wanted: Wanted,
    ) -> Option<Self> {
        let mut best: [Option<(i64, Bound)>; IN_USE] = [None; IN_USE];
        for bound in bounds_of(tables, start, goals, Lean::of(map)) {
            let mut next = Some(bound);
            for place in &mut best {
                // If two bounds are equal, the first landmark stays ahead.
                if next.map(|(value, _)| value) > place.map(|(value, _)| value) {
                    std::mem::swap(&mut next, place);
                }
            }
        }
        let (value, first) = best[0]?;
        let (mut bounds, mut count) = ([first; IN_USE], 0);
        for (_, bound) in best.into_iter().flatten() {
            bounds[count] = bound;
            count += 1;
        }
        let is_near = goals.iter().all(|&goal| tables.label(goal) == tables.label(start));
        let value = value.max(0).unsigned_abs();
        // Within a region, patches only lower a bound.
        if is_near && value < wanted.least {
            return None;
        }
        let bound = there.max(value);
        // Cells that are farther from the goals are hardly on a cheapest path.
        let cap = if wanted.is_for_start { bound } else { bound + bound / 4 };
        let cap = u32::try_from(cap).unwrap_or(FAR_AWAY).min(FAR_AWAY);
        let terms = Terms::of(tables, &bounds[..count], goals, if is_near { cap } else { FAR_AWAY });
        let leans = bounds[..count].iter().any(|bound| bound.leans);
        Some(Self { bounds, count, leans, terms, at_goals })
    }

    /// Returns whether patches correct the bounds.
    pub(crate) const fn has_terms(&self) -> bool {
        !self.terms.is_empty()
    }

    /// Returns the work of the choice, which is more than none only if there are patches.
    pub(crate) const fn work(&self) -> u64 {
        self.terms.work()
    }

    /// Returns the cells of the landmarks in use, the best for the start first.
    pub(crate) fn landmarks<'a>(&'a self, tables: &'a LandmarkTables) -> impl Iterator<Item = Cell> + 'a {
        let used = &self.bounds[..self.count];
        let is_it = |bound: &Bound, other: &Bound| bound.place / 2 == other.place / 2;
        let is_first = move |number: usize| !used[..number].iter().any(|bound| is_it(bound, &used[number]));
        let first = (0..used.len()).filter(move |&number| is_first(number));
        first.map(|number| tables.landmarks()[used[number].place / 2])
    }

    /// Returns a lower bound for the cost of the paths from a cell to the goals, and the number of terms of
    /// patches that were looked at.
    #[expect(clippy::inline_always, reason = "it runs for each entry of a search")]
    #[inline(always)]
    fn bound(
        &self,
        tables: &LandmarkTables,
        lean: Lean<'_>,
        node: GridNode,
        enough: impl FnOnce() -> u32,
    ) -> (u32, usize) {
        let lean = if self.leans { lean.at(node) } else { 0 };
        let spot = tables.spot(node);
        let mut levels = [0; IN_USE];
        let (mut best, mut greatest) = (0, 0);
        for (number, bound) in self.bounds[..self.count].iter().enumerate() {
            let cost = tables.cost_at(bound.place, spot, node);
            let cost = cost.saturating_add(if bound.leans { lean } else { 0 });
            levels[number] = level(bound.place, cost);
            let value = levels[number].saturating_sub(level(bound.place, bound.at_goals));
            if value > greatest {
                (best, greatest) = (number, value);
            }
        }
        if self.terms.is_empty() {
            return (greatest, 0);
        }
        self.terms.least(tables, node, (best, greatest), &levels, enough())
    }
}

/// The octile estimate, or the greatest bound of the landmarks in use if that is greater.
/// Consistent.
#[derive(Clone, Copy)]
pub(crate) struct LandmarkDistance<'a> {
    octile: OctileDistance,
    lead: &'a Lead,
    tables: &'a LandmarkTables,
    lean: Lean<'a>,
    map: MapGround<'a>,
    /// Counts the terms of patches.
    meter: Option<&'a Meter<'a>>,
}

impl<'a> LandmarkDistance<'a> {
    /// Makes the estimate of a search that landmarks lead, or returns `None` for another search.
    pub(crate) fn of(
        lead: Option<&'a Lead>,
        tables: Option<&'a LandmarkTables>,
        octile: OctileDistance,
        map: MapGround<'a>,
    ) -> Option<Self> {
        let (lead, tables) = lead.zip(tables)?;
        Some(Self { octile, lead, tables, lean: Lean::of(map), map, meter: None })
    }

    /// Lets a meter count the terms of patches, each as a part of a unit.
    pub(crate) const fn counted_by(self, meter: Option<&'a Meter<'a>>) -> Self {
        Self { meter, ..self }
    }

    /// Returns the estimate of any cell, or `None` if it is closed.
    pub(crate) fn of_any_cell(&self, node: GridNode) -> Option<Cost> {
        self.map.is_open(node).then(|| Heuristic::estimate(self, node))
    }

    /// Returns the estimate of an open cell.
    #[expect(clippy::inline_always, reason = "it runs for each entry of a search")]
    #[inline(always)]
    fn distance(&self, node: GridNode) -> u64 {
        let octile = self.octile.distance(node);
        // A bound that is not above the octile estimate has no effect.
        let enough = || octile.saturating_sub(self.lead.at_goals).min(u64::from(u32::MAX)) as u32;
        let (bound, terms) = self.lead.bound(self.tables, self.lean, node, enough);
        if let Some(meter) = self.meter.filter(|_| terms > 0) {
            meter.add_parts(terms as u64);
        }
        octile.max(self.lead.at_goals + u64::from(bound))
    }
}

impl Heuristic<GridNode, Cost> for LandmarkDistance<'_> {
    const IS_CONSISTENT: bool = true;

    #[inline]
    fn estimate(&self, node: GridNode) -> Cost {
        Cost::new(self.distance(node).min(u64::from(u32::MAX)) as u32)
    }
}

/// A* with a sum of 64 bits, so that only one test for overflow is needed.
impl Strategy<GridNode, Cost> for LandmarkDistance<'_> {
    type Order = ByPriority;
    type Priority = Cost;

    #[inline]
    fn priority(&self, g: Cost, node: GridNode) -> Option<Cost> {
        u32::try_from(u64::from(g.get()) + self.distance(node)).ok().map(Cost::new)
    }
}
