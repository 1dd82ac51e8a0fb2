//! The maps that landmarks describe.

use super::table::UNKNOWN;
use crate::{
    bounds::Bounds,
    journal::Revision,
    movement_map::{
        MovementMap,
        pruning::{MoveTable, StepRule, in_order},
        step_order::ORDER,
    },
    space::grid::GridNode,
};
use std::sync::Arc;

/// The arrival at a start, in place of the place of a step in [`ORDER`].
pub(super) const START: usize = 8;

/// The map as a movement sees it.
#[derive(Clone, Copy)]
pub(crate) struct MapGround<'map> {
    pub(crate) bounds: &'map Bounds,
    pub(crate) classes: &'map [u8],
    pub(crate) movement_map: &'map MovementMap,
}

/// The map as it was at one revision. Later edits do not affect it.
#[derive(Clone, Debug)]
pub(crate) struct Frozen {
    pub(crate) bounds: Bounds,
    pub(crate) classes: Arc<Vec<u8>>,
    pub(crate) movement_map: Arc<MovementMap>,
    pub(crate) revision: Revision,
}

impl Frozen {
    pub(crate) fn ground(&self) -> MapGround<'_> {
        MapGround { bounds: &self.bounds, classes: &self.classes, movement_map: &self.movement_map }
    }
}

impl MapGround<'_> {
    /// Returns the multiplier of the cell at a slot; zero if it is closed.
    #[inline]
    pub(super) fn multiplier(&self, slot: usize) -> u16 {
        self.movement_map.multiplier_at(self.classes, slot)
    }

    #[inline]
    pub(super) fn slot(&self, node: GridNode) -> usize {
        node.y() as usize * self.bounds.width() as usize + node.x() as usize
    }

    pub(crate) fn is_open(&self, node: GridNode) -> bool {
        self.movement_map.is_passable(node.x(), node.y())
    }

    /// Returns whether each step between open cells can be taken in both directions.
    pub(super) const fn goes_both_ways(&self) -> bool {
        !self.movement_map.has_listed_moves()
    }

    /// Returns the costs of a straight and of a diagonal step onto a cell of multiplier 1.
    pub(super) fn units(&self) -> [u32; 2] {
        self.movement_map.movement().unit_costs(self.movement_map.topology())
    }

    /// Returns the cost of a step onto an open cell, in the direction at a place of [`ORDER`], without
    /// surcharges.
    pub(super) fn step_cost(&self, entered: GridNode, place: usize) -> u32 {
        u32::from(self.multiplier(self.slot(entered))) * self.units()[place / 4]
    }

    /// Calls `visit` with the end of each step from a cell to an open cell, and with the step's cost.
    pub(super) fn for_steps_from(&self, node: GridNode, visit: impl FnMut(GridNode, u32)) {
        let steps = in_order(self.movement_map.moves_at(self.slot(node)));
        self.for_steps(node, steps, |to, place| self.step_cost(to, place), visit);
    }

    /// Calls `visit` with the begin of each step from an open cell to a cell, and with the step's cost.
    pub(super) fn for_steps_to(&self, node: GridNode, visit: impl FnMut(GridNode, u32)) {
        let steps = in_order(self.movement_map.entries(node.x(), node.y()));
        self.for_steps(node, steps, |_, place| self.step_cost(node, place), visit);
    }

    fn for_steps(
        &self,
        node: GridNode,
        steps: u8,
        cost: impl Fn(GridNode, usize) -> u32,
        mut visit: impl FnMut(GridNode, u32),
    ) {
        for (place, direction) in ORDER.into_iter().enumerate().filter(|&(place, _)| steps >> place & 1 == 1)
        {
            if let Some(other) = node.neighbour(direction, self.bounds)
                && self.is_open(other)
            {
                visit(other, cost(other, place));
            }
        }
    }
}

/// The steps of a map, as the making of a table takes them.
#[derive(Clone, Copy)]
pub(super) struct Steps<'map> {
    map: MapGround<'map>,
    units: [u32; 2],
    offsets: [isize; 8],
    goes_both_ways: bool,
}

/// For each place in [`ORDER`] of the step to a cell, and for a start: the steps from the cell that no
/// cheapest path follows.
pub(super) type Pruned = [u8; 9];

/// Finds the steps that are never worth following.
pub(super) fn pruned_steps(map: MapGround<'_>) -> Pruned {
    let rule = if map.goes_both_ways() { map.movement_map.rule_without_exits() } else { StepRule::Listed };
    let table = MoveTable::forward(rule);
    std::array::from_fn(|arrival| {
        let arrival = Some(arrival).filter(|&arrival| arrival < START);
        table.places(None, u8::MAX) & !table.places(arrival, u8::MAX)
    })
}

impl<'map> Steps<'map> {
    pub(super) fn of(map: MapGround<'map>) -> Self {
        let width = map.bounds.width() as isize;
        let offsets = ORDER.map(|direction| {
            let (dx, dy) = direction.offset();
            dy as isize * width + dx as isize
        });
        Self { map, units: map.units(), offsets, goes_both_ways: map.goes_both_ways() }
    }

    /// Offers to the neighbours of an open cell the cost of the path over the cell, whose place is known
    /// as its slot. `arrival` is the place in [`ORDER`] of the step to the cell, or [`START`]. If the
    /// table holds paths `to` the landmark, the path begins at the neighbour, otherwise it ends there.
    ///
    /// `offer` receives the slot of the neighbour, the place of the step in [`ORDER`], and a function
    /// that returns the cost: [`UNKNOWN`] for 2³² or more.
    #[expect(clippy::inline_always, reason = "it is the work of making a table")]
    #[inline(always)]
    pub(super) fn offer(
        &self,
        (slot, arrival): (usize, usize),
        (cost, to_landmark): (u32, bool),
        pruned: &Pruned,
        mut offer: impl FnMut(usize, usize, &dyn Fn() -> u32),
    ) {
        let multiplier = u32::from(self.map.multiplier(slot));
        let own = self.units.map(|unit| multiplier * unit);
        let steps = if to_landmark && !self.goes_both_ways {
            let width = self.map.bounds.width() as usize;
            self.map.movement_map.entries((slot % width) as u32, (slot / width) as u32)
        } else {
            self.map.movement_map.moves_at(slot)
        };
        let mut steps = in_order(steps) & !pruned[arrival];
        while steps != 0 {
            let place = steps.trailing_zeros() as usize & 7;
            steps &= steps - 1;
            let neighbour = slot.wrapping_add_signed(self.offsets[place]);
            let over = || {
                let entry = || u32::from(self.map.multiplier(neighbour)) * self.units[place / 4];
                let step = if to_landmark { own[place / 4] } else { entry() };
                cost.checked_add(step).unwrap_or(UNKNOWN)
            };
            offer(neighbour, place, &over);
        }
    }
}
