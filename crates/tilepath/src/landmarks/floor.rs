//! The floor: the ground for which the tables of landmarks are exact.

use super::tiles::UNREACHED;
use crate::{
    bit_grid::BitGrid,
    bounds::Bounds,
    cell::Direction,
    movement_map::{
        MovementMap,
        canonical_steps::ORDER,
        plane::{ClassGround, Ground as _},
    },
    space::grid::GridNode,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The multipliers of the floor in the cells where they differ from the map.
///
/// The floor is the map as it was when the tables were made, with all that became cheaper since and
/// was repaired. A cell that becomes dearer or closes keeps its multiplier in the floor. A cell
/// that becomes cheaper than the floor lies below it, until the floor sinks.
#[derive(Clone, Debug)]
pub(super) struct Floor {
    /// The multipliers, by packed node; zero for closed cells.
    multipliers: FxHashMap<u32, u16>,
    /// A bit for each of these cells.
    marks: BitGrid,
    /// The cells that lie below the floor, in the order of their slots.
    below: BTreeSet<u32>,
}

/// Returns a number that is lower for a cheaper cell, and highest for a closed one.
const fn rank(multiplier: u16) -> u16 {
    multiplier.wrapping_sub(1)
}

impl Floor {
    /// Makes a floor that is equal to the map.
    pub(super) fn new(bounds: &Bounds) -> Self {
        Self {
            multipliers: FxHashMap::default(),
            marks: BitGrid::new(bounds.width(), bounds.height()),
            below: BTreeSet::new(),
        }
    }

    /// Follows the edit of a cell of the map, by its multipliers before and after.
    pub(super) fn follow_edit(&mut self, node: GridNode, [old, new]: [u16; 2]) {
        let floor = self.multipliers.get(&node.packed()).copied().unwrap_or(old);
        self.marks.set(node.x(), node.y(), floor != new);
        if floor == new {
            self.multipliers.remove(&node.packed());
        } else {
            self.multipliers.insert(node.packed(), floor);
        }
        if rank(new) < rank(floor) {
            self.below.insert(node.packed());
        } else {
            self.below.remove(&node.packed());
        }
    }

    /// Returns whether cells lie below the floor.
    pub(super) fn is_behind(&self) -> bool {
        !self.below.is_empty()
    }

    /// Lets the floor sink to the map in all cells that lie below it. Returns these cells in the
    /// order of their slots.
    pub(super) fn sink(&mut self) -> Vec<GridNode> {
        let sunk = std::mem::take(&mut self.below);
        for packed in &sunk {
            let node = GridNode::from_packed(*packed);
            self.multipliers.remove(packed);
            self.marks.set(node.x(), node.y(), false);
        }
        sunk.into_iter().map(GridNode::from_packed).collect()
    }

    /// Returns the floor after a resize of the map. `multiplier` returns the one of a slot. In the
    /// floor, the map's new cells are closed.
    pub(super) fn resized(&self, before: &Bounds, after: &Bounds, multiplier: impl Fn(usize) -> u16) -> Self {
        let [columns, rows] = before.shift(after);
        let moved = |packed: u32| {
            let node = GridNode::from_packed(packed);
            let x = u32::try_from(i64::from(node.x()) + columns).ok().filter(|&x| x < after.width())?;
            let y = u32::try_from(i64::from(node.y()) + rows).ok().filter(|&y| y < after.height())?;
            Some(GridNode::new(x, y).packed())
        };
        let kept = self.multipliers.iter();
        let mut resized = Self {
            multipliers: kept.filter_map(|(&cell, &floor)| Some((moved(cell)?, floor))).collect(),
            marks: self.marks.moved(after.width(), after.height(), columns, rows),
            below: self.below.iter().filter_map(|&cell| moved(cell)).collect(),
        };
        for part in after.outside(&before.shared(after)) {
            for (cell, slot) in after.slots_in(part) {
                if let Some(node) = GridNode::of(after, cell) {
                    resized.follow_edit(node, [0, multiplier(slot)]);
                }
            }
        }
        resized
    }

    pub(super) fn bytes(&self) -> usize {
        self.marks.bytes() + self.multipliers.capacity() * size_of::<(u32, u16)>()
    }
}

/// The floor as ground: the steps between its open cells and their costs.
#[derive(Clone, Copy)]
pub(super) struct FloorGround<'map> {
    bounds: &'map Bounds,
    movement_map: &'map MovementMap,
    ground: ClassGround<'map>,
    floor: &'map Floor,
    /// The costs of a straight and of a diagonal step onto a cell of multiplier 1.
    units: [u32; 2],
    offsets: [isize; 8],
    is_map: bool,
}

impl<'map> FloorGround<'map> {
    pub(super) fn new(
        bounds: &'map Bounds,
        movement_map: &'map MovementMap,
        ground: ClassGround<'map>,
        floor: &'map Floor,
    ) -> Self {
        let width = bounds.width() as isize;
        let offsets = ORDER.map(|direction| {
            let (dx, dy) = direction.offset();
            dy as isize * width + dx as isize
        });
        let units = movement_map.movement().unit_costs(movement_map.topology());
        let is_map = floor.multipliers.is_empty();
        Self { bounds, movement_map, ground, floor, units, offsets, is_map }
    }

    pub(super) const fn bounds(&self) -> &'map Bounds {
        self.bounds
    }

    pub(super) const fn movement_map(&self) -> &'map MovementMap {
        self.movement_map
    }

    #[inline]
    pub(super) fn slot(&self, node: GridNode) -> usize {
        node.y() as usize * self.bounds.width() as usize + node.x() as usize
    }

    /// Returns whether the floor is equal to the map. Then the faster functions, with `IS_MAP`, may be
    /// used.
    pub(super) const fn is_map(&self) -> bool {
        self.is_map
    }

    /// Returns the cost of a straight (0) or a diagonal (1) step onto a cell; zero if it is closed.
    #[expect(clippy::inline_always, reason = "it is the work of making a table")]
    #[inline(always)]
    fn entry_cost<const IS_MAP: bool>(&self, node: GridNode, slot: usize, kind: usize) -> u32 {
        if !IS_MAP
            && self.floor.marks.get(node.x(), node.y())
            && let Some(&multiplier) = self.floor.multipliers.get(&node.packed())
        {
            return u32::from(multiplier) * self.units[kind];
        }
        self.ground.entry_cost(slot, kind)
    }

    /// Returns whether a cell is open.
    #[inline]
    pub(super) fn is_open(&self, node: GridNode) -> bool {
        self.entry_cost::<false>(node, self.slot(node), 0) > 0
    }

    /// Returns the steps to follow from a cell, as bits in [`ORDER`]; `arrival` is the place there of
    /// the step to it. Each step can be taken both ways. A closed cell has the steps of an open one.
    #[expect(clippy::inline_always, reason = "it is the work of making a table")]
    #[inline(always)]
    fn steps<const IS_MAP: bool>(&self, node: GridNode, slot: usize, arrival: Option<usize>) -> u8 {
        let table = self.movement_map.forward_table();
        let open = self.movement_map.open_neighbours()[slot];
        if IS_MAP || !self.is_marked_around(node) {
            return table.places(arrival, open);
        }
        let is_open = |direction: usize| {
            let neighbour = node.neighbour(Direction::ALL[direction], self.bounds);
            neighbour.is_some_and(|neighbour| self.is_open(neighbour))
        };
        let open = (0..8).filter(|&direction| is_open(direction));
        table.places(arrival, open.fold(0, |open, direction| open | 1 << direction))
    }

    fn is_marked_around(&self, node: GridNode) -> bool {
        // The border takes the first line and the first place of each line.
        let (line, place) = (node.y() as usize, node.x() as usize);
        (line..line + 3).any(|line| (place..place + 3).any(|place| self.floor.marks.is_set(line, place)))
    }

    /// Offers to the neighbours of an open cell the cost of the path over the cell. If the table holds
    /// paths `to` the landmark, the path begins at the neighbour, otherwise it ends there.
    ///
    /// `offer` receives the neighbour, its slot, the place of the step in [`ORDER`], and a function
    /// that returns the cost: [`UNREACHED`] for 2³² or more.
    #[expect(clippy::inline_always, reason = "it is the work of making a table")]
    #[inline(always)]
    pub(super) fn offer<const IS_MAP: bool>(
        &self,
        (node, arrival): (GridNode, Option<usize>),
        cost: u32,
        to_landmark: bool,
        mut offer: impl FnMut(GridNode, usize, usize, &dyn Fn() -> u32),
    ) {
        let slot = self.slot(node);
        let own = [0, 1].map(|kind| self.entry_cost::<IS_MAP>(node, slot, kind));
        let mut steps = self.steps::<IS_MAP>(node, slot, arrival);
        while steps != 0 {
            let place = steps.trailing_zeros() as usize & 7;
            steps &= steps - 1;
            let neighbour = node.stepped(place);
            let entered = slot.wrapping_add_signed(self.offsets[place]);
            let over = || {
                let step = if to_landmark {
                    own[place / 4]
                } else {
                    self.entry_cost::<IS_MAP>(neighbour, entered, place / 4)
                };
                cost.checked_add(step).unwrap_or(UNREACHED)
            };
            offer(neighbour, entered, place, &over);
        }
    }

    /// Returns the least cost that the neighbours of an open cell offer to it, by their costs.
    pub(super) fn best_offer(
        &self,
        node: GridNode,
        to_landmark: bool,
        cost_of: impl Fn(GridNode) -> Option<u32>,
    ) -> Option<u32> {
        let mut best = None;
        // The step from the neighbour to the cell is the other way round.
        self.offer::<false>((node, None), 0, !to_landmark, |neighbour, _, _, step| {
            if let Some(cost) = cost_of(neighbour) {
                let offered = cost.checked_add(step()).unwrap_or(UNREACHED);
                best = Some(best.map_or(offered, |best: u32| best.min(offered)));
            }
        });
        best
    }
}
