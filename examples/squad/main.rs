//! A squad: drag a frame to select, then one right click gives each unit a place.
//!
//! There are formations, a gate that opens and shuts, wagons and boats.
//!
//! `cargo run --example squad`, or with `--headless` where there is no display.
//!
//! Guide: `docs/guide/src/04-bodies-and-groups.md`.

mod dress;
mod film;
mod headless;
mod hud;
mod keys;
mod level;
mod marks;
mod orders;
mod save;
mod scene;
mod select;
mod tour;
mod units;

use std::{path::PathBuf, time::Duration};

use bevy::{prelude::*, winit::WinitSettings};
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::TilepathPlugin;
use clap::Parser;
use tilepath_examples::{
    camera::{PanZoom, PanZoomPlugin},
    canvas::CanvasPlugin,
    figure::FigurePlugin,
    layout::LayoutPlugin,
    options::RunOptions,
    panel::PanelPlugin,
    pointer::MapPointerPlugin,
    saved_game::save_plugin,
    scenery::FramesPlugin,
    screenshot::{FilmPlugin, ScreenshotPlugin},
    start::start,
    window::window_plugins,
};

use crate::{level::Level, scene::height};

/// Drag a frame to select, one right click, and each unit finds a place
#[derive(Parser, Debug)]
#[command(version, name = "squad")]
struct Options {
    #[command(flatten)]
    run: RunOptions,

    /// Save the pictures of the README's film into FOLDER and exit
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["headless", "screenshot"])]
    film: Option<PathBuf>,
}

/// Starts the example. The page calls it, too.
#[must_use]
pub fn main() -> AppExit {
    let Options { run, film } = Options::parse();
    start("squad", &run, headless::run, || run_in_window(&run, film))
}

fn run_in_window(run: &RunOptions, film: Option<PathBuf>) -> AppExit {
    let mut app = App::new();
    app.add_plugins(window_plugins("tilepath - squad", run))
        .insert_resource(WinitSettings::continuous())
        .add_plugins((TilemapPlugin, TilepathPlugin::default()))
        .add_plugins((PanZoomPlugin, MapPointerPlugin, CanvasPlugin, PanelPlugin, LayoutPlugin))
        .add_plugins((scene::ScenePlugin, orders::OrdersPlugin, select::SelectPlugin, keys::KeysPlugin))
        .add_plugins((
            dress::DressPlugin,
            FramesPlugin,
            FigurePlugin { sheet: "sprites/soldier.png", shadow_height: height::SHADOW, lift: 0.0 },
            marks::MarksPlugin,
            hud::HudPlugin,
            save_plugin::<save::SavedSquad>,
        ))
        .add_systems(Startup, spawn_camera);
    if let Some(file) = run.screenshot.clone() {
        app.add_plugins((tour::TourPlugin, ScreenshotPlugin { file, after: run.after }));
    }
    if let Some(folder) = film {
        let step = Duration::from_millis(100);
        app.add_plugins((film::FilmTourPlugin, FilmPlugin { folder, pictures: 150, step }));
    }
    app.run()
}

fn spawn_camera(mut commands: Commands, level: Res<Level>) {
    commands.spawn((Camera2d, PanZoom::beside_panel(level.plan.area(), 2)));
}
