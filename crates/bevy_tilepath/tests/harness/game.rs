//! A game: an app with the plugin, stepped by hand.

use std::time::Duration;

use bevy::{
    ecs::{
        entity::EntityHashMap,
        schedule::{ScheduleLabel, SingleThreadedExecutor},
        system::RunSystemOnce,
    },
    prelude::*,
    time::TimeUpdateStrategy,
    transform::TransformPlugin,
};
use bevy_tilepath::{
    AgentPath, Body, Cell, Cost, Diagonals, NavGrid, NavMap, NavProjection, NavQuery, PathAgent, PathRequest,
    PathStatus, TilepathDiagnostics, TilepathPlugin, TilepathSettings,
    queries::WhyNot,
    tilepath::{Grid, Path, format},
};

use super::{
    CELL, centre, logs, rows, shuffle_systems,
    told::{BodyNews, GroupNews, Log, Named, Told, listen},
};

/// An app with the plugin, stepped by hand. It records all events of the plugin.
#[derive(Deref, DerefMut)]
pub(crate) struct Game(pub(crate) App);

/// The schedule of [`Game::long_steps`].
#[derive(ScheduleLabel, Debug, Clone, PartialEq, Eq, Hash)]
struct Step;

/// The positions at the end of the last fixed step. After that, a transform is only what is drawn.
#[derive(Resource, Default)]
struct Simulated(EntityHashMap<Vec2>);

fn note_positions(mut simulated: ResMut<Simulated>, transforms: Query<(Entity, &Transform)>) {
    simulated.0 = transforms.iter().map(|(entity, at)| (entity, at.translation.truncate())).collect();
}

/// Shuffles the systems by the seed in the environment variable `TILEPATH_SHUFFLE_SEED`, if it is set.
fn shuffle_on_request(app: &mut App) {
    let Ok(seed) = std::env::var("TILEPATH_SHUFFLE_SEED") else { return };
    shuffle_systems(app, seed.parse().expect("TILEPATH_SHUFFLE_SEED is a number"));
}

/// The app and its steps.
impl Game {
    /// Starts a game with the plugin in `FixedUpdate`: each [`tick`](Self::tick) is one fixed step.
    pub(crate) fn new() -> Self {
        let mut game = Self(App::new());
        game.add_plugins((MinimalPlugins, TransformPlugin, TilepathPlugin::default()));
        game.start();
        game
    }

    /// Starts a game in which a component of the game disables entities, as `Disabled` does.
    pub(crate) fn with_disabling<C: Component>() -> Self {
        let mut game = Self(App::new());
        game.register_disabling_component::<C>();
        game.add_plugins((MinimalPlugins, TransformPlugin, TilepathPlugin::default()));
        game.start();
        game
    }

    /// Makes each update one fixed step, and runs the first update, which has no step.
    ///
    /// Systems run on this thread, so that [`logs_of`](super::logs_of) records their logs.
    pub(crate) fn start(&mut self) {
        logs::listen();
        listen(self);
        self.init_resource::<Simulated>()
            .add_systems(FixedLast, note_positions)
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
            .edit_schedule(FixedUpdate, |schedule| {
                schedule.set_executor(SingleThreadedExecutor::new());
            });
        shuffle_on_request(self);
        self.update();
    }

    /// Starts a game without a clock, for [`step`](Self::step)s of any length. Virtual time would
    /// cut a step to a quarter of a second.
    pub(crate) fn long_steps() -> Self {
        let mut app = App::new();
        // Many short steps are faster on one thread.
        app.init_schedule(Step)
            .edit_schedule(Step, |schedule| {
                schedule.set_executor(SingleThreadedExecutor::new());
            })
            .insert_resource(Time::<()>::default())
            .add_plugins(TilepathPlugin::in_schedule(Step));
        shuffle_on_request(&mut app);
        listen(&mut app);
        Self(app)
    }

    /// Starts a game with a map of this size. All cells have class 1.
    pub(crate) fn open(width: u32, height: u32) -> (Self, Entity) {
        let mut game = Self::new();
        let map = game.open_map(width, height);
        (game, map)
    }

    /// Starts a game with the map in the picture.
    pub(crate) fn drawn_as(picture: &str) -> (Self, Entity) {
        let mut game = Self::new();
        let map = game.map(picture);
        (game, map)
    }

    /// Takes one fixed step.
    pub(crate) fn tick(&mut self) {
        self.update();
    }

    /// Takes `count` fixed steps.
    pub(crate) fn ticks(&mut self, count: usize) {
        (0..count).for_each(|_| self.tick());
    }

    /// Ticks until the condition holds, at most `most` times. Returns the number of ticks.
    #[track_caller]
    pub(crate) fn tick_until(&mut self, most: usize, mut is_so: impl FnMut(&mut Self) -> bool) -> usize {
        for ticks in 0..most {
            if is_so(self) {
                return ticks;
            }
            self.tick();
        }
        panic!("the condition did not become true in {most} ticks");
    }

    /// Takes `count` steps of this length, in a game without a clock.
    pub(crate) fn steps(&mut self, count: usize, seconds: f64) {
        (0..count).for_each(|_| self.step(seconds));
    }

    /// Takes one step of this length, in a game without a clock.
    pub(crate) fn step(&mut self, seconds: f64) {
        self.world_mut().resource_mut::<Time>().advance_by(Duration::from_secs_f64(seconds));
        self.world_mut().run_schedule(Step);
    }

    /// Sets the work that a tick may do.
    pub(crate) fn budget(&mut self, work_per_tick: u64) {
        self.insert_resource(TilepathSettings { work_per_tick });
    }

    /// Returns what the plugin did in the last tick.
    pub(crate) fn diagnostics(&self) -> TilepathDiagnostics {
        *self.world().resource::<TilepathDiagnostics>()
    }

    /// Runs a query on the world, as a system would.
    pub(crate) fn ask<T: 'static>(&mut self, question: impl Fn(&NavQuery) -> T + Send + Sync + 'static) -> T {
        self.world_mut()
            .run_system_once(move |nav: NavQuery| question(&nav))
            .expect("the world has everything that the query reads")
    }

    /// Returns why an agent does not move.
    pub(crate) fn why_not(&mut self, unit: Entity) -> Option<WhyNot> {
        self.ask(move |nav| nav.why_not(unit))
    }

    /// Returns the warnings and errors that this thread logs in `count` ticks.
    pub(crate) fn logs_of_ticks(&mut self, count: usize) -> Vec<String> {
        super::logs_of(|| self.ticks(count))
    }
}

/// Maps. Cells are [`CELL`] wide, and the bottom left corner is the origin.
impl Game {
    /// Spawns the map in the picture, without tiles.
    pub(crate) fn map(&mut self, picture: &str) -> Entity {
        self.map_of(format::parse_ascii(picture).expect("the picture is a map"), Diagonals::default())
    }

    /// Spawns a map of this size. All cells have class 1.
    pub(crate) fn open_map(&mut self, width: u32, height: u32) -> Entity {
        self.map_of(Grid::new(width, height, 1).expect("the map is small"), Diagonals::default())
    }

    /// Spawns the map of a grid.
    pub(crate) fn map_of(&mut self, grid: Grid, diagonals: Diagonals) -> Entity {
        let projection = NavProjection::square(Vec2::splat(CELL), Vec2::splat(CELL / 2.0));
        self.world_mut().spawn((NavMap { diagonals, ..default() }, NavGrid::new(grid), projection)).id()
    }

    /// Sets the class of a cell.
    pub(crate) fn set_terrain(&mut self, map: Entity, x: i32, y: i32, class: u8) {
        let mut grid = self.world_mut().get_mut::<NavGrid>(map).expect("the map is there");
        grid.set_terrain(Cell::new(x, y), class).expect("the cell is on the map");
    }

    /// Returns the map's grid as text: `.` is class 1, `#` is a wall, a digit is that class, and
    /// `+` is a larger class.
    pub(crate) fn drawing(&self, map: Entity) -> String {
        format::to_ascii(self.world().get::<NavGrid>(map).expect("the entity is a map").grid(), None)
    }

    /// Fails unless the map's grid looks like the picture.
    #[track_caller]
    pub(crate) fn assert_map(&self, map: Entity, picture: &str) {
        assert_eq!(self.drawing(map).lines().collect::<Vec<_>>(), rows(picture));
    }

    /// Returns whether the map can be searched.
    pub(crate) fn is_ready(&self, map: Entity) -> bool {
        self.world().get::<NavGrid>(map).is_some_and(NavGrid::is_ready)
    }
}

/// Units and their orders.
impl Game {
    /// Spawns an agent at the centre of a cell.
    pub(crate) fn agent(&mut self, x: i32, y: i32, speed: f32) -> Entity {
        self.agent_at(centre(x, y), speed)
    }

    /// Spawns an agent.
    pub(crate) fn agent_at(&mut self, position: Vec2, speed: f32) -> Entity {
        let agent = PathAgent { speed: speed.into(), ..default() };
        self.world_mut().spawn((agent, Transform::from_translation(position.extend(3.0)))).id()
    }

    /// Spawns an agent in the first cell with an order to the second one.
    pub(crate) fn ordered_agent(&mut self, start: (i32, i32), speed: f32, goal: (i32, i32)) -> Entity {
        let agent = self.agent(start.0, start.1, speed);
        self.order_to(agent, goal.0, goal.1);
        agent
    }

    /// Spawns an agent with a body.
    pub(crate) fn body(&mut self, x: i32, y: i32, speed: f32) -> Entity {
        let body = self.agent(x, y, speed);
        self.world_mut().entity_mut(body).insert(Body::default());
        body
    }

    /// Spawns an entity that is not an agent.
    pub(crate) fn thing(&mut self, x: i32, y: i32) -> Entity {
        self.world_mut().spawn(Transform::from_translation(centre(x, y).extend(0.0))).id()
    }

    /// Moves an entity to a cell, as a game would.
    pub(crate) fn put(&mut self, entity: Entity, x: i32, y: i32) {
        self.world_mut().get_mut::<Transform>(entity).expect("it has a transform").translation =
            centre(x, y).extend(0.0);
    }

    /// Gives an order.
    pub(crate) fn order(&mut self, entity: Entity, order: PathRequest) {
        self.world_mut().entity_mut(entity).insert(order);
    }

    /// Gives an order to go to a cell.
    pub(crate) fn order_to(&mut self, entity: Entity, x: i32, y: i32) {
        self.order(entity, PathRequest::to_cell(Cell::new(x, y)));
    }

    /// Removes an order.
    pub(crate) fn cancel(&mut self, entity: Entity) {
        self.world_mut().entity_mut(entity).remove::<PathRequest>();
    }

    /// Lets an entity request a path, so that the first search prepares the data of the map. The
    /// work that a test counts later does not include this.
    pub(crate) fn explore(&mut self) {
        let settings =
            self.world_mut().remove_resource::<TilepathSettings>().expect("the plugin has settings");
        self.init_resource::<TilepathSettings>();
        let scout = self.thing(1, 0);
        self.order_to(scout, 0, 0);
        self.tick();
        self.world_mut().despawn(scout);
        self.insert_resource(settings);
        self.told();
    }

    /// Ticks until no agent has an order.
    #[track_caller]
    pub(crate) fn run_until_quiet(&mut self, most: usize) {
        for _ in 0..most {
            let mut orders = self.world_mut().query_filtered::<(), With<PathRequest>>();
            if orders.iter(self.world()).count() == 0 {
                return;
            }
            self.tick();
        }
        panic!("there are still orders after {most} ticks");
    }
}

/// The state of units.
impl Game {
    /// Returns the position at the end of the last step. Before the first step, this is the start
    /// position.
    pub(crate) fn position(&self, entity: Entity) -> Vec2 {
        let simulated = self.world().get_resource::<Simulated>().and_then(|all| all.0.get(&entity));
        simulated.copied().unwrap_or_else(|| self.drawn(entity))
    }

    /// Returns the position where an entity is drawn.
    pub(crate) fn drawn(&self, entity: Entity) -> Vec2 {
        self.world().get::<Transform>(entity).expect("the entity is there").translation.truncate()
    }

    /// Returns the cell under an entity.
    pub(crate) fn cell_at(&self, entity: Entity) -> Cell {
        let at = (self.position(entity) / CELL).floor();
        Cell::new(at.x as i32, at.y as i32)
    }

    /// Returns the status of an agent.
    pub(crate) fn status(&self, entity: Entity) -> PathStatus {
        *self.world().get::<PathStatus>(entity).expect("the entity is there")
    }

    /// Returns whether an agent has an order.
    pub(crate) fn is_ordered(&self, entity: Entity) -> bool {
        self.world().get::<PathRequest>(entity).is_some()
    }

    /// Returns whether an agent waits for the answer to its order.
    pub(crate) fn is_waiting(&self, entity: Entity) -> bool {
        matches!(self.status(entity), PathStatus::Queued | PathStatus::Searching)
    }

    /// Returns the path of an agent.
    pub(crate) fn path(&self, entity: Entity) -> &AgentPath {
        self.world().get::<AgentPath>(entity).expect("the entity has a path")
    }

    /// Returns the cells of the current leg.
    pub(crate) fn cell_path(&self, entity: Entity) -> &Path {
        self.path(entity).path().expect("the leg leads over cells")
    }

    /// Returns the cost of the current leg.
    pub(crate) fn cost(&self, entity: Entity) -> Cost {
        self.cell_path(entity).cost()
    }
}

/// The recorded events.
impl Game {
    /// Returns the events since the last call, on maps of tiles. Leaves out passed doors.
    pub(crate) fn told(&mut self) -> Vec<(Entity, Told)> {
        let log = std::mem::take(&mut self.world_mut().resource_mut::<Log>().0);
        let log = log.into_iter().filter(|(_, told)| !matches!(told, Told::Passed { .. }));
        log.map(|(entity, told)| (entity, told.on_tiles())).collect()
    }

    /// Returns the events of one entity since the last call, without waypoints. Drops all other
    /// events.
    pub(crate) fn told_of(&mut self, entity: Entity) -> Vec<Told> {
        let told =
            self.told().into_iter().filter(|(who, what)| *who == entity && !matches!(what, Told::Reached(_)));
        told.map(|(_, what)| what).collect()
    }

    /// Returns the events of one entity as text: `found (3, 0) for 30, arrived at (3, 0)`.
    pub(crate) fn words_of(&mut self, entity: Entity) -> String {
        self.told_of(entity).iter().map(Told::to_string).collect::<Vec<_>>().join(", ")
    }

    /// Returns the events since the last call, with names.
    pub(crate) fn named(&mut self) -> Vec<(Entity, Named)> {
        let log = std::mem::take(&mut self.world_mut().resource_mut::<Log>().0);
        log.into_iter().map(|(entity, told)| (entity, told.named())).collect()
    }

    /// Returns the events of one entity since the last call, with names. Drops all other events.
    pub(crate) fn named_of(&mut self, entity: Entity) -> Vec<Named> {
        self.named().into_iter().filter(|(who, _)| *who == entity).map(|(_, what)| what).collect()
    }

    /// Returns those events without the waypoints.
    pub(crate) fn news_of(&mut self, entity: Entity) -> Vec<Named> {
        self.named_of(entity).into_iter().filter(|told| !matches!(told, Told::Reached(_))).collect()
    }

    /// Returns all recorded events of bodies.
    pub(crate) fn body_news(&self) -> &BodyNews {
        self.world().resource::<BodyNews>()
    }

    /// Returns all recorded events of groups.
    pub(crate) fn group_news(&self) -> &GroupNews {
        self.world().resource::<GroupNews>()
    }
}
