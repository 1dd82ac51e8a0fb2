//! Queries with supposed edits.
//!
//! The answers are the answers on a map with these edits. Afterwards, no trace of the edits is
//! left.

use crate::worlds::{Prices, World, cases, edits, world};
use proptest::{collection::vec, prelude::*};
use testkit::Seed;
use tilepath::{
    Algorithm, Cell, CostTable, Diagonals, Edit, Grid, GridError, Movement, MovementId, PathFinder,
    PathQuery, SearchStatus, WhatIf, field::FieldQuery,
};

/// Wraps the position of an edit onto the map.
fn placed(world: &World, (x, y): (i32, i32)) -> (i32, i32) {
    // The factor spreads the edits over all chunks.
    (x * 5 % world.map.width as i32, y * 5 % world.map.height as i32)
}

fn edited(world: &World, edits: &[((i32, i32), u8)]) -> World {
    let mut edited = world.clone();
    for &(place, class) in edits {
        let slot = edited.map.slot(placed(world, place));
        edited.map.classes[slot] = class;
    }
    edited
}

fn cells(world: &World, edits: &[((i32, i32), u8)]) -> Vec<Edit> {
    edits.iter().map(|&(place, class)| Edit::terrain(world.cell(placed(world, place)), class)).collect()
}

/// Checks the finder against the oracle of the world and a fresh finder.
fn check(finder: &PathFinder, world: &World, id: MovementId) {
    let fresh = world.finder();
    assert_eq!(finder.grid(), fresh.grid());
    let costs = world.oracle().costs_from(world.start);
    for (place, cost) in world.positions().zip(costs) {
        let query = PathQuery::new(world.start(), world.cell(place)).with_movement(id);
        assert_eq!(finder.is_reachable(&query).unwrap(), cost.is_some(), "to {place:?} in {world:?}");
    }
    let query = PathQuery::new(world.start(), world.goal());
    for algorithm in [Algorithm::Auto, Algorithm::AStar, Algorithm::Dijkstra, Algorithm::Greedy] {
        for query in [query.with_algorithm(algorithm), query.with_algorithm(algorithm).or_closest()] {
            let expected = fresh.solve(&query).unwrap();
            assert_eq!(finder.solve(&query.with_movement(id)), Ok(expected), "{query:?} in {world:?}");
        }
    }
    let field = |finder: &PathFinder, id| {
        let field = finder.solve_field(&FieldQuery::new([world.goal()]).with_movement(id)).unwrap();
        world.positions().map(|place| field.cost(world.cell(place))).collect::<Vec<_>>()
    };
    assert_eq!(field(finder, id), field(&fresh, MovementId::FIRST));
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn answers_equal_a_map_with_the_edits_made(
        world in world(80, Prices::Low),
        rounds in vec((edits(0..=6), edits(0..=4)), 1..=6),
    ) {
        let mut now = world.clone();
        let mut finder = world.finder();
        let mut what_if = WhatIf::new(&finder);
        for (made, supposed) in rounds {
            finder.edit(&cells(&world, &made)).unwrap();
            now = edited(&now, &made);
            let revision = finder.grid().revision();
            check(what_if.with_edits(&finder, &cells(&world, &supposed)).unwrap(), &edited(&now, &supposed), MovementId::FIRST);
            prop_assert_eq!(finder.grid().revision(), revision);
            check(&finder, &now, MovementId::FIRST);
        }
        check(what_if.with_edits(&finder, &[]).unwrap(), &now, MovementId::FIRST);
    }

    #[test]
    fn movements_are_followed(
        world in world(70, Prices::Low),
        supposed in edits(1..=4),
        other in (0..4_usize, 1..=9_u16),
    ) {
        let mut finder = PathFinder::new(world.grid(), Movement::new());
        let mut what_if = WhatIf::new(&finder);
        what_if.with_edits(&finder, &cells(&world, &supposed)).unwrap().find(world.start(), world.goal()).unwrap();
        let id = finder.add_movement(world.movement());
        let then = edited(&world, &supposed);
        check(what_if.with_edits(&finder, &cells(&world, &supposed)).unwrap(), &then, id);

        let mut changed = then;
        changed.rules.diagonals = testkit::DiagonalRule::ALL[other.0];
        changed.rules.multipliers[1] = other.1.into();
        finder.set_movement(id, changed.movement()).unwrap();
        check(what_if.with_edits(&finder, &cells(&world, &supposed)).unwrap(), &changed, id);
    }
}

fn caves(name: &str) -> World {
    let map = testkit::caves(150, 90, &Seed::named(name));
    let mut world = World::new(map, testkit::Rules::classic(testkit::DiagonalRule::OnlyWhenNoObstacles));
    (world.start, world.goal) = world.map.queries(1, &Seed::named(name))[0];
    world
}

#[test]
fn another_finder_and_a_journal_that_does_not_reach_back_are_caught_up_with() {
    let (one, other) = (caves("one"), caves("other"));
    let (mut finder, other_finder) = (one.finder(), other.finder());
    let wall = [((7, 8), 0), ((8, 8), 0)];
    let mut what_if = WhatIf::new(&finder);
    for _ in 0..2 {
        for (finder, world) in [(&finder, &one), (&other_finder, &other)] {
            let supposed = what_if.with_edits(finder, &cells(world, &wall)).unwrap();
            check(supposed, &edited(world, &wall), MovementId::FIRST);
        }
    }
    // A clone is a different finder, even in the same state.
    let mut copy = finder.clone();
    copy.set_terrain(one.start(), 5).unwrap();
    finder.set_terrain(one.goal(), 7).unwrap();
    assert_eq!(what_if.with_edits(&finder, &[]).unwrap().grid(), finder.grid());
    assert_eq!(what_if.with_edits(&copy, &[]).unwrap().grid(), copy.grid());

    let before = what_if.clone();
    let revision = copy.grid().revision();
    for class in [2, 3] {
        for cell in copy.grid().bounds().cells() {
            copy.set_terrain(cell, class).unwrap();
        }
    }
    assert!(copy.grid().changes_since(revision).is_none());
    for mut what_if in [before, what_if] {
        assert_eq!(what_if.with_edits(&copy, &[]).unwrap().grid(), copy.grid());
    }
}

#[test]
fn edits_off_the_map_leave_nothing_behind() {
    let world = caves("off the map");
    let finder = world.finder();
    let mut what_if = WhatIf::new(&finder);
    let bounds = finder.grid().bounds();
    for outside in [Cell::new(-1, 0), Cell::new(150, 3), Cell::new(i32::MAX, i32::MIN)] {
        let edits = [(Cell::new(3, 3), 9), (Cell::new(3, 3), 8), (outside, 0), (Cell::new(4, 4), 7)]
            .map(|(cell, class)| Edit::terrain(cell, class));
        let refused = what_if.with_edits(&finder, &edits).map(|_| ());
        assert_eq!(refused, Err(GridError::OutOfBounds { cell: outside, bounds }));
        check(what_if.with_edits(&finder, &[]).unwrap(), &world, MovementId::FIRST);
    }
}

#[test]
fn a_search_begun_on_a_supposed_map_goes_on_there() {
    let finder = PathFinder::new(Grid::new(60, 60, 1).unwrap(), Movement::new());
    let query = PathQuery::new(Cell::new(0, 30), Cell::new(59, 30));
    let wall: Vec<Edit> = (0..59).map(|y| Edit::terrain(Cell::new(30, y), 0)).collect();
    for algorithm in [Algorithm::Auto, Algorithm::AStar] {
        let query = query.with_algorithm(algorithm);
        let mut what_if = WhatIf::new(&finder);
        let mut search = what_if.with_edits(&finder, &wall).unwrap().begin(&query).unwrap();
        assert_eq!(search.advance(1), SearchStatus::Running);
        let open = what_if.with_edits(&finder, &[]).unwrap().solve(&query).unwrap();
        assert_eq!(open, finder.solve(&query).unwrap());
        let mut walled = finder.clone();
        walled.edit(&wall).unwrap();
        assert_eq!(search.finish().unwrap(), walled.solve(&query).unwrap());
    }
}

#[test]
fn the_finder_that_is_followed_keeps_its_ways_and_its_movements_apart() {
    let mut finder = PathFinder::new(Grid::new(9, 9, 1).unwrap(), Movement::new());
    let boat = finder.add_movement(
        Movement::new().with_costs(CostTable::impassable().with(1, 1)).with_diagonals(Diagonals::Always),
    );
    let mut what_if = WhatIf::new(&finder);
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(8, 8));
    let ring = [(7, 8), (7, 7), (8, 7)].map(|place| Edit::terrain(Cell::from(place), 3));
    let supposed = what_if.with_edits(&finder, &ring).unwrap();
    assert_eq!(supposed.is_reachable(&query), Ok(true), "class 3 is slow for one");
    assert_eq!(supposed.is_reachable(&query.with_movement(boat)), Ok(false), "class 3 is closed to the boat");
    assert_eq!(finder.is_reachable(&query.with_movement(boat)), Ok(true));
}
