//! Agents that do not share their cells.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentMovement, Body, Cell, Cost, Diagonals, Movement, NavMap, NavQuery, OnMap, PathAgent, PathFailure,
    PathRequest, PathStatus, Stepwise, TilepathDiagnostics,
    agents::{BodyPatience, MapAgents},
    orders::PathStops,
    queries::WhyNot,
    tilepath::{
        Size,
        crowd::{Patience, Policy},
    },
};

use crate::harness::*;

/// Returns the smallest distance between two bodies, in cells.
pub(super) fn least_distance(game: &Game, bodies: &[Entity]) -> f32 {
    let places: Vec<Vec2> = bodies.iter().map(|&body| game.position(body) / CELL).collect();
    let mut least = f32::INFINITY;
    for (index, one) in places.iter().enumerate() {
        for other in &places[index + 1..] {
            least = least.min(one.distance(*other));
        }
    }
    least
}

/// The least distance of two bodies, in cells. Discs of 0.35 cells touch here. If one body follows
/// another round a corner, they come this near.
pub(super) const NEAR: f32 = 0.7;

/// Ticks until no body has an order. Fails if two bodies come too near in a tick.
#[track_caller]
fn run_apart(game: &mut Game, bodies: &[Entity], most: usize) -> usize {
    for ticks in 0..most {
        if bodies.iter().all(|&body| !game.is_ordered(body)) {
            return ticks;
        }
        game.tick();
        let least = least_distance(game, bodies);
        assert!(least > NEAR, "{least} cells apart in tick {ticks}");
    }
    let left: Vec<_> =
        bodies.iter().filter(|&&body| game.is_ordered(body)).map(|&body| game.cell_at(body)).collect();
    panic!("{} bodies still have orders after {most} ticks: {left:?}, {:?}", left.len(), game.body_news());
}

#[test]
fn thirty_sent_to_one_cell_end_side_by_side_at_rest() {
    let (mut game, _) = Game::open(40, 30);
    let bodies: Vec<Entity> = (0..30).map(|n| game.body(n % 6, n / 6, 96.0)).collect();
    let goal = Cell::new(28, 20);
    for &body in &bodies {
        game.order_to(body, goal.x, goal.y);
    }
    run_apart(&mut game, &bodies, 3000);
    let mut cells: Vec<Cell> = bodies.iter().map(|&body| game.cell_at(body)).collect();
    for (&body, &cell) in bodies.iter().zip(&cells) {
        assert_eq!(game.status(body), PathStatus::Arrived);
        assert_eq!(game.position(body), centre(cell.x, cell.y));
        let away = (cell.x - goal.x).abs().max((cell.y - goal.y).abs());
        assert!(away <= 4, "{cell} is {away} cells from the goal");
        let told: Vec<Cost> = game
            .body_news()
            .arrived
            .iter()
            .filter(|(who, _)| *who == body)
            .map(|(_, short)| *short)
            .collect();
        assert_eq!(told.len(), 1);
        assert_eq!(told[0] == Cost::ZERO, cell == goal, "{cell}: {told:?}");
    }
    cells.sort_unstable();
    cells.dedup();
    assert_eq!(cells.len(), 30);
    let places: Vec<Vec2> = bodies.iter().map(|&body| game.position(body)).collect();
    game.ticks(200);
    let later: Vec<Vec2> = bodies.iter().map(|&body| game.position(body)).collect();
    assert_eq!(places, later, "all bodies stand still");
}

#[test]
fn two_meet_in_a_corridor_with_a_bay_and_pass() {
    let (mut game, _) = Game::drawn_as(
        "
        ####.####
        .........
        ",
    );
    let bodies = [game.body(0, 0, 64.0), game.body(8, 0, 64.0)];
    game.order_to(bodies[0], 8, 0);
    game.order_to(bodies[1], 0, 0);
    run_apart(&mut game, &bodies, 1000);
    assert_eq!(bodies.map(|body| game.cell_at(body)), [Cell::new(8, 0), Cell::new(0, 0)]);
}

#[test]
fn one_at_rest_makes_way_and_goes_back_once() {
    let (mut game, _) = Game::drawn_as(
        "
        #####.###
        .........
        ",
    );
    let guard = game.body(5, 0, 64.0);
    let walker = game.body(0, 0, 64.0);
    game.tick();
    game.order_to(walker, 8, 0);
    run_apart(&mut game, &[guard, walker], 1000);
    game.ticks(100);
    assert_eq!(game.cell_at(walker), Cell::new(8, 0));
    assert_eq!(game.cell_at(guard), Cell::new(5, 0));
    game.order_to(walker, 0, 0);
    run_apart(&mut game, &[guard, walker], 1000);
    game.ticks(100);
    assert_eq!(game.cell_at(walker), Cell::new(0, 0));
    assert_ne!(game.cell_at(guard), Cell::new(5, 0), "the guard must go back only once");
}

#[test]
fn those_that_hold_their_cells_are_walked_round() {
    let (mut game, _) = Game::open(12, 5);
    let crate_ =
        game.world_mut().spawn((Body::default(), Transform::from_translation(centre(4, 2).extend(0.0)))).id();
    let paused = game.body(7, 2, 64.0);
    game.world_mut().get_mut::<PathAgent>(paused).expect("it is an agent").paused = true;
    let walker = game.body(0, 2, 64.0);
    game.order_to(walker, 11, 2);
    run_apart(&mut game, &[crate_, paused, walker], 1000);
    assert_eq!(game.cell_at(walker), Cell::new(11, 2));
    assert_eq!([crate_, paused].map(|body| game.cell_at(body)), [Cell::new(4, 2), Cell::new(7, 2)]);
}

#[test]
fn a_wall_of_crates_with_a_gap_far_off_is_walked_round_by_a_detour() {
    let (mut game, _) = Game::open(12, 25);
    for y in 0..22 {
        game.world_mut().spawn((Body::default(), Transform::from_translation(centre(5, y).extend(0.0))));
    }
    let walker = game.body(0, 4, 128.0);
    game.order_to(walker, 11, 4);
    run_apart(&mut game, &[walker], 2000);
    assert_eq!(game.cell_at(walker), Cell::new(11, 4));
    assert_eq!(game.body_news().lost, []);
}

#[test]
fn body_that_never_gives_up_finds_the_gap_in_a_wall_of_crates() {
    for opens_at in [0, 200, 500] {
        for follows in [false, true] {
            let (mut game, _) = Game::open(12, 25);
            let crates: Vec<Entity> = (0..25)
                .map(|y| {
                    let at = Transform::from_translation(centre(5, y).extend(0.0));
                    game.world_mut().spawn((Body::default(), at)).id()
                })
                .collect();
            let walker = game.body(0, 4, 128.0);
            let flag = game.thing(11, 4);
            let order = PathRequest::to(flag);
            game.order(walker, if follows { order.following() } else { order.or_wait() });
            game.ticks(opens_at);
            assert!(game.is_ordered(walker), "{:?}", game.status(walker));
            game.world_mut().despawn(crates[22]);
            game.ticks(600);
            assert_eq!(game.cell_at(walker), Cell::new(11, 4), "opens at {opens_at}, follows: {follows}");
            assert_eq!(game.body_news().lost, []);
        }
    }
}

#[test]
fn patience_ends_where_there_is_no_way_round() {
    let (mut game, _) = Game::drawn_as("..........");
    let paused = game.body(5, 0, 64.0);
    game.world_mut().get_mut::<PathAgent>(paused).expect("it is an agent").paused = true;
    let walker = game.body(0, 0, 128.0);
    game.order_to(walker, 9, 0);
    let mut told_at = None;
    for count in 0..400 {
        game.tick();
        if told_at.is_none() && !game.body_news().waits.is_empty() {
            told_at = Some(count);
            let why = game
                .world_mut()
                .run_system_cached_with(|unit: In<Entity>, nav: NavQuery| nav.why_not(*unit), walker);
            assert_eq!(why.expect("the system runs"), Some(WhyNot::WaitingFor { by: paused }));
        }
    }
    assert_eq!(game.body_news().waits, [(walker, paused, Cell::new(5, 0))]);
    assert_eq!(game.body_news().lost, [(walker, PathFailure::Blocked { by: paused })]);
    assert_eq!(game.status(walker), PathStatus::Failed(PathFailure::Blocked { by: paused }));
    assert_eq!(game.cell_at(walker), Cell::new(4, 0));

    // With more patience, the walker still waits when the cell ahead becomes free.
    game.world_mut().entity_mut(walker).insert(BodyPatience(Patience::of([(Policy::Wait, 10_000)])));
    game.order_to(walker, 9, 0);
    game.ticks(300);
    assert!(game.is_ordered(walker));
    assert_eq!(game.body_news().over, []);
    game.world_mut().get_mut::<PathAgent>(paused).expect("it is an agent").paused = false;
    // The other body has no bay to step into, so the walker pushes it along.
    game.ticks(300);
    assert_eq!(game.body_news().over, [walker]);
}

#[test]
fn one_that_is_held_within_a_step_ends_the_patience_of_others() {
    let (mut game, _) = Game::drawn_as("..........");
    let first = game.body(4, 0, 64.0);
    game.order_to(first, 9, 0);
    game.ticks(10);
    game.world_mut().get_mut::<PathAgent>(first).expect("it is an agent").paused = true;
    assert_ne!(game.position(first), centre(game.cell_at(first).x, 0), "the body is in the middle of a step");
    let behind = game.body(0, 0, 64.0);
    game.order_to(behind, 8, 0);
    game.ticks(400);
    assert_eq!(game.status(behind), PathStatus::Failed(PathFailure::Blocked { by: first }));
}

#[test]
fn an_order_that_waits_for_a_way_is_not_given_up() {
    let (mut game, _) = Game::drawn_as("..........");
    let paused = game.body(5, 0, 64.0);
    game.world_mut().get_mut::<PathAgent>(paused).expect("it is an agent").paused = true;
    let walker = game.body(0, 0, 128.0);
    game.world_mut().entity_mut(walker).insert(PathRequest::to_cell((9, 0)).or_wait());
    game.ticks(400);
    assert!(game.is_ordered(walker));
    game.world_mut().despawn(paused);
    run_apart(&mut game, &[walker], 400);
    assert_eq!(game.cell_at(walker), Cell::new(9, 0));
}

#[test]
fn layers_pass_through_each_other() {
    let (mut game, _) = Game::drawn_as("..........");
    let infantry = game.body(0, 0, 64.0);
    let flier = game.body(9, 0, 64.0);
    game.world_mut().entity_mut(flier).insert(Body { layer: 2, blocks: 2 });
    game.order_to(infantry, 9, 0);
    game.order_to(flier, 0, 0);
    game.run_until_quiet(400);
    assert_eq!([infantry, flier].map(|body| game.cell_at(body)), [Cell::new(9, 0), Cell::new(0, 0)]);
}

#[test]
fn a_wall_that_goes_up_is_walked_round() {
    let (mut game, map) = Game::open(20, 9);
    let bodies: Vec<Entity> = (0..8).map(|y| game.body(0, y, 96.0)).collect();
    for &body in &bodies {
        game.order_to(body, 19, 4);
    }
    game.ticks(60);
    for y in 0..8 {
        game.set_terrain(map, 12, y, 0);
    }
    run_apart(&mut game, &bodies, 3000);
    for &body in &bodies {
        assert_eq!(game.status(body), PathStatus::Arrived, "at {}", game.cell_at(body));
        assert!(game.cell_at(body).x > 12);
    }
}

#[test]
fn stops_are_passed_one_after_the_other() {
    let (mut game, _) = Game::open(12, 12);
    let bodies: Vec<Entity> = (0..6).map(|n| game.body(n, 0, 96.0)).collect();
    for &body in &bodies {
        let patrol = PathRequest::to_cell((2, 9)).then(Cell::new(9, 9)).then(Cell::new(9, 2));
        game.world_mut().entity_mut(body).insert(patrol);
    }
    run_apart(&mut game, &bodies, 4000);
    for &body in &bodies {
        assert_eq!(game.status(body), PathStatus::Arrived);
    }
}

#[test]
fn pawns_step_as_often_as_they_may() {
    let (mut game, _) = Game::drawn_as("..........");
    let pawn = game.body(0, 0, 64.0);
    game.world_mut().entity_mut(pawn).insert(Stepwise { steps: 3, ..default() });
    game.order_to(pawn, 9, 0);
    game.ticks(200);
    assert_eq!(game.position(pawn), centre(3, 0));
    assert_eq!(game.world().get::<Stepwise>(pawn).map(|stepwise| stepwise.steps), Some(0));
}

#[test]
fn a_hero_moved_by_the_game_is_no_agent_and_makes_no_way() {
    let (mut game, _) = Game::open(12, 3);
    let hero =
        game.world_mut().spawn((Body::default(), Transform::from_translation(centre(6, 1).extend(0.0)))).id();
    let walker = game.body(0, 1, 64.0);
    game.order_to(walker, 11, 1);
    for count in 0..400 {
        let mut transform = game.world_mut().get_mut::<Transform>(hero).expect("it is there");
        transform.translation.y += if count % 40 < 20 { 0.7 } else { -0.7 };
        game.tick();
    }
    assert_eq!(game.cell_at(walker), Cell::new(11, 1));
    assert_eq!(game.world().resource::<TilepathDiagnostics>().bodies, 2);
}

#[test]
fn despawned_and_changed_bodies_leave_their_cells() {
    let (mut game, _) = Game::drawn_as("..........");
    let first = game.body(4, 0, 0.0);
    let second = game.body(7, 0, 0.0);
    let walker = game.body(0, 0, 128.0);
    game.order_to(walker, 9, 0);
    game.ticks(50);
    assert_eq!(game.cell_at(walker), Cell::new(3, 0));
    game.world_mut().despawn(first);
    game.ticks(40);
    assert_eq!(game.cell_at(walker), Cell::new(6, 0));
    game.world_mut().entity_mut(second).remove::<Body>();
    game.run_until_quiet(100);
    assert_eq!(game.cell_at(walker), Cell::new(9, 0));
    game.world_mut().entity_mut(walker).remove::<Body>();
    game.tick();
    assert_eq!(game.world().resource::<TilepathDiagnostics>().bodies, 0);
}

#[test]
fn an_agent_becomes_a_body_on_its_way_and_none_again() {
    let (mut game, _) = Game::open(20, 20);
    let unit = game.ordered_agent((0, 0), 64.0, (15, 9));
    let mut count = 0;
    while game.is_ordered(unit) {
        count += 1;
        assert!(count < 2000);
        if count % 23 == 0 {
            game.world_mut().entity_mut(unit).insert(Body::default());
        } else if count % 31 == 0 {
            game.world_mut().entity_mut(unit).remove::<Body>();
        }
        game.tick();
    }
    assert_eq!(game.position(unit), centre(15, 9));
    let map = game.world().get::<OnMap>(unit).expect("it is on its map").0;
    assert!(game.world().get::<MapAgents>(map).is_some());
}

#[test]
fn units_of_several_cells_and_of_one_share_none() {
    let (mut game, map) = Game::open(30, 30);
    let wagon = Movement::new().with_size(Size::new(2).expect("2 is a size"));
    let mut rules = NavMap { diagonals: Diagonals::default(), ..default() };
    rules = rules.with_movement("wagon", wagon);
    game.world_mut().entity_mut(map).insert(rules);
    game.tick();
    let mut all = Vec::new();
    for n in 0..5 {
        let unit = game.agent_at(centre(2, 4 * n + 2) + Vec2::splat(CELL / 2.0), 64.0);
        game.world_mut().entity_mut(unit).insert((Body::default(), AgentMovement::from("wagon")));
        game.order_to(unit, 24, 4 * (4 - n) + 2);
        all.push((unit, 2));
        let small = game.body(25, 4 * n + 2, 96.0);
        game.order_to(small, 1, 4 * (4 - n) + 3);
        all.push((small, 1));
    }
    let mut ticks = 0;
    while all.iter().any(|&(unit, _)| game.is_ordered(unit)) {
        game.tick();
        ticks += 1;
        assert!(ticks < 4000, "{:?}", game.body_news());
        for (index, &(one, size)) in all.iter().enumerate() {
            for &(other, other_size) in &all[index + 1..] {
                let apart = (game.position(one) - game.position(other)).abs() / CELL;
                // A body that follows another round a corner comes up to half a cell nearer than at
                // rest.
                let sides = (size + other_size) as f32 / 2.0;
                assert!(apart.max_element() > sides - 0.51, "{apart} in tick {ticks}");
            }
        }
    }
    for &(unit, _) in &all {
        assert_eq!(game.status(unit), PathStatus::Arrived);
    }
}

#[test]
fn walking_marks_no_stops_as_changed() {
    #[derive(Resource, Default)]
    struct Changes(usize);
    let (mut game, _) = Game::open(20, 5);
    game.init_resource::<Changes>().add_systems(
        FixedLast,
        |changed: Query<(), Changed<PathStops>>, mut changes: ResMut<Changes>| {
            changes.0 += changed.iter().count();
        },
    );
    let walker = game.body(0, 0, 64.0);
    game.order_to(walker, 19, 4);
    game.ticks(3);
    game.world_mut().resource_mut::<Changes>().0 = 0;
    game.ticks(100);
    assert!(game.is_ordered(walker));
    assert_eq!(game.world().resource::<Changes>().0, 0);
}
