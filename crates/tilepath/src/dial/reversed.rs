//! Search space of a terrain map with reversed steps.

use crate::{
    bounds::Bounds,
    cell::Direction,
    cost::Cost,
    dial::values::FieldValues,
    movement_map::{
        MovementMap,
        canonical_steps::{StepsSeen, Terrain},
        plane::{Ground, Plane},
        pruning::{MoveTable, in_order},
        step_order::{ORDER, PLACE},
    },
    search::SearchSpace,
    space::grid::GridNode,
};

/// A cell, with the directions to follow from there as bits in [`ORDER`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldNode {
    pub(crate) node: GridNode,
    steps: u8,
}

/// Compares cells only: the directions belong to a waiting entry, not to a cell.
impl PartialEq for FieldNode {
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node
    }
}

/// The value for all allowed directions. As a set it is never needed: one of the eight leads back.
const ALL: u8 = u8::MAX;

/// Makes a node that follows all directions, for goals and for cells without a known arrival.
impl From<GridNode> for FieldNode {
    fn from(node: GridNode) -> Self {
        Self { node, steps: ALL }
    }
}

/// A map for one movement with reversed steps. The successors of a cell are the cells from which it
/// can be entered, at the cost of the step.
///
/// Closed cells have no successors, because no unit may enter them. They are no successors either,
/// because no unit passes through them. A unit on a closed cell may leave it: that cost is computed
/// from its neighbours and is not part of the search.
///
/// Not all directions are followed. If all ground costs the same, they are the directions of jump
/// point search, otherwise the canonical steps.
#[derive(Clone, Copy)]
pub(crate) struct ReversedGrid<'map, G = Plane<'map>> {
    bounds: &'map Bounds,
    ground: G,
    movement_map: &'map MovementMap,
    moves: &'map MoveTable,
    canonical: Option<StepsSeen<'map>>,
}

impl<'map> ReversedGrid<'map> {
    pub(crate) fn new(bounds: &'map Bounds, classes: &'map [u8], movement_map: &'map MovementMap) -> Self {
        Self::on(bounds, movement_map.plane(classes), movement_map)
    }
}

impl<'map, G: Ground + 'map> ReversedGrid<'map, G> {
    /// Makes a space on ground of a known kind.
    pub(crate) fn on(bounds: &'map Bounds, ground: G, movement_map: &'map MovementMap) -> Self {
        let terrain = Terrain::new(ground.plane(), bounds.width() as usize, movement_map.priced_neighbours());
        let canonical = movement_map.reversed_steps(bounds).map(|steps| steps.seen_by(terrain, None));
        Self { bounds, ground, movement_map, moves: movement_map.move_table(), canonical }
    }

    /// Returns whether a cell may leave an offer to a neighbour to other cells.
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

    /// Returns the cost of the step from a cell onto a neighbour.
    #[inline]
    pub(crate) fn step_cost(&self, from: GridNode, direction: Direction, entered: GridNode) -> Cost {
        let surcharges = self.ground.surcharges(self.slot(from));
        let place = PLACE[direction as usize].into();
        Cost::new(self.ground.step_cost(surcharges, self.slot(entered), place))
    }

    /// Returns the steps that leave a cell, closed or open, in compass order: direction, cell
    /// entered, cost.
    #[inline]
    pub(crate) fn steps_from(
        &self,
        node: GridNode,
    ) -> impl Iterator<Item = (Direction, GridNode, Cost)> + use<'map, G> {
        let space = *self;
        directions(space.movement_map.moves(node.x(), node.y())).map(move |direction| {
            let entered = node.moved(direction, 1);
            (direction, entered, space.step_cost(node, direction, entered))
        })
    }

    /// Returns all cells that touch this one, open or not, each with the direction to it.
    pub(crate) fn around(&self, node: GridNode) -> impl Iterator<Item = (Direction, GridNode)> + use<G> {
        let bounds = *self.bounds;
        Direction::ALL
            .into_iter()
            .filter_map(move |direction| Some((direction, node.neighbour(direction, &bounds)?)))
    }
}

/// Returns the place in [`ORDER`] of the opposite direction.
const fn opposite(place: usize) -> usize {
    PLACE[ORDER[place].opposite() as usize] as usize
}

/// Returns the directions of a bit set, in compass order.
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

impl<G: Ground> SearchSpace for ReversedGrid<'_, G> {
    type Node = FieldNode;
    type Cost = Cost;
    type Link = Direction;
    type Records = FieldValues;

    #[inline]
    fn key(&self, node: FieldNode) -> usize {
        self.slot(node.node)
    }

    fn key_count(&self) -> usize {
        self.ground.len()
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
        let entered = self.slot(node);
        let costs = [0, 1].map(|kind| self.ground.entry_cost(entered, kind));
        while steps != 0 {
            let place = steps.trailing_zeros() as usize & 7;
            steps &= steps - 1;
            let before = node.stepped(place);
            let surcharge = self.ground.surcharge_from(self.slot(before), entered, opposite(place));
            emit(before.into(), Cost::new(costs[place / 4].saturating_add(surcharge)), ORDER[place]);
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
            let slot = self.slot(node);
            let open = self.movement_map.open_neighbours()[slot];
            match self.movement_map.surcharges().filter(|_| self.ground.is_near_surcharges(slot)) {
                Some(prices) => prices.places(Some(PLACE[arrival as usize].into()), open),
                None => in_order(self.moves.directions(Some(arrival), open)),
            }
        };
        (FieldNode { node, steps }, arrival)
    }

    fn predecessor(&self, node: FieldNode, link: Direction) -> FieldNode {
        node.node.moved(link.opposite(), 1).into()
    }
}
