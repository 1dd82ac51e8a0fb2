//! Cells within a budget, against brute force.

use proptest::prelude::*;
use testkit::{DiagonalRule, Rules, Seed};
use tilepath::{Cell, Cost, Grid, MoveRange, Movement, MovementId, PathFinder, QueryError, RangeQuery};

use crate::worlds::{Prices, World, cases, edits, world};

/// Checks each property of a range: its cells are the oracle's cells, with their costs, in order,
/// and with a path to each.
fn check_range(world: &World, range: &MoveRange, budget: u32) {
    let costs = world.oracle().costs_from(world.start);
    let within = |cost: Option<u64>| cost.filter(|&cost| cost <= u64::from(budget));
    assert_eq!((range.budget(), range.start()), (Cost::new(budget), Some(world.start())));
    assert_eq!(range.cells().len(), costs.iter().filter(|&&cost| within(cost).is_some()).count());
    assert!(range.cells().is_sorted_by_key(|reached| reached.cost));
    for position in world.positions() {
        let cell = world.cell(position);
        let expected = within(costs[world.map.slot(position)]);
        assert_eq!(range.cost_to(cell).map(|cost| u64::from(cost.get())), expected, "{cell}");
        assert_eq!(range.contains(cell), expected.is_some());
    }
    for reached in range.cells() {
        assert_eq!(range.get(reached.cell), Some(reached));
        let path = range.path_to(reached.cell).unwrap();
        assert_eq!((path.start(), path.goal(), path.cost()), (world.start(), reached.cell, reached.cost));
        path.verify(&world.grid(), &world.movement()).unwrap();
        assert!(path.is_optimal());
        let before = path.cells().iter().rev().nth(1);
        assert_eq!(reached.came_from(), before.copied());
        assert_eq!(reached.entered_by.is_none(), reached.cell == world.start());
    }
    for outside in [
        Cell::new(world.origin.x.wrapping_sub(1), world.origin.y),
        Cell::new(world.origin.x, world.origin.y.wrapping_add(world.map.height as i32)),
        Cell::new(i32::MAX, i32::MIN),
    ] {
        assert_eq!(range.get(outside), None);
        assert_eq!(range.path_to(outside), None);
    }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn ranges_are_the_oracles(world in world(25, Prices::Low), budget in 0..2_000_u32) {
        let range = world.finder().range(world.start(), Cost::new(budget)).unwrap();
        check_range(&world, &range, budget);
    }

    #[test]
    fn ranges_are_the_oracles_up_to_the_largest_costs(
        world in world(12, Prices::Any),
        budget in prop_oneof![any::<u32>(), Just(u32::MAX), Just(0)],
    ) {
        let range = world.finder().range(world.start(), Cost::new(budget)).unwrap();
        check_range(&world, &range, budget);
    }

    #[test]
    fn a_blocked_start_is_part_of_its_range(mut world in world(9, Prices::Low), budget in 0..300_u32) {
        let slot = world.map.slot(world.start);
        world.map.classes[slot] = 0;
        world.rules.multipliers[0] = 0;
        let range = world.finder().range(world.start(), Cost::new(budget)).unwrap();
        check_range(&world, &range, budget);
    }

    #[test]
    fn a_range_filled_again_holds_nothing_of_the_last(
        world in world(16, Prices::Low),
        edits in edits(1..=8),
        budgets in proptest::collection::vec(0..600_u32, 8),
    ) {
        let mut now = world.clone();
        let mut finder = world.finder();
        let mut range = MoveRange::default();
        for (((x, y), class), budget) in edits.into_iter().zip(budgets) {
            let place = (x % world.map.width as i32, y % world.map.height as i32);
            let slot = now.map.slot(place);
            now.map.classes[slot] = class;
            now.start = place;
            finder.set_terrain(now.cell(place), class).unwrap();
            let query = RangeQuery::new(now.start(), Cost::new(budget));
            finder.solve_range_into(&query, &mut range).unwrap();
            check_range(&now, &range, budget);
        }
    }
}

#[test]
fn ranges_on_maps_as_games_have_them() {
    for (map, budget) in [
        (testkit::caves(60, 50, &Seed::named("range caves")), 300),
        (testkit::rooms(48, 48, 7, &Seed::named("range rooms")), 400),
        (testkit::terrain(50, 40, 9, 20, &Seed::named("range hills")), 900),
    ] {
        for diagonals in DiagonalRule::ALL {
            let mut world = World::new(map.clone(), Rules::classic(diagonals));
            for (start, _) in map.queries(4, &Seed::named("range starts")) {
                world.start = start;
                let range = world.finder().range(world.start(), Cost::new(budget)).unwrap();
                check_range(&world, &range, budget);
            }
        }
    }
}

#[test]
fn a_range_follows_the_rules_of_its_movement() {
    use tilepath::{CostTable, Diagonals};
    let mut finder = PathFinder::new(Grid::new(11, 11, 2).unwrap(), Movement::new());
    let rook = finder
        .add_movement(Movement::new().with_costs(CostTable::uniform()).with_diagonals(Diagonals::Never));
    let query = RangeQuery::new(Cell::new(5, 5), Cost::new(20));
    assert_eq!(finder.solve_range(&query).unwrap().cells().len(), 5);
    assert_eq!(finder.solve_range(&query.with_movement(rook)).unwrap().cells().len(), 13);
}

#[test]
fn a_budget_of_nothing_reaches_the_start_alone() {
    let finder = PathFinder::new(Grid::new(3, 3, 1).unwrap(), Movement::new());
    let range = finder.range(Cell::new(1, 1), Cost::ZERO).unwrap();
    assert_eq!(range.cells().len(), 1);
    assert_eq!(range.path_to(Cell::new(1, 1)).unwrap().cells(), [Cell::new(1, 1)]);
}

#[test]
fn a_range_never_filled_holds_nothing() {
    let range = MoveRange::default();
    assert_eq!((range.start(), range.cells().len()), (None, 0));
    assert!(!range.contains(Cell::new(0, 0)));
}

#[test]
fn a_bad_range_query_names_what_is_wrong_and_leaves_the_range_alone() {
    let mut stranger = PathFinder::new(Grid::new(3, 3, 1).unwrap(), Movement::new());
    let unknown = stranger.add_movement(Movement::new().with_diagonals(tilepath::Diagonals::Never));
    let finder = PathFinder::new(Grid::new(3, 3, 1).unwrap(), Movement::new());
    let mut range = finder.range(Cell::new(0, 0), Cost::new(10)).unwrap();
    let outside = Cell::new(3, 0);
    let bounds = finder.grid().bounds();
    assert_eq!(
        finder.solve_range_into(&RangeQuery::new(outside, Cost::new(10)), &mut range),
        Err(QueryError::StartOutOfBounds { cell: outside, bounds })
    );
    let query = RangeQuery::new(Cell::new(1, 1), Cost::new(10));
    assert_ne!(unknown, MovementId::default());
    assert_eq!(
        finder.solve_range_into(&query.with_movement(unknown), &mut range),
        Err(QueryError::UnknownMovement(unknown))
    );
    assert_eq!((range.start(), range.cells().len()), (Some(Cell::new(0, 0)), 3));
}
