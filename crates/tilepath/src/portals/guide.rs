//! How far it is to a goal, roughly: what leads a search over portals.
//!
//! The usual estimate takes all ground for the cheapest that there is, and on ground of many costs a search that it leads looks
//! nearly everywhere. So the search over portals is led by what crossing whole chunks costs.

use super::PortalMap;
use crate::{
    cell::Direction,
    cost::Cost,
    movement_map::{canonical_steps::ORDER, kept_portals::SIDE, plane::Ground as _},
    search::{ByPriority, NodeRecords as _, Relaxation, Search, SearchSpace, Strategy},
    space::grid::{GridLink, GridNode, GridRecords},
};
use std::cell::Cell as Counter;

/// What finding the paces of a chunk is in units of work.
const PACE_WORK: u64 = 64;
/// How many open cells of the chunk a closed one counts for: the way leads round it.
const CLOSED_COSTS: u64 = 2;

/// The chunks of a map as a search space: from each to the eight around it, at what half of the one and half of the other cost.
///
/// Searched from the goal's chunk.
pub(crate) struct ChunkGrid<'a, 'map> {
    pub(crate) map: PortalMap<'map>,
    pub(crate) meter: Option<&'a Counter<u64>>,
}

impl ChunkGrid<'_, '_> {
    /// The chunk in which a node lies.
    pub(crate) const fn chunk_of(node: GridNode) -> GridNode {
        GridNode::new(node.x() / SIDE, node.y() / SIDE)
    }

    fn paces(&self, chunk: GridNode) -> [u32; 2] {
        let index = self.key(chunk);
        if let Some(meter) = self.meter
            && self.map.kept.are_paces_to_be_paid(index)
        {
            meter.set(meter.get() + PACE_WORK);
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
    /// With so much of the guide a search goes nearly straight to the goal: few ways cost more.
    pub(crate) const ROUGH: Self = Self(2000);
}

/// What a way found with too much of a guide tells of the guide.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judgement {
    /// Thousandths of the estimate that the way costs.
    share: u64,
    /// How far parts of the way cost another share than all of it, in thousandths.
    doubt: u64,
    /// How many parts were compared.
    parts: u64,
}

impl Judgement {
    /// How much of the guide leads to a way that is hardly any dearer: less of it where it is in doubt, and on a short way, along which
    /// nothing evens out.
    pub(crate) fn careful(self) -> Weight {
        /// With so many parts a guide is doubted twice as much as with many.
        const FEW: u64 = 24;
        /// The most that is left out, in thousandths: with less of it a search looks nearly everywhere.
        const MOST: u64 = 180;
        let left_out = (self.doubt * (self.parts + FEW) / self.parts.max(1)).min(MOST);
        let weight = self.share * (1000 - left_out) / 1000;
        Weight(weight.min(Weight::ROUGH.0.into()) as u32)
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
    pub(crate) fn judge(&self, way: impl Iterator<Item = (GridNode, Cost)>) -> Judgement {
        /// Parts of this many portals are compared.
        const PART: usize = 8;
        let whole = Self { weight: Weight::WHOLE, ..*self };
        let costs: Vec<[u64; 2]> =
            way.map(|(node, cost)| [u64::from(cost.get()), whole.estimate(node)]).collect();
        let (Some(&[cost, _]), Some(&[_, estimate])) = (costs.first(), costs.last()) else {
            return Judgement { share: 1000, doubt: 0, parts: 0 };
        };
        let share = (cost * 1000).checked_div(estimate).unwrap_or(1000);
        let (mut apart, mut parts) = (0, 0);
        for part in costs.chunks(PART) {
            let ([end, nearer], [begin, farther]) = (part[0], part[part.len() - 1]);
            let expected = farther.saturating_sub(nearer) * share / 1000;
            parts += 1;
            apart += end.saturating_sub(begin).abs_diff(expected);
        }
        Judgement { share, doubt: (apart * 1000).checked_div(cost).unwrap_or(0), parts }
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
