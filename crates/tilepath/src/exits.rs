//! The directions in which a cell may be left.

use crate::cell::Direction;

/// The directions in which a cell may be left, apart from what its neighbours are: a set of the eight.
///
/// # Examples
/// ```
/// use tilepath::{Direction, Exits};
/// let exits = Exits::ALL.without(Direction::North);
/// assert!(exits.contains(Direction::East) && !exits.contains(Direction::North));
/// assert_eq!(exits.with(Direction::North), Exits::ALL);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Exits(u8);

impl Exits {
    /// Every direction: what a cell has on a map without exits of its own.
    pub const ALL: Self = Self(u8::MAX);
    /// None.
    pub const NONE: Self = Self(0);

    /// The set with one more direction.
    #[must_use]
    pub const fn with(self, direction: Direction) -> Self {
        Self(self.0 | 1 << direction as u8)
    }

    /// The set with one direction less.
    #[must_use]
    pub const fn without(self, direction: Direction) -> Self {
        Self(self.0 & !(1 << direction as u8))
    }

    /// Whether the direction is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, direction: Direction) -> bool {
        self.0 >> direction as u8 & 1 == 1
    }

    /// The directions of both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The set as a byte: bit n for the nth of [`Direction::ALL`].
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The set of a byte: bit n for the nth of [`Direction::ALL`].
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }
}

impl Default for Exits {
    fn default() -> Self {
        Self::ALL
    }
}
