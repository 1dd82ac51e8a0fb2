//! Maps that grow and shrink at any side, against maps made as large as they have become.

use crate::worlds::{Prices, World, cases, edits, world};
use proptest::{collection::vec, prelude::*};
use testkit::TileMap;
use tilepath::{
    Algorithm, Bounds, Cell, Grid, Movement, MovementId, Outcome, PathFinder, PathQuery, QueryError,
    SearchStatus, WhatIf, field::FieldQuery,
};

/// What is added to the west, the south, the east and the north; less than nothing is taken away.
type Sides = [i32; 4];

fn sides() -> impl Strategy<Value = Sides> {
    let side = prop_oneof![3 => Just(0), 2 => Just(64), 1 => Just(-64), 2 => -20..=20_i32];
    [side.clone(), side.clone(), side.clone(), side]
}

/// The world with its sides moved, at least a cell large; start and goal are where they were, or as near as may be.
fn resized(world: &World, [west, south, east, north]: Sides, class: u8) -> World {
    let long = |length: u32, more: i32| (length as i32 + more).clamp(1, 170);
    let (width, height) = (long(world.map.width, west + east), long(world.map.height, south + north));
    let mut classes = Vec::new();
    for y in 0..height {
        for x in 0..width {
            classes.push(world.map.class((x - west, y - south)).unwrap_or(class));
        }
    }
    let moved = |(x, y): (i32, i32)| ((x + west).clamp(0, width - 1), (y + south).clamp(0, height - 1));
    World {
        map: TileMap::new("resized", width as u32, height as u32, classes),
        origin: world.origin - (west, south),
        rules: world.rules.clone(),
        start: moved(world.start),
        goal: moved(world.goal),
    }
}

fn bounds(world: &World) -> Bounds {
    Bounds::new(world.origin, world.map.width, world.map.height).unwrap()
}

fn check(finder: &PathFinder, world: &World) {
    let fresh = world.finder();
    assert_eq!(finder.grid(), fresh.grid());
    assert_eq!(finder.grid().class_count(1), fresh.grid().class_count(1));
    let costs = world.oracle().costs_from(world.start);
    for (place, cost) in world.positions().zip(costs) {
        let query = PathQuery::new(world.start(), world.cell(place));
        assert_eq!(finder.is_reachable(&query).unwrap(), cost.is_some(), "to {place:?} in {world:?}");
    }
    for algorithm in [Algorithm::Auto, Algorithm::AStar, Algorithm::Dijkstra] {
        let query = PathQuery::new(world.start(), world.goal()).with_algorithm(algorithm).or_closest();
        assert_eq!(finder.solve(&query), fresh.solve(&query), "{query:?} in {world:?}");
    }
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn a_resized_map_is_one_made_as_large(
        world in world(100, Prices::Low),
        rounds in vec((sides(), 0..=3_u8, edits(0..=3)), 1..=5),
    ) {
        // Far corners are tested with the bounds themselves.
        let mut now = World { origin: Cell::new(world.origin.x % 1_000, world.origin.y % 1_000), ..world };
        let mut finder = now.finder();
        let mut what_if = WhatIf::new(&finder);
        check(&finder, &now);
        for (sides, class, edits) in rounds {
            let next = resized(&now, sides, class);
            let has_changed = finder.resize(bounds(&next), class);
            prop_assert_eq!(has_changed, bounds(&next) != bounds(&now));
            now = next;
            for ((x, y), class) in edits {
                let place = (x * 5 % now.map.width as i32, y * 5 % now.map.height as i32);
                let slot = now.map.slot(place);
                now.map.classes[slot] = class;
                finder.set_terrain(now.cell(place), class).unwrap();
            }
            check(&finder, &now);
            check(what_if.with_edits(&finder, []).unwrap(), &now);
        }
    }

    #[test]
    fn fields_follow_the_map(world in world(60, Prices::Low), sides in sides(), class in 0..=3_u8) {
        let now = World { origin: Cell::new(0, 0), ..world };
        let mut finder = now.finder();
        let then = resized(&now, sides, class);
        // The goal is on both maps, or else is refused.
        let mut field = finder.solve_field(&FieldQuery::new([now.goal()])).unwrap();
        finder.resize(bounds(&then), class);
        let updated = field.update(&finder);
        if finder.grid().contains(now.goal()) {
            prop_assert!(updated.is_ok());
            let fresh = then.finder().solve_field(&FieldQuery::new([now.goal()])).unwrap();
            for cell in finder.grid().bounds().cells() {
                prop_assert_eq!(field.state(cell), fresh.state(cell));
                prop_assert_eq!(field.direction(cell), fresh.direction(cell));
            }
        } else {
            let is_refused = matches!(updated, Err(QueryError::GoalOutOfBounds { .. }));
            prop_assert!(is_refused);
        }
    }
}

#[test]
fn searches_under_way_go_on_on_the_map_as_it_was() {
    let mut finder = PathFinder::new(Grid::new(90, 90, 1).unwrap(), Movement::new());
    let query = PathQuery::new(Cell::new(2, 2), Cell::new(80, 44)).with_algorithm(Algorithm::AStar);
    let expected = finder.solve(&query).unwrap();
    let mut search = finder.begin(&query).unwrap();
    assert_eq!(search.advance(5), SearchStatus::Running);
    assert!(finder.resize(Bounds::new(Cell::new(0, 0), 40, 90).unwrap(), 1));
    assert!(matches!(finder.solve(&query), Err(QueryError::GoalOutOfBounds { .. })));
    assert_eq!(search.finish().unwrap(), expected);
}

#[test]
fn movements_keep_their_ids_and_the_journal_begins_again() {
    let mut finder = PathFinder::new(Grid::new(20, 20, 1).unwrap(), Movement::new());
    let other = finder.add_movement(Movement::new().with_diagonals(tilepath::Diagonals::Never));
    let (before, unchanged) = (finder.grid().revision(), finder.grid().bounds());
    assert!(!finder.resize(unchanged, 5));
    assert_eq!(finder.grid().revision(), before);
    assert!(finder.resize(Bounds::new(Cell::new(-5, -5), 30, 30).unwrap(), 1));
    finder.set_terrain(Cell::new(-5, -5), 3).unwrap();
    assert!(finder.grid().changes_since(before).is_none());
    let query = PathQuery::new(Cell::new(-4, -4), Cell::new(24, 24));
    let steps = |id: MovementId| match finder.solve(&query.with_movement(id)).unwrap().outcome {
        Outcome::Found(path) => path.steps(),
        other => panic!("{other:?}"),
    };
    assert_eq!((steps(MovementId::FIRST), steps(other)), (28, 56));
    assert!(finder.resize(Bounds::new(Cell::new(3, 3), 0, 9).unwrap(), 1), "nothing is left");
    assert!(finder.is_reachable(&query).is_err());
    assert!(finder.resize(Bounds::new(Cell::new(-5, -5), 30, 30).unwrap(), 2));
    assert_eq!(finder.is_reachable(&query.with_movement(other)), Ok(true));
    assert_eq!(finder.grid().class_count(2), 900);
}

#[cfg(feature = "recording")]
#[test]
fn a_recording_notes_the_map_that_has_grown() {
    let mut finder = PathFinder::new(Grid::new(20, 20, 1).unwrap(), Movement::new());
    let mut recorder = tilepath::recording::Recorder::new(&finder);
    let query = PathQuery::new(Cell::new(1, 1), Cell::new(18, 9));
    recorder.solve(&finder, &query).unwrap();
    finder.resize(Bounds::new(Cell::new(-64, 0), 90, 12).unwrap(), 1);
    finder.set_terrain(Cell::new(-3, 3), 0).unwrap();
    recorder.solve(&finder, &PathQuery::new(Cell::new(-60, 3), Cell::new(18, 9))).unwrap();
    let replayed = recorder.into_recording().replay(|_| ()).unwrap();
    assert_eq!((replayed.answers, replayed.different), (2, 0));
}
