//! Maps whose closed exits are all open again.
//!
//! No trace of the closed exits is left.

use testkit::Seed;
use tilepath::{
    Algorithm, Bounds, Cell, Diagonals, Edit, Exits, Grid, Movement, PathFinder, PathQuery, Size, WhatIf,
    field::{FieldQuery, FieldState},
};

/// The algorithms whose choice of path depends on derived data.
const ALGORITHMS: [Algorithm; 3] = [Algorithm::Auto, Algorithm::AStar, Algorithm::JumpPoint];

/// Checks that both finders give the same answers.
#[track_caller]
fn assert_same_answers(edited: &PathFinder, plain: &PathFinder) {
    assert!(edited.grid() == plain.grid(), "both have the same map");
    let cells: Vec<Cell> = plain.grid().bounds().cells().collect();
    let [first, last] = [cells[0], cells[cells.len() - 1] - (1, 1)];
    for movement in plain.movements() {
        let [id, same] = [plain, edited].map(|finder| finder.movement_id(movement).unwrap());
        for (from, to) in [(first, last), (last, first)] {
            for algorithm in ALGORITHMS {
                let query = PathQuery::new(from, to).with_algorithm(algorithm);
                let [answer, expected] =
                    [(edited, same), (plain, id)].map(|(finder, id)| finder.solve(&query.with_movement(id)));
                assert_eq!(answer, expected, "{algorithm}, {movement:?}");
            }
        }
    }
}

fn open_field() -> PathFinder {
    PathFinder::new(Grid::new(20, 20, 1).unwrap(), Movement::new())
}

#[test]
fn map_with_its_last_fence_reopened_has_jump_points() {
    let (plain, mut edited) = (open_field(), open_field());
    edited.edit(&[Edit::fence(Cell::new(3, 3), Cell::new(4, 3))]).unwrap();
    assert!(edited.find(Cell::new(0, 0), Cell::new(9, 3)).is_ok(), "the data for exits is made");
    edited.edit(&[Edit::open_edge(Cell::new(3, 3), Cell::new(4, 3))]).unwrap();
    assert_same_answers(&edited, &plain);
}

#[test]
fn map_with_one_of_two_fences_open_again_keeps_the_other() {
    let mut finder = PathFinder::new(Grid::new(3, 1, 1).unwrap(), Movement::new());
    let [west, middle, east] = [0, 1, 2].map(|x| Cell::new(x, 0));
    finder.edit(&[Edit::fence(west, middle)]).unwrap();
    finder.edit(&[Edit::fence(middle, east)]).unwrap();
    finder.edit(&[Edit::open_edge(west, middle)]).unwrap();
    assert!(finder.is_reachable(&PathQuery::new(west, middle)).unwrap());
    assert!(!finder.is_reachable(&PathQuery::new(west, east)).unwrap());
    finder.edit(&[Edit::exits(middle, Exits::ALL)]).unwrap();
    assert!(
        !finder.is_reachable(&PathQuery::new(east, west)).unwrap(),
        "the other half of the fence is closed"
    );
    finder.edit(&[Edit::exits(east, Exits::ALL)]).unwrap();
    assert!(finder.is_reachable(&PathQuery::new(east, west)).unwrap());
}

#[test]
fn path_of_equal_cost_does_not_depend_on_a_fence_of_the_past() {
    let grid = Grid::from_classes(3, 3, vec![1, 1, 1, 1, 0, 1, 1, 1, 0]).unwrap();
    let plain = PathFinder::new(grid.clone(), Movement::new());
    for (from, to) in [((0, 0), (1, 0)), ((0, 1), (0, 0)), ((1, 0), (2, 0))] {
        let mut edited = PathFinder::new(grid.clone(), Movement::new());
        edited.edit(&[Edit::fence(from.into(), to.into())]).unwrap();
        edited.edit(&[Edit::open_edge(from.into(), to.into())]).unwrap();
        for algorithm in ALGORITHMS {
            for (start, goal) in [((2, 2), (0, 0)), ((2, 1), (0, 2))] {
                let query = PathQuery::new(start.into(), goal.into()).with_algorithm(algorithm);
                assert_eq!(edited.solve(&query), plain.solve(&query), "{algorithm}");
            }
        }
        assert_same_answers(&edited, &plain);
    }
}

#[test]
fn every_movement_and_what_if_forgets_the_last_exit() {
    let map = testkit::noise(70, 40, 1, 20, &Seed::named("reopened exits"));
    let grid = Grid::from_classes(map.width, map.height, map.classes).unwrap();
    let mut plain = PathFinder::new(grid, Movement::new());
    for diagonals in Diagonals::ALL {
        plain.add_movement(Movement::new().with_diagonals(diagonals));
    }
    plain.add_movement(Movement::new().with_size(Size::new(2).unwrap()));
    let mut edited = plain.clone();
    let mut what_if = WhatIf::new(&edited);
    let ledge = |x| Edit::ledge(Cell::new(x, 20), tilepath::Direction::South);
    edited.edit(&(10..20).map(ledge).collect::<Vec<Edit>>()).unwrap();
    for movement in plain.movements() {
        let id = plain.movement_id(movement).unwrap();
        let query = PathQuery::new(Cell::new(0, 0), Cell::new(68, 38)).with_movement(id);
        edited.solve(&query).unwrap();
        what_if.with_edits(&edited, &[]).unwrap().solve(&query).unwrap();
    }
    for cell in edited.grid().bounds().cells() {
        edited.edit(&[Edit::exits(cell, Exits::ALL)]).unwrap();
    }
    assert_same_answers(&edited, &plain);
    assert_same_answers(&edited.clone(), &plain);
    assert_same_answers(what_if.with_edits(&edited, &[]).unwrap(), &plain);
}

#[test]
fn map_that_shrinks_past_its_last_fence_forgets_it() {
    let small = Bounds::new(Cell::new(0, 0), 16, 20).unwrap();
    let mut plain = open_field();
    plain.resize(small, 1);
    let mut edited = open_field();
    edited.edit(&[Edit::fence(Cell::new(17, 3), Cell::new(18, 3))]).unwrap();
    edited.find(Cell::new(0, 0), Cell::new(19, 3)).unwrap();
    edited.resize(small, 1);
    assert_same_answers(&edited, &plain);
    let large = Bounds::new(Cell::new(-5, 0), 30, 20).unwrap();
    plain.resize(large, 1);
    edited.resize(large, 1);
    assert_same_answers(&edited, &plain);
}

#[test]
fn search_paused_at_a_fence_ends_at_it_and_a_field_follows_its_opening() {
    let mut finder = open_field();
    for y in 0..20 {
        finder.edit(&[Edit::fence(Cell::new(9, y), Cell::new(10, y))]).unwrap();
    }
    let mut field = finder.begin_field(&FieldQuery::new([Cell::new(0, 0)])).unwrap();
    field.advance(30);
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(19, 19)).without_reachability();
    let expected = finder.solve(&query);
    let mut search = finder.begin(&query).unwrap();
    search.advance(5);
    for y in 0..20 {
        finder.edit(&[Edit::open_edge(Cell::new(9, y), Cell::new(10, y))]).unwrap();
    }
    assert_eq!(search.finish(), expected);
    assert_same_answers(&finder, &open_field());
    field.update(&finder).unwrap();
    field.advance(u64::MAX);
    let fresh = open_field().field(&[Cell::new(0, 0)]).unwrap();
    for cell in finder.grid().bounds().cells() {
        assert!(matches!(field.state(cell), FieldState::Settled(_)));
        assert_eq!((field.state(cell), field.direction(cell)), (fresh.state(cell), fresh.direction(cell)));
    }
}
