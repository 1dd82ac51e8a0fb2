//! The plugin's scenes, as far as `bevy_northstar` has them.

use bevy::prelude::*;
use bevy_northstar::prelude::*;
use testkit::TileMap;

use crate::{
    ground::{Place, connected_pairs, even, mixed, pairs},
    settings::{ASTAR, COARSE, COARSE_32, COARSE_UNLIMITED, DEFAULTS, Settings, UNLIMITED, app, at, nav},
};

/// A change of the world before the tick with this number.
type BeforeTick = Box<dyn FnMut(&mut World, u32)>;

/// An app with its entities, and the changes before each tick.
pub(crate) struct Stage {
    pub(crate) app: App,
    pub(crate) before_tick: BeforeTick,
    /// The map on which paths are compared.
    pub(crate) map: Option<TileMap>,
}

impl Stage {
    fn new(app: App, before_tick: impl FnMut(&mut World, u32) + 'static) -> Self {
        Self { app, before_tick: Box::new(before_tick), map: None }
    }
}

/// A headless app, and the length of its run.
pub(crate) struct Scene {
    pub(crate) name: String,
    pub(crate) settings: Settings,
    pub(crate) build: Box<dyn Fn(&Settings) -> Stage>,
    /// Ticks that are not timed.
    pub(crate) warm_up: u32,
    pub(crate) ticks: u32,
    /// The number of orders; the run ends as soon as all of them are answered.
    pub(crate) orders: Option<usize>,
}

/// The cell of an agent at its first order.
#[derive(Component)]
pub(crate) struct Start(pub(crate) Place);

/// The paths found and not found until now.
#[derive(Resource, Default, Clone, Copy)]
pub(crate) struct Answered {
    pub(crate) found: usize,
    pub(crate) failed: usize,
}

/// The ticks since the last step.
#[derive(Component, Default)]
struct Stride(u32);

/// The next goals of the agents of a scene, in turns.
#[derive(Resource)]
struct Goals {
    places: Vec<Place>,
    next: usize,
}

const TICKS: u32 = 640;
const TICKS_A_SECOND: u32 = 64;
/// The ticks of a step: four cells a second.
const TICKS_A_STEP: u32 = 16;
const CELL: f32 = 16.0;
const IDLE_AGENTS: usize = 10_000;
const CHASERS: usize = 100;
const LOCAL_ORDERS: usize = 32;

pub(crate) fn all() -> Vec<Scene> {
    let mut scenes =
        vec![watched("nothing", DEFAULTS, |settings| Stage::new(app(settings, None), |_, _| ()))];
    scenes.push(watched("10,000 idle agents", DEFAULTS, idle_agents));
    for agents in [1000, 10_000] {
        for edits in [0, 50] {
            for settings in [UNLIMITED, COARSE_UNLIMITED] {
                let name = format!("{agents} walkers, {edits} edits a second");
                scenes.push(watched(&name, settings, move |settings| walkers(settings, agents, edits)));
            }
        }
    }
    for (ground, map) in [("even", even as fn(u32) -> TileMap), ("mixed", mixed)] {
        for orders in [1000, 5000] {
            let few = [ASTAR, COARSE_32];
            let all = [DEFAULTS, UNLIMITED, COARSE, COARSE_UNLIMITED];
            for settings in all.into_iter().chain(few.into_iter().filter(|_| orders == 1000)) {
                scenes.push(Scene {
                    name: format!("{orders} orders in one tick on {ground} ground"),
                    settings,
                    build: Box::new(move |settings| orders_at_once(settings, map(512), orders)),
                    warm_up: 0,
                    ticks: 100_000,
                    orders: Some(orders),
                });
            }
        }
    }
    for settings in [DEFAULTS, COARSE] {
        scenes.push(watched("100 chasers ordered in each tick", settings, chase));
        scenes.push(watched("32 orders of five cells a tick", settings, local_orders));
    }
    scenes
}

fn watched(name: &str, settings: Settings, build: impl Fn(&Settings) -> Stage + 'static) -> Scene {
    Scene {
        name: name.to_owned(),
        settings,
        build: Box::new(build),
        warm_up: 128,
        ticks: TICKS,
        orders: None,
    }
}

/// Makes an app that counts answers. Agents with a `Stride` walk.
fn stage(settings: &Settings, map: &TileMap) -> App {
    let mut app = app(settings, Some(map));
    app.init_resource::<Answered>()
        .add_observer(|_: On<Insert, Path>, mut answered: ResMut<Answered>| answered.found += 1)
        .add_observer(|_: On<Insert, PathfindingFailed>, mut answered: ResMut<Answered>| answered.failed += 1)
        .add_systems(Update, walk.before(PathingSet));
    app
}

fn spawn_agent(app: &mut App, place: Place) -> Entity {
    let transform = Transform::from_translation(centre(at(place)));
    app.world_mut().spawn((AgentPos(at(place)), Start(place), transform)).id()
}

fn order(world: &mut World, agent: Entity, goal: UVec3) {
    world.entity_mut(agent).insert(Pathfind::new(goal));
}

fn centre(place: UVec3) -> Vec3 {
    ((place.as_vec3().truncate() + 0.5) * CELL).extend(0.0)
}

/// Moves agents to the next cells of their paths at their pace, as a game would.
fn walk(
    mut agents: Query<(Entity, &mut Stride, &mut AgentPos, &NextPos, &mut Transform)>,
    mut commands: Commands,
) {
    for (agent, mut stride, mut place, next, mut transform) in &mut agents {
        stride.0 += 1;
        let part = stride.0 as f32 / TICKS_A_STEP as f32;
        transform.translation = centre(place.0).lerp(centre(next.0), part);
        if stride.0 == TICKS_A_STEP {
            stride.0 = 0;
            place.0 = next.0;
            commands.entity(agent).remove::<NextPos>();
        }
    }
}

/// Sends an agent on at once if it has arrived or has failed.
fn send_on(
    agents: Query<Entity, (With<Stride>, Or<(Without<Pathfind>, With<PathfindingFailed>)>)>,
    mut goals: ResMut<Goals>,
    mut commands: Commands,
) {
    for agent in &agents {
        let goal = goals.places[goals.next % goals.places.len()];
        goals.next += 1;
        commands.entity(agent).remove::<PathfindingFailed>().insert(Pathfind::new(at(goal)));
    }
}

fn idle_agents(settings: &Settings) -> Stage {
    let map = even(256);
    let mut app = stage(settings, &map);
    for (place, _) in pairs(&map, IDLE_AGENTS) {
        spawn_agent(&mut app, place);
    }
    Stage::new(app, |_, _| ())
}

/// Builds a scene of agents that are always under way. `bevy_northstar` does not repair the paths
/// that an edit blocks.
fn walkers(settings: &Settings, count: usize, edits_a_second: u32) -> Stage {
    let map = even(512);
    let mut app = stage(settings, &map);
    app.add_systems(Update, send_on.after(PathingSet));
    let pairs = connected_pairs(&map, count);
    for &(from, to) in &pairs {
        let agent = spawn_agent(&mut app, from);
        app.world_mut().entity_mut(agent).insert(Stride::default());
        order(app.world_mut(), agent, at(to));
    }
    app.insert_resource(Goals { places: pairs.iter().rev().map(|&(from, _)| from).collect(), next: 0 });
    // Edits are part of the tick: the plugin, too, reads them there.
    let cells: Vec<Place> = pairs.iter().map(|&(_, to)| to).collect();
    let (mut tick, mut edited) = (0, 0);
    let edit = move |mut grid: Single<&mut OrdinalGrid>| {
        tick += 1;
        let due = tick * u64::from(edits_a_second) / u64::from(TICKS_A_SECOND);
        let is_due = edited < due;
        while edited < due {
            let cell = cells[edited as usize / 2 % cells.len()];
            grid.set_nav(at(cell), nav(if edited % 2 == 0 { 0 } else { 1 }));
            edited += 1;
        }
        if is_due {
            grid.build();
        }
    };
    if edits_a_second > 0 {
        app.add_systems(Update, edit.before(PathingSet));
    }
    Stage::new(app, |_, _| ())
}

/// Builds a scene of agents that only get paths and do not walk.
fn orders_at_once(settings: &Settings, map: TileMap, count: usize) -> Stage {
    let mut app = stage(settings, &map);
    let orders: Vec<(Entity, Place)> =
        pairs(&map, count).into_iter().map(|(from, to)| (spawn_agent(&mut app, from), to)).collect();
    app.update();
    let before_tick = move |world: &mut World, tick: u32| {
        if tick == 0 {
            for &(agent, to) in &orders {
                order(world, agent, at(to));
            }
        }
    };
    Stage { map: Some(map), ..Stage::new(app, before_tick) }
}

/// Builds a scene in which half of the agents walk from place to place. In each tick the other half
/// is sent after them.
fn chase(settings: &Settings) -> Stage {
    let map = even(256);
    let mut app = stage(settings, &map);
    let pairs = connected_pairs(&map, CHASERS);
    let mut chases = Vec::new();
    for &(from, to) in &pairs {
        let [chaser, target] = [from, to].map(|place| {
            let agent = spawn_agent(&mut app, place);
            app.world_mut().entity_mut(agent).insert(Stride::default());
            agent
        });
        order(app.world_mut(), target, at(from));
        chases.push((chaser, target));
    }
    let cells: Vec<Place> = pairs.iter().map(|&(_, to)| to).collect();
    Stage::new(app, move |world, tick| {
        for (index, &(chaser, target)) in chases.iter().enumerate() {
            if world.get::<Pathfind>(target).is_none() {
                order(world, target, at(cells[(index + tick as usize) % cells.len()]));
            }
            let place = world.get::<AgentPos>(target).expect("the target stays").0;
            order(world, chaser, place);
        }
    })
}

/// Builds a scene of orders of a few cells, on open ground.
fn local_orders(settings: &Settings) -> Stage {
    let map = testkit::open(256, 256);
    let mut app = stage(settings, &map);
    let agents: Vec<(Entity, Place)> = pairs(&map, LOCAL_ORDERS + 1)
        .into_iter()
        .take(LOCAL_ORDERS)
        .map(|(_, (x, y))| (x.min(250), y))
        .map(|place| (spawn_agent(&mut app, place), place))
        .collect();
    Stage::new(app, move |world, tick| {
        for &(agent, (x, y)) in &agents {
            let further = if tick.is_multiple_of(2) { 5 } else { 4 };
            order(world, agent, at((x + further, y)));
        }
    })
}
