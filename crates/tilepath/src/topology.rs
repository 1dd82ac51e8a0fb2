//! The shape of cells: squares or hexagons.

use crate::{
    cell::{Cell, Direction},
    text::UnknownName,
};
use std::{fmt, str::FromStr};

/// The shape of a map's cells. It sets the directions in which a unit may step.
///
/// # Hexagons
/// Hexagonal maps use axial coordinates. The neighbours of a cell lie in six of the eight
/// directions: all except north-east and south-west. Every step costs as much as a straight step,
/// and the rule for diagonal steps has no effect.
///
/// # Examples
/// ```
/// use tilepath::{Cell, Direction, Topology};
/// assert!(!Topology::Hexagonal.has(Direction::NorthEast));
/// assert_eq!(Topology::Hexagonal.steps(Cell::new(0, 0), Cell::new(3, -1)), 3);
/// assert_eq!(Topology::Hexagonal.steps(Cell::new(0, 0), Cell::new(3, 1)), 4);
/// assert_eq!(Topology::Square.steps(Cell::new(0, 0), Cell::new(3, 1)), 3);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Topology {
    /// Squares with eight directions. The [rule for diagonal steps](crate::Diagonals) may forbid
    /// some steps. This is the default.
    #[default]
    Square,
    /// Hexagons in axial coordinates, with six directions.
    #[doc(alias = "hex grid")]
    Hexagonal,
}

impl Topology {
    /// Returns the directions in which a cell has neighbours, in the order of [`Direction::ALL`].
    #[must_use]
    pub const fn directions(self) -> &'static [Direction] {
        const SIX: [Direction; 6] = [
            Direction::North,
            Direction::East,
            Direction::SouthEast,
            Direction::South,
            Direction::West,
            Direction::NorthWest,
        ];
        match self {
            Self::Square => &Direction::ALL,
            Self::Hexagonal => &SIX,
        }
    }

    /// Returns whether a cell has a neighbour in the direction.
    #[inline]
    #[must_use]
    pub const fn has(self, direction: Direction) -> bool {
        match self {
            Self::Square => true,
            Self::Hexagonal => !matches!(direction, Direction::NorthEast | Direction::SouthWest),
        }
    }

    /// Returns the smallest number of steps from one cell to another on an empty map. A diagonal
    /// step is allowed and counts as one step.
    #[must_use]
    pub fn steps(self, from: Cell, to: Cell) -> u64 {
        let (dx, dy) = (i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y));
        let longer = dx.unsigned_abs().max(dy.unsigned_abs());
        match self {
            Self::Square => longer,
            Self::Hexagonal => longer.max((dx + dy).unsigned_abs()),
        }
    }

    /// Returns the name of the topology, as [`FromStr`] reads it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Square => "square",
            Self::Hexagonal => "hexagonal",
        }
    }

    /// Returns whether the topology is the default.
    #[cfg(feature = "recording")]
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub(crate) fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for Topology {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl FromStr for Topology {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        [Self::Square, Self::Hexagonal].into_iter().find(|topology| topology.name() == text).ok_or_else(
            || UnknownName { text: text.to_owned(), kind: "topology", known: "square or hexagonal" },
        )
    }
}
