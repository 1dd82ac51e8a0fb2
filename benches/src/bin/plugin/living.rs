//! Orders whose conditions change: targets move, and dangers fade.

use std::ops::RangeInclusive;

use bevy_app::FixedUpdate;
use bevy_ecs::{
    entity::Entity,
    resource::Resource,
    schedule::IntoScheduleConfigs,
    system::{Query, ResMut},
    world::World,
};
use bevy_tilepath::{
    AgentMovement, Cell, Movement, NavGrid, NavMap, PathRequest, TilepathSettings, TilepathSystems,
};
use bevy_transform::components::Transform;
use testkit::Seed;

use crate::{
    apps::{CELL, Stage, app, keep_walking, order, spawn_agent, spawn_map},
    scenes::{Scene, answer_all, connected, connected_pairs, even, pairs, watched},
};

/// The number of chasers, and of targets.
const CHASERS: usize = 1000;
/// The first distance of a target from its chaser along the longer axis, in cells. Each of the two
/// walks at most 24 cells in all ticks, so the target stays at least 128 cells ahead.
const AHEAD: RangeInclusive<u32> = 176..=216;
const WARM_UP: u32 = 64;
const TICKS: u32 = 320;
/// The distance of a target from its goal, in cells: more than the target walks in a run, so it
/// never arrives.
const TARGETS_WAY: u32 = 64;
/// A limit of work above the work of all searches of a tick.
const NO_LIMIT: u64 = 1 << 40;

/// The number of cells whose danger changes in each tick. They form patches.
const DANGERS: usize = 1000;
const PATCH: usize = 100;
/// The highest danger.
const WORST: u16 = 8;
const WALKERS: usize = 1000;

pub(crate) fn scenes() -> Vec<Scene> {
    let chase = |name: &str, follows| Scene {
        warm_up: WARM_UP,
        ticks: TICKS,
        ..watched(name, move || chase(follows))
    };
    let dangers = "1000 walkers over 1000 cells whose danger changes in each tick";
    vec![
        chase("1000 chasers of 1000 targets, tolerance 0.1", true),
        chase("1000 chasers of 1000 targets, a new order at each change of cell", false),
        watched(dangers, fading_dangers),
    ]
}

fn distance(from: Cell, to: Cell) -> u32 {
    from.x.abs_diff(to.x).max(from.y.abs_diff(to.y))
}

/// Builds a scene of agents that follow targets far ahead, or get a new order at each change of a
/// target's cell. With new orders, the searches of a run are the changes of cell.
fn chase(follows: bool) -> Stage {
    let (mut app, tiles) = (app(), testkit::cluttered(512, 512, 20, &Seed::named("chase")));
    app.insert_resource(TilepathSettings { work_per_tick: NO_LIMIT });
    let map = spawn_map(&mut app, &tiles);
    let mut far = pairs(&tiles, 20 * CHASERS);
    far.retain(|&(from, to)| AHEAD.contains(&distance(from, to)));
    let far = connected(&mut app, map, far, CHASERS);
    let mut chases: Vec<(Entity, Entity, Cell)> = Vec::new();
    for (index, &(from, to)) in far.iter().enumerate() {
        let goal = far.iter().cycle().skip(index + 1).find(|(goal, _)| distance(to, *goal) >= TARGETS_WAY);
        let target = spawn_agent(&mut app, to);
        order(app.world_mut(), target, goal.expect("a map has far places").0);
        let chaser = spawn_agent(&mut app, from);
        let request = if follows {
            PathRequest::to(target).following().with_tolerance(0.1)
        } else {
            PathRequest::to_cell(to)
        };
        app.world_mut().entity_mut(chaser).insert(request);
        chases.push((chaser, target, to));
    }
    if follows {
        return Stage::left_alone(app);
    }
    let before_tick = move |world: &mut World, _| {
        for (chaser, target, known) in &mut chases {
            let at = world.get::<Transform>(*target).expect("the target stays").translation.truncate();
            let cell = (at / CELL).floor().as_ivec2();
            let cell = Cell::new(cell.x, cell.y);
            if cell != *known {
                *known = cell;
                order(world, *chaser, cell);
            }
        }
    };
    Stage { app, before_tick: Box::new(before_tick) }
}

/// The map and the cells with danger.
#[derive(Resource)]
struct Dangers {
    map: Entity,
    cells: Vec<Cell>,
    ticks: u16,
}

/// Builds a scene of walkers that avoid patches of danger. The danger fades by one in each tick and
/// flares up again. This happens within the tick, so its time counts.
fn fading_dangers() -> Stage {
    let (mut app, tiles) = (app(), even(512));
    let map = spawn_map(&mut app, &tiles);
    let mut rules = app.world_mut().get_mut::<NavMap>(map).expect("the map stays");
    rules.movements.insert("wary".into(), Movement::new().with_overlay("danger"));
    let pairs = connected_pairs(&mut app, map, &tiles, WALKERS);
    for &(from, to) in &pairs {
        let agent = spawn_agent(&mut app, from);
        app.world_mut().entity_mut(agent).insert(AgentMovement::from("wary"));
        order(app.world_mut(), agent, to);
    }
    keep_walking(&mut app, pairs.iter().rev().map(|&(from, _)| from).collect());
    let grid = app.world().get::<NavGrid>(map).expect("the map stays");
    let mut cells = Vec::new();
    for &(middle, _) in pairs.iter().take(DANGERS / PATCH) {
        let around = (-10..=10).flat_map(|y| (-10..=10).map(move |x| middle + (x, y)));
        let is_open = |cell: &Cell| grid.terrain(*cell).is_some_and(|class| class > 0);
        cells.extend(around.filter(is_open).take(PATCH));
    }
    assert_eq!(cells.len(), DANGERS, "each patch has room around its middle");
    answer_all(&mut app);
    app.insert_resource(Dangers { map, cells, ticks: 0 })
        .add_systems(FixedUpdate, fade.before(TilepathSystems::SyncMaps));
    Stage::left_alone(app)
}

fn fade(mut dangers: ResMut<Dangers>, mut grids: Query<&mut NavGrid>) {
    dangers.ticks = dangers.ticks.wrapping_add(1);
    let Dangers { map, cells, ticks } = &*dangers;
    let danger = |index: usize| WORST - (ticks.wrapping_add((index / PATCH) as u16)) % WORST;
    let values = cells.iter().enumerate().map(|(index, &cell)| (cell, danger(index)));
    let mut grid = grids.get_mut(*map).expect("the map stays");
    grid.set_overlay("danger", values).expect("the cells are on the map");
}
