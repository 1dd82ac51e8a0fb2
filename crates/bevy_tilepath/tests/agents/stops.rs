//! Orders with several stops, which may be edited later, and orders that wait for a path.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentMovement, Cell, CostTable, Movement, NavGrid, NavMap, NavProjection, OnMap, PathAgent, PathFailure,
    PathGoal, PathRequest, PathStatus, TilepathSettings,
    agents::Speed,
    events::StopReached,
    orders::{PathStops, Repeat},
    tilepath::Grid,
};
use rand::Rng;
use testkit::Seed;

use crate::harness::*;

/// The reached stops, by their index and cell.
#[derive(Resource, Default)]
struct Reached(Vec<(Entity, usize, Cell)>);

/// The reached stops, by the goal of the order.
#[derive(Resource, Default)]
struct Goals(Vec<PathGoal>);

fn app_with_stops() -> Game {
    let mut game = Game::new();
    game.init_resource::<Reached>().add_observer(|on: On<StopReached>, mut reached: ResMut<Reached>| {
        reached.0.push((on.entity, on.index, on.place.cell().expect("it is a cell")));
    });
    game
}

fn reached(game: &mut Game) -> Vec<(usize, Cell)> {
    let all = std::mem::take(&mut game.world_mut().resource_mut::<Reached>().0);
    all.into_iter().map(|(_, index, cell)| (index, cell)).collect()
}

fn to(x: i32, y: i32) -> PathRequest {
    PathRequest::to(Cell::new(x, y))
}

fn stops(game: &mut Game, agent: Entity) -> Mut<'_, PathStops> {
    game.world_mut().get_mut::<PathStops>(agent).expect("it has an order")
}

#[test]
fn patrol_taken_up_at_another_stop_goes_on_from_there() {
    for is_first_tick in [false, true] {
        let (mut game, _) = Game::open(20, 10);
        let guard = game.agent(2, 2, 128.0);
        let round = [(18, 2), (18, 8), (2, 8)].map(|(x, y)| Cell::new(x, y));
        game.order(guard, PathRequest::to(round[0]).then(round[1]).then(round[2]).looped());
        if !is_first_tick {
            game.ticks(10);
        }
        let mut stops = game.world_mut().get_mut::<PathStops>(guard).expect("it has an order");
        assert!(!stops.go_to(3) && stops.go_to(2));
        for stop in [2, 0, 1, 2] {
            game.tick_until(400, |game| game.cell_at(guard) == round[stop]);
        }
    }
}

#[test]
fn stops_are_walked_one_after_the_other_and_the_order_ends_once() {
    let mut game = app_with_stops();
    game.open_map(12, 12);
    let unit = game.agent(0, 0, 160.0);
    game.order(unit, to(5, 0).then(Cell::new(5, 5)).then(Cell::new(0, 5)));
    game.run_until_quiet(600);
    assert_eq!(reached(&mut game), [(0, Cell::new(5, 0)), (1, Cell::new(5, 5)), (2, Cell::new(0, 5))]);
    let told = game.told_of(unit);
    assert_eq!(
        told,
        [Told::Found { goal: Cell::new(5, 0), cost: 50, partial: false }, Told::Arrived(Cell::new(0, 5))]
    );
    assert_eq!(game.position(unit), centre(0, 5));
    assert!(stops(&mut game, unit).stops().is_empty(), "an agent without an order has no stops");
}

#[test]
fn no_stride_is_lost_at_a_stop() {
    let mut game = app_with_stops();
    game.open_map(12, 12);
    // A tick is 2.5 world units, and a cell is 16. A cell never takes a whole number of ticks.
    let unit = game.agent(0, 0, 160.0);
    let patrol = to(5, 0).then(Cell::new(5, 5)).then(Cell::new(0, 0)).looped();
    game.order(unit, patrol);
    game.tick();
    let mut last = game.position(unit);
    for _ in 0..1000 {
        game.tick();
        let here = game.position(unit);
        let stride = here.distance(last);
        // A stride is less than 2.5 only if the unit turned a corner in it.
        assert!(stride > 0.9 && stride < 2.501, "{stride} from {last} to {here}");
        last = here;
        assert_eq!(game.status(unit), PathStatus::Following);
    }
    let laps = reached(&mut game).len() / 3;
    // A lap is 5 cells straight, 5 straight and 5 diagonal. The unit walked 2.5 world units a tick.
    let lap = 5.0 * 16.0 + 5.0 * 16.0 + 5.0 * 16.0 * 2f32.sqrt();
    assert_eq!(laps, (1001.0 * 160.0 / 64.0 / lap) as usize);
}

#[test]
fn agent_goes_back_and_forth() {
    let mut game = app_with_stops();
    game.open_map(12, 3);
    let unit = game.agent(0, 0, 320.0);
    game.order(unit, to(3, 0).then(Cell::new(7, 0)).then(Cell::new(11, 0)).back_and_forth());
    while game.world().resource::<Reached>().0.len() < 8 {
        game.tick();
    }
    let order: Vec<usize> = reached(&mut game).into_iter().map(|(index, _)| index).collect();
    assert_eq!(order[..8], [0, 1, 2, 1, 0, 1, 2, 1]);
}

#[test]
fn stops_may_be_edited_on_the_way() {
    let mut game = app_with_stops();
    game.open_map(20, 20);
    let unit = game.agent(0, 0, 160.0);
    game.order(unit, to(5, 0));
    game.ticks(5);
    stops(&mut game, unit).push(Cell::new(5, 6));
    stops(&mut game, unit).push(Cell::new(9, 9));
    game.tick();
    // Replaces the current stop.
    stops(&mut game, unit).replace(0, Cell::new(0, 3));
    game.tick();
    assert_eq!(game.path(unit).goal().cell(), Some(Cell::new(0, 3)));
    stops(&mut game, unit).remove(1);
    game.run_until_quiet(900);
    assert_eq!(reached(&mut game), [(0, Cell::new(0, 3)), (1, Cell::new(9, 9))]);
    let ends = game.told_of(unit).iter().filter(|told| matches!(told, Told::Arrived(_))).count();
    assert_eq!(ends, 1);
}

#[test]
fn stop_that_is_appended_when_the_last_one_is_reached_is_walked_to() {
    let mut game = app_with_stops();
    game.open_map(20, 20);
    let unit = game.agent(0, 0, 160.0);
    game.order(unit, to(3, 0).then(Cell::new(4, 0)));
    game.add_observer(|on: On<StopReached>, mut all: Query<&mut PathStops>| {
        if on.index == 1 {
            all.get_mut(on.entity).expect("it has an order").push(Cell::new(9, 0));
        }
    });
    game.run_until_quiet(900);
    assert_eq!(game.position(unit), centre(9, 0));
    let ends: Vec<Told> =
        game.told_of(unit).into_iter().filter(|told| matches!(told, Told::Arrived(_))).collect();
    assert_eq!(ends, [Told::Arrived(Cell::new(9, 0))]);
}

#[test]
fn order_without_stops_left_says_so() {
    let mut game = app_with_stops();
    game.open_map(20, 20);
    let unit = game.agent(0, 0, 160.0);
    game.order(unit, to(5, 0).then(Cell::new(9, 0)));
    game.tick();
    while stops(&mut game, unit).remove(0).is_some() {}
    game.tick();
    assert_eq!(game.status(unit), PathStatus::Failed(PathFailure::NoGoals));
    // The order loses its only stop before it is answered.
    game.world_mut().resource_mut::<TilepathSettings>().work_per_tick = 1;
    game.order(unit, to(15, 15));
    stops(&mut game, unit).remove(0);
    game.tick();
    assert_eq!(game.status(unit), PathStatus::Failed(PathFailure::NoGoals));
}

#[test]
fn order_of_one_stop_that_is_repeated_waits_for_others() {
    let mut game = app_with_stops();
    game.open_map(20, 20);
    let unit = game.agent(0, 0, 160.0);
    game.order(unit, to(5, 0).looped());
    game.ticks(100);
    assert_eq!((game.position(unit), reached(&mut game).len()), (centre(5, 0), 1));
    stops(&mut game, unit).push(Cell::new(5, 4));
    game.ticks(200);
    let order: Vec<usize> = reached(&mut game).into_iter().map(|(index, _)| index).collect();
    assert!(
        order.len() >= 4 && order.iter().enumerate().all(|(at, &index)| index == (at + 1) % 2),
        "{order:?}"
    );
    stops(&mut game, unit).set_repeat(Repeat::Once);
    game.run_until_quiet(200);
}

#[test]
fn order_that_is_replaced_does_not_lead_past_its_stop() {
    let mut game = app_with_stops();
    game.open_map(12, 5);
    let unit = game.agent(0, 0, 160.0);
    game.order(unit, to(4, 0).then(Cell::new(9, 0)));
    game.ticks(10);
    // The order is not answered for some time.
    game.world_mut().resource_mut::<TilepathSettings>().work_per_tick = 1;
    for n in 0..300 {
        let other = game.world_mut().spawn(Transform::from_translation(centre(n % 12, 4).extend(0.0))).id();
        game.order_to(other, 11 - n % 12, 0);
    }
    game.tick();
    game.order(unit, to(0, 4));
    for _ in 0..80 {
        game.tick();
        assert!(game.position(unit).x <= centre(4, 0).x);
    }
    assert_eq!(stops(&mut game, unit).current(), 0);
    game.world_mut().resource_mut::<TilepathSettings>().work_per_tick = 100_000;
    game.run_until_quiet(300);
    assert_eq!(game.position(unit), centre(0, 4));
}

#[test]
fn stop_without_a_way_ends_the_order_at_the_one_before_it() {
    let mut game = app_with_stops();
    game.map("......#.\n......#.\n......#.");
    let unit = game.agent(0, 0, 160.0);
    game.order(unit, to(4, 0).then(Cell::new(7, 0)));
    game.run_until_quiet(300);
    assert_eq!(game.position(unit), centre(4, 0));
    assert_eq!(game.told_of(unit).last(), Some(&Told::Lost(PathFailure::Unreachable)));
    assert_eq!(reached(&mut game), [(0, Cell::new(4, 0))]);
}

#[test]
fn wall_across_the_way_to_the_next_stop_is_noticed_before_it_is_walked() {
    let mut game = app_with_stops();
    let map = game.open_map(12, 5);
    let unit = game.agent(0, 0, 160.0);
    game.order(unit, to(4, 0).then(Cell::new(8, 0)));
    game.ticks(10);
    game.set_terrain(map, 6, 0, 0);
    game.run_until_quiet(300);
    assert_eq!(game.position(unit), centre(8, 0));
    assert!(game.told_of(unit).iter().all(|told| !matches!(told, Told::Blocked(_))));
}

#[test]
fn agent_waits_for_a_way_and_goes_when_there_is_one() {
    let mut game = app_with_stops();
    let map = game.map("......#.\n......#.\n......#.");
    let unit = game.agent(0, 0, 160.0);
    game.order(unit, to(7, 0).or_wait());
    for _ in 0..100 {
        game.tick();
        assert_eq!(game.status(unit), PathStatus::WaitingForWay(PathFailure::Unreachable));
    }
    game.set_terrain(map, 6, 1, 1);
    game.run_until_quiet(300);
    assert_eq!(game.position(unit), centre(7, 0));
    assert_eq!(
        game.told_of(unit).iter().filter(|told| !matches!(told, Told::Found { .. })).count(),
        1,
        "only the arrival follows"
    );
}

#[test]
fn agent_that_lost_its_way_waits_where_it_is() {
    let mut game = app_with_stops();
    let map = game.open_map(12, 1);
    let unit = game.agent(0, 0, 160.0);
    game.order(unit, to(11, 0).or_wait());
    game.ticks(20);
    for closed in [true, false, true, false] {
        game.set_terrain(map, 10, 0, u8::from(!closed));
        game.ticks(70);
        if closed && game.position(unit) != centre(11, 0) {
            assert_eq!(game.status(unit), PathStatus::WaitingForWay(PathFailure::Unreachable));
        }
    }
    game.run_until_quiet(300);
    assert_eq!(game.status(unit), PathStatus::Arrived);
}

#[test]
fn agent_waits_as_near_as_it_can_come() {
    let mut game = app_with_stops();
    let map = game.map("......#.\n......#.\n......#.");
    let unit = game.agent(0, 0, 160.0);
    game.order(unit, to(7, 0).or_closest().or_wait());
    game.ticks(100);
    assert_eq!(game.position(unit), centre(5, 0));
    assert_eq!(game.status(unit), PathStatus::WaitingForWay(PathFailure::Unreachable));
    game.set_terrain(map, 6, 1, 1);
    game.run_until_quiet(300);
    assert_eq!(game.position(unit), centre(7, 0));
}

#[test]
fn waiting_agent_that_is_put_elsewhere_is_asked_again() {
    let mut game = app_with_stops();
    game.map("......#...\n......#...\n......#...");
    let unit = game.agent(0, 0, 160.0);
    game.order(unit, to(7, 0).or_wait());
    game.ticks(10);
    game.world_mut().get_mut::<Transform>(unit).expect("it is there").translation = centre(9, 2).extend(3.0);
    game.run_until_quiet(300);
    assert_eq!(game.position(unit), centre(7, 0));
}

#[test]
fn waiting_costs_no_search_while_nothing_changes() {
    let mut game = app_with_stops();
    game.map("......#.\n......#.\n......#.");
    let unit = game.agent(0, 0, 160.0);
    game.order(unit, to(7, 0).or_wait());
    game.ticks(3);
    for _ in 0..50 {
        game.tick();
        assert_eq!(game.world().resource::<bevy_tilepath::TilepathDiagnostics>().work, 0);
    }
    game.world_mut().entity_mut(unit).remove::<PathRequest>();
    game.tick();
    assert_eq!(game.status(unit), PathStatus::Idle);
}

#[test]
fn stops_of_entities_are_found_where_they_are() {
    let mut game = app_with_stops();
    game.open_map(20, 20);
    game.init_resource::<Goals>().add_observer(|on: On<StopReached>, mut goals: ResMut<Goals>| {
        goals.0.push(on.goal.clone());
    });
    let flag = game.world_mut().spawn(Transform::from_translation(centre(9, 9).extend(0.0))).id();
    let unit = game.agent(0, 0, 160.0);
    game.order(unit, to(3, 3).then(PathGoal::Entity(flag)).then(Cell::new(0, 9)));
    game.ticks(30);
    game.world_mut().get_mut::<Transform>(flag).expect("it is there").translation = centre(12, 3).extend(0.0);
    game.run_until_quiet(600);
    let cells: Vec<Cell> = reached(&mut game).into_iter().map(|(_, cell)| cell).collect();
    assert_eq!(cells, [Cell::new(3, 3), Cell::new(12, 3), Cell::new(0, 9)]);
    let goals = std::mem::take(&mut game.world_mut().resource_mut::<Goals>().0);
    assert_eq!(goals, [Cell::new(3, 3).into(), PathGoal::Entity(flag), Cell::new(0, 9).into()]);
}

fn cell(rng: &mut impl Rng) -> Cell {
    Cell::new(rng.random_range(0..24), rng.random_range(0..24))
}

#[test]
fn order_that_follows_ends_at_places_and_stays_with_entities() {
    let mut game = app_with_stops();
    game.open_map(20, 20);
    let flag = game.world_mut().spawn(Transform::from_translation(centre(9, 9).extend(0.0))).id();
    let unit = game.agent(0, 0, 160.0);
    game.order(unit, to(3, 3).following());
    game.run_until_quiet(300);
    game.order(unit, to(3, 5).then(PathGoal::Entity(flag)).then(Cell::new(0, 9)).following());
    game.ticks(200);
    assert_eq!(game.position(unit), centre(9, 9));
    assert_eq!(reached(&mut game).len(), 1, "the first stop, which is a place");
    // The target is on the unit's own cell.
    game.order(unit, PathRequest::to(flag).following());
    game.ticks(20);
    assert!(game.is_ordered(unit));
}

#[test]
fn waiting_agent_that_comes_to_another_map_or_moves_otherwise_is_asked_again() {
    let mut game = app_with_stops();
    let yard = game.map("......#...");
    let field = game.open_map(10, 1);
    let unit = game.agent(0, 0, 160.0);
    game.world_mut().entity_mut(unit).insert(OnMap(yard));
    game.order(unit, to(9, 0).or_wait());
    game.ticks(10);
    assert_eq!(game.status(unit), PathStatus::WaitingForWay(PathFailure::Unreachable));
    game.world_mut().entity_mut(unit).insert(OnMap(field));
    game.run_until_quiet(300);
    let ghost = Movement::new().with_costs(CostTable::identity().with(0, 1));
    let other = game.agent(0, 0, 160.0);
    game.world_mut().entity_mut(other).insert(OnMap(yard));
    game.order(other, to(9, 0).or_wait());
    game.ticks(10);
    game.world_mut().entity_mut(other).insert(AgentMovement::from(ghost));
    game.run_until_quiet(300);
    assert_eq!(game.status(other), PathStatus::Arrived);
}

/// Patrols walk over a map that is edited in every tick, and their stops are edited, too. No order
/// ends early, and each reached stop belongs to an agent.
#[test]
fn patrols_live_through_edits_of_everything() {
    for round in 0..3 {
        let mut rng = Seed::named(&format!("patrols {round}")).generator();
        let mut game = app_with_stops();
        let mut grid = Grid::new(24, 24, 1).expect("it is small");
        for _ in 0..80 {
            let cell = Cell::new(rng.random_range(0..24), rng.random_range(0..24));
            grid.set_terrain(cell, rng.random_range(0..4)).expect("it is on the map");
        }
        let map = game
            .world_mut()
            .spawn((
                NavMap::default(),
                NavGrid::new(grid),
                NavProjection::square(Vec2::splat(CELL), Vec2::splat(CELL / 2.0)),
            ))
            .id();
        let mut units = Vec::new();
        for _ in 0..12 {
            let at = cell(&mut rng);
            let unit = game.agent(at.x, at.y, rng.random_range(50.0..2000.0));
            let mut request = PathRequest::to(cell(&mut rng)).or_wait();
            for _ in 0..rng.random_range(0..4) {
                request = request.then(cell(&mut rng));
            }
            let request = if rng.random_bool(0.5) { request.looped() } else { request.back_and_forth() };
            game.order(unit, if rng.random_bool(0.3) { request.or_closest() } else { request });
            units.push(unit);
        }
        for _ in 0..250 {
            let at = cell(&mut rng);
            game.set_terrain(map, at.x, at.y, rng.random_range(0..4));
            let unit = units[rng.random_range(0..units.len())];
            let goal = cell(&mut rng);
            let mut stops = stops(&mut game, unit);
            let index = rng.random_range(0..=stops.stops().len());
            match rng.random_range(0..6) {
                0 => stops.push(goal),
                1 => stops.insert(index, goal),
                2 if stops.stops().len() > 1 => drop(stops.remove(index)),
                3 => drop(stops.replace(index, goal)),
                4 => drop(stops.skip()),
                _ => {}
            }
            game.tick();
            for &unit in &units {
                assert!(game.is_ordered(unit), "{:?}", game.status(unit));
                let stops = game.world().get::<PathStops>(unit).expect("it has an order");
                assert!(stops.current() < stops.stops().len());
            }
            assert!(
                game.world().resource::<Reached>().0.iter().all(|&(unit, ..)| units.contains(&unit)),
                "a stop was reached by an entity that is not a patrol"
            );
        }
        assert!(reached(&mut game).len() > 20);
    }
}

#[test]
fn way_from_a_stop_on_is_not_walked_any_more_once_a_wall_stands_on_it_whatever_else_is_edited() {
    let mut game = app_with_stops();
    let map = game.map("..........\n.#........\n.#........");
    let unit = game.agent(0, 0, 0.0);
    game.order(unit, to(2, 0).then(Cell::new(8, 0)));
    game.ticks(3);
    assert_eq!(game.path(unit).remaining_cells().len(), 6, "the path leads round the wall");
    let mut grid = game.world_mut().get_mut::<NavGrid>(map).expect("it is there");
    // A better path to the stop exists after this edit. Its search takes more than one tick.
    grid.set_terrain(Cell::new(1, 0), 1).expect("the cell is on the map");
    for y in 0..3 {
        grid.set_terrain(Cell::new(4, y), 0).expect("the cell is on the map");
    }
    game.insert_resource(TilepathSettings { work_per_tick: 1 });
    // In one tick, the unit can walk to the stop, and more than two cells beyond it.
    game.world_mut().get_mut::<PathAgent>(unit).expect("it is there").speed = Speed::World(8.3 * CELL * 64.0);
    for _ in 0..3 {
        game.tick();
        let here = game.position(unit);
        assert!(here.x < 4.0 * CELL, "the unit walks into the wall: {here}");
    }
}
