//! Groups that lose members on the way close their gaps.

use std::collections::BTreeSet;

use bevy::prelude::*;
use bevy_tilepath::{Cell, Formation, Group, GroupOrder, PathRequest};

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
