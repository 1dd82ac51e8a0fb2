//! The start of an example, with or without a window.

#[cfg(not(target_arch = "wasm32"))]
use std::num::NonZero;
use std::{
    fmt::Display,
    io::{self, Write, stdout},
};

use bevy::prelude::*;

use crate::{display::check_display, options::RunOptions};

/// Starts the example of this name. `headless` prints its run; `window` opens a window and runs
/// until it is closed.
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

/// Prints why the example of this name ends, and returns the exit code.
#[cfg(not(target_arch = "wasm32"))]
#[expect(clippy::print_stderr, reason = "the one line that a program without a window can say")]
pub fn fail(name: &str, error: &dyn Display, code: u8) -> AppExit {
    eprintln!("{name}: {error}");
    NonZero::new(code).map_or(AppExit::Success, AppExit::Error)
}

/// Throws why the example of this name ends: the page shows it.
#[cfg(target_arch = "wasm32")]
pub fn fail(name: &str, error: &dyn Display, _code: u8) -> AppExit {
    wasm_bindgen::throw_str(&format!("{name}: {error}"))
}
