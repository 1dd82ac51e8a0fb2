//! Times edits of one cell and of rectangles where jump points are in use, and rectangles among long queries.

use std::time::{Duration, Instant};

use testkit::{Seed, TileMap};
use tilepath::{Bounds, Cell, Grid, Movement, PathFinder};

const SIDE: u32 = 12;

fn finder(map: &TileMap) -> PathFinder {
    let grid =
        Grid::from_classes(map.width, map.height, map.classes.clone()).expect("the map is within limits");
    let finder = PathFinder::new(grid, Movement::new());
    for (from, to) in queries(map, 100) {
        finder.find(from, to).expect("on the map");
    }
    finder
}

fn queries(map: &TileMap, count: usize) -> Vec<(Cell, Cell)> {
    let pairs = map.queries(count, &Seed::named("cells"));
    pairs.into_iter().map(|(from, to)| (Cell::from(from), Cell::from(to))).collect()
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

/// Rectangles of 12 × 12 cells spread over the map.
fn areas(map: &TileMap, count: usize) -> Vec<Bounds> {
    let corner =
        |cell: Cell| Cell::new(cell.x.min((map.width - SIDE) as i32), cell.y.min((map.height - SIDE) as i32));
    let cells = queries(map, count).into_iter().map(|(from, _)| corner(from));
    cells.map(|cell| Bounds::new(cell, SIDE, SIDE).expect("within limits")).collect()
}

fn at_once(finder: &mut PathFinder, area: Bounds, class: u8) {
    finder.set_terrain_in(area, class).expect("on the map");
}

fn one_by_one(finder: &mut PathFinder, area: Bounds, class: u8) {
    for cell in area.cells() {
        finder.set_terrain(cell, class).expect("on the map");
    }
}

/// The median and the fastest, in microseconds.
fn figures(mut times: Vec<Duration>) -> (f64, f64) {
    times.sort_unstable();
    let microseconds = |place: usize| times[place].as_nanos() as f64 / 1e3;
    (microseconds(times.len() / 2), microseconds(0))
}

fn single() {
    println!("| one cell closed or opened on | median µs | fastest µs |\n|---|---|---|");
    for map in maps() {
        let mut finder = finder(&map);
        let mut times = Vec::new();
        for (place, _) in queries(&map, 1000) {
            let class = finder.grid().terrain(place).expect("on the map");
            for class in [0, class] {
                let before = Instant::now();
                finder.set_terrain(place, class).expect("on the map");
                times.push(before.elapsed());
            }
        }
        let (median, fastest) = figures(times);
        println!("| {} | {median:.2} | {fastest:.2} |", map.name);
    }
}

fn rectangles() {
    println!(
        "\n| 12 × 12 cells closed or opened on | median ns a cell | fastest | one by one, median | fastest |\n|---|---|---|---|---|"
    );
    for map in maps() {
        let finder = finder(&map);
        let columns = [at_once as fn(&mut PathFinder, Bounds, u8), one_by_one].map(|edit| {
            let mut finder = finder.clone();
            let mut times = Vec::new();
            for area in areas(&map, 500) {
                for class in [0, 1] {
                    let before = Instant::now();
                    edit(&mut finder, area, class);
                    times.push(before.elapsed());
                }
            }
            figures(times)
        });
        let cells = f64::from(SIDE * SIDE) / 1e3;
        let [batch, single] = columns.map(|(median, fastest)| (median / cells, fastest / cells));
        println!("| {} | {:.0} | {:.0} | {:.0} | {:.0} |", map.name, batch.0, batch.1, single.0, single.1);
    }
}

fn batches() {
    println!("\n| 1,000 cells in one batch on | median µs | fastest µs |\n|---|---|---|");
    for map in maps() {
        let mut finder = finder(&map);
        let places: Vec<Cell> = queries(&map, 10_000).into_iter().map(|(from, _)| from).collect();
        let mut times = Vec::new();
        for cells in places.chunks(1000) {
            let were: Vec<(Cell, u8)> =
                cells.iter().map(|&cell| (cell, finder.grid().terrain(cell).expect("on the map"))).collect();
            let walls: Vec<(Cell, u8)> = cells.iter().map(|&cell| (cell, 0)).collect();
            for batch in [walls, were] {
                let before = Instant::now();
                finder.set_terrains(&batch).expect("on the map");
                times.push(before.elapsed());
            }
        }
        let (median, fastest) = figures(times);
        println!("| {} | {median:.0} | {fastest:.0} |", map.name);
    }
}

fn among_queries() {
    println!("\n| 7,000 rectangles among 2,000 queries on | ms at once | ms one by one |\n|---|---|---|");
    for map in maps() {
        let finder = finder(&map);
        let (areas, queries) = (areas(&map, 7000), queries(&map, 2000));
        let columns = [at_once as fn(&mut PathFinder, Bounds, u8), one_by_one].map(|edit| {
            let mut finder = finder.clone();
            let before = Instant::now();
            for (number, area) in areas.iter().enumerate() {
                // What goes up comes down again after a while.
                edit(&mut finder, *area, 0);
                if let Some(earlier) = number.checked_sub(100) {
                    edit(&mut finder, areas[earlier], 1);
                }
                if number % 7 < 2 {
                    let (from, to) = queries[number / 7 * 2 + number % 7];
                    std::hint::black_box(finder.find(from, to).expect("on the map"));
                }
            }
            before.elapsed().as_nanos() as f64 / 1e6
        });
        println!("| {} | {:.0} | {:.0} |", map.name, columns[0], columns[1]);
    }
}

/// All tables, or those named on the command line.
fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let tables: [(&str, fn()); 4] =
        [("single", single), ("rectangles", rectangles), ("batches", batches), ("among", among_queries)];
    for (name, table) in tables {
        if wanted.is_empty() || wanted.iter().any(|word| word == name) {
            table();
        }
    }
}
