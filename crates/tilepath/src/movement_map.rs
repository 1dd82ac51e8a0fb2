//! What searches need of a map for one movement, made once and kept under edits.

pub(crate) mod area;
pub(crate) mod canonical_steps;
mod edits;
pub(crate) mod hexagon_stops;
pub(crate) mod jump_stops;
pub(crate) mod kept_portals;
pub(crate) mod lattice_costs;
mod leaving;
mod listed_moves;
pub(crate) mod meter;
mod neighbour_masks;
pub(crate) mod plane;
pub(crate) mod pruning;
mod resize;

use self::{
    area::Area,
    canonical_steps::{CanonicalSteps, MAX_STEP_COST},
    hexagon_stops::{HexagonStops, OpenCells},
    jump_stops::{JumpStops, ScanInput},
    kept_portals::KeptPortals,
    lattice_costs::LatticeCosts,
    listed_moves::ListedMoves,
    neighbour_masks::NeighbourMasks,
    plane::{ClassGround, DerivedPlane, Plane},
    pruning::{MoveTable, StepRule},
};
use crate::{
    bit_grid::BitGrid,
    bounds::Bounds,
    cell::{Cell, Direction},
    grid::Grid,
    movement::{Diagonals, Movement},
    terrain::CostTable,
    topology::Topology,
};
use std::sync::{Arc, OnceLock};

/// A map seen by one movement: which cells are open, which steps each neighbourhood allows, what a step onto each
/// class costs, the cheapest and the most expensive class present.
///
/// Cells are anchors: for a movement that covers more than one cell a cell is open where its whole footprint is.
///
/// A pure function of the map and the movement, whatever the edits that led there.
///
/// # Memory
/// Nine bits a cell and 12 KiB; two bytes a cell more where the classes alone do not say what a cell costs (sizes, overlays,
/// void for a table that opens class 0), one more where the map has exits; seventeen bits a cell more once jump points were
/// asked for, on hexagons a byte. Where those do not apply, eight bytes for each cell of the blocks of 16 × 16 cells to which
/// searches for one goal have come, and as much again for fields; on hexagons half a byte a cell of the map more. Where near
/// answers were asked for, a twelfth of a byte a cell and the chunks of portals that they came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MovementMap {
    movement: Movement,
    // What an edit leaves alone is shared with the state before it, which searches under way may hold.
    passable: Arc<BitGrid>,
    neighbour_masks: Arc<NeighbourMasks>,
    /// What cells cost, where the map's classes do not say it.
    derived: Option<Arc<DerivedPlane>>,
    /// Which steps are allowed, where that depends on more than the open neighbours.
    listed: Option<Arc<ListedMoves>>,
    topology: Topology,
    /// For jump points; made when the first search asks for it.
    jump_stops: OnceLock<Arc<JumpStops>>,
    /// The same on hexagons.
    hexagon_stops: OnceLock<Arc<HexagonStops>>,
    /// For ground of many costs; made, block by block, when searches ask for it.
    canonical_steps: OnceLock<CanonicalSteps>,
    /// The same for searches against the direction of the steps.
    reversed_steps: OnceLock<CanonicalSteps>,
    /// For near answers; made, chunk by chunk, when searches ask for them.
    portals: OnceLock<KeptPortals>,
    /// For hexagons of many costs; made when the first search asks for it.
    lattice_costs: OnceLock<Arc<LatticeCosts>>,
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
        let [straight, diagonal] = movement.unit_costs(grid.topology());
        let step_costs = Box::new(std::array::from_fn(|class| {
            let multiplier = u32::from(costs.multiplier(class as u8));
            [multiplier * straight, multiplier * diagonal]
        }));
        let (width, height) = (grid.width(), grid.height());
        let mut derived =
            DerivedPlane::is_needed(grid, &movement).then(|| DerivedPlane::new(grid, &movement));
        if let Some(derived) = &mut derived {
            listed_moves::close_split_anchors(grid, &movement, derived);
        }
        let passable = if let Some(derived) = &derived {
            BitGrid::from_rows(width, height, derived.multipliers(), |&multiplier| multiplier > 0)
        } else {
            let open: [bool; 256] = std::array::from_fn(|class| costs.is_passable(class as u8));
            BitGrid::from_rows(width, height, grid.classes(), |&class| open[usize::from(class)])
        };
        let (cheapest, costliest) =
            derived.as_ref().map_or_else(|| cost_range(grid, costs), DerivedPlane::range);
        let neighbour_masks = NeighbourMasks::new(&passable, &grid.bounds());
        let listed = grid
            .has_exits()
            .then(|| Arc::new(ListedMoves::new(grid, &movement, &passable, &neighbour_masks)));
        let rule = match (grid.topology(), &listed) {
            (_, Some(_)) => StepRule::Listed,
            (Topology::Square, None) => StepRule::Square(movement.diagonals()),
            (Topology::Hexagonal, None) => StepRule::Hexagonal,
        };
        Self {
            passable: Arc::new(passable),
            neighbour_masks: Arc::new(neighbour_masks),
            derived: derived.map(Arc::new),
            listed,
            topology: grid.topology(),
            jump_stops: OnceLock::new(),
            hexagon_stops: OnceLock::new(),
            canonical_steps: OnceLock::new(),
            reversed_steps: OnceLock::new(),
            portals: OnceLock::new(),
            lattice_costs: OnceLock::new(),
            forward: MoveTable::forward(rule),
            pruned: MoveTable::pruned(rule),
            step_costs,
            cheapest,
            costliest,
            movement,
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
        match &self.listed {
            Some(listed) => listed.at(x, y),
            None => self.forward.directions(None, self.neighbour_masks.at(x, y)),
        }
    }

    /// The same for the cell of a slot.
    #[inline]
    pub(crate) fn moves_at(&self, slot: usize) -> u8 {
        match &self.listed {
            Some(listed) => listed.bytes()[slot],
            None => self.forward.directions(None, self.neighbour_masks.bytes()[slot]),
        }
    }

    /// The directions from which a unit may enter the cell, from open cells: bit n says that one may come from the neighbour in
    /// the nth of [`Direction::ALL`].
    ///
    /// Without exits every step between open cells can be taken both ways, by each rule: the cells beside a diagonal step are
    /// the same two.
    #[inline]
    pub(crate) fn entries(&self, x: u32, y: u32) -> u8 {
        match &self.listed {
            Some(listed) => listed.entries(x, y, self.neighbour_masks.at(x, y)),
            None => self.moves(x, y),
        }
    }

    /// Whether the unit covers more than one cell.
    pub(crate) const fn is_large(&self) -> bool {
        self.movement.size().side() > 1
    }

    /// Whether connected regions of open cells say all about what can be reached from the cell: every step between open cells goes
    /// both ways, and a unit there borrows no ground.
    pub(crate) fn is_told_by_regions(&self, x: u32, y: u32) -> bool {
        self.listed.is_none() && (!self.is_large() || self.is_passable(x, y))
    }

    /// Whether steps are listed for each cell: some may be allowed in one direction only.
    pub(crate) const fn has_listed_moves(&self) -> bool {
        self.listed.is_some()
    }

    /// Whether the map's classes and the open neighbours of cells say all.
    pub(crate) const fn is_plain(&self) -> bool {
        self.derived.is_none() && self.listed.is_none()
    }

    /// Whether the two are of the same movement and kept in the same form, so that they can be compared cell by cell.
    pub(crate) fn is_of_kind(&self, other: &Self) -> bool {
        self.movement == other.movement
            && self.topology == other.topology
            && self.derived.is_some() == other.derived.is_some()
            && self.listed.is_some() == other.listed.is_some()
    }

    /// The steps out of the cell of a slot, where they are listed.
    pub(crate) fn listed_at(&self, slot: usize) -> Option<u8> {
        self.listed.as_ref().map(|listed| listed.bytes()[slot])
    }

    /// The cells that the edit of one may change: those whose footprints cover it and, where steps are
    /// listed, those beside them.
    pub(crate) fn touched(&self, grid: &Grid, cell: Cell) -> Option<Area> {
        plane::touched(grid, &self.movement, cell, u32::from(self.listed.is_some()))
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

    /// For each cell, by slot, what the move tables are asked with: its open neighbours, a bit each, or the steps themselves where
    /// they are listed.
    #[inline]
    pub(crate) fn open_neighbours(&self) -> &[u8] {
        self.listed.as_ref().map_or(self.neighbour_masks.bytes(), |listed| listed.bytes())
    }

    /// What entering each cell costs, on a map of these classes.
    #[inline]
    pub(crate) fn plane<'map>(&'map self, classes: &'map [u8]) -> Plane<'map> {
        Plane { classes: ClassGround { classes, costs: &self.step_costs }, derived: self.derived.as_deref() }
    }

    /// The same where classes say all, for searches that must lose no time.
    #[inline]
    pub(crate) fn class_ground<'map>(&'map self, classes: &'map [u8]) -> Option<ClassGround<'map>> {
        self.derived.is_none().then_some(ClassGround { classes, costs: &self.step_costs })
    }

    /// The shape of the map's cells.
    pub(crate) const fn topology(&self) -> Topology {
        self.topology
    }

    /// The memory that an edit copies while a search holds the state before it. (Blocks of canonical steps are copied one by one,
    /// where an edit touches them.)
    pub(crate) fn bytes(&self) -> usize {
        let lines = self.jump_stops.get().map_or(0, |lines| lines.bytes())
            + self.hexagon_stops.get().map_or(0, |stops| stops.bytes())
            + self.lattice_costs.get().map_or(0, |costs| costs.bytes());
        let steps = [&self.canonical_steps, &self.reversed_steps];
        let steps: usize =
            steps.iter().filter_map(|steps| steps.get()).map(CanonicalSteps::table_bytes).sum();
        let own = size_of::<Self>() + size_of_val(&*self.step_costs);
        let portals = self.portals.get().map_or(0, KeptPortals::table_bytes);
        let derived = self.derived.as_ref().map_or(0, |derived| size_of_val(derived.multipliers()));
        let listed = self.listed.as_ref().map_or(0, |listed| listed.bytes().len());
        let kept = self.passable.bytes() + self.neighbour_masks.bytes().len() + derived + listed;
        own + kept + lines + steps + portals
    }

    /// All the memory that it takes: also the blocks of canonical steps and the chunks of portals that searches have come to.
    ///
    /// # Complexity
    /// O(blocks of 16 × 16 cells) on ground of many costs, and where near answers were asked for, else O(1).
    pub(crate) fn kept_bytes(&self) -> usize {
        let steps = [&self.canonical_steps, &self.reversed_steps];
        let blocks: usize =
            steps.iter().filter_map(|steps| steps.get()).map(CanonicalSteps::block_bytes).sum();
        self.bytes() + blocks + self.portals.get().map_or(0, KeptPortals::chunk_bytes)
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

    /// Whether pruning is exact at a cell that costs the same as all around it: steps are not listed, and the step costs are
    /// strict, or there are no diagonals.
    pub(crate) fn is_prunable_on_even_ground(&self) -> bool {
        if self.listed.is_some() || self.topology == Topology::Hexagonal {
            return self.listed.is_none();
        }
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

    /// The same on hexagons.
    ///
    /// # Complexity
    /// O(cells) the first time.
    pub(crate) fn hexagon_stops(&self, bounds: &Bounds) -> &HexagonStops {
        self.hexagon_stops.get_or_init(|| Arc::new(HexagonStops::new(self.open_cells(bounds))))
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

    /// What is known of the portals between chunks.
    pub(crate) fn portals(&self, bounds: &Bounds) -> &KeptPortals {
        self.portals.get_or_init(|| KeptPortals::new(bounds))
    }

    /// The least that ground costs on a lattice of triangles, on a map of hexagons and these classes.
    ///
    /// # Complexity
    /// O(cells) the first time.
    pub(crate) fn lattice_costs(&self, bounds: &Bounds, classes: &[u8]) -> &LatticeCosts {
        let made = || Arc::new(LatticeCosts::new(self.plane(classes), bounds.width(), bounds.height()));
        self.lattice_costs.get_or_init(made)
    }

    fn compared_steps<'a>(
        &self,
        kept: &'a OnceLock<CanonicalSteps>,
        bounds: &Bounds,
        is_reversed: bool,
    ) -> Option<&'a CanonicalSteps> {
        let rule = match self.topology {
            Topology::Square => StepRule::Square(self.movement.diagonals()),
            Topology::Hexagonal => StepRule::Hexagonal,
        };
        let made = || CanonicalSteps::new(bounds.width(), bounds.height(), rule, is_reversed);
        let is_wanted = self.listed.is_none() && !self.is_prunable() && self.max_step_cost() <= MAX_STEP_COST;
        is_wanted.then(|| kept.get_or_init(made))
    }

    fn scan_input(&self, bounds: &Bounds) -> ScanInput<'_> {
        ScanInput {
            rows: &self.passable,
            rule: self.movement.diagonals(),
            width: bounds.width(),
            height: bounds.height(),
        }
    }

    fn open_cells(&self, bounds: &Bounds) -> OpenCells<'_> {
        OpenCells {
            rows: &self.passable,
            masks: &self.neighbour_masks,
            width: bounds.width(),
            height: bounds.height(),
        }
    }

    /// The one multiplier of all passable cells of the map as it is now, if there is only one.
    pub(crate) fn uniform_multiplier(&self) -> Option<u16> {
        (self.cheapest == self.costliest && self.cheapest > 0).then_some(self.cheapest)
    }

    /// The smallest multiplier of an open cell of the map as it is now; 0 where all are closed.
    pub(crate) const fn cheapest(&self) -> u16 {
        self.cheapest
    }

    /// The cost of the most expensive step that the map has now.
    pub(crate) fn max_step_cost(&self) -> u32 {
        let [_, diagonal] = self.movement.unit_costs(self.topology);
        u32::from(self.costliest) * diagonal
    }
}

fn cost_range(grid: &Grid, costs: &CostTable) -> (u16, u16) {
    // Without a branch, several classes at once. Less 1, closed ones are above all others.
    let (mut least_less_one, mut highest) = (u16::MAX, 0);
    for class in 0..=u8::MAX {
        let multiplier = if grid.class_count(class) > 0 { costs.multiplier(class) } else { 0 };
        least_less_one = least_less_one.min(multiplier.wrapping_sub(1));
        highest = highest.max(multiplier);
    }
    (least_less_one.wrapping_add(1), highest)
}

#[cfg(test)]
mod tests;
