//! Many orders to one far goal for which a way near the cheapest is good enough: a near field answers them.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentPath, Algorithm, Body, Cell, Diagonals, NavGrid, NavMap, PathRequest, PathStatus,
    TilepathDiagnostics, TilepathSettings, entries_kept,
    tilepath::{Grid, Movement, PathFinder, PathQuery},
};
use rand::Rng;
use testkit::Seed;

use super::fixtures::*;
use crate::harness::tick;

const WIDE: i32 = 400;
const HIGH: i32 = 300;
const GOAL: (i32, i32) = (370, 260);

fn noise() -> Grid {
    let map = testkit::noise(WIDE as u32, HIGH as u32, 9, 10, &Seed::named("near fields"));
    let mut grid = Grid::from_classes(map.width, map.height, map.classes).expect("it is small");
    grid.set_terrain(Cell::from(GOAL), 1).expect("it is on the map");
    grid
}

/// Cells around a camp from which a way leads to the goal.
fn camp(grid: &Grid, corner: (i32, i32), count: usize) -> Vec<Cell> {
    let finder = PathFinder::new(grid.clone(), Movement::new());
    (0..30)
        .flat_map(|y| (0..30).map(move |x| Cell::from(corner) + (x, y)))
        .filter(|&cell| grid.terrain(cell).is_some_and(|class| class > 0))
        .filter(|&cell| {
            finder.is_reachable(&PathQuery::new(cell, Cell::from(GOAL))).expect("it is on the map")
        })
        .step_by(3)
        .take(count)
        .collect()
}

fn near() -> PathRequest {
    PathRequest::to_cell(Cell::from(GOAL)).with_algorithm(Algorithm::Near)
}

/// An app in which all of a camp have such an order; the agents.
fn camp_app(
    cells: &[Cell],
    order: &PathRequest,
    speed: f32,
    work_per_tick: u64,
) -> (App, Entity, Vec<Entity>) {
    let mut app = app();
    let map = map_of(&mut app, noise(), Diagonals::default());
    app.insert_resource(TilepathSettings { work_per_tick });
    let agents = cells.iter().map(|cell| {
        let agent = agent(&mut app, cell.x, cell.y, speed);
        app.world_mut().entity_mut(agent).insert(order.clone());
        agent
    });
    let agents = agents.collect();
    (app, map, agents)
}

/// Whether a field was read for it: nothing was searched for it alone.
fn is_read(path: &AgentPath) -> bool {
    path.statistics().expanded == 0 && path.statistics().algorithm == Algorithm::Near
}

/// Ticks until all have a way; the work that took.
fn find_all(app: &mut App, agents: &[Entity]) -> u64 {
    let mut work = 0;
    for _ in 0..5_000 {
        tick(app);
        work += app.world().resource::<TilepathDiagnostics>().work;
        if agents.iter().all(|&agent| app.world().get::<AgentPath>(agent).is_some()) {
            return work;
        }
    }
    panic!("not all have a way");
}

#[test]
fn a_camp_shares_a_field_and_each_way_is_near_the_cheapest() {
    let cells = camp(&noise(), (15, 12), 40);
    let (mut app, map, agents) = camp_app(&cells, &near(), 0.0, 4_000);
    let work = find_all(&mut app, &agents);
    let grid = app.world().get::<NavGrid>(map).expect("it is there");
    let mut read = 0;
    for (&agent, &cell) in agents.iter().zip(&cells) {
        let path = path(&app, agent);
        let course = path.path().expect("it leads over cells");
        assert_eq!((course.start(), path.is_partial()), (cell, false));
        assert_eq!(course.verify(grid.grid(), &Movement::new()), Ok(()));
        read += usize::from(is_read(path));
        if !is_read(path) {
            continue;
        }
        assert_eq!(course.goal(), Cell::from(GOAL), "the whole way is known");
        let cheapest =
            grid.finder().find(cell, Cell::from(GOAL)).expect("a query").into_path().expect("a way");
        assert!(course.lower_bound() <= cheapest.cost() && course.cost() >= cheapest.cost());
        assert!(
            course.cost().get() * 100 <= cheapest.cost().get() * 106,
            "{:?} {:?}",
            course.cost(),
            cheapest.cost()
        );
    }
    assert!(read >= 30, "{read} of 40");

    // A limit that is never reached: such orders are searched for by themselves.
    let (mut alone, _, agents) = camp_app(&cells, &near().with_limit(u64::MAX - 1), 0.0, 4_000);
    let work_alone = find_all(&mut alone, &agents);
    assert!(work * 2 < work_alone, "{work} and {work_alone}");
}

#[test]
fn they_walk_by_it_while_walls_go_up_and_come_down() {
    let mut random = Seed::named("near fields").generator();
    let cells = camp(&noise(), (15, 12), 24);
    let (mut app, map, agents) = camp_app(&cells, &near(), 2_000.0, 2_000);
    let mut walls = Vec::new();
    let mut read = 0;
    for round in 0..3_000 {
        tick(&mut app);
        for (agent, what) in told(&mut app) {
            assert!(!matches!(what, Told::Failed(_) | Told::Lost(_)), "{agent}: {what:?}");
            if let (Told::Found { .. } | Told::Replanned { .. }, Some(path)) =
                (what, app.world().get::<AgentPath>(agent))
            {
                let grid = app.world().get::<NavGrid>(map).expect("it is there");
                let course = path.path().expect("it leads over cells");
                assert_eq!(course.verify(grid.grid(), &Movement::new()), Ok(()));
                read += usize::from(is_read(path));
            }
        }
        if round % 5 == 2 && round < 600 {
            // On the way of one of them, or anywhere; none is locked in, and the goal stays open.
            let agent = agents[random.random_range(0..agents.len())];
            let ahead =
                app.world().get::<AgentPath>(agent).and_then(|path| path.remaining_cells().get(12).copied());
            let cell =
                ahead.unwrap_or(Cell::new(random.random_range(100..300), random.random_range(100..200)));
            if cell != Cell::from(GOAL) && cell.x < 350 {
                set_terrain(&mut app, map, cell.x, cell.y, 0);
                walls.push(cell);
            }
        }
        if round % 15 == 9 && !walls.is_empty() {
            let cell = walls.swap_remove(0);
            set_terrain(&mut app, map, cell.x, cell.y, 1);
        }
        if agents.iter().all(|&agent| !is_ordered(&app, agent)) {
            break;
        }
    }
    for &agent in &agents {
        assert_eq!(
            (status(&app, agent), position(&app, agent)),
            (PathStatus::Arrived, centre(GOAL.0, GOAL.1))
        );
    }
    assert!(read >= 12, "{read}");
}

#[test]
fn bodies_and_maps_that_choose_by_themselves_have_one_too() {
    let cells = camp(&noise(), (15, 12), 30);
    for is_body in [false, true] {
        let order = PathRequest::to_cell(Cell::from(GOAL));
        let (mut app, map, agents) = camp_app(&cells, &order, 0.0, 4_000);
        app.world_mut().entity_mut(map).insert(NavMap { near_above: Some(1_000), ..default() });
        if is_body {
            for &agent in &agents {
                app.world_mut().entity_mut(agent).insert(Body::default());
            }
        }
        find_all(&mut app, &agents);
        let read = agents.iter().filter(|&&agent| is_read(path(&app, agent))).count();
        assert!(read >= 20, "{read} of 30, bodies: {is_body}");
    }
}

#[test]
fn nothing_is_kept_of_orders_that_are_gone() {
    let cells = camp(&noise(), (15, 12), 40);
    let (mut app, _, agents) = camp_app(&cells, &near(), 0.0, 1_000);
    tick(&mut app);
    let before = entries_kept(app.world());
    for _ in 0..40 {
        tick(&mut app);
    }
    for agent in agents {
        app.world_mut().despawn(agent);
    }
    for _ in 0..200 {
        tick(&mut app);
    }
    assert!(entries_kept(app.world()) < before);
}

#[test]
fn orders_that_change_while_the_map_does_are_all_answered() {
    for round in 0..4 {
        let mut random = Seed::named(&format!("near fields {round}")).generator();
        let cells = camp(&noise(), (15, 12), 36);
        let (mut app, map, mut agents) = camp_app(&cells, &near(), 600.0, 1_500);
        for _ in 0..300 {
            tick(&mut app);
            for (agent, what) in told(&mut app) {
                let Some(path) = app.world().get::<AgentPath>(agent) else { continue };
                if let (Told::Found { .. } | Told::Replanned { .. }, Some(course)) = (what, path.path()) {
                    let grid = app.world().get::<NavGrid>(map).expect("it is there");
                    assert_eq!(course.verify(grid.grid(), &Movement::new()), Ok(()));
                }
            }
            let any = agents[random.random_range(0..agents.len())];
            match random.random_range(0..12) {
                0 => {
                    // The goal closes, or opens.
                    let class = random.random_range(0..3);
                    set_terrain(&mut app, map, GOAL.0, GOAL.1, class);
                }
                1 | 2 => {
                    let (x, y) = (random.random_range(0..WIDE), random.random_range(0..HIGH));
                    set_terrain(&mut app, map, x, y, random.random_range(0..9));
                }
                3 => {
                    // Another map, of other bounds.
                    let more = random.random_range(0..3);
                    let classes =
                        testkit::noise(WIDE as u32 + more, HIGH as u32, 9, 10, &Seed::named("near fields"));
                    let mut grid = Grid::from_classes(classes.width, classes.height, classes.classes)
                        .expect("it is small");
                    grid.set_terrain(Cell::from(GOAL), 1).expect("it is on the map");
                    app.world_mut().entity_mut(map).insert(NavGrid::new(grid));
                }
                4 if agents.len() > 20 => {
                    agents.retain(|&agent| agent != any);
                    app.world_mut().despawn(any);
                }
                5 => _ = app.world_mut().entity_mut(any).insert(near().or_wait()),
                6 => _ = app.world_mut().entity_mut(any).insert(near()),
                7 => _ = app.world_mut().entity_mut(any).remove::<PathRequest>(),
                8 => {
                    let other = PathRequest::to_cell(Cell::new(GOAL.0, 20)).with_algorithm(Algorithm::Near);
                    app.world_mut().entity_mut(any).insert(other);
                }
                _ => {}
            }
        }
        set_terrain(&mut app, map, GOAL.0, GOAL.1, 1);
        run_until_quiet(&mut app, 3_000);
    }
}
