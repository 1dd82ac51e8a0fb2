//! Timings of near answers beside exact ones, in turns.
//!
//! The figures show how much faster near answers are, how much more their paths cost, and how soon
//! the first part of a path is known. They also show the price of an edit, and the memory of
//! portals. Words on the command line pick maps by their names.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use testkit::{Seed, TileMap};
use tilepath::{Algorithm, Cell, Grid, Movement, MovementId, PathFinder, PathQuery, StepCosts, format};

/// The number of runs of each query. The fastest one counts.
const RUNS: usize = 3;
/// The number of edits whose repair is timed.
const EDITS: usize = 60;

fn seed() -> Seed {
    Seed::named("benchmarks")
}

/// A map, and the longer half of some queries.
struct Problem {
    name: String,
    finder: PathFinder,
    queries: Vec<PathQuery>,
}

impl Problem {
    fn new(name: &str, grid: Grid, movement: Movement, candidates: Vec<PathQuery>) -> Self {
        let finder = PathFinder::new(grid, movement);
        let mut queries = candidates;
        queries.retain(|query| finder.is_reachable(query).expect("ends lie on the map"));
        let distance = |query: &PathQuery| {
            let (from, to) = (query.start(), query.goal());
            from.x.abs_diff(to.x).max(from.y.abs_diff(to.y))
        };
        queries.sort_by_key(|query| std::cmp::Reverse(distance(query)));
        queries.truncate(queries.len().div_ceil(2));
        Self { name: name.to_owned(), finder, queries }
    }

    fn generated(name: &str, map: TileMap, queries: usize) -> Self {
        let pairs = map.queries(4 * queries, &seed());
        let ask = |(from, to)| PathQuery::new(Cell::from(from), Cell::from(to));
        let candidates: Vec<PathQuery> = pairs.into_iter().map(ask).collect();
        let grid = Grid::from_classes(map.width, map.height, map.classes).expect("within limits");
        let mut problem = Self::new(name, grid, Movement::new(), candidates);
        problem.queries.truncate(queries);
        problem
    }
}

/// Reads a MovingAI map and its queries. Each open cell gets the cost of the cell at its place on a
/// generated map.
fn moving_ai(folder: &str, name: &str, ground: &dyn Fn(u32, u32) -> TileMap) -> Problem {
    let read = |path: PathBuf| {
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let folder = PathBuf::from(folder);
    let letters = format::LetterClasses::default();
    let grid = format::parse_moving_ai(&read(folder.join(format!("{name}.map"))), &letters)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let rows = format::parse_scenario(&read(folder.join("queries").join(format!("{name}.scen"))))
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let bounds = grid.bounds();
    let asked = rows.iter().map(|row| {
        let ends = row.start_cell(&bounds).zip(row.goal_cell(&bounds));
        let (from, to) = ends.expect("queries lie on their map");
        PathQuery::new(from, to)
    });
    let queries = asked.collect();
    let levels = ground(grid.width(), grid.height());
    let classes =
        grid.classes().iter().zip(levels.classes).map(|(&class, level)| if class == 0 { 0 } else { level });
    let grid = Grid::from_classes(grid.width(), grid.height(), classes.collect()).expect("within limits");
    let movement = Movement::new().with_steps(StepCosts::PRECISE);
    Problem::new(&format!("{name}, {}", levels.name), grid, movement, queries)
}

/// Returns the time of a query, the cost of its path and the lower bound of that cost.
fn timed(finder: &PathFinder, query: &PathQuery) -> (Duration, u32, u32) {
    let before = Instant::now();
    let answer = finder.solve(query).expect("the query is sound");
    let elapsed = before.elapsed();
    let path = answer.outcome.into_path().expect("the goal can be reached");
    (elapsed, path.cost().get(), path.lower_bound().get())
}

/// Returns the time until a unit may set out on a path that is found in parts. This covers the path
/// over portals and its first part.
fn first_part(finder: &PathFinder, query: &PathQuery) -> Duration {
    let before = Instant::now();
    let answer = finder.solve_near_way(query).expect("the query is sound");
    if let Some(mut way) = answer.into_way() {
        way.refine(finder).expect("nothing was edited");
    }
    before.elapsed()
}

/// Returns the cost of all parts together, and the longest time of a part after the first.
fn in_parts(finder: &PathFinder, query: &PathQuery) -> Option<(u32, Duration)> {
    let mut way = finder.solve_near_way(query).expect("the query is sound").into_way()?;
    let mut longest = Duration::ZERO;
    way.refine(finder).expect("nothing was edited");
    while !way.is_whole() {
        let found = (0..RUNS).map(|_| {
            let mut again = way.clone();
            let before = Instant::now();
            again.refine(finder).expect("nothing was edited");
            (before.elapsed(), again)
        });
        let (time, next) = found.min_by_key(|&(time, _)| time).expect("there are runs");
        (longest, way) = (longest.max(time), next);
    }
    Some((way.cost().get(), longest))
}

fn microseconds(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1e3
}

/// Returns the value at this share (0 to 1) of the values, and sorts them.
fn at(values: &mut [f64], share: f64) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    values.sort_by(f64::total_cmp);
    values[((values.len() - 1) as f64 * share).round() as usize]
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn compared(problem: &Problem) {
    let Problem { name, finder, queries } = problem;
    let (mut exact, mut near, mut ratios, mut excess, mut stated) = (vec![], vec![], vec![], vec![], vec![]);
    let mut first = vec![];
    let (mut set_out, mut parts, mut parts_excess) = (vec![], vec![], vec![]);
    for query in queries {
        let fast = query.with_algorithm(Algorithm::Near);
        first.push(microseconds(timed(finder, &fast).0));
        let runs = if finder.grid().width() > 2000 { 1 } else { RUNS };
        let best = |query: &PathQuery, runs: usize| {
            (0..runs).map(|_| timed(finder, query)).min_by_key(|&(time, ..)| time).expect("there are runs")
        };
        // The first exact search over new ground makes data that the later ones reuse.
        timed(finder, query);
        let (mut slow_time, mut slow_cost) = (Duration::MAX, 0);
        let (mut fast_time, mut fast_cost, mut bound) = (Duration::MAX, 0, 0);
        for _ in 0..runs {
            let (time, cost, _) = best(query, 1);
            (slow_time, slow_cost) = (slow_time.min(time), cost);
            let (time, cost, lower) = best(&fast, 1);
            (fast_time, fast_cost, bound) = (fast_time.min(time), cost, lower);
        }
        let setting_out = (0..RUNS).map(|_| first_part(finder, query)).min().expect("there are runs");
        set_out.push(microseconds(setting_out));
        if let Some((cost, longest)) = in_parts(finder, query) {
            parts.push(microseconds(longest));
            parts_excess.push((f64::from(cost) / f64::from(slow_cost) - 1.0) * 100.0);
        }
        assert!(slow_cost <= fast_cost && bound <= slow_cost, "{query:?}");
        exact.push(microseconds(slow_time));
        near.push(microseconds(fast_time));
        ratios.push(slow_time.as_secs_f64() / fast_time.as_secs_f64());
        excess.push((f64::from(fast_cost) / f64::from(slow_cost) - 1.0) * 100.0);
        stated.push((f64::from(fast_cost) / f64::from(bound) - 1.0) * 100.0);
    }
    println!(
        "| {name} | {} | {:.0} / {:.0} | {:.0} / {:.0} / {:.0} | {:.0} | {:.1} | {:.1} | {:.2} / {:.2} / {:.2} | {:.0} | {:.0} / {:.0} | {:.0} | {:.2} / {:.2} |",
        queries.len(),
        mean(&exact),
        at(&mut exact, 0.5),
        mean(&near),
        at(&mut near, 0.5),
        at(&mut near, 0.99),
        at(&mut first, 0.5),
        mean(&exact) / mean(&near),
        at(&mut ratios, 0.5),
        mean(&excess),
        at(&mut excess, 0.99),
        at(&mut excess, 1.0),
        at(&mut stated, 0.5),
        at(&mut set_out, 0.5),
        at(&mut set_out, 0.99),
        at(&mut parts, 0.5),
        mean(&parts_excess),
        at(&mut parts_excess, 1.0),
    );
}

/// Times an edit of a cell on a path together with the next query, beside the query alone. Also
/// prints the memory of portals.
fn kept(problem: &Problem) {
    let Problem { name, finder, queries } = problem;
    let mut finder =
        PathFinder::new(finder.grid().clone(), finder.movement(MovementId::FIRST).expect("there").clone());
    let query = queries[queries.len() / 2].with_algorithm(Algorithm::Near);
    let before = {
        finder.is_reachable(&query).expect("sound");
        finder.limit_memory(usize::MAX)
    };
    for query in queries.iter().take(8) {
        // Without pruning, only portals are kept.
        timed(&finder, &query.with_algorithm(Algorithm::Near).without_pruning());
    }
    let bytes = finder.limit_memory(usize::MAX) - before;
    let cells = finder
        .solve(&query)
        .expect("sound")
        .outcome
        .into_path()
        .expect("the goal can be reached")
        .into_cells();
    let (mut alone, mut edited) = (vec![], vec![]);
    for number in 0..EDITS {
        let cell = cells[(number + 1) * (cells.len() - 1) / (EDITS + 2)];
        let class = finder.grid().terrain(cell).expect("on the map");
        alone.push(microseconds(timed(&finder, &query).0));
        let start = Instant::now();
        finder.set_terrain(cell, class % 9 + 1).expect("on the map");
        timed(&finder, &query);
        edited.push(microseconds(start.elapsed()));
        finder.set_terrain(cell, class).expect("on the map");
        timed(&finder, &query);
    }
    let mut more: Vec<f64> = alone.iter().zip(&edited).map(|(alone, edited)| edited - alone).collect();
    let cell_count = f64::from(finder.grid().width()) * f64::from(finder.grid().height());
    println!(
        "| {name} | {:.0} | {:.0} | {:.2} |",
        at(&mut alone, 0.5),
        at(&mut more, 0.5),
        bytes as f64 / cell_count
    );
}

type Named<'a> = (&'a str, Box<dyn Fn() -> Problem + 'a>);

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let folder = std::env::var("MOVINGAI_DIR").ok();
    let mut problems: Vec<Named<'_>> = vec![
        (
            "hills 1024",
            Box::new(|| Problem::generated("hills 1024²", testkit::terrain(1024, 1024, 9, 20, &seed()), 60)),
        ),
        (
            "noise 1024",
            Box::new(|| Problem::generated("noise 1024²", testkit::noise(1024, 1024, 9, 10, &seed()), 60)),
        ),
        (
            "cluttered 1024",
            Box::new(|| {
                Problem::generated("33 % walls 1024²", testkit::cluttered(1024, 1024, 33, &seed()), 60)
            }),
        ),
        (
            "hills 4096",
            Box::new(|| Problem::generated("hills 4096²", testkit::terrain(4096, 4096, 9, 20, &seed()), 12)),
        ),
        (
            "noise 4096",
            Box::new(|| Problem::generated("noise 4096²", testkit::noise(4096, 4096, 9, 10, &seed()), 12)),
        ),
        (
            "cluttered 4096",
            Box::new(|| {
                Problem::generated("33 % walls 4096²", testkit::cluttered(4096, 4096, 33, &seed()), 20)
            }),
        ),
    ];
    if let Some(folder) = &folder {
        for name in ["Aurora", "GhostTown", "brc202d", "AR0011SR"] {
            problems.push((
                name,
                Box::new(move || {
                    moving_ai(folder, name, &|width, height| testkit::noise(width, height, 9, 0, &seed()))
                }),
            ));
            problems.push((
                name,
                Box::new(move || {
                    moving_ai(folder, name, &|width, height| testkit::terrain(width, height, 9, 0, &seed()))
                }),
            ));
        }
    }
    problems.retain(|(name, _)| words.is_empty() || words.iter().any(|word| name.contains(word.as_str())));
    println!(
        "| map | queries | exact, mean / median µs | near, mean / median / p99 µs | over new ground, median µs | mean ÷ mean | median ratio | \
         excess mean / p99 / worst % | stated, median % | first part, median / p99 µs | longest later part, median µs | \
         excess in parts, mean / worst % |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    );
    let problems: Vec<Problem> = problems.iter().map(|(_, problem)| problem()).inspect(compared).collect();
    println!("\n| map | question µs | with an edit, µs more | portals, bytes a cell |\n|---|--:|--:|--:|");
    problems.iter().for_each(kept);
}
