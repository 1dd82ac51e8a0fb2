//! Agents that do not share their cells, and go through doors.

use bevy::{ecs::entity_disabling::Disabled, prelude::*};
use bevy_tilepath::{
    AgentMovement, Body, Cell, Movement, NavGraph, NavGrid, NavMap, NavProjection, OnMap, PathFailure,
    PathRequest, PathStatus,
    doors::{Door, DoorEnd},
    graphs::WaypointGraph,
    tilepath::{Grid, Size},
};

use super::{
    bodies::{NEAR, body, body_app, cell_at, heard, least_distance},
    fixtures::*,
};
use crate::harness::tick;

#[test]
fn doors_let_one_through_at_a_time() {
    let mut app = body_app();
    let near = open_map(&mut app, 8, 8);
    let far = app
        .world_mut()
        .spawn((
            NavMap::default(),
            NavGrid::new(Grid::new(8, 8, 1).expect("the map is small")),
            NavProjection::square(Vec2::splat(CELL), Vec2::new(20.5 * CELL, CELL / 2.0)),
        ))
        .id();
    app.world_mut()
        .spawn(Door::new(DoorEnd::cell(near, Cell::new(7, 4)), DoorEnd::cell(far, Cell::new(0, 4))));
    let bodies: Vec<Entity> = (0..10)
        .map(|n| {
            let body = body(&mut app, n % 4, n / 4, 96.0);
            let order = PathRequest::to_cell((5, n)).on_map(far);
            let order = if n < 8 { order } else { PathRequest::to_cell((5, n - 8)).on_map(far) };
            app.world_mut().entity_mut(body).insert((OnMap(near), order));
            body
        })
        .collect();
    let mut ticks = 0;
    while bodies.iter().any(|&body| is_ordered(&app, body)) {
        tick(&mut app);
        ticks += 1;
        let stuck: Vec<_> =
            bodies.iter().map(|&body| (position(&app, body) / CELL, status(&app, body))).collect();
        assert!(ticks < 4000, "{stuck:?}");
        let on_maps: Vec<Entity> = (bodies.iter().copied())
            .filter(|&body| !(7.6..20.4).contains(&(position(&app, body).x / CELL)))
            .collect();
        let least = least_distance(&app, &on_maps);
        assert!(least > NEAR, "{least} in tick {ticks}");
    }
    for &body in &bodies {
        assert_eq!(status(&app, body), PathStatus::Arrived);
        assert_eq!(app.world().get::<OnMap>(body), Some(&OnMap(far)));
    }
}

/// Two maps of one row, side by side in the world, with a door between their last and first cell.
pub(super) fn two_rows(app: &mut App) -> [Entity; 2] {
    let near = map(app, "........");
    let far = app
        .world_mut()
        .spawn((
            NavMap::default(),
            NavGrid::new(Grid::new(8, 1, 1).expect("the map is small")),
            NavProjection::square(Vec2::splat(CELL), Vec2::new(12.5 * CELL, CELL / 2.0)),
        ))
        .id();
    let ends = [DoorEnd::cell(near, Cell::new(7, 0)), DoorEnd::cell(far, Cell::new(0, 0))];
    let [near_end, far_end] = ends;
    app.world_mut().spawn(Door::new(near_end, far_end));
    [near, far]
}

#[test]
fn two_that_meet_at_a_door_change_places_in_it() {
    let mut app = body_app();
    let [near, far] = two_rows(&mut app);
    let there = body(&mut app, 7, 0, 64.0);
    let back = body(&mut app, 12, 0, 64.0);
    app.world_mut().entity_mut(there).insert((OnMap(near), PathRequest::to_cell((1, 0)).on_map(far)));
    app.world_mut().entity_mut(back).insert((OnMap(far), PathRequest::to_cell((6, 0)).on_map(near)));
    run_until_quiet(&mut app, 600);
    assert_eq!([there, back].map(|body| status(&app, body)), [PathStatus::Arrived; 2]);
    assert_eq!([there, back].map(|body| cell_at(&app, body)), [Cell::new(13, 0), Cell::new(6, 0)]);
}

#[test]
fn an_idle_one_behind_a_door_leaves_its_cell() {
    let mut app = body_app();
    let [near, far] = two_rows(&mut app);
    let idle = body(&mut app, 12, 0, 64.0);
    app.world_mut().entity_mut(idle).insert(OnMap(far));
    let walker = body(&mut app, 5, 0, 64.0);
    app.world_mut().entity_mut(walker).insert((OnMap(near), PathRequest::to_cell((0, 0)).on_map(far)));
    run_until_quiet(&mut app, 600);
    assert_eq!(status(&app, walker), PathStatus::Arrived);
    assert_eq!(cell_at(&app, walker), Cell::new(12, 0));
    assert_ne!(cell_at(&app, idle), Cell::new(12, 0));
}

#[test]
fn one_that_waits_behind_a_door_for_what_it_follows_leaves_the_cell() {
    let mut app = body_app();
    let [near, far] = two_rows(&mut app);
    let banner = (OnMap(far), Transform::from_translation(centre(12, 0).extend(0.0)));
    let banner = app.world_mut().spawn(banner).id();
    let follower = body(&mut app, 15, 0, 64.0);
    app.world_mut().entity_mut(follower).insert((OnMap(far), PathRequest::to(banner).following()));
    for _ in 0..200 {
        tick(&mut app);
    }
    assert_eq!(cell_at(&app, follower), Cell::new(12, 0));
    let walker = body(&mut app, 5, 0, 64.0);
    app.world_mut().entity_mut(walker).insert((OnMap(near), PathRequest::to_cell((4, 0)).on_map(far)));
    for _ in 0..600 {
        tick(&mut app);
    }
    assert_eq!(status(&app, walker), PathStatus::Arrived, "{}", cell_at(&app, follower));
}

#[test]
fn one_without_an_order_in_a_door_ends_the_patience_of_others() {
    let mut app = body_app();
    let [near, far] = two_rows(&mut app);
    let first = body(&mut app, 7, 0, 64.0);
    app.world_mut().entity_mut(first).insert((OnMap(near), PathRequest::to_cell((4, 0)).on_map(far)));
    for _ in 0..10 {
        tick(&mut app);
    }
    app.world_mut().entity_mut(first).remove::<PathRequest>();
    let walker = body(&mut app, 5, 0, 64.0);
    app.world_mut().entity_mut(walker).insert((OnMap(near), PathRequest::to_cell((3, 0)).on_map(far)));
    run_until_quiet(&mut app, 600);
    assert_eq!(status(&app, walker), PathStatus::Failed(PathFailure::Blocked { by: first }));
}

#[test]
fn one_in_a_door_holds_the_cell_behind_it_as_the_body_that_it_is_by_now() {
    let mut app = body_app();
    let [near, far] = two_rows(&mut app);
    let held = body(&mut app, 6, 0, 64.0);
    app.world_mut().entity_mut(held).insert((OnMap(near), PathRequest::to_cell((4, 0)).on_map(far)));
    while position(&app, held).x < centre(9, 0).x {
        tick(&mut app);
    }
    // It halts in the door, and is of another layer from now on.
    app.world_mut().entity_mut(held).remove::<PathRequest>();
    tick(&mut app);
    app.world_mut().entity_mut(held).insert(Body { layer: 2, blocks: 2 });
    tick(&mut app);
    let [friend, other] = [1, 2].map(|layer| {
        let walker = body(&mut app, 14, 0, 64.0);
        let order = PathRequest::to_cell((0, 0)).or_wait();
        app.world_mut().entity_mut(walker).insert((OnMap(far), Body { layer, blocks: layer }, order));
        walker
    });
    for _ in 0..200 {
        tick(&mut app);
    }
    assert_eq!(cell_at(&app, friend), Cell::new(12, 0), "of another layer it passes");
    assert_eq!(cell_at(&app, other), Cell::new(13, 0), "the cell is held");
}

#[test]
fn one_that_holds_the_cell_behind_a_door_ends_the_patience_of_others() {
    let mut app = body_app();
    let [near, far] = two_rows(&mut app);
    let crate_ = (Body::default(), OnMap(far), Transform::from_translation(centre(12, 0).extend(0.0)));
    let crate_ = app.world_mut().spawn(crate_).id();
    let walker = body(&mut app, 5, 0, 64.0);
    app.world_mut().entity_mut(walker).insert((OnMap(near), PathRequest::to_cell((3, 0)).on_map(far)));
    run_until_quiet(&mut app, 600);
    assert_eq!(heard(&app).waits, [(walker, crate_, Cell::new(0, 0))]);
    assert_eq!(status(&app, walker), PathStatus::Failed(PathFailure::Blocked { by: crate_ }));
}

#[test]
fn a_wagon_and_a_walker_that_meet_at_a_door_pass() {
    let mut app = body_app();
    let near = open_map(&mut app, 8, 8);
    let wagon = Movement::new().with_size(Size::new(2).expect("2 is a size"));
    let rules = NavMap::default().with_movement("wagon", wagon);
    let projection = NavProjection::square(Vec2::splat(CELL), Vec2::new(20.5 * CELL, CELL / 2.0));
    let far = NavGrid::new(Grid::new(8, 8, 1).expect("the map is small"));
    let far = app.world_mut().spawn((rules.clone(), far, projection)).id();
    app.world_mut().entity_mut(near).insert(rules);
    let ends = [DoorEnd::cell(near, Cell::new(6, 4)), DoorEnd::cell(far, Cell::new(0, 4))];
    let [near_end, far_end] = ends;
    app.world_mut().spawn(Door::new(near_end, far_end));
    tick(&mut app);
    let wagon = agent_at(&mut app, centre(1, 4) + Vec2::splat(CELL / 2.0), 64.0);
    let order = PathRequest::to_cell((5, 1)).on_map(far);
    app.world_mut().entity_mut(wagon).insert((
        Body::default(),
        AgentMovement::from("wagon"),
        OnMap(near),
        order,
    ));
    let walker = body(&mut app, 25, 4, 64.0);
    app.world_mut().entity_mut(walker).insert((OnMap(far), PathRequest::to_cell((1, 1)).on_map(near)));
    run_until_quiet(&mut app, 2000);
    assert_eq!([wagon, walker].map(|body| status(&app, body)), [PathStatus::Arrived; 2]);
    assert_eq!(cell_at(&app, walker), Cell::new(1, 1));
    assert_eq!(position(&app, wagon), centre(25, 1) + Vec2::splat(CELL / 2.0));
}

#[test]
fn where_each_waits_for_the_next_in_a_ring_of_doors_patience_ends() {
    let mut app = body_app();
    let maps: Vec<Entity> = (0..3)
        .map(|n| {
            let projection = NavProjection::square(
                Vec2::splat(CELL),
                Vec2::new((4.0 * n as f32 + 0.5) * CELL, CELL / 2.0),
            );
            let grid = NavGrid::new(Grid::new(1, 1, 1).expect("the map is small"));
            app.world_mut().spawn((NavMap::default(), grid, projection)).id()
        })
        .collect();
    let end = |map: Entity| DoorEnd::cell(map, Cell::new(0, 0));
    for n in 0..3 {
        app.world_mut().spawn(Door::new(end(maps[n]), end(maps[(n + 1) % 3])).one_way());
    }
    let bodies = [0, 1, 2].map(|n| {
        let body = body(&mut app, 4 * n, 0, 64.0);
        let to = maps[(n as usize + 1) % 3];
        app.world_mut()
            .entity_mut(body)
            .insert((OnMap(maps[n as usize]), PathRequest::to_cell((0, 0)).on_map(to)));
        body
    });
    run_until_quiet(&mut app, 1000);
    for (n, &body) in bodies.iter().enumerate() {
        let by = bodies[(n + 1) % 3];
        assert_eq!(status(&app, body), PathStatus::Failed(PathFailure::Blocked { by }));
    }
}

#[test]
fn doors_lead_onto_graphs_and_back() {
    let mut app = crate::harness::app();
    note_simulated(&mut app);
    let map = map(&mut app, "........");
    let mut town = WaypointGraph::new();
    for (id, x) in [("gate", 10.5), ("well", 14.5)] {
        town.add(id, (x * f64::from(CELL), 0.5 * f64::from(CELL))).expect("it is new");
    }
    town.join("gate", "well").expect("both are there");
    let town = app.world_mut().spawn((NavGraph::new(town), Transform::default())).id();
    app.world_mut().spawn(Door::new(DoorEnd::cell(map, Cell::new(7, 0)), DoorEnd::waypoint(town, "gate")));
    let bodies: Vec<Entity> = (0..3).map(|x| body(&mut app, x, 0, 96.0)).collect();
    for &body in &bodies {
        let order = PathRequest::to_waypoint("well").on_map(town);
        app.world_mut().entity_mut(body).insert((OnMap(map), order));
    }
    run_until_quiet(&mut app, 900);
    for (x, &body) in (0..).zip(&bodies) {
        assert_eq!(status(&app, body), PathStatus::Arrived);
        app.world_mut().entity_mut(body).insert(PathRequest::to_cell((x, 0)).on_map(map));
    }
    run_until_quiet(&mut app, 900);
    for (x, &body) in (0..).zip(&bodies) {
        assert_eq!(cell_at(&app, body), Cell::new(x, 0));
    }
}

/// A walker in the door of [`two_rows`], and a body that rests behind it, until the crowd behind is made anew by `renew`. A rival that
/// would stand behind the door comes later. Returns the app, the walker, and the rival.
fn walker_in_door_to_renewed_crowd(renew: impl Fn(&mut App, Entity)) -> (App, Entity, Entity) {
    let mut app = body_app();
    let [near, far] = two_rows(&mut app);
    let other = body(&mut app, 15, 0, 64.0);
    app.world_mut().entity_mut(other).insert(OnMap(far));
    let walker = body(&mut app, 6, 0, 64.0);
    app.world_mut().entity_mut(walker).insert((OnMap(near), PathRequest::to_cell((3, 0)).on_map(far)));
    while position(&app, walker).x < centre(9, 0).x {
        tick(&mut app);
    }
    renew(&mut app, far);
    tick(&mut app);
    let rival = body(&mut app, 14, 0, 64.0);
    app.world_mut().entity_mut(rival).insert((OnMap(far), PathRequest::to_cell((0, 0)).or_wait()));
    for _ in 0..40 {
        tick(&mut app);
        let is_in_door = position(&app, walker).x < centre(12, 0).x;
        let holds = is_in_door && cell_at(&app, rival) == Cell::new(12, 0);
        assert!(!holds, "the walker has claimed the cell behind the door");
    }
    (app, walker, rival)
}

fn new_grid(app: &mut App, map: Entity, width: u32, height: u32) {
    let grid = Grid::new(width, height, 1).expect("the map is small");
    app.world_mut().entity_mut(map).insert(NavGrid::new(grid));
}

#[test]
fn body_in_door_keeps_its_claim_when_the_grid_behind_is_replaced() {
    for (width, height) in [(8, 1), (9, 2)] {
        let (mut app, walker, _) =
            walker_in_door_to_renewed_crowd(|app, far| new_grid(app, far, width, height));
        for _ in 0..300 {
            tick(&mut app);
        }
        assert_eq!(status(&app, walker), PathStatus::Arrived);
        assert_eq!(heard(&app).lost, []);
    }
}

#[test]
fn body_in_door_to_a_map_that_was_away_for_a_tick_goes_on_by_its_next_order() {
    let without_rules = |app: &mut App, far: Entity| {
        app.world_mut().entity_mut(far).remove::<NavMap>();
        tick(app);
        app.world_mut().entity_mut(far).insert(NavMap::default());
    };
    let disabled = |app: &mut App, far: Entity| {
        app.world_mut().entity_mut(far).insert(Disabled);
        tick(app);
        app.world_mut().entity_mut(far).remove::<Disabled>();
    };
    for renew in [without_rules as fn(&mut App, Entity), disabled] {
        let (mut app, walker, rival) = walker_in_door_to_renewed_crowd(renew);
        assert_eq!(heard(&app).lost, [(walker, PathFailure::NoMap)]);
        assert!(position(&app, walker).x < centre(12, 0).x, "it stands in the door");
        app.world_mut().entity_mut(rival).remove::<PathRequest>();
        let far = app.world().get::<OnMap>(rival).expect("it is on a map").0;
        app.world_mut().entity_mut(walker).insert(PathRequest::to_cell((2, 0)).on_map(far));
        run_until_quiet(&mut app, 600);
        assert_eq!(status(&app, walker), PathStatus::Arrived);
    }
}
