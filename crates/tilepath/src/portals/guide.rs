//! How far it is to a goal, roughly: what leads a search over portals.
//!
//! The usual estimate takes all ground for the cheapest that there is, and on ground of many costs a search that it leads looks
//! nearly everywhere. So the search over portals is led by what crossing whole chunks costs.

use super::PortalMap;
use crate::{
    cell::Direction,
    cost::Cost,
    movement_map::{canonical_steps::ORDER, kept_portals::SIDE, meter::Meter, plane::Ground as _},
    search::{ByPriority, NodeRecords as _, Relaxation, Search, SearchSpace, Strategy},
    space::grid::{GridLink, GridNode, GridRecords},
};

/// What finding the paces of a chunk is in units of work.
const PACE_WORK: u64 = 64;
/// How many open cells of the chunk a closed one counts for: the way leads round it.
const CLOSED_COSTS: u64 = 2;

/// The chunks of a map as a search space: from each to the eight around it, at what half of the one and half of the other cost.
///
/// Searched from the goal's chunk.
pub(crate) struct ChunkGrid<'a, 'map> {
    pub(crate) map: PortalMap<'map>,
    pub(crate) meter: Option<&'a Meter<'a>>,
}

impl ChunkGrid<'_, '_> {
    /// The chunk in which a node lies.
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
    /// What it costs, roughly, to cross a chunk from side to side: eastwards or westwards, and northwards or southwards.
    ///
    /// That of the cheapest lane whose steps all go forward.
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
            // As if the chunk were whole.
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

/// A*, led by what a search over chunks from the goal has found.
///
/// # Guarantee
/// None: the estimate may be too much.
pub(crate) struct Guided<'a> {
    goal: GridNode,
    /// Of the search over chunks.
    found: &'a GridRecords,
    /// What the start's chunk costs: those that the search did not come to cost no less.
    farthest: u32,
    columns: u32,
    rows: u32,
    weight: Weight,
}

/// How much of a guide counts, in thousandths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Weight(u32);

impl Weight {
    /// The guide at its word.
    const WHOLE: Self = Self(1000);
    /// Twice the guide: a search goes nearly straight to the goal, and few ways cost more than what it finds.
    pub(crate) const ROUGH: Self = Self(2000);
    /// A little more than the guide: a search still goes nearly straight where the guide is right in the mean.
    const BRISK: Self = Self(1150);
}

/// The parts of a way by which a guide is judged: memory for the next time.
#[derive(Default, Debug)]
pub(crate) struct JudgedParts {
    /// For each node of the way what that costs up to it, and the estimate from it on.
    costs: Vec<[u64; 2]>,
    shares: Vec<u64>,
}

/// What a way that was found with a guide tells of the guide, in thousandths of the estimate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judgement {
    /// What the way costs.
    share: u64,
    /// What a fifth of its parts cost no more than; nothing where these are few.
    low: u64,
}

impl Judgement {
    /// With how much of the guide to search again, after this way was found with so much; `None` where that is enough.
    ///
    /// Where all parts of the rough way cost the same share, chunks are all alike, and nearly all of that share counts. Elsewhere a way
    /// that leads over bad ground says that of the ground, and not of the guide: so another one is found with less, and then the best.
    pub(crate) fn next(self, weight: Weight) -> Option<Weight> {
        /// In thousandths of the share: parts that cost as much are alike.
        const ALIKE: u64 = 940;
        /// How much counts of the share of the cheapest parts, and of the whole share in doubt, in thousandths: more would miss
        /// cheaper ways.
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

    /// How far from a way over portals cheaper cells are worth looking for: the rougher the ground, the farther.
    ///
    /// Where cells beside each other cost much the same, a way over portals costs what the cheapest lanes of its chunks do, and walls
    /// something more.
    pub(crate) fn margin(self) -> u32 {
        /// On smooth ground.
        const LEAST: u64 = 24;
        const MOST: u64 = 48;
        /// The share, in percent, up to which the least is enough. For each percent more a cell is added.
        const SMOOTH: u64 = 112;
        (LEAST + (self.share / 10).saturating_sub(SMOOTH)).min(MOST) as u32
    }
}

impl<'a> Guided<'a> {
    /// By a search over chunks that has come to the start's.
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

    /// Judges the guide by a way from the goal back to the start: nodes, and what the way to each costs.
    pub(crate) fn judge(
        &self,
        way: impl Iterator<Item = (GridNode, Cost)>,
        JudgedParts { costs, shares }: &mut JudgedParts,
    ) -> Judgement {
        /// Parts of this many portals are compared.
        const PART: usize = 8;
        /// Fewer say nothing.
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

    /// Between the middles of four chunks.
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
        assert_eq!(Judgement { share: 9000, low: 9000 }.next(Weight::ROUGH), None, "never more than before");
    }

    #[test]
    fn a_guide_in_doubt_is_judged_by_a_second_way() {
        let uneven = Judgement { share: 1300, low: 1100 };
        assert_eq!(uneven.next(Weight::ROUGH), Some(Weight::BRISK));
        assert_eq!(uneven.next(Weight::BRISK), Some(Weight(1144)));
        assert_eq!(uneven.next(Weight(1144)), None);
        assert_eq!(Judgement { share: 1400, low: 0 }.next(Weight::BRISK), None, "never more than before");
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
