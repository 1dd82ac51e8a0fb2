//! Bodies that go through doors.

use bevy::{ecs::entity_disabling::Disabled, prelude::*};
use bevy_tilepath::{
    AgentMovement, Body, Cell, Motion, Movement, NavGraph, NavGrid, NavMap, NavProjection, OnMap, PathAgent,
    PathFailure, PathRequest, PathStatus,
    agents::{Drive, PathLine},
    doors::{Door, DoorEnd},
    graphs::WaypointGraph,
    queries::WhyNot,
    tilepath::{Grid, Size},
};

use super::bodies::{NEAR, least_distance};
use crate::harness::*;

/// Two rooms of eight by eight cells, side by side in the world, with a door between them.
fn two_rooms() -> (Game, [Entity; 2]) {
    let (mut game, near) = Game::open(8, 8);
    let far = game
        .world_mut()
        .spawn((
            NavMap::default(),
            NavGrid::new(Grid::new(8, 8, 1).expect("the map is small")),
            NavProjection::square(Vec2::splat(CELL), Vec2::new(20.5 * CELL, CELL / 2.0)),
        ))
        .id();
    game.world_mut()
        .spawn(Door::new(DoorEnd::cell(near, Cell::new(7, 4)), DoorEnd::cell(far, Cell::new(0, 4))));
    (game, [near, far])
}

#[test]
fn body_with_velocity_is_moved_through_door() {
    let (mut game, [near, far]) = two_rooms();
    let body = game.body(2, 2, 64.0);
    game.world_mut().get_mut::<PathAgent>(body).expect("it is an agent").drive = Drive::Velocity;
    game.world_mut().entity_mut(body).insert((OnMap(near), PathRequest::to_cell((5, 5)).on_map(far)));
    game.run_until_quiet(900);
    assert_eq!(game.status(body), PathStatus::Arrived);
    assert_eq!(game.position(body), centre(25, 5));
}

#[test]
fn body_with_spread_keeps_centres_in_door_and_on_graph() {
    let (mut game, [near, far]) = two_rooms();
    let mut quay = WaypointGraph::new();
    for (id, x) in [("ramp", 29.0), ("pier", 33.0)] {
        quay.add(id, (x * f64::from(CELL), 4.5 * f64::from(CELL))).expect("it is new");
    }
    quay.join("ramp", "pier").expect("both are there");
    let quay = game.world_mut().spawn((NavGraph::new(quay), Transform::default())).id();
    game.world_mut().spawn(Door::new(DoorEnd::cell(far, Cell::new(7, 4)), DoorEnd::waypoint(quay, "ramp")));
    let body = game.body(2, 2, 64.0);
    let mut agent = game.world_mut().get_mut::<PathAgent>(body).expect("it is an agent");
    (agent.line, agent.spread, agent.drive) = (PathLine::Straight, 0.4, Drive::Velocity);
    game.world_mut().entity_mut(body).insert(OnMap(near));
    for (goal, map) in [("pier", quay), ("back", near)] {
        let order = if map == quay { PathRequest::to_waypoint(goal) } else { PathRequest::to_cell((1, 6)) };
        game.world_mut().entity_mut(body).insert(order.on_map(map));
        game.tick_until(9, |game| game.status(body) == PathStatus::Following);
        let points = game.path(body).points().to_vec();
        let is_centre = |point: Vec2| {
            let cells = point / CELL - Vec2::splat(0.5);
            cells.distance(cells.round()) < 1e-4
        };
        let of_cells = points.iter().filter(|point| point.x < 28.5 * CELL);
        assert!(of_cells.clone().count() > 12 && of_cells.copied().all(is_centre), "{points:?}");
        while game.is_ordered(body) {
            game.tick();
            assert_eq!(game.path(body).points(), points, "{goal}, at {}", game.position(body) / CELL);
        }
        assert_eq!(game.status(body), PathStatus::Arrived);
        assert_eq!(game.position(body), *points.last().expect("it has walked"));
    }
}

#[test]
fn body_before_a_door_waits_for_the_body_in_it() {
    let (mut game, [near, far]) = two_rooms();
    let [first, second] = [(6, 4), (5, 4)].map(|(x, y)| game.body(x, y, 64.0));
    for (body, y) in [(first, 2), (second, 6)] {
        let order = PathRequest::to_cell((6, y)).on_map(far);
        game.world_mut().entity_mut(body).insert((OnMap(near), order));
    }
    let door =
        game.world_mut().query_filtered::<Entity, With<Door>>().single(game.world()).expect("one door");
    let mut reasons = Vec::new();
    while game.is_ordered(second) {
        game.tick();
        assert!(game.position(first).x > game.position(second).x || !game.is_ordered(first));
        let why = game.why_not(second);
        let stands = game.world().get::<Motion>(second).expect("it is an agent").velocity == Vec2::ZERO;
        if stands && game.cell_at(second) == Cell::new(7, 4) {
            reasons.push(why);
        }
    }
    assert!(reasons.len() > 60, "it waits while the first one passes: {}", reasons.len());
    assert!(reasons.contains(&Some(WhyNot::WaitingForDoor { door })), "{reasons:?}");
    assert!(!reasons.contains(&None), "{reasons:?}");
    assert_eq!(game.status(second), PathStatus::Arrived);
}

#[test]
fn doors_let_one_through_at_a_time() {
    let (mut game, [near, far]) = two_rooms();
    let bodies: Vec<Entity> = (0..10)
        .map(|n| {
            let body = game.body(n % 4, n / 4, 96.0);
            let order = PathRequest::to_cell((5, n)).on_map(far);
            let order = if n < 8 { order } else { PathRequest::to_cell((5, n - 8)).on_map(far) };
            game.world_mut().entity_mut(body).insert((OnMap(near), order));
            body
        })
        .collect();
    let mut ticks = 0;
    while bodies.iter().any(|&body| game.is_ordered(body)) {
        game.tick();
        ticks += 1;
        let stuck: Vec<_> =
            bodies.iter().map(|&body| (game.position(body) / CELL, game.status(body))).collect();
        assert!(ticks < 4000, "{stuck:?}");
        let on_maps: Vec<Entity> = (bodies.iter().copied())
            .filter(|&body| !(7.6..20.4).contains(&(game.position(body).x / CELL)))
            .collect();
        let least = least_distance(&game, &on_maps);
        assert!(least > NEAR, "{least} in tick {ticks}");
    }
    for &body in &bodies {
        assert_eq!(game.status(body), PathStatus::Arrived);
        assert_eq!(game.world().get::<OnMap>(body), Some(&OnMap(far)));
    }
}

/// Two maps of one row, side by side in the world, with a door between their last and first cell.
pub(super) fn two_rows(game: &mut Game) -> [Entity; 2] {
    let near = game.map("........");
    let far = game
        .world_mut()
        .spawn((
            NavMap::default(),
            NavGrid::new(Grid::new(8, 1, 1).expect("the map is small")),
            NavProjection::square(Vec2::splat(CELL), Vec2::new(12.5 * CELL, CELL / 2.0)),
        ))
        .id();
    let ends = [DoorEnd::cell(near, Cell::new(7, 0)), DoorEnd::cell(far, Cell::new(0, 0))];
    let [near_end, far_end] = ends;
    game.world_mut().spawn(Door::new(near_end, far_end));
    [near, far]
}

#[test]
fn two_that_meet_at_a_door_change_places_in_it() {
    let mut game = Game::new();
    let [near, far] = two_rows(&mut game);
    let there = game.body(7, 0, 64.0);
    let back = game.body(12, 0, 64.0);
    game.world_mut().entity_mut(there).insert((OnMap(near), PathRequest::to_cell((1, 0)).on_map(far)));
    game.world_mut().entity_mut(back).insert((OnMap(far), PathRequest::to_cell((6, 0)).on_map(near)));
    game.run_until_quiet(600);
    assert_eq!([there, back].map(|body| game.status(body)), [PathStatus::Arrived; 2]);
    assert_eq!([there, back].map(|body| game.cell_at(body)), [Cell::new(13, 0), Cell::new(6, 0)]);
}

#[test]
fn an_idle_one_behind_a_door_leaves_its_cell() {
    let mut game = Game::new();
    let [near, far] = two_rows(&mut game);
    let idle = game.body(12, 0, 64.0);
    game.world_mut().entity_mut(idle).insert(OnMap(far));
    let walker = game.body(5, 0, 64.0);
    game.world_mut().entity_mut(walker).insert((OnMap(near), PathRequest::to_cell((0, 0)).on_map(far)));
    game.run_until_quiet(600);
    assert_eq!(game.status(walker), PathStatus::Arrived);
    assert_eq!(game.cell_at(walker), Cell::new(12, 0));
    assert_ne!(game.cell_at(idle), Cell::new(12, 0));
}

#[test]
fn one_that_waits_behind_a_door_for_what_it_follows_leaves_the_cell() {
    let mut game = Game::new();
    let [near, far] = two_rows(&mut game);
    let banner = (OnMap(far), Transform::from_translation(centre(12, 0).extend(0.0)));
    let banner = game.world_mut().spawn(banner).id();
    let follower = game.body(15, 0, 64.0);
    game.world_mut().entity_mut(follower).insert((OnMap(far), PathRequest::to(banner).following()));
    game.ticks(200);
    assert_eq!(game.cell_at(follower), Cell::new(12, 0));
    let walker = game.body(5, 0, 64.0);
    game.world_mut().entity_mut(walker).insert((OnMap(near), PathRequest::to_cell((4, 0)).on_map(far)));
    game.ticks(600);
    assert_eq!(game.status(walker), PathStatus::Arrived, "{}", game.cell_at(follower));
}

#[test]
fn one_without_an_order_in_a_door_ends_the_patience_of_others() {
    let mut game = Game::new();
    let [near, far] = two_rows(&mut game);
    let first = game.body(7, 0, 64.0);
    game.world_mut().entity_mut(first).insert((OnMap(near), PathRequest::to_cell((4, 0)).on_map(far)));
    game.ticks(10);
    game.world_mut().entity_mut(first).remove::<PathRequest>();
    let walker = game.body(5, 0, 64.0);
    game.world_mut().entity_mut(walker).insert((OnMap(near), PathRequest::to_cell((3, 0)).on_map(far)));
    game.run_until_quiet(600);
    assert_eq!(game.status(walker), PathStatus::Failed(PathFailure::Blocked { by: first }));
}

#[test]
fn one_in_a_door_holds_the_cell_behind_it_as_the_body_that_it_is_by_now() {
    let mut game = Game::new();
    let [near, far] = two_rows(&mut game);
    let held = game.body(6, 0, 64.0);
    game.world_mut().entity_mut(held).insert((OnMap(near), PathRequest::to_cell((4, 0)).on_map(far)));
    while game.position(held).x < centre(9, 0).x {
        game.tick();
    }
    // The body halts in the door, and changes its layer there.
    game.world_mut().entity_mut(held).remove::<PathRequest>();
    game.tick();
    game.world_mut().entity_mut(held).insert(Body { layer: 2, blocks: 2 });
    game.tick();
    let [friend, other] = [1, 2].map(|layer| {
        let walker = game.body(14, 0, 64.0);
        let order = PathRequest::to_cell((0, 0)).or_wait();
        game.world_mut().entity_mut(walker).insert((OnMap(far), Body { layer, blocks: layer }, order));
        walker
    });
    game.ticks(200);
    assert_eq!(game.cell_at(friend), Cell::new(12, 0), "a body on another layer passes");
    assert_eq!(game.cell_at(other), Cell::new(13, 0), "the cell is held");
}

#[test]
fn one_that_holds_the_cell_behind_a_door_ends_the_patience_of_others() {
    let mut game = Game::new();
    let [near, far] = two_rows(&mut game);
    let crate_ = (Body::default(), OnMap(far), Transform::from_translation(centre(12, 0).extend(0.0)));
    let crate_ = game.world_mut().spawn(crate_).id();
    let walker = game.body(5, 0, 64.0);
    game.world_mut().entity_mut(walker).insert((OnMap(near), PathRequest::to_cell((3, 0)).on_map(far)));
    game.run_until_quiet(600);
    assert_eq!(game.body_news().waits, [(walker, crate_, Cell::new(0, 0))]);
    assert_eq!(game.status(walker), PathStatus::Failed(PathFailure::Blocked { by: crate_ }));
}

#[test]
fn a_wagon_and_a_walker_that_meet_at_a_door_pass() {
    let (mut game, near) = Game::open(8, 8);
    let wagon = Movement::new().with_size(Size::new(2).expect("2 is a size"));
    let rules = NavMap::default().with_movement("wagon", wagon);
    let projection = NavProjection::square(Vec2::splat(CELL), Vec2::new(20.5 * CELL, CELL / 2.0));
    let far = NavGrid::new(Grid::new(8, 8, 1).expect("the map is small"));
    let far = game.world_mut().spawn((rules.clone(), far, projection)).id();
    game.world_mut().entity_mut(near).insert(rules);
    let ends = [DoorEnd::cell(near, Cell::new(6, 4)), DoorEnd::cell(far, Cell::new(0, 4))];
    let [near_end, far_end] = ends;
    game.world_mut().spawn(Door::new(near_end, far_end));
    game.tick();
    let wagon = game.agent_at(centre(1, 4) + Vec2::splat(CELL / 2.0), 64.0);
    let order = PathRequest::to_cell((5, 1)).on_map(far);
    game.world_mut().entity_mut(wagon).insert((
        Body::default(),
        AgentMovement::from("wagon"),
        OnMap(near),
        order,
    ));
    let walker = game.body(25, 4, 64.0);
    game.world_mut().entity_mut(walker).insert((OnMap(far), PathRequest::to_cell((1, 1)).on_map(near)));
    game.run_until_quiet(2000);
    assert_eq!([wagon, walker].map(|body| game.status(body)), [PathStatus::Arrived; 2]);
    assert_eq!(game.cell_at(walker), Cell::new(1, 1));
    assert_eq!(game.position(wagon), centre(25, 1) + Vec2::splat(CELL / 2.0));
}

#[test]
fn where_each_waits_for_the_next_in_a_ring_of_doors_patience_ends() {
    let mut game = Game::new();
    let maps: Vec<Entity> = (0..3)
        .map(|n| {
            let projection = NavProjection::square(
                Vec2::splat(CELL),
                Vec2::new((4.0 * n as f32 + 0.5) * CELL, CELL / 2.0),
            );
            let grid = NavGrid::new(Grid::new(1, 1, 1).expect("the map is small"));
            game.world_mut().spawn((NavMap::default(), grid, projection)).id()
        })
        .collect();
    let end = |map: Entity| DoorEnd::cell(map, Cell::new(0, 0));
    for n in 0..3 {
        game.world_mut().spawn(Door::new(end(maps[n]), end(maps[(n + 1) % 3])).one_way());
    }
    let bodies = [0, 1, 2].map(|n| {
        let body = game.body(4 * n, 0, 64.0);
        let to = maps[(n as usize + 1) % 3];
        game.world_mut()
            .entity_mut(body)
            .insert((OnMap(maps[n as usize]), PathRequest::to_cell((0, 0)).on_map(to)));
        body
    });
    game.run_until_quiet(1000);
    for (n, &body) in bodies.iter().enumerate() {
        let by = bodies[(n + 1) % 3];
        assert_eq!(game.status(body), PathStatus::Failed(PathFailure::Blocked { by }));
    }
}

#[test]
fn doors_lead_onto_graphs_and_back() {
    let (mut game, map) = Game::drawn_as("........");
    let mut town = WaypointGraph::new();
    for (id, x) in [("gate", 10.5), ("well", 14.5)] {
        town.add(id, (x * f64::from(CELL), 0.5 * f64::from(CELL))).expect("it is new");
    }
    town.join("gate", "well").expect("both are there");
    let town = game.world_mut().spawn((NavGraph::new(town), Transform::default())).id();
    game.world_mut().spawn(Door::new(DoorEnd::cell(map, Cell::new(7, 0)), DoorEnd::waypoint(town, "gate")));
    let bodies: Vec<Entity> = (0..3).map(|x| game.body(x, 0, 96.0)).collect();
    for &body in &bodies {
        let order = PathRequest::to_waypoint("well").on_map(town);
        game.world_mut().entity_mut(body).insert((OnMap(map), order));
    }
    game.run_until_quiet(900);
    for (x, &body) in (0..).zip(&bodies) {
        assert_eq!(game.status(body), PathStatus::Arrived);
        game.world_mut().entity_mut(body).insert(PathRequest::to_cell((x, 0)).on_map(map));
    }
    game.run_until_quiet(900);
    for (x, &body) in (0..).zip(&bodies) {
        assert_eq!(game.cell_at(body), Cell::new(x, 0));
    }
}

/// Puts a walker into the door of [`two_rows`]. A body rests behind the door until `renew` rebuilds
/// the crowd there. A rival then walks to the cell behind the door.
///
/// Returns the game, the walker and the rival.
fn walker_in_door_to_renewed_crowd(renew: impl Fn(&mut Game, Entity)) -> (Game, Entity, Entity) {
    let mut game = Game::new();
    let [near, far] = two_rows(&mut game);
    let other = game.body(15, 0, 64.0);
    game.world_mut().entity_mut(other).insert(OnMap(far));
    let walker = game.body(6, 0, 64.0);
    game.world_mut().entity_mut(walker).insert((OnMap(near), PathRequest::to_cell((3, 0)).on_map(far)));
    while game.position(walker).x < centre(9, 0).x {
        game.tick();
    }
    renew(&mut game, far);
    game.tick();
    let rival = game.body(14, 0, 64.0);
    game.world_mut().entity_mut(rival).insert((OnMap(far), PathRequest::to_cell((0, 0)).or_wait()));
    for _ in 0..40 {
        game.tick();
        let is_in_door = game.position(walker).x < centre(12, 0).x;
        let holds = is_in_door && game.cell_at(rival) == Cell::new(12, 0);
        assert!(!holds, "the walker has claimed the cell behind the door");
    }
    (game, walker, rival)
}

fn new_grid(game: &mut Game, map: Entity, width: u32, height: u32) {
    let grid = Grid::new(width, height, 1).expect("the map is small");
    game.world_mut().entity_mut(map).insert(NavGrid::new(grid));
}

#[test]
fn body_in_door_keeps_its_claim_when_the_grid_behind_is_replaced() {
    for (width, height) in [(8, 1), (9, 2)] {
        let (mut game, walker, _) =
            walker_in_door_to_renewed_crowd(|game, far| new_grid(game, far, width, height));
        game.ticks(300);
        assert_eq!(game.status(walker), PathStatus::Arrived);
        assert_eq!(game.body_news().lost, []);
    }
}

#[test]
fn body_in_door_to_a_map_that_was_away_for_a_tick_goes_on_by_its_next_order() {
    let without_rules = |game: &mut Game, far: Entity| {
        game.world_mut().entity_mut(far).remove::<NavMap>();
        game.tick();
        game.world_mut().entity_mut(far).insert(NavMap::default());
    };
    let disabled = |game: &mut Game, far: Entity| {
        game.world_mut().entity_mut(far).insert(Disabled);
        game.tick();
        game.world_mut().entity_mut(far).remove::<Disabled>();
    };
    for renew in [without_rules as fn(&mut Game, Entity), disabled] {
        let (mut game, walker, rival) = walker_in_door_to_renewed_crowd(renew);
        assert_eq!(game.body_news().lost, [(walker, PathFailure::NoMap)]);
        assert!(game.position(walker).x < centre(12, 0).x, "it stands in the door");
        game.world_mut().entity_mut(rival).remove::<PathRequest>();
        let far = game.world().get::<OnMap>(rival).expect("it is on a map").0;
        game.world_mut().entity_mut(walker).insert(PathRequest::to_cell((2, 0)).on_map(far));
        game.run_until_quiet(600);
        assert_eq!(game.status(walker), PathStatus::Arrived);
    }
}
