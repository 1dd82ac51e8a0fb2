//! One number from many searches of the core and one from a game of the plugin. They are the same on
//! every machine: a test compares a browser with the machine that built the page.

mod game;
mod searches;

use std::{fmt, hash::Hasher};

use fnv::FnvHasher;

/// Both numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hashes {
    /// The hash of the answers to many queries.
    pub searches: u64,
    /// The hash of every tick of a game.
    pub game: u64,
}

impl Hashes {
    /// Runs the searches and the game.
    #[must_use]
    pub fn compute() -> Self {
        Self { searches: searches::hash(), game: game::hash() }
    }
}

impl fmt::Display for Hashes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "searches {:016x}, game {:016x}", self.searches, self.game)
    }
}

/// Adds a position with all its bits. Numbers of 64 bits alone are hashed: the width of a `usize`
/// differs between machines.
fn write_point(hasher: &mut FnvHasher, x: f32, y: f32) {
    hasher.write_u64(u64::from(x.to_bits()) << 32 | u64::from(y.to_bits()));
}
