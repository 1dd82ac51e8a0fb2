//! Agents that other code moves: the plugin writes the velocity, and the test is the physics engine.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentMovement, Cell, Motion, Movement, NavGrid, OnMap, PathAgent, PathRequest, PathStatus, Stepwise,
    agents::{Drive, PathLine, StepAgent},
    doors::{Door, DoorEnd},
    events::{DoorPassed, Stuck},
    tilepath::{Grid, Size},
};
use rand::Rng;
use testkit::Seed;

use crate::harness::*;

/// The length of a tick in seconds.
pub(super) const TICK: f32 = 1.0 / 64.0;

#[derive(Resource, Default)]
struct StuckCount(usize);

pub(super) fn driven(game: &mut Game, start: (i32, i32), goal: (i32, i32)) -> Entity {
    let unit = game.ordered_agent(start, 100.0, goal);
    game.world_mut().get_mut::<PathAgent>(unit).expect("it is there").drive = Drive::Velocity;
    unit
}

pub(super) fn wanted(game: &Game, unit: Entity) -> Vec2 {
    game.world().get::<Motion>(unit).expect("it is there").velocity
}

fn is_open(game: &Game, map: Entity, position: Vec2) -> bool {
    let cell = (position / CELL).floor();
    let grid = game.world().get::<NavGrid>(map).expect("it is there").grid();
    grid.terrain(Cell::new(cell.x as i32, cell.y as i32)).is_some_and(|class| class > 0)
}

/// Ticks, then moves a unit by this velocity. Walls hold it on each axis. Checks that the plugin has
/// not moved it.
pub(super) fn tick_and_move(game: &mut Game, map: Entity, unit: Entity, push: Vec2) {
    let before = *game.world().get::<Transform>(unit).expect("it is there");
    game.tick();
    let here = *game.world().get::<Transform>(unit).expect("it is there");
    assert_eq!(before, here, "the plugin writes no transform");
    let step = (wanted(game, unit) + push) * TICK;
    for axis in [Vec2::X, Vec2::Y] {
        let there = game.drawn(unit) + step * axis;
        if is_open(game, map, there) {
            game.world_mut().get_mut::<Transform>(unit).expect("it is there").translation = there.extend(0.0);
        }
    }
}

#[test]
fn velocity_leads_to_the_goal_and_the_transform_is_left_alone() {
    for line in [PathLine::Cells, PathLine::Straight] {
        let (mut game, map) = Game::drawn_as(
            "
            ..........
            .########.
            .#......#.
            .#.####.#.
            ...#......
            ",
        );
        let unit = driven(&mut game, (2, 2), (9, 4));
        game.world_mut().get_mut::<PathAgent>(unit).expect("it is there").line = line;
        let mut reached = 0;
        for _ in 0..2000 {
            tick_and_move(&mut game, map, unit, Vec2::ZERO);
            assert!(wanted(&game, unit).length() < 100.0 + 1e-3);
            reached += game.told().iter().filter(|(_, told)| matches!(told, Told::Reached(_))).count();
        }
        assert_eq!(game.status(unit), PathStatus::Arrived);
        assert!(game.drawn(unit).distance(centre(9, 4)) < 0.1 * CELL, "{}", game.drawn(unit));
        assert_eq!(wanted(&game, unit), Vec2::ZERO);
        assert_eq!(reached, game.cell_path(unit).steps());
    }
}

#[test]
fn pushes_are_made_good_and_only_long_ones_replan() {
    for number in 0..6 {
        let mut random = Seed::named(&format!("driven {number}")).generator();
        let mut game = Game::new();
        let classes: Vec<u8> = (0..400).map(|_| [0, 1, 1, 1, 1, 1][random.random_range(0..6)]).collect();
        let mut grid = Grid::from_classes(20, 20, classes).expect("it is there");
        for corner in [Cell::new(0, 0), Cell::new(19, 19)] {
            grid.set_terrain(corner, 1).expect("it is there");
        }
        let map = game.map_of(grid, bevy_tilepath::Diagonals::default());
        let unit = driven(&mut game, (0, 0), (19, 19));
        if number % 2 == 0 {
            game.world_mut().get_mut::<PathAgent>(unit).expect("it is there").line = PathLine::Straight;
        }
        game.tick();
        if game.status(unit) == PathStatus::Failed(bevy_tilepath::PathFailure::Unreachable) {
            continue;
        }
        let (mut push, mut ticks, mut replans) = (Vec2::ZERO, 0, 0);
        while game.is_ordered(unit) {
            if ticks % 40 == 0 {
                push = Vec2::new(random.random_range(-150.0..150.0), random.random_range(-150.0..150.0));
            } else if ticks % 40 == 12 {
                push = Vec2::ZERO;
            }
            tick_and_move(&mut game, map, unit, push);
            replans += game.told().iter().filter(|(_, told)| matches!(told, Told::Replanned { .. })).count();
            ticks += 1;
            assert!(ticks < 5000, "game {number}: {} {:?}", game.drawn(unit) / CELL, wanted(&game, unit));
        }
        assert_eq!(game.status(unit), PathStatus::Arrived);
        assert!(replans <= ticks / 20, "{replans} replans in {ticks} ticks");
    }
}

#[test]
fn short_way_off_the_path_is_no_reason_to_replan_and_a_long_one_is() {
    for (ticks, replans) in [(6, 0), (20, 1)] {
        let (mut game, map) = Game::open(30, 9);
        let unit = driven(&mut game, (1, 4), (28, 4));
        for _ in 0..30 {
            tick_and_move(&mut game, map, unit, Vec2::ZERO);
        }
        game.told();
        let aside = game.drawn(unit) + Vec2::new(0.0, 2.0 * CELL);
        for _ in 0..ticks {
            game.world_mut().get_mut::<Transform>(unit).expect("it is there").translation = aside.extend(0.0);
            game.tick();
            assert!(wanted(&game, unit).length() > 50.0, "it always wants to go on");
        }
        let back = if replans == 0 { aside - Vec2::new(0.0, 2.0 * CELL) } else { aside };
        game.world_mut().get_mut::<Transform>(unit).expect("it is there").translation = back.extend(0.0);
        game.ticks(3);
        let told = game.told_of(unit);
        assert_eq!(
            told.iter().filter(|told| matches!(told, Told::Replanned { .. })).count(),
            replans,
            "{told:?}"
        );
    }
}

#[test]
fn unit_that_is_held_is_stuck_with_pauses_that_double() {
    let (mut game, map) = Game::open(12, 3);
    game.world_mut().init_resource::<StuckCount>();
    game.world_mut().add_observer(|_: On<Stuck>, mut count: ResMut<StuckCount>| count.0 += 1);
    let unit = driven(&mut game, (1, 1), (10, 1));
    for _ in 0..20 {
        tick_and_move(&mut game, map, unit, Vec2::ZERO);
    }
    let count = |game: &Game| game.world().resource::<StuckCount>().0;
    game.ticks(60);
    assert_eq!(count(&game), 0);
    // After 1, 2 and 4 seconds.
    for (ticks, stuck) in [(8, 1), (120, 1), (10, 2), (240, 2), (20, 3)] {
        game.ticks(ticks);
        assert_eq!((count(&game), game.status(unit)), (stuck, PathStatus::Following));
    }
    // A path that is planned again changes nothing, while the unit is held at its place.
    game.set_terrain(map, 9, 1, 0);
    game.ticks(480);
    assert_eq!(count(&game), 3);
    game.ticks(60);
    assert_eq!(count(&game), 4);
    // A paused unit is not stuck.
    game.world_mut().get_mut::<PathAgent>(unit).expect("it is there").paused = true;
    game.ticks(1200);
    assert_eq!((count(&game), wanted(&game, unit)), (4, Vec2::ZERO));
    game.world_mut().get_mut::<PathAgent>(unit).expect("it is there").paused = false;
    // A unit that walked on is stuck after one second again.
    for _ in 0..30 {
        tick_and_move(&mut game, map, unit, Vec2::ZERO);
    }
    game.ticks(70);
    assert_eq!(count(&game), 5);
    for _ in 0..200 {
        tick_and_move(&mut game, map, unit, Vec2::ZERO);
    }
    assert_eq!((count(&game), game.status(unit)), (5, PathStatus::Arrived));
}

#[test]
fn wall_on_the_path_stops_the_velocity_in_its_tick() {
    let (mut game, map) = Game::drawn_as("..........\n##########");
    let unit = driven(&mut game, (0, 1), (9, 1));
    for _ in 0..20 {
        tick_and_move(&mut game, map, unit, Vec2::ZERO);
    }
    assert!(wanted(&game, unit).x > 0.0);
    game.set_terrain(map, 6, 1, 0);
    game.tick();
    assert_eq!(wanted(&game, unit), Vec2::ZERO);
    assert!(matches!(game.status(unit), PathStatus::Failed(_)));
}

#[test]
fn stops_doors_and_steps_are_passed_as_by_any_agent() {
    let mut game = Game::new();
    let below = game.open_map(12, 6);
    let above = game.open_map(12, 6);
    game.world_mut().entity_mut(above).insert(Transform::from_xyz(0.0, 40.0 * CELL, 0.0));
    let ends = || [DoorEnd::cell(below, Cell::new(11, 5)), DoorEnd::cell(above, Cell::new(0, 0))];
    for leaps in [false, true] {
        let [from, to] = ends();
        let door = Door::new(from, to);
        let door = game.world_mut().spawn(if leaps { door.leaping() } else { door }).id();
        let watcher =
            game.world_mut().add_observer(move |on: On<DoorPassed>, mut units: Query<&mut Transform>| {
                if leaps && let Ok(mut place) = units.get_mut(on.entity) {
                    place.translation = centre(0, 40).extend(0.0);
                }
            });
        let watcher = watcher.id();
        let unit = game.agent(0, 0, 200.0);
        game.world_mut().get_mut::<PathAgent>(unit).expect("it is there").drive = Drive::Velocity;
        game.world_mut().entity_mut(unit).insert(OnMap(below));
        let orders = [
            PathRequest::to_cell((3, 5)).then(Cell::new(11, 1)).on_map(below),
            PathRequest::to_cell((9, 4)).on_map(above),
        ];
        for order in orders {
            game.order(unit, order);
            for ticks in 0.. {
                game.tick();
                let here = game.drawn(unit) + wanted(&game, unit) * TICK;
                game.world_mut().get_mut::<Transform>(unit).expect("it is there").translation =
                    here.extend(0.0);
                if !game.is_ordered(unit) {
                    break;
                }
                assert!(ticks < 3000, "{here} {:?}", game.status(unit));
            }
            assert_eq!(game.status(unit), PathStatus::Arrived);
        }
        assert!(game.drawn(unit).distance(centre(9, 44)) < 0.1 * CELL, "{}", game.drawn(unit));
        game.world_mut().despawn(door);
        game.world_mut().despawn(watcher);
        game.world_mut().despawn(unit);
    }

    let (mut game, map) = Game::open(8, 1);
    let pawn = driven(&mut game, (0, 0), (7, 0));
    game.world_mut().entity_mut(pawn).insert(Stepwise { is_animated: true, ..default() });
    game.tick();
    game.world_mut().trigger(StepAgent { entity: pawn, steps: 2 });
    for _ in 0..300 {
        tick_and_move(&mut game, map, pawn, Vec2::ZERO);
    }
    assert!(game.drawn(pawn).distance(centre(2, 0)) < 0.2 * CELL, "{}", game.drawn(pawn));
}

#[test]
fn what_moves_the_unit_may_change_on_the_way() {
    let (mut game, map) = Game::open(30, 12);
    let unit = driven(&mut game, (1, 1), (27, 9));
    let mut ticks = 0;
    while game.is_ordered(unit) {
        if ticks % 16 == 0 {
            let mut agent = game.world_mut().get_mut::<PathAgent>(unit).expect("it is there");
            agent.drive = if ticks % 32 == 0 { Drive::Transform } else { Drive::Velocity };
            agent.line = if ticks % 64 < 32 { PathLine::Straight } else { PathLine::Cells };
        }
        if ticks % 32 < 16 {
            game.tick();
        } else {
            tick_and_move(&mut game, map, unit, Vec2::ZERO);
        }
        ticks += 1;
        assert!(ticks < 2000, "{}", game.drawn(unit));
    }
    assert_eq!(game.status(unit), PathStatus::Arrived);
}

#[test]
fn wide_unit_turns_at_stop_only_where_its_way_on_is_free() {
    for line in [PathLine::Cells, PathLine::Straight] {
        let (mut game, map) = Game::drawn_as(
            "
            ########
            #......#
            #......#
            ####..##
            ####..##
            ########
            ",
        );
        let unit = game.agent_at(centre(1, 3) + CELL / 2.0, 100.0);
        let wide = Movement::new().with_size(Size::new(2).expect("a size"));
        game.world_mut().entity_mut(unit).insert((
            AgentMovement::from(wide),
            PathAgent { speed: 100.0.into(), drive: Drive::Velocity, line, ..default() },
            PathRequest::to_cell((4, 3)).then(Cell::new(4, 1)),
        ));
        for _ in 0..600 {
            game.tick();
            let there = game.drawn(unit) + wanted(&game, unit) * TICK;
            for corner in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)].map(Vec2::from) {
                let reach = corner * (CELL - 0.1);
                assert!(
                    is_open(&game, map, there + reach),
                    "{line:?}: it touches a wall at {}",
                    there / CELL
                );
            }
            game.world_mut().get_mut::<Transform>(unit).expect("it is there").translation = there.extend(0.0);
        }
        assert_eq!(game.status(unit), PathStatus::Arrived, "{line:?}");
    }
}

#[test]
fn former_agent_that_left_a_door_by_other_code_begins_where_it_stands() {
    for drive in [Drive::Velocity, Drive::Transform] {
        let (mut game, map) = Game::drawn_as(
            "
            ..........
            ##########
            ..........
            ",
        );
        let [below, above] = [Cell::new(9, 0), Cell::new(9, 2)].map(|cell| DoorEnd::cell(map, cell));
        game.world_mut().spawn(Door::new(below, above));
        let unit = game.ordered_agent((7, 0), 100.0, (0, 2));
        game.world_mut().get_mut::<PathAgent>(unit).expect("it is there").drive = drive;
        game.tick_until(200, |game| {
            let step = if drive == Drive::Velocity { wanted(game, unit) * TICK } else { Vec2::ZERO };
            let there = game.drawn(unit) + step;
            game.world_mut().get_mut::<Transform>(unit).expect("it is there").translation = there.extend(0.0);
            there.y > CELL
        });
        game.world_mut().entity_mut(unit).remove::<PathAgent>();
        assert_eq!(wanted(&game, unit), Vec2::ZERO, "{drive:?}: nothing walks any more");
        game.tick();
        game.put(unit, 1, 2);
        game.order_to(unit, 0, 2);
        game.tick();
        assert_eq!(game.cell_path(unit).cells(), [Cell::new(1, 2), Cell::new(0, 2)], "{drive:?}");
    }
}

#[test]
fn unit_that_left_a_door_by_other_code_goes_on_from_where_it_stands() {
    for has_new_order in [false, true] {
        let (mut game, map) = Game::drawn_as(
            "
            ..........
            ##########
            ##########
            ..........
            ",
        );
        let [below, above] = [Cell::new(9, 0), Cell::new(9, 3)].map(|cell| DoorEnd::cell(map, cell));
        game.world_mut().spawn(Door::new(below, above));
        let unit = driven(&mut game, (7, 0), (0, 3));
        game.tick_until(200, |game| {
            let there = game.drawn(unit) + wanted(game, unit) * TICK;
            game.world_mut().get_mut::<Transform>(unit).expect("it is there").translation = there.extend(0.0);
            there.y > CELL
        });
        // A push over closed ground leaves it in the door.
        let aside = game.drawn(unit) - Vec2::new(0.6 * CELL, 0.0);
        game.world_mut().get_mut::<Transform>(unit).expect("it is there").translation = aside.extend(0.0);
        game.tick();
        let line = centre(9, 3) - aside;
        assert!(wanted(&game, unit).normalize().dot(line.normalize()) > 0.999, "{}", wanted(&game, unit));
        // Open ground elsewhere is outside.
        game.put(unit, 1, 3);
        if has_new_order {
            game.order_to(unit, 0, 3);
        }
        for _ in 0..12 {
            game.tick();
            assert!(wanted(&game, unit).x <= 0.0, "it does not walk to the door: {}", wanted(&game, unit));
        }
        assert_eq!(game.cell_path(unit).cells(), [Cell::new(1, 3), Cell::new(0, 3)]);
        for _ in 0..60 {
            tick_and_move(&mut game, map, unit, Vec2::ZERO);
        }
        assert_eq!(game.status(unit), PathStatus::Arrived);
    }
}
