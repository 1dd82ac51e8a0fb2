//! A plain Dijkstra search to compare with.
//!
//! It shares only the map with the library: it has its own rules for steps, its own queue, no
//! estimate and no pruning.

use std::{cmp::Reverse, collections::BinaryHeap};
use tilepath::{Cell, Diagonals, Grid, Movement};

/// The result of Dijkstra's search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// The least cost.
    Cost(u32),
    /// There is no path.
    Unreachable,
    /// Every path costs more than a `u32` holds.
    Overflow,
}

/// A map, prepared for many searches.
///
/// # Complexity
/// A search is O(n log n) in the cells that are closer than the goal.
#[derive(Debug)]
pub(crate) struct Oracle {
    // The cost of each cell; 0 is an obstacle. A rim of obstacles replaces tests for the edge of
    // the map.
    multipliers: Vec<u16>,
    width: usize,
    columns: usize,
    steps: [Step; 8],
    // The least cost so far, valid if the stamp is the number of the running search.
    costs: Vec<u32>,
    stamps: Vec<u32>,
    stamp: u32,
    queue: BinaryHeap<Reverse<(u32, u32)>>,
}

/// One of the eight steps.
#[derive(Clone, Copy, Debug)]
struct Step {
    // The offset of the step's end, and the offsets of the two cells beside a diagonal step, all
    // from its index.
    offset: isize,
    sides: [isize; 2],
    price: u16,
    most_obstacles: Option<usize>,
}

impl Oracle {
    /// Prepares a map. Its origin must be 0,0, as in every map from a file.
    pub(crate) fn new(grid: &Grid, movement: &Movement) -> Self {
        let columns = grid.width() as usize;
        let width = columns + 2;
        let rows = grid.height() as usize + 2;
        let mut multipliers = vec![0; width * rows];
        for (slot, &class) in grid.classes().iter().enumerate() {
            multipliers[(slot / columns + 1) * width + slot % columns + 1] =
                movement.costs().multiplier(class);
        }
        let most_obstacles = match movement.diagonals() {
            Diagonals::Never => None,
            Diagonals::OnlyWhenNoObstacles => Some(0),
            Diagonals::IfAtMostOneObstacle => Some(1),
            Diagonals::Always => Some(2),
        };
        let (straight, diagonal) = (movement.steps().straight(), movement.steps().diagonal());
        let row = width as isize;
        let steps = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)].map(
            |(x, y): (isize, isize)| {
                let is_diagonal = x != 0 && y != 0;
                Step {
                    offset: y * row + x,
                    sides: [x, y * row],
                    price: if is_diagonal { diagonal } else { straight },
                    most_obstacles: if is_diagonal { most_obstacles } else { Some(2) },
                }
            },
        );
        let cells = multipliers.len();
        Self {
            multipliers,
            width,
            columns,
            steps,
            costs: vec![0; cells],
            stamps: vec![0; cells],
            stamp: 0,
            queue: BinaryHeap::new(),
        }
    }

    /// Returns the least cost from one open cell to another.
    pub(crate) fn search(&mut self, from: Cell, to: Cell) -> Verdict {
        let (from, to) = (self.index(from), self.index(to));
        self.begin();
        let mut overflow = false;
        self.improve(from, 0);
        while let Some(Reverse((cost, index))) = self.queue.pop() {
            let index = index as usize;
            if cost > self.costs[index] {
                continue;
            }
            if index == to {
                return Verdict::Cost(cost);
            }
            for step in self.steps {
                let Some(next) = self.enter(index, step) else { continue };
                // Two `u16` multiplied always fit.
                let price = u32::from(step.price) * u32::from(self.multipliers[next]);
                match cost.checked_add(price) {
                    Some(cost) => self.improve(next, cost),
                    None => overflow = true,
                }
            }
        }
        if overflow { Verdict::Overflow } else { Verdict::Unreachable }
    }

    fn index(&self, cell: Cell) -> usize {
        debug_assert!((cell.x as usize) < self.columns, "the cell is on the map");
        (cell.y as usize + 1) * self.width + cell.x as usize + 1
    }

    fn begin(&mut self) {
        self.queue.clear();
        if self.stamp == u32::MAX {
            self.stamps.fill(0);
            self.stamp = 0;
        }
        self.stamp += 1;
    }

    fn enter(&self, index: usize, step: Step) -> Option<usize> {
        let at = |offset: isize| index.wrapping_add_signed(offset);
        let next = at(step.offset);
        if self.multipliers[next] == 0 {
            return None;
        }
        let most = step.most_obstacles?;
        let allowed =
            most == 2 || step.sides.iter().filter(|&&side| self.multipliers[at(side)] == 0).count() <= most;
        allowed.then_some(next)
    }

    fn improve(&mut self, index: usize, cost: u32) {
        if self.stamps[index] != self.stamp || cost < self.costs[index] {
            self.stamps[index] = self.stamp;
            self.costs[index] = cost;
            self.queue.push(Reverse((cost, index as u32)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Oracle, Verdict};
    use testkit::{DiagonalRule, Rules, Seed};
    use tilepath::{Cell, CostTable, Diagonals, Grid, Movement, StepCosts, format};

    fn cost(picture: &str, movement: &Movement, from: (i32, i32), to: (i32, i32)) -> Verdict {
        let grid = format::parse_ascii(picture).unwrap();
        Oracle::new(&grid, movement).search(Cell::from(from), Cell::from(to))
    }

    #[test]
    fn rules_differ_at_corners() {
        let one_corner = "..\n#.";
        let two_corners = ".#\n#.";
        for (diagonals, one, two) in [
            (Diagonals::Never, Verdict::Cost(20), Verdict::Unreachable),
            (Diagonals::OnlyWhenNoObstacles, Verdict::Cost(20), Verdict::Unreachable),
            (Diagonals::IfAtMostOneObstacle, Verdict::Cost(14), Verdict::Unreachable),
            (Diagonals::Always, Verdict::Cost(14), Verdict::Cost(14)),
        ] {
            let movement = Movement::new().with_diagonals(diagonals);
            assert_eq!(cost(one_corner, &movement, (0, 1), (1, 0)), one, "{diagonals}");
            assert_eq!(cost(two_corners, &movement, (0, 1), (1, 0)), two, "{diagonals}");
        }
    }

    #[test]
    fn price_is_paid_on_entering() {
        let movement = Movement::new();
        assert_eq!(cost("1.9", &movement, (0, 0), (2, 0)), Verdict::Cost(100));
        assert_eq!(cost("1.9", &movement, (2, 0), (0, 0)), Verdict::Cost(20));
        assert_eq!(cost("1.9", &movement, (1, 0), (1, 0)), Verdict::Cost(0));
    }

    #[test]
    fn searches_do_not_disturb_each_other() {
        let grid = format::parse_ascii(".....\n.###.\n.....").unwrap();
        let mut oracle = Oracle::new(&grid, &Movement::new());
        for _ in 0..3 {
            assert_eq!(oracle.search(Cell::new(0, 1), Cell::new(4, 1)), Verdict::Cost(60));
            assert_eq!(oracle.search(Cell::new(0, 0), Cell::new(4, 0)), Verdict::Cost(40));
        }
        oracle.stamp = u32::MAX;
        assert_eq!(oracle.search(Cell::new(0, 1), Cell::new(4, 1)), Verdict::Cost(60));
    }

    #[test]
    fn costs_are_those_of_the_edge_list() {
        let seed = Seed::named("the command line's oracle");
        let maps = [
            testkit::noise(23, 17, 4, 25, &seed),
            testkit::cluttered(19, 31, 35, &seed),
            testkit::noise(1, 9, 3, 10, &seed),
            testkit::noise(9, 1, 3, 10, &seed),
        ];
        for (map, (diagonals, rule)) in maps
            .iter()
            .flat_map(|map| Diagonals::ALL.into_iter().zip(DiagonalRule::ALL).map(move |rules| (map, rules)))
        {
            let grid = Grid::from_classes(map.width, map.height, map.classes.clone()).unwrap();
            let mut oracle = Oracle::new(&grid, &Movement::new().with_diagonals(diagonals));
            let edges = testkit::Oracle::new(map, &Rules::classic(rule));
            let open: Vec<_> = (0..map.classes.len()).filter(|&slot| map.classes[slot] > 0).collect();
            for (&from, &to) in open.iter().zip(open.iter().rev()).step_by(5) {
                let (start, goal) = (map.position(from), map.position(to));
                let expected = edges.costs_from(start)[to]
                    .map_or(Verdict::Unreachable, |cost| Verdict::Cost(cost as u32));
                let found = oracle.search(Cell::from(start), Cell::from(goal));
                assert_eq!(found, expected, "{}, {diagonals}: {start:?} to {goal:?}", map.name);
            }
        }
    }

    #[test]
    fn cost_beyond_32_bits_is_an_overflow() {
        let steps = StepCosts::new(u16::MAX, u16::MAX).unwrap();
        let movement = Movement::new().with_steps(steps).with_costs(CostTable::identity().with(1, u16::MAX));
        let grid = Grid::new(3, 1, 1).unwrap();
        let mut oracle = Oracle::new(&grid, &movement);
        assert_eq!(oracle.search(Cell::new(0, 0), Cell::new(1, 0)), Verdict::Cost(4_294_836_225));
        assert_eq!(oracle.search(Cell::new(0, 0), Cell::new(2, 0)), Verdict::Overflow);
    }
}
