//! The map of a unit that walks off closed ground.
//!
//! Decision: `docs/decisions/10-planes.md`.

use super::{
    DerivedPlane, ListedMoves, MovementMap,
    pruning::{MoveTable, StepRule},
    step_prices::{PriceRows, row_of},
};
use crate::{
    cell::{Cell, Direction},
    grid::Grid,
    movement::{Leave, StepRules},
};
use std::sync::{Arc, OnceLock};

impl MovementMap {
    /// Returns the map for a unit that walks off the closed cells under its start. Returns `None`
    /// if this map is right for it: it covers one cell, or the start is open.
    ///
    /// # Complexity
    /// O(cells) if it returns a map.
    pub(crate) fn leaving(&self, grid: &Grid, start: Cell) -> Option<Self> {
        let (x, y) = grid.bounds().local(start)?;
        let derived = self.derived.as_ref().filter(|_| self.movement.size().side() > 1)?;
        if self.is_passable(x, y) {
            return None;
        }
        let rules = StepRules::new(&self.movement, grid, start);
        let mut derived = DerivedPlane::clone(derived);
        let mut moves = match &self.listed {
            Some(listed) => ListedMoves::clone(listed),
            None => ListedMoves::of_rule(&self.forward, &self.neighbour_masks),
        };
        let mut prices = self.prices.clone();
        for (anchor, place) in self.borrowed(grid, start) {
            let slot = place.1 as usize * grid.width() as usize + place.0 as usize;
            moves.set(slot, rules.moves(anchor));
            if let Some(PriceRows::OfCells(cells)) =
                prices.as_mut().map(|prices| &mut Arc::make_mut(prices).rows)
            {
                cells.set(slot, row_of(&rules, anchor, Leave::Borrowed));
            }
            if anchor != start {
                let multiplier = rules.borrowed_multiplier(anchor).unwrap_or(0);
                derived.set(slot, u16::try_from(multiplier).unwrap_or(u16::MAX));
            }
        }
        if let Some(prices) = &mut prices {
            let prices = Arc::make_mut(prices);
            prices.moves = MoveTable::priced(StepRule::Listed);
            if let PriceRows::OfCells(cells) = &mut prices.rows {
                cells.find_highest();
            }
        }
        let (cheapest, costliest) = derived.range();
        Some(Self {
            derived: Some(Arc::new(derived)),
            listed: Some(Arc::new(moves)),
            prices,
            jump_stops: OnceLock::new(),
            four_way_stops: OnceLock::new(),
            hexagon_stops: OnceLock::new(),
            canonical_steps: OnceLock::new(),
            reversed_steps: OnceLock::new(),
            forward: MoveTable::forward(StepRule::Listed),
            pruned: MoveTable::pruned(StepRule::Listed),
            cheapest,
            costliest,
            ..self.clone()
        })
    }

    /// Returns the cells that a unit on closed ground may reach, as columns and rows: the anchors
    /// that it may borrow one after the other, and the open anchors that it enters from there.
    ///
    /// # Complexity
    /// O(size⁴) at most. In most cases only the neighbours of the start are checked.
    pub(crate) fn ways_off(&self, grid: &Grid, start: Cell) -> Vec<(u32, u32)> {
        let rules = StepRules::new(&self.movement, grid, start);
        let is_open = |(x, y): (u32, u32)| self.is_passable(x, y);
        let mut entered: Vec<(u32, u32)> = grid.bounds().local(start).into_iter().collect();
        let mut expanded = 0;
        while let Some(&(x, y)) = entered.get(expanded) {
            expanded += 1;
            if is_open((x, y)) {
                continue;
            }
            let anchor = grid.bounds().global(x, y);
            for direction in Direction::ALL {
                let Some(place) = anchor.neighbour(direction).and_then(|next| grid.bounds().local(next))
                else {
                    continue;
                };
                if !entered.contains(&place) && rules.judge(anchor, direction).is_ok() {
                    entered.push(place);
                }
            }
        }
        entered
    }

    /// Returns the start of a unit and the anchors that it may borrow, with their columns and rows.
    pub(crate) fn borrowed<'a>(
        &'a self,
        grid: &'a Grid,
        start: Cell,
    ) -> impl Iterator<Item = (Cell, (u32, u32))> + 'a {
        let rules = StepRules::new(&self.movement, grid, start);
        let reach = i32::from(self.movement.size().side()) - 1;
        let around = (-reach..=reach).flat_map(move |dy| (-reach..=reach).map(move |dx| (dx, dy)));
        around
            .filter_map(move |(dx, dy)| Some(Cell::new(start.x.checked_add(dx)?, start.y.checked_add(dy)?)))
            .filter(move |&anchor| anchor == start || rules.is_borrowed(anchor))
            .filter_map(|anchor| Some((anchor, grid.bounds().local(anchor)?)))
    }
}
