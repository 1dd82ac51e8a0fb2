//! Agents that do not share their cells.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentMovement, Arrived, Body, BodyPatience, Cell, Cost, Diagonals, MapAgents, Movement, NavMap, NavQuery,
    OnMap, PathAgent, PathFailure, PathLost, PathRequest, PathStatus, PathStops, Stepwise,
    TilepathDiagnostics, WaitOver, WaitingFor, WhyNot,
    tilepath::{
        Size,
        crowd::{Patience, Policy},
    },
};

use super::fixtures::*;
use crate::harness::tick;

/// What was told of bodies, in order.
#[derive(Resource, Default, Debug)]
pub(super) struct Heard {
    pub(super) arrived: Vec<(Entity, Cost)>,
    pub(super) waits: Vec<(Entity, Entity, Cell)>,
    pub(super) over: Vec<Entity>,
    pub(super) lost: Vec<(Entity, PathFailure)>,
}

pub(super) fn body_app() -> App {
    let mut app = app();
    app.init_resource::<Heard>()
        .add_observer(|on: On<Arrived>, mut heard: ResMut<Heard>| {
            heard.arrived.push((on.entity, on.shortfall));
        })
        .add_observer(|on: On<WaitingFor>, mut heard: ResMut<Heard>| {
            heard.waits.push((on.entity, on.by, on.cell));
        })
        .add_observer(|on: On<WaitOver>, mut heard: ResMut<Heard>| heard.over.push(on.entity))
        .add_observer(|on: On<PathLost>, mut heard: ResMut<Heard>| heard.lost.push((on.entity, on.reason)));
    app
}

pub(super) fn body(app: &mut App, x: i32, y: i32, speed: f32) -> Entity {
    let body = agent(app, x, y, speed);
    app.world_mut().entity_mut(body).insert(Body::default());
    body
}

pub(super) fn heard(app: &App) -> &Heard {
    app.world().resource::<Heard>()
}

pub(super) fn cell_at(app: &App, entity: Entity) -> Cell {
    let at = (position(app, entity) / CELL).floor();
    Cell::new(at.x as i32, at.y as i32)
}

/// The smallest distance between two of them, in cells.
pub(super) fn least_distance(app: &App, bodies: &[Entity]) -> f32 {
    let places: Vec<Vec2> = bodies.iter().map(|&body| position(app, body) / CELL).collect();
    let mut least = f32::INFINITY;
    for (index, one) in places.iter().enumerate() {
        for other in &places[index + 1..] {
            least = least.min(one.distance(*other));
        }
    }
    least
}

/// Discs of 0.35 cells touch here. Where one walks in another's footsteps round a corner they come as near as that.
pub(super) const NEAR: f32 = 0.7;

/// Ticks until none has an order, and looks in each that none is too near to another.
#[track_caller]
fn run_apart(app: &mut App, bodies: &[Entity], most: usize) -> usize {
    for ticks in 0..most {
        if bodies.iter().all(|&body| !is_ordered(app, body)) {
            return ticks;
        }
        tick(app);
        let least = least_distance(app, bodies);
        assert!(least > NEAR, "{least} cells apart in tick {ticks}");
    }
    let left: Vec<_> =
        bodies.iter().filter(|&&body| is_ordered(app, body)).map(|&body| cell_at(app, body)).collect();
    panic!("{} still have orders after {most} ticks: {left:?}, {:?}", left.len(), heard(app));
}

#[test]
fn thirty_sent_to_one_cell_end_side_by_side_at_rest() {
    let mut app = body_app();
    open_map(&mut app, 40, 30);
    let bodies: Vec<Entity> = (0..30).map(|n| body(&mut app, n % 6, n / 6, 96.0)).collect();
    let goal = Cell::new(28, 20);
    for &body in &bodies {
        order(&mut app, body, goal.x, goal.y);
    }
    run_apart(&mut app, &bodies, 3000);
    let mut cells: Vec<Cell> = bodies.iter().map(|&body| cell_at(&app, body)).collect();
    for (&body, &cell) in bodies.iter().zip(&cells) {
        assert_eq!(status(&app, body), PathStatus::Arrived);
        assert_eq!(position(&app, body), centre(cell.x, cell.y));
        let away = (cell.x - goal.x).abs().max((cell.y - goal.y).abs());
        assert!(away <= 4, "{cell} is {away} cells from the goal");
        let told: Vec<Cost> =
            heard(&app).arrived.iter().filter(|(who, _)| *who == body).map(|(_, short)| *short).collect();
        assert_eq!(told.len(), 1);
        assert_eq!(told[0] == Cost::ZERO, cell == goal, "{cell}: {told:?}");
    }
    cells.sort_unstable();
    cells.dedup();
    assert_eq!(cells.len(), 30);
    let places: Vec<Vec2> = bodies.iter().map(|&body| position(&app, body)).collect();
    for _ in 0..200 {
        tick(&mut app);
    }
    let later: Vec<Vec2> = bodies.iter().map(|&body| position(&app, body)).collect();
    assert_eq!(places, later, "none trembles");
}

#[test]
fn two_meet_in_a_corridor_with_a_bay_and_pass() {
    let mut app = body_app();
    map(
        &mut app,
        "
        ####.####
        .........
        ",
    );
    let bodies = [body(&mut app, 0, 0, 64.0), body(&mut app, 8, 0, 64.0)];
    order(&mut app, bodies[0], 8, 0);
    order(&mut app, bodies[1], 0, 0);
    run_apart(&mut app, &bodies, 1000);
    assert_eq!(bodies.map(|body| cell_at(&app, body)), [Cell::new(8, 0), Cell::new(0, 0)]);
}

#[test]
fn one_at_rest_makes_way_and_goes_back_once() {
    let mut app = body_app();
    map(
        &mut app,
        "
        #####.###
        .........
        ",
    );
    let guard = body(&mut app, 5, 0, 64.0);
    let walker = body(&mut app, 0, 0, 64.0);
    tick(&mut app);
    order(&mut app, walker, 8, 0);
    run_apart(&mut app, &[guard, walker], 1000);
    for _ in 0..100 {
        tick(&mut app);
    }
    assert_eq!(cell_at(&app, walker), Cell::new(8, 0));
    assert_eq!(cell_at(&app, guard), Cell::new(5, 0));
    order(&mut app, walker, 0, 0);
    run_apart(&mut app, &[guard, walker], 1000);
    for _ in 0..100 {
        tick(&mut app);
    }
    assert_eq!(cell_at(&app, walker), Cell::new(0, 0));
    assert_ne!(cell_at(&app, guard), Cell::new(5, 0), "it went back once");
}

#[test]
fn those_that_hold_their_cells_are_walked_round() {
    let mut app = body_app();
    open_map(&mut app, 12, 5);
    let crate_ =
        app.world_mut().spawn((Body::default(), Transform::from_translation(centre(4, 2).extend(0.0)))).id();
    let paused = body(&mut app, 7, 2, 64.0);
    app.world_mut().get_mut::<PathAgent>(paused).expect("it is an agent").paused = true;
    let walker = body(&mut app, 0, 2, 64.0);
    order(&mut app, walker, 11, 2);
    run_apart(&mut app, &[crate_, paused, walker], 1000);
    assert_eq!(cell_at(&app, walker), Cell::new(11, 2));
    assert_eq!([crate_, paused].map(|body| cell_at(&app, body)), [Cell::new(4, 2), Cell::new(7, 2)]);
}

#[test]
fn a_wall_of_crates_with_a_gap_far_off_is_walked_round_by_a_detour() {
    let mut app = body_app();
    open_map(&mut app, 12, 25);
    for y in 0..22 {
        app.world_mut().spawn((Body::default(), Transform::from_translation(centre(5, y).extend(0.0))));
    }
    let walker = body(&mut app, 0, 4, 128.0);
    order(&mut app, walker, 11, 4);
    run_apart(&mut app, &[walker], 2000);
    assert_eq!(cell_at(&app, walker), Cell::new(11, 4));
    assert_eq!(heard(&app).lost, []);
}

#[test]
fn patience_ends_where_there_is_no_way_round() {
    let mut app = body_app();
    map(&mut app, "..........");
    let paused = body(&mut app, 5, 0, 64.0);
    app.world_mut().get_mut::<PathAgent>(paused).expect("it is an agent").paused = true;
    let walker = body(&mut app, 0, 0, 128.0);
    order(&mut app, walker, 9, 0);
    let mut told_at = None;
    for count in 0..400 {
        tick(&mut app);
        if told_at.is_none() && !heard(&app).waits.is_empty() {
            told_at = Some(count);
            let why = app
                .world_mut()
                .run_system_cached_with(|unit: In<Entity>, nav: NavQuery| nav.why_not(*unit), walker);
            assert_eq!(why.expect("the system runs"), Some(WhyNot::WaitingFor { by: paused }));
        }
    }
    assert_eq!(heard(&app).waits, [(walker, paused, Cell::new(5, 0))]);
    assert_eq!(heard(&app).lost, [(walker, PathFailure::Blocked { by: paused })]);
    assert_eq!(status(&app, walker), PathStatus::Failed(PathFailure::Blocked { by: paused }));
    assert_eq!(cell_at(&app, walker), Cell::new(4, 0));

    // With more patience it is still there when the way is free.
    app.world_mut().entity_mut(walker).insert(BodyPatience(Patience::of([(Policy::Wait, 10_000)])));
    order(&mut app, walker, 9, 0);
    for _ in 0..300 {
        tick(&mut app);
    }
    assert!(is_ordered(&app, walker));
    assert_eq!(heard(&app).over, []);
    app.world_mut().get_mut::<PathAgent>(paused).expect("it is an agent").paused = false;
    // It has no bay to step into, and is pushed along.
    for _ in 0..300 {
        tick(&mut app);
    }
    assert_eq!(heard(&app).over, [walker]);
}

#[test]
fn one_that_is_held_within_a_step_ends_the_patience_of_others() {
    let mut app = body_app();
    map(&mut app, "..........");
    let first = body(&mut app, 4, 0, 64.0);
    order(&mut app, first, 9, 0);
    for _ in 0..10 {
        tick(&mut app);
    }
    app.world_mut().get_mut::<PathAgent>(first).expect("it is an agent").paused = true;
    assert_ne!(position(&app, first), centre(cell_at(&app, first).x, 0), "it is half-way");
    let behind = body(&mut app, 0, 0, 64.0);
    order(&mut app, behind, 8, 0);
    for _ in 0..400 {
        tick(&mut app);
    }
    assert_eq!(status(&app, behind), PathStatus::Failed(PathFailure::Blocked { by: first }));
}

#[test]
fn an_order_that_waits_for_a_way_is_not_given_up() {
    let mut app = body_app();
    map(&mut app, "..........");
    let paused = body(&mut app, 5, 0, 64.0);
    app.world_mut().get_mut::<PathAgent>(paused).expect("it is an agent").paused = true;
    let walker = body(&mut app, 0, 0, 128.0);
    app.world_mut().entity_mut(walker).insert(PathRequest::to_cell((9, 0)).or_wait());
    for _ in 0..400 {
        tick(&mut app);
    }
    assert!(is_ordered(&app, walker));
    app.world_mut().despawn(paused);
    run_apart(&mut app, &[walker], 400);
    assert_eq!(cell_at(&app, walker), Cell::new(9, 0));
}

#[test]
fn layers_pass_through_each_other() {
    let mut app = body_app();
    map(&mut app, "..........");
    let infantry = body(&mut app, 0, 0, 64.0);
    let flier = body(&mut app, 9, 0, 64.0);
    app.world_mut().entity_mut(flier).insert(Body { layer: 2, blocks: 2 });
    order(&mut app, infantry, 9, 0);
    order(&mut app, flier, 0, 0);
    run_until_quiet(&mut app, 400);
    assert_eq!([infantry, flier].map(|body| cell_at(&app, body)), [Cell::new(9, 0), Cell::new(0, 0)]);
}

#[test]
fn a_wall_that_goes_up_is_walked_round() {
    let mut app = body_app();
    let map = open_map(&mut app, 20, 9);
    let bodies: Vec<Entity> = (0..8).map(|y| body(&mut app, 0, y, 96.0)).collect();
    for &body in &bodies {
        order(&mut app, body, 19, 4);
    }
    for _ in 0..60 {
        tick(&mut app);
    }
    for y in 0..8 {
        set_terrain(&mut app, map, 12, y, 0);
    }
    run_apart(&mut app, &bodies, 3000);
    for &body in &bodies {
        assert_eq!(status(&app, body), PathStatus::Arrived, "at {}", cell_at(&app, body));
        assert!(cell_at(&app, body).x > 12);
    }
}

#[test]
fn stops_are_passed_one_after_the_other() {
    let mut app = body_app();
    open_map(&mut app, 12, 12);
    let bodies: Vec<Entity> = (0..6).map(|n| body(&mut app, n, 0, 96.0)).collect();
    for &body in &bodies {
        let patrol = PathRequest::to_cell((2, 9)).then(Cell::new(9, 9)).then(Cell::new(9, 2));
        app.world_mut().entity_mut(body).insert(patrol);
    }
    run_apart(&mut app, &bodies, 4000);
    for &body in &bodies {
        assert_eq!(status(&app, body), PathStatus::Arrived);
    }
}

#[test]
fn pawns_step_as_often_as_they_may() {
    let mut app = body_app();
    map(&mut app, "..........");
    let pawn = body(&mut app, 0, 0, 64.0);
    app.world_mut().entity_mut(pawn).insert(Stepwise { steps: 3, ..default() });
    order(&mut app, pawn, 9, 0);
    for _ in 0..200 {
        tick(&mut app);
    }
    assert_eq!(position(&app, pawn), centre(3, 0));
    assert_eq!(app.world().get::<Stepwise>(pawn).map(|stepwise| stepwise.steps), Some(0));
}

#[test]
fn a_hero_moved_by_the_game_is_no_agent_and_makes_no_way() {
    let mut app = body_app();
    open_map(&mut app, 12, 3);
    let hero =
        app.world_mut().spawn((Body::default(), Transform::from_translation(centre(6, 1).extend(0.0)))).id();
    let walker = body(&mut app, 0, 1, 64.0);
    order(&mut app, walker, 11, 1);
    for count in 0..400 {
        let mut transform = app.world_mut().get_mut::<Transform>(hero).expect("it is there");
        transform.translation.y += if count % 40 < 20 { 0.7 } else { -0.7 };
        tick(&mut app);
    }
    assert_eq!(cell_at(&app, walker), Cell::new(11, 1));
    assert_eq!(app.world().resource::<TilepathDiagnostics>().bodies, 2);
}

#[test]
fn despawned_and_changed_bodies_leave_their_cells() {
    let mut app = body_app();
    map(&mut app, "..........");
    let first = body(&mut app, 4, 0, 0.0);
    let second = body(&mut app, 7, 0, 0.0);
    let walker = body(&mut app, 0, 0, 128.0);
    order(&mut app, walker, 9, 0);
    for _ in 0..50 {
        tick(&mut app);
    }
    assert_eq!(cell_at(&app, walker), Cell::new(3, 0));
    app.world_mut().despawn(first);
    for _ in 0..40 {
        tick(&mut app);
    }
    assert_eq!(cell_at(&app, walker), Cell::new(6, 0));
    app.world_mut().entity_mut(second).remove::<Body>();
    run_until_quiet(&mut app, 100);
    assert_eq!(cell_at(&app, walker), Cell::new(9, 0));
    app.world_mut().entity_mut(walker).remove::<Body>();
    tick(&mut app);
    assert_eq!(app.world().resource::<TilepathDiagnostics>().bodies, 0);
}

#[test]
fn an_agent_becomes_a_body_on_its_way_and_none_again() {
    let mut app = body_app();
    open_map(&mut app, 20, 20);
    let unit = agent(&mut app, 0, 0, 64.0);
    order(&mut app, unit, 15, 9);
    let mut count = 0;
    while is_ordered(&app, unit) {
        count += 1;
        assert!(count < 2000);
        if count % 23 == 0 {
            app.world_mut().entity_mut(unit).insert(Body::default());
        } else if count % 31 == 0 {
            app.world_mut().entity_mut(unit).remove::<Body>();
        }
        tick(&mut app);
    }
    assert_eq!(position(&app, unit), centre(15, 9));
    let map = app.world().get::<OnMap>(unit).expect("it is on its map").0;
    assert!(app.world().get::<MapAgents>(map).is_some());
}

#[test]
fn units_of_several_cells_and_of_one_share_none() {
    let mut app = body_app();
    let map = open_map(&mut app, 30, 30);
    let wagon = Movement::new().with_size(Size::new(2).expect("2 is a size"));
    let mut rules = NavMap { diagonals: Diagonals::default(), ..default() };
    rules = rules.with_movement("wagon", wagon);
    app.world_mut().entity_mut(map).insert(rules);
    tick(&mut app);
    let mut all = Vec::new();
    for n in 0..5 {
        let unit = agent_at(&mut app, centre(2, 4 * n + 2) + Vec2::splat(CELL / 2.0), 64.0);
        app.world_mut().entity_mut(unit).insert((Body::default(), AgentMovement::from("wagon")));
        order(&mut app, unit, 24, 4 * (4 - n) + 2);
        all.push((unit, 2));
        let small = body(&mut app, 25, 4 * n + 2, 96.0);
        order(&mut app, small, 1, 4 * (4 - n) + 3);
        all.push((small, 1));
    }
    let mut ticks = 0;
    while all.iter().any(|&(unit, _)| is_ordered(&app, unit)) {
        tick(&mut app);
        ticks += 1;
        assert!(ticks < 4000, "{:?}", heard(&app));
        for (index, &(one, size)) in all.iter().enumerate() {
            for &(other, other_size) in &all[index + 1..] {
                let apart = (position(&app, one) - position(&app, other)).abs() / CELL;
                // In the footsteps of another round a corner they come half a cell nearer than when they stand.
                let sides = (size + other_size) as f32 / 2.0;
                assert!(apart.max_element() > sides - 0.51, "{apart} in tick {ticks}");
            }
        }
    }
    for &(unit, _) in &all {
        assert_eq!(status(&app, unit), PathStatus::Arrived);
    }
}

#[test]
fn walking_marks_no_stops_as_changed() {
    #[derive(Resource, Default)]
    struct Changes(usize);
    let mut app = body_app();
    open_map(&mut app, 20, 5);
    app.init_resource::<Changes>().add_systems(
        FixedLast,
        |changed: Query<(), Changed<PathStops>>, mut changes: ResMut<Changes>| {
            changes.0 += changed.iter().count();
        },
    );
    let walker = body(&mut app, 0, 0, 64.0);
    order(&mut app, walker, 19, 4);
    for _ in 0..3 {
        tick(&mut app);
    }
    app.world_mut().resource_mut::<Changes>().0 = 0;
    for _ in 0..100 {
        tick(&mut app);
    }
    assert!(is_ordered(&app, walker));
    assert_eq!(app.world().resource::<Changes>().0, 0);
}
