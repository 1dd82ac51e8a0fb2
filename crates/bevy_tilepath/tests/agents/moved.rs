//! Agents that the game moves while their order waits for its answer.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentMovement, Algorithm, Cell, NavProjection, OnMap, PathFailure, PathGoal, PathRequest, PathStatus,
    TilepathSettings, events::PathFound,
};

use super::movements::{map_for_all, unit};
use crate::harness::*;

/// Returns a game in which a long search of another agent comes first, and a tick has little work.
fn busy_game(picture: &str) -> (Game, Entity) {
    let (mut game, map) = Game::drawn_as(picture);
    game.budget(1);
    let busy = game.agent(0, 0, 0.0);
    game.world_mut().entity_mut(busy).insert(OnMap(map));
    let long = PathRequest::to_cell(Cell::new(0, 7)).with_algorithm(Algorithm::Dijkstra);
    game.world_mut().entity_mut(busy).insert(long);
    game.tick();
    (game, map)
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
    let (mut game, map) = busy_game(DIVIDED);
    let soldier = game.agent(1, 1, 0.0);
    game.world_mut().entity_mut(soldier).insert(OnMap(map));
    game.order_to(soldier, 8, 1);
    game.tick();
    assert_eq!(game.status(soldier), PathStatus::Queued);
    game.put(soldier, 6, 1);
    game.budget(1000);
    game.tick();
    assert_eq!(game.told_of(soldier), [Told::Found { goal: Cell::new(8, 1), cost: 20, partial: false }]);
}

#[test]
fn failure_of_an_agent_moved_while_it_is_searched_for_is_asked_again() {
    let (mut game, _) = Game::open(30, 30);
    game.budget(20);
    let soldier = game.agent(0, 0, 0.0);
    let request = PathRequest::to_cell(Cell::new(29, 29)).with_algorithm(Algorithm::Dijkstra).with_limit(100);
    game.world_mut().entity_mut(soldier).insert(request);
    game.tick();
    assert_eq!(game.status(soldier), PathStatus::Searching);
    game.put(soldier, 28, 28);
    game.ticks(10);
    assert_eq!(game.told_of(soldier), [Told::Found { goal: Cell::new(29, 29), cost: 14, partial: false }]);
}

#[test]
fn order_of_an_agent_moved_while_it_is_searched_for_begins_where_it_is() {
    let (mut game, _) = Game::open(30, 30);
    game.budget(100);
    let soldier = game.agent(0, 0, 160.0);
    let request = PathRequest::to_cell(Cell::new(29, 0)).with_algorithm(Algorithm::Dijkstra);
    game.world_mut().entity_mut(soldier).insert(request);
    game.tick();
    assert_eq!(game.status(soldier), PathStatus::Searching);
    game.put(soldier, 20, 29);
    game.run_until_quiet(1000);
    assert_eq!(
        game.told_of(soldier),
        [
            Told::Found { goal: Cell::new(29, 0), cost: 20 * 10 + 9 * 14, partial: false },
            Told::Arrived(Cell::new(29, 0))
        ]
    );
}

#[test]
fn order_of_an_agent_given_another_map_while_it_waits_is_answered_there() {
    for is_searching in [false, true] {
        let (mut game, divided) = busy_game(DIVIDED);
        let open = game.open_map(9, 8);
        game.tick();
        let soldier = game.agent(1, 1, 0.0);
        game.world_mut().entity_mut(soldier).insert(OnMap(divided));
        let goal = if is_searching { Cell::new(3, 7) } else { Cell::new(8, 1) };
        let request = PathRequest::to_cell(goal).with_algorithm(Algorithm::Dijkstra).with_limit(20);
        game.world_mut().entity_mut(soldier).insert(request);
        game.budget(if is_searching { 30 } else { 1 });
        game.tick();
        let waiting = if is_searching { PathStatus::Searching } else { PathStatus::Queued };
        assert_eq!(game.status(soldier), waiting);
        game.world_mut().entity_mut(soldier).insert(OnMap(open));
        game.put(soldier, goal.x - 1, goal.y);
        game.budget(1000);
        game.ticks(3);
        assert_eq!(game.told_of(soldier), [Told::Found { goal, cost: 10, partial: false }]);
        assert_eq!(game.path(soldier).map(), open);
    }
}

#[test]
fn agent_moved_in_every_tick_is_answered_all_the_same() {
    let (mut game, _) = Game::drawn_as(DIVIDED);
    game.budget(5);
    let (soldier, walled_off) = (game.agent(0, 0, 0.0), game.agent(0, 0, 0.0));
    let far = PathRequest::to_cell(Cell::new(3, 7)).with_algorithm(Algorithm::Dijkstra);
    game.world_mut().entity_mut(soldier).insert(far);
    let nowhere = PathRequest::to_cell(Cell::new(8, 7)).with_algorithm(Algorithm::Dijkstra).or_closest();
    game.world_mut().entity_mut(walled_off).insert(nowhere);
    for t in 0..100 {
        game.put(soldier, t % 2, 0);
        game.put(walled_off, t % 2, 1);
        game.tick();
    }
    let told = game.told();
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
    let (mut game, map) = Game::open(10, 10);
    let soldier = game.agent(1, 1, f32::INFINITY);
    let moved = NavProjection::square(Vec2::splat(CELL), Vec2::new(CELL / 2.0 + 4.0, CELL / 2.0));
    game.add_observer(move |_: On<PathFound>, mut maps: Query<&mut NavProjection>| {
        *maps.get_mut(map).expect("the map is there") = moved;
    });
    game.order_to(soldier, 8, 1);
    game.tick();
    assert_eq!(game.status(soldier), PathStatus::Arrived);
    assert_eq!(game.position(soldier), moved.world_position_of(Cell::new(8, 1)));
}

/// Moves a map eastwards by `cells` cells.
fn shift(game: &mut Game, map: Entity, cells: f32) {
    let moved = NavProjection::square(Vec2::splat(CELL), Vec2::new((0.5 + cells) * CELL, CELL / 2.0));
    game.world_mut().entity_mut(map).insert(moved);
}

#[test]
fn position_stays_the_place_as_which_it_was_accepted_whatever_moves_and_however() {
    let mut game = Game::new();
    let map = map_for_all(&mut game, &["................"; 9].join("\n"));
    let place = centre(12, 4);
    let requests = [
        PathRequest::to_position(place),
        PathRequest::to_nearest([place, centre(0, 8)]),
        PathRequest::to(place).then(centre(13, 4)),
        PathRequest::to(PathGoal::within(place, 1.0)),
    ];
    let units: Vec<Entity> = (requests.into_iter().zip(0..))
        .map(|(request, y)| {
            let unit = unit(&mut game, 8, y, "foot");
            game.world_mut().entity_mut(unit).insert(request);
            unit
        })
        .collect();
    game.tick();
    let goals = |game: &Game| units.iter().map(|&unit| game.cell_path(unit).goal()).collect::<Vec<_>>();
    let ends: Vec<Cell> = [(12, 4), (12, 4), (12, 4), (11, 4)].map(Cell::from).to_vec();
    assert_eq!(goals(&game), ends);
    // Moves the map: the cell that was at the position is now one cell to the west.
    shift(&mut game, map, -1.0);
    game.tick();
    for name in ["flier", "ghost"] {
        for &unit in &units {
            game.world_mut().entity_mut(unit).insert(AgentMovement::from(name));
        }
        game.tick();
        assert_eq!(goals(&game), ends, "{name}");
    }
    game.run_until_quiet(300);
    assert_eq!(game.position(units[0]), centre(11, 4), "cell (12, 4) lies at this place");
    assert_eq!(
        game.position(units[2]),
        centre(13, 4),
        "the cell of a later stop is found only when its turn comes"
    );
}

#[test]
fn position_stays_that_place_while_its_order_waits_for_an_answer() {
    let mut game = Game::new();
    let map = map_for_all(&mut game, &["................"; 9].join("\n"));
    game.insert_resource(TilepathSettings { work_per_tick: 1 });
    let soldier = unit(&mut game, 2, 4, "foot");
    let request = PathRequest::to_position(centre(12, 4)).with_algorithm(Algorithm::Dijkstra);
    game.world_mut().entity_mut(soldier).insert(request);
    game.tick();
    assert_eq!(game.status(soldier), PathStatus::Searching);
    shift(&mut game, map, -1.0);
    game.world_mut().entity_mut(soldier).insert(AgentMovement::from("flier"));
    game.tick();
    game.insert_resource(TilepathSettings::default());
    game.tick();
    assert_eq!(game.cell_path(soldier).goal(), Cell::new(12, 4));
}

#[test]
fn unit_of_another_size_goes_where_the_middle_of_the_former_one_would_have_been() {
    let mut game = Game::new();
    map_for_all(&mut game, &["................"; 9].join("\n"));
    let order_by_name = |game: &mut Game, at: Vec2, name: &'static str| {
        let unit = unit(game, 3, 3, name);
        game.world_mut().entity_mut(unit).insert(PathRequest::to_position(at));
        game.tick();
        unit
    };
    for (at, first, goal, second, after) in [
        (centre(12, 4), "wagon", (12, 4), "foot", (12, 4)),
        (centre(12, 4), "foot", (12, 4), "wagon", (11, 3)),
        // There the whole wagon is on the map.
        (centre(15, 8), "foot", (15, 8), "wagon", (14, 7)),
        (centre(0, 0), "foot", (0, 0), "wagon", (0, 0)),
    ] {
        let unit = order_by_name(&mut game, at, first);
        assert_eq!(game.cell_path(unit).goal(), Cell::from(goal));
        game.world_mut().entity_mut(unit).insert(AgentMovement::from(second));
        game.tick();
        assert_eq!(game.cell_path(unit).goal(), Cell::from(after), "{first} to {second}");
        game.world_mut().despawn(unit);
    }
}
