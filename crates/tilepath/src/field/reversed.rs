//! A terrain map searched against the direction of its steps.

use crate::{
    bounds::Bounds,
    cell::Direction,
    cost::Cost,
    field::values::FieldValues,
    layer::{Layer, pruning::MoveTable},
    search::SearchSpace,
    space::grid::{Block, GridNode},
};

/// A cell, and the direction in which the search came to it: where it lies from the cell that it is entered next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FieldNode {
    pub(crate) node: GridNode,
    /// `None` for a goal, and wherever the search does not know.
    pub(crate) arrival: Option<Direction>,
}

impl From<GridNode> for FieldNode {
    fn from(node: GridNode) -> Self {
        Self { node, arrival: None }
    }
}

/// A map under one movement, with every step turned round: the successors of a cell are the cells from which it can be
/// entered, at what entering it costs.
///
/// Closed cells have no successors, because nobody may enter them, and are no successors, because nobody passes
/// through them. A unit that stands on one may leave it; what that costs is seen from its neighbours and is not part
/// of the search.
///
/// Directions are pruned as in a search forwards, by the table of the layer. On ground of many costs they are pruned
/// where the cell costs the same as the eight around it. Whatever way is left out there has one beside it that costs
/// the same and turns earlier, and the cell before its end is either pruned alike, where the direction to the end is one
/// of those kept, or not pruned at all.
#[derive(Clone, Copy)]
pub(crate) struct ReversedGrid<'map> {
    bounds: &'map Bounds,
    classes: &'map [u8],
    layer: &'map Layer,
    moves: &'map MoveTable,
    /// Whether even ground is looked for.
    prunes_even_ground: bool,
    /// Whether pruning leaves so many directions that all neighbours are worth a look.
    compares_all: bool,
}

/// A cell without obstacles around it.
const ALL_OPEN: u8 = u8::MAX;

impl<'map> ReversedGrid<'map> {
    pub(crate) fn new(bounds: &'map Bounds, classes: &'map [u8], layer: &'map Layer) -> Self {
        let prunes_even_ground = !layer.is_prunable() && layer.is_prunable_on_even_ground();
        Self {
            bounds,
            classes,
            layer,
            moves: layer.move_table(),
            prunes_even_ground,
            compares_all: !layer.is_prunable(),
        }
    }

    #[inline]
    pub(crate) fn slot(&self, node: GridNode) -> usize {
        node.y() as usize * self.bounds.width() as usize + node.x() as usize
    }

    #[inline]
    pub(crate) fn is_passable(&self, node: GridNode) -> bool {
        self.layer.is_passable(node.x(), node.y())
    }

    /// What entering the cell costs, by a straight and by a diagonal step.
    #[inline]
    pub(crate) fn entry_costs(&self, node: GridNode) -> [Cost; 2] {
        let class = self.classes[self.slot(node)];
        [self.layer.step_cost(class, false), self.layer.step_cost(class, true)]
    }

    /// The directions worth following from the cell of a slot that was reached in a direction, and whether they are few because
    /// the ground is even.
    #[inline]
    fn followed(&self, slot: usize, arrival: Option<Direction>) -> (u8, bool) {
        let around = self.layer.open_neighbours(slot);
        let is_even = self.prunes_even_ground
            && around == ALL_OPEN
            && Block::around(self.classes, self.bounds.width() as usize, slot).is_some_and(Block::is_even);
        let table = if is_even { self.layer.pruned_table() } else { self.moves };
        (table.directions(arrival, around), is_even)
    }

    /// The steps that leave a cell, closed or not, in compass order: direction, cell entered, what that costs.
    #[inline]
    pub(crate) fn steps_from(
        &self,
        node: GridNode,
    ) -> impl Iterator<Item = (Direction, GridNode, Cost)> + use<'map> {
        let space = *self;
        directions(space.layer.moves(node.x(), node.y())).map(move |direction| {
            let entered = node.moved(direction, 1);
            (direction, entered, space.entry_costs(entered)[usize::from(direction.is_diagonal())])
        })
    }

    /// The cells that touch this one, whatever they are, each with the direction that leads there.
    pub(crate) fn around(&self, node: GridNode) -> impl Iterator<Item = (Direction, GridNode)> + use<> {
        let (width, height) = (self.bounds.width(), self.bounds.height());
        Direction::ALL.into_iter().filter_map(move |direction| {
            let (dx, dy) = direction.offset();
            let x = node.x().checked_add_signed(dx).filter(|&x| x < width)?;
            let y = node.y().checked_add_signed(dy).filter(|&y| y < height)?;
            Some((direction, GridNode::new(x, y)))
        })
    }
}

/// The directions of a bit set, in compass order.
#[inline]
fn directions(mut set: u8) -> impl Iterator<Item = Direction> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let direction = Direction::ALL[set.trailing_zeros() as usize];
            set &= set - 1;
            direction
        })
    })
}

impl SearchSpace for ReversedGrid<'_> {
    type Node = FieldNode;
    type Cost = Cost;
    type Link = Direction;
    type Records = FieldValues;

    #[inline]
    fn key(&self, node: FieldNode) -> usize {
        self.slot(node.node)
    }

    fn key_count(&self) -> usize {
        self.classes.len()
    }

    /// Between open cells every step can be taken both ways, by each of the four rules: the cells beside a diagonal
    /// step are the same two. So the steps that lead here come from where the steps that leave lead to.
    #[inline]
    fn expand(&self, node: FieldNode, link: Option<Direction>, emit: impl FnMut(FieldNode, Cost, Direction)) {
        let (followed, _) = self.followed(self.slot(node.node), node.arrival);
        self.expand_promising(node, link, u64::from(followed), emit);
    }

    /// A bit for each direction in compass order. Where many are followed the values of all eight neighbours are compared without
    /// a branch: there are but two costs to compare them with.
    #[inline]
    fn promising(&self, node: FieldNode, _: Option<Direction>, g: Cost, values: &FieldValues) -> u64 {
        let slot = self.slot(node.node);
        let (followed, is_even) = self.followed(slot, node.arrival);
        let followed = u64::from(followed);
        let [straight, diagonal] = self.entry_costs(node.node).map(|cost| g.checked_add(cost));
        match (straight, diagonal, values.around(self.bounds.width() as usize, slot)) {
            (Some(straight), Some(diagonal), Some(words)) if self.compares_all && !is_even => {
                let (straight, diagonal) = (FieldValues::bound(straight), FieldValues::bound(diagonal));
                let is_known = |word: u32, bound: u32, direction: Direction| {
                    u64::from(word >= bound) << direction as u32
                };
                let known = is_known(words.above[1], straight, Direction::North)
                    | is_known(words.above[2], diagonal, Direction::NorthEast)
                    | is_known(words.beside[2], straight, Direction::East)
                    | is_known(words.below[2], diagonal, Direction::SouthEast)
                    | is_known(words.below[1], straight, Direction::South)
                    | is_known(words.below[0], diagonal, Direction::SouthWest)
                    | is_known(words.beside[0], straight, Direction::West)
                    | is_known(words.above[0], diagonal, Direction::NorthWest);
                followed & !known
            }
            _ => followed,
        }
    }

    #[inline]
    fn expand_promising(
        &self,
        FieldNode { node, .. }: FieldNode,
        _: Option<Direction>,
        promising: u64,
        mut emit: impl FnMut(FieldNode, Cost, Direction),
    ) {
        let costs = self.entry_costs(node);
        for direction in directions(promising as u8) {
            let neighbour = FieldNode { node: node.moved(direction, 1), arrival: Some(direction) };
            emit(neighbour, costs[usize::from(direction.is_diagonal())], direction);
        }
    }

    fn predecessor(&self, node: FieldNode, link: Direction) -> FieldNode {
        node.node.moved(link.opposite(), 1).into()
    }
}
