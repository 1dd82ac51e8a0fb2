//! Timings of edits while jump points are in use.
//!
//! The edits are of one cell and of rectangles. Also timed: rectangles among long queries, and maps
//! that grow.

use std::time::{Duration, Instant};

use testkit::{Seed, TileMap};
use tilepath::{
    Bounds, Cell, CostTable, Diagonals, Edit, Grid, Movement, MovementId, PathFinder, PathQuery, Size,
};

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

/// Returns rectangles of 12 × 12 cells all over the map.
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

/// Returns the median and the fastest time, in microseconds.
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
            let class = |cell| finder.grid().terrain(cell).expect("on the map");
            let were: Vec<Edit> = cells.iter().map(|&cell| Edit::terrain(cell, class(cell))).collect();
            let walls: Vec<Edit> = cells.iter().map(|&cell| Edit::terrain(cell, 0)).collect();
            for batch in [walls, were] {
                let before = Instant::now();
                finder.edit(&batch).expect("on the map");
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
                // Each rectangle that became walls is opened again after 100 more edits.
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

/// Makes a world of 8 × 8 chunks of 64 × 64 cells. The movements of this many kinds of units are in
/// use.
fn world(map: &TileMap, kinds: usize) -> (PathFinder, Vec<MovementId>) {
    let mut grid =
        Grid::from_classes(map.width, map.height, map.classes.clone()).expect("the map is within limits");
    let danger = queries(map, 1000).into_iter().map(|(from, _)| (from, 3));
    grid.set_overlay("danger", danger).expect("on the map");
    let mut finder = PathFinder::new(grid, Movement::new());
    let size = |side| Size::new(side).expect("within limits");
    let others = [
        Movement::new().with_size(size(3)),
        Movement::new().with_overlay("danger"),
        Movement::new().with_costs(CostTable::uniform()).with_diagonals(Diagonals::Always),
    ];
    let others: Vec<MovementId> =
        others.into_iter().take(kinds - 1).map(|other| finder.add_movement(other)).collect();
    let ids = std::iter::once(MovementId::FIRST).chain(others).collect();
    (finder, ids)
}

/// Runs one query for each movement, and a path search for the first one. This brings all data
/// derived from the map up to date, also for jump points.
fn ask(finder: &PathFinder, ids: &[MovementId], (from, to): (Cell, Cell)) {
    std::hint::black_box(finder.find(from, to).expect("on the map"));
    for &id in ids {
        let query = PathQuery::new(from, to).with_movement(id);
        std::hint::black_box(finder.is_reachable(&query).expect("on the map"));
    }
}

fn growing() {
    println!(
        "\n| 512 × 512 cells of, movements in use | grown by 64 cells, median / fastest µs | with the next questions | a field after it | a chunk of 64 × 64 appears | with the next questions |\n|---|---|---|---|---|---|"
    );
    let seed = Seed::named("layers");
    for map in [testkit::caves(512, 512, &seed), testkit::terrain(512, 512, 9, 20, &seed)] {
        for kinds in [1, 4] {
            let (mut finder, ids) = world(&map, kinds);
            let home = finder.grid().bounds();
            let ends = (Cell::new(200, 200), Cell::new(300, 300));
            let goal = queries(&map, 1)[0].0;
            ask(&finder, &ids, ends);
            let mut field = finder.field(&[goal]).expect("on the map");
            let [mut grown, mut asked, mut led, mut appeared, mut asked_again] = [const { Vec::new() }; 5];
            for round in 0..40 {
                let (x, y) = [(-64, 0), (0, -64), (0, 0), (0, 0)][round % 4];
                let (wider, taller) = [(64, 0), (0, 64)][round % 2];
                let larger = Bounds::new(Cell::new(x, y), home.width() + wider, home.height() + taller)
                    .expect("within limits");
                for bounds in [larger, home] {
                    let before = Instant::now();
                    finder.resize(bounds, 1);
                    grown.push(before.elapsed());
                    ask(&finder, &ids, ends);
                    asked.push(before.elapsed());
                    let before = Instant::now();
                    field.update(&finder).expect("the goal is on the map");
                    led.push(before.elapsed());
                }
            }
            for round in 0..40 {
                let corner = Cell::new(64 * (1 + round % 6), 64 * (1 + round / 7));
                let chunk = Bounds::new(corner, 64, 64).expect("within limits");
                let class = |cell| finder.grid().terrain(cell).expect("on the map");
                let cells: Vec<Edit> = chunk.cells().map(|cell| Edit::terrain(cell, class(cell))).collect();
                finder.set_terrain_in(chunk, 0).expect("on the map");
                ask(&finder, &ids, ends);
                let before = Instant::now();
                finder.edit(&cells).expect("on the map");
                appeared.push(before.elapsed());
                ask(&finder, &ids, ends);
                asked_again.push(before.elapsed());
            }
            let columns = [grown, asked, led, appeared, asked_again].map(|times| {
                let (median, fastest) = figures(times);
                format!("{median:.0} / {fastest:.0}")
            });
            println!("| {}, {kinds} | {} |", map.name, columns.join(" | "));
        }
    }
}

/// Prints all tables, or the tables named on the command line.
fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let tables: [(&str, fn()); 5] = [
        ("single", single),
        ("rectangles", rectangles),
        ("batches", batches),
        ("among", among_queries),
        ("growing", growing),
    ];
    for (name, table) in tables {
        if wanted.is_empty() || wanted.iter().any(|word| word == name) {
            table();
        }
    }
}
