//! Tests that each check finds its fault.

use bevy_ecs::{observer::On, system::ResMut, world::World};
use bevy_tilepath::{
    AgentMovement, Cell, Cost, NavGrid, NavMap, NavProjection, OnMap, PathAgent, PathFailure, PathGoal,
    PathRequest, PathStatus, Place,
    agents::{Drive, PathLine},
    events::{Arrived, PathFailed},
    groups::GroupArrived,
    tilepath::{Edit, Grid, Topology},
};
use bevy_transform::components::Transform;

use super::*;
use crate::{
    checks::{bodies::is_allowed, reach::Reach},
    crew::{Asked, Spot},
    deeds,
    places::{self, Ground},
    reload::Checkpoint,
    settings::Deed,
    squads,
};

/// An order without goals, for tests that state what matters to them.
const ASKED: Asked =
    Asked { goals: Vec::new(), is_limited: false, along_from: None, is_vague: false, lives: false };

/// Returns a world in which only the test does something.
pub(super) fn quiet() -> Soak {
    let settings = Settings { seed: 9, agents: 12, deeds: vec![Deed::Order], ..Settings::default() };
    let mut soak = Soak::new(&settings);
    soak.level = Level::spawn(soak.app.world_mut(), &mut soak.random, Style::default());
    soak.step(TICK);
    let map = soak.level.maps[0];
    for _ in 0..settings.agents {
        let world = soak.app.world_mut();
        let mut agent = deeds::spawn_agent(world, &soak.level, &mut soak.random, &mut soak.next_number);
        agent.chases = false;
        let world = soak.app.world_mut();
        world.entity_mut(agent.entity).insert(OnMap(map)).remove::<bevy_ecs::hierarchy::ChildOf>();
        let cell = open_cell(world, map);
        let centre = places::centre(world, map, cell).expect("the map is there");
        places::put(world, agent.entity, centre);
        soak.crew.push(agent);
    }
    for _ in 0..40 {
        soak.guarded(TICK, Soak::do_deeds).expect("nothing is broken yet");
    }
    soak
}

fn open_cell(world: &World, map: bevy_ecs::entity::Entity) -> Cell {
    let ground = Ground::of(world, map, None).expect("the map is there");
    ground.grid.bounds().cells().find(|&cell| ground.is_open(cell)).expect("not all are walls")
}

fn a_wall(world: &World, map: bevy_ecs::entity::Entity) -> Cell {
    let ground = Ground::of(world, map, None).expect("the map is there");
    ground.grid.bounds().cells().find(|&cell| !ground.is_open(cell)).expect("there are walls")
}

/// Runs a tick in which the test changes the world after the deeds, and asserts the fault.
#[track_caller]
pub(super) fn assert_heard(mut soak: Soak, tamper: impl FnOnce(&mut Soak), expected: &str) {
    soak.note_before();
    tamper(&mut soak);
    soak.step(TICK);
    let (_, what) = soak.check_tick().expect_err("a promise was broken");
    assert!(what.contains(expected), "{what}");
}

/// Returns an agent on the first map without excuses.
pub(super) fn a_walker(soak: &Soak) -> usize {
    let map = soak.level.maps[0];
    let world = soak.app.world();
    let is_plain = |agent: &Agent| {
        world.get::<OnMap>(agent.entity) == Some(&OnMap(map)) && agent.gap.is_none() && !agent.is_put
    };
    soak.crew.iter().position(is_plain).expect("an agent is still on its map")
}

#[test]
fn agent_in_a_wall_is_reported() {
    let tamper = |soak: &mut Soak| {
        let index = a_walker(soak);
        let (map, entity) = (soak.level.maps[0], soak.crew[index].entity);
        let world = soak.app.world_mut();
        world.entity_mut(entity).remove::<PathRequest>();
        soak.crew[index].is_cancelled();
        let wall = a_wall(world, map);
        let centre = places::centre(world, map, wall).expect("the map is there");
        places::put(world, entity, centre);
    };
    assert_heard(quiet(), tamper, "walks into the wall");
}

#[test]
fn lines_and_velocities_allocate_as_little_in_a_tick_as_walking_over_centres() {
    let allocations = |edit: fn(&mut PathAgent)| {
        let mut soak = Soak::new(&Settings::default());
        let projection = NavProjection::square(bevy_math::Vec2::splat(16.0), bevy_math::Vec2::splat(8.0));
        let world = soak.app.world_mut();
        let grid = NavGrid::new(Grid::new(200, 40, 1).expect("a small map"));
        let map = world.spawn((NavMap::default(), grid, projection)).id();
        for row in 0..30 {
            let mut agent = PathAgent { speed: 20.0.into(), ..PathAgent::default() };
            edit(&mut agent);
            let place = places::centre(world, map, Cell::new(0, row)).expect("the map is there");
            let place = bevy_transform::components::Transform::from_translation(place.extend(0.0));
            world.spawn((agent, place, OnMap(map), PathRequest::to_cell((199, 39 - row))));
        }
        for _ in 0..40 {
            soak.step(TICK);
        }
        allocation_counter::measure(|| (0..100).for_each(|_| soak.step(TICK))).count_total
    };
    let plain = allocations(|_| ());
    let straight = allocations(|agent| (agent.line, agent.spread) = (PathLine::Straight, 0.3));
    let driven = allocations(|agent| (agent.line, agent.drive) = (PathLine::Straight, Drive::Velocity));
    // Buffers of events grow at other times. The system that applies velocities collects them, which takes
    // four allocations in a tick.
    let most = plain + 30;
    assert!(
        straight < most && driven < most + 400,
        "{plain}, {straight} and {driven} allocations in 3,000 steps"
    );
}

/// Returns a world with a drawn map, rows from the top, and a wagon on it by its lowest, leftmost
/// cell.
fn with_wagon(drawn: &str, anchor: Cell) -> (Soak, bevy_ecs::entity::Entity, bevy_ecs::entity::Entity) {
    let mut soak = Soak::new(&Settings::default());
    let rows: Vec<&str> = drawn.lines().rev().collect();
    let classes = rows.concat().bytes().map(|tile| u8::from(tile == b'.')).collect();
    let grid = Grid::from_classes(rows[0].len() as u32, rows.len() as u32, classes).expect("a small map");
    let style = Style { has_movements: true, ..Style::default() };
    let projection = NavProjection::square(bevy_math::Vec2::splat(16.0), bevy_math::Vec2::splat(8.0));
    let world = soak.app.world_mut();
    let map = world.spawn((style.map(bevy_tilepath::Diagonals::Always), NavGrid::new(grid), projection)).id();
    let place = places::place(world, map, anchor, 2).expect("the map is there");
    let parts = (PathAgent::default(), AgentMovement::from("wagon"), OnMap(map));
    let wagon = world.spawn((parts, bevy_transform::components::Transform::default())).id();
    places::put(world, wagon, place);
    soak.level.maps.push(map);
    let mut agent = Agent::new(0, wagon);
    agent.is_put = false;
    soak.crew.push(agent);
    soak.step(TICK);
    soak.check_tick().expect("nothing is broken yet");
    (soak, map, wagon)
}

#[test]
fn wagon_with_one_of_its_cells_in_a_wall_is_reported() {
    for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let (mut soak, map, wagon) =
            with_wagon("......\n......\n......\n..#...\n......\n......", Cell::new(4, 4));
        // The wagon walks visibly in the wall, and before that beside it.
        for (aside, is_put) in [(1.0, true), (0.9, false)] {
            let anchor = Cell::new(2 - x, 2 - y);
            soak.note_before();
            let world = soak.app.world_mut();
            let beside = places::place(world, map, anchor, 2).expect("the map is there");
            let off = bevy_math::Vec2::new(2.0 * x as f32 - 1.0, 2.0 * y as f32 - 1.0) * 16.0 * aside;
            places::put(world, wagon, beside - off);
            soak.crew[0].before.map = Some(map);
            soak.crew[0].is_put = is_put;
            soak.step(TICK);
            let heard = soak.check_tick();
            if is_put {
                assert!(heard.is_ok(), "{heard:?}");
            } else {
                let (_, what) = heard.expect_err("one of four cells is in a wall");
                assert!(what.contains("walks into the wall at (2, 2)"), "{what}");
            }
        }
    }
}

#[test]
fn wagon_comes_back_over_closed_cells_that_it_covered_at_its_start_and_over_no_others() {
    // It stands on four walls, and the step below is closed. So it walks around, and comes over two of
    // the walls that it has left. In the second map there is a wall more.
    for (drawn, may_come_back) in
        [("......\n..##..\n..##..\n......", true), ("......\n..##..\n..##..\n..#...", false)]
    {
        let (mut soak, map, wagon) = with_wagon(drawn, Cell::new(2, 1));
        let goal = Cell::new(2, 0);
        let world = soak.app.world_mut();
        let mut grid = world.get_mut::<NavGrid>(map).expect("the map is there");
        let below = Edit::one_way(goal, Cell::new(2, 1));
        assert!(grid.edit(&[below]).expect("the cells are on the map") > 0);
        world.entity_mut(wagon).insert(PathRequest::to_cell(goal));
        soak.crew[0].is_ordered(Asked { goals: vec![Spot::Cells(map, vec![goal])], ..ASKED });
        let mut has_left = false;
        for _ in 0..400 {
            soak.note_before();
            soak.step(TICK);
            soak.check_tick().expect("the plugin walks by the rules");
            let cell = places::units(soak.app.world(), map, places::position(soak.app.world(), wagon));
            has_left |= cell.is_some_and(|at| (at.x - 3.0).abs() > 0.9);
        }
        let status = soak.app.world().get::<PathStatus>(wagon);
        assert_eq!(
            (status == Some(&PathStatus::Arrived), has_left),
            (may_come_back, may_come_back),
            "{status:?}"
        );
    }
}

#[test]
fn flood_of_a_wagon_needs_two_cells_of_width_and_leaves_walls_that_it_stands_on() {
    let reached = |drawn: &str, anchor: Cell, to: (i32, i32)| {
        let (soak, map, wagon) = with_wagon(drawn, anchor);
        let reach = Reach::from(soak.app.world(), &soak.level, wagon, map, anchor);
        reach.contains(&Spot::Cells(map, vec![Cell::from(to)]))
    };
    let start = Cell::new(0, 0);
    assert!(reached("..#..\n.....\n.....", start, (3, 0)));
    assert!(!reached("..#..\n.....\n..#..", start, (3, 0)));
    assert!(!reached(".....\n.....\n.....", start, (4, 0)), "it would pass the border");
    // With a wall under one of its cells, the wagon leaves and does not come back.
    for walled in ["....\n....\n#...", "....\n....\n.#..", "....\n#...\n....", "....\n.#..\n...."] {
        assert!(reached(walled, start, (2, 0)), "{walled}");
        assert!(!reached(walled, Cell::new(2, 0), (0, 0)), "{walled}");
    }
    // The wagon passes a corner if both sides have room for all of it.
    assert!(reached("...\n...\n...", start, (1, 1)));
    assert!(!reached("#..\n...\n..#", start, (1, 1)));
}

#[test]
fn steps_of_bodies_are_judged_by_all_cells_that_they_enter() {
    let (soak, map, wagon) = with_wagon("....\n....\n....\n.#..", Cell::new(2, 2));
    let wagons = Ground::of(soak.app.world(), map, Some(wagon)).expect("the map is there");
    let plain = Ground::of(soak.app.world(), map, None).expect("the map is there");
    let is_allowed = |ground: &Ground, side, from: (i32, i32), to: (i32, i32)| {
        is_allowed(ground, side, [from, to].map(Cell::from))
    };
    assert!(is_allowed(&wagons, 2, (0, 1), (1, 1)));
    assert!(!is_allowed(&wagons, 2, (0, 1), (0, 0)), "(1, 0) is a wall");
    assert!(is_allowed(&plain, 1, (0, 1), (0, 0)));
    assert!(is_allowed(&wagons, 2, (0, 0), (0, 1)), "it stands on the wall, and leaves it");
    assert!(!is_allowed(&wagons, 2, (0, 1), (2, 1)), "two cells at once");
    assert!(!is_allowed(&wagons, 2, (2, 0), (1, 1)), "past a corner with a wall beside it");
    assert!(is_allowed(&plain, 1, (2, 0), (1, 1)), "its rule lets it");
}

#[test]
fn second_answer_and_second_end_are_reported() {
    for is_end in [false, true] {
        let tamper = |soak: &mut Soak| {
            let index = a_walker(soak);
            let (map, entity) = (soak.level.maps[0], soak.crew[index].entity);
            soak.crew[index].is_cancelled();
            let world = soak.app.world_mut();
            world.entity_mut(entity).remove::<PathRequest>();
            if is_end {
                let place = Place::Cell(Cell::new(0, 0));
                world.trigger(Arrived {
                    entity,
                    map,
                    place,
                    chosen: 0,
                    partial: false,
                    shortfall: Cost::ZERO,
                });
            } else {
                world.trigger(PathFailed { entity, reason: PathFailure::LimitReached });
            }
        };
        assert_heard(quiet(), tamper, "is triggered, but the agent has no order");
    }
}

#[test]
fn unreachable_answer_despite_a_flood_is_reported() {
    let mut soak = quiet();
    let index = a_walker(&soak);
    let (map, entity) = (soak.level.maps[0], soak.crew[index].entity);
    let units = places::units(soak.app.world(), map, places::position(soak.app.world(), entity));
    let units = units.expect("the map is there");
    let here = places::cells_around(Topology::Square, units, 0.0).next().expect("one at least");
    soak.app.world_mut().entity_mut(entity).remove::<PathRequest>();
    soak.crew[index].is_ordered(Asked { goals: vec![Spot::Cells(map, vec![here])], ..ASKED });
    let tamper = |soak: &mut Soak| {
        soak.app.world_mut().trigger(PathFailed { entity, reason: PathFailure::Unreachable });
    };
    assert_heard(soak, tamper, "but a flood reaches");
}

#[test]
fn agent_kept_from_walking_is_reported() {
    let mut soak = quiet();
    let index = a_walker(&soak);
    let (map, entity) = (soak.level.maps[0], soak.crew[index].entity);
    let world = soak.app.world_mut();
    let at = places::position(world, entity);
    let far = Cell::new(23, 23);
    world.get_mut::<NavGrid>(map).expect("the map is there").set_terrain(far, 1).expect("on the map");
    world.entity_mut(entity).insert(PathRequest::to_cell(far).or_closest());
    soak.crew[index].is_ordered(Asked { is_vague: true, ..ASKED });
    for _ in 0..2 * crate::PATIENCE {
        soak.note_before();
        soak.step(TICK);
        // An agent that is put back has not moved.
        places::put(soak.app.world_mut(), entity, at);
        if let Err((_, what)) = soak.check_tick() {
            assert!(what.contains("stands with an order"), "{what}");
            return;
        }
    }
    panic!("it was not noticed");
}

#[test]
fn agent_at_its_goal_that_is_put_aside_has_time_to_set_out() {
    let mut soak = quiet();
    let index = a_walker(&soak);
    let (map, entity) = (soak.level.maps[0], soak.crew[index].entity);
    let world = soak.app.world_mut();
    let here = open_cell(world, map);
    let centre = |world: &World, cell| places::centre(world, map, cell).expect("the map is there");
    let target = Transform::from_translation(centre(world, here).extend(0.0));
    let target = world.spawn((OnMap(map), target)).id();
    places::put(world, entity, centre(world, here) + bevy_math::Vec2::splat(2.0));
    world.get_mut::<PathAgent>(entity).expect("it is an agent").drive = Drive::Velocity;
    world.entity_mut(entity).insert(PathRequest::to(PathGoal::within(target, 0.5)).following());
    soak.crew[index].was_put();
    soak.crew[index].is_ordered(Asked { is_vague: true, lives: true, ..ASKED });
    for _ in 0..100 {
        soak.guarded(TICK, |_| ()).expect("it is at its goal");
    }
    assert!(soak.report.reasons > 0, "the check has asked it");
    let world = soak.app.world_mut();
    let aside = centre(world, Cell::new(here.x + 3, here.y + 3));
    soak.guarded(TICK, |soak| {
        places::put(soak.app.world_mut(), entity, aside);
        soak.crew[index].was_put();
    })
    .expect("it goes back in the next ticks");
}

/// The events of groups.
#[derive(bevy_ecs::resource::Resource, Default)]
struct GroupEnds(Vec<GroupArrived>);

#[test]
fn second_end_of_a_group_order_is_reported() {
    let mut soak = quiet();
    soak.app
        .init_resource::<GroupEnds>()
        .add_observer(|on: On<GroupArrived>, mut ends: ResMut<GroupEnds>| ends.0.push(*on.event()));
    let mut ticks = 0;
    let end = loop {
        let order = |soak: &mut Soak| {
            let Soak { app, level, crew, random, squads, .. } = soak;
            if squads.open.is_empty() {
                squads::order(app.world_mut(), level, squads, crew, random);
            }
        };
        soak.guarded(LONG_TICK, order).expect("nothing is broken yet");
        if let Some(&end) = soak.app.world().resource::<GroupEnds>().0.first() {
            break end;
        }
        ticks += 1;
        assert!(ticks < 3000, "no group arrives");
    };
    let tamper = |soak: &mut Soak| soak.app.world_mut().trigger(end);
    assert_heard(soak, tamper, "is triggered, but the group has no order");
}

#[test]
fn map_left_behind_is_reported() {
    let mut soak = quiet();
    soak.app.world_mut().spawn(NavMap::default());
    let (_, what) = soak.vanish().expect_err("a map is still there");
    assert!(what.contains("tables have 1 entries"), "{what}");
}

#[test]
fn memory_that_grows_in_every_repetition_is_reported() {
    let mut soak = quiet();
    soak.report.grown = [&[900_000_i64, 60_000][..], &[9000; 5]].concat();
    assert!(soak.check_growth().is_err_and(|(_, what)| what.contains("more bytes")));
    soak.report.grown.push(0);
    soak.check_growth().expect("in one of them nothing has leaked");
}

/// The state is taken in the middle of a run, and in another run after every few ticks, too. One run
/// goes on, the other loads the state.
#[test]
fn a_loaded_world_goes_on_as_the_old_one() {
    let deeds: Vec<Deed> = Deed::ALL.into_iter().filter(|deed| *deed != Deed::Tile).collect();
    for (states_every, ticks) in [(0, 160), (5, 90)] {
        let settings = Settings {
            seed: 4,
            ticks,
            agents: 60,
            epochs: 1,
            deeds: deeds.clone(),
            movements: true,
            states_every,
            ..Settings::default()
        };
        let [old, new] = [Checkpoint::GoOn, Checkpoint::Load].map(|checkpoint| {
            let settings = Settings { checkpoint: Some((50, checkpoint)), ..settings.clone() };
            run(&settings).expect("nothing is broken")
        });
        assert_eq!(old.hash, new.hash);
        assert!(old.found > 50 && old.bodies > 100, "{old}");
    }
}
