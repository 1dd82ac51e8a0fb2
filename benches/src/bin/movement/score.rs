//! The scenes in the plugin, and their figures.

use bevy_app::App;
use bevy_ecs::{entity::Entity, observer::On, resource::Resource, system::ResMut};
use bevy_math::Vec2;
use bevy_tilepath::{
    Body, Diagonals, NavGrid, NavMap, NavProjection, PathAgent, PathRequest,
    agents::Speed,
    events::{Arrived, PathFailed, PathLost},
    maps::Lattice,
    tilepath::{Grid, PathQuery},
};
use bevy_transform::components::Transform;

use crate::{
    apps::{CELL, app},
    scenes::{Scene, Turns, all},
};

const DRAWS: u32 = 5;
const TICKS_A_SECOND: u32 = 64;
/// The ticks between the orders of the two sides.
const CLICK_TICKS: u32 = TICKS_A_SECOND / 2;
/// The ticks of a straight step. The bodies of a side have them in turns.
const PACES: [u32; 3] = [4, 7, 10];
/// The ticks after which a draw ends.
const MAX_TICKS: u32 = 12_000;

#[derive(Clone, Copy)]
enum Ways {
    Eight,
    Four,
    Hexagons,
}

/// The ends of the orders.
#[derive(Resource, Default)]
struct Ends {
    tick: u32,
    /// The agents that have arrived, and the tick.
    arrived: Vec<(Entity, u32)>,
    lost: Vec<Entity>,
}

/// A body in the app.
struct Unit {
    entity: Entity,
    ordered: u32,
    request: PathRequest,
    /// The ticks of its cheapest path, if it walks alone.
    alone: f64,
    at: Vec2,
}

/// The figures of one draw.
struct Figures {
    is_resolved: bool,
    /// Ticks of the last and of the 95th of 100 arrivals, divided by the ticks of the longest and of
    /// the 95th of 100 walks without other bodies.
    last: f64,
    most: f64,
    /// The share of the ticks under way in which a body did not move.
    standing: f64,
    lost: usize,
}

/// Runs and prints the rows whose name is wanted.
pub(crate) fn print_rows(is_wanted: impl Fn(&str) -> bool) {
    println!(
        "| scene | ways | orders | resolved of {DRAWS} | last ÷ alone | 95th ÷ alone | standing | orders lost |"
    );
    println!("|---|---|---|--:|--:|--:|--:|--:|");
    for scene in all() {
        let ways: &[Ways] =
            if scene.has_other_ways { &[Ways::Eight, Ways::Four, Ways::Hexagons] } else { &[Ways::Eight] };
        for &ways in ways {
            for turns in Turns::ALL {
                let name = format!("{} | {} | {}", scene.name, ways.name(), turns.name());
                if is_wanted(&name) {
                    println!("| {name} | {} |", row(&scene, ways, turns));
                }
            }
        }
    }
}

fn row(scene: &Scene, ways: Ways, turns: Turns) -> String {
    let draws: Vec<Figures> = (0..DRAWS).map(|draw| run(scene, ways, turns, draw)).collect();
    let mean = |figure: fn(&Figures) -> f64| draws.iter().map(figure).sum::<f64>() / f64::from(DRAWS);
    let resolved = draws.iter().filter(|draw| draw.is_resolved).count();
    let lost: usize = draws.iter().map(|draw| draw.lost).sum();
    let [last, most, standing] = [mean(|draw| draw.last), mean(|draw| draw.most), mean(|draw| draw.standing)];
    format!("{resolved} | {last:.2} | {most:.2} | {:.0} % | {lost}", standing * 100.0)
}

impl Ways {
    const fn name(self) -> &'static str {
        match self {
            Self::Eight => "eight",
            Self::Four => "four",
            Self::Hexagons => "hexagons",
        }
    }
}

fn run(scene: &Scene, ways: Ways, turns: Turns, draw: u32) -> Figures {
    let mut app = app();
    app.init_resource::<Ends>()
        .add_observer(|on: On<Arrived>, mut ends: ResMut<Ends>| {
            let tick = ends.tick;
            ends.arrived.push((on.entity, tick));
        })
        .add_observer(|on: On<PathFailed>, mut ends: ResMut<Ends>| ends.lost.push(on.entity))
        .add_observer(|on: On<PathLost>, mut ends: ResMut<Ends>| ends.lost.push(on.entity));
    let map = spawn_map(&mut app, scene, ways);
    let mut units = spawn_units(&mut app, map, scene, turns, draw);
    let (mut under_way, mut standing) = (0_u64, 0_u64);
    for tick in 1..=MAX_TICKS {
        for unit in units.iter().filter(|unit| unit.ordered + 1 == tick) {
            app.world_mut().entity_mut(unit.entity).insert(unit.request.clone());
        }
        app.world_mut().resource_mut::<Ends>().tick = tick;
        let has_order = |app: &App, unit: &Unit| app.world().get::<PathRequest>(unit.entity).is_some();
        let walking: Vec<bool> = units.iter().map(|unit| has_order(&app, unit)).collect();
        app.update();
        for (unit, is_walking) in units.iter_mut().zip(walking) {
            let place = app.world().get::<Transform>(unit.entity).expect("the unit stays");
            let at = place.translation.truncate();
            under_way += u64::from(is_walking);
            standing += u64::from(is_walking && at == unit.at);
            unit.at = at;
        }
        let ends = app.world().resource::<Ends>();
        if ends.arrived.len() + ends.lost.len() >= units.len() {
            break;
        }
    }
    let ends = app.world().resource::<Ends>();
    figures(&units, ends, standing as f64 / under_way.max(1) as f64)
}

fn figures(units: &[Unit], ends: &Ends, standing: f64) -> Figures {
    let ordered = |entity| units.iter().find(|unit| unit.entity == entity).map_or(0, |unit| unit.ordered);
    let arrivals = ends.arrived.iter().map(|&(entity, tick)| f64::from(tick - ordered(entity)));
    let arrivals = Ranked::new(arrivals.collect());
    let alone = Ranked::new(units.iter().map(|unit| unit.alone).collect());
    Figures {
        is_resolved: ends.lost.is_empty() && ends.arrived.len() == units.len(),
        last: arrivals.at(100) / alone.at(100),
        most: arrivals.at(95) / alone.at(95),
        standing,
        lost: units.len() - ends.arrived.len(),
    }
}

/// Numbers in ascending order.
struct Ranked(Vec<f64>);

impl Ranked {
    fn new(mut numbers: Vec<f64>) -> Self {
        numbers.sort_by(f64::total_cmp);
        Self(numbers)
    }

    /// Returns the number below which this percentage of the numbers lies, or 0 without numbers.
    fn at(&self, percent: usize) -> f64 {
        let index = (self.0.len() * percent).div_ceil(100).saturating_sub(1);
        self.0.get(index).copied().unwrap_or_default()
    }
}

fn spawn_map(app: &mut App, scene: &Scene, ways: Ways) -> Entity {
    let lattice = if matches!(ways, Ways::Hexagons) { Lattice::HexRow } else { Lattice::Square };
    let diagonals =
        if matches!(ways, Ways::Four) { Diagonals::Never } else { Diagonals::OnlyWhenNoObstacles };
    let tiles = &scene.tiles;
    let grid = Grid::from_classes(tiles.width, tiles.height, tiles.classes.clone())
        .expect("the map is within limits");
    let rules = NavMap { diagonals, ..NavMap::default() };
    let projection = NavProjection::new(lattice, Vec2::splat(CELL), Vec2::splat(CELL / 2.0));
    app.world_mut().spawn((rules, NavGrid::new(grid.with_topology(lattice.topology())), projection)).id()
}

fn spawn_units(app: &mut App, map: Entity, scene: &Scene, turns: Turns, draw: u32) -> Vec<Unit> {
    let walkers = scene.draw(turns, draw);
    let projection = app.world().get::<NavProjection>(map).expect("the map stays").clone();
    let mut counts = [0; 2];
    let mut units: Vec<Unit> = Vec::new();
    for walker in &walkers {
        let pace = PACES[counts[walker.side] % PACES.len()];
        counts[walker.side] += 1;
        let at = projection.position_of(walker.start);
        let agent =
            PathAgent { speed: Speed::Cells(TICKS_A_SECOND as f32 / pace as f32), ..PathAgent::default() };
        let entity =
            app.world_mut().spawn((agent, Body::default(), Transform::from_translation(at.extend(0.0)))).id();
        let is_late = turns != Turns::InTurns && walker.side == 1;
        let ordered = if is_late { CLICK_TICKS } else { 0 };
        let request = PathRequest::to_cell(walker.goal);
        units.push(Unit { entity, ordered, request, alone: f64::from(pace), at });
    }
    // The map has read its rules after one tick.
    app.update();
    let grid = app.world().get::<NavGrid>(map).expect("the map stays");
    for (unit, walker) in units.iter_mut().zip(&walkers) {
        let query = PathQuery::new(walker.start, walker.goal).with_movement(grid.movement());
        let path = grid.finder().solve(&query).expect("both are on the map").outcome.into_path();
        let cost = path.expect("the scene is connected").cost();
        unit.alone *= f64::from(cost.get()) / 10.0;
    }
    units
}
