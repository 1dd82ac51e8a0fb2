//! Timings of the places of a group.
//!
//! Each member gets a place around one goal. The plugin spreads this over ticks for an order to a
//! group.

use hdrhistogram::Histogram;
use std::time::Instant;
use testkit::{Seed, TileMap};
use tilepath::{
    Cell, Grid, Movement, MovementId, PathFinder,
    formation::{Formation, FormationQuery, FormationUnit},
};

const QUERIES: usize = 40;
/// The units come from cells up to this many cells to each side of one cell.
const CAMP: i32 = 20;

fn measure(map: &TileMap, count: usize, formation: Formation) {
    let grid = Grid::from_classes(map.width, map.height, map.classes.clone()).expect("within limits");
    let finder = PathFinder::new(grid, Movement::new());
    let mut times = Histogram::<u64>::new(3).expect("three digits");
    let mut placed = 0;
    let places: Vec<(i32, i32)> = (-CAMP..CAMP).flat_map(|y| (-CAMP..CAMP).map(move |x| (x, y))).collect();
    let places = Seed::named("formation").shuffled(&places);
    for (from, to) in map.queries(QUERIES, &Seed::named("formation")) {
        let from = Cell::from(from);
        // Units beyond the border of the map are left out.
        let camp =
            places.iter().map(|&offset| from + offset).filter(|&cell| finder.grid().bounds().contains(cell));
        let units = camp.take(count).map(|cell| FormationUnit::new(cell, MovementId::default()));
        let query = FormationQuery::new(Cell::from(to), units).with_formation(formation);
        let before = Instant::now();
        let answer = finder.solve_formation(&query).expect("there is room");
        times.record(before.elapsed().as_nanos() as u64).expect("the histogram grows");
        placed += answer.places().iter().flatten().count();
    }
    let milliseconds = |quantile: f64| times.value_at_quantile(quantile) as f64 / 1e6;
    println!(
        "| {}, {count} units, {formation:?} ({placed}) | {:.2} | {:.2} |",
        map.name,
        milliseconds(0.5),
        milliseconds(0.99)
    );
}

fn main() {
    println!("| places of a group | ms, median | 99th percentile |\n|---|--:|--:|");
    let open = testkit::cluttered(512, 512, 0, &Seed::named("formation open"));
    let clutter = testkit::cluttered(512, 512, 20, &Seed::named("formation clutter"));
    for map in [&open, &clutter] {
        for count in [20, 60, 200, 500] {
            measure(map, count, Formation::Disc);
        }
        measure(map, 200, Formation::Line);
    }
}
