//! Groups whose places lie in a dead end: each has one end.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell,
    groups::{Formation, GroupOrder},
};

use super::fixtures::*;

/// A room of 8 × 3 cells with a corridor of that many cells behind it, and members in rows.
fn before_a_corridor(cells: usize, members: i32) -> (App, Vec<Entity>) {
    let mut app = app();
    let wall = ".".repeat(8) + &"#".repeat(cells);
    map(&mut app, &format!("{wall}\n{}\n{wall}", ".".repeat(8 + cells)));
    let all = (0..members).map(|n| body(&mut app, n % 8, n / 8, 64.0)).collect();
    (app, all)
}

#[test]
fn members_fill_a_dead_end_from_within() {
    for (cells, members, depth) in
        [(4, 2, 3), (4, 3, 3), (6, 4, 5), (8, 6, 7), (8, 8, 7), (12, 12, 11), (20, 8, 19)]
    {
        let (mut app, all) = before_a_corridor(cells, members);
        let goal = Cell::new(8 + depth, 1);
        let group = order(&mut app, GroupOrder::to(all.iter().copied(), goal));
        run_to_end(&mut app, group, 4000);
        assert_eq!(only_end(&app), [all.len(), 0, 0, 0], "{members} into {cells}");
    }
}

#[test]
fn a_group_that_fills_the_room_before_a_dead_end_too_has_an_end() {
    for formation in [Formation::Disc, Formation::Line] {
        let (mut app, all) = before_a_corridor(20, 24);
        let to = GroupOrder::to(all.iter().copied(), Cell::new(27, 1)).in_formation(formation);
        let group = order(&mut app, to);
        run_to_end(&mut app, group, 6000);
        let [arrived, short, lost, left] = only_end(&app);
        assert_eq!((arrived + short, lost, left), (24, 0, 0), "{formation:?}");
        assert!(arrived >= 20, "{formation:?}: {arrived} arrived");
        assert_free(&app, &all);
    }
}
