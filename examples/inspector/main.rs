//! Every component and resource of the plugin in an inspector.
//!
//! It shows a small map with a graph behind a door. Change the values while units walk.
//!
//! `cargo run --example inspector --features tilepath_examples/inspector`
//!
//! Guide: `docs/guide/src/10-saving.md`.

mod panel;
mod scene;

use std::io::{self, Write};

use bevy::{prelude::*, winit::WinitSettings};
use bevy_ecs_tilemap::TilemapPlugin;
use bevy_inspector_egui::{DefaultInspectorConfigPlugin, bevy_egui::EguiPlugin};
use bevy_tilepath::{TilepathPlugin, debug::TilepathDebugPlugin, recording::PathRecorder};
use clap::Parser;
use tilepath_examples::{
    options::RunOptions, screenshot::ScreenshotPlugin, start::start, window::window_plugins,
};

/// Every component and resource of the plugin in an inspector
#[derive(Parser, Debug)]
#[command(version, name = "inspector")]
struct Options {
    #[command(flatten)]
    run: RunOptions,
}

fn main() -> AppExit {
    let run = Options::parse().run;
    let nothing = |_: &mut dyn Write| Err(io::Error::other("there is nothing to inspect without a window"));
    start("inspector", &run, nothing, || run_in_window(&run))
}

fn run_in_window(run: &RunOptions) -> AppExit {
    let mut app = App::new();
    app.add_plugins(window_plugins("tilepath - inspector", run))
        .insert_resource(WinitSettings::continuous())
        .add_plugins((TilemapPlugin, TilepathPlugin::default(), TilepathDebugPlugin))
        .insert_resource(PathRecorder::default().started())
        .add_plugins((EguiPlugin::default(), DefaultInspectorConfigPlugin))
        .add_plugins((scene::ScenePlugin, panel::PanelPlugin));
    if let Some(file) = run.screenshot.clone() {
        app.add_plugins(ScreenshotPlugin { file, after: run.after });
    }
    app.run()
}
