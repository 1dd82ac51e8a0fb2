//! The maps of the laboratory, drawn by hand or at random.

use testkit::{Seed, TileMap};
use tilepath::{Cell, Direction, Edit, Grid, GridError, Topology, format};
use tilepath_examples::map_file::{self, MarkedMap};

use crate::{
    brush::DANGER,
    settings::{Ground, Size},
    shape::{cell_of, on_hexagons},
};

/// The map that the laboratory opens with: the top row first, `S` the start, `G` the goal.
const USUAL: &str = "
    ................
    ..##########....
    ...........#....
    ...22222...#.G..
    ...24442...#....
    ...24842...#....
    ...24442...#....
    ...22222...#..#.
    ...........#..#.
    .S....######..#.
    .........44...#.
    .........44.....
";
/// A wall with a gap between two towers, a ledge for the path back, and a yard.
const TOWERS: &str = "
    ..........#.........
    ..........#.........
    .S........#.........
    ..........#.........
    .........##.........
    ....................
    ....................
    ....................
    .........##.........
    ..........#......G..
    ..........#.........
    ..........#.........
    ....................
    ....................
";
/// The columns and rows in range of the towers, from the lower left corner: the gap and the cells
/// around it.
const RANGE: ([i32; 2], [i32; 2]) = ([7, 12], [5, 9]);
/// The columns of the ledge, and the row above it.
const LEDGE: ([i32; 2], i32) = ([0, 9], 3);
/// The columns and rows of the fenced yard. Its gate is in its upper side.
const YARD: ([i32; 2], [i32; 2]) = ([15, 18], [3, 6]);
const GATE: ([i32; 2], i32) = ([15, 17], 6);
/// The map of the command line's examples, and the ends of their path: column and row, counted from the top left.
const FORD: &str = include_str!("../../assets/maps/ford.txt");
const FORD_ENDS: [(u32, u32); 2] = [(2, 4), (19, 3)];
/// The map of the soldier's tutorial, with its start and goal, counted from the top left.
const SOLDIER: &str = include_str!("../../assets/maps/tutorial.txt");
const SOLDIER_ENDS: [(u32, u32); 2] = [(2, 2), (9, 9)];
/// The share of scattered walls, in percent.
const SCATTERED: u32 = 24;

/// Returns the map of a ground, a size and a shape of cells. Start and goal are random if the map
/// does not mark them.
pub(crate) fn map(
    topology: Topology,
    ground: Ground,
    size: Size,
    given: Option<&MarkedMap>,
    seed: &Seed,
) -> MarkedMap {
    let squares = match (ground, given) {
        (Ground::Default, _) if size == Size::Small => known(USUAL),
        (Ground::Ford, _) => between(known(FORD), FORD_ENDS),
        (Ground::Soldier, _) => between(known(SOLDIER), SOLDIER_ENDS),
        (Ground::Towers, _) => known(TOWERS),
        (Ground::Given, Some(given)) => given.clone(),
        _ => MarkedMap { grid: generated(ground, size, seed), start: None, goal: None },
    };
    let mut map = match topology {
        Topology::Square => squares,
        Topology::Hexagonal => MarkedMap {
            grid: on_hexagons(&squares.grid),
            start: squares.start.map(|cell| cell_of(topology, cell.x, cell.y)),
            goal: squares.goal.map(|cell| cell_of(topology, cell.x, cell.y)),
        },
    };
    if ground == Ground::Towers {
        man_towers(&mut map.grid).expect("all of it lies on the map, as a test says");
    }
    map
}

fn generated(ground: Ground, size: Size, seed: &Seed) -> Grid {
    let (width, height) = size.cells();
    let mut map = match ground {
        Ground::Default => testkit::cluttered(width, height, SCATTERED, seed),
        Ground::Rooms => testkit::rooms(width, height, 5, seed),
        Ground::Maze => testkit::maze(width, height, 1, seed),
        Ground::Caves => testkit::caves(width, height, seed),
        Ground::Terrain => testkit::terrain(width, height, 4, 14, seed),
        Ground::Open | Ground::Ford | Ground::Soldier | Ground::Towers | Ground::Given => {
            testkit::open(width, height)
        }
    };
    if ground == Ground::Terrain {
        dress(&mut map);
    }
    Grid::from_classes(width, height, map.classes).expect("the sizes are small")
}

/// Adds danger, the ledge and the fence to the map of the towers.
fn man_towers(grid: &mut Grid) -> Result<(), GridError> {
    let topology = grid.topology();
    let area = |[left, right]: [i32; 2], [low, high]: [i32; 2]| -> Vec<Cell> {
        let rows = (low..=high).flat_map(|row| (left..=right).map(move |column| (column, row)));
        rows.map(|(column, row)| cell_of(topology, column, row)).collect()
    };
    let (columns, rows) = RANGE;
    let middle = area([columns[0] + 1, columns[1] - 1], [rows[0] + 1, rows[1] - 1]);
    let in_range = area(columns, rows).into_iter();
    let danger: Vec<(Cell, u16)> =
        in_range.map(|cell| (cell, if middle.contains(&cell) { 9 } else { 3 })).collect();
    grid.set_overlay(DANGER, danger)?;

    let (columns, row) = LEDGE;
    let upper = area(columns, [row, row]);
    for down in [Direction::South, Direction::SouthEast] {
        if down == Direction::South || topology == Topology::Hexagonal {
            grid.edit(&upper.iter().map(|&cell| Edit::ledge(cell, down)).collect::<Vec<Edit>>())?;
        }
    }
    let (columns, rows) = YARD;
    let yard = area(columns, rows);
    let gate = area(GATE.0, [GATE.1, GATE.1]);
    for &inside in &yard {
        for &direction in topology
            .directions()
            .iter()
            .filter(|&&direction| topology == Topology::Hexagonal || !direction.is_diagonal())
        {
            let outside = inside + direction.offset();
            let is_gate = gate.contains(&inside) && outside.y > inside.y;
            if !yard.contains(&outside) && !is_gate {
                grid.edit(&[Edit::fence(inside, outside)])?;
            }
        }
    }
    Ok(())
}

/// Parses a built-in map.
fn known(text: &str) -> MarkedMap {
    map_file::parse(text).expect("the maps of the program are sound, as a test says")
}

/// Returns a map with its start and goal.
fn between(map: MarkedMap, ends: [(u32, u32); 2]) -> MarkedMap {
    let [start, goal] = ends.map(|(column, row)| format::cell_from_top(&map.grid.bounds(), column, row));
    MarkedMap { start, goal, ..map }
}

/// Replaces each class by the ground of a brush, so that a player can paint it.
fn dress(map: &mut TileMap) {
    for class in &mut map.classes {
        *class = match *class {
            0 => 0,
            1 => 8,
            2 => 1,
            3 => 2,
            _ => 4,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilepath::{Movement, PathFinder};

    /// Returns the cheapest path between the marks, and the cheapest path of a unit that ignores
    /// danger.
    fn ways(topology: Topology, reversed: bool) -> [Vec<Cell>; 2] {
        let map = map(topology, Ground::Towers, Size::Small, None, &Seed::named("towers"));
        let (mut from, mut to) = (map.start.unwrap(), map.goal.unwrap());
        if reversed {
            (from, to) = (to, from);
        }
        [Movement::new().with_overlay(DANGER), Movement::new()].map(|movement| {
            let finder = PathFinder::new(map.grid.clone(), movement);
            finder.find(from, to).unwrap().into_path().unwrap().cells().to_vec()
        })
    }

    #[test]
    fn at_the_towers_danger_leads_round_by_the_ledge_which_is_no_way_back() {
        for topology in [Topology::Square, Topology::Hexagonal] {
            let in_gap = |way: &[Cell]| (5..=8).any(|row| way.contains(&cell_of(topology, 10, row)));
            let steps_off =
                |way: &[Cell]| way.windows(2).any(|pair| pair[0].y == LEDGE.1 && pair[1].y < LEDGE.1);
            let [careful, bold] = ways(topology, false);
            assert!(in_gap(&bold) && !in_gap(&careful) && steps_off(&careful), "{topology}");
            let [back, _] = ways(topology, true);
            assert!(in_gap(&back), "{topology}: up the ledge there is no way");
        }
    }
}
