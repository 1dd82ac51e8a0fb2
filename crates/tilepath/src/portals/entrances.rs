//! Where a chunk can be entered and left.

use super::border::{PLACES, place_of};
use crate::{
    cell::Direction,
    movement::Diagonals,
    movement_map::{MovementMap, area::Area},
    space::grid::GridNode,
    topology::Topology,
};

/// Along an entrance a portal comes at least this many cells after the other.
const SPACING: u32 = 8;
/// An entrance of no more cells has one portal, in its middle.
const NARROW: u32 = 3;

/// The portals of a chunk.
pub(super) struct Entrances {
    /// Which places along the border are portals, a bit each.
    pub(super) places: u64,
    /// For each place the directions of the steps that lead out there: bits in compass order.
    pub(super) steps_out: [u8; PLACES],
}

/// Finds the portals of the chunk that covers an area, on a map of this width and height.
pub(super) fn entrances(map: &MovementMap, area: &Area, [width, height]: [u32; 2]) -> Entrances {
    let mut found = Entrances { places: 0, steps_out: [0; PLACES] };
    let (columns, rows) = (&area.columns, &area.rows);
    let node = GridNode::new;
    let sides = [
        (Direction::North, rows.end < height, node(columns.start, rows.end - 1), columns.len()),
        (Direction::East, columns.end < width, node(columns.end - 1, rows.start), rows.len()),
        (Direction::South, rows.start > 0, node(columns.start, rows.start), columns.len()),
        (Direction::West, columns.start > 0, node(columns.start, rows.start), rows.len()),
    ];
    for (side, has_neighbour, first, length) in sides {
        if has_neighbour {
            found.add_side(map, side, first, length as u32);
        }
    }
    // Under the other rules two straight steps lead wherever a diagonal one does.
    if map.topology() == Topology::Hexagonal || map.movement().diagonals() == Diagonals::Always {
        for place in area.cells().map(|(x, y)| node(x, y)).filter(|&cell| place_of(cell).is_some()) {
            found.add_diagonals(map, place, area, [width, height]);
        }
    }
    found
}

impl Entrances {
    /// Adds the portals of a side, whose cells begin at `first` and go on to the north or the east.
    fn add_side(&mut self, map: &MovementMap, side: Direction, first: GridNode, length: u32) {
        let along = if matches!(side, Direction::North | Direction::South) { Direction::East } else { Direction::North };
        let here = |number: u32| first.moved(along, number);
        let there = |number: u32| here(number).moved(side, 1);
        let is_open = |cell: GridNode| map.is_passable(cell.x(), cell.y());
        // Out of the chunk, and into it.
        let crossing = |number: u32| {
            if !is_open(here(number)) || !is_open(there(number)) {
                return [false; 2];
            }
            [has(map, here(number), side), has(map, there(number), side.opposite())]
        };
        let leads_both_ways = |one: GridNode, other: GridNode| {
            has(map, one, along) && has(map, other, along.opposite())
        };
        let is_connected = |number: u32| {
            leads_both_ways(here(number), here(number + 1)) && leads_both_ways(there(number), there(number + 1))
        };
        let mut start = 0;
        while start < length {
            let [out, into] = crossing(start);
            let mut end = start + 1;
            if out || into {
                while end < length && crossing(end) == [out, into] && is_connected(end - 1) {
                    end += 1;
                }
                for number in portals_along(start, end) {
                    self.add(here(number), out.then_some(side));
                }
            }
            start = end;
        }
    }

    /// Adds the diagonal steps out of the chunk from one of its cells, and those into it, that no two straight steps make up for.
    fn add_diagonals(&mut self, map: &MovementMap, here: GridNode, area: &Area, [width, height]: [u32; 2]) {
        let diagonals = map.topology().directions().iter().filter(|direction| direction.is_diagonal());
        for &direction in diagonals {
            let (dx, dy) = direction.offset();
            let (x, y) = (here.x().wrapping_add_signed(dx), here.y().wrapping_add_signed(dy));
            if x >= width || y >= height || area.place(x, y).is_some() {
                continue;
            }
            let there = GridNode::new(x, y);
            if !map.is_passable(here.x(), here.y()) || !map.is_passable(x, y) {
                continue;
            }
            if is_needed(map, here, direction) {
                self.add(here, Some(direction));
            }
            if is_needed(map, there, direction.opposite()) {
                self.add(here, None);
            }
        }
    }

    fn add(&mut self, cell: GridNode, step_out: Option<Direction>) {
        if let Some(place) = place_of(cell) {
            self.places |= 1 << place;
            self.steps_out[place as usize] |= step_out.map_or(0, |direction| 1 << direction as u8);
        }
    }
}

/// Whether a step is allowed.
fn has(map: &MovementMap, from: GridNode, direction: Direction) -> bool {
    map.moves(from.x(), from.y()) >> direction as u8 & 1 == 1
}

/// Whether a diagonal step is allowed and is the only way of one or two steps.
fn is_needed(map: &MovementMap, from: GridNode, direction: Direction) -> bool {
    let leads_round = |first: Direction, second: Direction| {
        let beside = from.moved(first, 1);
        has(map, from, first) && map.is_passable(beside.x(), beside.y()) && has(map, beside, second)
    };
    let [left, right] = [direction.turned(7), direction.turned(1)];
    has(map, from, direction) && !leads_round(left, right) && !leads_round(right, left)
}

/// The portals of an entrance.
fn portals_along(start: u32, end: u32) -> impl Iterator<Item = u32> {
    let last = end - start - 1;
    let parts = if last < NARROW { 1 } else { last.div_ceil(SPACING) };
    let is_narrow = last < NARROW;
    (0..=if is_narrow { 0 } else { parts }).map(move |part| {
        start + if is_narrow { last / 2 } else { part * last / parts }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portals_of_an_entrance_lie_at_its_ends_and_at_most_eight_cells_apart() {
        for length in 1..=16 {
            let portals: Vec<u32> = portals_along(3, 3 + length).collect();
            if length <= NARROW {
                assert_eq!(portals, [3 + (length - 1) / 2]);
                continue;
            }
            assert_eq!((portals[0], portals[portals.len() - 1]), (3, 2 + length), "{length}");
            assert!(portals.windows(2).all(|pair| (1..=SPACING).contains(&(pair[1] - pair[0]))), "{portals:?}");
        }
    }
}
