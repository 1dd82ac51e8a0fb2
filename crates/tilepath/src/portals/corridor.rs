//! The chunks that a way over portals leads through.

use super::confined::Room;
use crate::{
    cell::Direction,
    movement_map::kept_portals::{KeptPortals, SIDE},
    space::grid::GridNode,
};

/// Some chunks of a map, in which a search stays.
///
/// # Memory
/// A byte a chunk, kept from search to search.
#[derive(Default, Debug)]
pub(crate) struct Corridor {
    /// For each chunk which of those around belong to the corridor, or are none of the map: bits in compass order.
    beyond: Vec<u8>,
    chunks: Vec<u32>,
    columns: u32,
    rows: u32,
}

impl Corridor {
    /// Forgets all chunks, for a map of these.
    pub(crate) fn clear(&mut self, kept: &KeptPortals) {
        for &chunk in &self.chunks {
            for number in 0..8 {
                if let Some(other) = neighbour(chunk, number, [self.columns, self.rows]) {
                    self.beyond[other] = 0;
                }
            }
            self.beyond[chunk as usize] = 0;
        }
        self.chunks.clear();
        self.columns = kept.columns() as u32;
        self.rows = kept.count().checked_div(kept.columns()).unwrap_or(0) as u32;
        self.beyond.resize(kept.count(), 0);
    }

    /// Adds the chunk of a node.
    pub(crate) fn add(&mut self, node: GridNode) {
        let chunk = node.y() / SIDE * self.columns + node.x() / SIDE;
        if self.chunks.last() == Some(&chunk) {
            return;
        }
        self.chunks.push(chunk);
        for number in 0..8 {
            match neighbour(chunk, number, [self.columns, self.rows]) {
                Some(other) => self.beyond[other] |= 1 << ((number + 4) % 8),
                None => self.beyond[chunk as usize] |= 1 << number,
            }
        }
    }

    /// The chunks, some of them several times, by a cell of each.
    pub(crate) fn chunks(&self) -> impl Iterator<Item = GridNode> + '_ {
        self.chunks.iter().map(|chunk| GridNode::new(chunk % self.columns * SIDE, chunk / self.columns * SIDE))
    }
}

/// The chunk in a direction, by its number in compass order.
fn neighbour(chunk: u32, number: usize, [columns, rows]: [u32; 2]) -> Option<usize> {
    let (dx, dy) = Direction::ALL[number].offset();
    let column = (chunk % columns).checked_add_signed(dx).filter(|&column| column < columns)?;
    let row = (chunk / columns).checked_add_signed(dy).filter(|&row| row < rows)?;
    Some((row * columns + column) as usize)
}

impl Room for &Corridor {
    #[inline]
    fn beyond(&self, node: GridNode) -> u8 {
        self.beyond[(node.y() / SIDE * self.columns + node.x() / SIDE) as usize]
    }
}
