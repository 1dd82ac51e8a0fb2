//! Typed errors for invalid hexagons, sizes, overlays and exits.

use tilepath::{
    Cell, Cost, CostTable, Direction, Edit, Exits, Grid, GridError, Limit, Movement, NearestQuery, Outcome,
    PathFinder, PathQuery, QueryError, RangeQuery, Size, StepCosts, Topology,
};

#[test]
fn sizes_go_from_one_to_eight_and_not_on_hexagons() {
    for side in 1..=8 {
        assert_eq!(Size::new(side).unwrap().side(), side);
    }
    for side in [0, 9, 255] {
        assert!(Size::new(side).is_err(), "{side}");
    }
    let grid = Grid::new(9, 9, 1).unwrap().with_topology(Topology::Hexagonal);
    let finder = PathFinder::new(grid, Movement::new().with_size(Size::new(2).unwrap()));
    let [from, to] = [Cell::new(0, 0), Cell::new(3, 3)];
    let expected = QueryError::SizeOnHexagons { side: 2 };
    assert_every_question_fails(&finder, from, to, expected);
}

fn assert_every_question_fails(finder: &PathFinder, from: Cell, to: Cell, expected: QueryError) {
    let query = PathQuery::new(from, to);
    assert_eq!(finder.solve(&query), Err(expected));
    assert_eq!(finder.solve(&query.or_closest()), Err(expected));
    assert_eq!(finder.begin(&query).err(), Some(expected));
    assert_eq!(finder.is_reachable(&query), Err(expected));
    assert_eq!(finder.solve_range(&RangeQuery::new(from, Cost::new(99))).err(), Some(expected));
    assert_eq!(finder.solve_nearest(&NearestQuery::new(from, [to])).err(), Some(expected));
    assert_eq!(finder.field(&[to]).err(), Some(expected));
}

#[test]
fn footprints_past_the_border_are_refused() {
    let finder =
        PathFinder::new(Grid::new(5, 4, 1).unwrap(), Movement::new().with_size(Size::new(3).unwrap()));
    let (inside, bounds) = (Cell::new(2, 1), finder.grid().bounds());
    for cell in [Cell::new(3, 1), Cell::new(2, 2), Cell::new(4, 3)] {
        let expected = QueryError::FootprintOutOfBounds { cell, side: 3, bounds };
        assert_every_question_fails(&finder, cell, cell, expected);
        assert_eq!(finder.find(inside, cell), Err(expected));
        let closest = finder.solve(&PathQuery::new(inside, cell).or_closest()).unwrap().outcome;
        assert!(
            matches!(closest, Outcome::Unreachable { closest: Some(_) }),
            "as close as it gets: {closest:?}"
        );
        assert_eq!(finder.solve_nearest(&NearestQuery::new(inside, [cell])).err(), Some(expected));
        assert_eq!(finder.field(&[cell]).err(), Some(expected));
    }
    let small =
        PathFinder::new(Grid::new(2, 2, 1).unwrap(), Movement::new().with_size(Size::new(8).unwrap()));
    let (cell, bounds) = (Cell::new(0, 0), small.grid().bounds());
    let expected = QueryError::FootprintOutOfBounds { cell, side: 8, bounds };
    assert_every_question_fails(&small, cell, cell, expected);
}

#[test]
fn edits_that_make_no_sense_leave_the_map_as_it_was() {
    let mut finder = PathFinder::new(Grid::new(3, 3, 1).unwrap(), Movement::new().with_overlay("danger"));
    let before = (finder.grid().clone(), finder.grid().revision());
    let [middle, far, outside] = [Cell::new(1, 1), Cell::new(1, 3), Cell::new(9, 9)];
    let bounds = finder.grid().bounds();
    let out = |cell| GridError::OutOfBounds { cell, bounds };
    assert_eq!(finder.edit(&[Edit::exits(middle, Exits::NONE)]), Err(GridError::NoExit { cell: middle }));
    assert_eq!(finder.edit(&[Edit::exits(outside, Exits::ALL)]), Err(out(outside)));
    for to in [middle, Cell::new(1, 1), Cell::new(1, -1)] {
        let from = Cell::new(1, 1);
        let expected = if to == middle { GridError::NotNeighbours { from, to } } else { out(to) };
        assert_eq!(finder.edit(&[Edit::fence(from, to)]), Err(expected));
        assert_eq!(finder.edit(&[Edit::one_way(from, to)]), Err(expected));
        assert_eq!(finder.edit(&[Edit::open_edge(from, to)]), Err(expected));
    }
    let corners = [Cell::new(0, 0), Cell::new(2, 2)];
    let apart = GridError::NotNeighbours { from: corners[0], to: corners[1] };
    assert_eq!(finder.edit(&[Edit::fence(corners[0], corners[1])]), Err(apart));
    assert_eq!(finder.edit(&[Edit::fence(middle, far)]), Err(out(far)));
    let below = GridError::NotNeighbours { from: middle, to: Cell::new(0, 0) };
    assert_eq!(finder.edit(&[Edit::ledge(middle, Direction::SouthWest)]), Err(below));
    assert_eq!(
        finder.edit(&[middle, outside].map(|cell| Edit::ledge(cell, Direction::South))),
        Err(out(outside))
    );
    assert_eq!(finder.edit(&[Edit::void(outside)]), Err(out(outside)));
    assert_eq!(finder.set_overlay("danger", [(middle, 3), (outside, 3)]), Err(out(outside)));
    assert_eq!(finder.edit(&[Edit::clear_overlay("unheard of")]), Ok(0));
    assert_eq!((finder.grid().clone(), finder.grid().revision()), before);
}

#[test]
fn hexagons_have_no_edge_to_the_north_east() {
    let mut grid = Grid::new(3, 3, 1).unwrap().with_topology(Topology::Hexagonal);
    let [from, to] = [Cell::new(1, 1), Cell::new(2, 2)];
    assert_eq!(grid.edit(&[Edit::fence(from, to)]), Err(GridError::NotNeighbours { from, to }));
    assert_eq!(grid.edit(&[Edit::one_way(to, from)]), Err(GridError::NotNeighbours { from: to, to: from }));
    let ledge = grid.edit(&[Edit::ledge(from, Direction::NorthEast)]);
    assert_eq!(ledge, Err(GridError::NotNeighbours { from, to }));
    assert_eq!(grid.edit(&[Edit::fence(from, Cell::new(2, 0))]), Ok(2), "there is an edge to the south-east");
}

#[test]
fn overlays_that_sum_up_to_more_than_can_be_stated_are_refused() {
    let table = CostTable::identity().with(1, 60_000);
    let movement = Movement::new().with_costs(table).with_overlay("danger").with_overlay("smell");
    let mut finder = PathFinder::new(Grid::new(3, 1, 1).unwrap(), movement);
    let [from, to] = [Cell::new(0, 0), Cell::new(2, 0)];
    finder.set_overlay("danger", [(from, 5_000)]).unwrap();
    finder.set_overlay("smell", [(to, 535)]).unwrap();
    let sum = Cost::new((60_000 + 60_000 + 535) * 10);
    assert_eq!(finder.find(from, to).unwrap().path().unwrap().cost(), sum, "exactly the largest cost");
    finder.set_overlay("smell", [(to, 536)]).unwrap();
    let expected = QueryError::OverlayTooHigh { table: 60_000, overlays: 5_536 };
    assert_every_question_fails(&finder, from, to, expected);
    finder.set_overlay("smell", [(to, 535)]).unwrap();
    assert_eq!(finder.find(from, to).unwrap().path().unwrap().cost(), sum);
}

#[test]
fn a_way_that_costs_too_much_to_state_is_a_way_also_where_steps_go_one_way() {
    let mut grid = Grid::new(4, 1, 1).unwrap();
    let [from, to] = [Cell::new(0, 0), Cell::new(3, 0)];
    grid.edit(&[Edit::one_way(from, Cell::new(1, 0))]).unwrap();
    let steps = StepCosts::new(65_535, 65_535).unwrap();
    let costly = Movement::new().with_costs(CostTable::identity().with(1, 65_535)).with_steps(steps);
    let finder = PathFinder::new(grid, costly);
    let query = PathQuery::new(from, to);
    assert_eq!(finder.is_reachable(&query), Ok(true));
    assert_eq!(finder.is_reachable(&PathQuery::new(to, from)), Ok(false));
    assert_eq!(finder.find(from, to), Err(QueryError::CostOverflow));
    assert_eq!(finder.solve(&query.or_closest()), Err(QueryError::CostOverflow));
}

#[test]
fn cost_limit_is_reported_with_one_way_steps() {
    let mut grid = Grid::new(4, 1, 1).unwrap();
    let [from, to] = [Cell::new(0, 0), Cell::new(3, 0)];
    grid.edit(&[Edit::one_way(from, Cell::new(1, 0))]).unwrap();
    let finder = PathFinder::new(grid, Movement::new());
    let limited =
        |from, to| finder.solve(&PathQuery::new(from, to).with_cost_limit(Cost::new(20))).unwrap().outcome;
    assert!(matches!(limited(from, to), Outcome::LimitReached { limit: Limit::Cost, .. }));
    assert_eq!(limited(to, from), Outcome::Unreachable { closest: None });
}
