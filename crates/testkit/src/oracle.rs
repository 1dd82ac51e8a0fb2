//! Shortest paths by brute force, from the rules in words.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::TileMap;

/// When a diagonal step is allowed, by the two cells that touch both its ends along an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiagonalRule {
    /// No diagonal steps.
    Never,
    /// Both cells must be passable.
    OnlyWhenNoObstacles,
    /// One of them may be an obstacle.
    IfAtMostOneObstacle,
    /// Always, even between two walls.
    Always,
}

impl DiagonalRule {
    /// All four rules.
    pub const ALL: [Self; 4] =
        [Self::Never, Self::OnlyWhenNoObstacles, Self::IfAtMostOneObstacle, Self::Always];

    fn obstacles_allowed(self) -> Option<usize> {
        match self {
            Self::Never => None,
            Self::OnlyWhenNoObstacles => Some(0),
            Self::IfAtMostOneObstacle => Some(1),
            Self::Always => Some(2),
        }
    }
}

/// How something moves: a step costs its length times the multiplier of the class it enters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The rule for diagonal steps.
    pub diagonals: DiagonalRule,
    /// Length of a step along an edge.
    pub straight: u64,
    /// Length of a step across a corner.
    pub diagonal: u64,
    /// By class; 0 is an obstacle.
    pub multipliers: [u64; 256],
}

impl Rules {
    /// Steps of 10 and 14, class n costs n.
    #[must_use]
    pub fn classic(diagonals: DiagonalRule) -> Self {
        Self { diagonals, straight: 10, diagonal: 14, multipliers: std::array::from_fn(|class| class as u64) }
    }
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    to: usize,
    cost: u64,
}

/// The map as an explicit list of edges, and plain searches on it.
///
/// An obstacle has edges that leave it but none that enter it: exactly what is meant by "a blocked start may be
/// left, never re-entered". Sums are `u64`, nothing can overflow.
#[derive(Clone, Debug)]
pub struct Oracle {
    map: TileMap,
    rules: Rules,
    /// Sorted by the cell they leave.
    edges: Vec<Edge>,
    /// `edges[first[a]..first[a + 1]]` leave cell `a`.
    first: Vec<usize>,
}

impl Oracle {
    /// Writes down every edge of the map.
    #[must_use]
    pub fn new(map: &TileMap, rules: &Rules) -> Self {
        let obstacle = |position: (i32, i32)| match map.class(position) {
            None => true,
            Some(class) => rules.multipliers[class as usize] == 0,
        };
        let mut edges = Vec::new();
        let mut first = vec![0];
        for from in 0..map.classes.len() {
            let (x, y) = map.position(from);
            for to_y in y - 1..=y + 1 {
                for to_x in x - 1..=x + 1 {
                    if (to_x, to_y) == (x, y) || obstacle((to_x, to_y)) {
                        continue;
                    }
                    let length = if to_x == x || to_y == y {
                        rules.straight
                    } else {
                        let corners = [(x, to_y), (to_x, y)];
                        let found = corners.into_iter().filter(|&corner| obstacle(corner)).count();
                        match rules.diagonals.obstacles_allowed() {
                            Some(allowed) if found <= allowed => rules.diagonal,
                            _ => continue,
                        }
                    };
                    let to = map.slot((to_x, to_y));
                    let multiplier = rules.multipliers[map.classes[to] as usize];
                    edges.push(Edge { to, cost: length * multiplier });
                }
            }
            first.push(edges.len());
        }
        Self { map: map.clone(), rules: rules.clone(), edges, first }
    }

    /// The cheapest cost from a start to every slot, `None` where it cannot go. The start itself costs 0.
    ///
    /// # Panics
    /// If the start is off the map.
    #[must_use]
    pub fn costs_from(&self, start: (i32, i32)) -> Vec<Option<u64>> {
        self.dijkstra(self.map.slot(start), |edge| edge.cost)
    }

    /// The smallest number of steps from a start to every slot, whatever they cost.
    ///
    /// # Panics
    /// If the start is off the map.
    #[must_use]
    pub fn steps_from(&self, start: (i32, i32)) -> Vec<Option<u64>> {
        self.dijkstra(self.map.slot(start), |_| 1)
    }

    /// The cheapest cost between two positions, `None` if there is no way.
    ///
    /// # Panics
    /// If one of them is off the map.
    #[must_use]
    pub fn cost(&self, start: (i32, i32), goal: (i32, i32)) -> Option<u64> {
        self.costs_from(start)[self.map.slot(goal)]
    }

    /// What one step costs, `None` if there is no such edge.
    #[must_use]
    pub fn step_cost(&self, from: (i32, i32), to: (i32, i32)) -> Option<u64> {
        if !self.map.contains(from) || !self.map.contains(to) {
            return None;
        }
        let (from, to) = (self.map.slot(from), self.map.slot(to));
        self.leaving(from).iter().find(|edge| edge.to == to).map(|edge| edge.cost)
    }

    /// What a walk along these positions costs, `None` if one of its steps is not an edge.
    #[must_use]
    pub fn walk_cost(&self, positions: &[(i32, i32)]) -> Option<u64> {
        positions.windows(2).map(|step| self.step_cost(step[0], step[1])).sum()
    }

    /// How far every slot is from `goal` for this movement on a map without walls where every cell costs 1.
    ///
    /// # Panics
    /// If the goal is off the map.
    #[must_use]
    pub fn distances_to(&self, goal: (i32, i32)) -> Vec<u64> {
        let empty = crate::open(self.map.width, self.map.height);
        let mut rules = self.rules.clone();
        rules.multipliers = [1; 256];
        // All edges of an empty map are the same in both directions.
        let costs = Oracle::new(&empty, &rules).costs_from(goal);
        costs.into_iter().map(|cost| cost.expect("an empty map is connected")).collect()
    }

    /// The slot a request for the closest reachable cell ends at, and its cost.
    ///
    /// The smallest distance to the goal, then the smallest cost, then the smallest slot. The start counts as
    /// reachable, even when it is an obstacle.
    ///
    /// # Panics
    /// If the start or the goal is off the map.
    #[must_use]
    pub fn closest(&self, start: (i32, i32), goal: (i32, i32)) -> (usize, u64) {
        let costs = self.costs_from(start);
        let distances = self.distances_to(goal);
        (0..costs.len())
            .filter_map(|slot| costs[slot].map(|cost| (distances[slot], cost, slot)))
            .min()
            .map(|(_, cost, slot)| (slot, cost))
            .expect("the start is reachable")
    }

    fn leaving(&self, from: usize) -> &[Edge] {
        &self.edges[self.first[from]..self.first[from + 1]]
    }

    fn dijkstra(&self, start: usize, weight: impl Fn(&Edge) -> u64) -> Vec<Option<u64>> {
        let mut best = vec![None; self.map.classes.len()];
        let mut queue = BinaryHeap::from([Reverse((0, start))]);
        best[start] = Some(0);
        while let Some(Reverse((cost, slot))) = queue.pop() {
            if best[slot] != Some(cost) {
                continue;
            }
            for edge in self.leaving(slot) {
                let candidate = cost + weight(edge);
                if best[edge.to].is_none_or(|known| candidate < known) {
                    best[edge.to] = Some(candidate);
                    queue.push(Reverse((candidate, edge.to)));
                }
            }
        }
        best
    }
}

#[cfg(test)]
mod tests;
