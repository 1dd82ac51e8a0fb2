//! The plan of the city: blocks, streets, a river with bridges, a boulevard.

use bevy_tilepath::Cell;
use rand::Rng;
use testkit::Seed;

use crate::city::{City, GOALS, Ground, SIDE, cell_of, slot};

/// Half the width of the river, without its quays, in cells.
const RIVER: f32 = 5.0;
/// The width of a quay, in cells.
const QUAY: f32 = 3.0;
/// Half the width of the boulevard, which follows a row, in cells.
const BOULEVARD: i32 = 4;

/// A range of columns or rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Strip {
    from: i32,
    /// The first one after the range.
    to: i32,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Block,
    Narrow,
    Wide,
}

/// A block of the city.
#[derive(Debug, Clone, Copy)]
struct Block {
    x: Strip,
    y: Strip,
}

impl Block {
    fn centre(self) -> Cell {
        Cell::new(i32::midpoint(self.x.from, self.x.to), i32::midpoint(self.y.from, self.y.to))
    }

    fn cells(self) -> impl Iterator<Item = Cell> {
        (self.y.from..self.y.to).flat_map(move |y| (self.x.from..self.x.to).map(move |x| Cell::new(x, y)))
    }

    /// Returns how many cells of the block are between a cell and its edge.
    fn depth(self, cell: Cell) -> i32 {
        let across = (cell.x - self.x.from).min(self.x.to - 1 - cell.x);
        across.min(cell.y - self.y.from).min(self.y.to - 1 - cell.y)
    }
}

impl City {
    /// Returns the city of this number: the same on every machine.
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Seed::named(&format!("city {seed}")).generator();
        let [columns, rows] = [strips(&mut random), strips(&mut random)];
        let blank = vec![Ground::Street; (SIDE * SIDE) as usize];
        let mut plan = Plan {
            houses: 0,
            city: Self { seed, heights: vec![0; blank.len()], cells: blank, goals: vec![] },
        };
        plan.lay_streets(&columns, &rows);
        let blocks: Vec<Block> =
            blocks_of(&rows).flat_map(|y| blocks_of(&columns).map(move |x| Block { x, y })).collect();
        let river = River::new(&mut random);
        let squares = choose_squares(&blocks, &river);
        for (index, &block) in blocks.iter().enumerate() {
            if squares.contains(&index) {
                plan.lay_square(block);
            } else {
                plan.build_block(block, &mut random);
            }
        }
        plan.cut_boulevard();
        plan.dig(&river, &columns);
        plan.city.goals = squares.iter().map(|&index| blocks[index].centre()).collect();
        plan.close_what_is_cut_off();
        plan.city
    }
}

/// Returns streets and blocks in turn, from one edge to the other.
fn strips(random: &mut impl Rng) -> Vec<Strip> {
    let mut strips = vec![Strip { from: 0, to: 3, kind: Kind::Narrow }];
    let mut at = 3;
    for number in 1.. {
        let left = SIDE - 3 - at;
        let block = random.random_range(10..=18);
        if left < block + 16 {
            strips.push(Strip { from: at, to: SIDE - 3, kind: Kind::Block });
            break;
        }
        let (kind, width) = if number % 3 == 2 { (Kind::Wide, 6) } else { (Kind::Narrow, 3) };
        strips.push(Strip { from: at, to: at + block, kind: Kind::Block });
        strips.push(Strip { from: at + block, to: at + block + width, kind });
        at += block + width;
    }
    strips.push(Strip { from: SIDE - 3, to: SIDE, kind: Kind::Narrow });
    strips
}

fn blocks_of(strips: &[Strip]) -> impl Iterator<Item = Strip> + Clone {
    strips.iter().copied().filter(|strip| strip.kind == Kind::Block)
}

/// A river from west to east.
struct River {
    middle: f32,
    phase: f32,
}

impl River {
    fn new(random: &mut impl Rng) -> Self {
        let side = SIDE as f32;
        Self { middle: side * random.random_range(0.38..0.62), phase: random.random_range(0.0..6.0) }
    }

    /// Returns how far a cell is from the middle of the river.
    fn distance(&self, cell: Cell) -> f32 {
        let x = cell.x as f32;
        let bends = 20.0 * (x / 38.0 + self.phase).sin() + 7.0 * (x / 15.0 + 2.0 * self.phase).sin();
        (cell.y as f32 - self.middle - bends).abs()
    }
}

/// Returns the blocks that become squares: the nearest ones to sixteen places, away from the river.
fn choose_squares(blocks: &[Block], river: &River) -> Vec<usize> {
    let mut chosen = Vec::new();
    for number in 0..GOALS as i32 {
        let place = Cell::new((number % 4 * 2 + 1) * SIDE / 8, (number / 4 * 2 + 1) * SIDE / 8);
        let far = |block: &Block| {
            let centre = block.centre();
            let wet = if river.distance(centre) < 24.0 { 10_000 } else { 0 };
            (centre.x - place.x).pow(2) + (centre.y - place.y).pow(2) + wet
        };
        let nearest = (0..blocks.len())
            .filter(|index| !chosen.contains(index))
            .min_by_key(|&index| far(&blocks[index]));
        chosen.extend(nearest);
    }
    chosen
}

/// A city under construction.
struct Plan {
    city: City,
    /// The number of the last house.
    houses: u16,
}

impl Plan {
    fn set(&mut self, cell: Cell, ground: Ground, height: u8) {
        if let Some(slot) = slot(cell) {
            (self.city.cells[slot], self.city.heights[slot]) = (ground, height);
        }
    }

    fn lay_streets(&mut self, columns: &[Strip], rows: &[Strip]) {
        for strip in columns.iter().chain(rows).filter(|strip| strip.kind == Kind::Narrow) {
            let is_column = columns.contains(strip);
            for along in 0..SIDE {
                for across in strip.from..strip.to {
                    let [x, y] = if is_column { [across, along] } else { [along, across] };
                    self.set(Cell::new(x, y), Ground::Lane, 0);
                }
            }
        }
        // Wide streets continue at crossings.
        for (strips, is_column) in [(columns, true), (rows, false)] {
            for strip in strips.iter().filter(|strip| strip.kind == Kind::Wide) {
                for along in 0..SIDE {
                    for across in strip.from..strip.to {
                        let [x, y] = if is_column { [across, along] } else { [along, across] };
                        self.set(Cell::new(x, y), Ground::Street, 0);
                    }
                }
            }
        }
    }

    fn lay_square(&mut self, block: Block) {
        for cell in block.cells() {
            let far = |one: i32, strip: Strip| (one - strip.from).min(strip.to - 1 - one);
            let (dx, dy) = (far(cell.x, block.x), far(cell.y, block.y));
            // There is a tree in each corner.
            let is_tree = dx == 1 && dy == 1;
            let (ground, height) = if is_tree { (Ground::Tree, 1) } else { (Ground::Square, 0) };
            self.set(cell, ground, height);
        }
    }

    fn build_block(&mut self, block: Block, random: &mut impl Rng) {
        match random.random_range(0..100) {
            0..13 => self.plant_park(block, random),
            13..40 => self.build_court(block, random),
            40..75 => self.build_rows(block, random),
            _ => self.build_house(block, random),
        }
    }

    fn plant_park(&mut self, block: Block, random: &mut impl Rng) {
        for cell in block.cells() {
            let is_tree = block.depth(cell) > 0 && random.random_range(0..100) < 14;
            let (ground, height) = if is_tree { (Ground::Tree, 1) } else { (Ground::Grass, 0) };
            self.set(cell, ground, height);
        }
    }

    /// Builds a house around a court, with a passage on two sides.
    fn build_court(&mut self, block: Block, random: &mut impl Rng) {
        let (house, height) = self.next_house(random);
        let centre = block.centre();
        for cell in block.cells() {
            let is_passage = (cell.x - centre.x + 1).abs() <= 1;
            if block.depth(cell) > 3 {
                self.set(cell, Ground::Grass, 0);
            } else if is_passage {
                self.set(cell, Ground::Lane, 0);
            } else {
                self.set(cell, house, height);
            }
        }
    }

    /// Builds rows of houses with lanes between them.
    fn build_rows(&mut self, block: Block, random: &mut impl Rng) {
        let is_across = random.random_bool(0.5);
        let strip = if is_across { block.x } else { block.y };
        let lane = i32::midpoint(strip.from, strip.to);
        let [mut left, mut right] = [self.next_house(random), self.next_house(random)];
        let along = if is_across { block.y } else { block.x };
        let cut = random.random_range(along.from + 3..along.to - 3);
        for other in along.from..along.to {
            if other == cut {
                (left, right) = (self.next_house(random), self.next_house(random));
            }
            for one in strip.from..strip.to {
                let [x, y] = if is_across { [one, other] } else { [other, one] };
                let (ground, height) = match one - lane {
                    -1..=0 => (Ground::Lane, 0),
                    side if side < 0 => left,
                    _ => right,
                };
                self.set(Cell::new(x, y), ground, height);
            }
        }
    }

    /// Builds one house, with or without a garden.
    fn build_house(&mut self, block: Block, random: &mut impl Rng) {
        let garden = i32::from(random.random_bool(0.5));
        let (house, height) = self.next_house(random);
        for cell in block.cells() {
            if block.depth(cell) < garden {
                self.set(cell, Ground::Grass, 0);
            } else {
                self.set(cell, house, height + u8::from(block.depth(cell) > 3));
            }
        }
    }

    fn next_house(&mut self, random: &mut impl Rng) -> (Ground, u8) {
        self.houses += 1;
        (Ground::House(self.houses), random.random_range(1..=3))
    }

    /// Opens a diagonal from one corner to the other, through all houses.
    fn cut_boulevard(&mut self) {
        for slot in 0..self.city.cells.len() {
            let cell = cell_of(slot);
            if (cell.x - cell.y).abs() <= BOULEVARD && self.city.cells[slot] != Ground::Square {
                self.set(cell, Ground::Street, 0);
            }
        }
    }

    /// Lets wide streets and the boulevard cross the river.
    fn dig(&mut self, river: &River, columns: &[Strip]) {
        for slot in 0..self.city.cells.len() {
            let cell = cell_of(slot);
            let is_bridge = (cell.x - cell.y).abs() <= BOULEVARD
                || columns
                    .iter()
                    .any(|strip| strip.kind == Kind::Wide && (strip.from..strip.to).contains(&cell.x));
            let distance = river.distance(cell);
            if distance < RIVER {
                self.set(cell, if is_bridge { Ground::Bridge } else { Ground::Water }, 0);
            } else if distance < RIVER + QUAY {
                self.set(cell, Ground::Quay, 0);
            }
        }
    }

    /// Turns cells that a unit cannot reach from the first square into trees.
    fn close_what_is_cut_off(&mut self) {
        let mut is_reached = vec![false; self.city.cells.len()];
        let mut open = vec![self.city.goals[0]];
        while let Some(cell) = open.pop() {
            for (dx, dy) in [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)] {
                let next = Cell::new(cell.x + dx, cell.y + dy);
                if let Some(slot) = slot(next)
                    && !is_reached[slot]
                    && self.city.cells[slot].is_open()
                {
                    is_reached[slot] = true;
                    open.push(next);
                }
            }
        }
        for (slot, is_reached) in is_reached.into_iter().enumerate() {
            if self.city.cells[slot].is_open() && !is_reached {
                self.set(cell_of(slot), Ground::Tree, 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_city_has_sixteen_squares_and_one_piece_of_open_ground() {
        for seed in 0..40 {
            let city = City::new(seed);
            assert_eq!(city.goals.len(), GOALS);
            for (index, &goal) in city.goals.iter().enumerate() {
                assert_eq!(city.ground(goal), Ground::Square, "goal {index} of city {seed}");
                assert!(!city.goals[..index].contains(&goal));
            }
            let open = city.open_cells().count();
            assert!((25_000..50_000).contains(&open), "{open} open cells in city {seed}");
            let wet = city.cells.iter().filter(|&&ground| ground == Ground::Water).count();
            assert!(wet > 1000, "{wet} cells of water in city {seed}");
        }
        assert_eq!(City::new(7).cells, City::new(7).cells);
        assert_ne!(City::new(7).cells, City::new(8).cells);
    }
}
