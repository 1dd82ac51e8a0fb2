//! Batches of edits, beside single edits.
//!
//! A batch is made whole or not at all.

use proptest::prelude::*;
use testkit::Seed;
use tilepath::{Algorithm, Bounds, Cell, Edit, Grid, GridError, Movement, PathFinder, PathQuery};

use crate::worlds::cases;

fn cell() -> impl Strategy<Value = Cell> {
    (0..150, 0..80).prop_map(|(x, y)| Cell::new(x, y))
}

fn area() -> impl Strategy<Value = Edit> {
    (cell(), 0..14_u32, 0..14_u32, 0..=2_u8).prop_map(|(corner, width, height, class)| {
        let (width, height) = (width.min(150 - corner.x as u32), height.min(80 - corner.y as u32));
        Edit::terrain_in(Bounds::new(corner, width, height).unwrap(), class)
    })
}

/// Returns edits of classes that a game may make in one batch.
fn batch() -> impl Strategy<Value = Vec<Edit>> {
    let one = || (cell(), 0..=2_u8).prop_map(|(cell, class)| Edit::terrain(cell, class));
    prop_oneof![
        one().prop_map(|edit| vec![edit]),
        proptest::collection::vec(one(), 0..40),
        area().prop_map(|edit| vec![edit]),
        proptest::collection::vec(prop_oneof![4 => one(), 1 => area()], 0..20),
    ]
}

/// Returns the cells of an edit in their order, with the new class.
fn cells(edit: &Edit) -> Vec<(Cell, u8)> {
    match edit {
        Edit::Terrain { cell, class } => vec![(*cell, *class)],
        Edit::TerrainIn { area, class } => area.cells().map(|cell| (cell, *class)).collect(),
        other => panic!("{other:?} is not an edit of classes"),
    }
}

fn answers(finder: &PathFinder) -> Vec<String> {
    let ends = [(0, 0), (149, 79), (149, 0), (0, 79), (75, 40), (20, 60)].map(Cell::from);
    let pairs =
        ends.iter().flat_map(|&from| ends.iter().map(move |&to| PathQuery::new(from, to).or_closest()));
    let of = |query: PathQuery| {
        let jumps = finder.solve(&query.with_algorithm(Algorithm::JumpPoint));
        let steps = finder.solve(&query.with_algorithm(Algorithm::AStar));
        format!("{jumps:?} {steps:?} {:?}", finder.is_reachable(&query))
    };
    pairs.map(of).collect()
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn batch_of_edits_equals_single_edits_and_a_fresh_finder(
        percent in 0..=40_u32,
        seed in 0..1000_u32,
        batches in proptest::collection::vec(batch(), 1..12),
        // Jump points need a single class of open cells.
        is_even in any::<bool>(),
    ) {
        let map = testkit::cluttered(150, 80, percent, &Seed::named(&seed.to_string()));
        let grid = Grid::from_classes(150, 80, map.classes).unwrap();
        let costs = tilepath::CostTable::identity().with(2, if is_even { 1 } else { 2 });
        let movement = Movement::new().with_costs(costs);
        let mut finder = PathFinder::new(grid, movement.clone());
        let mut single = finder.clone();
        answers(&finder);
        for batch in batches {
            let before = finder.grid().revision();
            let count = finder.edit(&batch).unwrap();
            let singly = batch.iter().flat_map(cells).filter(|(cell, class)| single.set_terrain(*cell, *class).unwrap()).count();
            prop_assert_eq!(count, singly);
            prop_assert_eq!(finder.grid(), single.grid());
            prop_assert_eq!(finder.grid().revision(), single.grid().revision());
            let journals = [&finder, &single].map(|finder| {
                finder.grid().changes_since(before).map(Iterator::collect::<Vec<Cell>>)
            });
            prop_assert_eq!(&journals[0], &journals[1]);
            let fresh = PathFinder::new(finder.grid().clone(), movement.clone());
            let expected = answers(&fresh);
            prop_assert_eq!(answers(&finder), expected.clone());
            prop_assert_eq!(answers(&single), expected);
        }
    }
}

#[test]
fn a_cell_off_the_map_leaves_everything_as_it_was() {
    let grid = Grid::new(20, 10, 1).unwrap().with_origin(Cell::new(-5, -5)).unwrap();
    let mut finder = PathFinder::new(grid.clone(), Movement::new());
    let bounds = grid.bounds();
    let outside = Cell::new(15, 0);
    let edits = [Cell::new(0, 0), outside, Cell::new(99, 99)].map(|cell| Edit::terrain(cell, 0));
    assert_eq!(finder.edit(&edits), Err(GridError::OutOfBounds { cell: outside, bounds }));
    for (corner, width, height, named) in [
        (Cell::new(10, 0), 6, 2, Cell::new(15, 0)),
        (Cell::new(-6, 0), 2, 2, Cell::new(-6, 0)),
        (Cell::new(0, 0), 1, 6, Cell::new(0, 5)),
        (Cell::new(-100, -100), 1000, 1000, Cell::new(-100, -100)),
        (Cell::new(i32::MAX - 3, i32::MAX - 3), 3, 3, Cell::new(i32::MAX - 3, i32::MAX - 3)),
    ] {
        let area = Bounds::new(corner, width, height).unwrap();
        let refused = finder.set_terrain_in(area, 0);
        assert_eq!(refused, Err(GridError::OutOfBounds { cell: named, bounds }), "{area}");
    }
    assert_eq!(finder.set_terrain_in(Bounds::new(Cell::new(500, 500), 0, 7).unwrap(), 0), Ok(0));
    assert_eq!(finder.edit(&[]), Ok(0));
    assert_eq!(*finder.grid(), grid);
    assert_eq!(finder.grid().revision(), grid.revision());
}

#[test]
fn a_cell_given_twice_has_its_last_class() {
    let mut grid = Grid::new(5, 5, 1).unwrap();
    let before = grid.revision();
    let cell = Cell::new(2, 2);
    assert_eq!(grid.edit(&[7, 7, 0].map(|class| Edit::terrain(cell, class))), Ok(2));
    assert_eq!(grid.terrain(cell), Some(0));
    assert_eq!(grid.class_count(7), 0);
    assert_eq!(grid.changes_since(before).unwrap().collect::<Vec<Cell>>(), [cell, cell]);
}
