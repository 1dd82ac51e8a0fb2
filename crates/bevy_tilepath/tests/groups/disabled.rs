//! Disabled members, and disabled groups.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell,
    groups::{Group, GroupFailed, GroupFailure, GroupOrder},
    queries::WhyNot,
};

use crate::harness::*;

/// Starts a group of six bodies to the middle of a map.
fn march(game: &mut Game) -> (Vec<Entity>, Entity) {
    game.open_map(30, 30);
    let units = game.squad(6);
    let group = game.order_group(GroupOrder::to(units.iter().copied(), Cell::new(20, 20)));
    game.ticks(20);
    (units, group)
}

fn places(game: &Game, group: Entity) -> Vec<(Entity, Cell)> {
    game.world().get::<Group>(group).expect("it is a group").places().collect()
}

#[test]
fn group_ends_without_a_disabled_member_which_then_goes_on_alone() {
    with_both(|mut game, disable, enable| {
        let (units, group) = march(&mut game);
        disable(&mut game, units[2]);
        game.tick();
        assert!(places(&game, group).iter().all(|(member, _)| *member != units[2]));
        game.run_to_end(group, 600);
        assert_eq!(game.only_end(), [5, 0, 1, 0]);
        assert_eq!(game.why_not(units[2]), Some(WhyNot::Disabled));
        enable(&mut game, units[2]);
        game.run_until_quiet(600);
        game.cells_of(&units);
        assert!(game.position(units[2]).distance(centre(20, 20)) < 4.0 * CELL);
        game.assert_free(&units);
    });
}

#[test]
fn member_that_is_enabled_in_time_comes_back() {
    with_both(|mut game, disable, enable| {
        let (units, group) = march(&mut game);
        disable(&mut game, units[0]);
        game.ticks(30);
        assert_eq!(places(&game, group).len(), 5);
        enable(&mut game, units[0]);
        game.tick();
        let cells: Vec<Cell> = places(&game, group).into_iter().map(|(_, cell)| cell).collect();
        assert!(
            (0..6).all(|n| !cells[n + 1..].contains(&cells[n])),
            "each has a place of its own: {cells:?}"
        );
        game.run_to_end(group, 900);
        assert_eq!(game.only_end(), [6, 0, 0, 0]);
        game.cells_of(&units);
    });
}

#[test]
fn member_that_is_disabled_at_its_place_frees_it_and_comes_back() {
    with_both(|mut game, disable, enable| {
        game.open_map(30, 3);
        let units: Vec<Entity> = [20, 0].map(|x| game.agent(x, 1, 64.0)).to_vec();
        let group = game.order_group(GroupOrder::to(units.iter().copied(), Cell::new(22, 1)));
        game.ticks(100);
        let [(first, _), (second, _)] = places(&game, group)[..] else { panic!("both have places") };
        assert_eq!([first, second], units[..]);
        disable(&mut game, units[0]);
        game.ticks(10);
        assert_eq!(places(&game, group), [(units[1], Cell::new(22, 1))]);
        enable(&mut game, units[0]);
        game.run_to_end(group, 600);
        assert_eq!(game.only_end(), [2, 0, 0, 0]);
    });
}

#[test]
fn group_with_all_members_disabled_fails() {
    with_both(|mut game, disable, _| {
        let (units, group) = march(&mut game);
        for &unit in &units {
            disable(&mut game, unit);
        }
        game.run_to_end(group, 4);
        let failed = GroupFailed { entity: group, reason: GroupFailure::NoneArrived { lost: 6 } };
        assert_eq!(game.group_news().failed, [failed]);
    });
}

#[test]
fn group_that_is_ordered_with_a_disabled_member_ends() {
    with_both(|mut game, disable, _| {
        game.open_map(30, 30);
        let units = game.squad(6);
        disable(&mut game, units[5]);
        let group = game.order_group(GroupOrder::to(units.iter().copied(), Cell::new(20, 20)));
        game.run_to_end(group, 600);
        // A member that a component of the game disables has no place, so it cannot be lost.
        let [arrived, with_shortfall, _, left] = game.only_end();
        assert_eq!([arrived, with_shortfall, left], [5, 0, 0]);
    });
}

#[test]
fn disabled_member_with_an_order_of_its_own_has_left() {
    with_both(|mut game, disable, enable| {
        let (units, group) = march(&mut game);
        disable(&mut game, units[1]);
        game.tick();
        game.order_to(units[1], 0, 29);
        game.tick();
        enable(&mut game, units[1]);
        game.run_to_end(group, 600);
        assert_eq!(game.only_end(), [5, 0, 0, 1]);
        game.run_until_quiet(600);
        assert_eq!(game.cell_at(units[1]), Cell::new(0, 29));
    });
}

#[test]
fn cancelled_group_stops_a_disabled_member() {
    with_both(|mut game, disable, enable| {
        let (units, group) = march(&mut game);
        disable(&mut game, units[3]);
        game.tick();
        let held = game.cell_at(units[3]);
        game.world_mut().entity_mut(group).remove::<GroupOrder>();
        enable(&mut game, units[3]);
        game.ticks(60);
        assert_eq!(game.why_not(units[3]), Some(WhyNot::NoOrder));
        let cell = game.cell_at(units[3]);
        assert!((cell.x - held.x).abs().max((cell.y - held.y).abs()) <= 1, "{held:?} {cell:?}");
        game.assert_free(&units);
    });
}

#[test]
fn group_disabled_by_game_is_cancelled() {
    let mut game = Game::with_disabling::<Frozen>();
    let (units, group) = march(&mut game);
    game.world_mut().entity_mut(group).insert(Frozen);
    game.ticks(20);
    game.assert_free(&units);
    assert!(game.group_news().arrived.is_empty() && game.group_news().failed.is_empty());
}
