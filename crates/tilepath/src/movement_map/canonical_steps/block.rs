//! The steps worth following from all cells of a block, found several cells at once.
//!
//! ```text
//! |<------- WIDEST = 22: costs are read ------->|
//!   |<----- WIDE = 20: steps are found ------>|
//!     |<----- 18: right after round 1 ----->|
//!       |<-- SIDE = 16: right after 2 -->|
//! ```
//!
//! **Lemma 1.** The steps of a cell depend on the costs of the cell and the eight around it alone, so costs are read one cell
//! farther on each side than steps are found.
//!
//! **Lemma 2.** After round r the steps are right of all cells that lie r or more cells inside the outermost ones for which
//! steps were found. A round looks at the cells around each cell as they were before it, so it loses one cell on each side.
//! After the last one what is left is the block.

use super::{
    ORDER,
    ring::{Ring, Rule},
};
use crate::{cell::Direction, movement_map::plane::Plane};

/// How often steps are left out that lead to where no step leads on. Such steps are right up to this many steps before the goal.
pub(crate) const ROUNDS: usize = 2;

/// Cells of a block in each direction.
pub(super) const SIDE: usize = 16;
/// The side of a block with the cells around it that its last round depends on (lemma 2).
const WIDE: usize = SIDE + 2 * ROUNDS;
/// With the cells around those that their steps depend on (lemma 1).
const WIDEST: usize = WIDE + 2;

/// What steps cost.
#[derive(Clone, Copy)]
pub(crate) struct Terrain<'map> {
    pub(crate) plane: Plane<'map>,
    pub(crate) width: usize,
}

/// A number for each cell of a block and those around.
type Around = [[f32; WIDEST]; WIDEST];

/// Costs of entering cells, straight and diagonally; infinite for closed ones.
struct Costs {
    straight: Around,
    diagonal: Around,
    /// Zero for open cells, infinite for closed ones.
    obstacle: Around,
}

impl Costs {
    /// Of the block whose first column and row these are.
    fn around(origin: [usize; 2], terrain: &Terrain<'_>) -> Self {
        let closed = [[f32::INFINITY; WIDEST]; WIDEST];
        let mut costs = Self { straight: closed, diagonal: closed, obstacle: closed };
        let [left, bottom] = origin.map(|first| first as i64 - 1 - ROUNDS as i64);
        let columns = (-left).max(0) as usize..(terrain.width as i64 - left).clamp(0, WIDEST as i64) as usize;
        let first = (left + columns.start as i64) as usize;
        for row in 0..WIDEST {
            let Ok(y) = usize::try_from(bottom + row as i64) else { continue };
            let begin = y * terrain.width;
            let Some(entered) = terrain.plane.row(begin + first..begin + terrain.width) else { break };
            for (column, [straight, diagonal]) in columns.clone().zip(entered) {
                if straight > 0 {
                    costs.straight[row][column] = straight as f32;
                    costs.diagonal[row][column] = diagonal as f32;
                    costs.obstacle[row][column] = 0.0;
                }
            }
        }
        costs
    }
}

/// For each direction of arrival, in compass order, the sets of a row of cells.
type RowSteps = [[u8; WIDE]; 8];

/// For each direction of arrival, in the order of [`ORDER`], and each cell of the block that begins at a column and row, row by
/// row: the steps worth following, bits in the same order. Cells off the map have none.
pub(super) fn steps_of_block<const RULE: Rule, const REVERSED: bool>(
    origin: [usize; 2],
    terrain: &Terrain<'_>,
) -> [[u8; SIDE * SIDE]; 8] {
    let costs = Costs::around(origin, terrain);
    let mut steps: [RowSteps; WIDE] = [[[0; WIDE]; 8]; WIDE];
    // The rounds, of which a search against the steps has none, need to know more rows than those of the block.
    let outermost = if REVERSED { ROUNDS } else { 0 };
    for (row, steps) in steps.iter_mut().enumerate().take(WIDE - outermost).skip(outermost) {
        let lines = Lines::of(&costs, row);
        let [north, north_east, east, south_east, south, south_west, west, north_west] = steps;
        lines.steps_after::<RULE, REVERSED, 0>(north);
        lines.steps_after::<RULE, REVERSED, 1>(north_east);
        lines.steps_after::<RULE, REVERSED, 2>(east);
        lines.steps_after::<RULE, REVERSED, 3>(south_east);
        lines.steps_after::<RULE, REVERSED, 4>(south);
        lines.steps_after::<RULE, REVERSED, 5>(south_west);
        lines.steps_after::<RULE, REVERSED, 6>(west);
        lines.steps_after::<RULE, REVERSED, 7>(north_west);
    }
    // Against the steps searches go for every cell, and none is a dead end.
    for round in 1..=if REVERSED { 0 } else { ROUNDS } {
        drop_dead_ends(&mut steps, round);
    }
    ORDER.map(|arrival| {
        let mut sets = [0; SIDE * SIDE];
        for (sets, steps) in sets.chunks_exact_mut(SIDE).zip(&steps[ROUNDS..]) {
            sets.copy_from_slice(&steps[arrival as usize][ROUNDS..][..SIDE]);
        }
        sets
    })
}

/// Leaves out the steps to cells from which none leads on, but not in the outermost cells of this many rounds, of which not all
/// neighbours are known.
fn drop_dead_ends(steps: &mut [RowSteps; WIDE], round: usize) {
    // For each cell, a bit for each direction of arrival: whether a step leads on.
    let mut leads_on = [[0_u8; WIDE]; WIDE];
    for (leads_on, steps) in leads_on.iter_mut().zip(&*steps) {
        for (place, direction) in ORDER.into_iter().enumerate() {
            for (leads_on, &steps) in leads_on.iter_mut().zip(&steps[direction as usize]) {
                *leads_on |= u8::from(steps != 0) << place;
            }
        }
    }
    let inner = WIDE - 2 * round;
    for row in round..WIDE - round {
        let mut kept = [0_u8; WIDE];
        for (place, direction) in ORDER.into_iter().enumerate() {
            let (dx, dy) = direction.offset();
            let entered =
                &leads_on[row.wrapping_add_signed(dy as isize)][round.wrapping_add_signed(dx as isize)..];
            for (kept, &leads_on) in kept[round..][..inner].iter_mut().zip(entered) {
                *kept |= leads_on & 1 << place;
            }
        }
        for steps in &mut steps[row] {
            for (steps, &kept) in steps[round..][..inner].iter_mut().zip(&kept[round..]) {
                *steps &= kept;
            }
        }
    }
}

/// The costs around a row of cells: of the row below, of the row itself, of the row above.
struct Lines<'costs> {
    straight: [&'costs [f32; WIDEST]; 3],
    diagonal: [&'costs [f32; WIDEST]; 3],
    obstacle: [&'costs [f32; WIDEST]; 3],
}

impl<'costs> Lines<'costs> {
    fn of(costs: &'costs Costs, row: usize) -> Self {
        let lines = |costs: &'costs Around| std::array::from_fn(|line| &costs[row + line]);
        Self {
            straight: lines(&costs.straight),
            diagonal: lines(&costs.diagonal),
            obstacle: lines(&costs.obstacle),
        }
    }

    /// The sets of a row for one direction of arrival. Without a branch, so that the compiler takes several cells at once.
    fn steps_after<const RULE: Rule, const REVERSED: bool, const ARRIVAL: usize>(
        &self,
        steps: &mut [u8; WIDE],
    ) {
        let mut wide = [0_u32; WIDE];
        for (column, wide) in wide.iter_mut().enumerate() {
            let around = |lines: &[&[f32; WIDEST]; 3]| {
                std::array::from_fn(|place| {
                    let (dx, dy) = Direction::ALL.get(place).map_or((0, 0), |direction| direction.offset());
                    lines[(1 + dy) as usize][column + (1 + dx) as usize]
                })
            };
            let ring: Ring<RULE, REVERSED> = Ring {
                straight: around(&self.straight),
                diagonal: around(&self.diagonal),
                obstacle: around(&self.obstacle),
            };
            *wide = ring.steps_after(ARRIVAL);
        }
        for (steps, wide) in steps.iter_mut().zip(wide) {
            *steps = wide as u8;
        }
    }
}
