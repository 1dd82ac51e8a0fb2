//! Assignments of places to units, beside all that can be tried.

/// The figures of an assignment: the number of pairs, the largest cost, the sum of costs, and the
/// sum of their squares.
pub type Worth = (usize, u64, u64, u64);

/// Returns the figures of the best assignment. Tries all assignments.
#[must_use]
pub fn brute_force(rows: usize, columns: usize, costs: &[Option<u64>]) -> Worth {
    fn go(row: usize, used: u32, so_far: Worth, table: (usize, usize, &[Option<u64>]), best: &mut Worth) {
        let (rows, columns, costs) = table;
        if row == rows {
            let rank = |(count, most, sum, squares): Worth| (usize::MAX - count, most, sum, squares);
            if rank(so_far) < rank(*best) {
                *best = so_far;
            }
            return;
        }
        go(row + 1, used, so_far, table, best);
        for column in (0..columns).filter(|column| used >> column & 1 == 0) {
            if let Some(cost) = costs[row * columns + column] {
                let (count, most, sum, squares) = so_far;
                let next = (count + 1, most.max(cost), sum + cost, squares + cost * cost);
                go(row + 1, used | 1 << column, next, table, best);
            }
        }
    }
    let mut best = (0, 0, 0, 0);
    go(0, 0, (0, 0, 0, 0), (rows, columns, costs), &mut best);
    best
}

/// Returns the figures of an assignment.
///
/// # Panics
/// If a pair has no cost.
#[must_use]
pub fn worth(columns: usize, costs: &[Option<u64>], taken: &[Option<usize>]) -> Worth {
    let pairs: Vec<u64> = taken
        .iter()
        .enumerate()
        .filter_map(|(row, column)| Some(costs[row * columns + (*column)?].expect("the pair has a cost")))
        .collect();
    let squares = pairs.iter().map(|cost| cost * cost).sum();
    (pairs.len(), pairs.iter().copied().max().unwrap_or(0), pairs.iter().sum(), squares)
}
