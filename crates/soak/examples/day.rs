//! A day in a large game: 10,000 walkers and 1,000 bodies, orders and edits in every second, then a
//! calm time. Prints which orders have no end, and the memory in use.
//!
//! `cargo run -p soak --example day`

#![expect(clippy::print_stdout, reason = "a program reports there")]

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use bevy_app::{App, Update};
use bevy_ecs::{entity::Entity, query::With, system::In};
use bevy_math::Vec2;
use bevy_tilepath::{
    Body, Cell, NavGrid, NavMap, NavProjection, NavQuery, PathAgent, PathRequest, PathStatus, TilepathPlugin,
    tilepath::Grid,
};
use bevy_time::Time;
use bevy_transform::components::Transform;
use rand::{Rng, seq::IndexedRandom};
use testkit::Seed;

const SIDE: u32 = 512;
const WALKERS: usize = 10_000;
const BODIES: usize = 1_000;
const TICKS: u32 = 5_000;
const CALM_TICKS: u32 = 2_000;
const TICKS_PER_SECOND: u32 = 64;
const ORDERS_PER_SECOND: usize = 100;
const EDITS_PER_SECOND: usize = 50;

/// Returns the memory of the process in MiB, if the system has /proc.
fn memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024)
}

/// Returns the number of open orders for each state: body or walker, status, and the reason why it
/// stands.
fn open_orders(app: &mut App) -> BTreeMap<String, usize> {
    let world = app.world_mut();
    let mut orders = world.query_filtered::<(Entity, &PathStatus, Option<&Body>), With<PathRequest>>();
    let open: Vec<(Entity, String)> = (orders.iter(world))
        .map(|(entity, status, body)| {
            let kind = if body.is_some() { "body" } else { "walker" };
            (entity, format!("{kind}, {status:?}"))
        })
        .collect();
    let why_not = |entities: In<Vec<Entity>>, nav: NavQuery| -> Vec<String> {
        let reason = |entity| nav.why_not(entity).map_or("walks".to_owned(), |why| format!("{why:?}"));
        // A reason without its values.
        let kind = |text: String| text.split([' ', '(', '{']).next().unwrap_or_default().to_owned();
        entities.iter().map(|&entity| kind(reason(entity))).collect()
    };
    let entities = open.iter().map(|(entity, _)| *entity).collect::<Vec<_>>();
    let reasons = world.run_system_cached_with(why_not, entities).unwrap_or_default();
    let mut counts = BTreeMap::new();
    for ((_, state), reason) in open.into_iter().zip(reasons) {
        *counts.entry(format!("{state}: {reason}")).or_default() += 1;
    }
    counts
}

fn main() {
    let mut random = Seed::named("day").generator();
    let map = testkit::cluttered(SIDE, SIDE, 10, &Seed::named("day"));
    let open: Vec<Cell> = (0..map.classes.len())
        .filter(|&slot| map.classes[slot] != 0)
        .map(|slot| Cell::from(map.position(slot)))
        .collect();
    let grid = Grid::from_classes(SIDE, SIDE, map.classes.clone()).expect("the map is small");
    let mut app = App::new();
    app.insert_resource(Time::<()>::default()).add_plugins(TilepathPlugin::in_schedule(Update));
    let projection = NavProjection::square(Vec2::splat(16.0), Vec2::splat(8.0));
    let map = app.world_mut().spawn((NavMap::default(), NavGrid::new(grid), projection)).id();
    let units: Vec<Entity> = (0..WALKERS + BODIES)
        .map(|number| {
            let cell = *open.choose(&mut random).expect("it has open cells");
            let place = Vec2::new(cell.x as f32 + 0.5, cell.y as f32 + 0.5) * 16.0;
            let agent = PathAgent { speed: random.random_range(32.0..96.0).into(), ..PathAgent::default() };
            let unit = (agent, Transform::from_translation(place.extend(0.0)));
            let mut unit = app.world_mut().spawn(unit);
            if number >= WALKERS {
                unit.insert(Body::default());
            }
            unit.id()
        })
        .collect();
    let order = |app: &mut App, random: &mut rand_chacha::ChaCha8Rng, unit: Entity| {
        let goal = *open.choose(random).expect("it has open cells");
        app.world_mut().entity_mut(unit).insert(PathRequest::to_cell(goal).or_closest());
    };
    for &unit in &units {
        order(&mut app, &mut random, unit);
    }
    let mut began = Instant::now();
    for tick in 1..=TICKS + CALM_TICKS {
        if tick % TICKS_PER_SECOND == 0 && tick <= TICKS {
            for _ in 0..ORDERS_PER_SECOND {
                let unit = *units.choose(&mut random).expect("it has units");
                order(&mut app, &mut random, unit);
            }
            for _ in 0..EDITS_PER_SECOND {
                let cell = *open.choose(&mut random).expect("it has open cells");
                let mut grid = app.world_mut().get_mut::<NavGrid>(map).expect("it is there");
                let class = u8::from(grid.grid().terrain(cell) == Some(0));
                grid.set_terrain(cell, class).expect("the cell is on the map");
            }
        }
        app.world_mut().resource_mut::<Time>().advance_by(Duration::from_secs(1) / TICKS_PER_SECOND);
        app.update();
        if tick % 1000 == 0 {
            let count: usize = open_orders(&mut app).values().sum();
            let milliseconds = began.elapsed().as_secs_f64();
            println!("tick {tick}: {count} orders, {milliseconds:.2} ms a tick, {:?} MiB", memory());
            began = Instant::now();
        }
    }
    for (state, count) in open_orders(&mut app) {
        println!("{count:6} {state}");
    }
}
