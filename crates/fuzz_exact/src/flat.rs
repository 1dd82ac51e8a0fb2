//! A second oracle, fast enough for a million questions: one plain Dijkstra a start, on a flat array with a border.
//!
//! It shares no code with the core, and is itself checked against the test kit's list of edges.

use std::{cmp::Reverse, collections::BinaryHeap};

use testkit::{DiagonalRule, Rules, TileMap};

/// What no way costs.
pub(crate) const NEVER: u64 = u64::MAX;

/// Columns and rows, with the number of the two cells beside a diagonal left to the rule.
const STEPS: [(i32, i32); 8] = [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)];

/// A map as one kind of unit sees it. Slots are those of the map; [`NEVER`] stands where there is no way.
pub(crate) struct FlatOracle {
    width: i32,
    height: i32,
    /// Cells of a row and its two border cells.
    stride: i32,
    /// What a step of length 1 onto a cell costs, 0 for obstacles and for the border.
    prices: Vec<u64>,
    /// Which of `prices` are cells of the map.
    is_inside: Vec<bool>,
    straight: u64,
    diagonal: u64,
    /// How many obstacles a diagonal step may pass; -1 where there are no diagonal steps.
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

    /// The length of the step between two places of which the second is no obstacle, if the rule allows it.
    fn length(&self, from: usize, (dx, dy): (i32, i32)) -> Option<u64> {
        if dx == 0 || dy == 0 {
            return Some(self.straight);
        }
        let beside = [from as i32 + dx, from as i32 + dy * self.stride];
        let obstacles = beside.into_iter().filter(|&place| self.prices[place as usize] == 0).count();
        (obstacles as i32 <= self.tolerance).then_some(self.diagonal)
    }

    /// What one step costs, if there is such a step.
    pub(crate) fn step(&self, from: (i32, i32), to: (i32, i32)) -> Option<u64> {
        let offset = (to.0 - from.0, to.1 - from.1);
        let price = self.prices[self.place(to)];
        if price == 0 || !STEPS.contains(&offset) {
            return None;
        }
        Some(self.length(self.place(from), offset)? * price)
    }

    /// What a walk costs, if each of its steps is one.
    pub(crate) fn walk(&self, positions: impl Iterator<Item = (i32, i32)> + Clone) -> Option<u64> {
        positions.clone().zip(positions.skip(1)).map(|(from, to)| self.step(from, to)).sum()
    }

    /// The cheapest cost from a start to every slot.
    pub(crate) fn costs_from(&self, start: (i32, i32)) -> Vec<u64> {
        self.spread(&[start], |oracle, here, offset, there| {
            let price = oracle.prices[there];
            if price == 0 { None } else { Some(oracle.length(here, offset)? * price) }
        })
    }

    /// The smallest number of steps from a start to every slot.
    pub(crate) fn steps_from(&self, start: (i32, i32)) -> Vec<u64> {
        self.spread(&[start], |oracle, here, offset, there| {
            if oracle.prices[there] == 0 { None } else { oracle.length(here, offset).map(|_| 1) }
        })
    }

    /// The cheapest cost from every slot to the nearest of some goals. A step backwards pays for the cell it comes from.
    pub(crate) fn costs_to(&self, goals: &[(i32, i32)]) -> Vec<u64> {
        self.spread(goals, |oracle, here, offset, there| {
            let price = oracle.prices[here];
            if price == 0 || !oracle.is_inside[there] {
                return None;
            }
            // The cells beside a diagonal are the same both ways.
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
