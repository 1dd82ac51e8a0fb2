//! A terrain map searched against the direction of its steps.

use crate::{
    bounds::Bounds,
    cell::Direction,
    cost::Cost,
    dial::values::FieldValues,
    movement_map::{
        MovementMap,
        canonical_steps::{ORDER, PLACE, StepsSeen, Terrain},
        plane::{Ground as _, Plane},
        pruning::{MoveTable, in_order},
    },
    search::SearchSpace,
    space::{confined::steps_inside, corridor::Corridor, grid::GridNode},
};

/// A cell, and the directions to follow from there: bits in [`ORDER`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldNode {
    pub(crate) node: GridNode,
    steps: u8,
}

/// The directions to follow are part of what waits, not of the cell.
impl PartialEq for FieldNode {
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node
    }
}

/// In the place of a set: all directions that are allowed. (It is never needed as a set: one of eight leads back.)
const ALL: u8 = u8::MAX;

/// For goals, and wherever the search does not know how it came to a cell.
impl From<GridNode> for FieldNode {
    fn from(node: GridNode) -> Self {
        Self { node, steps: ALL }
    }
}

/// A map under one movement, with every step turned round: the successors of a cell are the cells from which it can be
/// entered, at what entering it costs.
///
/// Closed cells have no successors, because no unit may enter them, and are no successors, because no unit passes
/// through them. A unit that stands on one may leave it; what that costs is seen from its neighbours and is not part
/// of the search.
///
/// Only some directions are followed: where all ground costs the same those that jump point search looks at, else the
/// canonical steps.
#[derive(Clone, Copy)]
pub(crate) struct ReversedGrid<'map> {
    bounds: &'map Bounds,
    plane: Plane<'map>,
    movement_map: &'map MovementMap,
    moves: &'map MoveTable,
    canonical: Option<StepsSeen<'map>>,
}

impl<'map> ReversedGrid<'map> {
    pub(crate) fn new(bounds: &'map Bounds, classes: &'map [u8], movement_map: &'map MovementMap) -> Self {
        let plane = movement_map.plane(classes);
        let terrain = Terrain { plane, width: bounds.width() as usize };
        let canonical = movement_map.reversed_steps(bounds).map(|steps| steps.seen_by(terrain, None));
        Self { bounds, plane, movement_map, moves: movement_map.move_table(), canonical }
    }

    /// Whether a cell may leave it to others to offer a neighbour what it could offer itself.
    pub(crate) fn leaves_out(&self) -> bool {
        self.canonical.is_some() || self.movement_map.is_prunable()
    }

    #[inline]
    pub(crate) fn slot(&self, node: GridNode) -> usize {
        node.y() as usize * self.bounds.width() as usize + node.x() as usize
    }

    #[inline]
    pub(crate) fn is_passable(&self, node: GridNode) -> bool {
        self.movement_map.is_passable(node.x(), node.y())
    }

    /// What entering the cell costs, by a straight and by a diagonal step.
    #[inline]
    pub(crate) fn entry_costs(&self, node: GridNode) -> [Cost; 2] {
        self.plane.entry_costs(self.slot(node)).map(Cost::new)
    }

    /// The steps that leave a cell, closed or not, in compass order: direction, cell entered, what that costs.
    #[inline]
    pub(crate) fn steps_from(
        &self,
        node: GridNode,
    ) -> impl Iterator<Item = (Direction, GridNode, Cost)> + use<'map> {
        let space = *self;
        directions(space.movement_map.moves(node.x(), node.y())).map(move |direction| {
            let entered = node.moved(direction, 1);
            (direction, entered, space.entry_costs(entered)[usize::from(direction.is_diagonal())])
        })
    }

    /// The cells that touch this one, whatever they are, each with the direction that leads there.
    pub(crate) fn around(&self, node: GridNode) -> impl Iterator<Item = (Direction, GridNode)> + use<> {
        let bounds = *self.bounds;
        Direction::ALL
            .into_iter()
            .filter_map(move |direction| Some((direction, node.neighbour(direction, &bounds)?)))
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

/// The same in some of its chunks: cells in others are not come to. A type of its own, because with a look for chunks at each cell
/// fields of whole maps take a third more time on even ground.
///
/// # Guarantee
/// Only where all cells up to three steps away lie inside some directions are left out, because the ways that are as good lie inside
/// then, too. Elsewhere all are followed that stay inside.
#[derive(Clone, Copy)]
pub(crate) struct ConfinedReversedGrid<'map> {
    pub(crate) grid: ReversedGrid<'map>,
    pub(crate) room: &'map Corridor,
}

impl SearchSpace for ConfinedReversedGrid<'_> {
    type Node = FieldNode;
    type Cost = Cost;
    type Link = Direction;
    type Records = FieldValues;

    #[inline]
    fn key(&self, node: FieldNode) -> usize {
        self.grid.key(node)
    }

    fn key_count(&self) -> usize {
        self.grid.key_count()
    }

    #[inline]
    fn expand(
        &self,
        FieldNode { node, mut steps }: FieldNode,
        link: Option<Direction>,
        emit: impl FnMut(FieldNode, Cost, Direction),
    ) {
        if steps == ALL
            && let Some(inside) = steps_inside(&self.room, node)
        {
            steps = in_order(self.grid.movement_map.entries(node.x(), node.y())) & inside;
        }
        self.grid.expand(FieldNode { node, steps }, link, emit);
    }

    #[inline]
    fn entry(&self, entered: FieldNode, arrival: Direction) -> (FieldNode, Direction) {
        match steps_inside(&self.room, entered.node) {
            None => self.grid.entry(entered, arrival),
            Some(_) => (entered.node.into(), arrival),
        }
    }

    fn predecessor(&self, node: FieldNode, link: Direction) -> FieldNode {
        self.grid.predecessor(node, link)
    }
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
        self.plane.len()
    }

    #[expect(clippy::inline_always, reason = "a call costs a tenth of a whole search")]
    #[inline(always)]
    fn expand(
        &self,
        FieldNode { node, mut steps }: FieldNode,
        _: Option<Direction>,
        mut emit: impl FnMut(FieldNode, Cost, Direction),
    ) {
        if steps == ALL {
            steps = in_order(self.movement_map.entries(node.x(), node.y()));
        }
        let costs = self.entry_costs(node);
        while steps != 0 {
            let place = steps.trailing_zeros() as usize & 7;
            steps &= steps - 1;
            emit(node.stepped(place).into(), costs[place / 4], ORDER[place]);
        }
    }

    #[expect(clippy::inline_always, reason = "a call costs a tenth of a whole search")]
    #[inline(always)]
    fn entry(&self, FieldNode { node, .. }: FieldNode, arrival: Direction) -> (FieldNode, Direction) {
        let steps = if self.movement_map.has_listed_moves() {
            ALL
        } else if let Some(canonical) = &self.canonical {
            canonical.after(node.x(), node.y(), PLACE[arrival as usize].into())
        } else {
            let open = self.movement_map.open_neighbours()[self.slot(node)];
            in_order(self.moves.directions(Some(arrival), open))
        };
        (FieldNode { node, steps }, arrival)
    }

    fn predecessor(&self, node: FieldNode, link: Direction) -> FieldNode {
        node.node.moved(link.opposite(), 1).into()
    }
}
