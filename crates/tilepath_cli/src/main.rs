//! The command line `tilepath`.
//!
//! It finds cheapest paths over maps and waypoint graphs from files, draws maps, and runs MovingAI
//! scenarios.
//!
//! | command | what it does |
//! |---|---|
//! | `tilepath solve MAP --from X,Y --to X,Y` | one path, as text, as JSON, as PNG |
//! | `tilepath solve --link LINK` | the query of a link from the laboratory |
//! | `tilepath solve … --what-if X,Y=C` | one path on a map with changed cells, compared with the map without the changes |
//! | `tilepath forbidden MAP --from X,Y --to X,Y` | the cells that must stay open: a wall on one of them blocks every path |
//! | `tilepath scen FILE.scen` | every query of a scenario, compared with the file or with `Algorithm::Dijkstra` |
//! | `tilepath render MAP --png FILE` | the map as PNG, with options for a path and the expanded cells |
//! | `tilepath range MAP --from X,Y --points N` | the cells that a unit can reach in each turn, as text, as JSON, as PNG |
//! | `tilepath turns MAP --from X,Y --to X,Y --points N` | one path in turns, and why each turn ends where it does, as text, as JSON |
//! | `tilepath view MAP --from X,Y --range N` | the cells that a unit sees, as text, as JSON, as PNG |
//! | `tilepath graph FILE --from ID --to ID` | one path on a waypoint graph, as text, as JSON, as PNG |
//! | `tilepath graph FILE --from ID --within N` | all waypoints within N steps of a waypoint |
//! | `tilepath replay FILE` | all queries and crowd ticks of a recording, compared bit for bit with the recorded answers |
//! | `tilepath lint RULES [MAP]` | errors in a file of rules, and rules that are legal but probably mistakes |
//!
//! X,Y count columns from the left and rows from the top, from 0, for every `--topology`. The names
//! of `--topology` are those in the library, which count odd rows from the bottom: the last row of
//! a file is row 0. A file named `-` is standard input.
//!
//! Exit code 0: found (or no mismatch, no lint), 1: no path (or a mismatch, a lint), 2: bad input.
//! If the reader of standard output closes its pipe, the command runs on without output.
//! Bad input prints nothing on standard output, and the file and the line on standard error.

mod arguments;
mod asked;
mod board;
mod colours;
mod explanation;
mod failure;
mod forbidden;
mod graph;
mod input;
mod layout;
mod lint;
mod map_file;
mod output;
mod picture;
mod place;
mod printed;
mod question;
mod range;
mod render;
mod replay;
mod replay_tick;
mod rules;
mod scenario;
mod solve;
mod supposed;
mod text_picture;
mod turns;
mod view;
mod whole_number;

use arguments::{Arguments, Command};
use clap::Parser;
use colours::Colours;
use output::Output;
use printed::printed;
use std::{
    ffi::OsString,
    io::{self, Write},
    process::ExitCode,
};

/// The result of a command that ran to its end: its exit code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    /// Exit code 0: there is a path, or no row mismatches.
    Good,
    /// Exit code 1: there is no path, or a row mismatches.
    Bad,
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return refused(&error),
    };
    let colours = Colours::of(arguments.color);
    let mut output = Output::new(io::stdout().lock());
    let verdict = match &arguments.command {
        Command::Solve(arguments) => solve::run(arguments, colours, &mut output),
        Command::Forbidden(arguments) => forbidden::run(arguments, colours, &mut output),
        Command::Scen(arguments) => scenario::run(arguments, &mut output),
        Command::Render(arguments) => render::run(arguments),
        Command::Range(arguments) => range::run(arguments, colours, &mut output),
        Command::Turns(arguments) => turns::run(arguments, colours, &mut output),
        Command::View(arguments) => view::run(arguments, colours, &mut output),
        Command::Graph(arguments) => graph::run(arguments, &mut output),
        Command::Replay(arguments) => replay::run(arguments, &mut output),
        Command::Lint(arguments) => lint::run(arguments, &mut output),
    };
    match verdict {
        Ok(Verdict::Good) => ExitCode::SUCCESS,
        Ok(Verdict::Bad) => ExitCode::from(1),
        Err(failure) => {
            // If standard error is closed too, only the exit code is left.
            for line in failure.lines() {
                let _ = writeln!(io::stderr(), "error: {}", printed(&line));
            }
            ExitCode::from(2)
        }
    }
}

/// Prints the message for invalid arguments, or the text of `--help`.
fn refused(error: &clap::Error) -> ExitCode {
    let is_hostile = |argument: OsString| argument.to_string_lossy().contains(char::is_control);
    if !error.use_stderr() || !std::env::args_os().any(is_hostile) {
        error.exit();
    }
    // The message quotes the arguments.
    for line in error.to_string().lines() {
        let _ = writeln!(io::stderr(), "{}", printed(line));
    }
    ExitCode::from(2)
}
