//! Neighbours on a lattice: the tiles that touch as drawn.

use testkit::{LATTICES, tiles_touch};
use tilepath::{Cost, Diagonals, Direction, Grid, Lattice, Movement, PathFinder, RangeQuery};

/// Sizes with even and odd numbers of columns and rows.
const SIZES: [(i32, i32); 4] = [(4, 5), (5, 4), (6, 6), (5, 5)];

fn tiles((columns, rows): (i32, i32)) -> impl Iterator<Item = (i32, i32)> {
    (0..rows).flat_map(move |y| (0..columns).map(move |x| (x, y)))
}

#[test]
fn the_lattices_are_the_nine_of_the_oracle() {
    let names: Vec<&str> = Lattice::ALL.iter().map(|lattice| lattice.name()).collect();
    assert_eq!(names, LATTICES);
}

#[test]
fn cells_touch_where_tiles_do() {
    for &lattice in Lattice::ALL {
        // The second corner is west and south of tile (0, 0), in an odd column and row.
        for (size, (left, low)) in SIZES.into_iter().flat_map(|size| [(size, (0, 0)), (size, (-3, -5))]) {
            let all = || tiles(size).map(|(x, y)| (x + left, y + low));
            for (one, other) in all().flat_map(|one| all().map(move |other| (one, other))) {
                let direction = Direction::between(lattice.cell_of(one), lattice.cell_of(other));
                let is_step = direction.is_some_and(|direction| lattice.topology().has(direction));
                let touch = tiles_touch(lattice.name(), one, other);
                assert_eq!(is_step, touch, "{lattice}: {one:?} {other:?}");
            }
        }
    }
}

#[test]
fn one_step_leads_to_the_tiles_that_touch() {
    let movement = Movement::new().with_diagonals(Diagonals::Always);
    for &lattice in Lattice::ALL {
        for size in SIZES {
            let bounds = lattice.bounds_of(size.0 as u32, size.1 as u32).unwrap();
            let grid = Grid::from_tiles(bounds, tiles(size).map(|tile| (lattice.cell_of(tile), 1))).unwrap();
            let finder = PathFinder::new(grid.with_topology(lattice.topology()), movement.clone());
            for tile in tiles(size) {
                let range =
                    finder.solve_range(&RangeQuery::new(lattice.cell_of(tile), Cost::new(14))).unwrap();
                let mut found: Vec<_> =
                    range.cells().iter().map(|reached| lattice.tile_of(reached.cell)).collect();
                found.retain(|&other| other != tile);
                found.sort_unstable_by_key(|&(x, y)| (y, x));
                let touching = tiles(size).filter(|&other| tiles_touch(lattice.name(), tile, other));
                assert_eq!(found, touching.collect::<Vec<_>>(), "{lattice} {size:?}: from {tile:?}");
            }
        }
    }
}
