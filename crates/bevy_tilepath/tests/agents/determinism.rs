//! Determinism: the course of a game for all numbers of threads and all frame rates.

#[cfg(bevy_0_20)]
use std::collections::BTreeSet;
use std::{env, time::Duration};

use bevy::{
    app::{FixedLast, FixedPreUpdate},
    ecs::schedule::{MultiThreadedExecutor, SingleThreadedExecutor},
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_tilepath::{
    AgentPath, Cell, NavGraph, NavGrid, NavMap, NavProjection, OnMap, PathAgent, PathRequest, PathStatus,
    TilepathPlugin, TilepathSettings,
    agents::AgentNumber,
    doors::{Door, DoorEnd},
    events::{Arrived, PathLost, PathPointReached, Replanned},
    graphs::WaypointGraph,
    tilepath::Grid,
};
use rand::{Rng, RngCore};
use testkit::{Seed, cluttered};

use super::threads::{EXPECTED, THREADS, pool_of, run_with_threads};
use crate::harness::*;

/// The length of the game, in ticks.
const TICKS: u32 = 600;
const SIDE: i32 = 24;
const AGENTS: i32 = 40;

/// The digest after [`TICKS`] ticks. It changes if other paths are found, if agents are handled in
/// another order, or if they walk differently.
///
/// If it must change, state that in the changelog and set the number from the failed test here.
const PINNED: u64 = 0x20ac_7af9_784f_9f18;

/// A hash by Fowler, Noll and Vo, over bytes.
#[derive(Resource, Clone, Copy)]
pub(super) struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    pub(super) fn value(self) -> u64 {
        self.0
    }

    pub(super) fn add(&mut self, number: u64) {
        for byte in number.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    pub(super) fn add_text(&mut self, text: &str) {
        text.bytes().for_each(|byte| self.add(u64::from(byte)));
    }

    pub(super) fn add_point(&mut self, point: Vec2) {
        self.add(u64::from(point.x.to_bits()) << 32 | u64::from(point.y.to_bits()));
    }
}

type Random = Box<dyn RngCore + Send + Sync>;

#[derive(Resource)]
struct Sandbox {
    random: Random,
    tick: u32,
    maps: [Entity; 2],
    street: Entity,
    agents: Vec<Entity>,
    end: Option<u64>,
}

fn random_cell(random: &mut Random) -> Cell {
    Cell::new(random.random_range(0..SIDE), random.random_range(0..SIDE))
}

fn spawn_game(game: &mut Game) {
    let mut random: Random = Box::new(Seed::named("determinism").generator());
    let world = game.world_mut();
    let maps = [0.0, 1000.0].map(|x| {
        let tiles = cluttered(SIDE as u32, SIDE as u32, 25, &Seed::named(&format!("map {x}")));
        let grid = Grid::from_classes(tiles.width, tiles.height, tiles.classes).expect("a small map");
        let projection = NavProjection::square(Vec2::splat(16.0), Vec2::new(x + 8.0, 8.0));
        world.spawn((NavMap::default(), NavGrid::new(grid), projection)).id()
    });
    let mut graph = WaypointGraph::new();
    for (id, x, y) in [("west", 400.0, 50.0), ("east", 980.0, 60.0), ("north", 700.0, 300.0)] {
        graph.add(id, (x, y)).expect("a new id");
    }
    for (a, b) in [("west", "east"), ("east", "north"), ("north", "west")] {
        graph.join(a, b).expect("both are there");
    }
    let street = world.spawn(NavGraph::new(graph)).id();
    let mut door = |map: usize, cell: Cell, id: &str| {
        let mut grid = world.get_mut::<NavGrid>(maps[map]).expect("a map");
        grid.set_terrain(cell, 1).expect("on the map");
        world.spawn(Door::new(DoorEnd::cell(maps[map], cell), DoorEnd::waypoint(street, id)));
    };
    door(0, Cell::new(SIDE - 1, 3), "west");
    door(1, Cell::new(0, 3), "east");
    door(1, Cell::new(0, 20), "north");
    let agents = (0..AGENTS).map(|_| {
        let map = random.random_range(0..2);
        let cell = random_cell(&mut random);
        let at = (Vec2::new(cell.x as f32, cell.y as f32) + 0.5) * 16.0 + Vec2::new(1000.0 * map as f32, 0.0);
        let speed = random.random_range(20.0..400.0_f32);
        let agent = PathAgent { speed: speed.into(), ..default() };
        world.spawn((agent, OnMap(maps[map]), Transform::from_translation(at.extend(0.0)))).id()
    });
    let agents = agents.collect();
    world.insert_resource(Sandbox { random, tick: 0, maps, street, agents, end: None });
}

/// Gives the orders, and makes the edits and teleports, of one tick.
fn play(
    mut sandbox: ResMut<Sandbox>,
    mut commands: Commands,
    mut grids: Query<&mut NavGrid>,
    mut agents: Query<&mut Transform>,
) {
    let Sandbox { random, tick, maps, street, agents: all, .. } = &mut *sandbox;
    *tick += 1;
    if tick.is_multiple_of(3) {
        let map = maps[random.random_range(0..2)];
        let (cell, class) = (random_cell(random), random.random_range(0..3));
        grids.get_mut(map).expect("a map").set_terrain(cell, class).expect("on the map");
    }
    for &agent in all.iter() {
        let request = match random.random_range(0..1200) {
            0..8 => PathRequest::to_cell(random_cell(random)).on_map(maps[0]),
            8..16 => PathRequest::to_cell(random_cell(random)).on_map(maps[1]).or_closest(),
            16..18 => PathRequest::to_nearest((0..5).map(|_| random_cell(random))).on_map(maps[0]),
            18 => PathRequest::to_waypoint("north").on_map(*street),
            19 => {
                let push = Vec2::new(random.random_range(-9.0..9.0), random.random_range(-9.0..9.0));
                agents.get_mut(agent).expect("an agent").translation += push.extend(0.0);
                continue;
            }
            _ => continue,
        };
        commands.entity(agent).insert(request);
    }
}

/// Updates the digest of all agents, in the order of their numbers.
fn look(
    mut sandbox: ResMut<Sandbox>,
    mut digest: ResMut<Digest>,
    agents: Query<(&AgentNumber, &Transform, &PathStatus, Option<&PathRequest>, Option<&AgentPath>, &OnMap)>,
) {
    if sandbox.tick != TICKS || sandbox.end.is_some() {
        return;
    }
    let mut all: Vec<_> = agents.iter().collect();
    all.sort_by_key(|agent| agent.0);
    for (number, transform, status, request, path, on_map) in all {
        digest.add(number.get());
        digest.add_point(transform.translation.truncate());
        digest.add_text(&format!("{status:?}"));
        digest.add(u64::from(request.is_some()));
        digest.add(u64::from(on_map.0 == sandbox.street) + 2 * u64::from(on_map.0 == sandbox.maps[1]));
        if let Some(path) = path {
            path.points().iter().for_each(|point| digest.add_point(*point));
            digest.add(path.next_point() as u64);
            digest.add(path.chosen() as u64);
        }
    }
    sandbox.end = Some(digest.0);
}

/// The number of agents that arrived.
#[derive(Resource, Default)]
struct Arrivals(u32);

/// Plays the game at this frame rate. Returns the digest and the number of agents that arrived.
fn course(frames_per_second: f64, threads: Option<usize>, in_parallel: bool) -> (u64, u32) {
    course_of(new_game(frames_per_second, threads, in_parallel))
}

fn new_game(frames_per_second: f64, threads: Option<usize>, in_parallel: bool) -> Game {
    let pool = threads.map(pool_of).unwrap_or_default();
    let mut game = Game(App::new());
    game.add_plugins((MinimalPlugins.set(pool), TransformPlugin, TilepathPlugin::default()))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / frames_per_second)))
        .insert_resource(TilepathSettings { work_per_tick: 2000 })
        .init_resource::<Digest>()
        .init_resource::<Arrivals>()
        .add_systems(FixedPreUpdate, play)
        .add_systems(FixedLast, look)
        .add_observer(|on: On<PathPointReached>, numbers: Query<&AgentNumber>, mut digest: ResMut<Digest>| {
            digest.add(numbers.get(on.entity).expect("an agent").get());
        })
        .add_observer(|on: On<Replanned>, numbers: Query<&AgentNumber>, mut digest: ResMut<Digest>| {
            digest.add(numbers.get(on.entity).expect("an agent").get() << 20);
        })
        .add_observer(|on: On<PathLost>, numbers: Query<&AgentNumber>, mut digest: ResMut<Digest>| {
            digest.add(numbers.get(on.entity).expect("an agent").get() << 40);
        })
        .add_observer(|_: On<Arrived>, mut arrivals: ResMut<Arrivals>| arrivals.0 += 1)
        .edit_schedule(FixedUpdate, move |schedule| {
            if in_parallel {
                schedule.set_executor(MultiThreadedExecutor::new());
            } else {
                schedule.set_executor(SingleThreadedExecutor::new());
            }
        });
    spawn_game(&mut game);
    game
}

fn course_of(mut game: Game) -> (u64, u32) {
    for _ in 0..100_000 {
        game.update();
        if let Some(end) = game.world().resource::<Sandbox>().end {
            return (end, game.world().resource::<Arrivals>().0);
        }
    }
    panic!("the game does not end: the clock stands still");
}

#[test]
fn state_after_many_ticks_is_the_pinned_one_on_one_thread_and_on_several() {
    let threads = env::var(THREADS).ok().map(|threads| threads.parse().expect("a number"));
    let expected = env::var(EXPECTED).map_or(PINNED, |expected| expected.parse().expect("a number"));
    for in_parallel in [false, true] {
        let (digest, arrivals) = course(64.0, threads, in_parallel);
        assert_eq!(digest, expected, "{digest:#018x} with {threads:?} threads, in parallel: {in_parallel}");
        assert!(arrivals > 40, "{arrivals}");
    }
}

#[test]
fn state_does_not_depend_on_the_frame_rate() {
    let (expected, _) = course(64.0, None, true);
    for frames_per_second in [10.0, 30.0, 144.0] {
        let (digest, _) = course(frames_per_second, None, true);
        assert_eq!(digest, expected, "at {frames_per_second} frames per second");
    }
}

#[test]
fn state_does_not_depend_on_the_number_of_threads() {
    let (expected, _) = course(64.0, None, false);
    let test = "agents::determinism::state_after_many_ticks_is_the_pinned_one_on_one_thread_and_on_several";
    run_with_threads(test, ["1", "2", "4"], &expected.to_string());
}

#[cfg(bevy_0_20)]
#[test]
fn state_does_not_depend_on_the_order_of_systems() {
    let (expected, _) = course(64.0, None, false);
    for seed in 1..=20 {
        let mut game = new_game(64.0, None, false);
        shuffle_systems(&mut game, seed);
        assert_eq!(course_of(game).0, expected, "shuffled by the seed {seed}");
    }
}

#[cfg(bevy_0_20)]
#[test]
fn a_seed_shuffles_systems_that_nothing_orders() {
    #[derive(Resource)]
    struct Last(u32);
    let last_of = |seed| {
        let mut app = App::new();
        app.insert_resource(Last(0)).edit_schedule(Update, |schedule| {
            schedule.set_executor(SingleThreadedExecutor::new());
        });
        app.add_systems(Update, (|mut last: ResMut<Last>| last.0 = 1, |mut last: ResMut<Last>| last.0 = 2));
        shuffle_systems(&mut app, seed);
        app.update();
        app.world().resource::<Last>().0
    };
    assert_eq!((1..=20).map(last_of).collect::<BTreeSet<_>>(), BTreeSet::from([1, 2]));
}
