//! Timings of data that is made once and kept under edits.
//!
//! The data: layers, regions, the bits of jump points and canonical steps. Also timed: one edit,
//! and a goal that cannot be reached.

use std::time::{Duration, Instant};

use testkit::{Seed, TileMap};
use tilepath::{Algorithm, Cell, Diagonals, Grid, Movement, PathFinder, PathQuery};

const RUNS: usize = 7;

fn finder(map: &TileMap, diagonals: Diagonals) -> PathFinder {
    let grid =
        Grid::from_classes(map.width, map.height, map.classes.clone()).expect("the map is within limits");
    PathFinder::new(grid, Movement::new().with_diagonals(diagonals))
}

/// The usual diagonal rule, and four ways.
const RULES: [(Diagonals, &str); 2] =
    [(Diagonals::OnlyWhenNoObstacles, ""), (Diagonals::Never, ", four ways")];

fn timed<T>(run: impl FnOnce() -> T) -> Duration {
    let before = Instant::now();
    std::hint::black_box(run());
    before.elapsed()
}

/// Returns the fastest time in nanoseconds. The machine did other work in the slower runs.
fn fastest(times: &[Duration]) -> f64 {
    times.iter().min().expect("there are some").as_nanos() as f64
}

fn even() -> Vec<TileMap> {
    let seed = Seed::named("layers");
    vec![
        testkit::open(1024, 1024),
        testkit::caves(1024, 1024, &seed),
        testkit::cluttered(1024, 1024, 33, &seed),
    ]
}

fn uneven() -> Vec<TileMap> {
    let seed = Seed::named("layers");
    vec![testkit::terrain(1024, 1024, 9, 20, &seed), testkit::noise(1024, 1024, 9, 10, &seed)]
}

fn cells(map: &TileMap, count: usize) -> Vec<Cell> {
    let seed = Seed::named("cells");
    map.queries(count, &seed).into_iter().map(|(from, _)| Cell::from(from)).collect()
}

/// Times what the first searches make: the first query makes the layer and the regions, and the
/// first jump point search makes its bits.
fn making() {
    println!("| made on | layer and regions, ns a cell | bits of jump points, ns a cell |\n|---|---|---|");
    for (map, (rule, rule_name)) in even().iter().flat_map(|map| RULES.map(|rule| (map, rule))) {
        let cell_count = f64::from(map.width) * f64::from(map.height);
        let ends = cells(map, 2);
        let here = ends[0];
        let query = PathQuery::new(here, here.neighbour(tilepath::Direction::East).expect("within limits"));
        let (mut layers, mut bits) = (Vec::new(), Vec::new());
        for _ in 0..RUNS {
            let finder = finder(map, rule);
            layers.push(timed(|| finder.is_reachable(&PathQuery::new(here, ends[1]))));
            bits.push(timed(|| finder.solve(&query.with_algorithm(Algorithm::JumpPoint))));
        }
        println!(
            "| {}{rule_name} | {:.2} | {:.2} |",
            map.name,
            fastest(&layers) / cell_count,
            fastest(&bits) / cell_count
        );
    }
}

/// Times a first field over all cells beside a second one. The first one finds all reverse steps,
/// and the second one reuses them.
fn finding() {
    println!("\n| first search of all cells of | ns a cell more than the second |\n|---|---|");
    for map in uneven() {
        let goal = cells(&map, 1);
        let (mut first, mut later) = (Vec::new(), Vec::new());
        let mut settled = 0;
        for _ in 0..RUNS {
            let finder = finder(&map, Diagonals::OnlyWhenNoObstacles);
            finder.is_reachable(&PathQuery::new(goal[0], goal[0])).expect("on the map");
            let mut search =
                || timed(|| settled = finder.field(&goal).expect("on the map").statistics().expanded);
            first.push(search());
            later.extend([search(), search()]);
        }
        println!("| {} | {:.1} |", map.name, (fastest(&first) - fastest(&later)) / settled as f64);
    }
}

/// Times edits that close and reopen a cell after all data is made. Also times the next query,
/// which brings the data up to date.
fn editing() {
    println!(
        "\n| one edit on | median µs | p99 µs | with the next question, median µs | p99 µs |\n|---|---|---|---|---|"
    );
    let (even, uneven) = (even(), uneven());
    let even = even.iter().flat_map(|map| RULES.map(|rule| (map, rule)));
    for (map, (rule, rule_name)) in even.chain(uneven.iter().map(|map| (map, RULES[0]))) {
        let mut finder = finder(map, rule);
        let places = cells(map, 2001);
        let (from, places) = places.split_first().expect("there are some");
        for &place in &places[..200] {
            finder.solve(&PathQuery::new(*from, place)).expect("on the map");
        }
        let (mut edits, mut questions) = (Vec::new(), Vec::new());
        for &place in places {
            let class = finder.grid().terrain(place).expect("on the map");
            for class in [0, class] {
                let before = Instant::now();
                finder.set_terrain(place, class).expect("on the map");
                edits.push(before.elapsed());
                std::hint::black_box(finder.is_reachable(&PathQuery::new(*from, place)).expect("on the map"));
                questions.push(before.elapsed());
            }
        }
        let columns = [edits, questions].map(|mut times| {
            times.sort_unstable();
            [times.len() / 2, times.len() * 99 / 100].map(|place| times[place].as_nanos() as f64 / 1e3)
        });
        let [[edit, late_edit], [question, late_question]] = columns;
        println!(
            "| {}{rule_name} | {edit:.2} | {late_edit:.2} | {question:.2} | {late_question:.2} |",
            map.name
        );
    }
}

/// Times repeated queries to a goal inside walls.
fn refusing() {
    const TIMES: u32 = 1000;
    println!("\n| a goal that is walled in, on | ns a question |\n|---|---|");
    for map in even() {
        let mut finder = finder(&map, Diagonals::OnlyWhenNoObstacles);
        let ends = cells(&map, 2);
        for direction in tilepath::Direction::ALL {
            if let Some(beside) =
                ends[1].neighbour(direction).filter(|&cell| finder.grid().bounds().contains(cell))
            {
                finder.set_terrain(beside, 0).expect("on the map");
            }
        }
        let ask = || finder.find(std::hint::black_box(ends[0]), ends[1]).expect("on the map");
        assert!(ask().path().is_none(), "the goal is inside walls");
        let times: Vec<Duration> = (0..100).map(|_| timed(|| (0..TIMES).for_each(|_| drop(ask())))).collect();
        println!("| {} | {:.0} |", map.name, fastest(&times) / f64::from(TIMES));
    }
}

fn main() {
    making();
    finding();
    editing();
    refusing();
}
