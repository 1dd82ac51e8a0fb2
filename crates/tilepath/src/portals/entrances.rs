//! The cells where a chunk can be entered and left.

use super::border::{PLACES, place_of};
use crate::{
    cell::Direction,
    movement::Diagonals,
    movement_map::{MovementMap, area::Area},
    space::grid::GridNode,
    topology::Topology,
};

/// The largest distance between neighbouring portals of an entrance without gaps, in cells.
const SPACING: u32 = 8;
/// The largest entrance with only one portal, in cells. The portal is in its middle.
const NARROW: u32 = 3;
/// The depth of the area beside a border in which a path around a wall may connect parts of an
/// entrance.
const DEPTH: usize = 3;

/// The portals of a chunk.
pub(super) struct Entrances {
    /// The places along the border that are portals, a bit each.
    pub(super) places: u64,
    /// For each place, the directions of the steps that lead out there: bits in compass order.
    pub(super) steps_out: [u8; PLACES],
}

/// Returns the portals of the chunk that covers an area, on a map of this width and height.
pub(super) fn entrances(map: &MovementMap, area: &Area, [width, height]: [u32; 2]) -> Entrances {
    let mut found = Entrances { places: 0, steps_out: [0; PLACES] };
    let (columns, rows) = (&area.columns, &area.rows);
    let node = GridNode::new;
    let sides = [
        (Direction::North, node(columns.start, rows.end - 1), height - rows.end),
        (Direction::East, node(columns.end - 1, rows.start), width - columns.end),
        (Direction::South, node(columns.start, rows.start), rows.start),
        (Direction::West, node(columns.start, rows.start), columns.start),
    ];
    for (side, first, beyond) in sides {
        if beyond > 0 {
            let (across, length, inside) = match side {
                Direction::North | Direction::South => (Direction::East, columns.len(), rows.len()),
                _ => (Direction::North, rows.len(), columns.len()),
            };
            let depths = [inside as u32, beyond].map(|depth| depth.min(DEPTH as u32));
            found.add_side(map, &Border { side, along: across, first, length: length as u32, depths });
        }
    }
    // Under the other rules, two straight steps can replace each diagonal step.
    if map.topology() == Topology::Hexagonal || map.movement().diagonals() == Diagonals::Always {
        for place in area.cells().map(|(x, y)| node(x, y)).filter(|&cell| place_of(cell).is_some()) {
            found.add_diagonals(map, place, area, [width, height]);
        }
    }
    found
}

impl Entrances {
    /// Adds the portals of a side.
    fn add_side(&mut self, map: &MovementMap, border: &Border) {
        let mut entrances: Vec<Entrance> = Vec::new();
        let strips = if map.has_listed_moves() {
            None
        } else {
            Some([border.strip(map, false), border.strip(map, true)])
        };
        let mut before: Option<[bool; 2]> = None;
        for number in 0..border.length {
            let crossing = border.crossing(map, number);
            if crossing == [false; 2] {
                before = None;
                continue;
            }
            let regions = strips.as_ref().map(|strips| strips.each_ref().map(|strip| strip.region(number)));
            let is_continued = if regions.is_some() {
                // Steps go both ways, so all cells of an entrance are connected. They need not be
                // adjacent.
                entrances.iter_mut().find(|entrance| entrance.regions == regions)
            } else {
                let goes_on = before == Some(crossing) && border.is_connected(map, number - 1);
                entrances.last_mut().filter(|_| goes_on)
            };
            match is_continued {
                Some(entrance) => entrance.cells |= 1 << number,
                None => entrances.push(Entrance { cells: 1 << number, leads_out: crossing[0], regions }),
            }
            before = Some(crossing);
        }
        for entrance in entrances {
            for number in portals_among(entrance.cells) {
                self.add(border.here(number), entrance.leads_out.then_some(border.side));
            }
        }
    }

    /// Adds the diagonal steps from a cell out of the chunk and into it that no two straight steps
    /// replace.
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

/// Returns whether a step is allowed.
fn has(map: &MovementMap, from: GridNode, direction: Direction) -> bool {
    map.moves(from.x(), from.y()) >> direction as u8 & 1 == 1
}

/// Returns whether a diagonal step is allowed and no two straight steps replace it.
fn is_needed(map: &MovementMap, from: GridNode, direction: Direction) -> bool {
    let leads_round = |first: Direction, second: Direction| {
        let beside = from.moved(first, 1);
        has(map, from, first) && map.is_passable(beside.x(), beside.y()) && has(map, beside, second)
    };
    let [left, right] = [direction.turned(7), direction.turned(1)];
    has(map, from, direction) && !leads_round(left, right) && !leads_round(right, left)
}

/// Cells of a side with steps across in the same directions, connected on both sides of the border.
struct Entrance {
    /// The cells, counted along the side, a bit each.
    cells: u16,
    leads_out: bool,
    /// The connected cells on both sides, if all steps go both ways.
    regions: Option<[u16; 2]>,
}

/// A side of a chunk that has a neighbour. Its cells are counted to the north or to the east.
struct Border {
    side: Direction,
    along: Direction,
    first: GridNode,
    length: u32,
    /// The number of rows of cells on this side and on the other, at most [`DEPTH`].
    depths: [u32; 2],
}

impl Border {
    fn here(&self, number: u32) -> GridNode {
        self.first.moved(self.along, number)
    }

    fn there(&self, number: u32) -> GridNode {
        self.here(number).moved(self.side, 1)
    }

    /// Returns whether a step across leads out of the chunk, and whether one leads into it.
    fn crossing(&self, map: &MovementMap, number: u32) -> [bool; 2] {
        let (here, there) = (self.here(number), self.there(number));
        if !map.is_passable(here.x(), here.y()) || !map.is_passable(there.x(), there.y()) {
            return [false; 2];
        }
        [has(map, here, self.side), has(map, there, self.side.opposite())]
    }

    /// Returns whether steps in both directions connect a cell and the next one along the side, on
    /// both sides of the border.
    fn is_connected(&self, map: &MovementMap, number: u32) -> bool {
        let leads_both_ways = |one: GridNode, other: GridNode| {
            has(map, one, self.along) && has(map, other, self.along.opposite())
        };
        leads_both_ways(self.here(number), self.here(number + 1))
            && leads_both_ways(self.there(number), self.there(number + 1))
    }

    /// Returns the open cells near the border, on this side or beyond.
    fn strip(&self, map: &MovementMap, is_beyond: bool) -> Strip {
        let mut open = [0; DEPTH];
        let depth = self.depths[usize::from(is_beyond)] as usize;
        for (row, open) in open.iter_mut().enumerate().take(depth) {
            for number in 0..self.length {
                let cell = if is_beyond {
                    self.there(number).moved(self.side, row as u32)
                } else {
                    self.here(number).moved(self.side.opposite(), row as u32)
                };
                *open |= u16::from(map.is_passable(cell.x(), cell.y())) << number;
            }
        }
        Strip { open }
    }
}

/// The open cells beside a border: rows along it, the nearest first, a bit for each cell.
struct Strip {
    open: [u16; DEPTH],
}

impl Strip {
    /// Returns the cells of the nearest row that straight steps inside the strip connect with a
    /// cell.
    fn region(&self, number: u32) -> u16 {
        let mut reached = [0; DEPTH];
        reached[0] = 1 << number & self.open[0];
        loop {
            let before = reached;
            for row in 0..DEPTH {
                let above = if row > 0 { reached[row - 1] } else { 0 };
                let below = if row + 1 < DEPTH { reached[row + 1] } else { 0 };
                let here = (reached[row] | above | below) & self.open[row];
                reached[row] = (here | here << 1 | here >> 1) & self.open[row];
            }
            if reached == before {
                return reached[0];
            }
        }
    }
}

/// Returns the portals of an entrance: its ends, and cells between them at most about eight cells
/// apart. A narrow entrance has one portal.
fn portals_among(cells: u16) -> impl Iterator<Item = u32> {
    let first = cells.trailing_zeros();
    let last = u16::BITS - 1 - cells.leading_zeros();
    let span = last - first;
    let parts = if span < NARROW { 1 } else { span.div_ceil(SPACING) };
    let wanted = move |part: u32| if span < NARROW { first + span / 2 } else { first + part * span / parts };
    let nearest = move |place: u32| {
        let distance = |number: &u32| (number.abs_diff(place), *number);
        (0..u16::BITS).filter(|number| cells >> number & 1 == 1).min_by_key(distance)
    };
    (0..=if span < NARROW { 0 } else { parts }).filter_map(move |part| nearest(wanted(part)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portals_of_an_entrance_lie_at_its_ends_and_at_most_eight_cells_apart() {
        for length in 1..=12 {
            let portals: Vec<u32> = portals_among((((1_u32 << length) - 1) << 3) as u16).collect();
            if length <= NARROW {
                assert_eq!(portals, [3 + (length - 1) / 2]);
                continue;
            }
            assert_eq!((portals[0], portals[portals.len() - 1]), (3, 2 + length), "{length}");
            assert!(
                portals.windows(2).all(|pair| (1..=SPACING).contains(&(pair[1] - pair[0]))),
                "{portals:?}"
            );
        }
        let apart: Vec<u32> = portals_among(0b1000_0000_0000_0001).collect();
        assert_eq!(apart, [0, 0, 15], "without a cell in the middle, the nearest one comes twice");
    }

    #[test]
    fn a_strip_connects_what_leads_round_a_wall() {
        let strip = Strip { open: [0b1101, 0b0111, 0b0000] };
        assert_eq!(strip.region(0), 0b1101);
        let strip = Strip { open: [0b1101, 0b0001, 0b1111] };
        assert_eq!((strip.region(0), strip.region(2)), (0b0001, 0b1100));
    }
}
