//! Planning of groups over several ticks, within the budget of work.

use std::collections::{BTreeMap, BTreeSet};

use bevy::prelude::*;
use bevy_tilepath::{
    AgentMovement, Cell, Movement, NavGrid, NavMap, NavProjection, OnMap, PathRequest, PathStatus,
    entries_kept,
    groups::{Formation, Group, GroupOrder},
    tilepath::{Grid, Size},
};
use testkit::Seed;

use crate::harness::*;

/// The most work beyond the budget of a tick: one piece of the assignment of 200 units.
const PIECE: u64 = 4000;

/// Starts a game with 128 × 128 cells, of which a tenth are walls, and this many bodies.
fn town(count: i32, budget: u64) -> (Game, Entity, Vec<Entity>) {
    let mut game = Game::new();
    let map = testkit::cluttered(128, 128, 10, &Seed::named("town"));
    let open = |x: i32, y: i32| map.class((x, y)) != Some(0);
    let grid = Grid::from_classes(128, 128, map.classes.clone()).expect("the map is small");
    let starts: Vec<(i32, i32)> = (0..40)
        .flat_map(|y| (0..40).map(move |x| (x, y)))
        .filter(|&(x, y)| open(x, y))
        .take(count as usize)
        .collect();
    let entity = game.map_of(grid, bevy_tilepath::Diagonals::default());
    game.tick();
    game.explore();
    game.budget(budget);
    let units = starts.iter().map(|&(x, y)| game.body(x, y, 0.0)).collect();
    (game, entity, units)
}

const GOAL: Cell = Cell::new(90, 90);

fn places(game: &Game, group: Entity) -> BTreeMap<Entity, Cell> {
    game.world().get::<Group>(group).map(|group| group.places().collect()).unwrap_or_default()
}

/// Ticks until a group has places. Returns the work of each tick.
fn work_until_placed(game: &mut Game, group: Entity) -> Vec<u64> {
    let mut spent = Vec::new();
    while places(game, group).is_empty() {
        game.tick();
        spent.push(game.diagnostics().work);
        assert!(spent.len() < 20_000, "the group has no places");
    }
    spent
}

fn order(units: &[Entity], formation: Formation) -> GroupOrder {
    GroupOrder::to(units.iter().copied(), GOAL).in_formation(formation)
}

#[test]
fn no_tick_of_a_plan_for_200_units_exceeds_the_budget_by_more_than_a_piece() {
    for formation in [Formation::Disc, Formation::Line] {
        let run = |budget: u64| {
            let (mut game, _, units) = town(200, budget);
            let group = game.order_group(order(&units, formation));
            let spent = work_until_placed(&mut game, group);
            let places = places(&game, group);
            let by_unit: Vec<Option<Cell>> = units.iter().map(|unit| places.get(unit).copied()).collect();
            (spent, by_unit)
        };
        let (at_once, expected) = run(u64::MAX);
        assert_eq!(at_once.len(), 1);
        assert_eq!(expected.iter().flatten().count(), 200);
        for budget in [20_000, 2000] {
            let (spent, found) = run(budget);
            assert!(spent.len() > 4, "{formation}: {spent:?}");
            let most = spent.iter().max().copied().unwrap_or(0);
            assert!(most <= budget + PIECE, "{formation}: {most} of {budget}");
            assert_eq!(found, expected, "{formation} with a budget of {budget}");
            assert_eq!(run(budget), (spent, found), "equal runs do equal work");
        }
    }
}

#[test]
fn group_is_planned_with_a_budget_of_one() {
    let (mut game, _, units) = town(6, 1);
    let group = game.order_group(GroupOrder::to(units.iter().copied(), Cell::new(12, 6)));
    assert!(work_until_placed(&mut game, group).len() > 100);
    assert_eq!(places(&game, group).len(), 6);
}

#[test]
fn group_that_is_cancelled_or_despawned_while_it_is_planned_leaves_nothing() {
    for is_despawned in [false, true] {
        let (mut game, map, units) = town(60, 1000);
        let group = game.order_group(order(&units, Formation::Box));
        game.ticks(3);
        assert!(places(&game, group).is_empty(), "it is still planned");
        if is_despawned {
            game.world_mut().despawn(group);
        } else {
            game.world_mut().entity_mut(group).remove::<GroupOrder>();
        }
        game.ticks(3);
        game.assert_free(&units);
        assert_eq!(game.diagnostics().work, 0);
        for entity in units.into_iter().chain([map]) {
            game.world_mut().despawn(entity);
        }
        game.ticks(2);
        assert_eq!(entries_kept(game.world()), 0);
        assert!(game.group_news().arrived.is_empty() && game.group_news().failed.is_empty());
    }
}

#[test]
fn newer_order_replaces_one_that_is_planned() {
    let (mut game, _, units) = town(60, 1000);
    let group = game.order_group(order(&units, Formation::Disc));
    game.ticks(3);
    let next = GroupOrder::to(units[..3].iter().copied(), Cell::new(5, 5));
    game.world_mut().entity_mut(group).insert(next);
    work_until_placed(&mut game, group);
    assert_eq!(places(&game, group).len(), 3);
    game.assert_free(&units[3..]);
}

#[test]
fn groups_are_planned_in_the_sequence_of_their_orders() {
    let (mut game, _, units) = town(60, 2000);
    let first = game.order_group(order(&units[..50], Formation::Disc));
    let second = game.order_group(GroupOrder::to(units[45..].iter().copied(), Cell::new(60, 20)));
    while places(&game, second).is_empty() {
        assert!(game.world().get::<GroupOrder>(second).is_some());
        game.tick();
        if places(&game, first).is_empty() {
            assert!(places(&game, second).is_empty(), "the older group comes first");
        }
    }
    game.tick();
    assert_eq!((places(&game, first).len(), places(&game, second).len()), (45, 15));
}

#[test]
fn group_keeps_its_old_order_until_the_new_one_is_planned() {
    let (mut game, _, units) = town(60, 1000);
    let group = game.order_group(order(&units, Formation::Disc));
    work_until_placed(&mut game, group);
    let old = places(&game, group);
    game.world_mut().entity_mut(group).insert(order(&units, Formation::Line));
    game.ticks(3);
    assert_eq!(places(&game, group), old);
    assert!(units.iter().all(|&unit| game.is_ordered(unit)));
    while places(&game, group) == old {
        game.tick();
    }
    assert_eq!(places(&game, group).len(), 60);
}

#[test]
fn member_leaves_a_group_that_is_planned_if_it_gets_an_order_or_is_despawned() {
    let (mut game, _, units) = town(60, 1000);
    let group = game.order_group(order(&units, Formation::Disc));
    game.ticks(3);
    game.order(units[0], PathRequest::to_cell(Cell::new(3, 3)).or_closest());
    game.world_mut().despawn(units[1]);
    work_until_placed(&mut game, group);
    let members: Vec<Entity> = game.world().get::<Group>(group).expect("it is there").members().collect();
    assert_eq!(members, units[2..]);
    assert!(game.is_ordered(units[0]));
}

#[test]
fn stop_pushed_to_a_group_that_is_planned_is_the_last_stop() {
    let (mut game, _, units) = town(20, 500);
    let group = game.order_group(order(&units, Formation::Disc));
    game.ticks(3);
    assert!(game.world_mut().get_mut::<Group>(group).expect("it is there").push(Cell::new(40, 60)));
    work_until_placed(&mut game, group);
    let far = |cell: &Cell| (cell.x - 40).abs().max((cell.y - 60).abs());
    assert!(places(&game, group).values().all(|cell| far(cell) < 8));
}

#[test]
fn map_edited_resized_or_removed_while_a_group_is_planned_is_taken_into_account() {
    for what in ["edited in every tick", "smaller", "removed"] {
        let (mut game, map, units) = town(60, 1000);
        let group = game.order_group(order(&units, Formation::Disc));
        game.ticks(3);
        match what {
            "edited in every tick" => {
                for turn in 0..2000 {
                    if !places(&game, group).is_empty() {
                        break;
                    }
                    game.set_terrain(map, 90, 90, u8::from(turn % 2 == 1));
                    game.tick();
                }
                assert_eq!(places(&game, group).len(), 60);
            }
            "smaller" => {
                let grid = bevy_tilepath::NavGrid::new(Grid::new(60, 60, 1).expect("the map is small"));
                game.world_mut().entity_mut(map).insert(grid);
                game.ticks(200);
                let news = game.group_news();
                assert!(!news.failed.is_empty() || !places(&game, group).is_empty());
            }
            _ => {
                game.world_mut().despawn(map);
                game.ticks(200);
                assert!(places(&game, group).is_empty());
                assert!(units.iter().all(|&unit| game.status(unit) == PathStatus::Idle));
            }
        }
    }
}

#[test]
fn member_that_grows_while_group_is_planned_shares_no_cell() {
    for late in [0, 1, 3, 8, 12] {
        let mut game = Game::new();
        game.budget(400);
        let big = Movement::new().with_size(Size::new(2).expect("a size"));
        let grid = NavGrid::new(Grid::new(40, 30, 1).expect("the map is small"));
        let projection = NavProjection::square(Vec2::splat(CELL), Vec2::splat(CELL / 2.0));
        game.world_mut().spawn((NavMap::default().with_movement("big", big), grid, projection));
        let units: Vec<Entity> = (0..9).map(|n| game.body(n % 3 * 2, n / 3 * 2, 96.0)).collect();
        let order = GroupOrder::to(units.iter().copied(), Cell::new(30, 15)).in_formation(Formation::Box);
        let group = game.order_group(order);
        game.ticks(late);
        assert!(places(&game, group).is_empty(), "the plan takes longer than {late} ticks");
        for &unit in &units[..3] {
            game.world_mut().entity_mut(unit).insert(AgentMovement::from("big"));
        }
        work_until_placed(&mut game, group);
        let mut covered = BTreeSet::new();
        for (unit, low) in places(&game, group) {
            let side = if units[..3].contains(&unit) { 2 } else { 1 };
            for cell in Size::new(side).expect("a size").footprint(low) {
                assert!(covered.insert(cell), "{cell} belongs to two places, changed after {late} ticks");
            }
        }
        game.run_to_end(group, 4000);
        assert_eq!(game.only_end(), [9, 0, 0, 0], "changed after {late} ticks");
    }
}

#[test]
fn member_taken_to_another_map_while_group_is_planned_is_planned_for_again() {
    let (mut game, map, units) = town(20, 400);
    let elsewhere = game.open_map(10, 10);
    for &unit in &units {
        game.world_mut().entity_mut(unit).insert(OnMap(map));
    }
    let group = game.order_group(order(&units, Formation::Box));
    game.ticks(3);
    game.world_mut().entity_mut(units[19]).insert(OnMap(elsewhere));
    game.tick();
    assert!(places(&game, group).is_empty(), "the plan takes longer than four ticks");
    work_until_placed(&mut game, group);
    let distinct: BTreeSet<Cell> = places(&game, group).into_values().collect();
    assert_eq!(distinct.len(), places(&game, group).len());
    game.tick_until(50, |game| !game.is_ordered(units[19]));
    assert!(matches!(game.status(units[19]), PathStatus::Failed(_)), "no door leads from there");
}
