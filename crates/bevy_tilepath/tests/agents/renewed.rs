//! Orders that are replaced before they are answered, or on the way.

use bevy::{ecs::entity::EntityHashMap, prelude::*};
use bevy_tilepath::{Algorithm, Cell, NavGrid, PathRequest, PathStatus, TilepathSettings, tilepath::Grid};
use rand::Rng;
use testkit::Seed;

use super::fixtures::*;
use crate::harness::tick;

fn budget(app: &mut App, work_per_tick: u64) {
    app.insert_resource(TilepathSettings { work_per_tick });
}

/// An order whose search visits most of the map.
fn long(x: i32, y: i32) -> PathRequest {
    PathRequest::to_cell(Cell::new(x, y)).with_algorithm(Algorithm::Dijkstra)
}

fn give(app: &mut App, entity: Entity, request: PathRequest) {
    app.world_mut().entity_mut(entity).insert(request);
}

fn is_waiting(app: &App, entity: Entity) -> bool {
    matches!(status(app, entity), PathStatus::Queued | PathStatus::Searching)
}

#[test]
fn chasers_ordered_again_in_every_tick_get_near_their_target() {
    let mut app = app();
    // One of these searches takes four ticks, all of them forty.
    budget(&mut app, 500);
    open_map(&mut app, 48, 48);
    let chasers: Vec<Entity> = (0..10).map(|y| agent(&mut app, 0, y, 640.0)).collect();
    for t in 0..900 {
        for &chaser in &chasers {
            give(&mut app, chaser, long(47, 40 + t % 2));
        }
        tick(&mut app);
    }
    for &chaser in &chasers {
        let distance = position(&app, chaser).distance(centre(47, 40)) / CELL;
        assert!(distance < 4.0, "{distance} cells away");
    }
}

#[test]
fn target_that_jumps_about_in_every_tick_does_not_nail_its_chasers_down() {
    let mut app = app();
    budget(&mut app, 300);
    open_map(&mut app, 32, 32);
    let chasers: Vec<Entity> = (0..5).map(|y| agent(&mut app, 0, y, 160.0)).collect();
    let corners = [(31, 31), (0, 31), (31, 0)];
    let mut stood = EntityHashMap::<u32>::default();
    let mut before: Vec<Vec2> = chasers.iter().map(|&chaser| position(&app, chaser)).collect();
    for t in 0..600 {
        for &chaser in &chasers {
            let (x, y) = corners[t % 3];
            give(&mut app, chaser, long(x, y));
        }
        tick(&mut app);
        for (&chaser, before) in chasers.iter().zip(&mut before) {
            let now = position(&app, chaser);
            let standing = stood.entry(chaser).or_default();
            *standing = if now == *before { *standing + 1 } else { 0 };
            // Each of the five has two searches of four ticks to wait for, and one that was dropped.
            assert!(*standing < 3 * 5 * 4, "it has been standing for {standing} ticks");
            *before = now;
        }
    }
}

#[test]
fn hundred_orders_renewed_every_sixteen_ticks_are_all_walked_by() {
    let mut app = app();
    budget(&mut app, 1000);
    open_map(&mut app, 32, 32);
    let agents: Vec<Entity> = (0..100).map(|n| agent(&mut app, n % 10, n / 10, 160.0)).collect();
    let began: Vec<Vec2> = agents.iter().map(|&soldier| position(&app, soldier)).collect();
    for t in 0..320 {
        if t % 16 == 0 {
            for &soldier in &agents {
                give(&mut app, soldier, long(31, 31 - t / 16));
            }
        }
        tick(&mut app);
    }
    let standing = agents.iter().zip(&began).filter(|&(&soldier, &began)| position(&app, soldier) == began);
    assert_eq!(standing.count(), 0);
}

#[test]
fn agent_goes_on_by_its_old_way_until_the_new_order_is_answered() {
    let mut app = app();
    let map = open_map(&mut app, 40, 8);
    // Old way and new way have their first cells in common.
    for x in 0..25 {
        set_terrain(&mut app, map, x, 1, 0);
    }
    let soldier = agent(&mut app, 0, 0, 160.0);
    order(&mut app, soldier, 39, 0);
    for _ in 0..20 {
        tick(&mut app);
    }
    told(&mut app);
    budget(&mut app, 20);
    give(&mut app, soldier, long(39, 7));
    let mut x = position(&app, soldier).x;
    let mut ticks = 0;
    loop {
        tick(&mut app);
        let now = position(&app, soldier);
        if !is_waiting(&app, soldier) {
            break;
        }
        assert!((now.x - x - 2.5).abs() < 1e-3, "one stride in each tick");
        x = now.x;
        assert_eq!(told(&mut app), [], "of the order that was replaced nothing is told");
        assert!((now.y - centre(0, 0).y).abs() < 1e-3);
        ticks += 1;
    }
    assert!(ticks > 10);
    // The answer begins where the agent has come to, and costs what is left.
    let first = cell_path(&app, soldier).start();
    assert_eq!(first, Cell::new((x / CELL) as i32, 0));
    let found = told(&mut app);
    let cost = (32 - first.x) as u32 * 10 + 7 * 14;
    assert_eq!(found[..1], [(soldier, Told::Found { goal: Cell::new(39, 7), cost, partial: false })]);
    run_until_quiet(&mut app, 1000);
    assert_eq!(told_of(&mut app, soldier), [Told::Arrived(Cell::new(39, 7))]);
}

#[test]
fn agent_whose_new_way_leads_back_is_asked_for_again_from_where_it_is() {
    let mut app = app();
    open_map(&mut app, 40, 8);
    let soldier = agent(&mut app, 20, 0, 160.0);
    order(&mut app, soldier, 39, 0);
    for _ in 0..10 {
        tick(&mut app);
    }
    budget(&mut app, 60);
    give(&mut app, soldier, long(0, 7));
    let mut before = position(&app, soldier);
    for _ in 0..400 {
        tick(&mut app);
        let now = position(&app, soldier);
        assert!(now.distance(before) < 2.5 + 1e-3, "no leaps");
        before = now;
    }
    run_until_quiet(&mut app, 400);
    let told = told_of(&mut app, soldier);
    let [Told::Found { .. }, Told::Found { goal, cost, .. }, Told::Arrived(at)] = told[..] else {
        panic!("{told:?}")
    };
    assert_eq!((goal, at), (Cell::new(0, 7), Cell::new(0, 7)));
    assert!(cost > 20 * 10 + 7 * 4, "from where it had gone on to");
}

#[test]
fn cancel_stops_an_agent_that_goes_on_by_its_old_way() {
    let mut app = app();
    open_map(&mut app, 40, 8);
    let soldier = agent(&mut app, 0, 0, 160.0);
    order(&mut app, soldier, 39, 0);
    for _ in 0..5 {
        tick(&mut app);
    }
    budget(&mut app, 5);
    give(&mut app, soldier, long(39, 7));
    for _ in 0..5 {
        tick(&mut app);
    }
    assert!(is_waiting(&app, soldier));
    app.world_mut().entity_mut(soldier).remove::<PathRequest>();
    let stopped = position(&app, soldier);
    assert!(stopped.x > centre(0, 0).x + 5.0 * 2.5, "it had gone on");
    for _ in 0..50 {
        tick(&mut app);
    }
    assert_eq!((position(&app, soldier), status(&app, soldier)), (stopped, PathStatus::Idle));
}

#[test]
fn old_way_is_not_gone_on_by_into_a_new_wall() {
    let mut app = app();
    let map = open_map(&mut app, 40, 8);
    let soldier = agent(&mut app, 0, 0, 160.0);
    order(&mut app, soldier, 39, 0);
    for _ in 0..5 {
        tick(&mut app);
    }
    told(&mut app);
    budget(&mut app, 5);
    give(&mut app, soldier, long(39, 7));
    tick(&mut app);
    set_terrain(&mut app, map, 3, 0, 0);
    let before = position(&app, soldier);
    for _ in 0..20 {
        tick(&mut app);
        assert_eq!(position(&app, soldier), before, "its old way leads nowhere");
    }
    assert!(is_waiting(&app, soldier));
    assert_eq!(told(&mut app), []);
    budget(&mut app, 100_000);
    run_until_quiet(&mut app, 1500);
    let told = told_of(&mut app, soldier);
    assert!(matches!(told[..], [Told::Found { .. }, Told::Arrived(Cell { x: 39, y: 7 })]), "{told:?}");
}

#[test]
fn agent_put_elsewhere_while_it_goes_on_stands_until_its_order_is_answered_from_there() {
    let mut app = app();
    open_map(&mut app, 40, 8);
    let soldier = agent(&mut app, 0, 0, 160.0);
    order(&mut app, soldier, 39, 0);
    for _ in 0..5 {
        tick(&mut app);
    }
    budget(&mut app, 5);
    give(&mut app, soldier, long(39, 7));
    tick(&mut app);
    app.world_mut().get_mut::<Transform>(soldier).unwrap().translation = centre(20, 5).extend(0.0);
    for _ in 0..10 {
        tick(&mut app);
        assert_eq!(position(&app, soldier), centre(20, 5));
    }
    budget(&mut app, 100_000);
    told(&mut app);
    run_until_quiet(&mut app, 1500);
    let cost = 17 * 10 + 2 * 14;
    let found = Told::Found { goal: Cell::new(39, 7), cost, partial: false };
    assert_eq!(told_of(&mut app, soldier), [found, Told::Arrived(Cell::new(39, 7))]);
}

#[test]
fn order_to_the_same_cell_keeps_its_search() {
    let ticks_until_answered = |is_renewed: bool| {
        let mut app = app();
        budget(&mut app, 50);
        open_map(&mut app, 32, 32);
        let soldier = agent(&mut app, 0, 0, 0.0);
        let to = |t: usize| {
            let position = centre(31, 31) + Vec2::splat(0.1 * (t % 7) as f32);
            PathRequest::to_position(position).with_algorithm(Algorithm::Dijkstra)
        };
        give(&mut app, soldier, to(0));
        for t in 1..200 {
            tick(&mut app);
            if !is_waiting(&app, soldier) {
                assert_eq!(told_of(&mut app, soldier).len(), 1);
                return t;
            }
            if is_renewed {
                give(&mut app, soldier, to(t));
            }
        }
        panic!("never answered");
    };
    assert_eq!(ticks_until_answered(true), ticks_until_answered(false));
}

#[test]
fn replaced_order_keeps_its_place_before_those_that_came_later() {
    let mut app = app();
    budget(&mut app, 200);
    open_map(&mut app, 32, 32);
    let agents: Vec<Entity> = (0..6).map(|y| agent(&mut app, 0, y, 0.0)).collect();
    for &soldier in &agents {
        give(&mut app, soldier, long(31, 31));
    }
    // Before its turn has come.
    tick(&mut app);
    give(&mut app, agents[3], long(31, 30));
    let mut order = Vec::new();
    for _ in 0..60 {
        tick(&mut app);
        order.extend(told(&mut app).into_iter().map(|(who, _)| who));
    }
    assert_eq!(order, agents);
}

#[test]
fn agents_that_go_on_by_old_ways_enter_no_wall() {
    for number in 0..6 {
        let random = &mut Seed::named(&format!("renewed {number}")).generator();
        let mut app = app();
        budget(&mut app, 90);
        let side = 24;
        let classes = (0..side * side).map(|_| [0, 1, 1, 1, 1, 2, 3][random.random_range(0..7)]).collect();
        let grid = Grid::from_classes(side as u32, side as u32, classes).unwrap();
        let map = map_of(&mut app, grid, bevy_tilepath::Diagonals::OnlyWhenNoObstacles);
        let agents: Vec<Entity> = (0..6)
            .map(|_| agent(&mut app, random.random_range(0..side), random.random_range(0..side), 250.0))
            .collect();
        let under = |app: &App, soldier: Entity| {
            let at = position(app, soldier) / CELL;
            Cell::new(at.x.floor() as i32, at.y.floor() as i32)
        };
        let mut cells: Vec<Cell> = agents.iter().map(|&soldier| under(&app, soldier)).collect();
        let mut open_orders = vec![0_i32; agents.len()];
        for _ in 0..600 {
            for (&soldier, open) in agents.iter().zip(&mut open_orders) {
                if random.random_bool(0.15) {
                    let to = long(random.random_range(0..side), random.random_range(0..side)).or_closest();
                    if app.world().get::<PathRequest>(soldier) != Some(&to) {
                        *open = 1;
                    }
                    give(&mut app, soldier, to);
                }
            }
            if random.random_bool(0.3) {
                let class = random.random_range(0..3);
                set_terrain(&mut app, map, random.random_range(0..side), random.random_range(0..side), class);
            }
            tick(&mut app);
            for (who, what) in told(&mut app) {
                let index = agents.iter().position(|&soldier| soldier == who).unwrap();
                if matches!(what, Told::Found { .. } | Told::Failed(_)) {
                    open_orders[index] -= 1;
                    assert_eq!(open_orders[index], 0, "{what:?}: each order has one answer");
                }
            }
            let grid = app.world().get::<NavGrid>(map).unwrap();
            for (&soldier, before) in agents.iter().zip(&mut cells) {
                let now = under(&app, soldier);
                assert!(now == *before || grid.terrain(now) != Some(0), "from {before} into the wall {now}");
                *before = now;
            }
        }
        budget(&mut app, 100_000);
        run_until_quiet(&mut app, 2000);
    }
}
