//! Queries that are answered at once.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, NavGrid, NavMap, NavProjection, NavQuery, PathFailure, Place,
    tilepath::{
        Grid, Outcome,
        explain::{ExplainError, FailureExplanation},
        format::parse_ascii,
    },
};

use crate::harness::*;

fn spawn(game: &mut Game, picture: &str, x: f32) -> Entity {
    game.world_mut()
        .spawn((
            NavMap::default(),
            NavGrid::new(parse_ascii(picture).unwrap()),
            NavProjection::square(Vec2::splat(10.0), Vec2::splat(5.0)),
            Transform::from_xyz(x, 0.0, 0.0),
        ))
        .id()
}

/// Returns the centre of a cell, on a map at the origin.
fn at(x: i32, y: i32) -> Vec2 {
    Vec2::new(x as f32, y as f32) * 10.0 + 5.0
}

const WALLED: &str = "
    ..#.
    ..#.
    .2#.
";

#[test]
fn a_path_is_found_between_world_positions() {
    let mut game = Game::new();
    let map = spawn(&mut game, WALLED, 0.0);
    game.tick();
    let (cells, points) = game.ask(move |nav| {
        let answer = nav.only_map().unwrap().find(at(0, 0), at(0, 2)).unwrap();
        let path = answer.outcome.path().unwrap();
        (path.cells().to_vec(), nav.map(map).unwrap().points(path))
    });
    assert_eq!(cells, [(0, 0), (0, 1), (0, 2)].map(Cell::from));
    assert_eq!(points, [at(0, 0), at(0, 1), at(0, 2)]);
}

#[test]
fn that_there_is_no_way_is_an_answer() {
    let mut game = Game::new();
    spawn(&mut game, WALLED, 0.0);
    game.tick();
    game.ask(|nav| {
        let view = nav.only_map().unwrap();
        let answer = view.find(at(0, 0), at(3, 0)).unwrap();
        assert!(matches!(answer.outcome, Outcome::Unreachable { closest: None }), "{answer:?}");
        let answer = view.find_closest(at(0, 0), at(3, 0)).unwrap();
        let Outcome::Unreachable { closest: Some(path) } = answer.outcome else { panic!("no closest path") };
        assert_eq!(path.goal(), Cell::new(1, 0));
        assert_eq!(view.is_reachable(at(0, 0), at(3, 0)), Ok(false));
        assert_eq!(view.is_reachable(at(0, 0), at(1, 0)), Ok(true));
        assert_eq!(view.is_reachable(at(2, 0), at(2, 0)), Ok(true), "a unit always reaches its own cell");
    });
}

#[test]
fn questions_have_reasons_for_failing() {
    let mut game = Game::new();
    let failure = |game: &mut Game, from: Vec2, to: Vec2| {
        game.ask(move |nav| nav.only_map().and_then(|map| map.find(from, to)).unwrap_err())
    };
    assert_eq!(failure(&mut game, at(0, 0), at(1, 0)), PathFailure::NoMap);
    let unready = game.world_mut().spawn(NavMap::default()).id();
    game.tick();
    assert_eq!(failure(&mut game, at(0, 0), at(1, 0)), PathFailure::NotReadYet { map: unready });
    game.world_mut().despawn(unready);

    let map = spawn(&mut game, WALLED, 0.0);
    game.tick();
    assert_eq!(failure(&mut game, Vec2::NAN, at(1, 0)), PathFailure::PositionNotFinite);
    assert_eq!(failure(&mut game, at(0, 0), Vec2::INFINITY), PathFailure::PositionNotFinite);
    assert_eq!(failure(&mut game, at(-1, 0), at(1, 0)), start_off((-1, 0), 4, 3));
    assert_eq!(failure(&mut game, at(0, 0), at(0, 3)), goal_off((0, 3), 4, 3));
    assert_eq!(failure(&mut game, at(0, 0), Vec2::splat(1e30)), goal_off((i32::MAX, i32::MAX), 4, 3));
    game.world_mut().get_mut::<Transform>(map).unwrap().scale = Vec3::ZERO;
    game.tick();
    assert_eq!(failure(&mut game, at(0, 0), at(1, 0)), PathFailure::MapWithoutArea);

    spawn(&mut game, WALLED, 100.0);
    game.tick();
    assert_eq!(failure(&mut game, at(0, 0), at(1, 0)), PathFailure::AmbiguousMap);
    let unknown = game.world_mut().spawn_empty().id();
    assert_eq!(game.ask(move |nav| nav.map(unknown).unwrap_err()), PathFailure::NoMap);
}

#[test]
fn query_names_one_map_and_finds_tiles_on_each() {
    let mut game = Game::new();
    let (left, right) = (spawn(&mut game, "..", 0.0), spawn(&mut game, ".#.", 100.0));
    game.tick();
    game.ask(move |nav| {
        let map_at = |world| nav.map_at(world).map(|(map, cell)| (map.entity(), cell));
        assert_eq!(map_at(at(1, 0)), Some((left, Cell::new(1, 0))));
        assert_eq!(map_at(at(12, 0)), Some((right, Cell::new(2, 0))));
        assert_eq!(map_at(at(5, 0)), None);
        assert_eq!(map_at(Vec2::NAN), None);
        assert_eq!(nav.map(right).unwrap().world_of(Cell::new(2, 0)), Some(at(12, 0)));
        assert_eq!(nav.map(right).unwrap().world_of(Cell::new(3, 0)), None);
        assert_eq!(nav.map(left).unwrap().is_reachable(at(0, 0), at(1, 0)), Ok(true));
        assert_eq!(nav.map(right).unwrap().is_reachable(at(10, 0), at(12, 0)), Ok(false));
        assert_eq!(nav.map(right).unwrap().entity(), right);
    });
}

#[test]
fn questions_are_answered_while_time_is_paused() {
    let mut game = Game::new();
    spawn(&mut game, WALLED, 0.0);
    game.tick();
    game.world_mut().resource_mut::<Time<Virtual>>().pause();
    game.add_systems(Update, |nav: NavQuery, mut exit: MessageWriter<AppExit>| {
        assert_eq!(nav.only_map().unwrap().is_reachable(at(0, 0), at(1, 2)), Ok(true));
        exit.write(AppExit::Success);
    });
    game.update();
    assert_eq!(game.should_exit(), Some(AppExit::Success));
}

#[test]
fn questions_stand_beside_systems_that_move_things() {
    let mut game = Game::new();
    spawn(&mut game, WALLED, 0.0);
    game.add_systems(Update, |nav: NavQuery, mut transforms: Query<&mut Transform>| {
        for mut transform in &mut transforms {
            if nav.map_at(transform.translation.truncate()).is_some() {
                transform.translation.x += 1.0;
            }
        }
    });
    let walker = game.world_mut().spawn(Transform::from_xyz(5.0, 5.0, 0.0)).id();
    game.tick();
    game.tick();
    assert!(game.world().get::<Transform>(walker).unwrap().translation.x > 5.0);
}

#[test]
fn cells_and_positions_are_places_alike() {
    let mut game = Game::new();
    spawn(&mut game, WALLED, 0.0);
    game.tick();
    game.ask(|nav| {
        let view = nav.only_map().unwrap();
        let (from, to) = (Cell::new(0, 0), Cell::new(0, 2));
        let answer = view.find(at(0, 0), at(0, 2)).unwrap();
        assert_eq!(view.find(from, to).unwrap(), answer);
        assert_eq!(view.find(from, at(0, 2)).unwrap(), answer);
        assert_eq!(view.find(Place::from(from), to).unwrap(), answer);
        assert_eq!(view.is_reachable(from, Cell::new(3, 0)), Ok(false));
        assert!(
            nav.only_map()
                .unwrap()
                .find_closest(from, Cell::new(3, 0))
                .unwrap()
                .outcome
                .path_or_closest()
                .is_some()
        );
        assert_eq!(view.query(from, to), view.query(at(0, 0), at(0, 2)));
        let budget = bevy_tilepath::Cost::new(20);
        let (by_cell, by_position) =
            (view.range(from, budget).unwrap(), view.range(at(0, 0), budget).unwrap());
        assert_eq!(by_cell.cells(), by_position.cells());
        assert_eq!(view.nearest(from, [to]).unwrap().unwrap().path.goal(), to);
        assert_eq!(view.k_nearest(from, [to, from], 2).unwrap().len(), 2);
        assert!(matches!(view.explain_failure(from, Cell::new(3, 0)), Ok(FailureExplanation::Sealed(_))));

        // A place on no tile map has its own reason, as a start and as a goal.
        assert_eq!(view.find("gate", to).unwrap_err(), PathFailure::WrongKindOfMap);
        assert_eq!(view.is_reachable(from, "gate"), Err(PathFailure::WrongKindOfMap));
        assert_eq!(view.find(Cell::new(-1, 0), to).unwrap_err(), start_off((-1, 0), 4, 3));
        assert_eq!(view.find(Vec2::splat(-1e30), to).unwrap_err(), start_off((i32::MIN, i32::MIN), 4, 3));
    });
}

#[cfg(feature = "tilemap")]
#[test]
fn tiles_are_places_too() {
    use bevy_ecs_tilemap::tiles::TilePos;

    let mut game = Game::new();
    spawn(&mut game, WALLED, 0.0);
    game.tick();
    game.ask(|nav| {
        let view = nav.only_map().unwrap();
        assert_eq!(view.is_reachable(TilePos::new(0, 0), TilePos::new(1, 2)), Ok(true));
        assert_eq!(
            view.is_reachable(TilePos::new(0, 0), TilePos::new(u32::MAX, 0)),
            Err(goal_off((i32::MAX, 0), 4, 3))
        );
    });
}

#[test]
fn the_rules_of_the_map_hold_for_questions() {
    let mut game = Game::new();
    let map = game
        .world_mut()
        .spawn((
            NavMap { diagonals: bevy_tilepath::Diagonals::Never, ..NavMap::default() },
            NavGrid::new(Grid::new(3, 3, 1).unwrap()),
            NavProjection::square(Vec2::splat(10.0), Vec2::splat(5.0)),
        ))
        .id();
    game.tick();
    let cost = game.ask(move |nav| {
        let view = nav.map(map).unwrap();
        let query = view.query(at(0, 0), at(2, 2)).unwrap();
        view.solve(&query).unwrap().outcome.path().unwrap().cost().get()
    });
    assert_eq!(cost, 40);
}

#[test]
fn receipt_of_an_answer_adds_up_to_its_cost() {
    let mut game = Game::new();
    spawn(&mut game, "1234\n2#91\n1123", 0.0);
    game.tick();
    game.ask(|nav| {
        let view = nav.only_map().unwrap();
        let answer = view.find(at(0, 0), at(3, 1)).unwrap();
        let path = answer.outcome.path().unwrap();
        let receipt = view.explain(path.cells()).unwrap();
        assert_eq!(receipt.total(), path.cost());
        assert_eq!(receipt.cells().collect::<Vec<_>>(), path.cells());
        assert!(view.compare(path.cells()).unwrap().is_cheapest());
    });
}

#[test]
fn proposals_are_judged_by_the_rules_of_the_map() {
    let mut game = Game::new();
    let map = spawn(&mut game, "..\n..", 0.0);
    game.world_mut().get_mut::<NavMap>(map).unwrap().diagonals = bevy_tilepath::Diagonals::Never;
    game.tick();
    game.ask(move |nav| {
        let view = nav.map(map).unwrap();
        let diagonal = [Cell::new(0, 0), Cell::new(1, 1)];
        assert!(matches!(view.compare(&diagonal), Err(ExplainError::IllegalStep { step: 1, .. })));
        assert_eq!(view.compare(&[]), Err(ExplainError::NoCells));
        let detour = [Cell::new(0, 0), Cell::new(0, 1), Cell::new(0, 0), Cell::new(1, 0)];
        assert_eq!(view.compare(&detour).unwrap().excess().get(), 20);
    });
}

#[test]
fn wall_that_would_have_to_open_is_named_until_it_does() {
    let mut game = Game::new();
    let map = spawn(&mut game, ".#.\n.#.\n.##", 0.0);
    game.tick();
    game.ask(|nav| {
        let view = nav.only_map().unwrap();
        let FailureExplanation::Sealed(barrier) = view.explain_failure(at(0, 0), at(2, 2)).unwrap() else {
            panic!("no path was found")
        };
        let doors: Vec<Cell> = barrier.single.iter().map(|opening| opening.cell).collect();
        assert_eq!(doors, [Cell::new(1, 1), Cell::new(1, 2)]);
        assert_eq!(view.explain_failure(at(0, 0), at(9, 9)), Err(goal_off((9, 9), 3, 3)));
        let query = view.query(at(0, 0), at(2, 2)).unwrap().with_limit(1);
        let limited = view.explain_query_failure(&query);
        assert_eq!(limited, Ok(FailureExplanation::LimitReached));
    });
    game.world_mut().get_mut::<NavGrid>(map).unwrap().set_terrain(Cell::new(1, 1), 1).unwrap();
    game.tick();
    let now = game.ask(|nav| nav.only_map().unwrap().explain_failure(at(0, 0), at(2, 2)));
    assert_eq!(now, Ok(FailureExplanation::Reachable));
}
