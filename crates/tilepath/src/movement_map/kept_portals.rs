//! Portals of a map, chunk by chunk.

use super::{
    area::{Area, kept_blocks},
    meter::{Finding, Meter},
};
use crate::bounds::Bounds;
use std::{
    mem::size_of,
    ops::Range,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU8, AtomicU64, Ordering},
    },
};

/// The side of a chunk, in cells.
pub(crate) const SIDE: u32 = 16;

/// The distance from a chunk, in cells, within which an edit changes its portals. Its entrances
/// depend on cells beyond the border.
const REACH: u32 = 3;

/// The value of a cost if there is no path inside the chunk.
const NO_WAY: u16 = u16::MAX;

/// The portals of a chunk: cells at its border over which paths lead to other chunks. It includes
/// the costs of paths between them that stay inside.
///
/// It is a pure function of the cells of the chunk and of the cells up to [`REACH`] steps around
/// it.
///
/// # Memory
/// About 80 bytes, and two for each portal and each pair of portals.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct ChunkPortals {
    /// The places along the border that are portals, a bit each.
    places: u64,
    /// The number of lowest bits that the stored costs leave out.
    shift: u8,
    /// First, for each portal in the order of places: the directions of useful steps out of the
    /// chunk. Then, from each portal to each: the cost of the cheapest path inside, or [`NO_WAY`].
    entries: Box<[u16]>,
}

impl ChunkPortals {
    /// Creates the chunk with these portals, the steps out of each, and the costs from each to
    /// each.
    pub(crate) fn new(places: u64, steps_out: &[u8], costs: &[Option<u32>]) -> Self {
        let highest = costs.iter().flatten().copied().max().unwrap_or(0);
        let shift = (0..32).find(|shift| highest >> shift < u32::from(NO_WAY)).unwrap_or(0);
        let steps_out = steps_out.iter().copied().map(u16::from);
        let costs = costs.iter().map(|cost| cost.map_or(NO_WAY, |cost| (cost >> shift) as u16));
        Self { places, shift: shift as u8, entries: steps_out.chain(costs).collect() }
    }

    /// Returns the places along the border that are portals, a bit each.
    #[inline]
    pub(crate) const fn places(&self) -> u64 {
        self.places
    }

    /// Returns the portals that the portal at a place can reach inside the chunk. For each: its
    /// place, the directions of its steps out of the chunk, and the cost of the cheapest path to it
    /// inside.
    #[inline]
    pub(crate) fn from(&self, place: u32) -> impl Iterator<Item = (u32, u8, u32)> + '_ {
        let count = self.places.count_ones() as usize;
        let row = (self.places & ((1 << place) - 1)).count_ones() as usize;
        let (steps_out, costs) = self.entries.split_at(count);
        let costs = &costs[row * count..][..count];
        places_in(self.places)
            .zip(steps_out.iter().zip(costs))
            .filter(|&(_, (&steps, &cost))| cost != NO_WAY && steps != 0)
            .map(|(place, (&steps, &cost))| (place, steps as u8, u32::from(cost) << self.shift))
    }

    /// Returns the place of each portal, and the directions of its steps out of the chunk.
    pub(crate) fn steps_out(&self) -> impl Iterator<Item = (u32, u8)> + '_ {
        places_in(self.places).zip(self.entries.iter().map(|&steps| steps as u8))
    }

    fn bytes(&self) -> usize {
        // The counters of the `Arc` are included.
        size_of::<Self>() + 2 * size_of::<usize>() + size_of_val(&*self.entries)
    }
}

/// Returns the places in a set.
#[inline]
pub(crate) fn places_in(mut places: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let place = places.trailing_zeros();
        (places != 0).then(|| {
            places &= places - 1;
            place
        })
    })
}

const UNKNOWN: u64 = u64::MAX;
const PORTALS_PAID: u8 = 1;
const PACES_PAID: u8 = 2;

/// The chunks of a map. A search that first visits a chunk finds its portals.
#[derive(Debug)]
pub(crate) struct KeptPortals {
    /// Shared with searches that began before an edit.
    chunks: Vec<OnceLock<Arc<ChunkPortals>>>,
    /// The approximate costs of crossing each chunk eastwards and northwards; [`UNKNOWN`] until a
    /// search needs them.
    paces: Vec<AtomicU64>,
    /// For each chunk, the parts that a metered search has paid for, even if another search made
    /// them: [`PORTALS_PAID`], [`PACES_PAID`].
    paid: Vec<AtomicU8>,
    /// The number of chunks in a row of chunks.
    columns: usize,
    width: u32,
    height: u32,
}

impl KeptPortals {
    pub(crate) fn new(bounds: &Bounds) -> Self {
        let (width, height) = (bounds.width(), bounds.height());
        let columns = width.div_ceil(SIDE) as usize;
        let count = columns * height.div_ceil(SIDE) as usize;
        let paid = (0..count).map(|_| AtomicU8::new(0)).collect();
        let paces = (0..count).map(|_| AtomicU64::new(UNKNOWN)).collect();
        Self { chunks: vec![OnceLock::new(); count], paces, paid, columns, width, height }
    }

    /// Returns the number of chunks of the map.
    pub(crate) const fn count(&self) -> usize {
        self.chunks.len()
    }

    /// Returns the number of chunks in a row of chunks.
    #[inline]
    pub(crate) const fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the numbers of columns and rows of chunks.
    pub(crate) const fn sides(&self) -> [u32; 2] {
        [self.width.div_ceil(SIDE), self.height.div_ceil(SIDE)]
    }

    /// Returns the index of the chunk that contains the cell at column x, row y.
    #[inline]
    pub(crate) const fn index(&self, x: u32, y: u32) -> usize {
        (y / SIDE) as usize * self.columns + (x / SIDE) as usize
    }

    /// Returns the cells of a chunk.
    pub(crate) fn area(&self, chunk: usize) -> Area {
        let [x, y] = [chunk % self.columns, chunk / self.columns].map(|place| place as u32 * SIDE);
        Area { columns: x..(x + SIDE).min(self.width), rows: y..(y + SIDE).min(self.height) }
    }

    /// Returns a chunk, and creates it if it does not exist yet. If two searches create it at once,
    /// both create the same.
    #[inline]
    pub(crate) fn get(&self, chunk: usize, make: impl FnOnce() -> ChunkPortals) -> &ChunkPortals {
        self.chunks[chunk].get_or_init(|| Arc::new(make()))
    }

    /// Returns whether a metered search must pay for the portals of a chunk: none has paid since
    /// the chunk was last edited.
    #[inline]
    pub(crate) fn are_charged(&self, chunk: usize, meter: &Meter<'_>) -> bool {
        self.is_charged((Finding::Portals, PORTALS_PAID), chunk, meter)
    }

    /// Returns whether a metered search must pay for the paces of a chunk.
    #[inline]
    pub(crate) fn are_paces_charged(&self, chunk: usize, meter: &Meter<'_>) -> bool {
        self.is_charged((Finding::Paces, PACES_PAID), chunk, meter)
    }

    #[inline]
    fn is_charged(&self, (finding, what): (Finding, u8), chunk: usize, meter: &Meter<'_>) -> bool {
        let is_paid = || self.paid[chunk].load(Ordering::Relaxed) & what != 0;
        meter.is_charged((finding, chunk), is_paid, || !is_paid() && self.note_paid(chunk, what))
    }

    /// Marks the portals of a chunk as paid for.
    pub(crate) fn pay(&self, chunk: usize) {
        self.note_paid(chunk, PORTALS_PAID);
    }

    /// Marks the paces of a chunk as paid for.
    pub(crate) fn pay_paces(&self, chunk: usize) {
        self.note_paid(chunk, PACES_PAID);
    }

    fn note_paid(&self, chunk: usize, what: u8) -> bool {
        self.paid[chunk].fetch_or(what, Ordering::Relaxed) & what == 0
    }

    /// Returns the approximate costs of crossing a chunk eastwards and northwards. If two searches
    /// find them at once, both find the same.
    #[inline]
    pub(crate) fn paces(&self, chunk: usize, find: impl FnOnce() -> [u32; 2]) -> [u32; 2] {
        let known = self.paces[chunk].load(Ordering::Relaxed);
        if known != UNKNOWN {
            return [(known >> 32) as u32, known as u32];
        }
        let [east, north] = find();
        // Both values together are then never [`UNKNOWN`].
        let north = north.min(u32::MAX - 1);
        self.paces[chunk].store(u64::from(east) << 32 | u64::from(north), Ordering::Relaxed);
        [east, north]
    }

    /// Drops the data that depends on the cells of a rectangle.
    ///
    /// # Complexity
    /// O(chunks that it touches).
    pub(crate) fn forget(&mut self, area: &Area) {
        let near = area.grown(REACH, self.width, self.height);
        let chunks = |places: &Range<u32>| places.start / SIDE..places.end.div_ceil(SIDE);
        for row in chunks(&near.rows) {
            for column in chunks(&near.columns) {
                let chunk = row as usize * self.columns + column as usize;
                self.chunks[chunk].take();
                *self.paid[chunk].get_mut() = 0;
                *self.paces[chunk].get_mut() = UNKNOWN;
            }
        }
    }

    /// Returns the chunks after a resize of the map. A chunk is kept if it lies exactly on a chunk
    /// of the new map, and if all cells on which it depends are kept.
    pub(crate) fn resized(&self, before: &Bounds, after: &Bounds, kept: &Bounds) -> Self {
        let mut resized = Self::new(after);
        for [from, to] in kept_blocks([SIDE, REACH], before, after, kept) {
            resized.chunks[to].clone_from(&self.chunks[from]);
            *resized.paid[to].get_mut() = self.paid[from].load(Ordering::Relaxed);
            *resized.paces[to].get_mut() = self.paces[from].load(Ordering::Relaxed);
        }
        resized
    }

    /// Returns the bytes of the table, without the chunks.
    pub(crate) fn table_bytes(&self) -> usize {
        size_of_val(&*self.chunks) + size_of_val(&*self.paces) + size_of_val(&*self.paid)
    }

    /// Returns the bytes of the chunks that searches have visited.
    ///
    /// # Complexity
    /// O(chunks).
    pub(crate) fn chunk_bytes(&self) -> usize {
        self.chunks.iter().filter_map(|chunk| chunk.get()).map(|chunk| chunk.bytes()).sum()
    }
}

impl Clone for KeptPortals {
    fn clone(&self) -> Self {
        let paid = self.paid.iter().map(|paid| AtomicU8::new(paid.load(Ordering::Relaxed))).collect();
        let paces = self.paces.iter().map(|paces| AtomicU64::new(paces.load(Ordering::Relaxed))).collect();
        Self { chunks: self.chunks.clone(), paces, paid, ..*self }
    }
}

/// Portals are derived from the map, so searches find them again. Only data that both have must be
/// equal.
impl PartialEq for KeptPortals {
    fn eq(&self, other: &Self) -> bool {
        let both = |(one, other): (&OnceLock<Arc<ChunkPortals>>, &OnceLock<_>)| {
            one.get().zip(other.get()).is_none_or(|(one, other)| one == other)
        };
        let both_paces = |(one, other): (&AtomicU64, &AtomicU64)| {
            let [one, other] = [one, other].map(|paces| paces.load(Ordering::Relaxed));
            one == other || one == UNKNOWN || other == UNKNOWN
        };
        (self.width, self.height) == (other.width, other.height)
            && self.paces.iter().zip(&other.paces).all(both_paces)
            && self.chunks.iter().zip(&other.chunks).all(both)
    }
}

impl Eq for KeptPortals {}
