//! Stops of jump point scans: a bit per cell and direction.
//!
//! A row of the map is a line of bits, with the border of zeros first. For scans north and south,
//! the bits are also stored with columns and rows exchanged. So every scan runs along a line:
//! forward to higher bits (east, north), or back to lower bits (west, south).
//!
//! ```text
//! bit      0 1 2 3 4 5 6          line y + 1 of a map of five columns; `|` is the border
//!          | . # n . . |          the line above
//!          | p . J . # |          a scan east from p stops at J, where n opens behind a corner;
//!          | . . . . . |          where corners may be cut it stops at bit 2 already
//! ```
//!
//! Decision: `docs/decisions/17-jump-points.md`.

mod bit_strips;
mod diagonal_stops;
pub(crate) mod four_way_stops;
mod renewal;
mod word_rules;

use self::{
    bit_strips::BitStrips,
    diagonal_stops::DiagonalStops,
    word_rules::{OpenNeighbours, reaching_of_word, stops_of_word},
};
use crate::{bit_grid::BitGrid, cell::Direction, movement::Diagonals};

/// The data for jump point scans, created once, so that a scan is a search for the next bit.
///
/// # Memory
/// About seventeen bits a cell. If the map is less than 64 cells wide or high: words of 64 bits for
/// each of its lines and diagonals, at most 20 words a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JumpStops {
    /// The passable cells with columns and rows exchanged: scans to the north and south run along its lines.
    columns: BitGrid,
    east: Scans,
    west: Scans,
    north: Scans,
    south: Scans,
    diagonal_stops: DiagonalStops,
}

/// The data of a movement map from which scans are made.
#[derive(Clone, Copy)]
pub(crate) struct ScanInput<'map> {
    pub(crate) rows: &'map BitGrid,
    pub(crate) rule: Diagonals,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

/// The diagonal directions in compass order.
const DIAGONALS: [Direction; 4] =
    [Direction::NorthEast, Direction::SouthEast, Direction::SouthWest, Direction::NorthWest];

/// All scans in one direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scans {
    is_forward: bool,
    /// The cells at which a scan must stop: closed ones, and those where a cheapest path may have to turn.
    stops: BitGrid,
    /// The cells from which a scan ends at an open cell, which is a jump point, and not at a closed one.
    reaches_jump_point: BitStrips,
}

impl JumpStops {
    /// # Complexity
    /// O(cells).
    pub(crate) fn new(input: ScanInput<'_>) -> Self {
        let ScanInput { rows, rule, width, height, .. } = input;
        let columns = rows.transposed(width, height);
        let [east, west] = [true, false].map(|is_forward| Scans::new(rows, width, rule, is_forward));
        let [north, south] = [true, false].map(|is_forward| Scans::new(&columns, height, rule, is_forward));
        let diagonal_stops = DiagonalStops::new(width, height);
        let mut stops = Self { columns, east, west, north, south, diagonal_stops };
        stops.look_everywhere(input);
        stops
    }

    pub(crate) fn bytes(&self) -> usize {
        let scans = [&self.east, &self.west, &self.north, &self.south];
        let scans: usize =
            scans.iter().map(|scans| scans.stops.bytes() + scans.reaches_jump_point.bytes()).sum();
        scans + self.columns.bytes() + self.diagonal_stops.bytes()
    }

    /// Sets the bits of all diagonals.
    fn look_everywhere(&mut self, input: ScanInput<'_>) {
        let ScanInput { rows, rule, width, height } = input;
        let [north, south] =
            [&self.north, &self.south].map(|scans| scans.reaches_jump_point.transposed(height, width));
        let (east, west) = (&self.east.reaches_jump_point, &self.west.reaches_jump_point);
        let leads = [(&north, east), (&south, east), (&south, west), (&north, west)];
        let mut planes = [0, 1, 2, 3].map(|_| BitGrid::new(width, height));
        for line in 1..=height as usize {
            let around = [line - 1, line, line + 1].map(|line| rows.line(line));
            for word in 0..east.line_words() {
                let open = around[1][word];
                let neighbours = OpenNeighbours::in_row(around, word);
                for (index, plane) in planes.iter_mut().enumerate() {
                    let (column, row) = leads[index];
                    let led = column.line(line)[word] | row.strip(word)[line];
                    let must_look = led | neighbours.must_turn(rule, DIAGONALS[index]);
                    // Closed cells have one value, whatever lies beside them. Bits outside the map
                    // are 0.
                    *plane.word_mut(line, word) = must_look & open | !open & on_map(width, word);
                }
            }
        }
        self.diagonal_stops.fill(planes, width, height);
    }

    /// Returns the number of steps that a diagonal walk goes before it must look around. Its first
    /// step must be allowed.
    #[expect(clippy::inline_always, reason = "measured: a call costs a tenth of a whole search")]
    #[inline(always)]
    pub(crate) fn walk(&self, direction: Direction, x: u32, y: u32, words: &mut u64) -> u32 {
        self.diagonal_stops.walk(direction, x, y, words)
    }

    /// Returns the scans in a straight direction; columns and rows are exchanged for north and
    /// south.
    #[inline]
    pub(crate) const fn scans(&self, direction: Direction) -> &Scans {
        match direction {
            Direction::East => &self.east,
            Direction::West => &self.west,
            Direction::North => &self.north,
            _ => &self.south,
        }
    }
}

/// Returns the bits of a word of a row that stand for cells of the map.
const fn on_map(width: u32, word: usize) -> u64 {
    // The border has the first place, and the place after the last column.
    let first = if word == 0 { 1 } else { 0 };
    let end = (width as usize + 1).saturating_sub(word * 64);
    let below = if end >= 64 { u64::MAX } else { (1 << end) - 1 };
    below & (u64::MAX << first)
}

impl Scans {
    fn new(open: &BitGrid, places: u32, rule: Diagonals, is_forward: bool) -> Self {
        let mut reaches_jump_point = BitStrips::new(places, open.lines() as u32 - 2);
        let mut stops = open.emptied();
        let words = reaches_jump_point.line_words();
        for line in 1..open.lines() - 1 {
            let around = [line - 1, line, line + 1].map(|line| open.line(line));
            let stops = stops.line_mut(line);
            for (index, stops) in stops.iter_mut().enumerate() {
                *stops = stops_of_word(around, rule, is_forward, index);
            }
            let mut carry = false;
            for step in 0..words {
                let word = if is_forward { words - 1 - step } else { step };
                let found = reaching_of_word(stops[word], around[1][word], is_forward, &mut carry);
                reaches_jump_point.strip_mut(word)[line] = found;
            }
        }
        Self { is_forward, stops, reaches_jump_point }
    }

    /// Returns the cells at which a scan stops.
    #[inline]
    pub(crate) const fn stops(&self) -> &BitGrid {
        &self.stops
    }

    /// Returns whether a scan from a cell ends at a jump point.
    #[inline]
    pub(crate) fn reaches_jump_point(&self, place: u32, line: u32) -> bool {
        self.reaches_jump_point.get(place, line)
    }
}

#[cfg(test)]
mod tests;
