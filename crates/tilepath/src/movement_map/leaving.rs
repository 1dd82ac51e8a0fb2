//! The map of a unit that walks off closed ground.
//!
//! Decision: `docs/decisions/10-planes.md`.

use super::{
    DerivedPlane, ListedMoves, MovementMap,
    pruning::{MoveTable, StepRule},
    step_prices::{PriceRows, StepPrices, row_by, row_of},
};
use crate::{
    cell::{Cell, Direction},
    grid::Grid,
    movement::{Leave, StepRules, WayOut},
};
use std::sync::{Arc, OnceLock};

impl MovementMap {
    /// Returns the map for a unit that leaves closed ground. Returns `None` if this map is right for
    /// it: the start is open, or it is one cell beside an open cell.
    ///
    /// # Complexity
    /// O(cells) if it returns a map.
    pub(crate) fn leaving(&self, grid: &Grid, start: Cell) -> Option<Self> {
        let (x, y) = grid.bounds().local(start)?;
        if self.is_passable(x, y) {
            return None;
        }
        if let Some(chain) = self.way_out(grid, start) {
            return Some(self.along(grid, chain));
        }
        let derived = self.derived.as_ref().filter(|_| self.movement.size().side() > 1)?;
        let rules = StepRules::new(&self.movement, grid, start);
        let mut derived = DerivedPlane::clone(derived);
        let mut moves = match &self.listed {
            Some(listed) => ListedMoves::clone(listed),
            None => ListedMoves::of_rule(&self.forward, &self.neighbour_masks),
        };
        let mut prices = self.prices.as_deref().cloned();
        for (anchor, place) in self.borrowed(grid, start) {
            let slot = place.1 as usize * grid.width() as usize + place.0 as usize;
            moves.set(slot, rules.moves(anchor));
            if let Some(PriceRows::OfCells(cells)) = prices.as_mut().map(|prices| &mut prices.rows) {
                cells.set(slot, row_of(&rules, anchor, Leave::Borrowed));
            }
            if anchor != start {
                let multiplier = rules.borrowed_multiplier(anchor).unwrap_or(0);
                derived.set(slot, u16::try_from(multiplier).unwrap_or(u16::MAX));
            }
        }
        Some(self.with_listed(derived, moves, prices, None))
    }

    /// Returns the chain by which a unit leaves closed ground, if it starts deep in it.
    pub(crate) fn way_out(&self, grid: &Grid, start: Cell) -> Option<WayOut> {
        let (x, y) = grid.bounds().local(start)?;
        let is_beside_open = !self.is_large() && self.moves(x, y) != 0;
        if self.is_passable(x, y) || is_beside_open {
            return None;
        }
        WayOut::find(&self.movement, grid, start)
    }

    /// Returns the chain that this map is for.
    pub(crate) fn chain(&self) -> Option<&WayOut> {
        self.chain.as_deref()
    }

    /// Returns the map for a unit that takes a chain: each closed cell of it has one exit, and can be
    /// entered only from the cell before it.
    fn along(&self, grid: &Grid, chain: WayOut) -> Self {
        let mut derived = match &self.derived {
            Some(derived) => DerivedPlane::clone(derived),
            None => DerivedPlane::new(grid, &self.floor),
        };
        let mut moves = match &self.listed {
            Some(listed) => ListedMoves::clone(listed),
            None => ListedMoves::of_rule(&self.forward, &self.neighbour_masks),
        };
        let mut prices = self.prices.as_ref().map(|prices| prices.by_cells(grid, &self.movement));
        let rules = StepRules::leaving(&self.movement, grid, chain.cells()[0], Some(&chain));
        for pair in chain.cells().windows(2) {
            let places = [pair[0], pair[1]].map(|cell| grid.bounds().slot(cell));
            let ([Some(left), Some(entered)], Some(direction)) =
                (places, Direction::between(pair[0], pair[1]))
            else {
                continue;
            };
            moves.set(left, 1 << direction as u8);
            if let Some(PriceRows::OfCells(cells)) = prices.as_mut().map(|prices| &mut prices.rows) {
                cells.set(left, row_by(|direction| rules.judge(pair[0], direction).ok()));
            }
            if chain.exit() != Some(pair[1])
                && let Ok(step) = rules.judge(pair[0], direction)
            {
                derived.set(entered, u16::try_from(step.floor).unwrap_or(u16::MAX));
            }
        }
        self.with_listed(derived, moves, prices, Some(chain))
    }

    /// Returns this map with the steps and costs of a unit that leaves closed ground.
    fn with_listed(
        &self,
        derived: DerivedPlane,
        moves: ListedMoves,
        mut prices: Option<StepPrices>,
        chain: Option<WayOut>,
    ) -> Self {
        if let Some(prices) = &mut prices {
            prices.moves = MoveTable::priced(StepRule::Listed);
            if let PriceRows::OfCells(cells) = &mut prices.rows {
                cells.find_highest();
            }
        }
        let (cheapest, costliest) = derived.range();
        Self {
            derived: Some(Arc::new(derived)),
            listed: Some(Arc::new(moves)),
            prices: prices.map(Arc::new),
            jump_stops: OnceLock::new(),
            four_way_stops: OnceLock::new(),
            hexagon_stops: OnceLock::new(),
            canonical_steps: OnceLock::new(),
            reversed_steps: OnceLock::new(),
            forward: MoveTable::forward(StepRule::Listed),
            pruned: MoveTable::pruned(StepRule::Listed),
            cheapest,
            costliest,
            chain: chain.map(Arc::new),
            ..self.clone()
        }
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
