//! The counted work of sliced searches.
//!
//! The count is complete, and other queries do not change it.

use testkit::Seed;
use tilepath::{
    Algorithm, Cell, Cost, Grid, Movement, NearestQuery, PathFinder, PathQuery, PathSearch, SearchStatus,
};

fn finder(map: &testkit::TileMap) -> PathFinder {
    let grid = Grid::from_classes(map.width, map.height, map.classes.clone()).unwrap();
    PathFinder::new(grid, Movement::new())
}

fn mixed() -> testkit::TileMap {
    testkit::terrain(150, 140, 9, 15, &Seed::named("work"))
}

/// Returns the work after each slice, and the number of nodes expanded at the end.
fn bill(mut search: PathSearch, slice: u64) -> (Vec<u64>, u64) {
    let mut bill = vec![search.work()];
    while search.advance(slice) == SearchStatus::Running {
        bill.push(search.work());
    }
    bill.push(search.work());
    (bill, search.statistics().expanded)
}

fn queries(map: &testkit::TileMap) -> Vec<PathQuery> {
    let pairs = map.queries(12, &Seed::named("work"));
    pairs
        .into_iter()
        .map(|(from, to)| PathQuery::new(Cell::from(from), Cell::from(to)).or_closest())
        .collect()
}

#[test]
fn new_ground_of_many_costs_is_paid_for_by_the_first_search_and_by_no_other() {
    let map = mixed();
    let finder = finder(&map);
    let query = queries(&map)[0];
    let paid = |finder: &PathFinder| {
        let search = finder.begin(&query).unwrap();
        let begun = search.work();
        let (bill, expanded) = bill(search, 64);
        bill.last().unwrap() - begun - expanded
    };
    let first = paid(&finder);
    assert!(first >= 128 * 5 && first % 128 == 0, "{first} for blocks of 16 × 16 cells");
    assert_eq!(paid(&finder), 0, "all data is made");

    let mut edited = finder.clone();
    let cell = query.start();
    let class = edited.grid().terrain(cell).unwrap();
    edited.set_terrain(cell, class % 9 + 1).unwrap();
    let again = paid(&edited);
    assert!((128..first).contains(&again), "{again}: the surroundings of an edit are examined again");
}

#[test]
fn no_slice_passes_its_budget_by_more_than_some_blocks() {
    let map = mixed();
    let (finder, query) = (finder(&map), queries(&map)[0]);
    for (map, algorithm) in [(0, Algorithm::AStar), (1, Algorithm::Dijkstra)] {
        let (bill, _) = bill(finder.begin(&query.with_algorithm(algorithm)).unwrap(), 100);
        assert!(bill.len() > 20, "{map}");
        for slice in bill.windows(2) {
            assert!(slice[1] - slice[0] <= 100 + 16 + 4 * 128, "{} in one slice", slice[1] - slice[0]);
        }
    }
}

#[test]
fn immediate_answers_do_not_change_the_work_of_sliced_searches() {
    let even = testkit::cluttered(140, 120, 38, &Seed::named("work"));
    for map in [mixed(), even] {
        let (mut alone, mut busy) = (finder(&map), finder(&map));
        for (number, query) in queries(&map).into_iter().enumerate() {
            let ask = |finder: &PathFinder| {
                let _ = finder.find(query.goal(), query.start());
                let _ = finder.solve(&query);
                let _ = finder.begin(&query).map(|_| ());
                finder.nearest(query.start(), &[query.goal()]).unwrap();
                finder.range(query.start(), Cost::new(300)).unwrap();
                finder.is_reachable(&PathQuery::new(query.start(), query.goal())).unwrap();
            };
            // In half of the cases, queries also run before the edit, so that some data is made.
            if number % 2 == 0 {
                ask(&busy);
                let _ = alone.begin(&query).map(|_| ());
            }
            let cell = Cell::new(60 + number as i32, 70);
            for finder in [&mut alone, &mut busy] {
                finder.set_terrain(cell, number as u8 % 3).unwrap();
            }
            if number % 3 > 0 {
                ask(&busy);
                let _ = alone.begin(&query).map(|_| ());
            }
            let bills = [&alone, &busy].map(|finder| bill(finder.begin(&query).unwrap(), 37));
            assert_eq!(bills[0], bills[1], "{query:?}");
        }
    }
}

#[test]
fn the_first_search_by_a_movement_pays_for_looking_at_the_whole_map() {
    let mut finder = PathFinder::new(Grid::new(256, 256, 1).unwrap(), Movement::new());
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(9, 0));
    let begun = |finder: &PathFinder, query: PathQuery| finder.begin(&query).unwrap().work();
    let whole = begun(&finder, query.with_algorithm(Algorithm::AStar));
    assert!(whole >= 256 * 256 / 32, "{whole}");
    let lines = begun(&finder, query);
    assert!(lines > 0, "jump points need lines that A* does not");
    assert_eq!(begun(&finder, query), 0, "all data is made");

    finder.set_terrain(Cell::new(3, 3), 0).unwrap();
    let edit = begun(&finder, query);
    assert!(0 < edit && edit < whole / 8, "{edit} for one chunk");
    for cell in finder.grid().bounds().cells().filter(|cell| cell.y > 5 && cell.x % 2 == 0) {
        finder.set_terrain(cell, 0).unwrap();
    }
    assert_eq!(begun(&finder, query), whole, "as much as for the whole map");

    let other = finder.add_movement(Movement::new().with_diagonals(tilepath::Diagonals::Never));
    assert_eq!(begun(&finder, query.with_movement(other)), whole + lines);
}

#[test]
fn finding_the_closest_cells_is_paid_for() {
    let mut grid = Grid::new(256, 256, 0).unwrap();
    for x in 0..256 {
        grid.set_terrain(Cell::new(x, 0), 1).unwrap();
    }
    let finder = PathFinder::new(grid, Movement::new());
    let work = |query: PathQuery| {
        finder.begin(&query).unwrap();
        finder.begin(&query).unwrap().work()
    };
    let query = |y| PathQuery::new(Cell::new(0, 0), Cell::new(128, y));
    assert_eq!(work(query(250)), 0, "without `or_closest` there is no work");
    let (near, far) = (work(query(3).or_closest()), work(query(250).or_closest()));
    assert!(0 < near && near < far, "{near}, {far}");
}

#[test]
fn goals_are_paid_for_when_they_are_accepted() {
    let finder = PathFinder::new(Grid::new(100, 100, 1).unwrap(), Movement::new());
    let goals: Vec<Cell> = (0..1000).map(|goal| Cell::new(goal % 100, 90 + goal / 100)).collect();
    finder.begin_nearest(&NearestQuery::new(Cell::new(0, 0), [Cell::new(3, 0)])).unwrap();
    let mut search = finder.begin_nearest(&NearestQuery::new(Cell::new(0, 0), goals)).unwrap();
    let begun = search.work();
    assert!(begun >= 1000, "{begun}");
    search.advance(70);
    assert_eq!(search.work(), begun + 70);
}
