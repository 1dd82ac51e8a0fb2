//! Maps by hand, agents on them, and what was told about them.

use bevy::{
    ecs::{entity::EntityHashMap, entity_disabling::Disabled, query::Allow},
    prelude::*,
};
use bevy_tilepath::{
    AgentPath, Cell, Cost, Diagonals, NavGrid, NavMap, NavProjection, PathAgent, PathFailure, PathRequest,
    PathStatus, Place, TilepathSettings,
    events::{Arrived, PathBlocked, PathFailed, PathFound, PathLost, PathPointReached, Replanned},
    tilepath::{Grid, Path, format},
};

pub(super) use crate::harness::step;
use crate::harness::{clockless_app, tick};

/// The width of a cell of [`map`].
pub(super) const CELL: f32 = 16.0;

/// What was told, in order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Told {
    Found { goal: Cell, cost: u32, partial: bool },
    Failed(PathFailure),
    Arrived(Cell),
    Lost(PathFailure),
    Blocked(Cell),
    Replanned { goal: Cell, cost: u32, partial: bool },
    Reached(Cell),
}

#[derive(Resource, Default)]
pub(super) struct Log(pub(super) Vec<(Entity, Told)>);

/// Notes everything that is told.
pub(super) fn listen(app: &mut App) {
    app.init_resource::<Log>()
        .add_observer(|on: On<PathFound>, mut log: ResMut<Log>, paths: Query<&AgentPath, Allow<Disabled>>| {
            let PathFound { entity, goal, partial, .. } = on.event().clone();
            let cost = paths.get(entity).expect("it has a path").cost().expect("it is small");
            log.0.push((entity, Told::Found { goal: cell(&goal), cost: cost.get(), partial }));
        })
        .add_observer(|on: On<PathFailed>, mut log: ResMut<Log>| {
            log.0.push((on.entity, Told::Failed(on.reason)));
        })
        .add_observer(|on: On<Arrived>, mut log: ResMut<Log>| {
            log.0.push((on.entity, Told::Arrived(cell(&on.place))));
        })
        .add_observer(|on: On<PathLost>, mut log: ResMut<Log>| log.0.push((on.entity, Told::Lost(on.reason))))
        .add_observer(|on: On<PathBlocked>, mut log: ResMut<Log>| {
            log.0.push((on.entity, Told::Blocked(cell(&on.place))));
        })
        .add_observer(|on: On<Replanned>, mut log: ResMut<Log>, paths: Query<&AgentPath, Allow<Disabled>>| {
            let Replanned { entity, goal, partial, .. } = on.event().clone();
            let cost = paths.get(entity).expect("it has a path").cost().expect("it is small");
            log.0.push((entity, Told::Replanned { goal: cell(&goal), cost: cost.get(), partial }));
        })
        .add_observer(|on: On<PathPointReached>, mut log: ResMut<Log>| {
            log.0.push((on.entity, Told::Reached(cell(&on.place))));
        });
}

/// The cell that is told of a journey on tiles.
#[track_caller]
fn cell(place: &Place) -> Cell {
    place.cell().expect("journeys on tiles lead over cells")
}

/// Where everything stood at the end of the last fixed step. After it, transforms are what is drawn.
#[derive(Resource, Default)]
struct Simulated(EntityHashMap<Vec2>);

fn note_positions(mut simulated: ResMut<Simulated>, transforms: Query<(Entity, &Transform)>) {
    simulated.0 = transforms.iter().map(|(entity, at)| (entity, at.translation.truncate())).collect();
}

/// An app in fixed steps that notes everything that is told.
pub(super) fn app() -> App {
    let mut app = crate::harness::app();
    note_simulated(&mut app);
    listen(&mut app);
    app
}

/// Lets [`position`] tell where an agent is, not where it is drawn.
pub(super) fn note_simulated(app: &mut App) {
    app.init_resource::<Simulated>().add_systems(FixedLast, note_positions);
}

/// An app without clock, for steps of any length, that notes everything that is told.
pub(super) fn long_step_app() -> App {
    let mut app = clockless_app();
    listen(&mut app);
    app
}

/// What was told since the last call.
pub(super) fn told(app: &mut App) -> Vec<(Entity, Told)> {
    std::mem::take(&mut app.world_mut().resource_mut::<Log>().0)
}

/// What was told about one entity since the last call, without the waypoints; the rest is forgotten.
pub(super) fn told_of(app: &mut App, entity: Entity) -> Vec<Told> {
    told(app)
        .into_iter()
        .filter(|(who, what)| *who == entity && !matches!(what, Told::Reached(_)))
        .map(|(_, what)| what)
        .collect()
}

/// A map without tiles, drawn; cells are [`CELL`] wide and the bottom left corner is the origin.
pub(super) fn map(app: &mut App, picture: &str) -> Entity {
    let grid = format::parse_ascii(picture).expect("the picture is a map");
    map_of(app, grid, Diagonals::default())
}

/// An empty map.
pub(super) fn open_map(app: &mut App, width: u32, height: u32) -> Entity {
    map_of(app, Grid::new(width, height, 1).expect("the map is small"), Diagonals::default())
}

pub(super) fn map_of(app: &mut App, grid: Grid, diagonals: Diagonals) -> Entity {
    app.world_mut()
        .spawn((
            NavMap { diagonals, ..default() },
            NavGrid::new(grid),
            NavProjection::square(Vec2::splat(CELL), Vec2::splat(CELL / 2.0)),
        ))
        .id()
}

/// The centre of a cell of [`map`] in the world.
pub(super) fn centre(x: i32, y: i32) -> Vec2 {
    Vec2::new(x as f32 + 0.5, y as f32 + 0.5) * CELL
}

/// An agent at the centre of a cell.
pub(super) fn agent(app: &mut App, x: i32, y: i32, speed: f32) -> Entity {
    agent_at(app, centre(x, y), speed)
}

pub(super) fn agent_at(app: &mut App, position: Vec2, speed: f32) -> Entity {
    let agent = PathAgent { speed: speed.into(), ..default() };
    app.world_mut().spawn((agent, Transform::from_translation(position.extend(3.0)))).id()
}

pub(super) fn order(app: &mut App, entity: Entity, x: i32, y: i32) {
    app.world_mut().entity_mut(entity).insert(PathRequest::to_cell(Cell::new(x, y)));
}

/// Lets an agent ask for a way, so that what the first search finds out of the map is not counted with what comes.
pub(super) fn explore(app: &mut App) {
    let settings = app.world_mut().remove_resource::<TilepathSettings>().expect("the plugin has settings");
    app.init_resource::<TilepathSettings>();
    let scout = app.world_mut().spawn(Transform::from_translation(centre(1, 0).extend(0.0))).id();
    order(app, scout, 0, 0);
    tick(app);
    app.world_mut().despawn(scout);
    app.insert_resource(settings);
    told(app);
}

pub(super) fn set_terrain(app: &mut App, map: Entity, x: i32, y: i32, class: u8) {
    let mut grid = app.world_mut().get_mut::<NavGrid>(map).expect("the map is there");
    grid.set_terrain(Cell::new(x, y), class).expect("the cell is on the map");
}

/// Where an agent was at the end of the last step; before the first one where it was put.
pub(super) fn position(app: &App, entity: Entity) -> Vec2 {
    let simulated = app.world().get_resource::<Simulated>().and_then(|all| all.0.get(&entity));
    simulated.copied().unwrap_or_else(|| drawn(app, entity))
}

/// Where an agent is drawn.
pub(super) fn drawn(app: &App, entity: Entity) -> Vec2 {
    app.world().get::<Transform>(entity).expect("the entity is there").translation.truncate()
}

pub(super) fn status(app: &App, entity: Entity) -> PathStatus {
    *app.world().get::<PathStatus>(entity).expect("the entity is there")
}

pub(super) fn is_ordered(app: &App, entity: Entity) -> bool {
    app.world().get::<PathRequest>(entity).is_some()
}

pub(super) fn path(app: &App, entity: Entity) -> &AgentPath {
    app.world().get::<AgentPath>(entity).expect("the entity has a path")
}

/// The cells of the leg under way.
pub(super) fn cell_path(app: &App, entity: Entity) -> &Path {
    path(app, entity).path().expect("the leg leads over cells")
}

pub(super) fn cost(app: &App, entity: Entity) -> Cost {
    cell_path(app, entity).cost()
}

/// Ticks until no agent has an order any more.
#[track_caller]
pub(super) fn run_until_quiet(app: &mut App, most: usize) {
    for _ in 0..most {
        let mut orders = app.world_mut().query_filtered::<(), With<PathRequest>>();
        if orders.iter(app.world()).count() == 0 {
            return;
        }
        app.update();
    }
    panic!("there are still orders after {most} ticks");
}
