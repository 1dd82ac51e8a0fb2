//! Search spaces of some chunks of a map.

use crate::{
    cell::Direction,
    cost::Cost,
    movement_map::{canonical_steps::PLACE, kept_portals::SIDE, plane::Ground},
    search::SearchSpace,
    space::grid::{GridLink, GridNode, GridRecords, GridSpace},
};

/// The chunks in which a search stays.
pub(crate) trait Room {
    /// Returns the chunks around a node's chunk that are also in the room or lie off the map: bits
    /// in compass order.
    fn beyond(&self, node: GridNode) -> u8;

    /// Returns the key of a node, from its key on the map.
    fn key(&self, _node: GridNode, on_map: usize) -> usize {
        on_map
    }

    /// Returns the number of keys, from their number on the map.
    fn key_count(&self, on_map: usize) -> usize {
        on_map
    }
}

/// Returns the steps from a node that stay inside, as bits in the order in which steps are offered.
/// Returns `None` if all cells up to three steps away lie inside.
#[inline]
pub(crate) fn steps_inside(room: &impl Room, node: GridNode) -> Option<u8> {
    let beyond = room.beyond(node);
    let wanted = WANTED[place_in(node, NEAR)];
    (beyond & wanted != wanted).then(|| INSIDE[place_in(node, 1)][usize::from(beyond)])
}

/// A map restricted to some of its chunks: steps out of them are not offered.
///
/// # Guarantee
/// Steps are pruned in favour of other paths only if all cells up to three steps away lie inside.
/// [`CanonicalSteps`](crate::movement_map::canonical_steps::CanonicalSteps) look no further, so the
/// other paths lie inside too.
#[derive(Clone, Copy)]
pub(crate) struct ConfinedGrid<'map, G, S, R> {
    pub(crate) grid: GridSpace<'map, G>,
    /// Offers the steps worth following if no border is near.
    pub(crate) inner: S,
    pub(crate) room: R,
}

impl<G, S, R> SearchSpace for ConfinedGrid<'_, G, S, R>
where
    G: Ground,
    S: SearchSpace<Node = GridNode, Cost = Cost, Link = GridLink, Records = GridRecords>,
    R: Room,
{
    type Node = GridNode;
    type Cost = Cost;
    type Link = GridLink;
    type Records = GridRecords;

    #[inline]
    fn key(&self, node: GridNode) -> usize {
        self.room.key(node, self.inner.key(node))
    }

    fn key_count(&self) -> usize {
        self.room.key_count(self.inner.key_count())
    }

    #[expect(clippy::inline_always, reason = "a call costs a tenth of a whole search")]
    #[inline(always)]
    fn expand(&self, node: GridNode, link: Option<GridLink>, emit: impl FnMut(GridNode, Cost, GridLink)) {
        match steps_inside(&self.room, node) {
            None => self.inner.expand(node, link, emit),
            Some(inside) => {
                let steps = self.grid.forward(node, link.map(GridLink::direction)) & inside;
                self.grid.offer(node, steps, emit);
            }
        }
    }

    #[expect(clippy::inline_always, reason = "a call costs a tenth of a whole search")]
    #[inline(always)]
    fn entry(&self, node: GridNode, link: GridLink) -> (GridNode, GridLink) {
        self.inner.entry(node, link)
    }

    fn predecessor(&self, node: GridNode, link: GridLink) -> GridNode {
        self.inner.predecessor(node, link)
    }
}

/// The distance to a border within which paths past a cell may cross it, in cells.
const NEAR: u32 = 3;

/// Returns the ninth of a chunk that contains a node: 3 × row + column, from the lowest. The ninths
/// at the chunk's border are `border` cells wide.
#[inline]
const fn place_in(node: GridNode, border: u32) -> usize {
    let (x, y) = (node.x() & (SIDE - 1), node.y() & (SIDE - 1));
    let column = (x >= border) as usize + (x >= SIDE - border) as usize;
    let row = (y >= border) as usize + (y >= SIDE - border) as usize;
    3 * row + column
}

/// For each ninth of a chunk, the chunks that touch it: bits in compass order.
const WANTED: [u8; 9] = {
    let mut wanted = [0; 9];
    let mut ninth = 0;
    while ninth < 9 {
        let mut number = 0;
        while number < 8 {
            let (dx, dy) = chunk_entered(ninth, Direction::ALL[number]);
            if dx != 0 || dy != 0 {
                // A corner ninth touches three chunks, a side ninth touches one.
                wanted[ninth] |= 1 << number_of(dx, dy);
            }
            number += 1;
        }
        ninth += 1;
    }
    wanted
};

/// The steps that stay inside, as bits in the order in which steps are offered. The first index is
/// the ninth of a chunk whose border is one cell wide, the second the set of neighbouring chunks in
/// the room.
static INSIDE: [[u8; 256]; 9] = {
    let mut inside = [[0; 256]; 9];
    let mut ninth = 0;
    while ninth < 9 {
        let mut beyond = 0;
        while beyond < 256 {
            let mut number = 0;
            while number < 8 {
                let (dx, dy) = chunk_entered(ninth, Direction::ALL[number]);
                if (dx == 0 && dy == 0) || beyond >> number_of(dx, dy) & 1 == 1 {
                    inside[ninth][beyond] |= 1 << PLACE[number];
                }
                number += 1;
            }
            beyond += 1;
        }
        ninth += 1;
    }
    inside
};

/// Returns the chunk that a step from a ninth of a chunk may enter, as an offset.
const fn chunk_entered(ninth: usize, direction: Direction) -> (i32, i32) {
    let (dx, dy) = direction.offset();
    let (column, row) = (ninth as i32 % 3 - 1, ninth as i32 / 3 - 1);
    (if dx == column { dx } else { 0 }, if dy == row { dy } else { 0 })
}

/// Returns the number of an offset's direction, in compass order.
const fn number_of(dx: i32, dy: i32) -> usize {
    let mut number = 0;
    while number < 8 {
        let (x, y) = Direction::ALL[number].offset();
        if x == dx && y == dy {
            return number;
        }
        number += 1;
    }
    0
}
