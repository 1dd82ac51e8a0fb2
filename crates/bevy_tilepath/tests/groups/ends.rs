//! Ends of group orders: replaced, cancelled, left or lost.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_tilepath::{
    Cell, NavQuery, PathAgent, PathRequest, PathStatus,
    agents::Speed,
    events::Arrived,
    groups::{Group, GroupArrived, GroupFailure, GroupMember, GroupOrder},
    queries::WhyNot,
};

use crate::harness::*;

#[test]
fn an_order_of_its_own_takes_a_member_out_of_its_group() {
    let (mut game, _) = Game::open(40, 20);
    let units = game.squad(8);
    let group = game.order_group(GroupOrder::to(units.iter().copied(), Cell::new(30, 10)));
    game.ticks(30);
    game.world_mut().entity_mut(units[3]).insert(PathRequest::to_cell((0, 15)));
    game.tick();
    let members: Vec<Entity> = game.world().get::<Group>(group).expect("it is there").members().collect();
    assert!(members.len() == 7 && !members.contains(&units[3]));
    game.run_to_end(group, 2000);
    assert_eq!(game.only_end(), [7, 0, 0, 1]);
    while game.world().get::<PathRequest>(units[3]).is_some() {
        game.tick();
    }
    assert_eq!(game.cell_at(units[3]), Cell::new(0, 15));
}

#[test]
fn the_cancelled_leave_and_a_group_that_all_have_left_fails() {
    let (mut game, _) = Game::open(40, 20);
    let units = game.squad(2);
    let group = game.order_group(GroupOrder::to(units.iter().copied(), Cell::new(30, 10)));
    game.ticks(20);
    game.world_mut().entity_mut(units[0]).remove::<PathRequest>();
    game.ticks(5);
    assert!(game.world().get::<GroupOrder>(group).is_some());
    game.world_mut().entity_mut(units[1]).insert(PathRequest::to_cell((0, 15)));
    game.tick();
    assert_eq!(
        game.group_news().failed.iter().map(|end| end.reason).collect::<Vec<_>>(),
        [GroupFailure::AllLeft]
    );
    assert!(game.world().get::<PathRequest>(units[1]).is_some(), "the unit keeps its own order");
    assert!(units.iter().all(|&unit| game.world().get::<GroupMember>(unit).is_none()));
}

#[test]
fn removing_the_order_or_despawning_the_group_stops_all_without_an_event() {
    for what in ["the order", "the group", "the entity"] {
        let (mut game, _) = Game::open(40, 20);
        let units = game.squad(8);
        let group_order = GroupOrder::to(units.iter().copied(), Cell::new(30, 10)).at_common_pace();
        let group = game.order_group(group_order);
        game.ticks(20);
        let mut entity = game.world_mut().entity_mut(group);
        match what {
            "the order" => _ = entity.remove::<GroupOrder>(),
            "the group" => _ = entity.remove::<Group>(),
            _ => entity.despawn(),
        }
        game.ticks(40);
        game.assert_free(&units);
        assert!(units.iter().all(|&unit| game.world().get(unit) == Some(&PathStatus::Idle)));
        assert!(game.group_news().arrived.is_empty() && game.group_news().failed.is_empty(), "{what}");
        assert!(game.world().get::<GroupOrder>(group).is_none());
    }
}

#[test]
fn another_order_replaces_the_first_and_those_not_named_stop() {
    let (mut game, _) = Game::open(40, 20);
    let units = game.squad(8);
    let group = game.order_group(GroupOrder::to(units.iter().copied(), Cell::new(35, 10)));
    game.ticks(30);
    let next = GroupOrder::to(units[..5].iter().copied(), Cell::new(10, 15));
    game.world_mut().entity_mut(group).insert(next);
    game.tick();
    for &unit in &units[5..] {
        assert!(game.world().get::<PathRequest>(unit).is_none());
    }
    game.run_to_end(group, 2000);
    assert_eq!(game.only_end(), [5, 0, 0, 0]);
    assert!(game.cells_of(&units[..5]).contains(&Cell::new(10, 15)));
}

#[test]
fn the_later_of_two_groups_has_the_member() {
    let (mut game, _) = Game::open(40, 20);
    let units = game.squad(6);
    let first = game.order_group(GroupOrder::to(units[..4].iter().copied(), Cell::new(35, 4)));
    let second = game.order_group(GroupOrder::to(units[2..].iter().copied(), Cell::new(35, 15)));
    game.ticks(3);
    let members =
        |game: &Game, group| game.world().get::<Group>(group).expect("it is there").members().count();
    assert_eq!((members(&game, first), members(&game, second)), (2, 4));
    game.run_to_end(first, 2000);
    game.run_to_end(second, 2000);
    let mut ends: Vec<(usize, usize)> =
        game.group_news().arrived.iter().map(|end| (end.arrived, end.left)).collect();
    ends.sort_unstable();
    assert_eq!(ends, [(2, 2), (4, 0)]);
}

/// Sends an agent to one cell by two groups. The second order comes while the agent walks.
fn sent_twice_to_one_place() -> (Game, Entity, Entity, Entity) {
    let (mut game, _) = Game::open(40, 20);
    let unit = game.squad(1)[0];
    let first = game.order_group(GroupOrder::to([unit], Cell::new(30, 10)));
    game.ticks(10);
    let second = game.order_group(GroupOrder::to([unit], Cell::new(30, 10)));
    (game, unit, first, second)
}

#[test]
fn the_later_of_two_groups_has_the_member_also_where_both_send_it_to_one_place() {
    let (mut game, _, first, second) = sent_twice_to_one_place();
    game.ticks(10);
    assert!(game.world().get::<GroupOrder>(first).is_none(), "all members have left the first group");
    assert!(game.group_news().failed.is_empty(), "its order was replaced");
    game.run_to_end(second, 2000);
    assert_eq!(
        game.group_news().arrived.iter().map(|end| (end.entity, end.arrived)).collect::<Vec<_>>(),
        [(second, 1)]
    );
}

#[test]
fn cancelling_a_group_does_not_stop_a_member_that_a_later_one_sends_to_the_same_place() {
    let (mut game, unit, first, second) = sent_twice_to_one_place();
    game.tick();
    game.world_mut().despawn(first);
    game.run_to_end(second, 2000);
    assert_eq!(game.only_end(), [1, 0, 0, 0]);
    assert_eq!(game.cell_at(unit), Cell::new(30, 10));
}

#[test]
fn member_with_a_later_order_is_sent_neither_back_nor_on() {
    for by_group in [false, true] {
        for is_pushed in [false, true] {
            let (mut game, _) = Game::open(40, 20);
            let quick = game.body(8, 10, 128.0);
            let slow = game.body(0, 5, 24.0);
            let group = game.order_group(GroupOrder::to([quick, slow], Cell::new(15, 10)));
            game.ticks(2);
            while game.world().get::<PathRequest>(quick).is_some() {
                game.tick();
            }
            let elsewhere = Cell::new(8, 15);
            if by_group {
                game.order_group(GroupOrder::to([quick], elsewhere));
            } else {
                game.world_mut().entity_mut(quick).insert(PathRequest::to_cell(elsewhere));
            }
            game.ticks(2);
            while game.world().get::<PathRequest>(quick).is_some() {
                game.tick();
            }
            if is_pushed {
                game.world_mut().get_mut::<Group>(group).expect("it is there").push(Cell::new(20, 10));
            }
            game.run_to_end(group, 6000);
            let end = game.group_news().arrived.iter().find(|end| end.entity == group).copied();
            let end = end.expect("it has come to its end");
            assert_eq!([end.arrived, end.with_shortfall, end.lost, end.left], [1, 0, 0, 1]);
            game.ticks(100);
            assert_eq!(game.cell_at(quick), elsewhere, "by a group: {by_group}, pushed: {is_pushed}");
        }
    }
}

/// Runs a group of three members. The second member reaches its place first, and then `leave`
/// changes it.
///
/// Returns the counts of the end of the group.
fn end_after_the_second_arrived(leave: impl Fn(&mut Game, Entity)) -> [usize; 4] {
    let (mut game, _) = Game::open(40, 20);
    let members = [game.body(0, 5, 48.0), game.body(10, 10, 128.0), game.body(0, 12, 48.0)];
    let group = game.order_group(GroupOrder::to(members, Cell::new(15, 10)));
    game.ticks(2);
    while game.world().get::<PathRequest>(members[1]).is_some() {
        game.tick();
    }
    leave(&mut game, members[1]);
    game.run_to_end(group, 6000);
    game.only_end()
}

#[test]
fn member_ordered_elsewhere_from_its_place_has_left() {
    let end = end_after_the_second_arrived(|game, member| {
        game.world_mut().entity_mut(member).insert(PathRequest::to_cell((30, 18)));
    });
    assert_eq!(end, [2, 0, 0, 1]);
}

#[test]
fn member_despawned_at_its_place_is_lost() {
    let end = end_after_the_second_arrived(|game, member| {
        game.world_mut().despawn(member);
    });
    assert_eq!(end, [2, 0, 1, 0]);
}

#[test]
fn member_that_an_observer_of_its_arrival_orders_on_has_left() {
    let (mut game, _) = Game::open(20, 20);
    let eager = game.body(2, 2, 64.0);
    game.add_observer(move |on: On<Arrived>, mut commands: Commands| {
        if on.entity == eager && on.place == Cell::new(10, 10).into() {
            commands.entity(eager).insert(PathRequest::to_cell((0, 0)));
        }
    });
    let group = game.order_group(GroupOrder::to([eager], Cell::new(10, 10)));
    game.run_to_end(group, 600);
    let news = game.group_news();
    assert!(news.failed.is_empty() && news.arrived.is_empty(), "its order was replaced");
}

#[test]
fn an_observer_of_the_end_may_give_the_next_order() {
    let (mut game, _) = Game::open(40, 20);
    let units = game.squad(5);
    let everybody = units.clone();
    game.add_observer(move |on: On<GroupArrived>, mut commands: Commands| {
        commands.entity(on.entity).insert(GroupOrder::to(everybody.iter().copied(), Cell::new(5, 15)));
    });
    let group = game.order_group(GroupOrder::to(units.iter().copied(), Cell::new(20, 10)));
    while game.group_news().arrived.len() < 2 {
        game.tick();
    }
    assert!(game.cells_of(&units).contains(&Cell::new(5, 15)));
    assert!(game.world().get::<GroupOrder>(group).is_some(), "the next order must stand");
}

#[test]
fn an_observer_may_cancel_or_replace_the_order_while_it_is_given_to_the_members() {
    for replace in [false, true] {
        let (mut game, _) = Game::open(40, 20);
        let units = game.squad(5);
        let (first, everybody) = (units[2], units.clone());
        game.add_observer(
            move |on: OnInsert<PathRequest>,
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
        let group = game.order_group(GroupOrder::to(units.iter().copied(), Cell::new(30, 10)));
        game.run_to_end(group, 2000);
        if replace {
            assert_eq!(game.only_end(), [5, 0, 0, 0]);
            assert!(game.cells_of(&units).contains(&Cell::new(5, 15)));
        } else {
            game.ticks(5);
            assert!(game.group_news().arrived.is_empty() && game.group_news().failed.is_empty());
        }
        game.assert_free(&units);
        assert_eq!(game.world().get::<Group>(group), Some(&Group::default()));
    }
}

#[test]
fn a_group_that_is_lost_as_a_whole_fails() {
    let (mut game, _) = Game::open(40, 20);
    let units = game.squad(3);
    game.order_group(GroupOrder::to(units.iter().copied(), Cell::new(30, 10)));
    game.ticks(20);
    game.world_mut().despawn(units[0]);
    game.world_mut().entity_mut(units[1]).remove::<PathAgent>();
    game.ticks(2);
    assert!(game.group_news().failed.is_empty());
    game.world_mut().despawn(units[2]);
    game.ticks(2);
    assert_eq!(
        game.group_news().failed.iter().map(|end| end.reason).collect::<Vec<_>>(),
        [GroupFailure::NoneArrived { lost: 3 }]
    );
}

#[test]
fn a_wall_on_the_way_brings_the_group_as_near_as_it_can_come() {
    let (mut game, map) = Game::open(40, 9);
    let units = game.squad(6);
    let group = game.order_group(GroupOrder::to(units.iter().copied(), Cell::new(35, 4)));
    game.ticks(30);
    let mut grid = game.world_mut().get_mut::<bevy_tilepath::NavGrid>(map).expect("the map is there");
    for y in 0..9 {
        grid.set_terrain(Cell::new(20, y), 0).expect("it is on the map");
    }
    game.run_to_end(group, 2000);
    assert_eq!(game.only_end(), [0, 6, 0, 0]);
    assert!(game.cells_of(&units).iter().all(|cell| (14..20).contains(&cell.x)));
}

#[test]
fn all_walk_as_fast_as_the_slowest_and_get_their_speeds_back() {
    let (mut game, _) = Game::open(60, 20);
    let speeds = [128.0, 96.0, 48.0, 160.0];
    let units: Vec<Entity> = speeds.iter().zip(0..).map(|(&speed, y)| game.body(0, 2 * y, speed)).collect();
    game.world_mut().get_mut::<PathAgent>(units[3]).expect("it is an agent").speed = Speed::Cells(10.0);
    let speed =
        |game: &Game, unit: usize| game.world().get::<PathAgent>(units[unit]).expect("an agent").speed;
    let group = game.order_group(GroupOrder::to(units.iter().copied(), Cell::new(50, 10)).at_common_pace());
    game.ticks(120);
    assert_eq!([0, 1, 2].map(|unit| speed(&game, unit)), [Speed::World(48.0); 3]);
    assert_eq!(speed(&game, 3), Speed::Cells(3.0));
    let columns: Vec<i32> = units.iter().map(|&unit| game.cell_at(unit).x).collect();
    let spread = columns.iter().max().expect("some") - columns.iter().min().expect("some");
    assert!(spread <= 2, "{columns:?}");
    // A speed that the game writes during the order is kept.
    game.world_mut().get_mut::<PathAgent>(units[1]).expect("it is an agent").speed = Speed::World(64.0);
    // Without the slowest member, the others go at the speed of the next slowest one.
    game.world_mut().entity_mut(units[2]).remove::<PathRequest>();
    game.ticks(2);
    assert_eq!([0, 1].map(|unit| speed(&game, unit)), [Speed::World(64.0); 2]);
    game.run_to_end(group, 3000);
    assert_eq!(
        [0, 1, 2, 3].map(|unit| speed(&game, unit)),
        [Speed::World(128.0), Speed::World(64.0), Speed::World(48.0), Speed::Cells(10.0)]
    );
}

#[test]
fn group_and_arrived_members_have_a_reason_to_stand() {
    let mut game = Game::new();
    // The query runs beside a system parameter that writes groups.
    let why_not = |game: &mut Game, entity: Entity| {
        let ask = move |nav: NavQuery, _: Query<&mut Group>| nav.why_not(entity);
        game.world_mut().run_system_once(ask).expect("the system runs")
    };
    let units = game.squad(4);
    let slow = game.body(0, 10, 24.0);
    let all = units.iter().copied().chain([slow]);
    let group = game.order_group(GroupOrder::to(all, Cell::new(20, 10)));
    game.tick();
    assert_eq!(why_not(&mut game, group), Some(WhyNot::WaitingForMap));
    game.open_map(40, 30);
    game.ticks(10);
    assert_eq!(why_not(&mut game, group), None, "the group walks");
    while game.group_news().members.len() < 4 {
        game.tick();
    }
    assert_eq!(why_not(&mut game, group), None, "one member still walks");
    let (there, _) = game.group_news().members[0];
    assert_eq!(why_not(&mut game, there), Some(WhyNot::WaitingForGroup { group }));
    game.world_mut().get_mut::<PathAgent>(slow).expect("it is an agent").paused = true;
    game.ticks(2);
    assert_eq!(why_not(&mut game, group), Some(WhyNot::MembersStand { member: slow }));
    assert_eq!(why_not(&mut game, slow), Some(WhyNot::Paused));
    game.world_mut().get_mut::<PathAgent>(slow).expect("it is an agent").paused = false;
    game.run_to_end(group, 3000);
    assert_eq!(why_not(&mut game, there), Some(WhyNot::Arrived));
    assert_eq!(why_not(&mut game, group), Some(WhyNot::NoOrder));
}

#[test]
fn replaced_order_sends_no_resting_member() {
    let (mut game, _) = Game::open(40, 30);
    let units: Vec<Entity> =
        [320.0, 64.0, 144.0].into_iter().zip(0..).map(|(speed, y)| game.body(0, y, speed)).collect();
    let group = game.order_group(GroupOrder::to(units[..2].to_vec(), Cell::new(20, 15)));
    game.tick_until(2000, |game| game.status(units[0]) == PathStatus::Arrived);
    // Without the next order, it would be sent back when the slow one has arrived.
    game.put(units[0], 5, 25);
    game.tick_until(2000, |game| game.status(units[1]) == PathStatus::Arrived);
    game.budget(20);
    game.world_mut().entity_mut(group).insert(GroupOrder::to([units[2]], Cell::new(2, 2)));
    for _ in 0..60 {
        game.tick();
        assert!(!game.is_ordered(units[0]), "the replaced order sends it out again");
    }
    game.run_to_end(group, 4000);
    assert_eq!((game.cell_at(units[0]), game.only_end()), (Cell::new(5, 25), [1, 0, 0, 0]));
}
