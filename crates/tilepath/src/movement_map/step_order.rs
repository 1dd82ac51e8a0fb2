//! The order of the steps from a cell.

use crate::cell::Direction;

/// The order in which successors are offered, and which decides between paths that cost the same:
/// straight directions first, each kind in compass order.
///
/// If two successors are equally good, the diagonal one is then expanded first: the last one in is
/// the first one out. So a search across open ground runs straight at its goal.
pub(crate) const ORDER: [Direction; 8] = [
    Direction::North,
    Direction::East,
    Direction::South,
    Direction::West,
    Direction::NorthEast,
    Direction::SouthEast,
    Direction::SouthWest,
    Direction::NorthWest,
];

/// The place of each direction, in compass order, in [`ORDER`].
pub(crate) const PLACE: [u8; 8] = [0, 4, 1, 5, 2, 6, 3, 7];
