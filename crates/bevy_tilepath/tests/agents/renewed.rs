//! Orders that are replaced before their answer, or while agents walk.

use bevy::{ecs::entity::EntityHashMap, prelude::*};
use bevy_tilepath::{Algorithm, Cell, NavGrid, PathRequest, PathStatus, tilepath::Grid};
use rand::Rng;
use testkit::Seed;

use crate::harness::*;

/// Returns an order whose search visits most of the map.
fn long(x: i32, y: i32) -> PathRequest {
    PathRequest::to_cell(Cell::new(x, y)).with_algorithm(Algorithm::Dijkstra)
}

#[test]
fn chasers_ordered_again_in_every_tick_get_near_their_target() {
    let mut game = Game::new();
    // One of these searches takes four ticks, and all of them take forty.
    game.budget(500);
    game.open_map(48, 48);
    let chasers: Vec<Entity> = (0..10).map(|y| game.agent(0, y, 640.0)).collect();
    for t in 0..900 {
        for &chaser in &chasers {
            game.order(chaser, long(47, 40 + t % 2));
        }
        game.tick();
    }
    for &chaser in &chasers {
        let distance = game.position(chaser).distance(centre(47, 40)) / CELL;
        assert!(distance < 4.0, "{distance} cells away");
    }
}

#[test]
fn target_that_jumps_about_in_every_tick_does_not_nail_its_chasers_down() {
    let mut game = Game::new();
    game.budget(300);
    game.open_map(32, 32);
    let chasers: Vec<Entity> = (0..5).map(|y| game.agent(0, y, 160.0)).collect();
    let corners = [(31, 31), (0, 31), (31, 0)];
    let mut stood = EntityHashMap::<u32>::default();
    let mut before: Vec<Vec2> = chasers.iter().map(|&chaser| game.position(chaser)).collect();
    for t in 0..600 {
        for &chaser in &chasers {
            let (x, y) = corners[t % 3];
            game.order(chaser, long(x, y));
        }
        game.tick();
        for (&chaser, before) in chasers.iter().zip(&mut before) {
            let now = game.position(chaser);
            let standing = stood.entry(chaser).or_default();
            *standing = if now == *before { *standing + 1 } else { 0 };
            // Each of the five agents waits for two searches of four ticks each, and for one search
            // that was dropped.
            assert!(*standing < 3 * 5 * 4, "the chaser has been standing for {standing} ticks");
            *before = now;
        }
    }
}

#[test]
fn hundred_orders_renewed_every_sixteen_ticks_are_all_walked_by() {
    let mut game = Game::new();
    game.budget(1000);
    game.open_map(32, 32);
    let agents: Vec<Entity> = (0..100).map(|n| game.agent(n % 10, n / 10, 160.0)).collect();
    let began: Vec<Vec2> = agents.iter().map(|&soldier| game.position(soldier)).collect();
    for t in 0..320 {
        if t % 16 == 0 {
            for &soldier in &agents {
                game.order(soldier, long(31, 31 - t / 16));
            }
        }
        game.tick();
    }
    let standing = agents.iter().zip(&began).filter(|&(&soldier, &began)| game.position(soldier) == began);
    assert_eq!(standing.count(), 0);
}

#[test]
fn agent_goes_on_by_its_old_way_until_the_new_order_is_answered() {
    let (mut game, map) = Game::open(40, 8);
    // The old path and the new one have their first cells in common.
    for x in 0..25 {
        game.set_terrain(map, x, 1, 0);
    }
    let soldier = game.ordered_agent((0, 0), 160.0, (39, 0));
    game.ticks(20);
    game.told();
    game.budget(20);
    game.order(soldier, long(39, 7));
    let mut x = game.position(soldier).x;
    let mut ticks = 0;
    loop {
        game.tick();
        let now = game.position(soldier);
        if !game.is_waiting(soldier) {
            break;
        }
        assert!((now.x - x - 2.5).abs() < 1e-3, "one stride in each tick");
        x = now.x;
        assert_eq!(game.told(), [], "the replaced order triggers no events");
        assert!((now.y - centre(0, 0).y).abs() < 1e-3);
        ticks += 1;
    }
    assert!(ticks > 10);
    // The answer begins at the agent's cell, and its cost is the cost from there.
    let first = game.cell_path(soldier).start();
    assert_eq!(first, Cell::new((x / CELL) as i32, 0));
    let found = game.told();
    let cost = (32 - first.x) as u32 * 10 + 7 * 14;
    assert_eq!(found[..1], [(soldier, Told::Found { goal: Cell::new(39, 7), cost, partial: false })]);
    game.run_until_quiet(1000);
    assert_eq!(game.told_of(soldier), [Told::Arrived(Cell::new(39, 7))]);
}

#[test]
fn agent_whose_new_way_leads_back_is_asked_for_again_from_where_it_is() {
    let (mut game, _) = Game::open(40, 8);
    let soldier = game.ordered_agent((20, 0), 160.0, (39, 0));
    game.ticks(10);
    game.budget(60);
    game.order(soldier, long(0, 7));
    let mut before = game.position(soldier);
    for _ in 0..400 {
        game.tick();
        let now = game.position(soldier);
        assert!(now.distance(before) < 2.5 + 1e-3, "no leaps");
        before = now;
    }
    game.run_until_quiet(400);
    let told = game.told_of(soldier);
    let [Told::Found { .. }, Told::Found { goal, cost, .. }, Told::Arrived(at)] = told[..] else {
        panic!("{told:?}")
    };
    assert_eq!((goal, at), (Cell::new(0, 7), Cell::new(0, 7)));
    assert!(cost > 20 * 10 + 7 * 4, "the path begins at the cell that the agent has reached");
}

#[test]
fn agent_that_goes_on_by_its_old_way_stands_when_there_is_none_any_more() {
    type Deed = fn(&mut Game, Entity, Entity);
    // The deed happens after this number of ticks of the new order. Then the agent stands, with or
    // without an order. If there is more work, an order is answered.
    let cases: [(&str, usize, Deed, Option<(i32, i32)>, bool, &str); 3] = [
        ("its order is removed", 5, |game, _, soldier| game.cancel(soldier), None, false, ""),
        (
            "its old path leads into a new wall",
            1,
            |game, map, _| game.set_terrain(map, 3, 0, 0),
            None,
            true,
            "found (39, 7) for 408, arrived at (39, 7)",
        ),
        (
            "it is moved: its order is answered from its new place",
            1,
            |game, _, soldier| game.put(soldier, 20, 5),
            Some((20, 5)),
            true,
            "found (39, 7) for 198, arrived at (39, 7)",
        ),
    ];
    for (name, ticks, deed, elsewhere, is_asked, answer) in cases {
        let (mut game, map) = Game::open(40, 8);
        let soldier = game.ordered_agent((0, 0), 160.0, (39, 0));
        game.ticks(5);
        game.told();
        game.budget(5);
        game.order(soldier, long(39, 7));
        game.ticks(ticks);
        assert!(game.is_waiting(soldier), "{name}");
        assert!(
            game.position(soldier).x > centre(0, 0).x + ticks as f32 * 2.5,
            "{name}: the soldier did not walk on"
        );
        deed(&mut game, map, soldier);
        let stands = elsewhere.map_or_else(|| game.position(soldier), |(x, y)| centre(x, y));
        for _ in 0..20 {
            game.tick();
            assert_eq!(game.position(soldier), stands, "{name}");
        }
        assert_eq!(game.is_waiting(soldier), is_asked, "{name}");
        assert_eq!(game.told(), [], "{name}");
        if !is_asked {
            game.ticks(30);
            assert_eq!((game.position(soldier), game.status(soldier)), (stands, PathStatus::Idle), "{name}");
        }
        game.budget(100_000);
        game.run_until_quiet(1500);
        assert_eq!(game.words_of(soldier), answer, "{name}");
    }
}

#[test]
fn order_to_the_same_cell_keeps_its_search() {
    let ticks_until_answered = |is_renewed: bool| {
        let mut game = Game::new();
        game.budget(50);
        game.open_map(32, 32);
        let soldier = game.agent(0, 0, 0.0);
        let to = |t: usize| {
            let position = centre(31, 31) + Vec2::splat(0.1 * (t % 7) as f32);
            PathRequest::to_position(position).with_algorithm(Algorithm::Dijkstra)
        };
        game.order(soldier, to(0));
        for t in 1..200 {
            game.tick();
            if !game.is_waiting(soldier) {
                assert_eq!(game.told_of(soldier).len(), 1);
                return t;
            }
            if is_renewed {
                game.order(soldier, to(t));
            }
        }
        panic!("the order was never answered");
    };
    assert_eq!(ticks_until_answered(true), ticks_until_answered(false));
}

#[test]
fn replaced_order_keeps_its_place_before_those_that_came_later() {
    let mut game = Game::new();
    game.budget(200);
    game.open_map(32, 32);
    let agents: Vec<Entity> = (0..6).map(|y| game.agent(0, y, 0.0)).collect();
    for &soldier in &agents {
        game.order(soldier, long(31, 31));
    }
    // The order is replaced before its turn.
    game.tick();
    game.order(agents[3], long(31, 30));
    let mut order = Vec::new();
    for _ in 0..60 {
        game.tick();
        order.extend(game.told().into_iter().map(|(who, _)| who));
    }
    assert_eq!(order, agents);
}

#[test]
fn agents_that_go_on_by_old_ways_enter_no_wall() {
    for number in 0..6 {
        let random = &mut Seed::named(&format!("renewed {number}")).generator();
        let mut game = Game::new();
        game.budget(90);
        let side = 24;
        let classes = (0..side * side).map(|_| [0, 1, 1, 1, 1, 2, 3][random.random_range(0..7)]).collect();
        let grid = Grid::from_classes(side as u32, side as u32, classes).unwrap();
        let map = game.map_of(grid, bevy_tilepath::Diagonals::OnlyWhenNoObstacles);
        let agents: Vec<Entity> = (0..6)
            .map(|_| game.agent(random.random_range(0..side), random.random_range(0..side), 250.0))
            .collect();
        let under = |game: &Game, soldier: Entity| {
            let at = game.position(soldier) / CELL;
            Cell::new(at.x.floor() as i32, at.y.floor() as i32)
        };
        let mut cells: Vec<Cell> = agents.iter().map(|&soldier| under(&game, soldier)).collect();
        let mut open_orders = vec![0_i32; agents.len()];
        for _ in 0..600 {
            for (&soldier, open) in agents.iter().zip(&mut open_orders) {
                if random.random_bool(0.15) {
                    let to = long(random.random_range(0..side), random.random_range(0..side)).or_closest();
                    if game.world().get::<PathRequest>(soldier) != Some(&to) {
                        *open = 1;
                    }
                    game.order(soldier, to);
                }
            }
            if random.random_bool(0.3) {
                let class = random.random_range(0..3);
                game.set_terrain(map, random.random_range(0..side), random.random_range(0..side), class);
            }
            game.tick();
            for (who, what) in game.told() {
                let index = agents.iter().position(|&soldier| soldier == who).unwrap();
                if matches!(what, Told::Found { .. } | Told::Failed(_)) {
                    open_orders[index] -= 1;
                    assert_eq!(open_orders[index], 0, "{what:?}: each order has one answer");
                }
            }
            let grid = game.world().get::<NavGrid>(map).unwrap();
            for (&soldier, before) in agents.iter().zip(&mut cells) {
                let now = under(&game, soldier);
                assert!(now == *before || grid.terrain(now) != Some(0), "from {before} into the wall {now}");
                *before = now;
            }
        }
        game.budget(100_000);
        game.run_until_quiet(2000);
    }
}
