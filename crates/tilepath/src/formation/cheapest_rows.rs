//! The cheapest row for each column of a square table.

use super::{
    assignment::{NONE, READ},
    slice::{Slice, Stop},
};
use std::ops::{Add, Sub};

/// A number wide enough for the sums of a table.
pub(super) trait Worth: Copy + Ord + Add<Output = Self> + Sub<Output = Self> {
    const GREATEST: Self;
}

impl Worth for i64 {
    const GREATEST: Self = Self::MAX;
}

impl Worth for i128 {
    const GREATEST: Self = Self::MAX;
}

/// A search for the row of each column of a square table, so that the sum is least. It uses shortest
/// augmenting paths, as Jonker and Volgenant, "A shortest augmenting path algorithm for dense and
/// sparse linear assignment problems", Computing 38, 1987.
#[derive(Clone, Debug)]
pub(super) struct CheapestRows<T> {
    side: usize,
    costs: Vec<T>,
    row_of: Vec<usize>,
    column_of: Vec<usize>,
    /// The value of each column: no pair costs less than the values of its column and its row
    /// together.
    worth_of: Vec<T>,
    ways: Vec<Way<T>>,
    /// The rows before this one have a column.
    next: usize,
}

impl<T: Worth> CheapestRows<T> {
    pub(super) fn new(side: usize, costs: Vec<T>) -> Self {
        let mut row_of = vec![NONE; side];
        let mut column_of = vec![NONE; side];
        let mut worth_of = costs[..side].to_vec();
        for row in costs.chunks_exact(side.max(1)) {
            for (worth, &cost) in worth_of.iter_mut().zip(row) {
                *worth = (*worth).min(cost);
            }
        }
        for (number, row) in costs.chunks_exact(side.max(1)).enumerate() {
            let nearest = (0..side).min_by_key(|&column| row[column] - worth_of[column]);
            if let Some(column) = nearest.filter(|&column| row_of[column] == NONE) {
                (row_of[column], column_of[number]) = (number, column);
            }
        }
        let ways = vec![Way { length: T::GREATEST, open: T::GREATEST, from: NONE }; side];
        Self { side, costs, row_of, column_of, worth_of, ways, next: 0 }
    }

    /// Returns the row of each column when the search is over.
    pub(super) fn run(&mut self, slice: &mut Slice) -> Result<&[usize], Stop> {
        while self.next < self.side {
            if self.column_of[self.next] == NONE {
                slice.check()?;
                let examined = self.augment(self.next);
                slice.spend(examined * (self.side as u64 / READ + 1));
            }
            self.next += 1;
        }
        Ok(&self.row_of)
    }

    /// Gives a row a column, and changes the columns of other rows. Returns the number of columns
    /// examined.
    fn augment(&mut self, number: usize) -> u64 {
        let Self { side, costs, row_of, column_of, worth_of, ways, .. } = self;
        let side = *side;
        for ((way, &cost), &worth) in ways.iter_mut().zip(&costs[number * side..]).zip(&*worth_of) {
            *way = Way { length: cost - worth, open: cost - worth, from: number };
        }
        let nearest = (0..side).min_by_key(|&column| ways[column].open);
        let Some(mut column) = nearest else { return 1 };
        let mut examined = 1;
        while row_of[column] != NONE {
            examined += 1;
            let row = row_of[column];
            let costs = &costs[row * side..(row + 1) * side];
            let so_far = ways[column].length - (costs[column] - worth_of[column]);
            ways[column].open = T::GREATEST;
            let (mut least, mut nearest) = (T::GREATEST, column);
            for (other, ((way, &cost), &worth)) in ways.iter_mut().zip(costs).zip(&*worth_of).enumerate() {
                let length = so_far + (cost - worth);
                // Columns that were examined already cannot become nearer.
                if length < way.length {
                    *way = Way { length, open: length, from: row };
                }
                if way.open < least {
                    (least, nearest) = (way.open, other);
                }
            }
            column = nearest;
        }
        let end = ways[column].length;
        for (way, worth) in ways.iter().zip(worth_of) {
            if way.open == T::GREATEST {
                *worth = *worth + way.length - end;
            }
        }
        loop {
            let row = ways[column].from;
            row_of[column] = row;
            column = std::mem::replace(&mut column_of[row], column);
            if row == number {
                return examined;
            }
        }
    }
}

/// The shortest path known to a column.
#[derive(Clone, Copy, Debug)]
struct Way<T> {
    length: T,
    /// The length until the column is examined; then the greatest value.
    open: T,
    /// The row before the column.
    from: usize,
}
