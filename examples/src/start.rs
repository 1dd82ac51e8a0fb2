//! How an example starts: without a window where that is asked for, and with one where there is a display.

use std::{
    fmt::Display,
    io::{self, Write, stdout},
    num::NonZero,
};

use bevy::prelude::*;

use crate::{display::check_display, options::RunOptions};

/// Starts the example of that name: `headless` writes what happens, `window` opens a window and runs until it is closed.
pub fn start(
    name: &str,
    run: &RunOptions,
    headless: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    window: impl FnOnce() -> AppExit,
) -> AppExit {
    if run.headless {
        return match headless(&mut stdout().lock()) {
            Ok(()) => AppExit::Success,
            Err(error) => fail(name, &error, 1),
        };
    }
    match check_display() {
        Ok(()) => window(),
        Err(missing) => fail(name, &missing, 1),
    }
}

/// Tells why the example of that name ends, and ends it with that code.
#[expect(clippy::print_stderr, reason = "the one line that a program without a window can say")]
pub fn fail(name: &str, error: &dyn Display, code: u8) -> AppExit {
    eprintln!("{name}: {error}");
    NonZero::new(code).map_or(AppExit::Success, AppExit::Error)
}
