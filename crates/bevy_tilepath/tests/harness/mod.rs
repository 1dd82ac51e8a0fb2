//! Real apps, stepped by hand, for the tests of the plugin.

#![allow(dead_code, unused_imports, reason = "each test binary uses its own part of the harness")]

use std::time::Duration;

use bevy::{
    ecs::schedule::{ScheduleLabel, SingleThreadedExecutor},
    prelude::*,
    time::TimeUpdateStrategy,
    transform::TransformPlugin,
};
use bevy_tilepath::{
    Cell, NavGrid, PathFailure, TilepathPlugin,
    tilepath::{Bounds, format},
};

/// An app with the plugin in `FixedUpdate` that has been started: each [`tick`] is one fixed step.
pub(crate) fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, TilepathPlugin::default()));
    start(&mut app);
    app
}

/// Makes each update one fixed step, and gets the first one over with, which has none.
///
/// Systems run on this thread, so that [`logs_of`] hears them.
pub(crate) fn start(app: &mut App) {
    logs::listen();
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .edit_schedule(FixedUpdate, |schedule| {
            schedule.set_executor(SingleThreadedExecutor::new());
        })
        .update();
}

/// One fixed step.
pub(crate) fn tick(app: &mut App) {
    app.update();
}

/// The schedule of [`clockless_app`].
#[derive(ScheduleLabel, Debug, Clone, PartialEq, Eq, Hash)]
struct Step;

/// An app without clock, for [`step`]s of any length: virtual time would cut them to a quarter second.
pub(crate) fn clockless_app() -> App {
    let mut app = App::new();
    // Many short steps are faster on one thread.
    app.init_schedule(Step)
        .edit_schedule(Step, |schedule| {
            schedule.set_executor(SingleThreadedExecutor::new());
        })
        .insert_resource(Time::<()>::default())
        .add_plugins(TilepathPlugin::in_schedule(Step));
    app
}

/// One step of that many seconds.
pub(crate) fn step(app: &mut App, seconds: f64) {
    app.world_mut().resource_mut::<Time>().advance_by(Duration::from_secs_f64(seconds));
    app.world_mut().run_schedule(Step);
}

/// The map's grid, drawn: `.` is class 1, `#` a wall, a digit its class, `+` a larger class.
pub(crate) fn drawing(app: &App, map: Entity) -> String {
    format::to_ascii(app.world().get::<NavGrid>(map).expect("the entity is a map").grid(), None)
}

/// The rows of a picture without indentation and blank lines.
pub(crate) fn rows(picture: &str) -> Vec<&str> {
    picture.lines().map(str::trim).filter(|row| !row.is_empty()).collect()
}

/// Fails unless the map's grid looks like the picture.
#[track_caller]
pub(crate) fn assert_map(app: &App, map: Entity, picture: &str) {
    assert_eq!(drawing(app, map).lines().collect::<Vec<_>>(), rows(picture));
}

/// Whether the map can be searched.
pub(crate) fn is_ready(app: &App, map: Entity) -> bool {
    app.world().get::<NavGrid>(map).is_some_and(NavGrid::is_ready)
}

/// The failure of a start that is not on a map of that size whose first cell is (0, 0).
pub(crate) fn start_off(cell: (i32, i32), width: u32, height: u32) -> PathFailure {
    PathFailure::StartOutOfBounds { cell: cell.into(), bounds: bounds(width, height) }
}

/// The same of a goal.
pub(crate) fn goal_off(cell: (i32, i32), width: u32, height: u32) -> PathFailure {
    PathFailure::GoalOutOfBounds { cell: cell.into(), bounds: bounds(width, height) }
}

fn bounds(width: u32, height: u32) -> Bounds {
    Bounds::new(Cell::new(0, 0), width, height).expect("the map is small")
}

/// What was logged on this thread, from warnings upwards, while `run` ran.
pub(crate) fn logs_of(run: impl FnOnce()) -> Vec<String> {
    logs::listen();
    logs::take();
    run();
    logs::take()
}

/// What was logged by this process so far, from warnings upwards: assets are loaded by other threads.
pub(crate) fn logs_of_all_threads() -> Vec<String> {
    logs::heard_anywhere()
}

mod logs {
    use std::{
        cell::RefCell,
        fmt::{Debug, Write},
        sync::{Mutex, OnceLock, PoisonError},
    };

    use bevy::log::{
        Level,
        tracing::{
            Event, Subscriber,
            field::{Field, Visit},
            subscriber::set_global_default,
        },
        tracing_subscriber::{Layer, layer::Context, layer::SubscriberExt, registry},
    };

    thread_local! {
        static HEARD: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    }

    static HEARD_ANYWHERE: Mutex<Vec<String>> = Mutex::new(Vec::new());

    pub(super) fn heard_anywhere() -> Vec<String> {
        HEARD_ANYWHERE.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Hears every log of this process from now on. One listener for all tests: what a log call finds
    /// when it is first made, on whatever thread, is remembered for all.
    pub(super) fn listen() {
        static LISTENS: OnceLock<()> = OnceLock::new();
        LISTENS.get_or_init(|| set_global_default(registry().with(Listener)).expect("no other listener"));
    }

    /// What this thread logged since this was last asked.
    pub(super) fn take() -> Vec<String> {
        HEARD.take()
    }

    struct Listener;

    impl<S: Subscriber> Layer<S> for Listener {
        fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
            if *event.metadata().level() <= Level::WARN {
                let mut message = Message(String::new());
                event.record(&mut message);
                HEARD_ANYWHERE.lock().unwrap_or_else(PoisonError::into_inner).push(message.0.clone());
                HEARD.with_borrow_mut(|heard| heard.push(message.0));
            }
        }
    }

    struct Message(String);

    impl Visit for Message {
        fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
            if field.name() == "message" {
                write!(self.0, "{value:?}").expect("a string takes everything");
            }
        }
    }
}

#[cfg(feature = "tilemap")]
pub(crate) use tiles::*;

#[cfg(feature = "tilemap")]
mod tiles {
    use bevy::prelude::*;
    use bevy_ecs_tilemap::prelude::*;
    use bevy_tilepath::{NavLayer, NavMap, Terrain};

    use super::rows;

    /// All nine.
    pub(crate) const TYPES: [TilemapType; 9] = [
        TilemapType::Square,
        TilemapType::Isometric(IsoCoordSystem::Diamond),
        TilemapType::Isometric(IsoCoordSystem::Staggered),
        TilemapType::Hexagon(HexCoordSystem::Row),
        TilemapType::Hexagon(HexCoordSystem::RowOdd),
        TilemapType::Hexagon(HexCoordSystem::RowEven),
        TilemapType::Hexagon(HexCoordSystem::Column),
        TilemapType::Hexagon(HexCoordSystem::ColumnOdd),
        TilemapType::Hexagon(HexCoordSystem::ColumnEven),
    ];

    /// The size of the tiles of [`tilemap`].
    pub(crate) const TILE: f32 = 16.0;

    /// A tilemap with [`NavMap`], drawn: `.` is a tile of class 1, `#` a wall, a digit its class, `?` a tile
    /// without [`Terrain`], `_` no tile. Its bottom left corner is the map's origin, tiles are [`TILE`] wide.
    pub(crate) fn tilemap(app: &mut App, picture: &str) -> Entity {
        let map = bare_tilemap(app, picture);
        app.world_mut().entity_mut(map).insert(NavMap::default());
        map
    }

    /// The same as a layer of a map.
    pub(crate) fn layer(app: &mut App, map: Entity, order: i32, picture: &str) -> Entity {
        let layer = bare_tilemap(app, picture);
        app.world_mut().entity_mut(layer).insert(NavLayer::new(map).with_order(order));
        layer
    }

    /// The same without [`NavMap`].
    pub(crate) fn bare_tilemap(app: &mut App, picture: &str) -> Entity {
        let rows = rows(picture);
        let size = TilemapSize::new(rows.first().map_or(0, |row| row.len() as u32), rows.len() as u32);
        let tilemap = app.world_mut().spawn_empty().id();
        let mut storage = TileStorage::empty(size);
        for (y, row) in rows.iter().rev().enumerate() {
            for (x, letter) in row.chars().enumerate() {
                let class = match letter {
                    '_' => continue,
                    '?' => None,
                    '.' => Some(1),
                    '#' => Some(0),
                    digit => Some(digit.to_digit(10).expect("a digit names a class") as u8),
                };
                let position = TilePos::new(x as u32, y as u32);
                storage.set(&position, spawn_tile(app, tilemap, position, class));
            }
        }
        let tile_size = TilemapTileSize { x: TILE, y: TILE };
        app.world_mut().entity_mut(tilemap).insert(TilemapBundle {
            size,
            storage,
            tile_size,
            grid_size: tile_size.into(),
            anchor: TilemapAnchor::BottomLeft,
            ..default()
        });
        tilemap
    }

    /// A tile that is not in the tilemap's storage.
    pub(crate) fn spawn_tile(app: &mut App, tilemap: Entity, position: TilePos, class: Option<u8>) -> Entity {
        let mut tile =
            app.world_mut().spawn(TileBundle { position, tilemap_id: TilemapId(tilemap), ..default() });
        if let Some(class) = class {
            tile.insert(Terrain(class));
        }
        tile.id()
    }

    /// The tile that the tilemap's storage holds there.
    pub(crate) fn tile_at(app: &App, tilemap: Entity, x: u32, y: u32) -> Entity {
        let storage = app.world().get::<TileStorage>(tilemap).expect("the tilemap keeps its storage");
        storage.get(&TilePos::new(x, y)).expect("there was a tile")
    }

    /// The middle of a tile of [`tilemap`] in the world.
    pub(crate) fn centre(x: i32, y: i32) -> Vec2 {
        (Vec2::new(x as f32, y as f32) + 0.5) * TILE
    }
}
