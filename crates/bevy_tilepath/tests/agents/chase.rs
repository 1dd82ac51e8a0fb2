//! Agents that go to entities, wherever these go.

use bevy::{ecs::entity_disabling::Disabled, prelude::*};
use bevy_tilepath::{
    AgentPath, Cell, Diagonals, NavGrid, NavMap, OnMap, PathFailure, PathGoal, PathRequest, PathStatus,
    TilepathDiagnostics, TilepathSettings,
    tilepath::{Grid, PathQuery},
};
use rand::Rng;
use testkit::Seed;

use super::fixtures::*;
use crate::harness::tick;

fn chase(app: &mut App, hunter: Entity, target: Entity) {
    app.world_mut().entity_mut(hunter).insert(PathRequest::to(target));
}

fn follow(app: &mut App, hunter: Entity, target: Entity) {
    app.world_mut().entity_mut(hunter).insert(PathRequest::to(target).following());
}

/// Something that is no agent, at the centre of a cell.
fn thing(app: &mut App, x: i32, y: i32) -> Entity {
    app.world_mut().spawn(Transform::from_translation(centre(x, y).extend(0.0))).id()
}

fn put(app: &mut App, thing: Entity, x: i32, y: i32) {
    app.world_mut().get_mut::<Transform>(thing).expect("it is there").translation = centre(x, y).extend(0.0);
}

#[test]
fn slower_agent_is_caught() {
    let mut app = app();
    open_map(&mut app, 40, 10);
    let thief = agent(&mut app, 10, 5, 40.0);
    let guard = agent(&mut app, 0, 0, 120.0);
    order(&mut app, thief, 39, 5);
    chase(&mut app, guard, thief);
    for _ in 0..600 {
        tick(&mut app);
        if !is_ordered(&app, guard) {
            break;
        }
    }
    assert_eq!(status(&app, guard), PathStatus::Arrived);
    assert!(position(&app, guard).distance(position(&app, thief)) <= CELL, "where the thief is");
    assert!(is_ordered(&app, thief), "and that is still on its way");
}

#[test]
fn follower_waits_where_it_has_come_to_its_master_and_goes_on_with_it() {
    let mut app = app();
    open_map(&mut app, 30, 10);
    let master = agent(&mut app, 5, 5, 60.0);
    let dog = agent(&mut app, 0, 0, 100.0);
    follow(&mut app, dog, master);
    for goal in [(20, 2), (3, 9), (5, 5)] {
        order(&mut app, master, goal.0, goal.1);
        for _ in 0..600 {
            tick(&mut app);
        }
        assert_eq!(position(&app, dog), centre(goal.0, goal.1));
        assert_eq!(status(&app, dog), PathStatus::Following);
    }
    assert!(is_ordered(&app, dog));
    assert!(!told_of(&mut app, dog).iter().any(|told| matches!(told, Told::Arrived(_) | Told::Lost(_))));
}

#[test]
fn thing_that_is_put_elsewhere_is_found_there() {
    let mut app = app();
    map(&mut app, "..........\n.########.\n..........");
    let crate_ = thing(&mut app, 9, 0);
    let porter = agent(&mut app, 0, 0, 100.0);
    chase(&mut app, porter, crate_);
    tick(&mut app);
    put(&mut app, crate_, 9, 2);
    run_until_quiet(&mut app, 600);
    assert_eq!(position(&app, porter), centre(9, 2));
}

#[test]
fn target_that_turns_back_is_met() {
    let mut app = app();
    open_map(&mut app, 30, 3);
    let target = thing(&mut app, 20, 1);
    let hunter = agent(&mut app, 0, 1, 100.0);
    chase(&mut app, hunter, target);
    tick(&mut app);
    for x in (5..20).rev() {
        put(&mut app, target, x, 1);
        tick(&mut app);
        assert_eq!(path(&app, hunter).goal().cell(), Some(Cell::new(x, 1)));
        assert_eq!(app.world().resource::<TilepathDiagnostics>().work, 0, "the way is merely shorter");
    }
    run_until_quiet(&mut app, 600);
    assert_eq!(position(&app, hunter), centre(5, 1));
}

#[test]
fn target_that_goes_ends_the_order_with_the_reason() {
    type End = fn(&mut App, Entity);
    let ends: [(End, PathFailure); 4] = [
        (|app, target| _ = app.world_mut().despawn(target), PathFailure::TargetGone),
        (|app, target| _ = app.world_mut().entity_mut(target).insert(Disabled), PathFailure::TargetGone),
        (|app, target| _ = app.world_mut().entity_mut(target).remove::<Transform>(), PathFailure::TargetGone),
        (
            |app, target| {
                let cellar = app.world_mut().spawn(NavMap::default()).id();
                app.world_mut().entity_mut(target).insert(OnMap(cellar));
            },
            PathFailure::TargetElsewhere,
        ),
    ];
    for (end, reason) in ends {
        for is_first in [false, true] {
            let mut app = app();
            let map = open_map(&mut app, 10, 10);
            let target = thing(&mut app, 9, 9);
            let hunter = agent(&mut app, 0, 0, 50.0);
            app.world_mut().entity_mut(hunter).insert(OnMap(map));
            follow(&mut app, hunter, target);
            if !is_first {
                tick(&mut app);
                assert!(matches!(told_of(&mut app, hunter)[..], [Told::Found { .. }]));
            }
            end(&mut app, target);
            tick(&mut app);
            let expected = if is_first { Told::Failed(reason) } else { Told::Lost(reason) };
            assert_eq!(told_of(&mut app, hunter), [expected]);
            assert_eq!(status(&app, hunter), PathStatus::Failed(reason));
        }
    }
}

#[test]
fn one_whose_stop_moves_goes_on_from_where_that_is_now() {
    let mut app = app();
    open_map(&mut app, 20, 10);
    let target = thing(&mut app, 9, 5);
    let hunter = agent(&mut app, 2, 5, 64.0);
    // Twice to the same: from the first stop there is nothing to walk.
    let request = PathRequest::to(target).then(PathGoal::Entity(target)).with_tolerance(f32::INFINITY);
    app.world_mut().entity_mut(hunter).insert(request);
    for at in [(9, 5), (10, 5), (11, 4), (11, 3), (12, 2)] {
        put(&mut app, target, at.0, at.1);
        for _ in 0..8 {
            tick(&mut app);
        }
    }
    run_until_quiet(&mut app, 300);
    let arrived = told_of(&mut app, hunter).into_iter().filter(|what| matches!(what, Told::Arrived(_)));
    assert_eq!(arrived.collect::<Vec<_>>(), [Told::Arrived(Cell::new(12, 2))]);
    assert_eq!(position(&app, hunter), centre(12, 2));
}

#[test]
fn target_in_a_wall_or_off_the_map_is_told_as_such() {
    let mut app = app();
    map(&mut app, "....#\n.....");
    let target = thing(&mut app, 3, 1);
    let hunter = agent(&mut app, 0, 0, 20.0);
    follow(&mut app, hunter, target);
    tick(&mut app);
    told(&mut app);
    put(&mut app, target, 4, 1);
    tick(&mut app);
    let reason = PathFailure::GoalBlocked { cell: Cell::new(4, 1) };
    assert_eq!(told_of(&mut app, hunter), [Told::Lost(reason)]);

    put(&mut app, target, 3, 1);
    follow(&mut app, hunter, target);
    tick(&mut app);
    told(&mut app);
    put(&mut app, target, 30, 1);
    tick(&mut app);
    assert!(matches!(told_of(&mut app, hunter)[..], [Told::Lost(PathFailure::GoalOutOfBounds { .. })]));

    // As near as it can come.
    put(&mut app, target, 4, 1);
    app.world_mut().entity_mut(hunter).insert(PathRequest::to(target).or_closest());
    tick(&mut app);
    assert!(matches!(told_of(&mut app, hunter)[..], [Told::Found { partial: true, .. }]));
}

#[test]
fn three_that_chase_each_other_in_a_ring_meet() {
    let mut app = app();
    open_map(&mut app, 20, 20);
    let ring = [(0, 0), (19, 3), (7, 19)].map(|(x, y)| agent(&mut app, x, y, 80.0));
    for number in 0..3 {
        chase(&mut app, ring[number], ring[(number + 1) % 3]);
    }
    run_until_quiet(&mut app, 1000);
    assert!(ring.iter().all(|&who| status(&app, who) == PathStatus::Arrived));
    // An agent that follows itself has arrived before it sets out.
    chase(&mut app, ring[0], ring[0]);
    run_until_quiet(&mut app, 3);
    assert_eq!(status(&app, ring[0]), PathStatus::Arrived);
}

#[test]
fn long_chase_costs_few_searches_and_no_way_is_worse_than_tolerated() {
    const SIDE: i32 = 160;
    let mut random = Seed::named("a long chase").generator();
    let mut app = app();
    app.insert_resource(TilepathSettings { work_per_tick: u64::MAX });
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
    let map = map_of(&mut app, grid, Diagonals::default());
    let target = agent(&mut app, far.x, far.y, 60.0);
    let hunter = agent(&mut app, start.x, start.y, 60.0);
    follow(&mut app, hunter, target);
    let (mut changes, mut searches, mut before) = (0, 0, far);
    for _ in 0..1500 {
        if !is_ordered(&app, target) {
            // Always far away.
            let goal = Cell::new(random.random_range(130..SIDE), random.random_range(130..SIDE));
            order(&mut app, target, goal.x, goal.y);
        }
        tick(&mut app);
        let found = told(&mut app);
        searches += found
            .iter()
            .filter(|(who, what)| *who == hunter && matches!(what, Told::Replanned { .. }))
            .count();
        let Some(walked) = app.world().get::<AgentPath>(hunter) else { continue };
        let goal = walked.goal().cell().unwrap();
        changes += usize::from(goal != before);
        before = goal;
        let grid = app.world().get::<NavGrid>(map).unwrap();
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
    assert!(searches * 5 <= changes, "{searches} ways for {changes} cells");
}

#[test]
fn map_without_a_place_for_it_is_refused() {
    let mut app = app();
    open_map(&mut app, 4, 4);
    // On another map that covers the same place.
    let other = open_map(&mut app, 4, 4);
    let target = thing(&mut app, 2, 2);
    let hunter = agent(&mut app, 0, 0, 20.0);
    app.world_mut().entity_mut(hunter).insert(OnMap(other));
    chase(&mut app, hunter, target);
    run_until_quiet(&mut app, 300);
    assert_eq!(position(&app, hunter), centre(2, 2), "without OnMap it is on the hunter's map");
}
