//! Timings of near fields beside whole fields, in turns.
//!
//! A near field covers only the corridors of the units that need it. Here, 200 units stand around
//! one place and go to one goal far away. Words on the command line pick maps by their names.

use std::time::{Duration, Instant};

use testkit::{Seed, TileMap};
use tilepath::{Algorithm, Cell, Grid, Movement, MovementId, PathFinder, PathQuery, field::FieldQuery};

/// The number of times that each field is made. The fastest one counts.
const RUNS: usize = 2;
/// The number of units.
const ASKERS: usize = 200;
/// The number of places and goals. Large maps have fewer.
const PLACES: usize = 8;
const PLACES_FAR_APART: usize = 5;

/// Returns some open cells from which the goal can be reached, at most `radius` from a place.
fn around(finder: &PathFinder, place: Cell, goal: Cell, radius: i32) -> Vec<Cell> {
    let side = -radius..=radius;
    let near = side.clone().flat_map(|dy| side.clone().map(move |dx| (dx, dy)));
    let cells: Vec<Cell> = near
        .map(|offset| place + offset)
        .filter(|&cell| finder.grid().terrain(cell).is_some_and(|class| class > 0))
        .filter(|&cell| finder.is_reachable(&PathQuery::new(cell, goal)).expect("on the map"))
        .collect();
    let mut chosen = Seed::named("askers").shuffled(&cells);
    chosen.truncate(ASKERS);
    chosen
}

/// Makes the whole field. Returns its time, the cost of each unit and the number of settled cells.
fn whole(finder: &PathFinder, goal: Cell, askers: &[Cell]) -> (Duration, Vec<u32>, u64) {
    let before = Instant::now();
    let mut field = finder.begin_field(&FieldQuery::new([goal])).expect("on the map");
    for &asker in askers {
        field.advance_until(asker);
    }
    let elapsed = before.elapsed();
    let cost = |&asker: &Cell| field.cost(asker).expect("the goal can be reached").get();
    (elapsed, askers.iter().map(cost).collect(), field.statistics().expanded)
}

/// Makes the near field. Returns its time, the cost of each unit and the number of settled cells.
fn near(finder: &PathFinder, goal: Cell, askers: &[Cell]) -> (Duration, Vec<u32>, u64) {
    let before = Instant::now();
    let mut field = finder.near_field(goal, MovementId::FIRST).expect("on the map");
    for &asker in askers {
        field.join(finder, asker).expect("on the map");
    }
    let elapsed = before.elapsed();
    let cost = |&asker: &Cell| field.cost(asker).expect("the goal can be reached").get();
    (elapsed, askers.iter().map(cost).collect(), field.statistics().expanded)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn compared(map: &TileMap, radius: i32) {
    let grid = Grid::from_classes(map.width, map.height, map.classes.clone()).expect("within limits");
    let finder = PathFinder::new(grid, Movement::new());
    let mut pairs = map.queries(8 * PLACES, &Seed::named("places"));
    pairs.retain(|&(from, to)| {
        finder.is_reachable(&PathQuery::new(from.into(), to.into())).expect("on the map")
    });
    pairs.sort_by_key(|&(from, to)| std::cmp::Reverse(i32::abs(from.0 - to.0).max(i32::abs(from.1 - to.1))));
    pairs.truncate(pairs.len() / 2);
    pairs.truncate(if map.width > 2000 { PLACES_FAR_APART } else { PLACES });
    let (mut exact, mut fast, mut ratios, mut cells) = (vec![], vec![], vec![], [0, 0]);
    let (mut new_ground, mut excess, mut single) = (vec![], vec![], vec![]);
    for (place, goal) in pairs {
        let goal = Cell::from(goal);
        let askers = around(&finder, place.into(), goal, radius);
        let first = near(&finder, goal, &askers).0;
        let first_whole = whole(&finder, goal, &askers).0;
        new_ground.push(first_whole.as_secs_f64() / first.as_secs_f64());
        let (mut slow_time, mut fast_time) = (Duration::MAX, Duration::MAX);
        let (mut slow_costs, mut fast_costs) = (vec![], vec![]);
        for run in 0..RUNS {
            let (time, costs, settled) = whole(&finder, goal, &askers);
            (slow_time, slow_costs) = (slow_time.min(time), costs);
            let (time, costs, searched) = near(&finder, goal, &askers);
            (fast_time, fast_costs) = (fast_time.min(time), costs);
            if run == 0 {
                cells = [cells[0] + settled, cells[1] + searched];
            }
        }
        let before = Instant::now();
        finder.solve(&PathQuery::new(askers[0], goal).with_algorithm(Algorithm::Near)).expect("on the map");
        single.push(milliseconds(before.elapsed()));
        exact.push(milliseconds(slow_time));
        fast.push(milliseconds(fast_time));
        ratios.push(slow_time.as_secs_f64() / fast_time.as_secs_f64());
        for (slow, fast) in slow_costs.iter().zip(&fast_costs) {
            assert!(slow <= fast, "a near field never costs less than the cheapest");
            excess.push((f64::from(*fast) / f64::from(*slow) - 1.0) * 100.0);
        }
    }
    let count = exact.len() as u64;
    println!(
        "| {} {}², {radius} | {:.1} | {:.1} | {:.1} | {:.1} / {:.1} | {:.1} | {:.2} / {:.2} | {} | {} |",
        map.name,
        map.width,
        median(&mut exact),
        median(&mut fast),
        median(&mut single),
        median(&mut ratios),
        ratios[0],
        median(&mut new_ground),
        excess.iter().sum::<f64>() / excess.len() as f64,
        excess.iter().copied().fold(0.0, f64::max),
        cells[0] / count,
        cells[1] / count,
    );
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    println!(
        "| map, steps from the place | whole, median ms | near, median ms | one near path, median ms | median ratio / least | \
         over new ground | excess mean / worst % | cells settled, whole | near |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    );
    for side in [1024, 4096] {
        for kind in ["hills", "noise"] {
            let name = format!("{kind} {side}");
            if !words.is_empty() && !words.iter().any(|word| name.contains(word.as_str())) {
                continue;
            }
            let seed = Seed::named("benchmarks");
            let map = match kind {
                "hills" => testkit::terrain(side, side, 9, 20, &seed),
                _ => testkit::noise(side, side, 9, 10, &seed),
            };
            for radius in [24, 100] {
                compared(&map, radius);
            }
        }
    }
}
