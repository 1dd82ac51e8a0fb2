//! Routes over several maps, through doors.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, NavGrid, OnMap, PathFailure, PathRequest, PathStatus, Place, TilepathSettings,
    agents::PathLeg,
    doors::{Door, DoorEnd},
    events::DoorPassed,
    graphs::WaypointGraph,
};

use super::fixtures::*;
use crate::harness::*;

/// A town of three maps. The house has 5 by 3 cells and lies at the origin. A door at its right
/// leads into a street of four waypoints. The street leads to a barn of 3 by 3 cells.
struct Town {
    game: Game,
    house: Entity,
    street: Entity,
    barn: Entity,
    doors: [Entity; 2],
}

fn street() -> WaypointGraph {
    graph_of(
        &[("porch", 60.0, 15.0), ("corner", 60.0, 100.0), ("gate", 195.0, 15.0), ("well", 195.0, 100.0)],
        &[("porch", "corner"), ("porch", "gate"), ("corner", "well"), ("well", "gate")],
    )
}

fn town() -> Town {
    let mut game = Game::long_steps();
    let house = game.tile_map(".....\n.....\n.....", Vec2::ZERO);
    let street = game.graph(street());
    let barn = game.tile_map("...\n...\n...", Vec2::new(200.0, 0.0));
    let doors = [
        Door::new(DoorEnd::cell(house, Cell::new(4, 1)), DoorEnd::waypoint(street, "porch")),
        Door::new(DoorEnd::waypoint(street, "gate"), DoorEnd::cell(barn, Cell::new(0, 1))),
    ]
    .map(|door| game.world_mut().spawn(door).id());
    Town { game, house, street, barn, doors }
}

impl Town {
    /// Spawns an agent in the bottom left corner of the house.
    fn inhabitant(&mut self, speed: f32) -> Entity {
        let walker = self.game.walker(5.0, 15.0, speed);
        self.game.world_mut().entity_mut(walker).insert(OnMap(self.house));
        walker
    }

    fn on_map(&self, walker: Entity) -> Option<Entity> {
        self.game.world().get::<OnMap>(walker).map(|on_map| on_map.0)
    }

    fn passed(&self, door: usize, to: Entity) -> Named {
        Told::Passed { door: self.doors[door], to }
    }
}

#[test]
fn one_order_leads_from_tiles_along_the_graph_to_other_tiles() {
    let mut town = town();
    let walker = town.inhabitant(10.0);
    let barn = town.barn;
    town.game.order(walker, PathRequest::to_cell(Cell::new(2, 1)).on_map(barn));
    town.game.step(1.0);
    let on_path = town.game.path(walker);
    assert_eq!(on_path.legs().map(PathLeg::map).collect::<Vec<_>>(), [town.house, town.street, town.barn]);
    assert_eq!(
        on_path.legs().map(PathLeg::door).collect::<Vec<_>>(),
        [None, Some(town.doors[0]), Some(town.doors[1])]
    );
    let costs: Vec<f64> = on_path.legs().map(PathLeg::route_cost).collect();
    assert!(
        costs.iter().zip([40.0, 135.0, 20.0]).all(|(cost, expected)| (cost - expected).abs() < 1e-6),
        "{costs:?}"
    );
    assert_eq!(on_path.cost().unwrap().get(), 40 + 20);
    assert_eq!(on_path.remaining_cells().len(), 3);
    assert_eq!(on_path.goal().cell(), Some(Cell::new(2, 1)));
    let points = on_path.points();
    assert_eq!(
        (points[0], points[5], points[points.len() - 1]),
        (Vec2::new(5.0, 15.0), Vec2::new(60.0, 15.0), Vec2::new(225.0, 15.0))
    );

    // The walk has 220 units: 40 in the house, 15 through its door, 135 on the street, 10 through
    // the gate and 20 in the barn.
    for n in 2..=22 {
        town.game.step(1.0);
        town.game.assert_at(walker, Vec2::new(5.0 + 10.0 * n as f32, 15.0));
        let expected = match n {
            ..6 => town.house,
            6..20 => town.street,
            _ => town.barn,
        };
        assert_eq!(town.on_map(walker), Some(expected), "{n}");
    }
    assert_eq!(town.game.status(walker), PathStatus::Arrived);
    let (to_street, to_barn) = (town.passed(0, town.street), town.passed(1, town.barn));
    let expected = [
        vec![found("(2, 1)")],
        reached(&["(1, 1)", "(2, 1)", "(3, 1)", "(4, 1)"]),
        vec![to_street],
        reached(&["porch", "gate"]),
        vec![to_barn],
        reached(&["(0, 1)", "(1, 1)", "(2, 1)"]),
        vec![arrived("(2, 1)")],
    ];
    assert_eq!(town.game.named_of(walker), expected.concat());
}

#[test]
fn long_step_passes_every_door_on_its_way() {
    let mut town = town();
    let walker = town.inhabitant(1e6);
    let barn = town.barn;
    town.game.order(walker, PathRequest::to_cell(Cell::new(2, 1)).on_map(barn));
    town.game.step(1.0);
    town.game.assert_at(walker, Vec2::new(225.0, 15.0));
    assert_eq!(town.on_map(walker), Some(town.barn));
    assert_eq!(town.game.news_of(walker).len(), 4);
    // The agent goes home by the name of a waypoint, and then by a cell.
    town.game.order_to_waypoint(walker, "corner");
    town.game.step(1.0);
    town.game.assert_at(walker, Vec2::new(60.0, 100.0));
    let house = town.house;
    town.game.order(walker, PathRequest::to_position(Vec2::new(5.0, 15.0)).on_map(house));
    town.game.step(1.0);
    town.game.assert_at(walker, Vec2::new(5.0, 15.0));
    assert_eq!(town.on_map(walker), Some(town.house));
}

#[test]
fn door_despawned_or_closed_ahead_is_planned_around_and_the_last_one_ends_the_journey() {
    for by_despawn in [true, false] {
        let mut town = town();
        let back =
            Door::new(DoorEnd::cell(town.house, Cell::new(0, 2)), DoorEnd::waypoint(town.street, "corner"));
        let back = town.game.world_mut().spawn(back).id();
        let walker = town.inhabitant(10.0);
        town.game.order_to_waypoint(walker, "gate");
        town.game.step(1.0);
        assert_eq!(town.game.path(walker).legs().nth(1).and_then(PathLeg::door), Some(town.doors[0]));
        town.game.named_of(walker);
        let close = |game: &mut Game, door: Entity| {
            if by_despawn {
                game.world_mut().despawn(door);
            } else {
                game.world_mut().get_mut::<Door>(door).unwrap().open = false;
            }
        };
        close(&mut town.game, town.doors[0]);
        town.game.step(1.0);
        assert_eq!(town.game.news_of(walker), [blocked("(4, 1)"), replanned("gate")]);
        assert_eq!(town.game.path(walker).legs().nth(1).and_then(PathLeg::door), Some(back));
        close(&mut town.game, back);
        let before = town.game.position(walker);
        town.game.step(1.0);
        assert_eq!(town.game.news_of(walker), [blocked("(0, 2)"), Told::Lost(PathFailure::Unreachable)]);
        assert_eq!(town.game.position(walker), before);
        // A door that opens again is used again.
        if !by_despawn {
            town.game.world_mut().get_mut::<Door>(back).unwrap().open = true;
            town.game.order_to_waypoint(walker, "gate");
            town.game.step(1.0);
            assert_eq!(town.game.news_of(walker), [found("gate")]);
        }
    }
}

#[test]
fn edit_on_a_map_ahead_is_noticed_before_arrival() {
    let mut town = town();
    let walker = town.inhabitant(10.0);
    let barn = town.barn;
    town.game.order(walker, PathRequest::to_cell(Cell::new(2, 1)).on_map(barn));
    town.game.step(1.0);
    town.game.named_of(walker);
    let set = |game: &mut Game, x, class| {
        let mut grid = game.world_mut().get_mut::<NavGrid>(barn).unwrap();
        grid.set_terrain(Cell::new(x, 1), class).unwrap();
    };
    set(&mut town.game, 1, 0);
    town.game.step(1.0);
    assert_eq!(town.game.news_of(walker), [blocked("(1, 1)"), replanned("(2, 1)")]);
    town.game.edit_graph(town.street, |street| street.move_to("gate", (195.0, 30.0)).unwrap());
    town.game.step(1.0);
    assert_eq!(town.game.news_of(walker), [blocked("gate"), replanned("(2, 1)")]);
    set(&mut town.game, 2, 0);
    town.game.step(1.0);
    let goal_is_a_wall = PathFailure::GoalBlocked { cell: Cell::new(2, 1) };
    assert_eq!(town.game.news_of(walker), [blocked("(2, 1)"), Told::Lost(goal_is_a_wall)]);
}

#[test]
fn door_never_leads_into_a_wall() {
    let mut town = town();
    let barn = town.barn;
    let yard_door = Door::new(DoorEnd::waypoint(town.street, "well"), DoorEnd::cell(barn, Cell::new(0, 2)));
    town.game.world_mut().spawn(yard_door);
    let walker = town.inhabitant(10.0);
    let set = |game: &mut Game, y, class| {
        game.world_mut().get_mut::<NavGrid>(barn).unwrap().set_terrain(Cell::new(0, y), class).unwrap();
    };
    let to_barn = PathRequest::to_cell(Cell::new(2, 1)).on_map(barn);
    // The wall exists before the order.
    set(&mut town.game, 1, 0);
    town.game.order(walker, to_barn.clone());
    town.game.step(1.0);
    let entered = |game: &Game| game.path(walker).legs().last().unwrap().path().unwrap().start();
    assert_eq!(entered(&town.game), Cell::new(0, 2));
    town.game.named_of(walker);
    // One wall goes up on the path, and another one when no other door is left.
    set(&mut town.game, 1, 1);
    set(&mut town.game, 2, 0);
    town.game.step(1.0);
    assert_eq!(town.game.news_of(walker), [blocked("(0, 2)"), replanned("(2, 1)")]);
    assert_eq!(entered(&town.game), Cell::new(0, 1));
    set(&mut town.game, 1, 0);
    town.game.step(1.0);
    assert_eq!(town.game.news_of(walker), [blocked("(0, 1)"), Told::Lost(PathFailure::Unreachable)]);
}

#[test]
fn map_of_the_goal_despawned_on_the_way_ends_the_journey() {
    let mut town = town();
    let walker = town.inhabitant(10.0);
    let barn = town.barn;
    town.game.order(walker, PathRequest::to_cell(Cell::new(2, 1)).on_map(barn));
    town.game.step(1.0);
    town.game.world_mut().despawn(barn);
    town.game.step(1.0);
    assert_eq!(town.game.news_of(walker).last(), Some(&Named::Lost(PathFailure::NoMap)));
}

#[test]
fn order_inside_a_door_goes_on_through_it_or_back() {
    for (goal_in_house, x) in [(true, 43.0), (false, 57.0)] {
        let mut town = town();
        let walker = town.inhabitant(10.0);
        town.game.order_to_waypoint(walker, "gate");
        town.game.step(4.5);
        // The agent has left the house, and is not yet on the street.
        town.game.assert_at(walker, Vec2::new(50.0, 15.0));
        assert_eq!(town.on_map(walker), Some(town.house));
        if goal_in_house {
            town.game.order(walker, PathRequest::to_cell(Cell::new(0, 1)));
        } else {
            town.game.order_to_waypoint(walker, "corner");
        }
        town.game.step(0.7);
        town.game.assert_at(walker, Vec2::new(x, 15.0));
        town.game.step_until_quiet(walker, 1.0, 40);
        assert_eq!(town.game.status(walker), PathStatus::Arrived);
    }
}

#[test]
fn door_closed_around_an_agent_sends_it_back() {
    let mut town = town();
    let walker = town.inhabitant(10.0);
    town.game.order_to_waypoint(walker, "gate");
    town.game.step(4.5);
    town.game.named_of(walker);
    town.game.world_mut().despawn(town.doors[0]);
    town.game.step(1.0);
    assert_eq!(town.game.news_of(walker), [blocked("(4, 1)"), Told::Lost(PathFailure::Unreachable)]);
    // The agent stands off its map, and its order still starts at the door.
    town.game.order(walker, PathRequest::to_cell(Cell::new(0, 1)));
    town.game.step_until_quiet(walker, 1.0, 10);
    assert_eq!(town.game.news_of(walker), [found("(0, 1)"), arrived("(0, 1)")]);
}

#[test]
fn leaping_door_puts_agent_on_the_other_side_at_once() {
    let mut game = Game::long_steps();
    let cellar = game.tile_map("....", Vec2::new(1000.0, 1000.0));
    let street = game.graph(street());
    let stairs = Door::new(DoorEnd::waypoint(street, "gate"), DoorEnd::cell(cellar, Cell::new(0, 0)));
    game.world_mut().spawn(stairs.leaping());
    let walker = game.walker(60.0, 15.0, 10.0);
    game.world_mut().entity_mut(walker).insert(OnMap(street));
    game.order(walker, PathRequest::to_cell(Cell::new(3, 0)));
    game.step(13.0);
    game.assert_at(walker, Vec2::new(190.0, 15.0));
    game.step(1.0);
    // The agent has taken half of the step to the stairs, and half of the step below.
    game.assert_at(walker, Vec2::new(1010.0, 1005.0));
    assert_eq!(game.world().get::<OnMap>(walker), Some(&OnMap(cellar)));
    game.step_until_quiet(walker, 1.0, 5);
    game.assert_at(walker, Vec2::new(1035.0, 1005.0));
    // The path costs only what the agent walks. The leap costs nothing.
    assert!((game.path(walker).route_cost() - (135.0 + 30.0)).abs() < 1e-6);
}

#[test]
fn one_way_door_lets_out_and_not_in() {
    let mut game = Game::long_steps();
    let room = game.tile_map("...", Vec2::ZERO);
    let street = game.graph(street());
    let chute = Door::new(DoorEnd::cell(room, Cell::new(2, 0)), DoorEnd::waypoint(street, "porch"));
    game.world_mut().spawn(chute.one_way());
    let walker = game.walker(5.0, 5.0, 1e6);
    game.world_mut().entity_mut(walker).insert(OnMap(room));
    game.order_to_waypoint(walker, "gate");
    game.step(1.0);
    assert_eq!(game.news_of(walker).last(), Some(&arrived("gate")));
    game.order(walker, PathRequest::to_cell(Cell::new(0, 0)));
    game.step(1.0);
    assert_eq!(game.news_of(walker), [Told::Failed(PathFailure::Unreachable)]);
}

#[test]
fn way_out_and_back_is_taken_where_it_is_cheaper_than_staying() {
    // Two rooms of one map with a swamp between them, and a street past the swamp.
    let mut game = Game::long_steps();
    let map = game.tile_map("..9999..", Vec2::ZERO);
    let street = game.graph(graph_of(&[("west", 15.0, -10.0), ("east", 65.0, -10.0)], &[("west", "east")]));
    for (cell, id) in [(1, "west"), (6, "east")] {
        let door = Door::new(DoorEnd::cell(map, Cell::new(cell, 0)), DoorEnd::waypoint(street, id));
        game.world_mut().spawn(door.with_cost(5.0));
    }
    let walker = game.walker(5.0, 5.0, 10.0);
    game.world_mut().entity_mut(walker).insert(OnMap(map));
    game.order(walker, PathRequest::to_cell(Cell::new(7, 0)));
    game.step(0.1);
    // The street costs 10 + 5 + 50 + 5 + 10. The swamp costs at least 360.
    assert!((game.path(walker).route_cost() - 80.0).abs() < 1e-6);
    assert_eq!(game.path(walker).legs().count(), 3);
    game.order(walker, PathRequest::to_cell(Cell::new(2, 0)));
    game.step(0.1);
    assert_eq!(game.path(walker).legs().count(), 1);
}

#[test]
fn nearest_goal_may_be_on_any_map() {
    let mut town = town();
    let walker = town.inhabitant(0.0);
    let wall = |game: &mut Game, x: i32, y: i32| {
        game.world_mut().get_mut::<NavGrid>(town.house).unwrap().set_terrain(Cell::new(x, y), 0).unwrap();
    };
    let places = [Cell::new(4, 2).into(), Place::from("porch"), Place::from("well")];
    town.game.order(walker, PathRequest::to_nearest(places.clone()));
    town.game.step(0.1);
    // The door costs nothing, so the porch is as far as the door's cell.
    assert_eq!(town.game.path(walker).chosen(), 1);
    for y in 0..3 {
        wall(&mut town.game, 3, y);
    }
    town.game.step(0.1);
    assert_eq!(town.game.news_of(walker).last(), Some(&Named::Lost(PathFailure::Unreachable)));
}

#[test]
fn search_over_maps_is_sliced_and_searched_again_when_a_map_changes() {
    let mut town = town();
    town.game.insert_resource(TilepathSettings { work_per_tick: 1 });
    let walker = town.inhabitant(10.0);
    let barn = town.barn;
    town.game.order(walker, PathRequest::to_cell(Cell::new(2, 1)).on_map(barn));
    town.game.step(0.1);
    assert_eq!(town.game.status(walker), PathStatus::Searching);
    // The barn changes in each step, so each result about it is out of date at the end of the
    // search.
    for n in 0..200 {
        if town.game.status(walker) == PathStatus::Following {
            break;
        }
        let mut grid = town.game.world_mut().get_mut::<NavGrid>(barn).unwrap();
        grid.set_terrain(Cell::new(1, 1), (n % 2) as u8).unwrap();
        town.game.step(0.1);
    }
    assert_eq!(town.game.status(walker), PathStatus::Following);
    let last = town.game.path(walker).legs().last().unwrap().path().unwrap();
    let grid = town.game.world().get::<NavGrid>(barn).unwrap();
    assert!(last.cells()[1..].iter().all(|&cell| grid.terrain(cell) == Some(1)));
}

#[test]
fn limits_and_closest_on_maps_with_doors() {
    let mut town = town();
    let walker = town.inhabitant(1e6);
    let barn = town.barn;
    let to_barn = PathRequest::to_cell(Cell::new(2, 2)).on_map(barn);
    town.game.order(walker, to_barn.clone().with_limit(1));
    town.game.step(0.1);
    assert_eq!(town.game.news_of(walker), [Told::Failed(PathFailure::LimitReached)]);
    // The goal is on the agent's own map and cannot be reached. The path leads as near as possible
    // there.
    let mut grid = town.game.world_mut().get_mut::<NavGrid>(town.house).unwrap();
    for cell in [(3, 0), (3, 1), (4, 1)] {
        grid.set_terrain(Cell::from(cell), 0).unwrap();
    }
    town.game.order(walker, PathRequest::to_cell(Cell::new(4, 0)).or_closest());
    town.game.step(0.1);
    assert_eq!(town.game.news_of(walker), [found_partial("(2, 0)"), arrived("(2, 0)")]);
    town.game.order(walker, to_barn.or_closest());
    town.game.step(0.1);
    assert_eq!(town.game.news_of(walker), [Told::Failed(PathFailure::Unreachable)]);
}

#[test]
fn doors_that_lead_nowhere_do_no_harm() {
    let mut town = town();
    let (house, street, nobody) = (town.house, town.street, town.game.world_mut().spawn_empty().id());
    for (from, to) in [
        (DoorEnd::cell(house, Cell::new(99, 0)), DoorEnd::waypoint(street, "gate")),
        (DoorEnd::cell(house, Cell::new(0, 0)), DoorEnd::waypoint(street, "nowhere")),
        (DoorEnd::cell(house, Cell::new(0, 0)), DoorEnd::waypoint(nobody, "gate")),
        (DoorEnd::cell(street, Cell::new(0, 0)), DoorEnd::waypoint(house, "gate")),
    ] {
        town.game.world_mut().spawn(Door::new(from, to));
    }
    let costly = Door::new(DoorEnd::cell(house, Cell::new(0, 1)), DoorEnd::waypoint(street, "gate"));
    for cost in [f64::NAN, -1.0, f64::INFINITY] {
        town.game.world_mut().spawn(costly.clone().with_cost(cost));
    }
    let walker = town.inhabitant(1e6);
    town.game.order_to_waypoint(walker, "gate");
    town.game.step(0.1);
    assert_eq!(town.game.news_of(walker).last(), Some(&arrived("gate")));
    assert!((town.game.path(walker).route_cost() - (40.0 + 135.0)).abs() < 1e-6);
}

#[test]
fn leap_is_not_drawn_as_a_way() {
    #[derive(Resource, Default)]
    struct Leaps(usize);
    let mut game = Game::new();
    game.init_resource::<Leaps>()
        .add_observer(|_: On<DoorPassed>, mut leaps: ResMut<Leaps>| leaps.0 += 1)
        // Half a step passes between two frames. The agent is drawn between both positions.
        .insert_resource(bevy::time::TimeUpdateStrategy::ManualDuration(std::time::Duration::from_secs_f64(
            1.5 / 64.0,
        )));
    let near = game.graph(graph_of(&[("a", 0.0, 0.0), ("b", 50.0, 0.0)], &[("a", "b")]));
    let far = game.graph(graph_of(&[("c", 5000.0, 0.0), ("d", 5050.0, 0.0)], &[("c", "d")]));
    let portal = Door::new(DoorEnd::waypoint(near, "b"), DoorEnd::waypoint(far, "c"));
    game.world_mut().spawn(portal.leaping());
    let walker = game.walker(0.0, 0.0, 100.0);
    game.world_mut().entity_mut(walker).insert(OnMap(near));
    game.order(walker, PathRequest::to_waypoint("d").on_map(far));
    let mut frames = 0;
    while game.world().get::<PathStatus>(walker) != Some(&PathStatus::Arrived) {
        game.update();
        let drawn = game.position(walker).x;
        assert!((0.0..=50.0).contains(&drawn) || (5000.0..=5050.0).contains(&drawn), "{drawn}");
        frames += 1;
        assert!(frames < 200);
    }
    assert!(frames > 20);
    assert_eq!(game.world().resource::<Leaps>().0, 1);
}
