//! The laboratory: see a search think, step by step, forward and back, and compare it with others.
//!
//! `cargo run --example path_lab`, or with `--headless` where there is no display.

mod bar;
mod comparison;
mod field;
mod headless;
mod ink;
mod keys;
mod lab;
mod mouse;
mod network;
mod overlay;
mod palette;
mod panel;
mod report;
mod run;
mod settings;
mod view;
mod widgets;

use std::{io::stdout, path::PathBuf};

use bevy::{input_focus::tab_navigation::TabNavigationPlugin, prelude::*, winit::WinitSettings};
use clap::Parser;
use tilepath::{Diagonals, Estimate};
use tilepath_examples::{
    camera::PanZoomPlugin, display::check_display, graph_file, options::RunOptions,
    pointer::MapPointerPlugin, screenshot::ScreenshotPlugin, window::window_plugins,
};

use crate::{
    lab::{Lab, LabPlugin, Order},
    overlay::Sheet,
    settings::{Ground, Method, Mode, Settings, Size},
};

/// The laboratory: see a search think, step by step, forward and back
#[derive(Parser, Debug)]
#[command(version, name = "path_lab")]
struct Options {
    #[command(flatten)]
    run: RunOptions,

    /// What is searched
    #[arg(long, value_enum, default_value_t = Mode::Grid)]
    mode: Mode,

    /// astar, jps, dijkstra, greedy, weighted-astar, breadth-first, depth-first or backtracking
    #[arg(long, value_name = "NAME", default_value = "astar")]
    algorithm: Method,

    /// never, only-when-no-obstacles, if-at-most-one-obstacle or always
    #[arg(long, value_name = "RULE", default_value = "only-when-no-obstacles")]
    diagonals: Diagonals,

    /// octile, manhattan, euclidean, chebyshev or zero
    #[arg(long, value_name = "NAME", default_value = "octile")]
    heuristic: Estimate,

    /// How large the grid is
    #[arg(long, value_enum, default_value_t = Size::Small)]
    size: Size,

    /// What the grid is filled with
    #[arg(long, value_enum, default_value_t = Ground::Usual)]
    map: Ground,

    /// Search the graph of FILE (.xml or .ron) in place of the tutorial's
    #[arg(long, value_name = "FILE", value_parser = graph_file::graph_file)]
    waypoints: Option<PathBuf>,

    /// Begin at this step; past the last it is the end
    #[arg(long, value_name = "STEP", default_value_t = 0)]
    step: usize,

    /// Begin with the explanation of the answer
    #[arg(long, conflicts_with = "headless")]
    explain: bool,
}

impl Options {
    fn settings(&self) -> Settings {
        Settings {
            mode: if self.waypoints.is_some() { Mode::Graph } else { self.mode },
            method: self.algorithm,
            diagonals: self.diagonals,
            estimate: self.heuristic,
            size: self.size,
            ground: self.map,
            ..Settings::default()
        }
    }
}

fn main() -> AppExit {
    let options = Options::parse();
    let settings = options.settings();
    if settings.mode == Mode::Graph && settings.method.on_graphs().is_none() {
        return fail(&format!("{} is for grids; say astar, or --mode grid", settings.method.name()));
    }
    let mut lab = Lab::new(settings);
    if let Some(file) = &options.waypoints {
        let graph = match graph_file::read(file) {
            Ok(graph) => graph,
            Err(error) => return fail(&error),
        };
        if !lab.take_graph(graph) {
            return fail(&format!("{}: there is no node in it", file.display()));
        }
    }
    lab.obey(Order::Seek(options.step));
    if options.run.headless {
        lab.obey(Order::SeekEnd);
        return match headless::run(&lab, &mut stdout().lock()) {
            Ok(()) => AppExit::Success,
            Err(error) => fail(&error),
        };
    }
    if let Err(missing) = check_display() {
        return fail(&missing);
    }
    run_in_window(&options, lab)
}

#[expect(clippy::print_stderr, reason = "the one line that a program without a window can say")]
fn fail(error: &dyn std::fmt::Display) -> AppExit {
    eprintln!("path_lab: {error}");
    AppExit::error()
}

fn run_in_window(options: &Options, lab: Lab) -> AppExit {
    let mut app = App::new();
    app.add_plugins(window_plugins("tilepath - the laboratory"))
        .insert_resource(WinitSettings::continuous())
        .insert_resource(ClearColor(palette::TABLE))
        .insert_resource(lab)
        .add_plugins((TabNavigationPlugin, PanZoomPlugin, MapPointerPlugin))
        .add_plugins((LabPlugin, view::ViewPlugin, mouse::MousePlugin, keys::KeysPlugin))
        .add_plugins((widgets::WidgetsPlugin, panel::PanelPlugin, bar::BarPlugin, overlay::OverlayPlugin));
    if options.explain {
        app.insert_resource(Sheet::Explanation);
    }
    if let Some(file) = &options.run.screenshot {
        app.add_plugins(ScreenshotPlugin { file: file.clone(), after: options.run.after });
    }
    app.run()
}
