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
}

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
        Self { width, height, stride, prices, is_inside, straight, diagonal, tolerance }
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

    /// Returns the cost of a step, if there is such a step.
    pub(crate) fn step(&self, from: (i32, i32), to: (i32, i32)) -> Option<u64> {
        let offset = (to.0 - from.0, to.1 - from.1);
        let price = self.prices[self.place(to)];
        if price == 0 || !STEPS.contains(&offset) {
            return None;
        }
        Some(self.length(self.place(from), offset)? * price)
    }

    /// Returns the cost of a walk, if each of its steps is allowed.
    pub(crate) fn walk(&self, positions: impl Iterator<Item = (i32, i32)> + Clone) -> Option<u64> {
        positions.clone().zip(positions.skip(1)).map(|(from, to)| self.step(from, to)).sum()
    }

    /// Returns the cheapest cost from a start to every slot.
    pub(crate) fn costs_from(&self, start: (i32, i32)) -> Vec<u64> {
        self.spread(&[start], |oracle, here, offset, there| {
            let price = oracle.prices[there];
            if price == 0 { None } else { Some(oracle.length(here, offset)? * price) }
        })
    }

    /// Returns the smallest number of steps from a start to every slot.
    pub(crate) fn steps_from(&self, start: (i32, i32)) -> Vec<u64> {
        self.spread(&[start], |oracle, here, offset, there| {
            if oracle.prices[there] == 0 { None } else { oracle.length(here, offset).map(|_| 1) }
        })
    }

    /// Returns the cheapest cost from every slot to the nearest goal. A step backwards pays for the
    /// cell that it leaves.
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
        let mut ways = 0;
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
                let costs = listed.costs_from(map.position(slot));
                let nearest = goals.map(|goal| costs[map.slot(goal)].unwrap_or(NEVER)).into_iter().min();
                assert_eq!(Some(cost), nearest, "{map:?} {rules:?}");
                ways += usize::from(cost != NEVER);
            }
        }
        assert!(ways > 1_000, "{ways}");
    }
}
