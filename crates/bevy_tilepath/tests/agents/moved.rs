//! Agents that are put elsewhere while their order waits for its answer.

use bevy::prelude::*;
use bevy_tilepath::{
    Algorithm, Cell, NavProjection, OnMap, PathFailure, PathFound, PathRequest, PathStatus, TilepathSettings,
};

use super::fixtures::*;
use crate::harness::tick;

fn budget(app: &mut App, work_per_tick: u64) {
    app.insert_resource(TilepathSettings { work_per_tick });
}

fn teleport(app: &mut App, entity: Entity, x: i32, y: i32) {
    app.world_mut().get_mut::<Transform>(entity).expect("it is somewhere").translation =
        centre(x, y).extend(0.0);
}

/// An agent whose long search comes first while there is so little work in a tick.
fn busy_app(picture: &str) -> (App, Entity) {
    let mut app = app();
    let map = map(&mut app, picture);
    budget(&mut app, 1);
    let busy = agent(&mut app, 0, 0, 0.0);
    app.world_mut().entity_mut(busy).insert(OnMap(map));
    let long = PathRequest::to_cell(Cell::new(0, 7)).with_algorithm(Algorithm::Dijkstra);
    app.world_mut().entity_mut(busy).insert(long);
    tick(&mut app);
    (app, map)
}

const DIVIDED: &str = "
    ....#....
    ....#....
    ....#....
    ....#....
    ....#....
    ....#....
    ....#....
    ....#....
";

#[test]
fn order_of_an_agent_moved_while_it_is_queued_is_answered_from_where_it_is_then() {
    let (mut app, map) = busy_app(DIVIDED);
    let soldier = agent(&mut app, 1, 1, 0.0);
    app.world_mut().entity_mut(soldier).insert(OnMap(map));
    order(&mut app, soldier, 8, 1);
    tick(&mut app);
    assert_eq!(status(&app, soldier), PathStatus::Queued);
    teleport(&mut app, soldier, 6, 1);
    budget(&mut app, 1000);
    tick(&mut app);
    assert_eq!(told_of(&mut app, soldier), [Told::Found { goal: Cell::new(8, 1), cost: 20, partial: false }]);
}

#[test]
fn failure_of_an_agent_moved_while_it_is_searched_for_is_asked_again() {
    let mut app = app();
    open_map(&mut app, 30, 30);
    budget(&mut app, 20);
    let soldier = agent(&mut app, 0, 0, 0.0);
    let request = PathRequest::to_cell(Cell::new(29, 29)).with_algorithm(Algorithm::Dijkstra).with_limit(100);
    app.world_mut().entity_mut(soldier).insert(request);
    tick(&mut app);
    assert_eq!(status(&app, soldier), PathStatus::Searching);
    teleport(&mut app, soldier, 28, 28);
    for _ in 0..10 {
        tick(&mut app);
    }
    assert_eq!(
        told_of(&mut app, soldier),
        [Told::Found { goal: Cell::new(29, 29), cost: 14, partial: false }]
    );
}

#[test]
fn order_of_an_agent_moved_while_it_is_searched_for_begins_where_it_is() {
    let mut app = app();
    open_map(&mut app, 30, 30);
    budget(&mut app, 100);
    let soldier = agent(&mut app, 0, 0, 160.0);
    let request = PathRequest::to_cell(Cell::new(29, 0)).with_algorithm(Algorithm::Dijkstra);
    app.world_mut().entity_mut(soldier).insert(request);
    tick(&mut app);
    assert_eq!(status(&app, soldier), PathStatus::Searching);
    teleport(&mut app, soldier, 20, 29);
    run_until_quiet(&mut app, 1000);
    assert_eq!(
        told_of(&mut app, soldier),
        [
            Told::Found { goal: Cell::new(29, 0), cost: 20 * 10 + 9 * 14, partial: false },
            Told::Arrived(Cell::new(29, 0))
        ]
    );
}

#[test]
fn order_of_an_agent_given_another_map_while_it_waits_is_answered_there() {
    for is_searching in [false, true] {
        let (mut app, divided) = busy_app(DIVIDED);
        let open = open_map(&mut app, 9, 8);
        tick(&mut app);
        let soldier = agent(&mut app, 1, 1, 0.0);
        app.world_mut().entity_mut(soldier).insert(OnMap(divided));
        let goal = if is_searching { Cell::new(3, 7) } else { Cell::new(8, 1) };
        let request = PathRequest::to_cell(goal).with_algorithm(Algorithm::Dijkstra).with_limit(20);
        app.world_mut().entity_mut(soldier).insert(request);
        budget(&mut app, if is_searching { 30 } else { 1 });
        tick(&mut app);
        let waiting = if is_searching { PathStatus::Searching } else { PathStatus::Queued };
        assert_eq!(status(&app, soldier), waiting);
        app.world_mut().entity_mut(soldier).insert(OnMap(open));
        teleport(&mut app, soldier, goal.x - 1, goal.y);
        budget(&mut app, 1000);
        for _ in 0..3 {
            tick(&mut app);
        }
        assert_eq!(told_of(&mut app, soldier), [Told::Found { goal, cost: 10, partial: false }]);
        assert_eq!(path(&app, soldier).map(), open);
    }
}

#[test]
fn agent_moved_in_every_tick_is_answered_all_the_same() {
    let mut app = app();
    map(&mut app, DIVIDED);
    budget(&mut app, 5);
    let (soldier, walled_off) = (agent(&mut app, 0, 0, 0.0), agent(&mut app, 0, 0, 0.0));
    let far = PathRequest::to_cell(Cell::new(3, 7)).with_algorithm(Algorithm::Dijkstra);
    app.world_mut().entity_mut(soldier).insert(far);
    let nowhere = PathRequest::to_cell(Cell::new(8, 7)).with_algorithm(Algorithm::Dijkstra).or_closest();
    app.world_mut().entity_mut(walled_off).insert(nowhere);
    for t in 0..100 {
        teleport(&mut app, soldier, t % 2, 0);
        teleport(&mut app, walled_off, t % 2, 1);
        tick(&mut app);
    }
    let told = told(&mut app);
    let answers = |who| {
        told.iter()
            .filter(|told| told.0 == who && matches!(told.1, Told::Found { .. } | Told::Failed(_)))
            .count()
    };
    assert_eq!((answers(soldier), answers(walled_off)), (1, 1));
    assert!(!told.iter().any(|told| told.1 == Told::Failed(PathFailure::Unreachable)));
}

#[test]
fn path_found_while_its_map_is_moved_leads_over_the_map_where_it_lies_now() {
    let mut app = app();
    let map = open_map(&mut app, 10, 10);
    let soldier = agent(&mut app, 1, 1, f32::INFINITY);
    let moved = NavProjection::square(Vec2::splat(CELL), Vec2::new(CELL / 2.0 + 4.0, CELL / 2.0));
    app.add_observer(move |_: On<PathFound>, mut maps: Query<&mut NavProjection>| {
        *maps.get_mut(map).expect("the map is there") = moved;
    });
    order(&mut app, soldier, 8, 1);
    tick(&mut app);
    assert_eq!(status(&app, soldier), PathStatus::Arrived);
    assert_eq!(position(&app, soldier), moved.world_position_of(Cell::new(8, 1)));
}
