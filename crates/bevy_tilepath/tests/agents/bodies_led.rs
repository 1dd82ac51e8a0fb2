//! Many bodies with orders to the same goals. A field leads them, and their paths follow the field.

use std::collections::BTreeMap;

use bevy::prelude::*;
use bevy_tilepath::{
    AgentPath, Body, Cell, Diagonals, NavGrid, PathRequest, TilepathDiagnostics, entries_kept,
    tilepath::{Grid, MovementId, field::FlowField},
};
use rand::Rng;
use testkit::Seed;

use super::bodies::{NEAR, least_distance};
use crate::harness::*;

const SIDE: u32 = 48;

/// The number of bodies: enough that fields lead them on the map of these tests.
const BODIES: usize = 80;

const TARGETS: [Cell; 2] = [Cell::new(8, 40), Cell::new(40, 8)];

struct Sandbox {
    game: Game,
    map: Entity,
    bodies: Vec<Entity>,
}

impl Sandbox {
    /// Spawns bodies in two corners. Each half walks to the other corner.
    fn new(walls_of_ten: u32, seed: &str) -> Self {
        let random = &mut Seed::named(seed).generator();
        let mut game = Game::new();
        let is_corner = |x: u32, y: u32| {
            [(8, 40), (40, 8)].iter().any(|&(cx, cy)| x.abs_diff(cx).max(y.abs_diff(cy)) <= 7)
        };
        let class =
            |slot: u32, roll: u32| u8::from(is_corner(slot % SIDE, slot / SIDE) || roll >= walls_of_ten);
        let classes = (0..SIDE * SIDE).map(|slot| class(slot, random.random_range(0..10))).collect();
        let grid = Grid::from_classes(SIDE, SIDE, classes).expect("a small map");
        let map = game.map_of(grid, Diagonals::default());
        let start = |number: i32| {
            let (half, place) = (number % 2, number / 2);
            let corner = TARGETS[half as usize];
            (corner.x - 3 + place % 7, corner.y - 3 + place / 7)
        };
        let bodies = (0..BODIES as i32).map(|number| {
            let (x, y) = start(number);
            game.body(x, y, 96.0)
        });
        let bodies: Vec<Entity> = bodies.collect();
        for (number, &body) in bodies.iter().enumerate() {
            let request = PathRequest::to_cell(TARGETS[1 - number % 2]);
            game.world_mut().entity_mut(body).insert(request);
        }
        Self { game, map, bodies }
    }

    fn grid(&self) -> &NavGrid {
        self.game.world().get::<NavGrid>(self.map).expect("the map stays")
    }

    /// Returns the field of costs to each target.
    fn fields(&self) -> [FlowField; 2] {
        let finder = self.grid().finder();
        TARGETS.map(|target| finder.field(&[target]).expect("it is on the map"))
    }

    fn are_ordered(&self) -> bool {
        self.bodies.iter().any(|&body| self.game.is_ordered(body))
    }

    #[track_caller]
    fn tick_apart(&mut self) {
        self.game.tick();
        let least = least_distance(&self.game, &self.bodies);
        assert!(least > NEAR, "{least} cells apart");
    }
}

#[test]
fn paths_of_led_bodies_are_cheapest_ways_to_where_they_end() {
    let mut sandbox = Sandbox::new(2, "led");
    let fields = sandbox.fields();
    let (mut starts, mut led_anew, mut ticks) = (BTreeMap::new(), 0, 0);
    while sandbox.are_ordered() {
        sandbox.tick_apart();
        let told = sandbox.game.told();
        for (number, &body) in sandbox.bodies.iter().enumerate() {
            let replanned = told.iter().any(|(who, what)| {
                *who == body && matches!(what, Told::Found { .. } | Told::Replanned { .. })
            });
            let Some(path) = sandbox.game.world().get::<AgentPath>(body) else { continue };
            let course = path.path().expect("over cells");
            let before = starts.insert(body, course.start());
            if before.is_none_or(|before| before == course.start()) || replanned {
                continue;
            }
            led_anew += 1;
            let grid = sandbox.grid();
            let rules = grid.finder().movement(MovementId::FIRST).expect("that of the map");
            assert_eq!(course.verify(grid.grid(), rules), Ok(()));
            assert_eq!(course.lower_bound(), course.cost());
            assert_eq!(fields[1 - number % 2].cost(course.start()), Some(course.cost()));
        }
        for (who, what) in told {
            if let Told::Arrived(cell) = what {
                assert_eq!(cell, sandbox.game.cell_at(who));
            }
        }
        ticks += 1;
        assert!(ticks < 3000, "{} of {BODIES} have arrived", sandbox.game.body_news().arrived.len());
    }
    assert!(led_anew > 0, "the field led no body off its path");
    assert_eq!(sandbox.game.body_news().arrived.len(), BODIES);
}

#[test]
fn led_bodies_arrive_while_walls_go_up_and_down_alike_each_time() {
    let life = || {
        let mut sandbox = Sandbox::new(1, "led among edits");
        let random = &mut Seed::named("walls").generator();
        let (mut walls, mut trace): (Vec<Cell>, Vec<u32>) = (Vec::new(), Vec::new());
        for number in 0..3000 {
            if number < 400 && number % 4 == 0 {
                let mut cell = || random.random_range(12..36);
                let cell = Cell::new(cell(), cell());
                if sandbox.grid().grid().terrain(cell) == Some(1) {
                    sandbox.game.set_terrain(sandbox.map, cell.x, cell.y, 0);
                    walls.push(cell);
                }
                if walls.len() > 12 {
                    let Cell { x, y } = walls.remove(0);
                    sandbox.game.set_terrain(sandbox.map, x, y, 1);
                }
            }
            sandbox.tick_apart();
            trace.extend(
                sandbox
                    .bodies
                    .iter()
                    .flat_map(|&body| sandbox.game.position(body).to_array().map(f32::to_bits)),
            );
            if !sandbox.are_ordered() {
                break;
            }
        }
        let heard = sandbox.game.body_news();
        assert_eq!((heard.arrived.len(), heard.lost.len()), (BODIES, 0));
        trace
    };
    assert!(life() == life(), "positions differ");
}

#[test]
fn a_field_that_leads_bodies_answers_orders_to_its_goals() {
    let mut sandbox = Sandbox::new(2, "led");
    // Without the bodies, the field of the first orders would be dropped after this time.
    sandbox.game.ticks(100);
    let late = sandbox.game.agent(24, 24, 96.0);
    sandbox.game.set_terrain(sandbox.map, 24, 24, 1);
    sandbox.game.tick();
    sandbox.game.world_mut().entity_mut(late).insert(PathRequest::to_cell(TARGETS[0]));
    sandbox.game.tick();
    assert_eq!(sandbox.game.world().resource::<TilepathDiagnostics>().searches, 0);
    let found = sandbox.game.path(late);
    let course = found.path().expect("over cells");
    assert!(course.steps() > 0);
    assert_eq!(found.statistics().expanded, 0);
    assert_eq!(sandbox.fields()[0].cost(course.start()), Some(course.cost()));
}

#[test]
fn few_bodies_and_agents_that_are_none_go_by_their_own_ways() {
    let mut sandbox = Sandbox::new(2, "led");
    for &body in &sandbox.bodies[8..] {
        sandbox.game.world_mut().entity_mut(body).remove::<Body>();
    }
    sandbox.game.ticks(100);
    let late = sandbox.game.agent(8, 8, 96.0);
    sandbox.game.set_terrain(sandbox.map, 8, 8, 1);
    sandbox.game.tick();
    sandbox.game.world_mut().entity_mut(late).insert(PathRequest::to_cell(TARGETS[0]));
    sandbox.game.tick();
    assert_eq!(sandbox.game.world().resource::<TilepathDiagnostics>().searches, 1);
}

#[test]
fn nothing_is_kept_of_led_bodies_that_are_gone() {
    let mut sandbox = Sandbox::new(2, "led");
    sandbox.game.ticks(40);
    for entity in sandbox.bodies.iter().copied().chain([sandbox.map]) {
        sandbox.game.world_mut().despawn(entity);
    }
    sandbox.game.tick();
    assert_eq!(entries_kept(sandbox.game.world()), 0);
}
