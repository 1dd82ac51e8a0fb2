//! The guide of searches over portals: approximate costs to a goal.
//!
//! The octile estimate assumes the cheapest ground of the map everywhere. On ground of many costs,
//! a search with this estimate expands nearly everything. So the cost to cross whole chunks guides
//! the search over portals.

use super::PortalMap;
use crate::{
    cell::Direction,
    cost::Cost,
    movement_map::{canonical_steps::ORDER, kept_portals::SIDE, meter::Meter, plane::Ground as _},
    search::{ByPriority, NodeRecords as _, Relaxation, Search, SearchSpace, Strategy},
    space::grid::{GridLink, GridNode, GridRecords},
};

/// The work units to compute the paces of a chunk.
const PACE_WORK: u64 = 64;
/// The number of open cells that a closed cell counts as, because a path must go around it.
const CLOSED_COSTS: u64 = 2;

/// The chunks of a map as a search space. Each has up to eight neighbours. A step to a neighbour
/// costs half of both chunks' paces.
///
/// The search starts at the goal's chunk.
pub(crate) struct ChunkGrid<'a, 'map> {
    pub(crate) map: PortalMap<'map>,
    pub(crate) meter: Option<&'a Meter<'a>>,
}

impl ChunkGrid<'_, '_> {
    /// Returns the chunk that contains a node.
    pub(crate) const fn chunk_of(node: GridNode) -> GridNode {
        GridNode::new(node.x() / SIDE, node.y() / SIDE)
    }

    fn paces(&self, chunk: GridNode) -> [u32; 2] {
        let index = self.key(chunk);
        if let Some(meter) = self.meter
            && self.map.kept.are_paces_charged(index, meter)
        {
            meter.add(PACE_WORK);
        }
        self.map.kept.paces(index, || self.map.paces(index))
    }
}

impl SearchSpace for ChunkGrid<'_, '_> {
    type Node = GridNode;
    type Cost = Cost;
    type Link = GridLink;
    type Records = GridRecords;

    #[inline]
    fn key(&self, chunk: GridNode) -> usize {
        chunk.y() as usize * self.map.kept.columns() + chunk.x() as usize
    }

    fn key_count(&self) -> usize {
        self.map.kept.count()
    }

    fn expand(&self, chunk: GridNode, _: Option<GridLink>, mut emit: impl FnMut(GridNode, Cost, GridLink)) {
        let [columns, rows] = self.map.kept.sides();
        let here = self.paces(chunk);
        let [straight, diagonal] =
            self.map.movement_map.movement().unit_costs(self.map.movement_map.topology());
        for (place, direction) in ORDER.into_iter().enumerate() {
            let (dx, dy) = direction.offset();
            let (x, y) = (chunk.x().wrapping_add_signed(dx), chunk.y().wrapping_add_signed(dy));
            if x >= columns || y >= rows || !self.map.movement_map.topology().has(direction) {
                continue;
            }
            let there = self.paces(GridNode::new(x, y));
            let half = |axis: usize| u64::from(here[axis]) / 2 + u64::from(there[axis]) / 2;
            let cost = match direction {
                Direction::East | Direction::West => half(0),
                Direction::North | Direction::South => half(1),
                _ => (half(0) + half(1)) * u64::from(diagonal) / (2 * u64::from(straight)),
            };
            emit(GridNode::new(x, y), Cost::new(cost.min(u32::MAX.into()) as u32), GridLink::of(place));
        }
    }

    fn predecessor(&self, node: GridNode, link: GridLink) -> GridNode {
        node.before(link.place())
    }
}

impl PortalMap<'_> {
    /// Returns the approximate cost to cross a chunk: west to east or back, and south to north or
    /// back.
    ///
    /// It is the cost of the cheapest lane without steps back.
    fn paces(&self, chunk: usize) -> [u32; 2] {
        let area = self.kept.area(chunk);
        let plane = self.grid.terrain().plane;
        let width = self.width as usize;
        let slot = |x: u32, y: u32| y as usize * width + x as usize;
        let open = area.cells().map(|(x, y)| plane.entry_costs(slot(x, y))).filter(|&[cost, _]| cost > 0);
        let (count, sums) = open.fold((0, [0; 2]), |(count, sums): (u64, [u64; 2]), costs| {
            (count + 1, [0, 1].map(|kind| sums[kind] + u64::from(costs[kind])))
        });
        let units = self.movement_map.movement().unit_costs(self.movement_map.topology());
        let closed = [0, 1].map(|kind| {
            let mean = sums[kind].checked_div(count).unwrap_or(u64::from(units[kind]));
            (CLOSED_COSTS * mean).min(u32::MAX.into()) as u32
        });
        let cost = |x: u32, y: u32, kind: usize| match plane.entry_cost(slot(x, y), kind) {
            0 => closed[kind],
            cost => cost,
        };
        let lanes = |length: u32, count: u32, cost: &dyn Fn(u32, u32, usize) -> u32| {
            let mut now = [0_u32; SIDE as usize];
            for step in 0..length {
                let before = now;
                for lane in 0..count as usize {
                    let straight = before[lane];
                    let mut beside = u32::MAX;
                    if lane > 0 {
                        beside = beside.min(before[lane - 1]);
                    }
                    if lane + 1 < count as usize {
                        beside = beside.min(before[lane + 1]);
                    }
                    let straight = straight.saturating_add(cost(step, lane as u32, 0));
                    now[lane] = straight.min(beside.saturating_add(cost(step, lane as u32, 1)));
                }
            }
            let ends = &now[..count as usize];
            let least = u64::from(ends.iter().copied().min().unwrap_or(0));
            // Scales a smaller chunk at the edge of the map to a full one.
            (least * u64::from(SIDE) / u64::from(length.max(1))).min(u32::MAX.into()) as u32
        };
        let (columns, rows) = (area.columns, area.rows);
        let [wide, high] = [columns.len() as u32, rows.len() as u32];
        [
            lanes(wide, high, &|step, lane, kind| cost(columns.start + step, rows.start + lane, kind)),
            lanes(high, wide, &|step, lane, kind| cost(columns.start + lane, rows.start + step, kind)),
        ]
    }
}

/// A*, guided by a search over chunks from the goal.
///
/// # Guarantee
/// None: the estimate can be too large.
pub(crate) struct Guided<'a> {
    goal: GridNode,
    /// The costs from the search over chunks.
    found: &'a GridRecords,
    /// The cost of the start's chunk. Chunks that the search did not reach cost at least this.
    farthest: u32,
    columns: u32,
    rows: u32,
    weight: Weight,
}

/// The weight of a guide, in thousandths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Weight(u32);

impl Weight {
    /// The guide as it is.
    const WHOLE: Self = Self(1000);
    /// Twice the guide: the search goes nearly straight to the goal, and few paths cost more than
    /// its path.
    pub(crate) const ROUGH: Self = Self(2000);
    /// A little more than the guide. If the guide is right on average, the search still goes nearly
    /// straight.
    const BRISK: Self = Self(1150);
}

/// The parts of a path by which a guide is judged. The memory is kept for the next judgement.
#[derive(Default, Debug)]
pub(crate) struct JudgedParts {
    /// For each node of the path, the cost up to it and the estimate from it on.
    costs: Vec<[u64; 2]>,
    shares: Vec<u64>,
}

/// The quality of a guide, from a path that was found with it, in thousandths of the estimate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judgement {
    /// The cost of the path.
    share: u64,
    /// The cost that a fifth of its parts do not exceed; 0 if there are few parts.
    low: u64,
}

impl Judgement {
    /// Returns the weight for the next search, after this path was found with `weight`. Returns
    /// `None` if the path is good enough.
    ///
    /// If all parts of the rough path have the same share, all chunks are alike, and the next
    /// weight is nearly that share. Otherwise bad ground can distort the share. So another path is
    /// found with less weight, then the best one.
    pub(crate) fn next(self, weight: Weight) -> Option<Weight> {
        /// In thousandths of the share: the least share of parts that count as alike.
        const ALIKE: u64 = 940;
        /// The part of the share that counts, in thousandths: for the cheapest parts, and for the
        /// whole share in doubt. Larger values would miss cheaper paths.
        const TRUSTED: u64 = 970;
        const CAREFUL: u64 = 880;
        let counted = |share: u64, thousandths: u64| {
            let next = Weight((share * thousandths / 1000).min(u32::MAX.into()) as u32);
            (next < weight).then_some(next)
        };
        match weight {
            Weight::ROUGH if self.low * 1000 >= self.share * ALIKE => counted(self.low, TRUSTED),
            Weight::ROUGH => Some(Weight::BRISK),
            Weight::BRISK => counted(self.share, CAREFUL),
            _ => None,
        }
    }

    /// Returns the width of the area beside a path over portals to search for cheaper cells. It is
    /// larger on rougher ground.
    ///
    /// If neighbouring cells have similar costs, a path over portals costs about as much as the
    /// cheapest lanes of its chunks; walls add a little.
    pub(crate) fn margin(self) -> u32 {
        /// The margin on smooth ground, in cells.
        const LEAST: u64 = 24;
        const MOST: u64 = 48;
        /// The largest share, in percent, for the least margin. Each further percent adds a cell.
        const SMOOTH: u64 = 112;
        (LEAST + (self.share / 10).saturating_sub(SMOOTH)).min(MOST) as u32
    }
}

impl<'a> Guided<'a> {
    /// Makes the strategy from a search over chunks that has reached the start's chunk.
    pub(crate) fn new<Q>(
        map: PortalMap<'_>,
        found: &'a Search<GridNode, GridRecords, Q>,
        goal: GridNode,
        weight: Weight,
    ) -> Self {
        let farthest = found.reached().map_or(0, |(_, cost)| cost.get());
        let [columns, rows] = map.kept.sides();
        Self { goal, found: found.records(), farthest, columns, rows, weight }
    }

    /// Judges the guide by a path from the goal back to the start: its nodes, with the cost to
    /// each.
    pub(crate) fn judge(
        &self,
        way: impl Iterator<Item = (GridNode, Cost)>,
        JudgedParts { costs, shares }: &mut JudgedParts,
    ) -> Judgement {
        /// The number of portals in each part to compare.
        const PART: usize = 8;
        /// The least number of parts for a judgement.
        const FEW: usize = 6;
        let whole = Self { weight: Weight::WHOLE, ..*self };
        costs.clear();
        costs.extend(way.map(|(node, cost)| [u64::from(cost.get()), whole.estimate(node)]));
        let share = |[cost, estimate]: [u64; 2]| (cost * 1000).checked_div(estimate).unwrap_or(1000);
        let (Some(&[cost, _]), Some(&[_, estimate])) = (costs.first(), costs.last()) else {
            return Judgement { share: 1000, low: 0 };
        };
        let ends = costs.windows(PART).step_by(PART).map(|part| [part[0], part[PART - 1]]);
        shares.clear();
        shares.extend(ends.map(|[[after, nearer], [before, farther]]| {
            share([after.saturating_sub(before), farther.saturating_sub(nearer)])
        }));
        shares.sort_unstable();
        let low = if shares.len() < FEW { 0 } else { shares[shares.len() / 5] };
        Judgement { share: share([cost, estimate]), low }
    }

    #[inline]
    fn at(&self, column: u32, row: u32) -> u64 {
        let key = row.min(self.rows - 1) * self.columns + column.min(self.columns - 1);
        let cost = self.found.get(key as usize).map_or(self.farthest, |record| record.cost.get());
        u64::from(cost)
    }

    /// Returns the estimate for a node, interpolated between the middles of four chunks.
    #[inline]
    fn estimate(&self, node: GridNode) -> u64 {
        if node == self.goal {
            return 0;
        }
        let (x, y) = (node.x().saturating_sub(SIDE / 2), node.y().saturating_sub(SIDE / 2));
        let (column, row) = (x / SIDE, y / SIDE);
        let (right, up) = (u64::from(x % SIDE), u64::from(y % SIDE));
        let (left, down) = (u64::from(SIDE) - right, u64::from(SIDE) - up);
        let sum = self.at(column, row) * left * down
            + self.at(column + 1, row) * right * down
            + self.at(column, row + 1) * left * up
            + self.at(column + 1, row + 1) * right * up;
        sum / u64::from(SIDE * SIDE) * u64::from(self.weight.0) / u64::from(Weight::WHOLE.0)
    }
}

impl Strategy<GridNode, Cost> for Guided<'_> {
    type Order = ByPriority;
    type Priority = Cost;
    const RELAXATION: Relaxation = Relaxation::UntilClosed;

    #[inline]
    fn priority(&self, g: Cost, node: GridNode) -> Option<Cost> {
        u32::try_from(u64::from(g.get()) + self.estimate(node)).ok().map(Cost::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guide_that_is_borne_out_everywhere_counts_nearly_whole() {
        let even = Judgement { share: 1300, low: 1250 };
        assert_eq!(even.next(Weight::ROUGH), Some(Weight(1212)));
        assert_eq!(even.next(Weight(1212)), None);
        assert_eq!(Judgement { share: 9000, low: 9000 }.next(Weight::ROUGH), None, "the weight never rises");
    }

    #[test]
    fn a_guide_in_doubt_is_judged_by_a_second_way() {
        let uneven = Judgement { share: 1300, low: 1100 };
        assert_eq!(uneven.next(Weight::ROUGH), Some(Weight::BRISK));
        assert_eq!(uneven.next(Weight::BRISK), Some(Weight(1144)));
        assert_eq!(uneven.next(Weight(1144)), None);
        assert_eq!(Judgement { share: 1400, low: 0 }.next(Weight::BRISK), None, "the weight never rises");
    }

    #[test]
    fn cheaper_cells_are_looked_for_the_farther_the_rougher_the_ground_is() {
        let margin = |share| Judgement { share, low: share }.margin();
        assert_eq!([900, 1120, 1200, 1400, 5000].map(margin), [24, 24, 32, 48, 48]);
    }

    #[test]
    fn the_cheapest_parts_of_a_way_are_told_from_the_others() {
        let mut found = GridRecords::default();
        found.begin(4);
        for key in 0..4 {
            found.open(key as usize, Cost::new(4800 - 1600 * key), None);
        }
        let goal = GridNode::new(56, 8);
        let guided =
            Guided { goal, found: &found, farthest: 4800, columns: 4, rows: 1, weight: Weight::ROUGH };
        let way = |cost_at: fn(u32) -> u32| {
            let nodes = (8..=56).rev().map(move |x| (GridNode::new(x, 8), Cost::new(cost_at(x - 8))));
            guided.judge(nodes, &mut JudgedParts::default())
        };
        let even = way(|steps| steps * 110);
        assert_eq!((even.share, even.low), (1100, 1100));
        let uneven = way(|steps| if steps < 24 { steps * 20 } else { 480 + (steps - 24) * 200 });
        assert_eq!((uneven.share, uneven.low), (1100, 200));
    }
}
