//! Landmarks that the plugin makes: when, for which maps, and what they cost and save.

use std::env;

use bevy::prelude::*;
use bevy_tilepath::{
    AgentMovement, Cell, CostTable, Movement, NavGrid, NavMap, NavProjection, NavQuery, PathAgent,
    PathRequest, PathStatus, TilepathDiagnostics,
    maps::{MapLandmarks, NavMemory},
    tilepath::{Algorithm, Edit, Grid, LandmarkStatus, MovementId, PathQuery},
};
use testkit::{Seed, TileMap};

use super::{
    determinism::Digest,
    threads::{EXPECTED, THREADS, pool_of, run_with_threads},
};
use crate::harness::*;

const FIRST: MovementId = MovementId::FIRST;

/// Ground of nine costs; a tenth of the cells are walls.
fn mixed(side: u32) -> TileMap {
    testkit::terrain(side, side, 9, 10, &Seed::named("plugin"))
}

fn spawn(game: &mut Game, tiles: &TileMap, rules: NavMap) -> Entity {
    let grid = Grid::from_classes(tiles.width, tiles.height, tiles.classes.clone()).expect("a map");
    let projection = NavProjection::square(Vec2::ONE, Vec2::splat(0.5));
    game.world_mut().spawn((rules, NavGrid::new(grid), projection)).id()
}

fn agents(game: &mut Game, tiles: &TileMap, count: usize) -> Vec<(Entity, Cell)> {
    let pairs = tiles.queries(count, &Seed::named("pairs"));
    let world = game.world_mut();
    let place = |(x, y): (i32, i32)| Transform::from_xyz(x as f32 + 0.5, y as f32 + 0.5, 0.0);
    pairs
        .into_iter()
        .map(|(from, to)| (world.spawn((PathAgent::default(), place(from))).id(), Cell::from(to)))
        .collect()
}

fn status(game: &Game, map: Entity) -> LandmarkStatus {
    let grid = game.world().get::<NavGrid>(map).expect("a map");
    grid.finder().landmark_status(FIRST).expect("a movement")
}

/// Gives all orders, and runs ticks until all are answered. Returns the work, the ticks, and the sums of
/// the work for landmarks and of the work that they saved.
fn answer_all(game: &mut Game, orders: &[(Entity, Cell)]) -> [u64; 4] {
    for &(agent, to) in orders {
        game.world_mut().entity_mut(agent).insert(PathRequest::to_cell(to));
    }
    let mut sums = [0; 4];
    loop {
        game.tick();
        let TilepathDiagnostics { work, landmark_work, landmark_savings, queued, searching, .. } =
            game.diagnostics();
        for (sum, more) in sums.iter_mut().zip([work, 1, landmark_work, landmark_savings]) {
            *sum += more;
        }
        if queued + searching == 0 {
            return sums;
        }
        assert!(sums[1] < 4000, "the orders are answered");
    }
}

#[test]
fn a_thousand_orders_on_mixed_ground_cost_a_fifth_of_the_work() {
    let (mut game, tiles) = (Game::new(), mixed(512));
    let map = spawn(&mut game, &tiles, NavMap::default());
    let orders = agents(&mut game, &tiles, 1000);
    game.tick();
    let [work, ticks, landmarks, savings] = answer_all(&mut game, &orders);
    // Without landmarks: 62.4 million units, in 3121 ticks.
    assert!(work * 5 <= 62_400_000, "{work} units, {landmarks} of them for landmarks, in {ticks} ticks");
    assert!(landmarks > 0 && savings > 5 * landmarks, "{landmarks} units saved {savings}");
    assert_eq!(status(&game, map), LandmarkStatus::Ready(8));
    let found = orders
        .iter()
        .filter(|(agent, _)| !matches!(game.world().get::<PathStatus>(*agent), Some(PathStatus::Failed(_))));
    assert!(found.count() > 950);
}

#[test]
fn orders_that_share_a_field_make_no_landmarks() {
    let (mut game, tiles) = (Game::new(), mixed(512));
    let map = spawn(&mut game, &tiles, NavMap::default());
    let mut orders = agents(&mut game, &tiles, 500);
    let common = orders[0].1;
    // Some searches end, so the mean work of a search is known.
    orders[100..].iter_mut().for_each(|(_, to)| *to = common);
    game.tick();
    let [_, _, landmarks, _] = answer_all(&mut game, &orders[95..]);
    assert_eq!((landmarks, status(&game, map)), (0, LandmarkStatus::None));
}

#[test]
fn maps_can_ask_for_landmarks_and_refuse_them() {
    let tiles = mixed(100);
    for (wish, expected) in
        [(MapLandmarks::Always, LandmarkStatus::Ready(4)), (MapLandmarks::Never, LandmarkStatus::None)]
    {
        let mut game = Game::new();
        let map = spawn(&mut game, &tiles, NavMap { landmarks: wish, ..NavMap::default() });
        game.ticks(30);
        assert_eq!(status(&game, map), expected, "{wish:?}");
        let orders = agents(&mut game, &tiles, 300);
        answer_all(&mut game, &orders);
        assert_eq!(status(&game, map), expected, "{wish:?}");
        // Refused later, they are dropped.
        game.world_mut().get_mut::<NavMap>(map).unwrap().landmarks = MapLandmarks::Never;
        game.ticks(2);
        assert_eq!(status(&game, map), LandmarkStatus::None);
    }
}

#[test]
fn memory_of_a_side_gets_landmarks_only_on_request() {
    let tiles = mixed(100);
    let by_use = NavMap::default().landmarks;
    for (wish, is_memory, expected) in [
        (by_use, false, LandmarkStatus::Ready(4)),
        (by_use, true, LandmarkStatus::None),
        (MapLandmarks::Always, true, LandmarkStatus::Ready(4)),
    ] {
        let mut game = Game::new();
        let map = spawn(&mut game, &tiles, NavMap { landmarks: wish, ..NavMap::default() });
        if is_memory {
            game.world_mut().entity_mut(map).insert(NavMemory);
        }
        let orders = agents(&mut game, &tiles, 300);
        answer_all(&mut game, &orders);
        game.ticks(300);
        assert_eq!(status(&game, map), expected, "{wish:?}, {is_memory}");
    }
}

#[test]
fn previews_and_few_searches_make_no_landmarks() {
    let (mut game, tiles) = (Game::new(), mixed(100));
    let map = spawn(&mut game, &tiles, NavMap::default());
    let orders = agents(&mut game, &tiles, 3);
    answer_all(&mut game, &orders);
    let pairs = tiles.queries(400, &Seed::named("previews"));
    for (from, to) in pairs {
        game.ask(move |nav: &NavQuery| {
            nav.only_map().unwrap().find(Cell::from(from), Cell::from(to)).is_ok()
        });
    }
    game.ticks(30);
    assert_eq!(status(&game, map), LandmarkStatus::None);
}

#[test]
fn each_movement_gets_landmarks_by_its_own_searches() {
    let (mut game, tiles) = (Game::new(), mixed(100));
    let cart = Movement::new().with_costs(CostTable::identity().with(1, 2));
    let map = spawn(&mut game, &tiles, NavMap::default().with_movement("cart", cart));
    let orders = agents(&mut game, &tiles, 300);
    for &(agent, _) in &orders {
        game.world_mut().entity_mut(agent).insert(AgentMovement::from("cart"));
    }
    game.tick();
    answer_all(&mut game, &orders);
    game.ticks(30);
    let grid = game.world().get::<NavGrid>(map).unwrap();
    let cart = grid.movement_of(&AgentMovement::from("cart")).unwrap();
    assert_eq!(grid.finder().landmark_status(cart), Ok(LandmarkStatus::Ready(4)));
    assert_eq!(grid.finder().landmark_status(FIRST), Ok(LandmarkStatus::None));
}

#[test]
fn landmarks_stay_in_use_on_a_map_that_is_edited_in_every_tick() {
    let (mut game, tiles) = (Game::new(), mixed(100));
    let map = spawn(&mut game, &tiles, NavMap::default());
    let orders = agents(&mut game, &tiles, 300);
    game.tick();
    answer_all(&mut game, &orders);
    assert_eq!(status(&game, map), LandmarkStatus::Ready(4));
    game.set_terrain(map, 50, 50, 0);
    game.tick();
    assert_eq!(age(&game, map, FIRST), None, "a wall breaks no table");
    let (mut ages, mut led) = (Vec::new(), 0);
    for tick in 0..200 {
        // A road of the cheapest ground becomes longer.
        game.set_terrain(map, tick % 100, 20 + tick / 100 * 40, 1);
        order_some(&mut game, &orders, tick as usize, 3);
        game.tick();
        assert_eq!(status(&game, map), LandmarkStatus::Ready(4), "tick {tick}");
        ages.push(age(&game, map, FIRST).unwrap_or(0));
        led += game.diagnostics().led_searches;
    }
    assert!(led > 300, "landmarks led {led} searches");
    let oldest = ages.into_iter().max();
    assert!(oldest < Some(60), "{oldest:?} edits after its making, a table is still in use");
}

/// Gives the next agents the goals of others.
fn order_some(game: &mut Game, orders: &[(Entity, Cell)], tick: usize, count: usize) {
    for number in tick * count..(tick + 1) * count {
        let [(agent, _), (_, to)] =
            [number, number + 17 * (1 + tick)].map(|number| orders[number % orders.len()]);
        game.world_mut().entity_mut(agent).insert(PathRequest::to_cell(to));
    }
}

/// Returns the number of edits since the oldest table was made that is to be made anew.
fn age(game: &Game, map: Entity, movement: MovementId) -> Option<u64> {
    game.world().get::<NavGrid>(map).expect("a map").finder().landmark_age(movement).expect("a movement")
}

/// Plays ticks in which units of four movements get orders and a road of the cheapest ground grows by a cell
/// each `edit_each` ticks. The landmarks of all four lead searches in each tick. Returns, for each movement,
/// the most edits after its making at which a table was still in use.
fn oldest_of_four(side: u32, [ticks, edit_each]: [i32; 2], orders_a_tick: usize) -> [u64; 4] {
    let (mut game, tiles) = (Game::new(), mixed(side));
    let names = ["a", "b", "c", "d"];
    let rules = names.iter().enumerate().fold(NavMap::default(), |rules, (number, name)| {
        let costs = CostTable::identity().with(9, 8 - number as u16);
        rules.with_movement(*name, Movement::new().with_costs(costs))
    });
    let map = spawn(&mut game, &tiles, rules);
    let orders = agents(&mut game, &tiles, 400);
    for (number, &(agent, _)) in orders.iter().enumerate() {
        game.world_mut().entity_mut(agent).insert(AgentMovement::from(names[number % 4]));
    }
    game.tick();
    for _ in 0..3 {
        answer_all(&mut game, &orders);
    }
    let movements = names.map(|name| {
        let grid = game.world().get::<NavGrid>(map).expect("a map");
        grid.movement_of(&AgentMovement::from(name)).expect("a movement")
    });
    let ready = game.world().get::<NavGrid>(map).expect("a map").finder().landmark_status(movements[0]);
    let (mut oldest, across) = ([0; 4], side as i32);
    for tick in 0..ticks {
        if tick % edit_each == 0 {
            let cell = tick / edit_each;
            game.set_terrain(map, cell % across, 15 + cell / across * 30, 1);
        }
        order_some(&mut game, &orders, tick as usize, orders_a_tick);
        game.tick();
        for (oldest, movement) in oldest.iter_mut().zip(movements) {
            let finder = game.world().get::<NavGrid>(map).expect("a map").finder();
            let status = finder.landmark_status(movement);
            assert!(
                matches!(status, Ok(LandmarkStatus::Ready(_))) && status == ready,
                "{status:?} in tick {tick}"
            );
            *oldest = age(&game, map, movement).unwrap_or(0).max(*oldest);
        }
    }
    oldest
}

#[test]
fn tables_of_four_movements_take_turns() {
    let oldest = oldest_of_four(100, [240, 1], 8);
    // All 32 tables have as many cells as 32 ticks pay for.
    assert!(oldest.iter().all(|&age| age <= 2 * 32 + 8), "{oldest:?} edits after their making");
}

#[test]
fn landmarks_that_bound_badly_are_made_again() {
    let (mut game, tiles) = (Game::new(), testkit::terrain(100, 100, 9, 0, &Seed::named("plugin")));
    let map = spawn(&mut game, &tiles, NavMap::default());
    let orders = agents(&mut game, &tiles, 300);
    game.tick();
    answer_all(&mut game, &orders);
    // Walls with gaps at alternate ends make paths many times as long.
    let walls =
        (1..10).flat_map(|wall| (0..97).map(move |y| (wall * 10, if wall % 2 == 0 { y } else { 99 - y })));
    let walls: Vec<Edit> = walls.map(|(x, y)| Edit::terrain(Cell::new(x, y), 0)).collect();
    game.world_mut().get_mut::<NavGrid>(map).unwrap().edit(&walls).unwrap();
    game.tick();
    let share = |game: &Game| {
        let finder = game.world().get::<NavGrid>(map).unwrap().finder();
        let query = PathQuery::new(Cell::new(2, 50), Cell::new(97, 50)).with_algorithm(Algorithm::AStar);
        let bound = finder.begin(&query).unwrap().estimate_from(query.start()).unwrap();
        let cost = finder.solve(&query).unwrap().outcome.path().unwrap().cost();
        f64::from(bound.get()) / f64::from(cost.get())
    };
    let before = share(&game);
    for (&(agent, _), &(_, to)) in orders.iter().zip(orders.iter().rev()) {
        game.world_mut().entity_mut(agent).insert(PathRequest::to_cell(to));
    }
    game.ticks(300);
    let after = share(&game);
    assert!(before < 0.4 && after > 0.7, "{before} {after}");
}

/// Plays a game with orders and edits. Returns the digest of all ticks.
fn play(previews: usize) -> u64 {
    let (mut game, tiles) = (Game::new(), mixed(90));
    game.budget(6000);
    let map = spawn(&mut game, &tiles, NavMap::default());
    let orders = agents(&mut game, &tiles, 200);
    let pairs = tiles.queries(1000, &Seed::named("previews"));
    let mut digest = Digest::default();
    game.tick();
    let mut states = [0; 3];
    for tick in 0..160_usize {
        for &(agent, to) in orders.iter().skip(tick * 2 % 200).take(2) {
            game.world_mut().entity_mut(agent).insert(PathRequest::to_cell(to));
        }
        if tick % 4 == 0 {
            game.set_terrain(map, tick as i32 * 37 % 90, tick as i32 * 53 % 90, (tick % 3) as u8);
        }
        for &(from, to) in pairs.iter().skip(tick * 5 % 900).take(previews) {
            game.ask(move |nav: &NavQuery| {
                nav.only_map().expect("one map").find(Cell::from(from), Cell::from(to)).is_ok()
            });
        }
        game.tick();
        states[match status(&game, map) {
            LandmarkStatus::Ready(_) => 0,
            LandmarkStatus::Behind => 1,
            _ => 2,
        }] += 1;
        digest.add(game.diagnostics().work);
        for &(agent, _) in &orders {
            let place = game.world().get::<Transform>(agent).expect("an agent");
            digest.add_point(place.translation.truncate());
        }
    }
    assert!(states.iter().all(|&count| count > 0), "ready, behind and none: {states:?}");
    digest.value()
}

#[test]
fn a_game_takes_the_same_course_with_previews_in_every_frame() {
    if let Ok(threads) = env::var(THREADS) {
        // A process has only one task pool.
        App::new().add_plugins(pool_of(threads.parse().expect("a number")));
    }
    let course = play(0);
    assert_eq!(course, play(5));
    let expected = env::var(EXPECTED).map_or(course, |expected| expected.parse().expect("a number"));
    assert_eq!(course, expected);
}

#[test]
fn a_game_takes_the_same_course_on_one_thread_and_on_several() {
    let expected = play(0);
    let test = "agents::landmarks::a_game_takes_the_same_course_with_previews_in_every_frame";
    run_with_threads(test, ["1", "2", "8"], &expected.to_string());
}
