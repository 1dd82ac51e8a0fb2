//! The timed scenes.

use bevy_app::App;
use bevy_ecs::entity::Entity;
use bevy_tilepath::{
    AgentMovement, Algorithm, Cell, CostTable, Diagonals, Movement, NavGrid, NavMap, PathAgent, PathRequest,
    TilepathSettings,
    agents::PathLine,
    doors::{Door, DoorEnd},
};
use bevy_transform::components::Transform;
use testkit::{Seed, TileMap};
use tilepath::PathQuery;

use crate::apps::{Stage, app, centre, keep_walking, order, spawn_agent, spawn_map};

/// A headless app, and the length of its run.
pub(crate) struct Scene {
    pub(crate) name: String,
    pub(crate) build: Box<dyn Fn() -> Stage>,
    /// Ticks that are not timed.
    pub(crate) warm_up: u32,
    pub(crate) ticks: u32,
    /// True if the run ends as soon as no order waits for its answer.
    pub(crate) ends_with_the_queue: bool,
}

/// The ticks of a run: ten seconds of a game.
const TICKS: u32 = 640;
const TICKS_A_SECOND: u32 = 64;
const IDLE_AGENTS: usize = 10_000;
/// The number of agents that in each tick get an order to the place of another agent.
const CHASERS: usize = 100;
/// The number of goals that many orders share.
pub(crate) const GOALS: usize = 16;
/// The number of orders of five cells in each tick.
const LOCAL_ORDERS: usize = 32;

pub(crate) fn all() -> Vec<Scene> {
    let mut scenes = vec![watched("nothing", || Stage::left_alone(app()))];
    #[cfg(feature = "tilemaps")]
    {
        scenes.push(watched("65,536 idle tiles", || Stage::left_alone(crate::tiles::idle_tiles(256))));
        scenes.extend(crate::tiles::scenes());
    }
    scenes.push(watched("10,000 idle agents", idle_agents));
    for agents in [1000, 10_000] {
        for edits in [0, 50] {
            let name = format!("{agents} walkers, {edits} edits a second");
            scenes.push(watched(&name, move || walkers(agents, edits, &[])));
            let straight = format!("{agents} walkers on straight lines, {edits} edits a second");
            scenes.push(watched(&straight, move || walkers_on_lines(agents, edits)));
        }
    }
    let five = "1000 walkers of five movements, 50 edits a second";
    scenes.push(watched(five, || walkers(1000, 50, &movements())));
    for (name, movement) in movements() {
        let alone = format!("1000 walkers of which each is {name}, 50 edits a second");
        scenes.push(watched(&alone, move || walkers(1000, 50, &[(name, movement.clone())])));
    }
    for (ground, map) in [("even", even as fn(u32) -> TileMap), ("mixed", mixed)] {
        for orders in [1000, 5000] {
            scenes.push(Scene {
                name: format!("{orders} orders in one tick on {ground} ground"),
                build: Box::new(move || orders_at_once(&map(512), orders)),
                warm_up: 0,
                ticks: 100_000,
                ends_with_the_queue: true,
            });
        }
    }
    for (how, algorithm) in [("", Algorithm::Auto), (", each searched for by itself", Algorithm::AStar)] {
        scenes.push(Scene {
            name: format!("5000 orders to 16 goals in one tick on mixed ground{how}"),
            build: Box::new(move || orders_to_few_goals(&mixed(512), 5000, algorithm)),
            warm_up: 0,
            ticks: 100_000,
            ends_with_the_queue: true,
        });
    }
    scenes.push(watched("100 chasers ordered in each tick", chase));
    scenes.extend(crate::living::scenes());
    scenes.extend(crate::bodies::scenes());
    for doors in [0, 100, 1000] {
        let name = format!("32 orders of five cells a tick, {doors} doors");
        scenes.push(watched(&name, move || local_orders(doors)));
    }
    scenes
}

pub(crate) fn watched(name: &str, build: impl Fn() -> Stage + 'static) -> Scene {
    Scene {
        name: name.to_owned(),
        build: Box::new(build),
        warm_up: 128,
        ticks: TICKS,
        ends_with_the_queue: false,
    }
}

/// Makes caves: ground of one cost.
pub(crate) fn even(side: u32) -> TileMap {
    testkit::caves(side, side, &Seed::named("plugin"))
}

/// Makes ground of nine costs; a tenth of the cells are walls.
fn mixed(side: u32) -> TileMap {
    testkit::terrain(side, side, 9, 10, &Seed::named("plugin"))
}

/// Returns `count` pairs of open cells.
pub(crate) fn pairs(map: &TileMap, count: usize) -> Vec<(Cell, Cell)> {
    let pairs = map.queries(count, &Seed::named("pairs"));
    pairs.into_iter().map(|(from, to)| (Cell::from(from), Cell::from(to))).collect()
}

/// Returns `count` pairs of open cells, all connected with the first cell: other orders would fail
/// in each tick.
pub(crate) fn connected_pairs(
    app: &mut App,
    map: Entity,
    tiles: &TileMap,
    count: usize,
) -> Vec<(Cell, Cell)> {
    connected(app, map, pairs(tiles, count + count / 8), count)
}

/// Returns `count` of these pairs, all connected with the first cell.
pub(crate) fn connected(
    app: &mut App,
    map: Entity,
    all: Vec<(Cell, Cell)>,
    count: usize,
) -> Vec<(Cell, Cell)> {
    // The map has read its rules after one tick.
    app.update();
    let grid = app.world().get::<NavGrid>(map).expect("the map stays");
    let hub = all[0].0;
    let is_connected = |cell: Cell| {
        grid.finder()
            .is_reachable(&PathQuery::new(hub, cell).with_movement(grid.movement()))
            .expect("both are on the map")
    };
    let connected = all.into_iter().filter(|&(from, to)| is_connected(from) && is_connected(to));
    let connected: Vec<(Cell, Cell)> = connected.take(count).collect();
    assert_eq!(connected.len(), count, "enough of the ground is connected");
    connected
}

fn idle_agents() -> Stage {
    let (mut app, map) = (app(), even(256));
    spawn_map(&mut app, &map);
    for (cell, _) in pairs(&map, IDLE_AGENTS) {
        spawn_agent(&mut app, cell);
    }
    Stage::left_alone(app)
}

/// Returns five movements on ground of one class. They differ by their walls, their rule for
/// corners and their step costs.
fn movements() -> [(&'static str, Movement); 5] {
    let ghost = Movement::new().with_costs(CostTable::identity().with(0, 3));
    [
        ("infantry", Movement::new()),
        ("cart", Movement::new().with_diagonals(Diagonals::Never)),
        ("rider", Movement::new().with_costs(CostTable::identity().with(1, 2))),
        ("goat", Movement::new().with_diagonals(Diagonals::Always)),
        ("ghost", ghost),
    ]
}

/// Builds the same scene with agents that walk straight. Those of the first orders walk so from the
/// first tick on.
fn walkers_on_lines(count: usize, edits_a_second: u32) -> Stage {
    let mut stage = walkers(count, edits_a_second, &[]);
    let world = stage.app.world_mut();
    for mut agent in world.query::<&mut PathAgent>().iter_mut(world) {
        agent.line = PathLine::Straight;
    }
    stage
}

/// Builds a scene of agents that are always under way, on a map whose walls change. The movements
/// are given out in turns. If the list is empty, all agents use the rules of the map.
pub(crate) fn walkers(count: usize, edits_a_second: u32, movements: &[(&str, Movement)]) -> Stage {
    let (mut app, tiles) = (app(), even(512));
    let map = spawn_map(&mut app, &tiles);
    let mut rules = app.world_mut().get_mut::<NavMap>(map).expect("the map stays");
    for (name, movement) in movements {
        rules.movements.insert((*name).into(), movement.clone());
    }
    let pairs = connected_pairs(&mut app, map, &tiles, count);
    for (index, &(from, to)) in pairs.iter().enumerate() {
        let agent = spawn_agent(&mut app, from);
        if !movements.is_empty() {
            let (name, _) = movements[index % movements.len()];
            app.world_mut().entity_mut(agent).insert(AgentMovement::from(name));
        }
        order(app.world_mut(), agent, to);
    }
    keep_walking(&mut app, pairs.iter().rev().map(|&(from, _)| from).collect());
    answer_all(&mut app);
    let cells: Vec<Cell> = pairs.iter().map(|&(_, to)| to).collect();
    let mut edited = 0;
    let before_tick = move |world: &mut bevy_ecs::world::World, tick: u32| {
        let due = (u64::from(tick) + 1) * u64::from(edits_a_second) / u64::from(TICKS_A_SECOND);
        while edited < due {
            let cell = cells[edited as usize / 2 % cells.len()];
            // An edit adds a wall, and the next edit removes it.
            let class = if edited % 2 == 0 { 0 } else { 1 };
            let mut grid = world.get_mut::<NavGrid>(map).expect("the map stays");
            grid.set_terrain(cell, class).expect("the cell is on the map");
            edited += 1;
        }
    };
    Stage { app, before_tick: Box::new(before_tick) }
}

/// Runs a tick that answers all orders with no limit of work. Later ticks are timed with all agents
/// under way.
pub(crate) fn answer_all(app: &mut App) {
    app.insert_resource(TilepathSettings { work_per_tick: u64::MAX / 2 });
    app.update();
    app.insert_resource(TilepathSettings::default());
}

fn orders_at_once(tiles: &TileMap, count: usize) -> Stage {
    let mut app = app();
    spawn_map(&mut app, tiles);
    let orders: Vec<(Entity, Cell)> =
        pairs(tiles, count).into_iter().map(|(from, to)| (spawn_agent(&mut app, from), to)).collect();
    // After this update the map is read, and all agents stand.
    app.update();
    let before_tick = move |world: &mut bevy_ecs::world::World, tick: u32| {
        if tick == 0 {
            for &(agent, to) in &orders {
                order(world, agent, to);
            }
        }
    };
    Stage { app, before_tick: Box::new(before_tick) }
}

/// Builds a scene of orders to one of the [`GOALS`] each, within a large budget. An order that
/// names an algorithm has a search of its own.
fn orders_to_few_goals(tiles: &TileMap, count: usize, algorithm: Algorithm) -> Stage {
    let mut app = app();
    app.insert_resource(TilepathSettings { work_per_tick: 100_000 });
    let map = spawn_map(&mut app, tiles);
    let pairs = connected_pairs(&mut app, map, tiles, count);
    let goals: Vec<Cell> = pairs.iter().take(GOALS).map(|&(_, to)| to).collect();
    let agents: Vec<Entity> = pairs.iter().map(|&(from, _)| spawn_agent(&mut app, from)).collect();
    app.update();
    let before_tick = move |world: &mut bevy_ecs::world::World, tick: u32| {
        if tick == 0 {
            for (&agent, &goal) in agents.iter().zip(goals.iter().cycle()) {
                let request = PathRequest::to_cell(goal).with_algorithm(algorithm);
                world.entity_mut(agent).insert(request);
            }
        }
    };
    Stage { app, before_tick: Box::new(before_tick) }
}

/// Builds a scene in which half of the agents walk from place to place. In each tick the other half
/// is sent after them.
fn chase() -> Stage {
    let (mut app, tiles) = (app(), even(256));
    let map = spawn_map(&mut app, &tiles);
    let pairs = connected_pairs(&mut app, map, &tiles, CHASERS);
    let mut chases = Vec::new();
    for &(from, to) in &pairs {
        let target = spawn_agent(&mut app, to);
        order(app.world_mut(), target, from);
        chases.push((spawn_agent(&mut app, from), target));
    }
    // A chaser that has reached its target has no order until the next tick.
    let cells: Vec<Cell> = pairs.iter().map(|&(_, to)| to).collect();
    let before_tick = move |world: &mut bevy_ecs::world::World, tick: u32| {
        for (index, &(chaser, target)) in chases.iter().enumerate() {
            if world.get::<PathRequest>(target).is_none() {
                let cell = cells[(index + tick as usize) % cells.len()];
                order(world, target, cell);
            }
            let at = world.get::<Transform>(target).expect("the target stays").translation.truncate();
            world.entity_mut(chaser).insert(PathRequest::to_position(at));
        }
    };
    Stage { app, before_tick: Box::new(before_tick) }
}

/// Builds a scene of orders of a few cells, on a map with many doors to another map.
fn local_orders(doors: usize) -> Stage {
    let (mut app, tiles) = (app(), testkit::open(256, 256));
    let [map, room] = [&tiles, &testkit::open(64, 64)].map(|tiles| spawn_map(&mut app, tiles));
    let cells = pairs(&tiles, doors.max(LOCAL_ORDERS) + 1);
    for (index, &(cell, _)) in cells[..doors].iter().enumerate() {
        let there = Cell::new((index % 64) as i32, (index / 64) as i32);
        app.world_mut().spawn(Door::new(DoorEnd::cell(map, cell), DoorEnd::cell(room, there)).leaping());
    }
    let agents: Vec<(Entity, Cell)> = (cells.iter())
        .take(LOCAL_ORDERS)
        .map(|&(_, cell)| {
            let cell = Cell::new(cell.x.min(250), cell.y);
            let agent = spawn_agent(&mut app, cell);
            app.world_mut().entity_mut(agent).insert(bevy_tilepath::OnMap(map));
            (agent, cell)
        })
        .collect();
    let before_tick = move |world: &mut bevy_ecs::world::World, tick: u32| {
        for &(agent, home) in &agents {
            let there = Cell::new(home.x + if tick.is_multiple_of(2) { 5 } else { 0 }, home.y);
            if let Some(mut place) = world.get_mut::<Transform>(agent) {
                place.translation = centre(home).extend(0.0);
            }
            let goal = if there == home { Cell::new(home.x + 4, home.y) } else { there };
            order(world, agent, goal);
        }
    };
    Stage { app, before_tick: Box::new(before_tick) }
}
