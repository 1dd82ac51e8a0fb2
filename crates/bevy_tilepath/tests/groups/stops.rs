//! Groups with several stops, from the first order or added later.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, Diagonals, OnMap, PathRequest,
    doors::{Door, DoorEnd},
    groups::{Group, GroupOrder},
    orders::PathStops,
};

use crate::harness::*;

#[test]
fn all_come_by_each_stop_and_end_around_the_last() {
    let (mut game, _) = Game::open(40, 30);
    let units = game.squad(12);
    let group_order = GroupOrder::to(units.iter().copied(), Cell::new(30, 5)).then(Cell::new(30, 25));
    let group = game.order_group(group_order);
    let mut highest = vec![0; units.len()];
    while game.world().get::<GroupOrder>(group).is_some() {
        game.tick();
        for (highest, &unit) in highest.iter_mut().zip(&units) {
            let cell = game.cell_at(unit);
            *highest = (*highest).max(if cell.y < 12 { cell.x } else { 0 });
        }
    }
    assert_eq!(game.only_end(), [12, 0, 0, 0]);
    assert!(highest.iter().all(|&x| x >= 27), "{highest:?}");
    assert!(game.cells_of(&units).contains(&Cell::new(30, 25)));
}

#[test]
fn appended_stop_reaches_walking_and_arrived_members() {
    let (mut game, _) = Game::open(60, 30);
    let mut units = game.squad(8);
    let slow = game.body(0, 10, 24.0);
    units.push(slow);
    let group = game.order_group(GroupOrder::to(units.iter().copied(), Cell::new(20, 10)));
    let push = |game: &mut Game, x, y| {
        let mut group = game.world_mut().get_mut::<Group>(group).expect("it is there");
        assert!(group.push(Cell::new(x, y)));
    };
    game.ticks(40);
    push(&mut game, 30, 20);
    game.tick();
    for &unit in &units {
        assert_eq!(game.world().get::<PathStops>(unit).expect("it has stops").stops().len(), 2);
    }
    // All members except the slow one have arrived, and one of them gets another order.
    while game.group_news().members.len() < 8 {
        game.tick();
    }
    game.world_mut().entity_mut(units[0]).insert(PathRequest::to_cell((0, 29)));
    game.tick();
    push(&mut game, 50, 20);
    game.run_to_end(group, 6000);
    assert_eq!(game.only_end(), [8, 0, 0, 1], "the member with another order has left");
    assert!(game.cells_of(&units[1..]).contains(&Cell::new(50, 20)));
    assert!(game.cells_of(&units[1..]).iter().all(|cell| (46..55).contains(&cell.x)));
    let mut over = game.world_mut().get_mut::<Group>(group).expect("it is there");
    assert!(!over.push(Cell::new(1, 1)), "the order is over");
}

#[test]
fn unreachable_stop_is_skipped_with_warning() {
    let (mut game, _) = Game::open(20, 20);
    let units = game.squad(4);
    let group = game.order_group(GroupOrder::to(units.iter().copied(), Cell::new(10, 10)));
    game.ticks(5);
    game.world_mut().get_mut::<Group>(group).expect("it is there").push(Cell::new(90, 90));
    let logs = logs_of(|| game.tick());
    assert!(
        logs.iter().any(|log| log.contains("the stop (90, 90)") && log.contains("not on the map")),
        "{logs:?}"
    );
    game.run_to_end(group, 1000);
    assert_eq!(game.only_end(), [4, 0, 0, 0]);
}

#[test]
fn members_on_another_map_come_through_the_door() {
    let (mut game, yard) = Game::open(20, 12);
    let hall = {
        let grid = bevy_tilepath::tilepath::Grid::new(10, 10, 1).expect("the map is small");
        let map = game.map_of(grid, Diagonals::default());
        game.world_mut().entity_mut(map).insert(Transform::from_xyz(1000.0, 0.0, 0.0));
        map
    };
    game.world_mut()
        .spawn(Door::new(DoorEnd::cell(hall, Cell::new(5, 0)), DoorEnd::cell(yard, Cell::new(10, 11))));
    let outside: Vec<Entity> = (0..3).map(|n| game.body(n, 0, 96.0)).collect();
    let inside: Vec<Entity> = (0..3)
        .map(|n| {
            let unit = game.body(n, 5, 96.0);
            let mut at = game.world_mut().get_mut::<Transform>(unit).expect("it is there");
            at.translation.x += 1000.0;
            unit
        })
        .collect();
    for (units, map) in [(&outside, yard), (&inside, hall)] {
        for &unit in units {
            game.world_mut().entity_mut(unit).insert(OnMap(map));
        }
    }
    game.ticks(2);
    let all: Vec<Entity> = outside.iter().chain(&inside).copied().collect();
    let group = game.order_group(GroupOrder::to(all.iter().copied(), Cell::new(15, 5)));
    game.run_to_end(group, 3000);
    assert_eq!(game.only_end(), [6, 0, 0, 0]);
    assert!(all.iter().all(|&unit| game.world().get::<OnMap>(unit) == Some(&OnMap(yard))));
    game.cells_of(&all);
}
