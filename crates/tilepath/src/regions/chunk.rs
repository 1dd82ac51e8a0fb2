//! The regions of one chunk.

use super::{
    contacts::{Adjacency, Side},
    patch::Edited,
};

/// The side of a chunk in cells. A row is one word.
pub(crate) const SIDE: u32 = 64;

const ROWS: usize = SIDE as usize;

/// The largest number of runs in a chunk: every other cell of every row.
const MAX_RUNS: usize = ROWS * ROWS / 2;

/// The number of a region in its chunk. Regions that touch a border to another chunk come first,
/// then the others. Both are in the order of their first runs.
pub(super) type Label = u16;

/// The sides of a chunk that have a neighbour.
#[derive(Clone, Copy, Debug)]
pub(super) struct Borders {
    /// West and east.
    pub(super) columns: [bool; 2],
    /// South and north.
    pub(super) rows: [bool; 2],
}

/// The labels of all runs of passable cells, row by row from the lowest, and the contacts with
/// chunks to the north and east.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    /// The first run of every row. One more entry ends the last row.
    pub(super) row_starts: [u16; ROWS + 1],
    pub(super) labels: Vec<Label>,
    border_regions: Label,
    /// The passable cells of the west and the east column, the lowest row first.
    columns: [u64; 2],
    /// For each [`Side`], the pairs of regions that touch across it, in the order found, each pair
    /// once.
    pub(super) contacts: [Vec<[Label; 2]>; Side::ALL.len()],
    pub(super) edited: Edited,
}

impl Default for Chunk {
    fn default() -> Self {
        Self {
            row_starts: [0; ROWS + 1],
            labels: Vec::new(),
            border_regions: 0,
            columns: [0; 2],
            contacts: Default::default(),
            edited: Edited::Nothing,
        }
    }
}

impl Chunk {
    /// Makes a chunk that must be labelled.
    pub(super) fn marked() -> Self {
        Self { edited: Edited::All, ..Self::default() }
    }

    /// Returns the memory of the chunk in bytes.
    pub(super) fn bytes(&self) -> usize {
        let contacts: usize = self.contacts.iter().map(|pairs| size_of_val(&**pairs)).sum();
        size_of::<Self>() + size_of_val(&*self.labels) + contacts
    }

    /// Returns the number of regions that touch a border to another chunk.
    #[inline]
    pub(super) const fn border_regions(&self) -> Label {
        self.border_regions
    }

    /// Returns the passable cells of the lowest column, the lowest row first.
    pub(super) const fn west_column(&self) -> u64 {
        self.columns[0]
    }

    /// Returns the passable cells of the highest column, the lowest row first.
    pub(super) const fn east_column(&self) -> u64 {
        self.columns[1]
    }

    /// Returns the label of the run that contains a cell. `bits` are the passable cells of its row.
    #[inline]
    pub(super) fn label(&self, row: usize, bits: u64, cell: u64) -> Label {
        let starts = bits & !(bits << 1) & (cell | (cell - 1));
        self.labels[usize::from(self.row_starts[row]) + starts.count_ones() as usize - 1]
    }

    /// Returns the labels of the runs in a row, from the west.
    #[inline]
    pub(super) fn row_labels(&self, row: usize) -> &[Label] {
        &self.labels[usize::from(self.row_starts[row])..usize::from(self.row_starts[row + 1])]
    }

    /// Labels the chunk again. Runs that touch runs of the row below join their regions.
    pub(super) fn relabel(&mut self, rows: &[u64; ROWS], borders: Borders, adjacency: Adjacency) {
        let mut parents = [0; MAX_RUNS];
        let count = match adjacency {
            Adjacency::Four => self.join_runs(rows, &mut parents, |run| run),
            Adjacency::Six => self.join_runs(rows, &mut parents, |run| run | run << 1),
            Adjacency::Eight => self.join_runs(rows, &mut parents, |run| run | run << 1 | run >> 1),
        };
        self.columns = [0, 63].map(|column| {
            let bits = rows.iter().enumerate();
            bits.fold(0, |bits, (row, &word)| bits | (word >> column & 1) << row)
        });
        self.number_regions(&mut parents, count, borders);
    }

    /// Gives every run a parent that is not later; roots are the first runs of their regions.
    /// `widened` returns a run plus the columns through which it touches the row below.
    #[inline]
    fn join_runs(
        &mut self,
        rows: &[u64; ROWS],
        parents: &mut [u16; MAX_RUNS],
        widened: impl Fn(u64) -> u64,
    ) -> usize {
        let mut count = 0;
        let (mut below, mut first_below) = (0, 0);
        for (row_start, &row) in self.row_starts.iter_mut().zip(rows) {
            *row_start = count as u16;
            let mut beside = Runs::new(below, first_below);
            (below, first_below) = (row, count);
            let mut rest = row;
            while rest != 0 {
                let run = lowest_run(rest);
                rest ^= run;
                let mut touched = beside.row & widened(run);
                let mut parent = count as u16;
                if touched != 0 {
                    while beside.first & touched == 0 {
                        beside.advance();
                    }
                    // The parent of the other run also leads to the root.
                    parent = parents[beside.number];
                    touched &= !beside.first;
                    while touched != 0 {
                        beside.advance();
                        parent = join(parents, parent, beside.number as u16);
                        touched &= !beside.first;
                    }
                }
                parents[count] = parent;
                count += 1;
            }
        }
        self.row_starts[ROWS] = count as u16;
        count
    }

    fn number_regions(&mut self, parents: &mut [u16; MAX_RUNS], count: usize, borders: Borders) {
        let mut touches = RegionSet::default();
        let mut touch = |run: usize| touches.insert(find(parents, run as u16));
        let Borders { columns: [west, east], rows: [south, north] } = borders;
        let starts = |row: usize| usize::from(self.row_starts[row]);
        if south {
            (0..starts(1)).for_each(&mut touch);
        }
        if north {
            (starts(ROWS - 1)..starts(ROWS)).for_each(&mut touch);
        }
        // The cells of a column without a gap belong to one region.
        let stretches = |column: u64| ones(column & !(column << 1));
        if west {
            stretches(self.columns[0]).for_each(|row| touch(starts(row)));
        }
        if east {
            stretches(self.columns[1]).for_each(|row| touch(starts(row + 1) - 1));
        }
        self.border_regions = touches.len();
        let (mut border, mut inner) = (0, self.border_regions);
        if self.labels.capacity() == 0 {
            // Reserves exactly what the chunk needs now. Only edits let it grow in large steps.
            self.labels.reserve_exact(count);
        }
        self.labels.resize(count, 0);
        for (run, &parent) in parents[..count].iter().enumerate() {
            // A parent comes before its child, so it already has its label.
            self.labels[run] = if usize::from(parent) < run {
                self.labels[usize::from(parent)]
            } else {
                let next = if touches.contains(parent) { &mut border } else { &mut inner };
                *next += 1;
                *next - 1
            };
        }
    }
}

/// The runs of a row, from one run on. This run may also touch later runs of the row above.
struct Runs {
    row: u64,
    rest: u64,
    first: u64,
    /// The number of the `first` run.
    number: usize,
}

impl Runs {
    const fn new(row: u64, number: usize) -> Self {
        Self { row, rest: row, first: lowest_run(row), number }
    }

    const fn advance(&mut self) {
        self.rest ^= self.first;
        self.first = lowest_run(self.rest);
        self.number += 1;
    }
}

/// A set of regions of one chunk.
#[derive(Default, Debug)]
pub(super) struct RegionSet([u64; MAX_RUNS / 64]);

impl RegionSet {
    #[inline]
    pub(super) fn insert(&mut self, region: Label) {
        self.0[usize::from(region) / 64] |= 1 << (region % 64);
    }

    #[inline]
    pub(super) fn contains(&self, region: Label) -> bool {
        self.0[usize::from(region) / 64] >> (region % 64) & 1 == 1
    }

    pub(super) fn len(&self) -> Label {
        self.0.iter().map(|word| word.count_ones()).sum::<u32>() as Label
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }
}

/// Returns the lowest block of ones without a zero between them.
#[inline]
pub(super) const fn lowest_run(bits: u64) -> u64 {
    bits & !bits.wrapping_add(bits & bits.wrapping_neg())
}

/// Returns the positions of the ones, the lowest first.
pub(super) fn ones(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = bits.trailing_zeros();
        bits &= bits.wrapping_sub(1);
        (place < u64::BITS).then_some(place as usize)
    })
}

#[inline]
fn find(parents: &mut [u16; MAX_RUNS], mut run: u16) -> u16 {
    loop {
        let parent = parents[usize::from(run)];
        if parent == run {
            return run;
        }
        // Skips half of the path to the root for the next call.
        let before = parents[usize::from(parent)];
        parents[usize::from(run)] = before;
        run = parent;
    }
}

/// Joins the regions of two runs. The earlier root becomes the root of both.
#[inline]
fn join(parents: &mut [u16; MAX_RUNS], run: u16, other: u16) -> u16 {
    let (run, other) = (find(parents, run), find(parents, other));
    let (first, second) = (run.min(other), run.max(other));
    parents[usize::from(second)] = first;
    first
}
