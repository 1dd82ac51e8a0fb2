//! The estimate of a search that landmarks lead.

use super::{
    MapGround,
    tiles::{Directions, LandmarkTables},
};
use crate::{
    cell::Cell,
    cost::Cost,
    movement_map::plane::{ClassGround, Ground as _},
    search::{ByPriority, Heuristic, Strategy},
    space::{grid::GridNode, octile_distance::OctileDistance},
};

/// The number of landmarks that a search uses. More cost as much time as they save.
const IN_USE: usize = 4;
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

/// A landmark as a bound for the paths to the goals of one search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Bound {
    landmark: usize,
    /// The tables of the costs to the landmark and from it.
    tables: [usize; 2],
    /// The highest cost from a goal to the landmark.
    from_goals: u32,
    /// The least cost from the landmark to a goal.
    to_goals: u32,
}

/// The correction for a table that holds both directions: the cost of a cell. Added to the cost of the
/// path to the landmark, it gives the cost of the path from the landmark, up to a constant.
#[derive(Clone, Copy)]
struct Lean<'map> {
    ground: Option<ClassGround<'map>>,
    width: usize,
}

impl<'map> Lean<'map> {
    fn of(tables: &LandmarkTables, map: MapGround<'map>) -> Self {
        let leans = tables.directions() == Directions::OneLength;
        Self { ground: map.class_ground().filter(|_| leans), width: map.bounds.width() as usize }
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

impl Bound {
    /// Makes the bound, or returns `None` if the landmark does not reach all goals.
    fn of(tables: &LandmarkTables, landmark: usize, goals: &[GridNode], lean: Lean<'_>) -> Option<Self> {
        let [to, from] = tables.of_landmark(landmark);
        let mut bound = Self { landmark, tables: [to, from], from_goals: 0, to_goals: u32::MAX };
        for &goal in goals {
            bound.from_goals = bound.from_goals.max(tables.cost(to, goal)?);
            bound.to_goals = bound.to_goals.min(tables.cost(from, goal)?.saturating_add(lean.at_goal(goal)));
        }
        Some(bound)
    }

    /// Returns the least cost of a path from a cell to a goal, by the costs from the cell to the
    /// landmark and back.
    #[inline]
    fn over(&self, [to, from]: [u32; 2], lean: u32) -> u32 {
        to.saturating_sub(self.from_goals).max(self.to_goals.saturating_sub(from).saturating_sub(lean))
    }

    /// Returns this bound for a start, or `None` if the landmark does not reach the start.
    fn at_start(&self, tables: &LandmarkTables, start: GridNode, lean: Lean<'_>) -> Option<u32> {
        let [to, from] = self.tables.map(|table| tables.cost(table, start));
        Some(self.over([to?, from?], lean.at(start)))
    }
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
    let lean = Lean::of(tables, map);
    let bounds = (0..tables.landmarks().len())
        .filter_map(|landmark| Bound::of(tables, landmark, &[goal], lean)?.at_start(tables, start, lean));
    Cost::new(bounds.max().unwrap_or(0))
}

/// The landmarks that lead a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lead {
    /// The best bounds of the start. If there are fewer, the last is repeated.
    bounds: [Bound; IN_USE],
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
        let lean = Lean::of(tables, map);
        let mut best: [Option<(u32, Bound)>; IN_USE] = [None; IN_USE];
        for landmark in 0..tables.landmarks().len() {
            let Some(bound) = Bound::of(tables, landmark, goals, lean) else { continue };
            let Some(least) = bound.at_start(tables, start, lean) else { continue };
            let mut next = Some((least, bound));
            for place in &mut best {
                // If two bounds are equal, the first landmark stays ahead.
                if next.map(|(least, _)| least) > place.map(|(least, _)| least) {
                    std::mem::swap(&mut next, place);
                }
            }
        }
        let at_goals = octile.distance(*goals.first()?);
        let (least, first) = best[0]?;
        let mut last = first;
        let bounds = best.map(|found| {
            last = found.map_or(last, |(_, bound)| bound);
            last
        });
        let is_useful = at_goals + u64::from(least) >= octile.distance(start);
        (is_useful || is_asked).then_some(Self { bounds, at_goals })
    }

    /// Returns the cells of the landmarks in use, the best for the start first.
    pub(crate) fn landmarks<'a>(&'a self, tables: &'a LandmarkTables) -> impl Iterator<Item = Cell> + 'a {
        let used = self.bounds.iter().map(|bound| bound.landmark);
        let is_repeated = |place: usize| place > 0 && self.bounds[place - 1] == self.bounds[place];
        used.enumerate()
            .filter(move |&(place, _)| !is_repeated(place))
            .map(|(_, used)| tables.landmarks()[used])
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

    /// Returns the estimate of any cell, or `None` if one of the landmarks does not reach it.
    pub(crate) fn of_any_cell(&self, node: GridNode) -> Option<Cost> {
        let tables = self.lead.bounds.iter().flat_map(|bound| bound.tables);
        let is_reached = tables.into_iter().all(|table| self.tables.cost(table, node).is_some());
        is_reached.then(|| Heuristic::estimate(self, node))
    }

    /// Returns the estimate of a cell that the landmarks reach: the start, or a cell to which the
    /// map's steps lead from it.
    #[expect(clippy::inline_always, reason = "it runs for each entry of a search")]
    #[inline(always)]
    fn distance(&self, node: GridNode) -> u64 {
        let place = self.tables.place(node);
        let lean = self.lean.at(node);
        let bounds = self.lead.bounds.iter().map(|bound| {
            let costs = bound.tables.map(|table| self.tables.cost_at(place, table));
            bound.over(costs, lean)
        });
        let bound = bounds.fold(0, u32::max);
        self.octile.distance(node).max(self.lead.at_goals + u64::from(bound))
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
