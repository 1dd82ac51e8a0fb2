//! Saves and snapshots of a game: how long they take, and how large they are.
//!
//! `cargo run --release --features plugin --bin states`

use std::time::{Duration, Instant};

use bevy_app::{App, Update};
use bevy_ecs::{entity::EntityHashMap, world::World};
use bevy_math::Vec2;
use bevy_tilepath::{
    Body, Cell, NavGrid, NavMap, NavProjection, PathAgent, PathRequest, TilepathPlugin, TilepathSnapshot,
    TilepathState, tilepath::Grid,
};
use bevy_time::Time;
use bevy_transform::components::Transform;
use testkit::{Seed, Wire, noise};

const SIDE: u32 = 512;
const TICK: Duration = Duration::from_nanos(1_000_000_000 / 60);
const TICKS: usize = 100;
const BACK: usize = 8;
const RUNS: usize = 5;

fn app() -> App {
    let mut app = App::new();
    app.insert_resource(Time::<()>::default()).add_plugins(TilepathPlugin::in_schedule(Update));
    app
}

fn tick(app: &mut App) {
    app.world_mut().resource_mut::<Time>().advance_by(TICK);
    app.update();
}

/// Returns a game with this many agents under way. Every second one is a body.
fn game(agents: usize) -> App {
    let seed = Seed::named("states");
    let tiles = noise(SIDE, SIDE, 1, 15, &seed);
    let grid = Grid::from_classes(SIDE, SIDE, tiles.classes).expect("the map is small");
    let open: Vec<Cell> = grid.bounds().cells().filter(|&cell| grid.terrain(cell) != Some(0)).collect();
    let mut app = app();
    let world = app.world_mut();
    world.spawn((NavMap::default(), NavGrid::new(grid), NavProjection::square(Vec2::ONE, Vec2::ZERO)));
    let agent = PathAgent { speed: 4.0.into(), ..PathAgent::default() };
    for number in 0..agents {
        let cell = open[number * 7919 % open.len()];
        // A journey of a few dozen cells.
        let near = |goal: &&Cell| goal.x.abs_diff(cell.x).max(goal.y.abs_diff(cell.y)) == 40;
        let goals: Vec<&Cell> = open.iter().filter(near).collect();
        let goal = *goals[number * 31 % goals.len()];
        let place = Transform::from_xyz(cell.x as f32, cell.y as f32, 0.0);
        let mut unit = world.spawn((agent, place, PathRequest::to_cell(goal)));
        if number % 2 == 0 {
            unit.insert(Body::default());
        }
    }
    (0..TICKS).for_each(|_| tick(&mut app));
    app
}

/// Returns the median time of several runs in milliseconds.
fn median<T>(mut run: impl FnMut() -> T) -> f64 {
    let mut times: Vec<f64> = (0..RUNS)
        .map(|_| {
            let began = Instant::now();
            let result = run();
            let time = began.elapsed().as_secs_f64() * 1e3;
            drop(result);
            time
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[RUNS / 2]
}

fn take(world: &mut World) -> TilepathState {
    TilepathState::take(world).expect("the plugin is there")
}

fn main() {
    println!(
        "| agents | take ms | RON kB | write ms | read ms | MessagePack kB | write ms | read ms | put ms | snapshot ms | 8 ticks \
         ms | back and 8 ticks again ms | MessagePack without names kB | postcard kB |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for agents in [100, 1000, 10_000] {
        let mut game = game(agents);
        let taken = median(|| take(game.world_mut()));
        let state = take(game.world_mut());
        let text = ron::to_string(&state).expect("a state can be written");
        let bytes = rmp_serde::to_vec_named(&state).expect("a state can be written");
        let ron_write = median(|| ron::to_string(&state).expect("a state can be written"));
        let ron_read = median(|| ron::from_str::<TilepathState>(&text).expect("it can be read"));
        let write = median(|| rmp_serde::to_vec_named(&state).expect("a state can be written"));
        let read = median(|| rmp_serde::from_slice::<TilepathState>(&bytes).expect("it can be read"));
        let put = median(|| {
            let mut new = app();
            state.put(new.world_mut(), &mut EntityHashMap::default()).expect("a new world fits");
            new
        });
        let snapshot = median(|| TilepathSnapshot::take(game.world_mut()).expect("the plugin is there"));
        let mut last = TilepathSnapshot::take(game.world_mut()).expect("the plugin is there");
        let forward = median(|| {
            last = TilepathSnapshot::take(game.world_mut()).expect("the plugin is there");
            (0..BACK).for_each(|_| tick(&mut game));
        });
        let back = median(|| {
            last.put(game.world_mut()).expect("all entities are there");
            (0..BACK).for_each(|_| tick(&mut game));
        });
        let [unnamed, postcard] =
            [Wire::MessagePack, Wire::Postcard].map(|wire| wire.write(&state).len() / 1000);
        let [text, bytes] = [text.len(), bytes.len()].map(|length| length / 1000);
        println!(
            "| {agents} | {taken:.1} | {text} | {ron_write:.1} | {ron_read:.1} | {bytes} | {write:.1} | {read:.1} | {put:.1} | \
             {snapshot:.2} | {forward:.1} | {back:.1} | {unnamed} | {postcard} |"
        );
    }
}
