//! Agents that stand on ground when it closes: they can leave it.

use std::collections::BTreeSet;

use bevy::{ecs::entity::EntityHashMap, prelude::*};
use bevy_tilepath::{
    AgentMovement, Cell, Movement, NavGrid, NavMap, NavProjection, Obstacle, PathAgent, PathRequest,
    PathStatus, TilepathState,
    agents::{Drive, PathLine},
    groups::GroupOrder,
    tilepath::{Bounds, Edit, Grid, Size},
};

use crate::harness::*;

fn area(x: i32, y: i32, width: u32, height: u32) -> Bounds {
    Bounds::new(Cell::new(x, y), width, height).expect("a small rectangle")
}

/// Nine units side by side, and what closes the cells under them.
fn nine(is_body: bool, has_walls: bool) -> (Game, Vec<Entity>) {
    let (mut game, map) = Game::open(16, 16);
    let places = (0..9).map(|number| (6 + number % 3, 6 + number / 3));
    let units: Vec<Entity> =
        places.map(|(x, y)| if is_body { game.body(x, y, 60.0) } else { game.agent(x, y, 60.0) }).collect();
    game.ticks(3);
    if has_walls {
        let mut grid = game.world_mut().get_mut::<NavGrid>(map).expect("it is there");
        grid.set_terrain_in(area(6, 6, 3, 3), 0).expect("it is on the map");
    } else {
        let site = game.thing(7, 7);
        let house = Obstacle { size: Vec2::splat(CELL * 2.9), ..default() };
        game.world_mut().entity_mut(site).insert(house);
    }
    game.ticks(3);
    (game, units)
}

#[test]
fn nine_units_leave_a_building_set_on_them() {
    for (is_body, has_walls) in [(false, false), (false, true), (true, false), (true, true)] {
        let (mut game, units) = nine(is_body, has_walls);
        for (number, &unit) in (0..).zip(&units) {
            game.order_to(unit, 1 + number % 3, 1 + number / 3);
        }
        game.ticks(900);
        for (number, &unit) in (0..).zip(&units) {
            let goal = Cell::new(1 + number % 3, 1 + number / 3);
            assert_eq!(game.cell_at(unit), goal, "bodies: {is_body}, walls: {has_walls}");
            assert_eq!(game.status(unit), PathStatus::Arrived);
        }
    }
}

/// A map with an area that colonists may not enter.
fn forbidden(bounds: Bounds) -> Game {
    let mut game = Game::new();
    let mut grid = Grid::new(24, 20, 1).expect("a small map");
    grid.edit(&[Edit::overlay_in("forbidden", bounds, Grid::CLOSING)]).expect("it is on the map");
    let rules = NavMap::default().with_movement("colonist", Movement::new().with_overlay("forbidden"));
    let projection = NavProjection::square(Vec2::splat(CELL), Vec2::splat(CELL / 2.0));
    game.world_mut().spawn((rules, NavGrid::new(grid), projection));
    game
}

#[test]
fn people_leave_a_forbidden_area() {
    for is_body in [false, true] {
        for deep in [0, 1, 4] {
            let mut game = forbidden(area(5, 5, 11, 11));
            let (x, y) = (5 + deep, 10);
            let unit = if is_body { game.body(x, y, 128.0) } else { game.agent(x, y, 128.0) };
            game.world_mut().entity_mut(unit).insert(AgentMovement::from("colonist"));
            game.order_to(unit, 0, 10);
            game.ticks(300);
            assert_eq!(game.cell_at(unit), Cell::new(0, 10), "bodies: {is_body}, {deep} cells deep");
        }
    }
}

#[test]
fn forty_people_leave_a_forbidden_area() {
    let mut game = forbidden(area(8, 6, 8, 8));
    let mut units = Vec::new();
    for number in 0..40 {
        let unit = game.agent(8 + number % 8, 7 + number / 8, 96.0);
        game.world_mut().entity_mut(unit).insert(AgentMovement::from("colonist"));
        game.order_to(unit, number % 4, number / 4);
        units.push(unit);
    }
    game.ticks(1800);
    for (number, &unit) in (0..).zip(&units) {
        assert_eq!(game.cell_at(unit), Cell::new(number % 4, number / 4));
    }
}

#[test]
fn wide_units_leave_ground_that_covers_half_of_them() {
    for is_body in [false, true] {
        for covered in [area(6, 6, 1, 2), area(6, 6, 2, 2), area(4, 4, 6, 6), area(7, 4, 9, 9)] {
            let (mut game, map) = Game::open(20, 20);
            let at = centre(6, 6) + Vec2::splat(CELL / 2.0);
            let unit = game.agent_at(at, 96.0);
            let wide = Movement::new().with_size(Size::new(2).expect("a size"));
            game.world_mut().entity_mut(unit).insert(AgentMovement::from(wide));
            if is_body {
                game.world_mut().entity_mut(unit).insert(bevy_tilepath::Body::default());
            }
            game.ticks(3);
            let mut grid = game.world_mut().get_mut::<NavGrid>(map).expect("it is there");
            grid.set_terrain_in(covered, 0).expect("it is on the map");
            game.order_to(unit, 1, 1);
            game.ticks(400);
            assert_eq!(game.status(unit), PathStatus::Arrived, "{covered} under it, bodies: {is_body}");
        }
    }
}

#[test]
fn an_order_goes_on_over_ground_that_comes_closed() {
    // The land under the unit is not there yet.
    let (mut game, map) = Game::open(16, 16);
    let unit = game.agent(8, 8, 64.0);
    game.ticks(2);
    let mut grid = game.world_mut().get_mut::<NavGrid>(map).expect("it is there");
    grid.edit(&[Edit::void_in(area(4, 4, 9, 9))]).expect("it is on the map");
    game.order_to(unit, 1, 8);
    game.ticks(10);
    assert_eq!(game.cell_at(unit), Cell::new(8, 8), "void cells are not entered");
    let mut grid = game.world_mut().get_mut::<NavGrid>(map).expect("it is there");
    grid.set_terrain_in(area(4, 4, 9, 9), 0).expect("it is on the map");
    game.order_to(unit, 1, 8);
    game.ticks(300);
    assert_eq!(game.cell_at(unit), Cell::new(1, 8));
}

#[test]
fn a_saved_game_goes_on_in_the_middle_of_closed_ground() {
    for is_body in [false, true] {
        let (mut game, units) = nine(is_body, false);
        let unit = units[4];
        game.order_to(unit, 1, 1);
        game.ticks(12);
        let state = TilepathState::take(game.world_mut()).expect("the plugin is there");
        let expected: Vec<Vec2> = (0..300).map(|_| (game.tick(), game.position(unit)).1).collect();
        assert_eq!(game.cell_at(unit), Cell::new(1, 1));
        let mut loaded = Game::new();
        let mut entities = EntityHashMap::default();
        state.put(loaded.world_mut(), &mut entities).expect("a new world fits every state");
        let again: Vec<Vec2> =
            (0..300).map(|_| (loaded.tick(), loaded.position(entities[&unit])).1).collect();
        assert_eq!(again, expected, "bodies: {is_body}");
    }
}

#[test]
fn a_driven_unit_is_led_out() {
    let (mut game, units) = nine(false, true);
    let unit = units[4];
    game.world_mut().get_mut::<PathAgent>(unit).expect("it is there").drive = Drive::Velocity;
    game.order_to(unit, 1, 1);
    for _ in 0..600 {
        game.tick();
        let velocity = game.world().get::<bevy_tilepath::Motion>(unit).expect("it is there").velocity;
        let mut place = game.world_mut().get_mut::<Transform>(unit).expect("it is there");
        place.translation += (velocity / 64.0).extend(0.0);
    }
    assert_eq!(game.status(unit), PathStatus::Arrived);
}

#[test]
fn forty_bodies_leave_a_forbidden_area() {
    let mut game = forbidden(area(10, 6, 8, 8));
    let mut units = Vec::new();
    for number in 0..40 {
        let unit = game.body(10 + number % 8, 7 + number / 8, 96.0);
        game.world_mut().entity_mut(unit).insert(AgentMovement::from("colonist"));
        game.order_to(unit, number % 4 * 2, number / 4 * 2);
        units.push(unit);
    }
    game.ticks(1800);
    for (number, &unit) in (0..).zip(&units) {
        assert_eq!(game.cell_at(unit), Cell::new(number % 4 * 2, number / 4 * 2), "number {number}");
    }
}

#[test]
fn the_closest_place_is_outside() {
    for is_body in [false, true] {
        let (mut game, units) = nine(is_body, false);
        for &unit in &units {
            game.order(unit, PathRequest::to_cell((7, 7)).or_closest());
        }
        game.ticks(600);
        for &unit in &units {
            assert!(!area(6, 6, 3, 3).contains(game.cell_at(unit)), "bodies: {is_body}");
        }
    }
}

#[test]
fn a_group_leaves_and_forms() {
    for is_body in [false, true] {
        let (mut game, units) = nine(is_body, false);
        let order = GroupOrder::to(units.iter().copied(), centre(2, 12));
        let group = game.order_group(order);
        game.run_to_end(group, 1200);
        let cells: BTreeSet<Cell> = units.iter().map(|&unit| game.cell_at(unit)).collect();
        assert_eq!(cells.len(), 9, "{cells:?}");
        assert!(cells.iter().all(|cell| cell.x < 6 && cell.y > 8), "bodies: {is_body}: {cells:?}");
    }
}

#[test]
fn chases_stops_and_straight_lines_begin_on_closed_ground() {
    for is_body in [false, true] {
        let (mut game, units) = nine(is_body, true);
        let prey = game.agent(13, 13, 0.0);
        let [chaser, patrol, liner] = [units[4], units[1], units[7]];
        game.world_mut().get_mut::<PathAgent>(liner).expect("it is there").line = PathLine::Straight;
        game.order(chaser, PathRequest::to(prey).following());
        game.order(patrol, PathRequest::to_cell((1, 1)).then(centre(1, 14)));
        game.order_to(liner, 14, 2);
        game.ticks(900);
        let (at, goal) = (game.cell_at(chaser), Cell::new(13, 13));
        assert!((at.x - goal.x).abs().max((at.y - goal.y).abs()) <= 1, "bodies: {is_body}: {at}");
        assert_eq!(game.cell_at(patrol), Cell::new(1, 14));
        assert_eq!(game.cell_at(liner), Cell::new(14, 2));
    }
}
