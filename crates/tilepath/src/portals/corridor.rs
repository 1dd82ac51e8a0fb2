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
/// Two bytes a chunk, kept from search to search.
#[derive(Default, Debug)]
pub(crate) struct Corridor {
    /// For each chunk which of those around belong to the corridor, or are none of the map: bits in compass order.
    beyond: Vec<u8>,
    is_in: Vec<bool>,
    chunks: Vec<u32>,
    columns: u32,
    rows: u32,
    /// A way over portals runs beside cheaper ones, because it has to pass through portals: they are looked for up to this many cells
    /// away.
    margin: u32,
}

impl Corridor {
    /// Forgets all chunks. From now on the corridor is one on the map of these portals, and as wide as the margin beside a way, in cells.
    pub(crate) fn clear(&mut self, kept: &KeptPortals, margin: u32) {
        for &chunk in &self.chunks {
            for number in 0..8 {
                if let Some(other) = neighbour(chunk, number, [self.columns, self.rows]) {
                    self.beyond[other] = 0;
                }
            }
            self.beyond[chunk as usize] = 0;
            self.is_in[chunk as usize] = false;
        }
        self.chunks.clear();
        self.margin = margin;
        self.columns = kept.columns() as u32;
        self.rows = kept.count().checked_div(kept.columns()).unwrap_or(0) as u32;
        self.beyond.resize(kept.count(), 0);
        self.is_in.resize(kept.count(), false);
    }

    /// Adds the chunks that have cells up to the margin's columns and rows from a node.
    pub(crate) fn add_around(&mut self, node: GridNode) {
        let margin = self.margin;
        let chunks = |place: u32, count: u32| {
            place.saturating_sub(margin) / SIDE..=((place + margin) / SIDE).min(count.saturating_sub(1))
        };
        for row in chunks(node.y(), self.rows) {
            for column in chunks(node.x(), self.columns) {
                self.add(row * self.columns + column);
            }
        }
    }

    fn add(&mut self, chunk: u32) {
        if std::mem::replace(&mut self.is_in[chunk as usize], true) {
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

    /// The chunks, by the lowest cell of each.
    pub(crate) fn chunks(&self) -> impl Iterator<Item = GridNode> + '_ {
        self.chunks
            .iter()
            .map(|chunk| GridNode::new(chunk % self.columns * SIDE, chunk / self.columns * SIDE))
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
