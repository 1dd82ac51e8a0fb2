//! Long lists of goals. A list that orders share is looked up once, and all look-ups are counted.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentMovement, Cell, Movement, NavMap, PathRequest, PathStatus, Place, TilepathDiagnostics,
    TilepathSettings, tilepath::Size,
};

use crate::harness::*;

/// Returns the upper right quarter of a map of 128 × 128 cells.
fn far_cells() -> Vec<Cell> {
    (64..128).flat_map(|y| (64..128).map(move |x| Cell::new(x, y))).collect()
}

fn work(game: &Game) -> u64 {
    game.world().resource::<TilepathDiagnostics>().work
}

/// Gives each agent its order, and ticks until all orders are answered. Returns the work of each
/// tick.
fn work_until_answered(game: &mut Game, orders: impl Iterator<Item = PathRequest>) -> Vec<u64> {
    let agents: Vec<Entity> = orders
        .enumerate()
        .map(|(n, order)| {
            let soldier = game.agent(n as i32 % 32, n as i32 / 32, 0.0);
            game.world_mut().entity_mut(soldier).insert(order);
            soldier
        })
        .collect();
    let mut spent = Vec::new();
    while !agents.iter().all(|&soldier| game.status(soldier) == PathStatus::Following) {
        game.tick();
        spent.push(work(game));
        assert!(spent.len() < 1000, "orders are still without an answer");
    }
    spent
}

#[test]
fn list_that_a_thousand_orders_share_is_looked_up_once() {
    let mut game = Game::new();
    game.insert_resource(TilepathSettings { work_per_tick: 20_000 });
    game.open_map(128, 128);
    game.tick();
    let list = PathRequest::to_nearest(far_cells());
    let spent = work_until_answered(&mut game, (0..1000).map(|_| list.clone()));
    // After the look-up, eight orders are searched, a field spreads, and all other paths are read
    // from it.
    let goals = far_cells().len() as u64;
    assert!(spent[0] >= goals, "{spent:?}");
    assert!(spent.iter().sum::<u64>() < 50 * goals, "{spent:?}");
}

#[test]
fn lists_of_their_own_are_counted_and_wait_for_the_next_tick() {
    let (budget, orders) = (10_000, 20);
    let mut game = Game::new();
    game.insert_resource(TilepathSettings { work_per_tick: budget });
    game.open_map(128, 128);
    game.tick();
    let goals = far_cells().len() as u64;
    let spent = work_until_answered(&mut game, (0..orders).map(|_| PathRequest::to_nearest(far_cells())));
    assert!(spent.iter().sum::<u64>() >= orders * goals, "{spent:?}");
    // A tick can exceed its budget by the list that it looks up last, and by one search that it
    // begins late.
    let most = budget + 4 * goals;
    assert!(spent.iter().all(|&work| work <= most), "{spent:?}");
}

#[test]
fn units_that_share_a_list_go_to_the_cells_for_their_own_sizes() {
    let (mut game, map) = Game::open(20, 20);
    let wagon = Movement::new().with_size(Size::new(2).expect("2 is a size"));
    let rules = NavMap::default().with_movement("wagon", wagon);
    game.world_mut().entity_mut(map).insert(rules);
    game.tick();
    let list = PathRequest::to_nearest([
        Place::Position(centre(10, 10) - CELL / 4.0),
        Place::Position(centre(18, 3)),
    ]);
    let [walker, cart] = [1, 2].map(|x| game.agent(x, 1, 64.0));
    game.world_mut().entity_mut(cart).insert(AgentMovement::from("wagon"));
    for unit in [walker, cart] {
        game.world_mut().entity_mut(unit).insert(list.clone());
    }
    game.tick();
    let goals = [walker, cart].map(|unit| game.path(unit).goal().cell());
    assert_eq!(
        goals,
        [(10, 10), (9, 9)].map(|cell| Some(Cell::from(cell))),
        "a wagon stands with its middle on the position"
    );
}
