//! Doors and obstacles for certain movements only.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_tilepath::{
    AgentMovement, Cell, CostTable, Movement, NavGrid, NavMap, NavProjection, NavQuery, Obstacle, OnMap,
    PathFailure, PathRequest, PathStatus,
    doors::{Door, DoorEnd},
    tilepath::format,
};

use super::movements::{WATER, five_movements, map_for_all, unit};
use crate::harness::*;

#[test]
fn door_lets_pass_those_whom_it_names() {
    let mut game = Game::new();
    let [town, port] = [0.0, 400.0].map(|x| {
        let grid = format::parse_ascii("....\n....").unwrap();
        let projection = NavProjection::square(Vec2::splat(CELL), Vec2::new(x + CELL / 2.0, CELL / 2.0));
        game.world_mut().spawn((five_movements(NavMap::default()), NavGrid::new(grid), projection)).id()
    });
    let door = Door::new(DoorEnd::cell(town, Cell::new(3, 0)), DoorEnd::cell(port, Cell::new(0, 0)));
    let gate = game.world_mut().spawn(door.clone().opens_for(["flier", "foot"])).id();
    let own = AgentMovement::from(Movement::new().with_costs(CostTable::uniform()));
    let flier = unit(&mut game, 0, 0, "flier");
    let ghost = unit(&mut game, 0, 0, "ghost");
    let stranger = unit(&mut game, 0, 0, own);
    let nameless = game.agent(0, 0, 160.0);
    let all = [flier, ghost, stranger, nameless];
    for who in all {
        game.world_mut().entity_mut(who).insert((OnMap(town), PathRequest::to_cell((3, 1)).on_map(port)));
    }
    game.tick();
    for who in [ghost, stranger, nameless] {
        assert_eq!(game.status(who), PathStatus::Failed(PathFailure::Unreachable));
    }
    assert_eq!(game.status(flier), PathStatus::Following);
    // The door is closed to the unit while it walks.
    game.world_mut().get_mut::<Door>(gate).unwrap().movements.remove(0);
    game.tick();
    assert_eq!(game.status(flier), PathStatus::Failed(PathFailure::Unreachable));
    game.world_mut().entity_mut(gate).insert(door);
    for who in all {
        game.world_mut().entity_mut(who).insert(PathRequest::to_cell((3, 1)).on_map(port));
    }
    game.run_until_quiet(300);
    for who in all {
        assert_eq!(game.status(who), PathStatus::Arrived);
    }

    // The other map does not have this movement, so no door leads there.
    game.world_mut().get_mut::<NavMap>(town).unwrap().movements.remove("ghost");
    for who in [ghost, flier] {
        game.world_mut().entity_mut(who).insert(PathRequest::to_cell((0, 1)).on_map(town));
    }
    game.tick();
    assert_eq!(game.status(ghost), PathStatus::Failed(PathFailure::UnknownMovement { map: town }));
    assert_eq!(game.status(flier), PathStatus::Following);
}

#[test]
fn way_through_doors_is_the_unit_s_own() {
    let mut game = Game::new();
    let pictures = ["4444\n....", "....\n4444"];
    let [west, east] = [0, 1].map(|n| {
        let grid = format::parse_ascii(pictures[n]).unwrap();
        let at = Vec2::new(4.0 * CELL * n as f32, 0.0) + CELL / 2.0;
        let projection = NavProjection::square(Vec2::splat(CELL), at);
        game.world_mut().spawn((five_movements(NavMap::default()), NavGrid::new(grid), projection)).id()
    });
    for (from, to) in [((3, 0), (0, 1)), ((3, 1), (0, 0))] {
        let door = Door::new(DoorEnd::cell(west, from.into()), DoorEnd::cell(east, to.into()));
        game.world_mut().spawn(door);
    }
    let foot = unit(&mut game, 0, 0, "foot");
    let boat = unit(&mut game, 0, 1, "boat");
    for (who, y) in [(foot, 1), (boat, 0)] {
        game.world_mut().entity_mut(who).insert((OnMap(west), PathRequest::to_cell((3, y)).on_map(east)));
    }
    game.tick();
    for (who, ends) in [(foot, [(3, 0), (0, 1)]), (boat, [(3, 1), (0, 0)])] {
        let legs: Vec<_> = game.path(who).legs().map(|leg| leg.path().unwrap()).collect();
        assert_eq!([legs[0].goal(), legs[1].start()], ends.map(Cell::from));
    }
    // A wall behind the door on foot does not concern the boat.
    game.told();
    game.set_terrain(east, 1, 1, 0);
    game.tick();
    assert_eq!(game.told_of(boat), []);
    assert_eq!(game.status(foot), PathStatus::Failed(PathFailure::Unreachable));
    game.run_until_quiet(300);
    assert_eq!(game.status(boat), PathStatus::Arrived);
}

#[test]
fn obstacle_is_one_to_those_whom_it_names() {
    let mut game = Game::new();
    let map = map_for_all(&mut game, "444444\n......\n......\n.3....");
    let at = |x, y| Transform::from_translation(centre(x, y).extend(0.0));
    let boat = unit(&mut game, 0, 3, "boat");
    let foot = unit(&mut game, 0, 1, "foot");
    let flier = unit(&mut game, 0, 1, "flier");
    let nameless = game.agent(0, 1, 160.0);
    let all = [boat, foot, flier, nameless];
    let go = |game: &mut Game, x: i32| {
        game.order_to(boat, x, 3);
        for who in [foot, flier, nameless] {
            game.order_to(who, x, 1);
        }
        game.update();
    };
    go(&mut game, 5);
    game.told();
    // A boom over the river and a gate over the land. They block boats and units on foot.
    let size = Vec2::new(1.0, 3.9 * CELL);
    let movements = vec!["boat".to_owned(), "foot".to_owned()];
    let boom = game.world_mut().spawn((Obstacle { size, movements, ..default() }, at(3, 2))).id();
    let twin = game.world_mut().entity_mut(boom).clone_and_spawn();
    game.tick();
    let lost = PathStatus::Failed(PathFailure::Unreachable);
    assert_eq!(all.map(|who| game.status(who) == lost), [true, true, false, false]);
    assert_eq!(game.told_of(flier), []);
    assert_eq!(game.world().get::<NavGrid>(map).unwrap().terrain(Cell::new(3, 3)), Some(WATER));
    let reasons = game.world_mut().run_system_once(move |nav: NavQuery| {
        let why = nav.map_of(boat).unwrap().explain(&[Cell::new(2, 3), Cell::new(3, 3)]);
        why.unwrap_err().to_string()
    });
    assert!(reasons.as_ref().unwrap().contains("overlay"), "{reasons:?}");
    game.run_until_quiet(200);
    // Two obstacles lie on the same cells. The cells are open after both are gone.
    game.world_mut().despawn(boom);
    go(&mut game, 0);
    game.world_mut().get_mut::<NavMap>(map).unwrap().movements.remove("ghost");
    for who in [boat, foot] {
        game.world_mut().entity_mut(who).insert(PathRequest::to_cell((5, 3)));
    }
    game.tick();
    assert_eq!(game.status(boat), lost);
    game.world_mut().despawn(twin);
    go(&mut game, 5);
    for who in all {
        assert_eq!(game.status(who), PathStatus::Following);
    }
    game.run_until_quiet(300);
    for who in all {
        assert_eq!(game.status(who), PathStatus::Arrived);
    }
}
