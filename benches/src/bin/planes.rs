//! Timings of large units and overlays.
//!
//! They show how long the map of a movement takes to build, and the times of edits that the map
//! follows and of batches of overlay cells.

use std::time::{Duration, Instant};

use testkit::{Seed, TileMap};
use tilepath::{Cell, CostTable, Diagonals, Grid, Movement, MovementId, PathFinder, PathQuery, Size};

fn grid(map: &TileMap) -> Grid {
    Grid::from_classes(map.width, map.height, map.classes.clone()).expect("the map is within limits")
}

fn cells(map: &TileMap, count: usize) -> Vec<Cell> {
    map.queries(count, &Seed::named("planes")).into_iter().map(|(from, _)| Cell::from(from)).collect()
}

fn maps() -> Vec<TileMap> {
    let seed = Seed::named("layers");
    vec![
        testkit::open(1024, 1024),
        testkit::caves(1024, 1024, &seed),
        testkit::cluttered(1024, 1024, 33, &seed),
        testkit::terrain(1024, 1024, 9, 20, &seed),
    ]
}

fn of_size(side: u8) -> Movement {
    Movement::new().with_size(Size::new(side).expect("a size"))
}

/// Returns the median and the fastest time, in microseconds.
fn figures(mut times: Vec<Duration>) -> (f64, f64) {
    times.sort_unstable();
    let microseconds = |place: usize| times[place].as_nanos() as f64 / 1e3;
    (microseconds(times.len() / 2), microseconds(0))
}

/// Runs a query from a cell to itself. It returns as soon as the movement's map is made, or has
/// followed the edits.
fn touch(finder: &PathFinder) {
    let query = PathQuery::new(Cell::new(9, 9), Cell::new(9, 9));
    std::hint::black_box(finder.is_reachable(&query).expect("on the map"));
}

fn built() {
    println!(
        "| movement map built, ns a cell, on | size 1 | size 2 | size 4 | size 8 |\n|---|---|---|---|---|"
    );
    for map in maps() {
        let grid = grid(&map);
        let columns = [1, 2, 4, 8].map(|side| {
            let times = (0..9).map(|_| {
                let finder = PathFinder::new(grid.clone(), of_size(side));
                let before = Instant::now();
                touch(&finder);
                before.elapsed()
            });
            figures(times.collect()).1 * 1e3 / f64::from(map.width * map.height)
        });
        let [one, two, four, eight] = columns;
        println!("| {} | {one:.2} | {two:.2} | {four:.2} | {eight:.2} |", map.name);
    }
}

/// Makes a finder whose first movement has run some searches.
fn used(map: &TileMap, movement: Movement) -> PathFinder {
    let finder = PathFinder::new(grid(map), movement);
    for (from, to) in map.queries(100, &Seed::named("used")) {
        // A large unit does not fit on every cell.
        let _ = std::hint::black_box(finder.find(Cell::from(from), Cell::from(to)));
    }
    finder
}

/// Times edits that close and open cells, one cell at a time.
fn edit_times(finder: &mut PathFinder, cells: &[Cell], after: impl Fn(&PathFinder)) -> Vec<Duration> {
    let mut times = Vec::new();
    for &cell in cells {
        let class = finder.grid().terrain(cell).expect("on the map");
        for class in [0, class] {
            let before = Instant::now();
            finder.set_terrain(cell, class).expect("on the map");
            after(finder);
            times.push(before.elapsed());
        }
    }
    times
}

fn edited() {
    println!(
        "\n| one cell closed or opened, median µs (fastest), on | size 1 | size 2 | size 4 | size 8 | 4 ÷ 1 |"
    );
    println!("|---|---|---|---|---|---|");
    for map in maps() {
        let cells = cells(&map, 1000);
        let columns = [1, 2, 4, 8].map(|side| {
            let mut finder = used(&map, of_size(side));
            figures(edit_times(&mut finder, &cells, |_| ()))
        });
        let ratio = columns[2].0 / columns[0].0;
        let columns = columns.map(|(median, fastest)| format!("{median:.2} ({fastest:.2})"));
        println!("| {} | {} | {ratio:.1} |", map.name, columns.join(" | "));
    }
}

/// Times an edit with three movements in use, and a query for each of them after the edit.
fn three() {
    println!(
        "\n| edit with three movements and the next questions on | median µs | fastest | sizes 1, 2, 4: median µs | fastest |"
    );
    println!("|---|---|---|---|---|");
    for map in maps() {
        let cells = cells(&map, 1000);
        let walkers = [
            Movement::new(),
            Movement::new().with_diagonals(Diagonals::Never),
            Movement::new().with_costs(CostTable::identity().with(2, 3)),
        ];
        let columns = [walkers, [1, 2, 4].map(of_size)].map(|[first, second, third]| {
            let mut finder = used(&map, first);
            let ids = [MovementId::FIRST, finder.add_movement(second), finder.add_movement(third)];
            let ask = |finder: &PathFinder| {
                for id in ids {
                    let query = PathQuery::new(Cell::new(9, 9), Cell::new(700, 500)).with_movement(id);
                    std::hint::black_box(finder.is_reachable(&query).expect("on the map"));
                }
            };
            ask(&finder);
            figures(edit_times(&mut finder, &cells, ask))
        });
        let [walkers, sizes] = columns.map(|(median, fastest)| format!("{median:.2} | {fastest:.2}"));
        println!("| {} | {walkers} | {sizes} |", map.name);
    }
}

fn overlays() {
    println!(
        "\n| 1,000 overlay cells in one batch on | apart: median µs | fastest | a disc: median µs | fastest |"
    );
    println!("|---|---|---|---|---|");
    for map in maps() {
        let mut finder = used(&map, Movement::new().with_overlay("danger"));
        let apart = cells(&map, 10_000);
        let discs: Vec<Cell> = cells(&map, 10)
            .into_iter()
            .flat_map(|middle| (0..1000).map(move |place| (middle, place % 32, place / 32)))
            .map(|(middle, x, y)| Cell::new((middle.x + x).min(1023), (middle.y + y).min(1023)))
            .collect();
        finder.set_overlay("danger", [(Cell::new(3, 3), 2)]).expect("on the map");
        touch(&finder);
        let columns = [apart, discs].map(|cells| {
            let mut times = Vec::new();
            for batch in cells.chunks(1000) {
                for value in [5, 0] {
                    let before = Instant::now();
                    finder
                        .set_overlay("danger", batch.iter().map(|&cell| (cell, value)))
                        .expect("on the map");
                    touch(&finder);
                    times.push(before.elapsed());
                }
            }
            figures(times)
        });
        let [apart, discs] = columns.map(|(median, fastest)| format!("{median:.0} | {fastest:.0}"));
        println!("| {} | {apart} | {discs} |", map.name);
    }
}

/// Prints all tables, or the tables named on the command line.
fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let tables: [(&str, fn()); 4] =
        [("built", built), ("edited", edited), ("three", three), ("overlays", overlays)];
    for (name, table) in tables {
        if wanted.is_empty() || wanted.iter().any(|word| word == name) {
            table();
        }
    }
}
