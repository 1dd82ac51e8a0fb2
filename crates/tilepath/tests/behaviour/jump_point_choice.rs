//! The automatic choice between jump points and A*, in counted work.

use proptest::{collection::vec, prelude::*};
use testkit::{Seed, TileMap};
use tilepath::{
    Algorithm, Bounds, Cell, CostTable, Diagonals, Grid, Movement, PathFinder, PathQuery, SearchStatus, Size,
    Topology,
};

use crate::worlds::cases;

fn seed() -> Seed {
    Seed::named("choice")
}

/// A finder and queries between cells that reach each other.
struct Problem {
    name: String,
    finder: PathFinder,
    queries: Vec<PathQuery>,
}

impl Problem {
    fn new(map: TileMap, diagonals: Diagonals) -> Self {
        let name = format!("{}, {diagonals}", map.name);
        let pairs = map.queries(200, &seed());
        let grid = Grid::from_classes(map.width, map.height, map.classes).unwrap();
        let costs = CostTable::impassable().with(1, 1);
        let finder = PathFinder::new(grid, Movement::new().with_costs(costs).with_diagonals(diagonals));
        let ask = |(from, to)| PathQuery::new(Cell::from(from), Cell::from(to));
        let queries = pairs.into_iter().map(ask).filter(|query| finder.is_reachable(query).unwrap());
        let queries = queries.take(24).collect();
        Self { name, finder, queries }
    }

    /// Returns the counted work of all queries, without preprocessing.
    fn work(&self, algorithm: Algorithm) -> u64 {
        let run = |query: &PathQuery| {
            let mut search = self.finder.begin(&query.with_algorithm(algorithm)).unwrap();
            while search.advance(1_000_000) == SearchStatus::Running {}
            search.work()
        };
        run(&self.queries[0]);
        self.queries.iter().map(run).sum()
    }

    fn chosen(&self) -> Algorithm {
        self.finder.algorithm_for(&self.queries[0]).unwrap()
    }
}

const SIDE: u32 = 128;

fn groups() -> Vec<(&'static str, Vec<TileMap>)> {
    let cluttered = |percents: &[u32]| -> Vec<TileMap> {
        percents.iter().map(|&percent| testkit::cluttered(SIDE, SIDE, percent, &seed())).collect()
    };
    vec![
        ("open", vec![testkit::open(SIDE, SIDE)]),
        ("cluttered", cluttered(&[10, 25, 40])),
        ("rooms", [8, 32].map(|side| testkit::rooms(SIDE, SIDE, side, &seed())).into()),
        ("mazes", [1, 8, 32].map(|corridor| testkit::maze(SIDE, SIDE, corridor, &seed())).into()),
        ("caves", vec![testkit::caves(SIDE, SIDE, &seed())]),
    ]
}

#[test]
fn the_automatic_choice_takes_at_most_a_tenth_more_work_than_the_better_algorithm() {
    for diagonals in Diagonals::ALL {
        for (group, maps) in groups() {
            let problems: Vec<Problem> = maps.into_iter().map(|map| Problem::new(map, diagonals)).collect();
            let work = |algorithm| problems.iter().map(|problem| problem.work(algorithm)).sum::<u64>();
            let better = work(Algorithm::AStar).min(work(Algorithm::JumpPoint));
            let chosen = work(Algorithm::Auto);
            assert!(chosen * 10 <= better * 11, "{group}, {diagonals}: {chosen} instead of {better}");
        }
    }
}

#[test]
fn in_four_directions_jump_points_take_a_fifth_of_the_work_of_a_star() {
    let maps = groups().into_iter().filter(|(group, _)| *group != "cluttered").flat_map(|(_, maps)| maps);
    let (mut product, mut count) = (1.0, 0);
    for map in maps {
        let problem = Problem::new(map, Diagonals::Never);
        let [jumps, steps] =
            [Algorithm::JumpPoint, Algorithm::AStar].map(|algorithm| problem.work(algorithm));
        assert!(jumps * 2 < steps, "{}: {jumps} and {steps}", problem.name);
        product *= jumps as f64 / steps as f64;
        count += 1;
    }
    let mean = product.powf(1.0 / f64::from(count));
    assert!(mean < 0.2, "{mean}");
}

#[test]
fn jump_points_are_chosen_on_open_ground_and_in_mazes_and_a_star_among_scattered_obstacles() {
    let chosen = |map: TileMap, diagonals| Problem::new(map, diagonals).chosen();
    for diagonals in Diagonals::ALL {
        for map in [testkit::open(SIDE, SIDE), testkit::maze(SIDE, SIDE, 1, &seed())] {
            assert_eq!(chosen(map, diagonals), Algorithm::JumpPoint, "{diagonals}");
        }
    }
    for diagonals in [Diagonals::IfAtMostOneObstacle, Diagonals::Always] {
        let scattered = testkit::cluttered(SIDE, SIDE, 10, &seed());
        assert_eq!(chosen(scattered, diagonals), Algorithm::AStar, "{diagonals}");
    }
}

/// The rules under which maps are tested: those for squares, and hexagons.
fn rules() -> impl Iterator<Item = (Diagonals, Topology)> {
    let squares = Diagonals::ALL.map(|rule| (rule, Topology::Square));
    squares.into_iter().chain([(Diagonals::Never, Topology::Hexagonal)])
}

/// Returns the work that a choice adds to the search that needs it, on a map of these classes.
fn work_of_choice(grid: &Grid, diagonals: Diagonals) -> u64 {
    let finder = PathFinder::new(grid.clone(), Movement::new().with_diagonals(diagonals));
    let is_open = |cell: &Cell| grid.terrain(*cell) == Some(1);
    let [first, last] = [grid.bounds().cells().find(is_open), grid.bounds().cells().filter(is_open).last()];
    let query = PathQuery::new(first.unwrap(), last.unwrap());
    finder.begin(&query.with_algorithm(Algorithm::JumpPoint)).unwrap();
    finder.begin(&query).unwrap().work()
}

#[test]
fn choice_takes_limited_work_on_any_map() {
    // Long walls and dense rubble make near searches long; dust makes many regions.
    let walls = |width: u32, height: u32, is_open: &dyn Fn(u32, u32) -> bool| {
        let slots = 0..width * height;
        let classes = slots.map(|slot| u8::from(is_open(slot % width, slot / width))).collect();
        Grid::from_classes(width, height, classes).unwrap()
    };
    let random = |x: u32, y: u32| (x * 7919 + y * 104_729).wrapping_mul(2_654_435_761) >> 24;
    let mut most = 0;
    for (width, height) in [(17, 900), (64, 64), (128, 128), (600, 500)] {
        let grids = [
            walls(width, height, &|x, y| x % 2 == 0 || y % 16 == x / 2 % 2 * 15),
            walls(width, height, &|x, y| random(x, y) < 150),
            walls(width, height, &|x, y| x % 3 > 0 || y % 3 > 0),
            walls(width, height, &|x, y| (x + y) % 2 == 0),
            walls(width, height, &|x, y| x % 6 > 0 || y % 6 == 3),
        ];
        for grid in grids {
            for (diagonals, topology) in rules() {
                most = most.max(work_of_choice(&grid.clone().with_topology(topology), diagonals));
            }
        }
    }
    assert!((10_000..64_000).contains(&most), "{most}");
}

#[test]
fn choice_is_paid_for_once_and_again_only_around_edits() {
    let map = testkit::cluttered(640, 640, 20, &seed());
    let mut finder = Problem::new(map, Diagonals::Always).finder;
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(0, 0));
    finder.begin(&query.with_algorithm(Algorithm::JumpPoint)).unwrap();
    let choice = |finder: &PathFinder| finder.begin(&query).unwrap().work();
    let all = choice(&finder);
    assert!((1000..64_000).contains(&all), "{all}");
    assert_eq!(choice(&finder), 0);
    let edit = |finder: &mut PathFinder, cell: Cell| {
        let class = finder.grid().terrain(cell).unwrap();
        finder.set_terrain(cell, 1 - class).unwrap();
        finder.begin(&query.with_algorithm(Algorithm::AStar)).unwrap();
    };
    edit(&mut finder, Cell::new(0, 0));
    assert_eq!(choice(&finder), 0, "the edit touches no window");
    edit(&mut finder, Cell::new(80, 80));
    let one = choice(&finder);
    assert!(0 < one && one < all / 8, "{one} of {all} for one window");
    assert_eq!(choice(&finder), 0);
}

#[test]
fn previews_change_neither_choice_nor_its_work() {
    for (diagonals, topology) in rules() {
        let map = testkit::cluttered(200, 180, 15, &seed());
        let grid = Grid::from_classes(map.width, map.height, map.classes).unwrap().with_topology(topology);
        let mut alone = PathFinder::new(grid, Movement::new().with_diagonals(diagonals));
        let mut busy = alone.clone();
        let query = |number: i32| PathQuery::new(Cell::new(number, 3), Cell::new(190 - number, 170));
        for number in 0..30 {
            let preview = |finder: &PathFinder| {
                _ = finder.algorithm_for(&query(number)).unwrap();
                _ = finder.solve(&query(number + 1));
                _ = finder.find(Cell::new(100, 100), Cell::new(3, number));
            };
            if number % 3 > 0 {
                preview(&busy);
            }
            let cell = Cell::new(number * 37 % 200, number * 53 % 180);
            for finder in [&mut alone, &mut busy] {
                let class = finder.grid().terrain(cell).unwrap();
                finder.set_terrain(cell, 1 - class).unwrap();
            }
            if number % 2 > 0 {
                preview(&busy);
            }
            if number % 4 == 1 {
                // Freed data is made again without another bill.
                busy.limit_memory(0);
                busy.limit_memory(usize::MAX);
            }
            let searched = [&alone, &busy].map(|finder| {
                let mut search = finder.begin(&query(number)).unwrap();
                search.advance(u64::MAX);
                (search.work(), search.statistics().algorithm, search.finish())
            });
            assert_eq!(searched[0], searched[1], "{diagonals}, {topology:?}, {number}");
        }
    }
}

/// Edits of a map: a rectangle and its class.
type Drafts = Vec<((i32, i32), (u32, u32), u8)>;

/// Returns the side lengths of a map, how many cells of 100 are closed, and edits.
fn drafts() -> impl Strategy<Value = ((u32, u32), u32, Drafts)> {
    ((8..150_u32, 8..150_u32), 3..40_u32).prop_flat_map(|((width, height), percent)| {
        let place = (0..width as i32, 0..height as i32);
        let size = prop_oneof![4 => Just((1, 1)), 1 => (1..9_u32, 1..9_u32)];
        (Just((width, height)), Just(percent), vec((place, size, 0..2_u8), 1..12))
    })
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn edited_map_chooses_as_a_fresh_one(((width, height), percent, edits) in drafts(), side in 1..3_u8) {
        for (diagonals, topology) in rules() {
            let size = if topology == Topology::Square { side } else { 1 };
            let map = testkit::cluttered(width, height, percent, &seed());
            let grid = Grid::from_classes(width, height, map.classes).unwrap().with_topology(topology);
            let movement =
                Movement::new().with_diagonals(diagonals).with_size(Size::new(size).unwrap());
            let mut edited = PathFinder::new(grid, movement.clone());
            for (number, &((x, y), (columns, rows), class)) in edits.iter().enumerate() {
                let columns = columns.min(width - x as u32);
                let rows = rows.min(height - y as u32);
                edited.set_terrain_in(Bounds::new(Cell::new(x, y), columns, rows).unwrap(), class).unwrap();
                if number == 7 {
                    let bounds = edited.grid().bounds();
                    let grown = Bounds::new(bounds.origin() - (20, 0), width + 20, height).unwrap();
                    edited.resize(grown, 1);
                }
                let fresh = PathFinder::new(edited.grid().clone(), movement.clone());
                let ends = [(0, 0), (x, y), (width as i32 - 2, height as i32 - 2), (x / 2, height as i32 / 2)];
                for (from, to) in [(0, 2), (1, 0), (3, 2)] {
                    let query = PathQuery::new(Cell::from(ends[from]), Cell::from(ends[to]));
                    prop_assert_eq!(edited.solve(&query), fresh.solve(&query));
                }
            }
        }
    }
}
