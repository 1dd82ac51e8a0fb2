//! A soldier on a tile map: click, and it walks the cheapest path there.
//!
//! If the ground is painted, it finds another path. A wagon of two by two cells and a boat have
//! movements of their own.
//!
//! `cargo run --example soldier`, or with `--headless` where there is no display.
//!
//! Guide: `docs/guide/src/02-terrain-and-movements.md`.

mod brush;
mod chosen;
mod costs;
mod cursor;
mod dress;
mod film;
mod headless;
mod hud;
mod level;
mod message;
mod orders;
mod preview;
mod record;
mod report;
mod rules;
mod save;
mod scene;
mod tour;
mod trail;
mod units;

use std::{path::PathBuf, time::Duration};

use bevy::{prelude::*, winit::WinitSettings};
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{
    TilepathPlugin,
    debug::{TilepathDebugPlugin, TilepathGizmos},
};
use clap::Parser;
use tilepath_examples::{
    camera::{PanZoom, PanZoomPlugin},
    figure::FigurePlugin,
    goal_flag::GoalFlagPlugin,
    layout::LayoutPlugin,
    options::{RunOptions, recording_file},
    panel::PanelPlugin,
    pointer::MapPointerPlugin,
    saved_game::save_plugin,
    screenshot::{FilmPlugin, ScreenshotPlugin},
    start::start,
    window::window_plugins,
};

use crate::{
    level::Level,
    rules::Rules,
    scene::{ScenePlugin, height},
};

/// A soldier on a tile map: click, and it walks the cheapest path there
#[derive(Parser, Debug)]
#[command(version, name = "soldier")]
struct Options {
    #[command(flatten)]
    run: RunOptions,

    /// Save a recording of all orders, edits and answers to FILE (.ron) at the end, and whenever F9
    /// is pressed
    #[arg(long, value_name = "FILE", value_parser = recording_file)]
    record: Option<PathBuf>,

    /// Save the pictures of the README's film into FOLDER and exit
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["headless", "screenshot"])]
    film: Option<PathBuf>,
}

/// Starts the example. The page calls it, too.
#[must_use]
pub fn main() -> AppExit {
    let Options { run, record, film } = Options::parse();
    start(
        "soldier",
        &run,
        |out| headless::run(out, record.as_deref()),
        || run_in_window(&run, record.clone(), film),
    )
}

fn run_in_window(run: &RunOptions, record: Option<PathBuf>, film: Option<PathBuf>) -> AppExit {
    let mut app = App::new();
    app.add_plugins(window_plugins("tilepath - soldier", run))
        .insert_resource(WinitSettings::continuous())
        .add_plugins((TilemapPlugin, TilepathPlugin::default(), TilepathDebugPlugin))
        .add_plugins((PanZoomPlugin, MapPointerPlugin, PanelPlugin, LayoutPlugin))
        .add_plugins((ScenePlugin, orders::OrdersPlugin, preview::PreviewPlugin))
        .add_plugins((
            dress::DressPlugin,
            FigurePlugin { sheet: "sprites/soldier.png", shadow_height: height::SHADOW, lift: 0.0 },
            GoalFlagPlugin { ring_height: height::MARKS + 0.3 },
            trail::TrailPlugin,
            (cursor::CursorPlugin, chosen::ChosenPlugin, costs::CostsPlugin),
            (hud::HudPlugin, message::MessagePlugin),
            (record::RecordPlugin { file: record }, save_plugin::<save::SavedRiverside>),
        ))
        .add_systems(Startup, spawn_camera)
        .add_systems(Update, show_overlays.run_if(resource_changed::<Rules>));
    if let Some(file) = run.screenshot.clone() {
        app.add_plugins((tour::TourPlugin, ScreenshotPlugin { file, after: run.after }));
    }
    if let Some(folder) = film {
        let step = Duration::from_millis(100);
        app.add_plugins((film::FilmTourPlugin, FilmPlugin { folder, pictures: 125, step }));
    }
    app.run()
}

fn spawn_camera(mut commands: Commands, level: Res<Level>) {
    commands.spawn((Camera2d, PanZoom::beside_panel(level.plan.area(), 2)));
}

fn show_overlays(rules: Res<Rules>, mut store: ResMut<GizmoConfigStore>) {
    let (config, style) = store.config_mut::<TilepathGizmos>();
    config.enabled = rules.show_costs || rules.show_search;
    style.walls = rules.show_costs;
    style.costs = rules.show_costs;
    style.searches = rules.show_search;
    style.paths = false; // the example draws its own
}
