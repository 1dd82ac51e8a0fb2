//! Headless apps with the plugin, and the entities of the scenes.

use bevy_app::{App, TaskPoolOptions, TaskPoolPlugin};
use bevy_ecs::{entity::Entity, observer::On, resource::Resource, system::Commands, world::World};
use bevy_math::Vec2;
use bevy_tilepath::{
    Cell, NavGrid, NavMap, NavProjection, PathAgent, PathRequest, TilepathPlugin,
    events::{Arrived, PathFailed, PathLost},
    tilepath::Grid,
};
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;
use testkit::TileMap;

/// The width of a cell.
pub(crate) const CELL: f32 = 16.0;

/// A change of the world before the tick with this number.
pub(crate) type BeforeTick = Box<dyn FnMut(&mut World, u32)>;

/// An app with its entities, and the changes before each tick.
pub(crate) struct Stage {
    pub(crate) app: App,
    pub(crate) before_tick: BeforeTick,
}

impl Stage {
    /// Makes a stage without changes.
    pub(crate) fn left_alone(app: App) -> Self {
        Self { app, before_tick: Box::new(|_, _| ()) }
    }
}

/// Makes the task pool of the process.
pub(crate) fn make_pool(threads: usize) {
    let mut pools = TaskPoolOptions::default();
    pools.compute.min_threads = threads.max(1);
    pools.compute.max_threads = threads.max(1);
    pools.create_default_pools();
}

/// Makes an app in which each update is one fixed step, independent of the clock.
pub(crate) fn app() -> App {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TilepathPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    app.cleanup();
    // The first update has no fixed step.
    app.update();
    app
}

/// Spawns a map from code.
pub(crate) fn spawn_map(app: &mut App, map: &TileMap) -> Entity {
    let grid =
        Grid::from_classes(map.width, map.height, map.classes.clone()).expect("the map is within limits");
    app.world_mut()
        .spawn((
            NavMap::default(),
            NavGrid::new(grid),
            NavProjection::square(Vec2::splat(CELL), Vec2::splat(CELL / 2.0)),
        ))
        .id()
}

pub(crate) fn centre(cell: Cell) -> Vec2 {
    (Vec2::new(cell.x as f32, cell.y as f32) + 0.5) * CELL
}

/// Spawns an agent at the centre of a cell, with a speed of four cells a second.
pub(crate) fn spawn_agent(app: &mut App, cell: Cell) -> Entity {
    let agent = PathAgent { speed: (4.0 * CELL).into(), ..PathAgent::default() };
    app.world_mut().spawn((agent, Transform::from_translation(centre(cell).extend(0.0)))).id()
}

pub(crate) fn order(world: &mut World, agent: Entity, cell: Cell) {
    world.entity_mut(agent).insert(PathRequest::to_cell(cell));
}

/// The next goals of the agents of a scene, in turns.
#[derive(Resource)]
struct Goals {
    cells: Vec<Cell>,
    next: usize,
}

/// Sends an agent to the next of the goals as soon as its order ends.
pub(crate) fn keep_walking(app: &mut App, goals: Vec<Cell>) {
    app.insert_resource(Goals { cells: goals, next: 0 });
    send_on_by(app, |world| {
        let mut goals = world.resource_mut::<Goals>();
        let cell = goals.cells[goals.next % goals.cells.len()];
        goals.next += 1;
        PathRequest::to_cell(cell)
    });
}

/// Gives an agent a new order as soon as its order ends.
pub(crate) fn send_on_by(app: &mut App, next: fn(&mut World) -> PathRequest) {
    let send_on = move |mut commands: Commands, agent: Entity| {
        commands.queue(move |world: &mut World| {
            let order = next(world);
            world.entity_mut(agent).insert(order);
        });
    };
    app.add_observer(move |on: On<Arrived>, commands: Commands| send_on(commands, on.entity))
        .add_observer(move |on: On<PathFailed>, commands: Commands| send_on(commands, on.entity))
        .add_observer(move |on: On<PathLost>, commands: Commands| send_on(commands, on.entity));
}
