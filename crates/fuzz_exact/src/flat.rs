//! A second oracle, fast enough for a million queries.
//!
//! It runs one plain Dijkstra search for each start, on a flat array with a border. It shares no
//! code with the library, and its tests compare it with the test kit's list of edges.

use std::{cmp::Reverse, collections::BinaryHeap};

use testkit::{DiagonalRule, Rules, TileMap};

/// The cost of a missing path.
pub(crate) const NEVER: u64 = u64::MAX;

/// The offsets of all steps, in columns and rows.
const STEPS: [(i32, i32); 8] = [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)];

/// A map for one kind of unit. Slots are the slots of the map. Costs are [`NEVER`] if there is no
/// path.
pub(crate) struct FlatOracle {
    width: i32,
    height: i32,
    /// The number of cells in a row, with its two border cells.
    stride: i32,
    /// The cost of a step of length 1 onto each cell; 0 for obstacles and for the border.
    prices: Vec<u64>,
    /// True for each of `prices` that is a cell of the map.
    is_inside: Vec<bool>,
    straight: u64,
    diagonal: u64,
    /// The most obstacles beside a diagonal step; -1 if there are no diagonal steps.
    tolerance: i32,
    /// The cost of a step of length 1 onto a closed cell, for a unit that leaves closed ground.
    off: u64,
}

/// The most closed cells over which a unit leaves closed ground.
const MOST_CLOSED: u64 = 16;

/// The offsets of all steps in the order of the compass, which decides between equal costs.
const COMPASS: [(i32, i32); 8] = testkit::DIRECTIONS;

impl FlatOracle {
    pub(crate) fn new(map: &TileMap, rules: &Rules) -> Self {
        let (width, height) = (map.width as i32, map.height as i32);
        let stride = width + 2;
        let mut prices = vec![0; (stride * (height + 2)) as usize];
        let mut is_inside = vec![false; prices.len()];
        for y in 0..height {
            for x in 0..width {
                let place = ((y + 1) * stride + x + 1) as usize;
                let class = map.classes[(y * width + x) as usize];
                prices[place] = rules.multipliers[usize::from(class)];
                is_inside[place] = true;
            }
        }
        let tolerance = match rules.diagonals {
            DiagonalRule::Never => -1,
            DiagonalRule::OnlyWhenNoObstacles => 0,
            DiagonalRule::IfAtMostOneObstacle => 1,
            DiagonalRule::Always => 2,
        };
        let (straight, diagonal) = (rules.straight, rules.diagonal);
        let off = rules.multipliers.iter().copied().filter(|&price| price > 0).min().unwrap_or(0);
        Self { width, height, stride, prices, is_inside, straight, diagonal, tolerance, off }
    }

    fn place(&self, (x, y): (i32, i32)) -> usize {
        ((y + 1) * self.stride + x + 1) as usize
    }

    /// Returns the length of a step, if the rule allows it. The end of the step must not be an
    /// obstacle.
    fn length(&self, from: usize, (dx, dy): (i32, i32)) -> Option<u64> {
        if dx == 0 || dy == 0 {
            return Some(self.straight);
        }
        let beside = [from as i32 + dx, from as i32 + dy * self.stride];
        let obstacles = beside.into_iter().filter(|&place| self.prices[place as usize] == 0).count();
        (obstacles as i32 <= self.tolerance).then_some(self.diagonal)
    }

    /// Returns whether a cell is open.
    pub(crate) fn is_open(&self, position: (i32, i32)) -> bool {
        self.prices[self.place(position)] != 0
    }

    /// Returns the cells over which a unit deep in closed ground comes to open ground, with the costs so
    /// far: the fewest closed cells, then the least cost, then the first directions.
    pub(crate) fn way_out(&self, start: (i32, i32)) -> Vec<(u64, (i32, i32))> {
        let leads_off =
            |(dx, dy): (i32, i32)| self.step_onto_open(start, (start.0 + dx, start.1 + dy)).is_some();
        if self.is_open(start) || COMPASS.into_iter().any(leads_off) {
            return Vec::new();
        }
        let mut queue = BinaryHeap::from([Reverse((1, 0, Vec::new(), vec![(0, start)]))]);
        let mut is_done = vec![false; self.prices.len()];
        while let Some(Reverse((closed, cost, turns, way))) = queue.pop() {
            let (_, here) = way[way.len() - 1];
            let place = self.place(here);
            if self.is_open(here) {
                return way;
            }
            if std::mem::replace(&mut is_done[place], true) {
                continue;
            }
            for (number, offset) in COMPASS.into_iter().enumerate() {
                let to = (here.0 + offset.0, here.1 + offset.1);
                let price = match self.prices[self.place(to)] {
                    0 if self.is_inside[self.place(to)] => self.off,
                    price => price,
                };
                let Some(length) = self.length(place, offset).filter(|_| price > 0) else {
                    continue;
                };
                let more = u64::from(!self.is_open(to));
                if closed + more <= MOST_CLOSED {
                    let cost: u64 = cost + length * price;
                    let (turns, way) = ([&turns[..], &[number]].concat(), [&way[..], &[(cost, to)]].concat());
                    queue.push(Reverse((closed + more, cost, turns, way)));
                }
            }
        }
        Vec::new()
    }

    /// Returns the cost of the first step of a unit, if there is such a step.
    pub(crate) fn step(&self, from: (i32, i32), to: (i32, i32)) -> Option<u64> {
        match self.way_out(from).get(1) {
            Some(&(cost, next)) => (next == to).then_some(cost),
            None => self.step_onto_open(from, to),
        }
    }

    /// Returns the cost of a step, if there is such a step.
    fn step_onto_open(&self, from: (i32, i32), to: (i32, i32)) -> Option<u64> {
        let offset = (to.0 - from.0, to.1 - from.1);
        let price = self.prices[self.place(to)];
        if price == 0 || !STEPS.contains(&offset) {
            return None;
        }
        Some(self.length(self.place(from), offset)? * price)
    }

    /// Returns the cost of a walk, if each of its steps is allowed.
    pub(crate) fn walk(&self, positions: impl Iterator<Item = (i32, i32)> + Clone) -> Option<u64> {
        let Some(start) = positions.clone().next() else { return Some(0) };
        let way = self.way_out(start);
        let mut sum = 0;
        for (number, (from, to)) in positions.clone().zip(positions.skip(1)).enumerate() {
            sum += match way.get(number + 1) {
                Some(&(cost, next)) => (next == to).then_some(cost - way[number].0)?,
                None => self.step_onto_open(from, to)?,
            };
        }
        Some(sum)
    }

    /// Returns the cheapest cost from a start to every slot.
    pub(crate) fn costs_from(&self, start: (i32, i32)) -> Vec<u64> {
        let way = self.way_out(start);
        let from = way.last().map_or(start, |&(_, exit)| exit);
        let costs = self.spread(&[from], |oracle, here, offset, there| {
            let price = oracle.prices[there];
            if price == 0 { None } else { Some(oracle.length(here, offset)? * price) }
        });
        self.behind(costs, way)
    }

    /// Returns the smallest number of steps from a start to every slot.
    pub(crate) fn steps_from(&self, start: (i32, i32)) -> Vec<u64> {
        let way: Vec<_> = (0..).zip(self.way_out(start)).map(|(steps, (_, cell))| (steps, cell)).collect();
        let from = way.last().map_or(start, |&(_, exit)| exit);
        let steps = self.spread(&[from], |oracle, here, offset, there| {
            if oracle.prices[there] == 0 { None } else { oracle.length(here, offset).map(|_| 1) }
        });
        self.behind(steps, way)
    }

    /// Returns the costs of a unit that first leaves closed ground over these cells.
    fn behind(&self, mut costs: Vec<u64>, way: Vec<(u64, (i32, i32))>) -> Vec<u64> {
        let Some(&(walked, _)) = way.last() else { return costs };
        costs.iter_mut().filter(|cost| **cost != NEVER).for_each(|cost| *cost += walked);
        for (cost, (x, y)) in way {
            costs[(y * self.width + x) as usize] = cost;
        }
        costs
    }

    /// Returns the cheapest cost from every slot to the nearest goal. A step backwards pays for the
    /// cell that it leaves. Cells deep in closed ground have no cost, as in fields.
    pub(crate) fn costs_to(&self, goals: &[(i32, i32)]) -> Vec<u64> {
        self.spread(goals, |oracle, here, offset, there| {
            let price = oracle.prices[here];
            if price == 0 || !oracle.is_inside[there] {
                return None;
            }
            // A diagonal step has equal cells beside it in both directions.
            Some(oracle.length(here, offset)? * price)
        })
    }

    fn spread(
        &self,
        starts: &[(i32, i32)],
        weight: impl Fn(&Self, usize, (i32, i32), usize) -> Option<u64>,
    ) -> Vec<u64> {
        let mut best = vec![NEVER; self.prices.len()];
        let mut queue = BinaryHeap::new();
        for &start in starts {
            best[self.place(start)] = 0;
            queue.push(Reverse((0, self.place(start))));
        }
        while let Some(Reverse((cost, here))) = queue.pop() {
            if best[here] < cost {
                continue;
            }
            for (dx, dy) in STEPS {
                let there = (here as i32 + dy * self.stride + dx) as usize;
                if let Some(weight) = weight(self, here, (dx, dy), there)
                    && cost + weight < best[there]
                {
                    best[there] = cost + weight;
                    queue.push(Reverse((cost + weight, there)));
                }
            }
        }
        let rows = (0..self.height).map(|y| self.place((0, y)));
        rows.flat_map(|first| &best[first..first + self.width as usize]).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{FlatOracle, NEVER};
    use crate::draw;
    use testkit::{Oracle, Seed};

    #[test]
    fn the_flat_oracle_agrees_with_the_list_of_edges() {
        let mut generator = Seed::named("two oracles").generator();
        let (mut ways, mut ways_out) = (0, 0);
        for _ in 0..400 {
            let map = draw::map(&mut generator);
            if map.classes.len() > 2_000 {
                continue;
            }
            let rules = draw::rules(&mut generator);
            let (flat, listed) = (FlatOracle::new(&map, &rules), Oracle::new(&map, &rules));
            let start = draw::position(&mut generator, &map);
            let goals = [draw::position(&mut generator, &map), draw::position(&mut generator, &map)];
            let both = |flat: Vec<u64>, listed: Vec<Option<u64>>| {
                let listed: Vec<u64> = listed.into_iter().map(|cost| cost.unwrap_or(NEVER)).collect();
                assert_eq!(flat, listed, "{map:?} {rules:?}");
            };
            both(flat.costs_from(start), listed.costs_from(start));
            both(flat.steps_from(start), listed.steps_from(start));
            let back = flat.costs_to(&goals);
            for (slot, &cost) in back.iter().enumerate().step_by(1 + map.classes.len() / 20) {
                let position = map.position(slot);
                let way: Vec<_> = flat.way_out(position).into_iter().map(|(_, cell)| cell).collect();
                assert_eq!(way, listed.way_out(position), "{map:?} {rules:?}");
                if !way.is_empty() {
                    ways_out += 1;
                    continue;
                }
                let costs = listed.costs_from(position);
                let nearest = goals.map(|goal| costs[map.slot(goal)].unwrap_or(NEVER)).into_iter().min();
                assert_eq!(Some(cost), nearest, "{map:?} {rules:?}");
                ways += usize::from(cost != NEVER);
            }
        }
        assert!(ways > 1_000 && ways_out > 100, "{ways} and {ways_out}");
    }
}
