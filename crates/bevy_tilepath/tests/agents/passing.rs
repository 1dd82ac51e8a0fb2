//! Doors and obstacles that name movements.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_tilepath::{
    AgentMovement, Cell, CostTable, Movement, NavGrid, NavMap, NavProjection, NavQuery, Obstacle, OnMap,
    PathFailure, PathRequest, PathStatus,
    doors::{Door, DoorEnd},
    tilepath::format,
};

use super::{
    fixtures::*,
    movements::{WATER, five_movements, map_for_all, unit},
};
use crate::harness::tick;

#[test]
fn door_lets_pass_those_whom_it_names() {
    let mut app = app();
    let [town, port] = [0.0, 400.0].map(|x| {
        let grid = format::parse_ascii("....\n....").unwrap();
        let projection = NavProjection::square(Vec2::splat(CELL), Vec2::new(x + CELL / 2.0, CELL / 2.0));
        app.world_mut().spawn((five_movements(NavMap::default()), NavGrid::new(grid), projection)).id()
    });
    let door = Door::new(DoorEnd::cell(town, Cell::new(3, 0)), DoorEnd::cell(port, Cell::new(0, 0)));
    let gate = app.world_mut().spawn(door.clone().only_for(["flier", "foot"])).id();
    let own = AgentMovement::from(Movement::new().with_costs(CostTable::uniform()));
    let flier = unit(&mut app, 0, 0, "flier");
    let ghost = unit(&mut app, 0, 0, "ghost");
    let stranger = unit(&mut app, 0, 0, own);
    let nameless = agent(&mut app, 0, 0, 160.0);
    let all = [flier, ghost, stranger, nameless];
    for who in all {
        app.world_mut().entity_mut(who).insert((OnMap(town), PathRequest::to_cell((3, 1)).on_map(port)));
    }
    tick(&mut app);
    for who in [ghost, stranger, nameless] {
        assert_eq!(status(&app, who), PathStatus::Failed(PathFailure::Unreachable));
    }
    assert_eq!(status(&app, flier), PathStatus::Following);
    // Under way the door is closed to it.
    app.world_mut().get_mut::<Door>(gate).unwrap().movements.remove(0);
    tick(&mut app);
    assert_eq!(status(&app, flier), PathStatus::Failed(PathFailure::Unreachable));
    app.world_mut().entity_mut(gate).insert(door);
    for who in all {
        app.world_mut().entity_mut(who).insert(PathRequest::to_cell((3, 1)).on_map(port));
    }
    run_until_quiet(&mut app, 300);
    for who in all {
        assert_eq!(status(&app, who), PathStatus::Arrived);
    }

    // A map that does not know the name: no door leads there.
    app.world_mut().get_mut::<NavMap>(town).unwrap().movements.remove("ghost");
    for who in [ghost, flier] {
        app.world_mut().entity_mut(who).insert(PathRequest::to_cell((0, 1)).on_map(town));
    }
    tick(&mut app);
    assert_eq!(status(&app, ghost), PathStatus::Failed(PathFailure::UnknownMovement { map: town }));
    assert_eq!(status(&app, flier), PathStatus::Following);
}

#[test]
fn way_through_doors_is_the_unit_s_own() {
    let mut app = app();
    let pictures = ["4444\n....", "....\n4444"];
    let [west, east] = [0, 1].map(|n| {
        let grid = format::parse_ascii(pictures[n]).unwrap();
        let at = Vec2::new(4.0 * CELL * n as f32, 0.0) + CELL / 2.0;
        let projection = NavProjection::square(Vec2::splat(CELL), at);
        app.world_mut().spawn((five_movements(NavMap::default()), NavGrid::new(grid), projection)).id()
    });
    for (from, to) in [((3, 0), (0, 1)), ((3, 1), (0, 0))] {
        let door = Door::new(DoorEnd::cell(west, from.into()), DoorEnd::cell(east, to.into()));
        app.world_mut().spawn(door);
    }
    let foot = unit(&mut app, 0, 0, "foot");
    let boat = unit(&mut app, 0, 1, "boat");
    for (who, y) in [(foot, 1), (boat, 0)] {
        app.world_mut().entity_mut(who).insert((OnMap(west), PathRequest::to_cell((3, y)).on_map(east)));
    }
    tick(&mut app);
    for (who, ends) in [(foot, [(3, 0), (0, 1)]), (boat, [(3, 1), (0, 0)])] {
        let legs: Vec<_> = path(&app, who).legs().map(|leg| leg.path().unwrap()).collect();
        assert_eq!([legs[0].goal(), legs[1].start()], ends.map(Cell::from));
    }
    // A wall behind the door of those on foot is none of the boat's.
    told(&mut app);
    set_terrain(&mut app, east, 1, 1, 0);
    tick(&mut app);
    assert_eq!(told_of(&mut app, boat), []);
    assert_eq!(status(&app, foot), PathStatus::Failed(PathFailure::Unreachable));
    run_until_quiet(&mut app, 300);
    assert_eq!(status(&app, boat), PathStatus::Arrived);
}

#[test]
fn obstacle_is_one_to_those_whom_it_names() {
    let mut app = app();
    let map = map_for_all(&mut app, "444444\n......\n......\n.3....");
    let at = |x, y| Transform::from_translation(centre(x, y).extend(0.0));
    let boat = unit(&mut app, 0, 3, "boat");
    let foot = unit(&mut app, 0, 1, "foot");
    let flier = unit(&mut app, 0, 1, "flier");
    let nameless = agent(&mut app, 0, 1, 160.0);
    let all = [boat, foot, flier, nameless];
    let go = |app: &mut App, x: i32| {
        order(app, boat, x, 3);
        for who in [foot, flier, nameless] {
            order(app, who, x, 1);
        }
        app.update();
    };
    go(&mut app, 5);
    told(&mut app);
    // A boom over the river and a gate over the land, for boats and for those on foot.
    let size = Vec2::new(1.0, 3.9 * CELL);
    let movements = vec!["boat".to_owned(), "foot".to_owned()];
    let boom = app.world_mut().spawn((Obstacle { size, movements }, at(3, 2))).id();
    let twin = app.world_mut().entity_mut(boom).clone_and_spawn();
    tick(&mut app);
    let lost = PathStatus::Failed(PathFailure::Unreachable);
    assert_eq!(all.map(|who| status(&app, who) == lost), [true, true, false, false]);
    assert_eq!(told_of(&mut app, flier), []);
    assert_eq!(app.world().get::<NavGrid>(map).unwrap().terrain(Cell::new(3, 3)), Some(WATER));
    let reasons = app.world_mut().run_system_once(move |nav: NavQuery| {
        let why = nav.map_of(boat).unwrap().explain(&[Cell::new(2, 3), Cell::new(3, 3)]);
        why.unwrap_err().to_string()
    });
    assert!(reasons.as_ref().unwrap().contains("overlay"), "{reasons:?}");
    run_until_quiet(&mut app, 200);
    // Two lie on the same cells: they are open when both are gone.
    app.world_mut().despawn(boom);
    go(&mut app, 0);
    app.world_mut().get_mut::<NavMap>(map).unwrap().movements.remove("ghost");
    for who in [boat, foot] {
        app.world_mut().entity_mut(who).insert(PathRequest::to_cell((5, 3)));
    }
    tick(&mut app);
    assert_eq!(status(&app, boat), lost);
    app.world_mut().despawn(twin);
    go(&mut app, 5);
    for who in all {
        assert_eq!(status(&app, who), PathStatus::Following);
    }
    run_until_quiet(&mut app, 300);
    for who in all {
        assert_eq!(status(&app, who), PathStatus::Arrived);
    }
}
