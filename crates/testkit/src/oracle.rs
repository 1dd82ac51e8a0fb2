//! Shortest paths by brute force, from the rules in words.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::{Land, TileMap, steps::Steps};

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

    pub(crate) fn obstacles_allowed(self) -> Option<usize> {
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

/// Rules, the cells that a unit covers, and which overlays count for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The rules of its steps.
    pub rules: Rules,
    /// The side of its footprint in cells; 1 on hexagons.
    pub size: i32,
    /// The names of the overlays whose values are added to multipliers, each once.
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

/// All steps of a unit.
#[derive(Clone, Debug)]
struct Edges {
    /// Sorted by the cell they leave.
    edges: Vec<Edge>,
    /// `edges[first[a]..first[a + 1]]` leave cell `a`.
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

    /// The same edges the other way round, at the same costs.
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
/// An obstacle has edges that leave it but none that enter it: exactly what is meant by "a blocked start may be
/// left, never re-entered". A unit of more than one cell may have closed cells under it where it sets out: it then has a list of
/// edges of its own. Sums are `u64`, nothing can overflow.
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
    /// From every anchor to open ones.
    edges: Edges,
}

impl Oracle {
    /// Writes down every edge of a map that has nothing but classes, for a unit of one cell.
    #[must_use]
    pub fn new(map: &TileMap, rules: &Rules) -> Self {
        Self::of(&Land::from(map.clone()), &Unit::from(rules.clone()))
    }

    /// Writes down every edge.
    #[must_use]
    pub fn of(land: &Land, unit: &Unit) -> Self {
        let edges = Edges::list(Steps { land, unit, start: None });
        Self { land: land.clone(), unit: unit.clone(), edges }
    }

    fn steps(&self, start: Option<(i32, i32)>) -> Steps<'_> {
        Steps { land: &self.land, unit: &self.unit, start }
    }

    /// Whether a unit that stands there covers cells of the rectangle only.
    #[must_use]
    pub fn fits(&self, anchor: (i32, i32)) -> bool {
        self.steps(None).fits(anchor)
    }

    /// Whether a unit may come to stand there.
    #[must_use]
    pub fn is_open(&self, anchor: (i32, i32)) -> bool {
        self.steps(None).is_open(anchor)
    }

    /// Whether a unit may stand there only because it set out from a start on closed ground.
    #[must_use]
    pub fn is_borrowed(&self, start: (i32, i32), anchor: (i32, i32)) -> bool {
        self.steps(Some(start)).is_borrowed(anchor)
    }

    /// The edges of a unit that sets out from a start.
    fn edges_from(&self, start: (i32, i32)) -> Cow<'_, Edges> {
        if self.unit.size == 1 || self.is_open(start) {
            // It borrows nothing that it could enter.
            Cow::Borrowed(&self.edges)
        } else {
            Cow::Owned(Edges::list(self.steps(Some(start))))
        }
    }

    /// The cheapest cost from a start to every slot, `None` where it cannot go. The start itself costs 0.
    ///
    /// # Panics
    /// If the start is off the map.
    #[must_use]
    pub fn costs_from(&self, start: (i32, i32)) -> Vec<Option<u64>> {
        self.edges_from(start).dijkstra(&[self.land.map.slot(start)], |edge| edge.cost)
    }

    /// The smallest number of steps from a start to every slot, whatever they cost.
    ///
    /// # Panics
    /// If the start is off the map.
    #[must_use]
    pub fn steps_from(&self, start: (i32, i32)) -> Vec<Option<u64>> {
        self.edges_from(start).dijkstra(&[self.land.map.slot(start)], |_| 1)
    }

    /// The cheapest cost from every slot to the nearest of some goals, for units that set out on open ground, and for units of
    /// one cell on any. A goal costs nothing, even a closed one.
    ///
    /// # Panics
    /// If a goal is off the map.
    #[must_use]
    pub fn costs_to(&self, goals: &[(i32, i32)]) -> Vec<Option<u64>> {
        let goals: Vec<usize> = goals.iter().map(|&goal| self.land.map.slot(goal)).collect();
        self.edges.reversed().dijkstra(&goals, |edge| edge.cost)
    }

    /// The cheapest cost between two positions, `None` if there is no way.
    ///
    /// # Panics
    /// If one of them is off the map.
    #[must_use]
    pub fn cost(&self, start: (i32, i32), goal: (i32, i32)) -> Option<u64> {
        self.costs_from(start)[self.land.map.slot(goal)]
    }

    /// What the first step of a unit costs, `None` if there is no such edge.
    #[must_use]
    pub fn step_cost(&self, from: (i32, i32), to: (i32, i32)) -> Option<u64> {
        self.steps(Some(from)).cost(from, to)
    }

    /// What a walk along these positions costs, `None` if one of its steps is not an edge.
    #[must_use]
    pub fn walk_cost(&self, positions: &[(i32, i32)]) -> Option<u64> {
        let steps = self.steps(positions.first().copied());
        positions.windows(2).map(|step| steps.cost(step[0], step[1])).sum()
    }

    /// How far every slot is from `goal` for this movement on a map without walls where every cell costs 1.
    ///
    /// # Panics
    /// If the goal is off the map.
    #[must_use]
    pub fn distances_to(&self, goal: (i32, i32)) -> Vec<u64> {
        let mut empty = Land::from(crate::open(self.land.map.width, self.land.map.height));
        empty.is_hexagonal = self.land.is_hexagonal;
        let mut rules = self.unit.rules.clone();
        rules.multipliers = [1; 256];
        // All edges of an empty map are the same in both directions.
        let costs = Oracle::of(&empty, &Unit::from(rules)).costs_from(goal);
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
}

#[cfg(test)]
mod tests;
