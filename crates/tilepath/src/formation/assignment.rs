//! Who takes which place: as many as possible, the last as early as possible, then all together as little as possible.

use std::collections::VecDeque;

const NONE: usize = usize::MAX;

/// A cost as large as this counts as this: sums of squares have to fit.
const MOST: u64 = 1 << 28;

/// The bits that are left below a cost for what decides between equal sums: the squares of some thousand costs.
const BELOW: u32 = 70;

/// Gives rows columns, each at most one, by a table of costs: `None` where the two do not go together.
///
/// As many rows as possible get a column. Of all ways to do that, those are best in which the largest cost is least, and of these
/// that in which the sum is least, and of these that in which costs differ least: the sum of their squares. So of units in a column the
/// first goes farthest, and none has to pass others who are there already. Of several such the answer is one, always the same.
///
/// # Panics
/// If the table does not have `rows × columns` entries, row by row.
///
/// # Complexity
/// O(n³) for n rows or columns, whichever is more.
///
/// # Guarantee
/// Exact for costs below 2^28 and tables of up to 2^14 rows and columns; greater costs count as equal to that.
///
/// # Examples
/// ```
/// use tilepath::formation::assign;
/// // Both would rather have the first column. The sum would be least with 1 + 12.
/// let costs = [Some(1), Some(8), Some(7), Some(12)];
/// assert_eq!(assign(2, 2, &costs), [Some(1), Some(0)]);
/// assert_eq!(assign(2, 1, &[None, Some(3)]), [None, Some(0)]);
/// ```
#[must_use]
pub fn assign(rows: usize, columns: usize, costs: &[Option<u64>]) -> Vec<Option<usize>> {
    assert_eq!(costs.len(), rows * columns, "a table has an entry for each row and column");
    let costs: Vec<Option<u64>> = costs.iter().map(|cost| cost.map(|cost| cost.min(MOST))).collect();
    let table = Table { rows, columns, costs: &costs };
    let mut levels: Vec<u64> = costs.iter().flatten().copied().collect();
    levels.sort_unstable();
    levels.dedup();
    let Some(&highest) = levels.last() else { return vec![None; rows] };
    let most = table.matching_below(highest);
    // The first level at which as many go together.
    let (mut low, mut high) = (0, levels.len() - 1);
    while low < high {
        let middle = usize::midpoint(low, high);
        if table.matching_below(levels[middle]) == most {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    table.cheapest_below(levels[low])
}

struct Table<'a> {
    rows: usize,
    columns: usize,
    costs: &'a [Option<u64>],
}

impl Table<'_> {
    fn allowed(&self, row: usize, column: usize, threshold: u64) -> Option<u64> {
        self.costs[row * self.columns + column].filter(|&cost| cost <= threshold)
    }

    /// How many rows get a column where no cost may be greater: Hopcroft and Karp.
    fn matching_below(&self, threshold: u64) -> usize {
        let words = self.columns.div_ceil(64);
        let mut pairs = vec![0; self.rows * words];
        for row in 0..self.rows {
            for column in (0..self.columns).filter(|&column| self.allowed(row, column, threshold).is_some()) {
                pairs[row * words + column / 64] |= 1 << (column % 64);
            }
        }
        let mut matching = Matching {
            words,
            pairs,
            row_of: vec![NONE; self.columns],
            column_of: vec![NONE; self.rows],
            layers: vec![NONE; self.rows],
        };
        let mut matched = 0;
        while matching.layer() {
            let mut next = vec![0; self.rows];
            let free: Vec<usize> = (0..self.rows).filter(|&row| matching.column_of[row] == NONE).collect();
            matched += free.into_iter().filter(|&row| matching.augment(row, &mut next)).count();
        }
        matched
    }

    /// The assignment of the least sum of those with as many pairs as possible and no greater cost: by shortest augmenting paths with
    /// potentials. A pair that may not be costs more than all that may be together.
    fn cheapest_below(&self, threshold: u64) -> Vec<Option<usize>> {
        let side = self.rows.max(self.columns);
        let worth = |cost: u64| (i128::from(cost) << BELOW) + i128::from(cost).pow(2);
        let forbidden = (worth(threshold) + 1) * (side as i128 + 1);
        let mut worths = vec![forbidden; side * side];
        for (row, worths) in worths.chunks_mut(side.max(1)).enumerate().take(self.rows) {
            for (column, place) in worths.iter_mut().enumerate().take(self.columns) {
                *place = self.allowed(row, column, threshold).map_or(forbidden, worth);
            }
        }
        // Row and column 0 of these belong to nothing.
        let mut of_rows = vec![0_i128; side + 1];
        let mut of_columns = vec![0_i128; side + 1];
        let mut row_of = vec![0_usize; side + 1];
        let mut came_by = vec![0_usize; side + 1];
        let mut least = vec![0_i128; side + 1];
        let mut is_used = vec![false; side + 1];
        for row in 1..=side {
            row_of[0] = row;
            let mut column = 0;
            least.fill(i128::MAX);
            is_used.fill(false);
            while row_of[column] != 0 {
                is_used[column] = true;
                let here = row_of[column];
                let (mut delta, mut nearest) = (i128::MAX, 0);
                let of_row = of_rows[here];
                let costs = &worths[(here - 1) * side..here * side];
                for (other, cost) in (1..).zip(costs) {
                    if is_used[other] {
                        continue;
                    }
                    let reduced = cost - of_row - of_columns[other];
                    if reduced < least[other] {
                        (least[other], came_by[other]) = (reduced, column);
                    }
                    if least[other] < delta {
                        (delta, nearest) = (least[other], other);
                    }
                }
                for other in 0..=side {
                    if is_used[other] {
                        of_rows[row_of[other]] += delta;
                        of_columns[other] -= delta;
                    } else {
                        least[other] -= delta;
                    }
                }
                column = nearest;
            }
            while column != 0 {
                let before = came_by[column];
                row_of[column] = row_of[before];
                column = before;
            }
        }
        let mut taken = vec![None; self.rows];
        for (column, row) in row_of[1..=self.columns].iter().map(|row| row - 1).enumerate() {
            if row < self.rows && self.allowed(row, column, threshold).is_some() {
                taken[row] = Some(column);
            }
        }
        taken
    }
}

/// Pairs that go together, and those of them that have been chosen.
struct Matching {
    /// Of bits for each row.
    words: usize,
    /// For each row the columns that go with it, a bit each.
    pairs: Vec<u64>,
    row_of: Vec<usize>,
    column_of: Vec<usize>,
    /// How many steps of alternating paths lead to each row from one without a column.
    layers: Vec<usize>,
}

impl Matching {
    /// Finds the layers again. Whether a path ends at a free column.
    fn layer(&mut self) -> bool {
        let mut queue = VecDeque::new();
        for (row, column) in self.column_of.iter().enumerate() {
            self.layers[row] = if *column == NONE { 0 } else { NONE };
            if *column == NONE {
                queue.push_back(row);
            }
        }
        let mut unseen = vec![u64::MAX; self.words];
        let mut finds_free = false;
        while let Some(row) = queue.pop_front() {
            for (word, unseen) in unseen.iter_mut().enumerate() {
                let mut bits = self.pairs[row * self.words + word] & *unseen;
                *unseen &= !bits;
                while bits != 0 {
                    let other = self.row_of[word * 64 + bits.trailing_zeros() as usize];
                    bits &= bits - 1;
                    if other == NONE {
                        finds_free = true;
                    } else if self.layers[other] == NONE {
                        self.layers[other] = self.layers[row] + 1;
                        queue.push_back(other);
                    }
                }
            }
        }
        finds_free
    }

    /// The first column from this one on that goes with a row.
    fn next_column(&self, row: usize, from: usize) -> Option<usize> {
        let mut word = from / 64;
        let mut mask = u64::MAX << (from % 64);
        while word < self.words {
            let bits = self.pairs[row * self.words + word] & mask;
            if bits != 0 {
                return Some(word * 64 + bits.trailing_zeros() as usize);
            }
            (word, mask) = (word + 1, u64::MAX);
        }
        None
    }

    /// Follows the layers from a row to a free column, and changes all pairs on the way. `next` is where each row goes on to look.
    fn augment(&mut self, from: usize, next: &mut [usize]) -> bool {
        let mut way = vec![from];
        while let Some(&row) = way.last() {
            let Some(column) = self.next_column(row, next[row]) else {
                // A dead end for all who come here in this round.
                self.layers[row] = NONE;
                way.pop();
                continue;
            };
            next[row] = column + 1;
            let other = self.row_of[column];
            if other == NONE {
                let mut column = column;
                while let Some(row) = way.pop() {
                    self.row_of[column] = row;
                    column = std::mem::replace(&mut self.column_of[row], column);
                }
                return true;
            }
            if self.layers[other] != NONE && self.layers[other] == self.layers[row] + 1 {
                way.push(other);
            }
        }
        false
    }
}
