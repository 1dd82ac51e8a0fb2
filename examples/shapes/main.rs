//! Four shapes of tiles in one window: click on any map, and its walker goes there.
//!
//! `cargo run --example shapes`, or with `--headless` where there is no display.
//!
//! Guide: `docs/guide/src/14-hexagons-and-isometric-maps.md`.

mod ground;
mod headless;
mod hud;
mod land;
mod level;
mod orders;
mod pictures;
mod scene;
mod tour;
mod trail;
mod view;

use bevy::{prelude::*, winit::WinitSettings};
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::TilepathPlugin;
use clap::Parser;
use tilepath_examples::{
    camera::PanZoomPlugin, canvas::CanvasPlugin, figure::FigurePlugin, goal_flag::GoalFlagPlugin,
    options::RunOptions, pointer::MapPointerPlugin, screenshot::ScreenshotPlugin, start::start,
    window::window_plugins,
};

use crate::{level::Shape, scene::height};

/// Squares, diamonds, staggered diamonds and hexagons: click on any map, and its walker goes there
#[derive(Parser, Debug)]
#[command(version, name = "shapes")]
struct Options {
    #[command(flatten)]
    run: RunOptions,

    /// Enlarge one map at the start
    #[arg(long, value_name = "MAP")]
    enlarge: Option<Shape>,
}

/// Starts the example. The page calls it, too.
#[must_use]
pub fn main() -> AppExit {
    let Options { run, enlarge } = Options::parse();
    start("shapes", &run, headless::run, || run_in_window(&run, enlarge))
}

fn run_in_window(run: &RunOptions, enlarged: Option<Shape>) -> AppExit {
    let mut app = App::new();
    app.add_plugins(window_plugins("tilepath - shapes", run))
        .insert_resource(WinitSettings::continuous())
        .add_plugins((TilemapPlugin, TilepathPlugin::default()))
        .add_plugins((PanZoomPlugin, MapPointerPlugin, CanvasPlugin))
        .add_plugins((scene::ScenePlugin, orders::OrdersPlugin, view::ViewPlugin { enlarged }))
        .add_plugins((
            pictures::PicturesPlugin,
            FigurePlugin { sheet: "sprites/soldier.png", shadow_height: height::SHADOW, lift: 0.0 },
            GoalFlagPlugin { ring_height: height::RING },
            trail::TrailPlugin,
            hud::HudPlugin,
        ));
    if let Some(file) = run.screenshot.clone() {
        app.add_plugins((tour::TourPlugin, ScreenshotPlugin { file, after: run.after }));
    }
    app.run()
}
