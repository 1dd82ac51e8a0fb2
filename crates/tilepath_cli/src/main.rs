//! The command `tilepath`: the cheapest way over a map or a waypoint graph from a file, the map as a picture, and runs
//! of MovingAI scenarios.
//!
//! | command | what |
//! |---|---|
//! | `tilepath solve MAP --from X,Y --to X,Y` | one path, as text, as JSON, as PNG |
//! | `tilepath solve … --what-if X,Y=C` | the same on the map as it would be, beside the map as it is |
//! | `tilepath forbidden MAP --from X,Y --to X,Y` | the cells of which each alone would close the way |
//! | `tilepath scen FILE.scen` | every query of a scenario, compared with the file or with a plain Dijkstra |
//! | `tilepath render MAP --png FILE` | the map as PNG, with a path and the expanded cells if asked |
//! | `tilepath range MAP --from X,Y --points N` | where a unit can be after which turn, as text, as JSON, as PNG |
//! | `tilepath graph FILE --from ID --to ID` | one path on a waypoint graph, as text, as JSON, as PNG |
//! | `tilepath graph FILE --from ID --within N` | everything within this many steps of a waypoint |
//! | `tilepath replay FILE` | every answer of a recording again, compared bit for bit; or the decision of a tick of a crowd |
//! | `tilepath lint RULES [MAP]` | what is wrong with a file of rules, and what is hardly meant |
//!
//! X,Y count columns from the left and rows from the top, from 0, whatever `--topology` says of how the cells lie. The names of
//! `--topology` are the core's, which count odd rows from the bottom: the last row of a file is row 0. A file named `-` is
//! standard input. Exit code 0: found (or no mismatch, no lint), 1: no path (or a mismatch, a lint), 2: bad input, named on
//! standard error with file and line, and nothing on standard output.

mod arguments;
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
mod oracle;
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
mod whole_number;

use arguments::{Arguments, Command};
use clap::Parser;
use colours::Colours;
use printed::printed;
use std::{
    ffi::OsString,
    io::{self, ErrorKind, Write},
    process::ExitCode,
};

/// What a command that ran to its end has to say by its exit code.
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
    let mut output = io::stdout().lock();
    let verdict = match &arguments.command {
        Command::Solve(arguments) => solve::run(arguments, colours, &mut output),
        Command::Forbidden(arguments) => forbidden::run(arguments, colours, &mut output),
        Command::Scen(arguments) => scenario::run(arguments, &mut output),
        Command::Render(arguments) => render::run(arguments),
        Command::Range(arguments) => range::run(arguments, colours, &mut output),
        Command::Graph(arguments) => graph::run(arguments, &mut output),
        Command::Replay(arguments) => replay::run(arguments, &mut output),
        Command::Lint(arguments) => lint::run(arguments, &mut output),
    };
    match verdict {
        Ok(Verdict::Good) => ExitCode::SUCCESS,
        Ok(Verdict::Bad) => ExitCode::from(1),
        // What reads our output has seen enough, as in `tilepath scen … --csv | head`.
        Err(failure::Failure::Output(error)) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            // Where standard error is closed too, the exit code is all that is left to say.
            for line in failure.lines() {
                let _ = writeln!(io::stderr(), "error: {}", printed(&line));
            }
            ExitCode::from(2)
        }
    }
}

/// What is said of arguments that cannot be read, and of `--help`.
fn refused(error: &clap::Error) -> ExitCode {
    let is_hostile = |argument: OsString| argument.to_string_lossy().contains(char::is_control);
    if !error.use_stderr() || !std::env::args_os().any(is_hostile) {
        error.exit();
    }
    // The message quotes what was given.
    for line in error.to_string().lines() {
        let _ = writeln!(io::stderr(), "{}", printed(line));
    }
    ExitCode::from(2)
}
