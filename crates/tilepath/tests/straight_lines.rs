//! Straight lines in place of cells, against points sampled along each line.

use proptest::prelude::*;
use testkit::Seed;
use tilepath::{
    Cell, CostTable, Diagonals, Direction, Edit, Grid, Movement, Path, PathFinder, PathQuery, Size, Topology,
    graph::Position,
};

/// The parts into which the oracle cuts a line.
const PARTS: u32 = 4_000;

/// Returns a place in the plane, where distances are measured with a ruler.
fn plane(topology: Topology, [x, y]: [f64; 2]) -> [f64; 2] {
    match topology {
        Topology::Square => [x, y],
        Topology::Hexagonal => [x + y / 2.0, y * 0.75_f64.sqrt()],
    }
}

fn distance(topology: Topology, one: [f64; 2], other: [f64; 2]) -> f64 {
    let [x, y] = plane(topology, [one[0] - other[0], one[1] - other[1]]);
    (x * x + y * y).sqrt()
}

fn place(cell: Cell) -> [f64; 2] {
    [cell.x.into(), cell.y.into()]
}

/// Returns the cell with the nearest centre.
fn nearest(topology: Topology, at: [f64; 2]) -> Cell {
    let around = |place: f64| (place.floor() as i32 - 1)..=(place.floor() as i32 + 2);
    let cells = around(at[0]).flat_map(|x| around(at[1]).map(move |y| Cell::new(x, y)));
    cells
        .min_by(|&one, &other| {
            distance(topology, place(one), at).total_cmp(&distance(topology, place(other), at))
        })
        .expect("there are cells around")
}

/// Returns the multiplier of an anchor, from its cells and overlays.
fn multiplier(grid: &Grid, movement: &Movement, anchor: Cell) -> Option<f64> {
    let mut most = 0.0_f64;
    for cell in movement.size().footprint(anchor) {
        let from_table = movement.costs().multiplier(grid.terrain(cell)?);
        let overlays: u32 = movement.overlays().iter().map(|name| u32::from(grid.overlay(name, cell))).sum();
        let is_shut = movement.overlays().iter().any(|name| grid.overlay(name, cell) == Grid::CLOSING);
        if from_table == 0 || is_shut {
            return None;
        }
        most = most.max(f64::from(u32::from(from_table) + overlays));
    }
    Some(most)
}

/// Returns the points along the line between two cells, at the middles of its parts.
fn points(from: Cell, to: Cell) -> impl Iterator<Item = [f64; 2]> {
    (0..PARTS).map(move |part| {
        let share = (f64::from(part) + 0.5) / f64::from(PARTS);
        let [from, to] = [place(from), place(to)];
        [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * share)
    })
}

fn line_cost(grid: &Grid, movement: &Movement, from: Cell, to: Cell) -> Option<f64> {
    let topology = grid.topology();
    let mut sum = 0.0;
    for point in points(from, to) {
        sum += multiplier(grid, movement, nearest(topology, point))?;
    }
    Some(sum / f64::from(PARTS) * distance(topology, place(from), place(to)))
}

fn cells_cost(grid: &Grid, movement: &Movement, cells: &[Cell]) -> Option<f64> {
    cells.windows(2).try_fold(0.0, |sum, pair| {
        let length = distance(grid.topology(), place(pair[0]), place(pair[1]));
        let both = multiplier(grid, movement, pair[0])? + multiplier(grid, movement, pair[1])?;
        Some(sum + both / 2.0 * length)
    })
}

/// Returns a problem of a line on squares: a closed cell under the moved square of the unit, or a
/// closed border between two cells under the line.
fn fault_on_squares(grid: &Grid, movement: &Movement, from: Cell, to: Cell) -> Option<Cell> {
    let side = f64::from(movement.size().side());
    let mut before = from;
    let single = movement.clone().with_size(Size::ONE);
    for [x, y] in points(from, to) {
        // A little less than the square, because it may touch walls.
        let covered = |at: f64| (at - 1.0 + 1e-6).floor() as i32 + 1..(at + side - 1e-6).ceil() as i32;
        let mut cells = covered(x).flat_map(|x| covered(y).map(move |y| Cell::new(x, y)));
        if let Some(cell) = cells.find(|&cell| multiplier(grid, &single, cell).is_none()) {
            return Some(cell);
        }
        let here = nearest(Topology::Square, [x, y]);
        if here != before {
            let step = Direction::between(before, here)?;
            if movement.step_cost(grid, before, step).is_none() {
                return Some(here);
            }
            before = here;
        }
    }
    None
}

fn fault_on_hexagons(grid: &Grid, movement: &Movement, from: Cell, to: Cell) -> Option<Cell> {
    let mut before = from;
    for point in points(from, to) {
        let here = nearest(Topology::Hexagonal, point);
        if multiplier(grid, movement, here).is_none() {
            return Some(here);
        }
        if let Some(step) = Direction::between(before, here).filter(|_| here != before)
            && movement.step_cost(grid, before, step).is_none()
        {
            return Some(here);
        }
        before = here;
    }
    None
}

fn map(seed: u32, topology: Topology, walls: i32) -> Grid {
    let map = testkit::terrain(26, 26, 3, 5, &Seed::named(&format!("lines {seed}")));
    let mut grid = Grid::from_classes(map.width, map.height, map.classes.clone())
        .expect("a small map")
        .with_topology(topology);
    let mut state = u64::from(seed) + 1;
    let mut draw = |below: i32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % below as u64) as i32
    };
    for _ in 0..walls {
        let cell = Cell::new(draw(26), draw(26));
        grid.set_terrain(cell, 0).expect("it is on the map");
    }
    for _ in 0..20 {
        let cell = Cell::new(draw(25), draw(25));
        let beside = Cell::new(cell.x + 1, cell.y);
        let edit = if draw(2) == 0 { Edit::one_way(cell, beside) } else { Edit::fence(cell, beside) };
        let _ = grid.edit(&[edit]);
        grid.set_overlay("danger", [(Cell::new(draw(26), draw(26)), draw(9) as u16)])
            .expect("it is on the map");
    }
    grid
}

fn paths(grid: &Grid, movement: &Movement) -> Vec<Path> {
    let finder = PathFinder::new(grid.clone(), movement.clone());
    let ends = [(0, 0), (25, 25), (25, 0), (0, 25), (12, 13), (3, 20), (22, 9)].map(Cell::from);
    let pairs = ends.into_iter().flat_map(|from| ends.into_iter().map(move |to| (from, to)));
    pairs.filter_map(|(from, to)| finder.solve(&PathQuery::new(from, to)).ok()?.outcome.into_path()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn line_is_never_dearer_than_its_cells_and_crosses_nothing_closed(
        seed in 0..100_000_u32,
        is_hexagonal in any::<bool>(),
        side in 1..=3_u8,
        rule in 0..4_usize,
        has_overlays in any::<bool>(),
        walls in 0..80_i32,
    ) {
        let topology = if is_hexagonal { Topology::Hexagonal } else { Topology::Square };
        let grid = map(seed, topology, walls);
        let mut movement = Movement::new().with_diagonals(Diagonals::ALL[rule]).with_size(Size::new(side).unwrap());
        if has_overlays {
            movement = movement.with_overlay("danger");
        }
        for path in paths(&grid, &movement) {
            let ends: Vec<usize> = path.straight_lines(0, &grid, &movement).collect();
            prop_assert_eq!((ends[0], *ends.last().unwrap()), (0, path.steps()));
            for line in ends.windows(2) {
                prop_assert!(line[0] < line[1]);
                if line[1] == line[0] + 1 {
                    continue;
                }
                let cells = &path.cells()[line[0]..=line[1]];
                let [from, to] = [cells[0], cells[cells.len() - 1]];
                let fault = match topology {
                    Topology::Square => fault_on_squares(&grid, &movement, from, to),
                    Topology::Hexagonal => fault_on_hexagons(&grid, &movement, from, to),
                };
                prop_assert_eq!(fault, None, "{} to {}", from, to);
                let [line, cells] = [line_cost(&grid, &movement, from, to), cells_cost(&grid, &movement, cells)];
                let (line, cells) = (line.unwrap(), cells.unwrap());
                // The samples of the oracle miss each border by half a part.
                prop_assert!(line <= cells * 1.002 + 1e-9, "{} to {}: {} {}", from, to, line, cells);
            }
        }
    }

    #[test]
    fn open_ground_is_crossed_in_one_line(x in -60..60_i32, y in -60..60_i32, is_hexagonal in any::<bool>()) {
        let topology = if is_hexagonal { Topology::Hexagonal } else { Topology::Square };
        prop_assume!(topology.steps(Cell::new(0, 0), Cell::new(x, y)) <= 64);
        let mut grid = Grid::new(130, 130, 1).unwrap().with_topology(topology);
        let _ = grid.set_terrain(Cell::new(129, 129), 2);
        let finder = PathFinder::new(grid, Movement::new());
        let from = Cell::new(65, 65);
        let path = finder.find(from, Cell::new(65 + x, 65 + y)).unwrap().into_path().unwrap();
        let ends: Vec<usize> = path.straight_lines(0, finder.grid(), &Movement::new()).collect();
        prop_assert_eq!(ends.len(), 1 + usize::from(path.steps() > 0));
    }
}

#[test]
fn line_over_mud_is_taken_only_if_it_costs_no_more() {
    let mut grid = Grid::new(12, 7, 1).unwrap();
    for x in 3..9 {
        for y in 2..5 {
            grid.set_terrain(Cell::new(x, y), 9).unwrap();
        }
    }
    let finder = PathFinder::new(grid, Movement::new());
    let path = finder.find(Cell::new(0, 3), Cell::new(11, 3)).unwrap().into_path().unwrap();
    let ends: Vec<usize> = path.straight_lines(0, finder.grid(), &Movement::new()).collect();
    assert!(ends.len() > 2, "{ends:?}: the straight line leads through the mud");
    let flat = Movement::new().with_costs(CostTable::uniform());
    let path = Path::from_cells(path.into_cells(), finder.grid(), &flat).unwrap();
    assert_eq!(path.straight_lines(0, finder.grid(), &flat).count(), 2);
}

#[test]
fn line_from_anywhere_is_checked_and_a_bad_position_is_never_on_one() {
    let mut grid = Grid::new(9, 9, 1).unwrap();
    grid.set_terrain(Cell::new(4, 4), 0).unwrap();
    let movement = Movement::new();
    let fault = |from: (f64, f64), to: (f64, f64)| {
        movement.line_fault(&grid, Position::from(from), Position::from(to))
    };
    assert_eq!(fault((0.7, 1.3), (8.2, 2.9)), None);
    assert_eq!(fault((0.7, 1.3), (8.2, 5.9)), Some(Cell::new(4, 4)));
    assert_eq!(fault((3.5, 3.5), (3.5, 3.5)), None);
    assert_eq!(fault((3.6, 3.6), (3.6, 3.6)), Some(Cell::new(4, 4)));
    assert_eq!(fault((3.5, 1.5), (3.5, 8.5)), None, "along the wall");
    for bad in [f64::NAN, f64::INFINITY, -1e18] {
        assert!(fault((bad, 1.0), (2.0, 2.0)).is_some() && fault((2.0, 2.0), (1.0, bad)).is_some());
    }
    assert!(fault((0.5, 0.5), (1e9, 0.5)).is_some(), "off the map");
    let upright = Movement::new().with_diagonals(Diagonals::Never);
    let at = |x: f64, y: f64| Position::new(x, y);
    assert_eq!(upright.line_fault(&grid, at(0.5, 0.5), at(8.5, 0.5)), None);
    assert!(upright.line_fault(&grid, at(0.5, 0.5), at(8.5, 2.5)).is_some());
}
