//! Search space of a terrain map.
//!
//! Decision: `docs/decisions/06-search-records.md`.

use crate::{
    bounds::Bounds,
    cell::{Cell, Direction},
    cost::Cost,
    movement_map::{
        MovementMap,
        canonical_steps::Terrain,
        plane::{Ground, Plane},
        pruning::MoveTable,
        step_order::{ORDER, PLACE},
    },
    search::records::{NodeRecords, Record},
    search::space::SearchSpace,
};

/// A cell counted from the map's origin: x in the low half, y in the high half. In the open list it
/// takes half the size of a [`Cell`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GridNode(u32);

impl GridNode {
    #[inline]
    pub(crate) const fn new(x: u32, y: u32) -> Self {
        Self(y << 16 | x)
    }

    #[inline]
    pub(crate) const fn x(self) -> u32 {
        self.0 & 0xFFFF
    }

    #[inline]
    pub(crate) const fn y(self) -> u32 {
        self.0 >> 16
    }

    /// Returns both coordinates in one number. Packed nodes compare as the slots of their cells do.
    #[inline]
    pub(crate) const fn packed(self) -> u32 {
        self.0
    }

    pub(crate) fn of(bounds: &Bounds, cell: Cell) -> Option<Self> {
        bounds.local(cell).map(|(x, y)| Self::new(x, y))
    }

    /// Returns the neighbour in a direction, if it is on the map.
    pub(crate) fn neighbour(self, direction: Direction, bounds: &Bounds) -> Option<Self> {
        let (dx, dy) = direction.offset();
        let x = self.x().checked_add_signed(dx).filter(|&x| x < bounds.width())?;
        let y = self.y().checked_add_signed(dy).filter(|&y| y < bounds.height())?;
        Some(Self::new(x, y))
    }

    pub(crate) fn cell(self, bounds: &Bounds) -> Cell {
        bounds.global(self.x(), self.y())
    }

    /// Returns the number of steps between two cells if all diagonal steps are allowed.
    #[inline]
    pub(crate) fn distance(self, other: Self) -> u32 {
        self.x().abs_diff(other.x()).max(self.y().abs_diff(other.y()))
    }

    #[inline]
    pub(crate) const fn from_packed(packed: u32) -> Self {
        Self(packed)
    }

    /// Returns the node one step away in a direction of [`ORDER`]. It must be on the map.
    #[inline]
    pub(crate) const fn stepped(self, direction: usize) -> Self {
        Self(self.0.wrapping_add(STEPS[direction]))
    }

    /// Returns the node from which a step in a direction of [`ORDER`] came. It must be on the map.
    #[inline]
    pub(crate) const fn before(self, direction: usize) -> Self {
        Self(self.0.wrapping_sub(STEPS[direction]))
    }

    /// Returns the node this many columns and rows away. It must be on the map.
    #[inline]
    pub(crate) const fn offset(self, dx: i32, dy: i32) -> Self {
        Self(self.0.wrapping_add_signed(dx).wrapping_add_signed(dy << 16))
    }

    /// Returns the node this many steps away. It must be on the map.
    #[inline]
    pub(crate) const fn moved(self, direction: Direction, steps: u32) -> Self {
        let (dx, dy) = direction.offset();
        self.offset(dx * steps as i32, dy * steps as i32)
    }
}

/// The value that a step in each direction of [`ORDER`] adds to a packed node.
const STEPS: [u32; 8] = {
    let mut steps = [0; 8];
    let mut index = 0;
    while index < 8 {
        let (dx, dy) = ORDER[index].offset();
        steps[index] = (dx as u32).wrapping_add((dy as u32) << 16);
        index += 1;
    }
    steps
};

/// A map for one movement, as a [`SearchSpace`].
#[derive(Clone, Copy)]
pub(crate) struct GridSpace<'map, G = Plane<'map>> {
    ground: G,
    /// For each cell its open neighbours, which are the key into the move tables.
    open: &'map [u8],
    width: usize,
    movement_map: &'map MovementMap,
    moves: &'map MoveTable,
    /// The value that a step in each direction of [`ORDER`] adds to a slot.
    offsets: [isize; 8],
    /// The set of open neighbours with which a cell on even ground is pruned, if the whole map
    /// cannot be pruned. Otherwise a value that no set has, because two tests at each cell are
    /// slower.
    even_open: u16,
}

impl<'map> GridSpace<'map> {
    /// Makes a space for exact searches. Directions are pruned if the movement map allows it.
    pub(crate) fn new(bounds: &Bounds, classes: &'map [u8], movement_map: &'map MovementMap) -> Self {
        Self::on(bounds, movement_map.plane(classes), movement_map)
    }
}

impl<'map, G: Ground + 'map> GridSpace<'map, G> {
    /// Makes a space on ground of a known kind.
    pub(crate) fn on(bounds: &Bounds, ground: G, movement_map: &'map MovementMap) -> Self {
        let prunes_even_ground = !movement_map.is_prunable() && movement_map.is_prunable_on_even_ground();
        let width = bounds.width() as usize;
        let offsets = ORDER.map(|direction| {
            let (dx, dy) = direction.offset();
            dy as isize * width as isize + dx as isize
        });
        let moves = movement_map.move_table();
        let open = movement_map.open_neighbours();
        let even_open = if prunes_even_ground { u8::MAX.into() } else { u16::MAX };
        Self { ground, open, width, movement_map, moves, offsets, even_open }
    }

    /// Returns the terrain with the costs of steps.
    pub(crate) fn terrain(&self) -> Terrain<'map> {
        Terrain::new(self.ground.plane(), self.width, self.movement_map.priced_neighbours())
    }

    /// Returns the steps out of a cell that end a turn for the edges that they cross, as a bit set in
    /// [`ORDER`].
    pub(crate) fn ending(&self, node: GridNode) -> u8 {
        self.ground.plane().ending(self.slot(node))
    }

    /// Returns the surcharge of a step out of a cell.
    pub(crate) fn surcharge(&self, from: GridNode, step: GridLink) -> u32 {
        let slot = self.slot(from);
        let entered = slot.wrapping_add_signed(self.offsets[step.place()]);
        self.ground.surcharge(self.ground.surcharges(slot), entered, step.place())
    }

    /// Returns all directions that may be worth following on any terrain, as a bit set in
    /// [`ORDER`].
    pub(crate) fn forward(&self, node: GridNode, arrival: Option<Direction>) -> u8 {
        let slot = self.slot(node);
        let place = arrival.map(|arrival| usize::from(PLACE[arrival as usize]));
        match self.movement_map.surcharges().filter(|_| self.ground.is_near_surcharges(slot)) {
            Some(prices) => prices.places(place, self.open[slot]),
            None => self.movement_map.forward_table().places(place, self.open[slot]),
        }
    }

    /// Returns a space without pruning, for searches whose order is not by cost. Pruning needs
    /// cells to be reached by a cheapest path.
    pub(crate) fn unpruned(self) -> Self {
        Self { moves: self.movement_map.forward_table(), even_open: u16::MAX, ..self }
    }

    #[inline]
    fn slot(&self, node: GridNode) -> usize {
        node.y() as usize * self.width + node.x() as usize
    }

    /// Returns the directions worth following from the cell of a slot that was reached by a link,
    /// as a bit set in [`ORDER`].
    #[expect(clippy::inline_always, reason = "a call costs a tenth of a whole search")]
    #[inline(always)]
    fn followed(&self, slot: usize, link: Option<GridLink>) -> u8 {
        let open = self.open[slot];
        if self.ground.is_near_surcharges(slot)
            && let Some(prices) = self.movement_map.surcharges()
        {
            return prices.places(link.map(GridLink::place), open);
        }
        let prunes = u16::from(open) == self.even_open && self.ground.is_even(self.width, slot);
        let table = if prunes { self.movement_map.pruned_table() } else { self.moves };
        table.places(link.map(GridLink::place), open)
    }

    /// Offers the successors in a set of directions.
    #[expect(clippy::inline_always, reason = "a call costs a tenth of a whole search")]
    #[inline(always)]
    pub(crate) fn offer(
        &self,
        node: GridNode,
        mut directions: u8,
        mut emit: impl FnMut(GridNode, Cost, GridLink),
    ) {
        let slot = self.slot(node);
        let surcharges = self.ground.surcharges(slot);
        while directions != 0 {
            let index = directions.trailing_zeros() as usize & 7;
            directions &= directions - 1;
            let entered = slot.wrapping_add_signed(self.offsets[index]);
            let cost = self.ground.step_cost(surcharges, entered, index);
            emit(node.stepped(index), Cost::new(cost), GridLink::of(index));
        }
    }
}

impl<G: Ground> SearchSpace for GridSpace<'_, G> {
    type Node = GridNode;
    type Cost = Cost;
    type Link = GridLink;
    type Records = GridRecords;

    #[inline]
    fn key(&self, node: GridNode) -> usize {
        self.slot(node)
    }

    fn key_count(&self) -> usize {
        self.ground.len()
    }

    #[inline]
    fn expand(&self, node: GridNode, link: Option<GridLink>, emit: impl FnMut(GridNode, Cost, GridLink)) {
        self.offer(node, self.followed(self.slot(node), link), emit);
    }

    #[inline]
    fn predecessor(&self, node: GridNode, link: GridLink) -> GridNode {
        node.before(link.place())
    }
}

/// The link of a cell: the direction of the last step, as its place in [`ORDER`]. If the space has
/// noted them, it also has the steps to follow from the cell, as a bit set in that order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GridLink(u16);

impl GridLink {
    #[inline]
    pub(crate) const fn of(place: usize) -> Self {
        Self(place as u16)
    }

    #[inline]
    pub(crate) const fn along(direction: Direction) -> Self {
        Self::of(PLACE[direction as usize] as usize)
    }

    #[inline]
    pub(crate) const fn with_steps(self, steps: u8) -> Self {
        Self(self.0 | (steps as u16) << 8)
    }

    #[inline]
    pub(crate) const fn place(self) -> usize {
        (self.0 & 7) as usize
    }

    #[inline]
    pub(crate) const fn direction(self) -> Direction {
        ORDER[self.place()]
    }

    #[inline]
    pub(crate) const fn steps(self) -> u8 {
        (self.0 >> 8) as u8
    }

    /// Returns the link in a word, or `None` for a start.
    #[inline]
    fn from_word(word: u64) -> Option<Self> {
        (word & START == 0).then_some(Self(word as u16 & !(CLOSED as u16)))
    }
}

/// The records of a grid search. A record has eight bytes, so one load gets a cell's cost, state
/// and predecessor.
///
/// From the highest bits down, it has the generation (16 bits), the cost's complement (32 bits) and
/// the [`GridLink`] with the closed flag (16 bits). So records of this search are larger than older
/// ones, and cheaper records are larger. One comparison tests if a path as cheap is known.
///
/// The memory is allocated as zeros. The operating system provides its pages when they are touched,
/// so a short search on a huge map touches little.
#[derive(Clone, Default)]
pub(crate) struct GridRecords {
    words: Vec<u64>,
    /// The generation, at its position in a word.
    generation: u64,
}

const FIRST_GENERATION: u64 = 1 << 48;
const LAST_GENERATION: u64 = 0xFFFF << 48;
const COST_SHIFT: u32 = 16;
const CLOSED: u64 = 1 << 7;
const START: u64 = 8;

/// Returns the cost in a word.
#[inline]
const fn cost_of(word: u64) -> Cost {
    Cost::new(!((word >> COST_SHIFT) as u32))
}

impl std::fmt::Debug for GridRecords {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("GridRecords").field("cells", &self.words.len()).finish_non_exhaustive()
    }
}

impl GridRecords {
    /// Returns the smallest word of this search that records a path of at most this cost.
    #[inline]
    fn bound(&self, cost: Cost) -> u64 {
        self.generation | u64::from(!cost.get()) << COST_SHIFT
    }
}

impl NodeRecords for GridRecords {
    type Key = usize;
    type Cost = Cost;
    type Link = GridLink;

    fn begin(&mut self, key_count: usize) {
        if self.words.len() != key_count || self.generation == LAST_GENERATION {
            self.words = vec![0; key_count];
            self.generation = 0;
        }
        self.generation += FIRST_GENERATION;
    }

    #[inline]
    fn get(&self, key: usize) -> Option<Record<Cost, GridLink>> {
        let word = self.words[key];
        (word >= self.generation).then(|| Record {
            cost: cost_of(word),
            link: GridLink::from_word(word),
            is_closed: word & CLOSED != 0,
        })
    }

    #[inline]
    fn open(&mut self, key: usize, cost: Cost, link: Option<GridLink>) {
        self.words[key] = self.bound(cost) | link.map_or(START, |link| u64::from(link.0));
    }

    #[inline]
    fn close(&mut self, key: usize) {
        self.words[key] |= CLOSED;
    }

    #[inline]
    fn knows(&self, key: usize, cost: Cost) -> bool {
        self.words[key] >= self.bound(cost)
    }

    #[inline]
    fn settle(&mut self, key: usize, _: Option<Cost>) -> Option<(Cost, Option<GridLink>)> {
        let word = self.words[key];
        (word & CLOSED == 0).then(|| {
            self.words[key] = word | CLOSED;
            (cost_of(word), GridLink::from_word(word))
        })
    }
}
