//! Previews: a query returns the path that an order would walk.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_tilepath::{
    AgentMovement, AgentPath, Body, Cell, Cost, CostTable, Movement, NavGrid, NavMap, NavProjection,
    NavQuery, Obstacle, OnMap, Path, PathAgent, PathFailure, PathGoal, PathRequest, Place,
    agents::PathLeg,
    doors::{Door, DoorEnd},
    events::PathFailed,
    queries::{NavRoute, NavWhatIf},
    sync_maps_now,
    tilepath::format::parse_ascii,
};

use crate::harness::Game;

const HALL: &str = "
    .......
    .......
    .1###..
    .9...4.
    .1###..
";

const CELLAR: &str = "
    ....
    .##.
    ....
";

/// Two maps with a door for all and a cheaper door for boats, a chest, and a walker in the hall.
struct Scene {
    game: Game,
    hall: Entity,
    cellar: Entity,
    doors: [Entity; 2],
    chest: Entity,
    guard: Entity,
}

fn map(game: &mut Game, picture: &str, corner: Vec2) -> Entity {
    let boat = Movement::new().with_costs(CostTable::default().with(9, 1));
    game.world_mut()
        .spawn((
            NavMap::default().with_movement("boat", boat),
            NavGrid::new(parse_ascii(picture).expect("the picture is a map")),
            NavProjection::square(Vec2::ONE, corner),
        ))
        .id()
}

fn scene() -> Scene {
    let mut game = Game::new();
    let (hall, cellar) = (map(&mut game, HALL, Vec2::ZERO), map(&mut game, CELLAR, Vec2::new(50.0, 0.0)));
    let world = game.world_mut();
    let stairs = Door::new(DoorEnd::cell(hall, Cell::new(6, 3)), DoorEnd::cell(cellar, Cell::new(0, 0)))
        .with_cost(2.0);
    let canal = Door::new(DoorEnd::cell(hall, Cell::new(0, 3)), DoorEnd::cell(cellar, Cell::new(3, 2)))
        .opens_for(["boat"]);
    let doors = [world.spawn(stairs).id(), world.spawn(canal).id()];
    let mut chest = world
        .spawn((Obstacle { size: Vec2::new(1.5, 0.5), ..default() }, Transform::from_xyz(3.5, 3.0, 0.0)));
    let chest = chest.insert(OnMap(hall)).id();
    let guard = world.spawn((Transform::from_xyz(3.0, 1.0, 0.0), OnMap(hall))).id();
    Scene { game, hall, cellar, doors, chest, guard }
}

#[derive(Resource, Default)]
struct Failed(Option<PathFailure>);

/// The answer to an order: its points, its cost in the world, whether it ends short, and the chosen
/// goal.
type Walk = (Vec<Vec2>, f64, bool, usize);

fn walked(path: &AgentPath) -> Walk {
    (path.points().to_vec(), path.route_cost(), path.is_partial(), path.chosen())
}

fn shown(route: &NavRoute) -> Walk {
    (route.points().to_vec(), route.cost(), route.is_partial(), route.chosen())
}

impl Scene {
    fn ask<T: 'static>(&mut self, question: impl FnOnce(&NavQuery) -> T + Send + Sync + 'static) -> T {
        let mut question = Some(question);
        let world = self.game.world_mut();
        let answer = world.run_system_once(move |nav: NavQuery| question.take().map(|ask| ask(&nav)));
        answer.expect("the system runs").expect("it runs once")
    }

    /// Returns the answer that an order gets in the next tick, for a unit in the south-west of the
    /// hall.
    fn ordered(
        &mut self,
        order: &PathRequest,
        movement: Option<&str>,
        is_body: bool,
    ) -> Result<Walk, PathFailure> {
        self.game.init_resource::<Failed>();
        self.game.world_mut().resource_mut::<Failed>().0 = None;
        self.game.add_observer(|on: On<PathFailed>, mut failed: ResMut<Failed>| failed.0 = Some(on.reason));
        let world = self.game.world_mut();
        let mut unit = world.spawn((PathAgent { speed: 0.0.into(), ..default() }, order.clone()));
        unit.insert((Transform::default(), OnMap(self.hall)));
        if let Some(movement) = movement {
            unit.insert(AgentMovement::from(movement));
        }
        if is_body {
            unit.insert(Body::default());
        }
        let unit = unit.id();
        self.game.tick();
        let world = self.game.world_mut();
        let answer = match world.get::<AgentPath>(unit) {
            Some(path) => Ok(walked(path)),
            None => Err(world.resource::<Failed>().0.expect("the order is answered in its first tick")),
        };
        world.despawn(unit);
        answer
    }

    fn asked(&mut self, order: PathRequest, movement: Option<&str>) -> Result<Walk, PathFailure> {
        let (hall, movement) = (self.hall, movement.map(str::to_owned));
        self.ask(move |nav| {
            let view = nav.map(hall)?;
            let view = movement.map_or(Ok(view), |movement| view.with_movement(movement))?;
            view.route(Cell::new(0, 0), &order).map(|route| shown(&route))
        })
    }
}

/// Returns orders to each kind of goal, with a name.
fn orders(scene: &Scene) -> Vec<(&'static str, PathRequest)> {
    let (chest, guard) = (scene.chest, scene.guard);
    let cells = [(6, 0), (4, 1), (2, 3)].map(Cell::from);
    vec![
        ("a cell", PathRequest::to(Cell::new(6, 1))),
        ("a position", PathRequest::to(Vec2::new(4.2, 0.9))),
        ("its own cell", PathRequest::to(Cell::new(0, 0))),
        ("a wall", PathRequest::to(Cell::new(3, 0))),
        ("near a wall", PathRequest::to(Cell::new(3, 0)).or_closest()),
        ("off the map", PathRequest::to(Cell::new(9, 9))),
        ("the nearest", PathRequest::to_nearest(cells)),
        ("an entity", PathRequest::to(PathGoal::Entity(guard))),
        ("beside an obstacle", PathRequest::to(PathGoal::beside(chest))),
        ("within", PathRequest::to(PathGoal::within(guard, 1.5))),
        ("in sight", PathRequest::to(PathGoal::in_sight(Cell::new(6, 1), 5.0))),
        ("too far to see", PathRequest::to(PathGoal::in_sight(Cell::new(6, 1), 1e6))),
        ("with a limit", PathRequest::to(Cell::new(6, 0)).with_limit(3)),
        ("another map", PathRequest::to(Cell::new(3, 0)).on_map(scene.cellar)),
        ("a wall elsewhere", PathRequest::to(Cell::new(1, 1)).on_map(scene.cellar)),
        ("by boat", PathRequest::to(Cell::new(3, 0)).on_map(scene.cellar).with_movement("boat")),
        ("by an unknown movement", PathRequest::to(Cell::new(3, 0)).with_movement("cart")),
        ("stops", PathRequest::to(Cell::new(0, 3)).then(Cell::new(6, 3))),
    ]
}

#[test]
fn preview_is_the_answer_of_the_order() {
    let mut scene = scene();
    scene.game.tick();
    let mut found = 0;
    for (name, order) in orders(&scene) {
        for movement in [None, Some("boat")] {
            let shown = scene.asked(order.clone(), movement);
            for is_body in [false, true] {
                let walked = scene.ordered(&order, movement, is_body);
                assert_eq!(shown, walked, "{name} {movement:?}, body: {is_body}");
            }
            found += usize::from(shown.is_ok());
        }
    }
    assert_eq!(found, 24, "all other previews fail for the same reason as the order");
}

#[test]
fn preview_passes_the_door_that_the_movement_may_pass() {
    let mut scene = scene();
    scene.game.tick();
    let (hall, cellar, doors) = (scene.hall, scene.cellar, scene.doors);
    let order = PathRequest::to(Cell::new(3, 0)).on_map(cellar);
    let passed = scene.ask(move |nav| {
        let view = nav.map(hall).expect("it is a map");
        [view, view.with_movement("boat").expect("the map knows boats")].map(|view| {
            let route = view.route(Cell::new(0, 0), &order).expect("there is a path");
            assert_eq!(route.path(), None, "the route leads over two maps");
            assert_eq!(route.legs().iter().map(PathLeg::map).collect::<Vec<_>>(), [hall, cellar]);
            route.legs()[1].door()
        })
    });
    assert_eq!(passed, doors.map(Some));
}

#[test]
fn preview_before_the_first_tick_knows_doors_and_obstacles_after_a_sync() {
    let mut scene = scene();
    sync_maps_now(scene.game.world_mut()).expect("the plugin is there");
    for order in [
        PathRequest::to(Cell::new(3, 0)).on_map(scene.cellar),
        PathRequest::to(PathGoal::beside(Cell::new(3, 3))),
    ] {
        let shown = scene.asked(order.clone(), None);
        assert!(shown.is_ok());
        assert_eq!(shown, scene.ordered(&order, None, false));
    }
}

#[test]
fn find_goal_stays_on_its_map() {
    let mut scene = scene();
    scene.game.tick();
    let (hall, guard) = (scene.hall, scene.guard);
    scene.ask(move |nav| {
        let view = nav.map(hall).expect("it is a map");
        let elsewhere = view.find_goal(Cell::new(0, 0), "gate");
        assert_eq!(elsewhere.map(|_| ()), Err(PathFailure::UnknownWaypoint));
        let beside = view.find_goal(Cell::new(0, 0), PathGoal::beside(guard)).expect("it can be reached");
        assert_eq!(beside.path().map(Path::goal), Some(Cell::new(2, 1)));
        let flight = PathGoal::flee([guard], 3.0, Cost::new(300));
        let away = view.find_goal(Cell::new(2, 1), flight).expect("it can flee");
        assert!(!away.is_partial() && away.path().is_some_and(|path| path.steps() > 0), "{away:?}");
        let unnamed: Result<_, PathFailure> = view.find_goal(Place::Cell(Cell::new(-1, 0)), Cell::new(0, 0));
        assert!(matches!(unnamed, Err(PathFailure::StartOutOfBounds { .. })));
    });
}

#[test]
fn supposed_walls_are_walked_around_and_doors_are_not_passed() {
    let mut scene = scene();
    scene.game.tick();
    let (hall, cellar) = (scene.hall, scene.cellar);
    let world = scene.game.world_mut();
    let answers = world.run_system_once(move |nav: NavQuery, mut what_if: Local<NavWhatIf>| {
        let view = nav.map(hall).expect("it is a map");
        let (start, goal) = (Cell::new(2, 1), Cell::new(5, 1));
        let cost = |route: Result<NavRoute, PathFailure>| route.expect("there is a path").cost();
        let open = cost(view.find_goal(start, goal));
        let supposed = what_if.with_closed(view, [Cell::new(3, 1)]);
        let walled = cost(supposed.route(start, &PathRequest::to(goal)));
        let through = supposed.route(start, &PathRequest::to(Cell::new(3, 0)).on_map(cellar));
        (open, walled, through.map(|_| ()))
    });
    let (open, walled, through) = answers.expect("the system runs");
    assert!(walled > open + 3.0, "{open} {walled}");
    assert_eq!(through, Err(PathFailure::TargetElsewhere));
}

#[test]
fn sight_is_that_of_orders() {
    let mut scene = scene();
    scene.game.tick();
    let hall = scene.hall;
    scene.ask(move |nav| {
        let view = nav.map(hall).expect("it is a map");
        let cells: Vec<Cell> = view.grid().bounds().cells().collect();
        let mut pairs = 0;
        for &from in &cells {
            let seen = view.cells_in_sight(from, 4.0).expect("it is on the map");
            let by_pairs: Vec<Cell> =
                cells.iter().copied().filter(|&to| view.sees(from, to, 4.0) == Ok(true)).collect();
            assert_eq!(seen, by_pairs, "{from}");
            pairs += seen.len();
            for &to in &seen {
                let order = PathGoal::in_sight(to, 4.0);
                let route = view.find_goal(from, order);
                let is_open = view.find(from, from).is_ok();
                assert!(
                    !is_open || route.is_ok_and(|route| route.path().is_some_and(|path| path.steps() == 0)),
                    "the unit at {from} sees {to}, so it needs no step"
                );
            }
        }
        assert!(pairs > 200, "{pairs}");
        assert_eq!(view.sees(Cell::new(0, 0), Cell::new(0, 1), f32::NAN), Err(PathFailure::InvalidDistance));
        assert!(matches!(
            view.cells_in_sight(Cell::new(7, 0), 2.0),
            Err(PathFailure::StartOutOfBounds { .. })
        ));
    });
}
