//! Walls and costs that change while agents walk.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentPath, Cell, Diagonals, NavGrid, NavMap, PathAgent, PathFailure, PathRequest, PathStatus,
    TilepathSettings,
};

use crate::harness::*;

const TWO_WAYS: &str = "
    ..........
    .########.
    ..........
";

#[test]
fn wall_on_the_way_replans_in_the_same_tick() {
    let (mut game, map) = Game::drawn_as(TWO_WAYS);
    let soldier = game.ordered_agent((1, 0), 160.0, (9, 0));
    game.ticks(3);
    game.told();
    game.set_terrain(map, 5, 0, 0);
    let before = game.position(soldier);
    game.tick();
    let told = game.told_of(soldier);
    let [Told::Blocked(cell), Told::Replanned { goal, partial: false, .. }] = told[..] else {
        panic!("{told:?}")
    };
    assert_eq!((cell, goal), (Cell::new(5, 0), Cell::new(9, 0)));
    // The agent has turned round, and has lost no step.
    assert!((game.position(soldier).x - (before.x - 2.5)).abs() < 1e-3);
    game.run_until_quiet(500);
    assert_eq!(game.told_of(soldier), [Told::Arrived(Cell::new(9, 0))]);
}

#[test]
fn wall_without_another_way_ends_the_journey_where_he_is() {
    let (mut game, map) = Game::drawn_as("..........");
    let soldier = game.ordered_agent((0, 0), 160.0, (9, 0));
    game.ticks(8);
    game.told();
    game.set_terrain(map, 5, 0, 0);
    let before = game.position(soldier);
    game.ticks(3);
    assert_eq!(game.told_of(soldier), [Told::Blocked(Cell::new(5, 0)), Told::Lost(PathFailure::Unreachable)]);
    assert_eq!(game.position(soldier), before);
    assert_eq!(game.status(soldier), PathStatus::Failed(PathFailure::Unreachable));
    assert!(!game.is_ordered(soldier));

    // The next order starts at this cell.
    game.order_to(soldier, 4, 0);
    game.run_until_quiet(100);
    assert_eq!(game.position(soldier), centre(4, 0));
}

#[test]
fn wall_on_each_cell_ahead_at_each_moment_is_never_walked_into() {
    for diagonals in Diagonals::ALL {
        let grid = bevy_tilepath::tilepath::format::parse_ascii(
            "
            ........
            ..###...
            ......#.
            ..#.....
            ",
        )
        .unwrap();
        let mut game = Game::long_steps();
        for (moment, ahead) in (0..30).flat_map(|moment| (0..9).map(move |ahead| (moment, ahead))) {
            let map = game.map_of(grid.clone(), diagonals);
            let soldier = game.ordered_agent((0, 0), 320.0, (7, 3));
            game.steps(moment + 1, 1.0 / 64.0);
            game.told();
            let Some(&wall) = game.path(soldier).remaining_cells().get(ahead) else {
                game.world_mut().despawn(soldier);
                game.world_mut().despawn(map);
                continue;
            };
            game.set_terrain(map, wall.x, wall.y, 0);
            // The wall may go up around the agent. Then it walks out, or to the centre if the cell
            // is its goal.
            let mut may_be_inside = game.cell_at(soldier) == wall;
            let stays = may_be_inside && wall == Cell::new(7, 3);
            game.step(1.0 / 64.0);
            let news = game.told_of(soldier);
            assert_eq!(news[0], Told::Blocked(wall), "{diagonals} {moment} {ahead}");
            match news[1] {
                Told::Replanned { .. } => assert!(wall != Cell::new(7, 3) || stays),
                Told::Lost(PathFailure::GoalBlocked { cell }) => {
                    assert_eq!((wall, cell), ((7, 3).into(), wall));
                }
                _ => panic!("{news:?}"),
            }
            for _ in 0..300 {
                may_be_inside &= game.cell_at(soldier) == wall;
                assert!(
                    game.cell_at(soldier) != wall || may_be_inside,
                    "{diagonals} {moment} {ahead}: into {wall}"
                );
                if !game.is_ordered(soldier) {
                    break;
                }
                game.step(1.0 / 64.0);
            }
            assert!(!game.is_ordered(soldier));
            game.world_mut().despawn(soldier);
            game.world_mut().despawn(map);
        }
    }
}

#[test]
fn edits_are_told_in_the_same_tick_where_they_concern_the_way() {
    type Edits = Vec<(i32, i32, u8)>;
    let row = &".".repeat(10);
    let three_rows = &[&row[..]; 3].join("\n");
    let square = &[&".".repeat(30)[..]; 30].join("\n");
    // Each case: a name, the map, the order from (0, 0), the ticks before the edits, the edits, the
    // events at once, and the events later.
    let cases: [(&str, &str, PathRequest, usize, Edits, &str, &str); 5] = [
        (
            "wall beside the path",
            three_rows,
            PathRequest::to_cell((9, 0)),
            1,
            vec![(4, 2, 0)],
            "",
            "arrived at (9, 0)",
        ),
        (
            "cost on the path, if a better path exists",
            three_rows,
            PathRequest::to_cell((9, 0)),
            1,
            vec![(4, 2, 0), (5, 0, 9)],
            "replanned to (9, 0) for 98",
            "arrived at (9, 0)",
        ),
        (
            "many walls in one tick",
            square,
            PathRequest::to_cell((29, 0)),
            1,
            (0..29).map(|y| (15, y, 0)).collect(),
            "blocked at (15, 0), replanned to (29, 0) for 708",
            "arrived at (29, 0)",
        ),
        (
            "wall before the goal of an order to the closest cell",
            row,
            PathRequest::to_cell((9, 0)).or_closest(),
            1,
            vec![(6, 0, 0)],
            "blocked at (6, 0), replanned to (5, 0) for 50 in part",
            "arrived at (5, 0)",
        ),
        (
            "wall before the goal of an order to the cell itself",
            row,
            PathRequest::to_cell((9, 0)),
            1,
            vec![(6, 0, 0)],
            "blocked at (6, 0), lost: Unreachable",
            "",
        ),
    ];
    for (name, picture, request, ticks, edits, at_once, later) in cases {
        let (mut game, map) = Game::drawn_as(picture);
        let soldier = game.agent(0, 0, 160.0);
        game.order(soldier, request);
        game.ticks(ticks);
        game.told();
        for (x, y, class) in edits {
            game.set_terrain(map, x, y, class);
        }
        game.tick();
        assert_eq!(game.words_of(soldier), at_once, "{name}");
        game.run_until_quiet(600);
        assert_eq!(game.words_of(soldier), later, "{name}");
    }
}

#[test]
fn wall_behind_him_is_none_of_his_business() {
    let (mut game, map) = Game::drawn_as("..........");
    let soldier = game.ordered_agent((0, 0), 160.0, (9, 0));
    game.ticks(20);
    let next = game.path(soldier).remaining_cells()[0].x;
    for x in 0..next {
        game.set_terrain(map, x, 0, 0);
    }
    game.told();
    game.run_until_quiet(200);
    assert_eq!(game.told_of(soldier), [Told::Arrived(Cell::new(9, 0))]);
}

#[test]
fn edit_elsewhere_does_not_mark_paths_as_changed() {
    let (mut game, map) = Game::open(10, 2);
    let soldier = game.ordered_agent((0, 0), 160.0, (9, 0));
    game.tick();
    game.world_mut().get_mut::<PathAgent>(soldier).unwrap().paused = true;
    game.tick();
    let changed =
        |game: &Game| game.world().entity(soldier).get_ref::<AgentPath>().expect("it has one").last_changed();
    let before = changed(&game);
    game.set_terrain(map, 5, 1, 3);
    game.tick();
    assert_eq!(changed(&game), before);
    game.set_terrain(map, 5, 0, 0);
    game.tick();
    assert_ne!(changed(&game), before);
}

#[test]
fn wall_beside_a_diagonal_step_replans_where_the_rule_forbids_it() {
    for (diagonals, blocks) in [
        (Diagonals::OnlyWhenNoObstacles, true),
        (Diagonals::IfAtMostOneObstacle, false),
        (Diagonals::Always, false),
    ] {
        let mut game = Game::new();
        let grid = bevy_tilepath::tilepath::Grid::new(6, 6, 1).unwrap();
        let map = game.map_of(grid, diagonals);
        let soldier = game.ordered_agent((0, 0), 160.0, (5, 5));
        game.tick();
        game.told();
        game.set_terrain(map, 3, 2, 0);
        game.tick();
        assert_eq!(!game.told_of(soldier).is_empty(), blocks, "{diagonals}");
        game.run_until_quiet(200);
        assert_eq!(game.position(soldier), centre(5, 5));
    }
}

#[test]
fn changed_rules_replan_where_the_path_breaks_them() {
    let (mut game, map) = Game::open(6, 6);
    let soldier = game.agent(0, 0, 160.0);
    let straight = game.agent(0, 0, 160.0);
    game.order_to(soldier, 5, 5);
    game.order_to(straight, 5, 0);
    game.tick();
    game.told();
    game.world_mut().get_mut::<NavMap>(map).unwrap().diagonals = Diagonals::Never;
    game.tick();
    let news = game.told();
    assert!(matches!(
        news[..],
        [(who, Told::Blocked(_)), (_, Told::Replanned { .. })] if who == soldier
    ));
    // Every tile costs more after this, also beside the paths.
    game.world_mut().get_mut::<NavMap>(map).unwrap().costs = bevy_tilepath::CostTable::identity().with(1, 3);
    game.tick();
    let replanned = game.told().iter().filter(|told| matches!(told.1, Told::Replanned { .. })).count();
    assert_eq!(replanned, 0);
    assert_eq!(game.path(straight).remaining_cost().get() % 30, 0, "the rest of the cost is up to date");
}

#[test]
fn replaced_grid_is_checked_as_a_whole() {
    let (mut game, map) = Game::open(6, 6);
    let soldier = game.agent(0, 0, 16.0);
    let far = game.agent(0, 5, 16.0);
    game.order_to(soldier, 3, 0);
    game.order_to(far, 5, 5);
    game.tick();
    game.told();
    let smaller = bevy_tilepath::tilepath::Grid::new(4, 6, 1).unwrap();
    game.world_mut().entity_mut(map).insert(NavGrid::new(smaller));
    game.tick();
    assert_eq!(
        game.told(),
        [(far, Told::Blocked(Cell::new(4, 5))), (far, Told::Lost(goal_off((5, 5), 4, 6)))]
    );
}

#[test]
fn paused_agent_replans_and_keeps_standing() {
    let (mut game, map) = Game::drawn_as(TWO_WAYS);
    let soldier = game.ordered_agent((1, 0), 160.0, (9, 0));
    game.ticks(3);
    game.world_mut().get_mut::<bevy_tilepath::PathAgent>(soldier).unwrap().paused = true;
    game.tick();
    let held = game.position(soldier);
    game.told();
    game.set_terrain(map, 5, 0, 0);
    game.tick();
    assert!(matches!(game.told_of(soldier)[..], [Told::Blocked(_), Told::Replanned { .. }]));
    assert_eq!((game.position(soldier), game.status(soldier)), (held, PathStatus::Paused));
}

#[test]
fn thousand_blocked_journeys_are_replanned_within_the_budget() {
    let mut game = Game::new();
    game.insert_resource(TilepathSettings { work_per_tick: 500 });
    let map = game.open_map(40, 40);
    let agents: Vec<Entity> = (0..300).map(|n| game.agent(n % 10, 20, 1.0)).collect();
    for &soldier in &agents {
        game.order_to(soldier, 39, 20);
    }
    game.ticks(200);
    assert!(game.told().iter().filter(|told| matches!(told.1, Told::Found { .. })).count() == 300);
    game.set_terrain(map, 30, 20, 0);
    game.tick();
    let news = game.told();
    let blocked = news.iter().filter(|told| matches!(told.1, Told::Blocked(_))).count();
    let replanned = news.iter().filter(|told| matches!(told.1, Told::Replanned { .. })).count();
    assert_eq!(blocked, 300);
    assert!(replanned > 0 && replanned < 300, "{replanned}");
    game.ticks(300);
    let later = game.told().iter().filter(|told| matches!(told.1, Told::Replanned { .. })).count();
    assert_eq!(replanned + later, 300);
}
