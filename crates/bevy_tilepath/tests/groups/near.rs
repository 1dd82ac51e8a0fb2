//! Members that cannot come to their places: near to them, or lost.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentMovement, Cell, Movement, NavGrid, PathFailure, PathStatus,
    groups::{GroupFailure, GroupOrder},
    tilepath::CostTable,
};

use crate::harness::*;

/// Draws a wall over the whole height of the map.
fn wall(game: &mut Game, map: Entity, x: i32) {
    let mut grid = game.world_mut().get_mut::<NavGrid>(map).expect("the map is there");
    for y in 0..grid.bounds().height() as i32 {
        grid.set_terrain(Cell::new(x, y), 0).expect("it is on the map");
    }
}

#[test]
fn member_with_movement_that_closes_the_map_is_lost() {
    for is_body in [false, true] {
        for is_late in [false, true] {
            let (mut game, _) = Game::open(40, 20);
            let units: Vec<Entity> = (0..3)
                .map(|y| if is_body { game.body(2, y, 96.0) } else { game.agent(2, y, 96.0) })
                .collect();
            let nothing = AgentMovement::from(Movement::new().with_costs(CostTable::impassable()));
            if !is_late {
                game.world_mut().entity_mut(units[1]).insert(nothing.clone());
            }
            let group = game.order_group(GroupOrder::to(units.iter().copied(), Cell::new(35, 10)));
            game.ticks(20);
            if is_late {
                game.world_mut().entity_mut(units[1]).insert(nothing);
            }
            game.run_to_end(group, 900);
            assert_eq!(game.only_end(), [2, 0, 1, 0], "body {is_body}, late {is_late}");
            // A member that finds no place gets no order.
            let lost = PathStatus::Failed(PathFailure::Unreachable);
            assert_eq!(game.status(units[1]), if is_late { lost } else { PathStatus::Idle });
        }
    }
}

#[test]
fn member_that_walls_stop_is_near_within_twenty_steps_and_else_lost() {
    for (goal, is_near) in [(29, true), (30, true), (31, false), (38, false)] {
        for is_body in [false, true] {
            let (mut game, map) = Game::open(40, 1);
            let unit = if is_body { game.body(0, 0, 128.0) } else { game.agent(0, 0, 128.0) };
            let group = game.order_group(GroupOrder::to([unit], Cell::new(goal, 0)));
            game.ticks(5);
            wall(&mut game, map, 11);
            game.run_to_end(group, 900);
            assert_eq!(game.cell_at(unit), Cell::new(10, 0));
            if is_near {
                assert_eq!(game.only_end(), [0, 1, 0, 0], "the place is {goal}");
                assert_eq!(game.status(unit), PathStatus::Arrived);
            } else {
                let failed: Vec<_> = game.group_news().failed.iter().map(|end| end.reason).collect();
                assert_eq!(failed, [GroupFailure::NoneArrived { lost: 1 }], "the place is {goal}");
                assert_eq!(game.status(unit), PathStatus::Failed(PathFailure::Unreachable));
                let words = game.words_of(unit);
                assert!(words.ends_with("no path leads to the goal") || words.contains("lost"), "{words}");
            }
        }
    }
}

#[test]
fn wall_that_opens_again_before_the_end_loses_no_member() {
    let (mut game, map) = Game::open(40, 1);
    let unit = game.agent(0, 0, 64.0);
    let group = game.order_group(GroupOrder::to([unit], Cell::new(38, 0)));
    game.ticks(5);
    wall(&mut game, map, 11);
    game.tick_until(600, |game| game.cell_at(unit) == Cell::new(10, 0));
    game.set_terrain(map, 11, 0, 1);
    game.run_to_end(group, 900);
    assert_eq!(game.only_end(), [1, 0, 0, 0]);
}

#[test]
fn member_that_a_body_stops_is_near_within_twenty_steps_and_else_lost() {
    for (goal, is_near) in [(29, true), (31, false)] {
        let (mut game, _) = Game::open(40, 1);
        let unit = game.body(0, 0, 128.0);
        let other = game.body(11, 0, 0.0);
        let group = game.order_group(GroupOrder::to([unit], Cell::new(goal, 0)));
        game.run_to_end(group, 6000);
        assert_eq!((game.cell_at(unit), game.cell_at(other)), (Cell::new(10, 0), Cell::new(11, 0)));
        if is_near {
            assert_eq!(game.only_end(), [0, 1, 0, 0]);
        } else {
            let failed: Vec<_> = game.group_news().failed.iter().map(|end| end.reason).collect();
            assert_eq!(failed, [GroupFailure::NoneArrived { lost: 1 }]);
        }
    }
}
