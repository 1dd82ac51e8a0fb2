//! Prices of steps for agents and bodies: rivers, roads and slopes.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentMovement, Body, Cell, Edit, Movement, NavGrid, PathAgent, PathStatus,
    agents::{Speed, TerrainSpeed},
    tilepath::{Crossing, Direction},
};

use crate::harness::*;

/// The length of steps, in seconds.
const STEP: f64 = 1.0 / 128.0;

/// Lays a river north of some cells of a row.
fn lay_river(game: &mut Game, map: Entity, y: i32, columns: impl Iterator<Item = i32>) {
    let sides = columns.map(|x| Edit::edges("river", Cell::new(x, y), [Direction::North]));
    let sides: Vec<Edit> = sides.collect();
    let mut grid = game.world_mut().get_mut::<NavGrid>(map).expect("the map");
    grid.edit(&sides).expect("the cells are on the map");
}

fn wader(cost: u16) -> AgentMovement {
    AgentMovement::from(Movement::new().with_edges("river", Crossing::Costs(cost)))
}

#[test]
fn wading_takes_longer() {
    let mut game = Game::long_steps();
    let map = game.map("...\n...\n...");
    lay_river(&mut game, map, 0, 0..3);
    let wading = game.agent(1, 0, 0.0);
    let by_cost = PathAgent { speed: Speed::Cells(4.0), terrain_speed: TerrainSpeed::ByCost, ..default() };
    game.world_mut().entity_mut(wading).insert((by_cost, wader(6)));
    game.order_to(wading, 1, 2);
    game.step(0.0);
    let foreseen = game.path(wading).seconds_left(game.world().get::<PathAgent>(wading).unwrap());
    assert!((foreseen - (7.0 + 1.0) / 4.0).abs() < 1e-6, "{foreseen}: through the river, then on");
    let mut seconds = 0.0;
    while game.is_ordered(wading) {
        game.step(STEP);
        seconds += STEP;
        assert!(seconds < 10.0);
    }
    assert!((seconds - foreseen).abs() < 2.0 * STEP, "{seconds} of {foreseen}");
}

#[test]
fn body_steps_aside_over_no_river() {
    let (mut game, map) = Game::open(10, 3);
    lay_river(&mut game, map, 1, 0..10);
    let boulder = game.thing(5, 1);
    game.world_mut().entity_mut(boulder).insert(Body::default());
    let walker = game.body(0, 1, 64.0);
    game.world_mut().entity_mut(walker).insert(wader(200));
    game.order_to(walker, 9, 1);
    let mut rows = Vec::new();
    for _ in 0..2000 {
        game.tick();
        rows.push(game.cell_at(walker).y);
        if !game.is_ordered(walker) {
            break;
        }
    }
    assert_eq!(game.status(walker), PathStatus::Arrived);
    assert!(rows.contains(&0) && !rows.contains(&2), "round the boulder on its own bank: {rows:?}");
}

#[test]
fn walker_leaves_the_bridge_that_burns() {
    let (mut game, map) = Game::open(12, 4);
    lay_river(&mut game, map, 1, (0..12).filter(|&x| x != 9 && x != 3));
    let walker = game.agent(8, 0, 64.0);
    game.world_mut().entity_mut(walker).insert(wader(200));
    game.order_to(walker, 8, 3);
    game.tick();
    assert!(game.cell_path(walker).cells().contains(&Cell::new(9, 2)), "over the near bridge");
    lay_river(&mut game, map, 1, 9..10);
    game.tick();
    let path = game.cell_path(walker).cells();
    assert!(path.contains(&Cell::new(3, 2)) && !path.contains(&Cell::new(9, 2)), "over the other: {path:?}");
    game.tick_until(2000, |game| !game.is_ordered(walker));
    assert_eq!(game.status(walker), PathStatus::Arrived);
}

#[test]
fn edges_that_the_map_does_not_have_are_warned_of_once() {
    let (mut game, map) = Game::open(6, 4);
    lay_river(&mut game, map, 1, 0..6);
    let misspelt = AgentMovement::from(Movement::new().with_edges("riwer", Crossing::Costs(6)));
    for x in 0..2 {
        let unit = game.agent(x, 0, 64.0);
        game.world_mut().entity_mut(unit).insert(misspelt.clone());
        game.order_to(unit, x, 3);
    }
    let logs = game.logs_of_ticks(3);
    assert_eq!(logs.len(), 1, "{logs:?}");
    assert!(logs[0].contains("\"riwer\"") && logs[0].contains("[\"river\"]"), "{logs:?}");
}
