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

use super::fixtures::*;
use crate::harness::tick;

fn of_size(side: u8) -> AgentMovement {
    Movement::new().with_size(Size::new(side).expect("a size")).into()
}

/// Where a unit of that size stands that has this cell.
fn place(x: i32, y: i32, side: u8) -> Vec2 {
    centre(x, y) + Vec2::splat(f32::from(side - 1) * CELL / 2.0)
}

fn unit(app: &mut App, x: i32, y: i32, side: u8) -> Entity {
    let unit = agent_at(app, place(x, y, side), 160.0);
    app.world_mut().entity_mut(unit).insert(of_size(side));
    unit
}

/// Cells that lie under a unit by more than a hair.
fn covered(position: Vec2, side: u8) -> Vec<Cell> {
    let reach = f32::from(side) * CELL / 2.0 - 0.02;
    let [low, high] = [-reach, reach].map(|reach| ((position + reach) / CELL).floor().as_ivec2());
    (low.y..=high.y).flat_map(|y| (low.x..=high.x).map(move |x| Cell::new(x, y))).collect()
}

#[test]
fn path_leads_over_the_places_of_the_whole_unit() {
    for side in 1..=4 {
        let mut app = app();
        open_map(&mut app, 12, 12);
        let giant = unit(&mut app, 1, 2, side);
        order(&mut app, giant, 7, 5);
        tick(&mut app);
        assert_eq!(cell_path(&app, giant).start(), Cell::new(1, 2));
        let cells = cell_path(&app, giant).cells().to_vec();
        let points = path(&app, giant).points().to_vec();
        let places: Vec<Vec2> = cells.iter().map(|cell| place(cell.x, cell.y, side)).collect();
        assert_eq!(points, places);
        run_until_quiet(&mut app, 200);
        assert_eq!(position(&app, giant), place(7, 5, side));
    }
}

#[test]
fn position_means_the_nearest_place_of_the_whole_unit() {
    let mut app = app();
    let map = open_map(&mut app, 10, 10);
    let wagon = unit(&mut app, 4, 4, 2);
    tick(&mut app);
    let world = app.world_mut();
    world
        .run_system_once(move |nav: NavQuery| {
            let (plain, wide) = (nav.map(map).unwrap(), nav.map_of(wagon).unwrap());
            let at = Vec2::new(5.2, 5.9) * CELL;
            assert_eq!(plain.cell_at(at), Some(Cell::new(5, 5)));
            assert_eq!(wide.cell_at(at), Some(Cell::new(4, 5)), "of (4, 5) the middle is at (5, 6)");
            assert_eq!(wide.world_of(Cell::new(4, 5)), Some(Vec2::new(5.0, 6.0) * CELL));
            // Near the border it is the last place that is on the map.
            for (at, cell) in [((9.9, 9.9), (8, 8)), ((0.1, 5.0), (0, 4)), ((9.6, 0.2), (8, 0))] {
                assert_eq!(wide.cell_at(Vec2::from(at) * CELL), Some(cell.into()));
            }
            assert_eq!(wide.cell_at(Vec2::new(-0.1, 5.0) * CELL), None);
            let path = wide.find(Cell::new(0, 0), Cell::new(3, 0)).unwrap();
            assert_eq!(wide.points(path.outcome.path().unwrap())[1], Vec2::new(2.0, 1.0) * CELL);
        })
        .unwrap();
    app.world_mut().entity_mut(wagon).insert(PathRequest::to_position(Vec2::splat(9.9 * CELL)));
    run_until_quiet(&mut app, 200);
    assert_eq!(position(&app, wagon), place(8, 8, 2));
    // A cell is meant as it is said.
    order(&mut app, wagon, 9, 9);
    tick(&mut app);
    let PathStatus::Failed(reason) = status(&app, wagon) else { panic!("{:?}", status(&app, wagon)) };
    let PathFailure::FootprintOutOfBounds { cell, side, .. } = reason else { panic!("{reason}") };
    assert_eq!((cell, side), (Cell::new(9, 9), 2));
}

#[test]
fn narrow_gaps_are_for_small_units() {
    let mut app = app();
    map(&mut app, "........\n........\n###.####\n........\n........");
    let [small, large] = [1, 2].map(|side| unit(&mut app, 0, 0, side));
    for who in [small, large] {
        order(&mut app, who, 5, 3);
    }
    tick(&mut app);
    assert_eq!(status(&app, small), PathStatus::Following);
    assert_eq!(status(&app, large), PathStatus::Failed(PathFailure::Unreachable));
    app.world_mut().entity_mut(large).insert(PathRequest::to_cell((5, 2)));
    tick(&mut app);
    assert_eq!(status(&app, large), PathStatus::Failed(PathFailure::GoalBlocked { cell: Cell::new(5, 2) }));
    app.world_mut().entity_mut(large).insert(PathRequest::to_cell((5, 3)).or_closest());
    run_until_quiet(&mut app, 300);
    assert_eq!(position(&app, large), place(5, 0, 2));
}

#[test]
fn unit_that_grows_in_a_corridor_stands_on_a_blocked_start_and_may_leave() {
    for side in 2..=4 {
        let mut app = app();
        map(&mut app, "..........\n..........\n..........\n..........\n######....\n..........\n######....");
        let hero = unit(&mut app, 1, 1, 1);
        order(&mut app, hero, 6, 3);
        while position(&app, hero).x < centre(3, 1).x {
            tick(&mut app);
        }
        told(&mut app);
        app.world_mut().entity_mut(hero).insert(of_size(side));
        tick(&mut app);
        let said = told_of(&mut app, hero);
        assert!(matches!(said[..], [Told::Replanned { .. }]), "{said:?}");
        run_until_quiet(&mut app, 300);
        assert_eq!(position(&app, hero), place(6, 3, side), "it leaves the walls that it stood on");
        // And small again it goes on wherever it is.
        app.world_mut().entity_mut(hero).insert(of_size(1));
        order(&mut app, hero, 0, 1);
        run_until_quiet(&mut app, 300);
        assert_eq!(position(&app, hero), centre(0, 1));
    }
}

#[test]
fn edit_under_any_part_of_the_unit_s_way_is_seen() {
    for (x, y, touched) in
        [(4, 0, true), (4, 1, true), (4, 2, true), (4, 3, false), (9, 2, true), (10, 2, false)]
    {
        let mut app = app();
        let map = open_map(&mut app, 14, 9);
        let giant = unit(&mut app, 0, 0, 3);
        order(&mut app, giant, 7, 0);
        tick(&mut app);
        told(&mut app);
        let before = path(&app, giant).remaining_cost();
        set_terrain(&mut app, map, x, y, 4);
        tick(&mut app);
        let is_replanned = told(&mut app).iter().any(|(_, what)| matches!(what, Told::Replanned { .. }));
        let is_touched = is_replanned || path(&app, giant).remaining_cost() > before;
        assert_eq!(is_touched, touched, "{x} {y}");
        run_until_quiet(&mut app, 300);
        assert_eq!(position(&app, giant), place(7, 0, 3));
    }
}

#[test]
fn nothing_of_a_unit_is_ever_in_a_wall() {
    for diagonals in [Diagonals::Never, Diagonals::OnlyWhenNoObstacles] {
        for number in 0..6 {
            let mut random = Seed::named(&format!("giants {number}")).generator();
            let mut app = long_step_app();
            let map = map_of(&mut app, Grid::new(14, 14, 1).unwrap(), diagonals);
            let rules = |side| Movement::new().with_size(Size::new(side).unwrap()).with_diagonals(diagonals);
            let units: Vec<(Entity, u8)> = (0..6)
                .map(|n| {
                    let side = 1 + n % 3;
                    let unit = agent_at(&mut app, place(2 * i32::from(n), 1, side), 160.0);
                    app.world_mut().entity_mut(unit).insert(AgentMovement::from(rules(side)));
                    (unit, side)
                })
                .collect();
            let mut arrivals = 0;
            for n in 0..1500 {
                if n % 7 == 0 {
                    let (x, y) = (random.random_range(0..14), random.random_range(0..14));
                    // Nothing is built onto a unit.
                    let is_free = !units
                        .iter()
                        .any(|&(unit, side)| covered(position(&app, unit), side).contains(&Cell::new(x, y)));
                    if is_free {
                        let class = u8::from(random.random_range(0..3) > 0);
                        set_terrain(&mut app, map, x, y, class);
                    }
                }
                for &(unit, _) in &units {
                    if !is_ordered(&app, unit) && random.random_range(0..10) == 0 {
                        arrivals += u32::from(status(&app, unit) == PathStatus::Arrived);
                        let to = (random.random_range(0..12), random.random_range(0..12));
                        app.world_mut().entity_mut(unit).insert(PathRequest::to_cell(to));
                    }
                }
                step(&mut app, 0.013);
                let grid = app.world().get::<NavGrid>(map).unwrap();
                for &(unit, side) in &units {
                    let under = covered(position(&app, unit), side);
                    let wall = under.iter().find(|&&cell| grid.terrain(cell) != Some(1));
                    assert_eq!(wall, None, "{side} at {} in tick {n} of {number}", position(&app, unit));
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
            let mut app = app();
            let map = open_map(&mut app, 12, 12);
            let giant = unit(&mut app, 4, 4, side);
            tick(&mut app);
            set_terrain(&mut app, map, 4 + x, 4 + y, 0);
            order(&mut app, giant, 8, 4);
            run_until_quiet(&mut app, 300);
            assert_eq!(status(&app, giant), PathStatus::Arrived, "{side} {x} {y}");
            assert_eq!(position(&app, giant), place(8, 4, side));
        }
    }
}

#[test]
fn body_walks_off_a_wall_also_over_places_that_share_it() {
    for side in 2..=3_u8 {
        // In a corridor as wide as it is, so that it leaves the wall in as many steps as it stands on cells of it.
        for wall in 0..side {
            for (goal, way) in [(0, "west"), (20, "east")] {
                let mut app = app();
                let map = open_map(&mut app, 24, side.into());
                let giant = unit(&mut app, 10, 0, side);
                app.world_mut().entity_mut(giant).insert(Body::default());
                tick(&mut app);
                set_terrain(&mut app, map, 10 + i32::from(wall), 0, 0);
                order(&mut app, giant, goal, 0);
                run_until_quiet(&mut app, 600);
                assert_eq!(position(&app, giant), place(goal, 0, side), "{side}: {way} from {wall}");
                let replanned = told_of(&mut app, giant)
                    .iter()
                    .filter(|what| matches!(what, Told::Replanned { .. }))
                    .count();
                assert_eq!(replanned, 0, "{side}: {way} from {wall}");
            }
        }
    }
}

#[test]
fn unit_passes_doors_by_its_own_cell_also_from_a_blocked_start() {
    let mut app = app();
    let [west, east] = [0.0, 300.0].map(|x| {
        let projection = NavProjection::square(Vec2::splat(CELL), Vec2::new(x + CELL / 2.0, CELL / 2.0));
        let rules = NavMap::default()
            .with_movement("wagon", Movement::new().with_size(Size::new(3).expect("a size")));
        app.world_mut().spawn((rules, NavGrid::new(Grid::new(10, 6, 1).unwrap()), projection)).id()
    });
    let door = Door::new(DoorEnd::cell(west, Cell::new(7, 1)), DoorEnd::cell(east, Cell::new(0, 2)));
    app.world_mut().spawn(door.clone());
    // One whose end has no room for it.
    let narrow = DoorEnd::cell(west, Cell::new(9, 1));
    app.world_mut().spawn(Door::new(narrow, DoorEnd::cell(east, Cell::new(0, 0))));
    let wagon = agent_at(&mut app, place(2, 1, 3), 160.0);
    let request = PathRequest::to_cell((6, 2)).on_map(east);
    app.world_mut().entity_mut(wagon).insert((AgentMovement::from("wagon"), OnMap(west), request));
    // It stands around a wall.
    set_terrain(&mut app, west, 3, 2, 0);
    tick(&mut app);
    let legs: Vec<_> = path(&app, wagon).legs().map(|leg| leg.path().unwrap().clone()).collect();
    assert_eq!((legs[0].goal(), legs[1].start()), (Cell::new(7, 1), Cell::new(0, 2)));
    let points = path(&app, wagon).points();
    assert_eq!(points[legs[0].cells().len() - 1], place(7, 1, 3));
    assert_eq!(points[legs[0].cells().len()], place(0, 2, 3) + Vec2::new(300.0, 0.0));
    run_until_quiet(&mut app, 400);
    assert_eq!(position(&app, wagon), place(6, 2, 3) + Vec2::new(300.0, 0.0));
}

#[test]
fn units_that_cannot_be_are_refused_by_type() {
    let mut app = app();
    let map = open_map(&mut app, 3, 3);
    let giant = unit(&mut app, 0, 0, 4);
    order(&mut app, giant, 0, 0);
    tick(&mut app);
    let failed = status(&app, giant);
    assert!(
        matches!(failed, PathStatus::Failed(PathFailure::FootprintOutOfBounds { side: 4, .. })),
        "{failed:?}"
    );
    let PathStatus::Failed(reason) = failed else { panic!("{failed:?}") };
    assert!(reason.to_string().starts_with("a unit of 4 by 4 cells at "), "{reason}");
    app.world_mut().despawn(map);
    let hexagons = Grid::new(8, 8, 1).unwrap().with_topology(bevy_tilepath::tilepath::Topology::Hexagonal);
    map_of(&mut app, hexagons, Diagonals::default());
    order(&mut app, giant, 1, 1);
    tick(&mut app);
    let reason = PathFailure::SizeOnHexagons { side: 4 };
    assert_eq!(status(&app, giant), PathStatus::Failed(reason));
    assert!(reason.to_string().starts_with("a unit of 4 by 4 cells cannot move"), "{reason}");
}
