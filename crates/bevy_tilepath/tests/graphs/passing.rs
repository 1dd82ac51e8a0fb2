//! What happens at doors and behind them: orders given there, ways that change there, goals that are not there.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, NavGrid, OnMap, PathFailure, PathRequest,
    doors::{Door, DoorEnd},
    events::PathPointReached,
    graphs::WaypointGraph,
};

use super::fixtures::*;
use crate::harness::{goal_off, start_off};

fn street() -> WaypointGraph {
    graph_of(&[("porch", 60.0, 15.0), ("gate", 195.0, 15.0)], &[("porch", "gate")])
}

/// A street, a barn of 3 by 3 cells at its end, and an agent at the other end of the street.
fn street_and_barn(door: impl FnOnce(Door) -> Door) -> (App, Entity, Entity, Entity) {
    let mut app = app();
    let street = spawn(&mut app, street());
    let barn = tile_map(&mut app, "...\n...\n...", Vec2::new(200.0, 0.0));
    let way_in = Door::new(DoorEnd::waypoint(street, "gate"), DoorEnd::cell(barn, Cell::new(0, 1)));
    app.world_mut().spawn(door(way_in));
    let walker = agent(&mut app, 60.0, 15.0, 10.0);
    app.world_mut().entity_mut(walker).insert(OnMap(street));
    (app, street, barn, walker)
}

fn on_map(app: &App, walker: Entity) -> Option<Entity> {
    app.world().get::<OnMap>(walker).map(|on_map| on_map.0)
}

#[test]
fn order_from_a_graph_to_a_cell_is_planned_again_behind_the_last_door() {
    for one_way in [true, false] {
        let (mut app, street, barn, walker) =
            street_and_barn(|door| if one_way { door.one_way() } else { door });
        order(&mut app, walker, PathRequest::to_cell(Cell::new(2, 1)).or_closest());
        while on_map(&app, walker) == Some(street) {
            step(&mut app, 1.0);
        }
        told(&mut app, walker);
        let edit = |app: &mut App, cell| {
            let mut grid = app.world_mut().get_mut::<NavGrid>(barn).unwrap();
            grid.set_terrain(Cell::from(cell), 0).unwrap();
        };
        edit(&mut app, (1, 1));
        step(&mut app, 0.01);
        assert_eq!(news(&mut app, walker), [blocked("(1, 1)"), replanned("(2, 1)")]);
        // As near as possible, too.
        edit(&mut app, (2, 1));
        step(&mut app, 0.01);
        let news = news(&mut app, walker);
        assert_eq!(news.len(), 2, "{news:?}");
        assert!(matches!(news[1], Told::Replanned(_)), "{news:?}");
        run_until_quiet(&mut app, walker, 1.0, 10);
    }
}

#[test]
fn order_given_at_a_waypoint_finds_him_behind_the_door_that_he_passed_in_the_same_step() {
    for is_cancelled in [false, true] {
        let (mut app, _, barn, walker) = street_and_barn(Door::leaping);
        app.add_observer(move |on: On<PathPointReached>, mut commands: Commands| {
            if on.place.waypoint() == Some("gate") {
                if is_cancelled {
                    commands.entity(on.entity).remove::<PathRequest>();
                } else {
                    commands.entity(on.entity).insert(PathRequest::to_cell(Cell::new(2, 0)).on_map(barn));
                }
            }
        });
        order(&mut app, walker, PathRequest::to_cell(Cell::new(2, 2)).on_map(barn));
        step(&mut app, 14.0);
        assert!(position(&app, walker).x > 200.0);
        assert_eq!(on_map(&app, walker), Some(barn), "cancelled: {is_cancelled}");
        assert_eq!(told(&mut app, walker), [found("(2, 2)"), Told::Reached("gate".into())]);
        if !is_cancelled {
            run_until_quiet(&mut app, walker, 0.5, 20);
            assert_eq!(news(&mut app, walker), [found("(2, 0)"), arrived("(2, 0)")]);
        }
    }
}

#[test]
fn map_given_at_a_waypoint_outweighs_the_door_passed_in_the_same_step() {
    let (mut app, _, barn, walker) = street_and_barn(Door::leaping);
    let island = spawn(&mut app, graph_of(&[("pier", 0.0, 0.0)], &[]));
    app.add_observer(move |on: On<PathPointReached>, mut commands: Commands| {
        commands.entity(on.entity).insert((OnMap(island), PathRequest::to_waypoint("pier")));
    });
    order(&mut app, walker, PathRequest::to_cell(Cell::new(2, 2)).on_map(barn));
    step(&mut app, 14.0);
    assert_eq!(on_map(&app, walker), Some(island));
}

#[test]
fn reasons_are_the_same_whether_or_not_a_door_leads_from_the_map() {
    let (mut app, street, barn, walker) = street_and_barn(|door| door);
    order(&mut app, walker, PathRequest::to_cell(Cell::new(99, 0)));
    step(&mut app, 0.1);
    assert_eq!(news(&mut app, walker), [Told::Failed(goal_off((99, 0), 3, 3))]);

    let farmer = agent(&mut app, 205.0, 5.0, 10.0);
    app.world_mut().entity_mut(farmer).insert(OnMap(barn));
    for (request, off) in [
        (PathRequest::to_cell(Cell::new(-1, 0)), (-1, 0)),
        (PathRequest::to_nearest([(1, 1), (3, 0)].map(Cell::from)), (3, 0)),
    ] {
        order(&mut app, farmer, request);
        step(&mut app, 0.1);
        assert_eq!(news(&mut app, farmer), [Told::Failed(goal_off(off, 3, 3))]);
    }
    let lost = agent(&mut app, 500.0, 5.0, 10.0);
    app.world_mut().entity_mut(lost).insert(OnMap(barn));
    order(&mut app, lost, PathRequest::to_cell(Cell::new(1, 1)));
    step(&mut app, 0.1);
    assert_eq!(news(&mut app, lost), [Told::Failed(start_off((30, 0), 3, 3))]);

    // A goal that goes while an agent is on its way there.
    go_to(&mut app, walker, "gate");
    step(&mut app, 1.0);
    told(&mut app, walker);
    edit(&mut app, street, |street| street.remove("gate").unwrap());
    step(&mut app, 0.1);
    assert_eq!(news(&mut app, walker), [blocked("gate"), Told::Lost(PathFailure::UnknownWaypoint)]);
}

#[test]
fn map_behind_a_door_that_moves_is_walked_to_without_a_jump() {
    let mut app = app();
    let quay = spawn(&mut app, graph_of(&[("quay", 0.0, 0.0)], &[]));
    let ship = spawn(&mut app, graph_of(&[("deck", 100.0, 0.0), ("mast", 100.0, 50.0)], &[("deck", "mast")]));
    app.world_mut().entity_mut(ship).insert(Transform::default());
    app.world_mut().spawn(Door::new(DoorEnd::waypoint(quay, "quay"), DoorEnd::waypoint(ship, "deck")));
    let walker = agent(&mut app, 0.0, 0.0, 10.0);
    app.world_mut().entity_mut(walker).insert(OnMap(quay));
    order(&mut app, walker, PathRequest::to_waypoint("mast").on_map(ship));
    step(&mut app, 5.0);
    assert_at(&app, walker, Vec2::new(50.0, 0.0));
    app.world_mut().get_mut::<Transform>(ship).unwrap().translation.y = 50.0;
    step(&mut app, 1.0);
    let walked = position(&app, walker).distance(Vec2::new(50.0, 0.0));
    assert!((walked - 10.0).abs() < 1e-2, "{walked}");
    run_until_quiet(&mut app, walker, 1.0, 30);
    assert_at(&app, walker, Vec2::new(100.0, 100.0));
}
