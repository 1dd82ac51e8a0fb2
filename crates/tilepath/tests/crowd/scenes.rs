//! Everyone arrives, and how long it takes against what cannot be beaten.

use crate::simulation::{Pace, Scene};
use testkit::{Seed, TileMap};
use tilepath::{Cell, Diagonals, Grid, Movement, Topology, format};

const PACES: [Pace; 3] = [Pace::LockStep, Pace::Ticks(&[8]), Pace::Ticks(&[4, 7, 10])];

fn open_cells(grid: &Grid) -> Vec<Cell> {
    grid.bounds().cells().filter(|&cell| grid.terrain(cell) == Some(1)).collect()
}

/// Trips between cells drawn from lists, no two from one cell and no two to one.
fn drawn_trips(starts: &[Cell], goals: &[Cell], count: usize, name: &str) -> Vec<(Cell, Cell)> {
    let starts = Seed::named(&format!("{name}, starts")).shuffled(starts);
    let goals = Seed::named(&format!("{name}, goals")).shuffled(goals);
    starts.into_iter().zip(goals).take(count).collect()
}

fn grid_of(map: &TileMap) -> Grid {
    Grid::from_classes(map.width, map.height, map.classes.clone()).unwrap()
}

/// Runs a scene at each pace; the ratio is of the makespan to a lower bound, by default the longest lone walk.
fn everyone_arrives(
    name: &str,
    grid: &Grid,
    movement: &Movement,
    trips: &[(Cell, Cell)],
    most: f64,
    bound_steps: Option<f64>,
) {
    for pace in PACES {
        let scene = Scene { grid: grid.clone(), movement: movement.clone(), pace, trips: trips.to_vec() };
        let report = scene.run(20_000);
        let missing = report.arrived.iter().filter(|tick| tick.is_none()).count();
        let ticks_a_step = match pace {
            Pace::LockStep => 1.0,
            Pace::Ticks(list) => f64::from(*list.iter().max().unwrap()),
        };
        let bound = bound_steps.map_or(0.0, |steps| steps * ticks_a_step).max(report.longest_alone());
        let ratio = report.makespan() / bound;
        println!(
            "{name} {pace:?}: {} bodies, {} ticks, bound {bound:.0}, ratio {ratio:.2}, {missing} missing",
            trips.len(),
            report.makespan()
        );
        assert_eq!(missing, 0, "{name} {pace:?}");
        assert!(ratio <= most, "{name} {pace:?}: {ratio}");
    }
}

#[test]
fn open_field() {
    let grid = Grid::new(32, 32, 1).unwrap();
    let cells = open_cells(&grid);
    let trips = drawn_trips(&cells, &cells, 100, "open field");
    everyone_arrives("open field", &grid, &Movement::new(), &trips, 1.3, None);
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
        ",
    )
    .unwrap();
    for row in [1, 3] {
        let trips = [(0, 14), (14, 0)].map(|(from, to)| (Cell::new(from, row), Cell::new(to, row)));
        everyone_arrives("head on", &grid, &Movement::new(), &trips, 100.0, None);
    }
    let _ = (Diagonals::Never, Topology::Hexagonal, grid_of);
}
