//! What searches need of a map for one movement, made once and kept under edits.

mod area;
pub(crate) mod canonical_steps;
pub(crate) mod jump_stops;
mod neighbour_masks;
pub(crate) mod pruning;

use self::{
    area::{Area, EditedAreas},
    canonical_steps::{CanonicalSteps, MAX_STEP_COST},
    jump_stops::{JumpStops, ScanInput},
    neighbour_masks::NeighbourMasks,
    pruning::MoveTable,
};
use crate::{
    bit_grid::BitGrid,
    bounds::Bounds,
    cell::{Cell, Direction},
    cost::Cost,
    grid::Grid,
    movement::{Diagonals, Movement},
    terrain::CostTable,
};
use std::sync::{Arc, OnceLock};

/// A map seen by one movement: which cells are open, which steps each neighbourhood allows, what a step onto each
/// class costs, the cheapest and the most expensive class present.
///
/// A pure function of the map's classes and the movement, whatever the edits that led there.
///
/// # Memory
/// Nine bits a cell and 7 KiB; seventeen bits a cell more once jump points were asked for. Where those do not apply, eight bytes
/// for each cell of the blocks of 16 × 16 cells to which searches for one goal have come, and as much again for fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MovementMap {
    movement: Movement,
    // What an edit leaves alone is shared with the state before it, which searches under way may hold.
    passable: Arc<BitGrid>,
    neighbour_masks: Arc<NeighbourMasks>,
    /// For jump points; made when the first search asks for it.
    jump_stops: OnceLock<Arc<JumpStops>>,
    /// For ground of many costs; made, block by block, when searches ask for it.
    canonical_steps: OnceLock<CanonicalSteps>,
    /// The same for searches against the direction of the steps.
    reversed_steps: OnceLock<CanonicalSteps>,
    forward: MoveTable,
    pruned: MoveTable,
    /// For each class: the cost of a straight and of a diagonal step onto it.
    step_costs: Box<[[u32; 2]; 256]>,
    cheapest: u16,
    costliest: u16,
}

impl MovementMap {
    /// # Complexity
    /// O(cells).
    pub(crate) fn new(grid: &Grid, movement: Movement) -> Self {
        let costs = movement.costs();
        let steps = movement.steps();
        let step_costs = Box::new(std::array::from_fn(|class| {
            let multiplier = u32::from(costs.multiplier(class as u8));
            [multiplier * u32::from(steps.straight()), multiplier * u32::from(steps.diagonal())]
        }));
        let open: [bool; 256] = std::array::from_fn(|class| costs.is_passable(class as u8));
        let (width, height) = (grid.width(), grid.height());
        let passable = BitGrid::from_rows(width, height, grid.classes(), |&class| open[usize::from(class)]);
        let diagonals = movement.diagonals();
        let (forward, pruned) = (MoveTable::forward(diagonals), MoveTable::pruned(diagonals));
        let (cheapest, costliest) = cost_range(grid, costs);
        let neighbour_masks = NeighbourMasks::new(&passable, &grid.bounds());
        Self {
            movement,
            passable: Arc::new(passable),
            neighbour_masks: Arc::new(neighbour_masks),
            jump_stops: OnceLock::new(),
            canonical_steps: OnceLock::new(),
            reversed_steps: OnceLock::new(),
            forward,
            pruned,
            step_costs,
            cheapest,
            costliest,
        }
    }

    /// Follows one edit that the grid has just taken.
    ///
    /// # Complexity
    /// O(1), or O(256) when a class appears or vanishes; for the scan lines, where there are some, as they say.
    pub(crate) fn follow_edit(&mut self, grid: &Grid, cell: Cell, old: u8, new: u8) {
        if let Some((x, y)) = grid.bounds().local(cell) {
            let area = [Area::of_cell(x, y)];
            self.forget_steps(&area);
            if self.set_class(grid, (x, y), new) {
                self.renew_jump_stops(grid, &area);
            }
        }
        if grid.class_count(old) == 0 || grid.class_count(new) == 1 {
            (self.cheapest, self.costliest) = cost_range(grid, self.movement.costs());
        }
    }

    /// Follows all edits of these cells that the grid has taken since.
    ///
    /// # Complexity
    /// O(cells + 256); for the scan lines, where there are some, as they say.
    pub(crate) fn follow_edits(&mut self, grid: &Grid, cells: impl Iterator<Item = Cell>) {
        let [mut edited, mut turned] = [EditedAreas::default(), EditedAreas::default()];
        for cell in cells {
            if let (Some((x, y)), Some(class)) = (grid.bounds().local(cell), grid.terrain(cell)) {
                edited.add(x, y);
                if self.set_class(grid, (x, y), class) {
                    turned.add(x, y);
                }
            }
        }
        self.forget_steps(edited.areas());
        self.renew_jump_stops(grid, turned.areas());
        (self.cheapest, self.costliest) = cost_range(grid, self.movement.costs());
    }

    /// Takes the class of a cell, and says whether that opened or closed it.
    fn set_class(&mut self, grid: &Grid, (x, y): (u32, u32), class: u8) -> bool {
        let is_passable = self.movement.costs().is_passable(class);
        let has_turned = self.passable.get(x, y) != is_passable;
        if has_turned {
            Arc::make_mut(&mut self.passable).set(x, y, is_passable);
            Arc::make_mut(&mut self.neighbour_masks).follow_edit(&self.passable, &grid.bounds(), x, y);
        }
        has_turned
    }

    fn forget_steps(&mut self, areas: &[Area]) {
        for steps in [&mut self.canonical_steps, &mut self.reversed_steps] {
            if let Some(steps) = steps.get_mut() {
                for area in areas {
                    steps.forget(area);
                }
            }
        }
    }

    fn renew_jump_stops(&mut self, grid: &Grid, areas: &[Area]) {
        if !areas.is_empty()
            && let Some(mut lines) = self.jump_stops.take()
        {
            Arc::make_mut(&mut lines).follow_edits(self.scan_input(&grid.bounds()), areas);
            self.jump_stops = OnceLock::from(lines);
        }
    }

    pub(crate) const fn movement(&self) -> &Movement {
        &self.movement
    }

    #[inline]
    pub(crate) fn is_passable(&self, x: u32, y: u32) -> bool {
        self.passable.get(x, y)
    }

    /// The directions in which a unit may leave the cell, bit n for the nth of [`Direction::ALL`].
    #[inline]
    pub(crate) fn moves(&self, x: u32, y: u32) -> u8 {
        self.forward.directions(None, self.neighbour_masks.at(x, y))
    }

    /// The directions worth following from a cell that was entered in a direction, if all passable cells cost the same:
    /// what jump point search leaves of the moves. For a start, all moves.
    #[inline]
    pub(crate) fn pruned_successors(&self, arrival: Option<Direction>, x: u32, y: u32) -> u8 {
        self.pruned.directions(arrival, self.neighbour_masks.at(x, y))
    }

    /// The passable cells, a bit each, row by row.
    #[inline]
    pub(crate) fn rows(&self) -> &BitGrid {
        &self.passable
    }

    /// The open neighbours of each cell, a bit each, by slot.
    #[inline]
    pub(crate) fn open_neighbours(&self) -> &[u8] {
        self.neighbour_masks.bytes()
    }

    /// The memory that an edit copies while a search holds the state before it. (Blocks of canonical steps are copied one by one,
    /// where an edit touches them.)
    pub(crate) fn bytes(&self) -> usize {
        let lines = self.jump_stops.get().map_or(0, |lines| lines.bytes());
        let steps = [&self.canonical_steps, &self.reversed_steps];
        let steps: usize =
            steps.iter().filter_map(|steps| steps.get()).map(CanonicalSteps::table_bytes).sum();
        let own = size_of::<Self>() + size_of_val(&*self.step_costs);
        own + self.passable.bytes() + self.neighbour_masks.bytes().len() + lines + steps
    }

    /// Which directions to follow, by arrival and open neighbours: the pruned ones where all passable cells cost the same.
    pub(crate) fn move_table(&self) -> &MoveTable {
        if self.is_prunable() { &self.pruned } else { &self.forward }
    }

    /// Which directions to follow, by arrival and open neighbours, where all passable cells around cost the same.
    pub(crate) const fn pruned_table(&self) -> &MoveTable {
        &self.pruned
    }

    /// Which directions to follow, by arrival and open neighbours, whatever the terrain.
    pub(crate) const fn forward_table(&self) -> &MoveTable {
        &self.forward
    }

    /// Whether pruning is exact for this movement map as it is now: one passable cost, and a diagonal step that costs more
    /// than a straight one and less than two.
    pub(crate) fn is_prunable(&self) -> bool {
        self.uniform_multiplier().is_some() && self.is_prunable_on_even_ground()
    }

    /// Whether pruning is exact at a cell that costs the same as all around it: the step costs are strict, or there are no
    /// diagonals.
    pub(crate) fn is_prunable_on_even_ground(&self) -> bool {
        let steps = self.movement.steps();
        let is_strict = steps.straight() < steps.diagonal()
            && u32::from(steps.diagonal()) < 2 * u32::from(steps.straight());
        is_strict || self.movement.diagonals() == Diagonals::Never
    }

    /// How many of how many open cells lie beside the corner of an obstacle.
    pub(crate) fn corner_share(&self) -> (usize, usize) {
        self.neighbour_masks.corner_share()
    }

    /// Where scans for jump points stop.
    ///
    /// # Complexity
    /// O(cells) the first time.
    pub(crate) fn jump_stops(&self, bounds: &Bounds) -> &JumpStops {
        self.jump_stops.get_or_init(|| Arc::new(JumpStops::new(self.scan_input(bounds))))
    }

    /// The steps worth following from each cell, where the movement map as a whole does not allow pruning and no step is too
    /// expensive to be compared.
    pub(crate) fn canonical_steps(&self, bounds: &Bounds) -> Option<&CanonicalSteps> {
        self.compared_steps(&self.canonical_steps, bounds, false)
    }

    /// The same for searches against the direction of the steps.
    pub(crate) fn reversed_steps(&self, bounds: &Bounds) -> Option<&CanonicalSteps> {
        self.compared_steps(&self.reversed_steps, bounds, true)
    }

    fn compared_steps<'a>(
        &self,
        kept: &'a OnceLock<CanonicalSteps>,
        bounds: &Bounds,
        is_reversed: bool,
    ) -> Option<&'a CanonicalSteps> {
        let made = || {
            let rule = self.movement.diagonals();
            CanonicalSteps::new(bounds.width(), bounds.height(), rule, is_reversed)
        };
        (!self.is_prunable() && self.max_step_cost() <= MAX_STEP_COST).then(|| kept.get_or_init(made))
    }

    fn scan_input(&self, bounds: &Bounds) -> ScanInput<'_> {
        ScanInput {
            rows: &self.passable,
            rule: self.movement.diagonals(),
            width: bounds.width(),
            height: bounds.height(),
        }
    }

    /// The one multiplier of all passable cells of the map as it is now, if there is only one.
    pub(crate) fn uniform_multiplier(&self) -> Option<u16> {
        (self.cheapest == self.costliest && self.cheapest > 0).then_some(self.cheapest)
    }

    /// For each class: what a straight and a diagonal step onto it cost.
    pub(crate) const fn step_costs(&self) -> &[[u32; 2]; 256] {
        &self.step_costs
    }

    /// What a step onto the class costs, straight or diagonal.
    #[inline]
    pub(crate) fn step_cost(&self, class: u8, diagonal: bool) -> Cost {
        Cost::new(self.step_costs[usize::from(class)][usize::from(diagonal)])
    }

    /// The smallest multiplier of a passable class that is on the map now; 0 where all is wall.
    pub(crate) const fn cheapest(&self) -> u16 {
        self.cheapest
    }

    /// The cost of the most expensive step that the map has now.
    pub(crate) fn max_step_cost(&self) -> u32 {
        u32::from(self.costliest) * u32::from(self.movement.steps().diagonal())
    }
}

fn cost_range(grid: &Grid, costs: &CostTable) -> (u16, u16) {
    let present = (0..=u8::MAX)
        .filter(|&class| costs.is_passable(class) && grid.class_count(class) > 0)
        .map(|class| costs.multiplier(class));
    present.fold((0, 0), |(low, high), multiplier| {
        (if low == 0 { multiplier } else { low.min(multiplier) }, high.max(multiplier))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_those_of_the_rule_in_every_neighbourhood() {
        for diagonals in Diagonals::ALL {
            for neighbourhood in 0..512_usize {
                let classes = (0..9).map(|bit| (neighbourhood >> bit & 1) as u8).collect();
                let grid = Grid::from_classes(3, 3, classes).unwrap();
                let movement = Movement::new().with_diagonals(diagonals);
                let movement_map = MovementMap::new(&grid, movement.clone());
                for direction in Direction::ALL {
                    let allowed = movement.step_cost(&grid, Cell::new(1, 1), direction).is_some();
                    assert_eq!(
                        movement_map.moves(1, 1) >> direction as u8 & 1 == 1,
                        allowed,
                        "{diagonals}, neighbourhood {neighbourhood:09b}, {direction:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn edits_lead_to_the_layer_of_a_fresh_build() {
        let mut grid = Grid::new(70, 3, 2).unwrap();
        let movement = Movement::new();
        let mut movement_map = MovementMap::new(&grid, movement.clone());
        for step in 0..400_u32 {
            let cell = Cell::new((step * 37 % 70) as i32, (step % 3) as i32);
            let (old, new) = (grid.terrain(cell).unwrap(), (step * 7 % 5) as u8);
            if grid.set_terrain(cell, new).unwrap() {
                movement_map.follow_edit(&grid, cell, old, new);
            }
            assert_eq!(movement_map, MovementMap::new(&grid, movement.clone()), "after edit {step}");
        }
    }

    #[test]
    fn many_edits_at_once_lead_to_the_layer_of_a_fresh_build() {
        let mut grid = Grid::new(70, 3, 2).unwrap();
        let mut movement_map = MovementMap::new(&grid, Movement::new());
        for batch in 0..60_u32 {
            let mut cells = Vec::new();
            for edit in 0..batch % 7 {
                // The same class twice in one batch: it appears with a count of two.
                let number = batch * 7 + edit / 2;
                let cell = Cell::new(((batch * 31 + edit * 5) % 70) as i32, (edit % 3) as i32);
                grid.set_terrain(cell, (number % 11) as u8).unwrap();
                cells.push(cell);
            }
            movement_map.follow_edits(&grid, cells.into_iter());
            assert_eq!(movement_map, MovementMap::new(&grid, Movement::new()), "after batch {batch}");
        }
    }

    #[test]
    fn rectangles_lead_to_the_layer_of_a_fresh_build_with_all_that_is_made() {
        for diagonals in Diagonals::ALL {
            let mut grid = Grid::new(150, 90, 1).unwrap();
            let movement = Movement::new().with_diagonals(diagonals);
            let made = |grid: &Grid| {
                let movement_map = MovementMap::new(grid, movement.clone());
                movement_map.jump_stops(&grid.bounds());
                movement_map
            };
            let mut movement_map = made(&grid);
            for edit in 0..80_i32 {
                let corner = Cell::new(edit * 37 % 135, edit * 23 % 77);
                let area = Bounds::new(corner, 1 + edit as u32 % 14, 1 + edit as u32 % 12).unwrap();
                let edits = grid.edit_area(area, (edit % 3 % 2) as u8).unwrap();
                movement_map.follow_edits(&grid, edits.iter().map(|edit| edit.cell));
                assert_eq!(movement_map, made(&grid), "{diagonals}, after rectangle {edit}");
            }
        }
    }
}
