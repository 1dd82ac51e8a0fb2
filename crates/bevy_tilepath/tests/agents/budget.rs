//! The budget of work is fair, is spent in slices, and stays exact under edits.

use bevy::prelude::*;
use bevy_tilepath::{
    Algorithm, Cell, CostTable, NavGrid, NavMap, PathRequest, PathStatus, TilepathPlugin,
    tilepath::{PathQuery, SearchStatus},
};

use crate::harness::*;

/// Gives an order whose search visits most of the map.
fn long_order(game: &mut Game, entity: Entity, x: i32, y: i32) {
    let request = PathRequest::to_cell(Cell::new(x, y)).with_algorithm(Algorithm::Dijkstra);
    game.world_mut().entity_mut(entity).insert(request);
}

/// Rows of walls with gaps, and many places to turn. Tests repeat this picture.
const CAVES: &str = "\
................................................
.####.####.####.###.####.#####.####.####.####.#.
................................................
";

#[test]
fn long_search_takes_as_many_ticks_as_the_budget_says() {
    let mut game = Game::new();
    game.budget(100);
    game.open_map(32, 32);
    game.explore();
    let soldier = game.agent(0, 0, 0.0);
    long_order(&mut game, soldier, 31, 31);
    let mut ticks = 0;
    while game.status(soldier) != PathStatus::Following {
        game.tick();
        ticks += 1;
        assert!(game.diagnostics().work <= 100);
        if game.status(soldier) != PathStatus::Following {
            assert_eq!(game.status(soldier), PathStatus::Searching);
            assert_eq!((game.diagnostics().searching, game.diagnostics().answers), (1, 0));
        }
    }
    assert_eq!(game.diagnostics().answers, 1);
    let expanded = game.path(soldier).statistics().expanded;
    assert_eq!(ticks, expanded.div_ceil(100));
}

#[test]
fn jump_points_are_charged_what_they_cost_in_every_slice() {
    for work_per_tick in [1_000_000, 40] {
        let mut game = Game::new();
        game.budget(work_per_tick);
        let map = game.map(&CAVES.repeat(8));
        game.tick();
        let grid = game.world().get::<NavGrid>(map).unwrap();
        let query = PathQuery::new(Cell::new(0, 0), Cell::new(47, 23))
            .with_movement(grid.movement())
            .with_algorithm(Algorithm::JumpPoint);
        // The first search prepares the data of the map.
        grid.finder().begin(&query).unwrap().finish().unwrap();
        let mut search = grid.finder().begin(&query).unwrap();
        let begun = search.work();
        assert_eq!(search.advance(1_000_000), SearchStatus::Done);
        let expected = search.work() - begun;
        assert!(expected > search.statistics().expanded, "scans are counted, too");

        let soldier = game.agent(0, 0, 0.0);
        let request = PathRequest::to_cell(Cell::new(47, 23)).with_algorithm(Algorithm::JumpPoint);
        game.world_mut().entity_mut(soldier).insert(request);
        let mut spent = Vec::new();
        while game.status(soldier) != PathStatus::Following {
            game.tick();
            spent.push(game.diagnostics().work);
        }
        assert_eq!(spent.iter().sum::<u64>(), expected, "{spent:?}");
        assert_eq!(spent.len() > 1, work_per_tick == 40, "{spent:?}");
    }
}

#[test]
fn short_request_is_not_held_up_by_long_ones() {
    let mut game = Game::new();
    game.budget(8000);
    game.open_map(64, 64);
    game.explore();
    let long: Vec<Entity> = (0..10).map(|_| game.agent(0, 0, 0.0)).collect();
    for &soldier in &long {
        long_order(&mut game, soldier, 63, 63);
    }
    let short = game.ordered_agent((5, 5), 0.0, (9, 9));
    game.tick();
    assert_eq!(game.status(short), PathStatus::Following);
    // The ten searches end one after the other, in the order in which they were given.
    game.told();
    let mut answers = Vec::new();
    let mut order = Vec::new();
    for _ in 0..20 {
        game.tick();
        answers.push(game.diagnostics().answers);
        order.extend(game.told().into_iter().map(|(who, _)| who));
    }
    assert_eq!(order, long);
    assert!(answers.iter().all(|&n| n <= 4), "{answers:?}");
}

#[test]
fn order_of_four_cells_waits_for_none_of_a_hundred_long_ones() {
    let mut game = Game::new();
    game.budget(80_000);
    game.open_map(64, 64);
    let long: Vec<Entity> = (0..100).map(|n| game.agent(n % 10, n / 10, 0.0)).collect();
    for &soldier in &long {
        long_order(&mut game, soldier, 63, 63);
    }
    for _ in 0..2 {
        game.tick();
        let short = game.ordered_agent((30, 30), 0.0, (34, 30));
        game.tick();
        assert_eq!(game.status(short), PathStatus::Following);
    }
    let answered = game.told().iter().filter(|(who, _)| long.contains(who)).count();
    assert!(answered > 0 && answered < 100, "{answered}");
}

#[test]
fn replan_longer_than_a_tick_is_spread_over_ticks_while_the_agent_stands() {
    let (mut game, map) = Game::open(32, 32);
    let soldier = game.agent(0, 0, 160.0);
    long_order(&mut game, soldier, 31, 31);
    game.ticks(3);
    game.told();
    game.budget(100);
    game.set_terrain(map, 20, 20, 0);
    // An edit leaves work to the next search, which does it in one piece.
    let held = game.position(soldier);
    let mut news = Vec::new();
    let mut ticks = 0;
    while news.len() < 2 {
        assert_eq!(game.position(soldier), held);
        game.tick();
        assert!(game.diagnostics().work <= 100);
        news.extend(game.told_of(soldier));
        ticks += 1;
    }
    assert!(matches!(news[..], [Told::Blocked(_), Told::Replanned { cost: 446, .. }]), "{news:?}");
    assert!(ticks > 8, "{ticks}");
    game.run_until_quiet(1000);
    assert_eq!(game.told_of(soldier), [Told::Arrived(Cell::new(31, 31))]);
}

#[test]
fn no_request_starves_behind_more_searches_than_take_turns() {
    let mut game = Game::new();
    game.budget(1000);
    game.open_map(32, 32);
    let agents: Vec<Entity> = (0..100).map(|_| game.agent(0, 0, 0.0)).collect();
    for &soldier in &agents {
        long_order(&mut game, soldier, 31, 31);
    }
    game.tick();
    let first = game.diagnostics();
    assert_eq!(first.queued + first.searching + first.answers, 100);
    assert!(first.queued > 0);
    game.ticks(110);
    assert!(agents.iter().all(|&soldier| game.status(soldier) == PathStatus::Following));
    assert_eq!(game.diagnostics().queued + game.diagnostics().searching, 0);
}

#[test]
fn budget_of_zero_is_one() {
    let mut game = Game::new();
    game.budget(0);
    game.open_map(6, 6);
    game.explore();
    let (one, two) = (game.agent(0, 0, 0.0), game.agent(5, 5, 0.0));
    long_order(&mut game, one, 3, 0);
    long_order(&mut game, two, 3, 0);
    for _ in 0..80 {
        game.tick();
        assert!(game.diagnostics().work <= 1);
    }
    assert_eq!([game.status(one), game.status(two)], [PathStatus::Following; 2]);
}

#[test]
fn answers_do_not_depend_on_the_budget() {
    let mut answers = Vec::new();
    for work in [1, 7, 100, 1_000_000] {
        let mut game = Game::new();
        game.budget(work);
        game.map("1234321\n2#3#2#1\n1112223\n3#2#1#2\n1231231");
        let agents: Vec<Entity> = (0..7).map(|x| game.agent(x, 0, 0.0)).collect();
        for (x, &soldier) in agents.iter().enumerate() {
            game.order_to(soldier, 6 - x as i32, 4);
        }
        game.ticks(200);
        answers.push(agents.iter().map(|&soldier| game.cell_path(soldier).clone()).collect::<Vec<_>>());
    }
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn every_request_is_answered_although_the_map_changes_in_every_tick() {
    let mut game = Game::new();
    // The two edits of a tick leave work of 36 to the next search.
    game.budget(60 + 2 * 36);
    let map = game.open_map(24, 24);
    let agents: Vec<Entity> = (0..12).map(|y| game.agent(0, 2 * y, 0.0)).collect();
    for (n, &soldier) in agents.iter().enumerate() {
        long_order(&mut game, soldier, 23, 23 - 2 * n as i32);
    }
    let mut answered = vec![false; agents.len()];
    // Each search costs at most 576, and is repeated at most once. Half of each tick is for the
    // turns.
    let most = 12 * 576 / 30 + 2 * 12;
    for n in 0..most {
        // A wall moves up and down the middle column. It cuts most paths of the tick before.
        let (now, before) = (n % 24, (n + 23) % 24);
        game.set_terrain(map, 12, before, 1);
        game.set_terrain(map, 12, now, 0);
        game.tick();
        for (who, what) in game.told() {
            if matches!(what, Told::Found { .. } | Told::Failed(_)) {
                let index = agents.iter().position(|&soldier| soldier == who).unwrap();
                assert!(!answered[index], "the order was answered twice");
                answered[index] = true;
            }
        }
    }
    assert!(answered.iter().all(|&answered| answered), "{answered:?}");
}

#[test]
fn way_edited_while_it_was_searched_is_searched_again_before_it_is_answered() {
    // The walled column, the one of its three cells that stays open, and the answer.
    for (name, column, open, answer) in [
        ("a gap is left", 8, Some(2), "found (15, 1) for 158"),
        ("nothing is left", 14, None, "failed: Unreachable"),
    ] {
        let mut game = Game::new();
        game.budget(20);
        let map = game.open_map(16, 3);
        let soldier = game.agent(0, 1, 0.0);
        long_order(&mut game, soldier, 15, 1);
        // Except for the goal, all cells are open until just before the search ends.
        game.tick();
        assert_eq!(game.status(soldier), PathStatus::Searching, "{name}");
        for y in 0..3 {
            game.set_terrain(map, column, y, u8::from(open == Some(y)));
        }
        game.ticks(4);
        assert_eq!(game.words_of(soldier), answer, "{name}");
        if let Some(y) = open {
            assert!(game.cell_path(soldier).cells().contains(&Cell::new(column, y)), "{name}");
        }
    }
}

#[test]
fn path_searched_while_the_rules_changed_more_than_once_is_of_the_last_ones() {
    let mut game = Game::new();
    game.budget(40);
    let map = game.open_map(40, 40);
    let soldier = game.agent(0, 0, 1.0);
    long_order(&mut game, soldier, 39, 39);
    game.tick();
    for multiplier in [2, 3] {
        assert_eq!(game.status(soldier), PathStatus::Searching);
        let costs = CostTable::identity().with(1, multiplier);
        game.world_mut().get_mut::<NavMap>(map).unwrap().costs = costs;
        game.tick();
    }
    while game.status(soldier) == PathStatus::Searching {
        game.tick();
    }
    assert_eq!(game.cost(soldier).get(), 3 * 39 * 14);
}

#[test]
fn settings_count_whether_inserted_before_or_after_the_plugin() {
    for before in [true, false] {
        let mut game = Game(App::new());
        game.add_plugins(MinimalPlugins);
        if before {
            game.budget(5);
        }
        game.add_plugins(TilepathPlugin::default());
        if !before {
            game.budget(5);
        }
        game.start();
        game.open_map(16, 16);
        let soldier = game.agent(0, 0, 0.0);
        long_order(&mut game, soldier, 15, 15);
        // In the first tick, the search prepares the data of the map in one piece.
        game.tick();
        game.tick();
        assert_eq!(game.diagnostics().work, 5);
    }
}

#[test]
fn replaced_and_cancelled_searches_leave_nothing_behind() {
    let mut game = Game::new();
    game.budget(1);
    game.open_map(32, 32);
    let agents: Vec<Entity> = (0..50).map(|_| game.agent(0, 0, 0.0)).collect();
    for round in 0..10 {
        for &soldier in &agents {
            long_order(&mut game, soldier, 31, round);
        }
        game.tick();
    }
    assert_eq!(game.diagnostics().queued + game.diagnostics().searching, 50);
    for &soldier in &agents[..25] {
        game.world_mut().entity_mut(soldier).remove::<PathRequest>();
    }
    for &soldier in &agents[25..] {
        game.world_mut().despawn(soldier);
    }
    game.tick();
    let now = game.diagnostics();
    assert_eq!((now.queued, now.searching, now.waiting_for_map, now.following), (0, 0, 0, 0));
    assert_eq!(game.told(), []);
}

#[test]
fn searches_for_better_paths_leave_three_quarters_of_the_budget_to_orders() {
    let ticks = [false, true].map(|is_muddy| {
        let (mut game, map) = Game::open(60, 60);
        game.explore();
        game.budget(u64::MAX / 2);
        let walkers: Vec<Entity> = (0..60).map(|y| game.agent(0, y, 0.0)).collect();
        for (y, &walker) in (0..).zip(&walkers) {
            long_order(&mut game, walker, 59, y);
        }
        game.tick();
        game.budget(4000);
        if is_muddy {
            (0..60).for_each(|y| game.set_terrain(map, 30, y, 9));
        }
        let asks: Vec<Entity> = (0..20).map(|x| game.agent(x, 0, 0.0)).collect();
        for (x, &asks) in (0..).zip(&asks) {
            long_order(&mut game, asks, x + 20, 59);
        }
        let ticks =
            game.tick_until(200, |game| asks.iter().all(|&asks| game.status(asks) == PathStatus::Following));
        assert_eq!(game.diagnostics().queued > 0, is_muddy, "walkers still wait");
        ticks
    });
    assert!(ticks[0] > 10 && ticks[1] * 3 <= (ticks[0] + 2) * 4, "{ticks:?}");
}
