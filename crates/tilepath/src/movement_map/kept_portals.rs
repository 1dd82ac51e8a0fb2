//! What is known of the portals of a map, chunk by chunk.

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

/// Cells a side of a chunk.
pub(crate) const SIDE: u32 = 16;

/// How far from a chunk's cells an edit changes what is known of it: where its entrances are depends on cells beyond the border.
const REACH: u32 = 3;

/// In the place of a cost: there is no way inside the chunk.
const NO_WAY: u16 = u16::MAX;

/// The portals of a chunk: cells at its border over which ways lead to other chunks, and what ways between them cost that stay
/// inside.
///
/// A pure function of the cells of the chunk and of those up to [`REACH`] steps around it.
///
/// # Memory
/// Some 80 bytes, and two for each portal and each pair of portals.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct ChunkPortals {
    /// Which places along the border are portals, a bit each.
    places: u64,
    /// Costs are kept without this many of their lowest bits.
    shift: u8,
    /// For each portal, in the order of their places, the directions in which a step leads out of the chunk and is wanted there;
    /// then from each of them to each the cost of the cheapest way inside, or [`NO_WAY`].
    entries: Box<[u16]>,
}

impl ChunkPortals {
    /// The chunk with these portals, the steps out of each, and the costs from each to each.
    pub(crate) fn new(places: u64, steps_out: &[u8], costs: &[Option<u32>]) -> Self {
        let highest = costs.iter().flatten().copied().max().unwrap_or(0);
        let shift = (0..32).find(|shift| highest >> shift < u32::from(NO_WAY)).unwrap_or(0);
        let steps_out = steps_out.iter().copied().map(u16::from);
        let costs = costs.iter().map(|cost| cost.map_or(NO_WAY, |cost| (cost >> shift) as u16));
        Self { places, shift: shift as u8, entries: steps_out.chain(costs).collect() }
    }

    /// Which places along the border are portals, a bit each.
    #[inline]
    pub(crate) const fn places(&self) -> u64 {
        self.places
    }

    /// From the portal at a place: for each portal of the chunk its place, the directions of the steps out of the chunk from there,
    /// and the cost of the cheapest way there inside, where there is one.
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

    /// The place of each portal and the directions of the steps out of the chunk from there.
    pub(crate) fn steps_out(&self) -> impl Iterator<Item = (u32, u8)> + '_ {
        places_in(self.places).zip(self.entries.iter().map(|&steps| steps as u8))
    }

    fn bytes(&self) -> usize {
        // What an `Arc` counts with comes with it.
        size_of::<Self>() + 2 * size_of::<usize>() + size_of_val(&*self.entries)
    }
}

/// The places in a set.
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

/// The chunks of a map, each found out of the map when a search first comes there.
#[derive(Debug)]
pub(crate) struct KeptPortals {
    /// Shared with the searches that began before an edit.
    chunks: Vec<OnceLock<Arc<ChunkPortals>>>,
    /// What crossing each costs, roughly, eastwards and northwards: [`UNKNOWN`] until a search asks for it.
    paces: Vec<AtomicU64>,
    /// What a metered search has paid for of each, also where another search made it: [`PORTALS_PAID`], [`PACES_PAID`].
    paid: Vec<AtomicU8>,
    /// Chunks in a row of chunks.
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

    /// How many chunks the map has.
    pub(crate) const fn count(&self) -> usize {
        self.chunks.len()
    }

    /// Chunks in a row of chunks.
    #[inline]
    pub(crate) const fn columns(&self) -> usize {
        self.columns
    }

    /// Columns and rows of chunks.
    pub(crate) const fn sides(&self) -> [u32; 2] {
        [self.width.div_ceil(SIDE), self.height.div_ceil(SIDE)]
    }

    /// The chunk that the cell at column x, row y lies in.
    #[inline]
    pub(crate) const fn index(&self, x: u32, y: u32) -> usize {
        (y / SIDE) as usize * self.columns + (x / SIDE) as usize
    }

    /// The cells of a chunk.
    pub(crate) fn area(&self, chunk: usize) -> Area {
        let [x, y] = [chunk % self.columns, chunk / self.columns].map(|place| place as u32 * SIDE);
        Area { columns: x..(x + SIDE).min(self.width), rows: y..(y + SIDE).min(self.height) }
    }

    /// A chunk; it is made if it is not known yet. If two searches make one at once they find the same.
    #[inline]
    pub(crate) fn get(&self, chunk: usize, make: impl FnOnce() -> ChunkPortals) -> &ChunkPortals {
        self.chunks[chunk].get_or_init(|| Arc::new(make()))
    }

    /// Whether this is the first question for the portals of a chunk, since it was last edited, by one who pays.
    #[inline]
    pub(crate) fn are_charged(&self, chunk: usize, meter: &Meter<'_>) -> bool {
        self.is_charged((Finding::Portals, PORTALS_PAID), chunk, meter)
    }

    /// The same for its paces.
    #[inline]
    pub(crate) fn are_paces_charged(&self, chunk: usize, meter: &Meter<'_>) -> bool {
        self.is_charged((Finding::Paces, PACES_PAID), chunk, meter)
    }

    #[inline]
    fn is_charged(&self, (finding, what): (Finding, u8), chunk: usize, meter: &Meter<'_>) -> bool {
        let is_paid = || self.paid[chunk].load(Ordering::Relaxed) & what != 0;
        meter.is_charged((finding, chunk), is_paid, || !is_paid() && self.note_paid(chunk, what))
    }

    /// Notes that the portals of a chunk are paid for.
    pub(crate) fn pay(&self, chunk: usize) {
        self.note_paid(chunk, PORTALS_PAID);
    }

    /// The same for its paces.
    pub(crate) fn pay_paces(&self, chunk: usize) {
        self.note_paid(chunk, PACES_PAID);
    }

    fn note_paid(&self, chunk: usize, what: u8) -> bool {
        self.paid[chunk].fetch_or(what, Ordering::Relaxed) & what == 0
    }

    /// What crossing a chunk costs, roughly, eastwards and northwards. If two searches find it at once they find the same.
    #[inline]
    pub(crate) fn paces(&self, chunk: usize, find: impl FnOnce() -> [u32; 2]) -> [u32; 2] {
        let known = self.paces[chunk].load(Ordering::Relaxed);
        if known != UNKNOWN {
            return [(known >> 32) as u32, known as u32];
        }
        let [east, north] = find();
        // Together they are never what stands for nothing.
        let north = north.min(u32::MAX - 1);
        self.paces[chunk].store(u64::from(east) << 32 | u64::from(north), Ordering::Relaxed);
        [east, north]
    }

    /// Forgets what depends on the cells of a rectangle.
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

    /// The same for a map that covered other bounds before. Chunks stay that lie on chunks of the new map, with the cells on which
    /// they depend among those that are kept.
    pub(crate) fn resized(&self, before: &Bounds, after: &Bounds, kept: &Bounds) -> Self {
        let mut resized = Self::new(after);
        for [from, to] in kept_blocks([SIDE, REACH], before, after, kept) {
            resized.chunks[to].clone_from(&self.chunks[from]);
            *resized.paid[to].get_mut() = self.paid[from].load(Ordering::Relaxed);
            *resized.paces[to].get_mut() = self.paces[from].load(Ordering::Relaxed);
        }
        resized
    }

    /// The memory of the table, without the chunks.
    pub(crate) fn table_bytes(&self) -> usize {
        size_of_val(&*self.chunks) + size_of_val(&*self.paces) + size_of_val(&*self.paid)
    }

    /// The memory of the chunks that searches have come to.
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

/// What is known is derived from the map: searches find it again. What both know must be the same.
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
