//! Groups that lose members during their order and close the gaps.

use std::collections::BTreeSet;

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, NavGrid, PathRequest,
    groups::{Formation, Group, GroupOrder},
};

use crate::harness::*;

/// Returns the line of a group of `count` members around (30, 10).
fn line(count: i32) -> BTreeSet<Cell> {
    // If `count` is even, one more member stands on the left. The group looks east, so that is
    // north.
    (0..count).map(|n| Cell::new(30, 10 - (count - 1) / 2 + n)).collect()
}

fn line_of_nine(game: &mut Game) -> (Entity, Vec<Entity>) {
    game.open_map(40, 21);
    let units: Vec<Entity> = (0..9).map(|n| game.body(1, 6 + n, 96.0)).collect();
    let group_order = GroupOrder::to(units.iter().copied(), Cell::new(30, 10)).in_formation(Formation::Line);
    let group = game.order_group(group_order.facing(Vec2::X));
    (group, units)
}

#[test]
fn the_others_move_up_when_one_in_the_middle_dies() {
    let mut game = Game::new();
    let (group, units) = line_of_nine(&mut game);
    game.ticks(60);
    game.world_mut().despawn(units[4]);
    game.tick();
    let places: BTreeSet<Cell> =
        game.world().get::<Group>(group).expect("it is there").places().map(|(_, cell)| cell).collect();
    assert_eq!(places, line(8));
    game.run_to_end(group, 2000);
    assert_eq!(game.only_end(), [8, 0, 1, 0]);
    let left: Vec<Entity> = units.iter().copied().filter(|&unit| unit != units[4]).collect();
    assert_eq!(game.cells_of(&left), line(8));
}

#[test]
fn death_of_the_outermost_member_turns_no_other() {
    let mut game = Game::new();
    let (group, units) = line_of_nine(&mut game);
    game.ticks(60);
    let places = |game: &Game| -> Vec<(Entity, Cell)> {
        game.world().get::<Group>(group).expect("it is there").places().collect()
    };
    let outermost = places(&game).into_iter().find(|(_, cell)| cell.y == 6).expect("the last place").0;
    let before: Vec<_> = places(&game).into_iter().filter(|(unit, _)| *unit != outermost).collect();
    game.world_mut().despawn(outermost);
    game.tick();
    assert_eq!(places(&game), before);
    game.run_to_end(group, 2000);
    assert_eq!(game.only_end(), [8, 0, 1, 0]);
    assert!(units.contains(&outermost));
}

#[test]
fn all_but_one_may_die_or_leave_one_after_the_other() {
    let mut game = Game::new();
    let (group, units) = line_of_nine(&mut game);
    for (count, &unit) in units[1..].iter().enumerate() {
        game.ticks(9);
        if count % 2 == 0 {
            game.world_mut().despawn(unit);
        } else {
            game.world_mut().entity_mut(unit).insert(PathRequest::to_cell((count as i32, 19)));
        }
    }
    game.run_to_end(group, 2000);
    assert_eq!(game.only_end(), [1, 0, 4, 4]);
    assert_eq!(game.cell_at(units[0]), Cell::new(30, 10), "the last member has the first place");
}

#[test]
fn gaps_close_at_every_stop_that_is_to_come() {
    let (mut game, _) = Game::open(40, 40);
    let units: Vec<Entity> = (0..5).map(|n| game.body(1, 8 + n, 96.0)).collect();
    let group_order = GroupOrder::to(units.iter().copied(), Cell::new(20, 10))
        .then(Cell::new(20, 30))
        .in_formation(Formation::Line)
        .facing(Vec2::X);
    let group = game.order_group(group_order);
    game.ticks(40);
    game.world_mut().despawn(units[2]);
    game.run_to_end(group, 3000);
    assert_eq!(game.only_end(), [4, 0, 1, 0]);
    let left: Vec<Entity> = units.iter().copied().filter(|&unit| unit != units[2]).collect();
    assert_eq!(game.cells_of(&left), (29..33).map(|y| Cell::new(20, y)).collect());
}

#[test]
fn member_walled_in_keeps_a_place_of_its_own_when_a_gap_is_closed() {
    let (mut game, map) = Game::open(20, 10);
    let members: Vec<Entity> = [(0, 0), (1, 5), (2, 5), (3, 5)].map(|(x, y)| game.agent(x, y, 32.0)).into();
    let group = game.order_group(GroupOrder::to(members.iter().copied(), Cell::new(15, 5)));
    game.ticks(2);
    let walled_in = members[0];
    for (x, y) in [(1, 0), (0, 1), (1, 1)] {
        let mut grid = game.world_mut().get_mut::<NavGrid>(map).expect("it is a map");
        grid.set_terrain(Cell::new(x, y), 0).expect("it is on the map");
    }
    let places = |game: &Game| -> Vec<(Entity, Cell)> {
        game.world().get::<Group>(group).expect("it is a group").places().collect()
    };
    // The member with the innermost place leaves it.
    let innermost = places(&game).into_iter().find(|&(_, cell)| cell == Cell::new(15, 5));
    let leaver = innermost.expect("a member has this place").0;
    assert_ne!(leaver, walled_in);
    game.world_mut().entity_mut(leaver).insert(PathRequest::to_cell((19, 9)));
    game.ticks(2);
    let cells: BTreeSet<Cell> = places(&game).into_iter().map(|(_, cell)| cell).collect();
    assert_eq!((places(&game).len(), cells.len()), (3, 3), "{:?}", places(&game));
    assert!(cells.contains(&Cell::new(15, 5)), "the gap is not closed");
}
