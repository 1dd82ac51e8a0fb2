//! The directions in which a cell may be left.

use crate::cell::Direction;

/// The set of directions in which a unit may leave a cell. The terrain of the neighbour cells does
/// not count.
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
    /// Every direction. The default of a cell.
    pub const ALL: Self = Self(u8::MAX);
    /// No direction.
    pub const NONE: Self = Self(0);

    /// Adds a direction to the set.
    #[must_use]
    pub const fn with(self, direction: Direction) -> Self {
        Self(self.0 | 1 << direction as u8)
    }

    /// Removes a direction from the set.
    #[must_use]
    pub const fn without(self, direction: Direction) -> Self {
        Self(self.0 & !(1 << direction as u8))
    }

    /// Returns whether the direction is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, direction: Direction) -> bool {
        self.0 >> direction as u8 & 1 == 1
    }

    /// Returns the directions that are in both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the set as a byte. Bit n stands for the direction at index n of [`Direction::ALL`];
    /// bit 0 is the lowest bit.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Creates the set from a byte. Bit n stands for the direction at index n of
    /// [`Direction::ALL`]; bit 0 is the lowest bit.
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
