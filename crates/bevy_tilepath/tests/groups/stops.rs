//! Groups with several stops, given at first or on the way.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, OnMap, PathRequest,
    doors::{Door, DoorEnd},
    groups::{Group, GroupOrder},
    orders::PathStops,
};

use super::fixtures::*;
use crate::harness::tick;

#[test]
fn all_come_by_each_stop_and_end_around_the_last() {
    let mut app = app();
    open_map(&mut app, 40, 30);
    let units = squad(&mut app, 12);
    let group_order = GroupOrder::to(units.iter().copied(), Cell::new(30, 5)).then(Cell::new(30, 25));
    let group = order(&mut app, group_order);
    let mut highest = vec![0; units.len()];
    while app.world().get::<GroupOrder>(group).is_some() {
        tick(&mut app);
        for (highest, &unit) in highest.iter_mut().zip(&units) {
            let cell = cell_at(&app, unit);
            *highest = (*highest).max(if cell.y < 12 { cell.x } else { 0 });
        }
    }
    assert_eq!(only_end(&app), [12, 0, 0, 0]);
    assert!(highest.iter().all(|&x| x >= 27), "{highest:?}");
    assert!(cells(&mut app, &units).contains(&Cell::new(30, 25)));
}

#[test]
fn a_stop_is_appended_on_the_way_and_to_those_who_have_arrived() {
    let mut app = app();
    open_map(&mut app, 60, 30);
    let mut units = squad(&mut app, 8);
    let slow = body(&mut app, 0, 10, 24.0);
    units.push(slow);
    let group = order(&mut app, GroupOrder::to(units.iter().copied(), Cell::new(20, 10)));
    let push = |app: &mut App, x, y| {
        let mut group = app.world_mut().get_mut::<Group>(group).expect("it is there");
        assert!(group.push(Cell::new(x, y)));
    };
    ticks(&mut app, 40);
    push(&mut app, 30, 20);
    tick(&mut app);
    for &unit in &units {
        assert_eq!(app.world().get::<PathStops>(unit).expect("it has stops").goals().len(), 2);
    }
    // All but the slow one are there, and one of them is busy with something else.
    while heard(&app).members.len() < 8 {
        tick(&mut app);
    }
    app.world_mut().entity_mut(units[0]).insert(PathRequest::to_cell((0, 29)));
    tick(&mut app);
    push(&mut app, 50, 20);
    run_to_end(&mut app, group, 6000);
    assert_eq!(only_end(&app), [8, 0, 0, 1], "the busy one has left");
    assert!(cells(&mut app, &units[1..]).contains(&Cell::new(50, 20)));
    assert!(cells(&mut app, &units[1..]).iter().all(|cell| (46..55).contains(&cell.x)));
    let mut over = app.world_mut().get_mut::<Group>(group).expect("it is there");
    assert!(!over.push(Cell::new(1, 1)), "the order is over");
}

#[test]
fn a_stop_that_none_can_come_to_is_left_out_with_a_warning() {
    let mut app = app();
    open_map(&mut app, 20, 20);
    let units = squad(&mut app, 4);
    let group = order(&mut app, GroupOrder::to(units.iter().copied(), Cell::new(10, 10)));
    ticks(&mut app, 5);
    app.world_mut().get_mut::<Group>(group).expect("it is there").push(Cell::new(90, 90));
    let logs = crate::harness::logs_of(|| tick(&mut app));
    assert!(
        logs.iter().any(|log| log.contains("the stop (90, 90)") && log.contains("not on the map")),
        "{logs:?}"
    );
    run_to_end(&mut app, group, 1000);
    assert_eq!(only_end(&app), [4, 0, 0, 0]);
}

#[test]
fn members_on_another_map_come_through_the_door() {
    let mut app = app();
    let yard = open_map(&mut app, 20, 12);
    let hall = {
        let grid = bevy_tilepath::tilepath::Grid::new(10, 10, 1).expect("the map is small");
        let map = map_of(&mut app, grid);
        app.world_mut().entity_mut(map).insert(Transform::from_xyz(1000.0, 0.0, 0.0));
        map
    };
    app.world_mut()
        .spawn(Door::new(DoorEnd::cell(hall, Cell::new(5, 0)), DoorEnd::cell(yard, Cell::new(10, 11))));
    let outside: Vec<Entity> = (0..3).map(|n| body(&mut app, n, 0, 96.0)).collect();
    let inside: Vec<Entity> = (0..3)
        .map(|n| {
            let unit = body(&mut app, n, 5, 96.0);
            let mut at = app.world_mut().get_mut::<Transform>(unit).expect("it is there");
            at.translation.x += 1000.0;
            unit
        })
        .collect();
    for (units, map) in [(&outside, yard), (&inside, hall)] {
        for &unit in units {
            app.world_mut().entity_mut(unit).insert(OnMap(map));
        }
    }
    ticks(&mut app, 2);
    let all: Vec<Entity> = outside.iter().chain(&inside).copied().collect();
    let group = order(&mut app, GroupOrder::to(all.iter().copied(), Cell::new(15, 5)));
    run_to_end(&mut app, group, 3000);
    assert_eq!(only_end(&app), [6, 0, 0, 0]);
    assert!(all.iter().all(|&unit| app.world().get::<OnMap>(unit) == Some(&OnMap(yard))));
    cells(&mut app, &all);
}
