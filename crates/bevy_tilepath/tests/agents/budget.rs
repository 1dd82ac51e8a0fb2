//! The budget of work: fair, in slices, and exact under edits.

use bevy::prelude::*;
use bevy_tilepath::{
    Algorithm, Cell, CostTable, NavGrid, NavMap, PathFailure, PathRequest, PathStatus, TilepathDiagnostics,
    TilepathPlugin, TilepathSettings,
    tilepath::{PathQuery, SearchStatus},
};

use super::fixtures::*;
use crate::harness::{start, tick};

fn budget(app: &mut App, work_per_tick: u64) {
    app.insert_resource(TilepathSettings { work_per_tick });
}

fn diagnostics(app: &App) -> TilepathDiagnostics {
    *app.world().resource::<TilepathDiagnostics>()
}

/// An order whose search visits most of the map.
fn long_order(app: &mut App, entity: Entity, x: i32, y: i32) {
    let request = PathRequest::to_cell(Cell::new(x, y)).with_algorithm(Algorithm::Dijkstra);
    app.world_mut().entity_mut(entity).insert(request);
}

/// Rows of walls with gaps, many places to turn: to be repeated.
const CAVES: &str = "\
................................................
.####.####.####.###.####.#####.####.####.####.#.
................................................
";

#[test]
fn long_search_takes_as_many_ticks_as_the_budget_says() {
    let mut app = app();
    budget(&mut app, 100);
    open_map(&mut app, 32, 32);
    explore(&mut app);
    let soldier = agent(&mut app, 0, 0, 0.0);
    long_order(&mut app, soldier, 31, 31);
    let mut ticks = 0;
    while status(&app, soldier) != PathStatus::Following {
        tick(&mut app);
        ticks += 1;
        assert!(diagnostics(&app).work <= 100);
        if status(&app, soldier) != PathStatus::Following {
            assert_eq!(status(&app, soldier), PathStatus::Searching);
            assert_eq!((diagnostics(&app).searching, diagnostics(&app).answers), (1, 0));
        }
    }
    assert_eq!(diagnostics(&app).answers, 1);
    let expanded = path(&app, soldier).statistics().expanded;
    assert_eq!(ticks, expanded.div_ceil(100));
}

#[test]
fn jump_points_are_charged_what_they_cost_in_every_slice() {
    for work_per_tick in [1_000_000, 40] {
        let mut app = app();
        budget(&mut app, work_per_tick);
        let map = map(&mut app, &CAVES.repeat(8));
        tick(&mut app);
        let grid = app.world().get::<NavGrid>(map).unwrap();
        let query = PathQuery::new(Cell::new(0, 0), Cell::new(47, 23))
            .with_movement(grid.movement())
            .with_algorithm(Algorithm::JumpPoint);
        // The first one finds out what there is.
        grid.finder().begin(&query).unwrap().finish().unwrap();
        let mut search = grid.finder().begin(&query).unwrap();
        let begun = search.work();
        assert_eq!(search.advance(1_000_000), SearchStatus::Done);
        let expected = search.work() - begun;
        assert!(expected > search.statistics().expanded, "scans count, too");

        let soldier = agent(&mut app, 0, 0, 0.0);
        let request = PathRequest::to_cell(Cell::new(47, 23)).with_algorithm(Algorithm::JumpPoint);
        app.world_mut().entity_mut(soldier).insert(request);
        let mut spent = Vec::new();
        while status(&app, soldier) != PathStatus::Following {
            tick(&mut app);
            spent.push(diagnostics(&app).work);
        }
        assert_eq!(spent.iter().sum::<u64>(), expected, "{spent:?}");
        assert_eq!(spent.len() > 1, work_per_tick == 40, "{spent:?}");
    }
}

#[test]
fn short_request_is_not_held_up_by_long_ones() {
    let mut app = app();
    budget(&mut app, 8000);
    open_map(&mut app, 64, 64);
    explore(&mut app);
    let long: Vec<Entity> = (0..10).map(|_| agent(&mut app, 0, 0, 0.0)).collect();
    for &soldier in &long {
        long_order(&mut app, soldier, 63, 63);
    }
    let short = agent(&mut app, 5, 5, 0.0);
    order(&mut app, short, 9, 9);
    tick(&mut app);
    assert_eq!(status(&app, short), PathStatus::Following);
    // The ten end one after the other, in the order in which they were given.
    told(&mut app);
    let mut answers = Vec::new();
    let mut order = Vec::new();
    for _ in 0..20 {
        tick(&mut app);
        answers.push(diagnostics(&app).answers);
        order.extend(told(&mut app).into_iter().map(|(who, _)| who));
    }
    assert_eq!(order, long);
    assert!(answers.iter().all(|&n| n <= 4), "{answers:?}");
}

#[test]
fn order_of_four_cells_waits_for_none_of_a_hundred_long_ones() {
    let mut app = app();
    budget(&mut app, 80_000);
    open_map(&mut app, 64, 64);
    let long: Vec<Entity> = (0..100).map(|n| agent(&mut app, n % 10, n / 10, 0.0)).collect();
    for &soldier in &long {
        long_order(&mut app, soldier, 63, 63);
    }
    for _ in 0..2 {
        tick(&mut app);
        let short = agent(&mut app, 30, 30, 0.0);
        order(&mut app, short, 34, 30);
        tick(&mut app);
        assert_eq!(status(&app, short), PathStatus::Following);
    }
    let answered = told(&mut app).iter().filter(|(who, _)| long.contains(who)).count();
    assert!(answered > 0 && answered < 100, "{answered}");
}

#[test]
fn replan_longer_than_a_tick_is_spread_over_ticks_while_the_agent_stands() {
    let mut app = app();
    let map = open_map(&mut app, 32, 32);
    let soldier = agent(&mut app, 0, 0, 160.0);
    long_order(&mut app, soldier, 31, 31);
    for _ in 0..3 {
        tick(&mut app);
    }
    told(&mut app);
    budget(&mut app, 100);
    set_terrain(&mut app, map, 20, 20, 0);
    // What an edit leaves to the next search is done all at once.
    let held = position(&app, soldier);
    let mut news = Vec::new();
    let mut ticks = 0;
    while news.len() < 2 {
        assert_eq!(position(&app, soldier), held);
        tick(&mut app);
        assert!(diagnostics(&app).work <= 100);
        news.extend(told_of(&mut app, soldier));
        ticks += 1;
    }
    assert!(matches!(news[..], [Told::Blocked(_), Told::Replanned { cost: 446, .. }]), "{news:?}");
    assert!(ticks > 8, "{ticks}");
    run_until_quiet(&mut app, 1000);
    assert_eq!(told_of(&mut app, soldier), [Told::Arrived(Cell::new(31, 31))]);
}

#[test]
fn no_request_starves_behind_more_searches_than_take_turns() {
    let mut app = app();
    budget(&mut app, 1000);
    open_map(&mut app, 32, 32);
    let agents: Vec<Entity> = (0..100).map(|_| agent(&mut app, 0, 0, 0.0)).collect();
    for &soldier in &agents {
        long_order(&mut app, soldier, 31, 31);
    }
    tick(&mut app);
    let first = diagnostics(&app);
    assert_eq!(first.queued + first.searching + first.answers, 100);
    assert!(first.queued > 0);
    for _ in 0..110 {
        tick(&mut app);
    }
    assert!(agents.iter().all(|&soldier| status(&app, soldier) == PathStatus::Following));
    assert_eq!(diagnostics(&app).queued + diagnostics(&app).searching, 0);
}

#[test]
fn budget_of_zero_is_one() {
    let mut app = app();
    budget(&mut app, 0);
    open_map(&mut app, 6, 6);
    explore(&mut app);
    let (one, two) = (agent(&mut app, 0, 0, 0.0), agent(&mut app, 5, 5, 0.0));
    long_order(&mut app, one, 3, 0);
    long_order(&mut app, two, 3, 0);
    for _ in 0..80 {
        tick(&mut app);
        assert!(diagnostics(&app).work <= 1);
    }
    assert_eq!([status(&app, one), status(&app, two)], [PathStatus::Following; 2]);
}

#[test]
fn answers_do_not_depend_on_the_budget() {
    let mut answers = Vec::new();
    for work in [1, 7, 100, 1_000_000] {
        let mut app = app();
        budget(&mut app, work);
        map(&mut app, "1234321\n2#3#2#1\n1112223\n3#2#1#2\n1231231");
        let agents: Vec<Entity> = (0..7).map(|x| agent(&mut app, x, 0, 0.0)).collect();
        for (x, &soldier) in agents.iter().enumerate() {
            order(&mut app, soldier, 6 - x as i32, 4);
        }
        for _ in 0..200 {
            tick(&mut app);
        }
        answers.push(agents.iter().map(|&soldier| cell_path(&app, soldier).clone()).collect::<Vec<_>>());
    }
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn every_request_is_answered_although_the_map_changes_in_every_tick() {
    let mut app = app();
    // What the two edits of a tick leave to the next search costs 36.
    budget(&mut app, 60 + 2 * 36);
    let map = open_map(&mut app, 24, 24);
    let agents: Vec<Entity> = (0..12).map(|y| agent(&mut app, 0, 2 * y, 0.0)).collect();
    for (n, &soldier) in agents.iter().enumerate() {
        long_order(&mut app, soldier, 23, 23 - 2 * n as i32);
    }
    let mut answered = vec![false; agents.len()];
    // Each search costs 576 at most, is repeated once at most, and half of every tick is for the turns.
    let most = 12 * 576 / 30 + 2 * 12;
    for n in 0..most {
        // A wall wanders up and down the middle column and cuts most ways found in the tick before.
        let (now, before) = (n % 24, (n + 23) % 24);
        set_terrain(&mut app, map, 12, before, 1);
        set_terrain(&mut app, map, 12, now, 0);
        tick(&mut app);
        for (who, what) in told(&mut app) {
            if matches!(what, Told::Found { .. } | Told::Failed(_)) {
                let index = agents.iter().position(|&soldier| soldier == who).unwrap();
                assert!(!answered[index], "answered twice");
                answered[index] = true;
            }
        }
    }
    assert!(answered.iter().all(|&answered| answered), "{answered:?}");
}

#[test]
fn path_broken_while_it_was_searched_is_searched_again_before_it_is_answered() {
    let mut app = app();
    budget(&mut app, 20);
    let map = open_map(&mut app, 16, 3);
    let soldier = agent(&mut app, 0, 1, 0.0);
    long_order(&mut app, soldier, 15, 1);
    // All but the goal is open until just before the search is done.
    tick(&mut app);
    assert_eq!(status(&app, soldier), PathStatus::Searching);
    for y in 0..3 {
        set_terrain(&mut app, map, 8, y, u8::from(y == 2));
    }
    for _ in 0..4 {
        tick(&mut app);
    }
    let told = told_of(&mut app, soldier);
    assert!(matches!(told[..], [Told::Found { .. }]), "{told:?}");
    assert!(cell_path(&app, soldier).cells().contains(&Cell::new(8, 2)));
}

#[test]
fn way_closed_while_it_was_searched_is_no_way() {
    let mut app = app();
    budget(&mut app, 20);
    let map = open_map(&mut app, 16, 3);
    let soldier = agent(&mut app, 0, 1, 0.0);
    long_order(&mut app, soldier, 15, 1);
    tick(&mut app);
    assert_eq!(status(&app, soldier), PathStatus::Searching);
    for y in 0..3 {
        set_terrain(&mut app, map, 14, y, 0);
    }
    for _ in 0..4 {
        tick(&mut app);
    }
    assert_eq!(told_of(&mut app, soldier), [Told::Failed(PathFailure::Unreachable)]);
}

#[test]
fn path_searched_while_the_rules_changed_more_than_once_is_of_the_last_ones() {
    let mut app = app();
    budget(&mut app, 40);
    let map = open_map(&mut app, 40, 40);
    let soldier = agent(&mut app, 0, 0, 1.0);
    long_order(&mut app, soldier, 39, 39);
    tick(&mut app);
    for multiplier in [2, 3] {
        assert_eq!(status(&app, soldier), PathStatus::Searching);
        let costs = CostTable::identity().with(1, multiplier);
        app.world_mut().get_mut::<NavMap>(map).unwrap().costs = costs;
        tick(&mut app);
    }
    while status(&app, soldier) == PathStatus::Searching {
        tick(&mut app);
    }
    assert_eq!(cost(&app, soldier).get(), 3 * 39 * 14);
}

#[test]
fn settings_count_whether_inserted_before_or_after_the_plugin() {
    for before in [true, false] {
        let mut app = App::new();
        app.add_plugins(MinimalPlugins);
        if before {
            budget(&mut app, 5);
        }
        app.add_plugins(TilepathPlugin::default());
        if !before {
            budget(&mut app, 5);
        }
        start(&mut app);
        open_map(&mut app, 16, 16);
        let soldier = agent(&mut app, 0, 0, 0.0);
        long_order(&mut app, soldier, 15, 15);
        // In the first tick the search finds out what there is, all at once.
        tick(&mut app);
        tick(&mut app);
        assert_eq!(diagnostics(&app).work, 5);
    }
}

#[test]
fn replaced_and_cancelled_searches_leave_nothing_behind() {
    let mut app = app();
    budget(&mut app, 1);
    open_map(&mut app, 32, 32);
    let agents: Vec<Entity> = (0..50).map(|_| agent(&mut app, 0, 0, 0.0)).collect();
    for round in 0..10 {
        for &soldier in &agents {
            long_order(&mut app, soldier, 31, round);
        }
        tick(&mut app);
    }
    assert_eq!(diagnostics(&app).queued + diagnostics(&app).searching, 50);
    for &soldier in &agents[..25] {
        app.world_mut().entity_mut(soldier).remove::<PathRequest>();
    }
    for &soldier in &agents[25..] {
        app.world_mut().despawn(soldier);
    }
    tick(&mut app);
    let now = diagnostics(&app);
    assert_eq!((now.queued, now.searching, now.waiting_for_map, now.following), (0, 0, 0, 0));
    assert_eq!(told(&mut app), []);
}
