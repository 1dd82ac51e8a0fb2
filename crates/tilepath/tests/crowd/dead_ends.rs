//! Goals one behind the other in a dead end.
//!
//! The bodies must get into the order of their goals.

use crate::{
    errands::Errands,
    simulation::{LedBy, Pace},
};
use testkit::Seed;
use tilepath::{Cell, Diagonals, Grid, Movement, Topology};

const PACES: [Pace; 2] = [Pace::LockStep, Pace::Ticks(&[16])];

/// Makes a room before a corridor of `cells` cells. The room is as long as the corridor, but at
/// least six cells, and three cells high.
fn room_before_a_corridor(cells: i32) -> (Grid, i32) {
    let mouth = cells.max(6);
    let mut grid = Grid::new((mouth + cells) as u32, 3, 1).unwrap();
    for cell in grid.bounds().cells().filter(|cell| cell.x >= mouth && cell.y != 1).collect::<Vec<_>>() {
        grid.set_terrain(cell, 0).unwrap();
    }
    (grid, mouth)
}

/// Lets bodies run at both paces, led by fields and by paths of their own. Returns the runs that
/// failed.
#[expect(clippy::print_stdout, reason = "the table of scenes, to be seen with --nocapture")]
fn all_settle(name: &str, grid: &Grid, movement: &Movement, errands: &[(Cell, Option<Cell>)]) -> Vec<String> {
    let mut failed = Vec::new();
    let ordered = errands.iter().filter(|(_, goal)| goal.is_some()).count();
    for (pace, led_by) in PACES.into_iter().flat_map(|pace| [(pace, LedBy::Fields), (pace, LedBy::OwnWays)]) {
        let ticks_a_step = match pace {
            Pace::LockStep => 1,
            Pace::Ticks(list) => list[0],
        };
        let trips = errands.to_vec();
        let errands = Errands { grid: grid.clone(), movement: movement.clone(), pace, led_by, trips };
        let outcome = errands.run(375 * ordered as u32 * ticks_a_step);
        let missing = outcome.arrived.iter().filter(|tick| tick.is_none()).count();
        println!(
            "{name} {pace:?} {led_by:?}: settled after {:?} steps, {missing} missing, {} astray",
            outcome.settled.map(|ticks| ticks / ticks_a_step),
            outcome.astray
        );
        // If the return takes too long, a body rests where it is. On squares, steps of one tick
        // leave enough time for the return.
        let has_time = pace == Pace::LockStep && grid.topology() == Topology::Square;
        if missing > 0 || outcome.settled.is_none() || has_time && outcome.astray > 0 {
            failed.push(format!("{name} {pace:?} {led_by:?}: {outcome:#?}\n{}", outcome.last.join("\n\n")));
        }
    }
    failed
}

/// Returns bodies in a row, the first one nearest to the corridor. The goals are cells of the
/// corridor, counted from its mouth.
fn row_to_corridor(mouth: i32, goals: &[i32]) -> Vec<(Cell, Option<Cell>)> {
    let errand =
        |(place, goal): (i32, &i32)| (Cell::new(mouth - 1 - place, 1), Some(Cell::new(mouth + goal, 1)));
    (0..).zip(goals).map(errand).collect()
}

const SIZES: [i32; 4] = [2, 3, 4, 6];

fn rows_fill_corridor(name: &str, movement: &Movement, topology: Topology, sizes: &[i32]) {
    let mut failed = Vec::new();
    for &cells in sizes {
        let (grid, mouth) = room_before_a_corridor(cells);
        let grid = grid.with_topology(topology);
        let reversed: Vec<i32> = (0..cells).collect();
        let in_order: Vec<i32> = (0..cells).rev().collect();
        let turned: Vec<i32> = (0..cells).map(|place| (place + 1) % cells).collect();
        for (order, goals) in [("reversed", reversed), ("in order", in_order), ("turned", turned)] {
            let name = format!("{name}, {cells} {order}");
            failed.extend(all_settle(&name, &grid, movement, &row_to_corridor(mouth, &goals)));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn row_fills_corridor_whatever_its_order() {
    rows_fill_corridor("row", &Movement::new(), Topology::Square, &SIZES);
}

#[test]
fn row_fills_corridor_in_four_directions() {
    let straight = Movement::new().with_diagonals(Diagonals::Never);
    rows_fill_corridor("row, four directions", &straight, Topology::Square, &SIZES);
}

#[test]
fn row_fills_corridor_of_hexagons() {
    rows_fill_corridor("row, hexagons", &Movement::new(), Topology::Hexagonal, &SIZES[..3]);
}

#[test]
fn bodies_inside_the_corridor_change_their_order() {
    let mut failed = Vec::new();
    for cells in SIZES {
        let (grid, mouth) = room_before_a_corridor(cells);
        let at = |place: i32| Cell::new(mouth + place, 1);
        let mirrored = (0..cells).map(|place| (at(place), Some(at(cells - 1 - place))));
        let turned = (0..cells).map(|place| (at(place), Some(at((place + 1) % cells))));
        for (order, errands) in [("mirrored", mirrored.collect::<Vec<_>>()), ("turned", turned.collect())] {
            failed.extend(all_settle(&format!("inside, {cells} {order}"), &grid, &Movement::new(), &errands));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

fn rows_push_idle_bodies_out(topology: Topology, diagonals: Diagonals, sizes: &[i32]) {
    let mut failed = Vec::new();
    for &cells in sizes {
        for idle in 1..=cells {
            let (grid, mouth) = room_before_a_corridor(cells);
            let mut errands = row_to_corridor(mouth, &(0..cells).collect::<Vec<_>>());
            errands.extend((0..idle).map(|place| (Cell::new(mouth + cells - 1 - place, 1), None)));
            let grid = grid.with_topology(topology);
            let movement = Movement::new().with_diagonals(diagonals);
            let name = format!("{cells} and {idle} idle, {topology:?}, {diagonals:?}");
            failed.extend(all_settle(&name, &grid, &movement, &errands));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn idle_bodies_in_the_corridor_make_way() {
    rows_push_idle_bodies_out(Topology::Square, Diagonals::default(), &SIZES);
    rows_push_idle_bodies_out(Topology::Square, Diagonals::Never, &SIZES[..2]);
    rows_push_idle_bodies_out(Topology::Hexagonal, Diagonals::default(), &SIZES[..2]);
}

#[test]
fn row_fills_corridor_in_drawn_orders() {
    let mut failed = Vec::new();
    for cells in 3..=6 {
        let (grid, mouth) = room_before_a_corridor(cells);
        for seed in 0..12 {
            let name = format!("drawn, {cells} by {seed}");
            let goals = Seed::named(&name).shuffled(&(0..cells).collect::<Vec<_>>());
            for diagonals in [Diagonals::Never, Diagonals::default()] {
                let movement = Movement::new().with_diagonals(diagonals);
                let errands = row_to_corridor(mouth, &goals);
                failed.extend(all_settle(&format!("{name}, {diagonals:?}"), &grid, &movement, &errands));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn more_bodies_than_cells_with_one_goal_keep_the_rules_and_one_arrives() {
    let (grid, mouth) = room_before_a_corridor(2);
    for (pace, goal) in PACES.into_iter().flat_map(|pace| [(pace, 0), (pace, 1)]) {
        let trips = row_to_corridor(mouth, &[goal; 4]);
        let (grid, movement) = (grid.clone(), Movement::new());
        let outcome = Errands { grid, movement, pace, led_by: LedBy::Fields, trips }.run(1_500);
        assert!(outcome.arrived.iter().any(Option::is_some), "{outcome:#?}");
    }
}
