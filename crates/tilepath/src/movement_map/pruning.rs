//! Allowed directions, and the directions worth following after an arrival.
//!
//! A set of directions is a byte: bit n for the nth direction in compass order. The open neighbours
//! of a cell are such a set. Everything that depends on the arrival is written in turns: eighths
//! clockwise from the direction in which the cell v was entered. The step came from p, which lies
//! at turn 4.
//!
//! ```text
//! bits        turns after a step east    turns after a step north-east
//! 7 0 1              5 6 7                       6 7 0
//! 6 v 2              p v 0                       5 v 1
//! 5 4 3              3 2 1                       p 3 2
//! ```
//!
//! **Lemma 1.** No cheapest path goes on at turn 3, 4 or 5, whatever the terrain. Turn 4 is p
//! itself. The cells at 3 and 5 lie straight beside p. The straight step there from p costs no more
//! than the last step from v alone, because no diagonal step is cheaper than a straight step onto
//! the same cell.
//!
//! The other lemmas hold if every step onto a cell costs s straight and d diagonally, where
//! s < d < 2s. Of paths that cost the same, the path that takes its diagonal steps first is kept.
//! The lemmas are written for one side. The other side is its mirror image: turns 5, 6 and 7 stand
//! for 3, 2 and 1.
//!
//! **Lemma 2.** After a straight step, if no corner may be cut, turns 1 and 2 are worth following
//! only if 3 is closed. Let 3 be open. If 2 is open too, the diagonal step from p to 2 is allowed.
//! It costs d, less than the 2s over v. With a straight step on to 1 it costs d + s, as much as
//! over v, but with the diagonal step first. If 2 is closed, neither step from v is allowed.
//!
//! **Lemma 3.** After a straight step, if a corner may be cut, turn 2 is never worth following, and
//! turn 1 only if 2 is closed. The diagonal step from p to 2 passes v, which is open, so it is
//! allowed whatever 3 is. The rest is as in lemma 2.
//!
//! **Lemma 4.** After a diagonal step, turns 0, 1 and 7 are worth following, and turn 2 only if 3
//! is closed. Over an open 3, two straight steps lead from p to 2, for 2s instead of 2d. The paths
//! past v to 1 cost d + s as well, but with the diagonal step last. The paths past v to 0 cost
//! more.
//!
//! **Lemma 5.** Without diagonals, vertical steps come first. After a horizontal step, turn 2 is
//! worth following only if 3 is closed: over an open 3, the two steps lead there in the other
//! order. After a vertical step, turn 2 is always worth following.
//!
//! **Lemma 6.** On hexagons, turns are sixths. p touches the cells at turns 2 and 4, so no cheapest
//! path goes on at turns 2, 3 and 4, whatever the terrain. If all cells cost the same, one path of
//! two steps leads from p to the cell at turn 0, and two paths lead to the cell at turn 1. These
//! two go over v, or over the cell at turn 2 with the two steps in the other order.
//!
//! An order of directions decides between them: the path whose last step comes first is kept. No
//! two paths can be equal in this order. So turn 1 is worth following only if its direction comes
//! before the direction of arrival, or if the cell at turn 2 is closed.
//!
//! For jumps, another order is used: every other direction leads ([`LEADING`]), and the directions
//! between follow. Of two neighbouring directions one leads and one follows. So it is enough that
//! following directions come before leading ones as last steps: turn 1 is worth following if the
//! arrival leads, or if the cell at turn 2 is closed.
//!
//! Then a path takes its leading steps first, and jumps have one kind of turn instead of two. For
//! searches cell by cell this order is bad: a search that expands its latest cells first turns
//! aside too soon.
//!
//! **Lemma 7.** If steps are listed for each cell, some may be allowed in one direction only. Then
//! only the step back to p is never part of a cheapest path.
//!
//! Decision: `docs/decisions/09-open-neighbours.md`.
//! Decision: `docs/decisions/14-pruning.md`.

use super::step_order::{ORDER, PLACE};
use crate::{cell::Direction, movement::Diagonals, topology::Topology};

/// Returns a set of directions in compass order with its bits in [`ORDER`].
#[inline]
pub(crate) const fn in_order(set: u8) -> u8 {
    IN_ORDER[set as usize]
}

/// For each set of directions in compass order: the set with its bits in [`ORDER`].
const IN_ORDER: [u8; 256] = {
    let mut in_order = [0; 256];
    let mut set = 0;
    while set < 256 {
        let mut index = 0;
        while index < 8 {
            in_order[set] |= ((set >> ORDER[index] as usize & 1) as u8) << index;
            index += 1;
        }
        set += 1;
    }
    in_order
};

/// The rule that decides which steps are allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StepRule {
    /// On squares: the open neighbours and the diagonal rule.
    Square(Diagonals),
    /// On hexagons: the open cells of the six neighbours.
    Hexagonal,
    /// A list of the steps of each cell, used in place of its open neighbours.
    Listed,
}

/// The leading directions of hexagons: of paths that cost the same, jumps take the one with these
/// steps first.
pub(crate) const LEADING: [Direction; 3] = [Direction::North, Direction::SouthEast, Direction::West];

/// The following directions of hexagons: one lies between any two leading ones.
pub(crate) const FOLLOWING: [Direction; 3] = [Direction::East, Direction::South, Direction::NorthWest];

/// Returns the direction of hexagons this many sixths of a turn further clockwise; directions that
/// hexagons do not have stay as they are.
pub(crate) fn turned_sixths(direction: Direction, sixths: usize) -> Direction {
    let six = Topology::Hexagonal.directions();
    let place = six.iter().position(|&other| other == direction);
    place.map_or(direction, |place| six[(place + sixths) % 6])
}

/// The directions to follow for each arrival and each set of open neighbours, as a bit set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MoveTable {
    /// Indexed by the direction of arrival; the last entry is for a start.
    directions: Box<[[u8; 256]; 9]>,
    /// The directions as places in [`ORDER`], indexed by the place of the arrival.
    places: Box<[[u8; 256]; 9]>,
}

impl MoveTable {
    /// Creates a table of every direction that the rule allows, except the direction back to the
    /// previous cell and directions to cells that a straight step from there enters. Over this cell
    /// these cells cost more, whatever the terrain.
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

    /// Creates a table of every direction that the rule allows, except the direction back. It is exact
    /// if steps have surcharges: then a step past this cell may cost more than one over it.
    pub(crate) fn priced(rule: StepRule) -> Self {
        let directions_of = |open, arrival: Direction| {
            Neighbourhood { open, rule }.legal() & !(1 << arrival.opposite() as u8)
        };
        Self::from_fn(directions_of, rule)
    }

    /// Creates a table of the directions worth following if all passable cells cost the same. A
    /// direction is left out if a path past the cell is as good. Of paths that cost the same, the
    /// path that takes its diagonal steps first is kept (without diagonals, its vertical steps).
    ///
    /// The table is exact if a diagonal step costs more than a straight step and less than two.
    pub(crate) fn pruned(rule: StepRule) -> Self {
        match rule {
            StepRule::Listed => Self::forward(rule),
            _ => Self::from_fn(|open, arrival| Neighbourhood { open, rule }.pruned_successors(arrival), rule),
        }
    }

    /// Creates a table of the directions worth following from jump to jump on hexagons, if all
    /// passable cells cost the same. Of paths that cost the same, the path that takes its leading
    /// steps first is kept.
    pub(crate) fn of_hexagon_jumps() -> Self {
        let rule = StepRule::Hexagonal;
        let directions_of = |open, arrival| {
            let around = Neighbourhood { open, rule };
            let leads = LEADING.contains(&arrival);
            around.legal()
                & Neighbourhood::set_of(|direction| around.is_hexagon_successor(arrival, direction, leads))
        };
        Self::from_fn(directions_of, rule)
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
        let places = std::array::from_fn(|arrival| {
            let arrival = ORDER.get(arrival).map_or(8, |&direction| direction as usize);
            directions[arrival].map(in_order)
        });
        Self { directions, places: Box::new(places) }
    }

    /// Returns the directions to follow from a cell with these open neighbours. In both sets bit n
    /// is for the nth of [`Direction::ALL`].
    #[inline]
    pub(crate) fn directions(&self, arrival: Option<Direction>, open: u8) -> u8 {
        self.directions[arrival.map_or(8, |direction| direction as usize)][usize::from(open)]
    }

    /// Returns these directions as bits in [`ORDER`], given the place of the arrival there.
    #[inline]
    pub(crate) fn places(&self, arrival: Option<usize>, open: u8) -> u8 {
        self.places[arrival.unwrap_or(8)][usize::from(open)]
    }
}

/// Returns the number of eighths of a turn, clockwise, from one direction to the other.
const fn turn_between(from: Direction, to: Direction) -> usize {
    (to as usize + 8 - from as usize) % 8
}

/// The open cells among a cell's eight neighbours, and the rule for diagonal steps.
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

    /// Returns whether a direction is worth following on hexagons: straight on, or aside if that is
    /// preferred or forced.
    fn is_hexagon_successor(&self, arrival: Direction, direction: Direction, is_preferred: bool) -> bool {
        // Lemma 6.
        direction == arrival
            || [(1, 2), (5, 4)].into_iter().any(|(sixths, behind)| {
                direction == turned_sixths(arrival, sixths)
                    && (is_preferred || !self.is_open(turned_sixths(arrival, behind)))
            })
    }

    /// Returns the natural directions, and the directions forced by an obstacle behind or beside.
    fn pruned_successors(&self, arrival: Direction) -> u8 {
        let is_pruned_successor = |direction: Direction| {
            let turn = turn_between(arrival, direction);
            let StepRule::Square(rule) = self.rule else {
                let is_preferred = PLACE[direction as usize] < PLACE[arrival as usize];
                return self.is_hexagon_successor(arrival, direction, is_preferred);
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
                    // Lemma 4. If no corner may be cut, the step passed no obstacle.
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
    fn without_diagonals_a_step_is_left_out_exactly_if_a_path_past_the_cell_takes_its_vertical_step_first() {
        let table = MoveTable::pruned(StepRule::Square(Diagonals::Never));
        let straight = [Direction::North, Direction::East, Direction::South, Direction::West];
        let sum = |steps: [Direction; 2]| {
            let [(x, y), (also_x, also_y)] = steps.map(Direction::offset);
            (x + also_x, y + also_y)
        };
        for (open, arrival) in (0..=u8::MAX).flat_map(|open| straight.map(|arrival| (open, arrival))) {
            let is_open = |direction: Direction| open >> direction as u8 & 1 == 1;
            let followed = table.directions(Some(arrival), open);
            for direction in Direction::ALL {
                let over = [arrival, direction];
                // The other paths of two steps to the same cell. The cell between lies beside this
                // one, two steps of an eighth from the cell before.
                let past = straight.into_iter().flat_map(|first| straight.map(|second| [first, second]));
                let is_past_better =
                    past.filter(|&past| past != over && sum(past) == sum(over)).any(|past| {
                        let (x, y) = (
                            past[0].offset().0 - arrival.offset().0,
                            past[0].offset().1 - arrival.offset().1,
                        );
                        let between =
                            Direction::ALL.into_iter().find(|direction| direction.offset() == (x, y));
                        let is_vertical = matches!(past[0], Direction::North | Direction::South);
                        between.is_some_and(is_open) && is_vertical
                    });
                let is_step = straight.contains(&direction) && direction != arrival.opposite();
                assert_eq!(
                    followed >> direction as u8 & 1 == 1,
                    is_step && is_open(direction) && !is_past_better,
                    "{direction:?} after {arrival:?}, open {open:08b}"
                );
            }
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

    /// Returns the cost of the cheapest path from the cell before to a neighbour of a hexagon, over
    /// open neighbours only. Also returns whether the last step of one of these paths goes in a
    /// direction that `is_last` accepts.
    fn way_past(
        open: u8,
        arrival: Direction,
        to: Direction,
        is_last: impl Fn(Direction) -> bool,
    ) -> Option<(u32, bool)> {
        let six = Topology::Hexagonal.directions();
        let is_open = |direction: Direction| open >> direction as u8 & 1 == 1;
        // Neighbours that touch are a sixth of a turn apart. The step from one to the next points a
        // third of a turn further.
        let step = |from: Direction, turn: usize| {
            (turned_sixths(from, turn), turned_sixths(from, if turn == 1 { 2 } else { 4 }))
        };
        let mut best: Option<(u32, bool)> = None;
        for turn in [1, 5] {
            let (mut here, mut steps) = (arrival.opposite(), 0);
            while here != to {
                let (next, last) = step(here, turn);
                if !is_open(next) || steps == six.len() as u32 {
                    break;
                }
                (here, steps) = (next, steps + 1);
                if here == to {
                    let found = (steps, is_last(last));
                    best = match best {
                        Some(known) if known.0 < steps => Some(known),
                        Some(known) if known.0 == steps => Some((steps, known.1 || found.1)),
                        _ => Some(found),
                    };
                }
            }
        }
        best
    }

    #[test]
    fn on_hexagons_what_is_left_out_has_a_way_past_that_is_preferred() {
        let tables: [(MoveTable, fn(Direction, Direction) -> bool); 2] = [
            (MoveTable::pruned(StepRule::Hexagonal), |last, step| {
                PLACE[last as usize] < PLACE[step as usize]
            }),
            (MoveTable::of_hexagon_jumps(), |last, step| {
                FOLLOWING.contains(&last) && LEADING.contains(&step)
            }),
        ];
        for (table, is_preferred) in &tables {
            for (open, &arrival) in (0..=u8::MAX)
                .flat_map(|open| Topology::Hexagonal.directions().iter().map(move |arrival| (open, arrival)))
            {
                let followed = table.directions(Some(arrival), open);
                for direction in Direction::ALL {
                    let is_open = Topology::Hexagonal.has(direction) && open >> direction as u8 & 1 == 1;
                    let past = way_past(open, arrival, direction, |last| is_preferred(last, direction));
                    let is_better = past.is_some_and(|(steps, last)| steps < 2 || steps == 2 && last);
                    let is_back = direction == arrival.opposite();
                    assert_eq!(
                        followed >> direction as u8 & 1 == 1,
                        is_open && !is_better && !is_back,
                        "{direction:?} after {arrival:?}, open {open:08b}"
                    );
                }
            }
        }
    }
}
