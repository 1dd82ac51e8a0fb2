//! Connected regions of cells, for fast reachability tests.
//!
//! Regions are computed in chunks of 64 × 64 cells and joined over the borders of the chunks.
//!
//! Under all rules except `Always`, two straight steps can replace each allowed diagonal step. So
//! the four straight steps decide reachability. Only `Always` joins cells that touch just at a
//! corner. Hexagons touch at their north-western and south-eastern corners.
//!
//! Closed exits are ignored. If a map has them, regions can prove that two cells are not connected,
//! but not that they are.
//!
//! An edit marks its chunk. The next query labels the marked chunks again and checks their borders.
//! It joins the regions of the whole map again only if a chunk's border regions or contacts have
//! changed.
//!
//! Decision: `docs/decisions/13-regions.md`.

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

/// A set of connected cells. Ids from different states of a map cannot be compared.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct ComponentId(u64);

impl ComponentId {
    /// This bit is set in the ids of regions that touch no other chunk.
    const INNER: u64 = 1 << 63;

    fn inner(chunk: usize, label: Label) -> Self {
        Self(Self::INNER | (chunk as u64) << 16 | u64::from(label))
    }

    /// Returns the chunk and label of a component that lies inside one chunk.
    fn as_inner(self) -> Option<(usize, Label)> {
        (self.0 & Self::INNER != 0).then_some(((self.0 & !Self::INNER) as usize >> 16, self.0 as Label))
    }
}

/// The connected regions of a map for one movement. The movement map keeps the bits of passable
/// cells and passes them to each call.
///
/// After [`Regions::catch_up`], the regions are a pure function of these bits. Earlier edits do not
/// matter.
///
/// # Memory
/// An eighth of a byte a cell, and two bytes for each run of passable cells in a row of a chunk. In
/// total that is half a byte a cell on a map of scattered walls, and at most 1.2 bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Regions {
    width: u32,
    height: u32,
    columns: usize,
    adjacency: Adjacency,
    chunks: Vec<Chunk>,
    components: Components,
    /// The chunks that were edited since the last [`Regions::catch_up`], each once.
    edited: Vec<u32>,
    /// True if the map was resized since the last [`Regions::catch_up`].
    must_join: bool,
    /// A buffer that is empty between calls.
    found: Vec<[Label; 2]>,
}

impl Regions {
    /// Labels a whole map.
    ///
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

    /// Returns the memory of the regions in bytes.
    ///
    /// # Complexity
    /// O(chunks).
    pub(crate) fn bytes(&self) -> usize {
        let chunks: usize = self.chunks.iter().map(Chunk::bytes).sum();
        size_of::<Self>() + chunks + self.components.bytes()
    }

    /// Marks a rectangle in which cells opened or closed.
    ///
    /// # Complexity
    /// O(chunks that overlap the rectangle).
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

    /// Updates the regions to the bits after edits.
    ///
    /// # Complexity
    /// O(runs) of the edited chunks. If their connections changed, also O(chunks + border regions)
    /// of the map.
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

    /// Returns the component of a cell, or `None` if the cell is not passable.
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

    /// Returns the rows of a chunk as bits, from the lowest. Rows beyond the map are zeros.
    fn rows_of(&self, index: usize, rows: &BitGrid) -> [u64; SIDE as usize] {
        let (x, y) = self.corner(index);
        array::from_fn(|row| {
            let y = y + row as u32;
            if y < self.height { rows.bits(x, y) } else { 0 }
        })
    }

    /// Returns the lowest column and row of a chunk.
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

    /// Follows the edits of a chunk if they change no region. Returns whether it did.
    fn patch(&mut self, index: usize, rows: &BitGrid) -> bool {
        let (x, y) = self.corner(index);
        let chunk = &mut self.chunks[index];
        match std::mem::take(&mut chunk.edited) {
            Edited::Inside(area) => chunk.patch(&area, |row| rows.bits(x, y + row)),
            _ => false,
        }
    }

    /// Returns the chunk that has this chunk as its neighbour on a side.
    fn neighbour_before(&self, index: usize, side: Side) -> Option<usize> {
        let (column, row) = (index % self.columns, index / self.columns);
        let (dx, dy) = side.offset();
        let (column, row) = (column.checked_add_signed(-dx)?, row.checked_add_signed(-dy)?);
        (column < self.columns).then_some(row * self.columns + column)
    }

    /// Returns the neighbour of a chunk on a side.
    fn neighbour_after(&self, index: usize, side: Side) -> Option<usize> {
        let (column, row) = (index % self.columns, index / self.columns);
        let (dx, dy) = side.offset();
        let (column, row) = (column.checked_add_signed(dx)?, row.checked_add_signed(dy)?);
        let other = row * self.columns + column;
        (column < self.columns && other < self.chunks.len()).then_some(other)
    }

    /// Finds the contacts between the regions of a chunk and of its neighbour on a side. Returns
    /// whether they have changed.
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
