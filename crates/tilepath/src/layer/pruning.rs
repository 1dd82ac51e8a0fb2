//! Which directions a cell may be left in, and which of them are worth following after it was entered in a given one.

use crate::{cell::Direction, movement::Diagonals};

/// For each way of arriving and each neighbourhood of nine cells: the directions to follow, as a bit set.
///
/// A direction is left out where a way past the cell is as good: paths that take their diagonal steps first are the
/// ones that are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PruningTable {
    /// Indexed by the direction of arrival; the last entry is for a start.
    directions: Box<[[u8; 512]; 9]>,
}

impl PruningTable {
    pub(crate) fn new(rule: Diagonals) -> Self {
        let mut directions = Box::new([[0; 512]; 9]);
        for (arrival, table) in directions.iter_mut().enumerate() {
            for (neighbourhood, entry) in table.iter_mut().enumerate() {
                let around = Neighbourhood { open: neighbourhood, rule };
                *entry = match Direction::ALL.get(arrival) {
                    Some(&arrival) => around.worthwhile(arrival),
                    None => around.legal(),
                };
            }
        }
        Self { directions }
    }

    /// The directions to follow, bit n for the nth of [`Direction::ALL`].
    #[inline]
    pub(crate) fn directions(&self, arrival: Option<Direction>, neighbourhood: usize) -> u8 {
        self.directions[arrival.map_or(8, |direction| direction as usize)][neighbourhood]
    }
}

/// The nine cells around and including one, and the rule for diagonal steps.
struct Neighbourhood {
    open: usize,
    rule: Diagonals,
}

impl Neighbourhood {
    fn is_open(&self, direction: Direction) -> bool {
        let (dx, dy) = direction.offset();
        self.open >> ((dy + 1) * 3 + dx + 1) & 1 == 1
    }

    fn is_legal(&self, direction: Direction) -> bool {
        let beside = [direction.turned(7), direction.turned(1)];
        let obstacles = beside.into_iter().filter(|&side| !self.is_open(side)).count();
        self.is_open(direction) && (!direction.is_diagonal() || self.rule.allow(obstacles))
    }

    fn legal(&self) -> u8 {
        self.set_of(|direction| self.is_legal(direction))
    }

    fn set_of(&self, is_member: impl Fn(Direction) -> bool) -> u8 {
        Direction::ALL
            .into_iter()
            .filter(|&direction| is_member(direction))
            .fold(0, |set, direction| set | 1 << direction as u8)
    }

    /// The natural directions, and those forced by an obstacle behind or beside.
    fn worthwhile(&self, arrival: Direction) -> u8 {
        let is_worthwhile = |direction: Direction| {
            let turn = (direction as usize + 8 - arrival as usize) % 8;
            if arrival.is_diagonal() {
                match turn {
                    0 | 1 | 7 => true,
                    // Back and to the side, around an obstacle that the step passed. Where no corner may be cut it
                    // passed none.
                    2 => !self.is_open(arrival.turned(3)),
                    6 => !self.is_open(arrival.turned(5)),
                    _ => false,
                }
            } else if self.rule == Diagonals::OnlyWhenNoObstacles {
                match turn {
                    0 => true,
                    // To the side, and ahead to the side: only past the corner of an obstacle just left behind.
                    1 | 2 => !self.is_open(arrival.turned(3)),
                    6 | 7 => !self.is_open(arrival.turned(5)),
                    _ => false,
                }
            } else {
                match turn {
                    0 => true,
                    1 => !self.is_open(arrival.turned(2)),
                    7 => !self.is_open(arrival.turned(6)),
                    _ => false,
                }
            }
        };
        self.set_of(|direction| self.is_legal(direction) && is_worthwhile(direction))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN: usize = 0b111_111_111;

    fn directions(set: u8) -> Vec<Direction> {
        Direction::ALL.into_iter().filter(|&direction| set >> direction as u8 & 1 == 1).collect()
    }

    #[test]
    fn in_the_open_only_natural_directions_are_followed() {
        for rule in [Diagonals::OnlyWhenNoObstacles, Diagonals::IfAtMostOneObstacle, Diagonals::Always] {
            let table = PruningTable::new(rule);
            assert_eq!(directions(table.directions(Some(Direction::East), OPEN)), [Direction::East]);
            assert_eq!(
                directions(table.directions(Some(Direction::NorthEast), OPEN)),
                [Direction::North, Direction::NorthEast, Direction::East]
            );
            assert_eq!(directions(table.directions(None, OPEN)), Direction::ALL);
        }
    }

    #[test]
    fn a_corner_left_behind_forces_a_turn_where_corners_may_not_be_cut() {
        let north_west_closed = OPEN & !(1 << 6);
        let table = PruningTable::new(Diagonals::OnlyWhenNoObstacles);
        assert_eq!(
            directions(table.directions(Some(Direction::East), north_west_closed)),
            [Direction::North, Direction::NorthEast, Direction::East]
        );
    }

    #[test]
    fn an_obstacle_beside_forces_a_diagonal_where_corners_may_be_cut() {
        let north_closed = OPEN & !(1 << 7);
        let table = PruningTable::new(Diagonals::IfAtMostOneObstacle);
        assert_eq!(
            directions(table.directions(Some(Direction::East), north_closed)),
            [Direction::NorthEast, Direction::East]
        );
    }
}
