//! Long searches in parallel on the task pool. Each tick has the same result as on one thread.

use std::{env, process::Command};

use bevy::{
    app::{TaskPoolOptions, TaskPoolPlugin},
    prelude::*,
};
use bevy_tilepath::{
    AgentPath, Body, Cell, NavGrid, NavMap, NavProjection, OnMap, PathAgent, PathGoal, PathRequest,
    PathStatus, TilepathDiagnostics, TilepathPlugin, TilepathSettings,
    agents::AgentNumber,
    doors::{Door, DoorEnd},
    orders::Stop,
    tilepath::{Algorithm, Grid},
};
use rand::{Rng, RngCore};
use testkit::Seed;

use super::determinism::Digest;
use crate::harness::*;

const SIDE: i32 = 144;
const AGENTS: i32 = 56;
const TICKS: u32 = 160;
const WORK: u64 = 16_000;

/// The variable with the number of threads of a test in a process of its own.
pub(super) const THREADS: &str = "TILEPATH_TEST_THREADS";
/// The variable with the result that it must come to.
pub(super) const EXPECTED: &str = "TILEPATH_TEST_EXPECTED";

/// Runs a test of this binary in processes of their own with these numbers of threads: a process has only
/// one task pool. The test must come to the expected result.
pub(super) fn run_with_threads(test: &str, threads: [&str; 3], expected: &str) {
    for threads in threads {
        let run = Command::new(env::current_exe().expect("this test has a file"))
            .args(["--exact", test])
            .env(THREADS, threads)
            .env(EXPECTED, expected)
            .output()
            .expect("the test runs");
        let text = String::from_utf8_lossy(&run.stdout);
        assert!(run.status.success() && text.contains("1 passed"), "{threads}: {text}");
    }
}

/// Returns task pools of this number of threads, for systems and for searches.
pub(super) fn pool_of(threads: usize) -> TaskPoolPlugin {
    let mut task_pool_options = TaskPoolOptions::default();
    task_pool_options.compute.min_threads = threads;
    task_pool_options.compute.max_threads = threads;
    TaskPoolPlugin { task_pool_options }
}

type Random = Box<dyn RngCore>;

fn random_cell(random: &mut Random) -> Cell {
    Cell::new(random.random_range(0..SIDE), random.random_range(0..SIDE))
}

struct Sandbox {
    game: Game,
    random: Random,
    maps: [Entity; 2],
    agents: Vec<Entity>,
}

impl Sandbox {
    /// Spawns two maps of many costs with doors between them, and agents at rest. Some agents have
    /// a body.
    fn new(threads: usize) -> Self {
        let mut game = Game(App::new());
        game.add_plugins((MinimalPlugins.set(pool_of(threads)), TransformPlugin, TilepathPlugin::default()))
            .insert_resource(TilepathSettings { work_per_tick: WORK });
        game.start();
        let mut random: Random = Box::new(Seed::named("threads").generator());
        let world = game.world_mut();
        let maps = [0.0, 1000.0].map(|x| {
            let tiles = testkit::terrain(SIDE as u32, SIDE as u32, 9, 18, &Seed::named(&format!("map {x}")));
            let grid = Grid::from_classes(tiles.width, tiles.height, tiles.classes).expect("a small map");
            let projection = NavProjection::square(Vec2::ONE, Vec2::new(x + 0.5, 0.5));
            world.spawn((NavMap::default(), NavGrid::new(grid), projection)).id()
        });
        for y in [20, 70, 120] {
            let ends = [(0, Cell::new(SIDE - 1, y)), (1, Cell::new(0, y))].map(|(map, cell)| {
                let mut grid = world.get_mut::<NavGrid>(maps[map]).expect("a map");
                grid.set_terrain(cell, 1).expect("on the map");
                DoorEnd::cell(maps[map], cell)
            });
            let [one, other] = ends;
            world.spawn(Door::new(one, other));
        }
        let agents = (0..AGENTS).map(|number| {
            let (map, cell) = (random.random_range(0..2), random_cell(&mut random));
            let at = Vec2::new(cell.x as f32 + 0.5 + 1000.0 * map as f32, cell.y as f32 + 0.5);
            let agent = PathAgent { speed: 40.0.into(), ..default() };
            let mut spawned =
                world.spawn((agent, OnMap(maps[map]), Transform::from_translation(at.extend(0.0))));
            if number % 4 == 0 {
                spawned.insert(Body::default());
            }
            spawned.id()
        });
        let agents = agents.collect();
        Self { game, random, maps, agents }
    }

    /// Gives orders of all kinds, most of them long, and edits the maps.
    fn play(&mut self, number: u32) {
        let Self { game, random, maps, agents } = self;
        let world = game.world_mut();
        if number.is_multiple_of(5) {
            let (map, cell, class) =
                (maps[random.random_range(0..2)], random_cell(random), random.random_range(0..9));
            world.get_mut::<NavGrid>(map).expect("a map").set_terrain(cell, class).expect("on the map");
        }
        let algorithms = [
            Algorithm::Auto,
            Algorithm::AStar,
            Algorithm::Dijkstra,
            Algorithm::Greedy,
            Algorithm::WeightedAStar { percent: 110 },
        ];
        for &agent in agents.iter() {
            let algorithm = algorithms[random.random_range(0..5)];
            let map = maps[random.random_range(0..2)];
            let target = agents[random.random_range(0..agents.len())];
            let request = match random.random_range(0..400) {
                0..8 => PathRequest::to_cell(random_cell(random)).with_algorithm(algorithm).or_closest(),
                8..12 => PathRequest::to_cell(random_cell(random)).on_map(map).with_algorithm(algorithm),
                12..14 => PathRequest::to_nearest((0..5).map(|_| random_cell(random))).on_map(map),
                // An order that many agents get.
                14..20 => PathRequest::to_cell(Cell::new(72, 72)).on_map(map).or_closest(),
                20 => PathRequest::to_cell(random_cell(random)).with_limit(3000),
                // An order after another agent, also through doors.
                21..23 => PathRequest::to(target).following(),
                23 => PathRequest::to(PathGoal::beside(target)),
                24 => PathRequest::to(PathGoal::within(target, 3.0)).following(),
                25..27 => {
                    let post = Stop::from(random_cell(random)).wait(0.1);
                    PathRequest::to(post).then_on(map, random_cell(random)).looped()
                }
                _ => continue,
            };
            world.entity_mut(agent).insert(request);
        }
        // Gives an order to all agents at once.
        if number == 40 {
            for &agent in agents.iter() {
                world.entity_mut(agent).insert(PathRequest::to_cell(Cell::new(9, 130)).on_map(maps[0]));
            }
        }
    }

    /// Returns the digest of all agents and of the work of the tick.
    fn digest(&mut self) -> u64 {
        let mut digest = Digest::default();
        let world = self.game.world_mut();
        let mut query = world.query::<(&AgentNumber, &Transform, &PathStatus, Option<&AgentPath>, &OnMap)>();
        let mut all: Vec<_> = query.iter(world).collect();
        all.sort_by_key(|agent| agent.0);
        for (number, transform, status, path, on_map) in all {
            digest.add(number.get());
            digest.add_point(transform.translation.truncate());
            digest.add_text(&format!("{status:?}"));
            digest.add(u64::from(on_map.0 == self.maps[1]));
            if let Some(path) = path {
                path.points().iter().for_each(|point| digest.add_point(*point));
                digest.add(path.next_point() as u64);
            }
        }
        let TilepathDiagnostics { work, searches, queued, searching, answers, replans, .. } =
            *world.resource::<TilepathDiagnostics>();
        digest.add(work);
        for count in [searches, queued, searching, answers, replans] {
            digest.add(count as u64);
        }
        digest.value()
    }
}

/// Returns the digest of each tick, the sum of the searches that continued after a tick, and the
/// number of answers.
fn course(threads: usize) -> (Vec<u64>, [usize; 2]) {
    let mut sandbox = Sandbox::new(threads);
    let (mut ticks, mut counts) = (Vec::new(), [0; 2]);
    for number in 0..TICKS {
        sandbox.play(number);
        sandbox.game.tick();
        ticks.push(sandbox.digest());
        let diagnostics = sandbox.game.world().resource::<TilepathDiagnostics>();
        counts[0] += diagnostics.searching;
        counts[1] += diagnostics.answers;
    }
    (ticks, counts)
}

/// Checks the digests of the parent process, if there is one. Alone, it checks that many searches
/// continue over ticks.
#[test]
fn every_tick_comes_to_what_it_came_to_elsewhere() {
    let threads = env::var(THREADS).map_or(1, |threads| threads.parse().expect("a number"));
    let (ticks, [searching, answers]) = course(threads);
    assert!(searching > 500 && answers > 100, "{searching} {answers}");
    if let Ok(expected) = env::var(EXPECTED) {
        for (number, (tick, expected)) in ticks.iter().zip(expected.split(' ')).enumerate() {
            assert_eq!(tick.to_string(), expected, "tick {number} with {threads} threads");
        }
    }
}

#[test]
fn long_searches_take_the_same_course_on_one_thread_and_on_several() {
    let (ticks, _) = course(1);
    let expected: Vec<String> = ticks.iter().map(u64::to_string).collect();
    let test = "agents::threads::every_tick_comes_to_what_it_came_to_elsewhere";
    run_with_threads(test, ["1", "2", "8"], &expected.join(" "));
}

#[test]
fn searches_side_by_side_pass_the_budget_by_their_last_expansions_alone() {
    // The number of parallel searches, and the work of one search past the end of its slice: some
    // expansions, and new blocks.
    let (side_by_side, past_its_end) = (8, 16 + 4 * 128);
    let mut sandbox = Sandbox::new(4);
    sandbox.game.insert_resource(TilepathSettings { work_per_tick: 4000 });
    let goals: Vec<Cell> = sandbox.agents.iter().map(|_| random_cell(&mut sandbox.random)).collect();
    for (&agent, goal) in sandbox.agents.iter().zip(goals) {
        let request = PathRequest::to_cell(goal).with_algorithm(Algorithm::AStar).or_closest();
        sandbox
            .game
            .world_mut()
            .entity_mut(agent)
            .insert((PathAgent { speed: 0.0.into(), ..default() }, request));
    }
    // The data of the whole map is prepared once.
    sandbox.game.tick();
    let mut most = 0;
    for _ in 0..400 {
        sandbox.game.tick();
        most = most.max(sandbox.game.world().resource::<TilepathDiagnostics>().work);
    }
    let diagnostics = sandbox.game.world().resource::<TilepathDiagnostics>();
    assert_eq!(diagnostics.queued + diagnostics.searching, 0, "some orders are not answered");
    assert!(most > 4000 && most <= 4000 + side_by_side * past_its_end, "{most}");
}
