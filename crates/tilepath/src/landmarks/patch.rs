//! Patches: the steps of the present map that old tables do not know.
//!
//! A table is *broken* by a step if the step lowers its cost by more than the step costs. A patch holds
//! the ends of such steps in one block, those where they begin apart from those where they end.
//!
//! Decision: `docs/decisions/58-landmarks.md`.

use super::{
    ground::MapGround,
    lean::Lean,
    table::{HIGHEST, Kind, UNKNOWN, block_of},
    tables::LandmarkTables,
};
use crate::{
    movement_map::{area::Area, plane},
    space::grid::GridNode,
};
use rustc_hash::FxHashMap;
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, BinaryHeap},
    sync::Arc,
};

/// The most cells that became cheaper at once and whose steps are compared with the tables. More are
/// assumed to break all tables.
const MOST_COMPARED: usize = 64;
/// The comparisons of a cell with a table for one unit of work.
const COMPARED: usize = 8;
/// The most cells for which one table gets a cost after an edit.
pub(super) const MOST_OPENED: usize = 4096;
/// The place that stands for the labels of regions.
pub(super) const LABELS: usize = 511;

/// Places of tables, a bit each.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct TableSet([u64; 8]);

// A landmark has two places.
const _: () = assert!(2 * u8::MAX as usize <= LABELS && LABELS < 8 * 64, "a set has room for all places");

impl TableSet {
    const fn insert(&mut self, place: usize) {
        self.0[place / 64] |= 1 << (place % 64);
    }

    pub(super) const fn contains(&self, place: usize) -> bool {
        self.0[place / 64] >> (place % 64) & 1 == 1
    }

    pub(super) fn with(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    pub(super) fn is_empty(self) -> bool {
        self == Self::default()
    }

    pub(super) fn places(self) -> impl Iterator<Item = usize> {
        (0..512).filter(move |&place| self.contains(place))
    }
}

/// The range of some cells' costs in a table, as bounds need it.
///
/// If the table holds the costs to the landmark, the bound from one set to another is the difference of
/// the first one's `leave` and the second one's `enter`. Otherwise it is the opposite difference. If the
/// table lacks a cell, it does not bound paths from the set. If it lacks all cells, it does not bound paths
/// to the set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    pub(super) leave: u32,
    pub(super) enter: u32,
}

impl Ends {
    pub(super) fn of(costs: impl Iterator<Item = u32>, to_landmark: bool) -> Self {
        let start = (UNKNOWN, None, true);
        let (least, highest, knows_all) = costs.fold(start, |(least, highest, knows_all), cost| match cost {
            UNKNOWN => (least, highest, false),
            cost => (least.min(cost), highest.max(Some(cost)), knows_all),
        });
        match highest {
            None if to_landmark => Self { leave: 0, enter: UNKNOWN },
            None => Self { leave: UNKNOWN, enter: 0 },
            Some(highest) if to_landmark => Self { leave: if knows_all { least } else { 0 }, enter: highest },
            Some(highest) => Self { leave: if knows_all { highest } else { UNKNOWN }, enter: least },
        }
    }

    /// Returns the bound for paths from these cells to others.
    #[inline]
    pub(super) const fn bound_to(self, other: Self, to_landmark: bool) -> u32 {
        let (high, low) = if to_landmark { (self.leave, other.enter) } else { (other.enter, self.leave) };
        high.saturating_sub(low)
    }
}

/// The ends of the steps in one block that break tables.
#[derive(Clone, Debug)]
pub(crate) struct Patch {
    /// The cells where the steps begin, as packed nodes.
    begins: BTreeSet<u32>,
    /// The cells where they end.
    ends: BTreeSet<u32>,
    /// The least cost that such a step has had.
    least: u32,
    /// The tables that are broken.
    breaks: TableSet,
    /// For each region where steps begin, what bounds the paths to them in each table.
    enter: Vec<(u16, Vec<u32>)>,
    /// For each region where steps end, what bounds the paths from there in each table.
    leave: Vec<(u16, Vec<u32>)>,
    /// Whether it has steps that were not compared with the tables.
    is_assumed: bool,
}

impl Patch {
    const fn new() -> Self {
        Self {
            begins: BTreeSet::new(),
            ends: BTreeSet::new(),
            least: u32::MAX,
            breaks: TableSet([0; 8]),
            enter: Vec::new(),
            leave: Vec::new(),
            is_assumed: false,
        }
    }

    /// Returns all cells, some of them twice.
    pub(crate) fn cells(&self) -> impl Iterator<Item = GridNode> + Clone + '_ {
        self.begins.iter().chain(&self.ends).copied().map(GridNode::from_packed)
    }

    /// Returns whether a step lies in the patch.
    #[cfg(test)]
    pub(super) fn has_step(&self, from: GridNode, to: GridNode) -> bool {
        self.begins.contains(&from.packed()) && self.ends.contains(&to.packed())
    }

    pub(crate) const fn least(&self) -> u32 {
        self.least
    }

    pub(super) const fn breaks(&self) -> TableSet {
        self.breaks
    }

    pub(super) const fn is_assumed(&self) -> bool {
        self.is_assumed
    }

    /// Returns the regions where the steps begin, each with [`Ends::enter`] of its cells in each table.
    pub(super) fn enter(&self) -> &[(u16, Vec<u32>)] {
        &self.enter
    }

    /// Returns the regions where the steps end, each with [`Ends::leave`] of its cells in each table.
    pub(super) fn leave(&self) -> &[(u16, Vec<u32>)] {
        &self.leave
    }

    pub(super) fn bytes(&self) -> usize {
        let ranges: usize =
            self.enter.iter().chain(&self.leave).map(|(_, range)| size_of_val(&**range)).sum();
        size_of::<Self>() + (self.begins.len() + self.ends.len()) * size_of::<u32>() + ranges
    }

    /// Takes a table from those that are broken.
    pub(super) const fn mend(&mut self, place: usize) {
        self.breaks.0[place / 64] &= !(1 << (place % 64));
    }

    fn add(&mut self, [from, to]: [GridNode; 2], cost: u32, breaks: TableSet) {
        self.begins.insert(from.packed());
        self.ends.insert(to.packed());
        self.least = self.least.min(cost);
        self.breaks = self.breaks.with(breaks);
    }

    /// Finds the ranges again. Closed cells do not count: no search comes there.
    fn renew(&mut self, tables: &LandmarkTables, map: MapGround<'_>) {
        self.enter = ranges(&self.begins, (tables, map), |ends| ends.enter);
        self.leave = ranges(&self.ends, (tables, map), |ends| ends.leave);
    }
}

/// Returns what bounds the paths to or from some open cells in each table, region by region.
fn ranges(
    nodes: &BTreeSet<u32>,
    (tables, map): (&LandmarkTables, MapGround<'_>),
    of: impl Fn(Ends) -> u32,
) -> Vec<(u16, Vec<u32>)> {
    let lean = Lean::of(map);
    let mut regions: BTreeMap<u16, Vec<GridNode>> = BTreeMap::new();
    for node in nodes.iter().copied().map(GridNode::from_packed).filter(|&node| map.is_open(node)) {
        regions.entry(tables.label(node)).or_default().push(node);
    }
    let range = |nodes: Vec<GridNode>| {
        let ends = (0..tables.places()).map(|place| {
            let costs = nodes.iter().map(|&node| tables.leaning_cost(place, node, lean));
            of(Ends::of(costs, LandmarkTables::is_to_landmark(place)))
        });
        ends.collect()
    };
    regions.into_iter().map(|(label, nodes)| (label, range(nodes))).collect()
}

impl LandmarkTables {
    /// Follows cells that became cheaper, given as packed nodes, for the tables at some places. The map
    /// is the present one.
    pub(super) fn follow(&mut self, map: MapGround<'_>, cheaper: &BTreeSet<u32>, places: &[usize]) {
        let (width, height) = (map.bounds.width(), map.bounds.height());
        let movement = map.movement_map.movement();
        let mut near = BTreeSet::new();
        for node in cheaper.iter().copied().map(GridNode::from_packed) {
            let anchors = plane::covering(movement, &Area::of_cell(node.x(), node.y()));
            near.extend(anchors.grown(1, width, height).cells().map(|(x, y)| GridNode::new(x, y).packed()));
        }
        near.retain(|&packed| map.is_open(GridNode::from_packed(packed)));
        // A cell gets its costs from its own region.
        let mut filled = self.fill_labels(map, &near);
        filled.extend(self.fill(map, &near, places));
        near.extend(around(map, &filled).filter(|&node| map.is_open(node)).map(GridNode::packed));
        let touched: BTreeSet<u32> = around(map, &near).map(|node| block_of(node, map.bounds)).collect();
        if cheaper.len() > MOST_COMPARED {
            self.assume_broken(map, &near, places);
        } else {
            self.compare(map, &near, places);
        }
        self.renew(map, |block, _| touched.contains(&block));
    }

    /// Finds the ranges of some patches again.
    fn renew(&mut self, map: MapGround<'_>, is_meant: impl Fn(u32, &Patch) -> bool) {
        let mut patches = std::mem::take(&mut self.patches);
        for (_, patch) in patches.iter_mut().filter(|(block, patch)| is_meant(**block, patch)) {
            Arc::make_mut(patch).renew(self, map);
        }
        self.patches = patches;
    }

    pub(super) fn renew_all(&mut self, map: MapGround<'_>) {
        self.renew(map, |_, _| true);
    }

    /// Finds the ranges again that depend on the costs of cells, after an edit of the cells of some
    /// rectangles.
    pub(super) fn renew_leans(&mut self, map: MapGround<'_>, edited: &[Area]) {
        if self.patches.is_empty() || !self.lean_anywhere() {
            return;
        }
        let movement = map.movement_map.movement();
        let anchors: Vec<Area> = edited.iter().map(|area| plane::covering(movement, area)).collect();
        self.renew(map, |_, patch| {
            patch.cells().any(|node| anchors.iter().any(|area| area.place(node.x(), node.y()).is_some()))
        });
    }

    fn patch_of(&mut self, node: GridNode, map: MapGround<'_>) -> &mut Patch {
        let block = block_of(node, map.bounds);
        Arc::make_mut(self.patches.entry(block).or_insert_with(|| Arc::new(Patch::new())))
    }

    /// Compares the steps from some cells with the tables.
    fn compare(&mut self, map: MapGround<'_>, near: &BTreeSet<u32>, places: &[usize]) {
        let lean = Lean::of(map);
        let by_label = places.contains(&LABELS);
        let places: Vec<usize> = places.iter().copied().filter(|&place| place != LABELS).collect();
        let mut known: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for node in near.iter().copied().map(GridNode::from_packed) {
            let mut steps = Vec::new();
            map.for_steps_from(node, |to, cost| steps.push((to, cost)));
            for (to, cost) in steps {
                for end in [node, to] {
                    known.entry(end.packed()).or_insert_with(|| {
                        places.iter().map(|&place| self.leaning_cost(place, end, lean)).collect()
                    });
                }
                let [here, there] = [node, to].map(|end| &known[&end.packed()]);
                let mut breaks = TableSet::default();
                if by_label && self.label(node) != self.label(to) {
                    breaks.insert(LABELS);
                }
                for ((&place, &here), &there) in places.iter().zip(here).zip(there) {
                    let (high, low) =
                        if LandmarkTables::is_to_landmark(place) { (here, there) } else { (there, here) };
                    if here != UNKNOWN && (there == UNKNOWN || high > low.saturating_add(cost)) {
                        breaks.insert(place);
                    }
                }
                if !breaks.is_empty() {
                    self.patch_of(to, map).add([node, to], cost, breaks);
                }
            }
        }
    }

    /// Puts all steps from some cells into patches.
    fn assume_broken(&mut self, map: MapGround<'_>, near: &BTreeSet<u32>, places: &[usize]) {
        let mut breaks = TableSet::default();
        for &place in places {
            breaks.insert(place);
        }
        for node in near.iter().copied().map(GridNode::from_packed) {
            let mut steps = Vec::new();
            map.for_steps_from(node, |to, cost| steps.push((to, cost)));
            for (to, cost) in steps {
                let patch = self.patch_of(to, map);
                patch.add([node, to], cost, breaks);
                patch.is_assumed = true;
            }
        }
    }

    /// Compares the steps of the next patch whose steps are only assumed to break tables. Returns the
    /// work; 0 without such a patch.
    pub(super) fn compare_assumed(&mut self, map: MapGround<'_>) -> u64 {
        let assumed = self.patches.iter().find(|(_, patch)| patch.is_assumed).map(|(block, _)| *block);
        let Some(patch) = assumed.and_then(|block| self.patches.remove(&block)) else { return 0 };
        let open = patch.cells().filter(|&node| map.is_open(node)).map(GridNode::packed).collect();
        let places = self.all_places();
        self.compare(map, &open, &places);
        let blocks: BTreeSet<u32> = around(map, &open).map(|node| block_of(node, map.bounds)).collect();
        self.renew(map, |block, _| blocks.contains(&block));
        ((patch.begins.len() + patch.ends.len()) * places.len()).div_ceil(COMPARED) as u64
    }

    /// Gives costs to open cells that tables do not know, over the cells around them that they know.
    /// Returns the cells.
    fn fill(&mut self, map: MapGround<'_>, near: &BTreeSet<u32>, places: &[usize]) -> BTreeSet<u32> {
        let mut filled = BTreeSet::new();
        for &place in places.iter().filter(|&&place| place != LABELS) {
            let to_landmark =
                LandmarkTables::is_to_landmark(place) || self.table(place).kind() == Kind::OneLength;
            let mut queue = BinaryHeap::new();
            for &packed in near {
                let node = GridNode::from_packed(packed);
                if self.cost(place, node) == UNKNOWN {
                    let best = self.best_offer(map, place, node, to_landmark);
                    queue.extend(best.map(|cost| Reverse((cost, packed))));
                }
            }
            let mut left = MOST_OPENED;
            while let Some(Reverse((cost, packed))) = queue.pop() {
                let node = GridNode::from_packed(packed);
                if left == 0 || cost > HIGHEST {
                    break;
                }
                if self.cost(place, node) != UNKNOWN {
                    continue;
                }
                left -= 1;
                self.set_opened(place, node, cost);
                filled.insert(packed);
                let offer = |other: GridNode, step: u32| {
                    if self.cost(place, other) == UNKNOWN && self.label(other) == self.label(node) {
                        queue.push(Reverse((cost.saturating_add(step), other.packed())));
                    }
                };
                if to_landmark { map.for_steps_to(node, offer) } else { map.for_steps_from(node, offer) }
            }
        }
        filled
    }

    /// Returns the least cost of a path between a cell and a landmark over the known cells around it.
    fn best_offer(&self, map: MapGround<'_>, place: usize, node: GridNode, to_landmark: bool) -> Option<u32> {
        let mut best = UNKNOWN;
        let offer = |other: GridNode, step: u32| {
            if self.label(other) == self.label(node) {
                best = best.min(self.cost(place, other).saturating_add(step));
            }
        };
        if to_landmark {
            map.for_steps_from(node, offer);
        } else {
            map.for_steps_to(node, offer);
        }
        Some(best).filter(|&best| best <= HIGHEST)
    }
}

/// Returns some cells and the cells around them, some more than once.
fn around(map: MapGround<'_>, nodes: &BTreeSet<u32>) -> impl Iterator<Item = GridNode> {
    let (width, height) = (map.bounds.width(), map.bounds.height());
    nodes.iter().copied().map(GridNode::from_packed).flat_map(move |node| {
        let area = Area::of_cell(node.x(), node.y()).grown(1, width, height);
        area.cells().map(|(x, y)| GridNode::new(x, y))
    })
}
