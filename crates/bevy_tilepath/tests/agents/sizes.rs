//! Units of several cells.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_tilepath::{
    AgentMovement, Body, Cell, Diagonals, Movement, NavGrid, NavMap, NavProjection, NavQuery, OnMap,
    PathFailure, PathRequest, PathStatus,
    doors::{Door, DoorEnd},
    tilepath::{Grid, Size},
};
use rand::Rng;
use testkit::Seed;

use crate::harness::*;

fn of_size(side: u8) -> AgentMovement {
    Movement::new().with_size(Size::new(side).expect("a size")).into()
}

/// Returns the position of a unit of this size on this cell.
fn place(x: i32, y: i32, side: u8) -> Vec2 {
    centre(x, y) + Vec2::splat(f32::from(side - 1) * CELL / 2.0)
}

fn unit(game: &mut Game, x: i32, y: i32, side: u8) -> Entity {
    let unit = game.agent_at(place(x, y, side), 160.0);
    game.world_mut().entity_mut(unit).insert(of_size(side));
    unit
}

/// Returns the cells that a unit covers by more than 0.02 world units.
fn covered(position: Vec2, side: u8) -> Vec<Cell> {
    let reach = f32::from(side) * CELL / 2.0 - 0.02;
    let [low, high] = [-reach, reach].map(|reach| ((position + reach) / CELL).floor().as_ivec2());
    (low.y..=high.y).flat_map(|y| (low.x..=high.x).map(move |x| Cell::new(x, y))).collect()
}

#[test]
fn path_leads_over_the_places_of_the_whole_unit() {
    for side in 1..=4 {
        let (mut game, _) = Game::open(12, 12);
        let giant = unit(&mut game, 1, 2, side);
        game.order_to(giant, 7, 5);
        game.tick();
        assert_eq!(game.cell_path(giant).start(), Cell::new(1, 2));
        let cells = game.cell_path(giant).cells().to_vec();
        let points = game.path(giant).points().to_vec();
        let places: Vec<Vec2> = cells.iter().map(|cell| place(cell.x, cell.y, side)).collect();
        assert_eq!(points, places);
        game.run_until_quiet(200);
        assert_eq!(game.position(giant), place(7, 5, side));
    }
}

#[test]
fn position_means_the_nearest_place_of_the_whole_unit() {
    let (mut game, map) = Game::open(10, 10);
    let wagon = unit(&mut game, 4, 4, 2);
    game.tick();
    let world = game.world_mut();
    world
        .run_system_once(move |nav: NavQuery| {
            let (plain, wide) = (nav.map(map).unwrap(), nav.map_of(wagon).unwrap());
            let at = Vec2::new(5.2, 5.9) * CELL;
            assert_eq!(plain.cell_at(at), Some(Cell::new(5, 5)));
            assert_eq!(
                wide.cell_at(at),
                Some(Cell::new(4, 5)),
                "the middle of the place (4, 5) is at (5, 6)"
            );
            assert_eq!(wide.world_of(Cell::new(4, 5)), Some(Vec2::new(5.0, 6.0) * CELL));
            // Near the border, the position means the last place on the map.
            for (at, cell) in [((9.9, 9.9), (8, 8)), ((0.1, 5.0), (0, 4)), ((9.6, 0.2), (8, 0))] {
                assert_eq!(wide.cell_at(Vec2::from(at) * CELL), Some(cell.into()));
            }
            assert_eq!(wide.cell_at(Vec2::new(-0.1, 5.0) * CELL), None);
            let path = wide.find(Cell::new(0, 0), Cell::new(3, 0)).unwrap();
            assert_eq!(wide.points(path.outcome.path().unwrap())[1], Vec2::new(2.0, 1.0) * CELL);
        })
        .unwrap();
    game.world_mut().entity_mut(wagon).insert(PathRequest::to_position(Vec2::splat(9.9 * CELL)));
    game.run_until_quiet(200);
    assert_eq!(game.position(wagon), place(8, 8, 2));
    // A cell is used as it is given.
    game.order_to(wagon, 9, 9);
    game.tick();
    let PathStatus::Failed(reason) = game.status(wagon) else { panic!("{:?}", game.status(wagon)) };
    let PathFailure::FootprintOutOfBounds { cell, side, .. } = reason else { panic!("{reason}") };
    assert_eq!((cell, side), (Cell::new(9, 9), 2));
}

#[test]
fn narrow_gaps_are_for_small_units() {
    let (mut game, _) = Game::drawn_as("........\n........\n###.####\n........\n........");
    let [small, large] = [1, 2].map(|side| unit(&mut game, 0, 0, side));
    for who in [small, large] {
        game.order_to(who, 5, 3);
    }
    game.tick();
    assert_eq!(game.status(small), PathStatus::Following);
    assert_eq!(game.status(large), PathStatus::Failed(PathFailure::Unreachable));
    game.world_mut().entity_mut(large).insert(PathRequest::to_cell((5, 2)));
    game.tick();
    assert_eq!(game.status(large), PathStatus::Failed(PathFailure::GoalBlocked { cell: Cell::new(5, 2) }));
    game.world_mut().entity_mut(large).insert(PathRequest::to_cell((5, 3)).or_closest());
    game.run_until_quiet(300);
    assert_eq!(game.position(large), place(5, 0, 2));
}

#[test]
fn unit_that_grows_in_a_corridor_stands_on_a_blocked_start_and_may_leave() {
    for side in 2..=4 {
        let (mut game, _) = Game::drawn_as(
            "..........\n..........\n..........\n..........\n######....\n..........\n######....",
        );
        let hero = unit(&mut game, 1, 1, 1);
        game.order_to(hero, 6, 3);
        while game.position(hero).x < centre(3, 1).x {
            game.tick();
        }
        game.told();
        game.world_mut().entity_mut(hero).insert(of_size(side));
        game.tick();
        let said = game.told_of(hero);
        assert!(matches!(said[..], [Told::Replanned { .. }]), "{said:?}");
        game.run_until_quiet(300);
        assert_eq!(game.position(hero), place(6, 3, side), "the hero leaves the walls on which it stood");
        // A small unit walks on from any cell.
        game.world_mut().entity_mut(hero).insert(of_size(1));
        game.order_to(hero, 0, 1);
        game.run_until_quiet(300);
        assert_eq!(game.position(hero), centre(0, 1));
    }
}

#[test]
fn edit_under_any_part_of_the_unit_s_way_is_seen() {
    for (x, y, touched) in
        [(4, 0, true), (4, 1, true), (4, 2, true), (4, 3, false), (9, 2, true), (10, 2, false)]
    {
        let (mut game, map) = Game::open(14, 9);
        let giant = unit(&mut game, 0, 0, 3);
        game.order_to(giant, 7, 0);
        game.tick();
        game.told();
        let before = game.path(giant).remaining_cost();
        game.set_terrain(map, x, y, 4);
        game.tick();
        let is_replanned = game.told().iter().any(|(_, what)| matches!(what, Told::Replanned { .. }));
        let is_touched = is_replanned || game.path(giant).remaining_cost() > before;
        assert_eq!(is_touched, touched, "{x} {y}");
        game.run_until_quiet(300);
        assert_eq!(game.position(giant), place(7, 0, 3));
    }
}

#[test]
fn nothing_of_a_unit_is_ever_in_a_wall() {
    for diagonals in [Diagonals::Never, Diagonals::OnlyWhenNoObstacles] {
        for number in 0..6 {
            let mut random = Seed::named(&format!("giants {number}")).generator();
            let mut game = Game::long_steps();
            let map = game.map_of(Grid::new(14, 14, 1).unwrap(), diagonals);
            let rules = |side| Movement::new().with_size(Size::new(side).unwrap()).with_diagonals(diagonals);
            let units: Vec<(Entity, u8)> = (0..6)
                .map(|n| {
                    let side = 1 + n % 3;
                    let unit = game.agent_at(place(2 * i32::from(n), 1, side), 160.0);
                    game.world_mut().entity_mut(unit).insert(AgentMovement::from(rules(side)));
                    (unit, side)
                })
                .collect();
            let mut arrivals = 0;
            for n in 0..1500 {
                if n % 7 == 0 {
                    let (x, y) = (random.random_range(0..14), random.random_range(0..14));
                    // Nothing is built on a cell that a unit covers.
                    let is_free = !units
                        .iter()
                        .any(|&(unit, side)| covered(game.position(unit), side).contains(&Cell::new(x, y)));
                    if is_free {
                        let class = u8::from(random.random_range(0..3) > 0);
                        game.set_terrain(map, x, y, class);
                    }
                }
                for &(unit, _) in &units {
                    if !game.is_ordered(unit) && random.random_range(0..10) == 0 {
                        arrivals += u32::from(game.status(unit) == PathStatus::Arrived);
                        let to = (random.random_range(0..12), random.random_range(0..12));
                        game.world_mut().entity_mut(unit).insert(PathRequest::to_cell(to));
                    }
                }
                game.step(0.013);
                let grid = game.world().get::<NavGrid>(map).unwrap();
                for &(unit, side) in &units {
                    let under = covered(game.position(unit), side);
                    let wall = under.iter().find(|&&cell| grid.terrain(cell) != Some(1));
                    assert_eq!(wall, None, "{side} at {} in tick {n} of {number}", game.position(unit));
                }
            }
            assert!(arrivals > 20, "{arrivals}");
        }
    }
}

#[test]
fn wall_built_onto_a_unit_is_left() {
    for side in 2..=3_u8 {
        for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (i32::from(x), i32::from(y)))) {
            let (mut game, map) = Game::open(12, 12);
            let giant = unit(&mut game, 4, 4, side);
            game.tick();
            game.set_terrain(map, 4 + x, 4 + y, 0);
            game.order_to(giant, 8, 4);
            game.run_until_quiet(300);
            assert_eq!(game.status(giant), PathStatus::Arrived, "{side} {x} {y}");
            assert_eq!(game.position(giant), place(8, 4, side));
        }
    }
}

#[test]
fn body_walks_off_a_wall_also_over_places_that_share_it() {
    for side in 2..=3_u8 {
        // The corridor is as wide as the unit, so neighbouring places of the unit share the wall.
        for wall in 0..side {
            for (goal, way) in [(0, "west"), (20, "east")] {
                let (mut game, map) = Game::open(24, side.into());
                let giant = unit(&mut game, 10, 0, side);
                game.world_mut().entity_mut(giant).insert(Body::default());
                game.tick();
                game.set_terrain(map, 10 + i32::from(wall), 0, 0);
                game.order_to(giant, goal, 0);
                game.run_until_quiet(600);
                assert_eq!(game.position(giant), place(goal, 0, side), "{side}: {way} from {wall}");
                let replanned =
                    game.told_of(giant).iter().filter(|what| matches!(what, Told::Replanned { .. })).count();
                assert_eq!(replanned, 0, "{side}: {way} from {wall}");
            }
        }
    }
}

#[test]
fn unit_passes_doors_by_its_own_cell_also_from_a_blocked_start() {
    let mut game = Game::new();
    let [west, east] = [0.0, 300.0].map(|x| {
        let projection = NavProjection::square(Vec2::splat(CELL), Vec2::new(x + CELL / 2.0, CELL / 2.0));
        let rules = NavMap::default()
            .with_movement("wagon", Movement::new().with_size(Size::new(3).expect("a size")));
        game.world_mut().spawn((rules, NavGrid::new(Grid::new(10, 6, 1).unwrap()), projection)).id()
    });
    let door = Door::new(DoorEnd::cell(west, Cell::new(7, 1)), DoorEnd::cell(east, Cell::new(0, 2)));
    game.world_mut().spawn(door.clone());
    // The end of this door has no room for the unit.
    let narrow = DoorEnd::cell(west, Cell::new(9, 1));
    game.world_mut().spawn(Door::new(narrow, DoorEnd::cell(east, Cell::new(0, 0))));
    let wagon = game.agent_at(place(2, 1, 3), 160.0);
    let request = PathRequest::to_cell((6, 2)).on_map(east);
    game.world_mut().entity_mut(wagon).insert((AgentMovement::from("wagon"), OnMap(west), request));
    // The unit stands around a wall.
    game.set_terrain(west, 3, 2, 0);
    game.tick();
    let legs: Vec<_> = game.path(wagon).legs().map(|leg| leg.path().unwrap().clone()).collect();
    assert_eq!((legs[0].goal(), legs[1].start()), (Cell::new(7, 1), Cell::new(0, 2)));
    let points = game.path(wagon).points();
    assert_eq!(points[legs[0].cells().len() - 1], place(7, 1, 3));
    assert_eq!(points[legs[0].cells().len()], place(0, 2, 3) + Vec2::new(300.0, 0.0));
    game.run_until_quiet(400);
    assert_eq!(game.position(wagon), place(6, 2, 3) + Vec2::new(300.0, 0.0));
}

#[test]
fn units_that_cannot_be_are_refused_by_type() {
    let (mut game, map) = Game::open(3, 3);
    let giant = unit(&mut game, 0, 0, 4);
    game.order_to(giant, 0, 0);
    game.tick();
    let failed = game.status(giant);
    assert!(
        matches!(failed, PathStatus::Failed(PathFailure::FootprintOutOfBounds { side: 4, .. })),
        "{failed:?}"
    );
    let PathStatus::Failed(reason) = failed else { panic!("{failed:?}") };
    assert!(reason.to_string().starts_with("a unit of 4 by 4 cells at "), "{reason}");
    game.world_mut().despawn(map);
    let hexagons = Grid::new(8, 8, 1).unwrap().with_topology(bevy_tilepath::tilepath::Topology::Hexagonal);
    game.map_of(hexagons, Diagonals::default());
    game.order_to(giant, 1, 1);
    game.tick();
    let reason = PathFailure::SizeOnHexagons { side: 4 };
    assert_eq!(game.status(giant), PathStatus::Failed(reason));
    assert!(reason.to_string().starts_with("a unit of 4 by 4 cells cannot move"), "{reason}");
}
