//! Shapes of paths: one of the equally cheap paths, drawn by a hash.

use crate::{
    cell::{Cell, Direction},
    finder::snapshot::MapSnapshot,
    movement_map::{
        plane::{Ground as _, Plane},
        step_order::PLACE,
    },
};

/// The cells on each side of the found path among which a shape is drawn.
const REACH: usize = 8;
const WIDTH: usize = 2 * REACH + 1;
/// The most steps of a part. It limits the memory.
const MAX_PART_STEPS: usize = 128;
/// No path of the part leads over the place.
const NONE: u32 = u32::MAX;

/// Replaces the parts of a path that have steps in two directions by parts of equal cost. All parts
/// of this cost near the path can be drawn, and a hash of the two ends of the path decides.
pub(super) fn draw(map: &MapSnapshot, cells: &mut [Cell]) {
    let [Some(&start), Some(&goal)] = [cells.first(), cells.last()] else { return };
    let seed = [start.x, start.y, goal.x, goal.y].into_iter().fold(0, mixed);
    let (plane, mut costs) = (map.plane(), Vec::new());
    let mut from = 0;
    while let Some(part) = Part::beginning(&cells[from..]) {
        let end = from + part.steps();
        Shapes { map, plane, part: &part, costs: &mut costs }.draw(seed, &mut cells[from..=end]);
        from = end;
    }
}

/// Returns the next number of a sequence that looks random.
fn mixed(seed: u64, number: i32) -> u64 {
    let mixed = (seed ^ u64::from(number as u32)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ (mixed >> 27)
}

/// The beginning of a path, with steps in one or two directions.
struct Part {
    start: Cell,
    directions: [Direction; 2],
    /// For each cell: the number of steps in the first direction before it.
    firsts: Vec<usize>,
}

impl Part {
    /// Returns the longest part with which these cells begin, or `None` if they have no step.
    fn beginning(cells: &[Cell]) -> Option<Self> {
        let direction_at = |step: usize| Direction::between(*cells.get(step)?, *cells.get(step + 1)?);
        let first = direction_at(0)?;
        let (mut second, mut firsts) = (first, vec![0]);
        for step in 0..MAX_PART_STEPS {
            let Some(direction) = direction_at(step) else { break };
            if direction != first && direction != second {
                if second != first {
                    break;
                }
                second = direction;
            }
            firsts.push(firsts[step] + usize::from(direction == first));
        }
        Some(Self { start: cells[0], directions: [first, second], firsts })
    }

    fn steps(&self) -> usize {
        self.firsts.len() - 1
    }

    /// Returns the number of first steps before a place: a column of the table after some steps.
    fn first_steps(&self, steps: usize, column: usize) -> Option<usize> {
        let firsts = (self.firsts[steps] + column).checked_sub(REACH)?;
        let most = self.firsts[self.steps()];
        let seconds = steps.checked_sub(firsts)?;
        (firsts <= most && seconds <= self.steps() - most).then_some(firsts)
    }

    /// Returns the column that a step in one of the two directions leads to.
    fn column_after(&self, steps: usize, column: usize, is_first: bool) -> Option<usize> {
        let moved = self.firsts[steps + 1] - self.firsts[steps];
        (column + usize::from(is_first)).checked_sub(moved).filter(|&column| column < WIDTH)
    }

    /// Returns the cell after some steps, or `None` outside the range of coordinates.
    fn cell(&self, steps: usize, firsts: usize) -> Option<Cell> {
        let [first, second] = self.directions.map(Direction::offset);
        let (firsts, seconds) = (firsts as i64, (steps - firsts) as i64);
        let moved = |at: i32, first: i32, second: i32| {
            i32::try_from(i64::from(at) + firsts * i64::from(first) + seconds * i64::from(second)).ok()
        };
        Some(Cell::new(moved(self.start.x, first.0, second.0)?, moved(self.start.y, first.1, second.1)?))
    }
}

/// The paths from the beginning to the end of a part that have the same steps in another sequence.
struct Shapes<'a> {
    map: &'a MapSnapshot,
    plane: Plane<'a>,
    part: &'a Part,
    /// The least cost to the end of the part, [`WIDTH`] columns for each cell; or [`NONE`].
    costs: &'a mut Vec<u32>,
}

impl Shapes<'_> {
    fn draw(&mut self, seed: u64, cells: &mut [Cell]) {
        let steps = self.part.steps();
        let found: u64 = self.map.steps_along(cells).map(|cost| u64::from(cost.get())).sum();
        if self.part.directions[0] == self.part.directions[1] || !self.find_costs() {
            return;
        }
        // A path that is not the cheapest one keeps its shape: its cost must not change.
        let mut column = REACH;
        if u64::from(self.costs[column]) != found {
            return;
        }
        for step in 0..steps {
            let left = self.costs[step * WIDTH + column];
            let [first, second] = [true, false].map(|is_first| {
                self.step(step, column, is_first).filter(|&(_, cost)| cost == left).map(|(column, _)| column)
            });
            let draws_first = mixed(mixed(seed, cells[step].x), cells[step].y) & 1 == 0;
            let next = if draws_first { first.or(second) } else { second.or(first) };
            // One of them has this cost.
            let Some(next) = next else { return };
            column = next;
            let firsts = self.part.first_steps(step + 1, column);
            if let Some(cell) = firsts.and_then(|firsts| self.part.cell(step + 1, firsts)) {
                cells[step + 1] = cell;
            }
        }
    }

    /// Fills the table of costs. Returns false if a cost is too large.
    fn find_costs(&mut self) -> bool {
        let steps = self.part.steps();
        self.costs.clear();
        self.costs.resize((steps + 1) * WIDTH, NONE);
        self.costs[steps * WIDTH + REACH] = 0;
        for step in (0..steps).rev() {
            for column in 0..WIDTH {
                let ways = [true, false].map(|is_first| self.step(step, column, is_first));
                if let Some(cost) = ways.into_iter().flatten().map(|(_, cost)| cost).min() {
                    self.costs[step * WIDTH + column] = cost;
                }
            }
        }
        self.costs[REACH] != NONE
    }

    /// Returns the column after a step, and the cost of the step and of the rest of the part.
    fn step(&self, steps: usize, column: usize, is_first: bool) -> Option<(usize, u32)> {
        let next = self.part.column_after(steps, column, is_first)?;
        let rest = self.costs[(steps + 1) * WIDTH + next];
        if rest == NONE {
            return None;
        }
        let firsts = self.part.first_steps(steps, column)?;
        let direction = self.part.directions[usize::from(!is_first)];
        let bounds = &self.map.bounds;
        let from = bounds.slot(self.part.cell(steps, firsts)?)?;
        let to = bounds.slot(self.part.cell(steps + 1, firsts + usize::from(is_first))?)?;
        let is_allowed = self.map.movement_map.moves_at(from) >> direction as u8 & 1 == 1;
        let cost = self.plane.step_cost(self.plane.surcharges(from), to, PLACE[direction as usize].into());
        is_allowed.then(|| rest.checked_add(cost)).flatten().map(|sum| (next, sum))
    }
}
