//! Orders to the nearest of many goals.

use bevy::prelude::*;
use bevy_tilepath::{
    Algorithm, Cell, NavGrid, PathFailure, PathRequest, PathStatus, Place, TilepathSettings,
    events::{Arrived, PathFound, Replanned},
};

use crate::harness::*;

fn cells<const N: usize>(cells: [(i32, i32); N]) -> PathRequest {
    PathRequest::to_nearest(cells.map(Cell::from))
}

/// Gives one agent on this map an order at this cell. Returns the game, the agent, and the events
/// of that tick.
fn answer_to(picture: &str, (x, y): (i32, i32), request: PathRequest) -> (Game, Entity, Vec<Told>) {
    let (mut game, _) = Game::drawn_as(picture);
    let soldier = game.agent(x, y, 0.0);
    game.order(soldier, request);
    game.tick();
    let told = game.told_of(soldier);
    (game, soldier, told)
}

fn found(goal: (i32, i32), cost: u32) -> Vec<Told> {
    vec![Told::Found { goal: goal.into(), cost, partial: false }]
}

fn partial(goal: (i32, i32), cost: u32) -> Vec<Told> {
    vec![Told::Found { goal: goal.into(), cost, partial: true }]
}

/// A picture whose last row is y = 0. The agent is at (2, 0), the goal (4, 0) is behind a wall, and
/// a swamp is on its left.
const WALLED: &str = "
    .....
    .###.
    9..#.
";

#[test]
fn nearest_is_by_the_cost_of_the_way() {
    // One goal is two cells off behind a wall, one is two cells off through a swamp, and one is up
    // on the left.
    let (game, soldier, told) = answer_to(WALLED, (2, 0), cells([(4, 0), (0, 0), (0, 1)]));
    // The swamp costs 10 + 90, and it also leads to (0, 1). The path around the wall costs more.
    assert_eq!(told, found((0, 0), 100));
    assert_eq!((game.path(soldier).chosen(), game.path(soldier).goal().cell()), (1, Some(Cell::new(0, 0))));

    let (game, soldier, told) = answer_to(WALLED, (2, 0), cells([(4, 2), (1, 0)]));
    assert_eq!(told, found((1, 0), 10));
    assert_eq!(game.path(soldier).chosen(), 1);
}

#[test]
fn goals_are_cells_positions_or_both() {
    let by_position = PathRequest::to_nearest([centre(4, 2), centre(1, 0) + 3.0]);
    assert_eq!(answer_to(WALLED, (2, 0), by_position).2, found((1, 0), 10));
    let mixed = PathRequest::to_nearest([Place::from(Cell::new(4, 2)), centre(1, 0).into()]);
    assert_eq!(answer_to(WALLED, (2, 0), mixed).2, found((1, 0), 10));
    #[cfg(feature = "tilemap")]
    {
        let tiles = [(4, 2), (1, 0)].map(|(x, y)| bevy_ecs_tilemap::tiles::TilePos::new(x, y));
        assert_eq!(answer_to(WALLED, (2, 0), PathRequest::to_nearest(tiles)).2, found((1, 0), 10));
    }
}

#[test]
fn of_equal_goals_the_first_in_the_list_is_chosen() {
    for (goals, first) in [([(4, 0), (0, 0)], (4, 0)), ([(0, 0), (4, 0)], (0, 0))] {
        let (game, soldier, told) = answer_to(".....", (2, 0), cells(goals));
        assert_eq!(told, found(first, 20));
        assert_eq!(game.path(soldier).chosen(), 0);
    }
}

#[test]
fn goal_under_the_own_feet_is_the_nearest_even_on_a_wall_and_without_work() {
    for picture in [".....", "..#.."] {
        let request = cells([(1, 0), (2, 0)]).with_limit(0);
        let (game, soldier, told) = answer_to(picture, (2, 0), request);
        assert_eq!(told, [found((2, 0), 0), vec![Told::Arrived(Cell::new(2, 0))]].concat());
        let path = game.path(soldier);
        assert_eq!((path.chosen(), path.statistics().expanded), (1, 0));
    }
}

#[test]
fn goals_out_of_reach_are_left_out() {
    let (game, soldier, told) = answer_to("...#.#....", (2, 0), cells([(4, 0), (3, 0), (9, 0), (0, 0)]));
    assert_eq!(told, found((0, 0), 20));
    assert_eq!(game.path(soldier).chosen(), 3);
}

#[test]
fn without_a_goal_in_reach_the_order_fails_or_leads_close_to_the_first() {
    const MAP: &str = "...#..\n...#..\n...#..";
    let goals = [(5, 0), (3, 2), (3, 0)];
    assert_eq!(answer_to(MAP, (1, 1), cells(goals)).2, [Told::Failed(PathFailure::Unreachable)]);

    let (game, soldier, told) = answer_to(MAP, (1, 1), cells(goals).or_closest());
    assert_eq!(told, partial((2, 0), 14));
    assert_eq!((game.path(soldier).chosen(), game.path(soldier).goal().cell()), (0, Some(Cell::new(5, 0))));
    assert!(game.path(soldier).is_partial());

    // An algorithm that does not apply to this map changes nothing.
    let request = cells(goals).or_closest().with_algorithm(Algorithm::WeightedAStar { percent: 0 });
    assert_eq!(answer_to(MAP, (1, 1), request).2, partial((2, 0), 14));
    // If one goal is in reach, the path leads there.
    let request = cells([(5, 0), (0, 2)]).or_closest();
    assert_eq!(answer_to(MAP, (1, 1), request).2, found((0, 2), 14));
}

#[test]
fn faulty_lists_of_goals_have_reasons() {
    let failed = |request: PathRequest| {
        let (game, soldier, told) = answer_to(WALLED, (2, 0), request);
        assert!(!game.is_ordered(soldier));
        let [Told::Failed(reason)] = told[..] else { panic!("{told:?}") };
        assert_eq!(game.status(soldier), PathStatus::Failed(reason));
        reason
    };
    assert_eq!(failed(PathRequest::to_nearest::<Cell>([])), PathFailure::NoGoals);
    assert_eq!(failed(PathRequest::to_nearest::<Vec2>([]).or_closest()), PathFailure::NoGoals);
    assert!(PathFailure::NoGoals.to_string().contains("name at least one"));
    let off_walled = |x, y| goal_off((x, y), 5, 3);
    assert_eq!(failed(cells([(1, 0), (5, 0)])), off_walled(5, 0));
    assert_eq!(failed(cells([(2, 0), (5, 0)])), off_walled(5, 0));
    assert_eq!(failed(PathRequest::to_nearest([centre(1, 0), centre(1, -1)])), off_walled(1, -1));
    assert_eq!(
        failed(PathRequest::to_nearest([centre(1, 0), Vec2::splat(1e30)])),
        off_walled(i32::MAX, i32::MAX)
    );
    assert_eq!(
        failed(PathRequest::to_nearest([centre(1, 0), Vec2::new(0.0, f32::NAN)])),
        PathFailure::PositionNotFinite
    );
}

#[test]
fn list_without_goals_fails_before_there_is_a_map() {
    let mut game = Game::new();
    let soldier = game.agent(0, 0, 0.0);
    game.order(soldier, PathRequest::to_nearest::<Cell>([]));
    game.tick();
    assert_eq!(game.told_of(soldier), [Told::Failed(PathFailure::NoGoals)]);
    // A valid list waits for the map.
    game.order(soldier, cells([(1, 0)]));
    game.tick();
    assert_eq!(game.status(soldier), PathStatus::WaitingForMap);
}

#[test]
fn equal_list_is_the_same_order_and_another_one_is_not() {
    let (mut game, _) = Game::open(9, 9);
    let soldier = game.agent(4, 4, 160.0);
    for _ in 0..10 {
        game.order(soldier, cells([(0, 0), (8, 7)]));
        game.tick();
    }
    assert_eq!(game.told_of(soldier), found((8, 7), 4 * 14 - 4));
    let clone = game.world().get::<PathRequest>(soldier).unwrap().clone();
    game.order(soldier, clone);
    game.tick();
    assert_eq!(game.told_of(soldier), []);
    // A list with another sequence is another order, because ties are broken in list order.
    game.order(soldier, cells([(8, 7), (0, 0)]));
    game.tick();
    assert!(matches!(game.told_of(soldier)[..], [Told::Found { goal: Cell { x: 8, y: 7 }, .. }]));
}

#[derive(Resource, Default)]
struct Chosen(Vec<(&'static str, usize)>);

/// Records the goals that the events name.
fn note_chosen(game: &mut Game) {
    game.init_resource::<Chosen>()
        .add_observer(|on: On<PathFound>, mut noted: ResMut<Chosen>| noted.0.push(("found", on.chosen)))
        .add_observer(|on: On<Replanned>, mut noted: ResMut<Chosen>| noted.0.push(("replanned", on.chosen)))
        .add_observer(|on: On<Arrived>, mut noted: ResMut<Chosen>| noted.0.push(("arrived", on.chosen)));
}

#[test]
fn wall_on_the_way_may_make_another_goal_the_nearest() {
    let mut game = Game::new();
    note_chosen(&mut game);
    let map = game.map(
        "
        ............
        .##########.
        ............
        ",
    );
    let soldier = game.agent(5, 0, 160.0);
    // The first goal is five cells off, and the second one six. Around the wall, the first one is
    // far away.
    game.order(soldier, cells([(0, 0), (11, 0)]));
    game.ticks(4);
    assert_eq!(game.told_of(soldier), found((0, 0), 50));
    game.set_terrain(map, 2, 0, 0);
    game.tick();
    let told = game.told_of(soldier);
    assert!(
        matches!(
            told[..],
            [
                Told::Blocked(Cell { x: 2, y: 0 }),
                Told::Replanned { goal: Cell { x: 11, y: 0 }, partial: false, .. }
            ]
        ),
        "{told:?}"
    );
    game.run_until_quiet(500);
    assert_eq!(game.told_of(soldier), [Told::Arrived(Cell::new(11, 0))]);
    assert_eq!(game.position(soldier), centre(11, 0));
    assert_eq!(game.world().resource::<Chosen>().0, [("found", 0), ("replanned", 1), ("arrived", 1)]);
}

#[test]
fn goal_that_is_walled_up_gives_way_to_the_next_and_the_last_one_ends_the_journey() {
    let (mut game, map) = Game::open(12, 1);
    let soldier = game.agent(4, 0, 160.0);
    game.order(soldier, cells([(1, 0), (11, 0)]));
    game.tick();
    assert_eq!(game.told_of(soldier), found((1, 0), 30));
    game.set_terrain(map, 1, 0, 0);
    game.tick();
    assert!(matches!(
        game.told_of(soldier)[..],
        [Told::Blocked(_), Told::Replanned { goal: Cell { x: 11, y: 0 }, partial: false, .. }]
    ));
    game.set_terrain(map, 11, 0, 0);
    game.tick();
    assert_eq!(
        game.told_of(soldier),
        [Told::Blocked(Cell::new(11, 0)), Told::Lost(PathFailure::Unreachable)]
    );
}

#[test]
fn agent_turns_to_a_goal_that_comes_nearer_unless_it_tolerates_that() {
    let (mut game, map) = Game::drawn_as("....#...........\n....#...........\n....#...........");
    let soldier = game.agent(5, 1, 160.0);
    let faithful = game.agent(5, 1, 160.0);
    game.order(soldier, cells([(3, 1), (15, 1)]));
    game.order(faithful, cells([(3, 1), (15, 1)]).with_tolerance(f32::INFINITY));
    game.tick();
    assert_eq!(game.told_of(soldier), found((15, 1), 100));
    game.set_terrain(map, 4, 1, 1); // the first goal is two cells off after this edit
    game.run_until_quiet(500);
    assert_eq!(game.position(soldier), centre(3, 1));
    assert_eq!(game.position(faithful), centre(15, 1));
}

#[test]
fn agent_put_elsewhere_goes_to_the_nearest_from_there() {
    let (mut game, _) = Game::open(20, 3);
    let soldier = game.agent(4, 1, 160.0);
    game.order(soldier, cells([(0, 1), (19, 1)]));
    game.ticks(3);
    game.told();
    game.world_mut().get_mut::<Transform>(soldier).unwrap().translation = centre(15, 1).extend(0.0);
    game.tick();
    assert_eq!(game.told_of(soldier), [Told::Replanned { goal: Cell::new(19, 1), cost: 40, partial: false }]);
}

#[test]
fn positions_stand_for_the_cells_under_them_when_the_order_was_accepted() {
    let (mut game, map) = Game::open(20, 1);
    let soldier = game.agent(8, 0, 160.0);
    game.order(soldier, PathRequest::to_nearest([centre(2, 0), centre(19, 0)]));
    game.tick();
    game.world_mut().entity_mut(map).insert(Transform::from_xyz(5.0 * CELL, 0.0, 0.0));
    game.run_until_quiet(500);
    assert_eq!(game.told_of(soldier).last(), Some(&Told::Arrived(Cell::new(2, 0))));
}

#[test]
fn long_list_and_long_way_are_searched_within_the_budget() {
    let mut game = Game::new();
    game.insert_resource(TilepathSettings { work_per_tick: 100 });
    game.open_map(40, 40);
    let goals: Vec<Cell> = (10..40).map(|n| Cell::new(39, n)).collect();
    game.explore();
    let soldier = game.agent(0, 0, 0.0);
    game.order(soldier, PathRequest::to_nearest(goals.iter().copied()));
    game.tick();
    assert_eq!((game.status(soldier), game.diagnostics().searching), (PathStatus::Searching, 1));
    let mut ticks = 1;
    let mut total = game.diagnostics().work;
    while game.status(soldier) == PathStatus::Searching {
        assert_eq!(game.diagnostics().work, 100, "in tick {ticks}");
        game.tick();
        ticks += 1;
        total += game.diagnostics().work;
    }
    assert_eq!(game.told_of(soldier), found((39, 10), 29 * 10 + 10 * 14));
    // Each goal costs three: to find it on the map, to examine it, and to sort it in. Each
    // expansion costs one.
    let expanded = game.path(soldier).statistics().expanded;
    assert_eq!(total, 3 * goals.len() as u64 + expanded);
    assert_eq!(ticks, total.div_ceil(100));
}

#[test]
fn search_for_the_nearest_takes_turns_with_others() {
    let mut game = Game::new();
    game.insert_resource(TilepathSettings { work_per_tick: 4000 });
    game.open_map(90, 90);
    let long: Vec<Entity> = (0..4).map(|_| game.agent(0, 0, 0.0)).collect();
    for &soldier in &long {
        game.order(soldier, cells([(89, 89), (89, 88)]));
    }
    let short = game.agent(40, 40, 0.0);
    game.order(short, cells([(41, 41), (0, 0)]));
    let plain = game.ordered_agent((40, 40), 0.0, (45, 43));
    game.tick();
    assert_eq!([game.status(short), game.status(plain)], [PathStatus::Following; 2]);
    assert!(long.iter().all(|&soldier| game.status(soldier) == PathStatus::Searching));
    run_until_following(&mut game, &long, 20);
}

#[track_caller]
fn run_until_following(game: &mut Game, agents: &[Entity], most: usize) {
    game.ticks(most);
    for &soldier in agents {
        assert_eq!(game.status(soldier), PathStatus::Following);
    }
}

#[test]
fn lists_that_cost_more_than_the_budget_are_answered_all_the_same() {
    for budget in [0, 1, 3] {
        let mut game = Game::new();
        game.insert_resource(TilepathSettings { work_per_tick: budget });
        game.open_map(12, 1);
        let agents: Vec<Entity> = (0..3).map(|x| game.agent(x, 0, 0.0)).collect();
        let fails = game.agent(0, 0, 0.0);
        for &soldier in &agents {
            game.order(soldier, PathRequest::to_nearest((3..12).map(|x| Cell::new(x, 0))));
        }
        game.order(fails, PathRequest::to_nearest((3..13).map(|x| Cell::new(x, 0))));
        run_until_following(&mut game, &agents, 60);
        assert_eq!(game.status(fails), PathStatus::Failed(goal_off((12, 0), 12, 1)));
    }
}

#[test]
fn orders_that_fail_at_once_leave_the_others_their_turns() {
    let mut game = Game::new();
    game.insert_resource(TilepathSettings { work_per_tick: 2 });
    game.open_map(12, 12);
    game.explore();
    let soldier = game.agent(0, 0, 0.0);
    // One expansion with jump points costs more than this budget.
    let request = PathRequest::to_cell(Cell::new(11, 5)).with_algorithm(Algorithm::AStar);
    game.order(soldier, request);
    let lost: Vec<Entity> = (0..5).map(|x| game.agent(x, 0, 0.0)).collect();
    for &soldier in &lost {
        game.order_to(soldier, 99, 99);
    }
    for _ in 0..200 {
        game.tick();
        assert!(game.diagnostics().work <= 2);
    }
    assert_eq!(game.status(soldier), PathStatus::Following);
    for soldier in lost {
        assert_eq!(game.status(soldier), PathStatus::Failed(goal_off((99, 99), 12, 12)));
    }
}

#[test]
fn limit_ends_the_search_for_the_nearest() {
    let expanded = {
        let (game, soldier, _) = answer_to("..........", (0, 0), cells([(9, 0)]));
        game.path(soldier).statistics().expanded
    };
    for closest in [false, true] {
        let limited = |limit| {
            let request = cells([(9, 0)]).with_limit(limit);
            let request = if closest { request.or_closest() } else { request };
            answer_to("..........", (0, 0), request).2
        };
        assert_eq!(limited(expanded), found((9, 0), 90));
        assert_eq!(limited(expanded - 1), [Told::Failed(PathFailure::LimitReached)]);
        assert_eq!(limited(0), [Told::Failed(PathFailure::LimitReached)]);
    }
}

#[test]
fn answers_do_not_depend_on_the_budget_and_are_those_of_the_core() {
    const MAP: &str = "1234321\n2#3#2#1\n1112223\n3#2#1#2\n1231231";
    let goals = [(6, 4), (0, 4), (3, 2), (6, 0), (1, 1)];
    for work in [1, 7, 100, 1_000_000] {
        let mut game = Game::new();
        game.insert_resource(TilepathSettings { work_per_tick: work });
        let map = game.map(MAP);
        let agents: Vec<Entity> = (0..7).map(|x| game.agent(x, 0, 0.0)).collect();
        for &soldier in &agents {
            game.order(soldier, cells(goals));
        }
        run_until_following_or_arrived(&mut game, &agents);
        let finder = game.world().get::<NavGrid>(map).unwrap().finder();
        for (x, &soldier) in agents.iter().enumerate() {
            let nearest = finder.nearest(Cell::new(x as i32, 0), &goals.map(Cell::from)).unwrap().unwrap();
            assert_eq!(game.path(soldier).chosen(), nearest.index);
            assert_eq!(game.cell_path(soldier).cost(), nearest.path.cost());
        }
    }
}

#[track_caller]
fn run_until_following_or_arrived(game: &mut Game, agents: &[Entity]) {
    game.ticks(400);
    for &soldier in agents {
        assert!(matches!(game.status(soldier), PathStatus::Following | PathStatus::Arrived));
    }
}

#[test]
fn goal_walled_up_while_it_was_searched_is_searched_for_again() {
    for wall_up_all in [false, true] {
        let mut game = Game::new();
        game.insert_resource(TilepathSettings { work_per_tick: 20 });
        let map = game.open_map(16, 3);
        let soldier = game.agent(8, 1, 0.0);
        game.order(soldier, cells([(0, 1), (15, 1)]).or_closest());
        game.tick();
        assert_eq!(game.status(soldier), PathStatus::Searching);
        for y in 0..3 {
            game.set_terrain(map, 14, y, 0);
            game.set_terrain(map, 1, y, u8::from(!wall_up_all));
        }
        game.ticks(6);
        let expected = if wall_up_all { partial((2, 1), 60) } else { found((0, 1), 80) };
        assert_eq!(game.told_of(soldier), expected);
    }
}

#[test]
fn entity_that_is_no_agent_is_told_which_goal_is_nearest() {
    let mut game = Game::new();
    note_chosen(&mut game);
    game.open_map(9, 9);
    let scout = game.world_mut().spawn(Transform::from_translation(centre(2, 2).extend(0.0))).id();
    game.order(scout, cells([(8, 8), (2, 5), (0, 0)]));
    game.tick();
    assert_eq!(game.told_of(scout), found((0, 0), 28));
    assert_eq!(game.world().resource::<Chosen>().0, [("found", 2)]);
    assert_eq!(game.status(scout), PathStatus::Idle);
    assert!(!game.is_ordered(scout));
}
