//! A* as a programmer would write it for one game.
//!
//! It has the data layout of the library's engine, but it is one function without policies, pauses
//! or overflow checks. A ratio to its time is the price of the library's generality.

use crate::contestant::{Contestant, Problem, Solution};

/// Offsets in the order of the library: clockwise from north, y up.
const DIRECTIONS: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const NONE: u32 = u32::MAX;
const CLOSED: u64 = 1 << 8;
const START: u64 = 8;

/// An entry of the open list, in a stack of equal f.
#[derive(Clone, Copy)]
struct Entry {
    node: u32,
    g: u32,
    below: u32,
}

pub(crate) struct HandWritten {
    width: usize,
    classes: Vec<u8>,
    /// One bit for each cell, with a border of zeros; `row_words` words a row.
    open: Vec<u64>,
    row_words: usize,
    /// The allowed directions of a cell, for each block of nine cells around it.
    moves: [u8; 512],
    step_costs: [[u32; 2]; 256],
    straight: u32,
    turn: u32,
    /// One word for each cell: g, generation, closed flag and direction of arrival.
    records: Vec<u64>,
    generation: u64,
    tops: Vec<u32>,
    occupied: Vec<u64>,
    entries: Vec<Entry>,
    expanded: u64,
    cost: Option<u32>,
    path: Vec<(i32, i32)>,
}

impl HandWritten {
    pub(crate) fn new(problem: &Problem) -> Self {
        let (width, height) = (problem.width as usize, problem.height as usize);
        let row_words = (width + 2).div_ceil(64) + 1;
        let mut open = vec![0_u64; row_words * (height + 2)];
        for (slot, &class) in problem.classes.iter().enumerate() {
            if problem.multipliers[usize::from(class)] > 0 {
                let (bit, row) = (slot % width + 1, slot / width + 1);
                open[row * row_words + bit / 64] |= 1 << (bit % 64);
            }
        }
        let (straight, diagonal) = (u32::from(problem.straight), u32::from(problem.diagonal));
        let step_costs = std::array::from_fn(|class| {
            let multiplier = u32::from(problem.multipliers[class]);
            [multiplier * straight, multiplier * diagonal]
        });
        let cheapest = u32::from(problem.cheapest());
        let costliest =
            problem.classes.iter().map(|&class| step_costs[usize::from(class)][1]).max().unwrap_or(0);
        let buckets = (2 * costliest as usize + 1).next_power_of_two().max(256);
        Self {
            width,
            classes: problem.classes.clone(),
            open,
            row_words,
            moves: std::array::from_fn(moves_of),
            step_costs,
            straight: straight * cheapest,
            turn: (diagonal - straight) * cheapest,
            records: vec![0; width * height],
            generation: 0,
            tops: vec![NONE; buckets],
            occupied: vec![0; buckets / 64],
            entries: Vec::new(),
            expanded: 0,
            cost: None,
            path: Vec::new(),
        }
    }

    #[inline]
    fn neighbourhood(&self, x: usize, y: usize) -> usize {
        let (word, shift) = (x / 64, x % 64);
        let lowest = y * self.row_words + word;
        let three = |row: usize| {
            let index = lowest + row * self.row_words;
            (self.open[index] >> shift | self.open[index + 1] << 1 << (63 - shift)) as usize & 7
        };
        three(0) | three(1) << 3 | three(2) << 6
    }

    fn search(&mut self, from: usize, to: usize) {
        self.expanded = 0;
        self.cost = None;
        self.path = Vec::new();
        self.tops.fill(NONE);
        self.occupied.fill(0);
        self.entries.clear();
        self.generation += 1;
        if self.generation == 1 << 16 {
            self.records.fill(0);
            self.generation = 1;
        }
        let stamp = self.generation << 16;
        let (goal_x, goal_y) = ((to % self.width) as u32, (to / self.width) as u32);
        let (straight, turn) = (self.straight, self.turn);
        let estimate = |x: u32, y: u32| {
            let (dx, dy) = (x.abs_diff(goal_x), y.abs_diff(goal_y));
            dx.max(dy) * straight + dx.min(dy) * turn
        };
        let goal = goal_y << 16 | goal_x;
        let (start_x, start_y) = ((from % self.width) as u32, (from / self.width) as u32);
        let bucket_mask = self.tops.len() - 1;
        let word_mask = self.occupied.len() - 1;

        let mut lowest = estimate(start_x, start_y);
        let mut free = NONE;
        self.records[from] = stamp | START;
        self.entries.push(Entry { node: start_y << 16 | start_x, g: 0, below: NONE });
        self.tops[lowest as usize & bucket_mask] = 0;
        self.occupied[(lowest as usize & bucket_mask) / 64] |= 1 << (lowest % 64);
        let mut waiting = 1_usize;

        while waiting > 0 {
            let first = lowest as usize & bucket_mask;
            let mut index = first / 64;
            let mut word = self.occupied[index] & (!0 << (first % 64));
            while word == 0 {
                index = (index + 1) & word_mask;
                word = self.occupied[index];
            }
            let bucket = index * 64 + word.trailing_zeros() as usize;
            lowest += (bucket.wrapping_sub(first) & bucket_mask) as u32;
            let place = self.tops[bucket];
            let entry = self.entries[place as usize];
            self.tops[bucket] = entry.below;
            if entry.below == NONE {
                self.occupied[bucket / 64] &= !(1 << (bucket % 64));
            }
            self.entries[place as usize].below = free;
            free = place;
            waiting -= 1;

            let (x, y) = (entry.node & 0xFFFF, entry.node >> 16);
            let slot = y as usize * self.width + x as usize;
            let record = self.records[slot];
            if record & CLOSED != 0 || (record >> 32) as u32 != entry.g {
                continue;
            }
            self.records[slot] = record | CLOSED;
            if entry.node == goal {
                self.cost = Some(entry.g);
                self.walk_back(x as i32, y as i32);
                return;
            }
            self.expanded += 1;
            let mut moves = self.moves[self.neighbourhood(x as usize, y as usize)];
            while moves != 0 {
                let direction = moves.trailing_zeros() as usize;
                moves &= moves - 1;
                let (dx, dy) = DIRECTIONS[direction];
                let (next_x, next_y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
                let next = next_y as usize * self.width + next_x as usize;
                let g = entry.g + self.step_costs[usize::from(self.classes[next])][direction & 1];
                let known = self.records[next];
                let is_known = known & 0xFFFF_0000 == stamp;
                if is_known && (known & CLOSED != 0 || (known >> 32) as u32 <= g) {
                    continue;
                }
                self.records[next] = u64::from(g) << 32 | stamp | direction as u64;
                let bucket = (g + estimate(next_x, next_y)) as usize & bucket_mask;
                let entry = Entry { node: next_y << 16 | next_x, g, below: self.tops[bucket] };
                if free == NONE {
                    self.tops[bucket] = self.entries.len() as u32;
                    self.entries.push(entry);
                } else {
                    self.tops[bucket] = free;
                    free = std::mem::replace(&mut self.entries[free as usize], entry).below;
                }
                self.occupied[bucket / 64] |= 1 << (bucket % 64);
                waiting += 1;
            }
        }
    }

    fn walk_back(&mut self, mut x: i32, mut y: i32) {
        loop {
            self.path.push((x, y));
            let arrival = self.records[y as usize * self.width + x as usize] & 15;
            if arrival == START {
                break;
            }
            let (dx, dy) = DIRECTIONS[arrival as usize];
            (x, y) = (x - dx, y - dy);
        }
        self.path.reverse();
    }
}

/// Returns the directions allowed in a block of nine cells (bit 3 × row + column), if no corner may
/// be clipped.
fn moves_of(block: usize) -> u8 {
    let is_open = |(dx, dy): (i32, i32)| block >> ((dy + 1) * 3 + dx + 1) & 1 == 1;
    let allowed = |&(dx, dy): &(i32, i32)| {
        let is_straight = dx == 0 || dy == 0;
        is_open((dx, dy)) && (is_straight || is_open((dx, 0)) && is_open((0, dy)))
    };
    (0..8)
        .filter(|&direction| allowed(&DIRECTIONS[direction]))
        .fold(0, |moves, direction| moves | 1 << direction)
}

impl Contestant for HandWritten {
    fn name(&self) -> &'static str {
        "hand-written"
    }

    fn solve(&mut self, from: usize, to: usize) {
        self.search(from, to);
    }

    fn solution(&self) -> Solution {
        Solution {
            cost: self.cost.map(u64::from),
            path: self.path.iter().map(|&(x, y)| y as usize * self.width + x as usize).collect(),
            expanded: self.expanded,
        }
    }
}
