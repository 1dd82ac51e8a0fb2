//! What is asked, and of whom.

use tilepath::Diagonals;

/// A map, a movement on it, and the queries.
#[derive(Clone)]
pub(crate) struct Problem {
    pub(crate) name: String,
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Row-major from the lowest row.
    pub(crate) classes: Vec<u8>,
    /// What a step onto a class is multiplied by; 0 is a wall.
    pub(crate) multipliers: [u16; 256],
    pub(crate) straight: u16,
    pub(crate) diagonal: u16,
    /// Past which obstacles diagonal steps may be taken: past none, or past any.
    pub(crate) diagonals: Diagonals,
    /// Slots of start and goal.
    pub(crate) queries: Vec<(usize, usize)>,
}

impl Problem {
    /// The smallest multiplier present on the map.
    pub(crate) fn cheapest(&self) -> u16 {
        let passable = self.classes.iter().map(|&class| self.multipliers[usize::from(class)]);
        passable.filter(|&multiplier| multiplier > 0).min().unwrap_or(1)
    }

    /// Whether all passable cells cost the same.
    pub(crate) fn is_uniform(&self) -> bool {
        let cheapest = self.cheapest();
        self.classes.iter().all(|&class| [0, cheapest].contains(&self.multipliers[usize::from(class)]))
    }
}

/// An answer in the common currency.
#[derive(Debug, PartialEq)]
pub(crate) struct Solution {
    /// `None` if there is no way.
    pub(crate) cost: Option<u64>,
    /// Slots from start to goal, empty if there is no way.
    pub(crate) path: Vec<usize>,
    /// Nodes expanded.
    pub(crate) expanded: u64,
}

/// One implementation, made ready for one map.
pub(crate) trait Contestant {
    fn name(&self) -> &'static str;

    /// Whether all its answers must be cheapest ones. Where they need not, the costlier ones are counted.
    fn is_exact(&self) -> bool {
        true
    }

    /// The timed part: finds the whole path, cell by cell, and keeps it for [`solution`](Self::solution).
    fn solve(&mut self, from: usize, to: usize);

    /// The answer to the last query, translated outside the clock.
    fn solution(&self) -> Solution;
}
