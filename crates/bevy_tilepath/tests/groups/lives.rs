//! Random groups, and a check that equal games have equal results.

use std::collections::BTreeMap;

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, NavGrid, PathRequest, entries_kept,
    groups::{Formation, Group, GroupOrder},
};
use rand::Rng;
use testkit::Seed;

use crate::harness::*;

/// Plays a random game. Checks that each group ends once and counts all its members, and that no
/// two bodies rest on one cell.
fn live(seed: u64) -> Vec<(u32, u32)> {
    let mut random = Seed::named(&format!("groups {seed}")).generator();
    let (mut game, map) = Game::open(32, 32);
    let mut units: Vec<Entity> =
        (0..24).map(|n| game.body(n % 8 * 2, n / 8 * 2, [48.0, 96.0][n as usize % 2])).collect();
    let mut given: BTreeMap<Entity, usize> = BTreeMap::new();
    let mut cancelled = Vec::new();
    for _ in 0..900 {
        match random.random_range(0..60) {
            0 | 1 => {
                let members: Vec<Entity> =
                    units.iter().copied().filter(|_| random.random_range(0..3) > 0).collect();
                let goal = Cell::new(random.random_range(0..32), random.random_range(0..32));
                let formation = Formation::ALL[random.random_range(0..Formation::ALL.len())];
                let mut group_order = GroupOrder::to(members.iter().copied(), goal).in_formation(formation);
                if random.random_range(0..2) == 0 {
                    group_order = group_order.then(Cell::new(random.random_range(0..32), 3));
                }
                if random.random_range(0..2) == 0 {
                    group_order = group_order.at_common_pace();
                }
                given.insert(game.order_group(group_order), members.len());
            }
            2 => {
                let unit = units[random.random_range(0..units.len())];
                let goal = Cell::new(random.random_range(0..32), random.random_range(0..32));
                game.world_mut().entity_mut(unit).insert(PathRequest::to_cell(goal));
            }
            3 if units.len() > 8 => {
                let unit = units.swap_remove(random.random_range(0..units.len()));
                game.world_mut().despawn(unit);
            }
            4 => {
                let unit = units[random.random_range(0..units.len())];
                game.world_mut().entity_mut(unit).remove::<PathRequest>();
            }
            5 => {
                let cell = Cell::new(random.random_range(0..32), random.random_range(0..32));
                let mut grid = game.world_mut().get_mut::<NavGrid>(map).expect("the map is there");
                let class = u8::from(random.random_range(0..2) == 0);
                grid.set_terrain(cell, class).expect("it is on the map");
            }
            6 => {
                let groups: Vec<Entity> = given.keys().copied().collect();
                if let Some(&group) = groups.last()
                    && let Some(mut group) = game.world_mut().get_mut::<Group>(group)
                {
                    group.push(Cell::new(random.random_range(0..32), random.random_range(0..32)));
                }
            }
            7 => {
                let under_way: Vec<Entity> = given
                    .keys()
                    .copied()
                    .filter(|&group| game.world().get::<GroupOrder>(group).is_some())
                    .collect();
                if !under_way.is_empty() {
                    let group = under_way[random.random_range(0..under_way.len())];
                    game.world_mut().despawn(group);
                    cancelled.push(group);
                }
            }
            _ => {}
        }
        game.tick();
    }
    for _ in 0..3000 {
        let is_over = |group: &Entity| game.world().get::<GroupOrder>(*group).is_none();
        if given.keys().all(is_over) {
            break;
        }
        game.tick();
    }
    let mut ends: BTreeMap<Entity, usize> = BTreeMap::new();
    for end in &game.group_news().arrived {
        *ends.entry(end.entity).or_default() += 1;
        let all = end.arrived + end.with_shortfall + end.lost + end.left;
        assert_eq!(all, given[&end.entity], "each member is counted once: {end:?}");
    }
    for end in &game.group_news().failed {
        *ends.entry(end.entity).or_default() += 1;
    }
    for group in given.keys() {
        // An order has no event if it is cancelled, or if later orders took all its members.
        let most = usize::from(!cancelled.contains(group));
        assert!(ends.get(group).copied().unwrap_or(0) <= most, "seed {seed}");
        assert!(game.world().get::<GroupOrder>(*group).is_none(), "seed {seed}");
    }
    assert!(!ends.is_empty(), "seed {seed}: no group came to an end of its own");
    game.ticks(400);
    game.cells_of(&units);
    let places = units.iter().map(|&unit| game.position(unit)).map(|at| (at.x.to_bits(), at.y.to_bits()));
    let places = places.collect();
    let all: Vec<Entity> = units.iter().copied().chain([map]).collect();
    for entity in all {
        game.world_mut().despawn(entity);
    }
    game.ticks(2);
    assert_eq!(entries_kept(game.world()), 0);
    places
}

#[test]
fn groups_live_through_orders_deaths_and_walls() {
    for seed in 0..4 {
        live(seed);
    }
}

#[test]
fn the_same_game_takes_the_same_course() {
    assert_eq!(live(77), live(77));
}
