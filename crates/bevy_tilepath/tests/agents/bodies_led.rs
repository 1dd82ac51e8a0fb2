//! Bodies that many go to the same goals: a field leads them, and their paths follow.

use std::collections::BTreeMap;

use bevy::prelude::*;
use bevy_tilepath::{
    AgentPath, Body, Cell, Diagonals, NavGrid, PathRequest, TilepathDiagnostics, entries_kept,
    tilepath::{Grid, MovementId, field::FlowField},
};
use rand::Rng;
use testkit::Seed;

use super::{
    bodies::{NEAR, body, body_app, cell_at, heard, least_distance},
    fixtures::*,
};
use crate::harness::tick;

const SIDE: u32 = 48;

/// More than the number from which fields lead them on the map of these tests.
const BODIES: usize = 80;

const TARGETS: [Cell; 2] = [Cell::new(8, 40), Cell::new(40, 8)];

struct Game {
    app: App,
    map: Entity,
    bodies: Vec<Entity>,
}

impl Game {
    /// Bodies in two corners, each half on its way to the other one.
    fn new(walls_of_ten: u32, seed: &str) -> Self {
        let random = &mut Seed::named(seed).generator();
        let mut app = body_app();
        let is_corner = |x: u32, y: u32| {
            [(8, 40), (40, 8)].iter().any(|&(cx, cy)| x.abs_diff(cx).max(y.abs_diff(cy)) <= 7)
        };
        let class =
            |slot: u32, roll: u32| u8::from(is_corner(slot % SIDE, slot / SIDE) || roll >= walls_of_ten);
        let classes = (0..SIDE * SIDE).map(|slot| class(slot, random.random_range(0..10))).collect();
        let grid = Grid::from_classes(SIDE, SIDE, classes).expect("a small map");
        let map = map_of(&mut app, grid, Diagonals::default());
        let start = |number: i32| {
            let (half, place) = (number % 2, number / 2);
            let corner = TARGETS[half as usize];
            (corner.x - 3 + place % 7, corner.y - 3 + place / 7)
        };
        let bodies = (0..BODIES as i32).map(|number| {
            let (x, y) = start(number);
            body(&mut app, x, y, 96.0)
        });
        let bodies: Vec<Entity> = bodies.collect();
        for (number, &body) in bodies.iter().enumerate() {
            let request = PathRequest::to_cell(TARGETS[1 - number % 2]);
            app.world_mut().entity_mut(body).insert(request);
        }
        Self { app, map, bodies }
    }

    fn grid(&self) -> &NavGrid {
        self.app.world().get::<NavGrid>(self.map).expect("the map stays")
    }

    /// What the ways to each target cost.
    fn fields(&self) -> [FlowField; 2] {
        let finder = self.grid().finder();
        TARGETS.map(|target| finder.field(&[target]).expect("it is on the map"))
    }

    fn are_ordered(&self) -> bool {
        self.bodies.iter().any(|&body| is_ordered(&self.app, body))
    }

    #[track_caller]
    fn tick_apart(&mut self) {
        tick(&mut self.app);
        let least = least_distance(&self.app, &self.bodies);
        assert!(least > NEAR, "{least} cells apart");
    }
}

#[test]
fn paths_of_led_bodies_are_cheapest_ways_to_where_they_end() {
    let mut game = Game::new(2, "led");
    let fields = game.fields();
    let (mut starts, mut led_anew, mut ticks) = (BTreeMap::new(), 0, 0);
    while game.are_ordered() {
        game.tick_apart();
        let told = told(&mut game.app);
        for (number, &body) in game.bodies.iter().enumerate() {
            let replanned = told.iter().any(|(who, what)| {
                *who == body && matches!(what, Told::Found { .. } | Told::Replanned { .. })
            });
            let Some(path) = game.app.world().get::<AgentPath>(body) else { continue };
            let course = path.path().expect("over cells");
            let before = starts.insert(body, course.start());
            if before.is_none_or(|before| before == course.start()) || replanned {
                continue;
            }
            led_anew += 1;
            let grid = game.grid();
            let rules = grid.finder().movement(MovementId::FIRST).expect("that of the map");
            assert_eq!(course.verify(grid.grid(), rules), Ok(()));
            assert_eq!(course.lower_bound(), course.cost());
            assert_eq!(fields[1 - number % 2].cost(course.start()), Some(course.cost()));
        }
        for (who, what) in told {
            if let Told::Arrived(cell) = what {
                assert_eq!(cell, cell_at(&game.app, who));
            }
        }
        ticks += 1;
        assert!(ticks < 3000, "{} of {BODIES} have arrived", heard(&game.app).arrived.len());
    }
    assert!(led_anew > 0, "none was led off its way");
    assert_eq!(heard(&game.app).arrived.len(), BODIES);
}

#[test]
fn led_bodies_arrive_while_walls_go_up_and_down_alike_each_time() {
    let life = || {
        let mut game = Game::new(1, "led among edits");
        let random = &mut Seed::named("walls").generator();
        let (mut walls, mut trace): (Vec<Cell>, Vec<u32>) = (Vec::new(), Vec::new());
        for number in 0..3000 {
            if number < 400 && number % 4 == 0 {
                let mut cell = || random.random_range(12..36);
                let cell = Cell::new(cell(), cell());
                if game.grid().grid().terrain(cell) == Some(1) {
                    set_terrain(&mut game.app, game.map, cell.x, cell.y, 0);
                    walls.push(cell);
                }
                if walls.len() > 12 {
                    let Cell { x, y } = walls.remove(0);
                    set_terrain(&mut game.app, game.map, x, y, 1);
                }
            }
            game.tick_apart();
            trace.extend(
                game.bodies.iter().flat_map(|&body| position(&game.app, body).to_array().map(f32::to_bits)),
            );
            if !game.are_ordered() {
                break;
            }
        }
        let heard = heard(&game.app);
        assert_eq!((heard.arrived.len(), heard.lost.len()), (BODIES, 0));
        trace
    };
    assert!(life() == life(), "positions differ");
}

#[test]
fn a_field_that_leads_bodies_answers_orders_to_its_goals() {
    let mut game = Game::new(2, "led");
    // The field that answered the first orders, because they were many, would be gone by now.
    for _ in 0..100 {
        tick(&mut game.app);
    }
    let late = agent(&mut game.app, 24, 24, 96.0);
    set_terrain(&mut game.app, game.map, 24, 24, 1);
    tick(&mut game.app);
    game.app.world_mut().entity_mut(late).insert(PathRequest::to_cell(TARGETS[0]));
    tick(&mut game.app);
    assert_eq!(game.app.world().resource::<TilepathDiagnostics>().searches, 0);
    let found = path(&game.app, late);
    let course = found.path().expect("over cells");
    assert!(course.steps() > 0);
    assert_eq!(found.statistics().expanded, 0);
    assert_eq!(game.fields()[0].cost(course.start()), Some(course.cost()));
}

#[test]
fn few_bodies_and_agents_that_are_none_go_by_their_own_ways() {
    let mut game = Game::new(2, "led");
    for &body in &game.bodies[8..] {
        game.app.world_mut().entity_mut(body).remove::<Body>();
    }
    for _ in 0..100 {
        tick(&mut game.app);
    }
    let late = agent(&mut game.app, 8, 8, 96.0);
    set_terrain(&mut game.app, game.map, 8, 8, 1);
    tick(&mut game.app);
    game.app.world_mut().entity_mut(late).insert(PathRequest::to_cell(TARGETS[0]));
    tick(&mut game.app);
    assert_eq!(game.app.world().resource::<TilepathDiagnostics>().searches, 1);
}

#[test]
fn nothing_is_kept_of_led_bodies_that_are_gone() {
    let mut game = Game::new(2, "led");
    for _ in 0..40 {
        tick(&mut game.app);
    }
    for entity in game.bodies.iter().copied().chain([game.map]) {
        game.app.world_mut().despawn(entity);
    }
    tick(&mut game.app);
    assert_eq!(entries_kept(game.app.world()), 0);
}
