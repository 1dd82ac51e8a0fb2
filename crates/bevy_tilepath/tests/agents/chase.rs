//! Agents with orders to entities that move.

use bevy::{ecs::entity_disabling::Disabled, prelude::*};
use bevy_tilepath::{
    AgentPath, Cell, Diagonals, NavGraph, NavGrid, NavMap, OnMap, PathFailure, PathGoal, PathRequest,
    PathStatus, TilepathDiagnostics, TilepathSettings, TilepathSystems,
    graphs::WaypointGraph,
    tilepath::{Grid, PathQuery},
};
use rand::Rng;
use testkit::Seed;

use crate::harness::*;

fn chase(game: &mut Game, hunter: Entity, target: Entity) {
    game.world_mut().entity_mut(hunter).insert(PathRequest::to(target));
}

fn follow(game: &mut Game, hunter: Entity, target: Entity) {
    game.world_mut().entity_mut(hunter).insert(PathRequest::to(target).following());
}

#[test]
fn slower_agent_is_caught() {
    let (mut game, _) = Game::open(40, 10);
    let thief = game.agent(10, 5, 40.0);
    let guard = game.agent(0, 0, 120.0);
    game.order_to(thief, 39, 5);
    chase(&mut game, guard, thief);
    for _ in 0..600 {
        game.tick();
        if !game.is_ordered(guard) {
            break;
        }
    }
    assert_eq!(game.status(guard), PathStatus::Arrived);
    assert!(game.position(guard).distance(game.position(thief)) <= CELL, "the guard is at the thief's place");
    assert!(game.is_ordered(thief), "the thief still walks");
}

#[test]
fn follower_waits_where_it_has_come_to_its_master_and_goes_on_with_it() {
    let (mut game, _) = Game::open(30, 10);
    let master = game.agent(5, 5, 60.0);
    let dog = game.agent(0, 0, 100.0);
    follow(&mut game, dog, master);
    for goal in [(20, 2), (3, 9), (5, 5)] {
        game.order_to(master, goal.0, goal.1);
        game.ticks(600);
        assert_eq!(game.position(dog), centre(goal.0, goal.1));
        assert_eq!(game.status(dog), PathStatus::Following);
    }
    assert!(game.is_ordered(dog));
    assert!(!game.told_of(dog).iter().any(|told| matches!(told, Told::Arrived(_) | Told::Lost(_))));
}

#[test]
fn thing_that_is_put_elsewhere_is_found_there() {
    let (mut game, _) = Game::drawn_as("..........\n.########.\n..........");
    let crate_ = game.thing(9, 0);
    let porter = game.agent(0, 0, 100.0);
    chase(&mut game, porter, crate_);
    game.tick();
    game.put(crate_, 9, 2);
    game.run_until_quiet(600);
    assert_eq!(game.position(porter), centre(9, 2));
}

#[test]
fn target_that_turns_back_is_met() {
    let (mut game, _) = Game::open(30, 3);
    let target = game.thing(20, 1);
    let hunter = game.agent(0, 1, 100.0);
    chase(&mut game, hunter, target);
    game.tick();
    for x in (5..20).rev() {
        game.put(target, x, 1);
        game.tick();
        assert_eq!(game.path(hunter).goal().cell(), Some(Cell::new(x, 1)));
        assert_eq!(
            game.world().resource::<TilepathDiagnostics>().work,
            0,
            "the rest of the path is only shorter"
        );
    }
    game.run_until_quiet(600);
    assert_eq!(game.position(hunter), centre(5, 1));
}

#[test]
fn target_that_goes_ends_the_order_with_the_reason() {
    type End = fn(&mut Game, Entity);
    let ends: [(End, PathFailure); 4] = [
        (|game, target| _ = game.world_mut().despawn(target), PathFailure::TargetGone),
        (|game, target| _ = game.world_mut().entity_mut(target).insert(Disabled), PathFailure::TargetGone),
        (
            |game, target| _ = game.world_mut().entity_mut(target).remove::<Transform>(),
            PathFailure::TargetGone,
        ),
        (
            |game, target| {
                let road = game.world_mut().spawn(NavGraph::new(WaypointGraph::new())).id();
                game.world_mut().entity_mut(target).insert(OnMap(road));
            },
            PathFailure::TargetElsewhere,
        ),
    ];
    for (end, reason) in ends {
        for is_first in [false, true] {
            let (mut game, map) = Game::open(10, 10);
            let target = game.thing(9, 9);
            let hunter = game.agent(0, 0, 50.0);
            game.world_mut().entity_mut(hunter).insert(OnMap(map));
            follow(&mut game, hunter, target);
            if !is_first {
                game.tick();
                assert!(matches!(game.told_of(hunter)[..], [Told::Found { .. }]));
            }
            end(&mut game, target);
            game.tick();
            let expected = if is_first { Told::Failed(reason) } else { Told::Lost(reason) };
            assert_eq!(game.told_of(hunter), [expected]);
            assert_eq!(game.status(hunter), PathStatus::Failed(reason));
        }
    }
}

#[test]
fn one_whose_stop_moves_goes_on_from_where_that_is_now() {
    let (mut game, _) = Game::open(20, 10);
    let target = game.thing(9, 5);
    let hunter = game.agent(2, 5, 64.0);
    // Both stops are the same entity. From the first stop to the second, there is nothing to walk.
    let request = PathRequest::to(target).then(PathGoal::Entity(target)).with_tolerance(f32::INFINITY);
    game.world_mut().entity_mut(hunter).insert(request);
    for at in [(9, 5), (10, 5), (11, 4), (11, 3), (12, 2)] {
        game.put(target, at.0, at.1);
        game.ticks(8);
    }
    game.run_until_quiet(300);
    let arrived = game.told_of(hunter).into_iter().filter(|what| matches!(what, Told::Arrived(_)));
    assert_eq!(arrived.collect::<Vec<_>>(), [Told::Arrived(Cell::new(12, 2))]);
    assert_eq!(game.position(hunter), centre(12, 2));
}

#[test]
fn target_in_a_wall_or_off_the_map_is_told_as_such() {
    let (mut game, _) = Game::drawn_as("....#\n.....");
    let target = game.thing(3, 1);
    let hunter = game.agent(0, 0, 20.0);
    follow(&mut game, hunter, target);
    game.tick();
    game.told();
    game.put(target, 4, 1);
    game.tick();
    let reason = PathFailure::GoalBlocked { cell: Cell::new(4, 1) };
    assert_eq!(game.told_of(hunter), [Told::Lost(reason)]);

    game.put(target, 3, 1);
    follow(&mut game, hunter, target);
    game.tick();
    game.told();
    game.put(target, 30, 1);
    game.tick();
    assert!(matches!(game.told_of(hunter)[..], [Told::Lost(PathFailure::GoalOutOfBounds { .. })]));

    // With `or_closest`, the order leads as near as possible.
    game.put(target, 4, 1);
    game.world_mut().entity_mut(hunter).insert(PathRequest::to(target).or_closest());
    game.tick();
    assert!(matches!(game.told_of(hunter)[..], [Told::Found { partial: true, .. }]));
}

#[test]
fn three_that_chase_each_other_in_a_ring_meet() {
    let (mut game, _) = Game::open(20, 20);
    let ring = [(0, 0), (19, 3), (7, 19)].map(|(x, y)| game.agent(x, y, 80.0));
    for number in 0..3 {
        chase(&mut game, ring[number], ring[(number + 1) % 3]);
    }
    game.run_until_quiet(1000);
    assert!(ring.iter().all(|&who| game.status(who) == PathStatus::Arrived));
    // An agent that chases itself arrives at once.
    chase(&mut game, ring[0], ring[0]);
    game.run_until_quiet(3);
    assert_eq!(game.status(ring[0]), PathStatus::Arrived);
}

#[test]
fn long_chase_costs_few_searches_and_no_way_is_worse_than_tolerated() {
    const SIDE: i32 = 160;
    let mut random = Seed::named("a long chase").generator();
    let mut game = Game::new();
    game.insert_resource(TilepathSettings { work_per_tick: u64::MAX });
    let mut grid = Grid::new(SIDE as u32, SIDE as u32, 1).unwrap();
    for y in 0..SIDE {
        for x in 0..SIDE {
            if random.random_range(0..5) == 0 {
                grid.set_terrain(Cell::new(x, y), 0).unwrap();
            }
        }
    }
    let (start, far) = (Cell::new(2, 2), Cell::new(150, 150));
    for cell in [start, far] {
        grid.set_terrain(cell, 1).unwrap();
    }
    let map = game.map_of(grid, Diagonals::default());
    let target = game.agent(far.x, far.y, 60.0);
    let hunter = game.agent(start.x, start.y, 60.0);
    follow(&mut game, hunter, target);
    let (mut changes, mut searches, mut before) = (0, 0, far);
    for _ in 0..1500 {
        if !game.is_ordered(target) {
            // The goal is always far away.
            let goal = Cell::new(random.random_range(130..SIDE), random.random_range(130..SIDE));
            game.order_to(target, goal.x, goal.y);
        }
        game.tick();
        let found = game.told();
        searches += found
            .iter()
            .filter(|(who, what)| *who == hunter && matches!(what, Told::Replanned { .. }))
            .count();
        let Some(walked) = game.world().get::<AgentPath>(hunter) else { continue };
        let goal = walked.goal().cell().unwrap();
        changes += usize::from(goal != before);
        before = goal;
        let grid = game.world().get::<NavGrid>(map).unwrap();
        let from = walked.path().unwrap().cells()[walked.next_point().saturating_sub(1)];
        if goal.x.abs_diff(from.x) < 60 {
            break;
        }
        let answer = grid.finder().solve(&PathQuery::new(from, goal)).unwrap();
        let cheapest = answer.outcome.path().expect("there is a way").cost().get();
        let rest = walked.remaining_cost().get();
        assert_eq!(walked.path().unwrap().goal(), goal);
        assert!(f64::from(rest) <= 1.1 * f64::from(cheapest), "{rest} for {cheapest}");
    }
    assert!(changes > 60, "{changes} cells");
    assert!(searches * 5 <= changes, "{searches} searches for {changes} cells");
}

#[test]
fn map_without_a_place_for_it_is_refused() {
    let (mut game, _) = Game::open(4, 4);
    // The target is on another map that covers the same place.
    let other = game.open_map(4, 4);
    let target = game.thing(2, 2);
    let hunter = game.agent(0, 0, 20.0);
    game.world_mut().entity_mut(hunter).insert(OnMap(other));
    chase(&mut game, hunter, target);
    game.run_until_quiet(300);
    assert_eq!(game.position(hunter), centre(2, 2), "a target without OnMap is on the hunter's map");
}

/// A prey that walks along a circle of 15 cells, 3 cells a second.
#[derive(Component)]
struct Prey;

fn run_away(mut prey: Single<&mut Transform, With<Prey>>, mut tick: Local<u32>) {
    *tick += 1;
    let angle = *tick as f32 / 64.0 * 3.0 / 15.0;
    prey.translation = Vec3::new(30.0 + 15.0 * angle.cos(), 30.0 + 15.0 * angle.sin(), 0.0);
}

/// Lets 12 hunters go after a prey for 1,200 ticks, and checks that all of them are this near at the end.
/// Returns the work of all searches.
fn work_of_chase(range: f32, order: impl Fn(Entity) -> PathRequest) -> u64 {
    let mut game = Game::new();
    game.add_systems(FixedUpdate, run_away.before(TilepathSystems::SyncMaps));
    game.world_mut().spawn((NavMap::default(), NavGrid::new(Grid::new(60, 60, 1).expect("a map"))));
    let prey = game.world_mut().spawn((Prey, Transform::from_xyz(45.0, 30.0, 0.0))).id();
    let hunters: Vec<Entity> = (0..12).map(|n| game.agent_at(Vec2::new(n as f32, 0.0), 4.0)).collect();
    for &hunter in &hunters {
        game.order(hunter, order(prey).following());
    }
    let mut work = 0;
    for _ in 0..1200 {
        game.tick();
        work += game.diagnostics().work;
    }
    let prey = game.position(prey);
    let distances = hunters.iter().map(|&hunter| game.position(hunter).distance(prey));
    let farthest = distances.fold(0.0, f32::max);
    assert!(farthest <= range, "a hunter is {farthest} cells from the prey");
    work
}

#[test]
fn chases_near_a_target_cost_little_more_than_chases_to_it() {
    // The prey walks on while a hunter makes a step.
    let to = work_of_chase(1.5, PathRequest::to);
    assert_eq!(work_of_chase(1.5, |prey| PathRequest::to(PathGoal::within(prey, 0.0))), to);
    for (goal, name, range) in [
        (PathGoal::beside as fn(Entity) -> PathGoal, "beside", 2.5),
        (|prey| PathGoal::within(prey, 1.5), "within 1.5", 2.5),
        (|prey| PathGoal::within(prey, 6.0), "within 6", 7.5),
    ] {
        let work = work_of_chase(range, |prey| PathRequest::to(goal(prey)));
        assert!(work <= 6 * to, "{name}: {work} units of work, a chase to the prey {to}");
    }
    let in_sight = work_of_chase(7.5, |prey| PathRequest::to(PathGoal::in_sight(prey, 6.0)));
    assert!(in_sight <= 6 * to, "in sight: {in_sight} units of work, a chase to the prey {to}");
}
