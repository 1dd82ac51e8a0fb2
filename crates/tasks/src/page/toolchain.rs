//! The compiler that builds programs for browsers.

use std::{
    path::Path,
    process::{Command, Output},
};

pub(super) const TARGET: &str = "wasm32-unknown-unknown";
/// Debian's compiler for its browsers, with the sources of the standard library.
const DEBIAN: &str = "/usr/bin/rustc";
const DEBIAN_SOURCES: &str = "/usr/lib/rustlib/src/rust/library/std";
/// Linkers of programs for browsers, of Debian's packages `lld-22` and `lld`.
const DEBIAN_LINKERS: [&str; 2] = ["/usr/bin/wasm-ld-22", "/usr/bin/wasm-ld"];

/// A compiler with the standard library of [`TARGET`], or with its sources.
#[derive(Debug)]
pub(super) enum Toolchain {
    /// Cargo's own compiler has the target.
    Cargo,
    /// Debian's package `rustc-web`, which compiles the standard library first.
    Debian { linker: &'static str },
}

impl Toolchain {
    /// Finds a compiler: cargo's own if it has the target or rustup can add it, else Debian's.
    ///
    /// # Errors
    ///
    /// If there is neither.
    pub(super) fn find() -> Result<Self, String> {
        if has_target() || succeeds(Command::new("rustup").args(["target", "add", TARGET])) && has_target() {
            return Ok(Self::Cargo);
        }
        let linker = DEBIAN_LINKERS.into_iter().find(|linker| Path::new(linker).exists());
        match linker {
            Some(linker) if Path::new(DEBIAN).exists() && Path::new(DEBIAN_SOURCES).exists() => {
                Ok(Self::Debian { linker })
            }
            _ => Err(format!(
                "no compiler for browsers: `rustup target add {TARGET}`, or on Debian \
                 `apt-get install rustc-web rust-web-src lld-22`"
            )),
        }
    }

    /// Returns the call of `cargo build` so far.
    pub(super) fn cargo(&self) -> Command {
        let mut cargo = Command::new("cargo");
        cargo.arg("build");
        if let Self::Debian { linker } = self {
            cargo
                .arg("-Zbuild-std=std,panic_abort")
                .env("RUSTC", DEBIAN)
                .env("RUSTC_BOOTSTRAP", "1")
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
        }
        cargo
    }
}

/// Returns true if cargo's own compiler has the standard library of the target.
fn has_target() -> bool {
    let asked = Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output();
    asked.is_ok_and(|Output { status, stdout, .. }| {
        status.success() && Path::new(String::from_utf8_lossy(&stdout).trim()).exists()
    })
}

fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}
