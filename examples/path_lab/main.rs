//! The laboratory: see a search think, step by step, forward and back, and compare it with others.
//!
//! `cargo run --example path_lab`, or with `--headless` where there is no display.

mod bar;
mod bill;
mod brush;
mod comparison;
mod edges;
mod field;
mod headless;
mod ink;
mod keys;
mod lab;
mod link;
mod maps;
mod method;
mod mouse;
mod network;
mod order;
mod overlay;
mod palette;
mod panel;
mod report;
mod run;
mod settings;
mod shape;
mod turns;
mod view;
mod widgets;

use std::{io::stdout, path::PathBuf};

use bevy::{input_focus::tab_navigation::TabNavigationPlugin, prelude::*, winit::WinitSettings};
use clap::Parser;
use race_link::RaceLink;
use tilepath::{Cell, Diagonals, HeuristicKind, Topology, turns::LongStep};
use tilepath_examples::{
    camera::PanZoomPlugin,
    display::check_display,
    graph_file,
    layout::{Folded, LayoutPlugin},
    map_file,
    options::RunOptions,
    panel::PanelPlugin as ButtonPlugin,
    pointer::MapPointerPlugin,
    screenshot::ScreenshotPlugin,
    start::fail,
    window::window_plugins,
};

use crate::{
    lab::{Lab, LabPlugin},
    method::Method,
    order::Order,
    overlay::Sheet,
    settings::{Ground, Mode, Settings, Size},
    turns::POINTS,
};

/// The laboratory: a search step by step, forward and back
#[derive(Parser, Debug)]
#[command(version, name = "path_lab")]
struct Options {
    #[command(flatten)]
    run: RunOptions,

    /// The kind of map: grid or graph
    #[arg(long, value_enum, default_value_t = Mode::Grid)]
    mode: Mode,

    /// astar, landmarks, jps, dijkstra, greedy, weighted-astar, breadth-first, depth-first or backtracking
    #[arg(long, value_name = "NAME", default_value = "astar")]
    algorithm: Method,

    /// Race a second algorithm beside it, step by step
    #[arg(long, value_name = "NAME")]
    race: Option<Method>,

    /// never, only-when-no-obstacles, if-at-most-one-obstacle or always
    #[arg(long, value_name = "RULE", default_value = "only-when-no-obstacles")]
    diagonals: Diagonals,

    /// octile, manhattan, euclidean, chebyshev or zero
    #[arg(long, value_name = "NAME", default_value = "octile")]
    heuristic: HeuristicKind,

    /// The size of the grid
    #[arg(long, value_enum, default_value_t = Size::Small)]
    size: Size,

    /// The terrain of the grid
    #[arg(long, value_enum, default_value_t = Ground::Default)]
    ground: Ground,

    /// Search the map of FILE: a picture with S and G, a table of costs, or a MovingAI map
    #[arg(long, value_name = "FILE", conflicts_with_all = ["ground", "size", "graph"])]
    map: Option<PathBuf>,

    /// Search the graph of FILE (.xml or .ron)
    #[arg(long, value_name = "FILE", value_parser = graph_file::graph_file)]
    graph: Option<PathBuf>,

    #[command(flatten)]
    up: graph_file::UpOptions,

    /// Open a link that was copied here, on the page or by `copy link`: a whole address, or its part
    /// from the question mark on, in quotes
    #[arg(long, value_name = "LINK", conflicts_with_all = [
        "mode", "algorithm", "race", "diagonals", "heuristic", "size", "ground", "map", "graph", "topology", "unit",
        "from", "to",
    ])]
    link: Option<RaceLink>,

    /// The shape of the grid's cells: squares or hexagons
    #[arg(long, value_name = "SHAPE", default_value = "squares", value_parser = topology)]
    topology: Topology,

    /// The size of the unit, in cells a side; on hexagons 1
    #[arg(long, value_name = "SIDE", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=3))]
    unit: u8,

    /// Cut paths into turns of this many points: 30, 60 or 120; a straight step on plain ground
    /// takes 10
    #[arg(long, value_name = "N", value_parser = points)]
    points: Option<u32>,

    /// Rule for a step that costs more than a turn: never, or own-turn
    #[arg(long, value_name = "RULE", default_value = "never", value_parser = long_step, requires = "points")]
    over: LongStep,

    /// Start at this cell: column and row, counted from 0 at the bottom left; on hexagons axial coordinates
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = cell, conflicts_with = "graph")]
    from: Option<Cell>,

    /// Search a path to this cell
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = cell, conflicts_with = "graph")]
    to: Option<Cell>,

    /// Stop at this step, or at the end if there are fewer steps. Without it the search plays
    #[arg(long, value_name = "STEP")]
    step: Option<usize>,

    /// Open the explanation of the answer
    #[arg(long, conflicts_with = "headless")]
    explain: bool,
}

impl Options {
    fn settings(&self) -> Settings {
        Settings {
            mode: if self.graph.is_some() { Mode::Graph } else { self.mode },
            method: self.algorithm,
            rival: self.race.filter(|&rival| rival != self.algorithm),
            topology: self.topology,
            unit: self.unit,
            points: self.points,
            long_step: self.over,
            diagonals: self.diagonals,
            heuristic: self.heuristic,
            size: self.size,
            ground: self.ground,
            ..Settings::default()
        }
    }
}

/// Parses a cell of the command line.
fn cell(text: &str) -> Result<Cell, String> {
    let number = |part: &str| part.trim().parse().ok();
    text.split_once(',')
        .and_then(|(x, y)| Some(Cell::new(number(x)?, number(y)?)))
        .ok_or_else(|| "give column and row, such as 2,4".into())
}

/// Parses the shape of cells, named as on the buttons or as in the command line `tilepath`.
fn topology(text: &str) -> Result<Topology, String> {
    match text {
        "squares" => Ok(Topology::Square),
        "hexagons" => Ok(Topology::Hexagonal),
        _ => text.parse().map_err(|_| "say squares or hexagons".into()),
    }
}

/// Parses the points of a turn.
fn points(text: &str) -> Result<u32, String> {
    let points = text.parse().ok().filter(|points| POINTS.contains(points));
    points.ok_or_else(|| format!("say {}", POINTS.map(|points| points.to_string()).join(", ")))
}

/// Parses the rule for long steps, named as in the command line `tilepath`.
fn long_step(text: &str) -> Result<LongStep, String> {
    match text {
        "never" => Ok(LongStep::Never),
        "own-turn" => Ok(LongStep::OwnTurn),
        _ => Err("say never or own-turn".into()),
    }
}

/// Returns the experiment that the command line describes.
fn experiment(options: &Options) -> Result<Lab, String> {
    let settings = options.settings();
    for method in std::iter::once(settings.method).chain(settings.rival) {
        if settings.mode == Mode::Graph && method.on_graphs().is_none() {
            return Err(format!("{} is for grids; say astar, or --mode grid", method.name()));
        }
    }
    if settings.unit > 1 && settings.topology == Topology::Hexagonal {
        return Err("on hexagons a unit covers one cell; say --unit 1, or --topology squares".into());
    }
    let mut lab = match &options.link {
        Some(link) => link::lab_of(link, settings)?,
        None => Lab::new(settings),
    };
    if let Some(file) = &options.map {
        lab.take_map(map_file::read(file).map_err(|error| error.to_string())?);
    }
    if let Some(file) = &options.graph {
        let graph = graph_file::read(file).map_err(|error| error.to_string())?;
        if !lab.take_graph(graph, options.up.y_up) {
            return Err(format!("{}: there is no node in it", file.display()));
        }
    }
    if options.link.is_none() {
        lab.place_ends(options.from, options.to)?;
    }
    if let Some(step) = options.step {
        lab.obey(Order::Seek(step));
    }
    Ok(lab)
}

/// Starts the example. The page calls it, too.
#[must_use]
pub fn main() -> AppExit {
    let options = Options::parse();
    #[cfg(target_arch = "wasm32")]
    let options = match tilepath_examples::page::race_link() {
        Ok(link) => Options { link, ..options },
        Err(error) => return fail("path_lab", &error, 1),
    };
    let mut lab = match experiment(&options) {
        Ok(lab) => lab,
        Err(error) => return fail("path_lab", &error, 1),
    };
    if options.run.headless {
        lab.obey(Order::SeekEnd);
        return match headless::run(&lab, &mut stdout().lock()) {
            Ok(()) => AppExit::Success,
            Err(error) => fail("path_lab", &error, 1),
        };
    }
    if let Err(missing) = check_display() {
        return fail("path_lab", &missing, 1);
    }
    run_in_window(&options, lab)
}

fn run_in_window(options: &Options, lab: Lab) -> AppExit {
    let mut app = App::new();
    // Two boards need the room of the panel.
    app.insert_resource(Folded(lab.lanes().len() > 1));
    app.add_plugins(window_plugins("tilepath - the laboratory", &options.run))
        .insert_resource(WinitSettings::continuous())
        .insert_resource(ClearColor(palette::TABLE))
        .insert_resource(lab)
        .add_plugins((TabNavigationPlugin, PanZoomPlugin, MapPointerPlugin, ButtonPlugin, LayoutPlugin))
        .add_plugins((LabPlugin, view::ViewPlugin, mouse::MousePlugin, keys::KeysPlugin, link::LinkPlugin))
        .add_plugins((widgets::WidgetsPlugin, panel::PanelPlugin, bar::BarPlugin, overlay::OverlayPlugin));
    if options.explain {
        app.insert_resource(Sheet::Explanation);
    }
    if let Some(file) = &options.run.screenshot {
        app.add_plugins(ScreenshotPlugin { file: file.clone(), after: options.run.after });
    }
    app.run()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn experiment_of(arguments: &[&str]) -> Result<Lab, String> {
        let options = Options::try_parse_from(["path_lab"].iter().chain(arguments));
        experiment(&options.map_err(|error| error.to_string())?)
    }

    #[test]
    fn any_map_and_any_graph_can_be_opened() {
        let file = |name: &str| format!("{}/../assets/{name}", env!("CARGO_MANIFEST_DIR"));
        let map = experiment_of(&["--map", &file("maps/ford.txt"), "--from", "2,4", "--to", "19,3"]).unwrap();
        assert_eq!((map.field().start, map.field().goal), (Cell::new(2, 4), Cell::new(19, 3)));
        assert_eq!(map.settings().ground, Ground::Given);
        let graph = experiment_of(&["--graph", &file("waypoints/tutorial.ron")]).unwrap();
        assert_eq!(graph.network().name(graph.network().start), "n1");
        assert_eq!(graph.settings().mode, Mode::Graph);
    }

    #[test]
    fn the_shape_of_cells_is_named_as_on_its_button_or_as_by_the_command_line() {
        for (name, topology) in [
            ("squares", Topology::Square),
            ("hexagons", Topology::Hexagonal),
            ("square", Topology::Square),
            ("hexagonal", Topology::Hexagonal),
        ] {
            assert_eq!(experiment_of(&["--topology", name]).unwrap().settings().topology, topology);
        }
    }

    #[test]
    fn a_graph_file_is_shown_with_y_down_unless_y_up_is_asked_for() {
        let file = format!("{}/../assets/waypoints/tutorial.xml", env!("CARGO_MANIFEST_DIR"));
        assert!(!experiment_of(&["--graph", &file]).unwrap().network().is_y_up);
        assert!(experiment_of(&["--graph", &file, "--y-up"]).unwrap().network().is_y_up);
    }

    #[test]
    fn reason_is_shown_if_nothing_can_be_drawn() {
        for (arguments, said) in [
            (&["--map", "no-such.txt"][..], "no-such.txt cannot be read"),
            (&["--graph", "no-such.xml"], "no-such.xml cannot be read"),
            (&["--from", "99,0"], "(99, 0) is not on the map of 16 x 12"),
            (&["--mode", "graph", "--race", "jps"], "jump points is for grids"),
            (&["--from", "2"], "column and row"),
            (&["--points", "45"], "say 30, 60, 120"),
            (&["--topology", "triangles"], "say squares or hexagons"),
            (&["--y-up"], "--graph <FILE>"),
            (&["--link", "?example=path_lab"], "the link has no `map=`"),
            (&["--link", "map=2x1*1x2&from=0.0&to=1.0", "--race", "jps"], "cannot be used with '--race"),
            (&["--points", "60", "--over", "always"], "say never or own-turn"),
            (&["--topology", "hexagonal", "--unit", "2"], "on hexagons a unit covers one cell"),
            (&["--topology", "hexagonal", "--from", "-1,1"], "(-1, 1) is not on the map of 16 x 12"),
        ] {
            let fault = experiment_of(arguments).err().unwrap_or_default();
            assert!(fault.contains(said), "{arguments:?}: {fault}");
        }
    }

    #[test]
    fn search_plays_unless_a_step_is_given() {
        assert!(experiment_of(&[]).unwrap().is_playing());
        let still = experiment_of(&["--step", "5"]).unwrap();
        assert!(!still.is_playing() && still.at() == 5);
    }
}
