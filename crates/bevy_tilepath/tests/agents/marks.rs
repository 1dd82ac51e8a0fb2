//! Paths count as changed exactly if they can be seen to differ.

use bevy::{ecs::change_detection::Tick, prelude::*};
use bevy_tilepath::{AgentPath, Cell, PathAgent, PathGoal, PathRequest, PathStatus, agents::Drive};

use crate::harness::*;

/// The parts of a path that a user sees, and the tick of its last mark.
#[derive(Debug, Clone, PartialEq)]
struct Seen {
    points: Vec<Vec2>,
    goal: bevy_tilepath::Place,
    cost: f64,
    revision: u64,
    next: usize,
    marked: Tick,
}

fn seen(game: &Game, agent: Entity) -> Option<Seen> {
    let path = game.world().entity(agent).get_ref::<AgentPath>()?;
    Some(Seen {
        points: path.points().to_vec(),
        goal: path.goal().clone(),
        cost: path.route_cost(),
        revision: path.revision(),
        next: path.next_point(),
        marked: path.last_changed(),
    })
}

/// Ticks the game. The path of the agent must be marked exactly if its revision or next point differs,
/// and the revision must differ if anything else does. Returns the number of ticks with a mark, and the
/// number of ticks with another revision.
#[track_caller]
fn assert_marks(game: &mut Game, agent: Entity, ticks: usize) -> (usize, usize) {
    let (mut marks, mut revisions) = (0, 0);
    let mut before = seen(game, agent);
    for _ in 0..ticks {
        game.tick();
        let now = seen(game, agent);
        if let (Some(before), Some(now)) = (&before, &now) {
            let has_other_plan = before.revision != now.revision;
            assert_eq!(
                before.marked != now.marked,
                has_other_plan || before.next != now.next,
                "{before:?} {now:?}"
            );
            let looks_alike =
                (&before.points, &before.goal, before.cost) == (&now.points, &now.goal, now.cost);
            assert!(has_other_plan || looks_alike, "{before:?} {now:?}");
            marks += usize::from(before.marked != now.marked);
            revisions += usize::from(has_other_plan);
        }
        before = now;
    }
    (marks, revisions)
}

#[test]
fn walking_marks_path_only_at_points() {
    for drive in [Drive::Transform, Drive::Velocity] {
        let (mut game, map) = Game::open(12, 3);
        let walker = game.ordered_agent((0, 1), CELL * 4.0, (11, 1));
        game.world_mut().get_mut::<PathAgent>(walker).expect("it is an agent").drive = drive;
        game.tick();
        let before = game.path(walker).revision();
        if drive == Drive::Velocity {
            // Nothing moves it.
            assert_eq!(assert_marks(&mut game, walker, 30).0, 0);
            continue;
        }
        let (marks, _) = assert_marks(&mut game, walker, 60);
        let points = game.path(walker).next_point();
        assert!(marks <= points && marks > 2, "{marks} marks, {points} points");
        assert_eq!(game.path(walker).revision(), before);
        // Mud ahead raises the cost, so the path looks different.
        game.set_terrain(map, 10, 1, 2);
        assert_marks(&mut game, walker, 1);
        assert!(game.path(walker).revision() > before);
        assert_marks(&mut game, walker, 200);
        assert_eq!(game.status(walker), PathStatus::Arrived);
    }
}

#[test]
fn standing_agent_is_never_marked() {
    let (mut game, map) = Game::open(12, 3);
    let paused = game.ordered_agent((0, 0), CELL * 4.0, (11, 0));
    let slow = game.ordered_agent((0, 1), 0.0, (11, 1));
    let body = game.body(0, 2, CELL * 4.0);
    game.order_to(body, 11, 2);
    let stone = game.body(1, 2, CELL);
    game.order_to(stone, 11, 2);
    let arrived = game.ordered_agent((5, 1), CELL * 4.0, (6, 1));
    let follower = game.agent(7, 1, CELL * 4.0);
    game.order(follower, PathRequest::to(stone).following());
    game.ticks(2);
    for agent in [paused, stone, body] {
        game.world_mut().get_mut::<PathAgent>(agent).expect("it is an agent").paused = true;
    }
    game.ticks(240);
    assert_eq!(game.status(arrived), PathStatus::Arrived);
    let agents = [paused, slow, body, stone, arrived, follower];
    let marks = |game: &Game| agents.map(|agent| seen(game, agent).map(|seen| seen.marked));
    let before = marks(&game);
    game.ticks(30);
    // An edit where no path leads.
    game.set_terrain(map, 11, 1, 1);
    game.ticks(30);
    assert_eq!(marks(&game), before);
}

#[test]
fn led_body_and_chase_raise_revision() {
    let (mut game, _) = Game::open(40, 9);
    let target = game.ordered_agent((20, 4), CELL * 2.0, (39, 4));
    let chaser = game.agent(2, 4, CELL * 4.0);
    game.order(chaser, PathRequest::to(target).following());
    game.ticks(3);
    let (marks, revisions) = assert_marks(&mut game, chaser, 300);
    assert!(revisions > 5 && marks > revisions, "{marks} marks, {revisions} revisions");

    let (mut game, _) = Game::open(40, 40);
    let goal = PathGoal::nearest((0..3).map(|x| Cell::new(20 + x, 39)));
    let bodies: Vec<Entity> = (0..80).map(|n| game.body(n % 20, n / 20, CELL * 4.0)).collect();
    for &body in &bodies {
        game.order(body, PathRequest::to(goal.clone()));
    }
    let mut all = 0;
    let mut before: Vec<_> = bodies.iter().map(|&body| seen(&game, body)).collect();
    for _ in 0..400 {
        game.tick();
        let now: Vec<_> = bodies.iter().map(|&body| seen(&game, body)).collect();
        for (before, now) in before.iter().zip(&now) {
            if let (Some(before), Some(now)) = (before, now) {
                let is_other = (before.revision, before.next) != (now.revision, now.next);
                assert_eq!(before.marked != now.marked, is_other);
                assert!(before.revision != now.revision || before.points == now.points);
                all += usize::from(before.revision != now.revision);
            }
        }
        before = now;
    }
    assert!(all > 0, "no body got another path");
}
