//! The cells of given components that are closest to a goal.

use super::{
    ComponentId, Regions, SIDE,
    chunk::{RegionSet, lowest_run},
};
use crate::{
    bit_grid::BitGrid,
    space::{grid::GridNode, octile_distance::Metric},
};

/// The cells at the smallest distance from a goal. The cells are listed only if they are few.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ClosestCells {
    distance: u64,
    listed: [GridNode; Self::LISTED],
    count: usize,
}

impl ClosestCells {
    /// The largest number of listed cells. A goal inside a small building has four closest cells.
    /// Unless straight and diagonal steps cost the same, there are at most eight.
    pub(crate) const LISTED: usize = 8;

    /// Makes an empty list. Cells farther than `distance` are ignored.
    pub(crate) fn within(distance: u64) -> Self {
        Self { distance, listed: [GridNode::new(0, 0); Self::LISTED], count: 0 }
    }

    /// Returns the distance of the cells from the goal.
    pub(crate) const fn distance(&self) -> u64 {
        self.distance
    }

    /// Returns the cells in no particular order, or `None` if they are too many for the list.
    pub(crate) fn listed(&self) -> Option<&[GridNode]> {
        self.listed.get(..self.count)
    }

    pub(crate) fn offer(&mut self, distance: u64, cell: GridNode) {
        if distance > self.distance {
            return;
        }
        if distance < self.distance {
            self.distance = distance;
            self.count = 0;
        }
        if let Some(free) = self.listed.get_mut(self.count) {
            *free = cell;
        }
        self.count = (self.count + 1).min(Self::LISTED + 1);
    }
}

impl Regions {
    /// Adds the cells of the components that are closest to the goal. Returns the work: one unit
    /// for each chunk and for each row that was scanned.
    ///
    /// It scans rings of chunks around the goal until the next ring is farther than the best cell
    /// found. It skips chunks without a region of the components.
    ///
    /// # Complexity
    /// O(chunks + runs of the chunks that lie as close as the answer).
    pub(crate) fn add_closest(
        &self,
        rows: &BitGrid,
        components: &[ComponentId],
        goal: GridNode,
        metric: Metric,
        closest: &mut ClosestCells,
    ) -> u64 {
        let mut work = 0;
        let scan = Scan { regions: self, rows, components, goal, metric };
        let (column, row) = ((goal.x() / SIDE) as i64, (goal.y() / SIDE) as i64);
        let (columns, chunk_rows) = (self.columns as i64, (self.chunks.len() / self.columns) as i64);
        let outermost = column.max(columns - 1 - column).max(row).max(chunk_rows - 1 - row);
        // The distance to the nearest side of the goal's own chunk.
        let (x, y) = (goal.x() % SIDE, goal.y() % SIDE);
        let margin = x.min(y).min(SIDE - 1 - x).min(SIDE - 1 - y);
        for ring in 0..=outermost {
            let gap = if ring == 0 { 0 } else { margin + 1 + (ring as u32 - 1) * SIDE };
            if scan.distance(gap, 0) > closest.distance {
                break;
            }
            for row_ahead in (-ring).max(-row)..=ring.min(chunk_rows - 1 - row) {
                // Visits all chunks of the lowest and the highest row, and only the two ends of the
                // other rows.
                let stride = if row_ahead.abs() == ring { 1 } else { (2 * ring).max(1) };
                for column_ahead in (-ring..=ring).step_by(stride as usize) {
                    if (0..columns).contains(&(column + column_ahead)) {
                        work += scan.chunk((row + row_ahead) * columns + column + column_ahead, closest);
                    }
                }
            }
        }
        work
    }
}

/// The inputs of a search for the closest cells.
struct Scan<'a> {
    regions: &'a Regions,
    rows: &'a BitGrid,
    components: &'a [ComponentId],
    goal: GridNode,
    metric: Metric,
}

impl Scan<'_> {
    /// Returns a distance, limited to the largest cost, as all distances of the movement are.
    fn distance(&self, dx: u32, dy: u32) -> u64 {
        self.metric.least_distance(dx.into(), dy.into()).min(u32::MAX.into())
    }

    fn chunk(&self, index: i64, closest: &mut ClosestCells) -> u64 {
        let index = index as usize;
        let (x, y) = self.regions.corner(index);
        let (width, height) = (SIDE.min(self.regions.width - x), SIDE.min(self.regions.height - y));
        let gap = self.goal.x().clamp(x, x + width - 1).abs_diff(self.goal.x());
        let nearest_row = self.goal.y().clamp(y, y + height - 1);
        if self.distance(gap, nearest_row.abs_diff(self.goal.y())) > closest.distance {
            return 0;
        }
        let wanted = self.wanted_regions(index);
        let mut work = 1;
        if wanted.is_empty() {
            return work;
        }
        let mut row = |row: u32| {
            let is_near = self.distance(gap, row.abs_diff(self.goal.y())) <= closest.distance;
            if is_near {
                work += 1;
                self.row(index, x, row, &wanted, closest);
            }
            is_near
        };
        let _further_north = (nearest_row..y + height).all(&mut row);
        let _further_south = (y..nearest_row).rev().all(&mut row);
        work
    }

    /// Returns the regions of a chunk that belong to the components.
    fn wanted_regions(&self, index: usize) -> RegionSet {
        let mut wanted = RegionSet::default();
        for label in 0..self.regions.chunks[index].border_regions() {
            if self.components.contains(&self.regions.component_of(index, label)) {
                wanted.insert(label);
            }
        }
        for component in self.components {
            if let Some((chunk, label)) = component.as_inner()
                && chunk == index
            {
                wanted.insert(label);
            }
        }
        wanted
    }

    /// Adds the cells of a chunk's row that may be the closest.
    fn row(&self, index: usize, x: u32, y: u32, wanted: &RegionSet, closest: &mut ClosestCells) {
        let labels = self.regions.chunks[index].row_labels((y % SIDE) as usize);
        let mut rest = self.rows.bits(x, y);
        for &label in labels {
            let run = lowest_run(rest);
            rest &= !run;
            if wanted.contains(label) {
                let first = x + run.trailing_zeros();
                self.run(first, first + run.count_ones() - 1, y, closest);
            }
        }
    }

    fn run(&self, first: u32, last: u32, y: u32, closest: &mut ClosestCells) {
        if self.metric.is_hexagonal() {
            return self.hexagonal_run(first, last, y, closest);
        }
        let nearest = self.goal.x().clamp(first, last);
        let (dx, dy) = (nearest.abs_diff(self.goal.x()), y.abs_diff(self.goal.y()));
        let distance = self.distance(dx, dy);
        if self.metric.turn > 0 || dx >= dy {
            // All other cells of the run are farther.
            closest.offer(distance, GridNode::new(nearest, y));
        } else if distance <= closest.distance {
            // If a diagonal step costs no more than a straight one, these cells are as far away as
            // their row.
            for x in first.max(self.goal.x().saturating_sub(dy))..=last.min(self.goal.x() + dy) {
                closest.offer(distance, GridNode::new(x, y));
            }
        }
    }

    /// Adds the closest cells of a run on hexagons.
    ///
    /// In each row, two lines through the goal mark a part in which all cells are as far as the row
    /// itself. All other cells are farther; their distance grows with the distance from these
    /// lines.
    fn hexagonal_run(&self, first: u32, last: u32, y: u32, closest: &mut ClosestCells) {
        let (x, dy) = (self.goal.x(), y.abs_diff(self.goal.y()));
        let between = if y > self.goal.y() { [x.saturating_sub(dy), x] } else { [x, x + dy] };
        let [from, to] = between.map(|x| x.clamp(first, last));
        for x in from..=to {
            let cell = GridNode::new(x, y);
            closest.offer(self.metric.between(cell, self.goal).min(u32::MAX.into()), cell);
        }
    }
}
