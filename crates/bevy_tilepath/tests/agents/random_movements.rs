//! Random lives of units that change between five movements, on a map whose movements change, too.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy_tilepath::{
    AgentMovement, AgentPath, Cell, CostTable, Diagonals, Movement, NavGrid, NavMap, NavProjection, Obstacle,
    PathAgent, PathRequest, PathStatus, TilepathDiagnostics, TilepathSettings,
    agents::{Speed, TerrainSpeed},
    tilepath::{Direction, Grid, PathQuery, Size},
};
use rand::Rng;
use testkit::Seed;

use super::movements::{FIVE, five_movements};
use crate::harness::*;

const SIDE: i32 = 12;
const UNITS: usize = 8;

/// The stage of a unit. It sets which events may come next.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Stage {
    NoOrder,
    Asked,
    OnTheWay,
}

/// Checks that each order has one answer, and then one end of the journey.
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

/// Returns the rules by which a unit moves, or `None` if the map does not have its movement.
fn rules_of(game: &Game, map: Entity, unit: Entity) -> Option<Movement> {
    let grid = game.world().get::<NavGrid>(map).expect("the map is there");
    let asked = game.world().get::<PathRequest>(unit).and_then(PathRequest::movement);
    let id = match asked.or(game.world().get::<AgentMovement>(unit)) {
        None => grid.movement(),
        Some(movement) => grid.movement_of(movement)?,
    };
    grid.finder().movement(id).cloned()
}

/// Checks that each new path is the cheapest by the unit's own movement, and that the rest of each
/// path is allowed.
#[track_caller]
fn check_paths(game: &Game, map: Entity, units: &[Entity], told: &[(Entity, Told)], has_budget: bool) {
    let grid = game.world().get::<NavGrid>(map).expect("the map is there");
    for &unit in units {
        let Some(path) = game.world().get::<AgentPath>(unit) else { continue };
        let Some(course) = path.path() else { continue };
        let Some(rules) = rules_of(game, map, unit) else { continue };
        let is_new = told.iter().rfind(|(who, what)| *who == unit && !matches!(what, Told::Reached(_)));
        if let Some((_, Told::Found { cost, .. } | Told::Replanned { cost, .. })) = is_new {
            course.verify(grid.grid(), &rules).expect("a path holds when it is found");
            let finder = tilepath_of(grid.grid(), &rules);
            let answer = finder.solve(&PathQuery::new(course.start(), course.goal())).expect("a query");
            assert_eq!(answer.outcome.path().expect("there is a path").cost().get(), *cost);
        }
        // If work is left in the budget, no blocked path waits for its replan.
        if has_budget && game.status(unit) == PathStatus::Following {
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

/// A map, its units, and the stages of their orders.
struct Sandbox {
    game: Game,
    map: Entity,
    units: Vec<Entity>,
    obstacles: Vec<Entity>,
    lives: HashMap<Entity, Stage>,
}

fn sandbox(work_per_tick: u64) -> Sandbox {
    let mut game = Game::long_steps();
    game.insert_resource(TilepathSettings { work_per_tick });
    let grid = NavGrid::new(Grid::new(SIDE as u32, SIDE as u32, 1).expect("a small map"));
    let projection = NavProjection::square(Vec2::splat(CELL), Vec2::splat(CELL / 2.0));
    let map = game.world_mut().spawn((five_movements(NavMap::default()), grid, projection)).id();
    let units = (0..UNITS).map(|n| {
        let unit = game.agent(n as i32, 0, 200.0);
        game.world_mut().entity_mut(unit).insert(AgentMovement::from(FIVE[n % 5]));
        unit
    });
    let units = units.collect();
    Sandbox { game, map, units, obstacles: Vec::new(), lives: HashMap::new() }
}

fn movement(random: &mut impl Rng) -> AgentMovement {
    match random.random_range(0..8) {
        0 => "unheard of".into(),
        1 => {
            let size = Size::new(random.random_range(1..4)).expect("a size");
            Movement::new().with_size(size).with_costs(CostTable::uniform()).into()
        }
        n => FIVE[n % 5].into(),
    }
}

fn one_of<T: Copy>(random: &mut impl Rng, values: &[T]) -> T {
    values[random.random_range(0..values.len())]
}

impl Sandbox {
    /// Changes something about a unit or the map.
    fn deed(&mut self, random: &mut impl Rng) {
        let unit = one_of(random, &self.units);
        let cell = Cell::new(random.random_range(0..SIDE), random.random_range(0..SIDE));
        match random.random_range(0..20) {
            0..5 => self.order(unit, cell, random),
            5..7 => {
                self.game.world_mut().entity_mut(unit).insert(movement(random));
            }
            7 => {
                self.game.world_mut().entity_mut(unit).remove::<AgentMovement>();
            }
            8 => {
                if self.game.world_mut().entity_mut(unit).take::<PathRequest>().is_some() {
                    self.lives.insert(unit, Stage::NoOrder);
                }
            }
            9..15 => {
                let class = one_of(random, &[0, 0, 1, 1, 1, 3, 4]);
                self.game.set_terrain(self.map, cell.x, cell.y, class);
            }
            15 => self.change_rules(random),
            16 => {
                let at = Vec3::new(random.random_range(0.0..190.0), random.random_range(0.0..190.0), 0.0);
                self.game.world_mut().get_mut::<Transform>(unit).expect("it is there").translation = at;
            }
            17 => {
                let mut walker = self.game.world_mut().get_mut::<PathAgent>(unit).expect("it is an agent");
                walker.terrain_speed = one_of(random, &[TerrainSpeed::Constant, TerrainSpeed::ByCost]);
                walker.speed = one_of(random, &[Speed::World(200.0), Speed::Cells(12.0)]);
            }
            18 => {
                self.game.world_mut().despawn(unit);
                self.lives.remove(&unit);
                self.units.retain(|&known| known != unit);
                self.units.push(self.game.agent(0, 0, 200.0));
            }
            _ => self.build(cell, random),
        }
    }

    fn order(&mut self, unit: Entity, cell: Cell, random: &mut impl Rng) {
        let mut request = PathRequest::to_cell(cell);
        if random.random_range(0..6) == 0 {
            request = request.with_movement(movement(random));
        }
        if random.random_range(0..3) == 0 {
            request = request.or_closest();
        }
        if self.game.world().get::<PathRequest>(unit) != Some(&request) {
            self.lives.insert(unit, Stage::Asked);
        }
        self.game.world_mut().entity_mut(unit).insert(request);
    }

    fn change_rules(&mut self, random: &mut impl Rng) {
        let mut rules = self.game.world_mut().get_mut::<NavMap>(self.map).expect("the map has rules");
        let name = one_of(random, &FIVE);
        if random.random_range(0..4) == 0 {
            rules.movements.remove(name);
        } else {
            let now = Movement::new().with_diagonals(one_of(random, &Diagonals::ALL));
            rules.movements.insert(name.into(), now);
        }
    }

    fn build(&mut self, cell: Cell, random: &mut impl Rng) {
        if self.obstacles.len() > 5 {
            self.game.world_mut().despawn(self.obstacles.remove(0));
        }
        let named = FIVE.iter().filter(|_| random.random_range(0..3) == 0);
        let movements = named.map(|name| String::from(*name)).collect();
        let obstacle = Obstacle { size: Vec2::new(20.0, 3.0), movements, ..default() };
        let at = Transform::from_translation(centre(cell.x, cell.y).extend(0.0));
        self.obstacles.push(self.game.world_mut().spawn((obstacle, at)).id());
    }

    /// Checks that all orders end, and that nothing is left of them.
    #[track_caller]
    fn end(mut self) {
        for _ in 0..3000 {
            if !self.units.iter().any(|&unit| self.game.is_ordered(unit)) {
                break;
            }
            self.game.step(0.02);
            let news = self.game.told();
            check_told(&mut self.lives, &news);
        }
        for &unit in &self.units {
            assert!(!self.game.is_ordered(unit));
            let end = self.game.status(unit);
            assert!(matches!(end, PathStatus::Idle | PathStatus::Arrived | PathStatus::Failed(_)), "{end:?}");
        }
        self.game.step(0.02);
        let world = self.game.world();
        let left = *world.resource::<TilepathDiagnostics>();
        assert_eq!((left.waiting_for_map, left.queued, left.searching, left.following), (0, 0, 0, 0));
        let own = self.units.iter().filter_map(|&unit| world.get::<AgentMovement>(unit));
        let own = own.filter(|movement| matches!(movement, AgentMovement::Own(_))).count();
        let named = world.get::<NavMap>(self.map).expect("the map has rules").movements.len();
        let known = world.get::<NavGrid>(self.map).expect("the map is there").finder().movements().count();
        assert!(known <= 1 + named + own, "{known} movements are kept for {named} names and {own} units");
    }
}

#[test]
fn every_life_in_five_ways_keeps_the_rules() {
    let mut found = 0;
    for number in 0..24 {
        let mut random = Seed::named(&format!("five movements {number}")).generator();
        let work_per_tick = if number % 3 == 0 { random.random_range(1..200) } else { 1_000_000 };
        let mut sandbox = sandbox(work_per_tick);
        for _ in 0..250 {
            sandbox.deed(&mut random);
            for _ in 0..random.random_range(1..6) {
                sandbox.game.step(0.02);
                let news = sandbox.game.told();
                check_told(&mut sandbox.lives, &news);
                found += news.iter().filter(|(_, what)| matches!(what, Told::Replanned { .. })).count();
                check_paths(&sandbox.game, sandbox.map, &sandbox.units, &news, work_per_tick == 1_000_000);
            }
        }
        sandbox.end();
    }
    assert!(found > 150, "{found}");
}
