//! Invalid inputs: each gets a typed error, and none panics.

use proptest::prelude::*;
use proptest::sample::select;
use testkit::{DiagonalRule, Rules};
use tilepath::{
    Algorithm, Bounds, Cell, CostTable, Diagonals, Grid, GridError, Movement, MovementId, Outcome,
    PathFinder, PathQuery, QueryError, StepCosts, Topology,
};

use crate::worlds::{Prices, World, cases, world};

fn coordinate() -> impl Strategy<Value = i32> {
    prop_oneof![
        any::<i32>(),
        -3..=12_i32,
        select(vec![i32::MIN, i32::MIN + 1, -1, 0, i32::MAX - 1, i32::MAX]),
    ]
}

fn cell() -> impl Strategy<Value = Cell> {
    (coordinate(), coordinate()).prop_map(Cell::from)
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn any_coordinates_get_a_typed_answer(world in world(8, Prices::Any), from in cell(), to in cell()) {
        let mut finder = world.finder();
        let bounds = finder.grid().bounds();
        for algorithm in [Algorithm::Auto, Algorithm::Dijkstra, Algorithm::Greedy, Algorithm::BreadthFirst] {
            let query = PathQuery::new(from, to).with_algorithm(algorithm).or_closest();
            let answer = finder.solve(&query);
            match (bounds.contains(from), bounds.contains(to)) {
                (false, _) => {
                    prop_assert_eq!(answer.unwrap_err(), QueryError::StartOutOfBounds { cell: from, bounds });
                    prop_assert!(finder.begin(&query).is_err());
                }
                (true, false) => {
                    prop_assert_eq!(answer.unwrap_err(), QueryError::GoalOutOfBounds { cell: to, bounds });
                    prop_assert!(finder.begin(&query).is_err());
                }
                (true, true) => prop_assert!(answer.is_ok() || answer == Err(QueryError::CostOverflow)),
            }
        }
        prop_assert_eq!(finder.grid().terrain(from).is_some(), bounds.contains(from));
        prop_assert_eq!(finder.set_terrain(from, 3).is_ok(), bounds.contains(from));
        let movement = world.movement();
        for direction in tilepath::Direction::ALL {
            let step = movement.step_cost(finder.grid(), from, direction);
            prop_assert!(step.is_none() || bounds.contains(from));
        }
        prop_assert_eq!(movement.distance(Topology::Square, from, to), movement.distance(Topology::Square, to, from));
    }

    #[test]
    fn slots_and_cells_are_opposites(
        width in 0..50_u32,
        height in 0..50_u32,
        origin in cell(),
        probe in cell(),
    ) {
        let fits = |low: i32, side: u32| i64::from(low) + i64::from(side) <= i64::from(i32::MAX);
        let bounds = Bounds::new(origin, width, height);
        prop_assert_eq!(bounds.is_ok(), fits(origin.x, width) && fits(origin.y, height));
        let Ok(bounds) = bounds else { return Ok(()) };
        prop_assert_eq!(bounds.is_empty(), width * height == 0);
        prop_assert_eq!(bounds.cells().count(), bounds.cell_count());
        for (slot, cell) in bounds.cells().enumerate() {
            prop_assert_eq!(bounds.slot(cell), Some(slot));
            prop_assert_eq!(bounds.cell(slot), Some(cell));
        }
        prop_assert_eq!(bounds.cell(bounds.cell_count()), None);
        prop_assert_eq!(bounds.contains(probe), bounds.slot(probe).is_some());
        let inside = |probe: i32, low: i32, side: u32| {
            let offset = i64::from(probe) - i64::from(low);
            (0..i64::from(side)).contains(&offset)
        };
        let expected = inside(probe.x, origin.x, width) && inside(probe.y, origin.y, height);
        prop_assert_eq!(bounds.contains(probe), expected);
    }
}

#[test]
fn a_map_without_cells_answers_out_of_bounds() {
    for (width, height) in [(0, 0), (0, 5), (5, 0), (0, 65_535)] {
        let grid = Grid::new(width, height, 1).unwrap();
        assert!(grid.bounds().is_empty());
        assert!(grid.classes().is_empty());
        let bounds = grid.bounds();
        let mut finder = PathFinder::new(grid, Movement::default());
        let origin = Cell::new(0, 0);
        assert_eq!(finder.find(origin, origin), Err(QueryError::StartOutOfBounds { cell: origin, bounds }));
        assert_eq!(finder.set_terrain(origin, 1), Err(GridError::OutOfBounds { cell: origin, bounds }));
        finder.add_movement(Movement::new().with_diagonals(Diagonals::Always));
    }
}

#[test]
fn maps_over_the_limits_are_refused_before_anything_is_allocated() {
    for (width, height) in
        [(65_536, 1), (1, 65_536), (16_385, 16_384), (65_535, 65_535), (u32::MAX, u32::MAX)]
    {
        let error = GridError::MapTooLarge { width, height };
        assert_eq!(Grid::new(width, height, 1).unwrap_err(), error);
        assert_eq!(Grid::from_classes(width, height, Vec::new()).unwrap_err(), error);
        assert_eq!(Bounds::new(Cell::new(0, 0), width, height).unwrap_err(), error);
        assert!(error.to_string().contains(&width.to_string()), "{error}");
    }
    assert!(Bounds::new(Cell::new(0, 0), 16_384, 16_384).is_ok());
    assert!(Bounds::new(Cell::new(0, 0), 65_535, 4_096).is_ok());
}

#[test]
fn a_wrong_number_of_cells_is_refused() {
    for count in [0, 5, 7, 600] {
        let error = Grid::from_classes(3, 2, vec![1; count]).unwrap_err();
        assert_eq!(error, GridError::WrongCellCount { expected: 6, found: count });
    }
}

#[test]
fn an_origin_that_does_not_fit_is_refused() {
    let grid = || Grid::new(10, 10, 1).unwrap();
    for origin in [Cell::new(i32::MAX, 0), Cell::new(0, i32::MAX - 8), Cell::new(i32::MAX, i32::MAX)] {
        assert!(matches!(grid().with_origin(origin), Err(GridError::OriginOutOfRange { .. })), "{origin}");
    }
    let lowest = grid().with_origin(Cell::new(i32::MIN, i32::MIN)).unwrap();
    assert!(lowest.contains(Cell::new(i32::MIN + 9, i32::MIN)));
    assert!(!lowest.contains(Cell::new(i32::MAX, i32::MIN)));
}

#[test]
fn an_unknown_movement_is_an_error() {
    let mut other = PathFinder::new(Grid::new(3, 3, 1).unwrap(), Movement::default());
    let second = other.add_movement(Movement::new().with_diagonals(Diagonals::Never));
    assert!(other.movement(second).is_some());
    let finder = PathFinder::new(Grid::new(3, 3, 1).unwrap(), Movement::default());
    assert!(finder.movement(second).is_none());
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(2, 2)).with_movement(second);
    assert_eq!(finder.solve(&query), Err(QueryError::UnknownMovement(second)));
}

#[test]
fn a_weight_below_one_hundred_per_cent_is_an_error() {
    let finder = PathFinder::new(Grid::new(3, 3, 1).unwrap(), Movement::default());
    let solve = |percent| {
        let algorithm = Algorithm::WeightedAStar { percent };
        finder.solve(&PathQuery::new(Cell::new(0, 0), Cell::new(2, 2)).with_algorithm(algorithm))
    };
    for percent in [0, 1, 99] {
        assert_eq!(solve(percent), Err(QueryError::InvalidWeight { percent }));
    }
    for percent in [100, 101, u16::MAX] {
        assert!(matches!(solve(percent).unwrap().outcome, Outcome::Found(_)), "{percent}");
    }
}

/// The cost of one step of 65,535 × 65,535 fits into a `Cost`; the cost of two steps does not.
#[test]
fn costs_past_the_largest_are_an_overflow_and_never_unreachable() {
    let costliest = Movement::new()
        .with_costs(CostTable::impassable().with(1, u16::MAX))
        .with_steps(StepCosts::new(u16::MAX, u16::MAX).unwrap());
    let finder = PathFinder::new(Grid::new(5, 1, 1).unwrap(), costliest);
    let ask = |goal, algorithm| {
        let query = PathQuery::new(Cell::new(0, 0), Cell::new(goal, 0)).with_algorithm(algorithm);
        finder.solve(&query).map(|answer| answer.outcome)
    };
    for algorithm in [
        Algorithm::Auto,
        Algorithm::AStar,
        Algorithm::Dijkstra,
        Algorithm::Greedy,
        Algorithm::BreadthFirst,
        Algorithm::WeightedAStar { percent: 200 },
    ] {
        assert_eq!(ask(2, algorithm), Err(QueryError::CostOverflow), "{algorithm}");
        assert_eq!(ask(4, algorithm), Err(QueryError::CostOverflow), "{algorithm}");
        assert_eq!(ask(0, algorithm).unwrap().into_path().unwrap().steps(), 0, "{algorithm}");
        let path = ask(1, algorithm).unwrap().into_path().unwrap();
        assert_eq!(path.cost().get(), 65_535 * 65_535, "{algorithm}");
    }
}

/// A path whose cost overflows must not hide a cheap path.
#[test]
fn a_way_around_ground_that_overflows_is_found() {
    let mut table = CostTable::impassable().with(1, 1);
    table = table.with(9, u16::MAX);
    let movement = Movement::new().with_costs(table).with_steps(StepCosts::new(65_535, 65_535).unwrap());
    let picture = "
        .....
        .999.
        .999.
        .....
    ";
    let grid = tilepath::format::parse_ascii(picture).unwrap();
    let finder = PathFinder::new(grid, movement);
    for algorithm in [Algorithm::Auto, Algorithm::AStar, Algorithm::Dijkstra] {
        let query = PathQuery::new(Cell::new(0, 1), Cell::new(4, 2)).with_algorithm(algorithm);
        let path = finder.solve(&query).unwrap().outcome.into_path().unwrap();
        assert_eq!(path.cost().get(), 5 * 65_535, "{algorithm}");
        assert!(path.is_optimal());
    }
}

#[test]
fn a_limit_of_nothing_is_an_answer() {
    let world = World::new(testkit::open(9, 9), Rules::classic(DiagonalRule::Always));
    let finder = world.finder();
    let query = PathQuery::new(Cell::new(4, 4), Cell::new(8, 8)).with_limit(0);
    let answer = finder.solve(&query).unwrap();
    let Outcome::LimitReached { best, .. } = answer.outcome else { panic!("{answer:?}") };
    assert_eq!(best.cells(), [Cell::new(4, 4)]);
    assert_eq!(answer.statistics.expanded, 0);
    let trivial = PathQuery::new(Cell::new(4, 4), Cell::new(4, 4)).with_limit(0);
    assert!(matches!(finder.solve(&trivial).unwrap().outcome, Outcome::Found(_)));
}

#[test]
fn a_map_of_walls_has_no_way() {
    for diagonals in Diagonals::ALL {
        let grid = Grid::new(7, 5, 0).unwrap();
        let finder = PathFinder::new(grid, Movement::new().with_diagonals(diagonals));
        let (from, to) = (Cell::new(1, 1), Cell::new(5, 3));
        assert_eq!(finder.find(from, to), Ok(Outcome::Unreachable { closest: None }));
        let answer = finder.solve(&PathQuery::new(from, to).or_closest()).unwrap();
        let Outcome::Unreachable { closest: Some(path) } = answer.outcome else { panic!("{answer:?}") };
        assert_eq!(path.cells(), [from]);
    }
}

#[test]
fn every_error_says_what_to_do() {
    let bounds = Bounds::new(Cell::new(-2, 3), 10, 20).unwrap();
    let cell = Cell::new(99, -99);
    let errors = [
        QueryError::StartOutOfBounds { cell, bounds },
        QueryError::GoalOutOfBounds { cell, bounds },
        QueryError::CostOverflow,
        QueryError::InvalidWeight { percent: 50 },
    ];
    for error in errors {
        let message = error.to_string();
        assert!(message.len() > 30 && !message.contains("Error"), "{message}");
    }
    assert!(QueryError::GoalOutOfBounds { cell, bounds }.to_string().contains("(99, -99)"));
}

#[test]
fn movements_that_are_equal_now_need_not_stay_so() {
    let mut finder = PathFinder::new(Grid::new(5, 5, 1).unwrap(), Movement::new());
    let infantry = finder.add_movement(Movement::new());
    let wagon = finder.add_movement(Movement::new());
    finder.set_movement(wagon, Movement::new().with_diagonals(Diagonals::Never)).unwrap();
    let cost = |id| {
        let query = PathQuery::new(Cell::new(0, 0), Cell::new(2, 2)).with_movement(id);
        finder.solve(&query).unwrap().outcome.path().unwrap().cost().get()
    };
    assert_eq!([MovementId::FIRST, infantry, wagon].map(cost), [28, 28, 40]);
    assert_eq!(finder.movement_id(&Movement::new()), Some(MovementId::FIRST));
    assert_eq!(finder.movement_id(&Movement::new().with_diagonals(Diagonals::Never)), Some(wagon));
    assert_eq!(finder.movement_id(&Movement::new().with_diagonals(Diagonals::Always)), None);
}

#[test]
fn refusal_of_jump_points_names_the_cost_of_jumps() {
    let costly = Movement::new().with_costs(CostTable::impassable().with(1, u16::MAX));
    let finder = PathFinder::new(Grid::new(5_000, 2, 1).unwrap(), costly);
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(9, 1)).with_algorithm(Algorithm::JumpPoint);
    let error = finder.solve(&query).unwrap_err();
    assert_eq!(error, QueryError::NoJumpPoints);
    assert!(error.to_string().contains("must cost less than 2^32"), "{error}");
}
