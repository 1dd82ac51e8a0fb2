//! Views by shadow casting, beside views by lines, and the price of a side's memory.
//!
//! `cargo run --release --bin views`
//!
//! For each shape of cells, map and range: the nanoseconds of a view from an open cell, the cells that it
//! sees, and the nanoseconds of a test by a line for each cell of the disc. Then the time to copy a disc of
//! seen cells into a memory, and the bytes of the memories of eight sides.

use std::{fs, hint::black_box, time::Instant};

use testkit::Seed;
use tilepath::{Cell, Grid, Movement, PathFinder, Topology};

const SIDE: u32 = 256;
const RANGES: [u8; 3] = [8, 16, 32];
/// The open cells from which each map is viewed.
const VIEWERS: usize = 500;
/// The side of the map of which eight sides have a memory.
const LARGE: u32 = 1024;
const SIDES: usize = 8;

fn open_cells(grid: &Grid) -> Vec<Cell> {
    let cells: Vec<Cell> = grid.bounds().cells().filter(|&cell| grid.terrain(cell) == Some(1)).collect();
    cells.iter().copied().step_by((cells.len() / VIEWERS).max(1)).collect()
}

fn is_opaque(grid: &Grid, cell: Cell) -> bool {
    grid.terrain(cell).is_none_or(|class| class == 0)
}

/// Returns the cells that are seen from a cell and lie on the map.
fn view(grid: &Grid, from: Cell, range: u8) -> Vec<Cell> {
    let mut seen = Vec::new();
    let see = |cell| {
        if grid.contains(cell) {
            seen.push(cell)
        }
    };
    grid.topology().view(from, range, |cell| is_opaque(grid, cell), see);
    seen
}

/// Returns the nanoseconds of a call for each of the cells.
fn nanoseconds(cells: &[Cell], mut call: impl FnMut(Cell)) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let begin = Instant::now();
        cells.iter().for_each(|&cell| call(cell));
        best = best.min(begin.elapsed().as_secs_f64() * 1e9 / cells.len() as f64);
    }
    best
}

fn lines(grid: &Grid, from: Cell, range: u8) -> usize {
    let far = i32::from(range);
    let disc = (-far..=far).flat_map(|y| (-far..=far).map(move |x| (x, y)));
    let within = disc.filter(|&(x, y)| match grid.topology() {
        Topology::Square => x * x + y * y <= far * far,
        Topology::Hexagonal => x.abs().max(y.abs()).max((x + y).abs()) <= far,
    });
    let seen = within
        .map(|offset| from + offset)
        .filter(|&to| grid.contains(to) && grid.topology().sees(from, to, |cell| is_opaque(grid, cell)));
    seen.count()
}

/// Returns the resident bytes of this process, or 0 where they cannot be read.
fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) * 1024
}

fn main() {
    println!(
        "| cells | map | range | ns a view | cells seen | ns by lines | lines ÷ view |\n|---|---|{}",
        "--:|".repeat(5)
    );
    let seed = Seed::named("views");
    let maps =
        [testkit::open(SIDE, SIDE), testkit::caves(SIDE, SIDE, &seed), testkit::maze(SIDE, SIDE, 1, &seed)];
    for topology in [Topology::Square, Topology::Hexagonal] {
        for map in &maps {
            let grid = Grid::from_classes(map.width, map.height, map.classes.clone()).expect("a small map");
            let grid = grid.with_topology(topology);
            let viewers = open_cells(&grid);
            for range in RANGES {
                let seen: usize = viewers.iter().map(|&from| view(&grid, from, range).len()).sum();
                let mut count = 0_usize;
                let cast = nanoseconds(&viewers, |from| {
                    let see = |cell| count += usize::from(grid.contains(cell));
                    topology.view(from, range, |cell| is_opaque(&grid, cell), see);
                });
                black_box(count);
                let by_lines = nanoseconds(&viewers, |from| _ = black_box(lines(&grid, from, range)));
                println!(
                    "| {topology} | {} | {range} | {cast:.0} | {} | {by_lines:.0} | {:.1} |",
                    map.name,
                    seen / viewers.len(),
                    by_lines / cast
                );
            }
        }
    }

    let map = testkit::caves(LARGE, LARGE, &seed);
    let truth = Grid::from_classes(map.width, map.height, map.classes).expect("it fits");
    let empty = Grid::from_tiles(truth.bounds(), []).expect("it fits");
    let viewers = open_cells(&truth);
    let seen: Vec<Vec<Cell>> = viewers.iter().map(|&from| view(&truth, from, 16)).collect();
    let mut memory = PathFinder::new(empty.clone(), Movement::new());
    memory.find(viewers[0], viewers[1]).ok();
    let begin = Instant::now();
    for cells in &seen {
        let edits = memory.grid().edits_to_match(&truth, cells.iter().copied()).expect("equal maps");
        memory.edit(&edits).expect("cells of the map");
    }
    let revealed = seen.iter().map(Vec::len).sum::<usize>() / seen.len();
    println!(
        "\nA disc of range 16 in caves of {LARGE} × {LARGE}, {revealed} cells: {:.1} µs to copy into a memory.",
        begin.elapsed().as_secs_f64() * 1e6 / seen.len() as f64
    );
    let before = resident();
    let sides: Vec<PathFinder> = (0..SIDES)
        .map(|_| {
            let mut finder = PathFinder::new(empty.clone(), Movement::new());
            let edits = finder.grid().edits_to_match(&truth, truth.bounds().cells()).expect("equal maps");
            finder.edit(&edits).expect("cells of the map");
            black_box(finder.find(viewers[0], viewers[viewers.len() / 2]).ok());
            finder
        })
        .collect();
    println!(
        "{} memories of {LARGE} × {LARGE}, all of it seen, one movement, after a search each: {:.1} MB.",
        sides.len(),
        (resident() - before) as f64 / 1e6
    );
}
