//! Maps that grow and shrink, against maps of final size.

use crate::worlds::{Prices, World, cases, edits, world};
use proptest::{collection::vec, prelude::*};
use testkit::TileMap;
use tilepath::{
    Algorithm, Bounds, Cell, Edit, Grid, GridError, Movement, MovementId, Outcome, PathFinder, PathQuery,
    QueryError, SearchStatus, Size, WhatIf,
    field::{FieldQuery, FieldUpdate},
};

/// The cells added to the west, south, east and north. A negative number removes cells.
type Sides = [i32; 4];

fn sides() -> impl Strategy<Value = Sides> {
    let side = prop_oneof![3 => Just(0), 2 => Just(64), 1 => Just(-64), 2 => -20..=20_i32];
    [side.clone(), side.clone(), side.clone(), side]
}

/// Returns the world with its sides moved, at least one cell large. Start and goal stay, or move to
/// the nearest cell on the map.
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
        // The tests of the bounds cover far corners.
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
            check(what_if.with_edits(&finder, &[]).unwrap(), &now);
        }
    }

    #[test]
    fn fields_follow_the_map(
        world in world(100, Prices::Low),
        sides in sides(),
        class in 0..=3_u8,
        expansions in prop_oneof![Just(u64::MAX), 0..=5_000_u64],
    ) {
        let now = World { origin: Cell::new(0, 0), ..world };
        let mut finder = now.finder();
        let then = resized(&now, sides, class);
        // If the goal is not on the new map, the update must fail.
        let mut field = finder.begin_field(&FieldQuery::new([now.goal()])).unwrap();
        field.advance(expansions);
        finder.resize(bounds(&then), class);
        let updated = field.update(&finder);
        if finder.grid().contains(now.goal()) {
            prop_assert!(updated.is_ok());
            field.advance(u64::MAX);
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
fn movements_keep_their_ids_and_the_journal_goes_on() {
    let mut finder = PathFinder::new(Grid::new(20, 20, 1).unwrap(), Movement::new());
    let other = finder.add_movement(Movement::new().with_diagonals(tilepath::Diagonals::Never));
    let (before, unchanged) = (finder.grid().revision(), finder.grid().bounds());
    assert!(!finder.resize(unchanged, 5));
    assert_eq!(finder.grid().revision(), before);
    assert!(finder.resize(Bounds::new(Cell::new(-5, -5), 30, 30).unwrap(), 1));
    let grown = finder.grid().revision();
    finder.set_terrain(Cell::new(-5, -5), 3).unwrap();
    let changes = |revision| finder.grid().changes_since(revision).unwrap().collect::<Vec<_>>();
    assert_eq!(changes(grown), [Cell::new(-5, -5)]);
    let all = changes(before);
    assert_eq!((all.len(), all.last()), (30 * 30 - 20 * 20 + 1, Some(&Cell::new(-5, -5))));
    assert!(all[..500].iter().all(|&cell| !unchanged.contains(cell)), "they came");
    let query = PathQuery::new(Cell::new(-4, -4), Cell::new(24, 24));
    let steps = |id: MovementId| match finder.solve(&query.with_movement(id)).unwrap().outcome {
        Outcome::Found(path) => path.steps(),
        other => panic!("{other:?}"),
    };
    assert_eq!((steps(MovementId::FIRST), steps(other)), (28, 56));
    assert!(finder.resize(Bounds::new(Cell::new(3, 3), 0, 9).unwrap(), 1), "the map has no cell left");
    assert!(finder.is_reachable(&query).is_err());
    assert!(finder.resize(Bounds::new(Cell::new(-5, -5), 30, 30).unwrap(), 2));
    assert_eq!(finder.is_reachable(&query.with_movement(other)), Ok(true));
    assert_eq!(finder.grid().class_count(2), 900);
}

#[test]
fn the_journal_tells_edits_by_the_cells_of_now() {
    let bounds = |x, y, width, height| Bounds::new(Cell::new(x, y), width, height).unwrap();
    let mut grid = Grid::new(16, 16, 1).unwrap();
    let begin = grid.revision();
    grid.set_terrain(Cell::new(3, 3), 0).unwrap();
    grid.resize(bounds(-8, 0, 24, 16), 1);
    grid.set_terrain(Cell::new(-8, 15), 0).unwrap();
    let middle = grid.revision();
    grid.resize(bounds(0, 0, 15, 16), 1);
    grid.set_terrain(Cell::new(14, 0), 0).unwrap();
    let changes = |revision| grid.changes_since(revision).unwrap().collect::<Vec<_>>();
    let (west, east): (Vec<Cell>, Vec<Cell>) =
        (bounds(-8, 0, 8, 16).cells().collect(), bounds(15, 0, 1, 16).cells().collect());
    let latest = [west.clone(), east, vec![Cell::new(14, 0)]].concat();
    assert_eq!(changes(middle), latest);
    let all = [vec![Cell::new(3, 3)], west, vec![Cell::new(-8, 15)], latest].concat();
    assert_eq!(changes(begin), all);
    // The journal holds an eighth of the cells. If the map shrinks, the journal drops its oldest
    // entries.
    grid.resize(bounds(0, 0, 5, 8), 1);
    assert!(grid.changes_since(middle).is_some() && grid.changes_since(begin).is_none());
    grid.resize(bounds(0, 0, 7, 1), 1);
    assert!(grid.changes_since(middle).is_none());
}

#[test]
fn new_cells_may_be_void() {
    let mut finder = PathFinder::new(Grid::new(64, 64, 1).unwrap(), Movement::new());
    assert!(finder.resize(Bounds::new(Cell::new(-64, 0), 128, 64).unwrap(), None));
    let (from, to) = (Cell::new(3, 3), Cell::new(-30, 3));
    assert!(!finder.grid().contains(to));
    assert_eq!((finder.grid().class_count(0), finder.grid().class_count(1)), (0, 64 * 64));
    assert!(matches!(finder.find(from, to), Err(QueryError::GoalOutOfBounds { .. })));
    let chunk = Bounds::new(Cell::new(-64, 0), 64, 64).unwrap();
    assert_eq!(finder.set_terrain_in(chunk, 1), Ok(64 * 64)); // the chunk appears
    assert!(matches!(finder.find(from, to).unwrap(), Outcome::Found(path) if path.steps() == 33));
    let mut one_by_one = finder.clone();
    assert_eq!(finder.edit(&[Edit::void_in(chunk)]), Ok(64 * 64)); // the chunk is removed
    assert_eq!(finder.edit(&[Edit::void_in(chunk)]), Ok(0));
    chunk.cells().for_each(|cell| assert_eq!(one_by_one.edit(&[Edit::void(cell)]), Ok(1)));
    assert_eq!(finder.grid(), one_by_one.grid());
    assert!(matches!(finder.find(from, to), Err(QueryError::GoalOutOfBounds { .. })));
    let past = Bounds::new(Cell::new(1, 0), 64, 64).unwrap();
    assert!(matches!(finder.edit(&[Edit::void_in(past)]), Err(GridError::OutOfBounds { .. })));
    assert!(finder.grid().contains(Cell::new(1, 0)), "no edit of the list is made");
    assert_eq!(finder.edit(&[Edit::void_in(Bounds::new(Cell::new(500, 0), 0, 9).unwrap())]), Ok(0));
    finder.resize(Bounds::new(Cell::new(0, 0), 64, 64).unwrap(), 0);
    assert_eq!(finder.grid(), &Grid::new(64, 64, 1).unwrap());
}

#[test]
fn a_field_on_a_map_that_grows_is_repaired() {
    for size in [1, 3] {
        let movement = Movement::new().with_size(Size::new(size).unwrap());
        let mut finder = PathFinder::new(Grid::new(256, 256, 1).unwrap(), movement);
        let mut field = finder.field(&[Cell::new(100, 100)]).unwrap();
        let steps: [[i32; 4]; 4] =
            [[-64, 0, 320, 256], [-64, -64, 320, 320], [0, -64, 256, 320], [0, 0, 256, 256]];
        for [x, y, width, height] in steps {
            let bounds = Bounds::new(Cell::new(x, y), width as u32, height as u32).unwrap();
            let more = bounds.cell_count().saturating_sub(finder.grid().bounds().cell_count()) as u64;
            finder.resize(bounds, 1);
            let updated = field.update(&finder).unwrap();
            let is_repaired = matches!(updated, FieldUpdate::Repaired { cells } if (more * 9 / 10..more + 4_000).contains(&cells));
            assert!(is_repaired, "{updated:?}, {more} cells more");
            let fresh = finder.field(&[Cell::new(100, 100)]).unwrap();
            assert!(bounds.cells().all(|cell| field.state(cell) == fresh.state(cell)));
        }
        finder.resize(Bounds::new(Cell::new(0, 0), 90, 90).unwrap(), 1);
        assert!(matches!(field.update(&finder), Err(QueryError::GoalOutOfBounds { .. })));
    }
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
