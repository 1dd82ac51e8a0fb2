//! Units with different movements on one map.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_tilepath::{
    AgentMovement, Algorithm, Cell, CostTable, Diagonals, Movement, NavGrid, NavMap, NavProjection, NavQuery,
    PathFailure, PathRequest, PathStatus, TilepathSettings,
    events::PathFound,
    tilepath::{Bounds, Grid, MovementId, Size, format},
};

use crate::harness::*;

/// The class of water. Class 3 is mud.
pub(super) const WATER: u8 = 4;

/// Adds five movements to the rules of a map. In the map's own rules, units go on foot, and water
/// costs four times as much as open ground.
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

pub(super) fn map_for_all(game: &mut Game, picture: &str) -> Entity {
    let grid = format::parse_ascii(picture).expect("the picture is a map");
    let projection = NavProjection::square(Vec2::splat(CELL), Vec2::splat(CELL / 2.0));
    game.world_mut().spawn((five_movements(NavMap::default()), NavGrid::new(grid), projection)).id()
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

pub(super) fn unit(game: &mut Game, x: i32, y: i32, movement: impl Into<AgentMovement>) -> Entity {
    let unit = game.agent(x, y, 160.0);
    game.world_mut().entity_mut(unit).insert(movement.into());
    unit
}

pub(super) fn cells(game: &Game, unit: Entity) -> Vec<Cell> {
    game.cell_path(unit).cells().to_vec()
}

#[test]
fn each_unit_goes_its_own_way() {
    let mut game = Game::new();
    let map = map_for_all(&mut game, RIVER);
    let [foot, flier, ghost] = ["foot", "flier", "ghost"].map(|name| unit(&mut game, 5, 0, name));
    let wagon = game.agent_at(centre(5, 0) + CELL / 2.0, 160.0);
    game.world_mut().entity_mut(wagon).insert(AgentMovement::from("wagon"));
    let boat = unit(&mut game, 0, 2, "boat");
    let walker = game.agent(5, 0, 160.0);
    for who in [foot, flier, ghost, walker, wagon] {
        game.order_to(who, 5, 4);
    }
    game.order_to(boat, 4, 3);
    game.tick();
    assert_eq!(cells(&game, flier), (0..5).map(|y| Cell::new(5, y)).collect::<Vec<_>>());
    // The ghost passes beside the wall and past the corners, because the wall costs it three times
    // as much.
    assert_eq!(game.cell_path(ghost).cost().get(), 2 * 14 + 2 * 10);
    assert!(cells(&game, foot).contains(&Cell::new(6, 2)), "the unit on foot uses the ford");
    assert_eq!(cells(&game, wagon)[0], Cell::new(5, 0), "the cell of a wagon is its lowest and leftmost one");
    assert!(cells(&game, wagon).contains(&Cell::new(6, 2)), "the wagon fits between the wall and the water");
    assert!(
        cells(&game, boat)
            .iter()
            .all(|&cell| { game.world().get::<NavGrid>(map).unwrap().terrain(cell) == Some(WATER) })
    );
    assert!(game.cell_path(walker).cost() <= game.cell_path(foot).cost(), "the walker may wade");
    game.run_until_quiet(400);
    for who in [foot, flier, ghost, walker] {
        assert_eq!(game.position(who), centre(5, 4));
    }
    assert_eq!(game.position(wagon), centre(5, 4) + CELL / 2.0);
    assert_eq!(game.position(boat), centre(4, 3));
}

#[test]
fn order_comes_before_unit_and_unit_before_map() {
    let mut game = Game::new();
    map_for_all(&mut game, "....\n.##.\n....");
    let flier = unit(&mut game, 1, 0, "flier");
    game.order_to(flier, 1, 2);
    game.tick();
    assert_eq!(cells(&game, flier).len(), 3);
    let on_foot = PathRequest::to_cell((1, 2)).with_movement("foot");
    game.world_mut().entity_mut(flier).insert(on_foot);
    game.tick();
    assert!(!cells(&game, flier).contains(&Cell::new(1, 1)));
    game.run_until_quiet(200);

    game.world_mut().entity_mut(flier).remove::<AgentMovement>();
    game.order_to(flier, 1, 0);
    game.tick();
    assert!(cells(&game, flier).len() > 3, "the flier uses the rules of the map");
}

#[test]
fn unknown_name_fails_by_itself_and_nothing_is_lost() {
    let mut game = Game::new();
    let map = map_for_all(&mut game, "....\n....");
    let [lost, found] = ["submarine", "foot"].map(|name| unit(&mut game, 0, 0, name));
    let said = logs_of(|| {
        for _ in 0..3 {
            game.order_to(lost, 3, 1);
            game.tick();
        }
    });
    let said: Vec<&String> = said.iter().filter(|log| log.contains("submarine")).collect();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(FIVE.iter().all(|name| said[0].contains(name)) && said[0].contains(&map.to_string()), "{said:?}");
    game.order_to(found, 3, 1);
    game.tick();
    let reason = PathFailure::UnknownMovement { map };
    assert_eq!(game.told_of(lost), [Told::Failed(reason); 3]);
    assert_eq!(game.status(lost), PathStatus::Failed(reason));
    assert_eq!(game.status(found), PathStatus::Following);
    assert!(reason.to_string().contains(&map.to_string()) && reason.to_string().contains("with_movement"));

    // The name is defined at this point.
    let mut rules = game.world_mut().get_mut::<NavMap>(map).unwrap();
    rules.movements.insert("submarine".into(), Movement::new());
    game.order_to(lost, 3, 1);
    game.tick();
    assert_eq!(game.status(lost), PathStatus::Following);
    // The name is removed while units walk. Units with this movement lose their path, and others
    // walk on.
    game.world_mut().get_mut::<NavMap>(map).unwrap().movements.remove("submarine");
    game.told();
    game.tick();
    assert_eq!(game.told_of(lost), [Told::Lost(reason)]);
    assert_eq!(game.status(found), PathStatus::Following);
    game.run_until_quiet(200);
    assert_eq!(game.position(found), centre(3, 1));
}

#[test]
fn edit_concerns_only_those_whom_it_touches() {
    let mut game = Game::new();
    let map = map_for_all(&mut game, "4444444444\n..........\n..........");
    let boat = unit(&mut game, 0, 2, "boat");
    let foot = unit(&mut game, 0, 1, "foot");
    let flier = unit(&mut game, 0, 1, "flier");
    game.order_to(boat, 9, 2);
    game.order_to(foot, 9, 1);
    game.order_to(flier, 9, 1);
    game.tick();
    game.told();
    let concerned =
        |what: &(Entity, Told)| matches!(what.1, Told::Blocked(_) | Told::Replanned { .. }).then_some(what.0);
    let news = |game: &mut Game| {
        let mut news: Vec<Entity> = game.told().iter().filter_map(concerned).collect();
        news.dedup();
        news
    };
    // Mud costs more on foot and changes nothing for fliers. The boat is elsewhere.
    game.set_terrain(map, 5, 1, 3);
    game.tick();
    assert_eq!(news(&mut game), [foot]);
    // A sandbank blocks the boat.
    game.set_terrain(map, 7, 2, 1);
    game.tick();
    assert_eq!(news(&mut game), [boat]);
    // The wall lies on the rows of the unit on foot and of the flier. It blocks only the unit on
    // foot, and only if that unit passes there.
    game.set_terrain(map, 8, 1, 0);
    game.tick();
    assert!(news(&mut game).iter().all(|&who| who == foot));
    assert_eq!(game.told_of(flier), []);
}

#[test]
fn other_rules_for_a_name_concern_those_who_have_it() {
    let mut game = Game::new();
    let map = map_for_all(&mut game, "..........\n.3333333..");
    let [first, second] = ["foot", "flier"].map(|name| unit(&mut game, 0, 0, name));
    for who in [first, second] {
        game.order_to(who, 9, 0);
    }
    game.tick();
    assert!(cells(&game, first).contains(&Cell::new(4, 1)), "the path leads round the mud");
    assert!(cells(&game, second).contains(&Cell::new(4, 0)), "the path leads over the mud");
    game.told();
    let mut rules = game.world_mut().get_mut::<NavMap>(map).unwrap();
    *rules.movements.get_mut("flier").unwrap() =
        Movement::new().with_costs(CostTable::identity().with(3, 50));
    game.tick();
    assert_eq!(game.told_of(first), []);
    assert!(cells(&game, second).contains(&Cell::new(4, 1)), "the new rules avoid the mud");
    game.run_until_quiet(300);
}

#[test]
fn unit_that_moves_in_another_way_is_planned_again() {
    let mut game = Game::new();
    map_for_all(&mut game, "..........\n.########.\n..........");
    let soldier = unit(&mut game, 4, 0, "foot");
    game.order_to(soldier, 4, 2);
    game.ticks(4);
    assert!(cells(&game, soldier).len() > 6);
    game.told();
    game.world_mut().entity_mut(soldier).insert(AgentMovement::from("flier"));
    game.tick();
    assert!(matches!(game.told_of(soldier)[..], [Told::Replanned { .. }]));
    assert!(cells(&game, soldier).len() <= 5, "the path leads straight over the wall");
    // In the middle of the wall, the unit goes on foot again. It may leave the wall, and takes the
    // nearer side.
    while game.position(soldier).y < centre(0, 1).y {
        game.tick();
    }
    game.world_mut().entity_mut(soldier).insert(AgentMovement::from("foot"));
    game.tick();
    assert_eq!(game.cell_path(soldier).start().y, 1, "the path begins in the wall");
    game.run_until_quiet(200);
    assert_eq!(game.position(soldier), centre(4, 2));
    // Inserting an equal movement changes nothing.
    game.order_to(soldier, 0, 0);
    game.tick();
    game.told();
    game.world_mut().entity_mut(soldier).insert(AgentMovement::from("foot"));
    game.tick();
    assert_eq!(game.told_of(soldier), []);
}

#[test]
fn movement_changed_while_the_order_waits_is_the_one_that_counts() {
    let mut game = Game::new();
    let wall = "#".repeat(58);
    let open = ".".repeat(60);
    map_for_all(&mut game, &format!("{open}\n.{wall}.\n{open}"));
    game.explore();
    game.insert_resource(TilepathSettings { work_per_tick: 1 });
    let soldier = unit(&mut game, 30, 0, "foot");
    let request = PathRequest::to_cell((30, 2)).with_algorithm(Algorithm::Dijkstra);
    game.world_mut().entity_mut(soldier).insert(request);
    game.ticks(3);
    assert!(matches!(game.status(soldier), PathStatus::Queued | PathStatus::Searching));
    game.world_mut().entity_mut(soldier).insert(AgentMovement::from("flier"));
    game.ticks(200);
    assert_eq!(cells(&game, soldier), [(30, 0), (30, 1), (30, 2)].map(Cell::from));
    let answers = game.told_of(soldier);
    assert!(matches!(answers[..], [Told::Found { .. }, Told::Arrived(_)]), "{answers:?}");
}

#[test]
fn unit_that_moves_in_another_way_leaves_its_old_way_at_once() {
    // The unit flies over the wall when it gets another order. That order is not answered for a
    // long time.
    let mut game = Game::new();
    let wall = "#".repeat(60);
    let open = ".".repeat(60);
    map_for_all(&mut game, &format!("{open}\n{open}\n{wall}\n{open}"));
    game.explore();
    for leaves_by_removal in [false, true] {
        game.insert_resource(TilepathSettings::default());
        let soldier = unit(&mut game, 30, 0, "flier");
        game.order_to(soldier, 30, 3);
        game.tick();
        game.insert_resource(TilepathSettings { work_per_tick: 1 });
        let far = PathRequest::to_cell((59, 0)).with_algorithm(Algorithm::Dijkstra);
        game.world_mut().entity_mut(soldier).insert(far);
        game.tick();
        assert_eq!(cells(&game, soldier).last(), Some(&Cell::new(30, 3)), "it follows its old path");
        let mut soldier_now = game.world_mut().entity_mut(soldier);
        if leaves_by_removal {
            soldier_now.remove::<AgentMovement>();
        } else {
            soldier_now.insert(AgentMovement::from("foot"));
        }
        for _ in 0..20 {
            game.tick();
            assert!(
                game.position(soldier).y < centre(0, 1).y - CELL / 2.0,
                "a unit on foot must not step into the wall"
            );
        }
        game.world_mut().despawn(soldier);
    }
}

#[test]
fn queries_answer_as_the_unit() {
    let mut game = Game::new();
    let map = map_for_all(&mut game, RIVER);
    let boat = unit(&mut game, 0, 2, "boat");
    let walker = game.agent(0, 0, 160.0);
    let own = unit(&mut game, 0, 0, Movement::new().with_costs(CostTable::uniform()));
    game.tick();
    let (from, to) = (Cell::new(0, 2), Cell::new(4, 3));
    let asked = game.world_mut().run_system_once(move |nav: NavQuery| {
        let [sea, land] = [boat, walker].map(|unit| nav.map_of(unit).unwrap());
        assert_eq!(land.movement(), MovementId::FIRST);
        assert_eq!(nav.map(map).unwrap().with_movement("boat").unwrap().movement(), sea.movement());
        assert_eq!(sea.find(from, to).unwrap().outcome.path().unwrap().cost().get(), 14 + 3 * 10);
        assert_eq!(land.find(from, to).unwrap().outcome.path().unwrap().cost().get(), 14 + 30 + 4 * 20);
        // East of the wall, there is water, too.
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
    use bevy_ecs_tilemap::prelude::TilemapSize;
    let mut game = Game::new();
    let map = game.tilemap("......\n......\n......");
    let rules = five_movements(NavMap::default());
    game.world_mut().entity_mut(map).insert(rules);
    let flier = unit(&mut game, 0, 0, "flier");
    let own = unit(&mut game, 0, 1, Movement::new().with_diagonals(Diagonals::Never));
    for who in [flier, own] {
        game.order_to(who, 5, 2);
    }
    game.ticks(5);
    let walking = |game: &Game| [flier, own].map(|who| game.status(who));
    assert_eq!(walking(&game), [PathStatus::Following; 2]);
    *game.world_mut().get_mut::<TilemapSize>(map).unwrap() = TilemapSize::new(6, 4);
    game.tick();
    assert_eq!(walking(&game), [PathStatus::Following; 2]);
    game.run_until_quiet(300);
    assert_eq!(walking(&game), [PathStatus::Arrived; 2]);
}

#[cfg(feature = "recording")]
#[test]
fn recording_of_many_movements_is_replayed_bit_for_bit() {
    use bevy_tilepath::{Obstacle, recording::PathRecorder};
    let mut game = Game::new();
    game.world_mut().resource_mut::<PathRecorder>().start();
    let map = map_for_all(&mut game, RIVER);
    let units = FIVE.map(|name| unit(&mut game, 1, if name == "boat" { 2 } else { 0 }, name));
    let own = unit(&mut game, 0, 0, Movement::new().with_costs(CostTable::uniform()));
    for round in 0..4 {
        let at = Transform::from_translation(centre(3, 2).extend(0.0));
        let movements = vec!["boat".to_owned(), "foot".to_owned()];
        let obstacle = Obstacle { size: Vec2::splat(20.0), movements, ..default() };
        let boom = (round % 2 == 0).then(|| game.world_mut().spawn((obstacle, at)).id());
        for who in units.into_iter().chain([own]) {
            game.order_to(who, 4 - round, 3);
        }
        let wish = Movement::new().with_diagonals(Diagonals::ALL[round as usize]);
        let request = PathRequest::to_cell((11, 5 - round)).with_movement(wish);
        game.world_mut().entity_mut(own).insert(request.or_closest());
        game.set_terrain(map, 6, round, 3);
        game.ticks(40);
        if let Some(boom) = boom {
            game.world_mut().despawn(boom);
        }
    }
    let recording = game.world().resource::<PathRecorder>().recording(map).expect("it was recorded");
    let replayed = recording.replay(|_| ()).expect("it can be replayed");
    assert!(replayed.answers > 20, "{replayed:?}");
    assert_eq!(replayed.different, 0);
}

/// Starts a game with a lake that has a bank along its north side. "any" crosses the lake, "dry" does
/// not, and neither do units without a movement of their own.
fn lake() -> Game {
    let mut game = Game::new();
    let mut grid = Grid::new(60, 12, 1).expect("the map is small");
    let water = Bounds::new(Cell::new(3, 0), 54, 11).expect("the area is small");
    grid.set_terrain_in(water, WATER).expect("the area is on the map");
    let dry = Movement::new().with_costs(CostTable::identity().with(WATER, 0));
    let rules = NavMap { costs: dry.costs().clone(), ..default() }
        .with_movement("any", Movement::new().with_costs(CostTable::uniform()))
        .with_movement("dry", dry);
    let projection = NavProjection::square(Vec2::splat(CELL), Vec2::splat(CELL / 2.0));
    game.world_mut().spawn((rules, NavGrid::new(grid), projection));
    game
}

fn is_on_water(game: &Game, unit: Entity) -> bool {
    let Cell { x, y } = game.cell_at(unit);
    (3..57).contains(&x) && y < 11
}

#[test]
fn search_that_began_before_change_of_movement_gives_no_path_to_walk() {
    for (is_body, change) in [false, true].into_iter().flat_map(|body| (1..=12).map(move |tick| (body, tick)))
    {
        let mut game = lake();
        game.budget(100);
        let unit = if is_body { game.body(1, 0, 3200.0) } else { game.agent(1, 0, 3200.0) };
        game.world_mut().entity_mut(unit).insert(AgentMovement::from("any"));
        for tick in 1..60 {
            // An order in each tick: only searches of replaced orders end.
            game.order(unit, PathRequest::to_cell((59, tick % 2)).with_algorithm(Algorithm::Dijkstra));
            if tick == change {
                game.world_mut().entity_mut(unit).insert(AgentMovement::from("dry"));
            }
            game.tick();
            if is_on_water(&game, unit) {
                // Its path may have been found before the change.
                assert!(tick < change, "body {is_body}, changed in tick {change}: on water in tick {tick}");
                break;
            }
        }
    }
}

#[test]
fn movement_changed_by_observer_stops_unit_in_same_tick() {
    for (is_body, is_removed) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut game = lake();
        let swimmer = if is_body { game.body(1, 5, 160.0) } else { game.agent(1, 5, 160.0) };
        game.world_mut().entity_mut(swimmer).insert(AgentMovement::from("any"));
        game.order_to(swimmer, 40, 5);
        game.tick_until(400, |game| game.cell_at(swimmer).x == 8);
        let bell = game.agent(0, 11, 160.0);
        game.world_mut().add_observer(move |found: On<PathFound>, mut commands: Commands| {
            let mut swimmer = commands.entity(swimmer);
            match (found.entity == bell, is_removed) {
                (false, _) => {}
                (true, true) => _ = swimmer.remove::<AgentMovement>(),
                (true, false) => _ = swimmer.insert(AgentMovement::from("dry")),
            }
        });
        game.order_to(bell, 2, 11);
        let before = game.position(swimmer);
        game.tick();
        assert!(matches!(&*game.told_of(bell), [Told::Found { .. }, ..]));
        let after = game.position(swimmer);
        if is_body {
            // A body ends the step that it has begun, and begins no other.
            game.ticks(30);
            assert!(game.position(swimmer).distance(before) < CELL, "removed {is_removed}");
        } else {
            assert_eq!(after, before, "removed {is_removed}");
        }
        game.tick_until(400, |game| !game.is_ordered(swimmer));
        assert!(matches!(game.status(swimmer), PathStatus::Failed(PathFailure::GoalBlocked { .. })));
    }
}
