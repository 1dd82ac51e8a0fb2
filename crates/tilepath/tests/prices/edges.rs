//! Named edges: rivers, cliffs, fords, and edges that end a turn.

use tilepath::{
    Cell, Cost, CostTable, Crossing, Diagonals, Direction, Edit, Grid, GridError, LandmarkCount,
    LandmarkStatus, Movement, MovementId, Path, PathFinder, PathQuery, QueryError, Size, StepCosts, Topology,
    explain::StopReason, turns::TurnQuery,
};

fn path(finder: &PathFinder, from: (i32, i32), to: (i32, i32)) -> Option<Path> {
    finder.find(from.into(), to.into()).unwrap().into_path()
}

/// A map with a river north of a row, from column `first` to the eastern side.
fn river(width: u32, height: u32, row: i32, first: i32) -> Grid {
    let mut grid = Grid::new(width, height, 1).unwrap();
    let banks = (first..width as i32).map(|x| Edit::edges("river", Cell::new(x, row), [Direction::North]));
    grid.edit(&banks.collect::<Vec<_>>()).unwrap();
    grid
}

fn wader() -> Movement {
    Movement::new().with_edges("river", Crossing::Costs(6))
}

#[test]
fn river_costs() {
    let finder = PathFinder::new(river(5, 4, 1, 0), wader());
    let over = path(&finder, (2, 0), (2, 3)).unwrap();
    assert_eq!(over.cost(), Cost::new(10 + 70 + 10));
    let slanting = wader().step_cost(finder.grid(), Cell::new(1, 1), Direction::NorthEast);
    assert_eq!(slanting, Some(Cost::new(14 * 7)), "a diagonal step crosses it once");
    let field = finder.field(&[Cell::new(2, 3)]).unwrap();
    assert_eq!(field.cost(Cell::new(2, 0)), Some(over.cost()));
    let range = finder.range(Cell::new(2, 1), Cost::new(60)).unwrap();
    assert!(range.cells().iter().all(|reached| reached.cell.y <= 1), "the other bank is too far");
}

#[test]
fn river_that_no_movement_names_changes_nothing() {
    let finder = PathFinder::new(river(5, 4, 1, 0), Movement::new());
    assert_eq!(path(&finder, (2, 0), (2, 3)).unwrap().cost(), Cost::new(30));
    let without = PathFinder::new(Grid::new(5, 4, 1).unwrap(), wader());
    assert_eq!(path(&without, (2, 0), (2, 3)).unwrap().cost(), Cost::new(30));
}

#[test]
fn cliff_stops_wheels_only() {
    let mut grid = Grid::new(4, 3, 1).unwrap();
    let cliff = [0, 1, 2].map(|x| Edit::edges("cliff", Cell::new(x, 1), [Direction::South]));
    grid.edit(&cliff).unwrap();
    let mut finder = PathFinder::new(grid, Movement::new());
    let wheels = finder.add_movement(Movement::new().with_edges("cliff", Crossing::Closed));
    let (low, high) = ((0, 0), (0, 2));
    assert_eq!(path(&finder, low, high).unwrap().cost(), Cost::new(20));
    let query = PathQuery::new(low.into(), high.into()).with_movement(wheels);
    let round = finder.solve(&query).unwrap().outcome.into_path().unwrap();
    assert!(round.cells().iter().any(|cell| cell.x == 3), "round the end of the cliff: {round:?}");
    finder.edit(&[Edit::edges("cliff", Cell::new(3, 1), [Direction::South])]).unwrap();
    assert!(!finder.is_reachable(&query).unwrap());
    finder.edit(&[Edit::edges("cliff", Cell::new(1, 1), [])]).unwrap();
    assert_eq!(finder.solve(&query).unwrap().outcome.path().unwrap().cost(), Cost::new(2 * 14));
}

#[test]
fn wide_unit_does_not_stand_across_a_closed_edge() {
    let mut grid = Grid::new(4, 4, 1).unwrap();
    grid.edit(&[Edit::edges("cliff", Cell::new(1, 1), [Direction::East])]).unwrap();
    let wagon = Movement::new().with_size(Size::new(2).unwrap()).with_edges("cliff", Crossing::Closed);
    assert!(!wagon.is_open(&grid, Cell::new(1, 1)) && !wagon.is_open(&grid, Cell::new(1, 0)));
    assert!(wagon.is_open(&grid, Cell::new(1, 2)) && wagon.is_open(&grid, Cell::new(0, 0)));
    let finder = PathFinder::new(grid, wagon);
    let around = path(&finder, (0, 0), (2, 0)).unwrap();
    assert!(around.cells().contains(&Cell::new(1, 2)), "past the end of the cliff: {around:?}");
}

#[test]
fn river_ends_the_turn_before_bridges() {
    // Civilization 5: a river ends the turn; later, roads cross it by bridges.
    let mut grid = river(6, 4, 0, 0);
    grid.edit(&[
        Edit::edges("river", Cell::new(5, 0), []),
        Edit::edges("river under a road", Cell::new(5, 0), [Direction::North]),
    ])
    .unwrap();
    let before = Movement::new()
        .with_edges("river", Crossing::EndsTurn)
        .with_edges("river under a road", Crossing::EndsTurn);
    let after = Movement::new().with_edges("river", Crossing::EndsTurn);
    let mut finder = PathFinder::new(grid, before);
    let with_bridges = finder.add_movement(after);
    let turn = TurnQuery::new(Cell::new(5, 0), Cost::new(50));
    let other_bank = finder.solve_turn_path(&turn, Cell::new(5, 1)).unwrap().unwrap();
    assert_eq!((other_bank.turns(), other_bank.used()), (1, Cost::new(50)), "the step uses up the turn");
    let beyond = finder.solve_turn_path(&turn, Cell::new(5, 3)).unwrap().unwrap();
    assert_eq!(beyond.turns(), 2);
    let receipt = finder.explain_turns(&beyond, &turn).unwrap();
    assert_eq!(receipt.turns()[0].reason, StopReason::Edge);
    let turn = turn.with_movement(with_bridges);
    let over_the_bridge = finder.solve_turn_path(&turn, Cell::new(5, 3)).unwrap().unwrap();
    assert_eq!(over_the_bridge.turns(), 1);
    assert_eq!(path(&finder, (5, 0), (5, 3)).unwrap().cost(), Cost::new(30), "plain searches cross freely");
}

#[test]
fn diagonal_round_the_end_of_a_river() {
    for (diagonals, expected) in [
        (Diagonals::OnlyWhenNoObstacles, Some(14)),
        (Diagonals::IfAtMostOneObstacle, Some(14)),
        (Diagonals::Always, Some(14)),
        (Diagonals::Never, None),
    ] {
        // The river lies north of (2, 0) and goes on to the east.
        let finder = PathFinder::new(river(4, 2, 0, 2), wader().with_diagonals(diagonals));
        let step = finder.movement(MovementId::FIRST).unwrap();
        let cost = |from: (i32, i32), direction| {
            step.step_cost(finder.grid(), from.into(), direction).map(Cost::get)
        };
        assert_eq!(cost((1, 0), Direction::NorthEast), expected, "round the end, {diagonals}");
        assert_eq!(cost((2, 0), Direction::NorthWest), expected, "round the end, {diagonals}");
        assert_eq!(cost((2, 0), Direction::NorthEast), expected.map(|cost| 7 * cost), "over it, {diagonals}");
    }
    // A wall on the free way: units do not slip past between the wall and the river.
    let mut grid = river(4, 2, 0, 2);
    grid.set_terrain(Cell::new(1, 1), 0).unwrap();
    let movement = wader().with_diagonals(Diagonals::IfAtMostOneObstacle);
    assert_eq!(movement.step_cost(&grid, Cell::new(1, 0), Direction::NorthEast), Some(Cost::new(98)));
}

#[test]
fn diagonal_takes_costs_before_an_end_of_the_turn_and_that_before_a_closed_edge() {
    let mut grid = Grid::new(2, 2, 1).unwrap();
    grid.edit(&[
        Edit::edges("one", Cell::new(0, 0), [Direction::North]),
        Edit::edges("other", Cell::new(0, 0), [Direction::East]),
    ])
    .unwrap();
    let cost = |one, other| {
        let movement = Movement::new().with_edges("one", one).with_edges("other", other);
        movement.step_cost(&grid, Cell::new(0, 0), Direction::NorthEast).map(Cost::get)
    };
    assert_eq!(cost(Crossing::Costs(9), Crossing::EndsTurn), Some(140));
    assert_eq!(cost(Crossing::Costs(9), Crossing::Costs(2)), Some(42));
    assert_eq!(cost(Crossing::Closed, Crossing::EndsTurn), Some(14));
    assert_eq!(cost(Crossing::Closed, Crossing::Closed), None);
}

#[test]
fn hexagon_has_six_sides() {
    let mut grid = Grid::new(3, 3, 1).unwrap().with_topology(Topology::Hexagonal);
    let middle = Cell::new(1, 1);
    let around = Topology::Hexagonal.directions().iter().copied();
    grid.edit(&[Edit::edges("river", middle, around)]).unwrap();
    let finder = PathFinder::new(grid, wader());
    for &direction in Topology::Hexagonal.directions() {
        let from = middle + direction.offset();
        let into = finder.find(from, middle).unwrap().into_path().unwrap();
        assert_eq!(into.cost(), Cost::new(70), "from {direction:?}");
    }
}

#[test]
fn bridge_burns_under_kept_path() {
    let mut grid = river(9, 4, 1, 0);
    let bridge = Cell::new(7, 1);
    grid.edit(&[Edit::edges("river", bridge, [])]).unwrap();
    let mut finder = PathFinder::new(grid, Movement::new().with_edges("river", Crossing::Costs(40)));
    let kept = path(&finder, (1, 0), (1, 3)).unwrap();
    assert!(kept.cells().contains(&Cell::new(7, 2)), "over the bridge: {kept:?}");
    let mut field = finder.field(&[Cell::new(1, 3)]).unwrap();
    let before = finder.grid().revision();
    finder.edit(&[Edit::edges("river", bridge, [Direction::North])]).unwrap();
    let movement = finder.movement(MovementId::FIRST).unwrap();
    assert!(kept.verify(finder.grid(), movement).is_err(), "a price that rises is a closing");
    assert_eq!(movement.openings_since(finder.grid(), before), Some(vec![]));
    let dear = path(&finder, (1, 0), (1, 3)).unwrap();
    assert_eq!(dear.cost(), Cost::new(20 + 410));
    field.update(&finder).unwrap();
    assert_eq!(field.cost(Cell::new(1, 0)), Some(dear.cost()));

    let before = finder.grid().revision();
    finder.edit(&[Edit::edges("river", bridge, [])]).unwrap();
    let movement = finder.movement(MovementId::FIRST).unwrap();
    assert_eq!(movement.openings_since(finder.grid(), before), Some(vec![bridge]), "a price that falls");
    field.update(&finder).unwrap();
    assert_eq!(field.cost(Cell::new(1, 0)), Some(kept.cost()));
}

#[test]
fn price_edit_does_no_work_on_landmarks() {
    let mut finder = PathFinder::new(river(64, 64, 31, 0), wader());
    finder.make_landmarks(MovementId::FIRST, LandmarkCount::Exactly(4)).unwrap();
    let (start, goal) = (Cell::new(3, 3), Cell::new(60, 60));
    finder
        .edit(&[
            Edit::edges("river", Cell::new(40, 31), []),
            Edit::edges("river", Cell::new(9, 9), [Direction::East]),
        ])
        .unwrap();
    assert_eq!(finder.landmark_status(MovementId::FIRST), Ok(LandmarkStatus::Ready(4)), "no table is broken");
    let query = PathQuery::new(start, goal);
    let led = finder.solve(&query.with_landmarks()).unwrap().outcome.into_path().unwrap();
    assert_eq!(led.cost(), finder.solve(&query.without_landmarks()).unwrap().outcome.path().unwrap().cost());
}

#[test]
fn line_bends_at_the_ford() {
    let mut grid = river(20, 12, 5, 0);
    grid.edit(&[Edit::edges("river", Cell::new(4, 5), [])]).unwrap();
    let movement = Movement::new().with_edges("river", Crossing::Costs(90));
    let finder = PathFinder::new(grid, movement.clone());
    let way = path(&finder, (18, 0), (18, 11)).unwrap();
    let ends: Vec<usize> = way.straight_lines(0, finder.grid(), &movement).collect();
    let corners: Vec<Cell> = ends.iter().map(|&end| way.cells()[end]).collect();
    assert!(corners.iter().any(|cell| cell.x == 4 && (5..=6).contains(&cell.y)), "at the ford: {corners:?}");
    let centre =
        |cell: Cell| tilepath::graph::Position::new(f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5);
    let fault = movement.line_fault(finder.grid(), centre(Cell::new(18, 0)), centre(Cell::new(18, 11)));
    assert!(fault.is_some(), "no line through the river");
    assert_eq!(
        Movement::new().line_fault(finder.grid(), centre(Cell::new(18, 0)), centre(Cell::new(18, 11))),
        None
    );
}

#[test]
fn explanation_names_the_river() {
    let mut grid = river(3, 3, 0, 0);
    grid.set_terrain(Cell::new(1, 1), 3).unwrap();
    let movement = Movement::new().with_costs(CostTable::identity()).with_edges("river", Crossing::Costs(6));
    let finder = PathFinder::new(grid, movement);
    let receipt =
        finder.explain(&[Cell::new(1, 0), Cell::new(1, 1), Cell::new(1, 2)], MovementId::FIRST).unwrap();
    let first = receipt.steps()[0];
    assert_eq!((first.multiplier, first.surcharge, first.cost), (3, 6, Cost::new(90)), "apart");
    assert_eq!((receipt.edges(0), receipt.edges(1)), (&["river".to_owned()][..], &[][..]));
    assert!(receipt.to_string().contains("class 3 costs 3  +6 river"), "{receipt}");
}

#[test]
fn edges_that_leave_the_map_are_refused() {
    let mut grid = Grid::new(3, 3, 1).unwrap();
    let corner = Cell::new(0, 0);
    let west = grid.edit(&[Edit::edges("river", corner, [Direction::North, Direction::West])]);
    assert_eq!(west, Err(GridError::OutOfBounds { cell: Cell::new(-1, 0), bounds: grid.bounds() }));
    let slanting = grid.edit(&[Edit::edges("river", corner, [Direction::NorthEast])]);
    assert_eq!(slanting, Err(GridError::NotNeighbours { from: corner, to: Cell::new(1, 1) }));
    assert_eq!(grid.edge_names().count(), 0, "nothing was made");
}

#[test]
fn dear_edges_are_exact_up_to_the_highest_cost_and_an_error_above() {
    let mut grid = Grid::new(2, 1, 1).unwrap();
    let side = |name| Edit::edges(name, Cell::new(0, 0), [Direction::East]);
    grid.edit(&[side("wall"), side("moat")]).unwrap();
    let dear = |step| {
        let steps = StepCosts::new(step, step).unwrap();
        let edges = Movement::new().with_edges("wall", Crossing::Costs(u16::MAX));
        edges.with_edges("moat", Crossing::Costs(u16::MAX)).with_steps(steps)
    };
    let mut finder = PathFinder::new(grid, dear(13_000));
    assert_eq!(path(&finder, (0, 0), (1, 0)).unwrap().cost(), Cost::new(13_000 * 131_071));
    let too_dear = finder.add_movement(dear(u16::MAX));
    let over = PathQuery::new(Cell::new(0, 0), Cell::new(1, 0)).with_movement(too_dear);
    let error = finder.solve(&over).unwrap_err();
    assert_eq!(error, QueryError::EdgesTooHigh { multiplier: 5 * 65_535, step: 65_535 });
    assert!(error.to_string().contains("lower the costs of its edges"), "{error}");
}

#[test]
fn three_hundred_different_prices_are_all_exact() {
    let mut grid = Grid::new(2, 300, 1).unwrap();
    let names: Vec<String> = (0..300).map(|number| format!("price {number}")).collect();
    let edits = (0..).zip(&names).map(|(y, name)| Edit::edges(name, Cell::new(0, y), [Direction::East]));
    grid.edit(&edits.collect::<Vec<_>>()).unwrap();
    let rules = (0..).zip(&names).map(|(number, name)| (name, Crossing::Costs(number)));
    let movement =
        rules.fold(Movement::new(), |movement, (name, crossing)| movement.with_edges(name, crossing));
    let finder = PathFinder::new(grid, movement.with_diagonals(Diagonals::Never));
    for y in [0, 17, 255, 256, 299] {
        let step = finder.range(Cell::new(0, y), Cost::new(10_000)).unwrap();
        assert!(step.cost_to(Cell::new(1, y)).unwrap() <= Cost::new(10 + 10 * y as u32));
        let direct = finder.movement(MovementId::FIRST).unwrap().step_cost(
            finder.grid(),
            Cell::new(0, y),
            Direction::East,
        );
        assert_eq!(direct, Some(Cost::new(10 + 10 * y as u32)));
    }
}

#[test]
fn resize_keeps_edges_and_drops_those_at_the_new_side() {
    let mut grid = river(4, 4, 1, 0);
    grid.resize(tilepath::Bounds::new(Cell::new(0, 0), 4, 2).unwrap(), 1);
    assert!(!grid.has_edge("river", Cell::new(0, 1), Direction::North), "nothing lies beyond");
    let mut grid = river(4, 4, 1, 0);
    grid.resize(tilepath::Bounds::new(Cell::new(-2, -2), 8, 8).unwrap(), 1);
    assert!(grid.has_edge("river", Cell::new(3, 2), Direction::South));
}
