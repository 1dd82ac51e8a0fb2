//! Contacts between regions of neighbouring chunks.

use super::chunk::{Chunk, Label, SIDE, ones};
use crate::{movement::Diagonals, movement_map::MovementMap, topology::Topology};

/// The side of a chunk on which a neighbour lies. Each other side is one of these for the
/// neighbour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    East,
    North,
    NorthEast,
    NorthWest,
}

impl Side {
    pub(super) const ALL: [Self; 4] = [Self::East, Self::North, Self::NorthEast, Self::NorthWest];

    /// Returns the offset from a chunk to its neighbour, in columns and rows of chunks.
    pub(super) const fn offset(self) -> (isize, isize) {
        match self {
            Self::East => (1, 0),
            Self::North => (0, 1),
            Self::NorthEast => (1, 1),
            Self::NorthWest => (-1, 1),
        }
    }
}

/// The rule for which cells touch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Adjacency {
    /// Cells that share a side touch.
    Four,
    /// Hexagons: cells that share a side, or the north-western or south-eastern corner, touch.
    Six,
    /// Cells that share a side or a corner touch.
    Eight,
}

impl Adjacency {
    pub(super) fn of(movement_map: &MovementMap) -> Self {
        match (movement_map.topology(), movement_map.movement().diagonals()) {
            (Topology::Hexagonal, _) => Self::Six,
            (Topology::Square, Diagonals::Always) => Self::Eight,
            (Topology::Square, _) => Self::Four,
        }
    }

    /// Returns whether cells touch across a side or corner.
    pub(super) fn joins(self, side: Side) -> bool {
        match side {
            Side::East | Side::North => true,
            Side::NorthWest => self != Self::Four,
            Side::NorthEast => self == Self::Eight,
        }
    }
}

/// Returns the first cell of every stretch of contact. The rest of a stretch has the same two
/// regions.
fn stretches(contact: u64) -> impl Iterator<Item = usize> {
    ones(contact & !(contact << 1))
}

fn add(found: &mut Vec<[Label; 2]>, pair: [Label; 2]) {
    if !found.contains(&pair) {
        found.push(pair);
    }
}

/// Adds the contacts of a chunk with its neighbour to the east.
pub(super) fn across_column([west, east]: [&Chunk; 2], adjacency: Adjacency, found: &mut Vec<[Label; 2]>) {
    let (here, there) = (west.east_column(), east.west_column());
    let mut add = |row: usize, other: usize| {
        if let (Some(&last), Some(&first)) = (west.row_labels(row).last(), east.row_labels(other).first()) {
            add(found, [last, first]);
        }
    };
    stretches(here & there).for_each(|row| add(row, row));
    if adjacency.joins(Side::NorthWest) {
        stretches(here & there << 1).for_each(|row| add(row, row - 1));
    }
    if adjacency.joins(Side::NorthEast) {
        stretches(here & there >> 1).for_each(|row| add(row, row + 1));
    }
}

/// Adds the contacts of a chunk with its neighbour to the north, from the two rows that face each
/// other.
pub(super) fn across_row(
    [south, north]: [&Chunk; 2],
    [here, there]: [u64; 2],
    adjacency: Adjacency,
    found: &mut Vec<[Label; 2]>,
) {
    let mut add = |column: usize, other: usize| {
        let label = south.label(SIDE as usize - 1, here, 1 << column);
        add(found, [label, north.label(0, there, 1 << other)]);
    };
    stretches(here & there).for_each(|column| add(column, column));
    if adjacency.joins(Side::NorthWest) {
        stretches(here & there << 1).for_each(|column| add(column, column - 1));
    }
    if adjacency.joins(Side::NorthEast) {
        stretches(here & there >> 1).for_each(|column| add(column, column + 1));
    }
}

/// Adds the contact of a chunk with its neighbour across a corner.
pub(super) fn at_corner([south, north]: [&Chunk; 2], side: Side, found: &mut Vec<[Label; 2]>) {
    const TOP: usize = SIDE as usize - 1;
    let (here, there) = match side {
        Side::NorthWest => (south.west_column(), north.east_column()),
        _ => (south.east_column(), north.west_column()),
    };
    if here >> TOP & there & 1 == 0 {
        return;
    }
    let (here, there) = (south.row_labels(TOP), north.row_labels(0));
    let pair = match side {
        Side::NorthWest => (here.first(), there.last()),
        _ => (here.last(), there.first()),
    };
    if let (Some(&here), Some(&there)) = pair {
        add(found, [here, there]);
    }
}
