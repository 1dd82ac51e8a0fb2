//! Agents that are put elsewhere while their order waits for its answer.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentMovement, Algorithm, Cell, NavProjection, OnMap, PathFailure, PathGoal, PathRequest, PathStatus,
    TilepathSettings, events::PathFound,
};

use super::{
    fixtures::*,
    movements::{map_for_all, unit},
};
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

/// Moves a map some cells eastwards.
fn shift(app: &mut App, map: Entity, cells: f32) {
    let moved = NavProjection::square(Vec2::splat(CELL), Vec2::new((0.5 + cells) * CELL, CELL / 2.0));
    app.world_mut().entity_mut(map).insert(moved);
}

#[test]
fn position_stays_the_place_as_which_it_was_accepted_whatever_moves_and_however() {
    let mut app = app();
    let map = map_for_all(&mut app, &["................"; 9].join("\n"));
    let place = centre(12, 4);
    let requests = [
        PathRequest::to_position(place),
        PathRequest::to_nearest([place, centre(0, 8)]),
        PathRequest::to(place).then(centre(13, 4)),
        PathRequest::to(PathGoal::within(place, 1.0)),
    ];
    let units: Vec<Entity> = (requests.into_iter().zip(0..))
        .map(|(request, y)| {
            let unit = unit(&mut app, 8, y, "foot");
            app.world_mut().entity_mut(unit).insert(request);
            unit
        })
        .collect();
    tick(&mut app);
    let goals = |app: &App| units.iter().map(|&unit| cell_path(app, unit).goal()).collect::<Vec<_>>();
    let ends: Vec<Cell> = [(12, 4), (12, 4), (12, 4), (11, 4)].map(Cell::from).to_vec();
    assert_eq!(goals(&app), ends);
    // What lay at the position lies a cell to the west by now.
    shift(&mut app, map, -1.0);
    tick(&mut app);
    for name in ["flier", "ghost"] {
        for &unit in &units {
            app.world_mut().entity_mut(unit).insert(AgentMovement::from(name));
        }
        tick(&mut app);
        assert_eq!(goals(&app), ends, "{name}");
    }
    run_until_quiet(&mut app, 300);
    assert_eq!(position(&app, units[0]), centre(11, 4), "cell (12, 4) lies there");
    assert_eq!(position(&app, units[2]), centre(13, 4), "a further stop is a place when its turn comes");
}

#[test]
fn position_stays_that_place_while_its_order_waits_for_an_answer() {
    let mut app = app();
    let map = map_for_all(&mut app, &["................"; 9].join("\n"));
    app.insert_resource(TilepathSettings { work_per_tick: 1 });
    let soldier = unit(&mut app, 2, 4, "foot");
    let request = PathRequest::to_position(centre(12, 4)).with_algorithm(Algorithm::Dijkstra);
    app.world_mut().entity_mut(soldier).insert(request);
    tick(&mut app);
    assert_eq!(status(&app, soldier), PathStatus::Searching);
    shift(&mut app, map, -1.0);
    app.world_mut().entity_mut(soldier).insert(AgentMovement::from("flier"));
    tick(&mut app);
    app.insert_resource(TilepathSettings::default());
    tick(&mut app);
    assert_eq!(cell_path(&app, soldier).goal(), Cell::new(12, 4));
}

#[test]
fn unit_of_another_size_goes_where_the_middle_of_the_former_one_would_have_been() {
    let mut app = app();
    map_for_all(&mut app, &["................"; 9].join("\n"));
    let order = |app: &mut App, at: Vec2, name: &'static str| {
        let unit = unit(app, 3, 3, name);
        app.world_mut().entity_mut(unit).insert(PathRequest::to_position(at));
        tick(app);
        unit
    };
    for (at, first, goal, second, after) in [
        (centre(12, 4), "wagon", (12, 4), "foot", (12, 4)),
        (centre(12, 4), "foot", (12, 4), "wagon", (11, 3)),
        // There the whole wagon is on the map.
        (centre(15, 8), "foot", (15, 8), "wagon", (14, 7)),
        (centre(0, 0), "foot", (0, 0), "wagon", (0, 0)),
    ] {
        let unit = order(&mut app, at, first);
        assert_eq!(cell_path(&app, unit).goal(), Cell::from(goal));
        app.world_mut().entity_mut(unit).insert(AgentMovement::from(second));
        tick(&mut app);
        assert_eq!(cell_path(&app, unit).goal(), Cell::from(after), "{first} to {second}");
        app.world_mut().despawn(unit);
    }
}
