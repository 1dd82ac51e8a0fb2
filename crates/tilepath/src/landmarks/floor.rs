//! The floor: the ground for which the tables of landmarks are exact.

use super::{ground::MapGround, tiles::UNREACHED};
use crate::{
    bounds::Bounds,
    movement_map::{
        area::Area,
        pruning::{MoveTable, StepRule, in_order},
        step_order::{ORDER, PLACE},
    },
    space::grid::GridNode,
};
use std::collections::BTreeSet;

/// The arrival at a start, in place of the place of a step in [`ORDER`].
pub(super) const START: usize = 8;

/// The lowest multiplier that each cell has had, and all steps that each cell has allowed.
///
/// The floor is the map as it was when the tables were made, with all that became cheaper since and
/// was repaired. A cell that becomes dearer or closes keeps its multiplier and its steps in the
/// floor. A cell that becomes cheaper than the floor, or allows another step, lies below it until
/// the floor sinks.
#[derive(Clone, Debug)]
pub(super) struct Floor {
    /// The multipliers, by slot; zero for closed cells.
    multipliers: Vec<u16>,
    /// The steps from each cell, as bits in [`ORDER`]. Closed cells have steps too.
    steps: Vec<u8>,
    /// The slots of the cells that lie below the floor.
    below: BTreeSet<u32>,
    /// Whether each step between open cells can be taken in both directions.
    goes_both_ways: bool,
    /// For each place in [`ORDER`] of the step to a cell, and for a start: the steps from the cell
    /// that no cheapest path follows.
    pruned: [u8; 9],
}

/// Returns a number that is lower for a cheaper cell, and highest for a closed one.
const fn rank(multiplier: u16) -> u16 {
    multiplier.wrapping_sub(1)
}

/// Returns the place in [`ORDER`] of the opposite direction.
const fn opposite(place: usize) -> usize {
    place ^ 2
}

impl Floor {
    /// Makes a floor that is equal to the map.
    ///
    /// # Complexity
    /// O(cells).
    pub(super) fn new(map: MapGround<'_>) -> Self {
        let slots = 0..map.bounds.cell_count();
        let goes_both_ways = !map.movement_map.has_listed_moves();
        let rule = if goes_both_ways { map.movement_map.rule_without_exits() } else { StepRule::Listed };
        let table = MoveTable::forward(rule);
        let pruned = |arrival| table.places(None, u8::MAX) & !table.places(arrival, u8::MAX);
        Self {
            multipliers: slots.clone().map(|slot| map.multiplier(slot)).collect(),
            steps: slots.map(|slot| in_order(map.movement_map.moves_at(slot))).collect(),
            below: BTreeSet::new(),
            goes_both_ways,
            pruned: std::array::from_fn(|arrival| pruned(Some(arrival).filter(|&arrival| arrival < START))),
        }
    }

    /// Follows edits of the map that changed these cells.
    pub(super) fn follow(&mut self, map: MapGround<'_>, changed: &Area) {
        for (x, y) in changed.cells() {
            let slot = (y * map.bounds.width() + x) as usize;
            let is_below = rank(map.multiplier(slot)) < rank(self.multipliers[slot])
                || in_order(map.movement_map.moves_at(slot)) & !self.steps[slot] != 0;
            if is_below {
                self.below.insert(slot as u32);
            } else if !self.below.is_empty() {
                self.below.remove(&(slot as u32));
            }
        }
    }

    /// Returns the multiplier of the cell at a slot; zero if it is closed.
    #[inline]
    pub(super) fn multiplier(&self, slot: usize) -> u16 {
        self.multipliers[slot]
    }

    /// Returns the slots of the cells that lie below the floor, in order.
    pub(super) fn below(&self) -> impl Iterator<Item = usize> + '_ {
        self.below.iter().map(|&slot| slot as usize)
    }

    /// Returns whether cells lie below the floor.
    pub(super) fn is_behind(&self) -> bool {
        !self.below.is_empty()
    }

    /// Lets the floor sink to the map in all cells that lie below it. Returns the cells whose costs
    /// may fall by that, in the order of their slots.
    pub(super) fn sink(&mut self, map: MapGround<'_>) -> Vec<GridNode> {
        let mut around = BTreeSet::new();
        for slot in std::mem::take(&mut self.below) {
            let node = GridNode::new(slot % map.bounds.width(), slot / map.bounds.width());
            let slot = slot as usize;
            let (floor, multiplier) = (&mut self.multipliers[slot], map.multiplier(slot));
            let falls = rank(multiplier) < rank(*floor);
            if falls {
                *floor = multiplier;
            }
            let steps = in_order(map.movement_map.moves_at(slot)) | self.steps[slot];
            let new = steps & !std::mem::replace(&mut self.steps[slot], steps);
            around.insert(node.packed());
            for (place, direction) in ORDER.into_iter().enumerate() {
                if let Some(neighbour) = node.neighbour(direction, map.bounds) {
                    if falls || new >> place & 1 == 1 {
                        around.insert(neighbour.packed());
                    }
                    // A step that now can be taken in one direction only goes both ways in the floor.
                    if self.goes_both_ways && self.multipliers[slot] > 0 && steps >> place & 1 == 1 {
                        let back =
                            neighbour.y() as usize * map.bounds.width() as usize + neighbour.x() as usize;
                        self.steps[back] |= 1 << opposite(place);
                    }
                }
            }
        }
        around.into_iter().map(GridNode::from_packed).collect()
    }

    /// Returns whether all open cells among these have this multiplier.
    pub(super) fn is_even_at(&self, bounds: &Bounds, nodes: &[GridNode], multiplier: u16) -> bool {
        let slot = |node: &GridNode| node.y() as usize * bounds.width() as usize + node.x() as usize;
        nodes.iter().all(|node| {
            matches!(self.multipliers[slot(node)], 0) || self.multipliers[slot(node)] == multiplier
        })
    }

    /// Returns the floor after a resize of the map. In the floor, the map's new cells are closed.
    pub(super) fn resized(&self, before: &Bounds, map: MapGround<'_>) -> Self {
        let after = map.bounds;
        let steps_on_map = |slot: usize, steps: u8| {
            let node = GridNode::new(slot as u32 % after.width(), slot as u32 / after.width());
            let is_inner =
                (1..after.width() - 1).contains(&node.x()) && (1..after.height() - 1).contains(&node.y());
            let leaves = |place: usize| !is_inner && node.neighbour(ORDER[place], after).is_none();
            (0..8).filter(|&place| leaves(place)).fold(steps, |steps, place| steps & !(1 << place))
        };
        let steps = before.moved(&self.steps, after, 0).into_iter().enumerate();
        let mut resized = Self {
            multipliers: before.moved(&self.multipliers, after, 0),
            steps: steps.map(|(slot, steps)| steps_on_map(slot, steps)).collect(),
            below: BTreeSet::new(),
            ..*self
        };
        resized.follow(map, &Area::all(after.width(), after.height()));
        resized
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.multipliers) + size_of_val(&*self.steps)
    }
}

/// The floor as ground: the steps between its open cells and their costs.
#[derive(Clone, Copy)]
pub(super) struct FloorGround<'a> {
    bounds: &'a Bounds,
    floor: &'a Floor,
    /// The costs of a straight and of a diagonal step onto a cell of multiplier 1.
    units: [u32; 2],
    offsets: [isize; 8],
}

impl<'a> FloorGround<'a> {
    pub(super) fn new(map: MapGround<'a>, floor: &'a Floor) -> Self {
        let width = map.bounds.width() as isize;
        let offsets = ORDER.map(|direction| {
            let (dx, dy) = direction.offset();
            dy as isize * width + dx as isize
        });
        let movement_map = map.movement_map;
        let units = movement_map.movement().unit_costs(movement_map.topology());
        Self { bounds: map.bounds, floor, units, offsets }
    }

    pub(super) const fn bounds(&self) -> &'a Bounds {
        self.bounds
    }

    #[inline]
    pub(super) fn slot(&self, node: GridNode) -> usize {
        node.y() as usize * self.bounds.width() as usize + node.x() as usize
    }

    /// Returns the cost of a straight (0) or a diagonal (1) step onto a cell; zero if it is closed.
    #[inline]
    fn entry_cost(&self, slot: usize, kind: usize) -> u32 {
        u32::from(self.floor.multipliers[slot]) * self.units[kind]
    }

    /// Returns whether a cell is open.
    #[inline]
    pub(super) fn is_open(&self, node: GridNode) -> bool {
        self.floor.multipliers[self.slot(node)] > 0
    }

    /// Returns the directions from which a cell can be entered from open cells, as bits in [`ORDER`].
    fn entries(&self, node: GridNode) -> u8 {
        let enters = |place: usize| {
            let neighbour = node.neighbour(ORDER[place], self.bounds);
            neighbour.is_some_and(|neighbour| {
                self.is_open(neighbour) && self.floor.steps[self.slot(neighbour)] >> opposite(place) & 1 == 1
            })
        };
        (0..8).filter(|&place| enters(place)).fold(0, |entries, place| entries | 1 << place)
    }

    /// Offers to the neighbours of an open cell the cost of the path over the cell. `arrival` is the
    /// place in [`ORDER`] of the step to the cell, or [`START`]. If the table holds paths `to` the landmark,
    /// the path begins at the neighbour, otherwise it ends there.
    ///
    /// `offer` receives the neighbour, its slot, the place of the step in [`ORDER`], and a function
    /// that returns the cost: [`UNREACHED`] for 2³² or more.
    #[expect(clippy::inline_always, reason = "it is the work of making a table")]
    #[inline(always)]
    pub(super) fn offer(
        &self,
        (node, arrival): (GridNode, usize),
        cost: u32,
        to_landmark: bool,
        mut offer: impl FnMut(GridNode, usize, usize, &dyn Fn() -> u32),
    ) {
        let slot = self.slot(node);
        let own = [0, 1].map(|kind| self.entry_cost(slot, kind));
        let is_backward = to_landmark && !self.floor.goes_both_ways;
        let steps = if is_backward { self.entries(node) } else { self.floor.steps[slot] };
        let mut steps = steps & !self.floor.pruned[arrival];
        while steps != 0 {
            let place = steps.trailing_zeros() as usize & 7;
            steps &= steps - 1;
            let neighbour = node.stepped(place);
            let entered = slot.wrapping_add_signed(self.offsets[place]);
            let over = || {
                let step = if to_landmark { own[place / 4] } else { self.entry_cost(entered, place / 4) };
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
        self.offer((node, START), 0, !to_landmark, |neighbour, _, _, step| {
            if let Some(cost) = cost_of(neighbour) {
                let offered = cost.checked_add(step()).unwrap_or(UNREACHED);
                best = Some(best.map_or(offered, |best: u32| best.min(offered)));
            }
        });
        best
    }
}

// ORDER begins with the four straight directions clockwise, then the four diagonal ones.
const _: () = {
    let mut place = 0;
    while place < 8 {
        let compass = ORDER[place] as usize;
        assert!(
            PLACE[(compass + 4) % 8] as usize == opposite(place),
            "opposite directions are two places apart"
        );
        place += 1;
    }
};
