//! Cheapest paths by brute force, from the rules in words.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::{Land, TileMap, steps::Steps};

mod way_out;

/// The rule for diagonal steps, by the two cells that share an edge with both ends of the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiagonalRule {
    /// No diagonal steps.
    Never,
    /// Both cells must be passable.
    OnlyWhenNoObstacles,
    /// At most one of the cells may be an obstacle.
    IfAtMostOneObstacle,
    /// Always, even between two walls.
    Always,
}

impl DiagonalRule {
    /// All four rules.
    pub const ALL: [Self; 4] =
        [Self::Never, Self::OnlyWhenNoObstacles, Self::IfAtMostOneObstacle, Self::Always];

    pub(crate) fn obstacles_allowed(self) -> Option<usize> {
        match self {
            Self::Never => None,
            Self::OnlyWhenNoObstacles => Some(0),
            Self::IfAtMostOneObstacle => Some(1),
            Self::Always => Some(2),
        }
    }
}

/// The costs of a movement: a step costs its length times the multiplier of the class that it
/// enters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The rule for diagonal steps.
    pub diagonals: DiagonalRule,
    /// The length of a straight step.
    pub straight: u64,
    /// The length of a diagonal step.
    pub diagonal: u64,
    /// The multiplier of each class; 0 is an obstacle.
    pub multipliers: [u64; 256],
}

impl Rules {
    /// Returns rules with steps of 10 and 14; class n costs n.
    #[must_use]
    pub fn classic(diagonals: DiagonalRule) -> Self {
        Self { diagonals, straight: 10, diagonal: 14, multipliers: std::array::from_fn(|class| class as u64) }
    }
}

/// A unit: its rules, its size, and the overlays that count for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The rules for steps.
    pub rules: Rules,
    /// The side of its footprint in cells; 1 on hexagons.
    pub size: i32,
    /// The names of the overlays whose values are added to the multipliers, without repetitions.
    pub overlays: Vec<String>,
}

impl From<Rules> for Unit {
    fn from(rules: Rules) -> Self {
        Self { rules, size: 1, overlays: Vec::new() }
    }
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    to: usize,
    cost: u64,
}

/// The steps of a unit as edges.
#[derive(Clone, Debug)]
struct Edges {
    /// The edges, sorted by the cell that they leave.
    edges: Vec<Edge>,
    /// The first edge of each cell: `edges[first[a]..first[a + 1]]` leave cell `a`.
    first: Vec<usize>,
}

impl Edges {
    fn list(steps: Steps<'_>) -> Self {
        let map = &steps.land.map;
        let mut edges = Vec::new();
        let mut first = vec![0];
        for from in 0..map.classes.len() {
            let (x, y) = map.position(from);
            for to in (y - 1..=y + 1).flat_map(|to_y| (x - 1..=x + 1).map(move |to_x| (to_x, to_y))) {
                if let Some(cost) = steps.cost((x, y), to) {
                    edges.push(Edge { to: map.slot(to), cost });
                }
            }
            first.push(edges.len());
        }
        Self { edges, first }
    }

    fn leaving(&self, from: usize) -> &[Edge] {
        &self.edges[self.first[from]..self.first[from + 1]]
    }

    /// Returns the edges in the opposite direction, with unchanged costs.
    fn reversed(&self) -> Self {
        let mut back = vec![Vec::new(); self.first.len() - 1];
        for from in 0..back.len() {
            for edge in self.leaving(from) {
                back[edge.to].push(Edge { to: from, cost: edge.cost });
            }
        }
        let mut first = vec![0];
        first.extend(back.iter().scan(0, |count, edges| {
            *count += edges.len();
            Some(*count)
        }));
        Self { edges: back.concat(), first }
    }

    fn dijkstra(&self, starts: &[usize], weight: impl Fn(&Edge) -> u64) -> Vec<Option<u64>> {
        let mut best = vec![None; self.first.len() - 1];
        let mut queue = BinaryHeap::new();
        for &start in starts {
            best[start] = Some(0);
            queue.push(Reverse((0, start)));
        }
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

/// The map as an explicit list of edges, and plain searches on it.
///
/// An obstacle has edges that leave it, but no edges that enter it. This is the rule "a blocked
/// start may be left, never re-entered". A large unit can have closed cells under its start; it
/// then gets its own list of edges. Sums are `u64` and cannot overflow.
///
/// ```
/// use testkit::{DiagonalRule, Land, Oracle, Rules, Unit, open};
///
/// let mut land = Land::from(open(4, 4));
/// land.set_terrain((2, 2), 0);
/// let tank = Unit { size: 2, ..Unit::from(Rules::classic(DiagonalRule::OnlyWhenNoObstacles)) };
/// let oracle = Oracle::of(&land, &tank);
/// assert_eq!(oracle.cost((0, 2), (2, 0)), Some(40), "around the wall");
/// assert_eq!(oracle.cost((0, 0), (1, 1)), None, "the wall lies under the goal");
/// ```
#[derive(Clone, Debug)]
pub struct Oracle {
    land: Land,
    unit: Unit,
    /// The edges from every anchor to open anchors.
    edges: Edges,
}

impl Oracle {
    /// Lists every edge of a map that has only classes, for a unit of one cell.
    #[must_use]
    pub fn new(map: &TileMap, rules: &Rules) -> Self {
        Self::of(&Land::from(map.clone()), &Unit::from(rules.clone()))
    }

    /// Lists every edge of a map for a unit.
    #[must_use]
    pub fn of(land: &Land, unit: &Unit) -> Self {
        let edges = Edges::list(Steps { land, unit, start: None, chain: &[], digs: false });
        Self { land: land.clone(), unit: unit.clone(), edges }
    }

    fn steps<'a>(&'a self, start: Option<(i32, i32)>, chain: &'a [(i32, i32)]) -> Steps<'a> {
        Steps { land: &self.land, unit: &self.unit, start, chain, digs: false }
    }

    /// Returns whether a unit at an anchor covers only cells of the rectangle.
    #[must_use]
    pub fn fits(&self, anchor: (i32, i32)) -> bool {
        self.steps(None, &[]).fits(anchor)
    }

    /// Returns whether a unit can enter an anchor.
    #[must_use]
    pub fn is_open(&self, anchor: (i32, i32)) -> bool {
        self.steps(None, &[]).is_open(anchor)
    }

    /// Returns whether a unit can stand at an anchor only because its start is on closed ground.
    #[must_use]
    pub fn is_borrowed(&self, start: (i32, i32), anchor: (i32, i32)) -> bool {
        self.steps(Some(start), &[]).is_borrowed(anchor)
    }

    /// Returns the edges of a unit with a start.
    fn edges_from(&self, start: (i32, i32)) -> Cow<'_, Edges> {
        let chain = self.way_out(start);
        if self.is_open(start) || self.unit.size == 1 && chain.is_empty() {
            // The start opens no anchors.
            Cow::Borrowed(&self.edges)
        } else {
            Cow::Owned(Edges::list(self.steps(Some(start), &chain)))
        }
    }

    /// Returns the cheapest cost from a start to every slot, or `None` for unreachable slots. The
    /// start costs 0.
    ///
    /// # Panics
    /// If the start is off the map.
    #[must_use]
    pub fn costs_from(&self, start: (i32, i32)) -> Vec<Option<u64>> {
        self.edges_from(start).dijkstra(&[self.land.map.slot(start)], |edge| edge.cost)
    }

    /// Returns the smallest number of steps from a start to every slot, whatever the steps cost.
    ///
    /// # Panics
    /// If the start is off the map.
    #[must_use]
    pub fn steps_from(&self, start: (i32, i32)) -> Vec<Option<u64>> {
        self.edges_from(start).dijkstra(&[self.land.map.slot(start)], |_| 1)
    }

    /// Returns the cheapest cost from every slot to the nearest goal. The cost holds for units on
    /// open ground, and for units of one cell on all ground. A goal costs 0, even if it is closed.
    ///
    /// # Panics
    /// If a goal is off the map.
    #[must_use]
    pub fn costs_to(&self, goals: &[(i32, i32)]) -> Vec<Option<u64>> {
        let goals: Vec<usize> = goals.iter().map(|&goal| self.land.map.slot(goal)).collect();
        self.edges.reversed().dijkstra(&goals, |edge| edge.cost)
    }

    /// Returns the cheapest cost between two positions, or `None` if there is no path.
    ///
    /// # Panics
    /// If one of them is off the map.
    #[must_use]
    pub fn cost(&self, start: (i32, i32), goal: (i32, i32)) -> Option<u64> {
        self.costs_from(start)[self.land.map.slot(goal)]
    }

    /// Returns the same as [`cost`](Self::cost) for a unit that takes the closest cell if it reaches no
    /// open goal.
    ///
    /// # Panics
    /// If one of them is off the map.
    #[must_use]
    pub fn cost_or_closest(&self, start: (i32, i32), goal: (i32, i32)) -> Option<u64> {
        let is_end = || self.land.map.position(self.closest(start, goal).0) == goal;
        self.cost(start, goal).filter(|_| self.is_open(goal) || is_end())
    }

    /// Returns the cost of the first step of a unit, or `None` if there is no such edge.
    #[must_use]
    pub fn step_cost(&self, from: (i32, i32), to: (i32, i32)) -> Option<u64> {
        self.step_cost_since(from, from, to)
    }

    /// Returns the cost of a step of a unit that began at `start`, or `None` if there is no such edge.
    #[must_use]
    pub fn step_cost_since(&self, start: (i32, i32), from: (i32, i32), to: (i32, i32)) -> Option<u64> {
        self.steps(Some(start), &self.way_out(start)).cost(from, to)
    }

    /// Returns the cost of a walk along these positions, or `None` if one of its steps is not an
    /// edge.
    #[must_use]
    pub fn walk_cost(&self, positions: &[(i32, i32)]) -> Option<u64> {
        let chain = positions.first().map(|&start| self.way_out(start)).unwrap_or_default();
        let steps = self.steps(positions.first().copied(), &chain);
        positions.windows(2).map(|step| steps.cost(step[0], step[1])).sum()
    }

    /// Returns the distance from every slot to `goal` on a map without walls, where every cell
    /// costs 1.
    ///
    /// # Panics
    /// If the goal is off the map.
    #[must_use]
    pub fn distances_to(&self, goal: (i32, i32)) -> Vec<u64> {
        let mut empty = Land::from(crate::open(self.land.map.width, self.land.map.height));
        empty.is_hexagonal = self.land.is_hexagonal;
        let mut rules = self.unit.rules.clone();
        rules.multipliers = [1; 256];
        // On an empty map all edges are equal in both directions.
        let costs = Oracle::of(&empty, &Unit::from(rules)).costs_from(goal);
        costs.into_iter().map(|cost| cost.expect("an empty map is connected")).collect()
    }

    /// Returns the end of a query for the closest reachable cell: its slot and its cost.
    ///
    /// The smallest distance to the goal decides, then the smallest cost, then the smallest slot.
    /// Closed cells do not count. If no open cell can be reached, the end is the start.
    ///
    /// # Panics
    /// If the start or the goal is off the map.
    #[must_use]
    pub fn closest(&self, start: (i32, i32), goal: (i32, i32)) -> (usize, u64) {
        let costs = self.costs_from(start);
        let distances = self.distances_to(goal);
        (0..costs.len())
            .filter(|&slot| self.is_open(self.land.map.position(slot)))
            .filter_map(|slot| costs[slot].map(|cost| (distances[slot], cost, slot)))
            .min()
            .map_or((self.land.map.slot(start), 0), |(_, cost, slot)| (slot, cost))
    }
}

#[cfg(test)]
mod tests;
