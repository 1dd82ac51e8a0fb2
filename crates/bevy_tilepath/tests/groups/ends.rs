//! How orders of groups end: replaced, cancelled, left, lost.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_tilepath::{
    Arrived, Cell, Group, GroupArrived, GroupFailure, GroupMember, GroupOrder, NavQuery, PathAgent,
    PathRequest, PathStatus, Speed, WhyNot,
};

use super::fixtures::*;
use crate::harness::tick;

#[test]
fn an_order_of_its_own_takes_a_member_out_of_its_group() {
    let mut app = app();
    open_map(&mut app, 40, 20);
    let units = squad(&mut app, 8);
    let group = order(&mut app, GroupOrder::to(units.iter().copied(), Cell::new(30, 10)));
    ticks(&mut app, 30);
    app.world_mut().entity_mut(units[3]).insert(PathRequest::to_cell((0, 15)));
    tick(&mut app);
    let members: Vec<Entity> = app.world().get::<Group>(group).expect("it is there").members().collect();
    assert!(members.len() == 7 && !members.contains(&units[3]));
    run_to_end(&mut app, group, 2000);
    assert_eq!(only_end(&app), [7, 0, 0, 1]);
    while app.world().get::<PathRequest>(units[3]).is_some() {
        tick(&mut app);
    }
    assert_eq!(cell_at(&app, units[3]), Cell::new(0, 15));
}

#[test]
fn the_cancelled_leave_and_a_group_that_all_have_left_fails() {
    let mut app = app();
    open_map(&mut app, 40, 20);
    let units = squad(&mut app, 2);
    let group = order(&mut app, GroupOrder::to(units.iter().copied(), Cell::new(30, 10)));
    ticks(&mut app, 20);
    app.world_mut().entity_mut(units[0]).remove::<PathRequest>();
    ticks(&mut app, 5);
    assert!(app.world().get::<GroupOrder>(group).is_some());
    app.world_mut().entity_mut(units[1]).insert(PathRequest::to_cell((0, 15)));
    tick(&mut app);
    assert_eq!(heard(&app).failed.iter().map(|end| end.reason).collect::<Vec<_>>(), [GroupFailure::AllLeft]);
    assert!(app.world().get::<PathRequest>(units[1]).is_some(), "its own order stands");
    assert!(units.iter().all(|&unit| app.world().get::<GroupMember>(unit).is_none()));
}

#[test]
fn removing_the_order_or_despawning_the_group_stops_all_without_an_event() {
    for what in ["the order", "the group", "the entity"] {
        let mut app = app();
        open_map(&mut app, 40, 20);
        let units = squad(&mut app, 8);
        let group_order = GroupOrder::to(units.iter().copied(), Cell::new(30, 10)).at_common_pace();
        let group = order(&mut app, group_order);
        ticks(&mut app, 20);
        let mut entity = app.world_mut().entity_mut(group);
        match what {
            "the order" => _ = entity.remove::<GroupOrder>(),
            "the group" => _ = entity.remove::<Group>(),
            _ => entity.despawn(),
        }
        ticks(&mut app, 40);
        assert_free(&app, &units);
        assert!(units.iter().all(|&unit| app.world().get(unit) == Some(&PathStatus::Idle)));
        assert!(heard(&app).arrived.is_empty() && heard(&app).failed.is_empty(), "{what}");
        assert!(app.world().get::<GroupOrder>(group).is_none());
    }
}

#[test]
fn another_order_replaces_the_first_and_those_not_named_stop() {
    let mut app = app();
    open_map(&mut app, 40, 20);
    let units = squad(&mut app, 8);
    let group = order(&mut app, GroupOrder::to(units.iter().copied(), Cell::new(35, 10)));
    ticks(&mut app, 30);
    let next = GroupOrder::to(units[..5].iter().copied(), Cell::new(10, 15));
    app.world_mut().entity_mut(group).insert(next);
    tick(&mut app);
    for &unit in &units[5..] {
        assert!(app.world().get::<PathRequest>(unit).is_none());
    }
    run_to_end(&mut app, group, 2000);
    assert_eq!(only_end(&app), [5, 0, 0, 0]);
    assert!(cells(&mut app, &units[..5]).contains(&Cell::new(10, 15)));
}

#[test]
fn the_later_of_two_groups_has_the_member() {
    let mut app = app();
    open_map(&mut app, 40, 20);
    let units = squad(&mut app, 6);
    let first = order(&mut app, GroupOrder::to(units[..4].iter().copied(), Cell::new(35, 4)));
    let second = order(&mut app, GroupOrder::to(units[2..].iter().copied(), Cell::new(35, 15)));
    ticks(&mut app, 3);
    let members = |app: &App, group| app.world().get::<Group>(group).expect("it is there").members().count();
    assert_eq!((members(&app, first), members(&app, second)), (2, 4));
    run_to_end(&mut app, first, 2000);
    run_to_end(&mut app, second, 2000);
    let mut ends: Vec<(usize, usize)> =
        heard(&app).arrived.iter().map(|end| (end.arrived, end.left)).collect();
    ends.sort_unstable();
    assert_eq!(ends, [(2, 2), (4, 0)]);
}

/// An agent, and two groups that send it to the same cell, the second one while it is on its way.
fn sent_twice_to_one_place() -> (App, Entity, Entity, Entity) {
    let mut app = app();
    open_map(&mut app, 40, 20);
    let unit = squad(&mut app, 1)[0];
    let first = order(&mut app, GroupOrder::to([unit], Cell::new(30, 10)));
    ticks(&mut app, 10);
    let second = order(&mut app, GroupOrder::to([unit], Cell::new(30, 10)));
    (app, unit, first, second)
}

#[test]
fn the_later_of_two_groups_has_the_member_also_where_both_send_it_to_one_place() {
    let (mut app, _, first, second) = sent_twice_to_one_place();
    ticks(&mut app, 10);
    assert!(app.world().get::<GroupOrder>(first).is_none(), "all have left it");
    assert_eq!(heard(&app).failed.iter().map(|end| end.reason).collect::<Vec<_>>(), [GroupFailure::AllLeft]);
    run_to_end(&mut app, second, 2000);
    assert_eq!(
        heard(&app).arrived.iter().map(|end| (end.entity, end.arrived)).collect::<Vec<_>>(),
        [(second, 1)]
    );
}

#[test]
fn cancelling_a_group_does_not_stop_a_member_that_a_later_one_sends_to_the_same_place() {
    let (mut app, unit, first, second) = sent_twice_to_one_place();
    tick(&mut app);
    app.world_mut().despawn(first);
    run_to_end(&mut app, second, 2000);
    assert_eq!(only_end(&app), [1, 0, 0, 0]);
    assert_eq!(cell_at(&app, unit), Cell::new(30, 10));
}

#[test]
fn one_that_was_ordered_elsewhere_since_it_arrived_is_sent_neither_back_nor_on() {
    for by_group in [false, true] {
        for is_pushed in [false, true] {
            let mut app = app();
            open_map(&mut app, 40, 20);
            let quick = body(&mut app, 8, 10, 128.0);
            let slow = body(&mut app, 0, 5, 24.0);
            let group = order(&mut app, GroupOrder::to([quick, slow], Cell::new(15, 10)));
            ticks(&mut app, 2);
            while app.world().get::<PathRequest>(quick).is_some() {
                tick(&mut app);
            }
            let elsewhere = Cell::new(8, 15);
            if by_group {
                order(&mut app, GroupOrder::to([quick], elsewhere));
            } else {
                app.world_mut().entity_mut(quick).insert(PathRequest::to_cell(elsewhere));
            }
            ticks(&mut app, 2);
            while app.world().get::<PathRequest>(quick).is_some() {
                tick(&mut app);
            }
            if is_pushed {
                app.world_mut().get_mut::<Group>(group).expect("it is there").push(Cell::new(20, 10));
            }
            run_to_end(&mut app, group, 6000);
            let end = heard(&app).arrived.iter().find(|end| end.entity == group).copied();
            let end = end.expect("it has come to its end");
            assert_eq!([end.arrived, end.with_shortfall, end.lost, end.left], [1, 0, 0, 1]);
            ticks(&mut app, 100);
            assert_eq!(cell_at(&app, quick), elsewhere, "by a group: {by_group}, pushed: {is_pushed}");
        }
    }
}

/// Three members, of which the second is at its place first. What becomes of it there is up to `leave`.
fn end_after_the_second_arrived(leave: impl Fn(&mut App, Entity)) -> [usize; 4] {
    let mut app = app();
    open_map(&mut app, 40, 20);
    let members = [body(&mut app, 0, 5, 48.0), body(&mut app, 10, 10, 128.0), body(&mut app, 0, 12, 48.0)];
    let group = order(&mut app, GroupOrder::to(members, Cell::new(15, 10)));
    ticks(&mut app, 2);
    while app.world().get::<PathRequest>(members[1]).is_some() {
        tick(&mut app);
    }
    leave(&mut app, members[1]);
    run_to_end(&mut app, group, 6000);
    only_end(&app)
}

#[test]
fn member_ordered_elsewhere_from_its_place_has_left() {
    let end = end_after_the_second_arrived(|app, member| {
        app.world_mut().entity_mut(member).insert(PathRequest::to_cell((30, 18)));
    });
    assert_eq!(end, [2, 0, 0, 1]);
}

#[test]
fn member_despawned_at_its_place_is_lost() {
    let end = end_after_the_second_arrived(|app, member| {
        app.world_mut().despawn(member);
    });
    assert_eq!(end, [2, 0, 1, 0]);
}

#[test]
fn member_that_an_observer_of_its_arrival_orders_on_has_left() {
    let mut app = app();
    open_map(&mut app, 20, 20);
    let eager = body(&mut app, 2, 2, 64.0);
    app.add_observer(move |on: On<Arrived>, mut commands: Commands| {
        if on.entity == eager && on.place == Cell::new(10, 10).into() {
            commands.entity(eager).insert(PathRequest::to_cell((0, 0)));
        }
    });
    let group = order(&mut app, GroupOrder::to([eager], Cell::new(10, 10)));
    run_to_end(&mut app, group, 600);
    let failed = heard(&app).failed[..].first().map(|end| end.reason);
    assert_eq!((failed, heard(&app).arrived.len()), (Some(GroupFailure::AllLeft), 0));
}

#[test]
fn an_observer_of_the_end_may_give_the_next_order() {
    let mut app = app();
    open_map(&mut app, 40, 20);
    let units = squad(&mut app, 5);
    let everybody = units.clone();
    app.add_observer(move |on: On<GroupArrived>, mut commands: Commands| {
        commands.entity(on.entity).insert(GroupOrder::to(everybody.iter().copied(), Cell::new(5, 15)));
    });
    let group = order(&mut app, GroupOrder::to(units.iter().copied(), Cell::new(20, 10)));
    while heard(&app).arrived.len() < 2 {
        tick(&mut app);
    }
    assert!(cells(&mut app, &units).contains(&Cell::new(5, 15)));
    assert!(app.world().get::<GroupOrder>(group).is_some(), "and the next one");
}

#[test]
fn an_observer_may_cancel_or_replace_the_order_while_it_is_given_to_the_members() {
    for replace in [false, true] {
        let mut app = app();
        open_map(&mut app, 40, 20);
        let units = squad(&mut app, 5);
        let (first, everybody) = (units[2], units.clone());
        app.add_observer(
            move |on: On<Insert, PathRequest>,
                  groups: Query<Entity, With<GroupOrder>>,
                  mut is_done: Local<bool>,
                  mut commands: Commands| {
                if on.entity != first || std::mem::replace(&mut *is_done, true) {
                    return;
                }
                for group in &groups {
                    if replace {
                        let next = GroupOrder::to(everybody.iter().copied(), Cell::new(5, 15));
                        commands.entity(group).insert(next);
                    } else {
                        commands.entity(group).remove::<GroupOrder>();
                    }
                }
            },
        );
        let group = order(&mut app, GroupOrder::to(units.iter().copied(), Cell::new(30, 10)));
        run_to_end(&mut app, group, 2000);
        if replace {
            assert_eq!(only_end(&app), [5, 0, 0, 0]);
            assert!(cells(&mut app, &units).contains(&Cell::new(5, 15)));
        } else {
            ticks(&mut app, 5);
            assert!(heard(&app).arrived.is_empty() && heard(&app).failed.is_empty());
        }
        assert_free(&app, &units);
        assert_eq!(app.world().get::<Group>(group), Some(&Group::default()));
    }
}

#[test]
fn a_group_that_is_lost_as_a_whole_fails() {
    let mut app = app();
    open_map(&mut app, 40, 20);
    let units = squad(&mut app, 3);
    order(&mut app, GroupOrder::to(units.iter().copied(), Cell::new(30, 10)));
    ticks(&mut app, 20);
    app.world_mut().despawn(units[0]);
    app.world_mut().entity_mut(units[1]).remove::<PathAgent>();
    ticks(&mut app, 2);
    assert!(heard(&app).failed.is_empty());
    app.world_mut().despawn(units[2]);
    ticks(&mut app, 2);
    assert_eq!(
        heard(&app).failed.iter().map(|end| end.reason).collect::<Vec<_>>(),
        [GroupFailure::NoneArrived { lost: 3 }]
    );
}

#[test]
fn a_wall_on_the_way_brings_the_group_as_near_as_it_can_come() {
    let mut app = app();
    let map = open_map(&mut app, 40, 9);
    let units = squad(&mut app, 6);
    let group = order(&mut app, GroupOrder::to(units.iter().copied(), Cell::new(35, 4)));
    ticks(&mut app, 30);
    let mut grid = app.world_mut().get_mut::<bevy_tilepath::NavGrid>(map).expect("the map is there");
    for y in 0..9 {
        grid.set_terrain(Cell::new(20, y), 0).expect("it is on the map");
    }
    run_to_end(&mut app, group, 2000);
    assert_eq!(only_end(&app), [0, 6, 0, 0]);
    assert!(cells(&mut app, &units).iter().all(|cell| (14..20).contains(&cell.x)));
}

#[test]
fn all_walk_as_fast_as_the_slowest_and_get_their_speeds_back() {
    let mut app = app();
    open_map(&mut app, 60, 20);
    let speeds = [128.0, 96.0, 48.0, 160.0];
    let units: Vec<Entity> =
        speeds.iter().zip(0..).map(|(&speed, y)| body(&mut app, 0, 2 * y, speed)).collect();
    app.world_mut().get_mut::<PathAgent>(units[3]).expect("it is an agent").speed = Speed::Cells(10.0);
    let speed = |app: &App, unit: usize| app.world().get::<PathAgent>(units[unit]).expect("an agent").speed;
    let group = order(&mut app, GroupOrder::to(units.iter().copied(), Cell::new(50, 10)).at_common_pace());
    ticks(&mut app, 120);
    assert_eq!([0, 1, 2].map(|unit| speed(&app, unit)), [Speed::World(48.0); 3]);
    assert_eq!(speed(&app, 3), Speed::Cells(3.0));
    let columns: Vec<i32> = units.iter().map(|&unit| cell_at(&app, unit).x).collect();
    let spread = columns.iter().max().expect("some") - columns.iter().min().expect("some");
    assert!(spread <= 2, "{columns:?}");
    // What the game writes meanwhile is its own from then on.
    app.world_mut().get_mut::<PathAgent>(units[1]).expect("it is an agent").speed = Speed::World(64.0);
    // Without the slowest they go on as fast as the next.
    app.world_mut().entity_mut(units[2]).remove::<PathRequest>();
    ticks(&mut app, 2);
    assert_eq!([0, 1].map(|unit| speed(&app, unit)), [Speed::World(64.0); 2]);
    run_to_end(&mut app, group, 3000);
    assert_eq!(
        [0, 1, 2, 3].map(|unit| speed(&app, unit)),
        [Speed::World(128.0), Speed::World(64.0), Speed::World(48.0), Speed::Cells(10.0)]
    );
}

#[test]
fn why_a_group_stands_is_told_and_why_those_do_who_are_there() {
    let mut app = app();
    // Beside what games write to.
    let why_not = |app: &mut App, entity: Entity| {
        let ask = move |nav: NavQuery, _: Query<&mut Group>| nav.why_not(entity);
        app.world_mut().run_system_once(ask).expect("the system runs")
    };
    let units = squad(&mut app, 4);
    let slow = body(&mut app, 0, 10, 24.0);
    let all = units.iter().copied().chain([slow]);
    let group = order(&mut app, GroupOrder::to(all, Cell::new(20, 10)));
    tick(&mut app);
    assert_eq!(why_not(&mut app, group), Some(WhyNot::WaitingForMap));
    open_map(&mut app, 40, 30);
    ticks(&mut app, 10);
    assert_eq!(why_not(&mut app, group), None, "it walks");
    while heard(&app).members.len() < 4 {
        tick(&mut app);
    }
    assert_eq!(why_not(&mut app, group), None, "one walks still");
    let (there, _) = heard(&app).members[0];
    assert_eq!(why_not(&mut app, there), Some(WhyNot::WaitingForGroup { group }));
    app.world_mut().get_mut::<PathAgent>(slow).expect("it is an agent").paused = true;
    ticks(&mut app, 2);
    assert_eq!(why_not(&mut app, group), Some(WhyNot::MembersStand { member: slow }));
    assert_eq!(why_not(&mut app, slow), Some(WhyNot::Paused));
    app.world_mut().get_mut::<PathAgent>(slow).expect("it is an agent").paused = false;
    run_to_end(&mut app, group, 3000);
    assert_eq!(why_not(&mut app, there), Some(WhyNot::Arrived));
    assert_eq!(why_not(&mut app, group), Some(WhyNot::NoOrder));
}
