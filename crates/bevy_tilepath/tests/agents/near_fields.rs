//! Orders to one far goal that share a near field, because a path near the cheapest is enough.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentPath, Algorithm, Body, Cell, Diagonals, NavGrid, NavMap, PathRequest, PathStatus,
    TilepathDiagnostics, TilepathSettings, entries_kept,
    tilepath::{Grid, Movement, PathFinder, PathQuery},
};
use rand::Rng;
use testkit::Seed;

use crate::harness::*;

const WIDE: i32 = 400;
const HIGH: i32 = 300;
const GOAL: (i32, i32) = (370, 260);

fn noise() -> Grid {
    let map = testkit::noise(WIDE as u32, HIGH as u32, 9, 10, &Seed::named("near fields"));
    let mut grid = Grid::from_classes(map.width, map.height, map.classes).expect("it is small");
    grid.set_terrain(Cell::from(GOAL), 1).expect("it is on the map");
    grid
}

/// Returns cells of a camp. A path leads from each of them to the goal.
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

/// Spawns a game in which each agent of a camp has this order. Returns the game, the map and the
/// agents.
fn camp_game(
    cells: &[Cell],
    order: &PathRequest,
    speed: f32,
    work_per_tick: u64,
) -> (Game, Entity, Vec<Entity>) {
    let mut game = Game::new();
    let map = game.map_of(noise(), Diagonals::default());
    game.insert_resource(TilepathSettings { work_per_tick });
    let agents = cells.iter().map(|cell| {
        let agent = game.agent(cell.x, cell.y, speed);
        game.world_mut().entity_mut(agent).insert(order.clone());
        agent
    });
    let agents = agents.collect();
    (game, map, agents)
}

/// Returns whether the path was read from a field. Then no cell was expanded for this agent alone.
fn is_read(path: &AgentPath) -> bool {
    path.statistics().expanded == 0 && path.statistics().algorithm == Algorithm::Near
}

/// Ticks until each agent has a path. Returns the work of all ticks.
fn find_all(game: &mut Game, agents: &[Entity]) -> u64 {
    let mut work = 0;
    for _ in 0..5_000 {
        game.tick();
        work += game.world().resource::<TilepathDiagnostics>().work;
        if agents.iter().all(|&agent| game.world().get::<AgentPath>(agent).is_some()) {
            return work;
        }
    }
    panic!("some agents have no path");
}

#[test]
fn a_camp_shares_a_field_and_each_way_is_near_the_cheapest() {
    let cells = camp(&noise(), (15, 12), 40);
    let (mut game, map, agents) = camp_game(&cells, &near(), 0.0, 4_000);
    let work = find_all(&mut game, &agents);
    let grid = game.world().get::<NavGrid>(map).expect("it is there");
    let mut read = 0;
    for (&agent, &cell) in agents.iter().zip(&cells) {
        let path = game.path(agent);
        let course = path.path().expect("it leads over cells");
        assert_eq!((course.start(), path.is_partial()), (cell, false));
        assert_eq!(course.verify(grid.grid(), &Movement::new()), Ok(()));
        read += usize::from(is_read(path));
        if !is_read(path) {
            continue;
        }
        assert_eq!(course.goal(), Cell::from(GOAL), "the path must lead to the goal");
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

    // Orders with a limit never use a field, and this limit is never reached.
    let (mut alone, _, agents) = camp_game(&cells, &near().with_limit(u64::MAX - 1), 0.0, 4_000);
    let work_alone = find_all(&mut alone, &agents);
    assert!(work * 2 < work_alone, "{work} and {work_alone}");
}

#[test]
fn they_walk_by_it_while_walls_go_up_and_come_down() {
    let mut random = Seed::named("near fields").generator();
    let cells = camp(&noise(), (15, 12), 24);
    let (mut game, map, agents) = camp_game(&cells, &near(), 2_000.0, 2_000);
    let mut walls = Vec::new();
    let mut read = 0;
    for round in 0..3_000 {
        game.tick();
        for (agent, what) in game.told() {
            assert!(!matches!(what, Told::Failed(_) | Told::Lost(_)), "{agent}: {what:?}");
            if let (Told::Found { .. } | Told::Replanned { .. }, Some(path)) =
                (what, game.world().get::<AgentPath>(agent))
            {
                let grid = game.world().get::<NavGrid>(map).expect("it is there");
                let course = path.path().expect("it leads over cells");
                assert_eq!(course.verify(grid.grid(), &Movement::new()), Ok(()));
                read += usize::from(is_read(path));
            }
        }
        if round % 5 == 2 && round < 600 {
            // The wall is on the path of an agent, or anywhere. It locks in no agent, and the goal
            // stays open.
            let agent = agents[random.random_range(0..agents.len())];
            let ahead =
                game.world().get::<AgentPath>(agent).and_then(|path| path.remaining_cells().get(12).copied());
            let cell =
                ahead.unwrap_or(Cell::new(random.random_range(100..300), random.random_range(100..200)));
            if cell != Cell::from(GOAL) && cell.x < 350 {
                game.set_terrain(map, cell.x, cell.y, 0);
                walls.push(cell);
            }
        }
        if round % 15 == 9 && !walls.is_empty() {
            let cell = walls.swap_remove(0);
            game.set_terrain(map, cell.x, cell.y, 1);
        }
        if agents.iter().all(|&agent| !game.is_ordered(agent)) {
            break;
        }
    }
    for &agent in &agents {
        assert_eq!((game.status(agent), game.position(agent)), (PathStatus::Arrived, centre(GOAL.0, GOAL.1)));
    }
    assert!(read >= 12, "{read}");
}

#[test]
fn bodies_and_maps_that_choose_by_themselves_have_one_too() {
    let cells = camp(&noise(), (15, 12), 30);
    for is_body in [false, true] {
        let order = PathRequest::to_cell(Cell::from(GOAL));
        let (mut game, map, agents) = camp_game(&cells, &order, 0.0, 4_000);
        game.world_mut().entity_mut(map).insert(NavMap { near_above: Some(1_000), ..default() });
        if is_body {
            for &agent in &agents {
                game.world_mut().entity_mut(agent).insert(Body::default());
            }
        }
        find_all(&mut game, &agents);
        let read = agents.iter().filter(|&&agent| is_read(game.path(agent))).count();
        assert!(read >= 20, "{read} of 30, bodies: {is_body}");
    }
}

#[test]
fn nothing_is_kept_of_orders_that_are_gone() {
    let cells = camp(&noise(), (15, 12), 40);
    let (mut game, _, agents) = camp_game(&cells, &near(), 0.0, 1_000);
    game.tick();
    let before = entries_kept(game.world());
    game.ticks(40);
    for agent in agents {
        game.world_mut().despawn(agent);
    }
    game.ticks(200);
    assert!(entries_kept(game.world()) < before);
}

#[test]
fn orders_that_change_while_the_map_does_are_all_answered() {
    for round in 0..4 {
        let mut random = Seed::named(&format!("near fields {round}")).generator();
        let cells = camp(&noise(), (15, 12), 36);
        let (mut game, map, mut agents) = camp_game(&cells, &near(), 600.0, 1_500);
        for _ in 0..300 {
            game.tick();
            for (agent, what) in game.told() {
                let Some(path) = game.world().get::<AgentPath>(agent) else { continue };
                if let (Told::Found { .. } | Told::Replanned { .. }, Some(course)) = (what, path.path()) {
                    let grid = game.world().get::<NavGrid>(map).expect("it is there");
                    assert_eq!(course.verify(grid.grid(), &Movement::new()), Ok(()));
                }
            }
            let any = agents[random.random_range(0..agents.len())];
            match random.random_range(0..12) {
                0 => {
                    // The goal closes, or opens.
                    let class = random.random_range(0..3);
                    game.set_terrain(map, GOAL.0, GOAL.1, class);
                }
                1 | 2 => {
                    let (x, y) = (random.random_range(0..WIDE), random.random_range(0..HIGH));
                    game.set_terrain(map, x, y, random.random_range(0..9));
                }
                3 => {
                    // The map is replaced by one with other bounds.
                    let more = random.random_range(0..3);
                    let classes =
                        testkit::noise(WIDE as u32 + more, HIGH as u32, 9, 10, &Seed::named("near fields"));
                    let mut grid = Grid::from_classes(classes.width, classes.height, classes.classes)
                        .expect("it is small");
                    grid.set_terrain(Cell::from(GOAL), 1).expect("it is on the map");
                    game.world_mut().entity_mut(map).insert(NavGrid::new(grid));
                }
                4 if agents.len() > 20 => {
                    agents.retain(|&agent| agent != any);
                    game.world_mut().despawn(any);
                }
                5 => _ = game.world_mut().entity_mut(any).insert(near().or_wait()),
                6 => _ = game.world_mut().entity_mut(any).insert(near()),
                7 => _ = game.world_mut().entity_mut(any).remove::<PathRequest>(),
                8 => {
                    let other = PathRequest::to_cell(Cell::new(GOAL.0, 20)).with_algorithm(Algorithm::Near);
                    game.world_mut().entity_mut(any).insert(other);
                }
                _ => {}
            }
        }
        game.set_terrain(map, GOAL.0, GOAL.1, 1);
        game.run_until_quiet(3_000);
    }
}
