//! Assignment of places: most places, earliest last arrival, least sum.

use super::{
    cheapest_rows::CheapestRows,
    slice::{Slice, Stop},
};
use std::collections::VecDeque;

pub(super) const NONE: usize = usize::MAX;

/// The largest cost; higher costs count as this, so that sums of squares fit.
const MOST: u64 = 1 << 28;

/// The number of entries of a table that are read for one unit of work.
pub(super) const READ: u64 = 32;

/// A search that assigns each row at most one column, by a table of costs. It runs in slices.
///
/// The answer is the best assignment by these rules, in their order:
/// 1. The number of rows with a column is greatest.
/// 2. The largest cost is least.
/// 3. The sum of the costs is least.
/// 4. The costs differ least: the sum of their squares is least.
///
/// If the rows are units that march one behind the other, the first unit goes farthest. So no unit
/// must pass units that have arrived. If several assignments are equally good, the choice is always
/// the same.
///
/// # Complexity
/// O(n³). Here n is the larger of `rows` and `columns`.
///
/// # Guarantee
/// Exact for costs below 2^28 and tables of up to 2^14 rows and columns; greater costs count as
/// 2^28.
#[derive(Clone, Debug)]
pub(super) struct Assignment {
    table: Table,
    step: Step,
}

#[derive(Clone, Debug)]
enum Step {
    /// Counts the rows that can get a column.
    Count,
    /// Finds the lowest threshold at which the maximum number of rows get a column. It lies from
    /// `low` to `high`.
    Threshold { most: usize, low: u64, high: u64 },
    /// Finds the cheapest assignment without costs above the threshold.
    Cheapest { threshold: u64, rows: Cheapest },
}

#[derive(Clone, Debug)]
enum Cheapest {
    Narrow(CheapestRows<i64>),
    Wide(CheapestRows<i128>),
}

impl Assignment {
    /// Begins an assignment. The table is stored row by row; `None` is a pair that is not allowed.
    pub(super) fn new(rows: usize, columns: usize, costs: &[Option<u64>]) -> Self {
        debug_assert_eq!(costs.len(), rows * columns, "a table has an entry for each row and column");
        let costs = costs.iter().map(|cost| cost.map(|cost| cost.min(MOST))).collect();
        Self { table: Table { rows, columns, costs }, step: Step::Count }
    }

    /// Returns the column of each row, `None` for a row without a column, when the search is over.
    pub(super) fn run(&mut self, slice: &mut Slice) -> Result<Vec<Option<usize>>, Stop> {
        let table = &self.table;
        loop {
            slice.check()?;
            match &mut self.step {
                Step::Count => {
                    let costs = || table.costs.iter().flatten().copied();
                    let Some((low, high)) = costs().min().zip(costs().max()) else {
                        return Ok(vec![None; table.rows]);
                    };
                    self.step = Step::Threshold { most: table.matching_below(high, slice), low, high };
                }
                Step::Threshold { most, low, high } if *low < *high => {
                    let middle = u64::midpoint(*low, *high);
                    if table.matching_below(middle, slice) == *most {
                        *high = middle;
                    } else {
                        *low = middle + 1;
                    }
                }
                Step::Threshold { low, .. } => {
                    let threshold = *low;
                    slice.spend(table.costs.len() as u64 / READ);
                    self.step = Step::Cheapest { threshold, rows: table.cheapest_below(threshold) };
                }
                Step::Cheapest { threshold, rows } => {
                    let row_of = match rows {
                        Cheapest::Narrow(rows) => rows.run(slice)?,
                        Cheapest::Wide(rows) => rows.run(slice)?,
                    };
                    return Ok(table.taken(*threshold, row_of));
                }
            }
        }
    }
}

#[derive(Clone, Debug)]
struct Table {
    rows: usize,
    columns: usize,
    costs: Vec<Option<u64>>,
}

impl Table {
    fn allowed(&self, row: usize, column: usize, threshold: u64) -> Option<u64> {
        self.costs[row * self.columns + column].filter(|&cost| cost <= threshold)
    }

    /// Returns the number of rows that get a column if no cost exceeds the threshold, by Hopcroft
    /// and Karp.
    fn matching_below(&self, threshold: u64, slice: &mut Slice) -> usize {
        slice.spend(self.costs.len() as u64 / READ);
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
            // A round reads one bit for each entry.
            slice.spend(self.costs.len() as u64 / (8 * READ) + 1);
            let mut next = vec![0; self.rows];
            let free: Vec<usize> = (0..self.rows).filter(|&row| matching.column_of[row] == NONE).collect();
            matched += free.into_iter().filter(|&row| matching.augment(row, &mut next)).count();
        }
        matched
    }

    /// Begins the search for the assignment with the least sum, among those with as many pairs as
    /// possible and no cost above the threshold. A pair that is not allowed costs more than all
    /// allowed pairs together.
    fn cheapest_below(&self, threshold: u64) -> Cheapest {
        let side = self.rows.max(self.columns);
        let scale = Scale::of(self.costs.iter().flatten().copied().filter(|&cost| cost <= threshold), side);
        let forbidden = scale.forbidden();
        let worth = |cost: Option<u64>| cost.map_or(forbidden, |cost| scale.worth(cost));
        // The value of a column changes by less than that for each row.
        if forbidden.saturating_mul(2 * (side as i128 + 1)) < i64::MAX.into() {
            let worths = self.worths(threshold, side, |cost| worth(cost) as i64);
            Cheapest::Narrow(CheapestRows::new(side, worths))
        } else {
            Cheapest::Wide(CheapestRows::new(side, self.worths(threshold, side, worth)))
        }
    }

    /// Converts the row of each column to the column of each row.
    fn taken(&self, threshold: u64, row_of: &[usize]) -> Vec<Option<usize>> {
        let mut taken = vec![None; self.rows];
        for (column, &row) in row_of.iter().take(self.columns).enumerate() {
            if row < self.rows && self.allowed(row, column, threshold).is_some() {
                taken[row] = Some(column);
            }
        }
        taken
    }

    /// Returns the worth of each pair of a square table.
    fn worths<T>(&self, threshold: u64, side: usize, worth: impl Fn(Option<u64>) -> T) -> Vec<T> {
        let cost = |row, column| {
            let is_there = row < self.rows && column < self.columns;
            is_there.then(|| self.allowed(row, column, threshold)).flatten()
        };
        (0..side * side).map(|place| worth(cost(place / side, place % side))).collect()
    }
}

/// The scale of costs for comparisons: their sum first, then the sum of their squares.
///
/// All answers have the same number of pairs, so subtracting the least cost and dividing by a
/// common factor change nothing. Both keep the numbers small.
struct Scale {
    least: u64,
    factor: u64,
    /// The number of bits below a cost, for squares.
    below: u32,
    greatest: u64,
    side: usize,
}

impl Scale {
    fn of(costs: impl Iterator<Item = u64> + Clone, side: usize) -> Self {
        let least = costs.clone().min().unwrap_or(0);
        let factor =
            costs.clone().fold(0, |factor, cost| greatest_common_divisor(factor, cost - least)).max(1);
        let greatest = costs.max().unwrap_or(0);
        let mut scale = Self { least, factor, below: 0, greatest, side };
        let bits = |number: u64| u64::BITS - number.leading_zeros();
        scale.below = 2 * bits(scale.scaled(greatest)) + bits(side as u64);
        scale
    }

    fn scaled(&self, cost: u64) -> u64 {
        (cost - self.least) / self.factor
    }

    fn worth(&self, cost: u64) -> i128 {
        let scaled = i128::from(self.scaled(cost));
        (scaled << self.below) + scaled.pow(2)
    }

    /// Returns more than the worth of all pairs together.
    fn forbidden(&self) -> i128 {
        (self.worth(self.greatest) + 1) * (self.side as i128 + 1)
    }
}

fn greatest_common_divisor(mut one: u64, mut other: u64) -> u64 {
    while other > 0 {
        (one, other) = (other, one % other);
    }
    one
}

/// The allowed pairs, and the pairs chosen so far.
struct Matching {
    /// The number of words of bits for each row.
    words: usize,
    /// For each row its allowed columns, one bit each.
    pairs: Vec<u64>,
    row_of: Vec<usize>,
    column_of: Vec<usize>,
    /// For each row the number of steps of an alternating path to it from a row without a column.
    layers: Vec<usize>,
}

impl Matching {
    /// Computes the layers again; returns whether a path ends at a free column.
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

    /// Returns the first allowed column of a row, from this column on.
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

    /// Follows the layers from a row to a free column, and changes all pairs on that path. `next`
    /// holds the column at which the scan of each row continues.
    fn augment(&mut self, from: usize, next: &mut [usize]) -> bool {
        let mut way = vec![from];
        while let Some(&row) = way.last() {
            let Some(column) = self.next_column(row, next[row]) else {
                // A dead end for all paths that come here in this round.
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;
    use testkit::assignment::{brute_force, worth};

    fn assign(rows: usize, columns: usize, costs: &[Option<u64>]) -> Vec<Option<usize>> {
        let mut assignment = Assignment::new(rows, columns, costs);
        loop {
            if let Ok(taken) = assignment.run(&mut Slice::new(u64::MAX)) {
                return taken;
            }
        }
    }

    #[test]
    fn lowest_maximum_is_chosen_before_least_sum() {
        // The first column is cheaper for both rows. The least sum is 1 + 12, but 8 + 7 has the
        // lower maximum.
        let costs = [Some(1), Some(8), Some(7), Some(12)];
        assert_eq!(assign(2, 2, &costs), [Some(1), Some(0)]);
        assert_eq!(assign(2, 1, &[None, Some(3)]), [None, Some(0)]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn no_assignment_is_better(
            (rows, columns, small) in (1..6_usize, 1..6_usize).prop_flat_map(|(rows, columns)| {
                let cost = prop_oneof![4 => (0..12_u64).prop_map(Some), 1 => Just(None)];
                (Just(rows), Just(columns), prop::collection::vec(cost, rows * columns))
            }),
            // Costs as large as paths have, and as large as costs can be, with a common factor and
            // without.
            (factor, more, most) in prop_oneof![Just((1, 0, 1)), Just((160, 4000, 1)), Just((20_000_003, 0, 28_000_000))],
            uneven in prop::collection::vec(0..u64::MAX, 25),
        ) {
            let costs: Vec<Option<u64>> = (small.iter().zip(uneven))
                .map(|(cost, uneven)| cost.map(|cost| cost * factor + more + uneven % most))
                .collect();
            let taken = assign(rows, columns, &costs);
            let distinct: BTreeSet<usize> = taken.iter().flatten().copied().collect();
            prop_assert_eq!(distinct.len(), taken.iter().flatten().count());
            prop_assert_eq!(worth(columns, &costs, &taken), brute_force(rows, columns, &costs));
        }
    }
}
