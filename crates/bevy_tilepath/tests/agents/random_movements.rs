//! Random lives of units that move in five ways, change them, and on whose map the names change their meaning.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy_tilepath::{
    AgentMovement, AgentPath, Cell, CostTable, Diagonals, Movement, NavGrid, NavMap, NavProjection, Obstacle,
    PathAgent, PathRequest, PathStatus, Speed, TerrainSpeed, TilepathDiagnostics, TilepathSettings,
    tilepath::{Direction, Grid, PathQuery, Size},
};
use rand::Rng;
use testkit::Seed;

use super::{
    fixtures::*,
    movements::{FIVE, five_movements},
};

const SIDE: i32 = 12;
const UNITS: usize = 8;

/// What may be told next about a unit.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Stage {
    NoOrder,
    Asked,
    OnTheWay,
}

/// An answer is told once, and then the end of the journey.
#[track_caller]
fn check_told(lives: &mut HashMap<Entity, Stage>, told: &[(Entity, Told)]) {
    for (who, what) in told {
        let stage = lives.entry(*who).or_insert(Stage::NoOrder);
        let answers = matches!(what, Told::Found { .. } | Told::Failed(_));
        assert_eq!(*stage, if answers { Stage::Asked } else { Stage::OnTheWay }, "{what:?}");
        *stage = match what {
            Told::Failed(_) | Told::Arrived(_) | Told::Lost(_) => Stage::NoOrder,
            _ => Stage::OnTheWay,
        };
    }
}

/// By which a unit moves, with the obstacles that are some to it.
fn rules_of(app: &App, map: Entity, unit: Entity) -> Option<Movement> {
    let grid = app.world().get::<NavGrid>(map).expect("the map is there");
    let asked = app.world().get::<PathRequest>(unit).and_then(PathRequest::movement);
    let id = match asked.or(app.world().get::<AgentMovement>(unit)) {
        None => grid.movement(),
        Some(movement) => grid.movement_of(movement)?,
    };
    grid.finder().movement(id).cloned()
}

/// What was found in this step is the cheapest by the unit's own movement, and what is walked is allowed by it.
#[track_caller]
fn check_paths(app: &App, map: Entity, units: &[Entity], told: &[(Entity, Told)], has_budget: bool) {
    let grid = app.world().get::<NavGrid>(map).expect("the map is there");
    for &unit in units {
        let Some(path) = app.world().get::<AgentPath>(unit) else { continue };
        let Some(course) = path.path() else { continue };
        let Some(rules) = rules_of(app, map, unit) else { continue };
        let is_new = told.iter().rfind(|(who, what)| *who == unit && !matches!(what, Told::Reached(_)));
        if let Some((_, Told::Found { cost, .. } | Told::Replanned { cost, .. })) = is_new {
            course.verify(grid.grid(), &rules).expect("a path holds when it is found");
            let finder = tilepath_of(grid.grid(), &rules);
            let answer = finder.solve(&PathQuery::new(course.start(), course.goal())).expect("a query");
            assert_eq!(answer.outcome.path().expect("there is a way").cost().get(), *cost);
        }
        // With work left to do, nothing that is blocked waits.
        if has_budget && status(app, unit) == PathStatus::Following {
            let cells = course.cells();
            let ahead = cells.len() - path.remaining_cells().len();
            for index in ahead.max(1)..cells.len() {
                let direction = Direction::between(cells[index - 1], cells[index]).expect("neighbours");
                let cost = rules.step_cost_since(grid.grid(), course.start(), cells[index - 1], direction);
                assert!(cost.is_some(), "{} is not open to {rules:?}", cells[index]);
            }
        }
    }
}

fn tilepath_of(grid: &Grid, rules: &Movement) -> bevy_tilepath::tilepath::PathFinder {
    bevy_tilepath::tilepath::PathFinder::new(grid.clone(), rules.clone())
}

#[test]
fn every_life_in_five_ways_keeps_the_rules() {
    let (mut found, mut changed) = (0, 0);
    for number in 0..24 {
        let mut random = Seed::named(&format!("five movements {number}")).generator();
        let mut app = long_step_app();
        let work_per_tick = if number % 3 == 0 { random.random_range(1..200) } else { 1_000_000 };
        app.insert_resource(TilepathSettings { work_per_tick });
        let grid = NavGrid::new(Grid::new(SIDE as u32, SIDE as u32, 1).unwrap());
        let projection = NavProjection::square(Vec2::splat(CELL), Vec2::splat(CELL / 2.0));
        let map = app.world_mut().spawn((five_movements(NavMap::default()), grid, projection)).id();
        let mut units: Vec<Entity> = Vec::new();
        let mut lives = HashMap::new();
        let mut obstacles: Vec<Entity> = Vec::new();
        for n in 0..UNITS {
            let unit = agent(&mut app, n as i32, 0, 200.0);
            app.world_mut().entity_mut(unit).insert(AgentMovement::from(FIVE[n % 5]));
            units.push(unit);
        }
        let movement = |random: &mut dyn rand::RngCore| -> AgentMovement {
            match random.random_range(0..8) {
                0 => "unheard of".into(),
                1 => Movement::new()
                    .with_size(Size::new(random.random_range(1..4)).unwrap())
                    .with_costs(CostTable::uniform())
                    .into(),
                n => FIVE[n % 5].into(),
            }
        };
        for _ in 0..250 {
            let unit = units[random.random_range(0..UNITS)];
            let cell = Cell::new(random.random_range(0..SIDE), random.random_range(0..SIDE));
            match random.random_range(0..20) {
                0..5 => {
                    let mut request = PathRequest::to_cell(cell);
                    if random.random_range(0..6) == 0 {
                        request = request.with_movement(movement(&mut random));
                    }
                    if random.random_range(0..3) == 0 {
                        request = request.or_closest();
                    }
                    if app.world().get::<PathRequest>(unit) != Some(&request) {
                        lives.insert(unit, Stage::Asked);
                    }
                    app.world_mut().entity_mut(unit).insert(request);
                }
                5..7 => {
                    app.world_mut().entity_mut(unit).insert(movement(&mut random));
                    changed += 1;
                }
                7 => {
                    app.world_mut().entity_mut(unit).remove::<AgentMovement>();
                }
                8 => {
                    if app.world_mut().entity_mut(unit).take::<PathRequest>().is_some() {
                        lives.insert(unit, Stage::NoOrder);
                    }
                }
                9..15 => {
                    let class = [0, 0, 1, 1, 1, 3, 4][random.random_range(0..7)];
                    set_terrain(&mut app, map, cell.x, cell.y, class);
                }
                15 => {
                    let mut rules = app.world_mut().get_mut::<NavMap>(map).unwrap();
                    let name = FIVE[random.random_range(0..5)];
                    if random.random_range(0..4) == 0 {
                        rules.movements.remove(name);
                    } else {
                        let diagonals = Diagonals::ALL[random.random_range(0..4)];
                        let rules_now = Movement::new().with_diagonals(diagonals);
                        rules.movements.insert(name.into(), rules_now);
                    }
                }
                16 => {
                    let at = Vec3::new(random.random_range(0.0..190.0), random.random_range(0.0..190.0), 0.0);
                    app.world_mut().get_mut::<Transform>(unit).unwrap().translation = at;
                }
                17 => {
                    let mut walker = app.world_mut().get_mut::<PathAgent>(unit).unwrap();
                    walker.terrain_speed =
                        [TerrainSpeed::Constant, TerrainSpeed::ByCost][random.random_range(0..2)];
                    walker.speed = [Speed::World(200.0), Speed::Cells(12.0)][random.random_range(0..2)];
                }
                18 => {
                    app.world_mut().despawn(unit);
                    lives.remove(&unit);
                    let n = units.iter().position(|&known| known == unit).unwrap();
                    units[n] = agent(&mut app, 0, 0, 200.0);
                }
                _ => {
                    if obstacles.len() > 5 {
                        app.world_mut().despawn(obstacles.remove(0));
                    }
                    let named = FIVE.iter().filter(|_| random.random_range(0..3) == 0);
                    let obstacle = Obstacle {
                        size: Vec2::new(20.0, 3.0),
                        movements: named.map(|name| String::from(*name)).collect(),
                    };
                    let at = Transform::from_translation(centre(cell.x, cell.y).extend(0.0));
                    obstacles.push(app.world_mut().spawn((obstacle, at)).id());
                }
            }
            for _ in 0..random.random_range(1..6) {
                step(&mut app, 0.02);
                let news = told(&mut app);
                check_told(&mut lives, &news);
                found += news.iter().filter(|(_, what)| matches!(what, Told::Replanned { .. })).count();
                check_paths(&app, map, &units, &news, work_per_tick == 1_000_000);
            }
        }
        // Everything comes to an end.
        for _ in 0..3000 {
            if !units.iter().any(|&unit| is_ordered(&app, unit)) {
                break;
            }
            step(&mut app, 0.02);
            let news = told(&mut app);
            check_told(&mut lives, &news);
        }
        for &unit in &units {
            assert!(!is_ordered(&app, unit));
            let end = status(&app, unit);
            assert!(matches!(end, PathStatus::Idle | PathStatus::Arrived | PathStatus::Failed(_)), "{end:?}");
        }
        step(&mut app, 0.02);
        let left = *app.world().resource::<TilepathDiagnostics>();
        assert_eq!((left.waiting_for_map, left.queued, left.searching, left.following), (0, 0, 0, 0));
        let own = units.iter().filter_map(|&unit| app.world().get::<AgentMovement>(unit));
        let own = own.filter(|movement| matches!(movement, AgentMovement::Own(_))).count();
        let named = app.world().get::<NavMap>(map).unwrap().movements.len();
        let known = app.world().get::<NavGrid>(map).unwrap().finder().movements().count();
        assert!(known <= 1 + named + own, "{known} movements are kept for {named} names and {own} units");
    }
    assert!(found > 150 && changed > 300, "{found} {changed}");
}
