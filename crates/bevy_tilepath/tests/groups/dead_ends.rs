//! Groups with places in a dead end. Each order ends.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell,
    groups::{Formation, GroupOrder},
};

use crate::harness::*;

/// Starts a game with a room of 8 × 3 cells, a corridor of `cells` cells behind it, and members in
/// rows.
fn before_a_corridor(cells: usize, members: i32) -> (Game, Vec<Entity>) {
    let mut game = Game::new();
    let wall = ".".repeat(8) + &"#".repeat(cells);
    game.map(&format!("{wall}\n{}\n{wall}", ".".repeat(8 + cells)));
    let all = (0..members).map(|n| game.body(n % 8, n / 8, 64.0)).collect();
    (game, all)
}

#[test]
fn members_fill_a_dead_end_from_within() {
    for (cells, members, depth) in
        [(4, 2, 3), (4, 3, 3), (6, 4, 5), (8, 6, 7), (8, 8, 7), (12, 12, 11), (20, 8, 19)]
    {
        let (mut game, all) = before_a_corridor(cells, members);
        let goal = Cell::new(8 + depth, 1);
        let group = game.order_group(GroupOrder::to(all.iter().copied(), goal));
        game.run_to_end(group, 4000);
        assert_eq!(game.only_end(), [all.len(), 0, 0, 0], "{members} into {cells}");
    }
}

#[test]
fn a_group_that_fills_the_room_before_a_dead_end_too_has_an_end() {
    for formation in [Formation::Disc, Formation::Line] {
        let (mut game, all) = before_a_corridor(20, 24);
        let to = GroupOrder::to(all.iter().copied(), Cell::new(27, 1)).in_formation(formation);
        let group = game.order_group(to);
        game.run_to_end(group, 6000);
        let [arrived, short, lost, left] = game.only_end();
        assert_eq!((arrived + short, lost, left), (24, 0, 0), "{formation:?}");
        assert!(arrived >= 20, "{formation:?}: {arrived} arrived");
        game.assert_free(&all);
    }
}
