//! Doors: one order leads from a meadow through a cottage into a town.
//!
//! The meadow and the cottage are tile maps, the town is a waypoint graph.
//!
//! `cargo run --example doors`, or with `--headless` where there is no display.
//!
//! Guide: `docs/guide/src/15-doors-and-storeys.md`.

mod headless;
mod hud;
mod level;
mod orders;
mod pictures;
mod report;
mod scene;
mod tour;
mod trail;

use bevy::{prelude::*, winit::WinitSettings};
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::TilepathPlugin;
use clap::Parser;
use tilepath_examples::{
    camera::{PanZoom, PanZoomPlugin},
    canvas::CanvasPlugin,
    figure::FigurePlugin,
    goal_flag::GoalFlagPlugin,
    options::RunOptions,
    panel::PanelPlugin,
    pointer::MapPointerPlugin,
    screenshot::ScreenshotPlugin,
    start::start,
    window::window_plugins,
};

use crate::{pictures::height, scene::AREA};

/// A meadow, a cottage and a town, joined by doors: click, and the soldier walks there through all
/// of them
#[derive(Parser, Debug)]
#[command(version, name = "doors")]
struct Options {
    #[command(flatten)]
    run: RunOptions,
}

/// Starts the example. The page calls it, too.
#[must_use]
pub fn main() -> AppExit {
    let Options { run } = Options::parse();
    start("doors", &run, headless::run, || run_in_window(&run))
}

fn run_in_window(run: &RunOptions) -> AppExit {
    let mut app = App::new();
    app.add_plugins(window_plugins("tilepath - doors", run))
        .insert_resource(WinitSettings::continuous())
        .add_plugins((TilemapPlugin, TilepathPlugin::default()))
        .add_plugins((PanZoomPlugin, MapPointerPlugin, PanelPlugin, CanvasPlugin))
        .add_plugins((scene::ScenePlugin, report::ReportPlugin, orders::OrdersPlugin))
        .add_plugins((
            pictures::PicturesPlugin,
            FigurePlugin {
                sheet: "sprites/soldier.png",
                shadow_height: height::SHADOW,
                lift: height::SOLDIER_LIFT,
            },
            GoalFlagPlugin { ring_height: height::RING },
            trail::TrailPlugin,
            hud::HudPlugin,
        ))
        .add_systems(Startup, |mut commands: Commands| {
            // This zoom fits the places of the maps.
            commands.spawn((Camera2d, PanZoom { zoom_range: (2, 2), ..PanZoom::new(AREA, 2) }));
        });
    if let Some(file) = run.screenshot.clone() {
        app.add_plugins((tour::TourPlugin, ScreenshotPlugin { file, after: run.after }));
    }
    app.run()
}
