//! Grids made from tiles, beside grids made cell by cell.

use proptest::prelude::*;
use tilepath::{Bounds, Cell, Grid, GridError};

use crate::worlds::cases;

/// Rectangles of few and of many machine words, with tiles, some of which are set twice.
fn tiles() -> impl Strategy<Value = (Bounds, Vec<(Cell, u8)>)> {
    ((-90..90, -90..90), 1..140_u32, 1..8_u32).prop_flat_map(|(origin, width, height)| {
        let bounds = Bounds::new(Cell::from(origin), width, height).unwrap();
        let count = bounds.cell_count();
        let tile = (0..count, 0..=3_u8).prop_map(move |(slot, class)| (bounds.cell(slot).unwrap(), class));
        (Just(bounds), proptest::collection::vec(tile, 0..count * 4))
    })
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn tiles_make_the_same_grid_as_cells((bounds, tiles) in tiles()) {
        let mut cells = vec![None; bounds.cell_count()];
        for &(cell, class) in &tiles {
            cells[bounds.slot(cell).unwrap()] = Some(class);
        }
        let grid = Grid::from_tiles(bounds, tiles).unwrap();
        prop_assert_eq!(&grid, &Grid::from_cells(bounds, &cells).unwrap());
        for class in 0..=3 {
            let there = cells.iter().filter(|&&cell| cell == Some(class)).count();
            prop_assert_eq!(grid.class_count(class), there, "class {}", class);
        }
        for (cell, known) in bounds.cells().zip(cells) {
            prop_assert_eq!(grid.terrain(cell), known, "{}", cell);
        }
    }
}

#[test]
fn a_tile_beside_the_bounds_is_refused() {
    let bounds = Bounds::new(Cell::new(2, 2), 3, 3).unwrap();
    for outside in [Cell::new(1, 2), Cell::new(5, 2), Cell::new(2, 5), Cell::new(i32::MIN, i32::MAX)] {
        let refused = Grid::from_tiles(bounds, [(Cell::new(2, 2), 1), (outside, 1)]);
        assert_eq!(refused.err(), Some(GridError::OutOfBounds { cell: outside, bounds }));
    }
    let empty = Bounds::new(Cell::default(), 0, 5).unwrap();
    assert_eq!(Grid::from_tiles(empty, []).unwrap(), Grid::new(0, 5, 1).unwrap());
}
