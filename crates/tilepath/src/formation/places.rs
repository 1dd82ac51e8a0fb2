//! Distinct cells for all units of a formation.

use super::{
    FormationQuery,
    kinds::Kind,
    shape::{Block, Points, Shape},
    vectors,
};
use crate::{
    bounds::Bounds,
    cell::{Cell, Direction},
    crowd::{EFFORT_PER_DIAGONAL_STEP, EFFORT_PER_STRAIGHT_STEP, Steps},
    finder::{PathFinder, outcome::QueryError},
    movement::Movement,
    topology::Topology,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::{cmp::Reverse, collections::BinaryHeap};

/// The maximum distance of points from the goal, in cells. In a line of thousands, the other units
/// stand around the goal.
const FARTHEST: u64 = 256;

/// The number of points that are tried beyond four times the number of units. Then the other units
/// stand around the goal.
const SPARE: usize = 16;

/// Returns the places of each kind, the most important first: as many as the kind has units, or
/// fewer if ground is short.
pub(super) fn places(
    finder: &PathFinder,
    query: &FormationQuery,
    kinds: &[Kind],
    heading: (i32, i32),
) -> Result<Vec<Vec<Cell>>, QueryError> {
    let asked = Asked { finder, query, kinds, heading };
    let mut given = Given::new(&asked)?;
    let shape = query.formation.shape();
    if let Shape::Points(points) = &shape {
        fill_shape(points, &asked, &mut given);
    }
    // The smallest first: larger units are placed last, because they cannot walk in between others.
    let mut order: Vec<usize> = (0..kinds.len()).collect();
    order.sort_by_key(|&kind| kinds[kind].side);
    let Given { mut floods, mut taken, mut places } = given;
    for number in order {
        let Kind { side, units, .. } = &kinds[number];
        floods[number].rewind();
        if let Shape::Gathered(away) = &shape
            && let Some(behind) = behind_smaller(*away, &asked, *side)
            && floods[number].is_near(behind, u64::MAX)
        {
            floods[number] = Flood::new(&asked, &kinds[number], behind, behind)?;
        }
        while places[number].len() < units.len()
            && let Some(cell) = floods[number].next_cell()
        {
            if taken.admits(cell, *side) {
                taken.take(cell, *side);
                places[number].push(cell);
            }
        }
    }
    Ok(places)
}

/// The input of a query for places.
struct Asked<'a> {
    finder: &'a PathFinder,
    query: &'a FormationQuery,
    kinds: &'a [Kind],
    heading: (i32, i32),
}

impl Asked<'_> {
    fn topology(&self) -> Topology {
        self.finder.grid().topology()
    }
}

/// The places given so far, and the flood from which each kind takes more.
struct Given<'map> {
    floods: Vec<Flood<'map>>,
    taken: Taken,
    places: Vec<Vec<Cell>>,
}

impl<'map> Given<'map> {
    fn new(asked: &Asked<'map>) -> Result<Self, QueryError> {
        let mut taken = Taken::default();
        asked.query.taken.iter().for_each(|&cell| taken.take(cell, 1));
        let flood = |kind: &Kind| Flood::new(asked, kind, kind.anchor, asked.query.goal);
        let floods = asked.kinds.iter().map(flood).collect::<Result<_, _>>()?;
        Ok(Self { floods, taken, places: vec![Vec::new(); asked.kinds.len()] })
    }
}

/// Returns the cell around which units of this size gather, behind the smaller units.
fn behind_smaller(away: fn(usize, u8) -> i64, asked: &Asked, side: u8) -> Option<Cell> {
    let smaller = asked.kinds.iter().filter(|kind| kind.side < side);
    let cells: usize = smaller.map(|kind| kind.units.len() * usize::from(kind.side).pow(2)).sum();
    let topology = asked.topology();
    let point = vectors::behind(topology, asked.heading, away(cells, side));
    vectors::anchor_at(topology, asked.query.goal, point, side).filter(|_| cells > 0)
}

/// Fills the points of a shape.
fn fill_shape(points: &Points, asked: &Asked, given: &mut Given) {
    let Asked { query, kinds, heading, .. } = *asked;
    let Given { floods, taken, places } = given;
    let topology = asked.topology();
    let mut sides: Vec<u8> = kinds.iter().map(|kind| kind.side).collect();
    sides.sort_unstable();
    sides.dedup();
    let count_of = |side: u8| -> usize {
        kinds.iter().filter(|kind| kind.side == side).map(|kind| kind.units.len()).sum()
    };
    let all = sides.iter().map(|&side| points.depth(count_of(side), side)).sum();
    let mut behind = 0;
    for side in sides {
        let count = count_of(side);
        let block = Block::new(topology, heading, count, side, behind, all);
        behind += points.depth(count, side);
        let mut left = count;
        let cell_at = |number| vectors::anchor_at(topology, query.goal, (points.point)(&block, number), side);
        // If points are left out, the shape continues, up to twice its size.
        let farthest = |flood: &Flood| {
            (0..count).filter_map(cell_at).map(|cell| 2 * flood.effort_as_the_crow_flies(cell)).max()
        };
        let farthest: Vec<u64> = floods.iter().map(|flood| farthest(flood).unwrap_or(0)).collect();
        let most = if points.goes_on { 4 * count + SPARE } else { count };
        for number in 0..most {
            if left == 0 {
                break;
            }
            let Some(cell) = cell_at(number).filter(|&cell| topology.steps(query.goal, cell) <= FARTHEST)
            else {
                break;
            };
            if !taken.admits(cell, side) {
                continue;
            }
            // The first kind that may stand there takes the point.
            let kind = (0..kinds.len()).find(|&kind| {
                kinds[kind].side == side
                    && places[kind].len() < kinds[kind].units.len()
                    && floods[kind].is_near(cell, farthest[kind])
            });
            if let Some(kind) = kind {
                taken.take(cell, side);
                places[kind].push(cell);
                left -= 1;
            }
        }
    }
}

/// The cells that are taken by units.
#[derive(Default)]
struct Taken(FxHashSet<Cell>);

impl Taken {
    fn admits(&self, anchor: Cell, side: u8) -> bool {
        covered(anchor, side).all(|cell| !self.0.contains(&cell))
    }

    fn take(&mut self, anchor: Cell, side: u8) {
        self.0.extend(covered(anchor, side));
    }
}

fn covered(anchor: Cell, side: u8) -> impl Iterator<Item = Cell> {
    let side = i32::from(side);
    (0..side).flat_map(move |y| (0..side).map(move |x| anchor + (x, y)))
}

/// Cells ordered by the length of the walk from a kind's anchor, without regard to ground costs.
struct Flood<'map> {
    steps: Steps<'map>,
    rules: &'map Movement,
    finder: &'map PathFinder,
    bounds: Bounds,
    topology: Topology,
    anchor: Cell,
    /// The cell that breaks ties: of equally long walks, the cell nearer to it comes first.
    goal: Cell,
    side: u8,
    /// The direction that breaks further ties: cells behind the goal come first.
    heading: (i32, i32),
    queue: BinaryHeap<Reverse<(u64, u64, i64, usize)>>,
    efforts: FxHashMap<usize, u64>,
    /// The cells settled so far, in order.
    settled: Vec<Cell>,
    next: usize,
}

impl<'map> Flood<'map> {
    fn new(asked: &Asked<'map>, kind: &Kind, anchor: Cell, goal: Cell) -> Result<Self, QueryError> {
        let Asked { finder, heading, .. } = *asked;
        let steps = Steps::new(finder, kind.movement)?;
        let rules = finder.movement(kind.movement).ok_or(QueryError::UnknownMovement(kind.movement))?;
        let mut flood = Self {
            steps,
            rules,
            finder,
            bounds: finder.grid().bounds(),
            topology: finder.grid().topology(),
            anchor,
            goal,
            side: kind.side,
            heading,
            queue: BinaryHeap::new(),
            efforts: FxHashMap::default(),
            settled: Vec::new(),
            next: 0,
        };
        if let Some(slot) = flood.bounds.slot(anchor) {
            flood.offer(slot, 0);
        }
        Ok(flood)
    }

    fn offer(&mut self, slot: usize, effort: u64) {
        let Some(cell) = self.bounds.cell(slot) else { return };
        let known = self.efforts.entry(slot).or_insert(u64::MAX);
        if effort < *known {
            *known = effort;
            self.queue.push(Reverse((effort, self.roundness(cell), self.ahead(cell), slot)));
        }
    }

    /// Returns the squared distance from the middle of a unit to the goal, without obstacles, times
    /// four.
    fn roundness(&self, cell: Cell) -> u64 {
        let off = |to: i32, from: i32| 2 * (i64::from(to) - i64::from(from)) + i64::from(self.side) - 1;
        let (x, y) = (off(cell.x, self.goal.x), off(cell.y, self.goal.y));
        let squared = match self.topology {
            Topology::Square => x * x + y * y,
            Topology::Hexagonal => x * x + y * y + x * y,
        };
        squared.unsigned_abs()
    }

    /// Returns how far a cell lies in front of the goal, along the heading.
    fn ahead(&self, cell: Cell) -> i64 {
        let (x, y) = (i64::from(cell.x) - i64::from(self.goal.x), i64::from(cell.y) - i64::from(self.goal.y));
        let (along, across) = (i64::from(self.heading.0), i64::from(self.heading.1));
        match self.topology {
            Topology::Square => x * along + y * across,
            Topology::Hexagonal => 2 * (x * along + y * across) + x * across + y * along,
        }
    }

    /// Settles one more cell; returns false if none is left.
    fn advance(&mut self) -> bool {
        while let Some(Reverse((effort, .., slot))) = self.queue.pop() {
            if self.efforts.get(&slot) != Some(&effort) {
                continue;
            }
            let Some(cell) = self.bounds.cell(slot) else { continue };
            let exits = self.steps.exits(slot);
            for direction in Direction::ALL.into_iter().filter(|&direction| exits.contains(direction)) {
                let next = cell.neighbour(direction).and_then(|next| self.bounds.slot(next));
                if let Some(next) = next {
                    self.offer(next, effort + u64::from(self.steps.effort(direction)));
                }
            }
            self.settled.push(cell);
            return true;
        }
        false
    }

    fn rewind(&mut self) {
        self.next = 0;
    }

    /// Returns the next cell on which a unit may stand.
    fn next_cell(&mut self) -> Option<Cell> {
        loop {
            if self.next == self.settled.len() && !self.advance() {
                return None;
            }
            let cell = self.settled[self.next];
            self.next += 1;
            // A kind may gather around closed ground on which a unit stands. A unit of several
            // cells starts with some of it.
            if self.rules.is_open(self.finder.grid(), cell) {
                return Some(cell);
            }
        }
    }

    /// Returns whether a unit may stand on a cell and the walk to it has no long detour. The walk
    /// may be two straight steps longer than the distance, and its effort may be at most
    /// `farthest`. So it may lead around a pillar, but not around a wall.
    fn is_near(&mut self, cell: Cell, farthest: u64) -> bool {
        let Some(slot) = self.bounds.slot(cell) else { return false };
        if !self.rules.is_open(self.finder.grid(), cell) {
            return false;
        }
        let most =
            (self.effort_as_the_crow_flies(cell) + 2 * u64::from(EFFORT_PER_STRAIGHT_STEP)).min(farthest);
        while self.queue.peek().is_some_and(|Reverse((effort, ..))| {
            *effort <= most && self.efforts.get(&slot).is_none_or(|known| known > effort)
        }) && self.advance()
        {}
        self.efforts.get(&slot).is_some_and(|&effort| effort <= most)
    }

    fn effort_as_the_crow_flies(&self, cell: Cell) -> u64 {
        let straight = u64::from(EFFORT_PER_STRAIGHT_STEP);
        match self.topology {
            Topology::Hexagonal => self.topology.steps(self.anchor, cell) * straight,
            Topology::Square => {
                let (x, y) = (self.anchor.x.abs_diff(cell.x), self.anchor.y.abs_diff(cell.y));
                let (short, long) = (u64::from(x.min(y)), u64::from(x.max(y)));
                short * u64::from(EFFORT_PER_DIAGONAL_STEP) + (long - short) * straight
            }
        }
    }
}
