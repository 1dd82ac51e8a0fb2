//! A game of the plugin: agents with and without bodies on two maps with doors between them, walls
//! that come and go, chases and pushes.

use std::{hash::Hasher, time::Duration};

use bevy_app::{App, TaskPoolPlugin};
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_tilepath::{
    Body, Cell, NavGraph, NavGrid, NavMap, NavProjection, OnMap, PathAgent, PathRequest, PathStatus,
    TilepathPlugin, TilepathSettings,
    agents::AgentNumber,
    doors::{Door, DoorEnd},
    graphs::WaypointGraph,
    tilepath::Grid,
};
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::{TransformPlugin, components::Transform};
use fnv::FnvHasher;
use rand::Rng;
use testkit::Seed;

use crate::write_point;

const SIDE: i32 = 24;
const AGENTS: i32 = 40;
const TICKS: u32 = 600;
const CELL: f32 = 16.0;
/// The left side of the second map.
const SECOND: f32 = 1000.0;

/// Returns the hash of the positions and states of all agents in all ticks.
pub(crate) fn hash() -> u64 {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin, TilepathPlugin::default()))
        // One frame is one tick.
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_micros(15_625)))
        .insert_resource(TilepathSettings { work_per_tick: 4000 });
    let mut random = Seed::named("determinism of the game").generator();
    let world = app.world_mut();
    let maps = [0.0, SECOND].map(|x| {
        let name = format!("determinism of map {x}");
        let tiles = testkit::cluttered(SIDE as u32, SIDE as u32, 20, &Seed::named(&name));
        let grid = Grid::from_classes(tiles.width, tiles.height, tiles.classes).expect("a small map");
        let projection = NavProjection::square(Vec2::splat(CELL), Vec2::new(x + CELL / 2.0, CELL / 2.0));
        world.spawn((NavMap::default(), NavGrid::new(grid), projection)).id()
    });
    let street = spawn_street(world, maps);
    let mut cell = {
        let mut random = Seed::named("determinism of cells").generator();
        move || Cell::new(random.random_range(0..SIDE), random.random_range(0..SIDE))
    };
    let agents: Vec<Entity> = (0..AGENTS)
        .map(|number| {
            let map = number % 2;
            let Cell { x, y } = cell();
            let at = (Vec2::new(x as f32, y as f32) + 0.5) * CELL + Vec2::new(SECOND * map as f32, 0.0);
            let speed = random.random_range(20.0..200.0_f32);
            let agent = PathAgent { speed: speed.into(), ..Default::default() };
            let place = Transform::from_translation(at.extend(0.0));
            let mut agent = world.spawn((agent, OnMap(maps[map as usize]), place));
            if number % 4 < 2 {
                agent.insert(Body::default());
            }
            agent.id()
        })
        .collect();
    let mut hasher = FnvHasher::default();
    for tick in 0..TICKS {
        let world = app.world_mut();
        if tick % 3 == 0 {
            let mut grid = world.get_mut::<NavGrid>(maps[random.random_range(0..2)]).expect("a map");
            grid.set_terrain(cell(), random.random_range(0..3)).expect("a cell of the map");
        }
        for &agent in &agents {
            let request = match random.random_range(0..400) {
                0..3 => PathRequest::to_cell(cell()).on_map(maps[0]),
                3..6 => PathRequest::to_cell(cell()).on_map(maps[1]).or_closest(),
                6 => PathRequest::to_nearest((0..5).map(|_| cell())).on_map(maps[0]),
                7 => PathRequest::to_waypoint("north").on_map(street),
                8 => {
                    PathRequest::to(agents[random.random_range(0..agents.len() as u32) as usize]).following()
                }
                _ => continue,
            };
            world.entity_mut(agent).insert(request);
        }
        app.update();
        add(&mut hasher, app.world_mut());
    }
    hasher.finish()
}

/// Spawns a graph with doors to both maps.
fn spawn_street(world: &mut World, maps: [Entity; 2]) -> Entity {
    let mut graph = WaypointGraph::new();
    for (id, x, y) in [("west", 400.0, 50.0), ("east", 980.0, 60.0), ("north", 700.0, 300.0)] {
        graph.add(id, (x, y)).expect("a new id");
    }
    for (a, b) in [("west", "east"), ("east", "north"), ("north", "west")] {
        graph.join(a, b).expect("both are there");
    }
    let street = world.spawn(NavGraph::new(graph)).id();
    for (map, cell, id) in [(0, Cell::new(SIDE - 1, 3), "west"), (1, Cell::new(0, 3), "east")] {
        world.get_mut::<NavGrid>(maps[map]).expect("a map").set_terrain(cell, 1).expect("a cell of the map");
        world.spawn(Door::new(DoorEnd::cell(maps[map], cell), DoorEnd::waypoint(street, id)));
    }
    street
}

/// Adds all agents, in the order of their numbers.
fn add(hasher: &mut FnvHasher, world: &mut World) {
    let mut agents = world.query::<(&AgentNumber, &Transform, &PathStatus)>();
    let mut all: Vec<_> = agents.iter(world).collect();
    all.sort_by_key(|agent| agent.0);
    for (number, place, status) in all {
        hasher.write_u64(number.get());
        write_point(hasher, place.translation.x, place.translation.y);
        format!("{status:?}").bytes().for_each(|byte| hasher.write_u64(u64::from(byte)));
    }
}
