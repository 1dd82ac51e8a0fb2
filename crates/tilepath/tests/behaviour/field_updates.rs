//! Fields that follow the edits of their map.
//!
//! They always equal a fresh build.

use proptest::prelude::*;
use testkit::{DiagonalRule, Rules, Seed};
use tilepath::{
    Cell, Cost, Grid, Movement, PathFinder, QueryError,
    field::{FieldQuery, FieldState, FieldUpdate, FlowField},
};

use crate::{
    fields::{cells, check_settled, goals_on, places},
    worlds::{Prices, World, cases, edits, world},
};

fn assert_equal_fields(world: &World, field: &FlowField, fresh: &FlowField) {
    for position in world.positions() {
        let cell = world.cell(position);
        assert_eq!(field.state(cell), fresh.state(cell), "{cell} of {world:?}");
        assert_eq!(field.direction(cell), fresh.direction(cell), "{cell} of {world:?}");
    }
}

/// A map and a finder with the same edits.
struct Twin {
    world: World,
    finder: PathFinder,
}

impl Twin {
    fn new(world: World) -> Self {
        Self { finder: world.finder(), world }
    }

    fn edit(&mut self, (x, y): (i32, i32), class: u8) {
        let place = (x % self.world.map.width as i32, y % self.world.map.height as i32);
        let slot = self.world.map.slot(place);
        self.world.map.classes[slot] = class;
        self.finder.set_terrain(self.world.cell(place), class).unwrap();
    }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn after_any_edits_a_field_is_that_of_a_fresh_build(
        world in world(18, Prices::Low),
        places in places(),
        batches in proptest::collection::vec(edits(0..=4), 1..8),
    ) {
        let mut twin = Twin::new(world);
        let goals = cells(&twin.world, &goals_on(&twin.world, &places));
        let mut field = twin.finder.field(&goals).unwrap();
        for batch in batches {
            for (place, class) in batch {
                twin.edit(place, class);
            }
            field.update(&twin.finder).unwrap();
            prop_assert_eq!(field.revision(), twin.finder.grid().revision());
            prop_assert!(field.is_done());
            assert_equal_fields(&twin.world, &field, &twin.world.finder().field(&goals).unwrap());
        }
    }

    #[test]
    fn after_any_edits_a_field_is_that_of_a_fresh_build_up_to_the_largest_costs(
        world in world(10, Prices::Any),
        places in places(),
        batches in proptest::collection::vec(edits(0..=4), 1..8),
    ) {
        let mut twin = Twin::new(world);
        let goals = cells(&twin.world, &goals_on(&twin.world, &places));
        let mut field = twin.finder.field(&goals).unwrap();
        for batch in batches {
            for (place, class) in batch {
                twin.edit(place, class);
            }
            field.update(&twin.finder).unwrap();
            assert_equal_fields(&twin.world, &field, &twin.world.finder().field(&goals).unwrap());
        }
    }

    #[test]
    fn a_paused_field_that_follows_edits_stays_exact_as_far_as_it_has_come(
        world in world(12, Prices::Low),
        places in places(),
        batches in proptest::collection::vec((0..40_u64, edits(0..=3)), 1..8),
    ) {
        let mut twin = Twin::new(world);
        let goals = goals_on(&twin.world, &places);
        let goal_cells = cells(&twin.world, &goals);
        let mut field = twin.finder.begin_field(&FieldQuery::new(&goal_cells[..])).unwrap();
        for (slice, batch) in batches {
            field.advance(slice);
            let came_to = costliest_settled(&twin.world, &field);
            for (place, class) in batch {
                twin.edit(place, class);
            }
            field.update(&twin.finder).unwrap();
            check_settled(&twin.world, &goals, &field);
            let fresh = twin.world.finder().field(&goal_cells).unwrap();
            for cell in open_cells(&twin.world) {
                if fresh.cost(cell).is_some_and(|cost| Some(cost) <= came_to) {
                    prop_assert_eq!(field.state(cell), fresh.state(cell), "{}", cell);
                }
            }
        }
        field.advance(u64::MAX);
        assert_equal_fields(&twin.world, &field, &twin.world.finder().field(&goal_cells).unwrap());
    }
}

fn open_cells(world: &World) -> impl Iterator<Item = Cell> + '_ {
    let is_open = |position: &(i32, i32)| {
        world.map.class(*position).is_some_and(|class| world.rules.multipliers[usize::from(class)] > 0)
    };
    world.positions().filter(is_open).map(|position| world.cell(position))
}

fn costliest_settled(world: &World, field: &FlowField) -> Option<Cost> {
    open_cells(world).filter_map(|cell| field.cost(cell)).max()
}

/// On large maps, most edits are small in comparison with the field.
#[test]
fn small_edits_of_large_fields_are_repaired() {
    let maps = [
        testkit::caves(90, 70, &Seed::named("repaired caves")),
        testkit::rooms(80, 80, 7, &Seed::named("repaired rooms")),
        testkit::cluttered(80, 60, 30, &Seed::named("repaired clutter")),
        testkit::terrain(80, 60, 9, 20, &Seed::named("repaired hills")),
    ];
    for map in maps {
        for diagonals in DiagonalRule::ALL {
            let mut twin = Twin::new(World::new(map.clone(), Rules::classic(diagonals)));
            let queries = map.queries(60, &Seed::named("builders"));
            let goals = [twin.world.cell(queries[0].0), twin.world.cell(queries[1].0)];
            let mut field = twin.finder.field(&goals).unwrap();
            let mut repaired = 0;
            for (number, (place, other)) in queries.into_iter().enumerate().skip(2) {
                twin.edit(place, if number % 3 == 0 { 7 } else { 0 });
                twin.edit((other.0 + 1, other.1), (number % 4) as u8);
                let update = field.update(&twin.finder).unwrap();
                repaired += usize::from(matches!(update, FieldUpdate::Repaired { .. }));
                let fresh = twin.world.finder().field(&goals).unwrap();
                assert_equal_fields(&twin.world, &field, &fresh);
            }
            assert!(repaired > 30, "{} {diagonals:?}: {repaired} of 58", map.name);
        }
    }
}

#[test]
fn a_repair_touches_what_the_edit_affects_and_no_more() {
    let mut finder = PathFinder::new(Grid::new(100, 100, 1).unwrap(), Movement::new());
    let mut field = finder.field(&[Cell::new(0, 0)]).unwrap();
    finder.set_terrain(Cell::new(99, 50), 0).unwrap();
    let FieldUpdate::Repaired { cells } = field.update(&finder).unwrap() else {
        panic!("a wall at the edge")
    };
    assert!(cells < 100, "{cells} of 10,000 cells");
    // The only exit of a corner.
    for cell in [Cell::new(98, 99), Cell::new(98, 98)] {
        finder.set_terrain(cell, 0).unwrap();
    }
    assert!(matches!(field.update(&finder), Ok(FieldUpdate::Repaired { cells }) if cells < 100));
}

#[test]
fn an_edit_taken_back_changes_nothing() {
    let mut finder = PathFinder::new(Grid::new(20, 20, 1).unwrap(), Movement::new());
    let mut field = finder.field(&[Cell::new(3, 3)]).unwrap();
    assert_eq!(field.update(&finder), Ok(FieldUpdate::Unchanged));
    finder.set_terrain(Cell::new(5, 5), 0).unwrap();
    finder.set_terrain(Cell::new(5, 5), 1).unwrap();
    assert_ne!(field.revision(), finder.grid().revision());
    assert_eq!(field.update(&finder), Ok(FieldUpdate::Unchanged));
    assert_eq!(field.revision(), finder.grid().revision());
}

#[test]
fn a_field_that_lost_a_quarter_is_built_again() {
    let mut finder = PathFinder::new(Grid::new(50, 50, 1).unwrap(), Movement::new());
    let goal = Cell::new(25, 25);
    let mut field = finder.field(&[goal]).unwrap();
    for step in [(0, 1), (1, 0), (0, -1)] {
        finder.set_terrain(Cell::new(goal.x + step.0, goal.y + step.1), 0).unwrap();
    }
    assert_eq!(field.update(&finder), Ok(FieldUpdate::Rebuilt));
    let fresh = finder.field(&[goal]).unwrap();
    for cell in finder.grid().bounds().cells() {
        assert_eq!(field.state(cell), fresh.state(cell), "{cell}");
    }
}

#[test]
fn a_field_older_than_the_journal_is_built_again() {
    let mut finder = PathFinder::new(Grid::new(20, 20, 1).unwrap(), Movement::new());
    let mut field = finder.field(&[Cell::new(0, 0)]).unwrap();
    for step in 0..60 {
        finder.set_terrain(Cell::new(10, 10), (step % 2) as u8).unwrap();
    }
    assert!(finder.grid().changes_since(field.revision()).is_none());
    assert_eq!(field.update(&finder), Ok(FieldUpdate::Rebuilt));
    assert_eq!(field.revision(), finder.grid().revision());
}

#[test]
fn field_follows_a_movement_with_changed_rules() {
    let mut finder = PathFinder::new(Grid::new(20, 20, 1).unwrap(), Movement::new());
    let mut field = finder.field(&[Cell::new(0, 0)]).unwrap();
    let id = tilepath::MovementId::default();
    finder.set_movement(id, Movement::new().with_diagonals(tilepath::Diagonals::Never)).unwrap();
    assert_eq!(field.update(&finder), Ok(FieldUpdate::Rebuilt));
    assert_eq!(field.cost(Cell::new(3, 3)), Some(Cost::new(60)));
}

#[test]
fn a_field_can_move_to_another_finder_whatever_its_revision() {
    let mut finder = PathFinder::new(Grid::new(20, 20, 1).unwrap(), Movement::new());
    let mut field = finder.field(&[Cell::new(19, 0)]).unwrap();
    let mut copy = finder.clone();
    finder.set_terrain(Cell::new(3, 3), 0).unwrap();
    copy.set_terrain(Cell::new(18, 0), 0).unwrap();
    field.update(&finder).unwrap();
    assert_eq!(field.revision(), copy.grid().revision(), "two maps with equal revisions");
    assert_eq!(field.update(&copy), Ok(FieldUpdate::Rebuilt));
    assert_eq!(field.cost(Cell::new(17, 0)), Some(Cost::new(40)));

    let small = PathFinder::new(Grid::new(5, 5, 1).unwrap(), Movement::new());
    let (cell, bounds) = (Cell::new(19, 0), small.grid().bounds());
    assert_eq!(field.update(&small), Err(QueryError::GoalOutOfBounds { cell, bounds }));
    assert_eq!(field.cost(Cell::new(17, 0)), Some(Cost::new(40)), "as before");
}

#[test]
fn a_goal_that_is_closed_and_opened_again_comes_back() {
    let mut finder = PathFinder::new(Grid::new(9, 9, 1).unwrap(), Movement::new());
    let goal = Cell::new(4, 4);
    let mut field = finder.field(&[goal]).unwrap();
    finder.set_terrain(goal, 0).unwrap();
    field.update(&finder).unwrap();
    assert_eq!(field.state(Cell::new(4, 5)), FieldState::Unreachable);
    assert_eq!(field.state(goal), FieldState::Settled(Cost::ZERO));
    finder.set_terrain(goal, 1).unwrap();
    field.update(&finder).unwrap();
    assert_eq!(field.state(Cell::new(4, 5)), FieldState::Settled(Cost::new(10)));
}

/// A paused search ignores a neighbour if a waiting cell offers the same cost. The edits here close
/// such cells.
#[test]
fn a_paused_field_offers_again_what_it_left_to_others() {
    let map = testkit::open(6, 7);
    let mut rules = Rules::classic(DiagonalRule::OnlyWhenNoObstacles);
    rules.multipliers = std::array::from_fn(|class| u64::from(class == 1));
    let mut twin = Twin::new(World::new(map, rules));
    let goals = [(1, 5), (3, 3)];
    let query = FieldQuery::new(cells(&twin.world, &goals));
    let mut field = twin.finder.begin_field(&query).unwrap();
    let walls =
        [vec![(3, 4)], vec![(5, 0), (4, 2), (0, 0)], vec![(2, 2), (2, 6)], vec![(0, 2), (4, 4), (0, 5)]];
    for (slice, walls) in [6, 27, 10, 26].into_iter().zip(walls) {
        field.advance(slice);
        for wall in walls {
            twin.edit(wall, 0);
        }
        field.update(&twin.finder).unwrap();
        check_settled(&twin.world, &goals, &field);
    }
    field.advance(u64::MAX);
    assert_equal_fields(&twin.world, &field, &twin.world.finder().field(query.goals()).unwrap());
}

#[test]
fn a_paused_field_can_be_updated_for_ever() {
    let mut finder = PathFinder::new(Grid::new(16, 16, 1).unwrap(), Movement::new());
    let mut field = finder.begin_field(&FieldQuery::new([Cell::new(8, 8)])).unwrap();
    field.advance(60);
    let states = |field: &FlowField| -> Vec<FieldState> {
        (0..256).map(|slot| field.state(Cell::new(slot % 16, slot / 16))).collect()
    };
    let before = states(&field);
    let mut repaired = 0;
    for turn in 0..200 {
        finder.set_terrain(Cell::new(8, 10), turn % 2).unwrap();
        repaired += usize::from(matches!(field.update(&finder), Ok(FieldUpdate::Repaired { .. })));
    }
    assert_eq!((repaired, states(&field)), (200, before));
}
