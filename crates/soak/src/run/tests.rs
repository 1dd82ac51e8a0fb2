//! Each check hears of a promise that is broken on purpose.

use bevy_ecs::world::World;
use bevy_tilepath::{
    Arrived, Cell, Cost, NavGrid, NavMap, OnMap, PathFailed, PathFailure, PathRequest, Place,
    tilepath::Topology,
};

use super::*;
use crate::{
    deeds,
    places::{self, Ground},
    settings::Deed,
};

/// A world in which nothing is done but what the test does.
fn quiet() -> Soak {
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

/// Runs one tick in which the world is tampered with after the deeds.
#[track_caller]
fn assert_heard(mut soak: Soak, tamper: impl FnOnce(&mut Soak), expected: &str) {
    soak.note_before();
    tamper(&mut soak);
    soak.step(TICK);
    let (_, what) = soak.check_tick().expect_err("a promise was broken");
    assert!(what.contains(expected), "{what}");
}

/// An agent on the first map that nothing excuses.
fn a_walker(soak: &Soak) -> usize {
    let map = soak.level.maps[0];
    let world = soak.app.world();
    let is_plain = |agent: &Agent| {
        world.get::<OnMap>(agent.entity) == Some(&OnMap(map)) && agent.gap.is_none() && !agent.is_put
    };
    soak.crew.iter().position(is_plain).expect("an agent is still on its map")
}

#[test]
fn agent_in_a_wall_is_heard_of() {
    let tamper = |soak: &mut Soak| {
        let (map, entity) = (soak.level.maps[0], soak.crew[a_walker(soak)].entity);
        let world = soak.app.world_mut();
        world.entity_mut(entity).remove::<PathRequest>();
        let wall = a_wall(world, map);
        let centre = places::centre(world, map, wall).expect("the map is there");
        places::put(world, entity, centre);
    };
    assert_heard(quiet(), tamper, "walks into the wall");
}

#[test]
fn second_answer_and_second_end_are_heard_of() {
    for is_end in [false, true] {
        let tamper = |soak: &mut Soak| {
            let index = a_walker(soak);
            let (map, entity) = (soak.level.maps[0], soak.crew[index].entity);
            soak.crew[index].stage = Stage::NoOrder;
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
                    short_by: Cost::ZERO,
                });
            } else {
                world.trigger(PathFailed { entity, reason: PathFailure::LimitReached });
            }
        };
        assert_heard(quiet(), tamper, "is told, but the order is NoOrder");
    }
}

#[test]
fn unreachable_where_a_flood_gets_through_is_heard_of() {
    let mut soak = quiet();
    let index = a_walker(&soak);
    let (map, entity) = (soak.level.maps[0], soak.crew[index].entity);
    let units = places::units(soak.app.world(), map, places::position(soak.app.world(), entity));
    let units = units.expect("the map is there");
    let here = places::cells_around(Topology::Square, units, 0.0).next().expect("one at least");
    soak.app.world_mut().entity_mut(entity).remove::<PathRequest>();
    let agent = &mut soak.crew[index];
    agent.stage = Stage::Asked;
    agent.asked = Some(crate::crew::Asked {
        goals: vec![crate::crew::Spot::Cells(map, vec![here])],
        is_limited: false,
        along_from: None,
        is_vague: false,
        lives: false,
    });
    let tamper = |soak: &mut Soak| {
        soak.app.world_mut().trigger(PathFailed { entity, reason: PathFailure::Unreachable });
    };
    assert_heard(soak, tamper, "but a flood reaches");
}

#[test]
fn agent_that_is_kept_from_walking_is_heard_of() {
    let mut soak = quiet();
    let index = a_walker(&soak);
    let (map, entity) = (soak.level.maps[0], soak.crew[index].entity);
    let world = soak.app.world_mut();
    let at = places::position(world, entity);
    let far = Cell::new(23, 23);
    world.get_mut::<NavGrid>(map).expect("the map is there").set_terrain(far, 1).expect("on the map");
    world.entity_mut(entity).insert(PathRequest::to_cell(far).or_closest());
    let agent = &mut soak.crew[index];
    agent.stage = Stage::Asked;
    agent.asked = Some(crate::crew::Asked {
        goals: Vec::new(),
        is_limited: false,
        along_from: None,
        is_vague: true,
        lives: false,
    });
    for _ in 0..2 * crate::PATIENCE {
        soak.note_before();
        soak.step(TICK);
        // An agent that is put back where it was has not moved.
        places::put(soak.app.world_mut(), entity, at);
        if let Err((_, what)) = soak.check_tick() {
            assert!(what.contains("stands with an order"), "{what}");
            return;
        }
    }
    panic!("it was not noticed");
}

#[test]
fn map_that_is_left_behind_is_heard_of() {
    let mut soak = quiet();
    soak.app.world_mut().spawn(NavMap::default());
    let (_, what) = soak.vanish().expect_err("a map is still there");
    assert!(what.contains("tables have 1 entries"), "{what}");
}

#[test]
fn memory_that_grows_in_every_epoch_is_heard_of() {
    let mut soak = quiet();
    soak.settings.epochs = 16;
    for bytes in [&[900_000_i64, 60_000][..], &[9000; 13]].concat() {
        soak.note_growth(bytes).expect("it may be a coincidence");
    }
    assert!(soak.note_growth(9000).is_err_and(|(_, what)| what.contains("more bytes")));
}
