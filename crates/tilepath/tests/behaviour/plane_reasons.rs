//! Receipts, faults and barriers on maps with all features.
//!
//! The features: sizes, overlays, exits, void cells and hexagons.

use testkit::Seed;
use tilepath::{
    Bounds, Cell, Cost, Diagonals, Edit, Grid, Movement, MovementId, PathFault, PathFinder, PathQuery, Size,
    Topology,
    explain::{ExplainError, FailureExplanation, StepFault},
    format,
};

use crate::plane_worlds::enters_closed_ground;

fn cells(list: &[(i32, i32)]) -> Vec<Cell> {
    list.iter().copied().map(Cell::from).collect()
}

fn fault(finder: &PathFinder, from: (i32, i32), to: (i32, i32)) -> StepFault {
    match finder.explain(&cells(&[from, to]), MovementId::FIRST) {
        Err(ExplainError::IllegalStep { fault, .. }) => fault,
        other => panic!("{other:?}"),
    }
}

fn large(picture: &str, side: u8) -> PathFinder {
    PathFinder::new(
        format::parse_ascii(picture).unwrap(),
        Movement::new().with_size(Size::new(side).unwrap()),
    )
}

#[test]
fn fault_names_the_rock_and_where_it_lies_under_the_unit() {
    let finder = large("...#\n....\n....", 2);
    let fault = fault(&finder, (1, 1), (2, 1));
    assert!(matches!(fault, StepFault::BlockedUnder { cell: Cell { x: 3, y: 2 }, terrain: 0, .. }));
    assert_eq!(
        fault.to_string(),
        "blocked by (3, 2) under the north-east corner of the footprint: class 0 is impassable; go round it"
    );
    let finder = large(".....\n.....\n.....\n...#.\n.....", 3);
    let Err(ExplainError::IllegalStep { fault, .. }) =
        finder.explain(&cells(&[(0, 0), (1, 0)]), MovementId::FIRST)
    else {
        panic!("the rock is beside the unit")
    };
    assert!(fault.to_string().contains("under the east side"), "{fault}");
}

#[test]
fn fault_names_closed_exits_fences_and_void_cells() {
    let mut grid = Grid::new(5, 4, 1).unwrap();
    grid.edit(&[Edit::one_way(Cell::new(0, 0), Cell::new(1, 0))]).unwrap();
    grid.edit(&[Edit::fence(Cell::new(2, 2), Cell::new(3, 2))]).unwrap();
    grid.edit(&[Edit::void(Cell::new(4, 0))]).unwrap();
    let finder = PathFinder::new(grid.clone(), Movement::new());
    assert_eq!(fault(&finder, (1, 0), (0, 0)), StepFault::NoExit { cell: Cell::new(1, 0) });
    assert_eq!(fault(&finder, (3, 0), (4, 0)), StepFault::Void { cell: Cell::new(4, 0) });
    assert!(matches!(fault(&finder, (2, 2), (3, 3)), StepFault::Corner { .. }));

    let always = PathFinder::new(grid.clone(), Movement::new().with_diagonals(Diagonals::Always));
    assert_eq!(fault(&always, (2, 2), (3, 3)), StepFault::FenceEnd { cell: Cell::new(2, 2) });
    let wide = PathFinder::new(grid, Movement::new().with_size(Size::new(2).unwrap()));
    let astride = StepFault::Astride { cells: [Cell::new(2, 2), Cell::new(3, 2)] };
    assert_eq!(fault(&wide, (1, 1), (2, 1)), astride);
    assert_eq!(fault(&wide, (2, 0), (2, 1)), astride);
    assert_eq!(fault(&wide, (1, 0), (0, 0)), StepFault::NoExit { cell: Cell::new(1, 0) });
}

#[test]
fn receipt_has_a_line_for_overlays_and_names_the_costliest_cell_under_the_unit() {
    let mut grid = format::parse_ascii("...\n..3\n...").unwrap();
    grid.set_overlay("danger", [(Cell::new(1, 2), 4)]).unwrap();
    let movement = Movement::new().with_size(Size::new(2).unwrap()).with_overlay("danger");
    let finder = PathFinder::new(grid, movement);
    let receipt = finder.explain(&cells(&[(0, 0), (1, 0), (1, 1)]), MovementId::FIRST).unwrap();
    let grounds: Vec<(Cell, u16, u16)> =
        receipt.steps().iter().map(|step| (step.ground, step.multiplier, step.overlays)).collect();
    assert_eq!(grounds, [(Cell::new(2, 1), 3, 0), (Cell::new(1, 2), 1, 4)]);
    assert_eq!(receipt.total(), Cost::new(30 + 50));
    assert!(receipt.to_string().contains("+4"), "{receipt}");
    let path = finder.find(Cell::new(0, 0), Cell::new(1, 1)).unwrap().into_path().unwrap();
    assert_eq!(path.verify(finder.grid(), finder.movement(MovementId::FIRST).unwrap()), Ok(()));
    let small = path.verify(finder.grid(), &Movement::new());
    assert!(matches!(small, Err(PathFault::WrongCost { .. })), "{small:?}");
}

/// Returns the cost of the cheapest path after these cells are set to the class.
fn cost_with(finder: &PathFinder, query: &PathQuery, opened: &[Cell], class: u8) -> Option<Cost> {
    let mut copy = finder.clone();
    for &cell in opened {
        copy.set_terrain(cell, class).unwrap();
    }
    copy.solve(query).unwrap().outcome.path().map(tilepath::Path::cost)
}

#[test]
fn barriers_on_hexagons_with_void_cells_are_those_found_by_opening_each_cell() {
    for number in 0..150_u32 {
        let seed = Seed::named(&format!("hexagonal barrier {number}"));
        let (width, height) = (3 + number % 6, 2 + number % 5);
        let map = testkit::noise(width, height, 3, 45, &seed);
        let mut grid = Grid::from_classes(width, height, map.classes.clone())
            .unwrap()
            .with_topology(Topology::Hexagonal);
        for (place, (x, y)) in map.queries(4, &seed).into_iter().map(|(from, _)| from).enumerate() {
            if place % 2 == 0 {
                grid.edit(&[Edit::void(Cell::new(x, y))]).unwrap();
            }
        }
        let finder = PathFinder::new(grid, Movement::new());
        for (from, to) in map.queries(6, &seed) {
            let query = PathQuery::new(from.into(), to.into());
            let is_deep = enters_closed_ground(finder.grid(), &Movement::new(), query.start());
            if !finder.grid().contains(query.goal()) || is_deep {
                continue;
            }
            let explained = finder.explain_failure(&query).unwrap();
            let FailureExplanation::Sealed(barrier) = explained else {
                let is_reachable = finder.is_reachable(&query).unwrap();
                assert_eq!(is_reachable, explained == FailureExplanation::Reachable, "{explained:?}");
                let all: Vec<Cell> =
                    finder.grid().bounds().cells().filter(|&c| finder.grid().contains(c)).collect();
                assert_eq!(cost_with(&finder, &query, &all, 1).is_some(), is_reachable, "{explained:?}");
                continue;
            };
            let class = u8::try_from(barrier.opened_at).unwrap();
            let closed = |cell: &Cell| finder.grid().terrain(*cell) == Some(0);
            let mut expected: Vec<(Cost, Cell)> = Bounds::cells(&finder.grid().bounds())
                .filter(closed)
                .filter_map(|cell| Some((cost_with(&finder, &query, &[cell], class)?, cell)))
                .collect();
            expected.sort_by_key(|&(cost, _)| cost);
            let single: Vec<(Cost, Cell)> =
                barrier.single.iter().map(|opening| (opening.cost, opening.cell)).collect();
            assert_eq!(single, expected, "map {number}, {query:?}");
            if let Some(set) = barrier.smallest {
                assert_eq!(cost_with(&finder, &query, &set.cells, class), Some(set.cost), "{query:?}");
            }
        }
    }
}

#[test]
fn barriers_of_large_units_and_exits_make_a_way_once_they_open() {
    for number in 0..80_u32 {
        let seed = Seed::named(&format!("large barrier {number}"));
        let map = testkit::noise(9, 8, 1, 25, &seed);
        let mut grid = Grid::from_classes(9, 8, map.classes.clone()).unwrap();
        if number % 2 == 0 {
            grid.edit(&[Edit::fence(Cell::new(4, 4), Cell::new(5, 4))]).unwrap();
            grid.edit(&[Edit::one_way(Cell::new(2, 2), Cell::new(2, 3))]).unwrap();
        }
        let movement = Movement::new()
            .with_size(Size::new(1 + (number % 3) as u8).unwrap())
            .with_diagonals(Diagonals::ALL[number as usize % 4]);
        let finder = PathFinder::new(grid, movement.clone());
        for (from, to) in map.queries(6, &seed) {
            let query = PathQuery::new(from.into(), to.into());
            if enters_closed_ground(finder.grid(), &movement, query.start()) {
                continue;
            }
            match finder.explain_failure(&query) {
                Ok(FailureExplanation::Sealed(barrier)) => {
                    let class = u8::try_from(barrier.opened_at).unwrap();
                    let opened = match &barrier.smallest {
                        Some(set) => set.cells.clone(),
                        None => vec![barrier.single[0].cell],
                    };
                    let cost = cost_with(&finder, &query, &opened, class);
                    let stated = barrier.smallest.map_or_else(|| barrier.single[0].cost, |set| set.cost);
                    assert!(
                        cost.is_some_and(|cost| cost <= stated),
                        "map {number}, {query:?}: {cost:?}, {stated}"
                    );
                }
                Ok(FailureExplanation::Reachable) => assert!(finder.is_reachable(&query).unwrap()),
                other => assert!(other.is_err() || number % 2 == 0, "{other:?}"),
            }
        }
    }
}
