//! Timings of what-if queries.
//!
//! A query supposes one changed cell, and finds which of 16 pairs can still reach each other.

use hdrhistogram::Histogram;
use std::time::{Duration, Instant};
use testkit::{Seed, TileMap};
use tilepath::{Cell, Diagonals, Edit, Grid, Movement, PathFinder, PathQuery, WhatIf};

const QUESTIONS: usize = 20_000;
const PAIRS: usize = 16;

fn finder(map: &TileMap, diagonals: Diagonals) -> PathFinder {
    let grid = Grid::from_classes(map.width, map.height, map.classes.clone()).expect("within limits");
    PathFinder::new(grid, Movement::new().with_diagonals(diagonals))
}

/// Records a time. With this method the histogram grows; with the others it would cut off long
/// times.
fn note(times: &mut Histogram<u64>, time: Duration) {
    times.record(time.as_nanos() as u64).expect("the histogram grows");
}

fn row(name: &str, times: &Histogram<u64>) {
    let microseconds = |quantile: f64| times.value_at_quantile(quantile) as f64 / 1e3;
    let (median, late, most) = (microseconds(0.5), microseconds(0.99), times.max() as f64 / 1e3);
    println!("| {name} | {median:.1} | {late:.1} | {most:.0} |");
}

fn measure(map: &TileMap, diagonals: Diagonals, is_used: bool) {
    let seed = Seed::named("what if");
    let finder = finder(map, diagonals);
    let pairs: Vec<PathQuery> = map
        .queries(PAIRS, &seed)
        .into_iter()
        .map(|(from, to)| PathQuery::new(Cell::from(from), Cell::from(to)))
        .collect();
    if is_used {
        // Jump points are in use: paths were found before.
        for pair in &pairs {
            finder.solve(pair).expect("the cells are on the map");
        }
    }
    let mut what_if = WhatIf::new(&finder);
    let mut times = Histogram::<u64>::new(3).expect("three digits");
    let mut cut_off = 0;
    // Open cells all over the map, since towers stand on ground.
    let cells: Vec<Cell> = (map.queries(QUESTIONS / 2, &Seed::named("towers")).into_iter())
        .flat_map(|(one, other)| [Cell::from(one), Cell::from(other)])
        .collect();
    for cell in cells {
        let before = Instant::now();
        let supposed =
            what_if.with_edits(&finder, &[Edit::terrain(cell, 0)]).expect("the cell is on the map");
        let reached = pairs.iter().filter(|pair| supposed.is_reachable(pair) == Ok(true)).count();
        note(&mut times, before.elapsed());
        cut_off += PAIRS - reached;
    }
    let name = format!("{}, {} × {}, {diagonals}", map.name, map.width, map.height);
    let before = if is_used { "paths were found before" } else { "no path was found before" };
    row(&format!("{name}, {before} ({cut_off} pairs apart)"), &times);
}

fn forbidden(map: &TileMap) {
    let finder = finder(map, Diagonals::default());
    let pairs = map.queries(300, &Seed::named("forbidden"));
    let mut times = Histogram::<u64>::new(3).expect("three digits");
    let mut found = 0;
    for (from, to) in pairs {
        let query = PathQuery::new(Cell::from(from), Cell::from(to));
        let before = Instant::now();
        let answer = finder.forbidden(&query).expect("the cells are on the map");
        note(&mut times, before.elapsed());
        found += answer.cells().len();
    }
    row(&format!("forbidden, {}, {} × {} ({found} cells)", map.name, map.width, map.height), &times);
}

fn main() {
    println!("| 16 pairs, one cell supposed | µs, median | 99th percentile | most |\n|---|--:|--:|--:|");
    for side in [256, 1024] {
        let caves = testkit::caves(side, side, &Seed::named("what if caves"));
        let clutter = testkit::cluttered(side, side, 33, &Seed::named("what if clutter"));
        for map in [&caves, &clutter] {
            for diagonals in [Diagonals::default(), Diagonals::Always] {
                for is_used in [false, true] {
                    measure(map, diagonals, is_used);
                }
            }
            forbidden(map);
        }
    }
}
