//! Corridors: the chunks on paths over portals.

use crate::{
    bounds::Bounds,
    cell::Direction,
    movement_map::kept_portals::{KeptPortals, SIDE},
    space::{confined::Room, grid::GridNode},
};

/// The chunks of a map in which a search stays.
///
/// # Memory
/// Five bytes for each chunk of the map, and four for each chunk of the corridor, kept between
/// searches.
#[derive(Default, Debug)]
pub(crate) struct Corridor {
    /// For each chunk, the neighbours that are in the corridor or lie off the map: bits in compass
    /// order.
    beyond: Vec<u8>,
    /// For each chunk of the map, its place in `chunks` plus one; 0 if it is not in the corridor.
    numbers: Vec<u32>,
    /// The chunks of the corridor, in the order in which they were added.
    chunks: Vec<u32>,
    columns: u32,
    rows: u32,
    /// The distance from a path to search for cheaper cells. A path over portals must pass portals,
    /// so it can run beside cheaper paths.
    margin: u32,
}

impl Corridor {
    /// Removes all chunks. From now on the corridor belongs to the map of these portals.
    pub(crate) fn clear(&mut self, kept: &KeptPortals) {
        for &chunk in &self.chunks {
            for number in 0..8 {
                if let Some(other) = neighbour(chunk, number, [self.columns, self.rows]) {
                    self.beyond[other] = 0;
                }
            }
            self.beyond[chunk as usize] = 0;
            self.numbers[chunk as usize] = 0;
        }
        self.chunks.clear();
        self.columns = kept.columns() as u32;
        self.rows = kept.count().checked_div(kept.columns()).unwrap_or(0) as u32;
        self.beyond.resize(kept.count(), 0);
        self.numbers.resize(kept.count(), 0);
    }

    /// Sets the margin: the number of columns and rows beside a path that also belong to the
    /// corridor.
    pub(crate) const fn set_margin(&mut self, margin: u32) {
        self.margin = margin;
    }

    /// Adds the chunks that have cells within the margin around a node.
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
        if self.numbers[chunk as usize] > 0 {
            return;
        }
        self.chunks.push(chunk);
        self.numbers[chunk as usize] = self.chunks.len() as u32;
        for number in 0..8 {
            match neighbour(chunk, number, [self.columns, self.rows]) {
                Some(other) => self.beyond[other] |= 1 << ((number + 4) % 8),
                None => self.beyond[chunk as usize] |= 1 << number,
            }
        }
    }

    /// Adds all chunks of the map.
    pub(crate) fn add_all(&mut self) {
        for chunk in 0..self.numbers.len() as u32 {
            self.add(chunk);
        }
    }

    /// Returns whether a node lies in one of the chunks.
    #[inline]
    pub(crate) fn contains(&self, node: GridNode) -> bool {
        self.numbers[self.index(node)] > 0
    }

    /// Returns the number of chunks.
    pub(crate) const fn len(&self) -> usize {
        self.chunks.len()
    }

    /// Returns whether the corridor has all chunks of the map.
    pub(crate) const fn is_whole(&self) -> bool {
        self.chunks.len() == self.numbers.len()
    }

    /// Returns the lowest cell of each chunk.
    pub(crate) fn chunks(&self) -> impl Iterator<Item = GridNode> + '_ {
        self.chunks.iter().map(|&chunk| self.corner(chunk))
    }

    /// Returns the rectangle of each chunk, on a map with these bounds.
    pub(crate) fn areas(&self, bounds: Bounds) -> impl Iterator<Item = Bounds> + '_ {
        self.chunks().filter_map(move |corner| {
            let side = |from: u32, count: u32| (count - from).min(SIDE);
            let (width, height) = (side(corner.x(), bounds.width()), side(corner.y(), bounds.height()));
            Bounds::new(corner.cell(&bounds), width, height).ok()
        })
    }

    /// Returns the chunks that were added after the first `count` and touch one of these, by their
    /// lowest cells.
    pub(crate) fn beside_first(&self, count: usize) -> impl Iterator<Item = GridNode> + '_ {
        let is_first = move |chunk: usize| (1..=count as u32).contains(&self.numbers[chunk]);
        let sides = [self.columns, self.rows];
        let beside = move |&&chunk: &&u32| (0..8).filter_map(|to| neighbour(chunk, to, sides)).any(is_first);
        self.chunks[count..].iter().filter(beside).map(|&chunk| self.corner(chunk))
    }

    const fn corner(&self, chunk: u32) -> GridNode {
        GridNode::new(chunk % self.columns * SIDE, chunk / self.columns * SIDE)
    }

    #[inline]
    const fn index(&self, node: GridNode) -> usize {
        (node.y() / SIDE * self.columns + node.x() / SIDE) as usize
    }
}

/// Returns the chunk in a direction, which is given by its number in compass order.
fn neighbour(chunk: u32, number: usize, [columns, rows]: [u32; 2]) -> Option<usize> {
    let (dx, dy) = Direction::ALL[number].offset();
    let column = (chunk % columns).checked_add_signed(dx).filter(|&column| column < columns)?;
    let row = (chunk / columns).checked_add_signed(dy).filter(|&row| row < rows)?;
    Some((row * columns + column) as usize)
}

impl Room for &Corridor {
    #[inline]
    fn beyond(&self, node: GridNode) -> u8 {
        self.beyond[self.index(node)]
    }
}
