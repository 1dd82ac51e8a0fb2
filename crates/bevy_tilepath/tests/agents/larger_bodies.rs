//! Units of several cells at rest, which make room for smaller ones.

use std::env;

use bevy::{ecs::entity::EntityHashMap, prelude::*};
use bevy_tilepath::{
    AgentMovement, Body, Cell, Diagonals, Movement, NavGrid, NavMap, NavProjection, OnMap, PathAgent,
    PathRequest, PathStatus, Stepwise, TilepathPlugin, TilepathState,
    doors::{Door, DoorEnd},
    groups::GroupOrder,
    tilepath::{Grid, Size},
};
use testkit::{CROWDED_ROOM, PLACES, Place};

use super::{
    determinism::Digest,
    threads::{EXPECTED, THREADS, pool_of, run_with_threads},
};
use crate::harness::*;

const SPEED: f32 = 96.0;

/// Spawns a body of this size. Its lowest and leftmost cell is given.
fn unit(game: &mut Game, (x, y): (i32, i32), side: u8) -> Entity {
    let at = centre(x, y) + Vec2::splat(f32::from(side - 1) * CELL / 2.0);
    let unit = game.agent_at(at, SPEED);
    let movement = Movement::new().with_size(Size::new(side).expect("a size"));
    game.world_mut().entity_mut(unit).insert((Body::default(), AgentMovement::from(movement)));
    unit
}

/// Returns the lowest and leftmost cell of a unit that stands.
fn anchor(game: &Game, unit: Entity, side: u8) -> Cell {
    let low = game.position(unit) / CELL - f32::from(side) / 2.0;
    assert!((low - low.round()).length() < 0.01, "it stands: {low}");
    let low = low.round().as_ivec2();
    Cell::new(low.x, low.y)
}

/// The units of a place: the larger ones at rest, the smaller ones with orders.
struct Scene {
    game: Game,
    larger: Vec<(Entity, u8)>,
    smaller: Vec<(Entity, Cell, u8)>,
}

impl Scene {
    fn new(mut game: Game, place: &Place) -> Self {
        let height = place.classes.len() as u32 / place.width;
        let grid = Grid::from_classes(place.width, height, place.classes.clone()).expect("a small map");
        game.map_of(grid, Diagonals::default());
        let larger: Vec<_> =
            place.large.iter().map(|&(at, side)| (unit(&mut game, at, side), side)).collect();
        game.ticks(3);
        let orders = place.small.iter().map(|&([start, goal], side)| {
            let small = unit(&mut game, start, side);
            game.order_to(small, goal.0, goal.1);
            (small, Cell::from(goal), side)
        });
        let smaller = orders.collect();
        Self { game, larger, smaller }
    }

    fn of(name: &str) -> Self {
        let (_, picture) = PLACES.iter().find(|(known, _)| *known == name).expect("a known place");
        Self::new(Game::new(), &Place::from_picture(picture))
    }

    fn positions(&self) -> Vec<Vec2> {
        let smaller = self.smaller.iter().map(|&(unit, ..)| unit);
        self.larger
            .iter()
            .map(|&(unit, _)| unit)
            .chain(smaller)
            .map(|unit| self.game.position(unit))
            .collect()
    }

    /// Ticks until no unit has an order. Returns for each order the number of ticks.
    fn run(&mut self, most: usize) -> Vec<usize> {
        let mut ended = vec![most; self.smaller.len()];
        for tick in 0..most {
            for (end, (unit, ..)) in ended.iter_mut().zip(&self.smaller) {
                if *end == most && !self.game.is_ordered(*unit) {
                    *end = tick;
                }
            }
            if ended.iter().all(|&end| end < most) {
                break;
            }
            self.game.tick();
        }
        ended
    }

    #[track_caller]
    fn assert_arrived(&self, name: &str) {
        for &(unit, ..) in &self.smaller {
            assert_eq!(self.game.status(unit), PathStatus::Arrived, "{name}");
        }
    }
}

/// Returns the ticks that each smaller unit of a place takes without the others.
fn ticks_alone(place: &Place) -> Vec<usize> {
    let alone = place.small.iter().map(|&small| {
        let place = Place { large: vec![], small: vec![small], ..place.clone() };
        Scene::new(Game::new(), &place).run(3_000)[0]
    });
    alone.collect()
}

#[test]
fn smaller_units_get_past_larger_ones_at_rest() {
    let mut faults = Vec::new();
    for (name, picture) in PLACES {
        let place = Place::from_picture(picture);
        let mut scene = Scene::new(Game::new(), &place);
        let ended = scene.run(6_000);
        let alone = ticks_alone(&place);
        let arrived: Vec<_> = scene.smaller.iter().map(|&(unit, ..)| scene.game.status(unit)).collect();
        scene.game.ticks(200);
        let before = scene.positions();
        scene.game.ticks(100);
        let rests = before == scene.positions();
        let is_late = ended.iter().zip(&alone).any(|(&ticks, &alone)| ticks > 10 * alone);
        if is_late || !rests || arrived.iter().any(|status| *status != PathStatus::Arrived) {
            faults.push(format!("{name}: {ended:?} of {alone:?}, {arrived:?}, rests: {rests}"));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// A large unit at rest before a gap of one cell, also if its order has led it there.
#[test]
fn large_unit_before_a_gap_makes_room() {
    for (side, sent) in [(2, false), (2, true), (3, false), (3, true)] {
        let (mut game, map) = Game::open(24, 11);
        for y in (0..11).filter(|&y| y != 5) {
            game.set_terrain(map, 14, y, 0);
        }
        let (x, y) = (14 - i32::from(side), 5 - i32::from(side) / 2);
        let large = unit(&mut game, (if sent { x - 8 } else { x }, y), side);
        if sent {
            game.order(large, PathRequest::to_cell((20, 5)).or_closest());
        }
        game.ticks(if sent { 400 } else { 3 });
        let home = anchor(&game, large, side);
        for _ in 0..3 {
            let small = game.body(1, 5, SPEED);
            game.order_to(small, 20, 5);
            game.run_until_quiet(3_000);
            assert_eq!(game.status(small), PathStatus::Arrived, "{side}, sent: {sent}");
            game.world_mut().despawn(small);
            game.ticks(100);
        }
        assert_ne!(anchor(&game, large, side), home, "it goes back only once");
    }
}

#[test]
fn large_unit_goes_back_home() {
    for name in ["2 before a gap", "3 before a gap", "2 in a corridor", "goal under 2"] {
        let mut scene = Scene::of(name);
        let homes: Vec<Cell> =
            scene.larger.iter().map(|&(unit, side)| anchor(&scene.game, unit, side)).collect();
        scene.run(3_000);
        scene.assert_arrived(name);
        scene.game.ticks(200);
        let now: Vec<Cell> =
            scene.larger.iter().map(|&(unit, side)| anchor(&scene.game, unit, side)).collect();
        assert_eq!(now, homes, "{name}");
    }
}

/// A unit of 2 × 2 cells behind a door, and one before it.
#[test]
fn large_units_at_both_ends_of_a_door_make_room() {
    for side in [2, 3] {
        let (mut game, near) = Game::open(9, 9);
        let projection = NavProjection::square(Vec2::splat(CELL), Vec2::new(20.5 * CELL, CELL / 2.0));
        let grid = NavGrid::new(Grid::new(9, 9, 1).expect("a small map"));
        let far = game.world_mut().spawn((NavMap::default(), grid, projection)).id();
        let ends = [DoorEnd::cell(near, Cell::new(8, 4)), DoorEnd::cell(far, Cell::new(0, 4))];
        let [near_end, far_end] = ends;
        game.world_mut().spawn(Door::new(near_end, far_end));
        for (map, x) in [(near, 9 - i32::from(side)), (far, 20)] {
            let large = unit(&mut game, (x, 5 - i32::from(side) / 2), side);
            game.world_mut().entity_mut(large).insert(OnMap(map));
        }
        game.ticks(3);
        let small = unit(&mut game, (0, 4), 1);
        let order = PathRequest::to_cell((8, 4)).on_map(far);
        game.world_mut().entity_mut(small).insert((OnMap(near), order));
        game.run_until_quiet(3_000);
        assert_eq!(
            (game.status(small), game.position(small)),
            (PathStatus::Arrived, centre(28, 4)),
            "{side}"
        );
    }
}

#[test]
fn group_with_a_large_member_passes_a_gap() {
    let (mut game, map) = Game::open(24, 11);
    for y in (0..11).filter(|&y| y != 5) {
        game.set_terrain(map, 14, y, 0);
    }
    let mut units = vec![unit(&mut game, (10, 5), 2)];
    units.extend((0..6).map(|number| unit(&mut game, (number % 3, 4 + number / 3), 1)));
    let order = game.order_group(GroupOrder::to(units.clone(), Cell::new(20, 5)));
    game.run_to_end(order, 3_000);
    for &small in &units[1..] {
        assert!(game.position(small).x > 14.5 * CELL, "{}", game.position(small) / CELL);
    }
}

/// A unit that walks step by step makes room only if it may take steps.
#[test]
fn large_unit_makes_room_step_by_step() {
    let (_, picture) = PLACES[0];
    let mut scene = Scene::new(Game::new(), &Place::from_picture(picture));
    let (large, side) = scene.larger[0];
    scene.game.world_mut().entity_mut(large).insert(Stepwise::default());
    let order = PathRequest::to_cell(scene.smaller[0].1).or_wait();
    let small = scene.smaller[0].0;
    scene.game.order(small, order);
    let home = anchor(&scene.game, large, side);
    scene.game.ticks(300);
    assert_eq!(anchor(&scene.game, large, side), home, "it has no steps");
    scene.game.world_mut().get_mut::<Stepwise>(large).expect("it is there").steps = 2;
    scene.run(900);
    scene.assert_arrived("step by step");
}

/// Beside the walls of this room, the large unit would still be on the path. It stays where it is,
/// also if the small one waits for ever.
#[test]
fn large_unit_with_no_place_beside_the_path_stays() {
    let mut scene = Scene::new(Game::new(), &Place::from_picture(CROWDED_ROOM));
    let small = scene.smaller[0].0;
    scene.game.order(small, PathRequest::to_cell((0, 3)).or_wait());
    scene.game.ticks(300);
    let before = scene.positions();
    for _ in 0..300 {
        scene.game.tick();
        assert_eq!(scene.positions(), before);
    }
    assert_eq!(anchor(&scene.game, scene.larger[0].0, 3), Cell::new(2, 2));
    scene.game.world_mut().despawn(scene.larger[0].0);
    scene.larger.clear();
    scene.run(900);
    scene.assert_arrived("after the large one is gone");
}

#[test]
fn large_unit_that_is_paused_or_is_no_agent_stays() {
    for is_agent in [false, true] {
        let mut scene = Scene::of("2 before a gap");
        let (large, side) = scene.larger[0];
        let mut large_unit = scene.game.world_mut().entity_mut(large);
        if is_agent {
            large_unit.get_mut::<PathAgent>().expect("it is an agent").paused = true;
        } else {
            large_unit.remove::<PathAgent>();
        }
        let home = anchor(&scene.game, large, side);
        scene.run(900);
        assert_eq!(anchor(&scene.game, large, side), home);
        assert!(matches!(scene.game.status(scene.smaller[0].0), PathStatus::Failed(_)));
    }
}

/// Two large units that were pushed together rest again soon, and do not push each other for ever.
#[test]
fn two_large_units_side_by_side_come_to_rest() {
    let corridor = "
        ....######....
        ....######....
        ..............
        a....3..3....A
        ..............
        ....######....
        ....######....
    ";
    for name in ["two rows of 2 in a corridor", "2 on both sides", "3 on both sides", "3 and 2 before a gap"]
    {
        let mut scene = Scene::of(name);
        scene.run(3_000);
        scene.assert_arrived(name);
        scene.game.ticks(200);
        let before = scene.positions();
        scene.game.ticks(700);
        assert_eq!(scene.positions(), before, "{name}");
    }
    let mut scene = Scene::new(Game::new(), &Place::from_picture(corridor));
    scene.run(3_000);
    scene.assert_arrived("two of 3");
    scene.game.ticks(200);
    let before = scene.positions();
    scene.game.ticks(700);
    assert_eq!(scene.positions(), before);
}

#[test]
fn saved_game_goes_on_while_a_large_unit_makes_room() {
    for name in ["four before 3", "2 in a corridor"] {
        let mut scene = Scene::of(name);
        for _ in 0..22 {
            scene.game.ticks(13);
            let state = TilepathState::take(scene.game.world_mut()).expect("the plugin is there");
            let mut game = Game::new();
            let mut entities = EntityHashMap::default();
            state.put(game.world_mut(), &mut entities).expect("a new world fits every state");
            let larger = scene.larger.iter().map(|&(unit, side)| (entities[&unit], side)).collect();
            let smaller =
                scene.smaller.iter().map(|&(unit, cell, side)| (entities[&unit], cell, side)).collect();
            let mut loaded = Scene { game, larger, smaller };
            for tick in 0..13 {
                scene.game.tick();
                loaded.game.tick();
                assert_eq!(loaded.positions(), scene.positions(), "{name}, {tick}");
            }
            scene = loaded;
        }
        scene.run(900);
        scene.assert_arrived(name);
    }
}

#[cfg(feature = "recording")]
#[test]
fn recorded_ticks_with_large_units_are_decided_again() {
    use bevy_tilepath::recording::PathRecorder;
    for name in ["four before 3", "2 where corridors cross"] {
        let mut scene = Scene::of(name);
        scene.game.world_mut().resource_mut::<PathRecorder>().start();
        for _ in 0..400 {
            scene.game.world_mut().resource_mut::<PathRecorder>().record_crowds();
            scene.game.tick();
        }
        scene.assert_arrived(name);
        let map = scene
            .game
            .world_mut()
            .query_filtered::<Entity, With<NavMap>>()
            .single(scene.game.world())
            .expect("one map");
        let recorder = scene.game.world().resource::<PathRecorder>();
        let replayed =
            recorder.recording(map).expect("it is recorded").replay(|_| ()).expect("no difference");
        assert!(replayed.answers >= 400, "{replayed}");
    }
}

/// Runs all places in one game, side by side, with searches and systems on this number of threads.
fn digest(threads: usize) -> u64 {
    let mut digest = Digest::default();
    for (_, picture) in PLACES {
        let mut game = Game(App::new());
        game.add_plugins((MinimalPlugins.set(pool_of(threads)), TransformPlugin, TilepathPlugin::default()));
        game.start();
        let mut scene = Scene::new(game, &Place::from_picture(picture));
        for _ in 0..300 {
            scene.game.tick();
            scene.positions().into_iter().for_each(|at| digest.add_point(at));
        }
    }
    digest.value()
}

#[test]
fn places_end_alike_with_this_number_of_threads() {
    let threads = env::var(THREADS).map_or(1, |threads| threads.parse().expect("a number"));
    let found = digest(threads);
    if let Ok(expected) = env::var(EXPECTED) {
        assert_eq!(found.to_string(), expected, "{threads} threads");
    }
    assert_ne!(found, Digest::default().value());
}

#[test]
fn large_units_make_room_alike_on_one_thread_and_on_several() {
    let test = "agents::larger_bodies::places_end_alike_with_this_number_of_threads";
    run_with_threads(test, ["1", "2", "8"], &digest(1).to_string());
}
