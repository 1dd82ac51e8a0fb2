//! A terrain map as a search space.

use crate::{
    bounds::Bounds,
    cell::{Cell, Direction},
    cost::Cost,
    movement_map::{
        MovementMap,
        canonical_steps::{ORDER, PLACE, Terrain},
        plane::{Ground, Plane},
        pruning::{MoveTable, in_order},
    },
    search::records::{NodeRecords, Record},
    search::space::SearchSpace,
};

/// A cell counted from the map's origin, x in the low and y in the high half: half the size of a [`Cell`] in the
/// open list.
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

    /// Both coordinates in one number; packed nodes compare as the slots of their cells do.
    #[inline]
    pub(crate) const fn packed(self) -> u32 {
        self.0
    }

    pub(crate) fn of(bounds: &Bounds, cell: Cell) -> Option<Self> {
        bounds.local(cell).map(|(x, y)| Self::new(x, y))
    }

    /// The cell beside it, if there is one on the map.
    pub(crate) fn neighbour(self, direction: Direction, bounds: &Bounds) -> Option<Self> {
        let (dx, dy) = direction.offset();
        let x = self.x().checked_add_signed(dx).filter(|&x| x < bounds.width())?;
        let y = self.y().checked_add_signed(dy).filter(|&y| y < bounds.height())?;
        Some(Self::new(x, y))
    }

    pub(crate) fn cell(self, bounds: &Bounds) -> Cell {
        bounds.global(self.x(), self.y())
    }

    /// Steps between two cells where diagonal steps are free to take.
    #[inline]
    pub(crate) fn distance(self, other: Self) -> u32 {
        self.x().abs_diff(other.x()).max(self.y().abs_diff(other.y()))
    }

    #[inline]
    pub(crate) const fn from_packed(packed: u32) -> Self {
        Self(packed)
    }

    /// The node one step away in a direction of [`ORDER`]; the caller knows that it is on the map.
    #[inline]
    pub(crate) const fn stepped(self, direction: usize) -> Self {
        Self(self.0.wrapping_add(STEPS[direction]))
    }

    /// The node that a step in a direction of [`ORDER`] came from; the caller knows that it is on the map.
    #[inline]
    pub(crate) const fn before(self, direction: usize) -> Self {
        Self(self.0.wrapping_sub(STEPS[direction]))
    }

    /// The node this many columns and rows away; the caller knows that it is on the map.
    #[inline]
    pub(crate) const fn offset(self, dx: i32, dy: i32) -> Self {
        Self(self.0.wrapping_add_signed(dx).wrapping_add_signed(dy << 16))
    }

    /// The node this many steps away; the caller knows that it is on the map.
    #[inline]
    pub(crate) const fn moved(self, direction: Direction, steps: u32) -> Self {
        let (dx, dy) = direction.offset();
        self.offset(dx * steps as i32, dy * steps as i32)
    }
}

/// What a step in each direction of [`ORDER`] adds to a packed node.
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

/// A map under one movement: what [`SearchSpace`] needs to know of it.
#[derive(Clone, Copy)]
pub(crate) struct GridSpace<'map, G = Plane<'map>> {
    ground: G,
    /// For each cell what the move tables are asked with: which of its neighbours are open.
    open: &'map [u8],
    width: usize,
    movement_map: &'map MovementMap,
    moves: &'map MoveTable,
    /// What a step in each direction of [`ORDER`] adds to a slot.
    offsets: [isize; 8],
    /// The open neighbours of cells at which directions are pruned if the ground around is even, where the movement map as a whole
    /// does not allow it; else what no set of neighbours is, because to ask for both at each cell is slower.
    even_open: u16,
}

impl<'map> GridSpace<'map> {
    /// For exact searches: directions are pruned where the movement map allows it.
    pub(crate) fn new(bounds: &Bounds, classes: &'map [u8], movement_map: &'map MovementMap) -> Self {
        Self::on(bounds, movement_map.plane(classes), movement_map)
    }
}

impl<'map, G: Ground + 'map> GridSpace<'map, G> {
    /// The same on ground that is known to be of a kind.
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

    /// What steps cost.
    pub(crate) fn terrain(&self) -> Terrain<'map> {
        Terrain { plane: self.ground.plane(), width: self.width }
    }

    /// All directions that may be worth following, whatever the terrain: a bit set in the order of [`ORDER`].
    pub(crate) fn forward(&self, node: GridNode, arrival: Option<Direction>) -> u8 {
        let open = self.open[self.slot(node)];
        in_order(self.movement_map.forward_table().directions(arrival, open))
    }

    /// For searches whose order is not that of costs: pruning relies on cells being reached by a cheapest way.
    pub(crate) fn unpruned(self) -> Self {
        Self { moves: self.movement_map.forward_table(), even_open: u16::MAX, ..self }
    }

    /// What a step onto a node in a direction costs.
    #[inline]
    pub(crate) fn cost_of_step(&self, entered: GridNode, direction: Direction) -> Cost {
        Cost::new(self.ground.entry_cost(self.slot(entered), usize::from(direction.is_diagonal())))
    }

    #[inline]
    fn slot(&self, node: GridNode) -> usize {
        node.y() as usize * self.width + node.x() as usize
    }

    /// The directions worth following from the cell of a slot that was reached by a link, as a bit set in the order of
    /// [`ORDER`].
    #[expect(clippy::inline_always, reason = "a call costs a tenth of a whole search")]
    #[inline(always)]
    fn followed(&self, slot: usize, link: Option<GridLink>) -> u8 {
        let open = self.open[slot];
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
        while directions != 0 {
            let index = directions.trailing_zeros() as usize & 7;
            directions &= directions - 1;
            let cost = self.ground.entry_cost(slot.wrapping_add_signed(self.offsets[index]), index / 4);
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

/// How a cell was reached: by a step in which direction, as its place in [`ORDER`]; and which steps to follow from there, as
/// a bit set in that order, where the space has noted them.
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

    /// `None` for a start.
    #[inline]
    fn from_word(word: u64) -> Option<Self> {
        (word & START == 0).then_some(Self(word as u16 & !(CLOSED as u16)))
    }
}

/// The records of a grid search: eight bytes a cell, so that a cell's cost, state and predecessor come with one load.
///
/// From the highest bits down: the generation (16 bits), the cost's complement (32), and in the low 16 the [`GridLink`]
/// with the closed flag. So a record of this search is larger than any older one, a cheaper one larger than a more
/// expensive one, and one comparison tells whether a way as cheap is known. The memory is asked for as zeros, which the
/// operating system hands out page by page when it is touched: a short search on a huge map touches little.
#[derive(Default)]
pub(crate) struct GridRecords {
    words: Vec<u64>,
    /// In the place that it has in a word.
    generation: u64,
}

const FIRST_GENERATION: u64 = 1 << 48;
const LAST_GENERATION: u64 = 0xFFFF << 48;
const COST_SHIFT: u32 = 16;
const CLOSED: u64 = 1 << 7;
const START: u64 = 8;

/// The cost in a word.
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
    /// The cost on record, or this one if it is less or there is none.
    #[inline]
    pub(crate) fn cost_up_to(&self, key: usize, most: u32) -> u32 {
        let word = self.words[key];
        if word >= self.generation { cost_of(word).get().min(most) } else { most }
    }

    /// The least word that records a way of this search that is as cheap.
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
    fn settle(&mut self, key: usize, _: Cost) -> Option<(Cost, Option<GridLink>)> {
        let word = self.words[key];
        (word & CLOSED == 0).then(|| {
            self.words[key] = word | CLOSED;
            (cost_of(word), GridLink::from_word(word))
        })
    }
}
