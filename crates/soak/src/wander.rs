//! A window of chunks that wanders over an endless world, with walkers in it.

use std::{collections::VecDeque, fmt};

use bevy_app::{App, Update};
use bevy_ecs::{
    entity::{Entity, EntityHashMap, EntityHashSet},
    observer::On,
    resource::Resource,
    schedule::SingleThreadedExecutor,
    system::ResMut,
};
use bevy_ecs_tilemap::prelude::*;
use bevy_math::{IVec2, Vec2};
use bevy_tilepath::{
    AgentPath, Cell, NavGrid, NavLayer, NavMap, PathAgent, PathGoal, PathRequest, Place, Terrain,
    TilepathPlugin,
    events::{Arrived, PathBlocked, PathFailed, PathLost, Replanned},
};
use bevy_time::Time;
use bevy_transform::components::Transform;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use testkit::Seed;

/// The side of a chunk, in tiles.
const CHUNK: i32 = 64;
const TILE: f32 = 16.0;
/// The speed in world units per second: 16 cells per tick, so that journeys end while the window
/// passes.
const SPEED: f32 = 1000.0 * TILE;
/// One tile in this number is a wall.
const WALLS: u32 = 8;

/// The least distance for which both halves of the journey must need equal memory, in chunks.
const LONG: i32 = 50;

/// The settings of a wandering window.
#[derive(Debug, Clone)]
pub struct Wander {
    /// The seed of walls and goals.
    pub seed: u64,
    /// The side of the window, in chunks.
    pub window: i32,
    /// The distance in chunks: east, then north, then back.
    pub distance: i32,
    /// The number of walkers at a time.
    pub walkers: usize,
}

impl Default for Wander {
    fn default() -> Self {
        Self { seed: 1, window: 8, distance: 1000, walkers: 200 }
    }
}

/// The report of a journey of the window there and back.
#[derive(Debug, Clone, Default)]
pub struct WanderReport {
    /// Journeys that ended.
    pub arrived: u64,
    /// Journeys that were planned again, because a chunk on their path was removed.
    pub replanned: u64,
    /// The number of changes of the map's rectangle.
    pub resized: u64,
    /// Bytes in use with the first window, before it moves.
    pub at_rest: u64,
    /// The most bytes in use on the journey out, and on the journey back.
    pub peaks: [u64; 2],
    /// The most cells of the map's rectangle, as a multiple of the window's cells.
    pub most_cells: f64,
}

impl fmt::Display for WanderReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |bytes: u64| bytes as f64 / self.at_rest as f64;
        write!(
            formatter,
            "{} arrived, {} replanned, {} rectangles, at most {:.2} windows large; {:.1} MB at rest, peaks {:.3} and {:.3} times that",
            self.arrived,
            self.replanned,
            self.resized,
            self.most_cells,
            self.at_rest as f64 / 1e6,
            share(self.peaks[0]),
            share(self.peaks[1]),
        )
    }
}

/// The events since the last check.
#[derive(Resource, Default)]
struct Heard {
    arrived: Vec<Entity>,
    disturbed: Vec<Entity>,
    failed: Vec<(Entity, String)>,
}

struct World {
    app: App,
    map: Entity,
    chunks: EntityHashMap<IVec2>,
    walkers: VecDeque<Entity>,
    random: ChaCha8Rng,
    settings: Wander,
    corner: IVec2,
    report: WanderReport,
}

/// Moves a window of chunks there and back, and checks walkers and memory.
///
/// # Errors
/// The fault as text: a chunk disturbed a journey that it does not concern, an order failed, or
/// memory was not given back.
pub fn wander(settings: &Wander) -> Result<WanderReport, String> {
    let mut world = None;
    let built = allocation_counter::measure(|| world = Some(World::new(settings)));
    let Some(mut world) = world else { return Err("there is no world".into()) };
    let at_rest = built.bytes_current.max(0) as u64;
    let there = [IVec2::X, IVec2::Y].map(|step| std::iter::repeat_n(step, settings.distance as usize));
    let there: Vec<IVec2> = there.into_iter().flatten().collect();
    let back: Vec<IVec2> = there.iter().rev().map(|step| -*step).collect();
    let mut now = at_rest as i64;
    let mut peaks = [0; 2];
    for (half, way) in [there, back].into_iter().enumerate() {
        let mut outcome = Ok(());
        let used =
            allocation_counter::measure(|| outcome = way.into_iter().try_for_each(|step| world.step(step)));
        outcome?;
        peaks[half] = (now + used.bytes_max as i64).max(0) as u64;
        now += used.bytes_current;
    }
    let report = WanderReport { at_rest, peaks, ..world.report };
    let ratio = peaks[1] as f64 / peaks[0] as f64;
    // For a short distance, the two halves are too short to be alike.
    if settings.distance >= LONG && !(0.95..=1.05).contains(&ratio) {
        return Err(format!("the peaks of the two halves differ: {report}"));
    }
    let most = peaks.into_iter().max().unwrap_or(0) as f64 / at_rest as f64;
    if most > 4.5 { Err(format!("more than 4.5 windows in memory: {report}")) } else { Ok(report) }
}

impl World {
    fn new(settings: &Wander) -> Self {
        let mut app = App::new();
        app.insert_resource(Time::<()>::default())
            .init_resource::<Heard>()
            .add_plugins(TilepathPlugin::in_schedule(Update))
            .edit_schedule(Update, |schedule| _ = schedule.set_executor(SingleThreadedExecutor::new()))
            .add_observer(|on: On<Arrived>, mut heard: ResMut<Heard>| heard.arrived.push(on.entity))
            .add_observer(|on: On<Replanned>, mut heard: ResMut<Heard>| heard.disturbed.push(on.entity))
            .add_observer(|on: On<PathBlocked>, mut heard: ResMut<Heard>| heard.disturbed.push(on.entity))
            .add_observer(|on: On<PathLost>, mut heard: ResMut<Heard>| {
                heard.failed.push((on.entity, on.reason.to_string()));
            })
            .add_observer(|on: On<PathFailed>, mut heard: ResMut<Heard>| {
                heard.failed.push((on.entity, on.reason.to_string()));
            });
        let map = app.world_mut().spawn((NavMap::default(), Transform::default())).id();
        let random = Seed::named(&format!("wander {}", settings.seed)).generator();
        let mut world = Self {
            app,
            map,
            chunks: EntityHashMap::default(),
            walkers: VecDeque::new(),
            random,
            settings: settings.clone(),
            corner: IVec2::ZERO,
            report: WanderReport::default(),
        };
        for place in world.window(IVec2::ZERO) {
            world.spawn_chunk(place);
        }
        world.tick();
        for _ in 0..world.settings.walkers {
            world.spawn_walker();
        }
        world.tick();
        world
    }

    fn window(&self, corner: IVec2) -> Vec<IVec2> {
        let side = self.settings.window;
        (0..side).flat_map(|y| (0..side).map(move |x| corner + IVec2::new(x, y))).collect()
    }

    fn tick(&mut self) {
        self.app.world_mut().resource_mut::<Time>().advance_by(std::time::Duration::from_millis(16));
        self.app.update();
    }

    /// Spawns a chunk. Its walls depend only on the seed and the place.
    fn spawn_chunk(&mut self, place: IVec2) {
        let mut random = Seed::named(&format!("chunk {} {place}", self.settings.seed)).generator();
        let size = TilemapSize::new(CHUNK as u32, CHUNK as u32);
        let offset = place * CHUNK;
        let tile_size = TilemapTileSize { x: TILE, y: TILE };
        let world = self.app.world_mut();
        let tilemap = world
            .spawn((
                NavLayer::new(self.map).with_offset(offset),
                size,
                tile_size,
                TilemapGridSize::from(tile_size),
                TilemapType::Square,
                Transform::from_translation((offset.as_vec2() * TILE).extend(0.0)),
            ))
            .id();
        let tiles: Vec<_> = (0..size.x * size.y)
            .map(|index| {
                // Borders are open, so that walkers can leave every chunk.
                let (x, y) = (index % size.x, index / size.x);
                let is_border = x == 0 || y == 0 || x + 1 == size.x || y + 1 == size.y;
                let is_wall = !is_border && random.random_ratio(1, WALLS);
                (TilePos::new(x, y), TilemapId(tilemap), TileTextureIndex(0), Terrain(u8::from(!is_wall)))
            })
            .collect();
        world.spawn_batch(tiles);
        self.chunks.insert(tilemap, place);
    }

    /// Returns a random cell on the border of a chunk in the window.
    fn open_cell(&mut self) -> Cell {
        let side = self.settings.window;
        let chunk =
            self.corner + IVec2::new(self.random.random_range(0..side), self.random.random_range(0..side));
        let along = self.random.random_range(0..CHUNK);
        let place = if self.random.random_bool(0.5) { IVec2::new(along, 0) } else { IVec2::new(0, along) };
        let IVec2 { x, y } = chunk * CHUNK + place;
        Cell::new(x, y)
    }

    fn spawn_walker(&mut self) {
        let (from, to) = (self.open_cell(), self.open_cell());
        let at = Vec2::new(from.x as f32, from.y as f32) * TILE;
        let agent = PathAgent { speed: SPEED.into(), ..PathAgent::default() };
        let walker = (agent, Transform::from_translation(at.extend(0.0)), PathRequest::to_cell(to));
        let walker = self.app.world_mut().spawn(walker).id();
        self.walkers.push_back(walker);
    }

    /// Moves the window by a chunk.
    fn step(&mut self, by: IVec2) -> Result<(), String> {
        let next = self.corner + by;
        let (before, after) = (self.window(self.corner), self.window(next));
        let stays = |cell: Cell| {
            let chunk = IVec2::new(cell.x.div_euclid(CHUNK), cell.y.div_euclid(CHUNK));
            let off = chunk - next;
            (0..self.settings.window).contains(&off.x) && (0..self.settings.window).contains(&off.y)
        };
        // The removed chunks concern the walkers whose path leads through them, and the walkers
        // that stand there.
        let world = self.app.world();
        let mut concerned = EntityHashSet::default();
        for &walker in &self.walkers {
            let path = world.get::<AgentPath>(walker).and_then(AgentPath::path);
            let here = world.get::<Transform>(walker).map_or(Vec2::ZERO, |at| at.translation.truncate());
            let here = (here / TILE).round().as_ivec2();
            let ahead = path.map_or(&[][..], |path| path.cells());
            // One cell around, for the corners of diagonal steps.
            let near =
                |cell: Cell| (-1..=1).all(|dy| (-1..=1).all(|dx| stays(Cell::new(cell.x + dx, cell.y + dy))));
            let leads_out = match world.get::<PathRequest>(walker).map(PathRequest::goal) {
                Some(PathGoal::One(Place::Cell(goal))) => !near(*goal),
                _ => true,
            };
            if leads_out
                || path.is_none()
                || !near(Cell::new(here.x, here.y))
                || !ahead.iter().all(|&cell| near(cell))
            {
                concerned.insert(walker);
            }
        }
        let gone: Vec<IVec2> = before.iter().copied().filter(|place| !after.contains(place)).collect();
        let tilemaps: EntityHashSet = self
            .chunks
            .iter()
            .filter(|(_, place)| gone.contains(place))
            .map(|(&tilemap, _)| tilemap)
            .collect();
        let world = self.app.world_mut();
        let tiles: Vec<Entity> = world
            .query::<(Entity, &TilemapId)>()
            .iter(world)
            .filter(|(_, tilemap)| tilemaps.contains(&tilemap.0))
            .map(|(tile, _)| tile)
            .collect();
        for entity in tiles.into_iter().chain(tilemaps.iter().copied()) {
            world.despawn(entity);
        }
        self.chunks.retain(|tilemap, _| !tilemaps.contains(tilemap));
        for place in after.into_iter().filter(|place| !before.contains(place)) {
            self.spawn_chunk(place);
        }
        self.corner = next;
        for _ in 0..self.walkers.len() {
            let Some(walker) = self.walkers.pop_front() else { break };
            if concerned.contains(&walker) {
                self.app.world_mut().despawn(walker);
                self.spawn_walker();
            } else {
                self.walkers.push_back(walker);
            }
        }
        let bounds = self.app.world().get::<NavGrid>(self.map).map(NavGrid::bounds);
        for _ in 0..3 {
            self.tick();
            self.look()?;
        }
        let now = self.app.world().get::<NavGrid>(self.map).map(NavGrid::bounds);
        self.report.resized += u64::from(now != bounds);
        let window = f64::from(self.settings.window * CHUNK).powi(2);
        let cells = now.map_or(0.0, |bounds| bounds.cell_count() as f64 / window);
        self.report.most_cells = self.report.most_cells.max(cells);
        Ok(())
    }

    /// Checks the events of this tick.
    fn look(&mut self) -> Result<(), String> {
        let heard = std::mem::take(&mut *self.app.world_mut().resource_mut::<Heard>());
        if let Some((walker, reason)) = heard.failed.first() {
            return Err(format!("{walker} at window {}: {reason}", self.corner));
        }
        if let Some(walker) = heard.disturbed.first() {
            return Err(format!(
                "{walker} was planned again at window {}, which no chunk can be the reason for",
                self.corner
            ));
        }
        for walker in heard.arrived {
            self.report.arrived += 1;
            let to = self.open_cell();
            // A walker that was removed with its chunk needs no order.
            if let Ok(mut walker) = self.app.world_mut().get_entity_mut(walker) {
                walker.insert(PathRequest::to_cell(to));
            }
        }
        Ok(())
    }
}
