//! Walls and costs that change on the way.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentPath, Cell, Diagonals, NavGrid, NavMap, PathAgent, PathFailure, PathStatus, TilepathSettings,
};

use super::fixtures::*;
use crate::harness::{goal_off, tick};

const TWO_WAYS: &str = "
    ..........
    .########.
    ..........
";

#[test]
fn wall_on_the_way_replans_in_the_same_tick() {
    let mut app = app();
    let map = map(&mut app, TWO_WAYS);
    let soldier = agent(&mut app, 1, 0, 160.0);
    order(&mut app, soldier, 9, 0);
    for _ in 0..3 {
        tick(&mut app);
    }
    told(&mut app);
    set_terrain(&mut app, map, 5, 0, 0);
    let before = position(&app, soldier);
    tick(&mut app);
    let told = told_of(&mut app, soldier);
    let [Told::Blocked(cell), Told::Replanned { goal, partial: false, .. }] = told[..] else {
        panic!("{told:?}")
    };
    assert_eq!((cell, goal), (Cell::new(5, 0), Cell::new(9, 0)));
    // It has turned round and lost no step.
    assert!((position(&app, soldier).x - (before.x - 2.5)).abs() < 1e-3);
    run_until_quiet(&mut app, 500);
    assert_eq!(told_of(&mut app, soldier), [Told::Arrived(Cell::new(9, 0))]);
}

#[test]
fn wall_without_another_way_ends_the_journey_where_he_is() {
    let mut app = app();
    let map = map(&mut app, "..........");
    let soldier = agent(&mut app, 0, 0, 160.0);
    order(&mut app, soldier, 9, 0);
    for _ in 0..8 {
        tick(&mut app);
    }
    told(&mut app);
    set_terrain(&mut app, map, 5, 0, 0);
    let before = position(&app, soldier);
    for _ in 0..3 {
        tick(&mut app);
    }
    assert_eq!(
        told_of(&mut app, soldier),
        [Told::Blocked(Cell::new(5, 0)), Told::Lost(PathFailure::Unreachable)]
    );
    assert_eq!(position(&app, soldier), before);
    assert_eq!(status(&app, soldier), PathStatus::Failed(PathFailure::Unreachable));
    assert!(!is_ordered(&app, soldier));

    // The next order goes on from there.
    order(&mut app, soldier, 4, 0);
    run_until_quiet(&mut app, 100);
    assert_eq!(position(&app, soldier), centre(4, 0));
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
        let mut app = long_step_app();
        for (moment, ahead) in (0..30).flat_map(|moment| (0..9).map(move |ahead| (moment, ahead))) {
            let tick = |app: &mut App| step(app, 1.0 / 64.0);
            let map = map_of(&mut app, grid.clone(), diagonals);
            let soldier = agent(&mut app, 0, 0, 320.0);
            order(&mut app, soldier, 7, 3);
            for _ in 0..=moment {
                tick(&mut app);
            }
            told(&mut app);
            let Some(&wall) = path(&app, soldier).remaining_cells().get(ahead) else {
                app.world_mut().despawn(soldier);
                app.world_mut().despawn(map);
                continue;
            };
            set_terrain(&mut app, map, wall.x, wall.y, 0);
            let cell_of = |app: &App| {
                let at = position(app, soldier) / CELL;
                Cell::new(at.x.floor() as i32, at.y.floor() as i32)
            };
            // The wall may go up around it: then it walks out, or on to the centre if it is its goal.
            let mut may_be_inside = cell_of(&app) == wall;
            let stays = may_be_inside && wall == Cell::new(7, 3);
            tick(&mut app);
            let news = told_of(&mut app, soldier);
            assert_eq!(news[0], Told::Blocked(wall), "{diagonals} {moment} {ahead}");
            match news[1] {
                Told::Replanned { .. } => assert!(wall != Cell::new(7, 3) || stays),
                Told::Lost(PathFailure::GoalBlocked { cell }) => {
                    assert_eq!((wall, cell), ((7, 3).into(), wall));
                }
                _ => panic!("{news:?}"),
            }
            for _ in 0..300 {
                may_be_inside &= cell_of(&app) == wall;
                assert!(cell_of(&app) != wall || may_be_inside, "{diagonals} {moment} {ahead}: into {wall}");
                if !is_ordered(&app, soldier) {
                    break;
                }
                tick(&mut app);
            }
            assert!(!is_ordered(&app, soldier));
            app.world_mut().despawn(soldier);
            app.world_mut().despawn(map);
        }
    }
}

#[test]
fn changed_cost_on_the_way_replans_where_there_is_a_better_one() {
    let mut app = app();
    let map = map(&mut app, "..........\n..........\n..........");
    let soldier = agent(&mut app, 0, 0, 160.0);
    order(&mut app, soldier, 9, 0);
    tick(&mut app);
    told(&mut app);
    set_terrain(&mut app, map, 4, 2, 0);
    tick(&mut app);
    assert_eq!(told_of(&mut app, soldier), []);
    set_terrain(&mut app, map, 5, 0, 9);
    tick(&mut app);
    let told = told_of(&mut app, soldier);
    assert!(matches!(told[..], [Told::Replanned { .. }]), "{told:?}");
    run_until_quiet(&mut app, 200);
    assert_eq!(told_of(&mut app, soldier), [Told::Arrived(Cell::new(9, 0))]);
}

#[test]
fn wall_behind_him_is_none_of_his_business() {
    let mut app = app();
    let map = map(&mut app, "..........");
    let soldier = agent(&mut app, 0, 0, 160.0);
    order(&mut app, soldier, 9, 0);
    for _ in 0..20 {
        tick(&mut app);
    }
    let next = path(&app, soldier).remaining_cells()[0].x;
    for x in 0..next {
        set_terrain(&mut app, map, x, 0, 0);
    }
    told(&mut app);
    run_until_quiet(&mut app, 200);
    assert_eq!(told_of(&mut app, soldier), [Told::Arrived(Cell::new(9, 0))]);
}

#[test]
fn edit_elsewhere_does_not_mark_paths_as_changed() {
    let mut app = app();
    let map = open_map(&mut app, 10, 2);
    let soldier = agent(&mut app, 0, 0, 160.0);
    order(&mut app, soldier, 9, 0);
    tick(&mut app);
    app.world_mut().get_mut::<PathAgent>(soldier).unwrap().paused = true;
    tick(&mut app);
    let changed =
        |app: &App| app.world().entity(soldier).get_ref::<AgentPath>().expect("it has one").last_changed();
    let before = changed(&app);
    set_terrain(&mut app, map, 5, 1, 3);
    tick(&mut app);
    assert_eq!(changed(&app), before);
    set_terrain(&mut app, map, 5, 0, 0);
    tick(&mut app);
    assert_ne!(changed(&app), before);
}

#[test]
fn wall_beside_a_diagonal_step_replans_where_the_rule_forbids_it() {
    for (diagonals, blocks) in [
        (Diagonals::OnlyWhenNoObstacles, true),
        (Diagonals::IfAtMostOneObstacle, false),
        (Diagonals::Always, false),
    ] {
        let mut app = app();
        let grid = bevy_tilepath::tilepath::Grid::new(6, 6, 1).unwrap();
        let map = map_of(&mut app, grid, diagonals);
        let soldier = agent(&mut app, 0, 0, 160.0);
        order(&mut app, soldier, 5, 5);
        tick(&mut app);
        told(&mut app);
        set_terrain(&mut app, map, 3, 2, 0);
        tick(&mut app);
        assert_eq!(!told_of(&mut app, soldier).is_empty(), blocks, "{diagonals}");
        run_until_quiet(&mut app, 200);
        assert_eq!(position(&app, soldier), centre(5, 5));
    }
}

#[test]
fn changed_rules_replan_where_the_path_breaks_them() {
    let mut app = app();
    let map = open_map(&mut app, 6, 6);
    let soldier = agent(&mut app, 0, 0, 160.0);
    let straight = agent(&mut app, 0, 0, 160.0);
    order(&mut app, soldier, 5, 5);
    order(&mut app, straight, 5, 0);
    tick(&mut app);
    told(&mut app);
    app.world_mut().get_mut::<NavMap>(map).unwrap().diagonals = Diagonals::Never;
    tick(&mut app);
    let news = told(&mut app);
    assert!(matches!(
        news[..],
        [(who, Told::Blocked(_)), (_, Told::Replanned { .. })] if who == soldier
    ));
    // Every tile costs more now, also those beside the paths.
    app.world_mut().get_mut::<NavMap>(map).unwrap().costs = bevy_tilepath::CostTable::identity().with(1, 3);
    tick(&mut app);
    let replanned = told(&mut app).iter().filter(|told| matches!(told.1, Told::Replanned { .. })).count();
    assert_eq!(replanned, 0);
    assert_eq!(path(&app, straight).remaining_cost().get() % 30, 0, "what is left of the cost is known");
}

#[test]
fn replaced_grid_is_checked_as_a_whole() {
    let mut app = app();
    let map = open_map(&mut app, 6, 6);
    let soldier = agent(&mut app, 0, 0, 16.0);
    let far = agent(&mut app, 0, 5, 16.0);
    order(&mut app, soldier, 3, 0);
    order(&mut app, far, 5, 5);
    tick(&mut app);
    told(&mut app);
    let smaller = bevy_tilepath::tilepath::Grid::new(4, 6, 1).unwrap();
    app.world_mut().entity_mut(map).insert(NavGrid::new(smaller));
    tick(&mut app);
    assert_eq!(
        told(&mut app),
        [(far, Told::Blocked(Cell::new(4, 5))), (far, Told::Lost(goal_off((5, 5), 4, 6)))]
    );
}

#[test]
fn many_edits_in_one_tick_are_seen() {
    let mut app = app();
    let map = open_map(&mut app, 30, 30);
    let soldier = agent(&mut app, 0, 0, 160.0);
    order(&mut app, soldier, 29, 0);
    tick(&mut app);
    told(&mut app);
    for y in 0..29 {
        set_terrain(&mut app, map, 15, y, 0);
    }
    tick(&mut app);
    let told = told_of(&mut app, soldier);
    assert!(matches!(told[..], [Told::Blocked(Cell { x: 15, y: 0 }), Told::Replanned { .. }]), "{told:?}");
}

#[test]
fn closest_cell_is_chosen_again_when_the_goal_is_cut_off() {
    let mut app = app();
    let map = map(&mut app, "..........");
    let soldier = agent(&mut app, 0, 0, 160.0);
    let request = bevy_tilepath::PathRequest::to_cell(Cell::new(9, 0)).or_closest();
    app.world_mut().entity_mut(soldier).insert(request);
    tick(&mut app);
    told(&mut app);
    set_terrain(&mut app, map, 6, 0, 0);
    run_until_quiet(&mut app, 200);
    assert_eq!(
        told_of(&mut app, soldier),
        [
            Told::Blocked(Cell::new(6, 0)),
            Told::Replanned { goal: Cell::new(5, 0), cost: 50, partial: true },
            Told::Arrived(Cell::new(5, 0))
        ]
    );
}

#[test]
fn paused_agent_replans_and_keeps_standing() {
    let mut app = app();
    let map = map(&mut app, TWO_WAYS);
    let soldier = agent(&mut app, 1, 0, 160.0);
    order(&mut app, soldier, 9, 0);
    for _ in 0..3 {
        tick(&mut app);
    }
    app.world_mut().get_mut::<bevy_tilepath::PathAgent>(soldier).unwrap().paused = true;
    tick(&mut app);
    let held = position(&app, soldier);
    told(&mut app);
    set_terrain(&mut app, map, 5, 0, 0);
    tick(&mut app);
    assert!(matches!(told_of(&mut app, soldier)[..], [Told::Blocked(_), Told::Replanned { .. }]));
    assert_eq!((position(&app, soldier), status(&app, soldier)), (held, PathStatus::Paused));
}

#[test]
fn thousand_blocked_journeys_are_replanned_within_the_budget() {
    let mut app = app();
    app.insert_resource(TilepathSettings { work_per_tick: 500 });
    let map = open_map(&mut app, 40, 40);
    let agents: Vec<Entity> = (0..300).map(|n| agent(&mut app, n % 10, 20, 1.0)).collect();
    for &soldier in &agents {
        order(&mut app, soldier, 39, 20);
    }
    for _ in 0..200 {
        tick(&mut app);
    }
    assert!(told(&mut app).iter().filter(|told| matches!(told.1, Told::Found { .. })).count() == 300);
    set_terrain(&mut app, map, 30, 20, 0);
    tick(&mut app);
    let news = told(&mut app);
    let blocked = news.iter().filter(|told| matches!(told.1, Told::Blocked(_))).count();
    let replanned = news.iter().filter(|told| matches!(told.1, Told::Replanned { .. })).count();
    assert_eq!(blocked, 300);
    assert!(replanned > 0 && replanned < 300, "{replanned}");
    for _ in 0..300 {
        tick(&mut app);
    }
    let later = told(&mut app).iter().filter(|told| matches!(told.1, Told::Replanned { .. })).count();
    assert_eq!(replanned + later, 300);
}
