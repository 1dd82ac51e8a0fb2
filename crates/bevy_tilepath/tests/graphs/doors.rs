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
use crate::harness;

/// A house of 5 by 3 cells at the origin, with a door at its right into a street of four waypoints that lead to a
/// barn of 3 by 3 cells.
struct Town {
    app: App,
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
    let mut app = app();
    let house = tile_map(&mut app, ".....\n.....\n.....", Vec2::ZERO);
    let street = spawn(&mut app, street());
    let barn = tile_map(&mut app, "...\n...\n...", Vec2::new(200.0, 0.0));
    let doors = [
        Door::new(DoorEnd::cell(house, Cell::new(4, 1)), DoorEnd::waypoint(street, "porch")),
        Door::new(DoorEnd::waypoint(street, "gate"), DoorEnd::cell(barn, Cell::new(0, 1))),
    ]
    .map(|door| app.world_mut().spawn(door).id());
    Town { app, house, street, barn, doors }
}

impl Town {
    /// An agent in the bottom left corner of the house.
    fn inhabitant(&mut self, speed: f32) -> Entity {
        let walker = agent(&mut self.app, 5.0, 15.0, speed);
        self.app.world_mut().entity_mut(walker).insert(OnMap(self.house));
        walker
    }

    fn on_map(&self, walker: Entity) -> Option<Entity> {
        self.app.world().get::<OnMap>(walker).map(|on_map| on_map.0)
    }

    fn passed(&self, door: usize, to: Entity) -> Told {
        Told::Passed { door: self.doors[door], to }
    }
}

#[test]
fn one_order_leads_from_tiles_along_the_graph_to_other_tiles() {
    let mut town = town();
    let walker = town.inhabitant(10.0);
    let barn = town.barn;
    order(&mut town.app, walker, PathRequest::to_cell(Cell::new(2, 1)).on_map(barn));
    step(&mut town.app, 1.0);
    let on_path = path(&town.app, walker);
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

    // 220 units to walk: 40 in the house, 15 through its door, 135 of street, 10 through the gate, 20 in the barn.
    for n in 2..=22 {
        step(&mut town.app, 1.0);
        assert_at(&town.app, walker, Vec2::new(5.0 + 10.0 * n as f32, 15.0));
        let expected = match n {
            ..6 => town.house,
            6..20 => town.street,
            _ => town.barn,
        };
        assert_eq!(town.on_map(walker), Some(expected), "{n}");
    }
    assert_eq!(status(&town.app, walker), PathStatus::Arrived);
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
    assert_eq!(told(&mut town.app, walker), expected.concat());
}

#[test]
fn long_step_passes_every_door_on_its_way() {
    let mut town = town();
    let walker = town.inhabitant(1e6);
    let barn = town.barn;
    order(&mut town.app, walker, PathRequest::to_cell(Cell::new(2, 1)).on_map(barn));
    step(&mut town.app, 1.0);
    assert_at(&town.app, walker, Vec2::new(225.0, 15.0));
    assert_eq!(town.on_map(walker), Some(town.barn));
    assert_eq!(news(&mut town.app, walker).len(), 4);
    // And home again, by the waypoint's name and then by the cell's.
    go_to(&mut town.app, walker, "corner");
    step(&mut town.app, 1.0);
    assert_at(&town.app, walker, Vec2::new(60.0, 100.0));
    let house = town.house;
    order(&mut town.app, walker, PathRequest::to_position(Vec2::new(5.0, 15.0)).on_map(house));
    step(&mut town.app, 1.0);
    assert_at(&town.app, walker, Vec2::new(5.0, 15.0));
    assert_eq!(town.on_map(walker), Some(town.house));
}

#[test]
fn door_despawned_or_closed_ahead_is_planned_around_and_the_last_one_ends_the_journey() {
    for by_despawn in [true, false] {
        let mut town = town();
        let back =
            Door::new(DoorEnd::cell(town.house, Cell::new(0, 2)), DoorEnd::waypoint(town.street, "corner"));
        let back = town.app.world_mut().spawn(back).id();
        let walker = town.inhabitant(10.0);
        go_to(&mut town.app, walker, "gate");
        step(&mut town.app, 1.0);
        assert_eq!(path(&town.app, walker).legs().nth(1).and_then(PathLeg::door), Some(town.doors[0]));
        told(&mut town.app, walker);
        let close = |app: &mut App, door: Entity| {
            if by_despawn {
                app.world_mut().despawn(door);
            } else {
                app.world_mut().get_mut::<Door>(door).unwrap().open = false;
            }
        };
        close(&mut town.app, town.doors[0]);
        step(&mut town.app, 1.0);
        assert_eq!(news(&mut town.app, walker), [blocked("(4, 1)"), replanned("gate")]);
        assert_eq!(path(&town.app, walker).legs().nth(1).and_then(PathLeg::door), Some(back));
        close(&mut town.app, back);
        let before = position(&town.app, walker);
        step(&mut town.app, 1.0);
        assert_eq!(news(&mut town.app, walker), [blocked("(0, 2)"), Told::Lost(PathFailure::Unreachable)]);
        assert_eq!(position(&town.app, walker), before);
        // Opened again it is found again.
        if !by_despawn {
            town.app.world_mut().get_mut::<Door>(back).unwrap().open = true;
            go_to(&mut town.app, walker, "gate");
            step(&mut town.app, 1.0);
            assert_eq!(news(&mut town.app, walker), [found("gate")]);
        }
    }
}

#[test]
fn edit_on_a_map_ahead_is_noticed_before_he_gets_there() {
    let mut town = town();
    let walker = town.inhabitant(10.0);
    let barn = town.barn;
    order(&mut town.app, walker, PathRequest::to_cell(Cell::new(2, 1)).on_map(barn));
    step(&mut town.app, 1.0);
    told(&mut town.app, walker);
    let set = |app: &mut App, x, class| {
        let mut grid = app.world_mut().get_mut::<NavGrid>(barn).unwrap();
        grid.set_terrain(Cell::new(x, 1), class).unwrap();
    };
    set(&mut town.app, 1, 0);
    step(&mut town.app, 1.0);
    assert_eq!(news(&mut town.app, walker), [blocked("(1, 1)"), replanned("(2, 1)")]);
    edit(&mut town.app, town.street, |street| street.move_to("gate", (195.0, 30.0)).unwrap());
    step(&mut town.app, 1.0);
    assert_eq!(news(&mut town.app, walker), [blocked("gate"), replanned("(2, 1)")]);
    set(&mut town.app, 2, 0);
    step(&mut town.app, 1.0);
    let goal_is_a_wall = PathFailure::GoalBlocked { cell: Cell::new(2, 1) };
    assert_eq!(news(&mut town.app, walker), [blocked("(2, 1)"), Told::Lost(goal_is_a_wall)]);
}

#[test]
fn door_never_leads_into_a_wall() {
    let mut town = town();
    let barn = town.barn;
    let yard_door = Door::new(DoorEnd::waypoint(town.street, "well"), DoorEnd::cell(barn, Cell::new(0, 2)));
    town.app.world_mut().spawn(yard_door);
    let walker = town.inhabitant(10.0);
    let set = |app: &mut App, y, class| {
        app.world_mut().get_mut::<NavGrid>(barn).unwrap().set_terrain(Cell::new(0, y), class).unwrap();
    };
    let to_barn = PathRequest::to_cell(Cell::new(2, 1)).on_map(barn);
    // A wall that is there before the order.
    set(&mut town.app, 1, 0);
    order(&mut town.app, walker, to_barn.clone());
    step(&mut town.app, 1.0);
    let entered = |app: &App| path(app, walker).legs().last().unwrap().path().unwrap().start();
    assert_eq!(entered(&town.app), Cell::new(0, 2));
    told(&mut town.app, walker);
    // One that goes up on the way, and another when there is no other door.
    set(&mut town.app, 1, 1);
    set(&mut town.app, 2, 0);
    step(&mut town.app, 1.0);
    assert_eq!(news(&mut town.app, walker), [blocked("(0, 2)"), replanned("(2, 1)")]);
    assert_eq!(entered(&town.app), Cell::new(0, 1));
    set(&mut town.app, 1, 0);
    step(&mut town.app, 1.0);
    assert_eq!(news(&mut town.app, walker), [blocked("(0, 1)"), Told::Lost(PathFailure::Unreachable)]);
}

#[test]
fn map_of_the_goal_despawned_on_the_way_ends_the_journey() {
    let mut town = town();
    let walker = town.inhabitant(10.0);
    let barn = town.barn;
    order(&mut town.app, walker, PathRequest::to_cell(Cell::new(2, 1)).on_map(barn));
    step(&mut town.app, 1.0);
    town.app.world_mut().despawn(barn);
    step(&mut town.app, 1.0);
    assert_eq!(news(&mut town.app, walker).last(), Some(&Told::Lost(PathFailure::NoMap)));
}

#[test]
fn order_inside_a_door_goes_on_through_it_or_back() {
    for (goal_in_house, x) in [(true, 43.0), (false, 57.0)] {
        let mut town = town();
        let walker = town.inhabitant(10.0);
        go_to(&mut town.app, walker, "gate");
        step(&mut town.app, 4.5);
        // Out of the house, and not yet on the street.
        assert_at(&town.app, walker, Vec2::new(50.0, 15.0));
        assert_eq!(town.on_map(walker), Some(town.house));
        if goal_in_house {
            order(&mut town.app, walker, PathRequest::to_cell(Cell::new(0, 1)));
        } else {
            go_to(&mut town.app, walker, "corner");
        }
        step(&mut town.app, 0.7);
        assert_at(&town.app, walker, Vec2::new(x, 15.0));
        run_until_quiet(&mut town.app, walker, 1.0, 40);
        assert_eq!(status(&town.app, walker), PathStatus::Arrived);
    }
}

#[test]
fn door_closed_while_he_is_inside_sends_him_back() {
    let mut town = town();
    let walker = town.inhabitant(10.0);
    go_to(&mut town.app, walker, "gate");
    step(&mut town.app, 4.5);
    told(&mut town.app, walker);
    town.app.world_mut().despawn(town.doors[0]);
    step(&mut town.app, 1.0);
    assert_eq!(news(&mut town.app, walker), [blocked("(4, 1)"), Told::Lost(PathFailure::Unreachable)]);
    // It stands off its map and is still answered from its door.
    order(&mut town.app, walker, PathRequest::to_cell(Cell::new(0, 1)));
    run_until_quiet(&mut town.app, walker, 1.0, 10);
    assert_eq!(news(&mut town.app, walker), [found("(0, 1)"), arrived("(0, 1)")]);
}

#[test]
fn leaping_door_puts_him_on_the_other_side_at_once() {
    let mut app = app();
    let cellar = tile_map(&mut app, "....", Vec2::new(1000.0, 1000.0));
    let street = spawn(&mut app, street());
    let stairs = Door::new(DoorEnd::waypoint(street, "gate"), DoorEnd::cell(cellar, Cell::new(0, 0)));
    app.world_mut().spawn(stairs.leaping());
    let walker = agent(&mut app, 60.0, 15.0, 10.0);
    app.world_mut().entity_mut(walker).insert(OnMap(street));
    order(&mut app, walker, PathRequest::to_cell(Cell::new(3, 0)));
    step(&mut app, 13.0);
    assert_at(&app, walker, Vec2::new(190.0, 15.0));
    step(&mut app, 1.0);
    // Half of the step to the stairs, half of it below.
    assert_at(&app, walker, Vec2::new(1010.0, 1005.0));
    assert_eq!(app.world().get::<OnMap>(walker), Some(&OnMap(cellar)));
    run_until_quiet(&mut app, walker, 1.0, 5);
    assert_at(&app, walker, Vec2::new(1035.0, 1005.0));
    // The way down costs what is walked and nothing for the distance.
    assert!((path(&app, walker).route_cost() - (135.0 + 30.0)).abs() < 1e-6);
}

#[test]
fn one_way_door_lets_out_and_not_in() {
    let mut app = app();
    let room = tile_map(&mut app, "...", Vec2::ZERO);
    let street = spawn(&mut app, street());
    let chute = Door::new(DoorEnd::cell(room, Cell::new(2, 0)), DoorEnd::waypoint(street, "porch"));
    app.world_mut().spawn(chute.one_way());
    let walker = agent(&mut app, 5.0, 5.0, 1e6);
    app.world_mut().entity_mut(walker).insert(OnMap(room));
    go_to(&mut app, walker, "gate");
    step(&mut app, 1.0);
    assert_eq!(news(&mut app, walker).last(), Some(&arrived("gate")));
    order(&mut app, walker, PathRequest::to_cell(Cell::new(0, 0)));
    step(&mut app, 1.0);
    assert_eq!(news(&mut app, walker), [Told::Failed(PathFailure::Unreachable)]);
}

#[test]
fn way_out_and_back_is_taken_where_it_is_cheaper_than_staying() {
    // Two rooms of one map with a swamp between them, and a street past it.
    let mut app = app();
    let map = tile_map(&mut app, "..9999..", Vec2::ZERO);
    let street =
        spawn(&mut app, graph_of(&[("west", 15.0, -10.0), ("east", 65.0, -10.0)], &[("west", "east")]));
    for (cell, id) in [(1, "west"), (6, "east")] {
        let door = Door::new(DoorEnd::cell(map, Cell::new(cell, 0)), DoorEnd::waypoint(street, id));
        app.world_mut().spawn(door.with_cost(5.0));
    }
    let walker = agent(&mut app, 5.0, 5.0, 10.0);
    app.world_mut().entity_mut(walker).insert(OnMap(map));
    order(&mut app, walker, PathRequest::to_cell(Cell::new(7, 0)));
    step(&mut app, 0.1);
    // 10 + 5 + 50 + 5 + 10 against 360 and more through the swamp.
    assert!((path(&app, walker).route_cost() - 80.0).abs() < 1e-6);
    assert_eq!(path(&app, walker).legs().count(), 3);
    order(&mut app, walker, PathRequest::to_cell(Cell::new(2, 0)));
    step(&mut app, 0.1);
    assert_eq!(path(&app, walker).legs().count(), 1);
}

#[test]
fn nearest_goal_may_be_on_any_map() {
    let mut town = town();
    let walker = town.inhabitant(0.0);
    let wall = |app: &mut App, x: i32, y: i32| {
        app.world_mut().get_mut::<NavGrid>(town.house).unwrap().set_terrain(Cell::new(x, y), 0).unwrap();
    };
    let places = [Cell::new(4, 2).into(), Place::from("porch"), Place::from("well")];
    order(&mut town.app, walker, PathRequest::to_nearest(places.clone()));
    step(&mut town.app, 0.1);
    // The door costs nothing to pass: the porch is as far as its cell.
    assert_eq!(path(&town.app, walker).chosen(), 1);
    for y in 0..3 {
        wall(&mut town.app, 3, y);
    }
    step(&mut town.app, 0.1);
    assert_eq!(news(&mut town.app, walker).last(), Some(&Told::Lost(PathFailure::Unreachable)));
}

#[test]
fn search_over_maps_is_sliced_and_searched_again_when_a_map_changes() {
    let mut town = town();
    town.app.insert_resource(TilepathSettings { work_per_tick: 1 });
    let walker = town.inhabitant(10.0);
    let barn = town.barn;
    order(&mut town.app, walker, PathRequest::to_cell(Cell::new(2, 1)).on_map(barn));
    step(&mut town.app, 0.1);
    assert_eq!(status(&town.app, walker), PathStatus::Searching);
    // What it knew of the barn by the end would have been wrong.
    for n in 0..200 {
        if status(&town.app, walker) == PathStatus::Following {
            break;
        }
        let mut grid = town.app.world_mut().get_mut::<NavGrid>(barn).unwrap();
        grid.set_terrain(Cell::new(1, 1), (n % 2) as u8).unwrap();
        step(&mut town.app, 0.1);
    }
    assert_eq!(status(&town.app, walker), PathStatus::Following);
    let last = path(&town.app, walker).legs().last().unwrap().path().unwrap();
    let grid = town.app.world().get::<NavGrid>(barn).unwrap();
    assert!(last.cells()[1..].iter().all(|&cell| grid.terrain(cell) == Some(1)));
}

#[test]
fn limits_and_closest_on_maps_with_doors() {
    let mut town = town();
    let walker = town.inhabitant(1e6);
    let barn = town.barn;
    let to_barn = PathRequest::to_cell(Cell::new(2, 2)).on_map(barn);
    order(&mut town.app, walker, to_barn.clone().with_limit(1));
    step(&mut town.app, 0.1);
    assert_eq!(news(&mut town.app, walker), [Told::Failed(PathFailure::LimitReached)]);
    // A goal on the own map that no way leads to: as near as possible there.
    let mut grid = town.app.world_mut().get_mut::<NavGrid>(town.house).unwrap();
    for cell in [(3, 0), (3, 1), (4, 1)] {
        grid.set_terrain(Cell::from(cell), 0).unwrap();
    }
    order(&mut town.app, walker, PathRequest::to_cell(Cell::new(4, 0)).or_closest());
    step(&mut town.app, 0.1);
    assert_eq!(news(&mut town.app, walker), [found("(2, 0)"), arrived("(2, 0)")]);
    order(&mut town.app, walker, to_barn.or_closest());
    step(&mut town.app, 0.1);
    assert_eq!(news(&mut town.app, walker), [Told::Failed(PathFailure::Unreachable)]);
}

#[test]
fn doors_that_lead_nowhere_do_no_harm() {
    let mut town = town();
    let (house, street, nobody) = (town.house, town.street, town.app.world_mut().spawn_empty().id());
    for (from, to) in [
        (DoorEnd::cell(house, Cell::new(99, 0)), DoorEnd::waypoint(street, "gate")),
        (DoorEnd::cell(house, Cell::new(0, 0)), DoorEnd::waypoint(street, "nowhere")),
        (DoorEnd::cell(house, Cell::new(0, 0)), DoorEnd::waypoint(nobody, "gate")),
        (DoorEnd::cell(street, Cell::new(0, 0)), DoorEnd::waypoint(house, "gate")),
    ] {
        town.app.world_mut().spawn(Door::new(from, to));
    }
    let costly = Door::new(DoorEnd::cell(house, Cell::new(0, 1)), DoorEnd::waypoint(street, "gate"));
    for cost in [f64::NAN, -1.0, f64::INFINITY] {
        town.app.world_mut().spawn(costly.clone().with_cost(cost));
    }
    let walker = town.inhabitant(1e6);
    go_to(&mut town.app, walker, "gate");
    step(&mut town.app, 0.1);
    assert_eq!(news(&mut town.app, walker).last(), Some(&arrived("gate")));
    assert!((path(&town.app, walker).route_cost() - (40.0 + 135.0)).abs() < 1e-6);
}

#[test]
fn leap_is_not_drawn_as_a_way() {
    #[derive(Resource, Default)]
    struct Leaps(usize);
    let mut app = harness::app();
    listen(&mut app);
    app.init_resource::<Leaps>()
        .add_observer(|_: On<DoorPassed>, mut leaps: ResMut<Leaps>| leaps.0 += 1)
        // Half a step goes by between two frames: what is drawn then lies in between.
        .insert_resource(bevy::time::TimeUpdateStrategy::ManualDuration(std::time::Duration::from_secs_f64(
            1.5 / 64.0,
        )));
    let near = spawn(&mut app, graph_of(&[("a", 0.0, 0.0), ("b", 50.0, 0.0)], &[("a", "b")]));
    let far = spawn(&mut app, graph_of(&[("c", 5000.0, 0.0), ("d", 5050.0, 0.0)], &[("c", "d")]));
    let portal = Door::new(DoorEnd::waypoint(near, "b"), DoorEnd::waypoint(far, "c"));
    app.world_mut().spawn(portal.leaping());
    let walker = agent(&mut app, 0.0, 0.0, 100.0);
    app.world_mut().entity_mut(walker).insert(OnMap(near));
    order(&mut app, walker, PathRequest::to_waypoint("d").on_map(far));
    let mut frames = 0;
    while app.world().get::<PathStatus>(walker) != Some(&PathStatus::Arrived) {
        app.update();
        let drawn = position(&app, walker).x;
        assert!((0.0..=50.0).contains(&drawn) || (5000.0..=5050.0).contains(&drawn), "{drawn}");
        frames += 1;
        assert!(frames < 200);
    }
    assert!(frames > 20);
    assert_eq!(app.world().resource::<Leaps>().0, 1);
}
