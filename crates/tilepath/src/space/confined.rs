//! A map searched in some of its chunks only.

use crate::{
    cell::Direction,
    cost::Cost,
    movement_map::{canonical_steps::PLACE, kept_portals::SIDE, plane::Ground},
    search::SearchSpace,
    space::grid::{GridLink, GridNode, GridRecords, GridSpace},
};

/// The chunks in which a search stays.
pub(crate) trait Room {
    /// Which of the chunks around that of a node belong to it too, or are none of the map: bits in compass order.
    fn beyond(&self, node: GridNode) -> u8;

    /// The key of a node, given that which it has on the map.
    fn key(&self, _node: GridNode, on_map: usize) -> usize {
        on_map
    }

    /// How many keys there are, given how many the map has.
    fn key_count(&self, on_map: usize) -> usize {
        on_map
    }
}

/// Where a border is near, the steps from a node that stay inside, as bits in the order in which steps are offered; `None` where all
/// cells up to three steps away lie inside.
#[inline]
pub(crate) fn steps_inside(room: &impl Room, node: GridNode) -> Option<u8> {
    let beyond = room.beyond(node);
    let wanted = WANTED[place_in(node, NEAR)];
    (beyond & wanted != wanted).then(|| INSIDE[place_in(node, 1)][usize::from(beyond)])
}

/// A map in some of its chunks: steps out of them are not offered.
///
/// # Guarantee
/// What is left out of the steps from a cell because of ways past it is left out only where all cells up to three steps away lie inside
/// ([`CanonicalSteps`](crate::movement_map::canonical_steps::CanonicalSteps) look no further), so that these ways do too.
#[derive(Clone, Copy)]
pub(crate) struct ConfinedGrid<'map, G, S, R> {
    pub(crate) grid: GridSpace<'map, G>,
    /// Offers the steps worth following, where no border is near.
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

/// How near a border ways past a cell may lead across it.
const NEAR: u32 = 3;

/// In which ninth of a chunk a node lies, if those at its border are this many cells wide: 3 × row + column, from the lowest.
#[inline]
const fn place_in(node: GridNode, border: u32) -> usize {
    let (x, y) = (node.x() & (SIDE - 1), node.y() & (SIDE - 1));
    let column = (x >= border) as usize + (x >= SIDE - border) as usize;
    let row = (y >= border) as usize + (y >= SIDE - border) as usize;
    3 * row + column
}

/// For each ninth of a chunk the chunks that touch it: bits in compass order.
const WANTED: [u8; 9] = {
    let mut wanted = [0; 9];
    let mut ninth = 0;
    while ninth < 9 {
        let mut number = 0;
        while number < 8 {
            let (dx, dy) = chunk_entered(ninth, Direction::ALL[number]);
            if dx != 0 || dy != 0 {
                // A chunk at a corner is touched by the corner, one at a side by the side.
                wanted[ninth] |= 1 << number_of(dx, dy);
            }
            number += 1;
        }
        ninth += 1;
    }
    wanted
};

/// For each ninth of a chunk whose border is one cell wide, and each set of chunks around that belong too: the steps that stay inside, as
/// bits in the order in which steps are offered.
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

/// The chunk that a step in a direction may enter from a ninth of a chunk, as seen from there.
const fn chunk_entered(ninth: usize, direction: Direction) -> (i32, i32) {
    let (dx, dy) = direction.offset();
    let (column, row) = (ninth as i32 % 3 - 1, ninth as i32 / 3 - 1);
    (if dx == column { dx } else { 0 }, if dy == row { dy } else { 0 })
}

/// The number, in compass order, of the direction of an offset.
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
