//! Groups that lose members on the way close their gaps.

use std::collections::BTreeSet;

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, NavGrid, PathRequest,
    groups::{Formation, Group, GroupOrder},
};

use super::fixtures::*;
use crate::harness::tick;

/// The line that a group of that many has around (30, 10).
fn line(count: i32) -> BTreeSet<Cell> {
    // One more on the left, which is north for those who look to the east.
    (0..count).map(|n| Cell::new(30, 10 - (count - 1) / 2 + n)).collect()
}

fn line_of_nine(app: &mut App) -> (Entity, Vec<Entity>) {
    open_map(app, 40, 21);
    let units: Vec<Entity> = (0..9).map(|n| body(app, 1, 6 + n, 96.0)).collect();
    let group_order = GroupOrder::to(units.iter().copied(), Cell::new(30, 10)).in_formation(Formation::Line);
    let group = order(app, group_order.facing(Vec2::X));
    (group, units)
}

#[test]
fn the_others_move_up_when_one_in_the_middle_dies() {
    let mut app = app();
    let (group, units) = line_of_nine(&mut app);
    ticks(&mut app, 60);
    app.world_mut().despawn(units[4]);
    tick(&mut app);
    let places: BTreeSet<Cell> =
        app.world().get::<Group>(group).expect("it is there").places().map(|(_, cell)| cell).collect();
    assert_eq!(places, line(8));
    run_to_end(&mut app, group, 2000);
    assert_eq!(only_end(&app), [8, 0, 1, 0]);
    let left: Vec<Entity> = units.iter().copied().filter(|&unit| unit != units[4]).collect();
    assert_eq!(cells(&mut app, &left), line(8));
}

#[test]
fn nobody_turns_round_when_the_outermost_dies() {
    let mut app = app();
    let (group, units) = line_of_nine(&mut app);
    ticks(&mut app, 60);
    let places = |app: &App| -> Vec<(Entity, Cell)> {
        app.world().get::<Group>(group).expect("it is there").places().collect()
    };
    let outermost = places(&app).into_iter().find(|(_, cell)| cell.y == 6).expect("the last place").0;
    let before: Vec<_> = places(&app).into_iter().filter(|(unit, _)| *unit != outermost).collect();
    app.world_mut().despawn(outermost);
    tick(&mut app);
    assert_eq!(places(&app), before);
    run_to_end(&mut app, group, 2000);
    assert_eq!(only_end(&app), [8, 0, 1, 0]);
    assert!(units.contains(&outermost));
}

#[test]
fn all_but_one_may_die_or_leave_one_after_the_other() {
    let mut app = app();
    let (group, units) = line_of_nine(&mut app);
    for (count, &unit) in units[1..].iter().enumerate() {
        ticks(&mut app, 9);
        if count % 2 == 0 {
            app.world_mut().despawn(unit);
        } else {
            app.world_mut().entity_mut(unit).insert(PathRequest::to_cell((count as i32, 19)));
        }
    }
    run_to_end(&mut app, group, 2000);
    assert_eq!(only_end(&app), [1, 0, 4, 4]);
    assert_eq!(cell_at(&app, units[0]), Cell::new(30, 10), "the last one has the first place");
}

#[test]
fn gaps_close_at_every_stop_that_is_to_come() {
    let mut app = app();
    open_map(&mut app, 40, 40);
    let units: Vec<Entity> = (0..5).map(|n| body(&mut app, 1, 8 + n, 96.0)).collect();
    let group_order = GroupOrder::to(units.iter().copied(), Cell::new(20, 10))
        .then(Cell::new(20, 30))
        .in_formation(Formation::Line)
        .facing(Vec2::X);
    let group = order(&mut app, group_order);
    ticks(&mut app, 40);
    app.world_mut().despawn(units[2]);
    run_to_end(&mut app, group, 3000);
    assert_eq!(only_end(&app), [4, 0, 1, 0]);
    let left: Vec<Entity> = units.iter().copied().filter(|&unit| unit != units[2]).collect();
    assert_eq!(cells(&mut app, &left), (29..33).map(|y| Cell::new(20, y)).collect());
}

#[test]
fn member_walled_in_keeps_a_place_of_its_own_when_a_gap_is_closed() {
    let mut app = app();
    let map = open_map(&mut app, 20, 10);
    let members: Vec<Entity> =
        [(0, 0), (1, 5), (2, 5), (3, 5)].map(|(x, y)| ghost(&mut app, x, y, 32.0)).into();
    let group = order(&mut app, GroupOrder::to(members.iter().copied(), Cell::new(15, 5)));
    ticks(&mut app, 2);
    let walled_in = members[0];
    for (x, y) in [(1, 0), (0, 1), (1, 1)] {
        let mut grid = app.world_mut().get_mut::<NavGrid>(map).expect("it is a map");
        grid.set_terrain(Cell::new(x, y), 0).expect("it is on the map");
    }
    let places = |app: &App| -> Vec<(Entity, Cell)> {
        app.world().get::<Group>(group).expect("it is a group").places().collect()
    };
    // Whoever has the innermost place leaves it.
    let innermost = places(&app).into_iter().find(|&(_, cell)| cell == Cell::new(15, 5));
    let leaver = innermost.expect("one of them has it").0;
    assert_ne!(leaver, walled_in);
    app.world_mut().entity_mut(leaver).insert(PathRequest::to_cell((19, 9)));
    ticks(&mut app, 2);
    let cells: BTreeSet<Cell> = places(&app).into_iter().map(|(_, cell)| cell).collect();
    assert_eq!((places(&app).len(), cells.len()), (3, 3), "{:?}", places(&app));
    assert!(cells.contains(&Cell::new(15, 5)), "the gap is closed");
}
