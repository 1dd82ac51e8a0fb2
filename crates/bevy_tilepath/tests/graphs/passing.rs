//! Doors and the ground behind them: orders that are given there, paths that change there, and
//! goals that are missing there.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, NavGrid, OnMap, PathFailure, PathRequest,
    doors::{Door, DoorEnd},
    events::PathPointReached,
    graphs::WaypointGraph,
};

use super::fixtures::*;
use crate::harness::*;

fn street() -> WaypointGraph {
    graph_of(&[("porch", 60.0, 15.0), ("gate", 195.0, 15.0)], &[("porch", "gate")])
}

/// Starts a game with a street and a barn of 3 by 3 cells at its end. An agent stands at the other
/// end of the street.
fn street_and_barn(door: impl FnOnce(Door) -> Door) -> (Game, Entity, Entity, Entity) {
    let mut game = Game::long_steps();
    let street = game.graph(street());
    let barn = game.tile_map("...\n...\n...", Vec2::new(200.0, 0.0));
    let way_in = Door::new(DoorEnd::waypoint(street, "gate"), DoorEnd::cell(barn, Cell::new(0, 1)));
    game.world_mut().spawn(door(way_in));
    let walker = game.walker(60.0, 15.0, 10.0);
    game.world_mut().entity_mut(walker).insert(OnMap(street));
    (game, street, barn, walker)
}

fn on_map(game: &Game, walker: Entity) -> Option<Entity> {
    game.world().get::<OnMap>(walker).map(|on_map| on_map.0)
}

#[test]
fn order_from_a_graph_to_a_cell_is_planned_again_behind_the_last_door() {
    for one_way in [true, false] {
        let (mut game, street, barn, walker) =
            street_and_barn(|door| if one_way { door.one_way() } else { door });
        game.order(walker, PathRequest::to_cell(Cell::new(2, 1)).or_closest());
        while on_map(&game, walker) == Some(street) {
            game.step(1.0);
        }
        game.named_of(walker);
        let wall_up = |game: &mut Game, cell| {
            let mut grid = game.world_mut().get_mut::<NavGrid>(barn).unwrap();
            grid.set_terrain(Cell::from(cell), 0).unwrap();
        };
        wall_up(&mut game, (1, 1));
        game.step(0.01);
        assert_eq!(game.news_of(walker), [blocked("(1, 1)"), replanned("(2, 1)")]);
        // The order also leads as near as possible.
        wall_up(&mut game, (2, 1));
        game.step(0.01);
        let news = game.news_of(walker);
        assert_eq!(news.len(), 2, "{news:?}");
        assert!(matches!(news[1], Told::Replanned { .. }), "{news:?}");
        game.step_until_quiet(walker, 1.0, 10);
    }
}

#[test]
fn order_at_a_waypoint_starts_behind_the_door_passed_in_the_same_step() {
    for is_cancelled in [false, true] {
        let (mut game, _, barn, walker) = street_and_barn(Door::leaping);
        game.add_observer(move |on: On<PathPointReached>, mut commands: Commands| {
            if on.place.waypoint() == Some("gate") {
                if is_cancelled {
                    commands.entity(on.entity).remove::<PathRequest>();
                } else {
                    commands.entity(on.entity).insert(PathRequest::to_cell(Cell::new(2, 0)).on_map(barn));
                }
            }
        });
        game.order(walker, PathRequest::to_cell(Cell::new(2, 2)).on_map(barn));
        game.step(14.0);
        assert!(game.position(walker).x > 200.0);
        assert_eq!(on_map(&game, walker), Some(barn), "cancelled: {is_cancelled}");
        assert_eq!(game.named_of(walker), [found("(2, 2)"), Told::Reached("gate".into())]);
        if !is_cancelled {
            game.step_until_quiet(walker, 0.5, 20);
            assert_eq!(game.news_of(walker), [found("(2, 0)"), arrived("(2, 0)")]);
        }
    }
}

#[test]
fn map_given_at_a_waypoint_outweighs_the_door_passed_in_the_same_step() {
    let (mut game, _, barn, walker) = street_and_barn(Door::leaping);
    let island = game.graph(graph_of(&[("pier", 0.0, 0.0)], &[]));
    game.add_observer(move |on: On<PathPointReached>, mut commands: Commands| {
        commands.entity(on.entity).insert((OnMap(island), PathRequest::to_waypoint("pier")));
    });
    game.order(walker, PathRequest::to_cell(Cell::new(2, 2)).on_map(barn));
    game.step(14.0);
    assert_eq!(on_map(&game, walker), Some(island));
}

#[test]
fn reasons_are_the_same_whether_or_not_a_door_leads_from_the_map() {
    let (mut game, street, barn, walker) = street_and_barn(|door| door);
    game.order(walker, PathRequest::to_cell(Cell::new(99, 0)));
    game.step(0.1);
    assert_eq!(game.news_of(walker), [Told::Failed(goal_off((99, 0), 3, 3))]);

    let farmer = game.walker(205.0, 5.0, 10.0);
    game.world_mut().entity_mut(farmer).insert(OnMap(barn));
    for (request, off) in [
        (PathRequest::to_cell(Cell::new(-1, 0)), (-1, 0)),
        (PathRequest::to_nearest([(1, 1), (3, 0)].map(Cell::from)), (3, 0)),
    ] {
        game.order(farmer, request);
        game.step(0.1);
        assert_eq!(game.news_of(farmer), [Told::Failed(goal_off(off, 3, 3))]);
    }
    let lost = game.walker(500.0, 5.0, 10.0);
    game.world_mut().entity_mut(lost).insert(OnMap(barn));
    game.order(lost, PathRequest::to_cell(Cell::new(1, 1)));
    game.step(0.1);
    assert_eq!(game.news_of(lost), [Told::Failed(start_off((30, 0), 3, 3))]);

    // The goal is removed while the agent walks to it.
    game.order_to_waypoint(walker, "gate");
    game.step(1.0);
    game.named_of(walker);
    game.edit_graph(street, |street| street.remove("gate").unwrap());
    game.step(0.1);
    assert_eq!(game.news_of(walker), [blocked("gate"), Told::Lost(PathFailure::UnknownWaypoint)]);
}

#[test]
fn map_behind_a_door_that_moves_is_walked_to_without_a_jump() {
    let mut game = Game::long_steps();
    let quay = game.graph(graph_of(&[("quay", 0.0, 0.0)], &[]));
    let ship = game.graph(graph_of(&[("deck", 100.0, 0.0), ("mast", 100.0, 50.0)], &[("deck", "mast")]));
    game.world_mut().entity_mut(ship).insert(Transform::default());
    game.world_mut().spawn(Door::new(DoorEnd::waypoint(quay, "quay"), DoorEnd::waypoint(ship, "deck")));
    let walker = game.walker(0.0, 0.0, 10.0);
    game.world_mut().entity_mut(walker).insert(OnMap(quay));
    game.order(walker, PathRequest::to_waypoint("mast").on_map(ship));
    game.step(5.0);
    game.assert_at(walker, Vec2::new(50.0, 0.0));
    game.world_mut().get_mut::<Transform>(ship).unwrap().translation.y = 50.0;
    game.step(1.0);
    let walked = game.position(walker).distance(Vec2::new(50.0, 0.0));
    assert!((walked - 10.0).abs() < 1e-2, "{walked}");
    game.step_until_quiet(walker, 1.0, 30);
    game.assert_at(walker, Vec2::new(100.0, 100.0));
}
