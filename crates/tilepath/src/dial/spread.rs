//! Spread searches: costs, records, space and estimate.

use crate::{
    cell::Cell,
    cost::{Cost, CostFault, CostValue},
    movement_map::MovementMap,
    search::heuristic::Heuristic,
    search::{NodeRecords, Record, SearchSpace},
    space::{
        grid::{GridLink, GridNode, GridSpace},
        octile_distance::Metric,
    },
};
use std::cmp::Ordering;

/// The cost of an entry, and of the steps after it. They are added only for comparisons. So paths
/// from one entry compare as integers, and rounding never makes equal costs different.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpreadCost {
    pub(crate) entry: f64,
    pub(crate) steps: Cost,
}

impl SpreadCost {
    pub(crate) fn total(self) -> f64 {
        self.entry + f64::from(self.steps.get())
    }
}

impl PartialEq for SpreadCost {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for SpreadCost {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.total().partial_cmp(&other.total())
    }
}

impl CostValue for SpreadCost {
    const ZERO: Self = Self { entry: 0.0, steps: Cost::ZERO };
    /// False, because entries are checked when they are made.
    const CAN_BE_FAULTY: bool = false;

    #[inline]
    fn checked_add(self, other: Self) -> Option<Self> {
        Some(Self { entry: self.entry + other.entry, steps: self.steps.checked_add(other.steps)? })
    }

    fn fault(self) -> Option<CostFault> {
        None
    }
}

/// Records of 16 bytes a cell. The first word is the cost of the entry. The second has the
/// generation in the high 16 bits, then the cost of the steps since the entry (32 bits). Its low 8
/// bits are the direction of arrival with the closed flag.
///
/// The memory is allocated as zeros, as in [`GridRecords`](crate::space::grid::GridRecords).
#[derive(Clone, Default)]
pub(crate) struct SpreadRecords {
    words: Vec<[u64; 2]>,
    generation: u64,
}

const LAST_GENERATION: u64 = 0xFFFF;
const GENERATION_SHIFT: u32 = 48;
const COST_SHIFT: u32 = 16;
const CLOSED: u64 = 1 << 7;
/// The value of a start, in place of a direction.
const START: u64 = 8;

impl std::fmt::Debug for SpreadRecords {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("SpreadRecords").field("cells", &self.words.len()).finish_non_exhaustive()
    }
}

impl NodeRecords for SpreadRecords {
    type Key = usize;
    type Cost = SpreadCost;
    type Link = GridLink;

    fn begin(&mut self, key_count: usize) {
        if self.words.len() != key_count || self.generation == LAST_GENERATION {
            self.words = vec![[0; 2]; key_count];
            self.generation = 0;
        }
        self.generation += 1;
    }

    #[inline]
    fn get(&self, key: usize) -> Option<Record<SpreadCost, GridLink>> {
        let [entry, word] = self.words[key];
        (word >> GENERATION_SHIFT == self.generation).then(|| Record {
            cost: SpreadCost { entry: f64::from_bits(entry), steps: Cost::new((word >> COST_SHIFT) as u32) },
            link: (word & START == 0).then(|| GridLink::of((word & 7) as usize)),
            is_closed: word & CLOSED != 0,
        })
    }

    #[inline]
    fn open(&mut self, key: usize, cost: SpreadCost, link: Option<GridLink>) {
        let word = self.generation << GENERATION_SHIFT
            | u64::from(cost.steps.get()) << COST_SHIFT
            | link.map_or(START, |link| link.place() as u64);
        self.words[key] = [cost.entry.to_bits(), word];
    }

    #[inline]
    fn close(&mut self, key: usize) {
        self.words[key][1] |= CLOSED;
    }
}

/// The cells of a map with costs that include their entry.
pub(crate) struct SpreadSpace<'map>(pub(crate) GridSpace<'map>);

impl SearchSpace for SpreadSpace<'_> {
    type Node = GridNode;
    type Cost = SpreadCost;
    type Link = GridLink;
    type Records = SpreadRecords;

    #[inline]
    fn key(&self, node: GridNode) -> usize {
        self.0.key(node)
    }

    fn key_count(&self) -> usize {
        self.0.key_count()
    }

    #[inline]
    fn expand(
        &self,
        node: GridNode,
        link: Option<GridLink>,
        mut emit: impl FnMut(GridNode, SpreadCost, GridLink),
    ) {
        self.0.expand(node, link, |node, steps, link| emit(node, SpreadCost { entry: 0.0, steps }, link));
    }

    fn predecessor(&self, node: GridNode, link: GridLink) -> GridNode {
        self.0.predecessor(node, link)
    }
}

/// A rectangle of cells to which paths lead, and a lower bound for the cost of the rest of a path
/// from these cells on.
///
/// # Units
/// Cost units of the map's movement.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Aim {
    /// The corner of the rectangle with the smallest coordinates. It may lie outside the map.
    pub from: Cell,
    /// The opposite corner, inclusive.
    pub to: Cell,
    /// The lower bound for the cost of a path from any cell of the rectangle on. A negative value
    /// or NaN counts as 0.
    pub rest: f64,
}

/// The least cost left over one of the aims: the distance to its rectangle, plus its `rest`. The
/// distance is on an empty map of the cheapest terrain present. Without aims it is zero. Admissible
/// and consistent.
pub(crate) struct AimDistance<'a> {
    origin: Cell,
    aims: &'a [Aim],
    metric: Metric,
}

impl<'a> AimDistance<'a> {
    pub(crate) fn new(movement_map: &MovementMap, origin: Cell, aims: &'a [Aim]) -> Self {
        Self {
            origin,
            aims,
            metric: Metric::new(movement_map.movement(), movement_map.topology(), movement_map.cheapest()),
        }
    }

    fn least(&self, node: GridNode) -> f64 {
        let x = i64::from(self.origin.x) + i64::from(node.x());
        let y = i64::from(self.origin.y) + i64::from(node.y());
        let beyond = |at: i64, from: i32, to: i32| {
            (i64::from(from) - at).max(at - i64::from(to)).max(0).unsigned_abs()
        };
        let bounds = self.aims.iter().map(|aim| {
            let (dx, dy) = (beyond(x, aim.from.x, aim.to.x), beyond(y, aim.from.y, aim.to.y));
            self.metric.least_distance(dx, dy) as f64 + aim.rest.max(0.0)
        });
        bounds.min_by(f64::total_cmp).unwrap_or(0.0)
    }
}

impl Heuristic<GridNode, SpreadCost> for AimDistance<'_> {
    fn estimate(&self, node: GridNode) -> SpreadCost {
        SpreadCost { entry: self.least(node), steps: Cost::ZERO }
    }
}
