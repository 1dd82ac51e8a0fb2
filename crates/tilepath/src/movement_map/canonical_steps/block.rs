//! Canonical steps of a block, for several cells at once.
//!
//! ```text
//! |<------- WIDEST = 22: costs are read ------->|
//!   |<----- WIDE = 20: steps are found ------>|
//!     |<----- 18: right after round 1 ----->|
//!       |<-- SIDE = 16: right after 2 -->|
//! ```
//!
//! **Lemma 1.** The steps of a cell depend only on the costs of the cell and the eight cells around
//! it, and on whether surcharges are near. So costs are read one cell farther on each side than steps are found.
//!
//! **Lemma 2.** After round r, steps are right for all cells that lie at least r cells inside the
//! outermost cells for which steps were found. A round reads the cells around each cell as they
//! were before it, so it loses one cell on each side. After the last round, the block is left.

use super::ring::{Ring, Rule};
use crate::{
    cell::Direction,
    movement_map::{
        plane::{Ground as _, Plane},
        step_order::ORDER,
        step_prices::PricedNeighbours,
    },
};

/// The number of times that steps into dead ends are left out. Such steps are right up to this many
/// steps before the goal.
pub(crate) const ROUNDS: usize = 2;

/// The side of a block, in cells.
pub(super) const SIDE: usize = 16;
/// The side of a block with the cells around it on which its last round depends (lemma 2).
const WIDE: usize = SIDE + 2 * ROUNDS;
/// The side with the cells around on which the steps of those cells depend (lemma 1).
const WIDEST: usize = WIDE + 2;

/// The costs of steps on a map.
#[derive(Clone, Copy)]
pub(crate) struct Terrain<'map> {
    plane: Plane<'map>,
    width: usize,
    priced: Option<PricedNeighbours<'map>>,
}

impl<'map> Terrain<'map> {
    pub(crate) const fn new(
        plane: Plane<'map>,
        width: usize,
        priced: Option<PricedNeighbours<'map>>,
    ) -> Self {
        Self { plane, width, priced }
    }
}

/// A number for each cell of a block and of the cells around it.
type Around = [[f32; WIDEST]; WIDEST];

/// The costs of entering cells, straight and diagonally; infinite for closed cells.
struct Costs {
    straight: Around,
    diagonal: Around,
    /// Zero for open cells, infinite for closed ones.
    obstacle: Around,
}

impl Costs {
    /// Reads the costs around the block whose first column and row are `origin`.
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

/// Returns the steps worth following for each direction of arrival, in the order of [`ORDER`], and
/// each cell of the block, row by row. The bits of a set have the same order. The block begins at
/// column and row `origin`. Cells off the map have no steps.
pub(super) fn steps_of_block<const RULE: Rule, const REVERSED: bool>(
    origin: [usize; 2],
    terrain: &Terrain<'_>,
) -> [[u8; SIDE * SIDE]; 8] {
    let costs = Costs::around(origin, terrain);
    let mut steps: [RowSteps; WIDE] = [[[0; WIDE]; 8]; WIDE];
    // The rounds need more rows than the rows of the block. A search against the steps has no
    // rounds.
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
    follow_all_near_surcharges(&mut steps, origin, terrain);
    // Searches against the steps cover every cell, so no cell is a dead end.
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

/// Near surcharges, sets all steps but the one back: a step past the cell may cost more than one over
/// it.
///
/// The steps of the other cells stay right. They are left out for better paths past the cell, over
/// cells that touch it, and no step between those has a surcharge.
fn follow_all_near_surcharges(steps: &mut [RowSteps; WIDE], origin: [usize; 2], terrain: &Terrain<'_>) {
    let Some((prices, open)) = terrain.priced else { return };
    for (row, steps) in steps.iter_mut().enumerate() {
        let Some(y) = (origin[1] + row).checked_sub(ROUNDS) else { continue };
        let columns = (origin[0]..).map(|x| x.checked_sub(ROUNDS)).take(WIDE).enumerate();
        for (column, x) in columns {
            let Some(x) = x.filter(|&x| x < terrain.width) else { continue };
            let slot = y * terrain.width + x;
            let Some(&open) = open.get(slot).filter(|_| terrain.plane.is_near_surcharges(slot)) else {
                continue;
            };
            for (place, arrival) in ORDER.into_iter().enumerate() {
                steps[arrival as usize][column] = prices.places(Some(place), open);
            }
        }
    }
}

/// Leaves out the steps into dead ends. The outermost `round` cells stay as they are, because not
/// all their neighbours are known.
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

/// The costs around a row of cells: of the row below, the row itself, and the row above.
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

    /// Finds the sets of a row for one direction of arrival. No branch, so that the compiler
    /// handles several cells at once.
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
