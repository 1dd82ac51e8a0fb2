//! Towers: creeps go from two gates to the keep, and the player builds towers.
//!
//! A tower that would close a path is refused before it is built, with a reason.
//!
//! `cargo run --example towers`, or with `--headless` where there is no display.
//!
//! Guide: `docs/guide/src/08-tower-defence.md`.

mod build;
mod creeps;
mod dress;
mod headless;
mod held;
mod hud;
mod keys;
mod level;
mod scene;
mod shots;
mod tour;
mod ways;

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
    screenshot::ScreenshotPlugin,
    start::start,
    window::window_plugins,
};

use crate::{level::Level, scene::height};

/// Build towers against the creeps: any maze is allowed, a closed wall is not
#[derive(Parser, Debug)]
#[command(version, name = "towers")]
struct Options {
    #[command(flatten)]
    run: RunOptions,
}

/// Starts the example. The page calls it, too.
#[must_use]
pub fn main() -> AppExit {
    let Options { run } = Options::parse();
    start("towers", &run, headless::run, || run_in_window(&run))
}

fn run_in_window(run: &RunOptions) -> AppExit {
    let mut app = App::new();
    app.add_plugins(window_plugins("tilepath - towers", run))
        .insert_resource(WinitSettings::continuous())
        .add_plugins((TilemapPlugin, TilepathPlugin::default()))
        .add_plugins((PanZoomPlugin, MapPointerPlugin, CanvasPlugin, PanelPlugin, LayoutPlugin))
        .add_plugins((scene::ScenePlugin, held::HeldPlugin, keys::KeysPlugin))
        .add_plugins((
            dress::DressPlugin,
            FigurePlugin { sheet: "sprites/soldier.png", shadow_height: height::SHADOW, lift: 0.0 },
            hud::HudPlugin,
        ))
        .add_systems(Startup, spawn_camera);
    if let Some(file) = run.screenshot.clone() {
        app.add_plugins((tour::TourPlugin, ScreenshotPlugin { file, after: run.after }));
    }
    app.run()
}

fn spawn_camera(mut commands: Commands, level: Res<Level>) {
    commands.spawn((Camera2d, PanZoom::beside_panel(level.plan.area(), 2)));
}
