//! Random maps and movements, for the core and for the oracle.

use std::{fmt, ops::RangeInclusive};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use testkit::{DiagonalRule, Land, Oracle, Rules, TileMap};
use tilepath::{Cell, CostTable, Diagonals, Grid, Movement, Path, PathFinder, StepCosts, Topology};

/// A map with its origin, the rules of a movement, and the start and goal of a query.
#[derive(Clone)]
pub(crate) struct World {
    pub(crate) map: TileMap,
    pub(crate) origin: Cell,
    pub(crate) rules: Rules,
    pub(crate) start: (i32, i32),
    pub(crate) goal: (i32, i32),
}

/// Prints a picture that can be pasted into a test, and not a thousand lines of numbers.
impl fmt::Debug for World {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { map, origin, rules, start, goal } = self;
        writeln!(formatter, "{} × {} cells from {origin}, {start:?} to {goal:?}", map.width, map.height)?;
        writeln!(formatter, "{:?}, steps {}/{}", rules.diagonals, rules.straight, rules.diagonal)?;
        writeln!(formatter, "classes 0 to 9 cost {:?}", &rules.multipliers[..10])?;
        for row in map.classes.chunks(map.width as usize).rev() {
            for class in row {
                write!(formatter, "{class}")?;
            }
            writeln!(formatter)?;
        }
        Ok(())
    }
}

impl World {
    pub(crate) fn new(map: TileMap, rules: Rules) -> Self {
        Self { map, origin: Cell::new(0, 0), rules, start: (0, 0), goal: (0, 0) }
    }

    pub(crate) fn cell(&self, (x, y): (i32, i32)) -> Cell {
        Cell::new(self.origin.x + x, self.origin.y + y)
    }

    pub(crate) fn position(&self, cell: Cell) -> (i32, i32) {
        (cell.x - self.origin.x, cell.y - self.origin.y)
    }

    pub(crate) fn start(&self) -> Cell {
        self.cell(self.start)
    }

    pub(crate) fn goal(&self) -> Cell {
        self.cell(self.goal)
    }

    pub(crate) fn positions(&self) -> impl Iterator<Item = (i32, i32)> + '_ {
        (0..self.map.classes.len()).map(|slot| self.map.position(slot))
    }

    pub(crate) fn grid(&self) -> Grid {
        Grid::from_classes(self.map.width, self.map.height, self.map.classes.clone())
            .unwrap()
            .with_origin(self.origin)
            .unwrap()
    }

    pub(crate) fn movement(&self) -> Movement {
        movement(&self.rules)
    }

    pub(crate) fn finder(&self) -> PathFinder {
        PathFinder::new(self.grid(), self.movement())
    }

    pub(crate) fn oracle(&self) -> Oracle {
        Oracle::new(&self.map, &self.rules)
    }

    /// Checks each property of a path that does not depend on the search.
    pub(crate) fn check_path(&self, path: &Path) {
        path.verify(&self.grid(), &self.movement()).unwrap();
        let cells = path.cells();
        assert_eq!(path.start(), cells[0]);
        assert_eq!(path.goal(), cells[cells.len() - 1]);
        assert_eq!(path.steps(), cells.len() - 1);
        assert_eq!(path.straight_steps() + path.diagonal_steps(), path.steps());
        let walked: Vec<_> = cells.iter().map(|&cell| self.position(cell)).collect();
        let (oracle, cost) = (self.oracle(), u64::from(path.cost().get()));
        assert_eq!(oracle.walk_cost(&walked), Some(cost), "{path:?}");
        let cheapest = oracle.cost(walked[0], walked[walked.len() - 1]).unwrap();
        let bound = u64::from(path.lower_bound().get());
        assert!(bound <= cheapest && cheapest <= cost, "{bound} <= {cheapest} <= {cost}");
        assert_eq!(path.is_optimal(), bound == cost);
    }
}

/// Converts rules to a movement of the core.
pub(crate) fn movement(rules: &Rules) -> Movement {
    let mut costs = CostTable::impassable();
    for class in 0..=u8::MAX {
        costs = costs.with(class, rules.multipliers[usize::from(class)] as u16);
    }
    let steps = StepCosts::new(rules.straight as u16, rules.diagonal as u16).unwrap();
    Movement::new().with_costs(costs).with_diagonals(diagonals(rules.diagonals)).with_steps(steps)
}

pub(crate) fn diagonals(rule: DiagonalRule) -> Diagonals {
    match rule {
        DiagonalRule::Never => Diagonals::Never,
        DiagonalRule::OnlyWhenNoObstacles => Diagonals::OnlyWhenNoObstacles,
        DiagonalRule::IfAtMostOneObstacle => Diagonals::IfAtMostOneObstacle,
        DiagonalRule::Always => Diagonals::Always,
    }
}

/// Returns the number of test cases, times the environment variable `TILEPATH_FUZZ` if it is set.
/// Use it for a long run.
pub(crate) fn cases(usual: u32) -> ProptestConfig {
    let factor = std::env::var("TILEPATH_FUZZ").ok().and_then(|factor| factor.parse().ok()).unwrap_or(1);
    ProptestConfig::with_cases(usual.saturating_mul(factor))
}

/// The range of the costs of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Prices {
    /// No sum comes near the largest cost.
    Low,
    /// Multipliers and step costs up to the largest possible ones.
    Any,
}

pub(crate) fn size(longest: i32) -> BoxedStrategy<(i32, i32)> {
    let sides = || 1..=longest;
    prop_oneof![
        6 => (sides(), sides()),
        1 => (sides(), Just(1)),
        1 => (Just(1), sides()),
        2 => (1..=4.min(longest), 1..=4.min(longest)),
    ]
    .boxed()
}

/// Returns classes 0 to 9. The numbers shrink towards open ground of class 1.
pub(crate) fn classes(count: usize) -> impl Strategy<Value = Vec<u8>> {
    let walls = select(vec![0_u32, 5, 20, 35, 50, 100]);
    let levels = select(vec![1_u16, 2, 9]);
    (vec(any::<u16>(), count), walls, levels).prop_map(|(numbers, walls, levels)| {
        let open_share = 65_536 * (100 - walls) / 100;
        let class = |number: u16| {
            if u32::from(number) < open_share { 1 + (number % levels) as u8 } else { 0 }
        };
        numbers.into_iter().map(class).collect()
    })
}

fn multipliers(prices: Prices) -> impl Strategy<Value = [u64; 256]> {
    let single = match prices {
        Prices::Low => prop_oneof![1 => Just(0_u64), 6 => 1..=20_u64, 1 => 21..=1_000_u64].boxed(),
        Prices::Any => {
            prop_oneof![1 => Just(0_u64), 3 => 1..=20_u64, 1 => 1_000..=65_535_u64, 1 => Just(65_535)].boxed()
        }
    };
    prop_oneof![
        2 => Just(std::array::from_fn(|class| class as u64)),
        1 => Just(std::array::from_fn(|class| u64::from(class != 0))),
        2 => vec(single, 10).prop_map(|table| std::array::from_fn(|class| table.get(class).copied().unwrap_or(0))),
    ]
}

fn steps(prices: Prices) -> impl Strategy<Value = (u64, u64)> {
    let mut choices = vec![(10, 14), (70, 99), (1, 1), (1, 2), (3, 4), (5, 10), (7, 7)];
    if prices == Prices::Any {
        choices.extend([(65_535, 65_535), (32_768, 65_535), (60_000, 60_001)]);
    }
    select(choices)
}

pub(crate) fn rules(prices: Prices) -> impl Strategy<Value = Rules> {
    (select(DiagonalRule::ALL.to_vec()), steps(prices), multipliers(prices)).prop_map(
        |(diagonals, (straight, diagonal), multipliers)| Rules { diagonals, straight, diagonal, multipliers },
    )
}

pub(crate) fn origin() -> impl Strategy<Value = Cell> {
    prop_oneof![
        2 => Just(Cell::new(0, 0)),
        2 => (-60..=60, -60..=60).prop_map(Cell::from),
        1 => Just(Cell::new(i32::MIN, i32::MAX - 200)),
    ]
}

/// Returns a world whose sides are at most `longest`. Start and goal may be walls, or the same
/// cell.
pub(crate) fn world(longest: i32, prices: Prices) -> impl Strategy<Value = World> {
    world_of(size(longest), prices)
}

fn world_of(size: impl Strategy<Value = (i32, i32)>, prices: Prices) -> impl Strategy<Value = World> {
    size.prop_flat_map(move |(width, height)| {
        let position = || (0..width, 0..height);
        (classes((width * height) as usize), origin(), rules(prices), position(), position()).prop_map(
            move |(classes, origin, rules, start, goal)| {
                let map = TileMap::new("random", width as u32, height as u32, classes);
                World { map, origin, rules, start, goal }
            },
        )
    })
}

/// Returns a world on which all ground costs the same.
pub(crate) fn uniform_world(longest: i32) -> impl Strategy<Value = World> {
    (world(longest, Prices::Low), 1..=3_u64).prop_map(flattened)
}

/// Returns a uniform world of more than two machine words of cells in one direction. Code that
/// handles 64 cells at once has its seams there.
pub(crate) fn long_uniform_world() -> impl Strategy<Value = World> {
    let size = prop_oneof![(120..=200, 1..=9), (1..=9, 120..=200), (60..=70, 60..=70)];
    (world_of(size, Prices::Low), 1..=3_u64).prop_map(flattened)
}

fn flattened((mut world, multiplier): (World, u64)) -> World {
    world.rules.multipliers = std::array::from_fn(|class| if class == 0 { 0 } else { multiplier });
    world
}

/// Returns edits as positions (wrapped onto the map) and classes.
pub(crate) fn edits(count: RangeInclusive<usize>) -> impl Strategy<Value = Vec<((i32, i32), u8)>> {
    vec(((0..40, 0..40), prop_oneof![Just(0_u8), 0..=9_u8]), count)
}

/// A map of hexagons in both forms.
pub(crate) struct HexagonWorld {
    pub(crate) land: Land,
    pub(crate) finder: PathFinder,
}

impl HexagonWorld {
    pub(crate) fn new(map: TileMap) -> Self {
        let grid = Grid::from_classes(map.width, map.height, map.classes.clone()).unwrap();
        let mut land = Land::from(map);
        land.is_hexagonal = true;
        Self { land, finder: PathFinder::new(grid.with_topology(Topology::Hexagonal), Movement::new()) }
    }

    pub(crate) fn set(&mut self, (x, y): (i32, i32), class: u8) {
        let slot = self.land.map.slot((x, y));
        self.land.map.classes[slot] = class;
        self.finder.set_terrain(Cell::new(x, y), class).unwrap();
    }
}
