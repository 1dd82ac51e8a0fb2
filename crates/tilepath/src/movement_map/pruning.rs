//! Which directions a cell may be left in, and which of them are worth following after it was entered in a given one.
//!
//! A set of directions is a byte, bit n for the nth direction in compass order; the open neighbours of a cell are such a set.
//! What depends on the arrival is written in turns: eighths clockwise from the direction in which the cell v was entered. The
//! step came from p, which lies at turn 4.
//!
//! ```text
//! bits        turns after a step east    turns after a step north-east
//! 7 0 1              5 6 7                       6 7 0
//! 6 v 2              p v 0                       5 v 1
//! 5 4 3              3 2 1                       p 3 2
//! ```
//!
//! **Lemma 1.** No cheapest path goes on at turn 3, 4 or 5, whatever the terrain. Turn 4 is p itself. The cells at 3 and 5 lie
//! straight beside p, and the straight step there from p costs no more than the last step from v does alone, because no
//! diagonal step is cheaper than a straight one onto the same cell.
//!
//! The others hold where every step onto a cell costs s straight and d diagonally, with s < d < 2s, and of paths of one cost
//! the one is kept that takes its diagonal steps first. They are written for one side; the other is its mirror image, with
//! turns 5, 6, 7 for 3, 2, 1.
//!
//! **Lemma 2.** After a straight step, where no corner may be cut, turns 1 and 2 are worth following only if 3 is closed. If 3
//! is open and 2 is too, the diagonal step from p to 2 is allowed: it costs d, less than the 2s over v, and with a straight
//! step to 1 it costs d + s, as much as over v, with the diagonal step first. If 2 is closed, neither step from v is allowed.
//!
//! **Lemma 3.** After a straight step, where a corner may be cut, turn 2 is never worth following, and turn 1 only if 2 is
//! closed. The diagonal step from p to 2 passes v, which is open, so it is allowed whatever 3 is; the rest is as in lemma 2.
//!
//! **Lemma 4.** After a diagonal step turns 0, 1 and 7 are worth following, and turn 2 only if 3 is closed. Over an open 3 two
//! straight steps lead from p to 2, for 2s instead of 2d. The ways past v to 1 cost d + s as well, with the diagonal step
//! last, and those to 0 cost more.
//!
//! **Lemma 5.** Without diagonals, with the vertical steps first: after a horizontal step turn 2 is worth following only if 3
//! is closed, because over an open 3 the same two steps lead there in the other order; after a vertical step it always is.
//!
//! **Lemma 6.** On hexagons, in sixths of a turn, p touches the cells at turns 2 and 4, so that no cheapest path goes on at
//! turns 2, 3 and 4, whatever the terrain. Where all cells cost the same there is one way of two steps from p to the cell at
//! turn 0, and two to the one at turn 1: over v, or over the cell at turn 2 with the same two steps in the other order. Of
//! these the one is kept whose last step comes first in the order of directions, which no other two ways can be equal in; so
//! turn 1 is worth following only if its direction comes before that of the arrival, or the cell at turn 2 is closed.
//!
//! **Lemma 7.** Where steps are listed for each cell, some may be allowed in one direction only, and only the step back to p is
//! never part of a cheapest path.

use super::canonical_steps::PLACE;
use crate::{cell::Direction, movement::Diagonals, topology::Topology};

/// What says which steps are allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StepRule {
    /// On squares the open neighbours and the diagonal rule.
    Square(Diagonals),
    /// On hexagons the open ones of six neighbours.
    Hexagonal,
    /// A list of the steps of each cell, in the place of its open neighbours.
    Listed,
}

/// The direction of hexagons this many sixths of a turn further clockwise; others do not turn.
pub(crate) fn turned_sixths(direction: Direction, sixths: usize) -> Direction {
    let six = Topology::Hexagonal.directions();
    let place = six.iter().position(|&other| other == direction);
    place.map_or(direction, |place| six[(place + sixths) % 6])
}

/// For each way of arriving and each set of open neighbours: the directions to follow, as a bit set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MoveTable {
    /// Indexed by the direction of arrival; the last entry is for a start.
    directions: Box<[[u8; 256]; 9]>,
}

impl MoveTable {
    /// Every direction that the rule allows, but for the cell come from and those that a straight step from there enters:
    /// by way of this cell they cost more, whatever the terrain.
    pub(crate) fn forward(rule: StepRule) -> Self {
        Self::from_fn(
            |open, arrival| {
                let leads_back = |direction| match rule {
                    // Lemma 1.
                    StepRule::Square(_) => matches!(turn_between(arrival, direction), 3..=5),
                    // Lemma 6.
                    StepRule::Hexagonal => (2..=4).any(|sixths| turned_sixths(arrival, sixths) == direction),
                    // Lemma 7.
                    StepRule::Listed => direction == arrival.opposite(),
                };
                let back = Neighbourhood::set_of(leads_back);
                Neighbourhood { open, rule }.legal() & !back
            },
            rule,
        )
    }

    /// The directions worth following where all passable cells cost the same: one is left out where a way past the cell is
    /// as good. Of ways that cost the same those are kept that take their diagonal steps first (their vertical ones where
    /// there are no diagonals).
    ///
    /// Exact where a diagonal step costs more than a straight one and less than two.
    pub(crate) fn pruned(rule: StepRule) -> Self {
        match rule {
            StepRule::Listed => Self::forward(rule),
            _ => Self::from_fn(|open, arrival| Neighbourhood { open, rule }.pruned_successors(arrival), rule),
        }
    }

    fn from_fn(directions_of: impl Fn(u8, Direction) -> u8, rule: StepRule) -> Self {
        let mut directions = Box::new([[0; 256]; 9]);
        for (arrival, table) in directions.iter_mut().enumerate() {
            for (open, entry) in (0..=u8::MAX).zip(table.iter_mut()) {
                *entry = match Direction::ALL.get(arrival) {
                    Some(&arrival) => directions_of(open, arrival),
                    None => Neighbourhood { open, rule }.legal(),
                };
            }
        }
        Self { directions }
    }

    /// The directions to follow, bit n for the nth of [`Direction::ALL`], of a cell whose open neighbours are so encoded too.
    #[inline]
    pub(crate) fn directions(&self, arrival: Option<Direction>, open: u8) -> u8 {
        self.directions[arrival.map_or(8, |direction| direction as usize)][usize::from(open)]
    }
}

/// How many eighths of a turn clockwise lead from one direction to the other.
const fn turn_between(from: Direction, to: Direction) -> usize {
    (to as usize + 8 - from as usize) % 8
}

/// The open ones of a cell's eight neighbours, and the rule for diagonal steps.
struct Neighbourhood {
    open: u8,
    rule: StepRule,
}

impl Neighbourhood {
    fn is_open(&self, direction: Direction) -> bool {
        self.open >> direction as u8 & 1 == 1
    }

    fn is_legal(&self, direction: Direction) -> bool {
        self.is_open(direction)
            && match self.rule {
                StepRule::Square(diagonals) => {
                    let beside = [direction.turned(7), direction.turned(1)];
                    let obstacles = beside.into_iter().filter(|&side| !self.is_open(side)).count();
                    !direction.is_diagonal() || diagonals.allow(obstacles)
                }
                StepRule::Hexagonal => Topology::Hexagonal.has(direction),
                StepRule::Listed => true,
            }
    }

    fn legal(&self) -> u8 {
        Self::set_of(|direction| self.is_legal(direction))
    }

    fn set_of(is_member: impl Fn(Direction) -> bool) -> u8 {
        Direction::ALL
            .into_iter()
            .filter(|&direction| is_member(direction))
            .fold(0, |set, direction| set | 1 << direction as u8)
    }

    /// The natural directions, and those forced by an obstacle behind or beside.
    fn pruned_successors(&self, arrival: Direction) -> u8 {
        let is_pruned_successor = |direction: Direction| {
            let turn = turn_between(arrival, direction);
            let StepRule::Square(rule) = self.rule else {
                // Lemma 6.
                return direction == arrival
                    || [(1, 2), (5, 4)].into_iter().any(|(sixths, behind)| {
                        direction == turned_sixths(arrival, sixths)
                            && (PLACE[direction as usize] < PLACE[arrival as usize]
                                || !self.is_open(turned_sixths(arrival, behind)))
                    });
            };
            if rule == Diagonals::Never {
                // Lemma 5.
                let is_vertical = matches!(arrival, Direction::North | Direction::South);
                match turn {
                    0 => true,
                    2 => is_vertical || !self.is_open(arrival.turned(3)),
                    6 => is_vertical || !self.is_open(arrival.turned(5)),
                    _ => false,
                }
            } else if arrival.is_diagonal() {
                match turn {
                    0 | 1 | 7 => true,
                    // Lemma 4. Where no corner may be cut the step passed no obstacle.
                    2 => !self.is_open(arrival.turned(3)),
                    6 => !self.is_open(arrival.turned(5)),
                    _ => false,
                }
            } else if rule == Diagonals::OnlyWhenNoObstacles {
                match turn {
                    0 => true,
                    // Lemma 2.
                    1 | 2 => !self.is_open(arrival.turned(3)),
                    6 | 7 => !self.is_open(arrival.turned(5)),
                    _ => false,
                }
            } else {
                match turn {
                    0 => true,
                    // Lemma 3.
                    1 => !self.is_open(arrival.turned(2)),
                    7 => !self.is_open(arrival.turned(6)),
                    _ => false,
                }
            }
        };
        Self::set_of(|direction| self.is_legal(direction) && is_pruned_successor(direction))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN: u8 = 0xFF;

    fn directions(set: u8) -> Vec<Direction> {
        Direction::ALL.into_iter().filter(|&direction| set >> direction as u8 & 1 == 1).collect()
    }

    #[test]
    fn in_the_open_only_natural_directions_are_followed() {
        for rule in [Diagonals::OnlyWhenNoObstacles, Diagonals::IfAtMostOneObstacle, Diagonals::Always] {
            let table = MoveTable::pruned(StepRule::Square(rule));
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
        let north_west_closed = OPEN & !(1 << Direction::NorthWest as u8);
        let table = MoveTable::pruned(StepRule::Square(Diagonals::OnlyWhenNoObstacles));
        assert_eq!(
            directions(table.directions(Some(Direction::East), north_west_closed)),
            [Direction::North, Direction::NorthEast, Direction::East]
        );
    }

    #[test]
    fn an_obstacle_beside_forces_a_diagonal_where_corners_may_be_cut() {
        let north_closed = OPEN & !(1 << Direction::North as u8);
        let table = MoveTable::pruned(StepRule::Square(Diagonals::IfAtMostOneObstacle));
        assert_eq!(
            directions(table.directions(Some(Direction::East), north_closed)),
            [Direction::NorthEast, Direction::East]
        );
    }
}
