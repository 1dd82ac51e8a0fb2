//! The command `soak`: `cargo run --release -p soak -- --ticks 10000 --seed 1`.
//!
//! See the crate's documentation.

use std::{
    process::ExitCode,
    time::{Duration, Instant},
};

use bevy_app::TaskPoolOptions;
use bevy_tilepath::{maps::Lattice, tilepath::UnknownName};
use clap::Parser;
use soak::{Checkpoint, Deed, FailingRun, Report, Settings, Violation, run, shrink};
#[cfg(feature = "tilemaps")]
use soak::{Wander, wander};

/// The longest time for which a shorter run is looked for.
const SHRINKING: Duration = Duration::from_mins(10);

/// Runs agents, maps and doors for a long time, and checks the plugin after every tick.
#[derive(Parser)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command")]
struct Arguments {
    /// The ticks of all epochs together.
    #[arg(long, default_value_t = 10_000)]
    ticks: u32,
    /// The seed. Equal seeds give equal runs.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of seeds. Each seed is a run.
    #[arg(long, default_value_t = 1)]
    seeds: u64,
    /// The number of agents at a time.
    #[arg(long, default_value_t = 200)]
    agents: usize,
    /// The number of epochs. At the end of each, everything is despawned.
    #[arg(long, default_value_t = 16)]
    epochs: u32,
    /// The only deeds to do, separated by commas.
    #[arg(long, value_delimiter = ',')]
    only: Vec<Deed>,
    /// The deeds to leave out, separated by commas.
    #[arg(long, value_delimiter = ',')]
    without: Vec<Deed>,
    /// The lattice of all maps, for example `diamond` or `hex-row-odd`. `all`: each seed has one of
    /// the nine lattices.
    #[arg(long, default_value = "square", value_parser = parse_tiles)]
    tiles: Tiles,
    /// Give most agents one of five movements, and change it.
    #[arg(long)]
    movements: bool,
    /// Let most agents walk straight lines or with an offset, and move some by their velocity.
    #[arg(long)]
    lines: bool,
    /// Set buildings of 5 × 5 cells on units.
    #[arg(long)]
    buildings: bool,
    /// Threads of the task pool, on which long searches run side by side. The number does not
    /// change the hash.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Print the life of the agent with this number on standard error.
    #[arg(long)]
    trace: Option<u32>,
    /// Takes the state of the plugin after this tick. Each seed runs twice: one run goes on, the
    /// other puts the state into a new world. Both must end with the same hash.
    #[arg(long)]
    checkpoint: Option<u32>,
    /// Takes the state of the plugin after every N ticks. Without `--checkpoint`, each seed runs twice,
    /// and the second run loads the state in the middle of its first epoch.
    #[arg(long, value_name = "N", default_value_t = 0)]
    states_every: u32,
    /// Examines all paths in each tick, also those that need no check. The hash stays the same.
    #[arg(long)]
    examine_all: bool,
    /// Ends each run after this tick, wherever it is.
    #[arg(long)]
    until: Option<u32>,
    /// After a violation, looks for a shorter run with a violation of the same kind, for at most ten
    /// minutes, and prints its arguments.
    #[arg(long)]
    shrink: bool,
    /// Run the other test: a window of chunks wanders this number of chunks east and north, and
    /// back.
    #[cfg(feature = "tilemaps")]
    #[arg(long)]
    wander: Option<i32>,
}

impl Arguments {
    /// Returns the tick of the checkpoint.
    fn checkpoint(&self) -> Option<u32> {
        let middle = (self.ticks / self.epochs.max(1) / 2).max(1);
        self.checkpoint.or((self.states_every > 0).then_some(middle))
    }
}

#[derive(Debug, Clone, Copy)]
enum Tiles {
    One(Lattice),
    BySeed,
}

fn parse_tiles(text: &str) -> Result<Tiles, String> {
    match text {
        "all" => Ok(Tiles::BySeed),
        _ => text.parse().map(Tiles::One).map_err(|error: UnknownName| format!("{error}, or all")),
    }
}

/// Makes the task pool of the process.
fn make_pool(threads: usize) {
    let mut pools = TaskPoolOptions::default();
    pools.compute.min_threads = threads.max(1);
    pools.compute.max_threads = threads.max(1);
    pools.create_default_pools();
}

/// Runs settings. With a checkpoint, runs them twice: goes on, and loads the state into a new world.
/// Both runs must end with the same hash.
fn run_both(settings: &Settings) -> Result<Report, Violation> {
    let report = run(settings)?;
    let Some((tick, _)) = settings.checkpoint else { return Ok(report) };
    let loaded = run(&Settings { checkpoint: Some((tick, Checkpoint::Load)), ..settings.clone() })?;
    if loaded.hash == report.hash {
        return Ok(report);
    }
    let what = format!("the run goes on to {:016x}, and after loading to {:016x}", report.hash, loaded.hash);
    Err(Violation { seed: settings.seed, tick: report.ticks, agent: None, what })
}

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a program reports there")]
fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let wanted = |deed: &Deed| {
        (arguments.only.is_empty() || arguments.only.contains(deed)) && !arguments.without.contains(deed)
    };
    make_pool(arguments.threads);
    #[cfg(feature = "tilemaps")]
    if let Some(distance) = arguments.wander {
        let began = Instant::now();
        let outcome = wander(&Wander { seed: arguments.seed, distance, ..Wander::default() });
        return match outcome {
            Ok(report) => {
                println!("{report}\n{:.1} s", began.elapsed().as_secs_f64());
                ExitCode::SUCCESS
            }
            Err(what) => {
                eprintln!("{what}");
                ExitCode::FAILURE
            }
        };
    }
    let mut is_sound = true;
    for seed in arguments.seed..arguments.seed.saturating_add(arguments.seeds) {
        let settings = Settings {
            seed,
            ticks: arguments.ticks,
            agents: arguments.agents,
            epochs: arguments.epochs,
            deeds: Deed::ALL.into_iter().filter(wanted).collect(),
            lattice: match arguments.tiles {
                Tiles::One(lattice) => lattice,
                Tiles::BySeed => Lattice::ALL[(seed % Lattice::ALL.len() as u64) as usize],
            },
            movements: arguments.movements,
            lines: arguments.lines,
            buildings: arguments.buildings,
            trace: arguments.trace,
            checkpoint: arguments.checkpoint().map(|tick| (tick, Checkpoint::GoOn)),
            states_every: arguments.states_every,
            examines_all: arguments.examine_all,
            until: arguments.until,
        };
        let began = Instant::now();
        match run_both(&settings) {
            Ok(report) => println!("{report}\n{:.1} s", began.elapsed().as_secs_f64()),
            Err(violation) => {
                is_sound = false;
                eprintln!("{violation}\nreproduce it with: soak {settings}");
                if arguments.shrink {
                    let began = Instant::now();
                    let failing = FailingRun { settings, violation };
                    let best = shrink(failing, run_both, || began.elapsed() > SHRINKING);
                    eprintln!("shortest: {}\nreproduce it with: soak {}", best.violation, best.settings);
                }
            }
        }
    }
    if is_sound { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
