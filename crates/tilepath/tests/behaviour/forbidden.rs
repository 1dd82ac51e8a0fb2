//! Cells that must stay open, against an oracle.
//!
//! The oracle closes each cell.

use crate::worlds::{Prices, World, cases, world};
use proptest::prelude::*;
use testkit::{DiagonalRule, Rules, TileMap};
use tilepath::{
    Cell, CostTable, Diagonals, Edit, Forbidden, Grid, Movement, MovementId, PathFinder, PathQuery,
    QueryError, Size, StepCosts,
};

/// Returns, in the order of slots, the passable cells that cut the goal off if closed. `None` if
/// the goal is cut off already.
fn by_closing_each(world: &World) -> Option<Vec<Cell>> {
    let goal = world.map.slot(world.goal);
    let closed = world.rules.multipliers.iter().position(|&multiplier| multiplier == 0).unwrap() as u8;
    let is_cut_off = |world: &World| world.oracle().costs_from(world.start)[goal].is_none();
    let is_open = |&slot: &usize| world.rules.multipliers[usize::from(world.map.classes[slot])] != 0;
    let cuts_off = |&slot: &usize| {
        let mut other = world.clone();
        other.map.classes[slot] = closed;
        is_cut_off(&other)
    };
    let slots = 0..world.map.classes.len();
    (!is_cut_off(world)).then(|| {
        slots.filter(is_open).filter(cuts_off).map(|slot| world.cell(world.map.position(slot))).collect()
    })
}

fn check(world: &World) {
    let finder = world.finder();
    let found = finder.forbidden(&PathQuery::new(world.start(), world.goal())).unwrap();
    let expected = by_closing_each(world);
    if let Forbidden::Cells(cells) = &found {
        check_order(world, &finder, cells);
    }
    let found = match found {
        Forbidden::Cells(mut cells) => {
            let bounds = finder.grid().bounds();
            cells.sort_by_key(|&cell| bounds.slot(cell));
            Some(cells)
        }
        Forbidden::Unreachable => None,
    };
    assert_eq!(found, expected, "{world:?}");
}

/// Checks the order of the cells: a path enters them, or passes beside them, in that order.
fn check_order(world: &World, finder: &PathFinder, cells: &[Cell]) {
    if !world.oracle().way_out(world.start).is_empty() {
        // A closed goal may lie on the chain off closed ground, which needs its exit behind the goal.
        return;
    }
    let outcome = finder.find(world.start(), world.goal()).unwrap();
    let way = outcome.path().unwrap().cells();
    let place = |cell: Cell| {
        let is_met = |pair: &[Cell]| {
            let beside = [Cell::new(pair[0].x, pair[1].y), Cell::new(pair[1].x, pair[0].y)];
            pair[1] == cell || beside.contains(&cell)
        };
        way.windows(2).position(is_met)
    };
    let places: Vec<_> = cells.iter().map(|&cell| place(cell)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{cells:?} on {way:?} in {world:?}");
    // If a goal beside closed ground closes, it may lie on a chain to another exit.
    if world.oracle().is_open(world.start) {
        assert_eq!(cells.last(), Some(&world.goal()).filter(|_| world.start != world.goal));
    }
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn forbidden_cells_equal_the_cells_that_cut_off_when_closed(world in world(13, Prices::Low)) {
        check(&world);
    }

    #[test]
    fn from_a_blocked_start_too(mut world in world(11, Prices::Low)) {
        world.rules.multipliers[0] = 0;
        let slot = world.map.slot(world.start);
        world.map.classes[slot] = 0;
        check(&world);
    }

    /// In mazes there are few paths, so many cells must stay open.
    #[test]
    fn in_mazes_of_scattered_walls(world in world(12, Prices::Low), walls in 25..=45_u64, number in any::<u64>()) {
        let mut world = world;
        world.rules.multipliers = std::array::from_fn(|class| class as u64);
        let mut state = number | 1;
        for class in &mut world.map.classes {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            *class = u8::from((state >> 33) % 100 >= walls);
        }
        check(&world);
    }
}

#[test]
fn a_corridor_is_forbidden_from_end_to_end() {
    for diagonals in DiagonalRule::ALL {
        let mut world = World::new(TileMap::new("corridor", 200, 1, vec![1; 200]), Rules::classic(diagonals));
        (world.start, world.goal) = ((30, 0), (170, 0));
        let found = world.finder().forbidden(&PathQuery::new(world.start(), world.goal())).unwrap();
        assert_eq!(found.cells(), (31..=170).map(|x| Cell::new(x, 0)).collect::<Vec<_>>());
    }
}

#[test]
fn forbidden_cells_follow_edits_and_differ_between_movements() {
    let mut finder = PathFinder::new(Grid::new(5, 3, 1).unwrap(), Movement::new());
    let crow = finder.add_movement(Movement::new().with_diagonals(Diagonals::Always));
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(4, 0));
    assert_eq!(finder.forbidden(&query).unwrap().cells(), [query.goal()]);
    finder.set_terrain(Cell::new(2, 0), 0).unwrap();
    finder.set_terrain(Cell::new(2, 1), 0).unwrap();
    let gap = [Cell::new(1, 2), Cell::new(2, 2), Cell::new(3, 2), Cell::new(4, 0)];
    assert_eq!(finder.forbidden(&query).unwrap().cells(), gap);
    let by_crow = finder.forbidden(&query.with_movement(crow)).unwrap();
    assert_eq!(
        by_crow.cells(),
        [Cell::new(2, 2), Cell::new(4, 0)],
        "the path passes diagonally between the corners"
    );
    finder.set_terrain(Cell::new(2, 2), 0).unwrap();
    assert_eq!(finder.forbidden(&query), Ok(Forbidden::Unreachable));
    assert!(finder.forbidden(&query).unwrap().cells().is_empty());
}

#[test]
fn ends_off_the_map_and_unknown_movements_are_errors() {
    let finder = PathFinder::new(Grid::new(4, 4, 1).unwrap(), Movement::new());
    let (inside, outside, bounds) = (Cell::new(0, 0), Cell::new(0, 4), finder.grid().bounds());
    assert_eq!(
        finder.forbidden(&PathQuery::new(outside, inside)),
        Err(QueryError::StartOutOfBounds { cell: outside, bounds })
    );
    assert_eq!(
        finder.forbidden(&PathQuery::new(inside, outside)),
        Err(QueryError::GoalOutOfBounds { cell: outside, bounds })
    );
    let unknown: MovementId = finder.clone().add_movement(Movement::new());
    assert_eq!(
        finder.forbidden(&PathQuery::new(inside, inside).with_movement(unknown)),
        Err(QueryError::UnknownMovement(unknown))
    );
    assert_eq!(finder.forbidden(&PathQuery::new(inside, inside)), Ok(Forbidden::Cells(Vec::new())));
}

#[test]
fn forbidden_cells_are_returned_even_if_the_cost_overflows() {
    let costly = Movement::new()
        .with_costs(CostTable::identity().with(1, 65_535))
        .with_steps(StepCosts::new(65_535, 65_535).unwrap());
    let [from, to] = [Cell::new(0, 0), Cell::new(3, 0)];
    let query = PathQuery::new(from, to);
    let corridor = Grid::new(4, 1, 1).unwrap();
    let mut one_way = corridor.clone();
    one_way.edit(&[Edit::one_way(from, Cell::new(1, 0))]).unwrap();
    let expected = Forbidden::Cells(vec![Cell::new(1, 0), Cell::new(2, 0), to]);
    for grid in [corridor, one_way] {
        let finder = PathFinder::new(grid, costly.clone());
        assert_eq!(finder.solve(&query), Err(QueryError::CostOverflow));
        assert_eq!(finder.forbidden(&query), Ok(expected.clone()));
    }
    let wide = Grid::new(5, 2, 1).unwrap();
    let finder = PathFinder::new(wide, costly.with_size(Size::new(2).unwrap()));
    assert_eq!(finder.solve(&query), Err(QueryError::CostOverflow));
    let mut found = finder.forbidden(&query).unwrap().cells().to_vec();
    found.sort_unstable_by_key(|cell| (cell.x, cell.y));
    // A unit can leave its start after that cell is closed.
    let beyond: Vec<Cell> = (2..5).flat_map(|x| [Cell::new(x, 0), Cell::new(x, 1)]).collect();
    assert_eq!(found, beyond);
}
