//! Data of a map for one movement, updated with its edits.

pub(crate) mod area;
pub(crate) mod canonical_steps;
mod edits;
pub(crate) mod hexagon_stops;
pub(crate) mod jump_stops;
mod leaving;
mod listed_moves;
pub(crate) mod meter;
pub(crate) mod near_samples;
pub(crate) mod neighbour_masks;
pub(crate) mod plane;
pub(crate) mod pruning;
mod resize;
pub(crate) mod step_order;
pub(crate) mod step_prices;

use self::{
    area::Area,
    canonical_steps::{CanonicalSteps, MAX_STEP_COST},
    hexagon_stops::{HexagonStops, OpenCells},
    jump_stops::{JumpStops, ScanInput, four_way_stops::FourWayStops},
    listed_moves::ListedMoves,
    near_samples::NearSamples,
    neighbour_masks::{CellCounts, NeighbourMasks},
    plane::{ClassGround, DerivedGround, DerivedPlane, Plane},
    pruning::{MoveTable, StepRule},
    step_prices::{PriceForm, PricedNeighbours, StepPrices},
};
use crate::{
    bit_grid::BitGrid,
    bounds::Bounds,
    cell::{Cell, Direction},
    grid::Grid,
    movement::{Diagonals, Movement, WayOut},
    terrain::CostTable,
    topology::Topology,
};
use std::sync::{Arc, OnceLock};

/// A map for one movement: the open cells, the steps that each neighbourhood allows, the cost of a
/// step onto each class, and the cheapest and the most expensive class present.
///
/// Cells are anchors: for a movement of more than one cell, a cell is open if its whole footprint
/// is open.
///
/// It is a pure function of the map and the movement; the edits made before do not count.
///
/// # Memory
/// Nine bits a cell and 13 KiB. In addition:
/// - two bytes a cell if classes alone do not give the cost of a cell (sizes, overlays, void with a
///   table that opens class 0),
/// - one byte a cell if the map has exits, or if steps are closed to the movement,
/// - four bytes a cell if steps cross edges with costs or ends of turns, or if a unit of several cells
///   has costs of steps between classes,
/// - after a search with jump points, seventeen bits a cell, or a byte a cell on hexagons,
/// - for searches for one goal without jump points, eight bytes for each cell of the visited blocks
///   of 16 × 16 cells; as much again for fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MovementMap {
    movement: Movement,
    /// The movement with the least cost of each step onto a class as its cost table. All costs here are
    /// its costs; `prices` has what steps cost more.
    floor: Arc<Movement>,
    // Data that an edit does not change is shared with the state before it, which running searches
    // may use.
    passable: Arc<BitGrid>,
    neighbour_masks: Arc<NeighbourMasks>,
    /// The costs of cells, if the map's classes do not give them.
    derived: Option<Arc<DerivedPlane>>,
    /// The allowed steps of each cell, if they depend on more than the open neighbours.
    listed: Option<Arc<ListedMoves>>,
    /// The surcharges of steps, if the movement may have any on this map.
    prices: Option<Arc<StepPrices>>,
    topology: Topology,
    /// For jump points; created by the first search that needs it.
    jump_stops: OnceLock<Arc<JumpStops>>,
    four_way_stops: OnceLock<Arc<FourWayStops>>,
    /// For jumps on hexagons; created by the first search that needs it.
    hexagon_stops: OnceLock<Arc<HexagonStops>>,
    /// For ground of many costs; created block by block by the searches that need it.
    canonical_steps: OnceLock<CanonicalSteps>,
    /// For searches against the direction of the steps, on ground of many costs.
    reversed_steps: OnceLock<CanonicalSteps>,
    /// For the automatic choice; created window by window by the queries that need it.
    near_samples: NearSamples,
    /// For near searches; created chunk by chunk by the searches that need it.
    forward: MoveTable,
    pruned: MoveTable,
    /// For each class: the cost of a straight and of a diagonal step onto it.
    step_costs: Box<[[u32; 2]; 256]>,
    cheapest: u16,
    costliest: u16,
    /// For the map of a unit that starts deep in closed ground: the chain by which it leaves it.
    chain: Option<Arc<WayOut>>,
}

impl MovementMap {
    /// # Complexity
    /// O(cells).
    pub(crate) fn new(grid: &Grid, movement: Movement) -> Self {
        let floor = floor_of(&movement);
        let costs = floor.costs();
        let [straight, diagonal] = movement.unit_costs(grid.topology());
        let step_costs = Box::new(std::array::from_fn(|class| {
            let multiplier = u32::from(costs.multiplier(class as u8));
            [multiplier * straight, multiplier * diagonal]
        }));
        let (width, height) = (grid.width(), grid.height());
        let mut derived = DerivedPlane::is_needed(grid, &movement).then(|| DerivedPlane::new(grid, &floor));
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
        let listed = listed_moves::is_needed(grid, &movement)
            .then(|| Arc::new(ListedMoves::new(grid, &movement, &passable, &neighbour_masks)));
        let rule = match (grid.topology(), &listed) {
            (_, Some(_)) => StepRule::Listed,
            (Topology::Square, None) => StepRule::Square(movement.diagonals()),
            (Topology::Hexagonal, None) => StepRule::Hexagonal,
        };
        let prices = StepPrices::new(grid, &movement, rule).map(Arc::new);
        Self {
            passable: Arc::new(passable),
            neighbour_masks: Arc::new(neighbour_masks),
            derived: derived.map(Arc::new),
            listed,
            prices,
            topology: grid.topology(),
            jump_stops: OnceLock::new(),
            four_way_stops: OnceLock::new(),
            hexagon_stops: OnceLock::new(),
            canonical_steps: OnceLock::new(),
            reversed_steps: OnceLock::new(),
            near_samples: NearSamples::default(),
            forward: MoveTable::forward(rule),
            pruned: MoveTable::pruned(rule),
            step_costs,
            cheapest,
            costliest,
            chain: None,
            floor,
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

    /// Returns the directions in which a unit may leave the cell: bit n for the nth of
    /// [`Direction::ALL`].
    #[inline]
    pub(crate) fn moves(&self, x: u32, y: u32) -> u8 {
        match &self.listed {
            Some(listed) => listed.at(x, y),
            None => self.forward.directions(None, self.neighbour_masks.at(x, y)),
        }
    }

    /// Returns the directions in which a unit may leave the cell at a slot.
    #[inline]
    pub(crate) fn moves_at(&self, slot: usize) -> u8 {
        match &self.listed {
            Some(listed) => listed.bytes()[slot],
            None => self.forward.directions(None, self.neighbour_masks.bytes()[slot]),
        }
    }

    /// Returns the directions from which a unit may enter the cell from open cells: bit n is set if
    /// it may come from the neighbour in the nth of [`Direction::ALL`].
    ///
    /// Without exits, every step between open cells can be taken in both directions, under each
    /// rule: the two cells beside a diagonal step are the same.
    #[inline]
    pub(crate) fn entries(&self, x: u32, y: u32) -> u8 {
        match &self.listed {
            Some(listed) => listed.entries(x, y, self.neighbour_masks.at(x, y)),
            None => self.moves(x, y),
        }
    }

    /// Returns whether the unit covers more than one cell.
    pub(crate) const fn is_large(&self) -> bool {
        self.movement.size().side() > 1
    }

    /// Returns whether connected regions of open cells decide what can be reached from the cell.
    /// That is so if every step between open cells goes both ways, and a unit there borrows no
    /// ground.
    pub(crate) fn is_told_by_regions(&self, x: u32, y: u32) -> bool {
        self.listed.is_none() && (!self.is_large() || self.is_passable(x, y))
    }

    /// Returns whether steps are listed for each cell. Then some may be allowed in one direction
    /// only.
    pub(crate) const fn has_listed_moves(&self) -> bool {
        self.listed.is_some()
    }

    /// Returns whether the map's classes and the open neighbours of cells decide everything.
    pub(crate) const fn is_plain(&self) -> bool {
        self.derived.is_none() && self.listed.is_none() && self.prices.is_none()
    }

    fn price_form(&self) -> Option<PriceForm> {
        self.prices.as_ref().map(|prices| prices.form())
    }

    /// Returns whether the map needs the same parts after edits.
    fn is_in_form(&self, grid: &Grid) -> bool {
        DerivedPlane::is_needed(grid, &self.movement) == self.derived.is_some()
            && listed_moves::is_needed(grid, &self.movement) == self.listed.is_some()
            && PriceForm::of(grid, &self.movement) == self.price_form()
    }

    /// Returns whether a step may end a turn, for the edges that it crosses.
    pub(crate) fn has_turn_ends(&self) -> bool {
        self.prices.as_ref().is_some_and(|prices| prices.has_turn_ends())
    }

    /// Returns whether a step may cost more than the ground that it enters.
    pub(crate) fn has_surcharges(&self) -> bool {
        self.surcharges().is_some()
    }

    /// Returns whether both are for the same movement and in the same form, so that they can be
    /// compared cell by cell.
    pub(crate) fn is_of_kind(&self, other: &Self) -> bool {
        self.movement == other.movement
            && self.topology == other.topology
            && self.derived.is_some() == other.derived.is_some()
            && self.listed.is_some() == other.listed.is_some()
            && self.price_form() == other.price_form()
    }

    /// Returns the steps out of the cell at a slot, if steps are listed.
    pub(crate) fn listed_at(&self, slot: usize) -> Option<u8> {
        self.listed.as_ref().map(|listed| listed.bytes()[slot])
    }

    /// Returns the cells that the edit of one cell may change: those whose footprints cover it and,
    /// if steps are listed or have surcharges, the cells beside them.
    pub(crate) fn touched(&self, grid: &Grid, cell: Cell) -> Option<Area> {
        let reaches_aside = self.listed.is_some() || self.prices.is_some();
        plane::touched(grid, &self.movement, cell, u32::from(reaches_aside))
    }

    /// Returns the directions that jump point search follows from a cell that was entered in a
    /// direction, if all passable cells cost the same. For a start, returns all moves.
    #[inline]
    pub(crate) fn pruned_successors(&self, arrival: Option<Direction>, x: u32, y: u32) -> u8 {
        self.pruned.directions(arrival, self.neighbour_masks.at(x, y))
    }

    /// Returns the passable cells, a bit each, row by row.
    #[inline]
    pub(crate) fn rows(&self) -> &BitGrid {
        &self.passable
    }

    /// Returns for each cell, by slot, the index into the move tables: its open neighbours, a bit
    /// each, or its steps if steps are listed.
    #[inline]
    pub(crate) fn open_neighbours(&self) -> &[u8] {
        self.listed.as_ref().map_or(self.neighbour_masks.bytes(), |listed| listed.bytes())
    }

    /// Returns the costs of entering each cell, on a map of these classes.
    #[inline]
    pub(crate) fn plane<'map>(&'map self, classes: &'map [u8]) -> Plane<'map> {
        let classes = ClassGround { classes, costs: &self.step_costs };
        Plane { classes, derived: self.derived.as_deref(), prices: self.prices.as_deref() }
    }

    /// Returns these costs if they depend only on the classes, for the fastest searches.
    #[inline]
    pub(crate) fn class_ground<'map>(&'map self, classes: &'map [u8]) -> Option<ClassGround<'map>> {
        let is_of_classes = self.derived.is_none() && !self.has_surcharges();
        is_of_classes.then_some(ClassGround { classes, costs: &self.step_costs })
    }

    /// Returns these costs if each cell has its own and steps have no surcharges.
    #[inline]
    pub(crate) fn derived_ground<'map>(&'map self, classes: &'map [u8]) -> Option<DerivedGround<'map>> {
        let derived = self.derived.as_deref().filter(|_| !self.has_surcharges())?;
        Some(DerivedGround { classes: ClassGround { classes, costs: &self.step_costs }, derived })
    }

    /// Returns the multiplier of the cell at a slot, on a map of these classes; zero if the cell is
    /// closed.
    #[inline]
    pub(crate) fn multiplier_at(&self, classes: &[u8], slot: usize) -> u16 {
        match &self.derived {
            Some(derived) => derived.multipliers()[slot],
            None => self.floor.costs().multiplier(classes[slot]),
        }
    }

    /// Returns whether the cell at a slot has become cheaper than on an earlier map of the same classes, or
    /// allows another step.
    pub(crate) fn is_cheaper_than(&self, former: &Self, classes: &[u8], slot: usize) -> bool {
        let [now, before] = [self, former].map(|map| map.multiplier_at(classes, slot).wrapping_sub(1));
        now < before || self.moves_at(slot) & !former.moves_at(slot) != 0
    }

    /// Returns the shape of the map's cells.
    pub(crate) const fn topology(&self) -> Topology {
        self.topology
    }

    /// Returns the bytes that an edit copies while a search uses the state before it. (Blocks of
    /// canonical steps are copied one by one, if an edit touches them.)
    pub(crate) fn bytes(&self) -> usize {
        let lines = self.jump_stops.get().map_or(0, |lines| lines.bytes())
            + self.four_way_stops.get().map_or(0, |stops| stops.bytes())
            + self.hexagon_stops.get().map_or(0, |stops| stops.bytes());
        let steps = [&self.canonical_steps, &self.reversed_steps];
        let steps: usize =
            steps.iter().filter_map(|steps| steps.get()).map(CanonicalSteps::table_bytes).sum();
        let own = size_of::<Self>() + size_of_val(&*self.step_costs);
        let derived = self.derived.as_ref().map_or(0, |derived| size_of_val(derived.multipliers()));
        let listed = self.listed.as_ref().map_or(0, |listed| listed.bytes().len());
        let prices = self.prices.as_ref().map_or(0, |prices| prices.bytes());
        let kept = self.passable.bytes() + self.neighbour_masks.bytes().len() + derived + listed + prices;
        own + kept + lines + steps
    }

    /// Returns all bytes in use, with the blocks of canonical steps that searches have visited.
    ///
    /// # Complexity
    /// O(blocks of 16 × 16 cells) on ground of many costs, else O(1).
    pub(crate) fn kept_bytes(&self) -> usize {
        let steps = [&self.canonical_steps, &self.reversed_steps];
        let blocks: usize =
            steps.iter().filter_map(|steps| steps.get()).map(CanonicalSteps::block_bytes).sum();
        self.bytes() + blocks
    }

    /// Returns the directions to follow, by arrival and open neighbours: the pruned ones if all
    /// passable cells cost the same.
    pub(crate) fn move_table(&self) -> &MoveTable {
        if self.is_prunable() { &self.pruned } else { &self.forward }
    }

    /// Returns the directions to follow, by arrival and open neighbours, if all passable cells
    /// around cost the same.
    pub(crate) const fn pruned_table(&self) -> &MoveTable {
        &self.pruned
    }

    /// Returns the directions to follow, by arrival and open neighbours, whatever the terrain.
    pub(crate) const fn forward_table(&self) -> &MoveTable {
        &self.forward
    }

    /// Returns the surcharges of steps, if there are any.
    pub(crate) fn surcharges(&self) -> Option<&StepPrices> {
        self.prices.as_deref().filter(|prices| prices.highest() > 0)
    }

    /// Returns the surcharges of steps beside the open neighbours, if there are any.
    pub(crate) fn priced_neighbours(&self) -> Option<PricedNeighbours<'_>> {
        Some((self.surcharges()?, self.open_neighbours()))
    }

    /// Returns whether pruning is exact for the present state: all passable cells cost the same,
    /// and a diagonal step costs more than a straight step and less than two.
    pub(crate) fn is_prunable(&self) -> bool {
        self.uniform_multiplier().is_some() && self.is_prunable_on_even_ground() && !self.has_surcharges()
    }

    /// Returns whether pruning is exact at a cell that costs the same as all cells around it. That
    /// is so if no surcharge is near, if steps are not listed, and step costs are strict or there are no diagonals.
    pub(crate) fn is_prunable_on_even_ground(&self) -> bool {
        if self.listed.is_some() || self.topology == Topology::Hexagonal {
            return self.listed.is_none();
        }
        let steps = self.movement.steps();
        let is_strict = steps.straight() < steps.diagonal()
            && u32::from(steps.diagonal()) < 2 * u32::from(steps.straight());
        is_strict || self.movement.diagonals() == Diagonals::Never
    }

    /// Returns the numbers of cells at corners and of all cells.
    pub(crate) fn cell_counts(&self) -> CellCounts {
        self.neighbour_masks.cell_counts()
    }

    /// Returns the samples of near searches.
    pub(crate) const fn near_samples(&self) -> &NearSamples {
        &self.near_samples
    }

    /// Returns the stops of scans for jump points.
    ///
    /// # Complexity
    /// O(cells) the first time.
    pub(crate) fn jump_stops(&self, bounds: &Bounds) -> &JumpStops {
        self.jump_stops.get_or_init(|| Arc::new(JumpStops::new(self.scan_input(bounds))))
    }

    /// Returns the stops of jumps in four directions.
    ///
    /// # Complexity
    /// O(cells) the first time.
    pub(crate) fn four_way_stops(&self, bounds: &Bounds) -> &FourWayStops {
        self.four_way_stops.get_or_init(|| Arc::new(FourWayStops::new(self.scan_input(bounds))))
    }

    /// Returns the stops of jumps on hexagons.
    ///
    /// # Complexity
    /// O(cells) the first time.
    pub(crate) fn hexagon_stops(&self, bounds: &Bounds) -> &HexagonStops {
        self.hexagon_stops.get_or_init(|| Arc::new(HexagonStops::new(self.open_cells(bounds))))
    }

    /// Returns, for each block of canonical steps, whether a search has paid for it.
    pub(crate) fn paid(&self) -> Vec<bool> {
        self.canonical_steps.get().map_or_else(Vec::new, CanonicalSteps::paid)
    }

    /// Sets which blocks of canonical steps are paid for.
    pub(crate) fn set_paid(&self, paid: &[bool]) {
        if let Some(steps) = self.canonical_steps.get() {
            steps.set_paid(paid);
        }
    }

    /// Returns the steps worth following from each cell. Returns `None` if pruning applies to the
    /// whole map, if steps are listed for each cell, or if a step is too expensive to be compared.
    pub(crate) fn canonical_steps(&self, bounds: &Bounds) -> Option<&CanonicalSteps> {
        self.compared_steps(&self.canonical_steps, bounds, false)
    }

    /// Returns these steps for searches against the direction of the steps.
    pub(crate) fn reversed_steps(&self, bounds: &Bounds) -> Option<&CanonicalSteps> {
        self.compared_steps(&self.reversed_steps, bounds, true)
    }

    fn compared_steps<'a>(
        &self,
        kept: &'a OnceLock<CanonicalSteps>,
        bounds: &Bounds,
        is_reversed: bool,
    ) -> Option<&'a CanonicalSteps> {
        let rule = self.rule_without_exits();
        let made = || CanonicalSteps::new(bounds.width(), bounds.height(), rule, is_reversed);
        let is_wanted =
            self.listed.is_none() && !self.is_prunable() && self.max_floor_cost() <= MAX_STEP_COST;
        is_wanted.then(|| kept.get_or_init(made))
    }

    /// Returns the rule that decides which steps are allowed if no exits are closed.
    pub(crate) const fn rule_without_exits(&self) -> StepRule {
        match self.topology {
            Topology::Square => StepRule::Square(self.movement.diagonals()),
            Topology::Hexagonal => StepRule::Hexagonal,
        }
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

    /// Returns the multiplier of all passable cells, if they have the same one in the present
    /// state.
    pub(crate) fn uniform_multiplier(&self) -> Option<u16> {
        (self.cheapest == self.costliest && self.cheapest > 0).then_some(self.cheapest)
    }

    /// Returns the smallest multiplier of an open cell in the present state; 0 if all cells are
    /// closed.
    pub(crate) const fn cheapest(&self) -> u16 {
        self.cheapest
    }

    /// Returns the highest cost of a step in the present state. If steps have surcharges, it may be
    /// higher than the cost of any step.
    pub(crate) fn max_step_cost(&self) -> u32 {
        let surcharge = self.prices.as_ref().map_or(0, |prices| prices.highest());
        self.max_floor_cost().saturating_add(surcharge)
    }

    /// Returns the highest cost of a step in the present state without its surcharge.
    pub(crate) fn max_floor_cost(&self) -> u32 {
        let [_, diagonal] = self.movement.unit_costs(self.topology);
        u32::from(self.costliest) * diagonal
    }
}

/// Returns the movement with the least cost of each step onto a class as its cost table.
fn floor_of(movement: &Movement) -> Arc<Movement> {
    if movement.class_steps().is_empty() {
        return Arc::new(movement.clone());
    }
    let least = |table: CostTable, class| table.with(class, movement.least_multiplier_onto(class));
    Arc::new(movement.clone().with_costs((0..=u8::MAX).fold(CostTable::impassable(), least)))
}

fn cost_range(grid: &Grid, costs: &CostTable) -> (u16, u16) {
    // Without a branch, the compiler handles several classes at once. Minus 1, closed classes
    // become the largest value.
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
