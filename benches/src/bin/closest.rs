//! Timings of paths to the closest cell of an unreachable goal.
//!
//! Beside them: paths to the cells where those paths end.

use std::time::{Duration, Instant};

use testkit::{Seed, TileMap};
use tilepath::{Cell, Grid, Movement, Outcome, PathFinder, PathQuery};

fn maps() -> Vec<TileMap> {
    let seed = Seed::named("layers");
    vec![
        testkit::caves(1024, 1024, &seed),
        testkit::cluttered(1024, 1024, 33, &seed),
        testkit::cluttered(1024, 1024, 20, &seed),
        testkit::rooms(1024, 1024, 8, &seed),
        testkit::terrain(1024, 1024, 9, 20, &seed),
    ]
}

/// Returns the time of the fastest run, and its result.
fn fastest<T>(mut run: impl FnMut() -> T) -> (Duration, T) {
    let timed = (0..3).map(|_| {
        let before = Instant::now();
        let made = run();
        (before.elapsed(), made)
    });
    timed.min_by_key(|(time, _)| *time).expect("there is a run")
}

/// Returns the median and the 90th percentile in microseconds.
fn figures(mut times: Vec<Duration>) -> (f64, f64) {
    times.sort_unstable();
    let microseconds = |percent: usize| times[times.len() * percent / 100].as_nanos() as f64 / 1e3;
    (microseconds(50), microseconds(90))
}

/// Returns pairs of a walkable cell and a wall, at most `reach` columns and rows apart.
fn walled_goals(map: &TileMap, reach: i32, count: usize) -> Vec<(Cell, Cell)> {
    let last = (map.width as i32 - 1, map.height as i32 - 1);
    let is_closed = |x: i32, y: i32| map.classes[(y as u32 * map.width + x as u32) as usize] == 0;
    let pairs = map.queries(count * 8, &Seed::named("walled goals"));
    let pairs = pairs.into_iter().map(|((x, y), other)| {
        let (dx, dy) = (other.0 % (2 * reach + 1) - reach, other.1 % (2 * reach + 1) - reach);
        ((x, y), ((x + dx).clamp(0, last.0), (y + dy).clamp(0, last.1)))
    });
    let walled = pairs.filter(|&(_, (x, y))| is_closed(x, y));
    walled.take(count).map(|(from, to)| (Cell::from(from), Cell::from(to))).collect()
}

fn main() {
    println!("| goal in a wall, on | within | ways | closest: median µs | p90 | its end: median µs | p90 |");
    println!("|---|---|---|---|---|---|---|");
    for map in maps() {
        let grid =
            Grid::from_classes(map.width, map.height, map.classes.clone()).expect("the map is within limits");
        let finder = PathFinder::new(grid, Movement::new());
        for reach in [8, 32, 128, 1023] {
            let (mut closest_times, mut plain_times, mut cost) = (Vec::new(), Vec::new(), 0);
            for (from, to) in walled_goals(&map, reach, 60) {
                let query = PathQuery::new(from, to).or_closest();
                let (time, answer) = fastest(|| finder.solve(&query).expect("on the map"));
                let Outcome::Unreachable { closest: Some(path) } = answer.outcome else { continue };
                let end = *path.cells().last().expect("a path has cells");
                cost += u64::from(path.cost().get());
                let (plain, _) = fastest(|| finder.find(from, end).expect("on the map"));
                closest_times.push(time);
                plain_times.push(plain);
            }
            let count = closest_times.len();
            let (closest, plain) = (figures(closest_times), figures(plain_times));
            println!(
                "| {} | {reach} | {count}, cost {cost} | {:.1} | {:.1} | {:.1} | {:.1} |",
                map.name, closest.0, closest.1, plain.0, plain.1
            );
        }
    }
}
