//! A town on a graph of named waypoints, edited while a messenger walks.
//!
//! Click, and the messenger walks there along the ways. After each edit of waypoints and ways it
//! finds another path.
//!
//! `cargo run --example waypoints`, or with `--headless` where there is no display.
//!
//! Guide: `docs/guide/src/16-waypoint-graphs.md`.

mod around;
mod edit;
mod hand;
mod headless;
mod hud;
mod keys;
mod mouse;
mod names;
mod network;
#[cfg(test)]
mod play;
mod pointing;
mod removed;
mod report;
mod save;
mod scene;
mod scenery;
mod settings;
mod supplies;
mod tour;
mod trail;

use std::path::PathBuf;

use bevy::{prelude::*, winit::WinitSettings};
use bevy_tilepath::TilepathPlugin;
use clap::{Parser, ValueEnum};
use tilepath_examples::{
    camera::{PanZoom, PanZoomPlugin},
    canvas,
    figure::FigurePlugin,
    goal_flag::GoalFlagPlugin,
    graph_file,
    layout::LayoutPlugin,
    options::RunOptions,
    panel::PanelPlugin,
    pointer::MapPointerPlugin,
    screenshot::ScreenshotPlugin,
    start::{fail, start},
    town,
    window::window_plugins,
};

use crate::{
    save::SaveFile,
    scene::{ScenePlugin, Source, height},
};

/// A town on a graph of named waypoints: click, and the messenger walks there along the ways
#[derive(Parser, Debug)]
#[command(version, name = "waypoints")]
struct Options {
    #[command(flatten)]
    run: RunOptions,

    /// Load the graph from FILE (.xml or .ron) instead of the town's own
    #[arg(long, value_name = "FILE", value_parser = graph_file::graph_file, conflicts_with = "headless")]
    graph: Option<PathBuf>,

    #[command(flatten)]
    up: graph_file::UpOptions,

    /// The picture below a graph from a file
    #[arg(long, value_enum, default_value_t = Below::Meadow, requires = "graph")]
    below: Below,

    /// The file for the key S, which saves the graph (.xml or .ron)
    #[arg(long, value_name = "FILE", default_value = "edited.waypoints.xml", value_parser = graph_file::graph_file)]
    save: PathBuf,

    /// The scene of the screenshot
    #[arg(long, value_enum, default_value_t = tour::Moment::Hover, requires = "screenshot")]
    moment: tour::Moment,
}

/// The picture below a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Below {
    /// Grass, and the graph as large as it fits
    Meadow,
    /// The town, for a graph that was saved here: its y points up
    Town,
}

/// Starts the example. The page calls it, too.
#[must_use]
pub fn main() -> AppExit {
    let options = Options::parse();
    let source = match &options.graph {
        None => Source::Town,
        Some(file) => match graph_file::read(file) {
            Ok(graph) if options.below == Below::Town => Source::OverTown(graph),
            Ok(graph) => Source::OverMeadow { graph, is_y_up: options.up.y_up },
            Err(error) => return fail("waypoints", &error, 2),
        },
    };
    start("waypoints", &options.run, headless::run, || run_in_window(&options, source))
}

fn run_in_window(options: &Options, source: Source) -> AppExit {
    let mut app = App::new();
    app.add_plugins(window_plugins("tilepath - waypoints", &options.run))
        .insert_resource(WinitSettings::continuous())
        .insert_resource(SaveFile(options.save.clone()))
        .add_plugins((TilepathPlugin::default(), PanZoomPlugin, MapPointerPlugin, PanelPlugin, LayoutPlugin))
        .add_plugins((ScenePlugin { source }, scenery::SceneryPlugin))
        .add_plugins((pointing::PointingPlugin, mouse::MousePlugin, keys::KeysPlugin, save::SavePlugin))
        .add_plugins((
            FigurePlugin {
                sheet: "sprites/traveller.png",
                shadow_height: height::SHADOW,
                lift: height::WALKER_LIFT,
            },
            GoalFlagPlugin { ring_height: height::RING },
            canvas::CanvasPlugin,
            around::AroundPlugin,
            network::NetworkPlugin,
            removed::RemovedPlugin,
            supplies::SuppliesPlugin,
            supplies::SuppliesPicturePlugin,
            trail::TrailPlugin,
            names::NamesPlugin,
            hud::HudPlugin,
        ))
        .add_systems(Startup, spawn_camera);
    if let Some(file) = options.run.screenshot.clone() {
        app.add_plugins((
            tour::TourPlugin { moment: options.moment },
            ScreenshotPlugin { file, after: options.run.after },
        ));
    }
    app.run()
}

fn spawn_camera(mut commands: Commands) {
    // S saves, so the letters WASD do not move the view.
    commands.spawn((Camera2d, PanZoom { letters: false, ..PanZoom::beside_panel(town::AREA, 2) }));
}
