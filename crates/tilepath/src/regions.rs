//! Which cells can be reached from which: connected regions in chunks of 64 × 64 cells, joined over the borders.
//!
//! Under every rule but `Always` a diagonal step that is allowed has a way round over a cell beside it, so that
//! reachability is that of the four straight steps; only `Always` joins cells that touch at a corner alone. Hexagons touch at
//! the corners to the north-west and south-east. Closed exits are not looked at: with them the regions say who cannot meet, and
//! not who can.
//!
//! An edit marks its chunk. The next question labels the marked chunks again, looks at their borders, and joins the
//! regions of the whole map again only if a chunk's regions at its border, or their contacts, are others than before.

mod chunk;
mod closest;
mod components;
mod contacts;
mod patch;
mod resize;

pub(crate) use self::{chunk::SIDE, closest::ClosestCells, resize::chunks_to_label};
use self::{
    chunk::{Chunk, Label},
    components::Components,
    contacts::{Adjacency, Side},
    patch::Edited,
};
use crate::{
    bit_grid::BitGrid,
    bounds::Bounds,
    movement_map::{MovementMap, area::Area},
};
use std::{array, ops::Range};

/// A set of cells connected with one another. Numbers of different states of a map say nothing about each other.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct ComponentId(u64);

impl ComponentId {
    /// Set in the numbers of regions that touch no other chunk.
    const INNER: u64 = 1 << 63;

    fn inner(chunk: usize, label: Label) -> Self {
        Self(Self::INNER | (chunk as u64) << 16 | u64::from(label))
    }

    /// The chunk and label of a component that lies within one chunk.
    fn as_inner(self) -> Option<(usize, Label)> {
        (self.0 & Self::INNER != 0).then_some(((self.0 & !Self::INNER) as usize >> 16, self.0 as Label))
    }
}

/// The connected regions of a map seen by one movement. The bits of the passable cells stay with the movement map and are
/// passed to each call.
///
/// A pure function of these bits once it is in step with them, whatever the edits that led there.
///
/// # Memory
/// An eighth of a byte a cell, and two bytes for each run of passable cells in a chunk's row: half a byte a cell in
/// all on a map of scattered walls, 1.2 at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Regions {
    width: u32,
    height: u32,
    columns: usize,
    adjacency: Adjacency,
    chunks: Vec<Chunk>,
    components: Components,
    /// Chunks that were edited since the last [`Regions::catch_up`], each once.
    edited: Vec<u32>,
    /// The map has grown or shrunk since.
    must_join: bool,
    /// Empty between calls: kept for its memory.
    found: Vec<[Label; 2]>,
}

impl Regions {
    /// # Complexity
    /// O(cells ÷ 64 + runs of passable cells): one to three nanoseconds a cell.
    pub(crate) fn new(bounds: &Bounds, movement_map: &MovementMap) -> Self {
        let (width, height, rows) = (bounds.width(), bounds.height(), movement_map.rows());
        let columns = width.div_ceil(SIDE) as usize;
        let chunk_count = columns * height.div_ceil(SIDE) as usize;
        let mut regions = Self {
            width,
            height,
            columns,
            adjacency: Adjacency::of(movement_map),
            chunks: vec![Chunk::default(); chunk_count],
            components: Components::default(),
            edited: Vec::new(),
            must_join: false,
            found: Vec::new(),
        };
        for index in 0..chunk_count {
            regions.relabel(index, rows);
        }
        for index in 0..chunk_count {
            for side in Side::ALL {
                regions.find_contacts(index, side, rows);
            }
        }
        regions.components.join(&regions.chunks, regions.columns);
        regions
    }

    /// The memory that they take.
    ///
    /// # Complexity
    /// O(chunks).
    pub(crate) fn bytes(&self) -> usize {
        let chunks: usize = self.chunks.iter().map(Chunk::bytes).sum();
        size_of::<Self>() + chunks + self.components.bytes()
    }

    /// Remembers that cells of a rectangle opened or closed.
    ///
    /// # Complexity
    /// O(chunks that it lies in).
    pub(crate) fn mark(&mut self, area: &Area) {
        let chunks = |places: &Range<u32>| places.start / SIDE..places.end.div_ceil(SIDE);
        for row in chunks(&area.rows) {
            for column in chunks(&area.columns) {
                let index = row as usize * self.columns + column as usize;
                let edited = &mut self.chunks[index].edited;
                if *edited == Edited::Nothing {
                    self.edited.push(index as u32);
                }
                let inside = |places: &Range<u32>, chunk: u32| {
                    let first = chunk * SIDE;
                    places.start.saturating_sub(first)..(places.end - first).min(SIDE)
                };
                edited.add(Area { columns: inside(&area.columns, column), rows: inside(&area.rows, row) });
            }
        }
    }

    /// Gets in step with the bits after edits.
    ///
    /// # Complexity
    /// O(runs) of the edited chunks; where they are connected otherwise than before also O(chunks + regions at their
    /// borders) of the map.
    pub(crate) fn catch_up(&mut self, rows: &BitGrid) {
        let mut edited = std::mem::take(&mut self.edited);
        edited.retain(|&index| !self.patch(index as usize, rows));
        let mut has_changed = std::mem::take(&mut self.must_join);
        for &index in &edited {
            let index = index as usize;
            let before = self.chunks[index].border_regions();
            self.relabel(index, rows);
            has_changed |= self.chunks[index].border_regions() != before;
        }
        for &index in &edited {
            let index = index as usize;
            for side in Side::ALL {
                has_changed |= self.find_contacts(index, side, rows);
                if let Some(other) = self.neighbour_before(index, side) {
                    has_changed |= self.find_contacts(other, side, rows);
                }
            }
        }
        if has_changed {
            self.components.join(&self.chunks, self.columns);
        }
        self.edited = edited;
        self.edited.clear();
    }

    /// The component that a cell belongs to; `None` where it is not passable.
    ///
    /// # Complexity
    /// O(1).
    #[inline]
    pub(crate) fn component(&self, rows: &BitGrid, x: u32, y: u32) -> Option<ComponentId> {
        let row = rows.bits(x & !(SIDE - 1), y);
        let bit = 1 << (x % SIDE);
        if row & bit == 0 {
            return None;
        }
        let index = self.chunk_index(x, y);
        let chunk = &self.chunks[index];
        let label = chunk.label((y % SIDE) as usize, row, bit);
        Some(self.component_of(index, label))
    }

    #[inline]
    fn component_of(&self, index: usize, label: Label) -> ComponentId {
        if label < self.chunks[index].border_regions() {
            ComponentId(u64::from(self.components.id(index, label)))
        } else {
            ComponentId::inner(index, label)
        }
    }

    #[inline]
    fn chunk_index(&self, x: u32, y: u32) -> usize {
        (y / SIDE) as usize * self.columns + (x / SIDE) as usize
    }

    /// The rows of bits of a chunk, from the lowest. Beyond the map they are zeros.
    fn rows_of(&self, index: usize, rows: &BitGrid) -> [u64; SIDE as usize] {
        let (x, y) = self.corner(index);
        array::from_fn(|row| {
            let y = y + row as u32;
            if y < self.height { rows.bits(x, y) } else { 0 }
        })
    }

    /// The lowest column and row of a chunk.
    fn corner(&self, index: usize) -> (u32, u32) {
        ((index % self.columns) as u32 * SIDE, (index / self.columns) as u32 * SIDE)
    }

    fn relabel(&mut self, index: usize, rows: &BitGrid) {
        let bits = self.rows_of(index, rows);
        let (x, y) = self.corner(index);
        let borders =
            chunk::Borders { columns: [x > 0, x + SIDE < self.width], rows: [y > 0, y + SIDE < self.height] };
        self.chunks[index].relabel(&bits, borders, self.adjacency);
    }

    /// Follows the edits of a chunk where that changes no region; says whether it did.
    fn patch(&mut self, index: usize, rows: &BitGrid) -> bool {
        let (x, y) = self.corner(index);
        let chunk = &mut self.chunks[index];
        match std::mem::take(&mut chunk.edited) {
            Edited::Inside(area) => chunk.patch(&area, |row| rows.bits(x, y + row)),
            _ => false,
        }
    }

    /// The chunk of which this one is the neighbour on a side.
    fn neighbour_before(&self, index: usize, side: Side) -> Option<usize> {
        let (column, row) = (index % self.columns, index / self.columns);
        let (dx, dy) = side.offset();
        let (column, row) = (column.checked_add_signed(-dx)?, row.checked_add_signed(-dy)?);
        (column < self.columns).then_some(row * self.columns + column)
    }

    /// The neighbour of a chunk on a side.
    fn neighbour_after(&self, index: usize, side: Side) -> Option<usize> {
        let (column, row) = (index % self.columns, index / self.columns);
        let (dx, dy) = side.offset();
        let (column, row) = (column.checked_add_signed(dx)?, row.checked_add_signed(dy)?);
        let other = row * self.columns + column;
        (column < self.columns && other < self.chunks.len()).then_some(other)
    }

    /// Finds out which regions of a chunk touch which of its neighbour on a side; says whether they are others than
    /// before.
    fn find_contacts(&mut self, index: usize, side: Side, rows: &BitGrid) -> bool {
        if !self.adjacency.joins(side) {
            return false;
        }
        let Some(other) = self.neighbour_after(index, side) else {
            return false;
        };
        let (x, y) = self.corner(index);
        let chunks = [&self.chunks[index], &self.chunks[other]];
        let found = &mut self.found;
        match side {
            Side::East => contacts::across_column(chunks, self.adjacency, found),
            Side::North => {
                let facing = [rows.bits(x, y + SIDE - 1), rows.bits(x, y + SIDE)];
                contacts::across_row(chunks, facing, self.adjacency, found);
            }
            Side::NorthEast | Side::NorthWest => contacts::at_corner(chunks, side, found),
        }
        let known = &mut self.chunks[index].contacts[side as usize];
        let has_changed = known != found;
        if has_changed {
            known.clone_from(found);
        }
        found.clear();
        has_changed
    }
}

#[cfg(test)]
mod tests;
