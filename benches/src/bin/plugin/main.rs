//! Timings of ticks of the whole plugin, in headless apps.
//!
//! The figures also include the work that the plugin counts. See `README.md`.
//!
//! `cargo run --release --features tilemaps --bin plugin [-- --against OTHER_BINARY] [WORD...]`

mod apps;
mod bodies;
mod cpu_time;
mod living;
mod measure;
mod memory;
mod pairs;
mod report;
mod scenes;
#[cfg(feature = "tilemaps")]
mod tiles;

use std::{path::PathBuf, process::ExitCode};

use clap::Parser;

use crate::{pairs::Contestant, scenes::Scene};

/// Times ticks of the plugin, scene by scene.
#[derive(Parser)]
struct Arguments {
    /// Only scenes whose name has one of these words.
    words: Vec<String>,
    /// The build of this program from another commit. Both programs run each scene in turns, and
    /// ratios are printed.
    #[arg(long, value_name = "OTHER_BINARY")]
    against: Option<PathBuf>,
    /// The threads of the task pool, on which long searches run side by side.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// The thread count of a second run of this program. Both runs do each scene in turns, and
    /// ratios are printed.
    #[arg(long, value_name = "THREADS", conflicts_with = "against")]
    against_threads: Option<usize>,
    /// Runs one scene once and prints its figures, for `--against`.
    #[arg(long, hide = true)]
    once: Option<String>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    apps::make_pool(arguments.threads);
    let scenes = scenes::all();
    if let Some(name) = &arguments.once {
        let Some(scene) = scenes.iter().find(|scene| scene.name == *name) else {
            eprintln!("unknown scene `{name}`");
            return ExitCode::FAILURE;
        };
        println!("{}", measure::run(scene));
        return ExitCode::SUCCESS;
    }
    let is_wanted = |scene: &&Scene| {
        arguments.words.is_empty() || arguments.words.iter().any(|word| scene.name.contains(word.as_str()))
    };
    let wanted: Vec<&Scene> = scenes.iter().filter(is_wanted).collect();
    match run(&wanted, &arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(scenes: &[&Scene], arguments: &Arguments) -> Result<(), String> {
    let own = Contestant::own(arguments.threads)?;
    match (&arguments.against, arguments.against_threads) {
        (Some(program), _) => {
            pairs::compare(scenes, &own, &Contestant { program: program.clone(), threads: own.threads })
        }
        (None, Some(threads)) => pairs::compare(scenes, &own, &Contestant::own(threads)?),
        (None, None) => pairs::measure(scenes, &own),
    }
}
