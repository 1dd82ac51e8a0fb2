//! Rooms with few free cells or none.
//!
//! In the end, each body arrives.

use crate::simulation::{LedBy, Pace, Scene};
use testkit::Seed;
use tilepath::{Cell, Diagonals, Grid, Movement, Topology};

const PACES: [Pace; 3] = [Pace::LockStep, Pace::Ticks(&[8]), Pace::Ticks(&[4, 7, 10])];
const SEEDS: u32 = 6;

/// Returns square rooms with sides of 2 to 7 cells, and rings two cells wide.
fn rooms() -> Vec<(String, Grid)> {
    let mut rooms: Vec<(String, Grid)> =
        (2..=7).map(|side| (format!("room of {side}"), Grid::new(side, side, 1).unwrap())).collect();
    for side in [5, 6, 8] {
        let mut ring = Grid::new(side, side, 1).unwrap();
        let inner = |place: i32| (2..side as i32 - 2).contains(&place);
        for cell in ring.bounds().cells().filter(|cell| inner(cell.x) && inner(cell.y)).collect::<Vec<_>>() {
            ring.set_terrain(cell, 0).unwrap();
        }
        rooms.push((format!("ring of {side}"), ring));
    }
    rooms
}

/// Fills all cells except `free` of them with bodies, whose goals are the cells in a drawn order.
/// Returns the runs in which bodies did not arrive.
#[expect(clippy::print_stdout, reason = "the table of rooms, to be seen with --nocapture")]
fn missing(name: &str, grid: &Grid, movement: &Movement, free: usize, most_steps: u32) -> Vec<String> {
    let cells: Vec<Cell> = grid.bounds().cells().filter(|&cell| grid.terrain(cell) == Some(1)).collect();
    let mut all = Vec::new();
    for (pace, led_by) in PACES.into_iter().flat_map(|pace| [(pace, LedBy::Fields), (pace, LedBy::OwnWays)]) {
        let ticks_a_step = match pace {
            Pace::LockStep => 1,
            Pace::Ticks(list) => *list.iter().max().unwrap(),
        };
        let mut latest: f64 = 0.0;
        for seed in 0..SEEDS {
            let goals = Seed::named(&format!("full {name} {seed}")).shuffled(&cells);
            let trips: Vec<(Cell, Cell)> =
                cells.iter().copied().zip(goals).take(cells.len() - free).collect();
            let scene = Scene { grid: grid.clone(), movement: movement.clone(), pace, led_by, trips };
            let report = scene.run(most_steps * ticks_a_step);
            let missing = report.arrived.iter().filter(|tick| tick.is_none()).count();
            if missing > 0 {
                all.push(format!("{name}, {free} free, {pace:?} {led_by:?}, seed {seed}: {missing} missing"));
            } else {
                latest = latest.max(report.makespan() / f64::from(ticks_a_step));
            }
        }
        println!("{name}, {free} free, {pace:?} {led_by:?}: the last arrived after {latest:.0} steps");
    }
    all
}

#[test]
fn all_arrive_in_rooms_without_a_free_cell() {
    let mut failed = Vec::new();
    for diagonals in [Diagonals::default(), Diagonals::Never] {
        let movement = Movement::new().with_diagonals(diagonals);
        for (name, grid) in rooms() {
            failed.extend(missing(&format!("{name}, {diagonals:?}"), &grid, &movement, 0, 2_000));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn all_arrive_in_rooms_with_one_free_cell() {
    let mut failed = Vec::new();
    for (topology, diagonals) in [
        (Topology::Square, Diagonals::default()),
        (Topology::Square, Diagonals::Never),
        (Topology::Hexagonal, Diagonals::default()),
    ] {
        let movement = Movement::new().with_diagonals(diagonals);
        for (name, grid) in rooms() {
            let name = format!("{name}, {topology:?}, {diagonals:?}");
            failed.extend(missing(&name, &grid.with_topology(topology), &movement, 1, 2_000));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// At acute corners, no body can follow directly behind another. So some bodies never arrive.
#[test]
fn rooms_of_hexagons_without_a_free_cell_keep_the_rules() {
    for (name, grid) in rooms() {
        let grid = grid.with_topology(Topology::Hexagonal);
        missing(&name, &grid, &Movement::new(), 0, 60);
    }
}
