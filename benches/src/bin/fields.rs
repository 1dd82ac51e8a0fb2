//! Timings of ranges, nearest goals and fields.
//!
//! The fastest of several runs counts.

use std::time::{Duration, Instant};

use testkit::{Seed, TileMap};
use tilepath::{Cell, Cost, Grid, MoveRange, Movement, PathFinder, RangeQuery, field::FieldUpdate};

/// Returns the time and the result of the fastest run. The machine did other work in the slower
/// runs.
fn fastest<T>(runs: usize, mut run: impl FnMut() -> T) -> (Duration, T) {
    let mut best: Option<(Duration, T)> = None;
    for _ in 0..runs {
        let before = Instant::now();
        let result = run();
        let elapsed = before.elapsed();
        if best.as_ref().is_none_or(|(fastest, _)| elapsed < *fastest) {
            best = Some((elapsed, result));
        }
    }
    best.expect("there is at least one run")
}

fn finder(map: &TileMap) -> PathFinder {
    let grid =
        Grid::from_classes(map.width, map.height, map.classes.clone()).expect("the map is within limits");
    PathFinder::new(grid, Movement::new())
}

fn maps() -> Vec<TileMap> {
    vec![
        testkit::open(1024, 1024),
        testkit::caves(1024, 1024, &Seed::named("field caves")),
        testkit::cluttered(1024, 1024, 33, &Seed::named("field clutter")),
        testkit::terrain(1024, 1024, 9, 20, &Seed::named("field hills")),
    ]
}

fn ranges() {
    println!("| range of budget | cells | µs | ns a cell |\n|---|---|---|---|");
    let finder = finder(&testkit::open(1024, 1024));
    let mut range = MoveRange::default();
    for budget in [50, 100, 200, 400] {
        let query = RangeQuery::new(Cell::new(512, 512), Cost::new(budget));
        let (time, ()) = fastest(2_000, || finder.solve_range_into(&query, &mut range).expect("on the map"));
        let (cells, nanoseconds) = (range.cells().len(), time.as_nanos() as f64);
        println!("| {budget} | {cells} | {:.2} | {:.1} |", nanoseconds / 1e3, nanoseconds / cells as f64);
    }
}

fn fields() {
    println!("\n| field on | cells settled | ms | ns a cell |\n|---|---|---|---|");
    for map in maps() {
        let finder = finder(&map);
        let goal = map.queries(1, &Seed::named("camp"))[0].0;
        let (time, field) = fastest(7, || finder.field(&[Cell::from(goal)]).expect("the goal is on the map"));
        let cells = field.statistics().expanded;
        let nanoseconds = time.as_nanos() as f64;
        println!("| {} | {cells} | {:.1} | {:.1} |", map.name, nanoseconds / 1e6, nanoseconds / cells as f64);
    }
}

fn edits() {
    println!(
        "\n| edit and update on | repairs | rebuilds | median µs | p90 µs | mean cells |\n|---|---|---|---|---|---|"
    );
    for map in maps() {
        let mut finder = finder(&map);
        let queries = map.queries(101, &Seed::named("walls"));
        let mut field = finder.field(&[Cell::from(queries[0].0)]).expect("the goal is on the map");
        let (mut times, mut rebuilds, mut looked_at) = (Vec::new(), 0, 0);
        for &(place, _) in &queries[1..] {
            let was = finder.grid().terrain(Cell::from(place)).expect("on the map");
            for class in [0, was] {
                let before = Instant::now();
                finder.set_terrain(Cell::from(place), class).expect("on the map");
                match field.update(&finder) {
                    Ok(FieldUpdate::Repaired { cells }) => looked_at += cells,
                    _ => rebuilds += 1,
                }
                times.push(before.elapsed());
            }
        }
        times.sort_unstable();
        let at = |percent: usize| times[times.len() * percent / 100].as_nanos() as f64 / 1e3;
        let repairs = times.len() - rebuilds;
        let mean = looked_at as f64 / repairs as f64;
        println!("| {} | {repairs} | {rebuilds} | {:.1} | {:.1} | {mean:.0} |", map.name, at(50), at(90));
    }
}

fn nearest() {
    println!("\n| nearest of 64 on | mean cost | mean µs |\n|---|---|---|");
    for map in maps() {
        let finder = finder(&map);
        let queries = map.queries(64, &Seed::named("trees"));
        let goals: Vec<Cell> = queries.iter().map(|&(_, goal)| Cell::from(goal)).collect();
        let (mut cost, mut time, mut found) = (0, Duration::ZERO, 0_u32);
        for &(start, _) in &queries {
            let (fastest, goal) = fastest(3, || finder.nearest(Cell::from(start), &goals));
            if let Ok(Some(goal)) = goal {
                cost += u64::from(goal.path.cost().get());
                time += fastest;
                found += 1;
            }
        }
        let microseconds = time.as_nanos() as f64 / 1e3 / f64::from(found);
        println!("| {} | {:.0} | {microseconds:.1} |", map.name, cost as f64 / f64::from(found));
    }
}

/// Prints all tables, or the tables named on the command line.
fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let tables: [(&str, fn()); 4] =
        [("ranges", ranges), ("fields", fields), ("edits", edits), ("nearest", nearest)];
    for (name, table) in tables {
        if wanted.is_empty() || wanted.iter().any(|word| word == name) {
            table();
        }
    }
}
