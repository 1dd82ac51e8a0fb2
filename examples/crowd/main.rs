//! A crowd: thousands of units walk between sixteen squares of a city.
//!
//! Units do not share cells.
//!
//! `cargo run --release --example crowd`, or with `--headless` where there is no display.
//!
//! Guide: `docs/guide/src/04-bodies-and-groups.md`.

mod arrows;
mod city;
mod clock;
mod headless;
mod hud;
mod keys;
mod looks;
mod near;
mod orders;
mod painter;
mod pictures;
mod plan;
mod scene;
mod traffic;
mod units;

use std::time::Duration;

use bevy::{prelude::*, window::PrimaryWindow, winit::WinitSettings};
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::TilepathPlugin;
use clap::Parser;
use tilepath_examples::{
    camera::{PanZoom, PanZoomPlugin},
    canvas::CanvasPlugin,
    layout::LayoutPlugin,
    options::RunOptions,
    panel::PanelPlugin,
    pointer::{MapPointer, MapPointerPlugin},
    scale::ratio_of,
    screenshot::ScreenshotPlugin,
    start::start,
    window::window_plugins,
};

use crate::{
    arrows::Shown,
    city::{City, GOALS},
    units::{Mode, Wanted},
};

/// Thousands of units walk between sixteen squares of a city
#[derive(Parser, Debug)]
#[command(version, name = "crowd")]
struct Options {
    #[command(flatten)]
    run: RunOptions,

    /// The number of units at the start: 2000, or 240 without a window
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=20_000))]
    units: Option<u32>,

    /// The number of the city and of its orders: the same number gives the same run
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// Begin with units that pass through each other
    #[arg(long, conflicts_with = "headless")]
    ghosts: bool,

    /// Show the field of this goal and the paths to it, 1 to 16
    #[arg(long, value_name = "GOAL", conflicts_with = "headless", value_parser = clap::value_parser!(u8).range(1..=GOALS as i64))]
    goal: Option<u8>,
}

/// Starts the example. The page calls it, too.
#[must_use]
pub fn main() -> AppExit {
    let options = Options::parse();
    let (city, units) = (City::new(options.seed), options.units.map(|units| units as usize));
    start(
        "crowd",
        &options.run,
        |out| headless::run(out, city.clone(), units.unwrap_or(240)),
        || run_in_window(&options, city.clone(), units.unwrap_or(2000)),
    )
}

fn run_in_window(options: &Options, city: City, units: usize) -> AppExit {
    let mode = if options.ghosts { Mode::Ghosts } else { Mode::Bodies };
    let mut app = App::new();
    app.add_plugins(window_plugins("tilepath - crowd", &options.run))
        .insert_resource(WinitSettings::continuous())
        .add_plugins((TilemapPlugin, TilepathPlugin::default()))
        .add_plugins((PanZoomPlugin, MapPointerPlugin, CanvasPlugin, PanelPlugin, LayoutPlugin))
        .insert_resource(city)
        .insert_resource(Wanted(units))
        .insert_resource(mode)
        .insert_resource(Shown::begin(options.goal.map(usize::from)))
        .add_plugins((scene::ScenePlugin, units::UnitsPlugin, orders::OrdersPlugin))
        .add_plugins((traffic::TrafficPlugin, clock::ClockPlugin))
        .add_plugins((
            looks::LooksPlugin,
            painter::PainterPlugin,
            arrows::ArrowsPlugin,
            keys::KeysPlugin,
            hud::HudPlugin,
        ))
        .add_systems(Startup, (spawn_camera, bound_ticks));
    if let Some(file) = options.run.screenshot.clone() {
        app.add_plugins(ScreenshotPlugin { file, after: options.run.after })
            // The pointer counts as beside the map, wherever the mouse is.
            .add_systems(Update, |mut pointer: ResMut<MapPointer>| pointer.world = None);
    }
    app.run()
}

/// In a small window the units would be smaller than 10 pixels, so it shows a smaller part.
fn spawn_camera(mut commands: Commands, window: Single<&Window, With<PrimaryWindow>>) {
    let zoom = if ratio_of(window.size()) < 1.0 { 5 } else { 3 };
    commands.spawn((Camera2d, PanZoom::new(scene::area(), zoom)));
}

/// Bounds the ticks of a frame to three. If ticks take too long, the city slows down and frames go
/// on.
fn bound_ticks(mut time: ResMut<Time<Virtual>>) {
    time.set_max_delta(Duration::from_millis(48));
}
