//! A terrain map as a search space.

use crate::{
    bounds::Bounds,
    cell::{Cell, Direction},
    cost::Cost,
    layer::{Layer, pruning::MoveTable},
    search::records::{NodeRecords, Record},
    space::SearchSpace,
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

    /// The node one step away; the caller knows that it is on the map.
    #[inline]
    pub(crate) const fn stepped(self, direction: Direction) -> Self {
        Self(self.0.wrapping_add(STEPS[direction as usize]))
    }

    /// The node so many columns and rows away; the caller knows that it is on the map.
    #[inline]
    pub(crate) const fn offset(self, dx: i32, dy: i32) -> Self {
        Self(self.0.wrapping_add_signed(dx).wrapping_add_signed(dy << 16))
    }

    /// The node so many steps away; the caller knows that it is on the map.
    #[inline]
    pub(crate) const fn moved(self, direction: Direction, steps: u32) -> Self {
        let (dx, dy) = direction.offset();
        self.offset(dx * steps as i32, dy * steps as i32)
    }
}

/// What a step in each direction adds to a packed node.
const STEPS: [u32; 8] = {
    let mut steps = [0; 8];
    let mut index = 0;
    while index < 8 {
        let (dx, dy) = Direction::ALL[index].offset();
        steps[index] = (dx as u32).wrapping_add((dy as u32) << 16);
        index += 1;
    }
    steps
};

/// A map under one movement: what [`SearchSpace`] needs to know of it.
#[derive(Clone, Copy)]
pub(crate) struct GridSpace<'map> {
    classes: &'map [u8],
    width: usize,
    layer: &'map Layer,
    moves: &'map MoveTable,
}

impl<'map> GridSpace<'map> {
    /// For exact searches: directions are pruned where the layer allows it.
    pub(crate) fn new(bounds: &Bounds, classes: &'map [u8], layer: &'map Layer) -> Self {
        Self { classes, width: bounds.width() as usize, layer, moves: layer.move_table() }
    }

    /// For searches whose order is not that of costs: pruning relies on cells being reached by a cheapest way.
    pub(crate) fn unpruned(self) -> Self {
        Self { moves: self.layer.forward_table(), ..self }
    }

    #[inline]
    fn slot(&self, node: GridNode) -> usize {
        node.y() as usize * self.width + node.x() as usize
    }
}

impl SearchSpace for GridSpace<'_> {
    type Node = GridNode;
    type Cost = Cost;
    type Link = Direction;
    type Records = GridRecords;

    #[inline]
    fn key(&self, node: GridNode) -> usize {
        self.slot(node)
    }

    fn key_count(&self) -> usize {
        self.classes.len()
    }

    #[inline]
    fn expand(
        &self,
        node: GridNode,
        link: Option<Direction>,
        mut emit: impl FnMut(GridNode, Cost, Direction),
    ) {
        let mut moves = self.moves.directions(link, self.layer.open_neighbours(self.slot(node)));
        while moves != 0 {
            let direction = Direction::ALL[moves.trailing_zeros() as usize];
            moves &= moves - 1;
            let successor = node.stepped(direction);
            let class = self.classes[self.slot(successor)];
            emit(successor, self.layer.step_cost(class, direction.is_diagonal()), direction);
        }
    }

    fn predecessor(&self, node: GridNode, link: Direction) -> GridNode {
        node.moved(link.opposite(), 1)
    }
}

/// The records of a grid search: eight bytes a cell, so that a cell's cost, state and predecessor come with one load.
///
/// Cost in the high half; below it the generation (16 bits), the closed flag and the direction of arrival. The memory
/// is asked for as zeros, which the operating system hands out page by page when it is touched: a short search on a
/// huge map touches little.
#[derive(Default)]
pub(crate) struct GridRecords {
    words: Vec<u64>,
    generation: u16,
}

const CLOSED: u64 = 1 << 8;
const START: u64 = 8;

impl std::fmt::Debug for GridRecords {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("GridRecords").field("cells", &self.words.len()).finish_non_exhaustive()
    }
}

impl GridRecords {
    #[inline]
    fn current(&self, key: usize) -> Option<u64> {
        let word = self.words[key];
        (word as u32 >> 16 == u32::from(self.generation)).then_some(word)
    }
}

impl NodeRecords for GridRecords {
    type Key = usize;
    type Cost = Cost;
    type Link = Direction;

    fn begin(&mut self, key_count: usize) {
        if self.words.len() != key_count || self.generation == u16::MAX {
            self.words = vec![0; key_count];
            self.generation = 0;
        }
        self.generation += 1;
    }

    #[inline]
    fn get(&self, key: usize) -> Option<Record<Cost, Direction>> {
        self.current(key).map(|word| Record {
            cost: Cost::new((word >> 32) as u32),
            link: Direction::ALL.get((word & 15) as usize).copied(),
            is_closed: word & CLOSED != 0,
        })
    }

    #[inline]
    fn open(&mut self, key: usize, cost: Cost, link: Option<Direction>) {
        self.words[key] = u64::from(cost.get()) << 32
            | u64::from(self.generation) << 16
            | link.map_or(START, |direction| direction as u64);
    }

    #[inline]
    fn close(&mut self, key: usize) {
        self.words[key] |= CLOSED;
    }
}
