//! Scenes in which all bodies arrive within a time.

use crate::simulation::{LedBy, Pace, Scene};
use testkit::{Seed, TileMap};
use tilepath::{Cell, Diagonals, Grid, Movement, PathFinder, Topology, format};

const PACES: [Pace; 3] = [Pace::LockStep, Pace::Ticks(&[8]), Pace::Ticks(&[4, 7, 10])];

fn open_cells(grid: &Grid) -> Vec<Cell> {
    grid.bounds().cells().filter(|&cell| grid.terrain(cell) == Some(1)).collect()
}

/// Returns trips between cells drawn from lists. No two trips share a start or a goal.
fn drawn_trips(starts: &[Cell], goals: &[Cell], count: usize, name: &str) -> Vec<(Cell, Cell)> {
    let starts = Seed::named(&format!("{name}, starts")).shuffled(starts);
    let goals = Seed::named(&format!("{name}, goals")).shuffled(goals);
    starts.into_iter().zip(goals).take(count).collect()
}

fn grid_of(map: &TileMap) -> Grid {
    Grid::from_classes(map.width, map.height, map.classes.clone()).unwrap()
}

/// Runs a scene at each pace, led by fields and by paths of their own. The ratio is the makespan
/// (the time of the last arrival) ÷ a lower bound. The default bound is the longest walk of a body
/// alone.
#[expect(clippy::print_stdout, reason = "the table of scenes, to be seen with --nocapture")]
fn everyone_arrives(
    name: &str,
    grid: &Grid,
    movement: &Movement,
    trips: &[(Cell, Cell)],
    most: f64,
    bound_steps: Option<f64>,
) {
    let mut failed = Vec::new();
    for (pace, led_by) in PACES.into_iter().flat_map(|pace| [(pace, LedBy::Fields), (pace, LedBy::OwnWays)]) {
        let scene =
            Scene { grid: grid.clone(), movement: movement.clone(), pace, led_by, trips: trips.to_vec() };
        let report = scene.run(8_000);
        let missing = report.arrived.iter().filter(|tick| tick.is_none()).count();
        let ticks_a_step = match pace {
            Pace::LockStep => 1.0,
            Pace::Ticks(list) => f64::from(*list.iter().max().unwrap()),
        };
        let bound = bound_steps.map_or(0.0, |steps| steps * ticks_a_step).max(report.longest_alone());
        let ratio = report.makespan() / bound;
        println!(
            "{name} {pace:?} {led_by:?}: {} bodies, {} ticks, bound {bound:.0}, ratio {ratio:.2}, {missing} missing",
            trips.len(),
            report.makespan()
        );
        if missing > 0 || ratio > most {
            failed.push(format!(
                "{name} {pace:?} {led_by:?}: {missing} missing, ratio {ratio}\n{}",
                report.last.join("\n\n")
            ));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn open_field() {
    let grid = Grid::new(32, 32, 1).unwrap();
    let cells = open_cells(&grid);
    let trips = drawn_trips(&cells, &cells, 100, "open field");
    everyone_arrives("open field", &grid, &Movement::new(), &trips, 1.3, None);
}

/// Returns the cells from which a cell can be reached.
fn cells_around(grid: &Grid, cell: Cell) -> Vec<Cell> {
    let finder = PathFinder::new(grid.clone(), Movement::new());
    let field = finder.field(&[cell]).unwrap();
    grid.bounds()
        .cells()
        .filter(|&cell| field.cost(cell).is_some() && grid.terrain(cell) == Some(1))
        .collect()
}

#[test]
fn rooms() {
    let grid = grid_of(&testkit::rooms(39, 39, 7, &Seed::named("crowded rooms")));
    let cells = cells_around(&grid, open_cells(&grid)[0]);
    let trips = drawn_trips(&cells, &cells, 60, "rooms");
    everyone_arrives("rooms", &grid, &Movement::new(), &trips, 2.0, None);
}

fn wall_with_a_gap() -> Grid {
    let mut grid = Grid::new(25, 13, 1).unwrap();
    for y in (0..13).filter(|&y| y != 6) {
        grid.set_terrain(Cell::new(12, y), 0).unwrap();
    }
    grid
}

fn area(xs: std::ops::Range<i32>, ys: std::ops::Range<i32>) -> Vec<Cell> {
    xs.flat_map(|x| ys.clone().map(move |y| Cell::new(x, y))).collect()
}

/// The lower bound: seven steps to the gap for the first body, one step for each body after it, and
/// seven steps from the gap for the last one.
#[test]
fn two_groups_through_a_gap_of_one_cell() {
    let mut trips = drawn_trips(&area(1..6, 8..13), &area(19..24, 0..5), 25, "gap from the north");
    trips.extend(drawn_trips(&area(1..6, 0..5), &area(19..24, 8..13), 25, "gap from the south"));
    everyone_arrives("gap", &wall_with_a_gap(), &Movement::new(), &trips, 1.5, Some(63.0));
}

#[test]
fn two_groups_against_each_other_through_a_gap_of_one_cell() {
    let (west, east) = (area(2..7, 4..9), area(18..23, 4..9));
    let mut trips = drawn_trips(&west, &east, 25, "gap east");
    trips.extend(drawn_trips(&east, &west, 25, "gap west"));
    everyone_arrives("gap, both ways", &wall_with_a_gap(), &Movement::new(), &trips, 5.0, Some(50.0));
}

#[test]
fn crossroads() {
    let is_road = |place: i32| (12..16).contains(&place);
    let mut grid = Grid::new(28, 28, 0).unwrap();
    for cell in grid.bounds().cells().filter(|cell| is_road(cell.x) || is_road(cell.y)).collect::<Vec<_>>() {
        grid.set_terrain(cell, 1).unwrap();
    }
    let (west, east) = (area(0..6, 12..16), area(22..28, 12..16));
    let (south, north) = (area(12..16, 0..6), area(12..16, 22..28));
    let mut trips = drawn_trips(&west, &east, 16, "crossroads east");
    trips.extend(drawn_trips(&south, &north, 16, "crossroads north"));
    everyone_arrives("crossroads", &grid, &Movement::new(), &trips, 2.0, None);
}

#[test]
fn circle_swap() {
    let grid = Grid::new(41, 41, 1).unwrap();
    let mut ring: Vec<Cell> = Vec::new();
    for place in 0..64 {
        let angle = std::f64::consts::TAU * f64::from(place) / 64.0;
        let at = |part: f64| 20 + (part * 18.0).round() as i32;
        ring.push(Cell::new(at(angle.cos()), at(angle.sin())));
    }
    let trips: Vec<(Cell, Cell)> = (0..64).map(|place| (ring[place], ring[(place + 32) % 64])).collect();
    everyone_arrives("circle", &grid, &Movement::new(), &trips, 2.5, None);
}

#[test]
fn warehouse() {
    let mut grid = Grid::new(33, 21, 1).unwrap();
    // Shelves of 7 × 1 cells between aisles one cell wide.
    for y in (1..20).step_by(2) {
        for x in (0..33).filter(|x| x % 8 != 0) {
            grid.set_terrain(Cell::new(x, y), 0).unwrap();
        }
    }
    let cells = open_cells(&grid);
    let trips = drawn_trips(&cells, &cells, cells.len() * 3 / 10, "warehouse");
    everyone_arrives("warehouse", &grid, &Movement::new(), &trips, 4.0, None);
}

#[test]
fn corridor_with_bays() {
    let grid = format::parse_ascii(
        "
        ####.#####.#####.####
        .....................
        #######.#####.#######
        ",
    )
    .unwrap();
    let cell = |x: i32| Cell::new(x, 1);
    let trips: Vec<(Cell, Cell)> =
        (0..2).flat_map(|x| [(cell(x), cell(20 - x)), (cell(20 - x), cell(x))]).collect();
    everyone_arrives("bays", &grid, &Movement::new(), &trips, 100.0, None);
}

#[test]
fn dead_ends() {
    let grid = format::parse_ascii(
        "
        ###.###
        ###.###
        .......
        ###.###
        ###.###
        ",
    )
    .unwrap();
    let cells = open_cells(&grid);
    let mut trips = Vec::new();
    for (first, start) in cells.iter().enumerate() {
        for (second, other) in cells.iter().enumerate().filter(|&(second, _)| second != first) {
            // Each pair of starts. Its goals are far from both starts in the list.
            let goals = [cells[(second * 5 + first) % 9], cells[(second * 5 + first + 4) % 9]];
            trips.push([(*start, goals[0]), (*other, goals[1])]);
        }
    }
    for pair in trips {
        everyone_arrives("dead ends", &grid, &Movement::new(), &pair, 100.0, None);
    }
}

#[test]
fn body_that_ends_before_another_in_a_dead_end_lets_it_past() {
    let grid = format::parse_ascii(
        "
        2242##13
        1434#2#3
        ##3##3#4
        #2413313
        4#144#43
        #332#411
        ",
    )
    .unwrap();
    let ends = [Cell::new(5, 4), Cell::new(5, 3)];
    let starts = area(2..8, 0..4).into_iter().filter(|&cell| grid.terrain(cell) != Some(0));
    let starts: Vec<Cell> = starts.filter(|cell| !ends.contains(cell)).collect();
    for &start in &starts {
        for &other in starts.iter().filter(|&&other| other != start) {
            for ends in [ends, [ends[1], ends[0]]] {
                let trips = [(start, ends[0]), (other, ends[1])];
                everyone_arrives("one past the other", &grid, &Movement::new(), &trips, 20.0, None);
            }
        }
    }
}

#[test]
fn full_room() {
    let grid = Grid::new(12, 12, 1).unwrap();
    let cells = open_cells(&grid);
    let trips = drawn_trips(&cells, &cells, 129, "full room");
    everyone_arrives("full room", &grid, &Movement::new(), &trips, 20.0, None);
    let straight = Movement::new().with_diagonals(Diagonals::Never);
    everyone_arrives("full room, four directions", &grid, &straight, &trips, 20.0, None);
}

#[test]
fn hexagons() {
    let mut grid = Grid::new(32, 32, 1).unwrap().with_topology(Topology::Hexagonal);
    let cells = open_cells(&grid);
    let trips = drawn_trips(&cells, &cells, 100, "hexagons");
    everyone_arrives("hexagons, open", &grid, &Movement::new(), &trips, 1.3, None);
    for y in (0..32).filter(|&y| y != 16) {
        grid.set_terrain(Cell::new(16, y), 0).unwrap();
    }
    let trips = drawn_trips(&area(2..9, 12..20), &area(22..29, 12..20), 50, "hexagons east");
    everyone_arrives("hexagons, gap", &grid, &Movement::new(), &trips, 1.5, Some(63.0));
}

#[test]
fn head_on_pairs() {
    let grid = format::parse_ascii(
        "
        #######.#######
        ...............
        ###############
        ......##.......
        #####....######
        #######.#######
        ",
    )
    .unwrap();
    for row in [2, 4] {
        let trips = [(0, 14), (14, 0)].map(|(from, to)| (Cell::new(from, row), Cell::new(to, row)));
        everyone_arrives("head on", &grid, &Movement::new(), &trips, 100.0, None);
    }
}
