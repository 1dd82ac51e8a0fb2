//! Units that move in different ways over one map.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_tilepath::{
    AgentMovement, Algorithm, Cell, CostTable, Diagonals, Movement, NavGrid, NavMap, NavProjection, NavQuery,
    PathFailure, PathRequest, PathStatus, TilepathSettings,
    tilepath::{MovementId, Size, format},
};

use super::fixtures::*;
use crate::harness::{logs_of, tick};

/// Water; class 3 is mud.
pub(super) const WATER: u8 = 4;

/// Five ways to move. The map's own rules are those of people on foot, whom water costs four times as much.
pub(super) fn five_movements(map: NavMap) -> NavMap {
    let dry = CostTable::identity().with(WATER, 0);
    map.with_movement("foot", Movement::new().with_costs(dry.clone()))
        .with_movement(
            "wagon",
            Movement::new().with_costs(dry.with(3, 6)).with_size(Size::new(2).expect("a size")),
        )
        .with_movement("boat", Movement::new().with_costs(CostTable::impassable().with(WATER, 1)))
        .with_movement("flier", Movement::new().with_costs(CostTable::uniform().with(0, 1)))
        .with_movement(
            "ghost",
            Movement::new().with_costs(CostTable::uniform().with(0, 3)).with_diagonals(Diagonals::Always),
        )
}

pub(super) const FIVE: [&str; 5] = ["foot", "wagon", "boat", "flier", "ghost"];

pub(super) fn map_for_all(app: &mut App, picture: &str) -> Entity {
    let grid = format::parse_ascii(picture).expect("the picture is a map");
    let projection = NavProjection::square(Vec2::splat(CELL), Vec2::splat(CELL / 2.0));
    app.world_mut().spawn((five_movements(NavMap::default()), NavGrid::new(grid), projection)).id()
}

/// A river from west to east, with a wall behind it.
pub(super) const RIVER: &str = "
    ............
    ......33....
    44444#334444
    44444#334444
    ............
    ............
";

pub(super) fn unit(app: &mut App, x: i32, y: i32, movement: impl Into<AgentMovement>) -> Entity {
    let unit = agent(app, x, y, 160.0);
    app.world_mut().entity_mut(unit).insert(movement.into());
    unit
}

pub(super) fn cells(app: &App, unit: Entity) -> Vec<Cell> {
    cell_path(app, unit).cells().to_vec()
}

#[test]
fn each_unit_goes_its_own_way() {
    let mut app = app();
    let map = map_for_all(&mut app, RIVER);
    let [foot, flier, ghost] = ["foot", "flier", "ghost"].map(|name| unit(&mut app, 5, 0, name));
    let wagon = agent_at(&mut app, centre(5, 0) + CELL / 2.0, 160.0);
    app.world_mut().entity_mut(wagon).insert(AgentMovement::from("wagon"));
    let boat = unit(&mut app, 0, 2, "boat");
    let walker = agent(&mut app, 5, 0, 160.0);
    for who in [foot, flier, ghost, walker, wagon] {
        order(&mut app, who, 5, 4);
    }
    order(&mut app, boat, 4, 3);
    tick(&mut app);
    assert_eq!(cells(&app, flier), (0..5).map(|y| Cell::new(5, y)).collect::<Vec<_>>());
    // Beside the wall, which costs it three times as much, and past the corners.
    assert_eq!(cell_path(&app, ghost).cost().get(), 2 * 14 + 2 * 10);
    assert!(cells(&app, foot).contains(&Cell::new(6, 2)), "by the ford");
    assert_eq!(cells(&app, wagon)[0], Cell::new(5, 0), "its lowest and leftmost cell");
    assert!(cells(&app, wagon).contains(&Cell::new(6, 2)), "it fits between the wall and the water");
    assert!(
        cells(&app, boat)
            .iter()
            .all(|&cell| { app.world().get::<NavGrid>(map).unwrap().terrain(cell) == Some(WATER) })
    );
    assert!(cell_path(&app, walker).cost() <= cell_path(&app, foot).cost(), "it may wade");
    run_until_quiet(&mut app, 400);
    for who in [foot, flier, ghost, walker] {
        assert_eq!(position(&app, who), centre(5, 4));
    }
    assert_eq!(position(&app, wagon), centre(5, 4) + CELL / 2.0);
    assert_eq!(position(&app, boat), centre(4, 3));
}

#[test]
fn order_comes_before_unit_and_unit_before_map() {
    let mut app = app();
    map_for_all(&mut app, "....\n.##.\n....");
    let flier = unit(&mut app, 1, 0, "flier");
    order(&mut app, flier, 1, 2);
    tick(&mut app);
    assert_eq!(cells(&app, flier).len(), 3);
    let on_foot = PathRequest::to_cell((1, 2)).with_movement("foot");
    app.world_mut().entity_mut(flier).insert(on_foot);
    tick(&mut app);
    assert!(!cells(&app, flier).contains(&Cell::new(1, 1)));
    run_until_quiet(&mut app, 200);

    app.world_mut().entity_mut(flier).remove::<AgentMovement>();
    order(&mut app, flier, 1, 0);
    tick(&mut app);
    assert!(cells(&app, flier).len() > 3, "by the rules of the map");
}

#[test]
fn unknown_name_fails_by_itself_and_nothing_is_lost() {
    let mut app = app();
    let map = map_for_all(&mut app, "....\n....");
    let [lost, found] = ["submarine", "foot"].map(|name| unit(&mut app, 0, 0, name));
    let said = logs_of(|| {
        for _ in 0..3 {
            order(&mut app, lost, 3, 1);
            tick(&mut app);
        }
    });
    let said: Vec<&String> = said.iter().filter(|log| log.contains("submarine")).collect();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(FIVE.iter().all(|name| said[0].contains(name)) && said[0].contains(&map.to_string()), "{said:?}");
    order(&mut app, found, 3, 1);
    tick(&mut app);
    let reason = PathFailure::UnknownMovement { map };
    assert_eq!(told_of(&mut app, lost), [Told::Failed(reason); 3]);
    assert_eq!(status(&app, lost), PathStatus::Failed(reason));
    assert_eq!(status(&app, found), PathStatus::Following);
    assert!(reason.to_string().contains(&map.to_string()) && reason.to_string().contains("with_movement"));

    // Defined by now.
    let mut rules = app.world_mut().get_mut::<NavMap>(map).unwrap();
    rules.movements.insert("submarine".into(), Movement::new());
    order(&mut app, lost, 3, 1);
    tick(&mut app);
    assert_eq!(status(&app, lost), PathStatus::Following);
    // And taken away under way: those who have it are told, others walk on.
    app.world_mut().get_mut::<NavMap>(map).unwrap().movements.remove("submarine");
    told(&mut app);
    tick(&mut app);
    assert_eq!(told_of(&mut app, lost), [Told::Lost(reason)]);
    assert_eq!(status(&app, found), PathStatus::Following);
    run_until_quiet(&mut app, 200);
    assert_eq!(position(&app, found), centre(3, 1));
}

#[test]
fn edit_concerns_only_those_whom_it_touches() {
    let mut app = app();
    let map = map_for_all(&mut app, "4444444444\n..........\n..........");
    let boat = unit(&mut app, 0, 2, "boat");
    let foot = unit(&mut app, 0, 1, "foot");
    let flier = unit(&mut app, 0, 1, "flier");
    order(&mut app, boat, 9, 2);
    order(&mut app, foot, 9, 1);
    order(&mut app, flier, 9, 1);
    tick(&mut app);
    told(&mut app);
    let concerned =
        |what: &(Entity, Told)| matches!(what.1, Told::Blocked(_) | Told::Replanned { .. }).then_some(what.0);
    let news = |app: &mut App| {
        let mut news: Vec<Entity> = told(app).iter().filter_map(concerned).collect();
        news.dedup();
        news
    };
    // Mud costs people on foot more, and is nothing to fliers; the boat is elsewhere.
    set_terrain(&mut app, map, 5, 1, 3);
    tick(&mut app);
    assert_eq!(news(&mut app), [foot]);
    // A sandbank.
    set_terrain(&mut app, map, 7, 2, 1);
    tick(&mut app);
    assert_eq!(news(&mut app), [boat]);
    // A wall under all of them is one to the one on foot alone, if it comes that way.
    set_terrain(&mut app, map, 8, 1, 0);
    tick(&mut app);
    assert!(news(&mut app).iter().all(|&who| who == foot));
    assert_eq!(told_of(&mut app, flier), []);
}

#[test]
fn other_rules_for_a_name_concern_those_who_have_it() {
    let mut app = app();
    let map = map_for_all(&mut app, "..........\n.3333333..");
    let [first, second] = ["foot", "flier"].map(|name| unit(&mut app, 0, 0, name));
    for who in [first, second] {
        order(&mut app, who, 9, 0);
    }
    tick(&mut app);
    assert!(cells(&app, first).contains(&Cell::new(4, 1)), "round the mud");
    assert!(cells(&app, second).contains(&Cell::new(4, 0)), "over it");
    told(&mut app);
    let mut rules = app.world_mut().get_mut::<NavMap>(map).unwrap();
    *rules.movements.get_mut("flier").unwrap() =
        Movement::new().with_costs(CostTable::identity().with(3, 50));
    tick(&mut app);
    assert_eq!(told_of(&mut app, first), []);
    assert!(cells(&app, second).contains(&Cell::new(4, 1)), "it minds the mud by now");
    run_until_quiet(&mut app, 300);
}

#[test]
fn unit_that_moves_in_another_way_is_planned_again() {
    let mut app = app();
    map_for_all(&mut app, "..........\n.########.\n..........");
    let soldier = unit(&mut app, 4, 0, "foot");
    order(&mut app, soldier, 4, 2);
    for _ in 0..4 {
        tick(&mut app);
    }
    assert!(cells(&app, soldier).len() > 6);
    told(&mut app);
    app.world_mut().entity_mut(soldier).insert(AgentMovement::from("flier"));
    tick(&mut app);
    assert!(matches!(told_of(&mut app, soldier)[..], [Told::Replanned { .. }]));
    assert!(cells(&app, soldier).len() <= 5, "straight over the wall");
    // In the middle of the wall it is one on foot again: it may leave that, and goes by the nearer side.
    while position(&app, soldier).y < centre(0, 1).y {
        tick(&mut app);
    }
    app.world_mut().entity_mut(soldier).insert(AgentMovement::from("foot"));
    tick(&mut app);
    assert_eq!(cell_path(&app, soldier).start().y, 1, "it begins in the wall");
    run_until_quiet(&mut app, 200);
    assert_eq!(position(&app, soldier), centre(4, 2));
    // The same movement again is none other.
    order(&mut app, soldier, 0, 0);
    tick(&mut app);
    told(&mut app);
    app.world_mut().entity_mut(soldier).insert(AgentMovement::from("foot"));
    tick(&mut app);
    assert_eq!(told_of(&mut app, soldier), []);
}

#[test]
fn movement_changed_while_the_order_waits_is_the_one_that_counts() {
    let mut app = app();
    let wall = "#".repeat(58);
    let open = ".".repeat(60);
    map_for_all(&mut app, &format!("{open}\n.{wall}.\n{open}"));
    explore(&mut app);
    app.insert_resource(TilepathSettings { work_per_tick: 1 });
    let soldier = unit(&mut app, 30, 0, "foot");
    let request = PathRequest::to_cell((30, 2)).with_algorithm(Algorithm::Dijkstra);
    app.world_mut().entity_mut(soldier).insert(request);
    for _ in 0..3 {
        tick(&mut app);
    }
    assert!(matches!(status(&app, soldier), PathStatus::Queued | PathStatus::Searching));
    app.world_mut().entity_mut(soldier).insert(AgentMovement::from("flier"));
    for _ in 0..200 {
        tick(&mut app);
    }
    assert_eq!(cells(&app, soldier), [(30, 0), (30, 1), (30, 2)].map(Cell::from));
    let answers = told_of(&mut app, soldier);
    assert!(matches!(answers[..], [Told::Found { .. }, Told::Arrived(_)]), "{answers:?}");
}

#[test]
fn unit_that_moves_in_another_way_leaves_its_old_way_at_once() {
    // As a flier it is under way over the wall when it gets another order, which is not answered for long.
    let mut app = app();
    let wall = "#".repeat(60);
    let open = ".".repeat(60);
    map_for_all(&mut app, &format!("{open}\n{open}\n{wall}\n{open}"));
    explore(&mut app);
    for leaves_by_removal in [false, true] {
        app.insert_resource(TilepathSettings::default());
        let soldier = unit(&mut app, 30, 0, "flier");
        order(&mut app, soldier, 30, 3);
        tick(&mut app);
        app.insert_resource(TilepathSettings { work_per_tick: 1 });
        let far = PathRequest::to_cell((59, 0)).with_algorithm(Algorithm::Dijkstra);
        app.world_mut().entity_mut(soldier).insert(far);
        tick(&mut app);
        assert_eq!(cells(&app, soldier).last(), Some(&Cell::new(30, 3)), "on its old way");
        let mut soldier_now = app.world_mut().entity_mut(soldier);
        if leaves_by_removal {
            soldier_now.remove::<AgentMovement>();
        } else {
            soldier_now.insert(AgentMovement::from("foot"));
        }
        for _ in 0..20 {
            tick(&mut app);
            assert!(position(&app, soldier).y < centre(0, 1).y - CELL / 2.0, "no step into the wall");
        }
        app.world_mut().despawn(soldier);
    }
}

#[test]
fn queries_answer_as_the_unit() {
    let mut app = app();
    let map = map_for_all(&mut app, RIVER);
    let boat = unit(&mut app, 0, 2, "boat");
    let walker = agent(&mut app, 0, 0, 160.0);
    let own = unit(&mut app, 0, 0, Movement::new().with_costs(CostTable::uniform()));
    tick(&mut app);
    let (from, to) = (Cell::new(0, 2), Cell::new(4, 3));
    let asked = app.world_mut().run_system_once(move |nav: NavQuery| {
        let [sea, land] = [boat, walker].map(|unit| nav.map_of(unit).unwrap());
        assert_eq!(land.movement(), MovementId::FIRST);
        assert_eq!(nav.map(map).unwrap().with_movement("boat").unwrap().movement(), sea.movement());
        assert_eq!(sea.find(from, to).unwrap().outcome.path().unwrap().cost().get(), 14 + 3 * 10);
        assert_eq!(land.find(from, to).unwrap().outcome.path().unwrap().cost().get(), 14 + 30 + 4 * 20);
        // East of the wall there is water, too.
        let beyond = Cell::new(8, 3);
        assert!(!sea.is_reachable(from, beyond).unwrap() && land.is_reachable(from, beyond).unwrap());
        assert!(sea.explain_failure(from, beyond).is_ok());
        assert_eq!(sea.nearest(from, [beyond, to]).unwrap().unwrap().index, 1);
        let budget = bevy_tilepath::Cost::new(1000);
        assert_eq!(sea.range(from, budget).unwrap().cells().len(), 10);
        assert_eq!(sea.field([to]).unwrap().cost(beyond), None);
        assert_eq!(sea.explain(&[from, Cell::new(1, 2)]).unwrap().total().get(), 10);
        assert!(sea.explain(&[from, Cell::new(0, 1)]).is_err());
        assert!(nav.map_of(own).unwrap().is_reachable(from, beyond).unwrap());
        let unknown =
            nav.only_map().unwrap().with_movement(Movement::new().with_diagonals(Diagonals::Always));
        assert_eq!(unknown.unwrap_err(), PathFailure::UnknownMovement { map });
    });
    asked.unwrap();
}

#[cfg(feature = "tilemap")]
#[test]
fn names_and_own_movements_outlive_the_size_of_a_tilemap() {
    use crate::harness::tilemap;
    use bevy_ecs_tilemap::prelude::TilemapSize;
    let mut app = app();
    let map = tilemap(&mut app, "......\n......\n......");
    let rules = five_movements(NavMap::default());
    app.world_mut().entity_mut(map).insert(rules);
    let flier = unit(&mut app, 0, 0, "flier");
    let own = unit(&mut app, 0, 1, Movement::new().with_diagonals(Diagonals::Never));
    for who in [flier, own] {
        order(&mut app, who, 5, 2);
    }
    for _ in 0..5 {
        tick(&mut app);
    }
    let walking = |app: &App| [flier, own].map(|who| status(app, who));
    assert_eq!(walking(&app), [PathStatus::Following; 2]);
    *app.world_mut().get_mut::<TilemapSize>(map).unwrap() = TilemapSize::new(6, 4);
    tick(&mut app);
    assert_eq!(walking(&app), [PathStatus::Following; 2]);
    run_until_quiet(&mut app, 300);
    assert_eq!(walking(&app), [PathStatus::Arrived; 2]);
}

#[cfg(feature = "recording")]
#[test]
fn recording_of_many_movements_is_replayed_bit_for_bit() {
    use bevy_tilepath::{Obstacle, recording::PathRecorder};
    let mut app = app();
    app.world_mut().resource_mut::<PathRecorder>().start();
    let map = map_for_all(&mut app, RIVER);
    let units = FIVE.map(|name| unit(&mut app, 1, if name == "boat" { 2 } else { 0 }, name));
    let own = unit(&mut app, 0, 0, Movement::new().with_costs(CostTable::uniform()));
    for round in 0..4 {
        let at = Transform::from_translation(centre(3, 2).extend(0.0));
        let movements = vec!["boat".to_owned(), "foot".to_owned()];
        let obstacle = Obstacle { size: Vec2::splat(20.0), movements };
        let boom = (round % 2 == 0).then(|| app.world_mut().spawn((obstacle, at)).id());
        for who in units.into_iter().chain([own]) {
            order(&mut app, who, 4 - round, 3);
        }
        let wish = Movement::new().with_diagonals(Diagonals::ALL[round as usize]);
        let request = PathRequest::to_cell((11, 5 - round)).with_movement(wish);
        app.world_mut().entity_mut(own).insert(request.or_closest());
        set_terrain(&mut app, map, 6, round, 3);
        for _ in 0..40 {
            tick(&mut app);
        }
        if let Some(boom) = boom {
            app.world_mut().despawn(boom);
        }
    }
    let recording = app.world().resource::<PathRecorder>().recording(map).expect("it was recorded");
    let replayed = recording.replay(|_| ()).expect("it can be replayed");
    assert!(replayed.answers > 20, "{replayed:?}");
    assert_eq!(replayed.different, 0);
}
