//! The estimate of a search that landmarks lead.

use super::{
    ground::MapGround,
    tiles::{Directions, LandmarkTables},
};
use crate::{
    cell::Cell,
    cost::Cost,
    movement_map::plane::{Ground as _, Plane},
    search::{ByPriority, Heuristic, Strategy},
    space::{grid::GridNode, octile_distance::OctileDistance},
};

/// The number of tables that a search uses. More cost as much time as they save.
const IN_USE: usize = 8;
/// The fewest steps to the goal. A nearer goal is found before the choice of landmarks pays.
const FAR: u32 = 16;

/// The estimate of a cell from which no path leads to the goal.
const DEAD_END: u64 = u64::MAX;

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
struct Bound {
    landmark: usize,
    table: usize,
    /// If the table holds the costs to the landmark: the highest cost from a goal. If it holds the
    /// costs from the landmark: the least cost to a goal.
    at_goals: u32,
}

/// The correction for a table that holds both directions: the cost of a cell. Added to the cost of
/// the path to the landmark, it gives the cost of the path from the landmark, with the cost of the
/// landmark's cell. A step adds at most its cost to this sum, as to a least cost.
#[derive(Clone, Copy)]
struct Lean<'map> {
    ground: Option<Plane<'map>>,
    width: usize,
}

impl<'map> Lean<'map> {
    fn of(tables: &LandmarkTables, map: MapGround<'map>) -> Self {
        let leans = tables.directions() == Directions::OneLength;
        Self {
            ground: leans.then(|| map.movement_map.plane(map.classes)),
            width: map.bounds.width() as usize,
        }
    }

    /// Returns what is added at a cell: its cost on the map, which is at least its cost on the floor.
    /// So a step from the cell lowers the estimate by at most the cost of the cell that it enters. A
    /// closed cell has no cost on the map, and no bound.
    #[inline]
    fn at(&self, node: GridNode) -> u32 {
        let Some(ground) = self.ground else { return 0 };
        match ground.entry_cost(self.slot(node), 0) {
            0 => u32::MAX,
            cost => cost,
        }
    }

    /// Returns what is added at a goal.
    fn at_goal(&self, goal: GridNode) -> u32 {
        self.ground.map_or(0, |ground| ground.entry_cost(self.slot(goal), 0))
    }

    #[inline]
    const fn slot(&self, node: GridNode) -> usize {
        node.y() as usize * self.width + node.x() as usize
    }
}

/// The kind of the costs in a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Costs {
    ToLandmark,
    FromLandmark,
}

impl Bound {
    /// Makes the bound of a landmark by one of its tables, with its value at the start, which is below
    /// zero if the bound is useless there. Returns `None` if the landmark is not connected with the
    /// start and all goals in the direction of the table.
    fn of(
        tables: &LandmarkTables,
        (landmark, kind): (usize, Costs),
        start: GridNode,
        goals: &[GridNode],
        lean: Lean<'_>,
    ) -> Option<(i64, Self)> {
        let [to, from] = tables.of_landmark(landmark);
        let table = if kind == Costs::ToLandmark { to } else { from };
        let here = i64::from(tables.cost(table, start)?);
        let mut costs = goals.iter().map(|&goal| tables.cost(table, goal));
        let (at_goals, value) = match kind {
            Costs::ToLandmark => {
                let highest = costs.try_fold(0, |most: u32, cost| Some(most.max(cost?)))?;
                (highest, here - i64::from(highest))
            }
            Costs::FromLandmark => {
                let mut costs = costs.zip(goals);
                let least = costs.try_fold(u32::MAX, |least, (cost, &goal)| {
                    Some(least.min(cost?.saturating_add(lean.at_goal(goal))))
                })?;
                (least, i64::from(least) - here - i64::from(lean.at(start)))
            }
        };
        Some((value, Self { landmark, table, at_goals }))
    }
}

/// Returns the bounds that all tables give for the paths from a start to some goals, each with its kind
/// and its value at the start.
fn bounds_of<'a>(
    tables: &'a LandmarkTables,
    start: GridNode,
    goals: &'a [GridNode],
    lean: Lean<'a>,
) -> impl Iterator<Item = (i64, Bound, Costs)> + 'a {
    let kinds = (0..tables.landmarks().len())
        .flat_map(|landmark| [(landmark, Costs::ToLandmark), (landmark, Costs::FromLandmark)]);
    kinds.filter_map(move |(landmark, kind)| {
        let (value, bound) = Bound::of(tables, (landmark, kind), start, goals, lean)?;
        Some((value, bound, kind))
    })
}

/// Returns the greatest bound of all landmarks for the paths between two cells; 0 if no landmark
/// reaches both.
///
/// # Complexity
/// O(landmarks).
pub(crate) fn bound_between(
    tables: &LandmarkTables,
    map: MapGround<'_>,
    [start, goal]: [GridNode; 2],
) -> Cost {
    let values = bounds_of(tables, start, &[goal], Lean::of(tables, map)).map(|(value, ..)| value).max();
    Cost::new(values.unwrap_or(0).clamp(0, u32::MAX.into()) as u32)
}

/// The landmarks that lead a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lead {
    /// The best bounds of the start: those by the costs to landmarks, then those by the costs from
    /// landmarks.
    bounds: [Bound; IN_USE],
    /// The number of bounds by the costs to landmarks, and of all bounds.
    counts: [usize; 2],
    /// The landmarks of all bounds, the best bound first.
    landmarks: [usize; IN_USE],
    /// The octile estimate at the goals, which is the same for all of them.
    at_goals: u64,
}

impl Lead {
    /// Chooses the landmarks for a search from a start to the cheapest of some goals. `octile` is
    /// the estimate that the search would use without them; all goals have the same. Returns `None`
    /// if landmarks do not lead the search.
    ///
    /// # Complexity
    /// O(landmarks × goals).
    pub(crate) fn choose(
        tables: &LandmarkTables,
        map: MapGround<'_>,
        start: GridNode,
        goals: &[GridNode],
        (octile, guidance): (OctileDistance, Guidance),
    ) -> Option<Self> {
        let is_asked = guidance == Guidance::Always;
        let nearest = goals.iter().map(|goal| goal.distance(start)).min()?;
        if guidance == Guidance::Never || nearest < FAR && !is_asked {
            return None;
        }
        let mut best: [Option<(i64, Bound, Costs)>; IN_USE] = [None; IN_USE];
        for bound in bounds_of(tables, start, goals, Lean::of(tables, map)) {
            let mut next = Some(bound);
            for place in &mut best {
                // If two bounds are equal, the first landmark stays ahead.
                if next.map(|(value, ..)| value) > place.map(|(value, ..)| value) {
                    std::mem::swap(&mut next, place);
                }
            }
        }
        let (value, first, _) = best[0]?;
        let at_goals = octile.distance(*goals.first()?);
        let is_useful = at_goals + value.max(0).unsigned_abs() >= octile.distance(start);
        if !is_useful && !is_asked {
            return None;
        }
        let mut lead =
            Self { bounds: [first; IN_USE], counts: [0; 2], landmarks: [first.landmark; IN_USE], at_goals };
        let used = best.into_iter().flatten();
        used.clone().enumerate().for_each(|(place, (_, bound, _))| lead.landmarks[place] = bound.landmark);
        for (place, kind) in [Costs::ToLandmark, Costs::FromLandmark].into_iter().enumerate() {
            for (_, bound, _) in used.clone().filter(|&(.., costs)| costs == kind) {
                lead.bounds[lead.counts[1]] = bound;
                lead.counts[1] += 1;
            }
            lead.counts[0] = if place == 0 { lead.counts[1] } else { lead.counts[0] };
        }
        Some(lead)
    }

    /// Returns the bounds by the costs to landmarks.
    #[inline]
    fn to(&self) -> &[Bound] {
        &self.bounds[..self.counts[0]]
    }

    /// Returns the bounds by the costs from landmarks.
    #[inline]
    fn from(&self) -> &[Bound] {
        &self.bounds[self.counts[0]..self.counts[1]]
    }

    /// Returns the cells of the landmarks in use, the best for the start first.
    pub(crate) fn landmarks<'a>(&'a self, tables: &'a LandmarkTables) -> impl Iterator<Item = Cell> + 'a {
        let used = &self.landmarks[..self.counts[1]];
        let is_first = |place: usize| !used[..place].contains(&used[place]);
        (0..used.len()).filter(move |&place| is_first(place)).map(|place| tables.landmarks()[used[place]])
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
        Some(Self { octile, lead, tables, lean: Lean::of(tables, map) })
    }

    /// Returns the estimate of any cell, or `None` if one of the landmarks does not reach it or is not
    /// reached from it.
    pub(crate) fn of_any_cell(&self, node: GridNode) -> Option<Cost> {
        let mut used = self.lead.to().iter().chain(self.lead.from());
        let is_known = |bound: &Bound| self.tables.cost(bound.table, node).is_some();
        used.all(is_known).then(|| Heuristic::estimate(self, node))
    }

    /// Returns the estimate of a cell that the landmarks reach: the start, or a cell to which the
    /// map's steps lead from it.
    #[expect(clippy::inline_always, reason = "it runs for each entry of a search")]
    #[inline(always)]
    fn distance(&self, node: GridNode) -> u64 {
        if self.tables.has_one_way_steps() && self.is_dead_end(node) {
            return DEAD_END;
        }
        let place = self.tables.place(node);
        let cost = |bound: &Bound| self.tables.cost_at(place, bound.table);
        let to = self.lead.to().iter().map(|bound| cost(bound).saturating_sub(bound.at_goals));
        let from = self.lead.from().iter().map(|bound| bound.at_goals.saturating_sub(cost(bound)));
        let from = from.fold(0, u32::max).saturating_sub(self.lean.at(node));
        let bound = to.fold(from, u32::max);
        self.octile.distance(node).max(self.lead.at_goals + u64::from(bound))
    }

    /// Returns whether no path leads from a cell to a landmark in use, and so none to the goal, from
    /// which paths lead to all of them.
    fn is_dead_end(&self, node: GridNode) -> bool {
        self.lead.to().iter().any(|bound| self.tables.cost(bound.table, node).is_none())
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
        match self.distance(node) {
            // Not an overflow: the cell comes last.
            DEAD_END => Some(Cost::MAX),
            distance => u32::try_from(u64::from(g.get()) + distance).ok().map(Cost::new),
        }
    }
}
