//! Least costs of ground in triangles over a map of hexagons.
//!
//! The corners of the lattice lie where every fourth column meets every fourth row. The
//! parallelogram between four corners is cut into two triangles. All sides of the triangles run in
//! directions of steps, so no step crosses a side: it lies in one triangle, or along the side of
//! two.
//!
//! ```text
//!     (i, j + 1) o-----------o (i + 1, j + 1)
//!                 \  upper  / \
//!                  \       /   \      both with their sides,
//!                   \     /     \     corners included
//!                    \   / lower \
//!               the other way round on paper: rows lean
//! ```

use super::{
    area::Area,
    plane::{Ground as _, Plane},
};
use std::ops::Range;

/// The number of cells from one corner of the lattice to the next.
pub(crate) const SPACING: u32 = 4;

/// The value of a cost if all cells of the triangle are closed.
const CLOSED: u32 = u32::MAX;

/// The least cost of a step onto a cell of each triangle.
///
/// A pure function of the map.
///
/// # Memory
/// Half a byte a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LatticeCosts {
    /// The lower and the upper triangle of each parallelogram, row by row.
    least: Vec<[u32; 2]>,
    columns: u32,
    rows: u32,
    /// The sum over all triangles that are not closed, and the number of these triangles.
    sum: u64,
    count: u64,
}

impl LatticeCosts {
    /// # Complexity
    /// O(cells).
    pub(crate) fn new(plane: Plane<'_>, width: u32, height: u32) -> Self {
        let [columns, rows] = [width, height].map(|cells| cells.div_ceil(SPACING));
        let least = vec![[CLOSED; 2]; columns as usize * rows as usize];
        let mut costs = Self { least, columns, rows, sum: 0, count: 0 };
        costs.follow_edit(plane, width, height, &Area::all(width, height));
        costs
    }

    /// Updates the triangles of edited cells.
    ///
    /// # Complexity
    /// O(cells).
    pub(crate) fn follow_edit(&mut self, plane: Plane<'_>, width: u32, height: u32, area: &Area) {
        // Cells in the first column and row of a parallelogram also lie on the sides of the
        // parallelograms before it.
        let places =
            |cells: &Range<u32>| cells.start.saturating_sub(1) / SPACING..cells.end.div_ceil(SPACING);
        for row in places(&area.rows) {
            for column in places(&area.columns) {
                let index = row as usize * self.columns as usize + column as usize;
                let found = least_in(plane, width, height, [column * SPACING, row * SPACING]);
                for (known, found) in self.least[index].iter_mut().zip(found) {
                    if *known != CLOSED {
                        self.sum -= u64::from(*known);
                        self.count -= 1;
                    }
                    if found != CLOSED {
                        self.sum += u64::from(found);
                        self.count += 1;
                    }
                    *known = found;
                }
            }
        }
    }

    /// Returns the numbers of columns and rows of the lattice's corners.
    pub(crate) const fn corners(&self) -> [u32; 2] {
        [self.columns + 1, self.rows + 1]
    }

    /// Returns the mean over all triangles, in percent of a cost; 0 if all triangles are closed.
    pub(crate) fn mean_percent(&self, of: u32) -> u64 {
        (self.sum * 100).checked_div(self.count * u64::from(of)).unwrap_or(0)
    }

    /// Returns a cost for each of the six lattice sides that lead from a corner, in compass order:
    /// the least cost of a step in the two triangles along the side. The cost is `None` if these
    /// have no open cell.
    #[inline]
    pub(crate) fn sides(&self, column: u32, row: u32) -> [Option<u32>; 6] {
        let least = |column: u32, row: u32, upper: usize| {
            let is_inside = column < self.columns && row < self.rows;
            if is_inside { self.least[(row * self.columns + column) as usize][upper] } else { CLOSED }
        };
        let (before, below) = (column.wrapping_sub(1), row.wrapping_sub(1));
        // The costs run counterclockwise, from the triangle between east and north.
        let around = [
            least(column, row, 0),
            least(before, row, 1),
            least(before, row, 0),
            least(before, below, 1),
            least(column, below, 0),
            least(column, below, 1),
        ];
        // North, east, south-east, south, west, north-west.
        [(0, 1), (5, 0), (4, 5), (3, 4), (2, 3), (1, 2)].map(|(one, other)| {
            let cost = around[one].min(around[other]);
            (cost != CLOSED).then_some(cost)
        })
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.least)
    }
}

/// Returns the least costs of a step onto a cell of the lower and of the upper triangle of a
/// parallelogram, sides included.
fn least_in(plane: Plane<'_>, width: u32, height: u32, [left, bottom]: [u32; 2]) -> [u32; 2] {
    let mut least = [CLOSED; 2];
    for row in 0..=SPACING.min(height - 1 - bottom) {
        let slot = (bottom + row) as usize * width as usize + left as usize;
        for column in 0..=SPACING.min(width - 1 - left) {
            // Minus 1, closed cells become the largest value.
            let cost = plane.entry_cost(slot + column as usize, 0).wrapping_sub(1);
            if column + row <= SPACING {
                least[0] = least[0].min(cost);
            }
            if column + row >= SPACING {
                least[1] = least[1].min(cost);
            }
        }
    }
    least.map(|less_one| if less_one == CLOSED { CLOSED } else { less_one + 1 })
}
