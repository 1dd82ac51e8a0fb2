//! The automatic choice between jump points and A*, in counted work.

use testkit::{Seed, TileMap};
use tilepath::{Algorithm, Cell, CostTable, Diagonals, Grid, Movement, PathFinder, PathQuery, SearchStatus};

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
fn a_star_is_chosen_among_scattered_obstacles_unless_there_are_no_diagonals() {
    let chosen = |map: TileMap, diagonals| Problem::new(map, diagonals).chosen();
    for diagonals in Diagonals::ALL {
        let scattered = testkit::cluttered(SIDE, SIDE, 10, &seed());
        let expected = if diagonals == Diagonals::Never { Algorithm::JumpPoint } else { Algorithm::AStar };
        assert_eq!(chosen(scattered, diagonals), expected, "{diagonals}");
        for map in [testkit::open(SIDE, SIDE), testkit::maze(SIDE, SIDE, 1, &seed())] {
            assert_eq!(chosen(map, diagonals), Algorithm::JumpPoint, "{diagonals}");
        }
        let dense = testkit::cluttered(SIDE, SIDE, 40, &seed());
        let expected = if diagonals == Diagonals::Always { Algorithm::AStar } else { Algorithm::JumpPoint };
        assert_eq!(chosen(dense, diagonals), expected, "{diagonals}");
    }
}
